// superhelix_dense.c: Cholesky factor of the dense Hessian of a super-helix, and its solution.
//
// A = L L^T by blocks of 4 x 4: a block is its part of A minus a product of four rows of L with four others, summed in
// four lanes over what is to the left, then finished by hand. Rows are padded to a multiple of four by rows of the
// identity. 1/L_ii is kept on the diagonal; the products never reach it.
#include <float.h>
#include <math.h>

#include "base/simd.h"
#include "body/superhelix.h"

enum { B = 4 };

// Four doubles of a row; rows are aligned like doubles.
typedef double lanes __attribute__((vector_size(32), aligned(8)));

// S[a][b] = sum over k < count of P[a][k] Q[b][k]; count is a multiple of four.
static inline void products(const double *P, const double *Q, long stride, int count, double S[B][B])
{
    lanes sum[B][B] = {0};
    for (int k = 0; k < count; k += B) {
        for (int a = 0; a < B; a++) {
            lanes p = *(const lanes *)(P + a * stride + k);
            for (int b = 0; b < B; b++)
                sum[a][b] += p * *(const lanes *)(Q + b * stride + k);
        }
    }
    for (int a = 0; a < B; a++)
        for (int b = 0; b < B; b++)
            S[a][b] = (sum[a][b][0] + sum[a][b][1]) + (sum[a][b][2] + sum[a][b][3]);
}

PLAIT_CLONES static bool factorise(double *L, long stride, int n)
{
    double S[B][B];
    for (int i0 = 0; i0 < n; i0 += B) {
        for (int j0 = 0; j0 <= i0; j0 += B) {
            products(L + i0 * stride, L + j0 * stride, stride, j0, S);
            for (int a = 0; a < B; a++) {
                double *row = L + (i0 + a) * stride + j0;
                for (int b = 0; b < B && j0 + b <= i0 + a; b++) {
                    const double *other = L + (j0 + b) * stride + j0;
                    double value = row[b] - S[a][b];
                    for (int c = 0; c < b; c++)
                        value -= row[c] * other[c];
                    if (i0 + a > j0 + b) {
                        row[b] = value * other[b];
                    } else {
                        if (!(value > 4 * DBL_EPSILON * fabs(row[b])) || !isfinite(value))
                            return false;
                        row[b] = 1 / sqrt(value);
                    }
                }
            }
        }
    }
    return true;
}

bool plait_superhelix_factorise(plait_superhelix *sh, double scale_by, double shift)
{
    int n = sh->active, padded = (n + B - 1) / B * B;
    long size = sh->dofs, stride = sh->stride;
    sh->shift = shift;
    for (int i = 0; i < padded; i++) {
        double *row = sh->factor + i * stride;
        if (i >= n) {
            for (int j = 0; j <= i; j++)
                row[j] = i == j;
            continue;
        }
        const double *H = sh->hessian + sh->index[i] * size;
        for (int j = 0; j <= i; j++)
            row[j] = scale_by * H[sh->index[j]];
        row[i] += scale_by * shift * sh->scale[sh->index[i]];
    }
    return factorise(sh->factor, stride, padded);
}

void plait_superhelix_solve(const plait_superhelix *sh, double *x)
{
    int n = sh->active;
    double *y = sh->vector;
    for (int i = 0; i < n; i++)
        y[i] = x[sh->index[i]];
    for (int i = 0; i < n; i++) {
        const double *row = sh->factor + i * sh->stride;
        double s[B] = {0};
        int k = 0;
        for (; k + B <= i; k += B)
            for (int j = 0; j < B; j++)
                s[j] += row[k + j] * y[k + j];
        for (; k < i; k++)
            s[0] += row[k] * y[k];
        y[i] = (y[i] - ((s[0] + s[1]) + (s[2] + s[3]))) * row[i];
    }
    for (int i = n - 1; i >= 0; i--) {
        const double *row = sh->factor + i * sh->stride;
        y[i] *= row[i];
        for (int j = 0; j < i; j++)
            y[j] -= row[j] * y[i];
    }
    for (int i = 0; i < n; i++)
        x[sh->index[i]] = y[i];
}
