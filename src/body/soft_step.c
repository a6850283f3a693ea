// soft_step.c: the step of a soft body alone, and M and f about any velocity.
#include <math.h>
#include <string.h>

#include "body/soft.h"
#include "math/mat3.h"
#include "math/vec3.h"

enum { HALVINGS = 30, LEANING = 4, EXACT = 3 };
static const double LEANS = 0.05; // of the impulses that act: contacts change them by more
static const double CHEAP = 2e9;  // flops of a factorisation
static const double ENOUGH = 1e-4; // of the decrease that the slope promises
static const double ROUNDING = 1e-13;
static const double SLOW = 1e-3;                    // of the gradient is left after a step that was quick
static const double ROUGHEST = 1e-3, FINEST = 1e-7; // accuracy of linear systems

static bool held(const plait_soft_impl *s, int node)
{
    return s->hold[node] != PLAIT_HOLD_FREE;
}

static const double *velocity0(const plait_body *b)
{
    return b->state + b->dofs;
}

// ---- once in a step -------------------------------------------------------------------------------------------------

// What times v is inertia and drag, per mass.
static double weight(const plait_soft_impl *s, double dt)
{
    return s->second.kappa > 1 ? s->second.kappa + dt * s->drag / s->second.beta : 1 + dt * s->drag;
}

// v~, the viscosity, what of the forces is explicit; and velocities of held nodes, into v.
static void begin(plait_body *b, double dt, double *v)
{
    plait_soft_impl *s = b->impl;
    const double *v0 = velocity0(b);
    s->second = (plait_bdf2){.kappa = 1, .v0 = v0};
    if (b->response->second_order)
        s->second = plait_bdf2_begin(v0 + b->dofs, b->dofs, v0, b->restart, dt);
    plait_bdf2_drag(&s->second, s->drag, dt);
    double theta = b->response->theta, kappa = s->second.kappa, slow = 1 / weight(s, dt);
    for (int i = 0; i < b->dofs; i++) { // drag is implicit: (v~ - v)/dt = gravity + drag (wind - v~)
        int node = i / 3, k = i % 3;
        s->goal[i] = slow * (kappa * plait_bdf2_start(&s->second, i) + dt * (s->gravity[k] + s->drag * s->wind[k]));
        v[i] = held(s, node) ? (s->held_at[i] - b->state[i]) / dt : v[i];
        s->explicit[i] = s->force ? -dt * s->force[i] : 0;
    }
    if (theta < 1)
        plait_soft_energy(s, b->state, (1 - theta) * dt, s->explicit);
    if (s->damped)
        plait_soft_viscosity(s, b->state, s->D);
    s->scale = 0, s->slow = false;
    for (int i = 0; i < b->dofs; i++) // the impulses that act: of gravity and of the motion there is
        s->scale = fmax(s->scale, s->mass[i / 3] * (fabs(s->goal[i] - v0[i]) + 1e-3 * fabs(v0[i])) +
                                      (s->force ? dt * fabs(s->force[i]) : 0));
}

// Drag as part of the mass: m (1 + dt drag) (v - v~).
static double inertia(const plait_soft_impl *s, double dt, int node)
{
    return s->mass[node] * weight(s, dt);
}

static void places(const plait_body *b, double dt, const double *v, double *x)
{
    for (int i = 0; i < b->dofs; i++)
        x[i] = b->state[i] + dt * v[i];
}

// phi(v); g <- phi'(v), zero where nodes are held.
static double potential(const plait_body *b, double dt, const double *v, double *g)
{
    const plait_soft_impl *s = b->impl;
    double sum = 0, viscous = 0;
    memset(g, 0, (size_t)b->dofs * sizeof *g);
    if (s->damped)
        plait_soft_apply(s, s->D, dt, v, g);
    for (int i = 0; i < b->dofs && s->damped; i++)
        viscous += 0.5 * g[i] * v[i];
    places(b, dt, v, s->place);
    sum = b->response->theta * plait_soft_energy(s, s->place, b->response->theta * dt, g) + viscous;
    for (int i = 0; i < b->dofs; i++) {
        double m = inertia(s, dt, i / 3), more = v[i] - s->goal[i];
        sum += 0.5 * m * more * more + s->explicit[i] * v[i];
        g[i] = held(s, i / 3) ? 0 : g[i] + m * more + s->explicit[i];
    }
    return sum;
}

