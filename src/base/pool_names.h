// pool_names.h: comes before everything else in the files of src/contact and src/math (CMakeLists.txt): their memory
// may be that of a pool. After stdlib.h, which declares the true ones.
#ifndef PLAIT_BASE_POOL_NAMES_H
#define PLAIT_BASE_POOL_NAMES_H

#include <stdlib.h>

#include "base/pool.h"

#define malloc plait_pool_malloc
#define calloc plait_pool_calloc
#define realloc plait_pool_realloc
#define aligned_alloc plait_pool_aligned_alloc
#define free plait_pool_release
#define qsort plait_pool_sort

#endif
