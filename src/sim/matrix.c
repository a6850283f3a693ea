// matrix.c: M and f of the bodies in contact, from those of each fibre and rigid body.
#include <stdlib.h>
#include <string.h>

#include "base/parallel.h"
#include "math/sparse.h"
#include "sim/sim.h"

enum { MANY = 64 }; // bodies: less are not worth a second thread

// The rows of a fibre, from entry `at` on. Returns how many entries there are; without M they are only counted.
static int64_t fibre_rows(const plait_sim_fibre *fibre, int first, plait_sparse *M, int64_t at)
{
    int n = fibre->rod->dofs, w = fibre->rod->bandwidth;
    int64_t count = 0;
    for (int r = 0; r < n; r++) {
        for (int c = r - w > 0 ? r - w : 0; c < n && c <= r + w; c++) {
            double value = plait_sim_entry(fibre, r, c);
            if (value == 0 && r != c)
                continue;
            if (M)
                M->col[at + count] = first + c, M->val[at + count] = value;
            count++;
        }
        if (M)
            M->ptr[first + r + 1] = at + count;
    }
    return count;
}

enum { RIGID_ENTRIES = 12 };

static void rigid_rows(const plait_sim_rigid *body, int first, plait_sparse *M, int64_t at)
{
    for (int r = 0; r < 6; r++) {
        if (r < 3) {
            M->col[at] = first + r;
            M->val[at++] = body->mass;
        } else {
            for (int c = 0; c < 3; c++) {
                M->col[at] = first + 3 + c;
                // Exactly symmetric, whatever rounding did.
                M->val[at++] = 0.5 * (body->I[3 * (r - 3) + c] + body->I[3 * c + r - 3]);
            }
        }
        M->ptr[first + r + 1] = at;
    }
}

static void rigid_momentum(const plait_sim_rigid *body, const double *v, double *f)
{
    for (int k = 0; k < 3; k++) {
        f[k] = body->mass * v[k];
        f[3 + k] = 0;
        for (int c = 0; c < 3; c++)
            f[3 + k] += 0.5 * (body->I[3 * k + c] + body->I[3 * c + k]) * v[3 + c];
    }
}

static void fill_body(const plait_sim *sim, int b, plait_sparse *M, int64_t at, double *f)
{
    int first = sim->body_dof[b];
    if (first < 0)
        return;
    if (b < sim->fibres) {
        fibre_rows(&sim->fibre[b], first, M, at);
        memcpy(f + first, sim->fibre[b].f, (size_t)sim->fibre[b].rod->dofs * sizeof *f);
    } else {
        rigid_rows(&sim->rigid[b - sim->fibres], first, M, at);
        rigid_momentum(&sim->rigid[b - sim->fibres], sim->v_free + sim->first_dof[b], f + first);
    }
}

bool plait_sim_matrix(const plait_sim *sim, plait_sparse *M, double *f)
{
    int dofs = 0, bodies = sim->fibres + sim->rigids, threads = bodies >= MANY ? sim->threads : 1;
    int64_t *at = calloc((size_t)bodies + 1, sizeof *at);
    if (!at)
        return false;
#pragma omp parallel for schedule(static) num_threads(threads) reduction(+ : dofs) if (threads > 1)
    for (int b = 0; b < bodies; b++)
        if (sim->body_dof[b] >= 0) {
            dofs += sim->first_dof[b + 1] - sim->first_dof[b];
            at[b + 1] = b < sim->fibres ? fibre_rows(&sim->fibre[b], 0, NULL, 0) : RIGID_ENTRIES;
        }
    for (int b = 0; b < bodies; b++)
        at[b + 1] += at[b];
    bool ok = plait_sparse_alloc(M, dofs, dofs, at[bodies]);
    if (ok) {
        M->ptr[0] = 0;
#pragma omp parallel for schedule(static) num_threads(threads) if (threads > 1)
        for (int b = 0; b < bodies; b++)
            fill_body(sim, b, M, at[b], f);
    }
    free(at);
    return ok;
}
