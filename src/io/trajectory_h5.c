// trajectory_h5.c: datasets of trajectories.
#include "io/trajectory_h5.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

plait_h5_name plait_h5_member(const char *group, int64_t number, const char *part)
{
    plait_h5_name name;
    snprintf(name.text, sizeof name.text, "%s/%06" PRId64 "%s%s", group, number, part ? "/" : "", part ? part : "");
    return name;
}

// ---- writing -----------------------------------------------------------------------------------------------------

static bool write_table(plait_h5 *h, const char *name, hid_t type, int rank, const hsize_t *extent, const void *data)
{
    return plait_h5_write_data(h, name, type, rank, extent, true, data);
}

bool plait_h5_write_table(plait_h5 *h, const char *name, int64_t rows, int cols, bool doubles, const double *value)
{
    int64_t count = rows * cols;
    double most = doubles ? DBL_MAX : (double)FLT_MAX;
    for (int64_t i = 0; i < count; i++)
        if (!(fabs(value[i]) <= most)) {
            plait_error_set(h->error, PLAIT_BAD_INPUT,
                            "%s: %s: not written: expected finite numbers, found %g at %" PRId64, h->path, name,
                            value[i], i);
            return false;
        }
    hsize_t extent[2] = {(hsize_t)rows, (hsize_t)cols};
    if (doubles)
        return write_table(h, name, H5T_NATIVE_DOUBLE, cols > 1 ? 2 : 1, extent, value);
    float *thin = malloc(((size_t)count + 1) * sizeof *thin);
    if (!thin)
        return plait_h5_no_memory(h, name);
    for (int64_t i = 0; i < count; i++)
        thin[i] = (float)value[i];
    bool ok = write_table(h, name, H5T_NATIVE_FLOAT, cols > 1 ? 2 : 1, extent, thin);
    free(thin);
    return ok;
}

bool plait_h5_write_int_table(plait_h5 *h, const char *name, int64_t rows, int cols, const int *value)
{
    hsize_t extent[2] = {(hsize_t)rows, (hsize_t)cols};
    return write_table(h, name, H5T_NATIVE_INT, cols > 1 ? 2 : 1, extent, value);
}

bool plait_h5_write_long(plait_h5 *h, const char *name, int64_t value)
{
    hsize_t one = 1;
    return write_table(h, name, H5T_NATIVE_INT64, 1, &one, &value);
}

static hid_t name_type(size_t size)
{
    hid_t type = H5Tcopy(H5T_C_S1);
    if (type >= 0 && H5Tset_size(type, size) < 0) {
        H5Tclose(type);
        type = -1;
    }
    return type;
}

bool plait_h5_write_names(plait_h5 *h, const char *name, int count, char (*value)[PLAIT_NAME])
{
    hsize_t extent = (hsize_t)count;
    hid_t type = name_type(PLAIT_NAME);
    bool ok = type >= 0 ? write_table(h, name, type, 1, &extent, value) : plait_h5_no_memory(h, name);
    if (type >= 0)
        H5Tclose(type);
    return ok;
}

// ---- reading -----------------------------------------------------------------------------------------------------

bool plait_h5_fill_reals(plait_h5 *h, const char *name, int64_t count, double *value)
{
    double *found;
    if (!plait_h5_read_reals(h, name, &count, &found))
        return false;
    memcpy(value, found, (size_t)count * sizeof *value);
    free(found);
    return true;
}

bool plait_h5_read_real(plait_h5 *h, const char *name, double *value)
{
    return plait_h5_fill_reals(h, name, 1, value);
}

bool plait_h5_read_long(plait_h5 *h, const char *name, int64_t low, int64_t *value)
{
    int64_t count = 1, *found;
    if (!plait_h5_read_longs(h, name, &count, &found))
        return false;
    *value = found[0];
    free(found);
    return *value >= low ||
           plait_h5_fail(h, name, "expected a number of at least %lld, found %lld", (long long)low, (long long)*value);
}

// Opens a dataset of fixed-length text that is stored whole inside the file.
static bool open_text(plait_h5 *h, const char *name, hid_t *id, size_t *size, hssize_t *count)
{
    *id = plait_h5_has(h, name) ? H5Dopen2(h->file, name, H5P_DEFAULT) : -1;
    if (*id < 0)
        return plait_h5_fail(h, name, "expected text, found nothing of this name");
    hid_t type = H5Dget_type(*id), space = H5Dget_space(*id), list = H5Dget_create_plist(*id);
    bool fixed = type >= 0 && H5Tget_class(type) == H5T_STRING && H5Tis_variable_str(type) == 0;
    *size = fixed ? H5Tget_size(type) : 0;
    *count = space >= 0 ? H5Sget_simple_extent_npoints(space) : -1;
    // Deflate packs at most 1032 to 1: a header that promises more lies.
    double wanted = (double)*size * (double)*count, stored = (double)H5Dget_storage_size(*id);
    bool inside = list >= 0 && H5Pget_external_count(list) == 0 && H5Pget_layout(list) != H5D_VIRTUAL;
    if (type >= 0)
        H5Tclose(type);
    if (space >= 0)
        H5Sclose(space);
    if (list >= 0)
        H5Pclose(list);
    if (fixed && *count >= 0 && inside && wanted <= 1100 * stored && stored <= (double)h->bytes)
        return true;
    H5Dclose(*id);
    return plait_h5_fail(h, name, "expected text of a fixed length, found something else");
}

bool plait_h5_read_names(plait_h5 *h, const char *name, int count, char (**value)[PLAIT_NAME])
{
    hid_t id;
    size_t size;
    hssize_t found;
    *value = NULL;
    if (!open_text(h, name, &id, &size, &found))
        return false;
    hid_t type = name_type(PLAIT_NAME);
    bool ok = false;
    if (found != count)
        plait_h5_set_error(h, name, "expected %d names, found %lld", count, (long long)found);
    else if (type < 0 || !(*value = calloc((size_t)count + 1, sizeof **value)))
        plait_h5_no_memory(h, name);
    else if (count > 0 && H5Dread(id, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, *value) < 0)
        plait_h5_set_error(h, name, "cannot be read");
    else
        ok = true;
    for (int i = 0; ok && i < count; i++)
        (*value)[i][PLAIT_NAME - 1] = 0;
    if (!ok) {
        free(*value);
        *value = NULL;
    }
    if (type >= 0)
        H5Tclose(type);
    H5Dclose(id);
    return ok;
}

bool plait_h5_read_long_text(plait_h5 *h, const char *name, char **text)
{
    hid_t id;
    size_t size;
    hssize_t found;
    *text = NULL;
    if (!open_text(h, name, &id, &size, &found))
        return false;
    hid_t type = name_type(size);
    bool ok = false;
    if (found != 1)
        plait_h5_set_error(h, name, "expected one text, found %lld", (long long)found);
    else if (type < 0 || !(*text = calloc(size + 1, 1)))
        plait_h5_no_memory(h, name);
    else if (H5Dread(id, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, *text) < 0)
        plait_h5_set_error(h, name, "cannot be read");
    else
        ok = true;
    if (!ok) {
        free(*text);
        *text = NULL;
    }
    if (type >= 0)
        H5Tclose(type);
    H5Dclose(id);
    return ok;
}
