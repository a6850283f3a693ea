// collide_surface.c: surfaces of points, links and triangles against brute force: all pairs of features near each other,
// and all that pass through each other, sampled finely in time.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "check.h"
#include "collide/surface.h"
#include "math/vec3.h"
#include "shape/closest.h"

typedef struct sheet {
    int n; // nodes per side
    double *x0, *x1, *rest;
    int *cell;
    plait_surface s;
} sheet;

// A square sheet of n x n nodes in the plane z = height.
static sheet make_sheet(int n, double width, double height)
{
    sheet a = {.n = n};
    size_t bytes = 3 * (size_t)n * (size_t)n * sizeof(double);
    a.x0 = malloc(bytes), a.x1 = malloc(bytes), a.rest = malloc(bytes);
    a.cell = malloc(6 * (size_t)n * (size_t)n * sizeof(int));
    int cells = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            plait_vec3_set(a.x0 + 3 * (i * n + j), width * i / (n - 1), width * j / (n - 1), height);
            if (i + 1 < n && j + 1 < n) {
                int k = i * n + j, two[6] = {k, k + n, k + n + 1, k, k + n + 1, k + 1};
                memcpy(a.cell + 3 * (size_t)cells, two, sizeof two);
                cells += 2;
            }
        }
    memcpy(a.rest, a.x0, bytes), memcpy(a.x1, a.x0, bytes);
    a.s = (plait_surface){
        .dimension = 2, .nodes = n * n, .cells = cells, .cell = a.cell, .x0 = a.x0, .x1 = a.x1, .radius = 1e-3};
    return a;
}

static void sheet_free(sheet *a)
{
    free(a->x0), free(a->x1), free(a->rest), free(a->cell);
}

static void check_consistent(const plait_surfaces *all, const plait_surface_touches *t)
{
    for (int i = 0; i < t->count; i++) {
        const plait_surface_touch *c = &t->touch[i];
        CHECK_REL(plait_vec3_norm(c->normal), 1, 1e-12);
        for (int k = 0; k < 2; k++) {
            const plait_surface_side *s = &c->side[k];
            if (s->kind == PLAIT_ON_SHAPE)
                continue;
            double sum = 0, x[3] = {0, 0, 0};
            for (int n = 0; n < s->nodes; n++) {
                CHECK(s->weight[n] > 0);
                sum += s->weight[n];
                plait_vec3_axpy(s->weight[n], all->surface[s->surface].x0 + 3 * s->node[n], x);
            }
            CHECK_REL(sum, 1, 1e-12);
            plait_vec3_sub(x, s->point, x);
            CHECK(plait_vec3_norm(x) < 1e-12);
            CHECK_INT(s->nodes, s->kind == PLAIT_ON_FACE ? 3 : s->kind == PLAIT_ON_EDGE ? 2 : 1);
        }
    }
}

static bool has(const plait_surface_side *s, int surface, int nodes, const int *node)
{
    if (s->kind == PLAIT_ON_SHAPE || s->surface != surface || s->nodes != nodes)
        return false;
    for (int i = 0; i < nodes; i++) {
        bool found = false;
        for (int j = 0; j < nodes; j++)
            found |= s->node[j] == node[i];
        if (!found)
            return false;
    }
    return true;
}

static const plait_surface_touch *find(const plait_surface_touches *t, int s0, int n0, const int *node0, int s1, int n1,
                                       const int *node1)
{
    for (int i = 0; i < t->count; i++)
        for (int k = 0; k < 2; k++)
            if (has(&t->touch[i].side[k], s0, n0, node0) && has(&t->touch[i].side[1 - k], s1, n1, node1))
                return &t->touch[i];
    return NULL;
}

static bool apart(int n, const int *a, int m, const int *b)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            if (a[i] == b[j])
                return false;
    return true;
}

