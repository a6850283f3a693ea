// render.h: the parts of the renderer.
//
// A frame becomes strands (curves), solids (bodies, the ground) and marks (contacts); the tracer gets them all; the
// grid holds how dense hair is and how much of the sky reaches into it; then every pixel is shaded.
#ifndef PLAIT_RENDER_RENDER_H
#define PLAIT_RENDER_RENDER_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/team.h"
#include "plait/render.h"
#include "render/f3.h"
#include "render/sample.h"
#include "render/tracer.h"

// ---- what is seen over all frames: camera (camera.c) --------------------------------------------------------------

enum { PLAIT_HULL = 258 }; // directions
// For each of many directions the point that is farthest that way: almost the convex hull.
typedef struct plait_hull {
    bool any; // points yet
    double direction[PLAIT_HULL][3], reach[PLAIT_HULL], point[PLAIT_HULL][3];
} plait_hull;
void plait_hull_add(plait_hull *hull, const double point[3]);

typedef struct plait_view {
    double up[3];
    plait_hull fibres, bodies;
    plait_hull main;                 // the body that fibres are rooted on
    double count, sum[3], square[9]; // of fibres' nodes, for their middle and main directions
    double body_count, body_sum[3];  // of the middle of the main body, or of all
    double radius;                   // [m] largest that surrounds a node
    bool has_plane;                  // a collider that is the ground,
    double plane;                    // and its height along up
} plait_view;
void plait_view_add_fibre(plait_view *view, const double point[3]);
plait_camera plait_view_camera(const plait_view *view, const plait_render_options *options);
double plait_view_ground(const plait_view *view); // height along up

// Rays through the picture.
typedef struct plait_lens {
    plait_f3 eye, right, down, forward; // right and down reach from the middle to the edge, at distance 1
    int width, height;
    float aperture, focus; // [m] radius; distance of what is sharp
} plait_lens;
plait_lens plait_lens_new(const plait_camera *camera, int width, int height);
// The ray through (x, y), in pixels, and the point (a, b) in [0, 1)^2 of the lens.
plait_f3 plait_lens_ray(const plait_lens *lens, float x, float y, float a, float b, plait_f3 *from);

// ---- colours and kinds of things (look.c) -------------------------------------------------------------------------

typedef struct plait_look {
    bool hair;
    plait_f3 colour;
} plait_look;
plait_look plait_look_fibre(const plait_trajectory_info *info, int fibre, const plait_render_options *options);
// clear: how much light comes through
plait_f3 plait_look_soft(const plait_trajectory_info *info, int soft, float *clear);
// rigid: number of a body that moves on its own, -1: a collider
plait_f3 plait_look_body(const plait_trajectory_info *info, const plait_trajectory_body *body, int rigid);
// The direction against gravity that the scene's text tells; z if it tells none.
void plait_look_up(const char *scene, double up[3]);

// ---- curves (strands.c) -------------------------------------------------------------------------------------------

typedef struct plait_strand {
    plait_f3 colour;
    float tilt;          // [rad] of the scales of hair
    int first, segments; // points are first .. first + segments + 2: one more before the root and after the tip
} plait_strand;

typedef struct plait_strands {
    int count, points, segments;
    plait_strand *strand;
    float *xyzr;     // [4 points]
    unsigned *index; // [segments] first of four points
    int *owner;      // [segments] strand
    double radius;   // [m] largest
} plait_strands;

// How children sit around fibres; found in the first frame.
typedef struct plait_wisps {
    int children;
    double radius;   // [m]
    double *tangent; // [3 fibres] at the root, at the beginning
} plait_wisps;
bool plait_wisps_find(plait_wisps *wisps, const plait_trajectory_info *info, const plait_look *look,
                      const plait_trajectory_frame *frame, const plait_render_options *options);

// Those fibres that are hair, or those that are not. pixel: [m] the size of one. False without memory.
bool plait_strands_build(plait_strands *strands, bool hair, const plait_trajectory_info *info, const plait_look *look,
                         const plait_wisps *wisps, const plait_trajectory_frame *frame,
                         const plait_render_options *options, double pixel);
void plait_strands_free(plait_strands *strands);
// Room for more strands, all with as many nodes; then one of them after the other. False without memory.
bool plait_strands_grow(plait_strands *strands, int count, int nodes);
void plait_strands_put(plait_strands *strands, int nodes, const float *xyzr, plait_f3 colour, uint32_t key);
// After its points were moved: the ends that are not seen.
void plait_strands_close(plait_strands *strands, int strand);
plait_f3 plait_strands_vary(plait_f3 colour, int fibre, int number, bool hair);
plait_f3 plait_strands_tangent(const plait_strands *strands, int segment, float u, float *radius);

// A ponytail's hair from the scalp to the tie (cap.c), in the frame of the head.
enum { PLAIT_CAP_NODES = 16 };
typedef struct plait_cap {
    int body, strands;
    float *x; // [strands][nodes][3]
} plait_cap;
// body: the collider that hair is rooted on, or -1. No strands if it is no ponytail; false without memory.
bool plait_cap_find(plait_cap *cap, const plait_trajectory_info *info, const plait_look *look,
                    const plait_trajectory_frame *frame, const double up[3], int body);
