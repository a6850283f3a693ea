// collide_shapes.c: chains against shapes: closed forms, where contacts lie, motion, meshes.
#include "check.h"
#include "collide/placed.h"
#include "collide_scene.h"
#include "math/quat.h"

static int crossings(scene *s, const plait_touches *known)
{
    plait_detector *d = plait_detector_new();
    plait_touches t = {0};
    CHECK_INT(plait_detect_crossings(d, &s->scenery, 0, known, &t, NULL), PLAIT_OK);
    plait_detector_free(d);
    int count = t.count;
    plait_touches_free(&t);
    return count;
}

static const double origin[3] = {0, 0, 0};

// ---- distances -------------------------------------------------------------------------------------------------------

CASE(distances_in_closed_form)
{
    double n[3];
    plait_shape box = {.kind = PLAIT_SHAPE_BOX, .size = {1, 2, 3}}, ball = {.kind = PLAIT_SHAPE_SPHERE, .size = {2}};
    plait_shape rod = {.kind = PLAIT_SHAPE_CAPSULE, .size = {0.5, 2}},
                can = {.kind = PLAIT_SHAPE_CYLINDER, .size = {1, 2}};
    plait_shape plane = {.kind = PLAIT_SHAPE_PLANE};
    CHECK_NEAR(plait_shape_distance(&plane, (double[3]){5, 6, -7}, n), -7, 1e-15);
    CHECK_NEAR(plait_shape_distance(&ball, (double[3]){3, 0, 4}, n), 3, 1e-15);
    CHECK_NEAR(n[0], 0.6, 1e-15);
    CHECK_NEAR(plait_shape_distance(&ball, (double[3]){0.3, 0, 0.4}, n), -1.5, 1e-15);
    CHECK_NEAR(plait_shape_distance(&rod, (double[3]){3, 4, 1}, n), 4.5, 1e-15);
    CHECK_NEAR(plait_shape_distance(&rod, (double[3]){0, 3, 6}, n), 4.5, 1e-15);
    CHECK_NEAR(plait_shape_distance(&box, (double[3]){4, 2, 7}, n), 5, 1e-15);
    CHECK_NEAR(plait_shape_distance(&box, (double[3]){0.9, 0, 0}, n), -0.1, 1e-15);
    CHECK_NEAR(n[0], 1, 1e-15);
    CHECK_NEAR(plait_shape_distance(&can, (double[3]){4, 0, 6}, n), 5, 1e-15);
    CHECK_NEAR(plait_shape_distance(&can, (double[3]){0.5, 0, 1.8}, n), -0.2, 1e-15);
    CHECK_NEAR(n[2], 1, 1e-15);
}

CASE(least_distance_along_a_segment)
{
    plait_rng rng = plait_rng_new(1, 0);
    static const plait_shape_kind kinds[] = {PLAIT_SHAPE_PLANE, PLAIT_SHAPE_SPHERE, PLAIT_SHAPE_CAPSULE,
                                             PLAIT_SHAPE_BOX, PLAIT_SHAPE_CYLINDER};
    for (int trial = 0; trial < 1000; trial++) {
        plait_shape shape = {.kind = kinds[trial % 5], .size = {0.5, 0.7, 0.3}};
        double y0[3], y1[3], n[3], a, least = INFINITY;
        for (int k = 0; k < 3; k++)
            y0[k] = plait_rng_between(&rng, -1, 1), y1[k] = plait_rng_between(&rng, -1, 1);
        double found = plait_shape_segment(&shape, y0, y1, &a, n);
        for (int i = 0; i <= 300; i++) {
            double y[3], m[3];
            for (int k = 0; k < 3; k++)
                y[k] = y0[k] + i / 300.0 * (y1[k] - y0[k]);
            least = fmin(least, plait_shape_distance(&shape, y, m));
        }
        CHECK(found <= least + 1e-9);
        CHECK(found >= least - 0.02);
    }
}

