#include "contact/spread.h"

#include <string.h>

#include "base/pool.h"
#include "contact/operator_parts.h"
#include "contact/share.h"

// What rank 0 tells the others.
enum { ORDER_NEW, ORDER_SOLVE, ORDER_APPLY, ORDER_FREE, ORDER_REPORT, ORDER_END };
typedef struct order {
    int what, share;          // which share it is about
    int products;             // done with W so far
    int first, last, most, patience; // of apgd
    double target, norm_b;
} order;

struct plait_spread {
    plait_ranks *ranks;
    plait_system *sys;
    plait_operator *op;
    plait_share *share; // of rank 0
    int number;
};

bool plait_spread_pays(const plait_system *sys)
{
    const plait_ranks *ranks = sys->team.ranks;
    const plait_operator *op = sys->op;
    return ranks && ranks->count > 1 && !sys->share && sys->n >= ranks->least && !sys->laws.index && !sys->shift &&
           op->compliance && !op->W && !plait_compliance_heavy(op->compliance);
}

// ---- packets --------------------------------------------------------------------------------------------------------

// Without a block it only counts.
static void put(plait_packet *p, const void *from, size_t bytes)
{
    if (p->block && bytes > 0)
        memcpy(p->block + p->size, from, bytes);
    p->size += plait_packet_round(bytes);
}

static void put_int(plait_packet *p, int value)
{
    if (p->block)
        memcpy(p->block + p->size, &value, sizeof value);
    p->size += sizeof value;
}

static void align(plait_packet *p)
{
    p->size = plait_packet_round(p->size);
}

// Bodies first .. last - 1, and mark[i]: contact i touches one of them.
typedef struct deal {
    const plait_compliance *c;
    int first, last;
    unsigned char *mark;
} deal;

static bool mine(const deal *d, int limb)
{
    return d->c->limb_body[limb] >= d->first && d->c->limb_body[limb] < d->last;
}

static plait_share_sizes measure(const deal *d)
{
    const plait_compliance *c = d->c;
    plait_share_sizes s = {.all = c->n, .bodies = d->last - d->first, .largest = c->largest};
    memset(d->mark, 0, (size_t)c->n);
    s.limbs = c->body[d->last].first_limb - c->body[d->first].first_limb;
    for (int k = c->body[d->first].first_limb; k < c->body[d->last].first_limb; k++)
        d->mark[c->limb[k].contact] = 1, s.columns += c->limb[k].count;
    for (int i = 0; i < c->n; i++)
        s.contacts += d->mark[i];
    for (int b = d->first; b < d->last; b++)
        s.factors += (int64_t)c->body[b].size * (plait_compliance_factor_width(c, b) + 1);
    return s;
}

// f(limb) as an array of whole numbers, for all limbs of mine by contact.
static void put_limbs(plait_packet *p, const deal *d, int (*value)(const deal *d, int contact, int k))
{
    const plait_compliance *c = d->c;
    for (int i = 0; i < c->n; i++)
        for (int k = d->mark[i] ? c->contact_ptr[i] : c->contact_ptr[i + 1]; k < c->contact_ptr[i + 1]; k++)
            if (mine(d, c->contact_limb[k]))
                put_int(p, value(d, i, k));
    align(p);
}

static int body_of(const deal *d, int contact, int k)
{
    (void)contact;
    return d->c->limb_body[d->c->contact_limb[k]] - d->first;
}

static int slot_of(const deal *d, int contact, int k)
{
    return k - d->c->contact_ptr[contact];
}

static void put_contacts(plait_packet *p, const deal *d)
{
    const plait_compliance *c = d->c;
    for (int i = 0; i < c->n; i++)
        if (d->mark[i])
            put_int(p, i);
    align(p);
    int limbs = 0;
    put_int(p, 0);
    for (int i = 0; i < c->n; i++) {
        for (int k = c->contact_ptr[i]; d->mark[i] && k < c->contact_ptr[i + 1]; k++)
            limbs += mine(d, c->contact_limb[k]);
        if (d->mark[i])
            put_int(p, limbs);
    }
    align(p);
    put_limbs(p, d, body_of);
    int64_t columns = 0;
    put(p, &columns, sizeof columns);
    for (int i = 0; i < c->n; i++)
        for (int k = d->mark[i] ? c->contact_ptr[i] : c->contact_ptr[i + 1]; k < c->contact_ptr[i + 1]; k++)
            if (mine(d, c->contact_limb[k])) {
                columns += c->limb[c->contact_limb[k]].count;
                put(p, &columns, sizeof columns);
            }
    put_limbs(p, d, slot_of);
}

