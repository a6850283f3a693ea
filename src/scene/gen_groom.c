// gen_groom.c: makes strands keep apart. See gen_groom.h.
//
// Pairs come from a hash of the cells that the middles of pieces lie in. Pushes are summed in the order of the pieces,
// so the result is the same everywhere.
#include "scene/gen_groom.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "math/vec3.h"

enum { CROWD = 3 };
static const double RELAX = 0.9, STAY = 0.03; // STAY: weight of what nobody pushes

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
    bool *moved;  // [count] since it was traced
    double *J;    // derivative of one strand's curve
    double *by;   // [3 nodes of one strand]
    double *work; // of the curve's least squares
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
    double cell_size, gap;
    double worst; // deepest overlap that was met, relative to the contact radius
    int overlaps; // in this round
} groom;

double plait_gen_segment_distance(const double *p0, const double *p1, const double *q0, const double *q1, double *a,
                                  double *b)
{
    double d[3], e[3], w[3];
    plait_sub(p1, p0, d);
    plait_sub(q1, q0, e);
    plait_sub(p0, q0, w);
    double dd = plait_dot(d, d), ee = plait_dot(e, e), de = plait_dot(d, e), dw = plait_dot(d, w), ew = plait_dot(e, w);
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
    return plait_norm(w);
}

// ---- curves ------------------------------------------------------------------------------------------------------

static plait_status failed(const plait_error *error)
{
    return error && error->status != PLAIT_OK ? error->status : PLAIT_BAD_INPUT;
}

// The curve of a coarse model is first laid through what was drawn.
static plait_status fit_all(groom *g, plait_error *error)
{
    if (!g->curve.curved)
        return PLAIT_OK;
    for (int i = 0; i < g->count; i++) {
        plait_gen_strand *s = &g->strand[i];
        const chain *c = &g->chain[i];
        double total = plait_gen_polyline_length(s->drawn_points, s->drawn);
        for (int k = 0; k < c->nodes; k++)
            plait_gen_polyline_at(s->drawn_points, s->drawn, total * k / (c->nodes - 1), g->push + 3 * k);
        double *x = g->x + 3 * (size_t)c->first;
        if (!plait_gen_curve_fit(&g->curve, s, g->push, x, g->J, g->work, error))
            return failed(error);
    }
    return PLAIT_OK;
}

static plait_status trace_all(groom *g, plait_error *error)
{
    for (int i = 0; i < g->count; i++)
        if (g->moved[i]) {
            g->moved[i] = false;
            if (!plait_gen_curve_trace(&g->curve, &g->strand[i], g->x + 3 * (size_t)g->chain[i].first, error))
                return failed(error);
        }
    return PLAIT_OK;
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
            plait_sub(g->x + 3 * (i + 1), g->x + 3 * i, d);
            longest = fmax(longest, plait_norm(d));
        }
    for (int i = 0; i < g->chains; i++)
        widest = fmax(widest, g->chain[i].radius);
    g->cell_size = longest + 2 * widest * (1 + g->gap);
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
    plait_axpy(share * by, n, g->push + 3 * node);
    g->weight[node] += share;
}

static void note(groom *g, double depth, double radius)
{
    if (depth > 0.5 * g->gap * radius) // not the whole gap is needed
        g->overlaps++;
    g->worst = fmax(g->worst, depth / radius - g->gap);
}

static void meet(groom *g, int i, int j)
{
    const chain *p = &g->chain[g->owner[i]], *q = &g->chain[g->owner[j]];
    if (p == q) {
        double d[3];
        plait_sub(g->x + 3 * (i + 1), g->x + 3 * i, d);
        if (abs(i - j) * plait_norm(d) < fmax(8 * p->radius, 3.5 * plait_norm(d)))
            return;
    }
    if (p->fixed && q->fixed)
        return;
    double a, b, least = (p->radius + q->radius) * (1 + g->gap), n[3], apart = 0;
    const double *x = g->x + 3 * i, *y = g->x + 3 * j;
    for (int k = 0; k < 3; k++)
        apart += (x[k] + x[3 + k] - y[k] - y[3 + k]) * (x[k] + x[3 + k] - y[k] - y[3 + k]) / 4;
    if (apart > g->cell_size * g->cell_size)
        return;
    double d = plait_gen_segment_distance(x, x + 3, y, y + 3, &a, &b);
    if (d >= least)
        return;
    note(g, (least - d) / 2, (p->radius + q->radius) / 2);
    for (int k = 0; k < 3; k++)
        n[k] = x[k] + a * (x[3 + k] - x[k]) - y[k] - b * (y[3 + k] - y[k]);
    if (!(plait_normalise(n) > 0)) {
        double t[3];
        plait_sub(x + 3, x, t);
        plait_normalise(t);
        plait_any_normal(t, n);
    }
    double half = (least - d) / 2 * (p->fixed || q->fixed ? 2 : 1);
    if (!p->fixed)
        give(g, i, 1 - a, half, n), give(g, i + 1, a, half, n);
    if (!q->fixed)
        give(g, j, 1 - b, -half, n), give(g, j + 1, b, -half, n);
}

static void meet_all(groom *g)
{
    sort_pieces(g);
    for (int i = 0; i < g->nodes; i++) {
        if (!is_piece(g, i) || g->chain[g->owner[i]].fixed)
            continue;
        const int *c = g->cell + 3 * i;
        for (int n = 0; n < 27; n++) {
            int at[3] = {c[0] + n % 3 - 1, c[1] + n / 3 % 3 - 1, c[2] + n / 9 - 1};
            unsigned b = bucket(g, at[0], at[1], at[2]);
            for (int s = g->start[b]; s < g->start[b + 1]; s++) {
                int j = g->piece[s];
                const int *e = g->cell + 3 * j;
                bool here = e[0] == at[0] && e[1] == at[1] && e[2] == at[2];
                if (here && (j > i || g->chain[g->owner[j]].fixed))
                    meet(g, i, j);
            }
        }
    }
}

