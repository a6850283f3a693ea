// usd_curves.c: the BasisCurves of a layer at their earliest time, with what else is known about strands.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "file/usd_layer.h"
#include "math/mat3.h"

typedef struct extras { // of all strands so far; false: some prim does not say it
    float *width, *colour, *uv;
    int *id, *guide;
    bool has_width, has_colour, has_uv, has_id, has_guide;
} extras;

static void copy_word(plait_usd_layer *l, int prim, const char *name, char out[16], bool *ok)
{
    char *word;
    size_t count;
    *ok = *ok && plait_usd_words(l, plait_usd_find(l, prim, name), &word, &count);
    if (*ok && count == 1)
        snprintf(out, 16, "%s", word);
    if (*ok)
        free(word);
}

static bool take(plait_usd_layer *l, int prim, const char *name, double code, plait_usda_numbers *n, int tuple)
{
    const plait_usd_attribute *a = plait_usd_find(l, prim, name);
    if (!plait_usd_numbers_at(l, a, code, &n->x, &n->count))
        return false;
    n->there = a && (a->value || a->samples > 0);
    n->tuple = tuple;
    for (size_t i = 0; i < n->count; i++)
        if (!isfinite(n->x[i]))
            return plait_usd_fail(l, "prim '%s', %s: expected finite numbers, found %g", l->prim[prim].name, name,
                                  n->x[i]);
    return true;
}

// Numbers of a primvar for each strand (or each node) of the prim, behind those of the prims before. They are dropped
// if any prim has none, or curves were laid anew, so that nodes are not the file's.
static bool add_floats(plait_usd_layer *l, int prim, const char *name, double code, size_t before, size_t count,
                       size_t each, float **list, bool *has)
{
    plait_usda_numbers n = {0};
    if (!*has)
        return true;
    bool ok = take(l, prim, name, code, &n, 0);
    *has = ok && n.count == count * each;
    float *grown = *has ? realloc(*list, (before + count) * each * sizeof **list + 1) : NULL;
    if (*has && !grown)
        ok = plait_error_set(l->error, PLAIT_NO_MEMORY, "%s: not enough memory", l->name) == PLAIT_OK;
    *list = grown ? grown : *list;
    for (size_t i = 0; ok && *has && i < n.count; i++)
        grown[before * each + i] = (float)n.x[i];
    free(n.x);
    return ok;
}

static bool add_ints(plait_usd_layer *l, int prim, const char *name, double code, size_t before, size_t count,
                     int **list, bool *has)
{
    plait_usda_numbers n = {0};
    if (!*has)
        return true;
    bool ok = take(l, prim, name, code, &n, 0);
    *has = ok && n.count == count;
    int *grown = *has ? realloc(*list, (before + count) * sizeof **list + 1) : NULL;
    if (*has && !grown)
        ok = plait_error_set(l->error, PLAIT_NO_MEMORY, "%s: not enough memory", l->name) == PLAIT_OK;
    *list = grown ? grown : *list;
    for (size_t i = 0; ok && *has && i < n.count; i++)
        grown[before + i] = fabs(n.x[i]) < 2147483648.0 ? (int)n.x[i] : 0;
    free(n.x);
    return ok;
}

