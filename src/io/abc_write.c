// abc_write.c: a trajectory as an Alembic archive.
//
//     Xform NAME                 user properties: groom_version_major, _minor, groom_tool
//         Curves GROUP           linear, P, .velocities, width; arbitrary parameters: groom_id, groom_group_id,
//                                groom_group_name, groom_width, groom_root_uv, groom_guide, groom_color
//         Xform BODY             the pose of a collider or a rigid body, as a matrix
//             PolyMesh BODYShape its triangles; P over time if they move
//         PolyMesh SOFT          cloth and solids
//
// Faces go round clockwise, as Alembic has them. shot.h walks over frames and bodies.
#include <stdlib.h>
#include <string.h>

#include "io/ogawa.h"
#include "io/shot.h"
#include "math/quat.h"
#include "plait/version.h"

typedef struct curves {
    plait_abc_property *point, *velocity, *box;
} curves;

typedef struct surface {
    plait_abc_property *pose, *point, *box;
} surface;

typedef struct archive {
    plait_abc abc;
    plait_abc_object *top;
    curves *curves;   // [groups]
    surface *surface; // [bodies]
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

// One number for each strand of the group.
static void add_numbers(archive *a, plait_abc_property *parent, const char *name, const plait_export_group *g,
                        const int *list)
{
    int32_t *values = plait_export_group_numbers(g, list);
    a->abc.failed = a->abc.failed || !values;
    if (values)
        add_parameter(a, parent, name, PLAIT_ABC_I32, 1, PLAIT_SPREAD_STRANDS, "", values, (size_t)g->fibres);
    free(values);
}

// What Unreal reads of a groom; none of it changes over time.
static void add_groom(archive *a, plait_abc_property *geom, const plait_shot *s, int group)
{
    const plait_exporter *e = s->e;
    plait_export_group *g = &s->group[group];
    const char *name = e->info->group_name[group];
    int32_t number = group;
    plait_export_spread spread;
    size_t widths;
    const float *width = plait_export_group_widths(e, g, &spread, &widths, &s->widest[group]);
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
        add_parameter(a, groom, "groom_root_uv", PLAIT_ABC_F32, 2, PLAIT_SPREAD_STRANDS, "vector",
                      plait_export_group_pairs(g, e->strands.uv), (size_t)g->fibres);
    if (e->strands.colour)
        add_parameter(a, groom, "groom_color", PLAIT_ABC_F32, 3, PLAIT_SPREAD_NODES, "rgb",
                      plait_export_group_nodes(e, g, e->strands.colour, 3), (size_t)g->points);
}

static void add_curves(const plait_shot *s, const char *name, int group, void *data)
{
    static const uint8_t linear[4] = {1, 0, 0, 0}; // type, not periodic, no basis
    archive *a = data;
    curves *c = &a->curves[group];
    const plait_export_group *g = &s->group[group];
    plait_abc_object *o = plait_abc_add_object(&a->abc, a->top, name, GEOM_OBJECT(CURVE));
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
    if (s->e->frame->velocity)
        c->velocity = plait_abc_add(&a->abc, geom, ".velocities", PLAIT_ABC_ARRAY, PLAIT_ABC_F32, 3, true,
                                    "interpretation=vector");
    add_groom(a, geom, s, group);
}

static void add_mesh(archive *a, const plait_shot *shot, plait_abc_object *parent, const char *name, int body)
{
    const plait_shape *m = &shot->body[body].mesh;
    surface *s = &a->surface[body];
    bool animated = plait_shot_moves(shot, body);
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
static plait_abc_object *add_place(archive *a, int frames, plait_abc_object *parent, const char *name,
                                   plait_abc_property **schema, plait_abc_property **matrix)
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
        for (int k = 0; k < frames; k++)
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

static void add_body(const plait_shot *s, const char *name, int body, void *data)
{
    archive *a = data;
    char shape[PLAIT_USDA_NAME + 8];
    plait_abc_property *schema;
    if (s->body[body].kind == PLAIT_BODY_SOFT) {
        add_mesh(a, s, a->top, name, body);
        return;
    }
    plait_abc_object *o = add_place(a, s->e->count, a->top, name, &schema, &a->surface[body].pose);
    snprintf(shape, sizeof shape, "%sShape", name);
    if (o && s->body[body].mesh.triangles > 0)
        add_mesh(a, s, o, shape, body);
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

static bool begin(const plait_shot *s, const char *name, void *data)
{
    archive *a = data;
    a->curves = calloc((size_t)s->e->info->groups + 1, sizeof *a->curves);
    a->surface = calloc((size_t)s->bodies + 1, sizeof *a->surface);
    plait_abc_begin(&a->abc);
    plait_abc_property *schema = NULL;
    a->top = add_place(a, s->e->count, &a->abc.root, name, &schema, NULL);
    if (schema)
        add_version(a, schema);
    return a->curves && a->surface && schema;
}

// ---- frames ------------------------------------------------------------------------------------------------------

static void put_curves(const plait_shot *s, int group, void *data)
{
    archive *a = data;
    curves *c = &a->curves[group];
    plait_export_group *g = &s->group[group];
    const plait_trajectory_frame *f = s->e->frame;
    double box[6];
    size_t points = (size_t)g->points;
    if (!c->point)
        return;
    plait_abc_sample(&a->abc, c->point, plait_export_group_vectors(s->e, g, f->position), points);
    plait_export_group_box(g, s->widest[group], box);
    plait_abc_sample(&a->abc, c->box, box, 1);
    if (c->velocity)
        plait_abc_sample(&a->abc, c->velocity, plait_export_group_vectors(s->e, g, f->velocity), points);
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

static void put_body(const plait_shot *shot, int body, bool first, void *data)
{
    archive *a = data;
    const plait_export_body *b = &shot->body[body];
    surface *s = &a->surface[body];
    double box[6];
    if (s->pose)
        put_pose(a, s, plait_export_pose(shot->e, b->kind, b->index));
    if (!s->point || !plait_shot_vertices(shot, body, first, box))
        return;
    plait_abc_sample(&a->abc, s->point, shot->vector, (size_t)b->mesh.points);
    plait_abc_sample(&a->abc, s->box, box, 1);
}

static bool end(const plait_shot *s, void *data)
{
    archive *a = data;
    double rate = plait_export_rate(s->e);
    for (int k = 0; k < s->e->count; k++)
        s->code[k] /= rate; // [s]
    char about[160];
    snprintf(about, sizeof about, "_ai_AlembicVersion=Alembic 1.8.3 (plait %s);_ai_Application=plait %s",
             plait_version(), plait_version());
    return plait_abc_end(&a->abc, s->code, s->e->count, rate, about);
}

plait_status plait_export_abc(plait_exporter *e)
{
    static const plait_shot_format format = {
        .ending = "abc", .begin = begin, .add_curves = add_curves, .add_body = add_body, .put_curves = put_curves,
        .put_body = put_body, .end = end,
    };
    archive a = {0};
    plait_status status = plait_shot_write(e, &format, &a.abc.sink, &a);
    free(a.curves), free(a.surface);
    plait_abc_free(&a.abc);
    return status;
}
