// superhelix_tip.c: the held tip of a super-helix, as a constraint that every iterate meets.
//
// The condition c = (x_tip - place, rotation vector from the frame to the tip's) has up to six rows and the jacobian C.
// Newton's direction keeps C d = 0; its multipliers come from the same equations. Then the iterate is brought back to
// c = 0 along the shortest way in the metric of the elastic energy (Gauss-Newton), so that the energy alone decides in
// the line search. The spring of the energy (superhelix.h) is at rest in all iterates; it only makes the Hessian
// positive across the constraint.
#include <math.h>
#include <string.h>

#include "body/superhelix.h"
#include "math/quat.h"

static const double MET = 1e-12; // of the length, and in radians

static double tip_arm(const plait_superhelix *sh)
{
    double sum = 0;
    for (int q = 0; q < sh->n; q++)
        sum += sh->length[q];
    return sum;
}

// Rows that are there, in units of length (turns times the length). Returns how many.
static int gap(const plait_superhelix *sh, double c[6])
{
    const sh_goal *goal = &sh->goal;
    const sh_pose *tip = &sh->node[sh->n];
    int m = 0;
    for (int j = 0; goal->tip_place && j < 3; j++)
        if (goal->tip_a[j] > 0)
            c[m++] = tip->x[j] - goal->tip.x[j];
    if (goal->tip_frame) {
        double D[9], q[4], turn[3], L = tip_arm(sh);
        plait_mat3_multiply_transposed(tip->R, goal->tip.R, D);
        plait_quat_from_matrix(D, q);
        plait_quat_log(q, turn);
        for (int j = 0; j < 3; j++)
            c[m++] = L * turn[j];
    }
    return m;
}

// C of the active dofs; place() with motion was called. Returns its rows.
static int jacobian(const plait_superhelix *sh)
{
    const sh_goal *goal = &sh->goal;
    double *C = sh->tip_C, y[3], minus[9] = {0}, one[9], L = tip_arm(sh);
    long size = sh->dofs;
    plait_vec3_sub(sh->node[sh->n].x, sh->root.x, y);
    plait_mat3_add_cross(minus, -1, y);
    plait_mat3_identity(one);
    int m = 0;
    for (int r = 0; r < 6; r++) {
        int axis = r % 3;
        if (r < 3 ? !goal->tip_place || !(goal->tip_a[r] > 0) : !goal->tip_frame)
            continue;
        double *row = C + m++ * size;
        for (int j = 0; j < 3; j++) {
            row[j] = r < 3 ? one[3 * axis + j] : 0;
            row[3 + j] = r < 3 ? minus[3 * axis + j] : L * one[3 * axis + j];
        }
        for (int q = 0; q < sh->n; q++) {
            const double *lin = sh->lin + 9 * q, *ang = sh->ang + 9 * q;
            for (int j = 0; j < 3; j++)
                row[SH_ROOT + 3 * q + j] = r < 3
                                               ? lin[3 * axis + j] + minus[3 * axis] * ang[j] +
                                                     minus[3 * axis + 1] * ang[3 + j] + minus[3 * axis + 2] * ang[6 + j]
                                               : L * ang[3 * axis + j];
        }
        for (int j = 0; j < SH_ROOT; j++)
            if (sh->held[j])
                row[j] = 0;
    }
    return m;
}

// x <- A^-1 x for a small positive semidefinite A[m][m]; directions without stiffness are left alone.
static void solve_small(double *A, int m, double *x)
{
    double largest = 0;
    for (int i = 0; i < m; i++)
        largest = fmax(largest, A[i * m + i]);
    for (int i = 0; i < m; i++) {
        A[i * m + i] += 1e-13 * largest + 1e-300;
        for (int j = 0; j <= i; j++) {
            double sum = A[i * m + j];
            for (int k = 0; k < j; k++)
                sum -= A[i * m + k] * A[j * m + k];
            A[i * m + j] = i == j ? sqrt(fmax(sum, 1e-14 * largest + 1e-300)) : sum / A[j * m + j];
        }
    }
    for (int i = 0; i < m; i++) {
        for (int k = 0; k < i; k++)
            x[i] -= A[i * m + k] * x[k];
        x[i] /= A[i * m + i];
    }
    for (int i = m - 1; i >= 0; i--) {
        for (int k = i + 1; k < m; k++)
            x[i] -= A[k * m + i] * x[k];
        x[i] /= A[i * m + i];
    }
}

// y <- (C D^-1 C^T)^-1 y with the diagonal metric D.
static void solve_metric(const plait_superhelix *sh, int m, double *y)
{
    double A[36] = {0};
    for (int a = 0; a < m; a++)
        for (int b = 0; b <= a; b++) {
            const double *p = sh->tip_C + (long)a * sh->dofs, *q = sh->tip_C + (long)b * sh->dofs;
            double sum = 0;
            for (int i = 0; i < sh->dofs; i++)
                sum += p[i] * q[i] / sh->metric[i];
            A[a * m + b] = A[b * m + a] = sum;
        }
    solve_small(A, m, y);
}

