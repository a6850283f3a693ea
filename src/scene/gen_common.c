// gen_common.c: what the generators share.
//
// A curl is a helix of radius a and rise c = pitch / 2 pi per radian about its axis: curvature a / (a^2 + c^2), twist
// c / (a^2 + c^2), sqrt(a^2 + c^2) of arc per radian. Drawn with a part d of it, the radius is d a and the rise is what
// keeps the arc per radian: the strand is a spring that is pulled out.
#include "scene/gen_common.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/elementary.h"
#include "math/vec3.h"

static const double PI = 3.14159265358979323846;
enum { FINE = 16 }; // axis steps per drawn segment

plait_gen_style plait_gen_default_style(void)
{
    return (plait_gen_style){
        .model = PLAIT_ROD_DER,
        .segments = 20,
        .attach = {-1, -1},
        .scale = 1,
        .curl_radius = 5e-3,
        .curl_pitch = 20e-3,
        .wave_amplitude = 3e-3,
        .wave_length = 30e-3,
        .drawn = 1,
        .hold = plait_default_hold_options(),
        .seed = 1,
    };
}

// ---- checks ------------------------------------------------------------------------------------------------------

static plait_status check_ranges(const char *generator, const plait_gen_range *r, plait_error *error)
{
    for (; r && r->what; r++)
        if (!(r->value <= r->max && (r->above ? r->value > r->min : r->value >= r->min)))
            return plait_error_set(error, PLAIT_BAD_INPUT, "%s: %s must be %s %g and at most %g, but is %g", generator,
                                   r->what, r->above ? "above" : "at least", r->min, r->max, r->value);
    return PLAIT_OK;
}

static plait_status check_counts(const char *generator, const plait_gen_count *c, plait_error *error)
{
    for (; c && c->what; c++)
        if (c->value < c->min || c->value > c->max)
            return plait_error_set(error, PLAIT_BAD_INPUT, "%s: %s must be between %d and %d, but is %d", generator,
                                   c->what, c->min, c->max, c->value);
    return PLAIT_OK;
}

static plait_status check_vectors(const char *generator, const plait_gen_vector *v, plait_error *error)
{
    for (; v && v->what; v++) {
        if (!plait_vec3_finite(v->x))
            return plait_error_set(error, PLAIT_BAD_INPUT, "%s: %s must be finite, but is (%g, %g, %g)", generator,
                                   v->what, v->x[0], v->x[1], v->x[2]);
        double scale = plait_vec3_largest(v->x);
        for (int i = 0; v->unit && i < 3; i++)
            v->unit[i] = scale > 0 ? v->x[i] / scale : 0;
        if (v->unit && !(plait_vec3_normalise(v->unit) > 0))
            return plait_error_set(error, PLAIT_BAD_INPUT, "%s: %s must have a direction, but is zero", generator,
                                   v->what);
    }
    return PLAIT_OK;
}

static plait_status check_natural(const char *generator, const plait_gen_style *style, plait_error *error)
{
    bool curl = style->natural == PLAIT_GEN_CURL, wave = style->natural == PLAIT_GEN_WAVE;
    const plait_gen_range ranges[] = {
        {"scale of the drawn curvature", style->scale, -1e3, 1e3, false},
        {"curl radius", curl ? style->curl_radius : 1, 0, 1e3, true},
        {"curl pitch", curl ? fabs(style->curl_pitch) : 1, 0, 1e3, false},
        {"drawn part of the curl", style->drawn, 0, 1, false},
        {"wave amplitude", wave ? style->wave_amplitude : 1, 0, 1e3, false},
        {"wave length", wave ? style->wave_length : 1, 0, 1e3, true},
        {"jitter of the length", style->jitter_length, 0, 0.95, false},
        {"jitter of the direction", style->jitter_direction, 0, PI, false},
        {"jitter of the phase", style->jitter_phase, 0, 1e3, false},
        {"phase", style->phase, -1e6, 1e6, false},
        {"first curvature", style->curvature[0], -1e9, 1e9, false},
        {"second curvature", style->curvature[1], -1e9, 1e9, false},
        {"twist", style->twist, -1e9, 1e9, false},
        {0},
    };
    plait_status status = check_ranges(generator, ranges, error);
    if (status == PLAIT_OK && curl && !(fabs(style->curl_pitch) > 0) && style->drawn > 0)
        return plait_error_set(error, PLAIT_BAD_INPUT,
                               "%s: a curl without pitch (a ring) cannot be drawn along an axis", generator);
    return status;
}

