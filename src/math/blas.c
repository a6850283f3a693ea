#include "math/blas.h"

#include <pthread.h>
#include <stddef.h>

// Only OpenBLAS has these; another BLAS is left as it is.
extern int openblas_get_num_threads(void) __attribute__((weak));
extern void openblas_set_num_threads(int threads) __attribute__((weak));

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int users, before;

void plait_blas_serial_begin(void)
{
    if (openblas_get_num_threads == NULL || openblas_set_num_threads == NULL)
        return;
    pthread_mutex_lock(&lock);
    if (users++ == 0) {
        before = openblas_get_num_threads();
        if (before > 1)
            openblas_set_num_threads(1);
    }
    pthread_mutex_unlock(&lock);
}

void plait_blas_serial_end(void)
{
    if (openblas_get_num_threads == NULL || openblas_set_num_threads == NULL)
        return;
    pthread_mutex_lock(&lock);
    if (--users == 0 && before > 1)
        openblas_set_num_threads(before);
    pthread_mutex_unlock(&lock);
}
