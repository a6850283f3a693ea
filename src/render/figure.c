// figure.c: generated heads and shoulders as they are drawn: with a face, and as one body.
//
// The neck of a head turns inside that of the shoulders. Where both are near, the vertices of either skin move to the
// surface of their soft union, with its normals: two skins on one smooth surface show no seam.
#include <math.h>
#include <stdlib.h>

#include "math/quat.h"
#include "math/vec3.h"
#include "render/figure.h"

enum { DETAIL = 6, EYE_ROUND = 48, EYE_RINGS = 40 };
static const double MELT = 0.028,
                    REACH = 0.022; // [m] of default shoulders: of the soft union; of vertices that move to it
static const double FINE = 0.0035; // [m] cells of the distances that hair is kept at

// ---- skins at rest -----------------------------------------------------------------------------------------------

double plait_figure_face_at(const void *options, const double p[3])
{
    return plait_face_distance(options, p);
}

static double hull_at(const void *options, const double p[3])
{
    return plait_face_hull(options, p);
}

static double bust_at(const void *options, const double p[3])
{
    return plait_bust_distance(options, p);
}

static void gradient(plait_distance_at at, const void *options, const double p[3], double step, double g[3])
{
    for (int k = 0; k < 3; k++) {
        double a[3], b[3];
        plait_vec3_copy(p, a);
        plait_vec3_copy(p, b);
        a[k] += step;
        b[k] -= step;
        g[k] = at(options, a) - at(options, b);
    }
    plait_vec3_normalise(g);
}

// From outside along the ray to the surface: as far as the distance allows, then between the last two places.
double plait_figure_walk_in(plait_distance_at at, const void *options, const double from[3], const double d[3],
                            double reach)
{
    double t = reach, outside = reach, inside = 0;
    for (int i = 0; i < 120; i++) {
        double p[3];
        plait_vec3_copy(from, p);
        plait_vec3_axpy(t, d, p);
        double f = at(options, p);
        if (f < 1e-5 * reach) {
            inside = t;
            break;
        }
        outside = t;
        t -= fmax(0.6 * f, 2e-4 * reach);
        if (t < 0)
            return 0;
    }
    for (int i = 0; i < 16; i++) {
        double m = (inside + outside) / 2, p[3];
        plait_vec3_copy(from, p);
        plait_vec3_axpy(m, d, p);
        *(at(options, p) < 0 ? &inside : &outside) = m;
    }
    return (inside + outside) / 2;
}

// More directions where the face is: the angle from `front` grows slowly at first.
static void crowd(const double front[3], double d[3])
{
    double side[3], c = fmin(fmax(plait_vec3_dot(front, d), -1), 1), angle = acos(c), part = angle / M_PI;
    plait_vec3_copy(d, side);
    plait_vec3_axpy(-c, front, side);
    if (!(plait_vec3_normalise(side) > 1e-9))
        return;
    angle *= 0.30 + 0.70 * part * part;
    for (int k = 0; k < 3; k++)
        d[k] = cos(angle) * front[k] + sin(angle) * side[k];
}

static bool skin_make(plait_skin *s, plait_distance_at at, const void *options, const double centre[3], double reach,
                      const double *front)
{
    plait_shape ball;
    if (!plait_gen_ball_mesh(&ball, DETAIL))
        return false;
    *s = (plait_skin){.points = ball.points, .triangles = ball.triangles, .index = ball.triangle, .x = ball.point};
    s->normal = malloc((size_t)s->points * sizeof *s->normal);
    s->tint = malloc((size_t)s->points * sizeof *s->tint);
    if (!s->normal || !s->tint)
        return false;
    for (int i = 0; i < s->points; i++) {
        double *x = s->x + 3 * (size_t)i, g[3];
        if (front)
            crowd(front, x);
        double t = plait_figure_walk_in(at, options, centre, x, reach);
        for (int k = 0; k < 3; k++)
            x[k] = centre[k] + t * x[k];
        gradient(at, options, x, 2e-4 * reach, g);
        s->normal[i] = f3_from(g);
    }
    return true;
}

static void skin_free(plait_skin *s)
{
    free(s->x);
    free(s->index);
    free(s->normal);
    free(s->tint);
}

