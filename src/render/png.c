// png.c: pictures as files, by libpng.
#include <png.h>
#include <setjmp.h>

#include "render/render.h"

// libpng would print its trouble; we say what the system says.
static void quiet(png_structp png, png_const_charp text)
{
    (void)text;
    png_longjmp(png, 1);
}

static void ignore(png_structp png, png_const_charp text)
{
    (void)png, (void)text;
}

typedef struct pixels {
    int width, height, channels;
    const unsigned char *byte;
} pixels;

static bool write_to(FILE *file, const void *data)
{
    const pixels *p = data;
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, quiet, ignore);
    png_infop info = png ? png_create_info_struct(png) : NULL;
    if (!info || setjmp(png_jmpbuf(png))) {
        png_destroy_write_struct(&png, &info);
        return false;
    }
    png_init_io(png, file);
    png_set_IHDR(png, info, (png_uint_32)p->width, (png_uint_32)p->height, 8,
                 p->channels == 4 ? PNG_COLOR_TYPE_RGB_ALPHA : PNG_COLOR_TYPE_RGB, PNG_INTERLACE_NONE,
                 PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    png_set_sRGB(png, info, PNG_sRGB_INTENT_PERCEPTUAL);
    png_set_compression_level(png, 8);
    png_write_info(png, info);
    for (int y = 0; y < p->height; y++)
        png_write_row(png, p->byte + (size_t)p->channels * (size_t)p->width * (size_t)y);
    png_write_end(png, NULL);
    png_destroy_write_struct(&png, &info);
    return true;
}

plait_status plait_png_write(const char *path, int width, int height, const unsigned char *rgb, plait_error *error)
{
    pixels p = {width, height, 3, rgb};
    return plait_picture_save(path, width, height, write_to, &p, error);
}

plait_status plait_png_write_alpha(const char *path, int width, int height, const unsigned char *rgba,
                                   plait_error *error)
{
    pixels p = {width, height, 4, rgba};
    return plait_picture_save(path, width, height, write_to, &p, error);
}
