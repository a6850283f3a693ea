// How a fibre starts: velocity and spin as asked for, momentum and angular momentum against the integrals, and the free
// flight that follows.
#include "rods.h"
#include "sim_scenes.h"

enum { SEGMENTS = 20 };
static const double VELOCITY[3] = {0.2, -0.1, 0.3}, FROM[3] = {0.02, -0.03, 0.05}, ALONG[3] = {0.6, 0, 0.8};

static bool flies(plait_rod_model model)
{
    return plait_rod_model_abilities(model) & PLAIT_ROD_FREE_ROOT;
}

static plait_sim *thrown(plait_rod_model model, const double spin[3], double dt)
{
    plait_scene *scene = scenes_new(0.3);
    memset(scene->gravity, 0, sizeof scene->gravity);
    scenes_rod(scene, model, FROM, ALONG, SEGMENTS);
    memcpy(scene->fibre[0].velocity, VELOCITY, sizeof VELOCITY);
    memcpy(scene->fibre[0].spin, spin, 3 * sizeof *spin);
    scene->stepping.dt = dt, scene->stepping.adaptive = false;
    return scenes_start(scene);
}

// v + w x (x - first point), node by node, for a spin across the rod and along it.
CASE(nodes_have_the_velocity_of_the_spin)
{
    const double spin[3] = {2, -3, 4};
    for (int m = 0; m < PLAIT_ROD_MODEL_COUNT; m++) {
        if (!flies((plait_rod_model)m))
            continue;
        plait_sim *sim = thrown((plait_rod_model)m, spin, 1e-3);
        double x[3 * (SEGMENTS + 1)], v[3 * (SEGMENTS + 1)], arm[3], turn[3];
        plait_rod_positions(plait_sim_rod(sim, 0), x);
        plait_rod_velocities(plait_sim_rod(sim, 0), v);
        for (int i = 0; i <= SEGMENTS; i++) {
            plait_vec3_sub(x + 3 * i, FROM, arm);
            plait_vec3_cross(spin, arm, turn);
            for (int k = 0; k < 3; k++)
                CHECK_NEAR(v[3 * i + k], VELOCITY[k] + turn[k], 1e-12);
        }
        plait_sim_free(sim);
    }
}

// P = m (v + w x c), c: half the rod; L = FROM x P + (m/2) L t x v + m L^2/3 (w - (w.t) t) + the section's part of the
// spin about the tangent t, which models with a material frame have.
CASE(momentum_and_angular_momentum)
{
    const double spin[3] = {2, -3, 4}, length = 0.1;
    plait_material material = scenes_rubber();
    plait_section section;
    plait_material_section(&material, &section, NULL);
    for (int m = 0; m < PLAIT_ROD_MODEL_COUNT; m++) {
        if (!flies((plait_rod_model)m))
            continue;
        plait_sim *sim = thrown((plait_rod_model)m, spin, 1e-3);
        plait_rod_energies e = plait_rod_energy(plait_sim_rod(sim, 0));
        plait_sim_free(sim);
        double mass = section.mass * length, P[3], L[3], more[3], turn[3], kinetic;
        plait_vec3_cross(spin, ALONG, turn);
        for (int k = 0; k < 3; k++)
            P[k] = mass * (VELOCITY[k] + length / 2 * turn[k]);
        plait_vec3_cross(FROM, P, L);
        plait_vec3_cross(ALONG, VELOCITY, more);
        plait_vec3_axpy(mass * length / 2, more, L);
        plait_vec3_cross(ALONG, turn, more);
        plait_vec3_axpy(mass * length * length / 3, more, L);
        kinetic = mass *
                  (plait_vec3_dot(VELOCITY, VELOCITY) + length * plait_vec3_dot(VELOCITY, turn) +
                   length * length / 3 * plait_vec3_dot(turn, turn)) /
                  2;
        double polar = (section.inertia[0] + section.inertia[1]) * length;
        // Lumped masses: the last edge's half mass is at the tip, 1/(2 N^2) more than the integral.
        double allowed = plait_vec3_norm(L) / (SEGMENTS * SEGMENTS);
        for (int k = 0; k < 3; k++) {
            CHECK_NEAR(e.momentum[k], P[k], 1e-12);
            CHECK_NEAR(e.angular_momentum[k], L[k], allowed);
        }
        CHECK_REL(e.kinetic, kinetic, 1.0 / (SEGMENTS * SEGMENTS));
        // The section's part is small beside these: alone, about the tangent.
        double along[3] = {50 * ALONG[0], 50 * ALONG[1], 50 * ALONG[2]}, none[3];
        sim = thrown((plait_rod_model)m, along, 1e-3);
        e = plait_rod_energy(plait_sim_rod(sim, 0));
        plait_sim_free(sim);
        bool twists = plait_rod_model_abilities((plait_rod_model)m) & PLAIT_ROD_TWISTS;
        for (int k = 0; k < 3; k++)
            P[k] = mass * VELOCITY[k];
        plait_vec3_cross(FROM, P, none);
        plait_vec3_cross(ALONG, P, more);
        plait_vec3_axpy(length / 2, more, none);
        for (int k = 0; k < 3; k++)
            CHECK_NEAR(e.angular_momentum[k] - none[k], twists ? 50 * polar * ALONG[k] : 0, 1e-6 * 50 * polar);
    }
}

