// loads.c: what pulls, turns, bends: the loads of a scene at the time of a step.
//
// A load is a value and a course over time. At the start of an attempt all of them are added up anew, to what there is
// without them: so nothing of them is state, and a run that goes on from a checkpoint has the same loads to the last
// bit. Directions that turn with something are taken where it is at the start of the step.
#include "sim/loads.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "body/rod.h"
#include "math/mat3.h"
#include "math/quat.h"
#include "math/vec3.h"
#include "scene/scene.h"
#include "sim/bonds.h"

// One load on one fibre.
typedef struct target {
    int load, chain;
    double arc[2]; // [m]
} target;

// A fibre whose forces or natural shape loads change.
typedef struct loaded {
    int chain, sites;
    bool bent;    // the natural shape
    double *base; // [sites][PLAIT_ROD_STRAINS] natural strains without loads
    double *room; // [3 (segments + 1) + 9 segments] places, frames
} loaded;

struct plait_loads {
    int targets, fibres;
    target *target;
    loaded *fibre;
    double gravity[3];
    double *mu;        // [materials^2]
    double (*push)[6]; // [rigids] force and couple that a program or the scene's bodies have
    bool pushes, pulls, rubs, bends;
};

// ---- finding -------------------------------------------------------------------------------------------------------

static bool names(const plait_scene *scene, const plait_load *l, int i)
{
    int nth = 0;
    if (l->group < 0 || scene->fibre[i].group != l->group)
        return false;
    for (int k = 0; k < i && l->which >= 0; k++)
        nth += scene->fibre[k].group == l->group;
    return l->which < 0 || nth == l->which;
}

plait_status plait_sim_beads(const plait_scene *scene, int i, int *count, double **bead, plait_error *error)
{
    *count = 0, *bead = NULL;
    for (int k = 0; k < scene->loads; k++) {
        const plait_load *l = &scene->load[k];
        if (l->kind != PLAIT_LOAD_MASS || !names(scene, l, i))
            continue;
        double *more = realloc(*bead, 2 * ((size_t)*count + 1) * sizeof *more);
        if (!more) {
            free(*bead);
            *bead = NULL;
            return plait_error_set(error, PLAIT_NO_MEMORY, "no memory for the masses of fibre %d", i);
        }
        *bead = more;
        double length = 0;
        for (int p = 0; p + 1 < scene->fibre[i].points && !l->relative; p++) {
            double d[3];
            plait_vec3_sub(scene->fibre[i].point + 3 * p + 3, scene->fibre[i].point + 3 * p, d);
            length += plait_vec3_norm(d);
        }
        more[2 * *count] = l->relative ? l->arc[0] : fmin(l->arc[0] / length, 1);
        more[2 * (*count)++ + 1] = l->amount;
    }
    return PLAIT_OK;
}

static bool has_base(plait_load_kind kind)
{
    return kind == PLAIT_LOAD_FORCE || kind == PLAIT_LOAD_MOMENT || kind == PLAIT_LOAD_CURVATURE;
}

static plait_status check_model(const plait_load *l, const plait_rod *rod, int chain, plait_error *error)
{
    const plait_rod_type *type = rod->type;
    if (l->kind == PLAIT_LOAD_CURVATURE && !type->set_natural)
        return plait_error_set(error, PLAIT_BAD_INPUT, "load '%s': fibre %d: the natural shape of model %s is fixed",
                               l->name, chain, type->name);
    if (l->follows && !(type->abilities & PLAIT_ROD_TWISTS))
        return plait_error_set(error, PLAIT_BAD_INPUT,
                               "load '%s': fibre %d: model %s has no frame that it could follow", l->name, chain,
                               type->name);
    return PLAIT_OK;
}

