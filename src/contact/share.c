#include "contact/share.h"

#include <string.h>

#include "base/pool.h"
#include "contact/operator_parts.h"

struct plait_share {
    plait_ranks *ranks;
    int begin, end;  // contacts that it keeps
    int contacts;    // that touch its bodies ...
    int *contact;    // [contacts] ... which, ascending
    plait_compliance *c; // of its bodies, and of these contacts in this order
    plait_compliance_scratch *scratch;
    unsigned char *dense; // [bodies]
    // exchange: numbers to and from each rank
    int64_t *r_out, *r_in, *u_out, *u_in; // [ranks + 1]
    int *wanted;                          // contacts kept (from 0 on) whose r goes out, rank after rank
    int *limb_ptr, *limb_at;              // [kept + 1], limbs of the contacts kept: which of those that come in
    double *out, *in, *r;                 // room; r: of `contact`
    double *all;                          // [ranks][..] parts of sums
    // the contacts kept, for a solver
    plait_system system;
    plait_problem problem;
    plait_operator op;
    double *numbers; // mu, trace, s, b, zero, diagonal
};

int plait_share_first_chunk(int n, int ranks, int rank)
{
    return (int)((int64_t)plait_chunk_count(n) * rank / ranks);
}

int plait_share_first(int n, int ranks, int rank)
{
    return (int)plait_chunk_begin(n, plait_chunk_count(n), plait_share_first_chunk(n, ranks, rank));
}

void plait_share_chunks(const plait_share *x, int *first, int *last)
{
    *first = plait_share_first_chunk(x->system.all, x->ranks->count, x->ranks->rank);
    *last = plait_share_first_chunk(x->system.all, x->ranks->count, x->ranks->rank + 1);
}

// ---- memory ---------------------------------------------------------------------------------------------------------

static void *need(plait_ranks *ranks, size_t count, size_t size)
{
    void *piece = plait_malloc((count + 1) * size);
    if (!piece)
        ranks->lose(ranks, "no memory for its share of the contacts");
    return piece;
}

static void *copy(plait_ranks *ranks, const void *from, size_t count, size_t size)
{
    void *piece = need(ranks, count, size);
    memcpy(piece, from, count * size);
    return piece;
}

// ---- from a packet --------------------------------------------------------------------------------------------------

static const void *next(const char **at, size_t bytes)
{
    const char *here = *at;
    *at += plait_packet_round(bytes);
    return here;
}

// Bodies, limbs, factors: an ordinary compliance, of some contacts of the group and some of their limbs. Returns slots,
// the place of each limb among those of its contact.
static const int *take_compliance(plait_share *x, const plait_share_sizes *s, plait_team team, const char **at)
{
    plait_ranks *ranks = x->ranks;
    plait_compliance *c = x->c = need(ranks, 1, sizeof *c);
    plait_limbs l = {.n = s->contacts};
    size_t limbs = (size_t)s->limbs, columns = (size_t)s->columns, bodies = (size_t)s->bodies;
    memset(c, 0, sizeof *c);
    x->contacts = s->contacts;
    x->contact = copy(ranks, next(at, (size_t)s->contacts * sizeof(int)), (size_t)s->contacts, sizeof(int));
    l.ptr = copy(ranks, next(at, ((size_t)s->contacts + 1) * sizeof(int)), (size_t)s->contacts + 1, sizeof(int));
    l.body = copy(ranks, next(at, limbs * sizeof(int)), limbs, sizeof(int));
    l.first = copy(ranks, next(at, (limbs + 1) * sizeof(int64_t)), limbs + 1, sizeof(int64_t));
    const int *slot = next(at, limbs * sizeof(int));
    l.col = copy(ranks, next(at, columns * sizeof(int)), columns, sizeof(int));
    l.val = need(ranks, 3 * columns + 3, sizeof *l.val);
    memcpy(l.val, next(at, 3 * columns * sizeof *l.val), 3 * columns * sizeof *l.val);
    const int *size = next(at, bodies * sizeof(int)), *width = next(at, bodies * sizeof(int));
    x->dense = copy(ranks, next(at, bodies), bodies, 1);
    const double *L = next(at, (size_t)s->factors * sizeof(double));
    c->n = s->contacts, c->bodies = s->bodies, c->team = (plait_team){.threads = team.threads};
    c->body = need(ranks, bodies + 1, sizeof *c->body);
    memset(c->body, 0, (bodies + 1) * sizeof *c->body);
    for (int b = 0; b < s->bodies; b++) {
        c->body[b].size = size[b];
        c->body[b + 1].first_dof = c->body[b].first_dof + size[b];
    }
    c->dofs = c->body[s->bodies].first_dof;
    if (!plait_compliance_take_limbs(c, &l) || !plait_compliance_take_factors(c, width, L))
        ranks->lose(ranks, "no memory for the factors of its bodies");
    plait_limbs_free(&l);
    c->largest = c->largest > s->largest ? c->largest : s->largest; // as much scratch as one process would have
    x->scratch = plait_compliance_scratch_new(c, c->team);
    if (!x->scratch)
        ranks->lose(ranks, "no memory for products");
    x->scratch->dense_bodies = x->dense;
    return slot;
}

