// der_build.c: memory, constants and observables of a discrete elastic rod; its row in the table of models.
#include <stdlib.h>
#include <string.h>

#include "base/elementary.h"
#include "body/der.h"
#include "math/mat3.h"
#include "math/vec3.h"

// Hands out pieces of one block; with base = NULL it only counts.
typedef struct piece {
    double *base;
    size_t used;
} piece;

static double *take(piece *p, size_t count)
{
    double *result = p->base ? p->base + p->used : NULL;
    p->used += (count + 7) / 8 * 8;
    return result;
}

static void lay_out(plait_der *d, piece *p)
{
    size_t n = (size_t)d->n, dofs = 4 * n + 3, words = sizeof(double);
    d->rest = take(p, n);
    d->mass = take(p, dofs);
    d->weight = take(p, dofs);
    d->span = take(p, n + 1);
    d->EA = take(p, n);
    d->viscous_EA = take(p, n);
    d->spring = (plait_der_spring *)take(p, (n + 1) * sizeof *d->spring / words);
    d->target = take(p, dofs);
    d->fixed = (unsigned char *)take(p, (dofs + words - 1) / words);
    plait_der_pose *poses[] = {&d->now, &d->trial};
    for (int k = 0; k < 2; k++) {
        poses[k]->delta = take(p, dofs);
        poses[k]->edge = (plait_der_edge *)take(p, (n + 2) * sizeof(plait_der_edge) / words);
        poses[k]->hinge = (plait_der_hinge *)take(p, (n + 1) * sizeof(plait_der_hinge) / words);
    }
    d->old_edge = take(p, 3 * n);
    d->old_length = take(p, n);
    d->old_strain = take(p, PLAIT_DER_STRAINS * (n + 1));
    d->gradient = take(p, dofs + PLAIT_BAND_PAD);
    d->step = take(p, dofs + PLAIT_BAND_PAD);
    d->spare = take(p, dofs + PLAIT_BAND_PAD);
    d->self = take(p, 9 * n);
    d->cross = take(p, 9 * (n + 1));
    d->spin = take(p, 9 * n);
    d->spin_spin = take(p, 2 * n);
    d->band = take(p, plait_banded_room((int)dofs));
}

static void lay_out_state(plait_der *d, piece *p)
{
    size_t n = (size_t)d->n;
    d->state.x = take(p, 3 * (n + 1));
    d->state.v = take(p, 4 * n + 3);
    d->state.m1 = take(p, 3 * n);
    d->state.twist = take(p, n + 1);
    d->state.ghost = take(p, 12);
    d->state.plastic = d->law.yield > 0 ? take(p, 4 * (n + 1)) : NULL;
    d->state.creep = d->law.share > 0 ? take(p, PLAIT_DER_STRAINS * (n + 1)) : NULL;
}

// Natural curvature as the integrated 2 tan(phi/2) of its turning angle, given half way between the two frames, of
// which one is half the natural twist behind and the other as much ahead.
static void set_spring(const plait_section *s, double length, const double kappa[2], double tau,
                       plait_der_spring *spring)
{
    double rate = sqrt(kappa[0] * kappa[0] + kappa[1] * kappa[1]);
    double scale = rate > 0 ? 2 * plait_tan(rate * length / 2) / rate : length;
    for (int side = 0; side < 2; side++) {
        double angle = (side ? -0.5 : 0.5) * tau * length, c = scale * plait_cos(angle), z = scale * plait_sin(angle);
        for (int k = 0; k < 2; k++) {
            spring->stiffness[2 * side + k] = s->EI[k] / (2 * length);
            spring->viscous[2 * side + k] = s->viscous_EI[k] / (2 * length);
        }
        spring->natural[2 * side] = c * kappa[0] - z * kappa[1];
        spring->natural[2 * side + 1] = z * kappa[0] + c * kappa[1];
    }
    spring->stiffness[PLAIT_DER_TWIST] = s->GJ / length;
    spring->viscous[PLAIT_DER_TWIST] = s->viscous_GJ / length;
    spring->natural[PLAIT_DER_TWIST] = tau * length;
}

