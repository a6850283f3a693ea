// hinges.c: bending of cloth: the curvature of every triangle from the angles at its three edges.
//
//            x2                 angle theta between the normals of two triangles that share an edge of length l,
//            positive if
//           /  \  n1            they fold up; natural angle theta0
//         x0 -- x1
//           \  /  n2            curvature of a triangle  S = sum (theta - theta0) l/(2 A) n n^T  over its edges, n
//           normal to the
//            x3                 edge in its plane; energy 1/2 B A S : S
//
// with natural lengths, areas and normals. In a grid S is the curvature of the surface through its nodes, whichever way
// quads are cut all alike, and a strip has the bending stiffness B per width. (One spring for each hinge alone is too
// soft by a fifth: the strip finds a way to bend across.) At a clamp, where the other triangle is held as a whole, an
// angle belongs to half the distance and counts twice; borders have no angle. Angles come from an arctangent of both
// normals, smooth up to a whole turn.
#include <math.h>
#include <stdlib.h>

#include "base/elementary.h"
#include "body/soft.h"
#include "body/soft_edges.h"
#include "math/mat3.h"
#include "math/vec3.h"

// The nodes of a triangle, then those across its edges; a border has the edge's first node again.
enum { NODES = 6 };

typedef struct fold {
    double natural[3];   // [rad]
    double stiffness[6]; // [N m] of pairs of angles, as pairs of nodes
    bool there[3];
} fold;

typedef struct folds {
    double damping;
    fold of[];
} folds;

// The angle, and its gradient d[4][3] (NULL: not wanted). False: a triangle has no area, there is no angle.
static bool angle_of(const double *x, double *theta, double (*d)[3])
{
    double e[3], a[3], b[3], c[3], f[3], n1[3], n2[3], cross[3];
    plait_vec3_sub(x + 3, x, e);
    plait_vec3_sub(x + 6, x, a), plait_vec3_sub(x + 9, x, b);
    plait_vec3_cross(e, a, n1), plait_vec3_cross(b, e, n2);
    double l = plait_vec3_norm(e), q1 = plait_vec3_dot(n1, n1), q2 = plait_vec3_dot(n2, n2);
    if (!(l > 0 && q1 > 0 && q2 > 0))
        return false;
    plait_vec3_cross(n1, n2, cross);
    *theta = plait_atan2(plait_vec3_dot(cross, e) / l, plait_vec3_dot(n1, n2));
    if (!d)
        return true;
    plait_vec3_sub(x + 6, x + 3, c), plait_vec3_sub(x + 9, x + 3, f);
    double ca = plait_vec3_dot(a, e), cc = plait_vec3_dot(c, e), cb = plait_vec3_dot(b, e), cf = plait_vec3_dot(f, e);
    for (int k = 0; k < 3; k++) {
        d[2][k] = -l * n1[k] / q1, d[3][k] = -l * n2[k] / q2;
        d[0][k] = -(cc * n1[k] / q1 + cf * n2[k] / q2) / l;
        d[1][k] = (ca * n1[k] / q1 + cb * n2[k] / q2) / l;
    }
    return true;
}

static double difference(double theta, double natural)
{
    double d = theta - natural;
    return d > M_PI ? d - 2 * M_PI : d < -M_PI ? d + 2 * M_PI : d;
}

// Angles less natural ones, and their gradients d[angle][node].
static void angles(const fold *f, const double *x, double more[3], double (*d)[NODES][3])
{
    for (int i = 0; i < 3; i++) {
        const int node[4] = {i, (i + 1) % 3, (i + 2) % 3, 3 + i};
        double own[12], theta = f->natural[i], slope[4][3] = {{0}};
        for (int a = 0; a < 4; a++)
            plait_vec3_copy(x + 3 * node[a], own + 3 * a);
        if (f->there[i])
            angle_of(own, &theta, slope);
        more[i] = difference(theta, f->natural[i]);
        for (int a = 0; a < NODES; a++)
            plait_vec3_set(d[i][a], 0, 0, 0);
        for (int a = 0; a < 4; a++)
            plait_vec3_copy(slope[a], d[i][node[a]]);
    }
}

// H <- factor sum G_ij d_i d_j^T.
static void outer(const fold *f, double factor, double (*d)[NODES][3], double (*H)[9])
{
    double G[3][3];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j <= i; j++)
            G[i][j] = G[j][i] = factor * f->stiffness[plait_element_pair(i, j)];
    for (int b = 0; b < NODES; b++) {
        double Gd[3][3];
        for (int i = 0; i < 3; i++)
            for (int k = 0; k < 3; k++)
                Gd[i][k] = G[i][0] * d[0][b][k] + G[i][1] * d[1][b][k] + G[i][2] * d[2][b][k];
        for (int a = b; a < NODES; a++)
            for (int r = 0; r < 3; r++)
                for (int c = 0; c < 3; c++)
                    H[plait_element_pair(a, b)][3 * r + c] =
                        d[0][a][r] * Gd[0][c] + d[1][a][r] * Gd[1][c] + d[2][a][r] * Gd[2][c];
    }
}

