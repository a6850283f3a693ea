// sort.h: a stable sort of keys that carry an index.
#ifndef PLAIT_COLLIDE_SORT_H
#define PLAIT_COLLIDE_SORT_H

#include <stdint.h>
#include <string.h>

typedef struct plait_key_item {
    uint64_t key;
    int64_t item;
} plait_key_item;

// Ascending; equal keys keep their order. Runs of 16 by insertion, then merged; `spare` is as long as x.
static inline void plait_sort_keys(plait_key_item *x, int64_t n, plait_key_item *spare)
{
    enum { RUN = 16 };
    for (int64_t begin = 0; begin < n; begin += RUN) {
        int64_t end = begin + RUN < n ? begin + RUN : n;
        for (int64_t i = begin + 1; i < end; i++) {
            plait_key_item moved = x[i];
            int64_t k = i;
            for (; k > begin && x[k - 1].key > moved.key; k--)
                x[k] = x[k - 1];
            x[k] = moved;
        }
    }
    plait_key_item *from = x, *to = spare;
    for (int64_t width = RUN; width < n; width *= 2) {
        for (int64_t begin = 0; begin < n; begin += 2 * width) {
            int64_t middle = begin + width < n ? begin + width : n, end = middle + width < n ? middle + width : n;
            int64_t i = begin, j = middle, k = begin;
            while (i < middle && j < end)
                to[k++] = from[j].key < from[i].key ? from[j++] : from[i++];
            while (i < middle)
                to[k++] = from[i++];
            while (j < end)
                to[k++] = from[j++];
        }
        plait_key_item *swap = from;
        from = to, to = swap;
    }
    if (from != x)
        memcpy(x, from, (size_t)n * sizeof *x);
}

#endif
