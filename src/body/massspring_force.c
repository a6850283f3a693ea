// massspring_force.c: energy, forces and stiffness of a mass-spring chain.
#include <float.h>
#include <string.h>

#include "body/bdf2.h"
#include "body/massspring.h"
#include "math/quat.h"

static const double FOLDED = 1e-7; // 1 + cos of the turning angle below which a hinge counts as folded

// ---- ends and start ----------------------------------------------------------------------------------------------

static void hold(plait_massspring *m, int node, const double position[3], unsigned slide)
{
    for (int k = 0; k < 3; k++) {
        if (slide >> k & 1u)
            continue;
        m->chain.fixed[3 * node + k] = 1;
        m->chain.target[3 * node + k] = position[k] - m->x[3 * node + k];
    }
}

static void set_ends(plait_rod *rod)
{
    plait_massspring *m = rod->impl;
    memset(m->chain.fixed, 0, (size_t)rod->dofs);
    memset(m->chain.target, 0, (size_t)rod->dofs * sizeof *m->chain.target);
    for (int e = 0; e < 2; e++) {
        const plait_end *end = &rod->end[e];
        int node = e ? m->n : 0;
        m->hinge[e] = end->kind == PLAIT_END_CLAMPED;
        if (end->kind != PLAIT_END_FREE)
            hold(m, node, end->position, end->kind == PLAIT_END_EDGE ? 0 : end->slide);
        if (end->kind == PLAIT_END_EDGE) {
            double other[3], length = m->rest[e ? m->n - 1 : 0];
            for (int k = 0; k < 3; k++)
                other[k] = end->position[k] + (e ? -length : length) * end->tangent[k];
            hold(m, e ? m->n - 1 : 1, other, 0);
        }
        ms_edge *ghost[2] = {&m->now.edge[e ? m->n + 1 : 0], &m->trial.edge[e ? m->n + 1 : 0]};
        for (int k = 0; k < 2; k++) {
            plait_vec3_copy(end->tangent, ghost[k]->t);
            ghost[k]->length = 1;
        }
    }
}

static void binormal(const ms_edge *a, const ms_edge *b, double kb[3])
{
    double s = 2 / fmax(1 + plait_vec3_dot(a->t, b->t), FOLDED);
    plait_vec3_cross(a->t, b->t, kb);
    for (int k = 0; k < 3; k++)
        kb[k] *= s;
}

// The binormals of the start, turned by the shortest rotation of the edge before (after, at the first clamp).
static void turn_curves(plait_massspring *m)
{
    for (int i = 0; i <= m->n; i++) {
        int j = i > 0 ? i - 1 : 0;
        double t[3];
        plait_vec3_copy(m->start_edge + 3 * j, t);
        plait_vec3_normalise(t);
        plait_vec3_transport(t, m->now.edge[j + 1].t, m->start_curve + 3 * i, m->curve + 3 * i);
    }
}

void plait_massspring_start(plait_rod *rod, double dt)
{
    plait_massspring *m = rod->impl;
    m->dt = dt;
    memset(m->now.delta, 0, (size_t)rod->dofs * sizeof *m->now.delta);
    for (int j = 0; j < m->n; j++) {
        ms_edge *edge = &m->now.edge[j + 1];
        plait_vec3_sub(m->x + 3 * (j + 1), m->x + 3 * j, edge->t);
        plait_vec3_copy(edge->t, m->start_edge + 3 * j);
        edge->length = m->start_length[j] = plait_vec3_normalise(edge->t);
    }
    set_ends(rod);
    for (int i = 0; m->creep && i <= m->n; i++)
        if (plait_massspring_has_hinge(m, i))
            m->start_turn[i] = plait_massspring_turn(m->now.edge[i].t, m->now.edge[i + 1].t);
    for (int i = 0; m->viscous && i <= m->n; i++)
        if (plait_massspring_has_hinge(m, i))
            binormal(&m->now.edge[i], &m->now.edge[i + 1], m->start_curve + 3 * i);
    if (m->viscous)
        turn_curves(m);
}

