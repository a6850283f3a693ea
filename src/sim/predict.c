// predict.c: the unconstrained motion of every body, and its linearisation M v = f, about which contacts act.
#include <math.h>
#include <string.h>

#include "math/quat.h"
#include "math/vec3.h"
#include "sim/sim.h"

enum { DEEP_ROUNDS = 8 };
static const double DEEP = 0.5;

// Impulse response: contacts act through the mass alone, and on top of the unconstrained velocity.
static bool mass_only(plait_sim_fibre *fibre, const double *v)
{
    plait_rod *rod = fibre->rod;
    int n = rod->dofs, w = rod->bandwidth;
    memset(rod->v, 0, (size_t)n * sizeof *rod->v);
    if (!rod->type->linearise(rod, PLAIT_SIM_NO_TIME, rod->v, NULL))
        return false;
    rod->type->matrix(rod, fibre->M, fibre->held);
    memset(fibre->f, 0, (size_t)n * sizeof *fibre->f);
    for (int c = 0; c < n; c++) {
        const double *column = fibre->M + (size_t)c * (size_t)(w + 1);
        fibre->f[c] += column[0] * v[c];
        for (int d = 1; d <= w && c + d < n; d++) {
            fibre->f[c + d] += column[d] * v[c];
            fibre->f[c] += column[d] * v[c + d];
        }
    }
    return true;
}

static const char *predict_fibre(plait_sim *sim, int i, double dt)
{
    const plait_stepping *s = &sim->scene->stepping;
    plait_sim_fibre *fibre = &sim->fibre[i];
    plait_rod *rod = fibre->rod;
    double *v = sim->v_free + sim->first_dof[i];
    plait_step_report report = {0};
    if (!rod->type->predict(rod, dt, &s->rod, &report))
        return report.reason ? report.reason : "a fibre's own equations were not solved";
    memcpy(v, rod->v, (size_t)rod->dofs * sizeof *v);
    if (s->theta < 1 && !(plait_sim_theta_begin(sim, i, dt) && plait_sim_linearise(sim, i, dt, v) &&
                          plait_sim_theta_velocity(sim, i, v)))
        return "a fibre's matrix is not positive definite";
    if (s->scheme == PLAIT_SCHEME_IMPULSE)
        return mass_only(fibre, v) ? NULL : "a fibre's mass is not positive";
    return plait_sim_linearise(sim, i, dt, v) ? NULL : "a fibre's matrix is not positive definite";
}

// Gravity and the gyroscopic torque; the body turns about its centre.
static void predict_rigid(const plait_sim *sim, plait_sim_rigid *body, double dt, double *v)
{
    double R[9], D[9] = {0}, T[9], L[3], torque[3], w[3];
    plait_quat_matrix(body->pose.q, R);
    for (int k = 0; k < 3; k++)
        D[4 * k] = body->inertia[k];
    plait_mat3_multiply(R, D, T);
    plait_mat3_multiply_transposed(T, R, body->I);
    plait_mat3_apply(body->I, body->spin, L);
    plait_vec3_cross(L, body->spin, torque); // -w x I w
    // I^-1 torque in the frame of the body
    plait_mat3_apply_transposed(R, torque, w);
    for (int k = 0; k < 3; k++)
        w[k] /= body->inertia[k];
    plait_mat3_apply(R, w, torque);
    for (int k = 0; k < 3; k++) {
        v[k] = body->velocity[k] + dt * sim->scene->gravity[k];
        v[3 + k] = body->spin[k] + dt * torque[k];
    }
}

bool plait_sim_predict(plait_sim *sim, plait_attempt *a)
{
    plait_sim_set_scene(sim, a->dt);
    plait_sim_trace(sim);
    if (sim->bounces)
        plait_sim_node_velocities(sim, sim->u0);
#pragma omp parallel for schedule(dynamic, 4) num_threads(sim->threads) if (sim->threads > 1 && sim->fibres > 1)
    for (int i = 0; i < sim->fibres; i++)
        sim->fibre[i].reason = predict_fibre(sim, i, a->dt);
    for (int i = 0; i < sim->fibres; i++)
        if (sim->fibre[i].reason)
            return plait_sim_reject(sim, sim->fibre[i].reason);
    for (int i = 0; i < sim->rigids; i++) {
        plait_sim_rigid *body = &sim->rigid[i];
        double *v = sim->v_free + sim->first_dof[sim->fibres + i], turn[3], e[4];
        predict_rigid(sim, body, a->dt, v);
        plait_shape_geometry *g = &sim->shape[sim->scene->colliders + i];
        *g = (plait_shape_geometry){.shape = &body->shape,
                                    .start = body->pose,
                                    .end = body->pose,
                                    .point0 = body->shape.point,
                                    .point1 = body->shape.point,
                                    .moves_freely = true,
                                    .material = body->material};
        plait_vec3_axpy(a->dt, v, g->end.x);
        for (int k = 0; k < 3; k++)
            turn[k] = a->dt * v[3 + k];
        plait_quat_exp(turn, e);
        plait_quat_multiply(e, g->start.q, g->end.q);
    }
    plait_sim_move_nodes(sim, a->dt, sim->v_free, sim->x1);
    return true;
}

static plait_scenery scenery(const plait_sim *sim)
{
    const plait_detecting *d = &sim->scene->detecting;
    return (plait_scenery){.chains = sim->fibres,
                           .nodes = sim->nodes,
                           .shapes = sim->scene->colliders + sim->rigids,
                           .chain = sim->chain,
                           .shape = sim->shape,
                           .x0 = sim->x0,
                           .x1 = sim->x1,
                           .arc = sim->arc,
                           .proximity = sim->proximity,
                           .spacing = sim->spacing,
                           .mode = d->mode,
                           .chains_touch = d->fibres,
                           .threads = sim->threads};
}

bool plait_sim_detect(plait_sim *sim, plait_attempt *a)
{
    plait_scenery s = scenery(sim);
    a->status = plait_detect(sim->detector, &s, &sim->previous, &sim->touches, a->error);
    return a->status == PLAIT_OK;
}

plait_status plait_sim_find_crossings(plait_sim *sim, plait_error *error)
{
    plait_scenery s = scenery(sim);
    plait_touches none = {0};
    return plait_detect_crossings(sim->detector, &s, 0, &none, &sim->missed, error);
}

// In the first rounds what would overlap by half is a contact too, so that it need not be pushed out again afterwards.
bool plait_sim_catch(plait_sim *sim, plait_attempt *a, bool *again)
{
    *again = false;
    if (!(sim->scene->detecting.mode & PLAIT_DETECT_CONTINUOUS))
        return true;
    plait_scenery s = scenery(sim);
    int before = sim->touches.count;
    double near = a->round < DEEP_ROUNDS ? DEEP : 0;
    a->status = plait_detect_crossings(sim->detector, &s, near, &sim->touches, &sim->missed, a->error);
    if (a->status != PLAIT_OK)
        return false;
    for (int i = 0; i < sim->missed.count; i++)
        if (!plait_sim_add_touch(sim, &sim->missed.touch[i]))
            return plait_sim_no_memory(sim, a);
    *again = sim->touches.count > before;
    return true;
}
