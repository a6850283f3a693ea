// gen_file.c: fibres from the strands of a file.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "math/vec3.h"
#include "plait/curves.h"
#include "scene/gen_groom.h"
#include "scene/scene.h"

static const double GAP = 0.05; // between strands that were pushed apart, of the contact radius

plait_gen_file_options plait_gen_default_file(void)
{
    return (plait_gen_file_options){.every = 1};
}

// Points of one strand in the scene; points that coincide are left out. Returns how many there are.
static int take(const plait_hair *hair, int strand, const plait_groom *g, double *x)
{
    double scale = g->scale > 0 ? g->scale : hair->unit > 0 ? hair->unit : 0.01;
    bool y_up = g->y_up || hair->y_up;
    int n = 0;
    for (int i = hair->first[strand]; i < hair->first[strand + 1]; i++) {
        const double *p = hair->point + 3 * (size_t)i;
        double q[3] = {y_up ? -p[0] : p[0], y_up ? p[2] : p[1], y_up ? p[1] : p[2]}, d[3];
        for (int c = 0; c < 3; c++)
            x[3 * n + c] = g->position[c] + scale * q[c];
        if (n > 0)
            plait_vec3_sub(x + 3 * n, x + 3 * (n - 1), d);
        if (n == 0 || plait_vec3_norm(d) > 1e-9 * scale)
            n++;
    }
    return n;
}

// The part of the options that says where the points are.
static plait_groom place_of(const plait_gen_file_options *o)
{
    plait_groom g = {.scale = o->scale, .y_up = o->y_up, .project = o->project};
    plait_vec3_copy(o->position, g.position);
    return g;
}

plait_hair *plait_groom_read(const plait_groom *groom, plait_error *error)
{
    plait_hair *hair = plait_curves_read(groom->path, error);
    if (!hair)
        return NULL;
    double unit = groom->scale > 0 ? groom->scale : hair->unit > 0 ? hair->unit : 0.01;
    int points = 0;
    for (int i = 0; i < hair->strands; i++) { // in place: no strand gets longer
        int n = take(hair, i, groom, hair->point + 3 * (size_t)points);
        hair->first[i] = points;
        points += n;
    }
    hair->first[hair->strands] = points;
    hair->thickness *= unit, hair->unit = 1, hair->y_up = false;
    return hair;
}

static plait_status check(const plait_scene *scene, const plait_gen_style *style, const plait_gen_file_options *o,
                          plait_error *error)
{
    const plait_gen_range ranges[] = {{"scale", o->scale, 0, 1e9, false}, {0}};
    const plait_gen_vector vectors[] = {{"position", o->position, NULL}, {0}};
    const plait_gen_count counts[] = {
        {"every", o->every, 1, 1000000000}, {"most", o->most, 0, 1000000000}, {"apart", o->apart, 0, 1000000}, {0}};
    plait_status status = plait_gen_check("file", scene, style, vectors, counts, ranges, error);
    if (status == PLAIT_OK && !o->path)
        return plait_error_set(error, PLAIT_BAD_INPUT, "file: the path of a file is expected");
    if (status == PLAIT_OK && o->project && style->attach[0] < 0)
        return plait_error_set(error, PLAIT_BAD_INPUT,
                               "file: 'project' needs a root that a collider carries (ends.attach)");
    return status;
}

// All strands that have a length; *count of them. NULL without memory.
static plait_gen_strand *draw_all(const plait_hair *hair, const plait_gen_style *style, const plait_gen_file_options *o,
                                  int *count)
{
    int longest = 2, most = o->most > 0 && o->most < hair->strands ? o->most : hair->strands;
    for (int i = 0; i < hair->strands; i++)
        if (hair->first[i + 1] - hair->first[i] > longest)
            longest = hair->first[i + 1] - hair->first[i];
    double *x = malloc(3 * (size_t)longest * sizeof *x);
    plait_gen_strand *strand = calloc((size_t)most + 1, sizeof *strand);
    bool ok = x && strand;
    plait_groom place = place_of(o);
    *count = 0;
    for (int i = 0; ok && i < hair->strands && *count < most; i += o->every) {
        int n = take(hair, i, &place, x);
        if (n < 2)
            continue; // some files have strands of no length
        ok = plait_gen_draw(style, style->phase, 0, n, x, style->segments, &strand[*count]);
        *count += ok;
    }
    free(x);
    if (ok)
        return strand;
    for (int i = 0; strand && i < *count; i++)
        plait_gen_strand_free(&strand[i]);
    free(strand);
    return NULL;
}

