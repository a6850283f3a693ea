// rods_cases.h: what every rod model must do, as cases of the test that includes this and says which model it is about:
// RODS_MODEL; RODS_JACOBIAN and RODS_LINEAR, the errors of Jacobians and of linearised steps that are allowed; RODS_TWIST,
// the twist of the rod whose Jacobian is looked at [1/m].
#include "rods.h"

CASE(point_jacobian)
{
    plait_rod *rod = rods_moving(RODS_MODEL, 9, PLAIT_END_CLAMPED, RODS_TWIST);
    if (rod)
        rods_check_point(rod, RODS_JACOBIAN);
    plait_rod_free(rod);
}

CASE(linearised_step)
{
    plait_end_kind kinds[] = {PLAIT_END_CLAMPED, PLAIT_END_PINNED, PLAIT_END_FREE, PLAIT_END_EDGE};
    for (int k = 0; k < (RODS_MODEL == PLAIT_ROD_SUPERHELIX ? 3 : 4); k++) { // a super-helix has no edge to hold
        plait_rod *rod = rods_moving(RODS_MODEL, 7, kinds[k], 0);
        if (rod) {
            rods_check_linearise(rod, 1e-3, RODS_LINEAR);
            rods_check_residual(rod, 1e-3);
            rods_check_retract(rod, 1e-3);
        }
        plait_rod_free(rod);
    }
}

CASE(statics)
{
    rods_check_statics(RODS_MODEL);
}

CASE(invariance)
{
    rods_check_invariance(RODS_MODEL, 1e-9);
}

CASE(carried_along)
{
    rods_check_galilei(RODS_MODEL, 1e-9);
}

CASE(damping)
{
    rods_check_damping(RODS_MODEL);
}

CASE(nonsense_is_refused)
{
    rods_check_nonsense(RODS_MODEL);
}
