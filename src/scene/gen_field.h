// gen_field.h: how far a point is from the colliders of a scene, at the start.
//
// Simple shapes in closed form; a mesh through a grid of signed distances to it, made once: exact near the mesh.
#ifndef PLAIT_SCENE_GEN_FIELD_H
#define PLAIT_SCENE_GEN_FIELD_H

#include "plait/scene.h"

typedef struct plait_gen_field plait_gen_field;

// Of all colliders of the scene where they are at the start. Owns its memory; the scene must stay while it is used.
plait_status plait_gen_field_new(const plait_scene *scene, plait_gen_field **field, plait_error *error);
void plait_gen_field_free(plait_gen_field *field);

// Signed distance to the nearest surface (negative: inside), INFINITY if there is none, and the outward normal there.
// only: this collider alone, or -1.
double plait_gen_field_at(const plait_gen_field *field, int only, const double x[3], double normal[3]);

// The origin of a collider's shape in the world, and where a point of the shape is.
void plait_gen_field_centre(const plait_gen_field *field, int collider, double x[3]);
void plait_gen_field_place(const plait_gen_field *field, int collider, const double local[3], double x[3]);

// Where the frame of a collider's shape is at the start: world = q(local) + x.
void plait_gen_start_pose(const plait_collider *collider, double start, double x[3], double q[4]);

// Distance of a point from a triangle; nearest (may be NULL): the point of it.
double plait_gen_triangle_distance(const double x[3], const double *a, const double *b, const double *c,
                                   double nearest[3]);

#endif
