// tets.c: what the readers of tetrahedra share, and TetGen's files.
#include "file/tets.h"
#include "file/fail.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <locale.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/trouble.h"

enum { MOST = INT_MAX / 16 };
static const size_t MAX_FILE = (size_t)1 << 31;

bool plait_tets_fail(plait_tets_reader *r, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    plait_text_fail(r->error, r->name, r->line, format, args);
    va_end(args);
    return false;
}

static bool no_memory(const plait_tets_reader *r)
{
    plait_error_set(r->error, PLAIT_NO_MEMORY, "%s: not enough memory", r->name);
    return false;
}

// ---- words and numbers ----------------------------------------------------------------------------------------------

void plait_tets_skip_line(plait_tets_reader *r)
{
    while (r->at < r->end && *r->at != '\n')
        r->at++;
}

size_t plait_tets_word(plait_tets_reader *r, const char **word)
{
    while (r->at < r->end && (isspace((unsigned char)*r->at) || *r->at == '#')) {
        if (*r->at == '#') {
            plait_tets_skip_line(r);
            continue;
        }
        r->line += *r->at++ == '\n';
    }
    *word = r->at;
    while (r->at < r->end && !isspace((unsigned char)*r->at))
        r->at++;
    return (size_t)(r->at - *word);
}

static int shown(size_t length)
{
    return length < 30 ? (int)length : 30;
}

bool plait_tets_real(plait_tets_reader *r, const char *what, double *value)
{
    const char *word;
    char *end;
    size_t length = plait_tets_word(r, &word);
    if (length == 0)
        return plait_tets_fail(r, "expected %s, found the end of the file", what);
    *value = strtod(word, &end);
    if (!strchr("+-.0123456789", *word) || end != word + length || !isfinite(*value))
        return plait_tets_fail(r, "expected %s, a finite number, found '%.*s'", what, shown(length), word);
    return true;
}

bool plait_tets_whole(plait_tets_reader *r, const char *what, long min, long max, long *value)
{
    const char *word;
    char *end;
    size_t length = plait_tets_word(r, &word);
    if (length == 0)
        return plait_tets_fail(r, "expected %s, found the end of the file", what);
    errno = 0;
    *value = strtol(word, &end, 10);
    if (end != word + length || errno || *value < min || *value > max)
        return plait_tets_fail(r, "expected %s, a whole number from %ld to %ld, found '%.*s'", what, min, max,
                               shown(length), word);
    return true;
}

// ---- growing --------------------------------------------------------------------------------------------------------

static bool grow(const plait_tets_reader *r, void **array, int count, size_t *room, size_t size)
{
    if ((size_t)count < *room)
        return true;
    size_t more = *room ? 2 * *room : 1024;
    void *grown = count < MOST ? realloc(*array, more * size) : NULL;
    if (!grown)
        return no_memory(r);
    *array = grown, *room = more;
    return true;
}

bool plait_tets_add_point(plait_tets_reader *r, long number, const double x[3])
{
    if (!grow(r, (void **)&r->point, r->points, &r->point_room, 3 * sizeof *r->point) ||
        !grow(r, (void **)&r->number, r->points, &r->number_room, sizeof *r->number))
        return false;
    memcpy(r->point + 3 * (size_t)r->points, x, 3 * sizeof *x);
    r->number[r->points++] = number;
    return true;
}

bool plait_tets_add(plait_tets_reader *r, const long node[4])
{
    if (!grow(r, (void **)&r->tetrahedron, r->tetrahedra, &r->tetrahedron_room, 4 * sizeof *r->tetrahedron))
        return false;
    memcpy(r->tetrahedron + 4 * (size_t)r->tetrahedra++, node, 4 * sizeof *node);
    return true;
}

// ---- from the file's numbers to ours --------------------------------------------------------------------------------

typedef struct numbered {
    long number;
    int index, place; // in the file, in the result; -1: not used
} numbered;

static int by_number(const void *a, const void *b)
{
    const numbered *p = a, *q = b;
    return p->number != q->number ? (p->number < q->number ? -1 : 1) : (p->index > q->index) - (p->index < q->index);
}

