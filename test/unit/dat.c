// Siconos' text problems. The texts here are printed by a few lines of our own after the layout that Siconos 4.4 prints
// (numbers of 24 digits, matrices column by column); docs/formats.md says how that was established.
#include <locale.h>
#include <stdarg.h>

#include "io_samples.h"

static const char *const path = "problem.dat";

// ---- printing ----------------------------------------------------------------------------------------------------

static void print_vector(FILE *file, int count, const double *x)
{
    for (int i = 0; i < count; i++)
        fprintf(file, "%32.24e ", x[i]);
    fprintf(file, "\n");
}

// full: row by row
static void print_dense(FILE *file, int rows, int cols, const double *full)
{
    fprintf(file, "0\n%d\n%d\n%d\t%d\n", rows, cols, rows, cols);
    for (int j = 0; j < cols; j++) {
        for (int i = 0; i < rows; i++)
            fprintf(file, "%32.24e ", full[i * cols + j]);
        fprintf(file, "\n");
    }
}

static bool block_is_empty(int rows, int cols, const double *full, int i, int j, int d)
{
    for (int a = d * i; a < d * i + d && a < rows; a++)
        for (int b = d * j; b < d * j + d && b < cols; b++)
            if (full[a * cols + b] != 0)
                return false;
    return true;
}

// Blocks of d x d; the last ones are smaller if d does not divide the size.
static void print_blocks(FILE *file, int rows, int cols, const double *full, int d)
{
    int m = (rows + d - 1) / d, n = (cols + d - 1) / d, blocks = 0;
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++)
            blocks += !block_is_empty(rows, cols, full, i, j, d);
    fprintf(file, "1\n%d\n%d\n%d\n%d\n%d\n", rows, cols, blocks, m, n);
    for (int i = 0; i < m; i++)
        fprintf(file, "%d\t", d * (i + 1) < rows ? d * (i + 1) : rows);
    fprintf(file, "\n");
    for (int j = 0; j < n; j++)
        fprintf(file, "%d\t", d * (j + 1) < cols ? d * (j + 1) : cols);
    fprintf(file, "\n%d\n%d\n0\t", m + 1, blocks);
    for (int i = 0, count = 0; i < m; i++) {
        for (int j = 0; j < n; j++)
            count += !block_is_empty(rows, cols, full, i, j, d);
        fprintf(file, "%d\t", count);
    }
    fprintf(file, "\n");
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++)
            if (!block_is_empty(rows, cols, full, i, j, d))
                fprintf(file, "%d\t", j);
    fprintf(file, "\n");
    for (int i = 0, count = 0; i < m; i++)
        for (int j = 0; j < n; j++) {
            if (block_is_empty(rows, cols, full, i, j, d))
                continue;
            fprintf(file, "%d\n", count++);
            for (int b = d * j; b < d * j + d && b < cols; b++)
                for (int a = d * i; a < d * i + d && a < rows; a++)
                    fprintf(file, "%32.24e\n", full[a * cols + b]);
        }
}

// The sample as a full matrix of its own dimension.
static double *full_sample(const sample_local *s)
{
    int m = s->d * s->n;
    double *full = calloc((size_t)(m * m), sizeof *full);
    for (int i = 0; i < m; i++)
        for (int64_t k = s->ptr[i]; k < s->ptr[i + 1]; k++)
            full[i * m + s->col[k]] = s->val[k];
    return full;
}

static plait_problem *read_back(void)
{
    plait_error error = {0};
    plait_problem_text text = {.title = "x", .description = "x", .math_info = "x"};
    plait_problem *p = plait_problem_read(path, &text, &error);
    if (!CHECK(p != NULL))
        puts(error.text);
    CHECK_STR(text.title, "");
    return p;
}

// ---- what is read ------------------------------------------------------------------------------------------------

static void check_local(int d, bool blocks, const char *tail)
{
    plait_problem *p = sample_local_problem(d, 5);
    sample_local *s = sample_local_new(d, 5);
    double *full = full_sample(s);
    FILE *file = fopen(path, "w");
    fprintf(file, "%d\n5\n", d);
    if (blocks)
        print_blocks(file, 5 * d, 5 * d, full, d);
    else
        print_dense(file, 5 * d, 5 * d, full);
    print_vector(file, 5 * d, s->q);
    print_vector(file, 5, s->mu);
    fputs(tail, file);
    fclose(file);
    plait_problem *q = read_back();
    check_same_problem(p, q);
    plait_problem_free(p), plait_problem_free(q);
    free(full);
}

