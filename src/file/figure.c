// figure.c: what the readers of moving meshes share.
#include "file/figure.h"

#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static const double MOST_NUMBERS = 1 << 30; // of all frames: 8 GB

void plait_figure_widen(const double *time, size_t count, double *first, double *last, double *step)
{
    if (count < 2)
        return; // one sample is no motion
    *first = fmin(*first, time[0]);
    *last = fmax(*last, time[count - 1]);
    for (size_t i = 1; i < count; i++)
        if (time[i] > time[i - 1])
            *step = fmin(*step, time[i] - time[i - 1]);
}

// The row of a map for a corner; NULL: none.
static const double *row_of(const plait_figure_map *map, size_t row, size_t width)
{
    if (map->index && row < map->indices)
        row = map->index[row] >= 0 && map->index[row] < (double)map->count ? (size_t)map->index[row] : SIZE_MAX;
    return row < map->count / width ? map->value + row * width : NULL;
}

// One value for every corner, in the order of the faces.
static bool add_values(plait_mesh_builder *b, size_t faces, const double *counts, size_t corners, const double *index,
                       int points, const plait_figure_map *map)
{
    size_t width = map && map->width > 0 ? (size_t)map->width : (size_t)b->width, at = 0;
    size_t rows = !map ? 0 : map->indices > 0 ? map->indices : map->count / width;
    bool enough = width >= (size_t)b->width;
    for (size_t f = 0; f < faces; f++)
        for (size_t k = 0; k < (size_t)counts[f]; k++, at++) {
            size_t row = rows == corners          ? at
                         : rows == (size_t)points ? (size_t)index[at]
                         : rows == faces          ? f
                         : rows == 1              ? 0
                                                  : SIZE_MAX;
            if (!plait_mesh_add_value(b, enough && rows > 0 ? row_of(map, row, width) : NULL))
                return false;
        }
    return true;
}

bool plait_figure_faces(plait_mesh_builder *b, const char *what, size_t faces, const double *counts, size_t corners,
                        const double *index, int points, int base, bool clockwise, const plait_figure_map *map)
{
    double sum = 0;
    for (size_t i = 0; i < faces; i++) {
        if (!(counts[i] >= 0 && counts[i] <= INT_MAX))
            return plait_mesh_fail(b, 0, "%s: expected numbers of corners, found %g", what, counts[i]);
        sum += counts[i];
    }
    if (sum != (double)corners)
        return plait_mesh_fail(b, 0, "%s: expected %.0f corners as its faces say, found %zu", what, sum, corners);
    for (size_t i = 0; i < corners; i++)
        if (!(index[i] >= 0 && index[i] < points))
            return plait_mesh_fail(b, 0, "%s: a face names vertex %.0f, but there are %d", what, index[i], points);
    int first = (int)b->values;
    if (b->width > 0 && !add_values(b, faces, counts, corners, index, points, map))
        return false;
    for (size_t f = 0; f < faces; f++) {
        const int n = (int)counts[f];
        if (n == 0) // if no face has corners there is no list of them
            continue;
        for (int k = 1; k + 1 < n; k++) {
            int j = clockwise ? k + 1 : k, l = clockwise ? k : k + 1;
            int vertex[3] = {base + (int)index[0], base + (int)index[j], base + (int)index[l]};
            int corner[3] = {first, first + j, first + l};
            if (!plait_mesh_add_corners(b, vertex, corner))
                return false;
        }
        index += n, first += n;
    }
    return true;
}

static bool check_finite(plait_mesh_builder *b, const double *x, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!isfinite(x[i]))
            return plait_mesh_fail(b, 0, "expected finite vertices, found %g", x[i]);
    return true;
}

// The interval of frames: the shortest between samples, or the equal part of the whole that this is but for the
// rounding of times to single precision (as glTF has them), which adds up over a long motion and would cut its end off.
static double interval(const plait_figure *f)
{
    double whole = f->last - f->first, slack = 2 * FLT_EPSILON * fmax(fabs(f->first), fabs(f->last));
    double parts = floor(whole / f->step + 1e-6);
    return parts * (f->step + slack) >= whole ? whole / parts : f->step;
}

bool plait_figure_bake(const plait_figure *f, plait_mesh_builder *b, plait_shape *shape)
{
    size_t numbers = 3 * (size_t)f->points;
    bool moves = f->step > 0 && f->last > f->first;
    double step = moves ? interval(f) : 0;
    double frames = moves ? floor((f->last - f->first) / step + 1e-6) + 1 : 1;
    if (moves && (!(frames * (double)numbers < MOST_NUMBERS) || frames > INT_MAX / 8))
        return plait_mesh_fail(b, 0, "%.0f frames of %d vertices are too many: expected fewer than 2^30 numbers",
                               frames, f->points);
    free(b->point);
    b->point = malloc((numbers + 1) * sizeof *b->point);
    shape->frame = moves ? malloc((size_t)frames * (numbers + 1) * sizeof *shape->frame) : NULL;
    if (!b->point || (moves && !shape->frame)) {
        plait_error_set(b->error, PLAIT_NO_MEMORY, "%s: not enough memory", b->name);
        return false;
    }
    b->points = f->points;
    b->point_room = (size_t)f->points;
    for (int k = 0; moves && k < (int)frames; k++) {
        double *x = shape->frame + numbers * (size_t)k;
        if (!f->pose(f->self, f->first + k * step, x) || !check_finite(b, x, numbers))
            return false;
    }
    if (!moves &&
        (!f->pose(f->self, isfinite(f->first) ? f->first : 0, b->point) || !check_finite(b, b->point, numbers)))
        return false;
    if (moves) {
        memcpy(b->point, shape->frame, numbers * sizeof *b->point);
        shape->frames = (int)frames;
        shape->frame_time = step;
    }
    return true;
}
