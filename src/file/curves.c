// curves.c: curves from files, whichever kind they are.
#include <errno.h>
#include <limits.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/trouble.h"
#include "file/abc_read.h"
#include "file/curves.h"
#include "file/fail.h"
#include "file/usd_layer.h"

static const size_t MAX_FILE = (size_t)1 << 32;

// ---- growing -----------------------------------------------------------------------------------------------------

static bool no_memory(const char *name, plait_error *error)
{
    plait_error_set(error, PLAIT_NO_MEMORY, "%s: not enough memory", name);
    return false;
}

bool plait_curves_begin(plait_curves_builder *b, const char *name, plait_error *error)
{
    *b = (plait_curves_builder){.hair = calloc(1, sizeof *b->hair)};
    if (!b->hair)
        return no_memory(name, error);
    b->hair->first = calloc(64, sizeof *b->hair->first);
    b->hair->point = malloc(3 * 64 * sizeof *b->hair->point);
    b->strand_room = b->point_room = 64;
    if (b->hair->first && b->hair->point)
        return true;
    plait_hair_free(b->hair);
    b->hair = NULL;
    return no_memory(name, error);
}

static bool grow(void **array, size_t need, size_t *room, size_t size)
{
    if (need <= *room)
        return true;
    size_t more = *room;
    while (more < need)
        more *= 2;
    void *grown = more < INT_MAX / 4 ? realloc(*array, more * size) : NULL;
    if (!grown)
        return false;
    *array = grown;
    *room = more;
    return true;
}

bool plait_curves_add(plait_curves_builder *b, const char *name, int points, const double *point, plait_error *error)
{
    plait_hair *h = b->hair;
    size_t before = (size_t)h->first[h->strands], after = before + (size_t)points;
    if (!grow((void **)&h->first, (size_t)h->strands + 2, &b->strand_room, sizeof *h->first) ||
        !grow((void **)&h->point, after, &b->point_room, 3 * sizeof *h->point))
        return no_memory(name, error);
    memcpy(h->point + 3 * before, point, 3 * (size_t)points * sizeof *point);
    h->first[++h->strands] = (int)after;
    return true;
}

// ---- files -------------------------------------------------------------------------------------------------------

static char *slurp(FILE *file, const char *path, size_t *size, plait_error *error)
{
    char *bytes = NULL;
    size_t count = 0, room = 0;
    while (true) {
        if (count + 1 >= room) {
            room = room ? 2 * room : 65536;
            char *grown = room <= MAX_FILE ? realloc(bytes, room) : NULL;
            if (!grown) {
                free(bytes);
                no_memory(path, error);
                return NULL;
            }
            bytes = grown;
        }
        errno = 0;
        size_t got = fread(bytes + count, 1, room - 1 - count, file);
        count += got;
        if (got > 0)
            continue;
        if (ferror(file)) {
            plait_error_set(error, plait_trouble(errno), "%s: cannot be read: %s", path, strerror(errno));
            free(bytes);
            return NULL;
        }
        bytes[count] = 0;
        *size = count;
        return bytes;
    }
}

static bool ends_with(const char *text, const char *end)
{
    size_t n = strlen(text), m = strlen(end);
    return n > m && strcmp(text + n - m, end) == 0;
}

static plait_hair *parse(const char *path, const char *bytes, size_t size, plait_error *error)
{
    bool usda = (size >= 5 && memcmp(bytes, "#usda", 5) == 0) || ends_with(path, ".usda");
    if (size >= 4 && memcmp(bytes, "PK\3\4", 4) == 0) {
        plait_error_set(error, PLAIT_BAD_FILE,
                        "%s: expected .usda or .usdc, found USD's packed form (.usdz); 'usdcat -o new.usdc' makes it",
                        path);
        return NULL;
    }
    if (size == 0) {
        plait_error_set(error, PLAIT_BAD_FILE,
                        "%s: expected curves in .hair, .abc, .usda, .usdc or .obj, found an empty file", path);
        return NULL;
    }
    const char *slash = strrchr(path, '/'), *dot = strrchr(slash ? slash : path, '.');
    if (!usda && dot && strcasecmp(dot, ".obj") != 0) {
        bool ours = strcasecmp(dot, ".usdc") == 0 || strcasecmp(dot, ".usd") == 0; // which begin with other bytes
        plait_error_set(error, PLAIT_BAD_FILE, "%s: expected curves in .hair, .abc, .usda, .usdc or .obj, found %s'%s'",
                        path, ours ? "other bytes behind the ending " : "the ending ", dot);
        return NULL;
    }
    return usda ? plait_curves_parse_usda(path, bytes, size, error) : plait_curves_parse_obj(path, bytes, size, error);
}

static plait_hair *read_usdc(const char *path, FILE *file, plait_error *error)
{
    plait_error own = {0};
    plait_usd_layer layer = {.name = path, .error = error ? error : &own};
    plait_hair *h = plait_usdc_open(&layer, file) ? plait_usd_curves(&layer) : NULL;
    plait_usd_free(&layer);
    fclose(file);
    return h;
}

plait_hair *plait_curves_read(const char *path, plait_error *error)
{
    FILE *file = plait_file_open(path, "cannot be read", error);
    if (!file)
        return NULL;
    char magic[8] = "";
    size_t got = fread(magic, 1, sizeof magic, file);
    bool usda = got > 0 && magic[0] == '#';
    if (got == 8 && memcmp(magic, "PXR-USDC", 8) == 0)
        return read_usdc(path, file, error);
    if (got >= 5 && (memcmp(magic, "Ogawa", 5) == 0 || ends_with(path, ".abc"))) {
        plait_error own = {0};
        plait_hair *h = plait_abc_curves(file, path, error ? error : &own);
        fclose(file);
        return h;
    }
    if ((got >= 4 && memcmp(magic, "HAIR", 4) == 0) || (ends_with(path, ".hair") && !usda)) {
        fclose(file);
        return plait_hair_read(path, error);
    }
    size_t size = 0;
    char *bytes = fseek(file, 0, SEEK_SET) == 0 ? slurp(file, path, &size, error) : NULL;
    if (!bytes && (!error || error->status == PLAIT_OK))
        plait_error_set(error, plait_trouble(errno), "%s: cannot be read: %s", path, strerror(errno));
    fclose(file);
    if (!bytes)
        return NULL;
    // Numbers have a point whatever the program's locale says; only this thread is switched.
    locale_t plain = newlocale(LC_NUMERIC_MASK, "C", (locale_t)0), before = plain ? uselocale(plain) : (locale_t)0;
    plait_hair *hair = parse(path, bytes, size, error);
    if (plain) {
        uselocale(before);
        freelocale(plain);
    }
    free(bytes);
    return hair;
}
