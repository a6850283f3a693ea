// springs.c: cloth as masses and springs: along the edges of its triangles, and across where two of them make a quad.
//
// Two triangles that share the longest edge of both are a quad: its other diagonal is a spring too (shear), so that a
// grid does not depend on which way its quads are cut. Springs along unit vectors n with the stiffness s per area have
// the energy 1/2 sum s (n^T strain n)^2. In each patch (a quad, or a triangle that belongs to none) s >= 0 is chosen
// such that sum s n n n n comes as near as possible to what is wanted: with c = (Y + sqrt(Y^2 + 4 G^2)) / 2
//
//     C = [c G 0; G c 0; 0 0 G],   so that pulling along a thread meets Y = c - G^2/c and shear meets G.
//
// In squares that is exact. A spring of length l in a patch of area A then has the stiffness s A / l^2.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "body/soft.h"
#include "body/soft_edges.h"
#include "math/vec3.h"

typedef struct spring {
    double length, stiffness, viscosity; // [m], [N/m], [N s/m]
} spring;

// ---- the element --------------------------------------------------------------------------------------------------

// H for k (d d^T / l^2) + k' (1 - d d^T / l^2).
static void fill(double along, double across, const double d[3], double square, double (*H)[9])
{
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++) {
            double value = (along - across) * d[r] * d[c] / square + (r == c ? across : 0);
            H[0][3 * r + c] = H[2][3 * r + c] = value;
            H[1][3 * r + c] = -value;
        }
}

static double energy(const void *data, int e, const double *x, double *g, double (*H)[9], bool exact)
{
    const spring *s = (const spring *)data + e;
    double d[3];
    plait_vec3_sub(x + 3, x, d);
    double square = plait_vec3_dot(d, d), l = sqrt(square), more = l - s->length;
    double pull = l > 0 ? s->stiffness * more / l : 0;
    for (int k = 0; k < 3; k++)
        g[k] = -pull * d[k], g[3 + k] = pull * d[k];
    if (H) // a spring that is pushed would give way sideways: that part is left out
        fill(s->stiffness, exact ? pull : fmax(pull, 0), d, fmax(square, 1e-300), H);
    return 0.5 * s->stiffness * more * more;
}

static void viscosity(const void *data, int e, const double *x, double (*H)[9])
{
    const spring *s = (const spring *)data + e;
    double d[3];
    plait_vec3_sub(x + 3, x, d);
    fill(s->viscosity, 0, d, fmax(plait_vec3_dot(d, d), 1e-300), H);
}

static int strain(const void *data, int e, const double *x, double out[6])
{
    double d[3];
    plait_vec3_sub(x + 3, x, d);
    out[0] = plait_vec3_norm(d) / ((const spring *)data + e)->length - 1;
    return 1;
}

static const plait_element_type springs = {"springs", 2, energy, viscosity, strain};

// ---- which springs there are, and how stiff -----------------------------------------------------------------------

enum { MOST = 6 }; // springs of a quad

// A patch, flattened into its own plane: springs as pairs of its corners.
typedef struct patch {
    int corners, springs;
    double at[4][2];
    int end[MOST][2];
    double area;
} patch;

// How often each component of n n n n occurs in the tensor.
static const double OFTEN[5] = {1, 1, 6, 4, 4};

static void direction(const patch *p, int k, double a[5], double *length)
{
    double x = p->at[p->end[k][1]][0] - p->at[p->end[k][0]][0], y = p->at[p->end[k][1]][1] - p->at[p->end[k][0]][1];
    *length = hypot(x, y);
    x /= *length, y /= *length;
    a[0] = x * x * x * x, a[1] = y * y * y * y, a[2] = x * x * y * y, a[3] = x * x * x * y, a[4] = x * y * y * y;
}

