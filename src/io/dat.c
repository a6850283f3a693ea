// dat.c: problems in plain text, as Siconos 4 prints them (frictionContact_printInFile and its global counterpart).
//
// Numbers with blanks between them:
//
//     local    dimension  n  W  q[dimension n]  mu[n]
//     global   dimension  n  M  H  f[dofs]  w[dimension n]  mu[n]          M v = f + H r,  u = H^T v + w
//     matrix   0 rows cols  rows cols  values[rows cols]                   dense, column by column
//              1 rows cols  nbblocks  rowblocks colblocks  end of each row block  end of each column block
//                filled1 filled2  first[filled1]  column[filled2]
//                then per block: its number, its values column by column
//
//              2 rows cols  origin (1 triplets, 2 columns, 3 rows)  a line of words, which begins with C
//                triplet: R-by-C, nzmax: N nnz: K               then K times   row col : value
//                R-by-C, nzmax: N nnz: K, 1-norm: X             then for each column   col J : locations A to B
//                                                               and B - A + 1 times    row : value
//
// The last kind has six digits only, which is told (plait_problem_text). There is no mark of which form a file has: it
// is the global one if a second matrix of the right size follows the first. What comes after mu (some files have a flag
// there) is left alone, as Siconos does.
#include <errno.h>
#include <limits.h>
#include <locale.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/trouble.h"
#include "io/fclib.h"
#include "math/sparse.h"

typedef struct reader {
    const char *path;
    plait_error *error;
    char *text, *end; // the whole file; *end is 0
    char *at;
    bool few_digits; // a matrix was printed with six
} reader;

typedef struct matrix {
    int rows, cols;
    int64_t count, room;
    plait_triplet *entry; // any order
} matrix;

// ---- numbers ----------------------------------------------------------------------------------------------------

static void set_error(reader *r, const char *format, ...) PLAIT_PRINTF(2, 3);
static void set_error(reader *r, const char *format, ...)
{
    char text[400];
    long line = 1;
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    for (const char *c = r->text; c < r->at; c++)
        line += *c == '\n';
    plait_error_set(r->error, PLAIT_BAD_FILE, "%s: line %ld: %s", r->path, line, text);
}

#define fail(...) (set_error(__VA_ARGS__), false)

static bool no_memory(reader *r)
{
    plait_error_set(r->error, PLAIT_NO_MEMORY, "%s: not enough memory", r->path);
    return false;
}

static void skip_blanks(reader *r)
{
    while (r->at < r->end && strchr(" \t\r\n\f\v", *r->at) && *r->at)
        r->at++;
}

// "found ..." for messages: the word at hand.
static const char *found(const reader *r, char text[40])
{
    size_t length = strcspn(r->at, " \t\r\n\f\v");
    if (r->at >= r->end)
        return "the end of the file";
    snprintf(text, 40, "'%.*s'", (int)(length < 30 ? length : 30), r->at);
    return text;
}

static bool read_real(reader *r, const char *what, double *value)
{
    char text[40], *after;
    skip_blanks(r);
    *value = strtod(r->at, &after);
    if (after == r->at || (*after && !strchr(" \t\r\n\f\v", *after)) || !isfinite(*value))
        return fail(r, "expected a finite number (%s), found %s", what, found(r, text));
    r->at = after;
    return true;
}

static bool read_int(reader *r, const char *what, int low, int high, int *value)
{
    char text[40], *after;
    skip_blanks(r);
    errno = 0;
    long x = strtol(r->at, &after, 10);
    if (after == r->at || (*after && !strchr(" \t\r\n\f\v", *after)) || errno || x < low || x > high) {
        if (high == INT_MAX)
            return fail(r, "expected a whole number of at least %d (%s), found %s", low, what, found(r, text));
        return fail(r, "expected a whole number from %d to %d (%s), found %s", low, high, what, found(r, text));
    }
    *value = (int)x;
    r->at = after;
    return true;
}

// A number takes at least two characters: more cannot be in the rest of the file, whatever the header says.
static bool has_room(reader *r, const char *what, int64_t count)
{
    int64_t room = (r->end - r->at) / 2 + 1;
    return count <= room || fail(r, "expected %lld numbers (%s), found only %lld characters in the rest of the file",
                                 (long long)count, what, (long long)(r->end - r->at));
}

static double *read_reals(reader *r, const char *what, int64_t count)
{
    if (!has_room(r, what, count))
        return NULL;
    double *x = malloc(((size_t)count + 1) * sizeof *x);
    if (!x) {
        no_memory(r);
        return NULL;
    }
    for (int64_t i = 0; i < count; i++) {
        if (!read_real(r, what, x + i)) {
            free(x);
            return NULL;
        }
    }
    return x;
}

