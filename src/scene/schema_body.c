// schema_body.c: the keys of colliders, their motions, and rigid bodies.
#include <math.h>

#include "scene/schema_scene.h"
#include "shape/type.h"

int plait_doc_shape_kinds(void)
{
    int kinds = 0;
    while (plait_shape_types[kinds] && !plait_shape_types[kinds]->program)
        kinds++;
    return kinds;
}

const char *plait_doc_shape_word(int i)
{
    static const char *const made[PLAIT_DOC_MADE + 1] = {"head", "shoulders", NULL};
    int kinds = plait_doc_shape_kinds();
    return i < kinds ? plait_shape_name(i) : made[i - kinds];
}

static bool is_body(const plait_shape_type *type)
{
    return type->inertia || type->cells == 2 || type->flat;
}

int plait_doc_body_shape(int i)
{
    for (int kind = 0; plait_shape_types[kind]; kind++)
        if (is_body(plait_shape_types[kind]) && i-- == 0)
            return kind;
    return -1;
}

static const char *body_word(int i)
{
    int kind = plait_doc_body_shape(i);
    return kind < 0 ? NULL : plait_shape_name(kind);
}

static const char *ease_word(int i)
{
    static const char *const words[] = {"linear", "smooth", NULL};
    return words[i];
}

static const char *drive_word(int i)
{
    static const char *const words[] = {"linear", "sine", "ramp", NULL};
    return words[i];
}

static const char *closed_word(int i)
{
    static const char *const words[] = {"auto", "yes", "no", "filled", NULL};
    return words[i];
}

// ---- motions -----------------------------------------------------------------------------------------------------

static void init_key(void *out)
{
    *(plait_doc_key *)out = (plait_doc_key){0};
}

#define K(type, key, field, unit, help, ...) PLAIT_KEY(type, key, plait_doc_key, field, unit, help, __VA_ARGS__)
static const plait_schema_key key_keys[] = {
    K(REAL, "time", time, TIME, "of the key; times ascend", PLAIT_RANGE(-1e9, 1e9), PLAIT_REQUIRED),
    K(VECTOR, "position", position, LENGTH, "displacement of the pivot from where it is at rest",
      PLAIT_DEFAULT("as in the key before; 0")),
    K(VECTOR, "rotation", rotation, ANGLE, "rotation vector: axis times angle, any number of turns",
      PLAIT_DEFAULT("as in the key before; 0")),
    PLAIT_KEYS_END,
};
#undef K
static const plait_schema key_table = {"keys",
                                       "A pose at a time. Before the first and after the last key the pose stays.",
                                       key_keys, sizeof(plait_doc_key), init_key};

static void init_drive(void *out)
{
    *(plait_doc_drive *)out = (plait_doc_drive){.stop = INFINITY};
}

#define K(type, key, field, unit, help, ...) PLAIT_KEY(type, key, plait_doc_drive, field, unit, help, __VA_ARGS__)
static const plait_schema_key drive_keys[] = {
    K(CHOICE, "kind", kind, NONE,
      "a constant speed; a sine, minus its value at the start; a smooth way from 0 to its end", PLAIT_WORDS(drive_word),
      PLAIT_REQUIRED),
    K(VECTOR, "velocity", velocity, SPEED, "linear: with direction", PLAIT_DEFAULT("-")),
    K(VECTOR, "spin", spin, ANGULAR_SPEED, "linear: axis times angular speed", PLAIT_DEFAULT("-")),
    K(VECTOR, "move", move, LENGTH, "sine: amplitude; ramp: the whole way", PLAIT_DEFAULT("-")),
    K(VECTOR, "turn", turn, ANGLE, "sine: amplitude; ramp: the whole angle; about the pivot", PLAIT_DEFAULT("-")),
    K(REAL, "frequency", frequency, FREQUENCY, "sine", PLAIT_RANGE(0, 1e9), PLAIT_DEFAULT("required for a sine")),
    K(REAL, "phase", phase, ANGLE, "sine", PLAIT_ANY),
    K(REAL, "start", start, TIME, "before it, nothing", PLAIT_RANGE(-1e9, 1e9)),
    K(REAL, "stop", stop, TIME, "after it, it stays where it is", PLAIT_RANGE(-1e9, 1e9),
      PLAIT_DEFAULT("never; required for a ramp")),
    PLAIT_KEYS_END,
};
#undef K
static const plait_schema drive_table = {
    "drives", "One term of a motion; all are added up. Each has exactly one of `velocity`, `spin`, `move` and `turn`.",
    drive_keys, sizeof(plait_doc_drive), init_drive};

static void init_motion(void *out)
{
    *(plait_doc_motion *)out = (plait_doc_motion){0};
}

