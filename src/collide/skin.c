// skin.c: skins, and what they may touch, as surfaces; what is found as contacts.
#include "collide/skin.h"

#include <math.h>

#include "collide/placed.h"
#include "math/mat3.h"

void plait_skins_free(plait_skins *s)
{
    if (!s)
        return;
    plait_surface_detector_free(s->detector);
    plait_surface_touches_free(&s->now), plait_surface_touches_free(&s->before),
        plait_surface_touches_free(&s->unsorted);
    free(s->surface), free(s->shape_surface), free(s->surface_shape), free(s->link), free(s->link_radius);
    free(s->link_chain), free(s->link_skip), free(s->row), free(s->x0), free(s->x1), free(s->before_item);
    free(s->order), free(s->load), free(s);
}

// ---- surfaces -----------------------------------------------------------------------------------------------------

// Links of all chains behind each other.
static bool list_links(plait_skins *s, const plait_scenery *scenery)
{
    int64_t links = 0;
    for (int i = 0; i < scenery->chains; i++)
        links += scenery->chain[i].nodes - 1;
    if (links > INT32_MAX / 4 || !plait_grow(&s->link, &s->link_room, 2 * links, sizeof *s->link) ||
        !plait_grow(&s->link_radius, &s->radius_room, links, sizeof *s->link_radius) ||
        !plait_grow(&s->link_chain, &s->chain_room, links, sizeof *s->link_chain) ||
        !plait_grow(&s->link_skip, &s->skip_room, links, sizeof *s->link_skip))
        return false;
    s->links = 0;
    for (int i = 0; i < scenery->chains; i++) {
        const plait_chain_geometry *c = &scenery->chain[i];
        for (int k = 0; k + 1 < c->nodes; k++) {
            int l = s->links++;
            s->link[2 * l] = c->first + k, s->link[2 * l + 1] = c->first + k + 1;
            s->link_radius[l] = c->radius, s->link_chain[l] = i;
            s->link_skip[l] = k == 0 ? c->carrier[0] - 1 : k + 2 == c->nodes ? c->carrier[1] - 1 : -1;
        }
    }
    return true;
}

// Vertices of shape i that skins meet as a surface: of meshes and curves, corners of others; 0: none.
static int vertices(const plait_placed *placed, plait_shape_support *support)
{
    const plait_shape *shape = placed->geometry->shape;
    const plait_shape_type *type = plait_shape_type_of(shape);
    *support = (plait_shape_support){0};
    if (type->cells)
        return type->cells == 2 && shape->triangles <= 0 ? 0 : shape->points;
    if (type->support)
        type->support(shape, support);
    return support->radius == 0 ? support->balls : 0;
}

static void place_vertices(const plait_placed *p, const plait_shape_support *support, int count, double *x0, double *x1)
{
    for (int64_t n = 0; n < count; n++) {
        bool own = plait_shape_type_of(p->geometry->shape)->cells > 0;
        const double *y0 = own ? p->geometry->point0 + 3 * n : support->ball[n];
        const double *y1 = own ? p->geometry->point1 + 3 * n : support->ball[n];
        plait_mat3_affine(p->R[0], y0, p->x[0], x0 + 3 * n);
        plait_mat3_affine(p->R[1], y1, p->x[1], x1 + 3 * n);
    }
}

static plait_surface shape_surface(const plait_placed *placed, int count, const int *row, const double *x0,
                                   const double *x1)
{
    const plait_shape *shape = placed->geometry->shape;
    int dimension = plait_shape_type_of(shape)->cells;
    plait_surface s = {.dimension = dimension, .nodes = count, .cells = count, .x0 = x0, .x1 = x1, .passive = true};
    if (dimension == 2)
        s.cells = shape->triangles, s.cell = shape->triangle, s.radius = placed->offset, s.closed = shape->closed;
    else if (dimension == 1)
        s.cells = count - 1, s.cell = row, s.radius = shape->size[0];
    return s;
}

