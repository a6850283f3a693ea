// air.c: the wind from place to place.
//
// Eddies are a sum of waves, each across its own direction, so that no air is lost (Kraichnan 1970): sizes around the
// one that is asked for, carried along by the wind. Shelter: fibres are counted in a grid of cells; what the wind has
// passed before it comes to a cell takes a share of it.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/elementary.h"
#include "base/rng.h"
#include "math/vec3.h"
#include "sim/cell.h"

enum { CELLS = 24 }; // along the longest side of the box around all fibres

static void set_waves(plait_air *a, const plait_scene *scene, const double wind[3], double time)
{
    plait_rng rng = plait_rng_new(1970, 0); // the same eddies in every run
    double speed = plait_vec3_norm(wind), size = scene->turbulence_size > 0 ? scene->turbulence_size : 0.1;
    a->waves = scene->turbulence > 0 ? PLAIT_AIR_WAVES : 0;
    for (int j = 0; j < a->waves; j++) {
        double k[3], s[3];
        for (int c = 0; c < 3; c++)
            k[c] = plait_rng_normal(&rng);
        for (int c = 0; c < 3; c++)
            s[c] = plait_rng_normal(&rng);
        double length = plait_rng_between(&rng, 0.6, 1.8) * 2 * M_PI / size,
               phase = plait_rng_between(&rng, 0, 2 * M_PI);
        if (!(plait_vec3_normalise(k) > 0) || !(plait_vec3_orthonormalise(k, s) > 0))
            plait_vec3_set(k, 1, 0, 0), plait_vec3_set(s, 0, 1, 0);
        // each comes past with the wind, and turns over in the time that it takes to go through itself
        double turn = length * fmax(0.3 * speed, scene->turbulence);
        for (int c = 0; c < 3; c++) {
            a->wave[j][c] = length * k[c];
            a->swing[j][c] = scene->turbulence * sqrt(2.0 / a->waves) * s[c];
        }
        a->phase[j] = phase - time * (plait_vec3_dot(a->wave[j], wind) + (j % 2 ? turn : -turn));
    }
}

static size_t cell_of(const plait_air *a, const int i[3])
{
    return ((size_t)i[2] * (size_t)a->size[1] + (size_t)i[1]) * (size_t)a->size[0] + (size_t)i[0];
}

// Grid over all nodes of fibres, with the length of fibres in every cell.
static bool count_fibres(plait_air *a, const plait_model *m, const double *x)
{
    double high[3] = {-INFINITY, -INFINITY, -INFINITY}, most = 0;
    a->low[0] = a->low[1] = a->low[2] = INFINITY;
    int nodes = m->first_node[m->chains];
    for (int i = 0; i < 3 * nodes; i++)
        a->low[i % 3] = fmin(a->low[i % 3], x[i]), high[i % 3] = fmax(high[i % 3], x[i]);
    for (int k = 0; k < 3; k++)
        most = fmax(most, high[k] - a->low[k]);
    a->cell = fmax(most, 1e-6) / CELLS;
    for (int k = 0; k < 3; k++) {
        a->size[k] = (int)((high[k] - a->low[k]) / a->cell) + 3;
        a->low[k] -= a->cell;
    }
    memset(a->open, 0, (size_t)(CELLS + 3) * (CELLS + 3) * (CELLS + 3) * sizeof *a->open);
    for (int c = 0; c < m->chains; c++)
        for (int i = m->first_node[c]; i + 1 < m->first_node[c + 1]; i++) {
            double d[3];
            int at[3];
            plait_vec3_sub(x + 3 * (size_t)i + 3, x + 3 * (size_t)i, d);
            for (int k = 0; k < 3; k++) {
                at[k] = (int)((x[3 * (size_t)i + (size_t)k] + d[k] / 2 - a->low[k]) / a->cell);
                at[k] = at[k] < 0 ? 0 : at[k] >= a->size[k] ? a->size[k] - 1 : at[k];
            }
            a->open[cell_of(a, at)] += (float)(plait_vec3_norm(d) * 2 * m->radius[c]); // what it covers
        }
    return nodes > 0;
}

// From what is in cells to what reaches them, upwind, cell by cell: what covers a cell's face once takes half of
// `shelter`, a dense layer all of it.
static void shade(plait_air *a, float *scratch, const double wind[3], double shelter)
{
    double w[3];
    plait_vec3_copy(wind, w);
    bool blows = plait_vec3_normalise(w) > 0;
    int i[3];
    memcpy(scratch, a->open, (size_t)a->size[0] * (size_t)a->size[1] * (size_t)a->size[2] * sizeof *scratch);
    for (i[2] = 0; i[2] < a->size[2]; i[2]++)
        for (i[1] = 0; i[1] < a->size[1]; i[1]++)
            for (i[0] = 0; i[0] < a->size[0]; i[0]++) {
                double cover = 0;
                for (int step = 0; step < CELLS + 3 && blows; step++) {
                    int at[3], inside = 1;
                    for (int k = 0; k < 3; k++) {
                        at[k] = (int)floor(i[k] + 0.5 - step * w[k]);
                        inside = inside && at[k] >= 0 && at[k] < a->size[k];
                    }
                    if (!inside)
                        break;
                    cover += (step == 0 ? 0.5 : 1) * scratch[cell_of(a, at)] / (a->cell * a->cell);
                }
                a->open[cell_of(a, i)] = (float)(1 - shelter * cover / (1 + cover));
            }
}

void plait_air_set(plait_air *a, const plait_model *m, const double wind[3], double time)
{
    const plait_scene *scene = m->scene;
    a->carried = m->cell >= 0;
    a->any = a->open || scene->turbulence > 0 || a->carried;
    if (a->carried)
        plait_sim_cell_gradient(m, a->grad);
    if (!a->any)
        return;
    set_waves(a, scene, wind, time);
    if (a->open && m->nodes > a->room) { // fibres have come
        double *more = realloc(a->node, (3 * (size_t)m->nodes + 1) * sizeof *more);
        if (!more)
            return; // shelter as in the step before
        a->node = more, a->room = m->nodes;
    }
    for (int c = 0; a->open && c < m->chains; c++) {
        const plait_body *body = &m->body[m->chain_body[c]];
        body->type->nodes(body, a->node + 3 * (size_t)m->first_node[c]);
    }
    if (a->open && count_fibres(a, m, a->node))
        shade(a, a->open + (size_t)(CELLS + 3) * (CELLS + 3) * (CELLS + 3), wind, scene->shelter);
}

bool plait_air_new(plait_air *a, const plait_model *m)
{
    if (!(m->scene->shelter > 0))
        return true;
    a->open = calloc(2 * (size_t)(CELLS + 3) * (CELLS + 3) * (CELLS + 3), sizeof *a->open);
    a->node = calloc(3 * (size_t)m->nodes + 1, sizeof *a->node);
    a->room = m->nodes;
    return a->open && a->node;
}
