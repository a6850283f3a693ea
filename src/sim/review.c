// review.c: what is strange about a scene before it is run.
//
// Ends that a collider carries may be in it: a root sits in the skin. What lies deeper along the fibre may not.
#include "plait/review.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "math/mat3.h"
#include "math/quat.h"
#include "math/vec3.h"
#include "shape/type.h"
#include "sim/bonds.h"

static const double LONG = 5;     // [m] no fibre is as long as that; people write cm for m
static const double DEEP = 0.1;   // of the contact radius
static const double ROOT = 0.1;   // of its length from a carried end a fibre may be inside of what carries it
static const double BUDGET = 3e7; // triangles that rays of one mesh are tried against
enum { MOST = 64 };               // warnings

// ---- the list -----------------------------------------------------------------------------------------------------

static void warn(plait_review *r, const char *list, const char *name, const char *format, ...) PLAIT_PRINTF(4, 5);
static void warn(plait_review *r, const char *list, const char *name, const char *format, ...)
{
    if (r->warnings == MOST)
        return;
    plait_warning *w = &r->warning[r->warnings++];
    snprintf(w->path, sizeof w->path, "%s%s%s", list, *name ? "." : "", name);
    va_list args;
    va_start(args, format);
    vsnprintf(w->text, sizeof w->text, format, args);
    va_end(args);
}

static const char *group_name(const plait_scene *s, const plait_fibre *f)
{
    return f->group >= 0 && f->group < s->groups ? s->group[f->group] : "";
}

// ---- what the scene says ------------------------------------------------------------------------------------------

static void check_words(const plait_scene *s, plait_review *r)
{
    const plait_output *o = &s->output;
    if (s->fibres == 0 && s->rigids == 0 && s->cloths == 0 && s->solids == 0)
        warn(r, "fibres", "", "the scene is empty: no fibres, no cloth, no bodies, nothing will move");
    if (o->frame_time > o->duration * (1 + 1e-9))
        warn(r, "output", "frame_time", "frames are %g s apart but the run lasts %g s: only the start will be stored",
             o->frame_time, o->duration);
    if (s->stepping.dt > o->frame_time * (1 + 1e-9) && o->frame_time <= o->duration)
        warn(r, "step", "dt", "a step of %g s is longer than the %g s between frames: steps will be cut",
             s->stepping.dt, o->frame_time);
    bool blows = plait_vec3_norm(s->wind) > 0 || plait_vec3_norm(s->gust) > 0 || s->turbulence > 0, drags = false;
    for (int i = 0; i < s->materials; i++)
        drags |= s->material[i].rod.drag > 0;
    if (blows && !drags)
        warn(r, "wind", "", "no material has 'drag': the wind moves nothing");
}

// Roots that are bound to the frame of a mesh whose vertices move stay behind.
static void check_bindings(const plait_scene *s, plait_review *r)
{
    for (int c = 0; c < s->colliders; c++) {
        int count = 0;
        for (int i = 0; i < s->fibres && s->collider[c].shape.frames > 1; i++)
            for (int e = 0; e < 2; e++)
                count += s->fibre[i].attach[e] == c && s->fibre[i].end[e] != PLAIT_END_FREE &&
                         s->fibre[i].bind[e] == PLAIT_BIND_BODY;
        if (count > 0)
            warn(r, "colliders", s->collider[c].name,
                 "its vertices move, but %d ends are bound to its frame and will not follow them", count);
    }
}

static void check_lengths(const plait_scene *s, plait_sim *sim, plait_review *r)
{
    int too_long = 0, which = 0;
    for (int i = 0; i < s->fibres; i++) {
        double length = plait_rod_length(plait_sim_rod(sim, i));
        r->shortest = i == 0 ? length : fmin(r->shortest, length);
        if (length > r->longest)
            r->longest = length, which = i;
        too_long += length > LONG;
    }
    if (too_long > 0)
        warn(r, "fibres", group_name(s, &s->fibre[which]),
             "%d fibres are longer than %g m, the longest %.3g m: are the units right?", too_long, LONG, r->longest);
}

