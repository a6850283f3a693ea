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

// Of a push: the contacts of the end, what is wanted of them, and which of them take part.
typedef struct pushing {
    const plait_touches *touches;
    const double *wanted; // [3 contacts]
    const bool *holds;    // [contacts]
    bool *in;             // [contacts]
    double largest, *psi; // [dofs] of the bodies of those that take part
} pushing;

// Before anything is known of the displacement: what has to be pushed, and what may close on the bodies of that.
static void begin_with(const plait_model *m, plait_work *k, const pushing *p)
{
    for (int i = 0; i < p->touches->count; i++)
        p->in[i] = m->cell_moves || p->wanted[3 * (size_t)i] < 0;
    for (int b = 0; b < m->bodies; b++)
        k->body_dof[b] = -1;
    for (int pass = 0; pass < 2; pass++)
        for (int i = 0; i < p->touches->count; i++)
            for (int s = 0; s < 2; s++) {
                int b = plait_sim_mover(m, &p->touches->touch[i].side[s]);
                if (b >= 0 && pass == 0 && p->in[i])
                    k->body_dof[b] = 0;
                else if (b >= 0 && pass == 1 && k->body_dof[b] >= 0 && p->wanted[3 * (size_t)i] < p->largest)
                    p->in[i] = true;
            }
}

// What the displacement adds to a gap, over dt.
static double opens(const plait_model *m, const plait_work *k, const plait_touch *t, plait_columns c, const double *psi)
{
    double sum = 0;
    for (int s = 0; s < 2; s++) {
        plait_side side = plait_sim_side(m, t, s);
        int b = plait_sim_mover(m, &side), from;
        double carried[3];
        if (b < 0 || k->body_dof[b] < 0)
            continue;
        int columns = m->body[b].type->limb(&m->body[b], &side, c.dof, c.J, carried);
        int free = plait_sim_free_dofs(&m->body[b], &from);
        for (int d = 0; d < columns; d++) {
            int at = c.dof[d] - from;
            const double *J = c.J + d;
            double normal = t->normal[0] * J[0] + t->normal[1] * J[columns] + t->normal[2] * J[2 * (size_t)columns];
            sum += at >= 0 && at < free ? (s ? -normal : normal) * psi[k->body_dof[b] + at] : 0;
        }
    }
    return sum;
}

// Contacts that the displacement would close take part from now on; after ROUNDS all whose bodies do. How many.
static int add_closed(const plait_model *m, const plait_work *k, const pushing *p, plait_columns c, int round)
{
    int added = 0;
    for (int i = 0; i < p->touches->count; i++) {
        const plait_touch *t = &p->touches->touch[i];
        bool near = false;
        for (int s = 0; s < 2; s++) {
            int b = plait_sim_mover(m, &t->side[s]);
            near = near || (b >= 0 && k->body_dof[b] >= 0);
        }
        if (p->in[i] || !near || t->fixed)
            continue;
        double left = p->wanted[3 * (size_t)i] + opens(m, k, t, c, p->psi);
        p->in[i] = round >= ROUNDS || left < -PLAIT_PUSH_LEFT * p->largest;
        added += p->in[i];
    }
    return added;
}

// The displacement for those that take part, as if there were no others. k->touches, frame and gap_term have room for
// all of the end.
static bool push_those(const plait_model *m, plait_work *k, plait_attempt *a, pushing *p)
{
    size_t size = (size_t)p->touches->count + 1, n = 0;
    double *w = plait_arena_alloc(&k->arena, 7 * size, sizeof *w), *mu = w + 3 * size, *own_w = mu + size;
    plait_limbs limbs = {0};
    if (!w)
        return plait_sim_no_memory(k, a);
    for (size_t i = 0; i + 1 < size; i++)
        if (p->in[i])
            memcpy(w + 3 * n, p->wanted + 3 * i, 3 * sizeof *w), k->touches.touch[n++] = p->touches->touch[i];
    k->touches.count = (int)n;
    int dofs = plait_sim_number_dofs(m, k);
    double *zero = plait_arena_zeros(&k->arena, 2 * (size_t)dofs + 1, sizeof *zero);
    if (!zero || !plait_sim_limbs(m, k, a->dt, 0, &limbs, own_w, mu))
        return plait_sim_no_memory(k, a);
    for (size_t i = 0, to = 0; i + 1 < size; i++)
        if (p->in[i])
            mu[to] = p->holds[i] ? mu[to] : 0, to++;
    p->psi = zero + dofs;
    return plait_sim_push_firmly(m, k, a, p->largest, (int)n, dofs, &limbs, w, mu, zero, p->psi);
}