static bool list_shapes(plait_detector *d, plait_skins *s)
{
    plait_shape_support support;
    int64_t points = 0, longest = 0;
    for (int i = 0; i < d->shapes; i++) {
        int count = vertices(&d->placed[i], &support);
        points += count, longest = count > longest ? count : longest;
    }
    int64_t known = s->row_room / 2;
    if (!plait_grow(&s->x0, &s->x0_room, 3 * points, sizeof *s->x0) ||
        !plait_grow(&s->x1, &s->x1_room, 3 * points, sizeof *s->x1) ||
        !plait_grow(&s->row, &s->row_room, 2 * longest, sizeof *s->row))
        return false;
    for (int64_t k = known; 2 * k + 1 < s->row_room; k++)
        s->row[2 * k] = (int)k, s->row[2 * k + 1] = (int)k + 1;
    double *x0 = s->x0, *x1 = s->x1;
    for (int i = 0; i < d->shapes; i++) {
        int count = vertices(&d->placed[i], &support);
        s->shape_surface[i] = -1;
        if (count == 0)
            continue;
        place_vertices(&d->placed[i], &support, count, x0, x1);
        s->shape_surface[i] = s->surfaces, s->surface_shape[s->surfaces] = i;
        s->surface[s->surfaces++] = shape_surface(&d->placed[i], count, s->row, x0, x1);
        x0 += 3 * (int64_t)count, x1 += 3 * (int64_t)count;
    }
    return true;
}

static bool list_surfaces(plait_detector *d, plait_skins *s)
{
    const plait_scenery *now = d->scenery;
    int most = now->skins + 1 + d->shapes;
    if (!plait_grow(&s->surface, &s->surface_room, most, sizeof *s->surface) ||
        !plait_grow(&s->surface_shape, &s->back_room, most, sizeof *s->surface_shape) ||
        !plait_grow(&s->shape_surface, &s->shape_room, d->shapes + 1, sizeof *s->shape_surface) || !list_links(s, now))
        return false;
    const double *x1 = now->x1 ? now->x1 : now->x0;
    s->surfaces = 0, s->chains = -1;
    for (int i = 0; i < now->skins; i++) {
        const plait_skin_geometry *g = &now->skin[i];
        s->surface_shape[s->surfaces] = -1;
        s->surface[s->surfaces++] = (plait_surface){.dimension = 2,
                                                    .nodes = g->nodes,
                                                    .cells = g->skin->triangles,
                                                    .cell = g->skin->triangle,
                                                    .x0 = now->x0 + 3 * (int64_t)g->first,
                                                    .x1 = x1 + 3 * (int64_t)g->first,
                                                    .rest = g->skin->rest,
                                                    .radius = g->skin->radius,
                                                    .self = g->skin->self,
                                                    .closed = g->skin->closed};
    }
    if (s->links > 0) {
        s->chains = s->surfaces, s->surface_shape[s->surfaces] = -1;
        s->surface[s->surfaces++] = (plait_surface){.dimension = 1,
                                                    .nodes = now->nodes,
                                                    .cells = s->links,
                                                    .cell = s->link,
                                                    .x0 = now->x0,
                                                    .x1 = x1,
                                                    .cell_radius = s->link_radius,
                                                    .skip = s->link_skip,
                                                    .passive = true};
    }
    return list_shapes(d, s);
}

// ---- sides of contacts --------------------------------------------------------------------------------------------

// The cell that looks after a feature, and the weights of its corners.
static int cell_of(const plait_topology *t, const plait_surface_side *side, double w[3])
{
    int c = side->kind == PLAIT_ON_NODE   ? t->node_owner[side->feature]
            : side->kind == PLAIT_ON_EDGE ? t->edge_owner[side->feature]
                                          : side->feature;
    const int *corner = plait_surface_cell(t, c);
    w[0] = w[1] = w[2] = 0;
    for (int k = 0; k <= t->dimension; k++)
        for (int n = 0; n < side->nodes; n++)
            if (corner[k] == side->node[n])
                w[k] = side->weight[n];
    return c;
}

// a, b of weights, so that what is zero is told exactly.
static void set_weights(const double w[3], plait_side *to)
{
    to->a = w[1], to->b = w[2];
    if (w[0] == 0)
        to->b = 1 - to->a;
    if (to->a + to->b > 1)
        to->b = 1 - to->a;
}