static int *read_ints(reader *r, const char *what, int count, int low, int high)
{
    if (!has_room(r, what, count))
        return NULL;
    int *x = malloc(((size_t)count + 1) * sizeof *x);
    if (!x) {
        no_memory(r);
        return NULL;
    }
    for (int i = 0; i < count; i++) {
        if (!read_int(r, what, low, high, x + i)) {
            free(x);
            return NULL;
        }
    }
    return x;
}

// ---- matrices ---------------------------------------------------------------------------------------------------

// Room for count more entries.
static bool grow(reader *r, matrix *A, int64_t count)
{
    if (A->entry && A->count + count <= A->room)
        return true;
    int64_t room = A->room + A->room / 2 + count + 16;
    plait_triplet *entry = realloc(A->entry, (size_t)room * sizeof *entry);
    if (!entry)
        return no_memory(r);
    A->entry = entry, A->room = room;
    return true;
}

// One dense piece, column by column, whose upper left corner is (row, col). Zeros are not kept.
static bool read_piece(reader *r, const char *what, int row, int rows, int col, int cols, matrix *A)
{
    for (int j = 0; j < cols; j++) {
        for (int i = 0; i < rows; i++) {
            double x;
            if (!read_real(r, what, &x))
                return false;
            if (x != 0)
                A->entry[A->count++] = (plait_triplet){row + i, col + j, x};
        }
    }
    return true;
}

static bool read_dense(reader *r, const char *what, matrix *A)
{
    int rows, cols;
    if (!read_int(r, what, A->rows, A->rows, &rows) || !read_int(r, what, A->cols, A->cols, &cols))
        return false;
    int64_t count = (int64_t)rows * cols;
    return has_room(r, what, count) && grow(r, A, count) && read_piece(r, what, 0, rows, 0, cols, A);
}

// Where each block row or column ends; they must ascend to `total`.
static int *read_ends(reader *r, const char *what, int count, int total)
{
    int *end = read_ints(r, what, count, 1, total);
    for (int k = 0; end && k < count; k++) {
        if ((k > 0 && end[k] <= end[k - 1]) || (k == count - 1 && end[k] != total)) {
            set_error(r, "expected block ends that ascend to %d (%s), found %d", total, what, end[k]);
            free(end);
            return NULL;
        }
    }
    return end;
}

// The blocks after the index arrays have been read. first: [lines + 1].
static bool read_each_block(reader *r, const char *what, int lines, const int *first, const int *column,
                            const int *row_end, const int *col_end, matrix *A)
{
    for (int i = 0; i < lines; i++) {
        for (int k = first[i]; k < first[i + 1]; k++) {
            int number, j = column[k], row = i ? row_end[i - 1] : 0, col = j ? col_end[j - 1] : 0;
            int rows = row_end[i] - row, cols = col_end[j] - col;
            if (!read_int(r, what, k, k, &number) || !has_room(r, what, (int64_t)rows * cols) ||
                !grow(r, A, (int64_t)rows * cols) || !read_piece(r, what, row, rows, col, cols, A))
                return false;
        }
    }
    return true;
}

static bool check_first(reader *r, const char *what, int lines, const int *first, int blocks)
{
    bool ok = first[0] == 0 && first[lines] == blocks;
    for (int i = 0; ok && i < lines; i++)
        ok = first[i] <= first[i + 1];
    return ok || fail(r, "expected block row pointers that rise from 0 to %d (%s)", blocks, what);
}

static bool read_blocks(reader *r, const char *what, matrix *A)
{
    int blocks = 0, row_count, col_count, filled1, filled2;
    int *row_end = NULL, *col_end = NULL, *first = NULL, *column = NULL;
    if (!read_int(r, what, 0, INT_MAX, &blocks))
        return false;
    if (blocks == 0)
        return true;
    bool ok = read_int(r, what, 1, A->rows, &row_count) && read_int(r, what, 1, A->cols, &col_count) &&
              (row_end = read_ends(r, what, row_count, A->rows)) &&
              (col_end = read_ends(r, what, col_count, A->cols)) && read_int(r, what, 1, row_count + 1, &filled1) &&
              read_int(r, what, blocks, blocks, &filled2) && (first = read_ints(r, what, filled1, 0, blocks)) &&
              check_first(r, what, filled1 - 1, first, blocks) &&
              (column = read_ints(r, what, blocks, 0, col_count - 1)) &&
              read_each_block(r, what, filled1 - 1, first, column, row_end, col_end, A);
    free(row_end), free(col_end), free(first), free(column);
    return ok;
}

// ---- sparse ones, as CSparse prints them --------------------------------------------------------------------------

// A word, or as much of one, that must come next.
static bool read_word(reader *r, const char *what, const char *word)
{
    char text[40];
    size_t length = strlen(word);
    skip_blanks(r);
    if (strncmp(r->at, word, length) != 0)
        return fail(r, "expected '%s' (%s), found %s", word, what, found(r, text));
    r->at += length;
    return true;
}

