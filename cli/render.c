// render.c: `plait render`: pictures and films of a trajectory, or of a groom.
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "render.h"

enum { LOOKED_AT = 60 }; // frames that the camera is chosen by, at most

typedef struct job {
    plait_render_options options;
    const char *path, *output, *video;
    const char *frames, *size, *camera, *style, *colour, *up;
    int frame;
    double time, fps, environment_azimuth; // [degrees]
    bool force, no_ground, no_cap, no_figure, alpha;
    plait_strands_choice choice;
    // what follows from them
    plait_source source;
    plait_render *render;
    plait_trajectory_frame *next; // for motion blur
    plait_render_picture picture;
    bool exr;
    int first, last, step;
    // progress
    plait_cli_progress line;
    int done, all; // frames
    double started, shown;
} job;

// ---- progress ------------------------------------------------------------------------------------------------------

static bool show_progress(double part, void *data)
{
    enum { BAR = 24 };
    job *j = data;
    double now = plait_cli_wall(), whole = (j->done + part) / j->all;
    if (now - j->shown > 0.1) {
        char bar[BAR + 1];
        j->shown = now;
        memset(bar, '-', BAR);
        memset(bar, '#', (size_t)(BAR * whole));
        bar[BAR] = 0;
        double left = (now - j->started) * (1 / fmax(whole, 1e-9) - 1);
        plait_cli_progress_note(&j->line, "render [%s] %.0f %%, frame %d of %d, %s left", bar, 100 * whole, j->done + 1,
                                j->all, plait_cli_seconds(left));
    }
    return !plait_cli_interrupted();
}

// ---- one frame -------------------------------------------------------------------------------------------------------

static bool ends_in(const char *name, const char *ending)
{
    size_t length = strlen(name), end = strlen(ending);
    return length > end && strcmp(name + length - end, ending) == 0;
}

// out.png for one frame, out-0012.png for several. The caller frees it.
static char *frame_path(const job *j, int frame)
{
    size_t length = strlen(j->output), size = length + 16;
    char *path = plait_cli_alloc(size, 1);
    const char *ending = j->exr ? ".exr" : ".png";
    if (j->first == j->last)
        snprintf(path, size, "%s", j->output);
    else
        snprintf(path, size, "%.*s-%04d%s", (int)(ends_in(j->output, ending) ? length - 4 : length), j->output, frame,
                 ending);
    return path;
}

static void tell(const job *j, const char *path, int frame, const plait_render_report *r)
{
    printf("%s: frame %d at %s s, %d x %d pixels, %s strands\n", path, frame,
           plait_cli_number(plait_source_time(&j->source, frame)), j->options.width, j->options.height,
           plait_cli_count(r->strands));
    if (j->options.style == PLAIT_RENDER_CONTACTS)
        printf("%s contacts: %s stick (blue), %s slide (orange), %s without impulse (grey); the largest impulse is %s "
               "N s\n",
               plait_cli_count(r->contacts), plait_cli_count(r->sticking), plait_cli_count(r->sliding),
               plait_cli_count(r->open), plait_cli_number(r->largest));
}

static bool draw_frame(job *j, int frame, plait_render_report *report)
{
    plait_error error = {0};
    // The shutter opens at this frame and closes on the way to the next; at the last frame nothing moves on.
    bool moves = j->next && frame + 1 < j->source.frames;
    if ((moves && !plait_source_read_to(&j->source, frame + 1, j->next)) || !plait_source_read(&j->source, frame))
        return false;
    if (plait_render_draw(j->render, j->source.frame, moves ? j->next : NULL, &j->picture, report, &error) !=
        PLAIT_OK) {
        plait_cli_fail("%s: frame %d: %s", j->path, frame, error.text);
        return false;
    }
    return !report->stopped;
}

static bool write_picture(const job *j, const char *path, plait_error *error)
{
    int width = j->options.width, height = j->options.height;
    if (j->exr)
        return plait_exr_write(path, width, height, j->picture.rgba, error) == PLAIT_OK;
    if (j->alpha)
        return plait_png_write_alpha(path, width, height, j->picture.rgba_bytes, error) == PLAIT_OK;
    return plait_png_write(path, width, height, j->picture.rgb, error) == PLAIT_OK;
}