#define K(type, key, field, unit, help, ...) PLAIT_KEY(type, key, plait_doc_motion, field, unit, help, __VA_ARGS__)
static const plait_schema_key motion_keys[] = {
    K(VECTOR, "pivot", pivot, LENGTH, "what rotations are about; in the world, at rest",
      PLAIT_DEFAULT("the collider's position")),
    K(CHOICE, "ease", ease, NONE, "straight between keys, or at rest in every key", PLAIT_WORDS(ease_word)),
    K(LIST, "keys", keys, NONE, "poses at times", PLAIT_TABLE(key_table)),
    K(LIST, "drives", drives, NONE, "functions of time", PLAIT_TABLE(drive_table)),
    PLAIT_KEYS_END,
};
#undef K
static const plait_schema motion_table = {
    "motion",
    "x(t) = R(t) (x - pivot) + pivot + position(t), with the sum of all rotation vectors of keys and drives in R.",
    motion_keys, sizeof(plait_doc_motion), init_motion};

// ---- shapes ------------------------------------------------------------------------------------------------------

static void init_head(void *out)
{
    *(plait_gen_head_options *)out = plait_gen_default_head();
}

#define K(type, key, field, unit, help, ...)                                                                           \
    PLAIT_KEY(type, key, plait_gen_head_options, field, unit, help, __VA_ARGS__)
static const plait_schema_key head_keys[] = {
    K(REAL, "width", width, LENGTH, "of the skull, ear to ear", PLAIT_RANGE(1e-6, 1e6)),
    K(REAL, "depth", depth, LENGTH, "forehead to back", PLAIT_RANGE(1e-6, 1e6)),
    K(REAL, "height", height, LENGTH, "crown to chin", PLAIT_RANGE(1e-6, 1e6)),
    K(REAL, "neck_radius", neck_radius, LENGTH, "of the neck", PLAIT_RANGE(1e-6, 1e6)),
    K(REAL, "neck_length", neck_length, LENGTH, "below the chin; 0: no neck", PLAIT_RANGE(0, 1e6)),
    K(REAL, "nose", nose, LENGTH, "its size", PLAIT_RANGE(0, 1e6)),
    K(INT, "detail", detail, NONE, "20 * 4^detail triangles", PLAIT_RANGE(1, 6)),
    K(REAL, "thickness", thickness, LENGTH, "of the skin, outwards", PLAIT_RANGE(0, 1e6)),
    PLAIT_KEYS_END,
};
#undef K
static const plait_schema head_table = {
    "head", "A head with face, chin and neck that looks along +y; its origin is the middle of the skull.", head_keys,
    sizeof(plait_gen_head_options), init_head};

static void init_shoulders(void *out)
{
    *(plait_gen_shoulders_options *)out = plait_gen_default_shoulders();
}

#define K(type, key, field, unit, help, ...)                                                                           \
    PLAIT_KEY(type, key, plait_gen_shoulders_options, field, unit, help, __VA_ARGS__)
static const plait_schema_key shoulders_keys[] = {
    K(REAL, "width", width, LENGTH, "across both shoulders", PLAIT_RANGE(1e-6, 1e6)),
    K(REAL, "depth", depth, LENGTH, "of the chest", PLAIT_RANGE(1e-6, 1e6)),
    K(REAL, "height", height, LENGTH, "from the top of the shoulders to the bottom", PLAIT_RANGE(1e-6, 1e6)),
    K(REAL, "drop", drop, LENGTH, "of the top of the shoulders below the middle of the skull", PLAIT_ANY),
    K(REAL, "back", back, LENGTH, "of the middle of the chest behind that of the skull", PLAIT_ANY),
    K(REAL, "neck_radius", neck_radius, LENGTH, "of the neck", PLAIT_RANGE(1e-6, 1e6)),
    K(INT, "detail", detail, NONE, "as of the head", PLAIT_RANGE(1, 6)),
    K(REAL, "thickness", thickness, LENGTH, "of the skin, outwards", PLAIT_RANGE(0, 1e6)),
    PLAIT_KEYS_END,
};
#undef K
static const plait_schema shoulders_table = {
    "shoulders", "Shoulders, upper arms and chest; the origin is that of the head that belongs to them.",
    shoulders_keys, sizeof(plait_gen_shoulders_options), init_shoulders};

// ---- colliders and bodies ----------------------------------------------------------------------------------------

static void init_body(void *out)
{
    *(plait_doc_body *)out = (plait_doc_body){.scale = 1, .frame_time = 0.04, .density = 1000};
    init_head(&((plait_doc_body *)out)->head);
    init_shoulders(&((plait_doc_body *)out)->shoulders);
}

#define K(type, key, field, unit, help, ...) PLAIT_KEY(type, key, plait_doc_body, field, unit, help, __VA_ARGS__)
#define NEEDED PLAIT_DEFAULT("required there")
#define PLACE_KEYS                                                                                                     \
    K(VECTOR, "position", position, LENGTH, "of the shape's origin", PLAIT_ANY),                                       \
        K(VECTOR, "rotation", rotation, ANGLE, "rotation vector: axis times angle", PLAIT_ANY)
