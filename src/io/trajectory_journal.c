// trajectory_journal.c: the undo journal; its header says how it works.
#include "io/trajectory_journal.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/trouble.h"

bool plait_journal_trouble(const char *path, const char *what, int number, plait_error *error)
{
    plait_error_set(error, plait_trouble(number), "%s: cannot be %s: %s", path, what, strerror(number));
    return false;
}

char *plait_journal_place(const char *path, plait_error *error)
{
    size_t length = strlen(path) + 8;
    char *place = malloc(length);
    if (place)
        snprintf(place, length, "%s.tmp", path);
    else
        plait_journal_trouble(path, "written", ENOMEM, error);
    return place;
}

// ---- plain files --------------------------------------------------------------------------------------------------

static bool write_at(int file, uint64_t at, size_t size, const void *byte)
{
    const char *from = byte;
    while (size > 0) {
        ssize_t done = pwrite(file, from, size, (off_t)at);
        if (done < 0 && errno == EINTR)
            continue;
        if (done <= 0) {
            errno = done == 0 ? ENOSPC : errno;
            return false;
        }
        from += done, at += (uint64_t)done, size -= (size_t)done;
    }
    return true;
}

// What is beyond the end of the file reads as zero.
static bool read_at(int file, uint64_t at, size_t size, void *byte)
{
    char *to = byte;
    while (size > 0) {
        ssize_t done = pread(file, to, size, (off_t)at);
        if (done < 0 && errno == EINTR)
            continue;
        if (done < 0)
            return false;
        if (done == 0) {
            memset(to, 0, size);
            return true;
        }
        to += done, at += (uint64_t)done, size -= (size_t)done;
    }
    return true;
}

static bool sync_folder(const char *path)
{
    const char *slash = strrchr(path, '/');
    size_t length = slash ? (size_t)(slash - path) + 1 : 1;
    char *folder = malloc(length + 1);
    if (!folder)
        return errno = ENOMEM, false;
    memcpy(folder, slash ? path : ".", length);
    folder[length] = 0;
    int file = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    free(folder);
    if (file < 0)
        return false;
    // Some file systems cannot do this for folders, and need not.
    bool ok = fsync(file) == 0 || errno == EINVAL || errno == EROFS;
    int number = errno;
    close(file);
    errno = number;
    return ok;
}

bool plait_file_to_disk(const char *path)
{
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return false;
    bool ok = fsync(file) == 0;
    int number = errno;
    close(file);
    errno = number;
    return ok && sync_folder(path);
}

// ---- records ------------------------------------------------------------------------------------------------------

enum { BYTES = 0x64796c61, MARK = 0x6b72616d };
typedef struct record {
    uint64_t kind, a, b; // BYTES: where, how many; MARK: size of the file, the caller's number
    uint64_t hash;       // of the three, and of the bytes that follow
} record;

static uint64_t hash_of(const record *r, const unsigned char *byte)
{
    uint64_t hash = 0xcbf29ce484222325u, word[3] = {r->kind, r->a, r->b};
    for (int i = 0; i < 24; i++)
        hash = (hash ^ (word[i / 8] >> (8 * (i % 8)) & 255)) * 0x100000001b3u;
    for (uint64_t i = 0; r->kind == BYTES && i < r->b; i++)
        hash = (hash ^ byte[i]) * 0x100000001b3u;
    return hash;
}

static uint64_t size_of(int file)
{
    struct stat status;
    return fstat(file, &status) == 0 ? (uint64_t)status.st_size : 0;
}

static bool add_record(plait_journal *j, uint64_t kind, uint64_t a, uint64_t b, const unsigned char *byte)
{
    record r = {kind, a, b, 0};
    r.hash = hash_of(&r, byte);
    uint64_t end = size_of(j->log);
    return write_at(j->log, end, sizeof r, &r) && (kind == MARK || write_at(j->log, end + sizeof r, (size_t)b, byte));
}

