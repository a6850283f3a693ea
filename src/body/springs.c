// springs.c: cloth as masses and springs: along the edges of its triangles, and across each of them to the far corners.
//
// Springs along unit vectors n with the stiffness s per area have the energy 1/2 sum s (n^T strain n)^2. What is wanted
// in every triangle, with c = (Y + sqrt(Y^2 + 4 G^2)) / 2 and axes along its threads, is
//
//     sum s n n n n  =  C = [c G 0; G c 0; 0 0 G],   so that pulling along a thread meets Y = c - G^2/c and shear G.
//
// A spring belongs to the triangles at its edge, by their areas. Stiffnesses s >= 0 are those with the smallest sum of
// squares, over all triangles and weighted with their areas, of what is missing. In a grid of squares that is
// exact, whichever way they are cut. In an irregular mesh something is missing (14 % of C on average if nodes are
// moved by 30 % of a cell), and nodes give way beside that: sheets come out within some per cent of Y.
//
// Threads: along the two shorter edges of a triangle, as far as these are perpendicular.
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

static const plait_element_type springs = {"springs", 2, energy, viscosity, strain, false};

// ---- which springs there are, and how stiff -----------------------------------------------------------------------

enum { SIX = 6 }; // springs of a triangle: its edges, and those across
static const double LEAST = 1e-3; // of what is wanted: less is not worth a spring

// x: what the spring does, stiffness times length^2; share of it in its first triangle.
typedef struct candidate {
    int node[2], triangle[2]; // triangle[1]: -1 at borders
    double length, x, share, wanted, given;
} candidate;

// The springs of a triangle, and n n n n of each in the frame of its threads: components 1111 2222 1122 1112 1222.
typedef struct corner_set {
    int count, spring[SIX];
    double a[SIX][5], given[5], area;
} corner_set;

typedef struct maker {
    const plait_soft *cloth;
    candidate *spring;
    corner_set *of; // [triangles]
    int count;
} maker;

// How often each component of n n n n occurs in the tensor.
static const double OFTEN[5] = {1, 1, 6, 4, 4};

// The plane of a triangle: unit vectors along its threads.
static void threads(const double *point, const int *node, double axis[2][3], double *area)
{
    double edge[3][3], normal[3], middle[3], beside[3], most = -1;
    int longest = 0;
    for (int k = 0; k < 3; k++) {
        plait_vec3_sub(point + 3 * (size_t)node[(k + 1) % 3], point + 3 * (size_t)node[k], edge[k]);
        double square = plait_vec3_dot(edge[k], edge[k]);
        if (square > most * (1 + 1e-9)) // the first of those that are as long as each other
            most = square, longest = k;
    }
    plait_vec3_cross(edge[0], edge[1], normal);
    *area = 0.5 * plait_vec3_normalise(normal);
    double *a = edge[(longest + 1) % 3], *b = edge[(longest + 2) % 3]; // to and from the corner across
    plait_vec3_normalise(a), plait_vec3_normalise(b);
    plait_vec3_sub(b, a, middle);
    plait_vec3_normalise(middle);
    plait_vec3_cross(normal, middle, beside);
    for (int k = 0; k < 3; k++)
        axis[0][k] = M_SQRT1_2 * (middle[k] - beside[k]), axis[1][k] = M_SQRT1_2 * (middle[k] + beside[k]);
}

// From the corner across an edge of a triangle to that of the other one, which is unfolded into its plane.
static void unfold(const double *p, const double *q, const double *near, const double *far, double d[3])
{
    double e[3], up[3], back[3];
    plait_vec3_sub(q, p, e), plait_vec3_normalise(e);
    plait_vec3_sub(near, p, up), plait_vec3_sub(far, p, back);
    double here = plait_vec3_dot(up, e), there = plait_vec3_dot(back, e);
    double below = sqrt(fmax(0, plait_vec3_dot(back, back) - there * there));
    plait_vec3_axpy(-here, e, up);
    double above = plait_vec3_normalise(up);
    for (int k = 0; k < 3; k++)
        d[k] = (there - here) * e[k] - (above + below) * up[k];
}

static void belongs(maker *m, int t, int which, const double d[3])
{
    corner_set *of = &m->of[t];
    double axis[2][3];
    threads(m->cloth->point, m->cloth->triangle + 3 * (size_t)t, axis, &of->area);
    double x = plait_vec3_dot(d, axis[0]), y = plait_vec3_dot(d, axis[1]), l = hypot(x, y);
    x /= l, y /= l;
    double a[5] = {x * x * x * x, y * y * y * y, x * x * y * y, x * x * x * y, x * y * y * y};
    memcpy(of->a[of->count], a, sizeof a);
    of->spring[of->count++] = which;
    m->spring[which].length = l;
}

