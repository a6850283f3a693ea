// mesh.c: triangle meshes.
#include "collide/mesh.h"

#include <math.h>

#include "base/elementary.h"
#include "collide/detector.h"
#include "shape/type.h"

void plait_mesh_free(plait_mesh *mesh)
{
    free(mesh->point0), free(mesh->point1), free(mesh->triangle), free(mesh->twin), free(mesh->face_normal);
    free(mesh->point_normal), free(mesh->box), free(mesh->key), free(mesh->spare), free(mesh->seen);
    plait_tree_free(&mesh->tree);
    *mesh = (plait_mesh){0};
}

// ---- making -------------------------------------------------------------------------------------------------------

static bool make_room(plait_mesh *m, int64_t points, int64_t triangles)
{
    return plait_grow(&m->point0, &m->point0_room, 3 * points, sizeof *m->point0) &&
           plait_grow(&m->point1, &m->point1_room, 3 * points, sizeof *m->point1) &&
           plait_grow(&m->point_normal, &m->normal_room, 3 * points, sizeof *m->point_normal) &&
           plait_grow(&m->triangle, &m->triangle_room, 3 * triangles, sizeof *m->triangle) &&
           plait_grow(&m->twin, &m->twin_room, 3 * triangles, sizeof *m->twin) &&
           plait_grow(&m->face_normal, &m->face_room, 3 * triangles, sizeof *m->face_normal) &&
           plait_grow(&m->box, &m->box_room, triangles, sizeof *m->box) &&
           plait_grow(&m->key, &m->key_room, 3 * triangles, sizeof *m->key) &&
           plait_grow(&m->spare, &m->spare_room, 3 * triangles, sizeof *m->spare);
}

// Triangles across edges: edges with the same two ends stand next to each other in order.
static void find_twins(plait_mesh *m)
{
    int64_t edges = 3 * (int64_t)m->triangles;
    for (int64_t e = 0; e < edges; e++) {
        int a = m->triangle[e], b = m->triangle[e % 3 == 2 ? e - 2 : e + 1];
        uint64_t low = (uint64_t)(a < b ? a : b), high = (uint64_t)(a < b ? b : a);
        m->key[e] = (plait_key_item){low << 32 | high, e};
        m->twin[e] = -1;
    }
    plait_sort_keys(m->key, edges, m->spare);
    for (int64_t k = 0; k + 1 < edges; k++)
        if (m->key[k].key == m->key[k + 1].key) {
            m->twin[m->key[k].item] = (int)(m->key[k + 1].item / 3);
            m->twin[m->key[k + 1].item] = (int)(m->key[k].item / 3);
            k++;
        }
}

// Normals, boxes and volume of the present points.
static void measure(plait_mesh *m)
{
    memset(m->point_normal, 0, 3 * (size_t)m->points * sizeof *m->point_normal);
    double volume = 0;
    for (int i = 0; i < m->triangles; i++) {
        double t[9], end[9], *n = m->face_normal + 3 * (int64_t)i, e[3][3], u[3], v[3];
        plait_mesh_corners(m, i, 0, t);
        plait_mesh_corners(m, i, 1, end);
        m->box[i] = plait_box_empty();
        for (int c = 0; c < 3; c++) {
            plait_box_add(&m->box[i], t + 3 * c, 0);
            plait_box_add(&m->box[i], end + 3 * c, 0);
            plait_vec3_sub(t + 3 * ((c + 1) % 3), t + 3 * c, e[c]);
        }
        plait_vec3_cross(e[0], e[1], n);
        plait_vec3_sub(t, m->point0 + 3 * (int64_t)m->triangle[0], u); // from a corner of the mesh, for accuracy
        volume += plait_vec3_dot(u, n);
        plait_vec3_normalise(n);
        for (int c = 0; c < 3; c++) {
            for (int k = 0; k < 3; k++)
                u[k] = e[c][k], v[k] = -e[(c + 2) % 3][k];
            double w[3];
            plait_vec3_cross(u, v, w);
            plait_vec3_axpy(plait_atan2(plait_vec3_norm(w), plait_vec3_dot(u, v)), n,
                            m->point_normal + 3 * (int64_t)m->triangle[3 * (int64_t)i + c]);
        }
    }
    m->outward = m->closed && volume < 0 ? -1 : 1;
    m->motion = 0;
    for (int64_t i = 0; i < m->points; i++) {
        double u[3];
        plait_vec3_sub(m->point1 + 3 * i, m->point0 + 3 * i, u);
        m->motion = plait_larger(m->motion, plait_vec3_norm(u));
    }
}

bool plait_mesh_set(plait_mesh *m, int points, const double *point0, const double *point1, int triangles,
                    const int *triangle, bool closed)
{
    size_t point_bytes = 3 * (size_t)points * sizeof *point0, triangle_bytes = 3 * (size_t)triangles * sizeof *triangle;
    bool same = m->points == points && m->triangles == triangles && m->closed == closed &&
                memcmp(m->triangle, triangle, triangle_bytes) == 0;
    if (same && memcmp(m->point0, point0, point_bytes) == 0 && memcmp(m->point1, point1, point_bytes) == 0)
        return true;
    m->points = 0, m->seen_nodes = 0; // nothing is kept if memory runs out
    if (!make_room(m, points, triangles))
        return false;
    memcpy(m->point0, point0, point_bytes);
    memcpy(m->point1, point1, point_bytes);
    memcpy(m->triangle, triangle, triangle_bytes);
    m->triangles = triangles, m->closed = closed;
    if (!same)
        find_twins(m);
    m->points = points;
    measure(m);
    if (same)
        plait_tree_fit(&m->tree, m->box);
    else if (!plait_tree_build(&m->tree, m->box, triangles))
        return m->points = 0, false;
    return true;
}

