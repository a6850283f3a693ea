// face.c: a face and a bust as signed distances.
//
// All places are in metres of a head of the default size (0.15 x 0.19 x 0.23 m, origin in the middle of the skull,
// looking along +y) and are stretched for others. x stands for both sides. Eyes lie half-way between crown and chin,
// the brows, the bottom of the nose and the chin are a third of a face apart: the proportions that drawing books teach.
#include <math.h>
#include <stdbool.h>

#include "math/vec3.h"
#include "render/face.h"

const plait_face_eye plait_face_eye_default = {
    .centre = {0.0310, 0.0712, -0.0215}, .radius = 0.0120, .half_width = 0.0138, .upper = 0.0042, .lower = 0.0040};

// ---- pieces ------------------------------------------------------------------------------------------------------

static double join(double a, double b, double k)
{
    double h = fmax(k - fabs(a - b), 0);
    return fmin(a, b) - h * h / (4 * k);
}

static double carve(double a, double b, double k)
{
    double h = fmax(k - fabs(a + b), 0);
    return fmax(a, -b) + h * h / (4 * k);
}

static double ball(const double p[3], double x, double y, double z, double r)
{
    double d[3] = {p[0] - x, p[1] - y, p[2] - z};
    return plait_vec3_norm(d) - r;
}

static double egg(const double p[3], double x, double y, double z, double rx, double ry, double rz)
{
    double d[3] = {(p[0] - x) / rx, (p[1] - y) / ry, (p[2] - z) / rz};
    double e[3] = {d[0] / rx, d[1] / ry, d[2] / rz}, k0 = plait_vec3_norm(d), k1 = plait_vec3_norm(e);
    return k1 > 0 ? k0 * (k0 - 1) / k1 : -fmin(rx, fmin(ry, rz));
}

// A capsule from a to b whose radius goes from r to s.
static double roll(const double p[3], const double a[3], const double b[3], double r, double s)
{
    double d[3], e[3];
    plait_vec3_sub(p, a, d);
    plait_vec3_sub(b, a, e);
    double t = fmin(fmax(plait_vec3_dot(d, e) / plait_vec3_dot(e, e), 0), 1);
    plait_vec3_axpy(-t, e, d);
    return plait_vec3_norm(d) - ((1 - t) * r + t * s);
}

#define ROLL(p, ax, ay, az, bx, by, bz, r, s) roll(p, (double[3]){ax, ay, az}, (double[3]){bx, by, bz}, r, s)

// ---- face --------------------------------------------------------------------------------------------------------

static double bones(const double q[3])
{
    double d = egg(q, 0, 0, 0, 0.075, 0.095, 0.092);                         // skull
    d = join(d, egg(q, 0, 0.0260, -0.0540, 0.0580, 0.0630, 0.0760), 0.0180); // face
    d = join(d, egg(q, 0, 0.0490, -0.0960, 0.0425, 0.0385, 0.0370), 0.0200); // jaw
    d = join(d, ROLL(q, 0.0460, 0.0100, -0.0790, 0.0090, 0.0770, -0.1240, 0.0100, 0.0095), 0.0220);
    d = join(d, egg(q, 0, 0.0800, -0.1245, 0.0150, 0.0130, 0.0125), 0.0140);                        // chin
    d = join(d, egg(q, 0.0435, 0.0600, -0.0430, 0.0165, 0.0150, 0.0130), 0.0260);                   // cheekbones
    d = join(d, egg(q, 0.0280, 0.0690, -0.0680, 0.0180, 0.0150, 0.0200), 0.0200);                   // cheeks
    d = join(d, egg(q, 0, 0.0620, -0.0890, 0.0290, 0.0268, 0.0260), 0.0140);                        // around the mouth
    d = join(d, ROLL(q, 0.0090, 0.0835, -0.0015, 0.0400, 0.0730, -0.0005, 0.0066, 0.0060), 0.0170); // brows
    return carve(d, egg(q, 0.0760, 0.0640, -0.0060, 0.0130, 0.0340, 0.0300), 0.0300);               // temples
}

static double nose(double d, const double q[3])
{
    d = join(d, ROLL(q, 0, 0.0800, -0.0130, 0, 0.1010, -0.0585, 0.0042, 0.0046), 0.0150);
    d = join(d, egg(q, 0, 0.1030, -0.0612, 0.0064, 0.0068, 0.0060), 0.0085);      // tip
    d = join(d, egg(q, 0.0090, 0.0925, -0.0650, 0.0048, 0.0084, 0.0054), 0.0065); // wings
    d = join(d, ROLL(q, 0, 0.1000, -0.0680, 0, 0.0880, -0.0720, 0.0034, 0.0034), 0.0050);
    return carve(d, egg(q, 0.0054, 0.0975, -0.0700, 0.0026, 0.0050, 0.0032), 0.0020); // nostrils
}

