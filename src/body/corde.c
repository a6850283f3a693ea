// corde.c: CoRdE behind the body interface. State: positions, quaternions, velocities, spins, twists of the hinges.
#include "body/corde.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/elementary.h"
#include "math/quat.h"

static const double ALIGN = 1000; // K in units of EI / l^2

static double stretch(const plait_rod *rod)
{
    const plait_corde *c = rod->impl;
    return plait_corde_stretch(c, &c->now);
}

static double trial_stretch(const plait_rod *rod)
{
    const plait_corde *c = rod->impl;
    return plait_corde_stretch(c, &c->trial);
}

static const plait_newton_type newton_type = {
    .try_step = plait_corde_try,
    .evaluate = plait_corde_evaluate,
    .accept = plait_corde_take,
    PLAIT_CHAIN_NEWTON,
    .residual = plait_corde_residual,
    .turn = plait_corde_turn,
    .stretch = trial_stretch,
};

// ---- building ----------------------------------------------------------------------------------------------------

static plait_status no_memory(const plait_rod *rod, plait_error *error)
{
    return plait_error_set(error, PLAIT_NO_MEMORY, "rod %d: no memory for a CoRdE rod of %d segments", rod->id,
                           rod->segments);
}

// Hands out the block; with memory = NULL it only counts. Returns the doubles used.
static size_t lay_out(plait_corde *c, int dofs, double *memory)
{
    size_t n = (size_t)c->n, nodes = n + 1, word = sizeof(double);
    double *p = memory ? plait_chain_lay_out(&c->chain, dofs, memory) : NULL;
    size_t used = plait_chain_room(dofs), start = used;
    double **const plain[] = {&c->rest,       &c->voronoi,      &c->natural, &c->mass, &c->align,
                              &c->start_edge, &c->start_length, &c->start_u, &c->goal, &c->mass_band,
                              &c->stiffness,  &c->viscous,      &c->spun};
    const size_t sizes[] = {
        n, nodes, 3 * nodes, nodes, n, 3 * n, n, 3 * nodes, 6 * n, plait_banded_room(dofs), 3 * nodes, 3 * nodes, n};
    for (int i = 0; i < 13; used += sizes[i++])
        *plain[i] = p ? p + (used - start) : NULL;
    corde_pose *const poses[] = {&c->now, &c->trial};
    for (int k = 0; k < 2; k++) {
        corde_pose *pose = poses[k];
        double *q = p ? p + (used - start) : NULL;
        size_t parts[] = {
            (size_t)dofs, 4 * (n + 2), 3 * n, n * sizeof *pose->edge / word, 9 * n, nodes * sizeof *pose->hinge / word};
        size_t at[7] = {0};
        for (int i = 0; i < 6; i++)
            at[i + 1] = at[i] + parts[i];
        used += at[6];
        if (!q)
            continue;
        pose->delta = q;
        pose->q = q + at[1];
        pose->turn = q + at[2];
        pose->edge = (plait_chain_edge *)(q + at[3]);
        pose->R = q + at[4];
        pose->hinge = (corde_hinge *)(q + at[5]);
    }
    return used;
}

// Mass and stiffness of node i: of the two halves of segments that it lies between, whose compliances add up.
static void set_node(const plait_rod *rod, int i)
{
    plait_corde *c = rod->impl;
    const plait_section *a = plait_rod_section(rod, i > 0 ? i - 1 : 0);
    const plait_section *b = plait_rod_section(rod, i < c->n ? i : i - 1);
    double before = i > 0 ? c->rest[i - 1] / 2 : 0, after = i < c->n ? c->rest[i] / 2 : 0, voronoi = before + after;
    double *k = c->stiffness + 3 * i, *viscous = c->viscous + 3 * i;
    c->voronoi[i] = voronoi;
    c->mass[i] = rod->piece ? a->mass * before + b->mass * after : b->mass * voronoi;
    plait_vec3_set(k, b->EI[1], b->EI[0], b->GJ); // about d1, d2, d3
    plait_vec3_set(viscous, b->viscous_EI[1], b->viscous_EI[0], b->viscous_GJ);
    if (!rod->piece || i == 0 || i == c->n)
        return;
    double first[3] = {a->EI[1], a->EI[0], a->GJ}, slow[3] = {a->viscous_EI[1], a->viscous_EI[0], a->viscous_GJ};
    for (int j = 0; j < 3; j++) {
        if (first[j] > 0 && k[j] > 0)
            k[j] = voronoi / (before / first[j] + after / k[j]);
        viscous[j] = (before * slow[j] + after * viscous[j]) / voronoi;
    }
}

