// soft_keep.c: solids whose M stays for some steps (rod.scheme: linear): bits after a resume, threads, where they come
// to rest, and that M is kept at all.
#include <math.h>

#include "body/soft.h"
#include "check.h"
#include "plait/plait.h"
#include "sim/sim.h"
#include "sim_text.h"

static const char pile[] =
    "materials: {a: {}}\n"
    "friction: {default: 0.4}\n"
    "solids:\n"
    "  jelly: {material: a, box: {size: [12 cm, 12 cm, 4 cm], cell: 2 cm}, young: 20 kPa, poisson: 0.4, damping: 10 "
    "ms, pins: [{side: bottom}]}\n"
    "  soft: {material: a, sphere: {radius: 1.5 cm, cell: 0.8 cm}, young: 60 kPa, poisson: 0.4, damping: 5 ms, "
    "position: [2 cm, 1 cm, 3.8 cm]}\n"
    "bodies:\n"
    "  ball: {shape: sphere, radius: 1.4 cm, material: a, density: 1200 kg/m^3, position: [-2 cm, 0, 3.6 cm]}\n"
    "step: {scheme: linear, rod: {scheme: linear}, dt: 4 ms}\n"
    "solver: {tol: 1e-8}\n";

static double *state_of(plait_sim *sim, int64_t *size)
{
    *size = plait_sim_state_size(sim);
    double *state = malloc((size_t)*size * sizeof *state);
    plait_sim_get_state(sim, state);
    return state;
}

static bool step(plait_sim *sim)
{
    plait_sim_report r;
    return plait_sim_step(sim, INFINITY, &r, NULL) == PLAIT_OK && !r.failed && r.rejections == 0;
}

// Whether the state of the first solid still has the places of M that `places` has, which is brought up to date.
static bool kept(plait_sim *sim, double *places)
{
    const plait_body *b = &sim->model.body[sim->model.skin_body[0]];
    const double *now = b->state + b->state_size - b->dofs - 1;
    bool same = memcmp(places, now, (size_t)b->dofs * sizeof *now) == 0;
    memcpy(places, now, (size_t)b->dofs * sizeof *now);
    return same;
}

CASE(a_run_that_is_resumed_has_the_same_bits)
{
    int steps = CHECK_SANITIZED ? 30 : 80, often = 0;
    double places[3000] = {0};
    plait_sim *sim = sim_of_text(pile, 0, NULL);
    if (!sim)
        return;
    CHECK(plait_soft_may_keep(&sim->model.body[sim->model.skin_body[0]]));
    for (int i = 0; i < steps; i++) {
        int64_t size, then;
        double *from = i % 10 == 9 ? state_of(sim, &size) : NULL;
        CHECK(step(sim));
        often += kept(sim, places);
        if (!from)
            continue;
        plait_sim *other = sim_of_text(pile, 0, NULL);
        CHECK_INT(plait_sim_set_state(other, from, size, NULL), PLAIT_OK);
        plait_sim_set_threads(other, 1 + i / 10 % 3);
        CHECK(step(other));
        double *one = state_of(sim, &size), *two = state_of(other, &then);
        CHECK_INT(size, then);
        CHECK(size == then && memcmp(one, two, (size_t)size * sizeof *one) == 0);
        free(from), free(one), free(two), plait_sim_free(other);
    }
    CHECK(often > steps / 3);
    CHECK(often < steps);
    plait_sim_free(sim);
}

// Times of frames are rounded, what lies between them is dt all the same: else M would be made anew now and then.
CASE(frames_do_not_change_dt)
{
    plait_sim *sim = sim_of_text(pile, 0, NULL);
    if (!sim)
        return;
    int steps = 0;
    for (int frame = 1; frame <= 6; frame++)
        for (double until = frame / 30.0 * 0.36; plait_sim_time(sim) < until; steps++) {
            plait_sim_report r;
            CHECK_INT(plait_sim_step(sim, until, &r, NULL), PLAIT_OK);
            CHECK(r.dt == 4e-3);
        }
    CHECK_INT(steps, 18);
    plait_sim_free(sim);
}

// A block that sags comes to rest where its own equations are balanced, whatever its M is.
CASE(rest_is_the_same)
{
    static const char sag[] = "materials: {a: {}}\n"
                              "solids:\n"
                              "  bar: {box: {size: [12 cm, 3 cm, 3 cm], cell: 1.5 cm}, young: 50 kPa, poisson: 0.3, "
                              "damping: 20 ms, pins: [{side: left}]}\n"
                              "step: {scheme: linear, rod: {scheme: %s}, dt: 8 ms}\n";
    double x[2][3000] = {{0}};
    int nodes = 0;
    for (int k = 0; k < 2; k++) {
        char text[600];
        snprintf(text, sizeof text, sag, k == 0 ? "linear" : "nonlinear");
        plait_sim *sim = sim_of_text(text, 0, NULL);
        if (!sim)
            return;
        for (int i = 0; i < 700; i++)
            CHECK(step(sim));
        nodes = sim->model.first_skin_node[1];
        CHECK(3 * nodes <= 3000);
        plait_sim_skin_positions(sim, 0, x[k]);
        plait_sim_free(sim);
    }
    double apart = 0, low = 0;
    for (int i = 0; i < 3 * nodes; i++)
        apart = fmax(apart, fabs(x[0][i] - x[1][i])), low = fmin(low, x[0][i]);
    CHECK(low < -0.018); // it sags at all
    CHECK_NEAR(apart, 0, 1e-9);
}
