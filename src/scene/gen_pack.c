// gen_pack.c: random packs of straight rods in a box, by random sequential addition: each rod gets a direction and a
// place at random, and stays where it overlaps no other. In 3-d this goes up to a volume fraction of a few divided by
// the aspect ratio; denser packs are pressed together from such ones. Along the axes of a periodic scene the box is the
// cell: rods lead out of it on one side and come in on the other.
#include <math.h>
#include <stdlib.h>

#include "base/elementary.h"
#include "math/vec3.h"
#include "scene/gen_common.h"
#include "shape/closest.h"

static const double PI = 3.14159265358979323846;

plait_gen_pack_options plait_gen_default_pack(void)
{
    return (plait_gen_pack_options){.fraction = 0.05,
                                    .aspect = 20,
                                    .low = {-0.05, -0.05, -0.05},
                                    .high = {0.05, 0.05, 0.05},
                                    .flat = PI / 2,
                                    .gap = 0.02,
                                    .tries = 20000};
}

// A direction within `flat` of the plane z = 0, evenly over that part of the sphere.
static void random_direction(plait_rng *rng, double flat, double d[3])
{
    double z = plait_rng_between(rng, -1, 1) * plait_sin(flat), phi = plait_rng_between(rng, 0, 2 * PI);
    double r = sqrt(fmax(1 - z * z, 0));
    d[0] = r * plait_cos(phi), d[1] = r * plait_sin(phi), d[2] = z;
}

// A place for the axis of a rod in the box; false: in this direction it does not fit.
static bool random_place(plait_rng *rng, const plait_gen_pack_options *o, const double period[3], double length,
                         double radius, double axis[6])
{
    double d[3];
    random_direction(rng, o->flat, d);
    for (int k = 0; k < 3; k++) {
        double half = period[k] > 0 ? 0 : length / 2 * fabs(d[k]) + radius, room = o->high[k] - o->low[k] - 2 * half;
        if (room < 0)
            return false;
        double middle = o->low[k] + half + room * plait_rng_uniform(rng);
        axis[k] = middle - length / 2 * d[k], axis[3 + k] = middle + length / 2 * d[k];
    }
    return true;
}

static bool clear_of(const double axis[6], const double other[6], double length, double apart)
{
    double far = 0, a, b;
    for (int k = 0; k < 3; k++) {
        double d = (axis[k] + axis[3 + k] - other[k] - other[3 + k]) / 2;
        far += d * d;
    }
    return far >= (length + apart) * (length + apart) ||
           plait_closest_segments(axis, axis + 3, other, other + 3, &a, &b) >= apart * apart;
}

// Of all copies of the other; of itself, if it is one, of those that are not where it is.
static bool clear_of_copies(const double axis[6], const double other[6], const double period[3], double length,
                            double apart)
{
    int from[3] = {0, 0, 0}, to[3] = {0, 0, 0}, n[3];
    for (int k = 0; k < 3; k++)
        if (period[k] > 0) {
            double d = (axis[k] + axis[3 + k] - other[k] - other[3 + k]) / 2;
            from[k] = (int)ceil((d - length - apart) / period[k]), to[k] = (int)floor((d + length + apart) / period[k]);
        }
    for (n[0] = from[0]; n[0] <= to[0]; n[0]++)
        for (n[1] = from[1]; n[1] <= to[1]; n[1]++)
            for (n[2] = from[2]; n[2] <= to[2]; n[2]++) {
                double copy[6];
                for (int k = 0; k < 6; k++)
                    copy[k] = other[k] + n[k % 3] * period[k % 3];
                if ((axis != other || n[0] || n[1] || n[2]) && !clear_of(axis, copy, length, apart))
                    return false;
            }
    return true;
}

// The last of them among the others, and beside its own copies.
static bool has_room(const double *axes, int count, const double period[3], double length, double apart)
{
    const double *axis = axes + 6 * (size_t)count;
    for (int i = 0; i <= count; i++)
        if (!clear_of_copies(axis, axes + 6 * (size_t)i, period, length, apart))
            return false;
    return true;
}

