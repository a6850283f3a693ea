// path.c: one step along a path of equilibria.
#include "sim/path.h"

#include <math.h>
#include <string.h>

#include "math/direct.h"
#include "math/quat.h"
#include "math/sparse.h"
#include "math/vec3.h"
#include "sim/bonds.h"
#include "sim/limbs.h"
#include "sim/loads.h"

enum { ITERATIONS = 30 };
static const double TOLERANCE = 1e-9, ROUNDING = 1e-6, FAR = 2; // of an arc length: steps of Newton's method
static const double DIFFERENCE = 1e-6;                          // of dt, for derivatives along the parameter

typedef struct path {
    const plait_model *m;
    plait_state *s;
    plait_work *w;
    plait_attempt *a;
    int dofs, n;
    double arc, most;       // [m], [s] of this step
    double *v, *r;          // [dofs], [3 n] unknown, with w->advance
    double *normal;         // [dofs] of the constraint, and ...
    double normal_p;        // ... along the parameter
    double *there;          // [dofs] v with held dofs as they are beside it, on the parameter
    double *g, *g_p;        // [dofs] M v - f, and along the parameter
    double *u, *w_p;        // [3 n]
    double *scale, *weight; // [dofs], [n]
    double *x;              // [dofs + 3 n + 1]
    plait_contact_rows rows;
    bool eager; // contacts that the first guess violates hold
} path;

bool plait_sim_on_path(const plait_model *m, const plait_state *s)
{
    const plait_stepping *p = &m->scene->stepping;
    return p->arc > 0 && plait_state_time(s) >= p->arc_start - 1e-9 * p->dt && m->calm == 0;
}

void plait_sim_path_begin(const plait_model *m, const plait_state *s, plait_work *w)
{
    double last = s->value[PLAIT_AT_DT_LAST];
    for (int b = 0; b < m->bodies; b++) {
        plait_body *body = &m->body[b];
        double *way = w->secant + m->first_dof[b];
        memset(way, 0, (size_t)body->dofs * sizeof *way);
        if (body->dofs > 0 && last > 0 && body->type->strike)
            body->type->strike(body, last, way);
        for (int i = 0; i < body->dofs; i++)
            way[i] *= last;
    }
}

// ---- the direction of the step -------------------------------------------------------------------------------------

// normal <- sum over nodes of J^T J way / (nodes arc^2); returns way . normal. Less than 0: no memory.
static double project(path *p, const double *ways, double *normals)
{
    const plait_model *m = p->m;
    plait_arena_mark mark = plait_arena_get_mark(&p->w->arena);
    double *J = plait_arena_alloc(&p->w->arena, 3 * ((size_t)m->columns + 1), sizeof *J), sum = 0;
    int *dof = plait_arena_alloc(&p->w->arena, (size_t)m->columns + 1, sizeof *dof), points = 0;
    memset(normals, 0, (size_t)p->dofs * sizeof *normals);
    for (int b = 0; J && dof && b < m->bodies; b++) {
        const plait_body *body = &m->body[b];
        const double *way = ways + m->first_dof[b];
        double *normal = normals + m->first_dof[b];
        int nodes = body->dofs == 0 ? 0 : body->nodes > 0 ? body->nodes : 1;
        points += nodes;
        for (int j = 0; j < nodes; j++) {
            bool last = body->nodes > 0 && j == nodes - 1;
            plait_side side = {.on_shape = body->nodes == 0, .segment = last ? j - 1 : j, .a = last};
            double carried[3] = {0}, move[3] = {0, 0, 0};
            if (body->nodes == 0)
                side.index = (int)(body->shape - p->w->shape), plait_vec3_copy(body->shape->start.x, side.point);
            int count = body->type->limb(body, &side, dof, J, carried);
            for (int d = 0; d < count; d++)
                for (int k = 0; k < 3; k++)
                    move[k] += J[k * count + d] * way[dof[d]];
            for (int d = 0; d < count; d++)
                for (int k = 0; k < 3; k++)
                    normal[dof[d]] += J[k * count + d] * move[k];
        }
    }
    for (int i = 0; i < p->dofs; i++) {
        normals[i] /= points * p->arc * p->arc;
        sum += normals[i] * ways[i];
    }
    plait_arena_release(&p->w->arena, mark);
    return J && dof ? sum : -1;
}

