// usdc_write.c: a trajectory as Pixar's USD in its binary form: the prims of usda_write.c, but bodies are all meshes.
// Each frame is read once, and one is in memory at a time.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "io/crate.h"
#include "io/usda_write.h"
#include "math/quat.h"

typedef struct curves {
    plait_export_group group;
    plait_crate_attribute *point, *velocity, *extent;
    double widest;
} curves;

typedef struct surface {
    plait_crate_attribute *translate, *orient, *point, *extent;
    double last[7]; // the pose before
} surface;

typedef struct stage {
    plait_crate crate;
    plait_exporter *e;
    curves *curves;   // [groups]
    surface *surface; // [bodies]
    plait_export_body *body;
    int bodies;
    float *vector; // room for the vertices of any mesh
} stage;

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
    int32_t *values = malloc(((size_t)g->fibres + 1) * sizeof *values);
    s->crate.failed = s->crate.failed || !values;
    for (int n = 0; values && n < g->fibres; n++)
        values[n] = list ? list[g->fibre[n]] : g->fibre[n];
    if (values)
        plait_crate_add(&s->crate, prim, name, "int[]", "uniform",
                        plait_crate_ints(&s->crate, values, (size_t)g->fibres));
    free(values);
}

static void add_widths(stage *s, plait_crate_prim *prim, curves *c)
{
    static const char *const spread_name[] = {"constant", "uniform", "vertex"};
    plait_export_spread spread;
    const float *width = plait_export_group_widths(s->e, &c->group, &spread);
    size_t count = spread == PLAIT_SPREAD_ALL       ? 1
                   : spread == PLAIT_SPREAD_STRANDS ? (size_t)c->group.fibres
                                                    : (size_t)c->group.points;
    for (size_t i = 0; width && i < count; i++)
        c->widest = fmax(c->widest, (double)width[i]);
    if (width)
        plait_crate_add(&s->crate, prim, "widths", "float[]", spread_name[spread],
                        plait_crate_floats(&s->crate, PLAIT_CRATE_FLOAT, width, count, 1));
}

static void add_colour(stage *s, plait_crate_prim *prim, plait_export_group *g, int index, bool body)
{
    const float *list = g ? s->e->strands.colour : NULL;
    double own[3];
    plait_usda_palette(index, body, own);
    const float c[3] = {(float)own[0], (float)own[1], (float)own[2]};
    const float *x = list ? plait_export_group_nodes(s->e, g, list, 3) : c;
    plait_crate_add(&s->crate, prim, "primvars:displayColor", "color3f[]", list ? "vertex" : "constant",
                    vectors(s, x, list ? (size_t)g->points : 1));
}

