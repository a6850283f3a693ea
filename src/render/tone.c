// tone.c: light to what a screen shows.
#include "render/render.h"

// The dark a little darker (x^2 / (x + toe)), the bright bent: x (1 + x / w^2) / (1 + x) reaches 1 at x = w.
static float bend(float x)
{
    const float white = 2.6f, toe = 0.045f;
    x = 1.25f * x * x / (x + toe);
    return x * (1 + x / (white * white)) / (1 + x);
}

static float encode(float x)
{
    return x <= 0.0031308f ? 12.92f * x : 1.055f * powf(x, 1 / 2.4f) - 0.055f;
}

float plait_tone_encode(float light)
{
    return f3_clamp(encode(bend(light > 0 ? light : 0)), 0, 1);
}

void plait_tone_map(const float *linear, int width, int height, unsigned char *rgb)
{
    for (int64_t i = 0; i < 3 * (int64_t)width * height; i++)
        rgb[i] = (unsigned char)(255 * plait_tone_encode(linear[i]) + 0.5f);
}
