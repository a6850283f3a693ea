// corde_stiffness.c: second derivatives of the energy of a CoRdE rod, into the band.
//
// Turns are about world axes from the present configuration: a frame vector d goes to d + w x d + w x (w x d)/2. For a
// hinge with turns a before and b after, p goes to conj(qa) (1 + (b - a - a x b / 2)/2 + scalar) qb; the scalar does
// not change the strains, which do not depend on the length of p.
#include <string.h>

#include "body/corde.h"
#include "math/quat.h"

// H += s times the second derivatives by the turn of g . d: sym(g d^T) - (g . d) 1.
static void add_turn_turn(double *H, double s, const double *g, const double *d)
{
    double dot = plait_vec3_dot(g, d);
    plait_mat3_add_outer(H, 0.5 * s, g, d);
    plait_mat3_add_outer(H, 0.5 * s, d, g);
    H[0] -= s * dot, H[4] -= s * dot, H[8] -= s * dot;
}

static void edge_stiffness(const plait_rod *rod, int j, bool safe)
{
    const plait_corde *c = rod->impl;
    const plait_section *s = plait_rod_section(rod, j);
    const plait_chain_edge *edge = &c->now.edge[j];
    double rate = c->dt > 0 ? 1 / c->dt : 0, l = c->rest[j], k = c->align[j] * l, d3[3];
    double force = s->EA * (edge->length - l) / l + rate * s->viscous_EA * (edge->length - c->start_length[j]) / l;
    double along = (s->EA + rate * s->viscous_EA) / l, across = force / edge->length;
    double ee[9] = {0}, et[9] = {0}, tt[9] = {0}; // by the edge vector and the turn
    plait_mat3_column(c->now.R + 9 * j, 2, d3);
    double cosine = plait_vec3_dot(edge->t, d3), across3[3], bend = k / (edge->length * edge->length);
    if (safe) { // as if t - d3 were linear
        across = fmax(across, 0) + bend;
        plait_mat3_add_outer(tt, -k, d3, d3);
        tt[0] += k, tt[4] += k, tt[8] += k;
    } else { // k (1 - t . d3), exactly
        across += bend * cosine;
        for (int i = 0; i < 3; i++)
            across3[i] = d3[i] - cosine * edge->t[i];
        plait_mat3_add_outer(ee, bend, edge->t, across3);
        plait_mat3_add_outer(ee, bend, across3, edge->t);
        add_turn_turn(tt, -k, edge->t, d3);
    }
    plait_mat3_add_outer(ee, along - across, edge->t, edge->t);
    ee[0] += across, ee[4] += across, ee[8] += across;
    // -k/|e| (1 - t t^T) d(d3)/dturn = k/|e| (1 - t t^T) [d3]x
    double row[3];
    plait_vec3_cross(edge->t, d3, row);
    plait_mat3_add_cross(et, k / edge->length, d3);
    plait_mat3_add_outer(et, -k / edge->length, edge->t, row);
    for (int a = 0; c->dt > 0 && a < 2; a++) {
        double m = plait_corde_inertia(rod, j, a) * l * rate * rate, d[3];
        plait_mat3_column(c->now.R + 9 * j, a, d);
        if (safe) {
            plait_mat3_add_outer(tt, -m, d, d);
            tt[0] += m, tt[4] += m, tt[8] += m;
        } else {
            add_turn_turn(tt, -m, c->goal + 6 * j + 3 * a, d);
        }
    }
    double *band = c->chain.band, te[9];
    for (int i = 0; i < 9; i++)
        te[i] = et[3 * (i % 3) + i / 3];
    int x = 6 * j, turn = x + 3, y = x + 6;
    plait_chain_add(band, x, x, 1, ee);
    plait_chain_add(band, y, y, 1, ee);
    plait_chain_add(band, y, x, -1, ee);
    plait_chain_add(band, turn, turn, 1, tt);
    plait_chain_add(band, turn, x, -1, te);
    plait_chain_add(band, y, turn, 1, et);
}

