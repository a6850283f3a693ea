// pool.c: chunks of memory, cut into pieces; lists of pieces that were given back, one for each class of sizes.
//
// Classes are four to every doubling, so a piece wastes a fifth at most. A piece has its class in front of it. Which
// pointers are a pool's is told by a table of all chunks; it is short, since chunks double.
#include "base/pool.h"

#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/simd.h"

#ifdef PLAIT_SANITIZED
static const bool POOLED = false; // every piece is to be seen
#else
static const bool POOLED = true;
#endif

enum { ALIGN = 64, SMALL = 4096, CLASSES = 96, CHUNKS = 1024, FIRST_CHUNK = 1 << 16, LARGE = 1 << 24 };

typedef struct piece {
    int class;
    struct piece *next; // in the list of its class
} piece;

struct plait_pool {
    piece *list[CLASSES];
    char *at, *end; // of the chunk that is being cut
    size_t capacity;
};

// All chunks of all pools. One lock for everything: whoever holds it does a few instructions.
static struct {
    char *begin, *end;
    plait_pool *pool;
} chunk[CHUNKS];
static atomic_int chunks;
static atomic_flag lock = ATOMIC_FLAG_INIT;
static _Thread_local plait_pool *current;

static void enter(void)
{
    while (atomic_flag_test_and_set_explicit(&lock, memory_order_acquire))
        sched_yield();
}

static void leave(void)
{
    atomic_flag_clear_explicit(&lock, memory_order_release);
}

// ---- sizes ----------------------------------------------------------------------------------------------------------

// Class c has pieces of (4 + c % 4) 16 2^(c / 4) bytes.
static size_t class_size(int c)
{
    return (size_t)(4 + c % 4) << (4 + c / 4);
}

static int class_of(size_t size)
{
    int c = 0;
    while (class_size(c) < size)
        c += class_size(c + 4) < size ? 4 : 1;
    return c;
}

// ---- pieces ---------------------------------------------------------------------------------------------------------

static bool add_chunk(plait_pool *pool, size_t need)
{
    size_t size = pool->capacity > FIRST_CHUNK ? pool->capacity : FIRST_CHUNK;
    size = size < LARGE ? size : LARGE;
    size = (size < need ? need : size) / ALIGN * ALIGN + ALIGN;
    int n = atomic_load(&chunks);
    char *begin = n < CHUNKS ? aligned_alloc(ALIGN, size) : NULL;
    if (!begin)
        return false;
    chunk[n].begin = begin, chunk[n].end = begin + size, chunk[n].pool = pool;
    atomic_store(&chunks, n + 1);
    pool->at = begin, pool->end = begin + size, pool->capacity += size;
    return true;
}

// With the lock held.
static void *take(plait_pool *pool, size_t size)
{
    int c = class_of(size);
    // Sizes change a little from step to step: of large pieces one that is less than twice as large will do, so that
    // not every class has its own.
    for (int k = c; k < CLASSES && k < c + (size < SMALL ? 1 : 4); k++) {
        piece *p = pool->list[k];
        if (p) {
            pool->list[k] = p->next;
            return (char *)p + ALIGN;
        }
    }
    size_t need = ALIGN + (class_size(c) + ALIGN - 1) / ALIGN * ALIGN;
    if ((size_t)(pool->end - pool->at) < need && !add_chunk(pool, need))
        return NULL;
    piece *p = (piece *)(void *)pool->at;
    pool->at += need;
    p->class = c;
    return (char *)p + ALIGN;
}

// Whose a pointer is; NULL: the heap's. With the lock held.
static plait_pool *owner(const void *pointer)
{
    uintptr_t at = (uintptr_t)pointer;
    for (int i = atomic_load(&chunks) - 1; i >= 0; i--)
        if (at >= (uintptr_t)chunk[i].begin && at < (uintptr_t)chunk[i].end)
            return chunk[i].pool;
    return NULL;
}