// Nodes against faces and edges against edges, all with all; returns how many there should be.
static int brute(const plait_surfaces *all, const plait_surface_touches *t)
{
    int expected = 0;
    for (int s0 = 0; s0 < all->count; s0++)
        for (int s1 = 0; s1 < all->count; s1++) {
            const plait_surface *a = &all->surface[s0], *b = &all->surface[s1];
            double limit = a->radius + b->radius + all->proximity;
            if (s0 == s1 && !a->self)
                continue;
            for (int n = 0; n < a->nodes; n++)
                for (int c = 0; c < b->cells; c++) {
                    double tri[9], w[3];
                    plait_feature f;
                    for (int k = 0; k < 3; k++)
                        plait_vec3_copy(b->x0 + 3 * b->cell[3 * c + k], tri + 3 * k);
                    double far = sqrt(plait_closest_triangle(a->x0 + 3 * n, tri, w, &f));
                    bool wanted = far < limit && far > 0 && f == PLAIT_FEATURE_FACE;
                    if (s0 == s1)
                        wanted = wanted && apart(1, &n, 3, b->cell + 3 * c);
                    const plait_surface_touch *found = find(t, s0, 1, &n, s1, 3, b->cell + 3 * c);
                    CHECK(wanted == (found != NULL));
                    if (wanted && found)
                        CHECK_NEAR(found->gap, far - a->radius - b->radius, 1e-12);
                    expected += wanted;
                }
        }
    return expected;
}

// A crumpled sheet over another one: nodes moved at random.
CASE(proximity)
{
    plait_rng rng = plait_rng_new(7, 0);
    plait_surface_detector *d = plait_surface_detector_new();
    int all_pairs = 0;
    for (int trial = 0; trial < 20; trial++) {
        sheet a = make_sheet(6, 0.1, 0), b = make_sheet(5, 0.1, 0.004);
        for (int i = 0; i < 3 * a.s.nodes; i++)
            a.x0[i] += 0.01 * (plait_rng_uniform(&rng) - 0.5);
        for (int i = 0; i < 3 * b.s.nodes; i++)
            b.x0[i] += 0.01 * (plait_rng_uniform(&rng) - 0.5);
        a.s.self = trial % 2;
        plait_surface both[2] = {a.s, b.s};
        plait_surfaces all = {.count = 2, .surface = both, .proximity = 2e-3, .mode = PLAIT_DETECT_PROXIMITY};
        plait_surface_touches t = {0};
        CHECK_INT(plait_surfaces_detect(d, &all, NULL, &t, NULL), PLAIT_OK);
        check_consistent(&all, &t);
        all_pairs += brute(&all, &t);
        plait_surface_touches_free(&t);
        sheet_free(&a), sheet_free(&b);
    }
    CHECK(all_pairs > 300);
    plait_surface_detector_free(d);
}

// ---- motion --------------------------------------------------------------------------------------------------------

static double volume(const double *a, const double *b, const double *c, const double *d)
{
    double u[3], v[3], w[3], n[3];
    plait_vec3_sub(b, a, u), plait_vec3_sub(c, a, v), plait_vec3_sub(d, a, w);
    plait_vec3_cross(u, v, n);
    return plait_vec3_dot(n, w);
}

static void at_time(const double *x0, const double *x1, int numbers, double t, double *x)
{
    for (int k = 0; k < numbers; k++)
        x[k] = x0[k] + t * (x1[k] - x0[k]);
}

// The first time at which the node passes through the triangle, by the sign of the volume in small steps; 2: never.
static double node_passes(const double *p0, const double *p1, const double *t0, const double *t1)
{
    enum { STEPS = 2000 };
    double p[3], t[9], w[3], before = volume(t0, t0 + 3, t0 + 6, p0);
    for (int k = 1; k <= STEPS; k++) {
        plait_feature f;
        at_time(p0, p1, 3, (double)k / STEPS, p), at_time(t0, t1, 9, (double)k / STEPS, t);
        double now = volume(t, t + 3, t + 6, p), size = plait_vec3_norm(t);
        if ((now > 0) != (before > 0)) {
            plait_closest_triangle(p, t, w, &f);
            if (w[0] > 0.02 && w[1] > 0.02 && w[2] > 0.02 && size > 0)
                return (double)k / STEPS;
        }
        before = now;
    }
    return 2;
}