// The secant, one arc length long; at first along the parameter alone.
static bool aim(path *p)
{
    double advance = p->s->value[PLAIT_AT_ADVANCE], sum = project(p, p->w->secant, p->normal);
    double size = sqrt(sum + advance * advance / (p->most * p->most));
    if (sum < 0)
        return plait_sim_no_memory(p->w, p->a);
    if (!isfinite(size))
        return plait_sim_reject(p->w, "the path leads to no finite place");
    if (!(size > 0))
        advance = p->most, size = 1;
    p->w->advance = advance / size;
    p->normal_p = advance / size / (p->most * p->most);
    for (int i = 0; i < p->dofs; i++) {
        p->normal[i] *= p->a->dt / size; // of velocities
        p->v[i] = p->w->secant[i] / (size * p->a->dt);
    }
    return true;
}

// ---- what is out of balance ----------------------------------------------------------------------------------------

// How far colliders move at the contacts.
static void carry(path *p)
{
    for (int i = 0; i < p->w->touches.count; i++)
        for (int k = 0; k < 2; k++) {
            plait_side *side = &p->w->touches.touch[i].side[k];
            const plait_shape_geometry *g = side->on_shape ? &p->w->shape[side->index] : NULL;
            double R[9], at[3], local[3];
            if (!g || p->m->body[p->m->shape_body[side->index]].dofs > 0 || g->point0 != g->point1)
                continue;
            plait_vec3_sub(side->point, g->start.x, at);
            plait_quat_matrix(g->start.q, R);
            plait_mat3_apply_transposed(R, at, local);
            plait_quat_matrix(g->end.q, R);
            plait_mat3_affine(R, local, g->end.x, at);
            plait_vec3_sub(at, side->point, side->move);
        }
}

// Bodies about v with the parameter at `advance`: M, f of them, g; held dofs of v go where they have to.
static bool evaluate(path *p, double advance, double *v, double *g)
{
    const plait_model *m = p->m;
    double dt = p->a->dt;
    p->w->advance = advance;
    plait_sim_loads_set(m, p->s, p->w, dt);
    plait_sim_place(m, p->s, p->w, dt);
    carry(p);
    for (int b = 0; b < m->bodies; b++) {
        plait_body *body = &m->body[b];
        double *mine = v + m->first_dof[b], *out = g + m->first_dof[b];
        if (body->dofs == 0)
            continue;
        for (int turn = 0, moved = 1; moved && turn < 2; turn++) {
            if (!body->type->tangent(body, dt, mine))
                return plait_sim_reject(p->w, "a body could not be where the path leads");
            moved = 0;
            for (int i = 0; i < body->dofs; i++)
                if (body->held[i] && mine[i] != body->f[i])
                    mine[i] = body->f[i], moved = 1;
        }
        memset(out, 0, (size_t)body->dofs * sizeof *out);
        for (int c = 0, width = body->bandwidth; c < body->dofs; c++) {
            const double *column = body->M + (size_t)c * (size_t)(width + 1);
            out[c] += column[0] * mine[c];
            for (int d = 1; d <= width && c + d < body->dofs; d++) {
                out[c + d] += column[d] * mine[c];
                out[c] += column[d] * mine[c + d];
            }
        }
        for (int i = 0; i < body->dofs; i++)
            out[i] = body->held[i] ? 0 : out[i] - body->f[i];
    }
    return true;
}

// The motion of scripts along the rows of contacts, as velocities.
static void scripted(const path *p, double *out)
{
    for (int i = 0; i < p->n; i++)
        for (int k = 0; k < 3; k++) {
            const plait_touch *t = &p->w->touches.touch[i];
            const double *E = p->w->frame + 9 * (size_t)i + 3 * k;
            out[3 * i + k] = (plait_vec3_dot(E, t->side[0].move) - plait_vec3_dot(E, t->side[1].move)) / p->a->dt;
        }
}

static void weigh(void *data, int contact, int axis, int dof, double value)
{
    path *p = data;
    (void)axis;
    p->weight[contact] += value * value * p->scale[dof] * p->scale[dof] / 3;
}

