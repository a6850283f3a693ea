// compliance_limbs.c: from H to limbs, what each contact does to each body.
#include <float.h>
#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include "base/parallel.h"
#include "base/pool.h"
#include "contact/compliance.h"

// The limbs of one contact: its columns sorted by body. `body_of` is by the operator's position of a dof.
typedef struct limb_entry {
    int body, col;
    double val[3];
} limb_entry;

static int by_body(const void *a, const void *b)
{
    const limb_entry *x = a, *y = b;
    return x->body != y->body ? x->body - y->body : x->col - y->col;
}

// The three rows of a contact are merged by column. Bodies that were reordered may leave the result unsorted.
static int gather_entries(const plait_compliance *c, const plait_sparse *H, const int *place, const int *body_of,
                          int contact, limb_entry *e)
{
    int64_t at[3], end[3];
    int count = 0;
    bool sorted = true;
    for (int a = 0; a < 3; a++)
        at[a] = H->ptr[3 * contact + a], end[a] = H->ptr[3 * contact + a + 1];
    for (;;) {
        int column = INT32_MAX;
        for (int a = 0; a < 3; a++)
            if (at[a] < end[a] && H->col[at[a]] < column)
                column = H->col[at[a]];
        if (column == INT32_MAX)
            break;
        int body = body_of[column];
        limb_entry *to = &e[count];
        *to = (limb_entry){body, place[column] - c->body[body].first_dof, {0, 0, 0}};
        for (int a = 0; a < 3; a++)
            if (at[a] < end[a] && H->col[at[a]] == column)
                to->val[a] = H->val[at[a]++];
        if (to->val[0] == 0 && to->val[1] == 0 && to->val[2] == 0)
            continue;
        sorted = sorted && (count == 0 || by_body(to - 1, to) < 0);
        count++;
    }
    if (!sorted)
        plait_sort(e, (size_t)count, sizeof *e, by_body);
    return count;
}

// What passes over all contacts share.
typedef struct limb_pass {
    plait_compliance *c;
    const plait_sparse *H;
    const int *place, *body_of;
    int *body;  // [limbs] of each limb, in the order of contacts
    int *width; // [limbs] its columns
} limb_pass;

static void count_limbs(limb_pass *p, int i, const limb_entry *e, int count)
{
    int limbs = 0;
    for (int k = 0; k < count; k++)
        limbs += k == 0 || e[k].body != e[k - 1].body;
    p->c->contact_ptr[i + 1] = limbs;
}

static void measure_limbs(limb_pass *p, int i, const limb_entry *e, int count)
{
    int slot = p->c->contact_ptr[i] - 1;
    for (int k = 0; k < count; k++) {
        if (k == 0 || e[k].body != e[k - 1].body)
            p->body[++slot] = e[k].body, p->width[slot] = 0;
        p->width[slot]++;
    }
}

static void fill_limbs(limb_pass *p, int i, const limb_entry *e, int count)
{
    plait_compliance *c = p->c;
    int64_t to = 0;
    for (int k = 0, slot = c->contact_ptr[i]; k < count; k++, to++) {
        if (k == 0 || e[k].body != e[k - 1].body)
            to = c->limb[c->contact_limb[slot++]].first;
        c->col[to] = e[k].col;
        memcpy(c->val + 3 * to, e[k].val, sizeof e[k].val);
    }
}

static bool for_contacts(limb_pass *p, void (*work)(limb_pass *p, int i, const limb_entry *e, int count))
{
    plait_compliance *c = p->c;
    int64_t longest = 1;
    for (int i = 0; i < c->n; i++)
        if (p->H->ptr[3 * i + 3] - p->H->ptr[3 * i] > longest)
            longest = p->H->ptr[3 * i + 3] - p->H->ptr[3 * i];
    plait_team team = plait_team_if(c->n > PLAIT_CHUNK_MIN, c->team);
    limb_entry *scratch = plait_malloc((size_t)longest * (size_t)team.threads * sizeof *scratch);
    if (!scratch)
        return false;
#pragma omp parallel for schedule(static) num_threads(team.threads) if (team.threads > 1)
    for (int i = 0; i < c->n; i++) {
        limb_entry *e = scratch + longest * omp_get_thread_num();
        work(p, i, e, gather_entries(c, p->H, p->place, p->body_of, i, e));
    }
    plait_free(scratch);
    return true;
}

