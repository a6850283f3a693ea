// cap.c: a ponytail's hair between the scalp and the tie.
//
// Where all hair is rooted in one small place on a head, what is simulated begins at the tie. The hair that leads there
// is drawn here, and only drawn: strands from all over the scalp that follow the head's surface. Seen from a point c in
// the head, a strand goes from its direction to that of the tie along a great circle, at the distance of the surface
// plus a little; the scalp is what lies above a hairline.
#include <math.h>
#include <stdlib.h>

#include "math/quat.h"
#include "math/vec3.h"
#include "render/render.h"

enum { STRANDS = 12000, SPREAD = 18000, NODES = PLAIT_CAP_NODES };

typedef struct head {
    double centre[3], size; // [m] size: about half its width
    double tie[3], end[3];  // where hair comes together, and a little farther along the tail
    double back[3], up[3];  // unit
    plait_tracer *tracer;
} head;

// Place of a point of the world in the body's frame.
static void to_local(const double pose[7], const double x[3], double out[3])
{
    double R[9], d[3];
    plait_quat_matrix(pose + 3, R);
    plait_vec3_sub(x, pose, d);
    plait_mat3_apply_transposed(R, d, out);
}

static bool find_tie(const plait_trajectory_info *info, const plait_look *look, const double *x, const double pose[7],
                     head *h, double *spread)
{
    double mean[3] = {0}, ahead[3] = {0};
    int count = 0;
    for (int i = 0; i < info->fibres; i++)
        if (look[i].hair && info->first[i + 1] - info->first[i] >= 2) {
            const double *root = x + 3 * (size_t)info->first[i];
            plait_vec3_axpy(1, root, mean);
            plait_vec3_axpy(1, root + 3, ahead);
            count++;
        }
    if (count < 2)
        return false;
    for (int k = 0; k < 3; k++) {
        mean[k] /= count;
        ahead[k] /= count;
    }
    *spread = 0;
    for (int i = 0; i < info->fibres; i++)
        if (look[i].hair) {
            double d[3];
            plait_vec3_sub(x + 3 * (size_t)info->first[i], mean, d);
            *spread = fmax(*spread, plait_vec3_norm(d));
        }
    to_local(pose, mean, h->tie);
    to_local(pose, ahead, h->end);
    return true;
}

// The middle of the skull: as far below the top as it is wide.
static bool find_head(const plait_shape *s, const double pose[7], const double up[3], head *h)
{
    double top = -INFINITY, wide[2], side[3], zero[3] = {0}, tip[3], origin[3];
    to_local(pose, up, tip);
    to_local(pose, zero, origin);
    plait_vec3_sub(tip, origin, h->up);
    for (int i = 0; i < s->points; i++)
        top = fmax(top, plait_vec3_dot(h->up, s->point + 3 * (size_t)i));
    // Width across the direction of the tie, which is found from the mean of the vertices first.
    double mean[3] = {0};
    for (int i = 0; i < s->points; i++)
        plait_vec3_axpy(1.0 / s->points, s->point + 3 * (size_t)i, mean);
    for (int round = 0; round < 2; round++) {
        plait_vec3_sub(h->tie, round ? h->centre : mean, h->back);
        if (!(plait_vec3_orthonormalise(h->up, h->back) > 0))
            return false;
        plait_vec3_cross(h->up, h->back, side);
        double back[2] = {INFINITY, -INFINITY};
        wide[0] = INFINITY, wide[1] = -INFINITY;
        for (int i = 0; i < s->points; i++) {
            const double *p = s->point + 3 * (size_t)i;
            if (round && plait_vec3_dot(h->up, p) < top - 1.5 * h->size)
                continue; // the neck
            wide[0] = fmin(wide[0], plait_vec3_dot(side, p)), wide[1] = fmax(wide[1], plait_vec3_dot(side, p));
            back[0] = fmin(back[0], plait_vec3_dot(h->back, p)), back[1] = fmax(back[1], plait_vec3_dot(h->back, p));
        }
        h->size = (wide[1] - wide[0]) / 2;
        for (int k = 0; k < 3; k++)
            h->centre[k] = side[k] * (wide[0] + wide[1]) / 2 + h->back[k] * (back[0] + back[1]) / 2 +
                           h->up[k] * (top - 1.05 * h->size);
    }
    return h->size > 0;
}

static double surface(const head *h, const double d[3])
{
    plait_hit hit;
    return plait_tracer_hit(h->tracer, f3_from(h->centre), f3_from(d), &hit) ? hit.t : h->size;
}

// From direction a to b, unit ones.
static void great_circle(const double a[3], const double b[3], double t, double out[3])
{
    double c = fmin(fmax(plait_vec3_dot(a, b), -1), 1), angle = acos(c), s = sin(angle);
    for (int k = 0; k < 3; k++)
        out[k] = s > 1e-6 ? (sin((1 - t) * angle) * a[k] + sin(t * angle) * b[k]) / s : b[k];
    plait_vec3_normalise(out);
}

static void lay_strand(const head *h, const double from[3], uint32_t key, float *x)
{
    double to[3], arm[3];
    plait_vec3_sub(h->tie, h->centre, arm);
    plait_vec3_copy(arm, to);
    double far = plait_vec3_normalise(to);
    double height = h->size * (0.008 + 0.045 * plait_hash_unit(key)), jitter[3];
    for (int k = 0; k < 3; k++)
        jitter[k] = 0.07 * h->size * (plait_hash_unit(key + 1 + (uint32_t)k) - 0.5);
    for (int n = 0; n < NODES; n++) {
        double t = (double)n / (NODES - 2), d[3];
        great_circle(from, to, fmin(t, 1), d);
        // Near the tie it leaves the head.
        double leave = fmin(fmax((t - 0.6) / 0.4, 0), 1);
        leave *= leave * (3 - 2 * leave);
        double r = (1 - leave) * (surface(h, d) + height * fmin(1, 0.4 + 2 * t)) + leave * far;
        for (int k = 0; k < 3; k++) {
            double p = h->centre[k] + r * d[k] + leave * jitter[k];
            x[3 * n + k] = (float)(n == NODES - 1 ? h->end[k] + jitter[k] : p);
        }
    }
}