// ---- configurations ----------------------------------------------------------------------------------------------

static bool try_step(plait_rod *rod, double alpha, bool curved)
{
    plait_massspring *m = rod->impl;
    ms_pose *p = &m->trial;
    if (curved)
        plait_chain_curve(&m->chain, m->n, 3, m->now.edge + 1, m->start_edge, m->now.delta, alpha, p->delta);
    for (int i = 0; !curved && i < rod->dofs; i++)
        p->delta[i] = m->now.delta[i] + alpha * m->chain.step[i];
    for (int j = 0; j < m->n; j++) {
        ms_edge *edge = &p->edge[j + 1];
        for (int k = 0; k < 3; k++)
            edge->t[k] = m->start_edge[3 * j + k] + (p->delta[3 * j + 3 + k] - p->delta[3 * j + k]);
        edge->length = plait_vec3_normalise(edge->t);
        if (!(edge->length > 1e-6 * m->rest[j]) || !(edge->length < 1e12 * m->rest[j]))
            return false;
    }
    for (int i = 0; i <= m->n; i++)
        if (plait_massspring_has_hinge(m, i) && !(1 + plait_vec3_dot(p->edge[i].t, p->edge[i + 1].t) > FOLDED))
            return false;
    return true;
}

static void accept(plait_rod *rod)
{
    plait_massspring *m = rod->impl;
    ms_pose swap = m->now;
    m->now = m->trial;
    m->trial = swap;
    if (m->viscous)
        turn_curves(m);
}

static double stretch_of(const plait_massspring *m, const ms_pose *pose)
{
    double worst = 0;
    for (int j = 0; j < m->n; j++)
        worst = fmax(worst, fabs(pose->edge[j + 1].length / m->rest[j] - 1));
    return worst;
}

double plait_massspring_stretch(const plait_rod *rod)
{
    const plait_massspring *m = rod->impl;
    return stretch_of(m, &m->now);
}

static double trial_stretch(const plait_rod *rod)
{
    const plait_massspring *m = rod->impl;
    return stretch_of(m, &m->trial);
}

static double turn(const plait_rod *rod)
{
    const plait_massspring *m = rod->impl;
    double worst = 0;
    for (int j = 0; j < m->n; j++) {
        double change[3];
        plait_vec3_sub(m->chain.step + 3 * j + 3, m->chain.step + 3 * j, change);
        worst = fmax(worst, plait_vec3_norm(change) / m->now.edge[j + 1].length);
    }
    return worst;
}

// ---- energy and gradient -----------------------------------------------------------------------------------------

static void add(plait_newton_value *v, double term)
{
    v->sum += term;
    v->magnitude += fabs(term);
}

// Inertia (implicit Euler: m/(2 dt^2) |delta - dt v|^2), drag, gravity and dead forces of node i.
static void node_terms(const plait_rod *rod, const ms_pose *p, int i, plait_newton_value *value, double *g)
{
    const plait_massspring *m = rod->impl;
    const double *d = p->delta + 3 * i;
    double mass = m->mass[i], rate = m->dt > 0 ? 1 / m->dt : 0, drag = rod->section.drag * rate;
    for (int k = 0; k < 3; k++) {
        double load = mass * rod->gravity[k] + rod->force[3 * i + k], off = d[k] - m->dt * m->v[3 * i + k];
        if (m->dt > 0) {
            add(value, 0.5 * mass * (rate * rate * off * off + drag * d[k] * d[k]));
            value->magnitude += mass * rate * rate * fabs(off) * (fabs(d[k]) + fabs(m->dt * m->v[3 * i + k]));
        }
        add(value, -load * d[k]);
        if (g)
            g[3 * i + k] += (m->dt > 0 ? mass * (rate * rate * off + drag * d[k]) : 0) - load;
    }
}

