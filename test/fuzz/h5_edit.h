// h5_edit.h: a good HDF5 file with a few of its datasets changed as the input says: left out, of another length or type, or
// with odd numbers in it. The file stays well formed, so that our own checks are what is tried.
#ifndef PLAIT_FUZZ_H5_EDIT_H
#define PLAIT_FUZZ_H5_EDIT_H

#include <hdf5.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
    return "allocator_may_return_null=1:max_allocation_size_mb=512:detect_leaks=0"; // HDF5 leaks where it fails
}

typedef struct recipe {
    const uint8_t *at, *end;
} recipe;

static int take(recipe *r)
{
    return r->at < r->end ? *r->at++ : 0;
}

static double odd_number(recipe *r)
{
    static const double odd[] = {
        0,      -1,        1,          0.5,       2,         -0.0,       1e300, -1e300,
        1e-300, 3e9,       -3e9,       INT32_MAX, INT32_MIN, UINT32_MAX, 1e19,  9007199254740993.0,
        1e6,    1.0 / 0.0, -1.0 / 0.0, 0.0 / 0.0};
    int x = take(r);
    return x < 200 ? odd[x % 20] : x - 227;
}

// Some elements of a dataset become odd ones.
static void spoil(hid_t file, const char *name, recipe *r)
{
    enum { MOST = 4096 };
    static double value[MOST];
    hid_t id = H5Dopen2(file, name, H5P_DEFAULT), space = id >= 0 ? H5Dget_space(id) : -1;
    hssize_t count = space >= 0 ? H5Sget_simple_extent_npoints(space) : 0;
    if (count > 0 && count <= MOST && H5Dread(id, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, value) >= 0) {
        for (int k = 1 + take(r) % 3; k > 0; k--) {
            int at = take(r) | take(r) << 8;
            value[at % count] = odd_number(r);
        }
        H5Dwrite(id, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, value);
    }
    if (space >= 0)
        H5Sclose(space);
    if (id >= 0)
        H5Dclose(id);
}

// Another dataset in the place of one.
static void replace(hid_t file, const char *name, recipe *r)
{
    enum { MOST = 64 };
    double value[MOST];
    H5Ldelete(file, name, H5P_DEFAULT);
    int kind = take(r);
    if (kind < 40)
        return;
    hsize_t extent[2] = {(hsize_t)take(r) % 9, 1 + (hsize_t)take(r) % 7};
    int rank = 1 + kind % 2;
    bool written = kind % 5 != 0;
    if (kind % 7 == 0)
        extent[0] = (hsize_t)1 << take(r) % 40, written = false; // a promise only
    for (int i = 0; i < MOST; i++)
        value[i] = odd_number(r);
    hid_t type = kind % 3 ? H5T_NATIVE_DOUBLE : kind % 2 ? H5T_NATIVE_INT : H5T_NATIVE_INT64;
    hid_t space = H5Screate_simple(rank, extent, NULL);
    hid_t id = H5Dcreate2(file, name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    if (id >= 0 && written)
        H5Dwrite(id, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, value);
    if (id >= 0)
        H5Dclose(id);
    H5Sclose(space);
}

static void must(bool ok)
{
    if (!ok)
        abort();
}

// Copies `from` to `to` and changes up to four of the named datasets there.
static void edit_file(const char *from, const char *to, int names, const char *const *name, recipe *r)
{
    static uint8_t bytes[1 << 20];
    FILE *in = fopen(from, "rb"), *out;
    must(in != NULL);
    size_t size = fread(bytes, 1, sizeof bytes, in);
    must(size > 0 && size < sizeof bytes && fclose(in) == 0);
    unlink(to); // HDF5 would take a file with the same inode for one that it failed to close
    must((out = fopen(to, "wb")) && fwrite(bytes, 1, size, out) == size && fclose(out) == 0);
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    hid_t file = H5Fopen(to, H5F_ACC_RDWR, H5P_DEFAULT);
    must(file >= 0);
    for (int k = take(r) % 4; k >= 0; k--) {
        const char *which = name[take(r) % names];
        if (take(r) % 2)
            spoil(file, which, r);
        else
            replace(file, which, r);
    }
    must(H5Fclose(file) >= 0);
}

// A name in memory-backed storage, one per process.
static const char *fuzz_path(const char *name, char path[96])
{
    snprintf(path, 96, "/dev/shm/plait_fuzz_%ld_%s", (long)getpid(), name);
    return path;
}

#endif
