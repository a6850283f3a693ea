// solid_cases.c: G1 patch test, G2 bar, G3 cantilever block.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/elementary.h"
#include "base/rng.h"
#include "math/mat3.h"
#include "math/quat.h"
#include "math/vec3.h"
#include "validate/soft_alone.h"

static const double none[3] = {0, 0, 0};

static plait_soft_model model_of(int k)
{
    return k ? PLAIT_SOFT_NEO_HOOKEAN : PLAIT_SOFT_COROTATIONAL;
}

// ---- G1 -------------------------------------------------------------------------------------------------------------

// A rotation with a little strain.
static void patch_map(double angle, double F[9])
{
    double axis[3] = {0.3 * angle, -0.5 * angle, 0.8124038404635961 * angle}, q[4], R[9];
    const double S[9] = {1.05, 0.02, -0.01, 0.02, 0.97, 0.03, -0.01, 0.03, 1.02};
    plait_quat_exp(axis, q);
    plait_quat_matrix(q, R);
    plait_mat3_multiply(R, S, F);
}

typedef enum start { NEAR, FLAT, INVERTED } start;

// The farthest that an inner node ends from F X, relative to the size of the body.
static double patch(plait_trial *t, plait_soft_model model, const plait_gen_solid *block, double angle, start from)
{
    plait_soft solid;
    double F[9], worst = NAN;
    if (!plait_trial_block(t, block, &solid))
        return NAN;
    solid.model = model, solid.poisson = 0.3;
    plait_trial_hold_border(&solid);
    plait_soft_alone *a = plait_soft_alone_new(t, &solid, none);
    plait_rng rng = plait_rng_new(11, 0);
    patch_map(angle, F);
    for (int i = 0; a && i < solid.points; i++) {
        double *x = a->x + 3 * (size_t)i, far = from == INVERTED ? 0.35 * block->size[0] : 0.02 * block->size[0];
        plait_mat3_apply(F, solid.point + 3 * (size_t)i, x);
        plait_vec3_copy(x, a->impl->held_at + 3 * (size_t)i);
        for (int k = 0; k < 3 && solid.hold[i] == PLAIT_HOLD_FREE; k++)
            x[k] = from == FLAT ? (k == 2 ? 0 : x[k]) : x[k] + far * plait_rng_between(&rng, -1, 1);
    }
    if (a && plait_soft_alone_settle(t, a, 0.01)) {
        worst = 0;
        for (int i = 0; i < solid.points; i++) {
            double want[3], d[3];
            plait_mat3_apply(F, solid.point + 3 * (size_t)i, want);
            plait_vec3_sub(a->x + 3 * (size_t)i, want, d);
            worst = fmax(worst, plait_vec3_norm(d) / block->size[0]);
        }
    }
    plait_soft_alone_free(a), plait_soft_free(&solid);
    return worst;
}

// The largest force on a node of a body that was turned, over E A: A the area of a cube's face.
static double turned(plait_trial *t, plait_soft_model model, const plait_gen_solid *block, double angle)
{
    plait_soft solid;
    double worst = NAN, axis[3] = {0.6 * angle, 0, 0.8 * angle}, q[4], R[9];
    if (!plait_trial_block(t, block, &solid))
        return NAN;
    solid.model = model;
    plait_soft_alone *a = plait_soft_alone_new(t, &solid, none);
    double *g = malloc(3 * (size_t)solid.points * sizeof *g);
    plait_quat_exp(axis, q);
    plait_quat_matrix(q, R);
    for (int i = 0; a && g && i < solid.points; i++)
        plait_mat3_apply(R, solid.point + 3 * (size_t)i, a->x + 3 * (size_t)i);
    if (a && g) {
        double area = block->size[0] / block->cells[0] * block->size[1] / block->cells[1];
        plait_soft_alone_forces(a, g);
        worst = 0;
        for (int i = 0; i < 3 * solid.points; i++)
            worst = fmax(worst, fabs(g[i]) / (solid.young * area));
    }
    free(g), plait_soft_alone_free(a), plait_soft_free(&solid);
    return worst;
}

