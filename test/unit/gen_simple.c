// Lines, polylines, helices, knots, bundles, spaghetti, files: lengths, places, natural shapes, no overlaps, refusals.
#include "gen_check.h"
#include "plait/io.h"

static const double PI = 3.14159265358979323846;

static plait_scene *scene_with(double contact_radius)
{
    plait_scene *s = plait_scene_new();
    plait_material m = plait_default_material();
    plait_scene_add_material(s, "hair", &m, 0.3);
    s->material[0].contact_radius = contact_radius;
    plait_scene_add_group(s, "fibres");
    return s;
}

static double fibre_length(const plait_scene *s, int i)
{
    return plait_gen_polyline_length(s->fibre[i].points, s->fibre[i].point);
}

CASE(line)
{
    plait_scene *s = scene_with(0);
    plait_gen_style style = plait_gen_default_style();
    plait_gen_line_options o = plait_gen_default_line();
    plait_error error = {0};
    o.count = 3, o.length = 0.2;
    o.direction[0] = 0, o.direction[2] = -5;
    style.segments = 7, style.end[0] = PLAIT_END_CLAMPED, style.velocity[1] = 2;
    CHECK_INT(plait_gen_line(s, &style, &o, &error), PLAIT_OK);
    CHECK_INT(s->fibres, 3);
    for (int i = 0; i < s->fibres; i++) {
        const plait_fibre *f = &s->fibre[i];
        CHECK_INT(f->points, 8);
        CHECK_NEAR(f->point[1], 0.01 * i, 1e-15);
        CHECK_NEAR(f->point[23], -0.2, 1e-15);
        CHECK(f->end[0] == PLAIT_END_CLAMPED && f->end[1] == PLAIT_END_FREE && f->velocity[1] == 2);
        CHECK(f->natural == PLAIT_NATURAL_STRAIGHT && f->attach[0] == -1);
    }
    plait_scene_free(s);
}

// A drawn curl is at rest: the strains of the drawn helix are the natural ones.
CASE(curl)
{
    plait_scene *s = scene_with(0);
    plait_gen_style style = plait_gen_default_style();
    plait_gen_line_options o = plait_gen_default_line();
    plait_error error = {0};
    style.segments = 200, style.natural = PLAIT_GEN_CURL, style.phase = 0.7;
    o.length = 0.15;
    for (int left = 0; left < 2; left++) {
        style.curl_pitch = left ? -0.02 : 0.02;
        CHECK_INT(plait_gen_line(s, &style, &o, &error), PLAIT_OK);
        const plait_fibre *f = &s->fibre[left];
        CHECK_REL(fibre_length(s, left), 0.15, 1e-3);
        plait_rod_def def = plait_default_rod_def();
        plait_material_section(&s->material[0].rod, &def.section, &error);
        def.point_count = f->points, def.points = f->point, def.natural = f->natural, def.twist = f->twist;
        memcpy(def.curvature, f->curvature, sizeof def.curvature);
        plait_vec3_copy(f->director, def.director);
        plait_rod *rod = plait_rod_new(&def, &error);
        if (!CHECK(rod))
            continue;
        double wrong = 0.5 * def.section.EI[0] * f->curvature[0] * f->curvature[0] * 0.15; // as if it were straight
        plait_rod_energies e = plait_rod_energy(rod);
        if (!CHECK(e.bend + e.twist < 5e-3 * wrong))
            printf("bend %g twist %g of %g\n", e.bend, e.twist, wrong);
        plait_rod_free(rod);
    }
    plait_scene_free(s);
}

CASE(wave_and_polyline)
{
    plait_scene *s = scene_with(0);
    plait_gen_style style = plait_gen_default_style();
    plait_error error = {0};
    plait_gen_line_options o = plait_gen_default_line();
    style.natural = PLAIT_GEN_WAVE, style.segments = 300;
    o.length = 0.12;
    CHECK_INT(plait_gen_line(s, &style, &o, &error), PLAIT_OK);
    CHECK_REL(fibre_length(s, 0), 0.12, 2e-3);
    CHECK(s->fibre[0].natural == PLAIT_NATURAL_POLYLINE);
    const double points[12] = {0, 0, 0, 0.1, 0, 0, 0.1, 0.1, 0, 0.2, 0.1, 0};
    plait_gen_polyline_options p = plait_gen_default_polyline();
    p.points = 4, p.point = points;
    style = plait_gen_default_style();
    style.segments = 0;
    CHECK_INT(plait_gen_polyline(s, &style, &p, &error), PLAIT_OK);
    CHECK_INT(s->fibre[1].points, 4);
    CHECK(memcmp(s->fibre[1].point, points, sizeof points) == 0);
    p.smooth = true, style.segments = 48;
    CHECK_INT(plait_gen_polyline(s, &style, &p, &error), PLAIT_OK);
    CHECK(fibre_length(s, 2) > 0.28 && fibre_length(s, 2) < 0.33);
    p.points = 1;
    CHECK_INT(plait_gen_polyline(s, &style, &p, &error), PLAIT_BAD_INPUT);
    CHECK_INT(s->fibres, 3);
    plait_scene_free(s);
}

