// scene_shape.c: shapes and motions of colliders and bodies, from what a file says of them.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "file/mesh.h"
#include "math/vec3.h"
#include "scene/schema_scene.h"
#include "shape/type.h"

// ---- which keys a shape has --------------------------------------------------------------------------------------

// What the key is for; a bit beyond those of the table of shapes for what a generator makes.
enum { OF_HEAD = 1 << 30, OF_SHOULDERS = 1 << 29 };
static const struct {
    const char *key;
    unsigned of; // plait_shape_keys
    bool needed;
} uses[] = {
    {"radius", PLAIT_SHAPE_HAS_RADIUS, true},
    {"length", PLAIT_SHAPE_HAS_LENGTH, true},
    {"size", PLAIT_SHAPE_HAS_SIZE, true},
    {"points", PLAIT_SHAPE_HAS_POINTS, true},
    {"file", PLAIT_SHAPE_HAS_FILE, true},
    {"scale", PLAIT_SHAPE_HAS_FILE, false},
    {"thickness", PLAIT_SHAPE_HAS_FILE, false},
    {"closed", PLAIT_SHAPE_HAS_FILE, false},
    {"frames", PLAIT_SHAPE_HAS_FILE, false},
    {"frame_time", PLAIT_SHAPE_HAS_FILE, false},
    {"frame_start", PLAIT_SHAPE_HAS_FILE, false},
    {"head", OF_HEAD, false},
    {"shoulders", OF_SHOULDERS, false},
};

// The keys that the shape of this word has.
static unsigned keys_of(int word)
{
    int kinds = plait_doc_shape_kinds();
    return word < kinds ? plait_shape_types[word]->keys : word == kinds + PLAIT_DOC_HEAD ? OF_HEAD : OF_SHOULDERS;
}

const char *plait_doc_shape_key(int i, int word, bool *has, bool *needs)
{
    if (i < 0 || (size_t)i >= sizeof uses / sizeof *uses)
        return NULL;
    *has = (uses[i].of & keys_of(word)) != 0;
    *needs = *has && uses[i].needed;
    return uses[i].key;
}

static bool check_keys(const plait_schema_reader *r, const plait_yaml_node *node, int word)
{
    const char *name = plait_doc_shape_word(word);
    unsigned keys = keys_of(word);
    for (size_t i = 0; i < sizeof uses / sizeof *uses; i++) {
        const plait_yaml_node *given = plait_yaml_find(node, uses[i].key);
        if (given && !(uses[i].of & keys))
            return plait_yaml_fail(r->error, given->key, "the shape '%s' has no '%s'", name, uses[i].key);
        if (!given && uses[i].needed && (uses[i].of & keys))
            return plait_yaml_fail(r->error, plait_yaml_find(node, "shape"), "the shape '%s' needs the key '%s'", name,
                                   uses[i].key);
    }
    return true;
}

// ---- meshes ------------------------------------------------------------------------------------------------------

static void scale_points(double *x, int count, double scale)
{
    for (size_t i = 0; i < 3 * (size_t)count; i++)
        x[i] *= scale;
}

static bool no_memory(const plait_schema_reader *r)
{
    plait_error_set(r->error, PLAIT_NO_MEMORY, "scene: not enough memory");
    return false;
}

// An error without a place gets that of a node.
static bool fail_with(const plait_schema_reader *r, const plait_yaml_node *at, const plait_error *inner)
{
    if (inner->status == PLAIT_NO_MEMORY)
        return no_memory(r);
    plait_yaml_fail(r->error, at, "%s", inner->text);
    if (r->error)
        r->error->status = inner->status;
    return false;
}

