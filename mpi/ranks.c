// ranks.c: how ranks exchange numbers: MPI without blocking calls.
//
// Who waits looks often at first and then sleeps between looks: a rank that has nothing to do leaves its processor to
// those that have, also where there are more ranks than processors.
#include "ranks.h"

#include <limits.h>
#include <mpi.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

enum { LOOKS = 2000, YIELDS = 200, NAP = 50000, LONG_NAP = 500000 }; // looks; [ns]
enum { TAG = 21, PIECE = 1 << 30 };                                  // [bytes] of one message

static plait_ranks ranks;

static double now(void)
{
    return MPI_Wtime();
}

static void wait_for(int count, MPI_Request *request)
{
    double start = now();
    int done = 0, looks = 0;
    for (MPI_Testall(count, request, &done, MPI_STATUSES_IGNORE); !done; looks++) {
        if (looks > LOOKS + YIELDS)
            nanosleep(&(struct timespec){.tv_nsec = looks > LOOKS + 10 * YIELDS ? LONG_NAP : NAP}, NULL);
        else if (looks > LOOKS)
            sched_yield();
        MPI_Testall(count, request, &done, MPI_STATUSES_IGNORE);
    }
    ranks.account.wait += now() - start;
}

static void sent(double messages, double bytes)
{
    ranks.account.messages += messages, ranks.account.bytes += bytes;
}

static void tell(plait_ranks *x, void *what, size_t bytes)
{
    MPI_Request request;
    MPI_Ibcast(what, (int)bytes, MPI_BYTE, 0, MPI_COMM_WORLD, &request);
    wait_for(1, &request);
    if (x->rank == 0)
        sent(x->count - 1, (double)bytes * (x->count - 1));
}

static void send_to(plait_ranks *x, int to, const void *what, size_t bytes)
{
    (void)x;
    const char *from = what;
    for (size_t left = bytes; left > 0;) {
        size_t piece = left < PIECE ? left : PIECE;
        MPI_Request request;
        MPI_Isend(from, (int)piece, MPI_BYTE, to, TAG, MPI_COMM_WORLD, &request);
        wait_for(1, &request);
        from += piece, left -= piece;
        sent(1, (double)piece);
    }
}

static void receive_from(plait_ranks *x, int from, void *what, size_t bytes)
{
    (void)x;
    char *to = what;
    for (size_t left = bytes; left > 0;) {
        size_t piece = left < PIECE ? left : PIECE;
        MPI_Request request;
        MPI_Irecv(to, (int)piece, MPI_BYTE, from, TAG, MPI_COMM_WORLD, &request);
        wait_for(1, &request);
        to += piece, left -= piece;
    }
}

static void lose(plait_ranks *x, const char *why)
{
    fprintf(stderr, "plait-mpi: rank %d of %d: %s; all ranks end. --resume goes on from the last checkpoint\n", x->rank,
            x->count, why);
    fflush(stderr);
    MPI_Abort(MPI_COMM_WORLD, 2);
    abort(); // never
}

static void swap(plait_ranks *x, const double *out, const int64_t *out_ptr, double *in, const int64_t *in_ptr)
{
    MPI_Request *request = x->data;
    int count = 0, me = x->rank;
    for (int step = 1; step < x->count; step++) { // everybody begins with another one
        int from = (me + x->count - step) % x->count, to = (me + step) % x->count;
        int64_t comes = in_ptr[from + 1] - in_ptr[from], goes = out_ptr[to + 1] - out_ptr[to];
        if (comes > INT_MAX || goes > INT_MAX)
            lose(x, "a message of more than 2^31 numbers");
        if (comes > 0)
            MPI_Irecv(in + in_ptr[from], (int)comes, MPI_DOUBLE, from, TAG, MPI_COMM_WORLD, &request[count++]);
        if (goes > 0) {
            MPI_Isend(out + out_ptr[to], (int)goes, MPI_DOUBLE, to, TAG, MPI_COMM_WORLD, &request[count++]);
            sent(1, (double)goes * sizeof(double));
        }
    }
    memcpy(in + in_ptr[me], out + out_ptr[me], (size_t)(in_ptr[me + 1] - in_ptr[me]) * sizeof *in);
    wait_for(count, request);
}

static void share(plait_ranks *x, double *all, int each)
{
    (void)x;
    MPI_Request request;
    MPI_Iallgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, all, each, MPI_DOUBLE, MPI_COMM_WORLD, &request);
    wait_for(1, &request);
    sent(1, (double)each * sizeof(double)); // how MPI does it is its own affair
}

static void look(plait_ranks *x)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    x->account.cpu = (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
                     1e-6 * (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
    x->account.memory = 1024.0 * (double)usage.ru_maxrss;
}

plait_ranks *plait_mpi_ranks(void)
{
    MPI_Comm_rank(MPI_COMM_WORLD, &ranks.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks.count);
    ranks.data = malloc(2 * (size_t)ranks.count * sizeof(MPI_Request));
    ranks.tell = tell, ranks.send = send_to, ranks.receive = receive_from, ranks.swap = swap, ranks.share = share;
    ranks.lose = lose, ranks.look = look;
    if (!ranks.data)
        lose(&ranks, "no memory to begin with");
    return &ranks;
}
