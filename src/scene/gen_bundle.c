// gen_bundle.c: packs of parallel rods: bundles around an axis, spaghetti above a plate.
//
// Rods keep their distance in every section across the axis: a pack that spreads grows in proportion, and one that is
// bent has concentric arcs, whose distance is that of their places.
#include <math.h>
#include <stdlib.h>

#include "base/elementary.h"
#include "math/vec3.h"
#include "scene/gen_common.h"

static const double PI = 3.14159265358979323846;
enum { PIECES = 64, DARTS = 20000 };

// ---- places ------------------------------------------------------------------------------------------------------

// Random places in a disc, none nearer than `distance`: darts. False: the disc is full.
static bool throw_darts(int count, double distance, double radius, uint64_t seed, double *xy)
{
    plait_rng rng = plait_rng_new(seed, UINT64_MAX);
    for (int i = 0; i < count; i++) {
        int tries = 0;
        bool free_place = false;
        while (!free_place && tries++ < DARTS) {
            double r = radius * sqrt(plait_rng_uniform(&rng)), angle = 2 * PI * plait_rng_uniform(&rng);
            xy[2 * i] = r * plait_cos(angle), xy[2 * i + 1] = r * plait_sin(angle);
            free_place = true;
            for (int j = 0; free_place && j < i; j++)
                free_place = hypot(xy[2 * i] - xy[2 * j], xy[2 * i + 1] - xy[2 * j + 1]) >= distance;
        }
        if (!free_place)
            return false;
    }
    return true;
}

static plait_status add_strand(plait_scene *scene, const plait_gen_style *style, const char *generator, double phase,
                               int points, const double *axis, plait_error *error)
{
    plait_gen_strand strand;
    if (!plait_gen_draw(style, phase, 0, points, axis, style->segments > 0 ? style->segments : 20, &strand))
        return plait_gen_no_memory(generator, error);
    int i = plait_gen_add(scene, style, &strand);
    plait_gen_strand_free(&strand);
    return i < 0 ? plait_gen_no_memory(generator, error) : PLAIT_OK;
}

// ---- bundle ------------------------------------------------------------------------------------------------------

plait_gen_bundle_options plait_gen_default_bundle(void)
{
    return (plait_gen_bundle_options){.count = 7, .axis = {0, 0, -1}, .length = 0.1, .gap = 0.1};
}

// Axis of one rod: place (x, y) at the start, growing and turning along the way.
static void bundle_axis(const plait_gen_bundle_options *o, const double axis[3], const double xy[2], double length,
                        double grow, double *x)
{
    double a[3], b[3];
    plait_gen_basis(axis, NULL, a, b);
    for (int i = 0; i <= PIECES; i++) {
        double s = (double)i / PIECES, scale = 1 + grow * s * length / o->length, turn = o->twist * s;
        double u = scale * (plait_cos(turn) * xy[0] - plait_sin(turn) * xy[1]),
               v = scale * (plait_sin(turn) * xy[0] + plait_cos(turn) * xy[1]);
        plait_vec3_copy(o->from, x + 3 * i);
        plait_vec3_axpy(u, a, x + 3 * i);
        plait_vec3_axpy(v, b, x + 3 * i);
        plait_vec3_axpy(s * length, axis, x + 3 * i);
    }
}

static plait_status check_bundle(const plait_scene *scene, const plait_gen_style *style,
                                 const plait_gen_bundle_options *o, double axis[3], plait_error *error)
{
    const plait_gen_range ranges[] = {{"length", o->length, 0, 1e6, true},   {"gap", o->gap, 0, 1e6, false},
                                      {"radius", o->radius, 0, 1e6, false},  {"spread", o->spread, 0, 1.4, false},
                                      {"twist", o->twist, -1e3, 1e3, false}, {0}};
    const plait_gen_vector vectors[] = {{"axis", o->axis, axis}, {"first point", o->from, NULL}, {0}};
    const plait_gen_count counts[] = {{"count", o->count, 1, 1000000}, {0}};
    return plait_gen_check("bundle", scene, style, vectors, counts, ranges, error);
}

