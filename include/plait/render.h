// render.h: pictures of fibres: rays are traced (Embree) at curves through the nodes of a trajectory's frame.
//
// A renderer belongs to one trajectory. It is shown some frames (plait_render_look), from which it finds a camera and
// the height of the ground that do for all of them, then it draws frames. Hair scatters light in two highlights and
// through itself (Marschner et al. 2003), thick fibres are glossy; light is a soft key light, one from behind and a
// sky, and everything casts soft shadows. The same frame gives the same bits for any number of threads.
//
// The world is the trajectory's, in metres; up is against gravity.
#ifndef PLAIT_RENDER_H
#define PLAIT_RENDER_H

#include <stdbool.h>

#include "plait/carry.h"
#include "plait/status.h"
#include "plait/trajectory.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum plait_render_style {
    PLAIT_RENDER_AUTO,    // hair for fibres that are, or are called, hair; plain for others
    PLAIT_RENDER_HAIR,    // all fibres as hair
    PLAIT_RENDER_PLAIN,   // all fibres as glossy cords
    PLAIT_RENDER_CONTACTS // fibres thin and grey; contacts coloured by impulse, sticking and sliding apart
} plait_render_style;

typedef struct plait_camera {
    double eye[3], target[3]; // [m]
    double up[3];
    double fov; // [rad] of the picture's height
} plait_camera;

typedef struct plait_render_options {
    int width, height; // [pixels]
    int samples;       // per pixel
    int threads;       // 0: as many as OpenMP suggests
    plait_render_style style;
    double thickness;          // times the contact radius (of children: times what suits them)
    const plait_carry_strands *strands; // the info is that of carried strands: their widths and colours; or NULL
    int children;              // strands drawn for each fibre that is hair; 0: as many as look well
    double wisp;               // [m] radius that they fill at the root; 0: by the distance of the roots
    double colour[3];          // of hair, linear RGB; negative: brown
    double azimuth, elevation; // [rad] from where the camera looks; azimuth from x to y; NAN: chosen
    double zoom;               // 1: everything just fits in
    double fov;                // [rad] of the picture's height
    double up[3];              // zero: against the scene's gravity
    bool ground;               // a ground below everything, for shadows to fall on
    bool cap;                  // a ponytail also gets the hair from the scalp to its tie, which is not simulated
    bool figure;               // a generated head is drawn with a face, and as one body with its shoulders
    double exposure;           // times the light
    const char *environment; // a Radiance picture (.hdr, equirectangular) that gives light and backdrop; NULL: a studio
    double environment_azimuth; // [rad] where the middle of that picture is, from x to y
    double aperture;            // [m] radius of the lens; 0: everything is sharp
    double focus;               // [m] from the eye to what is sharp; 0: to the camera's target
    double shutter;             // share of the time to the next frame during which it is open (plait_render_draw)
    bool denoise;               // a filter guided by colours and normals, for pictures with few samples
    plait_camera camera;        // taken as it is if its fov > 0
    // Called now and then by one thread with the part of the picture that is done; false: stop. May be NULL.
    bool (*progress)(double part, void *data);
    void *data;
} plait_render_options;
PLAIT_API plait_render_options plait_default_render(void); // 1280 x 720, 32 samples

typedef struct plait_render_report {
    bool stopped; // by `progress`; there is no picture then
    int strands;  // curves that were drawn
    // Style `contacts`:
    int contacts, sticking, sliding, open; // open: without an impulse
    double largest;                        // [N s] impulse
} plait_render_report;

typedef struct plait_render plait_render;

// info must stay as long as the renderer. NULL with *error set: an option out of range, no memory, no Embree device.
PLAIT_API plait_render *plait_render_new(const plait_trajectory_info *info, const plait_render_options *options,
                                         plait_error *error);
PLAIT_API void plait_render_free(plait_render *render); // NULL is fine

// Shows a frame for the automatic camera and ground. The first one also says where children sit around their fibres.
PLAIT_API plait_status plait_render_look(plait_render *render, const plait_trajectory_frame *frame, plait_error *error);

// The camera that will be used. At least one frame was looked at.
PLAIT_API plait_camera plait_render_camera(const plait_render *render);

// Where a point of the world is in the picture: pixels from the left and from the top. False: behind the camera.
PLAIT_API bool plait_camera_project(const plait_camera *camera, int width, int height, const double point[3],
                                    double pixel[2]);

// Draws a frame after at least one was looked at. linear: [height][width][3] light, scaled so that 1 is bright;
// rgb: [height][width][3] bytes as a screen shows them (sRGB). Either may be NULL, and so may report. Neither NaN nor
// infinity is drawn: a frame that has any is PLAIT_BAD_INPUT.
PLAIT_API plait_status plait_render_frame(plait_render *render, const plait_trajectory_frame *frame, float *linear,
                                          unsigned char *rgb, plait_render_report *report, plait_error *error);

// What a picture is wanted as; each [height][width][...], or NULL.
typedef struct plait_render_picture {
    float *linear;             // [3] light, 1 is bright
    unsigned char *rgb;        // [3] as a screen shows it
    float *rgba;               // [4] light without the backdrop, and how much of it is covered: light is times cover
                               // already; shadows on the ground cover without light
    unsigned char *rgba_bytes; // [4] the same for a screen, light not times cover
} plait_render_picture;

// As plait_render_frame, and more: `next` is the frame after this one, for motion blur (options.shutter); NULL: none.
PLAIT_API plait_status plait_render_draw(plait_render *render, const plait_trajectory_frame *frame,
                                         const plait_trajectory_frame *next, const plait_render_picture *picture,
                                         plait_render_report *report, plait_error *error);

// Writes [height][width][4] light with alpha as OpenEXR (32-bit floats, no compression); as plait_png_write does.
PLAIT_API plait_status plait_exr_write(const char *path, int width, int height, const float *rgba, plait_error *error);

// Writes [height][width][4] bytes as PNG with alpha; as plait_png_write does.
PLAIT_API plait_status plait_png_write_alpha(const char *path, int width, int height, const unsigned char *rgba,
                                             plait_error *error);

// Writes [height][width][3] bytes as PNG; under a temporary name, then renamed.
PLAIT_API plait_status plait_png_write(const char *path, int width, int height, const unsigned char *rgb,
                                       plait_error *error);

#ifdef __cplusplus
}
#endif
#endif
