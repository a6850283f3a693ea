// apgd.c: accelerated projected gradient (Nesterov) for exact Coulomb friction.
//
// With the de Saxce shift s_i held still, the gradient of the convex problem at y is the shifted velocity
// g = u(y) + s e_N, and
//     r+ = P_K(y - g / (L D)),   y+ = r+ + beta (r+ - r)
// with a metric D per contact: contacts near a clamped root are a thousand times stiffer than others, and most are
// stiffer along their normal or across it. D is half way, in logarithms, from tr(W_ii) / 3 to W_NN and the mean of
// W_TT: all of the way is quicker at times, and circles at others. The projection stays closed: in units in which D is
// one, the cone has another mu.
// The shift follows mu |u_T|, s += omega (mu |u_T| - s): a fixed point is the exact law. Momentum amplifies what
// changes quickly beside it: with omega = 1 iterates go round in circles where friction is high or contacts outnumber
// the dofs. There omega is a multiple of theta, the inverse of the iterations that momentum remembers, down to a least
// value; where it circles nevertheless s gets slower and slower still.
// The momentum starts anew when it points uphill (O'Donoghue and Candes 2015). Where it remembers long, it has no
// damping to speak of, and the shift, which answers late, drives it: iterates circle. With theta kept above a least
// value it has, and even a shift that follows quickly is stable; what is lost is speed where the problem is
// ill-conditioned. So this comes when circling has been seen.
// L follows the curvature met along the steps, (r+ - y).W(r+ - y) / |r+ - y|^2, so that no bound on W is needed: u is
// linear, and the products are there already. One product with W per iteration; nothing is assembled.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/parallel.h"
#include "base/pool.h"
#include "base/simd.h"
#include "contact/share.h"
#include "contact/spread.h"
#include "contact/system.h"
#include "math/soc.h"

enum { N = PLAIT_LANES, CHECK = 10, REFRESH = 200, POWER_STEPS = 8, POWER_STEPS_HEAVY = 3 };
enum { PATIENCE = 400, LAST_PATIENCE = 1200 }; // iterations without progress; of the last pace
#define MARGIN 1.05 // over the curvature met
#define FORGET 0.98 // per iteration: L sinks where the problem is softer
#define FIRST 0.5   // of the largest eigenvalue, to begin with: steps seldom meet all of it
#define WON 0.8     // of the residual: what counts as progress,
#define NEAR 0.1    // or, near the target, this power of the way that is left
#define STRETCH 100 // between W_NN, W_TT and their mean, at most

// How quickly the shift follows, omega = min(1, max(gain theta, least)), and the least theta. The next one is for those
// that circle; the first circles soon where friction loads the dofs (PLAIT_CROWDED).
static const struct {
    double gain, least, theta;
} paces[] = {{0, 1, 0}, {10, 0.02, 0}, {0, 0.1, 0.01}, {0, 0.3, 0.02}};
enum { FOLLOWS = 1, DAMPED, PACES = sizeof paces / sizeof *paces };

typedef struct apgd {
    plait_system *sys;
    double *r, *u, *y, *uy, *next, *next_u;
    double *normal, *tangent; // [n] D ...
    double *give, *give_T;    // [n] ... and 1 / D
    double *ratio;            // [n] sqrt(D of tangents / D of the normal)
    double *shift;            // [n] s
    double L, beta, omega;
    bool coulomb; // all contacts follow Coulomb's law, and no shift is held
} apgd;

// D. Other laws have projections of their own, for one step in all directions.
static void set_metric(apgd *a)
{
    const plait_system *sys = a->sys;
    for (int i = 0; i < sys->n; i++) {
        const double *W = sys->diagonal + 9 * (int64_t)i;
        double s = sys->s[i], least = s / STRETCH, most = s * STRETCH;
        a->normal[i] = a->tangent[i] = s;
        if (!sys->laws.index) {
            a->normal[i] = sqrt(s * fmin(fmax(W[0], least), most));
            a->tangent[i] = sqrt(s * fmin(fmax(0.5 * (W[4] + W[8]), least), most));
        }
        a->give[i] = 1 / a->normal[i], a->give_T[i] = 1 / a->tangent[i];
        a->ratio[i] = sqrt(a->tangent[i] / a->normal[i]);
    }
}

