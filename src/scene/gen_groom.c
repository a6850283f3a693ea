// gen_groom.c: makes strands keep apart. See gen_groom.h.
//
// Pairs come from a hash of the cells that the middles of pieces lie in. Pushes are summed in the order of the pieces,
// so the result is the same everywhere.
#include "scene/gen_groom.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/parallel.h"
#include "math/vec3.h"
#include "scene/grooms.h"

// Rounds between derivatives; after which, and how often, strands are shaken.
enum { CROWD = 3, RENEW = 10, PATIENCE = 32, SHAKE = 8, PARTS = 4 };
static const double RELAX = 0.9, STAY = 0.01, SKIN = 4; // STAY: weight of what nobody pushes

typedef struct chain {
    int first, nodes; // traced
    int samples;      // per segment
    double radius;
    bool fixed;
} chain;

typedef struct groom {
    const plait_scene *scene;
    const plait_gen_style *style;
    const plait_gen_field *field;
    plait_gen_curve curve;
    plait_gen_strand *strand;
    bool *stale;                      // [chains] its pairs are to be listed again
    bool *moved;                      // [chains] since it was looked at
    unsigned char *restless, *before; // [chains] 2: overlaps something; 1: is in the way of such; and a round ago
    double *J;                        // derivatives of the strands' curves, by their nodes; made anew now and then
    size_t *J_at;                     // [count] where a strand's begins
    double *scratch;                  // [threads][scratch_each] wishes of a strand, and the curve's least squares
    size_t scratch_each, by_size;
    plait_team team;
    int count, chains, nodes;
    chain *chain;
    int *owner;     // [nodes] chain of a traced node
    double *x;      // [3 nodes]
    double *push;   // [3 nodes]
    double *weight; // [nodes] how many pushes
    int *start;     // [buckets + 1] pieces of a bucket in `piece`
    int *piece;     // [nodes] first node of a piece
    int *cell;      // [3 nodes] of a piece's middle
    int buckets;
    int *pair; // [2 pairs] pieces that may come near before the list is made again
    int pairs, room;
    double *x_then; // [3 nodes] when the list was made
    double cell_size, gap;
    int skin_of;  // collider that roots may slide on; -1: they stay
    bool keep_height;
    double skin;  // [m] pairs farther apart than their least distance and this are not listed
    double worst; // deepest overlap that was met, relative to the contact radius
    int overlaps; // in this round
} groom;

double plait_gen_segment_distance(const double *p0, const double *p1, const double *q0, const double *q1, double *a,
                                  double *b)
{
    double d[3], e[3], w[3];
    plait_vec3_sub(p1, p0, d);
    plait_vec3_sub(q1, q0, e);
    plait_vec3_sub(p0, q0, w);
    double dd = plait_vec3_dot(d, d), ee = plait_vec3_dot(e, e), de = plait_vec3_dot(d, e), dw = plait_vec3_dot(d, w),
           ew = plait_vec3_dot(e, w);
    double det = dd * ee - de * de, s = 0.5;
    if (det > 1e-12 * dd * ee)
        s = fmin(fmax((de * ew - ee * dw) / det, 0), 1);
    double t = ee > 0 ? (de * s + ew) / ee : 0;
    if (t < 0 || t > 1) {
        t = fmin(fmax(t, 0), 1);
        s = dd > 0 ? fmin(fmax((de * t - dw) / dd, 0), 1) : 0;
    }
    // Nearly parallel pieces: the foot of one end may be nearer.
    if (!(det > 1e-12 * dd * ee) && dd > 0 && ee > 0) {
        s = fmin(fmax((de * t - dw) / dd, 0), 1);
        t = fmin(fmax((de * s + ew) / ee, 0), 1);
    }
    *a = s, *b = t;
    for (int k = 0; k < 3; k++)
        w[k] += s * d[k] - t * e[k];
    return plait_vec3_norm(w);
}

// ---- curves ------------------------------------------------------------------------------------------------------

static plait_status failed(const plait_error *error)
{
    return error && error->status != PLAIT_OK ? error->status : PLAIT_BAD_INPUT;
}

// Where traced node k is on the drawn line.
static double fraction(const plait_gen_strand *s, const chain *c, int k)
{
    double whole = s->nodes - 1, at = (double)k / c->samples, beyond = at - (whole - 1);
    return (beyond > 0 ? whole - 1 + beyond * s->last : at) / whole;
}

static double *scratch_of(const groom *g)
{
    return g->scratch + (size_t)omp_get_thread_num() * g->scratch_each;
}

