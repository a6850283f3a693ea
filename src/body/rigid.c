// rigid.c: a rigid body. State: place of its centre of mass, quaternion of its principal axes, velocity, spin.
//
// Dofs: velocity of the centre, and the rotation vector per time w of the step, in the world: q1 = exp(dt w) q0. Alone
// it turns as rigid_turn.h says: momentum and energy stay. What contacts add to the angular momentum is for implicit
// Euler,
//
//     I1 w = L0 + dt couple + sum arm x r,     I1 = R1 J R1^T at the end of the motion without contacts
//
// which takes energy away and never adds it. The spin at the end is that of the momentum at the end, in the pose at the
// end. Integrator bdf2 (bdf2.h): the centre of what nothing touches.
// A guided body moves along the axis n and does not turn: its points move with n n^T, so that all momentum that
// contacts give it is along n, and M stays what it is.
#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "body/bdf2.h"
#include "body/body.h"
#include "body/rigid_mass.h"
#include "body/rigid_turn.h"
#include "math/quat.h"
#include "math/vec3.h"
#include "shape/type.h"

enum { AT_X = 0, AT_Q = 3, AT_V = 7, AT_SPIN = 10, STATE = 13, HISTORY = 11 }; // the history of three dofs

typedef struct rigid {
    plait_solid solid;
    double axes[4];          // quaternion of solid.axes
    const plait_shape *shape;
    plait_shape own;         // the same mesh about the centre and the axes; without points: not needed
    int material;
    double gravity[3];
    double force[3], couple[3]; // [N], [N m] from outside
    bool guided;
    double guide[3];         // unit
    double I[9];             // in the world, where the step was linearised
    double L[3];             // [kg m^2/s] at the end of the step without contacts
    double alone[3];         // w without contacts
    bool second_order;
    plait_bdf2 second;       // this step
    double v0[3], start[3];  // velocity at its start, and the one that the step begins with
    double state[STATE + HISTORY]; // until it gets its place
} rigid;

// ---- building
// --------------------------------------------------------------------------------------------------------

// The mesh in the frame of the principal axes.
static bool recentre(rigid *p)
{
    size_t count = 3 * (size_t)p->shape->points;
    p->own = *p->shape;
    p->own.point = malloc((count + 1) * sizeof *p->own.point);
    for (size_t i = 0; p->own.point && i < count; i += 3) {
        double arm[3];
        plait_vec3_sub(p->shape->point + i, p->solid.centre, arm);
        plait_mat3_apply_transposed(p->solid.axes, arm, p->own.point + i);
    }
    return p->own.point != NULL;
}

// The parts of a velocity and a spin, or of a momentum and its moment, that a guide leaves.
static void keep_to_guide(const rigid *p, double *v, double *spin)
{
    if (!p->guided)
        return;
    double along = plait_vec3_dot(p->guide, v);
    for (int k = 0; k < 3; k++)
        v[k] = along * p->guide[k], spin[k] = 0;
}

