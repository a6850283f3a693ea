// Any bytes as a .hair file: an error with words, or strands whose numbers are sound.
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "plait/export.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static char path[64];
    if (!path[0])
        snprintf(path, sizeof path, "/dev/shm/fuzz_hair.%ld", (long)getpid());
    FILE *file = fopen(path, "wb");
    if (!file || fwrite(data, 1, size, file) != size || fclose(file) != 0)
        abort();
    plait_error error = {0};
    plait_hair *h = plait_hair_read(path, &error);
    remove(path);
    if (!h) {
        if (error.status == PLAIT_OK || !error.text[0])
            abort();
        return 0;
    }
    for (int i = 0; i < h->strands; i++)
        if (h->first[i + 1] <= h->first[i])
            abort();
    for (int i = 0; i < 3 * h->first[h->strands]; i++)
        if (!isfinite(h->point[i]))
            abort();
    plait_hair_free(h);
    return 0;
}
