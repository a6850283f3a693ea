// problem_file.c: what kind of file a problem is in, and what all kinds share.
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/trouble.h"
#include "contact/compliance.h"
#include "io/fclib.h"
#include "math/sparse.h"

typedef enum file_kind { KIND_HDF5, KIND_TEXT, KIND_EMPTY, KIND_GZIP, KIND_UNKNOWN, KIND_NONE } file_kind;

// HDF5 files begin with a signature, at byte 0 or after a user block of 512, 1024, 2048 ... bytes.
static file_kind find_kind(const char *path)
{
    static const unsigned char signature[8] = {0x89, 'H', 'D', 'F', '\r', '\n', 0x1a, '\n'};
    FILE *file = fopen(path, "rb");
    if (!file)
        return KIND_NONE; // errno says why
    unsigned char head[64];
    size_t count = fread(head, 1, sizeof head, file), blank = 0;
    file_kind kind = count == 0 ? KIND_EMPTY : KIND_UNKNOWN;
    if (count >= 8 && memcmp(head, signature, 8) == 0)
        kind = KIND_HDF5;
    else if (count >= 2 && head[0] == 0x1f && head[1] == 0x8b)
        kind = KIND_GZIP;
    for (long at = 512; kind == KIND_UNKNOWN && at < 1L << 30; at *= 2) {
        unsigned char here[8];
        if (fseek(file, at, SEEK_SET) != 0 || fread(here, 1, 8, file) != 8)
            break;
        if (memcmp(here, signature, 8) == 0)
            kind = KIND_HDF5;
    }
    while (blank < count && strchr(" \t\r\n", head[blank]) && head[blank])
        blank++;
    if (kind == KIND_UNKNOWN && blank < count && head[blank] >= '0' && head[blank] <= '9')
        kind = KIND_TEXT;
    fclose(file);
    return kind;
}

static plait_problem *read_kind(const plait_unpacked *u, plait_problem_text *text, plait_error *error)
{
    const char *found = "neither an HDF5 signature nor a number";
    switch (find_kind(u->place)) {
    case KIND_HDF5:
        return plait_fclib_read(u, text, error);
    case KIND_TEXT:
        return plait_dat_read(u, text, error);
    case KIND_EMPTY:
        found = "an empty file";
        break;
    case KIND_GZIP:
        found = "one packed by gzip twice";
        break;
    case KIND_NONE:
        plait_error_set(error, plait_trouble(errno), "%s: cannot be read: %s", u->path, strerror(errno));
        return NULL;
    default:
        break;
    }
    plait_error_set(error, PLAIT_BAD_FILE, "%s: expected an fclib (HDF5) or Siconos (.dat) problem, found %s", u->path,
                    found);
    return NULL;
}

plait_problem *plait_problem_read(const char *path, plait_problem_text *text, plait_error *error)
{
    plait_unpacked u;
    if (text)
        *text = (plait_problem_text){0};
    if (!plait_unpack(&u, path, error))
        return NULL;
    plait_problem *p = read_kind(&u, text, error);
    plait_unpacked_close(&u);
    return p;
}

plait_problem *plait_file_adopt(const char *path, plait_problem *p, const plait_error *inner, plait_error *error)
{
    if (!p)
        plait_error_set(error, inner->status == PLAIT_NO_MEMORY ? PLAIT_NO_MEMORY : PLAIT_BAD_FILE, "%s: %s", path,
                        inner->text);
    return p;
}

// ---- half-stored matrices --------------------------------------------------------------------------------------

// 1: every entry lies on or above the diagonal, and some above; -1: below; 0: neither.
static int is_triangular(const plait_sparse *A)
{
    int64_t below = 0, above = 0;
    for (int i = 0; i < A->rows; i++)
        for (int64_t k = A->ptr[i]; k < A->ptr[i + 1]; k++)
            below += A->col[k]<i, above += A->col[k]> i;
    return (below == 0) - (above == 0);
}

// The union of the patterns of A and its transpose T, with A's values; and T's beside the diagonal if A is a half.
static bool unite(const plait_sparse *A, const plait_sparse *T, bool half, plait_sparse *B)
{
    int64_t count = 0;
    if (!plait_sparse_alloc(B, A->rows, A->cols, 2 * A->ptr[A->rows]))
        return false;
    for (int i = 0; i < A->rows; i++) {
        int64_t k = A->ptr[i], l = T->ptr[i];
        while (k < A->ptr[i + 1] || l < T->ptr[i + 1]) {
            int in_A = k < A->ptr[i + 1] ? A->col[k] : A->cols, in_T = l < T->ptr[i + 1] ? T->col[l] : A->cols;
            int j = in_A < in_T ? in_A : in_T;
            double value = in_A == j ? A->val[k] : 0;
            if (half && in_T == j && j != i)
                value += T->val[l];
            B->col[count] = j, B->val[count++] = value;
            k += in_A == j, l += in_T == j;
        }
        B->ptr[i + 1] = count;
    }
    return true;
}

bool plait_file_complete_mass(plait_sparse *M, int *half)
{
    plait_sparse T, B;
    *half = 0;
    if (M->rows != M->cols)
        return true;
    if (!plait_sparse_transpose(M, &T))
        return false;
    int64_t count = M->ptr[M->rows];
    bool same = memcmp(M->ptr, T.ptr, ((size_t)M->rows + 1) * sizeof *T.ptr) == 0 &&
                (count == 0 || memcmp(M->col, T.col, (size_t)count * sizeof *T.col) == 0);
    *half = same ? 0 : is_triangular(M);
    bool ok = same || unite(M, &T, *half != 0, &B);
    plait_sparse_free(&T);
    if (ok && !same) {
        plait_sparse_free(M);
        *M = B;
    }
    return ok;
}

plait_problem *plait_file_note_half(const char *path, plait_problem *p, const plait_sparse *M, int half,
                                    plait_error *error)
{
    if (!p || half == 0 || plait_problem_was_half(p, M, half > 0))
        return p;
    plait_error_set(error, PLAIT_NO_MEMORY, "%s: no memory for M", path);
    plait_problem_free(p);
    return NULL;
}