CASE(helix)
{
    plait_scene *s = scene_with(0);
    plait_gen_style style = plait_gen_default_style();
    plait_gen_helix_options o = plait_gen_default_helix();
    plait_error error = {0};
    style.segments = 400;
    CHECK_INT(plait_gen_helix(s, &style, &o, &error), PLAIT_OK);
    CHECK_REL(fibre_length(s, 0), 3 * hypot(2 * PI * 0.01, 0.01), 2e-3);
    for (int k = 0; k <= 400; k++)
        CHECK_NEAR(hypot(s->fibre[0].point[3 * k], s->fibre[0].point[3 * k + 1]), 0.01, 2e-5);
    o.lead = 0.02;
    CHECK_INT(plait_gen_helix(s, &style, &o, &error), PLAIT_OK);
    CHECK_NEAR(fibre_length(s, 1) - fibre_length(s, 0), 0.04, 2e-4);
    o.turns = -1;
    CHECK_INT(plait_gen_helix(s, &style, &o, &error), PLAIT_BAD_INPUT);
    CHECK(strstr(error.text, "number of turns") != NULL);
    plait_scene_free(s);
}

// Crossings of the curve seen along y: how many, and the sum of their signs.
static void crossings(const plait_fibre *f, int *count, int *sum)
{
    *count = *sum = 0;
    for (int i = 0; i + 1 < f->points; i++)
        for (int j = i + 2; j + 1 < f->points; j++) {
            const double *p = f->point + 3 * i, *q = f->point + 3 * j;
            double a[2] = {p[3] - p[0], p[5] - p[2]}, b[2] = {q[3] - q[0], q[5] - q[2]};
            double c[2] = {q[0] - p[0], q[2] - p[2]}, det = a[0] * b[1] - a[1] * b[0];
            double u = (c[0] * b[1] - c[1] * b[0]) / det, v = (c[0] * a[1] - c[1] * a[0]) / det;
            if (!(u >= 0 && u < 1 && v >= 0 && v < 1))
                continue;
            double over = p[1] + u * (p[4] - p[1]) - q[1] - v * (q[4] - q[1]);
            ++*count;
            *sum += det * over > 0 ? 1 : -1;
        }
}

CASE(knot)
{
    plait_scene *s = scene_with(1e-3);
    plait_gen_style style = plait_gen_default_style();
    plait_gen_knot_options o = plait_gen_default_knot();
    plait_error error = {0};
    int count[2], sum[2];
    style.segments = 150;
    for (int mirror = 0; mirror < 2; mirror++) {
        o.mirror = mirror;
        CHECK_INT(plait_gen_knot(s, &style, &o, &error), PLAIT_OK);
        const plait_fibre *f = &s->fibre[mirror];
        const double *last = f->point + 3 * (f->points - 1);
        CHECK_REL(fibre_length(s, mirror), 0.3, 0.01);
        CHECK(last[0] - f->point[0] > 0.05 && fabs(last[1]) < 1e-9 && fabs(last[2]) < 1e-9);
        crossings(f, &count[mirror], &sum[mirror]);
        // strands keep clear of each other, farther along than a few diameters
        double least = INFINITY, a, b, step = 0.3 / 150;
        for (int i = 0; i < 150; i++)
            for (int j = i + 8; j < 150; j++) {
                const double *p = f->point + 3 * i, *q = f->point + 3 * j;
                double turn = plait_gen_segment_distance(p, p + 3, q, q + 3, &a, &b);
                if ((j - i) * step > 0.016)
                    least = fmin(least, turn);
            }
        CHECK(least > 2e-3);
    }
    // Three crossings of one sign are a trefoil.
    CHECK(count[0] == 3 && count[1] == 3 && abs(sum[0]) == 3 && sum[1] == -sum[0]);
    s->material[0].contact_radius = 6e-3;
    CHECK_INT(plait_gen_knot(s, &style, &o, &error), PLAIT_BAD_INPUT);
    CHECK(strstr(error.text, "use a size of more than") != NULL);
    o.length = 0.05;
    CHECK_INT(plait_gen_knot(s, &style, &o, &error), PLAIT_BAD_INPUT);
    CHECK_INT(s->fibres, 2);
    plait_scene_free(s);
}

