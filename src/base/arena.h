// arena.h: scratch memory that is handed out in order and given back all at once.
//
//     plait_arena arena = {0};
//     plait_arena_mark mark = plait_arena_get_mark(&arena);
//     double *x = plait_arena_alloc(&arena, n, sizeof *x);    // not cleared, aligned to 64 bytes
//     ...
//     plait_arena_release(&arena, mark);                      // x is gone, the memory stays with the arena
//     plait_arena_free(&arena);
//
// Memory never moves while it is in use. Doing the same again after a release calls the heap no more. One arena belongs
// to one thread.
#ifndef PLAIT_BASE_ARENA_H
#define PLAIT_BASE_ARENA_H

#include <stddef.h>

enum { PLAIT_ARENA_ALIGN = 64 };

typedef struct plait_arena_chunk plait_arena_chunk;

typedef struct plait_arena {
    plait_arena_chunk *first, *current; // current: where the next piece comes from; NULL if nothing is in use
    size_t capacity;                    // bytes of all chunks
} plait_arena;

typedef struct plait_arena_mark {
    plait_arena_chunk *chunk;
    size_t used;
} plait_arena_mark;

// count * size bytes, NULL if there is no memory (or the product is no size_t). count = 0 gives a pointer too.
void *plait_arena_alloc(plait_arena *arena, size_t count, size_t size);
void *plait_arena_zeros(plait_arena *arena, size_t count, size_t size); // the same, cleared

plait_arena_mark plait_arena_get_mark(const plait_arena *arena);
// Gives back all that was handed out since the mark. Marks are released in the reverse order of their making.
void plait_arena_release(plait_arena *arena, plait_arena_mark mark);

void plait_arena_free(plait_arena *arena); // back to {0}

#endif
