// grooms.h: strands that took long to lay, kept for whoever reads their scene again.
//
// The generators `scalp` and `ponytail` move strands apart until no two overlap: half a minute for a full head. The
// result is a function of what was drawn, of the fibres that were there before and of the colliders; it is kept under a
// hash of all of these. A scene that is read while a store is in use takes from it what fits and adds what it had to
// make. A run writes its store beside its checkpoint (plait/trajectory.h): it goes on with the same bits, at once, also
// under a later version that would lay the strands differently.
#ifndef PLAIT_GROOMS_H
#define PLAIT_GROOMS_H

#include <stdint.h>

#include "plait/status.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { PLAIT_GROOM_KEY = 33 }; // 32 hexadecimal digits and a zero

typedef struct plait_grooms plait_grooms;

PLAIT_API plait_grooms *plait_grooms_new(void); // empty; NULL without memory
PLAIT_API void plait_grooms_free(plait_grooms *grooms); // not while it is in use; NULL is fine

// Scenes that this thread reads from now on use this store; NULL: none, as at the start. Returns the one before.
PLAIT_API plait_grooms *plait_grooms_use(plait_grooms *grooms);

PLAIT_API int plait_grooms_count(const plait_grooms *grooms);
PLAIT_API int plait_grooms_found(const plait_grooms *grooms); // how often something was taken from it
// Number i: its key, and the points of all of its strands one after the other, [3 *points], which belong to the store.
PLAIT_API const double *plait_grooms_get(const plait_grooms *grooms, int i, char key[PLAIT_GROOM_KEY], int64_t *points);
// Copies the points. BAD_INPUT: not a key, or not finite.
PLAIT_API plait_status plait_grooms_add(plait_grooms *grooms, const char *key, int64_t points, const double *x,
                                        plait_error *error);

#ifdef __cplusplus
}
#endif
#endif
