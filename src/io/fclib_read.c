// fclib_read.c: problems, solutions and guesses from fclib's HDF5 files.
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/fclib.h"
#include "math/sparse.h"

// Equality constraints are not ours; a file may have empty ones.
static bool refuse_constraints(plait_h5 *h, const char *group, const char *member)
{
    char name[64];
    int size = 0;
    if (!plait_h5_has(h, group))
        return true;
    snprintf(name, sizeof name, "%s/%s", group, member);
    if (!plait_h5_read_int(h, name, 0, INT_MAX, &size))
        return false;
    return size == 0 ||
           plait_h5_fail(h, group, "expected no equality constraints (they are not supported), found %d", size);
}

// The number of contacts from the number of scalars.
static bool count_contacts(plait_h5 *h, const char *name, int scalars, int dimension, int *n)
{
    *n = scalars / dimension;
    if (scalars % dimension != 0)
        return plait_h5_fail(h, name, "expected a multiple of spacedim = %d, found %d", dimension, scalars);
    return *n <= INT_MAX / 3 || plait_h5_fail(h, name, "expected at most %d contacts, found %d", INT_MAX / 3, *n);
}

static plait_problem *read_local(plait_h5 *h, plait_error *error)
{
    plait_fclib_matrix W = {0};
    double *q = NULL, *mu = NULL;
    int dimension, n = 0;
    plait_problem *p = NULL;
    plait_error inner = {0};
    bool ok = plait_h5_read_int(h, "/fclib_local/spacedim", 2, 3, &dimension) &&
              refuse_constraints(h, "/fclib_local/V", "n") && refuse_constraints(h, "/fclib_local/R", "m") &&
              plait_fclib_read_matrix(h, "/fclib_local/W", false, &W);
    if (ok && W.rows != W.cols)
        ok = plait_h5_fail(h, "/fclib_local/W", "expected a square matrix, found %d rows and %d columns", W.rows,
                           W.cols);
    ok = ok && count_contacts(h, "/fclib_local/W/m", W.rows, dimension, &n);
    int64_t contacts = n, scalars = W.rows;
    if (ok && plait_h5_read_reals(h, "/fclib_local/vectors/mu", &contacts, &mu) &&
        plait_h5_read_reals(h, "/fclib_local/vectors/q", &scalars, &q))
        p = plait_file_adopt(h->path, plait_problem_from_delassus(dimension, n, &W.A, q, mu, &inner), &inner, error);
    plait_sparse_free(&W.A);
    free(q), free(mu);
    return p;
}

static plait_problem *read_global(plait_h5 *h, plait_error *error)
{
    plait_fclib_matrix M = {0}, H = {0};
    double *f = NULL, *w = NULL, *mu = NULL;
    int dimension, n = 0;
    plait_problem *p = NULL;
    plait_error inner = {0};
    bool ok = plait_h5_read_int(h, "/fclib_global/spacedim", 2, 3, &dimension) &&
              refuse_constraints(h, "/fclib_global/G", "n") &&
              plait_fclib_read_matrix(h, "/fclib_global/M", false, &M) &&
              plait_fclib_read_matrix(h, "/fclib_global/H", true, &H); // the file has dofs x (dimension n)
    if (ok && M.rows != M.cols)
        ok = plait_h5_fail(h, "/fclib_global/M", "expected a square matrix, found %d rows and %d columns", M.rows,
                           M.cols);
    if (ok && H.rows != M.rows)
        ok = plait_h5_fail(h, "/fclib_global/H/m", "expected %d rows, as many as M has, found %d", M.rows, H.rows);
    ok = ok && count_contacts(h, "/fclib_global/H/n", H.cols, dimension, &n);
    if (ok && !plait_file_complete_mass(&M.A))
        ok = plait_h5_no_memory(h, "/fclib_global/M");
    int64_t contacts = n, scalars = H.cols, dofs = M.rows;
    if (ok && plait_h5_read_reals(h, "/fclib_global/vectors/mu", &contacts, &mu) &&
        plait_h5_read_reals(h, "/fclib_global/vectors/f", &dofs, &f) &&
        plait_h5_read_reals(h, "/fclib_global/vectors/w", &scalars, &w))
        p = plait_file_adopt(h->path, plait_problem_from_dynamics(dimension, n, &M.A, &H.A, f, w, mu, &inner), &inner,
                             error);
    plait_sparse_free(&M.A), plait_sparse_free(&H.A);
    free(f), free(w), free(mu);
    return p;
}

static void read_words(plait_h5 *h, const char *group, plait_problem_text *text)
{
    char name[64];
    snprintf(name, sizeof name, "%s/info/title", group);
    plait_h5_read_text(h, name, text->title, sizeof text->title);
    snprintf(name, sizeof name, "%s/info/description", group);
    plait_h5_read_text(h, name, text->description, sizeof text->description);
    snprintf(name, sizeof name, "%s/info/math_info", group);
    plait_h5_read_text(h, name, text->math_info, sizeof text->math_info);
}

plait_problem *plait_fclib_read(const char *path, plait_problem_text *text, plait_error *error)
{
    plait_h5 h;
    plait_problem *p = NULL;
    if (!plait_h5_open(&h, path, error))
        return NULL;
    bool global = plait_h5_has(&h, "/fclib_global"), local = plait_h5_has(&h, "/fclib_local");
    if (global)
        p = read_global(&h, error); // says more, if a file has both
    else if (local)
        p = read_local(&h, error);
    else
        plait_h5_fail(&h, NULL, "expected a group /fclib_local or /fclib_global, found neither");
    if (p && text)
        read_words(&h, global ? "/fclib_global" : "/fclib_local", text);
    plait_h5_close(&h);
    return p;
}

// ---- solutions -----------------------------------------------------------------------------------------------------

// A vector of the file's dimension into three components per contact.
static bool read_vector(plait_h5 *h, const char *name, const plait_problem *p, double *to)
{
    int64_t count = (int64_t)p->dimension * p->n;
    double *values;
    if (!plait_h5_read_reals(h, name, &count, &values))
        return false;
    memset(to, 0, 3 * (size_t)p->n * sizeof *to);
    for (int i = 0; i < p->n; i++)
        memcpy(to + 3 * (size_t)i, values + (size_t)p->dimension * (size_t)i, (size_t)p->dimension * sizeof *to);
    free(values);
    return true;
}

plait_status plait_solution_read(const char *path, const plait_problem *p, plait_solution *s, plait_error *error)
{
    plait_h5 h;
    if (s->n != p->n)
        return plait_error_set(error, PLAIT_BAD_INPUT, "%s: expected room for %d contacts, found room for %d", path,
                               p->n, s->n);
    plait_error own = {0}; // so that the status is known even if the caller wants no words
    if (!error)
        error = &own;
    if (plait_file_check(path, error) != PLAIT_OK || !plait_h5_open(&h, path, error))
        return error->status;
    const char *r = "/solution/r", *u = "/solution/u";
    bool ok = true;
    if (!plait_h5_has(&h, r)) {
        r = "/guesses/1/r", u = "/guesses/1/u";
        if (!plait_h5_has(&h, r))
            ok = plait_h5_fail(&h, NULL, "expected a dataset /solution/r or /guesses/1/r, found neither");
    }
    ok = ok && read_vector(&h, r, p, s->r);
    if (ok && plait_h5_has(&h, u))
        ok = read_vector(&h, u, p, s->u);
    plait_h5_close(&h);
    return ok ? PLAIT_OK : error->status;
}