plait_status plait_rigid_build(const plait_rigid_def *def, plait_body *body, plait_error *error)
{
    rigid *p = calloc(1, sizeof *p);
    *body = (plait_body){.type = &plait_body_rigid,
                         .id = body->id,
                         .dofs = 6,
                         .bandwidth = 2,
                         .state_size = STATE + (def->second_order ? plait_bdf2_size(3) : 0),
                         .columns = 6,
                         .shaped = true,
                         .edge = INFINITY,
                         .impl = p};
    if (!p)
        return plait_error_set(error, PLAIT_NO_MEMORY, "no memory for a rigid body");
    plait_status status = plait_solid_of(def->shape, def->density, &p->solid, error);
    if (status != PLAIT_OK)
        return status;
    assert(plait_bdf2_size(3) == HISTORY);
    double heavier = def->mass > 0 ? def->mass / p->solid.mass : 1;
    p->solid.mass *= heavier;
    for (int k = 0; k < 3; k++)
        p->solid.inertia[k] *= heavier;
    p->shape = def->shape, p->material = def->material;
    p->second_order = def->second_order, p->second.kappa = 1;
    body->fine = plait_shape_type_of(def->shape)->flat ? INFINITY : def->shape->size[0] / 10;
    body->state = p->state;
    double *x = p->state + AT_X, *q = p->state + AT_Q, *v = p->state + AT_V;
    plait_vec3_copy(def->position, x);
    plait_quat_exp(def->rotation, q);
    plait_vec3_copy(def->velocity, v);
    plait_vec3_copy(def->spin, p->state + AT_SPIN);
    plait_vec3_copy(def->guide, p->guide);
    p->guided = plait_vec3_dot(p->guide, p->guide) > 0;
    if (p->guided)
        plait_vec3_normalise(p->guide);
    keep_to_guide(p, v, p->state + AT_SPIN);
    if (p->solid.centred)
        return PLAIT_OK;
    // It turns about its centre of mass, wherever the origin of its mesh is.
    double R[9], arm[3], extra[3];
    plait_quat_matrix(q, R);
    plait_mat3_apply(R, p->solid.centre, arm);
    plait_vec3_axpy(1, arm, x);
    plait_vec3_cross(def->spin, arm, extra);
    plait_vec3_axpy(1, extra, v);
    plait_quat_from_matrix(p->solid.axes, p->axes);
    plait_quat_multiply(q, p->axes, q);
    body->fine = cbrt(p->solid.mass / heavier / def->density) / 16; // as for a ball: a tenth of its radius
    return recentre(p) ? PLAIT_OK : plait_error_set(error, PLAIT_NO_MEMORY, "no memory for a rigid body");
}

static void release(plait_body *b)
{
    rigid *p = b->impl;
    if (p)
        free(p->own.point);
    free(p);
}

static void bind(plait_body *b)
{
    const rigid *p = b->impl;
    b->shape->shape = p->own.point ? &p->own : p->shape;
    b->shape->point0 = b->shape->point1 = b->shape->shape->point;
    b->shape->moves_freely = true;
    b->shape->material = p->material;
}

static const char *check(const plait_body *b, const double *state, double time)
{
    (void)b, (void)time;
    return fabs(plait_quat_dot(state + AT_Q, state + AT_Q) - 1) > 1e-6 ? "a rigid body's rotation is none" : NULL;
}

// ---- looking at it
// ---------------------------------------------------------------------------------------------------

static plait_pose pose_of(const plait_body *b)
{
    plait_pose pose;
    plait_vec3_copy(b->state + AT_X, pose.x);
    memcpy(pose.q, b->state + AT_Q, sizeof pose.q);
    return pose;
}

// The origin of the shape as it was given, seen from the centre of mass, in the world; false: it is the centre.
static bool arm_of(const plait_body *b, double q[4], double arm[3])
{
    const rigid *p = b->impl;
    memcpy(q, b->state + AT_Q, 4 * sizeof *q);
    if (p->solid.centred)
        return false;
    double back[4] = {-p->axes[0], -p->axes[1], -p->axes[2], p->axes[3]}, R[9];
    plait_quat_multiply(q, back, q);
    plait_quat_matrix(q, R);
    plait_mat3_apply(R, p->solid.centre, arm);
    for (int k = 0; k < 3; k++)
        arm[k] = -arm[k];
    return true;
}

void plait_rigid_pose(const plait_body *b, plait_pose *pose)
{
    double arm[3];
    plait_vec3_copy(b->state + AT_X, pose->x);
    if (arm_of(b, pose->q, arm))
        plait_vec3_axpy(1, arm, pose->x);
}

void plait_rigid_velocity(const plait_body *b, double velocity[3], double spin[3])
{
    double q[4], arm[3], extra[3];
    plait_vec3_copy(b->state + AT_V, velocity);
    plait_vec3_copy(b->state + AT_SPIN, spin);
    if (!arm_of(b, q, arm))
        return;
    plait_vec3_cross(spin, arm, extra);
    plait_vec3_axpy(1, extra, velocity);
}

static plait_body_energies energy(const plait_body *b)
{
    const rigid *p = b->impl;
    const double *v = b->state + AT_V, *spin = b->state + AT_SPIN;
    double L[3];
    plait_rigid_inertia(p->solid.inertia, b->state + AT_Q, 1, spin, L);
    return (plait_body_energies){0.5 * p->solid.mass * plait_vec3_dot(v, v) + 0.5 * plait_vec3_dot(L, spin), 0,
                                 -(p->solid.mass * plait_vec3_dot(p->gravity, b->state + AT_X))};
}

