// access.c: looking at a simulation, and its state as plain numbers.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "contact/compliance.h"
#include "math/vec3.h"
#include "sim/sim.h"

double plait_sim_time(const plait_sim *sim)
{
    return sim->time;
}

int64_t plait_sim_steps(const plait_sim *sim)
{
    return sim->steps;
}

int plait_sim_fibres(const plait_sim *sim)
{
    return sim->fibres;
}

const int *plait_sim_first_node(const plait_sim *sim)
{
    return sim->first_node;
}

const double *plait_sim_radii(const plait_sim *sim)
{
    return sim->radius;
}

plait_rod *plait_sim_rod(plait_sim *sim, int fibre)
{
    return sim->fibre[fibre].rod;
}

void plait_sim_positions(const plait_sim *sim, double *x)
{
    for (int i = 0; i < sim->fibres; i++)
        plait_sim_fibre_positions(sim, i, x + 3 * (size_t)sim->first_node[i]);
}

void plait_sim_velocities(const plait_sim *sim, double *v)
{
    plait_sim_node_velocities(sim, v);
}

static void give_pose(const plait_pose *pose, double position[3], double rotation[4])
{
    plait_vec3_copy(pose->x, position);
    memcpy(rotation, pose->q, sizeof pose->q);
}

void plait_sim_collider_pose(const plait_sim *sim, int i, double position[3], double rotation[4])
{
    plait_pose pose = plait_collider_pose_at(&sim->scene->collider[i], sim->time);
    give_pose(&pose, position, rotation);
}

void plait_sim_rigid_pose(const plait_sim *sim, int i, double position[3], double rotation[4])
{
    give_pose(&sim->rigid[i].pose, position, rotation);
}

void plait_sim_rigid_velocity(const plait_sim *sim, int i, double velocity[3], double spin[3])
{
    plait_vec3_copy(sim->rigid[i].velocity, velocity);
    plait_vec3_copy(sim->rigid[i].spin, spin);
}

void plait_sim_collider_points(const plait_sim *sim, int i, double *point)
{
    const plait_shape *s = &sim->scene->collider[i].shape;
    if (s->frames > 0)
        plait_shape_points_at(s, sim->time, point);
    else if (s->points > 0)
        memcpy(point, s->point, 3 * (size_t)s->points * sizeof *point);
}

int plait_sim_contacts(const plait_sim *sim)
{
    return sim->contacts_shown ? sim->previous.count : 0;
}

void plait_sim_contact_get(const plait_sim *sim, int i, plait_sim_contact *c)
{
    const plait_touch *t = &sim->previous.touch[i];
    const double *u = sim->solution->u + 3 * (size_t)i, *E = sim->frame + 9 * (size_t)i;
    for (int k = 0; k < 2; k++) {
        const plait_side *s = &t->side[k];
        bool rigid = s->on_shape && s->index >= sim->scene->colliders;
        c->kind[k] = !s->on_shape ? PLAIT_PARTNER_FIBRE : rigid ? PLAIT_PARTNER_RIGID : PLAIT_PARTNER_COLLIDER;
        c->index[k] = s->index - (rigid ? sim->scene->colliders : 0);
        c->arc[k] = t->arc[k];
    }
    plait_vec3_copy(t->side[0].point, c->position);
    plait_vec3_copy(t->normal, c->normal);
    plait_vec3_copy(sim->previous_impulse + 3 * (size_t)i, c->impulse);
    c->gap = t->gap;
    for (int k = 0; k < 3; k++)
        c->velocity[k] = (u[0] - sim->gap_term[i]) * E[k] + u[1] * E[3 + k] + u[2] * E[6 + k];
    c->mu = sim->problem->mu[i];
}

const plait_problem *plait_sim_problem(const plait_sim *sim)
{
    return sim->problem && plait_problem_complete(sim->problem) ? sim->problem : NULL;
}

const plait_solution *plait_sim_solution(const plait_sim *sim)
{
    return sim->solution;
}

// ---- state -----------------------------------------------------------------------------------------------------------

enum { HEAD = 8, PER_RIGID = 13, PER_SIDE = 10, PER_CONTACT = 2 * PER_SIDE + 3 + 1 + 2 + 1 + 3 };

