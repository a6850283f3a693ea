// scene_periodic.c: what a scene may have that repeats itself.
//
// Only fibres have copies. What else there is must look the same from every one of them: planes that the periods lead
// along (walls, if they are bodies), and nothing (handles).
#include <math.h>
#include <stddef.h>

#include "math/quat.h"
#include "math/vec3.h"
#include "scene/gen_common.h"
#include "scene/scene.h"

static const double ALONG = 1e-9;  // of the period: a plane that it leads along
static const double WIDE = 4;      // contact diameters that a period has at least

static plait_status refuse(plait_error *error, const char *what)
{
    return plait_error_set(error, PLAIT_BAD_INPUT, "periodic: %s cannot be in a periodic scene", what);
}

static bool turns(const plait_motion *m)
{
    bool any = false;
    for (int i = 0; i < m->keys; i++)
        any |= plait_vec3_dot(m->key[i].rotation, m->key[i].rotation) > 0;
    for (int i = 0; i < m->drives; i++)
        any |= m->drive[i].turns;
    return any;
}

// moves: how a collider does; NULL: a body.
static plait_status check_wall(const char *name, const plait_shape *shape, const double rotation[3],
                               const plait_motion *moves, const double period[3], plait_error *error)
{
    if (shape->kind == PLAIT_SHAPE_NONE)
        return PLAIT_OK;
    if (shape->kind != PLAIT_SHAPE_PLANE)
        return plait_error_set(error, PLAIT_BAD_INPUT,
                               "periodic: %s %s: only planes and shape none can be in a periodic scene",
                               moves ? "collider" : "body", name);
    double q[4], R[9];
    plait_quat_exp(rotation, q);
    plait_quat_matrix(q, R);
    for (int k = 0; k < 3; k++)
        if (period[k] > 0 && (fabs(R[3 * k + 2]) > ALONG || (moves && turns(moves))))
            return plait_error_set(error, PLAIT_BAD_INPUT,
                                   "periodic: %s %s: a plane must stay along the axes that repeat, but %c leads "
                                   "through it",
                                   moves ? "collider" : "body", name, 'x' + k);
    return PLAIT_OK;
}

// What a load on the cell needs.
static plait_status check_cell(const plait_scene *s, const plait_load *l, plait_error *error)
{
    static const int across[6] = {0, 1, 2, 1, 2, 2}, along[6] = {0, 1, 2, 0, 1, 0};
    const double *period = s->detecting.period;
    int a = across[l->axis];
    if (!(period[a] > 0))
        return plait_error_set(error, PLAIT_BAD_INPUT, "load '%s': the scene is not periodic along %c", l->name,
                               'x' + a);
    for (int i = 0; l->kind == PLAIT_LOAD_CELL_STRESS && i < s->loads; i++)
        if (s->load[i].kind >= PLAIT_LOAD_CELL_STRAIN && s->load[i].kind < PLAIT_LOAD_CELL_STRESS &&
            s->load[i].axis == l->axis)
            return plait_error_set(error, PLAIT_BAD_INPUT,
                                   "load '%s': the cell follows a stress or a strain along an axis, but '%s' is there "
                                   "too",
                                   l->name, s->load[i].name);
    if (l->kind == PLAIT_LOAD_CELL_STRESS && !(period[0] > 0 && period[1] > 0 && period[2] > 0))
        return plait_error_set(error, PLAIT_BAD_INPUT,
                               "load '%s': a stress needs a scene that is periodic along x, y, z", l->name);
    for (int i = 0; i < s->colliders + s->rigids && l->axis > 2; i++) {
        bool body = i >= s->colliders;
        int k = body ? i - s->colliders : i;
        const plait_shape *shape = body ? &s->rigid[k].shape : &s->collider[k].shape;
        double q[4], R[9];
        plait_quat_exp(body ? s->rigid[k].rotation : s->collider[k].rotation, q);
        plait_quat_matrix(q, R);
        if (shape->kind == PLAIT_SHAPE_PLANE && fabs(R[3 * along[l->axis] + 2]) > ALONG)
            return plait_error_set(error, PLAIT_BAD_INPUT, "load '%s': copies would go through plane '%s'", l->name,
                                   body ? s->rigid[k].name : s->collider[k].name);
    }
    return PLAIT_OK;
}

// A cell that deforms.
static plait_status check_cells(const plait_scene *s, plait_error *error)
{
    bool any = false;
    for (int i = 0; i < s->loads; i++) {
        if (s->load[i].kind < PLAIT_LOAD_CELL_STRAIN)
            continue;
        plait_status status = check_cell(s, &s->load[i], error);
        if (status != PLAIT_OK)
            return status;
        any = true;
    }
    for (int i = 0; any && i < s->materials * s->materials; i++)
        if (s->restitution[i] > 0)
            return refuse(error, "restitution and a cell that deforms");
    if (any && s->stepping.integrator == PLAIT_INTEGRATOR_BDF2)
        return refuse(error, "integrator bdf2 and a cell that deforms");
    return any && s->stepping.settle > 0 ? refuse(error, "step.settle and a cell that deforms") : PLAIT_OK;
}

plait_status plait_scene_check_periodic(const plait_scene *s, plait_error *error)
{
    const double *period = s->detecting.period;
    bool any = false;
    for (int k = 0; k < 3; k++) {
        if (!(period[k] >= 0 && period[k] <= 1e6))
            return plait_error_set(error, PLAIT_BAD_INPUT, "periodic: 0 to 1e6 m are expected, found %g", period[k]);
        any |= period[k] > 0;
    }
    plait_status fits = check_cells(s, error);
    if (!any || fits != PLAIT_OK)
        return fits;
    if (s->cloths > 0 || s->solids > 0)
        return refuse(error, "cloth and solids");
    if (s->ties > 0 || s->joints > 0 || s->adhesion)
        return refuse(error, "ties, joints and adhesion");
    if (s->stepping.arc > 0)
        return refuse(error, "paths by arc length (step.arc)");
    if (s->shelter > 0)
        return refuse(error, "shelter from the wind");
    for (int i = 0; i < s->fibres; i++) {
        double width = 2 * plait_gen_contact_radius(s, s->fibre[i].material);
        for (int k = 0; k < 3; k++)
            if (period[k] > 0 && period[k] < WIDE * width)
                return plait_error_set(error, PLAIT_BAD_INPUT,
                                       "periodic: fibre %d is %g m thick; a period of %g m or more is expected, found "
                                       "%g m",
                                       i, width, WIDE * width, period[k]);
    }
    for (int i = 0; i < s->colliders; i++) {
        const plait_collider *c = &s->collider[i];
        plait_status status = check_wall(c->name, &c->shape, c->rotation, &c->motion, period, error);
        if (status != PLAIT_OK)
            return status;
    }
    for (int i = 0; i < s->rigids; i++) {
        const plait_rigid *b = &s->rigid[i];
        plait_status status = check_wall(b->name, &b->shape, b->rotation, NULL, period, error);
        if (status != PLAIT_OK)
            return status;
    }
    return PLAIT_OK;
}
