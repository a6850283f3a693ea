// Brushes: roots on the cylinder and evenly spread, no overlaps, held by what they stand on, refusals. And drawn shapes that are
// more or less curved at rest.
#include "gen_check.h"

static const double PI = 3.14159265358979323846;

// A cylinder of 2 cm radius and 8 cm length along y, somewhere.
static plait_scene *scene_with_drum(plait_shape_kind kind)
{
    plait_scene *s = plait_scene_new();
    plait_material m = plait_default_material();
    plait_scene_add_material(s, "bristle", &m, 0.3);
    s->material[0].contact_radius = 2e-4;
    plait_scene_add_group(s, "bristles");
    int i = plait_scene_add_collider(s, "drum", kind);
    plait_collider *c = &s->collider[i];
    c->shape.size[0] = 0.02, c->shape.size[1] = 0.04, c->shape.size[2] = 0.01;
    plait_vec3_set(c->position, 0.1, 0.2, 0.3);
    plait_vec3_set(c->rotation, PI / 2, 0, 0);
    return s;
}

CASE(bristles)
{
    plait_scene *s = scene_with_drum(PLAIT_SHAPE_CYLINDER);
    plait_gen_style style = plait_gen_default_style();
    plait_gen_brush_options o = plait_gen_default_brush();
    plait_error error = {0};
    o.count = 300, o.width = 0.07, style.segments = 5;
    CHECK_INT(plait_gen_brush(s, &style, &o, &error), PLAIT_OK);
    CHECK_INT(s->fibres, 300);
    double low = INFINITY, high = -INFINITY, sum[2] = {0, 0}, nearest = INFINITY;
    for (int i = 0; i < s->fibres; i++) {
        const plait_fibre *f = &s->fibre[i];
        const double *p = f->point, *q = p + 15;
        CHECK_INT(f->points, 6);
        CHECK(f->end[0] == PLAIT_END_CLAMPED && f->attach[0] == 0 && f->end[1] == PLAIT_END_FREE);
        CHECK_NEAR(hypot(p[0] - 0.1, p[2] - 0.3), 0.02 + 4e-4, 1e-12);
        CHECK_NEAR(hypot(q[0] - 0.1, q[2] - 0.3), 0.06 + 4e-4, 1e-12);
        CHECK_NEAR(p[1], q[1], 1e-12);
        low = fmin(low, p[1]), high = fmax(high, p[1]);
        sum[0] += p[0] - 0.1, sum[1] += p[2] - 0.3;
        for (int j = 0; j < i; j++) {
            const double *r = s->fibre[j].point;
            nearest = fmin(nearest, hypot(hypot(p[0] - r[0], p[1] - r[1]), p[2] - r[2]));
        }
    }
    CHECK_NEAR(high - low, 0.07, 0.07 / 250);
    CHECK_NEAR(low + high, 0.4, 1e-9);
    CHECK(fabs(sum[0]) < 0.05 && fabs(sum[1]) < 0.05); // of 300 times 2 cm: on all sides
    // the chord is a bit shorter than the way round
    if (!CHECK(nearest > 0.98 * sqrt(0.75 * 2 * PI * 0.02 * 0.07 / 300)))
        printf("nearest %g\n", nearest);
    gen_overlap overlap = gen_overlaps(s);
    CHECK(overlap.fibres > 1);
    plait_scene_free(s);
}

