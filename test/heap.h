// heap.h: counts a test program's allocations, and lets the n-th fail. Include it in one file; it replaces malloc.
#ifndef PLAIT_TEST_HEAP_H
#define PLAIT_TEST_HEAP_H

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h> // also defines __GLIBC__

#include "base/simd.h"

#if defined(__GLIBC__) && !defined(PLAIT_SANITIZED)
#define COUNTS 1
// Every allocation of this program passes here on its way to the C library.
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *old, size_t size);
void *__libc_memalign(size_t alignment, size_t size);
void *malloc(size_t size);
void *calloc(size_t count, size_t size);
void *realloc(void *old, size_t size);
void *aligned_alloc(size_t alignment, size_t size);
void __libc_free(void *p);
void free(void *p);
static volatile long calls, live; // live: allocated and not freed. volatile: the compiler thinks it knows malloc
static volatile long fail_at;     // the call with this number gets nothing

// Requests of other libraries that are smaller are not counted: Fortran's run time ends the program for want of a short
// string, and that is not ours to mend.
static volatile size_t spare_below;
extern char __executable_start, etext;

static bool fails(size_t size, const void *caller)
{
    bool ours = (const char *)caller >= &__executable_start && (const char *)caller < &etext;
    if (!ours && size < spare_below)
        return false;
    calls++;
    if (calls == fail_at)
        errno = ENOMEM; // as the C library does
    return calls == fail_at;
}

#define FAILS(size) fails(size, __builtin_return_address(0))

static void *counted(void *p)
{
    live += p != NULL;
    return p;
}

void *malloc(size_t size)
{
    return FAILS(size) ? NULL : counted(__libc_malloc(size));
}

void *calloc(size_t count, size_t size)
{
    return FAILS(count * size) ? NULL : counted(__libc_calloc(count, size));
}

void *realloc(void *old, size_t size)
{
    if (FAILS(size))
        return NULL;
    live -= old != NULL;
    return counted(__libc_realloc(old, size));
}

void *aligned_alloc(size_t alignment, size_t size)
{
    return FAILS(size) ? NULL : counted(__libc_memalign(alignment, size));
}

void free(void *p)
{
    live -= p != NULL;
    __libc_free(p);
}
#else
#define COUNTS 0
static long calls, live, fail_at;
static size_t spare_below;
// Not every test uses all of them.
static inline void heap_unused(void)
{
    (void)calls, (void)live, (void)fail_at, (void)spare_below;
}
#endif

#endif
