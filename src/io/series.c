// series.c: columns of numbers as an HDF5 file.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "io/h5.h"
#include "plait/io.h"

static bool write_columns(plait_h5 *h, int columns, const char *const *title, int64_t rows, const double *value)
{
    bool ok = true;
    for (int c = 0; ok && c < columns; c++) {
        char name[160];
        snprintf(name, sizeof name, "/%s", title[c]);
        ok = plait_h5_write_reals(h, name, rows, value + (int64_t)c * rows);
    }
    return ok;
}

plait_status plait_series_write(const char *path, int columns, const char *const *title, int64_t rows,
                                const double *value, plait_error *error)
{
    plait_h5 h;
    size_t size = strlen(path) + 8;
    char *place = malloc(size);
    if (!place)
        return plait_error_set(error, PLAIT_NO_MEMORY, "%s: not enough memory", path);
    snprintf(place, size, "%s.tmp", path);
    bool ok = plait_h5_create(&h, place, path, error);
    if (ok) {
        ok = write_columns(&h, columns, title, rows, value);
        ok = plait_h5_close(&h) && ok;
    }
    if (ok && rename(place, path) != 0)
        ok = plait_error_set(error, PLAIT_BAD_FILE, "%s: cannot be renamed from %s", path, place) == PLAIT_OK;
    if (!ok)
        unlink(place);
    free(place);
    return ok ? PLAIT_OK : error && error->status != PLAIT_OK ? error->status : PLAIT_BAD_FILE;
}
