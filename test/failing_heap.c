// failing_heap.c: preloaded into a program, lets its n-th allocation fail (FAIL_AT=n) and tells how many there were
// (HEAP_COUNT=file). Only what the program itself asks for counts: HDF5, Embree and Fortran's run time are other people's.
#define _GNU_SOURCE
#include <errno.h>
#include <link.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *old, size_t size);
void *__libc_memalign(size_t alignment, size_t size);

static long count, fail_at;
static size_t low, high; // the program's own code

static int find_program(struct dl_phdr_info *info, size_t size, void *data)
{
    (void)size, (void)data;
    for (int i = 0; i < info->dlpi_phnum; i++)
        if (info->dlpi_phdr[i].p_type == PT_LOAD && info->dlpi_phdr[i].p_flags & PF_X) {
            low = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;
            high = low + info->dlpi_phdr[i].p_memsz;
        }
    return 1; // the program comes first
}

__attribute__((constructor)) static void begin(void)
{
    const char *text = getenv("FAIL_AT");
    fail_at = text ? atol(text) : 0;
    dl_iterate_phdr(find_program, NULL);
    count = 0;
}

__attribute__((destructor)) static void end(void)
{
    const char *path = getenv("HEAP_COUNT");
    FILE *file = path ? fopen(path, "w") : NULL;
    if (file)
        fprintf(file, "%ld\n", count), fclose(file);
}

static int fails(const void *caller)
{
    size_t at = (size_t)caller;
    bool yes = at >= low && at < high && __atomic_add_fetch(&count, 1, __ATOMIC_RELAXED) == fail_at;
    if (yes)
        errno = ENOMEM; // as the C library does
    return yes;
}

#define FAILS fails(__builtin_return_address(0))

void *malloc(size_t size)
{
    return FAILS ? NULL : __libc_malloc(size);
}

void *calloc(size_t n, size_t size)
{
    return FAILS ? NULL : __libc_calloc(n, size);
}

void *realloc(void *old, size_t size)
{
    return FAILS ? NULL : __libc_realloc(old, size);
}

void *aligned_alloc(size_t alignment, size_t size)
{
    return FAILS ? NULL : __libc_memalign(alignment, size);
}
