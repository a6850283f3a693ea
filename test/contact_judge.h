// contact_judge.h: an independent judge for tests. Dense matrices, Gaussian elimination, Coulomb's law by its three
// cases: shares no code with the library.
#ifndef PLAIT_TEST_CONTACT_JUDGE_H
#define PLAIT_TEST_CONTACT_JUDGE_H

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "plait/contact.h"

// X <- A^-1 X for `count` columns (row-major [size][count]); A is destroyed. Partial pivoting.
static inline void judge_eliminate(int size, int count, double *A, double *X)
{
    for (int k = 0; k < size; k++) {
        int pivot = k;
        for (int i = k + 1; i < size; i++)
            if (fabs(A[i * size + k]) > fabs(A[pivot * size + k]))
                pivot = i;
        for (int j = 0; j < size; j++) {
            double t = A[k * size + j];
            A[k * size + j] = A[pivot * size + j], A[pivot * size + j] = t;
        }
        for (int j = 0; j < count; j++) {
            double t = X[k * count + j];
            X[k * count + j] = X[pivot * count + j], X[pivot * count + j] = t;
        }
        for (int i = 0; i < size; i++) {
            double f = i == k ? 0 : A[i * size + k] / A[k * size + k];
            for (int j = k; f != 0 && j < size; j++)
                A[i * size + j] -= f * A[k * size + j];
            for (int j = 0; f != 0 && j < count; j++)
                X[i * count + j] -= f * X[k * count + j];
        }
    }
    for (int i = 0; i < size; i++)
        for (int j = 0; j < count; j++)
            X[i * count + j] /= A[i * size + i];
}

static inline double *judge_dense(const plait_sparse *A)
{
    double *D = calloc((size_t)A->rows * (size_t)A->cols + 1, sizeof *D);
    for (int i = 0; i < A->rows; i++)
        for (int64_t k = A->ptr[i]; k < A->ptr[i + 1]; k++)
            D[(size_t)i * (size_t)A->cols + (size_t)A->col[k]] += A->val[k];
    return D;
}

// Dense W and b of a problem with dynamics: W = H M^-1 H^T, b = H M^-1 f + w. Caller frees both.
static inline void judge_reduce(const plait_problem *p, double **W_out, double **b_out)
{
    const plait_dynamics *y = p->dynamics;
    int n = 3 * p->n, m = y->dofs, cols = n + 1;
    double *M = judge_dense(&y->M), *H = judge_dense(&y->H), *X = calloc((size_t)m * (size_t)cols + 1, sizeof *X);
    double *W = calloc((size_t)n * (size_t)n + 1, sizeof *W), *b = calloc((size_t)n + 1, sizeof *b);
    for (int k = 0; k < m; k++) {
        for (int i = 0; i < n; i++)
            X[k * cols + i] = H[i * m + k];
        X[k * cols + n] = y->f[k];
    }
    judge_eliminate(m, cols, M, X);
    for (int i = 0; i < n; i++) {
        b[i] = y->w[i];
        for (int k = 0; k < m; k++) {
            double h = H[i * m + k];
            if (h == 0)
                continue;
            b[i] += h * X[k * cols + n];
            for (int j = 0; j < n; j++)
                W[i * n + j] += h * X[k * cols + j];
        }
    }
    free(M), free(H), free(X);
    *W_out = W, *b_out = b;
}

// The largest violation of Coulomb's law over the contacts, as a velocity over max |b|, by the three cases: the impulse
// is moved to the nearest admissible one, and what has to be moved counts with s = tr(W_ii) / 3.
static inline double judge_law(int n, const double *W, const double *b, const double *mu, const double *r)
{
    double worst = 0, scale = 0;
    for (int i = 0; i < n; i++) {
        double u[3], s = 0;
        for (int a = 0; a < 3; a++) {
            const double *row = W + (size_t)(3 * i + a) * (size_t)(3 * n);
            u[a] = b[3 * i + a], s += row[3 * i + a] / 3, scale = fmax(scale, fabs(b[3 * i + a]));
            for (int j = 0; j < 3 * n; j++)
                u[a] += row[j] * r[j];
        }
        const double *x = r + 3 * i;
        double rt = hypot(x[1], x[2]), ut = hypot(u[1], u[2]);
        double take_off = s * hypot(x[0], rt) + fmax(0, -u[0]);
        double stick = hypot(u[0], ut) + s * fmax(0, rt - mu[i] * x[0]);
        double against =
            ut > 0 ? s * hypot(x[1] + mu[i] * x[0] * u[1] / ut, x[2] + mu[i] * x[0] * u[2] / ut) : INFINITY;
        double slide = fabs(u[0]) + against + s * fmax(0, -x[0]);
        double e = fmin(take_off, fmin(stick, slide));
        worst = e <= worst ? worst : e; // a NaN is the worst
    }
    return worst / scale;
}

#endif
