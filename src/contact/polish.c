#include "contact/polish.h"

#include <math.h>
#include <string.h>

#include "base/pool.h"
#include "contact/compliance.h"
#include "contact/system.h"
#include "math/soc.h"

enum { MOST_PRODUCTS = 2000, ROUNDS = 200, LOOK = 20, TURNS = 8 };
static const double INSIDE = 1 - 1e-6; // of the cone's width: beyond, it slides
static const double ROUNDING = 1e-14;  // of what conjugate residuals began with
static const double FARTHER = 2;      // times what is missing of the law: impulses that leave their cones so far
static const double MOVES = 10;        // times what the solver left: it slides
static const double MEETS = 0.01;      // of the tolerance, relative to the impulses: both projections agree

// What impulse a contact may have: none, or any, or one along its direction; or it keeps the one that it has.
typedef enum role { OPEN, FREE, DIRECTED, KEPT } role;

typedef struct polish {
    plait_system *sys;
    int n, size;       // contacts, 3 n
    role *role;        // [n]
    double *direction; // [3 n] unit; a contact that is DIRECTED has one unknown, the first of its three
    double *scale;     // [n] unknowns are impulses / scale
    double *memory;    // of these and all below, [3 n] each
    double *p, *q, *z, *y, *x, *kept, *left, *Aleft;
} polish;

static double dot(int size, const double *a, const double *b)
{
    double sum = 0;
    for (int i = 0; i < size; i++)
        sum += a[i] * b[i];
    return sum;
}

static void end(polish *x)
{
    if (x->sys)
        plait_system_free(x->sys);
    plait_free(x->memory), plait_free(x->role);
}

static bool begin(const plait_problem *p, const plait_solve_options *o, plait_stop *stop, polish *x, plait_error *error)
{
    size_t n = (size_t)p->n, size = 3 * n;
    *x = (polish){.n = p->n, .size = (int)size};
    x->sys = plait_system_new(p, o, error);
    x->role = plait_malloc((n + 1) * sizeof *x->role);
    x->memory = plait_calloc(9 * size + n + 1, sizeof *x->memory);
    if (!x->sys || !x->role || !x->memory) {
        plait_error_set(error, PLAIT_NO_MEMORY, "no memory for %d contacts", p->n);
        end(x);
        return false;
    }
    plait_stop_start(stop, o->stop, o->stop_data, o->max_time, false);
    x->sys->stop = stop;
    x->p = x->memory, x->q = x->p + size, x->z = x->q + size, x->y = x->z + size, x->x = x->y + size;
    x->kept = x->x + size, x->left = x->kept + size, x->direction = x->left + size;
    x->Aleft = x->direction + size, x->scale = x->Aleft + size;
    for (int i = 0; i < p->n; i++)
        x->scale[i] = 1;
    return true;
}

// From impulses to unknowns, which are scale times smaller (up: larger), and the other way round.
static void to_unknowns(const polish *x, const double *r, bool up, double *out)
{
    for (int i = 0; i < x->n; i++) {
        const double *mine = r + 3 * (size_t)i, *d = x->direction + 3 * (size_t)i;
        double *to = out + 3 * (size_t)i, by = up ? x->scale[i] : 1 / x->scale[i], along = dot(3, d, mine);
        for (int k = 0; k < 3; k++)
            to[k] = x->role[i] == FREE ? by * mine[k] : x->role[i] == DIRECTED && k == 0 ? by * along : 0;
    }
}

static void to_impulses(const polish *x, const double *unknown, double *r)
{
    for (int i = 0; i < x->n; i++) {
        const double *mine = unknown + 3 * (size_t)i, *d = x->direction + 3 * (size_t)i;
        for (int k = 0; k < 3; k++) {
            double one = x->role[i] == FREE ? mine[k] : x->role[i] == DIRECTED ? mine[0] * d[k] : 0;
            r[3 * (size_t)i + k] = x->scale[i] * one;
        }
    }
}

