// gen_knot.c: an open overhand knot.
//
// Seen along z it is Shastri's polynomial trefoil, (t^3 - 3t, t^4 - 4t^2): crossings at t = +-1.932 with -+0.518, and
// +-1.732 with each other. From |t| = 2 on it lies outside of everything else in x: from there each end may leave along
// x. z is an odd polynomial that goes over and under in turn, by about the same at each crossing. The line is then
// rounded off with the ends held, as long as strands keep their distance.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "math/vec3.h"
#include "scene/gen_common.h"

enum { CORE = 160, TAIL = 60, POINTS = CORE + 2 * TAIL + 1, ROUNDS = 400 };

plait_gen_knot_options plait_gen_default_knot(void)
{
    return (plait_gen_knot_options){.axis = {1, 0, 0}, .size = 0.02, .length = 0.3};
}

// The knot in its own units (x from -2 to 2), with ends out to +-reach.
static void draw(double reach, bool mirror, double *x)
{
    const double flat[3] = {1, 0.55, mirror ? -0.5 : 0.5};
    for (int i = 0; i <= CORE; i++) {
        double t = -2 + 4.0 * i / CORE,
               p[3] = {t * t * t - 3 * t, t * t * (t * t - 4) + 2, t * (t * t - 1.44) * (t * t - 3.4)};
        for (int c = 0; c < 3; c++)
            x[3 * (TAIL + i) + c] = flat[c] * p[c];
    }
    for (int e = 0; e < 2; e++) {
        const double *last = x + 3 * (e ? TAIL + CORE : TAIL);
        for (int i = 1; i <= TAIL; i++) {
            double *p = x + 3 * (e ? TAIL + CORE + i : TAIL - i), s = (double)i / TAIL, down = 1 - s * s * (3 - 2 * s);
            p[0] = (e ? 1 : -1) * (2 + (reach - 2) * s);
            p[1] = down * last[1];
            p[2] = down * last[2];
        }
    }
}

// Least distance of points that are farther than `apart` along the curve.
static double clearance(const double *x, double apart)
{
    double s[POINTS] = {0}, least = INFINITY, d[3];
    for (int i = 1; i < POINTS; i++) {
        plait_vec3_sub(x + 3 * i, x + 3 * (i - 1), d);
        s[i] = s[i - 1] + plait_vec3_norm(d);
    }
    for (int i = 0; i < POINTS; i++)
        for (int j = i + 1; j < POINTS; j++) {
            plait_vec3_sub(x + 3 * i, x + 3 * j, d);
            if (s[j] - s[i] > apart)
                least = fmin(least, plait_vec3_norm(d));
        }
    return least;
}

// Rounds the curve off; stops before strands come nearer than `keep`.
static void smooth(double keep, double *x, double *next)
{
    memcpy(next, x, 3 * POINTS * sizeof *x);
    for (int k = 0; k < ROUNDS; k++) {
        for (int i = 1; i + 1 < POINTS; i++)
            for (int c = 0; c < 3; c++)
                next[3 * i + c] = 0.5 * x[3 * i + c] + 0.25 * (x[3 * (i - 1) + c] + x[3 * (i + 1) + c]);
        if (clearance(next, 2 * keep) < keep)
            return;
        memcpy(x, next, 3 * POINTS * sizeof *x);
    }
}

static plait_status check(const plait_scene *scene, const plait_gen_style *style, const plait_gen_knot_options *o,
                          double axis[3], plait_error *error)
{
    const plait_gen_range ranges[] = {{"size", o->size, 0, 1e6, true}, {"length", o->length, 0, 1e6, true}};
    plait_status status = plait_gen_check_style("knot", scene, style, error);
    if (status == PLAIT_OK)
        status = plait_gen_check_vector("knot", "axis", o->axis, axis, error);
    if (status == PLAIT_OK)
        status = plait_gen_check_vector("knot", "centre", o->centre, NULL, error);
    if (status == PLAIT_OK)
        status = plait_gen_check_ranges("knot", 2, ranges, error);
    if (status == PLAIT_OK && (style->natural == PLAIT_GEN_CURL || style->natural == PLAIT_GEN_WAVE))
        return plait_error_set(error, PLAIT_BAD_INPUT,
                               "knot: its natural shape may be straight, drawn or a curvature, not a curl or a wave");
    return status;
}

plait_status plait_gen_knot(plait_scene *scene, const plait_gen_style *style, const plait_gen_knot_options *o,
                            plait_error *error)
{
    double axis[3], a[3], b[3];
    plait_status status = check(scene, style, o, axis, error);
    if (status != PLAIT_OK)
        return status;
    double *x = malloc(6 * POINTS * sizeof *x), *work = x + 3 * POINTS;
    if (!x)
        return plait_gen_no_memory("knot", error);
    double unit = o->size / 2, r = plait_gen_contact_radius(scene, style->material);
    draw(3, o->mirror, x);
    smooth(0.8, x, work);
    double core = plait_gen_polyline_length(POINTS, x) * unit, rest = (o->length - core) / 2 + unit;
    if (!(rest > unit)) {
        free(x);
        return plait_error_set(error, PLAIT_BAD_INPUT,
                               "knot: a knot of half width %g m takes %g m of fibre; a length of more than that is "
                               "expected, found %g m",
                               o->size, core, o->length);
    }
    for (int k = 0; k < 6; k++) { // ends are not straight where they leave, and rounding off takes some
        draw(2 + rest / unit, o->mirror, x);
        smooth(0.8, x, work);
        rest += (o->length - plait_gen_polyline_length(POINTS, x) * unit) / 2;
    }
    double clear = clearance(x, 1.6) * unit;
    if (!(clear > 2.2 * r))
        status = plait_error_set(error, PLAIT_BAD_INPUT,
                                 "knot: strands of the contact radius %g m come as near as %g m; use a size of more "
                                 "than %g m",
                                 r, clear, o->size * 2.3 * r / clear);
    plait_gen_basis(axis, NULL, a, b);
    for (int i = 0; i < POINTS; i++) {
        double p[3] = {x[3 * i], x[3 * i + 1], x[3 * i + 2]};
        for (int c = 0; c < 3; c++)
            x[3 * i + c] = o->centre[c] + unit * (p[0] * axis[c] + p[1] * a[c] + p[2] * b[c]);
    }
    plait_gen_strand strand = {0};
    int segments = style->segments > 0 ? style->segments : 100;
    if (status == PLAIT_OK && (!plait_gen_draw(style, style->phase, 0, POINTS, x, segments, &strand) ||
                               plait_gen_add(scene, style, &strand) < 0))
        status = plait_gen_no_memory("knot", error);
    plait_gen_strand_free(&strand);
    free(x);
    return status;
}
