// carry_guides.c: what carries a strand: its place on the skin, and guides by weights.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/parallel.h"
#include "file/curves.h"
#include "io/carry.h"
#include "math/vec3.h"

// ---- on what roots sit ---------------------------------------------------------------------------------------------

static plait_pose pose_of(const double p[7])
{
    plait_pose pose;
    memcpy(pose.x, p, sizeof pose.x), memcpy(pose.q, p + 3, sizeof pose.q);
    return pose;
}

plait_shape_geometry plait_carry_geometry(const plait_carry *c, plait_carrier carrier,
                                          const plait_trajectory_frame *frame)
{
    plait_shape_geometry g = {.start = {.q = {0, 0, 0, 1}}, .end = {.q = {0, 0, 0, 1}}};
    int i = carrier.index;
    if (carrier.kind == PLAIT_CARRIER_SOFT) {
        g.shape = &c->from->soft[i].shape;
        g.point0 = c->rest->soft[i], g.point1 = frame->soft[i];
    } else {
        bool moves = c->from->collider[i].animated;
        g.shape = &c->from->collider[i].shape;
        g.start = pose_of(c->rest->collider_pose + 7 * (size_t)i);
        g.end = pose_of(frame->collider_pose + 7 * (size_t)i);
        g.point0 = moves ? c->rest->vertex[i] : g.shape->point;
        g.point1 = moves ? frame->vertex[i] : g.shape->point;
    }
    return g;
}

static bool has_cells(const plait_carry *c, const plait_scene *scene, int fibre)
{
    plait_carrier carrier = c->carrier[fibre];
    return carrier.kind == PLAIT_CARRIER_SOFT ||
           (carrier.kind == PLAIT_CARRIER_COLLIDER && c->from->collider[carrier.index].shape.triangles > 0 &&
            scene->fibre[fibre].bind[0] != PLAIT_BIND_BODY);
}

static plait_status no_memory(const plait_carry *c, plait_error *error)
{
    return plait_error_set(error, PLAIT_NO_MEMORY, "no memory to carry the strands of %d fibres", c->from->fibres);
}

static void root_of(const plait_carry *c, int fibre, double t[3], double n[3])
{
    int a = c->from->first[fibre], b = c->from->first[fibre + 1];
    const double *x = c->rest->position;
    plait_curve_leaves(b - a, x + 3 * (size_t)a, t);
    plait_vec3_any_normal(t, n);
}

plait_status plait_carry_guides(plait_carry *c, const plait_scene *scene, plait_error *error)
{
    plait_binder binder = {0};
    plait_carrier bound = {0};
    bool ok = true;
    for (int f = 0; f < c->from->fibres && ok; f++) {
        const plait_fibre *fibre = &scene->fibre[f];
        int a = c->from->first[f], b = c->from->first[f + 1];
        const double *x = c->rest->position + 3 * (size_t)a;
        double t[3], n[3];
        plait_carrier *on = &c->carrier[f];
        if (fibre->soft[0] > 0)
            *on = (plait_carrier){PLAIT_CARRIER_SOFT, fibre->soft[0] - 1};
        else if (fibre->attach[0] >= 0)
            *on = (plait_carrier){PLAIT_CARRIER_COLLIDER, fibre->attach[0]};
        root_of(c, f, t, n);
        for (int k = a; k < b; k++) {
            double d[3] = {0};
            if (k > a)
                plait_vec3_sub(x + 3 * (size_t)(k - a), x + 3 * (size_t)(k - a) - 3, d);
            c->arc[k] = (k > a ? c->arc[k - 1] : 0) + plait_vec3_norm(d);
        }
        plait_anchor *root = &c->guide_root[f];
        plait_vec3_copy(t, root->tangent), plait_vec3_copy(n, root->director);
        if (on->kind == PLAIT_CARRIER_NONE || a == b)
            continue;
        plait_shape_geometry g = plait_carry_geometry(c, *on, c->rest);
        plait_cell cell;
        bool cells = has_cells(c, scene, f);
        if (cells && (bound.kind != on->kind || bound.index != on->index)) {
            ok = plait_binder_set(&binder, &g);
            bound = *on;
        }
        if (ok && cells)
            cell = plait_binder_nearest(&binder, &g, x);
        if (ok)
            plait_anchor_set(root, &g, cells ? &cell : NULL, x, t, n);
    }
    plait_binder_free(&binder);
    return ok ? PLAIT_OK : no_memory(c, error);
}

