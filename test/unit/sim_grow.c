// sim_grow.c: fibres are added to a simulation and taken out of it between two steps.
#include <string.h>

#include "check.h"
#include "math/vec3.h"
#include "plait/control.h"
#include "sim/sim.h"
#include "sim_scenes.h"

enum { SEGMENTS = 4, NODES = SEGMENTS + 1 };

// Rods that slide over the ground one beside the other, without touching each other: along y, at x = 0.1 i.
static int slider(plait_scene *scene, plait_rod_model model, int i)
{
    double from[3] = {0.1 * i, 0, 0.0031}, along[3] = {0, 1, 0};
    int f = scenes_rod(scene, model, from, along, SEGMENTS);
    scene->fibre[f].velocity[0] = 0.1 + 0.02 * i, scene->fibre[f].velocity[2] = -0.2;
    scene->fibre[f].spin[2] = 1;
    return f;
}

static plait_scene *sliders(plait_rod_model model, int count, const int *which)
{
    plait_scene *scene = scenes_new(0.3);
    scene->stepping.solve.tol = 1e-5;
    scenes_ground(scene);
    for (int k = 0; k < count; k++)
        slider(scene, model, which[k]);
    return scene;
}

static void steps(plait_sim *sim, int count)
{
    plait_sim_report r;
    for (int i = 0; i < count; i++)
        CHECK(plait_sim_step(sim, INFINITY, &r, NULL) == PLAIT_OK && !r.failed);
}

// Whether fibre a of one simulation is fibre b of the other, to the last bit.
static bool same(plait_sim *one, int a, plait_sim *other, int b)
{
    plait_rod *p = plait_sim_rod(one, a), *q = plait_sim_rod(other, b);
    int n = plait_rod_state_size(p);
    double x[2048], y[2048];
    CHECK(n <= 2048 && n == plait_rod_state_size(q));
    plait_rod_get_state(p, x), plait_rod_get_state(q, y);
    return memcmp(x, y, (size_t)n * sizeof *x) == 0;
}

static const plait_rod_model models[] = {PLAIT_ROD_DER, PLAIT_ROD_SUPERHELIX, PLAIT_ROD_MASS_SPRING, PLAIT_ROD_CORDE};

// A simulation of these sliders that goes on from the state of another.
static plait_sim *twin_of(const plait_sim *sim, plait_rod_model model, int count, const int *which)
{
    int64_t size;
    double *state = scenes_state(sim, &size);
    plait_sim *twin = scenes_start(sliders(model, count, which));
    plait_error error = {0};
    if (!CHECK_INT(plait_sim_set_state(twin, state, size, &error), PLAIT_OK))
        printf("%s\n", error.text);
    free(state);
    return twin;
}

static void go_on_alike(plait_sim *sim, plait_sim *twin)
{
    CHECK_INT(plait_sim_fibres(sim), plait_sim_fibres(twin));
    steps(sim, 5), steps(twin, 5);
    for (int i = 0; i < plait_sim_fibres(sim); i++)
        CHECK(same(sim, i, twin, i));
    plait_sim_free(twin);
}

// What was changed goes on to the last bit as a simulation that was built so, from the same state; and the change
// itself leaves those who stay as they are.
CASE(as_if_built_so)
{
    for (int k = 0; k < 4; k++) {
        plait_sim *sim = scenes_start(sliders(models[k], 3, (int[]){0, 1, 2}));
        plait_scene *more = sliders(models[k], 2, (int[]){5, 6});
        steps(sim, 15);
        CHECK(plait_sim_contacts(sim) > 0);
        plait_sim *before = twin_of(sim, models[k], 3, (int[]){0, 1, 2});
        CHECK_INT(plait_sim_remove_fibres(sim, 1, (int[]){1}, NULL), PLAIT_OK);
        CHECK(same(sim, 0, before, 0) && same(sim, 1, before, 2));
        plait_sim_free(before);
        go_on_alike(sim, twin_of(sim, models[k], 2, (int[]){0, 2}));
        before = twin_of(sim, models[k], 2, (int[]){0, 2});
        CHECK_INT(plait_sim_add_fibres(sim, 2, more->fibre, NULL), PLAIT_OK);
        CHECK(same(sim, 0, before, 0) && same(sim, 1, before, 1));
        plait_sim_free(before);
        go_on_alike(sim, twin_of(sim, models[k], 4, (int[]){0, 2, 5, 6}));
        CHECK_NEAR(plait_rod_time(plait_sim_rod(sim, 3)), plait_sim_time(sim), 1e-12);
        plait_scene_free(more);
        plait_sim_free(sim);
    }
}

