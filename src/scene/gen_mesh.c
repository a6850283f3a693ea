// gen_mesh.c: a head and a pair of shoulders to let hair fall on.
//
// Both are the outer skin of a soft union of ellipsoids and capsules, seen from a point inside: every vertex of a
// subdivided icosahedron goes out along its ray to where a walk from far away first meets the body. Such a surface is
// closed and does not cut itself, whatever the numbers are.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "math/vec3.h"
#include "scene/gen_common.h"

// ---- a soft union ------------------------------------------------------------------------------------------------

typedef struct blob {
    double a[3], b[3]; // ellipsoid: centre, half axes; capsule: ends of the axis
    double radius[2];  // capsule: at either end; 0: an ellipsoid
    double soft;       // [m] over which it melts into the ones before
} blob;

enum { BLOBS = 12 };
typedef struct body {
    double centre[3]; // rays come from here
    double reach;     // and nothing is farther away
    int count;
    blob blob[BLOBS];
} body;

// Roughly the signed distance; its zero is exact.
static double blob_distance(const blob *o, const double p[3])
{
    double d[3];
    plait_vec3_sub(p, o->a, d);
    if (o->radius[0] > 0) {
        double e[3];
        plait_vec3_sub(o->b, o->a, e);
        double t = fmin(fmax(plait_vec3_dot(d, e) / plait_vec3_dot(e, e), 0), 1);
        plait_vec3_axpy(-t, e, d);
        return plait_vec3_norm(d) - ((1 - t) * o->radius[0] + t * o->radius[1]);
    }
    double k0 = 0, k1 = 0;
    for (int i = 0; i < 3; i++) {
        k0 += d[i] * d[i] / (o->b[i] * o->b[i]);
        k1 += d[i] * d[i] / (o->b[i] * o->b[i] * o->b[i] * o->b[i]);
    }
    if (!(k1 > 0))
        return -fmin(o->b[0], fmin(o->b[1], o->b[2]));
    return sqrt(k0) * (sqrt(k0) - 1) / sqrt(k1);
}

static double body_distance(const body *b, const double p[3])
{
    double all = blob_distance(&b->blob[0], p);
    for (int i = 1; i < b->count; i++) {
        double d = blob_distance(&b->blob[i], p), k = b->blob[i].soft, h = fmax(k - fabs(all - d), 0);
        all = fmin(all, d) - (k > 0 ? h * h / (4 * k) : 0);
    }
    return all;
}

// Where a walk along the ray from outside first meets the body.
static double skin(const body *b, const double direction[3])
{
    enum { STEPS = 300 };
    double outside = b->reach, inside = 0;
    for (int i = STEPS; i-- > 0;) {
        double t = b->reach * i / STEPS, p[3];
        plait_vec3_copy(b->centre, p);
        plait_vec3_axpy(t, direction, p);
        if (body_distance(b, p) < 0) {
            inside = t;
            break;
        }
        outside = t;
    }
    for (int i = 0; i < 40; i++) {
        double t = (inside + outside) / 2, p[3];
        plait_vec3_copy(b->centre, p);
        plait_vec3_axpy(t, direction, p);
        *(body_distance(b, p) < 0 ? &inside : &outside) = t;
    }
    return (inside + outside) / 2;
}

// ---- icosahedron -------------------------------------------------------------------------------------------------

static int start_icosahedron(double *x, int *t)
{
    const double g = (1 + sqrt(5)) / 2;
    const double corner[12][3] = {{-1, g, 0},  {1, g, 0},  {-1, -g, 0}, {1, -g, 0}, {0, -1, g},  {0, 1, g},
                                  {0, -1, -g}, {0, 1, -g}, {g, 0, -1},  {g, 0, 1},  {-g, 0, -1}, {-g, 0, 1}};
    static const int face[20][3] = {{0, 11, 5},  {0, 5, 1},  {0, 1, 7},  {0, 7, 10}, {0, 10, 11}, {1, 5, 9}, {5, 11, 4},
                                    {11, 10, 2}, {10, 7, 6}, {7, 1, 8},  {3, 9, 4},  {3, 4, 2},   {3, 2, 6}, {3, 6, 8},
                                    {3, 8, 9},   {4, 9, 5},  {2, 4, 11}, {6, 2, 10}, {8, 6, 7},   {9, 8, 1}};
    memcpy(x, corner, sizeof corner);
    memcpy(t, face, sizeof face);
    for (int i = 0; i < 12; i++)
        plait_vec3_normalise(x + 3 * i);
    return 12;
}