// The strand goes where its root is on the collider: to the nearest place, found again as distances are not exact far
// away.
static void seat(plait_gen_strand *s, const plait_gen_field *field, int collider)
{
    for (int round = 0; round < 8; round++) {
        double n[3], far = plait_gen_field_at(field, collider, s->x, n);
        if (!isfinite(far))
            return;
        for (int k = 0; k < s->nodes; k++)
            plait_vec3_axpy(-far, n, s->x + 3 * k);
        for (int k = 0; k < s->drawn_points; k++)
            plait_vec3_axpy(-far, n, s->drawn + 3 * k);
        if (fabs(far) < 1e-12)
            return;
    }
}

// Strands keep apart; moved[i]: how far one was moved.
static plait_status separate(const plait_scene *scene, const plait_gen_style *style, const plait_gen_file_options *o,
                             int count, plait_gen_strand *strand, double *moved, plait_error *error)
{
    int rounds = o->apart, total = 0;
    if (!o->project && rounds == 0)
        return PLAIT_OK;
    for (int i = 0; i < count; i++)
        total += 3 * strand[i].nodes;
    plait_gen_field *field = NULL;
    double *before = malloc((size_t)total * sizeof *before), *b = before;
    plait_status status = before ? plait_gen_field_new(scene, &field, error) : plait_gen_no_memory("file", error);
    for (int i = 0; status == PLAIT_OK && o->project && i < count; i++)
        seat(&strand[i], field, style->attach[0]);
    for (int i = 0; status == PLAIT_OK && i < count; i++)
        for (int k = 0; k < 3 * strand[i].nodes; k++)
            *b++ = strand[i].x[k];
    plait_gen_groom_options apart = {
        .slide = style->attach[0], .keep_height = true, .gap = GAP, .rounds = rounds, .lenient = true};
    if (status == PLAIT_OK && rounds > 0)
        status = plait_gen_groom("file", scene, style, field, count, strand, &apart, error);
    b = before;
    for (int i = 0; status == PLAIT_OK && i < count; i++)
        for (int k = 0; k < strand[i].nodes; k++, b += 3) {
            double d[3];
            plait_vec3_sub(strand[i].x + 3 * k, b, d);
            moved[i] = fmax(moved[i], plait_vec3_norm(d));
        }
    plait_gen_field_free(field);
    free(before);
    return status;
}

// Who wants all strands of the file (plait/carry.h) finds it by this.
static bool remember(plait_scene *scene, int group, const plait_gen_file_options *o)
{
    if (group < 0 || group >= scene->groups)
        return true;
    plait_groom *g = &scene->groom[group], place = place_of(o);
    free(g->path);
    g->path = malloc(strlen(o->path) + 1);
    g->scale = place.scale, g->y_up = place.y_up, g->project = place.project;
    plait_vec3_copy(place.position, g->position);
    return g->path && strcpy(g->path, o->path);
}

plait_status plait_gen_file(plait_scene *scene, const plait_gen_style *style, const plait_gen_file_options *o,
                            plait_error *error)
{
    plait_status status = check(scene, style, o, error);
    if (status != PLAIT_OK)
        return status;
    plait_hair *hair = plait_curves_read(o->path, error);
    if (!hair)
        return error && error->status != PLAIT_OK ? error->status : PLAIT_BAD_FILE;
    int before = scene->fibres, count = 0;
    plait_gen_strand *strand = draw_all(hair, style, o, &count);
    double *moved = calloc((size_t)count + 1, sizeof *moved);
    if (!strand || !moved || !remember(scene, style->group, o))
        status = plait_gen_no_memory("file", error);
    else if (count == 0)
        status = plait_error_set(error, PLAIT_BAD_FILE, "%s: none of its %d strands (%d points) has a length", o->path,
                                 hair->strands, hair->first[hair->strands]);
    else
        status = separate(scene, style, o, count, strand, moved, error);
    for (int i = 0; status == PLAIT_OK && i < count; i++) {
        int k = plait_gen_add(scene, style, &strand[i]);
        if (k < 0)
            status = plait_gen_no_memory("file", error);
        else
            scene->fibre[k].moved = moved[i], scene->fibre[k].keeps = true;
    }
    if (status != PLAIT_OK)
        plait_gen_drop(scene, before);
    for (int i = 0; strand && i < count; i++)
        plait_gen_strand_free(&strand[i]);
    free(strand);
    free(moved);
    plait_hair_free(hair);
    return status;
}
