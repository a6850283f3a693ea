// camera.c: from where to look, so that everything just fits in.
//
// For a direction f of view with r to the right, everything lies between the left and right edge if, for the eye e and
// all points p, |r.(p - e)| <= k f.(p - e), k the tangent of half the angle. With A = max (r.p - k f.p) and
// B = max (-r.p - k f.p) the nearest such eye has f.e = -(A + B) / 2k, r.e = (A - B) / 2. The same holds for top and
// bottom; the farther of both places does for all four edges.
#include <stddef.h>

#include "math/vec3.h"
#include "render/render.h"

static const double MARGIN = 0.07; // of the picture, on each side
static const double DEGREE = M_PI / 180;

// ---- hulls ---------------------------------------------------------------------------------------------------------

static void hull_direction(int k, double d[3])
{
    double z = 1 - (2 * k + 1.0) / PLAIT_HULL, r = sqrt(1 - z * z), phi = 2.399963229728653 * k;
    plait_vec3_set(d, r * cos(phi), r * sin(phi), z);
}

void plait_hull_add(plait_hull *hull, const double point[3])
{
    for (int k = 0; k < PLAIT_HULL && !hull->any; k++) {
        hull_direction(k, hull->direction[k]);
        hull->reach[k] = -INFINITY;
    }
    hull->any = true;
    for (int k = 0; k < PLAIT_HULL; k++) {
        double reach = plait_vec3_dot(hull->direction[k], point);
        if (reach > hull->reach[k]) {
            hull->reach[k] = reach;
            plait_vec3_copy(point, hull->point[k]);
        }
    }
}

static double hull_size(const plait_hull *hull, const double direction[3])
{
    double low = INFINITY, high = -INFINITY;
    for (int k = 0; k < PLAIT_HULL; k++) {
        double a = plait_vec3_dot(direction, hull->point[k]);
        low = fmin(low, a);
        high = fmax(high, a);
    }
    return high - low;
}

// ---- from which side ----------------------------------------------------------------------------------------------

void plait_view_add_fibre(plait_view *v, const double p[3])
{
    v->count++;
    for (int i = 0; i < 3; i++) {
        v->sum[i] += p[i];
        for (int j = 0; j < 3; j++)
            v->square[3 * i + j] += p[i] * p[j];
    }
    plait_hull_add(&v->fibres, p);
}

// Two axes across `up`: for z they are x and y.
static void level_axes(const double up[3], double a[3], double b[3])
{
    double x[3] = {1, 0, 0}, y[3] = {0, 1, 0};
    plait_vec3_copy(x, a);
    if (fabs(plait_vec3_dot(up, x)) > 0.9)
        plait_vec3_copy(y, a);
    plait_vec3_orthonormalise(up, a);
    plait_vec3_cross(up, a, b);
}

// Across the longest way that fibres spread, a little to the side.
static double broad_side(const plait_view *v, const double a[3], const double b[3])
{
    double m[3], aa = 0, ab = 0, bb = 0;
    for (int i = 0; i < 3; i++)
        m[i] = v->sum[i] / v->count;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            double c = v->square[3 * i + j] / v->count - m[i] * m[j];
            aa += a[i] * c * a[j];
            ab += a[i] * c * b[j];
            bb += b[i] * c * b[j];
        }
    double along = 0.5 * atan2(2 * ab, aa - bb);
    double azimuth = along - M_PI / 2;
    // Of both sides the one that shows the front (-b) more.
    if (sin(azimuth) > 0)
        azimuth += M_PI;
    return azimuth + 32 * DEGREE;
}