// Forgets what was seen if the number of nodes has changed, or the triangles.
static bool make_seen(plait_mesh *m, int nodes)
{
    if (m->seen_nodes == nodes)
        return true;
    if (!plait_grow(&m->seen, &m->seen_room, 4 * (int64_t)nodes, sizeof *m->seen))
        return false;
    memset(m->seen, 0, 4 * (size_t)nodes * sizeof *m->seen);
    m->seen_nodes = nodes;
    return true;
}

bool plait_meshes_prepare(plait_detector *d, int nodes)
{
    int count = 0;
    for (int i = 0; i < d->shapes; i++) {
        const plait_shape_geometry *g = d->placed[i].geometry;
        const plait_shape *s = g->shape;
        if (plait_shape_type_of(s)->cells != 2 || s->triangles <= 0)
            continue;
        int64_t room = d->mesh_room;
        if (!plait_grow(&d->mesh, &d->mesh_room, count + 1, sizeof *d->mesh))
            return false;
        if (d->mesh_room > room)
            memset(d->mesh + room, 0, (size_t)(d->mesh_room - room) * sizeof *d->mesh);
        if (!plait_mesh_set(&d->mesh[count], s->points, g->point0, g->point1, s->triangles, s->triangle, s->closed))
            return false;
        if (!make_seen(&d->mesh[count], nodes))
            return false;
        d->placed[i].mesh = count++;
    }
    return true;
}

void plait_meshes_free(plait_detector *d)
{
    for (int64_t i = 0; i < d->mesh_room; i++)
        plait_mesh_free(&d->mesh[i]);
    free(d->mesh);
}

// ---- nearest ------------------------------------------------------------------------------------------------------

static void pseudo_normal(const plait_mesh *m, int i, plait_feature feature, double n[3])
{
    const double *face = m->face_normal + 3 * (int64_t)i;
    plait_vec3_copy(face, n);
    if (feature >= PLAIT_FEATURE_CORNER0) {
        plait_vec3_copy(m->point_normal + 3 * (int64_t)m->triangle[3 * (int64_t)i + feature - PLAIT_FEATURE_CORNER0],
                        n);
    } else if (feature >= PLAIT_FEATURE_EDGE0) {
        int twin = m->twin[3 * (int64_t)i + feature - PLAIT_FEATURE_EDGE0];
        if (twin >= 0)
            plait_vec3_axpy(1, m->face_normal + 3 * (int64_t)twin, n);
    }
    if (!(plait_vec3_normalise(n) > 0)) // folded flat
        plait_vec3_copy(face, n);
}

static void nearest_in_leaf(const plait_mesh *m, int leaf, const double x[3], double *best, plait_mesh_point *out)
{
    int64_t begin = (int64_t)leaf * PLAIT_TREE_LEAF;
    for (int64_t k = begin; k < begin + PLAIT_TREE_LEAF && k < m->tree.items; k++) {
        double t[9], weight[3];
        plait_feature feature;
        if (plait_box_distance2(&m->tree.item_box[k], x) >= *best)
            continue;
        plait_mesh_corners(m, m->tree.item[k], 0, t);
        double distance2 = plait_closest_triangle(x, t, weight, &feature);
        if (distance2 < *best) {
            *best = distance2;
            out->triangle = m->tree.item[k], out->feature = feature;
            for (int c = 0; c < 3; c++) {
                out->weight[c] = weight[c];
                out->point[c] = weight[0] * t[c] + weight[1] * t[3 + c] + weight[2] * t[6 + c];
            }
        }
    }
}

// Depth first, the nearer child first; what is farther than the best so far is left out.
static bool search(const plait_mesh *m, const double x[3], double limit, plait_mesh_point *out)
{
    const plait_tree *tree = &m->tree;
    struct {
        int node;
        double distance2;
    } stack[PLAIT_TREE_STACK];
    double best = limit * limit;
    int depth = 0;
    out->triangle = -1;
    stack[depth].node = 1;
    stack[depth++].distance2 = plait_box_distance2(&tree->node[1], x);
    while (depth) {
        depth--;
        int node = stack[depth].node;
        if (stack[depth].distance2 >= best)
            continue;
        if (node >= tree->leaves) {
            nearest_in_leaf(m, node - tree->leaves, x, &best, out);
            continue;
        }
        double d0 = plait_box_distance2(&tree->node[2 * node], x),
               d1 = plait_box_distance2(&tree->node[2 * node + 1], x);
        int nearer = d1 < d0;
        stack[depth].node = 2 * node + 1 - nearer;
        stack[depth++].distance2 = nearer ? d0 : d1;
        stack[depth].node = 2 * node + nearer;
        stack[depth++].distance2 = nearer ? d1 : d0;
    }
    return out->triangle >= 0;
}

bool plait_mesh_nearest(const plait_mesh *m, const double x[3], double limit, plait_mesh_point *out)
{
    if (!m->tree.items || !search(m, x, limit, out))
        return false;
    double pseudo[3];
    plait_vec3_sub(x, out->point, out->normal);
    out->distance = plait_vec3_normalise(out->normal);
    pseudo_normal(m, out->triangle, out->feature, pseudo);
    double side = m->outward * plait_vec3_dot(pseudo, out->normal);
    // On the surface there is no direction to take but the normal.
    double size = 0;
    for (int k = 0; k < 3; k++)
        size = plait_larger(size, fabs(out->point[k]));
    if (!(out->distance > 1e-13 * size)) {
        for (int k = 0; k < 3; k++)
            out->normal[k] = m->outward * pseudo[k];
        return true;
    }
    if (m->closed && side < 0) {
        out->distance = -out->distance;
        for (int k = 0; k < 3; k++)
            out->normal[k] = -out->normal[k];
    }
    return true;
}
