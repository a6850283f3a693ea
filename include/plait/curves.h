// curves.h: strands and other curves from files: Cem Yuksel's .hair, Alembic's curves, BasisCurves of USD (.usda and
// .usdc), lines of .obj files.
#ifndef PLAIT_CURVES_H
#define PLAIT_CURVES_H

#include <stdbool.h>

#include "plait/status.h"

#ifdef __cplusplus
extern "C" {
#endif

// The format has no place for unit and direction; our files say them in `info` ("plait, unit 1 m, z up").
typedef struct plait_hair {
    int strands;
    int *first;       // [strands + 1] points of strand i are first[i] .. first[i + 1] - 1
    double *point;    // [3 first[strands]] in the file's unit
    double thickness; // of all strands
    char info[88];    // words, ended by a zero
    double unit;      // [m] of coordinates and thickness; 0: the file does not say
    bool y_up;        // rather than z; false: z, or the file does not say
    // What the file says about points and strands; NULL: nothing. All numbers are finite; all arrays are malloc's.
    float *width;        // [points] diameters, in the file's unit
    float *colour;       // [3 points] red, green, blue
    float *transparency; // [points]
    float *uv;           // [2 strands] of the root, on the surface that it grows from
    int *id, *group;     // [strands]
    int *guide;          // [strands] not 0: it leads others
    double tint[3];      // colour of all strands, where there is none for each point
    double clear;        // transparency of all strands
} plait_hair;

// NULL with *error if it is no such file, or is cut off, or holds anything that is not finite.
PLAIT_API plait_hair *plait_hair_read(const char *path, plait_error *error);
// Coordinates are stored in single precision, with the arrays of width, colour and transparency that there are; `info`,
// if it is empty, becomes words about the unit. Writes a temporary
// file, then renames it.
PLAIT_API plait_status plait_hair_write(const char *path, const plait_hair *hair, plait_error *error);
PLAIT_API void plait_hair_free(plait_hair *hair); // NULL is fine

// Reads the curves of a .hair or .abc file, the BasisCurves of a .usda or .usdc file (at the first time sample, moved
// to where the objects stand), or the lines of an .obj file; the first bytes decide which, then the end of the name.
// NULL with *error: file, line (of texts), what was expected and what was found. Free it with plait_hair_free.
PLAIT_API plait_hair *plait_curves_read(const char *path, plait_error *error);

#ifdef __cplusplus
}
#endif
#endif
