// Lengths of generated hair: linear in the height of the root, from the highest to the lowest.
#include "gen_check.h"

static double length_of(const plait_fibre *f)
{
    double sum = 0;
    for (int i = 1; i < f->points; i++) {
        double d[3];
        plait_vec3_sub(f->point + 3 * i, f->point + 3 * (i - 1), d);
        sum += plait_vec3_norm(d);
    }
    return sum;
}

CASE(lengths_go_with_the_height)
{
    plait_scene *s = gen_ball();
    plait_gen_style style = plait_gen_default_style();
    plait_gen_scalp_options o = plait_gen_default_scalp();
    plait_error error = {0};
    style.segments = 10, style.jitter_length = 0;
    o.count = 80, o.length = 0.15, o.length_low = 0.05, o.region.cap = 1.5707963, o.region.face = 0;
    plait_vec3_set(o.comb, 0, 0, 0); // straight away from the skin
    plait_vec3_set(o.region.up, 0, 0, 1);
    if (!CHECK(plait_gen_scalp(s, &style, &o, &error) == PLAIT_OK))
        puts(error.text);
    double low = INFINITY, high = -INFINITY, shortest = INFINITY, longest = 0;
    for (int i = 0; i < s->fibres; i++)
        low = fmin(low, s->fibre[i].point[2]), high = fmax(high, s->fibre[i].point[2]);
    CHECK(high - low > 0.05);
    for (int i = 0; i < s->fibres; i++) {
        double part = (high - s->fibre[i].point[2]) / (high - low), length = length_of(&s->fibre[i]);
        CHECK_NEAR(length, (1 - part) * o.length + part * o.length_low, 0.03 * o.length);
        shortest = fmin(shortest, length), longest = fmax(longest, length);
    }
    CHECK_NEAR(shortest, o.length_low, 0.01 * o.length);
    CHECK_NEAR(longest, o.length, 0.01 * o.length);
    plait_scene_free(s);
}
