// gen_curve.h: the curve that a rod model makes of the nodes of a strand, and nodes that make a wanted curve.
//
// A super-helix does not go through its nodes, and what one node does is felt all along. Nodes for a wanted curve are
// found by least squares, with the derivative of the curve by differences.
#ifndef PLAIT_SCENE_GEN_CURVE_H
#define PLAIT_SCENE_GEN_CURVE_H

#include <stddef.h>

#include "scene/gen_common.h"

typedef struct plait_gen_curve {
    const plait_scene *scene;
    const plait_gen_style *style;
    plait_section section;
    int samples; // per segment
    bool curved; // the model does not go straight from node to node
} plait_gen_curve;

plait_status plait_gen_curve_new(const plait_scene *scene, const plait_gen_style *style, plait_gen_curve *curve,
                                 plait_error *error);

// Traced nodes of a strand: (nodes - 1) samples + 1.
int plait_gen_curve_nodes(const plait_gen_curve *curve, const plait_gen_strand *strand);
// x [3 traced nodes]. False with *error: it makes no rod.
bool plait_gen_curve_trace(const plait_gen_curve *curve, const plait_gen_strand *strand, double *x, plait_error *error);

// Room for plait_gen_curve_pull and _fit, in doubles.
size_t plait_gen_curve_work(const plait_gen_curve *curve, const plait_gen_strand *strand);
// d x / d nodes but the first: J [3 traced nodes][3 (nodes - 1)], at a strand whose curve is x.
bool plait_gen_curve_jacobian(const plait_gen_curve *curve, const plait_gen_strand *strand, const double *x, double *J,
                              double *work);
// Moves all nodes but the first so that the curve moves by `by`, where weight says how much it matters.
void plait_gen_curve_pull(const plait_gen_curve *curve, plait_gen_strand *strand, const double *J, const double *by,
                          const double *weight, double *work);
// Moves them until the curve is as near to `want` [3 traced nodes] as it can be; x: the curve then.
bool plait_gen_curve_fit(const plait_gen_curve *curve, plait_gen_strand *strand, const double *want, double *x,
                         double *J, double *work, plait_error *error);

// The curve of a fibre of the scene as contacts see it: [3 *nodes], malloc'ed; NULL without memory or with an error.
double *plait_gen_trace(const plait_scene *scene, int fibre, int *nodes, plait_error *error);

#endif
