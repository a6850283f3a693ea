// schema_measure.c: the keys of measurements, and what they become.
#include <math.h>
#include <string.h>

#include "math/vec3.h"
#include "scene/schema_scene.h"

static const char *what_word(int i)
{
    static const char *const words[PLAIT_MEASURE_KINDS] = {
        "reaction", "force",  "tension",  "curvature", "twist",       "moment",  "position", "velocity",
        "distance", "energy", "contacts", "stress",    "orientation", "linking", "writhe",   "frequency",
        "eigenvalues", "parameter", "cell"};
    return i >= 0 && i < PLAIT_MEASURE_KINDS ? words[i] : NULL;
}

static void init_measure(void *out)
{
    *(plait_doc_measure *)out = (plait_doc_measure){.which = -1, .to_which = -1, .collider = -1, .to_collider = -1};
    plait_doc_measure *d = out;
    d->arc[0] = d->arc[1] = NAN;
}

#define K(type, key, field, unit, help, ...) PLAIT_KEY(type, key, plait_doc_measure, field, unit, help, __VA_ARGS__)
static const plait_schema_key measure_keys[] = {
    K(CHOICE, "what", what, NONE, "see [research](research.md#measurements)", PLAIT_WORDS(what_word), PLAIT_REQUIRED),
    K(TEXT, "fibres", fibres, NONE, "a group of fibres",
      PLAIT_DEFAULT("contacts, stress, orientation, linking, writhe: all")),
    K(INT, "fibre", which, NONE, "only this fibre of the group, counted from 0", PLAIT_RANGE(0, 1e9),
      PLAIT_DEFAULT("along fibres, places: the first; else all of them")),
    K(COLLIDER, "collider", collider, NONE, "force, position, distance: of a collider", PLAIT_DEFAULT("-")),
    K(TEXT, "body", body, NONE, "force, position, velocity, distance: of a rigid body", PLAIT_DEFAULT("-")),
    K(CHOICE, "at", at, NONE, "where on a fibre; all: a column for each of its nodes (tension: segments)",
      PLAIT_WORDS(plait_doc_at_word)),
    K(PAIR, "arc", arc, LENGTH, "where on a fibre, along it: a place, or from where to where", PLAIT_RANGE(0, 1e9),
      PLAIT_DEFAULT("as `at` says")),
    K(VECTOR, "to", to, LENGTH, "distance: from this place", PLAIT_DEFAULT("-")),
    K(TEXT, "to_fibres", to_fibres, NONE, "distance, linking: the other group", PLAIT_DEFAULT("linking: the same")),
    K(INT, "to_fibre", to_which, NONE, "distance: which fibre of it", PLAIT_RANGE(0, 1e9), PLAIT_DEFAULT("the first")),
    K(CHOICE, "to_at", to_at, NONE, "distance: where on that fibre", PLAIT_WORDS(plait_doc_at_word)),
    K(COLLIDER, "to_collider", to_collider, NONE, "distance: from its origin", PLAIT_DEFAULT("-")),
    K(TEXT, "to_body", to_body, NONE, "distance: from its origin", PLAIT_DEFAULT("-")),
    K(REAL, "volume", volume, VOLUME, "stress: that it is divided by", PLAIT_RANGE(1e-18, 1e18), PLAIT_DEFAULT("none")),
    PLAIT_KEYS_END,
};
#undef K
const plait_schema plait_schema_measure = {
    "measure",
    "A map of names; one entry has these keys. `NAME` or `NAME_x`, ... are columns of `measure.csv` and datasets of "
    "`measure.h5`, with a number for every step (see [research](research.md#measurements)).",
    measure_keys, sizeof(plait_doc_measure), init_measure};

static bool build_place(const plait_schema_reader *r, const plait_schema_item *item, const plait_doc_measure *d,
                        plait_measure *m)
{
    const plait_yaml_node *arc = plait_yaml_find(item->node, "arc"), *at = plait_yaml_find(item->node, "at");
    bool along = m->kind >= PLAIT_MEASURE_TENSION && m->kind <= PLAIT_MEASURE_MOMENT;
    if (arc && at)
        return plait_yaml_fail(r->error, arc->key, "'arc' and 'at' say the same: only one may be given");
    if ((arc || at) && !d->fibres)
        return plait_yaml_fail(r->error, (arc ? arc : at)->key, "is a place of 'fibres'");
    m->relative = !arc;
    if (arc)
        m->arc[0] = d->arc[0], m->arc[1] = isnan(d->arc[1]) ? d->arc[0] : d->arc[1];
    else
        m->arc[0] = plait_doc_at_part[d->at], m->arc[1] = d->at == PLAIT_DOC_AT_ALL ? 1 : m->arc[0];
    if (m->arc[1] < m->arc[0])
        return plait_yaml_fail(r->error, arc, "the second place must not be before the first");
    if (m->arc[1] > m->arc[0] && !along)
        return plait_yaml_fail(r->error, (arc ? arc : at)->key, "'%s' is measured at one place", what_word(d->what));
    if (m->kind == PLAIT_MEASURE_REACTION && (arc || (at && m->arc[0] == 0.5)))
        return plait_yaml_fail(r->error, (arc ? arc : at)->key, "a reaction is that of the root or of the tip");
    return true;
}

