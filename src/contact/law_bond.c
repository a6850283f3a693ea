// law_bond.c: adhesion and ties; and the table of laws.
#include "contact/law_bond.h"

#include <math.h>
#include <string.h>

#include "base/elementary.h"
#include "math/mat3.h"
#include "math/vec3.h"

const plait_law *const plait_law_table[PLAIT_LAW_ROWS] = {[PLAIT_LAW_COULOMB] = &plait_law_coulomb,
                                                          [PLAIT_LAW_ADHESION] = &plait_law_adhesion,
                                                          [PLAIT_LAW_TIE] = &plait_law_tie,
                                                          [PLAIT_LAW_BOX] = &plait_law_box};

// ---- adhesion -----------------------------------------------------------------------------------------------------

// Parameters: what the cone needs, then what evolution needs.
enum {
    K_N,
    K_T,
    C,
    MU = C + 3,
    STIFF_N,
    STIFF_T,
    ENERGY,
    VISCOSITY,
    RATE,
    SATURATION,
    CUT,
    SLIP,
    ADHESION_NUMBERS = SLIP + 2
};
_Static_assert((int)ADHESION_NUMBERS <= (int)PLAIT_LAW_NUMBERS, "adhesion has room for its parameters");
_Static_assert((int)PLAIT_BOND_STRETCH < (int)PLAIT_BOND_NUMBERS && (int)PLAIT_TIE_ID < (int)PLAIT_BOND_NUMBERS,
               "bonds have room for theirs");

void plait_adhesion_set(const plait_adhesive *a, double dt, const plait_bond *bond, const double slip[2],
                        double p[PLAIT_LAW_NUMBERS])
{
    double beta = bond->number[PLAIT_BOND_BETA], hold = dt * bond->area * beta * beta;
    memset(p, 0, PLAIT_LAW_NUMBERS * sizeof *p);
    p[K_N] = dt * hold * a->stiffness[0], p[K_T] = dt * hold * a->stiffness[1];
    p[C] = -hold * a->stiffness[0] * bond->number[PLAIT_BOND_REST];
    p[C + 1] = hold * a->stiffness[1] * slip[0], p[C + 2] = hold * a->stiffness[1] * slip[1];
    p[MU] = a->coupling > 0 ? 1 - plait_power(beta, a->coupling) : 1;
    p[STIFF_N] = a->stiffness[0], p[STIFF_T] = a->stiffness[1], p[ENERGY] = a->energy, p[VISCOSITY] = a->viscosity;
    p[RATE] = a->rate, p[SATURATION] = a->saturation, p[CUT] = a->cut;
    p[SLIP] = slip[0], p[SLIP + 1] = slip[1];
}

static void adhesion_cone(double mu, const double *p, plait_law_cone *cone)
{
    *cone = (plait_law_cone){mu * p[MU], {p[K_N], p[K_T], p[K_T]}, {p[C], p[C + 1], p[C + 2]}};
}

// What is left of beta after dt, for a bond that is stretched to e and under the pressure p.
static double next_beta(const double *p, double dt, double e, double pressure, double beta)
{
    double W = p[ENERGY], eta = p[VISCOSITY];
    if (e * beta > W)
        beta = fmin(beta, (eta * beta + dt * W) / (eta + dt * e));
    if (pressure > 0 && p[RATE] > 0) {
        double more = (beta + dt * p[RATE] * pressure) / (1 + dt * p[RATE] * p[SATURATION]);
        beta = fmin(fmax(beta, more), fmax(beta, 1));
    }
    return beta;
}

static bool adhesion_evolve(const plait_bond_step *s, const double *p, plait_bond *bond)
{
    double *number = bond->number, beta = number[PLAIT_BOND_BETA], dt = s->dt, slip[2];
    double rho = s->r[0] + p[K_N] * s->u[0] + p[C], open = fmax(s->gap - number[PLAIT_BOND_REST], 0);
    for (int k = 0; k < 2; k++)
        slip[k] = beta > 0 ? p[SLIP + k] + dt * s->u[1 + k] : 0;
    double e = p[STIFF_N] * open * open + p[STIFF_T] * (slip[0] * slip[0] + slip[1] * slip[1]);
    double before = 0.5 * bond->area * beta * beta * e;
    double most = p[STIFF_N] > 0 ? p[STIFF_N] * p[CUT] * p[CUT] : p[STIFF_T] * p[CUT] * p[CUT];
    beta = next_beta(p, dt, e, bond->area > 0 ? fmax(rho, 0) / (dt * bond->area) : 0, beta);
    if (e > most) // torn
        beta = e = slip[0] = slip[1] = number[PLAIT_BOND_REST] = 0;
    number[PLAIT_BOND_BETA] = beta, number[PLAIT_BOND_STRETCH] = e;
    for (int k = 0; k < 3; k++)
        number[PLAIT_BOND_SLIP + k] = slip[0] * s->E[3 + k] + slip[1] * s->E[6 + k];
    bond->energy = 0.5 * bond->area * beta * beta * e;
    bond->lost = before - bond->energy;
    return beta > 0;
}

