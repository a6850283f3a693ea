// heap_each.h: one allocation after the other fails. Include it in one file, as heap.h.
#ifndef PLAIT_TEST_HEAP_EACH_H
#define PLAIT_TEST_HEAP_EACH_H

#include <string.h>

#include "check.h"
#include "heap.h"
#include "plait/status.h"

// Runs `work` with the first, second, third ... allocation failing until none does: the answer is "not enough memory" or
// all that was asked for, and no piece is lost. Returns how many times it was refused.
static inline long fail_each(bool (*work)(plait_error *error))
{
    long failed = 0;
    for (long n = 1; n < 100000; n++) {
        plait_error error = {0};
        long before = live;
        calls = 0;
        fail_at = n;
        bool ok = work(&error);
        fail_at = 0;
        bool reached = calls >= n;
        if (!CHECK(live == before))
            printf("allocation %ld: %ld pieces are lost\n", n, live - before);
        if (!CHECK(ok || (error.status == PLAIT_NO_MEMORY && strstr(error.text, "memory"))))
            printf("allocation %ld: %d '%s'\n", n, error.status, error.text);
        if (!reached)
            return failed;
        failed += !ok;
    }
    return -1;
}

#endif
