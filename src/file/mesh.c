// mesh.c: what the mesh readers share: growing arrays, the check of indices, whether a mesh is closed, its orientation.
#include "file/mesh.h"
#include "file/fail.h"
#include "file/figure.h"
#include "shape/sides.h"

#include <errno.h>
#include <limits.h>
#include <locale.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/trouble.h"

enum { MAX_COUNT = INT_MAX / 8 };
static const size_t MAX_FILE = (size_t)1 << 31;

bool plait_mesh_fail(plait_mesh_builder *b, long line, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    plait_text_fail(b->error, b->name, line, format, args);
    va_end(args);
    return false;
}

// One more than `count`.
static bool grow(plait_mesh_builder *b, void **array, size_t count, size_t *room, size_t size)
{
    return plait_file_grow(array, count + 1, room, size, 1024, 2 * (size_t)MAX_COUNT, b->name, b->error);
}

bool plait_mesh_add_point(plait_mesh_builder *b, const double x[3])
{
    if (!grow(b, (void **)&b->point, (size_t)b->points, &b->point_room, 3 * sizeof *b->point))
        return false;
    memcpy(b->point + 3 * (size_t)b->points++, x, 3 * sizeof *x);
    return true;
}

bool plait_mesh_add_corners(plait_mesh_builder *b, const int vertex[3], const int corner[3])
{
    if (vertex[0] == vertex[1] || vertex[1] == vertex[2] || vertex[2] == vertex[0])
        return true;
    if (!grow(b, (void **)&b->triangle, (size_t)b->triangles, &b->triangle_room, 3 * sizeof *b->triangle) ||
        (b->width > 0 && !grow(b, (void **)&b->corner, (size_t)b->triangles, &b->corner_room, 3 * sizeof *b->corner)))
        return false;
    memcpy(b->triangle + 3 * (size_t)b->triangles, vertex, 3 * sizeof *vertex);
    if (b->width > 0)
        memcpy(b->corner + 3 * (size_t)b->triangles, corner, 3 * sizeof *corner);
    b->triangles++;
    return true;
}

bool plait_mesh_add_triangle(plait_mesh_builder *b, int i, int j, int k)
{
    return plait_mesh_add_corners(b, (const int[3]){i, j, k}, (const int[3]){-1, -1, -1});
}

bool plait_mesh_add_value(plait_mesh_builder *b, const double *value)
{
    if (b->width == 0)
        return true;
    size_t width = (size_t)b->width;
    if (!grow(b, (void **)&b->value, b->values, &b->value_room, width * sizeof *b->value))
        return false;
    for (size_t k = 0; k < width; k++)
        b->value[width * b->values + k] = value ? value[k] : NAN;
    b->values++;
    return true;
}

bool plait_mesh_scan_real(const char **at, double *value)
{
    const char *c = *at + strspn(*at, " \t");
    char *end;
    if (!strchr("+-.0123456789", *c) || !*c) // not "nan", "inf", nor the next line
        return false;
    *value = strtod(c, &end);
    if (end == c || !isfinite(*value))
        return false;
    *at = end;
    return true;
}

// ---- closed surfaces ---------------------------------------------------------------------------------------------

// Sorted, the sides of a closed surface are pairs of opposite ways. False without memory.
static bool find_closed(const plait_mesh_builder *b, bool *closed)
{
    int count = 3 * b->triangles;
    plait_side *side = plait_sides_of(b->triangles, b->triangle);
    if (!side)
        return false;
    *closed = count % 2 == 0;
    for (int i = 0; i + 1 < count && *closed; i += 2)
        *closed = plait_sides_meet(&side[i], &side[i + 1]) &&
                  plait_side_node(&side[i], b->triangle, 0) == plait_side_node(&side[i + 1], b->triangle, 1) &&
                  (i + 2 >= count || !plait_sides_meet(&side[i], &side[i + 2]));
    free(side);
    return true;
}

// Six times the enclosed volume, about the first vertex.
static double volume(const plait_mesh_builder *b)
{
    double sum = 0;
    const double *o = b->point;
    for (int i = 0; i < b->triangles; i++) {
        double v[3][3];
        for (int k = 0; k < 3; k++)
            for (int c = 0; c < 3; c++)
                v[k][c] = b->point[3 * (size_t)b->triangle[3 * (size_t)i + (size_t)k] + (size_t)c] - o[c];
        sum += v[0][0] * (v[1][1] * v[2][2] - v[1][2] * v[2][1]) + v[0][1] * (v[1][2] * v[2][0] - v[1][0] * v[2][2]) +
               v[0][2] * (v[1][0] * v[2][1] - v[1][1] * v[2][0]);
    }
    return sum;
}

