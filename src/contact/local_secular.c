// local_secular.c: the exact one-contact solver that Gauss-Seidel calls in its inner loop.
//
// In the letters of local_schur.h, sliding is the root of
//     psi(alpha) = n / |p| - w_N / mu,   (psi < 0: alpha is too small)
// which is close to linear: Newton's method takes a few steps from anywhere. For W positive definite and b_N < 0,
// psi(0) < 0 unless the contact sticks, and psi grows without bound, so a root exists and bisection guards the steps.
#include "contact/local_schur.h"

enum { NEWTON_MAX = 100, FOLLOW_MAX = 8 };

// The problem is taken as it is between these sizes of W, b and mu, where no product over- or underflows.
static const double LEAST = 1e-50, MOST = 1e50;
// A contact whose w_N is below this part of the tangential ones cannot be pushed apart.
static const double CLAMPED = DBL_EPSILON;
// Below this det(V) / tr(V)^2 rounding rules: the careful way.
static const double SINGULAR = 1e-13;

// A step that is this part of alpha is the last: the error that it leaves is of the order of its square.
static const double CLOSE = 3e-8;

// Upper bound of the root for positive definite W.
static double largest_alpha(const plait_schur *s, double wn, double mu)
{
    double c = sqrt(s->c[0] * s->c[0] + s->c[1] * s->c[1]), w = sqrt(s->row[0] * s->row[0] + s->row[1] * s->row[1]);
    return c * (wn + mu * w) / (-mu * s->bn);
}

// One Newton step on psi from alpha; *value has the sign of psi.
static inline double newton(const plait_schur *s, double k, double alpha, double *value)
{
    double c1 = s->c[0], c2 = s->c[1], w1 = s->row[0], w2 = s->row[1];
    double p1 = s->p[0] - alpha * c1, p2 = s->p[1] - alpha * c2, pp = p1 * p1 + p2 * p2;
    double n = -(s->bn * (s->det + alpha * (s->trace + alpha)) + w1 * p1 + w2 * p2);
    double slope = w1 * c1 + w2 * c2 - s->bn * (2 * alpha + s->trace); // of n
    *value = n - k * sqrt(pp);
    return alpha - *value * pp / (slope * pp + n * (c1 * p1 + c2 * p2));
}

// A root of psi inside the bracket (low, high), starting from alpha.
static inline double find_root(const plait_schur *s, double wn, double mu, double alpha)
{
    double k = wn / mu, low = 0, high = INFINITY;
    for (int step = 0; step < NEWTON_MAX; step++) {
        double value, next = newton(s, k, alpha, &value);
        if (value < 0)
            low = alpha;
        else
            high = alpha;
        if (fabs(next - alpha) <= CLOSE * next)
            return next;
        if (!(next > low && next < high)) {
            if (high == INFINITY)
                high = plait_larger(largest_alpha(s, wn, mu), 2 * low);
            if (high - low <= 2 * DBL_EPSILON * high || high < DBL_EPSILON * DBL_EPSILON * s->trace)
                return alpha;
            next = low > 0 ? (high > 4 * low ? sqrt(low * high) : 0.5 * (low + high)) : 1e-3 * high;
        }
        alpha = next;
    }
    return alpha;
}

// The root of psi next to alpha, rising or falling; zero if Newton's method leaves the neighbourhood.
static double follow_root(const plait_schur *s, double wn, double mu, double alpha)
{
    for (int step = 0; step < FOLLOW_MAX; step++) {
        double value, next = newton(s, wn / mu, alpha, &value);
        if (fabs(next - alpha) <= CLOSE * next)
            return next;
        if (!(next > 0.5 * alpha && next < 2 * alpha))
            break;
        alpha = next;
    }
    return 0;
}

// Where Newton's method starts without a warm start: exact for w = 0 and V a multiple of I.
static inline double cold_alpha(const plait_schur *s, double wn, double mu)
{
    double top = sqrt(s->c[0] * s->c[0] + s->c[1] * s->c[1]) * wn / (-mu * s->bn);
    return plait_larger(top - 0.5 * s->trace, 0.01 * top);
}

