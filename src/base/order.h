// order.h: whole numbers in order.
#ifndef PLAIT_BASE_ORDER_H
#define PLAIT_BASE_ORDER_H

#include <stdint.h>

// The first place from low to high (exclusive) in an ascending list whose value is not below `value`; high: none.
static inline int64_t plait_place_of(const int *list, int64_t low, int64_t high, int value)
{
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        if (list[middle] < value)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

// -1, 0, 1 as the first of `count` numbers that differ say.
static inline int plait_compare_ints(const int *a, const int *b, int count)
{
    for (int i = 0; i < count; i++)
        if (a[i] != b[i])
            return a[i] < b[i] ? -1 : 1;
    return 0;
}

#endif
