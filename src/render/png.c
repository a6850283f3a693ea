// png.c: pictures as files, by libpng.
#include <errno.h>
#include <png.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "plait/render.h"

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

static bool write_to(FILE *file, int width, int height, const unsigned char *rgb)
{
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, quiet, ignore);
    png_infop info = png ? png_create_info_struct(png) : NULL;
    if (!info || setjmp(png_jmpbuf(png))) {
        png_destroy_write_struct(&png, &info);
        return false;
    }
    png_init_io(png, file);
    png_set_IHDR(png, info, (png_uint_32)width, (png_uint_32)height, 8, PNG_COLOR_TYPE_RGB, PNG_INTERLACE_NONE,
                 PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    png_set_sRGB(png, info, PNG_sRGB_INTENT_PERCEPTUAL);
    png_set_compression_level(png, 8);
    png_write_info(png, info);
    for (int y = 0; y < height; y++)
        png_write_row(png, rgb + 3 * (size_t)width * (size_t)y);
    png_write_end(png, NULL);
    png_destroy_write_struct(&png, &info);
    return true;
}

plait_status plait_png_write(const char *path, int width, int height, const unsigned char *rgb, plait_error *error)
{
    if (width < 1 || height < 1)
        return plait_error_set(error, PLAIT_BAD_INPUT, "%s: a picture of %d x %d pixels", path, width, height);
    size_t size = strlen(path) + 32;
    char *place = malloc(size);
    if (!place)
        return plait_error_set(error, PLAIT_NO_MEMORY, "%s: not enough memory", path);
    snprintf(place, size, "%s.tmp%ld", path, (long)getpid());
    errno = 0;
    FILE *file = fopen(place, "wb");
    bool ok = file && write_to(file, width, height, rgb);
    if (file)
        ok = fclose(file) == 0 && ok;
    ok = ok && rename(place, path) == 0;
    if (!ok) {
        plait_error_set(error, PLAIT_BAD_FILE, "%s: cannot be written: %s", path,
                        errno ? strerror(errno) : "libpng failed");
        if (file)
            unlink(place);
    }
    free(place);
    return ok ? PLAIT_OK : PLAIT_BAD_FILE;
}
