// corde_pose.c: configurations of a CoRdE rod, and its ends.
#include <string.h>

#include "base/elementary.h"
#include "body/bdf2.h"
#include "body/corde.h"
#include "math/quat.h"

static const double TWO_PI = 6.28318530717958647693;
static const double FOLDED = 5e-8; // squared cosine of half the turning angle below which a hinge counts as folded

bool plait_corde_strain(const double p[4], double expected, corde_hinge *h)
{
    double m2 = p[2] * p[2] + p[3] * p[3];
    if (!(m2 > FOLDED * plait_quat_dot(p, p)))
        return false;
    double twist = 2 * plait_atan2(p[2], p[3]), turns = nearbyint((expected - twist) / TWO_PI);
    // A full turn of twist changes the sign of p (it is half a turn of the mean frame).
    double sign = fmod(fabs(turns), 2) == 1 ? -1 : 1, s = 2 * sign / sqrt(m2);
    for (int k = 0; k < 4; k++)
        h->p[k] = sign * p[k];
    plait_vec3_set(h->u, s * p[0], s * p[1], twist + TWO_PI * turns);
    return true;
}

static bool measure(const plait_corde *c, corde_pose *p, const corde_hinge *expected)
{
    for (int i = 0; i <= c->n; i++) {
        if (!plait_corde_has_hinge(c, i))
            continue;
        double between[4];
        plait_quat_between(p->q + 4 * i, p->q + 4 * (i + 1), between);
        if (!plait_corde_strain(between, expected[i].u[2], &p->hinge[i]))
            return false;
    }
    return true;
}

// ---- ends --------------------------------------------------------------------------------------------------------

static void end_quaternion(const plait_end *end, double q[4])
{
    double R[9], m2[3];
    plait_vec3_cross(end->tangent, end->director, m2);
    plait_mat3_set_column(R, 0, end->director);
    plait_mat3_set_column(R, 1, m2);
    plait_mat3_set_column(R, 2, end->tangent);
    plait_quat_from_matrix(R, q);
}

static void hold(plait_corde *c, int node, const double position[3], unsigned slide)
{
    for (int k = 0; k < 3; k++) {
        if (slide >> k & 1u)
            continue;
        c->chain.fixed[6 * node + k] = 1;
        c->chain.target[6 * node + k] = position[k] - c->x[3 * node + k];
    }
}

static void hold_edge(plait_corde *c, int e, const plait_end *end, const double *q)
{
    int edge = e ? c->n - 1 : 0;
    double other[3], between[4], length = c->rest[edge];
    for (int k = 0; k < 3; k++)
        other[k] = end->position[k] + (e ? -length : length) * end->tangent[k];
    hold(c, e ? c->n - 1 : 1, other, 0);
    const double *now = c->q + 4 * edge, back[4] = {-now[0], -now[1], -now[2], now[3]};
    plait_quat_multiply(q, back, between);
    plait_quat_log(between, c->chain.target + 6 * edge + 3);
    for (int k = 0; k < 3; k++)
        c->chain.fixed[6 * edge + 3 + k] = 1;
}

static void set_ends(plait_rod *rod)
{
    plait_corde *c = rod->impl;
    memset(c->chain.fixed, 0, (size_t)rod->dofs);
    memset(c->chain.target, 0, (size_t)rod->dofs * sizeof *c->chain.target);
    for (int e = 0; e < 2; e++) {
        const plait_end *end = &rod->end[e];
        double q[4] = {0, 0, 0, 1};
        c->clamped[e] = end->kind == PLAIT_END_CLAMPED;
        if (end->kind == PLAIT_END_CLAMPED || end->kind == PLAIT_END_EDGE)
            end_quaternion(end, q);
        memcpy(c->now.q + 4 * (e ? c->n + 1 : 0), q, sizeof q);
        memcpy(c->trial.q + 4 * (e ? c->n + 1 : 0), q, sizeof q);
        if (end->kind != PLAIT_END_FREE)
            hold(c, e ? c->n : 0, end->position, end->kind == PLAIT_END_EDGE ? 0 : end->slide);
        if (end->kind == PLAIT_END_EDGE)
            hold_edge(c, e, end, q);
    }
}

// ---- configurations ----------------------------------------------------------------------------------------------

// Where the directors of edge j would go on: d + (d - d before), d before = exp(-dt w) d. (d + dt w x d would leave out
// half of the gyroscopic torque.)
// A step of BDF2: vhat of the directors (bdf2.h), whose velocities are w x d.
static void set_goal(const plait_rod *rod, int j)
{
    plait_corde *c = rod->impl;
    const plait_bdf2 *s = rod->second;
    double back[3], e[4], B[9], *goal = c->goal + 6 * j, ago = s ? s->dt : c->dt;
    const double *w = s ? s->bar + 6 * j + 3 : c->w + 3 * j;
    for (int k = 0; k < 3; k++)
        back[k] = -ago * w[k];
    plait_quat_exp(back, e);
    plait_quat_matrix(e, B);
    for (int k = 0; k < 2; k++) {
        double d[3], before[3];
        plait_mat3_column(c->now.R + 9 * j, k, d);
        plait_mat3_apply(B, d, before);
        for (int i = 0; i < 3; i++)
            goal[3 * k + i] = 2 * d[i] - before[i];
        if (!s)
            continue;
        double now[3], then[3];
        plait_vec3_cross(s->v0 + 6 * j + 3, d, now);
        plait_vec3_cross(s->before + 6 * j + 3, before, then);
        for (int i = 0; i < 3; i++)
            goal[3 * k + i] = d[i] + c->dt * (s->ratio * (d[i] - before[i]) / ago +
                                              s->beta * (s->a0 * now[i] - s->a1 * then[i]));
    }
}

