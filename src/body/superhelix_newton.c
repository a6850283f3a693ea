// superhelix_newton.c: Newton's method with line search on the energy of superhelix.h, with the exact Hessian.
//
// Where the Hessian is not positive definite a multiple of a positive diagonal is added. An equilibrium that is no
// minimum is left along the direction of negative curvature. A held tip is met by every iterate (superhelix_tip.c).
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/elementary.h"
#include "body/superhelix.h"
#include "math/quat.h"

static const double TWO_PI = 6.28318530717958647693;
static const double MAX_TURN = 1.0; // [rad] of one element in one iteration
static const double NEGLIGIBLE_SHIFT = 1e-9;
enum { STAGES = 20, PATIENCE = 30 };

// ---- moving the iterate ------------------------------------------------------------------------------------------

static void save(plait_superhelix *sh)
{
    memcpy(sh->trial, &sh->root, sizeof sh->root);
    memcpy(sh->trial + 12, sh->k, 3 * (size_t)sh->n * sizeof *sh->k);
}

static void restore(plait_superhelix *sh)
{
    memcpy(&sh->root, sh->trial, sizeof sh->root);
    memcpy(sh->k, sh->trial + 12, 3 * (size_t)sh->n * sizeof *sh->k);
}

// Saved iterate plus alpha times the step, brought back to the tip's condition; held dofs of the step are zero. False:
// it cannot be brought back.
static bool move(plait_superhelix *sh, double alpha)
{
    restore(sh);
    const double *d = sh->step;
    double turn[3] = {alpha * d[3], alpha * d[4], alpha * d[5]};
    plait_vec3_axpy(alpha, d, sh->root.x);
    if (plait_vec3_dot(turn, turn) > 0)
        plait_mat3_rotate(sh->root.R, turn);
    for (int i = 0; i < 3 * sh->n; i++)
        sh->k[i] += alpha * d[SH_ROOT + i];
    return plait_superhelix_retract(sh);
}

