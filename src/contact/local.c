#include "contact/local.h"

#include "contact/local_common.h"

static const struct {
    const char *name;
    plait_local_function solve;
} SOLVERS[PLAIT_LOCAL_COUNT] = {
    [PLAIT_LOCAL_SECULAR] = {"secular", plait_local_secular},
    [PLAIT_LOCAL_MFB] = {"mfb", plait_local_mfb},
    [PLAIT_LOCAL_PAC] = {"pac", plait_local_pac},
    [PLAIT_LOCAL_DAC] = {"dac", plait_local_dac},
    [PLAIT_LOCAL_ENUM] = {"enum", plait_local_enum},
    [PLAIT_LOCAL_DURIEZ06] = {"duriez06", plait_local_duriez06},
    [PLAIT_LOCAL_DURIEZ08] = {"duriez08", plait_local_duriez08},
    [PLAIT_LOCAL_PYRAMID] = {"pyramid", plait_local_pyramid},
};

const char *plait_local_name(plait_local local)
{
    return (unsigned)local < PLAIT_LOCAL_COUNT ? SOLVERS[local].name : "?";
}

plait_local plait_local_find(const char *name)
{
    int i = 0;
    while (i < PLAIT_LOCAL_COUNT && !(name && strcmp(name, SOLVERS[i].name) == 0))
        i++;
    return (plait_local)i;
}

plait_local_function plait_local_lookup(plait_local local)
{
    return (unsigned)local < PLAIT_LOCAL_COUNT ? SOLVERS[local].solve : NULL;
}

plait_local_result plait_contact_solve(plait_local local, const double W[9], const double b[3], double mu, double tol,
                                       double r[3])
{
    plait_local_function solve = plait_local_lookup(local);
    if (!solve) {
        plait_vec3_set(r, 0, 0, 0);
        return PLAIT_LOCAL_FAILED;
    }
    return solve(W, b, mu, tol, r);
}

// ---- scaling -----------------------------------------------------------------------------------------------------

static double largest(const double W[9])
{
    return plait_larger(plait_vec3_largest(W), plait_larger(plait_vec3_largest(W + 3), plait_vec3_largest(W + 6)));
}

static bool all_finite(const double W[9], const double b[3], double mu)
{
    return plait_vec3_finite(W) && plait_vec3_finite(W + 3) && plait_vec3_finite(W + 6) && plait_vec3_finite(b) &&
           mu >= 0 && mu <= 1e100;
}

// The power of two that brings x to between 1 and 2, and 1 for zero. The smallest numbers are lifted only by 2^1022,
// which is as far as one factor goes.
static double unit_power(double x)
{
    return x > 0 ? plait_local_power(x < DBL_MIN ? DBL_MIN : x > 0x1p1022 ? 0x1p1022 : x) : 1;
}

// The residual at any scale, with or without what rounding may hide; INFINITY for a NaN.
static double scaled_error(const double W[9], const double b[3], double mu, const double r[3], bool noise)
{
    if (!all_finite(W, b, mu) || !plait_vec3_finite(r))
        return INFINITY;
    double kw = unit_power(largest(W)), kb = unit_power(plait_vec3_largest(b)), V[9], c[3], x[3];
    for (int i = 0; i < 9; i++)
        V[i] = W[i] * kw;
    for (int i = 0; i < 3; i++)
        c[i] = b[i] * kb, x[i] = r[i] * kb / kw;
    if (plait_vec3_largest(c) == 0 && plait_vec3_largest(x) == 0)
        return 0;
    double error = noise ? plait_local_error(V, c, mu, x) : plait_local_residual(V, c, mu, x);
    return error >= 0 ? error : INFINITY;
}

double plait_contact_residual(const double W[9], const double b[3], double mu, const double r[3])
{
    return scaled_error(W, b, mu, r, false);
}