static bool fit(groom *g, int i, plait_error *error)
{
    plait_gen_strand *s = &g->strand[i];
    const chain *c = &g->chain[i];
    double total = plait_gen_polyline_length(s->drawn_points, s->drawn), *want = scratch_of(g);
    for (int k = 0; k < c->nodes; k++)
        plait_gen_polyline_at(s->drawn_points, s->drawn, total * fraction(s, c, k), want + 3 * k);
    double *x = g->x + 3 * (size_t)c->first;
    return plait_gen_curve_fit(&g->curve, s, want, x, g->J + g->J_at[i], want + g->by_size, error);
}

static bool trace(groom *g, int i, plait_error *error)
{
    return !g->moved[i] || plait_gen_curve_trace(&g->curve, &g->strand[i], g->x + 3 * (size_t)g->chain[i].first, error);
}

// The first strand that fails is asked again, for its message.
static plait_status for_all(groom *g, bool (*what)(groom *g, int i, plait_error *error), plait_error *error)
{
    int first = g->count;
#pragma omp parallel for schedule(dynamic, 8) num_threads(g->team.threads) reduction(min : first)                    \
    if (g->team.threads > 1)
    for (int i = 0; i < g->count; i++)
        if (!what(g, i, NULL))
            first = i < first ? i : first;
    return first == g->count || what(g, first, error) ? PLAIT_OK : failed(error);
}

// The curve of a coarse model is first laid through what was drawn.
static plait_status fit_all(groom *g, plait_error *error)
{
    return g->curve.curved ? for_all(g, fit, error) : PLAIT_OK;
}

static plait_status trace_all(groom *g, plait_error *error)
{
    return for_all(g, trace, error);
}

// ---- pairs -------------------------------------------------------------------------------------------------------

static unsigned bucket(const groom *g, int i, int j, int k)
{
    return ((unsigned)i * 73856093u ^ (unsigned)j * 19349663u ^ (unsigned)k * 83492791u) & (unsigned)(g->buckets - 1);
}

static bool is_piece(const groom *g, int node)
{
    return node + 1 < g->nodes && g->owner[node] == g->owner[node + 1];
}

static void sort_pieces(groom *g)
{
    double longest = 0, widest = 0;
    for (int i = 0; i < g->nodes; i++)
        if (is_piece(g, i)) {
            double d[3];
            plait_vec3_sub(g->x + 3 * (i + 1), g->x + 3 * i, d);
            longest = fmax(longest, plait_vec3_norm(d));
        }
    for (int i = 0; i < g->chains; i++)
        widest = fmax(widest, g->chain[i].radius);
    g->skin = SKIN * widest;
    g->cell_size = longest + 2 * widest * (1 + g->gap) + g->skin;
    memset(g->start, 0, ((size_t)g->buckets + 1) * sizeof *g->start);
    for (int pass = 0; pass < 2; pass++) {
        for (int i = g->nodes; i-- > 0;) { // backwards, so that pieces of a bucket end up in their order
            if (!is_piece(g, i))
                continue;
            int *c = g->cell + 3 * i;
            for (int k = 0; k < 3; k++)
                c[k] = (int)floor((g->x[3 * i + k] + g->x[3 * (i + 1) + k]) / 2 / g->cell_size);
            unsigned b = bucket(g, c[0], c[1], c[2]);
            if (pass == 0)
                g->start[b + 1]++;
            else
                g->piece[--g->start[b + 1]] = i;
        }
        for (int b = 0; pass == 0 && b < g->buckets; b++)
            g->start[b + 1] += g->start[b];
    }
    // The second pass left start[b + 1] at the beginning of bucket b: one place too far.
    int total = 0;
    for (int i = 0; i < g->nodes; i++)
        total += is_piece(g, i);
    memmove(g->start, g->start + 1, (size_t)g->buckets * sizeof *g->start);
    g->start[g->buckets] = total;
}

static void give(groom *g, int node, double share, double by, const double n[3])
{
    plait_vec3_axpy(share * by, n, g->push + 3 * node);
    g->weight[node] += share;
}

// 1: they overlap.
static int note(groom *g, double depth, double radius, int a, int b)
{
    bool overlap = depth > 0.95 * g->gap * radius; // the gap is a wish
    if (overlap) {
        g->restless[a] = g->restless[b] = 2;
    } else if (g->before[a] == 2 || g->before[b] == 2) { // what overlaps needs room around it
        g->restless[a] = g->restless[a] > 1 ? g->restless[a] : 1;
        g->restless[b] = g->restless[b] > 1 ? g->restless[b] : 1;
    }
    return overlap;
}

