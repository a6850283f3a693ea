// arena.c: a chain of chunks, each larger than all before it, so that their number stays small.
#include "base/arena.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct plait_arena_chunk {
    plait_arena_chunk *next;
    size_t size, used; // bytes after the header
};

enum { HEADER = PLAIT_ARENA_ALIGN, FIRST_CHUNK = 1 << 16 };
_Static_assert(sizeof(plait_arena_chunk) <= HEADER, "data starts one alignment after the header");

// Puts a new, empty chunk with room for `bytes` behind the current one.
static plait_arena_chunk *add_chunk(plait_arena *arena, size_t bytes)
{
    size_t size = arena->capacity ? 2 * arena->capacity : FIRST_CHUNK;
    if (size < bytes)
        size = bytes;
    if (size > SIZE_MAX / 4)
        return NULL;
    plait_arena_chunk *chunk = aligned_alloc(PLAIT_ARENA_ALIGN, HEADER + size);
    if (!chunk)
        return NULL;
    plait_arena_chunk **link = arena->current ? &arena->current->next : &arena->first;
    *chunk = (plait_arena_chunk){.next = *link, .size = size};
    *link = chunk;
    arena->capacity += size;
    return chunk;
}

void *plait_arena_alloc(plait_arena *arena, size_t count, size_t size)
{
    if (size && count > (SIZE_MAX / 4) / size)
        return NULL;
    size_t bytes = (count * size + PLAIT_ARENA_ALIGN - 1) / PLAIT_ARENA_ALIGN * PLAIT_ARENA_ALIGN;
    plait_arena_chunk *chunk = arena->current;
    if (!chunk || chunk->size - chunk->used < bytes) {
        plait_arena_chunk *spare = chunk ? chunk->next : arena->first;
        chunk = spare && spare->size >= bytes ? spare : add_chunk(arena, bytes);
        if (!chunk)
            return NULL;
        chunk->used = 0;
        arena->current = chunk;
    }
    char *piece = (char *)chunk + HEADER + chunk->used;
    chunk->used += bytes;
    return piece;
}

void *plait_arena_zeros(plait_arena *arena, size_t count, size_t size)
{
    void *piece = plait_arena_alloc(arena, count, size);
    return piece ? memset(piece, 0, count * size) : NULL;
}

plait_arena_mark plait_arena_get_mark(const plait_arena *arena)
{
    return (plait_arena_mark){arena->current, arena->current ? arena->current->used : 0};
}

void plait_arena_release(plait_arena *arena, plait_arena_mark mark)
{
    arena->current = mark.chunk;
    if (mark.chunk)
        mark.chunk->used = mark.used;
}

void plait_arena_free(plait_arena *arena)
{
    for (plait_arena_chunk *chunk = arena->first; chunk;) {
        plait_arena_chunk *next = chunk->next;
        free(chunk);
        chunk = next;
    }
    *arena = (plait_arena){0};
}
