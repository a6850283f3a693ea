// assemble.c: from contacts to the one-step problem.
//
// Contact i has a frame E (rows: normal, tangent, tangent). Its rows of H are E (J_0 - J_1), with J_k the derivative of
// side k's point (zero for dofs that an end holds). With the motion of colliders and of held ends c (velocity that
// it gives to the touched points), the gap g at the start and the
// restitution e,
//
//     w = -E c  +  normal part:  g/dt                if the surfaces are apart: they may meet, but not pass
//                                0                   if they overlap (recover.c pushes them apart without velocity)
//                                e u_N before        if they bounce: they meet within the step, faster than gravity explains
//
// Only bodies in contact take part; the others keep their unconstrained velocity.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/parallel.h"
#include "contact/compliance.h"
#include "math/sparse.h"
#include "math/vec3.h"
#include "sim/sim.h"

enum { FEW = 500 };                // contacts: less are not worth a second thread
enum { MANY = 1000 };              // contacts: less are solved well at once
static const double ROUGH = 10;    // times the tolerance
static const double STILL = 1e-12; // [m/s]

double plait_sim_friction(const plait_sim *sim, const plait_touch *t, double *restitution)
{
    const plait_scene *scene = sim->scene;
    int m[2];
    for (int k = 0; k < 2; k++)
        m[k] = t->side[k].on_shape ? sim->shape[t->side[k].index].material : sim->chain[t->side[k].index].material;
    int at = m[0] * scene->materials + m[1];
    *restitution = scene->restitution[at];
    return scene->mu[at];
}

// ---- room ----------------------------------------------------------------------------------------------------------

static bool make_room(plait_sim *sim, int n)
{
    if (n <= sim->contact_room)
        return true;
    int room = n + n / 2 + 64;
    double *frame = realloc(sim->frame, 9 * (size_t)room * sizeof *frame);
    sim->frame = frame ? frame : sim->frame;
    double *gap = realloc(sim->gap_term, (size_t)room * sizeof *gap);
    sim->gap_term = gap ? gap : sim->gap_term;
    if (!frame || !gap)
        return false;
    sim->contact_room = room;
    return true;
}

// ---- bodies --------------------------------------------------------------------------------------------------------

// Numbers the dofs of the bodies that take part; returns how many there are.
static int number_dofs(plait_sim *sim)
{
    int bodies = sim->fibres + sim->rigids, dofs = 0, from;
    for (int b = 0; b < bodies; b++)
        sim->body_dof[b] = -1;
    for (int i = 0; i < sim->touches.count; i++)
        for (int k = 0; k < 2; k++) {
            int b = plait_sim_body_of(sim, &sim->touches.touch[i].side[k]);
            if (b >= 0)
                sim->body_dof[b] = 0;
        }
    for (int b = 0; b < bodies; b++)
        if (sim->body_dof[b] >= 0) {
            sim->body_dof[b] = dofs;
            dofs += plait_sim_free_dofs(sim, b, &from);
        }
    return dofs;
}

// ---- contacts ------------------------------------------------------------------------------------------------------

// What one side adds to the three rows: columns and sign * E J.
typedef struct limb {
    int body, first, count; // first: in the problem's dofs
    double *block;          // [3][count]
} limb;

static limb make_limb(const plait_sim *sim, const plait_side *side, double sign, const double *E, double *J,
                      double *block, double carried[3])
{
    limb l = {-1, 0, 0, block};
    int first, from;
    l.body = plait_sim_point_jacobian(sim, side, &first, &l.count, J, carried);
    if (l.body < 0)
        return (limb){-1, 0, 0, block};
    plait_sim_free_dofs(sim, l.body, &from);
    l.first = sim->body_dof[l.body] + first - from; // columns of held dofs are zero: none will be written
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < l.count; c++)
            block[r * l.count + c] =
                sign * (E[3 * r] * J[c] + E[3 * r + 1] * J[l.count + c] + E[3 * r + 2] * J[2 * l.count + c]);
    return l;
}

