// usda_bodies.c: colliders, rigid and soft bodies as prims of USD, and their motion.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "io/usda_write.h"
#include "math/quat.h"
#include "math/vec3.h"

static const double *pose_of(const plait_usda *u, int k, int body)
{
    return u->pose + 7 * ((size_t)k * (size_t)u->bodies + (size_t)body);
}

static bool moves(const plait_usda *u, int body, int from, int count)
{
    for (int k = 1; k < u->e->count; k++)
        if (memcmp(pose_of(u, k, body) + from, pose_of(u, 0, body) + from, (size_t)count * sizeof(double)) != 0)
            return true;
    return false;
}

// scale: half extents of a box, which is a cube of size 2 in USD; NULL: none.
static void write_motion(plait_usda *u, int body, const double *scale)
{
    bool many = moves(u, body, 0, 3);
    plait_usda_begin_samples(u, "double3 xformOp:translate", many);
    for (int k = 0; k < (many ? u->e->count : 1); k++) {
        plait_usda_sample(u, k, many);
        plait_sink_text(&u->sink, "(");
        plait_sink_vector(&u->sink, pose_of(u, k, body), ", ", false);
        plait_sink_text(&u->sink, ")");
        plait_usda_end_sample(u, many);
    }
    plait_usda_end_samples(u, many);
    many = moves(u, body, 3, 4);
    plait_usda_begin_samples(u, "quatd xformOp:orient", many);
    double last[4] = {0, 0, 0, 1};
    for (int k = 0; k < (many ? u->e->count : 1); k++) {
        double q[4];
        memcpy(q, pose_of(u, k, body) + 3, sizeof q);
        double sign = k > 0 && plait_quat_dot(q, last) < 0 ? -1 : 1; // interpolation must not go the long way round
        for (int c = 0; c < 4; c++)
            last[c] = sign * q[c] + 0.0;
        plait_usda_sample(u, k, many);
        plait_sink_text(&u->sink, "(");
        plait_sink_real(&u->sink, last[3]); // the scalar comes first
        plait_sink_text(&u->sink, ", ");
        plait_sink_vector(&u->sink, last, ", ", false);
        plait_sink_text(&u->sink, ")");
        plait_usda_end_sample(u, many);
    }
    plait_usda_end_samples(u, many);
    if (scale) {
        plait_usda_indent(u);
        plait_sink_text(&u->sink, "double3 xformOp:scale = (");
        plait_sink_vector(&u->sink, scale, ", ", false);
        plait_sink_text(&u->sink, ")\n");
    }
    plait_usda_line(u, "uniform token[] xformOpOrder = [\"xformOp:translate\", \"xformOp:orient\"%s]",
                    scale ? ", \"xformOp:scale\"" : "");
}

static void write_extent(plait_usda *u, const double half[3])
{
    double x[6];
    for (int c = 0; c < 3; c++)
        x[c] = -half[c], x[3 + c] = half[c];
    plait_usda_indent(u);
    plait_sink_text(&u->sink, "float3[] extent = ");
    plait_usda_points(u, 2, x);
    plait_sink_text(&u->sink, "\n");
}

static void write_real(plait_usda *u, const char *declaration, double value)
{
    plait_usda_indent(u);
    plait_sink_print(&u->sink, "%s = ", declaration);
    plait_sink_real(&u->sink, value);
    plait_sink_text(&u->sink, "\n");
}

static void write_box(plait_usda *u, int count, const double *x)
{
    double box[6] = {0};
    for (int c = 0; c < 3 && count > 0; c++) {
        box[c] = INFINITY, box[3 + c] = -INFINITY;
        for (int i = 0; i < count; i++) {
            box[c] = fmin(box[c], x[3 * (size_t)i + (size_t)c]);
            box[3 + c] = fmax(box[3 + c], x[3 * (size_t)i + (size_t)c]);
        }
    }
    plait_usda_indent(u);
    plait_sink_text(&u->sink, "float3[] extent = ");
    plait_usda_points(u, 2, box);
    plait_sink_text(&u->sink, "\n");
}

static void write_indices(plait_usda *u, const plait_shape *m)
{
    plait_usda_indent(u);
    plait_sink_text(&u->sink, "int[] faceVertexCounts = [");
    for (int i = 0; i < m->triangles; i++)
        plait_sink_text(&u->sink, i ? ", 3" : "3");
    plait_sink_text(&u->sink, "]\n");
    plait_usda_indent(u);
    plait_sink_text(&u->sink, "int[] faceVertexIndices = [");
    for (int i = 0; i < 3 * m->triangles; i++) {
        plait_sink_text(&u->sink, i ? ", " : "");
        plait_sink_int(&u->sink, m->triangle[i]);
    }
    plait_sink_text(&u->sink, "]\n");
}

// Points over time of an animated mesh; the boxes are not written then, since they would be needed before.
static plait_status write_animation(plait_usda *u, plait_export_kind kind, int index, int points)
{
    plait_exporter *e = u->e;
    bool many = e->count > 1;
    plait_usda_begin_samples(u, "point3f[] points", many);
    for (int k = 0; k < e->count; k++) {
        plait_status status = plait_export_frame(e, k);
        if (status != PLAIT_OK)
            return status;
        plait_usda_sample(u, k, many);
        plait_usda_points(u, points, kind == PLAIT_BODY_SOFT ? e->frame->soft[index] : e->frame->vertex[index]);
        plait_usda_end_sample(u, many);
    }
    plait_usda_end_samples(u, many);
    return PLAIT_OK;
}