// Indices, ends and shape of a style in this scene.
static plait_status check_style(const char *generator, const plait_scene *scene, const plait_gen_style *style,
                                plait_error *error)
{
    if (!plait_rod_model_name(style->model))
        return plait_error_set(error, PLAIT_BAD_INPUT, "%s: unknown rod model %d", generator, (int)style->model);
    if (style->material < 0 || style->material >= scene->materials)
        return plait_error_set(error, PLAIT_BAD_INPUT, "%s: material %d is not one of the scene's %d", generator,
                               style->material, scene->materials);
    for (int i = 0; i < 2; i++)
        if (style->attach[i] < -1 || style->attach[i] >= scene->colliders)
            return plait_error_set(error, PLAIT_BAD_INPUT, "%s: end %d is attached to collider %d of %d", generator, i,
                                   style->attach[i], scene->colliders);
    if ((int)style->natural < 0 || style->natural > PLAIT_GEN_WAVE)
        return plait_error_set(error, PLAIT_BAD_INPUT, "%s: unknown natural shape %d", generator, (int)style->natural);
    const plait_gen_count segments[] = {{"segments", style->segments, 0, 1000000}, {0}};
    const plait_gen_vector vectors[] = {{"velocity", style->velocity, NULL}, {"spin", style->spin, NULL}, {0}};
    plait_section section;
    plait_status status = check_counts(generator, segments, error);
    if (status == PLAIT_OK)
        status = check_vectors(generator, vectors, error);
    if (status == PLAIT_OK)
        status = plait_material_section(&scene->material[style->material].rod, &section, error);
    return status == PLAIT_OK ? check_natural(generator, style, error) : status;
}

plait_status plait_gen_check(const char *generator, const plait_scene *scene, const plait_gen_style *style,
                             const plait_gen_vector *vector, const plait_gen_count *count, const plait_gen_range *range,
                             plait_error *error)
{
    plait_status status = style ? check_style(generator, scene, style, error) : PLAIT_OK;
    if (status == PLAIT_OK)
        status = check_vectors(generator, vector, error);
    if (status == PLAIT_OK)
        status = check_counts(generator, count, error);
    return status == PLAIT_OK ? check_ranges(generator, range, error) : status;
}

plait_gen_style plait_gen_rooted(const plait_gen_style *style, int collider)
{
    plait_gen_style rooted = *style;
    if (rooted.end[0] == PLAIT_END_FREE)
        rooted.end[0] = PLAIT_END_CLAMPED;
    if (rooted.attach[0] < 0)
        rooted.attach[0] = collider;
    return rooted;
}

plait_status plait_gen_no_memory(const char *generator, plait_error *error)
{
    return plait_error_set(error, PLAIT_NO_MEMORY, "%s: no memory", generator);
}

double plait_gen_contact_radius(const plait_scene *scene, int material)
{
    const plait_fibre_material *m = &scene->material[material];
    return m->contact_radius > 0 ? m->contact_radius : fmax(m->rod.radius[0], m->rod.radius[1]);
}

// ---- directions and polylines ------------------------------------------------------------------------------------

void plait_gen_basis(const double axis[3], const double *towards, double a[3], double b[3])
{
    if (towards)
        plait_vec3_copy(towards, a);
    if (!towards || !(plait_vec3_orthonormalise(axis, a) > 1e-9))
        plait_vec3_any_normal(axis, a);
    plait_vec3_cross(axis, a, b);
}

void plait_gen_jitter(plait_rng *rng, double angle, double unit[3])
{
    // Drawn even if not used, so that other choices do not shift the sequence.
    double by = angle * sqrt(plait_rng_uniform(rng)), where = 2 * PI * plait_rng_uniform(rng), a[3], b[3];
    if (!(by > 0))
        return;
    plait_gen_basis(unit, NULL, a, b);
    for (int i = 0; i < 3; i++)
        unit[i] = plait_cos(by) * unit[i] + plait_sin(by) * (plait_cos(where) * a[i] + plait_sin(where) * b[i]);
    plait_vec3_normalise(unit);
}

