// A simulation driven from outside: what is set happens, what cannot be is refused and changes nothing; views, hooks and
// queries against closed forms.
#include "check.h"
#include "plait/plait.h"
#include "sim_scenes.h"

static const double none[3] = {0, 0, 0}, upright[4] = {0, 0, 0, 1};

// A floor, a box of 10 cm and 0.5 kg on it, and a rod of 10 cm that hangs free above, all of one material.
static plait_sim *make(double mu)
{
    plait_scene *scene = plait_scene_new();
    plait_material rubber = plait_default_material();
    rubber.radius[0] = rubber.radius[1] = 1e-3, rubber.density = 1000, rubber.young = 1e7, rubber.damping = 1e-3;
    plait_scene_add_material(scene, "a", &rubber, mu);
    plait_scene_add_collider(scene, "floor", PLAIT_SHAPE_PLANE);
    int box = plait_scene_add_rigid(scene, "box", PLAIT_SHAPE_BOX);
    for (int k = 0; k < 3; k++)
        scene->rigid[box].shape.size[k] = 0.05;
    scene->rigid[box].density = 500, scene->rigid[box].position[2] = 0.05;
    plait_scene_add_group(scene, "rods");
    double x[2][3] = {{1, 0, 1}, {1.1, 0, 1}};
    int fibre = plait_scene_add_fibre(scene, PLAIT_ROD_DER, 0, 2, x[0]);
    scene->fibre[fibre].segments = 10;
    scene->stepping.dt = 1e-3;
    return scenes_start(scene);
}

static void run(plait_sim *sim, int steps)
{
    plait_sim_report report;
    for (int i = 0; i < steps; i++)
        if (!CHECK(plait_sim_step(sim, INFINITY, &report, NULL) == PLAIT_OK && !report.failed))
            return;
}

// x = a t (t + dt) / 2 for implicit Euler.
CASE(forces)
{
    plait_sim *sim = make(0);
    double x[3], q[4], v[3], spin[3], up[3] = {0, 0, 3}, turn[3] = {0, 0, 1e-3}, dt = 1e-3, t = 20 * dt;
    CHECK_INT(plait_sim_set_gravity(sim, up, NULL), PLAIT_OK);
    CHECK_INT(plait_sim_set_rigid_force(sim, 0, (double[3]){1, 0, 0}, turn, NULL), PLAIT_OK);
    run(sim, 20);
    plait_sim_rigid_pose(sim, 0, x, q);
    plait_sim_rigid_velocity(sim, 0, v, spin);
    CHECK_NEAR(x[0], 0.5 * 2 * t * (t + dt), 1e-12); // 1 N on 0.5 kg
    CHECK_NEAR(x[2], 0.05 + 0.5 * 3 * t * (t + dt), 1e-12);
    CHECK_NEAR(spin[2], 1e-3 / (0.5 * 0.01 / 6) * t, 1e-12); // m a^2 / 6
    plait_sim_nodes nodes = {.size = sizeof nodes};
    CHECK_INT(plait_sim_view_nodes(sim, &nodes, NULL), PLAIT_OK);
    CHECK_INT(nodes.fibres, 1);
    CHECK_INT(nodes.first[1], nodes.nodes);
    for (int i = 0; i < nodes.nodes; i++)
        CHECK_NEAR(nodes.v[3 * i + 2], 3 * t, 1e-9);
    plait_sim_free(sim);
}

// A force on every node is a force on the whole.
CASE(node_forces)
{
    plait_sim *sim = make(0);
    double mass = 1000 * acos(-1) * 1e-6 * 0.1, t = 10e-3;
    CHECK_INT(plait_sim_set_gravity(sim, none, NULL), PLAIT_OK);
    for (int i = 0; i <= 10; i++) {
        double force[3] = {0, (i == 0 || i == 10 ? 0.05 : 0.1) * 1e-3, 0};
        CHECK_INT(plait_sim_set_node_force(sim, 0, i, force, NULL), PLAIT_OK);
    }
    run(sim, 10);
    plait_sim_nodes nodes = {.size = sizeof nodes};
    plait_sim_view_nodes(sim, &nodes, NULL);
    for (int i = 0; i < nodes.nodes; i++)
        CHECK_NEAR(nodes.v[3 * i + 1], 1e-3 / mass * t, 1e-9);
    plait_sim_free(sim);
}

// The floor is led upwards and turned: it is where it was told to be, on the way and at the end; the box rides on it.
CASE(target)
{
    plait_sim *sim = make(0.5);
    double x[3], q[4], half[4] = {0, 0, sin(0.2), cos(0.2)};
    run(sim, 5);
    CHECK_INT(plait_sim_set_collider_target(sim, 0, (double[3]){0, 0, 0.01}, half, 0.025, NULL), PLAIT_OK);
    run(sim, 10);
    plait_sim_collider_pose(sim, 0, x, q);
    CHECK_NEAR(x[2], 0.005, 1e-12);
    CHECK_NEAR(q[2], sin(0.1), 1e-12);
    run(sim, 20);
    plait_sim_collider_pose(sim, 0, x, q);
    CHECK_NEAR(x[2], 0.01, 1e-15);
    CHECK_NEAR(q[2], sin(0.2), 1e-15);
    plait_sim_rigid_pose(sim, 0, x, q);
    CHECK(x[2] > 0.0599);
    plait_sim_free(sim);
}

// What stands on the floor weighs on it; friction that a hook takes away lets it slide.
static double no_friction(const plait_sim_contact *contact, void *data)
{
    CHECK_NEAR(contact->mu, 0.5, 0.0);
    ++*(int *)data;
    return 0;
}

