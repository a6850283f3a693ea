// sim_rest.c: what overlaps at the start may stay as near as it was, and nothing is lost by that elsewhere.
#include <math.h>
#include <string.h>

#include "check.h"
#include "plait/plait.h"
#include "shape/holes.h"
#include "sim/sim.h"

enum { STRANDS = 6 };
static const double RADIUS = 0.5e-3;

// Strands that lean against each other at less than two radii, cross, and one that starts in a ball.
static plait_scene *make(plait_overlaps overlaps, plait_start start)
{
    plait_scene *s = plait_scene_new();
    plait_material rod = plait_default_material();
    rod.damping = 5e-3;
    CHECK_INT(plait_scene_add_material(s, "hair", &rod, 0.3), 0);
    s->material[0].contact_radius = RADIUS;
    CHECK_INT(plait_scene_add_collider(s, "ball", PLAIT_SHAPE_SPHERE), 0);
    s->collider[0].shape.size[0] = 0.01;
    s->collider[0].position[0] = 0.03, s->collider[0].position[1] = 0.1;
    for (int i = 0; i < STRANDS; i++) {
        double y = i < 3 ? 0.6 * RADIUS * i : 0.1, z = i == 2 ? 0.004 : 0;
        double x[6] = {0, y, z, 0.06, i == 2 ? -y : y, z + 0.01};
        if (i >= 3)
            x[1] = x[4] = 0.1 + 0.003 * (i - 3), x[2] = 0.007, x[5] = 0.0105;
        int f = plait_scene_add_fibre(s, PLAIT_ROD_DER, 0, 2, x);
        s->fibre[f].segments = 12, s->fibre[f].end[0] = PLAIT_END_CLAMPED;
        s->fibre[f].start = start, s->fibre[f].keeps = start == PLAIT_START_HELD;
    }
    s->detecting.overlaps = overlaps;
    s->stepping.dt = 2e-3;
    return s;
}

// The largest distance of a node from its start after `steps`.
static double drift(plait_scene *scene, int steps, int *overlaps)
{
    plait_error error = {0};
    plait_sim *sim = plait_sim_new(scene, &error);
    if (!CHECK(sim != NULL)) {
        printf("%s\n", error.text);
        return INFINITY;
    }
    int nodes = plait_sim_first_node(sim)[STRANDS];
    double *x = malloc(6 * (size_t)nodes * sizeof *x), *y = x + 3 * nodes, worst = 0;
    *overlaps = sim->model.rest.count;
    plait_sim_positions(sim, x);
    plait_sim_report report;
    for (int k = 0; k < steps; k++)
        CHECK(plait_sim_step(sim, INFINITY, &report, &error) == PLAIT_OK && !report.failed);
    plait_sim_positions(sim, y);
    for (int i = 0; i < 3 * nodes; i++)
        worst = fmax(worst, fabs(y[i] - x[i]));
    free(x);
    plait_sim_free(sim);
    plait_scene_free(scene);
    return worst;
}

CASE(held_strands_that_overlap_stay)
{
    int overlaps;
    CHECK_NEAR(drift(make(PLAIT_OVERLAPS_AUTO, PLAIT_START_HELD), 100, &overlaps), 0, 1e-9);
    CHECK(overlaps > 5);
    CHECK(drift(make(PLAIT_OVERLAPS_PUSH, PLAIT_START_HELD), 100, &overlaps) > 1e-4);
    CHECK_INT(overlaps, 0);
    CHECK(drift(make(PLAIT_OVERLAPS_AUTO, PLAIT_START_DRAWN), 100, &overlaps) > 1e-3);
    CHECK_INT(overlaps, 0);
    drift(make(PLAIT_OVERLAPS_KEEP, PLAIT_START_DRAWN), 1, &overlaps);
    CHECK(overlaps > 5);
}

// Two rods that start overlapping by a fifth: pressed together they come no nearer, pulled apart they are free, and
// elsewhere along them they touch as others do.
CASE(no_nearer_than_at_the_start)
{
    plait_scene *s = make(PLAIT_OVERLAPS_KEEP, PLAIT_START_DRAWN);
    plait_error error = {0};
    memset(s->gravity, 0, sizeof s->gravity);
    plait_sim *sim = plait_sim_new(s, &error);
    plait_sim_report report;
    int first = plait_sim_first_node(sim)[1], nodes = plait_sim_first_node(sim)[STRANDS];
    double *x = malloc(3 * (size_t)nodes * sizeof *x), least = INFINITY;
    for (int k = 0; k < 100; k++) {
        plait_rod_set_force(plait_sim_rod(sim, 1), 12, (double[3]){0, -1e-5, 0});
        CHECK(plait_sim_step(sim, INFINITY, &report, &error) == PLAIT_OK && !report.failed);
        plait_sim_positions(sim, x);
        for (int i = 1; i < 12; i++) // both are bent alike, so nodes face each other
            least = fmin(least, x[3 * (first + i) + 1] - x[3 * i + 1]);
    }
    CHECK(least > 0.58 * RADIUS);
    CHECK(x[3 * (first + 12) + 1] < -1e-3); // it was pressed, and the other one gave way
    free(x);
    plait_sim_free(sim);
    plait_scene_free(s);
}

