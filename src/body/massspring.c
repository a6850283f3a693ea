// massspring.c: the mass-spring chain behind the body interface. State: positions and velocities of the nodes.
#include "body/massspring.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/elementary.h"
#include "math/vec3.h"

static plait_status no_memory(const plait_rod *rod, plait_error *error)
{
    return plait_error_set(error, PLAIT_NO_MEMORY, "rod %d: no memory for a chain of %d segments", rod->id,
                           rod->segments);
}

static void lay_out(plait_massspring *m, int dofs)
{
    size_t n = (size_t)m->n, edges = (n + 2) * sizeof(ms_edge) / sizeof(double);
    double *p = plait_chain_lay_out(&m->chain, dofs, m->chain.memory);
    m->rest = p, p += n;
    m->voronoi = p, p += n + 1;
    m->natural = p, p += n + 1;
    m->mass = p, p += n + 1;
    m->bend = p, p += n + 1;
    m->viscous_bend = p, p += n + 1;
    m->start_edge = p, p += 3 * n;
    m->start_length = p, p += n;
    m->start_turn = p, p += n + 1;
    m->start_curve = p, p += 3 * (n + 1);
    m->curve = p, p += 3 * (n + 1);
    m->now.delta = p, p += dofs;
    m->trial.delta = p, p += dofs;
    m->now.edge = (ms_edge *)p, p += edges;
    m->trial.edge = (ms_edge *)p;
}

static void bind(plait_rod *rod)
{
    plait_massspring *m = rod->impl;
    m->x = rod->state;
    m->v = rod->state + rod->dofs;
    double *behind = m->v + rod->dofs;
    m->plastic = m->law.yield > 0 ? behind : NULL;
    m->creep = m->law.share > 0 ? behind + (m->plastic ? m->n + 1 : 0) : NULL;
}

plait_rod_site plait_massspring_site(const plait_massspring *m, int i, double *stiffness)
{
    *stiffness = m->bend[i] / m->voronoi[i];
    return (plait_rod_site){.count = 1,
                            .bends = 1,
                            .stiffness = stiffness,
                            .natural = m->natural + i,
                            .span = m->voronoi[i],
                            .plastic = m->plastic ? m->plastic + i : NULL,
                            .creep = m->creep ? m->creep + i : NULL};
}

double plait_massspring_turn(const double *a, const double *b)
{
    double d[3];
    plait_vec3_sub(a, b, d);
    return 2 * sqrt(plait_vec3_dot(d, d) / 2 / (1 + plait_vec3_dot(a, b)));
}

// Mass and bending of node i: of the two halves of segments that it lies between, whose compliances add up.
static void set_node(const plait_rod *rod, plait_massspring *m, int i)
{
    const plait_section *a = plait_rod_section(rod, i > 0 ? i - 1 : 0);
    const plait_section *b = plait_rod_section(rod, i < m->n ? i : i - 1);
    double before = i > 0 ? m->rest[i - 1] / 2 : 0, after = i < m->n ? m->rest[i] / 2 : 0;
    m->voronoi[i] = before + after;
    m->mass[i] = rod->piece ? a->mass * before + b->mass * after : b->mass * m->voronoi[i];
    m->bend[i] = b->EI[0], m->viscous_bend[i] = b->viscous_EI[0];
    if (!rod->piece || i == 0 || i == m->n)
        return;
    if (a->EI[0] > 0 && b->EI[0] > 0)
        m->bend[i] = m->voronoi[i] / (before / a->EI[0] + after / b->EI[0]);
    m->viscous_bend[i] = (before * a->viscous_EI[0] + after * b->viscous_EI[0]) / m->voronoi[i];
}

