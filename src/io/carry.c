// carry.c: making and reading what plait/carry.h shows.
#include "io/carry.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "math/quat.h"
#include "math/vec3.h"

plait_carry_options plait_default_carry_options(void)
{
    return (plait_carry_options){.velocities = true};
}

bool plait_carry_useful(const plait_trajectory_info *info)
{
    static const char *const keys[] = {"every:", "most:", "carry:"};
    for (int i = 0; i < 3 && info->scene; i++)
        if (strstr(info->scene, keys[i]))
            return true;
    return false;
}

const plait_trajectory_info *plait_carry_info(const plait_carry *carry)
{
    return &carry->info;
}

const plait_carry_strands *plait_carry_get_strands(const plait_carry *carry)
{
    return &carry->strands;
}

void plait_carry_free(plait_carry *c)
{
    if (!c)
        return;
    for (int k = 0; k < 3; k++) {
        if (c->slot[k].frame)
            plait_trajectory_frame_free(c->slot[k].frame, c->from);
        free(c->slot[k].x);
    }
    if (c->rest)
        plait_trajectory_frame_free(c->rest, c->from);
    plait_pusher_free(c->pusher);
    free(c->carrier), free(c->guide_root), free(c->arc), free(c->rest_frame), free(c->bone);
    free(c->first), free(c->id), free(c->group), free(c->material), free(c->guide), free(c->alone);
    free(c->root_uv), free(c->width), free(c->colour), free(c->weight);
    free(c->radius), free(c->x0), free(c->root), free(c->push);
    free(c);
}

// ---- the drawn pose ----------------------------------------------------------------------------------------------

// The simulation that the scene begins with, as it was drawn, makes the same nodes as the trajectory's.
static plait_status draw(plait_carry *c, plait_scene *scene, plait_error *error)
{
    const plait_trajectory_info *info = c->from;
    for (int i = 0; i < scene->fibres; i++)
        scene->fibre[i].start = PLAIT_START_DRAWN;
    plait_sim *sim = plait_sim_new(scene, error);
    if (!sim)
        return error && error->status != PLAIT_OK ? error->status : PLAIT_BAD_INPUT;
    plait_status status = PLAIT_OK;
    bool same = scene->fibres == info->fibres && scene->colliders == info->colliders &&
                plait_sim_skins(sim) == info->softs && plait_sim_first_node(sim)[scene->fibres] == info->nodes;
    if (!same)
        status = plait_error_set(error, PLAIT_BAD_INPUT,
                                 "%s: its scene makes %d fibres with %d nodes now, but %d with %d are in the "
                                 "trajectory: a file that it names has changed",
                                 info->name, scene->fibres, plait_sim_first_node(sim)[scene->fibres], info->fibres,
                                 info->nodes);
    c->rest = same ? plait_trajectory_frame_new(info) : NULL;
    if (same && !c->rest)
        status = plait_error_set(error, PLAIT_NO_MEMORY, "no memory for a frame of %d nodes", info->nodes);
    else if (same)
        status = plait_trajectory_frame_take(c->rest, info, sim, error);
    plait_sim_free(sim);
    return status;
}

// ---- all groups --------------------------------------------------------------------------------------------------

static bool guide_room(plait_carry *c)
{
    size_t fibres = (size_t)c->from->fibres, nodes = (size_t)c->from->nodes, groups = (size_t)c->from->groups;
    c->carrier = calloc(fibres + 1, sizeof *c->carrier);
    c->guide_root = calloc(fibres + 1, sizeof *c->guide_root);
    c->arc = calloc(nodes + 1, sizeof *c->arc);
    c->rest_frame = calloc(9 * nodes + 1, sizeof *c->rest_frame);
    c->bone = calloc(12 * nodes + 1, sizeof *c->bone);
    c->alone = calloc(groups + 1, sizeof *c->alone);
    c->push = calloc(groups + 1, sizeof *c->push);
    return c->carrier && c->guide_root && c->arc && c->rest_frame && c->bone && c->alone && c->push;
}