static void choose_side(const plait_view *v, double *azimuth, double *elevation)
{
    double a[3], b[3];
    level_axes(v->up, a, b);
    double wide = fmax(hull_size(&v->fibres, a), hull_size(&v->fibres, b)), high = hull_size(&v->fibres, v->up);
    // What lies flat is looked at from above.
    *elevation = (high < 0.5 * wide ? 10 + 16 * (1 - high / (0.5 * wide)) : 9) * DEGREE;
    if (v->body_count > 0) {
        double d[3];
        for (int i = 0; i < 3; i++)
            d[i] = v->sum[i] / v->count - v->body_sum[i] / v->body_count;
        double x = plait_vec3_dot(a, d), y = plait_vec3_dot(b, d), off = hypot(x, y);
        // Hair hangs behind a head: from the side if it is far behind, else rather from the front.
        if (off > 0.02 * wide) {
            *azimuth = atan2(y, x) + (off > 0.3 * wide ? 70 : 128) * DEGREE;
            *elevation = 7 * DEGREE;
            return;
        }
    }
    *azimuth = broad_side(v, a, b);
}

// ---- fitting ------------------------------------------------------------------------------------------------------

// Bodies are seen whole as far as there are fibres near: a head, but of a trunk no more than the shoulders.
typedef struct region {
    double middle[3], reach;
} region;

static region fibre_region(const plait_view *v)
{
    region o = {.reach = 0};
    for (int i = 0; i < 3; i++)
        o.middle[i] = v->sum[i] / v->count;
    for (int k = 0; k < PLAIT_HULL; k++) {
        double d[3];
        plait_vec3_sub(v->fibres.point[k], o.middle, d);
        o.reach = fmax(o.reach, 1.15 * plait_vec3_norm(d));
    }
    return o;
}

// Bounds of one pair of edges over a hull.
static void widen(const plait_hull *hull, const region *within, const double f[3], const double r[3], double k,
                  double pad, double bound[2])
{
    for (int i = 0; i < PLAIT_HULL && hull->any; i++) {
        double away[3] = {0};
        if (within)
            plait_vec3_sub(hull->point[i], within->middle, away);
        if (within && plait_vec3_norm(away) > within->reach)
            continue;
        double depth = plait_vec3_dot(f, hull->point[i]), side = plait_vec3_dot(r, hull->point[i]);
        bound[0] = fmax(bound[0], side - k * depth + pad * sqrt(1 + k * k));
        bound[1] = fmax(bound[1], -side - k * depth + pad * sqrt(1 + k * k));
    }
}

static double hull_middle(const plait_hull *hull, const double d[3])
{
    double low = INFINITY, high = -INFINITY;
    for (int k = 0; k < PLAIT_HULL; k++) {
        low = fmin(low, plait_vec3_dot(d, hull->point[k]));
        high = fmax(high, plait_vec3_dot(d, hull->point[k]));
    }
    return (low + high) / 2;
}

plait_camera plait_view_camera(const plait_view *v, const plait_render_options *o)
{
    if (o->camera.fov > 0)
        return o->camera;
    double azimuth = 0, elevation = 0, a[3], b[3], f[3], r[3], u[3];
    choose_side(v, &azimuth, &elevation);
    azimuth = isnan(o->azimuth) ? azimuth : o->azimuth;
    elevation = isnan(o->elevation) ? elevation : o->elevation;
    level_axes(v->up, a, b);
    for (int i = 0; i < 3; i++) {
        f[i] = -cos(elevation) * (cos(azimuth) * a[i] + sin(azimuth) * b[i]) - sin(elevation) * v->up[i];
        r[i] = -sin(azimuth) * a[i] + cos(azimuth) * b[i];
    }
    plait_vec3_cross(r, f, u);
    double ky = tan(o->fov / 2), kx = ky * o->width / o->height;
    double side[2] = {-INFINITY, -INFINITY}, top[2] = {-INFINITY, -INFINITY};
    double mx = (1 - 2 * MARGIN) * kx, my = (1 - 2 * MARGIN) * ky;
    const plait_hull *hull[3] = {&v->fibres, &v->bodies, &v->main};
    region within = fibre_region(v);
    for (int h = 0; h < 3; h++) {
        widen(hull[h], h == 1 ? &within : NULL, f, r, mx, v->radius, side);
        widen(hull[h], h == 1 ? &within : NULL, f, u, my, v->radius, top);
    }
    double depth = fmin(-(side[0] + side[1]) / (2 * mx), -(top[0] + top[1]) / (2 * my));
    double middle = hull_middle(&v->fibres, f), x = (side[0] - side[1]) / 2, y = (top[0] - top[1]) / 2;
    depth = middle - fmax(middle - depth, 1e-6) / o->zoom;
    plait_camera c = {.fov = o->fov};
    for (int i = 0; i < 3; i++) {
        c.eye[i] = depth * f[i] + x * r[i] + y * u[i];
        c.target[i] = c.eye[i] + (middle - depth) * f[i];
        c.up[i] = v->up[i];
    }
    return c;
}

