// face.h: the drawn skin of generated heads and shoulders.
//
// What hair collides with is coarse and has no face. A picture shows a finer surface over the same numbers: the skull,
// where hair lies, is the collider's; the face is modelled as a soft union of ellipsoids and capsules, from which
// others are taken away.
#ifndef PLAIT_RENDER_FACE_H
#define PLAIT_RENDER_FACE_H

#include "render/f3.h"
#include "scene/generators.h"

// Roughly the signed distance [m] of a point in the frame of the body.
double plait_face_distance(const plait_gen_head_options *head, const double p[3]);
double plait_face_hull(const plait_gen_head_options *head, const double p[3]); // ears as bumps, for hair over them
double plait_bust_distance(const plait_gen_shoulders_options *shoulders, const double p[3]);
plait_tint plait_face_tint(const plait_gen_head_options *head, const double p[3]);
plait_tint plait_bust_tint(const plait_gen_shoulders_options *shoulders, const double p[3]);

// Numbers of the face in metres of a head of the default size, right half (x > 0).
typedef struct plait_face_eye {
    double centre[3], radius;
    double half_width, upper, lower; // of the opening
} plait_face_eye;
extern const plait_face_eye plait_face_eye_default;
// From metres of a default head to those of this one.
void plait_face_scale(const plait_gen_head_options *head, double scale[3]);

#endif
