// law.c: functions of rows that are Coulomb's law on rho = r + K u + c, and the way from a contact to its row.
#include "contact/law.h"

#include <math.h>
#include <string.h>

#include "base/pool.h"
#include "contact/law_coulomb.h"
#include "math/mat3.h"

typedef struct contact_law {
    const plait_law *row;
    double mu;
    const double *p;
    plait_law_cone cone; // where the row has one
} contact_law;

// ---- laws of a problem --------------------------------------------------------------------------------------------

void plait_problem_free_laws(plait_problem *p)
{
    if (p->laws)
        plait_free(p->laws->index), plait_free(p->laws->parameter), plait_free(p->laws);
    p->laws = NULL;
}

static bool new_laws(plait_problem *p, const plait_law *const *row, int rows)
{
    struct plait_contact_laws *l = plait_calloc(1, sizeof *l);
    size_t n = (size_t)p->n + 1;
    if (l) {
        l->row = row, l->rows = rows;
        l->index = plait_calloc(n, sizeof *l->index);
        l->parameter = plait_calloc(PLAIT_LAW_NUMBERS * n, sizeof *l->parameter);
    }
    if (!l || !l->index || !l->parameter) {
        if (l)
            plait_free(l->index), plait_free(l->parameter), plait_free(l);
        return false;
    }
    plait_problem_free_laws(p);
    p->laws = l;
    return true;
}

plait_status plait_problem_set_laws(plait_problem *p, const plait_law *const *row, int rows, const unsigned char *index,
                                    const double *parameter, plait_error *error)
{
    size_t n = (size_t)p->n;
    if (rows < 1 || row[0] != &plait_law_coulomb)
        return plait_error_set(error, PLAIT_BAD_INPUT, "a table of laws begins with Coulomb's");
    for (size_t i = 0; i < n; i++)
        if (index[i] >= rows)
            return plait_error_set(error, PLAIT_BAD_INPUT, "contact %d has law %d: expected one of %d", (int)i,
                                   index[i], rows);
    for (size_t k = 0; parameter && k < PLAIT_LAW_NUMBERS * n; k++)
        if (!isfinite(parameter[k]))
            return plait_error_set(error, PLAIT_BAD_INPUT, "parameter %d of contact %d is %g: expected a finite number",
                                   (int)(k % PLAIT_LAW_NUMBERS), (int)(k / PLAIT_LAW_NUMBERS), parameter[k]);
    bool others = false;
    for (size_t i = 0; i < n; i++)
        others = others || index[i] != 0;
    if (!others) { // Coulomb everywhere needs no table
        plait_problem_free_laws(p);
        return PLAIT_OK;
    }
    if (!new_laws(p, row, rows))
        return plait_error_set(error, PLAIT_NO_MEMORY, "no memory for the laws of %d contacts", p->n);
    memcpy(p->laws->index, index, n);
    if (parameter)
        memcpy(p->laws->parameter, parameter, PLAIT_LAW_NUMBERS * n * sizeof *parameter);
    return PLAIT_OK;
}

plait_laws plait_problem_laws(const plait_problem *p)
{
    const struct plait_contact_laws *l = p->laws;
    return l ? (plait_laws){l->row, l->rows, p->mu, l->index, l->parameter} : (plait_laws){.mu = p->mu};
}

bool plait_problem_extract_laws(const plait_problem *p, const int *list, plait_problem *q)
{
    const struct plait_contact_laws *l = p->laws;
    if (!l)
        return true;
    if (!new_laws(q, l->row, l->rows))
        return false;
    for (int i = 0; i < q->n; i++) {
        q->laws->index[i] = l->index[list[i]];
        memcpy(q->laws->parameter + PLAIT_LAW_NUMBERS * (int64_t)i, l->parameter + PLAIT_LAW_NUMBERS * (int64_t)list[i],
               PLAIT_LAW_NUMBERS * sizeof *l->parameter);
    }
    return true;
}

// ---- one contact --------------------------------------------------------------------------------------------------

static contact_law law_of(const plait_laws *l, int64_t i)
{
    contact_law x = {.row = l->row[l->index[i]], .mu = l->mu[i]};
    x.p = l->parameter ? l->parameter + PLAIT_LAW_NUMBERS * i : NULL;
    if (x.row->cone)
        x.row->cone(x.mu, x.p, &x.cone);
    return x;
}

static void to_rho(const plait_law_cone *cone, const double r[3], const double u[3], double rho[3])
{
    for (int a = 0; a < 3; a++)
        rho[a] = r[a] + cone->K[a] * u[a] + cone->c[a];
}

