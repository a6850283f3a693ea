// der_hessian.c: second derivatives, exact, and the banded matrix made of them.
//
// For each strain s with stress w and stiffness k a hinge adds k (grad s)(grad s)^T + w (grad grad s). In the variables
// (e, f, theta_e, theta_f) of a hinge, with u, S, t~ as in der_force.c, A = t_f x u, C = t_e x u, and for a = e, f
// y_a = 2 (w1 m2a - w2 m1a) - w5 (t_a + t~), n_a = 2 (w1 m1a + w2 m2a), the second part is
//
//     ee:  [2 S t~t~ - A t~ - t~ A - S/chi (1 - t_e t_e) + (kb y_e + y_e kb)/4] / |e|^2
//     ff:  [2 S t~t~ + C t~ + t~ C - S/chi (1 - t_f t_f) + (kb y_f + y_f kb)/4] / |f|^2
//     ef:  [2 S t~t~ - A t~ + t~ C - S/chi (1 + t_e t_f) - [u]x + w5 ([t_e]x / chi - kb t~ / 2)] / (|e| |f|)
//     e theta_a:  [(kb . n_a) t~ / 2 - t_f x n_a / chi] / |e|,  f theta_a:  [(kb . n_a) t~ / 2 + t_e x n_a / chi] / |f|
//     theta_a theta_a:  w2 kb . m1a - w1 kb . m2a
#include <string.h>

#include "body/der.h"
#include "math/vec3.h"

typedef struct hinge_terms {
    double g[PLAIT_DER_STRAINS][8]; // gradients of the strains by e, f, theta_e, theta_f
    double k[PLAIT_DER_STRAINS];    // stiffnesses
    double w[PLAIT_DER_STRAINS];    // stresses
    double S, t[3];                 // S and t~
} hinge_terms;

// H += k g g^T over the strains, blocks given by offsets.
static void add_outer(const hinge_terms *t, int row, int column, double *H)
{
    for (int s = 0; s < PLAIT_DER_STRAINS; s++) {
        for (int a = 0; a < 3; a++) {
            double f = t->k[s] * t->g[s][row + a];
            for (int b = 0; b < 3; b++)
                H[3 * a + b] += f * t->g[s][column + b];
        }
    }
}

static void add_spin(const hinge_terms *t, int angle, int column, double *H)
{
    for (int s = 0; s < PLAIT_DER_STRAINS; s++) {
        double f = t->k[s] * t->g[s][angle];
        for (int b = 0; b < 3; b++)
            H[b] += f * t->g[s][column + b];
    }
}

static double spin_spin(const hinge_terms *t, int a, int b)
{
    double sum = 0;
    for (int s = 0; s < PLAIT_DER_STRAINS; s++)
        sum += t->k[s] * t->g[s][a] * t->g[s][b];
    return sum;
}

// Gradients of the two curvatures that are measured in the frame of edge `side` (0: e, 1: f).
static void curvature_gradients(const plait_der_edge *e, const plait_der_edge *f, const plait_der_hinge *h,
                                const double t[3], int side, hinge_terms *terms)
{
    const plait_der_edge *own = side ? f : e;
    double le = 1 / e->length, lf = 1 / f->length, chi = 2 / h->chi, fm1[3], fm2[3], em1[3], em2[3];
    plait_vec3_cross(f->t, own->m1, fm1);
    plait_vec3_cross(f->t, own->m2, fm2);
    plait_vec3_cross(e->t, own->m1, em1);
    plait_vec3_cross(e->t, own->m2, em2);
    double k1 = h->strain[2 * side], k2 = h->strain[2 * side + 1], *g1 = terms->g[2 * side],
           *g2 = terms->g[2 * side + 1];
    for (int k = 0; k < 3; k++) {
        g1[k] = le * (chi * fm2[k] - k1 * t[k]);
        g1[3 + k] = -lf * (chi * em2[k] + k1 * t[k]);
        g2[k] = -le * (chi * fm1[k] + k2 * t[k]);
        g2[3 + k] = lf * (chi * em1[k] - k2 * t[k]);
    }
    g1[6 + side] = k2, g2[6 + side] = -k1; // -kb . m1, -kb . m2
    g1[7 - side] = g2[7 - side] = 0;
}

