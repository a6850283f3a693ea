// toy_skin.h: a body with a skin that the library has never heard of: nodes with equal masses, joined by springs of rest
// length zero between displacements (linear elasticity that does not know rotations), and triangles. Sheets and blocks.
//
//     energy = k/2 sum over edges |(x_i - X_i) - (x_j - X_j)|^2
#ifndef PLAIT_TEST_TOY_SKIN_H
#define PLAIT_TEST_TOY_SKIN_H

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "math/vec3.h"
#include "plait/plait.h"
#include "sim/sim.h"

typedef struct toy_skin {
    int nodes, edges, triangles;
    double *X;      // [3 nodes] rest
    int *edge;      // [2 edges]
    int *triangle;  // [3 triangles]
    bool *pinned;   // [nodes]
    double mass, k; // of a node [kg]; [N/m]
    double velocity[3];
    double radius;
    bool closed, self;
    plait_skin skin;
    double gravity[3], *state;
} toy_skin;

enum { TOY_MOST = 8 };
static toy_skin toy_list[TOY_MOST];
static int toy_count;

static void toy_edge(toy_skin *t, int a, int b)
{
    t->edge = realloc(t->edge, 2 * ((size_t)t->edges + 1) * sizeof *t->edge);
    t->edge[2 * t->edges] = a, t->edge[2 * t->edges++ + 1] = b;
}

static void toy_triangle(toy_skin *t, int a, int b, int c)
{
    t->triangle = realloc(t->triangle, 3 * ((size_t)t->triangles + 1) * sizeof *t->triangle);
    int *to = t->triangle + 3 * t->triangles++;
    to[0] = a, to[1] = b, to[2] = c;
}

static void toy_nodes(toy_skin *t, int nodes)
{
    t->nodes = nodes;
    t->X = calloc(3 * (size_t)nodes, sizeof *t->X), t->pinned = calloc((size_t)nodes, sizeof *t->pinned);
}

// n x n nodes in the plane z = 0 about the origin, moved to `at`.
static inline toy_skin *toy_sheet(int n, double width, const double at[3])
{
    toy_skin *t = &toy_list[toy_count++];
    *t = (toy_skin){.mass = 0.2 * width * width / (n * n), .k = 5, .radius = 5e-4, .self = true};
    toy_nodes(t, n * n);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            int k = i * n + j;
            plait_vec3_set(t->X + 3 * k, at[0] + width * (i / (n - 1.0) - 0.5), at[1] + width * (j / (n - 1.0) - 0.5),
                           at[2]);
            if (i + 1 < n)
                toy_edge(t, k, k + n);
            if (j + 1 < n)
                toy_edge(t, k, k + 1);
            if (i + 1 < n && j + 1 < n) {
                toy_edge(t, k, k + n + 1);
                toy_triangle(t, k, k + n, k + n + 1), toy_triangle(t, k, k + n + 1, k + 1);
            }
        }
    return t;
}

// A block of n^3 nodes; its skin looks outwards.
static inline toy_skin *toy_block(int n, double width, const double at[3])
{
    toy_skin *t = &toy_list[toy_count++];
    *t = (toy_skin){.mass = 1000 * width * width * width / (n * n * n), .k = 2000, .radius = 5e-4, .closed = true};
    toy_nodes(t, n * n * n);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < n; k++) {
                int a = (i * n + j) * n + k;
                plait_vec3_set(t->X + 3 * a, at[0] + width * (i / (n - 1.0) - 0.5),
                               at[1] + width * (j / (n - 1.0) - 0.5), at[2] + width * (k / (n - 1.0) - 0.5));
                for (int c = 1; c < 8; c++) {
                    int p = i + (c & 1), q = j + (c >> 1 & 1), r = k + (c >> 2);
                    if (p < n && q < n && r < n)
                        toy_edge(t, a, (p * n + q) * n + r);
                }
            }
    int step[3] = {n * n, n, 1};
    for (int axis = 0; axis < 3; axis++)
        for (int side = 0; side < 2; side++)
            for (int i = 0; i + 1 < n; i++)
                for (int j = 0; j + 1 < n; j++) {
                    int u = step[(axis + 1) % 3], v = step[(axis + 2) % 3];
                    int a = side * (n - 1) * step[axis] + i * u + j * v, b = a + u, c = a + u + v, d = a + v;
                    if (side) // u x v is along the axis
                        toy_triangle(t, a, b, c), toy_triangle(t, a, c, d);
                    else
                        toy_triangle(t, a, c, b), toy_triangle(t, a, d, c);
                }
    return t;
}

static inline void toy_clear(void)
{
    for (int i = 0; i < toy_count; i++)
        free(toy_list[i].X), free(toy_list[i].edge), free(toy_list[i].triangle), free(toy_list[i].pinned);
    toy_count = 0;
}