static const plait_schema_key collider_keys[] = {
    K(TEXT, "name", name, NONE, "a word", PLAIT_DEFAULT("collider-0 ...")),
    K(MATERIAL, "material", material, NONE, "for its friction", PLAIT_DEFAULT("if there is only one: that")),
    K(CHOICE, "shape", shape, NONE, "what it is; none: touches nothing, a handle", PLAIT_WORDS(plait_doc_shape_word),
      PLAIT_REQUIRED),
    K(REAL, "radius", radius, LENGTH, "sphere, capsule, cylinder, curve", PLAIT_RANGE(1e-9, 1e6), NEEDED),
    K(REAL, "length", length, LENGTH, "capsule, cylinder: along z, without the caps", PLAIT_RANGE(0, 1e6), NEEDED),
    K(VECTOR, "size", size, LENGTH, "box: from side to side", PLAIT_RANGE(1e-9, 1e6), NEEDED),
    K(POINTS, "points", points, LENGTH, "curve: at least two", NEEDED),
    K(FILE, "file", file, NONE, "mesh: .obj, .ply, .abc, .usda, .usdc, .gltf, .glb ([meshes](#meshes))", NEEDED),
    K(REAL, "scale", scale, LENGTH, "mesh: that one unit of its files stands for", PLAIT_RANGE(1e-12, 1e6)),
    K(REAL, "thickness", thickness, LENGTH, "mesh: of the surface, outwards", PLAIT_RANGE(0, 1e6)),
    K(CHOICE, "closed", closed, NONE,
      "mesh: has an inside; auto: if every edge has two triangles, and a mesh that fibres grow on if its holes are "
      "small (eyes, neck); filled: holes are filled",
      PLAIT_WORDS(closed_word)),
    K(FILES, "frames", frames, NONE,
      "mesh: the same triangles from `frame_start` on, every `frame_time`; vertices go straight between", PLAIT_ANY),
    K(REAL, "frame_time", frame_time, TIME, "mesh: between `frames`", PLAIT_RANGE(1e-9, 1e9)),
    K(REAL, "frame_start", frame_start, TIME,
      "mesh: when the first of its frames is, of `frames` or of an animated `file`", PLAIT_RANGE(-1e9, 1e9)),
    K(MAP, "head", head, NONE, "head: its sizes", PLAIT_TABLE(head_table)),
    K(MAP, "shoulders", shoulders, NONE, "shoulders: their sizes", PLAIT_TABLE(shoulders_table)),
    PLACE_KEYS,
    K(MAP, "motion", motion, NONE, "how it moves", PLAIT_TABLE(motion_table)),
    PLAIT_KEYS_END,
};
const plait_schema plait_schema_collider = {
    "colliders",
    "A list, or a map of names; one entry has these keys. A plane goes through its position, its normal is +z "
    "(turned by `rotation`), and what is below is inside.",
    collider_keys, sizeof(plait_doc_body), init_body};

static const plait_schema_key body_keys[] = {
    K(TEXT, "name", name, NONE, "a word", PLAIT_DEFAULT("body-0 ...")),
    K(MATERIAL, "material", material, NONE, "for its friction", PLAIT_DEFAULT("if there is only one: that")),
    K(CHOICE, "shape", shape, NONE, "what it is; plane: a wall, with `guide` and `mass`", PLAIT_WORDS(body_word),
      PLAIT_REQUIRED),
    K(REAL, "radius", radius, LENGTH, "sphere, capsule", PLAIT_RANGE(1e-9, 1e6), NEEDED),
    K(REAL, "length", length, LENGTH, "capsule: along z, without the caps", PLAIT_RANGE(0, 1e6), NEEDED),
    K(VECTOR, "size", size, LENGTH, "box: from side to side", PLAIT_RANGE(1e-9, 1e6), NEEDED),
    K(FILE, "file", file, NONE, "mesh: .obj, .ply ... ([meshes](#meshes)), closed", NEEDED),
    K(REAL, "scale", scale, LENGTH, "mesh: that one unit of its file stands for", PLAIT_RANGE(1e-12, 1e6)),
    K(REAL, "thickness", thickness, LENGTH, "mesh: of the surface, outwards", PLAIT_RANGE(0, 1e6)),
    K(REAL, "density", density, DENSITY, "mass per volume", PLAIT_RANGE(1e-3, 1e5)),
    K(REAL, "mass", mass, MASS, "of all of it, instead", PLAIT_RANGE(1e-15, 1e15),
      PLAIT_DEFAULT("by `density`; plane: required")),
    PLACE_KEYS,
    K(VECTOR, "velocity", velocity, SPEED, "at the start", PLAIT_ANY),
    K(VECTOR, "spin", spin, ANGULAR_SPEED, "at the start", PLAIT_ANY),
    K(VECTOR, "guide", guide, NONE, "it moves along this axis only and does not turn: a jaw, a piston", PLAIT_ANY,
      PLAIT_DEFAULT("free")),
    K(VECTOR, "force", force, FORCE, "pushes it all the time, at its centre of mass", PLAIT_ANY),
    PLAIT_KEYS_END,
};
const plait_schema plait_schema_body = {"bodies", "Rigid bodies: a list, or a map of names; one entry has these keys.",
                                        body_keys, sizeof(plait_doc_body), init_body};
