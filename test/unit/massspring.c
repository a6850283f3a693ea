// The mass-spring chain: derivatives, statics in closed form, and what every model must do.
#include "body/massspring.h"


#define RODS_MODEL PLAIT_ROD_MASS_SPRING
#define RODS_JACOBIAN 1e-9
#define RODS_LINEAR 1e-7
#define RODS_TWIST 0
#include "rods_cases.h"

// Gradient and Hessian of the objective at a wild configuration against central differences.
static void check_derivatives(double dt, double natural, bool viscous, double tolerance)
{
    enum { N = 5 };
    plait_rod_def def = rods_cantilever_def(PLAIT_ROD_MASS_SPRING, N, 0.1);
    def.natural = PLAIT_NATURAL_CONSTANT;
    def.curvature[0] = natural;
    def.gravity[1] = -9.81;
    def.section.viscous_EA = 1e-3 * def.section.EA;
    def.section.viscous_EI[0] = def.section.viscous_EI[1] = viscous ? 1e-3 * def.section.EI[0] : 0;
    plait_rod *rod = rods_new(&def);
    if (!rod)
        return;
    plait_massspring *m = rod->impl;
    plait_chain *c = &m->chain;
    unsigned seed = 3;
    for (int pass = 0; pass < 2; pass++) { // a bent start, then a bent and stretched iterate
        for (int i = 0; i < rod->dofs; i++) {
            seed = seed * 1664525u + 1013904223u;
            double r = 0.01 * ((seed >> 8) / 16777216.0 - 0.5);
            if (pass == 0)
                m->x[i] += r, m->v[i] = r;
            else
                c->step[i] = r;
        }
        if (pass == 0)
            plait_massspring_start(rod, dt);
    }
    CHECK(c->type->try_step(rod, 1, false));
    c->type->accept(rod);
    int n = rod->dofs;
    double g[3 * (N + 1)], up[3 * (N + 1)], down[3 * (N + 1)], worst[2] = {0}, norm[2] = {0}, h = 1e-8;
    c->type->evaluate(rod, false, g);
    c->assemble(rod, false);
    for (int j = 0; j < n; j++) {
        memset(c->step, 0, (size_t)n * sizeof *c->step);
        c->step[j] = h;
        c->type->try_step(rod, 1, false);
        double a = c->type->evaluate(rod, true, up).sum;
        c->type->try_step(rod, -1, false);
        double b = c->type->evaluate(rod, true, down).sum;
        worst[0] = fmax(worst[0], fabs((a - b) / (2 * h) - g[j]));
        norm[0] = fmax(norm[0], fabs(g[j]));
        for (int i = j; i < n; i++) {
            double H = i - j <= PLAIT_BAND ? c->band[(size_t)j * PLAIT_BAND_STRIDE + (i - j)] : 0;
            worst[1] = fmax(worst[1], fabs((up[i] - down[i]) / (2 * h) - H));
            norm[1] = fmax(norm[1], fabs(H));
        }
    }
    CHECK(norm[0] > 0 && norm[1] > 0);
    CHECK_NEAR(worst[0], 0, 1e-6 * norm[0]);
    CHECK_NEAR(worst[1], 0, tolerance * norm[1]);
    plait_rod_free(rod);
}

CASE(derivatives)
{
    check_derivatives(0, 0, false, 1e-6);
    check_derivatives(0, 15, false, 1e-6);
    check_derivatives(1e-3, 15, false, 1e-6);
    check_derivatives(1e-2, 0, true, 0.05); // the stiffness of viscous bending leaves out a term on purpose
}

CASE(extremes)
{
    CHECK_INT(rods_check_extremes(PLAIT_ROD_MASS_SPRING, NULL) & ~RODS_SQUEEZED, 0);
}

CASE(unequal_stiffness_is_refused)
{
    plait_rod_def def = rods_cantilever_def(PLAIT_ROD_MASS_SPRING, 9, 0.1);
    def.section.EI[1] *= 2;
    plait_error error = {0};
    CHECK(plait_rod_new(&def, &error) == NULL);
    CHECK_INT(error.status, PLAIT_BAD_INPUT);
}
