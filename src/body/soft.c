// soft.c: the row of a soft body. State: places, then velocities of all nodes.
#include "body/soft.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "math/quat.h"
#include "math/vec3.h"

static void release(plait_body *b)
{
    plait_soft_impl *s = b->impl;
    if (!s)
        return;
    for (int k = 0; k < PLAIT_SOFT_SETS; k++)
        free(s->set[k].node), free(s->set[k].slot), free(s->set[k].data);
    plait_cholesky_plan_free(s->plan);
    free(s->triangle), free(s->hold), free(s->carrier), free(s->below), free(s->row_at);
    free(s->kept.L), free(s->kept.Z), free(s->kept.number), free(s->kept.A), free(s->kept_M);
    free(s->factor_work), free(s->inverse);
    free(s->D), free(s->force), free(s->memory), free(s);
}

// ---- held nodes -----------------------------------------------------------------------------------------------------

static bool attach(plait_body *b, const plait_shape_geometry *shapes, plait_binder *binder)
{
    (void)shapes, (void)binder;
    plait_soft_impl *s = b->impl;
    for (int i = 0; i < s->nodes; i++) {
        if (!s->carrier[i])
            continue;
        const plait_pose *pose = &s->carrier[i]->shape->start;
        double R[9], arm[3];
        plait_quat_matrix(pose->q, R);
        plait_vec3_sub(s->rest + 3 * (size_t)i, pose->x, arm);
        plait_mat3_apply_transposed(R, arm, s->held_local + 3 * (size_t)i);
    }
    return true;
}

static void follow_carriers(plait_body *b, const plait_body *from, int count, const plait_body *to)
{
    plait_soft_impl *s = b->impl;
    for (int i = 0; i < s->nodes; i++)
        if (s->carrier[i] && s->carrier[i] >= from && s->carrier[i] < from + count)
            s->carrier[i] = to + (s->carrier[i] - from);
}

static void load(plait_body *b, const plait_world *world)
{
    plait_soft_impl *s = b->impl;
    plait_vec3_copy(world->gravity, s->gravity), plait_vec3_copy(world->wind, s->wind);
    for (int i = 0; i < s->nodes; i++) {
        if (!s->carrier[i])
            continue;
        const plait_pose *pose = &s->carrier[i]->shape->end;
        double R[9], arm[3], *at = s->held_at + 3 * (size_t)i;
        plait_quat_matrix(pose->q, R);
        plait_mat3_apply(R, s->held_local + 3 * (size_t)i, arm);
        for (int k = 0; k < 3; k++)
            at[k] = pose->x[k] + arm[k];
    }
}

// ---- motion ---------------------------------------------------------------------------------------------------------

static void nodes(const plait_body *b, double *x)
{
    memcpy(x, b->state, (size_t)b->dofs * sizeof *x);
}

static void velocities(const plait_body *b, double *u)
{
    memcpy(u, b->state + b->dofs, (size_t)b->dofs * sizeof *u);
}

static void trace(plait_body *b)
{
    nodes(b, b->x0);
}

// Nodes that are free have columns, in ascending order; what is held carries the point along.
static int limb(const plait_body *b, const plait_side *side, int *dof, double *J, double carried[3])
{
    const plait_soft_impl *s = b->impl;
    int node[3], columns = 0;
    double weight[3], move[3] = {0};
    int count = plait_side_weights(&s->skin, side, node, weight);
    for (int i = 1; i < count; i++)
        for (int k = i; k > 0 && node[k] < node[k - 1]; k--) {
            int n = node[k];
            double w = weight[k];
            node[k] = node[k - 1], weight[k] = weight[k - 1], node[k - 1] = n, weight[k - 1] = w;
        }
    for (int i = 0; i < count; i++) {
        if (s->hold[node[i]] != PLAIT_HOLD_FREE)
            plait_vec3_axpy(weight[i], b->f + 3 * (size_t)node[i], move);
        else
            weight[columns] = weight[i], node[columns++] = node[i];
    }
    memset(J, 0, 27 * sizeof *J);
    for (int i = 0; i < columns; i++)
        for (int k = 0; k < 3; k++) {
            dof[3 * i + k] = 3 * node[i] + k;
            J[3 * columns * k + 3 * i + k] = weight[i];
        }
    plait_vec3_copy(move, carried);
    return 3 * columns;
}

