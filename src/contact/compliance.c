// compliance.c: products with W = H M^-1 H^T.
#include "contact/compliance.h"

#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include "base/parallel.h"
#include "base/pool.h"

enum { N = PLAIT_LANES };

#define INLINE static inline __attribute__((always_inline)) // into the clones, with their instruction set

typedef double lanes __attribute__((vector_size(8 * N)));                // one vector, or several narrower ones
typedef double lanes_at __attribute__((vector_size(8 * N), aligned(8))); // in memory, anywhere
typedef double two __attribute__((vector_size(16)));
typedef double four __attribute__((vector_size(32)));
typedef double four_at __attribute__((vector_size(32), aligned(8)));

// x += H_limb^T r
INLINE void limb_scatter(const plait_compliance *c, const plait_limb *limb, const double r[3], double *x)
{
    const double *h = c->row + limb->row, r0 = r[0], r1 = r[1], r2 = r[2];
    lanes_at *to = (lanes_at *)(x + limb->run);
    const lanes *row = (const lanes *)h;
    for (int b = 0; b < limb->blocks; b++)
        to[b] += row[3 * b] * r0 + row[3 * b + 1] * r1 + row[3 * b + 2] * r2;
    if (limb->blocks > 0)
        return;
    h = c->val + 3 * limb->first;
    const int *col = c->col + limb->first;
    for (int k = 0; k < limb->count; k++)
        x[col[k]] += h[3 * k] * r0 + h[3 * k + 1] * r1 + h[3 * k + 2] * r2;
}

// The sums over the lanes of three vectors, in a fixed order, whatever the width of vectors:
// ((0 + 4) + (2 + 6)) + ((1 + 5) + (3 + 7))
INLINE void lane_sums(const lanes s[3], double u[3])
{
    four a = __builtin_shufflevector(s[0], s[0], 0, 1, 2, 3) + __builtin_shufflevector(s[0], s[0], 4, 5, 6, 7);
    four b = __builtin_shufflevector(s[1], s[1], 0, 1, 2, 3) + __builtin_shufflevector(s[1], s[1], 4, 5, 6, 7);
    four c = __builtin_shufflevector(s[2], s[2], 0, 1, 2, 3) + __builtin_shufflevector(s[2], s[2], 4, 5, 6, 7);
    four ab = __builtin_shufflevector(a, b, 0, 1, 4, 5) + __builtin_shufflevector(a, b, 2, 3, 6, 7);
    two third = __builtin_shufflevector(c, c, 0, 1) + __builtin_shufflevector(c, c, 2, 3);
    two first = __builtin_shufflevector(ab, ab, 0, 2) + __builtin_shufflevector(ab, ab, 1, 3);
    u[0] = first[0], u[1] = first[1], u[2] = third[0] + third[1];
}

// u = H_limb x
INLINE void limb_gather(const plait_compliance *c, const plait_limb *limb, const double *x, double u[3])
{
    const lanes *row = (const lanes *)(c->row + limb->row);
    const lanes_at *from = (const lanes_at *)(x + limb->run);
    lanes s[3] = {{0}, {0}, {0}};
    for (int b = 0; b < limb->blocks; b++)
        s[0] += row[3 * b] * from[b], s[1] += row[3 * b + 1] * from[b], s[2] += row[3 * b + 2] * from[b];
    lane_sums(s, u);
    if (limb->blocks > 0)
        return;
    const double *h = c->val + 3 * limb->first;
    const int *col = c->col + limb->first;
    for (int k = 0; k < limb->count; k++)
        for (int a = 0; a < 3; a++)
            u[a] += h[3 * k + a] * x[col[k]];
}

// The same two for edges. Points next to each other, or with one dof between them, are written at once: a write that
// is read again in other portions has to reach the cache first.
INLINE void edge_scatter(const plait_edge *e, const double r[3], double *x)
{
    const four *E = (const four *)e->E;
    four g = E[0] * r[0] + E[1] * r[1] + E[2] * r[2], g0 = g * e->a[0], g1 = g * e->a[1];
    lanes_at *to = (lanes_at *)(x + e->run);
    if (e->shift == 4)
        *to += __builtin_shufflevector(g0, g1, 0, 1, 2, 3, 4, 5, 6, 7);
    else if (e->shift == 3)
        *to += __builtin_shufflevector(g0, g1, 0, 1, 2, 4, 5, 6, 3, 7);
    else
        *(four_at *)to += g0, *(four_at *)(x + e->run + e->shift) += g1;
}