// Number of the middle of edge (a, b); `table` has two ints for each of its `room` slots: smaller end + 1, and
// the larger end and the middle in the next two.
static int middle(double *x, int *points, int *table, int room, int a, int b)
{
    int low = a < b ? a : b, high = a < b ? b : a;
    for (unsigned slot = ((unsigned)low * 73856093u ^ (unsigned)high * 19349663u) % (unsigned)room;;
         slot = (slot + 1) % (unsigned)room) {
        int *e = table + 3 * slot;
        if (e[0] == low + 1 && e[1] == high)
            return e[2];
        if (e[0] != 0)
            continue;
        double *m = x + 3 * (size_t)*points;
        for (int c = 0; c < 3; c++)
            m[c] = x[3 * low + c] + x[3 * high + c];
        plait_vec3_normalise(m);
        e[0] = low + 1, e[1] = high, e[2] = *points;
        return (*points)++;
    }
}

// Each triangle into four, from the last to the first so that they can stay where they are.
static bool subdivide(double *x, int *points, int *t, int *triangles)
{
    int room = 4 * *triangles, *table = calloc(3 * (size_t)room, sizeof *table);
    if (!table)
        return false;
    for (int i = *triangles; i-- > 0;) {
        int v[3], m[3];
        memcpy(v, t + 3 * i, sizeof v);
        for (int k = 0; k < 3; k++)
            m[k] = middle(x, points, table, room, v[k], v[(k + 1) % 3]);
        const int four[12] = {v[0], m[0], m[2], v[1], m[1], m[0], v[2], m[2], m[1], m[0], m[1], m[2]};
        memcpy(t + 12 * (size_t)i, four, sizeof four);
    }
    *triangles *= 4;
    free(table);
    return true;
}

bool plait_gen_ball_mesh(plait_shape *shape, int detail)
{
    int most = 20, points = 12, triangles = 20;
    for (int i = 0; i < detail; i++)
        most *= 4;
    double *x = malloc(3 * ((size_t)most / 2 + 2) * sizeof *x);
    int *t = malloc(3 * (size_t)most * sizeof *t);
    bool ok = x && t;
    if (ok)
        points = start_icosahedron(x, t);
    for (int i = 0; ok && i < detail; i++)
        ok = subdivide(x, &points, t, &triangles);
    if (!ok) {
        free(x);
        free(t);
        return false;
    }
    *shape = (plait_shape){.kind = PLAIT_SHAPE_MESH,
                           .points = points,
                           .point = x,
                           .triangles = triangles,
                           .triangle = t,
                           .closed = true};
    return true;
}

static plait_status make_mesh(const char *generator, const body *b, int detail, double thickness, plait_shape *shape,
                              plait_error *error)
{
    if (!plait_gen_ball_mesh(shape, detail))
        return plait_gen_no_memory(generator, error);
    for (int i = 0; i < shape->points; i++) {
        double *p = shape->point + 3 * i, far = skin(b, p);
        for (int c = 0; c < 3; c++)
            p[c] = b->centre[c] + far * p[c];
    }
    shape->size[0] = thickness;
    return PLAIT_OK;
}

static void ellipsoid(body *b, double x, double y, double z, double rx, double ry, double rz, double soft)
{
    b->blob[b->count++] = (blob){.a = {x, y, z}, .b = {rx, ry, rz}, .soft = soft};
}

static void capsule(body *b, const double from[3], const double to[3], double r0, double r1, double soft)
{
    blob o = {.radius = {r0, r1}, .soft = soft};
    plait_vec3_copy(from, o.a);
    plait_vec3_copy(to, o.b);
    b->blob[b->count++] = o;
}

// ---- head --------------------------------------------------------------------------------------------------------

plait_gen_head_options plait_gen_default_head(void)
{
    return (plait_gen_head_options){.width = 0.15,
                                    .depth = 0.19,
                                    .height = 0.23,
                                    .neck_radius = 0.055,
                                    .neck_length = 0.07,
                                    .nose = 0.02,
                                    .detail = 3};
}

