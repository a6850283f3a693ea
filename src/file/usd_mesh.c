// usd_mesh.c: all Meshes of a layer as one, over time: where prims stand, points with samples, skinned characters.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "file/usd_layer.h"
#include "math/mat3.h"

typedef struct part {
    int prim, first, points; // vertices first .. first + points - 1 of the whole
    double *rest;            // [3 points] where points have no samples
    plait_usd_skin *skin;    // NULL: none
} part;

typedef struct model {
    plait_usd_layer *layer;
    part *part;
    int parts;
} model;

static bool moves(plait_usd_layer *l, int prim, double *first, double *last, double *step)
{
    for (; prim >= 0; prim = l->prim[prim].parent)
        for (int i = 0; i < l->prim[prim].attributes; i++)
            if (strncmp(l->prim[prim].attribute[i].name, "xformOp:", 8) == 0)
                plait_usd_widen(&l->prim[prim].attribute[i], first, last, step);
    return true;
}

static bool pose_part(model *m, const part *p, double code, double *x)
{
    plait_usd_layer *l = m->layer;
    size_t size = 3 * (size_t)p->points * sizeof *x;
    if (p->rest) {
        memcpy(x, p->rest, size);
    } else {
        double *now;
        size_t count;
        if (!plait_usd_numbers_at(l, plait_usd_find(l, p->prim, "points"), code, &now, &count))
            return false;
        if (count != 3 * (size_t)p->points) {
            free(now);
            return plait_usd_fail(l, "mesh '%s': expected %d points at all times, found %zu", l->prim[p->prim].name,
                                  p->points, count / 3);
        }
        memcpy(x, now, size);
        free(now);
    }
    if (p->skin)
        return plait_usd_skin_apply(p->skin, code, p->points, x);
    plait_usda_affine a;
    if (!plait_usd_place(l, p->prim, code, &a))
        return false;
    for (int i = 0; i < p->points; i++)
        plait_mat3_affine(a.A, x + 3 * (size_t)i, a.t, x + 3 * (size_t)i);
    return true;
}

static bool pose(void *self, double time, double *x)
{
    model *m = self;
    for (int i = 0; i < m->parts; i++)
        if (!pose_part(m, &m->part[i], time * m->layer->rate, x + 3 * (size_t)m->part[i].first))
            return false;
    return true;
}

// The primvar that is wished: by name, or the first that looks like texture coordinates.
static const plait_usd_attribute *find_map(const plait_usd_layer *l, int prim, const char *wish)
{
    const plait_usd_prim *p = &l->prim[prim];
    char name[160];
    snprintf(name, sizeof name, "primvars:%s", wish ? wish : "st");
    const plait_usd_attribute *a = plait_usd_find(l, prim, name);
    if (!a && wish && strcmp(wish, "color") == 0)
        a = plait_usd_find(l, prim, "primvars:displayColor");
    for (int i = 0; !a && !wish && i < p->attributes; i++)
        if (strncmp(p->attribute[i].name, "primvars:", 9) == 0 && p->attribute[i].width == 2)
            a = &p->attribute[i];
    return a;
}

static bool read_map(plait_usd_layer *l, int prim, const plait_mesh_builder *b, plait_figure_map *map)
{
    const plait_usd_attribute *a = b->width > 0 ? find_map(l, prim, b->wish) : NULL;
    char name[200];
    if (!a)
        return true;
    map->width = a->width;
    snprintf(name, sizeof name, "%.190s:indices", a->name);
    const plait_usd_attribute *index = plait_usd_find(l, prim, name);
    return plait_usd_numbers_at(l, a, a->samples > 0 ? a->time[0] : 0, &map->value, &map->count) &&
           (!index || plait_usd_numbers_at(l, index, 0, &map->index, &map->indices));
}

