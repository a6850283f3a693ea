// paths.c: files and folders named on the command line.
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli.h"

const char *plait_cli_base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash && slash[1] ? slash + 1 : path;
}

char *plait_cli_folder(const char *path)
{
    size_t length = (size_t)(plait_cli_base_name(path) - path);
    char *folder = plait_cli_alloc(length + 2, 1);
    memcpy(folder, length ? path : ".", length ? length : 1);
    return folder;
}

bool plait_cli_is_folder(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

bool plait_cli_is_file(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 && S_ISREG(info.st_mode);
}

bool plait_cli_may_write(const char *path, bool force)
{
    struct stat info;
    size_t plain = plait_cli_plain_length(path);
    if (path[plain]) {
        plait_cli_message("%s: packed files are read, not written: expected a name like %.*s", path, (int)plain, path);
        return false;
    }
    if (stat(path, &info) != 0) {
        if (errno == ENOENT)
            return true;
        plait_cli_message("%s: cannot be written: %s", path, strerror(errno));
        return false;
    }
    if (S_ISDIR(info.st_mode)) {
        plait_cli_message("%s is a folder, a file is needed", path);
        return false;
    }
    if (!S_ISREG(info.st_mode)) { // it would be replaced by a file: files get their names when they are whole
        plait_cli_message("%s is a device or pipe, a file is needed", path);
        return false;
    }
    if (!force)
        plait_cli_message("%s exists already; --force writes over it", path);
    return force;
}

bool plait_cli_same_place(const char *a, const char *b)
{
    struct stat one, other;
    return stat(a, &one) == 0 && stat(b, &other) == 0 && one.st_dev == other.st_dev && one.st_ino == other.st_ino;
}

void plait_cli_write_quoted(FILE *f, const char *text)
{
    fputc('"', f);
    for (; *text; text++) {
        if (*text == '"' || *text == '\\')
            fputc('\\', f);
        if ((unsigned char)*text >= 0x20)
            fputc(*text, f);
    }
    fputc('"', f);
}

static void add_path(plait_paths *paths, const char *folder, const char *name)
{
    size_t size = strlen(folder) + strlen(name) + 2;
    char *path = plait_cli_alloc(size, 1);
    bool slash = *folder && folder[strlen(folder) - 1] != '/';
    snprintf(path, size, "%s%s%s", folder, slash ? "/" : "", name);
    paths->path = plait_cli_grow(paths->path, (size_t)paths->count + 1, sizeof *paths->path);
    paths->path[paths->count++] = path;
}

static int compare(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

size_t plait_cli_plain_length(const char *name)
{
    size_t length = strlen(name);
    return length > 3 && strcmp(name + length - 3, ".gz") == 0 ? length - 3 : length;
}

static bool is_problem_name(const char *name)
{
    static const char *const ends[] = {".hdf5", ".h5", ".dat"};
    size_t length = plait_cli_plain_length(name);
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        size_t end = strlen(ends[i]);
        if (length > end && strncmp(name + length - end, ends[i], end) == 0)
            return true;
    }
    return false;
}

static bool collect_folder(const char *folder, plait_paths *paths)
{
    DIR *dir = opendir(folder);
    if (!dir) {
        plait_cli_message("%s: cannot read the folder: %s", folder, strerror(errno));
        return false;
    }
    int first = paths->count;
    for (struct dirent *entry; (entry = readdir(dir));)
        if (is_problem_name(entry->d_name))
            add_path(paths, folder, entry->d_name);
    closedir(dir);
    if (paths->count == first) {
        plait_cli_message("%s: no problem files (*.hdf5, *.h5, *.dat, or these with .gz) in this folder", folder);
        return false;
    }
    qsort(paths->path + first, (size_t)(paths->count - first), sizeof *paths->path, compare);
    return true;
}

bool plait_cli_collect(int words, char **word, plait_paths *paths)
{
    *paths = (plait_paths){0, NULL};
    for (int i = 0; i < words; i++) {
        if (!plait_cli_is_folder(word[i])) {
            add_path(paths, "", word[i]);
        } else if (!collect_folder(word[i], paths)) {
            plait_cli_free_paths(paths);
            return false;
        }
    }
    return true;
}

void plait_cli_free_paths(plait_paths *paths)
{
    for (int i = 0; i < paths->count; i++)
        free(paths->path[i]);
    free(paths->path);
    *paths = (plait_paths){0, NULL};
}