static double tension(const plait_rod *rod, const ms_pose *p, int j, plait_newton_value *value)
{
    const plait_massspring *m = rod->impl;
    const plait_section *s = plait_rod_section(rod, j);
    double l = m->rest[j], strain = (p->edge[j + 1].length - l) / l, force = s->EA * strain;
    add(value, 0.5 * l * force * strain);
    value->magnitude += fabs(force) * p->edge[j + 1].length; // the strain is a difference of lengths
    if (m->dt > 0 && s->viscous_EA > 0) {
        double change = (p->edge[j + 1].length - m->start_length[j]) / l, c = s->viscous_EA / m->dt;
        add(value, 0.5 * l * c * change * change);
        force += c * change;
    }
    return force;
}

// Derivative of the hinge's binormal by its two edges, transposed: columns are by the components of k b.
static void binormal_jacobian(const ms_edge *a, const ms_edge *b, double J0[9], double J1[9])
{
    double chi = 1 + plait_vec3_dot(a->t, b->t), kb[3], A[9] = {0}, B[9] = {0};
    binormal(a, b, kb);
    plait_mat3_add_cross(A, -2 / chi, b->t);
    plait_mat3_add_outer(A, -1 / chi, kb, b->t);
    plait_mat3_add_cross(B, 2 / chi, a->t);
    plait_mat3_add_outer(B, -1 / chi, kb, a->t);
    // by the edge, not by its direction: times (1 - t t^T) / length
    double At[3], Bt[3];
    plait_mat3_apply(A, a->t, At);
    plait_mat3_apply(B, b->t, Bt);
    plait_mat3_add_outer(A, -1, At, a->t);
    plait_mat3_add_outer(B, -1, Bt, b->t);
    for (int k = 0; k < 9; k++) {
        J0[k] = A[k] / a->length;
        J1[k] = B[k] / b->length;
    }
}

// Energy f(c) of a hinge with its first two derivatives by c.
typedef struct hinge_law {
    double f, d1, d2;
} hinge_law;

static hinge_law law(const plait_massspring *m, int i, const ms_edge *a, const ms_edge *b)
{
    double d[3], k = m->bend[i] / m->voronoi[i], c = plait_vec3_dot(a->t, b->t), kn = m->natural[i], pull = k * kn;
    plait_vec3_sub(a->t, b->t, d);
    double y = plait_vec3_dot(d, d) / 2, chi = 1 + c, z = 0; // y = 1 - c without cancellation
    hinge_law h = {2 * k * y / chi, -4 * k / (chi * chi), 8 * k / (chi * chi * chi)};
    if (kn > 0 || m->plastic || m->creep) {
        // curvature z = 2 sqrt(y/chi)
        z = 2 * sqrt(y / chi);
        h.f += k * (0.5 * kn * kn - kn * z);
    }
    if (m->plastic || m->creep) { // the stress is k (z - kn) + more.w = K z - pull
        double stiffness;
        plait_rod_more more;
        plait_rod_site site = plait_massspring_site(m, i, &stiffness);
        plait_rod_law_more(&m->law, m->dt, &site, &z, m->start_turn + i, &more);
        h.f += more.value, h.d1 -= 4 * more.k[0] / (chi * chi), h.d2 += 8 * more.k[0] / (chi * chi * chi);
        pull += more.k[0] * z - more.w[0];
    }
    if (pull != 0 && z > 1e-8) { // straight is a ridge of the energy, left alone
        double z1 = -4 / (z * chi * chi), z2 = 8 / (z * chi * chi * chi) - z1 * z1 / z; // (z^2)' = 2 z z'
        h.d1 -= pull * z1;
        h.d2 -= pull * z2;
    }
    return h;
}

// dc/de of the two edges.
static void cosine_gradient(const ms_edge *a, const ms_edge *b, double c0[3], double c1[3])
{
    double c = plait_vec3_dot(a->t, b->t);
    for (int k = 0; k < 3; k++) {
        c0[k] = (b->t[k] - c * a->t[k]) / a->length;
        c1[k] = (a->t[k] - c * b->t[k]) / b->length;
    }
}

