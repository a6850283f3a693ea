// fclib_write.c: problems and solutions to fclib's HDF5 files. A file appears whole or not at all: it is written under
// another name beside its place and renamed when everything has reached it.
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "contact/compliance.h"
#include "io/fclib.h"
#include "math/sparse.h"

// ---- from three components back to the problem's own dimension --------------------------------------------------

// d components of each contact's three.
static double *take_components(const double *x, int n, int d)
{
    double *y = malloc(((size_t)d * (size_t)n + 1) * sizeof *y);
    for (int i = 0; y && i < n; i++)
        memcpy(y + (size_t)d * (size_t)i, x + 3 * (size_t)i, (size_t)d * sizeof *y);
    return y;
}

// W by scalars; zeros inside the blocks are left out, except on the diagonal.
static bool scalar_matrix(const plait_block_matrix *W, int d, plait_sparse *A)
{
    int64_t count = 0;
    for (int64_t k = 0; k < W->ptr[W->n]; k++)
        for (int a = 0; a < 9; a++)
            count += W->val[9 * k + a] != 0;
    if (!plait_sparse_alloc(A, d * W->n, d * W->n, count + 3 * (int64_t)W->n))
        return false;
    count = 0;
    for (int i = 0; i < W->n; i++) {
        for (int a = 0; a < d; a++) {
            for (int64_t k = W->ptr[i]; k < W->ptr[i + 1]; k++) {
                for (int b = 0; b < d; b++) {
                    double value = W->val[9 * k + 3 * a + b];
                    if (value != 0 || (W->col[k] == i && a == b))
                        A->col[count] = d * W->col[k] + b, A->val[count] = value, count++;
                }
            }
            A->ptr[d * i + a + 1] = count;
        }
    }
    return true;
}

// fclib's H, dofs x (d n).
static bool transposed_jacobian(const plait_sparse *H, int n, int d, plait_sparse *T)
{
    if (d == 3)
        return plait_sparse_transpose(H, T);
    plait_sparse thin;
    if (!plait_sparse_alloc(&thin, d * n, H->cols, H->ptr[3 * n]))
        return false;
    int64_t count = 0;
    for (int i = 0; i < n; i++) {
        for (int a = 0; a < d; a++) {
            for (int64_t k = H->ptr[3 * i + a]; k < H->ptr[3 * i + a + 1]; k++)
                thin.col[count] = H->col[k], thin.val[count] = H->val[k], count++;
            thin.ptr[d * i + a + 1] = count;
        }
    }
    bool ok = plait_sparse_transpose(&thin, T);
    plait_sparse_free(&thin);
    return ok;
}

// ---- checks -----------------------------------------------------------------------------------------------------

static bool check_finite(const char *path, const char *name, const double *x, int64_t count, plait_error *error)
{
    for (int64_t i = 0; i < count; i++) {
        if (!isfinite(x[i])) {
            plait_error_set(error, PLAIT_BAD_INPUT,
                            "%s: not written: expected finite numbers in %s, found %g at index %lld", path, name, x[i],
                            (long long)i);
            return false;
        }
    }
    return true;
}

static bool check_problem(const char *path, const plait_problem *p, bool global, plait_error *error)
{
    int64_t scalars = 3 * (int64_t)p->n;
    if (p->laws) {
        plait_error_set(error, PLAIT_BAD_INPUT,
                        "%s: not written: expected Coulomb's law for all contacts, found bonds or ties "
                        "(plait_problem_fold_bonds makes bonds part of M)",
                        path);
        return false;
    }
    if (!check_finite(path, "mu", p->mu, p->n, error) || !check_finite(path, "b", p->b, scalars, error))
        return false;
    if (!global)
        return check_finite(path, "W", p->W->val, 9 * p->W->ptr[p->n], error);
    const plait_dynamics *y = p->dynamics;
    return check_finite(path, "M", y->M.val, y->M.ptr[y->dofs], error) &&
           check_finite(path, "H", y->H.val, y->H.ptr[scalars], error) &&
           check_finite(path, "f", y->f, y->dofs, error) && check_finite(path, "w", y->w, scalars, error);
}

// ---- the groups of a file ---------------------------------------------------------------------------------------

static bool write_words(plait_h5 *h, const char *group, const plait_problem_text *text)
{
    char name[64];
    if (!text)
        return true;
    snprintf(name, sizeof name, "%s/info", group);
    if (!plait_h5_write_group(h, name))
        return false;
    snprintf(name, sizeof name, "%s/info/title", group);
    if (!plait_h5_write_text(h, name, text->title))
        return false;
    snprintf(name, sizeof name, "%s/info/description", group);
    if (!plait_h5_write_text(h, name, text->description))
        return false;
    snprintf(name, sizeof name, "%s/info/math_info", group);
    return plait_h5_write_text(h, name, text->math_info);
}

static bool write_components(plait_h5 *h, const char *name, const double *x, const plait_problem *p)
{
    double *y = take_components(x, p->n, p->dimension);
    bool ok = y ? plait_h5_write_reals(h, name, (int64_t)p->dimension * p->n, y) : plait_h5_no_memory(h, name);
    free(y);
    return ok;
}

static bool write_local(plait_h5 *h, const plait_problem *p, const plait_problem_text *text)
{
    plait_sparse A;
    if (!scalar_matrix(p->W, p->dimension, &A))
        return plait_h5_no_memory(h, "/fclib_local/W");
    bool ok = plait_h5_write_group(h, "/fclib_local") && plait_h5_write_int(h, "/fclib_local/spacedim", p->dimension) &&
              plait_fclib_write_matrix(h, "/fclib_local/W", &A) && plait_h5_write_group(h, "/fclib_local/vectors") &&
              plait_h5_write_reals(h, "/fclib_local/vectors/mu", p->n, p->mu) &&
              write_components(h, "/fclib_local/vectors/q", p->b, p) && write_words(h, "/fclib_local", text);
    plait_sparse_free(&A);
    return ok;
}