static bool strand_room(plait_carry *c, int strands, int64_t points, int guides, bool colours)
{
    size_t n = (size_t)strands + 1, p = (size_t)points + 1;
    c->first = calloc(n, sizeof *c->first);
    c->id = calloc(n, sizeof *c->id), c->group = calloc(n, sizeof *c->group);
    c->material = calloc(n, sizeof *c->material), c->radius = calloc(n, sizeof *c->radius);
    c->guide = calloc(n * (size_t)guides, sizeof *c->guide), c->weight = calloc(n * (size_t)guides, sizeof *c->weight);
    c->root_uv = calloc(2 * n, sizeof *c->root_uv), c->root = calloc(n, sizeof *c->root);
    c->width = calloc(p, sizeof *c->width), c->x0 = calloc(3 * p, sizeof *c->x0);
    c->colour = colours ? calloc(3 * n, sizeof *c->colour) : NULL;
    c->strands = (plait_carry_strands){strands,  (int)points, c->first, c->id,    c->group, c->root_uv,
                                       c->width, c->colour,   guides,   c->guide, c->weight};
    return c->first && c->id && c->group && c->material && c->radius && c->guide && c->weight && c->root_uv &&
           c->root && c->width && c->x0 && (c->colour || !colours);
}

static void fill_widths(plait_carry *c, int begin, int end, double width, double taper)
{
    for (int i = begin; i < end; i++) {
        int last = c->first[i + 1] - c->first[i] - 1;
        for (int k = 0; k <= last; k++) {
            double part = last > 0 ? (double)k / last : 0; // thinner in the outer half
            c->width[c->first[i] + k] = (float)(width * (1 + (taper - 1) * fmax(0, 2 * part - 1)));
        }
        c->radius[i] = width / 2;
    }
}

// Strands of one group go behind those that there are; *at: the next.
static plait_status put_lot(plait_carry *c, const plait_scene *scene, int group, const plait_lot *lot, int *at,
                            plait_error *error)
{
    const plait_groom *groom = &scene->groom[group];
    int begin = *at, end = begin + lot->strands, fibre = 0, guides = c->strands.guides;
    while (fibre < c->from->fibres && c->from->group[fibre] != group)
        fibre++;
    if (lot->strands == 0 || fibre == c->from->fibres)
        return PLAIT_OK;
    int offset = c->first[begin];
    memcpy(c->x0 + 3 * (size_t)offset, lot->x, 3 * (size_t)lot->first[lot->strands] * sizeof *c->x0);
    for (int i = begin; i < end; i++) {
        c->first[i + 1] = offset + lot->first[i - begin + 1];
        c->id[i] = lot->id[i - begin], c->group[i] = group, c->material[i] = c->from->material[fibre];
        for (int k = 0; k < 3 && c->colour; k++)
            c->colour[3 * (size_t)i + (size_t)k] =
                lot->colour ? lot->colour[3 * (size_t)(i - begin) + (size_t)k] : 0.2f;
    }
    double radius = scene->materials > 0 ? scene->material[c->material[begin]].rod.radius[0] : 37e-6;
    double width = groom->width > 0 ? groom->width : lot->width > 0 ? lot->width : 2 * radius;
    fill_widths(c, begin, end, c->alone[group] ? 2 * c->from->radius[fibre] : width,
                c->alone[group] ? 1 : groom->taper);
    c->push[group] = groom->push && !c->alone[group];
    *at = end;
    plait_status status = plait_carry_bind(c, scene, group, groom->project, begin, end, error);
    if (status == PLAIT_OK && c->alone[group]) {
        for (int i = begin; i < end; i++, fibre++) {
            while (c->from->group[fibre] != group)
                fibre++;
            for (int k = 0; k < guides; k++)
                c->guide[(size_t)guides * (size_t)i + (size_t)k] = k == 0 ? fibre : -1;
            c->weight[(size_t)guides * (size_t)i] = 1;
        }
    } else if (status == PLAIT_OK && !plait_carry_choose(c, groom, group, begin, end)) {
        status = plait_error_set(error, PLAIT_NO_MEMORY, "no memory to find guides of %d strands", lot->strands);
    } else if (status == PLAIT_OK && groom->path && !plait_carry_shorten(c, scene, begin, end)) {
        status = plait_error_set(error, PLAIT_NO_MEMORY, "no memory to shorten %d strands", lot->strands);
    }
    return status;
}