// s >= 0 with the smallest misfit: s_k is multiplied by what is wanted along spring k over what all of them give there.
// Springs that could replace each other share the work, since they start alike.
static void fit(const patch *p, const double target[5], double *s, double *length)
{
    enum { ROUNDS = 500 };
    double a[MOST][5], wanted[MOST], gram[MOST][MOST], change = 1;
    for (int k = 0; k < p->springs; k++)
        direction(p, k, a[k], &length[k]), s[k] = target[0];
    for (int k = 0; k < p->springs; k++) {
        wanted[k] = 0;
        for (int i = 0; i < 5; i++)
            wanted[k] += OFTEN[i] * a[k][i] * target[i];
        for (int j = 0; j < p->springs; j++) {
            gram[k][j] = 0;
            for (int i = 0; i < 5; i++)
                gram[k][j] += OFTEN[i] * a[k][i] * a[j][i];
        }
    }
    for (int round = 0; round < ROUNDS && change > 1e-12; round++) {
        double given[MOST] = {0};
        for (int k = 0; k < p->springs; k++)
            for (int j = 0; j < p->springs; j++)
                given[k] += gram[k][j] * s[j];
        change = 0;
        for (int k = 0; k < p->springs; k++) {
            double next = given[k] > 0 ? s[k] * wanted[k] / given[k] : 0;
            change = fmax(change, fabs(next - s[k]) / target[0]), s[k] = next;
        }
    }
}

// Corners 0, 1, 2 (and 3) in the plane of the first triangle; a folded quad is unfolded about its diagonal 0 1.
static void flatten(const double *point, const int *node, patch *p)
{
    double axis[3], d[3];
    plait_vec3_sub(point + 3 * (size_t)node[1], point + 3 * (size_t)node[0], axis);
    double length = plait_vec3_normalise(axis);
    p->at[0][0] = p->at[0][1] = p->at[1][1] = 0, p->at[1][0] = length;
    for (int k = 2; k < p->corners; k++) {
        plait_vec3_sub(point + 3 * (size_t)node[k], point + 3 * (size_t)node[0], d);
        double along = plait_vec3_dot(d, axis);
        p->at[k][0] = along;
        p->at[k][1] = (k == 2 ? 1 : -1) * sqrt(fmax(0, plait_vec3_dot(d, d) - along * along));
    }
    p->area = 0.5 * length * (p->at[2][1] - (p->corners == 4 ? p->at[3][1] : 0));
}

// The fabric's threads run along the edges of a quad; a triangle is taken as it lies.
static void turn(patch *p)
{
    double x = p->at[2][0] - p->at[0][0], y = p->at[2][1] - p->at[0][1], l = hypot(x, y);
    for (int k = 0; k < p->corners && p->corners == 4 && l > 0; k++) {
        double u = (p->at[k][0] * x + p->at[k][1] * y) / l, w = (p->at[k][1] * x - p->at[k][0] * y) / l;
        p->at[k][0] = u, p->at[k][1] = w;
    }
}

typedef struct maker {
    const plait_soft *cloth;
    int *node;
    spring *spring;
    int count;
} maker;

// The stiffness of one patch; its springs may be others' too: those with the same nodes are joined afterwards.
static void add_patch(maker *m, const int *node, int corners)
{
    static const int ends[MOST][2] = {{0, 1}, {0, 2}, {1, 2}, {0, 3}, {1, 3}, {2, 3}};
    const plait_soft *c = m->cloth;
    patch p = {.corners = corners, .springs = corners == 4 ? 6 : 3};
    memcpy(p.end, ends, sizeof ends);
    flatten(c->point, node, &p);
    turn(&p);
    double Y = c->stretch, G = c->shear > 0 ? c->shear : Y / (2 * (1 + c->poisson));
    double C = (Y + sqrt(Y * Y + 4 * G * G)) / 2, target[5] = {C, C, G, 0, 0}, s[MOST], length[MOST];
    fit(&p, target, s, length);
    for (int k = 0; k < p.springs; k++) {
        int a = node[p.end[k][0]], b = node[p.end[k][1]], i = m->count++;
        double stiffness = s[k] * p.area / (length[k] * length[k]), d[3];
        plait_vec3_sub(c->point + 3 * (size_t)a, c->point + 3 * (size_t)b, d);
        m->node[2 * i] = a < b ? a : b, m->node[2 * i + 1] = a < b ? b : a;
        m->spring[i] = (spring){plait_vec3_norm(d), stiffness, stiffness * c->damping};
    }
}

