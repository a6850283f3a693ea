// cell.h: a periodic cell that deforms, as a body: its shape moves with six dofs, some of which are prescribed.
//
// The cell repeats itself after three vectors, the columns of
//
//         | Lx  xy  xz |
//     h = |     Ly  yz |      a copy by k periods is at x + h k and goes with v + h' k
//         |         Lz |
//
// and the dofs are the velocities of Lx, Ly, Lz, xy, yz, xz, in this order. A contact of a with copy k of b has
// u = v_a - v_b - h' k, so its impulse acts on the cell too. What is prescribed is held; the others follow a stress S,
//
//     mass q'' + drag q' = V S : dE/dq + contacts,      drag: alone it goes at `fastest` times its length
//
// with E the strain, so that the fibres come to bear S however stiff they are.
#ifndef PLAIT_BODY_CELL_H
#define PLAIT_BODY_CELL_H

#include "body/body.h"

enum { PLAIT_CELL_DOFS = 6, PLAIT_CELL_AT_RATE = 6, PLAIT_CELL_AT_KNOWN = 12, PLAIT_CELL_STATE = 18 };
// State: the shape, its velocity in the last step, and the velocity that fibres were told of (sim/cell.c).

extern const plait_body_type plait_body_cell;

typedef struct plait_cell_def {
    double size[3]; // [m] at the start, without tilt; 0: it does not repeat itself along this axis
    double mass;    // [kg]
    bool free[PLAIT_CELL_DOFS];
} plait_cell_def;

plait_status plait_cell_build(const plait_cell_def *def, plait_body *body, plait_error *error);
// For the step at hand: the velocity [m/s] of what is held, the stress [Pa] and viscosity [Pa s] of the others.
void plait_cell_tell(plait_body *body, const double value[PLAIT_CELL_DOFS], const double viscosity[PLAIT_CELL_DOFS]);
const double *plait_cell_told(const plait_body *body); // these values
bool plait_cell_is_free(const plait_body *body, int dof); // dof -1: any
// Its shape at the end of the step, as it was last moved.
const double *plait_cell_end(const plait_body *body);
// A dof moves copies along an axis, by how many periods they are away along another (or the same).
static inline int plait_cell_axis(int dof)
{
    static const int row[PLAIT_CELL_DOFS] = {0, 1, 2, 0, 1, 0};
    return row[dof];
}
static inline int plait_cell_period(int dof)
{
    static const int column[PLAIT_CELL_DOFS] = {0, 1, 2, 1, 2, 2};
    return column[dof];
}
static inline double plait_cell_volume(const double q[PLAIT_CELL_DOFS])
{
    double volume = 1;
    for (int k = 0; k < 3; k++)
        volume *= q[k] > 0 ? q[k] : 1;
    return volume;
}

#endif