void plait_soft_gradient(const plait_body *b, double dt, const double *v, double *g)
{
    potential(b, dt, v, g);
}

void plait_soft_fill_matrix(const plait_body *b, double dt, const double *x, bool exact, const double *D, double *M)
{
    const plait_soft_impl *s = b->impl;
    size_t entries = (size_t)s->plan->entries;
    if (s->damped)
        for (size_t k = 0; k < entries; k++)
            M[k] = dt * D[k];
    else
        memset(M, 0, entries * sizeof *M);
    plait_soft_matrix(s, x, b->response->theta * dt * dt, exact, M);
    for (int i = 0; i < b->dofs; i++)
        M[s->plan->ptr[i + 1] - 1] += held(s, i / 3) ? 1 : inertia(s, dt, i / 3);
}

// ---- Newton's method ------------------------------------------------------------------------------------------------

static double largest(const double *x, int n)
{
    double most = 0;
    for (int i = 0; i < n; i++)
        most = fmax(most, fabs(x[i]));
    return most;
}

// How well a linear system has to be solved: Newton's method leaves about the square of what the last step left, and
// nobody asks for less than `goal` (Eisenstat and Walker 1996).
static double accuracy(double now, double before, double goal)
{
    double next = isfinite(before) ? now / before * (now / before) : ROUGHEST;
    return fmax(fmin(fmax(next, FINEST), ROUGHEST), fmin(0.1 * goal / now, 0.1));
}

// direction <- -M^-1 g. Returns its slope; not negative: M is not positive definite.
static double descend(plait_body *b, const double *M, double left)
{
    plait_soft_impl *s = b->impl;
    double slope = 0;
    if (!plait_soft_solve(s, M, s->g, left, s->direction))
        return 1;
    for (int i = 0; i < b->dofs; i++)
        slope += s->g[i] * s->direction[i];
    return slope;
}

// v <- v + a direction with the first a = 1, 1/2, ... that goes down far enough. Near the end phi shows nothing but
// rounding:
// there a gradient that is half as large will do. now: the largest component of the gradient.
static bool search(plait_body *b, double dt, double slope, double now, double *phi, double *v)
{
    plait_soft_impl *s = b->impl;
    double a = 1, near = ROUNDING * (fabs(*phi) + s->scale);
    for (int k = 0; k < HALVINGS; k++, a /= 2) {
        for (int i = 0; i < b->dofs; i++)
            s->trial[i] = v[i] + a * s->direction[i];
        double there = potential(b, dt, s->trial, s->g);
        bool down = there <= *phi + ENOUGH * a * slope + near;
        if (down || (there <= *phi + 1e4 * near && 2 * largest(s->g, b->dofs) <= now)) {
            memcpy(v, s->trial, (size_t)b->dofs * sizeof *v);
            *phi = there;
            return true;
        }
    }
    return false;
}

// What rounding of places leaves of forces: below it a gradient says nothing.
static double rounding(const plait_body *b, double dt)
{
    const plait_soft_impl *s = b->impl;
    double stiff = 0;
    for (int i = 0; i < b->dofs; i++)
        stiff = fmax(stiff, b->M[s->plan->ptr[i + 1] - 1]);
    return 1e-15 * stiff / dt * largest(s->place, b->dofs);
}

