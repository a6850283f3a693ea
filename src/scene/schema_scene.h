// schema_scene.h: a scene file after it was read by its tables and before the scene is built.
#ifndef PLAIT_SCENE_SCHEMA_SCENE_H
#define PLAIT_SCENE_SCHEMA_SCENE_H

#include "plait/scene.h"
#include "scene/gen_soft.h"
#include "scene/generators.h"
#include "scene/schema.h"

// The words of `shape`: the names of the table of shapes, then those that a generator makes.
typedef enum plait_doc_made { PLAIT_DOC_HEAD, PLAIT_DOC_SHOULDERS, PLAIT_DOC_MADE } plait_doc_made;

typedef enum plait_doc_closed {
    PLAIT_DOC_CLOSED_AUTO,
    PLAIT_DOC_CLOSED,
    PLAIT_DOC_OPEN,
    PLAIT_DOC_FILLED
} plait_doc_closed;

typedef struct plait_doc_key {
    double time, position[3], rotation[3];
} plait_doc_key;

typedef struct plait_doc_drive {
    int kind; // plait_drive_kind
    double move[3], turn[3], velocity[3], spin[3];
    double frequency, phase, start, stop;
} plait_doc_drive;

typedef struct plait_doc_motion {
    double pivot[3];
    int ease;                       // plait_ease
    plait_schema_list keys, drives; // of plait_doc_key, plait_doc_drive
} plait_doc_motion;

// Colliders and rigid bodies.
typedef struct plait_doc_body {
    const char *name;
    int shape; // colliders: as plait_doc_shape_word; bodies: as plait_doc_body_shape
    int material;
    double radius, length, size[3], thickness;
    plait_schema_points points;
    const char *file;
    double scale;
    int closed; // plait_doc_closed
    plait_schema_list frames;
    double frame_time, frame_start;
    plait_gen_head_options head;
    plait_gen_shoulders_options shoulders;
    double position[3], rotation[3];
    plait_doc_motion motion;
    double density, mass, velocity[3], spin[3], guide[3], force[3]; // rigid bodies
} plait_doc_body;

typedef struct plait_doc_polyline {
    plait_schema_points points, counts;
    bool smooth;
} plait_doc_polyline;

// What is told from root to root (schema_map.c).
enum { PLAIT_DOC_STIFFNESS, PLAIT_DOC_CURL, PLAIT_DOC_LENGTH, PLAIT_DOC_FRICTION, PLAIT_DOC_MASS, PLAIT_DOC_MAPS };
typedef struct plait_doc_map {
    const char *attribute, *image, *values; // one of them; none: there is no such map
    int channel;
    double low, high;
} plait_doc_map;

typedef struct plait_doc_fibre {
    const char *name;
    plait_gen_style style;
    int attach;
    const char *skin;
    plait_gen_line_options *line; // exactly one of these is not NULL
    plait_doc_polyline *polyline;
    plait_gen_helix_options *helix;
    plait_gen_knot_options *knot;
    plait_gen_bundle_options *bundle;
    plait_gen_spaghetti_options *spaghetti;
    plait_gen_pack_options *pack;
    plait_gen_scalp_options *scalp;
    plait_gen_ponytail_options *ponytail;
    plait_gen_brush_options *brush;
    plait_gen_file_options *file;
    plait_groom carry;
    plait_doc_map map[PLAIT_DOC_MAPS];
    double goal;
    int every; // of `file`; 0: not given here
    bool relax;
} plait_doc_fibre;

// Cloth and solids.
typedef struct plait_doc_grid {
    double width, height, cell, rolled;
    int pattern; // plait_gen_pattern
    uint64_t seed;
} plait_doc_grid;

typedef struct plait_doc_block {
    double size[3], radius, length, cell, irregular;
    uint64_t seed;
} plait_doc_block;

typedef struct plait_doc_soft_file {
    const char *path;
    double scale, cell;
} plait_doc_soft_file;

