// collide_rigid.c: freely moving bodies against shapes, each other and chains.
#include "check.h"
#include "collide_scene.h"
#include "math/quat.h"

static int add(scene *s, plait_shape_kind kind, double a, double b, double c, double x, double y, double z, bool moves)
{
    scene_shape(s, kind, a, b, c, (double[3]){x, y, z});
    s->geometry[s->scenery.shapes - 1].moves_freely = moves;
    return s->scenery.shapes - 1;
}

static scene *empty(void)
{
    scene *s = scene_new(100);
    s->scenery.proximity = 0.001;
    return s;
}

// Contacts lie on both surfaces: gap = (p - q) . n.
static void check_consistent(const plait_touches *t)
{
    for (int k = 0; k < t->count; k++) {
        const plait_touch *c = &t->touch[k];
        double gap = 0;
        for (int n = 0; n < 3; n++)
            gap += c->normal[n] * (c->side[0].point[n] - c->side[1].point[n]);
        CHECK_NEAR(gap, c->gap, 1e-12);
    }
}

CASE(box_on_plane_has_four_contacts)
{
    scene *s = empty();
    add(s, PLAIT_SHAPE_BOX, 0.1, 0.2, 0.05, 0.3, 0.4, 0.0495, true);
    add(s, PLAIT_SHAPE_PLANE, 0, 0, 0, 0, 0, 0, false);
    plait_touches t = scene_detect(s, NULL);
    CHECK_INT(t.count, 4);
    check_consistent(&t);
    for (int k = 0; k < t.count; k++) {
        CHECK_NEAR(t.touch[k].gap, -0.0005, 1e-12);
        CHECK_NEAR(t.touch[k].normal[2], 1, 1e-12);
        CHECK_INT(t.touch[k].side[0].index, 0);
        CHECK_NEAR(fabs(t.touch[k].side[0].point[0] - 0.3), 0.1, 1e-12);
        CHECK_NEAR(t.touch[k].side[0].move[2], 0, 0);
    }
    plait_touches again = scene_detect(s, &t);
    for (int k = 0; k < again.count; k++)
        CHECK_INT(again.touch[k].last, k);
    plait_touches_free(&t), plait_touches_free(&again);
    scene_free(s);
}

CASE(sphere_on_everything)
{
    struct {
        plait_shape_kind kind;
        double size[3], z; // of its centre below the ball
    } under[] = {{PLAIT_SHAPE_PLANE, {0, 0, 0}, 0},
                 {PLAIT_SHAPE_SPHERE, {0.2, 0, 0}, -0.2},
                 {PLAIT_SHAPE_CAPSULE, {0.2, 0.1, 0}, -0.3},
                 {PLAIT_SHAPE_BOX, {0.5, 0.5, 0.1}, -0.1},
                 {PLAIT_SHAPE_CYLINDER, {0.5, 0.1, 0}, -0.1}};
    for (int k = 0; k < 5; k++)
        for (int order = 0; order < 2; order++) {
            scene *s = empty();
            if (order)
                add(s, PLAIT_SHAPE_SPHERE, 0.1, 0, 0, 0, 0, 0.1004, true);
            add(s, under[k].kind, under[k].size[0], under[k].size[1], under[k].size[2], 0, 0, under[k].z, false);
            if (!order)
                add(s, PLAIT_SHAPE_SPHERE, 0.1, 0, 0, 0, 0, 0.1004, true);
            plait_touches t = scene_detect(s, NULL);
            if (CHECK_INT(t.count, 1)) {
                CHECK_INT(t.touch[0].side[0].index, !order);
                CHECK_NEAR(t.touch[0].gap, 0.0004, 1e-12);
                CHECK_NEAR(t.touch[0].normal[2], 1, 1e-12);
                CHECK_NEAR(t.touch[0].side[0].point[2], 0.0004, 1e-12);
                CHECK_NEAR(t.touch[0].side[1].point[2], 0, 1e-12);
            }
            plait_touches_free(&t);
            scene_free(s);
        }
}