// Gives the limbs their places: sorted by body, then by contact. body, width: of each limb in the order of contacts;
// first: where its columns are already, NULL: they get their places, and room, too.
static bool place_limbs(plait_compliance *c, const int *body, const int *width, const int64_t *first)
{
    int *limb_at = plait_calloc((size_t)c->bodies + 1, sizeof *limb_at);
    int64_t *cols_at = plait_calloc((size_t)c->bodies + 1, sizeof *cols_at), cols = 0;
    bool ok = limb_at && cols_at;
    for (int k = 0; ok && k < c->limbs; k++)
        limb_at[body[k]]++, cols_at[body[k]] += first ? 0 : width[k];
    for (int b = 0, limbs = 0; ok && b < c->bodies; b++) {
        int count = limb_at[b];
        int64_t columns = cols_at[b];
        c->body[b].first_limb = limb_at[b] = limbs, cols_at[b] = cols;
        limbs += count, cols += columns;
    }
    c->body[c->bodies].first_limb = c->limbs;
    for (int i = 0; ok && i < c->n; i++)
        for (int k = c->contact_ptr[i]; k < c->contact_ptr[i + 1]; k++) {
            int b = body[k], at = limb_at[b]++, count = first ? (int)(first[k + 1] - first[k]) : width[k];
            c->limb[at] = (plait_limb){.contact = i, .count = count, .first = first ? first[k] : cols_at[b]};
            c->limb_body[at] = b, c->contact_limb[k] = at;
            cols_at[b] += count;
        }
    plait_free(limb_at), plait_free(cols_at);
    if (first)
        return ok;
    c->col = plait_malloc(((size_t)cols + 1) * sizeof *c->col);
    c->val = plait_malloc((3 * (size_t)cols + 3) * sizeof *c->val);
    return ok && c->col && c->val;
}

static bool room_for_limbs(plait_compliance *c)
{
    size_t limbs = (size_t)c->limbs + 1;
    c->limb = plait_malloc(limbs * sizeof *c->limb);
    c->limb_body = plait_malloc(limbs * sizeof *c->limb_body);
    c->contact_limb = plait_malloc(limbs * sizeof *c->contact_limb);
    return c->limb && c->limb_body && c->contact_limb;
}

static bool build_columns(plait_compliance *c, const plait_sparse *H, const int *place, const int *body_of)
{
    limb_pass p = {.c = c, .H = H, .place = place, .body_of = body_of};
    c->contact_ptr = plait_calloc((size_t)c->n + 1, sizeof *c->contact_ptr);
    if (!c->contact_ptr || !for_contacts(&p, count_limbs))
        return false;
    for (int i = 0; i < c->n; i++)
        c->contact_ptr[i + 1] += c->contact_ptr[i];
    c->limbs = c->contact_ptr[c->n];
    size_t limbs = (size_t)c->limbs + 1;
    p.body = plait_malloc(2 * limbs * sizeof *p.body), p.width = p.body ? p.body + limbs : NULL;
    bool ok = room_for_limbs(c) && p.body;
    ok = ok && for_contacts(&p, measure_limbs) && place_limbs(c, p.body, p.width, NULL) && for_contacts(&p, fill_limbs);
    plait_free(p.body);
    return ok;
}

// ---- for products ------------------------------------------------------------------------------------------------

// Whether columns j .. j + 2 of a limb are next to each other.
static bool is_point(const plait_compliance *c, const plait_limb *limb, int j)
{
    const int *col = c->col + limb->first + j;
    return col[1] == col[0] + 1 && col[2] == col[0] + 2;
}

// The limb as an edge, to the last digits of H. False: it is none. E is taken from the point that has the larger part.
static bool make_edge(const plait_compliance *c, const plait_limb *limb, plait_edge *e)
{
    if ((limb->count != 3 && limb->count != 6) || !is_point(c, limb, 0) || (limb->count == 6 && !is_point(c, limb, 3)))
        return false;
    const int *col = c->col + limb->first;
    const double *val = c->val + 3 * limb->first;
    int at = 0;
    for (int j = 0; j < 3 * limb->count; j++)
        at = fabs(val[j]) > fabs(val[at]) ? j : at;
    int big = at / 9, k = at % 9;
    const double *E = val + 9 * big, *F = val + 9 * (1 - big);
    *e = (plait_edge){.contact = limb->contact, .run = col[0], .shift = limb->count == 6 ? col[3] - col[0] : 0};
    for (int j = 0; j < 9; j++)
        e->E[j % 3][j / 3] = E[j];
    e->a[big] = 1;
    if (limb->count == 3)
        return true;
    double ratio = E[k] != 0 ? F[k] / E[k] : 0, least = 4 * DBL_EPSILON * fabs(F[k]);
    e->a[1 - big] = ratio;
    for (int j = 0; j < 9; j++)
        if (!(fabs(F[j] - ratio * E[j]) <= least))
            return false;
    return true;
}

