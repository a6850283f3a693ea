// stop.h: whether a computation has to end: its caller asked for it, or its time is over.
//
// One of these belongs to a computation and is looked at by all of its threads. Once it has said yes it always does.
// Time is counted in seconds of CPU where one thread does all the work, so that a busy machine does not take any of it
// away.
#ifndef PLAIT_BASE_STOP_H
#define PLAIT_BASE_STOP_H

#include <stdatomic.h>
#include <stdbool.h>

typedef struct plait_stop {
    bool (*asked)(void *data); // NULL: nobody asks. Called often and from any thread
    void *data;
    double start, seconds; // on the clock; INFINITY: no limit
    bool cpu;              // the clock is that of the calling thread
    double helped;         // CPU seconds that threads of its own have spent for it
    atomic_bool now;
} plait_stop;

// seconds <= 0: no limit. one_thread: no other thread will look at it or work for it, but for those it is told of.
void plait_stop_start(plait_stop *stop, bool (*asked)(void *data), void *data, double seconds, bool one_thread);

// NULL never stops.
bool plait_stop_now(plait_stop *stop);

// The same, while another thread has worked `helping` CPU seconds for the calling one.
bool plait_stop_helped(plait_stop *stop, double helping);

#endif
