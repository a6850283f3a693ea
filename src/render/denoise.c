// denoise.c: less noise where few samples were taken.
//
// A pixel becomes a mean of those around it that look alike: non-local means after Rousselle, Knaus and Zwicker (2012).
// How much two small patches may differ by chance is known from the variance of their samples; colours and normals of
// what was met guide it besides, so that no edge is lost.
#include <stdlib.h>
#include <string.h>

#include "base/parallel.h"
#include "render/render.h"

enum { AROUND = 5, PATCH = 1 };
static const float STRICT = 0.6f, COLOUR = 0.06f, NORMAL = 0.3f;

typedef struct filter {
    const plait_pixel *from;
    plait_pixel *to;
    plait_f3 *value, *variance; // of each pixel's mean
    int width, height;
} filter;

// Variance of the mean, itself a mean over the neighbours: from few samples it is known badly.
static bool find_variance(filter *f)
{
    size_t pixels = (size_t)f->width * (size_t)f->height;
    plait_f3 *raw = malloc(pixels * sizeof *raw);
    if (!raw)
        return false;
    for (size_t i = 0; i < pixels; i++) {
        const plait_pixel *p = &f->from[i];
        plait_f3 m = f3_scale(1 / p->count, f3_add(p->light, p->back)), q = f3_scale(1 / p->count, p->square);
        f->value[i] = m;
        plait_f3 v = f3_sub(q, f3_mul(m, m));
        raw[i] = f3_scale(1 / p->count, f3(fmaxf(v.x, 0), fmaxf(v.y, 0), fmaxf(v.z, 0)));
    }
    for (int y = 0; y < f->height; y++)
        for (int x = 0; x < f->width; x++) {
            plait_f3 sum = {0};
            float count = 0;
            for (int b = y - 1; b <= y + 1; b++)
                for (int a = x - 1; a <= x + 1; a++)
                    if (a >= 0 && a < f->width && b >= 0 && b < f->height) {
                        sum = f3_add(sum, raw[(size_t)b * (size_t)f->width + (size_t)a]);
                        count++;
                    }
            f->variance[(size_t)y * (size_t)f->width + (size_t)x] = f3_scale(1 / count, sum);
        }
    free(raw);
    return true;
}

static float part_distance(float a, float b, float va, float vb)
{
    float d = a - b, least = va < vb ? va : vb;
    return (d * d - (va + least)) / (1e-7f + STRICT * STRICT * (va + vb));
}

// Mean over the patches around both pixels.
static float patch_distance(const filter *f, int x, int y, int a, int b)
{
    float sum = 0, count = 0;
    for (int dy = -PATCH; dy <= PATCH; dy++)
        for (int dx = -PATCH; dx <= PATCH; dx++) {
            int x0 = x + dx, y0 = y + dy, x1 = a + dx, y1 = b + dy;
            if (x0 < 0 || y0 < 0 || x1 < 0 || y1 < 0 || x0 >= f->width || x1 >= f->width || y0 >= f->height ||
                y1 >= f->height)
                continue;
            size_t i = (size_t)y0 * (size_t)f->width + (size_t)x0, j = (size_t)y1 * (size_t)f->width + (size_t)x1;
            const plait_f3 *p = &f->value[i], *q = &f->value[j], *v = &f->variance[i], *w = &f->variance[j];
            sum += part_distance(p->x, q->x, v->x, w->x) + part_distance(p->y, q->y, v->y, w->y) +
                   part_distance(p->z, q->z, v->z, w->z);
            count += 3;
        }
    return sum / count;
}

static float guide(const plait_pixel *p, const plait_pixel *q)
{
    plait_f3 c = f3_sub(f3_scale(1 / p->count, p->colour), f3_scale(1 / q->count, q->colour));
    plait_f3 n = f3_sub(f3_scale(1 / p->count, p->normal), f3_scale(1 / q->count, q->normal));
    return f3_dot(c, c) / (COLOUR * COLOUR) + f3_dot(n, n) / (NORMAL * NORMAL);
}

static void filter_rows(int64_t begin, int64_t end, void *data)
{
    const filter *f = data;
    for (int y = (int)begin; y < (int)end; y++)
        for (int x = 0; x < f->width; x++) {
            size_t i = (size_t)y * (size_t)f->width + (size_t)x;
            plait_pixel sum = {0};
            float all = 0;
            bool still = f3_largest(f->variance[i]) < 1e-9f; // nothing to do
            for (int b = y - (still ? 0 : AROUND); b <= y + (still ? 0 : AROUND); b++)
                for (int a = x - (still ? 0 : AROUND); a <= x + (still ? 0 : AROUND); a++) {
                    if (a < 0 || b < 0 || a >= f->width || b >= f->height)
                        continue;
                    const plait_pixel *q = &f->from[(size_t)b * (size_t)f->width + (size_t)a];
                    bool own = a == x && b == y;
                    float far = own ? 0 : guide(&f->from[i], q);
                    if (far > 12)
                        continue;
                    far += own ? 0 : fmaxf(patch_distance(f, x, y, a, b), 0);
                    float w = expf(-far), k = w / q->count;
                    sum.light = f3_axpy(k, q->light, sum.light);
                    sum.back = f3_axpy(k, q->back, sum.back);
                    sum.cover += k * q->cover;
                    all += w;
                }
            sum.light = f3_scale(1 / all, sum.light);
            sum.back = f3_scale(1 / all, sum.back);
            sum.cover /= all;
            sum.count = 1;
            f->to[i] = sum;
        }
}

bool plait_denoise(plait_pixel *pixel, int width, int height, plait_team team)
{
    size_t pixels = (size_t)width * (size_t)height;
    filter f = {.from = pixel, .width = width, .height = height};
    f.to = malloc(pixels * sizeof *f.to);
    f.value = malloc(pixels * sizeof *f.value);
    f.variance = malloc(pixels * sizeof *f.variance);
    bool ok = f.to && f.value && f.variance && find_variance(&f);
    if (ok) {
        plait_parallel_for(height, team, filter_rows, &f);
        memcpy(pixel, f.to, pixels * sizeof *pixel);
    }
    free(f.to);
    free(f.value);
    free(f.variance);
    return ok;
}