static double edges_pass(const double *p0, const double *p1, const double *q0, const double *q1)
{
    enum { STEPS = 2000 };
    double p[6], q[6], before = volume(p0, p0 + 3, q0, q0 + 3);
    for (int k = 1; k <= STEPS; k++) {
        at_time(p0, p1, 6, (double)k / STEPS, p), at_time(q0, q1, 6, (double)k / STEPS, q);
        double now = volume(p, p + 3, q, q + 3), a, b;
        if ((now > 0) != (before > 0)) {
            double d2 = plait_closest_segments(p, p + 3, q, q + 3, &a, &b);
            if (a > 0.02 && a < 0.98 && b > 0.02 && b < 0.98 && sqrt(d2) < 0.02)
                return (double)k / STEPS;
        }
        before = now;
    }
    return 2;
}

// Two triangles that tumble past each other: whatever passes through in the samples is found, and not later.
CASE(nothing_passes)
{
    plait_rng rng = plait_rng_new(11, 0);
    plait_surface_detector *d = plait_surface_detector_new();
    const int corner[3] = {0, 1, 2};
    int passed = 0, found_more = 0;
    for (int trial = 0; trial < 600; trial++) {
        double x[4][9];
        for (int k = 0; k < 4; k++)
            for (int i = 0; i < 9; i++)
                x[k][i] = plait_rng_uniform(&rng) + (i % 3 == 2 ? (k == 0 ? 0.7 : k == 1 ? -0.7 : 0) : 0);
        plait_surface two[2];
        for (int k = 0; k < 2; k++)
            two[k] = (plait_surface){.dimension = 2,
                                     .nodes = 3,
                                     .cells = 1,
                                     .cell = corner,
                                     .x0 = x[2 * k],
                                     .x1 = x[2 * k + 1],
                                     .radius = trial % 3 == 0 ? 0 : 1e-3};
        plait_surfaces all = {.count = 2, .surface = two, .proximity = 1e-3, .mode = PLAIT_DETECT_BOTH};
        plait_surface_touches t = {0};
        CHECK_INT(plait_surfaces_detect(d, &all, NULL, &t, NULL), PLAIT_OK);
        check_consistent(&all, &t);
        double first = 2, told = 2;
        for (int k = 0; k < 3; k++) {
            first = fmin(first, node_passes(x[0] + 3 * k, x[1] + 3 * k, x[2], x[3]));
            first = fmin(first, node_passes(x[2] + 3 * k, x[3] + 3 * k, x[0], x[1]));
            for (int j = 0; j < 3; j++) {
                double p0[6], p1[6], q0[6], q1[6];
                for (int e = 0; e < 2; e++) {
                    plait_vec3_copy(x[0] + 3 * ((k + e) % 3), p0 + 3 * e);
                    plait_vec3_copy(x[1] + 3 * ((k + e) % 3), p1 + 3 * e);
                    plait_vec3_copy(x[2] + 3 * ((j + e) % 3), q0 + 3 * e);
                    plait_vec3_copy(x[3] + 3 * ((j + e) % 3), q1 + 3 * e);
                }
                first = fmin(first, edges_pass(p0, p1, q0, q1));
            }
        }
        for (int i = 0; i < t.count; i++)
            told = fmin(told, t.touch[i].time);
        if (first <= 1) {
            passed++;
            CHECK(told <= first);
        } else {
            found_more += told <= 1;
        }
        plait_surface_touches_free(&t);
    }
    CHECK(passed > 300);
    CHECK(found_more < 60); // grazing: through a rim of the samples, or nearer than the thickness
    plait_surface_detector_free(d);
}