plait_status plait_gen_bundle(plait_scene *scene, const plait_gen_style *style, const plait_gen_bundle_options *o,
                              plait_error *error)
{
    double axis[3], x[3 * (PIECES + 1)];
    plait_status status = check_bundle(scene, style, o, axis, error);
    double *xy = status == PLAIT_OK ? malloc(2 * (size_t)o->count * sizeof *xy) : NULL;
    if (status != PLAIT_OK)
        return status;
    // A curl or wave in step with all others takes no more room than its strand; out of step it takes its width.
    double r = plait_gen_contact_radius(scene, style->material), wide = 0;
    if (style->jitter_phase > 0)
        wide = style->natural == PLAIT_GEN_CURL   ? style->drawn * style->curl_radius
               : style->natural == PLAIT_GEN_WAVE ? style->wave_amplitude
                                                  : 0;
    double distance = 2 * (r + wide) * (1 + o->gap);
    if (!xy || !plait_gen_hexagonal(o->count, distance, xy)) {
        free(xy);
        return plait_gen_no_memory("bundle", error);
    }
    double radius = plait_gen_pack_radius(o->count, xy), disc = o->radius > 0 ? o->radius : 1.6 * radius;
    if (o->packing == PLAIT_GEN_RANDOM && !throw_darts(o->count, distance, disc, style->seed, xy))
        status = plait_error_set(error, PLAIT_BAD_INPUT,
                                 "bundle: %d rods do not fit at random into a disc of radius %g m; a hexagonal pack "
                                 "takes %g m",
                                 o->count, disc, radius);
    double largest = plait_gen_pack_radius(o->count, xy);
    double grow = largest > 0 ? o->length * plait_tan(o->spread) / largest : 0;
    int before = scene->fibres;
    for (int i = 0; status == PLAIT_OK && i < o->count; i++) {
        plait_rng rng = plait_rng_new(style->seed, (uint64_t)i);
        double length = plait_gen_axis_length(style, plait_gen_length(style, o->length, &rng));
        double phase = style->phase + style->jitter_phase * plait_rng_between(&rng, -1, 1);
        bundle_axis(o, axis, xy + 2 * i, length, grow, x);
        status = add_strand(scene, style, "bundle", phase, PIECES + 1, x, error);
    }
    if (status != PLAIT_OK)
        plait_gen_drop(scene, before);
    free(xy);
    return status;
}

// ---- spaghetti ---------------------------------------------------------------------------------------------------

plait_gen_spaghetti_options plait_gen_default_spaghetti(void)
{
    return (plait_gen_spaghetti_options){
        .count = 31, .height = 0.02, .direction = {0, 0, 1}, .length = 0.25, .gap = 0.1, .bend_plane = {1, 0, 0}};
}

// One rod: place (u towards the bend, v across), shifted along itself; an arc about a common centre.
static void spaghetti_axis(const plait_gen_spaghetti_options *o, double u, double v, double length, double shift,
                           double *x)
{
    for (int i = 0; i <= PIECES; i++) {
        double s = length * ((double)i / PIECES - 0.5) + shift, *p = x + 3 * i;
        if (fabs(o->bend) < 1e-9) {
            p[0] = u, p[1] = v, p[2] = s;
        } else {
            double R = o->length / o->bend, angle = s / (R - u);
            p[0] = R - (R - u) * plait_cos(angle), p[1] = v, p[2] = (R - u) * plait_sin(angle);
        }
    }
}

