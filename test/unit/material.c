// material.c: sections of circles and ellipses.
#include "check.h"
#include "plait/rod.h"

static const double PI = 3.14159265358979323846;

CASE(circle)
{
    plait_material m = {.radius = {2e-3}, .density = 1500, .young = 7e6, .poisson = 0.3};
    plait_section s;
    CHECK_INT(plait_material_section(&m, &s, NULL), PLAIT_OK);
    double r = 2e-3, A = PI * r * r, I = PI * pow(r, 4) / 4;
    CHECK_REL(s.EA, 7e6 * A, 1e-14);
    CHECK_REL(s.EI[0], 7e6 * I, 1e-14);
    CHECK_REL(s.EI[1], 7e6 * I, 1e-14);
    CHECK_REL(s.GJ / s.EI[0], 1 / 1.3, 1e-14);
    CHECK_REL(s.mass, 1500 * A, 1e-14);
    CHECK_REL(s.inertia[0] + s.inertia[1], 1500 * A * r * r / 2, 1e-14);
}

CASE(ellipse)
{
    plait_material m = {.radius = {3e-3, 1e-3}, .density = 1000, .young = 1e6, .shear = 4e5};
    plait_section s;
    CHECK_INT(plait_material_section(&m, &s, NULL), PLAIT_OK);
    double a = 3e-3, b = 1e-3;
    CHECK_REL(s.EI[0], 1e6 * PI * a * a * a * b / 4, 1e-14); // wide along m1: stiff against bending towards m1
    CHECK_REL(s.EI[1], 1e6 * PI * b * b * b * a / 4, 1e-14);
    CHECK_REL(s.GJ, 4e5 * PI * a * a * a * b * b * b / (a * a + b * b), 1e-14);
    CHECK_REL(s.inertia[0], 1000 * PI * a * b * a * a / 4, 1e-14);
}

CASE(viscosity_and_damping)
{
    plait_material m = {.radius = {1e-3}, .density = 1000, .young = 1e6, .poisson = 0.5, .viscosity = 10, .damping = 0};
    plait_section s;
    CHECK_INT(plait_material_section(&m, &s, NULL), PLAIT_OK);
    double A = PI * 1e-6;
    CHECK_REL(s.viscous_EA, 30 * A, 1e-14); // Trouton: three times the shear viscosity
    CHECK_REL(s.viscous_GJ / s.GJ, 10 / (1e6 / 3), 1e-14);
    m.viscosity = 0, m.damping = 2e-3;
    CHECK_INT(plait_material_section(&m, &s, NULL), PLAIT_OK);
    CHECK_REL(s.viscous_EI[0], 2e-3 * s.EI[0], 1e-14);
    CHECK_REL(s.viscous_GJ, 2e-3 * s.GJ, 1e-14);
}
