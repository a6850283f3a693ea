// render_words.c: what the options of `plait render` are spelled like.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "render.h"

static const double DEGREE = 3.14159265358979323846 / 180;

static bool refuse(const char *option, const char *expected, const char *text)
{
    plait_cli_fail("%s: expected %s, found '%s'", option, expected, text);
    return false;
}

// Exactly `count` finite numbers with commas between them, up to `end`.
static bool read_numbers(const char *text, const char *end, int count, double *value)
{
    char copy[256];
    if ((size_t)(end - text) >= sizeof copy)
        return false;
    snprintf(copy, sizeof copy, "%.*s", (int)(end - text), text);
    char *at = copy;
    for (int i = 0; i < count; i++) {
        char *comma = strchr(at, ',');
        if ((comma == NULL) != (i == count - 1))
            return false;
        if (comma)
            *comma = 0;
        if (!plait_cli_read_real(at, &value[i]) || !isfinite(value[i]))
            return false;
        at = comma ? comma + 1 : at;
    }
    return true;
}

bool plait_render_read_size(const char *text, plait_render_options *o)
{
    char width[16];
    const char *x = strpbrk(text, "xX");
    if (!x || (size_t)(x - text) >= sizeof width)
        return refuse("--size", "WIDTHxHEIGHT such as 1280x720", text);
    snprintf(width, sizeof width, "%.*s", (int)(x - text), text);
    if (!plait_cli_read_int(width, &o->width) || !plait_cli_read_int(x + 1, &o->height))
        return refuse("--size", "WIDTHxHEIGHT such as 1280x720", text);
    if (o->width < 1 || o->height < 1 || o->width > 16384 || o->height > 16384)
        return refuse("--size", "1 to 16384 pixels each way", text);
    return true;
}

bool plait_render_read_style(const char *text, plait_render_options *o)
{
    static const char *const names[] = {"auto", "hair", "plain", "contacts", NULL};
    for (int i = 0; names[i]; i++)
        if (strcmp(text, names[i]) == 0) {
            o->style = (plait_render_style)i;
            return true;
        }
    const char *near = plait_cli_nearest(text, names);
    plait_cli_fail("--style: there is no style '%s'; %s%s%s", text, near ? "did you mean '" : "styles are",
                   near ? near : " auto, hair, plain, contacts", near ? "'?" : "");
    return false;
}

static const struct {
    const char *name;
    double colour[3];
} colours[] = {{"black", {0.035, 0.022, 0.018}}, {"brown", {0.25, 0.10, 0.038}}, {"chestnut", {0.30, 0.11, 0.045}},
               {"auburn", {0.36, 0.085, 0.03}},  {"red", {0.52, 0.14, 0.035}},   {"blond", {0.66, 0.43, 0.19}},
               {"platinum", {0.78, 0.66, 0.48}}, {"grey", {0.34, 0.33, 0.32}},   {"white", {0.82, 0.80, 0.77}},
               {"blue", {0.03, 0.12, 0.42}},     {"green", {0.05, 0.28, 0.10}},  {"purple", {0.22, 0.05, 0.34}}};

// Screens' numbers to light.
static double decode(unsigned long byte)
{
    double x = (double)(byte & 255) / 255;
    return x <= 0.04045 ? x / 12.92 : pow((x + 0.055) / 1.055, 2.4);
}