void plait_case_patch(plait_trial *t)
{
    static const double angles[] = {0.01, 1, 3};
    const plait_gen_solid blocks[] = {
        {.size = {0.1, 0.1, 0.1}, .cells = {4, 4, 4}, .irregular = 0.25, .seed = 3},
        {.size = {0.2, 0.05, 0.3}, .cells = {5, 3, 6}, .irregular = 0.2, .seed = 8},
    };
    for (int k = 0; k < 2 && !plait_trial_stopped(t); k++) {
        t->subject = plait_soft_model_name(model_of(k));
        for (int i = 0; i < 6 && !plait_trial_stopped(t); i++) {
            const plait_gen_solid *block = &blocks[i / 3];
            double angle = angles[i % 3];
            plait_trial_row(t, block->cells[0], 0, patch(t, model_of(k), block, angle, NEAR), 1e-10,
                            "inner nodes off F X / size, turned by %g rad, mesh %d", angle, i / 3);
            plait_trial_row(t, block->cells[0], 0, turned(t, model_of(k), block, angle), 1e-12,
                            "force / (E A), turned by %g rad, mesh %d", angle, i / 3);
        }
        for (int i = 0; i < 2 && !plait_trial_stopped(t); i++) {
            plait_trial_row(t, blocks[i].cells[0], 0, patch(t, model_of(k), &blocks[i], 0.3, FLAT), 1e-9,
                            "the same, inner nodes start in one plane, mesh %d", i);
            plait_trial_row(t, blocks[i].cells[0], 0, patch(t, model_of(k), &blocks[i], 0.3, INVERTED), 1e-9,
                            "the same, tetrahedra start inverted, mesh %d", i);
        }
    }
}

// ---- G2 -------------------------------------------------------------------------------------------------------------

// A bar along x, its end at -L/2 held.
static bool bar(plait_trial *t, plait_soft_model model, double length, double width, const int cells[3], double poisson,
                plait_soft *solid)
{
    plait_gen_solid block = {
        .size = {length, width, width}, .cells = {cells[0], cells[1], cells[2]}, .irregular = 0, .seed = 4};
    if (!plait_trial_block(t, &block, solid))
        return false;
    solid->model = model, solid->poisson = poisson;
    for (int i = 0; i < solid->points; i++)
        if (solid->point[3 * i] < -length / 2 * (1 - 1e-9))
            solid->hold[i] = PLAIT_HOLD_WORLD;
    return true;
}

// The first frequency of motion along the bar [Hz], by inverse iteration.
static double axial_frequency(plait_trial *t, plait_soft_model model, double length, int cells)
{
    plait_soft solid;
    const int count[3] = {cells, 2, 2};
    if (!bar(t, model, length, length / 10, count, 0, &solid))
        return NAN;
    plait_soft_alone *a = plait_soft_alone_new(t, &solid, none);
    double value = NAN, *x = a ? a->v : NULL;
    if (a) {
        plait_soft_impl *s = a->impl;
        const plait_cholesky_plan *p = s->plan;
        double *K = a->body.M;
        memset(K, 0, (size_t)p->entries * sizeof *K);
        plait_soft_matrix(s, a->x, 1, true, K);
        for (int i = 0; i < p->n; i++) // across it and at its end nothing moves
            for (int64_t k = p->ptr[i]; k < p->ptr[i + 1]; k++) {
                bool out = i % 3 || p->col[k] % 3 || solid.hold[i / 3] != PLAIT_HOLD_FREE;
                K[k] = out ? i == p->col[k] : K[k];
            }
        plait_soft_make_factor(s);
        plait_factor_factorise(&s->factor, K, PLAIT_ALONE, s->factor_work);
        for (int i = 0; i < p->n; i++)
            x[i] = i % 3 ? 0 : solid.point[i] + length / 2;
        for (int round = 0; round < 60; round++) {
            double before = 0, after = 0;
            for (int i = 0; i < p->n; i++)
                before += s->mass[i / 3] * x[i] * x[i], a->body.f[i] = x[i], x[i] *= s->mass[i / 3];
            plait_factor_solve(&s->factor, s->factor_work, x);
            for (int i = 0; i < p->n; i++)
                after += s->mass[i / 3] * x[i] * a->body.f[i];
            value = before / after;
            for (int i = 0; i < p->n; i++)
                x[i] *= value;
        }
    }
    plait_soft_alone_free(a), plait_soft_free(&solid);
    return sqrt(value) / (2 * M_PI);
}