CASE(places_follow_their_fibres)
{
    plait_scene *s = make(PLAIT_OVERLAPS_AUTO, PLAIT_START_HELD);
    plait_error error = {0};
    plait_sim *sim = plait_sim_new(s, &error);
    plait_sim_report report;
    int before = sim->model.rest.count, gone = 3;
    CHECK_INT(plait_sim_remove_fibres(sim, 1, &gone, &error), PLAIT_OK);
    CHECK(sim->model.rest.count < before);
    CHECK(sim->model.rest.count > 0);
    double *x = malloc(6 * (size_t)plait_sim_first_node(sim)[STRANDS - 1] * sizeof *x);
    int numbers = 3 * plait_sim_first_node(sim)[STRANDS - 1];
    plait_sim_positions(sim, x);
    for (int k = 0; k < 20; k++)
        CHECK(plait_sim_step(sim, INFINITY, &report, &error) == PLAIT_OK && !report.failed);
    plait_sim_positions(sim, x + numbers);
    double worst = 0;
    for (int i = 0; i < numbers; i++)
        worst = fmax(worst, fabs(x[i] - x[numbers + i]));
    CHECK_NEAR(worst, 0, 1e-9);
    free(x);
    plait_sim_free(sim);
    plait_scene_free(s);
}

// ---- holes -------------------------------------------------------------------------------------------------------

// A cube of eight vertices whose triangles are cut off from `kept` on, inside out if asked for.
static plait_shape cube(int kept, bool inside_out)
{
    static const int t[36] = {0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4,
                              2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5};
    plait_shape s = {.kind = PLAIT_SHAPE_MESH, .points = 8, .triangles = kept, .frames = 2, .frame_time = 1};
    s.point = malloc(24 * sizeof *s.point), s.triangle = malloc(36 * sizeof *s.triangle);
    s.frame = malloc(48 * sizeof *s.frame);
    for (int i = 0; i < 24; i++) {
        s.point[i] = i / 3 >> i % 3 & 1;
        s.frame[i] = s.point[i], s.frame[24 + i] = s.point[i] + (i % 3 == 2);
    }
    for (int i = 0; i < 3 * kept; i++)
        s.triangle[i] = t[inside_out && i % 3 ? i + (i % 3 == 1 ? 1 : -1) : i];
    return s;
}

static void release(plait_shape *s)
{
    free(s->point), free(s->triangle), free(s->frame);
}

static double volume(const plait_shape *s, const double *x)
{
    double sum = 0;
    for (int t = 0; t < s->triangles; t++) {
        const double *a = x + 3 * s->triangle[3 * t], *b = x + 3 * s->triangle[3 * t + 1],
                     *c = x + 3 * s->triangle[3 * t + 2];
        sum += a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) +
               a[2] * (b[0] * c[1] - b[1] * c[0]);
    }
    return sum / 6;
}

CASE(holes_are_filled)
{
    for (int out = 0; out < 2; out++) {
        plait_shape s = cube(10, out); // one side is missing
        CHECK_INT(plait_shape_fill_holes(&s, 0.1), PLAIT_HOLES_LARGE);
        CHECK_INT(s.points, 8);
        CHECK(!s.closed);
        CHECK_INT(plait_shape_fill_holes(&s, 0.25), PLAIT_HOLES_FILLED);
        CHECK_INT(s.points, 9);
        CHECK_INT(s.triangles, 14);
        CHECK(s.closed);
        CHECK_NEAR(volume(&s, s.point), 1, 1e-12);
        CHECK_NEAR(volume(&s, s.frame + 27), 1, 1e-12);
        CHECK_NEAR(s.frame[27 + 26], 1.5, 1e-12); // the middle goes with the rim
        release(&s);
    }
    plait_shape s = cube(12, false);
    CHECK_INT(plait_shape_fill_holes(&s, 0), PLAIT_HOLES_FILLED); // nothing to do
    CHECK_INT(s.triangles, 12);
    memcpy(s.triangle + 33, s.triangle, 3 * sizeof *s.triangle); // a triangle twice
    CHECK_INT(plait_shape_fill_holes(&s, INFINITY), PLAIT_HOLES_TANGLED);
    release(&s);
}