// F_u of (u, r) from that of (u, rho): du moves rho too.
static void chain(const plait_law_cone *cone, const double F_r[9], double F_u[9])
{
    for (int a = 0; a < 3; a++)
        for (int e = 0; e < 3; e++)
            F_u[3 * a + e] += F_r[3 * a + e] * cone->K[e];
}

void plait_law_general_residual(const plait_laws *l, int64_t i, double s, const double *shift, const double r[3],
                                const double u[3], double F[3])
{
    contact_law x = law_of(l, i);
    if (x.row->residual) {
        x.row->residual(x.mu, x.p, s, shift, r, u, F);
        return;
    }
    double rho[3];
    to_rho(&x.cone, r, u, rho);
    if (shift)
        plait_coulomb_convex(x.cone.mu, s, *shift, rho, u, F);
    else
        plait_coulomb_residual(x.cone.mu, s, rho, u, F);
}

void plait_law_convex_residual(const plait_laws *l, int64_t i, double s, double shift, const double r[3],
                               const double u[3], double F[3])
{
    if (plait_law_is_coulomb(l, i))
        plait_coulomb_convex(l->mu[i], s, shift, r, u, F);
    else
        plait_law_general_residual(l, i, s, &shift, r, u, F);
}

double plait_law_general_shift(const plait_laws *l, int64_t i, const double u[3])
{
    contact_law x = law_of(l, i);
    return x.row->shift ? x.row->shift(x.mu, x.p, u) : x.cone.mu * sqrt(u[1] * u[1] + u[2] * u[2]);
}

// With v = (r - x) / t and u = v - shift e_N, rho = (t + K) v + z, z = x - K shift e_N + c: rho is the point of the
// cone that is nearest to z in the metric 1 / (t + K), and a cone stays one if normal and tangent are scaled.
static void cone_project(const plait_law_cone *cone, double step, double shift, const double x[3], double y[3])
{
    double dN = sqrt(step + cone->K[0]), dT = sqrt(step + cone->K[1]);
    double z[3] = {x[0] - cone->K[0] * shift + cone->c[0], x[1] + cone->c[1], x[2] + cone->c[2]};
    double scaled[3] = {z[0] / dN, z[1] / dT, z[2] / dT}, near[3];
    plait_soc_project(cone->mu * dN / dT, scaled, near);
    double v[3] = {(near[0] - scaled[0]) / dN, (near[1] - scaled[1]) / dT, (near[2] - scaled[2]) / dT};
    for (int a = 0; a < 3; a++)
        y[a] = x[a] + step * v[a];
}

void plait_law_general_project(const plait_laws *l, int64_t i, double step, double shift, const double x[3],
                               double y[3])
{
    contact_law law = law_of(l, i);
    if (law.row->project)
        law.row->project(law.mu, law.p, step, shift, x, y);
    else
        cone_project(&law.cone, step, shift, x, y);
}

void plait_law_jacobian(const plait_laws *l, int64_t i, double s, const double r[3], const double u[3], double F[3],
                        double F_r[9], double F_u[9])
{
    if (plait_law_is_coulomb(l, i)) {
        plait_coulomb_jacobian(l->mu[i], s, r, u, F, F_r, F_u);
        return;
    }
    contact_law x = law_of(l, i);
    if (!F_r) {
        plait_law_general_residual(l, i, s, NULL, r, u, F);
    } else if (x.row->jacobian) {
        x.row->jacobian(x.mu, x.p, s, r, u, F, F_r, F_u);
    } else {
        double rho[3];
        to_rho(&x.cone, r, u, rho);
        plait_coulomb_jacobian(x.cone.mu, s, rho, u, F, F_r, F_u);
        chain(&x.cone, F_r, F_u);
    }
}

void plait_law_natural(const plait_laws *l, int64_t i, const double weight[2], const double r[3], const double u[3],
                       double F[3], double F_r[9], double F_u[9])
{
    if (plait_law_is_coulomb(l, i)) {
        plait_coulomb_natural(l->mu[i], weight, r, u, F, F_r, F_u);
        return;
    }
    contact_law x = law_of(l, i);
    if (x.row->natural) {
        x.row->natural(x.mu, x.p, weight, r, u, F, F_r, F_u);
        return;
    }
    double rho[3];
    to_rho(&x.cone, r, u, rho);
    plait_coulomb_natural(x.cone.mu, weight, rho, u, F, F_r, F_u);
    if (F_r)
        chain(&x.cone, F_r, F_u);
}

