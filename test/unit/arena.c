#include "base/arena.h"

#include <stdint.h>

#include "check.h"

CASE(pieces_are_aligned_apart_and_stay)
{
    enum { PIECES = 300 };
    plait_arena arena = {0};
    unsigned char *piece[PIECES];
    for (int i = 0; i < PIECES; i++) {
        size_t size = (size_t)i * 37 % 5000;
        piece[i] = plait_arena_alloc(&arena, size, 1);
        if (!CHECK(piece[i]))
            return;
        CHECK((uintptr_t)piece[i] % PLAIT_ARENA_ALIGN == 0);
        memset(piece[i], i & 255, size);
    }
    for (int i = 0; i < PIECES; i++) {
        size_t size = (size_t)i * 37 % 5000, wrong = 0;
        for (size_t k = 0; k < size; k++)
            wrong += piece[i][k] != (i & 255);
        CHECK_INT(wrong, 0);
    }
    plait_arena_free(&arena);
    CHECK(!arena.first && !arena.capacity);
}

CASE(release_gives_the_same_memory_again)
{
    plait_arena arena = {0};
    char *kept = plait_arena_alloc(&arena, 100, 1);
    if (!CHECK(kept))
        return;
    memcpy(kept, "kept", 5);
    plait_arena_mark mark = plait_arena_get_mark(&arena);
    double *x = plait_arena_alloc(&arena, 1000, sizeof *x);
    char *large = plait_arena_alloc(&arena, 1 << 20, 1); // more than the first chunk holds
    CHECK(x && large);
    plait_arena_release(&arena, mark);
    CHECK(plait_arena_alloc(&arena, 1000, sizeof *x) == x);
    CHECK(plait_arena_alloc(&arena, 1 << 20, 1) == large);
    CHECK_STR(kept, "kept");
    plait_arena_free(&arena);
}

// A mixed load with nested marks; after the first time the heap is not asked again.
static void load(plait_arena *arena)
{
    for (size_t i = 1; i < 60; i++) {
        plait_arena_mark mark = plait_arena_get_mark(arena);
        char *a = plait_arena_alloc(arena, i * i * 531, 1), *b = plait_arena_alloc(arena, 64 * i, 1);
        if (!CHECK(a && b))
            return;
        a[i * i * 531 - 1] = b[0] = 1;
        if (i % 3)
            plait_arena_release(arena, mark);
    }
}

CASE(no_growth_after_warm_up)
{
    plait_arena arena = {0};
    plait_arena_mark start = plait_arena_get_mark(&arena);
    load(&arena);
    size_t capacity = arena.capacity;
    for (int i = 0; i < 5; i++) {
        plait_arena_release(&arena, start);
        load(&arena);
        CHECK_INT(arena.capacity, capacity);
    }
    plait_arena_free(&arena);
}

CASE(zeros_are_zero_again)
{
    plait_arena arena = {0};
    plait_arena_mark mark = plait_arena_get_mark(&arena);
    for (int pass = 0; pass < 2; pass++) {
        int *x = plait_arena_zeros(&arena, 500, sizeof *x), sum = 0;
        if (!CHECK(x))
            return;
        for (int i = 0; i < 500; i++)
            sum |= x[i], x[i] = -1;
        CHECK_INT(sum, 0);
        plait_arena_release(&arena, mark);
    }
    plait_arena_free(&arena);
}

CASE(impossible_sizes_give_null)
{
    plait_arena arena = {0};
    CHECK(!plait_arena_alloc(&arena, SIZE_MAX / 2, 3));
    CHECK(!plait_arena_alloc(&arena, SIZE_MAX, 1));
    CHECK(!plait_arena_zeros(&arena, SIZE_MAX / 8 + 2, 8));
    CHECK(plait_arena_alloc(&arena, 0, 8));
    plait_arena_free(&arena);
}