// ---- motion
// ----------------------------------------------------------------------------------------------------------

static void turn(double dt, const double *v, double *x, double *q)
{
    double angle[3] = {dt * v[3], dt * v[4], dt * v[5]}, e[4];
    plait_vec3_axpy(dt, v, x);
    plait_quat_exp(angle, e);
    plait_quat_multiply(e, q, q);
}

static void load(plait_body *b, const plait_world *world)
{
    rigid *p = b->impl;
    plait_vec3_copy(world->gravity, p->gravity);
}

void plait_rigid_push(plait_body *b, const double force[3], const double couple[3])
{
    rigid *p = b->impl;
    plait_vec3_copy(force, p->force);
    plait_vec3_copy(couple, p->couple);
}

void plait_rigid_centre(const plait_body *b, double x[3])
{
    plait_vec3_copy(b->state + AT_X, x);
}

static void trace(plait_body *b)
{
    b->shape->start = b->shape->end = pose_of(b);
}

// I where the rotation vector dt w leads, M, and f: the momentum without contacts.
static void inertia(plait_body *b, double dt, const double *v)
{
    rigid *p = b->impl;
    double angle[3] = {dt * v[3], dt * v[4], dt * v[5]}, q[4], R[9], D[9] = {0}, T[9];
    plait_quat_exp(angle, q);
    plait_quat_multiply(q, b->state + AT_Q, q);
    plait_quat_matrix(q, R);
    for (int k = 0; k < 3; k++)
        D[4 * k] = p->solid.inertia[k];
    plait_mat3_multiply(R, D, T);
    plait_mat3_multiply_transposed(T, R, p->I);
    memset(b->M, 0, 18 * sizeof *b->M);
    for (int k = 0; k < 3; k++) {
        b->M[3 * k] = p->second.kappa * p->solid.mass;
        for (int d = 0; d < 3 - k; d++) // symmetric, whatever rounding did
            b->M[9 + 3 * k + d] = 0.5 * (p->I[3 * (k + d) + k] + p->I[3 * k + k + d]);
        b->f[k] = p->start[k] * b->M[3 * k] + dt * (p->solid.mass * p->gravity[k] + p->force[k]);
        b->f[3 + k] = p->L[k];
    }
    keep_to_guide(p, b->f, b->f + 3);
}

static void move(plait_body *b, double dt, const double *v)
{
    plait_vec3_copy(b->shape->start.x, b->shape->end.x);
    memcpy(b->shape->end.q, b->shape->start.q, sizeof b->shape->end.q);
    turn(dt, v, b->shape->end.x, b->shape->end.q);
}

// What the centre starts with.
static void begin(plait_body *b, double dt)
{
    rigid *p = b->impl;
    plait_vec3_copy(b->state + AT_V, p->v0);
    p->second = (plait_bdf2){.kappa = 1, .v0 = p->v0};
    if (p->second_order)
        p->second = plait_bdf2_begin(b->state + STATE, 3, p->v0, b->restart, dt);
    for (int k = 0; k < 3; k++)
        p->start[k] = plait_bdf2_start(&p->second, k);
}

// Gravity, what pushes from outside; the body turns about its centre.
static const char *predict(plait_body *b, double dt, double *v)
{
    rigid *p = b->impl;
    double couple[3] = {dt * p->couple[0], dt * p->couple[1], dt * p->couple[2]};
    if (p->guided)
        couple[0] = couple[1] = couple[2] = 0;
    plait_rigid_inertia(p->solid.inertia, b->state + AT_Q, 1, b->state + AT_SPIN, p->L);
    if (!plait_rigid_turn(p->solid.inertia, b->state + AT_Q, p->L, couple, dt, p->alone))
        return "a rigid body turns too far in a step";
    plait_vec3_axpy(1, couple, p->L);
    begin(b, dt);
    for (int k = 0; k < 3; k++)
        v[k] = p->start[k] + dt * (p->gravity[k] + p->force[k] / p->solid.mass) / p->second.kappa;
    plait_vec3_copy(p->alone, v + 3);
    keep_to_guide(p, v, v + 3);
    inertia(b, dt, v);
    return NULL;
}