CASE(two_free_bodies)
{
    // Sphere and box, either first: the normal goes from the second to the first.
    for (int order = 0; order < 2; order++) {
        scene *s = empty();
        if (order)
            add(s, PLAIT_SHAPE_BOX, 0.1, 0.1, 0.1, 0, 0, 0, true);
        add(s, PLAIT_SHAPE_SPHERE, 0.05, 0, 0, 0.1495, 0.02, 0.03, true);
        if (!order)
            add(s, PLAIT_SHAPE_BOX, 0.1, 0.1, 0.1, 0, 0, 0, true);
        plait_touches t = scene_detect(s, NULL);
        if (CHECK_INT(t.count, 1)) {
            CHECK_INT(t.touch[0].side[0].index, 0);
            CHECK_INT(t.touch[0].side[1].index, 1);
            CHECK_NEAR(t.touch[0].normal[0], order ? -1 : 1, 1e-12);
            CHECK_NEAR(t.touch[0].gap, -0.0005, 1e-12);
        }
        check_consistent(&t);
        plait_touches_free(&t);
        scene_free(s);
    }
    // Box on box, the small one on top: its four corners.
    scene *s = empty();
    add(s, PLAIT_SHAPE_BOX, 0.3, 0.3, 0.1, 0, 0, 0, true);
    add(s, PLAIT_SHAPE_BOX, 0.1, 0.1, 0.1, 0, 0, 0.2, true);
    plait_touches t = scene_detect(s, NULL);
    CHECK_INT(t.count, 4);
    for (int k = 0; k < t.count; k++) {
        CHECK_NEAR(t.touch[k].gap, 0, 1e-12);
        CHECK_NEAR(t.touch[k].normal[2], -1, 1e-12);
    }
    plait_touches_free(&t);
    scene_free(s);
    // Edge across edge, both at forty-five degrees: one contact between the middles.
    s = empty();
    add(s, PLAIT_SHAPE_BOX, 0.3, 0.1, 0.1, 0, 0, 0, true);
    add(s, PLAIT_SHAPE_BOX, 0.1, 0.3, 0.1, 0, 0, 0.2 * sqrt(2) + 0.0003, true);
    double x[3] = {M_PI / 4, 0, 0}, y[3] = {0, M_PI / 4, 0};
    plait_quat_exp(x, s->geometry[0].start.q), plait_quat_exp(y, s->geometry[1].start.q);
    s->geometry[0].end = s->geometry[0].start, s->geometry[1].end = s->geometry[1].start;
    t = scene_detect(s, NULL);
    if (CHECK_INT(t.count, 1)) {
        CHECK_NEAR(t.touch[0].gap, 0.0003, 1e-9);
        CHECK_NEAR(t.touch[0].normal[2], -1, 1e-3);
    }
    check_consistent(&t);
    plait_touches_free(&t);
    scene_free(s);
}

// Two cards lean on each other, edge along edge, as wide as each other and a little into each other: whichever face of
// the other is nearest to a corner, normals are between those of the faces that meet, and change little if the cards
// are moved a little.
CASE(leaning_cards_push_each_other_apart)
{
    double a = M_PI / 9, x = 0.045 * sin(a) + 0.0005 * cos(a), last = 0;
    for (int k = 0; k < 5; k++) {
        scene *s = empty();
        s->scenery.proximity = 1e-5;
        add(s, PLAIT_SHAPE_BOX, 0.0005, 0.03, 0.045, -x + 1e-6 * k, 0, 0, true);
        add(s, PLAIT_SHAPE_BOX, 0.0005, 0.03, 0.045, x, 1e-6 * (k - 2), 2e-7 * k, true);
        double lean[2][3] = {{0, a, 0}, {0, -a, 0}};
        for (int i = 0; i < 2; i++) {
            plait_quat_exp(lean[i], s->geometry[i].start.q);
            s->geometry[i].end = s->geometry[i].start;
        }
        plait_touches t = scene_detect(s, NULL);
        CHECK_INT(t.count, 4);
        check_consistent(&t);
        for (int i = 0; i < t.count; i++) {
            CHECK(t.touch[i].normal[0] < -0.97);
            CHECK_NEAR(t.touch[i].normal[1], 0, 0.25);
            CHECK(t.touch[i].gap < 2e-6 && t.touch[i].gap > -8e-6);
            if (k > 0 && i == 0)
                CHECK_NEAR(t.touch[i].normal[2], last, 0.05);
        }
        last = t.count ? t.touch[0].normal[2] : 0;
        plait_touches_free(&t);
        scene_free(s);
    }
}

