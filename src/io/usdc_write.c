// usdc_write.c: a trajectory as Pixar's USD in its binary form: the prims of usda_write.c, but bodies are all meshes.
// shot.h walks over frames and bodies.
#include <stdlib.h>
#include <string.h>

#include "io/crate.h"
#include "io/shot.h"
#include "math/quat.h"

typedef struct curves {
    plait_crate_attribute *point, *velocity, *extent;
} curves;

typedef struct surface {
    plait_crate_attribute *translate, *orient, *point, *extent;
    double last[7]; // the pose before
} surface;

typedef struct stage {
    plait_crate crate;
    plait_crate_prim *root, *scope[3]; // scope: of each kind of body that there is
    curves *curves;                    // [groups]
    surface *surface;                  // [bodies]
} stage;

static const char *const scopes[] = {"colliders", "bodies", "soft", NULL};

// ---- curves ------------------------------------------------------------------------------------------------------

static void add_uniform_token(stage *s, plait_crate_prim *prim, const char *name, const char *value)
{
    plait_crate_attribute *a =
        plait_crate_add(&s->crate, prim, name, "token", NULL, plait_crate_token(&s->crate, value));
    if (a)
        a->uniform = true;
}

static uint64_t vectors(stage *s, const float *x, size_t count)
{
    return plait_crate_floats(&s->crate, PLAIT_CRATE_VEC3F, x, count, 3);
}

static void add_numbers(stage *s, plait_crate_prim *prim, const char *name, const plait_export_group *g,
                        const int *list)
{
    int32_t *values = plait_export_group_numbers(g, list);
    s->crate.failed = s->crate.failed || !values;
    if (values)
        plait_crate_add(&s->crate, prim, name, "int[]", "uniform",
                        plait_crate_ints(&s->crate, values, (size_t)g->fibres));
    free(values);
}

static void add_widths(stage *s, plait_crate_prim *prim, const plait_shot *shot, int group)
{
    static const char *const spread_name[] = {"constant", "uniform", "vertex"};
    plait_export_spread spread;
    size_t count;
    const float *width = plait_export_group_widths(shot->e, &shot->group[group], &spread, &count, &shot->widest[group]);
    if (width)
        plait_crate_add(&s->crate, prim, "widths", "float[]", spread_name[spread],
                        plait_crate_floats(&s->crate, PLAIT_CRATE_FLOAT, width, count, 1));
}

// colour: [3 points], or NULL: the one of the palette.
static void add_colour(stage *s, plait_crate_prim *prim, int index, bool body, const float *colour, int points)
{
    double own[3];
    plait_usda_palette(index, body, own);
    const float c[3] = {(float)own[0], (float)own[1], (float)own[2]};
    plait_crate_add(&s->crate, prim, "primvars:displayColor", "color3f[]", colour ? "vertex" : "constant",
                    vectors(s, colour ? colour : c, colour ? (size_t)points : 1));
}

static void add_curves(const plait_shot *shot, const char *name, int group, void *data)
{
    stage *s = data;
    const plait_exporter *e = shot->e;
    plait_crate *c = &s->crate;
    curves *k = &s->curves[group];
    plait_export_group *g = &shot->group[group];
    plait_crate_prim *prim = plait_crate_add_prim(c, s->root, name, "BasisCurves");
    add_uniform_token(s, prim, "type", e->linear ? "linear" : "cubic");
    if (!e->linear)
        add_uniform_token(s, prim, "basis", "catmullRom");
    add_uniform_token(s, prim, "wrap", e->linear ? "nonperiodic" : "pinned");
    plait_crate_add(c, prim, "curveVertexCounts", "int[]", NULL, plait_crate_ints(c, g->nodes, (size_t)g->fibres));
    k->extent = plait_crate_add(c, prim, "extent", "float3[]", NULL, 0);
    add_widths(s, prim, shot, group);
    const float *colour = e->strands.colour;
    add_colour(s, prim, group, false, colour ? plait_export_group_nodes(e, g, colour, 3) : NULL, g->points);
    add_numbers(s, prim, "primvars:fibre", g, NULL);
    if (e->strands.id)
        add_numbers(s, prim, "primvars:id", g, e->strands.id);
    if (e->strands.guide)
        add_numbers(s, prim, "primvars:guide", g, e->strands.guide);
    if (e->strands.uv)
        plait_crate_add(
            c, prim, "primvars:st", "texCoord2f[]", "uniform",
            plait_crate_floats(c, PLAIT_CRATE_VEC2F, plait_export_group_pairs(g, e->strands.uv), (size_t)g->fibres, 2));
    k->point = plait_crate_add(c, prim, "points", "point3f[]", NULL, 0);
    if (e->frame->velocity)
        k->velocity = plait_crate_add(c, prim, "velocities", "vector3f[]", NULL, 0);
}

static void put_extent(stage *s, plait_crate_attribute *a, const double box[6])
{
    float x[6];
    for (int i = 0; i < 6; i++)
        x[i] = (float)box[i];
    plait_crate_sample(&s->crate, a, vectors(s, x, 2));
}

