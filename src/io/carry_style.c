// carry_style.c: strands of a lock come together, and strands stray. Both are done to the drawn strands, once.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "io/carry.h"
#include "math/vec3.h"

// ---- clumps ------------------------------------------------------------------------------------------------------

// Strands that others gather around: no two of them are nearer at the scalp than a lock is wide. Returns how many.
static int find_centres(const plait_lot *lot, double size, uint64_t seed, int *centre, int *order)
{
    plait_rng rng = plait_rng_new(seed, 77);
    int count = 0;
    for (int i = 0; i < lot->strands; i++)
        order[i] = i;
    for (int i = lot->strands - 1; i > 0; i--) {
        int k = (int)plait_rng_below(&rng, (uint64_t)i + 1), was = order[i];
        order[i] = order[k], order[k] = was;
    }
    for (int i = 0; i < lot->strands; i++) {
        const double *x = lot->x + 3 * (size_t)lot->first[order[i]];
        bool free_place = true;
        for (int k = 0; k < count && free_place; k++) {
            double d[3];
            plait_vec3_sub(x, lot->x + 3 * (size_t)lot->first[centre[k]], d);
            free_place = plait_vec3_dot(d, d) > size * size;
        }
        if (free_place)
            centre[count++] = order[i];
    }
    return count;
}

static int nearest_centre(const plait_lot *lot, int strand, int count, const int *centre)
{
    const double *x = lot->x + 3 * (size_t)lot->first[strand];
    double least = INFINITY;
    int best = strand;
    for (int k = 0; k < count; k++) {
        double d[3];
        plait_vec3_sub(x, lot->x + 3 * (size_t)lot->first[centre[k]], d);
        if (plait_vec3_dot(d, d) < least)
            least = plait_vec3_dot(d, d), best = centre[k];
    }
    return best;
}

// Towards the middle of the lock, at the same distance from the root: not at all there, wholly (clump 1) at the tip.
static void draw_together(const plait_lot *lot, const double *drawn, int strand, int middle, double clump, double *arc)
{
    double length = plait_lot_arc(lot, strand, arc), s = 0;
    int m = lot->first[middle], end = lot->first[middle + 1] - 1;
    const double *p = drawn + 3 * (size_t)m;
    for (int k = lot->first[strand]; k < lot->first[strand + 1] && length > 0; k++) {
        double at = arc[k - lot->first[strand]], part = at / length, piece = 0, d[3] = {0}, to[3];
        for (; m < end; m++, p += 3, s += piece) {
            plait_vec3_sub(p + 3, p, d);
            piece = plait_vec3_norm(d);
            if (at <= s + piece)
                break;
        }
        plait_vec3_copy(p, to);
        if (m < end && piece > 0)
            plait_vec3_axpy((at - s) / piece, d, to);
        double share = clump * part * (2 - part), *x = lot->x + 3 * (size_t)k;
        for (int c = 0; c < 3; c++)
            x[c] += share * (to[c] - x[c]);
    }
}

static bool clump_all(plait_lot *lot, const plait_groom *groom, double *arc)
{
    size_t strands = (size_t)lot->strands, bytes = 3 * (size_t)lot->first[strands] * sizeof *lot->x;
    int *centre = malloc((strands + 1) * sizeof *centre), *order = malloc((strands + 1) * sizeof *order);
    double *drawn = malloc(bytes + 1);
    bool ok = centre && order && drawn;
    if (ok) {
        memcpy(drawn, lot->x, bytes);
        int count = find_centres(lot, groom->clump_size, groom->seed, centre, order);
        for (int i = 0; i < lot->strands; i++) { // roots stay where they are, so they tell the lock at any time
            int middle = nearest_centre(lot, i, count, centre);
            if (middle != i)
                draw_together(lot, drawn, i, middle, groom->clump, arc);
        }
    }
    free(centre), free(order), free(drawn);
    return ok;
}

// ---- frizz -------------------------------------------------------------------------------------------------------

// Two waves of different length in each of two directions across the strand.
static void stray(const plait_lot *lot, int strand, const plait_groom *groom, double *arc)
{
    plait_rng rng = plait_rng_new(groom->seed, 1000 + (uint64_t)strand);
    double length = plait_lot_arc(lot, strand, arc), phase[4], a[3], b[3], t[3];
    int first = lot->first[strand], last = lot->first[strand + 1] - 1;
    double *x = lot->x + 3 * (size_t)first;
    for (int k = 0; k < 4; k++)
        phase[k] = plait_rng_between(&rng, 0, 2 * M_PI);
    double size = groom->frizz * plait_rng_between(&rng, 0.3, 1), k = 2 * M_PI / groom->frizz_length;
    plait_vec3_sub(x + 3 * (size_t)(last - first), x, t);
    if (!(plait_vec3_normalise(t) > 0) || !(length > 0))
        return;
    plait_vec3_any_normal(t, a);
    plait_vec3_cross(t, a, b);
    for (int i = 1; i <= last - first; i++) {
        double s = arc[i], part = s / length;
        double u = 0.6 * plait_sin(k * s + phase[0]) + 0.4 * plait_sin(2.3 * k * s + phase[1]);
        double v = 0.6 * plait_sin(k * s + phase[2]) + 0.4 * plait_sin(1.7 * k * s + phase[3]);
        plait_vec3_axpy(size * part * u, a, x + 3 * (size_t)i);
        plait_vec3_axpy(size * part * v, b, x + 3 * (size_t)i);
    }
}

bool plait_lot_style(plait_lot *lot, const plait_groom *groom)
{
    int longest = 1;
    for (int i = 0; i < lot->strands; i++)
        longest = lot->first[i + 1] - lot->first[i] > longest ? lot->first[i + 1] - lot->first[i] : longest;
    double *arc = malloc((size_t)longest * sizeof *arc);
    bool ok = arc != NULL;
    if (ok && groom->clump > 0)
        ok = clump_all(lot, groom, arc);
    for (int i = 0; ok && i < lot->strands && groom->frizz > 0; i++)
        stray(lot, i, groom, arc);
    free(arc);
    return ok;
}
