// der_pose.c: frames and strains of a configuration.
//
// A vector a normal to t is carried to t' by a - (a . t') / (1 + t . t') (t + t'), the shortest rotation from t to t'.
#include <string.h>

#include "base/elementary.h"
#include "body/der.h"
#include "math/vec3.h"

static const double TWO_PI = 6.28318530717958647693;
static const double FOLDED = 1e-7; // 1 + cos of the turning angle below which a hinge counts as folded

static void carry(const double t[3], const double to[3], const double a[3], double b[3])
{
    double chi = 1 + plait_vec3_dot(t, to);
    if (chi < 1e-12) {
        plait_vec3_transport(t, to, a, b);
        return;
    }
    double k = plait_vec3_dot(a, to) / chi;
    for (int i = 0; i < 3; i++)
        b[i] = a[i] - k * (t[i] + to[i]);
}

// Strains of the hinge between two edges. On entry the last strain is the expected twist: the angle is only known up
// to full turns. False if it is folded.
static bool measure(const plait_der_edge *a, const plait_der_edge *b, plait_der_hinge *h)
{
    double chi = 1 + plait_vec3_dot(a->t, b->t);
    h->chi = chi;
    if (!(chi > FOLDED))
        return false;
    plait_vec3_cross(a->t, b->t, h->kb);
    for (int k = 0; k < 3; k++)
        h->kb[k] *= 2 / chi;
    h->strain[0] = plait_vec3_dot(h->kb, a->m2), h->strain[1] = -plait_vec3_dot(h->kb, a->m1);
    h->strain[2] = plait_vec3_dot(h->kb, b->m2), h->strain[3] = -plait_vec3_dot(h->kb, b->m1);
    // The first director of a, carried to b, in the frame of b.
    double k = plait_vec3_dot(a->m1, b->t) / chi;
    double c = plait_vec3_dot(a->m1, b->m1) - k * plait_vec3_dot(a->t, b->m1);
    double s = k * plait_vec3_dot(a->t, b->m2) - plait_vec3_dot(a->m1, b->m2);
    double turn = plait_atan2(s, c) - h->strain[PLAIT_DER_TWIST];
    h->strain[PLAIT_DER_TWIST] += turn - TWO_PI * nearbyint(turn / TWO_PI);
    return true;
}

// ---- ends --------------------------------------------------------------------------------------------------------

static void hold_vertex(plait_der *d, int vertex, const double position[3], unsigned slide)
{
    for (int k = 0; k < 3; k++) {
        if (!(slide >> k & 1u)) {
            d->fixed[4 * vertex + k] = 1;
            d->target[4 * vertex + k] = position[k] - d->state.x[3 * vertex + k];
        }
    }
}

static void hold_edge(plait_der *d, int e, const plait_end *end)
{
    int edge = e ? d->n - 1 : 0, near = e ? d->n : 0, far = e ? d->n - 1 : 1;
    double other[3], t[3], m1[3], step = (e ? -1 : 1) * d->rest[edge];
    for (int k = 0; k < 3; k++)
        other[k] = end->position[k] + step * end->tangent[k];
    hold_vertex(d, near, end->position, 0);
    hold_vertex(d, far, other, 0);
    plait_vec3_sub(d->state.x + 3 * (edge + 1), d->state.x + 3 * edge, t);
    plait_vec3_normalise(t);
    carry(t, end->tangent, d->state.m1 + 3 * edge, m1);
    d->fixed[4 * edge + 3] = 1;
    d->target[4 * edge + 3] = plait_vec3_angle(m1, end->director, end->tangent);
}

