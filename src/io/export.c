// export.c: which frames, which names, and that there is either all of an export or nothing of it.
//
// Several files are first written into a folder PATH.tmp<process>. If PATH is not there that folder is renamed; else
// its files are moved into PATH, one by one.
#include "io/export.h"

#include <dirent.h>
#include <errno.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

const char *plait_export_name(plait_export_format format)
{
    return format >= 0 && (int)format < plait_export_rows ? plait_export_table[format].name : NULL;
}

bool plait_export_is_one_file(plait_export_format format)
{
    return format >= 0 && (int)format < plait_export_rows && plait_export_table[format].one_file;
}

plait_export_options plait_default_export_options(plait_export_format format)
{
    return (plait_export_options){.format = format, .first = 0, .last = -1, .step = 1};
}

// ---- for the writers ---------------------------------------------------------------------------------------------

plait_status plait_export_open(plait_exporter *e, const char *name, int k, const char *ext, plait_sink *sink)
{
    size_t size = strlen(e->folder) + strlen(name) + strlen(ext) + 40;
    char *path = malloc(size);
    if (!path)
        return plait_error_set(e->error, PLAIT_NO_MEMORY, "%s: not enough memory", e->name);
    if (e->single || (k < 0 && !e->each))
        snprintf(path, size, "%s/%s.%s", e->folder, name, ext);
    else
        snprintf(path, size, "%s/%s.%04d.%s", e->folder, name, plait_export_number(e, k < 0 ? 0 : k), ext);
    plait_status status = plait_sink_open(sink, path, e->error);
    free(path);
    return status;
}

plait_status plait_export_close(plait_exporter *e, plait_sink *sink)
{
    e->report.files++;
    e->report.bytes += sink->bytes;
    return plait_sink_close(sink, e->error);
}

void plait_export_box(const plait_exporter *e, double low[3], double high[3])
{
    const plait_trajectory_info *info = e->info;
    for (int c = 0; c < 3; c++)
        low[c] = INFINITY, high[c] = -INFINITY;
    for (int f = 0; f < info->fibres; f++) {
        for (int i = info->first[f]; i < info->first[f + 1]; i++) {
            for (int c = 0; c < 3; c++) {
                double x = e->frame->position[3 * (size_t)i + (size_t)c];
                low[c] = fmin(low[c], x - info->radius[f]);
                high[c] = fmax(high[c], x + info->radius[f]);
            }
        }
    }
    for (int b = 0; b < info->softs; b++)
        for (int i = 0; i < 3 * info->soft[b].shape.points; i++) {
            double x = e->frame->soft[b][i], radius = 0.5 * info->soft[b].shape.size[0];
            low[i % 3] = fmin(low[i % 3], x - radius), high[i % 3] = fmax(high[i % 3], x + radius);
        }
    for (int c = 0; c < 3; c++)
        if (!(low[c] <= high[c]))
            low[c] = high[c] = 0;
}

// ---- names -------------------------------------------------------------------------------------------------------

static bool ends_with(const char *text, const char *end)
{
    size_t n = strlen(text), m = strlen(end);
    return n > m && strcmp(text + n - m, end) == 0;
}

static char *text_of(size_t room, const char *a, const char *b)
{
    char *text = malloc(room + strlen(a) + strlen(b) + 1);
    if (text)
        sprintf(text, "%s%s", a, b);
    return text;
}

// The path without slashes at its end, its folder ("." if it has none) and its base name.
typedef struct names {
    char *path, *folder, *base, *temporary;
} names;

static void free_names(names *n)
{
    free(n->path);
    free(n->folder);
    free(n->base);
    free(n->temporary);
}

static bool make_names(const char *path, const char *ending, names *n)
{
    char number[40];
    snprintf(number, sizeof number, ".tmp%ld", (long)getpid());
    *n = (names){0};
    n->path = text_of(0, path, "");
    for (size_t i = n->path ? strlen(n->path) : 0; i > 1 && n->path[i - 1] == '/'; i--)
        n->path[i - 1] = 0;
    if (!n->path)
        return false;
    char *slash = strrchr(n->path, '/');
    n->base = text_of(0, slash ? slash + 1 : n->path, "");
    n->folder = text_of(0, slash ? n->path : ".", "");
    n->temporary = text_of(0, n->path, number);
    if (!n->base || !n->folder || !n->temporary)
        return false;
    if (slash)
        n->folder[slash == n->path ? 1 : slash - n->path] = 0;
    if (ends_with(n->base, ending))
        n->base[strlen(n->base) - strlen(ending)] = 0;
    return true;
}

// ---- a folder of files -------------------------------------------------------------------------------------------

