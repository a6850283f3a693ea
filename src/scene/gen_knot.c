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
    const plait_gen_range ranges[] = {{"size", o->size, 0, 1e6, true}, {"length", o->length, 0, 1e6, true}, {0}};
    const plait_gen_vector vectors[] = {{"axis", o->axis, axis}, {"centre", o->centre, NULL}, {0}};
    plait_status status = plait_gen_check("knot", scene, style, vectors, NULL, ranges, error);
    if (status == PLAIT_OK && (style->natural == PLAIT_GEN_CURL || style->natural == PLAIT_GEN_WAVE))
        return plait_error_set(error, PLAIT_BAD_INPUT,
                               "knot: its natural shape may be straight, drawn or a curvature, not a curl or a wave");
    return status;
}

// ---- n turns --------------------------------------------------------------------------------------------------------

// Along x the first strand comes in below, the second out of the loop above; they twist about each other by 2 n + 1
// half turns, so that the first goes out above, into the loop, and the second below: a torus knot of 2 n + 1
// crossings whose loop is drawn large. `apart`: half the distance of their centrelines.
typedef struct wound {
    double apart, half, size, tail; // [m] half the length of the braid, radius of the loop, length of an end
    double turn;                    // half turns times pi, with the sign of the twist
} wound;

enum { STRAND = 200, ARC = 120 };

static int put(double *x, int n, double a, double b, double c)
{
    x[3 * n] = a, x[3 * n + 1] = b, x[3 * n + 2] = c;
    return n + 1;
}

static int put_braid(const wound *w, double *x, int n, double sign)
{
    for (int i = 0; i < STRAND; i++) {
        double s = (double)i / (STRAND - 1), phi = w->turn * s * s * (3 - 2 * s); // straight where they meet the rest
        n = put(x, n, w->half * (2 * s - 1), sign * w->apart * cos(phi), sign * w->apart * sin(phi));
    }
    return n;
}

static int draw_wound(const wound *w, double *x)
{
    int n = put(x, 0, -w->half - w->tail, -w->apart, 0);
    n = put_braid(w, x, n, -1);
    for (int side = 0; side < 2; side++)
        for (int i = 1; i < ARC; i++) {
            double t = M_PI * i / ARC;
            double out = w->half + w->size * sin(t), up = w->apart + w->size * (1 - cos(side ? M_PI - t : t));
            n = put(x, n, side ? -out : out, up, 0);
        }
    n = put_braid(w, x, n, 1);
    return put(x, n, w->half + w->tail, -w->apart, 0);
}

static plait_status wind(const plait_gen_knot_options *o, double r, int *points, double **out, plait_error *error)
{
    int crossings = 2 * o->turns + 1;
    wound w = {.apart = 1.15 * r, .size = o->size, .turn = (o->mirror ? -M_PI : M_PI) * crossings};
    w.half = crossings * 6 * w.apart; // a half turn in twelve radii or so
    double *x = *out = malloc(3 * (2 * STRAND + 2 * ARC + 2) * sizeof *x);
    if (!x)
        return plait_gen_no_memory("knot", error);
    *points = draw_wound(&w, x);
    double core = plait_gen_polyline_length(*points, x);
    w.tail = (o->length - core) / 2;
    if (!(w.tail > 0) || !(o->size > 4 * r))
        return plait_error_set(
            error, PLAIT_BAD_INPUT,
            "knot: %d turns with a loop of the radius %g m take %g m of fibre of the contact radius %g m, "
            "and a loop of four of these; a length of more is expected, found %g m",
            o->turns, o->size, core, r, o->length);
    *points = draw_wound(&w, x);
    return PLAIT_OK;
}

// Into the world, resampled, as a fibre.
static plait_status add(plait_scene *scene, const plait_gen_style *style, const plait_gen_knot_options *o,
                        const double axis[3], double unit, int points, double *x, plait_error *error)
{
    double a[3], b[3];
    plait_gen_basis(axis, NULL, a, b);
    for (int i = 0; i < points; i++) {
        double p[3] = {x[3 * i], x[3 * i + 1], x[3 * i + 2]};
        for (int c = 0; c < 3; c++)
            x[3 * i + c] = o->centre[c] + unit * (p[0] * axis[c] + p[1] * a[c] + p[2] * b[c]);
    }
    plait_gen_strand strand = {0};
    int segments = style->segments > 0 ? style->segments : 100;
    bool ok = plait_gen_draw(style, style->phase, 0, points, x, segments, &strand) &&
              plait_gen_add(scene, style, &strand) >= 0;
    plait_gen_strand_free(&strand);
    return ok ? PLAIT_OK : plait_gen_no_memory("knot", error);
}

plait_status plait_gen_knot(plait_scene *scene, const plait_gen_style *style, const plait_gen_knot_options *o,
                            plait_error *error)
{
    double axis[3];
    plait_status status = check(scene, style, o, axis, error);
    if (status != PLAIT_OK)
        return status;
    double unit = o->size / 2, r = plait_gen_contact_radius(scene, style->material);
    if (o->turns > 0) {
        double *line = NULL;
        int points = 0;
        status = wind(o, r, &points, &line, error);
        if (status == PLAIT_OK)
            status = add(scene, style, o, axis, 1, points, line, error);
        free(line);
        return status;
    }
    double *x = malloc(6 * POINTS * sizeof *x), *work = x + 3 * POINTS;
    if (!x)
        return plait_gen_no_memory("knot", error);
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
    if (status == PLAIT_OK)
        status = add(scene, style, o, axis, unit, POINTS, x, error);
    free(x);
    return status;
}