// One push of what was found at the end, w->missed, up to `most`. What is open and stays so has no part in it: one
// begins with what overlaps and goes on as long as the displacement closes others. That is the displacement for all.
static bool push(const plait_model *m, plait_work *k, plait_attempt *a, double most, plait_columns c)
{
    size_t size = (size_t)k->missed.count;
    double *w = plait_arena_zeros(&k->arena, 13 * size + 1, sizeof *w);
    bool *holds = plait_arena_zeros(&k->arena, 2 * size + 1, sizeof *holds), ok = true;
    plait_touch *touch = plait_arena_alloc(&k->arena, size + 1, sizeof *touch);
    if (!w || !holds || !touch)
        return plait_sim_no_memory(k, a);
    pushing p = {.touches = &k->missed, .wanted = w, .holds = holds, .in = holds + size};
    p.largest = wanted(m, &k->missed, a->dt, most, c, w);
    for (size_t i = 0; i < size; i++) { // `last` is of the last step again
        int *last = &k->missed.touch[i].last;
        holds[i] = *last >= 0 && plait_sim_holds(m, k, *last);
        *last = *last >= 0 ? k->touches.touch[*last].last : -1;
    }
    // The step's contacts stand back for those of the end, as far as they take part.
    double *kept_frame = k->frame, *kept_gap = k->gap_term;
    plait_touches kept = k->touches;
    k->touches = (plait_touches){.touch = touch, .room = (int)size};
    k->frame = w + 3 * size, k->gap_term = k->frame + 9 * size;
    begin_with(m, k, &p);
    for (int round = 0; ok; round++) {
        plait_arena_mark mark = plait_arena_get_mark(&k->arena);
        ok = push_those(m, k, a, &p);
        if (!ok || add_closed(m, k, &p, c, round) == 0)
            break;
        plait_arena_release(&k->arena, mark);
    }
    k->touches = kept, k->frame = kept_frame, k->gap_term = kept_gap;
    if (ok && !plait_sim_shift_bodies(m, k, a->dt, 2 * p.largest, p.psi))
        ok = plait_sim_reject(k, "an edge or a hinge collapses when it is pushed out");
    a->pushed += p.largest;
    return ok;
}

// [chains] those that the push has moved.
static void tell_moved(const plait_model *m, const plait_work *w, bool *moved)
{
    for (int c = 0; c < m->chains; c++) {
        int b = plait_sim_mover(m, &(plait_side){.index = c});
        moved[c] = b >= 0 && w->body_dof[b] >= 0;
    }
}

bool plait_sim_separate(const plait_model *m, plait_work *w, plait_attempt *a)
{
    plait_arena_mark all = plait_arena_get_mark(&w->arena);
    bool ok = true, *moved = plait_arena_alloc(&w->arena, (size_t)m->chains + 1, sizeof *moved);
    if (!moved)
        return plait_sim_no_memory(w, a);
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
            a->status = plait_sim_find_at_end(m, w, x, round > 0 ? moved : NULL, &w->missed, a->error);
            ok = a->status == PLAIT_OK && !plait_sim_stopped(w);
            double of_all = 0, depth = ok ? deepest(m, &w->missed, c, &of_all) : 0;
            w->left = of_all / 2, deep = depth > ALLOWED && depth < WON * before && round < ROUNDS && a->pushed < most;
            before = depth;
        }
        ok = ok && (!deep || push(m, w, a, most - a->pushed, c)) && !plait_sim_stopped(w);
        if (deep)
            tell_moved(m, w, moved);
        plait_arena_release(&w->arena, mark);
        if (!deep)
            break;
    }
    plait_arena_release(&w->arena, all);
    return ok;
}
