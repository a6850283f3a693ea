// carry_push.c: what came into a body is put on its surface again.
//
// As deep as a point was drawn it may stay. How far a point is from all meshes is remembered: until it and they have
// moved that far, nobody looks again.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/parallel.h"
#include "collide/placed.h"
#include "io/carry.h"
#include "math/quat.h"
#include "math/vec3.h"

static const double LIFT = 20e-6; // [m] above the surface

typedef struct obstacle {
    plait_carrier at; // kind: collider or soft
    plait_mesh mesh;  // in the shape's frame, of the frame at hand
    double *world;    // [3 points] vertices in the world at the frame before
    double R[9], x[3];
} obstacle;

struct plait_pusher {
    int obstacles;
    obstacle *obstacle;
    float *floor; // [points] nearer than this nothing is pushed: LIFT, or as deep as it was drawn
    float *seen;  // [5 points] where it was when it was looked at, its distance then, and how far meshes had moved
    double moved; // [m] sum over frames of how far any vertex went
    bool drawn;   // floor is known
};

static bool solid(const plait_shape *shape)
{
    const plait_shape_type *type = plait_shape_type_of(shape);
    return shape->triangles > 0 ? shape->closed : type->distance && type->cells == 0;
}

plait_pusher *plait_pusher_new(const plait_carry *c, plait_error *error)
{
    int bodies = c->from->colliders + c->from->softs;
    size_t points = (size_t)c->strands.points;
    plait_pusher *p = calloc(1, sizeof *p);
    bool ok = p && (p->obstacle = calloc((size_t)bodies + 1, sizeof *p->obstacle)) &&
              (p->floor = malloc((points + 1) * sizeof *p->floor)) &&
              (p->seen = malloc((5 * points + 1) * sizeof *p->seen));
    for (int i = 0; ok && i < bodies; i++) {
        bool soft = i >= c->from->colliders;
        plait_carrier at = {soft ? PLAIT_CARRIER_SOFT : PLAIT_CARRIER_COLLIDER, soft ? i - c->from->colliders : i};
        const plait_shape *shape = soft ? &c->from->soft[at.index].shape : &c->from->collider[at.index].shape;
        if (!solid(shape))
            continue;
        obstacle *o = &p->obstacle[p->obstacles++];
        o->at = at;
        ok = (o->world = calloc(3 * (size_t)shape->points + 1, sizeof *o->world)) != NULL;
    }
    if (ok) {
        for (size_t i = 0; i < points; i++)
            p->floor[i] = (float)LIFT, p->seen[5 * i + 3] = -1;
        return p;
    }
    plait_pusher_free(p);
    plait_error_set(error, PLAIT_NO_MEMORY, "no memory to push %d points out of bodies", c->strands.points);
    return NULL;
}

void plait_pusher_free(plait_pusher *p)
{
    for (int i = 0; p && i < p->obstacles; i++) {
        plait_mesh_free(&p->obstacle[i].mesh);
        free(p->obstacle[i].world);
    }
    if (p)
        free(p->obstacle), free(p->floor), free(p->seen);
    free(p);
}

// Bodies go where they are in the frame; false without memory.
static bool place_bodies(plait_pusher *p, const plait_carry *c, const plait_trajectory_frame *frame)
{
    double most = 0;
    for (int i = 0; i < p->obstacles; i++) {
        obstacle *o = &p->obstacle[i];
        plait_shape_geometry g = plait_carry_geometry(c, o->at, frame);
        plait_quat_matrix(g.end.q, o->R);
        plait_vec3_copy(g.end.x, o->x);
        if (g.shape->triangles == 0)
            continue;
        if (!plait_mesh_set(&o->mesh, g.shape->points, g.point1, g.point1, g.shape->triangles, g.shape->triangle, true))
            return false;
        for (int k = 0; k < g.shape->points; k++) {
            double w[3], d[3];
            plait_mat3_apply(o->R, g.point1 + 3 * (size_t)k, w);
            plait_vec3_axpy(1, o->x, w);
            plait_vec3_sub(w, o->world + 3 * (size_t)k, d);
            most = fmax(most, plait_vec3_norm(d));
            plait_vec3_copy(w, o->world + 3 * (size_t)k);
        }
    }
    p->moved += most;
    return true;
}

// Signed distance of a point from one body, and the outward normal in the world.
static double distance(const plait_carry *c, const obstacle *o, const double x[3], double normal[3])
{
    double local[3], n[3] = {0, 0, 1};
    plait_to_frame(o->R, o->x, x, local);
    double far;
    if (o->mesh.triangles > 0) {
        plait_mesh_point near;
        if (!plait_mesh_nearest(&o->mesh, local, INFINITY, &near))
            return INFINITY;
        far = near.distance;
        plait_vec3_copy(near.normal, n);
    } else {
        far = plait_shape_distance(&c->from->collider[o->at.index].shape, local, n);
    }
    plait_mat3_apply(o->R, n, normal);
    return far;
}

// Whether no mesh can have come near since the point was looked at.
static bool is_far(const plait_pusher *p, size_t i, const double x[3])
{
    const float *s = p->seen + 5 * i;
    double d[3] = {x[0] - s[0], x[1] - s[1], x[2] - s[2]};
    return s[3] - plait_vec3_norm(d) - (p->moved - s[4]) > 2 * LIFT;
}

typedef struct pass {
    plait_pusher *pusher;
    const plait_carry *carry;
    float *x;
} pass;

static void push_point(plait_pusher *p, const plait_carry *c, size_t i, double x[3])
{
    bool far_away = is_far(p, i, x);
    double least = INFINITY, n[3] = {0, 0, 1};
    for (int k = 0; k < p->obstacles; k++) {
        const obstacle *o = &p->obstacle[k];
        bool mesh = o->mesh.triangles > 0;
        if (mesh && far_away)
            continue;
        double far = distance(c, o, x, n), wanted = p->floor[i];
        if (mesh)
            least = fmin(least, far);
        if (!p->drawn)
            p->floor[i] = (float)fmin(wanted, far);
        else if (far < wanted)
            plait_vec3_axpy(wanted - far, n, x);
    }
    if (!far_away && isfinite(least)) {
        float *s = p->seen + 5 * i;
        s[0] = (float)x[0], s[1] = (float)x[1], s[2] = (float)x[2];
        s[3] = (float)fmax(least, 0), s[4] = (float)p->moved;
    }
}

static void push_some(int64_t begin, int64_t end, void *data)
{
    const pass *work = data;
    const plait_carry *c = work->carry;
    for (int64_t i = begin; i < end; i++)
        for (int k = c->first[i] + 1; k < c->first[i + 1] && c->push[c->group[i]]; k++) {
            float *to = work->x + 3 * (size_t)k;
            double x[3] = {to[0], to[1], to[2]};
            push_point(work->pusher, c, (size_t)k, x);
            for (int j = 0; j < 3 && work->pusher->drawn; j++)
                to[j] = (float)x[j];
        }
}

// The first time is for the drawn pose: it tells how deep points may be.
plait_status plait_pusher_apply(plait_pusher *p, const plait_carry *c, const plait_trajectory_frame *frame, float *x,
                                plait_error *error)
{
    if (p->obstacles == 0)
        return PLAIT_OK;
    if (!place_bodies(p, c, frame))
        return plait_error_set(error, PLAIT_NO_MEMORY, "no memory to push strands out of bodies");
    pass all = {p, c, x};
    plait_parallel_for(c->strands.strands, c->team, push_some, &all);
    p->drawn = true;
    return PLAIT_OK;
}