// Every triangle once: with the other one at the edge that is the longest of both, or alone.
static void add_patches(maker *m, const plait_edge *edge, int edges, const int *longest)
{
    const int *triangle = m->cloth->triangle;
    for (int i = 0; i < edges; i++) {
        int t = edge[i].triangle[0], u = edge[i].triangle[1];
        if (longest[t] != i && (u < 0 || longest[u] != i))
            continue;
        if (u >= 0 && longest[t] == i && longest[u] == i) {
            int node[4] = {edge[i].node[0], edge[i].node[1], edge[i].across[0], edge[i].across[1]};
            add_patch(m, node, 4);
            continue;
        }
        for (int k = 0; k < 2; k++)
            if (edge[i].triangle[k] >= 0 && longest[edge[i].triangle[k]] == i)
                add_patch(m, triangle + 3 * (size_t)edge[i].triangle[k], 3);
    }
}

typedef struct numbered {
    int node[2];
    int index;
} numbered;

static int by_nodes(const void *a, const void *b)
{
    const numbered *p = a, *q = b;
    if (p->node[0] != q->node[0])
        return p->node[0] < q->node[0] ? -1 : 1;
    if (p->node[1] != q->node[1])
        return p->node[1] < q->node[1] ? -1 : 1;
    return p->index < q->index ? -1 : 1;
}

// Springs with the same ends become one.
static bool join(maker *m, plait_elements *set)
{
    numbered *list = malloc(((size_t)m->count + 1) * sizeof *list);
    bool ok = list != NULL;
    int count = 0;
    for (int i = 0; ok && i < m->count; i++)
        list[i] = (numbered){{m->node[2 * i], m->node[2 * i + 1]}, i};
    if (ok)
        qsort(list, (size_t)m->count, sizeof *list, by_nodes);
    for (int i = 0; ok && i < m->count; i++)
        count += i == 0 || memcmp(list[i].node, list[i - 1].node, sizeof list[i].node) != 0;
    ok = ok && plait_elements_alloc(set, &springs, count, (size_t)count * sizeof(spring));
    spring *out = ok ? set->data : NULL;
    for (int i = 0, k = -1; ok && i < m->count; i++) {
        const spring *s = &m->spring[list[i].index];
        if (i == 0 || memcmp(list[i].node, list[i - 1].node, sizeof list[i].node) != 0) {
            memcpy(set->node + 2 * ++k, list[i].node, sizeof list[i].node);
            out[k] = *s;
            continue;
        }
        out[k].stiffness += s->stiffness, out[k].viscosity += s->viscosity;
    }
    free(list);
    return ok;
}

bool plait_springs_make(const plait_soft *cloth, plait_elements *set)
{
    int edges;
    size_t most = 3 * (size_t)cloth->triangles + 1;
    plait_edge *edge = plait_edges_of(cloth->triangles, cloth->triangle, &edges);
    int *longest = malloc(most * sizeof *longest);
    maker m = {cloth, malloc(2 * most * sizeof *m.node), malloc(most * sizeof *m.spring), 0};
    bool ok = edge && longest && m.node && m.spring;
    for (int i = 0; ok && i < cloth->triangles; i++)
        longest[i] = -1;
    for (int i = 0; ok && i < edges; i++) // the first of those that are as long as each other
        for (int k = 0; k < 2; k++) {
            int t = edge[i].triangle[k];
            double length = plait_edge_length(cloth->point, &edge[i]);
            if (t >= 0 && (longest[t] < 0 || length > (1 + 1e-9) * plait_edge_length(cloth->point, &edge[longest[t]])))
                longest[t] = i;
        }
    if (ok)
        add_patches(&m, edge, edges, longest);
    ok = ok && join(&m, set);
    free(edge), free(longest), free(m.node), free(m.spring);
    return ok;
}