// A fibre that is added does what it would have done from the start.
CASE(new_ones_begin_now)
{
    plait_scene *one = sliders(PLAIT_ROD_DER, 1, (int[]){0}), *other = sliders(PLAIT_ROD_DER, 1, (int[]){3});
    plait_sim *sim = scenes_start(one), *alone = scenes_start(sliders(PLAIT_ROD_DER, 1, (int[]){3}));
    steps(sim, 10);
    CHECK_INT(plait_sim_add_fibres(sim, 1, other->fibre, NULL), PLAIT_OK);
    double x[3 * NODES], y[3 * NODES];
    for (int i = 0; i < 10; i++) {
        steps(sim, 1), steps(alone, 1);
        plait_rod_positions(plait_sim_rod(sim, 1), x), plait_rod_positions(plait_sim_rod(alone, 0), y);
        for (int k = 0; k < 3 * NODES; k++)
            CHECK_NEAR(x[k], y[k], 1e-6); // the other one is in the same adaptive steps and the same stopping test
    }
    plait_scene_free(other);
    plait_sim_free(sim), plait_sim_free(alone);
}

static plait_scene *pile(void)
{
    plait_scene *scene = scenes_pile(PLAIT_ROD_DER, 3, 3, 0.3);
    scene->stepping.solve.tol = 1e-5;
    return scene;
}

// Contacts of a pile: those of who goes are gone, the others have the names and impulses of before.
CASE(contacts_go_along)
{
    plait_sim *sim = scenes_start(pile());
    steps(sim, 30);
    int n = plait_sim_contacts(sim), fibres = plait_sim_fibres(sim), gone = 4, kept = 0;
    plait_sim_contact *c = malloc((size_t)n * sizeof *c);
    CHECK_INT(plait_sim_get_contacts(sim, n, c), n);
    double *arc = malloc((size_t)n * sizeof *arc), (*impulse)[3] = malloc((size_t)n * sizeof *impulse);
    int(*who)[2] = malloc((size_t)n * sizeof *who);
    const plait_work *w = &sim->work;
    for (int i = 0; i < n; i++) {
        const plait_touch *t = &w->previous.touch[i];
        int a = t->side[0].index, b = t->side[1].on_shape ? -1 : t->side[1].index;
        if (a == gone || b == gone)
            continue;
        who[kept][0] = a - (a > gone), who[kept][1] = b - (b > gone), arc[kept] = t->arc[0];
        plait_vec3_copy(plait_bonds_get(&w->bonds, i)->impulse, impulse[kept++]);
    }
    CHECK(kept > 0 && kept < n);
    CHECK_INT(plait_sim_remove_fibres(sim, 1, &gone, NULL), PLAIT_OK);
    CHECK_INT(plait_sim_fibres(sim), fibres - 1);
    CHECK_INT(w->previous.count, kept);
    for (int i = 0; i < kept; i++) {
        const plait_touch *t = &w->previous.touch[i];
        CHECK_INT(t->side[0].index, who[i][0]);
        CHECK_INT(t->side[1].on_shape ? -1 : t->side[1].index, who[i][1]);
        CHECK(t->arc[0] == arc[i] && memcmp(plait_bonds_get(&w->bonds, i)->impulse, impulse[i], sizeof impulse[i]) == 0);
    }
    // The state is one that a simulation without that fibre goes on with.
    int64_t size;
    double *state = scenes_state(sim, &size);
    plait_scene *less = pile();
    free(less->fibre[gone].point);
    memmove(less->fibre + gone, less->fibre + gone + 1, (size_t)(fibres - gone - 1) * sizeof *less->fibre);
    less->fibres--;
    plait_sim *twin = scenes_start(less);
    CHECK_INT(plait_sim_set_state(twin, state, size, NULL), PLAIT_OK);
    steps(sim, 5), steps(twin, 5);
    for (int i = 0; i < fibres - 1; i++)
        CHECK(same(sim, i, twin, i));
    free(state), free(c), free(arc), free(impulse), free(who);
    plait_sim_free(sim), plait_sim_free(twin);
}