// most: steps. After them it is an error if too much is left, unless it leans (below).
static const char *minimise(plait_body *b, double dt, int most, double tolerance, double *v)
{
    plait_soft_impl *s = b->impl;
    const plait_step_options *own = &b->response->own;
    double phi = potential(b, dt, v, s->g), before = INFINITY;
    bool exact = false;
    int exact_from = 1, pause = 1; // an exact matrix that is not positive definite here may be so nearer to the end
    s->scale = fmax(s->scale, 0.1 * largest(s->g, b->dofs));
    for (int k = 0; k < most; k++) {
        double now = largest(s->g, b->dofs);
        if (!isfinite(now) || !isfinite(phi))
            return "a soft body's forces are not finite";
        // Stiff bodies end where forces of elements cancel to the last digits: no step makes it smaller then.
        if (now <= tolerance * s->scale || now == 0 || (now >= before && now <= 1e-6 * s->scale))
            return NULL;
        exact = k >= exact_from && (exact || now > SLOW * before);
        double left = accuracy(now, before, tolerance * s->scale);
        before = now;
        plait_soft_fill_matrix(b, dt, s->place, exact, s->D, b->M);
        double slope = descend(b, b->M, left);
        if (exact && !(slope <= 0)) {
            exact = false, exact_from = k + 1 + pause, pause *= 2;
            plait_soft_fill_matrix(b, dt, s->place, false, s->D, b->M);
            slope = descend(b, b->M, left);
        }
        if (!(slope <= 0))
            return "a soft body's matrix is not positive definite";
        bool tiny = now <= rounding(b, dt);
        if (!search(b, dt, slope, now, &phi, v) || tiny)
            return tiny || now <= 1e-4 * s->scale ? NULL : "a soft body's own equations were not solved";
    }
    return most < own->max_iterations || largest(s->g, b->dofs) <= 1e-4 * s->scale
               ? NULL
               : "a soft body's own equations were not solved";
}

// f about v, with M and g = phi'(v) at hand.
static bool make_f(plait_body *b, const double *v)
{
    const plait_soft_impl *s = b->impl;
    for (int i = 0; i < b->dofs; i++)
        b->f[i] = -s->g[i], b->held[i] = held(s, i / 3);
    plait_soft_apply(s, b->M, 1, v, b->f);
    for (int i = 0; i < b->dofs; i++)
        b->f[i] = held(s, i / 3) ? v[i] : b->f[i];
    return isfinite(largest(b->f, b->dofs));
}

// M about s->place. Where contacts press it is the exact one, if that is positive definite: Newton's method on the body
// with its contacts ends in two or three rounds then, and with the positive part in eight. Sparse factors tell which.
// Where it goes to and fro the positive part has its turn.
static void fill_pressed(plait_body *b, double dt)
{
    plait_soft_impl *s = b->impl;
    bool exact = s->is_pressed && s->rounds < EXACT && b->response->balanced && s->plan->flops <= CHEAP &&
                 plait_soft_make_factor(s);
    s->rounds += exact;
    plait_soft_fill_matrix(b, dt, s->place, exact, s->D, b->M);
    s->kept.done = s->kept.done && !exact;
    if (!exact)
        return;
    if (plait_factor_factorise(&s->factor, b->M, PLAIT_ALONE, s->factor_work) < 0) {
        plait_soft_share_factor(b);
        return;
    }
    s->rounds = EXACT;
    plait_soft_fill_matrix(b, dt, s->place, false, s->D, b->M);
}

bool plait_soft_linearise(plait_body *b, double dt, const double *v)
{
    plait_soft_impl *s = b->impl;
    potential(b, dt, v, s->g);
    memcpy(s->about, s->place, (size_t)b->dofs * sizeof *s->about);
    plait_soft_forget_factor(b);
    fill_pressed(b, dt);
    return make_f(b, v);
}