static void to_side(const plait_detector *d, const plait_skins *s, const plait_surface_side *from, plait_touch *touch,
                    int k)
{
    plait_side *to = &touch->side[k];
    double w[3];
    plait_vec3_copy(from->point, to->point);
    if (from->kind == PLAIT_ON_SHAPE) {
        to->on_shape = true, to->index = from->surface;
        plait_placed_move(&d->placed[to->index], to->point, to->move);
        return;
    }
    const plait_topology *t = &s->detector->topology[from->surface];
    int c = cell_of(t, from, w), shape = s->surface_shape[from->surface];
    if (shape >= 0) {
        const plait_surface *surface = &s->surface[from->surface];
        to->on_shape = true, to->index = shape, to->segment = t->dimension == 0 ? c + 1 : c;
        set_weights(w, to);
        if (!d->placed[shape].geometry->moves_freely)
            for (int n = 0; n < from->nodes; n++) {
                plait_vec3_axpy(from->weight[n], surface->x1 + 3 * (int64_t)from->node[n], to->move);
                plait_vec3_axpy(-from->weight[n], surface->x0 + 3 * (int64_t)from->node[n], to->move);
            }
        plait_vec3_axpy((k ? 1 : -1) * surface->radius, touch->normal, to->point); // from the triangle to the surface
    } else if (from->surface == s->chains) {
        const plait_chain_geometry *chain = &d->scenery->chain[s->link_chain[c]];
        const double *arc = d->scenery->arc + s->link[2 * c];
        to->index = s->link_chain[c], to->segment = s->link[2 * c] - chain->first, to->a = w[1];
        touch->arc[k] = arc[0] + to->a * (arc[1] - arc[0]);
    } else {
        to->on_skin = true, to->index = from->surface, to->segment = c;
        set_weights(w, to);
    }
}

// ---- area ---------------------------------------------------------------------------------------------------------

static double triangle_area(const plait_topology *t, const double *x, int c)
{
    const int *corner = plait_surface_cell(t, c);
    double e[3], f[3], n[3];
    plait_vec3_sub(x + 3 * (int64_t)corner[1], x + 3 * (int64_t)corner[0], e);
    plait_vec3_sub(x + 3 * (int64_t)corner[2], x + 3 * (int64_t)corner[0], f);
    plait_vec3_cross(e, f, n);
    return 0.5 * plait_vec3_norm(n);
}

// Which face of its skin a side is touched at: 0, or 1 if the normal, which leaves it, looks the other way than its
// triangle.
static int face_of(const plait_topology *t, const plait_surface *surface, const plait_surface_side *side,
                   const double out[3])
{
    double w[3], e[3], f[3], n[3];
    const int *corner = plait_surface_cell(t, cell_of(t, side, w));
    plait_vec3_sub(surface->x0 + 3 * (int64_t)corner[1], surface->x0 + 3 * (int64_t)corner[0], e);
    plait_vec3_sub(surface->x0 + 3 * (int64_t)corner[2], surface->x0 + 3 * (int64_t)corner[0], f);
    plait_vec3_cross(e, f, n);
    return plait_vec3_dot(n, out) < 0;
}

static const plait_topology *skin_of(const plait_skins *s, const plait_surface_side *side)
{
    const plait_topology *t = side->kind == PLAIT_ON_SHAPE ? NULL : &s->detector->topology[side->surface];
    return t && t->dimension == 2 ? t : NULL;
}

static void outward(const plait_surface_touch *t, int k, double out[3])
{
    for (int i = 0; i < 3; i++)
        out[i] = (k ? 1 : -1) * t->normal[i];
}

// s->load[2 node + face]: how much all contacts together weigh at a node. False without memory.
static bool weigh(plait_skins *s)
{
    size_t count = 2 * (size_t)s->detector->nodes;
    if (!plait_grow(&s->load, &s->load_room, (int64_t)count + 1, sizeof *s->load))
        return false;
    memset(s->load, 0, count * sizeof *s->load);
    for (int i = 0; i < s->now.count; i++)
        for (int k = 0; k < 2; k++) {
            const plait_surface_side *side = &s->now.touch[i].side[k];
            const plait_topology *t = skin_of(s, side);
            double out[3];
            outward(&s->now.touch[i], k, out);
            int face = t ? face_of(t, &s->surface[side->surface], side, out) : 0;
            for (int a = 0; t && a < side->nodes; a++)
                s->load[2 * (t->first_node + side->node[a]) + face] += side->weight[a];
        }
    return true;
}

