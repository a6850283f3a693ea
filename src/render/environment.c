// environment.c: light from all around, out of a picture (Radiance .hdr, equirectangular).
//
// Its light is split in two. What is no brighter than a few times the mean is the sky: soft, looked up by direction.
// The rest, lamps, windows, the sun, is drawn by chance in proportion to its light, so that shadow rays go where it
// comes from.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "file/fail.h"
#include "render/render.h"

enum { MOST_SIDE = 32768, LINE = 256 };
static const float BRIGHT = 4; // times the mean: what is brighter is drawn by chance

// ---- Radiance's format -------------------------------------------------------------------------------------------

typedef struct picture {
    int width, height;
    plait_f3 *light;
} picture;

static plait_status refuse(const char *path, const char *what, plait_error *error)
{
    return plait_error_set(error, PLAIT_BAD_FILE, "%s: no Radiance picture (.hdr): %s", path, what);
}

static plait_f3 from_bytes(const unsigned char *b)
{
    float k = b[3] ? ldexpf(1, (int)b[3] - 136) : 0;
    return f3((float)b[0] * k, (float)b[1] * k, (float)b[2] * k);
}

// One row of [width][4] bytes: four runs of mantissas and exponents one after the other, or pixels as they are.
static bool read_row(FILE *file, int width, unsigned char *row)
{
    unsigned char head[4];
    if (fread(head, 1, 4, file) != 4)
        return false;
    if (width < 8 || width > 32767 || head[0] != 2 || head[1] != 2 || head[2] * 256 + head[3] != width) {
        memcpy(row, head, 4);
        return fread(row + 4, 4, (size_t)width - 1, file) == (size_t)width - 1;
    }
    for (int part = 0; part < 4; part++)
        for (int x = 0; x < width;) {
            int count = fgetc(file), value = 0;
            bool run = count > 128;
            count = run ? count - 128 : count;
            if (count < 1 || x + count > width || (run && (value = fgetc(file)) < 0))
                return false;
            for (; count > 0; count--) {
                if (!run && (value = fgetc(file)) < 0)
                    return false;
                row[4 * x++ + part] = (unsigned char)value;
            }
        }
    return true;
}

static plait_status read_head(FILE *file, const char *path, picture *p, plait_error *error)
{
    char line[LINE], rest;
    bool magic = false, format = false;
    while (fgets(line, sizeof line, file) && line[0] != '\n') {
        magic = magic || strncmp(line, "#?", 2) == 0;
        format = format || strncmp(line, "FORMAT=32-bit_rle_rgbe", 22) == 0;
    }
    if (!magic || !format)
        return refuse(path, magic ? "expected FORMAT=32-bit_rle_rgbe" : "it does not begin with '#?'", error);
    if (!fgets(line, sizeof line, file) || sscanf(line, "-Y %d +X %d%c", &p->height, &p->width, &rest) != 3)
        return refuse(path, "expected '-Y HEIGHT +X WIDTH' after the header", error);
    if (p->width < 1 || p->height < 1 || p->width > MOST_SIDE || p->height > MOST_SIDE)
        return refuse(path, "a size out of range", error);
    return PLAIT_OK;
}

static plait_status read_picture(const char *path, picture *p, plait_error *error)
{
    plait_error own = {0};
    FILE *file = plait_file_open(path, "cannot be read", error ? error : &own);
    if (!file)
        return error ? error->status : own.status;
    plait_status status = read_head(file, path, p, error);
    unsigned char *row = NULL;
    if (status == PLAIT_OK) {
        row = malloc(4 * (size_t)p->width);
        p->light = malloc((size_t)p->width * (size_t)p->height * sizeof *p->light);
        if (!row || !p->light)
            status = plait_error_set(error, PLAIT_NO_MEMORY, "%s: not enough memory", path);
    }
    for (int y = 0; y < p->height && status == PLAIT_OK; y++) {
        if (!read_row(file, p->width, row))
            status = refuse(path, "it is cut off, or damaged", error);
        for (int x = 0; x < p->width && status == PLAIT_OK; x++)
            p->light[(size_t)y * (size_t)p->width + (size_t)x] = from_bytes(row + 4 * x);
    }
    free(row);
    fclose(file);
    if (status != PLAIT_OK) {
        free(p->light);
        p->light = NULL;
    }
    return status;
}

// ---- light -------------------------------------------------------------------------------------------------------

struct plait_environment {
    int width, height;
    plait_f3 *light;
    plait_f3 mean;
    float cap;     // brightness from which on light is drawn by chance
    double *below; // [width height + 1] sums of what is brighter, times the solid angle
    float turn;    // [turns] the picture's middle is at this azimuth
};

static float brightness(plait_f3 c)
{
    return 0.2126f * c.x + 0.7152f * c.y + 0.0722f * c.z;
}

static double row_angle(const plait_environment *e, int y) // solid angle of one pixel
{
    return 2 * M_PI / e->width * (cos(M_PI * y / e->height) - cos(M_PI * (y + 1) / e->height));
}

// What of a pixel's light belongs to the sky.
static plait_f3 soft_part(const plait_environment *e, plait_f3 c)
{
    float b = brightness(c);
    return b > e->cap ? f3_scale(e->cap / b, c) : c;
}

