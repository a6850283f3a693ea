// geometry.c: where everything is: colliders along their motion, anchored ends, nodes and their derivatives.
#include <math.h>
#include <string.h>

#include "base/parallel.h"
#include "math/quat.h"
#include "math/vec3.h"
#include "sim/sim.h"

// ---- colliders -----------------------------------------------------------------------------------------------------

plait_pose plait_collider_pose_at(const plait_collider *c, double t)
{
    plait_pose pose;
    double shift[3], turn[4], q0[4], R[9], arm[3];
    plait_motion_at(&c->motion, t, shift, turn);
    plait_quat_exp(c->rotation, q0);
    plait_quat_multiply(turn, q0, pose.q);
    plait_quat_normalise(pose.q);
    plait_quat_matrix(turn, R);
    plait_vec3_sub(c->position, c->motion.pivot, arm);
    plait_mat3_apply(R, arm, pose.x);
    for (int k = 0; k < 3; k++)
        pose.x[k] += c->motion.pivot[k] + shift[k];
    return pose;
}

void plait_shape_points_at(const plait_shape *s, double t, double *point)
{
    double at = fmin(fmax(t / s->frame_time, 0), s->frames - 1);
    int i = (int)at;
    i = i > s->frames - 2 ? (s->frames > 1 ? s->frames - 2 : 0) : i;
    double a = s->frames > 1 ? at - i : 0;
    const double *from = s->frame + (size_t)i * 3 * (size_t)s->points,
                 *to = s->frames > 1 ? from + 3 * s->points : from;
    for (int k = 0; k < 3 * s->points; k++)
        point[k] = (1 - a) * from[k] + a * to[k];
}

void plait_sim_set_shapes(plait_sim *sim, double dt)
{
    const plait_scene *scene = sim->scene;
    for (int i = 0; i < scene->colliders; i++) {
        const plait_collider *c = &scene->collider[i];
        plait_shape_geometry *g = &sim->shape[i];
        *g = (plait_shape_geometry){.shape = &c->shape, .material = c->material};
        g->start = plait_collider_pose_at(c, sim->time);
        g->end = plait_collider_pose_at(c, sim->time + dt);
        g->point0 = g->point1 = c->shape.point;
        if (c->shape.frames > 0) {
            plait_shape_points_at(&c->shape, sim->time, sim->points[2 * i]);
            plait_shape_points_at(&c->shape, sim->time + dt, sim->points[2 * i + 1]);
            g->point0 = sim->points[2 * i], g->point1 = sim->points[2 * i + 1];
        }
    }
}

// ---- ends and wind -------------------------------------------------------------------------------------------------

void plait_sim_set_scene(plait_sim *sim, double dt)
{
    const plait_scene *scene = sim->scene;
    plait_sim_set_shapes(sim, dt);
    double wave = sin(2 * M_PI * scene->gust_frequency * (sim->time + dt));
    for (int i = 0; i < sim->fibres; i++) {
        plait_sim_fibre *fibre = &sim->fibre[i];
        for (int e = 0; e < 2; e++)
            plait_sim_set_end(sim, fibre, e);
        // Drag pulls towards the velocity of the air: drag (wind - v); the part with v belongs to the model.
        for (int k = 0; k < 3; k++)
            fibre->rod->gravity[k] = scene->gravity[k] + fibre->drag * (scene->wind[k] + wave * scene->gust[k]);
    }
}

// ---- nodes ---------------------------------------------------------------------------------------------------------

// Straight segments: the nodes between the model's.
static void subdivide(int segments, int samples, double *x)
{
    if (samples == 1)
        return;
    for (int i = segments * samples; i > 0; i--) { // from the back, in place
        int j = i / samples;
        double a = (double)(i % samples) / samples;
        for (int k = 0; k < 3; k++)
            x[3 * i + k] = a > 0 ? (1 - a) * x[3 * j + k] + a * x[3 * j + 3 + k] : x[3 * j + k];
    }
}

// Nodes, and derivatives if J is not NULL, in the present state.
static void trace_fibre(const plait_sim_fibre *fibre, double *x, double *J)
{
    if (fibre->rod->type->trace) {
        fibre->rod->type->trace(fibre->rod, fibre->samples, x, J);
    } else {
        fibre->rod->type->positions(fibre->rod, x);
        subdivide(fibre->rod->segments, fibre->samples, x);
    }
}

void plait_sim_fibre_positions(const plait_sim *sim, int fibre, double *x)
{
    trace_fibre(&sim->fibre[fibre], x, NULL);
}

void plait_sim_trace(plait_sim *sim)
{
#pragma omp parallel for schedule(dynamic, 8) num_threads(sim->threads) if (sim->threads > 1 && sim->fibres > 1)
    for (int i = 0; i < sim->fibres; i++) {
        int first = sim->first_node[i], nodes = sim->first_node[i + 1] - first;
        trace_fibre(&sim->fibre[i], sim->x0 + 3 * first, sim->fibre[i].jacobian);
        if (sim->fibre[i].offset)
            memset(sim->fibre[i].offset, 0, 3 * (size_t)nodes * sizeof *sim->fibre[i].offset);
    }
}