CASE(lying_capsule_touches_at_its_ends)
{
    scene *s = empty();
    int c = add(s, PLAIT_SHAPE_CAPSULE, 0.1, 0.3, 0, 0, 0, 0.1, true);
    double y[3] = {0, M_PI / 2, 0};
    plait_quat_exp(y, s->geometry[c].start.q);
    s->geometry[c].end = s->geometry[c].start;
    add(s, PLAIT_SHAPE_PLANE, 0, 0, 0, 0, 0, 0, false);
    add(s, PLAIT_SHAPE_SPHERE, 0.05, 0, 0, 0.1, 0, 0.2502, false); // and a ball on its middle
    plait_touches t = scene_detect(s, NULL);
    CHECK_INT(t.count, 3);
    check_consistent(&t);
    int middle = 0;
    for (int k = 0; k < t.count; k++) {
        double x = t.touch[k].side[0].point[0];
        if (t.touch[k].side[1].index == 2) {
            CHECK_NEAR(x, 0.1, 1e-9);
            CHECK_NEAR(t.touch[k].gap, 0.0002, 1e-9);
            middle++;
        } else {
            CHECK_NEAR(fabs(x), 0.3, 1e-9);
        }
    }
    CHECK_INT(middle, 1);
    plait_touches_free(&t);
    scene_free(s);
}

CASE(ball_on_rails_touches_each_once)
{
    scene *s = empty();
    enum { POINTS = 41 };
    static double rail[2][3 * POINTS];
    for (int r = 0; r < 2; r++)
        for (int n = 0; n < POINTS; n++) {
            double *p = rail[r] + 3 * n;
            p[0] = -1 + 0.05 * n, p[1] = r ? 0.06 : -0.06, p[2] = 0.3 * p[0] * p[0]; // a valley
        }
    // At the bottom of the valley the curve is straight enough; the centre is 8 cm above, 10 cm from either rail.
    add(s, PLAIT_SHAPE_SPHERE, 0.09, 0, 0, 0.02, 0, 0.08, true);
    for (int r = 0; r < 2; r++) {
        plait_shape *curve = scene_shape(s, PLAIT_SHAPE_CURVE, 0.01, 0, 0, (double[3]){0, 0, 0});
        curve->points = POINTS, curve->point = rail[r];
        s->geometry[1 + r].point0 = s->geometry[1 + r].point1 = rail[r];
    }
    s->scenery.proximity = 0.002;
    plait_touches t = scene_detect(s, NULL);
    check_consistent(&t);
    CHECK_INT(t.count, 2);
    for (int k = 0; k < t.count; k++) {
        CHECK_INT(t.touch[k].side[1].index, 1 + k);
        CHECK_NEAR(t.touch[k].gap, 0, 3e-4);
        CHECK_NEAR(t.touch[k].normal[1], k ? -0.6 : 0.6, 0.01);
        CHECK_INT(t.touch[k].side[1].segment, 20);
    }
    plait_touches_free(&t);
    // Falling from above it is seen in time.
    s->geometry[0].start.x[2] = 0.5, s->geometry[0].end.x[2] = -0.5;
    s->scenery.mode = PLAIT_DETECT_BOTH;
    t = scene_detect(s, NULL);
    CHECK_INT(t.count, 2);
    for (int k = 0; k < t.count; k++)
        CHECK(t.touch[k].swept && t.touch[k].gap > 0.2 && t.touch[k].normal[2] > 0.7);
    plait_touches_free(&t);
    scene_free(s);
}