// Deletes the files of a folder that this program made, and the folder.
static void remove_folder(const char *path)
{
    DIR *dir = opendir(path);
    for (struct dirent *entry; dir && (entry = readdir(dir));) {
        char *name = text_of(strlen(entry->d_name) + 1, path, "/");
        if (name && entry->d_name[0] != '.')
            remove(strcat(name, entry->d_name));
        free(name);
    }
    if (dir)
        closedir(dir);
    rmdir(path);
}

// Calls rename for each file, or (only_look) tells which is there already. A .pvd comes last: it names the others.
static plait_status move_files(const names *n, bool only_look, bool last, plait_error *error)
{
    plait_status status = PLAIT_OK;
    DIR *dir = opendir(n->temporary);
    if (!dir)
        return plait_error_set(error, PLAIT_BAD_FILE, "%s: cannot be read: %s", n->temporary, strerror(errno));
    for (struct dirent *entry; status == PLAIT_OK && (entry = readdir(dir));) {
        if (entry->d_name[0] == '.' || (!only_look && ends_with(entry->d_name, ".pvd") != last))
            continue;
        char *from = text_of(strlen(entry->d_name) + 1, n->temporary, "/");
        char *to = text_of(strlen(entry->d_name) + 1, n->path, "/");
        if (!from || !to) {
            status = plait_error_set(error, PLAIT_NO_MEMORY, "%s: not enough memory", n->path);
        } else {
            strcat(from, entry->d_name);
            strcat(to, entry->d_name);
            if (only_look && access(to, F_OK) == 0)
                status = plait_error_set(error, PLAIT_BAD_FILE, "%s exists already", to);
            else if (!only_look && rename(from, to) != 0)
                status = plait_error_set(error, PLAIT_BAD_FILE, "%s: cannot be written: %s", to, strerror(errno));
        }
        free(from);
        free(to);
    }
    closedir(dir);
    return status;
}

static plait_status publish(const names *n, bool replace, plait_error *error)
{
    struct stat info;
    if (stat(n->path, &info) != 0) {
        if (rename(n->temporary, n->path) == 0)
            return PLAIT_OK;
        return plait_error_set(error, PLAIT_BAD_FILE, "%s: cannot be written: %s", n->path, strerror(errno));
    }
    plait_status status = replace ? PLAIT_OK : move_files(n, true, false, error);
    if (status == PLAIT_OK)
        status = move_files(n, false, false, error);
    if (status == PLAIT_OK)
        status = move_files(n, false, true, error);
    return status;
}

static plait_status write_folder(plait_exporter *e, const names *n, plait_export_format format, bool replace)
{
    struct stat info;
    if (stat(n->path, &info) == 0 && !S_ISDIR(info.st_mode))
        return plait_error_set(e->error, PLAIT_BAD_FILE, "%s: a folder is expected, found a file", n->path);
    if (mkdir(n->temporary, 0777) != 0)
        return plait_error_set(e->error, PLAIT_BAD_FILE, "%s: cannot be made: %s", n->path, strerror(errno));
    e->folder = n->temporary;
    plait_status status = PLAIT_OK;
    int count = e->count;
    e->count = e->each ? 1 : count;
    for (e->offset = 0; e->offset < (e->each ? count : 1) && status == PLAIT_OK; e->offset++)
        status = plait_export_table[format].write(e);
    if (status == PLAIT_OK)
        status = publish(n, replace, e->error);
    remove_folder(n->temporary);
    return status;
}

// ---- the export --------------------------------------------------------------------------------------------------

static plait_status write_file(plait_exporter *e, const names *n, plait_export_format format, bool replace)
{
    struct stat info;
    bool there = stat(n->path, &info) == 0;
    if (there && S_ISDIR(info.st_mode))
        return plait_error_set(e->error, PLAIT_BAD_FILE, "%s: a file is expected, found a folder", n->path);
    if (there && !replace)
        return plait_error_set(e->error, PLAIT_BAD_FILE, "%s exists already", n->path);
    e->folder = n->folder;
    return plait_export_table[format].write(e);
}

