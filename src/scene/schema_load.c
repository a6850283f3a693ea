// schema_load.c: the keys of loads, and what they become.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "file/columns.h"
#include "math/vec3.h"
#include "scene/schema_scene.h"

const double plait_doc_at_part[4] = {1, 0, 0.5, 0};

const char *plait_doc_at_word(int i)
{
    static const char *const words[] = {"tip", "root", "middle", "all"};
    return i >= 0 && i < 4 ? words[i] : NULL;
}

static const char *axis_word(int i)
{
    static const char *const words[] = {"xx", "yy", "zz", "xy", "yz", "zx"};
    return i >= 0 && i < 6 ? words[i] : NULL;
}

static const char *course_word(int i)
{
    static const char *const words[] = {"constant", "ramp", "sine", "table"};
    return i >= 0 && i < 4 ? words[i] : NULL;
}

static void init_load(void *out)
{
    *(plait_doc_load *)out = (plait_doc_load){.which = -1, .collider = -1, .arc = {NAN, NAN}};
    plait_doc_load *d = out;
    d->is.course.stop = INFINITY, d->is.length = -1;
    d->is.material[0] = d->is.material[1] = -1;
}

#define K(type, key, field, unit, help, ...) PLAIT_KEY(type, key, plait_doc_load, field, unit, help, __VA_ARGS__)
static const plait_schema_key time_keys[] = {
    K(CHOICE, "kind", kind, NONE,
      "a factor: 1; straight from 0 at `start` to 1 at `stop`; a sine; straight between the points of a table",
      PLAIT_WORDS(course_word)),
    K(REAL, "start", is.course.start, TIME, "before it: nothing", PLAIT_RANGE(-1e9, 1e9),
      PLAIT_DEFAULT("0 s; constant: the start of the run")),
    K(REAL, "stop", is.course.stop, TIME, "constant, sine: after it nothing; ramp: the end of the way",
      PLAIT_RANGE(-1e9, 1e9), PLAIT_DEFAULT("never; required for a ramp")),
    K(REAL, "frequency", is.course.frequency, FREQUENCY, "sine", PLAIT_RANGE(0, 1e12)),
    K(REAL, "phase", is.course.phase, ANGLE, "sine, at `start`", PLAIT_ANY),
    K(NUMBERS, "times", times, TIME, "table: they ascend", PLAIT_DEFAULT("or `file`")),
    K(NUMBERS, "values", values, NONE, "table: factors at these times; constant before and after",
      PLAIT_DEFAULT("or `file`")),
    K(FILE, "file", file, NONE, "table: CSV with two columns, seconds and factors", PLAIT_ANY),
    PLAIT_KEYS_END,
};
static void init_nothing(void *out)
{
    (void)out; // part of a struct that is there already
}
static const plait_schema time_table = {NULL, NULL, time_keys, sizeof(plait_doc_load), init_nothing};

