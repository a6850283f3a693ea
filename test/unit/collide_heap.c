// collide_heap.c: no heap call in detection after the first; memory that runs out; time grows with the number of links.
#include "check.h"
#include "collide_scene.h"
#include "heap.h"

static const double sheet_point[12] = {0, 0, 0.05, 0.2, 0, 0.05, 0.2, 0.2, 0.05, 0, 0.2, 0.05};
static const int sheet_triangle[6] = {0, 1, 2, 0, 2, 3};

// Something of everything.
static scene *everything(int chains)
{
    scene *s = scene_random(11, chains, 12, 0.2, 0.006, 0.001, 0.002);
    s->scenery.proximity = 0.0005, s->scenery.mode = PLAIT_DETECT_BOTH;
    for (int c = 0; c < chains; c++)
        s->chain[c].self_arc = 0.02;
    scene_shape(s, PLAIT_SHAPE_SPHERE, 0.05, 0, 0, (double[3]){0.1, 0.1, 0.1});
    scene_shape(s, PLAIT_SHAPE_BOX, 0.02, 0.03, 0.02, (double[3]){0.05, 0.05, 0.07});
    s->geometry[0].moves_freely = s->geometry[1].moves_freely = true;
    plait_shape *mesh = scene_shape(s, PLAIT_SHAPE_MESH, 0, 0, 0, (double[3]){0, 0, 0});
    mesh->points = 4, mesh->triangles = 2;
    mesh->point = (double *)(uintptr_t)sheet_point, mesh->triangle = (int *)(uintptr_t)sheet_triangle;
    s->geometry[2].point0 = s->geometry[2].point1 = sheet_point;
    plait_shape *wire = scene_shape(s, PLAIT_SHAPE_CURVE, 0.002, 0, 0, (double[3]){0, 0, 0});
    wire->points = 4, wire->point = (double *)(uintptr_t)sheet_point;
    s->geometry[3].point0 = s->geometry[3].point1 = sheet_point;
    return s;
}

CASE(detection_calls_no_heap)
{
    if (!COUNTS)
        SKIP("heap calls cannot be counted here");
    scene *s = everything(100);
    plait_detector *d = plait_detector_new();
    plait_touches now = {0}, old = {0}, missed = {0};
    for (int step = 0; step < 12; step++) {
        long before = calls;
        CHECK_INT(plait_detect(d, &s->scenery, &old, &now, NULL), PLAIT_OK);
        CHECK_INT(plait_detect_crossings(d, &s->scenery, 0, &now, &missed, NULL), PLAIT_OK);
        if (step > 2)
            CHECK_INT(calls - before, 0);
        plait_touches swap = old;
        old = now, now = swap;
    }
    CHECK(old.count > 100 && missed.count > 0);
    plait_touches_free(&now), plait_touches_free(&old), plait_touches_free(&missed);
    plait_detector_free(d);
    scene_free(s);
}

static plait_status once(scene *s, plait_broad broad, plait_error *error)
{
    plait_detector *d = plait_detector_new();
    plait_touches now = {0}, missed = {0};
    plait_status status = PLAIT_NO_MEMORY;
    if (d) {
        plait_detector_set_broad(d, broad);
        status = plait_detect(d, &s->scenery, NULL, &now, error);
        if (!status)
            status = plait_detect_crossings(d, &s->scenery, 0, &now, &missed, error);
    }
    plait_detector_free(d);
    plait_touches_free(&now), plait_touches_free(&missed);
    return status;
}

CASE(memory_that_runs_out)
{
    if (!COUNTS)
        SKIP("heap calls cannot be counted here");
    scene *s = everything(30);
    for (plait_broad broad = PLAIT_BROAD_GRID; broad <= PLAIT_BROAD_BVH; broad++) {
        long before = calls, alive = live;
        CHECK_INT(once(s, broad, NULL), PLAIT_OK);
        long needed = calls - before;
        CHECK(needed > 10);
        CHECK_INT(live, alive);
        for (long k = 1; k <= needed; k++) {
            fail_at = calls + k;
            plait_status status = once(s, broad, NULL);
            fail_at = 0;
            CHECK_INT(status, PLAIT_NO_MEMORY);
            CHECK_INT(live, alive);
        }
    }
    scene_free(s);
}

CASE(work_grows_with_the_number_of_links)
{
    // At the same density; four times the chains may have little more than four times the candidates.
    double candidates[2];
    for (int k = 0; k < 2; k++) {
        int chains = k ? 2000 : 500;
        scene *s = scene_random(1, chains, 20, 0.3 * cbrt(chains / 500.0), 0.01, 0.0005, 0);
        s->scenery.proximity = 0.0002;
        plait_detector *d = plait_detector_new();
        plait_touches t = {0};
        CHECK_INT(plait_detect(d, &s->scenery, NULL, &t, NULL), PLAIT_OK);
        candidates[k] = (double)plait_detector_get_stats(d).candidates;
        CHECK_INT(plait_detector_get_stats(d).broad, PLAIT_BROAD_GRID);
        plait_touches_free(&t);
        plait_detector_free(d);
        scene_free(s);
    }
    CHECK(candidates[1] < 5 * candidates[0]);
}
