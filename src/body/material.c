// material.c: from what a material is to what a section does.
//
// Ellipse with half axes a (along m1) and b (along m2): A = pi a b, second moments A a^2/4 and A b^2/4, and the torsion
// constant A a^2 b^2 / (a^2 + b^2), exact for an ellipse (Saint-Venant); pi r^4/2 for a circle.
#include "body/material.h"

#include <math.h>

static const double PI = 3.14159265358979323846;

plait_material plait_default_material(void)
{
    return (plait_material){.radius = {37e-6, 0}, .density = 1320, .young = 3.9e9, .poisson = 0.45};
}

typedef struct range {
    const char *what, *unit;
    double value, min, max;
} range;

// Wide enough for everything from nanotubes to ropes, narrow enough to catch a unit that was mistaken.
static plait_status check_material(const plait_material *m, plait_error *error)
{
    const range ranges[] = {
        {"radius", "m", m->radius[0], 1e-9, 10},
        {"second radius", "m", m->radius[1] == 0 ? m->radius[0] : m->radius[1], 1e-9, 10},
        {"density", "kg/m^3", m->density, 1e-3, 1e5},
        {"Young's modulus", "Pa", m->young, 1e-3, 1e14},
        {"shear modulus", "Pa", m->shear == 0 ? 1 : m->shear, 1e-3, 1e14},
        {"viscosity", "Pa s", m->viscosity, 0, 1e14},
        {"damping", "s", m->damping, 0, 1e6},
        {"drag", "1/s", m->drag, 0, 1e9},
        {"yield curvature", "1/m", m->yield, 0, 1e9},
        {"hardening", "of E", m->hardening, 0, 1e3},
        {"relaxing share", "of E", m->relaxing, 0, 1e3},
        {"relaxation time", "s", m->relaxation_time, 0, 1e9},
    };
    for (int i = 0; i < (int)(sizeof ranges / sizeof *ranges); i++) {
        const range *r = &ranges[i];
        if (!(r->value >= r->min && r->value <= r->max))
            return plait_error_set(error, PLAIT_BAD_INPUT, "material: the %s must be between %g and %g %s, but is %g",
                                   r->what, r->min, r->max, r->unit, r->value);
    }
    if (m->shear == 0 && !(m->poisson > -1 && m->poisson <= 0.5))
        return plait_error_set(error, PLAIT_BAD_INPUT,
                               "material: Poisson's ratio must be above -1 and at most 0.5, but is %g", m->poisson);
    if ((m->relaxing > 0) != (m->relaxation_time > 0))
        return plait_error_set(error, PLAIT_BAD_INPUT,
                               "material: a Maxwell branch has a share and a time, both above 0: found %g and %g s",
                               m->relaxing, m->relaxation_time);
    if (m->hardening > 0 && m->yield == 0)
        return plait_error_set(error, PLAIT_BAD_INPUT, "material: hardening belongs to a yield curvature above 0");
    return PLAIT_OK;
}

plait_status plait_material_section(const plait_material *m, plait_section *section, plait_error *error)
{
    plait_status status = check_material(m, error);
    if (status != PLAIT_OK)
        return status;
    double a = m->radius[0], b = m->radius[1] == 0 ? a : m->radius[1];
    double E = m->young, G = m->shear == 0 ? E / (2 * (1 + m->poisson)) : m->shear;
    double area = PI * a * b, I[2] = {area * a * a / 4, area * b * b / 4};
    double J = area * a * a * b * b / (a * a + b * b);
    double viscous_E = 3 * m->viscosity + m->damping * E, viscous_G = m->viscosity + m->damping * G;
    *section = (plait_section){
        .radius = {a, b},
        .EA = E * area,
        .EI = {E * I[0], E * I[1]},
        .GJ = G * J,
        .mass = m->density * area,
        .inertia = {m->density * I[0], m->density * I[1]},
        .viscous_EA = viscous_E * area,
        .viscous_EI = {viscous_E * I[0], viscous_E * I[1]},
        .viscous_GJ = viscous_G * J,
        .drag = m->drag,
        .yield = m->yield,
        .hardening = m->hardening,
        .relaxing = m->relaxing,
        .relaxation_time = m->relaxation_time,
    };
    return PLAIT_OK;
}

void plait_section_scale(plait_section *s, double radius, double young, double density)
{
    double r2 = radius * radius, area = young * r2, second = area * r2;
    s->EA *= area, s->viscous_EA *= area, s->GJ *= second, s->viscous_GJ *= second, s->mass *= density * r2;
    for (int k = 0; k < 2; k++) {
        s->radius[k] *= radius, s->EI[k] *= second, s->viscous_EI[k] *= second;
        s->inertia[k] *= density * r2 * r2;
    }
}

plait_status plait_section_check(const plait_section *s, int id, plait_error *error)
{
    const struct {
        const char *what;
        double value;
        bool positive;
    } values[] = {
        {"radius[0]", s->radius[0], true},
        {"radius[1]", s->radius[1], true},
        {"EA", s->EA, true},
        {"EI[0]", s->EI[0], false},
        {"EI[1]", s->EI[1], false},
        {"GJ", s->GJ, false},
        {"mass", s->mass, true},
        {"inertia[0]", s->inertia[0], false},
        {"inertia[1]", s->inertia[1], false},
        {"viscous_EA", s->viscous_EA, false},
        {"viscous_EI[0]", s->viscous_EI[0], false},
        {"viscous_EI[1]", s->viscous_EI[1], false},
        {"viscous_GJ", s->viscous_GJ, false},
        {"drag", s->drag, false},
        {"yield", s->yield, false},
        {"hardening", s->hardening, false},
        {"relaxing", s->relaxing, false},
        {"relaxation_time", s->relaxation_time, s->relaxing > 0},
    };
    for (int i = 0; i < (int)(sizeof values / sizeof *values); i++) {
        double v = values[i].value;
        if (!isfinite(v) || v < 0 || (values[i].positive && v == 0))
            return plait_error_set(error, PLAIT_BAD_INPUT, "rod %d: the section's %s must be finite and %s, but is %g",
                                   id, values[i].what, values[i].positive ? "positive" : "not negative", v);
    }
    return PLAIT_OK;
}