static int64_t bodies_size(const plait_sim *sim)
{
    int64_t size = HEAD + PER_RIGID * (int64_t)sim->rigids;
    for (int i = 0; i < sim->fibres; i++)
        size += plait_rod_state_size(sim->fibre[i].rod);
    return size;
}

int64_t plait_sim_state_size(const plait_sim *sim)
{
    return bodies_size(sim) + PER_CONTACT * (int64_t)sim->previous.count;
}

static double *put(double *to, const double *from, int count)
{
    memcpy(to, from, (size_t)count * sizeof *to);
    return to + count;
}

static double *put_side(double *p, const plait_side *s)
{
    *p++ = s->on_shape, *p++ = s->index, *p++ = s->segment, *p++ = s->a;
    p = put(p, s->point, 3);
    return put(p, s->move, 3);
}

void plait_sim_get_state(const plait_sim *sim, double *p)
{
    *p++ = sim->time, *p++ = sim->dt_next, *p++ = (double)sim->steps, *p++ = sim->calm, *p++ = sim->previous_dt;
    *p++ = sim->previous.count, *p++ = sim->fibres, *p++ = sim->rigids;
    for (int i = 0; i < sim->fibres; i++) {
        plait_rod_get_state(sim->fibre[i].rod, p);
        p += plait_rod_state_size(sim->fibre[i].rod);
    }
    for (int i = 0; i < sim->rigids; i++) {
        const plait_sim_rigid *b = &sim->rigid[i];
        p = put(p, b->pose.x, 3), p = put(p, b->pose.q, 4), p = put(p, b->velocity, 3), p = put(p, b->spin, 3);
    }
    for (int i = 0; i < sim->previous.count; i++) {
        const plait_touch *t = &sim->previous.touch[i];
        p = put_side(p, &t->side[0]), p = put_side(p, &t->side[1]);
        p = put(p, t->normal, 3), *p++ = t->gap, p = put(p, t->arc, 2), *p++ = t->swept;
        p = put(p, sim->previous_impulse + 3 * (size_t)i, 3);
    }
}

static const double *get(double *to, const double *from, int count)
{
    memcpy(to, from, (size_t)count * sizeof *to);
    return from + count;
}

static const double *get_side(const plait_sim *sim, plait_side *s, const double *p, bool *ok)
{
    int shapes = sim->scene->colliders + sim->rigids;
    for (int k = 0; k < 3; k++)
        *ok &= p[k] >= 0 && p[k] < 1e9 && p[k] == floor(p[k]);
    if (!*ok)
        return p + PER_SIDE;
    s->on_shape = p[0] != 0, s->index = (int)p[1], s->segment = (int)p[2], s->a = p[3];
    *ok &= s->index < (s->on_shape ? shapes : sim->fibres);
    *ok = *ok && (s->on_shape || s->segment < sim->first_node[s->index + 1] - sim->first_node[s->index] - 1);
    p = get(s->point, p + 4, 3);
    return get(s->move, p, 3);
}

static bool get_contacts(plait_sim *sim, int count, const double *p)
{
    bool ok = true;
    for (int i = 0; i < count && ok; i++) {
        plait_touch *t = &sim->previous.touch[i];
        *t = (plait_touch){.last = -1};
        p = get_side(sim, &t->side[0], p, &ok), p = get_side(sim, &t->side[1], p, &ok);
        p = get(t->normal, p, 3), t->gap = *p++, p = get(t->arc, p, 2), t->swept = *p++ != 0;
        p = get(sim->previous_impulse + 3 * (size_t)i, p, 3);
    }
    return ok;
}

static bool contact_room(plait_sim *sim, int count)
{
    plait_touch *touch = realloc(sim->previous.touch, ((size_t)count + 1) * sizeof *touch);
    if (touch)
        sim->previous.touch = touch, sim->previous.room = count + 1;
    double *impulse = realloc(sim->previous_impulse, (3 * (size_t)count + 1) * sizeof *impulse);
    if (impulse)
        sim->previous_impulse = impulse, sim->previous_room = count;
    return touch && impulse;
}