// Strands of files that were moved before anything began.
static void check_moved(const plait_scene *s, plait_review *r)
{
    for (int g = 0; g < s->groups; g++) {
        int count = 0;
        double most = 0, sum = 0;
        for (int i = 0; i < s->fibres; i++) {
            double by = s->fibre[i].group == g ? s->fibre[i].moved : 0;
            count += by > 0, sum += by, most = fmax(most, by);
        }
        r->pushed += count, r->pushed_by = fmax(r->pushed_by, most);
        if (count > 0)
            warn(r, "fibres", s->group[g],
                 "%d strands of the file overlap others or colliders: they start up to %.3g mm from where they are "
                 "drawn (%.3g mm on average)",
                 count, 1e3 * most, 1e3 * sum / count);
    }
}

// What `start: held` had to change, and where it could not help.
static void check_held(const plait_scene *s, const plait_sim *sim, plait_review *r)
{
    for (int g = 0; g < s->groups; g++) {
        int stiffer = 0, elsewhere = 0, farthest = -1;
        plait_hold_report h, worst = {.stiffness = 1}, far = {0};
        for (int i = 0; i < s->fibres; i++) {
            if (s->fibre[i].group != g || !plait_sim_fibre_hold(sim, i, &h))
                continue;
            stiffer += h.held && h.stiffness > 1, elsewhere += !h.held;
            worst = h.held && h.stiffness > worst.stiffness ? h : worst;
            if (!h.held && (farthest < 0 || h.moved > far.moved))
                far = h, farthest = i;
        }
        r->stiffened += stiffer, r->moved += elsewhere, r->moved_by = fmax(r->moved_by, far.moved);
        if (stiffer > 0)
            warn(r, "fibres", s->group[g],
                 "to hold its shape, %d fibres are made stiffer than their material, up to %.3g times", stiffer,
                 worst.stiffness);
        if (elsewhere > 0)
            warn(r, "fibres", s->group[g],
                 "%d fibres cannot be held as they are drawn and start elsewhere; fibre %d is %.3g mm away: %s",
                 elsewhere, farthest, 1e3 * far.moved, far.reason ? far.reason : "");
    }
}

// ---- where things are ---------------------------------------------------------------------------------------------

static void grow(plait_review *r, const double x[3], double radius, bool *any)
{
    for (int k = 0; k < 3; k++) {
        r->low[k] = *any ? fmin(r->low[k], x[k] - radius) : x[k] - radius;
        r->high[k] = *any ? fmax(r->high[k], x[k] + radius) : x[k] + radius;
    }
    *any = true;
}

static void measure_box(const plait_scene *s, const plait_sim *sim, plait_review *r)
{
    const plait_model *m = &sim->model;
    bool any = false;
    for (int i = 0; i < m->chains; i++)
        for (int n = m->first_node[i]; n < m->first_node[i + 1]; n++)
            grow(r, sim->work.x0 + 3 * n, m->radius[i], &any);
    for (int i = 0; i < m->skins; i++)
        for (int n = m->first_skin_node[i]; n < m->first_skin_node[i + 1]; n++)
            grow(r, sim->work.x0 + 3 * (size_t)n, m->skin[i].skin->radius, &any);
    for (int i = 0; i < s->rigids; i++) {
        const plait_shape *shape = &s->rigid[i].shape;
        double half[3] = {0};
        if (plait_shape_type_of(shape)->extent)
            plait_shape_type_of(shape)->extent(shape, half);
        grow(r, s->rigid[i].position, plait_vec3_norm(half), &any);
    }
}