static void hinge_terms(const plait_rod *rod, const ms_pose *p, int i, plait_newton_value *value, double *g)
{
    const plait_massspring *m = rod->impl;
    const ms_edge *a = &p->edge[i], *b = a + 1;
    hinge_law h = law(m, i, a, b);
    double g0[3], g1[3];
    add(value, h.f);
    if (g) {
        cosine_gradient(a, b, g0, g1);
        for (int k = 0; k < 3; k++)
            g0[k] *= h.d1, g1[k] *= h.d1;
    }
    if (m->viscous && m->dt > 0) {
        double kb[3], off[3], c = m->viscous_bend[i] / (m->voronoi[i] * m->dt), J0[9], J1[9], w[3];
        binormal(a, b, kb);
        plait_vec3_sub(kb, m->curve + 3 * i, off);
        add(value, 0.5 * c * plait_vec3_dot(off, off));
        if (g) {
            binormal_jacobian(a, b, J0, J1);
            plait_mat3_apply_transposed(J0, off, w);
            plait_vec3_axpy(c, w, g0);
            plait_mat3_apply_transposed(J1, off, w);
            plait_vec3_axpy(c, w, g1);
        }
    }
    for (int k = 0; g && k < 3; k++) { // edge i - 1 is from node i - 1 to i, edge i from i to i + 1
        if (i > 0)
            g[3 * (i - 1) + k] -= g0[k], g[3 * i + k] += g0[k];
        if (i < m->n)
            g[3 * i + k] -= g1[k], g[3 * (i + 1) + k] += g1[k];
    }
}

static plait_newton_value evaluate(plait_rod *rod, bool trial, double *g)
{
    const plait_massspring *m = rod->impl;
    const ms_pose *p = trial ? &m->trial : &m->now;
    plait_newton_value value = {0, 0};
    if (g)
        memset(g, 0, (size_t)rod->dofs * sizeof *g);
    for (int i = 0; i <= m->n; i++) {
        node_terms(rod, p, i, &value, g);
        if (plait_massspring_has_hinge(m, i))
            hinge_terms(rod, p, i, &value, g);
    }
    for (int j = 0; j < m->n; j++) {
        double force = tension(rod, p, j, &value);
        for (int k = 0; g && k < 3; k++) {
            g[3 * j + k] -= force * p->edge[j + 1].t[k];
            g[3 * j + 3 + k] += force * p->edge[j + 1].t[k];
        }
    }
    return value;
}

void plait_massspring_spend(const plait_rod *rod, double dt, const double *v, plait_rod_spent *s)
{
    const plait_massspring *m = rod->impl;
    for (int i = 0; i < rod->dofs; i++) {
        double mass = m->mass[i / 3], more = v[i] - m->v[i];
        s->past += rod->second ? mass * v[i] * rod->second->bar[i] : 0;
        s->inertial += mass * v[i] * more, s->shed += 0.5 * mass * more * more, s->square += mass * v[i] * v[i];
        s->momentum[i % 3] += mass * v[i];
        s->loads += dt * v[i] * rod->force[i];
    }
    for (int j = 0; j < m->n; j++) {
        double change = m->now.edge[j + 1].length - m->start_length[j];
        s->damping += plait_rod_section(rod, j)->viscous_EA * change * change / (m->rest[j] * dt);
    }
    for (int i = 0; (m->plastic || m->creep) && i <= m->n; i++) {
        double stiffness, z;
        plait_rod_more more;
        plait_rod_site site = plait_massspring_site(m, i, &stiffness);
        if (!plait_massspring_has_hinge(m, i))
            continue;
        z = plait_massspring_turn(m->now.edge[i].t, m->now.edge[i + 1].t);
        plait_rod_law_more(&m->law, dt, &site, &z, m->start_turn + i, &more);
        s->plastic += more.lost, s->damping += more.branch;
    }
    for (int i = 0; m->viscous && i <= m->n; i++) {
        double kb[3], off[3];
        if (!plait_massspring_has_hinge(m, i))
            continue;
        binormal(&m->now.edge[i], &m->now.edge[i + 1], kb);
        plait_vec3_sub(kb, m->curve + 3 * i, off);
        s->damping += m->viscous_bend[i] * plait_vec3_dot(off, off) / (m->voronoi[i] * dt);
    }
}

