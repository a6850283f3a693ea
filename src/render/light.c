// light.c: a studio: a warm soft lamp beside the camera, a cool one behind the scene, a sky, and a backdrop.
#include "math/vec3.h"
#include "render/render.h"

static plait_f3 toward(plait_f3 front, plait_f3 side, plait_f3 up, float azimuth, float elevation)
{
    float a = azimuth * 0.017453293f, e = elevation * 0.017453293f;
    plait_f3 d = f3_axpy(cosf(e) * cosf(a), front, f3_scale(cosf(e) * sinf(a), side));
    return f3_unit(f3_axpy(sinf(e), up, d));
}

// The frame of an environment: x and y as they are, where up is z.
static void level_frame(const double up[3], plait_f3 axes[3])
{
    double a[3] = {1, 0, 0}, b[3];
    if (!(plait_vec3_orthonormalise(up, a) > 1e-3)) {
        plait_vec3_set(a, 0, 1, 0);
        plait_vec3_orthonormalise(up, a);
    }
    plait_vec3_cross(up, a, b);
    axes[0] = f3_from(a);
    axes[1] = f3_from(b);
    axes[2] = f3_from(up);
}

plait_lights plait_lights_new(const plait_camera *camera, const double up[3], const plait_environment *environment)
{
    double back[3], side[3];
    plait_vec3_sub(camera->eye, camera->target, back);
    if (!(plait_vec3_orthonormalise(up, back) > 1e-9)) // seen from above: "behind" is below in the picture
        plait_vec3_any_normal(up, back);
    plait_vec3_cross(up, back, side);
    plait_lights l = {.up = f3_from(up), .side = f3_from(side), .environment = environment};
    level_frame(up, l.axes);
    // Pictures have units of their own: this one becomes as bright as the studio.
    l.gain = environment ? 0.62f / plait_environment_mean(environment) : 1;
    plait_f3 front = f3_from(back);
    l.lamp[0] = (plait_lamp){toward(front, l.side, l.up, -42, 48), cosf(0.16f), f3(2.15f, 1.98f, 1.76f)};
    l.lamp[1] = (plait_lamp){toward(front, l.side, l.up, 152, 38), cosf(0.14f), f3(0.80f, 0.86f, 0.94f)};
    return l;
}

plait_f3 plait_lights_sky(const plait_lights *l, plait_f3 direction)
{
    if (l->environment)
        return f3_scale(l->gain, plait_environment_light(l->environment, l->axes, direction, true));
    float h = f3_dot(direction, l->up), s = f3_dot(direction, l->side);
    if (h < 0) // light that the ground sends back
        return f3_scale(0.26f, f3(1, 0.96f, 0.9f));
    plait_f3 sky = f3_mix(f3(0.36f, 0.40f, 0.45f), f3(0.5f, 0.56f, 0.66f), h);
    return f3_scale(1 - 0.22f * s, sky); // brighter on the side of the warm lamp
}

bool plait_lights_draw(const plait_lights *l, int i, float a, float b, plait_f3 *direction, plait_f3 *light)
{
    if (l->environment) { // each of the lamps is a part of what is bright
        bool any = plait_environment_draw(l->environment, l->axes, a, b, direction, light);
        *light = any ? f3_scale(l->gain / PLAIT_LAMPS, *light) : f3_grey(0);
        return any;
    }
    *direction = plait_sample_cone(l->lamp[i].direction, l->lamp[i].cosine, a, b);
    *light = l->lamp[i].light;
    return true;
}

plait_f3 plait_lights_backdrop(const plait_lights *l, float x, float y, plait_f3 direction)
{
    if (l->environment)
        return f3_scale(l->gain, plait_environment_light(l->environment, l->axes, direction, false));
    float dx = x * 0.75f, dy = (y + 0.12f) * 0.8f;
    float r = f3_clamp(sqrtf(dx * dx + dy * dy) / 1.15f, 0, 1);
    r = r * r * (3 - 2 * r);
    return f3_mix(f3(0.60f, 0.63f, 0.66f), f3(0.16f, 0.185f, 0.22f), r);
}
