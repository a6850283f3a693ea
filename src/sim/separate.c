// separate.c: what overlaps where a step has led, found anew there.
//
// Contacts of a step are planes at its start. Where rods slide over each other by their radius in a step these
// planes have turned, and what keeps to them may overlap nevertheless. So contacts are looked for again at the end, and
// a displacement pushes all of them out that overlap,
//
//     M psi = H^T s,   0 <= s_N  perpendicular to  H_N psi + g/dt >= 0            (recover.c)
//
// with H and g of the end; again and again, until nothing is deeper than ALLOWED. Positions move, velocities do not.
// Two points that are held in each other (a root inside of a collider) are left alone: no force moves them.
// Fibres against fibres and colliders are pushed; what a fibre has to do with rigid bodies and skins is kept as it is.
#include <math.h>
#include <string.h>

#include "collide/image.h"
#include "shape/closest.h"
#include "sim/cell.h"
#include "sim/limbs.h"
#include "sim/recover.h"

enum { ROUNDS = 6 };
static const double ALLOWED = 2 * PLAIT_OVERLAP; // of the contact radius
static const double WON = 0.9; // of the depth before: where it is more, nothing is to be won

// cell: its shape when nodes are at x.
static double segment_distance(const plait_model *m, const plait_touch *t, const double *x, const double cell[6])
{
    double a, b;
    const double *p = x + 3 * ((size_t)m->first_node[t->side[0].index] + (size_t)t->side[0].segment);
    double q[6];
    memcpy(q, x + 3 * ((size_t)m->first_node[t->side[1].index] + (size_t)t->side[1].segment), sizeof q);
    for (int k = 0; k < 2; k++)
        plait_image_shift(t->side[1].image, cell, 1, q + 3 * k);
    return sqrt(plait_closest_segments(p, p + 3, q, q + 3, &a, &b));
}

static bool on_chain(const plait_side *side)
{
    return !side->on_shape && !side->on_skin;
}

// Whether a contact is one that is pushed here.
static bool is_ours(const plait_model *m, const plait_touch *t)
{
    const plait_side *other = &t->side[1];
    return !t->fixed && on_chain(&t->side[0]) &&
           (on_chain(other) || (other->on_shape && plait_sim_mover(m, other) < 0));
}

// Whether a contact of the step seems to overlap too far with nodes at x: a look at each, so that all others need none.
static bool seems_deep(const plait_model *m, const plait_work *w, double dt, const double *x, plait_columns c)
{
    double now[6], start[6];
    plait_sim_cell_now(m, now), plait_sim_cell_start(m, start);
    for (int i = 0; i < w->touches.count; i++) {
        const plait_touch *t = &w->touches.touch[i];
        if (!is_ours(m, t))
            continue;
        double end = t->gap + dt * (w->solution->u[3 * (size_t)i] - w->gap_term[i]);
        if (on_chain(&t->side[1])) // gaps may count from an overlap that is allowed: what changed is what is seen
            end = t->gap + segment_distance(m, t, x, now) - segment_distance(m, t, w->x0, start);
        if (end < -ALLOWED * plait_sim_contact_radius(m, t) && plait_sim_gives_way(m, t, c))
            return true;
    }
    return false;
}

// The deepest of those at the end, of the contact radius: what can be pushed, and all, held ones included.
static double deepest(const plait_model *m, const plait_touches *touches, plait_columns c, double *of_all)
{
    double depth = 0;
    *of_all = 0;
    for (int i = 0; i < touches->count; i++) {
        const plait_touch *t = &touches->touch[i];
        double own = is_ours(m, t) ? -t->gap / plait_sim_contact_radius(m, t) : 0;
        if (own > depth && (own <= ALLOWED || plait_sim_gives_way(m, t, c)))
            depth = own;
        *of_all = fmax(*of_all, own);
    }
    return depth;
}

// w of the push, none of it faster than `most`; returns the fastest.
static double wanted(const plait_model *m, const plait_touches *touches, double dt, double most, plait_columns c,
                     double *w)
{
    double largest = 0;
    for (int i = 0; i < touches->count; i++) {
        const plait_touch *t = &touches->touch[i];
        double slop = PLAIT_SLOP * plait_sim_contact_radius(m, t), rate = fmax(t->gap, 0) / dt;
        if (t->fixed)
            rate = INFINITY;
        else if (is_ours(m, t) && t->gap < -slop && plait_sim_gives_way(m, t, c))
            rate = fmax((t->gap + 0.5 * slop) / dt, -most), largest = fmax(largest, -rate);
        w[3 * i] = rate, w[3 * i + 1] = w[3 * i + 2] = 0;
    }
    for (int i = 0; i < touches->count; i++)
        w[3 * i] = fmin(w[3 * i], 2 * largest);
    return largest;
}

