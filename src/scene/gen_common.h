// gen_common.h: what the generators share: checks, drawing a strand on its axis, adding it to the scene, packing discs.
#ifndef PLAIT_SCENE_GEN_COMMON_H
#define PLAIT_SCENE_GEN_COMMON_H

#include "base/rng.h"
#include "scene/generators.h"

// A number that must lie in a range; `min` itself is refused if `above`.
typedef struct plait_gen_range {
    const char *what;
    double value, min, max;
    bool above;
} plait_gen_range;

// A whole number from min to max.
typedef struct plait_gen_count {
    const char *what;
    int value, min, max;
} plait_gen_count;

// A vector that is finite and, if unit is not NULL, has a direction, which goes there.
typedef struct plait_gen_vector {
    const char *what;
    const double *x;
    double *unit;
} plait_gen_vector;

// What a generator was asked for: the style in this scene (NULL: none), and lists that end with {0} (NULL: none).
// BAD_INPUT "<generator>: <what> must be ..., but is ...".
plait_status plait_gen_check(const char *generator, const plait_scene *scene, const plait_gen_style *style,
                             const plait_gen_vector *vector, const plait_gen_count *count, const plait_gen_range *range,
                             plait_error *error);
// A style whose roots are held by a collider, if it does not say otherwise.
plait_gen_style plait_gen_rooted(const plait_gen_style *style, int collider);
plait_status plait_gen_no_memory(const char *generator, plait_error *error);

double plait_gen_contact_radius(const plait_scene *scene, int material); // [m]

// Two unit vectors that make (a, b, axis) right-handed; `towards` (may be NULL) decides about a.
void plait_gen_basis(const double axis[3], const double *towards, double a[3], double b[3]);
// unit turned by at most `angle` in a random direction.
void plait_gen_jitter(plait_rng *rng, double angle, double unit[3]);
// length (1 +- jitter)
double plait_gen_length(const plait_gen_style *style, double length, plait_rng *rng);

// Arc length of a polyline, and the point at arc length s (ends: continued straight).
double plait_gen_polyline_length(int points, const double *point);
void plait_gen_polyline_at(int points, const double *point, double s, double x[3]);

// How long the axis of a strand of this length is: shorter if it is curled or wavy.
double plait_gen_axis_length(const plait_gen_style *style, double length);

// A strand as it begins.
typedef struct plait_gen_strand {
    int nodes;
    double *x;          // [3 nodes]; malloc'ed
    double director[3]; // towards which a curl bends at the root; zero: any
    int drawn_points;
    double *drawn; // [3 drawn_points] the finer line that x was taken from; malloc'ed
    double last;   // length of the last segment, relative to the others
} plait_gen_strand;

// Draws a strand of `segments` equal pieces (0: those of the axis) on its axis, with the curl or wave of the style; the
// first node is the first point of the axis. ramp: [m] over which the curl grows from nothing at the root.
bool plait_gen_draw(const plait_gen_style *style, double phase, double ramp, int points, const double *axis,
                    int segments, plait_gen_strand *strand);

// Cuts the tip off: the last segment keeps this part of its length. The others stay as they are, and so does the
// curve that a model makes of them.
void plait_gen_strand_cut(plait_gen_strand *strand, double last);
void plait_gen_strand_free(plait_gen_strand *strand);

// Copies the strand into the scene as a fibre of this style. -1: no memory.
int plait_gen_add(plait_scene *scene, const plait_gen_style *style, const plait_gen_strand *strand);
// All of them, or none and NO_MEMORY.
plait_status plait_gen_add_all(const char *generator, plait_scene *scene, const plait_gen_style *style, int count,
                               const plait_gen_strand *strand, plait_error *error);
void plait_gen_strands_free(int count, plait_gen_strand *strand); // the list too; NULL is fine
// The definition of the rod that such a fibre becomes (points are not copied).
plait_rod_def plait_gen_rod_def(const plait_scene *scene, const plait_gen_style *style, const plait_gen_strand *strand,
                                const plait_section *section);

// Takes fibres from `count` on away again: a generator that failed leaves the scene as it was.
void plait_gen_drop(plait_scene *scene, int count);

// The `count` places (x, y) of a hexagonal lattice with this distance that are nearest to the origin.
bool plait_gen_hexagonal(int count, double distance, double *place);
// Radius of the circle around the farthest place.
double plait_gen_pack_radius(int count, const double *place);

#endif