bool plait_cap_add(plait_strands *strands, const plait_cap *cap, const double pose[7], double radius, plait_f3 colour);
void plait_cap_free(plait_cap *cap);
// Whether a direction from the middle of the skull is above the hairline, by `fringe` [rad] at least.
bool plait_cap_above(const double up[3], const double back[3], const double direction[3], double fringe);

// ---- bodies (solids.c), contacts (marks.c) ------------------------------------------------------------------------

typedef enum plait_part_kind { PLAIT_PART_HAIR, PLAIT_PART_CORD, PLAIT_PART_SOLID, PLAIT_PART_MARK } plait_part_kind;
// One geometry of the tracer.
typedef struct plait_part {
    plait_part_kind kind;
    const plait_strands *strands; // HAIR, CORD
    plait_f3 colour;              // SOLID
    float clear;                  // SOLID: how much light comes through, 0 .. 1: jelly
    bool skin, wet;               // SOLID: of a figure; an eye
    plait_tint *tint;             // SOLID: [3 triangles] of corners; NULL: `colour`
    plait_f3 *corner, *normal;    // SOLID: [3 triangles] places of corners, normals there; NULL: the geometry's own
    plait_f3 *colours;            // MARK: of each primitive; ends of cords too
} plait_part;

typedef struct plait_parts {
    int count, room;
    plait_part *part;
} plait_parts;
// Takes over corner, normal, tint and colours. False without memory, or if geometry is negative.
bool plait_parts_add(plait_parts *parts, int geometry, plait_part part);
void plait_parts_free(plait_parts *parts);

// Triangles that know the places and normals of their own corners.
typedef struct plait_facets {
    int count;
    plait_f3 *corner, *normal; // [3 count]
    plait_f3 *mean;            // [3 count] normals of the corners over all triangles around: the same for all of them
    int edges;                 // pairs of triangles that meet in one
} plait_facets;
bool plait_facets_new(plait_facets *facets, int count); // false without memory; what there is must be freed
void plait_facets_free(plait_facets *facets);
// Takes over the facets and what the part holds.
bool plait_facets_add(plait_tracer *tracer, plait_parts *parts, plait_part part, plait_facets *facets);

// All vertices, or as many points that surround it: for the camera.
void plait_solid_extent(const plait_trajectory_body *body, const double pose[7], const double *vertex,
                        void (*add)(const double point[3], void *data), void *data);
bool plait_soft_add(plait_tracer *tracer, plait_parts *parts, const plait_trajectory_info *info, int i,
                    const double *x);
bool plait_solid_add(plait_tracer *tracer, plait_parts *parts, plait_f3 colour, const plait_trajectory_body *body,
                     const double pose[7], const double *vertex, double size);
// A wall that is looked at from behind.
bool plait_solid_hides(const plait_trajectory_body *body, const double pose[7], const double eye[3]);
// Whether it is a plane that looks up; then its height is told.
bool plait_solid_is_ground(const plait_trajectory_body *body, const double pose[7], const double up[3], double *height);

// A generated head, with shoulders or without, as it is drawn (figure.c). *figure is NULL if there is none; false
// without memory.
typedef struct plait_figure plait_figure;
bool plait_figure_find(plait_figure **figure, const plait_trajectory_info *info);
void plait_figure_free(plait_figure *figure); // NULL is fine, here and below
bool plait_figure_root(plait_figure *figure, const double *collider_pose, int count, const double *root, int caps,
                       const float *cap, int stride, plait_f3 colour);
bool plait_figure_has(const plait_figure *figure, int collider); // it is drawn by the figure
bool plait_figure_add(const plait_figure *figure, plait_tracer *tracer, plait_parts *parts,
                      const double *collider_pose);
bool plait_figure_hair(const plait_figure *figure, plait_strands *strands, const double *collider_pose,
                       plait_f3 colour);
// Hair between the hairline and the first that was simulated (fringe.c): where it begins and which fibre it joins.
typedef struct plait_fringe_strand {
    int fibre;
    float root[3];    // in the frame of the head
    double offset[3]; // from the fibre's root, there
} plait_fringe_strand;
typedef struct plait_fringe {
    int strands;
    plait_fringe_strand *strand;
} plait_fringe;
// wanted: about as many strands as would cover a whole ball. False without memory.
bool plait_fringe_find(plait_fringe *fringe, const plait_figure *figure, const plait_trajectory_info *info,
                       const plait_look *look, const plait_trajectory_frame *frame, int wanted);
bool plait_fringe_add(plait_strands *strands, const plait_fringe *fringe, const plait_figure *figure,
                      const plait_trajectory_info *info, const plait_look *look, const plait_trajectory_frame *frame,
                      double radius);
void plait_fringe_free(plait_fringe *fringe);
// Hair that would go through its skin lies on it (cover.c). False without memory.
bool plait_figure_lift(const plait_figure *figure, plait_strands *strands, const double *collider_pose);

