// schema_joint.c: the keys of joints, and what they become.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "math/vec3.h"
#include "scene/schema_scene.h"

static const char *kind_word(int i)
{
    static const char *const words[] = {"ball", "hinge", "weld"};
    return i >= 0 && i < 3 ? words[i] : NULL;
}

static void init_joint(void *out)
{
    *(plait_doc_joint *)out =
        (plait_doc_joint){.to_at = PLAIT_DOC_AT_ROOT, .which = -1, .to_which = -1, .collider = -1, .arc = {NAN, NAN}};
}

#define K(type, key, field, unit, help, ...) PLAIT_KEY(type, key, plait_doc_joint, field, unit, help, __VA_ARGS__)
static const plait_schema_key joint_keys[] = {
    K(CHOICE, "kind", kind, NONE,
      "ball: the places stay together; hinge: they turn about an axis alone; weld: not at all (both: der, corde)",
      PLAIT_WORDS(kind_word)),
    K(TEXT, "fibres", fibres, NONE, "a group of fibres: each of them has the joint", PLAIT_DEFAULT("or `body`")),
    K(INT, "fibre", which, NONE, "only this fibre of the group, counted from 0", PLAIT_RANGE(0, 1e9),
      PLAIT_DEFAULT("all of them")),
    K(CHOICE, "at", at, NONE, "where on the fibre", PLAIT_WORDS(plait_doc_at_word)),
    K(REAL, "arc", arc[0], LENGTH, "where, along it", PLAIT_RANGE(0, 1e9), PLAIT_DEFAULT("as `at` says")),
    K(TEXT, "body", body, NONE, "a rigid body instead of fibres", PLAIT_DEFAULT("-")),
    K(TEXT, "to_fibres", to_fibres, NONE,
      "the other side: the fibre of the same number of this group; the same group and the other end: closed rings",
      PLAIT_DEFAULT("-")),
    K(INT, "to_fibre", to_which, NONE, "or this fibre of it, counted from 0", PLAIT_RANGE(0, 1e9),
      PLAIT_DEFAULT("the one of the same number")),
    K(CHOICE, "to_at", to_at, NONE, "where on that fibre", PLAIT_WORDS(plait_doc_at_word)),
    K(REAL, "to_arc", arc[1], LENGTH, "where, along it", PLAIT_RANGE(0, 1e9), PLAIT_DEFAULT("as `to_at` says")),
    K(TEXT, "to_body", to_body, NONE, "the other side: a rigid body", PLAIT_DEFAULT("-")),
    K(COLLIDER, "to_collider", collider, NONE, "the other side: a collider", PLAIT_DEFAULT("the world, which stays")),
    K(VECTOR, "position", is.place, LENGTH,
      "of the joint at the start; sides that are not there reach it by rigid arms",
      PLAIT_DEFAULT("on the fibre; between two fibres")),
    K(VECTOR, "axis", is.axis, NONE, "hinge: its direction at the start, in the world",
      PLAIT_DEFAULT("required for a hinge")),
    K(REAL, "crossings", is.reach, LENGTH,
      "nets: a joint wherever fibres of the two groups are nearer to each other than this, surface to surface",
      PLAIT_RANGE(1e-9, 1e6), PLAIT_DEFAULT("-")),
    K(REAL, "from", is.from, TIME, "`ball`: it is made then, where the place is then", PLAIT_RANGE(-1e9, 1e9),
      PLAIT_DEFAULT("at the start")),
    K(REAL, "until", is.until, TIME, "it is opened then", PLAIT_RANGE(1e-9, 1e9), PLAIT_DEFAULT("never")),
    PLAIT_KEYS_END,
};
#undef K
const plait_schema plait_schema_joint = {
    "joints",
    "A map of names; one entry has these keys (see [research](research.md#joints)). Fibres that are joined do not "
    "touch each other beside the joint.",
    joint_keys, sizeof(plait_doc_joint), init_joint};

// Place of a fibre on one side. False with *error.
static bool build_side(const plait_schema_reader *r, const plait_schema_item *item, int side, int word, double arc,
                       plait_joint *j)
{
    static const char *const at[] = {"at", "to_at"}, *const along[] = {"arc", "to_arc"};
    const plait_yaml_node *a = plait_yaml_find(item->node, at[side]), *b = plait_yaml_find(item->node, along[side]);
    if (a && b)
        return plait_yaml_fail(r->error, b->key, "'%s' and '%s' say the same: only one may be given", along[side],
                               at[side]);
    if (word == PLAIT_DOC_AT_ALL)
        return plait_yaml_fail(r->error, a, "a joint is at one place: tip, root, middle, or '%s'", along[side]);
    j->relative[side] = isnan(arc), j->arc[side] = isnan(arc) ? plait_doc_at_part[word] : arc;
    const plait_yaml_node *reach = plait_yaml_find(item->node, "crossings");
    return !(reach && (a || b)) ||
           plait_yaml_fail(r->error, (a ? a : b)->key, "'crossings' finds its places: '%s' does not go with it",
                           a ? at[side] : along[side]);
}

bool plait_doc_build_joint(const plait_schema_reader *r, const plait_schema_item *item, const char *name,
                           plait_scene *s)
{
    const plait_doc_joint *d = item->value;
    const plait_yaml_node *here = item->node->key ? item->node->key : item->node;
    plait_joint j = d->is;
    j.kind = (plait_joint_kind)d->kind, j.collider = d->collider;
    j.which[0] = d->which, j.which[1] = d->to_which;
    j.placed = plait_yaml_find(item->node, "position") != NULL;
    if (!plait_doc_find_group(r, item, "fibres", d->fibres, s, &j.group[0]) ||
        !plait_doc_find_group(r, item, "to_fibres", d->to_fibres, s, &j.group[1]) ||
        !plait_doc_find_body(r, item, "body", d->body, s, &j.rigid[0]) ||
        !plait_doc_find_body(r, item, "to_body", d->to_body, s, &j.rigid[1]) ||
        !build_side(r, item, 0, d->at, d->arc[0], &j) || !build_side(r, item, 1, d->to_at, d->arc[1], &j))
        return false;
    if ((d->fibres != NULL) == (d->body != NULL))
        return plait_yaml_fail(r->error, here, "a joint is of 'fibres' or of a 'body': one of them");
    if ((d->to_fibres != NULL) + (d->to_body != NULL) + (d->collider >= 0) > 1)
        return plait_yaml_fail(r->error, here,
                               "a joint has one other side: 'to_fibres', 'to_body', 'to_collider', or the world");
    if (j.kind == PLAIT_JOINT_HINGE && !(plait_vec3_norm(j.axis) > 0))
        return plait_yaml_fail(r->error, here, "a hinge needs an 'axis'");
    if (!d->to_fibres && !d->to_body && j.collider < 0 && (j.collider = plait_doc_world(r, s)) < 0)
        return false;
    if (!plait_yaml_find(item->node, "from"))
        j.from = s->output.start;
    if (j.from > s->output.start && j.kind != PLAIT_JOINT_BALL)
        return plait_yaml_fail(r->error, plait_yaml_find(item->node, "from"), "only a ball is made after the start");
    if (j.until > 0 && j.until <= j.from)
        return plait_yaml_fail(r->error, plait_yaml_find(item->node, "until"),
                               "it is opened at %g s, before it is made at %g s", j.until, j.from);
    int k = plait_scene_add_joint(s, name);
    if (k < 0) {
        plait_error_set(r->error, PLAIT_NO_MEMORY, "scene: not enough memory");
        return false;
    }
    memcpy(j.name, s->joint[k].name, sizeof j.name);
    s->joint[k] = j;
    return true;
}
