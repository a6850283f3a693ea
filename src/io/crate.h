// crate.h: a crate file (.usdc, USD's binary form) that is being written: prims with attributes, and values of them
// over time.
//
// Values are written the moment they come, and are known by 8 bytes (a "rep": type, flags, place) from then on; prims
// and attributes are written at the end. docs/formats.md has the layout.
#ifndef PLAIT_IO_CRATE_H
#define PLAIT_IO_CRATE_H

#include "file/crate_code.h"
#include "io/bytes.h"
#include "io/sink.h"

typedef struct plait_crate_attribute {
    char *name;
    const char *type, *interpolation; // "point3f[]", "vertex"; NULL: none is said
    bool uniform;
    uint64_t value;   // rep; 0: none
    uint64_t *sample; // [samples] reps; none: it has no samples
    size_t samples, room;
    struct plait_crate_attribute *next;
} plait_crate_attribute;

typedef struct plait_crate_prim {
    char *name;
    const char *type;
    plait_crate_attribute *attribute;
    struct plait_crate_prim *child, *next;
} plait_crate_prim;

typedef struct plait_crate {
    plait_sink sink;
    plait_crate_prim root;
    plait_bytes tokens;                            // texts, each ended by a zero
    plait_bytes token_at;                          // where they begin
    plait_bytes fields, reps, sets;                // names of fields, their values, lists of fields
    plait_bytes path, jump, spec, set_of, of_kind; // paths: tokens (negative: of properties), the tree; specs
    bool failed;                                         // no memory
} plait_crate;

typedef struct plait_crate_stage {
    double unit; // [m]; 0: not known
    bool y_up, animated;
    double first, last, rate; // time codes
} plait_crate_stage;

void plait_crate_begin(plait_crate *crate); // sink is open
plait_crate_prim *plait_crate_add_prim(plait_crate *crate, plait_crate_prim *parent, const char *name,
                                       const char *type);
// type, interpolation: texts that stay. The value may be 0.
plait_crate_attribute *plait_crate_add(plait_crate *crate, plait_crate_prim *prim, const char *name, const char *type,
                                       const char *interpolation, uint64_t value);
void plait_crate_sample(plait_crate *crate, plait_crate_attribute *attribute, uint64_t value);

uint64_t plait_crate_floats(plait_crate *crate, plait_crate_type type, const float *x, size_t count, size_t each);
uint64_t plait_crate_ints(plait_crate *crate, const int32_t *x, size_t count);
uint64_t plait_crate_doubles(plait_crate *crate, plait_crate_type type, const double *x, size_t count); // one value
uint64_t plait_crate_token(plait_crate *crate, const char *text);
uint64_t plait_crate_tokens(plait_crate *crate, const char *const *text, size_t count); // an array

// Prims and what is known of the stage. codes[count]: of the samples. False without memory.
bool plait_crate_end(plait_crate *crate, const plait_crate_stage *stage, const double *codes, size_t count);
void plait_crate_free(plait_crate *crate); // not the sink

#endif