void plait_figure_free(plait_figure *f)
{
    if (!f)
        return;
    skin_free(&f->face);
    skin_free(&f->bust);
    plait_cover_free(&f->over_face);
    plait_cover_free(&f->over_bust);
    free(f);
}

static bool make_face(plait_figure *f)
{
    static const double front[3] = {0, 0.87, -0.49}, centre[3] = {0};
    const plait_gen_head_options *o = &f->of_head;
    bool ok = skin_make(&f->face, plait_figure_face_at, o, centre, 2 * (o->depth + o->height + o->neck_length), front);
    for (int i = 0; ok && i < f->face.points; i++)
        f->face.tint[i] = plait_face_tint(o, f->face.x + 3 * (size_t)i);
    return ok && plait_cover_make(&f->over_face, &f->face, hull_at, o, FINE * o->width / 0.15, 2 * FINE);
}

static bool make_bust(plait_figure *f)
{
    const plait_gen_shoulders_options *o = &f->of_shoulders;
    const double centre[3] = {0, -o->back, -o->drop - 0.3 * o->height};
    bool ok = skin_make(&f->bust, bust_at, o, centre, 2 * (o->width + o->depth + o->height), NULL);
    for (int i = 0; ok && i < f->bust.points; i++)
        f->bust.tint[i] = plait_bust_tint(o, f->bust.x + 3 * (size_t)i);
    return ok && plait_cover_make(&f->over_bust, &f->bust, bust_at, o, 1.5 * FINE * o->width / 0.42, 2 * FINE);
}

bool plait_figure_find(plait_figure **out, const plait_trajectory_info *info)
{
    plait_figure *f = calloc(1, sizeof *f);
    *out = NULL;
    if (!f)
        return false;
    f->head = f->shoulders = -1;
    for (int i = 0; i < info->colliders; i++) {
        const plait_trajectory_body *body = &info->collider[i];
        if (body->animated || body->shape.kind != PLAIT_SHAPE_MESH)
            continue;
        if (f->head < 0 && plait_gen_find_head(&body->shape, &f->of_head))
            f->head = i;
        else if (f->shoulders < 0 && plait_gen_find_shoulders(&body->shape, &f->of_shoulders))
            f->shoulders = i;
    }
    if (f->head < 0) { // shoulders alone stay what they are
        plait_figure_free(f);
        return true;
    }
    bool ok = make_face(f) && (f->shoulders < 0 || make_bust(f));
    if (ok)
        *out = f;
    else
        plait_figure_free(f);
    return ok;
}

void plait_figure_into(const double pose[7], const double p[3], double out[3])
{
    double R[9], d[3];
    plait_quat_matrix(pose + 3, R);
    plait_vec3_sub(p, pose, d);
    plait_mat3_apply_transposed(R, d, out);
}

static int cell_of(const double q[3], double low, double cell, int cells)
{
    int at = 0;
    for (int k = 3; k-- > 0;) {
        double c = (q[k] - low) / cell;
        if (!(c >= 0) || c >= cells)
            return -1;
        at = at * cells + (int)c;
    }
    return at;
}

