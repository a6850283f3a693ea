// sink.h: a file that is being written: under a temporary name, buffered, with numbers as short as they can be.
//
// Writing functions return nothing: the first failure is kept and told by plait_sink_close.
#ifndef PLAIT_IO_SINK_H
#define PLAIT_IO_SINK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "plait/status.h"

typedef struct plait_sink {
    char *path, *temporary;
    void *file; // FILE *
    char *buffer;
    size_t count;
    int64_t bytes; // written so far
    int trouble;   // errno of the first failure
    bool infinite; // somebody wanted to write a number that is not finite
} plait_sink;

// Opens PATH.tmp<process>. On failure there is nothing to close.
plait_status plait_sink_open(plait_sink *sink, const char *path, plait_error *error);
// Flushes and renames. On failure the temporary file is deleted.
plait_status plait_sink_close(plait_sink *sink, plait_error *error);
void plait_sink_drop(plait_sink *sink); // deletes the temporary file; a sink that is closed, or all zero, is fine

void plait_sink_bytes(plait_sink *sink, const void *bytes, size_t count);
void plait_sink_patch(plait_sink *sink, int64_t at, const void *bytes, size_t count); // over what was written there
void plait_sink_text(plait_sink *sink, const char *text);
void plait_sink_print(plait_sink *sink, const char *format, ...) PLAIT_PRINTF(2, 3); // at most 1023 bytes
void plait_sink_int(plait_sink *sink, int64_t value);
void plait_sink_real(plait_sink *sink, double value);  // as few digits as give the same double again
void plait_sink_float(plait_sink *sink, double value); // as few digits as give the same float again
// Three with blanks or commas between them; single: as floats.
void plait_sink_vector(plait_sink *sink, const double x[3], const char *between, bool single);

// Little-endian, whatever the machine.
void plait_sink_i32(plait_sink *sink, int32_t value);
void plait_sink_u64(plait_sink *sink, uint64_t value);
void plait_sink_f32(plait_sink *sink, double value);
void plait_sink_f64(plait_sink *sink, double value);

// The shortest decimal of a finite float, as plait_sink_float writes it; at most 15 characters and a zero. Returns its
// length.
int plait_format_float(float value, char out[24]);

#endif