static double residual(const plait_rod *rod, double *scale, double *rounding)
{
    const plait_massspring *m = rod->impl;
    double worst = 0, force = 0, noise = 0, rate = m->dt > 0 ? 1 / m->dt : 0;
    for (int i = 0; i < rod->dofs; i++)
        if (!m->chain.fixed[i] && !(fabs(m->chain.gradient[i]) <= worst))
            worst = fabs(m->chain.gradient[i]);
    for (int i = 0; i <= m->n; i++) {
        double off[3], far = 0;
        for (int k = 0; k < 3; k++) {
            off[k] = rate * (rate * m->now.delta[3 * i + k] - m->v[3 * i + k]);
            far += fabs(m->now.delta[3 * i + k]) * rate * rate + fabs(m->v[3 * i + k]) * rate;
        }
        force +=
            m->mass[i] * (plait_vec3_norm(rod->gravity) + plait_vec3_norm(off)) + plait_vec3_norm(rod->force + 3 * i);
        noise = fmax(noise, m->mass[i] * far);
    }
    for (int j = 0; j < m->n; j++) {
        plait_newton_value ignored = {0, 0};
        force = fmax(force, fabs(tension(rod, &m->now, j, &ignored)));
        const plait_section *s = plait_rod_section(rod, j);
        double far = plait_vec3_norm(m->x + 3 * j) + plait_vec3_norm(m->now.delta + 3 * j) + m->rest[j];
        // of what a place is wrong by
        double EA = s->EA + rate * s->viscous_EA, EI = s->EI[0] + rate * s->viscous_EI[0];
        noise = fmax(noise, EA * far / m->rest[j]);
        noise = fmax(noise, 4 * EI / (m->rest[j] * m->rest[j]));
    }
    for (int i = 0; i <= m->n; i++) {
        if (!plait_massspring_has_hinge(m, i))
            continue;
        double kb[3];
        binormal(&m->now.edge[i], &m->now.edge[i + 1], kb);
        force = fmax(force, m->bend[i] / m->voronoi[i] * plait_vec3_norm(kb) / m->rest[i < m->n ? i : i - 1]);
    }
    *scale = force;
    *rounding = 4 * DBL_EPSILON * noise;
    return worst;
}

// ---- stiffness ---------------------------------------------------------------------------------------------------

// A symmetric pair of blocks between two edges (or one with itself) goes to the nodes of both.
static void add_edge_pair(double *band, int n, int a, int b, const double *B)
{
    double T[9];
    for (int k = 0; k < 9; k++)
        T[k] = B[3 * (k % 3) + k / 3];
    for (int i = 0; i < 2; i++) {
        for (int j = 0; j < 2; j++) {
            int row = a + i, column = b + j;
            if (a < 0 || b < 0 || a >= n || b >= n)
                continue;
            double s = i == j ? 1 : -1;
            if (a == b) {
                if (row >= column)
                    plait_chain_add(band, 3 * row, 3 * column, s, B);
            } else if (row > column) {
                plait_chain_add(band, 3 * row, 3 * column, s, B);
            } else if (row < column) {
                plait_chain_add(band, 3 * column, 3 * row, s, T);
            } else { // both B and its transpose land on the same diagonal block
                plait_chain_add(band, 3 * row, 3 * column, s, B);
                plait_chain_add(band, 3 * row, 3 * column, s, T);
            }
        }
    }
}

// d2c/de2 of one edge: -(t p^T + p t^T + c (1 - t t^T)) / length^2 with p = length dc/de.
static void cosine_hessian(const ms_edge *e, const double dc[3], double c, double s, double *H)
{
    double l = e->length, k = s / (l * l);
    plait_mat3_add_outer(H, -k * l, e->t, dc);
    plait_mat3_add_outer(H, -k * l, dc, e->t);
    plait_mat3_add_outer(H, k * c, e->t, e->t);
    H[0] -= k * c, H[4] -= k * c, H[8] -= k * c;
}

