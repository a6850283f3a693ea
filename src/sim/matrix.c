// matrix.c: M and f of the bodies in contact, from those of each body.
//
// Dofs that are held at the beginning or the end of a body take no part: contacts do not move them.
#include <string.h>

#include "base/parallel.h"
#include "sim/sim.h"

enum { MANY = 64 }; // bodies: less are not worth a second thread

int plait_sim_free_dofs(const plait_body *body, int *from)
{
    int to = body->dofs;
    *from = 0;
    if (body->plan)
        return to;
    while (*from < to - 1 && body->held[*from])
        ++*from;
    while (to > *from + 1 && body->held[to - 1])
        to--;
    return to - *from;
}

void plait_sim_fill_band(const plait_model *m, const plait_work *w, int b, plait_bands *bands, double *f)
{
    const plait_body *body = &m->body[b];
    int place = w->body_place[b], from, size = plait_sim_free_dofs(body, &from), width = bands->width[place];
    double *band = bands->val + bands->ptr[place];
    bands->kept[place] = body->kept;
    if (body->plan)
        memcpy(band, body->M, (size_t)body->plan->entries * sizeof *band);
    for (int c = 0; c < size && !body->plan; c++) {
        const double *column = body->M + (size_t)(from + c) * (size_t)(body->bandwidth + 1);
        for (int d = 0; d <= width; d++)
            band[c * (width + 1) + d] = c + d < size ? column[d] : 0;
    }
    memcpy(f + bands->first[place], body->f + from, (size_t)size * sizeof *f);
}

bool plait_sim_bands(const plait_model *m, plait_work *w, plait_bands *bands, double *f)
{
    plait_team team = plait_team_if(m->bodies >= MANY, w->team);
    int count = 0, from;
    for (int b = 0; b < m->bodies; b++)
        count += w->body_dof[b] >= 0;
    if (!plait_bands_alloc(bands, count))
        return false;
    for (int b = 0, k = 0; b < m->bodies; b++) {
        if (w->body_dof[b] < 0)
            continue;
        int size = plait_sim_free_dofs(&m->body[b], &from), width = m->body[b].bandwidth;
        bands->first[k + 1] = bands->first[k] + size;
        bands->width[k] = m->body[b].plan ? 0 : width < size ? width : size - 1;
        bands->plan[k] = m->body[b].plan;
        k++;
    }
    if (!plait_bands_room(bands)) {
        plait_bands_free(bands);
        return false;
    }
#pragma omp parallel for schedule(static) num_threads(team.threads) if (team.threads > 1)
    for (int b = 0; b < m->bodies; b++)
        if (w->body_dof[b] >= 0)
            plait_sim_fill_band(m, w, b, bands, f);
    return true;
}