static bool draw_pictures(job *j)
{
    for (int i = j->first; i <= j->last; i += j->step) {
        plait_render_report report;
        plait_error error = {0};
        if (!draw_frame(j, i, &report))
            return false;
        char *path = frame_path(j, i);
        bool ok = write_picture(j, path, &error);
        plait_cli_progress_clear(&j->line);
        if (ok)
            tell(j, path, i, &report);
        else
            plait_cli_fail("%s", error.text);
        free(path);
        if (!ok)
            return false;
        j->done++;
    }
    return true;
}

static bool draw_film(job *j)
{
    int width = j->options.width, height = j->options.height;
    double fps = j->fps;
    if (!(fps > 0)) // as fast as it was
        fps = j->source.info->frame_time > 0 ? 1 / (j->source.info->frame_time * j->step) : 25;
    plait_film *film = plait_film_open(j->video, width, height, fps);
    if (!film)
        return false;
    plait_render_report report;
    bool ok = true, heard = true;
    for (int i = j->first; i <= j->last && ok && heard; i += j->step) {
        ok = draw_frame(j, i, &report);
        heard = !ok || plait_film_add(film, j->picture.rgb, 3 * (size_t)width * (size_t)height);
        j->done++;
    }
    plait_cli_progress_clear(&j->line);
    // If who makes the film does not listen any more, closing tells why.
    ok = plait_film_close(film, ok && !plait_cli_interrupted()) && ok;
    if (ok)
        printf("%s: %d frames at %s per second, %d x %d pixels, %s strands\n", j->video, j->done, plait_cli_number(fps),
               width, height, plait_cli_count(report.strands));
    return ok;
}

// ---- all -------------------------------------------------------------------------------------------------------------

static bool choose_frames(job *j)
{
    int frames = j->source.frames;
    bool one = j->frame != INT_MIN, at = !isnan(j->time);
    if ((one && at) || ((one || at) && (j->frames || j->video))) {
        plait_cli_fail("only one of --frame, --time and --frames or --video can be given");
        return false;
    }
    j->first = j->last = frames - 1;
    j->step = 1;
    if (j->frames)
        return plait_render_read_range(j->frames, frames, &j->first, &j->last, &j->step);
    if (j->video)
        j->first = 0;
    if (at)
        j->first = j->last = j->source.trajectory ? plait_trajectory_find(j->source.trajectory, j->time) : 0;
    if (one)
        j->first = j->last = j->frame < 0 ? j->frame + frames : j->frame;
    if (j->first < 0 || j->first >= frames) {
        plait_cli_fail("--frame: expected 0 to %d, or -1 (the last) to %d, found %d", frames - 1, -frames, j->frame);
        return false;
    }
    return true;
}

// The folder that a file will be written to must be there, before an hour of work is lost.
static bool folder_is_there(const char *path)
{
    const char *slash = strrchr(path, '/');
    if (!slash || slash == path)
        return true;
    char *folder = plait_cli_alloc((size_t)(slash - path) + 1, 1);
    memcpy(folder, path, (size_t)(slash - path));
    bool there = plait_cli_is_folder(folder);
    if (!there)
        plait_cli_fail("%s: cannot be written: there is no folder '%s'", path, folder);
    free(folder);
    return there;
}

static bool check_output(job *j)
{
    if (j->video) {
        bool webp = ends_in(j->video, ".webp"), gif = ends_in(j->video, ".gif");
        if (!ends_in(j->video, ".mp4") && !webp && !gif) {
            plait_cli_fail("--video: expected a name that ends in .mp4, .webp or .gif, found '%s'", j->video);
            return false;
        }
        if (j->alpha) {
            plait_cli_fail("--alpha: films have none; draw pictures with --frames");
            return false;
        }
        if (!webp && !gif && (j->options.width % 2 || j->options.height % 2)) {
            plait_cli_fail("--video: expected an even width and height for .mp4, found %dx%d", j->options.width,
                           j->options.height);
            return false;
        }
        if (j->output) {
            plait_cli_fail("-o names a picture, --video a film; only one of them can be given");
            return false;
        }
        return plait_film_possible(j->video) && folder_is_there(j->video) && plait_cli_may_write(j->video, j->force);
    }
    if (!folder_is_there(j->output))
        return false;
    for (int i = j->first; i <= j->last; i += j->step) {
        char *path = frame_path(j, i);
        bool may = plait_cli_may_write(path, j->force);
        free(path);
        if (!may)
            return false;
    }
    return true;
}