// Largest turn that the step asks of an element, in radians.
static double turn_of_step(const plait_superhelix *sh)
{
    double turn = plait_vec3_norm(sh->step + 3);
    for (int q = 0; q < sh->n; q++)
        turn = fmax(turn, sh->length[q] * plait_vec3_norm(sh->step + SH_ROOT + 3 * q));
    return turn;
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
        moment = fmax(moment, sh->stiffness[i % 3] * (fabs(sh->k[i]) + fabs(sh->natural[i])));
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

// ---- Newton ------------------------------------------------------------------------------------------------------

sh_value plait_superhelix_expand(plait_superhelix *sh, bool geometric)
{
    if (any(sh->goal.segment_couple, sh->n)) {
        plait_superhelix_place(sh, true);
        refresh_couple(sh, sh->goal.segment_couple);
    }
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
    if (any(sh->goal.segment_couple, sh->n)) {
        plait_superhelix_place(sh, true);
        refresh_couple(sh, sh->goal.segment_couple);
    }
    sh_value v = plait_superhelix_evaluate(sh, 1, true);
    plait_superhelix_balance_tip(sh);
    return v;
}

bool plait_superhelix_go(plait_superhelix *sh)
{
    save(sh);
    return move(sh, 1);
}

static void newton_direction(plait_superhelix *sh, double *shift, plait_step_report *report)
{
    // Statics may have motions without any stiffness (a pinned rod spins): a little for them.
    double least = sh->goal.rate > 0 ? 0 : NEGLIGIBLE_SHIFT, s = *shift > 1e-2 ? *shift / 10 : least;
    for (int tries = 0; !plait_superhelix_factorise(sh, 1, s); tries++) {
        s = s > least ? 5 * s : 1e-5;
        if (tries == 0)
            report->repairs++;
        if (tries > 60)
            break; // only with numbers that are not finite; the step is then refused below
    }
    *shift = s;
    memset(sh->step, 0, (size_t)sh->dofs * sizeof *sh->step);
    for (int i = 0; i < sh->active; i++)
        sh->step[sh->index[i]] = -sh->gradient[sh->index[i]];
    plait_superhelix_solve(sh, sh->step);
    plait_superhelix_keep_tip(sh);
}

// P at the saved iterate plus alpha times the step, less the work of the couples; infinite if it cannot be.
static double try_step(plait_superhelix *sh, double alpha, double work)
{
    if (!move(sh, alpha))
        return INFINITY;
    double energy = plait_superhelix_evaluate(sh, 0, false).energy - alpha * work;
    return isfinite(energy) ? energy : INFINITY;
}

// Goes along the step until the energy is lower. A shifted step is short: then further, as long as it pays. False: nowhere.
static bool line_search(plait_superhelix *sh, const sh_value *v, double shift, plait_step_report *report)
{
    double slope = 0, work = 0;
    for (int i = 0; i < sh->dofs; i++) {
        slope += sh->gradient[i] * sh->step[i];
        work += sh->goal.couple[i] * sh->step[i];
    }
    double turn = turn_of_step(sh), longest = MAX_TURN / turn, alpha = longest < 1 ? longest : 1;
    if (!isfinite(turn) || !(slope < 0))
        return false;
    save(sh);
    for (int tries = 0; tries < 40; tries++, alpha *= 0.5) {
        double energy = try_step(sh, alpha, work);
        if (energy > v->energy + 1e-4 * alpha * slope + 8 * DBL_EPSILON * v->magnitude) {
            report->trials++;
            continue;
        }
        if (shift <= NEGLIGIBLE_SHIFT || tries > 0)
            return true;
        while (3 * alpha < longest) {
            double further = try_step(sh, 3 * alpha, work);
            report->trials++;
            if (!(further < energy + 0.5 * alpha * slope)) // at least a quarter of what the slope promises
                break;
            energy = further;
            alpha *= 3;
        }
        return move(sh, alpha);
    }
    restore(sh);
    return false;
}

// At an equilibrium: is it a minimum? If not, goes downhill along the direction of most negative curvature.
// False: it is one.
static bool leave_saddle(plait_superhelix *sh, const sh_value *v)
{
    if (plait_superhelix_factorise(sh, 1, NEGLIGIBLE_SHIFT))
        return false;
    double shift = 1e-8;
    while (shift < 1e6 && !plait_superhelix_factorise(sh, 1, shift))
        shift *= 2;
    // Inverse iteration; the start has something of every direction, and no symmetry.
    unsigned seed = 12345;
    memset(sh->step, 0, (size_t)sh->dofs * sizeof *sh->step);
    for (int i = 0; i < sh->active; i++) {
        seed = seed * 1664525u + 1013904223u;
        sh->step[sh->index[i]] = ((double)(seed >> 8) / (1 << 24) - 0.5) * sqrt(sh->scale[sh->index[i]]);
    }
    for (int k = 0; k < 20; k++) {
        plait_superhelix_solve(sh, sh->step);
        double largest = 0;
        for (int i = 0; i < sh->dofs; i++)
            largest = fmax(largest, fabs(sh->step[i]) * sqrt(sh->scale[i]));
        if (!(largest > 0) || !isfinite(largest))
            return false;
        for (int i = 0; i < sh->active; i++)
            sh->step[sh->index[i]] *= k < 19 ? sh->scale[sh->index[i]] / largest : 1 / largest;
    }
    plait_superhelix_keep_tip(sh);
    double slope = 0, turn = turn_of_step(sh);
    for (int i = 0; i < sh->dofs; i++)
        slope += sh->gradient[i] * sh->step[i];
    if (!(turn > 0))
        return false;
    double sign = slope > 0 ? -1 : 1, best = 0, lowest = v->energy - 64 * DBL_EPSILON * v->magnitude;
    save(sh);
    for (double amplitude = 1e-4; amplitude < 0.6; amplitude *= 2) {
        bool possible = move(sh, sign * amplitude / turn);
        double energy = plait_superhelix_evaluate(sh, 0, false).energy;
        if (possible && energy < lowest)
            lowest = energy, best = sign * amplitude / turn;
        else if (best != 0)
            break;
    }
    move(sh, best);
    return best != 0;
}

static bool newton(plait_superhelix *sh, double tolerance, int limit, bool statics, plait_step_report *report)
{
    double shift = 0, length = total_length(sh);
    int left = 0, shifted = 0; // saddles left; iterations in a row with a shift
    for (;; report->iterations++) {
        sh_value v = plait_superhelix_expand(sh, true);
        double force = v.force * length + v.moment, r = imbalance(sh);
        report->residual = force > 0 ? r / force : r > 0 ? 1 : 0;
        if (!isfinite(v.energy) || !isfinite(r)) {
            report->reason = "the forces are not finite";
            return false;
        }
        if (r <= tolerance * force + rounding(sh, &v)) {
            if (!statics || left > 20 || !leave_saddle(sh, &v))
                return true;
            left++;
            continue;
        }
        if (report->iterations >= limit) {
            report->reason = "too many iterations";
            return false;
        }
        newton_direction(sh, &shift, report);
        shifted = shift > NEGLIGIBLE_SHIFT ? shifted + 1 : 0;
        // Negative curvature that the gradient does not see (symmetry) would be there for ever.
        if (statics && shifted >= PATIENCE && left < 20) {
            left++, shifted = 0;
            if (leave_saddle(sh, &v))
                continue;
            newton_direction(sh, &shift, report); // it was overwritten
        }
        if (!line_search(sh, &v, shift, report)) {
            if (shift > 1e3) {
                report->reason = "the energy does not get lower";
                return false;
            }
            shift = shift > 0 ? 100 * shift : 1;
        }
    }
}

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

bool plait_superhelix_minimise(plait_superhelix *sh, double tolerance, int limit, bool statics,
                               plait_step_report *report)
{
    if (bring_tip(sh))
        return newton(sh, tolerance, limit, statics, report);
    report->reason = "the tip cannot get where it is held";
    return false;
}

bool plait_superhelix_single_step(plait_superhelix *sh, plait_step_report *report)
{
    double shift = 0;
    if (!bring_tip(sh)) {
        report->reason = "the tip cannot get where it is held";
        return false;
    }
    plait_superhelix_expand(sh, true);
    newton_direction(sh, &shift, report);
    save(sh);
    report->iterations = 1;
    if (!move(sh, 1)) {
        report->reason = "the tip cannot stay where it is held";
        return false;
    }
    sh_value v = plait_superhelix_evaluate(sh, 1, true);
    plait_superhelix_balance_tip(sh);
    double force = v.force * total_length(sh) + v.moment;
    report->residual = force > 0 ? imbalance(sh) / force : 0;
    if (isfinite(v.energy) && isfinite(report->residual))
        return true;
    report->reason = "the forces are not finite";
    return false;
}