// The frame turns about the tangent at the rate of the spin, in its sense.
CASE(a_spin_about_the_tangent_turns_the_frame)
{
    const double rate = 4, t = 0.1;
    double spin[3] = {rate * ALONG[0], rate * ALONG[1], rate * ALONG[2]}, before[9 * SEGMENTS], after[9 * SEGMENTS];
    for (int m = 0; m < PLAIT_ROD_MODEL_COUNT; m++) {
        if (!flies((plait_rod_model)m) || !(plait_rod_model_abilities((plait_rod_model)m) & PLAIT_ROD_TWISTS))
            continue;
        plait_sim *sim = thrown((plait_rod_model)m, spin, 1e-3);
        plait_sim_report report;
        plait_rod_frames(plait_sim_rod(sim, 0), before);
        CHECK(scenes_run(sim, t, &report));
        plait_rod_frames(plait_sim_rod(sim, 0), after);
        plait_sim_free(sim);
        for (int j = 0; j < SEGMENTS; j++) {
            double c = plait_vec3_dot(before + 9 * j, after + 9 * j), s = plait_vec3_dot(before + 9 * j + 3, after + 9 * j);
            CHECK_NEAR(atan2(s, c), rate * t, 2e-3 * rate * t);
        }
    }
}

// Across: the rod turns about its middle by w t; the middle goes straight on.
CASE(a_spin_across_turns_the_rod)
{
    const double spin[3] = {0, 3, 0}, t = 0.2;
    for (int m = 0; m < PLAIT_ROD_MODEL_COUNT; m++) {
        if (!flies((plait_rod_model)m))
            continue;
        plait_sim *sim = thrown((plait_rod_model)m, spin, 2.5e-4);
        plait_sim_report report;
        double x[3 * (SEGMENTS + 1)], now[3];
        CHECK(scenes_run(sim, t, &report));
        plait_rod_positions(plait_sim_rod(sim, 0), x);
        plait_sim_free(sim);
        plait_vec3_sub(x + 3 * SEGMENTS, x, now);
        double angle = atan2(ALONG[2], ALONG[0]) - spin[1] * t, middle[3], turn[3];
        CHECK_NEAR(atan2(now[2], now[0]), angle, 5e-3);
        plait_vec3_cross(spin, ALONG, turn);
        for (int k = 0; k < 3; k++) {
            middle[k] = FROM[k] + 0.05 * ALONG[k] + t * (VELOCITY[k] + 0.05 * turn[k]);
            CHECK_NEAR(x[3 * (SEGMENTS / 2) + k], middle[k], 1e-6);
        }
    }
}