bool plait_marks_add(plait_tracer *tracer, plait_parts *parts, const plait_trajectory_frame *frame, double size,
                     plait_render_report *report);

// ---- light (light.c, hair.c, grid.c) ------------------------------------------------------------------------------

typedef struct plait_lamp {
    plait_f3 direction; // towards it
    float cosine;       // of its angular radius
    plait_f3 light;     // what a white wall that faces it sends back
} plait_lamp;

// Light out of a picture (environment.c). axes: its frame, up last. `azimuth` [rad]: where its middle is, from axes[0]
// to [1].
typedef struct plait_environment plait_environment;
plait_environment *plait_environment_read(const char *path, double azimuth, plait_error *error);
void plait_environment_free(plait_environment *environment);        // NULL is fine
float plait_environment_mean(const plait_environment *environment); // brightness
// soft: without what is very bright
plait_f3 plait_environment_light(const plait_environment *environment, const plait_f3 axes[3], plait_f3 direction,
                                 bool soft);
// A direction of what is very bright, and its light as that of a lamp. False: nothing is.
bool plait_environment_draw(const plait_environment *environment, const plait_f3 axes[3], float a, float b,
                            plait_f3 *direction, plait_f3 *light);

enum { PLAIT_LAMPS = 2 };
typedef struct plait_lights {
    plait_f3 up, side; // side: to the right of the camera
    plait_lamp lamp[PLAIT_LAMPS];
    const plait_environment *environment; // NULL: lamps and a sky
    plait_f3 axes[3];
    float gain; // times the environment's light
} plait_lights;
plait_lights plait_lights_new(const plait_camera *camera, const double up[3], const plait_environment *environment);
plait_f3 plait_lights_sky(const plait_lights *lights, plait_f3 direction);
// A direction (a, b in [0, 1)) towards lamp i, and its light as lamps have it. False: there is none.
bool plait_lights_draw(const plait_lights *lights, int i, float a, float b, plait_f3 *direction, plait_f3 *light);
// What is seen behind everything, at (x, y) in [-1, 1]^2, in this direction.
plait_f3 plait_lights_backdrop(const plait_lights *lights, float x, float y, plait_f3 direction);

// Light per solid angle that hair with this tangent (root to tip) sends to the eye, of a beam from `light` with unit
// irradiance. Integrated over all directions `light` it is at most 1.
plait_f3 plait_hair_scatter(plait_f3 colour, float tilt, plait_f3 tangent, plait_f3 eye, plait_f3 light);
plait_f3 plait_hair_albedo(plait_f3 colour);  // the integral, roughly: for light from everywhere
plait_f3 plait_hair_through(plait_f3 colour); // share of light that comes through one strand

typedef struct plait_grid {
    int size[3];
    plait_f3 low;
    float cell;
    float *density; // [1/m] shadow area per volume
    plait_f3 *sky;  // mean light of the sky where there is hair
} plait_grid;
bool plait_grid_build(plait_grid *grid, const plait_strands *strands, plait_f3 through, const plait_tracer *tracer,
                      const plait_lights *lights, plait_team team);
plait_f3 plait_grid_sky(const plait_grid *grid, plait_f3 at);
void plait_grid_free(plait_grid *grid);

// ---- pixels (shade.c, tone.c) -------------------------------------------------------------------------------------

typedef struct plait_shader {
    const plait_tracer *tracer;
    const plait_part *part;
    const plait_grid *grid;
    plait_lights lights;
    plait_lens lens;
    plait_f3 through; // of hair, for shadows
    bool ground;
    float height; // of the ground along up
    float scale;  // [m] of the scene
    float exposure;
} plait_shader;

// Sums over the samples of a pixel.
typedef struct plait_pixel {
    plait_f3 light, back;    // of things; of the backdrop
    float cover;             // of the backdrop by things and shadows, 0 .. 1 per sample
    float count;             // samples
    plait_f3 square;         // of light and back together
    plait_f3 colour, normal; // of what was met first, for the filter
} plait_pixel;
// Adds the samples first, first + step ... of `samples`.
void plait_shade_pixel(const plait_shader *shader, int x, int y, int samples, int first, int step, plait_pixel *pixel);

// Pixels are means afterwards (count 1), with less noise (denoise.c). False without memory.
bool plait_denoise(plait_pixel *pixel, int width, int height, plait_team team);

// The frame at part t (0 .. 1) of the way from a to b, into `out`, which is a frame of the same trajectory (blur.c).
void plait_frame_between(const plait_trajectory_info *info, const plait_trajectory_frame *a,
                         const plait_trajectory_frame *b, double t, plait_trajectory_frame *out);

float plait_tone_encode(float light); // 0 .. 1, as a screen shows it
void plait_tone_map(const float *linear, int width, int height, unsigned char *rgb);

// Writes a file under a temporary name, which becomes `path` if all went well (save.c).
plait_status plait_picture_save(const char *path, int width, int height, bool (*write)(FILE *file, const void *data),
                                const void *data, plait_error *error);

#endif
