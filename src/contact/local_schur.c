#include "contact/local_schur.h"

enum { REFINE_MAX = 4, POLISH_MAX = 12 };

// Pivots below this part of W are rounding errors of the elimination.
static const double RANK_TINY = 64 * DBL_EPSILON;

bool plait_schur_solve(const plait_schur *s, double alpha, const double v[3], double y[3])
{
    double m[2][2] = {{s->v11 + alpha, s->v12}, {s->v21, s->v22 + alpha}};
    double f[2] = {v[1] - s->col[0] * v[0], v[2] - s->col[1] * v[0]};
    int i = 0, j = 0; // the largest entry
    for (int k = 1; k < 4; k++)
        if (fabs(m[k / 2][k % 2]) > fabs(m[i][j]))
            i = k / 2, j = k % 2;
    double factor = m[1 - i][j] / m[i][j], pivot = m[1 - i][1 - j] - factor * m[i][1 - j];
    double z[2];
    z[1 - j] = (f[1 - i] - factor * f[i]) / pivot;
    z[j] = (f[i] - m[i][1 - j] * z[1 - j]) / m[i][j];
    if (!isfinite(z[0]) || !isfinite(z[1]))
        return false;
    y[1] = z[0], y[2] = z[1];
    y[0] = (v[0] - (s->row[0] * z[0] + s->row[1] * z[1])) * s->inverse;
    return true;
}

// ---- sticking ----------------------------------------------------------------------------------------------------

static bool inside(double mu, const double r[3])
{
    return sqrt(r[1] * r[1] + r[2] * r[2]) <= mu * r[0];
}

// The point x + t z of a line that is in the cone and closest to t = want; false if the line misses the cone (NaN too).
static bool enter_cone(double mu, const double x[3], const double z[3], double want, double r[3])
{
    double a = z[1] * z[1] + z[2] * z[2] - mu * mu * z[0] * z[0];
    double h = x[1] * z[1] + x[2] * z[2] - mu * mu * x[0] * z[0];
    double c = x[1] * x[1] + x[2] * x[2] - mu * mu * x[0] * x[0];
    double root = sqrt(plait_larger(h * h - a * c, 0)), q = -(h + copysign(root, h));
    double t[3] = {want, q / a, c / q};
    double best = INFINITY;
    for (int k = 0; k < 3; k++) {
        double y[3] = {x[0] + t[k] * z[0], x[1] + t[k] * z[1], x[2] + t[k] * z[2]};
        // Roots are on the surface up to rounding, or on the cone's mirror image.
        bool ok = k == 0 ? inside(mu, y) : y[0] >= 0 && isfinite(t[k]);
        if (ok && fabs(t[k] - want) < best) {
            best = fabs(t[k] - want);
            plait_vec3_copy(y, r);
        }
        if (ok && k == 0)
            return true;
    }
    return best < INFINITY;
}

// V has rank one or zero: the solutions of W r = -b, if there are any, fill a line or a plane.
static bool stick_singular(const plait_schur *s, double scale, double mu, double r[3])
{
    bool upper = fabs(s->v11) + fabs(s->v12) >= fabs(s->v21) + fabs(s->v22);
    double a = upper ? s->v11 : s->v21, b = upper ? s->v12 : s->v22, f = upper ? s->c[0] : s->c[1];
    double length = sqrt(a * a + b * b);
    if (!(length > RANK_TINY * scale)) {
        double x[3] = {-s->bn * s->inverse, 0, 0};
        double z[3] = {-(s->row[0] * r[1] + s->row[1] * r[2]) * s->inverse, r[1], r[2]};
        if (z[1] == 0 && z[2] == 0) {
            plait_vec3_copy(x, r);
            return inside(mu, r);
        }
        return enter_cone(mu, x, z, 1, r);
    }
    double m[2] = {a / length, b / length}, k = -f / length;
    double x[3] = {-(s->bn + k * (s->row[0] * m[0] + s->row[1] * m[1])) * s->inverse, k * m[0], k * m[1]};
    double z[3] = {(s->row[0] * m[1] - s->row[1] * m[0]) * s->inverse, -m[1], m[0]};
    return enter_cone(mu, x, z, r[2] * m[0] - r[1] * m[1], r);
}

// Keeps x in r if it is better than what is there.
static void keep_better(const double W[9], const double b[3], double mu, const double x[3], double *best, double r[3])
{
    double error = plait_local_error(W, b, mu, x);
    if (error < *best) {
        *best = error;
        plait_vec3_copy(x, r);
    }
}

double plait_schur_stick(const plait_schur *s, const double W[9], const double b[3], double mu, double tol,
                         const double near[3], double r[3])
{
    double scale = fabs(W[0]) + fabs(W[4]) + fabs(W[8]), best = INFINITY;
    double size = fabs(s->v11) + fabs(s->v12) + fabs(s->v21) + fabs(s->v22);
    double minus[3] = {-b[0], -b[1], -b[2]}, x[3], u[3], d[3];
    // First the null space, where elimination would place r at the mercy of rounding.
    if (fabs(s->det) <= RANK_TINY * scale * size) {
        plait_vec3_copy(near, x);
        if (stick_singular(s, scale, mu, x))
            keep_better(W, b, mu, x, &best, r);
    }
    bool solved = best > tol && plait_schur_solve(s, 0, minus, x);
    for (int k = 0; k < REFINE_MAX && solved; k++) {
        if (inside(mu, x))
            keep_better(W, b, mu, x, &best, r);
        if (best <= tol)
            return best;
        plait_mat3_affine(W, x, b, u);
        solved = plait_schur_solve(s, 0, u, d);
        for (int i = 0; i < 3 && solved; i++)
            x[i] -= d[i];
    }
    return best;
}

// ---- sliding -----------------------------------------------------------------------------------------------------

// One Newton step on (r, alpha). False if the linear system is singular.
static bool polish(const plait_schur *s, const double W[9], const double b[3], double mu, double *alpha, double r[3])
{
    double u[3], t = sqrt(r[1] * r[1] + r[2] * r[2]), x[3], y[3];
    plait_mat3_affine(W, r, b, u);
    double e[3] = {-u[0], -(u[1] + *alpha * r[1]), -(u[2] + *alpha * r[2])}, f[3] = {0, -r[1], -r[2]};
    if (!(t > 0) || !plait_schur_solve(s, *alpha, e, x) || !plait_schur_solve(s, *alpha, f, y))
        return false;
    double c1 = r[1] / t, c2 = r[2] / t;
    double step = -(t - mu * r[0] + c1 * x[1] + c2 * x[2] - mu * x[0]) / (c1 * y[1] + c2 * y[2] - mu * y[0]);
    if (!isfinite(step))
        return false;
    *alpha += step;
    for (int i = 0; i < 3; i++)
        r[i] += x[i] + step * y[i];
    return true;
}

double plait_schur_slide(const plait_schur *s, const double W[9], const double b[3], double mu, double tol,
                         double alpha, double r[3])
{
    double minus[3] = {-b[0], -b[1], -b[2]}, x[3], best = INFINITY, before = INFINITY;
    bool going = plait_schur_solve(s, alpha, minus, x);
    for (int k = 0; k < POLISH_MAX && going; k++) {
        keep_better(W, b, mu, x, &best, r);
        // Convergence is quadratic: a step that gains nothing is the last that makes sense.
        going = best > tol && (best < 0.5 * before || k < 3) && polish(s, W, b, mu, &alpha, x);
        before = best;
    }
    return best;
}