// NAME.png for runs/NAME/, NAME.h5 or NAME.hair.
static char *default_output(const char *path)
{
    size_t length = strlen(path);
    while (length > 1 && path[length - 1] == '/')
        length--;
    size_t start = length;
    while (start > 0 && path[start - 1] != '/')
        start--;
    char *name = plait_cli_alloc(length - start + 8, 1);
    memcpy(name, path + start, length - start);
    char *dot = strrchr(name, '.');
    if (dot && dot != name && (strcmp(dot, ".h5") == 0 || strcmp(dot, ".hair") == 0))
        *dot = 0;
    if (!*name || strcmp(name, "/") == 0 || strcmp(name, ".") == 0 || strcmp(name, "..") == 0)
        strcpy(name, "plait");
    return strcat(name, ".png");
}

static bool read_words(job *j)
{
    plait_render_options *o = &j->options;
    double degree = 3.14159265358979323846 / 180;
    o->fov *= degree;
    o->ground = !j->no_ground;
    o->cap = !j->no_cap;
    o->figure = !j->no_figure;
    o->environment_azimuth = j->environment_azimuth * degree;
    return (!j->size || plait_render_read_size(j->size, o)) && (!j->style || plait_render_read_style(j->style, o)) &&
           (!j->colour || plait_render_read_colour(j->colour, o)) && (!j->up || plait_render_read_up(j->up, o)) &&
           (!j->camera || plait_render_read_camera(j->camera, o));
}

// The camera does for all frames that are drawn; children sit where the first of these puts them.
static bool look(job *j)
{
    plait_error error = {0};
    int count = (j->last - j->first) / j->step + 1, stride = j->step * (count / LOOKED_AT + 1);
    for (int i = j->first; i <= j->last; i += stride) {
        if (!plait_source_read(&j->source, i))
            return false;
        if (plait_render_look(j->render, j->source.frame, &error) != PLAIT_OK) {
            plait_cli_fail("%s: frame %d: %s", j->path, i, error.text);
            return false;
        }
        if (plait_cli_interrupted())
            return false;
    }
    return true;
}

static bool run(job *j)
{
    plait_error error = {0};
    if (!choose_frames(j) || !check_output(j))
        return false;
    if (j->options.style == PLAIT_RENDER_CONTACTS && !j->source.info->stored.contacts) {
        plait_cli_fail("%s: contacts are not stored in this trajectory; run the scene again with --set "
                       "output.contacts=true",
                       j->path);
        return false;
    }
    j->all = (j->last - j->first) / j->step + 1;
    j->line = plait_cli_progress_start("render", false);
    j->started = plait_cli_wall();
    j->options.progress = show_progress;
    j->options.data = j;
    j->render = plait_render_new(j->source.info, &j->options, &error);
    if (!j->render) {
        plait_cli_fail("%s", error.text);
        return false;
    }
    size_t pixels = (size_t)j->options.width * (size_t)j->options.height;
    j->picture.rgb = !j->exr && !j->alpha ? plait_cli_alloc(pixels, 3) : NULL;
    j->picture.rgba_bytes = !j->exr && j->alpha ? plait_cli_alloc(pixels, 4) : NULL;
    j->picture.rgba = j->exr ? plait_cli_alloc(pixels, 4 * sizeof(float)) : NULL;
    if (j->options.shutter > 0 && j->source.trajectory) {
        j->next = plait_trajectory_frame_new(j->source.info);
        if (!j->next) {
            plait_cli_fail("%s: not enough memory", j->path);
            return false;
        }
    }
    return look(j) && (j->video ? draw_film(j) : draw_pictures(j));
}

static const char details[] =
    "DIR is the folder of a run (plait run), FILE a trajectory (.h5) or strands (.hair). Rays are traced "
    "at curves through the nodes. Hair shows its highlights, and each fibre as a wisp of strands; "
    "thick fibres are glossy. In the style 'contacts' fibres are thin and grey, and contacts are balls "
    "with a needle along the impulse: blue sticks, orange slides, and the larger the impulse, the "
    "larger and darker.";