// A whole number that something else than a blank may follow.
static bool read_count(reader *r, const char *what, int low, int high, int *value)
{
    char text[40], *after;
    skip_blanks(r);
    errno = 0;
    long x = strtol(r->at, &after, 10);
    if (after == r->at || errno || x < low || x > high)
        return fail(r, "expected a whole number from %d to %d (%s), found %s", low, high, what, found(r, text));
    *value = (int)x;
    r->at = after;
    return true;
}

static bool read_triplets(reader *r, const char *what, int count, matrix *A)
{
    for (int k = 0; k < count; k++) {
        plait_triplet *t = &A->entry[A->count];
        if (!read_int(r, what, 0, A->rows - 1, &t->row) || !read_int(r, what, 0, A->cols - 1, &t->col) ||
            !read_word(r, what, ":") || !read_real(r, what, &t->val))
            return false;
        A->count += t->val != 0;
    }
    return true;
}

// by_rows: what is called a column is a row.
static bool read_columns(reader *r, const char *what, int count, bool by_rows, matrix *A)
{
    int lines = by_rows ? A->rows : A->cols, limit = by_rows ? A->cols : A->rows, at = 0;
    for (int j = 0; j < lines; j++) {
        int number, from, to;
        if (!read_word(r, what, "col") || !read_int(r, what, j, j, &number) || !read_word(r, what, ":") ||
            !read_word(r, what, "locations") || !read_int(r, what, at, at, &from) || !read_word(r, what, "to") ||
            !read_int(r, what, at - 1, count - 1, &to))
            return false;
        for (; at <= to; at++) {
            plait_triplet *t = &A->entry[A->count];
            int i;
            if (!read_int(r, what, 0, limit - 1, &i) || !read_word(r, what, ":") || !read_real(r, what, &t->val))
                return false;
            t->row = by_rows ? j : i, t->col = by_rows ? i : j;
            A->count += t->val != 0;
        }
    }
    return at == count || fail(r, "expected %d entries (%s), found %d", count, what, at);
}

static bool read_sparse(reader *r, const char *what, matrix *A)
{
    int origin, rows, cols, room, count;
    r->few_digits = true;
    if (!read_int(r, what, 1, 3, &origin) || !read_word(r, what, "C"))
        return false;
    r->at += strcspn(r->at, "\n"); // the rest of the line says who printed it
    skip_blanks(r);
    bool triplets = strncmp(r->at, "triplet:", 8) == 0, by_rows = origin == 3 && !triplets;
    int first = by_rows ? A->cols : A->rows, second = by_rows ? A->rows : A->cols;
    double norm;
    if ((triplets && !read_word(r, what, "triplet:")) || !read_count(r, what, first, first, &rows) ||
        !read_word(r, what, "-by-") || !read_count(r, what, second, second, &cols) || !read_word(r, what, ", nzmax:") ||
        !read_count(r, what, 0, INT_MAX, &room) || !read_word(r, what, "nnz:") ||
        !read_count(r, what, 0, INT_MAX, &count))
        return false;
    if (!triplets && (!read_word(r, what, ", 1-norm:") || !read_real(r, what, &norm)))
        return false;
    return has_room(r, what, 2 * (int64_t)count) && grow(r, A, (int64_t)count + 1) &&
           (triplets ? read_triplets(r, what, count, A) : read_columns(r, what, count, by_rows, A));
}

static bool read_matrix(reader *r, const char *what, matrix *A)
{
    int storage;
    if (!read_int(r, what, 0, 2, &storage) || !read_int(r, what, 0, INT_MAX, &A->rows) ||
        !read_int(r, what, 0, INT_MAX, &A->cols))
        return false;
    if (storage == 2)
        return read_sparse(r, what, A);
    return storage == 0 ? read_dense(r, what, A) : read_blocks(r, what, A);
}

static bool compress(reader *r, const matrix *A, bool transpose, plait_sparse *S)
{
    for (int64_t k = 0; transpose && k < A->count; k++)
        A->entry[k] = (plait_triplet){A->entry[k].col, A->entry[k].row, A->entry[k].val};
    return plait_sparse_from_triplets(transpose ? A->cols : A->rows, transpose ? A->rows : A->cols, A->count, A->entry,
                                      S) ||
           no_memory(r);
}

// ---- problems ---------------------------------------------------------------------------------------------------

// Whether a second matrix follows: kind, dofs, dimension n. A q that begins with just these three numbers is told apart
// by how many numbers there are.
static bool second_matrix_follows(const reader *r, int64_t dofs, int64_t scalars, int64_t n)
{
    char *at = r->at, *after;
    long head[3];
    int64_t count = 0;
    for (int k = 0; k < 3; k++, at = after) {
        head[k] = strtol(at, &after, 10);
        if (after == at || !*after || !strchr(" \t\r\n\f\v", *after))
            return false;
    }
    if (head[0] < 0 || head[0] > 2 || head[1] != dofs || head[2] != scalars)
        return false;
    for (const char *c = r->at; c < r->end; c++)
        count += !strchr(" \t\r\n\f\v", *c) && (c == r->at || strchr(" \t\r\n\f\v", c[-1]));
    return dofs != scalars || count != scalars + n;
}

