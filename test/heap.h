// heap.h: counts a test program's allocations, and lets the n-th fail. Include it in one file; it replaces malloc.
#ifndef PLAIT_TEST_HEAP_H
#define PLAIT_TEST_HEAP_H

#include <stddef.h>

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

static bool fails(void)
{
    calls++;
    return calls == fail_at;
}

static void *counted(void *p)
{
    live += p != NULL;
    return p;
}

void *malloc(size_t size)
{
    return fails() ? NULL : counted(__libc_malloc(size));
}

void *calloc(size_t count, size_t size)
{
    return fails() ? NULL : counted(__libc_calloc(count, size));
}

void *realloc(void *old, size_t size)
{
    if (fails())
        return NULL;
    live -= old != NULL;
    return counted(__libc_realloc(old, size));
}

void *aligned_alloc(size_t alignment, size_t size)
{
    return fails() ? NULL : counted(__libc_memalign(alignment, size));
}

void free(void *p)
{
    live -= p != NULL;
    __libc_free(p);
}
#else
#define COUNTS 0
static long calls, live, fail_at;
#endif

#endif