void plait_der_ends_update(const plait_rod *rod)
{
    plait_der *d = rod->impl;
    memset(d->fixed, 0, (size_t)rod->dofs);
    for (int e = 0; e < 2; e++) {
        const plait_end *end = &rod->end[e];
        if (end->kind == PLAIT_END_PINNED || end->kind == PLAIT_END_CLAMPED)
            hold_vertex(d, e ? d->n : 0, end->position, end->slide);
        else if (end->kind == PLAIT_END_EDGE)
            hold_edge(d, e, end);
        bool clamped = end->kind == PLAIT_END_CLAMPED;
        if (clamped && !d->clamped[e]) { // a new clamp: it has not been turned yet
            plait_vec3_copy(end->tangent, d->state.ghost + 6 * e);
            plait_vec3_copy(end->director, d->state.ghost + 6 * e + 3);
            d->state.twist[e ? d->n : 0] = 0;
        }
        d->clamped[e] = clamped;
    }
}

static void set_ghost(plait_der_edge *g, const double t[3], const double m1[3])
{
    plait_vec3_copy(t, g->t);
    plait_vec3_copy(m1, g->m1);
    plait_vec3_cross(t, m1, g->m2);
    g->length = 1;
}

// Strains before the clamps move are what viscosity compares with; then the clamps go to where the ends say.
static void move_ghost(const plait_rod *rod, int e)
{
    plait_der *d = rod->impl;
    int i = e ? d->n : 0;
    plait_der_edge *g = &d->now.edge[e ? d->n + 1 : 0];
    plait_der_hinge *h = &d->now.hinge[i];
    const plait_end *end = &rod->end[e];
    double carried[3];
    carry(g->t, end->tangent, g->m1, carried);
    double turn = plait_vec3_angle(carried, end->director, end->tangent);
    h->strain[PLAIT_DER_TWIST] += e ? turn : -turn;
    set_ghost(g, end->tangent, end->director);
    measure(&d->now.edge[i], &d->now.edge[i + 1], h);
}

// ---- poses -------------------------------------------------------------------------------------------------------

void plait_der_pose_start(const plait_rod *rod)
{
    plait_der *d = rod->impl;
    plait_der_pose *p = &d->now;
    const plait_der_state *s = &d->state;
    int n = d->n;
    plait_der_ends_update(rod);
    memset(p->delta, 0, (size_t)rod->dofs * sizeof *p->delta);
    for (int j = 0; j < n; j++) {
        plait_der_edge *edge = &p->edge[j + 1];
        plait_vec3_sub(s->x + 3 * (j + 1), s->x + 3 * j, edge->t);
        plait_vec3_copy(edge->t, d->old_edge + 3 * j);
        edge->length = d->old_length[j] = plait_vec3_normalise(edge->t);
        plait_vec3_copy(s->m1 + 3 * j, edge->m1);
        plait_vec3_cross(edge->t, edge->m1, edge->m2);
    }
    for (int e = 0; e < 2; e++)
        set_ghost(&p->edge[e ? n + 1 : 0], s->ghost + 6 * e, s->ghost + 6 * e + 3);
    for (int i = 0; i <= n; i++) {
        plait_der_hinge *h = &p->hinge[i];
        *h = (plait_der_hinge){.chi = 2};
        h->strain[PLAIT_DER_TWIST] = s->twist[i];
        if ((i > 0 || d->clamped[0]) && (i < n || d->clamped[1]))
            measure(&p->edge[i], &p->edge[i + 1], h);
        memcpy(d->old_strain + PLAIT_DER_STRAINS * i, h->strain, sizeof h->strain);
    }
    for (int e = 0; e < 2; e++)
        if (d->clamped[e]) {
            move_ghost(rod, e);
            memcpy(d->turned_strain[e], p->hinge[e ? n : 0].strain, sizeof d->turned_strain[e]);
        }
}

