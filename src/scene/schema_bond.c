// schema_bond.c: the keys of what holds: adhesion and ties. And what they become.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "math/vec3.h"
#include "scene/schema_scene.h"

// ---- adhesion -----------------------------------------------------------------------------------------------------

static void init_adhesion(void *out)
{
    *(plait_doc_adhesion *)out = (plait_doc_adhesion){.with = -1, .is = {.stiffness = {0, -1}}};
}

#define K(type, key, field, unit, help, ...) PLAIT_KEY(type, key, plait_doc_adhesion, field, unit, help, __VA_ARGS__)
static const plait_schema_key adhesion_keys[] = {
    K(MATERIAL, "material", material, NONE, "one of the two", PLAIT_DEFAULT("required if there are several")),
    K(MATERIAL, "with", with, NONE, "the other", PLAIT_DEFAULT("the same")),
    K(PAIR, "stiffness", is.stiffness, BOND_STIFFNESS,
      "of a bond: C. Two numbers: against opening and against slipping; one: both", PLAIT_RANGE(0, 1e15),
      PLAIT_REQUIRED),
    K(REAL, "energy", is.energy, BOND_ENERGY, "that it takes to open a bond: W", PLAIT_RANGE(1e-12, 1e12),
      PLAIT_REQUIRED),
    K(REAL, "viscosity", is.viscosity, BOND_VISCOSITY,
      "bonds break the slower the larger it is: eta, in s J/m^2; 0: at once", PLAIT_RANGE(0, 1e12)),
    K(REAL, "bonding_rate", is.rate, BOND_RATE, "bonds grow under pressure: r, in 1/(Pa s); 0: they do not",
      PLAIT_RANGE(0, 1e12)),
    K(REAL, "saturation", is.saturation, PRESSURE, "p0: a pressure p bonds up to p / p0; 0: up to 1",
      PLAIT_RANGE(0, 1e12)),
    K(INT, "coupling", is.coupling, NONE, "m: friction is mu (1 - beta^m), it comes as the bond goes; 0: mu",
      PLAIT_RANGE(0, 1000)),
    K(REAL, "initial", is.initial, NONE, "beta of the contacts that there are at the start", PLAIT_RANGE(0, 1)),
    K(REAL, "fresh", is.fresh, NONE, "beta of contacts that are made later", PLAIT_RANGE(0, 1)),
    K(REAL, "cut", is.cut, LENGTH, "a bond that is opened so far is gone", PLAIT_RANGE(1e-12, 1e6),
      PLAIT_DEFAULT("2 sqrt(energy / stiffness)")),
    K(REAL, "area", is.area, AREA, "of one contact", PLAIT_RANGE(1e-18, 1e6),
      PLAIT_DEFAULT("from the sizes of what touches")),
    PLAIT_KEYS_END,
};
#undef K
const plait_schema plait_schema_adhesion = {
    "adhesion",
    "A map of names; one entry has these keys: what two materials do besides friction (see [adhesion](adhesion.md)).",
    adhesion_keys, sizeof(plait_doc_adhesion), init_adhesion};

bool plait_doc_build_adhesion(const plait_schema_reader *r, const plait_schema_item *item, plait_scene *s)
{
    const plait_doc_adhesion *d = item->value;
    plait_adhesion a = d->is;
    int with = d->with < 0 ? d->material : d->with;
    size_t at = (size_t)d->material * (size_t)s->materials + (size_t)with;
    if (!plait_doc_needs_material(r, item))
        return false;
    if (a.stiffness[1] < 0)
        a.stiffness[1] = a.stiffness[0];
    const plait_yaml_node *here = item->node->key ? item->node->key : item->node;
    if (!(a.stiffness[0] > 0 || a.stiffness[1] > 0))
        return plait_yaml_fail(r->error, plait_yaml_find(item->node, "stiffness"),
                               "expected a stiffness above 0 against opening or slipping");
    if (s->adhesion && (s->adhesion[at].stiffness[0] > 0 || s->adhesion[at].stiffness[1] > 0))
        return plait_yaml_fail(r->error, here, "the adhesion of '%s' and '%s' is given twice",
                               s->material[d->material].name, s->material[with].name);
    if (plait_scene_set_adhesion(s, d->material, with, &a))
        return true;
    plait_error_set(r->error, PLAIT_NO_MEMORY, "scene: not enough memory");
    return false;
}

// ---- ties ---------------------------------------------------------------------------------------------------------

static void init_tie(void *out)
{
    *(plait_doc_tie *)out = (plait_doc_tie){.collider = -1, .is = {.radius = INFINITY}};
}