static bool load_head(head *h, const plait_shape *s, plait_error *error)
{
    float *x = malloc(3 * (size_t)s->points * sizeof *x);
    h->tracer = plait_tracer_new(error);
    bool ok = x && h->tracer;
    if (ok) {
        for (int i = 0; i < 3 * s->points; i++)
            x[i] = (float)s->point[i];
        plait_tracer_clear(h->tracer);
        ok = plait_tracer_add_triangles(h->tracer, s->points, x, s->triangles, s->triangle) >= 0 &&
             plait_tracer_commit(h->tracer, error) == PLAIT_OK;
    }
    free(x);
    return ok;
}

// The hairline as an elevation [degrees] over the azimuth from the front: over the forehead, back at the temples, down
// in front of the ears, round them, and down to the nape.
bool plait_cap_above(const double up[3], const double back[3], const double d[3], double fringe)
{
    static const double line[][2] = {{0, 23},  {30, 25},  {48, 21},   {64, 2},    {76, -20}, {86, -20},
                                     {94, -2}, {106, -4}, {116, -22}, {135, -38}, {180, -44}};
    double behind = plait_vec3_dot(back, d), height = fmin(fmax(plait_vec3_dot(up, d), -1), 1);
    double azimuth = acos(fmin(fmax(-behind / fmax(sqrt(1 - height * height), 1e-9), -1), 1)) * 180 / M_PI;
    int k = 0;
    while (line[k + 1][0] < azimuth && k < 9)
        k++;
    double part = fmin((azimuth - line[k][0]) / (line[k + 1][0] - line[k][0]), 1);
    double edge = line[k][1] + part * (line[k + 1][1] - line[k][1]);
    return asin(height) > edge * M_PI / 180 + fringe;
}

bool plait_cap_find(plait_cap *cap, const plait_trajectory_info *info, const plait_look *look,
                    const plait_trajectory_frame *frame, const double up[3], int body)
{
    const plait_shape *s = body >= 0 && body < info->colliders ? &info->collider[body].shape : NULL;
    head h = {0};
    double spread;
    if (!s || s->kind != PLAIT_SHAPE_MESH || s->triangles < 1 || info->collider[body].animated)
        return true;
    const double *pose = frame->collider_pose + 7 * (size_t)body;
    if (!find_tie(info, look, frame->position, pose, &h, &spread) || !find_head(s, pose, up, &h))
        return true;
    double arm[3];
    plait_vec3_sub(h.tie, h.centre, arm);
    // Anything but a bunch at the back of a head: hair that grows all over it, a tail of something else.
    if (spread > 0.4 * h.size || plait_vec3_norm(arm) > 2.5 * h.size || plait_vec3_norm(arm) < 0.7 * h.size)
        return true;
    cap->x = malloc((size_t)STRANDS * NODES * 3 * sizeof *cap->x);
    bool ok = cap->x && load_head(&h, s, NULL);
    for (int i = 0; i < SPREAD && ok && cap->strands < STRANDS; i++) {
        // Directions on a spiral of equal areas, a little disturbed; less than two thirds of them are of the scalp.
        uint32_t key = plait_hash((uint32_t)i + 4242u) * 8u;
        double z = 1 - (2 * i + 1.0) / SPREAD, q = sqrt(1 - z * z), phi = 2.399963229728653 * i, d[3];
        plait_vec3_set(d, q * cos(phi), q * sin(phi), z);
        for (int k = 0; k < 3; k++)
            d[k] += 0.03 * (plait_hash_unit(key + 5 + (uint32_t)k) - 0.5);
        plait_vec3_normalise(d);
        if (plait_cap_above(h.up, h.back, d, 0.05 * plait_hash_unit(key)))
            lay_strand(&h, d, key, cap->x + (size_t)cap->strands++ * NODES * 3);
    }
    cap->body = body;
    plait_tracer_free(h.tracer);
    return ok;
}

bool plait_cap_add(plait_strands *s, const plait_cap *cap, const double pose[7], double radius, plait_f3 colour)
{
    double R[9];
    if (cap->strands == 0)
        return true;
    if (!plait_strands_grow(s, cap->strands, NODES))
        return false;
    plait_quat_matrix(pose + 3, R);
    for (int i = 0; i < cap->strands; i++) {
        float xyzr[4 * NODES];
        for (int n = 0; n < NODES; n++) {
            const float *x = cap->x + ((size_t)i * NODES + (size_t)n) * 3;
            double local[3] = {x[0], x[1], x[2]}, world[3];
            plait_mat3_apply(R, local, world);
            for (int k = 0; k < 3; k++)
                xyzr[4 * n + k] = (float)(pose[k] + world[k]);
            xyzr[4 * n + 3] = (float)radius;
        }
        plait_strands_put(s, NODES, xyzr, plait_strands_vary(colour, 1000000 + i / 24, i, true), (uint32_t)i + 99u);
    }
    return true;
}

void plait_cap_free(plait_cap *cap)
{
    free(cap->x);
    *cap = (plait_cap){0};
}