// Whether two pieces may touch at all, now or soon.
static bool may_meet(const groom *g, int i, int j)
{
    const chain *p = &g->chain[g->owner[i]], *q = &g->chain[g->owner[j]];
    const double *x = g->x + 3 * i, *y = g->x + 3 * j;
    double a, b, apart = 0;
    if (p->fixed && q->fixed)
        return false;
    if (p == q) {
        double d[3];
        plait_vec3_sub(x + 3, x, d);
        if (abs(i - j) * plait_vec3_norm(d) < fmax(8 * p->radius, 3.5 * plait_vec3_norm(d)))
            return false;
    }
    for (int k = 0; k < 3; k++)
        apart += (x[k] + x[3 + k] - y[k] - y[3 + k]) * (x[k] + x[3 + k] - y[k] - y[3 + k]) / 4;
    if (apart > g->cell_size * g->cell_size)
        return false;
    return plait_gen_segment_distance(x, x + 3, y, y + 3, &a, &b) < (p->radius + q->radius) * (1 + g->gap) + g->skin;
}

static bool list_pair(groom *g, int i, int j)
{
    if (g->pairs == g->room) {
        int room = g->room > 0 ? 2 * g->room : 1024;
        int *grown = realloc(g->pair, 2 * (size_t)room * sizeof *grown);
        if (!grown)
            return false;
        g->pair = grown;
        g->room = room;
    }
    g->pair[2 * g->pairs] = i;
    g->pair[2 * g->pairs++ + 1] = j;
    return true;
}

// Strands that have moved by a third of the skin since their pairs were listed are stale: a pair that is not in the
// list is then still apart, though its strands were listed at different times.
static bool find_stale(groom *g, bool all)
{
    bool any = false;
    for (int i = 0; i < g->count; i++) {
        const chain *c = &g->chain[i];
        double far = 0;
        for (int k = c->first; g->moved[i] && k < c->first + c->nodes; k++) {
            double d[3];
            plait_vec3_sub(g->x + 3 * (size_t)k, g->x_then + 3 * (size_t)k, d);
            far = fmax(far, plait_vec3_dot(d, d));
        }
        g->stale[i] = all || far > g->skin * g->skin / 9;
        any |= g->stale[i];
        if (g->stale[i])
            memcpy(g->x_then + 3 * (size_t)c->first, g->x + 3 * (size_t)c->first, 3 * (size_t)c->nodes * sizeof *g->x);
    }
    return any;
}

static bool list_piece(groom *g, int i)
{
    const int *c = g->cell + 3 * i;
    for (int n = 0; n < 27; n++) {
        int at[3] = {c[0] + n % 3 - 1, c[1] + n / 3 % 3 - 1, c[2] + n / 9 - 1};
        unsigned b = bucket(g, at[0], at[1], at[2]);
        for (int s = g->start[b]; s < g->start[b + 1]; s++) {
            int j = g->piece[s];
            const int *e = g->cell + 3 * j;
            bool here = e[0] == at[0] && e[1] == at[1] && e[2] == at[2];
            if (here && (j > i || !g->stale[g->owner[j]]) && may_meet(g, i, j) && !list_pair(g, i, j))
                return false;
        }
    }
    return true;
}

// Pairs of stale strands leave the list and are looked for again.
static bool list_pairs(groom *g)
{
    sort_pieces(g);
    int kept = 0;
    for (int i = 0; i < g->pairs; i++) {
        int a = g->pair[2 * i], b = g->pair[2 * i + 1];
        if (g->stale[g->owner[a]] || g->stale[g->owner[b]])
            continue;
        g->pair[2 * kept] = a;
        g->pair[2 * kept++ + 1] = b;
    }
    g->pairs = kept;
    for (int i = 0; i < g->nodes; i++)
        if (is_piece(g, i) && g->stale[g->owner[i]] && !list_piece(g, i))
            return false;
    return true;
}

