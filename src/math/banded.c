// banded.c: the scalar banded solver.
//
// Right-looking: column c, scaled, is subtracted from the ten columns after it, four entries at a time:
//
//     column c         d  l1 l2 l3 | l4 l5 l6 l7 | l8 l9 l10 0
//     from column c+1  l1 l2 l3 l4 | l5 l6 l7 l8 | l9 l10 0  0        times l1 / d
//     from column c+2  l2 l3 l4 l5 | ...
//
// Columns are read and written in the same four groups, and shifted in registers: a load that overlaps two stores that
// are under way would wait for both. Shifted by k, the column is shifted by k % 4 and begins at group k / 4.
#include "math/banded.h"

#include "base/simd.h"

enum { W = PLAIT_BAND_STRIDE, B = PLAIT_BAND, GROUPS = W / 4 };

typedef double four __attribute__((vector_size(32), aligned(8), may_alias));

// column + 12 k -= factor * shifted, `groups` of it: the others are zero.
static inline void subtract(double *column, int k, int groups, double inverse, const four *shifted)
{
    double factor = inverse * column[k];
    four *target = (four *)(column + (size_t)W * (size_t)k);
    for (int g = 0; g < groups; g++)
        target[g] -= factor * shifted[g + k / 4];
}

PLAIT_CLONES int plait_banded_factorise(double *A, int n, double least)
{
    const four none = {0};
    for (int c = 0; c < n; c++) {
        double *column = A + (size_t)W * (size_t)c;
        if (!(column[0] > least))
            return c;
        double inverse = 1 / column[0];
        four *whole = (four *)column, l[4][GROUPS], next;
        l[0][0] = whole[0], l[0][1] = whole[1], l[0][2] = __builtin_shufflevector(whole[2], none, 0, 1, 2, 4);
        for (int g = 0; g < GROUPS; g++) {
            next = g + 1 < GROUPS ? l[0][g + 1] : none;
            l[1][g] = __builtin_shufflevector(l[0][g], next, 1, 2, 3, 4);
            l[2][g] = __builtin_shufflevector(l[0][g], next, 2, 3, 4, 5);
            l[3][g] = __builtin_shufflevector(l[0][g], next, 3, 4, 5, 6);
        }
#pragma GCC unroll 10
        for (int k = 1; k <= B; k++)
            subtract(column, k, (B - k) / 4 + 1, inverse, l[k % 4]);
        for (int g = 0; g < GROUPS; g++)
            whole[g] = l[0][g] * inverse;
        column[0] = inverse;
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
