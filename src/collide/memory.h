// memory.h: arrays that grow and stay.
#ifndef PLAIT_COLLIDE_MEMORY_H
#define PLAIT_COLLIDE_MEMORY_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

// `array` is the address of a pointer to elements of `size` bytes, *room how many fit. Makes room for `need`; what was
// there stays. False without memory: then nothing has changed.
static inline bool plait_grow(void *array, int64_t *room, int64_t need, size_t size)
{
    if (need <= *room)
        return true;
    int64_t more = *room + *room / 2 > need ? *room + *room / 2 : need;
    if (more < 16)
        more = 16;
    void *p;
    memcpy(&p, array, sizeof p);
    p = realloc(p, (size_t)more * size);
    if (!p)
        return false;
    memcpy(array, &p, sizeof p);
    *room = more;
    return true;
}

#endif
