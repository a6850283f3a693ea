// Vectors, rotations and quaternions.
#include "math/quat.h"

#include "base/rng.h"
#include "check.h"

static void random_vector(plait_rng *rng, double size, double *a)
{
    for (int i = 0; i < 3; i++)
        a[i] = size * (2 * plait_rng_uniform(rng) - 1);
}

CASE(exp_and_log_are_inverse)
{
    plait_rng rng = plait_rng_new(1, 0);
    for (int k = 0; k < 200; k++) {
        double a[3], b[3], q[4];
        random_vector(&rng, pow(10, -k / 12.0), a); // down to 1e-17, up to sqrt(3) < pi
        plait_quat_exp(a, q);
        CHECK_NEAR(plait_quat_dot(q, q), 1, 1e-15);
        plait_quat_log(q, b);
        for (int i = 0; i < 3; i++)
            CHECK_NEAR(a[i], b[i], 4e-15 * plait_vec3_norm(a));
        for (int i = 0; i < 4; i++)
            q[i] = -q[i];
        plait_quat_log(q, b);
        CHECK_NEAR(a[0], b[0], 4e-15 * plait_vec3_norm(a));
    }
}

CASE(matrix_of_a_product_is_the_product)
{
    plait_rng rng = plait_rng_new(2, 0);
    for (int k = 0; k < 100; k++) {
        double a[3], b[3], p[4], q[4], r[4], P[9], Q[9], R[9], PQ[9], back[4];
        random_vector(&rng, 5, a);
        random_vector(&rng, 5, b);
        plait_quat_exp(a, p);
        plait_quat_exp(b, q);
        plait_quat_multiply(p, q, r);
        plait_quat_matrix(p, P);
        plait_quat_matrix(q, Q);
        plait_quat_matrix(r, R);
        plait_mat3_multiply(P, Q, PQ);
        for (int i = 0; i < 9; i++)
            CHECK_NEAR(R[i], PQ[i], 1e-14);
        plait_mat3_transposed_multiply(P, P, PQ);
        for (int i = 0; i < 9; i++)
            CHECK_NEAR(PQ[i], i % 4 == 0, 1e-14);
        plait_quat_from_matrix(R, back);
        CHECK_NEAR(fabs(plait_quat_dot(back, r)), 1, 1e-14);
        plait_quat_between(p, r, back); // = q
        CHECK_NEAR(plait_quat_dot(back, q), 1, 1e-14);
    }
}

CASE(half_turns_have_a_quaternion)
{
    for (int k = 0; k < 3; k++) {
        double R[9] = {0}, q[4];
        for (int i = 0; i < 3; i++)
            R[4 * i] = i == k ? 1 : -1;
        plait_quat_from_matrix(R, q);
        CHECK_NEAR(fabs(q[k]), 1, 1e-15);
        CHECK_NEAR(q[3], 0, 1e-15);
    }
}

CASE(axial_vector_is_the_torque)
{
    double f[3] = {1, -2, 0.5}, y[3] = {0.3, 0.7, -1.1}, A[9] = {0}, a[3], b[3], x[3] = {2, 3, 4}, c[3], d[3];
    plait_mat3_add_outer(A, 1, f, y);
    plait_mat3_axial(A, a);
    plait_vec3_cross(y, f, b);
    for (int i = 0; i < 3; i++)
        CHECK_NEAR(a[i], b[i], 1e-15);
    double C[9] = {0};
    plait_mat3_add_cross(C, 1, f);
    plait_mat3_apply(C, x, c);
    plait_vec3_cross(f, x, d);
    for (int i = 0; i < 3; i++)
        CHECK_NEAR(c[i], d[i], 1e-15);
}
