// guard.c: a command that reads HDF5 files works in a child process. HDF5 has crashed on damaged files; then the parent
// says which file it was. Signals for the parent go on to the child, and the child does not outlive it.
#define _DEFAULT_SOURCE // MAP_ANONYMOUS
#include <H5public.h>
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench.h"
#include "cli.h"

// What the child tells the parent: memory of both.
typedef struct page {
    volatile sig_atomic_t reading;
    char path[4000];
} page;

#define CRASHED "%s: is damaged: the HDF5 library crashed (signal %d) while it was read"

static page *shared;
static bool stays;
static volatile pid_t child;

void plait_guard_reading(const char *path)
{
    if (!shared)
        return;
    shared->reading = 0;
    if (path) {
        snprintf(shared->path, sizeof shared->path, "%s", path);
        shared->reading = 1;
    }
}

// The child has a process group of its own: a Ctrl-C reaches it through here and only once.
static void pass_on(int number)
{
    int before = errno;
    if (number == SIGTSTP) {
        kill(-child, SIGSTOP);
        raise(SIGSTOP);
        kill(-child, SIGCONT); // when it goes on
    } else {
        kill(-child, number);
    }
    errno = before;
}

static const int passed[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2, SIGTSTP, SIGCONT};

static void pass_signals(void)
{
    for (size_t i = 0; i < sizeof passed / sizeof *passed; i++) {
        struct sigaction action, old;
        memset(&action, 0, sizeof action);
        action.sa_handler = pass_on;
        action.sa_flags = SA_RESTART;
        sigemptyset(&action.sa_mask);
        if (sigaction(passed[i], NULL, &old) == 0 && old.sa_handler != SIG_IGN)
            sigaction(passed[i], &action, NULL);
    }
}

static bool is_crash(int number)
{
    return number == SIGSEGV || number == SIGBUS || number == SIGFPE || number == SIGILL || number == SIGABRT;
}

// Ends the parent as the child has ended, except for a crash in a file.
static void follow_child(void)
{
    int status = 0;
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR)
            _exit(PLAIT_EXIT_BAD);
    if (WIFEXITED(status))
        _exit(WEXITSTATUS(status));
    int number = WTERMSIG(status);
    if (is_crash(number) && shared->reading) {
        plait_cli_message(CRASHED, shared->path, number);
        _exit(PLAIT_EXIT_BAD);
    }
    signal(number, SIG_DFL);
    raise(number);
    _exit(128 + number);
}

void plait_guard_exit(void)
{
    H5dont_atexit();
}

void plait_guard_stay(void)
{
    stays = true;
}

void plait_guard_begin(void)
{
    sigset_t all, before;
    if (stays)
        return;
    shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED) {
        shared = NULL;
        return;
    }
    fflush(NULL); // else both would print what waits
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, &before); // until the parent knows what to do with signals
    pid_t parent = getpid();
    child = fork();
    if (child == 0) {
        setpgid(0, 0);
        plait_child_follow_parent();
        if (getppid() != parent)
            _exit(PLAIT_EXIT_BAD);
    } else if (child > 0) {
        setpgid(child, child); // both do it: whoever comes first
        pass_signals();
    }
    sigprocmask(SIG_SETMASK, &before, NULL);
    if (child > 0)
        follow_child();
}

bool plait_guard_try(const char *path, void (*work)(void *data), void *data, plait_error *error)
{
    int status = 0;
    fflush(NULL);
    pid_t trial = fork();
    if (trial == 0) {
        plait_child_follow_parent();
        work(data);
        _exit(0);
    }
    while (trial > 0 && waitpid(trial, &status, 0) < 0 && errno == EINTR)
        continue;
    if (trial > 0 && WIFSIGNALED(status) && is_crash(WTERMSIG(status))) {
        plait_error_set(error, PLAIT_BAD_FILE, CRASHED, path, WTERMSIG(status));
        return false;
    }
    return true; // also if there is no second process to be had: then it is tried here
}