static plait_status check_spaghetti(const plait_scene *scene, const plait_gen_style *style,
                                    const plait_gen_spaghetti_options *o, double frame[9], plait_error *error)
{
    const plait_gen_range ranges[] = {
        {"length", o->length, 0, 1e6, true},    {"gap", o->gap, 0, 1e6, false},
        {"height", o->height, 0, 1e6, false},   {"bend", o->bend, -6, 6, false},
        {"stagger", o->stagger, 0, 1e6, false}, {"tilt", o->tilt, -PI, PI, false}, {0}};
    double *t = frame + 6, towards[3];
    const plait_gen_vector vectors[] = {
        {"direction", o->direction, t},
        {"plane of the bend", o->bend_plane, towards},
        {"centre", o->centre, NULL},
        {0},
    };
    const plait_gen_count counts[] = {{"count", o->count, 1, 1000000}, {0}};
    plait_status status = plait_gen_check("spaghetti", scene, style, vectors, counts, ranges, error);
    if (status != PLAIT_OK)
        return status;
    plait_gen_basis(t, towards, frame, frame + 3);
    double c = plait_cos(o->tilt), s = plait_sin(o->tilt);
    for (int i = 0; i < 3; i++) {
        double a = frame[i], d = t[i];
        frame[i] = c * a - s * d;
        t[i] = c * d + s * a;
    }
    return PLAIT_OK;
}

// Moves fibres from `before` on so that their lowest surface is at its height above the plate.
static void lift(plait_scene *scene, const plait_gen_spaghetti_options *o, int before, double radius)
{
    double lowest = INFINITY, up[3] = {0, 0, 0};
    for (int i = before; i < scene->fibres; i++)
        for (int k = 0; k < scene->fibre[i].points; k++)
            lowest = fmin(lowest, scene->fibre[i].point[3 * k + 2]);
    up[2] = o->height + radius - lowest;
    for (int i = before; i < scene->fibres; i++)
        for (int k = 0; k < scene->fibre[i].points; k++) {
            plait_vec3_axpy(1, up, scene->fibre[i].point + 3 * k);
            plait_vec3_axpy(1, o->centre, scene->fibre[i].point + 3 * k);
        }
}

plait_status plait_gen_spaghetti(plait_scene *scene, const plait_gen_style *style, const plait_gen_spaghetti_options *o,
                                 plait_error *error)
{
    double frame[9], local[3 * (PIECES + 1)], x[3 * (PIECES + 1)];
    plait_status status = check_spaghetti(scene, style, o, frame, error);
    if (status != PLAIT_OK)
        return status;
    double r = plait_gen_contact_radius(scene, style->material), *xy = malloc(2 * (size_t)o->count * sizeof *xy);
    if (!xy || !plait_gen_hexagonal(o->count, 2 * r * (1 + o->gap), xy)) {
        free(xy);
        return plait_gen_no_memory("spaghetti", error);
    }
    if (fabs(o->bend) * plait_gen_pack_radius(o->count, xy) > 0.5 * o->length)
        status = plait_error_set(error, PLAIT_BAD_INPUT,
                                 "spaghetti: a pack of radius %g m cannot be bent by %g rad over %g m",
                                 plait_gen_pack_radius(o->count, xy), o->bend, o->length);
    int before = scene->fibres;
    for (int i = 0; status == PLAIT_OK && i < o->count; i++) {
        plait_rng rng = plait_rng_new(style->seed, (uint64_t)i);
        double length = plait_gen_axis_length(style, plait_gen_length(style, o->length, &rng));
        double phase = style->phase + style->jitter_phase * plait_rng_between(&rng, -1, 1);
        double shift = o->stagger * plait_rng_between(&rng, -1, 1);
        spaghetti_axis(o, xy[2 * i], xy[2 * i + 1], length, shift, local);
        for (int k = 0; k <= PIECES; k++)
            for (int c = 0; c < 3; c++)
                x[3 * k + c] =
                    local[3 * k] * frame[c] + local[3 * k + 1] * frame[3 + c] + local[3 * k + 2] * frame[6 + c];
        status = add_strand(scene, style, "spaghetti", phase, PIECES + 1, x, error);
    }
    if (status == PLAIT_OK)
        lift(scene, o, before, r);
    else
        plait_gen_drop(scene, before);
    free(xy);
    return status;
}
