// fail.h: messages about text files, from all readers.
#ifndef PLAIT_FILE_FAIL_H
#define PLAIT_FILE_FAIL_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "plait/status.h"

// "NAME: line LINE: ..." (line 0: without), BAD_FILE. A file's own words must not steer a terminal: what cannot be
// printed becomes '?'. Always false.
bool plait_text_fail(plait_error *error, const char *name, long line, const char *format, va_list args);

// Room for `count` elements of `size` bytes, at most `most`: *room becomes at least `first`, then doubles. False
// with NO_MEMORY and the name of the file: the array is as it was.
bool plait_file_grow(void **array, size_t count, size_t *room, size_t size, size_t first, size_t most,
                     const char *name, plait_error *error);

// A file to read; NULL with a message, "PATH: CANNOT: why". Devices and pipes are refused: they may have no end, and a
// pipe that nobody writes to would be waited for without one.
FILE *plait_file_open(const char *path, const char *cannot, plait_error *error);

#endif
