// control.c: what a program sets while a simulation runs, and the arrays that it looks at.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "math/quat.h"
#include "math/vec3.h"
#include "scene/scene.h"
#include "sim/loads.h"

static plait_status must_be_finite(const char *what, const double x[3], plait_error *error)
{
    if (plait_vec3_finite(x))
        return PLAIT_OK;
    return plait_error_set(error, PLAIT_BAD_INPUT, "%s: three finite numbers are expected, found %g, %g, %g", what,
                           x[0], x[1], x[2]);
}

static plait_status must_be_one_of(const char *what, int i, int count, plait_error *error)
{
    if (i >= 0 && i < count)
        return PLAIT_OK;
    return plait_error_set(error, PLAIT_BAD_INPUT, "%s %d: there are %d, numbered from 0", what, i, count);
}

// ---- loads and constraints -----------------------------------------------------------------------------------------

plait_status plait_sim_set_gravity(plait_sim *sim, const double gravity[3], plait_error *error)
{
    plait_status status = must_be_finite("gravity", gravity, error);
    if (status != PLAIT_OK)
        return status;
    plait_vec3_copy(gravity, sim->model.scene->gravity);
    for (int i = 0; i < sim->model.chains; i++)
        plait_rod_set_gravity(plait_sim_rod(sim, i), gravity);
    plait_sim_loads_regravity(sim->work.loads, gravity);
    return PLAIT_OK;
}

plait_status plait_sim_set_wind(plait_sim *sim, const double wind[3], plait_error *error)
{
    plait_status status = must_be_finite("wind", wind, error);
    if (status == PLAIT_OK)
        plait_vec3_copy(wind, sim->model.scene->wind);
    return status;
}

plait_status plait_sim_set_friction(plait_sim *sim, int a, int b, double mu, double restitution, plait_error *error)
{
    plait_scene *scene = sim->model.scene;
    plait_status status = must_be_one_of("material", a, scene->materials, error);
    if (status == PLAIT_OK)
        status = must_be_one_of("material", b, scene->materials, error);
    if (status == PLAIT_OK && !(mu >= 0 && isfinite(mu) && restitution >= 0 && restitution <= 1))
        status = plait_error_set(error, PLAIT_BAD_INPUT,
                                 "friction: mu >= 0 and a restitution between 0 and 1 are expected, found %g and %g",
                                 mu, restitution);
    if (status != PLAIT_OK)
        return status;
    plait_scene_set_friction(scene, a, b, mu, restitution);
    plait_sim_loads_refriction(sim->work.loads, scene->materials, a, b, mu);
    sim->model.bounces |= restitution > 0;
    return PLAIT_OK;
}

plait_status plait_sim_set_adhesion(plait_sim *sim, int a, int b, const plait_adhesion *adhesion, plait_error *error)
{
    plait_scene *scene = sim->model.scene;
    plait_status status = must_be_one_of("material", a, scene->materials, error);
    if (status == PLAIT_OK)
        status = must_be_one_of("material", b, scene->materials, error);
    if (status == PLAIT_OK)
        status = plait_adhesion_check(adhesion, error);
    if (status == PLAIT_OK && !plait_scene_set_adhesion(scene, a, b, adhesion))
        status = plait_error_set(error, PLAIT_NO_MEMORY, "no memory for adhesion");
    return status;
}

plait_status plait_sim_set_node_force(plait_sim *sim, int fibre, int node, const double force[3], plait_error *error)
{
    plait_status status = must_be_one_of("fibre", fibre, sim->model.chains, error);
    if (status != PLAIT_OK)
        return status;
    plait_rod *rod = plait_sim_rod(sim, fibre);
    status = must_be_one_of("node", node, plait_rod_segments(rod) + 1, error);
    if (status == PLAIT_OK)
        status = must_be_finite("force", force, error);
    if (status == PLAIT_OK)
        plait_rod_set_force(rod, node, force);
    return status;
}

plait_status plait_sim_set_end(plait_sim *sim, int fibre, int end, const plait_end *condition, plait_error *error)
{
    plait_status status = must_be_one_of("fibre", fibre, sim->model.chains, error);
    if (status == PLAIT_OK)
        status = must_be_one_of("end", end, 2, error);
    return status == PLAIT_OK ? plait_rod_set_end(plait_sim_rod(sim, fibre), end, condition, error) : status;
}

