// generators.h: fibres, grooms and collider meshes from a few numbers.
//
// A generator appends fibres to a scene; on a mistake it says which number was expected and appends nothing. What all
// have in common (model, material, natural shape, ends, seed) is a plait_gen_style; the rest is each one's options.
// Zero-initialised structs are not valid: begin with plait_gen_default_style() and plait_gen_default_<name>().
//
// SI units, angles in radians. z is up, faces look along +y. Fibres that a generator packs do not overlap at their
// contact radius, neither each other nor the colliders that are in the scene at that moment: make colliders first. What
// counts is the curve that the model makes of the points: see gen_groom.h.
//
// Random numbers: stream i of `seed` belongs to fibre i, so that one fibre more or less does not change the others.
#ifndef PLAIT_SCENE_GENERATORS_H
#define PLAIT_SCENE_GENERATORS_H

#include "plait/scene.h"

// ---- what all have in common ---------------------------------------------------------------------------------------

typedef enum plait_gen_natural {
    PLAIT_GEN_STRAIGHT,  // at rest straight, however it is drawn
    PLAIT_GEN_DRAWN,     // at rest as it is drawn
    PLAIT_GEN_CURL,      // a helix: curl_radius and curl_pitch
    PLAIT_GEN_CURVATURE, // constant curvature and twist, by number
    PLAIT_GEN_WAVE       // a flat sine, drawn and at rest: wave_amplitude and wave_length
} plait_gen_natural;

typedef struct plait_gen_style {
    int group;             // of plait_scene_add_group; default 0
    plait_rod_model model; // default PLAIT_ROD_DER
    int material;          // default 0
    int segments;          // default 20; 0: one per drawn segment (polyline, file), else 20
    int samples;           // as plait_fibre: capsules per segment; 0: the model's choice
    plait_end_kind end[2]; // default free, free. scalp, ponytail, brush: a first end left free is clamped
    int slide[2];          // as plait_fibre; default 0
    int attach[2];         // collider that carries the end, -1: none (default). scalp, ponytail, brush: -1 means theirs
    plait_bind bind;       // by what of the collider; default PLAIT_BIND_AUTO

    plait_gen_natural natural; // default PLAIT_GEN_STRAIGHT
    double scale;              // DRAWN: curvature at rest relative to the drawn one; default 1
    double curl_radius;        // [m] CURL: of the helix; default 5 mm
    double curl_pitch;         // [m] CURL: rise per turn; default 20 mm. Negative: left-handed
    double curvature[2];       // [1/m] CURVATURE: towards m1, m2; default 0
    double twist;              // [1/m] CURVATURE; default 0
    double wave_amplitude;     // [m] WAVE; default 3 mm
    double wave_length;        // [m] WAVE; default 30 mm
    double drawn;              // CURL: how much of the curl the start shape has already, 0 .. 1; default 1
    double phase;              // [rad] of curl and wave about the fibre; default 0

    plait_start start;           // default PLAIT_START_DRAWN
    plait_hold_options hold;     // of PLAIT_START_HELD; default plait_default_hold_options
    double velocity[3], spin[3]; // [m/s], [rad/s] at the start; default 0
    uint64_t seed;               // default 1
    double jitter_length;        // relative, +-; default 0
    double jitter_direction;     // [rad] of the first direction (scalp: of the combing), +-; default 0
    double jitter_phase;         // [rad] of curl and wave, +-; default 0
} plait_gen_style;

plait_gen_style plait_gen_default_style(void);

// ---- single fibres -------------------------------------------------------------------------------------------------

// Straight rods, side by side.
typedef struct plait_gen_line_options {
    double from[3];      // [m] first point of the first; default 0
    double direction[3]; // need not be a unit vector; default +x
    double length;       // [m] default 0.1
    int count;           // default 1
    double spacing[3];   // [m] from one to the next; default (0, 0.01, 0)
} plait_gen_line_options;
plait_gen_line_options plait_gen_default_line(void);
plait_status plait_gen_line(plait_scene *scene, const plait_gen_style *style, const plait_gen_line_options *options,
                            plait_error *error);