bool plait_collider_box(const plait_collider *c, double low[3], double high[3])
{
    const plait_shape_type *type = plait_shape_type_of(&c->shape);
    double R[9], q[4], corner[3], half[3] = {0}, radius = type->cells == 1 ? c->shape.size[0] : 0;
    int count = c->shape.points > 0 ? c->shape.points : type->extent ? 8 : 0;
    plait_quat_exp(c->rotation, q);
    plait_quat_matrix(q, R);
    if (type->extent)
        type->extent(&c->shape, half);
    for (int i = 0; i < count; i++) {
        double y[3] = {i & 1 ? half[0] : -half[0], i & 2 ? half[1] : -half[1], i & 4 ? half[2] : -half[2]};
        plait_mat3_apply(R, c->shape.points > 0 ? c->shape.point + 3 * (size_t)i : y, corner);
        for (int k = 0; k < 3; k++) {
            double x = corner[k] + c->position[k];
            low[k] = i ? fmin(low[k], x - radius) : x - radius;
            high[k] = i ? fmax(high[k], x + radius) : x + radius;
        }
    }
    return count > 0;
}

// ---- overlaps -----------------------------------------------------------------------------------------------------

static const char *side_name(const plait_scene *s, const plait_model *m, const plait_side *side)
{
    int b = plait_sim_owner(m, side), i = m->body[b].id;
    switch (m->kind[b]->partner) {
    case PLAIT_PARTNER_FIBRE:
        return group_name(s, &s->fibre[i]);
    case PLAIT_PARTNER_RIGID:
        return s->rigid[i].name;
    case PLAIT_PARTNER_CLOTH:
        return s->cloth[i].name;
    case PLAIT_PARTNER_SOLID:
        return s->solid[i].name;
    default:
        return s->collider[i].name;
    }
}

static const char *side_list(const plait_model *m, const plait_side *side)
{
    plait_partner_kind kind = m->kind[plait_sim_owner(m, side)]->partner;
    static const char *const lists[] = {"fibres", "colliders", "bodies", "cloth", "solids"};
    return lists[kind];
}

// Whether this place is near an end that the other side carries.
static bool rooted(const plait_scene *s, const plait_sim *sim, const plait_touch *t)
{
    const plait_model *m = &sim->model;
    for (int k = 0; k < 2; k++) {
        int b = plait_sim_owner(m, &t->side[k]), other = plait_sim_owner(m, &t->side[1 - k]);
        if (m->kind[b]->partner != PLAIT_PARTNER_FIBRE || m->kind[other]->partner != PLAIT_PARTNER_COLLIDER)
            continue;
        const plait_fibre *f = &s->fibre[m->body[b].id];
        double length = plait_rod_length(plait_fibre_rod(&m->body[b])), at = t->arc[k];
        for (int e = 0; e < 2; e++)
            if (f->attach[e] == m->body[other].id && (e ? length - at : at) < ROOT * length)
                return true;
    }
    return false;
}

static void check_overlaps(const plait_scene *s, const plait_sim *sim, plait_review *r)
{
    const plait_model *m = &sim->model;
    const plait_touches *touches = &sim->work.touches;
    const plait_touch *worst = NULL;
    r->near = touches->count;
    if (m->rest.count > 0)
        warn(r, "contact", "overlaps", "%d places overlap at the start: they may stay as near as they are",
             m->rest.count);
    for (int i = 0; i < touches->count; i++) {
        const plait_touch *t = &touches->touch[i];
        double radius = m->proximity;
        for (int k = 0; k < 2; k++)
            if (!t->side[k].on_shape)
                radius = t->side[k].on_skin ? m->skin[t->side[k].index].skin->radius : m->radius[t->side[k].index];
        if (t->gap >= -DEEP * radius || rooted(s, sim, t))
            continue;
        r->overlaps++;
        if (-t->gap > r->deepest)
            r->deepest = -t->gap, worst = t;
    }
    if (worst)
        warn(r, side_list(m, &worst->side[0]), side_name(s, m, &worst->side[0]),
             "%d places overlap at the start, the worst by %.3g mm at (%.4g, %.4g, %.4g) m with '%s': the first steps "
             "will "
             "push them apart",
             r->overlaps, 1e3 * r->deepest, worst->side[0].point[0], worst->side[0].point[1], worst->side[0].point[2],
             side_name(s, m, &worst->side[1]));
}

// ---- cloth, solids, bonds ---------------------------------------------------------------------------------------