// Columns of H, first their numbers, then the values.
static void put_columns(plait_packet *p, const deal *d)
{
    const plait_compliance *c = d->c;
    for (int values = 0; values < 2; values++) {
        for (int i = 0; i < c->n; i++)
            for (int k = d->mark[i] ? c->contact_ptr[i] : c->contact_ptr[i + 1]; k < c->contact_ptr[i + 1]; k++) {
                const plait_limb *limb = &c->limb[c->contact_limb[k]];
                if (!mine(d, c->contact_limb[k]))
                    continue;
                if (values)
                    put(p, c->val + 3 * limb->first, 3 * (size_t)limb->count * sizeof *c->val);
                for (int j = 0; !values && j < limb->count; j++)
                    put_int(p, c->col[limb->first + j]);
            }
        align(p);
    }
}

static void put_bodies(plait_packet *p, const deal *d, const unsigned char *dense)
{
    const plait_compliance *c = d->c;
    for (int b = d->first; b < d->last; b++)
        put_int(p, c->body[b].size);
    align(p);
    for (int b = d->first; b < d->last; b++)
        put_int(p, plait_compliance_factor_width(c, b));
    align(p);
    put(p, dense + d->first, (size_t)(d->last - d->first));
    for (int b = d->first; b < d->last; b++) {
        if (p->block)
            plait_compliance_give_factor(c, b, (double *)(p->block + p->size));
        p->size += (size_t)c->body[b].size * (size_t)(plait_compliance_factor_width(c, b) + 1) * sizeof(double);
    }
}

static void put_kept(plait_packet *p, const plait_system *sys, int begin, int end)
{
    const plait_compliance *c = sys->op->compliance;
    size_t n = (size_t)(end - begin), size = sizeof(double);
    for (int i = begin; i <= end; i++)
        put_int(p, c->contact_ptr[i] - c->contact_ptr[begin]);
    align(p);
    put(p, sys->laws.mu + begin, n * size), put(p, sys->problem->trace + begin, n * size);
    put(p, sys->s + begin, n * size), put(p, sys->b + 3 * (size_t)begin, 3 * n * size);
    put(p, sys->diagonal + 9 * (size_t)begin, 9 * n * size);
}

// All that a rank needs of a group, in one piece.
static void *new_packet(const plait_system *sys, const deal *d, const unsigned char *dense, int rank, size_t *bytes)
{
    plait_ranks *ranks = sys->team.ranks;
    plait_share_sizes s = measure(d);
    plait_packet p = {0};
    for (int pass = 0; pass < 2; pass++) { // how large it is, then what it is
        s.bytes = (int64_t)p.size;
        p.block = pass ? plait_malloc(p.size) : NULL;
        if (pass && !p.block)
            ranks->lose(ranks, "no memory to deal out contacts");
        *bytes = p.size, p.size = 0;
        put(&p, &s, sizeof s);
        put_contacts(&p, d), put_columns(&p, d), put_bodies(&p, d, dense);
        put_kept(&p, sys, plait_share_first(s.all, ranks->count, rank),
                 plait_share_first(s.all, ranks->count, rank + 1));
    }
    return p.block;
}

// ---- dealing out ----------------------------------------------------------------------------------------------------

// Bodies in their order, with about the same work for every rank: what a product reads.
static void cut_bodies(const plait_compliance *c, int ranks, int *first)
{
    int64_t all = 0, before = 0;
    for (int pass = 0; pass < 2; pass++)
        for (int b = 0, rank = 0; b <= c->bodies; b++) {
            while (pass && rank <= ranks && (b == c->bodies || before * ranks >= all * rank))
                first[rank++] = b;
            if (b == c->bodies)
                break;
            int64_t work = (int64_t)c->body[b].size * (plait_compliance_factor_width(c, b) + 1);
            for (int k = c->body[b].first_limb; k < c->body[b + 1].first_limb; k++)
                work += 6 * (int64_t)c->limb[k].count + 16;
            *(pass ? &before : &all) += work;
        }
}