// The entry of a fibre, made if there is none; NULL without memory.
static loaded *entry(plait_loads *all, plait_rod *rod, int chain)
{
    for (int k = 0; k < all->fibres; k++)
        if (all->fibre[k].chain == chain)
            return &all->fibre[k];
    size_t n = (size_t)rod->segments;
    loaded *more = realloc(all->fibre, ((size_t)all->fibres + 1) * sizeof *more);
    if (!more)
        return NULL;
    all->fibre = more, more += all->fibres++;
    *more = (loaded){.chain = chain, .sites = rod->segments + (rod->type->trace == NULL)};
    more->base = calloc(PLAIT_ROD_STRAINS * (n + 1), sizeof *more->base);
    more->room = calloc(3 * (n + 1) + 9 * n, sizeof *more->room);
    rod->told = calloc(4 * n + 3, sizeof *rod->told);
    if (!more->base || !more->room || !rod->told)
        return NULL;
    memcpy(rod->told, rod->force, 3 * (n + 1) * sizeof *rod->told);
    memcpy(rod->told + 3 * (n + 1), rod->couple, n * sizeof *rod->told);
    return more;
}

static plait_status add_fibre(plait_loads *all, plait_rod *rod, int chain, bool bent, plait_error *error)
{
    loaded *f = entry(all, rod, chain);
    if (!f)
        return plait_error_set(error, PLAIT_NO_MEMORY, "no memory for loads");
    for (int site = 0; bent && !f->bent && site < f->sites; site++)
        rod->type->get_natural(rod, site, f->base + PLAIT_ROD_STRAINS * site);
    f->bent |= bent;
    return PLAIT_OK;
}

static plait_status add_target(plait_sim *sim, plait_loads *all, int load, int chain, plait_error *error)
{
    const plait_load *l = &sim->model.scene->load[load];
    plait_rod *rod = plait_sim_rod(sim, chain);
    plait_status status = check_model(l, rod, chain, error);
    if (status != PLAIT_OK)
        return status;
    target *more = realloc(all->target, ((size_t)all->targets + 1) * sizeof *more);
    if (!more)
        return plait_error_set(error, PLAIT_NO_MEMORY, "no memory for loads");
    all->target = more, more += all->targets;
    *more = (target){.load = load, .chain = chain};
    for (int k = 0; k < 2; k++) {
        more->arc[k] = l->relative ? l->arc[k] * rod->length : l->arc[k];
        if (more->arc[k] > rod->length * (1 + 1e-9))
            return plait_error_set(error, PLAIT_BAD_INPUT, "load '%s': fibre %d is %g m long: %g m is not on it",
                                   l->name, chain, rod->length, more->arc[k]);
        more->arc[k] = fmin(more->arc[k], rod->length);
    }
    all->targets++;
    return add_fibre(all, rod, chain, l->kind == PLAIT_LOAD_CURVATURE, error);
}

// Fibre `which` of a group, or -1.
static int member(const plait_scene *scene, int group, int which)
{
    for (int i = 0; i < scene->fibres; i++)
        if (scene->fibre[i].group == group && which-- == 0)
            return i;
    return -1;
}

static plait_status add_spring(plait_sim *sim, const plait_scene *scene, const plait_load *l, int chain, int nth,
                               plait_error *error)
{
    plait_touch t = {.last = -1};
    plait_tie how = {.stiffness = l->stiffness, .damping = l->damping, .strength = l->strength, .until = l->until};
    plait_sim_point end[2] = {{.kind = PLAIT_PARTNER_FIBRE, .index = chain}, {.kind = PLAIT_PARTNER_COLLIDER}};
    if (chain >= 0) {
        double length = plait_rod_length(plait_sim_rod(sim, chain));
        end[0].arc = fmin(l->relative ? l->arc[0] * length : l->arc[0], length);
    } else {
        plait_pose pose;
        double R[9];
        end[0].kind = PLAIT_PARTNER_RIGID, end[0].index = l->rigid;
        plait_rigid_pose(plait_sim_body(&sim->model, &plait_body_rigid, l->rigid), &pose);
        plait_quat_matrix(pose.q, R);
        plait_mat3_affine(R, l->point, pose.x, end[0].position);
    }
    if (l->other_group >= 0) {
        int other = member(scene, l->other_group, nth);
        if (other < 0)
            return plait_error_set(error, PLAIT_BAD_INPUT, "load '%s': '%s' has no fibre %d to be pulled to", l->name,
                                   scene->group[l->other_group], nth);
        end[1].kind = PLAIT_PARTNER_FIBRE, end[1].index = other;
        end[1].arc = l->other_arc * plait_rod_length(plait_sim_rod(sim, other));
    } else {
        end[1].kind = l->body >= 0 ? PLAIT_PARTNER_RIGID : PLAIT_PARTNER_COLLIDER;
        end[1].index = l->body >= 0 ? l->body : l->collider;
        plait_vec3_copy(l->place, end[1].position);
    }
    for (int k = 0; k < 2; k++) {
        plait_status status = plait_sim_point_side(sim, &end[k], &t.side[k], &t.arc[k], error);
        if (status != PLAIT_OK)
            return status;
    }
    return plait_sim_spring(sim, &t, &how, l->length)
               ? PLAIT_OK
               : plait_error_set(error, PLAIT_NO_MEMORY, "no memory for springs");
}