static inline double first_alpha(const plait_schur *s, const double W[9], const double b[3], double mu,
                                 const double r[3])
{
    double warm = plait_schur_alpha(W, b, r);
    return warm > 0 && warm < MOST ? warm : cold_alpha(s, W[0], mu);
}

// Whether r holds, shown by bounds where that is enough: F is Lipschitz, and zero for the exact law.
static inline bool certain(const double W[9], const double b[3], double bb, double mu, double tol, double alpha,
                           const double r[3])
{
    double u[3];
    plait_mat3_affine(W, r, b, u);
    double e1 = u[1] + alpha * r[1], e2 = u[2] + alpha * r[2];
    double noise = plait_local_noise(W, mu, r);
    return 54 * (u[0] * u[0] + 4 * mu * mu * (e1 * e1 + e2 * e2)) + 2 * noise * noise <= tol * tol * bb ||
           plait_local_error(W, b, mu, r) <= tol;
}

// ---- the careful way ---------------------------------------------------------------------------------------------

// Nothing better can be had than an error which is rounding alone, unless r is so large that it proves nothing.
static bool settled(const double W[9], const double b[3], double mu, double tol, double error, const double r[3])
{
    return error <= tol || (error <= 1e-4 && error <= 4 * plait_local_noise(W, mu, r) / plait_vec3_norm(b));
}

// Ill-conditioned and singular W: every case in turn with pivoting and refinement; r is the best found.
static plait_local_result solve_carefully(const plait_schur *s, const double W[9], const double b[3], double mu,
                                          double tol, double r[3])
{
    if (!plait_vec3_finite(r))
        plait_vec3_set(r, 0, 0, 0);
    double x[2][3] = {{0}}, error[2] = {INFINITY, INFINITY}, last[3] = {r[0], r[1], r[2]};
    int best = 0;
    error[0] = plait_schur_stick(s, W, b, mu, tol, r, x[0]);
    if (!settled(W, b, mu, tol, error[0], x[0])) {
        error[1] = plait_schur_slide(s, W, b, mu, tol, find_root(s, W[0], mu, first_alpha(s, W, b, mu, r)), x[1]);
        best = error[0] <= error[1] ? 0 : 1;
    }
    if (settled(W, b, mu, tol, error[best], x[best])) {
        plait_vec3_copy(x[best], r);
        return error[best] <= tol ? PLAIT_LOCAL_SOLVED : PLAIT_LOCAL_FAILED;
    }
    // psi may have an even number of roots, or none.
    plait_local_result result = plait_local_enum(W, b, mu, tol, last);
    bool better = result != PLAIT_LOCAL_FAILED || plait_local_error(W, b, mu, last) <= error[best];
    plait_vec3_copy(better ? last : x[best], r);
    return result;
}

// Where several solutions can exist, the one that continues the warm start r. False (r is left) if there is none.
static bool solve_nearby(const plait_schur *s, const double W[9], const double b[3], double mu, double tol, double r[3])
{
    double x[3], alpha = plait_schur_alpha(W, b, r);
    bool slid = plait_schur_slides(mu, r);
    bool found = !slid && plait_schur_stick(s, W, b, mu, tol, r, x) <= tol;
    if (!found && alpha >= 0 && alpha < MOST)
        found = plait_schur_slide(s, W, b, mu, tol, alpha, x) <= tol && x[0] > 0;
    if (!found && slid)
        found = plait_schur_stick(s, W, b, mu, tol, r, x) <= tol;
    if (found)
        plait_vec3_copy(x, r);
    return found;
}

// ---- the quick way -----------------------------------------------------------------------------------------------

// b_N >= 0: nothing pushes, and r = 0. Only a strong coupling, mu |w| >= w_N, allows an impulse that pulls the bodies
// together while it holds them; then a contact that was closed may stay so.
static inline plait_local_result take_off(const double W[9], const double b[3], double mu, double tol, double r[3])
{
    if (r[0] > 0 && mu * mu * (W[1] * W[1] + W[2] * W[2]) >= W[0] * W[0] && W[0] > 0 && plait_vec3_finite(r)) {
        plait_schur s;
        plait_schur_set(W, b, &s);
        if (solve_nearby(&s, W, b, mu, tol, r))
            return PLAIT_LOCAL_SOLVED;
    }
    plait_vec3_set(r, 0, 0, 0);
    return PLAIT_LOCAL_SOLVED;
}

