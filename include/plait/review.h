// review.h: what is strange about a scene before it is run, and how large it is.
//
// Nothing here is a mistake that the reader of scenes could refuse: a scene without fibres is one, and so is hair of 15
// m.
#ifndef PLAIT_REVIEW_H
#define PLAIT_REVIEW_H

#include "plait/scene.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct plait_warning {
    char path[2 * PLAIT_NAME]; // what of the scene it is about: "output.frame_time", "fibres.hair", "colliders.head"
    char text[256];            // one sentence
} plait_warning;

typedef struct plait_review {
    int warnings;
    plait_warning *warning; // [warnings]
    // At the start of the scene:
    int fibres, rigids, colliders, cloths, solids, nodes, dofs;
    double shortest, longest; // [m] fibres; 0 without
    double low[3], high[3];   // [m] box around fibres and rigid bodies; zeros without
    int pushed;               // strands of files that were pushed apart before the start, by at most ...
    double pushed_by;         // ... this [m]
    int stiffened;            // fibres that `start: held` made stiffer
    int moved;                // fibres that it could not hold ...
    double moved_by;          // ... and how far one of them is from where it was drawn [m]
    int near;                 // places where something touches, or nearly does: contacts of the first step
    int overlaps;             // of these, those that overlap by more than a tenth of the contact radius
    double deepest;           // [m] of the overlaps
    int inside;               // fibres that are partly inside of colliders
    int bonds, ties;          // of the first step: adhesion that holds from the start; ties and bound ends
} plait_review;

// Looks at the scene as it starts: one detection, no step. The list is to be freed. The scene must be one that can be
// run.
PLAIT_API plait_status plait_scene_review(const plait_scene *scene, plait_review *review, plait_error *error);
PLAIT_API void plait_review_free(plait_review *review); // the list, not the review

// The box around a collider at the start, without its motion: false if it has no end (a plane) or nothing to touch.
PLAIT_API bool plait_collider_box(const plait_collider *collider, double low[3], double high[3]);

#ifdef __cplusplus
}
#endif
#endif
