// clock.h: time that has passed, in seconds from an arbitrary start.
#ifndef PLAIT_BASE_CLOCK_H
#define PLAIT_BASE_CLOCK_H

#include <time.h>

static inline double plait_clock_read(clockid_t id)
{
    struct timespec t;
    if (clock_gettime(id, &t))
        return 0;
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// Wall clock; never jumps back.
static inline double plait_clock_wall(void)
{
    return plait_clock_read(CLOCK_MONOTONIC);
}

// CPU time of the calling thread.
static inline double plait_clock_thread(void)
{
    return plait_clock_read(CLOCK_THREAD_CPUTIME_ID);
}

// CPU time of the process, all threads together.
static inline double plait_clock_process(void)
{
    return plait_clock_read(CLOCK_PROCESS_CPUTIME_ID);
}

#endif
