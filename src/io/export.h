// export.h: what the writers of plait/export.h share.
//
// A writer gets frames one at a time through plait_export_frame, and opens its files through plait_export_open: the
// rest (names, temporary folders, renaming, Ctrl-C) is export.c's.
#ifndef PLAIT_IO_EXPORT_H
#define PLAIT_IO_EXPORT_H

#include "io/sink.h"
#include "plait/export.h"

// What is known about strands besides their nodes; NULL: nothing.
typedef struct plait_export_strands {
    const int *id, *guide; // [fibres]
    const float *uv;       // [2 fibres] of the root, on the surface that it grows from
    const float *width;    // [nodes] diameters; else twice the radius
    const float *colour;   // [3 nodes]
} plait_export_strands;

typedef struct plait_exporter {
    const plait_trajectory_info *info; // in the unit of the export, as `frame` and `strands`
    plait_trajectory_info *own;        // the same, if it is the exporter's
    plait_export_strands strands;
    float *own_width, *own_colour;      // those of them that are the exporter's
    const plait_hair *source;           // where curves of a file are written again; else NULL
    const plait_trajectory *trajectory; // NULL: `frame` holds the only one there is
    plait_carry *carry;                 // strands that info and frame have, and more about them; NULL: fibres
    plait_trajectory_frame *frame;      // the one that was read last
    plait_trajectory_frame *other;      // the one after it, where frames between those of the trajectory are wanted
    const double *time;                 // [s] of all frames of the trajectory
    int frames;                         // of the trajectory
    int count;                          // chosen frames; the k-th is frame first + (k + offset) step
    int first, step, offset;
    double fps;    // frames per second that `first` and `step` count; 0: those of the trajectory
    int start;     // number of the frame at time 0
    bool numbered; // frames have numbers by their time and `start`, not by their place in the trajectory
    bool each;     // a file per frame is wanted of a format that could have all in one
    bool linear;
    double unit;         // [m] of the coordinates; 0: not known
    double scale;        // that coordinates of the trajectory are multiplied by; 0: as they are
    bool y_up, turned;   // turned: those of the trajectory, which has z up, are
    const char *folder;  // where files go
    const char *name;    // base name of files, without the ending
    bool single;         // one file FOLDER/NAME.ext is wanted
    int64_t done, total; // frames to read, for progress
    const plait_export_options *options;
    plait_export_report report;
    plait_error *error;
} plait_exporter;

// The list (export_table.c), by the numbers of plait_export_format.
typedef struct plait_export_row {
    const char *name;
    bool one_file; // for all frames
    plait_status (*write)(plait_exporter *e);
} plait_export_row;
extern const plait_export_row plait_export_table[];
extern const int plait_export_rows;

// ---- the k-th chosen frame (export_frames.c) -----------------------------------------------------------------------

int plait_export_number(const plait_exporter *e, int k);
double plait_export_time(const plait_exporter *e, int k); // [s]
double plait_export_rate(const plait_exporter *e);        // frames per second
double plait_export_code(const plait_exporter *e, int k); // its number, with a fraction if it is between frames
plait_status plait_export_choose(plait_exporter *e, const plait_export_options *o);
// Begins to convert: e->info becomes a copy, e->frame is made. plait_export_finish frees both.
plait_status plait_export_begin(plait_exporter *e);
void plait_export_finish(plait_exporter *e);

// A fibre with fewer than two nodes cannot be shown as a curve.
static inline bool plait_export_shows(const plait_trajectory_info *info, int fibre)
{
    return info->first[fibre + 1] - info->first[fibre] >= 2;
}

// Reads the k-th chosen frame into e->frame. Fails too when it is time to stop.
plait_status plait_export_frame(plait_exporter *e, int k);
// FOLDER/NAME.0012.ext for the k-th chosen frame, FOLDER/NAME.ext if k < 0 or a single file is wanted.
plait_status plait_export_open(plait_exporter *e, const char *name, int k, const char *ext, plait_sink *sink);
plait_status plait_export_close(plait_exporter *e, plait_sink *sink);

// The writers: all chosen frames.
plait_status plait_export_usda(plait_exporter *e);
plait_status plait_export_hair(plait_exporter *e);
plait_status plait_export_vtp(plait_exporter *e);
plait_status plait_export_obj(plait_exporter *e);
plait_status plait_export_ply(plait_exporter *e);
plait_status plait_export_abc(plait_exporter *e);
plait_status plait_export_usdc(plait_exporter *e);
plait_status plait_export_csv(plait_exporter *e);
int plait_export_usda_passes(const plait_trajectory_info *info); // how often it reads each frame

// The box around all nodes of fibres and soft bodies of the frame that was read last, with their radii.
void plait_export_box(const plait_exporter *e, double low[3], double high[3]);

// ---- a group of fibres as flat arrays (export_group.c) -------------------------------------------------------------

typedef enum plait_export_spread { PLAIT_SPREAD_ALL, PLAIT_SPREAD_STRANDS, PLAIT_SPREAD_NODES } plait_export_spread;
typedef struct plait_export_group {
    int fibres, points;
    int *fibre;    // [fibres] their numbers
    int *nodes;    // [fibres] how many each has
    float *vector; // [3 points] room; the functions below fill it and return it
} plait_export_group;
plait_status plait_export_group_make(plait_exporter *e, int group, plait_export_group *g);
void plait_export_group_free(plait_export_group *g);
const float *plait_export_group_vectors(const plait_exporter *e, plait_export_group *g, const double *x); // [3 points]
// [each points] of a list with `each` numbers per node.
const float *plait_export_group_nodes(const plait_exporter *e, plait_export_group *g, const float *x, int each);
// [2 fibres] of a list with two numbers per fibre.
const float *plait_export_group_pairs(plait_export_group *g, const float *x);
// [fibres] list[fibre] of each, or its own number without a list. The caller frees it; NULL without memory.
int32_t *plait_export_group_numbers(const plait_export_group *g, const int *list);
// One for all, for each strand or for each node; NULL: not known. count: how many; widest: the largest of them.
const float *plait_export_group_widths(const plait_exporter *e, plait_export_group *g, plait_export_spread *spread,
                                       size_t *count, double *widest);
void plait_export_group_box(const plait_export_group *g, double widest, double box[6]); // of the last vectors
void plait_export_box_of(int points, const double *x, float *narrow, double box[6]);    // and x as floats

// ---- shapes as triangles (shape_mesh.c) ---------------------------------------------------------------------------

// All colliders, rigid and soft bodies as triangles in the world.
typedef enum plait_export_kind { PLAIT_BODY_COLLIDER, PLAIT_BODY_RIGID, PLAIT_BODY_SOFT } plait_export_kind;
typedef struct plait_export_body {
    const plait_trajectory_body *body;
    plait_shape mesh; // in the shape's frame, at rest
    int index;        // among those of its kind
    plait_export_kind kind;
} plait_export_body;
// Which list the i-th of all bodies is in, and its number there: colliders first, then rigid ones, then soft ones.
plait_export_kind plait_export_find(const plait_trajectory_info *info, int i, int *index);
// Of the frame that was read last: colliders first. *count of them; NULL with e->error without memory.
plait_export_body *plait_export_bodies(plait_exporter *e, int *count);
void plait_export_bodies_free(plait_export_body *bodies, int count);
// Vertex i in the world, in the frame that was read last.
void plait_export_vertex(const plait_exporter *e, const plait_export_body *body, int i, double x[3]);
const double *plait_export_pose(const plait_exporter *e, plait_export_kind kind, int index); // [7]; soft: none

#endif
