// unpack.h: files that gzip may have packed.
#ifndef PLAIT_IO_UNPACK_H
#define PLAIT_IO_UNPACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "plait/status.h"

typedef struct plait_unpacked {
    const char *path;  // for messages
    const char *place; // where the bytes are read from: the path itself if it was not packed
    FILE *file;        // what was unpacked: a temporary file without a name, gone with the process at the latest
    void *bytes;       // the same in memory; NULL if it was not packed or there is nothing in it
    size_t size;
    char name[32];
} plait_unpacked;

// Whether there is an ordinary file that can be read.
plait_status plait_file_check(const char *path, plait_error *error);

// Checks the file; if it is packed, unpacks it, at most 4 GiB. False with *error: damaged, too large, no room.
bool plait_unpack(plait_unpacked *u, const char *path, plait_error *error);
void plait_unpacked_close(plait_unpacked *u);

#endif
