// h5.c: opening, closing and reading; h5_write.c has the rest.
#include "io/h5.h"

#include <limits.h>
#include <math.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

// ---- messages ---------------------------------------------------------------------------------------------------

void plait_h5_set_error(plait_h5 *h, const char *name, const char *format, ...)
{
    char text[400];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    plait_error_set(h->error, PLAIT_BAD_FILE, "%s: %s%s%s", h->path, name ? name : "", name ? ": " : "", text);
}

static herr_t keep_first(unsigned n, const H5E_error2_t *item, void *data)
{
    (void)n;
    char *text = data;
    if (!text[0] && item->desc)
        snprintf(text, 160, "%s", item->desc);
    return 0;
}

// What HDF5 says went wrong, innermost first: the most telling part of its stack.
static const char *hdf5_says(char text[160])
{
    text[0] = 0;
    H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, keep_first, text);
    return text[0] ? text : "HDF5 gives no reason";
}

// ---- open and close ---------------------------------------------------------------------------------------------

static void start(plait_h5 *h, const char *path, plait_error *error)
{
    *h = (plait_h5){.file = -1, .access = -1, .path = path, .error = error};
    pthread_mutex_lock(&lock);
    H5Eget_auto2(H5E_DEFAULT, &h->print, &h->print_data);
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
}

static void stop(plait_h5 *h)
{
    if (h->access >= 0)
        H5Pclose(h->access);
    h->access = -1;
    H5Eset_auto2(H5E_DEFAULT, h->print, h->print_data);
    pthread_mutex_unlock(&lock);
}

// Whether a file was opened that has so many bytes (< 0: nobody knows); if not, the lock is given back.
static bool opened(plait_h5 *h, int64_t bytes)
{
    if (h->file >= 0 && bytes >= 0) {
        h->bytes = (uint64_t)bytes;
        return true;
    }
    char text[160];
    plait_h5_set_error(h, NULL, "expected an HDF5 file, found one that is cut off or damaged (%s)", hdf5_says(text));
    if (h->file >= 0)
        H5Fclose(h->file);
    stop(h);
    return false;
}

bool plait_h5_open(plait_h5 *h, const char *path, plait_error *error)
{
    struct stat status;
    start(h, path, error);
    h->file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    return opened(h, stat(path, &status) == 0 ? (int64_t)status.st_size : -1);
}

// HDF5 would copy an image twice; with these it takes the caller's bytes, and leaves them alone.
static void *image_take(size_t size, H5FD_file_image_op_t op, void *bytes)
{
    (void)size, (void)op;
    return bytes;
}

static void *image_copy(void *to, const void *from, size_t size, H5FD_file_image_op_t op, void *bytes)
{
    (void)from, (void)size, (void)op, (void)bytes;
    return to;
}

static void *image_grow(void *at, size_t size, H5FD_file_image_op_t op, void *bytes)
{
    (void)at, (void)size, (void)op, (void)bytes;
    return NULL; // it is only read
}

static herr_t image_leave(void *at, H5FD_file_image_op_t op, void *bytes)
{
    (void)at, (void)op, (void)bytes;
    return 0;
}

static void *image_same(void *bytes)
{
    return bytes;
}

static herr_t image_keep(void *bytes)
{
    (void)bytes;
    return 0;
}

bool plait_h5_open_image(plait_h5 *h, const char *path, void *bytes, size_t size, plait_error *error)
{
    H5FD_file_image_callbacks_t calls = {image_take, image_copy, image_grow, image_leave,
                                         image_same, image_keep, bytes};
    start(h, path, error);
    hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    if (access >= 0 && H5Pset_fapl_core(access, 4096, false) >= 0 && H5Pset_file_image_callbacks(access, &calls) >= 0 &&
        H5Pset_file_image(access, bytes, size) >= 0)
        h->file = H5Fopen("/dev/null/image", H5F_ACC_RDONLY, access); // a name that no file can have, as HDF5 wants it
    if (access >= 0)
        H5Pclose(access);
    return opened(h, (int64_t)size);
}

bool plait_h5_set_format(hid_t access)
{
    // The format of HDF5 1.10 has a checksum for every piece of metadata; older ones have none.
    return H5Pset_libver_bounds(access, H5F_LIBVER_V110, H5F_LIBVER_V110) >= 0;
}

// A new file through an access list; the root group remembers no time of day.
static hid_t make_file(const char *place, hid_t access)
{
    hid_t list = H5Pcreate(H5P_FILE_CREATE), file = -1;
    if (list >= 0 && H5Pset_obj_track_times(list, false) >= 0)
        file = H5Fcreate(place, H5F_ACC_TRUNC, list, access);
    if (list >= 0)
        H5Pclose(list);
    return file;
}