// Replaces the journal by one that has a single mark: the present state.
static bool start_log(plait_journal *j, int64_t mark, plait_error *error)
{
    size_t length = strlen(j->undo) + 8;
    char *place = malloc(length);
    if (!place)
        return plait_journal_trouble(j->undo, "written", ENOMEM, error);
    snprintf(place, length, "%s.tmp", j->undo);
    int old = j->log;
    j->log = open(place, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    bool ok = j->log >= 0 && add_record(j, MARK, j->end, (uint64_t)mark, NULL) && fsync(j->log) == 0 &&
              rename(place, j->undo) == 0;
    if (!ok) {
        plait_journal_trouble(j->undo, "written", errno, error);
        unlink(place);
    }
    int over = ok ? old : j->log;
    if (!ok)
        j->log = old;
    if (over >= 0)
        close(over);
    free(place);
    j->fresh = ok;
    return ok;
}

// ---- begin, recover, end -----------------------------------------------------------------------------------------

static bool open_files(plait_journal *j, const char *path, bool log, plait_error *error)
{
    size_t length = strlen(path) + 8;
    *j = (plait_journal){.file = -1, .log = -1, .path = malloc(length), .undo = malloc(length)};
    if (!j->path || !j->undo) {
        plait_journal_close(j);
        return plait_journal_trouble(path, "written", ENOMEM, error);
    }
    snprintf(j->path, length, "%s", path);
    snprintf(j->undo, length, "%s.undo", path);
    j->file = open(path, O_RDWR | O_CLOEXEC);
    const char *which = path;
    bool ok = j->file >= 0;
    if (ok && log) {
        j->log = open(j->undo, O_RDWR | O_CLOEXEC);
        ok = j->log >= 0 || errno == ENOENT;
        which = j->undo;
    }
    if (!ok) {
        plait_journal_trouble(which, "written", errno, error);
        plait_journal_close(j);
        return false;
    }
    j->end = j->reach = size_of(j->file);
    return true;
}

bool plait_journal_begin(plait_journal *j, const char *path, int64_t mark, plait_error *error)
{
    if (!open_files(j, path, false, error))
        return false;
    if (start_log(j, mark, error))
        return true;
    plait_journal_close(j);
    return false;
}

typedef struct place {
    size_t offset; // of the record in the log
    record head;
} place;

// The complete records of a log; the caller frees them. NULL without memory.
static place *list_records(const unsigned char *log, size_t size, size_t *count)
{
    size_t room = 16;
    place *list = malloc(room * sizeof *list);
    *count = 0;
    for (size_t at = 0; list && size - at >= sizeof(record);) {
        place p = {.offset = at};
        memcpy(&p.head, log + at, sizeof p.head);
        at += sizeof p.head;
        bool known = p.head.kind == MARK || (p.head.kind == BYTES && p.head.b <= size - at);
        if (!known || p.head.hash != hash_of(&p.head, log + at))
            break;
        at += p.head.kind == BYTES ? (size_t)p.head.b : 0;
        if (*count == room) {
            place *more = realloc(list, (room *= 2) * sizeof *list);
            if (!more)
                free(list);
            list = more;
        }
        if (list)
            list[(*count)++] = p;
    }
    return list;
}

// Back to a mark; log is the content of the journal.
static bool go_back(plait_journal *j, const unsigned char *log, size_t size, int64_t *mark, plait_error *error)
{
    size_t count, found;
    place *list = list_records(log, size, &count);
    if (!list)
        return plait_journal_trouble(j->undo, "read", ENOMEM, error);
    for (found = count; found > 0; found--)
        if (list[found - 1].head.kind == MARK && (*mark < 0 || list[found - 1].head.b == (uint64_t)*mark))
            break;
    bool ok = found > 0;
    if (!ok)
        plait_error_set(error, PLAIT_BAD_FILE, "%s: expected the way back to frame %lld, found that it is not there",
                        j->undo, (long long)*mark);
    for (size_t i = count; ok && i > found; i--) {
        const place *p = list + i - 1;
        if (p->head.kind == BYTES && !write_at(j->file, p->head.a, (size_t)p->head.b, log + p->offset + sizeof(record)))
            ok = plait_journal_trouble(j->path, "written", errno, error);
    }
    if (ok) {
        j->end = j->reach = list[found - 1].head.a;
        *mark = (int64_t)list[found - 1].head.b;
        if (ftruncate(j->file, (off_t)j->end) != 0 || fsync(j->file) != 0)
            ok = plait_journal_trouble(j->path, "written", errno, error);
    }
    free(list);
    return ok;
}

bool plait_journal_recover(plait_journal *j, const char *path, int64_t *mark, plait_error *error)
{
    if (!open_files(j, path, true, error))
        return false;
    if (j->log < 0) {
        *mark = -1;
        return true;
    }
    size_t size = (size_t)size_of(j->log);
    unsigned char *log = malloc(size + 1);
    bool ok = log && read_at(j->log, 0, size, log);
    if (!ok)
        plait_journal_trouble(j->undo, "read", log ? errno : ENOMEM, error);
    ok = ok && go_back(j, log, size, mark, error) && start_log(j, *mark, error);
    free(log);
    if (!ok)
        plait_journal_close(j);
    return ok;
}

bool plait_journal_sync(plait_journal *j, plait_error *error)
{
    if (fsync(j->file) != 0)
        return plait_journal_trouble(j->path, "written", errno, error);
    return fsync(j->log) == 0 || plait_journal_trouble(j->undo, "written", errno, error);
}

bool plait_journal_forget(plait_journal *j, int64_t mark, plait_error *error)
{
    return start_log(j, mark, error);
}

void plait_journal_close(plait_journal *j)
{
    plait_journal_drop(j);
    if (j->fresh)
        unlink(j->undo);
    if (j->file >= 0)
        close(j->file);
    if (j->log >= 0)
        close(j->log);
    free(j->change);
    free(j->path);
    free(j->undo);
    *j = (plait_journal){.file = -1, .log = -1};
}

// ---- while HDF5 writes --------------------------------------------------------------------------------------------

bool plait_journal_read(plait_journal *j, uint64_t at, size_t size, void *byte)
{
    if (!read_at(j->file, at, size, byte))
        return false;
    for (int i = 0; i < j->changes; i++) {
        const plait_change *c = j->change + i;
        uint64_t low = c->at > at ? c->at : at;
        uint64_t high = c->at + c->size < at + size ? c->at + c->size : at + size;
        if (low < high)
            memcpy((char *)byte + (low - at), c->byte + (low - c->at), (size_t)(high - low));
    }
    return true;
}

static bool hold_change(plait_journal *j, uint64_t at, size_t size, const void *byte)
{
    if (j->changes == j->room) {
        int room = 2 * j->room + 8;
        plait_change *more = realloc(j->change, (size_t)room * sizeof *more);
        if (!more)
            return false;
        j->change = more, j->room = room;
    }
    unsigned char *copy = malloc(size);
    if (!copy)
        return false;
    memcpy(copy, byte, size);
    j->change[j->changes++] = (plait_change){at, size, copy};
    return true;
}

void plait_journal_write(plait_journal *j, uint64_t at, size_t size, const void *byte)
{
    if (j->failed)
        return;
    size_t old = at >= j->end ? 0 : j->end - at < size ? (size_t)(j->end - at) : size;
    if (old > 0 && !hold_change(j, at, old, byte))
        j->failed = ENOMEM;
    else if (old < size && !write_at(j->file, at + old, size - old, (const char *)byte + old))
        j->failed = errno;
    if (at + size > j->reach)
        j->reach = at + size;
}

// Never below what was there at the last mark: it may be needed again.
void plait_journal_set_size(plait_journal *j, uint64_t size)
{
    j->reach = size > j->end ? size : j->end;
}

void plait_journal_drop(plait_journal *j)
{
    for (int i = 0; i < j->changes; i++)
        free(j->change[i].byte);
    j->changes = 0;
    if (j->file >= 0 && j->reach != j->end && ftruncate(j->file, (off_t)j->end) == 0)
        j->reach = j->end;
    j->failed = 0;
}

// The bytes that are to be changed, as they are now, go to the journal and to the disk.
static bool record_changes(plait_journal *j)
{
    bool ok = true;
    for (int i = 0; i < j->changes && ok; i++) {
        const plait_change *c = j->change + i;
        unsigned char *old = malloc(c->size);
        ok = old && read_at(j->file, c->at, c->size, old) && add_record(j, BYTES, c->at, c->size, old);
        if (!old)
            errno = ENOMEM;
        free(old);
    }
    return ok && fdatasync(j->log) == 0;
}

bool plait_journal_commit(plait_journal *j, int64_t mark, plait_error *error)
{
    assert(j->log >= 0);
    uint64_t before = size_of(j->log);
    const char *which = j->failed ? j->path : j->undo;
    errno = j->failed;
    j->fresh = false;
    bool ok = !j->failed && record_changes(j);
    bool begun = ok;
    if (ok) {
        which = j->path;
        ok = ftruncate(j->file, (off_t)j->reach) == 0;
        for (int i = 0; i < j->changes && ok; i++)
            ok = write_at(j->file, j->change[i].at, j->change[i].size, j->change[i].byte);
    }
    if (ok) {
        which = j->undo;
        ok = add_record(j, MARK, j->reach, (uint64_t)mark, NULL);
    }
    if (ok) {
        j->end = j->reach;
        plait_journal_drop(j);
        return true;
    }
    plait_journal_trouble(which, "written", errno, error);
    plait_journal_drop(j);
    if (begun) { // some changes were made: back to the last mark, as after a crash
        size_t size = (size_t)size_of(j->log);
        unsigned char *log = malloc(size + 1);
        int64_t last = -1;
        if (log && read_at(j->log, 0, size, log))
            go_back(j, log, size, &last, NULL);
        free(log);
    }
    // Without this a record that is not complete would hide those that come after it.
    if (ftruncate(j->log, (off_t)before) != 0)
        plait_error_set(error, PLAIT_BAD_FILE, "%s: cannot be cut after a failed write: %s", j->undo, strerror(errno));
    return false;
}
