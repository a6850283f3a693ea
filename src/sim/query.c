// query.c: what is near a point, what a ray meets; by looking at everything there is.
#include <math.h>

#include "math/quat.h"
#include "math/vec3.h"
#include "shape/closest.h"
#include "shape/type.h"
#include "sim/sim.h"

// Everything at the present time: nodes in x0, shapes at their start.
static void look(plait_sim *sim)
{
    plait_sim_place(&sim->model, &sim->state, &sim->work, 0);
}

static void take(const plait_model *m, int body, double distance, const double position[3], const double normal[3],
                 plait_sim_hit *hit)
{
    *hit = (plait_sim_hit){.kind = m->kind[body]->partner, .index = m->body[body].id, .distance = distance};
    plait_vec3_copy(position, hit->position);
    plait_vec3_copy(normal, hit->normal);
}

// The shape as it is now, with vertices that an animation has moved.
static plait_shape shape_now(const plait_shape_geometry *g)
{
    plait_shape shape = *g->shape;
    if (g->point0)
        shape.point = (double *)g->point0; // only read
    return shape;
}

// ---- nearest -------------------------------------------------------------------------------------------------------

// Distance of y from triangles, from both sides, and the unit vector from there to y.
static double triangles_distance(const plait_shape *shape, const double y[3], double normal[3])
{
    double least = INFINITY;
    for (int i = 0; i < shape->triangles; i++) {
        double t[9], weight[3], d[3];
        plait_feature feature;
        for (int c = 0; c < 3; c++)
            plait_vec3_copy(shape->point + 3 * (size_t)shape->triangle[3 * i + c], t + 3 * c);
        double square = plait_closest_triangle(y, t, weight, &feature);
        if (square >= least)
            continue;
        least = square;
        for (int k = 0; k < 3; k++)
            d[k] = y[k] - (weight[0] * t[k] + weight[1] * t[3 + k] + weight[2] * t[6 + k]);
        if (plait_vec3_normalise(d) > 0)
            plait_vec3_copy(d, normal);
    }
    return sqrt(least) - shape->size[0];
}

static void nearest_shape(const plait_sim *sim, int i, const double x[3], double *reach, plait_sim_hit *hit)
{
    const plait_shape_geometry *g = &sim->work.shape[i];
    plait_shape shape = shape_now(g);
    double R[9], d[3], y[3], normal[3] = {0, 0, 1}, n[3], at[3];
    plait_quat_matrix(g->start.q, R);
    plait_vec3_sub(x, g->start.x, d);
    plait_mat3_apply_transposed(R, d, y);
    double distance =
        shape.triangles > 0 ? triangles_distance(&shape, y, normal) : plait_shape_distance(&shape, y, normal);
    if (!(distance < *reach))
        return;
    *reach = distance;
    plait_mat3_apply(R, normal, n);
    for (int k = 0; k < 3; k++)
        at[k] = x[k] - distance * n[k];
    take(&sim->model, sim->model.shape_body[i], distance, at, n, hit);
}

static void nearest_chain(const plait_sim *sim, int i, const double x[3], double *reach, plait_sim_hit *hit)
{
    const plait_model *m = &sim->model;
    for (int node = m->first_node[i]; node + 1 < m->first_node[i + 1]; node++) {
        const double *p = sim->work.x0 + 3 * (size_t)node;
        double a = plait_closest_on_segment(x, p, p + 3), axis[3], d[3], at[3];
        plait_lerp(p, p + 3, a, axis);
        plait_vec3_sub(x, axis, d);
        double length = plait_vec3_norm(d), distance = length - m->radius[i];
        if (!(distance < *reach) || length == 0) // in the middle no direction is outwards
            continue;
        *reach = distance;
        for (int k = 0; k < 3; k++)
            d[k] /= length, at[k] = axis[k] + m->radius[i] * d[k];
        take(m, m->chain_body[i], distance, at, d, hit);
        hit->arc = m->arc[node] + a * (m->arc[node + 1] - m->arc[node]);
    }
}

// Triangle t of skin i, as it is now.
static void skin_corners(const plait_sim *sim, int i, int t, double x[9])
{
    const plait_model *m = &sim->model;
    const double *all = sim->work.x0 + 3 * (size_t)m->first_skin_node[i];
    for (int c = 0; c < 3; c++)
        plait_vec3_copy(all + 3 * (size_t)m->skin[i].skin->triangle[3 * (size_t)t + (size_t)c], x + 3 * c);
}

static void nearest_skin(const plait_sim *sim, int i, const double x[3], double *reach, plait_sim_hit *hit)
{
    const plait_skin *s = sim->model.skin[i].skin;
    for (int t = 0; t < s->triangles; t++) {
        double corner[9], weight[3], d[3], at[3];
        plait_feature feature;
        skin_corners(sim, i, t, corner);
        double length = sqrt(plait_closest_triangle(x, corner, weight, &feature)), distance = length - s->radius;
        if (!(distance < *reach) || length == 0)
            continue;
        *reach = distance;
        for (int k = 0; k < 3; k++)
            d[k] = (x[k] - weight[0] * corner[k] - weight[1] * corner[3 + k] - weight[2] * corner[6 + k]) / length;
        for (int k = 0; k < 3; k++)
            at[k] = x[k] - distance * d[k];
        take(&sim->model, sim->model.skin_body[i], distance, at, d, hit);
    }
}

bool plait_sim_find_nearest(plait_sim *sim, const double x[3], double reach, plait_sim_hit *hit)
{
    double least = reach;
    look(sim);
    for (int i = 0; i < sim->model.chains; i++)
        nearest_chain(sim, i, x, &least, hit);
    for (int i = 0; i < sim->model.shapes; i++)
        nearest_shape(sim, i, x, &least, hit);
    for (int i = 0; i < sim->model.skins; i++)
        nearest_skin(sim, i, x, &least, hit);
    return least < reach;
}

