// tetrahedra.c: solids as linear tetrahedra.
//
// With B the inverse of the natural edges and F = [x1 - x0, x2 - x0, x3 - x0] B. Both models depend on the singular
// values s of F = U diag(s) V^T alone, where U and V are rotations: an inverted tetrahedron has a negative s3, and
// nothing special happens there. With nu, E -> mu = E/(2 (1 + nu)), lambda = E nu/((1 + nu)(1 - 2 nu)):
//
//     corotational   psi = mu sum (s_i - 1)^2 + lambda/2 (sum s_i - 3)^2       (Mueller and Gross 2004)
//     neo-Hookean    psi = m/2 (|s|^2 - 3) + l/2 (J - a)^2 - m/2 log(|s|^2 + 1)   (Smith et al. 2018)
//                    J = s1 s2 s3, m = 4/3 mu, l = lambda + 5/6 mu, a = 1 + 3/4 m/l: at rest, and with E and nu, in the
//                    small
//
// In the frames U, V the second derivative of psi falls apart: a 3x3 matrix psi_ij for the diagonal of dF, and for each
// pair (i, j) two numbers, for turning and for shearing: (psi_i + psi_j)/(s_i + s_j) and (psi_i - psi_j)/(s_i - s_j).
// Negative ones are left out unless all are wanted.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/elementary.h"
#include "body/soft.h"
#include "body/svd3.h"
#include "math/mat3.h"
#include "math/vec3.h"

typedef struct tetrahedron {
    double B[9], volume; // [1/m], [m^3]
} tetrahedron;

// F of an element when it was last looked at, and its frames: energy, gradient and matrix are asked for one after the
// other at the same places.
typedef struct frames {
    double F[9], U[9], s[3], V[9];
} frames;

typedef struct tetrahedra {
    bool neo_hookean;
    double mu, lambda; // of the model
    double rest;       // a
    double linear_mu, linear_lambda, damping;
    frames *kept; // [count] behind the elements
    tetrahedron of[];
} tetrahedra;

// Derivatives of psi in the frame of singular values.
typedef struct modes {
    double psi, first[3], second[9]; // psi_ij
    double turn[3], shear[3];        // of the pair that does not contain i
} modes;

// ---- the models -----------------------------------------------------------------------------------------------------

static void corotational(const tetrahedra *m, const double s[3], modes *o)
{
    double trace = s[0] + s[1] + s[2] - 3, mu = m->mu, lambda = m->lambda;
    o->psi = 0.5 * lambda * trace * trace;
    for (int i = 0; i < 3; i++) {
        double more = s[i] - 1, sum = s[(i + 1) % 3] + s[(i + 2) % 3];
        o->psi += mu * more * more;
        o->first[i] = 2 * mu * more + lambda * trace;
        for (int j = 0; j < 3; j++)
            o->second[3 * i + j] = lambda + (i == j ? 2 * mu : 0);
        o->shear[i] = 2 * mu;
        // Two that vanish together: the rotation is not known there, and this number has no bound.
        o->turn[i] = 2 * mu + 2 * (lambda * trace - 2 * mu) / fmax(sum, 1e-3);
    }
}

// z - log(1 + z)
static double less_log(double z)
{
    if (fabs(z) > 0.02)
        return z - plait_log(1 + z);
    double sum = 0;
    for (int k = 10; k >= 2; k--)
        sum = (k % 2 ? -1.0 : 1.0) / k + z * sum;
    return z * z * sum;
}

static void neo_hookean(const tetrahedra *m, const double s[3], modes *o)
{
    double square = s[0] * s[0] + s[1] * s[1] + s[2] * s[2], J = s[0] * s[1] * s[2], more = J - m->rest;
    double mu = m->mu, lambda = m->lambda, soft = mu * (1 - 1 / (square + 1));
    // From d = s - 1, so that nothing cancels at small strains; 0 at rest.
    double d[3] = {s[0] - 1, s[1] - 1, s[2] - 1}, pairs = d[0] * d[1] + d[1] * d[2] + d[2] * d[0];
    double squares = plait_vec3_dot(d, d), triple = d[0] * d[1] * d[2], grown = d[0] + d[1] + d[2] + pairs + triple;
    o->psi = 0.375 * mu * (squares - 2 * pairs - 2 * triple) + 0.5 * lambda * grown * grown +
             0.5 * mu * less_log(0.25 * (2 * (d[0] + d[1] + d[2]) + squares));
    for (int i = 0; i < 3; i++) {
        int a = (i + 1) % 3, b = (i + 2) % 3;
        double rate = s[a] * s[b]; // dJ/ds_i
        o->first[i] = soft * s[i] + lambda * more * rate;
        for (int j = 0; j < 3; j++) {
            double other = s[(a == j) ? b : a]; // d2J/ds_i ds_j for i != j
            double rate_j = s[(j + 1) % 3] * s[(j + 2) % 3];
            o->second[3 * i + j] = 2 * mu * s[i] * s[j] / ((square + 1) * (square + 1)) + lambda * rate * rate_j +
                                   (i == j ? soft : lambda * more * other);
        }
        o->turn[i] = soft + lambda * more * s[i];
        o->shear[i] = soft - lambda * more * s[i];
    }
}

