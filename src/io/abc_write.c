// abc_write.c: a trajectory as an Alembic archive.
//
//     Xform NAME                 user properties: groom_version_major, _minor, groom_tool
//         Curves GROUP           linear, P, .velocities, width; arbitrary parameters: groom_id, groom_group_id,
//                                groom_group_name, groom_width, groom_root_uv, groom_guide, groom_color
//         Xform BODY             the pose of a collider or a rigid body, as a matrix
//             PolyMesh BODYShape its triangles; P over time if they move
//         PolyMesh SOFT          cloth and solids
//
// Faces go round clockwise, as Alembic has them. One frame is in memory at a time, and each is read once.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "io/ogawa.h"
#include "io/usda_write.h"
#include "math/quat.h"
#include "plait/version.h"

typedef struct curves {
    plait_export_group group;
    plait_abc_property *point, *velocity, *box;
    double widest;
} curves;

typedef struct surface {
    plait_abc_property *pose, *point, *box;
} surface;

typedef struct archive {
    plait_abc abc;
    plait_exporter *e;
    curves *curves;   // [groups]
    surface *surface; // [bodies]
    plait_export_body *body;
    int bodies;
    float *vector; // room for the vertices of any mesh
} archive;

#define CURVE "AbcGeom_Curve_v2"
#define MESH "AbcGeom_PolyMesh_v1"
#define XFORM "AbcGeom_Xform_v3"
#define GEOM_OBJECT(s) "schema=" s ";schemaBaseType=AbcGeom_GeomBase_v1;schemaObjTitle=" s ":.geom"
#define GEOM_SCHEMA(s) "schema=" s ";schemaBaseType=AbcGeom_GeomBase_v1"

// ---- objects -----------------------------------------------------------------------------------------------------

static plait_abc_property *add_compound(archive *a, plait_abc_property *parent, const char *name, const char *meta)
{
    return plait_abc_add(&a->abc, parent, name, PLAIT_ABC_COMPOUND, PLAIT_ABC_BOOL, 1, false, meta);
}

static plait_abc_property *add_points(archive *a, plait_abc_property *geom, bool animated)
{
    return plait_abc_add(&a->abc, geom, "P", PLAIT_ABC_ARRAY, PLAIT_ABC_F32, 3, animated,
                         "geoScope=vtx;interpretation=point");
}

static plait_abc_property *add_box(archive *a, plait_abc_property *geom, bool animated)
{
    return plait_abc_add(&a->abc, geom, ".selfBnds", PLAIT_ABC_SCALAR, PLAIT_ABC_F64, 6, animated,
                         "interpretation=box");
}

// A parameter of curves, with one value for all, each strand or each node.
static void add_parameter(archive *a, plait_abc_property *parent, const char *name, plait_abc_pod pod, int extent,
                          plait_export_spread spread, const char *means, const void *values, size_t count)
{
    static const char *const scope[] = {"con", "uni", "vtx"};
    char meta[160];
    const char *pod_name = pod == PLAIT_ABC_F32 ? "float32_t" : pod == PLAIT_ABC_I32 ? "int32_t" : "string";
    snprintf(meta, sizeof meta, "arrayExtent=1;geoScope=%s;interpretation=%s;isGeomParam=true;podExtent=%d;podName=%s",
             scope[spread], means, extent, pod_name);
    plait_abc_property *p = plait_abc_add(&a->abc, parent, name, PLAIT_ABC_ARRAY, pod, extent, false, meta);
    if (pod == PLAIT_ABC_STRING)
        plait_abc_text(&a->abc, p, values);
    else
        plait_abc_sample(&a->abc, p, values, count);
}

// One number for each strand of the group: list[fibre], or the fibre's own number.
static void add_numbers(archive *a, plait_abc_property *parent, const char *name, const plait_export_group *g,
                        const int *list)
{
    int32_t *values = malloc(((size_t)g->fibres + 1) * sizeof *values);
    a->abc.failed = a->abc.failed || !values;
    for (int n = 0; values && n < g->fibres; n++)
        values[n] = list ? list[g->fibre[n]] : g->fibre[n];
    if (values)
        add_parameter(a, parent, name, PLAIT_ABC_I32, 1, PLAIT_SPREAD_STRANDS, "", values, (size_t)g->fibres);
    free(values);
}

static void add_uv(archive *a, plait_abc_property *parent, plait_export_group *g)
{
    for (int n = 0; n < g->fibres; n++)
        memcpy(g->vector + 2 * n, a->e->strands.uv + 2 * (size_t)g->fibre[n], 2 * sizeof(float));
    add_parameter(a, parent, "groom_root_uv", PLAIT_ABC_F32, 2, PLAIT_SPREAD_STRANDS, "vector", g->vector,
                  (size_t)g->fibres);
}

