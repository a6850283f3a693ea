// export.c: `plait export`: a trajectory as files that other programs open.
#include "export.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "run.h"
#include "strands.h"

// ---- which frames ------------------------------------------------------------------------------------------------

// A number at *at, or nothing; negative ones count from the end.
static bool read_frame(const char **at, int frames, int *value)
{
    if (**at == ':' || !**at)
        return true;
    char *end;
    long n = strtol(*at, &end, 10);
    if (end == *at || n < INT_MIN / 2 || n > INT_MAX / 2)
        return false;
    *value = n < 0 ? frames + (int)n : (int)n;
    *at = end;
    return true;
}

// "1001-1048": numbers of the output. Without --start (given) the first of them is the first frame. o->start on input:
// what was given; before: the number that the first frame would have if that at time 0 had 0.
static bool read_numbers(const char *text, int frames, int before, bool given, plait_export_options *o, bool *found)
{
    char *end, *end2 = NULL;
    long first = strtol(text, &end, 10), last = *end == '-' ? strtol(end + 1, &end2, 10) : 0;
    *found = end != text && *end == '-' && end2 != end + 1 && !*end2;
    if (!*found)
        return false;
    if (!given)
        o->start = first > -100000000 && first < 100000000 ? (int)first - before : 0;
    o->numbered = true;
    int low = o->start + before;
    if (first < low || last < first || last - low >= frames) {
        plait_cli_message("--frames: frames from %d to %d are there, found '%s'", low, low + frames - 1, text);
        return false;
    }
    o->first = (int)(first - low);
    o->last = (int)(last - low);
    return true;
}

// "5", "2:8", "::10", "-1", "1001-1048"; both ends are meant.
static bool read_frames(const char *text, int frames, int before, bool given, plait_export_options *o)
{
    const char *at = text;
    bool numbers;
    bool good = read_numbers(text, frames, before, given, o, &numbers);
    if (numbers)
        return good;
    int last = frames - 1, step = 1;
    bool ok = *text && read_frame(&at, frames, &o->first);
    if (ok && *at == ':') {
        at++;
        ok = read_frame(&at, frames, &last);
        if (ok && *at == ':') {
            char *end;
            long n = strtol(at + 1, &end, 10);
            ok = end != at + 1 && n >= 1 && n < INT_MAX / 2;
            step = (int)n;
            at = end;
        }
    } else {
        last = o->first;
    }
    if (!ok || *at) {
        plait_cli_message("--frames: FIRST:LAST:STEP, FIRST:LAST, FIRST-LAST or one number are expected, found '%s'",
                          text);
        return false;
    }
    if (o->first < 0 || o->first >= frames || last < o->first || last >= frames) {
        plait_cli_message("--frames: frames from 0 to %d are there, found '%s'", frames - 1, text);
        return false;
    }
    o->last = last;
    o->step = step;
    return true;
}

static int count_frames(const plait_trajectory *t, double fps)
{
    int count = plait_trajectory_frames(t);
    const double *time = plait_trajectory_times(t);
    if (!(fps > 0) || count == 0)
        return count;
    double frames = floor(time[count - 1] * fps + 1e-6) - ceil(time[0] * fps - 1e-6) + 1;
    return frames < INT_MAX / 2 ? (int)frames : INT_MAX / 2;
}

// Frames stand at whole multiples of their time.
static int first_number(const plait_trajectory *t, double fps)
{
    double each = plait_trajectory_get_info(t)->frame_time, rate = fps > 0 ? fps : each > 0 ? 1 / each : 1;
    double number = plait_trajectory_frames(t) > 0 ? ceil(plait_trajectory_times(t)[0] * rate - 1e-6) : 0;
    return fabs(number) < 1e8 ? (int)number : 0;
}

static bool read_start(const char *text, plait_export_options *o)
{
    char *end;
    long n = text ? strtol(text, &end, 10) : 0;
    if (text && (end == text || *end || n < -100000000 || n > 100000000)) {
        plait_cli_message("--start: a whole number is expected, found '%s'", text);
        return false;
    }
    // Another rate has no places in the trajectory to be numbered by.
    o->numbered = text || o->fps > 0;
    o->start = (int)n;
    return true;
}

static bool read_unit(const char *text, plait_export_options *o)
{
    o->unit = text ? plait_cli_unit(text) : 0;
    if (!text || o->unit > 0)
        return true;
    plait_cli_message("--unit: expected m, dm, cm, mm, um, in or ft, found '%s'", text);
    return false;
}

// ---- names -------------------------------------------------------------------------------------------------------