// Everything at the present place: derivatives along the parameter first, by a difference.
static bool linearise(path *p)
{
    double advance = p->w->advance, e = DIFFERENCE * p->most;
    memcpy(p->there, p->v, (size_t)p->dofs * sizeof *p->v);
    if (!evaluate(p, advance + e, p->there, p->g_p))
        return false;
    if (p->n > 0)
        scripted(p, p->w_p);
    if (!evaluate(p, advance, p->v, p->g))
        return false;
    for (int i = 0; i < p->dofs; i++)
        p->g_p[i] = (p->g_p[i] - p->g[i]) / e;
    plait_limbs_free(&p->rows.H);
    if (p->n > 0 && !plait_sim_limbs(p->m, p->w, p->a->dt, 0, &p->rows.H, p->rows.w, p->rows.mu))
        return plait_sim_no_memory(p->w, p->a);
    if (p->n > 0) {
        scripted(p, p->u);
        for (int i = 0; i < 3 * p->n; i++)
            p->w_p[i] = (p->w_p[i] - p->u[i]) / e, p->u[i] = p->rows.w[i];
        plait_path_apply(p->m, p->w, &p->rows.H, p->v, false, p->u);
        for (int i = 0; i < p->n; i++)
            p->weight[i] = 0;
    }
    for (int b = 0; b < p->m->bodies; b++)
        for (int i = 0; i < p->m->body[b].dofs; i++) {
            double size = fabs(p->m->body[b].M[(size_t)i * (size_t)(p->m->body[b].bandwidth + 1)]);
            p->scale[p->m->first_dof[b] + i] = size > 0 ? 1 / sqrt(size) : 1;
        }
    if (p->n > 0)
        plait_path_each(p->m, p->w, &p->rows.H, weigh, p);
    return true;
}

// ---- Newton's method -----------------------------------------------------------------------------------------------

typedef struct filling {
    path *p;
    plait_triplets *A;
    const double *F_u; // [9 n]
} filling;

static void fill_entry(void *data, int contact, int axis, int dof, double value)
{
    filling *f = data;
    const path *p = f->p;
    double s = sqrt(p->weight[contact]);
    plait_triplets_add(f->A, dof, p->dofs + 3 * contact + axis, -value * p->scale[dof] / s);
    for (int k = 0; k < 3; k++)
        plait_triplets_add(f->A, p->dofs + 3 * contact + k, dof,
                           f->F_u[9 * contact + 3 * k + axis] * value * p->scale[dof] / s);
}

// Rows of contacts by the laws' natural functions; x <- what they lack.
static bool add_contacts(path *p, plait_triplets *A)
{
    unsigned char *index = plait_arena_alloc(&p->w->arena, (size_t)p->n + 1, 1);
    double *F_u = plait_arena_alloc(&p->w->arena, 9 * (size_t)p->n + 1, sizeof *F_u);
    if (!index || !F_u || !plait_sim_find_laws(p->m, p->s, p->w, p->a->dt, index))
        return false;
    plait_laws laws = {.mu = p->rows.mu};
    if (p->w->has_laws)
        laws = (plait_laws){plait_law_table, PLAIT_LAW_ROWS, p->rows.mu, index, p->w->law_number};
    int last = p->dofs + 3 * p->n;
    for (int i = 0; i < p->n; i++) {
        double F[3], F_r[9], weight[2] = {p->weight[i], p->weight[i]}, s = sqrt(p->weight[i]);
        plait_law_natural(&laws, i, weight, p->r + 3 * i, p->u + 3 * i, F, F_r, F_u + 9 * i);
        for (int k = 0; k < 3; k++) {
            int row = p->dofs + 3 * i + k;
            double along = 0;
            for (int c = 0; c < 3; c++) {
                plait_triplets_add(A, row, p->dofs + 3 * i + c, F_r[3 * k + c] / (s * s));
                along += F_u[9 * i + 3 * k + c] * p->w_p[3 * i + c];
            }
            plait_triplets_add(A, row, last, along * p->most / s);
            p->x[row] = -F[k] / s;
        }
    }
    plait_path_each(p->m, p->w, &p->rows.H, fill_entry, &(filling){p, A, F_u});
    return true;
}

// x <- Newton's step, in the units of the unknowns. False: it cannot be solved, or no memory (a->status).
static bool solve(path *p)
{
    int last = p->dofs + 3 * p->n;
    plait_triplets t = {0};
    plait_sparse A = {0};
    plait_arena_mark mark = plait_arena_get_mark(&p->w->arena);
    plait_path_add_bodies(p->m, &t, p->scale, false);
    memset(p->x, 0, ((size_t)last + 1) * sizeof *p->x);
    bool ok = p->n == 0 || add_contacts(p, &t);
    double lack = 1 - p->normal_p * p->w->advance;
    if (p->n > 0)
        plait_path_apply(p->m, p->w, &p->rows.H, p->r, true, p->x);
    for (int i = 0; i < p->dofs; i++) {
        lack -= p->normal[i] * p->v[i];
        p->x[i] = (p->x[i] - p->g[i]) * p->scale[i];
        plait_triplets_add(&t, i, last, p->g_p[i] * p->scale[i] * p->most);
        if (p->normal[i] != 0)
            plait_triplets_add(&t, last, i, p->normal[i] * p->scale[i]);
    }
    p->x[last] = lack;
    plait_triplets_add(&t, last, last, p->normal_p * p->most);
    ok = ok && plait_triplets_sparse(&t, last + 1, &A);
    plait_triplets_free(&t);
    plait_direct *d = ok ? plait_direct_new(PLAIT_DIRECT_GENERAL, &A, &p->w->stop, p->a->error) : NULL;
    bool solved = d && plait_direct_factorise(d, &A) && plait_direct_solve(d, 1, p->x);
    if (!d || plait_direct_no_memory(d))
        plait_sim_no_memory(p->w, p->a);
    plait_direct_free(d);
    plait_sparse_free(&A);
    plait_arena_release(&p->w->arena, mark);
    for (int i = 0; solved && i < last; i++)
        p->x[i] *= i < p->dofs ? p->scale[i] : 1 / sqrt(p->weight[(i - p->dofs) / 3]);
    return solved || plait_sim_reject(p->w, "the path cannot be followed here");
}

