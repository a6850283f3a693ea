// soft_balance.c: soft bodies at impacts, and how far one with its contacts is from its own nonlinear equations.
//
// A point of a soft body moves with its nodes by constant weights: impulses of contacts c = H^T r do not change with
// the shape, and what is left out of balance, phi'(v) - c, is the elements' nonlinearity alone.
#include <math.h>
#include <string.h>

#include "body/soft.h"
#include "math/mat3.h"
#include "math/vec3.h"

// a . B^-1 a with the 3x3 blocks B of M on its diagonal, nodes that are held left out. (With M itself it would cost a
// factorisation; for what acts on few nodes at a time both are the same but for a factor.)
static double norm2(const plait_body *b, const double *a)
{
    const plait_soft_impl *s = b->impl;
    double sum = 0;
    for (int i = 0; i < s->nodes; i++) {
        const double *at = a + 3 * (size_t)i;
        double B[9], x[3];
        if (s->hold[i] != PLAIT_HOLD_FREE)
            continue;
        for (int r = 0; r < 3; r++)
            for (int c = 0; c <= r; c++)
                B[3 * r + c] = B[3 * c + r] = b->M[s->plan->ptr[3 * i + r + 1] - 1 - r + c];
        if (!plait_mat3_solve(B, at, 0, x))
            return INFINITY;
        sum += plait_vec3_dot(at, x);
    }
    return sum;
}

void plait_soft_press(plait_body *b, const plait_side *side, const double impulse[3])
{
    plait_soft_impl *s = b->impl;
    int node[3];
    double weight[3];
    s->is_pressed = side != NULL;
    if (!side) {
        memset(s->pressed, 0, (size_t)b->dofs * sizeof *s->pressed);
        return;
    }
    int count = plait_side_weights(&s->skin, side, node, weight);
    for (int i = 0; i < count; i++)
        if (s->hold[node[i]] == PLAIT_HOLD_FREE)
            plait_vec3_axpy(weight[i], impulse, s->pressed + 3 * (size_t)node[i]);
}

double plait_soft_balance(plait_body *b, double dt, const double *v)
{
    plait_soft_impl *s = b->impl;
    double *g = s->g, *c = s->direction, mass = 0;
    plait_soft_gradient(b, dt, v, g);
    memset(c, 0, (size_t)b->dofs * sizeof *c);
    plait_soft_apply(s, b->M, 1, v, c);
    for (int i = 0; i < b->dofs; i++) {
        c[i] = s->hold[i / 3] == PLAIT_HOLD_FREE ? c[i] - b->f[i] : 0;
        g[i] -= c[i];
    }
    for (int i = 0; i < s->nodes; i++)
        mass += s->hold[i] == PLAIT_HOLD_FREE ? s->mass[i] : 0;
    double least = PLAIT_FLOOR * s->skin.radius / dt;
    return mass > 0 ? sqrt(norm2(b, g) / fmax(norm2(b, c), least * least * mass)) : 0; // all of it may be held
}

// M v' = m v + impulses, as a step from rest in its shape: what is hit takes along what is tied to it.
bool plait_soft_strike(plait_body *b, double dt, double *v)
{
    const plait_soft_impl *s = b->impl;
    if (!plait_soft_stiffen(b, dt))
        return false;
    for (int i = 0; i < b->dofs; i++) {
        bool held = s->hold[i / 3] != PLAIT_HOLD_FREE;
        v[i] = held ? (s->held_at[i] - b->state[i]) / dt : b->state[b->dofs + i];
        b->f[i] = held ? v[i] : s->mass[i / 3] * v[i];
    }
    return true;
}

void plait_soft_rebound(plait_body *b, const double *v)
{
    memcpy(b->state + b->dofs, v, (size_t)b->dofs * sizeof *v);
}