CASE(fast_bodies_are_seen)
{
    static const plait_shape_kind kinds[] = {PLAIT_SHAPE_SPHERE, PLAIT_SHAPE_CAPSULE, PLAIT_SHAPE_BOX};
    for (int k = 0; k < 3; k++) {
        scene *s = empty();
        int i = add(s, kinds[k], 0.02, 0.02, 0.02, 0.01, 0.03, 0.5, true);
        add(s, PLAIT_SHAPE_BOX, 0.3, 0.3, 0.01, 0, 0, 0, false); // thin
        s->geometry[i].end.x[2] = -0.5;
        s->scenery.mode = PLAIT_DETECT_BOTH;
        plait_touches t = scene_detect(s, NULL);
        CHECK(t.count > 0);
        for (int n = 0; n < t.count; n++)
            CHECK(t.touch[n].swept && t.touch[n].normal[2] > 0.99 && t.touch[n].gap > 0.4);
        plait_detector *d = plait_detector_new();
        plait_touches missed = {0};
        CHECK_INT(plait_detect_crossings(d, &s->scenery, 0, NULL, &missed, NULL), PLAIT_OK);
        CHECK(missed.count > 0);
        CHECK_INT(plait_detect_crossings(d, &s->scenery, 0, &t, &missed, NULL), PLAIT_OK);
        CHECK_INT(missed.count, 0);
        plait_detector_free(d);
        plait_touches_free(&t), plait_touches_free(&missed);
        scene_free(s);
    }
}

// A long box turns about y through `angle`, its middle 8 cm over the ground: where its corners come down.
static plait_touches turning_box(scene *s, double angle)
{
    int i = add(s, PLAIT_SHAPE_BOX, 0.1, 0.01, 0.002, 0, 0, 0.08, true);
    add(s, PLAIT_SHAPE_PLANE, 0, 0, 0, 0, 0, 0, false);
    double *q = s->geometry[i].end.q;
    q[0] = 0, q[1] = sin(angle / 2), q[2] = 0, q[3] = cos(angle / 2);
    s->scenery.mode = PLAIT_DETECT_BOTH;
    return scene_detect(s, NULL);
}

CASE(corners_that_turn_arrive_where_they_do)
{
    double low = 0, high = 1.5; // the angle at which a lower corner is on the ground
    for (int k = 0; k < 60; k++) {
        double a = (low + high) / 2;
        *(0.1 * sin(a) + 0.002 * cos(a) < 0.08 ? &low : &high) = a;
    }
    scene *s = empty();
    plait_touches t = turning_box(s, 1.5);
    CHECK(t.count >= 2);
    check_consistent(&t);
    int there = 0; // all four corners of that end are as far from the axis
    for (int k = 0; k < t.count; k++) {
        CHECK(t.touch[k].swept && t.touch[k].normal[2] > 0.999);
        there += fabs(t.touch[k].side[1].point[0] - (0.1 * cos(low) - 0.002 * sin(low))) < 2e-4;
    }
    CHECK_INT(there, 4);
    plait_touches_free(&t);
    scene_free(s);
    s = empty();
    t = turning_box(s, low - 0.02); // just not
    CHECK_INT(t.count, 0);
    plait_touches_free(&t);
    scene_free(s);
}