// How long a step of Newton's method is, in arc lengths; less than 0: no memory.
static double length_of(path *p)
{
    double along = p->x[p->dofs + 3 * p->n], square = project(p, p->x, p->there); // `along` in units of `most`
    return square < 0 ? -1 : sqrt(square * p->a->dt * p->a->dt + along * along);
}

static bool newton(path *p)
{
    double before = INFINITY;
    for (int k = 0; k < ITERATIONS; k++) {
        if (plait_sim_stopped(p->w) || !linearise(p))
            return false;
        for (int i = 0; i < p->n && k == 0 && p->eager; i++)
            if (p->u[3 * i] < 0 && p->r[3 * i] == 0)
                p->r[3 * i] = -p->u[3 * i] / p->weight[i];
        if (!solve(p))
            return false;
        double length = length_of(p), part = length > FAR ? FAR / length : 1;
        if (length < 0)
            return plait_sim_no_memory(p->w, p->a);
        if (!isfinite(length))
            break;
        for (int i = 0; i < p->dofs; i++)
            p->v[i] += part * p->x[i];
        for (int i = 0; i < 3 * p->n; i++)
            p->r[i] += part * p->x[p->dofs + i];
        p->w->advance += part * p->most * p->x[p->dofs + 3 * p->n];
        if (length < TOLERANCE || (length < ROUNDING && length > 0.25 * before))
            return true;
        before = length;
    }
    return plait_sim_reject(p->w, "the path was lost: Newton's method does not converge");
}

// ---- a step --------------------------------------------------------------------------------------------------------

static bool allocate(path *p)
{
    size_t d = (size_t)p->dofs + 1, n = 3 * (size_t)p->n + 1;
    double *x = plait_arena_zeros(&p->w->arena, 4 * d + 5 * n + 2 * ((size_t)p->n + 1), sizeof *x);
    if (!x)
        return false;
    p->there = x, p->g = x + d, p->scale = x + 2 * d, p->x = x + 3 * d, x += 4 * d + n;
    p->u = x, p->w_p = x + n, p->rows.w = x + 2 * n, p->r = x + 3 * n, x += 4 * n;
    p->weight = x, p->rows.mu = x + p->n + 1;
    return true;
}

// Impulses of contacts to begin with: those of the last attempt, or of the last step.
static void warm(path *p, bool again)
{
    double last = p->s->value[PLAIT_AT_DT_LAST];
    for (int i = 0; i < p->n; i++) {
        const plait_touch *t = &p->w->touches.touch[i];
        double E[9];
        if (again && i < p->a->known) {
            memcpy(p->r + 3 * i, p->w->solution->r + 3 * (size_t)i, 3 * sizeof *p->r);
        } else if (t->last >= 0 && last > 0) {
            plait_vec3_copy(t->normal, E), plait_vec3_any_normal(E, E + 3), plait_vec3_cross(E, E + 3, E + 6);
            for (int k = 0; k < 3; k++)
                p->r[3 * i + k] =
                    p->a->dt / last * plait_vec3_dot(E + 3 * k, plait_bonds_get(&p->w->bonds, t->last)->impulse);
        }
    }
}

