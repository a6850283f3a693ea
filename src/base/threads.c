// threads.c: the number of threads where nobody says one.
#include "plait/threads.h"

#include <omp.h>
#include <stdatomic.h>

static atomic_int chosen;

void plait_set_default_threads(int threads)
{
    atomic_store(&chosen, threads > 0 ? threads : 0);
}

int plait_default_threads(void)
{
    int threads = atomic_load(&chosen);
    return threads > 0 ? threads : omp_get_max_threads();
}