// One fibre through given points.
typedef struct plait_gen_polyline_options {
    int points;
    const double *point; // [3 points] [m], not kept
    bool smooth;         // a Catmull-Rom curve through them instead of straight pieces; default no
} plait_gen_polyline_options;
plait_gen_polyline_options plait_gen_default_polyline(void);
plait_status plait_gen_polyline(plait_scene *scene, const plait_gen_style *style,
                                const plait_gen_polyline_options *options, plait_error *error);

// A helix about an axis; pitch 0 and turns <= 1: an arc.
typedef struct plait_gen_helix_options {
    double from[3]; // [m] on the axis, where it begins; default 0
    double axis[3]; // default +z
    double radius;  // [m] default 0.01
    double pitch;   // [m] rise per turn; negative: left-handed; default 0.01
    double turns;   // default 3
    double phase;   // [rad] of its first point about the axis; default 0
    double lead;    // [m] straight tangential pieces before and after it; default 0
} plait_gen_helix_options;
plait_gen_helix_options plait_gen_default_helix(void);
plait_status plait_gen_helix(plait_scene *scene, const plait_gen_style *style, const plait_gen_helix_options *options,
                             plait_error *error);

// An open overhand (trefoil) knot, loose, with straight ends along +-axis: pull them to tighten it.
typedef struct plait_gen_knot_options {
    double centre[3]; // [m] default 0
    double axis[3];   // from the first end to the last; default +x
    double size;      // [m] half width of the knotted part; default 0.02
    int turns;        // 0 (default): the round trefoil; n: a loop whose ends cross 2 n + 1 times
    double length;    // [m] of the whole fibre; default 0.3
    bool mirror;      // the left-handed one; default no
} plait_gen_knot_options;
plait_gen_knot_options plait_gen_default_knot(void);
plait_status plait_gen_knot(plait_scene *scene, const plait_gen_style *style, const plait_gen_knot_options *options,
                            plait_error *error);

// ---- packs ---------------------------------------------------------------------------------------------------------

typedef enum plait_gen_packing {
    PLAIT_GEN_HEXAGONAL, // the places of a hexagonal lattice that are nearest to the axis
    PLAIT_GEN_RANDOM     // random in a disc, no two nearer than the lattice would have them
} plait_gen_packing;

// Parallel rods around an axis.
typedef struct plait_gen_bundle_options {
    int count;                 // default 7
    double from[3];            // [m] where the axis begins; default 0
    double axis[3];            // default -z
    double length;             // [m] default 0.1
    plait_gen_packing packing; // default hexagonal
    double gap;                // between surfaces, relative to the contact diameter; default 0.1
    double radius;             // [m] RANDOM: of the disc; 0: 1.6 times that of the lattice
    double spread;             // [rad] the outermost rod leans outwards by this; default 0
    double twist;              // [rad] the pack turns by this from its first to its last end; default 0
} plait_gen_bundle_options;
plait_gen_bundle_options plait_gen_default_bundle(void);
plait_status plait_gen_bundle(plait_scene *scene, const plait_gen_style *style, const plait_gen_bundle_options *options,
                              plait_error *error);

// A dense pack of parallel rods above a plate (the plane z = centre[2]), round in section, lying or standing.
typedef struct plait_gen_spaghetti_options {
    int count;            // default 31
    double centre[3];     // [m] on the plate, below the middle of the pack; default 0
    double height;        // [m] of the lowest surface above the plate; default 0.02
    double direction[3];  // of the rods; default (0, 0, 1): standing, as in a packet held upright
    double length;        // [m] default 0.25
    double gap;           // between surfaces, relative to the contact diameter; default 0.1
    double bend;          // [rad] turning angle of each rod from end to end, in one common plane; default 0
    double bend_plane[3]; // a direction in which they are bent (made normal to `direction`); default +x
    double stagger;       // [m] each is shifted along the rods by at most this, at random; default 0
    double tilt;          // [rad] the whole pack leans by this towards bend_plane; default 0
} plait_gen_spaghetti_options;
plait_gen_spaghetti_options plait_gen_default_spaghetti(void);
plait_status plait_gen_spaghetti(plait_scene *scene, const plait_gen_style *style,
                                 const plait_gen_spaghetti_options *options, plait_error *error);

