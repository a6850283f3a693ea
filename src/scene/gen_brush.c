// gen_brush.c: rods that stand off a cylinder, evenly spread: bristles of a brush, hair on a roller.
//
// Root i of n is at the height (i + 1/2) / n of the band and at the part i g mod 1 of the sector, g the golden ratio.
// Whatever the shape of the band, no two of them are nearer than the square root of 3/4 of the area that each of
// them has: multiples k g are never nearer to a whole number than (3 - sqrt 5) / 2 / k, and x^2 + y^2 >= 2 x y.
#include <math.h>
#include <stdlib.h>

#include "base/elementary.h"
#include "math/quat.h"
#include "math/vec3.h"
#include "scene/gen_common.h"
#include "scene/gen_groom.h"

static const double PI = 3.14159265358979323846;

plait_gen_brush_options plait_gen_default_brush(void)
{
    return (plait_gen_brush_options){
        .count = 100, .length = 0.04, .sector = 2 * 3.14159265358979323846, .towards = {0, 0, -1}, .gap = 1};
}

typedef struct roller {
    double x[3], axis[3], out[3], across[3]; // the middle; out: into the middle of the sector
    double radius, width;
    bool parallel;
    double direction[3];
} roller;

static plait_status check(const plait_scene *scene, const plait_gen_style *style, const plait_gen_brush_options *o,
                          roller *r, plait_error *error)
{
    const plait_gen_range ranges[] = {{"length", o->length, 0, 1e6, true},
                                      {"width", o->width, 0, 1e6, false},
                                      {"sector", o->sector, 0, 2 * PI * (1 + 1e-9), true},
                                      {"gap", o->gap, 0, 1e6, false},
                                      {0}};
    const plait_gen_vector vectors[] = {
        {"middle of the sector", o->towards, r->out}, {"direction", o->direction, NULL}, {0}};
    const plait_gen_count counts[] = {
        {"collider", o->collider, 0, scene->colliders - 1}, {"count", o->count, 1, 1000000}, {0}};
    plait_status status = plait_gen_check("brush", scene, style, vectors, counts, ranges, error);
    if (status != PLAIT_OK)
        return status;
    r->parallel = plait_vec3_norm(o->direction) > 0;
    const plait_gen_vector along[] = {{"direction", o->direction, r->direction}, {0}};
    if (r->parallel)
        status = plait_gen_check("brush", NULL, NULL, along, NULL, NULL, error);
    const plait_collider *c = &scene->collider[o->collider];
    if (c->shape.kind != PLAIT_SHAPE_CYLINDER && c->shape.kind != PLAIT_SHAPE_CAPSULE)
        return plait_error_set(error, PLAIT_BAD_INPUT, "brush: '%s' must be a cylinder or a capsule", c->name);
    double q[4], R[9];
    plait_quat_exp(c->rotation, q);
    plait_quat_matrix(q, R);
    plait_vec3_copy(c->position, r->x);
    for (int k = 0; k < 3; k++)
        r->axis[k] = R[3 * k + 2];
    plait_gen_basis(r->axis, o->towards, r->out, r->across);
    r->radius = c->shape.size[0];
    r->width = o->width > 0 ? o->width : 2 * c->shape.size[1];
    if (r->width > 2 * c->shape.size[1] * (1 + 1e-9))
        return plait_error_set(error, PLAIT_BAD_INPUT, "brush: a band of %g m does not fit on '%s', which is %g m long",
                               r->width, c->name, 2 * c->shape.size[1]);
    return status;
}

// Root and direction of one rod. False: it would go into the cylinder.
static bool place(const plait_gen_style *style, const plait_gen_brush_options *o, const roller *r, int i, double off,
                  plait_rng *rng, double root[3], double direction[3])
{
    const double golden = 0.61803398874989484820;
    double part = i * golden - floor(i * golden), angle = o->sector * (part - 0.5 + 0.5 / o->count), normal[3];
    for (int k = 0; k < 3; k++)
        normal[k] = plait_cos(angle) * r->out[k] + plait_sin(angle) * r->across[k];
    plait_vec3_copy(r->x, root);
    plait_vec3_axpy(r->width * ((i + 0.5) / o->count - 0.5), r->axis, root);
    plait_vec3_axpy(r->radius + off, normal, root);
    plait_vec3_copy(r->parallel ? r->direction : normal, direction);
    plait_gen_jitter(rng, style->jitter_direction, direction);
    return plait_vec3_dot(direction, normal) > -1e-9;
}