// ---- the row ---------------------------------------------------------------------------------------------------------

static void toy_release(plait_body *b)
{
    toy_skin *t = b->impl;
    if (t)
        free(t->state);
    free(t);
}

static void toy_load(plait_body *b, const plait_world *world)
{
    plait_vec3_copy(world->gravity, ((toy_skin *)b->impl)->gravity);
}

static void toy_places(const plait_body *b, double *x)
{
    memcpy(x, b->state, 3 * (size_t)b->nodes * sizeof *x);
}

static void toy_velocities(const plait_body *b, double *u)
{
    memcpy(u, b->state + 3 * (ptrdiff_t)b->nodes, 3 * (size_t)b->nodes * sizeof *u);
}

static void toy_trace(plait_body *b)
{
    toy_places(b, b->x0);
}

// M of all three directions of a band that is full: entry (row, column) of the lower triangle.
static void toy_add(plait_body *b, int row, int column, double value)
{
    int r = row > column ? row : column, c = row > column ? column : row;
    b->M[(size_t)(b->bandwidth + 1) * (size_t)c + (size_t)(r - c)] += value;
}

static bool toy_stiffen(plait_body *b, double dt)
{
    const toy_skin *t = b->impl;
    memset(b->M, 0, (size_t)b->dofs * ((size_t)b->bandwidth + 1) * sizeof *b->M);
    for (int d = 0; d < b->dofs; d++) {
        b->held[d] = t->pinned[d / 3];
        toy_add(b, d, d, b->held[d] ? 1 : t->mass);
    }
    for (int e = 0; e < t->edges; e++)
        for (int k = 0; k < 3; k++) {
            int i = 3 * t->edge[2 * e] + k, j = 3 * t->edge[2 * e + 1] + k;
            if (!b->held[i])
                toy_add(b, i, i, dt * dt * t->k);
            if (!b->held[j])
                toy_add(b, j, j, dt * dt * t->k);
            if (!b->held[i] && !b->held[j])
                toy_add(b, i, j, -dt * dt * t->k);
        }
    return true;
}

static const char *toy_predict(plait_body *b, double dt, double *v)
{
    const toy_skin *t = b->impl;
    const double *x = b->state, *before = b->state + b->dofs;
    toy_stiffen(b, dt);
    for (int d = 0; d < b->dofs; d++)
        b->f[d] = b->held[d] ? 0 : t->mass * (before[d] + dt * t->gravity[d % 3]);
    for (int e = 0; e < t->edges; e++)
        for (int k = 0; k < 3; k++) {
            int i = 3 * t->edge[2 * e] + k, j = 3 * t->edge[2 * e + 1] + k;
            double pull = dt * t->k * ((x[i] - t->X[i]) - (x[j] - t->X[j]));
            b->f[i] -= b->held[i] ? 0 : pull, b->f[j] += b->held[j] ? 0 : pull;
        }
    // Cholesky, of a copy.
    size_t n = (size_t)b->dofs;
    double *L = malloc(n * n * sizeof *L);
    if (!L)
        return "no memory";
    for (size_t c = 0; c < n; c++)
        for (size_t r = c; r < n; r++)
            L[r * n + c] = r - c <= (size_t)b->bandwidth ? b->M[((size_t)b->bandwidth + 1) * c + r - c] : 0;
    for (size_t r = 0; r < n; r++)
        for (size_t c = 0; c <= r; c++) {
            double sum = L[r * n + c];
            for (size_t k = 0; k < c; k++)
                sum -= L[r * n + k] * L[c * n + k];
            L[r * n + c] = c == r ? sqrt(sum) : sum / L[c * n + c];
        }
    for (size_t r = 0; r < n; r++) {
        v[r] = b->f[r];
        for (size_t k = 0; k < r; k++)
            v[r] -= L[r * n + k] * v[k];
        v[r] /= L[r * n + r];
    }
    for (size_t r = n; r-- > 0;) {
        for (size_t k = r + 1; k < n; k++)
            v[r] -= L[k * n + r] * v[k];
        v[r] /= L[r * n + r];
    }
    free(L);
    return NULL;
}

static int toy_limb(const plait_body *b, const plait_side *side, int *dof, double *J, double carried[3])
{
    (void)carried;
    int node[3], count = plait_side_weights(b->skin, side, node, J + 27); // weights are kept behind
    double weight[3] = {J[27], J[28], J[29]};
    for (int i = 0; i < count; i++) // ascending
        for (int j = i + 1; j < count; j++)
            if (node[j] < node[i]) {
                int n = node[i];
                double w = weight[i];
                node[i] = node[j], node[j] = n, weight[i] = weight[j], weight[j] = w;
            }
    memset(J, 0, 9 * (size_t)count * sizeof *J);
    for (int i = 0; i < count; i++)
        for (int k = 0; k < 3; k++) {
            dof[3 * i + k] = 3 * node[i] + k;
            J[k * 3 * count + 3 * i + k] = b->held[3 * node[i]] ? 0 : weight[i];
        }
    return 3 * count;
}

