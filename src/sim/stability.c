// stability.c: the lowest eigenvalues of stiffness and mass at an equilibrium, K x = lambda m x.
//
// Contacts that carry force are constraints: all three axes of those that stick, the normal of those that slide; ties
// as their law says. With them
//
//     A(lambda) = [ K - lambda m   H^T ]
//                 [ H              -e  ]
//
// has as many negative pivots as there are constraints and eigenvalues below lambda (Sylvester): each of them is found
// by halving, and none can be missed. e is tiny: constraints may say the same twice.
#include <math.h>
#include <string.h>

#include "body/fibre.h"
#include "math/direct.h"
#include "math/sparse.h"
#include "math/vec3.h"
#include "sim/bonds.h"
#include "sim/limbs.h"
#include "sim/path.h"

static const double SLACK = 1e-10;                    // of a constraint, relative to what it would give way
static const double PRECISE = 1e-6;                   // relative
static const double LARGEST = 1e18, SMALLEST = 1e-12; // [1/s^2]
static const double BESIDE[3] = {1e-9, 1e-6, 1e-3};   // [1/s^2]
enum { HALVINGS = 200 };

typedef struct pencil {
    const plait_model *m;
    plait_work *w;
    double dt;
    int dofs, rows;
    double *scale;        // [dofs]
    int *row;             // [3 n] of a constraint, -1: none
    double *slack, *size; // [3 n]
    plait_limbs H;
    plait_triplets T;     // lower triangle: of mass + dt^2 K and the constraints, then ...
    int64_t mass;         // ... from here on, of the mass
    plait_sparse A, B, C; // all of one pattern: the system, its part without, its part with the mass
    plait_direct *direct;
    bool unknown; // a body does not tell its stiffness
} pencil;

static void add_row(void *data, int contact, int axis, int dof, double value)
{
    pencil *p = data;
    int row = p->row[3 * contact + axis];
    if (row < 0)
        return;
    plait_triplets_add(&p->T, row, dof, value * p->scale[dof]);
    p->size[3 * contact + axis] += value * value * p->scale[dof] * p->scale[dof];
}

// Which axes of the contacts of the last step hold.
static bool constrain(pencil *p)
{
    plait_work *w = p->w;
    int n = w->touches.count;
    p->row = plait_arena_alloc(&w->arena, 3 * (size_t)n + 1, sizeof *p->row);
    p->slack = plait_arena_zeros(&w->arena, 6 * (size_t)n + 2, sizeof *p->slack), p->size = p->slack + 3 * n + 1;
    double *rhs = plait_arena_alloc(&w->arena, 4 * (size_t)n + 2, sizeof *rhs);
    if (!p->row || !p->slack || !rhs)
        return false;
    for (int i = 0; i < 3 * n; i++)
        p->row[i] = -1;
    if (n == 0 || !w->problem)
        return true;
    if (!plait_sim_limbs(p->m, w, p->dt, 0, &p->H, rhs, rhs + 3 * n))
        return false;
    plait_laws laws = plait_problem_laws(w->problem);
    for (int i = 0; i < n; i++) {
        plait_law_linear tie;
        bool tied = plait_law_get_linear(&laws, i, &tie);
        plait_contact_state state = plait_sim_state_of(w, i);
        for (int k = 0; k < 3; k++) {
            bool holds = tied ? !tie.free[k] : k == 0 ? state != PLAIT_CONTACT_OPEN : state == PLAIT_CONTACT_STICKS;
            p->row[3 * i + k] = holds ? p->rows++ : -1;
            p->slack[3 * i + k] = tied ? tie.L : 0;
        }
    }
    plait_path_each(p->m, w, &p->H, add_row, p);
    for (int i = 0; i < 3 * n; i++)
        if (p->row[i] >= 0)
            plait_triplets_add(&p->T, p->row[i], p->row[i], -fmax(p->slack[i], SLACK * fmax(p->size[i], 1e-300)));
    return true;
}

