// solids.c: colliders, rigid and soft bodies: spheres and capsules as they are, the rest as triangles with smooth
// normals.
#include <stdlib.h>
#include <string.h>

#include "math/quat.h"
#include "math/vec3.h"
#include "render/render.h"
#include "shape/type.h"

enum { ROUND = 96, FINE = 40000 }; // corners of a cylinder; triangles of a smooth body, at most
static const float CREASE = 0.6f;  // faces whose normals have a smaller cosine meet in an edge

// ---- the list of parts --------------------------------------------------------------------------------------------

bool plait_parts_add(plait_parts *parts, int geometry, plait_part part)
{
    if (geometry == parts->count && parts->count == parts->room) {
        int room = 2 * parts->room + 8;
        plait_part *grown = realloc(parts->part, (size_t)room * sizeof *grown);
        if (grown) {
            parts->part = grown;
            parts->room = room;
        }
    }
    if (geometry != parts->count || parts->count == parts->room) {
        free(part.corner);
        free(part.normal);
        free(part.tint);
        free(part.colours);
        return false;
    }
    parts->part[parts->count++] = part;
    return true;
}

void plait_parts_free(plait_parts *parts)
{
    for (int i = 0; i < parts->count; i++) {
        free(parts->part[i].corner);
        free(parts->part[i].normal);
        free(parts->part[i].tint);
        free(parts->part[i].colours);
    }
    free(parts->part);
    *parts = (plait_parts){0};
}

// ---- shapes -------------------------------------------------------------------------------------------------------

static void turn(const double q[4], const double x[3], double out[3])
{
    double R[9];
    plait_quat_matrix(q, R);
    plait_mat3_apply(R, x, out);
}

static void to_world(const double pose[7], const double x[3], double out[3])
{
    double y[3];
    turn(pose + 3, x, y);
    for (int i = 0; i < 3; i++)
        out[i] = pose[i] + y[i];
}

static void put(const double pose[7], double x, double y, double z, float *out)
{
    double local[3] = {x, y, z}, world[3];
    to_world(pose, local, world);
    for (int i = 0; i < 3; i++)
        out[i] = (float)world[i];
}

typedef struct mesh {
    int points, triangles;
    float *x;
    int *index;
} mesh;

static bool mesh_new(mesh *m, int points, int triangles)
{
    *m = (mesh){points, triangles, malloc(3 * (size_t)points * sizeof *m->x + 4),
                malloc(3 * (size_t)triangles * sizeof *m->index + 4)};
    return m->x && m->index;
}

static void mesh_free(mesh *m)
{
    free(m->x);
    free(m->index);
}

// The triangles of any shape in their place; vertex: of an animated mesh, NULL: as it is. No triangles: m->x NULL.
static bool shape_mesh(mesh *m, const plait_shape *s, const double pose[7], const double *vertex, double size)
{
    plait_shape made;
    plait_shape_detail detail = {.sides = ROUND, .half = 20 * size};
    if (!plait_shape_to_mesh(s, &detail, &made))
        return false;
    bool ok = made.triangles == 0 || mesh_new(m, made.points, made.triangles);
    const double *x = vertex ? vertex : made.point;
    for (int i = 0; ok && made.triangles > 0 && i < made.points; i++)
        put(pose, x[3 * i], x[3 * i + 1], x[3 * i + 2], m->x + 3 * (size_t)i);
    if (ok && made.triangles > 0)
        memcpy(m->index, made.triangle, 3 * (size_t)made.triangles * sizeof *m->index);
    free(made.point);
    free(made.triangle);
    return ok;
}

// ---- smooth normals -----------------------------------------------------------------------------------------------

static plait_f3 corner(const mesh *m, int triangle, int k)
{
    const float *x = m->x + 3 * (size_t)m->index[3 * (size_t)triangle + (size_t)k];
    return f3(x[0], x[1], x[2]);
}

bool plait_facets_new(plait_facets *f, int count)
{
    *f = (plait_facets){.count = count};
    f->corner = malloc(3 * (size_t)count * sizeof *f->corner + 4);
    f->normal = malloc(3 * (size_t)count * sizeof *f->normal + 4);
    f->mean = malloc(3 * (size_t)count * sizeof *f->mean + 4);
    return f->corner && f->normal && f->mean;
}

void plait_facets_free(plait_facets *f)
{
    free(f->corner);
    free(f->normal);
    free(f->mean);
    *f = (plait_facets){0};
}