static const char examples[] =
    "render runs/knot -o knot.png\tthe last frame\n"
    "render runs/pony --frame 20 --size 640x360 --samples 16 -o pony.png\ta quick look at one frame\n"
    "render runs/pony --video pony.webp --camera 120,10\ta film from behind\n"
    "render runs/pony --environment studio.hdr --aperture 0.01 --shutter 0.5 -o pony.exr\tfor compositing\n"
    "render groom.hair --colour auburn\tstrands of a file";

// The defaults are in *j; argv's words are taken.
static int parse(job *j, int argc, char **argv, int *code)
{
    plait_render_options *o = &j->options;
    const plait_option options[] = {
        {"--output", 'o', PLAIT_OPTION_TEXT, &j->output, 0, 0, "FILE",
         "the picture, .png or .exr (light with alpha); default: the name of DIR or FILE with .png. Several frames: "
         "FILE-0012.png"},
        {"--frame", 0, PLAIT_OPTION_INT, &j->frame, 0, 0, "N",
         "which frame, from 0; negative: from the end; default: the last"},
        {"--time", 0, PLAIT_OPTION_REAL, &j->time, 0, 0, "T", "the frame at this time [s], or the last before"},
        {"--frames", 0, PLAIT_OPTION_TEXT, &j->frames, 0, 0, "A:B[:S]", "frames A to B, every S-th"},
        {"--video", 0, PLAIT_OPTION_TEXT, &j->video, 0, 0, "FILE",
         "a film of all frames or of --frames: .webp; .mp4 or .gif by ffmpeg"},
        {"--fps", 0, PLAIT_OPTION_REAL, &j->fps, 0.01, 1000, "R",
         "frames of the film per second; default: as fast as it was simulated"},
        {"--size", 0, PLAIT_OPTION_TEXT, &j->size, 0, 0, "WxH", "pixels; default 1280x720"},
        {"--samples", 0, PLAIT_OPTION_INT, &o->samples, 1, 65536, "N", "rays per pixel; default 32"},
        {"--style", 0, PLAIT_OPTION_TEXT, &j->style, 0, 0, "auto|hair|plain|contacts",
         "auto (default): hair if it is thin or called so, else plain"},
        {"--camera", 0, PLAIT_OPTION_TEXT, &j->camera, 0, 0, "C",
         "AZIMUTH,ELEVATION[,ZOOM] in degrees; EYE:TARGET as X,Y,Z:X,Y,Z in metres; front, back, left, right or top; "
         "default: chosen, so that all frames fit in"},
        {"--fov", 0, PLAIT_OPTION_REAL, &o->fov, 1, 150, "D", "field of view of the height [degrees]; default 28"},
        {"--width", 0, PLAIT_OPTION_REAL, &o->thickness, 1e-3, 1e3, "F",
         "fibres are drawn so many times as thick as they are"},
        {"--children", 0, PLAIT_OPTION_INT, &o->children, 0, 100000, "N",
         "strands drawn around each fibre of hair; 1: the fibre itself; default: as many as look well"},
        PLAIT_STRANDS_OPTIONS(j->choice),
        {"--wisp", 0, PLAIT_OPTION_REAL, &o->wisp, 0, 1e6, "R",
         "radius that they fill [m]; default: by the distance of the roots"},
        {"--colour", 0, PLAIT_OPTION_TEXT, &j->colour, 0, 0, "C",
         "of fibres: #rrggbb, black, brown (default of hair), chestnut, auburn, red, blond, platinum, grey, white..."},
        {"--environment", 0, PLAIT_OPTION_TEXT, &o->environment, 0, 0, "FILE",
         "light and backdrop out of a Radiance picture (.hdr) of all directions"},
        {"--environment-turn", 0, PLAIT_OPTION_REAL, &j->environment_azimuth, -1e6, 1e6, "D",
         "where the middle of that picture is: degrees from x to y"},
        {"--aperture", 0, PLAIT_OPTION_REAL, &o->aperture, 0, 1e3, "R",
         "radius of the lens [m]: what is not in focus blurs; default 0"},
        {"--focus", 0, PLAIT_OPTION_REAL, &o->focus, 0, 1e6, "D",
         "distance of what is sharp [m]; default: of the middle of the picture"},
        {"--shutter", 0, PLAIT_OPTION_REAL, &o->shutter, 0, 1, "F",
         "motion blur: open for this share of the time to the next frame; 0.5 is a film camera's"},
        {"--denoise", 0, PLAIT_OPTION_FLAG, &o->denoise, 0, 0, NULL,
         "less noise, for pictures with few samples: a filter guided by colours and normals"},
        {"--alpha", 0, PLAIT_OPTION_FLAG, &j->alpha, 0, 0, NULL, "PNG without the backdrop; .exr never has it"},
        {"--exposure", 0, PLAIT_OPTION_REAL, &o->exposure, 1e-3, 1e3, "F", "times the light; default 1"},
        {"--up", 0, PLAIT_OPTION_TEXT, &j->up, 0, 0, "X,Y,Z", "default: against the scene's gravity, else z"},
        {"--no-ground", 0, PLAIT_OPTION_FLAG, &j->no_ground, 0, 0, NULL, "nothing below to throw shadows on"},
        {"--no-cap", 0, PLAIT_OPTION_FLAG, &j->no_cap, 0, 0, NULL,
         "nothing but what is simulated: no hair between the scalp and a ponytail's tie"},
        {"--no-figure", 0, PLAIT_OPTION_FLAG, &j->no_figure, 0, 0, NULL,
         "the built-in head as hair collides with it, without a face"},
        {"--threads", 0, PLAIT_OPTION_INT, &o->threads, 0, 1024, "N", "0: all; the picture is the same for any number"},
        {"--force", 0, PLAIT_OPTION_FLAG, &j->force, 0, 0, NULL, "write over files"},
        {NULL, 0, PLAIT_OPTION_FLAG, NULL, 0, 0, NULL, NULL},
    };
    const plait_command command = {
        .name = "render",
        .usage = "DIR|FILE [options]",
        .summary = "Draws pictures and films of fibres.",
        .details = details,
        .options = options,
        .min_words = 1,
        .max_words = 1,
        .examples = examples,
    };
    return plait_cli_parse(&command, argc, argv, code);
}

