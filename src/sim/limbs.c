// limbs.c: from contacts to H, by limbs.
#include "sim/limbs.h"

#include <math.h>
#include <string.h>

#include "base/parallel.h"
#include "collide/image.h"
#include "math/vec3.h"
#include "sim/bonds.h"
#include "sim/cell.h"

enum { LIMBS = 3 }; // of a contact at most: two bodies, and the cell if one is a copy
static const double CLOSED = 1e-6; // of the contact radius

// What one side does to its body: columns and sign * E J.
typedef struct limb {
    int body, count;     // -1: forces do not move it
    const int *dof;      // [count] ascending, of the body's free ones
    const double *block; // [3][count]
} limb;

typedef struct contact_rows {
    const plait_model *m;
    plait_work *w;
    double dt, *w_out, *mu;
    plait_limbs *rough; // LIMBS for each contact, some of them empty; columns with room between chunks
    int *count;         // [LIMBS contacts] columns of each
    int from;           // contacts before are known already
} contact_rows;

// Of one thread.
typedef struct scratch {
    double *J, *block[2], cell_block[3 * PLAIT_CELL_DOFS]; // [3 columns]
    int *dof[2], cell_dof[PLAIT_CELL_DOFS];                // [columns]
} scratch;

static limb make_limb(const contact_rows *c, const plait_side *side, int k, const double *E, const scratch *t,
                      double carried[3])
{
    carried[0] = carried[1] = carried[2] = 0;
    int b = plait_sim_mover(c->m, side), from;
    if (b < 0)
        return (limb){.body = -1};
    const plait_body *body = &c->m->body[b];
    double *J = t->J, *block = t->block[k], sign = k ? -1 : 1;
    int count = body->type->limb(body, side, t->dof[k], J, carried);
    plait_sim_free_dofs(body, &from);
    for (int d = 0; d < count; d++) // columns of held dofs are zero: none will be written
        t->dof[k][d] -= from;
    for (int r = 0; r < 3; r++)
        for (int d = 0; d < count; d++)
            block[r * count + d] =
                sign * (E[3 * r] * J[d] + E[3 * r + 1] * J[count + d] + E[3 * r + 2] * J[2 * count + d]);
    return (limb){c->w->body_place[b], count, t->dof[k], block};
}

// The motion of the cell takes the copy along: -E dh/dq k.
static limb cell_limb(const contact_rows *c, const plait_touch *t, const double *E, scratch *s, double carried[3])
{
    const plait_model *m = c->m;
    int k[3], from = 0, count = 0;
    carried[0] = carried[1] = carried[2] = 0;
    if (m->cell < 0 || !t->side[1].image)
        return (limb){.body = -1};
    const plait_body *cell = &m->body[m->cell];
    plait_image_unpack(t->side[1].image, k);
    if (m->cell_moves)
        plait_sim_free_dofs(cell, &from);
    for (int d = 0; d < PLAIT_CELL_DOFS; d++)
        if (cell->held[d])
            carried[plait_cell_axis(d)] += cell->f[d] * k[plait_cell_period(d)];
        else
            s->cell_dof[count++] = d - from;
    for (int i = 0; i < count; i++)
        for (int r = 0; r < 3; r++)
            s->cell_block[r * count + i] = -E[3 * r + plait_cell_axis(s->cell_dof[i] + from)] *
                                           k[plait_cell_period(s->cell_dof[i] + from)];
    return count > 0 ? (limb){c->w->body_place[m->cell], count, s->cell_dof, s->cell_block} : (limb){.body = -1};
}

// Columns of one limb, or of two of one body, which are added where they overlap; without those of zeros. Returns
// where they end.
static int64_t write_columns(plait_limbs *to, int64_t at, const limb *a, const limb *b)
{
    int ca = 0, cb = 0;
    while (ca < a->count || cb < b->count) {
        int column_a = ca < a->count ? a->dof[ca] : INT32_MAX, column_b = cb < b->count ? b->dof[cb] : INT32_MAX;
        int column = column_a < column_b ? column_a : column_b;
        double *value = to->val + 3 * at;
        for (int r = 0; r < 3; r++)
            value[r] = (column_a == column ? a->block[r * a->count + ca] : 0) +
                       (column_b == column ? b->block[r * b->count + cb] : 0);
        ca += column_a == column, cb += column_b == column;
        to->col[at] = column;
        at += value[0] != 0 || value[1] != 0 || value[2] != 0;
    }
    return at;
}

