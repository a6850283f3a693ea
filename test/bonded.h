// bonded.h: contact problems of fibres with bonds and ties.
#ifndef PLAIT_TEST_BONDED_H
#define PLAIT_TEST_BONDED_H

#include "base/rng.h"
#include "check.h"
#include "contact/law_bond.h"
#include "plait/generate.h"

// Two of three contacts are bonded, from hardly to wholly, some stretched; every so many is a tie.
// stiff: times the stiffness of bonds.
static plait_problem *bonded(int rods, double nu, int tie_every, uint64_t seed, double stiff)
{
    plait_fibre_options f = plait_default_fibre_options();
    f.rods = rods, f.nu = nu, f.seed = seed;
    plait_problem *p = plait_problem_generate_fibres(&f, NULL);
    if (!CHECK(p != NULL))
        return NULL;
    unsigned char *index = calloc((size_t)p->n, 1);
    double *parameter = calloc((size_t)p->n * PLAIT_LAW_NUMBERS, sizeof *parameter), dt = 1e-3;
    plait_rng rng = plait_rng_new(seed, 3);
    for (int i = 0; i < p->n; i++) {
        double *q = parameter + PLAIT_LAW_NUMBERS * i, soft = 3 / p->trace[i]; // an impulse over a velocity
        plait_bond bond = {.area = 1};
        if (tie_every && i % tie_every == 1) {
            bond.number[PLAIT_TIE_STIFFNESS] = i % 2 ? 3 * soft / (dt * dt) : 0;
            plait_tie_set(dt, &bond, (double[]){1e-4 * plait_rng_normal(&rng), 0, 0}, q), index[i] = PLAIT_LAW_TIE;
            continue;
        }
        if (i % 3 == 0)
            continue;
        double C = soft / (dt * dt) * (i % 3 == 1 ? 0.3 : 30) * stiff;
        plait_adhesive a = {.stiffness = {C, 0.4 * C}, .energy = 1, .coupling = i % 5 == 0 ? 2 : 0};
        bond.number[PLAIT_BOND_BETA] = plait_rng_uniform(&rng);
        double slip[2] = {1e-4 * plait_rng_normal(&rng), 1e-4 * plait_rng_normal(&rng)};
        plait_adhesion_set(&a, dt, &bond, slip, q), index[i] = PLAIT_LAW_ADHESION;
    }
    CHECK_INT(plait_problem_set_laws(p, plait_law_table, PLAIT_LAW_ROWS, index, parameter, NULL), PLAIT_OK);
    free(index), free(parameter);
    return p;
}

#endif
