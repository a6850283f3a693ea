// usda_curves.c: the points through which a prim's BasisCurves run.
//
// Linear and Catmull-Rom curves run through their vertices (a Catmull-Rom curve that is not pinned begins at its second
// and ends before its last). Of B-splines the points between pieces are taken, (a + 4 b + c) / 6, and the ends if they
// are pinned. Of Bezier curves, for each piece of three vertices, the points at a third, two thirds and the end. A
// periodic curve gets its first point once more.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "file/usda_read.h"

typedef enum form { THROUGH, INNER, BSPLINE, PINNED_BSPLINE, BEZIER, PERIODIC } form;

static bool find_form(plait_usda_reader *r, const plait_usda_prim *p, form *out)
{
    bool linear = strcmp(p->type, "linear") == 0, pinned = strcmp(p->wrap, "pinned") == 0;
    bool periodic = strcmp(p->wrap, "periodic") == 0, catmull = strcmp(p->basis, "catmullRom") == 0;
    r->line = p->line;
    if (linear || catmull) {
        *out = periodic ? PERIODIC : linear || pinned ? THROUGH : INNER;
        return true;
    }
    if (periodic)
        return plait_usda_fail(r, "periodic curves are read if they are linear or catmullRom, found basis '%s'",
                               p->basis);
    if (strcmp(p->basis, "bspline") == 0)
        *out = pinned ? PINNED_BSPLINE : BSPLINE;
    else if (strcmp(p->basis, "bezier") == 0 || !p->basis[0])
        *out = BEZIER;
    else
        return plait_usda_fail(r, "expected the basis catmullRom, bspline or bezier, found '%s'", p->basis);
    return true;
}

static void mix(const double *a, const double *b, const double *c, const double *d, const double w[4], double *x)
{
    for (int k = 0; k < 3; k++)
        x[k] = w[0] * a[k] + w[1] * b[k] + w[2] * c[k] + w[3] * d[k];
}

// Points of a curve with n vertices at v; x has room for n + 1. Returns how many there are.
static int lay(form f, int n, const double *v, double *x)
{
    static const double spline[4] = {1.0 / 6, 4.0 / 6, 1.0 / 6, 0};
    static const double third[4] = {8.0 / 27, 12.0 / 27, 6.0 / 27, 1.0 / 27};
    static const double two_thirds[4] = {1.0 / 27, 6.0 / 27, 12.0 / 27, 8.0 / 27};
    size_t size = 3 * sizeof *x;
    int count = 0;
    if (f == THROUGH || f == PERIODIC || n < 3) {
        memcpy(x, v, (size_t)n * size);
        if (f == PERIODIC && n > 2)
            memcpy(x + 3 * (size_t)n, v, size);
        return f == PERIODIC && n > 2 ? n + 1 : n;
    }
    if (f == INNER) {
        memcpy(x, v + 3, (size_t)(n - 2) * size);
        return n - 2;
    }
    if (f == BEZIER) {
        memcpy(x, v, size);
        for (count = 1; count + 3 <= n; count += 3) {
            const double *a = v + 3 * (size_t)(count - 1);
            mix(a, a + 3, a + 6, a + 9, third, x + 3 * (size_t)count);
            mix(a, a + 3, a + 6, a + 9, two_thirds, x + 3 * (size_t)(count + 1));
            memcpy(x + 3 * (size_t)(count + 2), a + 9, size);
        }
        return count;
    }
    if (f == PINNED_BSPLINE)
        memcpy(x, v, size), count = 1;
    for (int i = 1; i + 1 < n; i++, count++) {
        const double *a = v + 3 * (size_t)(i - 1);
        mix(a, a + 3, a + 6, a, spline, x + 3 * (size_t)count);
    }
    if (f == PINNED_BSPLINE)
        memcpy(x + 3 * (size_t)count++, v + 3 * (size_t)(n - 1), size);
    return count;
}

static bool check(plait_usda_reader *r, const plait_usda_prim *p, int *longest)
{
    double sum = 0;
    *longest = 2;
    r->line = p->counts.there ? p->counts.line : p->line;
    if (!p->counts.there)
        return plait_usda_fail(r, "BasisCurves without curveVertexCounts");
    for (size_t i = 0; i < p->counts.count; i++) {
        double n = p->counts.x[i];
        if (!(n >= 0 && n <= 1e9) || n != floor(n))
            return plait_usda_fail(r, "expected numbers of vertices, found %g", n);
        *longest = n > *longest ? (int)n : *longest;
        sum += n;
    }
    r->line = p->points.there ? p->points.line : p->line;
    if (!p->points.there)
        return plait_usda_fail(r, "BasisCurves without points");
    if (p->points.tuple != 3 && p->points.count > 0)
        return plait_usda_fail(r, "expected points (x, y, z), found %d numbers in brackets", p->points.tuple);
    if (sum * 3 != (double)p->points.count)
        return plait_usda_fail(r, "expected %.0f points as curveVertexCounts says, found %zu", sum,
                               p->points.count / 3);
    return true;
}

bool plait_usda_add_curves(plait_usda_reader *r, const plait_usda_prim *p, plait_curves_builder *builder, double *sum,
                           double *weight)
{
    int longest;
    form f = THROUGH;
    if (!find_form(r, p, &f) || !check(r, p, &longest))
        return false;
    double *x = malloc(3 * ((size_t)longest + 1) * sizeof *x);
    if (!x) {
        plait_error_set(r->error, PLAIT_NO_MEMORY, "%s: not enough memory", r->name);
        return false;
    }
    const double *v = p->points.x;
    bool ok = true;
    for (size_t i = 0; ok && i < p->counts.count; i++) {
        int n = (int)p->counts.x[i], count = lay(f, n, v, x);
        if (count >= 2) // less is no fibre
            ok = plait_curves_add(builder, r->name, count, x, r->error);
        v += 3 * (size_t)n;
    }
    for (size_t i = 0; i < p->widths.count; i++)
        *sum += p->widths.x[i] / (double)p->widths.count * (double)p->counts.count;
    *weight += p->widths.count > 0 ? (double)p->counts.count : 0;
    free(x);
    return ok;
}
