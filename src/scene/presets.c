// presets.c: numbers of some kinds of hair, to begin with.
//
// Dry human hair: 50 to 100 um thick, density 1.32 g/cm^3, Young's modulus 3 to 5 GPa; curly hair has flatter sections.
// Wet hair is softer (about 40 % of the dry modulus) and heavier by the water that it holds; gel is a film that
// stiffens. Damping and drag are chosen to look right.
#include <string.h>

#include "scene/scene.h"

typedef struct preset {
    const char *name;
    double radius[2], density, young, damping, drag, slip;
} preset;

static const preset presets[] = {
    {"none", {0, 0}, 0, 0, 0, 0, 0},
    {"fine", {27e-6, 27e-6}, 1320, 3.4e9, 8e-3, 2, 0.5},
    {"coarse", {45e-6, 45e-6}, 1320, 4.6e9, 5e-3, 0.8, 0.5},
    {"curly", {40e-6, 30e-6}, 1320, 3.9e9, 6e-3, 1.2, 0.4},
    {"coily", {45e-6, 25e-6}, 1320, 4.2e9, 8e-3, 1.5, 0.2},
    {"fur", {15e-6, 15e-6}, 1300, 4e9, 10e-3, 4, 0.5},
    {"wet", {37e-6, 37e-6}, 1900, 1.6e9, 25e-3, 0.8, 0.5},
    {"gel", {37e-6, 37e-6}, 1600, 12e9, 40e-3, 0.8, 0.5},
};
enum { PRESETS = sizeof presets / sizeof *presets };

const char *plait_preset_word(int i)
{
    return i >= 0 && i < PRESETS ? presets[i].name : NULL;
}

bool plait_preset_value(int i, const char *key, double value[2])
{
    if (i < 1 || i >= PRESETS)
        return false;
    const preset *p = &presets[i];
    const struct {
        const char *key;
        double value[2];
    } rows[] = {{"radius", {p->radius[0], p->radius[1]}},
                {"density", {p->density}},
                {"young", {p->young}},
                {"damping", {p->damping}},
                {"drag", {p->drag}},
                {"slip", {p->slip}}};
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
        if (strcmp(rows[k].key, key) == 0) {
            value[0] = rows[k].value[0], value[1] = rows[k].value[1];
            return true;
        }
    return false;
}
