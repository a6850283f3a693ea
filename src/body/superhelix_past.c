// superhelix_past.c: velocities of a super-helix from more than two configurations, for steps of BDF2 (bdf2.h).
//
// With X_0 the configuration of the state and X_k the one k steps ago, every point of the rod has the velocity
//
//     h_0 (X_0 - X_1) + h_1 (X_1 - X_2) + h_2 (X_2 - X_3)  =  h_0 (X_0 - Y),
//     Y = (1 - h_1/h_0) X_1 + (h_1 - h_2)/h_0 X_2 + h_2/h_0 X_3
//
// at the end of a step of BDF2 with h = (1/dt, -ratio/dt')/beta, of implicit Euler with 1/dt. vhat is such a sum too.
// Behind the state (rod->past): h_1 of the state, h_0 and h_1 of one step ago, X_2, X_3.
#include <string.h>

#include "body/bdf2.h"
#include "body/superhelix.h"
#include "math/vec3.h"

enum { OLDER, RATE_THEN, OLDER_THEN, HEAD };

static int numbers(const plait_rod *rod)
{
    return 7 + 3 * rod->segments;
}

int plait_superhelix_past_size(const plait_rod *rod)
{
    return HEAD + 2 * numbers(rod);
}

double *plait_superhelix_configuration(const plait_rod *rod, int ago, double **k)
{
    double *at = ago < 2 ? rod->state + (ago ? SH_AT_BEFORE : SH_AT_X) : rod->past + HEAD + (ago - 2) * numbers(rod);
    *k = ago < 2 ? rod->state + SH_AT_K + (ago ? 3 * rod->segments : 0) : at + 7;
    return at;
}

// h of the state, or of vhat; that of places has the drag of the step before in it, that of directors has none.
static void rates(const plait_rod *rod, bool inertial, bool places, double h[3])
{
    const plait_bdf2 *s = inertial ? rod->second : NULL;
    const double *past = rod->past;
    h[0] = rod->state[SH_AT_RATE], h[1] = past ? past[OLDER] : 0, h[2] = 0;
    if (!s)
        return;
    h[0] = (s->ratio + (places ? s->late : 0)) / s->dt + s->beta * s->a0 * h[0];
    h[1] = s->beta * (s->a0 * h[1] - s->a1 * past[RATE_THEN]);
    h[2] = -s->beta * s->a1 * past[OLDER_THEN];
}

// Weights of X_1, X_2, X_3 in Y; how many there are.
static int weights(const double h[3], double w[3])
{
    w[0] = 1, w[1] = w[2] = 0;
    if (h[0] == 0 || (h[1] == 0 && h[2] == 0))
        return 1;
    w[0] = 1 - h[1] / h[0], w[1] = (h[1] - h[2]) / h[0], w[2] = h[2] / h[0];
    return w[2] == 0 ? 2 : 3;
}

void plait_superhelix_were(const plait_rod *rod, bool inertial, double *were, double rate[2])
{
    plait_superhelix *sh = rod->impl;
    double h[2][3], w[2][3];
    int points = sh->n * sh->gauss, terms = 1;
    for (int c = 0; c < 2; c++) {
        rates(rod, inertial, c == 0, h[c]);
        int mine = weights(h[c], w[c]);
        terms = mine > terms ? mine : terms;
        rate[c] = h[c][0];
    }
    plait_superhelix_load(rod, 1, false);
    plait_superhelix_sample(sh, were);
    for (int i = 0; i < 9 * points && terms > 1; i++)
        were[i] *= w[i % 9 > 2][0];
    for (int k = 1; k < terms; k++) { // what the goal has for the start of the step is written after this
        plait_superhelix_load(rod, 1 + k, false);
        plait_superhelix_sample(sh, sh->goal.now);
        for (int i = 0; i < 9 * points; i++)
            were[i] += w[i % 9 > 2][k] * sh->goal.now[i];
    }
}

// Whether only the state is in what is kept of it.
static bool lasts(const plait_rod *rod)
{
    return !rod->second && !rod->past;
}

