// threads.c: nobody uses more threads than were asked for.
#ifndef _GNU_SOURCE
#define _GNU_SOURCE // RTLD_NEXT
#endif
#include <dlfcn.h>
#include <omp.h>
#include <pthread.h>
#include <stdatomic.h>

#include "base/simd.h"
#include "plait/generate.h"
#include "plait/threads.h"
#include "sim_scenes.h"

#if defined(__GLIBC__) && !defined(PLAIT_SANITIZED)
#define COUNTS 1
// Every thread of this program is begun here, OpenMP's too.
static atomic_int begun;
int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*work)(void *), void *data)
{
    static int (*real)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
    if (!real)
        *(void **)&real = dlsym(RTLD_NEXT, "pthread_create");
    atomic_fetch_add(&begun, 1);
    return real(thread, attributes, work, data);
}
#else
#define COUNTS 0
static atomic_int begun;
#endif

// More contacts and bodies than any loop needs to be worth a second thread: crossed layers.
static plait_scene *layers(void)
{
    plait_scene *scene = scenes_new(0.3);
    for (int i = 0; i < 500; i++) {
        int layer = i / 5;
        double place = 0.018 * (i % 5 - 2), z = 0.005 * layer;
        double from[3] = {layer % 2 ? place : -0.05, layer % 2 ? -0.05 : place, z};
        scenes_rod(scene, PLAIT_ROD_DER, from, (const double[3]){layer % 2 == 0, layer % 2, 0}, 6);
    }
    scene->detecting.proximity = 1.5e-3, scene->stepping.solve.tol = 1e-3;
    return scene;
}

static void step(int threads)
{
    plait_sim_report report;
    plait_sim *sim = scenes_start(layers());
    plait_sim_set_threads(sim, threads);
    CHECK_INT(plait_sim_step(sim, INFINITY, &report, NULL), PLAIT_OK);
    if (!CHECK(report.contacts > 2100 && !report.failed))
        printf("%d contacts\n", report.contacts);
    plait_sim_free(sim);
}

static void solve(const plait_problem *p, int threads)
{
    plait_solve_options options = plait_default_solve_options();
    options.threads = threads, options.tol = 1e-3;
    plait_solution *s = plait_solution_new(p->n);
    plait_report report;
    for (int k = 0; k < 2; k++) {
        options.solver = k ? PLAIT_SOLVER_GS : PLAIT_SOLVER_AUTO;
        CHECK_INT(plait_problem_solve(p, &options, s, &report, NULL), PLAIT_OK);
    }
    plait_solution_free(s);
}

// OpenMP would use four. Nobody begins more than n - 1 beside the one that asks.
CASE(no_more_than_asked_for)
{
    if (!COUNTS)
        SKIP("threads cannot be counted here");
    plait_fibre_options o = plait_default_fibre_options();
    o.rods = 400, o.vertices = 8;
    omp_set_num_threads(4);
    int before = begun; // OpenBLAS has some
    for (int n = 1; n <= 3; n++) {
        plait_set_default_threads(n); // for what has no option
        plait_problem *p = plait_problem_generate_fibres(&o, NULL);
        plait_certificate certificate;
        plait_solution *zero = plait_solution_new(p->n);
        CHECK(p->n > 2100);
        CHECK_INT(plait_problem_certify(p, zero, &certificate, NULL), PLAIT_OK);
        CHECK_INT(begun - before, n - 1);
        plait_set_default_threads(0);
        step(n);
        CHECK_INT(begun - before, n - 1);
        solve(p, n);
        CHECK_INT(begun - before, n - 1);
        plait_solution_free(zero), plait_problem_free(p);
    }
    step(0);
    CHECK_INT(begun - before, 3);
}