// The contacts that it keeps as a system for solvers. Only what gradient steps ask for is there.
static void take_system(plait_share *x, const plait_share_sizes *s, plait_team team, const char **at)
{
    size_t n = (size_t)(x->end - x->begin);
    double *p = x->numbers = need(x->ranks, 18 * n, sizeof *p), *zero = p + 6 * n, *diagonal = p + 9 * n;
    memcpy(p, next(at, n * sizeof *p), n * sizeof *p);
    memcpy(p + n, next(at, n * sizeof *p), n * sizeof *p);
    memcpy(p + 2 * n, next(at, n * sizeof *p), n * sizeof *p);
    memcpy(p + 3 * n, next(at, 3 * n * sizeof *p), 3 * n * sizeof *p);
    memset(zero, 0, 3 * n * sizeof *p);
    memcpy(diagonal, next(at, 9 * n * sizeof *p), 9 * n * sizeof *p);
    x->problem = (plait_problem){.dimension = 3, .n = (int)n, .mu = p, .trace = p + n, .b = p + 3 * n};
    x->op = (plait_operator){.n = (int)n, .team = team, .share = x, .diagonal = diagonal};
    x->system = (plait_system){.n = (int)n,
                               .first = x->begin,
                               .all = s->all,
                               .team = {.threads = team.threads},
                               .problem = &x->problem,
                               .b = x->problem.b,
                               .laws = plait_problem_laws(&x->problem),
                               .op = &x->op,
                               .zero = zero,
                               .s = p + 2 * n,
                               .diagonal = diagonal,
                               .share = x};
}

// ---- who needs what -------------------------------------------------------------------------------------------------

static int64_t *new_places(plait_ranks *ranks)
{
    int64_t *ptr = need(ranks, (size_t)ranks->count, sizeof *ptr);
    memset(ptr, 0, ((size_t)ranks->count + 1) * sizeof *ptr);
    return ptr;
}

// Numbers for each rank, from how many contacts and limbs of mine it keeps; and what comes from each.
static void count_exchange(plait_share *x)
{
    plait_ranks *ranks = x->ranks;
    int all = x->system.all, count = ranks->count;
    double *table = need(ranks, (size_t)count * (size_t)count * 2, sizeof *table);
    x->r_out = new_places(ranks), x->r_in = new_places(ranks);
    x->u_out = new_places(ranks), x->u_in = new_places(ranks);
    for (int k = 0, i = 0; k < count; k++) {
        int from = i, end = plait_share_first(all, count, k + 1);
        while (i < x->contacts && x->contact[i] < end)
            i++;
        double *mine = table + ((size_t)ranks->rank * (size_t)count + (size_t)k) * 2;
        mine[0] = i - from, mine[1] = x->c->contact_ptr[i] - x->c->contact_ptr[from];
        x->r_in[k + 1] = x->r_in[k] + 3 * (i - from);
        x->u_out[k + 1] = 3 * (int64_t)x->c->contact_ptr[i];
    }
    ranks->share(ranks, table, 2 * count);
    for (int k = 0; k < count; k++) {
        const double *theirs = table + ((size_t)k * (size_t)count + (size_t)ranks->rank) * 2;
        x->r_out[k + 1] = x->r_out[k] + 3 * (int64_t)theirs[0], x->u_in[k + 1] = x->u_in[k] + 3 * (int64_t)theirs[1];
    }
    plait_free(table);
}

