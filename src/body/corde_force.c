// corde_force.c: energy and forces of a CoRdE rod.
#include <float.h>
#include <string.h>

#include "body/corde.h"
#include "math/quat.h"

static void add(plait_newton_value *v, double term)
{
    v->sum += term;
    v->magnitude += fabs(term);
}

// Inertia (implicit Euler: m/(2 dt^2) |delta - dt v|^2), drag, gravity and dead forces of node i.
static void node_terms(const plait_rod *rod, const corde_pose *p, int i, plait_newton_value *value, double *g)
{
    const plait_corde *c = rod->impl;
    double mass = c->mass[i], rate = c->dt > 0 ? 1 / c->dt : 0, drag = rod->section.drag * rate;
    for (int k = 0; k < 3; k++) {
        double d = p->delta[6 * i + k], load = mass * rod->gravity[k] + rod->force[3 * i + k];
        double off = d - c->dt * c->v[3 * i + k];
        if (c->dt > 0) {
            add(value, 0.5 * mass * (rate * rate * off * off + drag * d * d));
            value->magnitude += mass * rate * rate * fabs(off) * (fabs(d) + fabs(c->dt * c->v[3 * i + k]));
        }
        add(value, -load * d);
        if (g)
            g[6 * i + k] += (c->dt > 0 ? mass * (rate * rate * off + drag * d) : 0) - load;
    }
}

// Spin of the section: inertia[k]/(2 dt^2) |d_k - goal_k|^2 per length, and the couple, which follows the tangent.
static void spin_terms(const plait_rod *rod, const corde_pose *p, int j, plait_newton_value *value, double *g)
{
    const plait_corde *c = rod->impl;
    double d[3], off[3], torque[3], rate = c->dt > 0 ? 1 / c->dt : 0;
    for (int k = 0; c->dt > 0 && k < 2; k++) {
        double a = plait_corde_inertia(rod, j, k) * c->rest[j] * rate * rate;
        const double *goal = c->goal + 6 * j + 3 * k;
        plait_mat3_column(p->R + 9 * j, k, d);
        plait_vec3_sub(d, goal, off);
        add(value, 0.5 * a * plait_vec3_dot(off, off));
        value->magnitude += a * plait_vec3_norm(off); // the directors are of length 1
        plait_vec3_cross(d, off, torque);
        for (int i = 0; g && i < 3; i++)
            g[6 * j + 3 + i] += a * torque[i];
    }
    if (rod->couple[j] == 0)
        return;
    plait_mat3_column(c->now.R + 9 * j, 2, d);
    add(value, -rod->couple[j] * plait_vec3_dot(d, p->turn + 3 * j));
    plait_mat3_column(p->R + 9 * j, 2, d);
    for (int i = 0; g && i < 3; i++)
        g[6 * j + 3 + i] -= rod->couple[j] * d[i];
}

// Stretch and alignment of edge j.
static void edge_terms(const plait_rod *rod, const corde_pose *p, int j, plait_newton_value *value, double *g)
{
    const plait_corde *c = rod->impl;
    const plait_section *s = plait_rod_section(rod, j);
    const plait_chain_edge *edge = &p->edge[j];
    double l = c->rest[j], strain = (edge->length - l) / l, force = s->EA * strain, k = c->align[j] * l, d3[3], off[3];
    add(value, 0.5 * l * force * strain);
    value->magnitude += fabs(force) * edge->length; // the strain is a difference of lengths
    if (c->dt > 0 && s->viscous_EA > 0) {
        double change = (edge->length - c->start_length[j]) / l, viscous = s->viscous_EA / c->dt;
        add(value, 0.5 * l * viscous * change * change);
        force += viscous * change;
    }
    plait_mat3_column(p->R + 9 * j, 2, d3);
    plait_vec3_sub(edge->t, d3, off);
    add(value, 0.5 * k * plait_vec3_dot(off, off));
    value->magnitude += k * plait_vec3_norm(off);
    if (!g)
        return;
    double cosine = plait_vec3_dot(edge->t, d3), torque[3];
    plait_vec3_cross(d3, edge->t, torque);
    for (int i = 0; i < 3; i++) {
        double f = force * edge->t[i] - k * (d3[i] - cosine * edge->t[i]) / edge->length;
        g[6 * j + i] -= f;
        g[6 * j + 6 + i] += f;
        g[6 * j + 3 + i] -= k * torque[i];
    }
}

void plait_corde_strain_jacobian(const corde_hinge *h, const double *qa, const double *qb, double J[9], double U[12],
                                 double P[12])
{
    const double *p = h->p;
    double m2 = p[2] * p[2] + p[3] * p[3], m = sqrt(m2), inverse = 1 / (m2 * m);
    // U[4 k + i] = du_k/dp_i
    for (int k = 0; k < 2; k++) {
        double *row = U + 4 * k;
        row[k] = 2 / m, row[1 - k] = 0;
        row[2] = -2 * p[k] * p[2] * inverse;
        row[3] = -2 * p[k] * p[3] * inverse;
    }
    U[8] = U[9] = 0, U[10] = 2 * p[3] / m2, U[11] = -2 * p[2] / m2;
    // P[4 k + i] = dp_i/dturn_k: conj(qa) e_k qb / 2, with the sign of h->p
    double plain[4];
    plait_quat_between(qa, qb, plain);
    double sign = plait_quat_dot(plain, p) < 0 ? -0.5 : 0.5;
    for (int k = 0; k < 3; k++) {
        double e[4] = {k == 0, k == 1, k == 2, 0}, moved[4];
        plait_quat_multiply(e, qb, moved);
        plait_quat_between(qa, moved, P + 4 * k);
        for (int i = 0; i < 4; i++)
            P[4 * k + i] *= sign;
    }
    for (int r = 0; r < 3; r++)
        for (int k = 0; k < 3; k++)
            J[3 * r + k] = plait_quat_dot(U + 4 * r, P + 4 * k);
}