bool plait_h5_create(plait_h5 *h, const char *target, const char *path, plait_error *error)
{
    start(h, path, error);
    hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    if (access >= 0 && plait_h5_set_format(access))
        h->file = make_file(target, access);
    if (access >= 0)
        H5Pclose(access);
    if (h->file >= 0)
        return true;
    char text[160];
    plait_h5_set_error(h, NULL, "cannot be written (%s)", hdf5_says(text));
    stop(h);
    return false;
}

bool plait_h5_open_with(plait_h5 *h, const char *place, const char *path, bool make, hid_t (*access)(void *data),
                        void *data, plait_error *error)
{
    start(h, path, error);
    h->access = access(data);
    if (h->access >= 0)
        h->file = make ? make_file(place, h->access) : H5Fopen(place, H5F_ACC_RDWR, h->access);
    if (h->file >= 0)
        return true;
    char text[160];
    plait_h5_set_error(h, NULL, "cannot be opened for writing (%s)", hdf5_says(text));
    stop(h);
    return false;
}

bool plait_h5_close(plait_h5 *h)
{
    bool ok = H5Fclose(h->file) >= 0;
    char text[160];
    if (!ok)
        plait_h5_set_error(h, NULL, "cannot be written (%s)", hdf5_says(text));
    stop(h);
    return ok;
}

// ---- what a dataset is ------------------------------------------------------------------------------------------

bool plait_h5_has(plait_h5 *h, const char *name)
{
    char part[256];
    for (const char *c = name + 1;; c++) {
        if (*c && *c != '/')
            continue;
        size_t length = (size_t)(c - name);
        H5L_info_t info;
        if (length >= sizeof part)
            return false;
        memcpy(part, name, length);
        part[length] = 0;
        // Hard links only: others may leave the file.
        if (H5Lexists(h->file, part, H5P_DEFAULT) <= 0 || H5Lget_info(h->file, part, &info, H5P_DEFAULT) < 0 ||
            info.type != H5L_TYPE_HARD)
            return false;
        if (!*c)
            return true;
    }
}

typedef struct dataset {
    hid_t id;
    H5T_class_t class;
    int64_t count;
    bool written;
} dataset;

static const char *class_name(H5T_class_t class)
{
    switch (class) {
    case H5T_INTEGER:
        return "whole numbers";
    case H5T_FLOAT:
        return "real numbers";
    case H5T_STRING:
        return "text";
    case H5T_COMPOUND:
        return "records";
    default:
        return "something that is not a number";
    }
}

// Two's complement of 1, 2, 4 or 8 bytes, or IEEE of 4 or 8: what every machine writes.
static bool type_is_common(hid_t type, H5T_class_t class)
{
    size_t size = H5Tget_size(type);
    if (class == H5T_INTEGER)
        return (size == 1 || size == 2 || size == 4 || size == 8) && H5Tget_precision(type) == 8 * size &&
               H5Tget_offset(type) == 0;
    return H5Tequal(type, H5T_IEEE_F64LE) > 0 || H5Tequal(type, H5T_IEEE_F32LE) > 0 ||
           H5Tequal(type, H5T_IEEE_F64BE) > 0 || H5Tequal(type, H5T_IEEE_F32BE) > 0;
}

static bool check_type(plait_h5 *h, const char *name, dataset *d, bool whole, size_t *size)
{
    hid_t type = H5Dget_type(d->id);
    if (type < 0)
        return plait_h5_fail(h, name, "expected numbers, found a type that cannot be read");
    d->class = H5Tget_class(type);
    *size = H5Tget_size(type);
    bool number = d->class == H5T_INTEGER || (d->class == H5T_FLOAT && !whole);
    bool common = number && type_is_common(type, d->class);
    H5Tclose(type);
    if (!number)
        return plait_h5_fail(h, name, "expected %s numbers, found %s", whole ? "whole" : "real", class_name(d->class));
    return common ||
           plait_h5_fail(h, name, "expected ordinary numbers of 1 to 8 bytes, found an unusual %zu-byte type", *size);
}