static void hinge_stiffness(const plait_rod *rod, int i, bool safe)
{
    const plait_massspring *m = rod->impl;
    const ms_edge *a = &m->now.edge[i], *b = a + 1;
    hinge_law h = law(m, i, a, b);
    double c = plait_vec3_dot(a->t, b->t), c0[3], c1[3], H00[9] = {0}, H11[9] = {0}, H10[9] = {0};
    cosine_gradient(a, b, c0, c1);
    if (!safe) {
        plait_mat3_add_outer(H00, h.d2, c0, c0);
        plait_mat3_add_outer(H11, h.d2, c1, c1);
        plait_mat3_add_outer(H10, h.d2, c1, c0);
        cosine_hessian(a, c0, c, h.d1, H00);
        cosine_hessian(b, c1, c, h.d1, H11);
        // (1 - t1 t1^T)(1 - t0 t0^T) / (|e0| |e1|)
        double s = h.d1 / (a->length * b->length);
        H10[0] += s, H10[4] += s, H10[8] += s;
        plait_mat3_add_outer(H10, -s, b->t, b->t);
        plait_mat3_add_outer(H10, -s, a->t, a->t);
        plait_mat3_add_outer(H10, s * c, b->t, a->t);
    }
    double v = safe ? m->bend[i] / m->voronoi[i] : 0; // as if the binormal had a natural value nearby
    if (m->viscous && m->dt > 0)
        v += m->viscous_bend[i] / (m->voronoi[i] * m->dt);
    if (v > 0) {
        double J0[9], J1[9], S[9];
        binormal_jacobian(a, b, J0, J1);
        plait_mat3_transposed_multiply(J0, J0, S);
        plait_mat3_add(H00, v, S);
        plait_mat3_transposed_multiply(J1, J1, S);
        plait_mat3_add(H11, v, S);
        plait_mat3_transposed_multiply(J1, J0, S);
        plait_mat3_add(H10, v, S);
    }
    double *band = m->chain.band;
    if (i > 0)
        add_edge_pair(band, m->n, i - 1, i - 1, H00);
    if (i < m->n)
        add_edge_pair(band, m->n, i, i, H11);
    if (i > 0 && i < m->n)
        add_edge_pair(band, m->n, i, i - 1, H10);
}

void plait_massspring_assemble(plait_rod *rod, bool safe)
{
    plait_massspring *m = rod->impl;
    double *band = m->chain.band, rate = m->dt > 0 ? 1 / m->dt : 0;
    memset(band, 0, plait_banded_room(rod->dofs) * sizeof *band);
    for (int i = 0; i <= m->n; i++) {
        for (int k = 0; k < 3; k++)
            band[(size_t)(3 * i + k) * PLAIT_BAND_STRIDE] += m->mass[i] * rate * (rate + rod->section.drag);
        if (plait_massspring_has_hinge(m, i))
            hinge_stiffness(rod, i, safe);
    }
    for (int j = 0; j < m->n; j++) {
        const ms_edge *edge = &m->now.edge[j + 1];
        plait_newton_value ignored = {0, 0};
        double force = tension(rod, &m->now, j, &ignored), H[9] = {0};
        const plait_section *s = plait_rod_section(rod, j);
        double along = (s->EA + s->viscous_EA * rate) / m->rest[j], across = force / edge->length;
        across = safe ? fmax(across, 0) : across;
        H[0] = H[4] = H[8] = across;
        plait_mat3_add_outer(H, along - across, edge->t, edge->t);
        add_edge_pair(band, m->n, j, j, H);
    }
}

const plait_newton_type plait_massspring_newton = {
    .try_step = try_step,
    .evaluate = evaluate,
    .accept = accept,
    PLAIT_CHAIN_NEWTON,
    .residual = residual,
    .turn = turn,
    .stretch = trial_stretch,
};
