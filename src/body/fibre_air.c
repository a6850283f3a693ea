// fibre_air.c: forces on the nodes of a fibre that are known at the start of a step.
//
// Air. A rod's own drag is c (w - v) per mass, implicit, with the wind w of the whole scene. Where the air is another
// one, u = open (w + eddies), and where drag along the fibre is smaller than across by the share `slip`, the difference
// comes from here: c ((u - w) - slip ((u - v) . t) t). It only ever takes back some of what the implicit part does, so
// it is stable for any time step.
//
// First pose. "Follow the drawn pose by g": springs with the rate k = g / (1 - g) |gravity| / length per mass. A fibre
// that hangs swings back with |gravity| / length by itself: it rests at g times the drawn pose and 1 - g times its own.
#include <math.h>
#include <stdlib.h>

#include "body/fibre.h"
#include "math/vec3.h"

static const double MOST = 0.98, EARTH = 9.81; // of goal; [m/s^2] where there is no gravity

// The frame of the root: rows t, d, t x d; in the world, if the root is free.
static void root_frame(const plait_rod *rod, double R[9], double x[3])
{
    const plait_end *end = &rod->end[0];
    static const double none[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    for (int k = 0; k < 9; k++)
        R[k] = none[k];
    plait_vec3_set(x, 0, 0, 0);
    if (end->kind == PLAIT_END_FREE)
        return;
    plait_vec3_copy(end->position, x);
    plait_vec3_copy(end->tangent, R), plait_vec3_copy(end->director, R + 3);
    if (!(plait_vec3_normalise(R) > 0))
        plait_vec3_set(R, 0, 0, 1);
    if (!(plait_vec3_orthonormalise(R, R + 3) > 0))
        plait_vec3_any_normal(R, R + 3);
    plait_vec3_cross(R, R + 3, R + 6);
}

bool plait_fibre_air_begin(plait_fibre_impl *p, const plait_fibre_def *def)
{
    size_t count = 3 * ((size_t)p->rod->segments + 1);
    p->goal = def->goal, p->slip = def->slip;
    if (!(def->goal > 0 || def->exposed || (def->slip > 0 && p->drag > 0)))
        return true;
    p->given = calloc(3 * count, sizeof *p->given); // and room for places and velocities
    p->pose = def->goal > 0 ? calloc(count, sizeof *p->pose) : NULL;
    if (!p->given || (def->goal > 0 && !p->pose))
        return false;
    double R[9], root[3], *x = p->given + count;
    root_frame(p->rod, R, root);
    plait_rod_nodes(p->rod, 1, x);
    for (size_t i = 0; p->pose && i < count; i += 3) {
        double d[3];
        plait_vec3_sub(x + i, root, d);
        for (int k = 0; k < 3; k++)
            p->pose[i + (size_t)k] = plait_vec3_dot(R + 3 * k, d);
    }
    return true;
}

// How much of the wind reaches a place: between the middles of cells.
static double open_at(const plait_air *air, const double x[3])
{
    double f[3], sum = 0;
    int at[3];
    if (!air->open)
        return 1;
    for (int k = 0; k < 3; k++) {
        double place = fmin(fmax((x[k] - air->low[k]) / air->cell - 0.5, 0), air->size[k] - 1);
        at[k] = (int)place > air->size[k] - 2 ? air->size[k] - 2 : (int)place;
        f[k] = place - at[k];
    }
    for (int c = 0; c < 8; c++) {
        int i[3] = {at[0] + (c & 1), at[1] + (c >> 1 & 1), at[2] + (c >> 2)};
        double w = (c & 1 ? f[0] : 1 - f[0]) * (c & 2 ? f[1] : 1 - f[1]) * (c & 4 ? f[2] : 1 - f[2]);
        sum +=
            w * air->open[((size_t)i[2] * (size_t)air->size[1] + (size_t)i[1]) * (size_t)air->size[0] + (size_t)i[0]];
    }
    return sum;
}

// u - w at a place.
static void other_air(const plait_world *world, const double x[3], double u[3])
{
    const plait_air *air = world->air;
    double open = open_at(air, x);
    for (int k = 0; k < 3; k++)
        u[k] = (open - 1) * world->wind[k];
    for (int i = 0; i < 9 && air->carried; i++)
        u[i / 3] += air->grad[i] * x[i % 3];
    for (int j = 0; j < air->waves; j++)
        plait_vec3_axpy(open * plait_cos(plait_vec3_dot(air->wave[j], x) + air->phase[j]), air->swing[j], u);
}

void plait_fibre_air(plait_fibre_impl *p, const plait_world *world)
{
    plait_rod *rod = p->rod;
    int n = rod->segments + 1;
    if (!p->given)
        return;
    double *x = p->given + 3 * (size_t)n, *v = x + 3 * (size_t)n, R[9], root[3];
    double gravity = plait_vec3_norm(rod->told_gravity), goal = fmin(p->goal, MOST);
    double rate = goal / (1 - goal) * (gravity > 0 ? gravity : EARTH) / rod->length;
    plait_rod_nodes(rod, 1, x), plait_rod_node_velocities(rod, 1, v);
    root_frame(rod, R, root);
    for (int i = 0; i < n; i++) {
        double length = ((i > 0 ? p->rest[i - 1] : 0) + (i + 1 < n ? p->rest[i] : 0)) / 2;
        double mass = rod->section.mass * length, f[3] = {0}, t[3], u[3] = {0}, *now = p->given + 3 * (size_t)i;
        const double *at = x + 3 * (size_t)i, *speed = v + 3 * (size_t)i;
        if (p->drag > 0 && world->air && world->air->any)
            other_air(world, at, u);
        plait_vec3_axpy(p->drag, u, f);
        plait_vec3_sub(x + 3 * (size_t)(i + 1 < n ? i + 1 : i), x + 3 * (size_t)(i > 0 ? i - 1 : 0), t);
        if (p->slip > 0 && plait_vec3_normalise(t) > 0) {
            for (int k = 0; k < 3; k++)
                u[k] += world->wind[k] - speed[k];
            plait_vec3_axpy(-p->drag * p->slip * plait_vec3_dot(u, t), t, f);
        }
        for (int k = 0; k < 3 && p->pose; k++) {
            const double *c = p->pose + 3 * (size_t)i;
            f[k] += rate * (root[k] + R[k] * c[0] + R[3 + k] * c[1] + R[6 + k] * c[2] - at[k]);
        }
        plait_vec3_axpy(-world->calm, speed, f);
        for (int k = 0; k < 3; k++) {
            rod->force[3 * (size_t)i + (size_t)k] += mass * f[k] - now[k]; // others' forces stay
            now[k] = mass * f[k];
        }
    }
}
