// sim_heap.c: whichever allocation of a step fails, the step says so and has done nothing; never a smaller dt.
#include "heap.h"
#include "plait/generate.h"
#include "sim/sim.h"
#include "sim_scenes.h"

typedef struct trial {
    const char *name;
    plait_rod_model model;
    plait_scheme scheme;
    double theta;
    double sunk;    // [m] how far the lowest rods start inside the ground
    double start;   // [s] when the judged step begins
    bool contacts;  // whether there are some then
    bool nonlinear; // ADONIS has to linearise more than once
    plait_solver solver;
} trial;

// A small crossed pile on the ground; super-helices are held at their roots and lean on it. Without contacts: high
// above the ground and each other.
static plait_scene *make(const trial *t)
{
    plait_scene *scene = scenes_new(0.3);
    scenes_ground(scene);
    for (int i = 0; i < 4; i++) {
        bool across = i % 2;
        double place = 0.02 * (i / 2) - 0.01, z = 0.0019 + 0.0041 * across - t->sunk + (t->contacts ? 0 : 1 + i);
        double from[3] = {across ? place : -0.05, across ? -0.05 : place, z}, along[3] = {!across, across, 0};
        bool helix = t->model == PLAIT_ROD_SUPERHELIX;
        if (helix)
            from[2] += 0.02, along[2] = -0.2;
        int f = scenes_rod(scene, t->model, from, along, helix ? 3 : 6);
        if (helix)
            scene->fibre[f].end[0] = PLAIT_END_CLAMPED;
    }
    scene->stepping.scheme = t->scheme, scene->stepping.theta = t->theta, scene->stepping.solve.solver = t->solver;
    if (t->nonlinear)
        scene->stepping.nonlinear = 1e-9;
    return scene;
}

// A simulation in the state `from`; nothing of its work memory is left from before.
static plait_sim *resume(const trial *t, const double *from, int64_t size)
{
    plait_sim *sim = scenes_start(make(t));
    plait_sim_set_threads(sim, 1);
    plait_pool_free(sim->work.pool), sim->work.pool = NULL; // every piece comes from the heap, and can be missing
    CHECK_INT(plait_sim_set_state(sim, from, size, NULL), PLAIT_OK);
    return sim;
}

// Either "no memory" and the state of before, or the state that the step gives with all the memory it wants.
static void judge(const trial *t)
{
    plait_sim_report report = {0};
    plait_sim *sim = scenes_start(make(t));
    plait_sim_set_threads(sim, 1);
    if (t->start > 0 && !CHECK(scenes_run(sim, t->start, &report)))
        printf("%s\n", t->name);
    int64_t size, size_after;
    double *before = scenes_state(sim, &size);
    plait_sim_free(sim);

    sim = resume(t, before, size);
    long first = calls;
    CHECK_INT(plait_sim_step(sim, INFINITY, &report, NULL), PLAIT_OK);
    long needed = calls - first, wrong = 0, refused = 0;
    CHECK(!report.failed && report.rejections == 0);
    if (!CHECK((report.contacts > 0) == t->contacts && (!t->nonlinear || report.newton > 1)))
        printf("%s: %d contacts, %d linearisations\n", t->name, report.contacts, report.newton);
    double *after = scenes_state(sim, &size_after);
    plait_sim_free(sim);

    for (long k = 1; k <= needed; k++) {
        sim = resume(t, before, size);
        long alive = live;
        plait_error error = {0};
        fail_at = calls + k;
        plait_status status = plait_sim_step(sim, INFINITY, &report, k % 2 ? &error : NULL);
        fail_at = 0;
        bool no = status == PLAIT_NO_MEMORY && scenes_in_state(sim, before, size) && (k % 2 == 0 || error.status == status);
        bool yes = status == PLAIT_OK && scenes_in_state(sim, after, size_after);
        wrong += !no && !yes, refused += no;
        if (!no && !yes)
            printf("%s: allocation %ld of %ld: status %d, dt %g, %s\n", t->name, k, needed, status, report.dt,
                   report.reason ? report.reason : "");
        if (no) // it goes on as if nothing had been
            wrong += plait_sim_step(sim, INFINITY, &report, NULL) != PLAIT_OK || !scenes_in_state(sim, after, size_after);
        plait_sim_free(sim);
        wrong += live > alive;
    }
    printf("%-28s %5ld allocations, %5ld refused, %ld wrong\n", t->name, needed, refused, wrong);
    CHECK_INT(wrong, 0);
    CHECK(refused > (t->contacts ? needed / 2 : -1));
    free(before), free(after);
}

