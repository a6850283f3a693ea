// figure.c: what the readers of moving meshes share.
#include "file/figure.h"

#include <limits.h>
#include <math.h>
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

bool plait_figure_faces(plait_mesh_builder *b, const char *what, size_t faces, const double *counts, size_t corners,
                        const double *index, int points, int base, bool clockwise)
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
    for (size_t f = 0; f < faces; f++) {
        const int n = (int)counts[f];
        for (int k = 1; k + 1 < n; k++) {
            int i = base + (int)index[0], j = base + (int)index[k], l = base + (int)index[k + 1];
            if (!plait_mesh_add_triangle(b, i, clockwise ? l : j, clockwise ? j : l))
                return false;
        }
        index += n;
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

bool plait_figure_bake(const plait_figure *f, plait_mesh_builder *b, plait_shape *shape)
{
    size_t numbers = 3 * (size_t)f->points;
    bool moves = f->step > 0 && f->last > f->first;
    double frames = moves ? floor((f->last - f->first) / f->step + 1e-6) + 1 : 1;
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
        if (!f->pose(f->self, f->first + k * f->step, x) || !check_finite(b, x, numbers))
            return false;
    }
    if (!moves &&
        (!f->pose(f->self, isfinite(f->first) ? f->first : 0, b->point) || !check_finite(b, b->point, numbers)))
        return false;
    if (moves) {
        memcpy(b->point, shape->frame, numbers * sizeof *b->point);
        shape->frames = (int)frames;
        shape->frame_time = f->step;
    }
    return true;
}
