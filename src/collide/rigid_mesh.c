// rigid_mesh.c: freely moving shapes against triangle meshes.
//
// A ball touches a mesh once for each local minimum of the distance: a sphere in a groove has two contacts. A ball
// whose centre is inside a closed mesh is pushed to the nearest place. A box also meets the corners of the mesh that
// are in it, the deepest ones. Two meshes meet with their vertices, and with the edges that are not flat.
#include <math.h>

#include "collide/placed.h"
#include "collide/rigid.h"
#include "collide/sweep.h"
#include "math/mat3.h"

enum { MOST = 8 }; // contacts of a ball, or of a box with corners

typedef struct place {
    int triangle;
    double weight[3], point[3], normal[3], distance; // in the frame of the mesh
} place;

static int64_t triangles_near(plait_duel *duel, const plait_mesh *mesh, const plait_box *box)
{
    plait_thread_scratch *s = &duel->d->thread[0];
    int64_t found = plait_tree_overlap(&mesh->tree, box, -1, &s->found, &s->found_room, 0);
    duel->failed |= found < 0;
    return found;
}

static void measure(const plait_mesh *mesh, int triangle, const double y[3], place *p, plait_feature *feature)
{
    double t[9];
    plait_mesh_corners(mesh, triangle, 0, t);
    p->triangle = triangle;
    plait_closest_triangle(y, t, p->weight, feature);
    for (int k = 0; k < 3; k++)
        p->point[k] = p->weight[0] * t[k] + p->weight[1] * t[3 + k] + p->weight[2] * t[6 + k];
    plait_vec3_sub(y, p->point, p->normal);
    p->distance = plait_vec3_normalise(p->normal);
}

// Whether the triangles across the edges at this place are no nearer.
static bool is_minimum(const plait_mesh *mesh, const double y[3], const place *p, plait_feature feature)
{
    if (feature == PLAIT_FEATURE_FACE)
        return true;
    int corner = feature - PLAIT_FEATURE_CORNER0;
    for (int e = 0; e < 3; e++) {
        bool at = feature >= PLAIT_FEATURE_CORNER0 ? e == corner || (e + 1) % 3 == corner
                                                   : e == (int)(feature - PLAIT_FEATURE_EDGE0);
        int twin = mesh->twin[3 * (int64_t)p->triangle + e];
        place q;
        plait_feature other;
        if (!at || twin < 0)
            continue;
        measure(mesh, twin, y, &q, &other);
        if (q.distance < p->distance * (1 - 1e-9))
            return false;
    }
    return true;
}

static void emit(plait_duel *duel, int feature, const place *p, const double centre[3], double radius,
                 const double R[9], bool swept)
{
    const plait_placed *placed = &duel->d->placed[duel->other];
    double t[9], y[3] = {0}, start[3], end[3], surface[3], n[3];
    plait_mat3_affine(placed->R[0], p->point, placed->x[0], start);
    plait_mesh_corners(&duel->d->mesh[placed->mesh], p->triangle, 1, t);
    for (int c = 0; c < 3; c++)
        plait_vec3_axpy(p->weight[c], t + 3 * c, y);
    plait_mat3_affine(placed->R[1], y, placed->x[1], end);
    plait_mat3_apply(R, p->normal, n);
    plait_vec3_copy(start, surface);
    plait_vec3_axpy(placed->offset, n, surface);
    plait_touch *touch = plait_rigid_emit(duel, feature, p->triangle, 0, centre, radius, surface, n, swept);
    if (touch && !placed->geometry->moves_freely) // its vertices may move too
        plait_vec3_sub(end, start, touch->side[duel->flipped ? 0 : 1].move);
}

// Nearest first; places in nearly the same direction are one contact. Returns how many there are.
static int ball_start(plait_duel *duel, const plait_mesh *mesh, int feature, const double centre[3], double radius)
{
    const plait_placed *placed = &duel->d->placed[duel->other];
    double limit = radius + placed->offset + 2 * duel->d->reach, y[3];
    place chosen[MOST];
    int count = 0;
    plait_to_frame(placed->R[0], placed->x[0], centre, y);
    plait_mesh_point nearest;
    bool within = plait_box_distance2(&mesh->tree.node[1], y) == 0;
    if (!plait_mesh_nearest(mesh, y, mesh->closed && within ? INFINITY : limit, &nearest) || nearest.distance >= limit)
        return 0;
    if (nearest.distance <= 0 || (mesh->closed && radius == 0)) {
        place p = {.triangle = nearest.triangle};
        for (int k = 0; k < 3; k++)
            p.weight[k] = nearest.weight[k], p.point[k] = nearest.point[k], p.normal[k] = nearest.normal[k];
        emit(duel, feature, &p, centre, radius, placed->R[0], false);
        return 1;
    }
    plait_box box = plait_box_empty();
    plait_box_add(&box, y, limit);
    int64_t found = triangles_near(duel, mesh, &box);
    for (double above = -1; count < MOST;) {
        place best = {.distance = limit};
        for (int64_t k = 0; k < found; k++) {
            place p;
            plait_feature where;
            measure(mesh, duel->d->thread[0].found[k], y, &p, &where);
            if (p.distance >= best.distance || p.distance < above || !is_minimum(mesh, y, &p, where))
                continue;
            bool taken = false;
            for (int n = 0; n < count && !taken; n++)
                taken = plait_vec3_dot(chosen[n].normal, p.normal) > 0.97;
            if (!taken)
                best = p;
        }
        if (best.distance >= limit)
            break;
        above = best.distance;
        chosen[count++] = best;
        emit(duel, feature, &best, centre, radius, placed->R[0], false);
    }
    return count;
}