plait_status plait_sim_set_rigid_force(plait_sim *sim, int rigid, const double force[3], const double couple[3],
                                       plait_error *error)
{
    plait_status status = must_be_one_of("rigid body", rigid, sim->model.scene->rigids, error);
    if (status == PLAIT_OK)
        status = must_be_finite("force", force, error);
    if (status == PLAIT_OK)
        status = must_be_finite("couple", couple, error);
    if (status == PLAIT_OK) {
        plait_rigid_push(plait_sim_body(&sim->model, &plait_body_rigid, rigid), force, couple);
        plait_sim_loads_push(sim->work.loads, rigid, force, couple);
    }
    return status;
}

plait_status plait_sim_set_collider_target(plait_sim *sim, int i, const double position[3], const double rotation[4],
                                           double when, plait_error *error)
{
    double now = plait_sim_time(sim), norm = sqrt(plait_quat_dot(rotation, rotation));
    plait_status status = must_be_one_of("collider", i, sim->model.scene->colliders, error);
    if (status == PLAIT_OK)
        status = must_be_finite("position", position, error);
    if (status == PLAIT_OK && !(fabs(norm - 1) < 1e-3))
        status = plait_error_set(error, PLAIT_BAD_INPUT,
                                 "rotation: a quaternion of length 1 is expected, found length %g", norm);
    if (status == PLAIT_OK && !(when > now && isfinite(when)))
        status = plait_error_set(error, PLAIT_BAD_INPUT, "a time after %g s is expected, found %g s", now, when);
    if (status != PLAIT_OK)
        return status;
    plait_pose pose;
    plait_vec3_copy(position, pose.x);
    memcpy(pose.q, rotation, sizeof pose.q);
    plait_quat_normalise(pose.q);
    plait_collider_lead(plait_sim_body(&sim->model, &plait_body_collider, i), now, when, &pose);
    return PLAIT_OK;
}

// ---- arrays --------------------------------------------------------------------------------------------------------

// Room for places and velocities of all nodes: those of chains first.
static double *view_of(plait_sim *sim, plait_error *error)
{
    size_t count = 3 * (size_t)sim->model.nodes;
    double *view = plait_shown_room(&sim->nodes_view, (2 * count + 1) * sizeof *view);
    if (!view)
        plait_error_set(error, PLAIT_NO_MEMORY, "no memory to show %d nodes", sim->model.nodes);
    return view;
}

plait_status plait_sim_view_nodes(plait_sim *sim, plait_sim_nodes *nodes, plait_error *error)
{
    const plait_model *m = &sim->model;
    if (nodes->size != sizeof *nodes)
        return plait_error_set(error, PLAIT_BAD_INPUT, "plait_sim_nodes: a size of %zu is expected, found %zu",
                               sizeof *nodes, nodes->size);
    double *x = view_of(sim, error), *v = x + 3 * (size_t)m->nodes;
    if (!x)
        return PLAIT_NO_MEMORY;
    plait_sim_positions(sim, x);
    plait_sim_velocities(sim, v);
    nodes->fibres = m->chains, nodes->nodes = m->first_node[m->chains], nodes->first = m->first_node;
    nodes->x = x, nodes->v = v;
    return PLAIT_OK;
}

plait_status plait_sim_view_skin(plait_sim *sim, int i, plait_sim_skin_nodes *nodes, plait_error *error)
{
    const plait_model *m = &sim->model;
    if (nodes->size != sizeof *nodes)
        return plait_error_set(error, PLAIT_BAD_INPUT, "plait_sim_skin_nodes: a size of %zu is expected, found %zu",
                               sizeof *nodes, nodes->size);
    plait_status status = must_be_one_of("cloth or solid", i, m->skins, error);
    if (status != PLAIT_OK)
        return status;
    double *x = view_of(sim, error);
    if (!x)
        return PLAIT_NO_MEMORY;
    x += 3 * (size_t)m->first_skin_node[i];
    plait_sim_skin_get(sim, i, &nodes->skin);
    plait_sim_skin_positions(sim, i, x);
    plait_sim_skin_velocities(sim, i, x + 3 * (size_t)m->nodes);
    nodes->x = x, nodes->v = x + 3 * (size_t)m->nodes;
    return PLAIT_OK;
}

