// run_folder.c: the folder of a run.
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "run.h"

char *plait_run_path(const char *folder, const char *name)
{
    size_t length = strlen(folder), size = length + strlen(name) + 2;
    char *path = plait_cli_alloc(size, 1);
    snprintf(path, size, "%s%s%s", folder, length > 0 && folder[length - 1] == '/' ? "" : "/", name);
    return path;
}

bool plait_run_exists(const char *folder, const char *name)
{
    char *path = plait_run_path(folder, name);
    bool there = access(path, F_OK) == 0;
    free(path);
    return there;
}

// An empty log is what is left of a run that was killed before it had written anything: there is nothing to go on with.
static bool has_log(const char *folder)
{
    struct stat info;
    char *path = plait_run_path(folder, "run.log");
    bool there = stat(path, &info) == 0 && info.st_size > 0;
    free(path);
    return there;
}

bool plait_run_is_there(const char *folder)
{
    static const char *const names[] = {"scene.yaml", "checkpoint.h5", "trajectory.h5", "stats.csv"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (plait_run_exists(folder, names[i]))
            return true;
    return has_log(folder);
}

static void remove_file(const char *folder, const char *name)
{
    char *path = plait_run_path(folder, name);
    unlink(path);
    free(path);
}

// Problems are called by the number of their step. halves: only those whose writer was killed, NUMBER.hdf5.tmp...
static void remove_problems(const char *folder, bool halves)
{
    char *path = plait_run_path(folder, "problems");
    DIR *dir = opendir(path);
    for (struct dirent *entry; dir && (entry = readdir(dir));) {
        const char *c = entry->d_name;
        while (isdigit((unsigned char)*c))
            c++;
        if (c > entry->d_name && strncmp(c, halves ? ".hdf5.tmp" : ".hdf5", halves ? 9 : 5) == 0)
            remove_file(path, entry->d_name);
    }
    if (dir)
        closedir(dir);
    if (!halves)
        rmdir(path); // stays if there is something else in it
    free(path);
}

// States that were kept at frames: folders with a checkpoint.
static void remove_states(const char *folder)
{
    char *path = plait_run_path(folder, "states");
    DIR *dir = opendir(path);
    for (struct dirent *entry; dir && (entry = readdir(dir));) {
        if (entry->d_name[0] == '.')
            continue;
        char *state = plait_run_path(path, entry->d_name);
        remove_file(state, "checkpoint.h5");
        remove_file(state, "scene.yaml");
        rmdir(state);
        free(state);
    }
    if (dir)
        closedir(dir);
    rmdir(path); // stays if there is something else in it
    free(path);
}

void plait_run_remove_halves(const char *folder)
{
    remove_problems(folder, true);
}

void plait_run_forget(const char *folder)
{
    remove_file(folder, "checkpoint.h5");
}

// All but the scene.
static void remove_results(const char *folder)
{
    plait_run_forget(folder); // first: without it the rest is not taken for a run that could be resumed
    static const char *const names[] = {
        "checkpoint.h5.tmp",      "trajectory.h5",   "trajectory.h5.tmp",   "trajectory.h5.undo",
        "trajectory.h5.undo.tmp", "trajectory.xdmf", "trajectory.xdmf.tmp", "stats.csv",
        "scene.yaml.tmp",         "problem.hdf5",    "failure.txt",         "failure.txt.tmp",
        "grooms.h5",              "grooms.h5.tmp",   "measure.csv",         "measure.h5",
        "measure.h5.tmp",         "ranks.csv"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        remove_file(folder, names[i]);
    remove_problems(folder, false);
}

// A failure is a small run itself once somebody has replayed it.
void plait_run_remove_failure(const char *folder)
{
    char *failure = plait_run_path(folder, "failure");
    if (plait_cli_is_folder(failure)) {
        plait_run_remove_failure(failure);
        remove_results(failure);
        remove_file(failure, "scene.yaml");
        remove_file(failure, "run.log");
        rmdir(failure);
    }
    free(failure);
}

void plait_run_remove_results(const char *folder)
{
    remove_results(folder);
    remove_states(folder);
    plait_run_remove_failure(folder);
}

void plait_run_remove(const char *folder)
{
    plait_run_remove_results(folder);
    remove_file(folder, "scene.yaml");
}

bool plait_run_make_folder(const char *folder)
{
    char *path = plait_cli_alloc(strlen(folder) + 1, 1);
    strcpy(path, folder);
    bool ok = true;
    for (char *c = path + 1; ok; c++) {
        if (*c && *c != '/')
            continue;
        char end = *c;
        *c = 0;
        ok = mkdir(path, 0777) == 0 || errno == EEXIST;
        *c = end;
        if (!end)
            break;
    }
    free(path);
    if (ok && plait_cli_is_folder(folder))
        return true;
    plait_cli_message("%s: cannot make the folder: %s", folder, ok ? "there is a file of that name" : strerror(errno));
    return false;
}

static bool sync_folder(const char *folder)
{
    int file = open(*folder ? folder : ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    // Some file systems cannot do this for folders, and need not.
    bool ok = file >= 0 && (fsync(file) == 0 || errno == EINVAL || errno == EROFS);
    if (file >= 0)
        close(file);
    return ok;
}

bool plait_run_write_text(const char *folder, const char *name, const char *text)
{
    char *path = plait_run_path(folder, name);
    size_t size = strlen(path) + 8;
    char *place = plait_cli_alloc(size, 1);
    snprintf(place, size, "%s.tmp", path);
    FILE *file = fopen(place, "w");
    // To the disk before it gets its name: after a power cut there is the old text or the new one.
    bool ok = file && fputs(text, file) >= 0 && fflush(file) == 0 && fsync(fileno(file)) == 0;
    if (file)
        ok = fclose(file) == 0 && ok;
    ok = ok && rename(place, path) == 0 && sync_folder(folder);
    if (!ok) {
        plait_cli_message("%s: cannot be written: %s", path, strerror(errno));
        unlink(place);
    }
    free(place);
    free(path);
    return ok;
}

char *plait_run_read_text(const char *folder, const char *name)
{
    char *path = plait_run_path(folder, name), *text = NULL;
    FILE *file = fopen(path, "r");
    free(path);
    if (!file)
        return NULL;
    size_t size = 0, room = 0;
    do {
        room = 2 * room + 4096;
        text = plait_cli_grow(text, room, 1);
        size += fread(text + size, 1, room - 1 - size, file);
    } while (size == room - 1);
    text[size] = 0;
    fclose(file);
    return text;
}