// Bodies that have nothing but edges get them.
static bool build_edges(plait_compliance *c)
{
    plait_edge e;
    int64_t edges = 0;
    for (int b = 0; b < c->bodies; b++) {
        bool all = true;
        for (int k = c->body[b].first_limb; k < c->body[b + 1].first_limb && all; k++)
            all = make_edge(c, &c->limb[k], &e);
        c->body[b].first_edge = all ? edges : -1;
        edges += all ? c->body[b + 1].first_limb - c->body[b].first_limb : 0;
    }
    c->edge = plait_aligned_alloc(64, ((size_t)edges + 1) * sizeof *c->edge);
    if (!c->edge)
        return false;
    plait_team team = plait_team_if(c->n > PLAIT_CHUNK_MIN, c->team);
#pragma omp parallel for schedule(static) num_threads(team.threads) if (team.threads > 1)
    for (int b = 0; b < c->bodies; b++)
        for (int k = 0; c->body[b].first_edge >= 0 && k < c->body[b + 1].first_limb - c->body[b].first_limb; k++)
            make_edge(c, &c->limb[c->body[b].first_limb + k], &c->edge[c->body[b].first_edge + k]);
    return true;
}

// Rows of all other limbs: columns that are near each other, as those of a point on a rod are, in blocks.
static bool build_rows(plait_compliance *c)
{
    int64_t blocks = 0;
    for (int k = 0; k < c->limbs; k++) {
        plait_limb *limb = &c->limb[k];
        const int *col = c->col + limb->first;
        int span = col[limb->count - 1] - col[0] + 1; // sorted
        bool near = span < 2 * limb->count + PLAIT_LANES && c->body[c->limb_body[k]].first_edge < 0;
        limb->run = col[0], limb->row = 3 * PLAIT_LANES * blocks;
        limb->blocks = near ? (span + PLAIT_LANES - 1) / PLAIT_LANES : 0;
        blocks += limb->blocks;
    }
    size_t bytes = 3 * PLAIT_LANES * (size_t)(blocks + 1) * sizeof *c->row;
    c->row = plait_aligned_alloc(64, bytes);
    if (!c->row)
        return false;
    plait_team team = plait_team_if(c->n > PLAIT_CHUNK_MIN, c->team);
#pragma omp parallel for schedule(static) num_threads(team.threads) if (team.threads > 1)
    for (int k = 0; k < c->limbs; k++) {
        const plait_limb *limb = &c->limb[k];
        memset(c->row + limb->row, 0, 3 * PLAIT_LANES * (size_t)limb->blocks * sizeof *c->row);
        for (int j = 0; j < limb->count && limb->blocks > 0; j++) {
            int at = c->col[limb->first + j] - limb->run;
            double *to = c->row + limb->row + 3 * PLAIT_LANES * (at / PLAIT_LANES) + at % PLAIT_LANES;
            for (int a = 0; a < 3; a++)
                to[a * PLAIT_LANES] = c->val[3 * (limb->first + j) + a];
        }
    }
    return true;
}

bool plait_compliance_build_limbs(plait_compliance *c, const plait_sparse *H, const int *place, const int *body_of)
{
    return build_columns(c, H, place, body_of) && build_edges(c) && build_rows(c);
}

bool plait_compliance_take_limbs(plait_compliance *c, plait_limbs *l)
{
    c->limbs = l->ptr[l->n];
    c->contact_ptr = l->ptr, c->col = l->col, c->val = l->val;
    l->ptr = NULL, l->col = NULL, l->val = NULL;
    return room_for_limbs(c) && place_limbs(c, l->body, NULL, l->first) && build_edges(c) && build_rows(c);
}
