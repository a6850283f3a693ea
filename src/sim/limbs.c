// limbs.c: from contacts to the rows of H.
#include "sim/limbs.h"

#include <math.h>
#include <string.h>

#include "base/parallel.h"
#include "math/sparse.h"
#include "math/vec3.h"
#include "sim/bonds.h"

// What one side adds to the three rows: columns and sign * E J.
typedef struct limb {
    int count;
    const int *dof;      // [count] ascending, in the problem
    const double *block; // [3][count]
} limb;

typedef struct contact_rows {
    const plait_model *m;
    plait_work *w;
    double dt, *w_out, *mu;
    plait_sparse *H;
} contact_rows;

// Of one thread.
typedef struct scratch {
    double *J, *block[2]; // [3 columns]
    int *dof[2];          // [columns]
} scratch;

static limb make_limb(const contact_rows *c, const plait_side *side, int k, const double *E, const scratch *t,
                      double carried[3])
{
    carried[0] = carried[1] = carried[2] = 0;
    int b = plait_sim_mover(c->m, side), from;
    if (b < 0)
        return (limb){0};
    const plait_body *body = &c->m->body[b];
    double *J = t->J, *block = t->block[k], sign = k ? -1 : 1;
    int count = body->type->limb(body, side, t->dof[k], J, carried);
    plait_sim_free_dofs(body, &from);
    for (int d = 0; d < count; d++) // columns of held dofs are zero: none will be written
        t->dof[k][d] += c->w->body_dof[b] - from;
    for (int r = 0; r < 3; r++)
        for (int d = 0; d < count; d++)
            block[r * count + d] =
                sign * (E[3 * r] * J[d] + E[3 * r + 1] * J[count + d] + E[3 * r + 2] * J[2 * count + d]);
    return (limb){count, t->dof[k], block};
}

// The rows of a contact; two limbs of one body are added where they overlap.
static int64_t write_rows(plait_sparse *H, int contact, int64_t at, limb a, limb b)
{
    if (b.count > 0 && (a.count == 0 || b.dof[0] < a.dof[0])) {
        limb t = a;
        a = b, b = t;
    }
    for (int r = 0; r < 3; r++) {
        int ca = 0, cb = 0;
        while (ca < a.count || cb < b.count) {
            int column_a = ca < a.count ? a.dof[ca] : INT32_MAX, column_b = cb < b.count ? b.dof[cb] : INT32_MAX;
            int column = column_a < column_b ? column_a : column_b;
            double value = 0;
            if (column_a == column)
                value += a.block[r * a.count + ca++];
            if (column_b == column)
                value += b.block[r * b.count + cb++];
            if (value == 0)
                continue;
            H->col[at] = column;
            H->val[at++] = value;
        }
        H->ptr[3 * contact + r + 1] = at;
    }
    return at;
}

// Chunks of `rows` rows that end before the next one begins move up to each other.
static void close_ranks(plait_sparse *H, int chunks, int rows, const int64_t *begin, const int64_t *end)
{
    int64_t at = 0;
    for (int k = 0; k < chunks; k++) {
        int64_t count = end[k] - begin[k], back = begin[k] - at;
        if (back > 0) {
            memmove(H->col + at, H->col + begin[k], (size_t)count * sizeof *H->col);
            memmove(H->val + at, H->val + begin[k], (size_t)count * sizeof *H->val);
        }
        for (int r = k * rows; r < H->rows && r < (k + 1) * rows; r++)
            H->ptr[r + 1] -= back;
        at += count;
    }
}

// ---- w --------------------------------------------------------------------------------------------------------------

double plait_sim_friction(const plait_model *m, const plait_work *w, const plait_touch *t, double *restitution)
{
    int at = plait_sim_pair(m, w, t);
    *restitution = plait_sim_is_bonded(w, t) ? 0 : m->scene->restitution[at];
    return t->fixed ? 0 : m->scene->mu[at];
}


static void make_frame(const double normal[3], double *E)
{
    plait_vec3_copy(normal, E);
    plait_vec3_any_normal(normal, E + 3);
    plait_vec3_cross(E, E + 3, E + 6);
}