static void tell(plait_ranks *ranks, order o)
{
    ranks->tell(ranks, &o, sizeof o);
}

static plait_spread *deal_out(plait_system *sys)
{
    static _Thread_local int count; // of groups that were dealt out
    plait_ranks *ranks = sys->team.ranks;
    const plait_compliance *c = sys->op->compliance;
    plait_spread *x = plait_calloc(1, sizeof *x);
    int *first = plait_malloc(((size_t)ranks->count + 1) * sizeof *first);
    unsigned char *mark = plait_malloc((size_t)c->n + (size_t)c->bodies + 1), *dense = mark + c->n;
    if (!x || !first || !mark) { // nobody was told: as without ranks
        plait_free(x), plait_free(first), plait_free(mark);
        return NULL;
    }
    *x = (plait_spread){.ranks = ranks, .sys = sys, .op = sys->op, .number = count++};
    cut_bodies(c, ranks->count, first);
    plait_compliance_dense_bodies(c, dense);
    tell(ranks, (order){.what = ORDER_NEW, .share = x->number});
    void *own = NULL;
    for (int rank = ranks->count - 1; rank >= 0; rank--) {
        size_t bytes;
        deal d = {c, first[rank], first[rank + 1], mark};
        void *packet = new_packet(sys, &d, dense, rank, &bytes);
        if (rank == 0) {
            own = packet;
        } else {
            int64_t size = (int64_t)bytes;
            ranks->send(ranks, rank, &size, sizeof size);
            ranks->send(ranks, rank, packet, bytes);
            plait_free(packet);
        }
    }
    plait_free(first), plait_free(mark);
    x->share = plait_share_new(sys->team, own);
    plait_share_system(x->share)->leader = sys;
    return x;
}

void plait_spread_free(plait_spread *x)
{
    if (!x)
        return;
    tell(x->ranks, (order){.what = ORDER_FREE, .share = x->number});
    plait_share_free(x->share), plait_free(x);
}

// ---- vectors of the whole group ------------------------------------------------------------------------------------

// To those who keep them, and back. There is a number before the first, so that nobody sends nothing.
static void scatter(plait_ranks *ranks, int n, const double *x)
{
    for (int rank = 1; rank < ranks->count; rank++) {
        size_t begin = 3 * (size_t)plait_share_first(n, ranks->count, rank),
               end = 3 * (size_t)plait_share_first(n, ranks->count, rank + 1);
        ranks->send(ranks, rank, x + begin, (end - begin) * sizeof *x);
    }
}

static void collect(plait_ranks *ranks, int n, double *x)
{
    for (int rank = 1; rank < ranks->count; rank++) {
        size_t begin = 3 * (size_t)plait_share_first(n, ranks->count, rank),
               end = 3 * (size_t)plait_share_first(n, ranks->count, rank + 1);
        ranks->receive(ranks, rank, x + begin, (end - begin) * sizeof *x);
    }
}

void plait_spread_apply(plait_spread *x, const double *r, const double *b, double *u)
{
    plait_ranks *ranks = x->ranks;
    plait_system *own = plait_share_system(x->share);
    tell(ranks, (order){.what = ORDER_APPLY, .share = x->number, .products = x->op->products});
    scatter(ranks, x->sys->n, r), scatter(ranks, x->sys->n, b);
    own->op->products = x->op->products;
    plait_operator_apply(own->op, r, b, u);
    x->op->products = own->op->products;
    collect(ranks, x->sys->n, u);
}

