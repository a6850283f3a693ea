// pool.h: memory that is used again. What is given back is kept, by size, and handed out the next time.
//
// The step of a simulation builds a problem, its groups, their factors, and throws them away: thousands of pieces whose
// sizes hardly change from step to step. With a pool, doing the same again calls the heap no more.
//
//     plait_pool *before = plait_pool_enter(pool);   // from here on this thread allocates from the pool
//     ...
//     plait_pool_enter(before);
//
// src/contact and src/math take all of their memory by the functions below (test/layers.sh looks). Without a pool they
// are those of the C library, and a pointer may go either way: the pool knows its own. Pieces from LARGE bytes on
// always come from the heap. Sanitizers see every piece: they get no pool.
#ifndef PLAIT_BASE_POOL_H
#define PLAIT_BASE_POOL_H

#include <stddef.h>

typedef struct plait_pool plait_pool;

plait_pool *plait_pool_new(void); // NULL without memory
// All pieces must have been given back, or be forgotten. NULL is fine.
void plait_pool_free(plait_pool *pool);

// The pool of this thread, NULL: the heap. enter returns the one before.
plait_pool *plait_pool_enter(plait_pool *pool);
plait_pool *plait_pool_current(void);

// As in the C library; any thread. All pieces of a pool are aligned to 64 bytes.
void *plait_malloc(size_t size);
void *plait_calloc(size_t count, size_t size);
void *plait_realloc(void *old, size_t size);
void *plait_aligned_alloc(size_t alignment, size_t size);
void plait_free(void *piece);
// Equal elements keep their order (as with glibc's qsort, which takes its scratch from the heap).
void plait_sort(void *base, size_t count, size_t size, int (*compare)(const void *, const void *));

#endif
