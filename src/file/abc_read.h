// abc_read.h: Alembic archives (Ogawa) that are being read: objects and properties (abc_read.c), what is made of them
// (abc_geometry.c). io/ogawa.c has the layout.
//
// Groups and samples are read from the file when they are asked for, after their sizes were checked against its own.
#ifndef PLAIT_FILE_ABC_READ_H
#define PLAIT_FILE_ABC_READ_H

#include <stdint.h>

#include "file/curves.h"
#include "file/figure.h"

enum { PLAIT_ABC_NAME = 256 };

typedef enum plait_abc_schema {
    PLAIT_ABC_OTHER,
    PLAIT_ABC_CURVES,
    PLAIT_ABC_MESH, // polygons, or a subdivision surface's cage
    PLAIT_ABC_XFORM
} plait_abc_schema;

typedef struct plait_abc_node { // an object
    char name[PLAIT_ABC_NAME];
    plait_abc_schema schema;
    int parent;          // -1: none
    uint64_t properties; // group
} plait_abc_node;

typedef struct plait_abc_sampling {
    double period;
    size_t first, count; // stored times: time[first] ...
} plait_abc_sampling;

typedef struct plait_abc_file {
    FILE *file;
    uint64_t size;
    const char *name;
    plait_error *error;
    char (*meta)[PLAIT_ABC_NAME]; // [metas] texts that headers refer to by number
    size_t metas;
    plait_abc_sampling *sampling;
    double *time;
    size_t samplings;
    plait_abc_node *node; // parents come before their children
    int nodes, node_room;
} plait_abc_file;

typedef struct plait_abc_field { // a property
    int kind, pod, extent;       // kind: 0 compound, 1 scalar, 2 array; as in io/ogawa.h
    size_t samples, first, last;
    size_t sampling;
    uint64_t group;
    char scope[4]; // "con", "uni", "vtx" ...
} plait_abc_field;

// Reads the tree of objects. On failure it must be closed all the same.
bool plait_abc_open(plait_abc_file *f, FILE *file, const char *name, plait_error *error);
void plait_abc_close(plait_abc_file *f);                     // not the file
bool plait_abc_damaged(plait_abc_file *f, const char *what); // always false
// A property by its name in a compound's group. *found false: there is none.
bool plait_abc_find(plait_abc_file *f, uint64_t compound, const char *name, plait_abc_field *out, bool *found);
// Numbers of sample i; the caller frees them.
bool plait_abc_numbers(plait_abc_file *f, const plait_abc_field *p, size_t i, double **x, size_t *count);
double plait_abc_time(const plait_abc_file *f, const plait_abc_field *p, size_t i); // [s]
// At a time, between samples straight.
bool plait_abc_numbers_at(plait_abc_file *f, const plait_abc_field *p, double time, double **x, size_t *count);
void plait_abc_widen(const plait_abc_file *f, const plait_abc_field *p, double *first, double *last, double *step);

plait_hair *plait_abc_curves(FILE *file, const char *name, plait_error *error);

#endif
