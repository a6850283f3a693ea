// pool.c: chunks of memory, cut into pieces that are cut again and joined again.
//
// Small pieces have classes of sizes, four to every doubling, so they waste a fifth at most; those of a class that were
// given back are in a list. Larger ones (blocks) are cut to size, and joined with free neighbours when they are given
// back: what a step needs first for its matrices serves it later for its solver. Free blocks are in lists by size.
// A piece has its class, a block its length and its neighbour in front of it. Which pointers are a pool's is told by a
// table of all chunks; it is short, since chunks get larger.
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

enum { ALIGN = 64, SMALL = 4096, CLASSES = 96, CHUNKS = 1024, FIRST_CHUNK = 1 << 16, LARGE = 1 << 24, BLOCK = -1 };

typedef struct piece {
    int class;                  // of small pieces; BLOCK
    bool is_free, ends;         // blocks: given back; the last of its chunk
    size_t size;                // blocks: in bytes, this header included
    struct piece *before;       // blocks: the one below in its chunk, NULL: none
    struct piece *next, **link; // in a list; blocks: what points here
} piece;
_Static_assert(sizeof(piece) <= ALIGN, "in front of a piece");

struct plait_pool {
    piece *list[CLASSES];  // small pieces that were given back
    piece *block[CLASSES]; // free blocks at least as large as their class and smaller than the next
    char *at, *end;        // of what is being cut into small pieces
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

static void shelve(plait_pool *pool, piece *p)
{
    piece **link = &pool->block[class_of(p->size + 1) - 1];
    while (*link && (uintptr_t)*link < (uintptr_t)p)
        link = &(*link)->next;
    p->is_free = true, p->next = *link, p->link = link;
    if (p->next)
        p->next->link = &p->next;
    *link = p;
}

static void unshelve(piece *p)
{
    *p->link = p->next;
    if (p->next)
        p->next->link = p->link;
    p->is_free = false;
}

static piece *above(const piece *p)
{
    return p->ends ? NULL : (piece *)(void *)((char *)p + p->size);
}

static bool add_chunk(plait_pool *pool, size_t need)
{
    size_t size = pool->capacity / 2 > FIRST_CHUNK ? pool->capacity / 2 : FIRST_CHUNK;
    size = size < LARGE ? size : LARGE;
    size = (size < need ? need : size) / ALIGN * ALIGN + ALIGN;
    int n = atomic_load(&chunks);
    char *begin = n < CHUNKS ? aligned_alloc(ALIGN, size) : NULL;
    if (!begin)
        return false;
    chunk[n].begin = begin, chunk[n].end = begin + size, chunk[n].pool = pool;
    atomic_store(&chunks, n + 1);
    pool->capacity += size;
    piece *all = (piece *)(void *)begin;
    *all = (piece){.class = BLOCK, .ends = true, .size = size};
    shelve(pool, all);
    return true;
}

// A block of `need` bytes, header included: the first that is large enough among the smallest ones.
static piece *take_block(plait_pool *pool, size_t need)
{
    piece *p = NULL;
    for (int c = class_of(need + 1) - 1; c < CLASSES && !p; c++)
        for (p = pool->block[c]; p && p->size < need;)
            p = p->next;
    if (!p)
        return add_chunk(pool, need) ? take_block(pool, need) : NULL;
    unshelve(p);
    if (p->size - need < SMALL)
        return p;
    piece *rest = (piece *)(void *)((char *)p + need), *next = above(p);
    *rest = (piece){.class = BLOCK, .ends = p->ends, .size = p->size - need, .before = p};
    if (next)
        next->before = rest;
    p->ends = false, p->size = need;
    shelve(pool, rest);
    return p;
}

// p takes in what is above it.
static void join(piece *p)
{
    piece *next = above(p);
    p->size += next->size, p->ends = next->ends;
    if (above(p))
        above(p)->before = p;
}

static void give_block(plait_pool *pool, piece *p)
{
    piece *next = above(p);
    if (next && next->is_free)
        unshelve(next), join(p);
    if (p->before && p->before->is_free)
        p = p->before, unshelve(p), join(p);
    shelve(pool, p);
}

static size_t whole(size_t size)
{
    return ALIGN + (size + ALIGN - 1) / ALIGN * ALIGN;
}

// With the lock held.
static void *take(plait_pool *pool, size_t size)
{
    if (size >= SMALL) {
        piece *p = take_block(pool, whole(size));
        return p ? (char *)p + ALIGN : NULL;
    }
    int c = class_of(size);
    piece *p = pool->list[c];
    if (p) {
        pool->list[c] = p->next;
        return (char *)p + ALIGN;
    }
    size_t need = whole(class_size(c));
    if ((size_t)(pool->end - pool->at) < need) {
        piece *more = take_block(pool, FIRST_CHUNK / 2);
        if (!more)
            return NULL;
        pool->at = (char *)more + ALIGN, pool->end = (char *)more + more->size;
    }
    p = (piece *)(void *)pool->at;
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
            if (p->class == BLOCK)
                give_block(pool, p);
            else
                p->next = pool->list[p->class], pool->list[p->class] = p;
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
    const piece *p = owner(old) ? piece_of(old) : NULL;
    size_t room = !p ? 0 : p->class == BLOCK ? p->size - ALIGN : class_size(p->class);
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
