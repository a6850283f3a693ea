// scene_build.c: the scene that a file describes: materials, friction, colliders, fibres, bodies, in this order,
// because generators keep away from the colliders that are there.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "math/vec3.h"
#include "scene/scene.h"
#include "scene/schema_scene.h"
#include "shape/closest.h"
#include "shape/holes.h"

static const double SMALL_HOLES = 0.2; // of the area of a mesh

static bool no_memory(const plait_schema_reader *r)
{
    plait_error_set(r->error, PLAIT_NO_MEMORY, "scene: not enough memory");
    return false;
}

// Entries without a name are called by their place.
static const char *entry_name(const plait_schema_item *item, const char *kind, int i, char out[PLAIT_NAME])
{
    if (item->name)
        return item->name;
    snprintf(out, PLAIT_NAME, "%s-%d", kind, i);
    return out;
}

static const plait_yaml_node *place(const plait_schema_item *item)
{
    return item->node->key ? item->node->key : item->node;
}

bool plait_doc_needs_material(const plait_schema_reader *r, const plait_schema_item *item)
{
    if (r->materials.count <= 1 || plait_yaml_find(item->node, "material"))
        return true;
    return plait_yaml_fail(r->error, place(item), "the key 'material' is missing here: there are %d materials",
                           r->materials.count);
}

// ---- materials ---------------------------------------------------------------------------------------------------

static bool set_pairs(const plait_schema_reader *r, plait_scene *s, const plait_schema_list *pairs, bool restitution)
{
    for (int i = 0; i < pairs->count; i++) {
        const plait_schema_friction *p = pairs->item[i].value;
        for (int j = 0; j < i; j++) {
            const plait_schema_friction *q = pairs->item[j].value;
            if ((p->a == q->a && p->b == q->b) || (p->a == q->b && p->b == q->a))
                return plait_yaml_fail(r->error, pairs->item[i].node, "the pair '%s' and '%s' is given twice",
                                       s->material[p->a].name, s->material[p->b].name);
        }
        int k = p->a * s->materials + p->b;
        if (restitution)
            plait_scene_set_friction(s, p->a, p->b, s->mu[k], p->value);
        else
            plait_scene_set_friction(s, p->a, p->b, p->value, s->restitution[k]);
    }
    return true;
}

// What a material's preset says and its entry does not.
static plait_fibre_material preset_material(const plait_schema_item *item)
{
    plait_fibre_material m = *(const plait_fibre_material *)item->value;
    const struct {
        const char *key;
        double *value;
    } rows[] = {{"density", &m.rod.density}, {"young", &m.rod.young}, {"damping", &m.rod.damping},
                {"drag", &m.rod.drag},       {"slip", &m.slip},       {"radius", m.rod.radius}};
    double value[2];
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        if (plait_yaml_find(item->node, rows[k].key) || !plait_preset_value(m.preset, rows[k].key, value))
            continue;
        rows[k].value[0] = value[0];
        if (rows[k].value == m.rod.radius)
            m.rod.radius[1] = value[1];
    }
    return m;
}

static bool build_materials(const plait_schema_reader *r, const plait_doc *doc, plait_scene *s)
{
    char name[PLAIT_NAME];
    for (int i = 0; i < doc->materials.count; i++) {
        const plait_schema_item *item = &doc->materials.item[i];
        plait_fibre_material m = preset_material(item);
        int k = plait_scene_add_material(s, entry_name(item, "material", i, name), &m.rod, doc->friction.all);
        if (k < 0)
            return no_memory(r);
        s->material[k].contact_radius = m.contact_radius;
        s->material[k].slip = m.slip, s->material[k].preset = m.preset;
        if (!plait_doc_build_along(r, item, &s->material[k]))
            return false;
    }
    if (doc->materials.count == 0 && plait_scene_add_material(s, "hair", NULL, doc->friction.all) < 0)
        return no_memory(r);
    for (int i = 0; i < s->materials * s->materials; i++)
        s->restitution[i] = doc->restitution.all;
    return set_pairs(r, s, &doc->friction.pairs, false) && set_pairs(r, s, &doc->restitution.pairs, true);
}

// ---- bodies ------------------------------------------------------------------------------------------------------

