// Hair on heads and ponytails: even roots in their region, no overlaps by brute force, the same for the same seed.
#include "gen_check.h"
#include "scene/gen_roots.h"

static plait_scene *person(double contact_radius, bool shoulders)
{
    plait_scene *s = plait_scene_new();
    plait_material m = plait_default_material();
    plait_scene_add_material(s, "hair", &m, 0.3);
    s->material[0].contact_radius = contact_radius;
    plait_scene_add_group(s, "hair");
    plait_gen_head_options head = plait_gen_default_head();
    head.detail = 2;
    plait_scene_add_collider(s, "head", PLAIT_SHAPE_MESH);
    plait_gen_head_mesh(&s->collider[0].shape, &head, NULL);
    plait_gen_shoulders_options rest = plait_gen_default_shoulders();
    rest.detail = 2;
    if (shoulders) {
        plait_scene_add_collider(s, "shoulders", PLAIT_SHAPE_MESH);
        plait_gen_shoulders_mesh(&s->collider[1].shape, &rest, NULL);
    }
    return s;
}

CASE(roots)
{
    enum { COUNT = 200 };
    plait_scene *s = person(1e-3, false);
    plait_gen_field *field = NULL;
    plait_error error = {0};
    plait_gen_root root[COUNT];
    plait_gen_region region = plait_gen_default_region();
    double area = 0, up[3], front[3];
    plait_vec3_copy(region.up, up);
    plait_vec3_copy(region.front, front);
    plait_vec3_normalise(up), plait_vec3_normalise(front);
    CHECK_INT(plait_gen_field_new(s, &field, &error), PLAIT_OK);
    CHECK_INT(plait_gen_roots("test", s, field, 0, &region, COUNT, 5, root, &area, &error), PLAIT_OK);
    CHECK(area > 0.03 && area < 0.08);
    double least = INFINITY, mean = 0;
    for (int i = 0; i < COUNT; i++) {
        double nearest = INFINITY, d[3];
        for (int j = 0; j < COUNT; j++) {
            plait_vec3_sub(root[i].x, root[j].x, d);
            nearest = j != i ? fmin(nearest, plait_vec3_norm(d)) : nearest;
        }
        least = fmin(least, nearest);
        mean += nearest / COUNT;
        CHECK_NEAR(gen_distance(&s->collider[0], root[i].x), 0, 1e-12);
        plait_vec3_copy(root[i].x, d);
        plait_vec3_normalise(d);
        CHECK(plait_vec3_dot(d, up) >= cos(region.cap) && plait_vec3_dot(d, front) <= cos(region.face));
    }
    // Random places would have a mean of half the lattice's distance and a least one near zero.
    CHECK(least > 0.6 * sqrt(area / COUNT) && mean > 0.75 * sqrt(area / COUNT));
    plait_gen_field_free(field);
    plait_scene_free(s);
}

static void check_hair(plait_scene *s, const plait_gen_style *style, const plait_gen_scalp_options *o)
{
    plait_error error = {0};
    if (!CHECK(plait_gen_scalp(s, style, o, &error) == PLAIT_OK)) {
        puts(error.text);
        return;
    }
    CHECK_INT(s->fibres, o->count);
    gen_overlap at = gen_overlaps(s);
    if (!CHECK(at.fibres >= 1) || !CHECK(at.colliders >= 0.99))
        printf("fibres %g (%d, %d), colliders %g (%d)\n", at.fibres, at.a, at.b, at.colliders, at.fibre);
    for (int i = 0; i < s->fibres; i++) {
        const plait_fibre *f = &s->fibre[i];
        CHECK(f->end[0] == PLAIT_END_CLAMPED && f->attach[0] == o->collider && f->end[1] == PLAIT_END_FREE);
        double root = gen_distance(&s->collider[o->collider], f->point);
        double radius = plait_gen_contact_radius(s, 0);
        CHECK(root > 0.99 * (1 + o->gap) * radius && root < 2.5 * radius); // also of those that gave way
    }
}

CASE(scalp_superhelix)
{
    plait_scene *s = person(0.8e-3, true);
    plait_gen_style style = plait_gen_default_style();
    plait_gen_scalp_options o = plait_gen_default_scalp();
    style.model = PLAIT_ROD_SUPERHELIX, style.segments = 5, style.jitter_length = 0.1;
    o.count = 80;
    check_hair(s, &style, &o);
    double lowest = INFINITY, highest = -INFINITY;
    for (int i = 0; i < s->fibres; i++) {
        double tip = s->fibre[i].point[3 * (s->fibre[i].points - 1) + 2];
        lowest = fmin(lowest, tip);
        highest = fmax(highest, tip);
    }
    CHECK(highest < 0 && lowest < -0.2); // it hangs
    plait_scene_free(s);
}

CASE(scalp_der)
{
    plait_scene *s = person(1.2e-3, true);
    plait_gen_style style = plait_gen_default_style();
    plait_gen_scalp_options o = plait_gen_default_scalp();
    style.segments = 24, style.natural = PLAIT_GEN_WAVE, style.jitter_phase = 0.3;
    o.count = 60, o.length = 0.25, o.length_low = 0.2;
    check_hair(s, &style, &o);
    plait_scene_free(s);
}

