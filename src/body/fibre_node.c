// fibre_node.c: how the nodes of a fibre move with its dofs.
#include <math.h>
#include <string.h>

#include "body/fibre.h"
#include "math/vec3.h"

void plait_fibre_trace(plait_body *b)
{
    const plait_fibre_impl *p = b->impl;
    if (p->jacobian) {
        p->rod->type->trace(p->rod, p->samples, b->x0, p->jacobian, p->spins);
        memset(p->offset, 0, 3 * (size_t)b->nodes * sizeof *p->offset);
    } else {
        plait_rod_nodes(p->rod, p->samples, b->x0);
    }
}

// J v of a node.
static void node_rate(const plait_body *b, int node, const double *v, double u[3])
{
    const plait_fibre_impl *p = b->impl;
    int dofs = b->dofs;
    if (p->jacobian) {
        const double *J = p->jacobian + 3 * (size_t)node * (size_t)dofs;
        for (int k = 0; k < 3; k++, J += dofs) {
            u[k] = 0;
            for (int d = 0; d < dofs; d++)
                u[k] += J[d] * v[d];
        }
        return;
    }
    int stride = p->rod->stride, at = stride * (node / p->samples), next = at + stride;
    double a = (double)(node % p->samples) / p->samples;
    if (a == 0) {
        plait_vec3_copy(v + at, u);
        return;
    }
    for (int k = 0; k < 3; k++)
        u[k] = (1 - a) * v[at + k] + a * v[next + k];
}

// Velocity of a node: over the whole step, if it was linearised elsewhere than at its start.
static void node_velocity(const plait_body *b, int node, const double *v, double u[3])
{
    const plait_fibre_impl *p = b->impl;
    node_rate(b, node, v, u);
    if (p->offset)
        plait_vec3_axpy(1, p->offset + 3 * node, u);
}

void plait_fibre_move(plait_body *b, double dt, const double *v)
{
    for (int n = 0; n < b->nodes; n++) {
        double u[3];
        node_velocity(b, n, v, u);
        for (int k = 0; k < 3; k++)
            b->x1[3 * n + k] = b->x0[3 * n + k] + dt * u[k];
    }
}

double plait_fibre_fastest(const plait_body *b, const double *v)
{
    double fastest = 0;
    for (int n = 0; n < b->nodes; n++) {
        double u[3];
        node_rate(b, n, v, u);
        fastest = fmax(fastest, plait_vec3_norm(u));
    }
    return fastest;
}

void plait_fibre_point_velocity(const plait_body *b, const plait_side *side, const double *v, double u[3])
{
    double next[3];
    if (v) {
        node_velocity(b, side->segment, v, u);
        node_velocity(b, side->segment + 1, v, next);
        for (int k = 0; k < 3; k++)
            u[k] = (1 - side->a) * u[k] + side->a * next[k];
        return;
    }
    const double *at = b->u0 + 3 * side->segment;
    u[0] = u[1] = u[2] = 0;
    plait_vec3_axpy(1 - side->a, at, u);
    plait_vec3_axpy(side->a, at + 3, u);
}

static bool has_arm(const plait_side *side)
{
    return side->arm[0] != 0 || side->arm[1] != 0 || side->arm[2] != 0;
}

// J += what the arm adds, S: how the section turns, [3][count] both.
static void add_arm(const double arm[3], const double *S, int count, double *J)
{
    for (int d = 0; d < count; d++) {
        double turn[3] = {S[d], S[count + d], S[2 * count + d]}, more[3];
        plait_vec3_cross(turn, arm, more);
        for (int k = 0; k < 3; k++)
            J[k * count + d] += more[k];
    }
}

// The same of a curved fibre: S of its nodes.
static void add_curved_arm(const plait_body *b, const plait_side *side, int count, double *J)
{
    const double *x = plait_fibre_of(b)->spins + 3 * (size_t)side->segment * (size_t)b->dofs;
    const double *y = x + 3 * (size_t)b->dofs, *arm = side->arm;
    for (int d = 0; d < count; d++) {
        double turn[3], more[3];
        for (int k = 0; k < 3; k++)
            turn[k] = (1 - side->a) * x[k * b->dofs + d] + side->a * y[k * b->dofs + d];
        plait_vec3_cross(turn, arm, more);
        for (int k = 0; k < 3; k++)
            J[k * count + d] += more[k];
    }
}

