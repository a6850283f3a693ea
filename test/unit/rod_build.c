// rod_build.c: rods made from polylines: resampling, natural shapes, ends.
#include "body/rod_build.h"

#include "check.h"
#include "math/vec3.h"

static const double PI = 3.14159265358979323846;

static plait_rod *build(const plait_rod_def *def)
{
    plait_error error = {0};
    plait_rod *rod = plait_rod_new(def, &error);
    if (!CHECK(rod != NULL))
        printf("%s\n", error.text);
    return rod;
}

CASE(resampled_to_equal_pieces)
{
    // A right angle of unequal legs.
    double points[] = {0, 0, 0, 3, 0, 0, 3, 1, 0}, x[3 * 9];
    plait_rod_def def = plait_default_rod_def();
    def.point_count = 3;
    def.points = points;
    def.segments = 8;
    plait_rod *rod = build(&def);
    plait_rod_positions(rod, x);
    for (int i = 0; i <= 8; i++) {
        double s = 0.5 * i;
        CHECK_NEAR(x[3 * i], fmin(s, 3), 1e-15);
        CHECK_NEAR(x[3 * i + 1], fmax(0, s - 3), 1e-15);
    }
    CHECK_NEAR(plait_rod_length(rod), 4, 1e-15);
    plait_rod_free(rod);
    def.segments = 0;
    def.length = 8;
    rod = build(&def);
    CHECK_INT(plait_rod_segments(rod), 2);
    CHECK_NEAR(plait_rod_length(rod), 8, 1e-15);
    plait_rod_free(rod);
}

// A helix as polyline; at rest in its own shape nothing moves.
CASE(a_polyline_at_rest_stays)
{
    enum { N = 40 };
    double points[3 * (N + 1)], before[3 * (N + 1)], after[3 * (N + 1)];
    for (int i = 0; i <= N; i++) {
        points[3 * i] = 0.01 * cos(0.3 * i), points[3 * i + 1] = 0.01 * sin(0.3 * i), points[3 * i + 2] = 0.001 * i;
    }
    plait_rod_def def = plait_default_rod_def();
    def.point_count = N + 1;
    def.points = points;
    def.natural = PLAIT_NATURAL_POLYLINE;
    def.twist = 25; // its sections turn as well
    for (int clamped = 0; clamped < 2; clamped++) {
        def.end[0].kind = clamped ? PLAIT_END_CLAMPED : PLAIT_END_FREE;
        plait_rod *rod = build(&def);
        plait_rod_energies e = plait_rod_energy(rod);
        CHECK_NEAR(e.bend, 0, 1e-25);
        CHECK_NEAR(e.twist, 0, 1e-25);
        CHECK_NEAR(e.stretch, 0, 1e-25);
        plait_rod_positions(rod, before);
        for (int k = 0; k < 20; k++) {
            plait_step_report report;
            plait_rod_step(rod, 1e-2, NULL, &report, NULL);
            CHECK(report.converged);
        }
        plait_rod_positions(rod, after);
        for (int i = 0; i < 3 * (N + 1); i++)
            CHECK_NEAR(after[i], before[i], 1e-12);
        plait_rod_free(rod);
    }
}

// Natural curvature and twist make a helix out of a straight rod: radius k/(k^2+t^2), pitch 2 pi t/(k^2+t^2).
CASE(constant_natural_strains_make_a_helix)
{
    enum { N = 200 };
    double points[6] = {0, 0, 0, 1, 0, 0}, x[3 * (N + 1)];
    const double k = 8, tau = 6, q = k * k + tau * tau;
    plait_rod_def def = plait_default_rod_def();
    def.point_count = 2;
    def.points = points;
    def.segments = N;
    def.natural = PLAIT_NATURAL_CONSTANT;
    def.curvature[0] = k;
    def.twist = tau;
    def.end[0].kind = PLAIT_END_CLAMPED;
    plait_rod *rod = build(&def);
    plait_step_report report;
    CHECK_INT(plait_rod_relax(rod, NULL, &report, NULL), PLAIT_OK);
    CHECK(report.converged);
    plait_rod_energies e = plait_rod_energy(rod);
    CHECK_NEAR(e.bend + e.twist + e.stretch, 0, 1e-16);
    plait_rod_positions(rod, x);
    // Chord between two points of a helix ds apart: (2 R sin(a/2))^2 + (p a/2pi)^2, a = sqrt(q) ds.
    double R = k / q, pitch = 2 * PI * tau / q;
    for (int i = 0; i + 60 <= N; i += 10) {
        double d[3], a = sqrt(q) * 60.0 / N, along = pitch * a / (2 * PI), across = 2 * R * sin(a / 2);
        plait_vec3_sub(x + 3 * (i + 60), x + 3 * i, d);
        CHECK_REL(plait_vec3_norm(d), sqrt(along * along + across * across), 1e-3);
    }
    plait_rod_free(rod);
}