double plait_gen_length(const plait_gen_style *style, double length, plait_rng *rng)
{
    return length * (1 + style->jitter_length * plait_rng_between(rng, -1, 1));
}

double plait_gen_polyline_length(int points, const double *point)
{
    double sum = 0, d[3];
    for (int i = 0; i + 1 < points; i++) {
        plait_vec3_sub(point + 3 * (i + 1), point + 3 * i, d);
        sum += plait_vec3_norm(d);
    }
    return sum;
}

void plait_gen_polyline_at(int points, const double *point, double s, double x[3])
{
    for (int i = 0; i + 1 < points; i++) {
        double d[3];
        plait_vec3_sub(point + 3 * (i + 1), point + 3 * i, d);
        double length = plait_vec3_norm(d);
        if (s <= length || i + 2 == points) {
            plait_vec3_copy(point + 3 * i, x);
            if (length > 0)
                plait_vec3_axpy(s / length, d, x);
            return;
        }
        s -= length;
    }
    plait_vec3_copy(point, x);
}

// ---- drawing a strand --------------------------------------------------------------------------------------------

// Radius and rise per radian of the curl as it is drawn, and arc per radian.
static void drawn_curl(const plait_gen_style *style, double *radius, double *rise, double *arc)
{
    double c = style->curl_pitch / (2 * PI);
    *arc = hypot(style->curl_radius, c);
    *radius = style->drawn * style->curl_radius;
    *rise = copysign(sqrt(fmax(*arc * *arc - *radius * *radius, 0)), style->curl_pitch);
}

double plait_gen_axis_length(const plait_gen_style *style, double length)
{
    if (style->natural == PLAIT_GEN_CURL) {
        double radius, rise, arc;
        drawn_curl(style, &radius, &rise, &arc);
        return length * fabs(rise) / arc;
    }
    if (style->natural == PLAIT_GEN_WAVE) {
        // Mean stretch of a sine: one period by the midpoint rule, which is exact to rounding for periodic functions.
        double slope = 2 * PI * style->wave_amplitude / style->wave_length, sum = 0;
        for (int i = 0; i < 64; i++)
            sum += hypot(1, slope * plait_cos(2 * PI * (i + 0.5) / 64));
        return length * 64 / sum;
    }
    return length;
}

// Offset from the axis at arc position s of it, in the frame (a, b) normal to it, minus that of the root.
static void offset(const plait_gen_style *style, double phase, double ramp, double s, double out[2])
{
    out[0] = out[1] = 0;
    double grown = ramp > 0 && s < ramp ? s / ramp * (2 - s / ramp) : 1;
    if (style->natural == PLAIT_GEN_CURL) {
        double radius, rise, arc;
        drawn_curl(style, &radius, &rise, &arc);
        double angle = phase + s / rise, from = ramp > 0 ? 0 : 1; // with a ramp the axis itself begins at the root
        out[0] = radius * grown * (plait_cos(angle) - from * plait_cos(phase));
        out[1] = radius * grown * (plait_sin(angle) - from * plait_sin(phase));
    } else if (style->natural == PLAIT_GEN_WAVE) {
        double wave = plait_sin(phase + 2 * PI * s / style->wave_length) - (ramp > 0 ? 0 : plait_sin(phase));
        out[0] = style->wave_amplitude * grown * wave;
    }
}

// `fine` + 1 points of the strand; the frame is carried along the axis without twist.
static void draw_fine(const plait_gen_style *style, double phase, double ramp, int points, const double *axis, int fine,
                      double *x, double director[3])
{
    double total = plait_gen_polyline_length(points, axis), t[3] = {0}, a[3] = {0}, b[3], p[3], q[3], by[2];
    for (int i = 0; i <= fine; i++) {
        double s = total * i / fine, next[3];
        plait_gen_polyline_at(points, axis, s, p);
        plait_gen_polyline_at(points, axis, s + total / fine, q);
        plait_vec3_sub(q, p, next);
        plait_vec3_normalise(next);
        if (i == 0)
            plait_vec3_any_normal(next, a);
        else
            plait_vec3_transport(t, next, a, a);
        plait_vec3_copy(next, t);
        plait_vec3_orthonormalise(t, a);
        plait_vec3_cross(t, a, b);
        offset(style, phase, ramp, s, by);
        for (int c = 0; c < 3; c++) {
            x[3 * i + c] = p[c] + by[0] * a[c] + by[1] * b[c];
            if (i == 0) // a curl bends towards its axis
                director[c] = -(plait_cos(phase) * a[c] + plait_sin(phase) * b[c]);
        }
    }
}

