// roots.c: ends of fibres that are bound to cloth and solids.
//
// The end is a node of the rod like the others, and rigid ties (law_bond.h) hold it: constraints, solved with the
// contacts of the step, so that what pulls at the hair pulls at the skin, exactly and whatever their masses are. A
// pinned end is one tie on three axes to its place on the nearest triangle. A clamped one is three more, which keep the
// distances of the next node to the triangle's corners: it follows the triangle's turning. Where that node is nearly in
// the triangle's plane the distances do not say where it is, and are left out. Beside, the frame of a clamped end turns
// with the triangle (fibre_skin.c), as with any other clamp: so it cannot twist about its tangent. The couple of that
// does not act on the skin.
#include <math.h>

#include "collide/mesh.h"
#include "math/vec3.h"
#include "sim/bonds.h"

static const double ON_IT = 0.1;  // of the thickness: an end that is farther away is not on it
static const double STEEP = 0.15; // of the longest side: the next node's height over the triangle

static bool add(plait_sim *sim, const plait_side *side, int skin, int triangle, double a, double b, const double at[3])
{
    const plait_tie rigid = {0};
    plait_touch t = {.side = {*side, {.on_skin = true, .index = skin, .segment = triangle, .a = a, .b = b}},
                     .last = -1};
    plait_vec3_copy(at, t.side[1].point);
    plait_vec3_sub(t.side[0].point, at, t.normal);
    if (!(plait_vec3_normalise(t.normal) > 0))
        plait_vec3_set(t.normal, 0, 0, 1);
    return plait_sim_tie(sim, &t, &rigid);
}

static double height_of(const double x[3], const double c[9], double *longest)
{
    double e[3], f[3], g[3], n[3], d[3];
    plait_vec3_sub(c + 3, c, e), plait_vec3_sub(c + 6, c, f), plait_vec3_sub(c + 6, c + 3, g), plait_vec3_sub(x, c, d);
    plait_vec3_cross(e, f, n);
    *longest = fmax(plait_vec3_norm(e), fmax(plait_vec3_norm(f), plait_vec3_norm(g)));
    return plait_vec3_normalise(n) > 0 ? fabs(plait_vec3_dot(n, d)) : 0;
}

static plait_status tie_end(plait_sim *sim, const plait_scene *scene, int i, int e, const plait_mesh *mesh,
                            plait_error *error)
{
    const plait_model *m = &sim->model;
    int skin = scene->fibre[i].soft[e] - 1, nodes = m->first_node[i + 1] - m->first_node[i];
    const double *x = sim->work.x0 + 3 * (size_t)(e ? m->first_node[i + 1] - 1 : m->first_node[i]);
    const double *next = e ? x - 3 : x + 3;
    plait_mesh_point at;
    if (!plait_mesh_nearest(mesh, x, INFINITY, &at) || fabs(at.distance) > 2 * ON_IT * m->skin[skin].skin->radius)
        return plait_error_set(error, PLAIT_BAD_INPUT,
                               "fibre %d: its %s is bound to a soft body, but %g mm away from it: it has to be on it",
                               i, e ? "tip" : "root", 1e3 * fabs(at.distance));
    plait_side side = {.index = i, .segment = e ? nodes - 2 : 0, .a = e};
    double c[9], longest, *to = side.point;
    plait_mesh_corners(mesh, at.triangle, 0, c);
    plait_vec3_copy(x, to);
    bool ok = add(sim, &side, skin, at.triangle, at.weight[1], at.weight[2], at.point);
    bool clamped = scene->fibre[i].end[e] != PLAIT_END_PINNED && height_of(next, c, &longest) > STEEP * longest;
    plait_body *body = &m->body[m->chain_body[i]];
    if (body->type->turn_with && scene->fibre[i].end[e] == PLAIT_END_CLAMPED)
        body->type->turn_with(body, e, &m->body[m->skin_body[skin]],
                              m->skin[skin].skin->triangle + 3 * (size_t)at.triangle);
    side.a = 1 - e;
    plait_vec3_copy(next, to);
    for (int k = 0; k < 3 && ok && clamped; k++)
        ok = add(sim, &side, skin, at.triangle, k == 1, k == 2, c + 3 * k);
    return ok ? PLAIT_OK : plait_error_set(error, PLAIT_NO_MEMORY, "no memory to bind %d fibres", scene->fibres);
}

plait_status plait_sim_tie_roots(plait_sim *sim, const plait_scene *scene, plait_error *error)
{
    const plait_model *m = &sim->model;
    plait_status status = PLAIT_OK;
    bool any = false;
    for (int s = 0; s < m->skins && status == PLAIT_OK; s++) {
        const plait_skin *skin = m->skin[s].skin;
        const double *x = sim->work.x0 + 3 * (size_t)m->first_skin_node[s];
        plait_mesh mesh = {0};
        for (int k = 0; k < 2 * scene->fibres && status == PLAIT_OK; k++) {
            if (scene->fibre[k / 2].soft[k % 2] != s + 1)
                continue;
            if (!plait_mesh_set(&mesh, m->skin[s].nodes, x, x, skin->triangles, skin->triangle, false))
                status = plait_error_set(error, PLAIT_NO_MEMORY, "no memory to bind fibres");
            else
                status = tie_end(sim, scene, k / 2, k % 2, &mesh, error);
            any = true;
        }
        plait_mesh_free(&mesh);
    }
    if (status == PLAIT_OK && any && !plait_state_write_contacts(&sim->state, &sim->model, &sim->work))
        status = plait_error_set(error, PLAIT_NO_MEMORY, "no memory for ties");
    return status;
}
