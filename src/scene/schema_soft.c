// schema_soft.c: the keys of cloth and solids.
#include <math.h>

#include "scene/schema_scene.h"

// ---- what they are made of ----------------------------------------------------------------------------------------

static const char *pattern_word(int i)
{
    static const char *const words[] = {"regular", "flipped", "crossed", "irregular", NULL};
    return words[i];
}

static void init_grid(void *out)
{
    *(plait_doc_grid *)out = (plait_doc_grid){.width = 1, .height = 1, .cell = 0.05, .seed = 1};
}

#define K(type, key, field, unit, help, ...) PLAIT_KEY(type, key, plait_doc_grid, field, unit, help, __VA_ARGS__)
static const plait_schema_key grid_keys[] = {
    K(REAL, "width", width, LENGTH, "along x", PLAIT_RANGE(1e-6, 1e6)),
    K(REAL, "height", height, LENGTH, "along y", PLAIT_RANGE(1e-6, 1e6)),
    K(REAL, "cell", cell, LENGTH, "sides of its quads, at most", PLAIT_RANGE(1e-6, 1e6)),
    K(CHOICE, "pattern", pattern, NONE,
      "how quads are cut into triangles: all the same way, the other way, by turns; irregular: inner nodes are moved "
      "too",
      PLAIT_WORDS(pattern_word)),
    K(REAL, "rolled", rolled, CURVATURE, "natural curvature: it is a part of a cylinder about y",
      PLAIT_RANGE(-1e6, 1e6)),
    K(SEED, "seed", seed, NONE, "irregular: of the random numbers", PLAIT_ANY),
    PLAIT_KEYS_END,
};
#undef K
static const plait_schema grid_table = {"grid", "A rectangle in the plane z = 0 about the origin.", grid_keys,
                                        sizeof(plait_doc_grid), init_grid};

static void init_block(void *out)
{
    *(plait_doc_block *)out =
        (plait_doc_block){.size = {0.1, 0.1, 0.1}, .radius = 0.05, .length = 0.1, .cell = 0.02, .seed = 1};
}

#define K(type, key, field, unit, help, ...) PLAIT_KEY(type, key, plait_doc_block, field, unit, help, __VA_ARGS__)
#define CELL                                                                                                           \
    K(REAL, "cell", cell, LENGTH, "sides of its cubes, at most; six tetrahedra each", PLAIT_RANGE(1e-6, 1e6)),         \
        K(REAL, "irregular", irregular, NONE, "inner nodes are moved at random by this part of a cube",                \
          PLAIT_RANGE(0, 0.25)),                                                                                       \
        K(SEED, "seed", seed, NONE, "of the random numbers", PLAIT_ANY)
static const plait_schema_key box_keys[] = {
    K(VECTOR, "size", size, LENGTH, "from side to side", PLAIT_RANGE(1e-6, 1e6)),
    CELL,
    PLAIT_KEYS_END,
};
static const plait_schema_key ball_keys[] = {
    K(REAL, "radius", radius, LENGTH, "of the ball", PLAIT_RANGE(1e-6, 1e6)),
    CELL,
    PLAIT_KEYS_END,
};
static const plait_schema_key cylinder_keys[] = {
    K(REAL, "radius", radius, LENGTH, "of the cylinder", PLAIT_RANGE(1e-6, 1e6)),
    K(REAL, "length", length, LENGTH, "along z", PLAIT_RANGE(1e-6, 1e6)),
    CELL,
    PLAIT_KEYS_END,
};
#undef K
static const plait_schema box_table = {"box", "A box about the origin, of cubes.", box_keys, sizeof(plait_doc_block),
                                       init_block};
static const plait_schema ball_table = {"sphere", "A ball about the origin: a cube that was bent.", ball_keys,
                                        sizeof(plait_doc_block), init_block};
static const plait_schema cylinder_table = {"cylinder", "A cylinder along z about the origin.", cylinder_keys,
                                            sizeof(plait_doc_block), init_block};

static void init_file(void *out)
{
    *(plait_doc_soft_file *)out = (plait_doc_soft_file){.scale = 1, .cell = 0.02};
}

#define K(type, key, field, unit, help, ...) PLAIT_KEY(type, key, plait_doc_soft_file, field, unit, help, __VA_ARGS__)
static const plait_schema_key mesh_keys[] = {
    K(FILE, "path", path, NONE, ".obj or .ply: its triangles", PLAIT_REQUIRED),
    K(REAL, "scale", scale, LENGTH, "that one unit of the file stands for", PLAIT_RANGE(1e-12, 1e6)),
    PLAIT_KEYS_END,
};
#undef K
static const plait_schema mesh_table = {NULL, NULL, mesh_keys, sizeof(plait_doc_soft_file), init_file};

