// superhelix_build.c: memory, constants and initial shape of a super-helix.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/elementary.h"
#include "body/superhelix.h"
#include "math/quat.h"

// Gauss-Legendre rule with m points on (0, 1), by Newton's method on the Legendre polynomial.
static void gauss_rule(int m, double *u, double *w)
{
    for (int i = 0; i < m; i++) {
        double z = plait_cos(3.14159265358979323846 * (i + 0.75) / (m + 0.5)), slope = 1;
        for (int k = 0; k < 50; k++) {
            double p = 1, before = 0;
            for (int j = 1; j <= m; j++) {
                double next = ((2 * j - 1) * z * p - (j - 1) * before) / j;
                before = p, p = next;
            }
            slope = m * (z * p - before) / (z * z - 1);
            double dz = p / slope;
            z -= dz;
            if (fabs(dz) < 1e-16)
                break;
        }
        u[i] = 0.5 * (1 - z);
        w[i] = 1 / ((1 - z * z) * slope * slope);
    }
}

// Points per element: 3 are exact for the inertia of a straight element; an element that is a good part of a turn has
// integrands that oscillate.
static int gauss_points(const plait_superhelix *sh)
{
    double turn = 0;
    for (int q = 0; q < sh->n; q++)
        turn = fmax(turn, sh->length[q] * fmax(plait_vec3_norm(sh->natural + 3 * q), plait_vec3_norm(sh->k + 3 * q)));
    if (turn < 0.3)
        return 3;
    return turn < 1 ? 4 : turn < 10 ? 5 + (int)ceil(turn) : SH_GAUSS_MAX;
}

static void frame_matrix(const double *rows, double *R)
{
    for (int j = 0; j < 3; j++)
        plait_mat3_set_column(R, j, rows + 3 * j);
}

void plait_superhelix_end_frame(const plait_end *end, double R[9])
{
    double m2[3];
    plait_vec3_cross(end->tangent, end->director, m2);
    plait_mat3_set_column(R, 0, end->director);
    plait_mat3_set_column(R, 1, m2);
    plait_mat3_set_column(R, 2, end->tangent);
}

// Darboux vector over `length` that takes frame a to frame b: the turning angle about its axis in the mean frame, and
// the twist. The same measure as that of the natural strains, so that a polyline at rest is at rest here too.
static void hinge_rate(const double *a, const double *b, double length, double k[3])
{
    double t0[3], t1[3], kb[3], m[3], moved[3], mean[2] = {0}, chi;
    plait_mat3_column(a, 2, t0);
    plait_mat3_column(b, 2, t1);
    plait_vec3_cross(t0, t1, kb);
    chi = fmax(1 + plait_vec3_dot(t0, t1), 1e-12);
    double tangent = plait_vec3_norm(kb) / chi, scale = tangent > 0 ? 2 * plait_atan(tangent) / tangent : 2;
    for (int c = 0; c < 2; c++)
        for (int i = 0; i < 3; i++)
            mean[c] += kb[i] * (a[3 * i + c] + b[3 * i + c]) / 2;
    plait_mat3_column(a, 0, m);
    plait_vec3_transport(t0, t1, m, moved);
    plait_mat3_column(b, 0, m);
    plait_vec3_set(k, scale * mean[0] / chi / length, scale * mean[1] / chi / length,
                   plait_vec3_angle(moved, m, t1) / length);
}

// An element has the mean of the strains at its two nodes; a free end has none of its own.
static void element_rates(const plait_rod *rod, const double *node, double *k)
{
    int n = rod->segments;
    bool own[2] = {rod->end[0].kind == PLAIT_END_CLAMPED, rod->end[1].kind == PLAIT_END_CLAMPED};
    for (int q = 0; q < n; q++) {
        const double *a = node + 3 * q, *b = a + 3;
        if (q == 0 && !own[0] && (n > 1 || own[1]))
            a = b;
        if (q == n - 1 && !own[1] && (n > 1 || own[0]))
            b = a;
        for (int j = 0; j < 3; j++)
            k[3 * q + j] = (a[j] + b[j]) / 2;
    }
}

