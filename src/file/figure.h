// figure.h: meshes that move, from files of scenes (.abc, .usda, .usdc, .gltf, .glb): baked to vertices at equal
// intervals of time.
#ifndef PLAIT_FILE_FIGURE_H
#define PLAIT_FILE_FIGURE_H

#include <stdio.h>

#include "file/mesh.h"

// Says where all points are at a time [s]; false with an error set.
typedef struct plait_figure {
    bool (*pose)(void *self, double time, double *x);
    void *self;
    int points;
    double first, last, step; // [s] samples that there are; step 0: nothing moves
} plait_figure;

// The points of the first time become those of b, all others frames of the shape (times from 0 on). Bounded: more than
// 2^30 numbers are refused.
bool plait_figure_bake(const plait_figure *figure, plait_mesh_builder *b, plait_shape *shape);
// Times widen a range; step is the smallest interval.
void plait_figure_widen(const double *time, size_t count, double *first, double *last, double *step);
// Polygons as fans of triangles: counts[faces] corners, indices behind `base`. False: they do not fit together.
// `map`: what is wished of it, of points, faces, corners or all of it (by how many there are).
typedef struct plait_figure_map {
    // rows of `width` numbers; without indices they stand in order. malloc'ed
    double *value, *index; // [count], [indices]
    size_t count, indices;
    int width; // numbers in a row; 0: as many as there are
} plait_figure_map;
bool plait_figure_faces(plait_mesh_builder *b, const char *what, size_t faces, const double *counts, size_t corners,
                        const double *index, int points, int base, bool clockwise, const plait_figure_map *map);

// Readers, of a file that is open; shape gets its frames, b its points and triangles.
bool plait_abc_meshes(FILE *file, plait_mesh_builder *b, plait_shape *shape);
bool plait_usdc_meshes(FILE *file, plait_mesh_builder *b, plait_shape *shape);
bool plait_usda_meshes(const char *text, size_t size, plait_mesh_builder *b, plait_shape *shape);
bool plait_gltf_meshes(FILE *file, const char *path, plait_mesh_builder *b, plait_shape *shape);

#endif
