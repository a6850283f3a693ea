// trajectory_journal.h: a file that only grows, except for a few bytes here and there, and can always go back.
//
// HDF5 adds a dataset by appending it and then changing some of its older bytes (superblock, groups, trees). A program
// that is killed between two of these changes leaves a file that cannot be read. So there is a journal beside it,
// "NAME.undo": a row of records, each either
//
//     bytes  where, how many, and what they were before they were changed
//     mark   the file was whole here: its size, and a number of the caller's (how many frames it has)
//
// Writing goes: open, let HDF5 write (what is new goes to the end of the file at once, changes of older bytes are
// held in memory), commit: the old bytes go to the journal and to the disk, then the changes are made, then a mark is
// set. Going back to a mark is to restore all bytes recorded after it, last ones first, and to cut the file. It may
// itself be interrupted and repeated. A record that is not complete has no consequences: its change was not made yet.
#ifndef PLAIT_IO_TRAJECTORY_JOURNAL_H
#define PLAIT_IO_TRAJECTORY_JOURNAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "io/h5.h"

typedef struct plait_change {
    uint64_t at;
    size_t size;
    unsigned char *byte;
} plait_change;

typedef struct plait_journal {
    char *path, *undo; // the file and its journal
    int file, log;     // descriptors; -1: closed
    uint64_t end;      // size of the file at the last mark
    uint64_t reach;    // what has been written up to
    int changes, room; // of bytes before `end`, in the order they were asked for
    plait_change *change;
    bool fresh; // the journal knows nothing but the present state
    int failed; // errno of the first write that failed since then; HDF5 is not told (it copes badly)
} plait_journal;

// Begins a journal for the file as it is now, which is whole. False with *error set.
bool plait_journal_begin(plait_journal *j, const char *path, int64_t mark, plait_error *error);

// Takes an existing journal up: back to the last mark with this number, or to the last mark at all if it is -1; that
// becomes its only one. *mark: its number. A missing journal is as one that knows only of the present state (then
// *mark = -1). Without `path` itself it fails.
bool plait_journal_recover(plait_journal *j, const char *path, int64_t *mark, plait_error *error);

// What HDF5 reads and writes; used by the HDF5 driver of trajectory_driver.c.
bool plait_journal_read(plait_journal *j, uint64_t at, size_t size, void *byte);
void plait_journal_write(plait_journal *j, uint64_t at, size_t size, const void *byte);
void plait_journal_set_size(plait_journal *j, uint64_t size);

// An HDF5 file access list that reads and writes through a plait_journal, which must stay where it is until the file is
// closed; for plait_h5_open_with. Negative: HDF5 has no memory for it.
hid_t plait_journal_access(void *journal);

// Writes a whole HDF5 file through `fill`: under another name, to the disk, then renamed. HDF5 crashes at the end of a
// program whose disk was full; through our driver it does not come to know of that.
bool plait_h5_write_whole(const char *path, bool (*fill)(plait_h5 *h, const void *data), const void *data,
                          plait_error *error);

// After HDF5 has closed the file: makes the changes, or drops them all.
bool plait_journal_commit(plait_journal *j, int64_t mark, plait_error *error);
void plait_journal_drop(plait_journal *j);

bool plait_journal_sync(plait_journal *j, plait_error *error);                 // file and journal reach the disk
bool plait_journal_forget(plait_journal *j, int64_t mark, plait_error *error); // only the present state is known
// Closes files. A journal that knows nothing but the present state is deleted.
void plait_journal_close(plait_journal *j);

// What goes wrong with a file, in words: "PATH: cannot be written: no space left on device". Returns false.
bool plait_journal_trouble(const char *path, const char *what, int number, plait_error *error);
// The name under which a file is written before it gets its own; the caller frees it. NULL without memory.
char *plait_journal_place(const char *path, plait_error *error);
// A whole file to the disk, and that it has this name: fsync of the file and its folder. False with errno.
bool plait_file_to_disk(const char *path);

#endif
