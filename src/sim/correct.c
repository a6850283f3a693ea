// correct.c: from impulses to motion, and whether that motion can be believed.
//
// Two things send a step back to assemble. Fibres that contacts have stretched were linearised in the wrong place:
// scheme adonis (Kaufman et al. 2014, algorithm 1) linearises them again about where they went, and only them, until
//
//     sf = max | |e| / |e rest| - 1 |  <=  nonlinear           over the edges e of fibres in contact.
//
// The first iterate is the linear scheme, so that where it is good enough adonis costs one look at each edge. Models
// without stretch are judged by how far their nodes miss where the linearised motion leads: at most MISS nonlinear times the
// contact radius, since it becomes penetration. And whatever would pass through something else becomes a contact.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "contact/compliance.h"
#include "math/quat.h"
#include "math/vec3.h"
#include "sim/sim.h"

enum { HALVINGS = 4, TO_AND_FRO = 5 };
static const double MISS = 5;
static const double SETTLED = 0.01; // of the tolerance: Newton's method changes nothing any more

static bool finite_velocity(const plait_sim *sim)
{
    double sum = 0;
    for (int i = 0; i < sim->dofs; i++)
        sum += fabs(sim->v[i]);
    return isfinite(sum);
}

// v of all bodies: those that take part from the problem, the others as predicted.
static bool velocities(plait_sim *sim, plait_attempt *a)
{
    memcpy(sim->v, sim->v_free, (size_t)sim->dofs * sizeof *sim->v);
    const plait_problem *p = sim->problem;
    if (!p)
        return true;
    double *v = sim->problem_v;
    a->status = plait_compliance_velocity(p->compliance, p->dynamics->f, sim->solution->r, v, a->error);
    if (a->status != PLAIT_OK)
        return false;
    for (int b = 0; b < sim->fibres + sim->rigids; b++) {
        if (sim->body_dof[b] < 0)
            continue;
        int from, count = plait_sim_free_dofs(sim, b, &from);
        double *to = sim->v + sim->first_dof[b];
        if (b < sim->fibres) // held dofs go where they have to
            memcpy(to, sim->fibre[b].f, (size_t)sim->fibre[b].rod->dofs * sizeof *to);
        memcpy(to + from, v + sim->body_dof[b], (size_t)count * sizeof *v);
    }
    return true;
}

bool plait_sim_correct(plait_sim *sim, plait_attempt *a)
{
    a->known = sim->problem ? sim->problem->n : 0;
    if (!velocities(sim, a))
        return false;
    if (!finite_velocity(sim))
        return plait_sim_reject(sim, "a velocity is not finite");
    plait_sim_move_nodes(sim, a->dt, sim->v, sim->x1);
    sim->report.max_stretch = 0;
    for (int i = 0; i < sim->fibres; i++)
        sim->report.max_stretch =
            fmax(sim->report.max_stretch, plait_sim_stretch(sim, i, sim->x1 + 3 * sim->first_node[i]));
    for (int i = 0; i < sim->rigids; i++) {
        const double *v = sim->v + sim->first_dof[sim->fibres + i];
        plait_shape_geometry *g = &sim->shape[sim->scene->colliders + i];
        double turn[3] = {a->dt * v[3], a->dt * v[4], a->dt * v[5]}, e[4];
        plait_vec3_copy(g->start.x, g->end.x);
        plait_vec3_axpy(a->dt, v, g->end.x);
        plait_quat_exp(turn, e);
        plait_quat_multiply(e, g->start.q, g->end.q);
    }
    return true;
}

// ---- nonlinear response ----------------------------------------------------------------------------------------------

// How fast edges grow, relative to their natural lengths.
static double stretch_rate(const plait_sim *sim, int i, double dt)
{
    double fastest = 0;
    for (int n = sim->first_node[i]; n + 1 < sim->first_node[i + 1]; n++) {
        double before[3], now[3];
        plait_vec3_sub(sim->x0 + 3 * n + 3, sim->x0 + 3 * n, before);
        plait_vec3_sub(sim->x1 + 3 * n + 3, sim->x1 + 3 * n, now);
        fastest =
            fmax(fastest, (plait_vec3_norm(now) - plait_vec3_norm(before)) / (dt * (sim->arc[n + 1] - sim->arc[n])));
    }
    return fastest;
}

// How badly a fibre is modelled, relative to what is allowed.
static double strain(plait_sim *sim, int i, double dt)
{
    const plait_stepping *s = &sim->scene->stepping;
    plait_sim_fibre *fibre = &sim->fibre[i];
    plait_rod *rod = fibre->rod;
    if (fibre->jacobian) {
        bool there = rod->type->accept(rod, dt, sim->v + sim->first_dof[i]);
        double miss = there ? plait_sim_miss(sim, i) / (MISS * sim->radius[i]) : INFINITY;
        memcpy(rod->state, fibre->state, (size_t)rod->state_size * sizeof *rod->state);
        return miss / s->nonlinear;
    }
    if (s->nonlinear_rate > 0)
        return stretch_rate(sim, i, dt) / s->nonlinear_rate;
    return plait_sim_stretch(sim, i, sim->x1 + 3 * sim->first_node[i]) / s->nonlinear;
}

