// crate_code.h: how USD's crate files (.usdc) pack bytes and whole numbers.
#ifndef PLAIT_FILE_CRATE_CODE_H
#define PLAIT_FILE_CRATE_CODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Numbers of the types of values, as they stand in a file.
typedef enum plait_crate_type {
    PLAIT_CRATE_BOOL = 1,
    PLAIT_CRATE_INT = 3,
    PLAIT_CRATE_UINT = 4,
    PLAIT_CRATE_INT64 = 5,
    PLAIT_CRATE_UINT64 = 6,
    PLAIT_CRATE_HALF = 7,
    PLAIT_CRATE_FLOAT = 8,
    PLAIT_CRATE_DOUBLE = 9,
    PLAIT_CRATE_STRING = 10,
    PLAIT_CRATE_TOKEN = 11,
    PLAIT_CRATE_MATRIX4D = 15,
    PLAIT_CRATE_QUATD = 16,
    PLAIT_CRATE_QUATF = 17,
    PLAIT_CRATE_QUATH = 18,
    PLAIT_CRATE_VEC2D = 19,
    PLAIT_CRATE_VEC2F = 20,
    PLAIT_CRATE_VEC2H = 21,
    PLAIT_CRATE_VEC3D = 23,
    PLAIT_CRATE_VEC3F = 24,
    PLAIT_CRATE_VEC3H = 25,
    PLAIT_CRATE_VEC4D = 27,
    PLAIT_CRATE_VEC4F = 28,
    PLAIT_CRATE_VEC4H = 29,
    PLAIT_CRATE_PATH_LIST = 34,
    PLAIT_CRATE_PATHS = 40,
    PLAIT_CRATE_TOKENS = 41,
    PLAIT_CRATE_SPECIFIER = 42,
    PLAIT_CRATE_VARIABILITY = 44,
    PLAIT_CRATE_SAMPLES = 46,
    PLAIT_CRATE_DOUBLES = 48,
    PLAIT_CRATE_BLOCK = 51
} plait_crate_type;

#define PLAIT_CRATE_ARRAY ((uint64_t)1 << 63)
#define PLAIT_CRATE_INLINED ((uint64_t)1 << 62)
#define PLAIT_CRATE_PACKED ((uint64_t)1 << 61)
#define PLAIT_CRATE_PAYLOAD (((uint64_t)1 << 48) - 1)

typedef enum plait_crate_spec {
    PLAIT_CRATE_ATTRIBUTE = 1,
    PLAIT_CRATE_PRIM = 6,
    PLAIT_CRATE_ROOT = 7,
    PLAIT_CRATE_RELATIONSHIP = 8
} plait_crate_spec;

// Bytes behind a byte that says in how many pieces: LZ4. The caller frees; NULL without memory.
uint8_t *plait_crate_pack(const void *bytes, size_t size, size_t *packed);
// Exactly `size` bytes. False if they are damaged.
bool plait_crate_unpack(const uint8_t *in, size_t in_size, void *out, size_t size);

// Whole numbers of 4 bytes as differences to the one before, with 2 bits for the length of each; then packed.
uint8_t *plait_crate_pack_ints(const int32_t *x, size_t count, size_t *packed);
bool plait_crate_unpack_ints(const uint8_t *in, size_t in_size, int32_t *x, size_t count); // false also without memory

#endif
