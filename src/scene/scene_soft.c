// scene_soft.c: cloth and solids, from what a file says of them.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "body/soft_edges.h"
#include "file/mesh.h"
#include "file/tets.h"
#include "math/quat.h"
#include "math/vec3.h"
#include "scene/scene.h"
#include "scene/schema_scene.h"

static bool no_memory(const plait_schema_reader *r)
{
    plait_error_set(r->error, PLAIT_NO_MEMORY, "scene: not enough memory");
    return false;
}

static int cells(double size, double cell)
{
    return (int)fmin(fmax(1, ceil(size / cell - 1e-9)), 1e6);
}

// ---- nodes and cells ----------------------------------------------------------------------------------------------

static plait_status make_grid(const plait_doc_grid *g, plait_soft *cloth, plait_error *error)
{
    plait_gen_grid o = {.size = {g->width, g->height},
                        .cells = {cells(g->width, g->cell), cells(g->height, g->cell)},
                        .pattern = (plait_gen_pattern)g->pattern,
                        .rolled = g->rolled,
                        .seed = g->seed};
    if (fabs(g->rolled) * g->width >= 2 * M_PI)
        return plait_error_set(error, PLAIT_BAD_INPUT, "a grid of %g m that is rolled with %g 1/m goes round whole",
                               g->width, g->rolled);
    return plait_gen_cloth_grid(&o, cloth, error);
}

// Cloth of its triangles, or a solid that fills it.
static plait_status make_mesh(const plait_doc_soft_file *f, bool fill, plait_soft *soft, plait_error *error)
{
    plait_shape mesh = {0};
    plait_status status = plait_mesh_read(f->path, &mesh, error);
    if (status != PLAIT_OK)
        return status;
    for (size_t i = 0; i < 3 * (size_t)mesh.points; i++)
        mesh.point[i] *= f->scale;
    status = fill ? plait_gen_solid_fill(&mesh, f->cell, soft, error) : plait_gen_cloth_mesh(&mesh, soft, error);
    free(mesh.point), free(mesh.triangle), free(mesh.frame);
    return status;
}

static plait_status make_file(const plait_doc_soft_file *f, plait_soft *solid, plait_error *error)
{
    plait_tets tets;
    plait_status status = plait_tets_read(f->path, &tets, error);
    if (status != PLAIT_OK)
        return status;
    for (size_t i = 0; i < 3 * (size_t)tets.points; i++)
        tets.point[i] *= f->scale;
    solid->point = tets.point, solid->points = tets.points;
    solid->tetrahedron = tets.tetrahedron, solid->tetrahedra = tets.tetrahedra;
    return plait_soft_skin(solid, error);
}

static plait_status make_block(const plait_doc_block *b, plait_gen_block kind, plait_soft *solid, plait_error *error)
{
    plait_gen_solid o = {.block = kind, .irregular = b->irregular, .seed = b->seed};
    for (int k = 0; k < 3; k++) {
        o.size[k] = kind == PLAIT_GEN_BOX                   ? b->size[k]
                    : kind == PLAIT_GEN_CYLINDER && k == 2 ? b->length
                                                           : 2 * b->radius;
        o.cells[k] = cells(o.size[k], b->cell);
        // An even number keeps the flat edges of what was bent together with a diagonal.
        if (kind != PLAIT_GEN_BOX && !(kind == PLAIT_GEN_CYLINDER && k == 2))
            o.cells[k] += o.cells[k] % 2;
    }
    return plait_gen_solid_block(&o, solid, error);
}

static plait_status generate(const plait_doc_soft *d, plait_soft *soft, plait_error *error)
{
    if (d->grid)
        return make_grid(d->grid, soft, error);
    if (d->mesh)
        return make_mesh(d->mesh, false, soft, error);
    if (d->box)
        return make_block(d->box, PLAIT_GEN_BOX, soft, error);
    if (d->sphere)
        return make_block(d->sphere, PLAIT_GEN_BALL, soft, error);
    if (d->fill)
        return make_mesh(d->fill, true, soft, error);
    if (d->file)
        return make_file(d->file, soft, error);
    return make_block(d->cylinder, PLAIT_GEN_CYLINDER, soft, error);
}

// The generator's key: the one that is there. NULL with *error if there is none, or another one too.
static const plait_yaml_node *find_generator(const plait_schema_reader *r, const plait_schema *table,
                                             const plait_schema_item *item)
{
    const plait_yaml_node *found = NULL, *place = item->node->key ? item->node->key : item->node;
    char words[160] = "";
    for (const plait_schema_key *k = table->keys; k->name; k++) {
        const plait_yaml_node *n = k->type == PLAIT_KEY_OPTIONAL ? plait_yaml_find(item->node, k->name) : NULL;
        if (k->type == PLAIT_KEY_OPTIONAL) {
            strncat(words, words[0] ? ", " : "", sizeof words - strlen(words) - 1);
            strncat(words, k->name, sizeof words - strlen(words) - 1);
        }
        if (n && found) {
            plait_yaml_fail(r->error, n->key, "expected exactly one generator, found '%s' and '%s'", found->key->text,
                            n->key->text);
            return NULL;
        }
        found = n ? n : found;
    }
    if (!found)
        plait_yaml_fail(r->error, place, "a generator is missing here, one of: %s", words);
    return found;
}

