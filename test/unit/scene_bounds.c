// Indices at the edge of their range, and numbers that are not finite at any place of a list: refused, one beyond; taken, up
// to there.
#include "check.h"
#include "plait/review.h"
#include "scene/generators.h"
#include "sim_scenes.h"

static plait_scene *bare(void)
{
    plait_scene *s = scenes_new(0.3);
    scenes_ground(s);
    scenes_rod(s, PLAIT_ROD_DER, (double[]){0, 0, 0.1}, (double[]){1, 0, 0}, 5);
    plait_scene_add_rigid(s, "ball", PLAIT_SHAPE_SPHERE);
    s->rigid[0].shape.size[0] = 0.01, s->rigid[0].density = 1000;
    return s;
}

CASE(indices)
{
    plait_scene *s = bare();
    CHECK_INT(plait_scene_check(s, NULL), PLAIT_OK);
    int *index[] = {&s->fibre[0].material, &s->collider[0].material, &s->rigid[0].material};
    for (int k = 0; k < 3; k++) {
        const int kept = *index[k], wrong[] = {-1, s->materials, s->materials + 1, 1 << 30};
        for (int w = 0; w < 4; w++) {
            *index[k] = wrong[w];
            CHECK_INT(plait_scene_check(s, NULL), PLAIT_BAD_INPUT);
        }
        *index[k] = s->materials - 1;
        CHECK_INT(plait_scene_check(s, NULL), PLAIT_OK);
        *index[k] = kept;
    }
    s->fibre[0].end[0] = PLAIT_END_CLAMPED;
    for (int k = 0; k < 2; k++) {
        s->fibre[0].attach[0] = s->colliders - 1 + k;
        CHECK_INT(plait_scene_check(s, NULL), k ? PLAIT_BAD_INPUT : PLAIT_OK);
    }
    plait_scene_free(s);
}

CASE(points_of_a_polyline)
{
    const double right[12] = {0, 0, 0, 0.1, 0, 0, 0.1, 0.1, 0, 0.1, 0.1, 0.1};
    for (int k = 0; k <= 12; k++) {
        plait_scene *s = scenes_new(0.3);
        plait_scene_add_group(s, "group");
        plait_gen_style style = plait_gen_default_style();
        plait_gen_polyline_options o = plait_gen_default_polyline();
        double point[12];
        memcpy(point, right, sizeof point);
        if (k < 12)
            point[k] = NAN;
        o.points = 4, o.point = point;
        CHECK_INT(plait_gen_polyline(s, &style, &o, NULL), k < 12 ? PLAIT_BAD_INPUT : PLAIT_OK);
        CHECK_INT(s->fibres, k == 12);
        plait_scene_free(s);
    }
}

// A smooth curve: as many segments as the polyline has pieces, through its points at the ends.
CASE(a_smooth_polyline)
{
    const double point[12] = {0, 0, 0, 0.1, 0, 0, 0.1, 0.1, 0, 0.1, 0.1, 0.1};
    plait_scene *s = scenes_new(0.3);
    plait_scene_add_group(s, "group");
    plait_gen_style style = plait_gen_default_style();
    plait_gen_polyline_options o = plait_gen_default_polyline();
    style.segments = 0;
    o.points = 4, o.point = point, o.smooth = true;
    CHECK_INT(plait_gen_polyline(s, &style, &o, NULL), PLAIT_OK);
    if (CHECK_INT(s->fibres, 1)) {
        const plait_fibre *f = &s->fibre[0];
        CHECK_INT(f->segments > 0 ? f->segments : f->points - 1, 3);
        for (int k = 0; k < 3; k++) {
            CHECK_NEAR(f->point[k], point[k], 1e-12);
            CHECK_NEAR(f->point[3 * (f->points - 1) + k], point[9 + k], 1e-12);
        }
    }
    plait_scene_free(s);
}

CASE(collider_of_a_ponytail)
{
    plait_gen_ponytail_options o = plait_gen_default_ponytail();
    plait_gen_style style = plait_gen_default_style();
    for (int k = 0; k < 3; k++) {
        plait_scene *s = scenes_new(0.3);
        plait_scene_add_group(s, "group");
        scenes_ground(s);
        plait_error error = {0};
        o.scalp = false, o.collider = k == 0 ? -1 : s->colliders + k - 1;
        CHECK_INT(plait_gen_ponytail(s, &style, &o, &error), PLAIT_BAD_INPUT);
        CHECK(strstr(error.text, "collider") != NULL);
        plait_scene_free(s);
    }
}

