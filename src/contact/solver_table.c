// solver_table.c: the list of global solvers, in the order of plait_solver. A new solver is a new file and a row here.
#include "contact/system.h"

const plait_solver_row plait_solver_table[] = {
    [PLAIT_SOLVER_AUTO] = {"auto", plait_solve_auto, 1000000},
    [PLAIT_SOLVER_GS] = {"gs", plait_solve_gs, 200000},
    [PLAIT_SOLVER_SPG] = {"spg", plait_solve_spg, 300000},
    [PLAIT_SOLVER_APGD] = {"apgd", plait_solve_apgd, 300000},
    [PLAIT_SOLVER_ADMM] = {"admm", plait_solve_admm, 200000},
    [PLAIT_SOLVER_NEWTON_AC] = {"newton-ac", plait_solve_newton_ac, 2000},
    [PLAIT_SOLVER_NEWTON_MFB] = {"newton-mfb", plait_solve_newton_mfb, 2000},
    [PLAIT_SOLVER_PROX] = {"prox", plait_solve_prox, 5000},
    [PLAIT_SOLVER_CADOUX] = {"cadoux", plait_solve_cadoux, 300000},
    [PLAIT_SOLVER_IPM] = {"ipm", plait_solve_ipm, 1400},
};

const int plait_solver_rows = PLAIT_SOLVER_COUNT;