// ---- roots of strands --------------------------------------------------------------------------------------------

// Where a root is on its skin, if that tells no coordinates: longitude and latitude about the middle of all roots' box.
static void round_uv(const plait_carry *c, int begin, int end)
{
    double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
    for (int i = begin; i < end; i++)
        for (int k = 0; k < 3; k++) {
            double x = c->x0[3 * (size_t)c->first[i] + (size_t)k];
            low[k] = fmin(low[k], x), high[k] = fmax(high[k], x);
        }
    for (int i = begin; i < end; i++) {
        const double *x = c->x0 + 3 * (size_t)c->first[i];
        double d[3] = {x[0] - (low[0] + high[0]) / 2, x[1] - (low[1] + high[1]) / 2, x[2] - low[2]};
        if (!(plait_vec3_normalise(d) > 0))
            plait_vec3_set(d, 0, 0, 1);
        c->root_uv[2 * (size_t)i] = (float)(0.5 + plait_atan2(d[0], -d[1]) / (2 * M_PI));
        c->root_uv[2 * (size_t)i + 1] = (float)(0.5 + plait_atan2(d[2], sqrt(d[0] * d[0] + d[1] * d[1])) / M_PI);
    }
}

plait_status plait_carry_bind(plait_carry *c, const plait_scene *scene, int group, bool project, int begin, int end,
                              plait_error *error)
{
    int fibre = 0;
    while (fibre < c->from->fibres && c->from->group[fibre] != group)
        fibre++;
    round_uv(c, begin, end);
    if (fibre == c->from->fibres || c->carrier[fibre].kind == PLAIT_CARRIER_NONE)
        return PLAIT_OK;
    plait_shape_geometry g = plait_carry_geometry(c, c->carrier[fibre], c->rest);
    bool cells = has_cells(c, scene, fibre);
    plait_binder binder = {0};
    if (cells && !plait_binder_set(&binder, &g)) {
        plait_binder_free(&binder);
        return no_memory(c, error);
    }
    for (int i = begin; i < end; i++) {
        double *x = c->x0 + 3 * (size_t)c->first[i], t[3] = {0, 0, 1}, n[3] = {1, 0, 0};
        plait_cell cell = {.triangle = -1};
        plait_anchor *root = &c->root[i];
        if (cells)
            cell = plait_binder_nearest(&binder, &g, x);
        plait_anchor_set(root, &g, cells ? &cell : NULL, x, t, n);
        if (!cells || !project)
            continue;
        // the strand goes where its root is on the skin
        double to[3], move[3];
        plait_vec3_set(root->position, 0, 0, 0);
        plait_anchor_at(root, &g, to, t, n);
        plait_vec3_sub(to, x, move);
        for (int k = c->first[i]; k < c->first[i + 1]; k++)
            plait_vec3_axpy(1, move, c->x0 + 3 * (size_t)k);
    }
    plait_binder_free(&binder);
    return cells ? plait_carry_uv(c, &scene->groom[group], g.shape, begin, end, error) : PLAIT_OK;
}

// ---- guides by weights -------------------------------------------------------------------------------------------

enum { NEAR = 24, PROBES = 6 }; // guides looked at for a strand, places along it

typedef struct search {
    plait_carry *carry;
    const plait_groom *groom;
    int begin, guides;
    const int *guide; // fibres of the group
} search;

void plait_carry_point_at(const double *x, int points, double s, double out[3])
{
    plait_vec3_copy(x, out);
    for (int k = 1; k < points; k++) {
        double d[3];
        plait_vec3_sub(x + 3 * (size_t)k, x + 3 * (size_t)k - 3, d);
        double piece = plait_vec3_norm(d), f = piece > 0 ? fmin(1, s / piece) : 1;
        plait_vec3_copy(x + 3 * (size_t)k - 3, out);
        plait_vec3_axpy(f, d, out);
        if (s <= piece)
            return;
        s -= piece;
    }
}