int plait_fibre_limb(const plait_body *b, const plait_side *side, int *dof, double *J, double carried[3])
{
    const plait_fibre_impl *p = b->impl;
    const plait_rod *rod = p->rod;
    int dofs = b->dofs, segment = side->segment / p->samples, first = 0, count;
    if (p->jacobian) {
        const double *x = p->jacobian + 3 * (size_t)side->segment * (size_t)dofs, *y = x + 3 * (size_t)dofs;
        count = rod->type->reach(rod, segment); // the other columns are zero
        count = count < dofs ? count : dofs;
        for (int k = 0; k < 3; k++)
            for (int d = 0; d < count; d++)
                J[k * count + d] = (1 - side->a) * x[k * dofs + d] + side->a * y[k * dofs + d];
        if (p->spins && has_arm(side))
            add_curved_arm(b, side, count, J);
        plait_vec3_axpy(1 - side->a, p->offset + 3 * side->segment, carried);
        plait_vec3_axpy(side->a, p->offset + 3 * side->segment + 3, carried);
    } else {
        double position[3];
        count =
            rod->type->point(rod, segment, (side->segment % p->samples + side->a) / p->samples, position, &first, J);
        if (rod->type->spin && has_arm(side)) {
            double S[3 * PLAIT_FIBRE_NEAR];
            rod->type->spin(rod, segment, S);
            add_arm(side->arm, S, count, J);
        }
    }
    // Contacts do not move held dofs, but held dofs carry the point along.
    for (int d = 0; d < count; d++) {
        dof[d] = first + d;
        if (b->held[first + d])
            for (int k = 0; k < 3; k++) {
                carried[k] += J[k * count + d] * b->f[first + d];
                J[k * count + d] = 0;
            }
    }
    return count;
}

bool plait_fibre_section(const plait_body *b, int segment, double a, double R[9])
{
    const plait_fibre_impl *p = b->impl;
    const plait_rod *rod = p->rod;
    if (rod->type->section && b->response->turns) {
        rod->type->section(rod, segment / p->samples, (segment % p->samples + a) / p->samples, R);
        return true;
    }
    if (!rod->type->spin) // its sections turn in no way that contacts know of
        return false;
    rod->type->frames(rod, p->room);
    const double *frame = p->room + 9 * (size_t)(segment / p->samples);
    for (int k = 0; k < 9; k++)
        R[3 * (k % 3) + k / 3] = frame[k];
    return true;
}

bool plait_fibre_trace_end(plait_body *b, double dt, const double *v)
{
    plait_fibre_impl *p = b->impl;
    plait_rod *rod = p->rod;
    bool ok = rod->type->accept(rod, dt, v);
    if (ok)
        rod->type->trace(rod, p->samples, p->there, p->jacobian, p->spins);
    memcpy(rod->state, b->before, (size_t)b->state_size * sizeof *rod->state);
    for (int n = 0; ok && n < b->nodes; n++) {
        double u[3];
        node_rate(b, n, v, u);
        for (int k = 0; k < 3; k++)
            p->offset[3 * n + k] = (p->there[3 * n + k] - b->x0[3 * n + k]) / dt - u[k];
    }
    return ok;
}

double plait_fibre_miss(const plait_body *b)
{
    const plait_fibre_impl *p = b->impl;
    double worst = 0;
    if (!p->there)
        return 0;
    plait_rod_nodes(p->rod, p->samples, p->there);
    for (int n = 0; n < b->nodes; n++) {
        double d[3];
        plait_vec3_sub(p->there + 3 * n, b->x1 + 3 * n, d);
        worst = fmax(worst, plait_vec3_norm(d));
    }
    return worst;
}