// out <- S^T W S in. q: scratch.
static void multiply(polish *x, const double *in, double *out)
{
    to_impulses(x, in, x->q);
    plait_system_multiply(x->sys, x->q, out);
    to_unknowns(x, out, true, out);
}

// [velocity] The fastest of what is left.
static double fastest(const polish *x)
{
    double most = 0;
    for (int i = 0; i < x->n; i++) {
        const double *left = x->left + 3 * (size_t)i;
        most = fmax(most, dot(3, left, left) / (x->scale[i] * x->scale[i]));
    }
    return sqrt(most);
}

// What contacts that may have any impulse would miss of their cones with r + S z, as the residual counts it.
static double outside(const polish *x, const plait_problem *p, const double *r)
{
    double sum = 0;
    for (int i = 0; i < x->n; i++) {
        double to[3], on[3], s = x->sys->s[i];
        if (x->role[i] != FREE)
            continue;
        for (int k = 0; k < 3; k++)
            to[k] = s * (r[3 * (size_t)i + k] + x->scale[i] * x->z[3 * (size_t)i + k]);
        plait_soc_project(p->mu[i], to, on);
        for (int k = 0; k < 3; k++)
            sum += (to[k] - on[k]) * (to[k] - on[k]);
    }
    return sqrt(sum);
}

// What ends conjugate residuals before they are through: contacts that are slow enough (still > 0), or impulses that
// leave their cones farther than all that is missing now (r: what z is added to; NULL: never).
typedef struct until {
    double still, missing;
    const double *r;
} until;

static bool enough(const polish *x, const until *u, int k)
{
    return (u->still > 0 && fastest(x) <= u->still) ||
           (u->r && k % LOOK == 0 && outside(x, x->sys->problem, u->r) > FARTHER * u->missing);
}

// z <- the smallest solution of S^T W S z = left (which is lost), as far as rounding or `u` let it, by conjugate
// residuals: what counts is what is left of velocities. (Conjugate gradients make something else small: in a network at
// rest what is left grows tenfold first.) False: it was stopped.
static bool conjugate_residuals(polish *x, const until *u)
{
    double *p = x->p, *z = x->z, *Ap = x->y, *left = x->left, *Aleft = x->Aleft;
    size_t bytes = (size_t)x->size * sizeof *p;
    memset(z, 0, bytes);
    memcpy(p, left, bytes);
    multiply(x, left, Aleft);
    memcpy(Ap, Aleft, bytes);
    double now = dot(x->size, left, left), first = now, best = now, curvature = dot(x->size, left, Aleft);
    for (int k = 0, worse = 0; k < MOST_PRODUCTS && now > ROUNDING * ROUNDING * first && worse < 50; k++) {
        if (plait_system_stopped(x->sys) || x->sys->no_memory)
            return false;
        double square = dot(x->size, Ap, Ap);
        if (enough(x, u, k) || !(curvature > 0) || !(square > 0)) // what is left has no part in the range of W
            break;
        double step = curvature / square;
        for (int i = 0; i < x->size; i++)
            z[i] += step * p[i], left[i] -= step * Ap[i];
        multiply(x, left, Aleft);
        double next = dot(x->size, left, Aleft), more = next / curvature;
        for (int i = 0; i < x->size; i++)
            p[i] = left[i] + more * p[i], Ap[i] = Aleft[i] + more * Ap[i];
        now = dot(x->size, left, left), curvature = next;
        worse = now < 0.99 * best ? 0 : worse + 1;
        best = fmin(best, now);
    }
    return true;
}