CASE(a_sector_of_hair)
{
    plait_scene *s = scene_with_drum(PLAIT_SHAPE_CAPSULE);
    plait_gen_style style = plait_gen_default_style();
    plait_gen_brush_options o = plait_gen_default_brush();
    plait_error error = {0};
    style.natural = PLAIT_GEN_CURL, style.curl_radius = 1e-3, style.drawn = 0, style.end[0] = PLAIT_END_PINNED;
    o.count = 50, o.sector = 2 * PI / 3, o.direction[2] = -2, o.length = 0.1;
    CHECK_INT(plait_gen_brush(s, &style, &o, &error), PLAIT_OK);
    for (int i = 0; i < s->fibres; i++) {
        const double *p = s->fibre[i].point, *q = p + 60;
        double angle = atan2(p[0] - 0.1, 0.3 - p[2]);
        CHECK(fabs(angle) < PI / 3);
        CHECK(s->fibre[i].end[0] == PLAIT_END_PINNED && s->fibre[i].natural == PLAIT_NATURAL_CONSTANT);
        CHECK_NEAR(p[2] - q[2], 0.1, 1e-9);
        CHECK_NEAR(p[0], q[0], 1e-9);
    }
    CHECK(gen_overlaps(s).fibres > 1);
    plait_scene_free(s);
}

static void refuse(plait_scene *s, const plait_gen_brush_options *o, const char *why)
{
    plait_gen_style style = plait_gen_default_style();
    plait_error error = {0};
    CHECK_INT(plait_gen_brush(s, &style, o, &error), PLAIT_BAD_INPUT);
    CHECK_INT(s->fibres, 0);
    if (!CHECK(strstr(error.text, why)))
        printf("%s: %s\n", why, error.text);
}

CASE(refusals)
{
    plait_scene *s = scene_with_drum(PLAIT_SHAPE_CYLINDER), *box = scene_with_drum(PLAIT_SHAPE_BOX);
    const plait_gen_brush_options good = plait_gen_default_brush();
    plait_gen_brush_options o = good;
    refuse(box, &o, "'drum' must be a cylinder or a capsule");
    o.collider = 1;
    refuse(s, &o, "collider must be between 0 and 0, but is 1");
    o = good, o.width = 0.09;
    refuse(s, &o, "a band of 0.09 m does not fit on 'drum', which is 0.08 m long");
    o = good, o.sector = 7;
    refuse(s, &o, "sector must be");
    o = good, o.length = 0;
    refuse(s, &o, "length must be");
    o = good, o.direction[2] = -1; // half of the roots are on the upper side
    refuse(s, &o, "would go into 'drum'");
    o = good, o.count = 2000, s->material[0].contact_radius = 5e-3;
    refuse(s, &o, "nearer than their contact diameter");
    plait_scene_free(s);
    plait_scene_free(box);
}

// An arc that is 1 + e times as curved at rest has the energy of e times its curvature.
CASE(scale_of_a_drawn_shape)
{
    plait_scene *s = scene_with_drum(PLAIT_SHAPE_CYLINDER);
    plait_gen_style style = plait_gen_default_style();
    plait_gen_helix_options o = plait_gen_default_helix();
    plait_error error = {0};
    o.pitch = 0, o.turns = 0.5, o.radius = 0.05;
    style.natural = PLAIT_GEN_DRAWN, style.segments = 64; // as it is drawn
    const double scales[] = {1, 0.7, 1.5, 0};
    for (int k = 0; k < 4; k++) {
        style.scale = scales[k];
        CHECK_INT(plait_gen_helix(s, &style, &o, &error), PLAIT_OK);
        const plait_fibre *f = &s->fibre[k];
        CHECK_NEAR(f->excess, scales[k] - 1, 1e-15);
        plait_rod_def def = plait_default_rod_def();
        plait_material_section(&s->material[0].rod, &def.section, &error);
        def.point_count = f->points, def.points = f->point, def.natural = f->natural, def.excess = f->excess;
        plait_rod *rod = plait_rod_new(&def, &error);
        if (!CHECK(rod))
            continue;
        double arc = PI * 0.05, off = (scales[k] - 1) / 0.05, expected = 0.5 * def.section.EI[0] * off * off * arc;
        plait_rod_energies e = plait_rod_energy(rod);
        CHECK_NEAR(e.bend, expected, 0.02 * expected + 1e-20);
        plait_rod_free(rod);
    }
    style.scale = NAN;
    CHECK_INT(plait_gen_helix(s, &style, &o, &error), PLAIT_BAD_INPUT);
    plait_scene_free(s);
}
