// ipm_cone.h: the cone K = { |x_T| <= x_N } of one contact, as the interior point method needs it (Jordan algebra of
// R^3).
#ifndef PLAIT_CONTACT_IPM_CONE_H
#define PLAIT_CONTACT_IPM_CONE_H

#include <math.h>

static inline double cone_det(const double x[3])
{
    double t = sqrt(x[1] * x[1] + x[2] * x[2]);
    return (x[0] - t) * (x[0] + t);
}

static inline double cone_dot(const double x[3], const double y[3])
{
    return x[0] * y[0] + x[1] * y[1] + x[2] * y[2];
}

// Nesterov and Todd's scaling, P y = x: P z = eta (2 w (w.z) - R z) with R = diag(1, -1, -1). Returns eta.
static inline double cone_scaling(const double x[3], const double y[3], double w[3])
{
    double dx = sqrt(cone_det(x)), dy = sqrt(cone_det(y)), g = 2 * sqrt(0.5 * (1 + cone_dot(x, y) / (dx * dy)));
    w[0] = (x[0] / dx + y[0] / dy) / g, w[1] = (x[1] / dx - y[1] / dy) / g, w[2] = (x[2] / dx - y[2] / dy) / g;
    return dx / dy;
}

// z = P x
static inline void cone_scale(const double w[3], double eta, const double x[3], double z[3])
{
    double k = 2 * cone_dot(w, x);
    z[0] = eta * (k * w[0] - x[0]), z[1] = eta * (k * w[1] + x[1]), z[2] = eta * (k * w[2] + x[2]);
}

// z = P^(1/2) x for sign = 1, P^(-1/2) x for sign = -1
static inline void cone_half_scale(const double w[3], double eta, double sign, const double x[3], double z[3])
{
    double w1 = sign * w[1], w2 = sign * w[2], t = w1 * x[1] + w2 * x[2], k = x[0] + t / (1 + w[0]);
    double e = sign > 0 ? sqrt(eta) : 1 / sqrt(eta);
    z[0] = e * (w[0] * x[0] + t), z[1] = e * (x[1] + w1 * k), z[2] = e * (x[2] + w2 * k);
}

// Mehrotra's second-order term, P^(1/2) L^-1 ((P^(-1/2) dx) o (P^(1/2) dy)) with L the product by P^(1/2) y.
static inline void cone_correction(const double w[3], double eta, const double y[3], const double dx[3],
                                   const double dy[3], double c[3])
{
    double l[3], a[3], b[3];
    cone_half_scale(w, eta, 1, y, l), cone_half_scale(w, eta, -1, dx, a), cone_half_scale(w, eta, 1, dy, b);
    double p[3] = {cone_dot(a, b), a[0] * b[1] + b[0] * a[1], a[0] * b[2] + b[0] * a[2]};
    double d = cone_det(l), lp = l[1] * p[1] + l[2] * p[2], k = (lp / l[0] - p[0]) / d;
    double z[3] = {(l[0] * p[0] - lp) / d, l[1] * k + p[1] / l[0], l[2] * k + p[2] / l[0]};
    cone_half_scale(w, eta, 1, z, c);
}

// Largest step from x along d that stays in K, at most `most`.
static inline double cone_step(const double x[3], const double d[3], double most)
{
    double a = d[0] * d[0] - d[1] * d[1] - d[2] * d[2], b = x[0] * d[0] - x[1] * d[1] - x[2] * d[2], c = cone_det(x);
    double disc = b * b - a * c, step = most;
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

// Raises the smaller eigenvalue of x to `least`.
static inline void cone_lift(double x[3], double least)
{
    double t = sqrt(x[1] * x[1] + x[2] * x[2]), low = x[0] - t, high = x[0] + t;
    if (low >= least)
        return;
    high = fmax(high, least);
    double k = t > 0 ? 0.5 * (high - least) / t : 0;
    x[0] = 0.5 * (high + least), x[1] *= k, x[2] *= k;
}

#endif