// A node of a skin stands for a third of the triangles around it, on each of its faces. Contacts that act on a node
// share its area by their weights: all of them together have that of the surface that touches, on any mesh. (Gascon et
// al. take the mean of the triangles around each: a grid of n x n cells on a plane then has (1 + 1/n)^2/2 of its area.)
static double area_of(const plait_skins *s, const plait_surface_touch *touch, int k)
{
    const plait_surface_side *side = &touch->side[k];
    if (side->kind == PLAIT_ON_SHAPE)
        return INFINITY;
    const plait_topology *t = &s->detector->topology[side->surface];
    const plait_surface *surface = &s->surface[side->surface];
    const double *x = surface->rest ? surface->rest : surface->x0;
    double sum = 0, w[3], out[3];
    if (t->dimension < 2) { // links: length times width; points: any
        int c = cell_of(t, side, w);
        const int *end = plait_surface_cell(t, c);
        double u[3];
        if (t->dimension == 0)
            return INFINITY;
        plait_vec3_sub(x + 3 * (int64_t)end[1], x + 3 * (int64_t)end[0], u);
        return plait_vec3_norm(u) * 2 * plait_surface_radius(surface, c);
    }
    outward(touch, k, out);
    int face = face_of(t, surface, side, out);
    for (int a = 0; a < side->nodes; a++) {
        int node = side->node[a];
        double around = 0; // triangles are met at two edges of a node each
        for (int i = t->first[node]; i < t->first[node + 1]; i++)
            for (int c = 0; c < 2; c++)
                if (t->edge_cell[2 * t->around[i] + c] >= 0)
                    around += 0.5 * triangle_area(t, x, t->edge_cell[2 * t->around[i] + c]);
        sum += side->weight[a] / plait_larger(1, s->load[2 * (t->first_node + node) + face]) * around / 3;
    }
    return sum;
}

static bool convert(plait_detector *d, const plait_skins *s, const plait_surface_touch *t)
{
    plait_touch *touch = plait_touches_add(&d->gathered);
    if (!touch)
        return false;
    // Chains come first, shapes last.
    int first = t->side[1].kind != PLAIT_ON_SHAPE && t->side[1].surface == s->chains;
    for (int k = 0; k < 3; k++)
        touch->normal[k] = first ? -t->normal[k] : t->normal[k];
    to_side(d, s, &t->side[first], touch, 0), to_side(d, s, &t->side[1 - first], touch, 1);
    double area = fmin(area_of(s, t, 0), area_of(s, t, 1));
    touch->area = isfinite(area) ? area : 0;
    touch->gap = t->gap, touch->swept = t->swept;
    touch->last = t->last >= 0 ? s->before_item[t->last] : -1;
    return true;
}

// ---- contacts of the last step ------------------------------------------------------------------------------------

static bool from_side(const plait_detector *d, const plait_skins *s, const plait_side *from, plait_surface_side *to)
{
    *to = (plait_surface_side){.kind = PLAIT_ON_SHAPE, .surface = from->index};
    int c = from->segment, surface;
    double w[3] = {1 - from->a - from->b, from->a, from->b};
    if (from->on_shape) {
        surface = s->shape_surface[from->index];
        bool mesh = plait_shape_type_of(d->placed[from->index].geometry->shape)->cells > 0;
        if (!mesh && c == 0)
            return true;
        c -= !mesh;
    } else if (from->on_skin) {
        surface = from->index;
    } else {
        const plait_chain_geometry *chain = &d->scenery->chain[from->index];
        surface = s->chains, c += chain->first - from->index; // each chain before has one link less than nodes
    }
    if (surface < 0 || surface >= s->surfaces || c < 0 || c >= s->surface[surface].cells)
        return false;
    const plait_topology *t = &s->detector->topology[surface];
    to->surface = surface;
    for (int k = 0; k <= t->dimension; k++)
        if (w[k] > 0)
            to->node[to->nodes] = plait_surface_cell(t, c)[k], to->weight[to->nodes++] = w[k];
    to->kind = to->nodes == 3 ? PLAIT_ON_FACE : to->nodes == 2 ? PLAIT_ON_EDGE : PLAIT_ON_NODE;
    to->feature = to->nodes == 3   ? c
                  : to->nodes == 2 ? plait_topology_edge(t, to->node[0], to->node[1])
                                   : to->node[0];
    return to->nodes > 0 && to->feature >= 0;
}