static void ball_motion(plait_duel *duel, const plait_mesh *mesh, int feature, const double local[3], double radius)
{
    const plait_detector *d = duel->d;
    const plait_placed *mine = &d->placed[duel->ball], *placed = &d->placed[duel->other];
    double thick = radius + placed->offset, R[9], c[3], x[3], y[12] = {0}, start[3];
    double wanted = plait_larger(d->crossing ? PLAIT_CROSSING * thick : thick, 1e-3 * duel->size);
    int pieces = (int)fmin(1 + ceil(10 * (plait_vec3_norm(mine->spin) + plait_vec3_norm(placed->spin))), PLAIT_PIECES);
    plait_sweep best = {.time = 2}, sweep;
    int triangle = -1;
    for (int piece = 0; piece <= pieces && triangle < 0; piece++) {
        double time = (double)piece / pieces;
        memcpy(y, y + 6, 6 * sizeof *y);
        plait_placed_pose(mine, time, R, c);
        plait_mat3_affine(R, local, c, x);
        if (!piece)
            plait_vec3_copy(x, start);
        plait_placed_pose(placed, time, R, c);
        plait_to_frame(R, c, x, y + 6);
        plait_vec3_copy(y + 6, y + 9);
        plait_box box = plait_box_empty();
        plait_box_add(&box, y, wanted * 1.01), plait_box_add(&box, y + 6, wanted * 1.01);
        int64_t found = piece ? triangles_near(duel, mesh, &box) : 0;
        for (int64_t k = 0; k < found; k++) {
            double t0[9], t1[9], a, weight[3];
            int i = d->thread[0].found[k];
            plait_mesh_corners(mesh, i, (double)(piece - 1) / pieces, t0);
            plait_mesh_corners(mesh, i, time, t1);
            if (piece == 1 && sqrt(plait_closest_segment_triangle(y, y + 3, t0, &a, weight)) <= wanted * 1.002)
                continue;
            if (plait_sweep_triangle(y, y + 6, t0, t1, wanted, &sweep) && sweep.time < best.time)
                best = sweep, triangle = i;
        }
        best.time += triangle >= 0 ? piece - 1 : 0;
    }
    if (triangle < 0)
        return;
    double t[9];
    place p = {.triangle = triangle};
    plait_mesh_corners(mesh, triangle, 0, t);
    for (int k = 0; k < 3; k++) {
        p.point[k] = best.weight[0] * t[k] + best.weight[1] * t[3 + k] + best.weight[2] * t[6 + k];
        p.normal[k] = best.normal[k], p.weight[k] = best.weight[k];
    }
    plait_placed_pose(placed, best.time / pieces, R, c);
    emit(duel, feature, &p, start, radius, R, true);
}

// The middle of a capsule, where it is markedly nearer than the ends.
static void middle(plait_duel *duel, const plait_mesh *mesh, double centre[8][3], double radius)
{
    const plait_placed *placed = &duel->d->placed[duel->other];
    double limit = radius + placed->offset + 2 * duel->d->reach, y[6], best = limit, ends = INFINITY, at = -1;
    plait_box box = plait_box_empty();
    for (int k = 0; k < 2; k++) {
        plait_to_frame(placed->R[0], placed->x[0], centre[k], y + 3 * k);
        plait_box_add(&box, y + 3 * k, limit);
        plait_mesh_point p;
        if (plait_mesh_nearest(mesh, y + 3 * k, limit, &p))
            ends = fmin(ends, p.distance);
    }
    int64_t found = triangles_near(duel, mesh, &box);
    for (int64_t k = 0; k < found; k++) {
        double t[9], a, weight[3];
        plait_mesh_corners(mesh, duel->d->thread[0].found[k], 0, t);
        double distance = sqrt(plait_closest_segment_triangle(y, y + 3, t, &a, weight));
        if (distance < best && a > 0 && a < 1)
            best = distance, at = a;
    }
    if (at < 0 || best >= ends - plait_larger(0.2 * duel->d->reach, 1e-3 * radius))
        return;
    double x[3];
    plait_lerp(centre[0], centre[1], at, x);
    ball_start(duel, mesh, 2, x, radius);
}