// A whole number from 0 to 2^53: what a double counts exactly.
static bool is_count(double x)
{
    return x >= 0 && x <= 9007199254740992.0 && x == floor(x);
}

// Whether time and time steps can be those of a simulation. NULL, or what is wrong.
static const char *check_head(const double *p)
{
    double time = p[0], dt = p[1], steps = p[2], calm = p[3], previous_dt = p[4];
    if (!is_count(steps) || fabs(calm) > 1e9 || calm != floor(calm))
        return "its counts of steps are not whole numbers";
    if (!(dt > 0 && dt <= 1e9) || !(previous_dt >= 0 && previous_dt <= 1e9))
        return "its time steps are not positive";
    if (!(time >= 0 && time <= 1e9 * fmax(1, steps)) || (time > 0) != (steps > 0))
        return "its time does not fit its number of steps";
    return NULL;
}

// Rods and rigid bodies from their numbers; NULL, or what is wrong.
static const char *check_bodies(const plait_sim *sim, const double *p)
{
    double time = p[0];
    p += HEAD;
    for (int i = 0; i < sim->fibres; i++) {
        p += plait_rod_state_size(sim->fibre[i].rod);
        if (fabs(p[-1] - time) > 1e-6 * (1 + time)) // the last number of a rod is its time
            return "a rod's time is not that of the state";
    }
    for (int i = 0; i < sim->rigids; i++, p += PER_RIGID)
        if (fabs(p[3] * p[3] + p[4] * p[4] + p[5] * p[5] + p[6] * p[6] - 1) > 1e-6)
            return "a rigid body's rotation is none";
    return NULL;
}

plait_status plait_sim_set_state(plait_sim *sim, const double *p, int64_t size, plait_error *error)
{
    int64_t bodies = bodies_size(sim);
    for (int64_t i = 0; i < size; i++)
        if (!isfinite(p[i]))
            return plait_error_set(error, PLAIT_BAD_INPUT, "number %lld of the state is not finite", (long long)i);
    if (size < bodies || !is_count(p[5]) || p[5] > 1e9 || p[6] != sim->fibres || p[7] != sim->rigids ||
        (double)(size - bodies) != PER_CONTACT * p[5])
        return plait_error_set(
            error, PLAIT_BAD_INPUT,
            "the state has %lld numbers: expected %lld for %d fibres, %d rigid bodies and its contacts",
            (long long)size, (long long)bodies, sim->fibres, sim->rigids);
    const char *wrong = check_head(p);
    wrong = wrong ? wrong : check_bodies(sim, p);
    if (wrong)
        return plait_error_set(error, PLAIT_BAD_INPUT, "the state of %g s, step %g, dt %g s: %s", p[0], p[2], p[1],
                               wrong);
    int count = (int)p[5];
    if (!contact_room(sim, count))
        return plait_error_set(error, PLAIT_NO_MEMORY, "no memory for %d contacts", count);
    sim->previous.count = 0;
    if (!get_contacts(sim, count, p + bodies))
        return plait_error_set(error, PLAIT_BAD_INPUT, "the state names fibres or colliders that are not in the scene");
    sim->previous.count = count;
    sim->time = p[0], sim->dt_next = fmin(p[1], sim->scene->stepping.dt), sim->steps = (int64_t)p[2],
    sim->calm = (int)p[3], sim->previous_dt = p[4];
    p += HEAD;
    for (int i = 0; i < sim->fibres; i++) {
        plait_status status = plait_rod_set_state(sim->fibre[i].rod, p, error);
        if (status != PLAIT_OK)
            return status;
        p += plait_rod_state_size(sim->fibre[i].rod);
    }
    for (int i = 0; i < sim->rigids; i++) {
        plait_sim_rigid *b = &sim->rigid[i];
        p = get(b->pose.x, p, 3), p = get(b->pose.q, p, 4), p = get(b->velocity, p, 3), p = get(b->spin, p, 3);
    }
    plait_problem_free(sim->problem), plait_solution_free(sim->solution);
    sim->problem = NULL, sim->solution = NULL;
    sim->contacts_shown = false; // contacts are shown again after the next step
    plait_sim_set_scene(sim, 0);
    plait_sim_trace(sim);
    return PLAIT_OK;
}