// r becomes the solution if its residual is at most `most`; else s is as before.
static plait_status judge(const polish *x, const double *r, double most, plait_solution *s, plait_certificate *c,
                          bool *better, plait_error *error)
{
    const plait_problem *p = x->sys->problem;
    size_t bytes = 3 * (size_t)p->n * sizeof *r;
    double *kept = x->kept;
    plait_certificate now;
    plait_team team = x->sys->team;
    memcpy(kept, s->r, bytes);
    memcpy(s->r, r, bytes);
    plait_status status = plait_problem_velocities_by(p, s->r, team, s->u, error);
    if (status == PLAIT_OK)
        status = plait_problem_certify_by(p, s, team, &now, error);
    *better = status == PLAIT_OK && now.residual_rel <= most;
    if (*better) {
        *c = now;
        return status;
    }
    memcpy(s->r, kept, bytes);
    plait_error ignored = {0};
    plait_status back = plait_problem_velocities_by(p, s->r, team, s->u, &ignored);
    return status == PLAIT_OK ? back : status;
}

// [velocity] What the solver left of velocities that should not be.
static double noise_of(const plait_problem *p, const plait_certificate *c)
{
    return c->residual_rel * sqrt(dot(3 * p->n, p->b, p->b));
}

static bool carries(const plait_problem *p, int i, const double *r, double noise)
{
    return r[0] > 0 && r[0] * p->trace[i] / 3 > noise;
}

// What cannot hold what it should: a contact that would have to pull opens, one that would have to leave its cone stays
// on it, one that closes carries. Returns how many have another role now; u: velocities before x->x was changed.
static int change_roles(polish *x, const plait_problem *p, const double *u, double still)
{
    int changed = 0;
    for (int i = 0; i < x->n; i++) {
        double *r = x->x + 3 * (size_t)i, size = hypot(r[1], r[2]), most = p->mu[i] * fmax(r[0], 0);
        role before = x->role[i];
        if (before == OPEN && u[3 * (size_t)i] < -still) {
            x->role[i] = p->mu[i] == 0 ? DIRECTED : FREE;
        } else if (r[0] < 0 && (before == FREE || before == DIRECTED)) {
            x->role[i] = OPEN;
            r[0] = r[1] = r[2] = 0;
        } else if (before == FREE && size > most) {
            x->role[i] = KEPT;
            r[1] *= most / size, r[2] *= most / size;
        }
        changed += x->role[i] != before;
    }
    return changed;
}

// x->x, whose velocities are u, becomes impulses that stop all that should stick, as far as these can: few rounds tell
// which do. False: it was stopped.
static bool stop_all(polish *x, const plait_problem *p, const double *u, double still, double missing)
{
    const until end = {still, missing, still > 0 ? x->x : NULL};
    for (int round = 0; round < TURNS; round++) {
        if (round > 0) {
            plait_system_apply(x->sys, x->x, x->kept);
            u = x->kept;
        }
        to_unknowns(x, u, true, x->left);
        for (int i = 0; i < x->size; i++)
            x->left[i] = -x->left[i];
        if (!conjugate_residuals(x, &end))
            return false;
        to_impulses(x, x->z, x->y);
        for (int i = 0; i < x->size; i++)
            x->x[i] += x->y[i];
        if (round + 1 == TURNS || change_roles(x, p, u, still) == 0)
            break;
    }
    return true;
}

plait_status plait_problem_hold(const plait_problem *p, const plait_solve_options *options, double still,
                                plait_solution *s, plait_certificate *c, bool *better, plait_error *error)
{
    polish x;
    plait_stop stop;
    *better = false;
    if (p->laws)
        return PLAIT_OK;
    if (!begin(p, options, &stop, &x, error))
        return PLAIT_NO_MEMORY;
    double noise = noise_of(p, c);
    for (int i = 0; i < p->n; i++) {
        const double *r = s->r + 3 * (size_t)i, *u = s->u + 3 * (size_t)i;
        bool inside = hypot(r[1], r[2]) < INSIDE * p->mu[i] * r[0];
        bool driven = u[1] * r[1] + u[2] * r[2] > 0; // on its cone, and moves the way that friction pushes: it sticks
        x.role[i] = !carries(p, i, r, noise) ? OPEN : p->mu[i] == 0 ? DIRECTED : inside || driven ? FREE : KEPT;
        x.direction[3 * (size_t)i] = 1;
        x.scale[i] = 1 / sqrt(x.sys->s[i]);
    }
    memcpy(x.x, s->r, (size_t)x.size * sizeof *x.x);
    bool ok = stop_all(&x, p, s->u, still, noise);
    plait_status status = x.sys->no_memory ? PLAIT_NO_MEMORY : PLAIT_OK;
    if (ok && status == PLAIT_OK)
        status = judge(&x, x.x, 0.999999 * c->residual_rel, s, c, better, error);
    end(&x);
    return status;
}

