// helix.c: closed forms along a helix.
#include "math/helix.h"

#include <math.h>
#include <stddef.h>

#include "base/elementary.h"
#include "math/quat.h"

// Below this the series is used. Above it, c7 by recursion from the sine loses a factor 7!/z^3 = 80 of precision.
#define SERIES_LIMIT 4.0

static const double inverse_factorial[PLAIT_HELIX_TERMS] = {1,       1,        1. / 2,   1. / 6,
                                                            1. / 24, 1. / 120, 1. / 720, 1. / 5040};

// c_n by its series: 1/n! (1 - z/((n+1)(n+2)) (1 - z/((n+3)(n+4)) (...))), for n = 6 and 7.
enum { SERIES_TERMS = 12 };
static const double series_factor[2][SERIES_TERMS] = {
    {1. / (7 * 8), 1. / (9 * 10), 1. / (11 * 12), 1. / (13 * 14), 1. / (15 * 16), 1. / (17 * 18), 1. / (19 * 20),
     1. / (21 * 22), 1. / (23 * 24), 1. / (25 * 26), 1. / (27 * 28), 1. / (29 * 30)},
    {1. / (8 * 9), 1. / (10 * 11), 1. / (12 * 13), 1. / (14 * 15), 1. / (16 * 17), 1. / (18 * 19), 1. / (20 * 21),
     1. / (22 * 23), 1. / (24 * 25), 1. / (26 * 27), 1. / (28 * 29), 1. / (30 * 31)}};

// Both at once: each waits for its own sum only.
static void series(double z, int terms, double *c6, double *c7)
{
    double six = 1, seven = 1;
    for (int j = terms - 1; j >= 0; j--) {
        six = 1 - z * series_factor[0][j] * six;
        seven = 1 - z * series_factor[1][j] * seven;
    }
    *c6 = inverse_factorial[6] * six;
    *c7 = inverse_factorial[7] * seven;
}

void plait_helix_functions(double z, double c[PLAIT_HELIX_TERMS])
{
    if (z < SERIES_LIMIT) {
        int terms = z < 1e-3 ? 4 : z < 0.1 ? 6 : SERIES_TERMS; // the first term left out is below 1e-18 of the sum
        series(z, terms, &c[6], &c[7]);
        for (int n = 5; n >= 0; n--)
            c[n] = inverse_factorial[n] - z * c[n + 2];
        return;
    }
    double a = sqrt(z);
    c[0] = plait_cos(a);
    c[1] = plait_sin(a) / a;
    for (int n = 0; n + 2 < PLAIT_HELIX_TERMS; n++)
        c[n + 2] = (inverse_factorial[n] - c[n]) / z;
}

plait_helix plait_helix_at(const double k[3], double u)
{
    plait_helix h = {.u = u, .theta = {u * k[0], u * k[1], u * k[2]}};
    plait_helix_functions(plait_vec3_dot(h.theta, h.theta), h.c);
    return h;
}

// c_n 1 + c_{n+1} [theta]x + c_{n+2} theta theta^T
static void rotation_like(const plait_helix *h, int n, double *A)
{
    plait_mat3_zero(A);
    A[0] = A[4] = A[8] = h->c[n];
    plait_mat3_add_cross(A, h->c[n + 1], h->theta);
    plait_mat3_add_outer(A, h->c[n + 2], h->theta, h->theta);
}

void plait_helix_place(const plait_helix *h, double x[3], double E[9])
{
    const double *c = h->c, *t = h->theta;
    if (x) {
        double s = c[3] * t[2];
        x[0] = h->u * (c[2] * t[1] + s * t[0]);
        x[1] = h->u * (-c[2] * t[0] + s * t[1]);
        x[2] = h->u * (c[1] + s * t[2]);
    }
    if (E)
        rotation_like(h, 0, E);
}

void plait_helix_jacobian(const plait_helix *h, double dx_dk[9], double phi_dk[9])
{
    const double *c = h->c, *t = h->theta;
    if (phi_dk) {
        rotation_like(h, 1, phi_dk);
        for (int i = 0; i < 9; i++)
            phi_dk[i] *= h->u;
    }
    if (!dx_dk)
        return;
    // D = a theta^T + c2 d(theta x e3) + c3 (theta_3 1 + theta e3^T)
    double a[3];
    double d1 = c[3] - c[2], d2 = 2 * c[4] - c[3], d3 = (3 * c[5] - c[4]) * t[2];
    plait_vec3_set(a, d2 * t[1] + d3 * t[0], -d2 * t[0] + d3 * t[1], d1 + d3 * t[2]);
    double u2 = h->u * h->u;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++)
            dx_dk[3 * i + j] = u2 * a[i] * t[j];
        dx_dk[3 * i + i] += u2 * c[3] * t[2];
        dx_dk[3 * i + 2] += u2 * c[3] * t[i];
    }
    dx_dk[1] += u2 * c[2];
    dx_dk[3] -= u2 * c[2];
}

// Second derivatives by theta of g = c_n tr A + c_{n+1} theta . axial(A) + c_{n+2} theta^T A theta.
static void form_hessian(const plait_helix *h, int n, const double A[9], double scale, double H[9])
{
    const double *c = h->c, *t = h->theta;
    // d[i] = 2 dc_{n+i}/dz and e[i] = 2 dd_i/dz
    double d[5], e[3];
    for (int i = 0; i < 5; i++) {
        int m = n + i;
        d[i] = m * c[m + 2] - c[m + 1];
    }
    for (int i = 0; i < 3; i++)
        e[i] = (n + i) * d[i + 2] - d[i + 1];
    double a[3], S[9], St[3], tr = plait_mat3_trace(A);
    plait_mat3_axial(A, a);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            S[3 * i + j] = 0.5 * (A[3 * i + j] + A[3 * j + i]);
    plait_mat3_apply(S, t, St);
    double ta = plait_vec3_dot(t, a), tSt = plait_vec3_dot(t, St);
    double one = tr * d[0] + ta * d[1] + tSt * d[2], two = tr * e[0] + ta * e[1] + tSt * e[2];
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++)
            H[3 * i + j] += scale * (two * t[i] * t[j] + d[1] * (t[i] * a[j] + a[i] * t[j]) +
                                     2 * d[2] * (t[i] * St[j] + St[i] * t[j]) + 2 * c[n + 2] * S[3 * i + j]);
        H[3 * i + i] += scale * one;
    }
}

void plait_helix_hessian_frame(const plait_helix *h, const double A[9], double H[9])
{
    form_hessian(h, 0, A, h->u * h->u, H);
}

void plait_helix_hessian_point(const plait_helix *h, const double f[3], double H[9])
{
    double A[9] = {0, 0, f[0], 0, 0, f[1], 0, 0, f[2]};
    form_hessian(h, 1, A, h->u * h->u * h->u, H);
}
