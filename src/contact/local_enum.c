// local_enum.c: enumeration of the three cases of Coulomb's law (Daviet, Bertails-Descoubes and Boissieux 2011,
// appendix B).
//
// Sliding, squared, is a polynomial of degree four in the letters of local_schur.h,
//     P(alpha) = n(alpha)^2 - (w_N / mu)^2 |p(alpha)|^2 = 0,   alpha > 0,
// written without the division by b_N of the paper. Squaring adds the roots with r_N < 0: only n(alpha) > 0 are
// solutions. Roots are polished on the law itself, because the coefficients of P lose digits when W is ill-conditioned.
#include "contact/local_schur.h"
#include "math/quartic.h"

// What elimination makes of an exactly singular W, in units of its trace.
static const double RANK_TINY = 64 * DBL_EPSILON;
// A sticking impulse with this error may be one spoilt by rounding.
static const double DOUBT = 1e-3;

typedef struct search {
    double r[3], error; // the best so far
    double distance;    // of a solution from the warm start; INFINITY: none yet
    int candidates;
} search;

// Takes x if it is the solution closest to the warm start or, as long as there is no solution, the best approximation.
static void consider(const plait_local_scaled *p, double mu, double tol, const double x[3], search *found)
{
    double error = plait_local_error(p->W, p->b, mu, x);
    double d[3] = {x[0] - p->r[0], x[1] - p->r[1], x[2] - p->r[2]}, distance = plait_vec3_norm(d);
    bool better = error <= tol ? distance < found->distance : found->distance == INFINITY && error < found->error;
    if (!better)
        return;
    plait_vec3_copy(x, found->r);
    found->error = error;
    if (error <= tol)
        found->distance = distance;
}

static void enumerate_slides(const plait_schur *s, const plait_local_scaled *p, double mu, double tol, search *found)
{
    double k = p->W[0] / mu, kk = k * k, x[3] = {0};
    double wc = s->row[0] * s->c[0] + s->row[1] * s->c[1];
    double n0 = -(s->bn * s->det + s->row[0] * s->p[0] + s->row[1] * s->p[1]), n1 = wc - s->bn * s->trace, n2 = -s->bn;
    double pp = s->p[0] * s->p[0] + s->p[1] * s->p[1], pc = s->p[0] * s->c[0] + s->p[1] * s->c[1];
    double cc = s->c[0] * s->c[0] + s->c[1] * s->c[1];
    double P[5] = {n0 * n0 - kk * pp, 2 * (n0 * n1 + kk * pc), n1 * n1 + 2 * n0 * n2 - kk * cc, 2 * n1 * n2, n2 * n2};
    double alpha[4];
    int roots = plait_quartic_roots(P, alpha);
    for (int i = 0; i < roots; i++)
        if (alpha[i] > 0 && n0 + alpha[i] * (n1 + alpha[i] * n2) > 0) {
            found->candidates++;
            plait_schur_slide(s, p->W, p->b, mu, tol, alpha[i], x);
            if (x[0] > 0)
                consider(p, mu, tol, x, found);
        }
    // The threshold of sliding: a root so close to zero that it went under in rounding.
    if (found->distance == INFINITY && s->det > 0) {
        plait_schur_slide(s, p->W, p->b, mu, tol, 0, x);
        consider(p, mu, tol, x, found);
    }
}

// Takes for zero what is rounding error in V, so that a singular W is seen to be so.
static bool deflate(const double W[9], plait_schur *s)
{
    double scale = W[0] + W[4] + W[8];
    if (s->trace <= RANK_TINY * scale) {
        s->v11 = s->v12 = s->v21 = s->v22 = s->trace = s->det = 0;
        s->p[0] = s->p[1] = 0;
        return true;
    }
    if (s->det > RANK_TINY * scale * s->trace)
        return false;
    s->det = 0;
    return true;
}

static plait_local_result enumerate(plait_local_scaled *p, double mu, double tol)
{
    if (p->b[0] >= 0) {
        plait_vec3_set(p->r, 0, 0, 0);
        return PLAIT_LOCAL_SOLVED;
    }
    plait_schur s;
    plait_schur_set(p->W, p->b, &s);
    search found = {.error = INFINITY, .distance = INFINITY};
    double stick = plait_schur_stick(&s, p->W, p->b, mu, tol, p->r, found.r);
    if (stick <= tol) {
        plait_vec3_copy(found.r, p->r);
        return PLAIT_LOCAL_SOLVED;
    }
    found.error = stick;
    bool singular = deflate(p->W, &s);
    enumerate_slides(&s, p, mu, tol, &found);
    // A positive definite W has a solution: missing it is a failure of arithmetic. Only a singular one may have none,
    // and then nothing came near one.
    if (singular && found.candidates == 0 && stick > DOUBT) {
        plait_vec3_set(p->r, 0, 0, 0);
        return PLAIT_LOCAL_NO_SOLUTION;
    }
    plait_vec3_copy(found.r, p->r);
    return found.distance < INFINITY ? PLAIT_LOCAL_SOLVED : PLAIT_LOCAL_FAILED;
}

plait_local_result plait_local_enum(const double W[9], const double b[3], double mu, double tol, double r[3])
{
    plait_local_scaled scaled;
    switch (plait_local_begin(W, b, mu, tol, r, &scaled)) {
    case PLAIT_LOCAL_DONE:
        return PLAIT_LOCAL_SOLVED;
    case PLAIT_LOCAL_GIVEN_UP: // proved if no impulse changes u_N < 0 (and all are numbers)
        return W[0] == 0 && W[1] == 0 && W[2] == 0 && plait_contact_residual(W, b, mu, r) < INFINITY
                   ? PLAIT_LOCAL_NO_SOLUTION
                   : PLAIT_LOCAL_FAILED;
    case PLAIT_LOCAL_GO:
        break;
    }
    plait_local_result result = enumerate(&scaled, mu, tol);
    return plait_local_finish(&scaled, mu, tol, result, r);
}