static plait_status gather(plait_carry *c, const plait_scene *scene, const plait_carry_options *o, plait_error *error)
{
    int groups = c->from->groups, strands = 0, guides = 1, at = 0;
    int64_t points = 0;
    bool colours = false;
    plait_lot *lot = calloc((size_t)groups + 1, sizeof *lot);
    plait_status status = lot ? PLAIT_OK : plait_error_set(error, PLAIT_NO_MEMORY, "no memory for %d groups", groups);
    for (int g = 0; g < groups && status == PLAIT_OK; g++) {
        const plait_groom *groom = &scene->groom[g];
        bool more = groom->path || groom->strands > 0 || groom->clump > 0 || groom->frizz > 0;
        bool hair = more || (groups == 1 && o->strands > 0);
        c->alone[g] = !hair;
        status = plait_lot_make(c, scene, g, hair ? o->strands : 0, &lot[g], error);
        if (status != PLAIT_OK)
            break;
        strands += lot[g].strands;
        points += lot[g].first[lot[g].strands];
        colours = colours || lot[g].colour;
        guides = hair && groom->guides > guides ? groom->guides : guides;
    }
    if (status == PLAIT_OK && (points > INT32_MAX / 4 || !strand_room(c, strands, points, guides, colours)))
        status = plait_error_set(error, PLAIT_NO_MEMORY, "no memory for %d strands with %lld points", strands,
                                 (long long)points);
    for (int g = 0; g < groups && status == PLAIT_OK; g++)
        status = put_lot(c, scene, g, &lot[g], &at, error);
    for (int g = 0; lot && g < groups; g++)
        plait_lot_free(&lot[g]);
    free(lot);
    return status;
}

static void show(plait_carry *c)
{
    c->info = *c->from;
    c->info.stored = (plait_trajectory_options){.doubles = false, .velocities = c->velocities};
    c->info.fibres = c->strands.strands, c->info.nodes = c->strands.points;
    c->info.first = c->first, c->info.radius = c->radius;
    c->info.group = c->group, c->info.material = c->material;
}

static plait_status slots(plait_carry *c, plait_error *error)
{
    size_t points = (size_t)c->strands.points;
    bool ok = true;
    for (int k = 0; k < (c->velocities ? 3 : 1); k++) {
        c->slot[k].number = -1;
        c->slot[k].frame = plait_trajectory_frame_new(c->from);
        c->slot[k].x = malloc((3 * points + 1) * sizeof *c->slot[k].x);
        ok = ok && c->slot[k].frame && c->slot[k].x;
    }
    if (!ok)
        return plait_error_set(error, PLAIT_NO_MEMORY, "no memory for frames of %d points", c->strands.points);
    if (!(c->pusher = plait_pusher_new(c, error)))
        return PLAIT_NO_MEMORY;
    for (size_t i = 0; i < 3 * points; i++)
        c->slot[0].x[i] = (float)c->x0[i];
    return plait_pusher_apply(c->pusher, c, c->rest, c->slot[0].x, error);
}

plait_carry *plait_carry_new(const plait_trajectory *trajectory, const plait_carry_options *o, plait_error *error)
{
    plait_error own = {0};
    plait_error *e = error ? error : &own;
    plait_carry *c = calloc(1, sizeof *c);
    if (!c) {
        plait_error_set(e, PLAIT_NO_MEMORY, "no memory to carry strands");
        return NULL;
    }
    c->trajectory = trajectory, c->from = plait_trajectory_get_info(trajectory);
    c->velocities = o->velocities, c->team = plait_team_of(o->threads);
    plait_status status = PLAIT_OK;
    if (!c->from->scene || !*c->from->scene)
        status =
            plait_error_set(e, PLAIT_BAD_INPUT,
                            "%s: the trajectory has no scene that would say where strands come from", c->from->name);
    plait_scene *scene =
        status == PLAIT_OK ? plait_scene_from_text(c->from->scene, "", o->count, o->overrides, 0, NULL, e) : NULL;
    status = scene ? PLAIT_OK : e->status;
    if (status == PLAIT_OK)
        status = draw(c, scene, e);
    if (status == PLAIT_OK && !guide_room(c))
        status = plait_error_set(e, PLAIT_NO_MEMORY, "no memory for %d guides", c->from->fibres);
    if (status == PLAIT_OK)
        status = plait_carry_guides(c, scene, e);
    if (status == PLAIT_OK) {
        plait_carry_rest_frames(c);
        status = gather(c, scene, o, e);
    }
    if (status == PLAIT_OK)
        status = slots(c, e);
    plait_scene_free(scene);
    if (status == PLAIT_OK) {
        show(c);
        return c;
    }
    plait_carry_free(c);
    return NULL;
}
