// ogawa.h: an Alembic archive that is being written: objects with properties, and samples of them over time.
//
// Alembic keeps a tree of objects; each has a tree of properties; a property has samples. In a file (Ogawa) these are
// groups, lists of places of other groups and of data. Samples are written the moment they come; what is kept in memory
// is where they are. docs/formats.md has the layout.
#ifndef PLAIT_IO_OGAWA_H
#define PLAIT_IO_OGAWA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "io/sink.h"

typedef enum plait_abc_pod { // Alembic's numbers
    PLAIT_ABC_BOOL = 0,
    PLAIT_ABC_U8 = 1,
    PLAIT_ABC_I16 = 4,
    PLAIT_ABC_U32 = 5,
    PLAIT_ABC_I32 = 6,
    PLAIT_ABC_F32 = 10,
    PLAIT_ABC_F64 = 11,
    PLAIT_ABC_STRING = 12
} plait_abc_pod;

typedef enum plait_abc_kind { PLAIT_ABC_COMPOUND, PLAIT_ABC_SCALAR, PLAIT_ABC_ARRAY } plait_abc_kind;

typedef struct plait_abc_property {
    char *name, *meta;
    plait_abc_kind kind;
    plait_abc_pod pod;
    int extent;
    bool animated;                     // its samples follow the archive's times
    struct plait_abc_property *child;  // the first of a compound's
    struct plait_abc_property *next;   // of the same compound
    uint64_t *at;                      // [samples] where each is
    uint64_t key[2];                   // hash of the last
    size_t samples, room, size, least; // size of the last, least: how many values, 1 if all samples have one
    uint64_t dims;                     // strings: where their number is
} plait_abc_property;

typedef struct plait_abc_object {
    char *name, *meta;
    plait_abc_property top; // a compound without a name
    struct plait_abc_object *child, *next;
} plait_abc_object;

typedef struct plait_abc {
    plait_sink sink;
    plait_abc_object root;
    char *meta[254]; // texts that headers refer to by number
    int metas;
    bool failed; // no memory
} plait_abc;

// On failure there is nothing to close.
void plait_abc_begin(plait_abc *abc); // sink is open
plait_abc_object *plait_abc_add_object(plait_abc *abc, plait_abc_object *parent, const char *name, const char *meta);
plait_abc_property *plait_abc_add(plait_abc *abc, plait_abc_property *parent, const char *name, plait_abc_kind kind,
                                  plait_abc_pod pod, int extent, bool animated, const char *meta);
// One more sample, of `count` values with `extent` numbers each. A property that is not animated gets one.
void plait_abc_sample(plait_abc *abc, plait_abc_property *property, const void *values, size_t count);
// Floats of doubles, checked to be finite.
void plait_abc_text(plait_abc *abc, plait_abc_property *property, const char *text);
// Headers of all objects. times[count]: [s] of the samples of what is animated. False without memory.
bool plait_abc_end(plait_abc *abc, const double *times, int count, double rate, const char *about);
void plait_abc_free(plait_abc *abc); // not the sink

#endif
