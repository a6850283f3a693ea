// sweep_work.c: the runs of a sweep, some at a time, each a `plait run` of its own.
//
// A run is a child process that ends with its parent. What is killed goes on from its checkpoint when the sweep is called
// again, bit for bit, so that a sweep that was killed gives the same table as one that was not.
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "bench.h"
#include "sweep.h"

static const char *const outcome_words[PLAIT_OUTCOME_COUNT] = {"open", "finished", "failed", "refused", "crashed"};

const char *plait_outcome_word(plait_outcome outcome)
{
    return outcome_words[outcome];
}

char *plait_sweep_run_folder(const char *folder, int run)
{
    char name[16];
    snprintf(name, sizeof name, "%04d", run);
    return plait_run_path(folder, name);
}

plait_outcome plait_sweep_outcome(const char *folder, int run)
{
    char *where = plait_sweep_run_folder(folder, run), *text = plait_run_read_text(where, "outcome.txt");
    plait_outcome outcome = PLAIT_OUTCOME_NONE;
    for (int i = 1; text && i < PLAIT_OUTCOME_COUNT; i++)
        if (strncmp(text, outcome_words[i], strlen(outcome_words[i])) == 0)
            outcome = (plait_outcome)i;
    free(text);
    free(where);
    return outcome;
}

// ---- one run -----------------------------------------------------------------------------------------------------

typedef struct arguments {
    int count;
    char **word; // NULL behind the last
} arguments;

static void add(arguments *a, const char *format, ...) PLAIT_PRINTF(2, 3);
static void add(arguments *a, const char *format, ...)
{
    va_list list, again;
    va_start(list, format);
    va_copy(again, list);
    int size = vsnprintf(NULL, 0, format, list) + 1;
    a->word = plait_cli_grow(a->word, (size_t)a->count + 2, sizeof *a->word);
    a->word[a->count] = plait_cli_alloc((size_t)size, 1);
    vsnprintf(a->word[a->count], (size_t)size, format, again);
    a->word[++a->count] = NULL;
    va_end(again);
    va_end(list);
}

static void free_arguments(arguments *a)
{
    for (int i = 0; i < a->count; i++)
        free(a->word[i]);
    free(a->word);
}

// What was begun goes on with the scene that it wrote down.
static arguments command_of(const plait_sweep_job *job, int run, const char *where)
{
    arguments a = {0};
    add(&a, "plait"), add(&a, "run");
    if (plait_run_exists(where, "scene.yaml")) {
        add(&a, "--resume");
    } else {
        add(&a, "%s", job->sweep->scene);
        for (int k = 0; k < job->sweep->keys; k++) {
            const char *value = job->sweep->value[(size_t)run * (size_t)job->sweep->keys + (size_t)k];
            if (*value)
                add(&a, "--set"), add(&a, "%s=%s", job->sweep->key[k], value);
        }
        add(&a, "--force"); // parts of a run that was killed before it had a scene
    }
    add(&a, "--json"), add(&a, "--threads"), add(&a, "%d", job->threads), add(&a, "-o"), add(&a, "%s", where);
    return a;
}

static void send_to(const char *folder, const char *name, int to)
{
    char *path = plait_run_path(folder, name);
    int file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    if (file < 0 || dup2(file, to) < 0)
        _exit(PLAIT_EXIT_BAD);
    close(file);
    free(path);
}

// A run belongs to one process. The child has the lock too: it is free when both are gone, so a sweep that begins again
// right after a kill waits for what is left of the last one. Returns the open folder, -1 with a message.
static int take_run(const char *where)
{
    const int patience = 500; // times 20 ms
    int file = open(where, O_RDONLY | O_DIRECTORY);
    for (int i = 0; file >= 0 && flock(file, LOCK_EX | LOCK_NB) != 0; i++) {
        if (i < patience && errno == EWOULDBLOCK && !plait_cli_interrupted()) {
            nanosleep(&(struct timespec){0, 20000000}, NULL);
            continue;
        }
        plait_cli_message("%s: another plait is at work in this folder", where);
        close(file);
        return -1;
    }
    if (file < 0)
        plait_cli_message("%s: cannot be opened: %s", where, strerror(errno));
    return file;
}

// Returns the child, or -1 with a message.
static pid_t begin(const plait_sweep_job *job, int run)
{
    char *where = plait_sweep_run_folder(job->folder, run);
    int mine = plait_run_make_folder(where) ? take_run(where) : -1;
    if (mine < 0) {
        free(where);
        return -1;
    }
    arguments a = command_of(job, run, where);
    fflush(NULL);
    pid_t pid = fork();
    if (pid == 0) {
        plait_child_follow_parent();
        signal(SIGINT, SIG_IGN); // the parent passes it on
        send_to(where, "output.json", STDOUT_FILENO);
        send_to(where, "messages.txt", STDERR_FILENO);
        execv("/proc/self/exe", a.word);
        _exit(PLAIT_EXIT_BAD);
    }
    if (pid < 0)
        plait_cli_message("%s: no process can be started: %s", where, strerror(errno));
    close(mine); // the child has it
    free_arguments(&a);
    free(where);
    return pid;
}

