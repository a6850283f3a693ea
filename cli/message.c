// message.c: words to the user, memory and clocks for the subcommands.
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cli.h"

static void message(const char *format, va_list args)
{
    fflush(stdout);
    fputs("plait: ", stderr);
    vfprintf(stderr, format, args);
    fputc('\n', stderr);
}

void plait_cli_message(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    message(format, args);
    va_end(args);
}

int plait_cli_fail(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    message(format, args);
    va_end(args);
    return PLAIT_EXIT_BAD;
}

void *plait_cli_grow(void *old, size_t count, size_t size)
{
    size_t bytes = count * size;
    void *p = size > 0 && count > SIZE_MAX / size ? NULL : realloc(old, bytes > 0 ? bytes : 1);
    if (!p) {
        plait_cli_message("no memory for %zu x %zu bytes", count, size);
        exit(PLAIT_EXIT_BAD);
    }
    return p;
}

void *plait_cli_alloc(size_t count, size_t size)
{
    void *p = calloc(count ? count : 1, size ? size : 1);
    if (!p) {
        plait_cli_message("no memory for %zu x %zu bytes", count, size);
        exit(PLAIT_EXIT_BAD);
    }
    return p;
}

static double clock_read(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

double plait_cli_wall(void)
{
    return clock_read(CLOCK_MONOTONIC);
}

double plait_cli_cpu(void)
{
    return clock_read(CLOCK_PROCESS_CPUTIME_ID);
}

bool plait_cli_flush(FILE *file, const char *name)
{
    errno = 0;
    if (fflush(file) == 0 && !ferror(file))
        return true;
    plait_cli_message("%s: cannot write: %s", name, errno ? strerror(errno) : "unknown reason");
    return false;
}
