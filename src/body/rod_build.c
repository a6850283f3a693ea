// rod_build.c: checks of what a user gives, and the discrete rod made from it.
//
// Frames go along the centreline by parallel transport, turned at node i by the natural twist over its Voronoi length.
// The natural curvature of a polyline at rest is that of the turning angle at each node over its Voronoi length, so
// that a model that measures the angle again finds itself at rest exactly.
#include "body/rod_build.h"

#include <stdlib.h>
#include <string.h>

#include "base/elementary.h"
#include "body/material.h"
#include "math/vec3.h"

static const double PI = 3.14159265358979323846;
static const double SAME_LENGTH = 1e-6;
static const double SMOOTH = 0.98; // cosine between edges of a curve: 11 degrees
enum { MAX_SEGMENTS = 10000000 };

// ---- checks ------------------------------------------------------------------------------------------------------

static plait_status check_points(const plait_rod_def *def, plait_error *error)
{
    int id = def->id, n = def->point_count;
    if (n < 2 || !def->points)
        return plait_error_set(error, PLAIT_BAD_INPUT, "rod %d: at least 2 vertices are expected, found %d", id,
                               def->points ? n : 0);
    if (n > MAX_SEGMENTS || def->segments < 0 || def->segments > MAX_SEGMENTS)
        return plait_error_set(error, PLAIT_BAD_INPUT, "rod %d: between 0 and %d segments are expected, found %d", id,
                               MAX_SEGMENTS, def->segments ? def->segments : n);
    double low[3], high[3];
    for (int i = 0; i < n; i++) {
        const double *p = def->points + 3 * i;
        if (!plait_vec3_finite(p))
            return plait_error_set(error, PLAIT_BAD_INPUT,
                                   "rod %d, vertex %d: finite coordinates are expected, found (%g, %g, %g)", id, i,
                                   p[0], p[1], p[2]);
        for (int k = 0; k < 3; k++) {
            low[k] = i == 0 ? p[k] : fmin(low[k], p[k]);
            high[k] = i == 0 ? p[k] : fmax(high[k], p[k]);
        }
    }
    double extent = fmax(high[0] - low[0], fmax(high[1] - low[1], high[2] - low[2]));
    if (!(extent > 0))
        return plait_error_set(error, PLAIT_BAD_INPUT, "rod %d: all %d vertices are at one place; it has no length", id,
                               n);
    if (!(extent < 1e9))
        return plait_error_set(error, PLAIT_BAD_INPUT, "rod %d: it is %g m long; less than 1e9 m is expected", id,
                               extent);
    for (int i = 0; i + 1 < n; i++) {
        double d[3];
        plait_vec3_sub(def->points + 3 * (i + 1), def->points + 3 * i, d);
        if (!(plait_vec3_norm(d) > 1e-12 * extent))
            return plait_error_set(error, PLAIT_BAD_INPUT,
                                   "rod %d, vertex %d: it coincides with vertex %d (distance %g m)", id, i + 1, i,
                                   plait_vec3_norm(d));
    }
    return PLAIT_OK;
}

static plait_status check_numbers(const plait_rod_def *def, plait_error *error)
{
    const struct {
        const char *what;
        double value;
        bool negative; // allowed
    } values[] = {
        {"natural length", def->length, false},
        {"natural curvature k1", def->curvature[0], true},
        {"natural curvature k2", def->curvature[1], true},
        {"natural twist", def->twist, true},
        {"excess of natural curvature", def->excess, true},
        {"gravity x", def->gravity[0], true},
        {"gravity y", def->gravity[1], true},
        {"gravity z", def->gravity[2], true},
        {"director x", def->director[0], true},
        {"director y", def->director[1], true},
        {"director z", def->director[2], true},
    };
    for (int i = 0; i < (int)(sizeof values / sizeof *values); i++)
        if (!isfinite(values[i].value) || (!values[i].negative && values[i].value < 0))
            return plait_error_set(error, PLAIT_BAD_INPUT, "rod %d: the %s must be finite%s, but is %g", def->id,
                                   values[i].what, values[i].negative ? "" : " and not negative", values[i].value);
    if ((int)def->natural < 0 || def->natural > PLAIT_NATURAL_POLYLINE)
        return plait_error_set(error, PLAIT_BAD_INPUT, "rod %d: unknown kind of natural shape %d", def->id,
                               def->natural);
    return PLAIT_OK;
}

