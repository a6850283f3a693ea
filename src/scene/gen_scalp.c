// gen_scalp.c: hair on a head.
//
// Every strand is a path: it leaves the skin, bends into the direction of combing, follows the surface below at its own
// height and falls straight down where nothing carries it. On a ball combed along c the paths are meridians about c.
// What is rooted farther up lies on top of what is rooted below: at the polar angle q a strand rooted at q0 has under
// it all that grows in between, and its height is the room that a loose pack of these takes,
//
//     h = r + volume * A / (area per root) * R (cos q0 - cos q) / sin q,        A = 2 sqrt(3) r^2 for a dense pack.
//
// So paths of neighbours do not cross in the mean; what is left of overlaps is removed by the relaxation of gen_groom.
#include <math.h>
#include <stdlib.h>

#include "math/vec3.h"
#include "scene/gen_groom.h"
#include "scene/gen_roots.h"

enum { STEPS = 160 };

plait_gen_scalp_options plait_gen_default_scalp(void)
{
    return (plait_gen_scalp_options){.count = 100,
                                     .region = plait_gen_default_region(),
                                     .length = 0.3,
                                     .comb = {0, -0.8, -1},
                                     .lift = 0.35,
                                     .volume = 4,
                                     .gap = 0.3,
                                     .rounds = 1000};
}

typedef struct comber {
    const plait_gen_scalp_options *o;
    const plait_gen_field *field;
    double comb[3];   // unit; zero: not combed
    double centre[3]; // of the head
    double radius;    // [m] mean, of the head
    double contact;   // [m] contact radius with its gap
    double layer;     // [m] of height per unit of cos q0 - cos q
} comber;

static double smoothstep(double t)
{
    t = fmin(fmax(t, 0), 1);
    return t * t * (3 - 2 * t);
}

// Height that a strand rooted at `up0` = cos q0 has at x.
static double height(const comber *c, double up0, const double x[3])
{
    double d[3];
    plait_vec3_sub(x, c->centre, d);
    plait_vec3_normalise(d);
    double up = fmax(-plait_vec3_dot(d, c->comb), -0.35), across = sqrt(fmax(1 - up * up, 0.15));
    return c->contact + c->layer * fmax(up0 - up, 0) / across;
}

// Where the strand wants to go at x: as it is combed above, straight down from the middle of the head on.
static void wish(const comber *c, const double aim[3], const double x[3], double d[3])
{
    double low = smoothstep((c->centre[2] + 0.2 * c->radius - x[2]) / c->radius), down[3] = {0, 0, -1};
    for (int k = 0; k < 3; k++)
        d[k] = (1 - low) * aim[k] + low * down[k];
    plait_vec3_normalise(d);
}

// The path of one strand, STEPS + 1 points.
static void walk(const comber *c, const plait_gen_root *root, const double aim[3], double length, double *x)
{
    double t[3], n[3], out[3], step = length / STEPS, ease = 0.15 * c->radius, up0;
    plait_vec3_sub(root->x, c->centre, out);
    plait_vec3_normalise(out);
    up0 = -plait_vec3_dot(out, c->comb);
    plait_vec3_copy(root->x, x);
    plait_vec3_axpy(c->contact, root->normal, x);
    // Starts between along the skin and straight away from it.
    wish(c, aim, x, t);
    plait_vec3_axpy(-fmin(plait_vec3_dot(t, root->normal), 0), root->normal, t);
    if (!(plait_vec3_normalise(t) > 1e-6))
        plait_vec3_any_normal(root->normal, t);
    for (int k = 0; k < 3; k++)
        t[k] = (1 - c->o->lift) * t[k] + c->o->lift * root->normal[k];
    plait_vec3_normalise(t);
    for (int i = 0; i < STEPS; i++) {
        double d[3], *p = x + 3 * i, far = plait_gen_field_at(c->field, -1, p, n), high = height(c, up0, p);
        wish(c, aim, p, d);
        double near = 1 - smoothstep((far - high) / ease), into = plait_vec3_dot(d, n);
        if (into < 0) // lands softly: what points into the surface vanishes on the way down
            plait_vec3_axpy(-near * into, n, d);
        if (far < high)
            plait_vec3_axpy(fmin((high - far) / ease, 1), n, d);
        plait_vec3_normalise(d);
        double turn = fmin(step / ease * 1.5, 1);
        for (int k = 0; k < 3; k++)
            t[k] += turn * (d[k] - t[k]);
        plait_vec3_normalise(t);
        plait_vec3_copy(p, p + 3);
        plait_vec3_axpy(step, t, p + 3);
        far = plait_gen_field_at(c->field, -1, p + 3, n);
        if (far < c->contact) {
            plait_vec3_axpy(c->contact - far, n, p + 3);
            plait_vec3_sub(p + 3, p, t);
            plait_vec3_normalise(t);
        }
    }
}