// A fibre, and grains, fall through a sheet in one step.
CASE(links_and_points)
{
    plait_surface_detector *d = plait_surface_detector_new();
    sheet a = make_sheet(5, 0.1, 0);
    double fibre0[9] = {0.02, 0.031, 0.02, 0.057, 0.033, 0.023, 0.073, 0.057, 0.021}, fibre1[9];
    double grain0[6] = {0.03, 0.06, 0.04, 0.2, 0.2, 0.04}, grain1[6];
    int links[4] = {0, 1, 1, 2};
    memcpy(fibre1, fibre0, sizeof fibre0), memcpy(grain1, grain0, sizeof grain0);
    for (int k = 0; k < 3; k++)
        fibre1[3 * k + 2] -= 0.1;
    grain1[2] -= 0.1, grain1[5] -= 0.1;
    plait_surface s[3] = {
        a.s,
        {.dimension = 1, .nodes = 3, .cells = 2, .cell = links, .x0 = fibre0, .x1 = fibre1, .radius = 1e-4},
        {.dimension = 0, .nodes = 2, .cells = 2, .x0 = grain0, .x1 = grain1, .radius = 1e-4}};
    plait_surfaces all = {.count = 3, .surface = s, .proximity = 1e-4, .mode = PLAIT_DETECT_BOTH};
    plait_surface_touches t = {0};
    CHECK_INT(plait_surfaces_detect(d, &all, NULL, &t, NULL), PLAIT_OK);
    check_consistent(&all, &t);
    int nodes = 0, edges = 0, grains = 0;
    for (int i = 0; i < t.count; i++) {
        const plait_surface_touch *c = &t.touch[i];
        CHECK(c->swept);
        CHECK_INT(c->side[0].surface, 0);
        CHECK(c->normal[2] < -0.5); // beside an edge it is slanted: the thickness is met there first
        nodes += c->side[1].surface == 1 && c->side[1].kind == PLAIT_ON_NODE && c->side[0].kind == PLAIT_ON_FACE;
        edges += c->side[1].surface == 1 && c->side[1].kind == PLAIT_ON_EDGE && c->side[0].kind == PLAIT_ON_EDGE;
        grains += c->side[1].surface == 2;
        if (c->side[1].surface == 2)
            CHECK_NEAR(c->time, (0.04 - 1.1e-3) / 0.1, 1e-4);
    }
    CHECK_INT(nodes, 3);
    CHECK(edges >= 2);
    CHECK_INT(grains, 1); // the other falls beside it
    plait_surface_touches_free(&t);
    plait_surface_detector_free(d);
    sheet_free(&a);
}

// ---- itself, identity, shapes --------------------------------------------------------------------------------------

CASE(self)
{
    plait_surface_detector *d = plait_surface_detector_new();
    sheet a = make_sheet(9, 0.08, 0); // edges of 10 mm
    a.s.self = true;
    a.s.radius = 6e-3; // thicker than the edges are long: second neighbours overlap, at rest too
    plait_surfaces all = {.count = 1, .surface = &a.s, .proximity = 1e-3, .mode = PLAIT_DETECT_BOTH};
    plait_surface_touches t = {0};
    CHECK_INT(plait_surfaces_detect(d, &all, NULL, &t, NULL), PLAIT_OK);
    CHECK(t.count > 0);
    a.s.rest = a.rest;
    CHECK_INT(plait_surfaces_detect(d, &all, NULL, &t, NULL), PLAIT_OK);
    CHECK_INT(t.count, 0);
    // Folded over: the half x > 0.045 lies 13 mm above the other.
    for (int i = 0; i < a.s.nodes; i++)
        if (a.x0[3 * i] > 0.045)
            a.x0[3 * i] = 0.09 - a.x0[3 * i], a.x0[3 * i + 2] = 0.0125;
    memcpy(a.x1, a.x0, 3 * (size_t)a.s.nodes * sizeof *a.x1);
    CHECK_INT(plait_surfaces_detect(d, &all, NULL, &t, NULL), PLAIT_OK);
    check_consistent(&all, &t);
    int over = 0;
    for (int i = 0; i < t.count; i++)
        over += fabs(fabs(t.touch[i].normal[2]) - 1) < 1e-12 && fabs(t.touch[i].gap - 0.5e-3) < 1e-12;
    CHECK(over > 20);
    plait_surface_touches_free(&t);
    plait_surface_detector_free(d);
    sheet_free(&a);
}

