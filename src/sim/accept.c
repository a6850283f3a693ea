// accept.c: the corrected velocities become the new state.
#include "base/parallel.h"
#include "sim/measure.h"
#include "sim/path.h"

static const double TOO_FAR = 2; // times the error that is asked for: the step is not accepted

// Curved bodies went a little elsewhere than the motion that was looked at before, and penetrations were pushed out,
// which may take a skin through something: a last look, at where everything is now. The smallest dt is accepted all the
// same.
static bool nothing_passed(const plait_model *m, plait_work *w, plait_attempt *a)
{
    const plait_scene *scene = m->scene;
    if ((!m->curved && m->skins == 0) || !(scene->detecting.mode & PLAIT_DETECT_CONTINUOUS) ||
        a->dt < 2 * scene->stepping.dt_min)
        return true;
    for (int b = 0; b < m->bodies; b++)
        if (m->body[b].type->nodes)
            m->body[b].type->nodes(&m->body[b], m->body[b].x1);
    a->status = plait_sim_find_crossings(m, w, a->error);
    if (a->status != PLAIT_OK || plait_sim_stopped(w)) // a look that was stopped has seen nothing
        return false;
    return w->missed.count == 0 || plait_sim_reject(w, "things would pass through each other");
}

bool plait_sim_accept(const plait_model *m, plait_state *s, plait_work *w, plait_attempt *a)
{
    plait_sim_measures_hold(m, w, a->dt);
#pragma omp parallel for schedule(dynamic, 8) num_threads(w->team.threads) if (w->team.threads > 1 && m->bodies > 1)
    for (int b = 0; b < m->bodies; b++)
        if (m->body[b].type->accept)
            w->mark[b].reason = m->body[b].type->accept(&m->body[b], a->dt, w->v + m->first_dof[b]);
    for (int b = 0; b < m->bodies; b++)
        if (w->mark[b].reason)
            return plait_sim_reject(w, w->mark[b].reason);
    if (!plait_sim_recover(m, w, a) || !nothing_passed(m, w, a))
        return false;
    plait_sim_ledger_close(m, w);
    if (!plait_sim_estimate(m, w, a))
        return false;
    if (w->report.error > TOO_FAR * m->scene->stepping.error && a->dt >= 2 * m->scene->stepping.dt_min)
        return plait_sim_reject(w, "the step's error is too large");
    if (a->dt >= 2 * m->scene->stepping.dt_min && plait_sim_ledger_gain(m, s, w, a->dt) > 1)
        return plait_sim_reject(w, "the step would gain energy"); // the smallest dt is accepted
    if (w->eigenvalues > 0 && !plait_sim_stability(m, w, a))
        return false;
    return plait_state_remember(s, m, w, a->dt) || plait_sim_no_memory(w, a);
}
