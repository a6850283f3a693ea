// twist.c: A7 torsional buckling of a straight rod, A8 Michell's ring.
#include <math.h>
#include <stddef.h>

#include "math/vec3.h"
#include "validate/cases.h"

static const double PI = 3.14159265358979323846;
static const double BUCKLED = 0.01, LARGEST_TURN = 0.5; // lengths; [rad] of the end between two equilibria
enum { TWIST_POINTS = 128 };

// Turns the last end about its tangent by `angle` altogether, in stages; the rod follows through equilibria. False if
// one fails.
static bool turn_end(plait_trial *t, plait_rod *rod, double angle)
{
    plait_end end = plait_rod_get_end(rod, 1), start = end;
    int stages = (int)ceil(fabs(angle) / LARGEST_TURN);
    for (int k = 1; k <= stages; k++) {
        plait_turn_normal(start.tangent, start.director, angle * k / stages, end.director);
        if (plait_rod_set_end(rod, 1, &end, NULL) != PLAIT_OK || !plait_trial_relax(t, rod))
            return false;
    }
    return true;
}

// Pushes the rod aside along an axis and lets it go. 1: it stays aside by more than the given distance, or it has gone
// through itself and lost turns, so that its twist energy is not what it was; -1: failed.
static int leaves(plait_trial *t, plait_rod *rod, int axis, double push, double distance, double twist)
{
    if (fabs(plait_rod_energy(rod).twist / twist - 1) > 0.05)
        return 1;
    plait_trial_push(rod, axis, push);
    if (!plait_trial_relax(t, rod))
        return -1;
    plait_trial_push(rod, axis, 0);
    if (!plait_trial_relax(t, rod))
        return -1;
    return plait_trial_largest(rod, axis) > distance || fabs(plait_rod_energy(rod).twist / twist - 1) > 0.05;
}

// ---- A7 ------------------------------------------------------------------------------------------------------------

// Both ends clamped, dead tension T: critical moment of the straight rod (transcendental equation, Greenhill).
static const struct {
    double tension, moment; // T L^2/EI, M L/EI
} greenhill[] = {{0, 8.986818916}, {10, 10.42885642}, {50, 15.58932388}, {200, 31.05416218}};
enum { GREENHILL = (int)(sizeof greenhill / sizeof *greenhill), GREENHILL_SEGMENTS = 50 };

static int straight_leaves(plait_trial *t, double moment, const void *tension)
{
    const double length = 1, EI = 1, GJ = EI / 1.5;
    plait_section section = plait_trial_section(EI, GJ, 1, length);
    double points[6], pull[3] = {*(const double *)tension * EI / (length * length), 0, 0};
    plait_rod_def def = plait_trial_straight(t, &section, length, GREENHILL_SEGMENTS, points);
    def.end[1].kind = PLAIT_END_CLAMPED;
    def.end[1].slide = PLAIT_SLIDE_X;
    plait_rod *rod = plait_trial_rod(t, &def);
    int answer = -1;
    if (rod) {
        plait_rod_set_force(rod, GREENHILL_SEGMENTS, pull);
        if (turn_end(t, rod, moment * EI / GJ))
            answer = leaves(t, rod, 2, 1e-6 * EI / (length * length), BUCKLED * length,
                            moment * moment * EI * EI / (2 * GJ * length));
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
        measured[i] =
            plait_trial_bracket(t, 0.95 * reference[i], 1.05 * reference[i], 5e-4, straight_leaves, &greenhill[i].tension);
        plait_trial_row(t, GREENHILL_SEGMENTS, reference[i], measured[i], 0.01, "critical M L/EI, T L^2/EI = %g", x[i]);
    }
    if (plait_trial_stopped(t))
        return;
    plait_trial_curve(t, "theory", true, GREENHILL, x, reference);
    plait_trial_curve(t, "N = 50", false, GREENHILL, x, measured);
}

// ---- A8 ------------------------------------------------------------------------------------------------------------

// Straight rod bent to a ring, one end turned against the other: 2 pi sqrt(3) EI/GJ. A regular polygon of N edges with the
// curvature 2 tan(phi/2) turns at a slightly larger angle (its own eigenvalue problem).
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
        def.end[e] = (plait_end){.kind = r->edge ? PLAIT_END_EDGE : PLAIT_END_CLAMPED, .tangent = {1, 0, 0},
                                 .director = {0, 0, 1}};
        plait_copy(points, def.end[e].position);
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
        answer = leaves(t, rod, 2, 1e-7, BUCKLED * 2 * PI, ((const ring *)data)->GJ * angle * angle / (4 * PI));
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
                plait_trial_row(t, r.segments, y[1][i], y[2][i], 0.002, "critical rotation of the polygon, GJ/EI = %.3f",
                                ratios[g]);
            }
            if (r.segments < 50)
                continue;
            // With clamps it is another discretisation with the same limit, as far from it as the polygon.
            r.edge = false;
            y[3][i] = plait_trial_bracket(t, 0.95 * theory, 1.05 * theory, 2e-4, ring_leaves, &r);
            plait_trial_row(t, r.segments, theory, y[3][i], polygons[i].excess + 0.002, "critical rotation, clamps, GJ/EI = %.3f",
                            ratios[g]);
        }
    }
    if (plait_trial_stopped(t))
        return;
    plait_trial_curve(t, "smooth ring", true, POLYGONS, x, y[0]);
    plait_trial_curve(t, "polygon, theory", true, POLYGONS, x, y[1]);
    plait_trial_curve(t, "polygon", false, POLYGONS, x, y[2]);
    plait_trial_curve(t, "clamps", false, POLYGONS, x, y[3]);
}