#define K(type, key, field, unit, help, ...) PLAIT_KEY(type, key, plait_doc_soft_file, field, unit, help, __VA_ARGS__)
static const plait_schema_key fill_keys[] = {
    K(FILE, "path", path, NONE, ".obj or .ply, closed", PLAIT_REQUIRED),
    K(REAL, "scale", scale, LENGTH, "that one unit of the file stands for", PLAIT_RANGE(1e-12, 1e6)),
    K(REAL, "cell", cell, LENGTH, "sides of the cubes, six tetrahedra each", PLAIT_RANGE(1e-6, 1e6)),
    PLAIT_KEYS_END,
};
static const plait_schema_key tets_keys[] = {
    K(FILE, "path", path, NONE, ".msh (Gmsh 2.x, 4.1), .vtk (legacy), .node or .ele (TetGen); all as text",
      PLAIT_REQUIRED),
    K(REAL, "scale", scale, LENGTH, "that one unit of the file stands for", PLAIT_RANGE(1e-12, 1e6)),
    PLAIT_KEYS_END,
};
#undef K
static const plait_schema fill_table = {
    "fill", "A closed surface, filled with cubes; nodes of the skin move to the surface.", fill_keys,
    sizeof(plait_doc_soft_file), init_file};
static const plait_schema tets_table = {NULL, NULL, tets_keys, sizeof(plait_doc_soft_file), init_file};

// ---- what holds them ----------------------------------------------------------------------------------------------

static const char *side_word(int i)
{
    static const char *const words[] = {"all",    "left", "right",   "front", "back",
                                        "bottom", "top",  "corners", "rim",   NULL};
    return words[i];
}

static void init_pin(void *out)
{
    *(plait_doc_pin *)out =
        (plait_doc_pin){.attach = -1, .low = {-1e300, -1e300, -1e300}, .high = {1e300, 1e300, 1e300}};
}

#define K(type, key, field, unit, help, ...) PLAIT_KEY(type, key, plait_doc_pin, field, unit, help, __VA_ARGS__)
static const plait_schema_key pin_keys[] = {
    K(CHOICE, "side", side, NONE,
      "nodes at this side of it, in its own frame: left, right along x, front, back along y, bottom, top along z; "
      "corners "
      "of the box around it; rim: the border of cloth",
      PLAIT_WORDS(side_word)),
    K(VECTOR, "low", low, LENGTH, "only nodes in the box from here, in its own frame, ...", PLAIT_DEFAULT("no bound")),
    K(VECTOR, "high", high, LENGTH, "... to here", PLAIT_DEFAULT("no bound")),
    K(COLLIDER, "attach", attach, NONE, "collider that takes them along",
      PLAIT_DEFAULT("none: they stay where they are")),
    PLAIT_KEYS_END,
};
#undef K
static const plait_schema pin_table = {"pins", "Nodes that are held. Those of all entries together are.", pin_keys,
                                       sizeof(plait_doc_pin), init_pin};

// ---- cloth and solids ---------------------------------------------------------------------------------------------

static void init_cloth(void *out)
{
    *(plait_doc_soft *)out = (plait_doc_soft){.soft = plait_default_cloth()};
    ((plait_doc_soft *)out)->model = PLAIT_SOFT_SHELL;
}

static void init_solid(void *out)
{
    *(plait_doc_soft *)out = (plait_doc_soft){.soft = plait_default_solid()};
}

static const char *cloth_word(int i)
{
    return i < PLAIT_SOFT_COROTATIONAL ? plait_soft_model_name((plait_soft_model)i) : NULL;
}

static const char *solid_word(int i)
{
    return plait_soft_model_name((plait_soft_model)(i + PLAIT_SOFT_COROTATIONAL));
}

#define K(type, key, field, unit, help, ...) PLAIT_KEY(type, key, plait_doc_soft, field, unit, help, __VA_ARGS__)
#define G(name_, field_, table_)                                                                                       \
    K(OPTIONAL, name_, field_, NONE, "generator", PLAIT_TABLE(table_), PLAIT_DEFAULT("exactly one generator"))