bool plait_render_read_colour(const char *text, plait_render_options *o)
{
    enum { COUNT = sizeof colours / sizeof *colours };
    const char *names[COUNT + 1] = {NULL};
    for (size_t i = 0; i < COUNT; i++) {
        names[i] = colours[i].name;
        if (strcmp(text, colours[i].name) == 0) {
            memcpy(o->colour, colours[i].colour, sizeof o->colour);
            return true;
        }
    }
    if (text[0] == '#' && strlen(text) == 7 && strspn(text + 1, "0123456789abcdefABCDEF") == 6) {
        unsigned long rgb = strtoul(text + 1, NULL, 16);
        for (int i = 0; i < 3; i++)
            o->colour[i] = decode(rgb >> (16 - 8 * i));
        return true;
    }
    const char *near = plait_cli_nearest(text, names);
    if (near)
        plait_cli_fail("--colour: there is no colour '%s'; did you mean '%s'?", text, near);
    else
        refuse("--colour",
               "#rrggbb, black, brown, chestnut, auburn, red, blond, platinum, grey, white, blue, green or "
               "purple",
               text);
    return false;
}

bool plait_render_read_camera(const char *text, plait_render_options *o)
{
    static const struct {
        const char *name;
        double azimuth, elevation;
    } sides[] = {{"front", 90, 8}, {"back", -90, 8}, {"right", 0, 8}, {"left", 180, 8}, {"top", -90, 89}};
    for (size_t i = 0; i < sizeof sides / sizeof *sides; i++)
        if (strcmp(text, sides[i].name) == 0) {
            o->azimuth = sides[i].azimuth * DEGREE;
            o->elevation = sides[i].elevation * DEGREE;
            return true;
        }
    double v[3];
    const char *end = text + strlen(text), *colon = strchr(text, ':');
    if (colon && read_numbers(text, colon, 3, o->camera.eye) && read_numbers(colon + 1, end, 3, o->camera.target)) {
        o->camera.up[2] = 1;
        o->camera.fov = o->fov;
        if (memcmp(o->camera.eye, o->camera.target, sizeof v) == 0)
            return refuse("--camera", "two different points", text);
        return true;
    }
    bool zoom = !colon && read_numbers(text, end, 3, v);
    if (!zoom && (colon || !read_numbers(text, end, 2, v)))
        return refuse("--camera",
                      "AZIMUTH,ELEVATION[,ZOOM] in degrees, EYE:TARGET as X,Y,Z:X,Y,Z in metres, front, "
                      "back, left, right or top",
                      text);
    if (fabs(v[1]) > 89.9 || (zoom && !(v[2] > 0)))
        return refuse("--camera", "an elevation between -89.9 and 89.9 degrees and a zoom > 0", text);
    o->azimuth = v[0] * DEGREE;
    o->elevation = v[1] * DEGREE;
    o->zoom = zoom ? v[2] : 1;
    return true;
}

bool plait_render_read_up(const char *text, plait_render_options *o)
{
    if (!read_numbers(text, text + strlen(text), 3, o->up) || (o->up[0] == 0 && o->up[1] == 0 && o->up[2] == 0))
        return refuse("--up", "a direction X,Y,Z", text);
    return true;
}

bool plait_render_read_range(const char *text, int frames, int *first, int *last, int *step)
{
    int value[3] = {0, frames - 1, 1}, part = 0;
    const char *at = text;
    for (; part < 3; part++) {
        size_t length = strcspn(at, ":");
        char word[16];
        if (length >= sizeof word)
            return refuse("--frames", "A:B or A:B:STEP", text);
        snprintf(word, sizeof word, "%.*s", (int)length, at);
        if (length > 0 && !plait_cli_read_int(word, &value[part]))
            return refuse("--frames", "A:B or A:B:STEP", text);
        at += length;
        if (!*at)
            break;
        at++;
    }
    if (part == 0 || part == 3)
        return refuse("--frames", "A:B or A:B:STEP", text);
    for (int i = 0; i < 2; i++)
        value[i] = value[i] < 0 ? value[i] + frames : value[i];
    if (value[0] < 0 || value[1] < value[0] || value[1] >= frames || value[2] < 1) {
        plait_cli_fail("--frames: expected frames 0 to %d in ascending order and a step > 0, found '%s'", frames - 1,
                       text);
        return false;
    }
    *first = value[0];
    *last = value[1];
    *step = value[2];
    return true;
}
