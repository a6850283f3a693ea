// placed.h: shapes in their places: poses, boxes, and when a moving point or link arrives at an exact shape.
#ifndef PLAIT_COLLIDE_PLACED_H
#define PLAIT_COLLIDE_PLACED_H

#include "collide/detector.h"
#include "shape/type.h"

// Fills poses and box: of the motion, or of the start alone.
void plait_shape_place(const plait_shape_geometry *geometry, bool motion, plait_placed *placed);

// The pose at time t, 0 .. 1: straight from one place to the other, turning at a constant rate.
void plait_placed_pose(const plait_placed *placed, double t, double R[9], double x[3]);

// World to the frame of the shape, and back, under a pose.
static inline void plait_to_frame(const double R[9], const double x[3], const double world[3], double local[3])
{
    double w[3] = {world[0] - x[0], world[1] - x[1], world[2] - x[2]};
    for (int k = 0; k < 3; k++)
        local[k] = R[k] * w[0] + R[3 + k] * w[1] + R[6 + k] * w[2];
}

// In how many pieces points x go through the frame of a turning shape, so that each is straight enough for `radius`.
enum { PLAIT_PIECES = 64 };
int plait_placed_pieces(const plait_placed *placed, const double *x, int points, double radius);

typedef struct plait_arrival {
    double time, distance;    // 0 .. 1 of the whole path; signed distance
    double a, weight[3];      // parameter on the link; weights of a triangle's corners
    double y[3], normal[3];   // the point, and the outward normal there
} plait_arrival;

// The first time at which a point (points = 1), link (2) or triangle (3) comes as near to an exact shape as `wanted`
// (which may be
// negative: as deep). path: in the shape's frame, points at pieces + 1 times. By the safe steps of sweep.h: the plane
// across the normal at the nearest point of a convex shape separates.
bool plait_shape_arrive(const plait_shape *shape, const double *path, int pieces, int points, double wanted,
                        double tolerance, plait_arrival *out);

// How far the material point of the shape that is at `world` at the start is moved by its script. Zero for a shape that
// moves freely: what it does is for the solver to find.
void plait_placed_move(const plait_placed *placed, const double world[3], double move[3]);

#endif
