// parallel.h: loops and sums over threads whose results do not depend on the number of threads.
//
// A loop over n items is cut into chunks whose bounds depend on n alone. Threads take chunks in any order, but each
// chunk is worked through in order by one thread, and the partial sums of the chunks are added in the order of the
// chunks: a sum is the same to the last bit for any thread count.
#ifndef PLAIT_BASE_PARALLEL_H
#define PLAIT_BASE_PARALLEL_H

#include <omp.h>
#include <stdint.h>

#include "base/team.h"

enum {
    PLAIT_CHUNK_MIN = 2048, // items: less is not worth the start of a thread
    PLAIT_CHUNK_COUNT = 256 // at most; partial sums fit on the stack
};

static inline int plait_chunk_count(int64_t n)
{
    int64_t count = (n + PLAIT_CHUNK_MIN - 1) / PLAIT_CHUNK_MIN;
    return (int)(count < PLAIT_CHUNK_COUNT ? count : PLAIT_CHUNK_COUNT);
}

// First item of chunk k out of count; chunk k ends where chunk k + 1 begins. n < 2^55.
static inline int64_t plait_chunk_begin(int64_t n, int count, int k)
{
    return count ? n * k / count : 0;
}

// body(begin, end, data) for every chunk. Bodies of different chunks must not write to the same place.
static inline void plait_parallel_for(int64_t n, plait_team team, void (*body)(int64_t begin, int64_t end, void *data),
                                      void *data)
{
    int count = plait_chunk_count(n);
    if (count == 1) { // entering a parallel region costs more than such a loop, even for one thread
        body(0, n, data);
        return;
    }
#pragma omp parallel for schedule(dynamic, 1) num_threads(team.threads) if (team.threads > 1)
    for (int k = 0; k < count; k++)
        body(plait_chunk_begin(n, count, k), plait_chunk_begin(n, count, k + 1), data);
}

// part(begin, end, data) of the chunks first .. last - 1 of n items, into parts[chunk]. Items are counted from `origin`
// on: where a process has only some of them in its memory.
static inline void plait_parallel_parts(int64_t n, int first, int last, int64_t origin, plait_team team,
                                        double (*part)(int64_t begin, int64_t end, const void *data), const void *data,
                                        double *parts)
{
    int count = plait_chunk_count(n);
    if (last - first < 2) { // no parallel region, as above
        if (last > first)
            parts[first] = part(plait_chunk_begin(n, count, first) - origin,
                                plait_chunk_begin(n, count, last) - origin, data);
        return;
    }
#pragma omp parallel for schedule(static) num_threads(team.threads) if (team.threads > 1)
    for (int k = first; k < last; k++)
        parts[k] = part(plait_chunk_begin(n, count, k) - origin, plait_chunk_begin(n, count, k + 1) - origin, data);
}

// The sum of all parts of n items, in their order.
static inline double plait_parallel_total(int64_t n, const double *parts)
{
    int count = plait_chunk_count(n);
    double sum = 0;
    for (int k = 0; k < count; k++)
        sum += parts[k];
    return count == 1 ? parts[0] : sum;
}

// Sum of part(begin, end, data) over the chunks.
static inline double plait_parallel_sum(int64_t n, plait_team team,
                                        double (*part)(int64_t begin, int64_t end, const void *data), const void *data)
{
    double parts[PLAIT_CHUNK_COUNT];
    plait_parallel_parts(n, 0, plait_chunk_count(n), 0, team, part, data, parts);
    return plait_parallel_total(n, parts);
}

#endif
