// scene_check.c: what cannot be simulated is refused, with the name of the part that is wrong.
//
// What only a rod can know of itself (folds, a radius above the segment length) is left to plait_rod_new.
#include <math.h>
#include <stdarg.h>
#include <stdio.h>

#include "math/vec3.h"
#include "scene/scene.h"
#include "plait/scene.h"
#include "shape/type.h"

typedef struct checker {
    plait_error *error;
    char what[160]; // "collider 2 (head)"
} checker;

static bool fail(const checker *c, const char *format, ...) PLAIT_PRINTF(2, 3);
static bool fail(const checker *c, const char *format, ...)
{
    char text[300];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    plait_error_set(c->error, PLAIT_BAD_INPUT, "%s: %s", c->what, text);
    return false;
}

static void name_part(checker *c, const char *kind, int i, const char *name)
{
    if (name && name[0])
        snprintf(c->what, sizeof c->what, "%s %d (%s)", kind, i, name);
    else
        snprintf(c->what, sizeof c->what, "%s %d", kind, i);
}

static bool vector(const checker *c, const char *what, const double x[3])
{
    if (plait_vec3_finite(x))
        return true;
    return fail(c, "%s must be finite, but is (%g, %g, %g)", what, x[0], x[1], x[2]);
}

// [m] Beyond it differences of coordinates mean nothing, and no detector looks there (src/collide/prepare.c); [rad] of
// a rotation vector: the rounding of such an angle is a part of a turn.
static const double FARTHEST = 1e12;

static bool near(const double x[3])
{
    return fabs(x[0]) <= FARTHEST && fabs(x[1]) <= FARTHEST && fabs(x[2]) <= FARTHEST; // false for NaN
}

// A place or a rotation vector.
static bool place(const checker *c, const char *what, const double x[3])
{
    return near(x) ||
           fail(c, "%s must be finite and within %g of 0, but is (%g, %g, %g)", what, FARTHEST, x[0], x[1], x[2]);
}

static bool number(const checker *c, const char *what, double value, double min, double max)
{
    if (value >= min && value <= max)
        return true;
    return fail(c, "%s must be between %g and %g, but is %g", what, min, max, value);
}

static bool integer(const checker *c, const char *what, int value, int min, int max)
{
    if (value >= min && value <= max)
        return true;
    return fail(c, "%s must be between %d and %d, but is %d", what, min, max, value);
}

static bool material_index(const checker *c, const plait_scene *s, int i)
{
    if (s->materials < 1)
        return fail(c, "the scene has no materials");
    return integer(c, "its material", i, 0, s->materials - 1);
}

// ---- shapes and motions ------------------------------------------------------------------------------------------

static bool sizes(const checker *c, const char *kind, const plait_shape *shape, int count)
{
    for (int k = 0; k < count; k++)
        if (!(shape->size[k] > 0 && shape->size[k] <= 1e6))
            return fail(c, "sizes of a %s must be positive and below 1e6 m, but size %d is %g", kind, k,
                        shape->size[k]);
    return true;
}

static bool points(const checker *c, const char *what, const double *x, int count)
{
    for (int i = 0; i < count; i++)
        if (!near(x + 3 * (size_t)i))
            return fail(c, "%s %d is not finite, or farther than %g m from the origin: (%g, %g, %g)", what, i, FARTHEST,
                        x[3 * (size_t)i], x[3 * (size_t)i + 1], x[3 * (size_t)i + 2]);
    return true;
}

static bool curve(const checker *c, const plait_shape *shape)
{
    if (shape->points < 2 || !shape->point)
        return fail(c, "a curve needs at least 2 points, found %d", shape->points);
    return sizes(c, "curve", shape, 1) && points(c, "point", shape->point, shape->points);
}