// ---- the element ----------------------------------------------------------------------------------------------------

// F, and the gradients w of the four shape functions.
static void deform(const tetrahedron *t, const double *x, double w[4][3], double F[9])
{
    for (int c = 0; c < 3; c++) {
        for (int a = 0; a < 3; a++)
            w[a + 1][c] = t->B[3 * a + c];
        w[0][c] = -t->B[c] - t->B[3 + c] - t->B[6 + c];
    }
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++)
            F[3 * r + c] = x[r] * w[0][c] + x[3 + r] * w[1][c] + x[6 + r] * w[2][c] + x[9 + r] * w[3][c];
}

// A <- its nearest positive semidefinite matrix.
static void clamp3(double A[9])
{
    double value[3], V[9], two = A[0] * A[4] - A[1] * A[1];
    double three = A[8] * two - A[0] * A[5] * A[5] + 2 * A[1] * A[2] * A[5] - A[4] * A[2] * A[2];
    if (A[0] > 0 && two > 0 && three > 0) // mostly it is one
        return;
    plait_eigen3(A, value, V);
    if (value[0] >= 0 && value[1] >= 0 && value[2] >= 0)
        return;
    for (int i = 0; i < 9; i++)
        A[i] = 0;
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < 3 && value[k] > 0; i++)
            for (int j = 0; j < 3; j++)
                A[3 * i + j] += value[k] * V[3 * i + k] * V[3 * j + k];
}

// H in the frames of U and V, then turned into the world. g: gradients of the shape functions along V.
static void matrix(const modes *o, bool exact, const double U[9], double g[4][3], double volume, double (*H)[9])
{
    double A[9], same[3][3], cross[3][3]; // dF_ij with itself, and with dF_ji
    for (int i = 0; i < 9; i++)
        A[i] = o->second[i];
    if (!exact)
        clamp3(A);
    for (int k = 0; k < 3; k++) {
        int i = (k + 1) % 3, j = (k + 2) % 3;
        double turn = exact ? o->turn[k] : fmax(o->turn[k], 0), shear = exact ? o->shear[k] : fmax(o->shear[k], 0);
        same[i][j] = same[j][i] = 0.5 * (shear + turn), cross[i][j] = cross[j][i] = 0.5 * (shear - turn);
    }
    for (int a = 0; a < 4; a++)
        for (int b = 0; b <= a; b++) {
            double K[9], T[9];
            for (int i = 0; i < 3; i++)
                for (int j = 0; j < 3; j++) {
                    K[3 * i + j] = A[3 * i + j] * g[a][i] * g[b][j];
                    for (int k = 0; i == j && k < 3; k++)
                        K[3 * i + j] += k == i ? 0 : same[i][k] * g[a][k] * g[b][k];
                    K[3 * i + j] += i == j ? 0 : cross[i][j] * g[a][j] * g[b][i];
                    K[3 * i + j] *= volume;
                }
            plait_mat3_multiply(U, K, T);
            plait_mat3_multiply_transposed(T, U, H[plait_element_pair(a, b)]);
        }
}

// The same numbers, whether they were kept or not.
static const frames *frames_of(const tetrahedra *m, int e, const double F[9])
{
    frames *f = &m->kept[e];
    if (memcmp(f->F, F, sizeof f->F) != 0) {
        memcpy(f->F, F, sizeof f->F);
        plait_svd3(F, f->U, f->s, f->V);
    }
    return f;
}