bool plait_gen_draw(const plait_gen_style *style, double phase, double ramp, int points, const double *axis,
                    int segments, plait_gen_strand *strand)
{
    bool plain = style->natural != PLAIT_GEN_CURL && style->natural != PLAIT_GEN_WAVE,
         as_it_is = plain && segments == 0;
    if (segments == 0)
        segments = points - 1;
    int fine = plain ? points - 1 : FINE * segments;
    *strand = (plait_gen_strand){.nodes = segments + 1, .drawn_points = fine + 1, .last = 1};
    strand->x = calloc(3 * ((size_t)segments + 1), sizeof *strand->x);
    strand->drawn = calloc(3 * ((size_t)fine + 1), sizeof *strand->drawn);
    if (!strand->x || !strand->drawn) {
        plait_gen_strand_free(strand);
        return false;
    }
    if (plain)
        memcpy(strand->drawn, axis, 3 * (size_t)points * sizeof *axis);
    else
        draw_fine(style, phase, ramp, points, axis, fine, strand->drawn, strand->director);
    double total = plait_gen_polyline_length(fine + 1, strand->drawn);
    for (int i = 0; i <= segments; i++)
        plait_gen_polyline_at(fine + 1, strand->drawn, total * i / segments, strand->x + 3 * i);
    if (as_it_is)
        memcpy(strand->x, axis, 3 * (size_t)points * sizeof *axis);
    if (style->natural == PLAIT_GEN_CURVATURE) {
        double t[3], a[3], b[3];
        plait_vec3_sub(strand->x + 3, strand->x, t);
        plait_vec3_normalise(t);
        plait_gen_basis(t, NULL, a, b);
        for (int c = 0; c < 3; c++)
            strand->director[c] = plait_cos(phase) * a[c] + plait_sin(phase) * b[c];
    }
    return true;
}

void plait_gen_strand_cut(plait_gen_strand *strand, double last)
{
    double total = plait_gen_polyline_length(strand->drawn_points, strand->drawn), n = strand->nodes - 1;
    plait_gen_polyline_at(strand->drawn_points, strand->drawn, total * (n - 1 + last) / n,
                          strand->x + 3 * (strand->nodes - 1));
    strand->last = last;
}

void plait_gen_strand_free(plait_gen_strand *strand)
{
    free(strand->x);
    free(strand->drawn);
    strand->x = strand->drawn = NULL;
}

// ---- into the scene ----------------------------------------------------------------------------------------------

static void natural_shape(const plait_gen_style *style, plait_natural_kind *kind, double curvature[2], double *twist)
{
    curvature[0] = curvature[1] = *twist = 0;
    switch (style->natural) {
    case PLAIT_GEN_STRAIGHT:
        *kind = PLAIT_NATURAL_STRAIGHT;
        break;
    case PLAIT_GEN_DRAWN:
    case PLAIT_GEN_WAVE:
        *kind = PLAIT_NATURAL_POLYLINE;
        break;
    case PLAIT_GEN_CURL: {
        double c = style->curl_pitch / (2 * PI), square = style->curl_radius * style->curl_radius + c * c;
        *kind = PLAIT_NATURAL_CONSTANT;
        curvature[0] = style->curl_radius / square;
        *twist = c / square;
        break;
    }
    case PLAIT_GEN_CURVATURE:
        *kind = PLAIT_NATURAL_CONSTANT;
        memcpy(curvature, style->curvature, sizeof style->curvature);
        *twist = style->twist;
        break;
    }
}