static bool mesh(const checker *c, const plait_shape *shape)
{
    if (shape->points < 3 || !shape->point || shape->triangles < 1 || !shape->triangle)
        return fail(c, "a mesh needs at least 3 points and 1 triangle, found %d and %d", shape->points,
                    shape->triangles);
    for (int i = 0; i < shape->triangles; i++) {
        const int *t = shape->triangle + 3 * (size_t)i;
        for (int k = 0; k < 3; k++)
            if (t[k] < 0 || t[k] >= shape->points)
                return fail(c, "triangle %d: vertices are 0 to %d, found %d", i, shape->points - 1, t[k]);
        if (t[0] == t[1] || t[1] == t[2] || t[2] == t[0])
            return fail(c, "triangle %d: a vertex appears twice (%d, %d, %d)", i, t[0], t[1], t[2]);
    }
    if (!number(c, "the thickness", shape->size[0], 0, 1e6) || !points(c, "vertex", shape->point, shape->points) ||
        !integer(c, "the number of animation frames", shape->frames, 0, 1 << 24))
        return false;
    if (shape->frames == 0)
        return true;
    if (!shape->frame)
        return fail(c, "there are %d animation frames, but no data", shape->frames);
    if (!isfinite(shape->frame_start))
        return fail(c, "the time of the first animation frame must be finite, but is %g s", shape->frame_start);
    if (shape->frames > 1 && !(shape->frame_time > 0 && isfinite(shape->frame_time)))
        return fail(c, "the time between animation frames must be positive, but is %g s", shape->frame_time);
    for (int k = 0; k < shape->frames; k++)
        if (!points(c, "animated vertex", shape->frame + 3 * (size_t)k * (size_t)shape->points, shape->points))
            return false;
    return true;
}

static bool check_shape(const checker *c, const plait_shape *shape)
{
    if ((int)shape->kind < 0 || (int)shape->kind >= plait_shape_count())
        return fail(c, "unknown kind of shape %d", (int)shape->kind);
    const plait_shape_type *type = plait_shape_type_of(shape);
    if (type->program && !shape->field)
        return fail(c, "a %s needs a function, which only a program can give", type->name);
    if (type->cells)
        return type->cells == 1 ? curve(c, shape) : mesh(c, shape);
    return sizes(c, type->name, shape, type->sizes) &&
           (!type->zero_length || number(c, "the half length", shape->size[1], 0, 1e6));
}

static bool check_motion(const checker *c, const plait_motion *m)
{
    if (!vector(c, "the pivot", m->pivot) || !integer(c, "the number of keys", m->keys, 0, 1 << 28) ||
        !integer(c, "the number of drives", m->drives, 0, 1 << 28) ||
        !integer(c, "the kind of ease", (int)m->ease, 0, PLAIT_EASE_SMOOTH))
        return false;
    if ((m->keys > 0 && !m->key) || (m->drives > 0 && !m->drive))
        return fail(c, "its motion has a number of keys or drives, but no data");
    for (int i = 0; i < m->keys; i++) {
        const plait_key *k = &m->key[i];
        if (!isfinite(k->time) || !near(k->position) || !near(k->rotation))
            return fail(c, "key %d of its motion is not finite, or beyond %g", i, FARTHEST);
        if (i > 0 && !(k->time > m->key[i - 1].time))
            return fail(c, "the times of its keys must ascend, but key %d is at %g s after one at %g s", i, k->time,
                        m->key[i - 1].time);
    }
    for (int i = 0; i < m->drives; i++) {
        const plait_drive *d = &m->drive[i];
        if ((int)d->kind < 0 || d->kind > PLAIT_DRIVE_RAMP)
            return fail(c, "drive %d of its motion: unknown kind %d", i, (int)d->kind);
        if (!plait_vec3_finite(d->amplitude) || !isfinite(d->frequency) || !isfinite(d->phase) || !isfinite(d->start))
            return fail(c, "drive %d of its motion is not finite", i);
        if (!(d->stop > d->start) || (d->kind == PLAIT_DRIVE_RAMP && !isfinite(d->stop)))
            return fail(c, "drive %d of its motion must stop after its start at %g s, but stop is %g s", i, d->start,
                        d->stop);
    }
    return true;
}

// ---- parts -------------------------------------------------------------------------------------------------------

static bool check_material(const checker *c, const plait_fibre_material *m)
{
    plait_error error = {0};
    plait_section section;
    if (plait_material_section(&m->rod, &section, &error) != PLAIT_OK) {
        plait_error_set(c->error, error.status, "%s: %.400s", c->what, error.text);
        return false;
    }
    return number(c, "the contact radius", m->contact_radius, 0, 10) && number(c, "slip", m->slip, 0, 1);
}

