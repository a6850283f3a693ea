// banded.c: the scalar banded solver.
//
// Right-looking: column c, scaled, is subtracted from the ten columns after it. Loops have fixed length, so that the
// compiler keeps the column in vector registers; the zeros that this drags along cost less than the branches.
#include "math/banded.h"

#include "base/simd.h"

enum { W = PLAIT_BAND_STRIDE, B = PLAIT_BAND };

PLAIT_CLONES int plait_banded_factorise(double *restrict A, int n, double least)
{
    double l[2 * W] = {0}; // column c below the diagonal from l[1]; zeros follow
    for (int c = 0; c < n; c++) {
        double *restrict column = A + (size_t)W * c;
        double d = column[0];
        if (!(d > least))
            return c;
        double inverse = 1 / d;
        for (int k = 1; k <= B; k++)
            l[k] = column[k];
        for (int k = 1; k <= B; k++) {
            double *restrict target = column + W * k;
            double factor = inverse * l[k];
            for (int m = 0; m < W - 1; m++)
                target[m] -= factor * l[k + m];
        }
        column[0] = inverse;
        for (int k = 1; k <= B; k++)
            column[k] = l[k] * inverse;
    }
    return -1;
}

PLAIT_CLONES void plait_banded_solve(const double *restrict A, int n, double *restrict x)
{
    for (int c = 0; c < n; c++) {
        const double *restrict column = A + (size_t)W * c;
        double y = x[c];
        for (int k = 1; k <= B; k++)
            x[c + k] -= column[k] * y;
    }
    for (int k = 0; k < PLAIT_BAND_PAD; k++)
        x[n + k] = 0;
    for (int c = n - 1; c >= 0; c--) {
        const double *restrict column = A + (size_t)W * c;
        double even = 0, odd = 0;
        for (int k = 1; k <= B; k += 2)
            even += column[k] * x[c + k], odd += column[k + 1] * x[c + k + 1];
        x[c] = x[c] * column[0] - (even + odd);
    }
}

void plait_banded_multiply(const double *restrict A, int n, const double *restrict x, double *restrict y)
{
    for (int i = 0; i < n; i++)
        y[i] = 0;
    for (int c = 0; c < n; c++) {
        const double *column = A + (size_t)W * c;
        y[c] += column[0] * x[c];
        for (int k = 1; k <= B && c + k < n; k++) {
            y[c + k] += column[k] * x[c];
            y[c] += column[k] * x[c + k];
        }
    }
}