// Skin that hair grows on is dark: there are more roots, and finer hair, than what is drawn. roots: [3 count] in the
// world; those of a ponytail's cap are in the frame of the head (NULL: none).
bool plait_figure_root(plait_figure *f, const double *pose, int count, const double *root, int caps, const float *cap,
                       int stride, plait_f3 colour)
{
    enum { CELLS = 40 };
    if (!f || count + caps < 1)
        return true;
    float *density = calloc(CELLS * CELLS * CELLS, sizeof *density);
    if (!density)
        return false;
    double cell = 1.5 * f->of_head.height / CELLS, low = -0.75 * f->of_head.height, most = 0;
    const double *head = pose + 7 * (size_t)f->head;
    const plait_tint scalp = {.colour = f3_scale(0.45f, colour)}; // without shine: no specks at the parting
    for (int i = 0; i < count + caps; i++) {
        double q[3] = {0};
        if (i < count)
            plait_figure_into(head, root + 3 * (size_t)i, q);
        else
            for (int k = 0; k < 3; k++)
                q[k] = cap[(size_t)(i - count) * (size_t)stride + (size_t)k];
        int at = cell_of(q, low, cell, CELLS);
        if (at >= 0)
            most = fmax(most, density[at] += 1);
    }
    for (int i = 0; i < f->face.points; i++) {
        const double *x = f->face.x + 3 * (size_t)i;
        double sum = 0, all = 0;
        for (int n = 0; n < 27; n++) { // of the cells around, the nearer the more: no steps are seen
            double q[3], weight = 1;
            for (int k = 0, part = n; k < 3; k++, part /= 3) {
                q[k] = x[k] + cell * (part % 3 - 1);
                double middle = low + cell * (floor((q[k] - low) / cell) + 0.5);
                weight *= fmax(0, 1.5 - fabs(x[k] - middle) / cell);
            }
            int at = cell_of(q, low, cell, CELLS);
            sum += at >= 0 ? weight * density[at] : 0;
            all += weight;
        }
        float share = f3_clamp((float)(9 * sum / (all * most)), 0, 1);
        f->face.tint[i] = plait_tint_mix(f->face.tint[i], scalp, 0.9f * share * (2 - share));
    }
    free(density);
    return true;
}

bool plait_figure_has(const plait_figure *f, int collider)
{
    return f && (collider == f->head || collider == f->shoulders);
}

// ---- as one body -------------------------------------------------------------------------------------------------

typedef struct pair {
    const plait_figure *figure;
    const double *head, *shoulders; // poses
    double melt;
} pair;

void plait_figure_out_of(const double pose[7], const double p[3], double out[3])
{
    double R[9];
    plait_quat_matrix(pose + 3, R);
    plait_mat3_apply(R, p, out);
    plait_vec3_axpy(1, pose, out);
}

static double both_at(const void *data, const double p[3])
{
    const pair *b = data;
    double q[3];
    plait_figure_into(b->head, p, q);
    double head = plait_face_distance(&b->figure->of_head, q);
    plait_figure_into(b->shoulders, p, q);
    double bust = plait_bust_distance(&b->figure->of_shoulders, q), h = fmax(b->melt - fabs(head - bust), 0);
    return fmin(head, bust) - h * h / (4 * b->melt);
}

// A vertex in the world; where the other body is near, on the surface of both.
static void settle(const pair *b, double reach, double x[3], double normal[3])
{
    if (!b->shoulders)
        return;
    double f = both_at(b, x), g[3];
    if (f > -1e-6 * reach || f < -reach)
        return;
    for (int i = 0; i < 4; i++) {
        gradient(both_at, b, x, 0.01 * reach, g);
        plait_vec3_axpy(-f, g, x);
        f = both_at(b, x);
    }
    gradient(both_at, b, x, 0.01 * reach, normal);
}

// The shirt goes on where the skin of the head overlaps it.
static plait_tint corner_tint(const pair *b, const plait_skin *s, int i, const double world[3])
{
    double q[3];
    if (s == &b->figure->bust || !b->shoulders || s->x[3 * (size_t)i + 2] > -0.5 * b->figure->of_head.height)
        return s->tint[i];
    plait_figure_into(b->shoulders, world, q);
    return plait_bust_tint(&b->figure->of_shoulders, q);
}

static bool add_skin(plait_tracer *tracer, plait_parts *parts, const pair *b, const plait_skin *s, const double pose[7])
{
    plait_facets f;
    double(*x)[3] = malloc((size_t)s->points * sizeof *x), (*n)[3] = malloc((size_t)s->points * sizeof *n), R[9];
    plait_tint *tint = malloc(3 * (size_t)s->triangles * sizeof *tint);
    bool ok = plait_facets_new(&f, s->triangles) && x && n && tint;
    double reach = REACH * b->figure->of_head.width / 0.15;
    plait_quat_matrix(pose + 3, R);
    // Nothing above the chin is near the shoulders' neck unless the head is bent as no head bends.
    double low = s == &b->figure->face ? -0.30 * b->figure->of_head.height : INFINITY;
    for (int i = 0; ok && i < s->points; i++) {
        const double *local = s->x + 3 * (size_t)i, normal[3] = {s->normal[i].x, s->normal[i].y, s->normal[i].z};
        plait_figure_out_of(pose, local, x[i]);
        plait_mat3_apply(R, normal, n[i]);
        if (local[2] < low)
            settle(b, reach, x[i], n[i]);
    }
    for (int c = 0; ok && c < 3 * s->triangles; c++) {
        int i = s->index[c];
        f.corner[c] = f3_from(x[i]);
        f.normal[c] = f.mean[c] = f3_from(n[i]);
        tint[c] = corner_tint(b, s, i, x[i]);
    }
    free(x);
    free(n);
    if (!ok) {
        plait_facets_free(&f);
        free(tint);
        return false;
    }
    plait_part part = {.kind = PLAIT_PART_SOLID, .tint = tint, .skin = true};
    return plait_facets_add(tracer, parts, part, &f);
}