static bool check_tables(const checker *c, const plait_scene *s)
{
    int n = s->materials;
    if (n > 0 && (!s->mu || !s->restitution))
        return fail(c, "there is no table of friction");
    for (int a = 0; a < n; a++) {
        for (int b = 0; b < n; b++) {
            double mu = s->mu[(size_t)a * (size_t)n + (size_t)b], e = s->restitution[(size_t)a * (size_t)n + (size_t)b];
            if (!(mu >= 0 && mu <= 1e3) || mu != s->mu[(size_t)b * (size_t)n + (size_t)a])
                return fail(c, "friction of '%s' and '%s' must be the same both ways and between 0 and 1000, but is %g",
                            s->material[a].name, s->material[b].name, mu);
            if (!(e >= 0 && e <= 1) || e != s->restitution[(size_t)b * (size_t)n + (size_t)a])
                return fail(c, "restitution of '%s' and '%s' must be the same both ways and between 0 and 1, but is %g",
                            s->material[a].name, s->material[b].name, e);
        }
    }
    return true;
}

plait_status plait_adhesion_check(const plait_adhesion *a, plait_error *error)
{
    const struct {
        const char *what;
        double value, min, max;
    } row[] = {{"the stiffness against opening", a->stiffness[0], 0, 1e15},
               {"the stiffness against slipping", a->stiffness[1], 0, 1e15},
               {"the energy", a->energy, 1e-12, 1e12},
               {"the viscosity", a->viscosity, 0, 1e12},
               {"the bonding rate", a->rate, 0, 1e12},
               {"the saturation", a->saturation, 0, 1e12},
               {"the coupling", a->coupling, 0, 1000},
               {"the initial beta", a->initial, 0, 1},
               {"the fresh beta", a->fresh, 0, 1},
               {"the cut", a->cut, 0, 1e6},
               {"the area", a->area, 0, 1e6}};
    if (a->stiffness[0] == 0 && a->stiffness[1] == 0)
        return PLAIT_OK; // none
    for (size_t k = 0; k < sizeof row / sizeof *row; k++)
        if (!(row[k].value >= row[k].min && row[k].value <= row[k].max))
            return plait_error_set(error, PLAIT_BAD_INPUT, "%s of adhesion must be between %g and %g, but is %g",
                                   row[k].what, row[k].min, row[k].max, row[k].value);
    return PLAIT_OK;
}

static bool check_adhesion(const checker *c, const plait_scene *s)
{
    size_t n = (size_t)s->materials;
    for (size_t i = 0; s->adhesion && i < n * n; i++) {
        const plait_adhesion *a = &s->adhesion[i], *b = &s->adhesion[i % n * n + i / n];
        const double same[][2] = {{a->stiffness[0], b->stiffness[0]}, {a->stiffness[1], b->stiffness[1]},
                                  {a->energy, b->energy},             {a->area, b->area}};
        for (size_t k = 0; k < sizeof same / sizeof *same; k++)
            if (same[k][0] != same[k][1])
                return fail(c, "adhesion of '%s' and '%s' must be the same both ways", s->material[i / n].name,
                            s->material[i % n].name);
        plait_error inner = {0};
        if (plait_adhesion_check(a, &inner) != PLAIT_OK)
            return fail(c, "%s", inner.text);
    }
    return true;
}

static bool check_tie(const checker *c, const plait_scene *s, const plait_tie *t)
{
    if (!integer(c, "its first group", t->group[0], -1, s->groups - 1) ||
        !integer(c, "its second group", t->group[1], -1, s->groups - 1) ||
        !integer(c, "its collider", t->collider, -1, s->colliders - 1) ||
        !integer(c, "its body", t->rigid, -1, s->rigids - 1) || !place(c, "its position", t->position) ||
        !number(c, "its reach", t->reach, 0, 1e6) || !number(c, "its stiffness", t->stiffness, 0, 1e15) ||
        !number(c, "its damping", t->damping, 0, 1e15) || !number(c, "its strength", t->strength, 0, 1e15) ||
        !number(c, "its start", t->from, -1e9, 1e9) || !number(c, "its end", t->until, 0, 1e9))
        return false;
    if (!(t->radius > 0))
        return fail(c, "its radius must be above 0, but is %g", t->radius);
    return true;
}