// Two rods that are nearer than `distance`, or -1. They are sorted along the axis, each reaches at most `reach`.
static int find_overlap(int count, const double *line, const double axis[3], double reach, double distance, int *other)
{
    for (int i = 0; i < count; i++) {
        const double *p = line + 6 * i;
        for (int j = i + 1; j < count; j++) {
            const double *q = line + 6 * j;
            double d[3], a, b;
            plait_vec3_sub(q, p, d);
            if (plait_vec3_dot(d, axis) > 2 * reach + distance)
                break;
            if (plait_gen_segment_distance(p, p + 3, q, q + 3, &a, &b) < distance) {
                *other = j;
                return i;
            }
        }
    }
    return -1;
}

plait_status plait_gen_brush(plait_scene *scene, const plait_gen_style *style, const plait_gen_brush_options *o,
                             plait_error *error)
{
    roller r;
    plait_status status = check(scene, style, o, &r, error);
    double *line = status == PLAIT_OK ? malloc(6 * (size_t)o->count * sizeof *line) : NULL;
    if (status != PLAIT_OK)
        return status;
    if (!line)
        return plait_gen_no_memory("brush", error);
    plait_gen_style rooted = plait_gen_rooted(style, o->collider);
    double contact = plait_gen_contact_radius(scene, style->material), reach = 0, wide = 0;
    if (style->natural == PLAIT_GEN_CURL)
        wide = style->drawn * style->curl_radius;
    else if (style->natural == PLAIT_GEN_WAVE)
        wide = style->wave_amplitude;
    int before = scene->fibres;
    for (int i = 0; status == PLAIT_OK && i < o->count; i++) {
        plait_rng rng = plait_rng_new(style->seed, (uint64_t)i);
        double *p = line + 6 * i, d[3], whole = plait_gen_length(style, o->length, &rng);
        double length = plait_gen_axis_length(style, whole);
        double phase = style->phase + style->jitter_phase * plait_rng_between(&rng, -1, 1);
        if (!place(style, o, &r, i, contact * (1 + o->gap), &rng, p, d))
            status = plait_error_set(error, PLAIT_BAD_INPUT, "brush: rod %d would go into '%s'", i,
                                     scene->collider[o->collider].name);
        plait_vec3_copy(p, p + 3);
        plait_vec3_axpy(length, d, p + 3);
        reach = fmax(reach, length * fabs(plait_vec3_dot(d, r.axis)));
        double ramp = style->natural == PLAIT_GEN_CURL ? fabs(style->curl_pitch) : style->wave_length;
        int segments = style->segments > 0 ? style->segments : 20;
        plait_gen_strand strand;
        if (status != PLAIT_OK)
            break;
        if (!plait_gen_draw(style, phase, fmin(ramp, length / 2), 2, p, segments, &strand))
            status = plait_gen_no_memory("brush", error);
        else if (plait_gen_add(scene, &rooted, &strand) < 0)
            status = plait_gen_no_memory("brush", error);
        plait_gen_strand_free(&strand);
    }
    int j = -1, i = status == PLAIT_OK ? find_overlap(o->count, line, r.axis, reach, 2 * (contact + wide), &j) : -1;
    if (i >= 0)
        status = plait_error_set(error, PLAIT_BAD_INPUT,
                                 "brush: rods %d and %d are nearer than their contact diameter%s, %g m; there are too "
                                 "many of them, or they lean into each other",
                                 i, j, wide > 0 ? " with their curls" : "", 2 * (contact + wide));
    if (status != PLAIT_OK)
        plait_gen_drop(scene, before);
    free(line);
    return status;
}