// A contact that slides keeps its direction. One that is on its cone and does not move may have any impulse in it.
static void roles_with_velocities(polish *x, const plait_problem *p, const plait_solution *s, double noise)
{
    for (int i = 0; i < p->n; i++) {
        const double *r = s->r + 3 * (size_t)i, *u = s->u + 3 * (size_t)i;
        double length = sqrt(dot(3, r, r));
        bool inside = hypot(r[1], r[2]) < INSIDE * p->mu[i] * r[0];
        bool slides = p->mu[i] == 0 || (!inside && hypot(u[1], u[2]) > MOVES * noise);
        x->role[i] = !carries(p, i, r, noise) ? OPEN : slides ? DIRECTED : FREE;
        for (int k = 0; k < 3; k++)
            x->direction[3 * (size_t)i + k] = length > 0 ? r[k] / length : 0;
    }
}

// x.x <- the projection of zero, in unknowns; start: those of impulses that do what they should. False: it was stopped.
static bool dykstra(polish *x, const plait_problem *p, const double *start)
{
    double *r = x->x, *extra = x->kept, meets = fmax(ROUNDING, MEETS * x->sys->options->tol);
    for (int round = 0; round < ROUNDS; round++) {
        // On what does the same: r - the part of r - start in the range of W.
        for (int i = 0; i < x->size; i++)
            x->p[i] = r[i] - start[i];
        multiply(x, x->p, x->left);
        if (!conjugate_residuals(x, &(until){0}))
            return false;
        double off = 0, all = 0;
        for (int i = 0; i < p->n; i++) {
            double in[3], out[3] = {0, 0, 0}, *mine = r + 3 * (size_t)i, *more = extra + 3 * (size_t)i;
            for (int k = 0; k < 3; k++)
                mine[k] -= x->z[3 * (size_t)i + k], in[k] = mine[k] + more[k];
            if (x->role[i] == FREE)
                plait_soc_project(p->mu[i], in, out);
            else
                out[0] = fmax(0, in[0]);
            for (int k = 0; k < 3; k++) {
                off += (out[k] - mine[k]) * (out[k] - mine[k]), all += out[k] * out[k];
                more[k] = in[k] - out[k], mine[k] = out[k];
            }
        }
        if (off <= meets * meets * all)
            return true;
    }
    return true;
}

plait_status plait_problem_smallest(const plait_problem *p, const plait_solve_options *options, plait_solution *s,
                                    plait_certificate *c, bool *better, plait_error *error)
{
    polish x;
    plait_stop stop;
    *better = false;
    if (p->laws || p->n == 0)
        return PLAIT_OK;
    if (!begin(p, options, &stop, &x, error))
        return PLAIT_NO_MEMORY;
    double *start = plait_malloc((size_t)x.size * sizeof *start);
    if (!start) {
        end(&x);
        return plait_error_set(error, PLAIT_NO_MEMORY, "no memory for %d contacts", p->n);
    }
    roles_with_velocities(&x, p, s, noise_of(p, c));
    to_unknowns(&x, s->r, false, start);
    bool ok = dykstra(&x, p, start);
    plait_status status = x.sys->no_memory ? PLAIT_NO_MEMORY : PLAIT_OK;
    to_impulses(&x, x.x, start);
    if (ok && status == PLAIT_OK && dot(x.size, start, start) < (1 - ROUNDING) * dot(x.size, s->r, s->r))
        status = judge(&x, start, fmax(options->tol, c->residual_rel), s, c, better, error);
    plait_free(start);
    end(&x);
    return status;
}