static numbered *find(numbered *list, int count, long number)
{
    int low = 0, high = count;
    while (low < high) {
        int mid = (low + high) / 2;
        if (list[mid].number < number)
            low = mid + 1;
        else
            high = mid;
    }
    return low < count && list[low].number == number ? &list[low] : NULL;
}

static bool take(plait_tets_reader *r, numbered *list, plait_tets *tets)
{
    for (int i = 0; i < r->points; i++)
        list[i] = (numbered){r->number[i], i, -1};
    qsort(list, (size_t)r->points, sizeof *list, by_number);
    for (int i = 1; i < r->points; i++)
        if (list[i].number == list[i - 1].number)
            return plait_tets_fail(r, "node %ld is there twice", list[i].number);
    for (size_t i = 0; i < 4 * (size_t)r->tetrahedra; i++) {
        numbered *n = find(list, r->points, r->tetrahedron[i]);
        if (!n)
            return plait_tets_fail(r, "tetrahedron %zu names node %ld, which is not there", i / 4, r->tetrahedron[i]);
        for (size_t k = i / 4 * 4; k < i; k++)
            if (r->tetrahedron[k] == r->tetrahedron[i])
                return plait_tets_fail(r, "tetrahedron %zu has node %ld twice", i / 4, r->tetrahedron[i]);
        if (n->place < 0) {
            n->place = tets->points++;
            memcpy(tets->point + 3 * (size_t)n->place, r->point + 3 * (size_t)n->index, 3 * sizeof *r->point);
        }
        tets->tetrahedron[i] = n->place;
    }
    tets->tetrahedra = r->tetrahedra;
    return true;
}

static bool finish(plait_tets_reader *r, plait_tets *tets)
{
    if (r->tetrahedra == 0)
        return plait_tets_fail(r, "no tetrahedra found (%d nodes)", r->points);
    numbered *list = malloc(((size_t)r->points + 1) * sizeof *list);
    tets->point = malloc((3 * (size_t)r->points + 1) * sizeof *tets->point);
    tets->tetrahedron = malloc(4 * (size_t)r->tetrahedra * sizeof *tets->tetrahedron);
    bool ok = list && tets->point && tets->tetrahedron ? take(r, list, tets) : no_memory(r);
    free(list);
    if (!ok) {
        free(tets->point), free(tets->tetrahedron);
        *tets = (plait_tets){0};
    }
    return ok;
}

// ---- TetGen ---------------------------------------------------------------------------------------------------------

static bool parse_node(plait_tets_reader *r)
{
    long count, dimension, number;
    if (!plait_tets_whole(r, "the number of nodes", 1, MOST, &count) ||
        !plait_tets_whole(r, "the dimension", 3, 3, &dimension))
        return false;
    plait_tets_skip_line(r);
    for (long i = 0; i < count; i++) {
        double x[3];
        if (!plait_tets_whole(r, "the number of a node", 0, LONG_MAX, &number) || !plait_tets_real(r, "x", &x[0]) ||
            !plait_tets_real(r, "y", &x[1]) || !plait_tets_real(r, "z", &x[2]) || !plait_tets_add_point(r, number, x))
            return false;
        plait_tets_skip_line(r); // attributes and markers
    }
    return true;
}

static bool parse_ele(plait_tets_reader *r)
{
    long count, corners, number, node[4];
    if (!plait_tets_whole(r, "the number of tetrahedra", 1, MOST, &count) ||
        !plait_tets_whole(r, "nodes per tetrahedron", 4, 10, &corners))
        return false;
    plait_tets_skip_line(r);
    for (long i = 0; i < count; i++) {
        if (!plait_tets_whole(r, "the number of a tetrahedron", 0, LONG_MAX, &number))
            return false;
        for (int k = 0; k < 4; k++)
            if (!plait_tets_whole(r, "a node", 0, LONG_MAX, &node[k]))
                return false;
        if (!plait_tets_add(r, node))
            return false;
        plait_tets_skip_line(r);
    }
    return true;
}

