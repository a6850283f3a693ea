// schema_map.c: what differs from root to root: factors that a vertex attribute of the skin, a picture on it, or a
// list of numbers for its vertices says.
//
// The root of a fibre is on the nearest triangle of the mesh that carries it. There the corners' numbers are mixed by
// the weights of the place; of a picture it is the texture coordinates that are mixed. value -> low + (high - low)
// value.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "body/body.h"
#include "collide/anchor.h"
#include "file/columns.h"
#include "file/mesh.h"
#include "file/picture.h"
#include "math/vec3.h"
#include "scene/gen_common.h"
#include "scene/gen_field.h"
#include "scene/schema_scene.h"

static const double STUB = 0.02; // of the length is left at least

static const char *channel_word(int i)
{
    static const char *const words[] = {"red", "green", "blue", "alpha", NULL};
    return words[i];
}

static void init_map(void *out)
{
    *(plait_doc_map *)out = (plait_doc_map){.high = 1};
}

void plait_doc_init_maps(plait_doc_map *map)
{
    for (int k = 0; k < PLAIT_DOC_MAPS; k++)
        init_map(&map[k]);
}

#define K(type, key, field, unit, help, ...) PLAIT_KEY(type, key, plait_doc_map, field, unit, help, __VA_ARGS__)
static const plait_schema_key map_keys[] = {
    K(TEXT, "attribute", attribute, NONE, "of the mesh, by its name: of vertices, faces or corners; `color`: theirs",
      PLAIT_DEFAULT("one of the three")),
    K(FILE, "image", image, NONE, "PNG, by the texture coordinates of the mesh; 0 is black, 1 is white",
      PLAIT_DEFAULT("one of the three")),
    K(FILE, "values", values, NONE, "CSV: a number for each vertex of the mesh", PLAIT_DEFAULT("one of the three")),
    K(CHOICE, "channel", channel, NONE, "`image`, or an attribute with several numbers", PLAIT_WORDS(channel_word)),
    K(REAL, "low", low, NONE, "what 0 stands for", PLAIT_RANGE(-1e6, 1e6)),
    K(REAL, "high", high, NONE, "what 1 stands for; straight between them and beyond", PLAIT_RANGE(-1e6, 1e6)),
    PLAIT_KEYS_END,
};
#undef K
static const plait_schema map_table = {"map", "One map of `fibres.NAME.maps` (see [maps](#maps-and-ramps)).", map_keys,
                                       sizeof(plait_doc_map), init_map};

static void init_nothing(void *out)
{
    (void)out; // part of a struct that is there already
}

#define M(name_, which_, help_)                                                                                        \
    {                                                                                                                  \
        .name = name_, .type = PLAIT_KEY_MAP, .offset = offsetof(plait_doc_fibre, map[which_]), .table = &map_table,   \
        .help = help_                                                                                                  \
    }
static const plait_schema_key maps_keys[] = {
    M("stiffness", PLAIT_DOC_STIFFNESS, "factor of the moduli"),
    M("curl", PLAIT_DOC_CURL, "factor of the natural curvature and twist"),
    M("length", PLAIT_DOC_LENGTH, "the part of the drawn length that is left: at most 1, at least 0.02"),
    M("friction", PLAIT_DOC_FRICTION, "factor of mu at its contacts; of two fibres both count"),
    M("mass", PLAIT_DOC_MASS, "factor of the density"),
    PLAIT_KEYS_END,
};
#undef M
const plait_schema plait_schema_maps = {NULL, NULL, maps_keys, sizeof(plait_doc_fibre), init_nothing};

// ---- from files to numbers ------------------------------------------------------------------------------------------

// What one map is read from.
typedef struct source {
    const plait_doc_map *doc;
    plait_mesh_map corners; // an attribute, or texture coordinates
    plait_picture picture;
    double *vertex; // CSV
    int vertices;
} source;

