// progress.c: Ctrl-C, and a line that tells how a solve is going.
#define _DEFAULT_SOURCE // sys/ioctl.h's window size
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include "cli.h"

static atomic_int caught; // the signal; lock-free, so that the handler may write it while any thread reads

static void on_signal(int number)
{
    caught = number;
}

void plait_cli_catch_interrupt(void)
{
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = on_signal;
    action.sa_flags = (int)SA_RESETHAND; // so that a second Ctrl-C ends a program that does not listen
    sigemptyset(&action.sa_mask);
    // What was ignored before stays so: nohup, or a script's background job.
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
        struct sigaction old;
        if (sigaction(signals[i], NULL, &old) == 0 && old.sa_handler != SIG_IGN)
            sigaction(signals[i], &action, NULL);
    }
}

bool plait_cli_interrupted(void)
{
    return caught != 0;
}

bool plait_cli_stop(void *data)
{
    (void)data;
    return plait_cli_interrupted();
}

// ---- work that cannot be interrupted -----------------------------------------------------------------------------

// Longer than this after a signal nobody waits.
enum { GRACE = 200 * 1000000 }; // [ns]

typedef struct watch {
    void (*leave)(void *data);
    void *data;
    pthread_mutex_t mutex;
    pthread_cond_t ended;
    bool done;
} watch;

static void *keep_watch(void *data)
{
    watch *w = data;
    pthread_mutex_lock(&w->mutex);
    bool late = false;
    while (!w->done && !late) {
        struct timespec t;
        clock_gettime(CLOCK_REALTIME, &t);
        t.tv_nsec += GRACE;
        t.tv_sec += t.tv_nsec / 1000000000, t.tv_nsec %= 1000000000;
        bool before = plait_cli_interrupted();
        pthread_cond_timedwait(&w->ended, &w->mutex, &t);
        late = before && !w->done;
    }
    if (late) {
        w->leave(w->data);
        plait_cli_leave(plait_cli_interrupt_exit()); // without the handlers of libraries whose work is under way
    }
    pthread_mutex_unlock(&w->mutex);
    return NULL;
}

void plait_cli_patiently(void (*work)(void *data), void (*leave)(void *data), void *data)
{
    watch w = {.leave = leave, .data = data};
    pthread_mutex_init(&w.mutex, NULL), pthread_cond_init(&w.ended, NULL);
    pthread_t thread;
    bool watched = pthread_create(&thread, NULL, keep_watch, &w) == 0;
    work(data);
    pthread_mutex_lock(&w.mutex);
    w.done = true;
    pthread_cond_signal(&w.ended);
    pthread_mutex_unlock(&w.mutex);
    if (watched)
        pthread_join(thread, NULL);
    pthread_mutex_destroy(&w.mutex), pthread_cond_destroy(&w.ended);
}

void plait_cli_leave(int code)
{
    fflush(stdout), fflush(stderr);
    if (plait_cli_around.leave)
        plait_cli_around.leave(code);
    _exit(code);
}

int plait_cli_interrupt_exit(void)
{
    return caught ? 128 + caught : PLAIT_EXIT_OK;
}

// ---- the line ----------------------------------------------------------------------------------------------------

plait_cli_progress plait_cli_progress_start(const char *label, bool verbose)
{
    plait_cli_progress progress = {.label = label, .terminal = isatty(STDERR_FILENO) == 1, .verbose = verbose};
    progress.last = plait_cli_wall();
    return progress;
}

static int terminal_width(void)
{
    struct winsize size;
    if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 20)
        return size.ws_col;
    return 80;
}

static void show(plait_cli_progress *progress, const char *text)
{
    if (progress->verbose) {
        fprintf(stderr, "%s\n", text);
    } else if (progress->terminal) {
        // Cut to one line: a longer one could not be erased.
        fprintf(stderr, "\r\033[K%.*s", terminal_width() - 1, text);
        fflush(stderr);
        progress->shown = true;
    }
}

void plait_cli_progress_note(plait_cli_progress *progress, const char *format, ...)
{
    if (!progress->verbose && !progress->terminal)
        return;
    char text[512];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    show(progress, text);
}

bool plait_cli_progress_step(const plait_progress *report, void *data)
{
    // Groups of contacts are solved side by side; one thread at a time speaks, the others do not wait for it.
    static atomic_flag speaking = ATOMIC_FLAG_INIT;
    plait_cli_progress *progress = data;
    if ((!progress->verbose && !progress->terminal) || atomic_flag_test_and_set(&speaking))
        return !plait_cli_interrupted();
    double now = plait_cli_wall();
    if (now - progress->last > (progress->verbose ? 0.5 : 0.1)) {
        progress->last = now;
        plait_cli_progress_note(progress, "%s: %s, %d iterations, residual %s, %s", progress->label, report->solver,
                                report->iterations, plait_cli_residual(report->residual_rel),
                                plait_cli_seconds(report->seconds));
    }
    atomic_flag_clear(&speaking);
    return !plait_cli_interrupted();
}

void plait_cli_progress_clear(plait_cli_progress *progress)
{
    if (progress->shown) {
        fputs("\r\033[K", stderr);
        fflush(stderr);
        progress->shown = false;
    }
}
