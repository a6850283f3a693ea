// h5.h: HDF5 with every answer checked, for the formats that live in HDF5 files.
//
// A plait_h5 is one open file. Debian's serial HDF5 is not thread-safe, so one lock is held from opening to closing;
// HDF5's own error printing is off for that long and restored afterwards. Every function that fails has set the error
// the file was opened with: file name, dataset, what was expected, what was found.
//
// A header may lie. Before anything is allocated, a dataset's extent is compared with the bytes that the file really
// stores for it. External links, external and virtual storage and unusual number types and filters are refused, both
// because they reach outside of the file and because they are the less well-trodden parts of HDF5.
#ifndef PLAIT_IO_H5_H
#define PLAIT_IO_H5_H

#include <hdf5.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "plait/status.h"

typedef struct plait_h5 {
    hid_t file;
    hid_t access;       // kept as long as the file: HDF5 gives the file's driver up before it calls it to close
    const char *path;   // as the caller spelled it, for messages
    uint64_t bytes;     // size of the file
    plait_error *error; // may be NULL
    H5E_auto2_t print;  // how errors were printed before
    void *print_data;
} plait_h5;

// On success the lock is held until plait_h5_close.
bool plait_h5_open(plait_h5 *h, const char *path, plait_error *error);
// The file is in memory, which stays the caller's and must outlive the closing.
bool plait_h5_open_image(plait_h5 *h, const char *path, void *bytes, size_t size, plait_error *error);
// Files that are written with this access list have the format that plait_h5_create gives them.
bool plait_h5_set_format(hid_t access);
// Makes an empty file `target`; messages speak of `path`, which it will be renamed to.
bool plait_h5_create(plait_h5 *h, const char *target, const char *path, plait_error *error);
// Opens a file for reading and writing, or makes one, through the access list that access(data) makes, called with the
// lock held. place: where it is; messages speak of `path`.
bool plait_h5_open_with(plait_h5 *h, const char *place, const char *path, bool make, hid_t (*access)(void *data),
                        void *data, plait_error *error);
// Returns false if what was written did not reach the file.
bool plait_h5_close(plait_h5 *h);

// Sets the error: "path: name: text". name may be NULL.
void plait_h5_set_error(plait_h5 *h, const char *name, const char *format, ...) PLAIT_PRINTF(3, 4);

// The same, and is false: a check can end with `return plait_h5_fail(...)`.
#define plait_h5_fail(...) (plait_h5_set_error(__VA_ARGS__), false)

static inline bool plait_h5_no_memory(plait_h5 *h, const char *name)
{
    plait_error_set(h->error, PLAIT_NO_MEMORY, "%s: %s: not enough memory", h->path, name);
    return false;
}

// Whether there is something under an absolute name, by hard links only.
bool plait_h5_has(plait_h5 *h, const char *name);

// One whole number in low .. high.
bool plait_h5_read_int(plait_h5 *h, const char *name, int low, int high, int *value);

// All of a dataset, in a new array that the caller frees (never NULL on success, even if it is empty). count: how many
// are expected, or -1 for any number, on entry; how many there are on exit. Numbers beyond the type are clipped to
// its range.
bool plait_h5_read_ints(plait_h5 *h, const char *name, int64_t *count, int **values);
bool plait_h5_read_longs(plait_h5 *h, const char *name, int64_t *count, int64_t **values);
bool plait_h5_read_reals(plait_h5 *h, const char *name, int64_t *count, double **values); // refuses NaN and infinity

// How many numbers a dataset has and whether any of them were ever written; nothing is read.
bool plait_h5_size(plait_h5 *h, const char *name, int64_t *count, bool *written);

// Text; cut to fit, and empty if there is none that can be read: words are no reason to refuse a problem.
void plait_h5_read_text(plait_h5 *h, const char *name, char *text, size_t size);

// Writing. A flipped bit must not go unnoticed: what is small lies in the header of its dataset, which has a checksum;
// what is larger lies in chunks with a Fletcher-32 checksum each.
bool plait_h5_write_group(plait_h5 *h, const char *name);
bool plait_h5_write_int(plait_h5 *h, const char *name, int value);
bool plait_h5_write_ints(plait_h5 *h, const char *name, int64_t count, const int *values);
bool plait_h5_write_reals(plait_h5 *h, const char *name, int64_t count, const double *values);
bool plait_h5_write_text(plait_h5 *h, const char *name, const char *text);
// A table of any type; rank is 1 or 2. pack: deflate it too, if it is large.
bool plait_h5_write_data(plait_h5 *h, const char *name, hid_t type, int rank, const hsize_t *extent, bool pack,
                         const void *data);

#endif
