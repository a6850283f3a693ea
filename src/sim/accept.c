// accept.c: the corrected velocities become the new state, and what the step was like.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "math/quat.h"
#include "math/vec3.h"
#include "sim/sim.h"

static const double LARGEST_MISS = 0.15;

void plait_sim_save(plait_sim *sim)
{
    for (int i = 0; i < sim->fibres; i++)
        memcpy(sim->fibre[i].state, sim->fibre[i].rod->state,
               (size_t)sim->fibre[i].rod->state_size * sizeof *sim->fibre[i].state);
    for (int i = 0; i < sim->rigids; i++) {
        plait_sim_rigid *b = &sim->rigid[i];
        b->saved = b->pose;
        plait_vec3_copy(b->velocity, b->saved_velocity);
        plait_vec3_copy(b->spin, b->saved_spin);
    }
}

void plait_sim_restore(plait_sim *sim)
{
    for (int i = 0; i < sim->fibres; i++) {
        plait_rod *rod = sim->fibre[i].rod;
        memcpy(rod->state, sim->fibre[i].state, (size_t)rod->state_size * sizeof *rod->state);
        rod->time = sim->time;
    }
    for (int i = 0; i < sim->rigids; i++) {
        plait_sim_rigid *b = &sim->rigid[i];
        b->pose = b->saved;
        plait_vec3_copy(b->saved_velocity, b->velocity);
        plait_vec3_copy(b->saved_spin, b->spin);
    }
}

void plait_sim_turn_rigid(plait_pose *pose, double dt, const double *v)
{
    double turn[3] = {dt * v[3], dt * v[4], dt * v[5]}, e[4];
    plait_vec3_axpy(dt, v, pose->x);
    plait_quat_exp(turn, e);
    plait_quat_multiply(e, pose->q, pose->q);
    plait_quat_normalise(pose->q);
}

// ---- acceptance ----------------------------------------------------------------------------------------------------

static bool remember(plait_sim *sim, double dt)
{
    plait_touches *from = &sim->touches, *to = &sim->previous;
    if (from->count > sim->previous_room) {
        int room = from->count + from->count / 2 + 16;
        double *impulse = realloc(sim->previous_impulse, 3 * (size_t)room * sizeof *impulse);
        if (!impulse)
            return false;
        sim->previous_impulse = impulse, sim->previous_room = room;
    }
    for (int i = 0; i < from->count; i++) {
        double *out = sim->previous_impulse + 3 * (size_t)i;
        const double *r = sim->solution->r + 3 * (size_t)i, *E = sim->frame + 9 * (size_t)i;
        for (int k = 0; k < 3; k++)
            out[k] = r[0] * E[k] + r[1] * E[3 + k] + r[2] * E[6 + k];
    }
    plait_touches swap = *to; // the lists change places, so that no memory is copied
    *to = *from, *from = swap;
    sim->previous_dt = dt;
    sim->contacts_shown = true;
    return true;
}

// Curved fibres went a little elsewhere than the motion that was looked at before, and penetrations were pushed out:
// a last look, at where everything is now. The smallest dt is accepted all the same.
static bool nothing_passed(plait_sim *sim, plait_attempt *a)
{
    bool curved = false;
    for (int i = 0; i < sim->fibres; i++)
        curved |= sim->fibre[i].jacobian != NULL;
    if (!curved || !(sim->scene->detecting.mode & PLAIT_DETECT_CONTINUOUS) || a->dt < 2 * sim->scene->stepping.dt_min)
        return true;
    plait_sim_positions(sim, sim->x1);
    a->status = plait_sim_find_crossings(sim, a->error);
    if (a->status != PLAIT_OK)
        return false;
    return sim->missed.count == 0 || plait_sim_reject(sim, "things would pass through each other");
}

bool plait_sim_accept(plait_sim *sim, plait_attempt *a)
{
#pragma omp parallel for schedule(dynamic, 8) num_threads(sim->threads) if (sim->threads > 1 && sim->fibres > 1)
    for (int i = 0; i < sim->fibres; i++) {
        plait_rod *rod = sim->fibre[i].rod;
        sim->fibre[i].bad = !rod->type->accept(rod, a->dt, sim->v + sim->first_dof[i]);
        rod->time = sim->time + a->dt;
        sim->fibre[i].miss = plait_sim_miss(sim, i);
        sim->fibre[i].miss /= sim->arc[sim->first_node[i] + 1] - sim->arc[sim->first_node[i]];
    }
    for (int i = 0; i < sim->fibres; i++) {
        if (sim->fibre[i].bad)
            return plait_sim_reject(sim, "an edge or a hinge collapses");
        if (!(sim->fibre[i].miss < LARGEST_MISS))
            return plait_sim_reject(sim, "a fibre turns too far for its linearised motion");
    }
    for (int i = 0; i < sim->rigids; i++) {
        const double *v = sim->v + sim->first_dof[sim->fibres + i];
        plait_sim_turn_rigid(&sim->rigid[i].pose, a->dt, v);
        plait_vec3_copy(v, sim->rigid[i].velocity);
        plait_vec3_copy(v + 3, sim->rigid[i].spin);
    }
    if (!plait_sim_recover(sim, a) || !nothing_passed(sim, a))
        return false;
    return remember(sim, a->dt) || plait_sim_no_memory(sim, a);
}

// ---- report --------------------------------------------------------------------------------------------------------

static void add_energies(const plait_sim *sim, plait_sim_report *r)
{
    for (int i = 0; i < sim->fibres; i++) {
        plait_rod_energies e = sim->fibre[i].rod->type->energy(sim->fibre[i].rod);
        r->kinetic += e.kinetic, r->elastic += e.stretch + e.bend + e.twist, r->potential += e.load;
    }
    for (int i = 0; i < sim->rigids; i++) {
        const plait_sim_rigid *b = &sim->rigid[i];
        double L[3];
        plait_mat3_apply(b->I, b->spin, L);
        r->kinetic += 0.5 * b->mass * plait_vec3_dot(b->velocity, b->velocity) + 0.5 * plait_vec3_dot(L, b->spin);
        r->potential -= b->mass * plait_vec3_dot(sim->scene->gravity, b->pose.x);
    }
}

void plait_sim_observe(plait_sim *sim, plait_attempt *a)
{
    plait_sim_report *r = &sim->report;
    r->dissipated = 0, r->kinetic = r->elastic = r->potential = 0, r->smallest_gap = INFINITY;
    for (int i = 0; i < sim->previous.count; i++) {
        const double *u = sim->solution->u + 3 * (size_t)i, *s = sim->solution->r + 3 * (size_t)i;
        r->dissipated -= u[1] * s[1] + u[2] * s[2];
        r->smallest_gap = fmin(r->smallest_gap, sim->previous.touch[i].gap + a->dt * (u[0] - sim->gap_term[i]));
    }
    double fastest = 0;
    for (int i = 0; i < 3 * sim->nodes; i += 3) {
        double d[3];
        plait_vec3_sub(sim->x1 + i, sim->x0 + i, d);
        fastest = fmax(fastest, plait_vec3_dot(d, d));
    }
    r->max_speed = sqrt(fastest) / a->dt;
    add_energies(sim, r);
}