// Blocks of the angle of edge e (side 0) or f (side 1): with both edges and with itself.
static void angle_blocks(plait_der *d, const plait_der_pose *pose, const hinge_terms *terms, int i, int side)
{
    const plait_der_edge *e = &pose->edge[i], *f = &pose->edge[i + 1], *own = side ? f : e;
    const plait_der_hinge *h = &pose->hinge[i];
    const double *w = terms->w + 2 * side, *strain = h->strain + 2 * side;
    double le = 1 / e->length, lf = 1 / f->length, chi = 1 / h->chi, n[3], fn[3], en[3];
    for (int k = 0; k < 3; k++)
        n[k] = 2 * (w[0] * own->m1[k] + w[1] * own->m2[k]);
    plait_vec3_cross(f->t, n, fn);
    plait_vec3_cross(e->t, n, en);
    int angle = i - 1 + side;
    double *by_e = d->spin + 9 * angle + (side ? 0 : 3), *by_f = by_e + 3, turn = plait_vec3_dot(h->kb, n) / 2;
    for (int k = 0; k < 3; k++) {
        by_e[k] += le * (turn * terms->t[k] - chi * fn[k]);
        by_f[k] += lf * (turn * terms->t[k] + chi * en[k]);
    }
    add_spin(terms, 6 + side, 0, by_e);
    add_spin(terms, 6 + side, 3, by_f);
    d->spin_spin[2 * angle] += spin_spin(terms, 6 + side, 6 + side) - w[0] * strain[0] - w[1] * strain[1];
}

// Blocks of the edges e and f with themselves and with each other.
static void edge_blocks(plait_der *d, const plait_der_pose *pose, const hinge_terms *terms, int i)
{
    const plait_der_edge *e = &pose->edge[i], *f = &pose->edge[i + 1];
    const double *w = terms->w, *t = terms->t, *kb = pose->hinge[i].kb;
    double le = 1 / e->length, lf = 1 / f->length, chi = 1 / pose->hinge[i].chi, S = terms->S, Sx = S * chi;
    double u[3], z[3], A[3], C[3], ye[3], yf[3], le2 = le * le, lf2 = lf * lf, lef = le * lf;
    for (int k = 0; k < 3; k++) {
        double be = 2 * (w[0] * e->m2[k] - w[1] * e->m1[k]), bf = 2 * (w[2] * f->m2[k] - w[3] * f->m1[k]);
        u[k] = chi * (be + bf);
        ye[k] = be - w[4] * (e->t[k] + t[k]);
        yf[k] = bf - w[4] * (f->t[k] + t[k]);
        z[k] = lef * (w[4] * chi * e->t[k] - u[k]);
    }
    plait_vec3_cross(f->t, u, A);
    plait_vec3_cross(e->t, u, C);
    double *self_e = i > 0 ? d->self + 9 * (i - 1) : NULL, *self_f = d->self + 9 * i, *cross = d->cross + 9 * i;
    for (int a = 0; a < 3; a++) {
        for (int b = 0; b < 3; b++) {
            double tt = 2 * S * t[a] * t[b];
            if (i > 0)
                self_e[3 * a + b] += le2 * (tt - A[a] * t[b] - t[a] * A[b] + Sx * e->t[a] * e->t[b] +
                                            (kb[a] * ye[b] + ye[a] * kb[b]) / 4);
            if (i < d->n)
                self_f[3 * a + b] += lf2 * (tt + C[a] * t[b] + t[a] * C[b] + Sx * f->t[a] * f->t[b] +
                                            (kb[a] * yf[b] + yf[a] * kb[b]) / 4);
            cross[3 * a + b] =
                lef * (tt - A[a] * t[b] + t[a] * C[b] - Sx * e->t[a] * f->t[b] - w[4] * kb[a] * t[b] / 2);
        }
        if (i > 0)
            self_e[4 * a] -= le2 * Sx;
        if (i < d->n)
            self_f[4 * a] -= lf2 * Sx;
        cross[4 * a] -= lef * Sx;
    }
    // [z]x
    cross[1] -= z[2], cross[2] += z[1], cross[3] += z[2], cross[5] -= z[0], cross[6] -= z[1], cross[7] += z[0];
    add_outer(terms, 0, 3, cross);
    if (i > 0)
        add_outer(terms, 0, 0, self_e);
    if (i < d->n)
        add_outer(terms, 3, 3, self_f);
}

