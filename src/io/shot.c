// shot.c: frames, groups and bodies of a trajectory, one after the other, for a format that has all in one file.
#include "io/shot.h"

#include <stdlib.h>
#include <string.h>

static plait_status no_memory(const plait_shot *s)
{
    return plait_error_set(s->e->error, PLAIT_NO_MEMORY, "%s: not enough memory", s->e->name);
}

static plait_status make_room(plait_shot *s)
{
    size_t groups = (size_t)s->e->info->groups, most = 0;
    s->body = plait_export_bodies(s->e, &s->bodies);
    if (!s->body)
        return PLAIT_NO_MEMORY;
    for (int b = 0; b < s->bodies; b++)
        most = (size_t)s->body[b].mesh.points > most ? (size_t)s->body[b].mesh.points : most;
    s->group = calloc(groups + 1, sizeof *s->group);
    s->widest = calloc(groups + 1, sizeof *s->widest);
    s->vector = malloc((3 * most + 1) * sizeof *s->vector);
    return s->group && s->widest && s->vector ? PLAIT_OK : no_memory(s);
}

// Names that are in use; each new one is made different from them.
typedef struct names {
    char (*taken)[PLAIT_USDA_NAME];
    int count;
} names;

static const char *add_name(names *n, const char *text)
{
    char name[PLAIT_USDA_NAME];
    plait_usda_name(text, n->count, n->taken, name);
    return memcpy(n->taken[n->count++], name, sizeof name);
}

// The first frame was read: shapes of bodies, and where planes lie, come from it.
static plait_status add_all(plait_shot *s, const plait_shot_format *format, names *n, void *data)
{
    const plait_trajectory_info *info = s->e->info;
    char root[PLAIT_USDA_NAME];
    plait_usda_name(info->name[0] ? info->name : "plait", 0, NULL, root);
    if (!format->begin(s, root, data))
        return no_memory(s);
    for (int i = 0; format->reserved && format->reserved[i]; i++)
        snprintf(n->taken[n->count++], PLAIT_USDA_NAME, "%s", format->reserved[i]);
    for (int g = 0; g < info->groups; g++) {
        plait_status status = plait_export_group_make(s->e, g, &s->group[g]);
        if (status != PLAIT_OK)
            return status;
        if (s->group[g].fibres > 0)
            format->add_curves(s, add_name(n, info->group_name[g]), g, data);
    }
    n->count = format->apart ? 0 : n->count;
    for (int b = 0; b < s->bodies; b++)
        format->add_body(s, add_name(n, s->body[b].body->name), b, data);
    return PLAIT_OK;
}

static plait_status add_first(plait_shot *s, const plait_shot_format *format, void *data)
{
    plait_status status = make_room(s);
    if (status != PLAIT_OK)
        return status;
    size_t room = (size_t)(s->e->info->groups + s->bodies) + 1;
    for (int i = 0; format->reserved && format->reserved[i]; i++)
        room++;
    names n = {.taken = calloc(room, sizeof *n.taken)};
    status = n.taken ? add_all(s, format, &n, data) : no_memory(s);
    free(n.taken);
    return status;
}

static plait_status write_frames(plait_shot *s, const plait_shot_format *format, void *data)
{
    plait_exporter *e = s->e;
    s->code = malloc((size_t)e->count * sizeof *s->code);
    if (!s->code)
        return no_memory(s);
    for (int k = 0; k < e->count; k++) {
        s->code[k] = plait_export_code(e, k);
        plait_status status = plait_export_frame(e, k);
        if (status == PLAIT_OK && k == 0)
            status = add_first(s, format, data);
        if (status != PLAIT_OK)
            return status;
        for (int g = 0; g < e->info->groups; g++)
            if (s->group[g].fibres > 0)
                format->put_curves(s, g, data);
        for (int b = 0; b < s->bodies; b++)
            format->put_body(s, b, k == 0, data);
    }
    return format->end(s, data) ? PLAIT_OK : no_memory(s);
}

plait_status plait_shot_write(plait_exporter *e, const plait_shot_format *format, plait_sink *sink, void *data)
{
    plait_shot s = {.e = e};
    plait_status status = plait_export_open(e, e->name, -1, format->ending, sink);
    if (status != PLAIT_OK)
        return status;
    status = write_frames(&s, format, data);
    for (int g = 0; s.group && g < e->info->groups; g++)
        plait_export_group_free(&s.group[g]);
    plait_export_bodies_free(s.body, s.bodies);
    free(s.group), free(s.widest), free(s.vector), free(s.code);
    if (status == PLAIT_OK)
        return plait_export_close(e, sink);
    plait_sink_drop(sink);
    return status;
}

bool plait_shot_moves(const plait_shot *s, int body)
{
    return s->body[body].kind == PLAIT_BODY_SOFT || s->body[body].body->animated;
}

bool plait_shot_vertices(const plait_shot *s, int body, bool first, double box[6])
{
    const plait_export_body *b = &s->body[body];
    bool moves = plait_shot_moves(s, body);
    if (!first && !moves)
        return false;
    double *const *moved = b->kind == PLAIT_BODY_SOFT ? s->e->frame->soft : s->e->frame->vertex;
    plait_export_box_of(b->mesh.points, moves && moved[b->index] ? moved[b->index] : b->mesh.point, s->vector, box);
    return true;
}
