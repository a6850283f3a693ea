// gen_ponytail.c: a ponytail.
//
// Its middle line leaves the tie along its direction, bends downwards on a circle and falls straight; strands run
// beside it at the places of a hexagonal lattice, which grows a little on the way down: concentric on the circle, so
// they keep their distance everywhere. With roots on the scalp, a strand first goes round the head on a great circle
// into the tie; places there are given in the order of the angles from which strands come, so that neighbours stay
// neighbours.
#include <math.h>
#include <stdlib.h>

#include "base/elementary.h"
#include "math/vec3.h"
#include "scene/gen_groom.h"
#include "scene/gen_roots.h"

enum { TAIL = 120, HEAD = 40 };
static const double BEND =
    0.4; // part of the length that is bent: two of five elements, which a super-helix can do exactly
static const double LOOSE = 0.25; // gap that is aimed at where strands have come too near, in contact radii

plait_gen_ponytail_options plait_gen_default_ponytail(void)
{
    return (plait_gen_ponytail_options){.count = 100,
                                        .tie = {0, -0.11, 0.03},
                                        .direction = {0, -1, -0.3},
                                        .length = 0.3,
                                        .gap = 0.2,
                                        .flare = 0.3,
                                        .region = plait_gen_default_region(),
                                        .rounds = 1000};
}

typedef struct tail {
    const plait_gen_ponytail_options *o;
    double out[3];  // unit, where it leaves
    double side[3]; // normal to the plane of the middle line
    double bend;    // [rad] from `out` to straight down
    double drop;    // [m] radius of that bend
    double *place;  // [2 count] in the tie
} tail;

// Middle line at arc position s: place, and the normal in its plane, on the outer side of the bend.
static void middle_line(const tail *t, double s, double x[3], double normal[3])
{
    double R = t->drop, arc = fmin(s, R * t->bend), angle = R > 0 ? arc / R : t->bend, n0[3];
    plait_vec3_cross(t->out, t->side, n0); // with side = out x down this points away from the centre of the bend
    for (int c = 0; c < 3; c++) {
        double along = plait_cos(angle) * t->out[c] - plait_sin(angle) * n0[c];
        normal[c] = plait_sin(angle) * t->out[c] + plait_cos(angle) * n0[c];
        x[c] = t->o->tie[c] + R * (normal[c] - n0[c]) + (s - arc) * along;
    }
}

static void strand_at(const tail *t, const double place[2], double s, double x[3])
{
    double n[3], scale = 1 + t->o->flare * s / t->o->length;
    middle_line(t, s, x, n);
    plait_vec3_axpy(scale * place[0], n, x);
    plait_vec3_axpy(scale * place[1], t->side, x);
}

// ---- from the scalp into the tie ---------------------------------------------------------------------------------

typedef struct order {
    double angle;
    int index;
} order;

static int compare(const void *a, const void *b)
{
    const order *p = a, *q = b;
    if (p->angle != q->angle)
        return p->angle < q->angle ? -1 : 1;
    return (p->index > q->index) - (p->index < q->index);
}

// place_of[root]: which place in the tie it goes to.
static bool assign_places(const tail *t, const plait_gen_root *root, int *place_of)
{
    int n = t->o->count;
    order *from = malloc(2 * (size_t)n * sizeof *from), *to = from + n;
    if (!from)
        return false;
    double up[3];
    plait_vec3_cross(t->out, t->side, up);
    for (int i = 0; i < n; i++) {
        double d[3];
        plait_vec3_sub(root[i].x, t->o->tie, d);
        from[i] = (order){plait_atan2(plait_vec3_dot(d, t->side), plait_vec3_dot(d, up)), i};
        to[i] = (order){plait_atan2(t->place[2 * i + 1], t->place[2 * i]), i};
    }
    qsort(from, (size_t)n, sizeof *from, compare);
    qsort(to, (size_t)n, sizeof *to, compare);
    for (int i = 0; i < n; i++)
        place_of[from[i].index] = to[i].index;
    free(from);
    return true;
}