// Straight rods in a box, at random and without overlaps: one after the other where there is still room.
typedef struct plait_gen_pack_options {
    int count;       // 0: as many as `fraction` says; default 0
    double fraction; // of the box that rods fill; default 0.05
    double aspect;   // length over contact diameter; default 20
    double low[3];   // [m] corners of the box; all of a rod is in it
    double high[3];  // default +- 5 cm
    double flat;     // [rad] the largest angle between a rod and the plane z = 0; default pi/2: any direction
    double gap;      // between surfaces, at least, relative to the contact diameter; default 0.02
    int tries;       // per rod; default 20000
} plait_gen_pack_options;
plait_gen_pack_options plait_gen_default_pack(void);
plait_status plait_gen_pack(plait_scene *scene, const plait_gen_style *style, const plait_gen_pack_options *options,
                            plait_error *error);

// ---- grooms --------------------------------------------------------------------------------------------------------

// Where roots may be: directions seen from the origin of the collider's shape (a sphere or a mesh).
typedef struct plait_gen_region {
    double up[3];    // default (0, -0.45, 1): the hair line is higher in front
    double cap;      // [rad] largest angle from `up`; default 1.75
    double front[3]; // default (0, 1, -0.15)
    double face;     // [rad] nothing grows nearer to `front` than this; default 1
} plait_gen_region;

// Hair on a head: roots as even as a Poisson disc sample, combed along `comb`, laid in layers, hanging from there and
// over what is below.
typedef struct plait_gen_scalp_options {
    int collider; // sphere or mesh that it grows on; default 0
    int count;    // default 100
    plait_gen_region region;
    double length;     // [m] default 0.3
    double length_low; // [m] of those rooted lowest; 0: all the same. In between linear in the height of the root
    double comb[3];    // direction in which it is combed; default (0, -0.8, -1). Zero: not combed, it stands off
    double lift;       // 0 .. 1: how steeply it leaves the skin: 0 along it, 1 straight away; default 0.35
    double volume;     // distance between layers, relative to a dense pack; default 4
    double gap;        // distance between surfaces that is aimed at, relative to the contact radius; default 0.3
    int rounds;        // of the relaxation that removes overlaps, at most; default 1000
} plait_gen_scalp_options;
plait_gen_scalp_options plait_gen_default_scalp(void);
plait_status plait_gen_scalp(plait_scene *scene, const plait_gen_style *style, const plait_gen_scalp_options *options,
                             plait_error *error);

// A ponytail: a round pack of strands that leaves a tie behind the head and falls down in an arch.
typedef struct plait_gen_ponytail_options {
    int collider;        // that carries it; default 0
    int count;           // default 100
    double tie[3];       // [m] middle of the tie; default (0, -0.11, 0.03)
    double direction[3]; // in which it leaves the tie; default (0, -1, -0.3)
    double length;       // [m] behind the tie; default 0.3
    double radius;       // [m] of the tie; 0: as tight as the strands can be with `gap`
    double gap;          // between surfaces, relative to the contact diameter; default 0.2
    double drop;  // [m] radius of the arch from `direction` to straight down; 0: so that it takes 2/5 of the length
    double flare; // relative growth of the radius of the pack from the tie to the tips; default 0.3
    bool scalp;   // roots are on the scalp and are combed through the tie; default no: they begin in the tie
    plait_gen_region region; // scalp: where roots may be
    int rounds;              // as scalp; default 1000
} plait_gen_ponytail_options;
plait_gen_ponytail_options plait_gen_default_ponytail(void);
plait_status plait_gen_ponytail(plait_scene *scene, const plait_gen_style *style,
                                const plait_gen_ponytail_options *options, plait_error *error);

