// gen_line.c: single fibres: straight, through points, helical.
#include <math.h>
#include <stdlib.h>

#include "base/elementary.h"
#include "math/vec3.h"
#include "scene/gen_common.h"

static const double PI = 3.14159265358979323846;

// One fibre on an axis; the length of the axis is what it is.
static plait_status add_on_axis(plait_scene *scene, const plait_gen_style *style, const char *generator, double phase,
                                int points, const double *axis, plait_error *error)
{
    plait_gen_strand strand;
    int segments = style->segments > 0 || points > 2 ? style->segments : 20;
    if (!plait_gen_draw(style, phase, 0, points, axis, segments, &strand))
        return plait_gen_no_memory(generator, error);
    segments = strand.nodes - 1;
    bool finer = strand.drawn_points > strand.nodes; // the rod cuts the line itself: it knows its directions and length
    if (finer) {
        double *x = strand.x;
        strand.x = strand.drawn, strand.drawn = x;
        strand.nodes = strand.drawn_points, strand.drawn_points = segments + 1;
    }
    int i = plait_gen_add(scene, style, &strand);
    if (i >= 0 && finer)
        scene->fibre[i].segments = segments;
    plait_gen_strand_free(&strand);
    return i < 0 ? plait_gen_no_memory(generator, error) : PLAIT_OK;
}

// ---- line --------------------------------------------------------------------------------------------------------

plait_gen_line_options plait_gen_default_line(void)
{
    return (plait_gen_line_options){.direction = {1, 0, 0}, .length = 0.1, .count = 1, .spacing = {0, 0.01, 0}};
}

plait_status plait_gen_line(plait_scene *scene, const plait_gen_style *style, const plait_gen_line_options *options,
                            plait_error *error)
{
    double direction[3];
    const plait_gen_vector vectors[] = {{"direction", options->direction, direction},
                                        {"first point", options->from, NULL},
                                        {"spacing", options->spacing, NULL},
                                        {0}};
    const plait_gen_count counts[] = {{"count", options->count, 1, 10000000}, {0}};
    const plait_gen_range ranges[] = {{"length", options->length, 0, 1e6, true}, {0}};
    plait_status status = plait_gen_check("line", scene, style, vectors, counts, ranges, error);
    int before = scene->fibres;
    for (int i = 0; status == PLAIT_OK && i < options->count; i++) {
        plait_rng rng = plait_rng_new(style->seed, (uint64_t)i);
        double axis[6], d[3], whole = plait_gen_length(style, options->length, &rng);
        double phase = style->phase + style->jitter_phase * plait_rng_between(&rng, -1, 1);
        plait_vec3_copy(direction, d);
        plait_gen_jitter(&rng, style->jitter_direction, d);
        plait_vec3_copy(options->from, axis);
        plait_vec3_axpy(i, options->spacing, axis);
        plait_vec3_copy(axis, axis + 3);
        plait_vec3_axpy(plait_gen_axis_length(style, whole), d, axis + 3);
        status = add_on_axis(scene, style, "line", phase, 2, axis, error);
    }
    if (status != PLAIT_OK)
        plait_gen_drop(scene, before);
    return status;
}

// ---- polyline ----------------------------------------------------------------------------------------------------

plait_gen_polyline_options plait_gen_default_polyline(void)
{
    return (plait_gen_polyline_options){0};
}

enum { SMOOTH = 16 }; // pieces between two points

// Catmull-Rom between b and c, with a before and d behind them.
static void spline(const double *a, const double *b, const double *c, const double *d, double t, double x[3])
{
    for (int k = 0; k < 3; k++) {
        double m0 = (c[k] - a[k]) / 2, m1 = (d[k] - b[k]) / 2, s = 1 - t;
        x[k] = s * s * (1 + 2 * t) * b[k] + t * t * (3 - 2 * t) * c[k] + t * s * s * m0 - t * t * s * m1;
    }
}