// Natural strains u of a hinge from rates.
static void natural_of(const double k[2], double tau, double voronoi, double u[3])
{
    double rate = hypot(k[0], k[1]), scale = rate > 0 ? 2 * plait_tan(rate * voronoi / 2) / rate : voronoi;
    plait_vec3_set(u, -scale * k[1], scale * k[0], tau * voronoi);
}

static void set_constants(plait_rod *rod, const plait_rod_shape *shape)
{
    plait_corde *c = rod->impl;
    const plait_section *s = &rod->section;
    double mean = rod->length / c->n, EI = fmax(s->EI[0], s->EI[1]);
    memcpy(c->rest, shape->rest, (size_t)c->n * sizeof *c->rest);
    for (int i = 0; i <= c->n; i++) {
        set_node(rod, i);
        double voronoi = c->voronoi[i];
        natural_of(shape->kappa + 2 * i, shape->tau[i], voronoi, c->natural + 3 * i);
        for (int a = 0; a < 3; a++) {
            c->chain.weight[6 * i + a] = voronoi / mean;
            if (i < c->n)
                c->chain.weight[6 * i + 3 + a] = c->rest[i] * c->rest[i];
        }
        if (i < c->n) {
            const plait_section *piece = plait_rod_section(rod, i);
            c->spun[i] = rod->piece ? piece->inertia[0] / s->inertia[0] : 1;
            c->align[i] = ALIGN * fmax(piece->EI[0], piece->EI[1]) / (c->rest[i] * c->rest[i]);
        }
    }
    c->chain.dt = &c->dt, c->chain.start = plait_corde_start, c->chain.stretch = stretch;
    c->chain.type = &newton_type, c->chain.assemble = plait_corde_hessian;
    c->chain.least = fmax(1e-6 * EI * mean / plait_power(rod->length, 4), 2e-15 * s->EA / mean);
    c->chain.most = EI / (mean * mean * mean);
}

static void bind(plait_rod *rod)
{
    plait_corde *c = rod->impl;
    size_t n = (size_t)c->n, nodes = n + 1;
    c->x = rod->state;
    c->q = c->x + 3 * nodes;
    c->v = c->q + 4 * n;
    c->w = c->v + 3 * nodes;
    c->twist = c->w + 3 * n;
    double *next = c->twist + nodes;
    c->plastic = c->law.yield > 0 ? next : NULL;
    c->creep = c->law.share > 0 ? next + (c->plastic ? 2 * nodes : 0) : NULL;
}

static plait_status build(plait_rod *rod, const plait_rod_shape *shape, plait_error *error)
{
    plait_corde *c = rod->impl = calloc(1, sizeof *c);
    if (!c)
        return no_memory(rod, error);
    size_t n = (size_t)shape->segments, nodes = n + 1;
    c->n = shape->segments;
    rod->dofs = (int)(6 * n + 3);
    rod->bandwidth = PLAIT_BAND;
    rod->stride = 6;
    c->law = plait_rod_law_of(&rod->section);
    rod->state_size = (int)(6 * nodes + 7 * n + nodes);
    rod->state_size += (int)((c->law.yield > 0 ? 2 * nodes : 0) + (c->law.share > 0 ? 3 * nodes : 0));
    c->chain.memory = calloc(lay_out(c, rod->dofs, NULL), sizeof *c->chain.memory);
    if (!plait_rod_room(rod) || !c->chain.memory)
        return no_memory(rod, error);
    lay_out(c, rod->dofs, c->chain.memory);
    bind(rod);
    set_constants(rod, shape);
    memcpy(c->x, shape->x, 3 * nodes * sizeof *c->x);
    for (int j = 0; j < c->n; j++) {
        double R[9];
        for (int k = 0; k < 3; k++)
            plait_mat3_set_column(R, k, shape->frames + 9 * j + 3 * k);
        plait_quat_from_matrix(R, c->q + 4 * j);
    }
    for (int i = 1; i < c->n; i++)
        c->twist[i] = shape->tau[i] * c->voronoi[i];
    return PLAIT_OK;
}

