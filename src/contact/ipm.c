// ipm.c: primal-dual interior point method for exact Coulomb friction.
//
// In the variables of one cone, x = (mu r_N, r_T) and y = (u_N + mu |u_T|, mu u_T), the law is K ∋ x ⟂ y ∈ K. The
// method follows x o y = tau e, tau -> 0, by Newton steps with Nesterov-Todd scaling (P y = x for a symmetric positive
// P) and Mehrotra's predictor and corrector. The de Saxce shift mu |u_T| stays inside the linearisation (T below): with
// the shift lagged, steps collapse. One step is
//     dr = q - D du,   D = Dx^-1 P Dy T,   q = Dx^-1 (sigma tau y^-1 - x - P (Dy ũ - y) - correction),
//     du = W dr + (W r + b - u),
// Dx = diag(mu, 1, 1), Dy = diag(1, mu, mu), T = I + mu e (0, u_T/|u_T|)^T. See newton_system.h for the linear algebra.
// About 20 factorisations whatever nu is, if no contact jams at the boundary. A few that would stop all others stay where
// they are and are lifted off it ("bounce"); what they then miss of the dynamics stays in the right side. If that does not
// help either, the method begins again from another distance.
//
// A contact without friction is a cone of one dimension: P = x / y on the normal, nothing on the tangent.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/pool.h"
#include "contact/newton_system.h"

#define TO_BOUNDARY 0.98
#define SIGMA_MIN 1e-6
#define SHORT_STEP 0.1
#define LIFT 0.3 // of the size that an eigenvalue has on the central path
enum { MAX_ITERATIONS = 120, JAMMED = 20, FLOOR = 40, STARTS = 4, BOUNCED = 20 };
static const double starts[STARTS] = {10, 30, 1,
                                      3}; // times the typical velocity; where one jams, another often does not

typedef struct ipm {
    plait_system *sys;
    plait_newton_system *newton;
    double *mu;         // [n] of the cones
    double *r, *u;      // iterate
    double *rd;         // [3n] what is missing to the dynamics, W r + b - u: contacts that bounce leave it behind
    double *x, *y, *rc; // [3n] cone variables, y's infeasibility Dy ũ - y
    double *w, *eta;    // [3n], [n] scaling point and factor
    double *D, *q;      // [9n], [3n]
    double *dr, *du, *dx, *dy, *correction;
    double *best; // [3n]
    void *block;
    int short_steps; // in a row: the iterate hugs the boundary and will not come off
} ipm;

static double det(const double x[3])
{
    double t = sqrt(x[1] * x[1] + x[2] * x[2]);
    return (x[0] - t) * (x[0] + t);
}

static double dot3(const double x[3], const double y[3])
{
    return x[0] * y[0] + x[1] * y[1] + x[2] * y[2];
}

// z = P x = eta (2 w (w.x) - R x), R = diag(1, -1, -1)
static void scale(const double w[3], double eta, const double x[3], double z[3])
{
    double k = 2 * dot3(w, x);
    z[0] = eta * (k * w[0] - x[0]), z[1] = eta * (k * w[1] + x[1]), z[2] = eta * (k * w[2] + x[2]);
}

// z = P^(1/2) x for sign = 1, P^(-1/2) x for sign = -1
static void half_scale(const double w[3], double eta, double sign, const double x[3], double z[3])
{
    double w1 = sign * w[1], w2 = sign * w[2], t = w1 * x[1] + w2 * x[2], k = x[0] + t / (1 + w[0]);
    double e = sign > 0 ? sqrt(eta) : 1 / sqrt(eta);
    z[0] = e * (w[0] * x[0] + t), z[1] = e * (x[1] + w1 * k), z[2] = e * (x[2] + w2 * k);
}