double plait_sim_miss(const plait_sim *sim, int i)
{
    const plait_sim_fibre *fibre = &sim->fibre[i];
    int first = sim->first_node[i], nodes = sim->first_node[i + 1] - first;
    double worst = 0, *there = fibre->there;
    if (!there)
        return 0;
    plait_sim_fibre_positions(sim, i, there);
    for (int n = 0; n < nodes; n++) {
        double d[3];
        plait_vec3_sub(there + 3 * n, sim->x1 + 3 * (first + n), d);
        worst = fmax(worst, plait_vec3_norm(d));
    }
    return worst;
}

// J v of a node of a fibre, v: of this fibre.
static void node_rate(const plait_sim *sim, int i, int node, const double *v, double u[3])
{
    const plait_sim_fibre *fibre = &sim->fibre[i];
    int dofs = fibre->rod->dofs;
    if (fibre->jacobian) {
        const double *J = fibre->jacobian + 3 * (size_t)node * (size_t)dofs;
        for (int k = 0; k < 3; k++, J += dofs) {
            u[k] = 0;
            for (int d = 0; d < dofs; d++)
                u[k] += J[d] * v[d];
        }
        return;
    }
    int at = fibre->stride * (node / fibre->samples), next = at + fibre->stride;
    double a = (double)(node % fibre->samples) / fibre->samples;
    if (a == 0) {
        plait_vec3_copy(v + at, u);
        return;
    }
    for (int k = 0; k < 3; k++)
        u[k] = (1 - a) * v[at + k] + a * v[next + k];
}

// Velocity of a node of a fibre: over the whole step, if it was linearised elsewhere than at its start.
static void node_velocity(const plait_sim *sim, int i, int node, const double *v, double u[3])
{
    node_rate(sim, i, node, v, u);
    if (sim->fibre[i].offset)
        plait_vec3_axpy(1, sim->fibre[i].offset + 3 * node, u);
}

void plait_sim_move_nodes(const plait_sim *sim, double dt, const double *v, double *out)
{
#pragma omp parallel for schedule(dynamic, 8) num_threads(sim->threads) if (sim->threads > 1 && sim->fibres > 1)
    for (int i = 0; i < sim->fibres; i++) {
        int nodes = sim->first_node[i + 1] - sim->first_node[i];
        for (int n = 0; n < nodes; n++) {
            double u[3];
            int at = 3 * (sim->first_node[i] + n);
            node_velocity(sim, i, n, v + sim->first_dof[i], u);
            for (int k = 0; k < 3; k++)
                out[at + k] = sim->x0[at + k] + dt * u[k];
        }
    }
}

double plait_sim_fastest_node(const plait_sim *sim, int fibre, const double *v)
{
    double fastest = 0;
    for (int n = 0; n < sim->first_node[fibre + 1] - sim->first_node[fibre]; n++) {
        double u[3];
        node_rate(sim, fibre, n, v, u);
        fastest = fmax(fastest, plait_vec3_norm(u));
    }
    return fastest;
}

static int rigid_of(const plait_sim *sim, const plait_side *side)
{
    return side->on_shape && side->index >= sim->scene->colliders ? side->index - sim->scene->colliders : -1;
}

void plait_sim_point_velocity(const plait_sim *sim, const plait_side *side, const double *v, double u[3])
{
    int r = rigid_of(sim, side);
    if (!side->on_shape) {
        double next[3];
        node_velocity(sim, side->index, side->segment, v + sim->first_dof[side->index], u);
        node_velocity(sim, side->index, side->segment + 1, v + sim->first_dof[side->index], next);
        for (int k = 0; k < 3; k++)
            u[k] = (1 - side->a) * u[k] + side->a * next[k];
    } else if (r >= 0) {
        const double *w = v + sim->first_dof[sim->fibres + r];
        double arm[3];
        plait_vec3_sub(side->point, sim->rigid[r].pose.x, arm);
        plait_vec3_cross(w + 3, arm, u);
        plait_vec3_axpy(1, w, u);
    } else {
        u[0] = u[1] = u[2] = 0;
    }
}

void plait_sim_node_velocities(const plait_sim *sim, double *u)
{
    for (int i = 0; i < sim->fibres; i++) {
        const plait_sim_fibre *fibre = &sim->fibre[i];
        double *to = u + 3 * sim->first_node[i];
        fibre->rod->type->velocities(fibre->rod, to);
        subdivide(fibre->rod->segments, fibre->samples, to);
    }
}

void plait_sim_point_velocity_before(const plait_sim *sim, const plait_side *side, double u[3])
{
    int r = rigid_of(sim, side);
    u[0] = u[1] = u[2] = 0;
    if (!side->on_shape) {
        const double *at = sim->u0 + 3 * (sim->first_node[side->index] + side->segment);
        plait_vec3_axpy(1 - side->a, at, u);
        plait_vec3_axpy(side->a, at + 3, u);
    } else if (r >= 0) {
        double arm[3];
        plait_vec3_sub(side->point, sim->rigid[r].pose.x, arm);
        plait_vec3_cross(sim->rigid[r].spin, arm, u);
        plait_vec3_axpy(1, sim->rigid[r].velocity, u);
    }
}

