// Any bytes as a .usda: an error with words, or curves whose numbers are sound.
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "file/curves.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *bytes = malloc(size + 1);
    if (!bytes)
        abort();
    memcpy(bytes, data, size);
    bytes[size] = 0;
    plait_error error = {0};
    plait_hair *h = plait_curves_parse_usda("usda", bytes, size, &error);
    if (!h) {
        if (error.status == PLAIT_OK || !error.text[0])
            abort();
    } else {
        if (h->strands < 1 || h->first[0] != 0 || !isfinite(h->thickness) || !(h->unit > 0))
            abort();
        for (int i = 0; i < h->strands; i++)
            if (h->first[i + 1] - h->first[i] < 2)
                abort();
        for (int i = 0; i < 3 * h->first[h->strands]; i++)
            if (!isfinite(h->point[i]))
                abort();
    }
    plait_hair_free(h);
    free(bytes);
    return 0;
}
