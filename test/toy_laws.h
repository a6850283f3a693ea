// toy_laws.h: laws that exist for tests only, with closed forms: a law is one file and one row.
//
//     cohesion   Coulomb on r + (c, 0, 0): the contact holds up to the tension c, and friction acts on r_N + c
//     glue       Coulomb on r + K u: opening and sliding at the speed u pull back with K u
//     weld       u = 0, whatever r: all functions of the row are its own
#ifndef PLAIT_TEST_TOY_LAWS_H
#define PLAIT_TEST_TOY_LAWS_H

#include <string.h>

#include "contact/bond.h"
#include "contact/law.h"
#include "math/mat3.h"

// p[0]: the tension [N s]
static void cohesion_cone(double mu, const double *p, plait_law_cone *cone)
{
    *cone = (plait_law_cone){.mu = mu, .c = {p[0], 0, 0}};
}

// It holds on over gaps up to p[1] and counts the steps.
static bool cohesion_evolve(const plait_bond_step *step, const double *p, plait_bond *bond)
{
    bond->number[0]++;
    return step->gap < p[1];
}

static const plait_law toy_cohesion = {.name = "cohesion", .cone = cohesion_cone, .evolve = cohesion_evolve};

// p[0], p[1]: normal and tangential [N s / (m/s)]
static void glue_cone(double mu, const double *p, plait_law_cone *cone)
{
    *cone = (plait_law_cone){.mu = mu, .K = {p[0], p[1], p[1]}};
}

static const plait_law toy_glue = {.name = "glue", .cone = glue_cone};

static void weld_residual(double mu, const double *p, double s, const double *shift, const double r[3],
                          const double u[3], double F[3])
{
    (void)mu, (void)p, (void)s, (void)shift, (void)r;
    memcpy(F, u, 3 * sizeof *F);
}

static void weld_natural(double mu, const double *p, const double weight[2], const double r[3], const double u[3],
                         double F[3], double F_r[9], double F_u[9])
{
    (void)mu, (void)p, (void)weight, (void)r;
    memcpy(F, u, 3 * sizeof *F);
    if (F_r)
        plait_mat3_zero(F_r), plait_mat3_identity(F_u);
}

static void weld_jacobian(double mu, const double *p, double s, const double r[3], const double u[3], double F[3],
                          double F_r[9], double F_u[9])
{
    const double weight[2] = {s, s};
    weld_natural(mu, p, weight, r, u, F, F_r, F_u);
}

static void weld_project(double mu, const double *p, double step, double shift, const double x[3], double y[3])
{
    (void)mu, (void)p, (void)step, (void)shift;
    memcpy(y, x, 3 * sizeof *y);
}

static double weld_shift(double mu, const double *p, const double u[3])
{
    (void)mu, (void)p, (void)u;
    return 0;
}

static bool weld_solve(double mu, const double *p, const plait_local_task *task, const double W[9], const double b[3],
                       double r[3], plait_local_stats *stats)
{
    (void)mu, (void)p, (void)task;
    double minus[3] = {-b[0], -b[1], -b[2]};
    stats->calls++;
    return plait_mat3_solve(W, minus, 1e-14, r);
}

static const plait_law toy_weld = {.name = "weld",
                                   .residual = weld_residual,
                                   .jacobian = weld_jacobian,
                                   .natural = weld_natural,
                                   .project = weld_project,
                                   .shift = weld_shift,
                                   .solve = weld_solve};

// The rows.
enum { TOY_COULOMB, TOY_COHESION, TOY_GLUE, TOY_WELD, TOY_LAWS };
static const plait_law *const toy_laws[TOY_LAWS] = {&plait_law_coulomb, &toy_cohesion, &toy_glue, &toy_weld};

#endif