static plait_status check(const plait_scene *scene, const plait_gen_style *style, const plait_gen_pack_options *o,
                          plait_error *error)
{
    const plait_gen_range ranges[] = {{"fraction", o->fraction, 0, 1, true},
                                      {"aspect", o->aspect, 0, 1e6, true},
                                      {"flat", o->flat, 0, PI / 2 + 1e-9, false},
                                      {"gap", o->gap, 0, 1e3, false},
                                      {0}};
    const double *period = scene->detecting.period;
    const plait_gen_count counts[] = {{"count", o->count, 0, 1000000}, {"tries", o->tries, 1, 1000000000}, {0}};
    plait_status status = plait_gen_check("pack", scene, style, NULL, counts, ranges, error);
    for (int k = 0; k < 3 && status == PLAIT_OK; k++)
        if (!(o->high[k] > o->low[k] && isfinite(o->high[k]) && isfinite(o->low[k])))
            status = plait_error_set(error, PLAIT_BAD_INPUT, "pack: the box goes from %g to %g m along axis %d",
                                     o->low[k], o->high[k], k);
        else if (period[k] > 0 && !(fabs(o->high[k] - o->low[k] - period[k]) <= 1e-9 * period[k]))
            status = plait_error_set(error, PLAIT_BAD_INPUT,
                                     "pack: the box goes from %g to %g m along axis %d, which repeats itself after %g "
                                     "m: it must be as long as that",
                                     o->low[k], o->high[k], k, period[k]);
    return status;
}

plait_status plait_gen_pack(plait_scene *scene, const plait_gen_style *style, const plait_gen_pack_options *o,
                            plait_error *error)
{
    plait_status status = check(scene, style, o, error);
    if (status != PLAIT_OK)
        return status;
    double r = plait_gen_contact_radius(scene, style->material), length = 2 * r * o->aspect, box = 1;
    for (int k = 0; k < 3; k++)
        box *= o->high[k] - o->low[k];
    double wanted = o->count > 0 ? o->count : round(o->fraction * box / (PI * r * r * length));
    if (!(wanted >= 1 && wanted <= 1e6))
        return plait_error_set(error, PLAIT_BAD_INPUT, "pack: 1 to 1000000 rods are expected, found %.0f", wanted);
    int count = (int)wanted, placed = 0, before = scene->fibres;
    double *axes = malloc(6 * (size_t)count * sizeof *axes);
    if (!axes)
        return plait_gen_no_memory("pack", error);
    plait_rng rng = plait_rng_new(style->seed, 0);
    for (int t = 0; placed < count && t < o->tries; t++)
        if (random_place(&rng, o, scene->detecting.period, length, r, axes + 6 * (size_t)placed) &&
            has_room(axes, placed, scene->detecting.period, length, (2 + 2 * o->gap) * r))
            placed++, t = -1;
    if (placed < count)
        status = plait_error_set(error, PLAIT_BAD_INPUT,
                                 "pack: room for %d of %d rods of %g m was found (fraction %.3g); press a thinner pack "
                                 "together, or take shorter rods",
                                 placed, count, length, placed * PI * r * r * length / box);
    for (int i = 0; i < count && status == PLAIT_OK; i++) {
        plait_gen_strand strand;
        int segments = style->segments > 0 ? style->segments : 20;
        bool drawn = plait_gen_draw(style, style->phase, 0, 2, axes + 6 * (size_t)i, segments, &strand);
        bool added = drawn && plait_gen_add(scene, style, &strand) >= 0;
        if (drawn)
            plait_gen_strand_free(&strand);
        status = added ? PLAIT_OK : plait_gen_no_memory("pack", error);
    }
    free(axes);
    if (status != PLAIT_OK)
        plait_gen_drop(scene, before);
    return status;
}