static bool read_frames(const plait_schema_reader *r, const plait_doc_body *b, plait_shape *shape)
{
    size_t numbers = 3 * (size_t)shape->points;
    free(shape->frame); // those of `file`
    shape->frames = 0;
    shape->frame = malloc((numbers ? numbers : 1) * (size_t)b->frames.count * sizeof *shape->frame);
    if (!shape->frame)
        return no_memory(r);
    for (int i = 0; i < b->frames.count; i++) {
        const plait_schema_item *item = &b->frames.item[i];
        plait_shape other = {0};
        plait_error inner = {0};
        if (plait_mesh_read(item->name, &other, &inner) != PLAIT_OK)
            return fail_with(r, item->node, &inner);
        bool same = other.points == shape->points && other.triangles == shape->triangles;
        if (same) {
            memcpy(shape->frame + numbers * (size_t)i, other.point, numbers * sizeof *shape->frame);
            scale_points(shape->frame + numbers * (size_t)i, shape->points, b->scale);
        } else {
            plait_yaml_fail(r->error, item->node, "expected %d vertices and %d triangles as in 'file', found %d and %d",
                            shape->points, shape->triangles, other.points, other.triangles);
        }
        free(other.point);
        free(other.triangle);
        free(other.frame);
        if (!same)
            return false;
        shape->frames++;
    }
    shape->frame_time = b->frame_time;
    return true;
}

static bool build_mesh(const plait_schema_reader *r, const plait_yaml_node *node, const plait_doc_body *b,
                       plait_shape *shape)
{
    plait_error inner = {0};
    if (plait_mesh_read(b->file, shape, &inner) != PLAIT_OK)
        return fail_with(r, plait_yaml_find(node, "file"), &inner);
    shape->size[0] = b->thickness;
    shape->frame_start = b->frame_start;
    scale_points(shape->point, shape->points, b->scale);
    for (int i = 0; i < shape->frames; i++)
        scale_points(shape->frame + 3 * (size_t)i * (size_t)shape->points, shape->points, b->scale);
    if (b->closed == PLAIT_DOC_CLOSED && !shape->closed)
        return plait_yaml_fail(r->error, plait_yaml_find(node, "closed"),
                               "the mesh has edges that do not belong to exactly two triangles");
    if (b->closed == PLAIT_DOC_OPEN)
        shape->closed = false;
    return b->frames.count == 0 || read_frames(r, b, shape);
}

static bool build_curve(const plait_schema_reader *r, const plait_yaml_node *node, const plait_doc_body *b,
                        plait_shape *shape)
{
    if (b->points.count < 2)
        return plait_yaml_fail(r->error, plait_yaml_find(node, "points"), "a curve needs at least 2 points, found %d",
                               b->points.count);
    size_t bytes = 3 * (size_t)b->points.count * sizeof *shape->point;
    shape->point = malloc(bytes);
    if (!shape->point)
        return no_memory(r);
    memcpy(shape->point, b->points.x, bytes);
    shape->points = b->points.count;
    return true;
}

bool plait_doc_build_shape(const plait_schema_reader *r, const plait_schema_item *item, int word, plait_shape *shape)
{
    const plait_doc_body *b = item->value;
    plait_error inner = {0};
    if (!check_keys(r, item->node, word))
        return false;
    unsigned keys = keys_of(word);
    if (keys == OF_HEAD)
        return plait_gen_head_mesh(shape, &b->head, &inner) == PLAIT_OK || fail_with(r, item->node, &inner);
    if (keys == OF_SHOULDERS)
        return plait_gen_shoulders_mesh(shape, &b->shoulders, &inner) == PLAIT_OK || fail_with(r, item->node, &inner);
    shape->kind = (plait_shape_kind)word;
    if (keys & PLAIT_SHAPE_HAS_RADIUS)
        shape->size[0] = b->radius;
    if (keys & PLAIT_SHAPE_HAS_LENGTH)
        shape->size[1] = b->length / 2;
    for (int k = 0; k < 3 && (keys & PLAIT_SHAPE_HAS_SIZE); k++)
        shape->size[k] = b->size[k] / 2;
    if (keys & PLAIT_SHAPE_HAS_POINTS)
        return build_curve(r, item->node, b, shape);
    return !(keys & PLAIT_SHAPE_HAS_FILE) || build_mesh(r, item->node, b, shape);
}

// ---- motions -----------------------------------------------------------------------------------------------------

