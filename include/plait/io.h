// io.h: files. fclib's HDF5 problems (https://frictionalcontactlibrary.github.io), local (W, q, mu) and global
// (M, H, f, w, mu), with initial guesses and solutions; Siconos' plain text problems (.dat, dense or block matrices)
// are read too. docs/formats.md describes them. HDF5 is used by one thread at a time; a program that calls HDF5 itself
// in another thread meanwhile needs a thread-safe HDF5.
#ifndef PLAIT_IO_H
#define PLAIT_IO_H

#include <stdbool.h>

#include "plait/contact.h"
#include "plait/curves.h"

#ifdef __cplusplus
extern "C" {
#endif

// Title, description and other words that travel with a problem. Strings are truncated to fit.
typedef struct plait_problem_text {
    char title[128], description[512], math_info[256];
    char warning[160]; // what is to be known of the file as it is; not written
} plait_problem_text;

// Reads a problem (local or global; the file's signature decides between HDF5 and .dat; gzip
// may have packed it, up to 4 GiB). text may be NULL.
// Returns NULL with *error saying file, what was expected and what was found.
PLAIT_API plait_problem *plait_problem_read(const char *path, plait_problem_text *text, plait_error *error);

// Writes fclib HDF5: global form if p->dynamics is there, else local form. Writes a temporary file, then renames it.
PLAIT_API plait_status plait_problem_write(const char *path, const plait_problem *p, const plait_problem_text *text,
                                           plait_error *error);

// Writes the reduced form even if dynamics are there (W must be assembled).
PLAIT_API plait_status plait_problem_write_local(const char *path, const plait_problem *p,
                                                 const plait_problem_text *text, plait_error *error);

// The group /solution of a file (datasets r, u and, if p has dynamics, v). Writing copies the problem and the solution
// to `path` (so that the file stands alone). Like all writing, it refuses NaN and infinity.
PLAIT_API plait_status plait_solution_write(const char *path, const plait_problem *p, const plait_solution *s,
                                            const plait_problem_text *text, plait_error *error);

// Reads r (and u where it is stored) from /solution, or from the first of /guesses when there is no solution. The file
// may hold the solution of any problem with as many contacts.
PLAIT_API plait_status plait_solution_read(const char *path, const plait_problem *p, plait_solution *s,
                                           plait_error *error);

// Columns of numbers as one HDF5 file: a dataset for each title, [rows] at value[c * rows]. Under another name, then
// renamed; the same numbers give the same bytes. NANs stay.
PLAIT_API plait_status plait_series_write(const char *path, int columns, const char *const *title, int64_t rows,
                                          const double *value, plait_error *error);

#ifdef __cplusplus
}
#endif
#endif