// ---- where contacts lie ----------------------------------------------------------------------------------------------

CASE(lying_rod_touches_with_every_node_once)
{
    scene *s = scene_new(100);
    scene_line(s, 6, (double[3]){0, 0, 0.0009}, (double[3]){0.05, 0, 0.0009}, 0.001);
    scene_shape(s, PLAIT_SHAPE_PLANE, 0, 0, 0, origin);
    s->scenery.proximity = 0.0002;
    plait_touches t = scene_detect(s, NULL);
    CHECK_INT(t.count, 6);
    for (int k = 0; k < t.count; k++) {
        CHECK_NEAR(t.touch[k].arc[0], 0.01 * k, 1e-12);
        CHECK_NEAR(t.touch[k].gap, -1e-4, 1e-12);
        CHECK_NEAR(t.touch[k].normal[2], 1, 1e-12);
        CHECK_NEAR(t.touch[k].side[1].point[2], 0, 1e-12);
        CHECK_INT(t.touch[k].side[0].segment, k < 5 ? k : 4);
    }
    plait_touches_free(&t);
    scene_free(s);
}

CASE(rod_over_an_edge_touches_in_between)
{
    scene *s = scene_new(100);
    // One link across a ball, and one across the edge of a cylinder that lies along y.
    scene_line(s, 2, (double[3]){-0.05, 0, 0.0109}, (double[3]){0.03, 0, 0.0109}, 0.001);
    plait_shape *can = scene_shape(s, PLAIT_SHAPE_SPHERE, 0.01, 0, 0, origin);
    s->scenery.proximity = 0.0002;
    plait_touches t = scene_detect(s, NULL);
    if (CHECK_INT(t.count, 1)) {
        CHECK_NEAR(t.touch[0].side[0].a, 0.05 / 0.08, 1e-9);
        CHECK_NEAR(t.touch[0].gap, -1e-4, 1e-12);
    }
    plait_touches_free(&t);
    can->kind = PLAIT_SHAPE_CYLINDER, can->size[0] = 0.01, can->size[1] = 0.1;
    double quarter = sqrt(0.5);
    s->geometry[0].start = s->geometry[0].end = (plait_pose){{0, 0, 0}, {quarter, 0, 0, quarter}};
    t = scene_detect(s, NULL);
    if (CHECK_INT(t.count, 1)) {
        CHECK_NEAR(t.touch[0].side[0].a, 0.05 / 0.08, 1e-6);
        CHECK_NEAR(t.touch[0].gap, -1e-4, 1e-9);
        CHECK_NEAR(t.touch[0].normal[2], 1, 1e-9);
    }
    plait_touches_free(&t);
    scene_free(s);
}

CASE(fast_chain_meets_simple_shapes)
{
    static const plait_shape_kind kinds[] = {PLAIT_SHAPE_PLANE, PLAIT_SHAPE_SPHERE, PLAIT_SHAPE_CAPSULE,
                                             PLAIT_SHAPE_BOX, PLAIT_SHAPE_CYLINDER};
    for (int k = 0; k < 5; k++) {
        scene *s = scene_new(10);
        int c = scene_line(s, 3, (double[3]){-0.02, 0.001, 0.1}, (double[3]){0.02, 0.001, 0.1}, 5e-5);
        scene_shape(s, kinds[k], 0.005, 0.004, 0.005, origin);
        scene_move(s, c, (double[3]){0, 0, -0.2}); // right through
        s->scenery.proximity = 2e-5, s->scenery.mode = PLAIT_DETECT_BOTH;
        CHECK(crossings(s, NULL) > 0);
        plait_touches t = scene_detect(s, NULL);
        CHECK(t.count > 0);
        for (int i = 0; i < t.count; i++) {
            CHECK(t.touch[i].swept);
            CHECK(t.touch[i].normal[2] > 0.8);
            CHECK(t.touch[i].gap > 0.08 && t.touch[i].gap - 0.2 * t.touch[i].normal[2] < 0);
        }
        CHECK_INT(crossings(s, &t), 0);
        // Half of the way it is still in front.
        scene_move(s, c, (double[3]){0, 0, -0.09});
        CHECK_INT(crossings(s, NULL), 0);
        plait_touches_free(&t);
        scene_free(s);
    }
}

