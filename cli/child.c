// child.c: work in a child process that may crash, hang or be stopped.
#include <errno.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

#include "bench.h"

enum { RECORD_MAX = 4096 }; // what a pipe takes in one piece

void plait_child_post(const plait_child *child, const void *record)
{
    // A parent that is gone is no reason to go on.
    if (write(child->pipe, record, child->size) != (ssize_t)child->size)
        _exit(1);
}

void plait_child_follow_parent(void)
{
#ifdef __linux__
    prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
}

static void run_child(void (*work)(const plait_child *, void *), void *argument, int fd, size_t size)
{
    plait_child_follow_parent();
    setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
    signal(SIGINT, SIG_IGN); // the parent decides
    work(&(plait_child){fd, size}, argument);
    _exit(0);
}

// Takes whole records out of what has arrived; the last one stays.
static void take(char *buffer, size_t *filled, void *record, size_t size)
{
    while (*filled >= size) {
        memcpy(record, buffer, size);
        *filled -= size;
        memmove(buffer, buffer + size, *filled);
    }
}

// ---- patience ----------------------------------------------------------------------------------------------------

// What a child takes: processor seconds, and those of the clock in which it slept. A child that waits for its turn on a
// busy machine takes nothing.
typedef struct taken {
    pid_t pid;
    clockid_t clock; // of its processor seconds
    double cpu, wall, slept;
} taken;

static double seconds_of(clockid_t clock, double otherwise)
{
    struct timespec t;
    return clock_gettime(clock, &t) == 0 ? (double)t.tv_sec + 1e-9 * (double)t.tv_nsec : otherwise;
}

// Whether it waits for something other than a processor or a disk. Where nobody can say: yes.
static bool sleeps(pid_t pid)
{
    char path[64], text[512] = "", *end;
    snprintf(path, sizeof path, "/proc/%ld/stat", (long)pid);
    FILE *file = fopen(path, "r");
    if (!file)
        return true;
    text[fread(text, 1, sizeof text - 1, file)] = 0;
    fclose(file);
    end = strrchr(text, ')'); // behind its name
    return !end || (end[1] == ' ' && end[2] != 'R' && end[2] != 'D');
}

static taken taken_begin(pid_t pid)
{
    taken t = {.pid = pid, .wall = plait_cli_wall()};
    if (clock_getcpuclockid(pid, &t.clock) != 0)
        t.clock = CLOCK_MONOTONIC;
    t.cpu = seconds_of(t.clock, 0);
    return t;
}

// Since it began. A thread that only looks round now and then (a sanitizer's, a clock's) does not keep a child awake.
static double taken_by(taken *t, double begin)
{
    static const double AWAKE = 0.05; // of the clock
    double cpu = seconds_of(t->clock, t->cpu), wall = plait_cli_wall(), worked = cpu - t->cpu;
    if (worked < AWAKE * (wall - t->wall) && t->clock != CLOCK_MONOTONIC && sleeps(t->pid))
        t->slept += wall - t->wall - worked;
    t->cpu = cpu, t->wall = wall;
    return t->cpu + t->slept - begin;
}

// Listens until the child is silent for good; tells why it stopped listening.
static plait_child_end listen_to(pid_t pid, int fd, void *record, size_t size, double first, double patience)
{
    char buffer[2 * RECORD_MAX];
    size_t filled = 0;
    taken t = taken_begin(pid);
    double last = t.cpu, allowed = first;
    while (true) {
        if (plait_cli_interrupted())
            return PLAIT_CHILD_STOPPED;
        double left = allowed - taken_by(&t, last);
        if (left < 0)
            return PLAIT_CHILD_HUNG;
        struct pollfd watch = {.fd = fd, .events = POLLIN};
        int ready = poll(&watch, 1, left > 0.2 ? 200 : (int)ceil(1e3 * left) + 1);
        if (ready <= 0)
            continue; // nothing yet, or a signal
        ssize_t got = read(fd, buffer + filled, sizeof buffer - filled);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return PLAIT_CHILD_DONE;
        filled += (size_t)got;
        last += taken_by(&t, last);
        allowed = patience;
        take(buffer, &filled, record, size);
    }
}

plait_child_end plait_child_run(void (*work)(const plait_child *child, void *argument), void *argument, void *record,
                                size_t size, double first, double patience, int *signal_number)
{
    int fd[2], status = 0;
    *signal_number = 0;
    if (size == 0 || size > RECORD_MAX || pipe(fd) != 0)
        return PLAIT_CHILD_CRASHED;
    fflush(NULL); // else the child would carry a copy of what waits to be printed
    pid_t pid = fork();
    if (pid == 0) {
        close(fd[0]);
        run_child(work, argument, fd[1], size);
    }
    close(fd[1]);
    if (pid < 0) {
        close(fd[0]);
        return PLAIT_CHILD_CRASHED;
    }
    plait_child_end end = listen_to(pid, fd[0], record, size, first, patience);
    if (end != PLAIT_CHILD_DONE)
        kill(pid, SIGKILL);
    close(fd[0]);
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
        continue;
    if (end == PLAIT_CHILD_DONE && !(WIFEXITED(status) && WEXITSTATUS(status) == 0)) {
        *signal_number = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
        return PLAIT_CHILD_CRASHED;
    }
    return end;
}
