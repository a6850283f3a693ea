// rigid_curve.c: freely moving shapes against curves.
//
// A sphere or capsule touches a curve once for each local minimum of the distance along it. A box meets the nodes of
// the curve, and the inside of its links where it is nearer.
#include <math.h>

#include "collide/placed.h"
#include "collide/rigid.h"
#include "collide/sweep.h"
#include "math/mat3.h"
#include "shape/closest.h"

// The axis of a sphere or capsule in the world at the start and at the end.
static void axis_of(const plait_placed *placed, const plait_shape_support *s, double at[2][6])
{
    for (int time = 0; time < 2; time++)
        for (int end = 0; end < 2; end++)
            plait_mat3_affine(placed->R[time], s->ball[end ? s->balls - 1 : 0], placed->x[time], at[time] + 3 * end);
}

static void round_start(plait_duel *duel, const plait_strand *strand, const double axis[6], double radius)
{
    const plait_detector *d = duel->d;
    double limit = radius + strand->radius + 2 * d->reach, before = INFINITY, here, after = INFINITY, s, b;
    const double *x = d->x0 + 3 * (int64_t)strand->node;
    after = sqrt(plait_closest_segments(axis, axis + 3, x, x + 3, &s, &b));
    for (int k = 0; k < strand->links; k++, x += 3) {
        double s1 = 0, b1 = 0, at = s, along = b;
        here = after;
        after = INFINITY;
        if (k + 1 < strand->links)
            after = sqrt(plait_closest_segments(axis, axis + 3, x + 3, x + 6, &s1, &b1));
        if (here < limit && here < before && here <= after && here > 0) {
            double c[3], q[3], n[3];
            plait_lerp(axis, axis + 3, at, c);
            plait_lerp(x, x + 3, along, q);
            plait_vec3_sub(c, q, n);
            plait_vec3_normalise(n);
            plait_vec3_axpy(strand->radius, n, q);
            plait_rigid_emit(duel, 0, k, along, c, radius, q, n, false);
        }
        before = here;
        s = s1, b = b1;
    }
}

// The first link that is reached in the motion.
static void round_motion(plait_duel *duel, const plait_strand *strand, double axis[2][6], double radius)
{
    const plait_detector *d = duel->d;
    double wanted = (radius + strand->radius) * (d->crossing ? PLAIT_CROSSING : 1);
    plait_sweep best = {.time = 2}, sweep;
    int link = -1;
    for (int k = 0; k < strand->links; k++) {
        const double *x0 = d->x0 + 3 * (int64_t)(strand->node + k), *x1 = d->x1 + 3 * (int64_t)(strand->node + k);
        double s, b;
        if (sqrt(plait_closest_segments(axis[0], axis[0] + 3, x0, x0 + 3, &s, &b)) > wanted * 1.01 &&
            plait_sweep_segments(axis[0], axis[1], x0, x1, wanted, &sweep) && sweep.time < best.time)
            best = sweep, link = k;
    }
    if (link < 0)
        return;
    const double *x0 = d->x0 + 3 * (int64_t)(strand->node + link);
    double c[3], q[3];
    plait_lerp(axis[0], axis[0] + 3, best.a, c);
    plait_lerp(x0, x0 + 3, best.b, q);
    plait_vec3_axpy(strand->radius, best.normal, q);
    plait_rigid_emit(duel, 0, link, best.b, c, radius, q, best.normal, true);
}

// duel->ball is the curve, duel->other the box.
static void box_curve(plait_duel *duel, const plait_strand *strand)
{
    const plait_detector *d = duel->d;
    const plait_placed *curve = &d->placed[duel->ball], *box = &d->placed[duel->other];
    double limit = strand->radius + 2 * d->reach, before = INFINITY, n[3], local[3], end[3], normal[3];
    double marked = plait_larger(0.2 * d->reach, 1e-3 * duel->size);
    for (int k = 0; k < strand->nodes; k++) {
        const double *x = d->x0 + 3 * (int64_t)(strand->node + k);
        double here = plait_rigid_distance(duel, x, n), surface[3] = {x[0], x[1], x[2]};
        if (!d->crossing && here < limit) {
            plait_vec3_axpy(-here, n, surface);
            plait_rigid_emit(duel, k, 0, 0, x, strand->radius, surface, n, false);
        } else if (d->continuous) {
            plait_rigid_arrive(duel, k, curve->geometry->point0 + 3 * (int64_t)k, strand->radius);
        }
        plait_to_frame(box->R[0], box->x[0], x, end);
        double a,
            least = k && !d->crossing ? plait_shape_segment(box->geometry->shape, local, end, &a, normal) : INFINITY;
        if (least < limit && least < fmin(before, here) - marked && a > 0 && a < 1) {
            double y[3], centre[3];
            plait_lerp(x - 3, x, a, centre);
            plait_lerp(local, end, a, y);
            plait_vec3_axpy(-least, normal, y);
            plait_mat3_affine(box->R[0], y, box->x[0], surface);
            plait_mat3_apply(box->R[0], normal, n);
            plait_rigid_emit(duel, k - 1, 0, 0, centre, strand->radius, surface, n, false);
        }
        plait_vec3_copy(end, local);
        before = here;
    }
}

void plait_rigid_curve(plait_duel *duel)
{
    plait_detector *d = duel->d;
    plait_shape_support s;
    plait_rigid_support(&d->placed[duel->ball], &s);
    const plait_strand *strand = &d->strand[d->placed[duel->other].strand];
    if (s.radius == 0) {
        int box = duel->ball;
        duel->ball = duel->other, duel->other = box, duel->flipped = true;
        box_curve(duel, strand);
        return;
    }
    double axis[2][6];
    axis_of(&d->placed[duel->ball], &s, axis);
    if (!d->crossing)
        round_start(duel, strand, axis[0], s.radius);
    if (d->continuous && (d->crossing || !duel->count))
        round_motion(duel, strand, axis, s.radius);
}