static plait_status open_source(const char *file, int points, source *s, plait_error *error)
{
    const plait_doc_map *d = s->doc;
    plait_status status = PLAIT_OK;
    if (d->values) {
        s->vertex = plait_columns_read(d->values, 1, &s->vertices, error);
        if (!s->vertex)
            return error->status;
        if (s->vertices != points)
            return plait_error_set(error, PLAIT_BAD_INPUT, "%s: expected a number for each of %d vertices, found %d",
                                   d->values, points, s->vertices);
        return PLAIT_OK;
    }
    if (d->image && (status = plait_picture_read(d->image, &s->picture, error)) != PLAIT_OK)
        return status;
    s->corners = (plait_mesh_map){.wish = d->attribute, .width = d->image ? 2 : d->channel + 1};
    status = plait_mesh_read_map(file, &s->corners, error);
    if (status == PLAIT_OK && !s->corners.found && d->image)
        return plait_error_set(error, PLAIT_BAD_INPUT,
                               "%s: it has no texture coordinates, which an image is laid on by", file);
    if (status == PLAIT_OK && !s->corners.found)
        return plait_error_set(error, PLAIT_BAD_INPUT, "%s: it has no attribute '%s'%s", file, d->attribute,
                               d->channel > 0 ? " with so many channels" : "");
    return status;
}

static void close_source(source *s)
{
    plait_mesh_map_free(&s->corners);
    plait_picture_free(&s->picture);
    free(s->vertex);
}

static bool value_at(const source *s, const plait_shape *shape, const plait_cell *cell, double *value)
{
    const int *corner = shape->triangle + 3 * (size_t)cell->triangle;
    double v[PLAIT_PICTURE_CHANNELS] = {0};
    if (s->vertex) {
        for (int k = 0; k < 3; k++) {
            if (corner[k] >= s->vertices)
                return false; // the middle of a hole
            v[0] += cell->weight[k] * s->vertex[corner[k]];
        }
        *value = v[0];
        return true;
    }
    if (!plait_mesh_map_at(&s->corners, cell->triangle, corner, cell->weight, v))
        return false;
    *value = s->doc->image ? plait_picture_at(&s->picture, v[0], v[1], s->doc->channel) : v[s->doc->channel];
    return true;
}

// ---- on fibres ------------------------------------------------------------------------------------------------------

// The first `share` of a polyline, with as many points as before.
static bool shorten(plait_fibre *f, double share)
{
    double *x = malloc(3 * (size_t)f->points * sizeof *x), length = plait_gen_polyline_length(f->points, f->point);
    double at = 0, d[3];
    if (!x)
        return false;
    for (int i = 0; i < f->points; i++) {
        if (i > 0) {
            plait_vec3_sub(f->point + 3 * (size_t)i, f->point + 3 * (size_t)(i - 1), d);
            at += plait_vec3_norm(d);
        }
        plait_gen_polyline_at(f->points, f->point, share * fmin(at, length), x + 3 * (size_t)i);
    }
    memcpy(f->point, x, 3 * (size_t)f->points * sizeof *x);
    f->length *= share;
    free(x);
    return true;
}

// NULL, or what is wrong with the factor; *memory: nothing is wrong but it.
static const char *apply(int which, double factor, plait_fibre *f, bool *memory)
{
    switch (which) {
    case PLAIT_DOC_STIFFNESS:
        f->stiffness = factor;
        return factor > 0 ? NULL : "expected a factor above 0";
    case PLAIT_DOC_MASS:
        f->mass = factor;
        return factor > 0 ? NULL : "expected a factor above 0";
    case PLAIT_DOC_FRICTION:
        f->friction = fmax(factor, 1e-12); // 0 stands for no factor at all
        return factor >= 0 ? NULL : "expected a factor of at least 0";
    case PLAIT_DOC_CURL:
        if (f->natural == PLAIT_NATURAL_STRAIGHT)
            return "a straight natural shape has no curl";
        f->excess = (1 + f->excess) * factor - 1;
        f->curvature[0] *= factor, f->curvature[1] *= factor, f->twist *= factor;
        return NULL;
    default:
        f->share = fmax(factor, STUB);
        *memory = *memory && (factor > 1 || shorten(f, f->share));
        return factor <= 1 ? NULL : "expected a part of the length, at most 1";
    }
}