static bool check_joint(const checker *c, const plait_scene *s, const plait_joint *j)
{
    for (int k = 0; k < 2; k++)
        if (!integer(c, "its group", j->group[k], -1, s->groups - 1) ||
            !integer(c, "its body", j->rigid[k], -1, s->rigids - 1) ||
            !number(c, "its arc", j->arc[k], 0, j->relative[k] ? 1 : 1e9))
            return false;
    if (!integer(c, "its kind", (int)j->kind, 0, PLAIT_JOINT_WELD) ||
        !integer(c, "its collider", j->collider, -1, s->colliders - 1) || !place(c, "its place", j->place) ||
        !vector(c, "its axis", j->axis) || !number(c, "its reach", j->reach, 0, 1e6) ||
        !number(c, "its start", j->from, -1e9, 1e9) || !number(c, "its end", j->until, 0, 1e9))
        return false;
    if (j->kind == PLAIT_JOINT_HINGE && !(plait_vec3_norm(j->axis) > 0))
        return fail(c, "a hinge needs an axis");
    for (int k = 0; k < 2; k++)
        if ((j->group[k] >= 0) + (j->rigid[k] >= 0) + (k == 1 && j->collider >= 0) != 1)
            return fail(c, "its %s side is fibres, a body or a collider: one of them", k ? "second" : "first");
    if (!j->placed && j->group[0] < 0 && j->group[1] < 0)
        return fail(c, "a joint without fibres needs a place");
    if (j->reach > 0 && (j->group[0] < 0 || j->group[1] < 0))
        return fail(c, "joints at crossings are between fibres");
    return true;
}

static bool check_load(const checker *c, const plait_scene *s, const plait_load *l)
{
    const plait_course *k = &l->course;
    if (!integer(c, "its kind", (int)l->kind, 0, PLAIT_LOAD_KINDS - 1) ||
        !integer(c, "its group", l->group, -1, s->groups - 1) ||
        !integer(c, "its body", l->rigid, -1, s->rigids - 1) || !vector(c, "its vector", l->vector) ||
        !place(c, "its point", l->point) || !place(c, "its place", l->place) ||
        !number(c, "its amount", l->amount, -1e15, 1e15) || !number(c, "its stiffness", l->stiffness, 0, 1e15) ||
        !number(c, "its damping", l->damping, 0, 1e15) || !number(c, "its strength", l->strength, 0, 1e15) ||
        !number(c, "its end", l->until, 0, 1e9) || !number(c, "its arc", l->arc[0], 0, l->relative ? 1 : 1e9) ||
        !number(c, "the end of its arc", l->arc[1], l->arc[0], l->relative ? 1 : 1e9) ||
        !integer(c, "its course", (int)k->kind, 0, PLAIT_COURSE_TABLE) ||
        !number(c, "its start", k->start, -1e9, 1e9) ||
        !number(c, "its frequency", k->frequency, 0, 1e12) || !number(c, "its phase", k->phase, -1e9, 1e9) ||
        !integer(c, "its first material", l->material[0], -1, s->materials - 1) ||
        !integer(c, "its second material", l->material[1], -1, s->materials - 1) ||
        !integer(c, "its collider", l->collider, -1, s->colliders - 1) ||
        !integer(c, "the other body", l->body, -1, s->rigids - 1) ||
        !integer(c, "the other group", l->other_group, -1, s->groups - 1) ||
        !number(c, "the other arc", l->other_arc, 0, 1))
        return false;
    if (isnan(k->stop) || k->stop < k->start || (k->kind == PLAIT_COURSE_RAMP && !isfinite(k->stop)))
        return fail(c, "it must stop after its start at %g s, but does at %g s", k->start, k->stop);
    for (int i = 0; i < k->points; i++)
        if (!isfinite(k->time[i]) || !isfinite(k->value[i]) || (i > 0 && !(k->time[i] > k->time[i - 1])))
            return fail(c, "the times of its table must ascend: point %d, %g s", i, k->time[i]);
    if (k->kind == PLAIT_COURSE_TABLE && k->points < 1)
        return fail(c, "its table is empty");
    bool cell = l->kind >= PLAIT_LOAD_CELL_STRAIN;
    if (!integer(c, "its axis", l->axis, 0, 5) || !number(c, "its fastest rate", l->fastest, 0, 1e12))
        return false;
    if (l->kind == PLAIT_LOAD_CELL_STRESS && !(l->fastest > 0))
        return fail(c, "a stress needs a rate at which the cell gives way ('fastest')");
    if (l->kind == PLAIT_LOAD_CELL_RATE && k->kind != PLAIT_COURSE_CONSTANT)
        return fail(c, "a rate is constant from its start to its stop");
    bool world = l->kind == PLAIT_LOAD_GRAVITY || l->kind == PLAIT_LOAD_FRICTION || cell;
    if (!world && l->group < 0 && l->rigid < 0)
        return fail(c, "it names nothing that it acts on");
    if (l->rigid >= 0 && (l->kind == PLAIT_LOAD_MASS || l->kind == PLAIT_LOAD_CURVATURE))
        return fail(c, "it is for fibres");
    if (l->kind == PLAIT_LOAD_SPRING && !(l->stiffness > 0))
        return fail(c, "a spring has a stiffness above 0");
    if (l->kind == PLAIT_LOAD_SPRING && l->other_group < 0 && l->collider < 0 && l->body < 0)
        return fail(c, "its other end is at nothing");
    return true;
}