// A root that is carried by a collider in motion is bound to it where the collider is when the fibre comes.
CASE(roots_follow)
{
    plait_scene *scene = scenes_new(0.3);
    int table = plait_scene_add_collider(scene, "table", PLAIT_SHAPE_BOX);
    scene->collider[table].shape.size[0] = scene->collider[table].shape.size[1] = 0.1;
    scene->collider[table].shape.size[2] = 0.01;
    plait_scene *more = scenes_new(0.3);
    double from[3] = {0, 0, 0.3}, along[3] = {1, 0, 0}, root[3] = {0.02, 0, 0.1};
    scenes_rod(scene, PLAIT_ROD_DER, from, along, SEGMENTS), scenes_rod(more, PLAIT_ROD_DER, root, along, SEGMENTS);
    more->fibre[0].end[0] = PLAIT_END_CLAMPED, more->fibre[0].attach[0] = table;
    plait_sim *sim = scenes_start(scene);
    double x[3 * NODES], there[3] = {0, 0.04, 0}, q[4] = {0, 0, 0, 1}, back[3] = {0};
    CHECK_INT(plait_sim_set_collider_target(sim, table, there, q, 0.02, NULL), PLAIT_OK);
    while (plait_sim_time(sim) < 0.02)
        steps(sim, 1);
    CHECK_INT(plait_sim_add_fibres(sim, 1, more->fibre, NULL), PLAIT_OK);
    plait_rod_positions(plait_sim_rod(sim, 1), x);
    CHECK(memcmp(x, root, sizeof root) == 0);
    CHECK_INT(plait_sim_set_collider_target(sim, table, back, q, 0.06, NULL), PLAIT_OK);
    while (plait_sim_time(sim) < 0.06)
        steps(sim, 1);
    plait_rod_positions(plait_sim_rod(sim, 1), x);
    for (int k = 0; k < 3; k++)
        CHECK_NEAR(x[k], root[k] - (k == 1 ? 0.04 : 0), 1e-12);
    // Bodies move in memory when another one goes: it still follows.
    CHECK_INT(plait_sim_remove_fibres(sim, 1, (int[]){0}, NULL), PLAIT_OK);
    CHECK_INT(plait_sim_set_collider_target(sim, table, there, q, 0.08, NULL), PLAIT_OK);
    while (plait_sim_time(sim) < 0.08)
        steps(sim, 1);
    plait_rod_positions(plait_sim_rod(sim, 0), x);
    for (int k = 0; k < 3; k++)
        CHECK_NEAR(x[k], root[k], 1e-12);
    plait_sim_free(sim), plait_scene_free(more);
}

CASE(nonsense_changes_nothing)
{
    plait_sim *sim = scenes_start(sliders(PLAIT_ROD_DER, 2, (int[]){0, 1}));
    plait_scene *more = sliders(PLAIT_ROD_DER, 1, (int[]){5});
    plait_error error = {0};
    steps(sim, 10);
    int64_t size, after;
    double *state = scenes_state(sim, &size);
    CHECK_INT(plait_sim_remove_fibres(sim, 1, (int[]){2}, &error), PLAIT_BAD_INPUT);
    CHECK(strstr(error.text, "there are 2") != NULL);
    CHECK_INT(plait_sim_remove_fibres(sim, 2, (int[]){1, 1}, &error), PLAIT_BAD_INPUT);
    CHECK_INT(plait_sim_add_fibres(sim, -1, more->fibre, &error), PLAIT_BAD_INPUT);
    more->fibre[0].material = 7;
    CHECK_INT(plait_sim_add_fibres(sim, 1, more->fibre, &error), PLAIT_BAD_INPUT);
    more->fibre[0].material = 0, more->fibre[0].point[4] = NAN;
    CHECK_INT(plait_sim_add_fibres(sim, 1, more->fibre, &error), PLAIT_BAD_INPUT);
    CHECK_INT(plait_sim_add_fibres(sim, 0, NULL, &error), PLAIT_OK);
    double *again = scenes_state(sim, &after);
    CHECK(size == after && memcmp(state, again, (size_t)size * sizeof *state) == 0);
    CHECK_INT(plait_sim_remove_fibres(sim, 2, (int[]){1, 0}, &error), PLAIT_OK); // an empty world goes on
    CHECK_INT(plait_sim_fibres(sim), 0);
    steps(sim, 3);
    free(state), free(again);
    plait_scene_free(more), plait_sim_free(sim);
}