static void check_skins(const plait_sim *sim, const plait_scene *s, plait_review *r)
{
    const plait_model *m = &sim->model;
    for (int i = 0; i < m->skins; i++) {
        const plait_body *body = &m->body[m->skin_body[i]];
        double thickness = 2 * m->skin[i].skin->radius;
        const char *name = i < s->cloths ? s->cloth[i].name : s->solid[i - s->cloths].name;
        if (m->skin[i].skin->self && body->edge < thickness)
            warn(r, i < s->cloths ? "cloth" : "solids", name,
                 "its triangles, %.3g mm wide, are smaller than its thickness of %.3g mm: what is nearer than that at "
                 "rest does not touch itself",
                 1e3 * body->edge, 1e3 * thickness);
    }
}

static bool is_of(const plait_scene *s, int material)
{
    bool any = false;
    for (int i = 0; i < s->fibres; i++)
        any |= s->fibre[i].material == material;
    for (int i = 0; i < s->rigids; i++)
        any |= s->rigid[i].material == material;
    for (int i = 0; i < s->colliders; i++)
        any |= s->collider[i].material == material;
    for (int i = 0; i < s->cloths; i++)
        any |= s->cloth[i].material == material;
    for (int i = 0; i < s->solids; i++)
        any |= s->solid[i].material == material;
    return any;
}

static void check_bonds(const plait_scene *s, const plait_sim *sim, plait_review *r)
{
    const plait_touches *touches = &sim->work.touches;
    for (int i = 0; i < touches->count; i++) {
        const plait_touch *t = &touches->touch[i];
        const plait_adhesion *a = t->fixed ? NULL : plait_sim_adhesion(&sim->model, &sim->work, t);
        r->ties += t->fixed, r->bonds += a && a->initial > 0;
    }
    for (int a = 0; s->adhesion && a < s->materials; a++)
        for (int b = 0; b <= a; b++) {
            const plait_adhesion *glue = &s->adhesion[a * s->materials + b];
            if (!(glue->stiffness[0] > 0 || glue->stiffness[1] > 0))
                continue;
            if (!is_of(s, a) || !is_of(s, b))
                warn(r, "adhesion", s->material[b].name, "nothing is made of '%s': it holds nothing",
                     s->material[is_of(s, a) ? b : a].name);
            else if (glue->rate == 0 && glue->fresh == 0 && (glue->initial == 0 || r->bonds == 0))
                warn(r, "adhesion", s->material[b].name,
                     "nothing that could bond with '%s' touches at the start, and contacts that are made later do not "
                     "bond (fresh, bonding_rate): it does nothing",
                     s->material[a].name);
        }
}

// ---- insides ------------------------------------------------------------------------------------------------------

// Whether a ray along a skew direction meets the closed surface an odd number of times.
static bool odd_crossings(const plait_shape *s, const double y[3])
{
    static const double d[3] = {0.5773, 0.2113, 0.7887};
    bool odd = false;
    for (int i = 0; i < s->triangles; i++) {
        const double *a = s->point + 3 * (size_t)s->triangle[3 * i];
        double e[3], f[3], p[3], t[3], q[3];
        plait_vec3_sub(s->point + 3 * (size_t)s->triangle[3 * i + 1], a, e);
        plait_vec3_sub(s->point + 3 * (size_t)s->triangle[3 * i + 2], a, f);
        plait_vec3_cross(d, f, p);
        double det = plait_vec3_dot(e, p);
        if (det == 0)
            continue;
        plait_vec3_sub(y, a, t);
        plait_vec3_cross(t, e, q);
        double u = plait_vec3_dot(t, p) / det, v = plait_vec3_dot(d, q) / det;
        odd ^= u >= 0 && v >= 0 && u + v < 1 && plait_vec3_dot(f, q) / det > 0;
    }
    return odd;
}

// Deeper than `margin` where that is known.
static bool is_inside(const plait_shape *s, const double y[3], double margin)
{
    const plait_shape_type *type = plait_shape_type_of(s);
    double normal[3];
    if (plait_shape_exact(s))
        return type->distance(s, y, normal) < -margin;
    return s->closed && s->triangles > 0 && odd_crossings(s, y);
}

