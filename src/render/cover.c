// cover.c: hair stays outside of the figure that is drawn.
//
// Strands were simulated against the collider, and rods stand for wisps that are wider than their contact radius. A
// drawn figure has ears and collarbones besides: hair that would go through them is lifted, each strand to a height of
// its own, so that what lies on the skin is a layer and no sheet. Distances come from a grid that is made once.
#include <math.h>
#include <stdlib.h>

#include "math/quat.h"
#include "math/vec3.h"
#include "render/figure.h"

// [m] of a default head: the highest strand that was lifted; a root below what hair slides over; length of strand over
// which what lifted it is felt.
static const double LAYER = 0.0028, DEEP = 0.009, FALL = 0.045;
enum { ROOTED = 4, ROUNDS = 5, SMOOTH = 4 }; // nodes until a strand has left its root; steps outwards; passes

bool plait_cover_make(plait_cover *c, const plait_skin *skin, plait_distance_at at, const void *options, double cell,
                      double margin)
{
    double high[3] = {-INFINITY, -INFINITY, -INFINITY};
    plait_vec3_set(c->low, INFINITY, INFINITY, INFINITY);
    for (int i = 0; i < 3 * skin->points; i++) {
        c->low[i % 3] = fmin(c->low[i % 3], skin->x[i] - margin);
        high[i % 3] = fmax(high[i % 3], skin->x[i] + margin);
    }
    c->cell = cell;
    for (int k = 0; k < 3; k++)
        c->size[k] = 2 + (int)((high[k] - c->low[k]) / cell);
    size_t count = (size_t)c->size[0] * (size_t)c->size[1] * (size_t)c->size[2];
    c->distance = malloc(count * sizeof *c->distance);
    for (size_t i = 0; c->distance && i < count; i++) {
        size_t x = i % (size_t)c->size[0], y = i / (size_t)c->size[0] % (size_t)c->size[1];
        size_t z = i / (size_t)c->size[0] / (size_t)c->size[1];
        double p[3] = {c->low[0] + cell * (double)x, c->low[1] + cell * (double)y, c->low[2] + cell * (double)z};
        c->distance[i] = (float)at(options, p);
    }
    return c->distance != NULL;
}

void plait_cover_free(plait_cover *c)
{
    free(c->distance);
    *c = (plait_cover){0};
}

// The distance at p and its gradient; infinite outside of the grid.
static double look_up(const plait_cover *c, const double p[3], double g[3])
{
    int at[3];
    double f[3], v[8], sum = 0;
    plait_vec3_set(g, 0, 0, 0);
    for (int k = 0; k < 3; k++) {
        double place = (p[k] - c->low[k]) / c->cell;
        if (!(place >= 0) || place >= c->size[k] - 1)
            return INFINITY;
        at[k] = (int)place;
        f[k] = place - at[k];
    }
    for (int i = 0; i < 8; i++) {
        size_t x = (size_t)(at[0] + (i & 1)), y = (size_t)(at[1] + (i >> 1 & 1)), z = (size_t)(at[2] + (i >> 2));
        v[i] = c->distance[(z * (size_t)c->size[1] + y) * (size_t)c->size[0] + x];
    }
    for (int i = 0; i < 8; i++) {
        double w[3], s[3];
        for (int k = 0; k < 3; k++) {
            w[k] = i >> k & 1 ? f[k] : 1 - f[k];
            s[k] = i >> k & 1 ? 1 : -1;
        }
        sum += w[0] * w[1] * w[2] * v[i];
        g[0] += s[0] * w[1] * w[2] * v[i];
        g[1] += w[0] * s[1] * w[2] * v[i];
        g[2] += w[0] * w[1] * s[2] * v[i];
    }
    return plait_vec3_normalise(g) > 0 ? sum : INFINITY;
}

// One point in the world to at least this height over a skin.
static void lift(const plait_cover *c, const double pose[7], double height, double x[3])
{
    double p[3], g[3];
    bool moved = false;
    plait_figure_into(pose, x, p);
    for (int i = 0; i < ROUNDS; i++) {
        double d = look_up(c, p, g);
        if (!(d < height))
            break;
        plait_vec3_axpy(height - d, g, p);
        moved = true;
    }
    if (moved)
        plait_figure_out_of(pose, p, x);
}

