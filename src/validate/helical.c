// helical.c: A9 localised helical buckling of a long rod whose ends are brought together by D and turned by R.
//
// Closed form of the localised solution: f = (cos phi - cos phi_max) / (1 - cos phi_max) = tanh^2(s / s*), where phi
// is the angle between the rod and its axis.
#include <math.h>
#include <string.h>

#include "math/vec3.h"
#include "validate/cases.h"

static const double PI = 3.14159265358979323846;
enum { MOST = 400 };
static const double LENGTH = 100, SHORTER = 3, TURNS = 27, B = 1.345, C = 0.789;
static const double PHI_MAX = 47.65150732, DECAY = 4.596127046; // [deg], s*
static const double SIDE = 1e-5, PART = 0.5;                    // push [N]; [rad] of a turning stage

static bool buckle(plait_trial *t, plait_rod *rod)
{
    const double side[3] = {0, 0, SIDE}, none[3] = {0};
    int middle = plait_rod_segments(rod) / 2;
    plait_end end = plait_rod_get_end(rod, 1), start = end;
    plait_rod_set_force(rod, middle, side);
    const int shorten = 20, turns = (int)ceil(TURNS * 2 * PI / PART);
    for (int k = 1; k <= shorten + turns && !plait_trial_stopped(t); k++) {
        end.position[0] = LENGTH - SHORTER * fmin(1, (double)k / shorten);
        plait_vec3_turn_normal(start.tangent, start.director, 2 * PI * TURNS * fmax(0, (double)(k - shorten) / turns),
                               end.director);
        if (plait_rod_set_end(rod, 1, &end, NULL) != PLAIT_OK || !plait_trial_relax(t, rod))
            return false;
    }
    plait_rod_set_force(rod, middle, none);
    return plait_trial_relax(t, rod);
}

// Largest angle to the axis, from the parabola through the three largest neighbours, and where it is.
static double summit(const double *cosine, int segments, double *where)
{
    int best = 1;
    for (int j = 1; j + 1 < segments; j++)
        best = cosine[j] < cosine[best] ? j : best;
    double a = cosine[best - 1], b = cosine[best], c = cosine[best + 1], shift = 0.5 * (a - c) / (a - 2 * b + c);
    *where = (best + 0.5 + shift) * LENGTH / segments;
    return acos(b - 0.25 * (a - c) * shift);
}

void plait_case_helical(plait_trial *t)
{
    // The helix turns once in 12.7 lengths of a hundredth: polylines need more than a hundred segments.
    // Elements of constant material curvature see the frame turn by 1.7 rad per hundredth and need 240.
    int segments = t->model == PLAIT_ROD_SUPERHELIX ? 240 : MOST;
    plait_section section = plait_trial_section(B, C, 1, LENGTH);
    section.EA = 1e9 * B / (LENGTH * LENGTH);
    double points[6], frames[9 * MOST], cosine[MOST], s[MOST], f[MOST], exact[MOST];
    plait_rod_def def = plait_trial_straight(t, &section, LENGTH, segments, points);
    def.end[1].kind = PLAIT_END_CLAMPED;
    plait_rod *rod = plait_trial_rod(t, &def);
    double phi = NAN, error = NAN, centre = 0;
    if (rod && buckle(t, rod)) {
        plait_rod_frames(rod, frames);
        for (int j = 0; j < segments; j++)
            cosine[j] = frames[9 * j + 6];
        phi = summit(cosine, segments, &centre);
        double sum = 0;
        for (int j = 0; j < segments; j++) {
            s[j] = ((j + 0.5) * LENGTH / segments - centre) / DECAY;
            f[j] = (cosine[j] - cos(phi)) / (1 - cos(phi));
            exact[j] = pow(tanh(s[j]), 2);
            sum += pow(f[j] - exact[j], 2);
        }
        error = sqrt(sum / segments);
        plait_trial_curve(t, "tanh^2", true, segments, s, exact);
        plait_trial_curve(t, "envelope", false, segments, s, f);
    }
    plait_rod_free(rod);
    if (plait_trial_stopped(t))
        return;
    char reason[sizeof t->reason];
    memcpy(reason, t->reason, sizeof reason);
    plait_trial_row(t, segments, PHI_MAX, phi * 180 / PI, 1 / PHI_MAX, "phi_max [deg]");
    memcpy(t->reason, reason, sizeof reason);
    plait_trial_row(t, segments, 0, error, 0.02, "L2 error of the envelope");
}
