// view.c: contacts and bonds as arrays, and what is set for many nodes or ends at once.
#include <stdlib.h>

#include "math/vec3.h"
#include "sim/sim.h"

// ---- arrays -------------------------------------------------------------------------------------------------------

void plait_shown_free(plait_shown *shown)
{
    while (shown) {
        plait_shown *older = shown->older;
        free(shown);
        shown = older;
    }
}

// Room for so many bytes; NULL without memory. It at least doubles, so that all that is kept is less than twice the
// last.
void *plait_shown_room(plait_shown **shown, size_t bytes)
{
    if (!*shown || (*shown)->room < bytes) {
        size_t room = *shown && 2 * (*shown)->room > bytes ? 2 * (*shown)->room : bytes + sizeof(double);
        plait_shown *grown = malloc(sizeof *grown + room);
        if (!grown)
            return NULL;
        *grown = (plait_shown){.older = *shown, .room = room};
        *shown = grown;
    }
    return (*shown)->value;
}

plait_status plait_sim_view_contacts(plait_sim *sim, const plait_sim_contact **contacts, int *count, plait_error *error)
{
    int n = plait_sim_contacts(sim);
    plait_sim_contact *all = plait_shown_room(&sim->contacts_view, (size_t)n * sizeof *all);
    if (!all)
        return plait_error_set(error, PLAIT_NO_MEMORY, "no memory to show %d contacts", n);
    *contacts = all, *count = plait_sim_get_contacts(sim, n, all);
    return PLAIT_OK;
}

plait_status plait_sim_view_bonds(plait_sim *sim, const plait_sim_bond **bonds, int *count, plait_error *error)
{
    const plait_bonds *from = &sim->work.bonds;
    plait_sim_bond *all = plait_shown_room(&sim->bonds_view, (size_t)from->count * sizeof *all);
    if (!all)
        return plait_error_set(error, PLAIT_NO_MEMORY, "no memory to show %d bonds", from->count);
    for (int i = 0; i < from->count; i++) {
        const plait_bond *b = plait_bonds_get(from, i);
        all[i] = (plait_sim_bond){.law = (int)b->law, .holds = b->holds != 0};
        plait_vec3_copy(b->impulse, all[i].impulse);
        if (plait_bond_numbers(b->law) < PLAIT_BOND_SIZE)
            continue; // it has no more
        all[i].area = b->area;
        for (int k = 0; k < 4 && k < PLAIT_BOND_NUMBERS; k++)
            all[i].number[k] = b->number[k];
    }
    *bonds = all, *count = from->count;
    return PLAIT_OK;
}

// ---- many at once -------------------------------------------------------------------------------------------------

static plait_status check_fibre(const plait_sim *sim, int i, int fibre, const double x[3], plait_error *error)
{
    if (fibre < 0 || fibre >= sim->model.chains)
        return plait_error_set(error, PLAIT_BAD_INPUT, "number %d of the list: fibre %d: there are %d, numbered from 0",
                               i, fibre, sim->model.chains);
    if (!plait_vec3_finite(x))
        return plait_error_set(error, PLAIT_BAD_INPUT,
                               "number %d of the list: three finite numbers are expected, found %g, %g, %g", i, x[0],
                               x[1], x[2]);
    return PLAIT_OK;
}

plait_status plait_sim_set_node_forces(plait_sim *sim, int count, const int *fibre, const int *node,
                                       const double *force, plait_error *error)
{
    for (int i = 0; i < count; i++) {
        plait_status status = check_fibre(sim, i, fibre[i], force + 3 * (size_t)i, error);
        if (status != PLAIT_OK)
            return status;
        int nodes = plait_rod_segments(plait_sim_rod(sim, fibre[i])) + 1;
        if (node[i] < 0 || node[i] >= nodes)
            return plait_error_set(error, PLAIT_BAD_INPUT,
                                   "number %d of the list: node %d: fibre %d has %d, numbered from 0", i, node[i],
                                   fibre[i], nodes);
    }
    for (int i = 0; i < count; i++)
        plait_rod_set_force(plait_sim_rod(sim, fibre[i]), node[i], force + 3 * (size_t)i);
    return PLAIT_OK;
}

plait_status plait_sim_move_ends(plait_sim *sim, int end, int count, const int *fibre, const double *position,
                                 plait_error *error)
{
    if (end != 0 && end != 1)
        return plait_error_set(error, PLAIT_BAD_INPUT, "end %d: 0 (roots) or 1 (tips) is expected", end);
    for (int pass = 0; pass < 2; pass++) {
        for (int i = 0; i < count; i++) {
            plait_status status = check_fibre(sim, i, fibre[i], position + 3 * (size_t)i, error);
            if (status != PLAIT_OK)
                return status;
            plait_rod *rod = plait_sim_rod(sim, fibre[i]);
            plait_end condition = plait_rod_get_end(rod, end);
            if (condition.kind == PLAIT_END_FREE)
                return plait_error_set(error, PLAIT_BAD_INPUT,
                                       "number %d of the list: this end of fibre %d is free; it cannot be moved", i,
                                       fibre[i]);
            if (pass == 1) // nothing changes where it is now: what follows a collider is refused then too
                plait_vec3_copy(position + 3 * (size_t)i, condition.position);
            status = plait_rod_set_end(rod, end, &condition, error);
            if (status != PLAIT_OK)
                return status;
        }
    }
    return PLAIT_OK;
}