CASE(bodies_on_a_mesh)
{
    // A groove of two sheets at right angles, its bottom along x; and a ball in it.
    static const double point[18] = {-1, 0, 0, 1, 0, 0, -1, 1, 1, 1, 1, 1, -1, -1, 1, 1, -1, 1};
    static const int triangle[12] = {0, 1, 3, 0, 3, 2, 1, 0, 4, 1, 4, 5};
    scene *s = empty();
    add(s, PLAIT_SHAPE_SPHERE, 0.1, 0, 0, 0.13, 0, 0.1 * sqrt(2) + 0.0002, true);
    plait_shape *mesh = scene_shape(s, PLAIT_SHAPE_MESH, 0, 0, 0, (double[3]){0, 0, 0});
    mesh->points = 6, mesh->triangles = 4;
    mesh->point = (double *)(uintptr_t)point, mesh->triangle = (int *)(uintptr_t)triangle;
    s->geometry[1].point0 = s->geometry[1].point1 = point;
    plait_touches t = scene_detect(s, NULL);
    CHECK_INT(t.count, 2);
    check_consistent(&t);
    for (int k = 0; k < t.count; k++) {
        CHECK_NEAR(t.touch[k].gap, 0.0002 / sqrt(2), 1e-12);
        CHECK_NEAR(t.touch[k].normal[2], sqrt(0.5), 1e-12);
    }
    plait_touches_free(&t);
    // A box on a flat part: its corners. A capsule: its ends.
    static const double flat[12] = {-1, -1, 0, 1, -1, 0, 1, 1, 0, -1, 1, 0};
    static const int pair[6] = {0, 1, 2, 0, 2, 3};
    for (int box = 0; box < 2; box++) {
        s->shape[0] = (plait_shape){.kind = box ? PLAIT_SHAPE_BOX : PLAIT_SHAPE_CAPSULE, .size = {0.1, 0.2, 0.1}};
        s->geometry[0].start.x[2] = 0.1005;
        double x[3] = {M_PI / 2, 0, 0};
        if (!box)
            plait_quat_exp(x, s->geometry[0].start.q);
        else
            s->geometry[0].start.q[0] = 0, s->geometry[0].start.q[3] = 1;
        s->geometry[0].end = s->geometry[0].start;
        mesh->points = 4, mesh->triangles = 2;
        mesh->point = (double *)(uintptr_t)flat, mesh->triangle = (int *)(uintptr_t)pair;
        s->geometry[1].point0 = s->geometry[1].point1 = flat;
        t = scene_detect(s, NULL);
        CHECK_INT(t.count, box ? 4 : 2);
        check_consistent(&t);
        for (int k = 0; k < t.count; k++)
            CHECK_NEAR(t.touch[k].gap, 0.0005, 1e-12);
        plait_touches_free(&t);
    }
    // A ball that falls through the sheet is seen.
    s->shape[0] = (plait_shape){.kind = PLAIT_SHAPE_SPHERE, .size = {0.01}};
    s->geometry[0].start.x[2] = 0.3, s->geometry[0].end.x[2] = -0.3;
    s->scenery.mode = PLAIT_DETECT_BOTH;
    t = scene_detect(s, NULL);
    if (CHECK_INT(t.count, 1))
        CHECK_NEAR(t.touch[0].gap, 0.29, 1e-6);
    plait_touches_free(&t);
    scene_free(s);
}

// A capsule across a ridge, its ends in the air: one contact, in its middle.
CASE(a_capsule_across_a_ridge)
{
    static const double point[18] = {-1, 0, 0, 1, 0, 0, -1, 1, -1, 1, 1, -1, -1, -1, -1, 1, -1, -1};
    static const int triangle[12] = {0, 1, 3, 0, 3, 2, 1, 0, 4, 1, 4, 5};
    for (int k = 0; k < 2; k++) {
        double above = k ? 0.0003 : -0.0003, half[3] = {M_PI / 2, 0, 0}; // the axis along y
        scene *s = empty();
        add(s, PLAIT_SHAPE_CAPSULE, 0.1, 0.2, 0, 0.13, 0, 0.1 + above, true);
        plait_quat_exp(half, s->geometry[0].start.q);
        s->geometry[0].end = s->geometry[0].start;
        plait_shape *mesh = scene_shape(s, PLAIT_SHAPE_MESH, 0, 0, 0, (double[3]){0, 0, 0});
        mesh->points = 6, mesh->triangles = 4;
        mesh->point = (double *)(uintptr_t)point, mesh->triangle = (int *)(uintptr_t)triangle;
        s->geometry[1].point0 = s->geometry[1].point1 = point;
        plait_touches t = scene_detect(s, NULL);
        if (CHECK_INT(t.count, 1)) {
            CHECK_NEAR(t.touch[0].gap, above, 1e-9);
            CHECK_NEAR(t.touch[0].normal[2], 1, 1e-9);
            CHECK_NEAR(t.touch[0].side[1].point[1], 0, 1e-9);
        }
        check_consistent(&t);
        plait_touches_free(&t);
        scene_free(s);
    }
}