static inline plait_local_result solve(const double W[9], const double b[3], double bb, double mu, double tol,
                                       double r[3])
{
    if (b[0] >= 0)
        return take_off(W, b, mu, tol, r);
    double wn = W[0], trace = W[0] + W[4] + W[8];
    if (!(wn > CLAMPED * (fabs(W[4]) + fabs(W[8])))) {
        plait_vec3_set(r, 0, 0, 0);
        return PLAIT_LOCAL_FAILED;
    }
    plait_schur s;
    plait_schur_set(W, b, &s);
    if (mu < LEAST) {
        plait_vec3_set(r, -b[0] / wn, 0, 0);
        return plait_local_error(W, b, mu, r) <= tol ? PLAIT_LOCAL_SOLVED : PLAIT_LOCAL_FAILED;
    }
    if (!(s.det > SINGULAR * s.trace * s.trace && s.trace > SINGULAR * trace))
        return solve_carefully(&s, W, b, mu, tol, r);
    double n = -(b[0] * s.det + s.row[0] * s.p[0] + s.row[1] * s.p[1]), ww = s.row[0] * s.row[0] + s.row[1] * s.row[1];
    double pp = s.p[0] * s.p[0] + s.p[1] * s.p[1], x[3], alpha = 0;
    bool sticks = n >= 0 && mu * mu * n * n >= wn * wn * pp;
    // The solution is unique if mu |w| / w_N < 2 sqrt(det V) / tr V. If not, a contact that slid goes on so if it can.
    if (mu * mu * ww * s.trace * s.trace >= 4 * s.det * wn * wn && plait_schur_slides(mu, r))
        alpha = follow_root(&s, wn, mu, plait_schur_alpha(W, b, r));
    if (!sticks && !(alpha > 0))
        alpha = find_root(&s, wn, mu, first_alpha(&s, W, b, mu, r));
    if (alpha > 0) {
        double k = 1 / (s.det + alpha * (s.trace + alpha));
        x[1] = (s.p[0] - alpha * s.c[0]) * k, x[2] = (s.p[1] - alpha * s.c[1]) * k;
        x[0] = sqrt(x[1] * x[1] + x[2] * x[2]) / mu;
        if (certain(W, b, bb, mu, tol, alpha, x)) {
            plait_vec3_copy(x, r);
            return PLAIT_LOCAL_SOLVED;
        }
    }
    if (sticks) {
        double k = 1 / s.det;
        plait_vec3_set(x, n * s.inverse * k, s.p[0] * k, s.p[1] * k);
        if (certain(W, b, bb, mu, tol, 0, x)) {
            plait_vec3_copy(x, r);
            return PLAIT_LOCAL_SOLVED;
        }
    }
    return solve_carefully(&s, W, b, mu, tol, r);
}

plait_local_result plait_local_secular(const double W[9], const double b[3], double mu, double tol, double r[3])
{
    double bb = b[0] * b[0] + b[1] * b[1] + b[2] * b[2];
    double size = plait_local_size(W), trace = W[0] + W[4] + W[8];
    if (size > LEAST && size < MOST && size <= PLAIT_LOCAL_SANE * trace && bb > LEAST && bb < MOST && mu >= 0 &&
        mu < MOST)
        return solve(W, b, bb, mu, tol, r);
    plait_local_scaled scaled;
    plait_local_start start = plait_local_begin(W, b, mu, tol, r, &scaled);
    if (start != PLAIT_LOCAL_GO)
        return start == PLAIT_LOCAL_DONE ? PLAIT_LOCAL_SOLVED : PLAIT_LOCAL_FAILED;
    bb = plait_vec3_dot(scaled.b, scaled.b);
    plait_local_result result = solve(scaled.W, scaled.b, bb, mu, tol, scaled.r);
    return plait_local_finish(&scaled, mu, tol, result, r);
}
