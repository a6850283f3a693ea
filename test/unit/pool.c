// pool.c: memory that is used again: the same pieces, none twice, those of the heap too; and the sort that takes its
// scratch there.
#include "base/pool.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "base/simd.h"
#include "check.h"

CASE(what_is_given_back_is_handed_out_again)
{
#ifdef PLAIT_SANITIZED
    SKIP("sanitizers get no pool");
#else
    plait_pool *pool = plait_pool_new(), *before = plait_pool_enter(pool);
    CHECK(before == NULL && plait_pool_current() == pool);
    char *a = plait_malloc(1000), *b = plait_malloc(1000);
    CHECK(a != b && (uintptr_t)a % 64 == 0 && (uintptr_t)b % 64 == 0);
    plait_free(a);
    CHECK(plait_malloc(990) == a); // the same class
    memset(a, 1, 1000);
    plait_free(a);
    char *zero = plait_calloc(10, 100);
    CHECK(zero == a);
    for (int i = 0; i < 1000; i++)
        CHECK(zero[i] == 0);
    plait_free(zero), plait_free(b);
    plait_pool_enter(before), plait_pool_free(pool);
#endif
}

// Pieces that were cut from one block are one block again, in whatever order they come back.
CASE(neighbours_are_joined)
{
#ifdef PLAIT_SANITIZED
    SKIP("sanitizers get no pool");
#else
    enum { N = 64, EACH = 10000 };
    plait_pool *pool = plait_pool_new(), *before = plait_pool_enter(pool);
    char *all = plait_malloc(N * (EACH + 128)), *part[N];
    plait_free(all);
    for (int round = 0; round < 3; round++) {
        for (int i = 0; i < N; i++) {
            part[i] = plait_malloc(EACH);
            CHECK(part[i] >= all && part[i] + EACH <= all + N * (EACH + 128));
        }
        for (int i = 0; i < N; i++)
            plait_free(part[round == 0 ? i : round == 1 ? N - 1 - i : i * 29 % N]);
        CHECK(plait_malloc(N * (EACH + 128)) == all);
        plait_free(all);
    }
    plait_pool_enter(before), plait_pool_free(pool);
#endif
}

// A random load: pieces do not overlap, keep what is in them, and may be given back with another pool or none.
CASE(pieces_keep_what_is_in_them)
{
    enum { N = 300, ROUNDS = 20000 };
    plait_pool *pool[3] = {NULL, plait_pool_new(), plait_pool_new()};
    plait_rng rng = plait_rng_new(7, 1);
    unsigned char *piece[N] = {0};
    size_t size[N] = {0};
    int wrong = 0;
    for (int k = 0; k < ROUNDS; k++) {
        int i = (int)(plait_rng_uniform(&rng) * N), how = (int)(plait_rng_uniform(&rng) * 3);
        plait_pool_enter(pool[(int)(plait_rng_uniform(&rng) * 3)]);
        for (size_t j = 0; piece[i] && j < size[i]; j++)
            wrong += piece[i][j] != (unsigned char)(i + (int)j);
        size_t fresh = (size_t)(plait_rng_uniform(&rng) * plait_rng_uniform(&rng) * 20000);
        if (how == 0) {
            plait_free(piece[i]), piece[i] = NULL, fresh = 0;
        } else if (how == 1 && piece[i]) {
            piece[i] = plait_realloc(piece[i], fresh + 1);
            for (size_t j = 0; j < fresh && j < size[i]; j++)
                wrong += piece[i][j] != (unsigned char)(i + (int)j);
        } else {
            plait_free(piece[i]);
            piece[i] = k % 2 ? plait_malloc(fresh + 1) : plait_aligned_alloc(64, fresh / 64 * 64 + 64);
        }
        size[i] = fresh;
        for (size_t j = 0; piece[i] && j < fresh; j++)
            piece[i][j] = (unsigned char)(i + (int)j);
    }
    CHECK_INT(wrong, 0);
    for (int i = 0; i < N; i++)
        plait_free(piece[i]);
    plait_pool_enter(NULL);
    plait_pool_free(pool[1]), plait_pool_free(pool[2]);
}

typedef struct pair {
    int key, place;
} pair;

static int by_key(const void *a, const void *b)
{
    int x = ((const pair *)a)->key, y = ((const pair *)b)->key;
    return (x > y) - (x < y);
}

CASE(equal_elements_keep_their_order)
{
    enum { N = 5000 };
    static pair list[N];
    plait_pool *pool = plait_pool_new();
    plait_rng rng = plait_rng_new(3, 1);
    for (int n = 0; n < N; n += 1 + n / 3) {
        for (int i = 0; i < n; i++)
            list[i] = (pair){(int)(plait_rng_uniform(&rng) * 40), i};
        plait_pool *before = plait_pool_enter(pool);
        plait_sort(list, (size_t)n, sizeof *list, by_key);
        plait_pool_enter(before);
        int wrong = 0;
        for (int i = 1; i < n; i++)
            wrong +=
                list[i - 1].key > list[i].key || (list[i - 1].key == list[i].key && list[i - 1].place > list[i].place);
        CHECK_INT(wrong, 0);
    }
    plait_pool_free(pool);
}