// One push of what was found at the end, w->missed, up to `most`.
static bool push(const plait_model *m, plait_work *k, plait_attempt *a, double most, plait_columns c)
{
    size_t size = (size_t)k->missed.count;
    double *w = plait_arena_zeros(&k->arena, 17 * size + 1, sizeof *w), *mu = w + 3 * size;
    bool *holds = plait_arena_zeros(&k->arena, size + 1, sizeof *holds);
    if (!w || !holds)
        return plait_sim_no_memory(k, a);
    double *own_w = mu + size, *frame = own_w + 3 * size, *kept_frame = k->frame, *kept_gap = k->gap_term;
    double largest = wanted(m, &k->missed, a->dt, most, c, w), *zero = NULL;
    plait_touches kept = k->touches;
    plait_limbs limbs = {0};
    plait_pushed part = {.contacts = 0};
    for (size_t i = 0; i < size; i++) { // `last` is of the last step again
        int *last = &k->missed.touch[i].last;
        holds[i] = *last >= 0 && plait_sim_holds(m, k, *last);
        *last = *last >= 0 ? k->touches.touch[*last].last : -1;
    }
    // The step's contacts stand back for those of the end, as far as something has to be pushed there.
    k->touches = k->missed, k->frame = frame, k->gap_term = frame + 9 * size;
    plait_sim_number_dofs(m, k);
    bool ok = plait_sim_pushed(m, k, &k->missed, w, &part);
    for (int i = 0; ok && i < part.contacts; i++)
        k->touches.touch[i] = k->touches.touch[part.contact[i]], holds[i] = holds[part.contact[i]];
    k->touches.count = part.contacts;
    if (ok)
        zero = plait_arena_zeros(&k->arena, 2 * (size_t)part.dofs + 1, sizeof *zero);
    ok = (zero && plait_sim_limbs(m, k, a->dt, 0, &limbs, own_w, mu)) || plait_sim_no_memory(k, a);
    double *psi = zero ? zero + part.dofs : NULL;
    for (int i = 0; ok && i < part.contacts; i++)
        mu[i] = holds[i] ? mu[i] : 0;
    ok = ok && plait_sim_push_firmly(m, k, a, largest, &part, &limbs, w, mu, zero, psi);
    k->touches = kept, k->frame = kept_frame, k->gap_term = kept_gap;
    if (ok && !plait_sim_shift_bodies(m, k, a->dt, 2 * largest, psi))
        ok = plait_sim_reject(k, "an edge or a hinge collapses when it is pushed out");
    a->pushed += largest;
    return ok;
}

bool plait_sim_separate(const plait_model *m, plait_work *w, plait_attempt *a)
{
    bool ok = true;
    double most = plait_sim_fastest_push(m, a->dt) * (1 - 1e-9), before = INFINITY;
    w->left = NAN;
    for (int round = 0; ok && round <= ROUNDS; round++) {
        plait_arena_mark mark = plait_arena_get_mark(&w->arena);
        double *x = plait_arena_alloc(&w->arena, 3 * (size_t)m->nodes + 1, sizeof *x);
        plait_columns c;
        if (!x || !plait_sim_columns(m, &w->arena, &c))
            return plait_sim_no_memory(w, a);
        for (int b = 0; b < m->bodies; b++)
            if (m->body[b].type->nodes && m->body[b].nodes > 0)
                m->body[b].type->nodes(&m->body[b], x + (m->body[b].x1 - w->x1));
        bool look = round > 0 || a->close || seems_deep(m, w, a->dt, x, c), deep = false;
        if (look) {
            a->status = plait_sim_find_at_end(m, w, x, &w->missed, a->error);
            ok = a->status == PLAIT_OK && !plait_sim_stopped(w);
            double all = 0, depth = ok ? deepest(m, &w->missed, c, &all) : 0;
            w->left = all / 2, deep = depth > ALLOWED && depth < WON * before && round < ROUNDS && a->pushed < most;
            before = depth;
        }
        ok = ok && (!deep || push(m, w, a, most - a->pushed, c)) && !plait_sim_stopped(w);
        plait_arena_release(&w->arena, mark);
        if (!deep)
            break;
    }
    return ok;
}