CASE(standing_curls)
{
    plait_scene *s = gen_ball();
    plait_gen_style style = plait_gen_default_style();
    plait_gen_scalp_options o = plait_gen_default_scalp();
    style.segments = 29, style.natural = PLAIT_GEN_CURL;
    o.count = 100, o.length = 0.15, o.region.cap = 1.5707963, o.region.face = 0;
    plait_vec3_set(o.comb, 0, 0, 0);
    plait_vec3_set(o.region.up, 0, 0, 1);
    check_hair(s, &style, &o);
    plait_scene_free(s);
}

// The same seed gives the same fibres, bit for bit; a second groom keeps clear of the first.
CASE(again)
{
    plait_scene *s[2];
    for (int k = 0; k < 2; k++) {
        s[k] = person(0.8e-3, false);
        plait_gen_style style = plait_gen_default_style();
        plait_gen_scalp_options o = plait_gen_default_scalp();
        plait_error error = {0};
        style.model = PLAIT_ROD_SUPERHELIX, style.segments = 5;
        o.count = 20, o.length = 0.15;
        CHECK_INT(plait_gen_scalp(s[k], &style, &o, &error), PLAIT_OK);
        style.seed = 2, style.model = PLAIT_ROD_DER, style.segments = 12;
        if (!CHECK(plait_gen_scalp(s[k], &style, &o, &error) == PLAIT_OK))
            puts(error.text);
    }
    CHECK_INT(s[0]->fibres, 40);
    for (int i = 0; i < s[0]->fibres && i < s[1]->fibres; i++)
        CHECK(memcmp(s[0]->fibre[i].point, s[1]->fibre[i].point, 3 * sizeof(double) * (size_t)s[0]->fibre[i].points) ==
              0);
    CHECK(gen_overlaps(s[0]).fibres >= 1);
    plait_scene_free(s[0]);
    plait_scene_free(s[1]);
}

CASE(ponytail)
{
    for (int scalp = 0; scalp < 2; scalp++) {
        plait_scene *s = person(0.4e-3, false);
        plait_gen_style style = plait_gen_default_style();
        plait_gen_ponytail_options o = plait_gen_default_ponytail();
        plait_error error = {0};
        style.model = scalp ? PLAIT_ROD_DER : PLAIT_ROD_SUPERHELIX;
        style.segments = scalp ? 40 : 5, style.jitter_length = 0.1;
        o.count = scalp ? 40 : 91, o.scalp = scalp;
        if (!CHECK(plait_gen_ponytail(s, &style, &o, &error) == PLAIT_OK))
            puts(error.text);
        CHECK_INT(s->fibres, o.count);
        gen_overlap at = gen_overlaps(s);
        if (!CHECK(at.fibres >= 1) || !CHECK(at.colliders >= 0.99))
            printf("fibres %g (%d, %d), colliders %g (%d)\n", at.fibres, at.a, at.b, at.colliders, at.fibre);
        for (int i = 0; i < s->fibres; i++) // hangs behind the head
            CHECK(s->fibre[i].point[3 * s->fibre[i].points - 1] < 0 &&
                  s->fibre[i].point[3 * s->fibre[i].points - 2] < -0.1);
        o.radius = 1e-3;
        CHECK_INT(plait_gen_ponytail(s, &style, &o, &error), PLAIT_BAD_INPUT);
        CHECK(strstr(error.text, "need a tie of radius") != NULL);
        CHECK_INT(s->fibres, o.count);
        plait_scene_free(s);
    }
}

static double apart(const double a[3], const double b[3])
{
    double d[3];
    plait_vec3_sub(a, b, d);
    return plait_vec3_norm(d);
}

// A single hair goes round the head to the tie: no farther from its middle than its root or the tie.
CASE(over_the_head)
{
    plait_gen_style style = plait_gen_default_style();
    plait_gen_ponytail_options o = plait_gen_default_ponytail();
    plait_error error = {0};
    style.segments = 60;
    o.count = 1, o.scalp = true;
    for (int seed = 1; seed <= 4; seed++) {
        plait_scene *s = person(0.4e-3, false);
        style.seed = (uint64_t)seed;
        CHECK_INT(plait_gen_ponytail(s, &style, &o, &error), PLAIT_OK);
        const plait_fibre *f = &s->fibre[s->fibres - 1];
        const double *middle = s->collider[o.collider].position;
        int tie = 0;
        for (int k = 0; k < f->points; k++)
            if (apart(f->point + 3 * k, o.tie) < apart(f->point + 3 * tie, o.tie))
                tie = k;
        double most = fmax(apart(f->point, middle), apart(o.tie, middle));
        for (int k = 0; k < tie; k++)
            CHECK(apart(f->point + 3 * k, middle) < 1.02 * most);
        plait_scene_free(s);
    }
}

CASE(refused)
{
    plait_scene *s = person(8e-3, false);
    plait_gen_style style = plait_gen_default_style();
    plait_gen_scalp_options o = plait_gen_default_scalp();
    plait_error error = {0};
    o.collider = 1;
    CHECK_INT(plait_gen_scalp(s, &style, &o, &error), PLAIT_BAD_INPUT);
    o.collider = 0, o.region.cap = 1e-6;
    CHECK_INT(plait_gen_scalp(s, &style, &o, &error), PLAIT_BAD_INPUT);
    CHECK(strstr(error.text, "nothing grows") != NULL);
    o = plait_gen_default_scalp();
    o.count = 200, o.rounds = 5; // ropes that have no room
    CHECK_INT(plait_gen_scalp(s, &style, &o, &error), PLAIT_BAD_INPUT);
    CHECK(strstr(error.text, "still too near") != NULL);
    CHECK_INT(s->fibres, 0);
    plait_scene_free(s);
}