static bool add_prim(plait_usd_layer *l, int prim, plait_curves_builder *b, extras *e, double *sum, double *weight)
{
    plait_usda_reader r = {.name = l->name, .error = l->error};
    plait_usda_prim *p = calloc(1, sizeof *p);
    plait_usda_affine m;
    const plait_usd_attribute *points = plait_usd_find(l, prim, "points");
    double code = points && points->samples > 0 ? points->time[0] : 0;
    if (!p || !points) {
        free(p);
        return !points || plait_error_set(l->error, PLAIT_NO_MEMORY, "%s: not enough memory", l->name) == PLAIT_OK;
    }
    memcpy(p->type, "cubic", 6);
    bool ok = true;
    copy_word(l, prim, "type", p->type, &ok);
    copy_word(l, prim, "basis", p->basis, &ok);
    copy_word(l, prim, "wrap", p->wrap, &ok);
    ok = ok && take(l, prim, "curveVertexCounts", code, &p->counts, 0) &&
         take(l, prim, "points", code, &p->points, 3) && take(l, prim, "widths", code, &p->widths, 0);
    int first = b->hair->strands, node = b->hair->first[first];
    double before = *sum;
    ok = ok && (!p->counts.there || plait_usda_add_curves(&r, p, b, sum, weight)) && plait_usd_place(l, prim, code, &m);
    size_t strands = ok ? (size_t)(b->hair->strands - first) : 0, nodes = 0;
    for (int i = node; ok && i < b->hair->first[b->hair->strands]; i++, nodes++)
        plait_mat3_affine(m.A, b->hair->point + 3 * (size_t)i, m.t, b->hair->point + 3 * (size_t)i);
    double det = ok ? m.A[0] * (m.A[4] * m.A[8] - m.A[5] * m.A[7]) - m.A[1] * (m.A[3] * m.A[8] - m.A[5] * m.A[6]) +
                          m.A[2] * (m.A[3] * m.A[7] - m.A[4] * m.A[6])
                    : 1;
    *sum = before + (*sum - before) * cbrt(fabs(det));
    ok = ok && add_floats(l, prim, "widths", code, (size_t)node, nodes, 1, &e->width, &e->has_width) &&
         add_floats(l, prim, "primvars:displayColor", code, (size_t)node, nodes, 3, &e->colour, &e->has_colour) &&
         add_floats(l, prim, "primvars:st", code, (size_t)first, strands, 2, &e->uv, &e->has_uv) &&
         add_ints(l, prim, "primvars:id", code, (size_t)first, strands, &e->id, &e->has_id) &&
         add_ints(l, prim, "primvars:guide", code, (size_t)first, strands, &e->guide, &e->has_guide);
    for (size_t i = 0; ok && e->has_width && i < nodes; i++)
        e->width[(size_t)node + i] *= (float)cbrt(fabs(det));
    free(p->counts.x), free(p->points.x), free(p->widths.x), free(p);
    return ok;
}

static void hand_over(extras *e, plait_hair *h)
{
    float **floats[] = {&e->width, &e->colour, &e->uv}, **to[] = {&h->width, &h->colour, &h->uv};
    const bool has[] = {e->has_width, e->has_colour, e->has_uv, e->has_id, e->has_guide};
    for (int i = 0; i < 3; i++) {
        if (has[i])
            *to[i] = *floats[i];
        else
            free(*floats[i]);
    }
    h->id = has[3] ? e->id : (free(e->id), NULL);
    h->guide = has[4] ? e->guide : (free(e->guide), NULL);
}

plait_hair *plait_usd_curves(plait_usd_layer *l)
{
    plait_curves_builder b;
    extras e = {.has_width = true, .has_colour = true, .has_uv = true, .has_id = true, .has_guide = true};
    double sum = 0, weight = 0;
    if (!plait_curves_begin(&b, l->name, l->error))
        return NULL;
    bool ok = true;
    for (int i = 0; ok && i < l->prims; i++)
        if (strcmp(l->prim[i].type, "BasisCurves") == 0 && !l->prim[i].ignored)
            ok = add_prim(l, i, &b, &e, &sum, &weight);
    plait_hair *h = b.hair;
    for (size_t i = 0; ok && i < 3 * (size_t)h->first[h->strands]; i++)
        if (!isfinite(h->point[i]))
            ok = plait_usd_fail(l, "expected finite points behind xformOps, found others");
    if (ok && h->strands == 0)
        ok = plait_usd_fail(l, "expected BasisCurves with at least one curve of two points, found none (references are "
                               "not followed)");
    hand_over(&e, h);
    if (!ok) {
        plait_hair_free(h);
        return NULL;
    }
    h->thickness = weight > 0 && isfinite(sum) ? sum / weight : 0;
    h->unit = l->unit;
    h->y_up = l->y_up;
    return h;
}
