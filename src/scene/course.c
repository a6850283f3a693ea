// course.c: a load's factor at a time.
#include <math.h>

#include "base/elementary.h"
#include "plait/scene.h"

static double in_table(const plait_course *c, double t)
{
    int lo = 0, hi = c->points - 1;
    if (t <= c->time[0])
        return c->value[0];
    if (t >= c->time[hi])
        return c->value[hi];
    while (hi - lo > 1) {
        int middle = (lo + hi) / 2;
        *(c->time[middle] <= t ? &lo : &hi) = middle;
    }
    double part = (t - c->time[lo]) / (c->time[hi] - c->time[lo]);
    return c->value[lo] + part * (c->value[hi] - c->value[lo]);
}

double plait_course_at(const plait_course *c, double t)
{
    // A step that ends at `start` is before it, one that ends at `stop` is not after it, whatever rounding says.
    double little = 1e-12 * (1 + fabs(t));
    bool on = t > c->start + little && t <= c->stop + little;
    switch (c->kind) {
    case PLAIT_COURSE_RAMP:
        return t <= c->start ? 0 : t >= c->stop ? 1 : (t - c->start) / (c->stop - c->start);
    case PLAIT_COURSE_SINE:
        return on ? plait_sin(2 * M_PI * c->frequency * (t - c->start) + c->phase) : 0;
    case PLAIT_COURSE_TABLE:
        return in_table(c, t);
    default:
        return on ? 1 : 0;
    }
}
