// sweep.h: when do two moving things come as near as a given distance?
//
// Conservative advancement along directions. At time t let n point from the nearest point of one thing to that of the
// other. Both lie on their sides of the two planes across n, and corners move on straight lines: the separation along
// n, a minimum of linear functions of time, is a lower bound of the distance. The first time at which this bound falls
// to the wanted distance is therefore a safe step, however fast the motion. Nothing is stepped over: a thin rod cannot
// pass another unseen, end caps and parallel motion included, which the roots of the coplanarity cubic would need as
// extra cases.
#ifndef PLAIT_COLLIDE_SWEEP_H
#define PLAIT_COLLIDE_SWEEP_H

#include <stdbool.h>

typedef struct plait_sweep {
    double time;      // 0 .. 1
    double a, b;      // parameters on the segments; triangle: b is unused
    double weight[3]; // triangle
    double normal[3]; // from the second to the first at that time
    double distance;  // then
} plait_sweep;

// Segments p (6 numbers: two ends) from p0 to p1 and q from q0 to q1. distance > 0 and below the distance at the start.
bool plait_sweep_segments(const double p0[6], const double p1[6], const double q0[6], const double q1[6],
                          double distance, plait_sweep *result);

// The same where a, b and distance of the result are known already for the start.
bool plait_sweep_segments_from(const double p0[6], const double p1[6], const double q0[6], const double q1[6],
                               double distance, plait_sweep *result);

// Two simplices with np and nq corners: point and point, segment or triangle (1, 1 .. 3), segment and segment (2, 2). a
// and b are parameters on segments, weight those of a triangle.
bool plait_sweep_simplices(int np, const double *p0, const double *p1, int nq, const double *q0, const double *q1,
                           double distance, plait_sweep *result);

// A segment and a triangle (9 numbers).
bool plait_sweep_triangle(const double p0[6], const double p1[6], const double t0[9], const double t1[9],
                          double distance, plait_sweep *result);

#endif