// Largest step from x along d that stays in K, at most 1 / TO_BOUNDARY.
static double step_to_boundary(const double x[3], const double d[3])
{
    double a = d[0] * d[0] - d[1] * d[1] - d[2] * d[2], b = x[0] * d[0] - x[1] * d[1] - x[2] * d[2], c = det(x);
    double disc = b * b - a * c, step = 1 / TO_BOUNDARY;
    if (d[0] < 0)
        step = fmin(step, -x[0] / d[0]);
    if (disc >= 0) {
        double root = sqrt(disc), m = b >= 0 ? -b - root : -b + root;
        double t1 = m != 0 ? c / m : INFINITY, t2 = a != 0 ? m / a : INFINITY;
        if (t1 > 0)
            step = fmin(step, t1);
        if (t2 > 0)
            step = fmin(step, t2);
    }
    return step;
}

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
    double *p = m->block = plait_malloc((54 * n + 1) * sizeof *p);
    if (!m->newton || !p)
        return false;
    double **vectors[] = {&m->x,  &m->y,  &m->rc,         &m->w,    &m->q, &m->dr, &m->du,
                          &m->dx, &m->dy, &m->correction, &m->best, &m->u, &m->rd};
    for (size_t k = 0; k < sizeof vectors / sizeof *vectors; k++, p += 3 * n)
        *vectors[k] = p;
    m->eta = p, m->D = p + n, m->mu = p + 10 * n;
    memset(m->correction, 0, 3 * n * sizeof *m->correction);
    return true;
}

// The method knows cones with their tip at zero. False: a contact has another law.
static bool take_cones(ipm *m)
{
    for (int i = 0; i < m->sys->n; i++) {
        plait_law_cone cone;
        if (!plait_law_get_cone(&m->sys->laws, i, &cone))
            return false;
        for (int a = 0; a < 3; a++)
            if (cone.K[a] != 0 || cone.c[a] != 0)
                return false;
        m->mu[i] = cone.mu;
    }
    return true;
}

// Well inside the cones and on the central path, x o y = tau e, each contact at its own scale: stiffnesses s_i span many
// decades, and a common size of x would be an enormous velocity for some of them.
static void start(ipm *m, double speed)
{
    plait_system *sys = m->sys;
    double tau = 0;
    for (int i = 0; i < 3 * sys->n; i++)
        tau += sys->b[i] * sys->b[i] / sys->s[i / 3];
    tau *= speed * speed / (3.0 * sys->n);
    for (int i = 0; i < sys->n; i++) {
        double mu = m->mu[i], *x = m->x + 3 * i, *y = m->y + 3 * i, *r = m->r + 3 * i;
        memset(x, 0, 3 * sizeof *x), memset(y, 0, 3 * sizeof *y), memset(r, 0, 3 * sizeof *r);
        y[0] = sqrt(tau * sys->s[i]);
        x[0] = sqrt(tau / sys->s[i]);
        r[0] = x[0] / (mu > 0 ? mu : 1);
    }
    plait_system_apply(sys, m->r, m->u);
    memset(m->rd, 0, 3 * (size_t)sys->n * sizeof *m->rd);
    m->short_steps = 0;
}