double plait_view_ground(const plait_view *v)
{
    if (v->has_plane)
        return v->plane;
    double low = INFINITY;
    for (int k = 0; k < PLAIT_HULL; k++) {
        low = fmin(low, plait_vec3_dot(v->up, v->fibres.point[k]) - v->radius);
        if (v->bodies.any)
            low = fmin(low, plait_vec3_dot(v->up, v->bodies.point[k]));
        if (v->main.any)
            low = fmin(low, plait_vec3_dot(v->up, v->main.point[k]));
    }
    return low - 1e-3 * (v->radius + hull_size(&v->fibres, v->up));
}

// ---- rays ---------------------------------------------------------------------------------------------------------

static void camera_axes(const plait_camera *c, double f[3], double r[3], double d[3])
{
    plait_vec3_sub(c->target, c->eye, f);
    plait_vec3_normalise(f);
    plait_vec3_cross(f, c->up, r);
    if (!(plait_vec3_normalise(r) > 1e-9))
        plait_vec3_any_normal(f, r);
    plait_vec3_cross(f, r, d);
}

plait_lens plait_lens_new(const plait_camera *c, int width, int height)
{
    double f[3], r[3], d[3], k = tan(c->fov / 2);
    camera_axes(c, f, r, d);
    plait_lens lens = {.eye = f3_from(c->eye), .forward = f3_from(f), .width = width, .height = height};
    lens.right = f3_scale((float)(k * width / height), f3_from(r));
    lens.down = f3_scale((float)k, f3_from(d));
    return lens;
}

plait_f3 plait_lens_ray(const plait_lens *lens, float x, float y, float u, float v, plait_f3 *from)
{
    float a = 2 * x / (float)lens->width - 1, b = 2 * y / (float)lens->height - 1;
    plait_f3 sight = f3_axpy(a, lens->right, f3_axpy(b, lens->down, lens->forward)); // as long as forward is 1
    *from = lens->eye;
    if (lens->aperture > 0) {
        float r = lens->aperture * sqrtf(u), phi = 6.2831853f * v;
        plait_f3 off = f3_axpy(r * cosf(phi), f3_unit(lens->right), f3_scale(r * sinf(phi), f3_unit(lens->down)));
        *from = f3_add(lens->eye, off);
        sight = f3_sub(f3_scale(lens->focus, sight), off);
    }
    return f3_unit(sight);
}

bool plait_camera_project(const plait_camera *camera, int width, int height, const double point[3], double pixel[2])
{
    double f[3], r[3], d[3], p[3], k = tan(camera->fov / 2);
    camera_axes(camera, f, r, d);
    plait_vec3_sub(point, camera->eye, p);
    double depth = plait_vec3_dot(f, p);
    if (!(depth > 0))
        return false;
    pixel[0] = 0.5 * width + 0.5 * height * plait_vec3_dot(r, p) / (k * depth);
    pixel[1] = 0.5 * height + 0.5 * height * plait_vec3_dot(d, p) / (k * depth);
    return true;
}