static const plait_schema_key load_keys[] = {
    K(VECTOR, "force", force, FORCE, "a force: the whole of it, spread evenly if it is on more than a point",
      PLAIT_ANY),
    K(VECTOR, "moment", moment, MOMENT, "a moment, likewise", PLAIT_ANY),
    K(REAL, "mass", mass, MASS, "a point mass that fibres carry: it has weight and inertia (not super-helices)",
      PLAIT_RANGE(1e-15, 1e9), PLAIT_DEFAULT("-")),
    K(REAL, "stiffness", is.stiffness, STIFFNESS, "of a spring to something else", PLAIT_RANGE(1e-9, 1e15),
      PLAIT_DEFAULT("-")),
    K(VECTOR, "gravity", gravity, ACCELERATION, "is added to the scene's", PLAIT_ANY),
    K(REAL, "friction", friction, NONE, "is added to the coefficient of a pair of materials, which stays >= 0",
      PLAIT_RANGE(-1000, 1000)),
    K(VECTOR, "curvature", curvature, CURVATURE,
      "is added to the natural curvature towards the first and second director, and to the natural twist: muscles, "
      "tendons, growth (der, superhelix, corde)",
      PLAIT_ANY),
    K(REAL, "strain", strain, NONE,
      "of the cell of a periodic scene: by how much of its first length it changes along `axis`, or by how much x or y "
      "moves along with y or z; the others of this axis are added",
      PLAIT_RANGE(-1e6, 1e6), PLAIT_DEFAULT("-")),
    K(REAL, "strain_rate", strain_rate, RATE,
      "of the cell: of the logarithm of a length, or of the tilt, from `start` to `stop`", PLAIT_RANGE(-1e9, 1e9),
      PLAIT_DEFAULT("-")),
    K(REAL, "stress", stress, PRESSURE, "of the cell: it gives way until fibres bear this; tension is positive",
      PLAIT_RANGE(-1e15, 1e15), PLAIT_DEFAULT("-")),
    K(CHOICE, "axis", is.axis, NONE, "of the cell: along it, or x with y, y with z, x with z", PLAIT_WORDS(axis_word)),
    K(REAL, "fastest", is.fastest, RATE, "stress: the rate of the cell where nothing resists", PLAIT_RANGE(1e-12, 1e12),
      PLAIT_DEFAULT("required there")),
    K(MAP, "time", fibres, NONE, "how it goes with time", .table = &time_table),
    K(TEXT, "fibres", fibres, NONE, "a group of fibres: each of them has the load", PLAIT_DEFAULT("-")),
    K(INT, "fibre", which, NONE, "only this fibre of the group, counted from 0", PLAIT_RANGE(0, 1e9),
      PLAIT_DEFAULT("all of them")),
    K(TEXT, "body", body, NONE, "a rigid body instead", PLAIT_DEFAULT("-")),
    K(CHOICE, "at", at, NONE, "where on a fibre; all: from end to end (natural curvature: all)",
      PLAIT_WORDS(plait_doc_at_word)),
    K(PAIR, "arc", arc, LENGTH, "where on a fibre, along it: one number is a place, two are from where to where",
      PLAIT_RANGE(0, 1e9), PLAIT_DEFAULT("as `at` says")),
    K(VECTOR, "point", is.point, LENGTH, "of a body, in its own frame: where a force or spring acts", PLAIT_ANY),
    K(BOOL, "follows", is.follows, NONE,
      "force and moment turn with the material frame of the fibre (m1, m2, t) or with the body; else they are dead",
      PLAIT_ANY),
    K(REAL, "damping", is.damping, BOND_VISCOSITY, "spring: a damper beside it", PLAIT_RANGE(0, 1e15)),
    K(REAL, "length", is.length, LENGTH, "spring: natural length; 0: it pulls the points together", PLAIT_RANGE(0, 1e9),
      PLAIT_DEFAULT("as at the start")),
    K(REAL, "strength", is.strength, FORCE, "spring: a larger force breaks it", PLAIT_RANGE(1e-15, 1e15),
      PLAIT_DEFAULT("none")),
    K(REAL, "until", is.until, TIME, "spring: it is opened then", PLAIT_RANGE(1e-9, 1e9), PLAIT_DEFAULT("never")),
    K(VECTOR, "to", is.place, LENGTH, "spring: the place of its other end, at the start", PLAIT_DEFAULT("-")),
    K(COLLIDER, "to_collider", collider, NONE, "spring: takes that place along", PLAIT_DEFAULT("it stays")),
    K(TEXT, "to_body", to_body, NONE, "spring: takes that place along", PLAIT_DEFAULT("-")),
    K(TEXT, "to_fibres", to_fibres, NONE, "spring: the other end is on the fibre with the same number of this group",
      PLAIT_DEFAULT("-")),
    K(CHOICE, "to_at", to_at, NONE, "spring: where on that fibre", PLAIT_WORDS(plait_doc_at_word)),
    K(MATERIAL, "material", is.material[0], NONE, "friction: one of the pair", PLAIT_DEFAULT("any")),
    K(MATERIAL, "with", is.material[1], NONE, "friction: the other", PLAIT_DEFAULT("any")),
    PLAIT_KEYS_END,
};
#undef K
const plait_schema plait_schema_load = {
    "loads",
    "A map of names; one entry has these keys, exactly one of `force`, `moment`, `mass`, `stiffness`, `gravity`, "
    "`friction`, `curvature`, `strain`, `strain_rate` and `stress` among them "
    "(see [research](research.md#loads)). Loads add to each other.",
    load_keys, sizeof(plait_doc_load), init_load};

// ---- what it becomes -----------------------------------------------------------------------------------------------

static const char *const quantities[PLAIT_LOAD_KINDS] = {"force",     "moment", "mass",        "stiffness", "gravity",
                                                         "friction",  "curvature", "strain",   "strain_rate", "stress"};

// The quantity that is there; NULL with *error if there is none, or another one too.
static const plait_yaml_node *find_quantity(const plait_schema_reader *r, const plait_schema_item *item, int *kind)
{
    const plait_yaml_node *found = NULL;
    for (int k = 0; k < PLAIT_LOAD_KINDS; k++) {
        const plait_yaml_node *n = plait_yaml_find(item->node, quantities[k]);
        if (n && found) {
            plait_yaml_fail(r->error, n->key, "a load is one thing: found '%s' and '%s'", quantities[*kind],
                            quantities[k]);
            return NULL;
        }
        if (n)
            found = n, *kind = k;
    }
    if (!found)
        plait_yaml_fail(r->error, item->node->key ? item->node->key : item->node,
                        "a force, moment, mass, stiffness, gravity, friction, curvature, strain, strain_rate or stress "
                        "is missing here");
    return found;
}