int plait_cli_render(int argc, char **argv)
{
    job j = {.options = plait_default_render(), .frame = INT_MIN, .time = NAN};
    j.options.fov = 28;
    int code;
    argc = plait_cli_take_overrides(argc, argv, 0, &j.choice.override, &j.choice.overrides);
    if (parse(&j, argc, argv, &code) < 0) {
        free(j.choice.override);
        return code;
    }
    j.path = argv[1];
    j.choice.threads = j.options.threads;
    if (j.options.children > 0 && !j.choice.strands && j.choice.overrides == 0) // wisps around guides are meant
        j.choice.guides = true;
    plait_guard_begin();
    plait_cli_catch_interrupt();
    bool open = read_words(&j) && (j.options.style != PLAIT_RENDER_CONTACTS || (j.choice.guides = true)) &&
                plait_source_open(&j.source, j.path, &j.choice);
    free(j.choice.override);
    if (!open)
        return PLAIT_EXIT_BAD;
    j.options.strands = j.source.carry ? plait_carry_get_strands(j.source.carry) : NULL;
    char *name = default_output(j.path);
    if (!j.output && !j.video)
        j.output = name;
    j.exr = j.output && ends_in(j.output, ".exr");
    bool ok = run(&j);
    plait_cli_progress_clear(&j.line);
    if (!ok && plait_cli_interrupted())
        plait_cli_message("stopped");
    plait_render_free(j.render);
    plait_trajectory_frame_free(j.next, j.source.info);
    plait_source_close(&j.source);
    free(j.picture.rgb);
    free(j.picture.rgba);
    free(j.picture.rgba_bytes);
    free(name);
    if (!plait_cli_flush(stdout, "standard output") && ok)
        return PLAIT_EXIT_BAD;
    return ok ? PLAIT_EXIT_OK : plait_cli_interrupted() ? plait_cli_interrupt_exit() : PLAIT_EXIT_BAD;
}