static plait_status find_fibres(plait_sim *sim, const plait_scene *scene, plait_loads *all, int k, plait_error *error)
{
    const plait_load *l = &scene->load[k];
    plait_status status = PLAIT_OK;
    int nth = -1;
    for (int i = 0; i < scene->fibres && status == PLAIT_OK && l->group >= 0; i++) {
        nth += scene->fibre[i].group == l->group;
        if (scene->fibre[i].group != l->group || (l->which >= 0 && nth != l->which))
            continue;
        if (l->kind == PLAIT_LOAD_SPRING)
            status = add_spring(sim, scene, l, i, nth, error);
        else if (has_base(l->kind))
            status = add_target(sim, all, k, i, error);
    }
    if (status == PLAIT_OK && l->which > nth)
        status = plait_error_set(error, PLAIT_BAD_INPUT, "load '%s': its group has %d fibres, not one of number %d",
                                 l->name, nth + 1, l->which);
    if (l->kind == PLAIT_LOAD_SPRING && l->rigid >= 0 && status == PLAIT_OK)
        status = add_spring(sim, scene, l, -1, 0, error);
    return status;
}

plait_status plait_sim_loads_find(plait_sim *sim, const plait_scene *scene, plait_error *error)
{
    if (scene->loads == 0)
        return PLAIT_OK;
    size_t m = (size_t)scene->materials;
    plait_loads *all = sim->work.loads = calloc(1, sizeof *all);
    if (!all || !(all->mu = malloc((m * m + 1) * sizeof *all->mu)) ||
        !(all->push = calloc((size_t)scene->rigids + 1, sizeof *all->push)))
        return plait_error_set(error, PLAIT_NO_MEMORY, "no memory for loads");
    plait_status status = PLAIT_OK;
    bool springs = false;
    for (int i = 0; i < scene->rigids; i++)
        plait_vec3_copy(scene->rigid[i].force, all->push[i]);
    plait_vec3_copy(scene->gravity, all->gravity);
    memcpy(all->mu, scene->mu, m * m * sizeof *all->mu);
    for (int k = 0; k < scene->loads && status == PLAIT_OK; k++) {
        plait_load_kind kind = scene->load[k].kind;
        all->pulls |= kind == PLAIT_LOAD_GRAVITY, all->rubs |= kind == PLAIT_LOAD_FRICTION;
        all->bends |= kind == PLAIT_LOAD_CURVATURE, springs |= kind == PLAIT_LOAD_SPRING;
        all->pushes |= scene->load[k].rigid >= 0 && has_base(kind);
        status = find_fibres(sim, scene, all, k, error);
    }
    if (status == PLAIT_OK && springs && !plait_state_write_contacts(&sim->state, &sim->model, &sim->work))
        status = plait_error_set(error, PLAIT_NO_MEMORY, "no memory for springs");
    return status;
}