static bool build_collider(const plait_schema_reader *r, const plait_schema_item *item, int i, plait_scene *s)
{
    const plait_doc_body *b = item->value;
    char name[PLAIT_NAME];
    if (!plait_doc_needs_material(r, item))
        return false;
    int k = plait_scene_add_collider(s, entry_name(item, "collider", i, name), PLAIT_SHAPE_NONE);
    if (k < 0)
        return no_memory(r);
    plait_collider *c = &s->collider[k];
    c->material = b->material;
    plait_vec3_copy(b->position, c->position);
    plait_vec3_copy(b->rotation, c->rotation);
    return plait_doc_build_shape(r, item, b->shape, &c->shape) && plait_doc_build_motion(r, item, &c->motion);
}

static bool build_rigid(const plait_schema_reader *r, const plait_schema_item *item, int i, plait_scene *s)
{
    const plait_doc_body *b = item->value;
    char name[PLAIT_NAME];
    if (!plait_doc_needs_material(r, item))
        return false;
    int k = plait_scene_add_rigid(s, entry_name(item, "body", i, name), PLAIT_SHAPE_SPHERE);
    if (k < 0)
        return no_memory(r);
    plait_rigid *c = &s->rigid[k];
    c->material = b->material;
    plait_vec3_copy(b->guide, c->guide), plait_vec3_copy(b->force, c->force);
    c->density = b->density, c->mass = b->mass;
    plait_vec3_copy(b->position, c->position);
    plait_vec3_copy(b->rotation, c->rotation);
    plait_vec3_copy(b->velocity, c->velocity);
    plait_vec3_copy(b->spin, c->spin);
    return plait_doc_build_shape(r, item, plait_doc_body_shape(b->shape), &c->shape);
}

// Whether fibres hang on collider k.
static bool carries(const plait_doc *doc, int k)
{
    for (int i = 0; i < doc->fibres.count; i++) {
        const plait_doc_fibre *f = doc->fibres.item[i].value;
        bool held = f->attach == k || f->style.attach[0] == k || f->style.attach[1] == k;
        if (held || (f->scalp && f->scalp->collider == k))
            return true;
    }
    return false;
}

// Meshes with holes that have an inside all the same. A mesh that only may be one is left as it is if it cannot.
static bool fill_holes(const plait_schema_reader *r, const plait_doc *doc, int i, plait_scene *s)
{
    const plait_schema_item *item = &doc->colliders.item[i];
    const plait_doc_body *b = item->value;
    plait_shape *shape = &s->collider[i].shape;
    bool told = b->closed == PLAIT_DOC_FILLED, may = b->closed == PLAIT_DOC_CLOSED_AUTO && carries(doc, i);
    if (shape->kind != PLAIT_SHAPE_MESH || shape->closed || !(told || may))
        return true;
    plait_holes holes = plait_shape_fill_holes(shape, told ? INFINITY : SMALL_HOLES);
    if (holes == PLAIT_HOLES_NO_MEMORY)
        return no_memory(r);
    return holes != PLAIT_HOLES_TANGLED || !told ||
           plait_yaml_fail(r->error, plait_yaml_find(item->node, "closed"),
                           "its holes cannot be filled: edges with more than two triangles, or rims that touch");
}

// ---- fibres ------------------------------------------------------------------------------------------------------

// The generator's key: the one that is there. NULL with *error if there is none, or another one too.
static const plait_yaml_node *find_generator(const plait_schema_reader *r, const plait_schema_item *item)
{
    const plait_yaml_node *found = NULL;
    for (const plait_yaml_node *n = item->node->first; n; n = n->next) {
        const plait_schema_key *k = plait_schema_find(&plait_schema_fibre, n->key->text, strlen(n->key->text));
        if (!k || k->type != PLAIT_KEY_OPTIONAL)
            continue;
        if (found) {
            plait_yaml_fail(r->error, n->key, "expected exactly one generator, found '%s' and '%s'", found->key->text,
                            n->key->text);
            return NULL;
        }
        found = n;
    }
    if (!found)
        plait_yaml_fail(r->error, place(item),
                        "a generator is missing here: line, polyline, helix, knot, bundle, "
                        "spaghetti, pack, scalp, ponytail, brush or file");
    return found;
}

static bool attach_ends(const plait_schema_reader *r, const plait_schema_item *item, plait_gen_style *style)
{
    const plait_doc_fibre *f = item->value;
    bool groom = f->scalp || f->ponytail || f->brush; // their roots are held without being told
    bool held[2] = {style->end[0] != PLAIT_END_FREE || groom, style->end[1] != PLAIT_END_FREE};
    const plait_yaml_node *ends = plait_yaml_find(item->node, "ends");
    const char *const keys[] = {"attach_root", "attach_tip"};
    if (f->attach >= 0 && !held[0] && !held[1])
        return plait_yaml_fail(r->error, plait_yaml_find(ends, "attach"),
                               "both ends are free: 'root' or 'tip' must be pinned or clamped");
    for (int e = 0; e < 2; e++) {
        if (f->attach >= 0 && held[e] && style->attach[e] < 0)
            style->attach[e] = f->attach;
        if (style->attach[e] >= 0 && !held[e])
            return plait_yaml_fail(r->error, plait_yaml_find(ends, keys[e]),
                                   "this end is free: '%s' must be pinned or clamped", e ? "tip" : "root");
    }
    return true;
}

