// tilt.c: statics: contacts as they lie at the end of a step.
//
// A contact has the normal of the start of the step. What slides by s over a surface of radius R meanwhile is then
// rubbed as by tan(atan(mu) + s / R), and all of that adds up along a rope. In dynamics steps are short; load steps are
// not. So once the motion is known, contacts that carry a force get the normal of where the motion leads, and the step
// is solved again, until normals stay. With d how far the sides have moved relative to each other, g the gap there and
// n its normal, the gap of the start becomes g - n . d: the constraint linearised about the end.
//
// Where that does not settle (fibres that are free to turn under each other's forces) the load step is halved, a few
// times; what is left then is in the report.
#include <math.h>

#include "math/vec3.h"
#include "sim/limbs.h"
#include "sim/sim.h"

enum { TILTS = 6 };
static const double STAYS = 1e-4; // [rad] mean of all forces
static const double MOST = 0.01;  // [rad] more is no answer ...
static const double LEAST = 0.01; // ... unless dt is less than this part of what the scene asks for
static const double FAR = 0.5;    // cosine: what turns farther is another contact

// From one segment to the next the normal of a polyline jumps, and back again when it has jumped.
static bool same_side(const plait_side *a, const plait_side *b)
{
    return a->on_shape == b->on_shape && a->on_skin == b->on_skin && a->index == b->index && a->image == b->image &&
           a->segment == b->segment;
}

// The step's own contact that a contact of the end is; NULL: none that bears a force. Bodies that move freely are where
// they were predicted to be: theirs are left alone.
static plait_touch *own(const plait_model *m, const plait_work *w, const plait_touch *t)
{
    if (t->last < 0 || t->last >= w->problem->n || t->last >= w->touches.count)
        return NULL;
    plait_touch *mine = &w->touches.touch[t->last];
    bool same = !mine->fixed;
    for (int k = 0; k < 2; k++)
        same = same && same_side(&mine->side[k], &t->side[k]) &&
               !(t->side[k].on_shape && plait_sim_mover(m, &t->side[k]) >= 0);
    return same && w->solution->r[3 * t->last] > 0 && plait_vec3_dot(mine->normal, t->normal) > FAR ? mine : NULL;
}

// The mean angle that normals have turned by, over forces.
static double turned(const plait_model *m, const plait_work *w)
{
    double sum = 0, all = 0, cross[3];
    for (int i = 0; i < w->problem->n; i++)
        all += w->solution->r[3 * i];
    for (int k = 0; k < w->missed.count; k++) {
        const plait_touch *t = &w->missed.touch[k], *mine = own(m, w, t);
        if (!mine)
            continue;
        plait_vec3_cross(mine->normal, t->normal, cross);
        sum += w->solution->r[3 * t->last] * plait_vec3_norm(cross);
    }
    return all > 0 ? sum / all : 0;
}

// Its frame, its gap, and its impulse in that frame.
static void turn(plait_work *w, double dt, const plait_touch *t, plait_touch *mine)
{
    int i = t->last;
    double *E = w->frame + 9 * (size_t)i, *r = w->solution->r + 3 * (size_t)i, impulse[3] = {0}, d[3] = {0};
    const double *u = w->solution->u + 3 * (size_t)i;
    for (int j = 0; j < 3; j++) {
        plait_vec3_axpy(r[j], E + 3 * j, impulse);
        plait_vec3_axpy(dt * (u[j] - (j == 0 ? w->gap_term[i] : 0)), E + 3 * j, d);
    }
    plait_vec3_copy(t->normal, mine->normal);
    mine->gap = t->gap - plait_vec3_dot(t->normal, d), mine->about_end = true;
    plait_sim_make_frame(mine->normal, E);
    for (int j = 0; j < 3; j++)
        r[j] = plait_vec3_dot(E + 3 * j, impulse);
}

bool plait_sim_tilt(const plait_model *m, plait_work *w, plait_attempt *a)
{
    if (m->scene->stepping.mode != PLAIT_MODE_STATIC || w->on_path || !w->problem || w->problem->n == 0)
        return true;
    a->status = plait_sim_find_at_end(m, w, w->x1, NULL, &w->missed, a->error);
    if (a->status != PLAIT_OK)
        return false;
    w->report.tilt = turned(m, w);
    if (a->tilts >= TILTS && w->report.tilt > MOST && a->dt / 2 > LEAST * m->scene->stepping.dt)
        return plait_sim_reject(w, "contacts turn too far in one load step");
    if (w->report.tilt < STAYS || a->tilts >= TILTS)
        return true;
    for (int k = 0; k < w->missed.count; k++) {
        plait_touch *mine = own(m, w, &w->missed.touch[k]);
        if (mine)
            turn(w, a->dt, &w->missed.touch[k], mine);
    }
    a->tilts++, a->stand = PLAIT_STAND_FRESH;
    return true;
}
