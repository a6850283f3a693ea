// carry_source.c: the strands of a group: those of its file, or its fibres; fewer of them, or more between them.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "io/carry.h"
#include "math/vec3.h"
#include "scene/scene.h"

void plait_lot_free(plait_lot *lot)
{
    free(lot->first), free(lot->id), free(lot->x), free(lot->colour);
    *lot = (plait_lot){0};
}

double plait_lot_arc(const plait_lot *lot, int i, double *arc)
{
    double length = 0;
    for (int k = lot->first[i]; k < lot->first[i + 1]; k++) {
        double d[3] = {0};
        if (k > lot->first[i])
            plait_vec3_sub(lot->x + 3 * (size_t)k, lot->x + 3 * (size_t)k - 3, d);
        length += plait_vec3_norm(d);
        if (arc)
            arc[k - lot->first[i]] = length;
    }
    return length;
}

static bool room(plait_lot *lot, int strands, int64_t points)
{
    if (points > INT32_MAX / 4)
        return false;
    lot->strands = strands;
    lot->first = calloc((size_t)strands + 1, sizeof *lot->first);
    lot->id = malloc(((size_t)strands + 1) * sizeof *lot->id);
    lot->x = malloc((3 * (size_t)points + 1) * sizeof *lot->x);
    return lot->first && lot->id && lot->x;
}

// ---- what there is -----------------------------------------------------------------------------------------------

// Strands of a file that have a length.
static bool from_file(const plait_hair *hair, plait_lot *lot)
{
    if (!room(lot, hair->strands, hair->first[hair->strands]))
        return false;
    lot->strands = 0;
    lot->colour = hair->colour ? malloc((3 * (size_t)hair->strands + 1) * sizeof *lot->colour) : NULL;
    if (hair->colour && !lot->colour)
        return false;
    lot->width = hair->thickness > 0 && hair->thickness < 1e-3 ? hair->thickness : 0;
    for (int i = 0; i < hair->strands; i++) {
        int points = hair->first[i + 1] - hair->first[i], k = lot->strands, at = lot->first[k];
        if (points < 2)
            continue;
        memcpy(lot->x + 3 * (size_t)at, hair->point + 3 * (size_t)hair->first[i], 3 * (size_t)points * sizeof *lot->x);
        if (lot->colour) // that of its root
            memcpy(lot->colour + 3 * (size_t)k, hair->colour + 3 * (size_t)hair->first[i], 3 * sizeof *lot->colour);
        lot->id[k] = i;
        lot->first[++lot->strands] = at + points;
    }
    return true;
}

static bool from_fibres(const plait_carry *c, int group, plait_lot *lot)
{
    const plait_trajectory_info *info = c->from;
    if (!room(lot, info->fibres, info->nodes))
        return false;
    lot->strands = 0;
    for (int f = 0; f < info->fibres; f++) {
        int points = info->first[f + 1] - info->first[f], k = lot->strands, at = lot->first[k];
        if (info->group[f] != group)
            continue;
        memcpy(lot->x + 3 * (size_t)at, c->rest->position + 3 * (size_t)info->first[f],
               3 * (size_t)points * sizeof *lot->x);
        lot->id[k] = k;
        lot->first[++lot->strands] = at + points;
    }
    return true;
}

// ---- fewer, more -------------------------------------------------------------------------------------------------

// Evenly through the list.
static void thin_out(plait_lot *lot, int wanted)
{
    int at = 0;
    for (int i = 0; i < wanted; i++) {
        int from = (int)((int64_t)i * lot->strands / wanted), points = lot->first[from + 1] - lot->first[from];
        memmove(lot->x + 3 * (size_t)at, lot->x + 3 * (size_t)lot->first[from], 3 * (size_t)points * sizeof *lot->x);
        lot->id[i] = lot->id[from];
        if (lot->colour)
            memmove(lot->colour + 3 * (size_t)i, lot->colour + 3 * (size_t)from, 3 * sizeof *lot->colour);
        lot->first[i] = at; // i <= from: nothing that is still needed is written over
        at += points;
    }
    lot->first[wanted] = at;
    lot->strands = wanted;
}

