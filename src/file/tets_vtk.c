// tets_vtk.c: VTK's legacy text format: POINTS, CELLS (of versions before and since 5.1) and CELL_TYPES.
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "file/tets.h"

enum { TETRAHEDRON = 10, COUNT = INT_MAX / 16 };

static bool is(const char *word, size_t length, const char *wanted)
{
    return length == strlen(wanted) && memcmp(word, wanted, length) == 0;
}

// Cells as in the file: begin[count + 1] in list.
typedef struct cells {
    long count, size;
    long *begin, *list;
} cells;

static bool no_memory(const plait_tets_reader *r)
{
    plait_error_set(r->error, PLAIT_NO_MEMORY, "%s: not enough memory", r->name);
    return false;
}

// Every number takes two bytes at least: a count that the file cannot hold is not believed.
static bool fits(plait_tets_reader *r, long count)
{
    return count <= (r->end - r->at) / 2 + 1 ||
           plait_tets_fail(r, "%ld numbers are announced, more than the rest of the file holds", count);
}

static bool read_points(plait_tets_reader *r)
{
    long count;
    const char *word;
    if (!plait_tets_whole(r, "the number of points", 1, COUNT, &count) || !fits(r, count))
        return false;
    plait_tets_word(r, &word); // float or double
    for (long i = 0; i < count; i++) {
        double x[3];
        if (!plait_tets_real(r, "x", &x[0]) || !plait_tets_real(r, "y", &x[1]) || !plait_tets_real(r, "z", &x[2]) ||
            !plait_tets_add_point(r, i, x))
            return false;
    }
    return true;
}

static bool room(plait_tets_reader *r, cells *c)
{
    free(c->begin), free(c->list);
    c->begin = malloc(((size_t)c->count + 1) * sizeof *c->begin);
    c->list = malloc(((size_t)c->size + 1) * sizeof *c->list);
    return (c->begin && c->list) || no_memory(r);
}

// Since 5.1: one more offset than cells, then all nodes.
static bool read_offsets(plait_tets_reader *r, cells *c)
{
    const char *word;
    c->count--;
    if (c->count < 0 || !room(r, c))
        return c->count < 0 ? plait_tets_fail(r, "expected at least one offset") : false;
    plait_tets_word(r, &word); // the type of numbers
    for (long i = 0; i <= c->count; i++)
        if (!plait_tets_whole(r, "an offset", i == 0 ? 0 : c->begin[i - 1], i < c->count ? c->size : c->size,
                              &c->begin[i]))
            return false;
    size_t length = plait_tets_word(r, &word);
    if (!is(word, length, "CONNECTIVITY"))
        return plait_tets_fail(r, "expected CONNECTIVITY after the offsets");
    plait_tets_word(r, &word);
    for (long i = 0; i < c->size; i++)
        if (!plait_tets_whole(r, "a node", 0, COUNT, &c->list[i]))
            return false;
    return true;
}

static bool read_cells(plait_tets_reader *r, cells *c)
{
    const char *word;
    if (!plait_tets_whole(r, "the number of cells", 0, COUNT, &c->count) ||
        !plait_tets_whole(r, "the size of the list of cells", 0, COUNT, &c->size) || !fits(r, c->count) ||
        !fits(r, c->size))
        return false;
    plait_tets_reader before = *r;
    size_t length = plait_tets_word(r, &word);
    if (is(word, length, "OFFSETS"))
        return read_offsets(r, c);
    r->at = before.at, r->line = before.line;
    if (!room(r, c))
        return false;
    c->begin[0] = 0;
    for (long i = 0; i < c->count; i++) {
        long corners;
        if (!plait_tets_whole(r, "the number of nodes of a cell", 0, c->size - c->begin[i], &corners))
            return false;
        c->begin[i + 1] = c->begin[i] + corners;
        for (long k = c->begin[i]; k < c->begin[i + 1]; k++)
            if (!plait_tets_whole(r, "a node", 0, COUNT, &c->list[k]))
                return false;
    }
    return true;
}

static bool read_types(plait_tets_reader *r, const cells *c)
{
    long count, type;
    if (!plait_tets_whole(r, "as many types as cells", c->count, c->count, &count))
        return false;
    for (long i = 0; i < count; i++) {
        if (!plait_tets_whole(r, "the type of a cell", 0, 1000, &type))
            return false;
        if (type != TETRAHEDRON)
            continue;
        if (c->begin[i + 1] - c->begin[i] != 4)
            return plait_tets_fail(r, "cell %ld is a tetrahedron, but has %ld nodes", i, c->begin[i + 1] - c->begin[i]);
        if (!plait_tets_add(r, c->list + c->begin[i]))
            return false;
    }
    return true;
}

static bool parse(plait_tets_reader *r, cells *c)
{
    const char *word;
    size_t length = plait_tets_word(r, &word);
    if (!is(word, length, "ASCII"))
        return plait_tets_fail(r, "expected ASCII, found '%.*s': binary files must be written as text",
                               length < 30 ? (int)length : 30, word);
    while ((length = plait_tets_word(r, &word)) > 0) {
        bool ok = true;
        if (is(word, length, "POINTS"))
            ok = r->points == 0 ? read_points(r) : plait_tets_fail(r, "POINTS are there twice");
        else if (is(word, length, "CELLS"))
            ok = read_cells(r, c);
        else if (is(word, length, "CELL_TYPES"))
            ok = c->begin ? read_types(r, c) : plait_tets_fail(r, "CELL_TYPES before CELLS");
        if (!ok)
            return false;
    }
    return true;
}

bool plait_tets_parse_vtk(plait_tets_reader *r)
{
    cells c = {0};
    plait_tets_skip_line(r); // # vtk DataFile Version ...
    r->line += r->at < r->end, r->at += r->at < r->end;
    plait_tets_skip_line(r); // the title: any text
    bool ok = parse(r, &c);
    free(c.begin), free(c.list);
    return ok;
}