static bool prepare(plait_environment *e)
{
    size_t pixels = (size_t)e->width * (size_t)e->height;
    double sum[3] = {0}, all = 0;
    e->below = malloc((pixels + 1) * sizeof *e->below);
    if (!e->below)
        return false;
    for (size_t i = 0; i < pixels; i++) {
        double w = row_angle(e, (int)(i / (size_t)e->width)) / (4 * M_PI);
        sum[0] += w * e->light[i].x, sum[1] += w * e->light[i].y, sum[2] += w * e->light[i].z;
    }
    e->mean = f3_from(sum);
    e->cap = BRIGHT * brightness(e->mean);
    for (size_t i = 0; i < pixels; i++) {
        e->below[i] = all;
        all += row_angle(e, (int)(i / (size_t)e->width)) * fmaxf(brightness(e->light[i]) - e->cap, 0);
    }
    e->below[pixels] = all;
    return true;
}

plait_environment *plait_environment_read(const char *path, double azimuth, plait_error *error)
{
    picture p = {0};
    if (read_picture(path, &p, error) != PLAIT_OK)
        return NULL;
    plait_environment *e = calloc(1, sizeof *e);
    if (e)
        *e = (plait_environment){
            .width = p.width, .height = p.height, .light = p.light, .turn = (float)(azimuth / (2 * M_PI))};
    if (!e || !prepare(e)) {
        plait_error_set(error, PLAIT_NO_MEMORY, "%s: not enough memory", path);
        if (e)
            plait_environment_free(e);
        else
            free(p.light);
        return NULL;
    }
    if (!(brightness(e->mean) > 0)) {
        refuse(path, "it is black all over", error);
        plait_environment_free(e);
        return NULL;
    }
    return e;
}

void plait_environment_free(plait_environment *e)
{
    if (!e)
        return;
    free(e->light), free(e->below), free(e);
}

float plait_environment_mean(const plait_environment *e)
{
    return brightness(e->mean);
}

// Where a direction is in the picture, in parts of its width and height. Its middle is x of the frame (turned), its top
// up.
static void place(const plait_environment *e, const plait_f3 axes[3], plait_f3 d, float *u, float *v)
{
    float x = f3_dot(d, axes[0]), y = f3_dot(d, axes[1]), z = f3_clamp(f3_dot(d, axes[2]), -1, 1);
    float turn = 0.5f - (atan2f(y, x) * 0.15915494f - e->turn);
    *u = turn - floorf(turn);
    *v = acosf(z) * 0.31830989f;
}

plait_f3 plait_environment_light(const plait_environment *e, const plait_f3 axes[3], plait_f3 direction, bool soft)
{
    float u, v;
    place(e, axes, direction, &u, &v);
    float x = u * (float)e->width - 0.5f, y = f3_clamp(v * (float)e->height - 0.5f, 0, (float)(e->height - 1));
    int x0 = (int)floorf(x), y0 = (int)y, y1 = y0 + 1 < e->height ? y0 + 1 : y0;
    float fx = x - (float)x0, fy = y - (float)y0;
    int xa = (x0 + e->width) % e->width, xb = (x0 + 1) % e->width;
    const plait_f3 *low = e->light + (size_t)y0 * (size_t)e->width, *high = e->light + (size_t)y1 * (size_t)e->width;
    plait_f3 c[4] = {low[xa], low[xb], high[xa], high[xb]};
    for (int i = 0; i < 4 && soft; i++)
        c[i] = soft_part(e, c[i]);
    return f3_mix(f3_mix(c[0], c[1], fx), f3_mix(c[2], c[3], fx), fy);
}

bool plait_environment_draw(const plait_environment *e, const plait_f3 axes[3], float a, float b, plait_f3 *direction,
                            plait_f3 *light)
{
    size_t pixels = (size_t)e->width * (size_t)e->height, low = 0, high = pixels;
    double all = e->below[pixels], wanted = all * a;
    if (!(all > 0))
        return false;
    while (high - low > 1) { // the last pixel whose sum is not more than what was drawn
        size_t m = low + (high - low) / 2;
        *(e->below[m] <= wanted ? &low : &high) = m;
    }
    double own = e->below[low + 1] - e->below[low];
    if (!(own > 0))
        return false;
    // The rest of `a` is as random as it was.
    float within = (float)f3_clamp((float)((wanted - e->below[low]) / own), 0, 1);
    int x = (int)(low % (size_t)e->width), y = (int)(low / (size_t)e->width);
    float phi = (0.5f - ((float)x + within) / (float)e->width + e->turn) * 6.2831853f;
    float top = cosf(3.14159265f * (float)y / (float)e->height);
    float bottom = cosf(3.14159265f * (float)(y + 1) / (float)e->height), z = top + b * (bottom - top);
    float r = sqrtf(fmaxf(1 - z * z, 0));
    *direction = f3_axpy(r * cosf(phi), axes[0], f3_axpy(r * sinf(phi), axes[1], f3_scale(z, axes[2])));
    // Light over its density: what is left is the colour, times all that could have been drawn; over pi as for lamps.
    plait_f3 c = e->light[low], rest = f3_sub(c, soft_part(e, c));
    *light = f3_scale((float)(all / M_PI) / fmaxf(brightness(rest), 1e-20f), rest);
    return true;
}
