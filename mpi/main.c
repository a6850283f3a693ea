// main.c: `plait-mpi`: the program for many processes, started by mpirun. Rank 0 is `plait` itself, with the same
// commands, options, files and messages; the others help it (contact/spread.h) and see no files.
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli.h"
#include "contact/spread.h"
#include "environment.h"
#include "math/direct.h"
#include "ranks.h"

enum { LEAST = PLAIT_CHUNK_MIN, MOST = 1000000000 };

static plait_ranks *all;
static bool ended;

// Everybody ends, in order.
static void end(void)
{
    ended = true;
    if (all->count > 1)
        plait_spread_end(all);
    plait_ranks_enter(NULL);
    MPI_Finalize();
}

static void leave(int code)
{
    (void)code;
    if (!ended)
        end();
}

// exit() somewhere below: the others must not wait for ever.
static void leave_in_trouble(void)
{
    if (!ended)
        MPI_Abort(MPI_COMM_WORLD, PLAIT_EXIT_BAD);
}

// ranks.csv: a row for each rank, of which `plait stats` makes a table.
static void tell_of_ranks(const char *folder)
{
    plait_ranks_account *account = calloc((size_t)all->count, sizeof *account);
    size_t size = strlen(folder) + 16;
    char *path = malloc(size);
    FILE *file = NULL;
    if (account && path) {
        snprintf(path, size, "%s/ranks.csv", folder);
        plait_spread_report(all, account);
        file = fopen(path, "w");
    }
    if (file) {
        fputs("rank,bodies,contacts,cut,products,solves,messages,bytes,wait,cpu,memory\n", file);
        for (int k = 0; k < all->count; k++) {
            const plait_ranks_account *a = &account[k];
            fprintf(file, "%d,%.0f,%.0f,%.0f,%.0f,%.0f,%.0f,%.0f,%.3f,%.3f,%.0f\n", k, a->bodies, a->contacts, a->cut,
                    a->products, a->solves, a->messages, a->bytes, a->wait, a->cpu, a->memory);
        }
        fclose(file);
    }
    free(account), free(path);
}

// Groups of at least so many contacts are spread over ranks. Smaller ones are not worth the messages.
static int least(void)
{
    const char *text = getenv("PLAIT_MPI_LEAST");
    char *rest;
    if (!text)
        return LEAST;
    long value = strtol(text, &rest, 10);
    if (*text && !*rest && value >= 1 && value <= MOST)
        return (int)value;
    if (all->rank == 0)
        plait_cli_message("PLAIT_MPI_LEAST: expected a number of contacts from 1 to %d, found '%s'", MOST, text);
    ended = true;
    MPI_Finalize();
    exit(PLAIT_EXIT_BAD);
}

// `-j N` and `--threads N` say it for all ranks.
static int threads_of(int argc, char **argv)
{
    for (int i = 1; i + 1 < argc; i++)
        if (strcmp(argv[i], "-j") == 0 || strcmp(argv[i], "--threads") == 0)
            return atoi(argv[i + 1]);
    return 0;
}

static void serve(int argc, char **argv)
{
    signal(SIGINT, SIG_IGN), signal(SIGTERM, SIG_IGN); // rank 0 ends the step that it is in, and needs help for it
    int threads = threads_of(argc, argv);
    plait_spread_serve(all, threads > 0 ? threads : plait_default_threads());
    MPI_Finalize();
}

int main(int argc, char **argv)
{
    int given;
    plait_cli_prepare_environment(argv);
    setenv("OMPI_MCA_mpi_warn_on_fork", "0", 0); // children only look at files
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &given); // MUMPS may work in a thread
    all = plait_mpi_ranks();
    all->least = least();
    plait_direct_set_communicator((int)MPI_Comm_c2f(MPI_COMM_SELF));
    if (all->rank > 0) {
        serve(argc, argv);
        return 0;
    }
    if (all->count > 1)
        plait_ranks_enter(all);
    atexit(leave_in_trouble);
    plait_guard_stay();
    plait_cli_around = (plait_cli_host){.leave = leave, .ran = all->count > 1 ? tell_of_ranks : NULL};
    int code = plait_cli_main(argc, argv);
    end();
    return code;
}