static plait_status generate_polylines(const plait_doc_polyline *p, const plait_gen_style *style, plait_scene *s,
                                       plait_error *error)
{
    plait_gen_polyline_options o = plait_gen_default_polyline();
    int fibres = p->counts.count > 0 ? p->counts.count : 1, first = 0;
    double whole = 0;
    for (int i = 0; i < p->counts.count; i++) {
        if (p->counts.x[i] != floor(p->counts.x[i]))
            return plait_error_set(error, PLAIT_BAD_INPUT, "counts: whole numbers are expected, found %g",
                                   p->counts.x[i]);
        whole += p->counts.x[i];
    }
    if (p->counts.count > 0 && whole != p->points.count)
        return plait_error_set(error, PLAIT_BAD_INPUT, "counts: they are %.0f points together, but %d points are given",
                               whole, p->points.count);
    o.smooth = p->smooth;
    plait_status status = PLAIT_OK;
    for (int i = 0; i < fibres && status == PLAIT_OK; i++, first += o.points) {
        o.points = p->counts.count > 0 ? (int)p->counts.x[i] : p->points.count;
        o.point = p->points.x + 3 * (size_t)first;
        status = plait_gen_polyline(s, style, &o, error);
    }
    return status;
}

static plait_status generate(const plait_doc_fibre *f, const plait_gen_style *style, plait_scene *s, plait_error *error)
{
    if (f->line)
        return plait_gen_line(s, style, f->line, error);
    if (f->polyline)
        return generate_polylines(f->polyline, style, s, error);
    if (f->helix)
        return plait_gen_helix(s, style, f->helix, error);
    if (f->knot)
        return plait_gen_knot(s, style, f->knot, error);
    if (f->bundle)
        return plait_gen_bundle(s, style, f->bundle, error);
    if (f->spaghetti)
        return plait_gen_spaghetti(s, style, f->spaghetti, error);
    if (f->pack)
        return plait_gen_pack(s, style, f->pack, error);
    if (f->scalp)
        return plait_gen_scalp(s, style, f->scalp, error);
    if (f->ponytail)
        return plait_gen_ponytail(s, style, f->ponytail, error);
    if (f->brush)
        return plait_gen_brush(s, style, f->brush, error);
    return plait_gen_file(s, style, f->file, error);
}

int plait_doc_count_fibres(const plait_doc_fibre *f)
{
    return f->line        ? f->line->count
           : f->polyline  ? (f->polyline->counts.count > 0 ? f->polyline->counts.count : 1)
           : f->helix     ? 1
           : f->knot      ? 1
           : f->bundle    ? f->bundle->count
           : f->spaghetti ? f->spaghetti->count
           : f->pack      ? f->pack->count
           : f->scalp     ? f->scalp->count
           : f->ponytail  ? f->ponytail->count
           : f->brush     ? f->brush->count
                          : 0;
}

// `every` may stand beside `file: groom.hair` too.
static bool take_every(const plait_schema_reader *r, const plait_schema_item *item, const plait_yaml_node *generator)
{
    const plait_doc_fibre *f = item->value;
    const plait_yaml_node *every = plait_yaml_find(item->node, "every");
    if (!every)
        return true;
    if (!f->file)
        return plait_yaml_fail(r->error, every->key, "'every' belongs to 'file', but the generator here is '%s'",
                               generator->key->text);
    if (plait_yaml_find(generator, "every"))
        return plait_yaml_fail(r->error, every->key, "'every' is given twice: here and in 'file'");
    f->file->every = f->every;
    return true;
}

// The end of a fibre goes to the nearest place of the soft body, and takes the fibre along.
static void seat(plait_fibre *f, int end, const plait_soft *soft)
{
    double *x = f->point + (end ? 3 * (size_t)(f->points - 1) : 0), least = INFINITY, move[3] = {0, 0, 0};
    for (int t = 0; t < soft->triangles; t++) {
        double c[9], w[3];
        plait_feature feature;
        for (int k = 0; k < 9; k++)
            c[k] = soft->point[3 * (size_t)soft->triangle[3 * (size_t)t + (size_t)k / 3] + (size_t)k % 3];
        double far = plait_closest_triangle(x, c, w, &feature);
        if (far >= least)
            continue;
        least = far;
        for (int k = 0; k < 3; k++)
            move[k] = w[0] * c[k] + w[1] * c[3 + k] + w[2] * c[6 + k] - x[k];
    }
    for (int i = 0; i < 3 * f->points; i++)
        f->point[i] += move[i % 3];
}

