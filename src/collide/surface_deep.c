// surface_deep.c: nodes that are inside of a closed surface.
//
// Most nodes are outside and stay there. What was seen at some distance cannot be inside until it, and the surface,
// have gone that far together: nothing needs to be looked at again before.
#include <math.h>

#include "collide/surface_detector.h"
#include "math/vec3.h"

void plait_inside_free(plait_inside *in)
{
    plait_mesh_free(&in->mesh);
    free(in->seen);
    *in = (plait_inside){0};
}

// How far a point of the surface has gone since the mesh was last set; INFINITY: it is another surface.
static double gone(const plait_mesh *mesh, const plait_surface *s)
{
    double far = 0;
    if (mesh->points != s->nodes || mesh->triangles != s->cells)
        return INFINITY;
    for (int64_t i = 0; i < s->nodes; i++) {
        double u[3];
        plait_vec3_sub(s->x0 + 3 * i, mesh->point0 + 3 * i, u);
        far = plait_larger(far, plait_vec3_dot(u, u));
    }
    return sqrt(far);
}

bool plait_surface_insides(plait_surface_detector *d)
{
    for (int i = 0; i < d->surfaces; i++) {
        const plait_surface *s = &d->all->surface[i];
        plait_inside *in = &d->inside[i];
        if (!s->closed)
            continue;
        double far = gone(&in->mesh, s);
        in->moved += isfinite(far) ? far : 0;
        if (!plait_mesh_set(&in->mesh, s->nodes, s->x0, s->x0, s->cells, d->topology[i].cell, true))
            return false;
        if (in->seen_nodes == d->nodes && isfinite(far))
            continue;
        if (!plait_grow(&in->seen, &in->seen_room, 5 * (int64_t)d->nodes, sizeof *in->seen))
            return false;
        memset(in->seen, 0, 5 * (size_t)d->nodes * sizeof *in->seen);
        in->seen_nodes = d->nodes, in->moved = 0;
    }
    return true;
}

// Whether a node is outside for sure, from when it was seen last.
static bool still_outside(const plait_inside *in, const double *seen, const double x[3])
{
    double u[3];
    plait_vec3_sub(x, seen, u);
    return plait_vec3_norm(u) + (in->moved - seen[4]) < seen[3];
}

typedef struct look {
    int outer, inner; // surfaces: the nodes of the first, in the inside of the second
} look;

static void look_at_nodes(plait_surface_detector *d, plait_surface_bin *bin, int64_t begin, int64_t end, void *data)
{
    const look *l = data;
    const plait_surface *s = &d->all->surface[l->outer];
    plait_inside *in = &d->inside[l->inner];
    const plait_topology *t = &d->topology[l->outer];
    for (int n = (int)begin; n < end && !bin->failed; n++) {
        const double *x = s->x0 + 3 * (int64_t)n;
        double *seen = in->seen + 5 * ((int64_t)t->first_node + n);
        plait_mesh_point at;
        if (t->node_owner[n] < 0 || (s->skip && s->skip[t->node_owner[n]] == l->inner) || still_outside(in, seen, x))
            continue;
        double box = plait_box_distance2(&in->mesh.tree.node[1], x);
        if (box == 0 && !plait_mesh_nearest(&in->mesh, x, INFINITY, &at))
            continue;
        plait_vec3_copy(x, seen);
        seen[3] = box > 0 ? sqrt(box) : at.distance > 0 ? at.distance : 0;
        seen[4] = in->moved;
        if (box == 0 && at.distance < 0)
            plait_surface_push_out(d, bin, l->outer, n, l->inner, &at);
    }
}

bool plait_surface_deep(plait_surface_detector *d)
{
    const plait_surface *s = d->all->surface;
    for (int i = 0; i < d->surfaces; i++)
        for (int j = 0; s[i].closed && j < d->surfaces; j++) {
            look l = {j, i};
            if (i == j || (s[i].passive && s[j].passive) ||
                !plait_box_overlap(&d->topology[i].whole, &d->topology[j].whole))
                continue;
            if (!plait_surface_run(d, s[j].nodes, 512, look_at_nodes, &l))
                return false;
        }
    return true;
}