static double upper_lip(const double q[3])
{
    double d = egg(q, 0.0070, 0.0872, -0.0905, 0.0145, 0.0090, 0.0048);
    return join(d, egg(q, 0, 0.0885, -0.0915, 0.0065, 0.0080, 0.0040), 0.0030);
}

static double lower_lip(const double q[3])
{
    return egg(q, 0, 0.0858, -0.1000, 0.0165, 0.0104, 0.0064);
}

static double mouth(double d, const double q[3])
{
    d = carve(d, ROLL(q, 0, 0.0940, -0.0760, 0, 0.0955, -0.0850, 0.0022, 0.0030), 0.0050); // below the nose
    d = join(d, upper_lip(q), 0.0030);
    d = join(d, lower_lip(q), 0.0030);
    d = carve(d, ROLL(q, 0, 0.0975, -0.0953, 0.0120, 0.0940, -0.0951, 0.0009, 0.0009), 0.0022);
    d = carve(d, ROLL(q, 0.0120, 0.0940, -0.0951, 0.0225, 0.0860, -0.0957, 0.0009, 0.0007), 0.0026);
    return carve(d, egg(q, 0, 0.0990, -0.1105, 0.0150, 0.0090, 0.0040), 0.0110); // above the chin
}

// The opening of the lids: an almond, higher on the outside.
static double almond(const double q[3])
{
    const plait_face_eye *e = &plait_face_eye_default;
    double x = q[0] - e->centre[0], z = q[2] - e->centre[2] - 0.07 * x, y = q[1] - e->centre[1];
    double part = x / e->half_width, lid = 1 - part * part;
    double top = e->upper * lid - z, bottom = z + e->lower * lid;
    return fmax(-fmin(top, bottom), fmax(0.002 - y, y - 0.03)) * 0.8;
}

static double eyes(double d, const double q[3])
{
    const plait_face_eye *e = &plait_face_eye_default;
    d = carve(d, egg(q, 0.0305, 0.0970, -0.0205, 0.0180, 0.0185, 0.0125), 0.0110); // sockets
    double lid = ball(q, e->centre[0], e->centre[1], e->centre[2], e->radius + 0.0012);
    // A fold above the upper lid.
    lid = carve(lid, fabs(ball(q, e->centre[0], e->centre[1], e->centre[2] + 0.0068, 0.0128)) - 0.0002, 0.0014);
    d = join(d, lid, 0.0035);
    return carve(d, almond(q), 0.0009);
}

static double ears(double d, const double q[3], bool hull)
{
    // Leaning back and outwards.
    double s[3] = {q[0] - 0.0740 - 0.30 * (-0.004 - q[1]), q[1] + 0.0080 + 0.22 * (q[2] + 0.032), q[2] + 0.0320};
    // Its back slopes to the head: walls that rays from the middle graze would be a few long triangles.
    d = join(d, egg(s, -0.0050, -0.0070, 0, 0.0080, 0.0200, 0.0280), 0.0100);
    if (hull) // what hair slides over: no edge to get behind
        return join(d, egg(s, -0.0060, 0, 0, 0.0125, 0.0250, 0.0440), 0.0300);
    double ear = egg(s, 0, 0, 0, 0.0055, 0.0165, 0.0300);
    ear = carve(ear, egg(s, 0.0060, 0.0010, 0.0060, 0.0052, 0.0105, 0.0190), 0.0030);
    ear = carve(ear, egg(s, 0.0060, 0.0040, -0.0060, 0.0070, 0.0070, 0.0080), 0.0030);
    return join(d, ear, 0.0050);
}

void plait_face_scale(const plait_gen_head_options *o, double scale[3])
{
    plait_vec3_set(scale, o->width / 0.15, o->depth / 0.19, o->height / 0.23);
}

static const double MIDDLE = 0.0015; // [m] width over which both sides join: no crease from brow to chin

static double stretched(const plait_gen_head_options *o, const double p[3], double q[3])
{
    double s[3];
    plait_face_scale(o, s);
    double x = p[0] / s[0];
    plait_vec3_set(q, sqrt(x * x + MIDDLE * MIDDLE) - MIDDLE, p[1] / s[1], p[2] / s[2]);
    return cbrt(s[0] * s[1] * s[2]);
}