// The rows of a contact; two limbs of one body are added where they overlap.
static int64_t write_rows(plait_sparse *H, int contact, int64_t at, limb a, limb b)
{
    if (b.body >= 0 && (a.body < 0 || b.first < a.first)) {
        limb t = a;
        a = b, b = t;
    }
    for (int r = 0; r < 3; r++) {
        int ca = 0, cb = 0;
        while ((a.body >= 0 && ca < a.count) || (b.body >= 0 && cb < b.count)) {
            int column_a = a.body >= 0 && ca < a.count ? a.first + ca : INT32_MAX;
            int column_b = b.body >= 0 && cb < b.count ? b.first + cb : INT32_MAX;
            int column = column_a < column_b ? column_a : column_b;
            double value = 0;
            if (column_a == column)
                value += a.block[r * a.count + ca++];
            if (column_b == column)
                value += b.block[r * b.count + cb++];
            if (value == 0)
                continue;
            H->col[at] = column;
            H->val[at++] = value;
        }
        H->ptr[3 * contact + r + 1] = at;
    }
    return at;
}

// Chunks of `rows` rows that end before the next one begins move up to each other.
static void close_ranks(plait_sparse *H, int chunks, int rows, const int64_t *begin, const int64_t *end)
{
    int64_t at = 0;
    for (int k = 0; k < chunks; k++) {
        int64_t count = end[k] - begin[k], back = begin[k] - at;
        if (back > 0) {
            memmove(H->col + at, H->col + begin[k], (size_t)count * sizeof *H->col);
            memmove(H->val + at, H->val + begin[k], (size_t)count * sizeof *H->val);
        }
        for (int r = k * rows; r < H->rows && r < (k + 1) * rows; r++)
            H->ptr[r + 1] -= back;
        at += count;
    }
}

// The normal part of w, and what of it is for the gap.
static double normal_term(const plait_sim *sim, const plait_touch *t, double restitution, double dt, double *gap_term)
{
    double u[2][3], old = 0, fresh = 0, collider = plait_vec3_dot(t->normal, t->side[1].move) / dt;
    *gap_term = t->gap > 0 ? t->gap / dt : 0;
    if (restitution == 0)
        return *gap_term;
    for (int k = 0; k < 2; k++) {
        plait_sim_point_velocity_before(sim, &t->side[k], u[k]);
        old += (k ? -1 : 1) * plait_vec3_dot(t->normal, u[k]);
        plait_sim_point_velocity(sim, &t->side[k], sim->v_free, u[k]);
        fresh += (k ? -1 : 1) * plait_vec3_dot(t->normal, u[k]);
    }
    old -= collider, fresh -= collider;
    // Slower than what gravity gives in two steps: it rests.
    if (t->gap + dt * fresh > 0 || old > -2 * dt * plait_vec3_norm(sim->scene->gravity))
        return *gap_term;
    *gap_term = 0;
    return restitution * old;
}

static void make_frame(const double normal[3], double *E)
{
    plait_vec3_copy(normal, E);
    plait_vec3_any_normal(normal, E + 3);
    plait_vec3_cross(E, E + 3, E + 6);
}

static void warm_start(const plait_sim *sim, int i, double dt, double *r)
{
    const plait_touch *t = &sim->touches.touch[i];
    r[0] = r[1] = r[2] = 0;
    if (t->last < 0 || sim->previous_dt <= 0)
        return;
    const double *impulse = sim->previous_impulse + 3 * (size_t)t->last, *E = sim->frame + 9 * (size_t)i;
    for (int k = 0; k < 3; k++)
        r[k] = dt / sim->previous_dt * plait_vec3_dot(E + 3 * k, impulse);
}

static int largest_body(const plait_sim *sim)
{
    int largest = 6;
    for (int i = 0; i < sim->fibres; i++)
        largest = sim->fibre[i].rod->dofs > largest ? sim->fibre[i].rod->dofs : largest;
    return largest;
}

// Entries of H that a contact has at most.
static int64_t jacobian_entries(const plait_sim *sim, int i)
{
    int64_t entries = 0;
    for (int k = 0; k < 2; k++) {
        int b = plait_sim_body_of(sim, &sim->touches.touch[i].side[k]);
        if (b < 0)
            continue;
        int n = sim->first_dof[b + 1] - sim->first_dof[b];
        bool sparse = b < sim->fibres && !sim->fibre[b].jacobian && n > 9;
        entries += 3 * (sparse ? 9 : n);
    }
    return entries;
}

