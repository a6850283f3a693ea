// files.h: for fuzzers of what is read by the name of a file.
#ifndef PLAIT_FUZZ_FILES_H
#define PLAIT_FUZZ_FILES_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "fuzz.h"

// Writes the bytes to a file in memory and gives its name, always the same one.
static inline const char *fuzz_write(const uint8_t *data, size_t size, const char *ending)
{
    static char path[64];
    snprintf(path, sizeof path, "/dev/shm/fuzz.%ld.%s", (long)getpid(), ending);
    FILE *file = fopen(path, "wb");
    if (!file || fwrite(data, 1, size, file) != size || fclose(file) != 0)
        abort();
    return path;
}

#endif