static bool finish(plait_mesh_builder *b, bool *closed)
{
    if (b->points == 0)
        return plait_mesh_fail(b, 0, "no vertices found; expected a mesh in OBJ or PLY format");
    if (b->triangles == 0)
        return plait_mesh_fail(b, 0, "%d vertices, but no triangles found", b->points);
    for (size_t i = 0; i < 3 * (size_t)b->triangles; i++)
        if (b->triangle[i] < 0 || b->triangle[i] >= b->points)
            return plait_mesh_fail(b, 0, "a face names vertex %lld, but there are %d", (long long)b->triangle[i] + 1,
                                   b->points);
    if (!find_closed(b, closed)) {
        plait_error_set(b->error, PLAIT_NO_MEMORY, "%s: not enough memory", b->name);
        return false;
    }
    if (*closed && volume(b) < 0) {
        for (size_t i = 0; i < 3 * (size_t)b->triangles; i += 3) {
            int swap = b->triangle[i + 1];
            b->triangle[i + 1] = b->triangle[i + 2];
            b->triangle[i + 2] = swap;
            if (b->corner) {
                swap = b->corner[i + 1];
                b->corner[i + 1] = b->corner[i + 2];
                b->corner[i + 2] = swap;
            }
        }
    }
    return true;
}

// ---- maps --------------------------------------------------------------------------------------------------------

static bool fill_map(const plait_mesh_builder *b, plait_mesh_map *map)
{
    size_t corners = 3 * (size_t)b->triangles, width = (size_t)b->width;
    map->triangle = malloc(corners * sizeof *map->triangle);
    map->value = malloc(corners * width * sizeof *map->value);
    if (!map->triangle || !map->value)
        return false;
    map->triangles = b->triangles;
    memcpy(map->triangle, b->triangle, corners * sizeof *map->triangle);
    for (size_t i = 0; i < corners; i++)
        for (size_t k = 0; k < width; k++) {
            bool there = b->corner[i] >= 0 && (size_t)b->corner[i] < b->values;
            double v = there ? b->value[width * (size_t)b->corner[i] + k] : NAN;
            map->value[width * i + k] = v;
            map->found = map->found || isfinite(v);
        }
    return true;
}

void plait_mesh_map_free(plait_mesh_map *map)
{
    free(map->triangle);
    free(map->value);
    map->triangle = NULL;
    map->value = NULL;
}

bool plait_mesh_map_at(const plait_mesh_map *map, int t, const int corner[3], const double weight[3], double *value)
{
    if (t < 0 || t >= map->triangles)
        return false; // one that fills a hole
    for (int k = 0; k < map->width; k++)
        value[k] = 0;
    for (int i = 0; i < 3; i++) {
        int at = 0; // a mesh may have been turned inside out since
        while (at < 3 && map->triangle[3 * (size_t)t + (size_t)at] != corner[i])
            at++;
        if (at == 3)
            return false;
        for (int k = 0; k < map->width; k++)
            value[k] += weight[i] * map->value[(3 * (size_t)t + (size_t)at) * (size_t)map->width + (size_t)k];
    }
    for (int k = 0; k < map->width; k++)
        if (!isfinite(value[k]))
            return false;
    return true;
}

// ---- files -------------------------------------------------------------------------------------------------------

static plait_status hand_over(plait_mesh_builder *b, bool ok, bool closed, plait_mesh_map *map, plait_shape *shape)
{
    if (ok && map && !fill_map(b, map)) {
        plait_error_set(b->error, PLAIT_NO_MEMORY, "%s: not enough memory", b->name);
        ok = false;
    }
    free(b->corner);
    free(b->value);
    if (!ok) {
        free(b->point);
        free(b->triangle);
        free(shape->frame);
        shape->frame = NULL;
        shape->frames = 0;
        return b->error->status;
    }
    shape->kind = PLAIT_SHAPE_MESH;
    shape->points = b->points;
    shape->point = b->point;
    shape->triangles = b->triangles;
    shape->triangle = b->triangle;
    shape->closed = closed;
    return PLAIT_OK;
}

static plait_mesh_builder begin(const char *name, const plait_mesh_map *map, plait_error *error)
{
    return (plait_mesh_builder){
        .name = name, .error = error, .wish = map ? map->wish : NULL, .width = map ? map->width : 0};
}