static bool check_measure(const checker *c, const plait_scene *s, const plait_measure *m)
{
    if (!integer(c, "its kind", (int)m->kind, 0, PLAIT_MEASURE_KINDS - 1) ||
        !integer(c, "its group", m->group, -1, s->groups - 1) ||
        !integer(c, "its collider", m->collider, -1, s->colliders - 1) ||
        !integer(c, "its body", m->rigid, -1, s->rigids - 1) ||
        !integer(c, "the other group", m->other_group, -1, s->groups - 1) ||
        !integer(c, "the other collider", m->other_collider, -1, s->colliders - 1) ||
        !integer(c, "the other body", m->other_rigid, -1, s->rigids - 1) ||
        !number(c, "its arc", m->arc[0], 0, m->relative ? 1 : 1e9) ||
        !number(c, "the end of its arc", m->arc[1], m->arc[0], m->relative ? 1 : 1e9) ||
        !number(c, "the other arc", m->other_arc, 0, 1) || !place(c, "its place", m->place) ||
        !number(c, "its volume", m->volume, 0, 1e18))
        return false;
    bool place = m->kind == PLAIT_MEASURE_POSITION || m->kind == PLAIT_MEASURE_VELOCITY ||
                 m->kind == PLAIT_MEASURE_DISTANCE;
    bool along = m->kind == PLAIT_MEASURE_REACTION || m->kind == PLAIT_MEASURE_FREQUENCY ||
                 (m->kind >= PLAIT_MEASURE_TENSION && m->kind <= PLAIT_MEASURE_MOMENT);
    if ((along && m->group < 0) || (place && m->group < 0 && m->collider < 0 && m->rigid < 0))
        return fail(c, "it names nothing that could be measured");
    if (m->kind == PLAIT_MEASURE_FORCE && m->collider < 0 && m->rigid < 0)
        return fail(c, "a force is that of a collider or body");
    return true;
}

