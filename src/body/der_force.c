// der_force.c: the objective of a step, or the energy in statics, and its gradient.
//
// A step of implicit Euler minimises over Delta = q - q_old
//
//     (Delta - dt v)^T M (Delta - dt v) / (2 dt^2) + drag Delta^T M Delta / (2 dt)
//         + E(q) + dt D((strain - old) / dt) - loads
//
// with the elastic energy E and the viscous potential D, quadratic in the strain rates (Bergou et al. 2010). So each
// strain s has a stress k (s - natural) + c/dt (s - old) and a stiffness k + c/dt.
#include "body/der.h"
#include "math/vec3.h"

// Inertia, drag, gravity and dead loads, dof by dof.
static plait_newton_value outer(const plait_rod *rod, const plait_der_load *load, const double *delta, double *gradient)
{
    const plait_der *d = rod->impl;
    double sum = 0, magnitude = 0, drag = load->dt > 0 ? rod->section.drag / load->dt : 0;
    double inverse = load->dt > 0 ? 1 / (load->dt * load->dt) : 0;
    for (int i = 0; i < rod->dofs; i++) {
        int vertex = i / 4, k = i % 4;
        double given = k < 3 ? d->mass[i] * rod->gravity[k] + rod->force[3 * vertex + k] : rod->couple[vertex];
        double off = delta[i] - load->dt * d->state.v[i];
        double kinetic = d->mass[i] * (inverse * off * off + drag * delta[i] * delta[i]) / 2;
        gradient[i] = d->mass[i] * (inverse * off + drag * delta[i]) - given;
        sum += kinetic - given * delta[i];
        magnitude += kinetic + fabs(given * delta[i]);
    }
    return (plait_newton_value){sum, magnitude};
}

static double stretch(const plait_rod *rod, const plait_der_load *load, const plait_der_pose *pose, double *gradient)
{
    const plait_der *d = rod->impl;
    double rate = load->dt > 0 ? 1 / load->dt : 0, sum = 0;
    for (int j = 0; j < d->n; j++) {
        const plait_der_edge *edge = &pose->edge[j + 1];
        double EA = d->EA[j], viscous = rate * d->viscous_EA[j];
        double strain = edge->length / d->rest[j] - 1, change = (edge->length - d->old_length[j]) / d->rest[j];
        double stress = EA * strain + viscous * change;
        sum += d->rest[j] * (EA * strain * strain + viscous * change * change) / 2;
        for (int k = 0; k < 3; k++) {
            double f = stress * edge->t[k];
            gradient[4 * j + k] -= f;
            gradient[4 * j + 4 + k] += f;
        }
    }
    return sum;
}

// A curvature measured in the frame of edge a = e (before) or f (after), k1 = kb . m2a and k2 = -kb . m1a, has, with
// t~ = (t_e + t_f) / chi,
//     dk1 = (-k1 t~ + 2/chi t_f x m2a) / |e|,  (-k1 t~ - 2/chi t_e x m2a) / |f|,  -kb . m1a by theta_a
//     dk2 = (-k2 t~ - 2/chi t_f x m1a) / |e|,  (-k2 t~ + 2/chi t_e x m1a) / |f|,  -kb . m2a by theta_a
//     dm  = kb / (2 |e|),  kb / (2 |f|),  -1 by theta_e,  1 by theta_f
// so that the sums u = 2/chi sum (w1 m2a - w2 m1a) and S = sum (w1 k1 + w2 k2) of the stresses w are all that is
// needed.
void plait_der_hinge_forces(const plait_der_edge *e, const plait_der_edge *f, const plait_der_hinge *h, const double *w,
                            plait_der_hinge_force *force)
{
    double u[3], a[3], c[3], chi = 1 / h->chi, S = 0;
    for (int k = 0; k < PLAIT_DER_TWIST; k++)
        S += w[k] * h->strain[k];
    for (int k = 0; k < 3; k++)
        u[k] = 2 * chi * (w[0] * e->m2[k] - w[1] * e->m1[k] + w[2] * f->m2[k] - w[3] * f->m1[k]);
    plait_vec3_cross(f->t, u, a);
    plait_vec3_cross(e->t, u, c);
    double le = 1 / e->length, lf = 1 / f->length;
    for (int k = 0; k < 3; k++) {
        double t = S * chi * (e->t[k] + f->t[k]), m = w[4] * h->kb[k] / 2;
        force->before[k] = le * (a[k] - t + m), force->after[k] = lf * (m - t - c[k]);
    }
    // kb . m1 = -k2 and kb . m2 = k1
    force->spin[0] = w[0] * h->strain[1] - w[1] * h->strain[0] - w[4];
    force->spin[1] = w[2] * h->strain[3] - w[3] * h->strain[2] + w[4];
}