static bool bind_ends(const plait_schema_reader *r, const plait_schema_item *item, int first, plait_scene *s)
{
    const plait_doc_fibre *f = item->value;
    int number = 0;
    if (!f->skin)
        return true;
    for (int i = 0; i < s->cloths + s->solids; i++) {
        const plait_soft *soft = i < s->cloths ? &s->cloth[i] : &s->solid[i - s->cloths];
        if (strcmp(soft->name, f->skin) == 0)
            number = i + 1;
    }
    const plait_yaml_node *key = plait_yaml_find(plait_yaml_find(item->node, "ends"), "skin");
    if (number == 0)
        return plait_yaml_fail(r->error, key, "there is no cloth and no solid '%s'", f->skin);
    const plait_soft *soft = number <= s->cloths ? &s->cloth[number - 1] : &s->solid[number - 1 - s->cloths];
    bool any = false;
    for (int i = first; i < s->fibres; i++)
        for (int e = 1; e >= 0; e--) // the root last: it is the one that stays
            if (s->fibre[i].end[e] != PLAIT_END_FREE) {
                s->fibre[i].soft[e] = number, s->fibre[i].attach[e] = -1;
                seat(&s->fibre[i], e, soft);
                any = true;
            }
    return any || plait_yaml_fail(r->error, key, "both ends are free: 'root' or 'tip' must be pinned or clamped");
}

static char *copy_text(const char *text)
{
    char *copy = malloc(strlen(text) + 1);
    if (copy)
        memcpy(copy, text, strlen(text) + 1);
    return copy;
}

static bool build_fibres(const plait_schema_reader *r, const plait_doc *doc, int i, plait_scene *s)
{
    const plait_schema_item *item = &doc->fibres.item[i];
    const plait_doc_fibre *f = item->value;
    plait_gen_style style = f->style;
    plait_error inner = {0};
    char name[PLAIT_NAME];
    const plait_yaml_node *generator = find_generator(r, item);
    if (!generator || !take_every(r, item, generator) || !plait_doc_needs_material(r, item) ||
        !attach_ends(r, item, &style))
        return false;
    if ((f->scalp || f->ponytail || f->brush) && s->colliders == 0)
        return plait_yaml_fail(r->error, generator->key, "'%s' needs a collider to grow on", generator->key->text);
    if (f->relax && style.start != PLAIT_START_DRAWN)
        return plait_yaml_fail(r->error, plait_yaml_find(item->node, "relax"),
                               "'start' says already where the fibres start: 'relax' is short for 'start: relaxed'");
    style.start = f->relax ? PLAIT_START_RELAXED : style.start;
    style.group = plait_scene_add_group(s, entry_name(item, "fibres", i, name));
    if (style.group < 0)
        return no_memory(r);
    int first = s->fibres;
    s->groom[style.group] = f->carry;
    plait_status status = generate(f, &style, s, &inner);
    if (status == PLAIT_NO_MEMORY)
        return no_memory(r);
    if (status != PLAIT_OK)
        plait_yaml_fail(r->error, generator->key, "%s", inner.text);
    for (int k = first; k < s->fibres; k++)
        s->fibre[k].goal = f->goal;
    if (status != PLAIT_OK || !bind_ends(r, item, first, s))
        return false;
    int carrier = s->fibres > first ? s->fibre[first].attach[0] : -1;
    const char *mesh = carrier < 0 ? NULL : ((const plait_doc_body *)doc->colliders.item[carrier].value)->file;
    if (mesh && !(s->groom[style.group].mesh = copy_text(mesh)))
        return no_memory(r);
    return plait_doc_build_maps(r, item, first, mesh, s);
}

// ---- everything --------------------------------------------------------------------------------------------------