// HEAD points from the root round the head to the tie's place.
static void over_head(const plait_gen_field *field, int collider, const plait_gen_root *root, double contact,
                      const double goal[3], double *x)
{
    double centre[3], a[3], b[3], start[3], n[3];
    plait_gen_field_centre(field, collider, centre);
    plait_vec3_copy(root->x, start);
    plait_vec3_axpy(contact, root->normal, start);
    plait_vec3_sub(start, centre, a);
    plait_vec3_sub(goal, centre, b);
    double ra = plait_vec3_normalise(a), rb = plait_vec3_normalise(b),
           angle = plait_acos(fmin(fmax(plait_vec3_dot(a, b), -1), 1));
    for (int i = 0; i < HEAD; i++) {
        double u = (double)i / HEAD, s = plait_sin(angle), wa = s > 1e-6 ? plait_sin((1 - u) * angle) / s : 1 - u,
               wb = s > 1e-6 ? plait_sin(u * angle) / s : u, r = (1 - u * u) * ra + u * u * rb, *p = x + 3 * i;
        for (int c = 0; c < 3; c++)
            p[c] = centre[c] + r * (wa * a[c] + wb * b[c]);
        double far = plait_gen_field_at(field, collider, p, n);
        if (far < contact)
            plait_vec3_axpy(contact - far, n, p);
    }
}

// ---- all of it ---------------------------------------------------------------------------------------------------

static plait_status check(const plait_scene *scene, const plait_gen_style *style, const plait_gen_ponytail_options *o,
                          double out[3], plait_error *error)
{
    const plait_gen_range ranges[] = {{"length", o->length, 0, 1e3, true}, {"radius", o->radius, 0, 1e3, false},
                                      {"gap", o->gap, 0, 10, false},       {"drop", o->drop, 0, 1e3, false},
                                      {"flare", o->flare, 0, 100, false},  {0}};
    const plait_gen_vector vectors[] = {{"tie", o->tie, NULL}, {"direction", o->direction, out}, {0}};
    const plait_gen_count counts[] = {{"count", o->count, 1, 1000000}, {"rounds", o->rounds, 0, 100000}, {0}};
    plait_status status = plait_gen_check("ponytail", scene, style, vectors, counts, ranges, error);
    if (status == PLAIT_OK && o->scalp)
        status = plait_gen_check_region("ponytail", scene, o->collider, &o->region, error);
    if (status == PLAIT_OK && (o->collider < 0 || o->collider >= scene->colliders))
        return plait_error_set(error, PLAIT_BAD_INPUT, "ponytail: collider %d is not one of the scene's %d",
                               o->collider, scene->colliders);
    return status;
}

static plait_status make_tail(const plait_scene *scene, const plait_gen_style *style, tail *t, plait_error *error)
{
    const plait_gen_ponytail_options *o = t->o;
    double down[3] = {0, 0, -1}, r = plait_gen_contact_radius(scene, style->material);
    plait_vec3_cross(t->out, down, t->side);
    if (!(plait_vec3_normalise(t->side) > 1e-9))
        plait_vec3_any_normal(t->out, t->side);
    t->bend = plait_acos(fmin(fmax(plait_vec3_dot(t->out, down), -1), 1));
    t->drop = o->drop > 0 ? o->drop : BEND * o->length * (1 + style->jitter_length) / fmax(t->bend, 0.1);
    t->place = malloc(2 * (size_t)o->count * sizeof *t->place);
    if (!t->place || !plait_gen_hexagonal(o->count, 2 * r * (1 + o->gap), t->place))
        return plait_gen_no_memory("ponytail", error);
    double tight = plait_gen_pack_radius(o->count, t->place) + r, wide = o->radius > 0 ? o->radius : tight;
    if (wide < tight)
        return plait_error_set(error, PLAIT_BAD_INPUT,
                               "ponytail: %d strands of the contact radius %g m need a tie of radius %g m; it is %g m",
                               o->count, r, tight, wide);
    for (int i = 0; tight > r && i < 2 * o->count; i++)
        t->place[i] *= (wide - r) / (tight - r);
    if (!(t->drop > 1.2 * wide))
        return plait_error_set(error, PLAIT_BAD_INPUT,
                               "ponytail: a bend of radius %g m is too tight for a tie of radius %g m; a drop of more "
                               "than %g m is expected",
                               t->drop, wide, 1.2 * wide);
    return PLAIT_OK;
}