static void add_curves(stage *s, plait_crate_prim *parent, const char *name, int group)
{
    const plait_exporter *e = s->e;
    plait_crate *c = &s->crate;
    curves *k = &s->curves[group];
    plait_crate_prim *prim = plait_crate_add_prim(c, parent, name, "BasisCurves");
    add_uniform_token(s, prim, "type", e->linear ? "linear" : "cubic");
    if (!e->linear)
        add_uniform_token(s, prim, "basis", "catmullRom");
    add_uniform_token(s, prim, "wrap", e->linear ? "nonperiodic" : "pinned");
    plait_crate_add(c, prim, "curveVertexCounts", "int[]", NULL,
                    plait_crate_ints(c, k->group.nodes, (size_t)k->group.fibres));
    k->extent = plait_crate_add(c, prim, "extent", "float3[]", NULL, 0);
    add_widths(s, prim, k);
    add_colour(s, prim, &k->group, group, false);
    add_numbers(s, prim, "primvars:fibre", &k->group, NULL);
    if (e->strands.id)
        add_numbers(s, prim, "primvars:id", &k->group, e->strands.id);
    if (e->strands.guide)
        add_numbers(s, prim, "primvars:guide", &k->group, e->strands.guide);
    if (e->strands.uv) {
        for (int n = 0; n < k->group.fibres; n++)
            memcpy(k->group.vector + 2 * n, e->strands.uv + 2 * (size_t)k->group.fibre[n], 2 * sizeof(float));
        plait_crate_add(c, prim, "primvars:st", "texCoord2f[]", "uniform",
                        plait_crate_floats(c, PLAIT_CRATE_VEC2F, k->group.vector, (size_t)k->group.fibres, 2));
    }
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

static void put_curves(stage *s, curves *c)
{
    const plait_exporter *e = s->e;
    double box[6];
    size_t points = (size_t)c->group.points;
    if (!c->point)
        return;
    plait_crate_sample(&s->crate, c->point,
                       vectors(s, plait_export_group_vectors(e, &c->group, e->frame->position), points));
    plait_export_group_box(&c->group, c->widest, box);
    put_extent(s, c->extent, box);
    if (c->velocity)
        plait_crate_sample(&s->crate, c->velocity,
                           vectors(s, plait_export_group_vectors(e, &c->group, e->frame->velocity), points));
}

// ---- bodies ------------------------------------------------------------------------------------------------------

static void add_body(stage *s, plait_crate_prim *parent, const char *name, int body)
{
    static const char *const order[] = {"xformOp:translate", "xformOp:orient"};
    const plait_export_body *b = &s->body[body];
    plait_crate *c = &s->crate;
    surface *f = &s->surface[body];
    size_t triangles = (size_t)b->mesh.triangles;
    plait_crate_prim *prim = plait_crate_add_prim(c, parent, name, triangles > 0 ? "Mesh" : "Xform");
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
    add_colour(s, prim, NULL, body, true);
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

static void put_body(stage *s, int body, bool first)
{
    const plait_export_body *b = &s->body[body];
    surface *f = &s->surface[body];
    const double *now = plait_export_pose(s->e, b->kind, b->index);
    double pose[7];
    bool turned = !first && plait_quat_dot(now + 3, f->last + 3) < 0; // interpolation must not go the long way round
    for (int c = 0; c < 7; c++)
        pose[c] = c >= 3 && turned ? -now[c] + 0.0 : now[c];
    put_part(s, f->translate, PLAIT_CRATE_VEC3D, pose, f->last, 3);
    put_part(s, f->orient, PLAIT_CRATE_QUATD, pose + 3, f->last + 3, 4);
    memcpy(f->last, pose, sizeof pose);
    bool animated = b->kind == PLAIT_BODY_SOFT || b->body->animated;
    if (!f->point || !(first || animated))
        return;
    double *const *moved = b->kind == PLAIT_BODY_SOFT ? s->e->frame->soft : s->e->frame->vertex;
    double box[6];
    plait_export_box_of(b->mesh.points, animated && moved[b->index] ? moved[b->index] : b->mesh.point, s->vector, box);
    plait_crate_sample(&s->crate, f->point, vectors(s, s->vector, (size_t)b->mesh.points));
    put_extent(s, f->extent, box);
}

// ---- the stage ---------------------------------------------------------------------------------------------------

static plait_status add_bodies(stage *s, plait_crate_prim *root)
{
    static const char *const scope[] = {"colliders", "bodies", "soft"};
    plait_crate_prim *parent[3] = {NULL};
    char(*taken)[PLAIT_USDA_NAME] = calloc((size_t)s->bodies + 1, sizeof *taken), name[PLAIT_USDA_NAME];
    if (!taken)
        return plait_error_set(s->e->error, PLAIT_NO_MEMORY, "%s: not enough memory", s->e->name);
    for (int b = 0; b < s->bodies; b++) {
        int kind = s->body[b].kind;
        if (!parent[kind])
            parent[kind] = plait_crate_add_prim(&s->crate, root, scope[kind], "Scope");
        plait_usda_name(s->body[b].body->name, b, taken, name);
        memcpy(taken[b], name, sizeof name);
        add_body(s, parent[kind], name, b);
    }
    free(taken);
    return PLAIT_OK;
}

// All prims, after the first frame was read.
static plait_status add_all(stage *s)
{
    plait_exporter *e = s->e;
    const plait_trajectory_info *info = e->info;
    char name[PLAIT_USDA_NAME];
    int most = 0, count = 0;
    plait_status status = PLAIT_OK;
    s->body = plait_export_bodies(e, &s->bodies);
    if (!s->body)
        return PLAIT_NO_MEMORY;
    for (int b = 0; b < s->bodies; b++)
        most = s->body[b].mesh.points > most ? s->body[b].mesh.points : most;
    char(*taken)[PLAIT_USDA_NAME] = calloc((size_t)info->groups + 4, sizeof *taken);
    s->curves = calloc((size_t)info->groups + 1, sizeof *s->curves);
    s->surface = calloc((size_t)s->bodies + 1, sizeof *s->surface);
    s->vector = malloc((3 * (size_t)most + 1) * sizeof *s->vector);
    if (!taken || !s->curves || !s->surface || !s->vector) {
        free(taken);
        return plait_error_set(e->error, PLAIT_NO_MEMORY, "%s: not enough memory", e->name);
    }
    plait_usda_name(info->name[0] ? info->name : "plait", 0, NULL, name);
    plait_crate_prim *root = plait_crate_add_prim(&s->crate, &s->crate.root, name, "Xform");
    for (int i = 0; i < 3; i++)
        snprintf(taken[count++], PLAIT_USDA_NAME, "%s", i == 0 ? "colliders" : i == 1 ? "bodies" : "soft");
    for (int g = 0; root && g < info->groups && status == PLAIT_OK; g++) {
        status = plait_export_group_make(e, g, &s->curves[g].group);
        if (status != PLAIT_OK || s->curves[g].group.fibres == 0)
            continue;
        plait_usda_name(info->group_name[g], count, taken, name);
        memcpy(taken[count++], name, sizeof name);
        add_curves(s, root, name, g);
    }
    free(taken);
    return status == PLAIT_OK && root ? add_bodies(s, root) : status;
}

static plait_status write_stage(stage *s)
{
    plait_exporter *e = s->e;
    double *codes = malloc((size_t)e->count * sizeof *codes);
    plait_status status = codes ? PLAIT_OK : plait_error_set(e->error, PLAIT_NO_MEMORY, "%s: no memory", e->name);
    plait_crate_begin(&s->crate);
    for (int k = 0; k < e->count && status == PLAIT_OK; k++) {
        codes[k] = e->trajectory ? plait_export_code(e, k) : 0;
        status = plait_export_frame(e, k);
        if (status == PLAIT_OK && k == 0)
            status = add_all(s);
        for (int g = 0; status == PLAIT_OK && g < e->info->groups; g++)
            put_curves(s, &s->curves[g]);
        for (int b = 0; status == PLAIT_OK && b < s->bodies; b++)
            put_body(s, b, k == 0);
    }
    if (status == PLAIT_OK) {
        plait_crate_stage about = {.unit = e->unit, .y_up = e->y_up, .animated = e->trajectory != NULL};
        about.first = codes[0], about.last = codes[e->count - 1], about.rate = plait_export_rate(e);
        if (!plait_crate_end(&s->crate, &about, codes, (size_t)e->count))
            status = plait_error_set(e->error, PLAIT_NO_MEMORY, "%s: not enough memory", e->name);
    }
    free(codes);
    return status;
}

plait_status plait_export_usdc(plait_exporter *e)
{
    stage s = {.e = e};
    plait_status status = plait_export_open(e, e->name, -1, "usdc", &s.crate.sink);
    if (status != PLAIT_OK)
        return status;
    status = write_stage(&s);
    for (int g = 0; s.curves && g < e->info->groups; g++)
        plait_export_group_free(&s.curves[g].group);
    free(s.curves);
    free(s.surface);
    free(s.vector);
    plait_export_bodies_free(s.body, s.bodies);
    plait_crate_free(&s.crate);
    if (status == PLAIT_OK)
        return plait_export_close(e, &s.crate.sink);
    plait_sink_drop(&s.crate.sink);
    return status;
}