int plait_gen_add(plait_scene *scene, const plait_gen_style *style, const plait_gen_strand *strand)
{
    int i = plait_scene_add_fibre(scene, style->model, style->material, strand->nodes, strand->x);
    if (i < 0)
        return i;
    plait_fibre *f = &scene->fibre[i];
    f->group = style->group;
    f->samples = style->samples;
    natural_shape(style, &f->natural, f->curvature, &f->twist);
    f->excess = style->natural == PLAIT_GEN_DRAWN ? style->scale - 1 : 0;
    plait_vec3_copy(strand->director, f->director);
    for (int e = 0; e < 2; e++) {
        f->end[e] = style->end[e];
        f->attach[e] = style->attach[e], f->slide[e] = (unsigned)style->slide[e];
        f->bind[e] = style->bind;
    }
    plait_vec3_copy(style->velocity, f->velocity);
    plait_vec3_copy(style->spin, f->spin);
    f->start = style->start, f->hold = style->hold;
    f->keeps = style->start == PLAIT_START_HELD;
    return i;
}

plait_rod_def plait_gen_rod_def(const plait_scene *scene, const plait_gen_style *style, const plait_gen_strand *strand,
                                const plait_section *section)
{
    plait_rod_def def = plait_default_rod_def();
    def.model = style->model;
    def.section = *section;
    def.point_count = strand->nodes;
    def.points = strand->x;
    natural_shape(style, &def.natural, def.curvature, &def.twist);
    def.excess = style->natural == PLAIT_GEN_DRAWN ? style->scale - 1 : 0;
    plait_vec3_copy(strand->director, def.director);
    for (int e = 0; e < 2; e++)
        def.end[e].kind = style->end[e];
    plait_vec3_copy(scene->gravity, def.gravity);
    return def;
}

void plait_gen_drop(plait_scene *scene, int count)
{
    for (int i = count; i < scene->fibres; i++)
        free(scene->fibre[i].point);
    if (count < scene->fibres)
        scene->fibres = count;
}

// ---- packing discs -----------------------------------------------------------------------------------------------

typedef struct place {
    double x, y, square;
} place;

// Nearest first; the angle decides between equals, so that the order is the same everywhere.
static int compare(const void *a, const void *b)
{
    const place *p = a, *q = b;
    if (fabs(p->square - q->square) > 1e-9)
        return p->square < q->square ? -1 : 1;
    if (fabs(p->y - q->y) > 1e-9)
        return p->y < q->y ? -1 : 1;
    return (p->x > q->x) - (p->x < q->x);
}

bool plait_gen_hexagonal(int count, double distance, double *xy)
{
    int rings = 1 + (int)ceil(sqrt(count / 2.0)); // 1 + 3 rings (rings + 1) places, and the circle inside them
    size_t side = 2 * (size_t)rings + 1, n = 0;
    place *all = malloc(side * side * sizeof *all);
    if (!all)
        return false;
    for (int i = -rings; i <= rings; i++)
        for (int j = -rings; j <= rings; j++) {
            place p = {i + 0.5 * j, j * sqrt(0.75), 0};
            p.square = p.x * p.x + p.y * p.y;
            all[n++] = p;
        }
    qsort(all, n, sizeof *all, compare);
    for (int i = 0; i < count; i++) {
        xy[2 * i] = distance * all[i].x;
        xy[2 * i + 1] = distance * all[i].y;
    }
    free(all);
    return true;
}

double plait_gen_pack_radius(int count, const double *xy)
{
    double largest = 0;
    for (int i = 0; i < count; i++)
        largest = fmax(largest, hypot(xy[2 * i], xy[2 * i + 1]));
    return largest;
}

plait_status plait_gen_add_all(const char *generator, plait_scene *scene, const plait_gen_style *style, int count,
                               const plait_gen_strand *strand, plait_error *error)
{
    int before = scene->fibres;
    for (int i = 0; i < count; i++)
        if (plait_gen_add(scene, style, &strand[i]) < 0) {
            plait_gen_drop(scene, before);
            return plait_gen_no_memory(generator, error);
        }
    return PLAIT_OK;
}

void plait_gen_strands_free(int count, plait_gen_strand *strand)
{
    for (int i = 0; strand && i < count; i++)
        plait_gen_strand_free(&strand[i]);
    free(strand);
}