CASE(frames_follow_the_director)
{
    double points[] = {0, 0, 0, 1, 0, 0, 2, 1, 0}, frames[18];
    plait_rod_def def = plait_default_rod_def();
    def.point_count = 3;
    def.points = points;
    def.director[0] = 5, def.director[2] = 2; // made normal to the first edge
    plait_rod *rod = build(&def);
    plait_rod_frames(rod, frames);
    for (int j = 0; j < 2; j++) { // the rod lies in the xy plane: parallel transport keeps z
        CHECK_NEAR(frames[9 * j + 2], 1, 1e-15);
        CHECK_NEAR(plait_vec3_dot(frames + 9 * j, frames + 9 * j + 6), 0, 1e-15);
    }
    CHECK_NEAR(frames[9 + 6], sqrt(0.5), 1e-15);
    plait_rod_free(rod);
}

CASE(ends_default_to_the_polyline)
{
    double points[] = {1, 2, 3, 2, 2, 3, 3, 3, 3};
    plait_rod_def def = plait_default_rod_def();
    def.point_count = 3;
    def.points = points;
    def.end[0].kind = def.end[1].kind = PLAIT_END_CLAMPED;
    plait_rod *rod = build(&def);
    plait_end first = plait_rod_get_end(rod, 0), last = plait_rod_get_end(rod, 1);
    CHECK_NEAR(first.position[2], 3, 0);
    CHECK_NEAR(first.tangent[0], 1, 1e-15);
    CHECK_NEAR(last.position[1], 3, 0);
    CHECK_NEAR(last.tangent[1], sqrt(0.5), 1e-15);
    CHECK_NEAR(plait_vec3_dot(last.tangent, last.director), 0, 1e-15);
    plait_rod_free(rod);
}

// A line whose curvature goes from 9 / L to - 9 / L, with many points.
enum { FINE = 480 };

static void draw_wave(double *points)
{
    double x = 0, y = 0, h = 1.0 / FINE;
    for (int i = 0; i <= FINE; i++) {
        points[3 * i] = x, points[3 * i + 1] = y, points[3 * i + 2] = 0;
        double s = (i + 0.5) * h, angle = 9 * s * (1 - s);
        x += h * cos(angle), y += h * sin(angle);
    }
}

// Few segments begin where a finer line does, point where it points, and a curved model is as long and ends where it
// ends.
CASE(a_finer_line_is_followed)
{
    const plait_rod_model model[] = {PLAIT_ROD_DER, PLAIT_ROD_SUPERHELIX, PLAIT_ROD_MASS_SPRING, PLAIT_ROD_CORDE};
    double points[3 * (FINE + 1)], x[3 * 25];
    draw_wave(points);
    for (int k = 0; k < 12; k++) {
        int n = 6 << k / 4;
        plait_rod_def def = plait_default_rod_def();
        def.model = model[k % 4];
        def.point_count = FINE + 1, def.points = points, def.segments = n;
        def.section.radius[0] = def.section.radius[1] = 1e-3;
        def.natural = PLAIT_NATURAL_STRAIGHT;
        def.end[0].kind = PLAIT_END_CLAMPED;
        plait_rod *rod = build(&def);
        plait_end root = plait_rod_get_end(rod, 0);
        CHECK_NEAR(root.tangent[1], 0, 1e-4); // the first edge is off by 0.011, the first segment by 0.2 to 0.7
        plait_rod_positions(rod, x);
        for (int c = 0; c < 3; c++)
            CHECK_NEAR(x[3 * n + c], points[3 * FINE + c], 1e-9);
        if (def.model == PLAIT_ROD_SUPERHELIX) {
            double worst = 0;
            for (int i = 1; i < n; i++)
                worst = fmax(
                    worst, hypot(x[3 * i] - points[3 * (FINE / n) * i], x[3 * i + 1] - points[3 * (FINE / n) * i + 1]));
            CHECK_NEAR(plait_rod_length(rod), 1, 1e-12);
            CHECK(worst < 0.5 / (n * n * n)); // of its length
        }
        plait_rod_free(rod);
    }
}

// At rest as it is drawn: the shape that follows the line has no stress.
CASE(a_finer_line_at_rest_stays)
{
    double points[3 * (FINE + 1)], before[3 * 9], after[3 * 9];
    draw_wave(points);
    plait_rod_def def = plait_default_rod_def();
    def.model = PLAIT_ROD_SUPERHELIX;
    def.point_count = FINE + 1, def.points = points, def.segments = 8;
    def.section.radius[0] = def.section.radius[1] = 1e-3;
    def.natural = PLAIT_NATURAL_POLYLINE;
    def.end[0].kind = PLAIT_END_CLAMPED;
    plait_rod *rod = build(&def);
    plait_rod_positions(rod, before);
    CHECK_NEAR(plait_rod_energy(rod).bend, 0, 1e-20);
    CHECK_NEAR(before[24], points[3 * FINE], 1e-9);
    CHECK_INT(plait_rod_step(rod, 0.01, NULL, NULL, NULL), PLAIT_OK);
    plait_rod_positions(rod, after);
    for (int i = 0; i < 27; i++)
        CHECK_NEAR(after[i], before[i], 1e-9);
    plait_rod_free(rod);
}
