// abc_geometry.c: curves and polygon meshes of an Alembic archive, where their Xforms put them.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "file/abc_read.h"
#include "file/usda_read.h"
#include "math/mat3.h"

// ---- where objects stand -----------------------------------------------------------------------------------------

// A -> A then B, row vectors: [rows of A | translation].
static void then(plait_usda_affine *a, const plait_usda_affine *b)
{
    double A[9], t[3];
    plait_mat3_multiply(b->A, a->A, A);
    plait_mat3_apply(b->A, a->t, t);
    memcpy(a->A, A, sizeof A);
    for (int c = 0; c < 3; c++)
        a->t[c] = t[c] + b->t[c];
}

// One operation by its number: 0 scale, 1 translate, 2 rotate about an axis, 3 matrix, 4 to 6 rotate about x, y, z;
// angles in degrees. How many channels it takes; 0: unknown.
static int channels_of(int op)
{
    static const int count[] = {3, 3, 4, 16, 1, 1, 1};
    return op <= 6 ? count[op] : 0;
}

static void rotation(const double axis[3], double degrees, double A[9])
{
    double n = sqrt(axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2]), angle = degrees * 0.017453292519943295;
    double s = sin(angle), c = cos(angle);
    plait_mat3_identity(A);
    if (!(n > 0))
        return;
    double u[3] = {axis[0] / n, axis[1] / n, axis[2] / n};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            A[3 * i + j] = c * (i == j) + (1 - c) * u[i] * u[j];
    plait_mat3_add_cross(A, s, u);
}

