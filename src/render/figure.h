// figure.h: a figure and its parts, for the files that draw it.
#ifndef PLAIT_RENDER_FIGURE_H
#define PLAIT_RENDER_FIGURE_H

#include "render/face.h"
#include "render/render.h"

// Distances from a skin on a grid, in the frame of its body (cover.c).
typedef struct plait_cover {
    int size[3];
    double low[3], cell; // [m]
    float *distance;
} plait_cover;

typedef struct plait_skin {
    int points, triangles, *index;
    double *x; // [3 points] in the frame of the body
    plait_f3 *normal;
    plait_tint *tint;
} plait_skin;

struct plait_figure {
    int head, shoulders; // colliders, -1: none
    plait_gen_head_options of_head;
    plait_gen_shoulders_options of_shoulders;
    plait_skin face, bust;
    plait_cover over_face, over_bust;
};

typedef double (*plait_distance_at)(const void *options, const double p[3]);

// From outside along the ray to the surface, at most `reach` [m] away.
double plait_figure_walk_in(plait_distance_at at, const void *options, const double from[3], const double d[3],
                            double reach);
double plait_figure_face_at(const void *options, const double p[3]);
// Between the frame of a body and the world.
void plait_figure_into(const double pose[7], const double p[3], double out[3]);
void plait_figure_out_of(const double pose[7], const double p[3], double out[3]);

// Around the points of a skin, and `margin` [m] more. False without memory.
bool plait_cover_make(plait_cover *cover, const plait_skin *skin, plait_distance_at at, const void *options,
                      double cell, double margin);
void plait_cover_free(plait_cover *cover);

#endif
