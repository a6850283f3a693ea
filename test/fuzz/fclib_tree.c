// Well-formed HDF5 files with anything in them. The input is read as a recipe: which of the datasets of an fclib file are
// there, of which type, how long, and with which numbers (small ones mostly, so that many recipes make sense). What HDF5
// makes of damaged files is left out here; what we make of their contents is not.
#include <hdf5.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "plait/plait.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

typedef struct recipe {
    const uint8_t *at, *end;
} recipe;

static int take(recipe *r)
{
    return r->at < r->end ? *r->at++ : 0;
}

// Mostly small; now and then something large, negative or odd.
static int take_int(recipe *r)
{
    int x = take(r);
    return x < 200 ? x % 16 : x < 220 ? x - 230 : x < 240 ? 1 << (x - 220) : x < 250 ? 0x7fffffff - (x - 240) : -x;
}

static double take_real(recipe *r)
{
    int x = take(r);
    return x < 240 ? (x - 100) / 16.0 : x == 255 ? 0.0 / 0.0 : x == 254 ? 1e308 : x == 253 ? -1e308 : 1e-300 * x;
}

// Writes `count` numbers under `name`; the type is what the recipe says, usually the right one.
static void put(hid_t file, const char *name, recipe *r, bool real, int64_t count)
{
    enum { MOST = 512 };
    int ints[MOST];
    double reals[MOST];
    int odd = take(r);
    if (odd == 255)
        return; // left out
    if (odd == 254)
        count += take(r) % 5 - 2;
    if (odd == 253)
        real = !real;
    bool written = odd != 252;
    int64_t extent_count = count < 0 ? 0 : count;
    if (extent_count > MOST)
        written = false; // a promise only
    for (int64_t i = 0; written && i < extent_count; i++)
        ints[i] = real ? 0 : take_int(r), reals[i] = real ? take_real(r) : 0;
    hsize_t extent = (hsize_t)extent_count;
    hid_t space = H5Screate_simple(1, &extent, NULL), list = H5Pcreate(H5P_DATASET_CREATE);
    if (odd == 251 && extent > 0) {
        hsize_t chunk = 1 + (hsize_t)take(r);
        H5Pset_chunk(list, 1, &chunk);
        H5Pset_deflate(list, 1);
    }
    hid_t type = real ? H5T_NATIVE_DOUBLE : odd == 250 ? H5T_STD_I16BE : H5T_NATIVE_INT;
    hid_t id = H5Dcreate2(file, name, type, space, H5P_DEFAULT, list, H5P_DEFAULT);
    if (id >= 0 && written && extent > 0)
        H5Dwrite(id, real ? H5T_NATIVE_DOUBLE : H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT,
                 real ? (const void *)reals : (const void *)ints);
    if (id >= 0)
        H5Dclose(id);
    H5Pclose(list), H5Sclose(space);
}

