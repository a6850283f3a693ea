// der_project.c: fast projection (Goldenthal et al. 2007): the nearest configuration, in the metric of the masses, in
// which every edge has its natural length.
//
// C_j = (|e_j|^2 / l_j - l_j) / 2; each iteration solves (grad C M^-1 grad C^T) lambda = C, which is tridiagonal, and
// moves by -M^-1 grad C^T lambda. Held coordinates have infinite mass.
#include <string.h>

#include "body/der.h"
#include "math/vec3.h"

enum { MAX_ITERATIONS = 100 };

static double inverse_mass(const plait_der *d, int i, int k)
{
    int q = 4 * i + k;
    return d->fixed[q] ? 0 : 1 / d->mass[q];
}

// lambda[n] <- solution; false if the matrix is singular. diagonal and below are scratch [n].
static bool solve_tridiagonal(int n, double *diagonal, const double *below, double *lambda)
{
    for (int j = 0; j < n; j++) {
        if (j > 0) {
            double f = below[j] / diagonal[j - 1];
            diagonal[j] -= f * below[j];
            lambda[j] -= f * lambda[j - 1];
        }
        if (!(fabs(diagonal[j]) > 1e-300))
            return false;
    }
    for (int j = n - 1; j >= 0; j--) {
        if (j + 1 < n)
            lambda[j] -= below[j + 1] * lambda[j + 1];
        lambda[j] /= diagonal[j];
    }
    return true;
}

bool plait_der_project(plait_rod *rod, double limit, plait_step_report *report)
{
    plait_der *d = rod->impl;
    int n = d->n;
    // The blocks of the second derivatives are free now: they serve as scratch.
    double *diagonal = d->self, *below = d->self + n, *lambda = d->self + 2 * n;
    for (int iteration = 0; iteration < MAX_ITERATIONS; iteration++) {
        if (plait_der_max_stretch(d, &d->now) <= limit)
            return true;
        report->iterations++;
        for (int j = 0; j < n; j++) {
            const plait_der_edge *e = &d->now.edge[j + 1];
            double s = e->length / d->rest[j]; // grad C = -+ s t
            diagonal[j] = below[j] = 0;
            lambda[j] = (s * s - 1) * d->rest[j] / 2;
            for (int k = 0; k < 3; k++) {
                diagonal[j] += s * s * e->t[k] * e->t[k] * (inverse_mass(d, j, k) + inverse_mass(d, j + 1, k));
                if (j > 0) {
                    double before = d->now.edge[j].length / d->rest[j - 1] * d->now.edge[j].t[k];
                    below[j] -= before * s * e->t[k] * inverse_mass(d, j, k);
                }
            }
        }
        if (!solve_tridiagonal(n, diagonal, below, lambda))
            break;
        memset(d->step, 0, (size_t)rod->dofs * sizeof *d->step);
        for (int j = 0; j < n; j++) {
            const plait_der_edge *e = &d->now.edge[j + 1];
            for (int k = 0; k < 3; k++) {
                double pull = lambda[j] * e->length / d->rest[j] * e->t[k];
                d->step[4 * j + k] += inverse_mass(d, j, k) * pull;
                d->step[4 * j + 4 + k] -= inverse_mass(d, j + 1, k) * pull;
            }
        }
        if (!plait_der_pose_try(rod, 1))
            break;
        plait_der_pose_accept(d);
    }
    report->reason = "fast projection cannot make the rod inextensible";
    return false;
}