// Of the two halves of segments that a hinge lies between: compliances add up.
static plait_section hinge_section(const plait_rod *rod, const plait_der *d, int i)
{
    if (!rod->piece || i == 0 || i == d->n)
        return *plait_rod_section(rod, i < d->n ? i : i - 1);
    const plait_section *a = &rod->piece[i - 1], *b = &rod->piece[i];
    plait_section s = *a;
    double la = d->rest[i - 1], lb = d->rest[i], l = la + lb;
    for (int k = 0; k < 2 && a->EI[k] > 0 && b->EI[k] > 0; k++) {
        s.EI[k] = l / (la / a->EI[k] + lb / b->EI[k]);
        s.viscous_EI[k] = (la * a->viscous_EI[k] + lb * b->viscous_EI[k]) / l;
    }
    if (a->GJ > 0 && b->GJ > 0)
        s.GJ = l / (la / a->GJ + lb / b->GJ), s.viscous_GJ = (la * a->viscous_GJ + lb * b->viscous_GJ) / l;
    return s;
}

// The hinge beside an end whose section is held stands for one segment and a half. (What the half is bent by nature is
// in the pose in which the section was taken hold of.)
static void weld(plait_rod *rod, int end)
{
    plait_der *d = rod->impl;
    int i = end ? d->n - 1 : 1;
    double longer = d->n > 1 ? 1 + (end ? d->rest[d->n - 1] : d->rest[0]) / 2 / d->span[i] : 1;
    d->span[i] *= longer;
    for (int k = 0; k < PLAIT_DER_STRAINS && d->n > 1; k++)
        d->spring[i].stiffness[k] /= longer, d->spring[i].viscous[k] /= longer;
}

static void set_constants(plait_rod *rod, const plait_rod_shape *shape)
{
    plait_der *d = rod->impl;
    double mean = rod->length / d->n;
    memcpy(d->rest, shape->rest, (size_t)d->n * sizeof *d->rest);
    for (int i = 0; i <= d->n; i++) {
        double before = i > 0 ? d->rest[i - 1] / 2 : 0, after = i < d->n ? d->rest[i] / 2 : 0;
        double voronoi = d->span[i] = before + after;
        const plait_section *s = plait_rod_section(rod, i < d->n ? i : i - 1), hinge = hinge_section(rod, d, i);
        set_spring(&hinge, voronoi, shape->kappa + 2 * i, shape->tau[i], &d->spring[i]);
        for (int k = 0; k < 3; k++) {
            double mass = rod->piece && i > 0 ? rod->piece[i - 1].mass * before + s->mass * after : s->mass * voronoi;
            d->mass[4 * i + k] = mass;
            d->weight[4 * i + k] = voronoi / mean;
        }
        if (i < d->n) {
            d->EA[i] = s->EA, d->viscous_EA[i] = s->viscous_EA;
            d->mass[4 * i + 3] = (s->inertia[0] + s->inertia[1]) * d->rest[i];
            d->weight[4 * i + 3] = d->rest[i] * d->rest[i];
        }
    }
}

static void bind(plait_rod *rod)
{
    piece state = {rod->state, 0};
    lay_out_state(rod->impl, &state);
}

static plait_status build(plait_rod *rod, const plait_rod_shape *shape, plait_error *error)
{
    int n = shape->segments;
    plait_der *d = rod->impl = calloc(1, sizeof *d);
    if (!d)
        return plait_error_set(error, PLAIT_NO_MEMORY, "rod %d: no memory", rod->id);
    d->n = n;
    d->law = plait_rod_law_of(&rod->section);
    rod->dofs = 4 * n + 3;
    rod->bandwidth = PLAIT_BAND;
    rod->stride = 4;
    piece work = {NULL, 0}, state = {NULL, 0};
    lay_out(d, &work);
    lay_out_state(d, &state);
    work.base = d->memory = calloc(work.used, sizeof(double));
    rod->state_size = (int)state.used;
    if (!plait_rod_room(rod) || !work.base)
        return plait_error_set(error, PLAIT_NO_MEMORY, "rod %d: no memory for %d segments", rod->id, n);
    work.used = 0;
    lay_out(d, &work);
    bind(rod);
    set_constants(rod, shape);
    memcpy(d->state.x, shape->x, 3 * ((size_t)n + 1) * sizeof(double));
    for (int j = 0; j < n; j++)
        plait_vec3_copy(shape->frames + 9 * j, d->state.m1 + 3 * j);
    for (int i = 1; i < n; i++)
        d->state.twist[i] = shape->tau[i] * (d->rest[i - 1] + d->rest[i]) / 2;
    plait_der_ends_update(rod);
    return PLAIT_OK;
}

