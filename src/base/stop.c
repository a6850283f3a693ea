#include "base/stop.h"

#include <math.h>
#include <stddef.h>

#include "base/clock.h"

static double clock_of(const plait_stop *stop)
{
    return stop->cpu ? plait_clock_thread() : plait_clock_wall();
}

void plait_stop_start(plait_stop *stop, bool (*asked)(void *data), void *data, double seconds, bool one_thread)
{
    stop->asked = asked, stop->data = data;
    stop->cpu = one_thread, stop->helped = 0;
    stop->seconds = seconds > 0 ? seconds : INFINITY;
    stop->start = clock_of(stop);
    atomic_init(&stop->now, false);
}

bool plait_stop_helped(plait_stop *stop, double helping)
{
    if (!stop)
        return false;
    if (atomic_load_explicit(&stop->now, memory_order_relaxed))
        return true;
    bool late = stop->seconds < INFINITY &&
                clock_of(stop) - stop->start + (stop->cpu ? stop->helped + helping : 0) > stop->seconds;
    if (!late && !(stop->asked && stop->asked(stop->data)))
        return false;
    atomic_store_explicit(&stop->now, true, memory_order_relaxed);
    return true;
}

bool plait_stop_now(plait_stop *stop)
{
    return plait_stop_helped(stop, 0);
}