CASE(shape_that_moves_carries_its_point)
{
    scene *s = scene_new(10);
    scene_line(s, 2, (double[3]){0.02, 0, -0.1}, (double[3]){0.02, 0, 0.1}, 1e-4);
    scene_shape(s, PLAIT_SHAPE_BOX, 0.005, 0.004, 0.001, origin);
    double turn[3] = {0, 0, 0.5};
    plait_quat_exp(turn, s->geometry[0].end.q);
    s->geometry[0].end.x[0] = 0.03;
    s->scenery.mode = PLAIT_DETECT_BOTH, s->scenery.proximity = 1e-5;
    plait_touches t = scene_detect(s, NULL);
    if (CHECK_INT(t.count, 1)) {
        const plait_touch *c = &t.touch[0];
        CHECK(c->swept && c->normal[0] > 0.7);
        double w = 0;
        for (int k = 0; k < 3; k++)
            w += c->normal[k] * c->side[1].move[k];
        CHECK(c->gap - w < 0); // the moving shape reaches the chain, which rests
        // The material point, turned and moved.
        double p[3], *x = t.touch[0].side[1].point, e[3] = {cos(0.5), sin(0.5), 0};
        p[0] = e[0] * x[0] - e[1] * x[1] + 0.03, p[1] = e[1] * x[0] + e[0] * x[1], p[2] = x[2];
        for (int k = 0; k < 3; k++)
            CHECK_NEAR(p[k], x[k] + c->side[1].move[k], 1e-9);
    }
    plait_touches_free(&t);
    scene_free(s);
}

CASE(curve_is_a_chain_that_is_a_shape)
{
    scene *s = scene_new(100);
    scene_line(s, 11, (double[3]){-0.05, 0, 0}, (double[3]){0.05, 0, 0}, 0.001);
    double point[9] = {0.003, -0.05, 0, 0.003, 0, 0, 0.003, 0.05, 0};
    plait_shape *wire = scene_shape(s, PLAIT_SHAPE_CURVE, 0.002, 0, 0, (double[3]){0, 0, -0.0031});
    wire->points = 3, wire->point = point;
    s->geometry[0].point0 = s->geometry[0].point1 = point;
    s->geometry[0].end.x[2] += 0.01;
    s->scenery.proximity = 0.0005;
    plait_touches t = scene_detect(s, NULL);
    if (CHECK_INT(t.count, 1)) {
        const plait_touch *c = &t.touch[0];
        CHECK(c->side[1].on_shape && !c->side[0].on_shape);
        CHECK_NEAR(c->gap, 1e-4, 1e-12);
        CHECK_NEAR(c->normal[2], 1, 1e-12);
        CHECK_NEAR(c->side[1].point[2], -0.0011, 1e-12);
        CHECK_NEAR(c->arc[0], 0.053, 1e-9);
        CHECK_NEAR(c->arc[1], 0, 0);
        CHECK_NEAR(c->side[1].move[2], 0.01, 1e-15);
    }
    plait_touches_free(&t);
    s->scenery.mode = PLAIT_DETECT_BOTH;
    t = scene_detect(s, NULL);
    if (CHECK_INT(t.count, 1))
        CHECK_NEAR(t.touch[0].side[1].move[2], 0.01, 1e-15);
    CHECK_INT(crossings(s, &t), 0);
    CHECK_INT(crossings(s, NULL), 1);
    plait_touches_free(&t);
    scene_free(s);
}

// ---- meshes ----------------------------------------------------------------------------------------------------------