static void hinge(plait_der *d, double dt, bool convex, const plait_der_pose *pose, int i)
{
    const plait_der_edge *e = &pose->edge[i], *f = &pose->edge[i + 1];
    const plait_der_hinge *h = &pose->hinge[i];
    plait_der_stress s;
    hinge_terms terms;
    plait_der_law(d, dt, i, h->strain, &s);
    terms.S = 0;
    for (int k = 0; k < PLAIT_DER_STRAINS; k++) {
        terms.w[k] = convex ? 0 : s.w[k]; // without it a sum of squares is left
        terms.k[k] = s.k[k];
        terms.S += k < PLAIT_DER_TWIST ? terms.w[k] * h->strain[k] : 0;
    }
    for (int k = 0; k < 3; k++) {
        terms.t[k] = (e->t[k] + f->t[k]) / h->chi;
        terms.g[4][k] = h->kb[k] / (2 * e->length);
        terms.g[4][3 + k] = h->kb[k] / (2 * f->length);
    }
    terms.g[4][6] = -1, terms.g[4][7] = 1;
    curvature_gradients(e, f, h, terms.t, 0, &terms);
    curvature_gradients(e, f, h, terms.t, 1, &terms);
    edge_blocks(d, pose, &terms, i);
    if (i > 0)
        angle_blocks(d, pose, &terms, i, 0);
    if (i < d->n) {
        angle_blocks(d, pose, &terms, i, 1);
        d->spin_spin[2 * i + 1] += spin_spin(&terms, 6, 7);
    }
}

static void stretch(const plait_rod *rod, const plait_der_load *load, const plait_der_pose *pose)
{
    plait_der *d = rod->impl;
    for (int j = 0; j < d->n; j++) {
        double viscous = load->dt > 0 ? d->viscous_EA[j] / load->dt : 0, EA = d->EA[j];
        const plait_der_edge *edge = &pose->edge[j + 1];
        double *H = d->self + 9 * j;
        double stress = EA * (edge->length / d->rest[j] - 1) + viscous * (edge->length - d->old_length[j]) / d->rest[j];
        double across = stress / edge->length, along;
        across = load->convex ? fmax(across, 0) : across;
        along = (EA + viscous) / d->rest[j] - across;
        for (int a = 0; a < 3; a++) {
            for (int b = 0; b < 3; b++)
                H[3 * a + b] = along * edge->t[a] * edge->t[b];
            H[4 * a] += across;
        }
    }
}

static double entry(const double *block, int row, int column, bool there)
{
    return there ? block[3 * row + column] : 0;
}