void plait_sim_loads_regravity(plait_loads *all, const double gravity[3])
{
    if (all)
        plait_vec3_copy(gravity, all->gravity);
}

void plait_sim_loads_refriction(plait_loads *all, int materials, int a, int b, double mu)
{
    if (all)
        all->mu[a * materials + b] = all->mu[b * materials + a] = mu;
}

void plait_sim_loads_push(plait_loads *all, int rigid, const double force[3], const double couple[3])
{
    if (all)
        plait_vec3_copy(force, all->push[rigid]), plait_vec3_copy(couple, all->push[rigid] + 3);
}

void plait_sim_loads_renumber(plait_loads *all, const int *chain)
{
    int kept = 0;
    for (int k = 0; all && k < all->targets; k++) {
        all->target[k].chain = chain[all->target[k].chain];
        if (all->target[k].chain >= 0)
            all->target[kept++] = all->target[k];
    }
    if (!all)
        return;
    all->targets = kept, kept = 0;
    for (int k = 0; k < all->fibres; k++) {
        loaded *f = &all->fibre[k];
        f->chain = chain[f->chain];
        if (f->chain >= 0)
            all->fibre[kept++] = *f;
        else
            free(f->base), free(f->room);
    }
    all->fibres = kept;
}

void plait_sim_loads_free(plait_loads *all)
{
    if (!all)
        return;
    for (int k = 0; k < all->fibres; k++)
        free(all->fibre[k].base), free(all->fibre[k].room);
    free(all->target), free(all->fibre), free(all->mu), free(all->push), free(all);
}

// ---- setting -------------------------------------------------------------------------------------------------------

// Integral of the hat between a and b that is 1 at s1 and 0 at s0 and beyond; its mean over [from, to].
static double share_of(double s0, double s1, double from, double to)
{
    double a = fmax(fmin(s0, s1), from), b = fmin(fmax(s0, s1), to), l = s1 - s0;
    if (!(b > a))
        return 0;
    double middle = ((a + b) / 2 - s0) / l;
    return middle * (b - a) / (to - from);
}

double plait_sim_node_share(const double *arc, int step, int segments, int node, const double span[2])
{
    double s = arc[node * step], share = 0;
    bool point = span[1] - span[0] <= 1e-9 * arc[segments * step];
    for (int side = -1; side <= 1; side += 2) {
        int other = node + side;
        if (other < 0 || other > segments)
            continue;
        double o = arc[other * step], at = (span[0] - o) / (s - o);
        if (!point)
            share += share_of(o, s, span[0], span[1]);
        else if (at >= 0 && at < 1 && (span[0] - s) * (o - s) > 0)
            share += at;
    }
    return point && span[0] == s ? 1 : share;
}

// The part of it that is on a segment; one at a node is half of either neighbour.
static double segment_share(const double *arc, int step, int segments, int j, const double span[2])
{
    double a = arc[j * step], b = arc[(j + 1) * step], small = 1e-9 * arc[segments * step];
    if (span[1] - span[0] > small)
        return fmax(fmin(b, span[1]) - fmax(a, span[0]), 0) / (span[1] - span[0]);
    double s = span[0];
    if (s > a + small && s < b - small)
        return 1;
    bool left = fabs(s - a) <= small, right = fabs(s - b) <= small;
    if (!left && !right)
        return 0;
    return (left && j == 0) || (right && j == segments - 1) ? 1 : 0.5;
}

// v in the frame m1, m2, t of a segment.
static void turn(const double *frame, double v[3])
{
    double out[3] = {0, 0, 0};
    for (int k = 0; k < 3; k++)
        plait_vec3_axpy(v[k], frame + 3 * k, out);
    plait_vec3_copy(out, v);
}

static void add_force(plait_rod *rod, const double *arc, int step, const target *t, const plait_load *l, double factor,
                      const double *frames)
{
    for (int i = 0; i <= rod->segments; i++) {
        double share = factor * plait_sim_node_share(arc, step, rod->segments, i, t->arc), f[3];
        if (share == 0)
            continue;
        plait_vec3_copy(l->vector, f);
        if (l->follows)
            turn(frames + 9 * (i < rod->segments ? i : i - 1), f);
        plait_vec3_axpy(share, f, rod->force + 3 * i);
    }
}

