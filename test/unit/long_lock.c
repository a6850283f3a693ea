// A lock of hair that only friction holds together stays as it is; without friction it falls apart.
#include "check.h"
#include "plait/sim.h"

typedef struct lock_result {
    double drift;    // [m] of the node that has moved most between `settled` and the end
    double residual; // the largest one from `settled` on
    double stretch;
    int steps, over_tolerance;
    double lowest; // [m] of all nodes at the end
} lock_result;

static lock_result run_lock(const char *friction, double settled, double end)
{
    lock_result result = {.drift = INFINITY, .lowest = -INFINITY};
    plait_error error = {0};
    plait_scene *scene = plait_scene_find("lock-small", 1, &friction, &error);
    plait_sim *sim = scene ? plait_sim_new(scene, &error) : NULL;
    if (!CHECK(sim)) {
        puts(error.text);
        plait_scene_free(scene);
        return result;
    }
    int nodes = plait_sim_first_node(sim)[scene->fibres];
    double *x = malloc(6 * (size_t)nodes * sizeof *x), *y = x + 3 * nodes;
    plait_sim_report r = {0};
    bool there = true;
    for (int phase = 0; phase < 2 && there; phase++) {
        double until = phase ? end : settled;
        while (there && plait_sim_time(sim) < until) {
            there = CHECK(plait_sim_step(sim, until, &r, &error) == PLAIT_OK && !r.failed);
            if (phase) {
                result.residual = fmax(result.residual, r.certificate.residual_rel);
                result.over_tolerance += !r.converged;
            }
            result.stretch = fmax(result.stretch, r.max_stretch), result.steps++;
        }
        plait_sim_positions(sim, phase ? y : x);
    }
    result.drift = there ? 0 : INFINITY, result.lowest = 0;
    for (int i = 0; i < 3 * nodes && there; i += 3) {
        result.drift = fmax(result.drift, hypot(hypot(y[i] - x[i], y[i + 1] - x[i + 1]), y[i + 2] - x[i + 2]));
        result.lowest = fmin(result.lowest, y[i + 2]);
    }
    printf(
        "%s: from %g s to %g s it drifts by %.3g mm; lowest point %.4g cm; %d steps, %d contacts at the end, residual "
        "up to %.2g, %d over the tolerance, stretch up to %.2g %%\n",
        friction, settled, end, 1e3 * result.drift, 1e2 * result.lowest, result.steps, r.contacts, result.residual,
        result.over_tolerance, 100 * result.stretch);
    free(x);
    plait_sim_free(sim);
    plait_scene_free(scene);
    return result;
}

CASE(a_held_lock_does_not_unravel)
{
    lock_result held = run_lock("friction.default=0.5", 4, 14);
    CHECK(held.drift < 1e-9 * 10);
    CHECK(held.lowest > -0.07);  // all of it, and nothing below its own length
    CHECK(held.residual <= 1e-6 && held.over_tolerance == 0);
    CHECK(held.stretch < 0.01);
}

CASE(without_friction_it_does)
{
    lock_result loose = run_lock("friction.default=0", 0.1, 0.5);
    CHECK(loose.drift > 0.1);
    CHECK(loose.lowest < -0.3);
}