static bool build_settings(const plait_schema_reader *r, const plait_doc *doc, const plait_yaml_node *root,
                           plait_scene *s)
{
    *s = doc->base;
    snprintf(s->name, sizeof s->name, "%s", doc->name);
    if (doc->title && !(s->title = copy_text(doc->title)))
        return no_memory(r);
    if (doc->reproduces && !(s->reproduces = copy_text(doc->reproduces)))
        return no_memory(r);
    s->detecting.mode = (plait_detection)(doc->detection + 1);
    const plait_yaml_node *step = plait_yaml_find(root, "step"), *output = plait_yaml_find(root, "output");
    const plait_yaml_node *dt_min = plait_yaml_find(step, "dt_min"), *fps = plait_yaml_find(output, "fps");
    if (!dt_min)
        s->stepping.dt_min = s->stepping.dt / PLAIT_DT_PARTS;
    else if (s->stepping.dt_min > s->stepping.dt)
        return plait_yaml_fail(r->error, dt_min, "'dt_min' must not be above 'dt', %g s, found %g s", s->stepping.dt,
                               s->stepping.dt_min);
    if (fps && plait_yaml_find(output, "frame_time"))
        return plait_yaml_fail(r->error, fps->key, "'fps' and 'frame_time' say the same: only one may be given");
    if (fps)
        s->output.frame_time = 1 / doc->fps;
    else if (!plait_yaml_find(output, "frame_time") && s->stepping.mode == PLAIT_MODE_STATIC)
        s->output.frame_time = s->stepping.dt; // load steps may be long: frames would cut them
    double frames = s->output.start / s->output.frame_time, whole = nearbyint(frames);
    if (fabs(frames - whole) > 1e-6)
        return plait_yaml_fail(r->error, plait_yaml_find(output, "start"),
                               "a whole number of frames of %g s is expected, found %.9g of them", s->output.frame_time,
                               frames);
    s->output.start = whole * s->output.frame_time + 0.0; // exactly where that frame is; -0 is 0
    return true;
}

static bool build_all(const plait_schema_reader *r, const plait_doc *doc, const plait_yaml_node *root, plait_scene *s)
{
    if (!build_settings(r, doc, root, s) || !build_materials(r, doc, s))
        return false;
    for (int i = 0; i < doc->adhesion.count; i++)
        if (!plait_doc_build_adhesion(r, &doc->adhesion.item[i], s))
            return false;
    for (int i = 0; i < doc->colliders.count; i++)
        if (!build_collider(r, &doc->colliders.item[i], i, s) || !fill_holes(r, doc, i, s))
            return false;
    for (int i = 0; i < doc->bodies.count; i++)
        if (!build_rigid(r, &doc->bodies.item[i], i, s))
            return false;
    for (int i = 0; i < doc->cloth.count + doc->solids.count; i++) {
        bool solid = i >= doc->cloth.count;
        int k = solid ? i - doc->cloth.count : i;
        const plait_schema_item *item = solid ? &doc->solids.item[k] : &doc->cloth.item[k];
        char name[PLAIT_NAME];
        if (!plait_doc_build_soft(r, item, entry_name(item, solid ? "solid" : "cloth", k, name), solid, s))
            return false;
    }
    for (int i = 0; i < doc->fibres.count; i++)
        if (!build_fibres(r, doc, i, s))
            return false;
    for (int i = 0; i < doc->ties.count; i++) {
        char name[PLAIT_NAME];
        if (!plait_doc_build_tie(r, &doc->ties.item[i], entry_name(&doc->ties.item[i], "tie", i, name), s))
            return false;
    }
    for (int i = 0; i < doc->joints.count; i++) {
        char name[PLAIT_NAME];
        if (!plait_doc_build_joint(r, &doc->joints.item[i], entry_name(&doc->joints.item[i], "joint", i, name), s))
            return false;
    }
    for (int i = 0; i < doc->loads.count; i++) {
        char name[PLAIT_NAME];
        if (!plait_doc_build_load(r, &doc->loads.item[i], entry_name(&doc->loads.item[i], "load", i, name), s))
            return false;
    }
    for (int i = 0; i < doc->measure.count; i++) {
        const plait_schema_item *item = &doc->measure.item[i];
        char name[PLAIT_NAME];
        if (!plait_doc_build_measure(r, item, entry_name(item, "measure", i, name), s))
            return false;
    }
    return true;
}

plait_scene *plait_doc_build(const plait_doc *doc, plait_yaml_node *root, plait_schema_reader *r)
{
    plait_scene *s = plait_scene_new();
    if (!s) {
        no_memory(r);
        return NULL;
    }
    plait_error inner = {0};
    bool ok = build_all(r, doc, root, s);
    if (ok && plait_scene_check(s, &inner) != PLAIT_OK) {
        plait_error_set(r->error, inner.status, "%s: error: %s", root->source->name, inner.text);
        ok = false;
    }
    if (ok)
        return s;
    plait_scene_free(s);
    return NULL;
}
