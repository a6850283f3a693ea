// carry.h: every strand of a groom, carried along by the fibres that were simulated.
//
// A shot simulates some hundred guides and shows a hundred thousand strands: those of the file that the guides were
// taken from (`fibres.NAME.file` of the scene), and more between them if more are asked for (`fibres.NAME.carry`).
// Each follows several guides that are rooted near it and run like it. Its root keeps its place on the skin, its
// points turn and move with the guides, its length stays, and what came into a body is pushed out again. Widths, clumps
// and frizz are by the scene's numbers; nothing of it is random from frame to frame.
//
// The result looks like a trajectory: an info with all strands as fibres, and frames to go with it. One frame is in
// memory at a time (with velocities: the positions of three), however many there are.
#ifndef PLAIT_CARRY_H
#define PLAIT_CARRY_H

#include "plait/trajectory.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct plait_carry_options {
    int strands;     // of each group that comes from a file or has `carry`; 0: as the scene says, or all of its file
    bool velocities; // of points, from the frames before and after; default true
    int threads;     // 0: the default
    int count;       // changes of the scene, as plait_scene_read: fibres.hair.carry.frizz=1mm ...
    const char *const *overrides;
} plait_carry_options;
PLAIT_API plait_carry_options plait_default_carry_options(void);

// What does not change from frame to frame. Strand i has the points first[i] .. first[i + 1] - 1.
typedef struct plait_carry_strands {
    int strands, points;
    const int *first;     // [strands + 1]
    const int *id;        // [strands] number in the file, from 0; those that were laid between go on behind them
    const int *group;     // [strands] of the info
    const float *root_uv; // [2 strands] of the skin at the root; without skin: by the direction from the middle
    const float *width;   // [points] [m] diameter
    const float *colour;  // [3 strands] linear RGB; NULL: the files have none
    int guides;           // at most so many each
    const int *guide;     // [guides strands] fibres of the trajectory, the nearest first; -1: none
    const float *weight;  // [guides strands] their sum is 1
} plait_carry_strands;

typedef struct plait_carry plait_carry;

// The trajectory must stay as long as this is used. NULL with *error: its scene cannot be read any more (a file is
// gone), is not the one that it was made of, or memory is short.
PLAIT_API plait_carry *plait_carry_new(const plait_trajectory *trajectory, const plait_carry_options *options,
                                       plait_error *error);
PLAIT_API void plait_carry_free(plait_carry *carry); // NULL is fine

// Whether the scene of a trajectory says that there are more strands than were simulated; a look at its text.
PLAIT_API bool plait_carry_useful(const plait_trajectory_info *info);

// Strands as fibres (radius: half the width at the root) and the trajectory's bodies; without contacts.
PLAIT_API const plait_trajectory_info *plait_carry_info(const plait_carry *carry);
PLAIT_API const plait_carry_strands *plait_carry_get_strands(const plait_carry *carry);

// Frame i of the trajectory with all strands, into a frame made by plait_trajectory_frame_new of plait_carry_info.
// Frames may be asked for in any order; one after the other is quickest.
PLAIT_API plait_status plait_carry_read(plait_carry *carry, int i, plait_trajectory_frame *frame, plait_error *error);

#ifdef __cplusplus
}
#endif
#endif