// u = W (rho - K u - c) + b gives u = G W rho + G (b - W c) with G = (I + W K)^-1: a contact with another W and b, and
// G W = (W^-1 + K)^-1 is symmetric.
static bool cone_solve(const plait_law_cone *cone, const plait_local_task *task, const double W[9], const double b[3],
                       double r[3], plait_local_stats *stats)
{
    double A[9], V[9], d[3], e[3], rho[3], u[3];
    bool ok = true;
    for (int k = 0; k < 9; k++)
        A[k] = (k % 4 == 0) + W[k] * cone->K[k % 3];
    for (int k = 0; k < 3; k++) {
        double column[3], x[3];
        plait_mat3_column(W, k, column);
        ok = ok && plait_mat3_solve(A, column, 0, x);
        if (ok)
            plait_mat3_set_column(V, k, x);
    }
    plait_mat3_apply(W, cone->c, d);
    for (int a = 0; a < 3; a++)
        d[a] = b[a] - d[a];
    if (!ok || !plait_mat3_solve(A, d, 0, e)) {
        stats->calls++, stats->fail++;
        memset(r, 0, 3 * sizeof *r);
        return false;
    }
    V[1] = V[3] = 0.5 * (V[1] + V[3]), V[2] = V[6] = 0.5 * (V[2] + V[6]), V[5] = V[7] = 0.5 * (V[5] + V[7]);
    plait_mat3_affine(W, r, b, u); // a warm start from r and the velocity that goes with it
    to_rho(cone, r, u, rho);
    bool solved = plait_local_solve(task->solve, task->failsafe, V, e, cone->mu, task->tol, rho, stats);
    plait_mat3_affine(V, rho, e, u);
    for (int a = 0; a < 3; a++)
        r[a] = rho[a] - cone->K[a] * u[a] - cone->c[a];
    return solved;
}

bool plait_law_solve(const plait_laws *l, int64_t i, const plait_local_task *task, const double W[9], const double b[3],
                     double r[3], plait_local_stats *stats)
{
    if (plait_law_is_coulomb(l, i))
        return plait_local_solve(task->solve, task->failsafe, W, b, l->mu[i], task->tol, r, stats);
    contact_law x = law_of(l, i);
    return x.row->solve ? x.row->solve(x.mu, x.p, task, W, b, r, stats) : cone_solve(&x.cone, task, W, b, r, stats);
}

bool plait_law_get_cone(const plait_laws *l, int64_t i, plait_law_cone *cone)
{
    if (plait_law_is_coulomb(l, i)) {
        *cone = (plait_law_cone){.mu = l->mu[i]};
        return true;
    }
    contact_law x = law_of(l, i);
    *cone = x.cone;
    return x.row->cone != NULL;
}

bool plait_law_velocity(const plait_laws *l, int64_t i, const double r[3], double u[3])
{
    plait_law_cone x;
    if (!plait_law_get_cone(l, i, &x))
        return false;
    double p[3] = {r[0] + x.c[0], r[1] + x.c[1], r[2] + x.c[2]}; // rho if nothing moves
    double push = fmax(p[0], 0), pull = hypot(p[1], p[2]), excess = pull - x.mu * push;
    bool bonded = x.K[0] > 0 && x.K[1] > 0 && x.K[1] == x.K[2], sticks = push > 0 && excess < 0;
    if (!sticks && (!bonded || (r[0] == 0 && r[1] == 0 && r[2] == 0)))
        return false;
    u[0] = bonded ? fmax(-p[0], 0) / x.K[0] : 0;
    for (int a = 1; a < 3; a++)
        u[a] = sticks || pull == 0 ? 0 : -excess / x.K[1] * p[a] / pull;
    return true;
}

double plait_law_asked(const plait_laws *l, int64_t n)
{
    double sum = 0;
    plait_law_linear linear;
    for (int64_t i = 0; l->index && i < n; i++)
        for (int a = 0; a < 3 && plait_law_get_linear(l, i, &linear); a++)
            sum += linear.free[a] ? 0 : linear.d[a] * linear.d[a];
    return sum;
}

bool plait_law_get_linear(const plait_laws *l, int64_t i, plait_law_linear *linear)
{
    if (plait_law_is_coulomb(l, i) || !l->row[l->index[i]]->linear)
        return false;
    l->row[l->index[i]]->linear(l->parameter + PLAIT_LAW_NUMBERS * i, linear);
    return true;
}
