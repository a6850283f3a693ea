// schema_fibre.c: the keys of an entry of `fibres`: what all have in common, and one table for each generator.
//
// Ranges are those that a generator cannot check better itself: most are left to it.
#include "scene/scene.h"
#include "scene/schema_scene.h"

static const char *model_word(int i)
{
    return i < PLAIT_ROD_MODEL_COUNT ? plait_rod_model_name((plait_rod_model)i) : NULL;
}

static const char *end_word(int i)
{
    static const char *const words[] = {"free", "pinned", "clamped", "edge", NULL};
    return words[i];
}

static const char *bind_word(int i)
{
    static const char *const words[] = {"auto", "cell", "body", NULL};
    return words[i];
}

static const char *start_word(int i)
{
    static const char *const words[] = {"drawn", "relaxed", "held", NULL};
    return words[i];
}

static const char *natural_word(int i)
{
    static const char *const words[] = {"straight", "drawn", "curl", "curvature", "wave", NULL};
    return words[i];
}

static const char *packing_word(int i)
{
    static const char *const words[] = {"hexagonal", "random", NULL};
    return words[i];
}

// ---- generators --------------------------------------------------------------------------------------------------

#define INIT(what)                                                                                                     \
    static void init_##what(void *out)                                                                                 \
    {                                                                                                                  \
        *(plait_gen_##what##_options *)out = plait_gen_default_##what();                                               \
    }
INIT(line)
INIT(helix)
INIT(knot)
INIT(bundle)
INIT(spaghetti)
INIT(pack)
INIT(scalp)
INIT(ponytail)
INIT(brush)
INIT(file)

#define K(type, key, field, unit, help, ...)                                                                           \
    PLAIT_KEY(type, key, plait_gen_line_options, field, unit, help, __VA_ARGS__)
static const plait_schema_key line_keys[] = {
    K(VECTOR, "from", from, LENGTH, "first point of the first rod", PLAIT_ANY),
    K(VECTOR, "direction", direction, NONE, "of the rods, of any length", PLAIT_ANY),
    K(REAL, "length", length, LENGTH, "of a rod", PLAIT_RANGE(1e-9, 1e6)),
    K(INT, "count", count, NONE, "rods", PLAIT_RANGE(1, 1e6)),
    K(VECTOR, "spacing", spacing, LENGTH, "from one rod to the next", PLAIT_ANY),
    PLAIT_KEYS_END,
};
#undef K
static const plait_schema line_table = {"line", "Straight rods, side by side.", line_keys,
                                        sizeof(plait_gen_line_options), init_line};

static void init_polyline(void *out)
{
    *(plait_doc_polyline *)out = (plait_doc_polyline){.smooth = plait_gen_default_polyline().smooth};
}

#define K(type, key, field, unit, help, ...) PLAIT_KEY(type, key, plait_doc_polyline, field, unit, help, __VA_ARGS__)
static const plait_schema_key polyline_keys[] = {
    K(POINTS, "points", points, LENGTH, "`[[0, 0, 0], [1 cm, 0, 0], ...]`", PLAIT_REQUIRED),
    K(NUMBERS, "counts", counts, NONE, "several fibres behind each other: how many points each has",
      PLAIT_RANGE(2, 1e7), PLAIT_DEFAULT("one fibre")),
    K(BOOL, "smooth", smooth, NONE, "a smooth curve through them instead of straight pieces", PLAIT_ANY),
    PLAIT_KEYS_END,
};
#undef K
static const plait_schema polyline_table = {"polyline", "One fibre through given points, or several.", polyline_keys,
                                            sizeof(plait_doc_polyline), init_polyline};

#define K(type, key, field, unit, help, ...)                                                                           \
    PLAIT_KEY(type, key, plait_gen_helix_options, field, unit, help, __VA_ARGS__)
static const plait_schema_key helix_keys[] = {
    K(VECTOR, "from", from, LENGTH, "on the axis, where it begins", PLAIT_ANY),
    K(VECTOR, "axis", axis, NONE, "direction of the axis", PLAIT_ANY),
    K(REAL, "radius", radius, LENGTH, "of the helix", PLAIT_RANGE(1e-9, 1e6)),
    K(REAL, "pitch", pitch, LENGTH, "rise per turn; negative: left-handed; 0: an arc", PLAIT_ANY),
    K(REAL, "turns", turns, NONE, "how many", PLAIT_RANGE(1e-6, 1e6)),
    K(REAL, "phase", phase, ANGLE, "of its first point about the axis", PLAIT_ANY),
    K(REAL, "lead", lead, LENGTH, "straight tangential pieces before and after it", PLAIT_RANGE(0, 1e6)),
    PLAIT_KEYS_END,
};
#undef K
static const plait_schema helix_table = {"helix", "One fibre wound about an axis.", helix_keys,
                                         sizeof(plait_gen_helix_options), init_helix};

#define K(type, key, field, unit, help, ...)                                                                           \
    PLAIT_KEY(type, key, plait_gen_knot_options, field, unit, help, __VA_ARGS__)
static const plait_schema_key knot_keys[] = {
    K(VECTOR, "centre", centre, LENGTH, "of the knot", PLAIT_ANY),
    K(VECTOR, "axis", axis, NONE, "from the first end to the last", PLAIT_ANY),
    K(REAL, "size", size, LENGTH, "half width of the knotted part", PLAIT_RANGE(1e-9, 1e6)),
    K(INT, "turns", turns, NONE,
      "0: a round trefoil; n: a loop of radius `size`, whose ends twist about each other in 2 n + 1 crossings: 1 an "
      "overhand knot, 2 a double one ...",
      PLAIT_RANGE(0, 100)),
    K(REAL, "length", length, LENGTH, "of the whole fibre", PLAIT_RANGE(1e-9, 1e6)),
    K(BOOL, "mirror", mirror, NONE, "the left-handed one", PLAIT_ANY),
    PLAIT_KEYS_END,
};
#undef K
static const plait_schema knot_table = {"knot", "An open overhand knot, loose, with straight ends.", knot_keys,
                                        sizeof(plait_gen_knot_options), init_knot};

#define K(type, key, field, unit, help, ...)                                                                           \
    PLAIT_KEY(type, key, plait_gen_bundle_options, field, unit, help, __VA_ARGS__)
static const plait_schema_key bundle_keys[] = {
    K(INT, "count", count, NONE, "rods", PLAIT_RANGE(1, 1e6)),
    K(VECTOR, "from", from, LENGTH, "where the axis begins", PLAIT_ANY),
    K(VECTOR, "axis", axis, NONE, "direction of the axis", PLAIT_ANY),
    K(REAL, "length", length, LENGTH, "of a rod", PLAIT_RANGE(1e-9, 1e6)),
    K(CHOICE, "packing", packing, NONE, "of the section", PLAIT_WORDS(packing_word)),
    K(REAL, "gap", gap, NONE, "between surfaces, relative to the contact diameter", PLAIT_RANGE(0, 1e6)),
    K(REAL, "radius", radius, LENGTH, "random packing: of the disc", PLAIT_RANGE(0, 1e6),
      PLAIT_DEFAULT("1.6 times that of the lattice")),
    K(REAL, "spread", spread, ANGLE, "the outermost rod leans outwards by this", PLAIT_ANY),
    K(REAL, "twist", twist, ANGLE, "the pack turns by this from its first to its last end", PLAIT_ANY),
    PLAIT_KEYS_END,
};
#undef K
static const plait_schema bundle_table = {"bundle", "Parallel rods around an axis.", bundle_keys,
                                          sizeof(plait_gen_bundle_options), init_bundle};

#define K(type, key, field, unit, help, ...)                                                                           \
    PLAIT_KEY(type, key, plait_gen_spaghetti_options, field, unit, help, __VA_ARGS__)
static const plait_schema_key spaghetti_keys[] = {
    K(INT, "count", count, NONE, "rods", PLAIT_RANGE(1, 1e6)),
    K(VECTOR, "centre", centre, LENGTH, "on the plate, below the middle of the pack", PLAIT_ANY),
    K(REAL, "height", height, LENGTH, "of the lowest surface above the plate", PLAIT_ANY),
    K(VECTOR, "direction", direction, NONE, "of the rods", PLAIT_ANY),
    K(REAL, "length", length, LENGTH, "of a rod", PLAIT_RANGE(1e-9, 1e6)),
    K(REAL, "gap", gap, NONE, "between surfaces, relative to the contact diameter", PLAIT_RANGE(0, 1e6)),
    K(REAL, "bend", bend, ANGLE, "turning angle of each rod from end to end", PLAIT_ANY),
    K(VECTOR, "bend_plane", bend_plane, NONE, "a direction in which they are bent", PLAIT_ANY),
    K(REAL, "stagger", stagger, LENGTH, "rods are shifted along themselves by at most this, at random",
      PLAIT_RANGE(0, 1e6)),
    K(REAL, "tilt", tilt, ANGLE, "the pack leans by this towards `bend_plane`", PLAIT_ANY),
    PLAIT_KEYS_END,
};
#undef K
static const plait_schema spaghetti_table = {"spaghetti", "A dense round pack of parallel rods above a plate.",
                                             spaghetti_keys, sizeof(plait_gen_spaghetti_options), init_spaghetti};

#define K(type, key, field, unit, help, ...)                                                                           \
    PLAIT_KEY(type, key, plait_gen_pack_options, field, unit, help, __VA_ARGS__)
static const plait_schema_key pack_keys[] = {
    K(INT, "count", count, NONE, "rods", PLAIT_RANGE(0, 1e6), PLAIT_DEFAULT("as many as `fraction` says")),
    K(REAL, "fraction", fraction, NONE, "volume of the rods over that of the box", PLAIT_RANGE(1e-9, 1)),
    K(REAL, "aspect", aspect, NONE, "length of a rod over its contact diameter", PLAIT_RANGE(1, 1e6)),
    K(VECTOR, "low", low, LENGTH, "corner of the box; the whole of every rod is in it", PLAIT_ANY),
    K(VECTOR, "high", high, LENGTH, "the opposite corner", PLAIT_ANY),
    K(REAL, "flat", flat, ANGLE, "largest angle between a rod and the plane z = 0", PLAIT_RANGE(0, 1.5707963267949)),
    K(REAL, "gap", gap, NONE, "between surfaces, at least, relative to the contact diameter", PLAIT_RANGE(0, 1e3)),
    K(INT, "tries", tries, NONE, "places that are tried for a rod before the pack is called too dense",
      PLAIT_RANGE(1, 1e9)),
    PLAIT_KEYS_END,
};
#undef K
static const plait_schema pack_table = {"pack", "Straight rods in a box, at random and without overlaps.", pack_keys,
                                        sizeof(plait_gen_pack_options), init_pack};

static void init_region(void *out)
{
    *(plait_gen_region *)out = plait_gen_default_scalp().region;
}

#define K(type, key, field, unit, help, ...) PLAIT_KEY(type, key, plait_gen_region, field, unit, help, __VA_ARGS__)
static const plait_schema_key region_keys[] = {
    K(VECTOR, "up", up, NONE, "direction of the crown, seen from the middle of the head", PLAIT_ANY),
    K(REAL, "cap", cap, ANGLE, "largest angle of a root from `up`", PLAIT_RANGE(0, 4)),
    K(VECTOR, "front", front, NONE, "direction of the face", PLAIT_ANY),
    K(REAL, "face", face, ANGLE, "nothing grows nearer to `front` than this", PLAIT_RANGE(0, 4)),
    PLAIT_KEYS_END,
};
#undef K
static const plait_schema region_table = {NULL, NULL, region_keys, sizeof(plait_gen_region), init_region};

#define K(type, key, field, unit, help, ...)                                                                           \
    PLAIT_KEY(type, key, plait_gen_scalp_options, field, unit, help, __VA_ARGS__)
static const plait_schema_key scalp_keys[] = {
    K(COLLIDER, "collider", collider, NONE, "sphere or mesh that it grows on", PLAIT_DEFAULT("the first")),
    K(INT, "count", count, NONE, "hairs", PLAIT_RANGE(1, 1e6)),
    K(MAP, "region", region, NONE, "where roots may be", PLAIT_TABLE(region_table)),
    K(REAL, "length", length, LENGTH, "of a hair", PLAIT_RANGE(1e-9, 1e6)),
    K(REAL, "length_low", length_low, LENGTH, "of those rooted lowest", PLAIT_RANGE(1e-9, 1e6),
      PLAIT_DEFAULT("`length`")),
    K(VECTOR, "comb", comb, NONE, "direction in which it is combed; zero: it stands off", PLAIT_ANY),
    K(REAL, "lift", lift, NONE, "how steeply it leaves the skin: 0 along it, 1 straight away", PLAIT_RANGE(0, 1)),
    K(REAL, "volume", volume, NONE, "distance between layers, relative to a dense pack", PLAIT_RANGE(0, 1e6)),
    K(REAL, "gap", gap, NONE, "distance between surfaces that is aimed at, relative to the contact radius",
      PLAIT_RANGE(0, 1e6)),
    K(INT, "rounds", rounds, NONE, "of the relaxation that removes overlaps, at most", PLAIT_RANGE(0, 1e6)),
    PLAIT_KEYS_END,
};
#undef K
static const plait_schema scalp_table = {"scalp", "Hair on a head, combed and laid in layers.", scalp_keys,
                                         sizeof(plait_gen_scalp_options), init_scalp};

#define K(type, key, field, unit, help, ...)                                                                           \
    PLAIT_KEY(type, key, plait_gen_ponytail_options, field, unit, help, __VA_ARGS__)
static const plait_schema_key ponytail_keys[] = {
    K(COLLIDER, "collider", collider, NONE, "that carries it", PLAIT_DEFAULT("the first")),
    K(INT, "count", count, NONE, "hairs", PLAIT_RANGE(1, 1e6)),
    K(VECTOR, "tie", tie, LENGTH, "middle of the tie", PLAIT_ANY),
    K(VECTOR, "direction", direction, NONE, "in which it leaves the tie", PLAIT_ANY),
    K(REAL, "length", length, LENGTH, "behind the tie", PLAIT_RANGE(1e-9, 1e6)),
    K(REAL, "radius", radius, LENGTH, "of the tie", PLAIT_RANGE(0, 1e6), PLAIT_DEFAULT("as tight as can be")),
    K(REAL, "gap", gap, NONE, "between surfaces, relative to the contact diameter", PLAIT_RANGE(0, 1e6)),
    K(REAL, "drop", drop, LENGTH, "radius of the arch from `direction` to straight down", PLAIT_RANGE(0, 1e6)),
    K(REAL, "flare", flare, NONE, "relative growth of the pack's radius from the tie to the tips", PLAIT_ANY),
    K(BOOL, "scalp", scalp, NONE, "roots are on the scalp and are combed through the tie", PLAIT_ANY),
    K(MAP, "region", region, NONE, "scalp: where roots may be", PLAIT_TABLE(region_table)),
    K(INT, "rounds", rounds, NONE, "of the relaxation that removes overlaps, at most", PLAIT_RANGE(0, 1e6)),
    PLAIT_KEYS_END,
};
#undef K
static const plait_schema ponytail_table = {"ponytail",
                                            "A round pack that leaves a tie behind the head and falls down.",
                                            ponytail_keys, sizeof(plait_gen_ponytail_options), init_ponytail};

#define K(type, key, field, unit, help, ...)                                                                           \
    PLAIT_KEY(type, key, plait_gen_brush_options, field, unit, help, __VA_ARGS__)
static const plait_schema_key brush_keys[] = {
    K(COLLIDER, "collider", collider, NONE, "cylinder or capsule that they stand on", PLAIT_DEFAULT("the first")),
    K(INT, "count", count, NONE, "rods", PLAIT_RANGE(1, 1e6)),
    K(REAL, "length", length, LENGTH, "of a rod", PLAIT_RANGE(1e-9, 1e6)),
    K(REAL, "width", width, LENGTH, "of the band along the axis where they are", PLAIT_RANGE(0, 1e6),
      PLAIT_DEFAULT("all of it")),
    K(REAL, "sector", sector, ANGLE, "how far round the axis they go", PLAIT_ANY),
    K(VECTOR, "towards", towards, NONE, "where the middle of the sector is, seen from the axis", PLAIT_ANY),
    K(VECTOR, "direction", direction, NONE, "of all rods; zero: straight away from the axis", PLAIT_ANY),
    K(REAL, "gap", gap, NONE, "between surface and roots, relative to the contact radius", PLAIT_RANGE(0, 1e6)),
    PLAIT_KEYS_END,
};
#undef K
static const plait_schema brush_table = {"brush", "Rods that stand off a cylinder, evenly spread.", brush_keys,
                                         sizeof(plait_gen_brush_options), init_brush};

#define K(type, key, field, unit, help, ...)                                                                           \
    PLAIT_KEY(type, key, plait_gen_file_options, field, unit, help, __VA_ARGS__)
static const plait_schema_key file_keys[] = {
    K(FILE, "path", path, NONE, ".hair, .abc, .usda, .usdc or .obj: see [grooms](#grooms-of-other-programs)",
      PLAIT_REQUIRED),
    K(INT, "every", every, NONE, "one strand in so many", PLAIT_RANGE(1, 1e9)),
    K(INT, "most", most, NONE, "at most so many; 0: all", PLAIT_RANGE(0, 1e9)),
    K(REAL, "scale", scale, LENGTH, "that one unit of the file stands for", PLAIT_RANGE(1e-12, 1e6),
      PLAIT_DEFAULT("what the file says; .hair 0.01 m, .obj 1 m")),
    K(BOOL, "y_up", y_up, NONE, "the file has y up and z to the front; USD files say so themselves", PLAIT_ANY),
    K(VECTOR, "position", position, LENGTH, "added to all points afterwards", PLAIT_ANY),
    K(BOOL, "project", project, NONE, "strands are moved so that their roots are on the collider that carries them",
      PLAIT_ANY),
    K(INT, "apart", apart, NONE,
      "rounds, at most, in which strands that overlap each other or colliders are pushed apart; roots slide on what "
      "carries them",
      PLAIT_RANGE(0, 1e6)),
    PLAIT_KEYS_END,
};
#undef K
static const plait_schema file_table = {"file",
                                        "Strands of a .hair or .abc file, curves of a USD file, lines of an .obj file.",
                                        file_keys, sizeof(plait_gen_file_options), init_file};

// ---- what all have in common -------------------------------------------------------------------------------------

// The place of a word is PLAIT_SLIDE_X + PLAIT_SLIDE_Y + PLAIT_SLIDE_Z.
static const char *slide_word(int i)
{
    static const char *const words[] = {"none", "x", "y", "xy", "z", "xz", "yz", "xyz"};
    return i >= 0 && i < 8 ? words[i] : NULL;
}

static void init_fibre(void *out)
{
    *(plait_doc_fibre *)out =
        (plait_doc_fibre){.style = plait_gen_default_style(), .attach = -1, .carry = plait_groom_default()};
    plait_doc_init_maps(((plait_doc_fibre *)out)->map);
}

#define K(type, key, field, unit, help, ...) PLAIT_KEY(type, key, plait_doc_fibre, field, unit, help, __VA_ARGS__)
static const plait_schema_key end_keys[] = {
    K(CHOICE, "root", style.end[0], NONE, "the first end", PLAIT_WORDS(end_word)),
    K(CHOICE, "tip", style.end[1], NONE, "the last end", PLAIT_WORDS(end_word)),
    K(CHOICE, "slide_root", style.slide[0], NONE,
      "axes of the world along which a pinned or clamped root slides freely", PLAIT_WORDS(slide_word)),
    K(CHOICE, "slide_tip", style.slide[1], NONE, "the same for the tip", PLAIT_WORDS(slide_word)),
    K(COLLIDER, "attach", attach, NONE, "carries all ends along that are not free",
      PLAIT_DEFAULT("none; scalp, ponytail, brush: their collider")),
    K(COLLIDER, "attach_root", style.attach[0], NONE, "the same for the root only", PLAIT_DEFAULT("`attach`")),
    K(COLLIDER, "attach_tip", style.attach[1], NONE, "the same for the tip only", PLAIT_DEFAULT("`attach`")),
    K(TEXT, "skin", skin, NONE,
      "cloth or solid that all ends are bound to that are not free: by the nearest triangle, and what pulls at the end "
      "pulls at "
      "it",
      PLAIT_DEFAULT("none")),
    K(CHOICE, "bind", style.bind, NONE,
      "what carries attached ends: the nearest triangle of a mesh, or the collider's frame; auto: the triangle if the "
      "mesh has `frames`",
      PLAIT_WORDS(bind_word)),
    PLAIT_KEYS_END,
};
static const plait_schema end_table = {NULL, NULL, end_keys, sizeof(plait_doc_fibre), init_fibre};

static const plait_schema_key natural_keys[] = {
    K(CHOICE, "shape", style.natural, NONE, "at rest", PLAIT_WORDS(natural_word), PLAIT_REQUIRED),
    K(REAL, "radius", style.curl_radius, LENGTH, "curl: of the helix", PLAIT_RANGE(0, 1e6)),
    K(REAL, "pitch", style.curl_pitch, LENGTH, "curl: rise per turn; negative: left-handed", PLAIT_ANY),
    K(PAIR, "curvature", style.curvature, CURVATURE, "curvature: towards the first and second director", PLAIT_ANY),
    K(REAL, "twist", style.twist, TWIST, "curvature: angle per length", PLAIT_ANY),
    K(REAL, "amplitude", style.wave_amplitude, LENGTH, "wave: of the sine", PLAIT_RANGE(0, 1e6)),
    K(REAL, "length", style.wave_length, LENGTH, "wave: of one period", PLAIT_RANGE(1e-9, 1e6)),
    K(REAL, "scale", style.scale, NONE, "drawn: curvature at rest, relative to the drawn one", PLAIT_ANY),
    K(REAL, "drawn", style.drawn, NONE, "curl: how much of it the start shape has already", PLAIT_RANGE(0, 1)),
    K(REAL, "phase", style.phase, ANGLE, "curl, wave: about the fibre", PLAIT_ANY),
    PLAIT_KEYS_END,
};
static const plait_schema natural_table = {NULL, NULL, natural_keys, sizeof(plait_doc_fibre), init_fibre};

static const plait_schema_key jitter_keys[] = {
    K(REAL, "length", style.jitter_length, NONE, "relative", PLAIT_RANGE(0, 1)),
    K(REAL, "direction", style.jitter_direction, ANGLE, "of the first direction; scalp: of the combing",
      PLAIT_RANGE(0, 7)),
    K(REAL, "phase", style.jitter_phase, ANGLE, "of curl and wave", PLAIT_RANGE(0, 7)),
    PLAIT_KEYS_END,
};
static const plait_schema jitter_table = {NULL, NULL, jitter_keys, sizeof(plait_doc_fibre), init_fibre};

static const plait_schema_key held_keys[] = {
    K(REAL, "curl", style.hold.curl, CURVATURE,
      "the natural curvature may differ from the drawn one by this much before the fibre is made stiffer",
      PLAIT_RANGE(1e-6, 1e9)),
    K(REAL, "stiffness", style.hold.stiffness, NONE, "a fibre becomes at most so many times as stiff",
      PLAIT_RANGE(1, 1e9)),
    PLAIT_KEYS_END,
};
static const plait_schema held_table = {NULL, NULL, held_keys, sizeof(plait_doc_fibre), init_fibre};

static const plait_schema_key carry_keys[] = {
    K(INT, "strands", carry.strands, NONE, "so many in all; more than there are: others are laid between them",
      PLAIT_RANGE(0, 1e8), PLAIT_DEFAULT("all of `file`; else the simulated ones")),
    K(INT, "guides", carry.guides, NONE, "simulated fibres that carry one strand", PLAIT_RANGE(1, 8)),
    K(REAL, "clump", carry.clump, NONE, "strands of a lock come together at their tips: 0 not at all, 1 wholly",
      PLAIT_RANGE(0, 1)),
    K(REAL, "clump_size", carry.clump_size, LENGTH, "of a lock at the scalp", PLAIT_RANGE(1e-6, 1e6)),
    K(REAL, "frizz", carry.frizz, LENGTH, "so far strands stray at their tips", PLAIT_RANGE(0, 1e6)),
    K(REAL, "frizz_length", carry.frizz_length, LENGTH, "of the waves of frizz", PLAIT_RANGE(1e-6, 1e6)),
    K(REAL, "width", carry.width, LENGTH, "of a strand at its root", PLAIT_RANGE(0, 1e6),
      PLAIT_DEFAULT("what the file says, else twice the material's radius")),
    K(REAL, "taper", carry.taper, NONE, "width at the tip, relative to the root", PLAIT_RANGE(0, 10)),
    K(BOOL, "push", carry.push, NONE, "strands are pushed out of bodies", PLAIT_ANY),
    K(SEED, "seed", carry.seed, NONE, "of what is random in it", PLAIT_ANY),
    PLAIT_KEYS_END,
};
static const plait_schema carry_table = {NULL, NULL, carry_keys, sizeof(plait_doc_fibre), init_fibre};

#define M(name_, table_, help_)                                                                                        \
    {                                                                                                                  \
        .name = name_, .type = PLAIT_KEY_MAP, .table = &table_, .help = help_                                          \
    }
#define G(name_, field_, table_)                                                                                       \
    K(OPTIONAL, name_, field_, NONE, "generator", PLAIT_TABLE(table_), PLAIT_DEFAULT("exactly one generator"))
static const plait_schema_key fibre_keys[] = {
    K(TEXT, "name", name, NONE, "of the group; a word", PLAIT_DEFAULT("fibres-0 ...")),
    K(MATERIAL, "material", style.material, NONE, "what they are made of", PLAIT_DEFAULT("if there is only one: that")),
    K(CHOICE, "model", style.model, NONE, "of the rod (docs/models.md)", PLAIT_WORDS(model_word)),
    K(INT, "segments", style.segments, NONE, "per fibre; 0: one for each drawn segment (polyline, file), else 20",
      PLAIT_RANGE(0, 1e6)),
    K(INT, "samples", style.samples, NONE, "capsules per segment, for contact and output; 0: one (super-helix: five)",
      PLAIT_RANGE(0, 1000)),
    M("ends", end_table, "how the ends are held. scalp, ponytail, brush: a root that is left free is clamped"),
    M("natural", natural_table, "the shape without forces"),
    M("jitter", jitter_table, "random variation, plus or minus"),
    K(SEED, "seed", style.seed, NONE, "of all that is random in it", PLAIT_ANY),
    K(CHOICE, "start", style.start, NONE,
      "where: as drawn; relaxed in the equilibrium under gravity, without contacts; or as drawn and held there by "
      "natural shapes for which that is the equilibrium (docs/simulation.md)",
      PLAIT_WORDS(start_word)),
    K(REAL, "goal", goal, NONE,
      "follow the drawn pose by this share, as the root carries it along: a soft load; a fibre that hangs rests at so "
      "much of the drawn pose and the rest of its own",
      PLAIT_RANGE(0, 0.98)),
    M("maps", plait_schema_maps, "what differs from root to root (see [maps](#maps-and-ramps))"),
    M("held", held_table, "`start: held`: what may be changed for it"),
    M("carry", carry_table,
      "strands that are shown but not simulated (`render`, `view`, `export`; see [carried](#carried-strands))"),
    K(BOOL, "relax", relax, NONE, "short for `start: relaxed`", PLAIT_ANY),
    K(VECTOR, "velocity", style.velocity, SPEED, "at the start", PLAIT_ANY),
    K(VECTOR, "spin", style.spin, ANGULAR_SPEED, "at the start, about the first point", PLAIT_ANY),
    G("line", line, line_table),
    G("polyline", polyline, polyline_table),
    G("helix", helix, helix_table),
    G("knot", knot, knot_table),
    G("bundle", bundle, bundle_table),
    G("spaghetti", spaghetti, spaghetti_table),
    G("pack", pack, pack_table),
    G("scalp", scalp, scalp_table),
    G("ponytail", ponytail, ponytail_table),
    G("brush", brush, brush_table),
    K(OPTIONAL, "file", file, NONE, "generator", PLAIT_TABLE(file_table), PLAIT_DEFAULT("exactly one generator"),
      PLAIT_BRIEF("path")),
    K(INT, "every", every, NONE, "`file`: one strand in so many, as `file.every`", PLAIT_RANGE(1, 1e9),
      PLAIT_DEFAULT("1")),
    PLAIT_KEYS_END,
};
const plait_schema plait_schema_fibre = {
    "fibres", "A list, or a map of names; one entry has these keys, exactly one generator among them.", fibre_keys,
    sizeof(plait_doc_fibre), init_fibre};
