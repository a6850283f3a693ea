#include "environment.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

extern char *openblas_get_corename(void) __attribute__((weak));

// The kernels to ask for, or NULL if OpenBLAS chose well by itself.
static const char *better_kernels(void)
{
#if defined(__x86_64__)
    static const char *const oldest[] = {"Prescott", "Core2", "Nehalem", "generic"};
    const char *chosen = openblas_get_corename ? openblas_get_corename() : "";
    for (size_t i = 0; i < sizeof oldest / sizeof *oldest; i++)
        if (strcmp(chosen, oldest[i]) == 0) {
            __builtin_cpu_init();
            if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
                __builtin_cpu_supports("avx512vl"))
                return "SkylakeX";
            return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") ? "Haswell" : NULL;
        }
#endif
    return NULL;
}

static bool set_if_missing(const char *name, const char *value)
{
    return value && !getenv(name) && setenv(name, value, 0) == 0;
}

void plait_cli_prepare_environment(char **argv)
{
    static const char mark[] = "PLAIT_STARTED_AGAIN"; // never twice, whatever the libraries make of it
    if (getenv(mark))
        return;
    bool changed = set_if_missing("OPENBLAS_CORETYPE", better_kernels());
    changed |= set_if_missing("OPENBLAS_NUM_THREADS", "1");
    changed |= set_if_missing("GOMP_SPINCOUNT", "20000");
    if (changed && setenv(mark, "1", 1) == 0)
        execv("/proc/self/exe", argv);
}
