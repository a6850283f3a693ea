// sim_bind.c: ends that are bound to a triangle of an animated mesh follow it: place, direction, velocity.
#include <math.h>
#include <string.h>

#include "check.h"
#include "plait/plait.h"

enum { FRAMES = 11 };
static const double FRAME_TIME = 0.02;

// A square of skin, 0.1 m wide, as two triangles.
static const double square[12] = {-0.05, -0.05, 0, 0.05, -0.05, 0, 0.05, 0.05, 0, -0.05, 0.05, 0};
static const int triangles[6] = {0, 1, 2, 0, 2, 3};

typedef void motion(double t, const double x[3], double y[3]);

static void sink(double t, const double x[3], double y[3])
{
    y[0] = x[0], y[1] = x[1], y[2] = x[2] - 0.25 * t;
}

// Turns about z by 3 rad/s and rises: as fast as a head does.
static void turn(double t, const double x[3], double y[3])
{
    double c = cos(3 * t), s = sin(3 * t);
    y[0] = c * x[0] - s * x[1], y[1] = s * x[0] + c * x[1], y[2] = x[2] + 0.1 * t;
}

static plait_scene *make(motion *move, plait_bind bind, double height)
{
    plait_scene *s = plait_scene_new();
    plait_material rod = plait_default_material();
    rod.radius[0] = rod.radius[1] = 1e-4;
    CHECK_INT(plait_scene_add_material(s, "hair", &rod, 0.3), 0);
    CHECK_INT(plait_scene_add_collider(s, "skin", PLAIT_SHAPE_MESH), 0);
    plait_shape *m = &s->collider[0].shape;
    m->points = 4, m->triangles = 2, m->frames = FRAMES, m->frame_time = FRAME_TIME;
    m->point = malloc(sizeof square), m->triangle = malloc(sizeof triangles);
    m->frame = malloc(FRAMES * sizeof square);
    memcpy(m->point, square, sizeof square), memcpy(m->triangle, triangles, sizeof triangles);
    for (int k = 0; k < FRAMES; k++)
        for (int i = 0; i < 4; i++)
            move(k * FRAME_TIME, square + 3 * i, m->frame + 12 * k + 3 * i);
    for (int i = 0; i < 3; i++) {
        double x[6] = {0.01 * (i + 1), 0.02 - 0.015 * i, height, 0.01 * (i + 1), 0.02 - 0.015 * i, height + 0.05};
        int f = plait_scene_add_fibre(s, PLAIT_ROD_DER, 0, 2, x);
        s->fibre[f].segments = 6;
        s->fibre[f].end[0] = PLAIT_END_CLAMPED, s->fibre[f].attach[0] = 0, s->fibre[f].bind[0] = bind;
    }
    s->stepping.dt = 2e-3;
    return s;
}

// Steps to t = 0.16 in the middle of the frames; x: all nodes. The largest distance of a root from where it belongs.
static double follow(motion *move, plait_bind bind, double height, bool *bound, double *speed)
{
    plait_scene *s = make(move, bind, height);
    plait_error error = {0};
    plait_sim *sim = plait_sim_new(s, &error);
    CHECK(sim != NULL);
    plait_sim_binding b;
    double worst = 0, x[63], v[63], now[12];
    *bound = plait_sim_end_binding(sim, 0, 0, &b);
    while (plait_sim_time(sim) < 0.16 - 1e-9) {
        plait_sim_report report;
        CHECK_INT(plait_sim_step(sim, 0.16, &report, &error), PLAIT_OK);
        CHECK(!report.failed);
        plait_sim_positions(sim, x);
        plait_sim_collider_points(sim, 0, now);
        for (int i = 0; i < 3; i++) { // the same weights in the patch as it is now, and the height along its normal
            double a = (0.05 + 0.01 * (i + 1)) / 0.1, c = (0.05 + 0.02 - 0.015 * i) / 0.1, far = 0;
            for (int k = 0; k < 3; k++) {
                double e = now[3 + k] - now[k], f = now[9 + k] - now[k];
                double d = x[21 * i + k] - (now[k] + a * e + c * f + (k == 2 ? height : 0));
                far += d * d;
            }
            worst = fmax(worst, sqrt(far));
        }
    }
    plait_sim_velocities(sim, v);
    *speed = v[2];
    plait_sim_free(sim);
    plait_scene_free(s);
    return worst;
}