// What is only known once the rod is cut into segments.
static plait_status check_segments(const plait_rod_def *def, const plait_rod_shape *s, plait_error *error)
{
    double radius = fmax(def->section.radius[0], def->section.radius[1]);
    for (int i = 0; i < s->segments; i++)
        if (radius > s->rest[i])
            return plait_error_set(
                error, PLAIT_BAD_INPUT,
                "rod %d, vertex %d: the segment to vertex %d has the natural length %g m, less than the "
                "radius %g m; a rod is thin",
                def->id, i, i + 1, s->rest[i], radius);
    for (int i = 1; i < s->segments; i++) {
        double turn = hypot(s->kappa[2 * i], s->kappa[2 * i + 1]) * (s->rest[i - 1] + s->rest[i]) / 2;
        if (!(turn < 0.95 * PI))
            return plait_error_set(
                error, PLAIT_BAD_INPUT,
                "rod %d, vertex %d: the natural curvature turns by %.1f degrees there; less than 171 are "
                "expected: use more segments",
                def->id, i, turn * 180 / PI);
    }
    return PLAIT_OK;
}

static plait_status check_folds(const plait_rod_def *def, const plait_rod_shape *s, plait_error *error)
{
    for (int i = 1; i < s->segments; i++) {
        const double *a = s->frames + 9 * (i - 1) + 6, *b = s->frames + 9 * i + 6;
        if (plait_vec3_dot(a, b) < -0.9999)
            return plait_error_set(error, PLAIT_BAD_INPUT, "rod %d, vertex %d: the polyline folds back on itself there",
                                   def->id, i);
    }
    return PLAIT_OK;
}

plait_status plait_end_check(plait_end *c, int id, int end, unsigned abilities, const char *model, plait_error *error)
{
    const char *where = end ? "last" : "first";
    if ((int)c->kind < 0 || c->kind > PLAIT_END_EDGE)
        return plait_error_set(error, PLAIT_BAD_INPUT, "rod %d: unknown condition %d at the %s end", id, c->kind,
                               where);
    if (c->kind == PLAIT_END_EDGE && !(abilities & PLAIT_ROD_HELD_EDGE))
        return plait_error_set(error, PLAIT_BAD_INPUT, "rod %d: model %s cannot hold the whole %s edge", id, model,
                               where);
    if (end == 0 && c->kind != PLAIT_END_CLAMPED && !(abilities & PLAIT_ROD_FREE_ROOT))
        return plait_error_set(error, PLAIT_BAD_INPUT, "rod %d: model %s needs a clamped first end", id, model);
    if (end == 1 && c->kind != PLAIT_END_FREE && !(abilities & PLAIT_ROD_HELD_TIP))
        return plait_error_set(error, PLAIT_BAD_INPUT, "rod %d: model %s needs a free last end", id, model);
    if (c->slide > 7)
        return plait_error_set(error, PLAIT_BAD_INPUT, "rod %d: the slide axes of the %s end are bits 0 to 2, found %u",
                               id, where, c->slide);
    if (c->kind == PLAIT_END_FREE)
        return PLAIT_OK;
    if (!plait_vec3_finite(c->position))
        return plait_error_set(error, PLAIT_BAD_INPUT,
                               "rod %d: the %s end's position must be finite, but is (%g, %g, %g)", id, where,
                               c->position[0], c->position[1], c->position[2]);
    if (c->kind == PLAIT_END_PINNED)
        return PLAIT_OK;
    double length = plait_vec3_normalise(c->tangent);
    if (!plait_vec3_finite(c->tangent) || !(length > 0))
        return plait_error_set(error, PLAIT_BAD_INPUT,
                               "rod %d: the %s end's tangent must be a direction, but is zero or "
                               "not finite",
                               id, where);
    if (!plait_vec3_finite(c->director) || !(plait_vec3_orthonormalise(c->tangent, c->director) > 1e-9))
        return plait_error_set(error, PLAIT_BAD_INPUT,
                               "rod %d: the %s end's director must be a direction across the "
                               "tangent, but is zero, parallel to it or not finite",
                               id, where);
    return PLAIT_OK;
}

// ---- resampling --------------------------------------------------------------------------------------------------

// A line with more points than the rod has nodes is a curve of its own.
static bool drawn_finer(const plait_rod_def *def)
{
    return def->segments && def->point_count - 1 > def->segments;
}

static double drawn_length(const plait_rod_def *def)
{
    double total = 0, d[3];
    for (int i = 0; i + 1 < def->point_count; i++) {
        plait_vec3_sub(def->points + 3 * (i + 1), def->points + 3 * i, d);
        total += plait_vec3_norm(d);
    }
    return total;
}

