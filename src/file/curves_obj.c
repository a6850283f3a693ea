// curves_obj.c: polylines of a Wavefront OBJ: `v x y z` and `l a b c ...`, indices from 1, or from the end if negative;
// a/t is the same as a. A line that begins where the last one ended continues it: some programs write every edge alone.
// Everything else is passed over.
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "file/curves.h"
#include "file/fail.h"
#include "file/mesh.h"
#include "file/obj.h"

typedef struct reader {
    const char *name;
    plait_error *error;
    const char *at, *end;
    long line;
    double *vertex;
    int vertices;
    size_t vertex_room;
    int *strand; // indices of the strand that is being read
    int count;
    size_t strand_room;
    plait_curves_builder builder;
    double *point; // of a finished strand
    size_t point_room;
} reader;

static bool fail(reader *r, long line, const char *format, ...) PLAIT_PRINTF(3, 4);
static bool fail(reader *r, long line, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    plait_text_fail(r->error, r->name, line, format, args);
    va_end(args);
    return false;
}

static bool grow(reader *r, void **array, size_t count, size_t *room, size_t size)
{
    return plait_file_grow(array, count, room, size, 256, INT_MAX / 8, r->name, r->error);
}

static void skip_blanks(reader *r)
{
    r->at = plait_obj_skip_blanks(r->at, r->end, &r->line);
}

static bool at_line_end(const reader *r)
{
    return plait_obj_line_ends(r->at, r->end);
}

static int shown(const reader *r)
{
    size_t length = strcspn(r->at, " \t\r\n\\");
    return length < 30 ? (int)length : 30;
}

static bool read_vertex(reader *r)
{
    double x[3];
    for (int k = 0; k < 3; k++) {
        skip_blanks(r);
        if (!plait_mesh_scan_real(&r->at, &x[k]))
            return fail(r, r->line, "expected 3 finite coordinates after 'v', found %d: '%.*s'", k, shown(r), r->at);
    }
    if (!grow(r, (void **)&r->vertex, (size_t)r->vertices + 1, &r->vertex_room, 3 * sizeof *r->vertex))
        return false;
    memcpy(r->vertex + 3 * (size_t)r->vertices++, x, sizeof x);
    return true;
}

// What was read so far becomes a strand.
static bool end_strand(reader *r)
{
    if (r->count < 2) {
        r->count = 0;
        return true;
    }
    if (!grow(r, (void **)&r->point, (size_t)r->count, &r->point_room, 3 * sizeof *r->point))
        return false;
    for (int i = 0; i < r->count; i++)
        memcpy(r->point + 3 * (size_t)i, r->vertex + 3 * (size_t)r->strand[i], 3 * sizeof *r->point);
    bool ok = plait_curves_add(&r->builder, r->name, r->count, r->point, r->error);
    r->count = 0;
    return ok;
}

static bool read_index(reader *r, int *index)
{
    char *after;
    long a = strtol(r->at, &after, 10);
    size_t length = strcspn(r->at, " \t\r\n\\");
    if (after == r->at || a == 0 || (size_t)(after - r->at) > length ||
        strspn(after, "/0123456789") != length - (size_t)(after - r->at))
        return fail(r, r->line, "expected an index of a vertex, from 1 or negative, found '%.*s'", shown(r), r->at);
    if (a > r->vertices || a < -(long)r->vertices)
        return fail(r, r->line, "expected an index of one of the %d vertices so far, found %ld", r->vertices, a);
    *index = (int)(a > 0 ? a - 1 : r->vertices + a);
    r->at += length;
    return true;
}

static bool read_line(reader *r)
{
    int read = 0;
    for (skip_blanks(r); !at_line_end(r); skip_blanks(r)) {
        int i = 0;
        if (!read_index(r, &i))
            return false;
        read++;
        if (read == 1) {
            if (r->count > 0 && r->strand[r->count - 1] == i)
                continue; // goes on with the last one
            if (!end_strand(r))
                return false;
        }
        if (!grow(r, (void **)&r->strand, (size_t)r->count + 1, &r->strand_room, sizeof *r->strand))
            return false;
        r->strand[r->count++] = i;
    }
    return read >= 2 || fail(r, r->line, "expected at least 2 vertices of a line, found %d", read);
}

static bool next_line(reader *r)
{
    const char *line_end = memchr(r->at, '\n', (size_t)(r->end - r->at));
    r->at = line_end ? line_end + 1 : r->end;
    r->line++;
    return r->at < r->end;
}

static bool read_all(reader *r)
{
    if (memchr(r->at, 0, (size_t)(r->end - r->at)))
        return fail(r, 1, "expected a text in OBJ format, found zero bytes in it");
    do {
        skip_blanks(r);
        bool blank = r->end - r->at > 1 && (r->at[1] == ' ' || r->at[1] == '\t');
        bool vertex = blank && *r->at == 'v', line = blank && *r->at == 'l';
        r->at += vertex || line;
        if ((vertex && !read_vertex(r)) || (line && !read_line(r)))
            return false;
    } while (next_line(r));
    return end_strand(r);
}

plait_hair *plait_curves_parse_obj(const char *name, const char *text, size_t size, plait_error *error)
{
    plait_error own = {0};
    reader r = {.name = name, .error = error ? error : &own, .at = text, .end = text + size, .line = 1};
    bool ok = plait_curves_begin(&r.builder, name, r.error) && read_all(&r);
    plait_hair *h = r.builder.hair;
    if (ok && h->strands == 0) {
        plait_error_set(r.error, PLAIT_BAD_FILE,
                        "%s: expected lines ('l') through vertices, found %d vertices and none", name, r.vertices);
        ok = false;
    }
    if (ok)
        h->unit = 1; // as meshes are read
    free(r.vertex);
    free(r.strand);
    free(r.point);
    if (ok)
        return h;
    plait_hair_free(h);
    return NULL;
}