static void put_curves(const plait_shot *shot, int group, void *data)
{
    stage *s = data;
    const plait_trajectory_frame *f = shot->e->frame;
    plait_export_group *g = &shot->group[group];
    curves *c = &s->curves[group];
    double box[6];
    size_t points = (size_t)g->points;
    if (!c->point)
        return;
    plait_crate_sample(&s->crate, c->point, vectors(s, plait_export_group_vectors(shot->e, g, f->position), points));
    plait_export_group_box(g, shot->widest[group], box);
    put_extent(s, c->extent, box);
    if (c->velocity)
        plait_crate_sample(&s->crate, c->velocity,
                           vectors(s, plait_export_group_vectors(shot->e, g, f->velocity), points));
}

// ---- bodies ------------------------------------------------------------------------------------------------------

static void add_body(const plait_shot *shot, const char *name, int body, void *data)
{
    static const char *const order[] = {"xformOp:translate", "xformOp:orient"};
    stage *s = data;
    const plait_export_body *b = &shot->body[body];
    plait_crate *c = &s->crate;
    surface *f = &s->surface[body];
    size_t triangles = (size_t)b->mesh.triangles;
    if (!s->scope[b->kind])
        s->scope[b->kind] = plait_crate_add_prim(c, s->root, scopes[b->kind], "Scope");
    plait_crate_prim *prim = plait_crate_add_prim(c, s->scope[b->kind], name, triangles > 0 ? "Mesh" : "Xform");
    if (b->kind != PLAIT_BODY_SOFT) {
        f->translate = plait_crate_add(c, prim, order[0], "double3", NULL, 0);
        f->orient = plait_crate_add(c, prim, order[1], "quatd", NULL, 0);
        plait_crate_attribute *a =
            plait_crate_add(c, prim, "xformOpOrder", "token[]", NULL, plait_crate_tokens(c, order, 2));
        if (a)
            a->uniform = true;
    }
    if (triangles == 0)
        return;
    int32_t *three = malloc(triangles * sizeof *three);
    c->failed = c->failed || !three;
    for (size_t i = 0; three && i < triangles; i++)
        three[i] = 3;
    if (three)
        plait_crate_add(c, prim, "faceVertexCounts", "int[]", NULL, plait_crate_ints(c, three, triangles));
    free(three);
    plait_crate_add(c, prim, "faceVertexIndices", "int[]", NULL, plait_crate_ints(c, b->mesh.triangle, 3 * triangles));
    add_uniform_token(s, prim, "subdivisionScheme", "none");
    add_colour(s, prim, body, true, NULL, 0);
    f->extent = plait_crate_add(c, prim, "extent", "float3[]", NULL, 0);
    f->point = plait_crate_add(c, prim, "points", "point3f[]", NULL, 0);
}

// A value that is as before is told by its place again.
static void put_part(stage *s, plait_crate_attribute *a, plait_crate_type type, const double *x, const double *last,
                     int count)
{
    bool same = a && a->samples > 0 && memcmp(x, last, (size_t)count * sizeof *x) == 0;
    if (a)
        plait_crate_sample(&s->crate, a,
                           same ? a->sample[a->samples - 1] : plait_crate_doubles(&s->crate, type, x, (size_t)count));
}

static void put_body(const plait_shot *shot, int body, bool first, void *data)
{
    stage *s = data;
    const plait_export_body *b = &shot->body[body];
    surface *f = &s->surface[body];
    const double *now = plait_export_pose(shot->e, b->kind, b->index);
    double pose[7], box[6];
    bool turned = !first && plait_quat_dot(now + 3, f->last + 3) < 0; // interpolation must not go the long way round
    for (int c = 0; c < 7; c++)
        pose[c] = c >= 3 && turned ? -now[c] + 0.0 : now[c];
    put_part(s, f->translate, PLAIT_CRATE_VEC3D, pose, f->last, 3);
    put_part(s, f->orient, PLAIT_CRATE_QUATD, pose + 3, f->last + 3, 4);
    memcpy(f->last, pose, sizeof pose);
    if (!f->point || !plait_shot_vertices(shot, body, first, box))
        return;
    plait_crate_sample(&s->crate, f->point, vectors(s, shot->vector, (size_t)b->mesh.points));
    put_extent(s, f->extent, box);
}

// ---- the stage ---------------------------------------------------------------------------------------------------

static bool begin(const plait_shot *shot, const char *name, void *data)
{
    stage *s = data;
    s->curves = calloc((size_t)shot->e->info->groups + 1, sizeof *s->curves);
    s->surface = calloc((size_t)shot->bodies + 1, sizeof *s->surface);
    plait_crate_begin(&s->crate);
    s->root = plait_crate_add_prim(&s->crate, &s->crate.root, name, "Xform");
    return s->curves && s->surface && s->root;
}

static bool end(const plait_shot *shot, void *data)
{
    stage *s = data;
    const plait_exporter *e = shot->e;
    plait_crate_stage about = {.unit = e->unit, .y_up = e->y_up, .animated = e->trajectory != NULL};
    about.first = shot->code[0], about.last = shot->code[e->count - 1], about.rate = plait_export_rate(e);
    return plait_crate_end(&s->crate, &about, shot->code, (size_t)e->count);
}

plait_status plait_export_usdc(plait_exporter *e)
{
    static const plait_shot_format format = {
        .ending = "usdc", .reserved = scopes, .apart = true, .begin = begin, .add_curves = add_curves,
        .add_body = add_body, .put_curves = put_curves, .put_body = put_body, .end = end,
    };
    stage s = {0};
    plait_status status = plait_shot_write(e, &format, &s.crate.sink, &s);
    free(s.curves), free(s.surface);
    plait_crate_free(&s.crate);
    return status;
}