// The product of the extents; -1 if it is out of reach.
static int64_t count_elements(hid_t id)
{
    hsize_t extent[H5S_MAX_RANK];
    int64_t count = -1;
    hid_t space = H5Dget_space(id);
    if (space < 0)
        return -1;
    H5S_class_t class = H5Sget_simple_extent_type(space);
    if (class == H5S_NULL) {
        count = 0;
    } else if (class == H5S_SCALAR) {
        count = 1;
    } else if (class == H5S_SIMPLE) {
        int rank = H5Sget_simple_extent_dims(space, extent, NULL);
        count = rank < 0 ? -1 : 1;
        for (int i = 0; i < rank && count >= 0; i++)
            count = extent[i] > (1u << 31) || count > INT64_MAX / ((int64_t)extent[i] + 1) / 16
                        ? -1
                        : count * (int64_t)extent[i];
    }
    H5Sclose(space);
    return count;
}

// Bytes of a chunk after unpacking; 0 if the dataset has no chunks, -1 if its storage is of a kind that is not read.
static double chunk_bytes(hid_t id, size_t size)
{
    hsize_t extent[H5S_MAX_RANK];
    hid_t list = H5Dget_create_plist(id);
    if (list < 0)
        return -1;
    H5D_layout_t layout = H5Pget_layout(list);
    double bytes = layout == H5D_CONTIGUOUS || layout == H5D_COMPACT ? 0 : -1;
    if (H5Pget_external_count(list) != 0)
        bytes = -1;
    if (layout == H5D_CHUNKED) {
        int rank = H5Pget_chunk(list, H5S_MAX_RANK, extent);
        bytes = rank > 0 ? (double)size : -1;
        for (int i = 0; i < rank; i++)
            bytes *= (double)extent[i];
        for (int i = 0, filters = H5Pget_nfilters(list); i < filters; i++) {
            unsigned flags;
            size_t values = 0;
            H5Z_filter_t filter = H5Pget_filter2(list, (unsigned)i, &flags, &values, NULL, 0, NULL, NULL);
            if (filter != H5Z_FILTER_DEFLATE && filter != H5Z_FILTER_SHUFFLE && filter != H5Z_FILTER_FLETCHER32)
                bytes = -1;
        }
    }
    H5Pclose(list);
    return bytes;
}

// The extent against the bytes stored for it. Deflate packs at most 1032 to 1.
static bool check_storage(plait_h5 *h, const char *name, dataset *d, size_t size)
{
    d->count = count_elements(d->id);
    if (d->count < 0)
        return plait_h5_fail(h, name, "expected an array that fits the file, found an extent beyond all bounds");
    double stored = (double)H5Dget_storage_size(d->id), chunk = chunk_bytes(d->id, size);
    double wanted = (double)d->count * (double)size;
    d->written = stored > 0;
    if (chunk < 0)
        return plait_h5_fail(h, name,
                             "is stored outside of the file or packed by an unusual filter, which is not read");
    bool fits = stored <= (double)h->bytes &&
                (chunk > 0 ? wanted <= 1100 * stored && chunk <= 1100 * stored + 4096 : wanted <= stored);
    if (fits || !d->written)
        return true;
    return plait_h5_fail(h, name, "expected %lld numbers as its header says, found %.0f bytes in a file of %llu bytes",
                         (long long)d->count, stored, (unsigned long long)h->bytes);
}

// whole: real numbers are refused. The caller closes d->id.
static bool open_dataset(plait_h5 *h, const char *name, bool whole, dataset *d)
{
    size_t size = 0;
    d->id = -1;
    if (!plait_h5_has(h, name))
        return plait_h5_fail(h, name, "expected a dataset, found nothing of this name");
    d->id = H5Dopen2(h->file, name, H5P_DEFAULT);
    if (d->id < 0)
        return plait_h5_fail(h, name, "expected a dataset, found something that cannot be opened as one");
    if (check_type(h, name, d, whole, &size) && check_storage(h, name, d, size))
        return true;
    H5Dclose(d->id);
    return false;
}

bool plait_h5_size(plait_h5 *h, const char *name, int64_t *count, bool *written)
{
    dataset d;
    if (!open_dataset(h, name, false, &d))
        return false;
    *count = d.count, *written = d.written;
    H5Dclose(d.id);
    return true;
}

// ---- reading ----------------------------------------------------------------------------------------------------