static bool check_fibre(const checker *c, const plait_scene *s, const plait_fibre *f)
{
    if (!material_index(c, s, f->material))
        return false;
    if (!plait_rod_model_name(f->model))
        return fail(c, "there is no rod model %d", (int)f->model);
    unsigned can = plait_rod_model_abilities(f->model);
    const char *model = plait_rod_model_name(f->model);
    if (f->points < 2 || !f->point)
        return fail(c, "at least 2 points are expected, found %d", f->points);
    if (!points(c, "point", f->point, f->points) || !integer(c, "segments", f->segments, 0, 1000000) ||
        !integer(c, "samples", f->samples, 0, 1000) || !vector(c, "the director", f->director) ||
        !vector(c, "the velocity", f->velocity) || !vector(c, "the spin", f->spin) ||
        !number(c, "the goal", f->goal, 0, 1))
        return false;
    if (!isfinite(f->curvature[0]) || !isfinite(f->curvature[1]) || !isfinite(f->twist) ||
        !(f->length >= 0 && isfinite(f->length)) || (int)f->natural < 0 || f->natural > PLAIT_NATURAL_POLYLINE)
        return fail(c, "its natural shape is no shape (curvature %g, %g, twist %g 1/m, length %g m)", f->curvature[0],
                    f->curvature[1], f->twist, f->length);
    for (int e = 0; e < 2; e++) {
        const char *end = e ? "tip" : "root";
        if ((int)f->end[e] < 0 || f->end[e] > PLAIT_END_EDGE)
            return fail(c, "unknown kind of %s %d", end, (int)f->end[e]);
        if (f->end[e] == PLAIT_END_EDGE && !(can & PLAIT_ROD_HELD_EDGE))
            return fail(c, "model %s cannot hold the whole edge at its %s", model, end);
        if (f->slide[e] > 7 || (f->slide[e] > 0 && f->end[e] != PLAIT_END_PINNED && f->end[e] != PLAIT_END_CLAMPED))
            return fail(c, "its %s slides: it must be pinned or clamped", end);
        if (f->attach[e] < -1 || f->attach[e] >= s->colliders)
            return fail(c, "its %s is attached to collider %d of %d", end, f->attach[e], s->colliders);
        if ((int)f->bind[e] < 0 || f->bind[e] > PLAIT_BIND_BODY)
            return fail(c, "unknown kind of binding %d of its %s", (int)f->bind[e], end);
        if (f->attach[e] >= 0 && f->bind[e] == PLAIT_BIND_CELL && s->collider[f->attach[e]].shape.triangles < 1)
            return fail(c, "its %s is bound to a cell of '%s', which has none: it is not a mesh", end,
                        s->collider[f->attach[e]].name);
        if (f->soft[e] < 0 || f->soft[e] > s->cloths + s->solids || (f->soft[e] > 0 && f->attach[e] >= 0))
            return fail(c, "its %s is bound to soft body %d of %d, or to a collider too", end, f->soft[e],
                        s->cloths + s->solids);
        if (f->soft[e] > 0 && (f->end[e] == PLAIT_END_FREE || !(can & PLAIT_ROD_FREE_ROOT)))
            return fail(
                c, "its %s is bound to a soft body: it must be pinned or clamped, and the model one with free ends",
                end);
        if (f->attach[e] >= 0 && f->end[e] == PLAIT_END_FREE)
            return fail(c, "its %s is attached to '%s', but free: it must be pinned or clamped", end,
                        s->collider[f->attach[e]].name);
    }
    if (f->end[0] != PLAIT_END_CLAMPED && !(can & PLAIT_ROD_FREE_ROOT))
        return fail(c, "model %s needs a clamped root", model);
    if (f->end[1] != PLAIT_END_FREE && !(can & PLAIT_ROD_HELD_TIP))
        return fail(c, "model %s needs a free tip", model);
    return true;
}

static bool check_rigid(const checker *c, const plait_scene *s, const plait_rigid *r)
{
    if (!check_shape(c, &r->shape))
        return false;
    const plait_shape_type *type = plait_shape_type_of(&r->shape);
    if (!type->inertia && type->cells != 2 && !type->flat)
        return fail(c, "a rigid body is a plane, a sphere, a capsule, a box or a closed mesh, not a %s", type->name);
    if (type->flat && !(plait_vec3_norm(r->guide) > 0 && r->mass > 0))
        return fail(c, "a plane that moves is a wall: it needs a guide and a mass");
    if (type->cells == 2 && (!r->shape.closed || r->shape.frames > 0))
        return fail(c, "the mesh of a rigid body must be closed, and without frames");
    return material_index(c, s, r->material) && number(c, "the density", r->density, 1e-3, 1e5) &&
           number(c, "the mass", r->mass, 0, 1e15) &&
           place(c, "the position", r->position) && place(c, "the rotation", r->rotation) &&
           vector(c, "the velocity", r->velocity) && vector(c, "the spin", r->spin) &&
           vector(c, "the guide", r->guide) && vector(c, "the force", r->force);
}

static bool check_soft(const checker *c, const plait_scene *s, const plait_soft *soft)
{
    plait_error error = {0};
    if (plait_soft_check(soft, s->colliders, &error) == PLAIT_OK)
        return true;
    plait_error_set(c->error, error.status, "%s: %.400s", c->what, error.text);
    return false;
}

// Frames stand at whole multiples of their time, and the first is at the start.
static bool check_start(const checker *c, const plait_output *o)
{
    double frames = o->start / o->frame_time, off = fabs(frames - nearbyint(frames));
    return (off < 1e-6 && fabs(frames) < 1e9) ||
           fail(c, "the start must be a whole number of frames of %g s, but is %.9g of them", o->frame_time, frames);
}

