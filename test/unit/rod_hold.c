// Inverse statics: a rod that is held stays where it is drawn, is stable there, and is changed as little as will do.
#include "rods.h"

enum { MOST = 41 };

// A curve that stands off to one side, droops, and winds: no plane has it.
static int curve(double length, double x[3 * MOST])
{
    for (int i = 0; i < MOST; i++) {
        double s = (double)i / (MOST - 1), a = 4 * s;
        x[3 * i] = length * s * 0.8;
        x[3 * i + 1] = 0.06 * length * (1 - cos(a));
        x[3 * i + 2] = length * (0.3 * s - 0.5 * s * s) + 0.06 * length * sin(a);
    }
    return MOST;
}

static plait_rod_def hair(plait_rod_model model, int points, const double *x, int segments)
{
    plait_rod_def def = plait_default_rod_def();
    plait_material m = plait_default_material();
    plait_error error = {0};
    if (!CHECK(plait_material_section(&m, &def.section, &error) == PLAIT_OK))
        printf("%s\n", error.text);
    def.model = model, def.point_count = points, def.points = x, def.segments = segments;
    def.end[0].kind = PLAIT_END_CLAMPED;
    def.gravity[2] = -9.81;
    return def;
}

// The largest distance of a node from where it was after `steps` steps.
static double drift(plait_rod *rod, int steps, const double *was)
{
    double x[3 * MOST], worst = 0, d[3];
    for (int k = 0; k < steps; k++) {
        plait_step_report report;
        if (!CHECK(plait_rod_step(rod, 2e-3, NULL, &report, NULL) == PLAIT_OK && report.converged))
            return INFINITY;
    }
    plait_rod_positions(rod, x);
    for (int i = 0; i <= plait_rod_segments(rod); i++) {
        plait_vec3_sub(x + 3 * i, was + 3 * i, d);
        worst = fmax(worst, plait_vec3_norm(d));
    }
    return worst;
}

static const plait_rod_model models[] = {PLAIT_ROD_DER, PLAIT_ROD_SUPERHELIX};

CASE(stays_where_it_is_drawn)
{
    for (int m = 0; m < 2; m++)
        for (int twisted = 0; twisted < 2; twisted++) {
            double x[3 * MOST], was[3 * MOST];
            plait_rod_def def = hair(models[m], curve(0.15, x), x, m ? 12 : 30);
            def.twist = twisted ? 30 : 0; // frames turn along the rod
            def.section.EI[1] *= twisted ? 2 : 1;
            plait_rod *rod = rods_new(&def);
            plait_hold_report report;
            plait_rod_positions(rod, was);
            double sags = drift(rod, 100, was);
            plait_rod_free(rod);
            rod = rods_new(&def);
            plait_rod_positions(rod, was);
            CHECK_INT(plait_rod_hold(rod, NULL, &report, NULL), PLAIT_OK);
            CHECK(report.held);
            CHECK(report.reason == NULL);
            CHECK(report.curl <= 50);
            CHECK(sags > 1e-3); // there is something to hold
            CHECK_NEAR(drift(rod, 500, was), 0, 1e-9);
            // It is an equilibrium that Newton's method finds again from nearby.
            plait_rod_kick(rod, (double[3]){0.05, 0.1, 0.05}, (double[3]){0, 0, 0}, was);
            drift(rod, 10, was);
            CHECK(drift(rod, 0, was) > 1e-5);
            CHECK(rods_relax(rod));
            CHECK_NEAR(drift(rod, 0, was), 0, 1e-6);
            plait_rod_free(rod);
        }
}

// A horizontal rod needs the natural curvature m g (L - s)^2 / (2 EI): upwards, largest at the root.
CASE(curvature_of_a_cantilever)
{
    double x[6] = {0, 0, 0, 0.05, 0, 0};
    for (int m = 0; m < 2; m++) {
        plait_rod_def def = hair(models[m], 2, x, 40);
        plait_rod *rod = rods_new(&def);
        plait_hold_options options = {.curl = 1e9, .stiffness = 1};
        plait_hold_report report;
        CHECK_INT(plait_rod_hold(rod, &options, &report, NULL), PLAIT_OK);
        CHECK(report.held);
        CHECK_NEAR(report.stiffness, 1, 0);
        CHECK_REL(report.curl, def.section.mass * 9.81 * 0.05 * 0.05 / 2 / def.section.EI[0], 0.06);
        plait_rod_free(rod);
    }
}

