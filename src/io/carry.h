// carry.h: the parts of plait/carry.h: where strands come from, who carries them, where they are, what they must leave.
#ifndef PLAIT_IO_CARRY_H
#define PLAIT_IO_CARRY_H

#include "base/team.h"
#include "collide/anchor.h"
#include "plait/carry.h"
#include "plait/curves.h"

enum { PLAIT_CARRY_GUIDES = 8 };

// What roots sit on.
typedef enum plait_carrier_kind { PLAIT_CARRIER_NONE, PLAIT_CARRIER_COLLIDER, PLAIT_CARRIER_SOFT } plait_carrier_kind;
typedef struct plait_carrier {
    plait_carrier_kind kind;
    int index;
} plait_carrier;

// Positions of all points in one frame, and the frame that they follow.
typedef struct plait_carry_slot {
    int number; // of the frame; -1: none
    int64_t used;
    plait_trajectory_frame *frame;
    float *x; // [3 points]
} plait_carry_slot;

// Pushing out of bodies (carry_push.c).
typedef struct plait_pusher plait_pusher;

struct plait_carry {
    const plait_trajectory *trajectory;
    const plait_trajectory_info *from;
    plait_trajectory_info info; // bodies are those of `from`
    plait_carry_strands strands;
    bool velocities;
    plait_team team;
    plait_trajectory_frame *rest; // as it was drawn
    // Guides: fibres of the trajectory.
    plait_carrier *carrier;   // [fibres] of their roots
    plait_anchor *guide_root; // [fibres]
    double *arc;              // [nodes] along the guide, as drawn
    double *rest_frame;       // [9 nodes] tangent, normal, binormal: rows
    double *bone;             // [12 nodes] of the frame at hand: from where a point was drawn to where it is
    // Strands.
    int *first, *id, *group, *material, *guide;
    bool *alone; // [groups] its strands are its fibres, as they are
    float *root_uv, *width, *colour, *weight;
    double *radius, *x0; // [strands], [3 points] as drawn
    plait_anchor *root;  // [strands]
    bool *push;          // [groups]
    plait_pusher *pusher;
    plait_carry_slot slot[3];
    int64_t clock;
};

// ---- strands of one group, before they are carried (carry_source.c, carry_style.c) --------------------------------

typedef struct plait_lot {
    int strands;
    int *first;    // [strands + 1]
    int *id;       // [strands]
    double *x;     // [3 first[strands]]
    float *colour; // [3 strands] or NULL
    double width;  // [m] 0: not said
} plait_lot;
// Those of the group's file, or of its fibres, so many as are wanted (0: as the scene says).
plait_status plait_lot_make(const plait_carry *carry, const plait_scene *scene, int group, int wanted, plait_lot *lot,
                            plait_error *error);
void plait_lot_free(plait_lot *lot);
// Clumps and frizz, in place.
bool plait_lot_style(plait_lot *lot, const plait_groom *groom);
// [m] of all before a point, and in all. arc: [points of strand i].
double plait_lot_arc(const plait_lot *lot, int i, double *arc);

// ---- who carries whom (carry_guides.c) ----------------------------------------------------------------------------

// Rest frames and roots of all fibres of the trajectory.
plait_status plait_carry_guides(plait_carry *carry, const plait_scene *scene, plait_error *error);
// Guides and weights of the strands begin .. end, which belong to one group.
bool plait_carry_choose(plait_carry *carry, const plait_groom *groom, int group, int begin, int end);
// Roots of the strands begin .. end on what carries the group's first fibre; project: strands move so that they are on
// it.
plait_status plait_carry_bind(plait_carry *carry, const plait_scene *scene, int group, bool project, int begin, int end,
                              plait_error *error);
// The shape that carries something, as drawn and in a frame.
plait_shape_geometry plait_carry_geometry(const plait_carry *carry, plait_carrier carrier,
                                          const plait_trajectory_frame *frame);

// A point of a polyline at a distance from its root; beyond its end: its end.
void plait_carry_point_at(const double *x, int points, double s, double out[3]);

// ---- what the skin says (carry_maps.c) ----------------------------------------------------------------------------

// Texture coordinates of roots, where the mesh that carries them has some.
plait_status plait_carry_uv(plait_carry *carry, const plait_groom *groom, const plait_shape *skin, int begin, int end,
                            plait_error *error);
// Strands of a file become as short as maps made their guides. False without memory.
bool plait_carry_shorten(plait_carry *carry, const plait_scene *scene, int begin, int end);

// ---- where they are (carry_pose.c, carry_push.c) ------------------------------------------------------------------

void plait_carry_rest_frames(plait_carry *carry); // fills rest_frame
void plait_carry_pose(plait_carry *carry, const plait_trajectory_frame *frame, float *x);

plait_pusher *plait_pusher_new(const plait_carry *carry, plait_error *error);
void plait_pusher_free(plait_pusher *pusher);
plait_status plait_pusher_apply(plait_pusher *pusher, const plait_carry *carry, const plait_trajectory_frame *frame,
                                float *x, plait_error *error);

#endif