// About where it went. If it goes to and fro, every third time only a quarter of the way there from the last time: that ends
// cycles and leaves Newton's method its last steps. Nearer to where it would have gone alone, if it cannot be there.
static bool linearise(plait_sim *sim, int i, double dt)
{
    plait_sim_fibre *fibre = &sim->fibre[i];
    int dofs = fibre->rod->dofs;
    double *v = sim->v + sim->first_dof[i];
    const double *alone = sim->v_free + sim->first_dof[i];
    bool half_hearted = fibre->anew >= TO_AND_FRO && fibre->anew % 3 == 2;
    for (int d = 0; d < dofs && half_hearted; d++)
        v[d] = fibre->about[d] + 0.25 * (v[d] - fibre->about[d]);
    fibre->anew++;
    for (int k = 0; k < HALVINGS; k++) {
        memcpy(fibre->about, v, (size_t)dofs * sizeof *v);
        if (plait_sim_linearise(sim, i, dt, v))
            return true;
        for (int d = 0; d < dofs; d++)
            v[d] = 0.5 * (v[d] + alone[d]);
    }
    return false;
}

static int root_of(int *parent, int i)
{
    while (parent[i] != i)
        i = parent[i] = parent[parent[i]];
    return i;
}

// The part of the contacts that are in a group with a fibre that was linearised anew.
static double concerned(const plait_sim *sim, int *parent)
{
    int bodies = sim->fibres + sim->rigids, count = 0;
    for (int b = 0; b < bodies; b++)
        parent[b] = b;
    for (int i = 0; i < sim->touches.count; i++) {
        const plait_side *side = sim->touches.touch[i].side;
        int a = plait_sim_body_of(sim, &side[0]), b = plait_sim_body_of(sim, &side[1]);
        if (a >= 0 && b >= 0)
            parent[root_of(parent, a)] = root_of(parent, b);
    }
    int *hit = parent + bodies;
    memset(hit, 0, (size_t)bodies * sizeof *hit);
    for (int i = 0; i < sim->fibres; i++)
        hit[root_of(parent, i)] |= sim->fibre[i].bad;
    for (int i = 0; i < sim->touches.count; i++) {
        const plait_side *side = sim->touches.touch[i].side;
        int b = plait_sim_body_of(sim, &side[0]);
        b = b >= 0 ? b : plait_sim_body_of(sim, &side[1]);
        count += b >= 0 && hit[root_of(parent, b)];
    }
    return (double)count / sim->touches.count;
}

// Which fibres have to be linearised anew: fibre->bad. Returns how many.
static int find_bad(plait_sim *sim, double dt)
{
    bool first = sim->report.relinearised == 0;
#pragma omp parallel for schedule(dynamic, 8) num_threads(sim->threads) if (sim->threads > 1 && sim->fibres > 1)
    for (int i = 0; i < sim->fibres; i++) {
        plait_sim_fibre *fibre = &sim->fibre[i];
        fibre->bad = false;
        fibre->anew = first ? 0 : fibre->anew;
        if (sim->body_dof[i] < 0)
            continue;
        double now = strain(sim, i, dt);
        // What stays although it was linearised there is true.
        fibre->bad = now > 1 && (first || !(fabs(now - fibre->strain) <= SETTLED));
        fibre->strain = now;
    }
    int count = 0;
    for (int i = 0; i < sim->fibres; i++)
        count += sim->fibre[i].bad;
    return count;
}

bool plait_sim_relinearise(plait_sim *sim, plait_attempt *a, bool *again)
{
    const plait_stepping *s = &sim->scene->stepping;
    plait_sim_report *report = &sim->report;
    *again = false;
    if (sim->problem && report->newton == 0)
        report->newton = 1, report->newton_mean = 1;
    if (s->scheme == PLAIT_SCHEME_ADONIS && sim->problem && report->newton < s->newton_max) {
        int bad = find_bad(sim, a->dt);
        bool failed = false;
        if (bad > 0) {
#pragma omp parallel for schedule(dynamic, 8) num_threads(sim->threads) reduction(|| : failed) if (sim->threads > 1)
            for (int i = 0; i < sim->fibres; i++)
                if (sim->fibre[i].bad && !linearise(sim, i, a->dt))
                    failed = true;
            if (failed)
                return plait_sim_reject(sim, "a fibre's matrix is not positive definite");
            int *parent = malloc(2 * (size_t)(sim->fibres + sim->rigids) * sizeof *parent);
            if (!parent)
                return plait_sim_no_memory(sim, a);
            report->newton_mean += concerned(sim, parent);
            report->relinearised += bad, report->newton++;
            free(parent);
            *again = true;
            return true;
        }
    }
    if (report->max_stretch > s->max_stretch)
        return plait_sim_reject(sim, "a fibre is stretched too much");
    return true;
}