// One sheet slides over another by a fifth of an edge per step: most contacts are known again.
CASE(identity)
{
    plait_surface_detector *d = plait_surface_detector_new();
    sheet a = make_sheet(7, 0.06, 0), b = make_sheet(4, 0.021, 2.5e-3);
    plait_surface both[2] = {a.s, b.s};
    plait_surfaces all = {.count = 2, .surface = both, .proximity = 1e-3, .mode = PLAIT_DETECT_PROXIMITY};
    plait_surface_touches t = {0}, old = {0};
    for (int i = 0; i < b.s.nodes; i++)
        b.x0[3 * i] += 0.0113, b.x0[3 * i + 1] += 0.0127;
    for (int step = 0; step < 12; step++) {
        CHECK_INT(plait_surfaces_detect(d, &all, step ? &old : NULL, &t, NULL), PLAIT_OK);
        int known = 0, same = 0, nodes = 0;
        for (int i = 0; i < t.count; i++) {
            const plait_surface_touch *c = &t.touch[i];
            nodes += c->side[1].kind == PLAIT_ON_NODE && c->side[0].kind == PLAIT_ON_FACE;
            if (c->last < 0)
                continue;
            CHECK(c->last < old.count);
            known++;
            same += old.touch[c->last].side[1].kind == c->side[1].kind &&
                    old.touch[c->last].side[1].feature == c->side[1].feature;
        }
        CHECK_INT(nodes, 16); // every node of the upper sheet
        if (step)
            CHECK(known >= 3 * t.count / 4 && same > t.count / 2);
        plait_surface_touches swap = old;
        old = t, t = swap;
        for (int i = 0; i < b.s.nodes; i++)
            b.x0[3 * i] += 0.002, b.x0[3 * i + 1] += 0.001;
    }
    plait_surface_touches_free(&t), plait_surface_touches_free(&old);
    plait_surface_detector_free(d);
    sheet_free(&a), sheet_free(&b);
}

CASE(exact_shapes)
{
    plait_surface_detector *d = plait_surface_detector_new();
    const int corner[3] = {0, 1, 2};
    double x0[9] = {-1, -1, 0, 1, -1, 0, 0, 1, 0}, x1[9];
    memcpy(x1, x0, sizeof x0);
    plait_surface s = {.dimension = 2, .nodes = 3, .cells = 1, .cell = corner, .x0 = x0, .x1 = x1, .radius = 0.01};
    plait_shape ball = {.kind = PLAIT_SHAPE_SPHERE, .size = {0.2}}, floor = {.kind = PLAIT_SHAPE_PLANE};
    plait_shape rod = {.kind = PLAIT_SHAPE_CAPSULE, .size = {0.1, 3}};
    plait_shape_geometry shape[3] = {{.shape = &ball, .start = {{0.1, 0, -0.215}, {0, 0, 0, 1}}},
                                     {.shape = &floor, .start = {{0, 0, -0.5}, {0, 0, 0, 1}}},
                                     {.shape = &rod, .start = {{0, -1, 0.12}, {0.5, 0.5, 0.5, 0.5}}}};
    for (int i = 0; i < 3; i++)
        shape[i].end = shape[i].start;
    plait_surfaces all = {.count = 1, .surface = &s, .shapes = 1, .shape = shape, .proximity = 0.01};
    all.mode = PLAIT_DETECT_BOTH;
    plait_surface_touches t = {0};
    // The ball is below the middle of the face.
    CHECK_INT(plait_surfaces_detect(d, &all, NULL, &t, NULL), PLAIT_OK);
    check_consistent(&all, &t);
    CHECK_INT(t.count, 1);
    CHECK_INT((int)t.touch[0].side[0].kind, PLAIT_ON_FACE);
    CHECK_REL(t.touch[0].normal[2], 1, 1e-9);
    CHECK_NEAR(t.touch[0].gap, 0.005, 1e-9);
    CHECK_NEAR(t.touch[0].side[0].point[0], 0.1, 1e-5);
    // It falls on the plane with all corners; the face is over the ball still.
    for (int k = 0; k < 3; k++)
        x1[3 * k + 2] = -0.6;
    all.shapes = 2;
    CHECK_INT(plait_surfaces_detect(d, &all, NULL, &t, NULL), PLAIT_OK);
    int nodes = 0;
    for (int i = 0; i < t.count; i++)
        if (t.touch[i].side[1].surface == 1) {
            nodes++;
            CHECK(t.touch[i].swept && t.touch[i].normal[2] > 0.999);
            CHECK_NEAR(t.touch[i].time, 0.49 / 0.6, 1e-3);
            CHECK_NEAR(t.touch[i].gap, 0.49, 1e-6);
        }
    CHECK_INT(nodes, 3);
    // A bar along x, whose axis is above the edge y = -1: inside of the edge flat, so its nodes have the contacts.
    all.shape = shape + 2, all.shapes = 1;
    memcpy(x1, x0, sizeof x0);
    CHECK_INT(plait_surfaces_detect(d, &all, NULL, &t, NULL), PLAIT_OK);
    CHECK_INT(t.count, 2);
    for (int i = 0; i < t.count; i++) {
        CHECK(t.touch[i].normal[2] < -0.999);
        CHECK_NEAR(t.touch[i].gap, 0.01, 1e-9);
    }
    plait_surface_touches_free(&t);
    plait_surface_detector_free(d);
}