static bool refuse(const plait_schema_reader *r, const plait_schema_item *item, const char *key, bool wrong,
                   const char *why)
{
    const plait_yaml_node *n = plait_yaml_find(item->node, key);
    return !n || !wrong || plait_yaml_fail(r->error, n->key, "'%s' %s", key, why);
}

static bool build_table(const plait_schema_reader *r, const plait_schema_item *item, const plait_doc_load *d,
                        plait_course *c)
{
    const plait_yaml_node *time = plait_yaml_find(item->node, "time"), *key = time ? time->key : item->node;
    plait_error inner = {0};
    double *rows = NULL;
    c->points = d->times.count;
    if ((d->file != NULL) == (d->times.count > 0) || d->times.count != d->values.count)
        return plait_yaml_fail(r->error, key,
                               "a table has as many 'times' as 'values', or a 'file': found %d times and %d values",
                               d->times.count, d->values.count);
    if (d->file && !(rows = plait_columns_read(d->file, 2, &c->points, &inner)))
        return plait_yaml_fail(r->error, plait_yaml_find(time, "file"), "%s", inner.text);
    c->time = malloc((size_t)c->points * sizeof *c->time), c->value = malloc((size_t)c->points * sizeof *c->value);
    for (int i = 0; c->time && c->value && i < c->points; i++) {
        c->time[i] = rows ? rows[2 * i] : d->times.x[i];
        c->value[i] = rows ? rows[2 * i + 1] : d->values.x[i];
    }
    free(rows);
    if (c->time && c->value)
        return true;
    plait_error_set(r->error, PLAIT_NO_MEMORY, "scene: not enough memory");
    return false;
}

// start: [s] of the run.
static bool build_course(const plait_schema_reader *r, const plait_schema_item *item, const plait_doc_load *d,
                         double start, plait_course *c)
{
    const plait_yaml_node *time = plait_yaml_find(item->node, "time");
    c->kind = (plait_course_kind)d->kind;
    if (c->kind == PLAIT_COURSE_CONSTANT && !(time && plait_yaml_find(time, "start")))
        c->start = start;
    if (c->kind == PLAIT_COURSE_RAMP && !(isfinite(c->stop) && c->stop > c->start))
        return plait_yaml_fail(r->error, time->key, "a ramp needs a 'stop' after its start");
    if (c->kind == PLAIT_COURSE_SINE && !(c->frequency > 0))
        return plait_yaml_fail(r->error, time->key, "a sine needs a 'frequency'");
    if (c->kind != PLAIT_COURSE_TABLE && (d->file || d->times.count + d->values.count > 0))
        return plait_yaml_fail(r->error, time->key, "'times', 'values' and 'file' belong to `kind: table`");
    return c->kind != PLAIT_COURSE_TABLE || build_table(r, item, d, c);
}

static bool build_place(const plait_schema_reader *r, const plait_schema_item *item, const plait_doc_load *d,
                        plait_load *l)
{
    bool given = plait_yaml_find(item->node, "at") != NULL;
    const plait_yaml_node *arc = plait_yaml_find(item->node, "arc");
    if (given && arc)
        return plait_yaml_fail(r->error, arc->key, "'arc' and 'at' say the same: only one may be given");
    if (arc) {
        l->arc[0] = d->arc[0], l->arc[1] = isnan(d->arc[1]) ? d->arc[0] : d->arc[1];
        if (l->arc[1] < l->arc[0])
            return plait_yaml_fail(r->error, arc, "the second place must not be before the first");
    } else {
        bool all = d->at == PLAIT_DOC_AT_ALL || (l->kind == PLAIT_LOAD_CURVATURE && !given);
        l->relative = true;
        l->arc[0] = all ? 0 : plait_doc_at_part[d->at], l->arc[1] = all ? 1 : plait_doc_at_part[d->at];
    }
    bool spread = l->arc[1] > l->arc[0];
    if (l->kind == PLAIT_LOAD_CURVATURE && !spread)
        return plait_yaml_fail(r->error, arc ? arc : plait_yaml_find(item->node, "at"),
                               "natural curvature needs a piece of the fibre: 'arc' from where to where");
    if ((l->kind == PLAIT_LOAD_MASS || l->kind == PLAIT_LOAD_SPRING) && spread)
        return plait_yaml_fail(r->error, arc ? arc : plait_yaml_find(item->node, "at"), "this acts at one place");
    return true;
}

