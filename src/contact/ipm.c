// ipm.c: primal-dual interior point method for exact Coulomb friction.
//
// In the variables of one cone, x = (mu r_N, r_T) and y = (u_N + s, mu u_T), the law is K ∋ x ⟂ y ∈ K with the shift
// s = mu |u_T|. The method follows x o y = tau e, tau -> 0, by Newton steps with Nesterov-Todd scaling (P y = x for a
// symmetric positive P) and Mehrotra's predictor and corrector.
//
// The shift makes the problem nonmonotone. Held still it oscillates from one value to the next; wholly inside the
// linearisation it makes the way to tau = 0 turn back where friction is high and contacts outnumber the dofs, and steps
// jam. So s is a variable with a pace: a step of length d of the flow s' = mu |u_T| - s, by the implicit Euler method,
//     s+ = (1 - omega) s + omega mu |u_T+|,   omega = d / (1 + d),
// where modes with large negative eigenvalues, which forbid explicit damping, die out at once. d grows while steps are
// long (omega -> 1: Newton's method) and shrinks where they jam. tau does not fall below KAPPA times what the shift
// misses, so that the cones stay round until it has settled. One step is
//     dr = q - D du,   D = Dx^-1 P Dy T,   q = Dx^-1 (sigma tau y^-1 - x - P (Dy ũ - y) - correction),
//     du = W dr + (W r + b - u),
// Dx = diag(mu, 1, 1), Dy = diag(1, mu, mu), T = I + omega mu e (0, u_T/|u_T|)^T. See newton_system.h for the linear
// algebra.
//
// The few contacts that would stop all others stay where they are, lifted off the boundary ("bounce"); what they miss
// of the dynamics stays in the right side. Where one way does not lead to a solution another may: attempts differ in
// pace, KAPPA and how far contacts bounce (gently where friction is highest: each bounce throws the dynamics back).
//
// Jammed networks. {v: H v in K*} is {0} where there are so many contacts and so much friction that nothing can move;
// then s = 0, u = 0 is a solution and a convex problem finds it. By the conic kinematic formula that is the rule when
// the dofs are fewer than the sum over contacts of 3 - delta, delta = 3/2 + sin a - cos a the statistical dimension of
// K* with tan a = 1 / mu: then the first attempt holds s = 0. Where only most of a network is jammed its end is a good
// start for Newton's method.
//
// A law that is Coulomb's on rho = r + K u + c has x from rho, and dr = drho - K du: D + K in the place of D. A contact
// without friction is a cone of one dimension: P = x / y on the normal, nothing on the tangent.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/pool.h"
#include "contact/ipm_cone.h"
#include "contact/newton_system.h"

#define SIGMA_MIN 1e-6
#define SIGMA_MAX 2.0
#define SHORT_STEP 0.1
#define SLOW 0.3 // steps shorter than this slow the shift down, longer than FAST speed it up
#define FAST 0.6
#define SLOWEST 1e-3
#define FASTEST 1e8
#define SPEED 10.0 // of the start, times the typical velocity
#define BREAK 1e6  // growth of tau over its start: there is no way on
#define NEARLY 1e-4 // residual_rel from which the end may be Newton's
enum { BOUNCED = 20, TURNED = 5, NEWTON_STEPS = 12 };

typedef struct attempt {
    double kappa, grow, pace; // pace at the start; 0: the shift is held at zero
    double lift;              // of contacts that bounce, of the size that an eigenvalue has on the central path
    double reach;             // of the way to the boundary, the longest step
    int most, patience;       // steps; steps without a better residual
} attempt;

static const attempt held = {0, 1, 0, 0.3, 0.98, 60, 20};
// The first one is for most problems. Near jamming iterates wander about until they happen on a way down, which then
// takes a dozen steps: whoever has not found one after some 200 steps had better begin again, otherwise.
static const attempt attempts[] = {{50, 2, 1, 0.3, 0.98, 80, 80},       {300, 3, 1, 0.03, 0.9, 230, 230},
                                   {1000, 3, 1, 0.03, 0.98, 210, 210},  {300, 3, 1, 0.1, 0.98, 210, 210},
                                   {1000, 3, 1, 0.01, 0.98, 210, 210},  {300, 3, 1, 0.03, 0.98, 240, 240},
                                   {300, 1.5, 1, 0.03, 0.98, 240, 240}, {1000, 3, 1, 0.3, 0.98, 350, 350}};

