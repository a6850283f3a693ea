// fclib.h: the parts of the fclib format that reading and writing share; docs/formats.md describes the files.
#ifndef PLAIT_IO_FCLIB_H
#define PLAIT_IO_FCLIB_H

#include "io/h5.h"
#include "io/unpack.h"
#include "plait/io.h"

// Reads the matrix in group `name`: CSR, CSC, triplets, or dense; it must be rows x cols (the file's own word is not
// taken for it, since memory is needed for both). A is the matrix, or its transpose; columns ascend, duplicates are
// added.
bool plait_fclib_read_matrix(plait_h5 *h, const char *name, int rows, int cols, bool transpose, plait_sparse *A);

// Writes A as compressed rows.
bool plait_fclib_write_matrix(plait_h5 *h, const char *name, const plait_sparse *A);

// The problem in an HDF5 file.
plait_problem *plait_fclib_read(const plait_unpacked *u, plait_problem_text *text, plait_error *error);

// The problem in a text file as Siconos writes it.
plait_problem *plait_dat_read(const plait_unpacked *u, plait_problem_text *text, plait_error *error);

// M must be symmetric. LMGC90 stores one half of it: a triangular M is mirrored (*half: 1 if it was the upper one, -1
// the lower). Otherwise only zeros are added, so that the pattern is symmetric. False if there is no memory.
bool plait_file_complete_mass(plait_sparse *M, int *half);
// After the problem was made of it: it is judged by M as the file has it. p NULL is fine; NULL without memory (p is
// freed).
plait_problem *plait_file_note_half(const char *path, plait_problem *p, const plait_sparse *M, int half,
                                    plait_error *error);

// Hands a newly built problem on; if there is none, *error says why, with the file's name in front.
plait_problem *plait_file_adopt(const char *path, plait_problem *p, const plait_error *inner, plait_error *error);

#endif