// A ball of triangles: an octahedron cut three times.
enum { BALL_POINTS = 3 * 4096, BALL_TRIANGLES = 8 * 64 };
static double ball_point[3 * BALL_POINTS];
static int ball_triangle[3 * BALL_TRIANGLES], ball_points, ball_triangles;

static int ball_vertex(const double x[3], double radius)
{
    double n = sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
    double y[3] = {x[0] / n * radius, x[1] / n * radius, x[2] / n * radius};
    for (int i = 0; i < ball_points; i++) {
        double *p = ball_point + 3 * i;
        if (fabs(p[0] - y[0]) + fabs(p[1] - y[1]) + fabs(p[2] - y[2]) < 1e-9)
            return i;
    }
    memcpy(ball_point + 3 * ball_points, y, sizeof y);
    return ball_points++;
}

static void ball_cut(const double a[3], const double b[3], const double c[3], int depth, double radius)
{
    if (!depth) {
        int *t = ball_triangle + 3 * ball_triangles++;
        t[0] = ball_vertex(a, radius), t[1] = ball_vertex(b, radius), t[2] = ball_vertex(c, radius);
        return;
    }
    double m[3][3];
    for (int k = 0; k < 3; k++)
        m[0][k] = 0.5 * (a[k] + b[k]), m[1][k] = 0.5 * (b[k] + c[k]), m[2][k] = 0.5 * (c[k] + a[k]);
    ball_cut(a, m[0], m[2], depth - 1, radius), ball_cut(b, m[1], m[0], depth - 1, radius);
    ball_cut(c, m[2], m[1], depth - 1, radius), ball_cut(m[0], m[1], m[2], depth - 1, radius);
}

static plait_shape *scene_mesh(scene *s, const double *point, int points, const int *triangle, int triangles,
                               bool closed)
{
    plait_shape *mesh = scene_shape(s, PLAIT_SHAPE_MESH, 0, 0, 0, origin);
    plait_shape_geometry *g = &s->geometry[s->scenery.shapes - 1];
    mesh->points = points, mesh->triangles = triangles, mesh->closed = closed;
    mesh->point = (double *)(uintptr_t)point, mesh->triangle = (int *)(uintptr_t)triangle;
    g->point0 = g->point1 = point;
    return mesh;
}

static void make_ball(double radius, bool inside_out)
{
    ball_points = ball_triangles = 0;
    for (int k = 0; k < 8; k++) {
        double a[3] = {k & 1 ? -1 : 1, 0, 0}, b[3] = {0, k & 2 ? -1 : 1, 0}, c[3] = {0, 0, k & 4 ? -1 : 1};
        bool turned = (k & 1) ^ (k >> 1 & 1) ^ (k >> 2 & 1);
        if (turned != inside_out)
            ball_cut(a, c, b, 3, radius);
        else
            ball_cut(a, b, c, 3, radius);
    }
}

CASE(closed_mesh_pushes_out_from_any_depth)
{
    for (int inside_out = 0; inside_out < 2; inside_out++) {
        make_ball(0.1, inside_out);
        CHECK_INT(ball_triangles, 512);
        plait_rng rng = plait_rng_new(3, 0);
        scene *s = scene_new(400);
        for (int c = 0; c < 100; c++) { // short chains in and around it
            double x[6], r = 0;
            for (int k = 0; k < 3; k++)
                x[k] = plait_rng_normal(&rng), r += x[k] * x[k];
            double far = plait_rng_between(&rng, 0.03, 0.13);
            for (int k = 0; k < 3; k++)
                x[k] *= far / sqrt(r), x[3 + k] = x[k] * 1.001;
            scene_chain(s, 2, x, 0.0005);
        }
        scene_mesh(s, ball_point, ball_points, ball_triangle, ball_triangles, true);
        s->scenery.proximity = 0.0002, s->scenery.chains_touch = false;
        plait_touches t = scene_detect(s, NULL);
        int contacts[100] = {0};
        for (int k = 0; k < t.count; k++) {
            const plait_touch *c = &t.touch[k];
            const double *p = c->side[0].point, *q = c->side[1].point;
            double r = sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2]);
            contacts[c->side[0].index]++;
            CHECK_NEAR(c->gap, r - 0.1 - 0.0005, 0.0015); // triangles are flat: 1.4 mm inside the ball
            CHECK((c->normal[0] * p[0] + c->normal[1] * p[1] + c->normal[2] * p[2]) / r > 0.9);
            CHECK_NEAR(sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2]), 0.1, 0.0015);
        }
        for (int c = 0; c < 100; c++) {
            const double *p = s->x0 + 6 * c;
            double r = sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2]);
            if (r < 0.098)
                CHECK(contacts[c] >= 2);
            if (r > 0.1008)
                CHECK_INT(contacts[c], 0);
        }
        plait_touches_free(&t);
        scene_free(s);
    }
}

