// gen_grid.h: signed distances to a triangle mesh on a regular grid.
#ifndef PLAIT_SCENE_GEN_GRID_H
#define PLAIT_SCENE_GEN_GRID_H

#include "plait/scene.h"

typedef struct plait_gen_grid {
    int n[3];
    double low[3], cell;
    double *value; // [n2][n1][n0]
    int *nearest;  // triangle of each
    const plait_shape *mesh;
} plait_gen_grid;

// An open mesh has no inside: all distances are positive. The mesh must stay while the grid is used. False: no memory.
bool plait_gen_grid_make(const plait_shape *mesh, plait_gen_grid *grid);
void plait_gen_grid_free(plait_gen_grid *grid); // what is in it
// Distance and its gradient (not of unit length): exact next to the mesh and outside of the grid (but for the choice of
// the triangle), interpolated in between.
double plait_gen_grid_at(const plait_gen_grid *grid, const double x[3], double gradient[3]);

#endif