typedef struct ipm {
    plait_system *sys;
    plait_newton_system *newton;
    double *mu, *K, *c; // [n], [3n], [3n] of the cones
    double *shift;      // [n] s
    double *r, *u;      // iterate
    double *rd;         // [3n] what is missing to the dynamics, W r + b - u: contacts that bounce leave it behind
    double *x, *y, *rc; // [3n] cone variables, y's infeasibility Dy ũ - y
    double *w, *eta;    // [3n], [n] scaling point and factor
    double *D, *q;      // [9n], [3n]
    double *dr, *du, *dx, *dy, *correction;
    double *best; // [3n]
    void *block;
    const attempt *way;
    double pace, omega, missing; // d, its part of a step, mean of (mu |u_T| - s)^2 / s_i
} ipm;

static void free_ipm(ipm *m)
{
    plait_newton_system_free(m->newton);
    plait_free(m->block);
}

static bool new_ipm(ipm *m, plait_system *sys, double *r)
{
    size_t n = (size_t)sys->n;
    *m = (ipm){.sys = sys, .r = r};
    m->newton = plait_newton_system_new(sys, true);
    double *p = m->block = plait_malloc((61 * n + 1) * sizeof *p);
    if (!m->newton || !p)
        return false;
    double **vectors[] = {&m->x,  &m->y,  &m->rc,         &m->w,    &m->q, &m->dr, &m->du,
                          &m->dx, &m->dy, &m->correction, &m->best, &m->u, &m->rd, &m->K, &m->c};
    for (size_t k = 0; k < sizeof vectors / sizeof *vectors; k++, p += 3 * n)
        *vectors[k] = p;
    m->eta = p, m->D = p + n, m->mu = p + 10 * n, m->shift = p + 11 * n;
    memset(m->correction, 0, 3 * n * sizeof *m->correction);
    return true;
}

// False: a contact has a law of another kind.
static bool take_cones(ipm *m)
{
    for (int i = 0; i < m->sys->n; i++) {
        plait_law_cone cone;
        if (!plait_law_get_cone(&m->sys->laws, i, &cone))
            return false;
        memcpy(m->K + 3 * i, cone.K, sizeof cone.K), memcpy(m->c + 3 * i, cone.c, sizeof cone.c);
        m->mu[i] = cone.mu;
    }
    return true;
}

// Whether nothing can move, as a rule.
static bool is_jammed(const ipm *m)
{
    double sum = 0;
    for (int i = 0; i < m->sys->n; i++) {
        double mu = m->mu[i], root = sqrt(1 + mu * mu); // tan a = 1 / mu
        sum += mu > 0 ? 1.5 - 1 / root + mu / root : 0.5;
    }
    return sum > plait_operator_get_facts(m->sys->op).touched_dofs && plait_operator_get_facts(m->sys->op).dofs > 0;
}

// r from x and u
static void set_impulse(ipm *m, int i)
{
    const double *x = m->x + 3 * i, *u = m->u + 3 * i, *K = m->K + 3 * i, *c = m->c + 3 * i;
    double *r = m->r + 3 * i;
    r[0] = x[0] / (m->mu[i] > 0 ? m->mu[i] : 1) - K[0] * u[0] - c[0];
    r[1] = x[1] - K[1] * u[1] - c[1], r[2] = x[2] - K[2] * u[2] - c[2];
}

static void set_missing_dynamics(ipm *m, double *u)
{
    plait_system_apply(m->sys, m->r, u);
    for (int i = 0; i < 3 * m->sys->n; i++)
        m->rd[i] = u[i] - m->u[i];
}

// Well inside the cones and on the central path, x o y = tau e, each contact at its own scale: stiffnesses s_i span
// many decades, and a common size of x would be an enormous velocity for some of them. Returns tau.
static double start(ipm *m, double *u)
{
    plait_system *sys = m->sys;
    double tau = 0;
    for (int i = 0; i < 3 * sys->n; i++)
        tau += sys->b[i] * sys->b[i] / sys->s[i / 3];
    tau *= SPEED * SPEED / (3.0 * sys->n);
    memset(m->u, 0, 3 * (size_t)sys->n * sizeof *m->u);
    memset(m->shift, 0, (size_t)sys->n * sizeof *m->shift);
    for (int i = 0; i < sys->n; i++) {
        double *x = m->x + 3 * i, *y = m->y + 3 * i;
        memset(x, 0, 3 * sizeof *x), memset(y, 0, 3 * sizeof *y);
        y[0] = sqrt(tau * sys->s[i]), x[0] = sqrt(tau / sys->s[i]);
        set_impulse(m, i);
    }
    plait_system_apply(sys, m->r, m->u);
    for (int i = 0; i < sys->n; i++)
        set_impulse(m, i);
    set_missing_dynamics(m, u);
    m->pace = m->way->pace;
    return tau;
}