static void meet(groom *g, int i, int j)
{
    const chain *p = &g->chain[g->owner[i]], *q = &g->chain[g->owner[j]];
    if (!g->moved[g->owner[i]] && !g->moved[g->owner[j]])
        return; // as before: apart
    double a, b, least = (p->radius + q->radius) * (1 + g->gap), n[3];
    const double *x = g->x + 3 * i, *y = g->x + 3 * j;
    double d = plait_gen_segment_distance(x, x + 3, y, y + 3, &a, &b);
    if (d >= least)
        return;
    double radius = (p->radius + q->radius) / 2;
    g->overlaps += note(g, (least - d) / 2, radius, g->owner[i], g->owner[j]);
    g->worst = fmax(g->worst, (least - d) / 2 / radius - g->gap);
    for (int k = 0; k < 3; k++)
        n[k] = x[k] + a * (x[3 + k] - x[k]) - y[k] - b * (y[3 + k] - y[k]);
    if (!(plait_vec3_normalise(n) > 0)) {
        double t[3];
        plait_vec3_sub(x + 3, x, t);
        plait_vec3_normalise(t);
        plait_vec3_any_normal(t, n);
    }
    double half = (least - d) / 2 * (p->fixed || q->fixed ? 2 : 1);
    if (!p->fixed)
        give(g, i, 1 - a, half, n), give(g, i + 1, a, half, n);
    if (!q->fixed)
        give(g, j, 1 - b, -half, n), give(g, j + 1, b, -half, n);
}

// Nodes, and places between them, which may cut a corner. Returns how many overlap; *worst grows.
static int leave_one(groom *g, int strand, double *worst)
{
    const chain *c = &g->chain[strand];
    int overlaps = 0;
    for (int i = c->first; i < c->first + c->nodes; i++)
        for (int part = 0; part < (is_piece(g, i) ? PARTS : 1); part++) {
            double x[3], n[3], b = (double)part / PARTS;
            for (int k = 0; k < 3; k++)
                x[k] = part ? (1 - b) * g->x[3 * i + k] + b * g->x[3 * (i + 1) + k] : g->x[3 * i + k];
            double least = c->radius * (1 + g->gap), d = plait_gen_field_at(g->field, -1, x, n);
            if (d >= least || (i == c->first && part == 0)) // where the root is was decided before
                continue;
            overlaps += note(g, least - d, c->radius, strand, strand);
            *worst = fmax(*worst, (least - d) / c->radius - g->gap);
            give(g, i, 1 - b, least - d, n);
            if (part)
                give(g, i + 1, b, least - d, n);
        }
    return overlaps;
}

static void leave_colliders(groom *g)
{
    int overlaps = 0;
    double worst = g->worst;
#pragma omp parallel for schedule(dynamic, 8) num_threads(g->team.threads) reduction(+ : overlaps)               \
    reduction(max : worst) if (g->team.threads > 1)
    for (int i = 0; i < g->count; i++)
        if (g->moved[i])
            overlaps += leave_one(g, i, &worst);
    g->overlaps += overlaps, g->worst = worst;
}

// ---- rounds ------------------------------------------------------------------------------------------------------

// How far strand i is pushed at each of its traced nodes. What is pushed from several sides gives way to their sum,
// less where it is crowded.
static bool wishes(const groom *g, int i, double *by, double *weight)
{
    const chain *c = &g->chain[i];
    bool any = false;
    for (int k = 0; k < c->nodes; k++) {
        const double *push = g->push + 3 * (size_t)(c->first + k);
        double pushes = g->weight[c->first + k], most = c->radius;
        double scale = pushes > 0 ? RELAX / fmin(fmax(pushes, 1), CROWD) : 0, size = scale * plait_vec3_norm(push);
        if (size > most)
            scale *= most / size;
        for (int d = 0; d < 3; d++)
            by[3 * k + d] = scale * push[d];
        weight[k] = pushes > 0 ? 1 : STAY;
        any |= pushes > 0;
    }
    return any;
}

// Straight segments: nodes take over the mean of the wishes around them.
static void follow(const groom *g, int i, const double *by, const double *weight)
{
    const chain *c = &g->chain[i];
    plait_gen_strand *s = &g->strand[i];
    for (int k = 1; k < s->nodes; k++) {
        double move[3] = {0}, sum = 0;
        for (int j = (k - 1) * c->samples + 1; j < (k + 1) * c->samples && j < c->nodes; j++) {
            double w = 1 - fabs(j - (double)k * c->samples) / c->samples;
            plait_vec3_axpy(w * weight[j], by + 3 * j, move);
            sum += w * weight[j];
        }
        plait_vec3_axpy(1 / sum, move, s->x + 3 * k);
    }
}