// The trajectory that a word means: a file, or that of a run's folder. The caller frees it.
static char *find_trajectory(const char *word)
{
    if (plait_cli_is_folder(word))
        return plait_run_path(word, "trajectory.h5");
    char *copy = plait_cli_alloc(strlen(word) + 1, 1);
    return strcpy(copy, word);
}

// pony.usda or pony-hair, in the working folder. The caller frees it.
static char *default_output(const char *word, const plait_trajectory_info *info, plait_export_format format, bool each)
{
    size_t size = strlen(word) + PLAIT_NAME + 32;
    char *copy = plait_cli_alloc(size, 1), *out = plait_cli_alloc(size, 1);
    snprintf(copy, size, "%s", word);
    for (size_t n = strlen(copy); n > 1 && copy[n - 1] == '/'; n--)
        copy[n - 1] = 0;
    const char *base = plait_cli_base_name(copy);
    bool is_name = plait_cli_is_folder(word) && strcmp(base, ".") != 0 && strcmp(base, "..") != 0 && *base != '/';
    if (!is_name)
        base = info->name[0] ? info->name : "plait";
    snprintf(out, size, "%s%c%s", base, plait_export_is_one_file(format) && !each ? '.' : '-',
             plait_export_name(format));
    free(copy);
    return out;
}

static bool read_format(const char *text, const char *output, plait_export_format *format)
{
    const char *list[PLAIT_EXPORT_COUNT + 1] = {NULL}, *dot = output ? strrchr(output, '.') : NULL;
    for (int i = 0; i < PLAIT_EXPORT_COUNT; i++) {
        list[i] = plait_export_name((plait_export_format)i);
        if ((text && strcmp(text, list[i]) == 0) || (!text && dot && strcmp(dot + 1, list[i]) == 0)) {
            *format = (plait_export_format)i;
            return true;
        }
    }
    const char *near = text ? plait_cli_nearest(text, list) : NULL;
    if (!text)
        plait_cli_message("--format is missing: abc, usda, usdc, hair, vtp, obj, ply or csv");
    else if (near)
        plait_cli_message("there is no format '%s'; did you mean '%s'?", text, near);
    else
        plait_cli_message("there is no format '%s'; there are: abc, usda, usdc, hair, vtp, obj, ply, csv", text);
    return false;
}

// ---- the command -------------------------------------------------------------------------------------------------

typedef struct progress {
    plait_cli_progress line;
    const char *output;
    double shown;
} progress;

static bool go_on(int64_t done, int64_t total, void *data)
{
    enum { BAR = 12 };
    progress *p = data;
    double now = plait_cli_wall();
    if (p->line.terminal && now - p->shown > 0.1) {
        char bar[] = "[------------]";
        double part = total > 0 ? (double)done / (double)total : 1;
        memset(bar + 1, '#', (size_t)(BAR * (part > 1 ? 1 : part)));
        p->shown = now;
        plait_cli_progress_note(&p->line, "%s %s %.0f %%", p->output, bar, 100 * part);
    }
    return !plait_cli_interrupted();
}

static int run_export(const plait_trajectory *t, const char *output, plait_export_options *o)
{
    progress p = {.line = plait_cli_progress_start(output, false), .output = output, .shown = plait_cli_wall()};
    double started = plait_cli_wall();
    plait_export_report report;
    plait_error error = {0};
    o->progress = go_on;
    o->data = &p;
    plait_cli_catch_interrupt();
    plait_status status = plait_trajectory_export(t, output, o, &report, &error);
    plait_cli_progress_clear(&p.line);
    if (status != PLAIT_OK) {
        size_t length = strlen(error.text);
        bool exists = length > 15 && strcmp(error.text + length - 15, " exists already") == 0;
        return plait_cli_fail("%s%s", error.text, exists ? "; --force writes over it" : "");
    }
    if (report.stopped) {
        plait_cli_message("stopped; %s was not written", output);
        return plait_cli_interrupt_exit();
    }
    printf("%s: %s frame%s, %s file%s, %s MB in %s\n", output, plait_cli_count(report.frames),
           report.frames == 1 ? "" : "s", plait_cli_count(report.files), report.files == 1 ? "" : "s",
           plait_cli_number((double)report.bytes / 1e6), plait_cli_seconds(plait_cli_wall() - started));
    return plait_cli_flush(stdout, "standard output") ? PLAIT_EXIT_OK : PLAIT_EXIT_BAD;
}

typedef struct export_words {
    const char *frames, *start, *unit;
    bool each, y_up, linear;
    double fps;
} export_words;

