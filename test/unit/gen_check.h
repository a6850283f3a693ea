// Overlaps of the fibres of a scene, by brute force: every piece of every curve against every other and against finely
// sampled colliders, with the exact distance to the triangles and the winding number to tell inside from outside.
#ifndef PLAIT_TEST_GEN_CHECK_H
#define PLAIT_TEST_GEN_CHECK_H

#include "check.h"
#include "math/quat.h"
#include "scene/gen_curve.h"
#include "scene/gen_field.h"
#include "scene/gen_groom.h"

typedef struct gen_overlap {
    double fibres;    // least distance of centrelines over the sum of the contact radii; pairs of different fibres
    double colliders; // least distance of a centreline from a surface over the contact radius; first nodes left out
    int a, b;         // the pair of `fibres`
    int fibre;        // of `colliders`
} gen_overlap;

// Solid angle of the closed mesh seen from x, over 4 pi: 1 inside, 0 outside (Van Oosterom and Strackee 1983).
static inline double gen_winding(const plait_shape *s, const double x[3])
{
    double sum = 0;
    for (int t = 0; t < s->triangles; t++) {
        double v[3][3], w[3], l[3];
        for (int k = 0; k < 3; k++) {
            plait_vec3_sub(s->point + 3 * (size_t)s->triangle[3 * t + k], x, v[k]);
            l[k] = plait_vec3_norm(v[k]);
        }
        plait_vec3_cross(v[1], v[2], w);
        double top = plait_vec3_dot(v[0], w), bottom = l[0] * l[1] * l[2] + plait_vec3_dot(v[0], v[1]) * l[2] +
                                                       plait_vec3_dot(v[1], v[2]) * l[0] +
                                                       plait_vec3_dot(v[2], v[0]) * l[1];
        sum += 2 * atan2(top, bottom);
    }
    return sum / (4 * 3.14159265358979323846);
}

// Signed distance to a collider at rest; spheres, planes and closed meshes.
static inline double gen_distance(const plait_collider *c, const double world[3])
{
    double q[4], R[9], d[3], x[3], best = INFINITY;
    plait_quat_exp(c->rotation, q);
    plait_quat_matrix(q, R);
    plait_vec3_sub(world, c->position, d);
    plait_mat3_apply_transposed(R, d, x);
    const plait_shape *s = &c->shape;
    if (s->kind == PLAIT_SHAPE_SPHERE)
        return plait_vec3_norm(x) - s->size[0];
    if (s->kind == PLAIT_SHAPE_PLANE)
        return x[2];
    for (int t = 0; t < s->triangles; t++) {
        const int *v = s->triangle + 3 * t;
        best = fmin(best, plait_gen_triangle_distance(x, s->point + 3 * (size_t)v[0], s->point + 3 * (size_t)v[1],
                                                      s->point + 3 * (size_t)v[2], NULL));
    }
    return s->kind == PLAIT_SHAPE_MESH ? (gen_winding(s, x) > 0.5 ? -best : best) : INFINITY;
}

static inline gen_overlap gen_overlaps(const plait_scene *s)
{
    gen_overlap o = {INFINITY, INFINITY, -1, -1, -1};
    double **x = calloc((size_t)s->fibres + 1, sizeof *x);
    int *n = calloc((size_t)s->fibres + 1, sizeof *n);
    for (int i = 0; i < s->fibres; i++) {
        plait_error error = {0};
        x[i] = plait_gen_trace(s, i, &n[i], &error);
        if (!x[i]) {
            puts(error.text);
            return (gen_overlap){-INFINITY, -INFINITY, i, i, i};
        }
    }
    for (int i = 0; i < s->fibres; i++) {
        double r = plait_gen_contact_radius(s, s->fibre[i].material), a, b;
        for (int j = i + 1; j < s->fibres; j++) {
            double both = r + plait_gen_contact_radius(s, s->fibre[j].material);
            for (int k = 0; k + 1 < n[i]; k++)
                for (int l = 0; l + 1 < n[j]; l++) {
                    const double *p = x[i] + 3 * k, *q = x[j] + 3 * l;
                    double d = plait_gen_segment_distance(p, p + 3, q, q + 3, &a, &b) / both;
                    if (d < o.fibres)
                        o.fibres = d, o.a = i, o.b = j;
                }
        }
        enum { FINE = 4 };
        for (int k = 1; k <= FINE * (n[i] - 1); k++) {
            int m = (k - 1) / FINE;
            double u = (double)(k - FINE * m) / FINE, p[3];
            for (int c = 0; c < 3; c++)
                p[c] = (1 - u) * x[i][3 * m + c] + u * x[i][3 * m + 3 + c];
            for (int c = 0; c < s->colliders; c++) {
                double d = gen_distance(&s->collider[c], p) / r;
                if (d < o.colliders)
                    o.colliders = d, o.fibre = i;
            }
        }
    }
    for (int i = 0; i < s->fibres; i++)
        free(x[i]);
    free(x);
    free(n);
    return o;
}

// A ball of 9 cm, and what hair on it is made of.
static inline plait_scene *gen_ball(void)
{
    plait_scene *s = plait_scene_new();
    plait_material m = plait_default_material();
    plait_scene_add_material(s, "hair", &m, 0.3);
    plait_scene_add_group(s, "hair");
    plait_scene_add_collider(s, "ball", PLAIT_SHAPE_SPHERE);
    s->collider[0].shape.size[0] = 0.09;
    return s;
}

#endif