static plait_status check(const plait_scene *scene, const plait_gen_style *style, const plait_gen_scalp_options *o,
                          plait_error *error)
{
    const plait_gen_range ranges[] = {
        {"length", o->length, 0, 1e3, true}, {"length of the lowest", o->length_low, 0, 1e3, false},
        {"lift", o->lift, 0, 1, false},      {"volume", o->volume, 0, 1e3, false},
        {"gap", o->gap, 0, 10, false},       {0}};
    const plait_gen_vector vectors[] = {{"direction of combing", o->comb, NULL}, {0}};
    const plait_gen_count counts[] = {{"count", o->count, 1, 1000000}, {"rounds", o->rounds, 0, 100000}, {0}};
    plait_status status = plait_gen_check("scalp", scene, style, vectors, counts, ranges, error);
    return status == PLAIT_OK ? plait_gen_check_region("scalp", scene, o->collider, &o->region, error) : status;
}

// Lengths go from `length` at the highest root to `length_low` at the lowest.
static double length_at(const plait_gen_scalp_options *o, const double x[3], const double range[2])
{
    double low = range[1] > range[0] ? (range[1] - x[2]) / (range[1] - range[0]) : 0;
    return o->length_low > 0 ? (1 - low) * o->length + low * o->length_low : o->length;
}

static plait_status comb_all(const comber *c, const plait_gen_style *style, const plait_gen_root *root,
                             plait_gen_strand *strand, plait_error *error)
{
    const plait_gen_scalp_options *o = c->o;
    double range[2] = {INFINITY, -INFINITY};
    for (int i = 0; i < o->count; i++) {
        range[0] = fmin(range[0], root[i].x[2]);
        range[1] = fmax(range[1], root[i].x[2]);
    }
    for (int i = 0; i < o->count; i++) {
        plait_rng rng = plait_rng_new(style->seed, (uint64_t)i);
        double path[3 * (STEPS + 1)], aim[3], whole = plait_gen_length(style, length_at(o, root[i].x, range), &rng);
        double length = plait_gen_axis_length(style, whole);
        double phase = style->phase + style->jitter_phase * plait_rng_between(&rng, -1, 1);
        int points = STEPS + 1;
        if (plait_vec3_norm(c->comb) > 0) {
            plait_vec3_copy(c->comb, aim);
            plait_gen_jitter(&rng, style->jitter_direction, aim);
            walk(c, &root[i], aim, length, path);
        } else { // straight away from the skin
            plait_vec3_copy(root[i].normal, aim);
            plait_gen_jitter(&rng, style->jitter_direction, aim);
            plait_vec3_copy(root[i].x, path);
            plait_vec3_axpy(c->contact, root[i].normal, path);
            plait_vec3_copy(path, path + 3);
            plait_vec3_axpy(length, aim, path + 3);
            points = 2;
        }
        double ramp = style->natural == PLAIT_GEN_CURL ? fabs(style->curl_pitch) : style->wave_length;
        int segments = style->segments > 0 ? style->segments : 20;
        if (!plait_gen_draw(style, phase, fmin(ramp, length / 2), points, path, segments, &strand[i]))
            return plait_gen_no_memory("scalp", error);
    }
    return PLAIT_OK;
}

plait_status plait_gen_scalp(plait_scene *scene, const plait_gen_style *style, const plait_gen_scalp_options *o,
                             plait_error *error)
{
    plait_status status = check(scene, style, o, error);
    if (status != PLAIT_OK)
        return status;
    plait_gen_style rooted = plait_gen_rooted(style, o->collider);
    plait_gen_field *field = NULL;
    plait_gen_root *root = malloc((size_t)o->count * sizeof *root);
    plait_gen_strand *strand = calloc((size_t)o->count, sizeof *strand);
    status = root && strand ? plait_gen_field_new(scene, &field, error) : plait_gen_no_memory("scalp", error);
    double area = 0, r = plait_gen_contact_radius(scene, style->material);
    if (status == PLAIT_OK)
        status =
            plait_gen_roots("scalp", scene, field, o->collider, &o->region, o->count, style->seed, root, &area, error);
    if (status == PLAIT_OK) {
        comber c = {.o = o, .field = field, .contact = r * (1 + o->gap)};
        plait_vec3_copy(o->comb, c.comb);
        plait_vec3_normalise(c.comb);
        plait_gen_field_centre(field, o->collider, c.centre);
        for (int i = 0; i < o->count; i++) {
            double d[3];
            plait_vec3_sub(root[i].x, c.centre, d);
            c.radius += plait_vec3_norm(d) / o->count;
        }
        c.layer = o->volume * 2 * sqrt(3) * r * r * o->count / area * c.radius;
        status = comb_all(&c, &rooted, root, strand, error);
    }
    plait_gen_groom_options apart = {.slide = o->collider, .gap = o->gap, .rounds = o->rounds};
    if (status == PLAIT_OK)
        status = plait_gen_groom("scalp", scene, &rooted, field, o->count, strand, &apart, error);
    if (status == PLAIT_OK)
        status = plait_gen_add_all("scalp", scene, &rooted, o->count, strand, error);
    plait_gen_strands_free(o->count, strand);
    free(root);
    plait_gen_field_free(field);
    return status;
}
