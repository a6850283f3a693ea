// gen_soft.h: nodes, triangles and tetrahedra of soft bodies.
//
// All are about the origin of the body's own frame. Each fills in points and cells of a soft body that holds none
// (malloc'ed); solids get their skin too.
#ifndef PLAIT_SCENE_GEN_SOFT_H
#define PLAIT_SCENE_GEN_SOFT_H

#include <stdint.h>

#include "plait/shape.h"
#include "plait/soft.h"

typedef enum plait_gen_pattern {
    PLAIT_GEN_REGULAR,  // all quads are cut the same way
    PLAIT_GEN_FLIPPED,  // the other way
    PLAIT_GEN_CROSSED,  // by turns
    PLAIT_GEN_IRREGULAR // by turns, and inner nodes are moved at random
} plait_gen_pattern;

// A rectangle in the plane z = 0. rolled [1/m]: bent into a part of a cylinder about an axis along y, with this
// curvature.
typedef struct plait_gen_grid {
    double size[2]; // [m]
    int cells[2];
    plait_gen_pattern pattern;
    double rolled;
    uint64_t seed;
} plait_gen_grid;
plait_status plait_gen_cloth_grid(const plait_gen_grid *options, plait_soft *cloth, plait_error *error);
// The triangles of a mesh; nodes that none has are left out.
plait_status plait_gen_cloth_mesh(const plait_shape *mesh, plait_soft *cloth, plait_error *error);

// A box cut into cubes, and these into six tetrahedra each; bent into a ball or a cylinder along z. irregular: inner
// nodes are moved at random by this part of a cube, below .3.
typedef enum plait_gen_block { PLAIT_GEN_BOX, PLAIT_GEN_BALL, PLAIT_GEN_CYLINDER } plait_gen_block;
typedef struct plait_gen_solid {
    plait_gen_block block;
    double size[3]; // [m] from side to side
    int cells[3];
    double irregular;
    uint64_t seed;
} plait_gen_solid;
plait_status plait_gen_solid_block(const plait_gen_solid *options, plait_soft *solid, plait_error *error);
// Cubes of this size inside of a closed mesh; nodes of the skin lie on it where that leaves tetrahedra with enough
// volume.
plait_status plait_gen_solid_fill(const plait_shape *mesh, double cell, plait_soft *solid, plait_error *error);

#endif