enum { AROUND = 6 };
// Strands rooted nearest to strand i, through a grid of cells: the nearest that are found in the cells around.
typedef struct cells {
    int size[3];
    double low[3], cell;
    int *first, *item;
} cells;

static int cell_of(const cells *g, const double x[3], int at[3])
{
    for (int k = 0; k < 3; k++) {
        at[k] = (int)((x[k] - g->low[k]) / g->cell);
        at[k] = at[k] < 0 ? 0 : at[k] >= g->size[k] ? g->size[k] - 1 : at[k];
    }
    return (at[2] * g->size[1] + at[1]) * g->size[0] + at[0];
}

// About two roots in a cell that has any: roots are on a surface.
static bool cells_make(cells *g, const plait_lot *lot)
{
    double high[3] = {-INFINITY, -INFINITY, -INFINITY}, most = 0;
    g->low[0] = g->low[1] = g->low[2] = INFINITY;
    int at[3];
    for (int i = 0; i < lot->strands; i++)
        for (int k = 0; k < 3; k++) {
            double x = lot->x[3 * (size_t)lot->first[i] + (size_t)k];
            g->low[k] = fmin(g->low[k], x), high[k] = fmax(high[k], x);
        }
    for (int k = 0; k < 3; k++)
        most = fmax(most, high[k] - g->low[k]);
    g->cell = fmax(most, 1e-9) * fmax(1.0 / 100, sqrt(2.0 / lot->strands));
    for (int k = 0; k < 3; k++)
        g->size[k] = 1 + (int)((high[k] - g->low[k]) / g->cell);
    size_t count = (size_t)g->size[0] * (size_t)g->size[1] * (size_t)g->size[2];
    g->first = calloc(count + 2, sizeof *g->first), g->item = malloc((size_t)lot->strands * sizeof *g->item);
    if (!g->first || !g->item)
        return false;
    for (int i = 0; i < lot->strands; i++)
        g->first[cell_of(g, lot->x + 3 * (size_t)lot->first[i], at) + 2]++;
    for (size_t k = 2; k < count + 2; k++)
        g->first[k] += g->first[k - 1];
    for (int i = 0; i < lot->strands; i++)
        g->item[g->first[cell_of(g, lot->x + 3 * (size_t)lot->first[i], at) + 1]++] = i;
    return true;
}

static int around(const cells *g, const plait_lot *lot, int i, int found[AROUND])
{
    double far[AROUND];
    int at[3], count = 0;
    const double *x = lot->x + 3 * (size_t)lot->first[i];
    cell_of(g, x, at);
    for (int n = 0; n < 27; n++) {
        int p[3] = {at[0] + n % 3 - 1, at[1] + n / 3 % 3 - 1, at[2] + n / 9 - 1};
        if (p[0] < 0 || p[1] < 0 || p[2] < 0 || p[0] >= g->size[0] || p[1] >= g->size[1] || p[2] >= g->size[2])
            continue;
        int cell = (p[2] * g->size[1] + p[1]) * g->size[0] + p[0];
        for (int m = g->first[cell]; m < g->first[cell + 1]; m++) {
            double d[3];
            plait_vec3_sub(lot->x + 3 * (size_t)lot->first[g->item[m]], x, d);
            double square = plait_vec3_dot(d, d);
            if (g->item[m] == i || (count == AROUND && square >= far[AROUND - 1]))
                continue;
            int k = count < AROUND ? count++ : AROUND - 1;
            for (; k > 0 && far[k - 1] > square; k--)
                far[k] = far[k - 1], found[k] = found[k - 1];
            far[k] = square, found[k] = g->item[m];
        }
    }
    return count;
}

// A place of strand i, as far along it as `part` of its points.
static void place(const plait_lot *lot, int i, double part, double x[3])
{
    int last = lot->first[i + 1] - lot->first[i] - 1, k = (int)(part * last);
    k = k < 0 ? 0 : k > last - 1 ? last - 1 : k;
    const double *p = lot->x + 3 * (size_t)(lot->first[i] + k);
    for (int c = 0; c < 3; c++)
        x[c] = p[c] + (part * last - k) * (p[3 + c] - p[c]);
}