static void count(plait_sim *sim, const plait_sim_report *report, void *data)
{
    CHECK_NEAR(plait_sim_time(sim), report->time, 0.0);
    *(int *)data += 1000;
}

CASE(reactions_and_hooks)
{
    plait_sim *sim = make(0.5);
    double force[3], couple[3], v[3], spin[3];
    int calls = 0;
    CHECK_INT(plait_sim_set_rigid_force(sim, 0, (double[3]){1, 0, 0}, none, NULL), PLAIT_OK); // holds: below 2.45 N
    run(sim, 10);
    CHECK_INT(plait_sim_get_reaction(sim, PLAIT_PARTNER_COLLIDER, 0, none, force, couple, NULL), PLAIT_OK);
    CHECK_NEAR(force[2], -0.5 * 9.81, 1e-5);
    CHECK_NEAR(force[0], 1, 1e-5);
    plait_sim_rigid_velocity(sim, 0, v, spin);
    CHECK_NEAR(v[0], 0, 1e-6);
    plait_sim_contact contacts[16];
    int n = plait_sim_get_contacts(sim, 16, contacts);
    CHECK(n >= 3 && n == plait_sim_contacts(sim));
    plait_sim_hooks hooks = {.size = sizeof hooks, .friction = no_friction, .after_step = count, .data = &calls};
    CHECK_INT(plait_sim_set_hooks(sim, &hooks, NULL), PLAIT_OK);
    run(sim, 10);
    plait_sim_rigid_velocity(sim, 0, v, spin);
    CHECK_NEAR(v[0], 2 * 10e-3, 1e-6);
    CHECK(calls / 1000 == 10 && calls % 1000 >= 30);
    plait_sim_free(sim);
}

CASE(queries)
{
    plait_sim *sim = make(0.5);
    plait_sim_hit hit;
    double down[3] = {0, 0, -2};
    CHECK(plait_sim_find_nearest(sim, (double[3]){0.03, 0, 0.15}, 1, &hit));
    CHECK_INT(hit.kind, PLAIT_PARTNER_RIGID);
    CHECK_NEAR(hit.distance, 0.05, 1e-12);
    CHECK_NEAR(hit.normal[2], 1, 1e-12);
    CHECK(!plait_sim_find_nearest(sim, (double[3]){0.03, 0, 0.15}, 0.04, &hit));
    CHECK(plait_sim_find_ray(sim, (double[3]){1.033, 0, 3}, down, 10, &hit));
    CHECK_INT(hit.kind, PLAIT_PARTNER_FIBRE);
    CHECK_NEAR(hit.distance, 2 - 1e-3, 1e-9);
    CHECK_NEAR(hit.arc, 0.033, 1e-9);
    CHECK(plait_sim_find_ray(sim, (double[3]){0.5, 0.5, 3}, down, 10, &hit));
    CHECK_INT(hit.kind, PLAIT_PARTNER_COLLIDER);
    CHECK_NEAR(hit.distance, 3, 1e-9);
    CHECK(!plait_sim_find_ray(sim, (double[3]){0.5, 0.5, 3}, down, 2.9, &hit));
    plait_sim_free(sim);
}

CASE(refusals)
{
    plait_sim *sim = make(0.5);
    plait_error error = {0};
    double bad[3] = {0, NAN, 0}, long_one[4] = {0, 0, 0, 2}, f[3];
    plait_end end = {.kind = PLAIT_END_FREE};
    plait_sim_nodes nodes = {0};
    plait_sim_hooks hooks = {0};
    CHECK_INT(plait_sim_set_gravity(sim, bad, &error), PLAIT_BAD_INPUT);
    CHECK_INT(plait_sim_set_wind(sim, bad, NULL), PLAIT_BAD_INPUT);
    CHECK_INT(plait_sim_set_friction(sim, 0, 1, 0.5, 0, NULL), PLAIT_BAD_INPUT);
    CHECK_INT(plait_sim_set_friction(sim, 0, 0, -1, 0, NULL), PLAIT_BAD_INPUT);
    CHECK_INT(plait_sim_set_friction(sim, 0, 0, 1, 2, NULL), PLAIT_BAD_INPUT);
    CHECK_INT(plait_sim_set_node_force(sim, 1, 0, none, NULL), PLAIT_BAD_INPUT);
    CHECK_INT(plait_sim_set_node_force(sim, 0, 11, none, NULL), PLAIT_BAD_INPUT);
    CHECK_INT(plait_sim_set_end(sim, 0, 2, &end, NULL), PLAIT_BAD_INPUT);
    CHECK_INT(plait_sim_set_rigid_force(sim, 1, none, none, NULL), PLAIT_BAD_INPUT);
    CHECK_INT(plait_sim_set_collider_target(sim, 0, none, long_one, 1, NULL), PLAIT_BAD_INPUT);
    CHECK_INT(plait_sim_set_collider_target(sim, 0, none, upright, 0, NULL), PLAIT_BAD_INPUT);
    CHECK_INT(plait_sim_set_collider_target(sim, 1, none, upright, 1, NULL), PLAIT_BAD_INPUT);
    CHECK_INT(plait_sim_get_reaction(sim, PLAIT_PARTNER_RIGID, 1, none, f, f, NULL), PLAIT_BAD_INPUT);
    CHECK_INT(plait_sim_view_nodes(sim, &nodes, NULL), PLAIT_BAD_INPUT);
    CHECK_INT(plait_sim_set_hooks(sim, &hooks, NULL), PLAIT_BAD_INPUT);
    CHECK(error.text[0] != 0);
    run(sim, 3); // and nothing was changed
    plait_sim_free(sim);
}