plait_status plait_gen_polyline(plait_scene *scene, const plait_gen_style *style,
                                const plait_gen_polyline_options *options, plait_error *error)
{
    const plait_gen_count counts[] = {{"number of points", options->points, 2, 10000000}, {0}};
    plait_status status = plait_gen_check("polyline", scene, style, NULL, counts, NULL, error);
    for (int i = 0; status == PLAIT_OK && i < options->points; i++) {
        const plait_gen_vector point[] = {{"every point", options->point + 3 * i, NULL}, {0}};
        status = plait_gen_check("polyline", NULL, NULL, point, NULL, NULL, error);
    }
    if (status != PLAIT_OK)
        return status;
    int n = options->points;
    const double *p = options->point;
    if (!(plait_gen_polyline_length(n, p) > 0))
        return plait_error_set(error, PLAIT_BAD_INPUT, "polyline: all %d points are at one place", n);
    if (!options->smooth)
        return add_on_axis(scene, style, "polyline", style->phase, n, p, error);
    int fine = SMOOTH * (n - 1);
    double *x = malloc(3 * ((size_t)fine + 1) * sizeof *x);
    if (!x)
        return plait_gen_no_memory("polyline", error);
    for (int i = 0; i <= fine; i++) {
        int k = i < fine ? i / SMOOTH : n - 2;
        const double *a = p + 3 * (k > 0 ? k - 1 : k), *b = p + 3 * k, *c = b + 3,
                     *d = p + 3 * (k + 2 < n ? k + 2 : k + 1);
        spline(a, b, c, d, (i - SMOOTH * k) / (double)SMOOTH, x + 3 * i);
    }
    plait_gen_style drawn = *style;
    if (drawn.segments == 0)
        drawn.segments = n - 1;
    status = add_on_axis(scene, &drawn, "polyline", style->phase, fine + 1, x, error);
    free(x);
    return status;
}

// ---- helix -------------------------------------------------------------------------------------------------------

plait_gen_helix_options plait_gen_default_helix(void)
{
    return (plait_gen_helix_options){.axis = {0, 0, 1}, .radius = 0.01, .pitch = 0.01, .turns = 3};
}

static void helix_point(const plait_gen_helix_options *o, const double axis[3], const double a[3], const double b[3],
                        double angle, double x[3])
{
    plait_vec3_copy(o->from, x);
    plait_vec3_axpy(o->radius * plait_cos(o->phase + angle), a, x);
    plait_vec3_axpy(copysign(o->radius, o->pitch) * plait_sin(o->phase + angle), b, x);
    plait_vec3_axpy(fabs(o->pitch) * angle / (2 * PI), axis, x);
}

plait_status plait_gen_helix(plait_scene *scene, const plait_gen_style *style, const plait_gen_helix_options *o,
                             plait_error *error)
{
    double axis[3], a[3], b[3];
    const plait_gen_range ranges[] = {{"radius", o->radius, 0, 1e6, true},
                                      {"pitch", fabs(o->pitch), 0, 1e6, false},
                                      {"number of turns", o->turns, 0, 1e5, true},
                                      {"phase", o->phase, -1e6, 1e6, false},
                                      {"lead", o->lead, 0, 1e6, false},
                                      {0}};
    const plait_gen_vector vectors[] = {{"axis", o->axis, axis}, {"first point", o->from, NULL}, {0}};
    plait_status status = plait_gen_check("helix", scene, style, vectors, NULL, ranges, error);
    if (status != PLAIT_OK)
        return status;
    if (style->natural == PLAIT_GEN_CURL || style->natural == PLAIT_GEN_WAVE)
        return plait_error_set(
            error, PLAIT_BAD_INPUT,
            "helix: it is drawn as a helix; its natural shape may be straight, drawn or a curvature");
    plait_gen_basis(axis, NULL, a, b);
    int fine = 64 * (int)ceil(o->turns), lead = o->lead > 0;
    double *x = malloc(3 * ((size_t)fine + 3) * sizeof *x);
    if (!x)
        return plait_gen_no_memory("helix", error);
    for (int i = 0; i <= fine; i++)
        helix_point(o, axis, a, b, 2 * PI * o->turns * i / fine, x + 3 * (i + lead));
    int points = fine + 1 + 2 * lead;
    for (int e = 0; lead && e < 2; e++) { // tangents by differences: the pieces are short
        const double *last = x + 3 * (e ? points - 2 : 1), *inner = x + 3 * (e ? points - 3 : 2);
        double *out = x + 3 * (e ? points - 1 : 0), t[3];
        plait_vec3_sub(last, inner, t);
        plait_vec3_normalise(t);
        plait_vec3_copy(last, out);
        plait_vec3_axpy(o->lead, t, out);
    }
    plait_gen_style drawn = *style;
    if (drawn.segments == 0)
        drawn.segments = 20;
    status = add_on_axis(scene, &drawn, "helix", style->phase, points, x, error);
    free(x);
    return status;
}