static void add_candidates(maker *m, const plait_edge *edge, int edges)
{
    const double *point = m->cloth->point;
    for (int i = 0; i < edges; i++) {
        const plait_edge *e = &edge[i];
        const double *p = point + 3 * (size_t)e->node[0], *q = point + 3 * (size_t)e->node[1];
        double d[3];
        plait_vec3_sub(q, p, d);
        m->spring[m->count] =
            (candidate){.node = {e->node[0], e->node[1]}, .triangle = {e->triangle[0], e->triangle[1]}};
        for (int k = 0; k < 2 && e->triangle[k] >= 0; k++)
            belongs(m, e->triangle[k], m->count, d);
        m->count++;
        if (e->triangle[1] < 0 || e->across[0] == e->across[1])
            continue;
        m->spring[m->count] =
            (candidate){.node = {e->across[0], e->across[1]}, .triangle = {e->triangle[0], e->triangle[1]}};
        for (int k = 0; k < 2; k++) {
            unfold(p, q, point + 3 * (size_t)e->across[k], point + 3 * (size_t)e->across[1 - k], d);
            belongs(m, e->triangle[k], m->count, d);
        }
        m->count++;
    }
    for (int i = 0; i < m->count; i++) {
        candidate *s = &m->spring[i];
        double own = m->of[s->triangle[0]].area, other = s->triangle[1] >= 0 ? m->of[s->triangle[1]].area : 0;
        s->share = own / (own + other);
    }
}

static double share(const candidate *s, int t)
{
    return s->triangle[0] == t ? s->share : 1 - s->share;
}

static double along(const double a[5], const double tensor[5])
{
    double sum = 0;
    for (int i = 0; i < 5; i++)
        sum += OFTEN[i] * a[i] * tensor[i];
    return sum;
}

// x >= 0 with the smallest misfit: each is multiplied by what is wanted along the spring over what all of them give
// there. Springs that could replace each other share the work; those that are not needed fade away.
static void fit(maker *m, const double target[5])
{
    enum { ROUNDS = 300 };
    int triangles = m->cloth->triangles;
    double change = 1;
    for (int t = 0; t < triangles; t++)
        for (int k = 0; k < m->of[t].count; k++) {
            candidate *s = &m->spring[m->of[t].spring[k]];
            s->wanted += share(s, t) * along(m->of[t].a[k], target);
            s->x += target[0] * m->of[t].area / 3;
        }
    for (int round = 0; round < ROUNDS && change > 1e-4; round++) {
        for (int t = 0; t < triangles; t++) {
            corner_set *of = &m->of[t];
            memset(of->given, 0, sizeof of->given);
            for (int k = 0; k < of->count; k++) {
                const candidate *s = &m->spring[of->spring[k]];
                for (int i = 0; i < 5; i++)
                    of->given[i] += share(s, t) * s->x / of->area * of->a[k][i];
            }
        }
        change = 0;
        for (int i = 0; i < m->count; i++)
            m->spring[i].given = 0;
        for (int t = 0; t < triangles; t++)
            for (int k = 0; k < m->of[t].count; k++) {
                candidate *s = &m->spring[m->of[t].spring[k]];
                s->given += share(s, t) * along(m->of[t].a[k], m->of[t].given);
            }
        for (int i = 0; i < m->count; i++) {
            candidate *s = &m->spring[i];
            double next = s->x * s->wanted / s->given;
            change = fmax(change, fabs(next - s->x) / (target[0] * m->of[s->triangle[0]].area));
            s->x = next;
        }
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

// Those that do something, in order; springs with the same ends become one.
static bool keep(const maker *m, double least, plait_elements *set)
{
    numbered *list = malloc(((size_t)m->count + 1) * sizeof *list);
    int count = 0, last = -1;
    bool ok = list != NULL;
    for (int i = 0; ok && i < m->count; i++) {
        const candidate *c = &m->spring[i];
        int low = c->node[0] < c->node[1] ? 0 : 1;
        if (c->x > least * m->of[c->triangle[0]].area)
            list[count++] = (numbered){{c->node[low], c->node[1 - low]}, i};
    }
    if (ok)
        qsort(list, (size_t)count, sizeof *list, by_nodes);
    ok = ok && plait_elements_alloc(set, &springs, count, (size_t)count * sizeof(spring));
    spring *out = ok ? set->data : NULL;
    for (int i = 0; ok && i < count; i++) {
        const candidate *c = &m->spring[list[i].index];
        double d[3], stiffness = c->x / (c->length * c->length);
        if (i == 0 || memcmp(list[i].node, list[i - 1].node, sizeof list[i].node) != 0) {
            memcpy(set->node + 2 * (size_t)++last, list[i].node, sizeof list[i].node);
            plait_vec3_sub(m->cloth->point + 3 * (size_t)c->node[0], m->cloth->point + 3 * (size_t)c->node[1], d);
            out[last] = (spring){.length = plait_vec3_norm(d)};
        }
        out[last].stiffness += stiffness, out[last].viscosity += stiffness * m->cloth->damping;
    }
    if (ok)
        set->count = last + 1;
    free(list);
    return ok;
}

bool plait_springs_make(const plait_soft *cloth, plait_elements *set)
{
    int edges;
    plait_edge *edge = plait_edges_of(cloth->triangles, cloth->triangle, &edges);
    maker m = {cloth, calloc(2 * (size_t)(edge ? edges : 0) + 1, sizeof *m.spring),
               calloc((size_t)cloth->triangles, sizeof *m.of), 0};
    double Y = cloth->stretch, G = cloth->shear > 0 ? cloth->shear : Y / (2 * (1 + cloth->poisson));
    double c = (Y + sqrt(Y * Y + 4 * G * G)) / 2, target[5] = {c, c, G, 0, 0};
    bool ok = edge && m.spring && m.of;
    if (ok) {
        add_candidates(&m, edge, edges);
        fit(&m, target);
    }
    ok = ok && keep(&m, LEAST * c, set);
    free(edge), free(m.spring), free(m.of);
    return ok;
}
