// gen_grid.h: signed distances to a triangle mesh on a regular grid.
#ifndef PLAIT_SCENE_GEN_GRID_H
#define PLAIT_SCENE_GEN_GRID_H

#include "plait/scene.h"

typedef struct plait_gen_grid {
    int n[3];
    double low[3], cell;
    double *value; // [n2][n1][n0]
} plait_gen_grid;

// An open mesh has no inside: all distances are positive. False: no memory.
bool plait_gen_grid_make(const plait_shape *mesh, plait_gen_grid *grid);
// Distance and its gradient (not of unit length). Outside of the grid: from its border on, the way to it added.
double plait_gen_grid_at(const plait_gen_grid *grid, const double x[3], double gradient[3]);

#endif