const double *plait_sim_view_state(const plait_sim *sim, int64_t *size)
{
    *size = sim->state.size;
    return sim->state.value;
}

int plait_sim_get_contacts(const plait_sim *sim, int room, plait_sim_contact *contacts)
{
    int count = plait_sim_contacts(sim);
    for (int i = 0; i < count && i < room; i++)
        plait_sim_contact_get(sim, i, &contacts[i]);
    return count;
}

plait_status plait_sim_get_reaction(const plait_sim *sim, plait_partner_kind kind, int index, const double about[3],
                                    double force[3], double couple[3], plait_error *error)
{
    int count = 0;
    for (int b = 0; b < sim->model.bodies; b++)
        count += sim->model.kind[b]->partner == kind;
    plait_status status = must_be_one_of("body", index, count, error);
    if (status != PLAIT_OK)
        return status;
    double dt = sim->state.value[PLAIT_AT_DT_LAST];
    for (int k = 0; k < 3; k++)
        force[k] = couple[k] = 0;
    for (int i = 0; i < plait_sim_contacts(sim); i++) {
        plait_sim_contact c;
        plait_sim_contact_get(sim, i, &c);
        for (int side = 0; side < 2; side++) {
            if (c.kind[side] != kind || c.index[side] != index)
                continue;
            double arm[3], f[3], moment[3];
            plait_vec3_sub(c.position, about, arm);
            for (int k = 0; k < 3; k++)
                f[k] = (side ? -1 : 1) * c.impulse[k] / dt;
            plait_vec3_cross(arm, f, moment);
            plait_vec3_axpy(1, f, force), plait_vec3_axpy(1, moment, couple);
        }
    }
    return PLAIT_OK;
}

// ---- hooks ---------------------------------------------------------------------------------------------------------

plait_status plait_sim_set_hooks(plait_sim *sim, const plait_sim_hooks *hooks, plait_error *error)
{
    if (hooks && hooks->size != sizeof *hooks)
        return plait_error_set(error, PLAIT_BAD_INPUT, "plait_sim_hooks: a size of %zu is expected, found %zu",
                               sizeof *hooks, hooks->size);
    sim->work.hooks = hooks ? *hooks : (plait_sim_hooks){.size = sizeof *hooks};
    return PLAIT_OK;
}

void plait_sim_describe(const plait_model *m, const plait_touch *t, plait_sim_contact *c)
{
    *c = (plait_sim_contact){.gap = t->gap};
    for (int k = 0; k < 2; k++) {
        int b = plait_sim_owner(m, &t->side[k]);
        c->kind[k] = m->kind[b]->partner, c->index[k] = m->body[b].id;
        c->arc[k] = t->arc[k];
    }
    plait_vec3_copy(t->side[0].point, c->position);
    plait_vec3_copy(t->normal, c->normal);
}

void plait_sim_sift(const plait_model *m, const plait_work *w, plait_touches *touches)
{
    const plait_sim_hooks *hooks = &w->hooks;
    int kept = 0;
    plait_rest_apply(&m->rest, touches);
    if (!hooks->filter)
        return;
    for (int i = 0; i < touches->count; i++) {
        plait_sim_contact c;
        plait_sim_describe(m, &touches->touch[i], &c);
        if (touches->touch[i].fixed || hooks->filter(&c, hooks->data))
            touches->touch[kept++] = touches->touch[i];
    }
    touches->count = kept;
}

bool plait_sim_ask_friction(const plait_model *m, const plait_work *w, double *mu)
{
    const plait_sim_hooks *hooks = &w->hooks;
    for (int i = 0; hooks->friction && i < w->touches.count; i++) {
        plait_sim_contact c;
        plait_sim_describe(m, &w->touches.touch[i], &c);
        c.mu = mu[i];
        mu[i] = hooks->friction(&c, hooks->data);
        if (!(mu[i] >= 0 && isfinite(mu[i])))
            return false;
    }
    return true;
}
