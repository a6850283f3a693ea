// The generator `helix` against the curve itself: distance from the axis, height over angle, handedness, phase.
#include "check.h"
#include "math/vec3.h"
#include "scene/generators.h"
#include "sim_scenes.h"

static void check_helix(double pitch, double phase)
{
    plait_scene *s = scenes_new(0.3);
    plait_scene_add_group(s, "group");
    plait_gen_style style = plait_gen_default_style();
    plait_gen_helix_options o = plait_gen_default_helix();
    o.axis[0] = 0, o.axis[1] = 0, o.axis[2] = 2, o.radius = 0.02, o.pitch = pitch, o.turns = 1.5, o.phase = phase;
    plait_vec3_set(o.from, 0.1, 0.2, 0.3);
    style.segments = 60;
    plait_error error = {0};
    if (!CHECK_INT(plait_gen_helix(s, &style, &o, &error), PLAIT_OK))
        puts(error.text);
    const plait_fibre *f = &s->fibre[0];
    double first = 0, before = 0, turned = 0;
    for (int i = 0; i < f->points; i++) {
        const double *x = f->point + 3 * i;
        double dx = x[0] - o.from[0], dy = x[1] - o.from[1], angle = atan2(dy, dx), step = angle - before;
        CHECK_NEAR(hypot(dx, dy), o.radius, 1e-3 * o.radius); // on a chord of the drawn curve
        if (i == 0)
            first = angle;
        else
            turned += step - 2 * M_PI * round(step / (2 * M_PI));
        before = angle;
        CHECK_NEAR(x[2] - o.from[2], pitch * turned / (2 * M_PI), 1e-5); // a negative pitch turns the other way
    }
    CHECK_NEAR(fabs(turned), 2 * M_PI * o.turns, 1e-6);
    // The phase turns the beginning, in the sense of the helix; where it begins without one is the generator's choice.
    static double none[2];
    if (phase == 0)
        none[pitch < 0] = first;
    else
        CHECK_NEAR(cos(first - none[pitch < 0] - copysign(phase, pitch)), 1, 1e-12);
    plait_scene_free(s);
}

CASE(helices)
{
    for (int hand = 0; hand < 2; hand++)
        for (int k = 0; k < 4; k++)
            check_helix(hand ? -0.01 : 0.01, 0.7 * k);
}