// The limbs of a contact, ascending by body, from column `at` on. Returns where they end.
static int64_t write_limbs(const contact_rows *c, int contact, int64_t at, limb a, limb b, limb cell)
{
    static const limb none = {.body = -1};
    if (b.body >= 0 && (a.body < 0 || b.body < a.body)) {
        limb t = a;
        a = b, b = t;
    }
    bool one = a.body == b.body;
    const limb all[LIMBS] = {a, one ? none : b, cell}; // the cell comes behind all fibres
    for (int k = 0; k < LIMBS; k++) {
        int64_t begin = at, place = LIMBS * (int64_t)(contact - c->from) + k;
        c->rough->first[place] = at;
        c->rough->body[place] = all[k].body;
        at = write_columns(c->rough, at, &all[k], k == 0 && one ? &b : &none);
        c->count[place] = (int)(at - begin);
    }
    return at;
}

// Without what is empty and without room between.
static bool close_ranks(const contact_rows *c, int n, plait_team team, plait_limbs *to)
{
    const plait_limbs *from = c->rough;
    int limbs = 0;
    int64_t columns = 0;
    for (int k = 0; k < LIMBS * n; k++)
        limbs += c->count[k] > 0, columns += c->count[k];
    if (!plait_limbs_room(to, n, limbs, columns))
        return false;
    for (int i = 0, at = 0; i < n; i++) {
        for (int k = LIMBS * i; k < LIMBS * (i + 1); k++)
            if (c->count[k] > 0) {
                to->body[at] = from->body[k];
                to->first[at + 1] = to->first[at] + c->count[k];
                at++;
            }
        to->ptr[i + 1] = at;
    }
#pragma omp parallel for schedule(static) num_threads(team.threads) if (team.threads > 1)
    for (int i = 0; i < n; i++) { // those of a contact are side by side in both
        int64_t at = to->first[to->ptr[i]], begin = from->first[LIMBS * i];
        size_t count = (size_t)(to->first[to->ptr[i + 1]] - at);
        memcpy(to->col + at, from->col + begin, count * sizeof *to->col);
        memcpy(to->val + 3 * at, from->val + 3 * begin, 3 * count * sizeof *to->val);
    }
    return true;
}

// ---- w --------------------------------------------------------------------------------------------------------------

double plait_sim_friction(const plait_model *m, const plait_work *w, const plait_touch *t, double *restitution)
{
    int at = plait_sim_pair(m, w, t);
    *restitution = plait_sim_is_bonded(w, t) ? 0 : m->scene->restitution[at];
    if (t->fixed)
        return 0;
    double mu = m->scene->mu[at];
    for (int k = 0; k < 2; k++) {
        double factor = m->body[plait_sim_owner(m, &t->side[k])].friction;
        mu *= factor > 0 ? factor : 1;
    }
    return mu;
}

void plait_sim_make_frame(const double normal[3], double E[9])
{
    plait_vec3_copy(normal, E);
    plait_vec3_any_normal(normal, E + 3);
    plait_vec3_cross(E, E + 3, E + 6);
}

// ---- all of them ----------------------------------------------------------------------------------------------------

// A contact that was there in the last step is closed where its gap is next to nothing. A box on four corners that are
// 1e-11 m apart from one plane could not close all of them, and would be asked to in every step: it would rock.
static bool is_closed(const contact_rows *c, const plait_touch *t)
{
    bool goes_on = t->last >= 0 && !t->fixed && !plait_sim_is_bonded(c->w, t);
    return !t->about_end && t->gap <= (goes_on ? CLOSED * plait_sim_contact_radius(c->m, t) : 0);
}

