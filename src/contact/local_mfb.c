// local_mfb.c: Newton's method on the modified Fischer-Burmeister function (Daviet, Bertails-Descoubes, Boissieux 2011,
// appendix A).
//
//     F(r) = fb(x, y),  x = s (mu r_N, r_T),  y = (u_N + mu |u_T|, mu u_T),  s = tr(W) / 3
//     dF/dr = F_x s diag(mu, 1, 1) + F_y diag(1, mu, mu) T W,  T = I + mu e (0, u_T / |u_T|)^T
//
// Where the Newton step is not a descent direction of |F|^2 / 2, the step goes down its gradient g instead, to the
// minimum of the linear model along it (|g|^2 / |J g|^2), so that no unit of r enters. Where J is singular, as for
// plane problems in three components, the step is a solution in the sense of least squares.
#include "contact/local_common.h"
#include "math/soc_jacobian.h"

enum { NEWTON_MAX = 50 };
static const double DESCENT = 1e-3; // least cosine between a step and the steepest descent

// F, its Jacobian in r, and |F|.
static double evaluate(const plait_local_scaled *p, double mu, double s, const double r[3], double F[3], double J[9])
{
    double u[3], Fx[9], Fy[9], A[9];
    plait_mat3_affine(p->W, r, p->b, u);
    double t = sqrt(u[1] * u[1] + u[2] * u[2]), d1 = t > 0 ? u[1] / t : 0, d2 = t > 0 ? u[2] / t : 0;
    double x[3] = {s * mu * r[0], s * r[1], s * r[2]}, y[3] = {u[0] + mu * t, mu * u[1], mu * u[2]};
    plait_soc_fischer_burmeister_jacobian(x, y, F, Fx, Fy);
    for (int j = 0; j < 3; j++) { // A = diag(1, mu, mu) T W
        A[j] = p->W[j] + mu * (d1 * p->W[3 + j] + d2 * p->W[6 + j]);
        A[3 + j] = mu * p->W[3 + j];
        A[6 + j] = mu * p->W[6 + j];
    }
    plait_mat3_multiply(Fy, A, J);
    for (int i = 0; i < 3; i++) {
        J[3 * i] += Fx[3 * i] * s * mu;
        J[3 * i + 1] += Fx[3 * i + 1] * s;
        J[3 * i + 2] += Fx[3 * i + 2] * s;
    }
    return plait_vec3_norm(F);
}

static void choose_step(const double F[3], const double J[9], double d[3])
{
    double g[3], Jg[3], minus[3] = {-F[0], -F[1], -F[2]};
    plait_mat3_apply_transposed(J, F, g);
    if (!plait_mat3_solve(J, minus, DBL_EPSILON, d))
        plait_mat3_solve_least(J, minus, d);
    if (plait_vec3_dot(d, g) <= -DESCENT * plait_vec3_norm(d) * plait_vec3_norm(g))
        return;
    plait_mat3_apply(J, g, Jg);
    double down = plait_vec3_dot(g, g), curve = plait_vec3_dot(Jg, Jg), k = curve > 0 ? down / curve : 0;
    plait_vec3_set(d, -k * g[0], -k * g[1], -k * g[2]);
}

plait_local_result plait_local_mfb(const double W[9], const double b[3], double mu, double tol, double r[3])
{
    plait_local_scaled p;
    plait_local_start start = plait_local_begin(W, b, mu, tol, r, &p);
    if (start != PLAIT_LOCAL_GO)
        return start == PLAIT_LOCAL_DONE ? PLAIT_LOCAL_SOLVED : PLAIT_LOCAL_FAILED;
    double s = (p.W[0] + p.W[4] + p.W[8]) * (1. / 3), length = plait_vec3_norm(p.b);
    double x[3] = {p.r[0], p.r[1], p.r[2]}, best = INFINITY, F[3], J[9], d[3];
    for (int k = 0; k < NEWTON_MAX; k++) {
        double error = (evaluate(&p, mu, s, x, F, J) + plait_local_noise(p.W, mu, x)) / length;
        if (error < best) {
            best = error;
            plait_vec3_copy(x, p.r);
        }
        if (best <= tol || !isfinite(error))
            break;
        choose_step(F, J, d);
        for (int i = 0; i < 3; i++)
            x[i] += d[i];
    }
    if (best == INFINITY)
        plait_vec3_set(p.r, 0, 0, 0);
    return plait_local_finish(&p, mu, tol, best <= tol ? PLAIT_LOCAL_SOLVED : PLAIT_LOCAL_FAILED, r);
}
