// trajectory_driver.c: HDF5's file driver over a journal. HDF5 knows a file as bytes that a driver reads and writes;
// the driver is no part of the file, which any other driver can read.
#include <errno.h>
#include <fcntl.h>
#include <hdf5.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#if H5_VERSION_GE(1, 13, 0)
#include <H5FDdevelop.h>
#endif

#include "io/trajectory_journal.h"

typedef struct driver_file {
    H5FD_t base; // first, so that a pointer to one is a pointer to the other
    plait_journal *journal;
    haddr_t allocated;
} driver_file;

typedef struct driver_info {
    plait_journal *journal;
} driver_info;

static plait_journal *journal_of(const H5FD_t *file)
{
    return ((const driver_file *)file)->journal;
}

static H5FD_t *driver_open(const char *name, unsigned flags, hid_t access, haddr_t most)
{
    (void)name, (void)flags, (void)most;
    const driver_info *info = H5Pget_driver_info(access);
    driver_file *file = info ? calloc(1, sizeof *file) : NULL;
    if (!file)
        return NULL;
    file->journal = info->journal;
    return &file->base;
}

static herr_t driver_close(H5FD_t *file)
{
    free(file);
    return 0;
}

static herr_t driver_query(const H5FD_t *file, unsigned long *flags)
{
    (void)file;
    // Small pieces are put together before they come here: fewer records.
    *flags = H5FD_FEAT_AGGREGATE_METADATA | H5FD_FEAT_ACCUMULATE_METADATA | H5FD_FEAT_DATA_SIEVE |
             H5FD_FEAT_AGGREGATE_SMALLDATA;
    return 0;
}

static haddr_t driver_get_eoa(const H5FD_t *file, H5FD_mem_t type)
{
    (void)type;
    return ((const driver_file *)file)->allocated;
}

static herr_t driver_set_eoa(H5FD_t *file, H5FD_mem_t type, haddr_t size)
{
    (void)type;
    ((driver_file *)file)->allocated = size;
    return 0;
}

static haddr_t driver_get_eof(const H5FD_t *file, H5FD_mem_t type)
{
    (void)type;
    return journal_of(file)->reach;
}

static herr_t driver_read(H5FD_t *file, H5FD_mem_t type, hid_t list, haddr_t at, size_t size, void *byte)
{
    (void)type, (void)list;
    return plait_journal_read(journal_of(file), at, size, byte) ? 0 : -1;
}

static herr_t driver_write(H5FD_t *file, H5FD_mem_t type, hid_t list, haddr_t at, size_t size, const void *byte)
{
    (void)type, (void)list;
    plait_journal_write(journal_of(file), at, size, byte);
    return 0;
}

static herr_t driver_truncate(H5FD_t *file, hid_t list, hbool_t closing)
{
    (void)list, (void)closing;
    plait_journal_set_size(journal_of(file), ((driver_file *)file)->allocated);
    return 0;
}

// clang-format off
static const H5FD_class_t driver_class = {
#if H5_VERSION_GE(1, 13, 0)
    .version = H5FD_CLASS_VERSION,
    .value = (H5FD_class_value_t)600, // of the range that is free for anyone's use
#endif
    .name = "plait_journal",
    .maxaddr = ((haddr_t)1 << 62) - 1,
    .fc_degree = H5F_CLOSE_WEAK,
    .fapl_size = sizeof(driver_info),
    .open = driver_open,
    .close = driver_close,
    .query = driver_query,
    .get_eoa = driver_get_eoa,
    .set_eoa = driver_set_eoa,
    .get_eof = driver_get_eof,
    .read = driver_read,
    .write = driver_write,
    .truncate = driver_truncate,
    .fl_map = H5FD_FLMAP_DICHOTOMY,
};
// clang-format on

hid_t plait_journal_access(void *journal)
{
    driver_info info = {journal};
    hid_t driver = H5FDregister(&driver_class), access = H5Pcreate(H5P_FILE_ACCESS);
    if (driver >= 0 && access >= 0 && H5Pset_driver(access, driver, &info) >= 0 && plait_h5_set_format(access)) {
        H5FDunregister(driver); // the list holds on to it
        return access;
    }
    if (driver >= 0)
        H5FDunregister(driver);
    if (access >= 0)
        H5Pclose(access);
    return -1;
}

bool plait_h5_write_whole(const char *path, bool (*fill)(plait_h5 *h, const void *data), const void *data,
                          plait_error *error)
{
    char *place = plait_journal_place(path, error);
    if (!place)
        return false;
    // A journal that goes back to nothing: all is new, all goes to the file at once.
    plait_journal j = {.log = -1, .file = open(place, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0666)};
    if (j.file < 0) {
        plait_journal_trouble(path, "written", errno, error);
        free(place);
        return false;
    }
    plait_h5 h;
    bool ok = plait_h5_open_with(&h, place, path, true, plait_journal_access, &j, error);
    if (ok) {
        ok = fill(&h, data);
        ok = plait_h5_close(&h) && ok;
    }
    errno = j.failed;
    if (ok && (j.failed || ftruncate(j.file, (off_t)j.reach) != 0 || fsync(j.file) != 0))
        ok = plait_journal_trouble(path, "written", errno, error);
    // First the bytes, then the name: after a power cut too there is the old file or the new one.
    if (close(j.file) != 0 && ok)
        ok = plait_journal_trouble(path, "written", errno, error);
    if (ok && (rename(place, path) != 0 || !plait_file_to_disk(path)))
        ok = plait_journal_trouble(path, "written", errno, error);
    if (!ok)
        unlink(place);
    free(place);
    return ok;
}
