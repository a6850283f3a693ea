// twist.c: A7 torsional buckling of a straight rod, A8 Michell's ring.
#include <math.h>
#include <stddef.h>

#include "math/vec3.h"
#include "validate/cases.h"

static const double PI = 3.14159265358979323846;
// part of the twist energy; [rad] of the end between two equilibria
static const double LEFT = 0.02, LARGEST_TURN = 0.5;
enum { TWIST_POINTS = 128 };

// Turns the last end about its tangent by `angle` altogether, in stages; the rod follows through equilibria. False if
// one fails.
static bool turn_end(plait_trial *t, plait_rod *rod, double angle)
{
    plait_end end = plait_rod_get_end(rod, 1), start = end;
    int stages = (int)ceil(fabs(angle) / LARGEST_TURN);
    for (int k = 1; k <= stages; k++) {
        plait_vec3_turn_normal(start.tangent, start.director, angle * k / stages, end.director);
        if (plait_rod_set_end(rod, 1, &end, NULL) != PLAIT_OK || !plait_trial_relax(t, rod))
            return false;
    }
    return true;
}

// Pushes the rod aside and lets it go (push = 0: neither). 1: its twist energy is not what it was, because it has
// turned twist into writhe (and often went through itself and lost whole turns); -1: failed. Displacements tell less:
// a round ring is free to turn about the tangent of its ends.
static int leaves(plait_trial *t, plait_rod *rod, double push, double twist)
{
    if (fabs(plait_rod_energy(rod).twist / twist - 1) > LEFT)
        return 1;
    if (push == 0)
        return 0;
    plait_trial_push(rod, 2, push);
    if (!plait_trial_relax(t, rod))
        return -1;
    plait_trial_push(rod, 2, 0);
    if (!plait_trial_relax(t, rod))
        return -1;
    return fabs(plait_rod_energy(rod).twist / twist - 1) > LEFT;
}

// ---- A7 ------------------------------------------------------------------------------------------------------------

// Both ends clamped, dead tension T: critical moment of the straight rod (Greenhill). With w = y + iz the linearised
// rod is w'''' - i M w''' - T w'' = 0, so w = A + B s + C e^{ias} + D e^{ibs}, a + b = M, ab = T; clamps at both ends
// give a determinant whose first root is the table. (For T = 200 the second root is 31.05416; the first is 28.98274.)
static const struct {
    double tension, moment; // T L^2/EI, M L/EI
    int segments;           // more where the waves are short
} greenhill[] = {{0, 8.986818916, 50}, {10, 10.428856439, 50}, {50, 15.589323933, 50}, {200, 28.982737848, 60}};
enum { GREENHILL = (int)(sizeof greenhill / sizeof *greenhill) };

static int straight_leaves(plait_trial *t, double moment, const void *row)
{
    double tension = greenhill[*(const int *)row].tension;
    int segments = greenhill[*(const int *)row].segments;
    const double length = 1, EI = 1, GJ = EI / 1.5;
    plait_section section = plait_trial_section(EI, GJ, 1, length);
    double points[6], pull[3] = {tension * EI / (length * length), 0, 0};
    plait_rod_def def = plait_trial_straight(t, &section, length, segments, points);
    def.end[1].kind = PLAIT_END_CLAMPED;
    def.end[1].slide = PLAIT_SLIDE_X;
    plait_rod *rod = plait_trial_rod(t, &def);
    int answer = -1;
    if (rod) {
        plait_rod_set_force(rod, segments, pull);
        if (turn_end(t, rod, moment * EI / GJ))
            answer = leaves(t, rod, 1e-6 * EI / (length * length), moment * moment * EI * EI / (2 * GJ * length));
    }
    plait_rod_free(rod);
    return answer;
}

void plait_case_greenhill(plait_trial *t)
{
    double x[GREENHILL], reference[GREENHILL], measured[GREENHILL];
    for (int i = 0; i < GREENHILL && !plait_trial_stopped(t); i++) {
        x[i] = greenhill[i].tension;
        reference[i] = greenhill[i].moment;
        measured[i] = plait_trial_bracket(t, 0.95 * reference[i], 1.05 * reference[i], 5e-4, straight_leaves, &i);
        plait_trial_row(t, greenhill[i].segments, reference[i], measured[i], 0.01, "critical M L/EI, T L^2/EI = %g",
                        x[i]);
    }
    if (plait_trial_stopped(t))
        return;
    plait_trial_curve(t, "theory", true, GREENHILL, x, reference);
    plait_trial_curve(t, "critical moment", false, GREENHILL, x, measured);
}