// What was found, for the stages that come.
static bool hand_over(path *p)
{
    const plait_model *m = p->m;
    plait_work *w = p->w;
    if (!evaluate(p, w->advance, p->v, p->g)) // held dofs, loads, scripts
        return false;
    memcpy(w->v_free, p->v, (size_t)p->dofs * sizeof *p->v);
    for (int b = 0; b < m->bodies; b++) {
        plait_body *body = &m->body[b];
        const double *v = p->v + m->first_dof[b];
        if (body->dofs == 0)
            continue;
        if (!body->type->linearise(body, p->a->dt, v))
            return plait_sim_reject(w, "a body could not be linearised");
        body->elsewhere = true;
        memcpy(body->about, v, (size_t)body->dofs * sizeof *v);
        body->type->move(body, p->a->dt, v);
    }
    plait_solution_free(w->solution);
    w->solution = p->n > 0 ? plait_solution_new(p->n) : NULL;
    if (p->n > 0 && !w->solution)
        return plait_sim_no_memory(w, p->a);
    if (p->n > 0)
        memcpy(w->solution->r, p->r, 3 * (size_t)p->n * sizeof *p->r);
    p->a->known = p->n, p->a->stand = PLAIT_STAND_FRESH;
    return true;
}

// Bodies as at the start of the step, at its secant; contacts there.
static bool begin(path *p)
{
    const plait_model *m = p->m;
    plait_sim_rewind(m);
    p->w->advance = 0;
    plait_sim_place(m, p->s, p->w, p->a->dt);
    for (int b = 0; b < m->bodies; b++) {
        plait_body *body = &m->body[b];
        double *v = p->w->v_free + m->first_dof[b];
        p->w->mark[b].stays = false;
        if (body->dofs == 0)
            continue;
        if (body->type->press)
            body->type->press(body, NULL, NULL);
        if (!body->type->tangent)
            return plait_sim_reject(p->w, "a path cannot be followed with bodies that are soft");
        if (body->nodes == 0 && body->type->predict(body, p->a->dt, v))
            return plait_sim_reject(p->w, "a rigid body turns too far in a step");
        memset(v, 0, (size_t)body->dofs * sizeof *v);
        if (!body->type->tangent(body, p->a->dt, v))
            return plait_sim_reject(p->w, "a body could not be linearised");
    }
    return true;
}

static bool meet(path *p)
{
    const plait_model *m = p->m;
    if (!evaluate(p, p->w->advance, p->v, p->g_p))
        return false;
    for (int b = 0; b < m->bodies; b++)
        if (m->body[b].dofs > 0)
            m->body[b].type->move(&m->body[b], p->a->dt, p->v + m->first_dof[b]);
    return plait_sim_detect(m, p->s, p->w, p->a);
}

// Along the parameter alone, forth or back: where a contact begins to hold, a path has a corner, and the secant leads
// nowhere. Contacts that it would violate hold to begin with, or the way back would be found.
static bool turn(path *p, double sign)
{
    if (!aim(p))
        return false;
    memset(p->normal, 0, (size_t)p->dofs * sizeof *p->normal);
    p->normal_p = sign / p->most, p->w->advance = sign * p->most, p->eager = true;
    return true;
}

// With the contacts that there are, from v and the parameter as they are.
static bool settle(path *p, bool again)
{
    p->n = p->w->touches.count;
    if (p->n > 0)
        plait_sim_number_dofs(p->m, p->w);
    if ((p->n > 0 && !plait_sim_contact_room(p->w, p->n)) || !allocate(p))
        return plait_sim_no_memory(p->w, p->a);
    warm(p, again);
    return newton(p) && hand_over(p);
}

bool plait_sim_follow(const plait_model *m, plait_state *s, plait_work *w, plait_attempt *a, bool again)
{
    const plait_stepping *q = &m->scene->stepping;
    path p = {.m = m, .s = s, .w = w, .a = a, .dofs = m->dofs, .arc = q->arc * a->dt / q->dt, .most = a->dt};
    plait_arena_mark mark = plait_arena_get_mark(&w->arena);
    size_t d = (size_t)p.dofs + 1;
    double found = w->advance;
    p.v = plait_arena_zeros(&w->arena, 3 * d, sizeof *p.v), p.normal = p.v + d, p.g_p = p.normal + d;
    bool ok = p.v || plait_sim_no_memory(w, a);
    ok = ok && begin(&p) && aim(&p);
    if (ok && again)
        memcpy(p.v, w->v, (size_t)p.dofs * sizeof *p.v), w->advance = found;
    bool begun = ok && (again || meet(&p));
    ok = begun && settle(&p, again);
    for (int k = 0; k < 2 && begun && !ok && !again && a->status == PLAIT_OK && w->touches.count > 0; k++) {
        ok = turn(&p, k == 0 ? 1 : -1) && settle(&p, false);
    }
    plait_limbs_free(&p.rows.H);
    plait_arena_release(&w->arena, mark);
    return ok;
}