CASE(local_problems)
{
    for (int d = 2; d <= 3; d++) {
        check_local(d, false, "");
        check_local(d, true, "");
        check_local(d, false, "0\n"); // a flag that some files have at the end
    }
}

CASE(asymmetric_matrices_are_not_transposed)
{
    // W(0,1) = 0.1, W(1,0) = 0.2: the third number of the text is the second entry of the first column.
    const char *text = "3\n1\n0\n3\n3\n3\t3\n4 0.2 0\n0.1 4 0\n0 0 4\n-1 0 0\n0.5\n";
    write_text_file(path, text, strlen(text));
    plait_problem *p = read_back();
    CHECK(p && p->W->val[1] == 0.1 && p->W->val[3] == 0.2);
    plait_problem_free(p);
}

CASE(global_problems)
{
    plait_problem *p = sample_fibres(3, 0.9);
    const plait_dynamics *y = p->dynamics;
    int N = y->dofs, m = 3 * p->n;
    double *M = sample_dense(&y->M, N, false), *H = sample_dense(&y->H, N, true);
    for (int kind = 0; kind < 2; kind++) {
        FILE *file = fopen(path, "w");
        fprintf(file, "3\n%d\n", p->n);
        if (kind == 0)
            print_dense(file, N, N, M), print_dense(file, N, m, H);
        else
            print_blocks(file, N, N, M, 5), print_blocks(file, N, m, H, 4);
        print_vector(file, N, y->f);
        print_vector(file, m, y->w);
        print_vector(file, p->n, p->mu);
        fclose(file);
        plait_problem *q = read_back();
        check_same_problem(p, q);
        plait_problem_free(q);
    }
    free(M), free(H);
    plait_problem_free(p);
}

// As many dofs as scalars, so that only what follows the first matrix tells the form.
CASE(forms_are_told_apart)
{
    const char *global = "3 1\n0 3 3 3 3\n2 0 0 0 2 0 0 0 2\n0 3 3 3 3\n1 0 0 0 1 0 0 0 1\n-2 0 2\n0.5 0 0\n0.25\n";
    write_text_file(path, global, strlen(global));
    plait_problem *p = read_back();
    if (CHECK(p && p->dynamics)) {
        CHECK_NEAR(p->b[0], -0.5, 1e-15);
        CHECK_NEAR(p->b[2], 1, 1e-15);
    }
    plait_problem_free(p);
    // A q that begins like a second matrix.
    const char *local = "3 1\n0 3 3 3 3\n2 0 0 0 2 0 0 0 2\n0 3 3\n0.25\n";
    write_text_file(path, local, strlen(local));
    p = read_back();
    CHECK(p && !p->dynamics && p->b[0] == 0 && p->b[1] == 3 && p->b[2] == 3);
    plait_problem_free(p);
}

