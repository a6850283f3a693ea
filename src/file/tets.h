// tets.h: tetrahedral meshes from files: Gmsh .msh (2.x and 4.1, text), VTK legacy .vtk (text), TetGen .node with .ele.
//
// Only linear tetrahedra are taken; other elements are passed over. Nodes that no tetrahedron has are left out, numbers
// of nodes may have gaps. Tetrahedra may be inverted: whoever uses them turns them round (plait_soft_skin).
#ifndef PLAIT_FILE_TETS_H
#define PLAIT_FILE_TETS_H

#include <stdbool.h>
#include <stddef.h>

#include "plait/status.h"

typedef struct plait_tets {
    int points, tetrahedra;
    double *point;    // [3 points] malloc'ed, as the next
    int *tetrahedron; // [4 tetrahedra]
} plait_tets;

// By what is in it, or for .node and .ele by its name: the other file is beside it. On a mistake *tets holds nothing,
// and the message has file, line and what was expected and found.
plait_status plait_tets_read(const char *path, plait_tets *tets, plait_error *error);
// The same from memory; bytes[size] is 0. elements: of a .ele that belongs to a .node; NULL: .msh or .vtk.
plait_status plait_tets_parse(const char *name, const char *bytes, size_t size, const char *elements,
                              size_t elements_size, plait_tets *tets, plait_error *error);

// ---- between the readers (tets.c, tets_msh.c, tets_vtk.c) -----------------------------------------------------------

typedef struct plait_tets_reader {
    const char *name;
    plait_error *error;
    const char *at, *end;
    long line;
    int points, tetrahedra;
    size_t point_room, number_room, tetrahedron_room;
    double *point;
    long *number;      // [points] as the file calls them
    long *tetrahedron; // [4 tetrahedra] in the file's numbers
} plait_tets_reader;

// Each returns false with *error set.
bool plait_tets_fail(plait_tets_reader *r, const char *format, ...) PLAIT_PRINTF(2, 3);
bool plait_tets_real(plait_tets_reader *r, const char *what, double *value);
bool plait_tets_whole(plait_tets_reader *r, const char *what, long min, long max, long *value);
bool plait_tets_add_point(plait_tets_reader *r, long number, const double x[3]);
bool plait_tets_add(plait_tets_reader *r, const long node[4]);
// The next word on this line or a later one; its length, 0 at the end. Lines after # are left out if there are
// comments.
size_t plait_tets_word(plait_tets_reader *r, const char **word);
void plait_tets_skip_line(plait_tets_reader *r);
bool plait_tets_parse_msh(plait_tets_reader *r);
bool plait_tets_parse_vtk(plait_tets_reader *r);

#endif
