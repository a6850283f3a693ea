// peer.c: runs the peers' program on one problem and reads its lines.
#include <errno.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "peer.h"

static const char *const program_name = "plait-peer-siconos";

bool plait_peer_solved(const plait_peer_result *r)
{
    return strcmp(r->outcome, "solved") == 0;
}

// ---- finding it --------------------------------------------------------------------------------------------------

static char *join(const char *folder, size_t length, const char *name)
{
    size_t size = length + strlen(name) + 2;
    char *path = plait_cli_alloc(size, 1);
    snprintf(path, size, "%.*s/%s", (int)length, folder, name);
    return path;
}

char *plait_peer_find(const char *given)
{
    if (given) {
        char *copy = plait_cli_alloc(strlen(given) + 1, 1);
        strcpy(copy, given);
        if (access(given, X_OK) == 0)
            return copy;
        free(copy);
        return NULL;
    }
    char self[4096];
    ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    if (length > 0) {
        self[length] = 0;
        char *slash = strrchr(self, '/'), *path = join(self, slash ? (size_t)(slash - self) : 0, program_name);
        if (access(path, X_OK) == 0)
            return path;
        free(path);
    }
    for (const char *folder = getenv("PATH"); folder;) {
        size_t part = strcspn(folder, ":");
        char *path = join(part ? folder : ".", part ? part : 1, program_name);
        if (access(path, X_OK) == 0)
            return path;
        free(path);
        folder = folder[part] ? folder + part + 1 : NULL;
    }
    return NULL;
}

// ---- the reduced form --------------------------------------------------------------------------------------------

typedef struct reduce_argument {
    const plait_bench_problem *problem;
    const char *path;
} reduce_argument;

typedef struct reduce_record {
    bool ok;
    char message[512];
} reduce_record;

static void reduce_work(const plait_child *child, void *argument)
{
    const reduce_argument *a = argument;
    reduce_record x;
    memset(&x, 0, sizeof x);
    plait_error error = {0};
    plait_problem *p = a->problem->path ? plait_problem_read(a->problem->path, NULL, &error)
                                        : plait_problem_generate_fibres(&a->problem->fibres, &error);
    x.ok = p && plait_problem_assemble(p, 1, &error) == PLAIT_OK &&
           plait_problem_write_local(a->path, p, NULL, &error) == PLAIT_OK;
    memcpy(x.message, error.text, sizeof x.message);
    plait_problem_free(p);
    plait_child_post(child, &x);
}

// Writes W, b, mu of the problem where the peers can read it.
static bool write_reduced(const plait_bench_problem *problem, const char *path)
{
    reduce_argument argument = {problem, path};
    reduce_record x;
    int number;
    memset(&x, 0, sizeof x);
    plait_child_end end = plait_child_run(reduce_work, &argument, &x, sizeof x, 600, 600, &number);
    if (end == PLAIT_CHILD_DONE && x.ok)
        return true;
    if (end != PLAIT_CHILD_STOPPED)
        plait_cli_message("%s: cannot reduce it for the peers: %s", problem->name, *x.message ? x.message : "crashed");
    return false;
}

// ---- talking to it -----------------------------------------------------------------------------------------------

static int find_peer(plait_peers *peers, const char *name)
{
    for (int i = 0; i < peers->count; i++)
        if (strcmp(peers->name[i], name) == 0)
            return i;
    if (peers->count == PLAIT_PEERS_MAX)
        return -1;
    snprintf(peers->name[peers->count], PLAIT_PEER_NAME, "%s", name);
    return peers->count++;
}

