// crate_code.c: LZ4 blocks and packed whole numbers: by the bytes that their descriptions give, there and back, and
// damaged.
#include "file/crate_code.h"
#include "check.h"
#include "file/lz4.h"

static uint32_t state = 7;
static uint32_t next(void)
{
    return state = state * 1664525u + 1013904223u;
}

CASE(blocks_by_hand)
{
    uint8_t out[32];
    const uint8_t literals[] = {0x50, 'h', 'e', 'l', 'l', 'o'};
    CHECK(plait_lz4_expand(literals, sizeof literals, out, 5) && memcmp(out, "hello", 5) == 0);
    CHECK(!plait_lz4_expand(literals, sizeof literals, out, 4) && !plait_lz4_expand(literals, 5, out, 5));
    // "a", six more by a copy of what was just written, "bcdef"
    const uint8_t copies[] = {0x12, 'a', 1, 0, 0x50, 'b', 'c', 'd', 'e', 'f'};
    CHECK(plait_lz4_expand(copies, sizeof copies, out, 12) && memcmp(out, "aaaaaaabcdef", 12) == 0);
    // a count of more than 15: 15 + 255 + 3 literals
    uint8_t many[280] = {0xf0, 255, 3}, long_out[273];
    for (int i = 0; i < 273; i++)
        many[3 + i] = (uint8_t)i;
    CHECK(plait_lz4_expand(many, 276, long_out, 273) && memcmp(long_out, many + 3, 273) == 0);
    const uint8_t before[] = {0x12, 'a', 2, 0, 0x50, 'b', 'c', 'd', 'e', 'f'}; // from before the beginning
    CHECK(!plait_lz4_expand(before, sizeof before, out, 12));
}

CASE(blocks_there_and_back)
{
    enum { MOST = 70000 };
    uint8_t *in = malloc(MOST), *out = malloc(MOST), *packed = malloc(plait_lz4_bound(MOST));
    for (int trial = 0; trial < 60 && in && out && packed; trial++) {
        size_t size = trial < 20 ? (size_t)trial : next() % MOST;
        uint32_t kinds = 1u << (trial % 9); // from all the same to all different
        for (size_t i = 0; i < size; i++)
            in[i] = (uint8_t)(next() >> 16 & (kinds - 1));
        size_t count = plait_lz4_compress(in, size, packed);
        CHECK(count > 0 && count <= plait_lz4_bound(size));
        CHECK(plait_lz4_expand(packed, count, out, size) && memcmp(in, out, size) == 0);
        if (kinds == 1 && size > 1000)
            CHECK(count < size / 100);
        for (int k = 0; k < 20 && size > 0; k++) { // damaged: never outside (sanitizers look)
            packed[next() % count] = (uint8_t)(next() >> 24);
            plait_lz4_expand(packed, next() % (count + 1), out, size);
        }
    }
    free(in), free(out), free(packed);
}

// A block may come in pieces, each with its length in front.
CASE(pieces)
{
    uint8_t in[300], out[300], packed[1000] = {1};
    for (int i = 0; i < 300; i++)
        in[i] = (uint8_t)(i * i >> 4);
    int32_t count = (int32_t)plait_lz4_compress(in, sizeof in, packed + 5);
    memcpy(packed + 1, &count, 4);
    CHECK(plait_crate_unpack(packed, 5 + (size_t)count, out, sizeof out) && memcmp(in, out, sizeof in) == 0);
    CHECK(!plait_crate_unpack(packed, 4 + (size_t)count, out, sizeof out)); // cut off
    CHECK(!plait_crate_unpack(packed, 3, out, sizeof out));
    count = -1;
    memcpy(packed + 1, &count, 4);
    CHECK(!plait_crate_unpack(packed, sizeof packed, out, sizeof out));
}

// The example in USD's own description of the code.
CASE(numbers_by_hand)
{
    const int32_t x[] = {123, 124, 125, 100125, 100125, 100126, 100126};
    const uint8_t want[] = {1, 0, 0, 0, 1 | 3 << 6, 1 | 1 << 4, 123, 0xa0, 0x86, 0x01, 0, 0, 0};
    size_t size;
    uint8_t *packed = plait_crate_pack_ints(x, 7, &size), raw[sizeof want];
    if (CHECK(packed)) {
        CHECK(plait_crate_unpack(packed, size, raw, sizeof raw) && memcmp(raw, want, sizeof want) == 0);
        int32_t back[7];
        CHECK(plait_crate_unpack_ints(packed, size, back, 7) && memcmp(back, x, sizeof x) == 0);
        CHECK(!plait_crate_unpack_ints(packed, size - 1, back, 7) && !plait_crate_unpack_ints(packed, 1, back, 7));
    }
    free(packed);
}

CASE(numbers_there_and_back)
{
    enum { COUNT = 5000 };
    static int32_t x[COUNT], back[COUNT];
    for (int trial = 0; trial < 12; trial++) {
        for (int i = 0; i < COUNT; i++)
            x[i] = trial == 0 ? (i % 2 ? INT32_MAX : INT32_MIN)
                              : (int32_t)(next() >> (2 * trial)) - (trial % 3 ? 0 : 1000);
        size_t size, count = (size_t)(trial == 1 ? 1 : COUNT - trial);
        uint8_t *packed = plait_crate_pack_ints(x, count, &size);
        if (CHECK(packed))
            CHECK(plait_crate_unpack_ints(packed, size, back, count) && memcmp(x, back, count * sizeof *x) == 0);
        free(packed);
    }
}