// Along a segment by its couple, across it by two opposite forces at its ends.
static void add_moment(plait_rod *rod, const double *arc, int step, const target *t, const plait_load *l, double factor,
                       const double *x, const double *frames)
{
    for (int j = 0; j < rod->segments; j++) {
        double share = factor * segment_share(arc, step, rod->segments, j, t->arc), m[3], edge[3], f[3];
        if (share == 0)
            continue;
        plait_vec3_copy(l->vector, m);
        if (l->follows)
            turn(frames + 9 * j, m);
        plait_vec3_sub(x + 3 * j + 3, x + 3 * j, edge);
        double length = plait_vec3_normalise(edge);
        if (rod->type->abilities & PLAIT_ROD_TWISTS)
            rod->couple[j] += share * plait_vec3_dot(m, edge);
        plait_vec3_cross(m, edge, f);
        plait_vec3_axpy(share / length, f, rod->force + 3 * j + 3);
        plait_vec3_axpy(-share / length, f, rod->force + 3 * j);
    }
}

static void set_fibre(const plait_model *m, const plait_loads *all, loaded *f, double time)
{
    const plait_body *body = &m->body[m->chain_body[f->chain]];
    plait_rod *rod = plait_fibre_rod(body);
    size_t n = (size_t)rod->segments;
    const double *arc = m->arc + m->first_node[f->chain];
    double *x = f->room, *frames = x + 3 * (n + 1);
    int step = (body->nodes - 1) / rod->segments;
    memcpy(rod->force, rod->told, 3 * (n + 1) * sizeof *rod->force);
    memcpy(rod->couple, rod->told + 3 * (n + 1), n * sizeof *rod->couple);
    plait_rod_positions(rod, x), plait_rod_frames(rod, frames);
    for (int k = 0; k < all->targets; k++) {
        const target *t = &all->target[k];
        const plait_load *l = &m->scene->load[t->load];
        double factor = t->chain == f->chain ? plait_course_at(&l->course, time) : 0;
        if (factor != 0 && l->kind == PLAIT_LOAD_FORCE)
            add_force(rod, arc, step, t, l, factor, frames);
        if (factor != 0 && l->kind == PLAIT_LOAD_MOMENT)
            add_moment(rod, arc, step, t, l, factor, x, frames);
    }
}

// Between from and to, as much of the piece of length that belongs to a site.
static void set_natural(const plait_model *m, const plait_loads *all, loaded *f, double time)
{
    const plait_body *body = &m->body[m->chain_body[f->chain]];
    plait_rod *rod = plait_fibre_rod(body);
    const double *arc = m->arc + m->first_node[f->chain];
    int step = (body->nodes - 1) / rod->segments, n = rod->segments;
    bool curved = rod->type->trace != NULL;
    for (int i = 0; i < f->sites; i++) {
        double more[3] = {0, 0, 0}, s = arc[i * step];
        double a = curved || i == 0 ? s : (arc[(i - 1) * step] + s) / 2;
        double b = curved ? arc[(i + 1) * step] : i == n ? s : (arc[(i + 1) * step] + s) / 2;
        for (int k = 0; k < all->targets; k++) {
            const target *t = &all->target[k];
            const plait_load *l = &m->scene->load[t->load];
            if (t->chain == f->chain && l->kind == PLAIT_LOAD_CURVATURE)
                plait_vec3_axpy(plait_course_at(&l->course, time) * fmax(fmin(b, t->arc[1]) - fmax(a, t->arc[0]), 0) /
                                    (b - a),
                                l->vector, more);
        }
        rod->type->set_natural(rod, i, f->base + PLAIT_ROD_STRAINS * i, more);
    }
}