// At each corner of each triangle the sum over the triangles around, by area, that are not across an edge.
static bool smooth_normals(const mesh *m, plait_facets *f)
{
    size_t corners = 3 * (size_t)m->triangles;
    plait_f3 *face = malloc((size_t)m->triangles * sizeof *face + 4);
    int *first = calloc((size_t)m->points + 2, sizeof *first), *around = malloc(corners * sizeof *around + 4);
    bool ok = plait_facets_new(f, m->triangles) && face && first && around;
    if (ok) {
        for (int t = 0; t < m->triangles; t++)
            face[t] = f3_cross(f3_sub(corner(m, t, 1), corner(m, t, 0)), f3_sub(corner(m, t, 2), corner(m, t, 0)));
        for (size_t c = 0; c < corners; c++)
            first[m->index[c] + 2]++;
        for (int i = 0; i < m->points; i++)
            first[i + 2] += first[i + 1];
        for (size_t c = 0; c < corners; c++)
            around[first[m->index[c] + 1]++] = (int)(c / 3);
        for (size_t c = 0; c < corners; c++) {
            plait_f3 own = f3_unit(face[c / 3]), sum = {0}, all = {0};
            for (int k = first[m->index[c]]; k < first[m->index[c] + 1]; k++) {
                bool near = f3_dot(own, f3_unit(face[around[k]])) > CREASE;
                all = f3_add(all, face[around[k]]);
                sum = near ? f3_add(sum, face[around[k]]) : sum;
                f->edges += !near;
            }
            f->mean[c] = f3_norm(all) > 0 ? f3_unit(all) : own;
            f->normal[c] = f3_norm(sum) > 0 ? f3_unit(sum) : own;
            f->corner[c] = corner(m, (int)(c / 3), (int)(c % 3));
        }
    } else {
        plait_facets_free(f);
    }
    free(face);
    free(first);
    free(around);
    return ok;
}

// The middle of an edge, moved out to where a smooth surface would be: between its projections to the planes of both
// ends. The same from either side of the edge.
static plait_f3 edge_middle(plait_f3 a, plait_f3 na, plait_f3 b, plait_f3 nb)
{
    plait_f3 m = f3_scale(0.5f, f3_add(a, b));
    plait_f3 pa = f3_axpy(-f3_dot(f3_sub(m, a), na), na, m), pb = f3_axpy(-f3_dot(f3_sub(m, b), nb), nb, m);
    return f3_mix(m, f3_scale(0.5f, f3_add(pa, pb)), 0.6f);
}

// Each triangle into four.
static bool refine(plait_facets *f)
{
    plait_facets fine;
    if (!plait_facets_new(&fine, 4 * f->count)) {
        plait_facets_free(&fine);
        return false;
    }
    for (int t = 0; t < f->count; t++) {
        const plait_f3 *x = f->corner + 3 * (size_t)t, *n = f->normal + 3 * (size_t)t, *m = f->mean + 3 * (size_t)t;
        plait_f3 p[6], q[6], w[6];
        for (int k = 0; k < 3; k++) {
            int j = (k + 1) % 3;
            p[k] = x[k];
            q[k] = n[k];
            w[k] = m[k];
            p[3 + k] = edge_middle(x[k], m[k], x[j], m[j]);
            w[3 + k] = f3_unit(f3_add(m[k], m[j]));
            q[3 + k] = f3_unit(f3_add(n[k], n[j]));
        }
        static const int pick[12] = {0, 3, 5, 3, 1, 4, 5, 4, 2, 3, 4, 5};
        for (int k = 0; k < 12; k++) {
            fine.corner[12 * (size_t)t + (size_t)k] = p[pick[k]];
            fine.normal[12 * (size_t)t + (size_t)k] = q[pick[k]];
            fine.mean[12 * (size_t)t + (size_t)k] = w[pick[k]];
        }
    }
    plait_facets_free(f);
    *f = fine;
    return true;
}

// ---- into the scene -----------------------------------------------------------------------------------------------

bool plait_facets_add(plait_tracer *tracer, plait_parts *parts, plait_part part, plait_facets *f)
{
    int *index = malloc(3 * (size_t)f->count * sizeof *index + 4);
    if (!index) {
        plait_facets_free(f);
        free(part.tint);
        return false;
    }
    for (int i = 0; i < 3 * f->count; i++)
        index[i] = i;
    part.corner = f->corner;
    part.normal = f->normal;
    free(f->mean);
    int geometry = plait_tracer_add_triangles(tracer, 3 * f->count, &f->corner->x, f->count, index);
    free(index);
    return plait_parts_add(parts, geometry, part);
}

