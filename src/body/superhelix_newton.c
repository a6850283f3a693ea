// superhelix_newton.c: what the Newton minimiser (newton.h) needs of a super-helix: the function of superhelix.h with
// its exact Hessian. A held tip is met by every iterate (superhelix_tip.c).
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/elementary.h"
#include "body/superhelix.h"
#include "math/quat.h"

static const double TWO_PI = 6.28318530717958647693;
static const double NEGLIGIBLE_SHIFT = 1e-9, FIRST_SHIFT = 1e-5; // of the diagonal
enum { STAGES = 20, PATIENCE = 30 };

// ---- moving the iterate ------------------------------------------------------------------------------------------

static void save(plait_superhelix *sh)
{
    memcpy(sh->present, &sh->root, sizeof sh->root);
    memcpy(sh->present + 12, sh->k, 3 * (size_t)sh->n * sizeof *sh->k);
}

static void restore(plait_superhelix *sh)
{
    memcpy(&sh->root, sh->present, sizeof sh->root);
    memcpy(sh->k, sh->present + 12, 3 * (size_t)sh->n * sizeof *sh->k);
}

// Saved iterate plus alpha times the step, brought back to the tip's condition; held dofs of the step are zero. False:
// it cannot be brought back.
static bool move(plait_superhelix *sh, double alpha)
{
    restore(sh);
    sh->expanded = 0;
    const double *d = sh->step;
    double turn[3] = {alpha * d[3], alpha * d[4], alpha * d[5]};
    plait_vec3_axpy(alpha, d, sh->root.x);
    if (plait_vec3_dot(turn, turn) > 0)
        plait_mat3_rotate(sh->root.R, turn);
    for (int i = 0; i < 3 * sh->n; i++)
        sh->k[i] += alpha * d[SH_ROOT + i];
    return plait_superhelix_retract(sh);
}

// ---- residual ----------------------------------------------------------------------------------------------------

static double total_length(const plait_superhelix *sh)
{
    double sum = 0;
    for (int q = 0; q < sh->n; q++)
        sum += sh->length[q];
    return sum;
}

// Largest moment out of balance [N m].
static double imbalance(const plait_superhelix *sh)
{
    double worst = 0, length = total_length(sh);
    for (int i = 0; i < sh->active; i++) {
        int dof = sh->index[i];
        double g = fabs(sh->gradient[dof]);
        g = dof < 3 ? g * length : dof < SH_ROOT ? g : g / sh->length[(dof - SH_ROOT) / 3];
        if (!(g <= worst))
            worst = g; // a NaN stays
    }
    return worst;
}

// What cannot be resolved in double precision [N m].
static double rounding(const plait_superhelix *sh, const sh_value *v)
{
    double moment = 0;
    for (int i = 0; i < 3 * sh->n; i++)
        moment = fmax(moment, sh->firm[i / 3] * (sh->stiffness[i % 3] + sh->goal.rate * sh->viscous[i % 3]) *
                                  (fabs(sh->k[i]) + fabs(sh->natural[i])));
    return 8 * DBL_EPSILON * (moment + v->rounding);
}

// Generalised force of the couples about the tangents of the segments: it follows the rod, so it has no energy.
static void refresh_couple(plait_superhelix *sh, const double *couple)
{
    double *f = sh->goal.couple, sum[3] = {0};
    memset(f, 0, (size_t)sh->dofs * sizeof *f);
    for (int q = sh->n - 1; q >= 0; q--) {
        plait_mat3_apply_transposed(sh->ang + 9 * q, sum, f + SH_ROOT + 3 * q);
        if (couple[q] == 0)
            continue;
        plait_helix h = plait_helix_at(sh->k + 3 * q, 0.5 * sh->length[q]);
        double E[9], V[9], t[3], own[3];
        plait_helix_place(&h, NULL, E);
        plait_helix_jacobian(&h, NULL, V);
        plait_mat3_column(E, 2, t);
        plait_mat3_apply_transposed(V, t, own);
        plait_vec3_axpy(couple[q], own, f + SH_ROOT + 3 * q);
        plait_mat3_apply(sh->node[q].R, t, t);
        plait_vec3_axpy(couple[q], t, sum);
    }
    plait_vec3_copy(sum, f + 3);
}

static bool any(const double *a, int n)
{
    for (int i = 0; i < n; i++)
        if (a[i] != 0)
            return true;
    return false;
}

// ---- expansion ---------------------------------------------------------------------------------------------------

static void couples(plait_superhelix *sh)
{
    if (any(sh->goal.segment_couple, sh->n)) {
        plait_superhelix_place(sh, true);
        refresh_couple(sh, sh->goal.segment_couple);
    }
}

sh_value plait_superhelix_expand(plait_superhelix *sh, bool geometric)
{
    couples(sh);
    if (sh->goal.tip_place) { // the Hessian needs the multipliers of this iterate
        plait_superhelix_evaluate(sh, 1, geometric);
        plait_superhelix_balance_tip(sh);
    }
    sh_value v = plait_superhelix_evaluate(sh, 2, geometric);
    plait_superhelix_balance_tip(sh);
    return v;
}

sh_value plait_superhelix_slope(plait_superhelix *sh)
{
    couples(sh);
    sh_value v = plait_superhelix_evaluate(sh, 1, true);
    plait_superhelix_balance_tip(sh);
    return v;
}

bool plait_superhelix_go(plait_superhelix *sh)
{
    save(sh);
    return move(sh, 1);
}

// ---- Newton ------------------------------------------------------------------------------------------------------