typedef struct contact_rows {
    plait_sim *sim;
    int largest; // body, in dofs
    double dt, *w, *mu;
    plait_sparse *H;
} contact_rows;

// H, w, mu and the frame of contact i; its rows are written from entry `at` on. Returns where they end.
static int64_t fill_contact(const contact_rows *c, int i, double *scratch, int64_t at)
{
    plait_sim *sim = c->sim;
    const plait_touch *t = &sim->touches.touch[i];
    size_t block = 3 * (size_t)c->largest;
    double *E = sim->frame + 9 * (size_t)i, restitution, carried[2][3];
    make_frame(t->normal, E);
    c->mu[i] = plait_sim_friction(sim, t, &restitution);
    limb a = make_limb(sim, &t->side[0], 1, E, scratch, scratch + block, carried[0]);
    limb b = make_limb(sim, &t->side[1], -1, E, scratch, scratch + 2 * block, carried[1]);
    at = write_rows(c->H, i, at, a, b);
    for (int k = 0; k < 3; k++)
        c->w[3 * i + k] =
            (plait_vec3_dot(E + 3 * k, t->side[0].move) - plait_vec3_dot(E + 3 * k, t->side[1].move)) / c->dt +
            plait_vec3_dot(E + 3 * k, carried[0]) - plait_vec3_dot(E + 3 * k, carried[1]);
    c->w[3 * i] += normal_term(sim, t, restitution, c->dt, &sim->gap_term[i]);
    return at;
}

// All contacts, in chunks: each writes where its rows are if no entry vanishes. Then the chunks close ranks.
static bool fill_contacts(const contact_rows *c)
{
    enum { CHUNK = 256 };
    plait_sim *sim = c->sim;
    int n = sim->touches.count, chunks = (n + CHUNK - 1) / CHUNK, threads = n < FEW ? 1 : sim->threads;
    size_t room = 9 * (size_t)c->largest;
    double *scratch = malloc(room * (size_t)threads * sizeof *scratch);
    int64_t *begin = calloc(2 * (size_t)chunks + 1, sizeof *begin), *end = begin ? begin + chunks : NULL, total = 0;
    bool ok = scratch && begin;
    for (int i = 0; ok && i < n; i++) {
        if (i % CHUNK == 0)
            begin[i / CHUNK] = total;
        total += jacobian_entries(sim, i);
    }
    ok = ok && plait_sparse_alloc(c->H, 3 * n, c->H->cols, total);
    if (ok) {
        c->H->ptr[0] = 0;
#pragma omp parallel for schedule(static) num_threads(threads) if (threads > 1)
        for (int k = 0; k < chunks; k++) {
            end[k] = begin[k];
            for (int i = k * CHUNK; i < n && i < (k + 1) * CHUNK; i++)
                end[k] = fill_contact(c, i, scratch + room * (size_t)omp_get_thread_num(), end[k]);
        }
        close_ranks(c->H, chunks, 3 * CHUNK, begin, end);
    }
    free(scratch), free(begin);
    return ok;
}

// H, f, w; M as bands; mu. NULL without memory.
static plait_dynamics *make_dynamics(plait_sim *sim, double dt, plait_bands *bands, double **mu)
{
    int n = sim->touches.count, dofs = number_dofs(sim);
    plait_dynamics *y = calloc(1, sizeof *y);
    *mu = malloc(((size_t)n + 1) * sizeof **mu);
    bool ok = y && *mu;
    if (ok) {
        y->dofs = dofs, y->H.cols = dofs;
        y->f = malloc(((size_t)dofs + 1) * sizeof *y->f);
        y->w = malloc((3 * (size_t)n + 1) * sizeof *y->w);
        ok = y->f && y->w && make_room(sim, n) && plait_sim_bands(sim, bands, y->f) &&
             fill_contacts(&(contact_rows){sim, largest_body(sim), dt, y->w, *mu, &y->H});
    }
    if (ok)
        return y;
    plait_dynamics_free(y), plait_bands_free(bands);
    return NULL;
}

