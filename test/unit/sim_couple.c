// contact.couple: contacts act at the surface of fibres, which roll, twist and hold each other as round things do.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "body/rod.h"
#include "check.h"
#include "math/vec3.h"
#include "plait/sim.h"

static const double G = 9.81;

static plait_sim *simulate(const char *text)
{
    plait_error error = {0};
    plait_scene *scene = plait_scene_from_text(text, "", 0, NULL, 0, NULL, &error);
    plait_sim *sim = scene ? plait_sim_new(scene, &error) : NULL;
    if (!CHECK(sim))
        puts(error.text);
    plait_scene_free(scene);
    return sim;
}

static bool run(plait_sim *sim, double until)
{
    plait_sim_report report = {0};
    plait_error error = {0};
    bool ok = sim != NULL;
    while (ok && plait_sim_time(sim) < until - 1e-9)
        ok = CHECK(plait_sim_step(sim, until, &report, &error) == PLAIT_OK && !report.failed);
    return ok;
}

// How fast a rod is that lies across a slope after a time.
static double down_a_slope(const char *model, bool couple, double slope, double mu, double dt, double time)
{
    char text[900];
    double v[300] = {NAN};
    snprintf(text, sizeof text,
             "materials: {rod: {radius: 1 mm, density: 1200, young: 100 MPa}, floor: }\n"
             "colliders: {floor: {material: floor, shape: plane}}\n"
             "gravity: [%.17g, 0, %.17g]\nfriction: {default: %.17g}\ncontact: {couple: %s}\nstep: {dt: %.17g s}\n"
             "fibres: {rod: {model: %s, material: rod, segments: 4, line: {from: [0, 0, 1 mm], direction: [0, 1, 0], "
             "length: 2 cm}}}\n",
             G * sin(slope), -G * cos(slope), mu, couple ? "true" : "false", dt, model);
    plait_sim *sim = simulate(text);
    if (run(sim, time))
        plait_sim_velocities(sim, v);
    plait_sim_free(sim);
    return v[0];
}

// A full cylinder rolls with 2/3 g sin(slope) while mu > tan(slope)/3; else it slides and turns. Without couple it
// does not roll.
CASE(a_rod_rolls_down_a_slope)
{
    const double slope = 0.3, rolls = 2.0 / 3 * G * sin(slope) * 0.05, needs = tan(slope) / 3;
    CHECK_NEAR(down_a_slope("der", true, slope, 0.4, 1e-3, 0.05), rolls, 1e-5 * rolls);
    CHECK_NEAR(down_a_slope("der", true, slope, 1.02 * needs, 5e-3, 0.05), rolls, 1e-5 * rolls);
    double slides = (G * sin(slope) - 0.95 * needs * G * cos(slope)) * 0.05;
    CHECK_NEAR(down_a_slope("der", true, slope, 0.95 * needs, 1e-3, 0.05), slides, 1e-5 * slides);
    CHECK_NEAR(down_a_slope("der", false, slope, 0.4, 1e-3, 0.05), 0, 1e-6);
}

// Models that turn sections by their directors: first order in dt.
CASE(other_models_roll_as_dt_gets_smaller)
{
    static const char *const model[] = {"corde", "superhelix"};
    const double slope = 0.1, rolls = 2.0 / 3 * G * sin(slope) * 0.03;
    for (int i = 0; i < 2; i++) {
        double coarse = down_a_slope(model[i], true, slope, 0.3, 1e-3, 0.03) / rolls - 1;
        double fine = down_a_slope(model[i], true, slope, 0.3, 2.5e-4, 0.03) / rolls - 1;
        CHECK_NEAR(coarse, 0, 5e-3);
        CHECK_NEAR(fine, 0, 1.3e-3);
    }
}

// Two logs with one on top: the lower ones roll apart unless friction between logs is at least tan(15 degrees).
static bool stands(bool couple, double mu)
{
    char text[1200];
    double x[9 * 3] = {0};
    snprintf(text, sizeof text,
             "materials: {rod: {radius: 1 mm, density: 1200, young: 1 GPa, damping: 1 ms}, floor: }\n"
             "colliders: {floor: {material: floor, shape: plane}}\n"
             "friction: {default: %.17g}\ncontact: {couple: %s}\nstep: {dt: 2 ms}\nfibres:\n"
             "  a: {material: rod, segments: 2, line: {from: [-1 mm, 0, 1 mm], direction: [0, 1, 0], length: 1 cm}}\n"
             "  b: {material: rod, segments: 2, line: {from: [1 mm, 0, 1 mm], direction: [0, 1, 0], length: 1 cm}}\n"
             "  c: {material: rod, segments: 2, line: {from: [0, 0, %.17g], direction: [0, 1, 0], length: 1 cm}}\n",
             mu, couple ? "true" : "false", 1e-3 * (1 + sqrt(3)));
    plait_sim *sim = simulate(text);
    if (run(sim, 0.3))
        plait_sim_positions(sim, x);
    plait_sim_free(sim);
    return x[3 * 7 + 2] > 2.7e-3;
}