typedef struct skin {
    const plait_collider *collider;
    plait_shape_geometry geometry;
    plait_binder binder;
    double *point; // [3 points] of an animated mesh at the start
    bool ready;
} skin;

static bool open_skin(const plait_collider *c, double start, skin *s)
{
    plait_pose at;
    s->collider = c;
    plait_gen_start_pose(c, start, at.x, at.q);
    s->geometry = (plait_shape_geometry){.shape = &c->shape, .start = at, .end = at};
    if (c->shape.frames > 0) {
        s->point = malloc((3 * (size_t)c->shape.points + 1) * sizeof *s->point);
        if (!s->point)
            return false;
        plait_shape_points_at(&c->shape, start, s->point);
    }
    s->geometry.point0 = s->geometry.point1 = s->point ? s->point : c->shape.point;
    s->ready = plait_binder_set(&s->binder, &s->geometry);
    return s->ready;
}

static bool no_memory(const plait_schema_reader *r)
{
    plait_error_set(r->error, PLAIT_NO_MEMORY, "scene: not enough memory");
    return false;
}

static bool build_map(const plait_schema_reader *r, const plait_yaml_node *node, int which, int first, const char *file,
                      const skin *on, const plait_doc_map *doc, plait_scene *s)
{
    source from = {.doc = doc};
    plait_error inner = {0};
    const plait_shape *shape = on->geometry.shape;
    bool ok = true;
    if (open_source(file, shape->points, &from, &inner) != PLAIT_OK) {
        close_source(&from);
        return inner.status == PLAIT_NO_MEMORY ? no_memory(r) : plait_yaml_fail(r->error, node->key, "%s", inner.text);
    }
    for (int i = first; ok && i < s->fibres; i++) {
        plait_fibre *f = &s->fibre[i];
        plait_cell cell = plait_binder_nearest(&on->binder, &on->geometry, f->point);
        double value, factor = NAN;
        bool memory = true;
        if (cell.triangle >= 0 && value_at(&from, shape, &cell, &value))
            factor = doc->low + (doc->high - doc->low) * value;
        else // in the middle of a filled hole, or where the map has nothing
            factor = 1;
        const char *wrong = isfinite(factor) ? apply(which, factor, f, &memory) : "expected a finite factor";
        if (!memory)
            ok = no_memory(r);
        else if (wrong)
            ok = plait_yaml_fail(r->error, node->key, "%s, found %g at the root of fibre %d", wrong, factor, i - first);
    }
    close_source(&from);
    return ok;
}

bool plait_doc_build_maps(const plait_schema_reader *r, const plait_schema_item *item, int first, const char *file,
                          plait_scene *s)
{
    const plait_doc_fibre *d = item->value;
    const plait_yaml_node *maps = plait_yaml_find(item->node, "maps");
    skin on = {0};
    bool ok = true;
    for (int k = 0; ok && maps && k < PLAIT_DOC_MAPS; k++) {
        const plait_doc_map *doc = &d->map[k];
        const plait_yaml_node *node = plait_yaml_find(maps, maps_keys[k].name);
        int given = (doc->attribute != NULL) + (doc->image != NULL) + (doc->values != NULL);
        if (!node)
            continue;
        int carrier = s->fibres > first ? s->fibre[first].attach[0] : -1;
        if (given != 1)
            ok = plait_yaml_fail(r->error, node->key, "a map is an 'attribute', an 'image' or 'values', found %s",
                                 given == 0 ? "none of them" : "several of them");
        else if (s->fibres > first && (carrier < 0 || s->collider[carrier].shape.triangles == 0))
            ok = plait_yaml_fail(r->error, node->key,
                                 "maps are of the mesh that carries the roots: 'ends.attach' must name one");
        else if (s->fibres > first && !file && !doc->values)
            ok = plait_yaml_fail(r->error, node->key,
                                 "the mesh that carries the roots comes from no file: only 'values' is possible");
        else if (s->fibres > first && !on.ready && !open_skin(&s->collider[carrier], s->output.start, &on))
            ok = no_memory(r);
        ok = ok && (s->fibres == first || build_map(r, node, k, first, file, &on, doc, s));
    }
    plait_binder_free(&on.binder);
    free(on.point);
    return ok;
}