static bool add_faces(plait_usd_layer *l, int prim, plait_mesh_builder *b, int points, int base)
{
    double *counts = NULL, *index = NULL;
    size_t faces = 0, corners = 0, words = 0;
    char *way = NULL;
    plait_figure_map map = {0};
    bool ok = plait_usd_numbers_at(l, plait_usd_find(l, prim, "faceVertexCounts"), 0, &counts, &faces) &&
              plait_usd_numbers_at(l, plait_usd_find(l, prim, "faceVertexIndices"), 0, &index, &corners) &&
              plait_usd_words(l, plait_usd_find(l, prim, "orientation"), &way, &words) && read_map(l, prim, b, &map);
    bool left = ok && words == 1 && strcmp(way, "leftHanded") == 0;
    ok = ok && plait_figure_faces(b, l->prim[prim].name, faces, counts, corners, index, points, base, left, &map);
    free(map.value);
    free(map.index);
    free(counts);
    free(index);
    free(way);
    return ok;
}

static bool add_part(model *m, int prim, plait_mesh_builder *b, plait_figure *f)
{
    plait_usd_layer *l = m->layer;
    const plait_usd_attribute *points = plait_usd_find(l, prim, "points");
    part *p = &m->part[m->parts];
    double *x;
    size_t count;
    if (!points)
        return true;
    if (!plait_usd_numbers_at(l, points, points->samples > 0 ? points->time[0] : 0, &x, &count))
        return false;
    if (count % 3 != 0 || count / 3 + (size_t)f->points > (size_t)1 << 28) {
        free(x);
        return plait_usd_fail(l, "mesh '%s': expected points (x, y, z), found %zu numbers", l->prim[prim].name, count);
    }
    *p = (part){.prim = prim, .first = f->points, .points = (int)(count / 3)};
    m->parts++;
    if (points->samples > 1) {
        plait_usd_widen(points, &f->first, &f->last, &f->step);
        free(x);
    } else {
        p->rest = x;
    }
    f->points += p->points;
    if (!add_faces(l, prim, b, p->points, p->first) || !plait_usd_skin_open(l, prim, p->points, &p->skin))
        return false;
    if (p->skin)
        plait_usd_skin_range(p->skin, &f->first, &f->last, &f->step);
    else
        moves(l, prim, &f->first, &f->last, &f->step);
    return true;
}

bool plait_usd_meshes(plait_usd_layer *l, plait_mesh_builder *b, plait_shape *shape)
{
    model m = {.layer = l, .part = calloc((size_t)l->prims + 1, sizeof *m.part)};
    plait_figure f = {.pose = pose, .self = &m, .first = INFINITY, .last = -INFINITY, .step = INFINITY};
    bool ok = m.part || plait_error_set(l->error, PLAIT_NO_MEMORY, "%s: not enough memory", l->name) == PLAIT_OK;
    for (int i = 0; ok && i < l->prims; i++)
        if (strcmp(l->prim[i].type, "Mesh") == 0 && !l->prim[i].ignored)
            ok = add_part(&m, i, b, &f);
    if (ok && f.points == 0)
        ok = plait_usd_fail(l, "expected Meshes with points, found none (references are not followed)");
    f.first /= l->rate, f.last /= l->rate, f.step = isfinite(f.step) ? f.step / l->rate : 0;
    ok = ok && plait_figure_bake(&f, b, shape);
    for (int i = 0; m.part && i < m.parts; i++) {
        free(m.part[i].rest);
        plait_usd_skin_free(m.part[i].skin);
    }
    free(m.part);
    return ok;
}

bool plait_usdc_meshes(FILE *file, plait_mesh_builder *b, plait_shape *shape)
{
    plait_usd_layer l = {.name = b->name, .error = b->error};
    bool ok = plait_usdc_open(&l, file) && plait_usd_meshes(&l, b, shape);
    plait_usd_free(&l);
    return ok;
}

bool plait_usda_meshes(const char *text, size_t size, plait_mesh_builder *b, plait_shape *shape)
{
    plait_usd_layer l = {.name = b->name, .error = b->error};
    bool ok = plait_usda_layer_open(&l, text, size) && plait_usd_meshes(&l, b, shape);
    plait_usd_free(&l);
    return ok;
}