// Keepers are told of every limb: its contact, and which of the contact's limbs it is.
static void agree(plait_share *x, const int *slot)
{
    plait_ranks *ranks = x->ranks;
    const plait_compliance *c = x->c;
    int64_t out = x->u_out[ranks->count], in = x->u_in[ranks->count], r = x->r_out[ranks->count];
    int64_t most_out = out > r ? out : r;
    x->out = need(ranks, (size_t)most_out, sizeof *x->out), x->in = need(ranks, (size_t)in, sizeof *x->in);
    x->r = need(ranks, 3 * (size_t)x->contacts, sizeof *x->r);
    x->wanted = need(ranks, (size_t)(r / 3), sizeof *x->wanted);
    x->limb_at = need(ranks, (size_t)(in / 3), sizeof *x->limb_at);
    for (int i = 0; i < x->contacts; i++)
        for (int k = c->contact_ptr[i]; k < c->contact_ptr[i + 1]; k++)
            x->out[3 * k] = x->contact[i], x->out[3 * k + 1] = slot[k], x->out[3 * k + 2] = 0;
    ranks->swap(ranks, x->out, x->u_out, x->in, x->u_in);
    int count = 0;
    for (int rank = 0; rank < ranks->count; rank++)
        for (int64_t k = x->u_in[rank] / 3, before = -1; k < x->u_in[rank + 1] / 3; k++) {
            int i = (int)x->in[3 * k] - x->begin;
            x->limb_at[x->limb_ptr[i] + (int)x->in[3 * k + 1]] = (int)k;
            if (i != before)
                x->wanted[count++] = i, before = i;
        }
}

// Contacts that need somebody else: kept here, with a limb that comes from another rank.
static void count_cut(plait_share *x)
{
    const plait_ranks *ranks = x->ranks;
    int64_t own = x->u_in[ranks->rank] / 3, end = x->u_in[ranks->rank + 1] / 3;
    plait_ranks_account *a = &x->ranks->account;
    a->bodies = x->c->bodies, a->contacts = x->end - x->begin, a->cut = 0;
    for (int i = 0; i < x->end - x->begin; i++) {
        bool cut = false;
        for (int k = x->limb_ptr[i]; k < x->limb_ptr[i + 1]; k++)
            cut |= x->limb_at[k] < own || x->limb_at[k] >= end;
        a->cut += cut;
    }
}

plait_share *plait_share_new(plait_team team, void *packet)
{
    plait_ranks *ranks = team.ranks;
    const char *at = packet;
    const plait_share_sizes *s = next(&at, sizeof *s);
    plait_share *x = need(ranks, 1, sizeof *x);
    memset(x, 0, sizeof *x);
    x->ranks = ranks;
    x->begin = plait_share_first(s->all, ranks->count, ranks->rank);
    x->end = plait_share_first(s->all, ranks->count, ranks->rank + 1);
    size_t kept = (size_t)(x->end - x->begin);
    const int *slot = take_compliance(x, s, team, &at);
    x->limb_ptr = copy(ranks, next(&at, (kept + 1) * sizeof(int)), kept + 1, sizeof(int));
    take_system(x, s, team, &at);
    count_exchange(x);
    agree(x, slot);
    plait_free(packet);
    count_cut(x);
    size_t each = PLAIT_SUMS * (size_t)(PLAIT_CHUNK_COUNT / ranks->count + 1) + 1;
    x->all = need(ranks, (size_t)ranks->count * each, sizeof *x->all);
    return x;
}

void plait_share_free(plait_share *x)
{
    if (!x)
        return;
    plait_compliance_scratch_free(x->scratch), plait_compliance_free(x->c);
    plait_free(x->contact), plait_free(x->dense), plait_free(x->numbers), plait_free(x->all);
    plait_free(x->r_out), plait_free(x->r_in), plait_free(x->u_out), plait_free(x->u_in);
    plait_free(x->wanted), plait_free(x->limb_ptr), plait_free(x->limb_at);
    plait_free(x->out), plait_free(x->in), plait_free(x->r), plait_free(x);
}