// Its end sinks by this much under its own weight.
static double own_weight(plait_trial *t, plait_soft_model model, double length, double poisson, int cells, double g)
{
    plait_soft solid;
    const int count[3] = {cells, 2, 2};
    const double gravity[3] = {g, 0, 0};
    if (!bar(t, model, length, length / 10, count, poisson, &solid))
        return NAN;
    plait_soft_alone *a = plait_soft_alone_new(t, &solid, gravity);
    double sum = NAN, nodes = 0;
    if (a && plait_soft_alone_settle(t, a, 10)) {
        sum = 0;
        for (int i = 0; i < solid.points; i++)
            if (solid.point[3 * i] > length / 2 * (1 - 1e-9))
                sum += a->x[3 * i] - solid.point[3 * i], nodes++;
    }
    plait_soft_alone_free(a), plait_soft_free(&solid);
    return sum / nodes;
}

// The couple that turns its far end by a small angle, over G a^4 angle / L.
static double torsion(plait_trial *t, plait_soft_model model, int cells)
{
    plait_soft solid;
    const int count[3] = {4 * cells, cells, cells};
    double length = 0.4, width = 0.1, angle = 1e-4, couple = NAN;
    if (!bar(t, model, length, width, count, 0, &solid))
        return NAN;
    for (int i = 0; i < solid.points; i++)
        if (solid.point[3 * i] > length / 2 * (1 - 1e-9))
            solid.hold[i] = PLAIT_HOLD_WORLD;
    plait_soft_alone *a = plait_soft_alone_new(t, &solid, none);
    double *g = malloc(3 * (size_t)solid.points * sizeof *g);
    for (int i = 0; a && i < solid.points; i++) {
        const double *X = solid.point + 3 * (size_t)i;
        double turn = angle * (X[0] / length + 0.5), c = plait_cos(turn), s = plait_sin(turn);
        double at[3] = {X[0], c * X[1] - s * X[2], s * X[1] + c * X[2]};
        plait_vec3_copy(at, a->x + 3 * (size_t)i), plait_vec3_copy(at, a->impl->held_at + 3 * (size_t)i);
    }
    // Sections warp, except at the ends, which are held plane: the twist is taken between the quarters of the bar.
    if (a && g && plait_soft_alone_settle(t, a, 10)) {
        double twist[2] = {0}, nodes[2] = {0};
        plait_soft_alone_forces(a, g);
        couple = 0;
        for (int i = 0; i < solid.points; i++) {
            const double *X = solid.point + 3 * (size_t)i, *x = a->x + 3 * (size_t)i;
            if (X[0] > length / 2 * (1 - 1e-9))
                couple += x[1] * g[3 * i + 2] - x[2] * g[3 * i + 1];
            double square = X[1] * X[1] + X[2] * X[2];
            for (int k = 0; k < 2; k++)
                if (fabs(X[0] - (k - 0.5) * length / 2) < 1e-9 * length && square > 0)
                    twist[k] += X[1] * (x[2] - X[2]) - X[2] * (x[1] - X[1]), nodes[k] += square;
        }
        double rate = (twist[1] / nodes[1] - twist[0] / nodes[0]) / (length / 2);
        couple /= rate * solid.young / 2 * width * width * width * width;
    }
    free(g), plait_soft_alone_free(a), plait_soft_free(&solid);
    return couple;
}

void plait_case_bar(plait_trial *t)
{
    for (int k = 0; k < 2 && !plait_trial_stopped(t); k++) {
        t->subject = plait_soft_model_name(model_of(k));
        double E = plait_default_solid().young, rho = plait_default_solid().density, x[3], y[3], exact[3];
        for (int i = 0; i < 2; i++)
            plait_trial_row(t, 20, sqrt(E / rho) / (4 * (0.5 + i)), axial_frequency(t, model_of(k), 0.5 + i, 20), 0.02,
                            "axial frequency [Hz], L = %g m", 0.5 + i);
        for (int i = 0; i < 2; i++) {
            double L = 0.2, g = 2, want = rho * g * L * L / (2 * E);
            plait_trial_row(t, 20, want, own_weight(t, model_of(k), L, 0.3 * i, 20, g), 0.01 + 0.02 * i,
                            "stretch under its weight [m], nu = %g", 0.3 * i);
        }
        for (int i = 0; i < 3 && !plait_trial_stopped(t); i++)
            x[i] = 2 << i, y[i] = torsion(t, model_of(k), 2 << i), exact[i] = 0.140577;
        plait_trial_row(t, 8, exact[2], y[2], 0.12, "torsion constant J / a^4");
        plait_trial_row(t, 8, exact[2], (4 * y[2] - y[1]) / 3, 0.03, "the same, extrapolated from two meshes");
        plait_trial_row(t, 8, 2, log2(fabs(y[1] - exact[1]) / fabs(y[2] - exact[2])), 0.25,
                        "its order in the size of cubes");
        plait_trial_curve(t, "J / a^4", true, 3, x, exact);
        plait_trial_curve(t, t->subject, false, 3, x, y);
    }
}