CASE(roots_follow)
{
    bool bound;
    double speed;
    CHECK(follow(sink, PLAIT_BIND_AUTO, 1e-3, &bound, &speed) < 1e-12);
    CHECK(bound);
    CHECK_REL(speed, -0.25, 1e-6);
    CHECK(follow(turn, PLAIT_BIND_AUTO, 1e-3, &bound, &speed) < 1e-12);
    CHECK_REL(speed, 0.1, 1e-6);
    CHECK(follow(turn, PLAIT_BIND_CELL, 5e-3, &bound, &speed) < 1e-12);
    // To the frame, which does not move here: the old place.
    CHECK(follow(sink, PLAIT_BIND_BODY, 1e-3, &bound, &speed) > 0.03);
    CHECK(!bound);
    CHECK_NEAR(speed, 0, 1e-12);
}

CASE(directions_follow)
{
    // A quarter turn about x in 0.1 s: what stood upright lies down; without gravity it follows as it is.
    plait_scene *s = make(sink, PLAIT_BIND_AUTO, 1e-3);
    plait_shape *m = &s->collider[0].shape;
    for (int k = 0; k < FRAMES; k++)
        for (int i = 0; i < 4; i++) {
            double a = fmin(k * FRAME_TIME / 0.1, 1) * M_PI / 2, *y = m->frame + 12 * k + 3 * i;
            y[0] = square[3 * i], y[1] = cos(a) * square[3 * i + 1], y[2] = sin(a) * square[3 * i + 1];
        }
    for (int i = 0; i < 3; i++)
        s->fibre[i].end[0] = PLAIT_END_EDGE; // holds the direction of the first edge exactly
    s->gravity[2] = 0;
    plait_error error = {0};
    plait_sim *sim = plait_sim_new(s, &error);
    CHECK(sim != NULL);
    plait_sim_binding b;
    CHECK(plait_sim_end_binding(sim, 0, 0, &b) && !plait_sim_end_binding(sim, 0, 1, &b));
    CHECK(plait_sim_end_binding(sim, 2, 0, &b));
    CHECK_INT(b.collider, 0);
    CHECK_INT(b.triangle, 0); // (0.03, -0.01): below the diagonal
    CHECK_REL(b.distance, 1e-3, 1e-12);
    CHECK_REL(b.weight[0] + b.weight[1] + b.weight[2], 1, 1e-14);
    while (plait_sim_time(sim) < 0.1 - 1e-9) {
        plait_sim_report report;
        CHECK_INT(plait_sim_step(sim, 0.1, &report, &error), PLAIT_OK);
    }
    double x[63];
    plait_sim_positions(sim, x);
    for (int i = 0; i < 3; i++) { // normal is -y now; the held first edge points along it
        const double *p = x + 21 * i;
        CHECK_NEAR(p[0], 0.01 * (i + 1), 1e-12);
        CHECK_NEAR(p[1], -1e-3, 1e-12);
        CHECK_NEAR(p[2], 0.02 - 0.015 * i, 1e-12);
        double e[3] = {p[3] - p[0], p[4] - p[1], p[5] - p[2]}, size = sqrt(e[0] * e[0] + e[1] * e[1] + e[2] * e[2]);
        CHECK_REL(e[1] / size, -1, 1e-9);
    }
    plait_sim_free(sim);
    plait_scene_free(s);
}

CASE(refused)
{
    plait_scene *s = make(sink, PLAIT_BIND_CELL, 1e-3);
    plait_error error = {0};
    s->collider[0].shape.kind = PLAIT_SHAPE_SPHERE, s->collider[0].shape.size[0] = 1;
    s->collider[0].shape.triangles = 0, s->collider[0].shape.frames = 0;
    CHECK_INT(plait_scene_check(s, &error), PLAIT_BAD_INPUT);
    CHECK(strstr(error.text, "bound to a cell of 'skin', which has none") != NULL);
    s->fibre[0].bind[0] = (plait_bind)7;
    CHECK_INT(plait_scene_check(s, &error), PLAIT_BAD_INPUT);
    plait_scene_free(s);
}