static double energy(const void *data, int e, const double *x, double *g, double (*H)[9], bool exact)
{
    const tetrahedra *m = data;
    const tetrahedron *t = &m->of[e];
    double w[4][3], F[9], along[4][3];
    modes o;
    deform(t, x, w, F);
    const frames *f = frames_of(m, e, F);
    m->neo_hookean ? neo_hookean(m, f->s, &o) : corotational(m, f->s, &o);
    for (int a = 0; a < 4; a++) {
        double force[3];
        plait_mat3_apply_transposed(f->V, w[a], along[a]);
        for (int k = 0; k < 3; k++)
            force[k] = t->volume * o.first[k] * along[a][k];
        plait_mat3_apply(f->U, force, g + 3 * a);
    }
    if (H)
        matrix(&o, exact, f->U, along, t->volume, H);
    return t->volume * o.psi;
}

// The linear material on rates of Green's strain, dE = sym(F^T dF).
static void viscosity(const void *data, int e, const double *x, double (*H)[9])
{
    const tetrahedra *m = data;
    const tetrahedron *t = &m->of[e];
    double w[4][3], F[9], factor = t->volume * m->damping, left[9], C[4][3];
    deform(t, x, w, F);
    plait_mat3_multiply_transposed(F, F, left);
    for (int a = 0; a < 4; a++)
        plait_mat3_apply(F, w[a], C[a]);
    for (int a = 0; a < 4; a++)
        for (int b = 0; b <= a; b++) {
            double dot = plait_vec3_dot(w[a], w[b]), *h = H[plait_element_pair(a, b)];
            for (int r = 0; r < 3; r++)
                for (int c = 0; c < 3; c++)
                    h[3 * r + c] = factor * (m->linear_lambda * C[a][r] * C[b][c] +
                                             m->linear_mu * (dot * left[3 * r + c] + C[b][r] * C[a][c]));
        }
}

static int strain(const void *data, int e, const double *x, double out[6])
{
    const tetrahedra *m = data;
    double w[4][3], F[9], E[9];
    deform(&m->of[e], x, w, F);
    plait_mat3_transposed_multiply(F, F, E);
    for (int k = 0; k < 3; k++)
        out[k] = 0.5 * (E[4 * k] - 1);
    out[3] = 0.5 * E[1], out[4] = 0.5 * E[2], out[5] = 0.5 * E[5];
    return 6;
}

static const plait_element_type type = {"tetrahedra", 4, energy, viscosity, strain, true};

static tetrahedron natural(const double *point, const int *node)
{
    double D[9], n[3][3];
    tetrahedron t;
    for (int k = 0; k < 3; k++)
        plait_vec3_sub(point + 3 * (size_t)node[k + 1], point + 3 * (size_t)node[0], D + 3 * k);
    for (int k = 0; k < 3; k++)
        plait_vec3_cross(D + 3 * ((k + 1) % 3), D + 3 * ((k + 2) % 3), n[k]);
    double det = plait_vec3_dot(D, n[0]);
    for (int k = 0; k < 9; k++)
        t.B[k] = n[k / 3][k % 3] / det; // row a: gradient of the shape function of node a + 1
    t.volume = det / 6;
    return t;
}

bool plait_tetrahedra_make(const plait_soft *solid, plait_elements *set)
{
    size_t count = (size_t)solid->tetrahedra, elements = sizeof(tetrahedra) + count * sizeof(tetrahedron);
    if (!plait_elements_alloc(set, &type, solid->tetrahedra, elements + count * sizeof(frames)))
        return false;
    tetrahedra *m = set->data;
    m->kept = (frames *)((char *)set->data + elements);
    for (size_t i = 0; i < count; i++)
        m->kept[i].F[0] = NAN; // like no F that is asked for
    double E = solid->young, nu = solid->poisson, mu = E / (2 * (1 + nu)), lambda = E * nu / ((1 + nu) * (1 - 2 * nu));
    m->neo_hookean = solid->model == PLAIT_SOFT_NEO_HOOKEAN;
    m->linear_mu = mu, m->linear_lambda = lambda, m->damping = solid->damping;
    m->mu = m->neo_hookean ? 4 * mu / 3 : mu, m->lambda = m->neo_hookean ? lambda + 5 * mu / 6 : lambda;
    m->rest = 1 + 0.75 * m->mu / m->lambda;
    for (size_t i = 0; i < 4 * count; i++)
        set->node[i] = solid->tetrahedron[i];
    for (size_t i = 0; i < count; i++)
        m->of[i] = natural(solid->point, solid->tetrahedron + 4 * i);
    return true;
}
