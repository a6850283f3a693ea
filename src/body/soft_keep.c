// soft_keep.c: M that stays for some steps.
//
// A solid of patient elements (soft.h) in a step with `rod.scheme: linear`: forces are those of the moment, about where
// it is at the start of the step, and M multiplies nothing but the motion in the step. An M of places that are nearly
// those of now does as well: where nothing moves, it does not matter at all. What it saves is the assembly, the
// factorisation, and what contacts made of the factor.
//
// It is kept while no edge of an element has changed by more than KEEP of its length, in the metric of the world:
// turned or stretched. The state holds the places and the dt that it is of, behind everything else, so that a run that
// is resumed has the same M:
//
//     | places | velocities | history of bdf2 | places of M | its dt |
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "body/soft.h"
#include "math/vec3.h"

static const double KEEP = 0.005;
enum { MOST = 1500 }; // dofs of the inverse that contacts may keep: 18 MB, if they need them

bool plait_soft_make_kept(plait_body *b, bool second_order)
{
    plait_soft_impl *s = b->impl;
    if (second_order || b->response->own.scheme != PLAIT_STEP_LINEAR || b->response->mass_alone)
        return true;
    for (int k = 0; k < s->sets; k++)
        if (!s->set[k].type->patient)
            return true;
    size_t places = 3 * (size_t)s->nodes + 1, most = places < MOST ? places : MOST;
    s->kept_M = malloc(((size_t)s->plan->entries + places) * sizeof *s->kept_M);
    s->kept.number = malloc(places * sizeof *s->kept.number), s->kept.A = malloc(most * most * sizeof *s->kept.A);
    size_t numbers = (size_t)plait_cholesky_size(s->plan) + 1; // most of it is never touched where contacts need it not
    s->kept.L = s->kept.L ? s->kept.L : malloc(numbers * sizeof *s->kept.L);
    s->kept.Z = malloc(numbers * sizeof *s->kept.Z);
    if (!s->kept_M || !s->kept.number || !s->kept.A || !s->kept.L || !s->kept.Z)
        return false;
    s->kept.most = (int)most;
    s->kept_at = s->kept_M + s->plan->entries, s->kept_at[places - 1] = 0;
    b->state_size += (int)places;
    return true;
}

bool plait_soft_may_keep(const plait_body *b)
{
    return plait_soft_of(b)->kept_M != NULL;
}

static double *in_state(const plait_body *b)
{
    return b->state + b->state_size - b->dofs - 1;
}

static bool near(const plait_elements *set, const double *x, const double *y)
{
    int n = set->type->nodes;
    for (int e = 0; e < set->count; e++) {
        const int *node = set->node + (size_t)e * (size_t)n;
        for (int a = 1; a < n; a++) {
            size_t i = 3 * (size_t)node[0], j = 3 * (size_t)node[a];
            double now[3], then[3], apart[3];
            plait_vec3_sub(x + j, x + i, now), plait_vec3_sub(y + j, y + i, then), plait_vec3_sub(now, then, apart);
            if (!(plait_vec3_dot(apart, apart) <= KEEP * KEEP * plait_vec3_dot(then, then)))
                return false;
        }
    }
    return true;
}

// kept_M <- that of the places `at`, if it is not yet.
static void renew(plait_body *b, double dt, const double *at)
{
    plait_soft_impl *s = b->impl;
    size_t n = (size_t)b->dofs;
    if (s->kept_at[n] == dt && memcmp(s->kept_at, at, n * sizeof *at) == 0)
        return;
    memcpy(s->kept_at, at, n * sizeof *at), s->kept_at[n] = dt;
    if (s->damped) // there too, not that of the step at hand
        plait_soft_viscosity(s, at, s->kept_M);
    plait_soft_fill_matrix(b, dt, at, false, s->kept_M, s->kept_M);
    s->kept.done = s->kept.inverted = false, s->kept.dofs = 0;
}

void plait_soft_keep(plait_body *b, double dt, const double *x)
{
    plait_soft_impl *s = b->impl;
    const double *known = in_state(b);
    bool keep = known[b->dofs] == dt;
    for (int k = 0; keep && k < s->sets; k++)
        keep = near(&s->set[k], x, known);
    s->renewed = !keep;
    renew(b, dt, keep ? known : x);
    memcpy(b->M, s->kept_M, (size_t)s->plan->entries * sizeof *b->M);
    b->kept = &s->kept;
}

void plait_soft_accept_kept(plait_body *b)
{
    plait_soft_impl *s = b->impl;
    if (s->kept_M && s->renewed)
        memcpy(in_state(b), s->kept_at, ((size_t)b->dofs + 1) * sizeof *s->kept_at);
    s->renewed = false;
}
