// bench_keep.c: runs of the stability map in a file, so that an interrupted map goes on where it was.
//
// One line for each run, appended when it is done: duration, response, speed, dt, how it ended. A last line without its
// end was cut off while it was written, and is forgotten.
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench.h"

static const char header[] = "duration,response,speed,dt,stable,time,stretch,newton_max,seconds,end\n";

struct plait_bench_keep {
    const char *path;
    FILE *file;
    plait_bench_kept *kept;
    int count, room;
    char found[80]; // the line that was wrong
};

static bool add(plait_bench_keep *k, const plait_bench_kept *one)
{
    if (k->count == k->room) {
        int room = 2 * k->room + 64;
        plait_bench_kept *more = realloc(k->kept, (size_t)room * sizeof *more);
        if (!more)
            return false;
        k->kept = more, k->room = room;
    }
    k->kept[k->count++] = *one;
    return true;
}

// Reads a line without its end. False: it is not what we write.
static bool parse(const char *line, plait_bench_kept *one)
{
    int stable, end = 0;
    *one = (plait_bench_kept){0};
    plait_bench_motion *m = &one->motion;
    if (sscanf(line, "%lf,%31[^,],%lf,%lf,%d,%lf,%lf,%d,%lf,%n", &one->duration, one->response, &one->speed, &one->dt,
               &stable, &m->time, &m->stretch_max, &m->newton_max, &m->seconds, &end) != 9 ||
        end == 0)
        return false;
    if (!isfinite(one->duration + one->speed + one->dt + m->time + m->stretch_max + m->seconds) ||
        (stable != 0 && stable != 1))
        return false;
    m->outcome = stable ? PLAIT_BENCH_SOLVED : PLAIT_BENCH_UNSOLVED;
    snprintf(m->message, sizeof m->message, "%.127s", line + end);
    return true;
}

// Returns 0, or the number of the line that is wrong, or -1: no memory.
static int read_lines(plait_bench_keep *k, long *good)
{
    char line[512];
    int number = 0;
    *good = 0;
    while (fgets(line, sizeof line, k->file)) {
        size_t length = strlen(line);
        number++;
        if (length == 0 || line[length - 1] != '\n')
            return feof(k->file) ? 0 : number;
        bool first = number == 1;
        line[length - 1] = 0;
        plait_bench_kept one;
        if (first ? strncmp(line, header, length - 1) != 0 || length != strlen(header) : !parse(line, &one)) {
            snprintf(k->found, sizeof k->found, "%.79s", line);
            return number;
        }
        if (!first && !add(k, &one))
            return -1;
        *good = ftell(k->file);
    }
    return 0;
}

plait_bench_keep *plait_bench_keep_open(const char *path)
{
    plait_bench_keep *k = plait_cli_alloc(1, sizeof *k);
    *k = (plait_bench_keep){.path = path, .file = fopen(path, "r+")};
    if (!k->file && errno == ENOENT)
        k->file = fopen(path, "w+");
    long good = 0;
    int wrong = k->file ? read_lines(k, &good) : 0;
    if (!k->file)
        plait_cli_fail("%s: cannot open: %s", path, strerror(errno));
    else if (wrong > 0)
        plait_cli_fail("%s:%d: expected a run of the stability map, as --keep writes it, found '%s'", path, wrong,
                       k->found);
    else if (wrong < 0)
        plait_cli_fail("%s: no memory", path);
    else if (fseek(k->file, good, SEEK_SET) != 0 || ftruncate(fileno(k->file), good) != 0 ||
             (good == 0 && (fputs(header, k->file) < 0 || fflush(k->file) != 0)))
        plait_cli_fail("%s: cannot write: %s", path, strerror(errno));
    else
        return k;
    plait_bench_keep_close(k);
    return NULL;
}

static bool same(double a, double b)
{
    return fabs(a - b) <= 1e-9 * fabs(b);
}

const plait_bench_motion *plait_bench_keep_find(const plait_bench_keep *k, const plait_bench_kept *like)
{
    for (int i = 0; k && i < k->count; i++) {
        const plait_bench_kept *one = &k->kept[i];
        if (same(one->duration, like->duration) && strcmp(one->response, like->response) == 0 &&
            same(one->speed, like->speed) && same(one->dt, like->dt))
            return &one->motion;
    }
    return NULL;
}

bool plait_bench_keep_add(plait_bench_keep *k, const plait_bench_kept *one)
{
    const plait_bench_motion *m = &one->motion;
    if (!k)
        return true;
    if (fprintf(k->file, "%.17g,%s,%.17g,%.17g,%d,%.17g,%.17g,%d,%.17g,%s\n", one->duration, one->response, one->speed,
                one->dt, m->outcome == PLAIT_BENCH_SOLVED, m->time, m->stretch_max, m->newton_max, m->seconds,
                m->message) > 0 &&
        fflush(k->file) == 0)
        return true;
    plait_cli_fail("%s: cannot write: %s", k->path, strerror(errno));
    return false;
}

void plait_bench_keep_close(plait_bench_keep *k)
{
    if (!k)
        return;
    if (k->file)
        fclose(k->file);
    free(k->kept), free(k);
}