// ADONIS: contacts are those of before, only some fibres were linearised anew. False: it takes more than that.
static bool update_problem(plait_sim *sim)
{
    plait_problem *p = sim->problem;
    if (!p || p->n != sim->touches.count || p->W || !p->compliance->bands.bodies || p->dynamics->M.ptr)
        return false;
    plait_bands *bands = &p->compliance->bands;
    unsigned char *changed = calloc((size_t)bands->bodies + 1, 1);
    bool ok = changed != NULL;
    for (int b = 0; ok && b < sim->fibres; b++)
        if (sim->body_dof[b] >= 0 && sim->fibre[b].bad) {
            ok = !sim->fibre[b].jacobian; // H and w are others too
            plait_sim_fill_band(sim, b, bands, p->dynamics->f);
            changed[sim->body_place[b]] = 1;
        }
    ok = ok && plait_problem_update(p, changed, NULL) == PLAIT_OK;
    free(changed);
    return ok;
}

bool plait_sim_assemble(plait_sim *sim, plait_attempt *a)
{
    int n = sim->touches.count;
    if (a->polish)
        return true;
    if (a->relinearised && update_problem(sim))
        return true;
    plait_solution *before = a->known > 0 ? sim->solution : NULL;
    if (!before)
        plait_solution_free(sim->solution);
    plait_problem_free(sim->problem);
    sim->problem = NULL, sim->solution = NULL;
    sim->contacts_shown = false;
    if (n == 0) {
        for (int b = 0; b < sim->fibres + sim->rigids; b++)
            sim->body_dof[b] = -1;
        return true;
    }
    double *mu = NULL;
    plait_bands bands = {0};
    plait_dynamics *y = make_dynamics(sim, a->dt, &bands, &mu);
    sim->problem = y ? plait_problem_of(3, n, y, &bands, mu, a->error) : NULL;
    sim->solution = plait_solution_new(n);
    free(mu);
    for (int i = 0; sim->solution && i < n; i++)
        warm_start(sim, i, a->dt, sim->solution->r + 3 * (size_t)i);
    if (sim->solution && before) // frames are those of before too
        memcpy(sim->solution->r, before->r, 3 * (size_t)a->known * sizeof *before->r);
    plait_solution_free(before);
    if (!y || !sim->solution)
        return plait_sim_no_memory(sim, a);
    // Not positive definite, or not finite: a smaller step may be better.
    return sim->problem || plait_sim_reject(sim, "the one-step problem could not be built");
}

bool plait_sim_add_touch(plait_sim *sim, const plait_touch *touch)
{
    plait_touches *t = &sim->touches;
    if (t->count == t->room) {
        int room = t->room + t->room / 2 + 16;
        plait_touch *more = realloc(t->touch, (size_t)room * sizeof *more);
        if (!more)
            return false;
        t->touch = more, t->room = room;
    }
    t->touch[t->count++] = *touch;
    return true;
}

bool plait_sim_solve(plait_sim *sim, plait_attempt *a)
{
    plait_sim_report *report = &sim->report;
    report->contacts = sim->touches.count;
    report->converged = true, report->iterations = 0, report->solver = "none";
    report->groups = report->largest_group = 0;
    report->certificate = (plait_certificate){.worst_contact = -1};
    report->nu = sim->dofs > 0 ? 3.0 * sim->touches.count / sim->dofs : 0;
    if (!sim->problem)
        return true;
    plait_solve_options options = sim->scene->stepping.solve;
    plait_report solved;
    a->rough = a->rough && sim->problem->n >= MANY;
    if (a->rough)
        options.tol *= ROUGH;
    options.threads = sim->problem->n < FEW ? 1 : sim->threads;
    a->status = plait_problem_solve(sim->problem, &options, sim->solution, &solved, a->error);
    if (a->status != PLAIT_OK)
        return false;
    report->groups = solved.groups, report->largest_group = solved.largest_group;
    report->solver = solved.solver, report->iterations = solved.iterations, report->converged = solved.converged;
    report->certificate = solved.certificate;
    // Where nothing moves b is rounding, and a residual relative to it says nothing.
    double sum = 0;
    for (int i = 0; i < 3 * sim->problem->n; i++)
        sum += sim->problem->b[i] * sim->problem->b[i];
    if (solved.certificate.residual_rel * sqrt(sum) <= STILL * sqrt(sim->problem->n))
        report->converged = true;
    else if (!(solved.certificate.residual_rel <= sim->scene->stepping.reject))
        return plait_sim_reject(sim, "the contact problem was not solved");
    return true;
}