// ---- steps -------------------------------------------------------------------------------------------------------

// Velocity that takes the state to the present configuration.
static bool present_velocity(const plait_rod *rod, double dt, double *v)
{
    const plait_corde *c = rod->impl;
    double sum = 0;
    for (int i = 0; i <= c->n; i++)
        for (int k = 0; k < 3; k++)
            v[6 * i + k] = c->now.delta[6 * i + k] / dt;
    for (int j = 0; j < c->n; j++) {
        const double *q = c->q + 4 * j, back[4] = {-q[0], -q[1], -q[2], q[3]};
        double turned[4], turn[3];
        plait_quat_multiply(c->now.q + 4 * (j + 1), back, turned);
        plait_quat_log(turned, turn);
        for (int k = 0; k < 3; k++)
            v[6 * j + 3 + k] = turn[k] / dt;
    }
    for (int i = 0; i < rod->dofs; i++)
        sum += fabs(v[i]);
    return isfinite(sum);
}

static bool predict(plait_rod *rod, double dt, const plait_step_options *options, plait_step_report *report)
{
    plait_corde *c = rod->impl;
    c->explicit_last = options->scheme == PLAIT_STEP_EXPLICIT;
    if (c->explicit_last) {
        bool ok = plait_corde_explicit(rod, dt, rod->v, report);
        report->stretch = ok ? plait_corde_stretch(c, &c->now) : 0;
        return ok;
    }
    if (!plait_chain_predict(rod, dt, options, report))
        return false;
    if (present_velocity(rod, dt, rod->v))
        return true;
    report->reason = "a velocity is not finite";
    return false;
}

// Explicit: M is the mass, and f = M times the explicit velocity.
static bool linearise_explicit(plait_rod *rod, double dt, const plait_rod_linear *out)
{
    double *f = out->f;
    plait_corde *c = rod->impl;
    plait_chain *chain = &c->chain;
    plait_step_report ignored = {0};
    if (f) {
        if (!plait_corde_explicit(rod, dt, chain->spare, &ignored))
            return false;
        plait_corde_start(rod, dt);
        plait_corde_mass(rod);
        plait_banded_multiply(chain->band, rod->dofs, chain->spare, f);
        for (int i = 0; i < rod->dofs; i++)
            if (chain->fixed[i])
                f[i] = chain->target[i] / dt;
    } else {
        plait_corde_start(rod, dt);
        plait_corde_mass(rod);
    }
    for (int i = 0; i < rod->dofs; i++) // held dofs couple with nothing here but other turns of the same held edge
        for (int k = 0; chain->fixed[i] && k <= PLAIT_BAND; k++)
            chain->band[(size_t)i * PLAIT_BAND_STRIDE + (size_t)k] = k == 0;
    memcpy(c->mass_band, chain->band, plait_banded_room(rod->dofs) * sizeof *chain->band);
    plait_chain_hand_out(chain, NULL, out);
    return plait_banded_factorise(chain->band, rod->dofs, 0) < 0;
}

static bool linearise(plait_rod *rod, double dt, const double *v, const plait_rod_linear *out)
{
    const plait_corde *c = rod->impl;
    return c->explicit_last ? linearise_explicit(rod, dt, out) : plait_chain_linearise(rod, dt, v, out);
}

