// tree.h: a bounding volume hierarchy in the order of a space-filling curve.
//
// Items are sorted by the Morton code of the middle of their box and put, four at a time, into the leaves of a complete
// binary tree that is stored like a heap: node k has the children 2 k and 2 k + 1, the root is 1. Nothing is chosen
// while it is built, so it is built in linear time after the sort, and fitted anew from the leaves up.
#ifndef PLAIT_COLLIDE_TREE_H
#define PLAIT_COLLIDE_TREE_H

#include <stdint.h>

#include "collide/box.h"
#include "collide/sort.h"

enum { PLAIT_TREE_LEAF = 4, PLAIT_TREE_STACK = 64 };

typedef struct plait_tree {
    int items, leaves;   // leaves: a power of two
    plait_box *node;     // [2 leaves]
    int *item;           // [items] in the order of the leaves
    plait_box *item_box; // [items] in the same order
    plait_key_item *key, *spare;
    int64_t node_room, item_room, item_box_room, key_room, spare_room;
} plait_tree;

bool plait_tree_build(plait_tree *tree, const plait_box *box, int items); // false without memory
void plait_tree_fit(plait_tree *tree, const plait_box *box);              // the same items with other boxes
void plait_tree_free(plait_tree *tree);

// Items above `after` whose boxes overlap `box`, appended to (*list)[count ..], which grows. Returns the new count, -1
// without memory.
int64_t plait_tree_overlap(const plait_tree *tree, const plait_box *box, int after, int **list, int64_t *room,
                           int64_t count);

#endif
