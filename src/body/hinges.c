// hinges.c: bending of cloth: every edge between two triangles is a hinge (discrete shells).
//
//            x2                 angle theta between the normals, positive if the sides without thickness (n1 x n2 along the
//           /  \  n1            edge) fold up; natural angle theta0.
//         x0 -- x1
//           \  /  n2            energy 1/2 B l^2/(A1 + A2) (theta - theta0)^2
//            x3
//
// with the natural length l and areas: a grid that is bent along its threads and a mesh of equilateral triangles that is bent
// in any direction then have the bending stiffness B per width. The angle comes from an arctangent of both normals, so
// that it is smooth up to a whole turn of either side.
#include <math.h>
#include <stdlib.h>

#include "base/elementary.h"
#include "body/soft.h"
#include "body/soft_edges.h"
#include "math/mat3.h"
#include "math/vec3.h"

typedef struct hinge {
    double stiffness, natural; // [N m], [rad]
} hinge;

typedef struct hinges {
    double damping;
    hinge of[];
} hinges;

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

// H <- k d d^T.
static void outer(double k, double (*d)[3], double (*H)[9])
{
    for (int a = 0; a < 4; a++)
        for (int b = 0; b <= a; b++)
            for (int r = 0; r < 3; r++)
                for (int c = 0; c < 3; c++)
                    H[plait_element_pair(a, b)][3 * r + c] = k * d[a][r] * d[b][c];
}

static double difference(double theta, double natural)
{
    double d = theta - natural;
    return d > M_PI ? d - 2 * M_PI : d < -M_PI ? d + 2 * M_PI : d;
}

static double energy(const void *data, int e, const double *x, double *g, double (*H)[9], bool exact)
{
    const hinge *h = &((const hinges *)data)->of[e];
    double theta = h->natural, d[4][3] = {{0}};
    angle_of(x, &theta, d);
    double more = difference(theta, h->natural);
    for (int a = 0; a < 4; a++)
        for (int k = 0; k < 3; k++)
            g[3 * a + k] = h->stiffness * more * d[a][k];
    (void)exact;
    if (H) // the second derivative of the angle can have any sign, and is left out
        outer(h->stiffness, d, H);
    return 0.5 * h->stiffness * more * more;
}

static void viscosity(const void *data, int e, const double *x, double (*H)[9])
{
    const hinges *all = data;
    double theta, d[4][3] = {{0}};
    angle_of(x, &theta, d);
    outer(all->of[e].stiffness * all->damping, d, H);
}

static const plait_element_type hinge_type = {"hinges", 4, energy, viscosity, NULL};

static double area_of(const double *a, const double *b, const double *c)
{
    double u[3], v[3], n[3];
    plait_vec3_sub(b, a, u), plait_vec3_sub(c, a, v);
    plait_vec3_cross(u, v, n);
    return 0.5 * plait_vec3_norm(n);
}

static hinge natural(const plait_soft *cloth, const int *node)
{
    double x[12], theta = 0;
    for (int a = 0; a < 4; a++)
        plait_vec3_copy(cloth->point + 3 * (size_t)node[a], x + 3 * a);
    double d[3], area = area_of(x, x + 3, x + 6) + area_of(x, x + 3, x + 9);
    plait_vec3_sub(x + 3, x, d);
    angle_of(x, &theta, NULL);
    return (hinge){cloth->bend * plait_vec3_dot(d, d) / area, cloth->flat ? 0 : theta};
}

bool plait_hinges_make(const plait_soft *cloth, plait_elements *set)
{
    int edges, count = 0;
    plait_edge *edge = plait_edges_of(cloth->triangles, cloth->triangle, &edges);
    for (int i = 0; edge && i < edges; i++)
        count += edge[i].triangle[1] >= 0;
    bool ok = edge && plait_elements_alloc(set, &hinge_type, count, sizeof(hinges) + (size_t)count * sizeof(hinge));
    hinges *h = ok ? set->data : NULL;
    if (ok)
        h->damping = cloth->bend_damping;
    for (int i = 0, k = 0; ok && i < edges; i++) {
        if (edge[i].triangle[1] < 0)
            continue;
        int *node = set->node + 4 * (size_t)k;
        node[0] = edge[i].node[0], node[1] = edge[i].node[1], node[2] = edge[i].across[0], node[3] = edge[i].across[1];
        h->of[k++] = natural(cloth, node);
    }
    free(edge);
    return ok;
}