static bool linearise(plait_body *b, double dt, const double *v)
{
    inertia(b, dt, v);
    return true;
}

static bool strike(plait_body *b, double dt, double *v)
{
    rigid *p = b->impl;
    (void)dt;
    memcpy(v, b->state + AT_V, 6 * sizeof *v);
    plait_vec3_copy(v, p->start);
    p->second.kappa = 1;
    plait_rigid_inertia(p->solid.inertia, b->state + AT_Q, 1, v + 3, p->L);
    inertia(b, 0, v);
    return true;
}

static void rebound(plait_body *b, const double *v)
{
    memcpy(b->state + AT_V, v, 6 * sizeof *v);
}

// The inertia at the end of the motion instead of where it was linearised.
static double balance(plait_body *b, double dt, const double *v)
{
    const rigid *p = b->impl;
    double angle[3] = {dt * v[3], dt * v[4], dt * v[5]}, q[4], q1[4], L[3], off[3], w[3], c[6], size = 0;
    plait_quat_exp(angle, q);
    plait_quat_multiply(q, b->state + AT_Q, q1);
    plait_mat3_apply(p->I, v + 3, L);
    plait_rigid_inertia(p->solid.inertia, q1, 1, v + 3, off);
    for (int k = 0; k < 3; k++) {
        c[k] = b->M[3 * k] * v[k] - b->f[k], c[3 + k] = L[k] - b->f[3 + k];
        off[k] -= L[k];
        size += c[k] * c[k] / p->solid.mass;
    }
    plait_rigid_inertia(p->solid.inertia, q1, -1, c + 3, w);
    size += plait_vec3_dot(c + 3, w);
    plait_rigid_inertia(p->solid.inertia, q1, -1, off, w);
    double least = PLAIT_FLOOR * b->fine / dt;
    return sqrt(plait_vec3_dot(off, w) / fmax(size, least * least * p->solid.mass));
}

static int limb(const plait_body *b, const plait_side *side, int *dof, double *J, double carried[3])
{
    (void)carried;
    const rigid *p = b->impl;
    double arm[3];
    plait_vec3_sub(side->point, b->state + AT_X, arm);
    memset(J, 0, 18 * sizeof *J);
    for (int d = 0; d < 6; d++)
        dof[d] = d;
    for (int k = 0; k < 9; k++)
        J[6 * (k / 3) + k % 3] = p->guided ? p->guide[k / 3] * p->guide[k % 3] : k % 4 == 0;
    if (p->guided)
        return 6;
    // v + w x arm
    J[4] = arm[2], J[5] = -arm[1];
    J[6 + 3] = -arm[2], J[6 + 5] = arm[0];
    J[12 + 3] = arm[1], J[12 + 4] = -arm[0];
    return 6;
}

static void point_velocity(const plait_body *b, const plait_side *side, const double *v, double u[3])
{
    double arm[3];
    v = v ? v : b->state + AT_V;
    plait_vec3_sub(side->point, b->state + AT_X, arm);
    plait_vec3_cross(v + 3, arm, u);
    plait_vec3_axpy(1, v, u);
}

// The spin turns along: the kinetic energy stays.
static bool shift(plait_body *b, double dt, const double *psi)
{
    double *q = b->state + AT_Q, *spin = b->state + AT_SPIN, O[3], R[9];
    plait_quat_matrix(q, R);
    plait_mat3_apply_transposed(R, spin, O);
    turn(dt, psi, b->state + AT_X, q);
    plait_quat_normalise(q);
    plait_quat_matrix(q, R);
    plait_mat3_apply(R, O, spin);
    return true;
}

static const char *accept(plait_body *b, double dt, const double *v)
{
    const rigid *p = b->impl;
    double L[3];
    // Contacts change w; what is as it was has its own momentum.
    if (memcmp(v + 3, p->alone, sizeof p->alone) == 0)
        plait_vec3_copy(p->L, L);
    else
        plait_mat3_apply(p->I, v + 3, L);
    turn(dt, v, b->state + AT_X, b->state + AT_Q);
    plait_quat_normalise(b->state + AT_Q);
    for (int k = 0; k < 3; k++)
        b->state[AT_V + k] = plait_bdf2_after(&p->second, k, v[k]);
    if (p->second_order)
        plait_bdf2_end(b->state + STATE, 3, &p->second, v, b->state + AT_V, b->restart, dt);
    plait_rigid_inertia(p->solid.inertia, b->state + AT_Q, -1, L, b->state + AT_SPIN);
    return NULL;
}