// ---- A8 ------------------------------------------------------------------------------------------------------------

// Straight rod bent to a ring, one end turned against the other: 2 pi sqrt(3) EI/GJ. A regular polygon of N edges with
// the curvature 2 tan(phi/2) turns at a slightly larger angle (its own eigenvalue problem).
static const struct {
    int segments;
    double excess; // over theory
} polygons[] = {{30, 0.03530917951}, {50, 0.01255491894}, {100, 0.003105882407}};
enum { POLYGONS = (int)(sizeof polygons / sizeof *polygons) };

typedef struct ring {
    int segments;
    double GJ; // over EI
    bool edge; // ends held by a whole edge: exactly the closed polygon, one edge fixed in space
} ring;

static plait_rod *make_ring(plait_trial *t, const ring *r)
{
    double points[3 * TWIST_POINTS] = {0}, l = 2 * PI / r->segments;
    int count = r->segments + (r->edge ? 2 : 1);
    points[0] = 1; // away from the origin: zero would mean something else in an end's position
    for (int i = 0; i + 1 < count; i++) {
        double a = l * (i + (r->edge ? 0 : 0.5));
        points[3 * i + 3] = points[3 * i] + l * cos(a);
        points[3 * i + 4] = points[3 * i + 1] + l * sin(a);
    }
    plait_rod_def def = plait_default_rod_def();
    def.model = t->model;
    def.section = plait_trial_section(1, r->GJ, 1, 2 * PI);
    def.point_count = count;
    def.points = points;
    def.director[2] = 1;
    for (int e = 0; e < 2; e++) {
        def.end[e] = (plait_end){
            .kind = r->edge ? PLAIT_END_EDGE : PLAIT_END_CLAMPED, .tangent = {1, 0, 0}, .director = {0, 0, 1}};
        plait_vec3_copy(points, def.end[e].position);
    }
    // The edge that is there twice: the last one ends where the first one does.
    if (r->edge)
        def.end[1].position[0] += l;
    return plait_trial_rod(t, &def);
}

static int ring_leaves(plait_trial *t, double angle, const void *data)
{
    plait_rod *rod = make_ring(t, data);
    int answer = -1;
    if (rod && plait_trial_relax(t, rod) && turn_end(t, rod, angle))
        // No push: the ring has a free motion, about the tangent of its ends, which any push would follow.
        answer = leaves(t, rod, 0, ((const ring *)data)->GJ * angle * angle / (4 * PI));
    plait_rod_free(rod);
    return answer;
}

void plait_case_ring(plait_trial *t)
{
    const double ratios[] = {2.0 / 3, 1};
    double x[POLYGONS], y[4][POLYGONS];
    for (int g = 0; g < 2; g++) {
        double theory = 2 * PI * sqrt(3) / ratios[g];
        for (int i = 0; i < POLYGONS && !plait_trial_stopped(t); i++) {
            x[i] = polygons[i].segments;
            y[0][i] = theory;
            y[1][i] = theory * (1 + polygons[i].excess);
            ring r = {polygons[i].segments, ratios[g], true};
            y[2][i] = y[3][i] = NAN;
            if (t->can & PLAIT_ROD_HELD_EDGE) {
                y[2][i] = plait_trial_bracket(t, 0.97 * y[1][i], 1.03 * y[1][i], 2e-4, ring_leaves, &r);
                plait_trial_row(t, r.segments, y[1][i], y[2][i], 0.002,
                                "critical rotation of the polygon, GJ/EI = %.3f", ratios[g]);
            }
            if (r.segments < 50)
                continue;
            // With clamps it is another discretisation with the same limit, as far from it as the polygon.
            r.edge = false;
            y[3][i] = plait_trial_bracket(t, 0.95 * theory, 1.05 * theory, 2e-4, ring_leaves, &r);
            plait_trial_row(t, r.segments, theory, y[3][i], polygons[i].excess + 0.002,
                            "critical rotation, clamps, GJ/EI = %.3f", ratios[g]);
        }
    }
    if (plait_trial_stopped(t))
        return;
    plait_trial_curve(t, "smooth ring", true, POLYGONS, x, y[0]);
    plait_trial_curve(t, "polygon, theory", true, POLYGONS, x, y[1]);
    plait_trial_curve(t, "polygon", false, POLYGONS, x, y[2]);
    plait_trial_curve(t, "clamps", false, POLYGONS, x, y[3]);
}
