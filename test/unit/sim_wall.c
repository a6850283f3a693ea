// Planes as bodies: walls that a force drives. A rod is pressed with that force, a wall falls like any mass, walls in a periodic cell
// press a pack, friction holds a sliding one up to its limit.
#include "sim_scenes.h"
#include "sim_text.h"

#define MATERIALS                                                                                                      \
    "gravity: [0, 0, 0]\nfriction: {default: 0.3}\n"                                                                   \
    "materials: {m: {radius: 0.5 mm, density: 1000, young: 10 MPa, poisson: 0.5, drag: 50}, wall: }\n"

CASE(a_wall_goes_as_its_force_says)
{
    plait_sim_report report;
    plait_sim *sim = sim_of_text(MATERIALS "step: {dt: 1 ms}\nbodies: {w: {material: wall, shape: plane, guide: [0, 0, 2], mass: 2, "
                                           "force: [5, 0, 3], velocity: [1, 0, 0.5]}}\n"
                                           "measure: {w: {what: position, body: w}}\n",
                                 0, NULL);
    if (!sim || !CHECK(scenes_run(sim, 0.4, &report)))
        return;
    CHECK_NEAR(scenes_measure(sim, "w_z"), 0.5 * 0.4 + 0.75 * 0.4 * (0.4 + 1e-3), 1e-9); // implicit Euler
    CHECK_NEAR(scenes_measure(sim, "w_x"), 0, 0);
    plait_sim_free(sim);
}

// A pack between two walls that repeats itself to the sides: both carry the force, whatever the pack does.
CASE(walls_press_with_their_force)
{
    plait_sim_report report;
    plait_sim *sim = sim_of_text(
        "periodic: [1 cm, 1 cm, 0]\nstep: {dt: 2 ms}\n" MATERIALS
        "colliders: {floor: {material: wall, shape: plane}}\n"
        "bodies: {lid: {material: wall, shape: plane, position: [0, 0, 1 cm], rotation: [180 deg, 0, 0], guide: [0, 0, 1], mass: 1 "
        "g, force: [0, 0, -2 mN]}}\n"
        "fibres: {pack: {material: m, segments: 8, pack: {count: 12, aspect: 14, low: [0, 0, 0], high: [1 cm, 1 cm, 1 cm]}}}\n"
        "measure: {lid: {what: force, body: lid}, at: {what: position, body: lid}, floor: {what: force, collider: floor}, all: "
        "{what: stress}}\n",
        0, NULL);
    if (!sim || !CHECK(scenes_run(sim, 1.2, &report)))
        return;
    double height = scenes_measure(sim, "at_z");
    CHECK(height > 0.002 && height < 0.008);
    CHECK_NEAR(scenes_measure(sim, "lid_fz"), 2e-3, 2e-5);
    CHECK_NEAR(scenes_measure(sim, "floor_fz"), -2e-3, 2e-5);
    CHECK_NEAR(scenes_measure(sim, "all_zz"), -2e-3 * height, 0.02 * 2e-3 * height);
    plait_sim_free(sim);
}

// A wall that slides along itself on a rod which is held: it goes beyond mu N only. A ball meets it too.
CASE(friction_holds_a_wall)
{
    for (int k = 0; k < 2; k++) {
        plait_sim_report report;
        const char *pull[] = {"bodies.w.force=[0.29, 0, 0]", "bodies.w.force=[0.4, 0, 0]"};
        plait_sim *sim = sim_of_text(
            MATERIALS "step: {dt: 2 ms}\n"
                      "bodies:\n"
                      "  w: {material: wall, shape: plane, guide: [1, 0, 0], mass: 0.1}\n"
                      "  ball: {material: wall, shape: sphere, radius: 1 cm, density: 1000, guide: [0, 0, 1], position: [0, 0, 1 cm], "
                      "force: [0, 0, -1]}\n"
                      "measure: {at: {what: position, body: w}, ball: {what: force, body: ball}}\n",
            1, &pull[k]);
        if (!sim || !CHECK(scenes_run(sim, 0.2, &report)))
            return;
        CHECK_NEAR(scenes_measure(sim, "ball_fz"), 1, 1e-4);
        CHECK_NEAR(scenes_measure(sim, "at_x"), k ? 0.5 * (0.4 - 0.3) / 0.1 * 0.2 * (0.2 + 2e-3) : 0, 2e-5);
        plait_sim_free(sim);
    }
}

CASE(what_is_no_wall_is_refused)
{
    plait_error error = {0};
    plait_scene *scene = plait_scene_from_text(MATERIALS "bodies: {w: {material: wall, shape: plane, mass: 1}}\n", "", 0, NULL, 0,
                                               NULL, &error);
    CHECK(scene == NULL && strstr(error.text, "needs a guide and a mass"));
    plait_scene_free(scene);
}
