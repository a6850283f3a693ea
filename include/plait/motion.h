// motion.h: how a script moves something: keyframes, and drives that are functions of time.
#ifndef PLAIT_MOTION_H
#define PLAIT_MOTION_H

#include <stdbool.h>

#include "plait/status.h"

#ifdef __cplusplus
extern "C" {
#endif

// A pose at a time: a displacement, and a rotation vector [rad] (axis times angle, any number of turns).
typedef struct plait_key {
    double time; // [s]
    double position[3], rotation[3];
} plait_key;

typedef enum plait_ease {
    PLAIT_EASE_LINEAR, // straight between keys
    PLAIT_EASE_SMOOTH  // the same places, at rest in every key: 3 t^2 - 2 t^3 in between
} plait_ease;

typedef enum plait_drive_kind {
    PLAIT_DRIVE_LINEAR, // amplitude * (t - start): a constant speed
    PLAIT_DRIVE_SINE,   // amplitude * sin(2 pi frequency (t - start) + phase), minus its value at start
    PLAIT_DRIVE_RAMP    // from 0 to amplitude between start and stop, smoothly
} plait_drive_kind;

// One term of a motion; before `start` it is zero, after `stop` it stays where it is.
typedef struct plait_drive {
    plait_drive_kind kind;
    bool turns;          // a rotation vector [rad or rad/s] rather than a displacement [m or m/s]
    double amplitude[3]; // with direction
    double frequency;    // [Hz]
    double phase;        // [rad]
    double start, stop;  // [s]; stop = INFINITY: for ever
} plait_drive;

// x(t) = R(t) (x - pivot) + pivot + position(t), R = exp of the sum of all rotation vectors (keys and drives).
typedef struct plait_motion {
    double pivot[3]; // at rest, in the world
    plait_ease ease;
    int keys, drives;
    plait_key *key; // times ascend; before the first and after the last the pose stays
    plait_drive *drive;
} plait_motion;

// Where a motion is at time t: displacement of the pivot and rotation quaternion (x, y, z, w).
PLAIT_API void plait_motion_at(const plait_motion *motion, double t, double position[3], double rotation[4]);

#ifdef __cplusplus
}
#endif
#endif