INLINE void edge_gather(const plait_edge *e, const double *x, double u[3])
{
    const four *E = (const four *)e->E;
    four y = *(const four_at *)(x + e->run) * e->a[0] + *(const four_at *)(x + e->run + e->shift) * e->a[1];
    four s = E[0] * y, t = E[1] * y, v = E[2] * y; // sums over lanes: (0 + 1) + (2 + 3)
    four st = __builtin_shufflevector(s, t, 0, 4, 2, 6) + __builtin_shufflevector(s, t, 1, 5, 3, 7);
    two first = __builtin_shufflevector(st, st, 0, 1) + __builtin_shufflevector(st, st, 2, 3);
    two third = __builtin_shufflevector(v, v, 0, 2) + __builtin_shufflevector(v, v, 1, 3);
    u[0] = first[0], u[1] = first[1], u[2] = third[0] + third[1];
}

INLINE void body_scatter(const plait_compliance *c, int b, const double *r, double *x)
{
    if (c->body[b].first_edge >= 0) {
        const plait_edge *e = c->edge + c->body[b].first_edge;
        for (int k = c->body[b].first_limb; k < c->body[b + 1].first_limb; k++, e++)
            edge_scatter(e, r + 3 * (int64_t)e->contact, x);
        return;
    }
    for (int k = c->body[b].first_limb; k < c->body[b + 1].first_limb; k++)
        limb_scatter(c, &c->limb[k], r + 3 * (int64_t)c->limb[k].contact, x);
}

INLINE void body_gather(const plait_compliance *c, int b, const double *x, double *limb_u)
{
    if (c->body[b].first_edge >= 0) {
        const plait_edge *e = c->edge + c->body[b].first_edge;
        for (int k = c->body[b].first_limb; k < c->body[b + 1].first_limb; k++, e++)
            edge_gather(e, x, limb_u + 3 * (int64_t)k);
        return;
    }
    for (int k = c->body[b].first_limb; k < c->body[b + 1].first_limb; k++)
        limb_gather(c, &c->limb[k], x, limb_u + 3 * (int64_t)k);
}

// Blocks of limbs may reach beyond the dofs of a body by less than a block: that must be there, and zero.
static int64_t padded(int size)
{
    return (size + 2 * N - 2) / N * N;
}

// One pack: scatter, transpose into lanes, solve, transpose back, gather. x: [LANES][padded], X: [size][LANES].
PLAIT_CLONES static void pack_apply(const plait_compliance *c, int pack, const double *r, double *x, double *X,
                                    double *limb_u)
{
    const plait_factor *p = &c->pack[pack];
    const int *bodies = c->pack_body + (int64_t)pack * N;
    int size = p->size;
    int64_t stride = padded(size);
    memset(x, 0, (size_t)(N * stride) * sizeof *x);
    for (int l = 0; l < N; l++)
        if (bodies[l] >= 0)
            body_scatter(c, bodies[l], r, x + l * stride);
    for (int i = 0; i < size; i++)
        for (int l = 0; l < N; l++)
            X[i * N + l] = x[l * stride + i];
    plait_factor_solve(p, NULL, X);
    for (int l = 0; l < N; l++)
        for (int i = 0; i < size; i++)
            x[l * stride + i] = X[i * N + l];
    for (int l = 0; l < N; l++)
        if (bodies[l] >= 0)
            body_gather(c, bodies[l], x + l * stride, limb_u);
}

// A factor of one lane needs no transposes. work: what its solution needs.
PLAIT_CLONES static void single_apply(const plait_compliance *c, int pack, const double *r,
                                      const plait_compliance_scratch *w, double *x, double *work)
{
    int b = c->pack_body[(int64_t)pack * N];
    memset(x, 0, (size_t)padded(c->body[b].size) * sizeof *x);
    body_scatter(c, b, r, x);
    const int *super = w->super + w->super_ptr[pack];
    plait_cholesky_solve_part(c->pack[pack].plan, c->pack[pack].L, w->super_ptr[pack + 1] - w->super_ptr[pack], super,
                              work, x);
    body_gather(c, b, x, w->limb_u);
}