// Explicit: the step is linear, M (v - explicit velocity), M of the last linearise.
static bool residual_explicit(plait_rod *rod, double dt, const double *v, double *g)
{
    plait_corde *c = rod->impl;
    plait_chain *chain = &c->chain;
    plait_step_report ignored = {0};
    if (!plait_corde_explicit(rod, dt, chain->spare, &ignored))
        return false;
    for (int i = 0; i < rod->dofs; i++)
        chain->spare[i] = v[i] - chain->spare[i];
    plait_banded_multiply(c->mass_band, rod->dofs, chain->spare, g);
    for (int i = 0; i < rod->dofs; i++)
        g[i] = chain->fixed[i] ? 0 : g[i];
    return true;
}

static bool residual(plait_rod *rod, double dt, const double *v, double *g)
{
    const plait_corde *c = rod->impl;
    return c->explicit_last ? residual_explicit(rod, dt, v, g) : plait_chain_residual(rod, dt, v, g);
}

static bool slopes(plait_rod *rod, double dt, const double *v, plait_rod_slopes *s)
{
    const plait_corde *c = rod->impl;
    double d[3];
    bool ok = plait_chain_slopes(rod, dt, v, s);
    for (int j = 0; ok && j < c->n; j++) { // of couples, which follow the rod, there is no energy: what they have done
        plait_mat3_column(c->now.R + 9 * j, 2, d);
        s->end_value +=
            rod->couple[j] * (plait_vec3_dot(d, c->now.turn + 3 * j) - dt * plait_vec3_dot(d, v + 6 * j + 3));
    }
    return ok && isfinite(s->end_value);
}

static bool retract(plait_rod *rod, double dt, const double *about, const double *d, double *v)
{
    return plait_chain_retract(rod, dt, about, d) && present_velocity(rod, dt, v);
}

static int point(const plait_rod *rod, int segment, double a, double position[3], int *first, double *J)
{
    return plait_rod_link_point(((const plait_corde *)rod->impl)->x, 6, segment, a, position, first, J);
}

// Frames turn by dofs of their own.
static void spin(const plait_rod *rod, int segment, double *S)
{
    (void)rod, (void)segment;
    enum { COUNT = 9 };
    memset(S, 0, 3 * COUNT * sizeof *S);
    for (int k = 0; k < 3; k++)
        S[COUNT * k + 3 + k] = 1;
}

// Twists from the quaternions, on the branch nearest to the last ones.
static void count_twists(plait_rod *rod)
{
    plait_corde *c = rod->impl;
    plait_corde_start(rod, 0);
    for (int i = 0; i <= c->n; i++)
        c->twist[i] = c->now.hinge[i].u[2];
}

static bool shift(plait_rod *rod, double dt, const double *v)
{
    plait_corde *c = rod->impl;
    for (int i = 0; i <= c->n; i++)
        plait_vec3_axpy(dt, v + 6 * i, c->x + 3 * i);
    for (int j = 0; j < c->n; j++) {
        double turn[3] = {dt * v[6 * j + 3], dt * v[6 * j + 4], dt * v[6 * j + 5]}, e[4], *q = c->q + 4 * j;
        plait_quat_exp(turn, e);
        plait_quat_multiply(e, q, q);
        plait_quat_normalise(q);
    }
    count_twists(rod);
    return true;
}

static void get_v(const plait_rod *rod, double *v)
{
    const plait_corde *c = rod->impl;
    for (int i = 0; i <= c->n; i++)
        plait_vec3_copy(c->v + 3 * i, v + 6 * i);
    for (int j = 0; j < c->n; j++)
        plait_vec3_copy(c->w + 3 * j, v + 6 * j + 3);
}

static void set_v(plait_rod *rod, const double *v)
{
    plait_corde *c = rod->impl;
    for (int i = 0; i <= c->n; i++)
        plait_vec3_copy(v + 6 * i, c->v + 3 * i);
    for (int j = 0; j < c->n; j++)
        plait_vec3_copy(v + 6 * j + 3, c->w + 3 * j);
}

static double *masses(const plait_rod *rod, int *count)
{
    const plait_corde *c = rod->impl;
    *count = c->n + 1;
    return c->mass;
}

// Plastic strains and creep are those of the end of a step (INFINITY: statics), where `now` is.
static void remember(plait_corde *c, double dt)
{
    for (int i = 0; i <= c->n && plait_corde_remembers(c); i++) {
        double b[3];
        plait_rod_site site = plait_corde_site(c, i, b);
        if (plait_corde_has_hinge(c, i))
            plait_rod_law_remember(&c->law, dt, &site, c->now.hinge[i].u);
    }
}