// [m] How far two curves run from each other, over the way that both go: the mean difference of their offsets from
// their roots.
static double unlike(const double *x, int points, double length, const double *y, int others, double other)
{
    double way = fmin(length, other), sum = 0;
    for (int k = 1; k <= PROBES; k++) {
        double p[3], q[3];
        plait_carry_point_at(x, points, way * k / PROBES, p), plait_carry_point_at(y, others, way * k / PROBES, q);
        for (int i = 0; i < 3; i++)
            p[i] = p[i] - x[i] - q[i] + y[i];
        sum += plait_vec3_norm(p);
    }
    return sum / PROBES;
}

// The nearest guides by their roots, ascending; returns how many.
static int nearest(const search *s, const double *x, int guide[NEAR], double far[NEAR])
{
    const plait_carry *c = s->carry;
    int count = 0;
    for (int g = 0; g < s->guides; g++) {
        double d[3];
        plait_vec3_sub(x, c->rest->position + 3 * (size_t)c->from->first[s->guide[g]], d);
        double square = plait_vec3_dot(d, d);
        if (count == NEAR && !(square < far[NEAR - 1]))
            continue;
        int k = count < NEAR ? count++ : NEAR - 1;
        for (; k > 0 && far[k - 1] > square; k--)
            far[k] = far[k - 1], guide[k] = guide[k - 1];
        far[k] = square, guide[k] = s->guide[g];
    }
    for (int k = 0; k < count; k++)
        far[k] = sqrt(far[k]);
    return count;
}

// Weights fall to zero at the first guide that does not count any more, so that strands side by side move alike; a
// guide at the same root has all of it. A guide that runs elsewhere counts as one that is as much farther away: at a
// parting or at the crown the next roots may belong to guides that go down the other side, and a strand that follows
// these turns about a curve far from its own, off the head.
static void choose_one(const search *s, int strand)
{
    plait_carry *c = s->carry;
    int a = c->first[strand], points = c->first[strand + 1] - a, all = c->strands.guides, guide[NEAR];
    const double *x = c->x0 + 3 * (size_t)a;
    double far[NEAR], length = 0, sum = 0;
    int count = nearest(s, x, guide, far), use = s->groom->guides < count ? s->groom->guides : count;
    for (int k = 1; k < points; k++) {
        double d[3];
        plait_vec3_sub(x + 3 * (size_t)k, x + 3 * (size_t)k - 3, d);
        length += plait_vec3_norm(d);
    }
    for (int k = 0; k < count; k++) {
        int first = c->from->first[guide[k]], last = c->from->first[guide[k] + 1] - 1;
        const double *y = c->rest->position + 3 * (size_t)first;
        far[k] += 1e-9 + unlike(x, points, length, y, last - first + 1, c->arc[last]);
    }
    for (int i = 1; i < count; i++)
        for (int k = i; k > 0 && far[k - 1] > far[k]; k--) {
            double f = far[k];
            int g = guide[k];
            far[k] = far[k - 1], far[k - 1] = f, guide[k] = guide[k - 1], guide[k - 1] = g;
        }
    double reach = use < count ? far[use] : 2 * far[count - 1];
    int *to = c->guide + (size_t)all * (size_t)strand;
    float *weight = c->weight + (size_t)all * (size_t)strand;
    double w[PLAIT_CARRY_GUIDES];
    for (int k = 0; k < use; k++) {
        double part = fmax(0, reach - far[k]) / (reach * far[k]);
        w[k] = part * part;
        sum += w[k];
    }
    for (int k = 0; k < all; k++) {
        to[k] = k < use ? guide[k] : -1;
        weight[k] = k < use ? (float)(sum > 0 ? w[k] / sum : 1.0 / use) : 0;
    }
}

static void choose_some(int64_t begin, int64_t end, void *data)
{
    const search *s = data;
    for (int64_t i = begin; i < end; i++)
        choose_one(s, s->begin + (int)i);
}

bool plait_carry_choose(plait_carry *c, const plait_groom *groom, int group, int begin, int end)
{
    int *guide = malloc(((size_t)c->from->fibres + 1) * sizeof *guide), guides = 0;
    if (!guide)
        return false;
    for (int f = 0; f < c->from->fibres; f++)
        if (c->from->group[f] == group && c->from->first[f + 1] > c->from->first[f])
            guide[guides++] = f;
    search s = {c, groom, begin, guides, guide};
    if (guides > 0)
        plait_parallel_for(end - begin, c->team, choose_some, &s);
    free(guide);
    return guides > 0;
}
