// hair.c: strands in Cem Yuksel's .hair format (http://www.cemyuksel.com/research/hairmodels/).
//
// Little-endian. A header of 128 bytes:
//
//     0  "HAIR"    4  strands    8  points    12  flags    16  default segments      all u32
//     20  thickness    24  transparency    28  colour[3]                             all f32
//     40  info[88]
//
// then those of the arrays that the flags name, in this order: 1 segments (u16 per strand), 2 points (3 f32 each),
// 4 thickness, 8 transparency (f32 per point), 16 colour (3 f32 per point). A strand has one point more than
// segments.
#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/trouble.h"
#include "file/fail.h"
#include "plait/curves.h"

enum { HEADER = 128, INFO = 88, HAS_SEGMENTS = 1, HAS_POINTS = 2, HAS_WIDTH = 4, HAS_CLEAR = 8, HAS_COLOUR = 16 };
enum { MOST_SEGMENTS = 65535 };

// ---- bytes -------------------------------------------------------------------------------------------------------

static uint32_t get_u32(const unsigned char *p)
{
    return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

static float get_f32(const unsigned char *p)
{
    uint32_t bits = get_u32(p);
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static void put_u32(unsigned char *p, uint32_t value)
{
    for (int i = 0; i < 4; i++)
        p[i] = (unsigned char)(value >> 8 * i);
}

static void put_f32(unsigned char *p, double value)
{
    float narrow = (float)value;
    uint32_t bits;
    memcpy(&bits, &narrow, sizeof bits);
    put_u32(p, bits);
}

// ---- reading -----------------------------------------------------------------------------------------------------

void plait_hair_free(plait_hair *hair)
{
    if (!hair)
        return;
    free(hair->first), free(hair->point), free(hair->width), free(hair->colour), free(hair->transparency);
    free(hair->uv), free(hair->id), free(hair->group), free(hair->guide), free(hair);
}

// The whole file, or NULL. *size: its length.
static unsigned char *slurp(const char *path, size_t *size, plait_error *error)
{
    FILE *file = plait_file_open(path, "cannot be read", error);
    unsigned char *bytes = NULL;
    long length = -1;
    if (file && fseek(file, 0, SEEK_END) == 0)
        length = ftell(file);
    if (length >= 0 && fseek(file, 0, SEEK_SET) == 0)
        bytes = malloc((size_t)length + 1);
    if (bytes && fread(bytes, 1, (size_t)length, file) != (size_t)length) {
        free(bytes);
        bytes = NULL;
    }
    if (!bytes && file)
        plait_error_set(error, plait_trouble(errno), "%s: cannot be read: %s", path,
                        errno ? strerror(errno) : "not a file");
    if (file)
        fclose(file);
    *size = length > 0 ? (size_t)length : 0;
    return bytes;
}

// Bytes that the header promises, or 0 if it promises nonsense.
static uint64_t promised(const unsigned char *b, const char *path, plait_error *error)
{
    uint64_t strands = get_u32(b + 4), points = get_u32(b + 8), flags = get_u32(b + 12);
    if (!(flags & HAS_POINTS) || flags > 31) {
        plait_error_set(error, PLAIT_BAD_FILE, "%s: flags with points (2) and at most 31 are expected, found %u", path,
                        (unsigned)flags);
        return 0;
    }
    if (strands == 0 || points < 2 * strands || points > INT32_MAX / 3) {
        plait_error_set(error, PLAIT_BAD_FILE,
                        "%s: at least one strand and two points for each are expected, found %u strands and %u points",
                        path, (unsigned)strands, (unsigned)points);
        return 0;
    }
    uint64_t per_point =
        12 + (flags & HAS_WIDTH ? 4u : 0u) + (flags & HAS_CLEAR ? 4u : 0u) + (flags & HAS_COLOUR ? 12u : 0u);
    return HEADER + (flags & HAS_SEGMENTS ? 2 * strands : 0) + per_point * points;
}

// first[] from the segments; they must add up to the points.
static bool count_points(const unsigned char *b, plait_hair *hair, const char *path, plait_error *error)
{
    uint32_t flags = get_u32(b + 12), same = get_u32(b + 16);
    int64_t at = 0, points = get_u32(b + 8);
    for (int i = 0; i < hair->strands; i++) {
        uint32_t segments =
            flags & HAS_SEGMENTS ? (uint32_t)b[HEADER + 2 * i] | (uint32_t)b[HEADER + 2 * i + 1] << 8 : same;
        hair->first[i] = (int)at;
        at += (int64_t)segments + 1;
        if (at > points)
            break;
    }
    hair->first[hair->strands] = (int)points;
    if (at == points)
        return true;
    plait_error_set(error, PLAIT_BAD_FILE, "%s: its strands have %s%lld points, but the header says %lld", path,
                    at > points ? "at least " : "", (long long)at, (long long)points);
    return false;
}

static bool copy_points(const unsigned char *b, plait_hair *hair, const char *path, plait_error *error)
{
    for (int i = 0; i < 3 * hair->first[hair->strands]; i++) {
        hair->point[i] = (double)get_f32(b + 4 * (size_t)i);
        if (!isfinite(hair->point[i])) {
            plait_error_set(error, PLAIT_BAD_FILE, "%s: point %d: finite coordinates are expected, found %g", path,
                            i / 3, hair->point[i]);
            return false;
        }
    }
    return true;
}

// An array of `count` numbers that a flag announces, at *at, which moves behind it. True if there is none.
static bool copy_array(const unsigned char *b, unsigned flag, size_t count, size_t *at, float **out, const char *path,
                       plait_error *error)
{
    if (!(get_u32(b + 12) & flag))
        return true;
    float *x = *out = malloc(count * sizeof *x);
    if (!x) {
        plait_error_set(error, PLAIT_NO_MEMORY, "%s: no memory for %zu numbers", path, count);
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        x[i] = get_f32(b + *at + 4 * i);
        if (!isfinite(x[i])) {
            plait_error_set(error, PLAIT_BAD_FILE, "%s: %s %zu: a finite number is expected, found %g", path,
                            flag == HAS_WIDTH   ? "thickness"
                            : flag == HAS_CLEAR ? "transparency"
                                                : "colour component",
                            i, (double)x[i]);
            return false;
        }
    }
    *at += 4 * count;
    return true;
}

// What there is beside the points, after them.
static bool copy_rest(const unsigned char *b, plait_hair *hair, size_t at, const char *path, plait_error *error)
{
    size_t points = (size_t)hair->first[hair->strands];
    double head[5];
    for (int i = 0; i < 5; i++) { // numbers that no array replaces; nonsense there is left out
        head[i] = (double)get_f32(b + 20 + 4 * i);
        head[i] = isfinite(head[i]) ? head[i] : 0;
    }
    hair->thickness = head[0];
    hair->clear = head[1];
    memcpy(hair->tint, head + 2, sizeof hair->tint);
    return copy_array(b, HAS_WIDTH, points, &at, &hair->width, path, error) &&
           copy_array(b, HAS_CLEAR, points, &at, &hair->transparency, path, error) &&
           copy_array(b, HAS_COLOUR, 3 * points, &at, &hair->colour, path, error);
}

// Our own words in the header; others' say nothing about the unit.
static void read_info(plait_hair *hair)
{
    double unit;
    char up;
    if (sscanf(hair->info, "plait, unit %lg m, %c up", &unit, &up) == 2 && unit > 0 && isfinite(unit)) {
        hair->unit = unit;
        hair->y_up = up == 'y';
    }
}

plait_hair *plait_hair_read(const char *path, plait_error *error)
{
    size_t size;
    errno = 0;
    unsigned char *b = slurp(path, &size, error);
    if (!b)
        return NULL;
    plait_hair *hair = NULL;
    if (size < HEADER || memcmp(b, "HAIR", 4) != 0) {
        plait_error_set(error, PLAIT_BAD_FILE, "%s: a .hair file begins with HAIR and has at least %d bytes, found %zu",
                        path, HEADER, size);
        free(b);
        return NULL;
    }
    uint64_t want = promised(b, path, error);
    bool ok = want != 0;
    if (ok && size < want) {
        plait_error_set(error, PLAIT_BAD_FILE, "%s: %llu bytes are expected after its header, found %zu", path,
                        (unsigned long long)want, size);
        ok = false;
    }
    if (ok) {
        hair = calloc(1, sizeof *hair);
        size_t strands = get_u32(b + 4), points = get_u32(b + 8);
        if (hair) {
            hair->strands = (int)strands;
            memcpy(hair->info, b + HEADER - INFO, INFO - 1);
            read_info(hair);
            hair->first = malloc((strands + 1) * sizeof *hair->first);
            hair->point = malloc(3 * points * sizeof *hair->point);
        }
        ok = hair && hair->first && hair->point;
        if (!ok)
            plait_error_set(error, PLAIT_NO_MEMORY, "%s: no memory for %zu points", path, points);
        size_t lists = get_u32(b + 12) & HAS_SEGMENTS ? 2 * strands : 0;
        ok = ok && count_points(b, hair, path, error) && copy_points(b + HEADER + lists, hair, path, error) &&
             copy_rest(b, hair, HEADER + lists + 12 * points, path, error);
    }
    free(b);
    if (!ok) {
        plait_hair_free(hair);
        return NULL;
    }
    return hair;
}

// ---- writing -----------------------------------------------------------------------------------------------------

static plait_status check_hair(const char *path, const plait_hair *hair, plait_error *error)
{
    if (hair->strands < 1)
        return plait_error_set(error, PLAIT_BAD_INPUT, "%s: at least one strand is expected, found %d", path,
                               hair->strands);
    for (int i = 0; i < hair->strands; i++) {
        int points = hair->first[i + 1] - hair->first[i];
        if (points < 2 || points > MOST_SEGMENTS + 1)
            return plait_error_set(error, PLAIT_BAD_INPUT,
                                   "%s: strand %d: between 2 and %d points are expected, found %d", path, i,
                                   MOST_SEGMENTS + 1, points);
    }
    for (int i = 0; i < 3 * hair->first[hair->strands]; i++)
        if (!isfinite((float)hair->point[i]))
            return plait_error_set(error, PLAIT_BAD_INPUT, "%s: point %d: finite coordinates are expected, found %g",
                                   path, i / 3, hair->point[i]);
    const float *list[] = {hair->width, hair->transparency, hair->colour};
    for (int k = 0; k < 3; k++)
        for (int i = 0; list[k] && i < (k == 2 ? 3 : 1) * hair->first[hair->strands]; i++)
            if (!isfinite(list[k][i]))
                return plait_error_set(error, PLAIT_BAD_INPUT,
                                       "%s: finite widths, transparencies and colours are expected, found %g", path,
                                       (double)list[k][i]);
    return PLAIT_OK;
}

static bool write_array(FILE *file, const float *x, size_t count)
{
    unsigned char p[4];
    bool ok = true;
    for (size_t i = 0; x && ok && i < count; i++) {
        put_f32(p, (double)x[i]);
        ok = fwrite(p, 1, 4, file) == 4;
    }
    return ok;
}

static bool write_all(FILE *file, const plait_hair *hair)
{
    unsigned char head[HEADER] = "HAIR", p[12];
    int points = hair->first[hair->strands];
    put_u32(head + 4, (uint32_t)hair->strands);
    put_u32(head + 8, (uint32_t)points);
    put_u32(head + 12, HAS_SEGMENTS | HAS_POINTS | (hair->width ? HAS_WIDTH : 0u) |
                           (hair->transparency ? HAS_CLEAR : 0u) | (hair->colour ? HAS_COLOUR : 0u));
    const double all[5] = {hair->thickness, hair->clear, hair->tint[0], hair->tint[1], hair->tint[2]};
    for (int i = 0; i < 5; i++)
        put_f32(head + 20 + 4 * i, isfinite((float)all[i]) ? all[i] : 0);
    char words[INFO] = "";
    if (!hair->info[0] && hair->unit > 0)
        snprintf(words, sizeof words, "plait, unit %.9g m, %c up", hair->unit, hair->y_up ? 'y' : 'z');
    const char *info = hair->info[0] ? hair->info : words;
    memcpy(head + HEADER - INFO, info, strnlen(info, INFO - 1));
    bool ok = fwrite(head, 1, HEADER, file) == HEADER;
    for (int i = 0; ok && i < hair->strands; i++) {
        int segments = hair->first[i + 1] - hair->first[i] - 1;
        p[0] = (unsigned char)segments, p[1] = (unsigned char)(segments >> 8);
        ok = fwrite(p, 1, 2, file) == 2;
    }
    for (int i = 0; ok && i < points; i++) {
        for (int c = 0; c < 3; c++)
            put_f32(p + 4 * c, hair->point[3 * (size_t)i + (size_t)c]);
        ok = fwrite(p, 1, 12, file) == 12;
    }
    return ok && write_array(file, hair->width, (size_t)points) &&
           write_array(file, hair->transparency, (size_t)points) && write_array(file, hair->colour, 3 * (size_t)points);
}

plait_status plait_hair_write(const char *path, const plait_hair *hair, plait_error *error)
{
    plait_status status = check_hair(path, hair, error);
    if (status != PLAIT_OK)
        return status;
    size_t length = strlen(path) + 32;
    char *name = malloc(length);
    if (!name)
        return plait_error_set(error, PLAIT_NO_MEMORY, "%s: no memory", path);
    snprintf(name, length, "%s.%ld.tmp", path, (long)getpid());
    FILE *file = fopen(name, "wb");
    bool ok = file && write_all(file, hair);
    if (file)
        ok = fclose(file) == 0 && ok;
    ok = ok && rename(name, path) == 0;
    if (!ok) {
        plait_error_set(error, PLAIT_BAD_FILE, "%s: cannot be written: %s", path, strerror(errno));
        remove(name);
    }
    free(name);
    return ok ? PLAIT_OK : PLAIT_BAD_FILE;
}