static bool try_step(plait_rod *rod, double alpha, bool curved)
{
    plait_superhelix *sh = rod->impl;
    (void)curved; // steps of curvatures are
    sh->work = 0;
    for (int i = 0; i < sh->dofs; i++)
        sh->work += sh->goal.couple[i] * sh->step[i];
    sh->work *= alpha;
    return move(sh, alpha);
}

// Less the work of the couples. The gradient comes with the Hessian: it is needed next, but for the last time.
static plait_newton_value evaluate(plait_rod *rod, bool trial, double *gradient)
{
    plait_superhelix *sh = rod->impl;
    if (!trial)
        restore(sh);
    if (!gradient) {
        sh_value v = plait_superhelix_evaluate(sh, 0, false);
        return (plait_newton_value){v.energy - sh->work, v.magnitude};
    }
    sh->value = plait_superhelix_expand(sh, true); // into sh->gradient
    sh->expanded = 1;
    return (plait_newton_value){sh->value.energy, sh->value.magnitude};
}

static void accept(plait_rod *rod)
{
    save(rod->impl);
}

static void hessian(plait_rod *rod, bool safe)
{
    plait_superhelix *sh = rod->impl;
    int wanted = safe ? -1 : 1;
    if (sh->expanded == wanted)
        return;
    restore(sh);
    plait_superhelix_expand(sh, !safe);
    sh->expanded = wanted;
}

static bool factorise(plait_rod *rod, const plait_newton_matrix *matrix, double *rhs)
{
    plait_superhelix *sh = rod->impl;
    for (int i = 0; rhs && i < SH_ROOT; i++)
        rhs[i] = sh->held[i] ? 0 : rhs[i];
    return !matrix->indefinite && plait_superhelix_factorise(sh, 1, matrix->shift);
}

static void solve(plait_rod *rod, double *x)
{
    plait_superhelix_solve(rod->impl, x);
}

static void tangent(plait_rod *rod)
{
    plait_superhelix_keep_tip(rod->impl);
}

static double residual(const plait_rod *rod, double *scale, double *noise)
{
    const plait_superhelix *sh = rod->impl;
    *scale = sh->value.force * total_length(sh) + sh->value.moment;
    *noise = rounding(sh, &sh->value);
    return imbalance(sh);
}

static double turn(const plait_rod *rod)
{
    const plait_superhelix *sh = rod->impl;
    double worst = plait_vec3_norm(sh->step + 3);
    for (int q = 0; q < sh->n; q++)
        worst = fmax(worst, sh->length[q] * plait_vec3_norm(sh->step + SH_ROOT + 3 * q));
    return worst;
}

static const plait_newton_type type = {
    .try_step = try_step,
    .evaluate = evaluate,
    .accept = accept,
    .hessian = hessian,
    .factorise = factorise,
    .solve = solve,
    .residual = residual,
    .turn = turn,
    .tangent = tangent,
    .largest_turn = 1.0,
};

// A straight rod cannot get shorter to first order: a wave that leaves both ends' directions alone, bent the soft way.
static void bend_a_little(plait_superhelix *sh)
{
    double length = total_length(sh), s = 0;
    int soft = sh->stiffness[0] < sh->stiffness[1] ? 0 : 1;
    for (int q = 0; q < sh->n; q++) {
        sh->k[3 * q + soft] += 0.2 / length * plait_cos(TWO_PI * (s + 0.5 * sh->length[q]) / length);
        s += sh->length[q];
    }
}

// Brings the tip to where it is held, in stages if it is far.
static bool bring_tip(plait_superhelix *sh)
{
    save(sh);
    if (plait_superhelix_retract(sh))
        return true;
    restore(sh);
    bend_a_little(sh);
    if (plait_superhelix_retract(sh))
        return true;
    restore(sh);
    bend_a_little(sh);
    plait_superhelix_place(sh, false);
    const sh_pose from = sh->node[sh->n], to = sh->goal.tip;
    double D[9], q[4], turn[3];
    plait_mat3_multiply_transposed(to.R, from.R, D);
    plait_quat_from_matrix(D, q);
    plait_quat_log(q, turn);
    bool ok = true;
    for (int k = 1; k <= STAGES && ok; k++) {
        double part[3];
        for (int j = 0; j < 3; j++) {
            sh->goal.tip.x[j] = from.x[j] + (to.x[j] - from.x[j]) * k / STAGES;
            part[j] = turn[j] * k / STAGES;
        }
        memcpy(sh->goal.tip.R, from.R, sizeof from.R);
        plait_mat3_rotate(sh->goal.tip.R, part);
        if (k == STAGES)
            sh->goal.tip = to;
        ok = plait_superhelix_retract(sh);
    }
    sh->goal.tip = to;
    return ok;
}

bool plait_superhelix_minimise(plait_rod *rod, const plait_newton_options *options, plait_step_report *report)
{
    plait_superhelix *sh = rod->impl;
    if (!bring_tip(sh)) {
        report->reason = "the tip cannot get where it is held";
        return false;
    }
    // Statics may have motions without any stiffness (a pinned rod spins): a little for them.
    plait_newton memory = {.type = &type,
                           .dofs = sh->dofs,
                           .fixed = sh->held,
                           .weight = sh->scale,
                           .gradient = sh->gradient,
                           .step = sh->step,
                           .spare = sh->tip_Z,
                           .least = NEGLIGIBLE_SHIFT,
                           .first = FIRST_SHIFT,
                           .most = INFINITY,
                           .stiffest = 1e3,
                           .patience = PATIENCE};
    save(sh);
    return plait_newton_minimise(rod, &memory, options, report);
}