#define K(type, key, field, unit, help, ...) PLAIT_KEY(type, key, plait_doc_tie, field, unit, help, __VA_ARGS__)
static const plait_schema_key tie_keys[] = {
    K(TEXT, "fibres", fibres, NONE, "a group of fibres", PLAIT_DEFAULT("all fibres")),
    K(TEXT, "with", with, NONE, "another group: only between the two", PLAIT_DEFAULT("any fibre")),
    K(COLLIDER, "collider", collider, NONE, "fibres are tied to it rather than to each other", PLAIT_DEFAULT("-")),
    K(TEXT, "body", body, NONE, "fibres are tied to this body rather than to each other", PLAIT_DEFAULT("-")),
    K(VECTOR, "position", is.position, LENGTH, "where", PLAIT_DEFAULT("with `radius`")),
    K(REAL, "radius", is.radius, LENGTH, "within this distance of `position`", PLAIT_RANGE(1e-9, 1e6),
      PLAIT_DEFAULT("everywhere")),
    K(REAL, "reach", is.reach, LENGTH, "what is nearer than this, surface to surface, is tied", PLAIT_RANGE(1e-9, 1e6),
      PLAIT_DEFAULT("the contact radius")),
    K(REAL, "stiffness", is.stiffness, STIFFNESS, "of a tie", PLAIT_RANGE(1e-9, 1e15), PLAIT_DEFAULT("rigid")),
    K(REAL, "damping", is.damping, BOND_VISCOSITY, "of a tie that has a stiffness", PLAIT_RANGE(0, 1e15)),
    K(REAL, "strength", is.strength, FORCE, "a larger force breaks it", PLAIT_RANGE(1e-15, 1e15),
      PLAIT_DEFAULT("none")),
    K(REAL, "from", is.from, TIME, "it is made then, of what is near each other then", PLAIT_RANGE(-1e9, 1e9),
      PLAIT_DEFAULT("at the start")),
    K(REAL, "until", is.until, TIME, "it is opened then", PLAIT_RANGE(1e-9, 1e9), PLAIT_DEFAULT("never")),
    PLAIT_KEYS_END,
};
#undef K
const plait_schema plait_schema_tie = {"ties",
                                       "A map of names; one entry has these keys. At the start, whatever of the named "
                                       "things is near enough is tied there: hair bands, "
                                       "the end of a braid, the knots of a net (see [adhesion](adhesion.md)).",
                                       tie_keys, sizeof(plait_doc_tie), init_tie};

bool plait_doc_find_group(const plait_schema_reader *r, const plait_schema_item *item, const char *key,
                          const char *name, const plait_scene *s, int *group)
{
    *group = -1;
    if (!name)
        return true;
    for (int g = 0; g < s->groups; g++)
        if (strcmp(s->group[g], name) == 0)
            *group = g;
    return *group >= 0 || plait_yaml_fail(r->error, plait_yaml_find(item->node, key), "there are no fibres '%s'", name);
}

bool plait_doc_find_body(const plait_schema_reader *r, const plait_schema_item *item, const char *key, const char *name,
                         const plait_scene *s, int *body)
{
    *body = -1;
    for (int i = 0; name && i < s->rigids; i++)
        if (strcmp(s->rigid[i].name, name) == 0)
            *body = i;
    return !name || *body >= 0 ||
           plait_yaml_fail(r->error, plait_yaml_find(item->node, key), "there is no body '%s'", name);
}

bool plait_doc_build_tie(const plait_schema_reader *r, const plait_schema_item *item, const char *name, plait_scene *s)
{
    const plait_doc_tie *d = item->value;
    const plait_yaml_node *position = plait_yaml_find(item->node, "position"),
                          *radius = plait_yaml_find(item->node, "radius");
    plait_tie t = d->is;
    t.collider = d->collider, t.rigid = -1;
    if (!plait_yaml_find(item->node, "from"))
        t.from = s->output.start;
    if (!plait_doc_find_group(r, item, "fibres", d->fibres, s, &t.group[0]) ||
        !plait_doc_find_group(r, item, "with", d->with, s, &t.group[1]))
        return false;
    if (!plait_doc_find_body(r, item, "body", d->body, s, &t.rigid))
        return false;
    if ((position != NULL) != (radius != NULL))
        return plait_yaml_fail(r->error, position ? position->key : radius->key, "'position' and 'radius' go together");
    if (t.damping > 0 && t.stiffness == 0)
        return plait_yaml_fail(r->error, plait_yaml_find(item->node, "damping"), "a rigid tie has no damping");
    if (t.until > 0 && t.until <= t.from)
        return plait_yaml_fail(r->error, plait_yaml_find(item->node, "until"),
                               "it is opened at %g s, before it is made at %g s", t.until, t.from);
    int k = plait_scene_add_tie(s, name);
    if (k < 0) {
        plait_error_set(r->error, PLAIT_NO_MEMORY, "scene: not enough memory");
        return false;
    }
    snprintf(t.name, sizeof t.name, "%s", s->tie[k].name);
    s->tie[k] = t;
    return true;
}
