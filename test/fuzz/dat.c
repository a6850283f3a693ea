// Any text as a Siconos problem: straight into the text reader, whatever it begins with.
#define _GNU_SOURCE // memfd_create
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "io/fclib.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char path[64];
    int file = memfd_create("problem", 0);
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    if (file < 0 || pwrite(file, data, size, 0) != (ssize_t)size)
        abort();
    plait_error error = {0};
    plait_problem *p = plait_dat_read(&(plait_unpacked){.path = path, .place = path}, NULL, &error);
    if (!p && (error.status == PLAIT_OK || !error.text[0]))
        abort();
    plait_problem_free(p);
    close(file);
    return 0;
}