// next <- P_K(y - g / (L D)) of contact i, which may have any law; returns the slope g.(next - r).
static double gradient_one(const apgd *a, int64_t i)
{
    const double *y = a->y + 3 * i, *u = a->uy + 3 * i, *r = a->r + 3 * i;
    double k = a->ratio[i], t = 1 / a->L * a->give[i], t_T = 1 / a->L * a->give_T[i], *to = a->next + 3 * i;
    bool held = a->sys->shift && a->sys->shift[i] >= 0;
    double shift = a->shift[i] += a->omega * (plait_law_shift(&a->sys->laws, i, u) - a->shift[i]);
    if (held)
        shift = a->sys->shift[i];
    double g[3] = {u[0] + shift, u[1], u[2]};
    double x[3] = {y[0] - t * g[0], y[1] - t_T * g[1], y[2] - t_T * g[2]};
    if (a->sys->laws.index) {
        plait_law_project(&a->sys->laws, i, t, shift, x, to);
    } else {
        double scaled[3] = {x[0], k * x[1], k * x[2]};
        plait_soc_project(k * a->sys->laws.mu[i], scaled, to);
        to[1] /= k, to[2] /= k;
    }
    return g[0] * (to[0] - r[0]) + g[1] * (to[1] - r[1]) + g[2] * (to[2] - r[2]);
}

static inline void load_lanes(const double *from, double to[3][N])
{
    for (int l = 0; l < N; l++)
        for (int k = 0; k < 3; k++)
            to[k][l] = from[3 * l + k];
}

// The same for eight contacts side by side that follow Coulomb's law, without branches and without held shifts; slopes
// are added to `uphill`.
static inline __attribute__((always_inline)) void gradient_lanes(const apgd *a, int64_t i, double uphill[N])
{
    double y[3][N], g[3][N], r[3][N], to[3][N];
    const double *give = a->give + i, *give_T = a->give_T + i, *ratio = a->ratio + i;
    double shift[N], mu[N], inverse = 1 / a->L, omega = a->omega;
    load_lanes(a->y + 3 * i, y), load_lanes(a->uy + 3 * i, g), load_lanes(a->r + 3 * i, r);
    memcpy(shift, a->shift + i, sizeof shift), memcpy(mu, a->sys->laws.mu + i, sizeof mu);
#pragma omp simd
    for (int l = 0; l < N; l++) {
        double slip = sqrt(g[1][l] * g[1][l] + g[2][l] * g[2][l]);
        shift[l] += omega * (mu[l] * slip - shift[l]);
        g[0][l] += shift[l];
    }
    memcpy(a->shift + i, shift, sizeof shift);
#pragma omp simd
    for (int l = 0; l < N; l++) { // in units in which D is that of the normal
        double k = ratio[l], m = k * mu[l], step = inverse * give[l], along = inverse * give_T[l];
        double x0 = y[0][l] - step * g[0][l], x1 = y[1][l] - along * g[1][l], x2 = y[2][l] - along * g[2][l];
        double t = k * sqrt(x1 * x1 + x2 * x2), normal = (x0 + m * t) / (1 + m * m);
        double shrink = m * normal / (t > 0 ? t : 1);
        bool inside = t <= m * x0 && x0 >= 0, zero = m * t <= -x0; // without friction t = 0 is not inside by itself
        normal = zero ? 0 : normal, shrink = zero ? 0 : shrink;    // the tip of the cone: only where not inside
        to[0][l] = inside ? x0 : normal;
        shrink = inside ? 1 : shrink;
        to[1][l] = shrink * x1, to[2][l] = shrink * x2;
    }
#pragma omp simd
    for (int l = 0; l < N; l++)
        uphill[l] += g[0][l] * (to[0][l] - r[0][l]) + g[1][l] * (to[1][l] - r[1][l]) + g[2][l] * (to[2][l] - r[2][l]);
    for (int l = 0; l < N; l++)
        for (int k = 0; k < 3; k++)
            a->next[3 * (i + l) + k] = to[k][l];
}

PLAIT_CLONES static double gradient_part(int64_t begin, int64_t end, const void *data)
{
    const apgd *a = data;
    double lane[N] = {0}, uphill = 0;
    for (; begin + N <= end && a->coulomb; begin += N)
        gradient_lanes(a, begin, lane);
    for (int l = 0; l < N; l++)
        uphill += lane[l];
    for (; begin < end; begin++)
        uphill += gradient_one(a, begin);
    return uphill;
}

PLAIT_CLONES static double curvature_part(int64_t begin, int64_t end, const void *data)
{
    const apgd *a = data;
    const double *x = a->next, *y = a->y, *u = a->next_u, *uy = a->uy;
    double lane[N] = {0}, sum = 0;
    int64_t i = 3 * begin;
    for (; i + N <= 3 * end; i += N)
#pragma omp simd
        for (int l = 0; l < N; l++)
            lane[l] += (x[i + l] - y[i + l]) * (u[i + l] - uy[i + l]);
    for (; i < 3 * end; i++)
        sum += (x[i] - y[i]) * (u[i] - uy[i]);
    for (int l = 0; l < N; l++)
        sum += lane[l];
    return sum;
}

