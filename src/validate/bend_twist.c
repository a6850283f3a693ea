// bend_twist.c: A4 a naturally curved rod hangs from a clamp whose tangent points down: planar or not?
//
// With kn the natural curvature and Lgb = (EI / (rho g A))^(1/3) the rod is planar for lengths up to phi_c(c) / kn,
// c = 1 / (kn Lgb). The table is the linear stability boundary for GJ/EI = 2/3 (Jacobi fields; another method).
#include <math.h>
#include <stddef.h>

#include "validate/cases.h"

static const struct {
    double c, phi;
} boundary[] = {{0.10, 60.24544571}, {0.14, 36.02562362}, {0.20, 20.69204376}, {0.25, 13.98692417}, {0.30, 10.37191923},
                {0.34, 7.605205833}, {0.38, 6.002741787}, {0.42, 5.643377381}, {0.46, 5.553007582}, {0.50, 5.610655771},
                {0.54, 5.819935514}, {0.58, 6.303007055}, {0.60, 6.826180676}};
enum { BOUNDARY = (int)(sizeof boundary / sizeof *boundary) };

typedef struct hanging {
    double c;
    double turn; // kn l: natural turning of a segment
    int segments;
} hanging;

// Does the rod of length phi / kn leave the plane? Units: EI = rho g A = Lgb = 1.
static int leaves_plane(plait_trial *t, double phi, const void *data)
{
    const hanging *h = data;
    double kn = 1 / h->c, length = phi * h->c, points[3 * (CASE_MAX_SEGMENTS + 1)] = {0}, l = length / h->segments;
    for (int i = 0; i < h->segments; i++) { // the natural shape, starting downwards
        double a = kn * l * (i + 0.5);
        points[3 * i + 3] = points[3 * i] + l * sin(a);
        points[3 * i + 5] = points[3 * i + 2] - l * cos(a);
    }
    plait_rod_def def = plait_default_rod_def();
    def.model = t->model;
    def.section = plait_trial_section(1, 1 / 1.5, 1, length);
    def.point_count = h->segments + 1;
    def.points = points;
    def.director[0] = 1;
    def.natural = PLAIT_NATURAL_CONSTANT;
    def.curvature[0] = kn;
    def.end[0] = (plait_end){.kind = PLAIT_END_CLAMPED, .tangent = {0, 0, -1}, .director = {1, 0, 0}};
    def.gravity[2] = -1;
    plait_rod *rod = plait_trial_rod(t, &def);
    int answer = -1;
    if (rod && plait_trial_relax(t, rod)) {
        plait_trial_push(rod, 1, 1e-3 * l);
        if (plait_trial_relax(t, rod)) {
            plait_trial_push(rod, 1, 0);
            if (plait_trial_relax(t, rod))
                answer = plait_trial_largest(rod, 1) > 1e-2 * length;
        }
    }
    plait_rod_free(rod);
    return answer;
}

void plait_case_bend_twist(plait_trial *t)
{
    const struct {
        double turn, tolerance;
        int most; // segments, for models with a dense matrix
    } bars[] = {{0.2, 0.03, 120}, {0.1, 0.01, 120}};
    double x[BOUNDARY], reference[BOUNDARY], measured[BOUNDARY];
    int count = 0;
    for (int b = 0; b < 2; b++) {
        count = 0;
        for (int i = 0; i < BOUNDARY && !plait_trial_stopped(t); i++) {
            hanging h = {boundary[i].c, bars[b].turn, (int)ceil(1.05 * boundary[i].phi / bars[b].turn)};
            if (t->max_segments && h.segments > bars[b].most)
                continue;
            x[count] = h.c;
            reference[count] = boundary[i].phi;
            measured[count] =
                plait_trial_bracket(t, 0.95 * boundary[i].phi, 1.05 * boundary[i].phi, 1e-3, leaves_plane, &h);
            plait_trial_row(t, h.segments, reference[count], measured[count], bars[b].tolerance,
                            "critical kn L, 1/(kn Lgb) = %g, kn l <= %g", h.c, bars[b].turn);
            count++;
        }
        if (b == 0 && !plait_trial_stopped(t))
            plait_trial_curve(t, "kn l = 0.2", false, count, x, measured);
    }
    if (plait_trial_stopped(t))
        return;
    plait_trial_curve(t, "stability boundary", true, count, x, reference);
    plait_trial_curve(t, "kn l = 0.1", false, count, x, measured);
}