static void initial_shape(plait_rod *rod, const plait_rod_shape *shape, double *node)
{
    plait_superhelix *sh = rod->impl;
    int n = sh->n;
    memset(node, 0, 3 * ((size_t)n + 1) * sizeof *node);
    for (int i = 0; i <= n; i++)
        plait_vec3_set(node + 3 * i, -shape->kappa[2 * i + 1], shape->kappa[2 * i], shape->tau[i]);
    bool constant = true; // then ends that are free have the same natural strain as all others
    for (int i = 1; i <= n; i++)
        constant = constant && memcmp(node, node + 3 * i, 3 * sizeof *node) == 0;
    element_rates(rod, node, sh->natural);
    for (int i = 0; constant && i < 3 * n; i++)
        sh->natural[i] = node[i % 3];
    memset(node, 0, 3 * ((size_t)n + 1) * sizeof *node);
    for (int i = 0; i <= n; i++) {
        double a[9], b[9], length = (i > 0 ? shape->rest[i - 1] / 2 : 0) + (i < n ? shape->rest[i] / 2 : 0);
        if ((i == 0 && rod->end[0].kind != PLAIT_END_CLAMPED) || (i == n && rod->end[1].kind != PLAIT_END_CLAMPED))
            continue;
        i > 0 ? frame_matrix(shape->frames + 9 * (i - 1), a) : plait_superhelix_end_frame(&rod->end[0], a);
        i < n ? frame_matrix(shape->frames + 9 * i, b) : plait_superhelix_end_frame(&rod->end[1], b);
        hinge_rate(a, b, length, node + 3 * i);
    }
    element_rates(rod, node, sh->k);
    double R[9], q[4], turn[3];
    frame_matrix(shape->frames, R);
    plait_quat_from_matrix(R, q);
    for (int j = 0; j < 3; j++)
        turn[j] = -0.5 * sh->length[0] * sh->k[j]; // the first frame belongs to the middle of the first element
    double half[4];
    plait_quat_exp(turn, half);
    plait_quat_multiply(q, half, q);
    if (rod->end[0].kind == PLAIT_END_CLAMPED) {
        plait_superhelix_end_frame(&rod->end[0], R);
        plait_quat_from_matrix(R, q);
    }
    plait_vec3_copy(rod->end[0].kind == PLAIT_END_FREE ? shape->x : rod->end[0].position, rod->state + SH_AT_X);
    memcpy(rod->state + SH_AT_Q, q, sizeof q);
    memcpy(rod->state + SH_AT_K, sh->k, 3 * (size_t)n * sizeof *sh->k);
    memcpy(rod->state + SH_AT_BEFORE, rod->state + SH_AT_X, 7 * sizeof *rod->state);
    memcpy(rod->state + SH_AT_K + 3 * n, sh->k, 3 * (size_t)n * sizeof *sh->k);
}

void plait_superhelix_bind(plait_rod *rod)
{
    plait_superhelix *sh = rod->impl;
    double *behind = rod->state + SH_AT_K + 6 * sh->n;
    sh->plastic = sh->law.yield > 0 ? behind : NULL;
    sh->creep = sh->law.share > 0 ? behind + (sh->plastic ? 2 * sh->n : 0) : NULL;
}

// How the sections of the elements differ from that of the rod.
static void set_sections(const plait_rod *rod)
{
    plait_superhelix *sh = rod->impl;
    const plait_section *whole = &rod->section;
    for (int q = 0; q < sh->n; q++) {
        const plait_section *s = plait_rod_section(rod, q);
        double firm = whole->EI[0] > 0 ? s->EI[0] / whole->EI[0] : whole->GJ > 0 ? s->GJ / whole->GJ : 1;
        sh->firm[q] = rod->piece ? firm : 1;
        sh->heavy[q] = rod->piece ? s->mass / whole->mass : 1;
        sh->spun[q] = rod->piece ? s->inertia[0] / whole->inertia[0] : 1;
    }
}

void plait_superhelix_free(plait_rod *rod)
{
    plait_superhelix *sh = rod->impl;
    if (sh) {
        free(sh->length);
        free(sh->goal.targets);
        free(sh->node);
        free(sh->index);
        free(sh->held);
    }
    free(sh);
}

