// tree.c: a bounding volume hierarchy in the order of a space-filling curve.
#include "collide/tree.h"

#include <stdlib.h>

#include "collide/memory.h"

// The low 21 bits of x, each followed by two zeros.
static uint64_t spread(uint64_t x)
{
    x &= 0x1fffff;
    x = (x | x << 32) & 0x1f00000000ffff;
    x = (x | x << 16) & 0x1f0000ff0000ff;
    x = (x | x << 8) & 0x100f00f00f00f00f;
    x = (x | x << 4) & 0x10c30c30c30c30c3;
    x = (x | x << 2) & 0x1249249249249249;
    return x;
}

static uint64_t morton(const plait_box *box, const plait_box *all, double scale)
{
    uint64_t code = 0;
    for (int k = 0; k < 3; k++) {
        double x = (0.5 * ((double)box->lo[k] + (double)box->hi[k]) - (double)all->lo[k]) * scale;
        uint64_t cell = x > 0 ? (x < 2097151 ? (uint64_t)x : 2097151) : 0;
        code |= spread(cell) << k;
    }
    return code;
}

bool plait_tree_build(plait_tree *tree, const plait_box *box, int items)
{
    int leaves = 1;
    while ((int64_t)leaves * PLAIT_TREE_LEAF < items)
        leaves *= 2;
    if (!plait_grow(&tree->node, &tree->node_room, 2 * (int64_t)leaves, sizeof *tree->node) ||
        !plait_grow(&tree->item, &tree->item_room, items, sizeof *tree->item) ||
        !plait_grow(&tree->item_box, &tree->item_box_room, items, sizeof *tree->item_box) ||
        !plait_grow(&tree->key, &tree->key_room, items, sizeof *tree->key) ||
        !plait_grow(&tree->spare, &tree->spare_room, items, sizeof *tree->spare))
        return false;
    plait_box all = plait_box_empty();
    for (int i = 0; i < items; i++)
        plait_box_join(&all, &box[i]);
    double widest = 0;
    for (int k = 0; k < 3; k++) {
        double width = (double)all.hi[k] - (double)all.lo[k];
        widest = width > widest ? width : widest;
    }
    double scale = widest > 0 ? 2097152 / widest : 0;
    for (int i = 0; i < items; i++)
        tree->key[i] = (plait_key_item){morton(&box[i], &all, scale), i};
    plait_sort_keys(tree->key, items, tree->spare);
    for (int i = 0; i < items; i++)
        tree->item[i] = (int)tree->key[i].item;
    tree->items = items, tree->leaves = leaves;
    plait_tree_fit(tree, box);
    return true;
}

void plait_tree_fit(plait_tree *tree, const plait_box *box)
{
    for (int i = 0; i < tree->items; i++)
        tree->item_box[i] = box[tree->item[i]];
    for (int k = 0; k < tree->leaves; k++) {
        plait_box leaf = plait_box_empty();
        for (int64_t i = (int64_t)k * PLAIT_TREE_LEAF; i < tree->items && i < ((int64_t)k + 1) * PLAIT_TREE_LEAF; i++)
            plait_box_join(&leaf, &tree->item_box[i]);
        tree->node[tree->leaves + k] = leaf;
    }
    for (int k = tree->leaves - 1; k > 0; k--) {
        tree->node[k] = tree->node[2 * k];
        plait_box_join(&tree->node[k], &tree->node[2 * k + 1]);
    }
}

void plait_tree_free(plait_tree *tree)
{
    free(tree->node), free(tree->item), free(tree->item_box), free(tree->key), free(tree->spare);
    *tree = (plait_tree){0};
}

int64_t plait_tree_overlap(const plait_tree *tree, const plait_box *box, int after, int **list, int64_t *room,
                           int64_t count)
{
    if (!tree->items)
        return count;
    int stack[PLAIT_TREE_STACK], depth = 0;
    stack[depth++] = 1;
    while (depth) {
        int k = stack[--depth];
        if (!plait_box_overlap(&tree->node[k], box))
            continue;
        if (k < tree->leaves) {
            stack[depth++] = 2 * k + 1;
            stack[depth++] = 2 * k;
            continue;
        }
        int64_t begin = (int64_t)(k - tree->leaves) * PLAIT_TREE_LEAF, end = begin + PLAIT_TREE_LEAF;
        if (!plait_grow(list, room, count + PLAIT_TREE_LEAF, sizeof **list))
            return -1;
        for (int64_t i = begin; i < end && i < tree->items; i++)
            if (tree->item[i] > after && plait_box_overlap(&tree->item_box[i], box))
                (*list)[count++] = tree->item[i];
    }
    return count;
}