static double energy(const void *data, int e, const double *x, double *g, double (*H)[9], bool exact)
{
    const fold *f = &((const folds *)data)->of[e];
    double more[3], d[3][NODES][3], sum = 0;
    (void)exact; // the second derivative of angles can have any sign, and is left out
    angles(f, x, more, d);
    for (int k = 0; k < 3 * NODES; k++)
        g[k] = 0;
    for (int i = 0; i < 3; i++) {
        double couple = 0;
        for (int j = 0; j < 3; j++)
            couple += f->stiffness[i >= j ? plait_element_pair(i, j) : plait_element_pair(j, i)] * more[j];
        sum += 0.5 * couple * more[i];
        for (int a = 0; a < NODES; a++)
            plait_vec3_axpy(couple, d[i][a], g + 3 * a);
    }
    if (H)
        outer(f, 1, d, H);
    return sum;
}

static void viscosity(const void *data, int e, const double *x, double (*H)[9])
{
    const folds *all = data;
    double more[3], d[3][NODES][3];
    angles(&all->of[e], x, more, d);
    outer(&all->of[e], all->damping, d, H);
}

static const plait_element_type type = {"hinges", NODES, energy, viscosity, NULL, false};

// ---- natural shape --------------------------------------------------------------------------------------------------

static bool clamped(const plait_soft *c, const int *node)
{
    bool held = c->hold != NULL;
    for (int k = 0; k < 3 && held; k++)
        held = c->hold[node[k]] != PLAIT_HOLD_FREE;
    return held;
}

// node[6]; beyond[i]: the triangle across edge i is held as a whole.
static fold natural(const plait_soft *c, const int *node, const bool *there, const bool *beyond)
{
    fold f = {.natural = {0}};
    double x[3 * NODES], edge[3][3], across[3];
    for (int a = 0; a < NODES; a++)
        plait_vec3_copy(c->point + 3 * (size_t)node[a], x + 3 * a);
    for (int i = 0; i < 3; i++)
        plait_vec3_sub(x + 3 * ((i + 1) % 3), x + 3 * i, edge[i]);
    plait_vec3_cross(edge[0], edge[1], across);
    double area = 0.5 * plait_vec3_norm(across);
    for (int i = 0; i < 3; i++) {
        double own[12];
        f.there[i] = there[i];
        for (int a = 0; a < 4; a++)
            plait_vec3_copy(x + 3 * (a < 3 ? (i + a) % 3 : 3 + i), own + 3 * a);
        if (there[i] && !c->flat)
            angle_of(own, &f.natural[i], NULL);
        // l_i l_j (n_i . n_j)^2/(4 A) with n_i . n_j = e_i . e_j/(l_i l_j); angles at clamps twice
        for (int j = 0; j <= i; j++) {
            double dot = plait_vec3_dot(edge[i], edge[j]), l = plait_vec3_norm(edge[i]) * plait_vec3_norm(edge[j]);
            f.stiffness[plait_element_pair(i, j)] =
                c->bend * dot * dot / (4 * area * l) * (beyond[i] ? 2 : 1) * (beyond[j] ? 2 : 1);
        }
    }
    return f;
}

// other[3 t + k]: the triangle across edge k of triangle t, from its corner k to the next; -1: none.
static bool find_others(const plait_soft *c, int *other, int *corner)
{
    int edges;
    plait_edge *edge = plait_edges_of(c->triangles, c->triangle, &edges);
    for (int i = 0; i < 3 * c->triangles; i++)
        other[i] = -1, corner[i] = c->triangle[i];
    for (int i = 0; edge && i < edges; i++)
        for (int s = 0; s < 2 && edge[i].triangle[1] >= 0; s++)
            for (int k = 0; k < 3; k++) {
                int at = 3 * edge[i].triangle[s] + k, third = c->triangle[at - k + (k + 2) % 3];
                if (third == edge[i].across[s])
                    other[at] = edge[i].triangle[1 - s], corner[at] = edge[i].across[1 - s];
            }
    free(edge);
    return edge != NULL;
}

bool plait_hinges_make(const plait_soft *c, plait_elements *set)
{
    size_t sides = 3 * (size_t)c->triangles;
    int *other = malloc((sides + 1) * sizeof *other), *corner = malloc((sides + 1) * sizeof *corner), count = 0;
    bool ok = other && corner && find_others(c, other, corner) &&
              plait_elements_alloc(set, &type, c->triangles, sizeof(folds) + (size_t)c->triangles * sizeof(fold));
    folds *f = ok ? set->data : NULL;
    if (ok)
        f->damping = c->bend_damping;
    for (int t = 0; ok && t < c->triangles; t++) {
        const int *triangle = c->triangle + 3 * (size_t)t;
        int *node = set->node + NODES * (size_t)count;
        bool there[3], beyond[3];
        if (clamped(c, triangle))
            continue;
        for (int k = 0; k < 3; k++) {
            int u = other[3 * t + k];
            there[k] = u >= 0, beyond[k] = u >= 0 && clamped(c, c->triangle + 3 * (size_t)u);
            node[k] = triangle[k], node[3 + k] = corner[3 * t + k];
        }
        f->of[count++] = natural(c, node, there, beyond);
    }
    if (ok)
        set->count = count;
    free(other), free(corner);
    return ok;
}
