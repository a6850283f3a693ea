// corde_spend.c: what a step of a CoRdE rod costs.
#include "body/bdf2.h"
#include "body/corde.h"
#include "math/quat.h"

// The directors d1, d2 of a section have inertia too. Their velocity over the step is a difference of directors, but
// kinetic energy is that of the spin.
static void spend_section(const plait_rod *rod, double dt, const double *w, int j, plait_rod_spent *s)
{
    const plait_corde *c = rod->impl;
    double R0[9];
    plait_quat_matrix(c->q + 4 * j, R0);
    for (int k = 0; k < 2; k++) {
        double a = plait_corde_inertia(rod, j, k) * c->rest[j], d0[3], d1[3], V[3], more[3], spin0[3], spin1[3];
        plait_mat3_column(R0, k, d0);
        plait_mat3_column(c->now.R + 9 * j, k, d1);
        plait_vec3_cross(c->w + 3 * j, d0, spin0);
        plait_vec3_cross(w, d1, spin1);
        for (int i = 0; i < 3; i++) {
            V[i] = (d1[i] - d0[i]) / dt;
            more[i] = (d1[i] - c->goal[6 * j + 3 * k + i]) / dt;
        }
        double inertial = a * plait_vec3_dot(V, more);
        s->inertial += inertial;
        s->shed += inertial - 0.5 * a * (plait_vec3_dot(spin1, spin1) - plait_vec3_dot(spin0, spin0));
    }
    double d3[3];
    plait_mat3_column(c->now.R + 9 * j, 2, d3);
    s->loads += dt * rod->couple[j] * plait_vec3_dot(d3, w);
}

void plait_corde_spend(const plait_rod *rod, double dt, const double *v, plait_rod_spent *s)
{
    const plait_corde *c = rod->impl;
    for (int i = 0; i <= c->n; i++) {
        double m = c->mass[i];
        for (int k = 0; k < 3; k++) {
            double V = v[6 * i + k], more = V - c->v[3 * i + k];
            s->past += rod->second ? m * V * rod->second->bar[6 * i + k] : 0;
            s->inertial += m * V * more, s->shed += 0.5 * m * more * more, s->square += m * V * V;
            s->momentum[k] += m * V;
            s->loads += dt * V * rod->force[3 * i + k];
        }
        for (int k = 0; plait_corde_has_hinge(c, i) && k < 3; k++) {
            double change = c->now.hinge[i].u[k] - c->start_u[3 * i + k];
            s->damping += c->viscous[3 * i + k] * change * change / (c->voronoi[i] * dt);
        }
        if (plait_corde_remembers(c) && plait_corde_has_hinge(c, i)) {
            double b[3];
            plait_rod_more more;
            plait_rod_site site = plait_corde_site(c, i, b);
            plait_rod_law_more(&c->law, dt, &site, c->now.hinge[i].u, c->start_u + 3 * i, &more);
            s->plastic += more.lost, s->damping += more.branch;
        }
    }
    for (int j = 0; j < c->n; j++) {
        double change = c->now.edge[j].length - c->start_length[j];
        s->damping += plait_rod_section(rod, j)->viscous_EA * change * change / (c->rest[j] * dt);
        spend_section(rod, dt, v + 6 * j + 3, j, s);
    }
}