// What comes too near to an exact shape, though not through it: nodes, the inside of an edge, of a face.
CASE(too_near_to_a_shape)
{
    plait_surface_detector *d = plait_surface_detector_new();
    const int corner[3] = {0, 1, 2};
    const double start[9] = {-1, -1, 0, 1, -1, 0, 0, 1, 0}, r = 0.01;
    double x0[9], x1[9];
    plait_surface s = {.dimension = 2, .nodes = 3, .cells = 1, .cell = corner, .x0 = x0, .x1 = x1, .radius = r};
    plait_shape ball = {.kind = PLAIT_SHAPE_SPHERE, .size = {0.2}}, floor = {.kind = PLAIT_SHAPE_PLANE};
    plait_shape_geometry shape[3] = {{.shape = &floor, .start = {{0, 0, 0}, {0, 0, 0, 1}}},
                                     {.shape = &ball, .start = {{0.1, 0, -0.2}, {0, 0, 0, 1}}},
                                     {.shape = &ball, .start = {{0.1, -1, -0.2}, {0, 0, 0, 1}}}};
    const int features[3] = {3, 1, 1};
    const plait_feature_kind kinds[3] = {PLAIT_ON_NODE, PLAIT_ON_FACE, PLAIT_ON_EDGE};
    // From and to, of the radius; nearer than a part of it; whether it is found.
    const struct {
        double from, to, near;
        bool found;
    } motion[] = {{3, 0.5, 0.9, true},    {3, 0.95, 0.9, false},  {3, 0.5, 0.01, false},   {3, -0.5, 0.01, true},
                  {0.8, 0.6, 0.9, false}, {0.8, 0.35, 0.9, true}, {-0.1, -0.5, 0.9, false}};
    plait_surface_touches t = {0};
    for (int i = 0; i < 3; i++) {
        shape[i].end = shape[i].start;
        for (size_t k = 0; k < sizeof motion / sizeof *motion; k++) {
            for (int n = 0; n < 9; n++) {
                x0[n] = start[n] + (n % 3 == 2 ? motion[k].from * r : 0);
                x1[n] = start[n] + (n % 3 == 2 ? motion[k].to * r : 0);
            }
            plait_surfaces all = {.count = 1, .surface = &s, .shapes = 1, .shape = shape + i, .proximity = r,
                                  .mode = PLAIT_DETECT_BOTH, .crossing = true, .near = motion[k].near};
            CHECK_INT(plait_surfaces_detect(d, &all, NULL, &t, NULL), PLAIT_OK);
            check_consistent(&all, &t);
            int found = 0;
            for (int n = 0; n < t.count; n++) {
                double at = motion[k].from + t.touch[n].time * (motion[k].to - motion[k].from);
                found += t.touch[n].side[0].kind == kinds[i];
                CHECK(t.touch[n].swept && t.touch[n].normal[2] > 0.99);
                CHECK_NEAR(at, fmin(motion[k].near, 0.5 * motion[k].from), 0.01);
            }
            CHECK_INT(found, motion[k].found ? features[i] : 0);
        }
    }
    plait_surface_touches_free(&t);
    plait_surface_detector_free(d);
}

CASE(refused)
{
    plait_surface_detector *d = plait_surface_detector_new();
    const int corner[3] = {0, 1, 7};
    double x[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
    plait_surface s = {.dimension = 2, .nodes = 3, .cells = 1, .cell = corner, .x0 = x};
    plait_surfaces all = {.count = 1, .surface = &s, .mode = PLAIT_DETECT_BOTH};
    plait_surface_touches t = {0};
    plait_error error = {0};
    CHECK_INT(plait_surfaces_detect(d, &all, NULL, &t, &error), PLAIT_BAD_INPUT);
    CHECK(strstr(error.text, "node 7 of 3") != NULL);
    plait_surface_detector_free(d);
}