// Frames and strains of `trial` at trial.delta. False: a hinge folded or an edge vanished.
static bool complete_trial(const plait_rod *rod)
{
    plait_der *d = rod->impl;
    const plait_der_pose *now = &d->now;
    plait_der_pose *p = &d->trial;
    int n = d->n;
    for (int j = 0; j < n; j++) {
        const plait_der_edge *from = &now->edge[j + 1];
        plait_der_edge *edge = &p->edge[j + 1];
        const double *delta = p->delta + 4 * j;
        double m1[3], m2[3], turn = delta[3] - now->delta[4 * j + 3];
        for (int k = 0; k < 3; k++)
            edge->t[k] = d->old_edge[3 * j + k] + (delta[4 + k] - delta[k]);
        edge->length = plait_vec3_normalise(edge->t);
        if (!(edge->length > 1e-6 * d->rest[j]) || !(edge->length < 1e12 * d->rest[j]))
            return false;
        carry(from->t, edge->t, from->m1, m1);
        plait_vec3_cross(edge->t, m1, m2);
        double c = plait_cos(turn), s = plait_sin(turn);
        for (int k = 0; k < 3; k++) {
            edge->m1[k] = c * m1[k] + s * m2[k];
            edge->m2[k] = c * m2[k] - s * m1[k];
        }
    }
    p->edge[0] = now->edge[0];
    p->edge[n + 1] = now->edge[n + 1];
    for (int i = 0; i <= n; i++) {
        plait_der_hinge *h = &p->hinge[i];
        *h = now->hinge[i];
        bool first = i == 0, last = i == n;
        if ((first && !d->clamped[0]) || (last && !d->clamped[1]))
            continue;
        int q = 4 * i;
        h->strain[PLAIT_DER_TWIST] +=
            (last ? 0 : p->delta[q + 3] - now->delta[q + 3]) - (first ? 0 : p->delta[q - 1] - now->delta[q - 1]);
        if (!measure(&p->edge[i], &p->edge[i + 1], h))
            return false;
    }
    return true;
}

bool plait_der_pose_try(const plait_rod *rod, double alpha)
{
    plait_der *d = rod->impl;
    for (int i = 0; i < rod->dofs; i++)
        d->trial.delta[i] = d->now.delta[i] + alpha * d->step[i];
    return complete_trial(rod);
}

// The rotation vector that comes nearest to what the step does to the edges, in the sense of least squares. A little
// stiffness about every axis keeps a straight rod from being spun.
static void fit_rotation(const plait_der *d, double alpha, double w[3])
{
    double A[6] = {0}, b[3] = {0}; // xx, xy, xz, yy, yz, zz
    for (int j = 0; j < d->n; j++) {
        const plait_der_edge *edge = &d->now.edge[j + 1];
        const double *t = edge->t, *step = d->step + 4 * j;
        double change[3], moment[3];
        for (int k = 0; k < 3; k++)
            change[k] = alpha * (step[4 + k] - step[k]) / edge->length;
        plait_vec3_cross(t, change, moment);
        A[0] += 1 - t[0] * t[0], A[1] -= t[0] * t[1], A[2] -= t[0] * t[2];
        A[3] += 1 - t[1] * t[1], A[4] -= t[1] * t[2], A[5] += 1 - t[2] * t[2];
        plait_vec3_axpy(1, moment, b);
    }
    double small = 1e-6 * d->n;
    A[0] += small, A[3] += small, A[5] += small;
    // LDL^T of a positive definite 3 x 3 matrix
    double l1 = A[1] / A[0], l2 = A[2] / A[0], d1 = A[3] - l1 * A[1], l3 = (A[4] - l2 * A[1]) / d1;
    double d2 = A[5] - l2 * A[2] - l3 * l3 * d1, y1 = b[1] - l1 * b[0], y2 = b[2] - l2 * b[0] - l3 * y1;
    w[2] = y2 / d2;
    w[1] = y1 / d1 - l3 * w[2];
    w[0] = b[0] / A[0] - l1 * w[1] - l2 * w[2];
}

// x turned about the unit axis.
static void turn(const double axis[3], double c, double s, double x[3])
{
    double y[3], k = (1 - c) * plait_vec3_dot(axis, x);
    plait_vec3_cross(axis, x, y);
    for (int i = 0; i < 3; i++)
        x[i] = c * x[i] + s * y[i] + k * axis[i];
}