// A detector remembers how far nodes were from a mesh: that saves searches and must change nothing.
CASE(what_was_seen_of_a_mesh_changes_nothing)
{
    make_ball(0.1, false);
    plait_rng rng = plait_rng_new(9, 0);
    scene *s = scene_new(800);
    for (int c = 0; c < 40; c++) {
        double x[60], along[3], r = 0;
        for (int k = 0; k < 3; k++)
            x[k] = plait_rng_normal(&rng), r += x[k] * x[k], along[k] = 0.01 * plait_rng_normal(&rng);
        for (int k = 0; k < 3; k++)
            x[k] *= 0.11 / sqrt(r);
        for (int k = 3; k < 60; k++)
            x[k] = x[k - 3] + along[k % 3];
        scene_chain(s, 20, x, 0.0005);
    }
    scene_mesh(s, ball_point, ball_points, ball_triangle, ball_triangles, true);
    s->scenery.proximity = 0.002, s->scenery.chains_touch = false, s->scenery.mode = PLAIT_DETECT_BOTH;
    plait_detector *old = plait_detector_new();
    plait_touches t = {0};
    int contacts = 0;
    for (int step = 0; step < 30; step++) {
        for (int k = 0; k < 3 * s->scenery.nodes; k++)
            s->x1[k] = s->x0[k] + 0.003 * plait_rng_normal(&rng);
        CHECK_INT(plait_detect(old, &s->scenery, NULL, &t, NULL), PLAIT_OK);
        plait_touches fresh = scene_detect(s, NULL);
        contacts += t.count;
        if (CHECK_INT(t.count, fresh.count))
            for (int k = 0; k < t.count; k++) {
                CHECK(t.touch[k].gap == fresh.touch[k].gap);
                CHECK(memcmp(t.touch[k].normal, fresh.touch[k].normal, sizeof t.touch[k].normal) == 0);
            }
        plait_touches_free(&fresh);
        memcpy(s->x0, s->x1, 3 * (size_t)s->scenery.nodes * sizeof *s->x0);
    }
    CHECK(contacts > 1000);
    plait_touches_free(&t);
    plait_detector_free(old);
    scene_free(s);
}

CASE(link_through_a_closed_mesh_is_pushed_out)
{
    make_ball(0.1, false);
    scene *s = scene_new(10);
    scene_line(s, 2, (double[3]){-0.2, 0, 0.09}, (double[3]){0.2, 0, 0.09}, 0.0005);
    scene_mesh(s, ball_point, ball_points, ball_triangle, ball_triangles, true);
    plait_touches t = scene_detect(s, NULL);
    if (CHECK_INT(t.count, 1)) {
        CHECK_NEAR(t.touch[0].side[0].a, 0.5, 0.02);
        CHECK_NEAR(t.touch[0].gap, -0.0105, 0.0015);
        CHECK(t.touch[0].normal[2] > 0.95);
    }
    plait_touches_free(&t);
    scene_free(s);
}

