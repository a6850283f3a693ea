// Head and shoulders: closed, outside out, of the size asked for. Distances to them: exact near, signed right.
#include "base/rng.h"
#include "gen_check.h"
#include "scene/gen_grid.h"

// Every edge is run along once in each direction.
static bool is_closed(const plait_shape *s)
{
    size_t n = (size_t)s->points;
    signed char *seen = calloc(n * n, 1);
    for (int t = 0; t < s->triangles; t++)
        for (int k = 0; k < 3; k++)
            seen[(size_t)s->triangle[3 * t + k] * n + (size_t)s->triangle[3 * t + (k + 1) % 3]]++;
    bool ok = true;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            ok = ok && seen[i * n + j] <= 1 && seen[i * n + j] == seen[j * n + i];
    free(seen);
    return ok;
}

static double volume(const plait_shape *s)
{
    double sum = 0, w[3];
    for (int t = 0; t < s->triangles; t++) {
        const double *a = s->point + 3 * (size_t)s->triangle[3 * t], *b = s->point + 3 * (size_t)s->triangle[3 * t + 1],
                     *c = s->point + 3 * (size_t)s->triangle[3 * t + 2];
        plait_vec3_cross(b, c, w);
        sum += plait_vec3_dot(a, w) / 6;
    }
    return sum;
}

static void free_shape(plait_shape *s)
{
    free(s->point);
    free(s->triangle);
}

CASE(head)
{
    plait_error error = {0};
    for (int detail = 1; detail < 5; detail++) {
        plait_shape s = {0};
        plait_gen_head_options o = plait_gen_default_head();
        o.detail = detail;
        CHECK_INT(plait_gen_head_mesh(&s, &o, &error), PLAIT_OK);
        CHECK_INT(s.triangles, 20 << 2 * detail);
        CHECK_INT(s.points, s.triangles / 2 + 2);
        CHECK(s.kind == PLAIT_SHAPE_MESH && s.closed && is_closed(&s));
        double high = 0, wide = 0, back = 0, v = volume(&s);
        for (int i = 0; i < s.points; i++) {
            high = fmax(high, s.point[3 * i + 2]);
            wide = fmax(wide, fabs(s.point[3 * i]));
            back = fmin(back, s.point[3 * i + 1]);
        }
        CHECK_NEAR(high, 0.4 * o.height, 0.006);
        CHECK_NEAR(wide, o.width / 2, 0.006);
        CHECK_NEAR(back, -o.depth / 2, 0.006);
        CHECK(v > 2.5e-3 && v < 5.5e-3); // a head has some four litres
        free_shape(&s);
    }
    plait_shape s = {0};
    plait_gen_head_options o = plait_gen_default_head();
    o.detail = 9;
    CHECK_INT(plait_gen_head_mesh(&s, &o, &error), PLAIT_BAD_INPUT);
    CHECK(!s.point);
}

CASE(shoulders)
{
    plait_error error = {0};
    plait_shape s = {0};
    plait_gen_shoulders_options o = plait_gen_default_shoulders();
    CHECK_INT(plait_gen_shoulders_mesh(&s, &o, &error), PLAIT_OK);
    CHECK(is_closed(&s) && volume(&s) > 0.01);
    double wide = 0;
    for (int i = 0; i < s.points; i++)
        wide = fmax(wide, fabs(s.point[3 * i]));
    CHECK_NEAR(wide, o.width / 2, 0.01);
    free_shape(&s);
}

// Against brute force, at random places around and inside.
CASE(distance)
{
    plait_scene *s = plait_scene_new();
    plait_error error = {0};
    plait_scene_add_collider(s, "head", PLAIT_SHAPE_MESH);
    plait_gen_head_options o = plait_gen_default_head();
    o.detail = 2;
    plait_gen_head_mesh(&s->collider[0].shape, &o, &error);
    plait_vec3_set(s->collider[0].position, 0.3, -0.1, 0.2);
    plait_vec3_set(s->collider[0].rotation, 0.2, 0.5, -1);
    plait_gen_field *field = NULL;
    CHECK_INT(plait_gen_field_new(s, &field, &error), PLAIT_OK);
    plait_rng rng = plait_rng_new(1, 0);
    int near = 0, inside = 0;
    for (int i = 0; field && i < 3000; i++) {
        double x[3], n[3];
        for (int c = 0; c < 3; c++)
            x[c] = s->collider[0].position[c] + plait_rng_between(&rng, -0.16, 0.16);
        double d = plait_gen_field_at(field, -1, x, n), exact = gen_distance(&s->collider[0], x);
        CHECK_NEAR(plait_vec3_norm(n), 1, 1e-9);
        if (fabs(exact) < 0.003) {
            near++;
            CHECK_NEAR(d, exact, 2e-5);
        } else {
            CHECK_NEAR(d, exact, 0.003 + 0.1 * fabs(exact)); // which triangle is nearest may be mistaken
        }
        inside += exact < 0;
    }
    CHECK(near > 50 && inside > 200);
    plait_gen_field_free(field);
    plait_scene_free(s);
}