static bool check_settings(checker *c, const plait_scene *s)
{
    const plait_stepping *t = &s->stepping;
    const plait_detecting *d = &s->detecting;
    snprintf(c->what, sizeof c->what, "scene");
    if (!vector(c, "gravity", s->gravity) || !vector(c, "the wind", s->wind) || !vector(c, "the gust", s->gust) ||
        !number(c, "the frequency of gusts", s->gust_frequency, 0, 1e9) ||
        !number(c, "the turbulence", s->turbulence, 0, 1e4) ||
        !number(c, "the size of eddies", s->turbulence_size, 0, 1e4) || !number(c, "the shelter", s->shelter, 0, 1))
        return false;
    snprintf(c->what, sizeof c->what, "step");
    if (!number(c, "settle", t->settle, t->settle > 0 ? t->dt_min : 0, 1e6) ||
        !integer(c, "the scheme", (int)t->scheme, 0, PLAIT_SCHEME_BALANCED) || !number(c, "theta", t->theta, 0.5, 1) ||
        !integer(c, "the adhesion method", (int)t->adhesion, 0, PLAIT_ADHESION_BOX) ||
        !number(c, "dt", t->dt, 1e-12, 1e6) || !number(c, "dt_min", t->dt_min, 1e-15, t->dt) ||
        !number(c, "max_move", t->max_move, 0, 1e6) || !number(c, "error", t->error, 0, 1e6) ||
        !number(c, "reject", t->reject, 0, 1e9) ||
        !number(c, "max_stretch", t->max_stretch, 0, 1e9) || !number(c, "max_overlap", t->max_overlap, 0, 1) ||
        !number(c, "max_recovery", t->max_recovery, 0, 1e9) || !number(c, "max_gain", t->max_gain, 0, 1e9) ||
        !number(c, "nonlinear.stretch", t->nonlinear, 0, 1e9) ||
        !number(c, "nonlinear.rate", t->nonlinear_rate, 0, 1e12) ||
        !integer(c, "nonlinear.iterations", t->newton_max, 1, 1 << 20) ||
        !integer(c, "the integrator", (int)t->integrator, 0, PLAIT_INTEGRATOR_BDF2) ||
        !number(c, "balance.tol", t->balance, 1e-12, 1e9) ||
        !integer(c, "balance.iterations", t->balance_max, 1, 1 << 20) ||
        !number(c, "balance.reject", t->balance_reject, 0, 1e9) ||
        !number(c, "the tolerance of rods", t->rod.tolerance, 1e-15, 1) ||
        !integer(c, "the iterations of rods", t->rod.max_iterations, 1, 1 << 28) ||
        !integer(c, "the scheme of rods", (int)t->rod.scheme, 0, PLAIT_STEP_EXPLICIT) ||
        !number(c, "the stretch limit of rods", t->rod.stretch_limit, 0, 1))
        return false;
    if (t->theta < 1 && (t->rod.fast_projection || t->rod.scheme == PLAIT_STEP_EXPLICIT))
        return fail(c, "with fast projection or explicit rods theta must be 1, but is %g", t->theta);
    if (t->integrator == PLAIT_INTEGRATOR_BDF2 &&
        (t->theta < 1 || t->rod.fast_projection || t->rod.scheme == PLAIT_STEP_EXPLICIT))
        return fail(c, "with integrator bdf2 theta must be 1, without fast projection and explicit rods");
    if (!number(c, "arc", t->arc, t->arc > 0 ? 1e-9 : 0, 1e6) || !number(c, "arc_start", t->arc_start, 0, 1e9))
        return false;
    if (t->arc > 0 && (t->mode != PLAIT_MODE_STATIC || t->integrator == PLAIT_INTEGRATOR_BDF2 || t->theta < 1 ||
                       t->rod.fast_projection || t->rod.scheme != PLAIT_STEP_NONLINEAR ||
                       t->scheme == PLAIT_SCHEME_IMPULSE || s->cloths > 0 || s->solids > 0))
        return fail(c, "arc needs mode static with the default scheme, integrator, theta and rods, without cloth and "
                       "solids");
    for (int i = 0; t->arc > 0 && i < s->fibres; i++)
        if (s->fibre[i].model == PLAIT_ROD_SUPERHELIX)
            return fail(c, "arc cannot be followed with super-helices (fibre %d): der, mass-spring and corde can", i);
    snprintf(c->what, sizeof c->what, "solver");
    if (!integer(c, "the solver", (int)t->solve.solver, 0, PLAIT_SOLVER_COUNT - 1) ||
        !integer(c, "the local solver", (int)t->solve.local, 0, PLAIT_LOCAL_COUNT - 1) ||
        !number(c, "tol", t->solve.tol, 1e-15, 1) || !number(c, "creep", t->creep, -1, 1e6) ||
        !number(c, "local_tol", t->solve.local_tol, 1e-16, 1) ||
        !integer(c, "max_iterations", t->solve.max_iterations, 0, 1 << 30))
        return false;
    snprintf(c->what, sizeof c->what, "contact");
    if (!integer(c, "the detection", (int)d->mode, PLAIT_DETECT_PROXIMITY, PLAIT_DETECT_BOTH) ||
        !number(c, "the proximity", d->proximity, 0, 1e6) || !number(c, "the spacing", d->spacing, 0, 1e6) ||
        !number(c, "self_arc", d->self_arc, 0, 1e6))
        return false;
    snprintf(c->what, sizeof c->what, "output");
    return number(c, "the start", s->output.start, -1e9, 1e9) &&
           number(c, "the duration", s->output.duration, 0, 1e9) &&
           number(c, "the time between frames", s->output.frame_time, 1e-9, 1e9) && check_start(c, &s->output) &&
           number(c, "the time between checkpoints", s->output.checkpoint, 0, 1e9) &&
           integer(c, "dump_problems", s->output.dump_problems, 0, 2000000000);
}

