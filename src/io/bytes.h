// bytes.h: bytes that grow, for containers whose headers are known at the end.
#ifndef PLAIT_IO_BYTES_H
#define PLAIT_IO_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef struct plait_bytes {
    unsigned char *b;
    size_t count, room;
    bool failed; // no memory: something is missing
} plait_bytes;

static inline void plait_bytes_push(plait_bytes *v, const void *from, size_t count)
{
    if (v->count + count > v->room) {
        size_t room = 2 * (v->count + count) + 64;
        unsigned char *grown = realloc(v->b, room);
        if (!grown) {
            v->failed = true;
            return;
        }
        v->b = grown;
        v->room = room;
    }
    if (count > 0)
        memcpy(v->b + v->count, from, count);
    v->count += count;
}

// The caller frees it. *failed is set without memory.
static inline char *plait_bytes_copy_text(const char *text, bool *failed)
{
    size_t size = strlen(text) + 1;
    char *copy = malloc(size);
    if (copy)
        memcpy(copy, text, size);
    *failed = *failed || !copy;
    return copy;
}

// One more of a list of places. *failed is set without memory.
static inline bool plait_bytes_grow_places(uint64_t **list, size_t count, size_t *room, bool *failed)
{
    if (count < *room)
        return true;
    uint64_t *grown = realloc(*list, (2 * *room + 4) * sizeof *grown);
    if (grown)
        *list = grown, *room = 2 * *room + 4;
    *failed = *failed || !grown;
    return grown;
}

#endif