static void destroy(plait_rod *rod)
{
    plait_der *d = rod->impl;
    if (d)
        free(d->memory);
    free(d);
}

static void ends_changed(plait_rod *rod)
{
    plait_der_ends_update(rod);
}

static int point(const plait_rod *rod, int segment, double a, double position[3], int *first, double *J)
{
    return plait_rod_link_point(((const plait_der *)rod->impl)->state.x, 4, segment, a, position, first, J);
}

// t x (v_{j+1} - v_j)/|e| + theta' t
static void spin(const plait_rod *rod, int segment, double *S)
{
    const plait_der *d = rod->impl;
    enum { COUNT = 7 };
    double t[3], T[9] = {0};
    plait_vec3_sub(d->state.x + 3 * (segment + 1), d->state.x + 3 * segment, t);
    double length = plait_vec3_normalise(t);
    plait_mat3_add_cross(T, 1 / length, t);
    for (int k = 0; k < 3; k++)
        for (int j = 0; j < 3; j++) {
            S[COUNT * k + j] = -T[3 * k + j];
            S[COUNT * k + 3] = t[k];
            S[COUNT * k + 4 + j] = T[3 * k + j];
        }
}

static void positions(const plait_rod *rod, double *x)
{
    const plait_der *d = rod->impl;
    memcpy(x, d->state.x, 3 * ((size_t)d->n + 1) * sizeof *x);
}

static void velocities(const plait_rod *rod, double *v)
{
    const plait_der *d = rod->impl;
    for (int i = 0; i <= d->n; i++)
        plait_vec3_copy(d->state.v + 4 * i, v + 3 * i);
}

static void frames(const plait_rod *rod, double *f)
{
    const plait_der *d = rod->impl;
    for (int j = 0; j < d->n; j++, f += 9) {
        plait_vec3_sub(d->state.x + 3 * (j + 1), d->state.x + 3 * j, f + 6);
        plait_vec3_normalise(f + 6);
        plait_vec3_copy(d->state.m1 + 3 * j, f);
        plait_vec3_cross(f + 6, f, f + 3);
    }
}

// kb = 2 tan(phi/2) b, so that a turn about b changes it by 1 + |kb|^2 / 4 of that.
static bool strain(const plait_rod *rod, int node, double out[3], double moment[3])
{
    const plait_der *d = rod->impl;
    if ((node == 0 && !d->clamped[0]) || (node == d->n && !d->clamped[1]))
        return false;
    plait_der_pose_start(rod);
    const plait_der_hinge *h = &d->now.hinge[node];
    const plait_der_spring *spring = &d->spring[node];
    const plait_der_edge *e = &d->now.edge[node];
    double voronoi = d->span[node], more = 1 + plait_vec3_dot(h->kb, h->kb) / 4, w[PLAIT_DER_STRAINS];
    for (int k = 0; k < PLAIT_DER_STRAINS; k++) { // plastic flow and creep are those of the end of the last step
        double p = d->state.plastic && k < PLAIT_DER_TWIST ? d->state.plastic[4 * node + k] : 0;
        double crept = d->state.creep ? d->state.creep[PLAIT_DER_STRAINS * node + k] : 0;
        double off = h->strain[k] - spring->natural[k];
        w[k] = spring->stiffness[k] * (off - p + d->law.share * (off - crept));
    }
    for (int k = 0; k < 3; k++)
        moment[k] = more * (w[0] * e[0].m2[k] - w[1] * e[0].m1[k] + w[2] * e[1].m2[k] - w[3] * e[1].m1[k]) +
                    w[PLAIT_DER_TWIST] * (e[0].t[k] + e[1].t[k]) / 2;
    for (int k = 0; k < 2; k++) // of the turning angle, not of its 2 tan(phi/2)
        out[k] = (h->strain[k] + h->strain[2 + k]) / 2 / voronoi;
    double rate = sqrt(out[0] * out[0] + out[1] * out[1]) * voronoi / 2;
    for (int k = 0; k < 2 && rate > 0; k++)
        out[k] *= plait_atan(rate) / rate;
    out[2] = h->strain[PLAIT_DER_TWIST] / voronoi;
    return true;
}

