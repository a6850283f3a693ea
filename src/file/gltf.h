// gltf.h: what the parts of the reader of glTF 2.0 share: the file, buffers and accessors (gltf_file.c), nodes over
// time, skins, morph targets (gltf_mesh.c).
#ifndef PLAIT_FILE_GLTF_H
#define PLAIT_FILE_GLTF_H

#include <stdint.h>

#include "file/figure.h"
#include "file/json.h"

typedef struct plait_gltf {
    plait_mesh_builder *b; // for its name and messages
    const char *path;
    char *text;     // JSON
    uint8_t *chunk; // of a .glb; NULL: none
    size_t chunk_size;
    plait_json json;
    uint8_t **buffer; // [buffers] NULL: not read yet
    size_t *buffer_size;
    int buffers;
} plait_gltf;

bool plait_gltf_open(plait_gltf *g, FILE *file);
void plait_gltf_close(plait_gltf *g);
// Entry i of a list of the file ("nodes"); -1: there is none.
int plait_gltf_entry(const plait_gltf *g, const char *list, int i);
int plait_gltf_count(const plait_gltf *g, const char *list);
// All numbers of an accessor, `each` per element; the caller frees them. False with a message.
bool plait_gltf_accessor(plait_gltf *g, int accessor, double **x, size_t *count, int *each);

#endif