// Every part of a style is looked at.
CASE(styles)
{
    const double point[6] = {0, 0, 0, 0.1, 0, 0};
    for (int k = 0; k < 15; k++) {
        plait_scene *s = scenes_new(0.3);
        plait_scene_add_group(s, "group");
        scenes_ground(s);
        plait_gen_style style = plait_gen_default_style();
        plait_gen_polyline_options o = plait_gen_default_polyline();
        o.points = 2, o.point = point;
        if (k < 3)
            style.velocity[k] = k == 1 ? INFINITY : NAN;
        else if (k < 6)
            style.spin[k - 3] = k == 4 ? INFINITY : NAN;
        else if (k < 8)
            style.material = k == 6 ? -1 : s->materials;
        else if (k < 12)
            style.attach[k % 2] = k < 10 ? -2 : s->colliders;
        else if (k == 12)
            style.segments = -1;
        else if (k == 13)
            style.natural = (plait_gen_natural)(PLAIT_GEN_WAVE + 1);
        CHECK_INT(plait_gen_polyline(s, &style, &o, NULL), k < 14 ? PLAIT_BAD_INPUT : PLAIT_OK);
        CHECK_INT(s->fibres, k == 14);
        plait_scene_free(s);
    }
}

// Of fibres in and around a closed mesh, a box that is turned and moved, those inside are counted, wherever they are in it.
CASE(fibres_inside_a_mesh)
{
    plait_shape box = {.kind = PLAIT_SHAPE_BOX, .size = {0.1, 0.06, 0.03}};
    plait_shape_detail detail = {.sides = 8};
    plait_scene *s = scenes_new(0.3);
    s->material[0].rod.radius[0] = 1e-5;
    int c = plait_scene_add_collider(s, "mesh", PLAIT_SHAPE_MESH);
    CHECK(plait_shape_to_mesh(&box, &detail, &s->collider[c].shape));
    s->collider[c].shape.closed = true;
    int inside = 0;
    for (int i = 0; i < 7 * 7 * 7; i++) {
        // a lattice that meets no face: 1.4 times the box to each side
        double x[3], at[3] = {i % 7 - 3, i / 7 % 7 - 3, i / 49 - 3};
        bool in = true;
        for (int k = 0; k < 3; k++)
            x[k] = 0.45 * at[k] * box.size[k] + 1e-4 * (k + 1), in = in && fabs(x[k]) < box.size[k];
        int f = plait_scene_add_fibre(s, PLAIT_ROD_DER, 0, 2, (double[]){x[0], x[1], x[2], x[0] + 1e-3, x[1], x[2]});
        s->fibre[f].segments = 2;
        inside += in;
    }
    plait_review review;
    CHECK_INT(plait_scene_review(s, &review, NULL), PLAIT_OK);
    CHECK_INT(review.inside, inside);
    CHECK(inside == 125 && review.fibres == 343);
    plait_review_free(&review), plait_scene_free(s);
}

// Coordinates up to 1e12 m are taken, beyond it differences of them mean nothing: refused, wherever they stand. So are
// angles, and a rest before the start that is shorter than any step.
CASE(places_too_far_away)
{
    for (int where = 0; where < 6; where++)
        for (int k = 0; k < 3; k++) {
            plait_scene *s = bare();
            plait_scene_add_load(s, "pull");
            s->load[0].kind = PLAIT_LOAD_FORCE, s->load[0].rigid = 0;
            double *place[] = {s->fibre[0].point,       s->collider[0].position, s->rigid[0].position,
                               s->collider[0].rotation, s->rigid[0].rotation,    s->load[0].place};
            const double is[] = {1e12, -1e12, 1.1e12, -1e300, NAN};
            for (int i = 0; i < 5; i++) {
                place[where][k] = is[i];
                plait_error error = {0};
                plait_status status = plait_scene_check(s, &error);
                CHECK_INT(status, i < 2 ? PLAIT_OK : PLAIT_BAD_INPUT);
                CHECK(i < 2 || strstr(error.text, "finite"));
            }
            plait_scene_free(s);
        }
    plait_scene *s = bare();
    for (int i = 0; i < 3; i++) {
        s->stepping.settle = (double[]){0, s->stepping.dt_min, 0.9 * s->stepping.dt_min}[i];
        CHECK_INT(plait_scene_check(s, NULL), i < 2 ? PLAIT_OK : PLAIT_BAD_INPUT);
    }
    plait_scene_free(s);
}