static bool build_keys(const plait_schema_reader *r, const plait_schema_list *keys, plait_motion *motion)
{
    motion->key = calloc((size_t)keys->count + 1, sizeof *motion->key);
    if (!motion->key)
        return no_memory(r);
    for (int i = 0; i < keys->count; i++) {
        const plait_schema_item *item = &keys->item[i];
        const plait_doc_key *from = item->value;
        plait_key *key = &motion->key[motion->keys];
        if (i > 0)
            *key = key[-1];
        key->time = from->time;
        if (plait_yaml_find(item->node, "position"))
            plait_vec3_copy(from->position, key->position);
        if (plait_yaml_find(item->node, "rotation"))
            plait_vec3_copy(from->rotation, key->rotation);
        if (i > 0 && !(key->time > key[-1].time))
            return plait_yaml_fail(r->error, plait_yaml_find(item->node, "time"),
                                   "times must ascend, but %g s comes after %g s", key->time, key[-1].time);
        motion->keys++;
    }
    return true;
}

static bool build_drive(const plait_schema_reader *r, const plait_schema_item *item, plait_drive *drive)
{
    const plait_doc_drive *d = item->value;
    const struct {
        const char *key;
        const double *value;
        bool turns, linear;
    } ways[] = {{"velocity", d->velocity, false, true},
                {"spin", d->spin, true, true},
                {"move", d->move, false, false},
                {"turn", d->turn, true, false}};
    const plait_yaml_node *kind = plait_yaml_find(item->node, "kind");
    int given = 0;
    *drive = (plait_drive){.kind = (plait_drive_kind)d->kind,
                           .frequency = d->frequency,
                           .phase = d->phase,
                           .start = d->start,
                           .stop = d->stop};
    bool linear = drive->kind == PLAIT_DRIVE_LINEAR;
    for (int i = 0; i < 4; i++) {
        const plait_yaml_node *n = plait_yaml_find(item->node, ways[i].key);
        if (!n)
            continue;
        if (given++)
            return plait_yaml_fail(r->error, n->key, "a drive has only one of 'velocity', 'spin', 'move' and 'turn'");
        if (ways[i].linear != linear)
            return plait_yaml_fail(r->error, n->key, "a %s drive has '%s' or '%s'", kind->text,
                                   linear ? "velocity" : "move", linear ? "spin" : "turn");
        plait_vec3_copy(ways[i].value, drive->amplitude);
        drive->turns = ways[i].turns;
    }
    if (!given)
        return plait_yaml_fail(r->error, kind, "a %s drive needs '%s' or '%s'", kind->text,
                               linear ? "velocity" : "move", linear ? "spin" : "turn");
    bool sine = drive->kind == PLAIT_DRIVE_SINE;
    if (sine != (plait_yaml_find(item->node, "frequency") != NULL))
        return plait_yaml_fail(r->error, kind,
                               sine ? "a %s drive needs a 'frequency'" : "a %s drive has no 'frequency'", kind->text);
    if (drive->kind == PLAIT_DRIVE_RAMP && !isfinite(drive->stop))
        return plait_yaml_fail(r->error, kind, "a ramp needs 'stop', the time when it is there");
    if (!(drive->stop > drive->start))
        return plait_yaml_fail(r->error, plait_yaml_find(item->node, "stop"),
                               "a drive must stop after its start at %g s, found %g s", drive->start, drive->stop);
    return true;
}

bool plait_doc_build_motion(const plait_schema_reader *r, const plait_schema_item *item, plait_motion *motion)
{
    const plait_doc_body *b = item->value;
    const plait_yaml_node *node = plait_yaml_find(item->node, "motion");
    bool pivot = node && plait_yaml_find(node, "pivot");
    plait_vec3_copy(pivot ? b->motion.pivot : b->position, motion->pivot);
    motion->ease = (plait_ease)b->motion.ease;
    if (b->motion.keys.count > 0 && !build_keys(r, &b->motion.keys, motion))
        return false;
    if (b->motion.drives.count == 0)
        return true;
    motion->drive = calloc((size_t)b->motion.drives.count, sizeof *motion->drive);
    if (!motion->drive)
        return no_memory(r);
    motion->drives = b->motion.drives.count;
    for (int i = 0; i < motion->drives; i++)
        if (!build_drive(r, &b->motion.drives.item[i], &motion->drive[i]))
            return false;
    return true;
}