// Rods that stand off a cylinder or capsule, evenly spread over a band of it: a brush, hair on a roller.
typedef struct plait_gen_brush_options {
    int collider;        // default 0
    int count;           // default 100
    double length;       // [m] default 0.04
    double width;        // [m] of the band, in the middle of the cylinder; 0: all of it
    double sector;       // [rad] how far round; default 2 pi
    double towards[3];   // where the middle of the sector is, seen from the axis; default (0, 0, -1)
    double direction[3]; // of all rods; default 0: straight away from the axis
    double gap;          // between surface and roots, relative to the contact radius; default 1
} plait_gen_brush_options;
plait_gen_brush_options plait_gen_default_brush(void);
plait_status plait_gen_brush(plait_scene *scene, const plait_gen_style *style, const plait_gen_brush_options *options,
                             plait_error *error);

// Curves of a .hair, .usda or .obj file.
typedef struct plait_gen_file_options {
    const char *path;
    int every;          // one strand in so many; default 1
    int most;           // at most so many fibres; 0: all
    double scale;       // [m] that one unit of the file stands for; 0 (default): as the file says, or 1 cm
    bool y_up;          // the file has y up and z to the front: (x, y, z) -> (-x, z, y); default: as the file says
    double position[3]; // [m] added afterwards; default 0
    bool project;       // strands are moved so that their roots are on the collider that carries them; default no
    int apart;          // rounds in which what overlaps is pushed apart; default 0
} plait_gen_file_options;
plait_gen_file_options plait_gen_default_file(void);
plait_status plait_gen_file(plait_scene *scene, const plait_gen_style *style, const plait_gen_file_options *options,
                            plait_error *error);

// ---- collider meshes -----------------------------------------------------------------------------------------------

// A head with face, chin and neck, closed; its origin is the middle of the skull, it looks along +y. shape must be
// cleared or hold nothing to free; points and triangles are malloc'ed.
typedef struct plait_gen_head_options {
    double width, depth,
        height;         // [m] of the skull: ear to ear, forehead to back, crown to chin; default 0.15, 0.19, 0.23
    double neck_radius; // [m] default 0.055
    double neck_length; // [m] below the chin; default 0.07; 0: no neck
    double nose;        // [m] default 0.02
    int detail;         // subdivisions of the icosahedron, 1 .. 6: 20 * 4^detail triangles; default 3
    double thickness;   // [m] size[0] of the mesh; default 0
} plait_gen_head_options;
plait_gen_head_options plait_gen_default_head(void);
plait_status plait_gen_head_mesh(plait_shape *shape, const plait_gen_head_options *options, plait_error *error);

// Shoulders, upper arms and chest, closed; the origin is that of the head that belongs to it.
typedef struct plait_gen_shoulders_options {
    double width;       // [m] across both shoulders; default 0.42
    double depth;       // [m] of the chest; default 0.20
    double height;      // [m] from the top of the shoulders to the bottom; default 0.35
    double drop;        // [m] of the top of the shoulders below the middle of the skull; default 0.20
    double back;        // [m] of the middle of the chest behind that of the skull; default 0.03
    double neck_radius; // [m] default 0.06
    int detail;         // as of the head; default 3
    double thickness;   // [m] default 0
} plait_gen_shoulders_options;
plait_gen_shoulders_options plait_gen_default_shoulders(void);
plait_status plait_gen_shoulders_mesh(plait_shape *shape, const plait_gen_shoulders_options *options,
                                      plait_error *error);

// What the meshes of both are made of: roughly the signed distance [m] from their surface, exact at zero. Any numbers >
// 0.
double plait_gen_head_distance(const plait_gen_head_options *options, const double point[3]);
double plait_gen_shoulders_distance(const plait_gen_shoulders_options *options, const double point[3]);
// Whether a mesh was made by plait_gen_head_mesh or plait_gen_shoulders_mesh, whatever the options were: found by
// fitting them (gen_figure.c).
bool plait_gen_find_head(const plait_shape *mesh, plait_gen_head_options *options);
bool plait_gen_find_shoulders(const plait_shape *mesh, plait_gen_shoulders_options *options);
// A ball of radius 1: an icosahedron of which each triangle was cut into four `detail` times. False without memory.
bool plait_gen_ball_mesh(plait_shape *shape, int detail);

#endif