plait_system *plait_share_system(plait_share *x)
{
    return &x->system;
}

// ---- products and sums ----------------------------------------------------------------------------------------------

void plait_share_apply(plait_share *x, bool many, const double *r, const double *b, double *u)
{
    plait_ranks *ranks = x->ranks;
    const plait_compliance *c = x->c;
    ranks->account.products++;
    for (int64_t k = 0; k < x->r_out[ranks->count] / 3; k++)
        memcpy(x->out + 3 * k, r + 3 * (int64_t)x->wanted[k], 3 * sizeof *r);
    ranks->swap(ranks, x->out, x->r_out, x->r, x->r_in);
    if (many && !x->scratch->dense_ptr)
        plait_compliance_densify(c, x->scratch);
    if (x->scratch->no_memory)
        ranks->lose(ranks, "no memory for the matrices of its bodies");
    plait_compliance_limb_velocities(c, x->r, x->scratch);
    for (int k = 0; k < c->limbs; k++)
        memcpy(x->out + 3 * (int64_t)k, x->scratch->limb_u + 3 * (int64_t)c->contact_limb[k], 3 * sizeof *u);
    ranks->swap(ranks, x->out, x->u_out, x->in, x->u_in);
    for (int64_t i = 0; i < x->end - x->begin; i++) {
        double u0 = b[3 * i], u1 = b[3 * i + 1], u2 = b[3 * i + 2];
        for (int k = x->limb_ptr[i]; k < x->limb_ptr[i + 1]; k++) {
            const double *limb = x->in + 3 * (int64_t)x->limb_at[k];
            u0 += limb[0], u1 += limb[1], u2 += limb[2];
        }
        u[3 * i] = u0, u[3 * i + 1] = u1, u[3 * i + 2] = u2;
    }
}

void plait_share_sums(plait_share *x, plait_sums *sums)
{
    plait_ranks *ranks = x->ranks;
    int n = x->system.all, count = ranks->count, most = 0;
    for (int rank = 0; rank < count; rank++) {
        int chunks = plait_share_first_chunk(n, count, rank + 1) - plait_share_first_chunk(n, count, rank);
        most = chunks > most ? chunks : most;
    }
    int each = sums->count * most + 1;
    for (int send = 1; send >= 0; send--) { // mine, and then everybody's
        for (int rank = 0; rank < count; rank++) {
            int first = plait_share_first_chunk(n, count, rank), last = plait_share_first_chunk(n, count, rank + 1);
            double *row = x->all + (size_t)rank * (size_t)each;
            if (send && rank == ranks->rank)
                row[sums->count * most] = x->system.leader && plait_system_stopped(x->system.leader);
            for (int k = 0; k < sums->count && (!send || rank == ranks->rank); k++)
                for (int chunk = first; chunk < last; chunk++)
                    *(send ? &row[k * most + chunk - first] : &sums->part[k][chunk]) =
                        *(send ? &sums->part[k][chunk] : &row[k * most + chunk - first]);
        }
        if (send)
            ranks->share(ranks, x->all, each);
    }
    x->system.stopped = x->all[sums->count * most] != 0; // what rank 0 says
}

void plait_share_before(plait_share *x, size_t bytes, void *numbers)
{
    if (x->ranks->rank > 0)
        x->ranks->receive(x->ranks, x->ranks->rank - 1, numbers, bytes);
}

void plait_share_after(plait_share *x, size_t bytes, void *numbers)
{
    plait_ranks *ranks = x->ranks;
    int last = ranks->count - 1;
    if (ranks->rank < last)
        ranks->send(ranks, ranks->rank + 1, numbers, bytes);
    if (ranks->rank == last && last > 0)
        ranks->send(ranks, 0, numbers, bytes);
    if (ranks->rank == 0 && last > 0)
        ranks->receive(ranks, last, numbers, bytes);
    ranks->tell(ranks, numbers, bytes);
}