static double bend(const plait_der *d, const plait_der_load *load, const plait_der_pose *pose, double *gradient)
{
    double sum = 0;
    int n = d->n, first = d->clamped[0] ? 0 : 1, last = d->clamped[1] ? n : n - 1;
    for (int i = first; i <= last; i++) {
        const plait_der_hinge *h = &pose->hinge[i];
        plait_der_stress s;
        plait_der_hinge_force force;
        plait_der_law(d, load->dt, i, h->strain, &s);
        sum += s.value;
        plait_der_hinge_forces(&pose->edge[i], &pose->edge[i + 1], h, s.w, &force);
        double *x = gradient + 4 * i;
        for (int k = 0; k < 3; k++) {
            double ge = force.before[k], gf = force.after[k];
            if (i > 0)
                x[k - 4] -= ge, x[k] += ge;
            if (i < n)
                x[k + 4] += gf, x[k] -= gf;
        }
        if (i > 0)
            x[-1] += force.spin[0];
        if (i < n)
            x[3] += force.spin[1];
    }
    return sum;
}

plait_newton_value plait_der_evaluate(const plait_rod *rod, const plait_der_load *load, const plait_der_pose *pose,
                                      double *gradient)
{
    const plait_der *d = rod->impl;
    plait_newton_value value = outer(rod, load, pose->delta, gradient);
    double elastic = load->stretch ? stretch(rod, load, pose, gradient) : 0;
    elastic += bend(d, load, pose, gradient);
    value.sum += elastic;
    value.magnitude += elastic;
    return value;
}

// Size of the forces that balance each other, and what rounding leaves of their balance. Twist rows count per length.
double plait_der_force_scale(const plait_rod *rod, const plait_der_load *load, const plait_der_pose *pose,
                             double *rounding)
{
    const plait_der *d = rod->impl;
    double rate = load->dt > 0 ? 1 / load->dt : 0, sum = 0, noise = 0;
    for (int i = 0; i <= d->n; i++) {
        for (int k = 0; k < 3; k++) {
            int q = 4 * i + k;
            double off = rate * (rate * pose->delta[q] - d->state.v[q]);
            double given = d->mass[q] * rod->gravity[k] + rod->force[3 * i + k], inert = d->mass[q] * off;
            sum += given * given + inert * inert;
            double coarse = d->mass[q] * rate * (rate * pose->delta[q] + fabs(d->state.v[q]));
            noise += coarse * coarse;
        }
    }
    for (int j = 0; j < d->n; j++) {
        double EA = load->stretch ? d->EA[j] + rate * d->viscous_EA[j] : 0;
        double f = EA * (pose->edge[j + 1].length / d->rest[j] - 1);
        const plait_der_spring *s = &d->spring[j];
        double l = pose->edge[j + 1].length, m = 0, b = 0;
        for (int k = 0; k < PLAIT_DER_STRAINS; k++) {
            double off = s->stiffness[k] * (pose->hinge[j].strain[k] - s->natural[k]) / l;
            m += off * off;
            b += (s->stiffness[k] + rate * s->viscous[k]) / l;
        }
        sum += f * f + m + rod->couple[j] * rod->couple[j] / (l * l);
        double coarse = (EA + b) * (1 + plait_vec3_norm(pose->delta + 4 * j) / d->rest[j]);
        noise += coarse * coarse;
    }
    *rounding = 1e-15 * sqrt(noise);
    return sqrt(sum);
}