// One step of Newton's method from rest, where M and f stay: what contacts find does not hang on where the body would
// go without them. False: it goes too far, or there is no such M.
static bool leap(plait_body *b, double dt, double *v)
{
    plait_soft_impl *s = b->impl;
    for (int i = 0; i < b->dofs; i++)
        v[i] = held(s, i / 3) ? v[i] : 0;
    double phi = potential(b, dt, v, s->g), now = largest(s->g, b->dofs);
    if (!isfinite(phi))
        return false;
    memcpy(s->about, s->place, (size_t)b->dofs * sizeof *s->about);
    plait_soft_keep(b, dt, s->place);
    if (!make_f(b, v))
        return false;
    s->scale = fmax(s->scale, 0.1 * now);
    double slope = now > 0 ? descend(b, s->kept_M, accuracy(now, INFINITY, b->response->own.tolerance * s->scale)) : 0;
    if (b->about)
        memcpy(b->about, v, (size_t)b->dofs * sizeof *v);
    for (int i = 0; i < b->dofs && now > 0; i++)
        v[i] += s->direction[i];
    // It must not go up. (Near rest that is rounding.)
    return slope <= 0 && (now == 0 || potential(b, dt, v, s->g) <= phi + 1e4 * ROUNDING * (fabs(phi) + s->scale));
}

// Contacts act through the mass alone, and on top of the velocity without them.
static void mass_alone(plait_body *b, double dt, const double *v)
{
    plait_soft_impl *s = b->impl;
    memset(b->M, 0, (size_t)s->plan->entries * sizeof *b->M);
    b->kept = NULL;
    places(b, dt, v, s->about);
    for (int i = 0; i < b->dofs; i++) {
        b->held[i] = held(s, i / 3);
        b->M[s->plan->ptr[i + 1] - 1] = b->held[i] ? 1 : s->mass[i / 3];
        b->f[i] = b->held[i] ? v[i] : s->mass[i / 3] * v[i];
    }
}

// ---- momentum of free bodies --------------------------------------------------------------------------------------
//
// Forces inside of a body have no moment about its places at the end of the step, and so, a little, about those at its
// start:
// implicit Euler slows down what turns, by (angle of a step)^2. A rigid velocity makes up for it: momentum and angular
// momentum of a free body are kept to rounding. (To let energy fall in every single step would cost a tumbling body a
// fifth of its angular momentum in 200 steps of .05 rad; without that its energy stays within 2e-4.)
// That is for bodies that nothing touches: what presses a body together makes its motion without contacts a large one,
// and a correction of that, as a force, would turn it.

// The rigid velocity with the momenta of `goal` and of loads, about the places at the start: `rigid`. False: it has no
// volume.
static bool rigid_part(const plait_body *b, double dt, double *rigid)
{
    const plait_soft_impl *s = b->impl;
    double mass = 0, centre[3] = {0}, push[3] = {0}, torque[3] = {0}, I[9] = {0}, spin[3];
    for (int i = 0; i < s->nodes; i++)
        mass += s->mass[i], plait_vec3_axpy(s->mass[i], b->state + 3 * (size_t)i, centre);
    for (int pass = 0; pass < 2; pass++) {
        if (pass == 1 && !plait_mat3_solve(I, torque, 1e-9, spin))
            return false;
        for (int i = 0; i < s->nodes; i++) {
            double arm[3], impulse[3], turn[3];
            for (size_t k = 0, at = 3 * (size_t)i; k < 3; k++, at++) {
                arm[k] = b->state[at] - centre[k] / mass;
                impulse[k] = s->mass[i] * s->goal[at] + (s->force ? dt * s->force[at] : 0);
            }
            if (pass == 1) {
                plait_vec3_cross(spin, arm, turn);
                for (size_t k = 0; k < 3; k++)
                    rigid[3 * (size_t)i + k] = turn[k] + push[k] / mass;
                continue;
            }
            plait_vec3_cross(arm, impulse, turn);
            plait_vec3_axpy(1, impulse, push), plait_vec3_axpy(1, turn, torque);
            plait_mat3_add_outer(I, -s->mass[i], arm, arm);
            for (int k = 0; k < 3; k++)
                I[4 * k] += s->mass[i] * plait_vec3_dot(arm, arm);
        }
    }
    return true;
}

static void keep_momentum(plait_body *b, double dt, double *v)
{
    plait_soft_impl *s = b->impl;
    double *wanted = s->trial, *own = s->direction, *goal = s->goal, *force = s->force;
    if (!rigid_part(b, dt, wanted))
        return;
    s->goal = v, s->force = NULL; // the rigid velocity that has the momenta of v
    rigid_part(b, dt, own);
    s->goal = goal, s->force = force;
    for (int i = 0; i < b->dofs; i++)
        v[i] += wanted[i] - own[i];
}