// ---- all of them ----------------------------------------------------------------------------------------------------

// H, w, mu and the frame of contact i; its rows are written from entry `at` on. Returns where they end.
static int64_t fill_contact(const contact_rows *c, int i, const scratch *s, int64_t at)
{
    const plait_touch *t = &c->w->touches.touch[i];
    double *E = c->w->frame + 9 * (size_t)i, restitution, carried[2][3];
    make_frame(t->normal, E);
    c->mu[i] = plait_sim_friction(c->m, c->w, t, &restitution);
    limb a = make_limb(c, &t->side[0], 0, E, s, carried[0]);
    limb b = make_limb(c, &t->side[1], 1, E, s, carried[1]);
    at = write_rows(c->H, i, at, a, b);
    for (int k = 0; k < 3; k++)
        c->w_out[3 * i + k] =
            (plait_vec3_dot(E + 3 * k, t->side[0].move) - plait_vec3_dot(E + 3 * k, t->side[1].move)) / c->dt +
            plait_vec3_dot(E + 3 * k, carried[0]) - plait_vec3_dot(E + 3 * k, carried[1]);
    c->w->gap_term[i] = t->gap > 0 ? t->gap / c->dt : 0;
    c->w_out[3 * i] += c->w->gap_term[i];
    return at;
}

// Entries of H that a contact has at most.
static int64_t entries(const contact_rows *c, int i)
{
    int64_t sum = 0;
    for (int k = 0; k < 2; k++)
        sum += 3 * c->m->body[plait_sim_owner(c->m, &c->w->touches.touch[i].side[k])].columns;
    return sum;
}

static scratch make_scratch(plait_arena *arena, int columns)
{
    size_t n = (size_t)columns + 1;
    double *x = plait_arena_alloc(arena, 9 * n, sizeof *x);
    int *dof = plait_arena_alloc(arena, 2 * n, sizeof *dof);
    return x && dof ? (scratch){x, {x + 3 * n, x + 6 * n}, {dof, dof + n}} : (scratch){0};
}

// In chunks: each writes where its rows are if no entry vanishes. Then the chunks close ranks.
static bool fill(const contact_rows *c, plait_arena *arena)
{
    enum { CHUNK = 256 };
    int n = c->w->touches.count, chunks = (n + CHUNK - 1) / CHUNK, threads = n < PLAIT_SIM_FEW ? 1 : c->w->threads;
    scratch *s = plait_arena_alloc(arena, (size_t)threads, sizeof *s);
    int64_t *begin = plait_arena_alloc(arena, 2 * (size_t)chunks + 1, sizeof *begin), *end = begin + chunks, total = 0;
    if (!s || !begin)
        return false;
    for (int t = 0; t < threads; t++) {
        s[t] = make_scratch(arena, c->m->columns);
        if (!s[t].J)
            return false;
    }
    for (int i = 0; i < n; i++) {
        if (i % CHUNK == 0)
            begin[i / CHUNK] = total;
        total += entries(c, i);
    }
    if (!plait_sparse_alloc(c->H, 3 * n, c->H->cols, total))
        return false;
    c->H->ptr[0] = 0;
#pragma omp parallel for schedule(static) num_threads(threads) if (threads > 1)
    for (int k = 0; k < chunks; k++) {
        end[k] = begin[k];
        for (int i = k * CHUNK; i < n && i < (k + 1) * CHUNK; i++)
            end[k] = fill_contact(c, i, &s[omp_get_thread_num()], end[k]);
    }
    close_ranks(c->H, chunks, 3 * CHUNK, begin, end);
    return true;
}

bool plait_sim_limbs(const plait_model *m, plait_work *w, double dt, plait_sparse *H, double *w_out, double *mu)
{
    contact_rows c = {m, w, dt, w_out, mu, H};
    plait_arena_mark mark = plait_arena_get_mark(&w->arena);
    bool ok = fill(&c, &w->arena);
    plait_arena_release(&w->arena, mark);
    return ok;
}