static plait_problem *read_local(reader *r, int dimension, int n, const matrix *A)
{
    plait_error inner = {0};
    plait_problem *p = NULL;
    plait_sparse W = {0};
    double *q = NULL, *mu = NULL;
    if (A->rows != dimension * n || A->cols != dimension * n)
        set_error(r, "expected a matrix of %d rows and columns (%d contacts), found %d x %d and no second matrix",
                  dimension * n, n, A->rows, A->cols);
    else if ((q = read_reals(r, "q", (int64_t)dimension * n)) && (mu = read_reals(r, "mu", n)) &&
             compress(r, A, false, &W))
        p = plait_file_adopt(r->path, plait_problem_from_delassus(dimension, n, &W, q, mu, &inner), &inner, r->error);
    plait_sparse_free(&W);
    free(q), free(mu);
    return p;
}

static plait_problem *read_global(reader *r, int dimension, int n, const matrix *A)
{
    plait_error inner = {0};
    plait_problem *p = NULL;
    plait_sparse M = {0}, H = {0};
    int half = 0;
    matrix B = {0};
    double *f = NULL, *w = NULL, *mu = NULL;
    if (A->rows != A->cols)
        set_error(r, "expected a square matrix M, found %d x %d", A->rows, A->cols);
    else if (read_matrix(r, "H", &B) && (f = read_reals(r, "f", A->rows)) &&
             (w = read_reals(r, "w", (int64_t)dimension * n)) && (mu = read_reals(r, "mu", n)) &&
             compress(r, A, false, &M) && compress(r, &B, true, &H) &&
             (plait_file_complete_mass(&M, &half) || no_memory(r)))
        p = plait_file_adopt(r->path, plait_problem_from_dynamics(dimension, n, &M, &H, f, w, mu, &inner), &inner,
                             r->error);
    p = plait_file_note_half(r->path, p, &M, half, r->error);
    plait_sparse_free(&M), plait_sparse_free(&H);
    free(f), free(w), free(mu), free(B.entry);
    return p;
}

static plait_problem *read_problem(reader *r)
{
    int dimension, n;
    matrix A = {0};
    plait_problem *p = NULL;
    if (read_int(r, "dimension", 2, 3, &dimension) && read_int(r, "number of contacts", 0, INT_MAX / 3, &n) &&
        read_matrix(r, "first matrix", &A)) {
        bool global = second_matrix_follows(r, A.rows, (int64_t)dimension * n, n);
        p = global ? read_global(r, dimension, n, &A) : read_local(r, dimension, n, &A);
    }
    free(A.entry);
    return p;
}

static bool load(reader *r, const char *place)
{
    FILE *file = fopen(place, "rb");
    bool ok = file && fseek(file, 0, SEEK_END) == 0;
    long size = ok ? ftell(file) : -1;
    ok = size >= 0 && fseek(file, 0, SEEK_SET) == 0;
    if (!ok)
        plait_error_set(r->error, plait_trouble(errno), "%s: cannot be read: %s", r->path, strerror(errno));
    else if (!(r->text = malloc((size_t)size + 1)))
        ok = no_memory(r);
    else {
        size_t count = fread(r->text, 1, (size_t)size, file);
        r->text[count] = 0;
        r->at = r->text, r->end = r->text + count;
        // A zero byte would end the text early for the number readers: then it is no text.
        if (memchr(r->text, 0, count)) {
            plait_error_set(r->error, PLAIT_BAD_FILE, "%s: expected a text of numbers, found a file with zero bytes",
                            r->path);
            ok = false;
        }
    }
    if (file)
        fclose(file);
    return ok;
}

plait_problem *plait_dat_read(const plait_unpacked *u, plait_problem_text *text, plait_error *error)
{
    reader r = {.path = u->path, .error = error};
    plait_problem *p = NULL;
    // Numbers have a point whatever the program's locale says; only this thread is switched.
    locale_t plain = newlocale(LC_NUMERIC_MASK, "C", (locale_t)0), before = plain ? uselocale(plain) : (locale_t)0;
    if (load(&r, u->place))
        p = read_problem(&r);
    if (p && text && r.few_digits)
        snprintf(
            text->warning, sizeof text->warning,
            "its sparse matrices were printed with six digits: the problem that was recorded is known to 1e-6 only");
    if (plain) {
        uselocale(before);
        freelocale(plain);
    }
    free(r.text);
    return p;
}