static bool knows(const plait_rod *rod, double dt)
{
    const sh_goal *goal = &((plait_superhelix *)rod->impl)->goal;
    return lasts(rod) && goal->known_dt == dt && goal->known_drag == rod->section.drag &&
           memcmp(goal->known, rod->state, (size_t)rod->state_size * sizeof *rod->state) == 0;
}

static void know(const plait_rod *rod, double dt)
{
    sh_goal *goal = &((plait_superhelix *)rod->impl)->goal;
    memcpy(goal->known, rod->state, (size_t)rod->state_size * sizeof *rod->state);
    goal->known_dt = lasts(rod) ? dt : 0, goal->known_drag = rod->section.drag;
}

void plait_superhelix_sample_motion(const plait_rod *rod, bool inertial, double rate[2])
{
    plait_superhelix *sh = rod->impl;
    rate[0] = rate[1] = rod->state[SH_AT_RATE];
    if (knows(rod, SH_SAMPLED))
        return;
    plait_superhelix_were(rod, inertial, sh->goal.targets, rate);
    plait_superhelix_load(rod, 0, false);
    plait_superhelix_sample(sh, sh->goal.now);
    know(rod, SH_SAMPLED);
}

void plait_superhelix_set_targets(const plait_rod *rod, double dt)
{
    plait_superhelix *sh = rod->impl;
    double rate[2], slowing = 1 / (1 + rod->section.drag * dt);
    if (knows(rod, dt))
        return;
    plait_superhelix_sample_motion(rod, true, rate);
    for (int i = 0; i < sh->n * sh->gauss; i++) {
        double *X = sh->goal.targets + 9 * i, v[9];
        const double *now = sh->goal.now + 9 * i;
        plait_superhelix_motion(rod, rate, now, X, v);
        for (int j = 0; j < 9; j++)
            X[j] = now[j] + dt * (j < 3 ? slowing : 1) * v[j];
    }
    know(rod, dt);
}

double plait_superhelix_nodes_were(const plait_rod *rod, double *were)
{
    plait_superhelix *sh = rod->impl;
    double h[3], w[3];
    rates(rod, false, true, h);
    int terms = weights(h, w);
    for (int k = 0; k < terms; k++) {
        plait_superhelix_load(rod, 1 + k, false);
        for (int i = 0; i <= sh->n; i++) {
            if (k == 0)
                were[3 * i] = were[3 * i + 1] = were[3 * i + 2] = 0;
            plait_vec3_axpy(w[k], sh->node[i].x, were + 3 * i);
        }
    }
    return h[0];
}

void plait_superhelix_remember(plait_rod *rod)
{
    double *past = rod->past, *k, *x, *to = past + HEAD;
    const plait_bdf2 *s = rod->second;
    size_t n = (size_t)numbers(rod);
    if (!past)
        return;
    past[RATE_THEN] = rod->state[SH_AT_RATE], past[OLDER_THEN] = past[OLDER];
    past[OLDER] = s ? -s->ratio / (s->beta * s->dt) : 0;
    memcpy(to + n, to, n * sizeof *to);
    x = plait_superhelix_configuration(rod, 1, &k);
    memcpy(to, x, 7 * sizeof *to);
    memcpy(to + 7, k, (n - 7) * sizeof *to);
}

void plait_superhelix_forget(plait_rod *rod)
{
    if (rod->past)
        rod->past[OLDER] = 0;
}

void plait_superhelix_add_older(const plait_rod *rod, double *v)
{
    double *k, *k1, turn[3], older = rod->past ? rod->past[OLDER] : 0;
    if (older == 0)
        return;
    const double *now = plait_superhelix_configuration(rod, 1, &k), *then = plait_superhelix_configuration(rod, 2, &k1);
    plait_superhelix_turn_between(then + SH_AT_Q, now + SH_AT_Q, turn);
    for (int j = 0; j < 3; j++)
        v[j] += older * (now[j] - then[j]), v[3 + j] += older * turn[j];
    for (int i = 0; i < 3 * rod->segments; i++)
        v[SH_ROOT + i] += older * (k[i] - k1[i]);
}
