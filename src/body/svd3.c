// svd3.c: eigenvalues and singular values of 3x3 matrices.
#include "body/svd3.h"

#include <math.h>

#include "math/mat3.h"
#include "math/vec3.h"

// Turns columns p, q of a matrix: c, s.
static void turn_columns(double A[9], int p, int q, double c, double s)
{
    for (int i = 0; i < 3; i++) {
        double x = A[3 * i + p], y = A[3 * i + q];
        A[3 * i + p] = c * x - s * y, A[3 * i + q] = s * x + c * y;
    }
}

// Cosine and sine of the turn after which the symmetric [a b; b d] is diagonal.
static void jacobi(double a, double b, double d, double *c, double *s)
{
    double tau = (d - a) / (2 * b), t = (tau >= 0 ? 1 : -1) / (fabs(tau) + sqrt(1 + tau * tau));
    *c = 1 / sqrt(1 + t * t), *s = t * *c;
}

void plait_eigen3(const double A[9], double value[3], double V[9])
{
    enum { SWEEPS = 12 };
    double S[9];
    for (int i = 0; i < 9; i++)
        S[i] = A[i];
    plait_mat3_identity(V);
    for (int sweep = 0; sweep < SWEEPS; sweep++) {
        double off = fabs(S[1]) + fabs(S[2]) + fabs(S[5]);
        if (!(off > 1e-300) || off <= 1e-15 * (fabs(S[0]) + fabs(S[4]) + fabs(S[8])))
            break;
        for (int k = 0; k < 3; k++) {
            int p = k == 2 ? 1 : 0, q = k == 0 ? 1 : 2;
            double c, s, T[9];
            if (S[3 * p + q] == 0)
                continue;
            jacobi(S[3 * p + p], S[3 * p + q], S[3 * q + q], &c, &s);
            turn_columns(S, p, q, c, s);
            for (int i = 0; i < 9; i++)
                T[i] = S[3 * (i % 3) + i / 3];
            turn_columns(T, p, q, c, s);
            for (int i = 0; i < 9; i++)
                S[i] = T[i];
            S[3 * p + q] = S[3 * q + p] = 0;
            turn_columns(V, p, q, c, s);
        }
    }
    for (int k = 0; k < 3; k++)
        value[k] = S[4 * k];
}

// One-sided: the columns of A V become orthogonal, so that small singular values keep their digits.
static void orthogonalise(double W[9], double V[9])
{
    enum { SWEEPS = 15 };
    for (int sweep = 0; sweep < SWEEPS; sweep++) {
        bool done = true;
        for (int k = 0; k < 3; k++) {
            int p = k == 2 ? 1 : 0, q = k == 0 ? 1 : 2;
            double a = W[p] * W[p] + W[3 + p] * W[3 + p] + W[6 + p] * W[6 + p];
            double d = W[q] * W[q] + W[3 + q] * W[3 + q] + W[6 + q] * W[6 + q];
            double b = W[p] * W[q] + W[3 + p] * W[3 + q] + W[6 + p] * W[6 + q], c, s;
            if (!(b * b > 1e-30 * a * d) || !(fabs(b) > 1e-300))
                continue;
            done = false;
            jacobi(a, b, d, &c, &s);
            turn_columns(W, p, q, c, s);
            turn_columns(V, p, q, c, s);
        }
        if (done)
            return;
    }
}

static void swap_columns(double A[9], int p, int q)
{
    for (int i = 0; i < 3; i++) {
        double x = A[3 * i + p];
        A[3 * i + p] = A[3 * i + q], A[3 * i + q] = -x; // a turn: it stays a rotation
    }
}

void plait_svd3(const double A[9], double U[9], double s[3], double V[9])
{
    double W[9], c[3][3];
    for (int i = 0; i < 9; i++)
        W[i] = A[i];
    plait_mat3_identity(V);
    orthogonalise(W, V);
    for (int pass = 0; pass < 3; pass++) {
        int k = pass % 2;
        double x[3], y[3];
        plait_mat3_column(W, k, x), plait_mat3_column(W, k + 1, y);
        if (plait_vec3_dot(x, x) < plait_vec3_dot(y, y))
            swap_columns(W, k, k + 1), swap_columns(V, k, k + 1);
    }
    for (int k = 0; k < 3; k++)
        plait_mat3_column(W, k, c[k]);
    // The first column leads; those that vanish are any that make a rotation. The sign of the last is that of A.
    s[0] = plait_vec3_normalise(c[0]);
    if (!(s[0] > 0))
        plait_vec3_set(c[0], 1, 0, 0), s[0] = 0;
    double along = plait_vec3_dot(c[1], c[0]);
    s[1] = plait_vec3_norm(c[1]);
    plait_vec3_axpy(-along, c[0], c[1]);
    if (!(s[1] > 1e-14 * s[0]) || !(plait_vec3_normalise(c[1]) > 0))
        plait_vec3_any_normal(c[0], c[1]);
    double third[3];
    plait_vec3_cross(c[0], c[1], third);
    s[2] = plait_vec3_dot(third, c[2]);
    plait_mat3_set_column(U, 0, c[0]), plait_mat3_set_column(U, 1, c[1]), plait_mat3_set_column(U, 2, third);
}
