#include "contact/newton_krylov.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/parallel.h"
#include "base/pool.h"
#include "math/mat3.h"

#define ENOUGH 1e-6 // of the right side's norm
#define WON 0.9     // a result with more than this left is none
enum { BASIS = 30, RESTARTS = 8 };

struct plait_krylov {
    plait_system *sys;
    int64_t size; // 3 n
    const double *A_r, *A_u;
    double *P, *S; // [9 n], [n]
    double *basis; // [BASIS + 1][size]
    double *x, *y; // [size] impulses and velocities of a product
    void *block;
};

plait_krylov *plait_krylov_new(plait_system *sys)
{
    plait_krylov *k = plait_calloc(1, sizeof *k);
    if (!k)
        return NULL;
    size_t n = (size_t)sys->n, size = 3 * n;
    double *p = k->block = plait_malloc((10 * n + (BASIS + 3) * size + 1) * sizeof *p);
    if (!p) {
        plait_krylov_free(k);
        return NULL;
    }
    k->sys = sys, k->size = (int64_t)size;
    k->P = p, k->S = p + 9 * n, k->x = p + 10 * n, k->y = k->x + size, k->basis = k->y + size;
    for (size_t i = 0; i < n; i++)
        k->S[i] = sqrt(sys->s[i]);
    return k;
}

void plait_krylov_free(plait_krylov *k)
{
    if (k)
        plait_free(k->block), plait_free(k);
}

