// Closed forms along a helix against series in long double, small steps and finite differences.
#include "math/helix.h"

#include "base/rng.h"
#include "check.h"
#include "math/quat.h"

static void random_vector(plait_rng *rng, double size, double *a)
{
    for (int i = 0; i < 3; i++)
        a[i] = size * (2 * plait_rng_uniform(rng) - 1);
}

CASE(functions_match_their_series)
{
    for (int k = 0; k < 120; k++) {
        double z = k ? pow(10, -12 + k * 0.12) : 0; // 0, 1e-12 ... 100
        double c[PLAIT_HELIX_TERMS];
        plait_helix_functions(z, c);
        long double factorial = 1;
        for (int n = 0; n < PLAIT_HELIX_TERMS; n++) {
            factorial *= n ? n : 1;
            long double term = 1, sum = 0;
            for (int j = 1; fabsl(term) > 1e-30L && j < 200; j++) {
                sum += term;
                term *= -(long double)z / ((n + 2.0L * j - 1) * (n + 2.0L * j));
            }
            CHECK_NEAR(c[n] * (double)factorial, (double)sum, 4e-14);
        }
    }
}

CASE(place_solves_the_equation_of_the_frame)
{
    // Many small exact rotations, the tangent by Simpson's rule.
    double k[3] = {3, -7, 4}, u = 1.3;
    enum { STEPS = 4000 };
    double x[3] = {0}, R[9], E[9];
    plait_mat3_identity(R);
    for (int i = 0; i < STEPS; i++) {
        double half[3], q[4], H[9], M[9], next[9];
        for (int j = 0; j < 3; j++)
            half[j] = 0.5 * u / STEPS * k[j];
        plait_quat_exp(half, q);
        plait_quat_matrix(q, H);
        plait_mat3_multiply(R, H, M);
        plait_mat3_multiply(M, H, next);
        for (int j = 0; j < 3; j++)
            x[j] += u / STEPS / 6 * (R[3 * j + 2] + 4 * M[3 * j + 2] + next[3 * j + 2]);
        for (int j = 0; j < 9; j++)
            R[j] = next[j];
    }
    plait_helix h = plait_helix_at(k, u);
    double y[3];
    plait_helix_place(&h, y, E);
    for (int j = 0; j < 3; j++)
        CHECK_NEAR(x[j], y[j], 1e-12);
    for (int j = 0; j < 9; j++)
        CHECK_NEAR(R[j], E[j], 1e-11);
}

static double form(const double k[3], double u, const double f[3], const double A[9])
{
    plait_helix h = plait_helix_at(k, u);
    double x[3], E[9], sum;
    plait_helix_place(&h, x, E);
    sum = plait_vec3_dot(f, x);
    for (int i = 0; i < 9; i++)
        sum += A[i] * E[i]; // A = sum f y^T: f . E y
    return sum;
}

// Gradient of form() by the jacobians.
static void form_gradient(const double k[3], double u, const double f[3], const double A[9], double g[3])
{
    plait_helix h = plait_helix_at(k, u);
    double E[9], D[9], V[9], B[9], a[3], b[3];
    plait_helix_place(&h, NULL, E);
    plait_helix_jacobian(&h, D, V);
    plait_mat3_apply_transposed(D, f, g);
    plait_mat3_multiply_transposed(A, E, B); // sum f (E y)^T
    plait_mat3_axial(B, a);
    plait_mat3_apply_transposed(V, a, b);
    plait_vec3_axpy(1, b, g);
}

CASE(derivatives_match_finite_differences)
{
    plait_rng rng = plait_rng_new(3, 0);
    double worst[2] = {0};
    for (int trial = 0; trial < 300; trial++) {
        double size = trial < 100 ? 1e-6 : trial < 200 ? 1 : 8; // zero curvature, around the series limit, many turns
        double u = 0.3 + plait_rng_uniform(&rng), k[3], f[3], A[9], g[3], H[9] = {0}, s = 1e-5;
        random_vector(&rng, size, k);
        random_vector(&rng, 1, f);
        for (int i = 0; i < 9; i++)
            A[i] = 2 * plait_rng_uniform(&rng) - 1;
        form_gradient(k, u, f, A, g);
        plait_helix h = plait_helix_at(k, u);
        plait_helix_hessian_point(&h, f, H);
        plait_helix_hessian_frame(&h, A, H);
        for (int j = 0; j < 3; j++) {
            double p[3], m[3], gp[3], gm[3];
            plait_vec3_copy(k, p);
            plait_vec3_copy(k, m);
            p[j] += s;
            m[j] -= s;
            worst[0] = fmax(worst[0], fabs(g[j] - (form(p, u, f, A) - form(m, u, f, A)) / (2 * s)));
            form_gradient(p, u, f, A, gp);
            form_gradient(m, u, f, A, gm);
            for (int i = 0; i < 3; i++)
                worst[1] = fmax(worst[1], fabs(H[3 * i + j] - (gp[i] - gm[i]) / (2 * s)));
        }
    }
    CHECK_NEAR(worst[0], 0, 2e-9);
    CHECK_NEAR(worst[1], 0, 2e-9);
}