// Hair that an ear holds away from the head hangs down from there; it does not go back to the neck at once.
static void hang_on(int points, const float *xyzr, double fall, double *moved)
{
    for (int n = 1; n < points; n++) {
        double d[3], *m = moved + 3 * n, before = plait_vec3_norm(m - 3), now = plait_vec3_norm(m);
        for (int k = 0; k < 3; k++)
            d[k] = xyzr[4 * n + k] - xyzr[4 * (n - 1) + k];
        double left = before * exp(-plait_vec3_norm(d) / fall);
        if (now < left)
            plait_vec3_axpy((left - now) / before, m - 3, m);
    }
}

// The points of a strand, root first. What lifts a point lifts those beside it a little: no kinks.
static void lift_strand(const plait_figure *f, const double *pose, int points, float *xyzr, double layer, double *moved)
{
    for (int round = 0; round < 2; round++) {
        for (int n = 0; n < points; n++) {
            float *at = xyzr + 4 * (size_t)n;
            double old[3] = {at[0], at[1], at[2]}, x[3] = {at[0], at[1], at[2]};
            double height = layer * fmin(1, (double)n / ROOTED);
            lift(&f->over_face, pose + 7 * (size_t)f->head, height, x);
            if (f->shoulders >= 0)
                lift(&f->over_bust, pose + 7 * (size_t)f->shoulders, height + 0.3 * f->over_bust.cell, x);
            plait_vec3_sub(x, old, moved + 3 * n);
        }
        for (int pass = 0; pass < SMOOTH && round == 0; pass++)
            for (int n = 1; n + 1 < points; n++)
                for (int k = 0; k < 3; k++) {
                    double *m = moved + 3 * n + k;
                    *m = 0.5 * *m + 0.25 * (m[-3] + m[3]);
                }
        if (round == 0)
            hang_on(points, xyzr, FALL * f->of_head.width / 0.15, moved);
        for (int n = 0; n < points; n++)
            for (int k = 0; k < 3; k++)
                xyzr[4 * n + k] += (float)moved[3 * n + k];
    }
}

// No hair grows on an ear: a root that deep below what hair slides over would come out of it as a tuft. Such a strand
// goes inwards, where nothing is seen of it; those from above cover the place.
static bool bury_strand(const plait_figure *f, const double *pose, int points, float *xyzr, double deep)
{
    double root[3] = {xyzr[0], xyzr[1], xyzr[2]}, q[3], g[3], inwards[3];
    plait_figure_into(pose + 7 * (size_t)f->head, root, q);
    if (!(look_up(&f->over_face, q, g) < -deep))
        return false;
    plait_vec3_sub(pose + 7 * (size_t)f->head, root, inwards);
    if (!(plait_vec3_normalise(inwards) > 0))
        return false;
    for (int n = 0; n < points; n++)
        for (int k = 0; k < 3; k++)
            xyzr[4 * n + k] = (float)(root[k] + 1e-4 * n * inwards[k]);
    return true;
}

bool plait_figure_lift(const plait_figure *f, plait_strands *s, const double *pose)
{
    int most = 0;
    for (int i = 0; i < s->count; i++)
        most = s->strand[i].segments > most ? s->strand[i].segments : most;
    double *moved = f ? malloc(3 * ((size_t)most + 1) * sizeof *moved) : NULL;
    for (int i = 0; moved && i < s->count; i++) {
        float *root = s->xyzr + 4 * ((size_t)s->strand[i].first + 1);
        double share = 0.1 + 0.9 * plait_hash_unit(plait_hash((uint32_t)i + 515151u));
        double size = f->of_head.width / 0.15;
        int points = s->strand[i].segments + 1;
        if (!bury_strand(f, pose, points, root, DEEP * size))
            lift_strand(f, pose, points, root, share * LAYER * size, moved);
        plait_strands_close(s, i);
    }
    free(moved);
    return !f || moved;
}