static double distance(const plait_gen_head_options *o, const double p[3], bool hull)
{
    double q[3], size = stretched(o, p, q), d = bones(q);
    if (q[1] > 0.04) { // features are felt no farther than this
        d = nose(d, q);
        d = mouth(d, q);
        d = eyes(d, q);
    } else {
        d = ears(d, q, hull);
    }
    d *= size;
    if (!(o->neck_length > 0))
        return d;
    double y = o->depth / 2, h = o->height, r = 0.82 * o->neck_radius;
    double top[3] = {0, -0.10 * y, -0.12 * h}, low[3] = {0, -0.35 * y, -0.6 * h - o->neck_length + r};
    return join(d, roll(p, top, low, 0.98 * r, r), 0.10 * h);
}

double plait_face_distance(const plait_gen_head_options *o, const double p[3])
{
    return distance(o, p, false);
}

double plait_face_hull(const plait_gen_head_options *o, const double p[3])
{
    return distance(o, p, true);
}

static float step(double x, double from, double to)
{
    double t = fmin(fmax((x - from) / (to - from), 0), 1);
    return (float)(t * t * (3 - 2 * t));
}

static const plait_f3 SKIN = {0.44f, 0.245f, 0.165f};
static const float SKIN_GLOSS = 0.75f, SHIRT_GLOSS = 0.05f;

// Skin is not of one colour: patches of some millimetres, a hundredth or two lighter or darker.
static double patches(const double q[3])
{
    double sum = 0, share = 0.6, size = 0.011;
    for (int octave = 0; octave < 3; octave++, share *= 0.6, size *= 0.45)
        sum += share * sin(q[0] / size + 2.1 * octave + 1.7 * sin(q[2] / size)) *
               sin(q[2] / size + 1.3 * sin(q[1] / size));
    return sum;
}

plait_tint plait_face_tint(const plait_gen_head_options *o, const double p[3])
{
    double q[3];
    stretched(o, p, q);
    plait_tint c = {f3_scale((float)(1 + 0.035 * patches(p)), SKIN), SKIN_GLOSS};
    float warm = 0.55f * (1 - step(egg(q, 0.0400, 0.0760, -0.0600, 0.0180, 0.0200, 0.0170), -0.004, 0.012));
    warm += 0.45f * (1 - step(egg(q, 0, 0.1010, -0.0620, 0.0120, 0.0120, 0.0110), -0.003, 0.007));
    warm += 0.5f * step(q[0], 0.0745, 0.0790);
    c.colour = f3_mix(c.colour, f3(0.43f, 0.165f, 0.11f), fminf(warm, 1) * 0.6f);
    if (q[1] > 0.05) {
        const plait_face_eye *e = &plait_face_eye_default;
        double lip = fmin(upper_lip(q), lower_lip(q)),
               lid = ball(q, e->centre[0], e->centre[1], e->centre[2], e->radius);
        c = plait_tint_mix(c, (plait_tint){f3(0.31f, 0.085f, 0.075f), 1}, 0.85f * (1 - step(lip, 0.0002, 0.0012)));
        c.colour = f3_mix(c.colour, f3(0.33f, 0.155f, 0.11f), 0.6f * (1 - step(lid, 0.002, 0.006)));
    }
    return c;
}

// ---- bust --------------------------------------------------------------------------------------------------------

double plait_bust_distance(const plait_gen_shoulders_options *o, const double p[3])
{
    plait_gen_shoulders_options thin = *o;
    thin.neck_radius = 0.80 * o->neck_radius;
    double size = o->width / 0.42, d = plait_gen_shoulders_distance(&thin, p);
    // In metres of default shoulders, from the top of the chest.
    double q[3] = {fabs(p[0]) / size, (p[1] + o->back) / size, (p[2] + o->drop) / size};
    double bone = ROLL(q, 0.0120, 0.0560, -0.0420, 0.0800, 0.0585, -0.0270, 0.0030, 0.0020);
    bone = join(bone, ROLL(q, 0.0800, 0.0585, -0.0270, 0.1400, 0.0180, -0.0190, 0.0020, 0.0010), 0.0100);
    d = join(d, size * bone, 0.0220 * size);
    return carve(d, size * egg(q, 0, 0.0860, -0.0330, 0.0080, 0.0120, 0.0100), 0.0200 * size); // above the breastbone
}

// Skin, and below a neckline a shirt.
plait_tint plait_bust_tint(const plait_gen_shoulders_options *o, const double p[3])
{
    double size = o->width / 0.42, q[3] = {p[0] / size, (p[1] + o->back) / size, (p[2] + o->drop) / size};
    double edge = fmin(hypot(q[0] / 1.25, q[2] + 0.012 + 0.25 * q[1]) - 0.088, 0.012 - q[2]);
    plait_tint skin = {f3_scale((float)(1 + 0.035 * patches(p)), SKIN), SKIN_GLOSS};
    return plait_tint_mix(skin, (plait_tint){f3(0.030f, 0.034f, 0.042f), SHIRT_GLOSS}, step(edge, -0.0030, 0.0030));
}