// What Unreal reads of a groom; none of it changes over time.
static void add_groom(archive *a, plait_abc_property *geom, plait_export_group *g, int group, double *widest)
{
    const plait_exporter *e = a->e;
    const char *name = e->info->group_name[group];
    int32_t number = group;
    plait_export_spread spread;
    const float *width = plait_export_group_widths(e, g, &spread);
    size_t widths = spread == PLAIT_SPREAD_ALL       ? 1
                    : spread == PLAIT_SPREAD_STRANDS ? (size_t)g->fibres
                                                     : (size_t)g->points;
    *widest = 0;
    for (size_t i = 0; width && i < widths; i++)
        *widest = fmax(*widest, (double)width[i]);
    if (width)
        add_parameter(a, geom, "width", PLAIT_ABC_F32, 1, spread, "", width, widths);
    plait_abc_property *groom = add_compound(a, geom, ".arbGeomParams", "");
    if (width)
        add_parameter(a, groom, "groom_width", PLAIT_ABC_F32, 1, spread, "", width, widths);
    add_numbers(a, groom, "groom_id", g, e->strands.id);
    add_parameter(a, groom, "groom_group_id", PLAIT_ABC_I32, 1, PLAIT_SPREAD_ALL, "", &number, 1);
    add_parameter(a, groom, "groom_group_name", PLAIT_ABC_STRING, 1, PLAIT_SPREAD_ALL, "", name, 1);
    if (e->strands.guide)
        add_numbers(a, groom, "groom_guide", g, e->strands.guide);
    if (e->strands.uv)
        add_uv(a, groom, g);
    if (e->strands.colour)
        add_parameter(a, groom, "groom_color", PLAIT_ABC_F32, 3, PLAIT_SPREAD_NODES, "rgb",
                      plait_export_group_nodes(e, g, e->strands.colour, 3), (size_t)g->points);
}

static void add_curves(archive *a, plait_abc_object *parent, const char *name, int group)
{
    static const uint8_t linear[4] = {1, 0, 0, 0}; // type, not periodic, no basis
    curves *c = &a->curves[group];
    plait_export_group *g = &c->group;
    plait_abc_object *o = plait_abc_add_object(&a->abc, parent, name, GEOM_OBJECT(CURVE));
    plait_abc_property *geom = o ? add_compound(a, &o->top, ".geom", GEOM_SCHEMA(CURVE)) : NULL;
    if (!geom)
        return;
    c->box = add_box(a, geom, true);
    c->point = add_points(a, geom, true);
    plait_abc_property *counts =
        plait_abc_add(&a->abc, geom, "nVertices", PLAIT_ABC_ARRAY, PLAIT_ABC_I32, 1, false, "");
    plait_abc_sample(&a->abc, counts, g->nodes, (size_t)g->fibres);
    plait_abc_property *kind =
        plait_abc_add(&a->abc, geom, "curveBasisAndType", PLAIT_ABC_SCALAR, PLAIT_ABC_U8, 4, false, "");
    plait_abc_sample(&a->abc, kind, linear, 1);
    if (a->e->frame->velocity)
        c->velocity = plait_abc_add(&a->abc, geom, ".velocities", PLAIT_ABC_ARRAY, PLAIT_ABC_F32, 3, true,
                                    "interpretation=vector");
    add_groom(a, geom, g, group, &c->widest);
}

static void add_mesh(archive *a, plait_abc_object *parent, const char *name, int body)
{
    const plait_shape *m = &a->body[body].mesh;
    surface *s = &a->surface[body];
    bool animated = a->body[body].kind == PLAIT_BODY_SOFT || a->body[body].body->animated;
    plait_abc_object *o = plait_abc_add_object(&a->abc, parent, name, GEOM_OBJECT(MESH));
    plait_abc_property *geom = o ? add_compound(a, &o->top, ".geom", GEOM_SCHEMA(MESH)) : NULL;
    int32_t *index = malloc((3 * (size_t)m->triangles + 1) * sizeof *index);
    if (!geom || !index) {
        a->abc.failed = true;
        free(index);
        return;
    }
    s->box = add_box(a, geom, animated);
    s->point = add_points(a, geom, animated);
    for (int i = 0; i < 3 * m->triangles; i++) // the other way round
        index[i] = m->triangle[3 * (i / 3) + (i % 3 == 0 ? 0 : 3 - i % 3)];
    plait_abc_property *p = plait_abc_add(&a->abc, geom, ".faceIndices", PLAIT_ABC_ARRAY, PLAIT_ABC_I32, 1, false, "");
    plait_abc_sample(&a->abc, p, index, 3 * (size_t)m->triangles);
    for (int i = 0; i < m->triangles; i++)
        index[i] = 3;
    p = plait_abc_add(&a->abc, geom, ".faceCounts", PLAIT_ABC_ARRAY, PLAIT_ABC_I32, 1, false, "");
    plait_abc_sample(&a->abc, p, index, (size_t)m->triangles);
    free(index);
}