// The mean of a strand and two of those around it that run like it, by random weights: its root is between theirs.
static void lay_between(const plait_lot *lot, const cells *g, int i, plait_rng *rng, double *x)
{
    int found[AROUND], count = around(g, lot, i, found), one = i, two = i;
    double a = plait_rng_uniform(rng), b = plait_rng_uniform(rng);
    uint64_t p = plait_rng_next(rng), q = plait_rng_next(rng);
    double tip[3], length = plait_lot_arc(lot, i, NULL);
    int like = 0;
    place(lot, i, 1, tip);
    for (int k = 0; k < count; k++) { // those whose tips are elsewhere belong to another lock
        double other[3], d[3];
        place(lot, found[k], 1, other);
        plait_vec3_sub(tip, other, d);
        if (plait_vec3_norm(d) < 0.3 * length)
            found[like++] = found[k];
    }
    if (like > 0)
        one = found[p % (uint64_t)like], two = found[q % (uint64_t)like];
    if (a + b > 1)
        a = 1 - a, b = 1 - b;
    for (int k = lot->first[i], last = lot->first[i + 1] - 1; k <= last; k++, x += 3) {
        double u[3], v[3], part = (double)(k - lot->first[i]) / (last - lot->first[i]);
        place(lot, one, part, u), place(lot, two, part, v);
        for (int c = 0; c < 3; c++)
            x[c] = (1 - a - b) * lot->x[3 * (size_t)k + (size_t)c] + a * u[c] + b * v[c];
    }
}

static bool thicken(plait_lot *lot, int wanted, uint64_t seed)
{
    plait_lot more = {.width = lot->width};
    cells g = {0};
    int64_t points = 0, last = 0;
    for (int i = 0; i < wanted; i++)
        points += lot->first[i % lot->strands + 1] - lot->first[i % lot->strands];
    for (int i = 0; i < lot->strands; i++)
        last = lot->id[i] > last ? lot->id[i] : last;
    more.colour = lot->colour ? malloc((3 * (size_t)wanted + 1) * sizeof *more.colour) : NULL;
    bool ok = room(&more, wanted, points) && (more.colour || !lot->colour) && cells_make(&g, lot);
    for (int i = 0; i < wanted && ok; i++) {
        int from = i % lot->strands, count = lot->first[from + 1] - lot->first[from];
        double *x = more.x + 3 * (size_t)more.first[i];
        plait_rng rng = plait_rng_new(seed, (uint64_t)i);
        if (i < lot->strands)
            memcpy(x, lot->x + 3 * (size_t)lot->first[from], 3 * (size_t)count * sizeof *x);
        else
            lay_between(lot, &g, from, &rng, x);
        more.id[i] = i < lot->strands ? lot->id[i] : (int)(last + 1 + i - lot->strands);
        more.first[i + 1] = more.first[i] + count;
        if (more.colour)
            memcpy(more.colour + 3 * (size_t)i, lot->colour + 3 * (size_t)from, 3 * sizeof *more.colour);
    }
    free(g.first), free(g.item);
    if (!ok) {
        plait_lot_free(&more);
        return false;
    }
    plait_lot_free(lot);
    *lot = more;
    return true;
}

plait_status plait_lot_make(const plait_carry *c, const plait_scene *scene, int group, int wanted, plait_lot *lot,
                            plait_error *error)
{
    const plait_groom *groom = &scene->groom[group];
    plait_hair *hair = NULL;
    *lot = (plait_lot){0};
    if (groom->path && !(hair = plait_groom_read(groom, error)))
        return error && error->status != PLAIT_OK ? error->status : PLAIT_BAD_FILE;
    bool ok = hair ? from_file(hair, lot) : from_fibres(c, group, lot);
    plait_hair_free(hair);
    if (wanted == 0)
        wanted = groom->strands;
    if (ok && lot->strands > 0 && wanted > 0 && wanted < lot->strands)
        thin_out(lot, wanted);
    else if (ok && lot->strands > 0 && wanted > lot->strands)
        ok = thicken(lot, wanted, groom->seed);
    ok = ok && plait_lot_style(lot, groom);
    if (!ok)
        plait_lot_free(lot);
    return ok ? PLAIT_OK
              : plait_error_set(error, PLAIT_NO_MEMORY, "no memory for the strands of '%s'", scene->group[group]);
}