typedef struct rotation {
    double w[3];          // rotation vector
    double axis[3], c, s; // the same as axis, cosine and sine
} rotation;

// The new edge when the step is followed by turning instead of shearing. The rotation of the rod as a whole is taken
// out first and applied exactly; of the rest, what goes along the edge lengthens it and what goes across turns it on a
// great circle. *spin becomes the spin, beyond transport from the old edge, that the frame gets.
static void turn_edge(const plait_der_edge *edge, const double change[3], const rotation *r, double e[3], double *spin)
{
    double whole[3], rest[3], m1[3], t[3], carried[3];
    plait_vec3_cross(r->w, edge->t, whole);
    for (int k = 0; k < 3; k++)
        rest[k] = change[k] - edge->length * whole[k];
    double along = plait_vec3_dot(rest, edge->t);
    plait_vec3_axpy(-along, edge->t, rest);
    double size = plait_vec3_norm(rest), angle = size / edge->length, c = plait_cos(angle),
           s = size > 0 ? plait_sin(angle) / size : 0;
    for (int k = 0; k < 3; k++)
        t[k] = c * edge->t[k] + s * rest[k];
    carry(edge->t, t, edge->m1, m1);
    plait_vec3_turn_normal(t, m1, *spin - plait_vec3_dot(r->w, edge->t), m1);
    turn(r->axis, r->c, r->s, t);
    turn(r->axis, r->c, r->s, m1);
    for (int k = 0; k < 3; k++)
        e[k] = (edge->length + along) * t[k];
    carry(edge->t, t, edge->m1, carried);
    double full = plait_vec3_angle(carried, m1, t) - *spin;
    *spin += full - TWO_PI * nearbyint(full / TWO_PI);
}

// A few Gauss-Newton steps that give the edges of `trial` the lengths asked for, held vertices staying where they are.
// The small diagonal keeps a taut rod solvable, for which there is no such position.
static void restore_lengths(const plait_rod *rod, const double *length)
{
    plait_der *d = rod->impl;
    int n = d->n;
    // The second derivatives are factorised by now: their blocks serve as scratch.
    double *t = d->cross, *diagonal = d->spin, *below = diagonal + n, *pull = below + n, *delta = d->trial.delta;
    for (int pass = 0; pass < 3; pass++) {
        for (int j = 0; j < n; j++) {
            double *tj = t + 3 * j, *edge = delta + 4 * j;
            for (int k = 0; k < 3; k++)
                tj[k] = d->old_edge[3 * j + k] + (edge[4 + k] - edge[k]);
            pull[j] = plait_vec3_normalise(tj) - length[j];
            diagonal[j] = 1e-3, below[j] = 0;
            for (int k = 0; k < 3; k++) {
                double near = d->fixed[4 * j + k] ? 0 : 1, far = d->fixed[4 * j + 4 + k] ? 0 : 1;
                diagonal[j] += tj[k] * tj[k] * (near + far);
                below[j] -= j > 0 ? near * tj[k] * tj[k - 3] : 0;
            }
        }
        for (int j = 1; j < n; j++) {
            double f = below[j] / diagonal[j - 1];
            diagonal[j] -= f * below[j];
            pull[j] -= f * pull[j - 1];
        }
        for (int j = n - 1; j >= 0; j--)
            pull[j] = (pull[j] - (j + 1 < n ? below[j + 1] * pull[j + 1] : 0)) / diagonal[j];
        for (int j = 0; j < n; j++) {
            for (int k = 0; k < 3; k++) {
                delta[4 * j + k] += d->fixed[4 * j + k] ? 0 : pull[j] * t[3 * j + k];
                delta[4 * j + 4 + k] -= d->fixed[4 * j + 4 + k] ? 0 : pull[j] * t[3 * j + k];
            }
        }
    }
}

