// membrane.c: cloth as a continuum: triangles of constant strain, St. Venant-Kirchhoff.
//
// With B the inverse of the natural edges (2x2, in the plane of the triangle) and F = [x1 - x0, x2 - x0] B (3x2):
//
//     E = (F^T F - 1)/2,   S = C E,   energy A/2 E : S,   gradient A F S : dF,   second derivative A (dE : C dE + S :
//                                                                                ddE)
//
// in plane stress: C = Y/(1 - nu^2) [1 nu 0; nu 1 0; 0 0 (1 - nu) ...], or with a shear stiffness of its own. The
// second term is taken with the positive part of S: pushed cloth would give way sideways.
#include <math.h>
#include <stdlib.h>

#include "body/soft.h"
#include "math/mat3.h"
#include "math/vec3.h"

typedef struct triangle {
    double B[4], area; // [1/m], [m^2]
} triangle;

typedef struct membrane {
    double c11, c12, c33, damping; // [N/m], [s]
    triangle of[];
} membrane;

// F and the weights of the three nodes: F = sum x_a w_a^T.
static void deform(const triangle *t, const double *x, double w[3][2], double F[6])
{
    const double *B = t->B;
    w[1][0] = B[0], w[1][1] = B[1], w[2][0] = B[2], w[2][1] = B[3];
    w[0][0] = -B[0] - B[2], w[0][1] = -B[1] - B[3];
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 2; c++)
            F[2 * r + c] = x[r] * w[0][c] + x[3 + r] * w[1][c] + x[6 + r] * w[2][c];
}

// Components 11, 22, and twice 12.
static void green(const double F[6], double E[3])
{
    E[0] = 0.5 * (F[0] * F[0] + F[2] * F[2] + F[4] * F[4] - 1);
    E[1] = 0.5 * (F[1] * F[1] + F[3] * F[3] + F[5] * F[5] - 1);
    E[2] = F[0] * F[1] + F[2] * F[3] + F[4] * F[5];
}

// dE / d(node a, direction r): three components.
static void strain_rate(const double F[6], const double w[2], int r, double out[3])
{
    out[0] = F[2 * r] * w[0], out[1] = F[2 * r + 1] * w[1], out[2] = F[2 * r] * w[1] + F[2 * r + 1] * w[0];
}

static void stress(const membrane *m, const double E[3], double S[3])
{
    S[0] = m->c11 * E[0] + m->c12 * E[1], S[1] = m->c12 * E[0] + m->c11 * E[1], S[2] = m->c33 * E[2];
}

// H <- factor dE : C dE.
static void material(const membrane *m, const double F[6], double w[3][2], double factor, double (*H)[9])
{
    double rate[3][3][3], CE[3][3][3];
    for (int a = 0; a < 3; a++)
        for (int r = 0; r < 3; r++)
            strain_rate(F, w[a], r, rate[a][r]), stress(m, rate[a][r], CE[a][r]);
    for (int a = 0; a < 3; a++)
        for (int b = 0; b <= a; b++)
            for (int r = 0; r < 3; r++)
                for (int c = 0; c < 3; c++)
                    H[plait_element_pair(a, b)][3 * r + c] = factor * plait_vec3_dot(rate[a][r], CE[b][c]);
}

// The positive part of the symmetric matrix [S0 S2; S2 S1].
static void positive(const double S[3], double P[3])
{
    double mean = 0.5 * (S[0] + S[1]), half = 0.5 * (S[0] - S[1]), r = hypot(half, S[2]);
    double high = fmax(mean + r, 0), low = fmax(mean - r, 0);
    if (mean - r >= 0 || r == 0) {
        for (int k = 0; k < 3; k++)
            P[k] = mean - r >= 0 ? S[k] : 0;
        return;
    }
    double c = half / r, s = S[2] / r; // cosine and sine of twice the angle
    P[0] = 0.5 * (high + low) + 0.5 * (high - low) * c, P[1] = 0.5 * (high + low) - 0.5 * (high - low) * c;
    P[2] = 0.5 * (high - low) * s;
}

static double energy(const void *data, int e, const double *x, double *g, double (*H)[9], bool exact)
{
    const membrane *m = data;
    const triangle *t = &m->of[e];
    double w[3][2], F[6], E[3], S[3], P[3];
    deform(t, x, w, F);
    green(F, E);
    stress(m, E, S);
    for (int a = 0; a < 3; a++)
        for (int r = 0; r < 3; r++) {
            double rate[3];
            strain_rate(F, w[a], r, rate);
            g[3 * a + r] = t->area * plait_vec3_dot(rate, S);
        }
    if (H) {
        material(m, F, w, t->area, H);
        exact ? plait_vec3_copy(S, P) : positive(S, P);
        for (int a = 0; a < 3; a++)
            for (int b = 0; b <= a; b++) {
                double k = t->area * (P[0] * w[a][0] * w[b][0] + P[1] * w[a][1] * w[b][1] +
                                      P[2] * (w[a][0] * w[b][1] + w[a][1] * w[b][0]));
                for (int r = 0; r < 3; r++)
                    H[plait_element_pair(a, b)][4 * r] += k;
            }
    }
    return 0.5 * t->area * plait_vec3_dot(E, S);
}

static void viscosity(const void *data, int e, const double *x, double (*H)[9])
{
    const membrane *m = data;
    double w[3][2], F[6];
    deform(&m->of[e], x, w, F);
    material(m, F, w, m->of[e].area * m->damping, H);
}

static int strain(const void *data, int e, const double *x, double out[6])
{
    const membrane *m = data;
    double w[3][2], F[6];
    deform(&m->of[e], x, w, F);
    green(F, out);
    return 3;
}

static const plait_element_type membranes = {"membrane", 3, energy, viscosity, strain, false};

// The inverse of the natural edges, in the plane with the first edge along its first axis.
static triangle natural(const double *point, const int *node)
{
    double u[3], v[3], n[3];
    plait_vec3_sub(point + 3 * (size_t)node[1], point + 3 * (size_t)node[0], u);
    plait_vec3_sub(point + 3 * (size_t)node[2], point + 3 * (size_t)node[0], v);
    plait_vec3_cross(u, v, n);
    double length = plait_vec3_normalise(u), along = plait_vec3_dot(u, v), height = plait_vec3_norm(n) / length;
    // D = [length along; 0 height], row-major; B = D^-1
    return (triangle){{1 / length, -along / (length * height), 0, 1 / height}, 0.5 * length * height};
}

bool plait_membrane_make(const plait_soft *cloth, plait_elements *set)
{
    size_t count = (size_t)cloth->triangles, size = sizeof(membrane) + count * sizeof(triangle);
    if (!plait_elements_alloc(set, &membranes, cloth->triangles, size))
        return false;
    membrane *m = set->data;
    double nu = cloth->poisson, c = cloth->stretch / (1 - nu * nu);
    m->c11 = c, m->c12 = nu * c, m->c33 = cloth->shear > 0 ? cloth->shear : cloth->stretch / (2 * (1 + nu));
    m->damping = cloth->damping;
    for (size_t i = 0; i < 3 * count; i++)
        set->node[i] = cloth->triangle[i];
    for (size_t i = 0; i < count; i++)
        m->of[i] = natural(cloth->point, cloth->triangle + 3 * i);
    return true;
}
