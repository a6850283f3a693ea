// Moving meshes are baked at equal intervals: those of their samples, whose times are often in single precision. What
// this leaves of an interval must not add up and cut off the end; samples that are not equally spaced keep the
// shortest interval.
#include <math.h>
#include <stdlib.h>

#include "check.h"
#include "file/figure.h"

static bool pose(void *self, double time, double *x)
{
    (void)self;
    x[0] = time, x[1] = x[2] = 0;
    return true;
}

static plait_shape bake(const double *time, int count)
{
    plait_error error = {0};
    plait_mesh_builder b = {.name = "test", .error = &error};
    plait_shape shape = {0};
    plait_figure f = {.pose = pose, .points = 1, .first = INFINITY, .last = -INFINITY, .step = INFINITY};
    plait_figure_widen(time, (size_t)count, &f.first, &f.last, &f.step);
    CHECK(plait_figure_bake(&f, &b, &shape));
    free(b.point);
    return shape;
}

CASE(times_in_single_precision_are_equally_spaced)
{
    enum { MOST = 2401 };
    static double time[MOST];
    static const struct {
        double first, rate;
        int frames;
    } motions[] = {{0, 24, 241}, {0, 24, 2401}, {41.7, 30, 301}, {0, 29.97, 601}, {0, 60, 1201}, {0, 25, 6}};
    for (size_t i = 0; i < sizeof motions / sizeof *motions; i++) {
        int n = motions[i].frames;
        for (int k = 0; k < n; k++)
            time[k] = (float)(motions[i].first + k / motions[i].rate);
        plait_shape s = bake(time, n);
        CHECK_INT(s.frames, n);
        CHECK_NEAR(s.frame_time, 1 / motions[i].rate, 1e-7 * s.frame_time * n);
        for (int k = 0; k < s.frames; k++)
            CHECK_NEAR(s.frame[3 * k], time[k], 1e-6 * time[n - 1]);
        free(s.frame);
    }
}

CASE(other_times_keep_their_shortest_interval)
{
    const double time[] = {0, 0.1, 0.14, 0.35};
    plait_shape s = bake(time, 4);
    CHECK_NEAR(s.frame_time, 0.04, 1e-15);
    CHECK_INT(s.frames, 9);
    free(s.frame);
}