static plait_status run(plait_exporter *e, const char *path, plait_export_format format, bool replace)
{
    char ending[16];
    names n = {0};
    snprintf(ending, sizeof ending, ".%s", plait_export_table[format].name);
    bool one_file = plait_export_table[format].one_file && !e->each;
    bool named = ends_with(path, ending), folder = !one_file && !named;
    if (!one_file && named && e->count > 1)
        return plait_error_set(e->error, PLAIT_BAD_INPUT,
                               "%s: a %s file holds one frame, and there are %d: a folder is expected, whose name does "
                               "not end in %s",
                               path, ending, e->count, ending);
    if (one_file && !named)
        return plait_error_set(e->error, PLAIT_BAD_INPUT, "%s: a name that ends in %s is expected", path, ending);
    ending[0] = folder ? '-' : '.';
    plait_status status = PLAIT_OK;
    if (!make_names(path, ending, &n))
        status = plait_error_set(e->error, PLAIT_NO_MEMORY, "%s: not enough memory", path);
    e->name = n.base;
    e->single = !folder;
    e->total = (int64_t)e->count * (format == PLAIT_EXPORT_USDA ? plait_export_usda_passes(e->info) : 1);
    // Numbers have a point whatever the program's locale says; only this thread is switched.
    locale_t plain = newlocale(LC_NUMERIC_MASK, "C", (locale_t)0), before = plain ? uselocale(plain) : (locale_t)0;
    if (status == PLAIT_OK)
        status = folder ? write_folder(e, &n, format, replace) : write_file(e, &n, format, replace);
    if (plain) {
        uselocale(before);
        freelocale(plain);
    }
    free_names(&n);
    return status;
}

plait_status plait_trajectory_export(const plait_trajectory *trajectory, const char *path,
                                     const plait_export_options *options, plait_export_report *report,
                                     plait_error *error)
{
    plait_error own = {0};
    plait_exporter e = {.trajectory = trajectory,
                        .carry = options->carry,
                        .info =
                            options->carry ? plait_carry_info(options->carry) : plait_trajectory_get_info(trajectory),
                        .time = plait_trajectory_times(trajectory),
                        .frames = plait_trajectory_frames(trajectory),
                        .linear = options->linear,
                        .unit = options->unit > 0 ? options->unit : 1,
                        .y_up = options->y_up,
                        .turned = options->y_up,
                        .options = options,
                        .error = error ? error : &own};
    if (report)
        *report = (plait_export_report){0};
    if (!plait_export_name(options->format))
        return plait_error_set(e.error, PLAIT_BAD_INPUT, "export: there is no format %d", (int)options->format);
    if (e.unit != 1)
        e.scale = 1 / e.unit;
    e.name = path;
    plait_status status = plait_export_choose(&e, options);
    if (status == PLAIT_OK)
        status = plait_export_begin(&e);
    e.report.frames = e.count;
    if (status == PLAIT_OK)
        status = run(&e, path, options->format, options->replace);
    plait_export_finish(&e);
    if (e.report.stopped) {
        status = PLAIT_OK;
        *e.error = (plait_error){0};
    }
    if (report)
        *report = e.report;
    return status;
}

plait_status plait_curves_write(const char *path, const plait_hair *curves, plait_error *error)
{
    plait_error own = {0};
    plait_export_format format = PLAIT_EXPORT_COUNT;
    for (int i = 0; i < PLAIT_EXPORT_COUNT; i++) {
        const char *dot = strrchr(path, '.');
        if (dot && strcmp(dot + 1, plait_export_table[i].name) == 0)
            format = (plait_export_format)i;
    }
    if (format == PLAIT_EXPORT_COUNT)
        return plait_error_set(
            error, PLAIT_BAD_INPUT,
            "%s: a name that ends in .abc, .usda, .usdc, .hair, .vtp, .obj, .ply or .csv is expected", path);
    if (curves->strands < 1)
        return plait_error_set(error, PLAIT_BAD_INPUT, "%s: at least one strand is expected, found none", path);
    size_t count = (size_t)curves->strands;
    int *zero = calloc(count, sizeof *zero);
    double *radius = malloc(count * sizeof *radius), at = 0;
    if (!zero || !radius) {
        free(zero);
        free(radius);
        return plait_error_set(error, PLAIT_NO_MEMORY, "%s: not enough memory", path);
    }
    for (size_t i = 0; i < count; i++)
        radius[i] = isfinite(curves->thickness) && curves->thickness > 0 ? 0.5 * curves->thickness : 0;
    char name[1][PLAIT_NAME] = {"curves"};
    plait_export_strands strands = {
        .id = curves->id, .guide = curves->guide, .uv = curves->uv, .width = curves->width, .colour = curves->colour};
    plait_trajectory_info info = {.frame_time = 1,
                                  .fibres = curves->strands,
                                  .nodes = curves->first[curves->strands],
                                  .groups = 1,
                                  .materials = 1,
                                  .first = curves->first,
                                  .radius = radius,
                                  .group = zero,
                                  .material = zero,
                                  .group_name = name,
                                  .material_name = name};
    plait_trajectory_frame frame = {.position = curves->point};
    plait_exporter e = {.info = &info,
                        .strands = strands,
                        .source = curves,
                        .frame = &frame,
                        .time = &at,
                        .count = 1,
                        .step = 1,
                        .unit = curves->unit,
                        .y_up = curves->y_up,
                        .error = error ? error : &own};
    plait_status status = run(&e, path, format, true);
    free(zero);
    free(radius);
    return status;
}