const plait_law plait_law_adhesion = {.name = "adhesion", .cone = adhesion_cone, .evolve = adhesion_evolve};

// ---- the box ------------------------------------------------------------------------------------------------------

// How much a tangent holds at most: as a spring, or by friction.
static double box_limit(double mu, const double *p, const double r[3], const double u[3], int axis)
{
    return fmax(fabs(p[K_T] * u[axis] + p[C + axis]), mu * p[MU] * fmax(r[0], 0));
}

static void box_residual(double mu, const double *p, double s, const double *shift, const double r[3],
                         const double u[3], double F[3])
{
    (void)shift;
    F[0] = fmin(u[0], s * (r[0] + p[K_N] * u[0] + p[C]));
    for (int a = 1; a < 3; a++) {
        double limit = box_limit(mu, p, r, u, a), stick = r[a] - u[a] / s;
        F[a] = s * (r[a] - fmin(fmax(stick, -limit), limit));
    }
}

static double box_shift(double mu, const double *p, const double u[3])
{
    (void)mu, (void)p, (void)u;
    return 0;
}

static void box_project(double mu, const double *p, double step, double shift, const double x[3], double y[3])
{
    (void)mu, (void)p, (void)step, (void)shift;
    memcpy(y, x, 3 * sizeof *y); // Gauss-Seidel does not ask for it
}

static void box_jacobian(double mu, const double *p, double s, const double r[3], const double u[3], double F[3],
                         double F_r[9], double F_u[9])
{
    box_residual(mu, p, s, NULL, r, u, F);
    plait_mat3_zero(F_r), plait_mat3_identity(F_u);
}

static void box_natural(double mu, const double *p, const double weight[2], const double r[3], const double u[3],
                        double F[3], double F_r[9], double F_u[9])
{
    box_residual(mu, p, weight[0], NULL, r, u, F);
    if (F_r)
        plait_mat3_zero(F_r), plait_mat3_identity(F_u);
}

// Axis by axis, normal first (Gascon et al. 2010, section 5.2).
static bool box_solve(double mu, const double *p, const plait_local_task *task, const double W[9], const double b[3],
                      double r[3], plait_local_stats *stats)
{
    (void)task;
    stats->calls++;
    for (int a = 0; a < 3; a++) {
        double free = b[a], w = W[4 * a], K = a ? p[K_T] : p[K_N];
        for (int k = 0; k < 3; k++)
            free += k != a ? W[3 * a + k] * r[k] : 0;
        if (!(w > 0)) {
            r[a] = 0;
            continue;
        }
        double stick = -free / w, spring = -(K * free + p[C + a]) / (1 + K * w), hold = mu * p[MU] * fmax(r[0], 0);
        if (a == 0)
            r[0] = fmax(stick, fmin(spring, 0));
        else if (stick < 0)
            r[a] = fmax(stick, fmin(spring, -hold));
        else
            r[a] = fmin(stick, fmax(spring, hold));
    }
    return true;
}

const plait_law plait_law_box = {
    .name = "box", .residual = box_residual, .jacobian = box_jacobian, .natural = box_natural,
    .project = box_project, .shift = box_shift, .solve = box_solve, .evolve = adhesion_evolve,
};

// ---- ties ---------------------------------------------------------------------------------------------------------

enum { TIE_L, TIE_D, TIE_FREE = TIE_D + 3 };

void plait_tie_set(double dt, const plait_bond *bond, const double off[3], double p[PLAIT_LAW_NUMBERS])
{
    const double *number = bond->number;
    double k = number[PLAIT_TIE_STIFFNESS], c = number[PLAIT_TIE_DAMPING];
    memset(p, 0, PLAIT_LAW_NUMBERS * sizeof *p);
    p[TIE_L] = k > 0 ? 1 / (dt * (dt * k + c)) : 0;
    for (int a = 0; a < 3; a++)
        p[TIE_D + a] = k > 0 ? k / (dt * k + c) * off[a] : off[a] / dt;
    p[TIE_FREE] = number[PLAIT_TIE_REST] > 0 ? PLAIT_TIE_ON_PLANE : number[PLAIT_TIE_AXES];
}

