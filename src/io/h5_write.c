// h5_write.c: the writing half of h5.h.
#include <string.h>

#include "io/h5.h"

enum {
    SMALL = 4096,          // bytes that lie in the header of a dataset
    SMALL_TEXT = 60000,    // the same for a text; HDF5 allows 64 K
    CHUNK_BYTES = 1 << 20, // as large as HDF5's cache of chunks
};

static bool cannot_write(plait_h5 *h, const char *name)
{
    return plait_h5_fail(h, name, "cannot be written (is the disk full?)");
}

bool plait_h5_write_group(plait_h5 *h, const char *name)
{
    // Without times of day the same content gives the same bytes.
    hid_t list = H5Pcreate(H5P_GROUP_CREATE), id = -1;
    if (list >= 0 && H5Pset_obj_track_times(list, false) >= 0)
        id = H5Gcreate2(h->file, name, H5P_DEFAULT, list, H5P_DEFAULT);
    if (list >= 0)
        H5Pclose(list);
    return id >= 0 && H5Gclose(id) >= 0 ? true : cannot_write(h, name);
}

// rank = 0: a single element.
static bool set_layout(hid_t list, int rank, const hsize_t *extent, size_t size, bool pack)
{
    hsize_t bytes = size, chunk[2] = {rank > 0 ? extent[0] : 0, rank > 1 ? extent[1] : 0};
    for (int i = 0; i < rank; i++)
        bytes *= extent[i];
    if (H5Pset_obj_track_times(list, false) < 0)
        return false;
    if (bytes < SMALL || rank == 0)
        return H5Pset_layout(list, H5D_COMPACT) >= 0;
    hsize_t row = bytes / extent[0];
    if (chunk[0] > CHUNK_BYTES / row)
        chunk[0] = CHUNK_BYTES / row > 0 ? CHUNK_BYTES / row : 1;
    return H5Pset_chunk(list, rank, chunk) >= 0 &&
           (!pack || (H5Pset_shuffle(list) >= 0 && H5Pset_deflate(list, 1) >= 0)) && H5Pset_fletcher32(list) >= 0;
}

bool plait_h5_write_data(plait_h5 *h, const char *name, hid_t type, int rank, const hsize_t *extent, bool pack,
                         const void *data)
{
    bool empty = rank > 0 && extent[0] == 0;
    hid_t space = rank > 0 ? H5Screate_simple(rank, extent, NULL) : H5Screate(H5S_SCALAR);
    hid_t list = H5Pcreate(H5P_DATASET_CREATE), id = -1;
    if (space >= 0 && list >= 0 && set_layout(list, rank, extent, H5Tget_size(type), pack))
        id = H5Dcreate2(h->file, name, type, space, H5P_DEFAULT, list, H5P_DEFAULT);
    bool ok = id >= 0 && (empty || H5Dwrite(id, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data) >= 0);
    if (id >= 0 && H5Dclose(id) < 0)
        ok = false;
    if (list >= 0)
        H5Pclose(list);
    if (space >= 0)
        H5Sclose(space);
    return ok ? true : cannot_write(h, name);
}

static bool write_array(plait_h5 *h, const char *name, hid_t type, int64_t count, const void *values)
{
    hsize_t extent = (hsize_t)count;
    return plait_h5_write_data(h, name, type, 1, &extent, false, values);
}

bool plait_h5_write_int(plait_h5 *h, const char *name, int value)
{
    return write_array(h, name, H5T_NATIVE_INT, 1, &value);
}

bool plait_h5_write_ints(plait_h5 *h, const char *name, int64_t count, const int *values)
{
    return write_array(h, name, H5T_NATIVE_INT, count, values);
}

bool plait_h5_write_reals(plait_h5 *h, const char *name, int64_t count, const double *values)
{
    return write_array(h, name, H5T_NATIVE_DOUBLE, count, values);
}

// One string; a very long one is a list of one, because a single element has no chunks.
bool plait_h5_write_text(plait_h5 *h, const char *name, const char *text)
{
    size_t size = strlen(text) + 1;
    hsize_t one = 1;
    hid_t type = H5Tcopy(H5T_C_S1);
    bool ok = type >= 0 && H5Tset_size(type, size) >= 0
                  ? plait_h5_write_data(h, name, type, size > SMALL_TEXT ? 1 : 0, &one, true, text)
                  : cannot_write(h, name);
    if (type >= 0)
        H5Tclose(type);
    return ok;
}