// One trajectory.
static int export_run(const char *word, const char *output, plait_export_format format, const export_words *w,
                      bool force, const plait_strands_choice *choice)
{
    plait_error error = {0};
    char *path = find_trajectory(word);
    plait_guard_begin();
    plait_guard_reading(path); // to the end
    plait_trajectory *t = plait_trajectory_open(path, &error);
    free(path);
    if (!t)
        return plait_cli_fail("%s", error.text);
    plait_export_options o = plait_default_export_options(format);
    o.linear = w->linear;
    o.replace = force;
    o.each = w->each;
    o.fps = w->fps;
    o.y_up = w->y_up;
    int code = PLAIT_EXIT_BAD;
    char *own = output ? NULL : default_output(word, plait_trajectory_get_info(t), format, w->each);
    if (read_start(w->start, &o) && read_unit(w->unit, &o) &&
        (!w->frames || read_frames(w->frames, count_frames(t, w->fps), first_number(t, w->fps), w->start, &o)) &&
        plait_strands_open(choice, t, word, &o.carry))
        code = run_export(t, output ? output : own, &o);
    free(own);
    plait_carry_free(o.carry);
    plait_trajectory_free(t);
    return code;
}

int plait_cli_export(int argc, char **argv)
{
    const char *output = NULL, *format_text = NULL;
    export_words w = {0};
    bool force = false;
    plait_strands_choice choice = {.velocities = true};
    const plait_option options[] = {
        {"--format", 0, PLAIT_OPTION_TEXT, &format_text, 0, 0, "abc|usda|usdc|hair|vtp|obj|ply|csv",
         "default, what the name of the output ends in"},
        {"--frames", 0, PLAIT_OPTION_TEXT, &w.frames, 0, 0, "A:B:STEP",
         "from A to B, both included, every STEP; each may be left out; negative: from the end; one number: that "
         "frame; A-B: numbers of the output, counted from --start"},
        {"--fps", 0, PLAIT_OPTION_REAL, &w.fps, 1e-3, 1e6, "N",
         "frames per second, interpolated where the run has none (those of the run)"},
        {"--start", 0, PLAIT_OPTION_TEXT, &w.start, 0, 0, "N",
         "number of the frame at time 0 in files and their names (0; the A of A-B)"},
        {"--each", 0, PLAIT_OPTION_FLAG, &w.each, 0, 0, NULL, "abc, usda, usdc: a folder with a file for each frame"},
        {"--unit", 0, PLAIT_OPTION_TEXT, &w.unit, 0, 0, "UNIT", "of what is written: m, dm, cm, mm, um, in, ft (m)"},
        {"--y-up", 0, PLAIT_OPTION_FLAG, &w.y_up, 0, 0, NULL, "write y up and z to the front (z up)"},
        {"--output", 'o', PLAIT_OPTION_TEXT, &output, 0, 0, "OUT",
         "file or folder to write (NAME.usda, NAME.csv, NAME-hair ..., after the run)"},
        {"--linear", 0, PLAIT_OPTION_FLAG, &w.linear, 0, 0, NULL,
         "usda, usdc: straight pieces between nodes instead of a smooth curve through them"},
        PLAIT_STRANDS_OPTIONS(choice),
        {"--force", 'f', PLAIT_OPTION_FLAG, &force, 0, 0, NULL, "write over files that are there"},
        {NULL, 0, PLAIT_OPTION_FLAG, NULL, 0, 0, NULL, NULL},
    };
    const plait_command command = {
        .name = "export",
        .usage = "DIR|FILE [options]",
        .summary = "Writes a trajectory as files that other programs open.",
        .details =
            "DIR is the folder of a run (plait run), finished or not; FILE is a trajectory.h5.\n\n"
            "abc, usda, usdc and csv are one file with all frames. hair, vtp, obj and ply are a folder with a file per "
            "frame (vtp: and a .pvd for ParaView); with one frame, OUT may be a file.",
        .options = options,
        .min_words = 1,
        .max_words = 1,
        .examples = "export runs/knot --format usda\tUSD curves with time samples\n"
                    "export runs/knot -o knot.abc --frames 1001-1048 --fps 24 --unit cm --y-up\tAlembic for a shot\n"
                    "export runs/knot --frames 0:-1:10 -o knot-obj --format obj\tevery tenth frame for a modeller\n"
                    "export runs/knot --frames -1 -o knot.hair\tthe last frame as strands",
    };
    argc = plait_cli_take_overrides(argc, argv, 0, &choice.override, &choice.overrides);
    int code, words = plait_cli_parse(&command, argc, argv, &code);
    plait_export_format format;
    if (words >= 0)
        code = read_format(format_text, output, &format) ? export_run(argv[1], output, format, &w, force, &choice)
                                                         : PLAIT_EXIT_BAD;
    free(choice.override);
    return code;
}
