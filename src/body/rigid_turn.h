// rigid_turn.h: a rigid body that turns on its own, without loss and without gain.
//
// In the frame of the body, with J the principal inertias, O0 and O1 the spin before and after, O = (O0 + O1)/2:
//
//     R1 = R0 cay(a),   a = h O / 2,   cay(a) = (1 - [a])^-1 (1 + [a]):   the quaternion (a, 1), normalised
//     cay(a) J O1 = J O0 + tau                                            tau: impulse of couples, in the frame of the
//                                                                         start
//
// which is a system of three equations for O1. Without couples the momentum L = R J O in the world and the energy O . J
// O / 2 stay to rounding, for any h. With h = 2 tan(dt |O0| / 2) / |O0| instead of dt a body that spins about one of
// its axes turns by exactly dt |O0|; for others it is of second order all the same.
#ifndef PLAIT_BODY_RIGID_TURN_H
#define PLAIT_BODY_RIGID_TURN_H

#include <stdbool.h>

// From the quaternion q0 and the momentum L [kg m^2/s] in the world at the start, with the impulse of couples on it:
// the rotation vector per time w [rad/s] in the world, so that q1 = exp(dt w) q0. False: no solution was found.
bool plait_rigid_turn(const double inertia[3], const double q0[4], const double L[3], const double couple[3], double dt,
                      double w[3]);

// y <- R diag(inertia)^power R^T x, power 1 or -1: momentum from spin, spin from momentum.
void plait_rigid_inertia(const double inertia[3], const double q[4], int power, const double x[3], double y[3]);

#endif
