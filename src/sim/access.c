// access.c: looking at a simulation.
#include <string.h>

#include "contact/compliance.h"
#include "math/vec3.h"
#include "sim/bonds.h"

double plait_sim_time(const plait_sim *sim)
{
    return plait_state_time(&sim->state);
}

double plait_sim_start(const plait_sim *sim)
{
    return sim->model.scene->output.start;
}

double plait_sim_last_dt(const plait_sim *sim)
{
    return sim->state.value[PLAIT_AT_DT_LAST];
}

int64_t plait_sim_steps(const plait_sim *sim)
{
    return (int64_t)sim->state.value[PLAIT_AT_STEPS];
}

int plait_sim_fibres(const plait_sim *sim)
{
    return sim->model.chains;
}

const int *plait_sim_first_node(const plait_sim *sim)
{
    return sim->model.first_node;
}

const double *plait_sim_radii(const plait_sim *sim)
{
    return sim->model.radius;
}

plait_rod *plait_sim_rod(plait_sim *sim, int fibre)
{
    return plait_fibre_rod(plait_sim_body(&sim->model, &plait_body_fibre, fibre));
}

void plait_sim_positions(const plait_sim *sim, double *x)
{
    const plait_model *m = &sim->model;
    for (int i = 0; i < m->chains; i++) {
        const plait_body *body = &m->body[m->chain_body[i]];
        body->type->nodes(body, x + 3 * (size_t)m->first_node[i]);
    }
}

void plait_sim_velocities(const plait_sim *sim, double *v)
{
    const plait_model *m = &sim->model;
    for (int i = 0; i < m->chains; i++) {
        const plait_body *body = &m->body[m->chain_body[i]];
        body->type->velocities(body, v + 3 * (size_t)m->first_node[i]);
    }
}

int plait_sim_skins(const plait_sim *sim)
{
    return sim->model.skins;
}

void plait_sim_skin_get(const plait_sim *sim, int i, plait_sim_skin *skin)
{
    const plait_model *m = &sim->model;
    const plait_skin *s = m->skin[i].skin;
    int b = m->skin_body[i];
    *skin = (plait_sim_skin){.kind = m->kind[b]->partner,
                             .index = m->body[b].id,
                             .nodes = m->body[b].nodes,
                             .triangles = s->triangles,
                             .triangle = s->triangle,
                             .closed = s->closed,
                             .thickness = 2 * s->radius,
                             .material = s->material};
}

void plait_sim_skin_positions(const plait_sim *sim, int i, double *x)
{
    const plait_body *body = &sim->model.body[sim->model.skin_body[i]];
    body->type->nodes(body, x);
}

void plait_sim_skin_velocities(const plait_sim *sim, int i, double *v)
{
    const plait_body *body = &sim->model.body[sim->model.skin_body[i]];
    body->type->velocities(body, v);
}

static void give_pose(const plait_pose *pose, double position[3], double rotation[4])
{
    plait_vec3_copy(pose->x, position);
    memcpy(rotation, pose->q, sizeof pose->q);
}

void plait_sim_collider_pose(const plait_sim *sim, int i, double position[3], double rotation[4])
{
    plait_pose pose = plait_collider_pose(plait_sim_body(&sim->model, &plait_body_collider, i), plait_sim_time(sim));
    give_pose(&pose, position, rotation);
}

void plait_sim_rigid_pose(const plait_sim *sim, int i, double position[3], double rotation[4])
{
    plait_pose pose;
    plait_rigid_pose(plait_sim_body(&sim->model, &plait_body_rigid, i), &pose);
    give_pose(&pose, position, rotation);
}

void plait_sim_rigid_velocity(const plait_sim *sim, int i, double velocity[3], double spin[3])
{
    plait_rigid_velocity(plait_sim_body(&sim->model, &plait_body_rigid, i), velocity, spin);
}

void plait_sim_collider_points(const plait_sim *sim, int i, double *point)
{
    const plait_shape *s = &sim->model.scene->collider[i].shape;
    if (s->frames > 0)
        plait_shape_points_at(s, plait_sim_time(sim), point);
    else if (s->points > 0)
        memcpy(point, s->point, 3 * (size_t)s->points * sizeof *point);
}

int plait_sim_contacts(const plait_sim *sim)
{
    const plait_work *w = &sim->work;
    int solved = w->contacts_shown && w->solution ? w->solution->n : 0; // ties made since come behind
    return w->previous.count < solved ? w->previous.count : solved;
}

void plait_sim_contact_get(const plait_sim *sim, int i, plait_sim_contact *c)
{
    const plait_work *w = &sim->work;
    const plait_touch *t = &w->previous.touch[i];
    const double *u = w->solution->u + 3 * (size_t)i, *E = w->frame + 9 * (size_t)i;
    plait_sim_describe(&sim->model, t, c);
    plait_vec3_copy(plait_bonds_get(&w->bonds, i)->impulse, c->impulse);
    for (int k = 0; k < 3; k++)
        c->velocity[k] = (u[0] - w->gap_term[i]) * E[k] + u[1] * E[3 + k] + u[2] * E[6 + k];
    c->mu = w->problem->mu[i];
    c->state = plait_sim_state_of(w, i);
    const plait_bond *bond = plait_bonds_get(&w->bonds, i);
    c->law = (int)bond->law;
    plait_vec3_copy(t->side[1].point, c->other);
    c->beta = bond->law == PLAIT_LAW_TIE ? bond->holds : bond->law > 0 ? bond->number[PLAIT_BOND_BETA] : 0;
}

const plait_problem *plait_sim_problem(const plait_sim *sim)
{
    const plait_problem *p = sim->work.problem;
    return p && plait_problem_complete(p) ? p : NULL;
}

const plait_solution *plait_sim_solution(const plait_sim *sim)
{
    return sim->work.solution;
}
