// tets_msh.c: Gmsh's text format, versions 2.x and 4.1.
#include <limits.h>
#include <string.h>

#include "file/tets.h"

enum { TETRAHEDRON = 4, BLOCKS = 1 << 24, COUNT = INT_MAX / 16 };

static bool is(const char *word, size_t length, const char *wanted)
{
    return length == strlen(wanted) && memcmp(word, wanted, length) == 0;
}

static bool nodes_2(plait_tets_reader *r)
{
    long count, number;
    if (!plait_tets_whole(r, "the number of nodes", 1, COUNT, &count))
        return false;
    for (long i = 0; i < count; i++) {
        double x[3];
        if (!plait_tets_whole(r, "the number of a node", 0, LONG_MAX, &number) || !plait_tets_real(r, "x", &x[0]) ||
            !plait_tets_real(r, "y", &x[1]) || !plait_tets_real(r, "z", &x[2]) || !plait_tets_add_point(r, number, x))
            return false;
    }
    return true;
}

// The nodes of an element, if it is one of ours; then the line is over.
static bool rest_of_element(plait_tets_reader *r, long type)
{
    long node[4];
    for (int k = 0; k < 4 && type == TETRAHEDRON; k++)
        if (!plait_tets_whole(r, "a node", 0, LONG_MAX, &node[k]))
            return false;
    if (type == TETRAHEDRON && !plait_tets_add(r, node))
        return false;
    plait_tets_skip_line(r);
    return true;
}

static bool elements_2(plait_tets_reader *r)
{
    long count, number, type, tags, skip;
    if (!plait_tets_whole(r, "the number of elements", 0, COUNT, &count))
        return false;
    for (long i = 0; i < count; i++) {
        if (!plait_tets_whole(r, "the number of an element", 0, LONG_MAX, &number) ||
            !plait_tets_whole(r, "the type of an element", 1, 1000, &type) ||
            !plait_tets_whole(r, "the number of tags", 0, 1000, &tags))
            return false;
        for (long k = 0; k < tags; k++)
            if (!plait_tets_whole(r, "a tag", LONG_MIN, LONG_MAX, &skip))
                return false;
        if (!rest_of_element(r, type))
            return false;
    }
    return true;
}

static bool begin_block(plait_tets_reader *r)
{
    long skip;
    return plait_tets_whole(r, "a dimension", 0, 3, &skip) &&
           plait_tets_whole(r, "the tag of a block", LONG_MIN, LONG_MAX, &skip);
}

// Blocks: dimension, tag, whether there are parameters, count; then all numbers; then all places.
static bool nodes_4(plait_tets_reader *r)
{
    long blocks, count, skip;
    if (!plait_tets_whole(r, "the number of blocks", 0, BLOCKS, &blocks))
        return false;
    plait_tets_skip_line(r);
    for (long b = 0; b < blocks; b++) {
        if (!begin_block(r) || !plait_tets_whole(r, "0 or 1 for parameters", 0, 1, &skip) ||
            !plait_tets_whole(r, "the number of nodes in a block", 0, COUNT, &count))
            return false;
        int first = r->points;
        double x[3] = {0};
        for (long i = 0; i < count; i++)
            if (!plait_tets_whole(r, "the number of a node", 0, LONG_MAX, &skip) || !plait_tets_add_point(r, skip, x))
                return false;
        for (long i = 0; i < count; i++) {
            double *to = r->point + 3 * ((size_t)first + (size_t)i);
            if (!plait_tets_real(r, "x", &to[0]) || !plait_tets_real(r, "y", &to[1]) ||
                !plait_tets_real(r, "z", &to[2]))
                return false;
            plait_tets_skip_line(r);
        }
    }
    return true;
}

static bool elements_4(plait_tets_reader *r)
{
    long blocks, count, type, skip;
    if (!plait_tets_whole(r, "the number of blocks", 0, BLOCKS, &blocks))
        return false;
    plait_tets_skip_line(r);
    for (long b = 0; b < blocks; b++) {
        if (!begin_block(r) || !plait_tets_whole(r, "the type of elements", 1, 1000, &type) ||
            !plait_tets_whole(r, "the number of elements in a block", 0, COUNT, &count))
            return false;
        for (long i = 0; i < count; i++) {
            if (!plait_tets_whole(r, "the number of an element", 0, LONG_MAX, &skip))
                return false;
            if (!rest_of_element(r, type))
                return false;
        }
    }
    return true;
}

bool plait_tets_parse_msh(plait_tets_reader *r)
{
    const char *word;
    double version = 0;
    long binary;
    size_t length = plait_tets_word(r, &word);
    if (!plait_tets_real(r, "the version of the format", &version) ||
        !plait_tets_whole(r, "0 for text after the version (binary files must be written as text)", 0, 0, &binary))
        return false;
    if (!(version >= 2 && version < 3) && version != 4.1)
        return plait_tets_fail(r, "expected version 2.x or 4.1 of the format, found %g", version);
    plait_tets_skip_line(r);
    while ((length = plait_tets_word(r, &word)) > 0) {
        bool ok = true;
        if (is(word, length, "$Nodes"))
            ok = version < 4 ? nodes_2(r) : nodes_4(r);
        else if (is(word, length, "$Elements"))
            ok = version < 4 ? elements_2(r) : elements_4(r);
        else
            plait_tets_skip_line(r); // other sections, line by line
        if (!ok)
            return false;
    }
    return true;
}