bool plait_superhelix_retract(plait_superhelix *sh)
{
    if (!sh->goal.tip_place)
        return true;
    double c[6], L = tip_arm(sh);
    for (int k = 0; k < 30; k++) {
        plait_superhelix_place(sh, true);
        int m = gap(sh, c);
        double size = 0;
        for (int i = 0; i < m; i++)
            size = fmax(size, fabs(c[i]));
        if (!(size < 10 * L))
            return false;
        if (size <= MET * L)
            return true;
        jacobian(sh);
        solve_metric(sh, m, c);
        double turn = 0, turned[3] = {0};
        double *d = sh->vector;
        memset(d, 0, (size_t)sh->dofs * sizeof *d);
        for (int a = 0; a < m; a++)
            for (int i = 0; i < sh->dofs; i++)
                d[i] -= sh->tip_C[(long)a * sh->dofs + i] * c[a] / sh->metric[i];
        for (int q = 0; q < sh->n; q++)
            turn = fmax(turn, sh->length[q] * plait_vec3_norm(d + SH_ROOT + 3 * q));
        double part = turn > 0.5 ? 0.5 / turn : 1;
        plait_vec3_axpy(part, d, sh->root.x);
        for (int j = 0; j < 3; j++)
            turned[j] = part * d[3 + j];
        if (plait_vec3_dot(turned, turned) > 0)
            plait_mat3_rotate(sh->root.R, turned);
        for (int i = 0; i < 3 * sh->n; i++)
            sh->k[i] += part * d[SH_ROOT + i];
    }
    return false;
}

// Adds y to the multipliers: y[m] by rows of C, in the same units.
static void add_multipliers(plait_superhelix *sh, const double *y)
{
    sh_goal *goal = &sh->goal;
    const sh_pose *tip = &sh->node[sh->n];
    int m = 0;
    for (int j = 0; goal->tip_place && j < 3; j++)
        if (goal->tip_a[j] > 0)
            goal->multiplier[j] += y[m++];
    if (!goal->tip_frame)
        return;
    // A torque as forces w x m on the directors: sum of m x (w x m) = w + t (t . w).
    double L = tip_arm(sh), torque[3] = {L * y[m], L * y[m + 1], L * y[m + 2]}, t[3], w[3];
    plait_mat3_column(tip->R, 2, t);
    plait_vec3_copy(torque, w);
    plait_vec3_axpy(-0.5 * plait_vec3_dot(t, torque), t, w);
    for (int a = 0; a < 2; a++) {
        double d[3], f[3];
        plait_mat3_column(tip->R, a, d);
        plait_vec3_cross(w, d, f);
        plait_vec3_axpy(1, f, goal->multiplier + 3 + 3 * a);
    }
}

// gradient -= C^T y
static void take_from_gradient(plait_superhelix *sh, int m, const double *y)
{
    for (int a = 0; a < m; a++)
        for (int i = 0; i < sh->dofs; i++)
            sh->gradient[i] -= sh->tip_C[(long)a * sh->dofs + i] * y[a];
}

void plait_superhelix_balance_tip(plait_superhelix *sh)
{
    if (!sh->goal.tip_place)
        return;
    int m = jacobian(sh);
    double y[6] = {0};
    for (int a = 0; a < m; a++)
        for (int i = 0; i < sh->dofs; i++)
            y[a] += sh->tip_C[(long)a * sh->dofs + i] * sh->gradient[i] / sh->metric[i];
    solve_metric(sh, m, y);
    add_multipliers(sh, y);
    take_from_gradient(sh, m, y);
}

void plait_superhelix_keep_tip(plait_superhelix *sh)
{
    if (!sh->goal.tip_place)
        return;
    int m = jacobian(sh);
    double A[36], y[6], *Z = sh->tip_Z;
    memcpy(Z, sh->tip_C, (size_t)m * (size_t)sh->dofs * sizeof *Z);
    for (int a = 0; a < m; a++) {
        plait_superhelix_solve(sh, Z + (long)a * sh->dofs);
        y[a] = 0;
        for (int i = 0; i < sh->active; i++)
            y[a] += sh->tip_C[(long)a * sh->dofs + sh->index[i]] * sh->step[sh->index[i]];
    }
    for (int a = 0; a < m; a++)
        for (int b = 0; b < m; b++) {
            A[a * m + b] = 0;
            for (int i = 0; i < sh->active; i++)
                A[a * m + b] += sh->tip_C[(long)a * sh->dofs + sh->index[i]] * Z[(long)b * sh->dofs + sh->index[i]];
        }
    solve_small(A, m, y);
    for (int a = 0; a < m; a++)
        for (int i = 0; i < sh->active; i++)
            sh->step[sh->index[i]] -= y[a] * Z[(long)a * sh->dofs + sh->index[i]];
}