// The deepest corners of the mesh that are in the box duel->other; duel->ball is the mesh.
static void corners(plait_duel *duel, const plait_mesh *mesh)
{
    const plait_detector *d = duel->d;
    const plait_placed *placed = &d->placed[duel->ball], *box = &d->placed[duel->other];
    plait_box near = plait_box_empty();
    plait_shape_support s;
    plait_rigid_support(box, &s);
    for (int k = 0; k < s.balls; k++) { // the box in the frame of the mesh
        double x[3], y[3];
        plait_mat3_affine(box->R[0], s.ball[k], box->x[0], x);
        plait_to_frame(placed->R[0], placed->x[0], x, y);
        plait_box_add(&near, y, 2 * d->reach + placed->offset);
    }
    int64_t found = triangles_near(duel, mesh, &near);
    double above = -INFINITY;
    int last = -1;
    for (int count = 0; count < MOST; count++) { // in the order of depth, then of number
        double best = 2 * d->reach + placed->offset, at[3], normal[3], x[3], n[3];
        int which = -1;
        for (int64_t k = 0; k < 3 * found; k++) {
            int point = mesh->triangle[3 * (int64_t)d->thread[0].found[k / 3] + k % 3];
            plait_mat3_affine(placed->R[0], mesh->point0 + 3 * (int64_t)point, placed->x[0], x);
            double depth = plait_rigid_distance(duel, x, n);
            bool later = depth > above || (depth == above && point > last);
            if (later && (depth < best || (depth == best && which >= 0 && point < which))) {
                best = depth, which = point;
                plait_vec3_copy(x, at), plait_vec3_copy(n, normal);
            }
        }
        if (which < 0)
            return;
        above = best, last = which;
        double surface[3] = {at[0], at[1], at[2]};
        plait_vec3_axpy(-best, normal, surface);
        plait_rigid_emit(duel, which, 0, 0, at, placed->offset, surface, normal, false);
    }
}

void plait_rigid_mesh(plait_duel *duel)
{
    const plait_detector *d = duel->d;
    const plait_placed *mine = &d->placed[duel->ball];
    const plait_mesh *mesh = &d->mesh[d->placed[duel->other].mesh];
    double centre[PLAIT_SUPPORT_BALLS][3];
    plait_shape_support s;
    plait_rigid_support(mine, &s);
    for (int k = 0; k < s.balls; k++) {
        plait_mat3_affine(mine->R[0], s.ball[k], mine->x[0], centre[k]);
        int contacts = d->crossing ? 0 : ball_start(duel, mesh, k, centre[k], s.radius);
        if (d->continuous && !contacts)
            ball_motion(duel, mesh, k, s.ball[k], s.radius);
    }
    if (d->crossing)
        return;
    if (s.radius > 0 && s.edges > 0)
        middle(duel, mesh, centre, s.radius);
    if (s.radius == 0 && !duel->flipped) {
        int box = duel->ball;
        duel->ball = duel->other, duel->other = box, duel->flipped = true;
        corners(duel, mesh);
    }
}

void plait_rigid_mesh_nodes(plait_duel *duel)
{
    const plait_detector *d = duel->d;
    const plait_placed *mine = &d->placed[duel->ball];
    const plait_mesh *mesh = &d->mesh[d->placed[duel->other].mesh];
    const plait_shape *shape = mine->geometry->shape;
    for (int k = 0; k < shape->points && !duel->failed; k++) {
        const double *local = mine->geometry->point0 + 3 * (int64_t)k;
        double centre[3];
        plait_mat3_affine(mine->R[0], local, mine->x[0], centre);
        int contacts = d->crossing ? 0 : ball_start(duel, mesh, k, centre, mine->offset);
        if (d->continuous && !contacts)
            ball_motion(duel, mesh, k, local, mine->offset);
    }
}

// ---- edges of two meshes ------------------------------------------------------------------------------------------

// An edge of a mesh with what lies across it, in the frame of the other mesh.
typedef struct ridge {
    double end[2][3], across[2][3], out[3]; // out: the sum of the outward normals beside it
} ridge;