static void hinge_terms(const plait_rod *rod, const corde_pose *p, int i, plait_newton_value *value, double *g)
{
    const plait_corde *c = rod->impl;
    const corde_hinge *h = &p->hinge[i];
    double moment[3];
    for (int k = 0; k < 3; k++) {
        double off = h->u[k] - c->natural[3 * i + k], b = c->stiffness[3 * i + k] / c->voronoi[i];
        moment[k] = b * off;
        add(value, 0.5 * b * off * off);
        value->magnitude += fabs(moment[k]);
        if (c->dt > 0 && c->viscous[3 * i + k] > 0) {
            double change = h->u[k] - c->start_u[3 * i + k], v = c->viscous[3 * i + k] / (c->voronoi[i] * c->dt);
            add(value, 0.5 * v * change * change);
            moment[k] += v * change;
        }
    }
    if (plait_corde_remembers(c)) {
        double b[3];
        plait_rod_more more;
        plait_rod_site site = plait_corde_site(c, i, b);
        plait_rod_law_more(&c->law, c->dt, &site, h->u, c->start_u + 3 * i, &more);
        add(value, more.value);
        plait_vec3_axpy(1, more.w, moment);
    }
    if (!g)
        return;
    double J[9], U[12], P[12], torque[3];
    plait_corde_strain_jacobian(h, p->q + 4 * i, p->q + 4 * (i + 1), J, U, P);
    plait_mat3_apply_transposed(J, moment, torque);
    for (int k = 0; k < 3; k++) {
        if (i > 0)
            g[6 * (i - 1) + 3 + k] -= torque[k];
        if (i < c->n)
            g[6 * i + 3 + k] += torque[k];
    }
}

plait_newton_value plait_corde_evaluate(plait_rod *rod, bool trial, double *g)
{
    const plait_corde *c = rod->impl;
    const corde_pose *p = trial ? &c->trial : &c->now;
    plait_newton_value value = {0, 0};
    if (g)
        memset(g, 0, (size_t)rod->dofs * sizeof *g);
    for (int i = 0; i <= c->n; i++) {
        node_terms(rod, p, i, &value, g);
        if (plait_corde_has_hinge(c, i))
            hinge_terms(rod, p, i, &value, g);
    }
    for (int j = 0; j < c->n; j++) {
        edge_terms(rod, p, j, &value, g);
        spin_terms(rod, p, j, &value, g);
    }
    return value;
}

double plait_corde_residual(const plait_rod *rod, double *scale, double *rounding)
{
    const plait_corde *c = rod->impl;
    double worst = 0, force = 0, noise = 0, rate = c->dt > 0 ? 1 / c->dt : 0;
    for (int i = 0; i < rod->dofs; i++) {
        bool turn = i % 6 > 2;
        double g = c->chain.fixed[i] ? 0 : fabs(c->chain.gradient[i]) / (turn ? c->rest[i / 6] : 1);
        if (!(g <= worst))
            worst = g;
    }
    for (int i = 0; i <= c->n; i++) {
        double off[3], far = 0;
        for (int k = 0; k < 3; k++) {
            double d = c->now.delta[6 * i + k];
            off[k] = rate * (rate * d - c->v[3 * i + k]);
            far += fabs(d) * rate * rate + fabs(c->v[3 * i + k]) * rate;
        }
        force +=
            c->mass[i] * (plait_vec3_norm(rod->gravity) + plait_vec3_norm(off)) + plait_vec3_norm(rod->force + 3 * i);
        noise = fmax(noise, c->mass[i] * far);
    }
    for (int j = 0; j < c->n; j++) {
        const plait_section *s = plait_rod_section(rod, j);
        double l = c->rest[j], far = plait_vec3_norm(c->x + 3 * j) + plait_vec3_norm(c->now.delta + 6 * j);
        force = fmax(force, s->EA * fabs(c->now.edge[j].length / l - 1));
        noise = fmax(noise, (s->EA + rate * s->viscous_EA + c->align[j]) * (far + l) / l);
        noise = fmax(noise, rate * rate * (plait_corde_inertia(rod, j, 0) + plait_corde_inertia(rod, j, 1)) *
                                (1 + c->dt * plait_vec3_norm(c->w + 3 * j)));
        noise = fmax(noise, fabs(rod->couple[j]) / l);
        force = fmax(force, fabs(rod->couple[j]) / l);
    }
    for (int i = 0; i <= c->n; i++) {
        double l = c->rest[i < c->n ? i : i - 1];
        for (int k = 0; plait_corde_has_hinge(c, i) && k < 3; k++) {
            double b = c->stiffness[3 * i + k] / (c->voronoi[i] * l), u = c->now.hinge[i].u[k],
                   natural = c->natural[3 * i + k];
            force = fmax(force, b * fabs(u - natural));
            double slow = rate * c->viscous[3 * i + k] / (c->voronoi[i] * l);
            noise = fmax(noise, (b + slow) * (1 + fabs(u) + fabs(natural)));
        }
    }
    *scale = force;
    *rounding = 4 * DBL_EPSILON * noise;
    return worst;
}