static void point_velocity(const plait_body *b, const plait_side *side, const double *v, double u[3])
{
    const plait_soft_impl *s = b->impl;
    int node[3];
    double weight[3];
    int count = plait_side_weights(&s->skin, side, node, weight);
    u[0] = u[1] = u[2] = 0;
    for (int i = 0; i < count; i++)
        plait_vec3_axpy(weight[i], (v ? v : b->u0) + 3 * (size_t)node[i], u);
}

static void move(plait_body *b, double dt, const double *v)
{
    for (int i = 0; i < b->dofs; i++)
        b->x1[i] = b->x0[i] + dt * v[i];
}

static double fastest(const plait_body *b, const double *v)
{
    double most = 0;
    for (int i = 0; i < b->dofs; i += 3)
        most = fmax(most, plait_vec3_dot(v + i, v + i));
    return sqrt(most);
}

// By strain: how far that of x1 is from the one about which it was linearised. It is of the second order in what a body
// turns, and vanishes as the linearisation gets there, whatever the strain is.
static double doubt(plait_body *b, double dt, const double *v)
{
    (void)dt, (void)v;
    const plait_soft_impl *s = b->impl;
    return plait_soft_strain_apart(s, b->x1, s->about) / b->response->stretch;
}

static bool shift(plait_body *b, double dt, const double *psi)
{
    const plait_soft_impl *s = b->impl;
    for (int i = 0; i < b->dofs; i++)
        b->state[i] += s->hold[i / 3] == PLAIT_HOLD_FREE ? dt * psi[i] : 0;
    return true;
}

static const char *accept(plait_body *b, double dt, const double *v)
{
    plait_soft_impl *s = b->impl;
    double *v1 = b->state + b->dofs, *v0 = s->trial;
    memcpy(v0, v1, (size_t)b->dofs * sizeof *v0);
    for (int i = 0; i < b->dofs; i++) {
        b->state[i] += dt * v[i];
        v1[i] = plait_bdf2_after(&s->second, i, v[i]);
    }
    s->second.v0 = v0;
    if (b->response->second_order)
        plait_bdf2_end(v1 + b->dofs, b->dofs, &s->second, v, v1, b->restart, dt);
    s->second.kappa = 1;
    plait_soft_accept_kept(b);
    return NULL;
}

static plait_body_energies energy(const plait_body *b)
{
    const plait_soft_impl *s = b->impl;
    const double *v = b->state + b->dofs;
    plait_body_energies e = {0, plait_soft_energy(s, b->state, 0, NULL), 0};
    for (int i = 0; i < b->dofs; i += 3) {
        e.kinetic += 0.5 * s->mass[i / 3] * plait_vec3_dot(v + i, v + i);
        e.potential -= s->mass[i / 3] * plait_vec3_dot(s->gravity, b->state + i);
    }
    return e;
}

// Cloth and solids differ in their elements alone.
#define ROW(name_)                                                                                                     \
    {                                                                                                                  \
        .name = name_, .free = release, .attach = attach, .follow = follow_carriers, .load = load,             \
        .trace = trace, .nodes = nodes,                                                                                \
        .velocities = velocities, .predict = plait_soft_predict, .linearise = plait_soft_linearise,                    \
        .stiffen = plait_soft_stiffen, .strike = plait_soft_strike, .rebound = plait_soft_rebound,                     \
        .balance = plait_soft_balance, .press = plait_soft_press, .limb = limb, .move = move,                          \
        .point_velocity = point_velocity,                                                                              \
        .fastest = fastest, .doubt = doubt, .accept = accept, .shift = shift, .energy = energy,                        \
        .account = plait_soft_account                                                                                  \
    }
const plait_body_type plait_body_cloth = ROW("cloth");
const plait_body_type plait_body_solid = ROW("solid");
#undef ROW
