// lz4.h: blocks of LZ4, as USD's crate files have them (https://github.com/lz4/lz4/blob/dev/doc/lz4_Block_format.md).
#ifndef PLAIT_FILE_LZ4_H
#define PLAIT_FILE_LZ4_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

size_t plait_lz4_bound(size_t size); // most bytes that `size` bytes become
// Returns how many bytes were written to `out`, which has room for plait_lz4_bound(size) of them; 0 without memory.
// At most 2^31 - 1 bytes.
size_t plait_lz4_compress(const uint8_t *in, size_t size, uint8_t *out);
// Exactly `size` bytes to `out`. False: the block is damaged; never reads or writes outside.
bool plait_lz4_expand(const uint8_t *in, size_t in_size, uint8_t *out, size_t size);

#endif
