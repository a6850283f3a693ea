// trajectory.h: what a simulation leaves on disk: frames to look at, and checkpoints to go on from.
//
// A trajectory is one HDF5 file (docs/formats.md). What does not change (fibres, radii, names, shapes and meshes of
// colliders, the scene) is written once, then each frame has a group of its own, so that any frame can be read without
// the others. It can be read while it is written. A writer that is killed in the middle of a frame leaves beside the
// file what is needed to undo that frame ("NAME.undo").
//
// Everything is checked: neither NaN nor infinity is ever written.
#ifndef PLAIT_TRAJECTORY_H
#define PLAIT_TRAJECTORY_H

#include <stdbool.h>
#include <stdint.h>

#include "plait/grooms.h"
#include "plait/scene.h"
#include "plait/sim.h"
#include "plait/status.h"

#ifdef __cplusplus
extern "C" {
#endif

// ---- what does not change ----------------------------------------------------------------------------------------

typedef struct plait_trajectory_options {
    bool doubles;    // positions and all that goes with them in 8 bytes rather than 4
    bool velocities; // of nodes and rigid bodies
    bool contacts;
    bool frames; // material frames and twist of fibres
} plait_trajectory_options;

// A collider or a rigid body: a shape that is in every frame under another pose. A soft body (cloth, or a solid:
// closed): a mesh whose points, those inside of a solid too, are in every frame.
typedef struct plait_trajectory_body {
    char name[PLAIT_NAME];
    int material;
    plait_shape shape; // without its frames
    bool animated;     // the vertices of the mesh are in every frame
} plait_trajectory_body;

typedef struct plait_trajectory_info {
    char version[32];      // of the library that wrote it
    char name[PLAIT_NAME]; // of the scene
    char *scene;           // its YAML; "" if there is none
    double frame_time;     // [s] between frames
    plait_trajectory_options stored;
    int fibres, nodes, groups, materials, colliders, rigids, softs;
    int *first;            // [fibres + 1] fibre i has the nodes first[i] .. first[i + 1] - 1
    double *radius;        // [fibres] [m]
    int *group, *material; // [fibres]
    char (*group_name)[PLAIT_NAME], (*material_name)[PLAIT_NAME];
    plait_trajectory_body *collider, *rigid;
    plait_trajectory_body *soft; // cloth first, then solids; size[0] is the thickness [m]
} plait_trajectory_info;

// From a scene and its simulation. NULL without memory. The caller frees it.
PLAIT_API plait_trajectory_info *plait_trajectory_info_new(const plait_scene *scene, const plait_sim *sim,
                                                           const plait_trajectory_options *options, plait_error *error);
PLAIT_API void plait_trajectory_info_free(plait_trajectory_info *info); // NULL is fine

// ---- one frame ---------------------------------------------------------------------------------------------------

// Arrays are as long as the trajectory's info says. All are the frame's own (malloc).
typedef struct plait_trajectory_frame {
    double time;           // [s]
    int64_t step;          // steps since the start
    double dt;             // [s] of the step that ended here; 0: there was none, or the file is older
    double *position;      // [3 nodes]
    double *velocity;      // [3 nodes], or NULL: not stored
    double *director;      // [3 nodes] first director of the segment behind each node (of the last: before it)
    double *twist;         // [nodes] per length about it [1/m], within half a turn; or NULL: not stored
    double *collider_pose; // [7 colliders] position, quaternion (x, y, z, w)
    double *rigid_pose;    // [7 rigids]
    double *rigid_motion;  // [6 rigids] velocity, spin; or NULL: not stored
    double **vertex;       // [colliders] vertices of those that are animated, in the shape's frame; NULL for others
    double **soft;         // [softs] their points in the world
    double **soft_motion;  // [softs] velocities of the points; or NULL: not stored
    int contacts;          // 0 if they are not stored
    plait_sim_contact *contact;
} plait_trajectory_frame;

// Arrays of the right length, zero. NULL without memory.
PLAIT_API plait_trajectory_frame *plait_trajectory_frame_new(const plait_trajectory_info *info);
PLAIT_API void plait_trajectory_frame_free(plait_trajectory_frame *frame, const plait_trajectory_info *info);
// What the simulation shows now.
PLAIT_API plait_status plait_trajectory_frame_take(plait_trajectory_frame *frame, const plait_trajectory_info *info,
                                                   const plait_sim *sim, plait_error *error);

// ---- writing -----------------------------------------------------------------------------------------------------

typedef struct plait_trajectory_writer plait_trajectory_writer;

// Begins a trajectory without frames; a file of that name is replaced. info is copied where it is needed later.
PLAIT_API plait_trajectory_writer *plait_trajectory_create(const char *path, const plait_trajectory_info *info,
                                                           plait_error *error);

// Goes on with one, after its first `frames` frames: later ones, and one that was being written when its program
// ended, are undone. That reaches back to the last plait_trajectory_keep. frames = -1: after all that are complete.
PLAIT_API plait_trajectory_writer *plait_trajectory_resume(const char *path, int64_t frames, plait_error *error);

// Adds a frame. On failure (a full disk, a NaN) the file is as before.
PLAIT_API plait_status plait_trajectory_append(plait_trajectory_writer *writer, const plait_trajectory_frame *frame,
                                               plait_error *error);
PLAIT_API int64_t plait_trajectory_written(const plait_trajectory_writer *writer); // frames in the file

// Another text of the scene, if it was resumed with a longer duration, say.
PLAIT_API plait_status plait_trajectory_set_scene(plait_trajectory_writer *writer, const char *text,
                                                  plait_error *error);

// For checkpoints. _sync: what was appended has reached the disk. _keep: from now on nobody needs to go back behind
// the present frame. First _sync, then the checkpoint, then _keep.
PLAIT_API plait_status plait_trajectory_sync(plait_trajectory_writer *writer, plait_error *error);
PLAIT_API plait_status plait_trajectory_keep(plait_trajectory_writer *writer, plait_error *error);

PLAIT_API void plait_trajectory_close(plait_trajectory_writer *writer); // NULL is fine

// Writes an XDMF file that shows a trajectory in ParaView ("Xdmf3 Reader"): fibres as lines, cloth and solids as
// triangles, contacts as points. It names the trajectory by its base name: both belong into one folder.
PLAIT_API plait_status plait_trajectory_write_xdmf(const char *trajectory, const char *path, plait_error *error);

// ---- reading -----------------------------------------------------------------------------------------------------

typedef struct plait_trajectory plait_trajectory;

// Reads what does not change and the times of the frames that are there now. A trajectory that is being written can be
// opened; the file is held open only while something is read.
PLAIT_API plait_trajectory *plait_trajectory_open(const char *path, plait_error *error);
PLAIT_API void plait_trajectory_free(plait_trajectory *trajectory); // NULL is fine
PLAIT_API const plait_trajectory_info *plait_trajectory_get_info(const plait_trajectory *trajectory);
PLAIT_API int plait_trajectory_frames(const plait_trajectory *trajectory);
PLAIT_API const double *plait_trajectory_times(const plait_trajectory *trajectory); // [frames] [s], ascending
// The last frame that is not later than time (0 if all are).
PLAIT_API int plait_trajectory_find(const plait_trajectory *trajectory, double time);
// Looks for frames that were added since.
PLAIT_API plait_status plait_trajectory_refresh(plait_trajectory *trajectory, plait_error *error);

// Reads frame i into a frame made by plait_trajectory_frame_new; needs memory for this one frame only.
PLAIT_API plait_status plait_trajectory_read(const plait_trajectory *trajectory, int i, plait_trajectory_frame *frame,
                                             plait_error *error);

// ---- checkpoints -------------------------------------------------------------------------------------------------

// Where a run stands. The numbers beside the state are the program's own (plait run).
typedef struct plait_checkpoint {
    int64_t step;
    double time, start;           // [s] now, and when it began
    double seconds;               // of wall clock spent so far
    int64_t next_frame;           // number of the next frame to come
    int64_t frames;               // in the trajectory
    double frame_time;            // [s] between frames; 0: not known
    int64_t stats_size, log_size; // bytes of stats.csv and run.log that are known
    char machine[128];            // where it was written, as plait_checkpoint_machine; "" in older files
    char *scene;                  // YAML; may be NULL
    int64_t size;
    double *state; // [size] of plait_sim_get_state
} plait_checkpoint;

// Fills step, time, size and state; the rest is zero. NULL without memory.
PLAIT_API plait_checkpoint *plait_checkpoint_new(const plait_sim *sim, plait_error *error);
// What the last bits of a simulation may depend on here: the kernels that OpenBLAS uses on this processor, the
// compiler.
PLAIT_API const char *plait_checkpoint_machine(void);
PLAIT_API void plait_checkpoint_free(plait_checkpoint *checkpoint); // NULL is fine

// Under a temporary name, to the disk, then renamed: there is the old checkpoint or the new one, at any moment.
PLAIT_API plait_status plait_checkpoint_write(const char *path, const plait_checkpoint *checkpoint, plait_error *error);
// Refuses numbers that contradict each other: a time without steps, or not between the last frame and the next.
PLAIT_API plait_checkpoint *plait_checkpoint_read(const char *path, plait_error *error);

// The strands that a run's scene took long to lay (plait/grooms.h), beside its checkpoint. The same way.
PLAIT_API plait_status plait_grooms_write(const char *path, const plait_grooms *grooms, plait_error *error);
PLAIT_API plait_grooms *plait_grooms_read(const char *path, plait_error *error);

#ifdef __cplusplus
}
#endif
#endif
