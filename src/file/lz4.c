// lz4.c: blocks of LZ4.
//
// A block is a row of sequences: a byte with two counts of 4 bits (literals, copied bytes - 4), more bytes of the first
// count if it is 15 (255 means: go on), the literals, a distance of 2 bytes, more bytes of the second count. The last
// sequence has literals only: at least the last 5 bytes of a block are literals, and no copy begins in the last 12.
#include "file/lz4.h"

#include <stdlib.h>
#include <string.h>

enum { HASH_BITS = 14, LAST = 5, MARGIN = 12, SHORTEST = 4, FARTHEST = 65535 };

size_t plait_lz4_bound(size_t size)
{
    return size + size / 255 + 16;
}

static uint32_t four(const uint8_t *p)
{
    uint32_t x;
    memcpy(&x, p, 4);
    return x;
}

static uint8_t *put_count(uint8_t *to, size_t count)
{
    for (; count >= 255; count -= 255)
        *to++ = 255;
    *to++ = (uint8_t)count;
    return to;
}

// Literals, and a copy of `length` bytes from `distance` before (0: none, the end).
static uint8_t *put_sequence(uint8_t *to, const uint8_t *literal, size_t literals, size_t distance, size_t length)
{
    uint8_t *head = to++;
    size_t more = distance ? length - SHORTEST : 0;
    *head = (uint8_t)((literals < 15 ? literals : 15) << 4 | (more < 15 ? more : 15));
    if (literals >= 15)
        to = put_count(to, literals - 15);
    if (literals > 0)
        memcpy(to, literal, literals);
    to += literals;
    if (!distance)
        return to;
    *to++ = (uint8_t)distance, *to++ = (uint8_t)(distance >> 8);
    return more >= 15 ? put_count(to, more - 15) : to;
}

size_t plait_lz4_compress(const uint8_t *in, size_t size, uint8_t *out)
{
    uint32_t *table = calloc((size_t)1 << HASH_BITS, sizeof *table); // places + 1 of four bytes, by their hash
    uint8_t *to = out;
    size_t from = 0, at = 0;
    if (!table)
        return 0;
    while (size >= MARGIN + 1 && at < size - MARGIN) {
        uint32_t word = four(in + at), slot = word * 2654435761u >> (32 - HASH_BITS), before = table[slot];
        table[slot] = (uint32_t)at + 1;
        if (!before || at + 1 - before > FARTHEST || four(in + before - 1) != word) {
            at += 1 + ((at - from) >> 6); // ever longer steps through what does not repeat
            continue;
        }
        size_t match = before - 1, length = SHORTEST;
        while (at + length < size - LAST && in[match + length] == in[at + length])
            length++;
        to = put_sequence(to, in + from, at - from, at - match, length);
        at += length;
        from = at;
    }
    to = put_sequence(to, in + from, size - from, 0, 0);
    free(table);
    return (size_t)(to - out);
}

// A count whose first 4 bits are `count`; false at the end of the block.
static bool get_count(const uint8_t **p, const uint8_t *end, size_t *count)
{
    if (*count < 15)
        return true;
    uint8_t more;
    do {
        if (*p == end || *count > (size_t)1 << 40)
            return false;
        more = *(*p)++;
        *count += more;
    } while (more == 255);
    return true;
}

bool plait_lz4_expand(const uint8_t *in, size_t in_size, uint8_t *out, size_t size)
{
    const uint8_t *p = in, *end = in + in_size;
    size_t at = 0;
    while (p < end) {
        unsigned token = *p++;
        size_t literals = token >> 4, length = token & 15;
        if (!get_count(&p, end, &literals) || literals > (size_t)(end - p) || literals > size - at)
            return false;
        if (literals > 0)
            memcpy(out + at, p, literals);
        p += literals;
        at += literals;
        if (p == end)
            break;
        if (end - p < 2)
            return false;
        size_t distance = (size_t)p[0] | (size_t)p[1] << 8;
        p += 2;
        if (!get_count(&p, end, &length))
            return false;
        length += SHORTEST;
        if (distance == 0 || distance > at || length > size - at)
            return false;
        for (size_t i = 0; i < length; i++, at++) // byte by byte: what is copied may overlap itself
            out[at] = out[at - distance];
    }
    return at == size;
}