typedef struct plait_doc_pin {
    int side, attach;
    double low[3], high[3];
} plait_doc_pin;

typedef struct plait_doc_soft {
    const char *name;
    int model;       // of cloth, or of solids, counted from 0
    plait_soft soft; // the numbers
    plait_doc_grid *grid; // exactly one of these is not NULL
    plait_doc_soft_file *mesh;
    plait_doc_block *box, *sphere, *cylinder;
    plait_doc_soft_file *fill, *file;
    double position[3], rotation[3];
    plait_schema_list pins; // of plait_doc_pin
} plait_doc_soft;

typedef struct plait_doc_material {
    plait_fibre_material is; // first: its keys are read into it
    plait_schema_points at, radius, young, density; // along a fibre
    const char *file;
} plait_doc_material;

typedef struct plait_doc_friction {
    double all;
    plait_schema_list pairs; // of plait_schema_friction
} plait_doc_friction;

typedef struct plait_doc_adhesion {
    int material, with;
    plait_adhesion is;
} plait_doc_adhesion;

typedef struct plait_doc_tie {
    const char *fibres, *with, *body;
    int collider;
    plait_tie is;
} plait_doc_tie;

typedef struct plait_doc_joint {
    const char *fibres, *body, *to_fibres, *to_body;
    int kind, at, to_at, which, to_which, collider; // words, numbers
    double arc[2]; // of either fibre; NAN: not given
    plait_joint is;
} plait_doc_joint;

typedef struct plait_doc_load {
    const char *fibres, *body, *to_fibres, *to_body;
    int at, to_at;      // words
    double arc[2];      // of a fibre; NAN: not given
    int which, collider;
    double force[3], moment[3], gravity[3], curvature[3], mass, friction, strain, strain_rate, stress;
    int kind;           // of the course
    plait_schema_points times, values;
    const char *file;
    plait_load is;
} plait_doc_load;

typedef struct plait_doc_measure {
    const char *fibres, *body, *to_fibres, *to_body;
    int what, at, to_at, which, to_which, collider, to_collider;
    double arc[2], to[3], volume;
} plait_doc_measure;

typedef struct plait_doc {
    const char *name, *title, *reproduces;
    plait_scene base; // gravity, wind, stepping, detecting, output; the rest is empty
    double fps;
    int detection;
    plait_schema_list materials; // of plait_doc_material
    plait_doc_friction friction, restitution;
    plait_schema_list fibres;    // of plait_doc_fibre
    plait_schema_list colliders; // of plait_doc_body
    plait_schema_list bodies;    // of plait_doc_body
    plait_schema_list cloth;     // of plait_doc_soft
    plait_schema_list solids;    // of plait_doc_soft
    plait_schema_list adhesion;  // of plait_doc_adhesion
    plait_schema_list ties;      // of plait_doc_tie
    plait_schema_list joints;    // of plait_doc_joint
    plait_schema_list loads;     // of plait_doc_load
    plait_schema_list measure;   // of plait_doc_measure
} plait_doc;

extern const plait_schema plait_schema_scene;
extern const plait_schema plait_schema_fibre;    // schema_fibre.c
extern const plait_schema plait_schema_collider; // schema_body.c
extern const plait_schema plait_schema_body;
extern const plait_schema plait_schema_cloth; // schema_soft.c
extern const plait_schema plait_schema_solid;
extern const plait_schema plait_schema_adhesion; // schema_bond.c
extern const plait_schema plait_schema_tie;
extern const plait_schema plait_schema_joint; // schema_joint.c
extern const plait_schema plait_schema_load; // schema_load.c
extern const plait_schema plait_schema_measure; // schema_measure.c
bool plait_doc_build_measure(const plait_schema_reader *r, const plait_schema_item *item, const char *name,
                             plait_scene *s);