static plait_outcome outcome_of(int status)
{
    if (WIFSIGNALED(status))
        return WTERMSIG(status) == SIGKILL || WTERMSIG(status) == SIGTERM ? PLAIT_OUTCOME_NONE : PLAIT_OUTCOME_CRASHED;
    switch (WEXITSTATUS(status)) {
    case PLAIT_EXIT_OK:
        return PLAIT_OUTCOME_FINISHED;
    case PLAIT_EXIT_NO:
        return PLAIT_OUTCOME_FAILED;
    case PLAIT_EXIT_BAD:
        return PLAIT_OUTCOME_REFUSED;
    default:
        return PLAIT_OUTCOME_NONE; // stopped
    }
}

// False: it could not be written down.
static bool end_run(const plait_sweep_job *job, int run, int status, plait_outcome *outcome)
{
    *outcome = outcome_of(status);
    if (*outcome == PLAIT_OUTCOME_NONE)
        return true;
    char *where = plait_sweep_run_folder(job->folder, run), text[32];
    snprintf(text, sizeof text, "%s\n", plait_outcome_word(*outcome));
    bool ok = plait_run_write_text(where, "outcome.txt", text);
    free(where);
    return ok;
}

// ---- all of them -------------------------------------------------------------------------------------------------

typedef struct worker {
    pid_t pid; // 0: free
    int run;
} worker;

typedef struct crew {
    const plait_sweep_job *job;
    worker *worker;
    int busy, next;
    int done[PLAIT_OUTCOME_COUNT], before;
    bool trouble;
    plait_cli_progress line;
    double started;
} crew;

static void show(crew *c)
{
    const plait_sweep_job *job = c->job;
    int all = job->last - job->first + 1, over = 0;
    for (int i = 1; i < PLAIT_OUTCOME_COUNT; i++)
        over += c->done[i];
    double seconds = plait_cli_wall() - c->started;
    double left = over > 0 ? seconds / over * (all - over - c->before) : 0;
    plait_cli_progress_note(&c->line, "%d of %d runs over, %d not finished%s%s", over + c->before, all,
                            over - c->done[PLAIT_OUTCOME_FINISHED], over > 0 ? ", left: " : "",
                            over > 0 ? plait_cli_seconds(left) : "");
}

static void fill(crew *c)
{
    const plait_sweep_job *job = c->job;
    for (int w = 0; w < job->workers && c->next <= job->last && !c->trouble && !plait_cli_interrupted(); w++) {
        if (c->worker[w].pid > 0)
            continue;
        while (c->next <= job->last && plait_sweep_outcome(job->folder, c->next) != PLAIT_OUTCOME_NONE)
            c->next++, c->before++;
        if (c->next > job->last)
            return;
        c->worker[w] = (worker){begin(job, c->next), c->next};
        c->trouble = c->worker[w].pid < 0;
        c->busy += !c->trouble;
        c->next++;
    }
}

static void collect_child(crew *c, pid_t pid, int status)
{
    for (int w = 0; w < c->job->workers; w++) {
        if (c->worker[w].pid != pid)
            continue;
        plait_outcome outcome;
        c->trouble |= !end_run(c->job, c->worker[w].run, status, &outcome);
        c->done[outcome]++;
        c->worker[w].pid = 0;
        c->busy--;
        if (outcome > PLAIT_OUTCOME_FINISHED) {
            char *where = plait_sweep_run_folder(c->job->folder, c->worker[w].run);
            plait_cli_progress_clear(&c->line);
            plait_cli_message("run %d %s: see %s/messages.txt", c->worker[w].run, plait_outcome_word(outcome), where);
            free(where);
        }
    }
}

static void pass_on(const crew *c)
{
    for (int w = 0; w < c->job->workers; w++)
        if (c->worker[w].pid > 0)
            kill(c->worker[w].pid, SIGTERM);
}

int plait_sweep_work(const plait_sweep_job *job)
{
    crew c = {.job = job, .next = job->first, .started = plait_cli_wall()};
    c.worker = plait_cli_alloc((size_t)job->workers, sizeof *c.worker);
    c.line = plait_cli_progress_start("sweep", false);
    bool told = false;
    for (fill(&c); c.busy > 0; fill(&c)) {
        int status;
        pid_t pid = waitpid(-1, &status, WNOHANG);
        if (pid > 0)
            collect_child(&c, pid, status);
        if (plait_cli_interrupted() && !told)
            pass_on(&c), told = true;
        show(&c);
        if (pid == 0)
            nanosleep(&(struct timespec){0, 20000000}, NULL);
    }
    plait_cli_progress_clear(&c.line);
    free(c.worker);
    int bad = c.done[PLAIT_OUTCOME_FAILED] + c.done[PLAIT_OUTCOME_REFUSED] + c.done[PLAIT_OUTCOME_CRASHED];
    printf("%s: %d runs: %d were over, %d finished now, %d did not finish, %d are left\n", job->folder,
           job->last - job->first + 1, c.before, c.done[PLAIT_OUTCOME_FINISHED], bad,
           job->last - job->first + 1 - c.before - c.done[PLAIT_OUTCOME_FINISHED] - bad);
    if (!plait_cli_flush(stdout, "standard output") || c.trouble)
        return PLAIT_EXIT_BAD;
    return plait_cli_interrupted() ? plait_cli_interrupt_exit() : bad > 0 ? PLAIT_EXIT_NO : PLAIT_EXIT_OK;
}
