// strands.c: fibres as curves for the tracer: Catmull-Rom splines through the nodes, and children around them.
//
// A rod of a simulation of hair stands for a wisp. Its children sit in a disc across it that gets narrower to the tip;
// the disc is carried along the rod without twist (parallel transport), and from the first frame to others by the
// shortest rotation of the root's tangent, so that nothing flickers in a film. What is random about a child is a hash
// of its number.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "file/curves.h"
#include "math/vec3.h"
#include "render/render.h"

enum { STRANDS_WANTED = 48000, CHILDREN_MOST = 160, ROOTS_TRIED = 400 };

// ---- where children sit ------------------------------------------------------------------------------------------

static void root_tangent(const plait_trajectory_info *info, const double *x, int fibre, double t[3])
{
    int a = info->first[fibre], b = info->first[fibre + 1];
    plait_curve_leaves(b - a, x + 3 * (size_t)a, t);
}

static int compare_reals(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

// The distance of a root to the nearest other one, in the middle of many.
static double root_spacing(const plait_trajectory_info *info, const plait_look *look, const double *x)
{
    double nearest[ROOTS_TRIED];
    int count = 0, step = info->fibres / ROOTS_TRIED + 1;
    for (int i = 0; i < info->fibres; i += step) {
        double best = INFINITY;
        for (int j = 0; j < info->fibres && look[i].hair; j++) {
            double d[3];
            plait_vec3_sub(x + 3 * (size_t)info->first[i], x + 3 * (size_t)info->first[j], d);
            double square = plait_vec3_dot(d, d);
            if (j != i && look[j].hair && square < best)
                best = square;
        }
        if (isfinite(best))
            nearest[count++] = sqrt(best);
    }
    qsort(nearest, (size_t)count, sizeof *nearest, compare_reals);
    return count ? nearest[count / 2] : 0;
}

bool plait_wisps_find(plait_wisps *w, const plait_trajectory_info *info, const plait_look *look,
                      const plait_trajectory_frame *frame, const plait_render_options *options)
{
    int hairs = 0;
    double radius = 0;
    for (int i = 0; i < info->fibres; i++) {
        hairs += look[i].hair;
        radius += look[i].hair ? info->radius[i] : 0;
    }
    w->tangent = malloc((3 * (size_t)info->fibres + 1) * sizeof *w->tangent);
    if (!w->tangent)
        return false;
    for (int i = 0; i < info->fibres; i++)
        root_tangent(info, frame->position, i, w->tangent + 3 * (size_t)i);
    w->children = options->strands ? 1 : options->children;
    if (w->children <= 0) {
        w->children = hairs ? STRANDS_WANTED / hairs : 1;
        w->children = w->children < 2 ? 1 : w->children > CHILDREN_MOST ? CHILDREN_MOST : w->children;
    }
    w->radius = options->wisp;
    if (!(w->radius > 0) && hairs) {
        radius /= hairs;
        w->radius = fmin(fmax(0.8 * root_spacing(info, look, frame->position), 3 * radius), 25 * radius);
    }
    return true;
}

// ---- one strand ----------------------------------------------------------------------------------------------------

// A fibre's nodes with the frame that is carried along.
typedef struct spine {
    int nodes;
    const double *x;
    double *a, *b; // [3 nodes] across it
} spine;

static void carry_frame(spine *s, const double reference[3])
{
    double t[3], n[3], u[3];
    plait_vec3_any_normal(reference, n);
    plait_vec3_copy(reference, u);
    for (int k = 0; k < s->nodes; k++) {
        int before = k > 0 ? k - 1 : 0, after = k + 1 < s->nodes ? k + 1 : k;
        plait_vec3_sub(s->x + 3 * after, s->x + 3 * before, t);
        if (!(plait_vec3_normalise(t) > 0))
            plait_vec3_copy(u, t);
        plait_vec3_transport(u, t, n, n);
        plait_vec3_orthonormalise(t, n);
        plait_vec3_copy(n, s->a + 3 * k);
        plait_vec3_cross(t, n, s->b + 3 * k);
        plait_vec3_copy(t, u);
    }
}

typedef struct child {
    double place, turn; // in the disc: distance from the middle over its radius, angle [rad]
    double length;      // share of the fibre's
    double wave, phase, frequency;
    double wisp, radius; // [m]
} child;

// Between nodes a curve is close to straight: it needs no more than that to be sampled.
static void child_point(const spine *s, const child *c, double at, float out[4])
{
    double place = at * c->length * (s->nodes - 1);
    int k = (int)place;
    k = k > s->nodes - 2 ? s->nodes - 2 : k;
    double f = place - k, p[3], share = at * c->length;
    double swing = c->wave * sin(c->frequency * share + c->phase) * fmin(1, 4 * share);
    double width = c->wisp * (1 - 0.5 * share), angle = c->turn + 1.2 * share;
    double u = width * (c->place * cos(angle) + swing), v = width * (c->place * sin(angle) - 0.6 * swing);
    for (int i = 0; i < 3; i++) {
        double x = (1 - f) * s->x[3 * k + i] + f * s->x[3 * k + 3 + i];
        double a = (1 - f) * s->a[3 * k + i] + f * s->a[3 * k + 3 + i];
        double b = (1 - f) * s->b[3 * k + i] + f * s->b[3 * k + 3 + i];
        p[i] = x + u * a + v * b;
    }
    double thin = c->place > 0 || c->wave > 0 ? 1 - 0.6 * fmax(0, (at - 0.6) / 0.4) : 1;
    for (int i = 0; i < 3; i++)
        out[i] = (float)p[i];
    out[3] = (float)(c->radius * thin);
}

// The points before the root and after the tip go straight on.
static void close_ends(float *xyzr, int points)
{
    float *end = xyzr + 4 * (size_t)(points - 1);
    for (int i = 0; i < 3; i++) {
        xyzr[i] = 2 * xyzr[4 + i] - xyzr[8 + i];
        end[i] = 2 * end[i - 4] - end[i - 8];
    }
    xyzr[3] = xyzr[7];
    end[3] = end[-1];
}

static child make_child(const plait_wisps *w, int children, int fibre, int number, double radius)
{
    uint32_t key = plait_hash((uint32_t)fibre * 977u + (uint32_t)number) * 8u;
    child c = {.length = 1, .radius = radius};
    if (children > 1) {
        c.place = sqrt(plait_hash_unit(key));
        c.turn = 2 * M_PI * plait_hash_unit(key + 1);
        c.length = 1 - 0.3 * pow(plait_hash_unit(key + 2), 2);
        c.wave = 0.28 * plait_hash_unit(key + 3);
        c.phase = 2 * M_PI * plait_hash_unit(key + 4);
        c.frequency = 8 + 10 * plait_hash_unit(key + 5);
        c.wisp = w->radius;
    }
    return c;
}

// Some fibres are a little lighter, darker, redder than others; strands of one differ less.
plait_f3 plait_strands_vary(plait_f3 colour, int fibre, int number, bool hair)
{
    uint32_t a = plait_hash((uint32_t)fibre + 77u) * 4u, b = plait_hash((uint32_t)fibre * 131u + (uint32_t)number) * 4u;
    float strong = hair ? 0.35f : 0.16f, fine = hair ? 0.5f : 0;
    float k = expf(strong * (plait_hash_unit(a) - 0.5f) + fine * (plait_hash_unit(b) - 0.5f));
    float warm = (hair ? 0.2f : 0.05f) * (plait_hash_unit(a + 1) - 0.5f);
    plait_f3 c = f3(colour.x * k * (1 + warm), colour.y * k, colour.z * k * (1 - warm));
    return f3(f3_clamp(c.x, 0, 0.95f), f3_clamp(c.y, 0, 0.95f), f3_clamp(c.z, 0, 0.95f));
}

// ---- all of them --------------------------------------------------------------------------------------------------

// The old memory, and *ok false, if there is no more.
static void *larger(void *old, size_t count, size_t size, bool *ok)
{
    void *grown = *ok ? realloc(old, (count + 1) * size) : NULL;
    *ok = grown != NULL;
    return grown ? grown : old;
}

bool plait_strands_grow(plait_strands *s, int count, int nodes)
{
    size_t strands = (size_t)s->count + (size_t)count;
    size_t segments = (size_t)s->segments + (size_t)count * (size_t)(nodes - 1);
    size_t points = (size_t)s->points + (size_t)count * (size_t)(nodes + 2);
    bool ok = points < INT32_MAX / 4;
    s->strand = larger(s->strand, strands, sizeof *s->strand, &ok);
    s->xyzr = larger(s->xyzr, points, 4 * sizeof *s->xyzr, &ok);
    s->index = larger(s->index, segments, sizeof *s->index, &ok);
    s->owner = larger(s->owner, segments, sizeof *s->owner, &ok);
    return ok;
}

void plait_strands_free(plait_strands *s)
{
    free(s->strand);
    free(s->xyzr);
    free(s->index);
    free(s->owner);
    *s = (plait_strands){0};
}

void plait_strands_close(plait_strands *s, int strand)
{
    close_ends(s->xyzr + 4 * (size_t)s->strand[strand].first, s->strand[strand].segments + 3);
}

void plait_strands_put(plait_strands *s, int nodes, const float *xyzr, plait_f3 colour, uint32_t key)
{
    float tilt = -0.1f + 0.06f * (plait_hash_unit(key) - 0.5f), *place = s->xyzr + 4 * (size_t)s->points;
    s->strand[s->count] = (plait_strand){.colour = colour, .tilt = tilt, .first = s->points, .segments = nodes - 1};
    memcpy(place + 4, xyzr, 4 * (size_t)nodes * sizeof *xyzr);
    close_ends(place, nodes + 2);
    for (int k = 0; k + 1 < nodes; k++) {
        s->index[s->segments] = (unsigned)(s->points + k);
        s->owner[s->segments++] = s->count;
    }
    s->points += nodes + 2;
    s->count++;
}

// How thick a strand is drawn. Children share the fibre's width, but each is a hair: neither much thicker nor much
// thinner than a pixel can show.
static double strand_radius(double contact, bool hair, int children, const plait_render_options *options, double pixel)
{
    if (hair && options->strands) // few of them are drawn thicker, so that as much is seen
        return options->thickness * fmax(contact, pixel * fmin(0.6, 0.15 * STRANDS_WANTED / options->strands->strands));
    if (!hair || children == 1) // finer than a pixel would be specks
        return fmax(options->thickness * contact, (hair ? 0.25 : 0.6) * pixel);
    return options->thickness * fmax(fmin(1.1 * contact / sqrt(children), 0.2 * pixel), 0.1 * pixel);
}

// Of a strand that has one, unless all are to have another.
static plait_f3 colour_of(const plait_look *look, const plait_render_options *options, int fibre)
{
    const float *c = options->strands ? options->strands->colour : NULL;
    return c && options->colour[0] < 0 ? f3(c[3 * fibre], c[3 * fibre + 1], c[3 * fibre + 2]) : look[fibre].colour;
}

bool plait_strands_build(plait_strands *s, bool hair, const plait_trajectory_info *info, const plait_look *look,
                         const plait_wisps *wisps, const plait_trajectory_frame *frame,
                         const plait_render_options *options, double pixel)
{
    int most = 0, children = hair ? wisps->children : 1;
    *s = (plait_strands){0};
    for (int i = 0; i < info->fibres; i++)
        most = look[i].hair == hair && info->first[i + 1] - info->first[i] > most ? info->first[i + 1] - info->first[i]
                                                                                  : most;
    double *frames = malloc((6 * (size_t)most + 1) * sizeof *frames);
    float *xyzr = malloc((4 * (size_t)most + 1) * sizeof *xyzr);
    bool ok = frames && xyzr;
    int room = 0; // fibres of up to `most` nodes that fit in
    for (int i = 0; i < info->fibres && ok; i++) {
        spine sp = {.nodes = info->first[i + 1] - info->first[i], .a = frames, .b = frames + 3 * most};
        if (look[i].hair != hair || sp.nodes < 2)
            continue;
        if (room == 0) {
            room = i / 2 + 16 < info->fibres - i ? i / 2 + 16 : info->fibres - i;
            ok = (int64_t)room * children < INT32_MAX && plait_strands_grow(s, room * children, most);
        }
        if (!ok)
            break;
        room--;
        sp.x = frame->position + 3 * (size_t)info->first[i];
        carry_frame(&sp, wisps->tangent + 3 * (size_t)i);
        double radius = strand_radius(info->radius[i], hair, children, options, pixel);
        s->radius = fmax(s->radius, radius);
        for (int c = 0; c < children; c++) {
            child one = make_child(wisps, children, i, c, radius);
            for (int k = 0; k < sp.nodes; k++)
                child_point(&sp, &one, (double)k / (sp.nodes - 1), xyzr + 4 * (size_t)k);
            for (int k = 0; k < sp.nodes && options->strands; k++) {
                const float *width = options->strands->width + info->first[i];
                xyzr[4 * (size_t)k + 3] *= width[0] > 0 ? width[k] / width[0] : 1;
            }
            plait_strands_put(s, sp.nodes, xyzr, plait_strands_vary(colour_of(look, options, i), i, c, hair),
                              (uint32_t)i * 64u + (uint32_t)c);
        }
    }
    free(frames);
    free(xyzr);
    if (!ok)
        plait_strands_free(s);
    return ok;
}

plait_f3 plait_strands_tangent(const plait_strands *s, int segment, float u, float *radius)
{
    const float *p = s->xyzr + 4 * (size_t)s->index[segment];
    // Derivative of (1, u, u^2, u^3) times the matrix of Catmull and Rom.
    float v = u * u, w[4] = {0.5f * (-1 + 4 * u - 3 * v), 0.5f * (-10 * u + 9 * v), 0.5f * (1 + 8 * u - 9 * v),
                             0.5f * (-2 * u + 3 * v)};
    plait_f3 t = {0};
    for (int k = 0; k < 4; k++)
        t = f3_axpy(w[k], f3(p[4 * k], p[4 * k + 1], p[4 * k + 2]), t);
    *radius = p[7] + u * (p[11] - p[7]);
    return f3_unit(t);
}
