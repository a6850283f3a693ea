// Any bytes as an HDF5 problem file. HDF5 itself is not instrumented here and is known to be fragile on damaged files:
// a crash inside of it is HDF5's (docs/formats.md), one outside is ours. fclib_tree.c is after what is in the datasets.
#define _GNU_SOURCE // dladdr
#include <dlfcn.h>
#include <execinfo.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "io/fclib.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed);

// HDF5 looks at the length of a file first, so bytes are mostly changed in place: a few of them, or a whole number.
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed)
{
    static const uint64_t odd[] = {0, 1, 2, 8, 0x7f, 0xff, 0x7fffffff, 0xffffffff, 0x7fffffffffffffff, UINT64_MAX};
    uint64_t random = seed * 0x9e3779b97f4a7c15u + 0x632be59bd9b4e019u;
    if (size < 64 || seed % 16 == 0)
        return LLVMFuzzerMutate(data, size, most);
    for (unsigned count = 1 + (seed >> 4) % 4; count > 0; count--) {
        random ^= random >> 29, random *= 0xbf58476d1ce4e5b9u, random ^= random >> 32;
        size_t width = (size_t)1 << (random >> 60) % 4, at = (size_t)(random % (size - width));
        uint64_t value = (random >> 58) % 2 ? odd[(random >> 40) % 10] : random >> 33;
        if ((random >> 57) % 2)
            data[at] = (uint8_t)(data[at] + ((random >> 56) % 2 ? 1 : -1));
        else
            for (size_t i = 0; i < width; i++)
                data[at + i] = (uint8_t)(value >> 8 * i);
    }
    return size;
}

// ---- crashes inside of HDF5 end the run, but are not ours ----------------------------------------------------------

const char *__asan_default_options(void);
const char *__asan_default_suppressions(void);

const char *__asan_default_options(void)
{
    return "allocator_may_return_null=1:max_allocation_size_mb=512:detect_leaks=0"; // HDF5 leaks where it fails
}

const char *__asan_default_suppressions(void)
{
    return "interceptor_via_lib:libhdf5";
}

static void on_crash(int signal_number)
{
    void *frame[64];
    Dl_info where;
    int count = backtrace(frame, 64);
    for (int i = 0; i < count; i++) {
        if (dladdr(frame[i], &where) && where.dli_fname && strstr(where.dli_fname, "libhdf5")) {
            static const char text[] = "HDF5 crashed on a damaged file: not our bug, but the end of this run\n";
            (void)!write(2, text, sizeof text - 1);
            _exit(0);
        }
    }
    signal(signal_number, SIG_DFL);
    raise(signal_number);
}

static void catch_crashes(void)
{
    static bool done;
    struct sigaction action = {.sa_handler = on_crash};
    if (!done)
        sigaction(SIGSEGV, &action, NULL), sigaction(SIGFPE, &action, NULL), sigaction(SIGBUS, &action, NULL);
    done = true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    catch_crashes();
    // A new file each time: HDF5 would take one with the same inode for one that it failed to close.
    static char path[64];
    snprintf(path, sizeof path, "/dev/shm/plait_fuzz_%ld.hdf5", (long)getpid());
    unlink(path);
    FILE *file = fopen(path, "wb");
    if (!file || fwrite(data, 1, size, file) != size || fclose(file) != 0)
        abort();
    plait_error error = {0};
    plait_problem_text text;
    plait_problem *p = plait_fclib_read(&(plait_unpacked){.path = path, .place = path}, &text, &error);
    if (!p) {
        if (error.status == PLAIT_OK || !error.text[0])
            abort();
        unlink(path);
        return 0;
    }
    plait_problem_info info;
    plait_solution *s = plait_solution_new(p->n);
    if (s) {
        plait_solution_read(path, p, s, &error);
        plait_problem_inspect(p, &info, &error);
    }
    plait_solution_free(s);
    plait_problem_free(p);
    unlink(path);
    return 0;
}