bool plait_der_pose_try_curved(const plait_rod *rod, double alpha)
{
    plait_der *d = rod->impl;
    int n = d->n;
    double *delta = d->trial.delta, miss[3] = {0};
    for (int i = 0; i < rod->dofs; i++)
        delta[i] = d->now.delta[i] + alpha * d->step[i];
    rotation whole;
    fit_rotation(d, alpha, whole.w);
    plait_vec3_copy(whole.w, whole.axis);
    double angle = plait_vec3_normalise(whole.axis);
    whole.c = plait_cos(angle), whole.s = plait_sin(angle);
    // Built up from a held end, so that it stays where it is.
    bool backward = !d->fixed[0] && !d->fixed[1] && !d->fixed[2] && d->fixed[4 * n];
    for (int i = 0; i < n; i++) {
        int j = backward ? n - 1 - i : i, from = backward ? j + 1 : j, to = backward ? j : j + 1;
        double change[3], e[3];
        for (int k = 0; k < 3; k++)
            change[k] = alpha * (d->step[4 * j + 4 + k] - d->step[4 * j + k]);
        if (d->fixed[4 * j] && d->fixed[4 * j + 4]) // a held edge goes where it is told
            for (int k = 0; k < 3; k++)
                e[k] = d->old_edge[3 * j + k] + delta[4 * j + 4 + k] - delta[4 * j + k];
        else {
            double spin = alpha * d->step[4 * j + 3];
            turn_edge(&d->now.edge[j + 1], change, &whole, e, &spin);
            if (!d->fixed[4 * j + 3])
                delta[4 * j + 3] = d->now.delta[4 * j + 3] + spin;
        }
        d->self[j] = plait_vec3_norm(e);
        for (int k = 0; k < 3; k++)
            delta[4 * to + k] = delta[4 * from + k] + (backward ? -1 : 1) * (e[k] - d->old_edge[3 * j + k]);
    }
    if (backward)
        return complete_trial(rod);
    // Where the other end is held too, what is missing is spread over the rod, and then the lengths are mended.
    int first = rod->end[0].kind == PLAIT_END_EDGE ? 1 : 0, last = rod->end[1].kind == PLAIT_END_EDGE ? n - 1 : n;
    for (int k = 0; k < 3; k++)
        if (d->fixed[4 * last + k])
            miss[k] = d->now.delta[4 * last + k] + alpha * d->step[4 * last + k] - delta[4 * last + k];
    for (int i = first + 1; i <= last; i++)
        for (int k = 0; k < 3; k++)
            delta[4 * i + k] += miss[k] * (i - first) / (last - first);
    if (miss[0] != 0 || miss[1] != 0 || miss[2] != 0)
        restore_lengths(rod, d->self);
    return complete_trial(rod);
}

void plait_der_pose_accept(plait_der *d)
{
    plait_der_pose swap = d->now;
    d->now = d->trial;
    d->trial = swap;
}

void plait_der_pose_respin(const plait_rod *rod)
{
    plait_der *d = rod->impl;
    for (int j = 0; j < d->n; j++) {
        const plait_der_edge *edge = &d->now.edge[j + 1];
        double t[3], carried[3], *spin = &d->now.delta[4 * j + 3];
        for (int k = 0; k < 3; k++)
            t[k] = d->old_edge[3 * j + k] / d->old_length[j];
        carry(t, edge->t, d->state.m1 + 3 * j, carried);
        double turn = plait_vec3_angle(carried, edge->m1, edge->t) - *spin;
        *spin += turn - TWO_PI * nearbyint(turn / TWO_PI);
    }
}

double plait_der_max_stretch(const plait_der *d, const plait_der_pose *pose)
{
    double worst = 0;
    for (int j = 0; j < d->n; j++)
        worst = fmax(worst, fabs(pose->edge[j + 1].length / d->rest[j] - 1));
    return worst;
}
