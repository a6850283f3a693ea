// view_stack.c: threads of libcivetweb with stacks that are large enough.
//
// Debian's libcivetweb asks for 100 KiB for each of its threads. The C library takes the thread-local memory of all
// libraries from the same block, and OpenBLAS alone has 60 KiB of it: what is left is less than a damaged WebSocket
// frame makes civetweb use, and far less than HDF5 may. The size is fixed when civetweb is built. So this function stands
// in front of the C library's: who asks for little gets more. Memory of a stack that is not touched costs nothing.
#define _GNU_SOURCE // RTLD_NEXT
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <string.h>

int pthread_attr_setstacksize(pthread_attr_t *attributes, size_t size)
{
    static const size_t least = 2 << 20;
    int (*original)(pthread_attr_t *, size_t) = NULL;
    void *symbol = dlsym(RTLD_NEXT, "pthread_attr_setstacksize");
    memcpy(&original, &symbol, sizeof original); // ISO C knows no cast between the two
    return original ? original(attributes, size < least ? least : size) : ENOSYS;
}
