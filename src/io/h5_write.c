// h5_write.c: the writing half of h5.h. Datasets are plain and contiguous, as libfclib makes them.
#include <string.h>

#include "io/h5.h"

static bool cannot_write(plait_h5 *h, const char *name)
{
    return plait_h5_fail(h, name, "cannot be written (is the disk full?)");
}

bool plait_h5_write_group(plait_h5 *h, const char *name)
{
    hid_t id = H5Gcreate2(h->file, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    return id >= 0 && H5Gclose(id) >= 0 ? true : cannot_write(h, name);
}

static bool write_dataset(plait_h5 *h, const char *name, hid_t type, hid_t space, bool empty, const void *data)
{
    // Without times of day the same problem gives the same bytes.
    hid_t list = H5Pcreate(H5P_DATASET_CREATE), id = -1;
    if (space >= 0 && list >= 0 && H5Pset_obj_track_times(list, false) >= 0)
        id = H5Dcreate2(h->file, name, type, space, H5P_DEFAULT, list, H5P_DEFAULT);
    bool ok = id >= 0 && (empty || H5Dwrite(id, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data) >= 0);
    if (id >= 0 && H5Dclose(id) < 0)
        ok = false;
    if (space >= 0)
        H5Sclose(space);
    if (list >= 0)
        H5Pclose(list);
    return ok ? true : cannot_write(h, name);
}

static bool write_array(plait_h5 *h, const char *name, hid_t type, int64_t count, const void *values)
{
    hsize_t extent = (hsize_t)count;
    return write_dataset(h, name, type, H5Screate_simple(1, &extent, NULL), count == 0, values);
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

bool plait_h5_write_text(plait_h5 *h, const char *name, const char *text)
{
    hid_t type = H5Tcopy(H5T_C_S1);
    bool ok = type >= 0 && H5Tset_size(type, strlen(text) + 1) >= 0
                  ? write_dataset(h, name, type, H5Screate(H5S_SCALAR), false, text)
                  : cannot_write(h, name);
    if (type >= 0)
        H5Tclose(type);
    return ok;
}