// file <tab> solver <tab> outcome <tab> seconds <tab> iterations <tab> residual
static bool read_line(char *line, int index, plait_peers *peers)
{
    char *field[6], *at = line;
    for (int i = 0; i < 6; i++) {
        field[i] = at;
        at = strchr(at, '\t');
        if (!at != (i == 5))
            return false;
        if (at)
            *at++ = 0;
    }
    int peer = strlen(field[1]) < PLAIT_PEER_NAME ? find_peer(peers, field[1]) : -1;
    if (peer < 0)
        return false;
    plait_peer_result *r = &peers->result[peer * peers->problems + index];
    char *end;
    snprintf(r->outcome, sizeof r->outcome, "%.15s", field[2]);
    r->seconds = strtod(field[3], &end);
    bool ok = !*end && plait_cli_read_int(field[4], &r->iterations);
    r->residual = strtod(field[5], &end);
    return ok && !*end;
}

// Reads lines until the program ends or Ctrl-C. False if a line is not as expected.
static bool read_lines(int fd, int index, plait_peers *peers)
{
    char buffer[8192];
    size_t filled = 0;
    while (!plait_cli_interrupted()) {
        struct pollfd watch = {.fd = fd, .events = POLLIN};
        if (poll(&watch, 1, 200) <= 0)
            continue;
        ssize_t got = read(fd, buffer + filled, sizeof buffer - 1 - filled);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return filled == 0;
        filled += (size_t)got;
        buffer[filled] = 0;
        for (char *end; (end = strchr(buffer, '\n'));) {
            *end = 0;
            if (!read_line(buffer, index, peers))
                return false;
            filled -= (size_t)(end + 1 - buffer);
            memmove(buffer, end + 1, filled + 1);
        }
        if (filled == sizeof buffer - 1)
            return false;
    }
    return true;
}

static void become(const char *program, const char *solvers, const char *path, double tol, double max_time, int fd)
{
    char tol_text[32], time_text[32];
    snprintf(tol_text, sizeof tol_text, "%.17g", tol);
    snprintf(time_text, sizeof time_text, "%.17g", max_time);
    setenv("OPENBLAS_NUM_THREADS", "1", 1);
    setenv("OMP_NUM_THREADS", "1", 1);
    dup2(fd, STDOUT_FILENO);
    close(fd);
    plait_child_follow_parent();
    if (solvers)
        execl(program, program, "--tol", tol_text, "--max-time", time_text, "--solvers", solvers, path, (char *)NULL);
    else
        execl(program, program, "--tol", tol_text, "--max-time", time_text, path, (char *)NULL);
    _exit(127);
}

static bool talk(const char *program, const char *solvers, const char *path, double tol, double max_time, int index,
                 plait_peers *peers)
{
    int fd[2], status = 0;
    if (pipe(fd) != 0)
        return false;
    fflush(NULL);
    pid_t pid = fork();
    if (pid == 0) {
        close(fd[0]);
        become(program, solvers, path, tol, max_time, fd[1]);
    }
    close(fd[1]);
    bool ok = pid > 0 && read_lines(fd[0], index, peers);
    close(fd[0]);
    if (pid < 0)
        return false;
    if (plait_cli_interrupted() || !ok)
        kill(pid, SIGKILL);
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
        continue;
    return plait_cli_interrupted() || (ok && WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

bool plait_peer_run(const char *program, const char *solvers, const plait_bench_problem *problem, double tol,
                    double max_time, int index, plait_peers *peers)
{
    const char *folder = getenv("TMPDIR");
    char temporary[4096];
    snprintf(temporary, sizeof temporary, "%s/plait-peers-XXXXXX", folder && *folder ? folder : "/tmp");
    int fd = mkstemp(temporary);
    if (fd < 0) {
        plait_cli_message("%s: cannot make a temporary file: %s", temporary, strerror(errno));
        return false;
    }
    close(fd);
    bool ok = write_reduced(problem, temporary);
    if (ok && !talk(program, solvers, temporary, tol, max_time, index, peers)) {
        plait_cli_message("%s: it could not be run, or did not answer as expected", program);
        ok = false;
    }
    unlink(temporary);
    return ok || plait_cli_interrupted();
}