static plait_status no_memory(const plait_rod *rod, plait_error *error)
{
    return plait_error_set(error, PLAIT_NO_MEMORY, "rod %d: no memory for a super-helix of %d elements", rod->id,
                           rod->segments);
}

plait_status plait_superhelix_build(plait_rod *rod, const plait_rod_shape *shape, plait_error *error)
{
    plait_superhelix *sh = rod->impl = calloc(1, sizeof *sh);
    if (!sh)
        return no_memory(rod, error);
    size_t n = (size_t)shape->segments, dofs = SH_ROOT + 3 * n, stride = (dofs + 3) / 4 * 4;
    sh->stride = (long)stride;
    sh->n = shape->segments;
    rod->dofs = sh->dofs = (int)dofs;
    rod->bandwidth = rod->dofs - 1;
    sh->law = plait_rod_law_of(&rod->section);
    rod->state_size = (int)(SH_AT_K + (6 + (sh->law.yield > 0 ? 2 : 0) + (sh->law.share > 0 ? 3 : 0)) * n);
    size_t room = n * (4 + 3 * 4 + 27) + 12 + dofs * (18 + dofs) + stride * stride;
    double *p = sh->length = calloc(room, sizeof *p);
    sh->node = calloc(n + 1, sizeof *sh->node);
    sh->index = calloc(dofs, sizeof *sh->index);
    sh->held = calloc(dofs, 1);
    if (!plait_rod_room(rod) || !p || !sh->node || !sh->index || !sh->held)
        return no_memory(rod, error);
    p += n;
    sh->firm = p, p += n;
    sh->heavy = p, p += n;
    sh->spun = p, p += n;
    sh->natural = p, p += 3 * n;
    sh->k = p, p += 3 * n;
    sh->goal.start = p, p += 3 * n;
    sh->present = p, p += 12 + 3 * n;
    sh->lin = p, p += 9 * n;
    sh->ang = p, p += 9 * n;
    sh->lin_end = p, p += 9 * n;
    sh->goal.couple = p, p += dofs;
    sh->gradient = p, p += dofs;
    sh->scale = p, p += dofs;
    sh->step = p, p += dofs;
    sh->vector = p, p += dofs;
    sh->metric = p, p += dofs;
    sh->tip_C = p, p += 6 * dofs;
    sh->tip_Z = p, p += 6 * dofs;
    sh->hessian = p, p += dofs * dofs;
    sh->factor = p;
    memcpy(sh->length, shape->rest, n * sizeof *sh->length);
    plait_superhelix_bind(rod);
    set_sections(rod);
    const plait_section *s = &rod->section;
    plait_vec3_set(sh->stiffness, s->EI[1], s->EI[0], s->GJ); // k = (-k2, k1, tau)
    plait_vec3_set(sh->viscous, s->viscous_EI[1], s->viscous_EI[0], s->viscous_GJ);
    initial_shape(rod, shape, sh->lin); // lin: scratch here
    double soft = fmin(s->EI[0], s->EI[1]), L = rod->length;
    for (size_t i = 0; i < dofs; i++)
        sh->metric[i] = i < 3 ? soft / (L * L * L)
                        : i < SH_ROOT
                            ? soft / L
                            : sh->length[(i - SH_ROOT) / 3] * sh->stiffness[i % 3] * sh->firm[(i - SH_ROOT) / 3];
    for (size_t i = 0; i < dofs; i++)
        if (!(sh->metric[i] > 0)) // a string: any metric will do
            sh->metric[i] = i < SH_ROOT ? 1 : sh->length[(i - 6) / 3];
    sh->gauss = gauss_points(sh);
    gauss_rule(sh->gauss, sh->u, sh->w);
    size_t numbers = 9 * (size_t)sh->gauss * n;
    sh->goal.targets = calloc(2 * numbers + (size_t)rod->state_size, sizeof *sh->goal.targets);
    if (!sh->goal.targets)
        return no_memory(rod, error);
    sh->goal.now = sh->goal.targets + numbers, sh->goal.known = sh->goal.now + numbers;
    plait_superhelix_fit(rod, shape);
    return PLAIT_OK;
}