// animated: which of its kind; -1: it is not.
static plait_status write_mesh(plait_usda *u, const plait_shape *m, plait_export_kind kind, int animated, bool closed)
{
    write_indices(u, m);
    plait_usda_line(u, "uniform token subdivisionScheme = \"none\"");
    if (!closed)
        plait_usda_line(u, "uniform bool doubleSided = 1");
    if (animated >= 0)
        return write_animation(u, kind, animated, m->points);
    write_box(u, m->points, m->point);
    plait_usda_indent(u);
    plait_sink_text(&u->sink, "point3f[] points = ");
    plait_usda_points(u, m->points, m->point);
    plait_sink_text(&u->sink, "\n");
    return PLAIT_OK;
}

// What USD has no prim for: a plane as a square about the fibres, a curve as a tube, so that no curve in the file is
// anything but a fibre.
static plait_status write_surface(plait_usda *u, const plait_shape *s, int body)
{
    double middle[3], size[3], d[3], local[3], R[9];
    const double *pose = pose_of(u, 0, body);
    for (int c = 0; c < 3; c++)
        middle[c] = 0.5 * (u->low[c] + u->high[c]);
    plait_vec3_sub(u->high, u->low, size);
    plait_vec3_sub(middle, pose, d);
    plait_quat_matrix(pose + 3, R);
    plait_mat3_apply_transposed(R, d, local);
    plait_shape mesh;
    plait_shape_detail detail = {.centre = {local[0], local[1], local[2]}, .half = 1.5 * plait_vec3_norm(size)};
    if (!plait_shape_to_mesh(s, &detail, &mesh))
        return plait_error_set(u->e->error, PLAIT_NO_MEMORY, "%s: not enough memory", u->e->name);
    plait_status status = write_mesh(u, &mesh, PLAIT_BODY_COLLIDER, -1, s->kind != PLAIT_SHAPE_PLANE);
    free(mesh.point);
    free(mesh.triangle);
    return status;
}

static plait_status write_shape(plait_usda *u, const plait_trajectory_body *b, int body)
{
    int index;
    plait_export_kind kind = plait_export_find(u->e->info, body, &index);
    const plait_shape *s = &b->shape;
    double r = s->size[0], h = s->size[1];
    switch (s->kind) {
    case PLAIT_SHAPE_NONE:
        break;
    case PLAIT_SHAPE_SPHERE:
        write_real(u, "double radius", r);
        write_extent(u, (double[3]){r, r, r});
        break;
    case PLAIT_SHAPE_CAPSULE:
    case PLAIT_SHAPE_CYLINDER:
        write_real(u, "double radius", r);
        write_real(u, "double height", 2 * h);
        plait_usda_line(u, "uniform token axis = \"Z\"");
        write_extent(u, (double[3]){r, r, s->kind == PLAIT_SHAPE_CAPSULE ? h + r : h});
        break;
    case PLAIT_SHAPE_BOX:
        write_real(u, "double size", 2);
        write_extent(u, (double[3]){1, 1, 1});
        break;
    case PLAIT_SHAPE_MESH:
        return write_mesh(u, s, kind, b->animated ? index : -1, s->closed);
    default:
        return write_surface(u, s, body);
    }
    return PLAIT_OK;
}

static plait_status write_body(plait_usda *u, const plait_trajectory_body *b, int body, const char *name)
{
    static const char *const types[PLAIT_SHAPE_CYLINDER + 1] = {
        [PLAIT_SHAPE_NONE] = "Xform", [PLAIT_SHAPE_SPHERE] = "Sphere",     [PLAIT_SHAPE_CAPSULE] = "Capsule",
        [PLAIT_SHAPE_BOX] = "Cube",   [PLAIT_SHAPE_CYLINDER] = "Cylinder",
    };
    const char *type = b->shape.kind <= PLAIT_SHAPE_CYLINDER ? types[b->shape.kind] : NULL;
    plait_usda_open(u, type ? type : "Mesh", name);
    write_motion(u, body, b->shape.kind == PLAIT_SHAPE_BOX ? b->shape.size : NULL);
    if (b->shape.kind != PLAIT_SHAPE_NONE)
        plait_usda_colour(u, body, true);
    plait_status status = write_shape(u, b, body);
    plait_usda_end(u);
    return status;
}

static plait_status write_list(plait_usda *u, const char *scope, int count, const plait_trajectory_body *list,
                               int first)
{
    if (count == 0)
        return PLAIT_OK;
    char(*taken)[PLAIT_USDA_NAME] = calloc((size_t)count, sizeof *taken);
    if (!taken)
        return plait_error_set(u->e->error, PLAIT_NO_MEMORY, "%s: not enough memory", u->e->name);
    plait_usda_open(u, "Scope", scope);
    plait_status status = PLAIT_OK;
    for (int i = 0; i < count && status == PLAIT_OK; i++) {
        char name[PLAIT_USDA_NAME];
        plait_usda_name(list[i].name, i, taken, name);
        memcpy(taken[i], name, sizeof name);
        status = write_body(u, &list[i], first + i, name);
    }
    plait_usda_end(u);
    free(taken);
    return status;
}

plait_status plait_usda_write_bodies(plait_usda *u)
{
    const plait_trajectory_info *info = u->e->info;
    plait_status status = write_list(u, "colliders", info->colliders, info->collider, 0);
    if (status == PLAIT_OK)
        status = write_list(u, "bodies", info->rigids, info->rigid, info->colliders);
    if (status == PLAIT_OK)
        status = write_list(u, "soft", info->softs, info->soft, info->colliders + info->rigids);
    return status;
}