static void toy_point_velocity(const plait_body *b, const plait_side *side, const double *v, double u[3])
{
    int node[3];
    double weight[3];
    int count = plait_side_weights(b->skin, side, node, weight);
    u[0] = u[1] = u[2] = 0;
    for (int i = 0; i < count; i++)
        plait_vec3_axpy(weight[i], (v ? v : b->u0) + 3 * (ptrdiff_t)node[i], u);
}

static void toy_move(plait_body *b, double dt, const double *v)
{
    for (int d = 0; d < b->dofs; d++)
        b->x1[d] = b->x0[d] + dt * v[d];
}

static double toy_fastest(const plait_body *b, const double *v)
{
    double fastest = 0;
    for (int n = 0; n < b->nodes; n++)
        fastest = fmax(fastest, plait_vec3_norm(v + 3 * (ptrdiff_t)n));
    return fastest;
}

static bool toy_shift(plait_body *b, double dt, const double *psi)
{
    for (int d = 0; d < b->dofs; d++)
        b->state[d] += dt * psi[d];
    return true;
}

static const char *toy_accept(plait_body *b, double dt, const double *v)
{
    toy_shift(b, dt, v);
    memcpy(b->state + b->dofs, v, (size_t)b->dofs * sizeof *v);
    return NULL;
}

static const plait_body_type toy_type = {.name = "toy skin",
                                         .free = toy_release,
                                         .load = toy_load,
                                         .trace = toy_trace,
                                         .nodes = toy_places,
                                         .velocities = toy_velocities,
                                         .predict = toy_predict,
                                         .stiffen = toy_stiffen,
                                         .limb = toy_limb,
                                         .point_velocity = toy_point_velocity,
                                         .move = toy_move,
                                         .fastest = toy_fastest,
                                         .accept = toy_accept,
                                         .shift = toy_shift};

static int toy_bodies(const plait_scene *scene)
{
    return strcmp(scene->name, "skins") == 0 ? toy_count : 0;
}

static plait_status toy_build(const plait_model *m, const plait_scene *scene, int i, plait_body *body, plait_error *error)
{
    (void)m, (void)scene;
    toy_skin *t = malloc(sizeof *t);
    if (!t)
        return plait_error_set(error, PLAIT_NO_MEMORY, "no memory for a toy");
    *t = toy_list[i];
    *body = (plait_body){.type = &toy_type,
                         .id = i,
                         .dofs = 3 * t->nodes,
                         .bandwidth = 3 * t->nodes - 1,
                         .nodes = t->nodes,
                         .state_size = 6 * t->nodes,
                         .columns = 10,
                         .edge = 0.01,
                         .fine = t->radius,
                         .impl = t,
                         .skin = &t->skin};
    t->skin = (plait_skin){.triangles = t->triangles,
                           .triangle = t->triangle,
                           .rest = t->X,
                           .radius = t->radius,
                           .closed = t->closed,
                           .self = t->self};
    t->state = calloc(6 * (size_t)t->nodes, sizeof *t->state);
    if (!t->state)
        return plait_error_set(error, PLAIT_NO_MEMORY, "no memory for a toy");
    memcpy(t->state, t->X, 3 * (size_t)t->nodes * sizeof *t->X);
    for (int d = 0; d < 3 * t->nodes; d++)
        t->state[3 * t->nodes + d] = t->pinned[d / 3] ? 0 : t->velocity[d % 3];
    body->state = t->state;
    return PLAIT_OK;
}

static const plait_sim_kind toys = {&toy_type, PLAIT_PARTNER_CLOTH, toy_bodies, toy_build};

// The row stands before the last one (colliders: bodies without dofs come last).
static inline plait_scene *toy_scene(double mu, double dt)
{
    int rows = 0;
    while (plait_sim_kinds[rows] && plait_sim_kinds[rows] != &toys)
        rows++;
    if (!plait_sim_kinds[rows])
        plait_sim_kinds[rows] = plait_sim_kinds[rows - 1], plait_sim_kinds[rows - 1] = &toys;
    plait_scene *scene = plait_scene_new();
    plait_material wood = plait_default_material();
    snprintf(scene->name, sizeof scene->name, "skins");
    plait_scene_add_material(scene, "wood", &wood, mu);
    scene->stepping.dt = dt, scene->stepping.adaptive = false;
    return scene;
}

#endif
