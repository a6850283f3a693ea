// usd_layer.c: prims, attributes and values over time, whichever form of USD they come from.
#include "file/usd_layer.h"

#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "file/fail.h"
#include "math/mat3.h"

enum { MOST_PRIMS = 10000000 };

bool plait_usd_fail(plait_usd_layer *layer, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    plait_text_fail(layer->error, layer->name, 0, format, args);
    va_end(args);
    return false;
}

static char *copy(plait_usd_layer *layer, const char *text, size_t length)
{
    char *out = malloc(length + 1);
    if (!out) {
        plait_error_set(layer->error, PLAIT_NO_MEMORY, "%s: not enough memory", layer->name);
        return NULL;
    }
    memcpy(out, text, length);
    out[length] = 0;
    return out;
}

int plait_usd_add_prim(plait_usd_layer *layer, int parent, const char *name, size_t length, const char *type,
                       size_t type_length)
{
    if (!plait_file_grow((void **)&layer->prim, (size_t)layer->prims + 1, &layer->prim_room, sizeof *layer->prim, 64,
                         MOST_PRIMS, layer->name, layer->error))
        return -1;
    plait_usd_prim *p = &layer->prim[layer->prims];
    *p = (plait_usd_prim){.parent = parent, .ignored = parent >= 0 && layer->prim[parent].ignored};
    p->name = copy(layer, name, length);
    p->type = copy(layer, type, type_length);
    layer->prims++;
    return p->name && p->type ? layer->prims - 1 : -1;
}

static void forget(plait_usd_attribute *a)
{
    free(a->name);
    free(a->sample);
    free(a->time);
    *a = (plait_usd_attribute){0};
}

plait_usd_attribute *plait_usd_add_attribute(plait_usd_layer *layer, int prim, const char *name, size_t length)
{
    plait_usd_prim *p = &layer->prim[prim];
    for (int i = 0; i < p->attributes; i++)
        if (strlen(p->attribute[i].name) == length && memcmp(p->attribute[i].name, name, length) == 0)
            return &p->attribute[i];
    if ((p->attributes & (p->attributes - 1)) == 0) { // grows by powers of two
        size_t room = p->attributes ? 2 * (size_t)p->attributes : 1;
        plait_usd_attribute *grown = realloc(p->attribute, room * sizeof *grown);
        if (!grown) {
            plait_error_set(layer->error, PLAIT_NO_MEMORY, "%s: not enough memory", layer->name);
            return NULL;
        }
        p->attribute = grown;
    }
    plait_usd_attribute *a = &p->attribute[p->attributes];
    *a = (plait_usd_attribute){.name = copy(layer, name, length)};
    p->attributes += a->name != NULL;
    return a->name ? a : NULL;
}

void plait_usd_free(plait_usd_layer *layer)
{
    for (int i = 0; i < layer->prims; i++) {
        plait_usd_prim *p = &layer->prim[i];
        for (int k = 0; k < p->attributes; k++)
            forget(&p->attribute[k]);
        free(p->attribute);
        free(p->name);
        free(p->type);
    }
    free(layer->prim);
    if (layer->free_source)
        layer->free_source(layer);
}

const plait_usd_attribute *plait_usd_find(const plait_usd_layer *layer, int prim, const char *name)
{
    const plait_usd_prim *p = &layer->prim[prim];
    for (int i = 0; i < p->attributes; i++)
        if (strcmp(p->attribute[i].name, name) == 0)
            return &p->attribute[i];
    return NULL;
}

int plait_usd_find_path(const plait_usd_layer *layer, const char *path)
{
    int at = -1;
    while (*path == '/') {
        const char *end = strchr(++path, '/');
        size_t length = end ? (size_t)(end - path) : strlen(path);
        int i = at + 1;
        while (i < layer->prims && !(layer->prim[i].parent == at && strlen(layer->prim[i].name) == length &&
                                     memcmp(layer->prim[i].name, path, length) == 0))
            i++;
        if (i == layer->prims)
            return -1;
        at = i;
        path += length;
    }
    return *path ? -1 : at;
}

// ---- values over time ---------------------------------------------------------------------------------------------