// Nesterov-Todd scaling, infeasibility and D for all contacts; returns the mean of x.y.
static double linearise(ipm *m)
{
    plait_system *sys = m->sys;
    double tau = 0;
    m->omega = m->pace / (1 + m->pace), m->missing = 0;
    for (int i = 0; i < sys->n; i++) {
        const double *x = m->x + 3 * i, *y = m->y + 3 * i, *u = m->u + 3 * i;
        double mu = m->mu[i], *w = m->w + 3 * i, *rc = m->rc + 3 * i, *D = m->D + 9 * (int64_t)i;
        memset(D, 0, 9 * sizeof *D);
        tau += cone_dot(x, y) / sys->n;
        if (mu == 0) {
            m->eta[i] = x[0] / y[0], rc[0] = u[0] - y[0], rc[1] = rc[2] = 0;
            for (int a = 0; a < 3; a++)
                D[4 * a] = m->K[3 * i + a];
            D[0] += m->eta[i];
            continue;
        }
        double t = sqrt(u[1] * u[1] + u[2] * u[2]), miss = mu * t - m->shift[i];
        m->missing += miss * miss / (sys->s[i] * sys->n);
        rc[0] = u[0] + m->shift[i] + m->omega * miss - y[0], rc[1] = mu * u[1] - y[1], rc[2] = mu * u[2] - y[2];
        double P[9], e = m->eta[i] = cone_scaling(x, y, w);
        for (int a = 0; a < 3; a++)
            for (int c = 0; c < 3; c++)
                P[3 * a + c] = e * (2 * w[a] * w[c] - (a == c ? (a == 0 ? 1 : -1) : 0));
        double part = t > 0 ? m->omega * mu / t : 0, t1 = part * u[1], t2 = part * u[2];
        for (int a = 0; a < 3; a++) { // Dx^-1 P Dy T
            double k = a == 0 ? 1 / mu : 1;
            D[3 * a] = k * P[3 * a];
            D[3 * a + 1] = k * (mu * P[3 * a + 1] + P[3 * a] * t1);
            D[3 * a + 2] = k * (mu * P[3 * a + 2] + P[3 * a] * t2);
            D[4 * a] += m->K[3 * i + a];
        }
    }
    return tau;
}

// One solve: dr, du, dx, dy for the given centring tau.
static bool direction(ipm *m, double tau)
{
    plait_system *sys = m->sys;
    for (int i = 0; i < sys->n; i++) {
        const double *x = m->x + 3 * i, *y = m->y + 3 * i, *rc = m->rc + 3 * i, *corr = m->correction + 3 * i;
        double mu = m->mu[i], *q = m->q + 3 * i;
        if (mu == 0) {
            q[0] = tau / y[0] - x[0] - m->eta[i] * rc[0] - corr[0], q[1] = q[2] = 0;
            continue;
        }
        double z[3], d = tau / cone_det(y);
        cone_scale(m->w + 3 * i, m->eta[i], rc, z);
        q[0] = (d * y[0] - x[0] - z[0] - corr[0]) / mu;
        q[1] = -d * y[1] - x[1] - z[1] - corr[1], q[2] = -d * y[2] - x[2] - z[2] - corr[2];
    }
    for (int i = 0; i < sys->n; i++) { // du = W dr + rd: the system is solved for du - rd
        const double *D = m->D + 9 * (int64_t)i, *rd = m->rd + 3 * i;
        for (int k = 0; k < 3; k++)
            m->q[3 * i + k] -= cone_dot(D + 3 * k, rd);
    }
    if (!plait_newton_system_solve(m->newton, m->q, m->dr, m->du))
        return false;
    for (int i = 0; i < 3 * sys->n; i++)
        m->du[i] += m->rd[i];
    for (int i = 0; i < sys->n; i++) {
        const double *u = m->u + 3 * i, *du = m->du + 3 * i, *dr = m->dr + 3 * i, *rc = m->rc + 3 * i,
                     *K = m->K + 3 * i;
        double mu = m->mu[i], *dx = m->dx + 3 * i, *dy = m->dy + 3 * i;
        if (mu == 0) {
            dx[0] = dr[0] + K[0] * du[0], dy[0] = du[0] + rc[0], dx[1] = dx[2] = dy[1] = dy[2] = 0;
            continue;
        }
        double t = sqrt(u[1] * u[1] + u[2] * u[2]), along = t > 0 ? (u[1] * du[1] + u[2] * du[2]) / t : 0;
        dx[0] = mu * (dr[0] + K[0] * du[0]), dx[1] = dr[1] + K[1] * du[1], dx[2] = dr[2] + K[2] * du[2];
        dy[0] = du[0] + m->omega * mu * along + rc[0], dy[1] = mu * du[1] + rc[1], dy[2] = mu * du[2] + rc[2];
    }
    return true;
}

