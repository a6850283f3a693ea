// superhelix_spend.c: what a step of a super-helix costs.
#include <math.h>
#include <string.h>

#include "body/bdf2.h"
#include "body/superhelix.h"
#include "math/mat3.h"
#include "math/vec3.h"

// At x0 + dt v, or at x0 without v; all: with inertia, drag and viscosity. *value: elastic energy and loads.
static bool slope_at(plait_rod *rod, double dt, const double *v, bool all, double *g, double *value)
{
    plait_superhelix *sh = rod->impl;
    sh_goal *goal = &sh->goal;
    plait_superhelix_set_goal(rod, all ? dt : 0); // statics have no inertia
    if (v)
        plait_superhelix_go_on(rod, dt, v);
    else // held dofs too
        plait_superhelix_start(rod);
    if (!all) // what holds the tip is counted by what it does (spend)
        goal->tip_place = goal->tip_frame = false;
    *value = plait_superhelix_slope(sh).energy;
    memcpy(g, sh->gradient, (size_t)sh->dofs * sizeof *g);
    for (int i = 0; v && i < sh->dofs; i++)
        *value -= dt * v[i] * goal->couple[i];
    return isfinite(*value);
}

bool plait_superhelix_slopes(plait_rod *rod, double dt, const double *v, plait_rod_slopes *s)
{
    double ignored;
    if (s->start && (!slope_at(rod, dt, NULL, false, s->start, &s->start_value) ||
                     !slope_at(rod, dt, v, false, s->end, &s->end_value)))
        return false;
    return slope_at(rod, dt, v, true, s->whole, &ignored);
}

// Place and directors of the last node.
static void tip_of(const plait_superhelix *sh, double p[9])
{
    const sh_pose *tip = &sh->node[sh->n];
    plait_vec3_copy(tip->x, p);
    plait_mat3_column(tip->R, 0, p + 3);
    plait_mat3_column(tip->R, 1, p + 6);
}

// The iterate is that of the last slope with all. goal.now: points at the start; targets: X = now + dt slowing V0.
void plait_superhelix_spend(const plait_rod *rod, double dt, const double *v, plait_rod_spent *s)
{
    plait_superhelix *sh = rod->impl;
    sh_goal *goal = &sh->goal;
    const plait_section *section = &rod->section;
    double a[3] = {section->mass, section->inertia[0], section->inertia[1]}, slowing = 1 / (1 + section->drag * dt);
    goal->known_dt = 0; // targets become other things here
    double end[9], start[9], multiplier[9];
    for (int q = 0; q < sh->n; q++) {
        for (int i = 0; i < sh->gauss; i++) {
            plait_helix h = plait_helix_at(sh->k + 3 * q, sh->u[i] * sh->length[q]);
            double *now = goal->now + 9 * (q * sh->gauss + i), *X = goal->targets + 9 * (q * sh->gauss + i);
            double p[9], x[3], E[9], R[9], w = sh->w[i] * sh->length[q];
            double part[3] = {sh->heavy[q], sh->spun[q], sh->spun[q]};
            plait_helix_place(&h, x, E);
            plait_mat3_apply(sh->node[q].R, x, p);
            plait_vec3_axpy(1, sh->node[q].x, p);
            plait_mat3_multiply(sh->node[q].R, E, R);
            plait_mat3_column(R, 0, p + 3);
            plait_mat3_column(R, 1, p + 6);
            for (int c = 0; c < 9; c++) {
                double V = (p[c] - now[c]) / dt, V0 = (X[c] - now[c]) / (dt * (c < 3 ? slowing : 1)),
                       m = w * part[c / 3] * a[c / 3];
                s->inertial += m * V * (V - V0), s->shed += 0.5 * m * (V - V0) * (V - V0);
                if (c < 3)
                    s->square += m * V * V, s->momentum[c] += m * V;
                X[c] = m * V; // kept for what is below
            }
        }
        for (int j = 0; j < 3; j++) {
            double rate = v[SH_ROOT + 3 * q + j];
            s->damping += dt * sh->length[q] * sh->firm[q] * sh->viscous[j] * rate * rate;
        }
        plait_rod_more more = plait_superhelix_more(sh, q);
        s->plastic += sh->length[q] * more.lost, s->damping += sh->length[q] * more.branch;
    }
    for (int i = 0; i < sh->dofs; i++)
        s->loads += dt * v[i] * goal->couple[i];
    if (rod->second)
        for (int i = 0; i < 9 * sh->n * sh->gauss; i++)
            s->past += i % 9 < 3 ? goal->targets[i] * goal->now[i] / rod->second->dt : 0;
    for (int i = 0; i <= sh->n; i++)
        s->loads += plait_vec3_dot(rod->force + 3 * i, sh->node[i].x);
    tip_of(sh, end);
    memcpy(multiplier, goal->multiplier, sizeof multiplier);
    bool place = goal->tip_place, frame = goal->tip_frame;
    double slides[3] = {goal->tip_a[0], goal->tip_a[1], goal->tip_a[2]};
    memset(goal->couple, 0, (size_t)sh->dofs * sizeof *goal->couple);
    plait_superhelix_start(rod);
    tip_of(sh, start);
    for (int i = 0; i <= sh->n; i++)
        s->loads -= plait_vec3_dot(rod->force + 3 * i, sh->node[i].x);
    for (int c = 0; c < 9; c++)
        if (c < 3 ? place && slides[c] > 0 : frame)
            s->tip += multiplier[c] * (end[c] - start[c]);
    if (!rod->second)
        return;
    plait_superhelix_load(rod, 1, false);
    plait_superhelix_sample(sh, goal->now);
    for (int i = 0; i < 9 * sh->n * sh->gauss; i++)
        s->past -= i % 9 < 3 ? goal->targets[i] * goal->now[i] / rod->second->dt : 0;
    plait_superhelix_start(rod);
}