// Edge k of a triangle, if it is this triangle's to look after and not flat. R, x: to the frame at hand; NULL: it is.
static bool ridge_of(const plait_mesh *m, int triangle, int k, const double *R, const double *x, ridge *r)
{
    int twin = m->twin[3 * (int64_t)triangle + k], corner[4];
    const double *n = m->face_normal + 3 * (int64_t)triangle;
    if (twin < 0 || twin < triangle || plait_vec3_dot(n, m->face_normal + 3 * (int64_t)twin) > 1 - 1e-9)
        return false;
    for (int c = 0; c < 4; c++) // the last one is found below
        corner[c] = m->triangle[3 * (int64_t)triangle + (k + c) % 3];
    for (int c = 0; c < 3; c++) {
        int other = m->triangle[3 * (int64_t)twin + c];
        if (other != corner[0] && other != corner[1])
            corner[3] = other;
    }
    double *to[4] = {r->end[0], r->end[1], r->across[0], r->across[1]}, out[3];
    for (int c = 0; c < 3; c++)
        out[c] = m->outward * (n[c] + m->face_normal[3 * (int64_t)twin + c]);
    for (int c = 0; c < 4; c++) {
        const double *from = m->point0 + 3 * (int64_t)corner[c];
        if (R)
            plait_mat3_affine(R, from, x, to[c]);
        else
            plait_vec3_copy(from, to[c]);
    }
    if (R)
        plait_mat3_apply(R, out, r->out);
    else
        plait_vec3_copy(out, r->out);
    return true;
}

// Whether neither mesh goes on beyond the plane across n beside its edge.
static bool separates(const ridge *r, const double at[3], const double n[3], double sign)
{
    for (int k = 0; k < 2; k++) {
        double to[3];
        plait_vec3_sub(r->across[k], at, to);
        if (sign * plait_vec3_dot(to, n) < -1e-6 * plait_vec3_norm(to))
            return false;
    }
    return true;
}

static void meet_ridges(plait_duel *duel, int feature, int triangle, int k, const ridge *p, const ridge *q)
{
    const plait_placed *mine = &duel->d->placed[duel->ball], *placed = &duel->d->placed[duel->other];
    double a, b, u[3], v[3], n[3], x[3], apart[3], centre[3];
    plait_closest_segments(p->end[0], p->end[1], q->end[0], q->end[1], &a, &b);
    plait_vec3_sub(p->end[1], p->end[0], u), plait_vec3_sub(q->end[1], q->end[0], v);
    plait_vec3_cross(u, v, n);
    double sine = plait_vec3_normalise(n) / (plait_vec3_norm(u) * plait_vec3_norm(v));
    if (!(sine > 1e-3) || a <= 0 || a >= 1 || b <= 0 || b >= 1) // parallel: their vertices meet the other's faces
        return;
    if (plait_vec3_dot(n, q->out) < plait_vec3_dot(n, p->out))
        n[0] = -n[0], n[1] = -n[1], n[2] = -n[2];
    place at = {.triangle = triangle};
    plait_lerp(p->end[0], p->end[1], a, x), plait_lerp(q->end[0], q->end[1], b, at.point);
    plait_vec3_sub(x, at.point, apart);
    double gap = plait_vec3_dot(apart, n) - mine->offset - placed->offset;
    if (gap >= 2 * duel->d->reach || gap < -0.1 * duel->size || !separates(p, x, n, 1) ||
        !separates(q, at.point, n, -1))
        return;
    plait_vec3_copy(n, at.normal);
    at.weight[k] = 1 - b, at.weight[(k + 1) % 3] = b;
    plait_mat3_affine(placed->R[0], x, placed->x[0], centre);
    emit(duel, feature, &at, centre, mine->offset, placed->R[0], false);
}

void plait_rigid_mesh_edges(plait_duel *duel)
{
    const plait_detector *d = duel->d;
    const plait_placed *mine = &d->placed[duel->ball], *placed = &d->placed[duel->other];
    const plait_mesh *m = &d->mesh[mine->mesh], *other = &d->mesh[placed->mesh];
    double R[9], x[3], reach = 2 * d->reach + mine->offset + placed->offset + 0.1 * duel->size;
    plait_mat3_transposed_multiply(placed->R[0], mine->R[0], R);
    plait_to_frame(placed->R[0], placed->x[0], mine->x[0], x);
    for (int i = 0; i < m->triangles; i++)
        for (int k = 0; k < 3; k++) {
            ridge p, q;
            if (!ridge_of(m, i, k, R, x, &p))
                continue;
            plait_box box = plait_box_empty();
            plait_box_add(&box, p.end[0], reach), plait_box_add(&box, p.end[1], reach);
            int64_t found = triangles_near(duel, other, &box);
            for (int64_t f = 0; f < found; f++)
                for (int e = 0; e < 3; e++)
                    if (ridge_of(other, d->thread[0].found[f], e, NULL, NULL, &q))
                        meet_ridges(duel, m->points + 3 * i + k, d->thread[0].found[f], e, &p, &q);
        }
}
