// gen_curve.c: the curve that a rod model makes of the nodes of a strand, and nodes that make a wanted curve.
//
// One step is damped Gauss-Newton: (J^T W J + damp) dn = J^T W by, by Cholesky. It is taken as far as the result is
// still a rod (no folds) and, when fitting, as it is better than before.
#include "scene/gen_curve.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "body/rod.h"
#include "math/vec3.h"

enum { FIT_ROUNDS = 20 };
static const double DAMP = 1e-3; // relative to the mean of the diagonal

double *plait_gen_trace(const plait_scene *scene, int fibre, int *nodes, plait_error *error)
{
    const plait_fibre *f = &scene->fibre[fibre];
    plait_rod_def def = plait_default_rod_def();
    if (plait_material_section(&scene->material[f->material].rod, &def.section, error) != PLAIT_OK)
        return NULL;
    def.model = f->model, def.id = fibre;
    def.point_count = f->points, def.points = f->point, def.segments = f->segments;
    def.natural = f->natural, def.twist = f->twist, def.excess = f->excess, def.length = f->length;
    memcpy(def.curvature, f->curvature, sizeof def.curvature);
    plait_vec3_copy(f->director, def.director);
    for (int e = 0; e < 2; e++)
        def.end[e].kind = f->end[e];
    plait_rod *rod = plait_rod_new(&def, error);
    if (!rod)
        return NULL;
    int samples = plait_rod_samples(rod->type, f->samples);
    *nodes = rod->segments * samples + 1;
    double *x = malloc(3 * (size_t)*nodes * sizeof *x);
    if (x)
        plait_rod_nodes(rod, samples, x);
    else
        plait_gen_no_memory("fibres", error);
    plait_rod_free(rod);
    return x;
}

plait_status plait_gen_curve_new(const plait_scene *scene, const plait_gen_style *style, plait_gen_curve *curve,
                                 plait_error *error)
{
    *curve = (plait_gen_curve){.scene = scene, .style = style};
    curve->samples = plait_rod_samples(plait_rod_type_of(style->model), style->samples);
    curve->curved = plait_rod_type_of(style->model)->trace != NULL;
    return plait_material_section(&scene->material[style->material].rod, &curve->section, error);
}

int plait_gen_curve_nodes(const plait_gen_curve *curve, const plait_gen_strand *strand)
{
    return (strand->nodes - 1) * curve->samples + 1;
}

bool plait_gen_curve_trace(const plait_gen_curve *curve, const plait_gen_strand *strand, double *x, plait_error *error)
{
    plait_rod_def def = plait_gen_rod_def(curve->scene, curve->style, strand, &curve->section);
    plait_rod *rod = plait_rod_new(&def, error);
    if (!rod)
        return false;
    plait_rod_nodes(rod, curve->samples, x);
    plait_rod_free(rod);
    return true;
}

// ---- least squares -----------------------------------------------------------------------------------------------

size_t plait_gen_curve_work(const plait_gen_curve *curve, const plait_gen_strand *strand)
{
    size_t traced = 3 * (size_t)plait_gen_curve_nodes(curve, strand), n = 3 * (size_t)strand->nodes;
    return 4 * traced + n * n + 2 * n;
}

bool plait_gen_curve_jacobian(const plait_gen_curve *curve, const plait_gen_strand *strand, const double *x, double *J,
                              double *work)
{
    int traced = 3 * plait_gen_curve_nodes(curve, strand), n = 3 * (strand->nodes - 1);
    double h = 1e-6 * plait_gen_polyline_length(strand->nodes, strand->x);
    for (int c = 0; c < n; c++) {
        double *at = strand->x + 3 + c, before = *at;
        *at = before + h;
        bool ok = plait_gen_curve_trace(curve, strand, work, NULL);
        *at = before;
        if (!ok)
            return false;
        for (int i = 0; i < traced; i++)
            J[(size_t)i * (size_t)n + (size_t)c] = (work[i] - x[i]) / h;
    }
    return true;
}