// ---- rays ----------------------------------------------------------------------------------------------------------

static void ray_shape(const plait_sim *sim, int i, const double x[3], const double direction[3], double *far,
                      plait_sim_hit *hit)
{
    const plait_shape_geometry *g = &sim->work.shape[i];
    plait_shape shape = shape_now(g);
    double R[9], d[3], y[3], along[3], normal[3], n[3], at[3], t;
    plait_quat_matrix(g->start.q, R);
    plait_vec3_sub(x, g->start.x, d);
    plait_mat3_apply_transposed(R, d, y);
    plait_mat3_apply_transposed(R, direction, along);
    if (!plait_shape_ray(&shape, y, along, *far, &t, normal))
        return;
    *far = t;
    plait_mat3_apply(R, normal, n);
    for (int k = 0; k < 3; k++)
        at[k] = x[k] + t * direction[k];
    take(&sim->model, sim->model.shape_body[i], t, at, n, hit);
}

// Where the ray enters the ball of radius r about c; INFINITY: it does not, or begins inside.
static double enter_ball(const double x[3], const double direction[3], const double c[3], double r)
{
    double d[3];
    plait_vec3_sub(x, c, d);
    double b = plait_vec3_dot(d, direction), disc = b * b - plait_vec3_dot(d, d) + r * r, t = -b - sqrt(fmax(0, disc));
    return disc >= 0 && t >= 0 ? t : INFINITY;
}

// The same for the side of the cylinder about p q, between its ends.
static double enter_side(const double x[3], const double direction[3], const double p[3], const double q[3], double r)
{
    double axis[3], d[3], across[3], from[3];
    plait_vec3_sub(q, p, axis), plait_vec3_sub(x, p, d);
    double length = plait_vec3_normalise(axis), u = plait_vec3_dot(direction, axis), w = plait_vec3_dot(d, axis);
    for (int k = 0; k < 3; k++)
        across[k] = direction[k] - u * axis[k], from[k] = d[k] - w * axis[k];
    double A = plait_vec3_dot(across, across), B = plait_vec3_dot(across, from), C = plait_vec3_dot(from, from) - r * r;
    double disc = B * B - A * C, t = A > 0 ? (-B - sqrt(fmax(0, disc))) / A : INFINITY, at = w + t * u;
    return disc >= 0 && t >= 0 && at >= 0 && at <= length ? t : INFINITY;
}

static void ray_chain(const plait_sim *sim, int i, const double x[3], const double direction[3], double *far,
                      plait_sim_hit *hit)
{
    const plait_model *m = &sim->model;
    double r = m->radius[i];
    for (int node = m->first_node[i]; node + 1 < m->first_node[i + 1]; node++) {
        const double *p = sim->work.x0 + 3 * (size_t)node, *q = p + 3;
        double t = fmin(enter_side(x, direction, p, q, r),
                        fmin(enter_ball(x, direction, p, r), enter_ball(x, direction, q, r)));
        if (!(t < *far))
            continue;
        double at[3], axis[3], n[3];
        for (int k = 0; k < 3; k++)
            at[k] = x[k] + t * direction[k];
        double a = plait_closest_on_segment(at, p, q);
        plait_lerp(p, q, a, axis);
        plait_vec3_sub(at, axis, n);
        plait_vec3_normalise(n);
        *far = t;
        take(m, m->chain_body[i], t, at, n, hit);
        hit->arc = m->arc[node] + a * (m->arc[node + 1] - m->arc[node]);
    }
}

// The triangles themselves, without their thickness, from either side.
static void ray_skin(const plait_sim *sim, int i, const double x[3], const double direction[3], double *far,
                     plait_sim_hit *hit)
{
    const plait_skin *s = sim->model.skin[i].skin;
    for (int t = 0; t < s->triangles; t++) {
        double c[9], e[3], f[3], n[3], d[3], q[3], at[3];
        skin_corners(sim, i, t, c);
        plait_vec3_sub(c + 3, c, e), plait_vec3_sub(c + 6, c, f), plait_vec3_sub(x, c, d);
        plait_vec3_cross(e, f, n);
        double det = -plait_vec3_dot(direction, n), along = plait_vec3_dot(d, n) / det;
        plait_vec3_cross(d, direction, q);
        double u = plait_vec3_dot(f, q) / det, v = -plait_vec3_dot(e, q) / det;
        if (!(along >= 0 && along < *far && u >= 0 && v >= 0 && u + v <= 1)) // det = 0: they are not numbers
            continue;
        *far = along;
        plait_vec3_normalise(n);
        for (int k = 0; k < 3; k++)
            n[k] = det < 0 ? -n[k] : n[k], at[k] = x[k] + along * direction[k];
        take(&sim->model, sim->model.skin_body[i], along, at, n, hit);
    }
}

bool plait_sim_find_ray(plait_sim *sim, const double x[3], const double direction[3], double far, plait_sim_hit *hit)
{
    double along[3], least = far;
    plait_vec3_copy(direction, along);
    if (!(plait_vec3_normalise(along) > 0))
        return false;
    look(sim);
    for (int i = 0; i < sim->model.chains; i++)
        ray_chain(sim, i, x, along, &least, hit);
    for (int i = 0; i < sim->model.shapes; i++)
        ray_shape(sim, i, x, along, &least, hit);
    for (int i = 0; i < sim->model.skins; i++)
        ray_skin(sim, i, x, along, &least, hit);
    return least < far;
}