plait_local_start plait_local_begin(const double W[9], const double b[3], double mu, double tol, double r[3],
                                    plait_local_scaled *scaled)
{
    bool finite = all_finite(W, b, mu), clamped = !(W[0] > DBL_EPSILON * (fabs(W[4]) + fabs(W[8])));
    bool hopeless = clamped || !plait_local_sane(W);
    if (finite && (plait_vec3_largest(b) == 0 || (b[0] >= 0 && (mu == 0 || hopeless)))) {
        plait_vec3_set(r, 0, 0, 0);
        return PLAIT_LOCAL_DONE;
    }
    if (!finite || hopeless) {
        plait_vec3_set(r, 0, 0, 0);
        return PLAIT_LOCAL_GIVEN_UP;
    }
    if (mu == 0) {
        plait_vec3_set(r, -b[0] / W[0], 0, 0);
        if (!plait_vec3_finite(r))
            plait_vec3_set(r, 0, 0, 0);
        return scaled_error(W, b, mu, r, true) <= tol ? PLAIT_LOCAL_DONE : PLAIT_LOCAL_GIVEN_UP;
    }
    double kw = unit_power(largest(W)), kb = unit_power(plait_vec3_largest(b));
    for (int i = 0; i < 9; i++)
        scaled->W[i] = W[i] * kw;
    for (int i = 0; i < 3; i++)
        scaled->b[i] = b[i] * kb, scaled->r[i] = r[i] * kb / kw;
    if (!plait_vec3_finite(scaled->r))
        plait_vec3_set(scaled->r, 0, 0, 0);
    scaled->kw = kw, scaled->kb = kb;
    return PLAIT_LOCAL_GO;
}

plait_local_result plait_local_finish(const plait_local_scaled *scaled, double mu, double tol,
                                      plait_local_result result, double r[3])
{
    double back[3];
    bool exact = true;
    for (int i = 0; i < 3; i++) {
        r[i] = scaled->r[i] * scaled->kw / scaled->kb;
        back[i] = r[i] * scaled->kb / scaled->kw;
        exact = exact && back[i] == scaled->r[i];
    }
    if (!plait_vec3_finite(r)) {
        plait_vec3_set(r, 0, 0, 0);
        return PLAIT_LOCAL_FAILED;
    }
    if (exact)
        return result;
    bool solved = result == PLAIT_LOCAL_SOLVED && plait_local_error(scaled->W, scaled->b, mu, back) <= tol;
    return solved ? PLAIT_LOCAL_SOLVED : PLAIT_LOCAL_FAILED;
}

// ---- the chain ---------------------------------------------------------------------------------------------------

static void keep_better(const double W[9], const double b[3], double mu, const double x[3], double *best, double r[3])
{
    double error = scaled_error(W, b, mu, x, true);
    if (error < *best) {
        *best = error;
        plait_vec3_copy(x, r);
    }
}

bool plait_local_solve(plait_local_function solve, bool failsafe, const double W[9], const double b[3], double mu,
                       double tol, double r[3], plait_local_stats *stats)
{
    double warm[3], first[3];
    plait_vec3_copy(r, warm);
    stats->calls++;
    if (solve(W, b, mu, tol, r) == PLAIT_LOCAL_SOLVED)
        return true;
    plait_vec3_copy(r, first);
    if (failsafe && solve != plait_local_enum) {
        stats->alt++;
        plait_vec3_copy(warm, r);
        if (plait_local_enum(W, b, mu, tol, r) == PLAIT_LOCAL_SOLVED)
            return true;
    }
    stats->fail++;
    // Solvers of an approximate law are taken at their word: held against the exact law their sweeps could not settle.
    bool approximate = solve == plait_local_duriez06 || solve == plait_local_pyramid;
    if (approximate && !failsafe)
        return false;
    double second[3] = {r[0], r[1], r[2]}, best = INFINITY, zero[3] = {0};
    plait_vec3_set(r, 0, 0, 0);
    keep_better(W, b, mu, zero, &best, r);
    keep_better(W, b, mu, first, &best, r);
    keep_better(W, b, mu, second, &best, r);
    return false;
}