static piece *piece_of(void *pointer)
{
    return (piece *)(void *)((char *)pointer - ALIGN);
}

// ---- pools ----------------------------------------------------------------------------------------------------------

plait_pool *plait_pool_new(void)
{
    return calloc(1, sizeof(plait_pool));
}

void plait_pool_free(plait_pool *pool)
{
    if (!pool)
        return;
    enter();
    int kept = 0, n = atomic_load(&chunks);
    for (int i = 0; i < n; i++) {
        if (chunk[i].pool == pool)
            free(chunk[i].begin);
        else
            chunk[kept++] = chunk[i];
    }
    atomic_store(&chunks, kept);
    leave();
    free(pool);
}

plait_pool *plait_pool_enter(plait_pool *pool)
{
    plait_pool *before = current;
    current = pool;
    return before;
}

plait_pool *plait_pool_current(void)
{
    return current;
}

// ---- as in the C library --------------------------------------------------------------------------------------------

void *plait_malloc(size_t size)
{
    if (!POOLED || !current || size >= LARGE)
        return malloc(size);
    enter();
    void *p = take(current, size);
    bool full = atomic_load(&chunks) == CHUNKS;
    leave();
    // no more chunks: the heap's, as a large one
    return p || !full ? p : aligned_alloc(ALIGN, (size / ALIGN + 1) * ALIGN);
}

void *plait_calloc(size_t count, size_t size)
{
    if (!current)
        return calloc(count, size);
    if (size && count > SIZE_MAX / size)
        return NULL;
    void *p = plait_malloc(count * size);
    return p ? memset(p, 0, count * size) : NULL;
}

void *plait_aligned_alloc(size_t alignment, size_t size)
{
    bool pooled = POOLED && current && size < LARGE && alignment <= ALIGN;
    return pooled ? plait_malloc(size) : aligned_alloc(alignment, size);
}

void plait_free(void *pointer)
{
    if (pointer && atomic_load(&chunks) > 0) {
        enter();
        plait_pool *pool = owner(pointer);
        if (pool) {
            piece *p = piece_of(pointer);
            p->next = pool->list[p->class];
            pool->list[p->class] = p;
        }
        leave();
        if (pool)
            return;
    }
    free(pointer);
}

void *plait_realloc(void *old, size_t size)
{
    if (!old)
        return plait_malloc(size);
    enter();
    size_t room = owner(old) ? class_size(piece_of(old)->class) : 0;
    leave();
    if (room == 0)
        return realloc(old, size);
    if (size <= room)
        return old;
    void *fresh = plait_malloc(size);
    if (fresh) {
        memcpy(fresh, old, room);
        plait_free(old);
    }
    return fresh;
}

// ---- sorting --------------------------------------------------------------------------------------------------------

typedef struct order {
    size_t size;
    int (*compare)(const void *, const void *);
    char *spare;
} order;

static void merge_sort(const order *o, char *a, size_t count)
{
    if (count < 2)
        return;
    size_t half = count / 2, i = 0, j = half, k = 0, size = o->size;
    merge_sort(o, a, half), merge_sort(o, a + half * size, count - half);
    for (; i < half && j < count; k++) { // from the second half only what is smaller
        size_t from = o->compare(a + i * size, a + j * size) <= 0 ? i++ : j++;
        memcpy(o->spare + k * size, a + from * size, size);
    }
    memcpy(o->spare + k * size, a + i * size, (half - i) * size); // what is left of the second half is in its place
    memcpy(a, o->spare, (k + half - i) * size);
}

void plait_sort(void *base, size_t count, size_t size, int (*compare)(const void *, const void *))
{
    enum { LITTLE = 1000 }; // bytes that qsort has on the stack
    order o = {size, compare, NULL};
    if (current && count * size > LITTLE)
        o.spare = plait_malloc(count * size);
    if (!o.spare) {
        qsort(base, count, size, compare);
        return;
    }
    merge_sort(&o, base, count);
    plait_free(o.spare);
}