static plait_status build(plait_rod *rod, const plait_rod_shape *shape, plait_error *error)
{
    plait_massspring *m = rod->impl = calloc(1, sizeof *m);
    if (!m)
        return no_memory(rod, error);
    size_t n = (size_t)shape->segments, nodes = n + 1;
    m->n = shape->segments;
    rod->dofs = (int)(3 * nodes);
    rod->bandwidth = PLAIT_BAND;
    rod->stride = 3;
    m->law = plait_rod_law_of(&rod->section);
    rod->state_size = 2 * rod->dofs + (int)((m->law.yield > 0 ? nodes : 0) + (m->law.share > 0 ? nodes : 0));
    size_t edges = (n + 2) * sizeof(ms_edge) / sizeof(double);
    size_t room = plait_chain_room(rod->dofs) + 5 * n + 18 * nodes + 2 * edges;
    m->chain.memory = calloc(room, sizeof *m->chain.memory);
    if (!plait_rod_room(rod) || !m->chain.memory)
        return no_memory(rod, error);
    lay_out(m, rod->dofs);
    bind(rod);
    memcpy(m->x, shape->x, 3 * nodes * sizeof *m->x);
    memcpy(m->rest, shape->rest, n * sizeof *m->rest);
    const plait_section *s = &rod->section;
    m->viscous = s->viscous_EI[0] > 0;
    for (int i = 0; i <= m->n; i++) {
        set_node(rod, m, i);
        double voronoi = m->voronoi[i];
        m->natural[i] = 2 * plait_tan(hypot(shape->kappa[2 * i], shape->kappa[2 * i + 1]) * voronoi / 2);
        for (int k = 0; k < 3; k++)
            m->chain.weight[3 * i + k] = voronoi * m->n / rod->length;
    }
    m->chain.dt = &m->dt;
    m->chain.type = &plait_massspring_newton, m->chain.assemble = plait_massspring_assemble;
    m->chain.start = plait_massspring_start, m->chain.stretch = plait_massspring_stretch;
    double l = rod->length / m->n;
    m->chain.least = fmax(1e-6 * s->EI[0] * l / plait_power(rod->length, 4), 2e-15 * s->EA / l);
    m->chain.most = s->EI[0] / (l * l * l);
    return PLAIT_OK;
}

static bool predict(plait_rod *rod, double dt, const plait_step_options *options, plait_step_report *report)
{
    plait_massspring *m = rod->impl;
    if (!plait_chain_predict(rod, dt, options, report))
        return false;
    for (int i = 0; i < rod->dofs; i++) {
        rod->v[i] = m->now.delta[i] / dt;
        if (!isfinite(rod->v[i])) {
            report->reason = "a velocity is not finite";
            return false;
        }
    }
    return true;
}

static bool retract(plait_rod *rod, double dt, const double *about, const double *d, double *v)
{
    plait_massspring *m = rod->impl;
    if (!plait_chain_retract(rod, dt, about, d))
        return false;
    for (int i = 0; i < rod->dofs; i++)
        v[i] = m->now.delta[i] / dt;
    return true;
}

static bool shift(plait_rod *rod, double dt, const double *v)
{
    plait_massspring *m = rod->impl;
    for (int i = 0; i < rod->dofs; i++)
        m->x[i] += dt * v[i];
    return true;
}

static int point(const plait_rod *rod, int segment, double a, double position[3], int *first, double *J)
{
    return plait_rod_link_point(((const plait_massspring *)rod->impl)->x, 3, segment, a, position, first, J);
}

static void unit_edge(const plait_rod *rod, int j, double t[3])
{
    const plait_massspring *m = rod->impl;
    if (j < 0 || j >= m->n)
        plait_vec3_copy(rod->end[j < 0 ? 0 : 1].tangent, t);
    else
        plait_vec3_sub(m->x + 3 * (j + 1), m->x + 3 * j, t);
    plait_vec3_normalise(t);
}

// k of a hinge of the state; false: there is none.
static bool turn_of(const plait_rod *rod, int i, double before[3], double after[3], double *k)
{
    const plait_massspring *m = rod->impl;
    if ((i == 0 && rod->end[0].kind != PLAIT_END_CLAMPED) || (i == m->n && rod->end[1].kind != PLAIT_END_CLAMPED))
        return false;
    unit_edge(rod, i - 1, before);
    unit_edge(rod, i, after);
    *k = plait_massspring_turn(before, after);
    return true;
}

// Plastic strains and creep are those of the end of a step (INFINITY: statics), which is the state.
static void remember(const plait_rod *rod, double dt)
{
    const plait_massspring *m = rod->impl;
    for (int i = 0; (m->plastic || m->creep) && i <= m->n; i++) {
        double a[3], b[3], stiffness, k;
        plait_rod_site site = plait_massspring_site(m, i, &stiffness);
        if (turn_of(rod, i, a, b, &k))
            plait_rod_law_remember(&m->law, dt, &site, &k);
    }
}

static bool accept_step(plait_rod *rod, double dt, const double *v)
{
    plait_massspring *m = rod->impl;
    for (int i = 0; i < rod->dofs; i++) {
        m->x[i] += dt * v[i];
        m->v[i] = v[i];
    }
    // Held nodes are where they were told to be, to the last bit.
    for (int e = 0; e < 2; e++)
        for (int k = 0; k < 3; k++)
            if (rod->end[e].kind != PLAIT_END_FREE && m->chain.fixed[3 * (e ? m->n : 0) + k] && v == rod->v)
                m->x[3 * (e ? m->n : 0) + k] = rod->end[e].position[k];
    remember(rod, dt);
    return true;
}

static bool relax(plait_rod *rod, const plait_relax_options *options, plait_step_report *report)
{
    plait_massspring *m = rod->impl;
    if (!plait_chain_relax(rod, options, report))
        return false;
    for (int i = 0; i < rod->dofs; i++) {
        m->x[i] += m->now.delta[i];
        m->v[i] = 0;
    }
    remember(rod, INFINITY);
    return true;
}