// A root gives way on the skin; how the strand leaves it is the other nodes' business.
static void slide_root(const groom *g, int i, const double *by)
{
    double n[3], *root = g->strand[i].x, height = g->chain[i].radius * (1 + g->gap);
    if (g->keep_height)
        height = plait_gen_field_at(g->field, g->skin_of, root, n);
    plait_vec3_axpy(1, by, root);
    double far = plait_gen_field_at(g->field, g->skin_of, root, n);
    plait_vec3_axpy(height - far, n, root);
}

// Strands that have locked each other are shaken loose: swung about their roots at random.
static void shake(const groom *g, int i, int round, double *by, double *weight)
{
    const chain *c = &g->chain[i];
    plait_rng rng = plait_rng_new(g->style->seed + (uint64_t)round, (uint64_t)i);
    double kick[3];
    for (int d = 0; d < 3; d++)
        kick[d] = 2 * c->radius * plait_rng_between(&rng, -1, 1);
    for (int k = 0; k < c->nodes; k++) {
        plait_vec3_axpy((double)k / c->nodes, kick, by + 3 * k);
        weight[k] = 1;
    }
}

static void move_one(groom *g, int i, int round)
{
    double *by = scratch_of(g), *work = by + g->by_size, *weight = by + 3 * g->chain[i].nodes, *J = g->J + g->J_at[i];
    g->moved[i] = g->restless[i] > 0 && wishes(g, i, by, weight);
    if (!g->moved[i])
        return;
    if (round >= PATIENCE && round % SHAKE == 0 && g->restless[i] == 2)
        shake(g, i, round, by, weight);
    const double *x = g->x + 3 * (size_t)g->chain[i].first;
    if (!g->curve.curved)
        follow(g, i, by, weight);
    else if (round % RENEW != 0 || plait_gen_curve_jacobian(&g->curve, &g->strand[i], x, J, work))
        plait_gen_curve_pull(&g->curve, &g->strand[i], J, by, weight, work);
    if (g->skin_of >= 0)
        slide_root(g, i, by);
}

static void move_all(groom *g, int round)
{
#pragma omp parallel for schedule(dynamic, 8) num_threads(g->team.threads) if (g->team.threads > 1)
    for (int i = 0; i < g->count; i++)
        move_one(g, i, round);
}

static plait_status round_once(groom *g, bool first, plait_error *error)
{
    plait_status status = trace_all(g, error);
    if (status != PLAIT_OK)
        return status;
    if (find_stale(g, first) && !list_pairs(g))
        return plait_gen_no_memory("groom", error);
    memset(g->push, 0, 3 * (size_t)g->nodes * sizeof *g->push);
    memset(g->weight, 0, (size_t)g->nodes * sizeof *g->weight);
    g->overlaps = 0;
    g->worst = 0;
    memcpy(g->before, g->restless, (size_t)g->chains);
    memset(g->restless, 0, (size_t)g->chains);
    for (int i = 0; i < g->pairs; i++)
        meet(g, g->pair[2 * i], g->pair[2 * i + 1]);
    leave_colliders(g);
    return PLAIT_OK;
}

// Chains of the strands, then of the fibres that are there already; old[i]: the curve of fibre i.
static plait_status list_chains(groom *g, double **old, plait_error *error)
{
    for (int i = 0; i < g->count; i++) {
        int nodes = plait_gen_curve_nodes(&g->curve, &g->strand[i]);
        double radius = plait_gen_contact_radius(g->scene, g->style->material);
        g->chain[i] = (chain){g->nodes, nodes, g->curve.samples, radius, false};
        g->nodes += nodes;
    }
    for (int i = 0; i < g->scene->fibres; i++) {
        int nodes = 0;
        old[i] = plait_gen_trace(g->scene, i, &nodes, error);
        if (!old[i])
            return failed(error);
        double radius = plait_gen_contact_radius(g->scene, g->scene->fibre[i].material);
        g->chain[g->count + i] = (chain){g->nodes, nodes, 1, radius, true};
        g->nodes += nodes;
    }
    return PLAIT_OK;
}