CASE(bundle)
{
    for (int packing = 0; packing < 2; packing++) {
        plait_scene *s = scene_with(1e-3);
        plait_gen_style style = plait_gen_default_style();
        plait_gen_bundle_options o = plait_gen_default_bundle();
        plait_error error = {0};
        o.count = 37, o.packing = (plait_gen_packing)packing;
        style.jitter_length = 0.1;
        CHECK_INT(plait_gen_bundle(s, &style, &o, &error), PLAIT_OK);
        CHECK_INT(s->fibres, 37);
        gen_overlap at = gen_overlaps(s);
        CHECK(at.fibres > 1.0999);
        o.spread = 0.2, o.twist = 0.5;
        o.from[0] = 1;
        CHECK_INT(plait_gen_bundle(s, &style, &o, &error), PLAIT_OK);
        CHECK(gen_overlaps(s).fibres > 1);
        o.packing = PLAIT_GEN_RANDOM, o.radius = 2e-3;
        CHECK_INT(plait_gen_bundle(s, &style, &o, &error), PLAIT_BAD_INPUT);
        CHECK_INT(s->fibres, 74);
        plait_scene_free(s);
    }
}

CASE(spaghetti)
{
    for (int bent = 0; bent < 2; bent++) {
        plait_scene *s = scene_with(1e-3);
        plait_scene_add_collider(s, "plate", PLAIT_SHAPE_PLANE);
        plait_gen_style style = plait_gen_default_style();
        plait_gen_spaghetti_options o = plait_gen_default_spaghetti();
        plait_error error = {0};
        o.bend = bent ? 1.5 : 0;
        o.direction[0] = 1, o.direction[2] = bent ? 0 : 0.2;
        o.bend_plane[0] = 0, o.bend_plane[bent ? 1 : 2] = 1;
        CHECK_INT(plait_gen_spaghetti(s, &style, &o, &error), PLAIT_OK);
        CHECK_INT(s->fibres, 31);
        gen_overlap at = gen_overlaps(s);
        CHECK(at.fibres > 1.05);
        double lowest = INFINITY;
        for (int i = 0; i < s->fibres; i++)
            for (int k = 0; k < s->fibre[i].points; k++)
                lowest = fmin(lowest, s->fibre[i].point[3 * k + 2]);
        CHECK_NEAR(lowest, 0.021, 1e-12); // its surface is 2 cm above the plate
        CHECK_REL(fibre_length(s, 12), 0.25, 1e-3);
        plait_scene_free(s);
    }
}

CASE(refused)
{
    plait_scene *s = scene_with(0);
    plait_gen_style style = plait_gen_default_style();
    plait_gen_line_options o = plait_gen_default_line();
    plait_error error = {0};
    style.material = 1;
    CHECK_INT(plait_gen_line(s, &style, &o, &error), PLAIT_BAD_INPUT);
    CHECK_STR(error.text, "line: material 1 is not one of the scene's 1");
    style.material = 0, style.attach[1] = 0;
    CHECK_INT(plait_gen_line(s, &style, &o, &error), PLAIT_BAD_INPUT);
    style.attach[1] = -1, o.length = NAN;
    CHECK_INT(plait_gen_line(s, &style, &o, &error), PLAIT_BAD_INPUT);
    CHECK_STR(error.text, "line: length must be above 0 and at most 1e+06, but is nan");
    o = plait_gen_default_line();
    plait_vec3_set(o.direction, 0, 0, 0);
    CHECK_INT(plait_gen_line(s, &style, &o, &error), PLAIT_BAD_INPUT);
    CHECK_STR(error.text, "line: direction must have a direction, but is zero");
    CHECK_INT(s->fibres, 0);
    plait_scene_free(s);
}

