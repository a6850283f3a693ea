// matrix.c: M and f of the bodies in contact, from those of each fibre and rigid body.
//
// Dofs that an end holds at the beginning or the end of a fibre take no part: contacts do not move them.
#include <string.h>

#include "sim/sim.h"

enum { MANY = 64 }; // bodies: less are not worth a second thread

int plait_sim_free_dofs(const plait_sim *sim, int b, int *from)
{
    *from = 0;
    if (b >= sim->fibres)
        return 6;
    const plait_sim_fibre *fibre = &sim->fibre[b];
    int to = fibre->rod->dofs;
    while (*from < to - 1 && fibre->held[*from])
        ++*from;
    while (to > *from + 1 && fibre->held[to - 1])
        to--;
    return to - *from;
}

static void fibre_band(const plait_sim_fibre *fibre, int from, int size, int width, double *band)
{
    int w = fibre->rod->bandwidth;
    for (int c = 0; c < size; c++) {
        const double *column = fibre->M + (size_t)(from + c) * (size_t)(w + 1);
        for (int d = 0; d <= width; d++)
            band[c * (width + 1) + d] = c + d < size ? column[d] : 0;
    }
}

static void rigid_band(const plait_sim_rigid *body, double *band)
{
    memset(band, 0, 18 * sizeof *band);
    for (int c = 0; c < 3; c++) {
        band[3 * c] = body->mass;
        for (int d = 0; d < 3 - c; d++) // symmetric, whatever rounding did
            band[9 + 3 * c + d] = 0.5 * (body->I[3 * (c + d) + c] + body->I[3 * c + c + d]);
    }
}

static void rigid_momentum(const plait_sim_rigid *body, const double *v, double *f)
{
    for (int k = 0; k < 3; k++) {
        f[k] = body->mass * v[k];
        f[3 + k] = 0;
        for (int c = 0; c < 3; c++)
            f[3 + k] += 0.5 * (body->I[3 * k + c] + body->I[3 * c + k]) * v[3 + c];
    }
}

void plait_sim_fill_band(const plait_sim *sim, int b, plait_bands *bands, double *f)
{
    int place = sim->body_place[b], from, size = plait_sim_free_dofs(sim, b, &from);
    double *band = bands->val + bands->ptr[place];
    f += bands->first[place];
    if (b < sim->fibres) {
        fibre_band(&sim->fibre[b], from, size, bands->width[place], band);
        memcpy(f, sim->fibre[b].f + from, (size_t)size * sizeof *f);
    } else {
        rigid_band(&sim->rigid[b - sim->fibres], band);
        rigid_momentum(&sim->rigid[b - sim->fibres], sim->v_free + sim->first_dof[b], f);
    }
}

bool plait_sim_bands(plait_sim *sim, plait_bands *bands, double *f)
{
    int bodies = sim->fibres + sim->rigids, threads = bodies >= MANY ? sim->threads : 1, count = 0, from;
    for (int b = 0; b < bodies; b++)
        count += sim->body_dof[b] >= 0;
    if (!plait_bands_alloc(bands, count))
        return false;
    for (int b = 0, k = 0; b < bodies; b++) {
        if (sim->body_dof[b] < 0)
            continue;
        int size = plait_sim_free_dofs(sim, b, &from), w = b < sim->fibres ? sim->fibre[b].rod->bandwidth : 2;
        bands->first[k + 1] = bands->first[k] + size;
        bands->width[k] = w < size ? w : size - 1;
        sim->body_place[b] = k++;
    }
    if (!plait_bands_room(bands)) {
        plait_bands_free(bands);
        return false;
    }
#pragma omp parallel for schedule(static) num_threads(threads) if (threads > 1)
    for (int b = 0; b < bodies; b++)
        if (sim->body_dof[b] >= 0)
            plait_sim_fill_band(sim, b, bands, f);
    return true;
}