// Nodes and middles of pieces, which may cut a corner.
static void leave_colliders(groom *g)
{
    for (int i = 0; i < g->nodes; i++) {
        const chain *c = &g->chain[g->owner[i]];
        if (c->fixed)
            continue;
        for (int half = 0; half < (is_piece(g, i) ? 2 : 1); half++) {
            double x[3], n[3];
            for (int k = 0; k < 3; k++)
                x[k] = half ? (g->x[3 * i + k] + g->x[3 * (i + 1) + k]) / 2 : g->x[3 * i + k];
            double least = c->radius * (1 + g->gap), d = plait_gen_field_at(g->field, -1, x, n);
            if (d >= least || i == c->first) // where the root is was decided before
                continue;
            note(g, least - d, c->radius);
            give(g, i, half ? 0.5 : 1, least - d, n);
            if (half)
                give(g, i + 1, 0.5, least - d, n);
        }
    }
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
        double pushes = g->weight[c->first + k], most = fmax(2 * c->radius, 1e-3);
        double scale = pushes > 0 ? RELAX / fmin(fmax(pushes, 1), CROWD) : 0, size = scale * plait_norm(push);
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
            plait_axpy(w * weight[j], by + 3 * j, move);
            sum += w * weight[j];
        }
        plait_axpy(1 / sum, move, s->x + 3 * k);
    }
}

static void move_all(groom *g)
{
    for (int i = 0; i < g->count; i++) {
        double *weight = g->by + 3 * g->chain[i].nodes;
        if (!wishes(g, i, g->by, weight))
            continue;
        g->moved[i] = true;
        const double *x = g->x + 3 * (size_t)g->chain[i].first;
        if (!g->curve.curved)
            follow(g, i, g->by, weight);
        else if (plait_gen_curve_jacobian(&g->curve, &g->strand[i], x, g->J, g->work))
            plait_gen_curve_pull(&g->curve, &g->strand[i], g->J, g->by, weight, g->work);
    }
}

static plait_status round_once(groom *g, plait_error *error)
{
    plait_status status = trace_all(g, error);
    if (status != PLAIT_OK)
        return status;
    memset(g->push, 0, 3 * (size_t)g->nodes * sizeof *g->push);
    memset(g->weight, 0, (size_t)g->nodes * sizeof *g->weight);
    g->overlaps = 0;
    g->worst = 0;
    meet_all(g);
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
    size_t n = (size_t)g->nodes + 1, most = 0, strand = 0, work = 0, columns = 0;
    for (g->buckets = 1024; g->buckets < g->nodes;)
        g->buckets *= 2;
    for (int i = 0; i < g->count; i++) {
        size_t room = plait_gen_curve_work(&g->curve, &g->strand[i]), traced = (size_t)g->chain[i].nodes;
        work = room > work ? room : work;
        strand = traced > strand ? traced : strand;
        columns = 3 * (size_t)g->strand[i].nodes > columns ? 3 * (size_t)g->strand[i].nodes : columns;
    }
    most = g->curve.curved ? 3 * strand * columns : 1;
    g->owner = malloc(n * sizeof *g->owner);
    g->x = calloc(3 * n, sizeof *g->x);
    g->push = malloc(3 * n * sizeof *g->push);
    g->weight = malloc(n * sizeof *g->weight);
    g->start = malloc(((size_t)g->buckets + 2) * sizeof *g->start);
    g->piece = malloc(n * sizeof *g->piece);
    g->cell = malloc(3 * n * sizeof *g->cell);
    g->moved = malloc((size_t)g->count * sizeof *g->moved);
    g->J = malloc(most * sizeof *g->J);
    g->by = malloc(4 * strand * sizeof *g->by);
    g->work = malloc(work * sizeof *g->work);
    return g->owner && g->x && g->push && g->weight && g->start && g->piece && g->cell && g->moved && g->J && g->by &&
           g->work;
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
    free(g->chain);
    free(g->owner);
    free(g->x);
    free(g->push);
    free(g->weight);
    free(g->start);
    free(g->piece);
    free(g->cell);
    free(g->moved);
    free(g->J);
    free(g->by);
    free(g->work);
}

plait_status plait_gen_groom(const char *generator, const plait_scene *scene, const plait_gen_style *style,
                             const plait_gen_field *field, int count, plait_gen_strand *strand, double gap, int rounds,
                             plait_error *error)
{
    groom g = {.scene = scene, .style = style, .field = field, .strand = strand, .count = count, .gap = gap};
    plait_status status = plait_gen_curve_new(scene, style, &g.curve, error);
    if (status == PLAIT_OK)
        status = prepare(&g, generator, error);
    if (status == PLAIT_OK)
        status = fit_all(&g, error);
    int left = rounds;
    while (status == PLAIT_OK) {
        status = round_once(&g, error);
        if (status != PLAIT_OK || g.overlaps == 0 || left-- <= 0)
            break;
        move_all(&g);
    }
    if (status == PLAIT_OK && g.overlaps > 0)
        status = plait_error_set(error, PLAIT_BAD_INPUT,
                                 "%s: after %d rounds %d places of %d strands are still too near (the deepest by %.2g "
                                 "contact radii); use a smaller contact radius, fewer strands or more volume",
                                 generator, rounds, g.overlaps, count, g.worst);
    release(&g);
    return status;
}