// Points at equal distances along the polyline.
static void resample(const plait_rod_def *def, int segments, double *x)
{
    const double *p = def->points;
    double total = drawn_length(def), d[3];
    double passed = 0; // up to point `i`
    int i = 0;
    for (int k = 0; k <= segments; k++) {
        double s = total * k / segments;
        for (;;) {
            plait_vec3_sub(p + 3 * (i + 1), p + 3 * i, d);
            double length = plait_vec3_norm(d);
            if (i + 2 >= def->point_count || passed + length >= s) {
                double a = fmin((s - passed) / length, 1);
                for (int c = 0; c < 3; c++)
                    x[3 * k + c] = p[3 * i + c] + a * d[c];
                break;
            }
            passed += length;
            i++;
        }
    }
    plait_vec3_copy(p, x);
    plait_vec3_copy(p + 3 * (def->point_count - 1), x + 3 * segments);
}

// Natural length around node i: half of each neighbour.
static double voronoi(const double *rest, int segments, int i)
{
    return (i > 0 ? rest[i - 1] / 2 : 0) + (i < segments ? rest[i] / 2 : 0);
}

static void make_frames(const plait_rod_def *def, int segments, const double *x, const double *rest, double *frames)
{
    double director[3];
    plait_vec3_copy(def->director, director);
    for (int i = 0; i < segments; i++) {
        double *m1 = frames + 9 * i, *m2 = m1 + 3, *t = m1 + 6;
        plait_vec3_sub(x + 3 * (i + 1), x + 3 * i, t);
        plait_vec3_normalise(t);
        if (i > 0) {
            plait_vec3_transport(t - 9, t, m1 - 9, m1);
            plait_vec3_turn_normal(t, m1, def->twist * voronoi(rest, segments, i), m1);
        } else {
            if (def->end[0].kind == PLAIT_END_CLAMPED && plait_vec3_norm(director) == 0)
                plait_vec3_copy(def->end[0].director, director);
            plait_vec3_copy(director, m1);
            if (!(plait_vec3_orthonormalise(t, m1) > 1e-9))
                plait_vec3_any_normal(t, m1);
        }
        plait_vec3_orthonormalise(t, m1);
        plait_vec3_cross(t, m1, m2);
    }
}

// Turning angle at a node as curvature k1, k2 in the frame half way between its two edges: that of the edge before,
// turned by half the twist at the node.
static void measure_curvature(const double *before, const double *after, double length, double half_twist,
                              double kappa[2])
{
    const double *t0 = before + 6, *t1 = after + 6;
    double kb[3], chi = 1 + plait_vec3_dot(t0, t1), c = plait_cos(half_twist), s = plait_sin(half_twist);
    plait_vec3_cross(t0, t1, kb);
    double tangent = plait_vec3_norm(kb) / chi,
           scale = tangent > 0 ? 2 * plait_atan(tangent) / (tangent * length) : 2 / length;
    double k1 = scale * plait_vec3_dot(kb, before + 3) / chi, k2 = -scale * plait_vec3_dot(kb, before) / chi;
    kappa[0] = c * k1 + s * k2;
    kappa[1] = c * k2 - s * k1;
}

static void make_natural(const plait_rod_def *def, int segments, const double *rest, const double *frames,
                         double *kappa, double *tau)
{
    for (int i = 0; i <= segments; i++) {
        kappa[2 * i] = kappa[2 * i + 1] = 0;
        tau[i] = def->twist;
        if (def->natural == PLAIT_NATURAL_CONSTANT)
            kappa[2 * i] = def->curvature[0], kappa[2 * i + 1] = def->curvature[1];
        else if (def->natural == PLAIT_NATURAL_POLYLINE && i > 0 && i < segments)
            measure_curvature(frames + 9 * (i - 1), frames + 9 * i, voronoi(rest, segments, i),
                              def->twist * voronoi(rest, segments, i) / 2, kappa + 2 * i);
        kappa[2 * i] *= 1 + (def->natural == PLAIT_NATURAL_POLYLINE ? def->excess : 0);
        kappa[2 * i + 1] *= 1 + (def->natural == PLAIT_NATURAL_POLYLINE ? def->excess : 0);
    }
    // A clamp whose tangent is given continues the polyline's curvature; without one it continues the end edge.
    if (def->natural == PLAIT_NATURAL_POLYLINE && segments > 1) {
        if (plait_vec3_norm(def->end[0].tangent) > 0)
            memcpy(kappa, kappa + 2, 2 * sizeof *kappa);
        if (plait_vec3_norm(def->end[1].tangent) > 0)
            memcpy(kappa + 2 * segments, kappa + 2 * (segments - 1), 2 * sizeof *kappa);
    }
}

