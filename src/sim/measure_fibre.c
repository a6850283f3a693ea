// measure_fibre.c: what is measured along fibres, and how they wind about each other.
#include <math.h>

#include "base/elementary.h"
#include "body/rod.h"
#include "math/vec3.h"
#include "sim/measure.h"

static const plait_body *body_of(const plait_sim *sim, int chain)
{
    return &sim->model.body[sim->model.chain_body[chain]];
}

void plait_measure_span(const plait_sim *sim, const plait_measure *q, int chain, bool segments, int *first, int *count)
{
    const plait_rod *rod = plait_fibre_rod(body_of(sim, chain));
    const double *arc = sim->model.arc + sim->model.first_node[chain];
    int step = (body_of(sim, chain)->nodes - 1) / rod->segments, all = rod->segments + !segments;
    double length = arc[rod->segments * step], a = q->arc[0] * (q->relative ? length : 1);
    double b = q->arc[1] * (q->relative ? length : 1), small = 1e-9 * length;
    *first = -1, *count = 0;
    int nearest = 0;
    double least = INFINITY;
    for (int i = 0; i < all; i++) {
        double s = segments ? (arc[i * step] + arc[(i + 1) * step]) / 2 : arc[i * step];
        if (fabs(s - a) < least - small)
            least = fabs(s - a), nearest = i;
        if (s < a - small || s > b + small)
            continue;
        *first = *first < 0 ? i : *first;
        ++*count;
    }
    if (b - a <= small || *count == 0)
        *first = nearest, *count = 1;
}

static double tension(const plait_rod *rod, const double *x, const double *arc, int step, int j)
{
    double d[3], rest = arc[(j + 1) * step] - arc[j * step];
    if (!(rod->type->abilities & PLAIT_ROD_STRETCHES))
        return NAN;
    plait_vec3_sub(x + 3 * j + 3, x + 3 * j, d);
    return plait_rod_section(rod, j)->EA * (plait_vec3_norm(d) / rest - 1);
}

// By the turning angle of a polyline.
static double turning(const double *x, const double *arc, int step, int n, int i)
{
    double a[3], b[3], c[3];
    if (i == 0 || i == n)
        return NAN;
    plait_vec3_sub(x + 3 * i, x + 3 * i - 3, a), plait_vec3_sub(x + 3 * i + 3, x + 3 * i, b);
    plait_vec3_cross(a, b, c);
    double angle = plait_atan2(plait_vec3_norm(c), plait_vec3_dot(a, b));
    return 2 * angle / (arc[(i + 1) * step] - arc[(i - 1) * step]);
}

void plait_measure_along(const plait_sim *sim, const plait_measure *q, int chain, int count, double *out)
{
    const plait_body *body = body_of(sim, chain);
    const plait_rod *rod = plait_fibre_rod(body);
    const double *arc = sim->model.arc + sim->model.first_node[chain];
    double *x = sim->work.measures->room;
    bool segments = q->kind == PLAIT_MEASURE_TENSION;
    int step = (body->nodes - 1) / rod->segments, first, there;
    plait_measure_span(sim, q, chain, segments, &first, &there);
    plait_rod_positions(rod, x);
    for (int k = 0; k < count; k++) {
        double strain[3], moment[3];
        int i = first + k;
        out[k] = NAN;
        if (k >= there)
            continue;
        bool known = !segments && rod->type->strain && rod->type->strain(rod, i, strain, moment);
        if (segments)
            out[k] = tension(rod, x, arc, step, i);
        else if (q->kind == PLAIT_MEASURE_CURVATURE)
            out[k] = known ? hypot(strain[0], strain[1]) : turning(x, arc, step, rod->segments, i);
        else if (known)
            out[k] = q->kind == PLAIT_MEASURE_TWIST ? strain[2] : plait_vec3_norm(moment);
    }
}

static double arcsine(double s)
{
    s = fmin(fmax(s, -1), 1);
    return plait_atan2(s, sqrt((1 - s) * (1 + s)));
}

// Gauss' integral of two straight pieces: the solid angle of the quadrilateral of directions between them, by 4 pi.
static double pair(const double *a, const double *b, const double *c, const double *d)
{
    const double *from[4] = {a, a, b, b}, *to[4] = {c, d, d, c};
    double r[4][3], n[4][3], sum = 0, ab[3], cd[3], cross[3];
    for (int k = 0; k < 4; k++)
        plait_vec3_sub(to[k], from[k], r[k]);
    for (int k = 0; k < 4; k++) {
        plait_vec3_cross(r[k], r[(k + 1) % 4], n[k]);
        if (plait_vec3_normalise(n[k]) == 0)
            return 0;
    }
    for (int k = 0; k < 4; k++)
        sum += arcsine(plait_vec3_dot(n[k], n[(k + 1) % 4]));
    plait_vec3_sub(b, a, ab), plait_vec3_sub(d, c, cd);
    plait_vec3_cross(cd, ab, cross);
    double side = plait_vec3_dot(cross, r[0]);
    return side > 0 ? sum / (4 * M_PI) : side < 0 ? -sum / (4 * M_PI) : 0;
}

double plait_measure_link(const double *x, int n, const double *y, int m, bool same)
{
    double sum = 0;
    for (int i = 0; i + 1 < n; i++)
        for (int j = same ? i + 2 : 0; j + 1 < m; j++)
            sum += pair(x + 3 * i, x + 3 * i + 3, y + 3 * j, y + 3 * j + 3);
    return same ? 2 * sum : sum;
}
