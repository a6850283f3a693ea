#include "math/band_pack.h"

#include <math.h>
#include <stdint.h>

enum { N = PLAIT_LANES };

typedef double lanes __attribute__((vector_size(8 * N)));
typedef double lanes_at __attribute__((vector_size(8 * N), aligned(8))); // in memory, anywhere

PLAIT_CLONES long plait_band_pack_factorise(plait_band_pack *p)
{
    int width = p->width;
    for (int i = 0; i < p->size; i++) {
        int first = i > width ? i - width : 0;
        for (int j = first; j <= i; j++) {
            double *a = plait_band_pack_at(p, i, j - i + width);
            double sum[N];
            for (int l = 0; l < N; l++)
                sum[l] = a[l];
            int from = j > width ? j - width : 0;
            if (from < first)
                from = first;
            for (int m = from; m < j; m++) {
                const double *x = plait_band_pack_at(p, i, m - i + width), *y = plait_band_pack_at(p, j, m - j + width);
                for (int l = 0; l < N; l++)
                    sum[l] -= x[l] * y[l];
            }
            if (j < i) {
                const double *d = plait_band_pack_at(p, j, width);
                for (int l = 0; l < N; l++)
                    a[l] = sum[l] * d[l];
                continue;
            }
            for (int l = 0; l < N; l++) {
                if (!(sum[l] > 0) || !isfinite(sum[l]))
                    return (long)i * N + l;
                a[l] = 1 / sqrt(sum[l]);
            }
        }
    }
    return -1;
}

// Both halves row by row, each row as a sum that stays in a register: from the first column on, then from the last row
// of a column up.
PLAIT_CLONES void plait_band_pack_solve(const plait_band_pack *p, double *restrict X)
{
    const int width = p->width, size = p->size;
    lanes_at *x = (lanes_at *)X;
    const lanes_at *L = (const lanes_at *)p->L;
    for (int i = 0; i < size; i++) {
        int first = i > width ? i - width : 0;
        const lanes_at *a = L + (int64_t)(width + 1) * i + width - i;
        lanes sum = x[i];
        for (int j = first; j < i; j++)
            sum -= a[j] * x[j];
        x[i] = sum * a[i];
    }
    for (int i = size - 1; i >= 0; i--) {
        int last = i + width < size ? i + width : size - 1;
        const lanes_at *a = L + (int64_t)(width + 1) * last + width - last + i;
        lanes sum = x[i];
        for (int j = last; j > i; j--, a -= width)
            sum -= *a * x[j];
        x[i] = sum * *a;
    }
}

PLAIT_CLONES void plait_band_pack_forward_many(const plait_band_pack *p, int lane, int start, double *restrict X)
{
    int width = p->width;
    for (int i = start; i < p->size; i++) {
        int first = i > width ? i - width : 0;
        if (first < start)
            first = start;
        const double *a = plait_band_pack_at(p, i, first - i + width) + lane;
        double sum[N];
        for (int l = 0; l < N; l++)
            sum[l] = X[i * N + l];
        for (int j = first; j < i; j++, a += N)
            for (int l = 0; l < N; l++)
                sum[l] -= *a * X[j * N + l];
        for (int l = 0; l < N; l++)
            X[i * N + l] = sum[l] * *a;
    }
}

PLAIT_CLONES void plait_band_pack_solve_many(const plait_band_pack *p, int lane, int start, double *restrict X)
{
    int width = p->width;
    plait_band_pack_forward_many(p, lane, start, X);
    for (int i = p->size - 1; i >= 0; i--) {
        int first = i > width ? i - width : 0;
        const double *a = plait_band_pack_at(p, i, first - i + width) + lane;
        double d = plait_band_pack_at(p, i, width)[lane], x[N];
        for (int l = 0; l < N; l++)
            X[i * N + l] = x[l] = X[i * N + l] * d;
        for (int j = first; j < i; j++, a += N)
            for (int l = 0; l < N; l++)
                X[j * N + l] -= *a * x[l];
    }
}