// What a measurement does not know is refused rather than passed over.
static bool refuse_strangers(const plait_schema_reader *r, const plait_schema_item *item, plait_measure_kind kind)
{
#define BIT(kind) (1u << PLAIT_MEASURE_##kind)
    enum {
        PLACES = BIT(POSITION) | BIT(VELOCITY) | BIT(DISTANCE),
        ALONG = BIT(REACTION) | BIT(TENSION) | BIT(CURVATURE) | BIT(TWIST) | BIT(MOMENT) | PLACES,
        GROUPS = ALONG | BIT(FREQUENCY) | BIT(CONTACTS) | BIT(STRESS) | BIT(ORIENTATION) | BIT(LINKING) | BIT(WRITHE),
    };
    static const struct {
        const char *key;
        unsigned kinds;
    } known[] = {
        {"fibres", GROUPS | BIT(FORCE)}, // which has words of its own
        {"fibre", GROUPS},
        {"collider", BIT(FORCE) | BIT(POSITION) | BIT(DISTANCE)},
        {"body", BIT(FORCE) | PLACES},
        {"at", ALONG},
        {"arc", ALONG},
        {"to", BIT(DISTANCE)},
        {"to_fibres", BIT(DISTANCE) | BIT(LINKING)},
        {"to_fibre", BIT(DISTANCE)},
        {"to_at", BIT(DISTANCE)},
        {"to_collider", BIT(DISTANCE)},
        {"to_body", BIT(DISTANCE)},
        {"volume", BIT(STRESS)},
    };
#undef BIT
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        const plait_yaml_node *node = plait_yaml_find(item->node, known[i].key);
        if (node && !(known[i].kinds >> kind & 1))
            return plait_yaml_fail(r->error, node->key, "'%s' does not go with '%s'", known[i].key,
                                   what_word((int)kind));
    }
    const plait_yaml_node *fibre = plait_yaml_find(item->node, "fibre");
    return !fibre || plait_yaml_find(item->node, "fibres") ||
           plait_yaml_fail(r->error, fibre->key, "is one of 'fibres', which are missing");
}

static bool build_other(const plait_schema_reader *r, const plait_schema_item *item, const plait_doc_measure *d,
                        plait_measure *m, const plait_scene *s)
{
    int others = (plait_yaml_find(item->node, "to") != NULL) + (d->to_fibres != NULL) + (d->to_body != NULL) +
                 (d->to_collider >= 0);
    if (!plait_doc_find_group(r, item, "to_fibres", d->to_fibres, s, &m->other_group) ||
        !plait_doc_find_body(r, item, "to_body", d->to_body, s, &m->other_rigid))
        return false;
    m->other_collider = d->to_collider, m->other_which = d->to_which < 0 ? 0 : d->to_which;
    m->other_arc = plait_doc_at_part[d->to_at];
    plait_vec3_copy(d->to, m->place);
    if (m->kind == PLAIT_MEASURE_DISTANCE && others != 1)
        return plait_yaml_fail(r->error, plait_yaml_find(item->node, "what"),
                               "a distance is from one of 'to', 'to_fibres', 'to_collider' and 'to_body'");
    return true;
}

bool plait_doc_build_measure(const plait_schema_reader *r, const plait_schema_item *item, const char *name,
                             plait_scene *s)
{
    const plait_doc_measure *d = item->value;
    const plait_yaml_node *what = plait_yaml_find(item->node, "what");
    int k = plait_scene_add_measure(s, name, (plait_measure_kind)d->what);
    if (k < 0) {
        plait_error_set(r->error, PLAIT_NO_MEMORY, "scene: not enough memory");
        return false;
    }
    plait_measure *m = &s->measure[k];
    if (!refuse_strangers(r, item, m->kind))
        return false;
    bool along = m->kind == PLAIT_MEASURE_REACTION || m->kind == PLAIT_MEASURE_FREQUENCY ||
                 (m->kind >= PLAIT_MEASURE_TENSION && m->kind <= PLAIT_MEASURE_MOMENT);
    bool place = m->kind >= PLAIT_MEASURE_POSITION && m->kind <= PLAIT_MEASURE_DISTANCE;
    if (!plait_doc_find_group(r, item, "fibres", d->fibres, s, &m->group) ||
        !plait_doc_find_body(r, item, "body", d->body, s, &m->rigid))
        return false;
    m->collider = d->collider, m->which = d->which, m->volume = d->volume;
    int named = (d->fibres != NULL) + (d->body != NULL) + (d->collider >= 0);
    if (along && (!d->fibres || named != 1))
        return plait_yaml_fail(r->error, what, "'%s' is measured of 'fibres'", what_word(d->what));
    if (m->kind == PLAIT_MEASURE_FORCE && (d->fibres || named != 1))
        return plait_yaml_fail(r->error, what, "a force is that of a 'collider' or a 'body'");
    if (place && named != 1)
        return plait_yaml_fail(r->error, what, "it is measured of 'fibres', a 'collider' or a 'body': one of them");
    if (m->which < 0 && (place || (along && m->kind != PLAIT_MEASURE_REACTION)) && d->fibres)
        m->which = 0;
    return build_place(r, item, d, m) && build_other(r, item, d, m, s);
}