// A (lower triangle, n x n) <- its Cholesky factor, b <- A^-1 b. A is positive definite by its damping.
static void solve(int n, double *A, double *b)
{
    for (int i = 0; i < n; i++) {
        double *row = A + (size_t)i * (size_t)n;
        for (int j = 0; j <= i; j++) {
            const double *other = A + (size_t)j * (size_t)n;
            double sum = row[j];
            for (int k = 0; k < j; k++)
                sum -= row[k] * other[k];
            row[j] = j < i ? sum / other[j] : sqrt(fmax(sum, 1e-300));
        }
        for (int k = 0; k < i; k++)
            b[i] -= row[k] * b[k];
        b[i] /= row[i];
    }
    for (int i = n; i-- > 0;) {
        for (int k = i + 1; k < n; k++)
            b[i] -= A[(size_t)k * (size_t)n + (size_t)i] * b[k];
        b[i] /= A[(size_t)i * (size_t)n + (size_t)i];
    }
}

// dn of one damped Gauss-Newton step.
static void direction(int rows, int n, const double *J, const double *by, const double *weight, double damp, double *A,
                      double *dn)
{
    memset(A, 0, (size_t)n * (size_t)n * sizeof *A);
    memset(dn, 0, (size_t)n * sizeof *dn);
    for (int i = 0; i < rows; i++) {
        const double *row = J + (size_t)i * (size_t)n;
        double w = weight ? weight[i / 3] : 1;
        for (int a = 0; w > 0 && a < n; a++) {
            double v = w * row[a];
            dn[a] += v * by[i];
            for (int b = 0; v != 0 && b <= a; b++)
                A[(size_t)a * (size_t)n + (size_t)b] += v * row[b];
        }
    }
    double mean = 0;
    for (int a = 0; a < n; a++)
        mean += A[(size_t)a * (size_t)n + (size_t)a] / n;
    for (int a = 0; a < n; a++)
        A[(size_t)a * (size_t)n + (size_t)a] += damp * mean + 1e-300;
    solve(n, A, dn);
}

void plait_gen_curve_pull(const plait_gen_curve *curve, plait_gen_strand *strand, const double *J, const double *by,
                          const double *weight, double *work)
{
    int traced = 3 * plait_gen_curve_nodes(curve, strand), n = 3 * (strand->nodes - 1);
    double *x = work, *dn = x + traced, *A = dn + n, part = 1;
    direction(traced, n, J, by, weight, DAMP, A, dn);
    for (int half = 0; half < 6; half++, part /= 2) {
        for (int c = 0; c < n; c++)
            strand->x[3 + c] += part * dn[c];
        if (plait_gen_curve_trace(curve, strand, x, NULL))
            return;
        for (int c = 0; c < n; c++)
            strand->x[3 + c] -= part * dn[c];
    }
}

static double miss(int traced, const double *want, const double *x, double *by)
{
    double sum = 0;
    for (int i = 0; i < traced; i++) {
        double d = want[i] - x[i];
        sum += d * d;
        if (by)
            by[i] = d;
    }
    return sum;
}

bool plait_gen_curve_fit(const plait_gen_curve *curve, plait_gen_strand *strand, const double *want, double *x,
                         double *J, double *work, plait_error *error)
{
    int traced = 3 * plait_gen_curve_nodes(curve, strand), n = 3 * (strand->nodes - 1);
    double *by = work, *trial = by + traced, *dn = trial + traced, *A = dn + n, damp = DAMP;
    if (!plait_gen_curve_trace(curve, strand, x, error))
        return false;
    double now = miss(traced, want, x, by);
    bool moved = true;
    for (int round = 0; round < FIT_ROUNDS; round++) {
        if (moved && !plait_gen_curve_jacobian(curve, strand, x, J, trial))
            break;
        direction(traced, n, J, by, NULL, damp, A, dn);
        for (int c = 0; c < n; c++)
            strand->x[3 + c] += dn[c];
        double next = plait_gen_curve_trace(curve, strand, trial, NULL) ? miss(traced, want, trial, NULL) : INFINITY;
        moved = next < now;
        if (!moved) {
            for (int c = 0; c < n; c++)
                strand->x[3 + c] -= dn[c];
            damp *= 10;
            continue;
        }
        memcpy(x, trial, (size_t)traced * sizeof *x);
        bool done = next > 0.99 * now;
        now = miss(traced, want, x, by);
        damp = fmax(damp / 10, 1e-6);
        if (done)
            break;
    }
    return true;
}