#define EACH(...)                                                                                                      \
    do {                                                                                                               \
        if (!COUNTS)                                                                                                   \
            SKIP("heap calls cannot be counted here");                                                                 \
        static const trial all[] = {__VA_ARGS__};                                                                      \
        for (size_t i = 0; i < sizeof all / sizeof *all; i++)                                                          \
            judge(&all[i]);                                                                                            \
    } while (0)

#define LINEAR PLAIT_SCHEME_LINEAR, 1, 0, 0.004

CASE(without_contacts)
{
    EACH({"der alone", PLAIT_ROD_DER, LINEAR, false, false, PLAIT_SOLVER_AUTO},
         {"superhelix alone", PLAIT_ROD_SUPERHELIX, LINEAR, false, false, PLAIT_SOLVER_AUTO},
         {"mass-spring alone", PLAIT_ROD_MASS_SPRING, LINEAR, false, false, PLAIT_SOLVER_AUTO},
         {"corde alone", PLAIT_ROD_CORDE, LINEAR, false, false, PLAIT_SOLVER_AUTO});
}

CASE(with_contacts)
{
    EACH({"der", PLAIT_ROD_DER, LINEAR, true, false, PLAIT_SOLVER_AUTO},
         {"superhelix", PLAIT_ROD_SUPERHELIX, LINEAR, true, false, PLAIT_SOLVER_AUTO},
         {"mass-spring", PLAIT_ROD_MASS_SPRING, LINEAR, true, false, PLAIT_SOLVER_AUTO},
         {"corde", PLAIT_ROD_CORDE, LINEAR, true, false, PLAIT_SOLVER_AUTO},
         {"der, impulse", PLAIT_ROD_DER, PLAIT_SCHEME_IMPULSE, 1, 0, 0.004, true, false, PLAIT_SOLVER_AUTO});
}

CASE(adonis)
{
    EACH({"der, adonis", PLAIT_ROD_DER, PLAIT_SCHEME_ADONIS, 1, 0, 0.004, true, true, PLAIT_SOLVER_AUTO},
         {"superhelix, adonis", PLAIT_ROD_SUPERHELIX, PLAIT_SCHEME_ADONIS, 1, 0, 0.004, true, false, PLAIT_SOLVER_AUTO},
         {"mass-spring, adonis", PLAIT_ROD_MASS_SPRING, PLAIT_SCHEME_ADONIS, 1, 0, 0.004, true, true,
          PLAIT_SOLVER_AUTO});
}

CASE(theta)
{
    EACH({"der, theta", PLAIT_ROD_DER, PLAIT_SCHEME_LINEAR, 0.5, 0, 0.004, true, false, PLAIT_SOLVER_AUTO},
         {"superhelix, theta", PLAIT_ROD_SUPERHELIX, PLAIT_SCHEME_LINEAR, 0.5, 0, 0.004, true, false,
          PLAIT_SOLVER_AUTO});
}

CASE(recover)
{
    EACH({"der, sunk a little", PLAIT_ROD_DER, PLAIT_SCHEME_LINEAR, 1, -4e-5, 0, true, false, PLAIT_SOLVER_AUTO},
         {"der, sunk", PLAIT_ROD_DER, PLAIT_SCHEME_LINEAR, 1, 1e-3, 0, true, false, PLAIT_SOLVER_AUTO},
         {"superhelix, sunk", PLAIT_ROD_SUPERHELIX, PLAIT_SCHEME_LINEAR, 1, 1e-3, 0, true, false, PLAIT_SOLVER_AUTO});
}

CASE(every_solver)
{
    EACH({"gs", PLAIT_ROD_DER, LINEAR, true, false, PLAIT_SOLVER_GS},
         {"spg", PLAIT_ROD_DER, LINEAR, true, false, PLAIT_SOLVER_SPG},
         {"apgd", PLAIT_ROD_DER, LINEAR, true, false, PLAIT_SOLVER_APGD},
         {"admm", PLAIT_ROD_DER, LINEAR, true, false, PLAIT_SOLVER_ADMM},
         {"newton-ac", PLAIT_ROD_DER, LINEAR, true, false, PLAIT_SOLVER_NEWTON_AC},
         {"newton-mfb", PLAIT_ROD_DER, LINEAR, true, false, PLAIT_SOLVER_NEWTON_MFB},
         {"prox", PLAIT_ROD_DER, LINEAR, true, false, PLAIT_SOLVER_PROX},
         {"cadoux", PLAIT_ROD_DER, LINEAR, true, false, PLAIT_SOLVER_CADOUX},
         {"ipm", PLAIT_ROD_DER, LINEAR, true, false, PLAIT_SOLVER_IPM});
}
