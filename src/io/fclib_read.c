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

// Friction coefficients: there are as many as contacts.
static bool read_friction(plait_h5 *h, const char *name, int *n, double **mu)
{
    int64_t count = -1;
    if (!plait_h5_read_reals(h, name, &count, mu))
        return false;
    *n = (int)(count <= INT_MAX / 3 ? count : 0);
    return count <= INT_MAX / 3 ||
           plait_h5_fail(h, name, "expected at most %d contacts, found %lld", INT_MAX / 3, (long long)count);
}

// Vectors first: their length is that of what the file stores, and the matrices must fit to them.
static plait_problem *read_local(plait_h5 *h, plait_error *error)
{
    plait_sparse W = {0};
    double *q = NULL, *mu = NULL;
    int d = 3, n = 0;
    plait_problem *p = NULL;
    plait_error inner = {0};
    bool ok = plait_h5_read_int(h, "/fclib_local/spacedim", 2, 3, &d) && refuse_constraints(h, "/fclib_local/V", "n") &&
              refuse_constraints(h, "/fclib_local/R", "m") && read_friction(h, "/fclib_local/vectors/mu", &n, &mu);
    int64_t scalars = (int64_t)d * n;
    ok = ok && plait_h5_read_reals(h, "/fclib_local/vectors/q", &scalars, &q) &&
         plait_fclib_read_matrix(h, "/fclib_local/W", d * n, d * n, false, &W);
    if (ok)
        p = plait_file_adopt(h->path, plait_problem_from_delassus(d, n, &W, q, mu, &inner), &inner, error);
    plait_sparse_free(&W);
    free(q), free(mu);
    return p;
}

static plait_problem *read_global(plait_h5 *h, plait_error *error)
{
    plait_sparse M = {0}, H = {0};
    double *f = NULL, *w = NULL, *mu = NULL;
    int d = 3, n = 0, half = 0;
    int64_t dofs = -1;
    plait_problem *p = NULL;
    plait_error inner = {0};
    bool ok = plait_h5_read_int(h, "/fclib_global/spacedim", 2, 3, &d) &&
              refuse_constraints(h, "/fclib_global/G", "n") && read_friction(h, "/fclib_global/vectors/mu", &n, &mu) &&
              plait_h5_read_reals(h, "/fclib_global/vectors/f", &dofs, &f);
    if (ok && dofs > INT_MAX / 3)
        ok = plait_h5_fail(h, "/fclib_global/vectors/f", "expected at most %d dofs, found %lld", INT_MAX / 3,
                           (long long)dofs);
    int64_t scalars = (int64_t)d * n;
    // The file's H is dofs x (d n), ours is its transpose.
    ok = ok && plait_h5_read_reals(h, "/fclib_global/vectors/w", &scalars, &w) &&
         plait_fclib_read_matrix(h, "/fclib_global/M", (int)dofs, (int)dofs, false, &M) &&
         plait_fclib_read_matrix(h, "/fclib_global/H", (int)dofs, d * n, true, &H);
    if (ok && !plait_file_complete_mass(&M, &half))
        ok = plait_h5_no_memory(h, "/fclib_global/M");
    if (ok)
        p = plait_file_adopt(h->path, plait_problem_from_dynamics(d, n, &M, &H, f, w, mu, &inner), &inner, error);
    p = plait_file_note_half(h->path, p, &M, half, error);
    plait_sparse_free(&M), plait_sparse_free(&H);
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

static bool open_unpacked(plait_h5 *h, const plait_unpacked *u, plait_error *error)
{
    return u->bytes ? plait_h5_open_image(h, u->path, u->bytes, u->size, error) : plait_h5_open(h, u->place, error);
}

plait_problem *plait_fclib_read(const plait_unpacked *u, plait_problem_text *text, plait_error *error)
{
    plait_h5 h;
    plait_problem *p = NULL;
    if (!open_unpacked(&h, u, error))
        return NULL;
    bool global = plait_h5_has(&h, "/fclib_global"), local = plait_h5_has(&h, "/fclib_local");
    if (global)
        p = read_global(&h, error); // says more, if a file has both
    else if (local)
        p = read_local(&h, error);
    else
        plait_h5_set_error(&h, NULL, "expected a group /fclib_local or /fclib_global, found neither");
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
    plait_unpacked packed;
    if (s->n != p->n)
        return plait_error_set(error, PLAIT_BAD_INPUT, "%s: expected room for %d contacts, found room for %d", path,
                               p->n, s->n);
    plait_error own = {0}; // so that the status is known even if the caller wants no words
    if (!error)
        error = &own;
    if (!plait_unpack(&packed, path, error))
        return error->status;
    if (!open_unpacked(&h, &packed, error)) {
        plait_unpacked_close(&packed);
        return error->status;
    }
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
    plait_unpacked_close(&packed);
    return ok ? PLAIT_OK : error->status;
}
