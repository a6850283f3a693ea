// export.h: what the writers of plait/export.h share.
//
// A writer gets frames one at a time through plait_export_frame, and opens its files through plait_export_open: the
// rest (names, temporary folders, renaming, Ctrl-C) is export.c's.
#ifndef PLAIT_IO_EXPORT_H
#define PLAIT_IO_EXPORT_H

#include "io/sink.h"
#include "plait/export.h"

typedef struct plait_exporter {
    const plait_trajectory_info *info;
    const plait_trajectory *trajectory; // NULL: `frame` holds the only one there is
    plait_carry *carry;                 // strands that info and frame have, and more about them; NULL: fibres
    plait_trajectory_frame *frame;      // the one that was read last
    const double *time;                 // [s] of all frames of the trajectory
    int count;                          // chosen frames; the k-th is frame first + k step
    int first, step;
    bool linear;
    double unit; // [m] of the coordinates; 0: not known
    bool y_up;
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

static inline int plait_export_number(const plait_exporter *e, int k)
{
    return e->first + k * e->step;
}

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
plait_status plait_export_csv(plait_exporter *e);
int plait_export_usda_passes(const plait_trajectory_info *info); // how often it reads each frame

// The box around all nodes of fibres and soft bodies of the frame that was read last, with their radii.
void plait_export_box(const plait_exporter *e, double low[3], double high[3]);

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