static const double sheet_point[12] = {-0.1, -0.1, 0, 0.1, -0.1, 0, 0.1, 0.1, 0, -0.1, 0.1, 0};
static const int sheet_triangle[6] = {0, 1, 2, 0, 2, 3};

CASE(open_mesh_repels_to_the_side_where_things_are)
{
    for (int side = -1; side <= 1; side += 2) {
        scene *s = scene_new(20);
        int c =
            scene_line(s, 5, (double[3]){-0.03, 0.01, side * 0.0011}, (double[3]){0.05, 0.01, side * 0.0011}, 0.001);
        plait_shape *sheet = scene_mesh(s, sheet_point, 4, sheet_triangle, 2, false);
        s->scenery.proximity = 0.0005;
        plait_touches t = scene_detect(s, NULL);
        CHECK_INT(t.count, 5);
        for (int k = 0; k < t.count; k++) {
            CHECK_NEAR(t.touch[k].normal[2], side, 1e-12);
            CHECK_NEAR(t.touch[k].gap, 1e-4, 1e-12);
        }
        // The thickness is shared by both sides.
        sheet->size[0] = 0.0002;
        plait_touches thick = scene_detect(s, NULL);
        CHECK_INT(thick.count, 5);
        for (int k = 0; k < thick.count; k++)
            CHECK_NEAR(thick.touch[k].gap, 0, 1e-12);
        sheet->size[0] = 0;
        // On the sheet itself, what it was before decides.
        for (int n = 0; n < 5; n++)
            s->x0[3 * n + 2] = 0;
        plait_touches on = scene_detect(s, &t);
        for (int k = 0; k < on.count; k++)
            if (k < t.count)
                CHECK_NEAR(on.touch[k].normal[2], side, 1e-12);
        CHECK(on.count >= 5);
        // Fast: through it.
        for (int n = 0; n < 5; n++)
            s->x0[3 * n + 2] = side * 0.02;
        scene_move(s, c, (double[3]){0.001, 0, -side * 0.05});
        CHECK(crossings(s, NULL) > 0);
        s->scenery.mode = PLAIT_DETECT_BOTH;
        plait_touches fast = scene_detect(s, NULL);
        CHECK(fast.count >= 5);
        for (int k = 0; k < fast.count; k++) {
            CHECK(fast.touch[k].swept);
            CHECK_NEAR(fast.touch[k].normal[2], side, 1e-9);
            CHECK_NEAR(fast.touch[k].gap, 0.019, 1e-9);
        }
        CHECK_INT(crossings(s, &fast), 0);
        plait_touches_free(&t), plait_touches_free(&on), plait_touches_free(&fast), plait_touches_free(&thick);
        scene_free(s);
    }
}

CASE(link_meets_an_edge_of_a_mesh_in_motion)
{
    // Across the rim of the sheet, nodes on either side of it.
    scene *s = scene_new(10);
    int c = scene_line(s, 2, (double[3]){0.15, 0.02, 0.05}, (double[3]){0.15, 0.02, -0.05}, 0.0005);
    scene_mesh(s, sheet_point, 4, sheet_triangle, 2, false);
    scene_move(s, c, (double[3]){-0.1, 0, 0});
    s->scenery.mode = PLAIT_DETECT_BOTH, s->scenery.proximity = 0.0002;
    plait_touches t = scene_detect(s, NULL);
    if (CHECK_INT(t.count, 1)) {
        CHECK_NEAR(t.touch[0].side[0].a, 0.5, 1e-3);
        CHECK_NEAR(t.touch[0].normal[0], 1, 1e-6);
        CHECK_NEAR(t.touch[0].gap, 0.0495, 1e-6);
    }
    plait_touches_free(&t);
    scene_free(s);
}

