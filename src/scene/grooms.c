// grooms.c: strands under the hash of what they were made from.
#include "scene/grooms.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct kept {
    char key[PLAIT_GROOM_KEY];
    int64_t points;
    double *x;
} kept;

struct plait_grooms {
    kept *list;
    int count, found;
};

static _Thread_local plait_grooms *in_use;

plait_grooms *plait_grooms_new(void)
{
    return calloc(1, sizeof(plait_grooms));
}

void plait_grooms_free(plait_grooms *grooms)
{
    for (int i = 0; grooms && i < grooms->count; i++)
        free(grooms->list[i].x);
    if (grooms)
        free(grooms->list);
    free(grooms);
}

plait_grooms *plait_grooms_use(plait_grooms *grooms)
{
    plait_grooms *before = in_use;
    in_use = grooms;
    return before;
}

int plait_grooms_count(const plait_grooms *grooms)
{
    return grooms->count;
}

int plait_grooms_found(const plait_grooms *grooms)
{
    return grooms->found;
}

const double *plait_grooms_get(const plait_grooms *grooms, int i, char key[PLAIT_GROOM_KEY], int64_t *points)
{
    memcpy(key, grooms->list[i].key, PLAIT_GROOM_KEY);
    *points = grooms->list[i].points;
    return grooms->list[i].x;
}

static const kept *find(const plait_grooms *grooms, const char *key)
{
    for (int i = 0; i < grooms->count; i++)
        if (strcmp(grooms->list[i].key, key) == 0)
            return &grooms->list[i];
    return NULL;
}

// One more with room for its points.
static kept *append(plait_grooms *grooms, const char *key, int64_t points, plait_error *error)
{
    double *x = malloc((3 * (size_t)points + 1) * sizeof *x);
    kept *list = x ? realloc(grooms->list, ((size_t)grooms->count + 1) * sizeof *list) : NULL;
    if (!list) {
        free(x);
        plait_error_set(error, PLAIT_NO_MEMORY, "grooms: not enough memory for %lld points", (long long)points);
        return NULL;
    }
    grooms->list = list;
    kept *k = &list[grooms->count++];
    *k = (kept){.points = points, .x = x};
    memcpy(k->key, key, PLAIT_GROOM_KEY);
    return k;
}

plait_status plait_grooms_add(plait_grooms *grooms, const char *key, int64_t points, const double *x,
                              plait_error *error)
{
    if (strlen(key) != PLAIT_GROOM_KEY - 1 || strspn(key, "0123456789abcdef") != PLAIT_GROOM_KEY - 1)
        return plait_error_set(error, PLAIT_BAD_INPUT, "grooms: expected a key of 32 hexadecimal digits, found '%.40s'",
                               key);
    for (int64_t i = 0; i < 3 * points; i++)
        if (!isfinite(x[i]))
            return plait_error_set(error, PLAIT_BAD_INPUT, "grooms: expected finite points, found %g in point %lld",
                                   x[i], (long long)(i / 3));
    if (find(grooms, key))
        return PLAIT_OK;
    kept *k = append(grooms, key, points, error);
    if (!k)
        return PLAIT_NO_MEMORY;
    memcpy(k->x, x, 3 * (size_t)points * sizeof *x);
    return PLAIT_OK;
}

// ---- the hash ----------------------------------------------------------------------------------------------------
// Numbers one by one, never whole structs: padding has no value. It is not for secrecy, but so that no two grooms get
// one key by chance.

typedef struct hash {
    uint64_t a, b;
} hash;

static void add_word(hash *h, uint64_t word)
{
    h->a = (h->a ^ word) * 0x9e3779b97f4a7c15u;
    h->a ^= h->a >> 29;
    h->b = (h->b + word) * 0xbf58476d1ce4e5b9u;
    h->b ^= h->b >> 32;
}

static void add_ints(hash *h, int64_t count, const int *value)
{
    add_word(h, (uint64_t)count);
    for (int64_t i = 0; i < count; i++)
        add_word(h, (uint64_t)value[i]);
}

static void add_reals(hash *h, int64_t count, const double *value)
{
    add_word(h, (uint64_t)count);
    for (int64_t i = 0; i < count; i++) {
        uint64_t word;
        double x = value[i] + 0.0; // -0 is 0
        memcpy(&word, &x, sizeof word);
        add_word(h, word);
    }
}

#define INTS(h, ...) add_ints(h, sizeof((int[]){__VA_ARGS__}) / sizeof(int), (const int[]){__VA_ARGS__})
#define REALS(h, ...) add_reals(h, sizeof((double[]){__VA_ARGS__}) / sizeof(double), (const double[]){__VA_ARGS__})