static plait_status parse(const char *name, const char *bytes, size_t size, plait_mesh_map *map, plait_shape *shape,
                          plait_error *error)
{
    plait_error own = {0};
    plait_mesh_builder b = begin(name, map, error ? error : &own);
    bool closed = false, is_usda = size >= 5 && memcmp(bytes, "#usda", 5) == 0,
         is_ply = size >= 4 && memcmp(bytes, "ply", 3) == 0 && (bytes[3] == '\n' || bytes[3] == '\r');
    // Numbers have a point whatever the program's locale says; only this thread is switched.
    locale_t plain = newlocale(LC_NUMERIC_MASK, "C", (locale_t)0), before = plain ? uselocale(plain) : (locale_t)0;
    bool ok = is_usda  ? plait_usda_meshes(bytes, size, &b, shape)
              : is_ply ? plait_mesh_parse_ply(&b, bytes, size)
                       : plait_mesh_parse_obj(&b, bytes, size);
    ok = ok && finish(&b, &closed);
    if (plain) {
        uselocale(before);
        freelocale(plain);
    }
    return hand_over(&b, ok, closed, map, shape);
}

plait_status plait_mesh_parse(const char *name, const char *bytes, size_t size, plait_shape *shape, plait_error *error)
{
    return parse(name, bytes, size, NULL, shape, error);
}

// Binary scenes, which are not read whole: by their first bytes, .gltf by the end of its name too. False: none of them.
static bool read_figure(FILE *file, const char *path, plait_mesh_map *map, plait_shape *shape, plait_error *error,
                        plait_status *status)
{
    char magic[8] = "";
    const char *dot = strrchr(path, '.');
    size_t got = fread(magic, 1, sizeof magic, file);
    bool abc = got >= 5 && (memcmp(magic, "Ogawa", 5) == 0 || (dot && strcmp(dot, ".abc") == 0));
    bool usdc = got == 8 && memcmp(magic, "PXR-USDC", 8) == 0;
    bool gltf = got >= 4 && (memcmp(magic, "glTF", 4) == 0 || (dot && strcmp(dot, ".gltf") == 0));
    plait_error own = {0};
    plait_mesh_builder b = begin(path, map, error ? error : &own);
    bool closed = false;
    rewind(file);
    if (!abc && !usdc && !gltf)
        return false;
    bool ok = abc    ? plait_abc_meshes(file, &b, shape)
              : usdc ? plait_usdc_meshes(file, &b, shape)
                     : plait_gltf_meshes(file, path, &b, shape);
    *status = hand_over(&b, ok && finish(&b, &closed), closed, map, shape);
    return true;
}

static plait_status read_file(const char *path, plait_mesh_map *map, plait_shape *shape, plait_error *error)
{
    plait_error own = {0};
    FILE *file = plait_file_open(path, "cannot open", error ? error : &own);
    if (!file)
        return error ? error->status : own.status;
    char *bytes = NULL;
    size_t count = 0, room = 0;
    plait_status status = PLAIT_OK;
    if (read_figure(file, path, map, shape, error, &status)) {
        fclose(file);
        return status;
    }
    while (status == PLAIT_OK) {
        if (count + 1 >= room) {
            room = room ? 2 * room : 65536;
            char *grown = room <= MAX_FILE ? realloc(bytes, room) : NULL;
            if (!grown) {
                status = plait_error_set(error, PLAIT_NO_MEMORY, "%s: not enough memory", path);
                break;
            }
            bytes = grown;
        }
        errno = 0;
        size_t got = fread(bytes + count, 1, room - 1 - count, file);
        count += got;
        if (got == 0 && ferror(file))
            status = plait_error_set(error, plait_trouble(errno), "%s: cannot read: %s", path, strerror(errno));
        if (got == 0)
            break;
    }
    fclose(file);
    if (status == PLAIT_OK) {
        bytes[count] = 0;
        status = parse(path, bytes, count, map, shape, error);
    }
    free(bytes);
    return status;
}

plait_status plait_mesh_read(const char *path, plait_shape *shape, plait_error *error)
{
    return read_file(path, NULL, shape, error);
}

plait_status plait_mesh_read_map(const char *path, plait_mesh_map *map, plait_error *error)
{
    plait_shape shape = {0};
    map->found = false, map->triangles = 0, map->triangle = NULL, map->value = NULL;
    plait_status status = read_file(path, map, &shape, error);
    free(shape.point);
    free(shape.triangle);
    free(shape.frame);
    return status;
}