static bool accept_step(plait_rod *rod, double dt, const double *v)
{
    shift(rod, dt, v);
    set_v(rod, v);
    remember(rod->impl, dt);
    return true;
}

static bool relax(plait_rod *rod, const plait_relax_options *options, plait_step_report *report)
{
    plait_corde *c = rod->impl;
    if (!plait_chain_relax(rod, options, report))
        return false;
    for (int i = 0; i <= c->n; i++) {
        for (int k = 0; k < 3; k++)
            c->x[3 * i + k] += c->now.delta[6 * i + k];
        c->twist[i] = c->now.hinge[i].u[2];
    }
    memcpy(c->q, c->now.q + 4, 4 * (size_t)c->n * sizeof *c->q);
    remember(c, INFINITY);
    memset(c->v, 0, 3 * ((size_t)c->n + 1) * sizeof *c->v);
    memset(c->w, 0, 3 * (size_t)c->n * sizeof *c->w);
    return true;
}

// ---- what it is doing --------------------------------------------------------------------------------------------

static void positions(const plait_rod *rod, double *x)
{
    const plait_corde *c = rod->impl;
    memcpy(x, c->x, 3 * ((size_t)c->n + 1) * sizeof *x);
}

static void velocities(const plait_rod *rod, double *v)
{
    const plait_corde *c = rod->impl;
    memcpy(v, c->v, 3 * ((size_t)c->n + 1) * sizeof *v);
}

static void frames(const plait_rod *rod, double *f)
{
    const plait_corde *c = rod->impl;
    for (int j = 0; j < c->n; j++) {
        double R[9];
        plait_quat_matrix(c->q + 4 * j, R);
        for (int k = 0; k < 3; k++)
            plait_mat3_column(R, k, f + 9 * j + 3 * k);
    }
}

static plait_rod_energies energy(const plait_rod *rod)
{
    const plait_corde *c = rod->impl;
    plait_rod_energies e = {0};
    plait_corde_start((plait_rod *)rod, 0); // writes work memory only
    for (int i = 0; i <= c->n; i++) {
        const double *x = c->x + 3 * i, *v = c->v + 3 * i;
        double moment[3];
        plait_vec3_cross(x, v, moment);
        plait_vec3_axpy(c->mass[i], v, e.momentum);
        plait_vec3_axpy(c->mass[i], moment, e.angular_momentum);
        e.kinetic += c->mass[i] * plait_vec3_dot(v, v) / 2;
        e.load -= c->mass[i] * plait_vec3_dot(rod->gravity, x) + plait_vec3_dot(rod->force + 3 * i, x);
        e.weight -= c->mass[i] * plait_vec3_dot(rod->told_gravity, x);
        for (int k = 0; plait_corde_has_hinge(c, i) && k < 3; k++) {
            double off = c->now.hinge[i].u[k] - c->natural[3 * i + k];
            *(k < 2 ? &e.bend : &e.twist) += c->stiffness[3 * i + k] / c->voronoi[i] * off * off / 2;
        }
        if (c->plastic && plait_corde_has_hinge(c, i)) {
            double b[3];
            plait_rod_site site = plait_corde_site(c, i, b);
            e.bend += plait_rod_law_stored(&c->law, &site, c->now.hinge[i].u);
        }
    }
    for (int j = 0; j < c->n; j++) {
        const plait_section *s = plait_rod_section(rod, j);
        double strain = c->now.edge[j].length / c->rest[j] - 1, d3[3], off[3];
        plait_mat3_column(c->now.R + 9 * j, 2, d3);
        plait_vec3_sub(c->now.edge[j].t, d3, off);
        e.stretch += s->EA * c->rest[j] * strain * strain / 2; // and the energy of the penalty, as shear
        e.stretch += c->align[j] * c->rest[j] * plait_vec3_dot(off, off) / 2;
        for (int k = 0; k < 2; k++) {
            double a = plait_corde_inertia(rod, j, k) * c->rest[j], d[3], rate[3], moment[3];
            plait_mat3_column(c->now.R + 9 * j, k, d);
            plait_vec3_cross(c->w + 3 * j, d, rate);
            plait_vec3_cross(d, rate, moment);
            e.kinetic += a * plait_vec3_dot(rate, rate) / 2;
            plait_vec3_axpy(a, moment, e.angular_momentum);
        }
    }
    return e;
}