// An Xform; matrix: it has one, which follows the frames.
static plait_abc_object *add_place(archive *a, plait_abc_object *parent, const char *name, plait_abc_property **schema,
                                   plait_abc_property **matrix)
{
    static const uint8_t yes = 1, op = 3 << 4; // a matrix
    plait_abc_object *o =
        plait_abc_add_object(&a->abc, parent, name, "schema=" XFORM ";schemaObjTitle=" XFORM ":.xform");
    plait_abc_property *x = o ? add_compound(a, &o->top, ".xform", "schema=" XFORM) : NULL;
    if (!x)
        return o;
    plait_abc_property *p = plait_abc_add(&a->abc, x, ".inherits", PLAIT_ABC_SCALAR, PLAIT_ABC_BOOL, 1, matrix, "");
    if (!matrix)
        plait_abc_sample(&a->abc, p, &yes, 1);
    if (matrix) {
        for (int k = 0; k < a->e->count; k++)
            plait_abc_sample(&a->abc, p, &yes, 1);
        p = plait_abc_add(&a->abc, x, ".ops", PLAIT_ABC_SCALAR, PLAIT_ABC_U8, 1, false, "");
        plait_abc_sample(&a->abc, p, &op, 1);
        *matrix = plait_abc_add(&a->abc, x, ".vals", PLAIT_ABC_SCALAR, PLAIT_ABC_F64, 16, true, "");
        p = plait_abc_add(&a->abc, x, "isNotConstantIdentity", PLAIT_ABC_SCALAR, PLAIT_ABC_BOOL, 1, false, "");
        plait_abc_sample(&a->abc, p, &yes, 1);
    }
    *schema = x;
    return o;
}

static void add_body(archive *a, plait_abc_object *parent, const char *name, int body)
{
    char shape[PLAIT_USDA_NAME + 8];
    plait_abc_property *schema;
    if (a->body[body].kind == PLAIT_BODY_SOFT) {
        add_mesh(a, parent, name, body);
        return;
    }
    plait_abc_object *o = add_place(a, parent, name, &schema, &a->surface[body].pose);
    snprintf(shape, sizeof shape, "%sShape", name);
    if (o && a->body[body].mesh.triangles > 0)
        add_mesh(a, o, shape, body);
}

static void add_version(archive *a, plait_abc_property *schema)
{
    static const int16_t major = 1, minor = 5; // of Unreal's description of grooms
    char tool[64];
    snprintf(tool, sizeof tool, "plait %s", plait_version());
    plait_abc_property *user = add_compound(a, schema, ".userProperties", "");
    plait_abc_property *p =
        plait_abc_add(&a->abc, user, "groom_version_major", PLAIT_ABC_SCALAR, PLAIT_ABC_I16, 1, false, "");
    plait_abc_sample(&a->abc, p, &major, 1);
    p = plait_abc_add(&a->abc, user, "groom_version_minor", PLAIT_ABC_SCALAR, PLAIT_ABC_I16, 1, false, "");
    plait_abc_sample(&a->abc, p, &minor, 1);
    p = plait_abc_add(&a->abc, user, "groom_tool", PLAIT_ABC_SCALAR, PLAIT_ABC_STRING, 1, false, "");
    plait_abc_text(&a->abc, p, tool);
}

// All objects, after the first frame was read: their shapes and where planes lie come from it.
static plait_status add_all(archive *a)
{
    plait_exporter *e = a->e;
    const plait_trajectory_info *info = e->info;
    char root[PLAIT_USDA_NAME], name[PLAIT_USDA_NAME];
    plait_status status = PLAIT_OK;
    a->body = plait_export_bodies(e, &a->bodies);
    if (!a->body)
        return PLAIT_NO_MEMORY;
    int most = 0, count = 0;
    for (int b = 0; b < a->bodies; b++)
        most = a->body[b].mesh.points > most ? a->body[b].mesh.points : most;
    char(*taken)[PLAIT_USDA_NAME] = calloc((size_t)(info->groups + a->bodies) + 1, sizeof *taken);
    a->curves = calloc((size_t)info->groups + 1, sizeof *a->curves);
    a->surface = calloc((size_t)a->bodies + 1, sizeof *a->surface);
    a->vector = malloc((3 * (size_t)most + 1) * sizeof *a->vector);
    if (!taken || !a->curves || !a->surface || !a->vector) {
        free(taken);
        return plait_error_set(e->error, PLAIT_NO_MEMORY, "%s: not enough memory", e->name);
    }
    plait_usda_name(info->name[0] ? info->name : "plait", 0, NULL, root);
    plait_abc_property *schema = NULL;
    plait_abc_object *top = add_place(a, &a->abc.root, root, &schema, NULL);
    if (schema)
        add_version(a, schema);
    for (int g = 0; top && g < info->groups && status == PLAIT_OK; g++) {
        status = plait_export_group_make(e, g, &a->curves[g].group);
        if (status != PLAIT_OK || a->curves[g].group.fibres == 0)
            continue;
        plait_usda_name(info->group_name[g], count, taken, name);
        memcpy(taken[count++], name, sizeof name);
        add_curves(a, top, name, g);
    }
    for (int b = 0; top && b < a->bodies && status == PLAIT_OK; b++) {
        plait_usda_name(a->body[b].body->name, count, taken, name);
        memcpy(taken[count++], name, sizeof name);
        add_body(a, top, name, b);
    }
    free(taken);
    return status;
}

