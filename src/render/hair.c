// hair.c: how a hair scatters light.
//
// Three paths through a cylinder with tilted scales (Marschner, Jensen, Cammarano, Worley and Hanrahan, "Light
// scattering from human hair fibers", 2003): R is reflected at the surface, TT goes through, TRT is reflected inside
// and carries the colour. Each is the product of a bell in the inclination and of one around the fibre:
//
//     S(wi, wo) = sum_p A_p G(ti + to - 2 a_p; b_p) / cos ti  N_p(phi),
//
// t the inclinations against the normal plane, phi the angle between eye and light about the fibre. G integrates to 1
// over all angles ti, N_p over phi, and dw = cos ti dti dphi: so the light that is scattered is at most sum_p A_p of
// what comes. A last, broad part stands for light that went through many hairs.
#include "render/render.h"

// Width of the bells and shares. The bound of the sum is tested (test/unit/render_hair.c).
static const float WIDTH_R = 0.17f, WIDTH_TT = 0.16f, WIDTH_TRT = 0.34f; // [rad]
static const float SHARE_TT = 0.38f, SHARE_TRT = 0.09f, SHARE_MANY = 0.42f;
static const float FRONT = 0.046f; // reflected at normal incidence, refractive index 1.55

// exp(k cos x) / (2 pi I0(k)), k = 7 for TT (about phi = pi), 1.5 for TRT (about phi = 0).
static const float K_TT = 7, NORM_TT = 0.00094401f, K_TRT = 1.5f, NORM_TRT = 0.0966495f;

static float bell(float x, float width)
{
    float q = x / width;
    return q * q > 40 ? 0 : 0.39894228f / width * expf(-0.5f * q * q);
}

// The angle about the hair is not defined for light or eye along it: its cosine where half of R lies on either side.
static const float MEAN_PHI = -0.19f;

static float fresnel(float cosine)
{
    float q = 1 - cosine;
    return FRONT + (1 - FRONT) * q * q * q * q * q;
}

// Scales hide one another at flat angles, from the eye as from the light, and what they reflect is spread: hair that
// points at the eye is no mirror, and a tip or the far side of a parting does not flash white against a lamp behind it.
static float unhidden(float cosine)
{
    return 0.4f + 0.6f * cosine;
}

plait_f3 plait_hair_scatter(plait_f3 colour, float tilt, plait_f3 tangent, plait_f3 eye, plait_f3 light)
{
    float si = f3_clamp(f3_dot(light, tangent), -1, 1), so = f3_clamp(f3_dot(eye, tangent), -1, 1);
    float ci = sqrtf(1 - si * si), co = sqrtf(1 - so * so);
    // Close to the axis the quotient is bounded, and light is lost rather than gained.
    float inverse = 1 / fmaxf(ci, 0.35f);
    float cphi = ci * co > 1e-6f ? f3_clamp((f3_dot(eye, light) - si * so) / (ci * co), -1, 1) : MEAN_PHI;
    float sum = asinf(si) + asinf(so);
    float half = sqrtf(0.5f * (1 + cphi)); // cos(phi / 2)

    // What is reflected depends on how flat light strikes; what goes through does so about the middle of the hair.
    // Scales are rough: at flat angles they are no mirror, or a parting against the light is a white line.
    float F = fminf(fresnel(co * half), 0.2f), in = 1 - fresnel(co);
    float width = WIDTH_R + 0.35f * (1 - co) * (1 - co);
    float R = F * bell(sum - 2 * tilt, width) * 0.25f * half * inverse * unhidden(ci) * unhidden(co);
    float TT = SHARE_TT * in * in * bell(sum + tilt, WIDTH_TT) * NORM_TT * expf(-K_TT * cphi) * inverse;
    float TRT = SHARE_TRT * in * in * bell(sum + 3 * tilt, WIDTH_TRT) * NORM_TRT * expf(K_TRT * cphi) * inverse;
    float many = SHARE_MANY * in * ci * (1 + 0.4f * cphi) * 0.10132118f; // 1 / pi^2
    plait_f3 root = f3(sqrtf(colour.x), sqrtf(colour.y), sqrtf(colour.z));
    plait_f3 s = f3_grey(R);
    s = f3_axpy(TT + TRT, root, s);
    return f3_axpy(many, colour, s);
}

plait_f3 plait_hair_albedo(plait_f3 colour)
{
    plait_f3 root = f3(sqrtf(colour.x), sqrtf(colour.y), sqrtf(colour.z));
    plait_f3 s = f3_grey(FRONT);
    s = f3_axpy(0.35f * SHARE_TT + SHARE_TRT, root, s);
    return f3_axpy(SHARE_MANY, colour, s);
}

plait_f3 plait_hair_through(plait_f3 colour)
{
    return f3(0.82f * sqrtf(sqrtf(colour.x)), 0.82f * sqrtf(sqrtf(colour.y)), 0.82f * sqrtf(sqrtf(colour.z)));
}