bool plait_krylov_set(plait_krylov *k, const double *A_r, const double *A_u)
{
    static const double identity[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    k->A_r = A_r, k->A_u = A_u;
    for (int64_t i = 0; i < k->sys->n; i++) {
        const double *R = A_r ? A_r + 9 * i : identity, *U = A_u + 9 * i, *W = k->sys->diagonal + 9 * i;
        double B[9], e[3], column[3];
        for (int a = 0; a < 9; a++) {
            int row = a / 3, col = a % 3;
            B[a] = R[a] + U[3 * row] * W[col] + U[3 * row + 1] * W[3 + col] + U[3 * row + 2] * W[6 + col];
        }
        for (int c = 0; c < 3; c++) {
            e[0] = c == 0, e[1] = c == 1, e[2] = c == 2;
            if (!plait_mat3_solve(B, e, 0, column))
                return false;
            for (int a = 0; a < 3; a++)
                k->P[9 * i + 3 * a + c] = column[a];
        }
    }
    return true;
}

// ---- vectors --------------------------------------------------------------------------------------------------------

typedef struct pair {
    const double *a;
    double *b;
    double factor;
} pair;

static double dot_part(int64_t begin, int64_t end, const void *data)
{
    const pair *p = data;
    double sum = 0;
    for (int64_t i = begin; i < end; i++)
        sum += p->a[i] * p->b[i];
    return sum;
}

static void axpy_part(int64_t begin, int64_t end, void *data)
{
    const pair *p = data;
    for (int64_t i = begin; i < end; i++)
        p->b[i] += p->factor * p->a[i];
}

static double dot(const plait_krylov *k, const double *a, double *b)
{
    pair p = {a, b, 0};
    return plait_parallel_sum(k->size, k->sys->team, dot_part, &p);
}

static void axpy(const plait_krylov *k, double factor, const double *a, double *b)
{
    pair p = {a, b, factor};
    plait_parallel_for(k->size, k->sys->team, axpy_part, &p);
}

typedef struct product {
    const plait_krylov *k;
    const double *q;
    double *z;
} product;

// z = S P (q - A_r x - A_u y); q NULL: z = S P (A_r x + A_u y).
static void precondition(int64_t begin, int64_t end, void *data)
{
    const product *d = data;
    const plait_krylov *k = d->k;
    for (int64_t i = begin; i < end; i++) {
        const double *x = k->x + 3 * i;
        double r[3], t[3];
        plait_mat3_apply(k->A_u + 9 * i, k->y + 3 * i, t);
        if (k->A_r)
            plait_mat3_apply(k->A_r + 9 * i, x, r);
        else
            memcpy(r, x, sizeof r);
        for (int a = 0; a < 3; a++)
            t[a] = d->q ? d->q[3 * i + a] - r[a] - t[a] : r[a] + t[a];
        plait_mat3_apply(k->P + 9 * i, t, r);
        for (int a = 0; a < 3; a++)
            d->z[3 * i + a] = k->S[i] * r[a];
    }
}

// z = S P (A_r + A_u W) S^-1 v
static void multiply(plait_krylov *k, const double *v, double *z)
{
    for (int64_t i = 0; i < k->size; i++)
        k->x[i] = v[i] / k->S[i / 3];
    plait_system_multiply(k->sys, k->x, k->y);
    product d = {k, NULL, z};
    plait_parallel_for(k->sys->n, k->sys->team, precondition, &d);
}

// ---- GMRES ----------------------------------------------------------------------------------------------------------

// The small least-squares problem, kept triangular by rotations.
typedef struct least {
    double R[BASIS][BASIS + 1]; // columns
    double c[BASIS], s[BASIS], g[BASIS + 1];
} least;

// Adds column j (j + 2 numbers in R[j]); returns what is left of the right side.
static double add_column(least *l, int j)
{
    double *h = l->R[j];
    for (int i = 0; i < j; i++) {
        double t = l->c[i] * h[i] + l->s[i] * h[i + 1];
        h[i + 1] = l->c[i] * h[i + 1] - l->s[i] * h[i], h[i] = t;
    }
    double length = hypot(h[j], h[j + 1]);
    l->c[j] = length > 0 ? h[j] / length : 1, l->s[j] = length > 0 ? h[j + 1] / length : 0;
    h[j] = length;
    l->g[j + 1] = -l->s[j] * l->g[j], l->g[j] *= l->c[j];
    return fabs(l->g[j + 1]);
}

// dr += S^-1 V y, R y = g
static void add_solution(plait_krylov *k, const least *l, int columns, double *dr)
{
    double y[BASIS];
    for (int j = columns - 1; j >= 0; j--) {
        y[j] = l->g[j];
        for (int i = j + 1; i < columns; i++)
            y[j] -= l->R[i][j] * y[i];
        y[j] = l->R[j][j] != 0 ? y[j] / l->R[j][j] : 0;
    }
    memset(k->x, 0, (size_t)k->size * sizeof *k->x);
    for (int j = 0; j < columns; j++)
        axpy(k, y[j], k->basis + j * k->size, k->x);
    for (int64_t i = 0; i < k->size; i++)
        dr[i] += k->x[i] / k->S[i / 3];
}

// One cycle from the residual in basis[0], of norm `left`, down to `goal`. Columns made; 0 if it was stopped.
static int cycle(plait_krylov *k, least *l, double left, double goal)
{
    for (int64_t i = 0; i < k->size; i++)
        k->basis[i] /= left;
    l->g[0] = left;
    int j = 0;
    while (j < BASIS && left > goal) {
        double *w = k->basis + (j + 1) * k->size;
        if (plait_system_stopped(k->sys) || k->sys->no_memory)
            return 0;
        multiply(k, k->basis + j * k->size, w);
        for (int i = 0; i <= j; i++) {
            l->R[j][i] = dot(k, k->basis + i * k->size, w);
            axpy(k, -l->R[j][i], k->basis + i * k->size, w);
        }
        double length = sqrt(dot(k, w, w));
        l->R[j][j + 1] = length;
        left = add_column(l, j++);
        if (!(length > 0)) // the space is exhausted
            break;
        for (int64_t i = 0; i < k->size; i++)
            w[i] /= length;
    }
    return j;
}

bool plait_krylov_solve(plait_krylov *k, const double *q, double *dr, double *du)
{
    size_t bytes = (size_t)k->size * sizeof *dr;
    double first = 0, left = 0;
    least l;
    memset(dr, 0, bytes), memset(k->x, 0, bytes), memset(k->y, 0, bytes);
    for (int restart = 0; restart <= RESTARTS; restart++) {
        product d = {k, q, k->basis};
        plait_parallel_for(k->sys->n, k->sys->team, precondition, &d); // x = dr, y = W dr
        left = sqrt(dot(k, k->basis, k->basis));
        first = restart == 0 ? left : first;
        if (!(left > ENOUGH * first) || restart == RESTARTS)
            break;
        int columns = cycle(k, &l, left, ENOUGH * first);
        if (columns == 0)
            return false;
        add_solution(k, &l, columns, dr);
        memcpy(k->x, dr, bytes);
        plait_system_multiply(k->sys, k->x, k->y);
    }
    memcpy(du, k->y, bytes);
    return !k->sys->no_memory && left <= WON * first;
}