PLAIT_CLONES static double step_part(int64_t begin, int64_t end, const void *data)
{
    const apgd *a = data;
    double x[3][N], y[3][N], lane[N] = {0}, sum = 0;
    for (; begin + N <= end; begin += N) {
        const double *normal = a->normal + begin, *tangent = a->tangent + begin;
        load_lanes(a->next + 3 * begin, x), load_lanes(a->y + 3 * begin, y);
#pragma omp simd
        for (int l = 0; l < N; l++) {
            double d0 = x[0][l] - y[0][l], d1 = x[1][l] - y[1][l], d2 = x[2][l] - y[2][l];
            lane[l] += normal[l] * d0 * d0 + tangent[l] * (d1 * d1 + d2 * d2);
        }
    }
    for (; begin < end; begin++) {
        const double *to = a->next + 3 * begin, *from = a->y + 3 * begin;
        double d0 = to[0] - from[0], d1 = to[1] - from[1], d2 = to[2] - from[2];
        sum += a->normal[begin] * d0 * d0 + a->tangent[begin] * (d1 * d1 + d2 * d2);
    }
    for (int l = 0; l < N; l++)
        sum += lane[l];
    return sum;
}

PLAIT_CLONES static void momentum_part(int64_t begin, int64_t end, void *data)
{
    const apgd *a = data;
    const double *restrict next = a->next, *restrict next_u = a->next_u, beta = a->beta;
    double *restrict r = a->r, *restrict u = a->u, *restrict y = a->y, *restrict uy = a->uy;
    for (int64_t i = 3 * begin; i < 3 * end; i++) {
        y[i] = next[i] + beta * (next[i] - r[i]), uy[i] = next_u[i] + beta * (next_u[i] - u[i]);
        r[i] = next[i], u[i] = next_u[i];
    }
}

// x.D x and x.W x for x = y, and the largest of D^-1 W x, the next one. Added up contact after contact: ranks do so one
// after the other, each from where the one before has come.
typedef struct power {
    double xx, xWx, largest;
} power;

static void power_step(apgd *a, power *p)
{
    const plait_system *sys = a->sys;
    for (int i = 0; i < 3 * sys->n; i++) {
        double D = i % 3 == 0 ? a->normal[i / 3] : a->tangent[i / 3];
        p->xx += D * a->y[i] * a->y[i], p->xWx += a->y[i] * a->uy[i];
        a->y[i] = a->uy[i] / D, p->largest = fmax(p->largest, fabs(a->y[i]));
    }
}

// The largest eigenvalue of the scaled W, roughly, by a few power steps.
static double first_curvature(apgd *a)
{
    plait_system *sys = a->sys;
    double value = 1;
    int steps = plait_operator_get_facts(sys->op).heavy ? POWER_STEPS_HEAVY : POWER_STEPS; // products are dear there
    for (int i = 0; i < 3 * sys->n; i++)
        a->y[i] = (1 + 0.1 * ((3 * (int64_t)sys->first + i) % 7)) / sys->s[i / 3];
    for (int k = 0; k < steps && !plait_system_stopped(sys); k++) {
        plait_system_multiply(sys, a->y, a->uy);
        power p = {0, 0, 0};
        if (sys->share)
            plait_share_before(sys->share, sizeof p, &p);
        power_step(a, &p);
        if (sys->share)
            plait_share_after(sys->share, sizeof p, &p);
        double xx = p.xx, xWx = p.xWx, largest = p.largest;
        value = xx > 0 ? xWx / xx : 1;
        for (int i = 0; i < 3 * sys->n && largest > 0; i++)
            a->y[i] /= largest;
    }
    return value > 0 ? value : 1;
}

typedef struct progress {
    double *best, residual, at_mark; // the best iterate, its residual, what it was at the mark
    int it, mark;                    // iterations; when something was won last
    int pace, last;                  // in `paces`; the last one that may be taken
} progress;

// Looks at the iterate. True: it is time to stop, or there is nothing more to be won.
static bool look(apgd *a, progress *p, int max_iterations, bool *gave_up)
{
    plait_system *sys = a->sys;
    int patience = sys->patience > 0 ? sys->patience : p->pace < p->last ? PATIENCE : LAST_PATIENCE;
    if (p->it % REFRESH == 0 && p->it > 0)
        plait_system_apply(sys, a->r, a->u);
    double residual = plait_system_residual(sys, a->r, a->u);
    if (residual < p->residual)
        p->residual = residual, memcpy(p->best, a->r, 3 * (size_t)sys->n * sizeof *a->r);
    double won = sys->sluggish > 0 ? sys->sluggish : WON;
    if (p->residual < fmax(won, pow(sys->target / p->residual, NEAR)) * p->at_mark)
        p->mark = p->it, p->at_mark = p->residual;
    int since = p->it - p->mark;
    bool circles = since > patience && (sys->patience == 0 || 2 * since > p->it);
    if (circles && p->pace < p->last)
        p->pace++, p->mark = p->it, circles = false;
    *gave_up = circles;
    return residual <= sys->target || p->it >= max_iterations || circles || plait_system_tick(sys, p->it, p->residual);
}

