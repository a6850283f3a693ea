// fuzz.h: what fuzzers of texts share.
#ifndef PLAIT_TEST_FUZZ_H
#define PLAIT_TEST_FUZZ_H

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "file/curves.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

// The bytes with a zero behind them. The caller frees them.
static inline char *fuzz_text(const uint8_t *data, size_t size)
{
    char *bytes = malloc(size + 1);
    if (!bytes)
        abort();
    memcpy(bytes, data, size);
    bytes[size] = 0;
    return bytes;
}

// An error has words; curves have sound numbers. Frees them.
static inline void fuzz_judge_curves(plait_hair *h, const plait_error *error)
{
    if (!h) {
        if (error->status == PLAIT_OK || !error->text[0])
            abort();
        return;
    }
    if (h->strands < 1 || h->first[0] != 0 || !isfinite(h->thickness) || !(h->unit > 0))
        abort();
    for (int i = 0; i < h->strands; i++)
        if (h->first[i + 1] - h->first[i] < 2)
            abort();
    for (int i = 0; i < 3 * h->first[h->strands]; i++)
        if (!isfinite(h->point[i]))
            abort();
    plait_hair_free(h);
}

// Any bytes through a reader of curves.
static inline int fuzz_curves(plait_hair *(*read)(const char *name, const char *text, size_t size, plait_error *error),
                              const uint8_t *data, size_t size)
{
    plait_error error = {0};
    char *bytes = fuzz_text(data, size);
    fuzz_judge_curves(read("fuzz", bytes, size, &error), &error);
    free(bytes);
    return 0;
}

#endif