static double contact_step(const ipm *m, int i)
{
    const double most = 1 / m->way->reach;
    return fmin(cone_step(m->x + 3 * i, m->dx + 3 * i, most), cone_step(m->y + 3 * i, m->dy + 3 * i, most));
}

static double longest_step(const ipm *m)
{
    double step = 1 / m->way->reach;
    for (int i = 0; i < m->sys->n; i++)
        step = fmin(step, contact_step(m, i));
    return step;
}

// The few contacts with the shortest way to the boundary, at most BOUNCED of them: place[k], ascending. Returns how
// many.
static int shortest_ways(const ipm *m, int *place, double *way)
{
    int count = 0;
    for (int i = 0; i < m->sys->n; i++) {
        double step = m->way->reach * contact_step(m, i);
        if (!(step < SHORT_STEP) || (count == BOUNCED && step >= way[count - 1]))
            continue;
        int k = count < BOUNCED ? count++ : count - 1;
        for (; k > 0 && way[k - 1] > step; k--)
            way[k] = way[k - 1], place[k] = place[k - 1];
        way[k] = step, place[k] = i;
    }
    return count;
}

// A few contacts would stop all others: they stay where they are in this step, and come off the boundary.
static void bounce(ipm *m, double tau)
{
    int place[BOUNCED];
    double way[BOUNCED];
    int count = shortest_ways(m, place, way);
    for (int k = 0; k < count; k++) {
        int i = place[k];
        double s = m->sys->s[i], *x = m->x + 3 * i, *y = m->y + 3 * i;
        cone_lift(x, m->way->lift * sqrt(tau / s));
        cone_lift(y, m->way->lift * sqrt(tau * s));
        set_impulse(m, i);
        memset(m->dx + 3 * i, 0, 3 * sizeof *x), memset(m->dy + 3 * i, 0, 3 * sizeof *y);
        for (int a = 0; a < 3; a++)
            m->dr[3 * i + a] = -m->K[3 * i + a] * m->du[3 * i + a];
    }
}

static void set_correction(ipm *m)
{
    for (int i = 0; i < m->sys->n; i++) {
        const double *y = m->y + 3 * i, *dx = m->dx + 3 * i, *dy = m->dy + 3 * i;
        double *c = m->correction + 3 * i;
        if (m->mu[i] == 0)
            c[0] = dx[0] * dy[0] / y[0], c[1] = c[2] = 0;
        else
            cone_correction(m->w + 3 * i, m->eta[i], y, dx, dy, c);
    }
}

static double mean_product_after(const ipm *m, double step)
{
    double sum = 0;
    for (int i = 0; i < 3 * m->sys->n; i++)
        sum += (m->x[i] + step * m->dx[i]) * (m->y[i] + step * m->dy[i]);
    return sum / m->sys->n;
}

static void move(ipm *m, double step)
{
    for (int i = 0; i < m->sys->n; i++) {
        const double *u = m->u + 3 * i, *du = m->du + 3 * i;
        double t1 = u[1] + step * du[1], t2 = u[2] + step * du[2];
        m->shift[i] += step * m->omega * (m->mu[i] * sqrt(t1 * t1 + t2 * t2) - m->shift[i]);
    }
    for (size_t i = 0; i < 3 * (size_t)m->sys->n; i++) {
        m->x[i] += step * m->dx[i], m->y[i] += step * m->dy[i];
        m->r[i] += step * m->dr[i], m->u[i] += step * m->du[i];
    }
    if (step < SLOW && m->pace > 0)
        m->pace = fmax(0.5 * m->pace, SLOWEST);
    else if (step > FAST)
        m->pace = fmin(m->way->grow * m->pace, FASTEST);
}

