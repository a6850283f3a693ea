// detect.c: contacts of the predicted motion, and what the corrected motion would pass through.
#include <math.h>
#include <string.h>

#include "sim/joints.h"
#include "sim/bonds.h"
#include "sim/cell.h"
#include "sim/recover.h"

enum { DEEP_ROUNDS = 8 };
static const double DEEP = 0.9, CLOSE = 1 - PLAIT_OVERLAP; // of the sum of radii

static plait_scenery scenery(const plait_model *m, plait_work *w)
{
    const plait_detecting *d = &m->scene->detecting;
    plait_scenery s = {.chains = m->chains,
                       .nodes = m->first_node[m->chains],
                       .shapes = m->shapes,
                       .skins = m->skins,
                       .chain = m->chain,
                       .shape = w->shape,
                       .skin = m->skin,
                       .x0 = w->x0,
                       .x1 = w->x1,
                       .arc = m->arc,
                       .proximity = m->proximity,
                       .spacing = m->spacing,
                       .mode = d->mode,
                       .chains_touch = d->fibres,
                       .team = w->team,
                       .stop = &w->stop};
    plait_sim_cell_shapes(m, s.cell);
    return s;
}

static bool sift(const plait_model *m, plait_work *w, plait_touches *touches)
{
    plait_sim_sift(m, w, touches);
    return plait_sim_sift_joints(m, w, touches);
}

bool plait_sim_detect(const plait_model *m, plait_state *s, plait_work *w, plait_attempt *a)
{
    (void)s; // the contacts of the last step are in `previous` too
    plait_scenery now = scenery(m, w);
    a->status = plait_detect(w->detector, &now, &w->previous, &w->touches, a->error);
    if (a->status == PLAIT_OK && !plait_sim_keep_bonds(m, w))
        return plait_sim_no_memory(w, a);
    if (a->status == PLAIT_OK && !sift(m, w, &w->touches))
        return plait_sim_no_memory(w, a);
    return a->status == PLAIT_OK && !plait_sim_stopped(w);
}

plait_status plait_sim_find_crossings(const plait_model *m, plait_work *w, plait_error *error)
{
    plait_scenery s = scenery(m, w);
    plait_touches none = {0};
    plait_status status = plait_detect_crossings(w->detector, &s, 0, &none, &w->missed, error);
    if (status == PLAIT_OK && !sift(m, w, &w->missed))
        status = plait_error_set(error, PLAIT_NO_MEMORY, "no memory for %d contacts", w->missed.count);
    return status;
}

plait_status plait_sim_find_near(const plait_model *m, plait_work *w, double near, plait_touches *touches,
                                 plait_error *error)
{
    plait_scenery s = scenery(m, w);
    s.x1 = NULL, s.proximity = near, memcpy(s.cell[1], s.cell[0], sizeof s.cell[1]), s.mode = PLAIT_DETECT_PROXIMITY;
    return plait_detect(w->detector, &s, NULL, touches, error);
}

// Nothing but fibres moves, and gaps are as they are seen.
static bool only_chains_move(const plait_model *m, const plait_work *w)
{
    bool others = m->skins > 0 || m->cell >= 0 || m->rest.count > 0;
    for (int i = 0; i < m->shapes; i++)
        others = others || w->shape[i].moves_freely;
    return !others;
}

plait_status plait_sim_find_at_end(const plait_model *m, plait_work *w, const double *x, const bool *moved,
                                   plait_touches *touches, plait_error *error)
{
    plait_scenery s = scenery(m, w);
    plait_arena_mark mark = plait_arena_get_mark(&w->arena);
    plait_shape_geometry *shape = plait_arena_alloc(&w->arena, (size_t)m->shapes + 1, sizeof *shape);
    if (!shape)
        return plait_error_set(error, PLAIT_NO_MEMORY, "no memory for %d shapes", m->shapes);
    for (int i = 0; i < m->shapes; i++) {
        shape[i] = w->shape[i];
        shape[i].start = shape[i].end, shape[i].point0 = shape[i].point1;
    }
    s.x0 = x, s.x1 = NULL, s.mode = PLAIT_DETECT_PROXIMITY, s.shape = shape;
    plait_sim_cell_now(m, s.cell[0]), memcpy(s.cell[1], s.cell[0], sizeof s.cell[1]);
    plait_status status = moved && only_chains_move(m, w)
                              ? plait_detect_again(w->detector, &s, moved, &w->touches, touches, error)
                              : plait_detect(w->detector, &s, &w->touches, touches, error);
    plait_arena_release(&w->arena, mark);
    plait_sim_sift(m, w, touches);
    return status;
}

// Fibres that do not move as they did when the last round looked at them: what the others pass through was found then.
// NULL: all have to be looked at.
static const bool *since_last_catch(const plait_model *m, plait_work *w, plait_attempt *a)
{
    bool chains_only = only_chains_move(m, w), before = a->looked;
    a->looked = true;
    for (int c = 0; c < m->chains && chains_only; c++) {
        size_t from = 3 * (size_t)m->first_node[c], size = 3 * sizeof(double) * (size_t)m->chain[c].nodes;
        w->otherwise[c] = memcmp(w->seen_x1 + from, w->x1 + from, size) != 0;
        memcpy(w->seen_x1 + from, w->x1 + from, size);
    }
    return before && chains_only ? w->otherwise : NULL;
}

// In the first rounds what would overlap by a tenth is a contact too, so that it need not be pushed out again
// afterwards. What comes nearer than is left alone (separate.c) is looked for first: as a rule there is nothing.
bool plait_sim_catch(const plait_model *m, plait_work *w, plait_attempt *a, int *found)
{
    *found = 0, a->close = a->close && a->looked;
    if (!(m->scene->detecting.mode & PLAIT_DETECT_CONTINUOUS))
        return true;
    plait_scenery s = scenery(m, w);
    s.only = since_last_catch(m, w, a);
    double near = a->caught < DEEP_ROUNDS ? DEEP : fmax(0, 1 - m->scene->stepping.max_overlap);
    a->status = plait_detect_crossings(w->detector, &s, CLOSE, &w->touches, &w->missed, a->error);
    a->close = a->close || w->missed.count > 0;
    if (a->status == PLAIT_OK && w->missed.count > 0) {
        a->status = plait_detect_nearer(w->detector, &s, near, &w->touches, &w->missed, a->error);
    }
    if (a->status != PLAIT_OK)
        return false;
    if (!sift(m, w, &w->missed))
        return plait_sim_no_memory(w, a);
    for (int i = 0; i < w->missed.count; i++)
        if (!plait_touches_append(&w->touches, &w->missed.touch[i]))
            return plait_sim_no_memory(w, a);
    *found = w->missed.count;
    return true;
}