// H, w, mu and the frame of contact i; its columns are written from `at` on. Returns where they end.
static int64_t fill_contact(const contact_rows *c, int i, scratch *s, int64_t at)
{
    const plait_touch *t = &c->w->touches.touch[i];
    double *E = c->w->frame + 9 * (size_t)i, restitution, carried[2][3], copied[3];
    plait_sim_make_frame(t->normal, E);
    c->mu[i] = plait_sim_friction(c->m, c->w, t, &restitution);
    plait_side side[2] = {plait_sim_side(c->m, t, 0), plait_sim_side(c->m, t, 1)};
    limb a = make_limb(c, &side[0], 0, E, s, carried[0]);
    limb b = make_limb(c, &side[1], 1, E, s, carried[1]);
    limb cell = cell_limb(c, t, E, s, copied);
    plait_vec3_axpy(1, copied, carried[1]);
    at = write_limbs(c, i, at, a, b, cell);
    for (int k = 0; k < 3; k++)
        c->w_out[3 * i + k] =
            (plait_vec3_dot(E + 3 * k, t->side[0].move) - plait_vec3_dot(E + 3 * k, t->side[1].move)) / c->dt +
            plait_vec3_dot(E + 3 * k, carried[0]) - plait_vec3_dot(E + 3 * k, carried[1]);
    c->w->gap_term[i] = is_closed(c, t) ? 0 : t->gap / c->dt;
    c->w_out[3 * i] += c->w->gap_term[i];
    return at;
}

// Columns that a contact has at most.
static int64_t columns(const contact_rows *c, int i)
{
    int64_t sum = 0;
    for (int k = 0; k < 2; k++)
        sum += c->m->body[plait_sim_owner(c->m, &c->w->touches.touch[i].side[k])].columns;
    return sum + (c->m->cell_moves ? PLAIT_CELL_DOFS : 0);
}

static scratch make_scratch(plait_arena *arena, int columns)
{
    size_t n = (size_t)columns + 1;
    double *x = plait_arena_alloc(arena, 9 * n, sizeof *x);
    int *dof = plait_arena_alloc(arena, 2 * n, sizeof *dof);
    return x && dof ? (scratch){.J = x, .block = {x + 3 * n, x + 6 * n}, .dof = {dof, dof + n}} : (scratch){0};
}

// In chunks: each writes where its columns are if none vanishes. Then they close ranks.
static bool fill(contact_rows *c, plait_arena *arena, plait_limbs *H)
{
    enum { CHUNK = 256 };
    int n = c->w->touches.count - c->from, chunks = (n + CHUNK - 1) / CHUNK;
    plait_team team = plait_team_if(n >= PLAIT_SIM_FEW, c->w->team);
    scratch *s = plait_arena_alloc(arena, (size_t)team.threads, sizeof *s);
    int64_t *begin = plait_arena_alloc(arena, (size_t)chunks + 1, sizeof *begin), total = 0;
    plait_limbs rough = {0};
    c->count = plait_arena_alloc(arena, LIMBS * (size_t)n + 1, sizeof *c->count);
    c->rough = &rough;
    if (!s || !begin || !c->count)
        return false;
    for (int t = 0; t < team.threads; t++) {
        s[t] = make_scratch(arena, c->m->columns);
        if (!s[t].J)
            return false;
    }
    for (int i = 0; i < n; i++) {
        if (i % CHUNK == 0)
            begin[i / CHUNK] = total;
        total += columns(c, c->from + i);
    }
    if (!plait_limbs_room(&rough, n, LIMBS * n, total))
        return false;
#pragma omp parallel for schedule(static) num_threads(team.threads) if (team.threads > 1)
    for (int k = 0; k < chunks; k++) {
        int64_t at = begin[k];
        for (int i = k * CHUNK; i < n && i < (k + 1) * CHUNK; i++)
            at = fill_contact(c, c->from + i, &s[omp_get_thread_num()], at);
    }
    bool ok = close_ranks(c, n, team, H);
    plait_limbs_free(&rough);
    return ok;
}

bool plait_sim_limbs(const plait_model *m, plait_work *w, double dt, int from, plait_limbs *H, double *w_out,
                     double *mu)
{
    contact_rows c = {.m = m, .w = w, .dt = dt, .w_out = w_out, .mu = mu, .from = from};
    plait_arena_mark mark = plait_arena_get_mark(&w->arena);
    bool ok = fill(&c, &w->arena, H);
    plait_arena_release(&w->arena, mark);
    return ok;
}
