// look.c: what things are made of, told by their names and sizes.
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "math/vec3.h"
#include "render/render.h"

// Whether a name contains a word, in whatever case.
static bool has_word(const char *name, const char *word)
{
    size_t length = strlen(word);
    for (; *name; name++) {
        size_t i = 0;
        while (i < length && tolower((unsigned char)name[i]) == word[i])
            i++;
        if (i == length)
            return true;
    }
    return false;
}

static bool has_any(const char *name, const char *const *words)
{
    for (; *words; words++)
        if (has_word(name, *words))
            return true;
    return false;
}

static const double HAIR_RADIUS = 0.15e-3; // [m] whatever is thinner is hair

static const plait_f3 BROWN = {0.25f, 0.10f, 0.038f};

// Things that have a colour of their own; linear RGB.
static const struct {
    const char *word;
    plait_f3 colour;
} known[] = {
    {"pasta", {0.62f, 0.36f, 0.10f}},  {"spaghetti", {0.62f, 0.36f, 0.10f}}, {"rope", {0.42f, 0.26f, 0.11f}},
    {"cord", {0.40f, 0.035f, 0.022f}}, {"rubber", {0.03f, 0.17f, 0.30f}},    {"wool", {0.70f, 0.66f, 0.58f}},
    {"steel", {0.42f, 0.44f, 0.47f}},  {"wire", {0.42f, 0.44f, 0.47f}},      {"copper", {0.72f, 0.30f, 0.14f}},
    {"cotton", {0.78f, 0.76f, 0.72f}},
};

// For others, one after the other.
static const plait_f3 palette[] = {
    {0.03f, 0.17f, 0.30f}, {0.55f, 0.16f, 0.025f}, {0.05f, 0.22f, 0.10f},
    {0.36f, 0.03f, 0.09f}, {0.55f, 0.33f, 0.03f},  {0.17f, 0.08f, 0.32f},
};
enum { PALETTE = sizeof palette / sizeof *palette };

plait_look plait_look_fibre(const plait_trajectory_info *info, int fibre, const plait_render_options *options)
{
    static const char *const hairy[] = {"hair", "wisp", "tail", "curl", "fur", "lock", "groom", NULL};
    int group = info->group[fibre], material = info->material[fibre];
    const char *of_group = info->group_name[group], *of_material = info->material_name[material];
    plait_look look = {0};
    look.hair = options->style == PLAIT_RENDER_HAIR ||
                (options->style == PLAIT_RENDER_AUTO &&
                 (info->radius[fibre] < HAIR_RADIUS || has_any(of_group, hairy) || has_any(of_material, hairy)));
    if (options->style == PLAIT_RENDER_CONTACTS) {
        look.colour = f3(0.62f, 0.64f, 0.67f);
    } else if (look.hair) {
        look.colour = options->colour[0] < 0 ? BROWN : f3_from(options->colour);
    } else if (options->colour[0] >= 0) {
        look.colour = f3_from(options->colour);
    } else {
        look.colour = palette[(info->groups > 1 ? group : material) % PALETTE];
        for (size_t i = 0; i < sizeof known / sizeof *known; i++)
            if (has_word(of_material, known[i].word) || has_word(of_group, known[i].word)) {
                look.colour = known[i].colour;
                break;
            }
    }
    return look;
}

plait_f3 plait_look_soft(const plait_trajectory_info *info, int soft, float *clear)
{
    static const char *const skin[] = {"head", "skin", "scalp", "hand", "tissue", NULL};
    static const plait_f3 cloth[] = {{0.45f, 0.05f, 0.055f}, {0.045f, 0.15f, 0.38f}, {0.50f, 0.36f, 0.12f}};
    static const plait_f3 jelly[] = {{0.80f, 0.10f, 0.08f},
                                     {0.16f, 0.62f, 0.16f},
                                     {0.86f, 0.50f, 0.06f},
                                     {0.48f, 0.12f, 0.60f},
                                     {0.08f, 0.42f, 0.72f}};
    const plait_trajectory_body *body = &info->soft[soft];
    const char *material = body->material < info->materials ? info->material_name[body->material] : "";
    *clear = 0;
    if (!body->shape.closed)
        return cloth[soft % 3];
    if (has_word(body->name, "lip") || has_word(material, "lip"))
        return f3(0.42f, 0.13f, 0.115f);
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (has_word(material, known[i].word) || has_word(body->name, known[i].word))
            return known[i].colour;
    if (has_any(body->name, skin) || has_any(material, skin))
        return f3(0.35f, 0.215f, 0.15f);
    *clear = 0.55f;
    return jelly[soft % 5];
}

plait_f3 plait_look_body(const plait_trajectory_info *info, const plait_trajectory_body *body, int rigid)
{
    static const char *const skin[] = {"head", "skin", "body", "shoulder", "scalp", "hand", "finger", NULL};
    const char *material = body->material < info->materials ? info->material_name[body->material] : "";
    if (has_any(body->name, skin) || has_any(material, skin))
        return f3(0.35f, 0.215f, 0.15f);
    return rigid < 0 ? f3(0.30f, 0.315f, 0.335f) : palette[(rigid + 1) % PALETTE];
}

void plait_look_up(const char *scene, double up[3])
{
    plait_vec3_set(up, 0, 0, 1);
    const char *key = scene && strncmp(scene, "gravity:", 8) == 0 ? scene : scene ? strstr(scene, "\ngravity:") : NULL;
    const char *at = key ? strchr(key, ':') + 1 : NULL;
    double g[3];
    for (int i = 0; at && i < 3; i++) {
        at += strspn(at, i ? ", \"'" : " [\"'");
        char *end;
        g[i] = strtod(at, &end);
        if (end == at)
            return;
        at = end + strcspn(end, ",\n]"); // over its unit
    }
    if (at && plait_vec3_finite(g) && plait_vec3_normalise(g) > 0)
        plait_vec3_set(up, -g[0], -g[1], -g[2]);
}
