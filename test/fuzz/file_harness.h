// file_harness.h: bytes as a file with curves and meshes.
#ifndef PLAIT_FUZZ_FILE_HARNESS_H
#define PLAIT_FUZZ_FILE_HARNESS_H

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "file/mesh.h"
#include "plait/curves.h"

static inline void plait_fuzz_finite(const double *x, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!isfinite(x[i]))
            abort();
}

static inline void plait_fuzz_curves(const char *path)
{
    plait_error error = {0};
    plait_hair *h = plait_curves_read(path, &error);
    if (!h) {
        if (error.status == PLAIT_OK || !error.text[0])
            abort();
        return;
    }
    for (int i = 0; i < h->strands; i++)
        if (h->first[i + 1] <= h->first[i])
            abort();
    size_t points = (size_t)h->first[h->strands];
    plait_fuzz_finite(h->point, 3 * points);
    for (size_t i = 0; i < points; i++) // all of it is there
        if ((h->width && !isfinite(h->width[i])) || (h->colour && !isfinite(h->colour[3 * i + 2])))
            abort();
    for (int i = 0; h->uv && i < 2 * h->strands; i++)
        if (!isfinite(h->uv[i]))
            abort();
    plait_hair_free(h);
}

static inline void plait_fuzz_mesh(const char *path)
{
    plait_error error = {0};
    plait_shape mesh = {0};
    if (plait_mesh_read(path, &mesh, &error) != PLAIT_OK) {
        if (error.status == PLAIT_OK || !error.text[0] || mesh.point || mesh.triangle || mesh.frame)
            abort();
        return;
    }
    for (int i = 0; i < 3 * mesh.triangles; i++)
        if (mesh.triangle[i] < 0 || mesh.triangle[i] >= mesh.points)
            abort();
    plait_fuzz_finite(mesh.point, 3 * (size_t)mesh.points);
    plait_fuzz_finite(mesh.frame, 3 * (size_t)mesh.points * (size_t)mesh.frames);
    if (mesh.frames > 0 && !(mesh.frame_time > 0 && isfinite(mesh.frame_time)))
        abort();
    free(mesh.point);
    free(mesh.triangle);
    free(mesh.frame);
}

static inline int plait_fuzz_file(const uint8_t *data, size_t size, const char *ending)
{
    static char path[64];
    if (!path[0])
        snprintf(path, sizeof path, "/dev/shm/fuzz_file.%ld.%s", (long)getpid(), ending);
    FILE *file = fopen(path, "wb");
    if (!file || fwrite(data, 1, size, file) != size || fclose(file) != 0)
        abort();
    plait_fuzz_curves(path);
    plait_fuzz_mesh(path);
    remove(path);
    return 0;
}

#endif