// Greenhill: an upright rod of length L stands by itself while m g L^3 / EI < 7.837.
CASE(stiffer_only_where_it_would_topple)
{
    for (int m = 0; m < 2; m++)
        for (int k = 0; k < 2; k++) {
            plait_rod_def def = hair(models[m], 2, (double[6]){0}, 30);
            double L = cbrt((k ? 40 : 4) * def.section.EI[0] / (def.section.mass * 9.81));
            def.points = (double[6]){0, 0, 0, 0, 0, L};
            plait_rod *rod = rods_new(&def);
            plait_hold_report report;
            double was[3 * MOST];
            plait_rod_positions(rod, was);
            CHECK_INT(plait_rod_hold(rod, NULL, &report, NULL), PLAIT_OK);
            CHECK(report.held);
            if (k)
                CHECK(report.stiffness > 40 / 7.837 && report.stiffness < 2 * 40 / 7.837);
            else
                CHECK_NEAR(report.stiffness, 1, 0);
            plait_rod_kick(rod, (double[3]){1e-3, 0, 0}, (double[3]){0, 0, 0}, was);
            CHECK(drift(rod, 1000, was) < 1e-3);
            plait_rod_free(rod);
            // If it may not become stiffer it goes elsewhere, and says how far.
            if (!k)
                continue;
            rod = rods_new(&def);
            plait_hold_options soft = {.curl = 50, .stiffness = 2};
            CHECK_INT(plait_rod_hold(rod, &soft, &report, NULL), PLAIT_OK);
            CHECK(!report.held);
            CHECK(report.reason != NULL);
            CHECK_REL(drift(rod, 0, was), report.moved, 1e-12);
            plait_rod_free(rod);
        }
}

CASE(what_cannot_be_held_says_why)
{
    double x[6] = {0, 0, 0, 0.05, 0, 0};
    plait_hold_report report;
    plait_error error = {0};
    for (int k = 0; k < 2; k++) {
        plait_rod_def def = hair(k ? PLAIT_ROD_MASS_SPRING : PLAIT_ROD_DER, 2, x, 10);
        if (!k)
            def.end[0].kind = PLAIT_END_PINNED;
        plait_rod *rod = rods_new(&def);
        CHECK_INT(plait_rod_hold(rod, NULL, &report, NULL), PLAIT_OK);
        CHECK(!report.held);
        CHECK_STR(report.reason, k ? "its model has no inverse statics" : "its first end is not clamped");
        CHECK(report.moved > 1e-3);
        plait_hold_options bad = {.curl = 0, .stiffness = 1};
        CHECK_INT(plait_rod_hold(rod, &bad, &report, &error), PLAIT_BAD_INPUT);
        bad = (plait_hold_options){.curl = 1, .stiffness = 0.5};
        CHECK_INT(plait_rod_hold(rod, &bad, &report, &error), PLAIT_BAD_INPUT);
        plait_rod_free(rod);
    }
}

// Dead loads and couples count too.
CASE(loads_are_balanced)
{
    double x[3 * MOST], was[3 * MOST];
    plait_rod_def def = hair(PLAIT_ROD_DER, curve(0.1, x), x, 20);
    plait_rod *rod = rods_new(&def);
    plait_rod_positions(rod, was);
    plait_rod_set_force(rod, 20, (double[3]){1e-7, -2e-7, 1e-7});
    CHECK_INT(plait_rod_set_couple(rod, 10, 1e-9), PLAIT_OK);
    plait_hold_report report;
    CHECK_INT(plait_rod_hold(rod, NULL, &report, NULL), PLAIT_OK);
    CHECK(report.held);
    CHECK_NEAR(drift(rod, 200, was), 0, 1e-9);
    plait_rod_set_force(rod, 20, (double[3]){0, 0, 0});
    CHECK(drift(rod, 100, was) > 1e-5);
    plait_rod_free(rod);
}