static void add_style(hash *h, const plait_gen_style *s)
{
    INTS(h, (int)s->model, s->material, s->segments, s->samples, (int)s->end[0], (int)s->end[1], s->attach[0],
         s->attach[1], (int)s->natural);
    REALS(h, s->scale, s->curl_radius, s->curl_pitch, s->curvature[0], s->curvature[1], s->twist, s->wave_amplitude,
          s->wave_length, s->drawn, s->phase);
}

static void add_collider(hash *h, const plait_collider *c, double start)
{
    const plait_shape *s = &c->shape;
    double position[3], rotation[4]; // where its script has it at the start
    plait_motion_at(&c->motion, start, position, rotation);
    INTS(h, (int)s->kind, s->closed, s->frames > 0);
    add_reals(h, 3, s->size), add_reals(h, 3, c->position), add_reals(h, 3, c->rotation), add_reals(h, 3, position);
    add_reals(h, 4, rotation), add_reals(h, 3, c->motion.pivot);
    add_reals(h, 3 * (int64_t)s->points, s->frames > 0 ? s->frame : s->point);
    if (s->frames > 1 && start != s->frame_start)
        REALS(h, start, s->frame_start, s->frame_time);
    add_ints(h, 3 * (int64_t)s->triangles, s->triangle);
}

static void add_fibre(hash *h, const plait_fibre *f)
{
    INTS(h, (int)f->model, f->material, f->segments, f->samples, (int)f->natural, (int)f->end[0], (int)f->end[1]);
    REALS(h, f->curvature[0], f->curvature[1], f->twist, f->excess, f->length);
    add_reals(h, 3, f->director), add_reals(h, 3 * (int64_t)f->points, f->point);
}

bool plait_grooms_key(const plait_scene *scene, const plait_groom_task *task, const plait_gen_strand *strand,
                      char key[PLAIT_GROOM_KEY])
{
    if (!in_use)
        return false;
    hash h = {0x243f6a8885a308d3u, 0x13198a2e03707344u};
    for (const char *c = task->generator; *c; c++)
        add_word(&h, (unsigned char)*c);
    const plait_gen_groom_options *o = task->options;
    INTS(&h, task->count, o->slide, o->rounds, o->keep_height, o->lenient);
    REALS(&h, o->gap);
    add_style(&h, task->style);
    for (int i = 0; i < scene->materials; i++) {
        const plait_material *m = &scene->material[i].rod;
        REALS(&h, scene->material[i].contact_radius, m->radius[0], m->radius[1], m->density, m->young, m->shear,
              m->poisson, m->viscosity, m->damping, m->drag, m->yield, m->hardening,
              m->relaxing, m->relaxation_time);
        for (int k = 0; k < scene->material[i].stations; k++) {
            const plait_station *at = &scene->material[i].station[k];
            REALS(&h, at->at, at->radius, at->young, at->density);
        }
    }
    for (int i = 0; i < scene->colliders; i++) {
        if (scene->collider[i].shape.field)
            return false;
        add_collider(&h, &scene->collider[i], scene->output.start);
    }
    for (int i = 0; i < scene->fibres; i++)
        add_fibre(&h, &scene->fibre[i]);
    for (int i = 0; i < task->count; i++) {
        REALS(&h, strand[i].last, strand[i].director[0], strand[i].director[1], strand[i].director[2]);
        add_reals(&h, 3 * (int64_t)strand[i].nodes, strand[i].x);
        add_reals(&h, 3 * (int64_t)strand[i].drawn_points, strand[i].drawn);
    }
    snprintf(key, PLAIT_GROOM_KEY, "%016llx%016llx", (unsigned long long)h.a, (unsigned long long)h.b);
    return true;
}

static int64_t points_of(int count, const plait_gen_strand *strand)
{
    int64_t points = 0;
    for (int i = 0; i < count; i++)
        points += strand[i].nodes;
    return points;
}

bool plait_grooms_take(const char *key, int count, plait_gen_strand *strand)
{
    const kept *k = find(in_use, key);
    if (!k || k->points != points_of(count, strand))
        return false;
    const double *x = k->x;
    for (int i = 0; i < count; x += 3 * (size_t)strand[i++].nodes)
        memcpy(strand[i].x, x, 3 * (size_t)strand[i].nodes * sizeof *x);
    in_use->found++;
    return true;
}

plait_status plait_grooms_keep(const char *key, int count, const plait_gen_strand *strand, plait_error *error)
{
    if (find(in_use, key)) // of other strands: a file that was changed by hand
        return PLAIT_OK;
    kept *k = append(in_use, key, points_of(count, strand), error);
    if (!k)
        return PLAIT_NO_MEMORY;
    double *x = k->x;
    for (int i = 0; i < count; x += 3 * (size_t)strand[i++].nodes)
        memcpy(x, strand[i].x, 3 * (size_t)strand[i].nodes * sizeof *x);
    return PLAIT_OK;
}