int plait_doc_world(const plait_schema_reader *r, plait_scene *s)
{
    for (int i = 0; i < s->colliders; i++)
        if (strcmp(s->collider[i].name, "world") == 0 && s->collider[i].shape.kind == PLAIT_SHAPE_NONE)
            return i;
    int made = plait_scene_add_collider(s, "world", PLAIT_SHAPE_NONE);
    if (made < 0)
        plait_error_set(r->error, PLAIT_NO_MEMORY, "scene: not enough memory");
    return made;
}

static bool build_spring(const plait_schema_reader *r, const plait_schema_item *item, const plait_doc_load *d,
                         plait_load *l, plait_scene *s)
{
    const plait_yaml_node *key = plait_yaml_find(item->node, "stiffness")->key;
    bool to = plait_yaml_find(item->node, "to") != NULL;
    if (!plait_doc_find_group(r, item, "to_fibres", d->to_fibres, s, &l->other_group) ||
        !plait_doc_find_body(r, item, "to_body", d->to_body, s, &l->body))
        return false;
    l->collider = d->collider, l->other_arc = plait_doc_at_part[d->to_at];
    if (to == (l->other_group >= 0) || (l->collider >= 0 && l->body >= 0))
        return plait_yaml_fail(r->error, key,
                               "a spring goes to a place, 'to' (of a 'to_collider' or 'to_body'), or "
                               "to fibres, 'to_fibres'");
    if (l->other_group >= 0 || l->collider >= 0 || l->body >= 0)
        return true;
    l->collider = plait_doc_world(r, s);
    return l->collider >= 0;
}

bool plait_doc_build_load(const plait_schema_reader *r, const plait_schema_item *item, const char *name, plait_scene *s)
{
    const plait_doc_load *d = item->value;
    const plait_yaml_node *quantity;
    int kind = 0, k;
    if (!(quantity = find_quantity(r, item, &kind)))
        return false;
    if ((k = plait_scene_add_load(s, name)) < 0) {
        plait_error_set(r->error, PLAIT_NO_MEMORY, "scene: not enough memory");
        return false;
    }
    plait_load l = d->is;
    memcpy(l.name, s->load[k].name, sizeof l.name);
    l.kind = (plait_load_kind)kind, l.which = d->which;
    l.other_group = l.collider = l.body = -1;
    bool spring = kind == PLAIT_LOAD_SPRING, cell = kind >= PLAIT_LOAD_CELL_STRAIN,
         world = kind == PLAIT_LOAD_GRAVITY || kind == PLAIT_LOAD_FRICTION || cell;
    bool fixed = spring || kind == PLAIT_LOAD_MASS;
    const double *vector[] = {d->force,     d->moment, NULL, NULL, d->gravity, NULL,
                              d->curvature, NULL,      NULL, NULL};
    if (vector[kind])
        plait_vec3_copy(vector[kind], l.vector);
    const double amount[] = {0, 0, d->mass, 0, 0, d->friction, 0, d->strain, d->strain_rate, d->stress};
    l.amount = amount[kind];
    static const char *const springs[] = {"damping", "length", "strength",  "until",      "to",
                                          "to_body", "to_at",  "to_fibres", "to_collider"};
    for (size_t i = 0; i < sizeof springs / sizeof *springs; i++)
        if (!refuse(r, item, springs[i], !spring, "belongs to a spring: 'stiffness'"))
            return false;
    if (!refuse(r, item, "time", fixed, "does not go with a mass or a spring: they are what they are") ||
        !refuse(r, item, "follows", kind > PLAIT_LOAD_MOMENT, "is for forces and moments") ||
        !refuse(r, item, "material", kind != PLAIT_LOAD_FRICTION, "is for friction") ||
        !refuse(r, item, "with", kind != PLAIT_LOAD_FRICTION, "is for friction") ||
        !refuse(r, item, "axis", !cell, "is for the cell: 'strain', 'strain_rate', 'stress'") ||
        !refuse(r, item, "fastest", kind != PLAIT_LOAD_CELL_STRESS, "is for a 'stress'") ||
        !refuse(r, item, "point", !d->body, "is a place of a 'body'") ||
        !plait_doc_find_group(r, item, "fibres", d->fibres, s, &l.group) ||
        !plait_doc_find_body(r, item, "body", d->body, s, &l.rigid))
        return false;
    if (!world && (d->fibres != NULL) == (d->body != NULL))
        return plait_yaml_fail(r->error, quantity->key, "a load is on 'fibres' or on a 'body': one of them");
    if (world && (d->fibres || d->body))
        return plait_yaml_fail(r->error, quantity->key, "'%s' is the same for everything", quantities[kind]);
    bool ok = build_course(r, item, d, s->output.start, &l.course) && build_place(r, item, d, &l) &&
              (!spring || build_spring(r, item, d, &l, s));
    s->load[k] = l; // with its table, which is freed with the scene
    return ok;
}