// before <- those of the last list that have a skin, as the detector of surfaces had them.
static bool recall(plait_detector *d, plait_skins *s)
{
    const plait_touches *old = d->previous;
    plait_surface_touches *all = &s->unsorted;
    int64_t most = old ? old->count : 0;
    int count = 0;
    for (int i = 0; i < most; i++)
        count += old->touch[i].side[0].on_skin || old->touch[i].side[1].on_skin;
    s->before.count = 0;
    if (count == 0)
        return true;
    if (!plait_grow(&all->touch, &all->room, count, sizeof *all->touch) ||
        !plait_grow(&s->before.touch, &s->before.room, count, sizeof *s->before.touch) ||
        !plait_grow(&s->before_item, &s->item_room, count, sizeof *s->before_item) ||
        !plait_grow(&s->order, &s->order_room, 3 * (int64_t)count, sizeof *s->order))
        return false;
    int *order = s->order, *item = s->order + 2 * (int64_t)count;
    all->count = 0;
    for (int i = 0; i < most; i++) {
        const plait_touch *t = &old->touch[i];
        int turned = !t->side[0].on_skin; // a chain comes first
        plait_surface_touch *b = &all->touch[all->count];
        if (!t->side[turned].on_skin || !from_side(d, s, &t->side[turned], &b->side[0]) ||
            !from_side(d, s, &t->side[1 - turned], &b->side[1]))
            continue;
        b->swept = t->swept, b->time = 0, b->gap = t->gap;
        item[all->count++] = i;
    }
    plait_surface_sort(all->touch, all->count, order, order + count);
    for (int i = 0; i < all->count; i++) {
        s->before.touch[i] = all->touch[order[i]];
        s->before_item[i] = item[order[i]];
    }
    s->before.count = all->count;
    return true;
}

bool plait_skins_same(const plait_touch *a, const plait_touch *b)
{
    if (plait_vec3_dot(a->normal, b->normal) < 0.99)
        return false;
    for (int k = 0; k < 2; k++) {
        const plait_side *s = &a->side[k], *r = &b->side[k];
        double w = 1 - s->a - s->b, v = 1 - r->a - r->b;
        if (s->segment != r->segment || (s->a > 0) != (r->a > 0) || (s->b > 0) != (r->b > 0) || (w > 0) != (v > 0))
            return false;
    }
    return true;
}

plait_status plait_skins_touch(plait_detector *d, plait_error *error)
{
    const plait_scenery *now = d->scenery;
    if (now->skins == 0)
        return PLAIT_OK;
    plait_skins *s = d->skins = d->skins ? d->skins : calloc(1, sizeof *s);
    if (s && !s->detector)
        s->detector = plait_surface_detector_new();
    if (!s || !s->detector || !list_surfaces(d, s))
        return plait_error_set(error, PLAIT_NO_MEMORY, "no memory for %d skins", now->skins);
    plait_surfaces all = {.count = s->surfaces,
                          .shapes = now->shapes,
                          .surface = s->surface,
                          .shape = now->shape,
                          .proximity = now->proximity,
                          .mode = now->mode,
                          .crossing = d->crossing,
                          .near = d->crossing ? d->near_skin : 0,
                          .team = d->team};
    if (!plait_surface_prepare(s->detector, &all) || !recall(d, s))
        return plait_error_set(error, PLAIT_NO_MEMORY, "no memory for %d skins", now->skins);
    plait_status status = plait_surfaces_detect(s->detector, &all, &s->before, &s->now, error);
    if (status == PLAIT_OK && !weigh(s))
        status = plait_error_set(error, PLAIT_NO_MEMORY, "no memory for areas of %d contacts", s->now.count);
    for (int i = 0; status == PLAIT_OK && i < s->now.count; i++)
        if (!convert(d, s, &s->now.touch[i]))
            status = plait_error_set(error, PLAIT_NO_MEMORY, "no memory for %d contacts of skins", s->now.count);
    return status;
}