static void put_int(hid_t file, const char *name, recipe *r, int64_t usual)
{
    int odd = take(r), value = (int)usual;
    if (odd > 245)
        value = take_int(r);
    if (odd == 245)
        return;
    hsize_t extent = 1;
    hid_t space = H5Screate_simple(1, &extent, NULL);
    hid_t id = H5Dcreate2(file, name, H5T_NATIVE_INT, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    if (id >= 0) {
        H5Dwrite(id, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, &value);
        H5Dclose(id);
    }
    H5Sclose(space);
}

static void put_group(hid_t file, const char *name)
{
    hid_t id = H5Gcreate2(file, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    if (id >= 0)
        H5Gclose(id);
}

// Compressed rows whose pointers usually rise.
static void put_pointers(hid_t file, const char *name, recipe *r, int64_t lines, int64_t entries)
{
    int p[512];
    if (lines < 0 || lines > 500 || take(r) > 240) {
        put(file, name, r, false, lines + 1);
        return;
    }
    for (int64_t i = 0; i <= lines; i++)
        p[i] = (int)(lines > 0 ? entries * i / lines : 0);
    hsize_t extent = (hsize_t)lines + 1;
    hid_t space = H5Screate_simple(1, &extent, NULL);
    hid_t id = H5Dcreate2(file, name, H5T_NATIVE_INT, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    H5Dwrite(id, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, p);
    H5Dclose(id), H5Sclose(space);
}

static void put_all(hid_t file, const char *name, hid_t type, int64_t count, const void *values)
{
    hsize_t extent = (hsize_t)count;
    hid_t space = H5Screate_simple(1, &extent, NULL);
    hid_t id = H5Dcreate2(file, name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    H5Dwrite(id, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values);
    H5Dclose(id), H5Sclose(space);
}

// Triplets with a large diagonal and a few entries beside it, on either side: likely to be positive definite.
static void put_dominant(hid_t file, const char *group, recipe *r, int m)
{
    char name[64];
    int row[64], col[64], count = 0, more = take(r) % 24;
    double val[64];
    for (; count < m; count++)
        row[count] = col[count] = count, val[count] = 40 + take_real(r);
    for (int k = 0; k < more && m > 0; k++, count++)
        row[count] = take(r) % m, col[count] = take(r) % m, val[count] = (take(r) - 128) / 64.0;
#define MEMBER(text) (snprintf(name, sizeof name, "%s/" text, group), name)
    put_int(file, MEMBER("m"), r, m);
    put_int(file, MEMBER("n"), r, m);
    put_int(file, MEMBER("nz"), r, count);
    put_int(file, MEMBER("nzmax"), r, count);
    put_all(file, MEMBER("i"), H5T_NATIVE_INT, count, row);
    put_all(file, MEMBER("p"), H5T_NATIVE_INT, count, col);
    put_all(file, MEMBER("x"), H5T_NATIVE_DOUBLE, count, val);
#undef MEMBER
}

static void put_matrix(hid_t file, const char *group, recipe *r, int m, int n)
{
    char name[64];
    int kind = take(r) % 8, entries = take(r) % 40;
    put_group(file, group);
    if (kind > 3 && m == n) {
        put_dominant(file, group, r, m);
        return;
    }
    kind %= 4;
#define MEMBER(text) (snprintf(name, sizeof name, "%s/" text, group), name)
    put_int(file, MEMBER("m"), r, m);
    put_int(file, MEMBER("n"), r, n);
    put_int(file, MEMBER("nz"), r, kind == 0 ? -1 : kind == 1 ? entries : -2);
    put_int(file, MEMBER("nzmax"), r, kind == 3 ? (int64_t)m * n : entries);
    if (kind == 1)
        put(file, MEMBER("p"), r, false, entries);
    else if (kind != 3)
        put_pointers(file, MEMBER("p"), r, kind == 0 ? n : m, entries);
    put(file, MEMBER("i"), r, false, entries);
    put(file, MEMBER("x"), r, true, kind == 3 ? (int64_t)m * n : entries);
#undef MEMBER
}

static void bake(const char *path, recipe *r)
{
    hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    int form = take(r) % 3, d = 2 + take(r) % 2, n = take(r) % 4, dofs = take(r) % 8;
    if (form != 1) {
        put_group(file, "/fclib_local"), put_group(file, "/fclib_local/vectors");
        put_int(file, "/fclib_local/spacedim", r, d);
        put_matrix(file, "/fclib_local/W", r, d * n, d * n);
        put(file, "/fclib_local/vectors/mu", r, true, n);
        put(file, "/fclib_local/vectors/q", r, true, d * n);
    }
    if (form != 0) {
        put_group(file, "/fclib_global"), put_group(file, "/fclib_global/vectors");
        put_int(file, "/fclib_global/spacedim", r, d);
        put_matrix(file, "/fclib_global/M", r, dofs, dofs);
        put_matrix(file, "/fclib_global/H", r, dofs, d * n);
        put(file, "/fclib_global/vectors/mu", r, true, n);
        put(file, "/fclib_global/vectors/f", r, true, dofs);
        put(file, "/fclib_global/vectors/w", r, true, d * n);
    }
    if (take(r) % 2) {
        put_group(file, "/solution");
        put(file, "/solution/r", r, true, d * n);
        put(file, "/solution/u", r, true, d * n);
    }
    H5Fclose(file);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static char path[64];
    recipe r = {data, data + size};
    if (!path[0])
        snprintf(path, sizeof path, "/dev/shm/plait_fuzz_%ld.hdf5", (long)getpid());
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    bake(path, &r);
    plait_error error = {0};
    plait_problem *p = plait_problem_read(path, NULL, &error);
    if (!p && (error.status == PLAIT_OK || !error.text[0]))
        abort();
    plait_solution *s = p ? plait_solution_new(p->n) : NULL;
    if (s) {
        plait_problem_info info;
        plait_solution_read(path, p, s, &error);
        plait_problem_inspect(p, &info, &error);
        // What was read can be written, and comes back.
        if (plait_problem_write(path, p, NULL, &error) == PLAIT_OK) {
            plait_problem *q = plait_problem_read(path, NULL, &error);
            if (!q || q->n != p->n || q->dimension != p->dimension ||
                memcmp(q->mu, p->mu, (size_t)p->n * sizeof *p->mu))
                abort();
            plait_problem_free(q);
        }
    }
    plait_solution_free(s);
    plait_problem_free(p);
    unlink(path);
    return 0;
}
