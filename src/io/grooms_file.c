// grooms_file.c: strands that took long to lay, as an HDF5 file beside a checkpoint.
#include <stdlib.h>
#include <string.h>

#include "io/trajectory_h5.h"
#include "io/trajectory_journal.h"
#include "io/unpack.h"
#include "plait/grooms.h"
#include "plait/trajectory.h"
#include "plait/version.h"

static const char format[] = "plait grooms 1";

static bool write_grooms(plait_h5 *h, const void *data)
{
    const plait_grooms *grooms = data;
    int count = plait_grooms_count(grooms);
    bool ok = plait_h5_write_group(h, "/plait") && plait_h5_write_text(h, "/plait/format", format) &&
              plait_h5_write_text(h, "/plait/version", plait_version()) && plait_h5_write_long(h, "/count", count) &&
              plait_h5_write_group(h, "/groom");
    for (int i = 0; ok && i < count; i++) {
        char key[PLAIT_GROOM_KEY];
        int64_t points;
        const double *x = plait_grooms_get(grooms, i, key, &points);
        ok = plait_h5_write_group(h, plait_h5_member("/groom", i, NULL).text) &&
             plait_h5_write_text(h, plait_h5_member("/groom", i, "key").text, key) &&
             plait_h5_write_table(h, plait_h5_member("/groom", i, "points").text, 3 * points, 1, true, x);
    }
    return ok;
}

plait_status plait_grooms_write(const char *path, const plait_grooms *grooms, plait_error *error)
{
    plait_error own = {0};
    error = error ? error : &own;
    return plait_h5_write_whole(path, write_grooms, grooms, error) ? PLAIT_OK : error->status;
}

static bool read_groom(plait_h5 *h, int i, plait_grooms *grooms)
{
    char key[64] = "";
    plait_h5_name name = plait_h5_member("/groom", i, "points");
    double *x = NULL;
    int64_t size = -1;
    plait_h5_read_text(h, plait_h5_member("/groom", i, "key").text, key, sizeof key);
    bool ok = plait_h5_read_reals(h, name.text, &size, &x);
    if (ok && size % 3 != 0)
        ok = plait_h5_fail(h, name.text, "expected three numbers for each point, found %lld", (long long)size);
    plait_error why = {0};
    if (ok && plait_grooms_add(grooms, key, size / 3, x, &why) != PLAIT_OK) {
        if (why.status == PLAIT_NO_MEMORY)
            ok = plait_h5_no_memory(h, name.text);
        else
            ok = plait_h5_fail(h, name.text, "%s", why.text);
    }
    free(x);
    return ok;
}

plait_grooms *plait_grooms_read(const char *path, plait_error *error)
{
    plait_h5 h;
    if (plait_file_check(path, error) != PLAIT_OK || !plait_h5_open(&h, path, error))
        return NULL;
    char found[64] = "";
    int64_t count = 0;
    plait_grooms *grooms = plait_grooms_new();
    bool ok = grooms || plait_h5_no_memory(&h, "/groom");
    plait_h5_read_text(&h, "/plait/format", found, sizeof found);
    if (ok && strcmp(found, format) != 0)
        ok = plait_h5_fail(&h, "/plait/format", "expected '%s', found '%s'", format, found);
    ok = ok && plait_h5_read_long(&h, "/count", 0, &count);
    for (int i = 0; ok && i < count; i++)
        ok = read_groom(&h, i, grooms);
    plait_h5_close(&h);
    if (ok)
        return grooms;
    plait_grooms_free(grooms);
    return NULL;
}
