// rod_heap.c: no heap call in a step after the first, for every model and scheme.
#include "base/simd.h"
#include "check.h"
#include "plait/rod.h"

#if defined(__GLIBC__) && !defined(PLAIT_SANITIZED)
#define COUNTS 1
// Every allocation of this program passes here on its way to the C library.
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *old, size_t size);
void *__libc_memalign(size_t alignment, size_t size);
void *malloc(size_t size);
void *calloc(size_t count, size_t size);
void *realloc(void *old, size_t size);
void *aligned_alloc(size_t alignment, size_t size);
void __libc_free(void *p);
void free(void *p);
static volatile long calls, live; // live: allocated and not freed. volatile: the compiler thinks it knows malloc
static volatile long fail_at;     // the call with this number gets nothing

static bool fails(void)
{
    calls++;
    return calls == fail_at;
}

static void *counted(void *p)
{
    live += p != NULL;
    return p;
}

void *malloc(size_t size)
{
    return fails() ? NULL : counted(__libc_malloc(size));
}

void *calloc(size_t count, size_t size)
{
    return fails() ? NULL : counted(__libc_calloc(count, size));
}

void *realloc(void *old, size_t size)
{
    if (fails())
        return NULL;
    live -= old != NULL;
    return counted(__libc_realloc(old, size));
}

void *aligned_alloc(size_t alignment, size_t size)
{
    return fails() ? NULL : counted(__libc_memalign(alignment, size));
}

void free(void *p)
{
    live -= p != NULL;
    __libc_free(p);
}
#else
#define COUNTS 0
static long calls, live, fail_at;
#endif

static plait_rod *make(plait_rod_model model, plait_error *error)
{
    double points[6] = {0, 0, 0, 0.1, 0, 0};
    plait_rod_def def = plait_default_rod_def();
    def.model = model;
    def.point_count = 2;
    def.points = points;
    def.segments = 12;
    def.natural = PLAIT_NATURAL_CONSTANT;
    def.curvature[0] = 10;
    def.end[0].kind = PLAIT_END_CLAMPED;
    def.gravity[2] = -9.81;
    return plait_rod_new(&def, error);
}

// Whichever allocation fails, the rod is refused as a whole and nothing is left behind.
CASE(memory_that_runs_out)
{
    if (!COUNTS)
        SKIP("heap calls cannot be counted here");
    for (int m = 0; m < PLAIT_ROD_MODEL_COUNT; m++) {
        if (!plait_rod_model_name((plait_rod_model)m))
            continue;
        long before = calls, alive = live;
        plait_rod_free(make((plait_rod_model)m, NULL));
        long needed = calls - before;
        CHECK(needed > 0);
        CHECK_INT(live, alive);
        for (long k = 1; k <= needed; k++) {
            plait_error error = {0};
            fail_at = calls + k;
            plait_rod *rod = make((plait_rod_model)m, &error);
            fail_at = 0;
            CHECK(rod == NULL);
            CHECK_INT(error.status, PLAIT_NO_MEMORY);
            plait_rod_free(rod);
            CHECK_INT(live, alive);
        }
    }
}

CASE(the_counter_counts)
{
    if (!COUNTS)
        SKIP("heap calls cannot be counted here");
    long before = calls;
    void *volatile p = malloc(10);
    CHECK_INT(calls, before + 1);
    free(p);
}

CASE(steps_call_no_heap)
{
    if (!COUNTS)
        SKIP("heap calls cannot be counted here");
    for (int m = 0; m < PLAIT_ROD_MODEL_COUNT; m++) {
        for (int scheme = 0; scheme < 4 && plait_rod_model_name((plait_rod_model)m); scheme++) {
            unsigned can = plait_rod_model_abilities((plait_rod_model)m);
            plait_step_options options = plait_default_step_options();
            options.scheme = scheme == 3 ? PLAIT_STEP_NONLINEAR : (plait_step_scheme)scheme;
            options.fast_projection = scheme == 3;
            if ((scheme == PLAIT_STEP_EXPLICIT && !(can & PLAIT_ROD_EXPLICIT)) ||
                (scheme == 3 && !(can & PLAIT_ROD_PROJECTS)))
                continue;
            plait_rod *rod = make((plait_rod_model)m, NULL);
            if (!CHECK(rod != NULL))
                continue;
            plait_step_report report;
            double dt = scheme == PLAIT_STEP_EXPLICIT ? 1e-7 : 1e-3;
            plait_rod_step(rod, dt, &options, &report, NULL);
            plait_end end = plait_rod_get_end(rod, 0);
            long before = calls;
            for (int k = 0; k < 50; k++) {
                end.position[1] += 1e-4;
                plait_rod_set_end(rod, 0, &end, NULL);
                plait_rod_step(rod, dt, &options, &report, NULL);
            }
            CHECK_INT(calls - before, 0);
            plait_rod_relax(rod, NULL, &report, NULL);
            CHECK_INT(calls - before, 0);
            plait_rod_free(rod);
        }
    }
}
