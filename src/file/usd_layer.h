// usd_layer.h: prims and attributes of a USD file, text (usda_layer.c) or binary (usdc_read.c), with values that are
// read when they are asked for; and what is made of them: curves (usd_curves.c), meshes over time (usd_mesh.c), also of
// skinned characters (usd_skel.c).
//
// References to other files, variants and inherited classes are not followed.
#ifndef PLAIT_FILE_USD_LAYER_H
#define PLAIT_FILE_USD_LAYER_H

#include <stdint.h>
#include <stdio.h>

#include "file/figure.h"
#include "file/usda_read.h"

typedef struct plait_usd_attribute {
    char *name;
    uint64_t value;   // where it is, as the layer's functions understand it; 0: none
    uint64_t *sample; // [samples]
    double *time;     // [samples] time codes, ascending
    size_t samples;
    int width; // numbers in one value, by its type: color3f has 3
} plait_usd_attribute;

typedef struct plait_usd_prim {
    char *name, *type;
    int parent;   // -1: none
    bool ignored; // in a class or an override, which are not there by themselves
    plait_usd_attribute *attribute;
    int attributes;
} plait_usd_prim;

typedef struct plait_usd_layer {
    const char *name; // of the file
    plait_error *error;
    plait_usd_prim *prim; // parents come before their children
    int prims;
    size_t prim_room;
    double unit, rate; // metersPerUnit, timeCodesPerSecond
    bool y_up;
    // Numbers of a value, the caller frees them: vectors one after the other, quaternions with the scalar first,
    // matrices row by row. False with *error.
    bool (*numbers)(struct plait_usd_layer *layer, uint64_t value, double **x, size_t *count);
    // Tokens of a value, or paths of a relationship, each ended by a zero; the caller frees them.
    bool (*words)(struct plait_usd_layer *layer, uint64_t value, char **words, size_t *count);
    void (*free_source)(struct plait_usd_layer *layer);
    void *source;
} plait_usd_layer;

// Fills in a layer whose name and error are set. On failure it must be freed all the same.
bool plait_usdc_open(plait_usd_layer *layer, FILE *file);
bool plait_usda_layer_open(plait_usd_layer *layer, const char *text, size_t size); // text[size] is 0; it is used later

// ---- for both readers and for those who ask (usd_layer.c) ---------------------------------------------------------

bool plait_usd_fail(plait_usd_layer *layer, const char *format, ...) PLAIT_PRINTF(2, 3); // always false
int plait_usd_add_prim(plait_usd_layer *layer, int parent, const char *name, size_t length, const char *type,
                       size_t type_length); // -1 with *error
// Replaces one of the same name. NULL with *error.
plait_usd_attribute *plait_usd_add_attribute(plait_usd_layer *layer, int prim, const char *name, size_t length);
void plait_usd_free(plait_usd_layer *layer);

const plait_usd_attribute *plait_usd_find(const plait_usd_layer *layer, int prim, const char *name); // NULL: none
int plait_usd_find_path(const plait_usd_layer *layer, const char *path); // of a prim; -1: none
// At a time code, between samples straight; *count 0: it has no value. The caller frees *x.
bool plait_usd_numbers_at(plait_usd_layer *layer, const plait_usd_attribute *a, double code, double **x, size_t *count);
int plait_usd_width(const char *type, size_t length); // of a type by its name, without ending in zero
bool plait_usd_words(plait_usd_layer *layer, const plait_usd_attribute *a, char **words, size_t *count);
// Where the prim stands in the world.
bool plait_usd_place(plait_usd_layer *layer, int prim, double code, plait_usda_affine *out);
// The time codes of all samples of an attribute widen a range.
void plait_usd_widen(const plait_usd_attribute *a, double *first, double *last, double *step);

// ---- what is made of it -------------------------------------------------------------------------------------------

plait_hair *plait_usd_curves(plait_usd_layer *layer); // at the earliest time
bool plait_usd_meshes(plait_usd_layer *layer, plait_mesh_builder *b, plait_shape *shape);

// Skinning (usd_skel.c): NULL with *error unset if the mesh has no skeleton.
typedef struct plait_usd_skin plait_usd_skin;
bool plait_usd_skin_open(plait_usd_layer *layer, int mesh, int points, plait_usd_skin **out);
void plait_usd_skin_range(const plait_usd_skin *skin, double *first, double *last, double *step);
bool plait_usd_skin_apply(plait_usd_skin *skin, double code, int points, double *x); // from the mesh to the world
void plait_usd_skin_free(plait_usd_skin *skin);

#endif