// Predictor, corrector, step; *tau: the mean of x.y before it. False if the linear algebra fails.
static bool iterate(ipm *m, double *tau)
{
    *tau = linearise(m);
    if (!plait_newton_system_factorise(m->newton, NULL, m->D))
        return false;
    memset(m->correction, 0, 3 * (size_t)m->sys->n * sizeof *m->correction);
    if (!direction(m, 0))
        return false;
    double step = fmin(1, longest_step(m)), ratio = mean_product_after(m, step) / *tau;
    double sigma = fmin(fmax(ratio * ratio * ratio, SIGMA_MIN), 1);
    sigma = fmin(fmax(sigma, m->way->kappa * m->missing / *tau), SIGMA_MAX);
    set_correction(m);
    if (!direction(m, sigma * *tau))
        return false;
    step = fmin(1, m->way->reach * longest_step(m));
    if (step < SHORT_STEP) {
        bounce(m, *tau);
        step = fmin(1, m->way->reach * longest_step(m));
    }
    if (!isfinite(step))
        return false;
    move(m, step);
    return true;
}

static bool is_nearly_there(const ipm *m, const plait_outcome *out)
{
    return out->residual > m->sys->target && out->residual < NEARLY * m->sys->norm_b;
}

// Near the end P spans so many decades that rounding throws iterates back. Who sticks and who slides is known then, and
// Newton's method on the law itself has no such limit. False without memory.
static bool finish(ipm *m, int limit, double *u, plait_outcome *out)
{
    size_t bytes = 3 * (size_t)m->sys->n * sizeof *u;
    plait_outcome end;
    if (!is_nearly_there(m, out) || limit <= 0 || m->sys->stopped)
        return true;
    memcpy(m->r, m->best, bytes);
    if (!plait_solve_newton_ac(m->sys, limit < NEWTON_STEPS ? limit : NEWTON_STEPS, m->r, u, &end))
        return false;
    out->iterations += end.iterations;
    if (end.residual < out->residual)
        out->residual = end.residual, memcpy(m->best, m->r, bytes);
    return true;
}

// One attempt, until the target, or until nothing is won any more.
static void descend(ipm *m, const attempt *way, int limit, double *u, plait_outcome *out)
{
    plait_system *sys = m->sys;
    size_t bytes = 3 * (size_t)sys->n * sizeof *u;
    m->way = way;
    double own = INFINITY, first = start(m, u), tau = first; // own: the smallest residual of this attempt
    limit = limit < way->most ? limit : way->most;
    for (int k = 0, since = 0; k < limit && since <= way->patience && tau < BREAK * first; k++, since++) {
        if (plait_system_tick(sys, out->iterations, out->residual) || !iterate(m, &tau))
            return;
        out->iterations++;
        set_missing_dynamics(m, u);
        double residual = plait_system_residual(sys, m->r, u);
        if (residual < 0.8 * own)
            own = residual, since = 0;
        if (residual < out->residual)
            out->residual = residual, memcpy(m->best, m->r, bytes);
        if (residual <= sys->target || (since > TURNED && is_nearly_there(m, out)))
            return;
    }
}

// All attempts, or the one that holds the shift alone, and only where that makes sense.
static bool solve(plait_system *sys, bool all, int max_iterations, double *r, double *u, plait_outcome *out)
{
    ipm m;
    *out = (plait_outcome){.name = "ipm"};
    if (!new_ipm(&m, sys, r)) {
        free_ipm(&m);
        return false;
    }
    size_t bytes = 3 * (size_t)sys->n * sizeof *r;
    plait_system_apply(sys, r, u);
    out->residual = plait_system_residual(sys, r, u);
    memcpy(m.best, r, bytes);
    bool cones = take_cones(&m);
    bool memory = true;
    if (cones && out->residual > sys->target && is_jammed(&m))
        descend(&m, &held, max_iterations, u, out);
    for (size_t k = 0; k < sizeof attempts / sizeof *attempts && cones && all && memory; k++)
        if (out->residual > sys->target && !sys->stopped) {
            descend(&m, &attempts[k], max_iterations - out->iterations, u, out);
            memory = finish(&m, max_iterations - out->iterations, u, out);
        }
    out->gave_up = out->residual > sys->target;
    memcpy(r, m.best, bytes);
    plait_system_apply(sys, r, u);
    out->residual = plait_system_residual(sys, r, u);
    free_ipm(&m);
    return memory;
}

bool plait_solve_ipm(plait_system *sys, int max_iterations, double *r, double *u, plait_outcome *out)
{
    return solve(sys, true, max_iterations, r, u, out);
}

bool plait_solve_jammed(plait_system *sys, int max_iterations, double *r, double *u, plait_outcome *out)
{
    return solve(sys, false, max_iterations, r, u, out);
}