CASE(file)
{
    int first[4] = {0, 2, 5, 7};
    double point[21] = {0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 1, 2, 3, 4, 4, 4, 4, 4, 4}; // the last has no length
    plait_hair hair = {.strands = 3, .first = first, .point = point};
    const char *path = "gen_file_test.hair";
    plait_error error = {0};
    CHECK_INT(plait_hair_write(path, &hair, &error), PLAIT_OK);
    plait_scene *s = scene_with(0);
    plait_gen_style style = plait_gen_default_style();
    plait_gen_file_options o = plait_gen_default_file();
    o.path = path, o.y_up = true, style.segments = 0;
    CHECK_INT(plait_gen_file(s, &style, &o, &error), PLAIT_OK);
    CHECK_INT(s->fibres, 2);
    if (s->fibres == 2) {
        CHECK_NEAR(s->fibre[0].point[5], 0.01, 1e-9); // y is up
        CHECK_INT(s->fibre[1].points, 3);
        CHECK_NEAR(s->fibre[1].point[6], -0.01, 1e-9);
        CHECK_NEAR(s->fibre[1].point[7], 0.03, 1e-9);
        CHECK_NEAR(s->fibre[1].point[8], 0.02, 1e-9);
    }
    o.most = 1;
    CHECK_INT(plait_gen_file(s, &style, &o, &error), PLAIT_OK);
    CHECK_INT(s->fibres, 3);
    o.path = "there-is-none.hair";
    CHECK_INT(plait_gen_file(s, &style, &o, &error), PLAIT_BAD_FILE);
    plait_scene_free(s);
    remove(path);
}

// Distance of two segments, by looking: the smallest over a grid on both.
static double apart(const double *a, const double *b)
{
    double least = INFINITY;
    for (int i = 0; i <= 40; i++)
        for (int j = 0; j <= 40; j++) {
            double d = 0;
            for (int k = 0; k < 3; k++) {
                double x = a[k] + (a[3 + k] - a[k]) * i / 40 - b[k] - (b[3 + k] - b[k]) * j / 40;
                d += x * x;
            }
            least = fmin(least, sqrt(d));
        }
    return least;
}

// A random pack: so many rods as are asked for, or as fill that part of the box; all of each in it, apart, not too steep.
CASE(pack)
{
    const double r = 1e-3, flat = 0.3;
    for (int by = 0; by < 2; by++) {
        plait_scene *s = scene_with(r);
        plait_gen_style style = plait_gen_default_style();
        plait_gen_pack_options o = plait_gen_default_pack();
        style.segments = 1;
        o.aspect = 12, o.gap = 0.1, o.flat = flat;
        for (int k = 0; k < 3; k++)
            o.low[k] = 0.01 * k, o.high[k] = 0.01 * k + 0.04 + 0.01 * k;
        o.count = by ? 0 : 23, o.fraction = 0.03;
        double length = 2 * r * o.aspect, box = 0.04 * 0.05 * 0.06;
        CHECK_INT(plait_gen_pack(s, &style, &o, NULL), PLAIT_OK);
        CHECK_INT(s->fibres, by ? (int)round(o.fraction * box / (PI * r * r * length)) : 23);
        for (int i = 0; i < s->fibres; i++) {
            const double *x = s->fibre[i].point;
            CHECK_REL(fibre_length(s, i), length, 1e-9);
            CHECK(fabs(x[5] - x[2]) <= length * sin(flat) * (1 + 1e-9));
            for (int k = 0; k < 6; k++)
                CHECK(x[k] >= o.low[k % 3] - 1e-12 && x[k] <= o.high[k % 3] + 1e-12);
            for (int j = 0; j < i; j++)
                CHECK(apart(x, s->fibre[j].point) >= 2 * r * (1 + o.gap) * (1 - 1e-9));
        }
        plait_scene_free(s);
    }
    plait_scene *s = scene_with(r);
    plait_gen_style style = plait_gen_default_style();
    plait_gen_pack_options o = plait_gen_default_pack();
    o.fraction = 1e-9;
    CHECK_INT(plait_gen_pack(s, &style, &o, NULL), PLAIT_BAD_INPUT); // less than a rod
    o.low[1] = 1;
    CHECK_INT(plait_gen_pack(s, &style, &o, NULL), PLAIT_BAD_INPUT);
    plait_scene_free(s);
}