CASE(mesh_with_moving_vertices)
{
    double end[12];
    memcpy(end, sheet_point, sizeof end);
    for (int k = 0; k < 4; k++)
        end[3 * k + 2] += 0.05;
    scene *s = scene_new(10);
    scene_line(s, 3, (double[3]){-0.01, 0.02, 0.02}, (double[3]){0.03, 0.02, 0.02}, 0.0005);
    scene_mesh(s, sheet_point, 4, sheet_triangle, 2, false);
    s->geometry[0].point1 = end;
    s->scenery.mode = PLAIT_DETECT_BOTH, s->scenery.proximity = 0.0002;
    plait_touches t = scene_detect(s, NULL);
    CHECK(t.count >= 3);
    for (int k = 0; k < t.count; k++) {
        CHECK_NEAR(t.touch[k].normal[2], 1, 1e-9);
        CHECK_NEAR(t.touch[k].side[1].move[2], 0.05, 1e-12);
        CHECK_NEAR(t.touch[k].gap, 0.0195, 1e-9);
    }
    CHECK_INT(crossings(s, &t), 0);
    CHECK(crossings(s, NULL) > 0);
    plait_touches_free(&t);
    scene_free(s);
}

// The box of a mesh that turns holds all of its way: the far point leaves the chord of its arc by far (1 - cos(angle / 2)), and
// not more is added.
CASE(box_of_a_turning_mesh)
{
    const double point[18] = {0.01, 0, 0, 0.3, 0.1, 0.02, 0, 0.01, 0.05}; // the second of three is the farthest
    static const int triangle[3] = {0, 1, 2};
    for (int axis = 0; axis < 3; axis++) {
        scene *s = scene_new(1);
        scene_mesh(s, point, 3, triangle, 1, false);
        double turn[3] = {0}, far = plait_vec3_norm(point + 3);
        turn[axis] = 1.8;
        plait_quat_exp(turn, s->geometry[0].end.q);
        s->geometry[0].end.x[2] = 0.4;
        plait_placed placed;
        plait_shape_place(&s->geometry[0], true, &placed);
        double lo[3], hi[3], bulge = far * (1 - cos(0.9));
        for (int k = 0; k < 3; k++)
            lo[k] = INFINITY, hi[k] = -INFINITY;
        for (int i = 0; i <= 100; i++) {
            double R[9], x[3];
            plait_placed_pose(&placed, i / 100.0, R, x);
            for (int n = 0; n < 3; n++)
                for (int k = 0; k < 3; k++) {
                    double y = x[k] + plait_vec3_dot(R + 3 * k, point + 3 * n);
                    CHECK(y >= (double)placed.box.lo[k] && y <= (double)placed.box.hi[k]);
                    if (i % 100 == 0)
                        lo[k] = fmin(lo[k], y), hi[k] = fmax(hi[k], y);
                }
        }
        for (int k = 0; k < 3; k++) {
            CHECK_NEAR((double)placed.box.lo[k], lo[k] - s->shape[0].size[0] - bulge, 1e-6);
            CHECK_NEAR((double)placed.box.hi[k], hi[k] + s->shape[0].size[0] + bulge, 1e-6);
        }
        scene_free(s);
    }
}

// The way past a turning shape is cut so finely that a chord of the farthest point's arc is straight enough for the radius.
CASE(pieces_of_a_turn)
{
    const double x[12] = {0.1, 0, 0, 0, 0.5, 0}, radius = 0.01; // two points, and room behind
    plait_placed placed = {.spin = {0, 0, 1.2}};
    CHECK_INT(plait_placed_pieces(&placed, x, 1, radius), (int)ceil(1.2 * sqrt(1.25 * 0.1 / radius)));
    CHECK_INT(plait_placed_pieces(&placed, x, 2, radius), (int)ceil(1.2 * sqrt(1.25 * 0.5 / radius)));
    CHECK_INT(plait_placed_pieces(&placed, x, 2, 1e-9), PLAIT_PIECES);
    placed.spin[2] = 0;
    CHECK_INT(plait_placed_pieces(&placed, x, 2, radius), 1);
}