// The simple shapes: the distance grows along the normal at the rate 1, and is zero on the surface.
CASE(shapes)
{
    const plait_shape_kind kinds[] = {PLAIT_SHAPE_PLANE, PLAIT_SHAPE_SPHERE, PLAIT_SHAPE_CAPSULE, PLAIT_SHAPE_BOX,
                                      PLAIT_SHAPE_CYLINDER};
    for (int k = 0; k < 5; k++) {
        plait_scene *s = plait_scene_new();
        plait_error error = {0};
        plait_scene_add_collider(s, "it", kinds[k]);
        plait_vec3_set(s->collider[0].shape.size, 0.5, 0.8, 0.3);
        plait_gen_field *field = NULL;
        CHECK_INT(plait_gen_field_new(s, &field, &error), PLAIT_OK);
        plait_rng rng = plait_rng_new(2, (uint64_t)k);
        for (int i = 0; field && i < 300; i++) {
            double x[3], n[3], m[3];
            for (int c = 0; c < 3; c++)
                x[c] = plait_rng_between(&rng, -1.5, 1.5);
            double d = plait_gen_field_at(field, 0, x, n);
            if (d > 0) {
                plait_vec3_axpy(-d, n, x);
                CHECK_NEAR(plait_gen_field_at(field, 0, x, m), 0, 1e-12);
                plait_vec3_axpy(0.1, n, x);
                CHECK_NEAR(plait_gen_field_at(field, 0, x, m), 0.1, 1e-12);
            } else {
                plait_vec3_axpy(-d + 1e-9, n, x);
                CHECK_NEAR(plait_gen_field_at(field, 0, x, m), 1e-9, 1e-12);
            }
        }
        plait_gen_field_free(field);
        plait_scene_free(s);
    }
}

// The options come back from the mesh alone; nothing else passes for a head.
CASE(figures_are_recognised)
{
    plait_error error = {0};
    for (int round = 0; round < 12; round++) {
        plait_rng rng = plait_rng_new(3, (uint64_t)round);
        double size = round ? plait_rng_between(&rng, 0.3, 3) : 1;
        plait_gen_head_options o = plait_gen_default_head(), found;
        plait_gen_shoulders_options p = plait_gen_default_shoulders(), got;
        double *length[] = {&o.width, &o.depth, &o.height, &o.neck_radius, &o.neck_length, &o.nose, &p.width,
                            &p.depth, &p.height, &p.drop,  &p.back,        &p.neck_radius};
        for (size_t i = 0; i < sizeof length / sizeof *length; i++)
            *length[i] *= size * (round ? plait_rng_between(&rng, 0.85, 1.15) : 1);
        o.detail = p.detail = 2 + round % 3;
        plait_shape head = {0}, shoulders = {0};
        CHECK_INT(plait_gen_head_mesh(&head, &o, &error), PLAIT_OK);
        CHECK_INT(plait_gen_shoulders_mesh(&shoulders, &p, &error), PLAIT_OK);
        if (CHECK(plait_gen_find_head(&head, &found))) {
            CHECK_NEAR(found.width, o.width, 1e-4 * o.width);
            CHECK_NEAR(found.height, o.height, 1e-4 * o.width);
            CHECK_NEAR(found.neck_length, o.neck_length, 1e-3 * o.width);
        }
        if (CHECK(plait_gen_find_shoulders(&shoulders, &got))) {
            CHECK_NEAR(got.width, p.width, 1e-4 * p.width);
            CHECK_NEAR(got.drop, p.drop, 1e-4 * p.width);
        }
        CHECK(!plait_gen_find_head(&shoulders, &found));
        CHECK(!plait_gen_find_shoulders(&head, &got));
        head.point[3 * (head.points / 2)] += 0.02 * o.width; // a dent
        CHECK(!plait_gen_find_head(&head, &found));
        free_shape(&head);
        free_shape(&shoulders);
    }
}