// ---- G3 -------------------------------------------------------------------------------------------------------------

// Mean displacement of the far end of a cantilever of 10 : 1 : 1, by a tip load P along -z, or by its weight: drop and
// reach.
static bool cantilever(plait_trial *t, plait_soft_model model, int across, double poisson, double P, double g,
                       double *drop, double *reach)
{
    const double L = 1, h = 0.1, gravity[3] = {0, 0, -g};
    plait_soft solid;
    const int count[3] = {10 * across, across, across};
    double nodes = 0;
    *drop = *reach = NAN;
    if (!bar(t, model, L, h, count, poisson, &solid))
        return false;
    for (int i = 0; i < solid.points; i++) { // the load is spread over the face by the areas around nodes
        double edge = 1;
        for (int k = 1; k < 3; k++)
            edge *= fabs(solid.point[3 * i + k]) > h / 2 * (1 - 1e-9) ? 0.5 : 1;
        if (solid.point[3 * i] > L / 2 * (1 - 1e-9))
            solid.force[3 * i + 2] = -P * edge / (across * across);
    }
    plait_soft_alone *a = plait_soft_alone_new(t, &solid, gravity);
    bool ok = a && plait_soft_alone_settle(t, a, g > 0 ? 0.1 : 10);
    if (ok) {
        *drop = *reach = 0;
        for (int i = 0; i < solid.points; i++)
            if (solid.point[3 * i] > L / 2 * (1 - 1e-9))
                *drop += solid.point[3 * i + 2] - a->x[3 * i + 2], *reach += a->x[3 * i] + L / 2, nodes++;
        *drop /= nodes, *reach /= nodes;
    }
    plait_soft_alone_free(a), plait_soft_free(&solid);
    return ok;
}

void plait_case_cantilever_block(plait_trial *t)
{
    enum { MESHES = 4 };
    static const int across[MESHES] = {4, 6, 8, 10};
    static const struct {
        double Gamma, ratio;
    } heavy[] = {{1, 0.1245617664}, {10, 1.06680232}};
    const double L = 1, h = 0.1, E = plait_default_solid().young, rho = plait_default_solid().density;
    for (int k = 0; k < 2 && !plait_trial_stopped(t); k++) {
        double P = 1e-4, I = h * h * h * h / 12, x[MESHES], y[MESHES], reach;
        double want = P * L * L * L / (3 * E * I) + 6 * P * L / (5 * E / 2 * h * h);
        t->subject = plait_soft_model_name(model_of(k));
        for (int i = 0; i < MESHES && !plait_trial_stopped(t); i++) {
            cantilever(t, model_of(k), across[i], 0, P, 0, &y[i], &reach);
            x[i] = across[i], y[i] = 1 - y[i] / want;
            plait_trial_row(t, across[i], 0, y[i], i == MESHES - 1 ? 0.05 : 0.6,
                            "part of the deflection that is missing");
        }
        plait_trial_row(t, 10, 2, log(y[1] / y[3]) / log(10.0 / 6), 0.1, "order in the size of cubes");
        plait_trial_curve(t, t->subject, false, MESHES, x, y);
        for (int i = 0; i < 2 && !plait_trial_stopped(t); i++) {
            double g = heavy[i].Gamma * E * I / (rho * h * h * L * L * L), drop;
            cantilever(t, model_of(k), 8, 0, 0, g, &drop, &reach);
            plait_trial_row(t, 8, heavy[i].ratio, drop / reach, 0.05, "H/W under its weight, Gamma = %g",
                            heavy[i].Gamma);
        }
    }
}