// ---- files ----------------------------------------------------------------------------------------------------------

static bool begins(const char *bytes, size_t size, const char *word)
{
    return size >= strlen(word) && memcmp(bytes, word, strlen(word)) == 0;
}

static bool parse(plait_tets_reader *r, const char *bytes, size_t size, const char *elements, size_t elements_size)
{
    r->at = bytes, r->end = bytes + size, r->line = 1;
    if (!elements && begins(bytes, size, "# vtk"))
        return plait_tets_parse_vtk(r);
    if (!elements && begins(bytes, size, "$MeshFormat"))
        return plait_tets_parse_msh(r);
    if (!elements)
        return plait_tets_fail(r, "expected $MeshFormat (Gmsh) or # vtk DataFile, found something else");
    if (!parse_node(r))
        return false;
    r->at = elements, r->end = elements + elements_size, r->line = 1;
    return parse_ele(r);
}

plait_status plait_tets_parse(const char *name, const char *bytes, size_t size, const char *elements,
                              size_t elements_size, plait_tets *tets, plait_error *error)
{
    plait_error own = {0};
    plait_tets_reader r = {.name = name, .error = error ? error : &own};
    *tets = (plait_tets){0};
    // Numbers have a point whatever the program's locale says; only this thread is switched.
    locale_t plain = newlocale(LC_NUMERIC_MASK, "C", (locale_t)0), before = plain ? uselocale(plain) : (locale_t)0;
    bool ok = parse(&r, bytes, size, elements, elements_size) && finish(&r, tets);
    if (plain) {
        uselocale(before);
        freelocale(plain);
    }
    free(r.point), free(r.number), free(r.tetrahedron);
    return ok ? PLAIT_OK : r.error->status;
}

static char *read_all(const char *path, size_t *size, plait_error *error)
{
    FILE *file = plait_file_open(path, "cannot open", error);
    char *bytes = NULL;
    size_t room = 0;
    *size = 0;
    if (!file)
        return NULL;
    for (size_t got = 1; got > 0; *size += got) {
        if (*size + 1 >= room) {
            room = room ? 2 * room : 65536;
            char *grown = room <= MAX_FILE ? realloc(bytes, room) : NULL;
            if (!grown) {
                plait_error_set(error, PLAIT_NO_MEMORY, "%s: not enough memory", path);
                free(bytes), fclose(file);
                return NULL;
            }
            bytes = grown;
        }
        errno = 0;
        got = fread(bytes + *size, 1, room - 1 - *size, file);
        if (got == 0 && ferror(file)) {
            plait_error_set(error, plait_trouble(errno), "%s: cannot read: %s", path, strerror(errno));
            free(bytes), fclose(file);
            return NULL;
        }
    }
    fclose(file);
    bytes[*size] = 0;
    return bytes;
}

plait_status plait_tets_read(const char *path, plait_tets *tets, plait_error *error)
{
    plait_error own = {0};
    error = error ? error : &own;
    size_t length = strlen(path), size, more = 0;
    const char *ending = length > 5 ? path + length - 5 : "";
    bool node = strcmp(ending, ".node") == 0, ele = length > 4 && strcmp(path + length - 4, ".ele") == 0;
    *tets = (plait_tets){0};
    char *other = malloc(length + 6), *bytes = NULL, *elements = NULL;
    if (!other)
        return plait_error_set(error, PLAIT_NO_MEMORY, "%s: not enough memory", path);
    memcpy(other, path, length + 1);
    if (node || ele)
        memcpy(other + length - (node ? 5 : 4), node ? ".ele" : ".node", node ? 5 : 6);
    bytes = read_all(ele ? other : path, &size, error);
    if (bytes && (node || ele))
        elements = read_all(ele ? path : other, &more, error);
    plait_status status = error->status;
    if (bytes && (elements || (!node && !ele)))
        status = plait_tets_parse(path, bytes, size, elements, more, tets, error);
    free(other), free(bytes), free(elements);
    return status;
}