// type is a native one, `size` its bytes.
static bool read_array(plait_h5 *h, const char *name, bool whole, hid_t type, size_t size, int64_t *count,
                       void **values)
{
    dataset d;
    *values = NULL;
    if (!open_dataset(h, name, whole, &d))
        return false;
    const char *kind = whole ? "whole numbers" : "numbers";
    bool ok = true;
    if (*count >= 0 && d.count != *count)
        ok = plait_h5_fail(h, name, "expected %lld %s, found %lld", (long long)*count, kind, (long long)d.count);
    else if (d.count > 0 && !d.written)
        ok = plait_h5_fail(h, name, "expected %lld %s, found that none were ever written", (long long)d.count, kind);
    else if (!(*values = malloc((size_t)(d.count > 0 ? d.count : 1) * size)))
        ok = plait_h5_no_memory(h, name);
    else if (d.count > 0 && H5Dread(d.id, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, *values) < 0) {
        char text[160];
        ok = plait_h5_fail(h, name, "cannot be read (%s)", hdf5_says(text));
    }
    *count = d.count;
    H5Dclose(d.id);
    if (!ok) {
        free(*values);
        *values = NULL;
    }
    return ok;
}

bool plait_h5_read_ints(plait_h5 *h, const char *name, int64_t *count, int **values)
{
    void *array;
    bool ok = read_array(h, name, true, H5T_NATIVE_INT, sizeof **values, count, &array);
    *values = array;
    return ok;
}

bool plait_h5_read_longs(plait_h5 *h, const char *name, int64_t *count, int64_t **values)
{
    void *array;
    bool ok = read_array(h, name, true, H5T_NATIVE_INT64, sizeof **values, count, &array);
    *values = array;
    return ok;
}

bool plait_h5_read_int(plait_h5 *h, const char *name, int low, int high, int *value)
{
    int64_t count = 1, *values;
    if (!plait_h5_read_longs(h, name, &count, &values))
        return false;
    int64_t found = values[0];
    free(values);
    if (found < low || found > high) {
        if (high == INT_MAX)
            return plait_h5_fail(h, name, "expected a number of at least %d, found %lld", low, (long long)found);
        return plait_h5_fail(h, name, "expected a number from %d to %d, found %lld", low, high, (long long)found);
    }
    *value = (int)found;
    return true;
}

bool plait_h5_read_reals(plait_h5 *h, const char *name, int64_t *count, double **values)
{
    void *array;
    *values = NULL;
    if (!read_array(h, name, false, H5T_NATIVE_DOUBLE, sizeof **values, count, &array))
        return false;
    const double *x = array;
    for (int64_t i = 0; i < *count; i++) {
        if (!isfinite(x[i])) {
            plait_h5_set_error(h, name, "expected finite numbers, found %s at index %lld",
                               isnan(x[i]) ? "NaN" : "infinity", (long long)i);
            free(array);
            return false;
        }
    }
    *values = array;
    return true;
}

// ---- text -------------------------------------------------------------------------------------------------------

enum { TEXT_LIMIT = 1 << 16 }; // bytes of a text in a file; longer ones are not read

static void copy_text(const char *from, size_t length, char *text, size_t size)
{
    size_t keep = 0;
    while (keep < length && keep + 1 < size && from[keep])
        keep++;
    // A UTF-8 letter that does not fit is left out whole.
    if (keep < length && ((unsigned char)from[keep] & 0xc0) == 0x80) {
        while (keep > 0 && ((unsigned char)from[keep] & 0xc0) == 0x80)
            keep--;
    }
    memcpy(text, from, keep);
    text[keep] = 0;
}

void plait_h5_read_text(plait_h5 *h, const char *name, char *text, size_t size)
{
    text[0] = 0;
    hid_t id = plait_h5_has(h, name) ? H5Dopen2(h->file, name, H5P_DEFAULT) : -1;
    if (id < 0)
        return;
    hid_t type = H5Dget_type(id);
    size_t length = type >= 0 && H5Tget_class(type) == H5T_STRING ? H5Tget_size(type) : 0;
    bool stored = count_elements(id) == 1 && chunk_bytes(id, length) >= 0 && H5Dget_storage_size(id) > 0;
    if (length > 0 && stored && H5Tis_variable_str(type) > 0) {
        char *words = NULL;
        hid_t space = H5Dget_space(id);
        if (H5Dread(id, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, &words) >= 0 && words)
            copy_text(words, strlen(words), text, size);
        H5Dvlen_reclaim(type, space, H5P_DEFAULT, &words);
        H5Sclose(space);
    } else if (length > 0 && length <= TEXT_LIMIT && stored) {
        char words[TEXT_LIMIT + 1] = {0}; // no heap: a text that is left out for want of memory would not be noticed
        if (H5Dread(id, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, words) >= 0)
            copy_text(words, length, text, size);
    }
    if (type >= 0)
        H5Tclose(type);
    H5Dclose(id);
}