// A corner of a mesh that points into a box, far from the box's own corners; other triangles are elsewhere.
CASE(a_corner_of_a_mesh_in_a_box)
{
    static const double point[27] = {5,    5,     -5,     6,   5, -5, 5,  6,   -5,  // of the first triangle
                                     0.02, -0.03, 0.0003, 0.5, 0, -1, 0,  0.5, -1,  // of the second
                                     -5,   5,     -5,     -6,  5, -5, -5, 6,   -5}; // of the third
    static const int triangle[9] = {0, 1, 2, 3, 4, 5, 6, 7, 8};
    scene *s = empty();
    add(s, PLAIT_SHAPE_BOX, 0.1, 0.1, 0.1, 0, 0, 0.1, true);
    plait_shape *mesh = scene_shape(s, PLAIT_SHAPE_MESH, 0, 0, 0, (double[3]){0, 0, 0});
    mesh->points = 9, mesh->triangles = 3;
    mesh->point = (double *)(uintptr_t)point, mesh->triangle = (int *)(uintptr_t)triangle;
    s->geometry[1].point0 = s->geometry[1].point1 = point;
    plait_touches t = scene_detect(s, NULL);
    if (CHECK_INT(t.count, 1)) {
        CHECK_NEAR(t.touch[0].gap, -0.0003, 1e-12);
        CHECK_NEAR(t.touch[0].normal[2], 1, 1e-12);
        CHECK_NEAR(t.touch[0].side[0].point[0], 0.02, 1e-9);
        CHECK_NEAR(t.touch[0].side[0].point[1], -0.03, 1e-9);
    }
    check_consistent(&t);
    plait_touches_free(&t);
    scene_free(s);
}

CASE(chain_on_a_free_body_comes_first)
{
    scene *s = empty();
    scene_line(s, 2, (double[3]){-0.2, 0, 0.105}, (double[3]){0.2, 0, 0.105}, 0.005);
    add(s, PLAIT_SHAPE_SPHERE, 0.1, 0, 0, 0, 0, 0, true);
    s->geometry[0].end.x[2] = 0.01;
    plait_touches t = scene_detect(s, NULL);
    if (CHECK_INT(t.count, 1)) {
        CHECK(!t.touch[0].side[0].on_shape && t.touch[0].side[1].on_shape);
        CHECK_NEAR(t.touch[0].gap, 0, 1e-12);
        CHECK_NEAR(t.touch[0].side[1].move[2], 0, 0); // what it does is for the solver to find
    }
    plait_touches_free(&t);
    scene_free(s);
}

CASE(box_across_a_curve_and_a_cylinder)
{
    scene *s = empty();
    static double wire[6] = {-1, 0.02, 0, 1, 0.02, 0};
    add(s, PLAIT_SHAPE_BOX, 0.1, 0.1, 0.1, 0, 0, 0.1103, true);
    plait_shape *curve = scene_shape(s, PLAIT_SHAPE_CURVE, 0.01, 0, 0, (double[3]){0, 0, 0});
    curve->points = 2, curve->point = wire;
    s->geometry[1].point0 = s->geometry[1].point1 = wire;
    plait_touches t = scene_detect(s, NULL);
    if (CHECK_INT(t.count, 1)) {
        CHECK_NEAR(t.touch[0].gap, 0.0003, 1e-9);
        CHECK_NEAR(t.touch[0].normal[2], 1, 1e-9);
        CHECK_INT(t.touch[0].side[0].index, 0);
    }
    check_consistent(&t);
    plait_touches_free(&t);
    // On a lying cylinder: at least one contact near the top of it, none elsewhere.
    s->shape[1] = (plait_shape){.kind = PLAIT_SHAPE_CYLINDER, .size = {0.05, 0.5}};
    double x[3] = {M_PI / 2, 0, 0};
    s->geometry[1].start.x[2] = -0.04;
    plait_quat_exp(x, s->geometry[1].start.q);
    s->geometry[1].end = s->geometry[1].start;
    t = scene_detect(s, NULL);
    CHECK(t.count > 0);
    for (int k = 0; k < t.count; k++)
        CHECK(t.touch[k].gap < 0.002 && t.touch[k].normal[2] > 0.9);
    check_consistent(&t);
    plait_touches_free(&t);
    scene_free(s);
}