static bool allocate(groom *g)
{
    size_t n = (size_t)g->nodes + 1, strand = 0, work = 0, total = 1;
    for (g->buckets = 1024; g->buckets < g->nodes;)
        g->buckets *= 2;
    g->J_at = malloc((size_t)g->count * sizeof *g->J_at);
    for (int i = 0; g->J_at && i < g->count; i++) {
        size_t room = plait_gen_curve_work(&g->curve, &g->strand[i]), traced = (size_t)g->chain[i].nodes;
        work = room > work ? room : work;
        strand = traced > strand ? traced : strand;
        g->J_at[i] = g->curve.curved ? total : 0;
        total += g->curve.curved ? 9 * traced * (size_t)g->strand[i].nodes : 0;
    }
    g->owner = malloc(n * sizeof *g->owner);
    g->x = calloc(3 * n, sizeof *g->x);
    g->x_then = calloc(3 * n, sizeof *g->x_then);
    g->push = malloc(3 * n * sizeof *g->push);
    g->weight = malloc(n * sizeof *g->weight);
    g->start = malloc(((size_t)g->buckets + 2) * sizeof *g->start);
    g->piece = malloc(n * sizeof *g->piece);
    g->cell = malloc(3 * n * sizeof *g->cell);
    g->moved = calloc((size_t)g->chains, sizeof *g->moved);
    g->stale = calloc((size_t)g->chains, sizeof *g->stale);
    g->restless = calloc(2 * (size_t)g->chains, 1);
    g->before = g->restless + g->chains;
    g->J = malloc(total * sizeof *g->J);
    g->by_size = 4 * (strand + 1), g->scratch_each = g->by_size + work + 1;
    g->scratch = malloc((size_t)g->team.threads * g->scratch_each * sizeof *g->scratch);
    return g->owner && g->x && g->x_then && g->push && g->weight && g->start && g->piece && g->cell && g->moved &&
           g->stale && g->restless && g->J && g->J_at && g->scratch;
}

static plait_status prepare(groom *g, const char *generator, plait_error *error)
{
    g->chains = g->scene->fibres + g->count;
    double **old = calloc((size_t)g->scene->fibres + 1, sizeof *old);
    g->chain = calloc((size_t)g->chains + 1, sizeof *g->chain);
    plait_status status = old && g->chain ? list_chains(g, old, error) : plait_gen_no_memory(generator, error);
    if (status == PLAIT_OK && !allocate(g))
        status = plait_gen_no_memory(generator, error);
    for (int i = 0; status == PLAIT_OK && i < g->chains; i++) {
        const chain *c = &g->chain[i];
        for (int k = 0; k < c->nodes; k++)
            g->owner[c->first + k] = i;
        if (c->fixed)
            memcpy(g->x + 3 * (size_t)c->first, old[i - g->count], 3 * (size_t)c->nodes * sizeof *g->x);
        else
            g->moved[i] = true;
    }
    for (int i = 0; old && i < g->scene->fibres; i++)
        free(old[i]);
    free(old);
    return status;
}

static void release(groom *g)
{
    free(g->chain), free(g->owner), free(g->x), free(g->x_then), free(g->push), free(g->weight);
    free(g->start), free(g->piece), free(g->cell), free(g->pair);
    free(g->moved), free(g->stale), free(g->restless);
    free(g->J), free(g->J_at), free(g->scratch);
}

plait_status plait_gen_groom(const char *generator, const plait_scene *scene, const plait_gen_style *style,
                             const plait_gen_field *field, int count, plait_gen_strand *strand,
                             const plait_gen_groom_options *o, plait_error *error)
{
    char key[PLAIT_GROOM_KEY];
    plait_groom_task task = {generator, style, count, o};
    bool known = plait_grooms_key(scene, &task, strand, key);
    if (known && plait_grooms_take(key, count, strand))
        return PLAIT_OK;
    groom g = {.scene = scene, .style = style, .field = field, .strand = strand, .count = count, .gap = o->gap};
    g.skin_of = o->slide, g.keep_height = o->keep_height, g.team = plait_team_of(0);
    plait_status status = plait_gen_curve_new(scene, style, &g.curve, error);
    if (status == PLAIT_OK)
        status = prepare(&g, generator, error);
    if (status == PLAIT_OK)
        status = fit_all(&g, error);
    int rounds = o->rounds, left = rounds;
    while (status == PLAIT_OK) {
        status = round_once(&g, left == rounds, error);
        if (status != PLAIT_OK || g.overlaps == 0 || left <= 0)
            break;
        move_all(&g, rounds - left);
        left--;
    }
    if (status == PLAIT_OK && g.overlaps > 0 && !o->lenient)
        status = plait_error_set(error, PLAIT_BAD_INPUT,
                                 "%s: after %d rounds %d places of %d strands are still too near (the deepest by %.2g "
                                 "contact radii); use a smaller contact radius, fewer strands or more volume",
                                 generator, rounds, g.overlaps, count, g.worst);
    release(&g);
    if (known && status == PLAIT_OK)
        status = plait_grooms_keep(key, count, strand, error);
    return status;
}