// Contacts of the last step hold a body back; without them it would jump to where nothing of use is found. It is
// linearised about where it goes if they do nearly the same once more, and v is the motion without them by that.
// False: it cannot be; v is lost.
static bool lean(plait_body *b, double dt, double *v)
{
    plait_soft_impl *s = b->impl;
    if (!s->is_pressed || !b->about || !b->response->balanced || s->second.kappa != 1 || s->plan->flops > CHEAP)
        return false;
    double *kept = b->f; // made anew below
    memcpy(kept, s->explicit, (size_t)b->dofs * sizeof *kept);
    for (int i = 0; i < b->dofs; i++)
        s->explicit[i] -= s->pressed[i], s->scale = fmax(s->scale, fabs(s->pressed[i]));
    s->slow = true; // contacts need a factor anyway
    const char *wrong = minimise(b, dt, LEANING, LEANS, v);
    memcpy(s->explicit, kept, (size_t)b->dofs * sizeof *kept);
    if (wrong || !plait_soft_linearise(b, dt, v))
        return false;
    double slope = largest(s->g, b->dofs) > 0 ? descend(b, b->M, 0) : 0;
    if (slope < 0)
        plait_soft_share_factor(b);
    memcpy(b->about, v, (size_t)b->dofs * sizeof *v);
    for (int i = 0; i < b->dofs && slope < 0; i++)
        v[i] += s->direction[i];
    return slope <= 0;
}

const char *plait_soft_predict(plait_body *b, double dt, double *v)
{
    plait_soft_impl *s = b->impl;
    b->leans = false, s->rounds = 0;
    plait_soft_forget_factor(b);
    memcpy(v, velocity0(b), (size_t)b->dofs * sizeof *v);
    begin(b, dt, v);
    bool keep = s->free && s->drag == 0 && s->second.kappa == 1, leapt = plait_soft_may_keep(b) && leap(b, dt, v);
    if (leapt) {
        b->elsewhere = true;
        if (keep)
            keep_momentum(b, dt, v);
        return NULL;
    }
    memcpy(v, velocity0(b), (size_t)b->dofs * sizeof *v);
    begin(b, dt, v);
    b->leans = b->elsewhere = lean(b, dt, v);
    if (b->leans)
        return NULL;
    plait_soft_forget_factor(b);
    s->is_pressed = false; // they are not there yet
    memcpy(v, velocity0(b), (size_t)b->dofs * sizeof *v);
    begin(b, dt, v);
    const plait_step_options *own = &b->response->own;
    const char *wrong = minimise(b, dt, own->scheme == PLAIT_STEP_LINEAR ? 1 : own->max_iterations, own->tolerance, v);
    if (wrong)
        return wrong;
    if (keep && b->about) { // contacts meet the body's own equations
        memcpy(b->about, v, (size_t)b->dofs * sizeof *v);
        b->elsewhere = true;
    }
    if (b->response->mass_alone)
        mass_alone(b, dt, v);
    else if (!plait_soft_linearise(b, dt, v))
        return "a soft body's forces are not finite";
    if (keep)
        keep_momentum(b, dt, v);
    return NULL;
}

bool plait_soft_stiffen(plait_body *b, double time)
{
    plait_soft_impl *s = b->impl;
    double kappa = s->second.kappa;
    if (s->damped)
        plait_soft_viscosity(s, b->state, s->D);
    plait_soft_forget_factor(b);
    s->second.kappa = 1;
    plait_soft_fill_matrix(b, time, b->state, false, s->D, b->M);
    s->second.kappa = kappa;
    memset(b->f, 0, (size_t)b->dofs * sizeof *b->f);
    for (int i = 0; i < b->dofs; i++)
        b->held[i] = held(s, i / 3);
    return true;
}
