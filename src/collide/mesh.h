// mesh.h: triangle meshes: what is near a point, and on which side.
//
// The side of a closed mesh is that of the pseudo-normal at the nearest point (Baerentzen and Aanaes 2005): of the
// triangle, the sum of two triangles at an edge, the sum weighted by angle at a corner. The mesh may be given inside
// out; its volume tells.
#ifndef PLAIT_COLLIDE_MESH_H
#define PLAIT_COLLIDE_MESH_H

#include <stdbool.h>
#include <stdint.h>

#include "collide/tree.h"
#include "shape/closest.h"

typedef struct plait_mesh {
    int points, triangles;
    bool closed;
    double motion;           // how far a point goes at most in the shape's frame
    double outward;          // 1, or -1 if the triangles look inwards
    double *point0, *point1; // copies: in the shape's frame, at the start and at the end
    int *triangle;           // a copy: to see whether tree and edges are still right
    int *twin;               // [3 triangles] the triangle across each edge, or -1
    double *face_normal;     // [3 triangles] unit; zero for a triangle without area
    double *point_normal;    // [3 points] weighted by angle
    plait_box *box;          // of the triangles' motion
    double *seen; // [4 nodes] of the detector: where a node was when it was last looked at, and its distance; 0: inside
    int seen_nodes;
    plait_tree tree;
    plait_key_item *key, *spare;
    int64_t point0_room, point1_room, triangle_room, twin_room, face_room, normal_room, box_room, key_room, spare_room,
        seen_room;
} plait_mesh;

// Makes the mesh what is given; does little if it is that already. False without memory.
bool plait_mesh_set(plait_mesh *mesh, int points, const double *point0, const double *point1, int triangles,
                    const int *triangle, bool closed);
void plait_mesh_free(plait_mesh *mesh);

typedef struct plait_mesh_point {
    int triangle;
    plait_feature feature;
    double weight[3], point[3];
    double distance;  // from x; closed: negative inside
    double normal[3]; // unit, outwards; open: towards x
} plait_mesh_point;

// The point of the mesh (at the start) nearest to x, in the shape's frame; false if none is nearer than limit.
bool plait_mesh_nearest(const plait_mesh *mesh, const double x[3], double limit, plait_mesh_point *out);

static inline void plait_mesh_corners(const plait_mesh *mesh, int triangle, double time, double t[9])
{
    for (int c = 0; c < 3; c++) {
        int64_t n = 3 * (int64_t)mesh->triangle[3 * (int64_t)triangle + c];
        for (int k = 0; k < 3; k++)
            t[3 * c + k] = mesh->point0[n + k] + time * (mesh->point1[n + k] - mesh->point0[n + k]);
    }
}

#endif
