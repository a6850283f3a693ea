// residual.c: the judge. Recomputes u from the problem as given; believes no solver.
#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "base/pool.h"
#include "contact/compliance.h"
#include "contact/law.h"
#include "contact/normalise.h"
#include "math/sparse.h"
#include "plait/contact.h"

plait_status plait_problem_velocities_by(const plait_problem *p, const double *r, plait_team team, double *u,
                                         plait_error *error)
{
    if (!p->dynamics) {
        plait_block_matrix_apply(p->W, r, p->b, u);
        return PLAIT_OK;
    }
    double *v = plait_malloc(((size_t)p->dynamics->dofs + 1) * sizeof *v);
    if (!v)
        return plait_error_set(error, PLAIT_NO_MEMORY, "no memory for %d dofs", p->dynamics->dofs);
    plait_status status = plait_compliance_velocity(p->compliance, p->dynamics->f, r, team, v, error);
    if (status == PLAIT_OK) {
        plait_problem_gather(p, v, u);
        for (int i = 0; i < 3 * p->n; i++)
            u[i] += p->dynamics->w[i];
    }
    plait_free(v);
    return status;
}

enum { ORDINARY = 200 }; // exponents whose fourth powers are numbers

static const double LOST = 1e-10; // of the velocities given: rounding that counts

static double norm3(const double F[3])
{
    return sqrt(F[0] * F[0] + F[1] * F[1] + F[2] * F[2]);
}

// |F| with s = 1, which has no units of its own: brought near 1 and back where its squares would leave the numbers.
static double unscaled_error(const plait_laws *laws, int i, const double r[3], const double u[3])
{
    double F[3],
        most = fmax(fmax(fmax(fabs(r[0]), fabs(r[1])), fabs(r[2])), fmax(fmax(fabs(u[0]), fabs(u[1])), fabs(u[2])));
    int e = 0;
    frexp(most, &e);
    e = isfinite(most) && (e > ORDINARY || e < -ORDINARY) && !laws->index ? e : 0; // other laws have units
    double x[3] = {ldexp(r[0], -e), ldexp(r[1], -e), ldexp(r[2], -e)};
    double y[3] = {ldexp(u[0], -e), ldexp(u[1], -e), ldexp(u[2], -e)};
    plait_law_residual(laws, i, 1, x, y, F);
    return ldexp(norm3(F), e);
}

// How far the impulse that friction acts on is outside of its cone; 0 for laws that have none.
static double outside(const plait_laws *laws, int i, const double r[3], const double u[3])
{
    plait_law_cone cone;
    double rho[3];
    if (!plait_law_get_cone(laws, i, &cone))
        return 0;
    for (int a = 0; a < 3; a++)
        rho[a] = r[a] + cone.K[a] * u[a] + cone.c[a];
    return sqrt(rho[1] * rho[1] + rho[2] * rho[2]) - cone.mu * rho[0];
}

plait_status plait_problem_certify_by(const plait_problem *p, const plait_solution *s, plait_team team,
                                      plait_certificate *c, plait_error *error)
{
    *c = (plait_certificate){.worst_contact = -1};
    double *u = plait_malloc((3 * (size_t)p->n + 1) * sizeof *u);
    if (!u)
        return plait_error_set(error, PLAIT_NO_MEMORY, "no memory for %d contacts", p->n);
    plait_status status = plait_problem_velocities_by(p, s->r, team, u, error);
    plait_scaling k = plait_scaling_to_judge(p);
    plait_laws laws = plait_problem_laws(p);
    double sum = 0, norm_b = 0, worst = -1, max_r = 0, max_b = 0;
    for (int i = 0; i < p->n; i++) {
        double b[3] = {ldexp(p->b[3 * i], -k.b), ldexp(p->b[3 * i + 1], -k.b), ldexp(p->b[3 * i + 2], -k.b)};
        max_b = fmax(max_b, norm3(b));
    }
    for (int i = 0; status == PLAIT_OK && i < p->n; i++) {
        double F[3], r[3], b[3], ui[3];
        for (int a = 0; a < 3; a++) {
            r[a] = ldexp(s->r[3 * i + a], k.W - k.b);
            b[a] = ldexp(p->b[3 * i + a], -k.b), ui[a] = ldexp(u[3 * i + a], -k.b);
        }
        plait_law_residual(&laws, i, ldexp(p->trace[i], -k.W) / 3, r, ui, F);
        // Where r is so large that nothing of u is left beside it, F vanishes whatever u is. It is known to rounding
        // only.
        double e = norm3(F), lost = DBL_EPSILON * ldexp(p->trace[i], -k.W) / 3 * norm3(r);
        e = lost > LOST * max_b && lost > e ? lost : e;
        sum += e * e;
        if (!(e <= worst))
            worst = e, c->worst_contact = i;
        e = unscaled_error(&laws, i, s->r + 3 * i, u + 3 * i);
        c->residual_fb_inf = e > c->residual_fb_inf || isnan(e) ? e : c->residual_fb_inf;
        c->cone_violation = fmax(c->cone_violation, outside(&laws, i, r, ui));
        c->penetration = fmax(c->penetration, -ui[0]);
        c->dissipation -= ui[1] * r[1] + ui[2] * r[2];
        norm_b += b[0] * b[0] + b[1] * b[1] + b[2] * b[2];
        max_r = fmax(max_r, norm3(r));
    }
    plait_free(u);
    norm_b += plait_law_asked(&laws, p->n);
    c->dissipation = ldexp(c->dissipation, 2 * k.b - k.W);
    c->residual_rel = sum == 0 ? 0 : sqrt(sum) / sqrt(norm_b); // b = 0: 0 for r = 0, INFINITY otherwise
    c->cone_violation = max_r > 0 ? c->cone_violation / max_r : 0;
    c->penetration = max_b > 0 ? c->penetration / max_b : 0;
    if (isnan(c->residual_rel))
        c->residual_rel = INFINITY;
    if (isnan(c->residual_fb_inf))
        c->residual_fb_inf = INFINITY;
    return status == PLAIT_OK ? plait_dynamics_error(p, s->r, team, &c->dynamics, error) : status;
}

plait_status plait_problem_velocities(const plait_problem *p, const double *r, double *u, plait_error *error)
{
    return plait_problem_velocities_by(p, r, plait_team_of(0), u, error);
}

plait_status plait_problem_certify(const plait_problem *p, const plait_solution *s, plait_certificate *c,
                                   plait_error *error)
{
    return plait_problem_certify_by(p, s, plait_team_of(0), c, error);
}
