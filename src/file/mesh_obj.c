// mesh_obj.c: Wavefront OBJ: lines `v x y z` and `f a b c ...`, where a is an index from 1, or from the end if
// negative, and may carry texture and normal (a/t/n). Other lines are left alone. A line may go on after a backslash.
// If they are wished: texture coordinates `vt u v`, or what some programs write behind z as a vertex' `color`.
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "file/mesh.h"
#include "file/obj.h"

typedef struct reader {
    plait_mesh_builder *b;
    const char *at, *end;
    long line;
    bool coloured; // colours of vertices are wished
} reader;

static void skip_blanks(reader *r)
{
    r->at = plait_obj_skip_blanks(r->at, r->end, &r->line);
}

static bool at_line_end(const reader *r)
{
    return plait_obj_line_ends(r->at, r->end);
}

static bool next_line(reader *r)
{
    while (r->at < r->end && *r->at != '\n') {
        skip_blanks(r);
        if (r->at < r->end && *r->at != '\n')
            r->at++;
    }
    r->line++;
    r->at += r->at < r->end;
    return r->at < r->end;
}

static bool read_values(reader *r);

static bool read_vertex(reader *r)
{
    double x[3];
    for (int k = 0; k < 3; k++) {
        skip_blanks(r);
        if (!plait_mesh_scan_real(&r->at, &x[k]))
            return plait_mesh_fail(r->b, r->line, "expected 3 finite coordinates after 'v', found %d: '%.*s'", k,
                                   (int)strcspn(r->at, " \t\r\n") < 30 ? (int)strcspn(r->at, " \t\r\n") : 30, r->at);
    }
    return plait_mesh_add_point(r->b, x) && (!r->coloured || read_values(r));
}

// Numbers behind a word become one of the values that are wished; fewer: it has none.
static bool read_values(reader *r)
{
    double v[4] = {0};
    int count = 0;
    for (skip_blanks(r); count < r->b->width && plait_mesh_scan_real(&r->at, &v[count]); skip_blanks(r))
        count++;
    return plait_mesh_add_value(r->b, count == r->b->width ? v : NULL);
}

// One corner "a", "a/t", "a//n" or "a/t/n" to an index from 0; the place of its value.
static bool read_corner(reader *r, int *index, int *value)
{
    char *after;
    long a = strtol(r->at, &after, 10);
    size_t length = strcspn(r->at, " \t\r\n\\");
    if (after == r->at || strspn(after, "0123456789/-") != length - (size_t)(after - r->at) || a == 0 ||
        (*after && !strchr("/ \t\r\n\\", *after)))
        return plait_mesh_fail(r->b, r->line, "expected an index of a vertex, from 1 or negative, found '%.*s'",
                               length < 30 ? (int)length : 30, r->at);
    long i = a > 0 ? a - 1 : r->b->points + a;
    if (i < 0 || i >= INT_MAX)
        return plait_mesh_fail(r->b, r->line, "a face names vertex %ld, but there are %d", a, r->b->points);
    *index = (int)i; // one that comes later in the file is allowed; the end will show
    long t = r->coloured ? i + 1 : *after == '/' ? strtol(after + 1, NULL, 10) : 0;
    t = t > 0 ? t - 1 : t < 0 ? (long)r->b->values + t : -1;
    *value = t >= 0 && t < INT_MAX ? (int)t : -1;
    r->at += length;
    return true;
}

static bool read_face(reader *r)
{
    int vertex[3], corner[3], count = 0;
    for (skip_blanks(r); !at_line_end(r); skip_blanks(r)) {
        int i = 0, value = -1;
        if (!read_corner(r, &i, &value))
            return false;
        vertex[count < 2 ? count : 2] = i, corner[count < 2 ? count : 2] = value;
        count++;
        if (count >= 3) {
            if (!plait_mesh_add_corners(r->b, vertex, corner))
                return false;
            vertex[1] = vertex[2], corner[1] = corner[2];
        }
    }
    return count >= 3 || plait_mesh_fail(r->b, r->line, "expected at least 3 corners of a face, found %d", count);
}

bool plait_mesh_parse_obj(plait_mesh_builder *b, const char *text, size_t size)
{
    reader r = {.b = b, .at = text, .end = text + size, .line = 1};
    r.coloured = b->width > 0 && b->wish && strcmp(b->wish, "color") == 0;
    if (memchr(text, 0, size))
        return plait_mesh_fail(b, 0, "neither a text nor a PLY file; expected a mesh in OBJ or PLY format");
    if (size == 0)
        return plait_mesh_fail(b, 0, "found an empty file; expected a mesh in OBJ or PLY format");
    do {
        skip_blanks(&r);
        bool blank = r.at < r.end && (r.at[1] == ' ' || r.at[1] == '\t');
        if (*r.at == 'v' && blank) {
            r.at++;
            if (!read_vertex(&r))
                return false;
        } else if (b->width > 0 && !b->wish && r.at[0] == 'v' && r.at[1] == 't') {
            r.at += 2;
            if (!read_values(&r))
                return false;
        } else if (*r.at == 'f' && blank) {
            r.at++;
            if (!read_face(&r))
                return false;
        }
    } while (next_line(&r));
    return true;
}