static void push_bodies(const plait_model *m, const plait_loads *all, double time)
{
    const plait_scene *scene = m->scene;
    for (int i = 0; i < scene->rigids; i++) {
        plait_body *body = plait_sim_body(m, &plait_body_rigid, i);
        double sum[6], R[9], centre[3];
        plait_pose pose;
        memcpy(sum, all->push[i], sizeof sum);
        plait_rigid_pose(body, &pose), plait_rigid_centre(body, centre);
        plait_quat_matrix(pose.q, R);
        for (int k = 0; k < scene->loads; k++) {
            const plait_load *l = &scene->load[k];
            double v[3], at[3], moment[3], factor = plait_course_at(&l->course, time);
            if (l->rigid != i || !has_base(l->kind) || factor == 0)
                continue;
            plait_vec3_copy(l->vector, v);
            if (l->follows)
                plait_mat3_apply(R, l->vector, v);
            if (l->kind == PLAIT_LOAD_MOMENT) {
                plait_vec3_axpy(factor, v, sum + 3);
                continue;
            }
            plait_vec3_axpy(factor, v, sum);
            if (plait_vec3_dot(l->point, l->point) == 0)
                continue; // the centre of mass
            plait_mat3_affine(R, l->point, pose.x, at);
            plait_vec3_sub(at, centre, at);
            plait_vec3_cross(at, v, moment);
            plait_vec3_axpy(factor, moment, sum + 3);
        }
        plait_rigid_push(body, sum, sum + 3);
    }
}

// Gravity and friction of the scene's copy, which everything reads.
static void set_world(const plait_model *m, const plait_loads *all, double time)
{
    plait_scene *scene = m->scene;
    int n = scene->materials;
    double gravity[3];
    plait_vec3_copy(all->gravity, gravity);
    if (all->rubs)
        memcpy(scene->mu, all->mu, (size_t)(n * n) * sizeof *scene->mu);
    for (int k = 0; k < scene->loads; k++) {
        const plait_load *l = &scene->load[k];
        double factor = plait_course_at(&l->course, time);
        if (l->kind == PLAIT_LOAD_GRAVITY)
            plait_vec3_axpy(factor, l->vector, gravity);
        for (int p = 0; l->kind == PLAIT_LOAD_FRICTION && p < n * n; p++) {
            int a = p / n, b = p % n;
            bool first = l->material[0] < 0 || a == l->material[0], second = l->material[1] < 0 || b == l->material[1];
            bool turned = (l->material[0] < 0 || b == l->material[0]) && (l->material[1] < 0 || a == l->material[1]);
            if ((first && second) || turned)
                scene->mu[p] += factor * l->amount;
        }
    }
    for (int p = 0; all->rubs && p < n * n; p++)
        scene->mu[p] = fmax(scene->mu[p], 0);
    if (!all->pulls)
        return;
    plait_vec3_copy(gravity, scene->gravity);
    const plait_world world = {.gravity = {gravity[0], gravity[1], gravity[2]}};
    for (int b = 0; b < m->bodies; b++) // before energies are told; the wind comes later
        if (m->body[b].type->load && (m->body[b].skin || m->body[b].nodes == 0))
            m->body[b].type->load(&m->body[b], &world);
    for (int i = 0; i < m->chains; i++)
        plait_rod_set_gravity(plait_fibre_rod(&m->body[m->chain_body[i]]), gravity);
}

void plait_sim_loads_set(const plait_model *m, const plait_state *s, plait_work *w, double dt)
{
    plait_loads *all = w->loads;
    double time = plait_sim_script_end(s, w, dt);
    if (!all)
        return;
    set_world(m, all, time);
    for (int k = 0; k < all->fibres; k++) {
        set_fibre(m, all, &all->fibre[k], time);
        if (all->fibre[k].bent)
            set_natural(m, all, &all->fibre[k], time);
    }
    if (all->pushes)
        push_bodies(m, all, time);
    if ((all->pulls || all->bends) && m->scene->stepping.ledger)
        w->unstruck_energy = plait_sim_energies(m, w, true);
}
