// grid.c: hair as a cloud: how much shadow it casts per volume, and how much light of the sky reaches into it.
//
// Light of the sky at a corner of a cell is the mean over some directions of sky times exp(-(1 - through) depth), depth
// being the number of strands that a ray would cross on its way out (the integral of the density), or nothing where a
// body is in the way.
#include <stdlib.h>

#include "base/parallel.h"
#include "render/render.h"

enum { CELLS = 72, DIRECTIONS = 26 };

void plait_grid_free(plait_grid *g)
{
    free(g->density);
    free(g->sky);
    *g = (plait_grid){0};
}

static bool place_grid(plait_grid *g, const plait_strands *s)
{
    plait_f3 low = f3_grey(INFINITY), high = f3_grey(-INFINITY);
    for (int i = 0; i < s->points; i++) {
        const float *p = s->xyzr + 4 * (size_t)i;
        low = f3(fminf(low.x, p[0]), fminf(low.y, p[1]), fminf(low.z, p[2]));
        high = f3(fmaxf(high.x, p[0]), fmaxf(high.y, p[1]), fmaxf(high.z, p[2]));
    }
    plait_f3 size = f3_sub(high, low);
    g->cell = fmaxf(f3_largest(size) / CELLS, 1e-9f);
    g->low = f3_axpy(-1.5f * g->cell, f3_grey(1), low);
    g->size[0] = (int)(size.x / g->cell) + 5;
    g->size[1] = (int)(size.y / g->cell) + 5;
    g->size[2] = (int)(size.z / g->cell) + 5;
    size_t nodes = (size_t)g->size[0] * (size_t)g->size[1] * (size_t)g->size[2];
    g->density = calloc(nodes, sizeof *g->density);
    g->sky = calloc(nodes, sizeof *g->sky);
    return g->density && g->sky;
}

// The corner below a point, the place between corners; false outside.
static bool locate(const plait_grid *g, plait_f3 p, int *corner, float f[3])
{
    float at[3] = {(p.x - g->low.x) / g->cell, (p.y - g->low.y) / g->cell, (p.z - g->low.z) / g->cell};
    int k[3];
    for (int i = 0; i < 3; i++) {
        if (!(at[i] >= 0) || at[i] >= (float)(g->size[i] - 1))
            return false;
        k[i] = (int)at[i];
        f[i] = at[i] - (float)k[i];
    }
    *corner = (k[2] * g->size[1] + k[1]) * g->size[0] + k[0];
    return true;
}

static int corner_step(const plait_grid *g, int i)
{
    return (i & 1) + (i >> 1 & 1) * g->size[0] + (i >> 2) * g->size[0] * g->size[1];
}

static float corner_weight(const float f[3], int i)
{
    return (i & 1 ? f[0] : 1 - f[0]) * (i & 2 ? f[1] : 1 - f[1]) * (i & 4 ? f[2] : 1 - f[2]);
}

static void splat(plait_grid *g, plait_f3 at, float amount)
{
    int corner;
    float f[3];
    if (!locate(g, at, &corner, f))
        return;
    for (int i = 0; i < 8; i++)
        g->density[corner + corner_step(g, i)] += amount * corner_weight(f, i);
}

static void add_density(plait_grid *g, const plait_strands *s)
{
    float volume = g->cell * g->cell * g->cell;
    for (int k = 0; k < s->segments; k++) {
        const float *p = s->xyzr + 4 * (size_t)(s->index[k] + 1);
        plait_f3 a = f3(p[0], p[1], p[2]), d = f3_sub(f3(p[4], p[5], p[6]), a);
        float length = f3_norm(d), area = 0.785398f * length * (p[3] + p[7]);
        int pieces = (int)(length / g->cell) + 1;
        pieces = pieces > 1000 ? 1000 : pieces;
        for (int i = 0; i < pieces; i++)
            splat(g, f3_axpy(((float)i + 0.5f) / (float)pieces, d, a), area / ((float)pieces * volume));
    }
}

// ---- light of the sky ----------------------------------------------------------------------------------------------

typedef struct sky_work {
    plait_grid *grid;
    const plait_tracer *tracer;
    plait_f3 loss; // share of light that a strand takes
    plait_f3 direction[DIRECTIONS], light[DIRECTIONS];
} sky_work;

static float depth_along(const plait_grid *g, plait_f3 from, plait_f3 direction)
{
    float depth = 0;
    plait_f3 p = f3_axpy(g->cell, direction, from);
    while (depth < 30) {
        int corner;
        float f[3];
        if (!locate(g, p, &corner, f))
            break;
        int nearest = (f[0] > 0.5f) + 2 * (f[1] > 0.5f) + 4 * (f[2] > 0.5f);
        depth += g->density[corner + corner_step(g, nearest)] * g->cell;
        p = f3_axpy(g->cell, direction, p);
    }
    return depth;
}

static void light_nodes(int64_t begin, int64_t end, void *data)
{
    const sky_work *w = data;
    plait_grid *g = w->grid;
    for (int64_t n = begin; n < end; n++) {
        if (!(g->density[n] > 0))
            continue;
        int64_t x = n % g->size[0], y = n / g->size[0] % g->size[1], z = n / ((int64_t)g->size[0] * g->size[1]);
        plait_f3 p = f3_axpy(g->cell, f3((float)x, (float)y, (float)z), g->low), sum = {0};
        for (int k = 0; k < DIRECTIONS; k++) {
            if (plait_tracer_solid(w->tracer, p, w->direction[k], 0))
                continue;
            float depth = depth_along(g, p, w->direction[k]);
            plait_f3 T = f3(expf(-depth * w->loss.x), expf(-depth * w->loss.y), expf(-depth * w->loss.z));
            sum = f3_add(sum, f3_mul(T, w->light[k]));
        }
        g->sky[n] = f3_scale(1.0f / DIRECTIONS, sum);
    }
}

bool plait_grid_build(plait_grid *g, const plait_strands *strands, plait_f3 through, const plait_tracer *tracer,
                      const plait_lights *lights, plait_team team)
{
    *g = (plait_grid){0};
    if (!place_grid(g, strands)) {
        plait_grid_free(g);
        return false;
    }
    add_density(g, strands);
    sky_work w = {.grid = g, .tracer = tracer, .loss = f3_sub(f3_grey(1), through)};
    for (int k = 0; k < DIRECTIONS; k++) {
        // A spiral of equal areas.
        float z = 1 - (2 * (float)k + 1) / DIRECTIONS, r = sqrtf(1 - z * z), phi = 2.3999632f * (float)k;
        w.direction[k] = f3(r * cosf(phi), r * sinf(phi), z);
        w.light[k] = plait_lights_sky(lights, w.direction[k]);
    }
    plait_parallel_for((int64_t)g->size[0] * g->size[1] * g->size[2], team, light_nodes, &w);
    return true;
}

plait_f3 plait_grid_sky(const plait_grid *g, plait_f3 at)
{
    int corner;
    float f[3], all = 0;
    plait_f3 sum = {0};
    if (!locate(g, at, &corner, f))
        return sum;
    for (int i = 0; i < 8; i++) {
        int k = corner + corner_step(g, i);
        float weight = g->density[k] > 0 ? corner_weight(f, i) : 0;
        sum = f3_axpy(weight, g->sky[k], sum);
        all += weight;
    }
    return all > 0 ? f3_scale(1 / all, sum) : sum;
}