static void positions(const plait_rod *rod, double *x)
{
    const plait_massspring *m = rod->impl;
    memcpy(x, m->x, (size_t)rod->dofs * sizeof *x);
}

static void velocities(const plait_rod *rod, double *v)
{
    const plait_massspring *m = rod->impl;
    memcpy(v, m->v, (size_t)rod->dofs * sizeof *v);
}

static void set_v(plait_rod *rod, const double *v)
{
    plait_massspring *m = rod->impl;
    memcpy(m->v, v, (size_t)rod->dofs * sizeof *v);
}

static double *masses(const plait_rod *rod, int *count)
{
    const plait_massspring *m = rod->impl;
    *count = m->n + 1;
    return m->mass;
}

static plait_rod_energies energy(const plait_rod *rod)
{
    const plait_massspring *m = rod->impl;
    plait_rod_energies e = {0};
    for (int i = 0; i <= m->n; i++) {
        const double *x = m->x + 3 * i, *v = m->v + 3 * i;
        double moment[3], a[3], b[3], d[3], turn;
        plait_vec3_cross(x, v, moment);
        plait_vec3_axpy(m->mass[i], v, e.momentum);
        plait_vec3_axpy(m->mass[i], moment, e.angular_momentum);
        e.kinetic += m->mass[i] * plait_vec3_dot(v, v) / 2;
        e.load -= m->mass[i] * plait_vec3_dot(rod->gravity, x) + plait_vec3_dot(rod->force + 3 * i, x);
        e.weight -= m->mass[i] * plait_vec3_dot(rod->told_gravity, x);
        if (turn_of(rod, i, a, b, &turn)) {
            double k = turn - m->natural[i], stiffness;
            plait_rod_site site = plait_massspring_site(m, i, &stiffness);
            e.bend += stiffness * k * k / 2 + plait_rod_law_stored(&m->law, &site, &turn);
        }
        if (i < m->n) {
            plait_vec3_sub(x + 3, x, d);
            double strain = plait_vec3_norm(d) / m->rest[i] - 1;
            e.stretch += plait_rod_section(rod, i)->EA * m->rest[i] * strain * strain / 2;
        }
    }
    return e;
}

// Curvature without a direction, no twist.
static bool strain(const plait_rod *rod, int node, double out[3], double moment[3])
{
    const plait_massspring *m = rod->impl;
    double a[3], b[3], stiffness, k, w;
    if (!turn_of(rod, node, a, b, &k))
        return false;
    plait_rod_site site = plait_massspring_site(m, node, &stiffness);
    w = stiffness * (k - m->natural[node]);
    plait_rod_law_stress(&m->law, &site, &k, &w);
    plait_vec3_cross(a, b, moment);
    plait_vec3_normalise(moment);
    for (int j = 0; j < 3; j++)
        moment[j] *= w * (1 + k * k / 4); // k = 2 tan(phi/2)
    plait_vec3_set(out, 2 * plait_atan(k / 2) / m->voronoi[node], 0, NAN);
    return true;
}

static void kick(plait_rod *rod, const double velocity[3], const double spin[3], const double centre[3])
{
    plait_massspring *m = rod->impl;
    for (int i = 0; i <= m->n; i++) {
        double arm[3], w[3];
        plait_vec3_sub(m->x + 3 * i, centre, arm);
        plait_vec3_cross(spin, arm, w);
        for (int k = 0; k < 3; k++)
            m->v[3 * i + k] += velocity[k] + w[k];
    }
}

const plait_rod_type plait_rod_massspring = {
    .model = PLAIT_ROD_MASS_SPRING,
    .name = "mass-spring",
    .title = "implicit mass-spring chain (Baraff and Witkin 1998)",
    .abilities = PLAIT_ROD_STRETCHES | PLAIT_ROD_FREE_ROOT | PLAIT_ROD_HELD_TIP | PLAIT_ROD_HELD_EDGE |
                 PLAIT_ROD_VARIES | PLAIT_ROD_REMEMBERS,
    .build = build,
    .free = plait_chain_free,
    .bind = bind,
    .predict = predict,
    .linearise = plait_chain_linearise,
    .residual = plait_chain_residual,
    .slopes = plait_chain_slopes,
    .spend = plait_massspring_spend,
    .retract = retract,
    .solve = plait_chain_solve,
    .point = point,
    .accept = accept_step,
    .shift = shift,
    .relax = relax,
    .positions = positions,
    .velocities = velocities,
    .energy = energy,
    .get_v = velocities,
    .set_v = set_v,
    .masses = masses,
    .strain = strain,
    .kick = kick,
};