static plait_status draw_all(const tail *t, const plait_scene *scene, const plait_gen_style *style,
                             const plait_gen_field *field, const plait_gen_root *root, plait_gen_strand *strand,
                             plait_error *error)
{
    const plait_gen_ponytail_options *o = t->o;
    int *place_of = malloc((size_t)o->count * sizeof *place_of), segments = style->segments > 0 ? style->segments : 20;
    double path[3 * (HEAD + TAIL + 1)], contact = plait_gen_contact_radius(scene, style->material) * (1 + o->gap);
    bool ok = place_of && (!root || assign_places(t, root, place_of));
    for (int i = 0; ok && i < o->count; i++) {
        plait_rng rng = plait_rng_new(style->seed, (uint64_t)i);
        double length = plait_gen_axis_length(style, o->length * (1 + style->jitter_length));
        double cut = 1 - plait_gen_length(style, 1, &rng) / (1 + style->jitter_length);
        double phase = style->phase + style->jitter_phase * plait_rng_between(&rng, -1, 1);
        const double *place = t->place + 2 * (root ? place_of[i] : i);
        int first = root ? HEAD : 0;
        for (int k = 0; k <= TAIL; k++)
            strand_at(t, place, length * k / TAIL, path + 3 * (first + k));
        if (root)
            over_head(field, o->collider, &root[i], contact, path + 3 * HEAD, path);
        double ramp = style->natural == PLAIT_GEN_CURL ? fabs(style->curl_pitch) : style->wave_length;
        ok = plait_gen_draw(style, phase, ramp, first + TAIL + 1, path, segments, &strand[i]);
        if (ok) // not the whole strand is scaled: a coarse model would bend each in another way
            plait_gen_strand_cut(&strand[i], fmax(1 - cut * segments, 0.2));
    }
    free(place_of);
    return ok ? PLAIT_OK : plait_gen_no_memory("ponytail", error);
}

plait_status plait_gen_ponytail(plait_scene *scene, const plait_gen_style *style, const plait_gen_ponytail_options *o,
                                plait_error *error)
{
    tail t = {.o = o};
    plait_status status = check(scene, style, o, t.out, error);
    if (status != PLAIT_OK)
        return status;
    plait_gen_style rooted = plait_gen_rooted(style, o->collider);
    plait_gen_field *field = NULL;
    plait_gen_root *root = o->scalp ? malloc((size_t)o->count * sizeof *root) : NULL;
    plait_gen_strand *strand = calloc((size_t)o->count, sizeof *strand);
    double area;
    status =
        strand && (root || !o->scalp) ? make_tail(scene, style, &t, error) : plait_gen_no_memory("ponytail", error);
    if (status == PLAIT_OK)
        status = plait_gen_field_new(scene, &field, error);
    if (status == PLAIT_OK && root)
        status = plait_gen_roots("ponytail", scene, field, o->collider, &o->region, o->count, style->seed, root, &area,
                                 error);
    if (status == PLAIT_OK)
        status = draw_all(&t, scene, &rooted, field, root, strand, error);
    plait_gen_groom_options apart = {.slide = o->scalp ? o->collider : -1, .gap = LOOSE, .rounds = o->rounds};
    if (status == PLAIT_OK)
        status = plait_gen_groom("ponytail", scene, &rooted, field, o->count, strand, &apart, error);
    if (status == PLAIT_OK)
        status = plait_gen_add_all("ponytail", scene, &rooted, o->count, strand, error);
    plait_gen_strands_free(o->count, strand);
    free(root);
    free(t.place);
    plait_gen_field_free(field);
    return status;
}