static bool add_mesh(plait_tracer *tracer, plait_parts *parts, plait_part part, mesh *m, bool made)
{
    plait_facets f = {0};
    bool ok = made && smooth_normals(m, &f);
    mesh_free(m);
    // What has edges all over is meant to have them: a box stays one.
    bool round = f.edges < f.count / 3;
    while (ok && round && f.count <= FINE / 4)
        ok = refine(&f);
    return ok && plait_facets_add(tracer, parts, part, &f);
}

static bool add_polyline(plait_tracer *tracer, plait_parts *parts, plait_part part, const double pose[7], int points,
                         const double *x, double radius)
{
    float *xyzr = malloc(4 * (size_t)points * sizeof *xyzr);
    unsigned *index = malloc((size_t)points * sizeof *index);
    bool ok = xyzr && index;
    for (int i = 0; i < points && ok; i++) {
        put(pose, x[3 * i], x[3 * i + 1], x[3 * i + 2], xyzr + 4 * (size_t)i);
        xyzr[4 * (size_t)i + 3] = (float)radius;
        index[i] = (unsigned)i;
    }
    if (ok)
        ok = plait_parts_add(
            parts, plait_tracer_add_curves(tracer, PLAIT_CURVE_LINEAR, points, xyzr, points - 1, index, false), part);
    free(xyzr);
    free(index);
    return ok;
}

bool plait_solid_add(plait_tracer *tracer, plait_parts *parts, plait_f3 colour, const plait_trajectory_body *body,
                     const double pose[7], const double *vertex, double size)
{
    const plait_shape *s = &body->shape;
    plait_part part = {.kind = PLAIT_PART_SOLID, .colour = colour};
    mesh m = {0};
    switch (s->kind) { // what Embree knows as it is
    case PLAIT_SHAPE_SPHERE: {
        float xyzr[4] = {(float)pose[0], (float)pose[1], (float)pose[2], (float)s->size[0]};
        return plait_parts_add(parts, plait_tracer_add_spheres(tracer, 1, xyzr), part);
    }
    case PLAIT_SHAPE_CAPSULE: {
        double axis[6] = {0, 0, -s->size[1], 0, 0, s->size[1]};
        return add_polyline(tracer, parts, part, pose, 2, axis, s->size[0]);
    }
    case PLAIT_SHAPE_CURVE:
        return s->points < 2 || add_polyline(tracer, parts, part, pose, s->points, s->point, s->size[0]);
    default: {
        bool made = shape_mesh(&m, s, pose, vertex, size);
        return made && !m.x ? true : add_mesh(tracer, parts, part, &m, made);
    }
    }
}

// Cloth and solids; points that no triangle has are left out.
bool plait_soft_add(plait_tracer *tracer, plait_parts *parts, const plait_trajectory_info *info, int i, const double *x)
{
    static const double still[7] = {0, 0, 0, 0, 0, 0, 1};
    plait_part part = {.kind = PLAIT_PART_SOLID};
    part.colour = plait_look_soft(info, i, &part.clear);
    mesh m = {0};
    bool made = shape_mesh(&m, &info->soft[i].shape, still, x, 1);
    return made && !m.x ? true : add_mesh(tracer, parts, part, &m, made);
}

void plait_solid_extent(const plait_trajectory_body *body, const double pose[7], const double *vertex,
                        void (*add)(const double point[3], void *data), void *data)
{
    const plait_shape *s = &body->shape;
    const plait_shape_type *type = plait_shape_type_of(s);
    double world[3], half[3];
    const double *x = vertex ? vertex : s->point;
    for (int i = 0; type->cells && i < s->points; i++) {
        to_world(pose, x + 3 * (size_t)i, world);
        add(world, data);
    }
    if (!type->extent)
        return;
    type->extent(s, half);
    for (int i = 0; i < 8; i++) {
        double local[3] = {i & 1 ? half[0] : -half[0], i & 2 ? half[1] : -half[1], i & 4 ? half[2] : -half[2]};
        to_world(pose, local, world);
        add(world, data);
    }
}

bool plait_solid_hides(const plait_trajectory_body *body, const double pose[7], const double eye[3])
{
    double z[3] = {0, 0, 1}, normal[3], way[3];
    turn(pose + 3, z, normal);
    plait_vec3_sub(eye, pose, way);
    return plait_shape_type_of(&body->shape)->flat && plait_vec3_dot(normal, way) < 0;
}

bool plait_solid_is_ground(const plait_trajectory_body *body, const double pose[7], const double up[3], double *height)
{
    double z[3] = {0, 0, 1}, normal[3];
    turn(pose + 3, z, normal);
    *height = plait_vec3_dot(up, pose);
    return plait_shape_type_of(&body->shape)->flat && plait_vec3_dot(normal, up) > 0.9999;
}