void plait_corde_start(plait_rod *rod, double dt)
{
    plait_corde *c = rod->impl;
    corde_pose *p = &c->now;
    c->dt = dt;
    memset(p->delta, 0, (size_t)rod->dofs * sizeof *p->delta);
    memset(p->turn, 0, 3 * (size_t)c->n * sizeof *p->turn);
    memcpy(p->q + 4, c->q, 4 * (size_t)c->n * sizeof *p->q);
    for (int j = 0; j < c->n; j++) {
        plait_chain_edge *edge = &p->edge[j];
        plait_vec3_sub(c->x + 3 * (j + 1), c->x + 3 * j, edge->t);
        plait_vec3_copy(edge->t, c->start_edge + 3 * j);
        edge->length = c->start_length[j] = plait_vec3_normalise(edge->t);
        plait_quat_matrix(p->q + 4 * (j + 1), p->R + 9 * j);
        set_goal(rod, j);
    }
    set_ends(rod);
    for (int i = 0; i <= c->n; i++) {
        memset(&p->hinge[i], 0, sizeof p->hinge[i]);
        p->hinge[i].u[2] = c->twist[i];
    }
    measure(c, p, p->hinge);
    for (int i = 0; i <= c->n; i++)
        plait_vec3_copy(p->hinge[i].u, c->start_u + 3 * i);
}

// q <- q turned. Curved: the spin about d3 first, then the part across, so that d3 goes where the edge goes.
static void turn_quaternion(const double *turn, const double *d3, bool curved, const double *from, double *q)
{
    double e[4], across[3];
    plait_vec3_copy(turn, across);
    if (curved) {
        double spin = plait_vec3_dot(turn, d3), about[3] = {spin * d3[0], spin * d3[1], spin * d3[2]};
        plait_vec3_axpy(-spin, d3, across);
        plait_quat_exp(about, e);
        plait_quat_multiply(e, from, q);
        from = q;
    }
    plait_quat_exp(across, e);
    plait_quat_multiply(e, from, q);
    plait_quat_normalise(q);
}

bool plait_corde_try(plait_rod *rod, double alpha, bool curved)
{
    plait_corde *c = rod->impl;
    corde_pose *p = &c->trial;
    const corde_pose *now = &c->now;
    const double *step = c->chain.step;
    if (curved)
        plait_chain_curve(&c->chain, c->n, 6, now->edge, c->start_edge, now->delta, alpha, p->delta);
    for (int i = 0; !curved && i <= c->n; i++)
        for (int k = 0; k < 3; k++)
            p->delta[6 * i + k] = now->delta[6 * i + k] + alpha * step[6 * i + k];
    for (int j = 0; j < c->n; j++) {
        plait_chain_edge *edge = &p->edge[j];
        double *turn = p->turn + 3 * j, *q = p->q + 4 * (j + 1), d3[3];
        for (int k = 0; k < 3; k++) {
            edge->t[k] = c->start_edge[3 * j + k] + (p->delta[6 * j + 6 + k] - p->delta[6 * j + k]);
            turn[k] = alpha * step[6 * j + 3 + k];
        }
        edge->length = plait_vec3_normalise(edge->t);
        if (!(edge->length > 1e-6 * c->rest[j]) || !(edge->length < 1e12 * c->rest[j]))
            return false;
        plait_mat3_column(now->R + 9 * j, 2, d3);
        turn_quaternion(turn, d3, curved, now->q + 4 * (j + 1), q);
        plait_quat_matrix(q, p->R + 9 * j);
    }
    return measure(c, p, now->hinge);
}

void plait_corde_take(plait_rod *rod)
{
    plait_corde *c = rod->impl;
    corde_pose swap = c->now;
    c->now = c->trial;
    c->trial = swap;
    memset(c->now.turn, 0, 3 * (size_t)c->n * sizeof *c->now.turn);
}

double plait_corde_turn(const plait_rod *rod)
{
    const plait_corde *c = rod->impl;
    double worst = 0;
    for (int j = 0; j < c->n; j++) {
        double change[3];
        plait_vec3_sub(c->chain.step + 6 * j + 6, c->chain.step + 6 * j, change);
        worst = fmax(worst, plait_vec3_norm(change) / c->now.edge[j].length);
        worst = fmax(worst, plait_vec3_norm(c->chain.step + 6 * j + 3));
    }
    return worst;
}

double plait_corde_stretch(const plait_corde *c, const corde_pose *pose)
{
    double worst = 0;
    for (int j = 0; j < c->n; j++)
        worst = fmax(worst, fabs(pose->edge[j].length / c->rest[j] - 1));
    return worst;
}
