// exr.c: OpenEXR pictures: linear light with alpha, as compositing programs take them.
//
// The plainest form of the format: one part, scan lines, 32-bit floats, no compression. Channels come in the order of
// their names; each line has its number and its size before it, and the file has a table of where the lines begin.
#include <string.h>

#include "render/render.h"

typedef struct buffer {
    unsigned char byte[512];
    size_t count;
} buffer;

static void put(buffer *b, const void *data, size_t size)
{
    memcpy(b->byte + b->count, data, size);
    b->count += size;
}

static void put_word(buffer *b, const char *word)
{
    put(b, word, strlen(word) + 1);
}

static void put_int(buffer *b, uint32_t value) // little-endian, on any machine
{
    for (int i = 0; i < 4; i++)
        b->byte[b->count++] = (unsigned char)(value >> 8 * i);
}

static void put_float(buffer *b, float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    put_int(b, bits);
}

static void attribute(buffer *b, const char *name, const char *type, uint32_t size)
{
    put_word(b, name);
    put_word(b, type);
    put_int(b, size);
}

static void window(buffer *b, const char *name, int width, int height)
{
    attribute(b, name, "box2i", 16);
    put_int(b, 0);
    put_int(b, 0);
    put_int(b, (uint32_t)(width - 1));
    put_int(b, (uint32_t)(height - 1));
}

static void put_header(buffer *b, int width, int height)
{
    static const char *const channels[] = {"A", "B", "G", "R"};
    put_int(b, 20000630);
    put_int(b, 2);
    attribute(b, "channels", "chlist", 4 * 18 + 1);
    for (int i = 0; i < 4; i++) {
        put_word(b, channels[i]);
        put_int(b, 2); // FLOAT
        put_int(b, 0);
        put_int(b, 1);
        put_int(b, 1);
    }
    put(b, "", 1);
    attribute(b, "compression", "compression", 1);
    put(b, "", 1); // none
    window(b, "dataWindow", width, height);
    window(b, "displayWindow", width, height);
    attribute(b, "lineOrder", "lineOrder", 1);
    put(b, "", 1); // from the top
    attribute(b, "pixelAspectRatio", "float", 4);
    put_float(b, 1);
    attribute(b, "screenWindowCenter", "v2f", 8);
    put_float(b, 0);
    put_float(b, 0);
    attribute(b, "screenWindowWidth", "float", 4);
    put_float(b, 1);
    put(b, "", 1);
}

typedef struct pixels {
    int width, height;
    const float *rgba;
} pixels;

static bool write_to(FILE *file, const void *data)
{
    const pixels *p = data;
    int width = p->width, height = p->height;
    buffer b = {.count = 0};
    put_header(&b, width, height);
    uint64_t line = 8 + 16 * (uint64_t)width, at = b.count + 8 * (uint64_t)height;
    bool ok = fwrite(b.byte, 1, b.count, file) == b.count;
    for (int y = 0; y < height && ok; y++) {
        b.count = 0;
        put_int(&b, (uint32_t)(at + line * (uint64_t)y));
        put_int(&b, (uint32_t)((at + line * (uint64_t)y) >> 32));
        ok = fwrite(b.byte, 1, 8, file) == 8;
    }
    static const int order[] = {3, 2, 1, 0};
    for (int y = 0; y < height && ok; y++) {
        b.count = 0;
        put_int(&b, (uint32_t)y);
        put_int(&b, (uint32_t)(16 * width));
        ok = fwrite(b.byte, 1, 8, file) == 8;
        for (int c = 0; c < 4 && ok; c++)
            for (int x = 0; x < width && ok; x++) {
                b.count = 0;
                put_float(&b, p->rgba[4 * ((size_t)y * (size_t)width + (size_t)x) + (size_t)order[c]]);
                ok = fwrite(b.byte, 1, 4, file) == 4;
            }
    }
    return ok;
}

plait_status plait_exr_write(const char *path, int width, int height, const float *rgba, plait_error *error)
{
    pixels p = {width, height, rgba};
    return plait_picture_save(path, width, height, write_to, &p, error);
}