// ---- what is held -------------------------------------------------------------------------------------------------

enum { ALL, LEFT, RIGHT, FRONT, BACK, BOTTOM, TOP, CORNERS, RIM };

// Nodes of edges that one triangle has. False without memory.
static bool mark_rim(const plait_soft *s, unsigned char *rim)
{
    int edges;
    plait_edge *edge = plait_edges_of(s->triangles, s->triangle, &edges);
    for (int i = 0; edge && i < edges; i++)
        if (edge[i].triangle[1] < 0)
            rim[edge[i].node[0]] = rim[edge[i].node[1]] = 1;
    free(edge);
    return edge != NULL;
}

static bool chosen(const plait_doc_pin *pin, const double *x, const double low[3], const double high[3], bool rim)
{
    double near = 1e-6;
    int axis = (pin->side - 1) / 2, ends = 0;
    for (int k = 0; k < 3; k++) {
        double size = plait_larger(high[k] - low[k], 1e-300);
        ends += x[k] - low[k] <= near * size || high[k] - x[k] <= near * size;
        if (!(x[k] >= pin->low[k] && x[k] <= pin->high[k]))
            return false;
        if (pin->side >= LEFT && pin->side <= TOP && axis == k &&
            !(pin->side % 2 == 1 ? x[k] - low[k] <= near * size : high[k] - x[k] <= near * size))
            return false;
    }
    return pin->side == CORNERS ? ends == 3 : pin->side == RIM ? rim : true;
}

static bool hold_nodes(const plait_schema_reader *r, const plait_doc_soft *d, plait_soft *s)
{
    double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
    if (d->pins.count == 0)
        return true;
    s->hold = malloc((size_t)s->points * sizeof *s->hold);
    unsigned char *rim = calloc((size_t)s->points, 1);
    bool ok = s->hold && rim, needs_rim = false;
    for (int i = 0; i < s->points; i++)
        for (int k = 0; k < 3; k++)
            low[k] = fmin(low[k], s->point[3 * i + k]), high[k] = fmax(high[k], s->point[3 * i + k]);
    for (int p = 0; p < d->pins.count; p++)
        needs_rim |= ((const plait_doc_pin *)d->pins.item[p].value)->side == RIM;
    ok = ok && (!needs_rim || mark_rim(s, rim));
    for (int i = 0; ok && i < s->points; i++)
        s->hold[i] = PLAIT_HOLD_FREE;
    for (int p = 0; ok && p < d->pins.count; p++) {
        const plait_doc_pin *pin = d->pins.item[p].value;
        int count = 0;
        for (int i = 0; i < s->points; i++)
            if (chosen(pin, s->point + 3 * (size_t)i, low, high, rim[i]))
                s->hold[i] = pin->attach >= 0 ? pin->attach : PLAIT_HOLD_WORLD, count++;
        if (count == 0) {
            free(rim);
            return plait_yaml_fail(r->error, d->pins.item[p].node, "there are no nodes here");
        }
    }
    free(rim);
    return ok || no_memory(r);
}

// ---- all of it ----------------------------------------------------------------------------------------------------

static void place(const plait_doc_soft *d, plait_soft *s)
{
    double q[4], R[9];
    plait_quat_exp(d->rotation, q);
    plait_quat_matrix(q, R);
    for (int i = 0; i < s->points; i++) {
        double *x = s->point + 3 * (size_t)i;
        plait_mat3_apply(R, x, x);
        plait_vec3_axpy(1, d->position, x);
    }
}

bool plait_doc_build_soft(const plait_schema_reader *r, const plait_schema_item *item, const char *name, bool solid,
                          plait_scene *scene)
{
    const plait_doc_soft *d = item->value;
    const plait_yaml_node *generator = find_generator(r, solid ? &plait_schema_solid : &plait_schema_cloth, item);
    plait_soft soft = d->soft;
    plait_error inner = {0};
    soft.model = (plait_soft_model)(d->model + (solid ? PLAIT_SOFT_COROTATIONAL : 0));
    if (!generator || !plait_doc_needs_material(r, item))
        return false;
    plait_status status = generate(d, &soft, &inner);
    bool ok = status == PLAIT_OK;
    if (status == PLAIT_NO_MEMORY)
        no_memory(r);
    else if (!ok)
        plait_yaml_fail(r->error, generator->key, "%s", inner.text);
    ok = ok && hold_nodes(r, d, &soft);
    if (ok) {
        place(d, &soft);
        ok = plait_scene_add_soft(scene, name, &soft) >= 0 || no_memory(r);
    }
    plait_soft_free(&soft);
    return ok;
}