// What the impulses do to each limb: w->limb_u. Inside of a parallel region, or outside of any.
static void limb_velocities(const plait_compliance *c, const double *r, plait_compliance_scratch *w)
{
    double *x = w->x + w->stride * (size_t)omp_get_thread_num();
#pragma omp for schedule(static)
    for (int i = 0; i < c->packs; i++) {
        if (plait_factor_lanes(c->pack[i].kind) == 1)
            single_apply(c, i, r, w, x, x + (size_t)padded(c->largest));
        else if (!plait_compliance_dense_pack(c, i, w))
            pack_apply(c, i, r, x, x + (size_t)padded(c->largest) * N, w->limb_u);
        if (w->dense)
            plait_compliance_dense_apply(c, i, r, x, w);
    }
}

static void add_limbs(const plait_compliance *c, const double *limb_u, const double *b, double *u)
{
#pragma omp for schedule(static)
    for (int i = 0; i < c->n; i++) {
        double u0 = b[3 * i], u1 = b[3 * i + 1], u2 = b[3 * i + 2];
        for (int k = c->contact_ptr[i]; k < c->contact_ptr[i + 1]; k++) {
            const double *x = limb_u + 3 * (int64_t)c->contact_limb[k];
            u0 += x[0], u1 += x[1], u2 += x[2];
        }
        u[3 * i] = u0, u[3 * i + 1] = u1, u[3 * i + 2] = u2;
    }
}

static bool lone(const plait_compliance *c, int pack)
{
    return plait_factor_lanes(c->pack[pack].kind) == 1;
}

// The supernodes that the limbs of sparse factors reach. False without memory.
static bool list_supernodes(const plait_compliance *c, plait_compliance_scratch *w)
{
    size_t all = 0, most = 0;
    for (int i = 0; i < c->packs; i++)
        if (lone(c, i)) {
            size_t count = (size_t)c->pack[i].plan->supernodes;
            all += count, most = count > most ? count : most;
        }
    w->super_ptr = plait_calloc((size_t)c->packs + 1, sizeof *w->super_ptr);
    w->super = plait_malloc((all + 1) * sizeof *w->super);
    unsigned char *wanted = plait_malloc(most + 1);
    bool ok = w->super_ptr && w->super && wanted;
    for (int i = 0, at = 0; ok && i < c->packs; i++) {
        const plait_cholesky_plan *plan = c->pack[i].plan;
        int b = c->pack_body[(int64_t)i * N];
        if (lone(c, i)) {
            memset(wanted, 0, (size_t)plan->supernodes);
            for (int k = c->body[b].first_limb; k < c->body[b + 1].first_limb; k++)
                for (int j = 0; j < c->limb[k].count; j++)
                    plait_cholesky_want(plan, plan->place[c->col[c->limb[k].first + j]], wanted);
            for (int s = 0; s < plan->supernodes; s++)
                if (wanted[s])
                    w->super[at++] = s;
        }
        w->super_ptr[i + 1] = at;
    }
    plait_free(wanted);
    return ok;
}

plait_compliance_scratch *plait_compliance_scratch_new(const plait_compliance *c, plait_team team)
{
    plait_compliance_scratch *w = plait_calloc(1, sizeof *w);
    if (!w)
        return NULL;
    w->team = team;
    w->stride = ((size_t)padded(c->largest) * N * 2 + 15) / 8 * 8;
    w->limb_u = plait_malloc((3 * (size_t)c->limbs + 3) * sizeof *w->limb_u);
    w->x = plait_aligned_alloc(64, w->stride * (size_t)w->team.threads * sizeof *w->x);
    if (w->limb_u && w->x && list_supernodes(c, w))
        return w;
    plait_compliance_scratch_free(w);
    return NULL;
}

void plait_compliance_scratch_free(plait_compliance_scratch *w)
{
    if (w)
        plait_free(w->limb_u), plait_free(w->x), plait_free(w->dense), plait_free(w->dense_ptr),
            plait_free(w->super), plait_free(w->super_ptr);
    plait_free(w);
}

