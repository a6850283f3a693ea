// rigid_turn.c: Newton's method for the rotation of a free rigid body.
#include "body/rigid_turn.h"

#include <math.h>

#include "math/mat3.h"
#include "math/quat.h"
#include "math/vec3.h"

enum { ITERATIONS = 40 };
static const double LARGEST = 1;        // [rad] half of an angle up to which h is longer than dt
static const double CONVERGED = 4e-16;  // of the spin
static const double GOOD = 1e-10;

void plait_rigid_inertia(const double inertia[3], const double q[4], int power, const double x[3], double y[3])
{
    double R[9], m[3];
    plait_quat_matrix(q, R);
    plait_mat3_apply_transposed(R, x, m);
    for (int k = 0; k < 3; k++)
        m[k] = power > 0 ? inertia[k] * m[k] : m[k] / inertia[k];
    plait_mat3_apply(R, m, y);
}

// (1 + [a]) J O1 - (1 - [a]) m0 with a = h/4 (O0 + O1), and its derivative by O1. m0 = J O0 + tau.
static void equations(const double J[3], double h, const double O0[3], const double O1[3], const double m0[3],
                      double F[3], double A[9])
{
    double a[3], m[3], both[3], turned[3];
    for (int k = 0; k < 3; k++) {
        a[k] = 0.25 * h * (O0[k] + O1[k]);
        m[k] = J[k] * O1[k];
        both[k] = m[k] + m0[k];
    }
    plait_vec3_cross(a, both, turned);
    for (int k = 0; k < 3; k++)
        F[k] = m[k] - m0[k] + turned[k];
    plait_mat3_zero(A);
    plait_mat3_add_cross(A, 1, a);
    for (int i = 0; i < 9; i++)
        A[i] *= J[i % 3];
    for (int k = 0; k < 3; k++)
        A[4 * k] += J[k];
    plait_mat3_add_cross(A, -0.25 * h, both);
}

bool plait_rigid_turn(const double J[3], const double q0[4], const double L[3], const double couple[3], double dt,
                      double w[3])
{
    double R[9], O0[3], O1[3], m0[3], tau[3], F[3], A[9], d[3], a[3], change = INFINITY, size = 0;
    plait_quat_matrix(q0, R);
    plait_mat3_apply_transposed(R, L, m0);
    plait_mat3_apply_transposed(R, couple, tau);
    for (int k = 0; k < 3; k++) {
        O0[k] = m0[k] / J[k];
        m0[k] += tau[k];
        O1[k] = m0[k] / J[k];
    }
    double half = 0.5 * dt * plait_vec3_norm(O0), stop = half < LARGEST ? half : LARGEST;
    double h = stop > 1e-4 ? dt * plait_sin(stop) / (stop * plait_cos(stop)) : dt * (1 + stop * stop / 3);
    for (int i = 0; i < ITERATIONS && change > CONVERGED * size; i++) {
        equations(J, h, O0, O1, m0, F, A);
        if (!plait_mat3_solve(A, F, 0, d))
            return false;
        for (int k = 0; k < 3; k++)
            O1[k] -= d[k];
        change = plait_vec3_norm(d), size = plait_vec3_norm(O0) + plait_vec3_norm(O1);
    }
    for (int k = 0; k < 3; k++)
        a[k] = 0.25 * h * (O0[k] + O1[k]);
    // The angle is 2 atan |a|.
    double length = plait_vec3_norm(a), rate = length > 1e-8 ? 2 * plait_atan2(length, 1) / length : 2;
    for (int k = 0; k < 3; k++)
        a[k] *= rate / dt;
    plait_mat3_apply(R, a, w);
    return change <= GOOD * size;
}
