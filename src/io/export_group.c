// export_group.c: the fibres of one group as flat arrays, for formats that keep curves that way.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "io/export.h"

void plait_export_group_free(plait_export_group *g)
{
    free(g->fibre);
    free(g->nodes);
    free(g->vector);
    *g = (plait_export_group){0};
}

plait_status plait_export_group_make(plait_exporter *e, int group, plait_export_group *g)
{
    const plait_trajectory_info *info = e->info;
    *g = (plait_export_group){0};
    for (int f = 0; f < info->fibres; f++)
        if (info->group[f] == group && plait_export_shows(info, f))
            g->fibres++, g->points += info->first[f + 1] - info->first[f];
    g->fibre = malloc(((size_t)g->fibres + 1) * sizeof *g->fibre);
    g->nodes = malloc(((size_t)g->fibres + 1) * sizeof *g->nodes);
    g->vector = malloc((3 * (size_t)g->points + 1) * sizeof *g->vector);
    if (!g->fibre || !g->nodes || !g->vector) {
        plait_export_group_free(g);
        return plait_error_set(e->error, PLAIT_NO_MEMORY, "%s: not enough memory", e->name);
    }
    int n = 0;
    for (int f = 0; f < info->fibres; f++)
        if (info->group[f] == group && plait_export_shows(info, f)) {
            g->nodes[n] = info->first[f + 1] - info->first[f];
            g->fibre[n++] = f;
        }
    return PLAIT_OK;
}

const float *plait_export_group_vectors(const plait_exporter *e, plait_export_group *g, const double *x)
{
    float *to = g->vector;
    for (int n = 0; n < g->fibres; n++) {
        const double *from = x + 3 * (size_t)e->info->first[g->fibre[n]];
        for (int i = 0; i < 3 * g->nodes[n]; i++)
            *to++ = (float)from[i];
    }
    return g->vector;
}

const float *plait_export_group_nodes(const plait_exporter *e, plait_export_group *g, const float *x, int each)
{
    float *to = g->vector;
    for (int n = 0; n < g->fibres; n++) {
        size_t count = (size_t)each * (size_t)g->nodes[n];
        memcpy(to, x + (size_t)each * (size_t)e->info->first[g->fibre[n]], count * sizeof *to);
        to += count;
    }
    return g->vector;
}

const float *plait_export_group_pairs(plait_export_group *g, const float *x)
{
    for (int n = 0; n < g->fibres; n++)
        memcpy(g->vector + 2 * n, x + 2 * (size_t)g->fibre[n], 2 * sizeof *x);
    return g->vector;
}

int32_t *plait_export_group_numbers(const plait_export_group *g, const int *list)
{
    int32_t *values = malloc(((size_t)g->fibres + 1) * sizeof *values);
    for (int n = 0; values && n < g->fibres; n++)
        values[n] = list ? list[g->fibre[n]] : g->fibre[n];
    return values;
}

static const float *find_widths(const plait_exporter *e, plait_export_group *g, plait_export_spread *spread)
{
    const double *radius = e->info->radius;
    *spread = PLAIT_SPREAD_NODES;
    if (e->strands.width)
        return plait_export_group_nodes(e, g, e->strands.width, 1);
    bool same = true;
    for (int n = 0; n < g->fibres; n++) {
        g->vector[n] = (float)(2 * radius[g->fibre[n]]);
        same = same && radius[g->fibre[n]] == radius[g->fibre[0]];
    }
    *spread = same ? PLAIT_SPREAD_ALL : PLAIT_SPREAD_STRANDS;
    return same && !(g->fibres > 0 && g->vector[0] > 0) ? NULL : g->vector;
}

const float *plait_export_group_widths(const plait_exporter *e, plait_export_group *g, plait_export_spread *spread,
                                       size_t *count, double *widest)
{
    const float *width = find_widths(e, g, spread);
    const int of[] = {[PLAIT_SPREAD_ALL] = 1, [PLAIT_SPREAD_STRANDS] = g->fibres, [PLAIT_SPREAD_NODES] = g->points};
    *count = (size_t)of[*spread];
    *widest = 0;
    for (size_t i = 0; width && i < *count; i++)
        *widest = fmax(*widest, (double)width[i]);
    return width;
}

void plait_export_box_of(int points, const double *x, float *narrow, double box[6])
{
    for (int c = 0; c < 6; c++)
        box[c] = 0;
    for (int i = 0; i < 3 * points; i++) {
        int c = i % 3;
        narrow[i] = (float)x[i];
        box[c] = i < 3 || x[i] < box[c] ? x[i] : box[c];
        box[3 + c] = i < 3 || x[i] > box[3 + c] ? x[i] : box[3 + c];
    }
}

void plait_export_group_box(const plait_export_group *g, double widest, double box[6])
{
    for (int c = 0; c < 6; c++)
        box[c] = 0;
    for (int i = 0; i < 3 * g->points; i++) {
        double x = (double)g->vector[i];
        int c = i % 3;
        box[c] = i < 3 || x < box[c] ? x : box[c];
        box[3 + c] = i < 3 || x > box[3 + c] ? x : box[3 + c];
    }
    for (int c = 0; c < 3; c++)
        box[c] -= 0.5 * widest, box[3 + c] += 0.5 * widest;
}