CASE(a_pile_of_logs_needs_tan_15_degrees)
{
    CHECK(stands(true, 0.271) && !stands(true, 0.265));
    CHECK(stands(false, 0.1395) && !stands(false, 0.133));
}

// Linear and angular momentum of all rods, spins of their edges included.
static void momenta(plait_sim *sim, double P[3], double L[3])
{
    memset(P, 0, 3 * sizeof *P), memset(L, 0, 3 * sizeof *L);
    for (int f = 0; f < plait_sim_fibres(sim); f++) {
        const plait_rod *rod = plait_sim_rod(sim, f);
        double x[60], v[100], arm[3], t[3];
        int count;
        const double *m = rod->type->masses(rod, &count);
        rod->type->positions(rod, x);
        rod->type->get_v(rod, v);
        for (int i = 0; i <= rod->segments; i++) {
            plait_vec3_axpy(m[4 * i], v + 4 * i, P);
            plait_vec3_cross(x + 3 * i, v + 4 * i, arm);
            plait_vec3_axpy(m[4 * i], arm, L);
            if (i == rod->segments)
                break;
            plait_vec3_sub(x + 3 * i + 3, x + 3 * i, t);
            plait_vec3_normalise(t);
            plait_vec3_axpy(m[4 * i + 3] * v[4 * i + 3], t, L);
        }
    }
}

// Two free rods that graze each other: what one gets, the other loses, turning included.
static void graze(bool couple, double *momentum, double *angular, double *size)
{
    char text[1200];
    double P[2][3], L[2][3], d[3];
    snprintf(text, sizeof text,
             "materials: {rod: {radius: 1 mm, density: 1200, young: 100 MPa}}\ngravity: [0, 0, 0]\n"
             "friction: {default: 0.5}\ncontact: {couple: %s}\nstep: {dt: 10 us}\nfibres:\n"
             "  a: {material: rod, segments: 6, line: {from: [-1 cm, 1 mm, 2.05 mm], direction: [1, 0, 0.1], length: 2 "
             "cm}, velocity: [0.3 m/s, 0.2 m/s, -0.5 m/s]}\n"
             "  b: {material: rod, segments: 6, line: {from: [2 mm, -1 cm, 0], direction: [0, 1, 0], length: 2 cm}}\n",
             couple ? "true" : "false");
    plait_sim *sim = simulate(text);
    *momentum = *angular = *size = NAN;
    if (!sim)
        return;
    momenta(sim, P[0], L[0]);
    if (run(sim, 2.6e-3)) { // they have parted; what an edge that spins does when it is turned is left to the model
        momenta(sim, P[1], L[1]);
        plait_vec3_sub(P[1], P[0], d);
        *momentum = plait_vec3_norm(d) / plait_vec3_norm(P[0]);
        plait_vec3_sub(L[1], L[0], d);
        *angular = plait_vec3_norm(d), *size = plait_vec3_norm(L[0]);
    }
    plait_sim_free(sim);
}

CASE(momenta_stay)
{
    double momentum, with, without, size;
    graze(true, &momentum, &with, &size);
    CHECK(momentum < 1e-9);
    double other;
    graze(false, &other, &without, &size);
    printf("angular momentum changes by %.2e of it, %.2e without couple\n", with / size, without / size);
    CHECK(other < 1e-9);
    CHECK(with < 1e-3 * without);
}

CASE(models_without_twist_are_refused)
{
    plait_error error = {0};
    plait_scene *scene = plait_scene_from_text(
        "materials: {rod: {radius: 1 mm, density: 1200, young: 100 MPa}}\ncontact: {couple: true}\n"
        "fibres: {rod: {model: mass-spring, material: rod, segments: 4, line: {length: 2 cm}}}\n",
        "", 0, NULL, 0, NULL, &error);
    if (!CHECK(scene))
        puts(error.text);
    plait_sim *sim = scene ? plait_sim_new(scene, &error) : NULL;
    CHECK(!sim && error.status == PLAIT_BAD_INPUT && strstr(error.text, "contact.couple needs a model with twist"));
    plait_sim_free(sim);
    plait_scene_free(scene);
}
