// carry_maps.c: what the skin says about strands: texture coordinates of their roots, and how long maps leave them.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "file/mesh.h"
#include "io/carry.h"
#include "math/vec3.h"

plait_status plait_carry_uv(plait_carry *c, const plait_groom *groom, const plait_shape *skin, int begin, int end,
                            plait_error *error)
{
    plait_mesh_map map = {.width = 2};
    if (!groom->mesh || skin->triangles == 0)
        return PLAIT_OK;
    plait_status status = plait_mesh_read_map(groom->mesh, &map, error);
    for (int i = begin; status == PLAIT_OK && map.found && i < end; i++) {
        const plait_cell *cell = &c->root[i].cell;
        double uv[2];
        if (cell->triangle < 0 || cell->triangle >= skin->triangles ||
            !plait_mesh_map_at(&map, cell->triangle, skin->triangle + 3 * (size_t)cell->triangle, cell->weight, uv))
            continue;
        c->root_uv[2 * (size_t)i] = (float)uv[0], c->root_uv[2 * (size_t)i + 1] = (float)uv[1];
    }
    plait_mesh_map_free(&map);
    return status;
}

// The first `share` of a strand, with as many points as before.
static void shorten(double *x, int points, double share, double *room)
{
    double at = 0, d[3];
    memcpy(room, x, 3 * (size_t)points * sizeof *x);
    for (int k = 1; k < points; k++) {
        plait_vec3_sub(room + 3 * (size_t)k, room + 3 * (size_t)k - 3, d);
        at += plait_vec3_norm(d);
        plait_carry_point_at(room, points, share * at, x + 3 * (size_t)k);
    }
}

bool plait_carry_shorten(plait_carry *c, const plait_scene *scene, int begin, int end)
{
    int guides = c->strands.guides, most = 0;
    bool any = false;
    for (int i = begin; i < end; i++)
        most = c->first[i + 1] - c->first[i] > most ? c->first[i + 1] - c->first[i] : most;
    for (int f = 0; f < scene->fibres; f++)
        any = any || (scene->fibre[f].share > 0 && scene->fibre[f].share < 1);
    if (!any)
        return true;
    double *room = malloc((3 * (size_t)most + 1) * sizeof *room);
    for (int i = begin; room && i < end; i++) {
        double share = 0, weight = 0;
        for (int k = 0; k < guides; k++) {
            int f = c->guide[(size_t)guides * (size_t)i + (size_t)k];
            double w = f >= 0 && f < scene->fibres ? (double)c->weight[(size_t)guides * (size_t)i + (size_t)k] : 0;
            share += w > 0 ? w * (scene->fibre[f].share > 0 ? scene->fibre[f].share : 1) : 0, weight += w;
        }
        if (weight > 0 && share < weight)
            shorten(c->x0 + 3 * (size_t)c->first[i], c->first[i + 1] - c->first[i], share / weight, room);
    }
    free(room);
    return room != NULL;
}