static bool write_global(plait_h5 *h, const plait_problem *p, const plait_problem_text *text)
{
    const plait_dynamics *y = p->dynamics;
    plait_sparse T, M;
    if (!transposed_jacobian(&y->H, p->n, p->dimension, &T))
        return plait_h5_no_memory(h, "/fclib_global/H");
    if (!plait_dynamics_given(y, &M)) {
        plait_sparse_free(&T);
        return plait_h5_no_memory(h, "/fclib_global/M");
    }
    bool ok = plait_h5_write_group(h, "/fclib_global") &&
              plait_h5_write_int(h, "/fclib_global/spacedim", p->dimension) &&
              plait_fclib_write_matrix(h, "/fclib_global/M", &M) &&
              plait_fclib_write_matrix(h, "/fclib_global/H", &T) && plait_h5_write_group(h, "/fclib_global/vectors") &&
              plait_h5_write_reals(h, "/fclib_global/vectors/mu", p->n, p->mu) &&
              plait_h5_write_reals(h, "/fclib_global/vectors/f", y->dofs, y->f) &&
              write_components(h, "/fclib_global/vectors/w", y->w, p) && write_words(h, "/fclib_global", text);
    plait_sparse_free(&T), plait_sparse_free(&M);
    return ok;
}

// v may be NULL: a reduced problem has none.
static bool write_solution(plait_h5 *h, const plait_problem *p, const plait_solution *s, const double *v)
{
    return plait_h5_write_group(h, "/solution") && write_components(h, "/solution/r", s->r, p) &&
           write_components(h, "/solution/u", s->u, p) &&
           (!v || plait_h5_write_reals(h, "/solution/v", p->dynamics->dofs, v));
}

// ---- files ------------------------------------------------------------------------------------------------------

// Makes an empty file beside `path`. Opening it ourselves tells why it cannot be made; HDF5 would not.
static bool make_place(const char *path, char *place, size_t size, plait_error *error)
{
    int file = -1;
    for (int attempt = 0; attempt < 100 && file < 0; attempt++) {
        int length = snprintf(place, size, "%s.tmp%ld-%d", path, (long)getpid(), attempt);
        if (length < 0 || (size_t)length >= size) {
            plait_error_set(error, PLAIT_BAD_FILE, "%.200s...: cannot be written: the name is too long", path);
            return false;
        }
        file = open(place, O_WRONLY | O_CREAT | O_EXCL, 0666);
        if (file < 0 && errno != EEXIST)
            break;
    }
    if (file < 0) {
        plait_error_set(error, PLAIT_BAD_FILE, "%s: cannot be written: %s", path, strerror(errno));
        return false;
    }
    close(file);
    return true;
}

// s and v may be NULL.
static plait_status write_file(const char *path, const plait_problem *p, bool global, const plait_solution *s,
                               const double *v, const plait_problem_text *text, plait_error *error)
{
    char place[4096];
    plait_h5 h;
    plait_error own = {0}; // so that the status is known even if the caller wants no words
    if (!error)
        error = &own;
    if (!check_problem(path, p, global, error) || !make_place(path, place, sizeof place, error))
        return error->status;
    bool ok = plait_h5_create(&h, place, path, error);
    if (ok) {
        ok = (global ? write_global(&h, p, text) : write_local(&h, p, text)) && (!s || write_solution(&h, p, s, v));
        ok = plait_h5_close(&h) && ok;
    }
    if (ok && rename(place, path) != 0) {
        plait_error_set(error, PLAIT_BAD_FILE, "%s: cannot be written: %s", path, strerror(errno));
        ok = false;
    }
    if (!ok)
        unlink(place);
    return ok ? PLAIT_OK : error->status;
}

plait_status plait_problem_write(const char *path, const plait_problem *p, const plait_problem_text *text,
                                 plait_error *error)
{
    return write_file(path, p, p->dynamics != NULL, NULL, NULL, text, error);
}

plait_status plait_problem_write_local(const char *path, const plait_problem *p, const plait_problem_text *text,
                                       plait_error *error)
{
    if (!p->W)
        return plait_error_set(error, PLAIT_BAD_INPUT, "%s: not written: expected an assembled W, found only M and H",
                               path);
    return write_file(path, p, false, NULL, NULL, text, error);
}

plait_status plait_solution_write(const char *path, const plait_problem *p, const plait_solution *s,
                                  const plait_problem_text *text, plait_error *error)
{
    if (s->n != p->n)
        return plait_error_set(error, PLAIT_BAD_INPUT, "%s: not written: expected a solution of %d contacts, found %d",
                               path, p->n, s->n);
    if (!check_finite(path, "r", s->r, 3 * (int64_t)p->n, error) ||
        !check_finite(path, "u", s->u, 3 * (int64_t)p->n, error))
        return PLAIT_BAD_INPUT;
    if (!p->dynamics)
        return write_file(path, p, false, s, NULL, text, error);
    double *v = malloc(((size_t)p->dynamics->dofs + 1) * sizeof *v);
    if (!v)
        return plait_error_set(error, PLAIT_NO_MEMORY, "%s: not written: not enough memory", path);
    plait_status status = plait_compliance_velocity(p->compliance, p->dynamics->f, s->r, plait_team_of(0), v, error);
    if (status == PLAIT_OK && !check_finite(path, "v", v, p->dynamics->dofs, error))
        status = PLAIT_BAD_INPUT;
    if (status == PLAIT_OK)
        status = write_file(path, p, true, s, v, text, error);
    free(v);
    return status;
}
