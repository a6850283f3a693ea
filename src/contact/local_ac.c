// local_ac.c: Newton's method on the Alart-Curnier function, pure (pac) and damped (dac) (Bertails-Descoubes, Cadoux,
// Daviet, Acary 2011, Algorithms 1 and 2).
//
//     f_N = max(0, r_N - rho_N u_N) - r_N,   f_T = P(y) - r_T,  y = r_T - rho_T u_T,
// with P the projection on the disc of radius mu r_N, rho_N = 1 / w_N and rho_T = 1 / (largest eigenvalue of W_T).
// A step solves A d = -f with A = f_u W + f_r (the paper prints A d = f), along which |f|^2 / 2 has the slope f . A d.
#include "contact/local_common.h"

enum { NEWTON_MAX = 50, SEARCH_MAX = 25 };
static const double GOLDSTEIN_LOW = 0.1, GOLDSTEIN_HIGH = 0.9;

typedef struct alart_curnier {
    const plait_local_scaled *problem;
    double mu, rho_n, rho_t;
} alart_curnier;

// f at r; A may be NULL.
static void evaluate(const alart_curnier *ac, const double r[3], double f[3], double A[9])
{
    const double *W = ac->problem->W;
    double u[3], radius = ac->mu * r[0];
    plait_mat3_affine(W, r, ac->problem->b, u);
    double push = r[0] - ac->rho_n * u[0], y1 = r[1] - ac->rho_t * u[1], y2 = r[2] - ac->rho_t * u[2];
    double size = sqrt(y1 * y1 + y2 * y2);
    // f_T = G y + ... with derivatives G of the projection by y and mu e by r_N.
    double g11 = 1, g12 = 0, g22 = 1, e1 = 0, e2 = 0;
    f[0] = (push > 0 ? push : 0) - r[0];
    if (radius <= 0) {
        f[1] = -r[1], f[2] = -r[2];
        g11 = g22 = 0;
    } else if (size <= radius) {
        f[1] = -ac->rho_t * u[1], f[2] = -ac->rho_t * u[2];
    } else {
        double k = radius / size;
        e1 = y1 / size, e2 = y2 / size;
        f[1] = k * y1 - r[1], f[2] = k * y2 - r[2];
        g11 = k * e2 * e2, g12 = -k * e1 * e2, g22 = k * e1 * e1;
    }
    if (!A)
        return;
    for (int j = 0; j < 3; j++) {
        double t1 = (j == 1) - ac->rho_t * W[3 + j], t2 = (j == 2) - ac->rho_t * W[6 + j]; // dy / dr_j
        A[j] = push > 0 ? -ac->rho_n * W[j] : -(j == 0);
        A[3 + j] = g11 * t1 + g12 * t2 - (j == 1);
        A[6 + j] = g12 * t1 + g22 * t2 - (j == 2);
    }
    A[3] += ac->mu * e1, A[6] += ac->mu * e2;
}

// Goldstein and Price: a length along d for which |f|^2 / 2 falls by between 0.1 and 0.9 of what its slope promises.
static double search(const alart_curnier *ac, const double r[3], const double d[3], const double f[3])
{
    double q0 = 0.5 * plait_vec3_dot(f, f), slope0 = -2 * q0; // f . A d, with A d = -f
    double length = 1, low = 0, high = INFINITY;
    for (int k = 0; k < SEARCH_MAX; k++) {
        double x[3] = {r[0] + length * d[0], r[1] + length * d[1], r[2] + length * d[2]}, g[3];
        evaluate(ac, x, g, NULL);
        double slope = (0.5 * plait_vec3_dot(g, g) - q0) / length;
        if (slope >= GOLDSTEIN_HIGH * slope0 && slope <= GOLDSTEIN_LOW * slope0)
            break;
        if (slope < GOLDSTEIN_HIGH * slope0)
            low = length;
        else
            high = length;
        length = high < INFINITY ? 0.5 * (low + high) : 10 * length;
    }
    return length;
}

static plait_local_result solve(bool damped, const double W[9], const double b[3], double mu, double tol, double r[3])
{
    plait_local_scaled p;
    plait_local_start start = plait_local_begin(W, b, mu, tol, r, &p);
    if (start != PLAIT_LOCAL_GO)
        return start == PLAIT_LOCAL_DONE ? PLAIT_LOCAL_SOLVED : PLAIT_LOCAL_FAILED;
    double middle = 0.5 * (p.W[4] + p.W[8]), half = 0.5 * (p.W[4] - p.W[8]), mixed = 0.5 * (p.W[5] + p.W[7]);
    double largest = middle + sqrt(half * half + mixed * mixed);
    alart_curnier ac = {&p, mu, 1 / p.W[0], largest > 0 ? 1 / largest : 1 / p.W[0]};
    double x[3] = {p.r[0], p.r[1], p.r[2]}, best = INFINITY, f[3], A[9], d[3];
    for (int k = 0; k < NEWTON_MAX; k++) {
        double error = plait_local_error(p.W, p.b, mu, x);
        if (error < best) {
            best = error;
            plait_vec3_copy(x, p.r);
        }
        if (best <= tol || !isfinite(error))
            break;
        evaluate(&ac, x, f, A);
        double minus[3] = {-f[0], -f[1], -f[2]};
        if (!plait_mat3_solve(A, minus, DBL_EPSILON, d))
            plait_mat3_solve_least(A, minus, d);
        double length = damped ? search(&ac, x, d, f) : 1;
        for (int i = 0; i < 3; i++)
            x[i] += length * d[i];
    }
    if (best == INFINITY)
        plait_vec3_set(p.r, 0, 0, 0);
    return plait_local_finish(&p, mu, tol, best <= tol ? PLAIT_LOCAL_SOLVED : PLAIT_LOCAL_FAILED, r);
}

plait_local_result plait_local_pac(const double W[9], const double b[3], double mu, double tol, double r[3])
{
    return solve(false, W, b, mu, tol, r);
}

plait_local_result plait_local_dac(const double W[9], const double b[3], double mu, double tol, double r[3])
{
    return solve(true, W, b, mu, tol, r);
}
