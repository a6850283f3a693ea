// grid.h: a uniform grid whose cells wrap around (after Teschner et al. 2003).
//
// Space is cut into cubes of side `cell`; cube (x, y, z) belongs to the bucket (x mod X, y mod Y, z mod Z), X, Y, Z
// powers of two that are large enough for the whole scene if memory allows. Neighbours in space are then neighbours in
// memory. A link enters every cube that a piece of it (half a cell long) may touch during its motion, so a thin
// diagonal link does not fill its bounding box. Entries are put in order by counting; there is no list per cell.
#ifndef PLAIT_COLLIDE_GRID_H
#define PLAIT_COLLIDE_GRID_H

#include <stdint.h>

#include "collide/box.h"

typedef struct plait_grid {
    plait_box all; // the scene
    double cell, per_cell;
    int bits[3];
    int64_t entries;
    uint32_t *bucket;     // [entries] in the order of the links
    int64_t *first_entry; // [links + 1]
    int32_t *start;       // [buckets + 1]
    int *item;            // [entries] links in the order of the buckets
    int64_t bucket_room, first_room, start_room, item_room;
} plait_grid;

#endif