static void get_natural(const plait_rod *rod, int site, double *natural)
{
    memcpy(natural, ((const plait_der *)rod->impl)->spring[site].natural, PLAIT_DER_STRAINS * sizeof *natural);
}

static void set_natural(plait_rod *rod, int site, const double *base, const double more[3])
{
    plait_der *d = rod->impl;
    plait_der_spring added;
    set_spring(&rod->section, d->span[site], more, more[2], &added);
    for (int k = 0; k < PLAIT_DER_STRAINS; k++)
        d->spring[site].natural[k] = base[k] + added.natural[k];
}

static void kick(plait_rod *rod, const double velocity[3], const double spin[3], const double centre[3])
{
    plait_der *d = rod->impl;
    for (int i = 0; i <= d->n; i++) {
        double arm[3], w[3], *v = d->state.v + 4 * i;
        plait_vec3_sub(d->state.x + 3 * i, centre, arm);
        plait_vec3_cross(spin, arm, w);
        for (int k = 0; k < 3; k++)
            v[k] += velocity[k] + w[k];
        if (i < d->n) {
            double t[3];
            plait_vec3_sub(d->state.x + 3 * (i + 1), d->state.x + 3 * i, t);
            plait_vec3_normalise(t);
            v[3] += plait_vec3_dot(spin, t);
        }
    }
}

static plait_rod_energies energy(const plait_rod *rod)
{
    const plait_der *d = rod->impl;
    plait_rod_energies e = {0};
    plait_der_pose_start(rod);
    for (int i = 0; i <= d->n; i++) {
        const double *x = d->state.x + 3 * i, *v = d->state.v + 4 * i;
        double m = d->mass[4 * i], moment[3];
        plait_vec3_cross(x, v, moment);
        plait_vec3_axpy(m, v, e.momentum);
        plait_vec3_axpy(m, moment, e.angular_momentum);
        e.kinetic += m * plait_vec3_dot(v, v) / 2;
        e.load -= m * plait_vec3_dot(rod->gravity, x) + plait_vec3_dot(rod->force + 3 * i, x);
        e.weight -= m * plait_vec3_dot(rod->told_gravity, x);
        const plait_der_hinge *h = &d->now.hinge[i];
        bool there = (i > 0 || d->clamped[0]) && (i < d->n || d->clamped[1]);
        if (there)
            plait_der_stored(d, i, h->strain, &e.bend, &e.twist);
        if (i == d->n)
            continue;
        const plait_der_edge *edge = &d->now.edge[i + 1];
        double strain = edge->length / d->rest[i] - 1, spin = d->mass[4 * i + 3] * v[3];
        e.stretch += d->EA[i] * d->rest[i] * strain * strain / 2;
        e.kinetic += spin * v[3] / 2;
        plait_vec3_axpy(spin, edge->t, e.angular_momentum);
    }
    return e;
}

const plait_rod_type plait_rod_der = {
    .model = PLAIT_ROD_DER,
    .name = "der",
    .title = "discrete elastic rod",
    .abilities = PLAIT_ROD_TWISTS | PLAIT_ROD_ANISOTROPIC | PLAIT_ROD_STRETCHES | PLAIT_ROD_FREE_ROOT |
                 PLAIT_ROD_HELD_TIP | PLAIT_ROD_HELD_EDGE | PLAIT_ROD_PROJECTS | PLAIT_ROD_VARIES |
                 PLAIT_ROD_REMEMBERS,
    .build = build,
    .free = destroy,
    .bind = bind,
    .predict = plait_der_predict,
    .linearise = plait_der_linearise,
    .residual = plait_der_residual,
    .slopes = plait_der_slopes,
    .spend = plait_der_spend,
    .retract = plait_der_retract,
    .solve = plait_der_solve,
    .point = point,
    .spin = spin,
    .accept = plait_der_accept,
    .shift = plait_der_shift,
    .relax = plait_der_relax,
    .hold = plait_der_hold,
    .stable = plait_der_stable,
    .stiffen = plait_der_stiffen,
    .positions = positions,
    .velocities = velocities,
    .frames = frames,
    .energy = energy,
    .get_v = plait_der_get_v,
    .set_v = plait_der_set_v,
    .masses = plait_der_masses,
    .strain = strain,
    .get_natural = get_natural,
    .set_natural = set_natural,
    .ends_changed = ends_changed,
    .weld = weld,
    .kick = kick,
};