// Turning angles per length, and the moment that the edge after the hinge bears.
static bool strain(const plait_rod *rod, int node, double out[3], double moment[3])
{
    plait_corde *c = rod->impl;
    plait_corde_start((plait_rod *)rod, 0); // writes work memory only
    if (!plait_corde_has_hinge(c, node))
        return false;
    double J[9], U[12], P[12], w[3], b[3];
    const corde_hinge *h = &c->now.hinge[node];
    plait_rod_site site = plait_corde_site(c, node, b);
    for (int k = 0; k < 3; k++)
        w[k] = b[k] * (h->u[k] - site.natural[k]);
    plait_rod_law_stress(&c->law, &site, h->u, w);
    plait_corde_strain_jacobian(h, c->now.q + 4 * node, c->now.q + 4 * (node + 1), J, U, P);
    plait_mat3_apply_transposed(J, w, moment);
    double half = sqrt(h->u[0] * h->u[0] + h->u[1] * h->u[1]) / 2;
    double scale = (half > 0 ? plait_atan(half) / half : 1) / c->voronoi[node];
    plait_vec3_set(out, h->u[1] * scale, -h->u[0] * scale, h->u[2] / c->voronoi[node]); // u = (-k2, k1, tau)
    return true;
}

static void get_natural(const plait_rod *rod, int site, double *natural)
{
    memcpy(natural, ((const plait_corde *)rod->impl)->natural + 3 * site, 3 * sizeof *natural);
}

static void set_natural(plait_rod *rod, int site, const double *base, const double more[3])
{
    plait_corde *c = rod->impl;
    natural_of(more, more[2], c->voronoi[site], c->natural + 3 * site);
    plait_vec3_axpy(1, base, c->natural + 3 * site);
}

static void kick(plait_rod *rod, const double velocity[3], const double spin[3], const double centre[3])
{
    plait_corde *c = rod->impl;
    for (int i = 0; i <= c->n; i++) {
        double arm[3], w[3];
        plait_vec3_sub(c->x + 3 * i, centre, arm);
        plait_vec3_cross(spin, arm, w);
        plait_vec3_axpy(1, velocity, c->v + 3 * i);
        plait_vec3_axpy(1, w, c->v + 3 * i);
        if (i < c->n)
            plait_vec3_axpy(1, spin, c->w + 3 * i);
    }
}

const plait_rod_type plait_rod_corde = {
    .model = PLAIT_ROD_CORDE,
    .name = "corde",
    .title = "CoRdE (Spillmann and Teschner 2007)",
    .abilities = PLAIT_ROD_TWISTS | PLAIT_ROD_ANISOTROPIC | PLAIT_ROD_STRETCHES | PLAIT_ROD_FREE_ROOT |
                 PLAIT_ROD_HELD_TIP | PLAIT_ROD_HELD_EDGE | PLAIT_ROD_EXPLICIT | PLAIT_ROD_VARIES | PLAIT_ROD_REMEMBERS,
    .build = build,
    .free = plait_chain_free,
    .bind = bind,
    .predict = predict,
    .linearise = linearise,
    .residual = residual,
    .slopes = slopes,
    .spend = plait_corde_spend,
    .retract = retract,
    .solve = plait_chain_solve,
    .point = point,
    .spin = spin,
    .accept = accept_step,
    .shift = shift,
    .relax = relax,
    .positions = positions,
    .velocities = velocities,
    .frames = frames,
    .energy = energy,
    .get_v = get_v,
    .set_v = set_v,
    .masses = masses,
    .strain = strain,
    .get_natural = get_natural,
    .set_natural = set_natural,
    .kick = kick,
};