// Places of a fibre in words: tip, root, middle, all; the first three as a part of its length.
const char *plait_doc_at_word(int i);
extern const double plait_doc_at_part[4];
enum { PLAIT_DOC_AT_TIP, PLAIT_DOC_AT_ROOT, PLAIT_DOC_AT_MIDDLE, PLAIT_DOC_AT_ALL };
// Maps of a group whose fibres, from `first` on, were made (schema_map.c). file: of the mesh they grow on, NULL: none.
extern const plait_schema plait_schema_maps;
void plait_doc_init_maps(plait_doc_map *map);
bool plait_doc_build_maps(const plait_schema_reader *r, const plait_schema_item *item, int first, const char *file,
                          plait_scene *s);

// Stations of a material (schema_along.c). False with *error.
extern const plait_schema plait_schema_along;
bool plait_doc_build_along(const plait_schema_reader *r, const plait_schema_item *item, plait_fibre_material *m);
bool plait_doc_build_joint(const plait_schema_reader *r, const plait_schema_item *item, const char *name,
                           plait_scene *s);
// The collider that is the world: without shape, made if there is none; -1 with *error.
int plait_doc_world(const plait_schema_reader *r, plait_scene *s);
bool plait_doc_build_load(const plait_schema_reader *r, const plait_schema_item *item, const char *name,
                          plait_scene *s);
// The group of fibres of this name, -1 if there is no name; else a message at `key`.
bool plait_doc_find_group(const plait_schema_reader *r, const plait_schema_item *item, const char *key,
                          const char *name, const plait_scene *s, int *group);
bool plait_doc_find_body(const plait_schema_reader *r, const plait_schema_item *item, const char *key,
                         const char *name, const plait_scene *s, int *body);
bool plait_doc_build_adhesion(const plait_schema_reader *r, const plait_schema_item *item, plait_scene *s);
bool plait_doc_build_tie(const plait_schema_reader *r, const plait_schema_item *item, const char *name, plait_scene *s);

int plait_doc_shape_kinds(void);         // kinds that files can have: those before the first that a program must give
const char *plait_doc_shape_word(int i); // "none", "plane" ...; NULL after the last
// Key i of those that belong to some shapes only: whether the shape of this word has it, and needs it. NULL after the
// last (scene_shape.c).
const char *plait_doc_shape_key(int i, int word, bool *has, bool *needs);
int plait_doc_body_shape(int i);         // the i-th that can be a rigid body, as a kind; -1 after the last

// Fills scene->fibre and so on from what was read; scene->text is left alone. NULL with *error.
plait_scene *plait_doc_build(const plait_doc *doc, plait_yaml_node *root, plait_schema_reader *reader);
// One entry of `colliders` or `bodies` (schema_body.c's tables) into a shape (scene_shape.c). False with *error.
// word: what it is, as plait_doc_shape_word. The motion's pivot is `position` unless it is given.
bool plait_doc_build_shape(const plait_schema_reader *reader, const plait_schema_item *item, int word,
                           plait_shape *shape);
bool plait_doc_build_motion(const plait_schema_reader *reader, const plait_schema_item *item, plait_motion *motion);

// One entry of `cloth` or `solids` (scene_soft.c). False with *error.
bool plait_doc_build_soft(const plait_schema_reader *reader, const plait_schema_item *item, const char *name,
                          bool solid, plait_scene *scene);

// Text for the reader's error if a scene has several materials and an entry names none.
bool plait_doc_needs_material(const plait_schema_reader *reader, const plait_schema_item *item);

// How many fibres an entry of `fibres` makes, as far as its numbers say; 0: not known without a file.
int plait_doc_count_fibres(const plait_doc_fibre *fibre);

// What a text says and what it makes. name: how messages call it; folder: see plait_yaml_source. The first fills in
// `doc` only, with everything in the arena of the reader, and gives the tree.
plait_yaml_node *plait_doc_read(plait_schema_reader *reader, const plait_yaml_source *source, int count,
                                const char *const *overrides, plait_doc *doc);
plait_scene *plait_scene_parse(const char *text, size_t size, const char *name, const char *folder, int count,
                               const char *const *overrides, plait_error *error);

#endif