// Nesterov-Todd scaling, infeasibility and D for all contacts; returns the mean of x.y.
static double linearise(ipm *m)
{
    plait_system *sys = m->sys;
    double tau = 0;
    for (int i = 0; i < sys->n; i++) {
        const double *x = m->x + 3 * i, *y = m->y + 3 * i, *u = m->u + 3 * i;
        double mu = m->mu[i], *w = m->w + 3 * i, *rc = m->rc + 3 * i, *D = m->D + 9 * (int64_t)i;
        memset(D, 0, 9 * sizeof *D);
        tau += dot3(x, y) / sys->n;
        if (mu == 0) {
            m->eta[i] = x[0] / y[0], rc[0] = u[0] - y[0], rc[1] = rc[2] = 0;
            D[0] = m->eta[i];
            continue;
        }
        double t = sqrt(u[1] * u[1] + u[2] * u[2]);
        rc[0] = u[0] + mu * t - y[0], rc[1] = mu * u[1] - y[1], rc[2] = mu * u[2] - y[2];
        double dx = sqrt(det(x)), dy = sqrt(det(y));
        double g = sqrt(0.5 * (1 + dot3(x, y) / (dx * dy))) * 2;
        m->eta[i] = dx / dy;
        w[0] = (x[0] / dx + y[0] / dy) / g, w[1] = (x[1] / dx - y[1] / dy) / g, w[2] = (x[2] / dx - y[2] / dy) / g;
        double P[9], e = m->eta[i];
        for (int a = 0; a < 3; a++)
            for (int c = 0; c < 3; c++)
                P[3 * a + c] = e * (2 * w[a] * w[c] - (a == c ? (a == 0 ? 1 : -1) : 0));
        double t1 = t > 0 ? mu * u[1] / t : 0, t2 = t > 0 ? mu * u[2] / t : 0;
        for (int a = 0; a < 3; a++) { // Dx^-1 P Dy T
            double k = a == 0 ? 1 / mu : 1;
            D[3 * a] = k * P[3 * a];
            D[3 * a + 1] = k * (mu * P[3 * a + 1] + P[3 * a] * t1);
            D[3 * a + 2] = k * (mu * P[3 * a + 2] + P[3 * a] * t2);
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
        double z[3], d = tau / det(y);
        scale(m->w + 3 * i, m->eta[i], rc, z);
        q[0] = (d * y[0] - x[0] - z[0] - corr[0]) / mu;
        q[1] = -d * y[1] - x[1] - z[1] - corr[1], q[2] = -d * y[2] - x[2] - z[2] - corr[2];
    }
    for (int i = 0; i < sys->n; i++) { // du = W dr + rd: the system is solved for du - rd
        const double *D = m->D + 9 * (int64_t)i, *rd = m->rd + 3 * i;
        for (int k = 0; k < 3; k++)
            m->q[3 * i + k] -= dot3(D + 3 * k, rd);
    }
    if (!plait_newton_system_solve(m->newton, m->q, m->dr, m->du))
        return false;
    for (int i = 0; i < 3 * sys->n; i++)
        m->du[i] += m->rd[i];
    for (int i = 0; i < sys->n; i++) {
        const double *u = m->u + 3 * i, *du = m->du + 3 * i, *dr = m->dr + 3 * i, *rc = m->rc + 3 * i;
        double mu = m->mu[i], *dx = m->dx + 3 * i, *dy = m->dy + 3 * i;
        if (mu == 0) {
            dx[0] = dr[0], dy[0] = du[0] + rc[0], dx[1] = dx[2] = dy[1] = dy[2] = 0;
            continue;
        }
        double t = sqrt(u[1] * u[1] + u[2] * u[2]), along = t > 0 ? (u[1] * du[1] + u[2] * du[2]) / t : 0;
        dx[0] = mu * dr[0], dx[1] = dr[1], dx[2] = dr[2];
        dy[0] = du[0] + mu * along + rc[0], dy[1] = mu * du[1] + rc[1], dy[2] = mu * du[2] + rc[2];
    }
    return true;
}

static double contact_step(const ipm *m, int i)
{
    return fmin(step_to_boundary(m->x + 3 * i, m->dx + 3 * i), step_to_boundary(m->y + 3 * i, m->dy + 3 * i));
}

static double longest_step(const ipm *m)
{
    double step = 1 / TO_BOUNDARY;
    for (int i = 0; i < m->sys->n; i++)
        step = fmin(step, contact_step(m, i));
    return step;
}

// The few contacts with the shortest way to the boundary, at most BOUNCED of them: place[k], ascending. Returns how many.
static int shortest_ways(const ipm *m, int *place, double *way)
{
    int count = 0;
    for (int i = 0; i < m->sys->n; i++) {
        double step = TO_BOUNDARY * contact_step(m, i);
        if (!(step < SHORT_STEP) || (count == BOUNCED && step >= way[count - 1]))
            continue;
        int k = count < BOUNCED ? count++ : count - 1;
        for (; k > 0 && way[k - 1] > step; k--)
            way[k] = way[k - 1], place[k] = place[k - 1];
        way[k] = step, place[k] = i;
    }
    return count;
}

// Raises the smaller eigenvalue of x to `least`.
static void lift(double x[3], double least)
{
    double t = sqrt(x[1] * x[1] + x[2] * x[2]), low = x[0] - t, high = x[0] + t;
    if (low >= least)
        return;
    high = fmax(high, least);
    double k = t > 0 ? 0.5 * (high - least) / t : 0;
    x[0] = 0.5 * (high + least), x[1] *= k, x[2] *= k;
}

// A few contacts would stop all others: they stay where they are in this step, and come off the boundary.
static void bounce(ipm *m, double tau)
{
    int place[BOUNCED];
    double way[BOUNCED];
    int count = shortest_ways(m, place, way);
    for (int k = 0; k < count; k++) {
        int i = place[k];
        double s = m->sys->s[i], mu = m->mu[i], *x = m->x + 3 * i, *y = m->y + 3 * i, *r = m->r + 3 * i;
        lift(x, LIFT * sqrt(tau / s));
        lift(y, LIFT * sqrt(tau * s));
        r[0] = x[0] / (mu > 0 ? mu : 1), r[1] = x[1], r[2] = x[2];
        memset(m->dx + 3 * i, 0, 3 * sizeof *x), memset(m->dy + 3 * i, 0, 3 * sizeof *y);
        memset(m->dr + 3 * i, 0, 3 * sizeof *r);
    }
}

// Mehrotra's second-order term, P^(1/2) L^-1 ((P^(-1/2) dx) o (P^(1/2) dy)) with L the product by P^(1/2) y.
static void set_correction(ipm *m)
{
    for (int i = 0; i < m->sys->n; i++) {
        const double *w = m->w + 3 * i, *dx = m->dx + 3 * i, *dy = m->dy + 3 * i;
        double *c = m->correction + 3 * i;
        if (m->mu[i] == 0) {
            c[0] = dx[0] * dy[0] / m->y[3 * i], c[1] = c[2] = 0;
            continue;
        }
        double l[3], a[3], b[3], e = m->eta[i];
        half_scale(w, e, 1, m->y + 3 * i, l), half_scale(w, e, -1, dx, a), half_scale(w, e, 1, dy, b);
        double p[3] = {dot3(a, b), a[0] * b[1] + b[0] * a[1], a[0] * b[2] + b[0] * a[2]};
        double d = det(l), lp = l[1] * p[1] + l[2] * p[2], k = (lp / l[0] - p[0]) / d;
        double z[3] = {(l[0] * p[0] - lp) / d, l[1] * k + p[1] / l[0], l[2] * k + p[2] / l[0]};
        half_scale(w, e, 1, z, c);
    }
}

static double mean_product_after(const ipm *m, double step)
{
    double sum = 0;
    for (int i = 0; i < 3 * m->sys->n; i++)
        sum += (m->x[i] + step * m->dx[i]) * (m->y[i] + step * m->dy[i]);
    return sum / m->sys->n;
}

// Predictor, corrector, step. False if the linear algebra fails.
static bool iterate(ipm *m)
{
    double tau = linearise(m);
    if (!plait_newton_system_factorise(m->newton, NULL, m->D))
        return false;
    size_t size = 3 * (size_t)m->sys->n;
    memset(m->correction, 0, size * sizeof *m->correction);
    if (!direction(m, 0))
        return false;
    double step = fmin(1, longest_step(m)), ratio = mean_product_after(m, step) / tau;
    double sigma = fmin(fmax(ratio * ratio * ratio, SIGMA_MIN), 1);
    set_correction(m);
    if (!direction(m, sigma * tau))
        return false;
    step = fmin(1, TO_BOUNDARY * longest_step(m));
    if (step < SHORT_STEP) {
        bounce(m, tau);
        step = fmin(1, TO_BOUNDARY * longest_step(m));
    }
    if (!isfinite(step))
        return false;
    m->short_steps = step < SHORT_STEP ? m->short_steps + 1 : 0;
    for (size_t i = 0; i < size; i++) {
        m->x[i] += step * m->dx[i], m->y[i] += step * m->dy[i];
        m->r[i] += step * m->dr[i], m->u[i] += step * m->du[i];
    }
    return true;
}

// From one start until the target, or until nothing is won any more.
static void descend(ipm *m, double speed, int limit, double *u, plait_outcome *out)
{
    plait_system *sys = m->sys;
    size_t bytes = 3 * (size_t)sys->n * sizeof *u;
    double own = INFINITY; // the smallest residual from this start
    start(m, speed);
    for (int k = 0, since = 0; k < limit && since <= FLOOR && m->short_steps <= JAMMED; k++, since++) {
        if (plait_system_tick(sys, out->iterations, out->residual) || !iterate(m))
            return;
        out->iterations++;
        plait_system_apply(sys, m->r, u);
        for (int i = 0; i < 3 * sys->n; i++)
            m->rd[i] = u[i] - m->u[i];
        double residual = plait_system_residual(sys, m->r, u);
        if (residual < 0.8 * own)
            own = residual, since = 0;
        if (residual < out->residual)
            out->residual = residual, memcpy(m->best, m->r, bytes);
        if (residual <= sys->target)
            return;
    }
}

bool plait_solve_ipm(plait_system *sys, int max_iterations, double *r, double *u, plait_outcome *out)
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
    for (int k = 0; k < STARTS && cones && out->residual > sys->target && !sys->stopped; k++) {
        int left = max_iterations - out->iterations;
        descend(&m, starts[k], left < MAX_ITERATIONS ? left : MAX_ITERATIONS, u, out);
    }
    out->gave_up = out->residual > sys->target;
    memcpy(r, m.best, bytes);
    plait_system_apply(sys, r, u);
    out->residual = plait_system_residual(sys, r, u);
    free_ipm(&m);
    return true;
}
