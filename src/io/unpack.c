// unpack.c: what gzip packed, by zlib, into a temporary file without a name: nothing stays behind.
#include "io/unpack.h"

#include <errno.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "base/trouble.h"

static const int64_t limit = INT64_C(1) << 32; // bytes: a few kilobytes may unpack to any number of them

plait_status plait_file_check(const char *path, plait_error *error)
{
    struct stat status;
    if (stat(path, &status) != 0)
        return plait_error_set(error, plait_trouble(errno), "%s: cannot be read: %s", path, strerror(errno));
    if (S_ISDIR(status.st_mode))
        return plait_error_set(error, PLAIT_BAD_FILE, "%s: expected a file, found a folder", path);
    if (!S_ISREG(status.st_mode))
        return plait_error_set(error, PLAIT_BAD_FILE, "%s: expected an ordinary file, found a device or pipe", path);
    FILE *file = fopen(path, "rb");
    if (!file)
        return plait_error_set(error, plait_trouble(errno), "%s: cannot be read: %s", path, strerror(errno));
    fclose(file);
    return PLAIT_OK;
}

static plait_status find_packed(const char *path, bool *packed, plait_error *error)
{
    FILE *file = fopen(path, "rb");
    if (!file)
        return plait_error_set(error, plait_trouble(errno), "%s: cannot be read: %s", path, strerror(errno));
    *packed = getc(file) == 0x1f && getc(file) == 0x8b;
    fclose(file);
    return PLAIT_OK;
}

static bool fail(const char *path, plait_error *error, const char *why)
{
    plait_error_set(error, PLAIT_BAD_FILE, "%s: expected a whole file packed by gzip, found %s", path, why);
    return false;
}

// Every byte of `from` into `to`; the checksum and the length at its end are zlib's to check.
static bool copy(gzFile from, FILE *to, const char *path, plait_error *error)
{
    char bytes[1 << 16];
    int64_t total = 0;
    int count, state = Z_OK;
    while ((count = gzread(from, bytes, sizeof bytes)) > 0) {
        if ((total += count) > limit)
            return fail(path, error, "more than 4 GiB in it: unpack it first (gunzip)");
        if (fwrite(bytes, 1, (size_t)count, to) != (size_t)count)
            break;
    }
    if (ferror(to) || (count == 0 && fflush(to) != 0)) {
        plait_error_set(error, plait_trouble(errno), "%s: cannot be unpacked: %s", path, strerror(errno));
        return false;
    }
    gzerror(from, &state);
    if (state == Z_MEM_ERROR) {
        plait_error_set(error, PLAIT_NO_MEMORY, "%s: not enough memory to unpack it", path);
        return false;
    }
    return state == Z_OK || fail(path, error, state == Z_BUF_ERROR ? "one that is cut off" : "a damaged one");
}

static bool map(plait_unpacked *u, plait_error *error)
{
    struct stat status;
    if (fstat(fileno(u->file), &status) == 0 && status.st_size == 0)
        return true;
    u->size = (size_t)status.st_size;
    void *bytes = mmap(NULL, u->size, PROT_READ | PROT_WRITE, MAP_PRIVATE, fileno(u->file), 0);
    if (bytes == MAP_FAILED) {
        plait_error_set(error, PLAIT_NO_MEMORY, "%s: not enough memory to unpack it", u->path);
        return false;
    }
    u->bytes = bytes;
    return true;
}

bool plait_unpack(plait_unpacked *u, const char *path, plait_error *error)
{
    *u = (plait_unpacked){.path = path, .place = path};
    if (plait_file_check(path, error) != PLAIT_OK)
        return false;
    bool packed = false;
    if (find_packed(path, &packed, error) != PLAIT_OK)
        return false;
    if (!packed)
        return true;
    u->file = tmpfile();
    if (!u->file) {
        plait_error_set(error, plait_trouble(errno), "%s: cannot be unpacked into a temporary file: %s", path,
                        strerror(errno));
        return false;
    }
    errno = 0; // zlib tells want of memory by nothing else
    gzFile from = gzopen(path, "rb");
    bool ok = from && copy(from, u->file, path, error);
    if (!from)
        plait_error_set(error, plait_trouble(errno ? errno : ENOMEM), "%s: cannot be unpacked: %s", path,
                        strerror(errno ? errno : ENOMEM));
    else
        gzclose_r(from);
    // The file has no name but this one, for as long as it is open.
    snprintf(u->name, sizeof u->name, "/dev/fd/%d", fileno(u->file));
    u->place = u->name;
    ok = ok && map(u, error);
    if (!ok)
        plait_unpacked_close(u);
    return ok;
}

void plait_unpacked_close(plait_unpacked *u)
{
    if (u->bytes)
        munmap(u->bytes, u->size);
    if (u->file)
        fclose(u->file);
    u->bytes = NULL, u->file = NULL;
}
