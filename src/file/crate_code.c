// crate_code.c: packed bytes and whole numbers of crate files.
//
// Bytes: a count of pieces, 0: one LZ4 block follows; else so many blocks with 4 bytes of length before each, all but
// the last of which hold 2,113,929,216 bytes.
//
// Whole numbers: 4 bytes with the commonest difference, then 2 bits for every number (0: the commonest difference; 1,
// 2, 3: one of 1, 2, 4 bytes follows), then those.
#include "file/crate_code.h"

#include <stdlib.h>
#include <string.h>

#include "file/lz4.h"

enum { PIECE = 0x7e000000 };

uint8_t *plait_crate_pack(const void *bytes, size_t size, size_t *packed)
{
    uint8_t *out = size <= PIECE ? malloc(plait_lz4_bound(size) + 1) : NULL;
    if (!out)
        return NULL;
    out[0] = 0;
    size_t count = plait_lz4_compress(bytes, size, out + 1);
    if (count == 0) {
        free(out);
        return NULL;
    }
    *packed = count + 1;
    return out;
}

bool plait_crate_unpack(const uint8_t *in, size_t in_size, void *out, size_t size)
{
    if (in_size < 1)
        return false;
    const uint8_t *p = in + 1, *end = in + in_size;
    uint8_t *to = out;
    if (in[0] == 0)
        return plait_lz4_expand(p, in_size - 1, out, size);
    for (unsigned i = 0; i < in[0]; i++) {
        int32_t length;
        size_t part = size < PIECE ? size : PIECE;
        if (end - p < 4)
            return false;
        memcpy(&length, p, 4);
        p += 4;
        if (length < 0 || length > end - p || !plait_lz4_expand(p, (size_t)length, to, part))
            return false;
        p += length;
        to += part;
        size -= part;
    }
    return size == 0;
}

// ---- whole numbers ------------------------------------------------------------------------------------------------

static int compare(const void *a, const void *b)
{
    int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return x < y ? -1 : x > y;
}

static int32_t difference(const int32_t *x, size_t i)
{
    return (int32_t)((uint32_t)x[i] - (i > 0 ? (uint32_t)x[i - 1] : 0u));
}

// The commonest difference; of several the largest. NULL memory: 0 is as good as any.
static int32_t commonest(const int32_t *x, size_t count)
{
    int32_t *d = malloc((count + 1) * sizeof *d), best = 0;
    size_t most = 0;
    for (size_t i = 0; d && i < count; i++)
        d[i] = difference(x, i);
    if (d)
        qsort(d, count, sizeof *d, compare);
    for (size_t i = 0, j = 0; d && i < count; i = j) {
        while (j < count && d[j] == d[i])
            j++;
        if (j - i >= most)
            most = j - i, best = d[i];
    }
    free(d);
    return best;
}

uint8_t *plait_crate_pack_ints(const int32_t *x, size_t count, size_t *packed)
{
    size_t codes = (2 * count + 7) / 8;
    uint8_t *out = calloc(4 + codes + 4 * count + 1, 1), *code = out + 4, *to = code + codes;
    if (!out)
        return NULL;
    int32_t common = commonest(x, count);
    memcpy(out, &common, 4);
    for (size_t i = 0; i < count; i++) {
        int32_t d = difference(x, i);
        unsigned kind = d == common ? 0 : d >= INT8_MIN && d <= INT8_MAX ? 1 : d >= INT16_MIN && d <= INT16_MAX ? 2 : 3;
        size_t width = kind == 3 ? 4 : kind;
        code[i / 4] = (uint8_t)(code[i / 4] | kind << 2 * (i % 4));
        memcpy(to, &d, width); // little-endian
        to += width;
    }
    uint8_t *all = plait_crate_pack(out, (size_t)(to - out), packed);
    free(out);
    return all;
}

// The length of what was packed is not stored: the block is expanded to the most it can be, as far as it goes.
static size_t expand_some(const uint8_t *in, size_t in_size, uint8_t *out, size_t most)
{
    size_t low = 0;
    // A block knows its own end; sizes are tried by walking through it once.
    const uint8_t *p = in + 1, *end = in + in_size;
    if (in_size < 2 || in[0] != 0)
        return 0;
    while (p < end) {
        unsigned token = *p++;
        size_t literals = token >> 4, length = token & 15;
        for (bool more = literals == 15; more && p < end; p++)
            literals += *p, more = *p == 255;
        if (literals > (size_t)(end - p) || literals > most)
            return 0;
        p += literals;
        low += literals;
        if (p == end)
            break;
        if (end - p < 2)
            return 0;
        p += 2;
        for (bool more = length == 15; more && p < end; p++)
            length += *p, more = *p == 255;
        low += length + 4;
        if (low > most)
            return 0;
    }
    return low <= most && plait_crate_unpack(in, in_size, out, low) ? low : 0;
}

bool plait_crate_unpack_ints(const uint8_t *in, size_t in_size, int32_t *x, size_t count)
{
    size_t codes = (2 * count + 7) / 8, most = 4 + codes + 4 * count;
    uint8_t *out = malloc(most + 1);
    size_t size = out ? expand_some(in, in_size, out, most) : 0;
    bool ok = size >= 4 + codes;
    int32_t common = 0, value = 0;
    const uint8_t *code = out + 4, *p = code + codes, *end = out + size;
    if (ok)
        memcpy(&common, out, 4);
    for (size_t i = 0; ok && i < count; i++) {
        unsigned kind = code[i / 4] >> 2 * (i % 4) & 3;
        size_t width = kind == 3 ? 4 : kind;
        int32_t d = common;
        ok = width <= (size_t)(end - p);
        if (!ok)
            break;
        if (kind == 1)
            d = (int8_t)p[0];
        else if (kind == 2)
            d = (int16_t)(p[0] | p[1] << 8);
        else if (kind == 3)
            memcpy(&d, p, 4);
        p += width;
        value = (int32_t)((uint32_t)value + (uint32_t)d);
        x[i] = value;
    }
    free(out);
    return ok;
}