// Whether nothing holds along an axis.
static bool is_free(const double *p, int axis)
{
    return ((int)p[TIE_FREE] >> axis & 1) != 0;
}

static void tie_linear(const double *p, plait_law_linear *linear)
{
    linear->L = p[TIE_L];
    for (int a = 0; a < 3; a++)
        linear->d[a] = p[TIE_D + a], linear->free[a] = is_free(p, a);
}

static void tie_residual(double mu, const double *p, double s, const double *shift, const double r[3],
                         const double u[3], double F[3])
{
    (void)mu, (void)shift;
    for (int a = 0; a < 3; a++)
        F[a] = is_free(p, a) ? s * r[a] : u[a] + p[TIE_L] * r[a] + p[TIE_D + a];
}

static void tie_derivatives(const double *p, double s, double F_r[9], double F_u[9])
{
    plait_mat3_zero(F_r), plait_mat3_zero(F_u);
    for (int a = 0; a < 3; a++) {
        bool free = is_free(p, a);
        F_r[4 * a] = free ? s : p[TIE_L], F_u[4 * a] = !free;
    }
}

static void tie_jacobian(double mu, const double *p, double s, const double r[3], const double u[3], double F[3],
                         double F_r[9], double F_u[9])
{
    tie_residual(mu, p, s, NULL, r, u, F);
    tie_derivatives(p, s, F_r, F_u);
}

static void tie_natural(double mu, const double *p, const double weight[2], const double r[3], const double u[3],
                        double F[3], double F_r[9], double F_u[9])
{
    tie_residual(mu, p, weight[1], NULL, r, u, F);
    if (F_r)
        tie_derivatives(p, weight[1], F_r, F_u);
}

// (r - x) / t + L r + d = 0; the shift is no velocity of a tie.
static void tie_project(double mu, const double *p, double step, double shift, const double x[3], double y[3])
{
    (void)mu, (void)shift;
    for (int a = 0; a < 3; a++)
        y[a] = is_free(p, a) ? 0 : (x[a] - step * p[TIE_D + a]) / (1 + step * p[TIE_L]);
}

static double tie_shift(double mu, const double *p, const double u[3])
{
    (void)mu, (void)p, (void)u;
    return 0;
}

// (W + L) r = -(b + d).
static bool tie_solve(double mu, const double *p, const plait_local_task *task, const double W[9], const double b[3],
                      double r[3], plait_local_stats *stats)
{
    (void)mu, (void)task;
    stats->calls++;
    double A[9], d[3];
    memcpy(A, W, sizeof A);
    for (int a = 0; a < 3; a++) {
        d[a] = -(b[a] + p[TIE_D + a]);
        A[4 * a] += p[TIE_L];
    }
    for (int a = 0; a < 3; a++)
        if (is_free(p, a)) { // r = 0
            double own = A[4 * a];
            for (int k = 0; k < 3; k++)
                A[3 * a + k] = A[3 * k + a] = 0;
            A[4 * a] = own > 0 ? own : 1, d[a] = 0;
        }
    return plait_mat3_solve(A, d, 1e-14, r);
}

static bool tie_evolve(const plait_bond_step *s, const double *p, plait_bond *bond)
{
    double *number = bond->number, k = number[PLAIT_TIE_STIFFNESS], off = 0, energy = 0;
    double force = plait_vec3_norm(s->r) / s->dt;
    for (int a = 0; a < 3 && k > 0; a++) {
        // d = k / (dt k + c) D: how far it was off, and is now
        double d = p[TIE_D + a] * (s->dt + number[PLAIT_TIE_DAMPING] / k) + s->dt * s->u[a];
        off += is_free(p, a) ? 0 : d * d;
    }
    energy = 0.5 * k * off;
    number[PLAIT_TIE_FORCE] = force, bond->lost = 0;
    bool breaks = number[PLAIT_TIE_STRENGTH] > 0 && force > number[PLAIT_TIE_STRENGTH];
    for (int a = 0; a < 3; a++)
        bond->lost += is_free(p, a) ? 0 : s->dt * number[PLAIT_TIE_DAMPING] * s->u[a] * s->u[a];
    bond->lost += breaks ? energy : 0, bond->energy = breaks ? 0 : energy;
    return !breaks;
}

const plait_law plait_law_tie = {
    .name = "tie", .linear = tie_linear, .residual = tie_residual, .jacobian = tie_jacobian, .natural = tie_natural,
    .project = tie_project, .shift = tie_shift, .solve = tie_solve, .evolve = tie_evolve,
};