// ---- frames ------------------------------------------------------------------------------------------------------

static void put_curves(archive *a, curves *c)
{
    const plait_exporter *e = a->e;
    double box[6];
    size_t points = (size_t)c->group.points;
    if (!c->point)
        return;
    plait_abc_sample(&a->abc, c->point, plait_export_group_vectors(e, &c->group, e->frame->position), points);
    plait_export_group_box(&c->group, c->widest, box);
    plait_abc_sample(&a->abc, c->box, box, 1);
    if (c->velocity)
        plait_abc_sample(&a->abc, c->velocity, plait_export_group_vectors(e, &c->group, e->frame->velocity), points);
}

// x -> x M, as Alembic has it: translation in the last row.
static void put_pose(archive *a, const surface *s, const double pose[7])
{
    double R[9], M[16] = {0};
    plait_quat_matrix(pose + 3, R);
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++)
            M[4 * i + j] = R[3 * j + i];
        M[12 + i] = pose[i];
    }
    M[15] = 1;
    plait_abc_sample(&a->abc, s->pose, M, 1);
}

static void put_body(archive *a, int body, bool first)
{
    const plait_export_body *b = &a->body[body];
    surface *s = &a->surface[body];
    if (s->pose)
        put_pose(a, s, plait_export_pose(a->e, b->kind, b->index));
    if (!s->point || !(first || s->point->animated))
        return;
    double *const *moved = b->kind == PLAIT_BODY_SOFT ? a->e->frame->soft : a->e->frame->vertex;
    const double *x = s->point->animated && moved[b->index] ? moved[b->index] : b->mesh.point;
    double box[6];
    plait_export_box_of(b->mesh.points, x, a->vector, box);
    plait_abc_sample(&a->abc, s->point, a->vector, (size_t)b->mesh.points);
    plait_abc_sample(&a->abc, s->box, box, 1);
}

static plait_status write_archive(archive *a)
{
    plait_exporter *e = a->e;
    double rate = plait_export_rate(e), *times = malloc((size_t)e->count * sizeof *times);
    plait_status status = times ? PLAIT_OK : plait_error_set(e->error, PLAIT_NO_MEMORY, "%s: no memory", e->name);
    plait_abc_begin(&a->abc);
    for (int k = 0; k < e->count && status == PLAIT_OK; k++) {
        times[k] = plait_export_code(e, k) / rate;
        status = plait_export_frame(e, k);
        if (status == PLAIT_OK && k == 0)
            status = add_all(a);
        for (int g = 0; status == PLAIT_OK && g < e->info->groups; g++)
            put_curves(a, &a->curves[g]);
        for (int b = 0; status == PLAIT_OK && b < a->bodies; b++)
            put_body(a, b, k == 0);
    }
    char about[160];
    snprintf(about, sizeof about, "_ai_AlembicVersion=Alembic 1.8.3 (plait %s);_ai_Application=plait %s",
             plait_version(), plait_version());
    if (status == PLAIT_OK && !plait_abc_end(&a->abc, times, e->count, rate, about))
        status = plait_error_set(e->error, PLAIT_NO_MEMORY, "%s: not enough memory", e->name);
    free(times);
    return status;
}

plait_status plait_export_abc(plait_exporter *e)
{
    archive a = {.e = e};
    plait_status status = plait_export_open(e, e->name, -1, "abc", &a.abc.sink);
    if (status != PLAIT_OK)
        return status;
    status = write_archive(&a);
    for (int g = 0; a.curves && g < e->info->groups; g++)
        plait_export_group_free(&a.curves[g].group);
    free(a.curves);
    free(a.surface);
    free(a.vector);
    plait_export_bodies_free(a.body, a.bodies);
    plait_abc_free(&a.abc);
    if (status == PLAIT_OK)
        return plait_export_close(e, &a.abc.sink);
    plait_sink_drop(&a.abc.sink);
    return status;
}