static bool fibre_inside(const plait_scene *s, const plait_sim *sim, int i, int c, int stride)
{
    const plait_model *m = &sim->model;
    const plait_shape_geometry *g = m->body[plait_sim_body(m, &plait_body_collider, c) - m->body].shape;
    int first = m->first_node[i], count = m->first_node[i + 1] - first;
    double R[9], arm[3], y[3];
    plait_quat_matrix(g->start.q, R);
    for (int n = 0; n < count; n += stride) {
        double along = (double)n / (count - 1);
        if ((s->fibre[i].attach[0] == c && along < ROOT) || (s->fibre[i].attach[1] == c && along > 1 - ROOT))
            continue;
        plait_vec3_sub(sim->work.x0 + 3 * (first + n), g->start.x, arm);
        plait_mat3_apply_transposed(R, arm, y);
        if (is_inside(&s->collider[c].shape, y, m->radius[i]))
            return true;
    }
    return false;
}

static void check_insides(const plait_scene *s, const plait_sim *sim, plait_review *r)
{
    for (int c = 0; c < s->colliders; c++) {
        const plait_shape *shape = &s->collider[c].shape;
        if (!plait_shape_exact(shape) && !(shape->closed && shape->triangles > 0))
            continue;
        double work = plait_shape_exact(shape) ? 0 : (double)sim->model.nodes * shape->triangles;
        int stride = 1 + (int)fmin(work / BUDGET, 1e6), every = 1, count = 0, which = 0;
        if (stride > 8) // some fibres instead of all
            every = stride / 8, stride = 8;
        for (int i = 0; i < s->fibres; i += every)
            if (fibre_inside(s, sim, i, c, stride))
                count++, which = i;
        r->inside += count;
        if (count > 0)
            warn(r, "fibres", group_name(s, &s->fibre[which]),
                 "%d fibres%s are partly inside of collider '%s', fibre %d is one", count,
                 every > 1 ? " of those that were looked at" : "", s->collider[c].name, which);
    }
}

// ---- all ----------------------------------------------------------------------------------------------------------

static plait_status look(const plait_scene *s, plait_sim *sim, plait_review *r, plait_error *error)
{
    plait_work *w = &sim->work;
    r->nodes = sim->model.nodes, r->dofs = sim->model.dofs;
    check_lengths(s, sim, r);
    check_moved(s, r);
    check_held(s, sim, r);
    measure_box(s, sim, r);
    memcpy(w->x1, w->x0, 3 * (size_t)sim->model.nodes * sizeof *w->x0); // nothing moves
    plait_attempt a = {.dt = s->stepping.dt, .error = error};
    if (!plait_sim_detect(&sim->model, &sim->state, w, &a))
        return a.status;
    check_overlaps(s, sim, r);
    check_skins(sim, s, r);
    check_bonds(s, sim, r);
    check_insides(s, sim, r);
    return PLAIT_OK;
}

plait_status plait_scene_review(const plait_scene *scene, plait_review *r, plait_error *error)
{
    *r = (plait_review){.fibres = scene->fibres,
                        .rigids = scene->rigids,
                        .colliders = scene->colliders,
                        .cloths = scene->cloths,
                        .solids = scene->solids};
    r->warning = calloc(MOST, sizeof *r->warning);
    if (!r->warning)
        return plait_error_set(error, PLAIT_NO_MEMORY, "no memory to look at the scene");
    plait_error own = {0};
    plait_sim *sim = plait_sim_new(scene, &own);
    plait_status status = sim ? PLAIT_OK : plait_error_set(error, own.status, "%s", own.text);
    if (sim) {
        check_words(scene, r);
        check_bindings(scene, r);
        status = look(scene, sim, r, error);
    }
    plait_sim_free(sim);
    if (status != PLAIT_OK)
        plait_review_free(r);
    return status;
}

void plait_review_free(plait_review *r)
{
    free(r->warning);
    r->warning = NULL, r->warnings = 0;
}
