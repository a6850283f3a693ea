// mesh.h: triangle meshes from files: Wavefront OBJ and PLY (text, little- and big-endian binary), Alembic, USD (text
// and binary) and glTF. Those of the last three may move: their vertices at equal intervals of time become the shape's
// frames (figure.h); all meshes of such a file become one, where the file puts them.
//
// Polygons become fans of triangles, triangles with a corner twice are left out, everything but positions and faces is
// ignored. A mesh is closed if every edge has exactly two triangles that run along it in opposite directions; then its
// normals are made to point outwards. Vertices at one place are not merged: a closed surface must share them.
#ifndef PLAIT_FILE_MESH_H
#define PLAIT_FILE_MESH_H

#include <stddef.h>

#include "plait/shape.h"
#include "plait/status.h"

// Fills in points, triangles and closed of a shape that holds nothing (malloc'ed), and frames and frame_time if it
// moves; kind becomes PLAIT_SHAPE_MESH.
// On a mistake the shape is as before, and the message has file, line (of text) and what was expected and found.
plait_status plait_mesh_read(const char *path, plait_shape *shape, plait_error *error);
// The same from memory; bytes[size] is 0. name: how messages call it.
plait_status plait_mesh_parse(const char *name, const char *bytes, size_t size, plait_shape *shape, plait_error *error);

// What a file says of its corners: texture coordinates, or an attribute by its name. Vertices, faces and corners may
// have it; here every corner of every triangle has its own.
typedef struct plait_mesh_map {
    const char *wish; // name of the attribute; NULL: texture coordinates
    int width;        // numbers that are wanted: the first ones of an attribute; 2 of texture coordinates
    bool found;       // some corner has it
    int triangles;    // as plait_mesh_read finds them, in this order
    int *triangle;    // [3 triangles] vertices
    double *value;    // [3 triangles][width] not finite: this corner has none
} plait_mesh_map;

// Fills a map that says what is wished. Free it with plait_mesh_map_free, also after a failure.
plait_status plait_mesh_read_map(const char *path, plait_mesh_map *map, plait_error *error);
void plait_mesh_map_free(plait_mesh_map *map);
// The value at a place of triangle t of a mesh with these corners; false: there is none.
bool plait_mesh_map_at(const plait_mesh_map *map, int t, const int corner[3], const double weight[3], double *value);

// ---- between the readers (mesh.c, mesh_obj.c, mesh_ply.c) ----------------------------------------------------------

typedef struct plait_mesh_builder {
    const char *name;
    plait_error *error;
    double *point;
    int *triangle;
    int points, triangles;
    size_t point_room, triangle_room;
    // Of corners: what is wished (a plait_mesh_map), the numbers that were found, and where those of a corner are.
    const char *wish;
    int width;        // 0: nothing is wished
    double *value;    // [values][width]
    int *corner;      // [3 triangles] place in value
    size_t values, value_room, corner_room;
} plait_mesh_builder;

// Each returns false with *error set.
bool plait_mesh_fail(plait_mesh_builder *b, long line, const char *format, ...) PLAIT_PRINTF(3, 4); // line 0: none
bool plait_mesh_add_point(plait_mesh_builder *b, const double x[3]);
bool plait_mesh_add_triangle(plait_mesh_builder *b, int i, int j,
                             int k); // checks that they differ, not that they exist
// The same with the places of its corners in `value`, -1: none.
bool plait_mesh_add_corners(plait_mesh_builder *b, const int vertex[3], const int corner[3]);
bool plait_mesh_add_value(plait_mesh_builder *b, const double *value); // [width]; NULL: none
bool plait_mesh_parse_obj(plait_mesh_builder *b, const char *text, size_t size);
bool plait_mesh_parse_ply(plait_mesh_builder *b, const char *bytes, size_t size);
// A finite number at *at, which moves behind it and the blanks before it; false: none there.
bool plait_mesh_scan_real(const char **at, double *value);

#endif
