// render.h: the parts of `plait render`.
#ifndef PLAIT_CLI_RENDER_H
#define PLAIT_CLI_RENDER_H

#include "cli.h"
#include "strands.h"

int plait_cli_render(int argc, char **argv);

// ---- what is drawn (render_source.c) -------------------------------------------------------------------------------

// A trajectory, or strands of a .hair file as one with a single frame.
typedef struct plait_source {
    plait_trajectory *trajectory;      // NULL: strands
    const plait_trajectory_info *info; // of either
    plait_trajectory_info *own;        // of strands
    plait_trajectory_frame *frame;     // the one that was read last
    plait_carry *carry;                // strands instead of the trajectory's fibres; NULL: these
    int frames;
} plait_source;

// DIR: a run's folder; FILE: a trajectory, a .hair file as its first bytes tell, curves (.usda, .obj). False with a
// message.
bool plait_source_open(plait_source *source, const char *path, const plait_strands_choice *choice);
bool plait_source_is_strands(const char *path);
bool plait_source_open_strands(plait_source *source, const char *path, plait_error *error);
bool plait_source_read(plait_source *source, int i); // into source->frame; false with a message
bool plait_source_read_to(plait_source *source, int i, plait_trajectory_frame *frame); // of a trajectory
double plait_source_time(const plait_source *source, int i);
void plait_source_close(plait_source *source);

// ---- words of options (render_words.c) ---------------------------------------------------------------------------

// All return false with a message if the text is none of what they expect.
bool plait_render_read_size(const char *text, plait_render_options *options);
bool plait_render_read_style(const char *text, plait_render_options *options);
bool plait_render_read_colour(const char *text, plait_render_options *options);
bool plait_render_read_camera(const char *text, plait_render_options *options);
bool plait_render_read_up(const char *text, plait_render_options *options);
// "A:B", "A:B:STEP", negative numbers count from the end; either end may be left out.
bool plait_render_read_range(const char *text, int frames, int *first, int *last, int *step);

// ---- films (render_film.c, film_webp.c) --------------------------------------------------------------------------

typedef struct plait_film plait_film;
// Whether this film can be made: .webp always (unless built without libwebp), others by ffmpeg; a message if not.
bool plait_film_possible(const char *path);
// Written under a temporary name, which becomes `path` at the end; its ending (.mp4, .webp, .gif) says what it is. NULL
// with a message.
plait_film *plait_film_open(const char *path, int width, int height, double fps);
bool plait_film_add(plait_film *film, const unsigned char *rgb, size_t size); // one picture
// keep: the film is done; else it is thrown away. False with a message if it could not be finished.
bool plait_film_close(plait_film *film, bool keep);

typedef struct plait_webp plait_webp;
bool plait_webp_possible(void);
plait_webp *plait_webp_new(int width, int height, double fps);
bool plait_webp_add(plait_webp *webp, const unsigned char *rgb);    // false: plait_webp_write will say why
const char *plait_webp_write(plait_webp *webp, const char *path); // NULL, or what went wrong
void plait_webp_free(plait_webp *webp);

#endif