#define COMMON                                                                                                         \
    K(REAL, "damping", soft.damping, TIME, "of strain, proportional to the stiffness", PLAIT_RANGE(0, 1e6)),           \
        K(REAL, "drag", soft.drag, RATE, "force of the air against the velocity (relative to the wind), per mass",     \
          PLAIT_RANGE(0, 1e9)),                                                                                        \
        K(REAL, "thickness", soft.thickness, LENGTH, "surfaces touch at half of it from the triangles",                \
          PLAIT_RANGE(1e-9, 10)),                                                                                      \
        K(BOOL, "self", soft.self, NONE, "touches itself", PLAIT_ANY),                                                 \
        K(VECTOR, "position", position, LENGTH, "of its origin", PLAIT_ANY),                                           \
        K(VECTOR, "rotation", rotation, ANGLE, "rotation vector: axis times angle", PLAIT_ANY),                        \
        K(VECTOR, "velocity", soft.velocity, SPEED, "at the start", PLAIT_ANY),                                        \
        K(VECTOR, "spin", soft.spin, ANGULAR_SPEED, "at the start, about its centre of mass", PLAIT_ANY),              \
        K(LIST, "pins", pins, NONE, "what is held", PLAIT_TABLE(pin_table))

static const plait_schema_key cloth_keys[] = {
    K(TEXT, "name", name, NONE, "a word", PLAIT_DEFAULT("cloth-0 ...")),
    K(MATERIAL, "material", soft.material, NONE, "for its friction", PLAIT_DEFAULT("if there is only one: that")),
    K(CHOICE, "model", model, NONE, "springs: masses and springs; shell: an elastic membrane with hinges",
      PLAIT_WORDS(cloth_word)),
    G("grid", grid, grid_table),
    K(OPTIONAL, "mesh", mesh, NONE, "generator: the triangles of a file", PLAIT_TABLE(mesh_table),
      PLAIT_DEFAULT("exactly one generator"), PLAIT_BRIEF("path")),
    K(REAL, "density", soft.density, AREA_DENSITY, "mass per area", PLAIT_RANGE(1e-6, 1e6)),
    K(REAL, "stretch", soft.stretch, STIFFNESS, "stiffness of the membrane: Young's modulus times thickness",
      PLAIT_RANGE(1e-9, 1e15)),
    K(REAL, "poisson", soft.poisson, NONE, "shell: Poisson's ratio of the membrane", PLAIT_RANGE(-0.99, 0.99)),
    K(REAL, "shear", soft.shear, STIFFNESS, "shear modulus times thickness", PLAIT_RANGE(1e-9, 1e15),
      PLAIT_DEFAULT("stretch / (2 (1 + poisson))")),
    K(REAL, "bend", soft.bend, BENDING, "bending stiffness per width", PLAIT_RANGE(0, 1e12)),
    K(REAL, "bend_damping", soft.bend_damping, TIME, "of bending, proportional to `bend`", PLAIT_RANGE(0, 1e6)),
    K(BOOL, "flat", soft.flat, NONE, "it would like to be flat, rather than as it was made", PLAIT_ANY),
    COMMON,
    PLAIT_KEYS_END,
};
const plait_schema plait_schema_cloth = {
    "cloth", "A list, or a map of names; one entry has these keys, exactly one generator among them.", cloth_keys,
    sizeof(plait_doc_soft), init_cloth};

static const plait_schema_key solid_keys[] = {
    K(TEXT, "name", name, NONE, "a word", PLAIT_DEFAULT("solid-0 ...")),
    K(MATERIAL, "material", soft.material, NONE, "for its friction", PLAIT_DEFAULT("if there is only one: that")),
    K(CHOICE, "model", model, NONE,
      "corotational: linear in a frame that turns with each tetrahedron; neo-hookean: stable, for large strains",
      PLAIT_WORDS(solid_word)),
    G("box", box, box_table),
    G("sphere", sphere, ball_table),
    G("cylinder", cylinder, cylinder_table),
    G("fill", fill, fill_table),
    K(OPTIONAL, "file", file, NONE, "generator: the tetrahedra of a file", PLAIT_TABLE(tets_table),
      PLAIT_DEFAULT("exactly one generator"), PLAIT_BRIEF("path")),
    K(REAL, "density", soft.density, DENSITY, "mass per volume", PLAIT_RANGE(1e-3, 1e5)),
    K(REAL, "young", soft.young, PRESSURE, "Young's modulus", PLAIT_RANGE(1e-3, 1e14)),
    K(REAL, "poisson", soft.poisson, NONE, "Poisson's ratio", PLAIT_RANGE(-0.99, 0.4999)),
    COMMON,
    PLAIT_KEYS_END,
};
const plait_schema plait_schema_solid = {
    "solids", "A list, or a map of names; one entry has these keys, exactly one generator among them.", solid_keys,
    sizeof(plait_doc_soft), init_solid};