bool plait_spread_solve(plait_system *sys, int first, int last, int max_iterations, double *r, double *u,
                        plait_outcome *out)
{
    plait_operator *op = sys->op;
    if (!op->spread && !(op->spread = deal_out(sys)))
        return false;
    plait_spread *x = op->spread;
    plait_ranks *ranks = x->ranks;
    plait_system *own = plait_share_system(x->share);
    tell(ranks, (order){.what = ORDER_SOLVE,
                        .share = x->number,
                        .products = op->products,
                        .first = first,
                        .last = last,
                        .most = max_iterations,
                        .patience = sys->patience,
                        .target = sys->target,
                        .norm_b = sys->norm_b});
    scatter(ranks, sys->n, r);
    own->op->products = op->products, own->patience = sys->patience, own->stopped = false;
    own->target = sys->target, own->norm_b = sys->norm_b, own->work = 0;
    if (!plait_apgd_run(own, first, last, max_iterations, r, u, out))
        ranks->lose(ranks, "no memory for gradient steps");
    ranks->account.solves++;
    op->products = own->op->products, sys->work += own->work;
    collect(ranks, sys->n, r), collect(ranks, sys->n, u);
    return true;
}

// ---- the others -----------------------------------------------------------------------------------------------------

// Shares by their numbers; few are there at a time.
typedef struct shelf {
    plait_ranks *ranks;
    int count;
    int number[64];
    plait_share *share[64];
} shelf;

static int find(const shelf *x, int number)
{
    int k = 0;
    while (k < x->count && x->number[k] != number)
        k++;
    return k;
}

static void receive_share(shelf *x, int number, int threads)
{
    plait_ranks *ranks = x->ranks;
    int64_t bytes;
    ranks->receive(ranks, 0, &bytes, sizeof bytes);
    void *packet = plait_malloc((size_t)bytes);
    if (!packet || x->count == (int)(sizeof x->number / sizeof *x->number))
        ranks->lose(ranks, "no memory for its share of the contacts");
    ranks->receive(ranks, 0, packet, (size_t)bytes);
    x->number[x->count] = number;
    x->share[x->count++] = plait_share_new((plait_team){.threads = threads, .ranks = ranks}, packet);
}

static void free_share(shelf *x, int k)
{
    plait_share_free(x->share[k]);
    x->count--;
    x->number[k] = x->number[x->count], x->share[k] = x->share[x->count];
}

static void help(plait_ranks *ranks, plait_share *share, const order *o)
{
    plait_system *sys = plait_share_system(share);
    size_t size = 3 * (size_t)sys->n, bytes = size * sizeof(double);
    double *r = plait_malloc(3 * bytes + sizeof *r), *u = r + size, *b = u + size;
    plait_outcome outcome;
    if (!r)
        ranks->lose(ranks, "no memory for impulses");
    ranks->receive(ranks, 0, r, bytes);
    sys->op->products = o->products;
    if (o->what == ORDER_APPLY) {
        ranks->receive(ranks, 0, b, bytes);
        plait_operator_apply(sys->op, r, b, u);
    } else {
        sys->patience = o->patience, sys->target = o->target, sys->norm_b = o->norm_b, sys->stopped = false;
        if (!plait_apgd_run(sys, o->first, o->last, o->most, r, u, &outcome))
            ranks->lose(ranks, "no memory for gradient steps");
        ranks->account.solves++;
        ranks->send(ranks, 0, r, bytes);
    }
    ranks->send(ranks, 0, u, bytes);
    plait_free(r);
}

static void report(plait_ranks *ranks)
{
    ranks->look(ranks);
    ranks->send(ranks, 0, &ranks->account, sizeof ranks->account);
}

void plait_spread_serve(plait_ranks *ranks, int threads)
{
    shelf x = {.ranks = ranks};
    for (order o = {0}; o.what != ORDER_END;) {
        ranks->tell(ranks, &o, sizeof o);
        int k = find(&x, o.share);
        if (o.what == ORDER_NEW)
            receive_share(&x, o.share, threads);
        else if (o.what == ORDER_FREE)
            free_share(&x, k);
        else if (o.what == ORDER_REPORT)
            report(ranks);
        else if (o.what != ORDER_END)
            help(ranks, x.share[k], &o);
    }
    while (x.count > 0)
        free_share(&x, 0);
}

void plait_spread_report(plait_ranks *ranks, plait_ranks_account *account)
{
    tell(ranks, (order){.what = ORDER_REPORT});
    ranks->look(ranks);
    account[0] = ranks->account;
    for (int rank = 1; rank < ranks->count; rank++)
        ranks->receive(ranks, rank, &account[rank], sizeof *account);
}

void plait_spread_end(plait_ranks *ranks)
{
    tell(ranks, (order){.what = ORDER_END});
}