// ---- eyes --------------------------------------------------------------------------------------------------------

static plait_f3 eye_colour(double angle) // [rad] from where it looks
{
    plait_f3 white = f3(0.62f, 0.58f, 0.54f), iris = f3(0.11f, 0.066f, 0.030f), ring = f3(0.022f, 0.014f, 0.009f);
    if (angle < 0.18)
        return f3_grey(0.003f);
    if (angle < 0.45)
        return f3_mix(iris, ring, (float)pow((angle - 0.18) / 0.27, 2));
    return f3_mix(ring, white, f3_clamp((float)((angle - 0.45) / 0.06), 0, 1));
}

static bool add_eye(plait_tracer *tracer, plait_parts *parts, const plait_figure *figure, const double pose[7],
                    double side)
{
    const plait_face_eye *e = &plait_face_eye_default;
    double scale[3];
    plait_face_scale(&figure->of_head, scale);
    double radius = e->radius * cbrt(scale[0] * scale[1] * scale[2]);
    plait_facets f;
    plait_tint *tint = malloc(6 * (size_t)EYE_ROUND * EYE_RINGS * sizeof *tint);
    if (!plait_facets_new(&f, 2 * EYE_ROUND * EYE_RINGS) || !tint) {
        plait_facets_free(&f);
        free(tint);
        return false;
    }
    double R[9];
    plait_quat_matrix(pose + 3, R);
    static const int corner[6][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 0}, {1, 1}, {0, 1}};
    for (int c = 0; c < 6 * EYE_ROUND * EYE_RINGS; c++) {
        int cell = c / 6, ring = cell / EYE_ROUND + corner[c % 6][0], turn = cell % EYE_ROUND + corner[c % 6][1];
        double part = (double)ring / EYE_RINGS, angle = M_PI * part * (0.55 + 0.45 * part);
        double phi = 2 * M_PI * turn / EYE_ROUND, n[3], world[3];
        double d[3] = {sin(angle) * cos(phi), cos(angle), sin(angle) * sin(phi)}, p[3];
        double r = radius * (1 + 0.035 * fmax(0, 1 - pow(angle / 0.55, 2))); // the cornea
        for (int k = 0; k < 3; k++)
            p[k] = (k == 0 ? side : 1) * e->centre[k] * scale[k] + r * d[k];
        plait_figure_out_of(pose, p, world);
        plait_mat3_apply(R, d, n);
        f.corner[c] = f3_from(world);
        f.normal[c] = f.mean[c] = f3_from(n);
        tint[c] = (plait_tint){eye_colour(angle), 1};
    }
    plait_part part = {.kind = PLAIT_PART_SOLID, .tint = tint, .wet = true};
    return plait_facets_add(tracer, parts, part, &f);
}

bool plait_figure_add(const plait_figure *figure, plait_tracer *tracer, plait_parts *parts, const double *pose)
{
    if (!figure)
        return true;
    pair b = {.figure = figure, .head = pose + 7 * (size_t)figure->head, .melt = MELT * figure->of_head.width / 0.15};
    if (figure->shoulders >= 0)
        b.shoulders = pose + 7 * (size_t)figure->shoulders;
    return add_skin(tracer, parts, &b, &figure->face, b.head) &&
           (!b.shoulders || add_skin(tracer, parts, &b, &figure->bust, b.shoulders)) &&
           add_eye(tracer, parts, figure, b.head, 1) && add_eye(tracer, parts, figure, b.head, -1);
}