// Of the turn: with L0, L1 the angular momenta, I0, I1 the inertias at both ends of the step and w the way it turns,
//
//     w . (L1 - L0)  =  change of kinetic energy + (L1 - L0) I1^-1 (L1 - L0)/2 + L0 (I0^-1 - I1^-1) L0/2
//                       + (w - I1^-1 L1) . (L1 - L0)
//
// all but the first of which the step loses.
static bool account(plait_body *b, double dt, const double *v, double elastic, bool touched, plait_account *a)
{
    const rigid *p = b->impl;
    const double *spin0 = b->state + AT_SPIN;
    double L0[3], L1[3], more[3], w0[3], w1[3], wm[3], angle[3] = {dt * v[3], dt * v[4], dt * v[5]}, q[4];
    (void)elastic;
    plait_quat_exp(angle, q);
    plait_quat_multiply(q, b->state + AT_Q, q);
    plait_quat_normalise(q);
    plait_rigid_inertia(p->solid.inertia, b->state + AT_Q, 1, spin0, L0);
    if (memcmp(v + 3, p->alone, sizeof p->alone) == 0)
        plait_vec3_copy(p->L, L1);
    else
        plait_mat3_apply(p->I, v + 3, L1);
    plait_vec3_sub(L1, L0, more);
    plait_rigid_inertia(p->solid.inertia, q, -1, L0, w0);
    plait_rigid_inertia(p->solid.inertia, q, -1, L1, w1);
    plait_rigid_inertia(p->solid.inertia, q, -1, more, wm);
    a->numerical = 0.5 * (plait_vec3_dot(more, wm) + plait_vec3_dot(L0, spin0) - plait_vec3_dot(L0, w0));
    for (int k = 0; k < 3; k++) {
        double change = v[k] - p->start[k], v1 = plait_bdf2_after(&p->second, k, v[k]), kappa = p->second.kappa;
        double shed = 0.5 * change * change;
        if (kappa > 1)
            shed = kappa * v[k] * change - 0.5 * (v1 - p->v0[k]) * (v1 + p->v0[k]);
        a->numerical += p->solid.mass * shed + (v[3 + k] - w1[k]) * more[k];
        a->loads += dt * (p->force[k] * v[k] + p->couple[k] * v[3 + k]);
        if (touched)
            a->contacts += v[k] * (b->M[3 * k] * v[k] - b->f[k]) + v[3 + k] * (L1[k] - b->f[3 + k]);
    }
    return isfinite(a->numerical);
}

// Of its centre, and of what is as far from it as its radius of gyration.
static double error(const plait_body *b, double dt)
{
    const rigid *p = b->impl;
    const double *a = b->before, *e = b->state, *J = p->solid.inertia;
    double back[4] = {-a[AT_Q], -a[AT_Q + 1], -a[AT_Q + 2], a[AT_Q + 3]}, q[4], turned[3], off = 0, turn = 0;
    plait_quat_multiply(e + AT_Q, back, q);
    plait_quat_log(q, turned);
    for (int k = 0; k < 3; k++) {
        off += pow(e[AT_X + k] - a[AT_X + k] - dt / 2 * (a[AT_V + k] + e[AT_V + k]), 2);
        turn += pow(turned[k] - dt / 2 * (a[AT_SPIN + k] + e[AT_SPIN + k]), 2);
    }
    return sqrt(off) + sqrt(turn * (J[0] + J[1] + J[2]) / (2 * p->solid.mass));
}

const plait_body_type plait_body_rigid = {
    .name = "rigid",
    .free = release,
    .bind = bind,
    .check = check,
    .load = load,
    .trace = trace,
    .predict = predict,
    .linearise = linearise,
    .tangent = linearise,
    .strike = strike,
    .rebound = rebound,
    .alone_only = true,
    .limb = limb,
    .point_velocity = point_velocity,
    .move = move,
    .balance = balance,
    .accept = accept,
    .shift = shift,
    .energy = energy,
    .error = error,
    .account = account,
};