static body head_body(const plait_gen_head_options *o)
{
    double w = o->width / 2, d = o->depth / 2, h = o->height, chin = 0.4 * h - h;
    body b = {.reach = 2 * (d + h + o->neck_length)};
    ellipsoid(&b, 0, 0, 0, w, d, 0.4 * h, 0);                                            // skull
    ellipsoid(&b, 0, 0.30 * d, chin + 0.36 * h, 0.78 * w, 0.66 * d, 0.34 * h, 0.08 * h); // face
    ellipsoid(&b, 0, 0.62 * d, chin + 0.10 * h, 0.36 * w, 0.28 * d, 0.10 * h, 0.10 * h); // chin
    ellipsoid(&b, 0, 0.86 * d, 0.02 * h, 0.55 * w, 0.14 * d, 0.05 * h, 0.10 * h);        // brows
    if (o->nose > 0)
        ellipsoid(&b, 0, 0.90 * d, -0.17 * h, 0.16 * w, o->nose + 0.08 * d, 0.10 * h, 0.05 * h);
    if (o->neck_length > 0) {
        double top[3] = {0, -0.15 * d, -0.1 * h}, bottom[3] = {0, -0.35 * d, chin - o->neck_length + o->neck_radius};
        capsule(&b, top, bottom, o->neck_radius, o->neck_radius, 0.10 * h);
    }
    return b;
}

double plait_gen_head_distance(const plait_gen_head_options *o, const double p[3])
{
    body b = head_body(o);
    return body_distance(&b, p);
}

plait_status plait_gen_head_mesh(plait_shape *shape, const plait_gen_head_options *o, plait_error *error)
{
    const plait_gen_range ranges[] = {{"width", o->width, 0, 1e3, true},
                                      {"depth", o->depth, 0, 1e3, true},
                                      {"height", o->height, 0, 1e3, true},
                                      {"radius of the neck", o->neck_radius, 0, o->width / 2, true},
                                      {"length of the neck", o->neck_length, 0, 10 * o->height, false},
                                      {"nose", o->nose, 0, o->depth / 4, false},
                                      {"thickness", o->thickness, 0, 1e3, false},
                                      {0}};
    const plait_gen_count counts[] = {{"detail", o->detail, 1, 6}, {0}};
    plait_status status = plait_gen_check("head", NULL, NULL, NULL, counts, ranges, error);
    if (status != PLAIT_OK)
        return status;
    body b = head_body(o);
    return make_mesh("head", &b, o->detail, o->thickness, shape, error);
}

// ---- shoulders ---------------------------------------------------------------------------------------------------

plait_gen_shoulders_options plait_gen_default_shoulders(void)
{
    return (plait_gen_shoulders_options){
        .width = 0.42, .depth = 0.20, .height = 0.35, .drop = 0.20, .back = 0.03, .neck_radius = 0.06, .detail = 3};
}

static body shoulders_body(const plait_gen_shoulders_options *o)
{
    double w = o->width / 2, d = o->depth / 2, arm = 0.24 * w, top = -o->drop, y = -o->back;
    body b = {.centre = {0, y, top - 0.3 * o->height}, .reach = 2 * (o->width + o->depth + o->height)};
    ellipsoid(&b, 0, y, top - 0.55 * o->height, 0.78 * w, d, 0.55 * o->height, 0); // chest
    for (int side = -1; side <= 1; side += 2) {
        double joint[3] = {side * (w - arm), y, top - arm - 0.02}, elbow[3] = {side * (w - arm), y, top - o->height};
        double inner[3] = {0, y, top - 0.8 * arm};
        capsule(&b, joint, elbow, arm, 0.8 * arm, 0.5 * arm);
        capsule(&b, inner, joint, 0.9 * arm, arm, 0.8 * arm);
    }
    double throat[3] = {0, 0.6 * y, top + 0.06}, root[3] = {0, y, top - 0.03};
    capsule(&b, throat, root, o->neck_radius, 1.3 * o->neck_radius, 0.8 * arm);
    return b;
}

double plait_gen_shoulders_distance(const plait_gen_shoulders_options *o, const double p[3])
{
    body b = shoulders_body(o);
    return body_distance(&b, p);
}

plait_status plait_gen_shoulders_mesh(plait_shape *shape, const plait_gen_shoulders_options *o, plait_error *error)
{
    const plait_gen_range ranges[] = {{"width", o->width, 0, 1e3, true},
                                      {"depth", o->depth, 0, 1e3, true},
                                      {"height", o->height, 0, 1e3, true},
                                      {"drop", o->drop, -1e3, 1e3, false},
                                      {"distance behind the head", o->back, -1e3, 1e3, false},
                                      {"radius of the neck", o->neck_radius, 0, o->width / 2, true},
                                      {"thickness", o->thickness, 0, 1e3, false},
                                      {0}};
    const plait_gen_count counts[] = {{"detail", o->detail, 1, 6}, {0}};
    plait_status status = plait_gen_check("shoulders", NULL, NULL, NULL, counts, ranges, error);
    if (status != PLAIT_OK)
        return status;
    body b = shoulders_body(o);
    return make_mesh("shoulders", &b, o->detail, o->thickness, shape, error);
}
