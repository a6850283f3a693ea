// observe.c: what an accepted step was like.
#include <math.h>

#include "math/vec3.h"
#include "sim/bonds.h"

void plait_sim_observe(const plait_model *m, const plait_state *s, plait_work *w, const plait_attempt *a)
{
    plait_sim_report *r = &w->report;
    double fastest = 0;
    r->dissipated = r->overlap = 0, r->smallest_gap = INFINITY;
    plait_laws laws = w->problem ? plait_problem_laws(w->problem) : (plait_laws){0};
    for (int i = 0; i < w->previous.count; i++) {
        const double *u = w->solution->u + 3 * (size_t)i, *impulse = w->solution->r + 3 * (size_t)i;
        plait_law_cone cone = {0}; // friction is on rho
        if (w->previous.touch[i].fixed)
            continue;
        if (laws.index)
            plait_law_get_cone(&laws, i, &cone);
        for (int k = 1; k < 3; k++)
            r->dissipated -= u[k] * (impulse[k] + cone.K[k] * u[k] + cone.c[k]);
        double gap = w->previous.touch[i].gap + a->dt * (u[0] - w->gap_term[i]);
        r->smallest_gap = fmin(r->smallest_gap, gap);
        r->overlap = fmax(r->overlap, -gap / (2 * plait_sim_contact_radius(m, &w->previous.touch[i])));
    }
    if (w->problem && !isnan(w->left)) // there was a look at where things are
        r->overlap = w->left;
    plait_sim_sum_bonds(w, r);
    for (int i = 0; i < 3 * m->nodes; i += 3) {
        double d[3];
        plait_vec3_sub(w->x1 + i, w->x0 + i, d);
        fastest = fmax(fastest, plait_vec3_dot(d, d));
    }
    plait_sim_count_states(w);
    r->lowest = w->eigenvalues > 0 ? w->eigenvalue[0] : NAN, r->script = plait_sim_script_end(s, w, a->dt);
    r->max_speed = sqrt(fastest) / a->dt;
}
