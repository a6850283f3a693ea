// Contacts and bonds as arrays of the simulation, and what is set for many nodes or ends at once.
#include "plait/control.h"
#include "sim_scenes.h"

CASE(contacts_and_bonds_are_shown)
{
    plait_sim *sim = scenes_start(scenes_pile(PLAIT_ROD_MASS_SPRING, 4, 4, 0.5));
    plait_sim_report report = {0};
    plait_error error = {0};
    const plait_sim_contact *c = NULL, *early = NULL;
    const plait_sim_bond *b = NULL;
    int n = -1, m = -1;
    CHECK(plait_sim_view_contacts(sim, &early, &n, &error) == PLAIT_OK && n == 0);
    CHECK(scenes_run(sim, 0.05, &report));
    CHECK(plait_sim_view_contacts(sim, &c, &n, &error) == PLAIT_OK);
    CHECK(plait_sim_view_bonds(sim, &b, &m, &error) == PLAIT_OK);
    CHECK(n > 10);
    CHECK_INT(n, plait_sim_contacts(sim));
    CHECK_INT(m, n);
    double pressed = 0;
    for (int i = 0; i < n; i++) {
        plait_sim_contact one;
        plait_sim_contact_get(sim, i, &one);
        CHECK(one.index[0] == c[i].index[0] && one.kind[1] == c[i].kind[1] && one.gap == c[i].gap && one.mu == c[i].mu);
        for (int k = 0; k < 3; k++) {
            CHECK(one.impulse[k] == c[i].impulse[k] && one.position[k] == c[i].position[k]);
            CHECK(b[i].impulse[k] == c[i].impulse[k]);
        }
        CHECK_INT(b[i].law, 0);
        CHECK_INT(b[i].holds, 0);
        pressed += fabs(c[i].impulse[2]);
    }
    CHECK(pressed > 0);
    // The same memory as long as there is room for them.
    const plait_sim_contact *later = NULL;
    CHECK(plait_sim_step(sim, INFINITY, &report, &error) == PLAIT_OK);
    CHECK(plait_sim_view_contacts(sim, &later, &n, &error) == PLAIT_OK);
    CHECK(later == c || n > 10);
    plait_sim_free(sim);
}

static plait_sim *two_rods(void)
{
    plait_scene *scene = scenes_new(0.3);
    scenes_rod(scene, PLAIT_ROD_DER, (double[]){0, 0, 0}, (double[]){1, 0, 0}, 8);
    scenes_rod(scene, PLAIT_ROD_DER, (double[]){0, 1, 0}, (double[]){1, 0, 0}, 8);
    scene->fibre[0].end[0] = scene->fibre[1].end[0] = PLAIT_END_PINNED;
    return scenes_start(scene);
}

// Many forces are the same as one after the other, to the last bit.
CASE(many_forces)
{
    plait_sim *a = two_rods(), *b = two_rods();
    const int fibre[] = {0, 1, 1}, node[] = {8, 3, 8};
    const double force[] = {0, 1e-3, 0, 2e-3, 0, 0, 0, 0, 1e-3};
    plait_sim_report report = {0};
    plait_error error = {0};
    CHECK(plait_sim_set_node_forces(a, 3, fibre, node, force, &error) == PLAIT_OK);
    for (int i = 0; i < 3; i++)
        CHECK(plait_sim_set_node_force(b, fibre[i], node[i], force + 3 * i, &error) == PLAIT_OK);
    CHECK(scenes_run(a, 0.02, &report) && scenes_run(b, 0.02, &report));
    int64_t size, other;
    double *x = scenes_state(a, &size), *y = scenes_state(b, &other);
    CHECK(size == other && memcmp(x, y, (size_t)size * sizeof *x) == 0);
    free(x), free(y), plait_sim_free(a), plait_sim_free(b);
}

CASE(what_cannot_be_changes_nothing)
{
    plait_sim *a = two_rods(), *b = two_rods();
    const double force[] = {0, 1, 0, 0, 1, 0}, nan[] = {0, 1, 0, 0, NAN, 0}, place[] = {0, 0, 0.01, 0, 1, 0.01};
    const int fibre[] = {0, 1}, wrong[] = {0, 2}, node[] = {8, 9}, good[] = {8, 8};
    plait_sim_report report = {0};
    plait_error error = {0};
    CHECK(plait_sim_set_node_forces(a, 2, fibre, node, force, &error) == PLAIT_BAD_INPUT);
    CHECK_STR(error.text, "number 1 of the list: node 9: fibre 1 has 9, numbered from 0");
    CHECK(plait_sim_set_node_forces(a, 2, wrong, good, force, &error) == PLAIT_BAD_INPUT);
    CHECK(plait_sim_set_node_forces(a, 2, fibre, good, nan, &error) == PLAIT_BAD_INPUT);
    CHECK(plait_sim_move_ends(a, 1, 2, fibre, place, &error) == PLAIT_BAD_INPUT);
    CHECK_STR(error.text, "number 0 of the list: this end of fibre 0 is free; it cannot be moved");
    CHECK(plait_sim_move_ends(a, 0, 2, wrong, place, &error) == PLAIT_BAD_INPUT);
    CHECK(plait_sim_move_ends(a, 0, 2, fibre, nan, &error) == PLAIT_BAD_INPUT);
    CHECK(plait_sim_move_ends(a, 2, 2, fibre, place, &error) == PLAIT_BAD_INPUT);
    CHECK(scenes_run(a, 0.01, &report) && scenes_run(b, 0.01, &report));
    int64_t size, other;
    double *x = scenes_state(a, &size), *y = scenes_state(b, &other);
    CHECK(size == other && memcmp(x, y, (size_t)size * sizeof *x) == 0);
    free(x), free(y), plait_sim_free(b);
    // What can be: the roots are there after the next step.
    CHECK(plait_sim_move_ends(a, 0, 2, fibre, place, &error) == PLAIT_OK);
    CHECK(plait_sim_step(a, INFINITY, &report, &error) == PLAIT_OK && !report.failed);
    plait_sim_nodes nodes = {.size = sizeof nodes};
    CHECK(plait_sim_view_nodes(a, &nodes, &error) == PLAIT_OK);
    for (int f = 0; f < 2; f++)
        for (int k = 0; k < 3; k++)
            CHECK(fabs(nodes.x[3 * nodes.first[f] + k] - place[3 * f + k]) < 1e-12);
    plait_sim_free(a);
}

static bool count_asks(void *data)
{
    ++*(int *)data;
    return false;
}

// Who answers slowly is not asked at all in a short step; without the interval often.
CASE(seldom_asked)
{
    int often = 0, seldom = 0;
    plait_sim_report report = {0};
    plait_sim *sim = scenes_start(scenes_pile(PLAIT_ROD_MASS_SPRING, 2, 2, 0.5));
    plait_sim_set_stop(sim, count_asks, &often);
    CHECK(scenes_run(sim, 0.01, &report));
    plait_sim_set_stop(sim, count_asks, &seldom);
    plait_sim_set_stop_interval(sim, 1e6);
    CHECK(scenes_run(sim, 0.02, &report));
    CHECK(often >= 10);
    CHECK_INT(seldom, 0);
    plait_sim_set_stop_interval(sim, 1e-12); // always due
    CHECK(scenes_run(sim, 0.03, &report));
    CHECK(seldom > 0);
    plait_sim_free(sim);
}
