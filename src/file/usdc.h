// usdc.h: what usdc_read.c (structure) and usdc_values.c (bytes, values) share.
#ifndef PLAIT_FILE_USDC_H
#define PLAIT_FILE_USDC_H

#include "file/crate_code.h"
#include "file/usd_layer.h"

enum { PLAIT_USDC_DEPTH = 1000 };

typedef struct plait_usdc {
    FILE *file;
    uint64_t size;
    int version; // minor
    char **token;
    size_t tokens;
    uint32_t *string; // [strings] tokens
    size_t strings;
    int32_t *field, *set; // names of fields; lists of fields
    uint64_t *rep;
    size_t fields, sets;
    int32_t *path_parent, *path_token; // [paths] token < 0: of a property; parent -2: the path is not there
    size_t paths;
} plait_usdc;

typedef struct plait_usdc_cursor {
    uint64_t at, end;
} plait_usdc_cursor;

// All false (or NULL) with *error.
bool plait_usdc_damaged(plait_usd_layer *l, const char *what); // "expected WHAT, found a damaged or cut-off file"
bool plait_usdc_no_memory(plait_usd_layer *l);
bool plait_usdc_read_at(plait_usd_layer *l, uint64_t at, void *out, uint64_t size);
bool plait_usdc_take(plait_usd_layer *l, plait_usdc_cursor *p, void *out, uint64_t size);
bool plait_usdc_take_count(plait_usd_layer *l, plait_usdc_cursor *p, uint64_t most, size_t *count);
bool plait_usdc_array_count(plait_usd_layer *l, plait_usdc_cursor *p, size_t *count);
uint8_t *plait_usdc_take_packed(plait_usd_layer *l, plait_usdc_cursor *p, size_t *size); // the caller frees it
bool plait_usdc_take_ints(plait_usd_layer *l, plait_usdc_cursor *p, int32_t *x, size_t count);
bool plait_usdc_numbers(plait_usd_layer *l, uint64_t rep, double **x, size_t *count);
bool plait_usdc_words(plait_usd_layer *l, uint64_t rep, char **words, size_t *count);

static inline int plait_usdc_type(uint64_t rep)
{
    return (int)(rep >> 48 & 255);
}

static inline const char *plait_usdc_token(const plait_usdc *c, uint64_t i)
{
    return i < c->tokens ? c->token[i] : "";
}

#endif