void plait_compliance_apply(const plait_compliance *c, const double *r, const double *b, plait_compliance_scratch *w,
                            double *u)
{
    plait_team team = plait_team_if(c->limbs > 2000, w->team); // below that, waking a thread costs more than it gives
#pragma omp parallel num_threads(team.threads) if (team.threads > 1)
    {
        limb_velocities(c, r, w);
        add_limbs(c, w->limb_u, b, u);
    }
}

void plait_compliance_limb_velocities(const plait_compliance *c, const double *r, plait_compliance_scratch *w)
{
    plait_team team = plait_team_if(c->limbs > 2000, w->team);
#pragma omp parallel num_threads(team.threads) if (team.threads > 1)
    limb_velocities(c, r, w);
}

// x <- f + H^T r of one body
static void load_body(const plait_compliance *c, int b, const double *f, const double *r, double *x)
{
    const plait_mass_block *body = &c->body[b];
    memset(x, 0, (size_t)padded(body->size) * sizeof *x);
    for (int i = 0; i < body->size; i++)
        x[i] = f[c->order[body->first_dof + i]];
    if (r)
        body_scatter(c, b, r, x);
}

// v of the bodies of a pack
static void pack_velocity(const plait_compliance *c, int pack, const double *f, const double *r, double *x, double *X,
                          double *v)
{
    const int *bodies = c->pack_body + (int64_t)pack * N;
    int wide = plait_factor_lanes(c->pack[pack].kind);
    memset(X, 0, (size_t)c->pack[pack].size * (size_t)wide * sizeof *X);
    for (int l = 0; l < wide; l++)
        if (bodies[l] >= 0) {
            load_body(c, bodies[l], f, r, x);
            for (int i = 0; i < c->body[bodies[l]].size; i++)
                X[i * wide + l] = x[i];
        }
    plait_factor_solve(&c->pack[pack], X + (size_t)c->pack[pack].size, X); // behind the only lane there is room
    for (int l = 0; l < wide; l++)
        for (int i = 0; bodies[l] >= 0 && i < c->body[bodies[l]].size; i++)
            v[c->order[c->body[bodies[l]].first_dof + i]] = X[i * wide + l];
}

plait_status plait_compliance_velocity(const plait_compliance *c, const double *f, const double *r, plait_team team,
                                       double *v, plait_error *error)
{
    team = plait_team_if(c->packs >= PLAIT_MANY_PACKS, team);
    size_t room = (size_t)padded(c->largest) * (N + 1);
    double *x = plait_aligned_alloc(64, room * (size_t)team.threads * sizeof *x);
    if (!x)
        return plait_error_set(error, PLAIT_NO_MEMORY, "no memory for a body of %d dofs", c->largest);
#pragma omp parallel for schedule(static) num_threads(team.threads) if (team.threads > 1)
    for (int k = 0; k < c->packs; k++) {
        double *mine = x + room * (size_t)omp_get_thread_num();
        pack_velocity(c, k, f, r, mine + (size_t)padded(c->largest) * N, mine, v);
    }
    plait_free(x);
    return PLAIT_OK;
}

double plait_compliance_traffic(const plait_compliance *c, const plait_compliance_scratch *w)
{
    double bytes = 0;
    for (int i = 0; i < c->packs; i++)
        if (!lone(c, i))
            bytes += 2.0 * (double)plait_factor_numbers(&c->pack[i]) * sizeof(double);
    for (int i = 0; i < c->packs; i++)
        for (int k = w->super_ptr[i]; k < w->super_ptr[i + 1]; k++) {
            const int64_t *at = c->pack[i].plan->L_ptr + w->super[k];
            bytes += 2.0 * (double)(at[1] - at[0]) * sizeof(double);
        }
    for (int k = 0; k < c->limbs; k++)
        bytes += 2.0 * (sizeof(plait_limb) + 24.0 * c->limb[k].count) + 72;
    return bytes;
}

bool plait_compliance_heavy(const plait_compliance *c)
{
    bool any = false;
    for (int i = 0; i < c->packs; i++)
        any = any || c->pack[i].kind == PLAIT_FACTOR_SPARSE;
    return any;
}