static void operate(int op, const double *x, plait_usda_affine *m)
{
    *m = (plait_usda_affine){.A = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
    double axis[3] = {0};
    switch (op) {
    case 0:
        for (int c = 0; c < 3; c++)
            m->A[4 * c] = x[c];
        break;
    case 1:
        memcpy(m->t, x, sizeof m->t);
        break;
    case 2:
        rotation(x, x[3], m->A);
        break;
    case 3:
        for (int i = 0; i < 3; i++) {
            for (int j = 0; j < 3; j++)
                m->A[3 * i + j] = x[4 * j + i];
            m->t[i] = x[12 + i];
        }
        break;
    default:
        axis[op - 4] = 1;
        rotation(axis, x[0], m->A);
    }
}

static bool field_of(plait_abc_file *f, int node, const char *schema, const char *name, plait_abc_field *out,
                     bool *found)
{
    plait_abc_field compound;
    if (!plait_abc_find(f, f->node[node].properties, schema, &compound, found) || !*found)
        return !*found && true;
    return plait_abc_find(f, compound.group, name, out, found);
}

// The Xform's own: operations are applied from the last to the first.
static bool local_place(plait_abc_file *f, int node, double time, plait_usda_affine *out, bool *inherits)
{
    plait_abc_field field;
    bool found;
    double *ops = NULL, *vals = NULL, *flag = NULL;
    size_t count = 0, channels = 0, flags = 0;
    *out = (plait_usda_affine){.A = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
    bool ok = field_of(f, node, ".xform", ".ops", &field, &found) &&
              (!found || plait_abc_numbers(f, &field, 0, &ops, &count));
    ok = ok && field_of(f, node, ".xform", ".vals", &field, &found) &&
         (!found || plait_abc_numbers_at(f, &field, time, &vals, &channels));
    ok = ok && field_of(f, node, ".xform", ".inherits", &field, &found) &&
         (!found || plait_abc_numbers(f, &field, 0, &flag, &flags));
    *inherits = !(ok && flags > 0 && flag[0] == 0);
    size_t end = channels;
    for (size_t i = count; ok && i-- > 0;) {
        plait_usda_affine m;
        int op = (int)ops[i] >> 4, n = channels_of(op);
        if (n == 0 || (size_t)n > end) {
            ok = plait_abc_damaged(f, "an Xform with as many channels as its operations take");
            break;
        }
        end -= (size_t)n;
        operate(op, vals + end, &m);
        then(out, &m);
    }
    free(ops);
    free(vals);
    free(flag);
    return ok;
}

static bool place(plait_abc_file *f, int node, double time, plait_usda_affine *out)
{
    *out = (plait_usda_affine){.A = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
    for (bool more = true; more && node >= 0; node = f->node[node].parent) {
        plait_usda_affine m;
        if (f->node[node].schema != PLAIT_ABC_XFORM)
            continue;
        if (!local_place(f, node, time, &m, &more))
            return false;
        then(out, &m);
    }
    return true;
}

static bool widen_place(plait_abc_file *f, int node, plait_figure *figure)
{
    for (; node >= 0; node = f->node[node].parent) {
        plait_abc_field field;
        bool found;
        if (f->node[node].schema != PLAIT_ABC_XFORM)
            continue;
        if (!field_of(f, node, ".xform", ".vals", &field, &found))
            return false;
        if (found)
            plait_abc_widen(f, &field, &figure->first, &figure->last, &figure->step);
    }
    return true;
}

// ---- properties --------------------------------------------------------------------------------------------------

// Numbers of a property of a geometry, or of its arbitrary parameters, rows of *extent; indexed ones are laid out.
static bool rows_of(plait_abc_file *f, int node, bool arbitrary, const char *name, double **x, size_t *count,
                    int *extent)
{
    plait_abc_field compound, field, inner;
    bool found;
    *x = NULL;
    *count = 0;
    if (!plait_abc_find(f, f->node[node].properties, ".geom", &compound, &found) || !found)
        return !found && true;
    if (arbitrary &&
        (!plait_abc_find(f, compound.group, ".arbGeomParams", &field, &found) || !found || field.kind != 0))
        return true;
    if (!plait_abc_find(f, arbitrary ? field.group : compound.group, name, &field, &found))
        return false;
    if (!found)
        return true;
    *extent = (int)field.extent;
    if (field.kind != 0)
        return field.pod >= 12 || plait_abc_numbers(f, &field, 0, x, count);
    double *vals = NULL, *index = NULL;
    size_t values = 0, indices = 0;
    bool ok = plait_abc_find(f, field.group, ".vals", &inner, &found) && found && inner.pod < 12 &&
              plait_abc_numbers(f, &inner, 0, &vals, &values);
    size_t each = ok ? (size_t)inner.extent : 1;
    *extent = (int)each;
    ok = ok && plait_abc_find(f, field.group, ".indices", &inner, &found) && found &&
         plait_abc_numbers(f, &inner, 0, &index, &indices);
    *x = ok ? malloc((indices * each + 1) * sizeof **x) : NULL;
    ok = ok && *x;
    for (size_t i = 0; ok && i < indices; i++) {
        ok = index[i] >= 0 && index[i] < (double)(values / each);
        for (size_t k = 0; ok && k < each; k++)
            (*x)[i * each + k] = vals[(size_t)index[i] * each + k];
    }
    *count = ok ? indices * each : 0;
    free(vals);
    free(index);
    return ok || f->error->status != PLAIT_OK ? ok : plait_abc_damaged(f, "an indexed parameter");
}

static bool parameter(plait_abc_file *f, int node, bool arbitrary, const char *name, double **x, size_t *count)
{
    int extent;
    return rows_of(f, node, arbitrary, name, x, count, &extent);
}

// ---- meshes ------------------------------------------------------------------------------------------------------

typedef struct part {
    int node, first, points;
    plait_abc_field point;
} part;

typedef struct model {
    plait_abc_file *file;
    part *part;
    int parts;
} model;

static bool pose(void *self, double time, double *x)
{
    model *m = self;
    for (int i = 0; i < m->parts; i++) {
        const part *p = &m->part[i];
        double *now, *to = x + 3 * (size_t)p->first;
        size_t count;
        plait_usda_affine a;
        if (!plait_abc_numbers_at(m->file, &p->point, time, &now, &count))
            return false;
        if (count != 3 * (size_t)p->points) {
            free(now);
            return plait_abc_damaged(m->file, "meshes with as many points at all times");
        }
        bool ok = place(m->file, p->node, time, &a);
        for (int k = 0; ok && k < p->points; k++)
            plait_mat3_affine(a.A, now + 3 * (size_t)k, a.t, to + 3 * (size_t)k);
        free(now);
        if (!ok)
            return false;
    }
    return true;
}

static bool add_mesh(model *m, int node, plait_mesh_builder *b, plait_figure *figure)
{
    plait_abc_file *f = m->file;
    part *p = &m->part[m->parts];
    plait_abc_field counts, index;
    double *n = NULL, *c = NULL, *x = NULL;
    size_t faces = 0, corners = 0, numbers = 0;
    plait_figure_map map = {0};
    bool has[3];
    *p = (part){.node = node, .first = figure->points};
    if (!field_of(f, node, ".geom", "P", &p->point, &has[0]) ||
        !field_of(f, node, ".geom", ".faceCounts", &counts, &has[1]) ||
        !field_of(f, node, ".geom", ".faceIndices", &index, &has[2]))
        return false;
    if (!has[0] || !has[1] || !has[2] || p->point.extent != 3)
        return true;
    bool ok = plait_abc_numbers(f, &counts, 0, &n, &faces) && plait_abc_numbers(f, &index, 0, &c, &corners) &&
              plait_abc_numbers(f, &p->point, 0, &x, &numbers);
    free(x);
    p->points = ok ? (int)(numbers / 3) : 0;
    if (ok && (numbers / 3 > (size_t)1 << 28 || p->points + figure->points > 1 << 28))
        ok = plait_abc_damaged(f, "fewer points");
    if (ok && b->width > 0)
        ok = rows_of(f, node, b->wish != NULL, b->wish ? b->wish : "uv", &map.value, &map.count, &map.width);
    ok = ok && plait_figure_faces(b, f->node[node].name, faces, n, corners, c, p->points, p->first, true, &map);
    free(map.value);
    free(n);
    free(c);
    if (!ok)
        return false;
    m->parts++;
    figure->points += p->points;
    plait_abc_widen(f, &p->point, &figure->first, &figure->last, &figure->step);
    return widen_place(f, node, figure);
}

bool plait_abc_meshes(FILE *file, plait_mesh_builder *b, plait_shape *shape)
{
    plait_abc_file f;
    model m = {.file = &f};
    plait_figure figure = {.pose = pose, .self = &m, .first = INFINITY, .last = -INFINITY, .step = INFINITY};
    bool ok = plait_abc_open(&f, file, b->name, b->error);
    m.part = ok ? calloc((size_t)f.nodes + 1, sizeof *m.part) : NULL;
    if (ok && !m.part)
        ok = plait_error_set(b->error, PLAIT_NO_MEMORY, "%s: not enough memory", b->name) == PLAIT_OK;
    for (int i = 0; ok && i < f.nodes; i++)
        if (f.node[i].schema == PLAIT_ABC_MESH)
            ok = add_mesh(&m, i, b, &figure);
    if (ok && figure.points == 0)
        ok = plait_mesh_fail(b, 0, "expected polygon meshes, found none");
    figure.step = isfinite(figure.step) ? figure.step : 0;
    ok = ok && plait_figure_bake(&figure, b, shape);
    free(m.part);
    plait_abc_close(&f);
    return ok;
}

// ---- curves ------------------------------------------------------------------------------------------------------

typedef struct strands {
    plait_abc_file *file;
    plait_curves_builder builder;
    double sum, weight;
    float *width, *colour, *uv;
    int *id, *group, *guide;
    bool has_width, has_colour, has_uv, has_id, has_group, has_guide;
} strands;

// Values for each of `count` things behind `before` earlier ones; one value is for all. False without memory.
static bool append(strands *s, const double *x, size_t found, size_t before, size_t count, size_t each, void **list,
                   bool whole, bool *has)
{
    *has = *has && (found == count * each || found == each) && found > 0;
    if (!*has)
        return true;
    void *grown = realloc(*list, (before + count) * each * 4 + 4);
    if (!grown)
        return plait_error_set(s->file->error, PLAIT_NO_MEMORY, "%s: not enough memory", s->file->name) == PLAIT_OK;
    *list = grown;
    for (size_t i = 0; i < count * each; i++) {
        double v = x[found == each ? i % each : i];
        if (whole)
            ((int *)grown)[before * each + i] = fabs(v) < 2147483648.0 ? (int)v : 0;
        else
            ((float *)grown)[before * each + i] = (float)v;
        *has = *has && isfinite((float)v);
    }
    return true;
}

static bool append_parameter(strands *s, int node, bool arbitrary, const char *name, size_t before, size_t count,
                             size_t each, void **list, bool whole, bool *has)
{
    double *x;
    size_t found;
    if (!*has)
        return true;
    if (!parameter(s->file, node, arbitrary, name, &x, &found))
        return false;
    bool ok = append(s, x, found, before, count, each, list, whole, has);
    free(x);
    return ok;
}

// Widths of strands become those of their nodes.
static bool append_widths(strands *s, const double *width, size_t widths, const plait_hair *h, int first, double scale)
{
    size_t begin = (size_t)h->first[first], nodes = (size_t)h->first[h->strands] - begin;
    size_t count = (size_t)(h->strands - first);
    double *x = malloc((nodes + 1) * sizeof *x);
    if (!x)
        return plait_error_set(s->file->error, PLAIT_NO_MEMORY, "%s: not enough memory", s->file->name) == PLAIT_OK;
    bool known = widths == 1 || widths == count || widths == nodes;
    for (int i = first; known && i < h->strands; i++)
        for (int k = h->first[i]; k < h->first[i + 1]; k++)
            x[(size_t)k - begin] = scale * width[widths == 1       ? 0
                                                 : widths == nodes ? (size_t)k - begin
                                                                   : (size_t)(i - first)];
    bool ok = append(s, x, known && widths > 1 ? nodes : 0, begin, nodes, 1, (void **)&s->width, false, &s->has_width);
    free(x);
    return ok;
}

static bool add_extras(strands *s, int node, int first, const double *width, size_t widths, double scale)
{
    const plait_hair *h = s->builder.hair;
    size_t before = (size_t)first, count = (size_t)(h->strands - first);
    size_t begin = (size_t)h->first[first], nodes = (size_t)h->first[h->strands] - begin;
    return append_widths(s, width, widths, h, first, scale) &&
           append_parameter(s, node, true, "groom_color", begin, nodes, 3, (void **)&s->colour, false,
                            &s->has_colour) &&
           append_parameter(s, node, true, "groom_root_uv", before, count, 2, (void **)&s->uv, false, &s->has_uv) &&
           append_parameter(s, node, true, "groom_id", before, count, 1, (void **)&s->id, true, &s->has_id) &&
           append_parameter(s, node, true, "groom_group_id", before, count, 1, (void **)&s->group, true,
                            &s->has_group) &&
           append_parameter(s, node, true, "groom_guide", before, count, 1, (void **)&s->guide, true, &s->has_guide);
}

static bool add_curves(strands *s, int node)
{
    plait_abc_file *f = s->file;
    plait_usda_reader r = {.name = f->name, .error = f->error};
    plait_usda_prim *p = calloc(1, sizeof *p);
    double *kind = NULL;
    size_t kinds = 0;
    plait_usda_affine m;
    plait_abc_field point;
    bool found = false;
    bool ok = p ? true : plait_error_set(f->error, PLAIT_NO_MEMORY, "%s: not enough memory", f->name) == PLAIT_OK;
    ok = ok && field_of(f, node, ".geom", "P", &point, &found);
    double time = ok && found && point.samples > 0 ? plait_abc_time(f, &point, 0) : 0;
    ok = ok && parameter(f, node, false, "P", &p->points.x, &p->points.count) &&
         parameter(f, node, false, "nVertices", &p->counts.x, &p->counts.count) &&
         parameter(f, node, false, "curveBasisAndType", &kind, &kinds) &&
         parameter(f, node, false, "width", &p->widths.x, &p->widths.count);
    if (ok && p->widths.count == 0) {
        free(p->widths.x);
        p->widths.x = NULL;
        ok = parameter(f, node, true, "groom_width", &p->widths.x, &p->widths.count);
    }
    static const char *const basis[] = {"catmullRom", "bezier", "bspline", "catmullRom"};
    bool cubic = ok && kinds == 4 && kind[0] == 0 && kind[2] < 4;
    if (ok) {
        snprintf(p->type, sizeof p->type, cubic ? "cubic" : "linear");
        snprintf(p->basis, sizeof p->basis, "%s", cubic ? basis[(int)kind[2]] : "bezier");
        snprintf(p->wrap, sizeof p->wrap, "nonperiodic");
        p->counts.there = p->points.there = true;
        p->points.tuple = 3;
    }
    int first = s->builder.hair->strands;
    double before = s->sum;
    ok = ok && plait_usda_add_curves(&r, p, &s->builder, &s->sum, &s->weight) && place(f, node, time, &m);
    plait_hair *h = s->builder.hair;
    for (int i = h->first[first]; ok && i < h->first[h->strands]; i++)
        plait_mat3_affine(m.A, h->point + 3 * (size_t)i, m.t, h->point + 3 * (size_t)i);
    if (ok) {
        const double *A = m.A;
        double scale = cbrt(fabs(A[0] * (A[4] * A[8] - A[5] * A[7]) - A[1] * (A[3] * A[8] - A[5] * A[6]) +
                                 A[2] * (A[3] * A[7] - A[4] * A[6])));
        s->sum = before + (s->sum - before) * scale;
        ok = add_extras(s, node, first, p->widths.x, p->widths.count, scale);
    }
    free(kind);
    if (p) {
        free(p->points.x), free(p->counts.x), free(p->widths.x);
    }
    free(p);
    return ok;
}

static void hand_over(strands *s, plait_hair *h)
{
    void *list[] = {s->width, s->colour, s->uv, s->id, s->group, s->guide};
    const bool has[] = {s->has_width, s->has_colour, s->has_uv, s->has_id, s->has_group, s->has_guide};
    for (int i = 0; i < 6; i++)
        if (!has[i]) {
            free(list[i]);
            list[i] = NULL;
        }
    h->width = list[0], h->colour = list[1], h->uv = list[2];
    h->id = list[3], h->group = list[4], h->guide = list[5];
}

plait_hair *plait_abc_curves(FILE *file, const char *name, plait_error *error)
{
    plait_abc_file f;
    strands s = {.file = &f, .has_width = true, .has_colour = true, .has_uv = true};
    s.has_id = s.has_group = s.has_guide = true;
    bool ok = plait_curves_begin(&s.builder, name, error);
    if (!ok)
        return NULL;
    plait_hair *h = s.builder.hair;
    ok = plait_abc_open(&f, file, name, error);
    for (int i = 0; ok && i < f.nodes; i++)
        if (f.node[i].schema == PLAIT_ABC_CURVES)
            ok = add_curves(&s, i);
    for (size_t i = 0; ok && i < 3 * (size_t)h->first[h->strands]; i++)
        if (!isfinite(h->point[i]))
            ok = plait_abc_damaged(&f, "finite points");
    if (ok && h->strands == 0) {
        plait_error_set(error, PLAIT_BAD_FILE, "%s: expected curves of at least two points, found none", name);
        ok = false;
    }
    hand_over(&s, h);
    plait_abc_close(&f);
    if (!ok) {
        plait_hair_free(h);
        return NULL;
    }
    h->thickness = s.weight > 0 && isfinite(s.sum) ? s.sum / s.weight : 0;
    return h;
}