bool plait_usd_numbers_at(plait_usd_layer *layer, const plait_usd_attribute *a, double code, double **x, size_t *count)
{
    *x = NULL;
    *count = 0;
    if (!a)
        return true;
    if (a->samples == 0)
        return !a->value || layer->numbers(layer, a->value, x, count);
    size_t i = 0;
    while (i + 1 < a->samples && a->time[i + 1] <= code)
        i++;
    if (!layer->numbers(layer, a->sample[i], x, count))
        return false;
    if (i + 1 == a->samples || code <= a->time[i] || a->sample[i] == a->sample[i + 1])
        return true;
    double *y = NULL, s = (code - a->time[i]) / (a->time[i + 1] - a->time[i]);
    size_t other = 0;
    if (!layer->numbers(layer, a->sample[i + 1], &y, &other))
        return false;
    for (size_t k = 0; other == *count && k < other; k++) // else the one before holds
        (*x)[k] += s * (y[k] - (*x)[k]);
    free(y);
    return true;
}

int plait_usd_width(const char *type, size_t length)
{
    for (size_t i = 0; i < length; i++) // not matrix3d, which nobody asks for
        if (type[i] >= '2' && type[i] <= '4')
            return type[i] - '0';
    return 1;
}

bool plait_usd_words(plait_usd_layer *layer, const plait_usd_attribute *a, char **words, size_t *count)
{
    *words = NULL;
    *count = 0;
    uint64_t value = a ? (a->value || a->samples == 0 ? a->value : a->sample[0]) : 0;
    return !value || layer->words(layer, value, words, count);
}

void plait_usd_widen(const plait_usd_attribute *a, double *first, double *last, double *step)
{
    if (a)
        plait_figure_widen(a->time, a->samples, first, last, step);
}

// ---- where prims stand --------------------------------------------------------------------------------------------

static bool local_place(plait_usd_layer *layer, int prim, double code, plait_usda_affine *out)
{
    plait_usda_prim *p = calloc(1, sizeof *p);
    plait_usda_reader r = {.name = layer->name, .error = layer->error};
    char *order = NULL;
    size_t orders = 0;
    bool ok = p && plait_usd_words(layer, plait_usd_find(layer, prim, "xformOpOrder"), &order, &orders);
    *out = (plait_usda_affine){.A = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
    if (!p)
        plait_error_set(layer->error, PLAIT_NO_MEMORY, "%s: not enough memory", layer->name);
    const char *word = order;
    for (size_t i = 0; ok && i < orders; i++, word += strlen(word) + 1) {
        if (p->orders == PLAIT_USDA_OPS || strlen(word) >= PLAIT_USDA_WORD_LENGTH ||
            strcmp(word, "!resetXformStack!") == 0) {
            ok = plait_usd_fail(layer, "prim '%s': expected at most %d short operations and no !resetXformStack!",
                                layer->prim[prim].name, PLAIT_USDA_OPS);
            break;
        }
        strcpy(p->order[p->orders++], word);
        const char *own = strncmp(word, "!invert!", 8) == 0 ? word + 8 : word;
        int k = 0;
        while (k < p->ops && strcmp(p->op[k].name, own) != 0)
            k++;
        double *x;
        size_t count;
        ok = plait_usd_numbers_at(layer, plait_usd_find(layer, prim, own), code, &x, &count);
        if (ok && count > 16)
            ok = plait_usd_fail(layer, "expected at most 16 numbers for '%s', found %zu", own, count);
        if (ok && k == p->ops && count > 0) {
            plait_usda_op *op = &p->op[p->ops++];
            snprintf(op->name, sizeof op->name, "%s", own);
            op->count = (int)count;
            memcpy(op->x, x, count * sizeof *x);
        }
        free(x);
    }
    ok = ok && (orders == 0 || plait_usda_local(&r, p, out));
    free(order);
    free(p);
    return ok;
}

bool plait_usd_place(plait_usd_layer *layer, int prim, double code, plait_usda_affine *out)
{
    *out = (plait_usda_affine){.A = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
    for (; prim >= 0; prim = layer->prim[prim].parent) {
        plait_usda_affine m;
        double t[3], A[9];
        if (!local_place(layer, prim, code, &m))
            return false;
        plait_mat3_apply(m.A, out->t, t);
        plait_mat3_multiply(m.A, out->A, A);
        memcpy(out->A, A, sizeof A);
        for (int c = 0; c < 3; c++)
            out->t[c] = t[c] + m.t[c];
    }
    return true;
}