// Of every body about where it is, as it is: mass + dt^2 stiffness. False: it is not known, and p->unknown says so.
static bool add_bodies(pencil *p, double dt, bool mass)
{
    const plait_model *m = p->m;
    double *v = p->w->problem_v;
    memset(v, 0, (size_t)p->dofs * sizeof *v);
    for (int b = 0; b < m->bodies; b++) {
        plait_body *body = &m->body[b];
        if (body->dofs > 0 && !(body->type->tangent && body->type->tangent(body, dt, v + m->first_dof[b]))) {
            p->unknown = true;
            return false;
        }
        for (int i = 0; i < body->dofs; i++) {
            double *diagonal = &body->M[(size_t)i * (size_t)(body->bandwidth + 1)];
            if (mass && body->held[i]) // its row is the identity's: no eigenvalue is of it
                *diagonal = 0;
            else if (!mass) // so that the diagonal is about 1
                p->scale[m->first_dof[b] + i] = *diagonal != 0 ? 1 / sqrt(fabs(*diagonal)) : 1;
        }
    }
    plait_path_add_bodies(m, &p->T, p->scale, true);
    return true;
}

// A, B and C from the entries. False without memory.
static bool collect(pencil *p)
{
    plait_sparse *part[3] = {&p->A, &p->B, &p->C};
    double *all = p->T.val;
    for (int k = 0; k < 3; k++) {
        double *value = plait_arena_zeros(&p->w->arena, (size_t)p->T.count + 1, sizeof *value);
        if (!value)
            return false;
        for (int64_t i = 0; i < p->T.count; i++)
            value[i] = k == 0 || (i < p->mass) == (k == 1) ? all[i] : 0;
        p->T.val = value;
        bool ok = plait_triplets_sparse(&p->T, p->rows, part[k]);
        p->T.val = all;
        if (!ok)
            return false;
    }
    p->direct = plait_direct_new(PLAIT_DIRECT_SYMMETRIC, &p->A, &p->w->stop, NULL);
    return p->direct != NULL;
}

// How many eigenvalues are below lambda; -1: it cannot be told. A = mass + dt^2 K - (1 + dt^2 lambda) mass.
static int below(pencil *p, double lambda)
{
    for (int tries = 0; tries < 3; tries++) { // at an eigenvalue A is singular: a little beside it
        double factor = 1 + p->dt * p->dt * lambda;
        for (int64_t i = 0; i < p->A.ptr[p->rows]; i++)
            p->A.val[i] = p->B.val[i] - factor * p->C.val[i];
        if (plait_sim_stopped(p->w))
            return -1;
        if (plait_direct_factorise(p->direct, &p->A))
            return plait_direct_negative(p->direct) - (p->rows - p->dofs);
        lambda -= PRECISE * fabs(lambda) / 8 + BESIDE[tries];
    }
    return -1;
}

// The eigenvalue with `index` others below it. NAN: it cannot be told.
static double find(pencil *p, int index)
{
    int count = below(p, 0);
    double low = 0, high = 0, step = 1;
    bool negative = count > index;
    if (count < 0)
        return NAN;
    for (; count >= 0 && step < LARGEST && (count > index) == negative; step *= 16) {
        *(negative ? &high : &low) = negative ? low : high;
        *(negative ? &low : &high) = negative ? -step : step;
        count = below(p, negative ? low : high);
    }
    for (int k = 0;
         k < HALVINGS && count >= 0 && high - low > PRECISE * fmax(fabs(low), fabs(high)) && high - low > SMALLEST;
         k++) {
        double middle = (low + high) / 2;
        count = below(p, middle);
        *(count > index ? &high : &low) = middle;
    }
    return count < 0 || step >= LARGEST ? NAN : (low + high) / 2;
}

static bool prepare(pencil *p)
{
    p->scale = plait_arena_alloc(&p->w->arena, (size_t)p->dofs + 1, sizeof *p->scale);
    if (!p->scale || !add_bodies(p, p->dt, false) || !constrain(p))
        return false;
    p->mass = p->T.count;
    return add_bodies(p, PLAIT_NO_TIME, true) && collect(p);
}

bool plait_sim_stability(const plait_model *m, plait_work *w, plait_attempt *a)
{
    pencil p = {.m = m, .w = w, .dt = a->dt, .dofs = m->dofs, .rows = m->dofs};
    plait_arena_mark mark = plait_arena_get_mark(&w->arena);
    bool ok = prepare(&p), enough = ok || p.unknown;
    for (int i = 0; i < w->eigenvalues && enough; i++) {
        w->eigenvalue[i] = ok ? find(&p, i) : NAN;
        enough = !p.direct || !plait_direct_no_memory(p.direct);
    }
    plait_direct_free(p.direct);
    plait_sparse_free(&p.A), plait_sparse_free(&p.B), plait_sparse_free(&p.C);
    plait_triplets_free(&p.T), plait_limbs_free(&p.H);
    plait_arena_release(&w->arena, mark);
    return enough ? !plait_sim_stopped(w) : plait_sim_no_memory(w, a);
}