// Column by column from the blocks by edges: x_i meets edges i-1 (+) and i (-).
void plait_der_assemble(const plait_rod *rod, const plait_der_load *load)
{
    const plait_der *d = rod->impl;
    double rate = load->dt > 0 ? 1 / load->dt : 0, inertia = rate * rate + rate * rod->section.drag;
    int n = d->n;
    for (int i = 0; i <= n; i++) {
        const double *before = i > 0 ? d->self + 9 * (i - 1) : NULL, *after = d->self + 9 * i;
        const double *C0 = d->cross + 9 * i, *C1 = C0 + 9; // edges i-1 with i; i with i+1
        bool has_before = i > 0, has_after = i < n, inner = has_before && has_after, next = i + 1 < n;
        double *column = d->band + (size_t)(4 * i) * PLAIT_BAND_STRIDE;
        for (int b = 0; b < 3; b++, column += PLAIT_BAND_STRIDE) {
            memset(column, 0, PLAIT_BAND_STRIDE * sizeof *column);
            for (int a = b; a < 3; a++)
                column[a - b] = entry(before, a, b, has_before) + entry(after, a, b, has_after) -
                                entry(C0, a, b, inner) - entry(C0, b, a, inner);
            column[0] += inertia * d->mass[4 * i + b];
            if (has_after) {
                // theta_i by x_i: edges i-1 (+), i (-)
                column[3 - b] = (has_before ? d->spin[9 * i + b] : 0) - d->spin[9 * i + 3 + b];
                for (int a = 0; a < 3; a++)
                    column[4 + a - b] = entry(C0, b, a, inner) - after[3 * a + b] + entry(C1, b, a, next);
            }
            if (next) {
                // theta_{i+1} by x_i: edge i (-); x_{i+2} by x_i
                column[7 - b] = -d->spin[9 * (i + 1) + b];
                for (int a = 0; a < 3; a++)
                    column[8 + a - b] = -C1[3 * b + a];
            }
        }
        if (!has_after)
            break;
        // theta_i: itself, x_{i+1} (edges i (+), i+1 (-)), theta_{i+1}, x_{i+2} (edge i+1 (+))
        memset(column, 0, PLAIT_BAND_STRIDE * sizeof *column);
        column[0] = d->spin_spin[2 * i] + inertia * d->mass[4 * i + 3];
        for (int a = 0; a < 3; a++) {
            column[1 + a] = d->spin[9 * i + 3 + a] - (next ? d->spin[9 * i + 6 + a] : 0);
            column[5 + a] = next ? d->spin[9 * i + 6 + a] : 0;
        }
        column[4] = next ? d->spin_spin[2 * (i + 1) + 1] : 0;
    }
    memset(d->band + (size_t)(4 * n + 3) * PLAIT_BAND_STRIDE, 0, PLAIT_BAND_PAD * PLAIT_BAND_STRIDE * sizeof *d->band);
}

void plait_der_hessian(const plait_rod *rod, const plait_der_load *load, const plait_der_pose *pose)
{
    plait_der *d = rod->impl;
    int n = d->n;
    if (load->stretch)
        stretch(rod, load, pose);
    else
        memset(d->self, 0, 9 * (size_t)n * sizeof *d->self);
    memset(d->spin, 0, 9 * (size_t)n * sizeof *d->spin);
    memset(d->spin_spin, 0, 2 * (size_t)n * sizeof *d->spin_spin);
    for (int i = d->clamped[0] ? 0 : 1; i <= (d->clamped[1] ? n : n - 1); i++)
        hinge(d, load->dt, load->convex > 1, pose, i);
}

void plait_der_constrain(plait_der *d, double shift, double *rhs)
{
    int dofs = 4 * d->n + 3;
    double *A = d->band;
    for (int c = 0; shift != 0 && c < dofs; c++)
        A[(size_t)c * PLAIT_BAND_STRIDE] += shift * d->weight[c];
    for (int c = 0; c < dofs; c++) {
        if (!d->fixed[c])
            continue;
        double given = d->target[c] - d->now.delta[c];
        double *column = A + (size_t)c * PLAIT_BAND_STRIDE;
        for (int k = 1; k <= PLAIT_BAND && c + k < dofs; k++) {
            if (rhs)
                rhs[c + k] -= column[k] * given;
            column[k] = 0;
        }
        for (int k = 1; k <= PLAIT_BAND && k <= c; k++) {
            double *above = A + (size_t)(c - k) * PLAIT_BAND_STRIDE + k;
            if (rhs)
                rhs[c - k] -= *above * given;
            *above = 0;
        }
        column[0] = 1;
        if (rhs)
            rhs[c] = given;
    }
    // A held dof may have corrected the right-hand side of another one before its turn came.
    for (int c = 0; rhs && c < dofs; c++)
        if (d->fixed[c])
            rhs[c] = d->target[c] - d->now.delta[c];
}
