// mesh.h: triangle meshes: what is near a point or a segment, and on which side.
#ifndef PLAIT_COLLIDE_MESH_H
#define PLAIT_COLLIDE_MESH_H

#include <stdbool.h>
#include <stdint.h>

#include "collide/tree.h"

typedef struct plait_mesh {
    int shape; // index among the shapes of the scenery
    int points, triangles;
    bool closed;
    const double *point0, *point1; // owned by the caller
    const int *triangle;
    int *kept_triangle; // a copy: to see whether the mesh is still the one the tree and the edges were made for
    double *kept0, *kept1;
    int *twin;            // [3 triangles] the triangle across each edge, or -1
    double *face_normal;  // [3 triangles] unit, zero for a triangle without area
    double *point_normal; // [3 points] weighted by angle
    plait_box *box;
    plait_tree tree; // of the triangles, with their motion
    int64_t kept_triangle_room, kept0_room, kept1_room, twin_room, face_room, normal_room, box_room;
} plait_mesh;

#endif