// H[16] += m_k d2u_k/dp2 summed over k.
static void strain_curvature(const corde_hinge *h, const double moment[3], double H[16])
{
    const double *p = h->p;
    double z = p[2], w = p[3], m2 = z * z + w * w, m3 = 1 / (m2 * sqrt(m2)), m5 = m3 / m2, m4 = 1 / (m2 * m2);
    for (int k = 0; k < 2; k++) {
        double a = moment[k];
        H[4 * k + 2] -= 2 * a * z * m3, H[8 + k] -= 2 * a * z * m3;
        H[4 * k + 3] -= 2 * a * w * m3, H[12 + k] -= 2 * a * w * m3;
        H[10] += 2 * a * p[k] * (3 * z * z * m5 - m3);
        H[15] += 2 * a * p[k] * (3 * w * w * m5 - m3);
        H[11] += 6 * a * p[k] * z * w * m5, H[14] += 6 * a * p[k] * z * w * m5;
    }
    double b = moment[2];
    H[10] -= 4 * b * z * w * m4;
    H[15] += 4 * b * z * w * m4;
    H[11] += 2 * b * (z * z - w * w) * m4, H[14] += 2 * b * (z * z - w * w) * m4;
}

static void hinge_stiffness(const plait_rod *rod, int i, bool safe)
{
    const plait_corde *c = rod->impl;
    const corde_hinge *h = &c->now.hinge[i];
    double J[9], U[12], P[12], moment[3], H[9] = {0}, cross[9] = {0};
    plait_corde_strain_jacobian(h, c->now.q + 4 * i, c->now.q + 4 * (i + 1), J, U, P);
    plait_rod_more more = {0};
    if (plait_corde_remembers(c)) {
        double stiffness[3];
        plait_rod_site site = plait_corde_site(c, i, stiffness);
        plait_rod_law_more(&c->law, c->dt, &site, h->u, c->start_u + 3 * i, &more);
    }
    for (int k = 0; k < 3; k++) {
        double b = c->stiffness[3 * i + k] / c->voronoi[i];
        double v = c->dt > 0 ? c->viscous[3 * i + k] / (c->voronoi[i] * c->dt) : 0;
        moment[k] = b * (h->u[k] - c->natural[3 * i + k]) + v * (h->u[k] - c->start_u[3 * i + k]) + more.w[k];
        plait_mat3_add_outer(H, b + v + more.k[k], J + 3 * k, J + 3 * k);
    }
    if (more.cross != 0) {
        plait_mat3_add_outer(H, more.cross, J, J + 3);
        plait_mat3_add_outer(H, more.cross, J + 3, J);
    }
    if (!safe) {
        double Q[16] = {0}, torque[3];
        strain_curvature(h, moment, Q);
        for (int r = 0; r < 3; r++)
            for (int s = 0; s < 3; s++)
                for (int a = 0; a < 4; a++)
                    H[3 * r + s] += P[4 * r + a] * plait_quat_dot(Q + 4 * a, P + 4 * s);
        plait_mat3_apply_transposed(J, moment, torque);
        plait_mat3_add_cross(cross, -0.5, torque); // rows: edge after, columns: edge before
    }
    plait_mat3_add(cross, -1, H);
    double *band = c->chain.band;
    int before = 6 * (i - 1) + 3, after = 6 * i + 3;
    if (i > 0)
        plait_chain_add(band, before, before, 1, H);
    if (i < c->n)
        plait_chain_add(band, after, after, 1, H);
    if (i > 0 && i < c->n)
        plait_chain_add(band, after, before, 1, cross);
}

void plait_corde_hessian(plait_rod *rod, bool safe)
{
    plait_corde *c = rod->impl;
    double *band = c->chain.band, rate = c->dt > 0 ? 1 / c->dt : 0;
    memset(band, 0, plait_banded_room(rod->dofs) * sizeof *band);
    for (int i = 0; i <= c->n; i++) {
        for (int k = 0; k < 3; k++)
            band[(size_t)(6 * i + k) * PLAIT_BAND_STRIDE] += c->mass[i] * rate * (rate + rod->section.drag);
        if (plait_corde_has_hinge(c, i))
            hinge_stiffness(rod, i, safe);
    }
    for (int j = 0; j < c->n; j++)
        edge_stiffness(rod, j, safe);
}
