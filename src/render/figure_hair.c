// figure_hair.c: brows and lashes of a figure.
#include <math.h>

#include "math/vec3.h"
#include "render/figure.h"

enum { BROWS = 460, LASHES = 90, NODES = 5 };

// A short hair in the frame of the head, in metres of a default one, mirrored for the left side.
static void put_hair(plait_strands *s, const plait_figure *f, const double pose[7], const double root[3],
                     const double along[3], double length, const double bend[3], double side, double radius,
                     plait_f3 colour, uint32_t key)
{
    double scale[3];
    float xyzr[4 * NODES];
    plait_face_scale(&f->of_head, scale);
    for (int n = 0; n < NODES; n++) {
        double t = (double)n / (NODES - 1), p[3], world[3];
        for (int k = 0; k < 3; k++)
            p[k] = scale[k] * (k == 0 ? side : 1) * (root[k] + length * t * (along[k] + t * bend[k]));
        plait_figure_out_of(pose, p, world);
        for (int k = 0; k < 3; k++)
            xyzr[4 * n + k] = (float)world[k];
        xyzr[4 * n + 3] = (float)(radius * (1 - 0.75 * t));
    }
    plait_strands_put(s, NODES, xyzr, colour, key);
}

// Where the face is in front of (x, z), default head.
static double front_of(double x, double z)
{
    static const double ahead[3] = {0, 1, 0};
    plait_gen_head_options o = plait_gen_default_head();
    double from[3] = {x, 0, z};
    return plait_figure_walk_in(plait_figure_face_at, &o, from, ahead, 0.14);
}

static void put_brow(plait_strands *s, const plait_figure *f, const double pose[7], double side, double radius,
                     plait_f3 colour)
{
    for (int i = 0; i < BROWS; i++) {
        uint32_t key = plait_hash((uint32_t)i + (side > 0 ? 9000u : 8000u)) * 8u;
        double t = plait_hash_unit(key), u = plait_hash_unit(key + 1) - 0.5;
        double x = 0.0105 + 0.0320 * t, thick = 0.0052 * (1 - 0.75 * t * t);
        double z = -0.0045 + 0.0075 * sin(2.2 * t) - 0.0020 * t + u * thick;
        double y = front_of(x, z) - 0.0001;
        double flat = 0.35 + 0.65 * t - 0.7 * u, along[3] = {flat, -0.20 * t + 0.06, 0.85 - flat - 0.35 * u};
        plait_vec3_normalise(along);
        double bend[3] = {0.25, -0.12 - 0.35 * t, -0.25};
        put_hair(s, f, pose, (double[3]){x, y, z}, along, 0.0046 + 0.0024 * plait_hash_unit(key + 2), bend, side,
                 radius, f3_scale(0.7f + 0.5f * plait_hash_unit(key + 3), colour), key);
    }
}

static void put_lashes(plait_strands *s, const plait_figure *f, const double pose[7], double side, double radius,
                       plait_f3 colour)
{
    const plait_face_eye *e = &plait_face_eye_default;
    for (int i = 0; i < 2 * LASHES; i++) {
        uint32_t key = plait_hash((uint32_t)i + (side > 0 ? 7000u : 6000u)) * 8u;
        bool upper = i < LASHES;
        double part = -0.80 + 1.72 * ((i % LASHES) + plait_hash_unit(key)) / LASHES, x = part * e->half_width;
        double lid = 1 - part * part, z = (upper ? e->upper : -e->lower) * lid + 0.07 * x + (upper ? 0.0003 : -0.0003);
        double r = e->radius + 0.0011, y = sqrt(fmax(r * r - x * x - z * z, 0));
        double root[3] = {e->centre[0] + x, e->centre[1] + y, e->centre[2] + z};
        double along[3] = {0.55 * part, 1, upper ? -0.10 : -0.45}, bend[3] = {0.25 * part, 0, upper ? 0.75 : 0.1};
        plait_vec3_normalise(along);
        double length = upper ? 0.0065 + 0.0020 * part : 0.0035;
        put_hair(s, f, pose, root, along, length * (0.8 + 0.4 * plait_hash_unit(key + 1)), bend, side,
                 upper ? 1.3 * radius : radius, f3_scale(0.35f, colour), key);
    }
}

bool plait_figure_hair(const plait_figure *f, plait_strands *s, const double *pose, plait_f3 colour)
{
    if (!f)
        return true;
    if (!plait_strands_grow(s, 2 * BROWS + 4 * LASHES, NODES))
        return false;
    const double *head = pose + 7 * (size_t)f->head;
    double radius = 8e-5 * f->of_head.width / 0.15;
    for (double side = -1; side <= 1; side += 2) {
        put_brow(s, f, head, side, radius, f3_scale(0.4f, colour));
        put_lashes(s, f, head, side, radius, f3_scale(0.08f, colour));
    }
    return true;
}