CASE(numbers_have_a_point_in_any_locale)
{
    static const char *const names[] = {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8", "fr_FR.utf8", "de_DE", "fr_FR"};
    const char *found = NULL;
    for (int i = 0; i < 6 && !found; i++)
        found = setlocale(LC_NUMERIC, names[i]);
    if (!found)
        SKIP("there is no locale with a decimal comma");
    const char *text = "3\n1\n0\n3\n3\n3\t3\n4.5 0 0\n0 4 0\n0 0 4\n-1 0 0\n0.5\n";
    write_text_file(path, text, strlen(text));
    plait_problem *p = read_back();
    CHECK(p && p->W->val[0] == 4.5 && p->mu[0] == 0.5);
    CHECK(strcmp(setlocale(LC_NUMERIC, NULL), found) == 0);
    setlocale(LC_NUMERIC, "C");
    plait_problem_free(p);
}

// ---- what is refused ---------------------------------------------------------------------------------------------

static void refuse(const char *text, const char *first, const char *second)
{
    plait_error error = {0};
    write_text_file(path, text, strlen(text));
    plait_problem *p = plait_problem_read(path, NULL, &error);
    bool ok = !p && error.status != PLAIT_OK && strncmp(error.text, path, strlen(path)) == 0;
    ok = ok && strstr(error.text, first) && (!second || strstr(error.text, second));
    if (!CHECK(ok))
        printf("wanted '%s' '%s', got: %s\n", first, second ? second : "", error.text);
    plait_problem_free(p);
}

// Sparse matrices as CSparse prints them, with six digits: read, and told. Plane: W as columns; M and H as triplets and rows.
CASE(sparse_matrices)
{
    static const char *const sparse[] = {
        "2\n1\n2\n2\n2\n2\nCSparse Version 3.1.9\n2-by-2, nzmax: 4 nnz: 4, 1-norm: 2.5\n"
        "    col 0 : locations 0 to 1\n      0 : 2\n      1 : 0.5\n    col 1 : locations 2 to 3\n      1 : 1.5\n      "
        "0 : 0.5\n"
        "-1 0.2\n0.3\n",
        "2\n1\n2\n3\n3\n1\nCXSparse Version 3\ntriplet: 3-by-3, nzmax: 3 nnz: 3\n    2 2 : 1\n    0 0 : 2\n    1 1 : "
        "4\n"
        "2\n3\n2\n3\nCSparse\n2-by-3, nzmax: 3 nnz: 2, 1-norm: 1\n    col 0 : locations 0 to 0\n 0 : 1\n"
        "    col 1 : locations 1 to 1\n 1 : 1\n    col 2 : locations 2 to 1\n1 2 3\n-1 0.2\n0.3\n"};
    static const char *const dense[] = {
        "2\n1\n0\n2\n2\n2\t2\n2 0.5 0.5 1.5\n-1 0.2\n0.3\n",
        "2\n1\n0\n3\n3\n3\t3\n2 0 0 0 4 0 0 0 1\n0\n3\n2\n3\t2\n1 0 0 0 1 0\n1 2 3\n-1 0.2\n0.3\n"};
    for (int k = 0; k < 2; k++) {
        plait_problem *p[2];
        plait_problem_text text[2];
        for (int j = 0; j < 2; j++) {
            FILE *file = fopen(path, "w");
            fputs(j ? dense[k] : sparse[k], file), fclose(file);
            plait_error error = {0};
            p[j] = plait_problem_read(path, &text[j], &error);
            if (!CHECK(p[j] != NULL)) {
                printf("%s\n", error.text);
                return;
            }
        }
        CHECK(strstr(text[0].warning, "six digits") && !*text[1].warning);
        for (int i = 0; i < 9; i++)
            CHECK_NEAR(p[0]->W->val[i], p[1]->W->val[i], 0);
        for (int i = 0; i < 3; i++)
            CHECK_NEAR(p[0]->b[i], p[1]->b[i], 0);
        plait_problem_free(p[0]), plait_problem_free(p[1]);
    }
}

CASE(bad_texts)
{
    refuse("3", "line 1", "number of contacts");
    refuse("4\n1\n", "line 1", "from 2 to 3 (dimension), found '4'");
    refuse("3\n-1\n", "line 2", "found '-1'");
    refuse("3\n1.5\n", "line 2", "found '1.5'");
    refuse("3\n99999999999\n", "line 2", "found '99999999999'");
    refuse("3\n1\n7\n3\n3\n", "line 3", "found '7'");
    refuse("3\n1\n2\n3\n3\n1\nCSparse Version 3\n", "line 8", "the end of the file");
    refuse("3\n1\n2\n3\n3\n9\n", "line 6", "from 1 to 3");
    refuse("3\n1\n2\n3\n3\n1\nCSparse 3\ntriplet: 3-by-4, nzmax: 3 nnz: 3\n", "line 8", "found '4,'");
    refuse("3\n1\n2\n3\n3\n1\nCSparse 3\ntriplet: 3-by-3, nzmax: 3 nnz: 2\n 0 0 : 1\n 3 1 : 2\n", "line 10",
           "found '3'");
    refuse("3\n1\n2\n3\n3\n2\nCSparse 3\n3-by-3, nzmax: 3 nnz: 2, 1-norm: 1\n col 0 : locations 0 to 1\n 0 : 1\n 1 1\n",
           "line 11", "expected ':'");
    refuse("3\n1\n2\n3\n3\n2\nCSparse 3\n3-by-3, nzmax: 3 nnz: 2, 1-norm: 1\n col 0 : locations 0 to 5\n", "line 9",
           "found '5'");
    refuse("3\n1\n2\n3\n3\n1\nCSparse 3\ntriplet: 3-by-3, nzmax: 3 nnz: 2000000000\n 0 0 : 1\n", "numbers", NULL);
    refuse("3\n1\n0\n3\n3\n3\t4\n", "line 6", "found '4'");
    refuse("3\n1\n0\n3\n3\n3\t3\n1 2 x 4 5 6 7 8 9\n", "line 7", "found 'x'");
    refuse("3\n1\n0\n3\n3\n3\t3\n1 0 0 0 1 0 0 0", "line 7", "the end of the file");
    refuse("3\n1\n0\n3\n3\n3\t3\n1 0 0 0 nan 0 0 0 1\n0 0 0\n1\n", "line 7", "found 'nan'");
    refuse("3\n1\n0\n3\n3\n3\t3\n1 0 0 0 1e999 0 0 0 1\n0 0 0\n1\n", "line 7", "found '1e999'");
    refuse("3\n1\n0\n3\n3\n3\t3\n1 0 0 0 1 0 0 0 1\n0 0\n", "line 9", "(q), found the end");
    refuse("3\n1\n0\n3\n3\n3\t3\n1 0 0 0 1 0 0 0 1\n0 0 0\n", "(mu)", "the end of the file");
    refuse("3\n1\n0\n3\n3\n3\t3\n1 0 0 0 1 0 0 0 1\n0 0 0\n-1\n", "mu[0] is -1", NULL);
    refuse("3\n1\n0\n3\n3\n3\t3\n1 0 0 1 1 0 0 0 1\n0 0 0\n1\n", "not symmetric", NULL);
    refuse("3\n2\n0\n3\n3\n3\t3\n1 0 0 0 1 0 0 0 1\n0 0 0\n1\n", "6 rows and columns (2 contacts), found 3 x 3", NULL);
}

CASE(sizes_beyond_the_text)
{
    refuse("3\n1\n0\n2000000000\n2000000000\n2000000000 2000000000\n1 2 3\n", "in the rest of the file", NULL);
    refuse("3\n1\n1\n2000000000\n2000000000\n5\n2000000000\n1\n", "in the rest of the file", NULL);
    refuse("3\n700000000\n1\n2100000000\n2100000000\n0\n1 2 3\n", "in the rest of the file", NULL);
}

CASE(bad_blocks)
{
    refuse("3 1 1 3 3 1 1 1 4 3 2 1 0 1 0 0 1 0 0 0 1 0 0 0 1", "from 1 to 3", "found '4'");
    refuse("3 1 1 3 3 1 1 1 2 3 2 1 0 1 0 0 1 0 0 0 1 0 0 0 1", "ascend to 3", "found 2");
    refuse("3 1 1 3 3 1 1 1 3 3 3 1 0 1 0 0 1 0 0 0 1 0 0 0 1", "from 1 to 2", "found '3'");
    refuse("3 1 1 3 3 1 1 1 3 3 2 2 0 1 0 0 1 0 0 0 1 0 0 0 1", "from 1 to 1", "found '2'");
    refuse("3 1 1 3 3 1 1 1 3 3 2 1 1 1 0 0 1 0 0 0 1 0 0 0 1", "rise from 0 to 1", NULL);
    refuse("3 1 1 3 3 1 1 1 3 3 2 1 0 1 5 0 1 0 0 0 1 0 0 0 1", "from 0 to 0", "found '5'");
    refuse("3 1 1 3 3 1 1 1 3 3 2 1 0 1 0 8 1 0 0 0 1 0 0 0 1", "from 0 to 0", "found '8'");
}

CASE(not_a_text)
{
    const char bytes[] = "3\n1\n0\n3\0\n3\n";
    plait_error error = {0};
    write_text_file(path, bytes, sizeof bytes);
    CHECK(plait_problem_read(path, NULL, &error) == NULL);
    CHECK(strstr(error.text, "zero bytes") != NULL);
}