// The direction of a fine line at one of its ends: an edge has that of the curve in its middle, so two of them are
// continued by half an edge. A corner is none of a curve. False: the rod is no finer than what was drawn.
static bool drawn_tangent(const plait_rod_def *def, int end, double tangent[3])
{
    const double *p = def->points + (end ? 3 * (def->point_count - 1) : 0);
    int next = end ? -3 : 3;
    double near[3], far[3];
    if (!drawn_finer(def))
        return false;
    plait_vec3_sub(p + next, p, near);
    plait_vec3_sub(p + 2 * next, p + next, far);
    double h0 = plait_vec3_normalise(near), h1 = plait_vec3_normalise(far);
    bool smooth = plait_vec3_dot(near, far) > SMOOTH;
    for (int k = 0; k < 3; k++)
        tangent[k] = (end ? -1 : 1) * (near[k] - (smooth ? (far[k] - near[k]) * h0 / (h0 + h1) : 0));
    return plait_vec3_normalise(tangent) > 0;
}

// Zero vectors mean "as the line has it": a rod that is at rest as a polyline continues its end edge, others point
// where the line does.
static void complete_end(const plait_rod_def *def, const plait_rod_shape *s, int end, plait_end *c)
{
    *c = def->end[end];
    const double *frame = s->frames + (end ? 9 * (s->segments - 1) : 0);
    if (c->kind == PLAIT_END_FREE)
        return;
    if (plait_vec3_norm(c->position) == 0)
        plait_vec3_copy(s->x + (end ? 3 * s->segments : 0), c->position);
    bool edge = def->natural == PLAIT_NATURAL_POLYLINE && !plait_rod_type_of(def->model)->trace;
    if (plait_vec3_norm(c->tangent) == 0 && (edge || !drawn_tangent(def, end, c->tangent)))
        plait_vec3_copy(frame + 6, c->tangent);
    if (plait_vec3_norm(c->director) == 0 && plait_vec3_finite(c->tangent)) {
        plait_vec3_normalise(c->tangent);
        plait_vec3_transport(frame + 6, c->tangent, frame, c->director);
        // Over the half Voronoi length of the clamp's hinge the natural twist goes on.
        double turn = def->twist * voronoi(s->rest, s->segments, end ? s->segments : 0);
        plait_vec3_turn_normal(c->tangent, c->director, end ? turn : -turn, c->director);
    }
}

plait_status plait_rod_plan_make(const plait_rod_def *def, plait_rod_plan *plan, plait_error *error)
{
    *plan = (plait_rod_plan){0};
    plait_status status;
    if ((status = plait_section_check(&def->section, def->id, error)) || (status = check_points(def, error)) ||
        (status = check_numbers(def, error)))
        return status;
    int n = def->segments ? def->segments : def->point_count - 1;
    plan->memory = malloc(((size_t)n + 1) * 16 * sizeof *plan->memory);
    if (!plan->memory)
        return plait_error_set(error, PLAIT_NO_MEMORY, "rod %d: no memory for %d segments", def->id, n);
    size_t nodes = (size_t)n + 1;
    double *x = plan->memory, *rest = x + 3 * nodes, *kappa = rest + nodes, *tau = kappa + 2 * nodes,
           *frames = tau + nodes;
    if (def->segments)
        resample(def, n, x);
    else
        memcpy(x, def->points, 3 * nodes * sizeof *x);
    double total = 0;
    for (int i = 0; i < n; i++) {
        double d[3];
        plait_vec3_sub(x + 3 * (i + 1), x + 3 * i, d);
        total += rest[i] = plait_vec3_norm(d);
    }
    // Curved segments are as long as what was drawn, straight ones as their chords.
    bool curved = drawn_finer(def) && plait_rod_type_of(def->model)->trace;
    double drawn = drawn_length(def), length = def->length > 0 ? def->length : curved ? drawn : total;
    for (int i = 0; i < n; i++)
        rest[i] = curved ? length / n : rest[i] * (length / total);
    make_frames(def, n, x, rest, frames);
    make_natural(def, n, rest, frames, kappa, tau);
    plan->shape = (plait_rod_shape){n, x, rest, kappa, tau, frames, 0, NULL, 0};
    if (curved && fabs(length - drawn) <= SAME_LENGTH * drawn) {
        plan->shape.drawn_points = def->point_count, plan->shape.drawn = def->points;
        plan->shape.at_rest = def->natural == PLAIT_NATURAL_POLYLINE ? 1 + def->excess : 0;
    }
    if ((status = check_segments(def, &plan->shape, error)) || (status = check_folds(def, &plan->shape, error)))
        return status;
    for (int e = 0; e < 2; e++)
        complete_end(def, &plan->shape, e, &plan->end[e]);
    return PLAIT_OK;
}

void plait_rod_plan_free(plait_rod_plan *plan)
{
    free(plan->memory);
    *plan = (plait_rod_plan){0};
}
