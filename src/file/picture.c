// picture.c: PNG files by libpng.
#include "file/picture.h"

#include <math.h>
#include <png.h>
#include <setjmp.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "file/fail.h"

static const char NO_ROOM[] = "not enough memory"; // libpng: "Out of memory", "insufficient memory ..."
enum { MOST_PIXELS = 1 << 28, WIDEST = 1 << 20 };

typedef struct reader {
    plait_error *error;
    const char *path;
    char text[120]; // what libpng says
} reader;

static void keep(png_structp png, png_const_charp text)
{
    reader *r = png_get_error_ptr(png);
    snprintf(r->text, sizeof r->text, "%s", text);
    png_longjmp(png, 1);
}

static void ignore(png_structp png, png_const_charp text)
{
    (void)png, (void)text;
}

// Whatever the file has becomes four channels of 16 bits, the high byte first.
static void unify(png_structp png, png_infop info)
{
    png_set_expand_16(png); // palettes, few bits and transparent colours too
    png_set_gray_to_rgb(png);
    png_set_add_alpha(png, 0xffff, PNG_FILLER_AFTER);
    png_set_interlace_handling(png);
    png_read_update_info(png, info);
}

// Memory is the caller's: it stays known over a jump.
typedef struct pixels {
    unsigned char *bytes;
    png_bytep *row;
} pixels;

static bool read_pixels(png_structp png, png_infop info, FILE *file, plait_picture *p, pixels *to)
{
    if (setjmp(png_jmpbuf(png)))
        return false;
    png_init_io(png, file);
    png_set_user_limits(png, WIDEST, WIDEST);
    png_read_info(png, info);
    png_uint_32 width = png_get_image_width(png, info), height = png_get_image_height(png, info);
    if ((uint64_t)width * height > MOST_PIXELS)
        png_error(png, "more than 2^28 pixels");
    unify(png, info);
    size_t size = png_get_rowbytes(png, info);
    if (size != 8 * (size_t)width)
        png_error(png, "an unknown kind of pixels");
    to->bytes = malloc(size * height);
    to->row = malloc(height * sizeof *to->row);
    if (!to->bytes || !to->row)
        png_error(png, NO_ROOM);
    for (png_uint_32 y = 0; y < height; y++)
        to->row[y] = to->bytes + size * y;
    png_read_image(png, to->row);
    p->width = (int)width, p->height = (int)height;
    return true;
}

static plait_status read_file(FILE *file, reader *r, plait_picture *p)
{
    pixels raw = {0};
    png_structp png = png_create_read_struct(PNG_LIBPNG_VER_STRING, r, keep, ignore);
    png_infop info = png ? png_create_info_struct(png) : NULL;
    bool made = info != NULL, ok = made && read_pixels(png, info, file, p, &raw);
    size_t count = ok ? PLAIT_PICTURE_CHANNELS * (size_t)p->width * (size_t)p->height : 0;
    p->value = ok ? malloc((count + 1) * sizeof *p->value) : NULL;
    for (size_t i = 0; p->value && i < count; i++)
        p->value[i] = (float)((raw.bytes[2 * i] << 8) + raw.bytes[2 * i + 1]) / 65535;
    png_destroy_read_struct(&png, &info, NULL);
    free(raw.bytes);
    free(raw.row);
    if (p->value)
        return PLAIT_OK;
    if (ok || !made || strstr(r->text, "memory"))
        return plait_error_set(r->error, PLAIT_NO_MEMORY, "%s: not enough memory", r->path);
    return plait_error_set(r->error, PLAIT_BAD_FILE, "%s: expected a picture in PNG format, found: %s", r->path,
                           r->text);
}

plait_status plait_picture_read(const char *path, plait_picture *p, plait_error *error)
{
    reader r = {.error = error, .path = path};
    unsigned char magic[8];
    *p = (plait_picture){0};
    plait_error own = {0};
    FILE *file = plait_file_open(path, "cannot open", error ? error : &own);
    if (!file)
        return error ? error->status : own.status;
    plait_status status;
    if (fread(magic, 1, sizeof magic, file) != sizeof magic || png_sig_cmp(magic, 0, sizeof magic) != 0) {
        status =
            plait_error_set(error, PLAIT_BAD_FILE, "%s: expected a picture in PNG format, found something else", path);
    } else {
        rewind(file);
        status = read_file(file, &r, p);
    }
    fclose(file);
    return status;
}

void plait_picture_free(plait_picture *p)
{
    free(p->value);
    *p = (plait_picture){0};
}

double plait_picture_at(const plait_picture *p, double u, double v, int channel)
{
    double x = (u - floor(u)) * p->width - 0.5, y = (1 - (v - floor(v))) * p->height - 0.5;
    // A whole number is the far side of the picture, not of the next one: 1 is 1.
    if (u == 1)
        x = p->width - 0.5;
    if (v == 1)
        y = -0.5;
    if (v == 0)
        y = p->height - 0.5;
    double fx = x - floor(x), fy = y - floor(y), sum = 0;
    // Edges are not mixed with those of the other side.
    for (int k = 0; k < 4; k++) {
        double i = fmin(fmax(floor(x) + k % 2, 0), p->width - 1), j = fmin(fmax(floor(y) + k / 2, 0), p->height - 1);
        double weight = (k % 2 ? fx : 1 - fx) * (k / 2 ? fy : 1 - fy);
        size_t at = (size_t)j * (size_t)p->width + (size_t)i;
        sum += weight * (double)p->value[PLAIT_PICTURE_CHANNELS * at + (size_t)channel];
    }
    return sum;
}