static bool check_parts(checker *c, const plait_scene *s)
{
    snprintf(c->what, sizeof c->what, "scene");
    if (s->materials < 0 || s->fibres < 0 || s->groups < 0 || s->colliders < 0 || s->rigids < 0 || s->cloths < 0 ||
        s->solids < 0)
        return fail(c, "a number of parts is negative");
    for (int i = 0; i < s->materials; i++) {
        name_part(c, "material", i, s->material[i].name);
        if (!check_material(c, &s->material[i]))
            return false;
    }
    snprintf(c->what, sizeof c->what, "friction");
    if (!check_tables(c, s))
        return false;
    snprintf(c->what, sizeof c->what, "adhesion");
    if (!check_adhesion(c, s))
        return false;
    for (int i = 0; i < s->ties; i++) {
        name_part(c, "tie", i, s->tie[i].name);
        if (!check_tie(c, s, &s->tie[i]))
            return false;
    }
    for (int i = 0; i < s->joints; i++) {
        name_part(c, "joint", i, s->joint[i].name);
        if (!check_joint(c, s, &s->joint[i]))
            return false;
    }
    for (int i = 0; i < s->loads; i++) {
        name_part(c, "load", i, s->load[i].name);
        if (!check_load(c, s, &s->load[i]))
            return false;
    }
    for (int i = 0; i < s->measures; i++) {
        name_part(c, "measure", i, s->measure[i].name);
        if (!check_measure(c, s, &s->measure[i]))
            return false;
    }
    for (int i = 0; i < s->fibres; i++) {
        const plait_fibre *f = &s->fibre[i];
        name_part(c, "fibre", i, f->group >= 0 && f->group < s->groups ? s->group[f->group] : NULL);
        if (!check_fibre(c, s, f))
            return false;
    }
    for (int i = 0; i < s->colliders; i++) {
        const plait_collider *k = &s->collider[i];
        name_part(c, "collider", i, k->name);
        if (!material_index(c, s, k->material) || !check_shape(c, &k->shape) ||
            !place(c, "the position", k->position) || !place(c, "the rotation", k->rotation) ||
            !check_motion(c, &k->motion))
            return false;
    }
    for (int i = 0; i < s->rigids; i++) {
        name_part(c, "body", i, s->rigid[i].name);
        if (!check_rigid(c, s, &s->rigid[i]))
            return false;
    }
    for (int i = 0; i < s->cloths + s->solids; i++) {
        bool solid = i >= s->cloths;
        const plait_soft *soft = solid ? &s->solid[i - s->cloths] : &s->cloth[i];
        name_part(c, solid ? "solid" : "cloth", solid ? i - s->cloths : i, soft->name);
        if (!material_index(c, s, soft->material) || !check_soft(c, s, soft))
            return false;
    }
    return true;
}

plait_status plait_scene_check(const plait_scene *scene, plait_error *error)
{
    checker c = {.error = error};
    bool ok = check_parts(&c, scene) && check_settings(&c, scene);
    return ok ? plait_scene_check_periodic(scene, error) : PLAIT_BAD_INPUT;
}