static void rigid_jacobian(const double arm[3], double *J)
{
    memset(J, 0, 18 * sizeof *J);
    for (int k = 0; k < 3; k++)
        J[6 * k + k] = 1;
    // v + w x arm
    J[4] = arm[2], J[5] = -arm[1];
    J[6 + 3] = -arm[2], J[6 + 5] = arm[0];
    J[12 + 3] = arm[1], J[12 + 4] = -arm[0];
}

static void chain_jacobian(const plait_sim *sim, const plait_side *side, int *first, int *count, double *J,
                           double carried[3])
{
    const plait_sim_fibre *fibre = &sim->fibre[side->index];
    const plait_rod *rod = fibre->rod;
    int dofs = rod->dofs;
    if (fibre->jacobian) {
        const double *a = fibre->jacobian + 3 * (size_t)side->segment * (size_t)dofs, *b = a + 3 * (size_t)dofs;
        // A point does not depend on what comes after it: its last columns are zero.
        int used = (side->segment / fibre->samples + 1) * 3 + 6;
        *first = 0, *count = used < dofs ? used : dofs;
        for (int k = 0; k < 3; k++)
            for (int d = 0; d < *count; d++)
                J[k * *count + d] = (1 - side->a) * a[k * dofs + d] + side->a * b[k * dofs + d];
        plait_vec3_axpy(1 - side->a, fibre->offset + 3 * side->segment, carried);
        plait_vec3_axpy(side->a, fibre->offset + 3 * side->segment + 3, carried);
    } else {
        double position[3];
        int segment = side->segment / fibre->samples;
        *count = rod->type->point(rod, segment, (side->segment % fibre->samples + side->a) / fibre->samples, position,
                                  first, J);
    }
    // Contacts do not move held dofs, but held dofs carry the point along.
    for (int d = 0; d < *count; d++)
        if (fibre->held[*first + d])
            for (int k = 0; k < 3; k++) {
                carried[k] += J[k * *count + d] * fibre->f[*first + d];
                J[k * *count + d] = 0;
            }
}

int plait_sim_point_jacobian(const plait_sim *sim, const plait_side *side, int *first, int *count, double *J,
                             double carried[3])
{
    int r = rigid_of(sim, side);
    carried[0] = carried[1] = carried[2] = 0;
    if (!side->on_shape) {
        chain_jacobian(sim, side, first, count, J, carried);
        return side->index;
    }
    if (r < 0)
        return -1;
    double arm[3];
    plait_vec3_sub(side->point, sim->rigid[r].pose.x, arm);
    rigid_jacobian(arm, J);
    *first = 0, *count = 6;
    return sim->fibres + r;
}

// The places and derivatives of a curved fibre at the end of a step with velocity v, instead of those at its start.
static bool trace_end(plait_sim *sim, int i, double dt, const double *v)
{
    plait_sim_fibre *fibre = &sim->fibre[i];
    plait_rod *rod = fibre->rod;
    int first = sim->first_node[i], nodes = sim->first_node[i + 1] - first;
    bool ok = rod->type->accept(rod, dt, v);
    if (ok)
        rod->type->trace(rod, fibre->samples, fibre->there, fibre->jacobian);
    memcpy(rod->state, fibre->state, (size_t)rod->state_size * sizeof *rod->state);
    for (int n = 0; ok && n < nodes; n++) {
        double u[3], *offset = fibre->offset + 3 * n;
        node_rate(sim, i, n, v, u);
        for (int k = 0; k < 3; k++)
            offset[k] = (fibre->there[3 * n + k] - sim->x0[3 * (first + n) + k]) / dt - u[k];
    }
    return ok;
}

bool plait_sim_linearise(plait_sim *sim, int i, double dt, const double *v)
{
    plait_sim_fibre *fibre = &sim->fibre[i];
    if (fibre->jacobian && sim->scene->stepping.scheme == PLAIT_SCHEME_ADONIS && !trace_end(sim, i, dt, v))
        return false;
    if (!fibre->rod->type->linearise(fibre->rod, dt, v, fibre->f))
        return false;
    fibre->rod->type->matrix(fibre->rod, fibre->M, fibre->held);
    if (sim->scene->stepping.theta < 1)
        plait_sim_theta_mix(sim, i);
    return true;
}

double plait_sim_stretch(const plait_sim *sim, int i, const double *x)
{
    const plait_sim_fibre *fibre = &sim->fibre[i];
    if (!(fibre->rod->type->abilities & PLAIT_ROD_STRETCHES))
        return 0;
    const double *arc = sim->arc + sim->first_node[i];
    double worst = 0;
    for (int n = 0; n + 1 < sim->first_node[i + 1] - sim->first_node[i]; n++) {
        double d[3];
        plait_vec3_sub(x + 3 * (n + 1), x + 3 * n, d);
        worst = fmax(worst, fabs(plait_vec3_norm(d) / (arc[n + 1] - arc[n]) - 1));
    }
    return worst;
}