static void descend(apgd *a, progress *p, int max_iterations, bool *gave_up)
{
    plait_system *sys = a->sys;
    double theta = 1;
    for (;; p->it++) {
        if ((p->it % CHECK == 0 || p->it >= max_iterations) && look(a, p, max_iterations, gave_up))
            return;
        if (plait_system_stopped(sys))
            return;
        a->omega = p->it == 0 ? 1 : fmin(1, fmax(paces[p->pace].gain * theta, paces[p->pace].least));
        plait_sums sums;
        double total[PLAIT_SUMS];
        plait_sums_begin(&sums);
        plait_sums_add(&sums, sys, gradient_part, a);
        plait_system_apply(sys, a->next, a->next_u);
        plait_sums_add(&sums, sys, step_part, a);
        plait_sums_add(&sums, sys, curvature_part, a);
        plait_sums_end(&sums, sys, total);
        double uphill = total[0], step2 = total[1], curvature = total[2];
        double met = step2 > 0 ? curvature / step2 : 0, t2 = theta * theta;
        double next_theta = fmax(0.5 * (sqrt(t2 * t2 + 4 * t2) - t2), paces[p->pace].theta);
        a->beta = theta * (1 - theta) / (t2 + next_theta), theta = next_theta;
        if (uphill > 0)
            a->beta = 0, theta = 1;
        plait_parallel_for(sys->n, sys->team, momentum_part, a);
        a->L = fmax(MARGIN * met, FORGET * a->L);
    }
}

bool plait_apgd_run(plait_system *sys, int first, int last, int max_iterations, double *r, double *u,
                    plait_outcome *out)
{
    size_t n = (size_t)sys->n, size = 3 * n, bytes = size * sizeof(double);
    double *block = plait_malloc((7 * size + 1) * sizeof *block);
    if (!block)
        return false;
    apgd a = {.sys = sys,
              .r = r,
              .u = u,
              .y = block,
              .uy = block + size,
              .next = block + 2 * size,
              .next_u = block + 3 * size,
              .normal = block + 5 * size,
              .tangent = block + 5 * size + n,
              .shift = block + 5 * size + 2 * n,
              .give = block + 6 * size,
              .give_T = block + 6 * size + n,
              .ratio = block + 6 * size + 2 * n,
              .coulomb = !sys->shift && !sys->laws.index};
    progress p = {block + 4 * size, INFINITY, INFINITY, .pace = first, .last = last};
    bool gave_up = false;
    set_metric(&a);
    memset(a.shift, 0, n * sizeof *a.shift);
    a.L = FIRST * first_curvature(&a);
    plait_system_apply(sys, r, u);
    memcpy(a.y, r, bytes), memcpy(a.uy, u, bytes);
    descend(&a, &p, max_iterations, &gave_up);
    if (p.residual < INFINITY)
        memcpy(r, p.best, bytes);
    plait_system_apply(sys, r, u);
    *out = (plait_outcome){
        .residual = plait_system_residual(sys, r, u), .iterations = p.it, .gave_up = gave_up, .name = "apgd"};
    plait_free(block);
    return true;
}

// By all ranks, where there are some and it is worth it.
static bool solve(plait_system *sys, int first, int last, int max_iterations, double *r, double *u, plait_outcome *out)
{
    if (plait_spread_pays(sys))
        return plait_spread_solve(sys, first, last, max_iterations, r, u, out);
    return plait_apgd_run(sys, first, last, max_iterations, r, u, out);
}

bool plait_solve_apgd(plait_system *sys, int max_iterations, double *r, double *u, plait_outcome *out)
{
    int first = plait_system_load(sys) > PLAIT_CROWDED ? FOLLOWS : 0;
    return solve(sys, first, sys->patience > 0 || sys->shift ? first : PACES - 1, max_iterations, r, u, out);
}

bool plait_solve_damped(plait_system *sys, int max_iterations, double *r, double *u, plait_outcome *out)
{
    return solve(sys, plait_system_load(sys) > PLAIT_CROWDED ? DAMPED : FOLLOWS, PACES - 1, max_iterations, r, u, out);
}
