// gltf_mesh.c: all triangle meshes of a glTF file as one, over time: nodes, the first animation, skins, morph targets.
//
// Matrices are columns, as in the file: x' = M x. A skinned vertex is sum_j w_j (G_j B_j) x, with G_j where joint j is
// in the world and B_j its inverse bind matrix; where its own node stands does not count.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "file/gltf.h"

enum { MOST_WEIGHTS = 64, MOST_DEPTH = 1000 };
static const double SHORTEST = 1.0 / 240; // [s] between frames

typedef struct channel {
    int node;
    char path; // t, r, s: translation, rotation, scale; w: weights of morph targets
    int steps; // 0 straight, 1 constant, 2 cubic
    double *time, *value;
    size_t keys, each;
} channel;

typedef struct node {
    int parent, mesh, skin;
    bool in_scene, has_matrix;
    double t[3], r[4], s[3], matrix[16], world[16];
    double weight[MOST_WEIGHTS];
    int weights;
} node;

typedef struct part { // a primitive of a mesh at a node
    int node, first, points;
    double *rest;    // [3 points]
    double **target; // [targets][3 points]
    int targets;
    double *joint, *weight; // [each points], or NULL
    int each;
    int skin;
} part;

typedef struct skin {
    int joints;
    int *joint;         // nodes
    double *bind, *now; // [16 joints]
} skin;

typedef struct model {
    plait_gltf g;
    node *node;
    int nodes;
    channel *channel;
    int channels;
    part *part;
    int parts, part_room;
    skin *skin;
    int skins;
} model;

static bool no_memory(model *m)
{
    plait_error_set(m->g.b->error, PLAIT_NO_MEMORY, "%s: not enough memory", m->g.b->name);
    return false;
}

// ---- matrices ----------------------------------------------------------------------------------------------------

static void multiply(const double A[16], const double B[16], double C[16])
{
    double out[16];
    for (int j = 0; j < 4; j++)
        for (int i = 0; i < 4; i++) {
            out[4 * j + i] = 0;
            for (int k = 0; k < 4; k++)
                out[4 * j + i] += A[4 * k + i] * B[4 * j + k];
        }
    memcpy(C, out, sizeof out);
}

static void local_matrix(const node *n, double M[16])
{
    if (n->has_matrix) {
        memcpy(M, n->matrix, 16 * sizeof *M);
        return;
    }
    double l = sqrt(n->r[0] * n->r[0] + n->r[1] * n->r[1] + n->r[2] * n->r[2] + n->r[3] * n->r[3]);
    double f = l > 0 ? 1 / l : 0, x = f * n->r[0], y = f * n->r[1], z = f * n->r[2], w = l > 0 ? f * n->r[3] : 1;
    const double R[9] = {1 - 2 * (y * y + z * z), 2 * (x * y + z * w),     2 * (x * z - y * w),
                         2 * (x * y - z * w),     1 - 2 * (x * x + z * z), 2 * (y * z + x * w),
                         2 * (x * z + y * w),     2 * (y * z - x * w),     1 - 2 * (x * x + y * y)}; // columns
    for (int j = 0; j < 3; j++) {
        for (int i = 0; i < 3; i++)
            M[4 * j + i] = n->s[j] * R[3 * j + i];
        M[4 * j + 3] = 0;
        M[12 + j] = n->t[j];
    }
    M[15] = 1;
}

static void apply(const double M[16], const double x[3], double w, double sum[3])
{
    for (int i = 0; i < 3; i++)
        sum[i] += w * (M[i] * x[0] + M[4 + i] * x[1] + M[8 + i] * x[2] + M[12 + i]);
}

// ---- nodes -------------------------------------------------------------------------------------------------------

static void take_numbers(const plait_json *j, int map, const char *key, int count, double *x)
{
    int list = plait_json_get(j, map, key);
    if (list < 0 || j->value[list].kind != PLAIT_JSON_LIST || j->value[list].count != count)
        return;
    int i = j->value[list].child;
    for (int k = 0; k < count; k++, i = j->value[i].next)
        x[k] = j->value[i].number;
}

static void take_weights(const plait_json *j, int map, node *n)
{
    int list = plait_json_get(j, map, "weights");
    if (list < 0 || j->value[list].kind != PLAIT_JSON_LIST)
        return;
    n->weights = 0;
    for (int i = j->value[list].child; i >= 0 && n->weights < MOST_WEIGHTS; i = j->value[i].next)
        n->weight[n->weights++] = j->value[i].number;
}

static bool read_nodes(model *m)
{
    const plait_json *j = &m->g.json;
    m->nodes = plait_gltf_count(&m->g, "nodes");
    m->node = calloc((size_t)m->nodes + 1, sizeof *m->node);
    if (!m->node)
        return no_memory(m);
    for (int i = 0; i < m->nodes; i++)
        m->node[i].parent = -1;
    int entry = plait_gltf_entry(&m->g, "nodes", 0);
    for (int i = 0; i < m->nodes; i++, entry = j->value[entry].next) {
        node *n = &m->node[i];
        n->s[0] = n->s[1] = n->s[2] = n->r[3] = 1;
        take_numbers(j, entry, "translation", 3, n->t);
        take_numbers(j, entry, "rotation", 4, n->r);
        take_numbers(j, entry, "scale", 3, n->s);
        n->has_matrix = plait_json_get(j, entry, "matrix") >= 0;
        take_numbers(j, entry, "matrix", 16, n->matrix);
        n->mesh = plait_json_index(j, entry, "mesh");
        n->skin = plait_json_index(j, entry, "skin");
        take_weights(j, plait_gltf_entry(&m->g, "meshes", n->mesh), n);
        take_weights(j, entry, n);
        int children = plait_json_get(j, entry, "children");
        for (int c = children >= 0 ? j->value[children].child : -1; c >= 0; c = j->value[c].next) {
            double k = j->value[c].number;
            if (!(k >= 0 && k < m->nodes) || m->node[(int)k].parent >= 0 || (int)k == i)
                return plait_mesh_fail(m->g.b, 0, "node %d: expected children that nobody else has, found %g", i, k);
            m->node[(int)k].parent = i;
        }
    }
    for (int i = 0; i < m->nodes; i++) {
        int depth = 0;
        for (int k = i; k >= 0; k = m->node[k].parent)
            if (++depth > MOST_DEPTH)
                return plait_mesh_fail(m->g.b, 0, "node %d: expected at most %d nodes above it, found more", i,
                                       MOST_DEPTH);
    }
    return true;
}

// The nodes of the scene that the file shows; all of them if it names none.
static void choose_scene(model *m)
{
    const plait_json *j = &m->g.json;
    int which = plait_json_index(j, 0, "scene");
    int scene = plait_gltf_entry(&m->g, "scenes", which >= 0 ? which : 0), roots = plait_json_get(j, scene, "nodes");
    for (int i = roots >= 0 ? j->value[roots].child : -1; i >= 0; i = j->value[i].next)
        if (j->value[i].number >= 0 && j->value[i].number < m->nodes)
            m->node[(int)j->value[i].number].in_scene = true;
    for (int i = 0; i < m->nodes; i++)
        for (int k = i; k >= 0 && !m->node[i].in_scene; k = m->node[k].parent)
            m->node[i].in_scene = roots < 0 || m->node[k].in_scene;
}

// Parents may stand anywhere: the chain is walked for each.
static void place_nodes(model *m)
{
    for (int i = 0; i < m->nodes; i++) {
        double M[16];
        local_matrix(&m->node[i], m->node[i].world);
        for (int k = m->node[i].parent; k >= 0; k = m->node[k].parent) {
            local_matrix(&m->node[k], M);
            multiply(M, m->node[i].world, m->node[i].world);
        }
    }
}

// ---- animation ---------------------------------------------------------------------------------------------------

static bool read_channel(model *m, int animation, int entry)
{
    const plait_json *j = &m->g.json;
    int target = plait_json_get(j, entry, "target"), path = plait_json_get(j, target, "path");
    channel c = {.node = plait_json_index(j, target, "node")};
    c.path = plait_json_is(j, path, "translation") ? 't'
             : plait_json_is(j, path, "rotation")  ? 'r'
             : plait_json_is(j, path, "scale")     ? 's'
             : plait_json_is(j, path, "weights")   ? 'w'
                                                   : 0;
    if (c.node < 0 || c.node >= m->nodes || !c.path)
        return true;
    int sampler = plait_json_at(j, plait_json_get(j, animation, "samplers"), plait_json_index(j, entry, "sampler"));
    int how = plait_json_get(j, sampler, "interpolation"), each;
    size_t count;
    c.steps = plait_json_is(j, how, "STEP") ? 1 : plait_json_is(j, how, "CUBICSPLINE") ? 2 : 0;
    bool ok = plait_gltf_accessor(&m->g, plait_json_index(j, sampler, "input"), &c.time, &c.keys, &each) &&
              plait_gltf_accessor(&m->g, plait_json_index(j, sampler, "output"), &c.value, &count, &each);
    size_t numbers = ok ? count * (size_t)each : 0, parts = c.steps == 2 ? 3 : 1;
    if (ok && (c.keys == 0 || numbers % (c.keys * parts) != 0))
        ok = plait_mesh_fail(m->g.b, 0, "an animation: expected values for %zu keys, found %zu numbers", c.keys,
                             numbers);
    c.each = ok ? numbers / (c.keys * parts) : 0;
    if (ok && c.path != 'w' && c.each != (c.path == 'r' ? 4u : 3u))
        ok = plait_mesh_fail(m->g.b, 0, "an animation: expected 3 or 4 numbers for each key, found %zu", c.each);
    for (size_t i = 1; ok && i < c.keys; i++)
        if (!(c.time[i] >= c.time[i - 1]) || !isfinite(c.time[i]))
            ok = plait_mesh_fail(m->g.b, 0, "an animation: expected ascending times, found %g", c.time[i]);
    m->channel[m->channels++] = c; // freed with the others, whatever it is
    return ok;
}

static bool read_animation(model *m)
{
    const plait_json *j = &m->g.json;
    int animation = plait_gltf_entry(&m->g, "animations", 0), list = plait_json_get(j, animation, "channels");
    int count = list >= 0 && j->value[list].kind == PLAIT_JSON_LIST ? j->value[list].count : 0;
    m->channel = calloc((size_t)count + 1, sizeof *m->channel);
    if (!m->channel)
        return no_memory(m);
    for (int i = count > 0 ? j->value[list].child : -1; i >= 0; i = j->value[i].next)
        if (!read_channel(m, animation, i))
            return false;
    return true;
}

static void evaluate(const channel *c, double time, double *out, size_t most)
{
    size_t i = 0, n = c->each < most ? c->each : most;
    while (i + 1 < c->keys && c->time[i + 1] <= time)
        i++;
    bool last = i + 1 >= c->keys || time <= c->time[i] || c->steps == 1;
    double h = last ? 1 : c->time[i + 1] - c->time[i], s = last || !(h > 0) ? 0 : (time - c->time[i]) / h, sign = 1;
    size_t next = last ? i : i + 1;
    if (c->steps == 2) { // in-tangent, value, out-tangent of each key
        const double *a = c->value + 3 * i * c->each, *b = c->value + 3 * next * c->each;
        double s2 = s * s, s3 = s2 * s;
        for (size_t k = 0; k < n; k++)
            out[k] = (2 * s3 - 3 * s2 + 1) * a[c->each + k] + h * (s3 - 2 * s2 + s) * a[2 * c->each + k] +
                     (3 * s2 - 2 * s3) * b[c->each + k] + h * (s3 - s2) * b[k];
        return;
    }
    const double *a = c->value + i * c->each, *b = c->value + next * c->each;
    if (c->path == 'r') {
        double dot = a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
        sign = dot < 0 ? -1 : 1;
        double angle = acos(fmin(fabs(dot), 1)), sine = sin(angle);
        double p = sine > 1e-6 ? sin((1 - s) * angle) / sine : 1 - s, q = sine > 1e-6 ? sin(s * angle) / sine : s;
        for (size_t k = 0; k < n; k++)
            out[k] = p * a[k] + sign * q * b[k];
        return;
    }
    for (size_t k = 0; k < n; k++)
        out[k] = a[k] + s * (b[k] - a[k]);
}

static void animate(model *m, double time)
{
    for (int i = 0; i < m->channels; i++) {
        const channel *c = &m->channel[i];
        node *n = &m->node[c->node];
        double *to = c->path == 't' ? n->t : c->path == 'r' ? n->r : c->path == 's' ? n->s : n->weight;
        evaluate(c, time, to, c->path == 'w' ? MOST_WEIGHTS : c->each);
        if (c->path == 'w')
            n->weights = c->each < MOST_WEIGHTS ? (int)c->each : MOST_WEIGHTS;
        n->has_matrix = n->has_matrix && c->path == 'w';
    }
    place_nodes(m);
}

// ---- skins -------------------------------------------------------------------------------------------------------

static bool read_skins(model *m)
{
    const plait_json *j = &m->g.json;
    m->skins = plait_gltf_count(&m->g, "skins");
    m->skin = calloc((size_t)m->skins + 1, sizeof *m->skin);
    if (!m->skin)
        return no_memory(m);
    for (int i = 0; i < m->skins; i++) {
        skin *s = &m->skin[i];
        int entry = plait_gltf_entry(&m->g, "skins", i), list = plait_json_get(j, entry, "joints"), each = 16;
        s->joints = list >= 0 && j->value[list].kind == PLAIT_JSON_LIST ? j->value[list].count : 0;
        s->joint = calloc((size_t)s->joints + 1, sizeof *s->joint);
        s->now = calloc(16 * (size_t)s->joints + 1, sizeof *s->now);
        if (!s->joint || !s->now)
            return no_memory(m);
        int k = 0;
        for (int c = s->joints > 0 ? j->value[list].child : -1; c >= 0; c = j->value[c].next) {
            double n = j->value[c].number;
            if (!(n >= 0 && n < m->nodes))
                return plait_mesh_fail(m->g.b, 0, "skin %d: expected nodes as joints, found %g", i, n);
            s->joint[k++] = (int)n;
        }
        int bind = plait_json_index(j, entry, "inverseBindMatrices");
        size_t count = 0;
        if (bind >= 0 && !plait_gltf_accessor(&m->g, bind, &s->bind, &count, &each))
            return false;
        if (bind >= 0 && (each != 16 || count < (size_t)s->joints))
            return plait_mesh_fail(m->g.b, 0, "skin %d: expected %d inverse bind matrices, found %zu", i, s->joints,
                                   count);
    }
    return true;
}

// ---- primitives --------------------------------------------------------------------------------------------------

// What is wished of vertices: TEXCOORD_0, COLOR_0, or an attribute of one's own, which begins with _.
static bool add_values(model *m, int attributes, const part *p)
{
    plait_mesh_builder *b = m->g.b;
    char name[160];
    snprintf(name, sizeof name, "_%.150s", b->wish ? b->wish : "");
    for (char *c = name; *c; c++) // as exporters write it
        *c = *c >= 'a' && *c <= 'z' ? (char)(*c - 'a' + 'A') : *c;
    const char *key = !b->wish ? "TEXCOORD_0" : strcmp(b->wish, "color") == 0 ? "COLOR_0" : name;
    int accessor = plait_json_index(&m->g.json, attributes, key), each = 0;
    if (accessor < 0 && b->wish)
        accessor = plait_json_index(&m->g.json, attributes, b->wish);
    double *x = NULL;
    size_t count = 0;
    if (accessor >= 0 && !plait_gltf_accessor(&m->g, accessor, &x, &count, &each))
        return false;
    bool ok = true, fits = x && count == (size_t)p->points && each >= b->width;
    for (int i = 0; ok && i < p->points; i++) {
        double v[4] = {0};
        for (int k = 0; fits && k < b->width; k++)
            v[k] = x[(size_t)i * (size_t)each + (size_t)k];
        if (!b->wish)
            v[1] = 1 - v[1]; // glTF counts them from above
        ok = plait_mesh_add_value(b, fits ? v : NULL);
    }
    free(x);
    return ok;
}

static bool add_faces(model *m, int entry, const part *p)
{
    const plait_json *j = &m->g.json;
    int accessor = plait_json_index(j, entry, "indices"), each = 1, mode = (int)plait_json_number(j, entry, "mode", 4);
    double *index = NULL;
    size_t count = (size_t)p->points;
    if (mode < 4 || mode > 6)
        return true; // points and lines
    if (accessor >= 0 && !plait_gltf_accessor(&m->g, accessor, &index, &count, &each))
        return false;
    bool ok = true;
    size_t faces = mode == 4 ? count / 3 : count > 2 ? count - 2 : 0;
    for (size_t i = 0; ok && i < faces; i++) {
        size_t at[3] = {mode == 4   ? 3 * i
                        : mode == 5 ? i
                                    : 0,
                        mode == 4 ? 3 * i + 1 : i + 1 + (mode == 5 && i % 2),
                        mode == 4 ? 3 * i + 2 : i + 2 - (mode == 5 && i % 2)};
        int corner[3];
        for (int c = 0; ok && c < 3; c++) {
            double v = index ? index[at[c]] : (double)at[c];
            ok = v >= 0 && v < p->points;
            if (!ok)
                plait_mesh_fail(m->g.b, 0, "a triangle names vertex %g, but there are %d", v, p->points);
            corner[c] = ok ? p->first + (int)v : 0;
        }
        ok = ok && plait_mesh_add_corners(m->g.b, corner, corner);
    }
    free(index);
    return ok;
}

static bool read_vectors(model *m, int accessor, int points, double **x)
{
    size_t count;
    int each;
    if (!plait_gltf_accessor(&m->g, accessor, x, &count, &each))
        return false;
    return (each == 3 && count == (size_t)points) ||
           plait_mesh_fail(m->g.b, 0, "expected %d positions of a morph target, found %zu", points, count);
}

static bool read_weights(model *m, int attributes, part *p)
{
    const plait_json *j = &m->g.json;
    for (int set = 0; set < 4; set++) {
        char joints[24], weights[24];
        snprintf(joints, sizeof joints, "JOINTS_%d", set);
        snprintf(weights, sizeof weights, "WEIGHTS_%d", set);
        int a = plait_json_index(j, attributes, joints), b = plait_json_index(j, attributes, weights), n, k;
        double *index = NULL, *weight = NULL;
        size_t count = 0, other = 0, points = (size_t)p->points, each = (size_t)p->each;
        if (a < 0 || b < 0)
            return true;
        bool ok =
            plait_gltf_accessor(&m->g, a, &index, &count, &n) && plait_gltf_accessor(&m->g, b, &weight, &other, &k);
        if (ok && (n != 4 || k != 4 || count != points || other != points))
            ok = plait_mesh_fail(m->g.b, 0, "expected 4 joints and weights for each of %d vertices", p->points);
        double *all = ok ? malloc(((each + 4) * points + 1) * sizeof *all) : NULL;
        double *full = ok ? malloc(((each + 4) * points + 1) * sizeof *full) : NULL;
        if (ok && (!all || !full))
            ok = no_memory(m);
        for (size_t i = 0; ok && i < points; i++)
            for (size_t c = 0; c < each + 4; c++) {
                all[i * (each + 4) + c] = c < each ? p->joint[i * each + c] : index[4 * i + c - each];
                full[i * (each + 4) + c] = c < each ? p->weight[i * each + c] : weight[4 * i + c - each];
            }
        free(index);
        free(weight);
        if (!ok) {
            free(all);
            free(full);
            return false;
        }
        free(p->joint);
        free(p->weight);
        p->joint = all;
        p->weight = full;
        p->each += 4;
    }
    return true;
}

static bool add_primitive(model *m, int n, int entry, plait_figure *figure)
{
    const plait_json *j = &m->g.json;
    int attributes = plait_json_get(j, entry, "attributes"), each;
    int position = plait_json_index(j, attributes, "POSITION");
    size_t count;
    if (position < 0)
        return true;
    if (m->parts == m->part_room) {
        int room = 2 * m->part_room + 16;
        part *grown = realloc(m->part, (size_t)room * sizeof *grown);
        if (!grown)
            return no_memory(m);
        m->part = grown;
        m->part_room = room;
    }
    part *p = &m->part[m->parts++];
    *p = (part){.node = n, .first = figure->points, .skin = m->node[n].skin};
    if (!plait_gltf_accessor(&m->g, position, &p->rest, &count, &each))
        return false;
    if (each != 3 || count + (size_t)figure->points > (size_t)1 << 28)
        return plait_mesh_fail(m->g.b, 0, "expected positions with 3 numbers each, found %d", each);
    p->points = (int)count;
    figure->points += p->points;
    int targets = plait_json_get(j, entry, "targets");
    p->target = calloc((size_t)(targets >= 0 ? j->value[targets].count : 0) + 1, sizeof *p->target);
    if (!p->target)
        return no_memory(m);
    for (int i = targets >= 0 ? j->value[targets].child : -1; i >= 0; i = j->value[i].next) {
        int accessor = plait_json_index(j, i, "POSITION");
        if (accessor >= 0 && !read_vectors(m, accessor, p->points, &p->target[p->targets]))
            return p->targets++, false;
        p->targets++;
    }
    if (!read_weights(m, attributes, p) || (m->g.b->width > 0 && !add_values(m, attributes, p)) ||
        !add_faces(m, entry, p))
        return false;
    if (p->skin >= m->skins || !p->joint)
        p->skin = -1;
    for (size_t i = 0; p->skin >= 0 && i < (size_t)p->points * (size_t)p->each; i++)
        if (p->weight[i] != 0 && !(p->joint[i] >= 0 && p->joint[i] < m->skin[p->skin].joints))
            return plait_mesh_fail(m->g.b, 0, "expected joints from 0 to %d, found %g", m->skin[p->skin].joints - 1,
                                   p->joint[i]);
    return true;
}

// ---- poses -------------------------------------------------------------------------------------------------------

static void pose_part(const model *m, const part *p, double *x)
{
    const node *n = &m->node[p->node];
    for (int i = 0; i < p->points; i++) {
        double v[3], sum[3] = {0}, total = 0;
        memcpy(v, p->rest + 3 * (size_t)i, sizeof v);
        for (int t = 0; t < p->targets && t < n->weights; t++)
            for (int c = 0; c < 3 && p->target[t]; c++)
                v[c] += n->weight[t] * p->target[t][3 * (size_t)i + (size_t)c];
        for (int k = 0; p->skin >= 0 && k < p->each; k++) {
            size_t at = (size_t)i * (size_t)p->each + (size_t)k;
            double w = p->weight[at];
            if (w != 0)
                apply(m->skin[p->skin].now + 16 * (size_t)p->joint[at], v, w, sum);
            total += w;
        }
        if (!(total > 0))
            apply(n->world, v, total = 1, memset(sum, 0, sizeof sum));
        for (int c = 0; c < 3; c++)
            x[3 * (size_t)i + (size_t)c] = sum[c] / total;
    }
}

static bool pose(void *self, double time, double *x)
{
    model *m = self;
    animate(m, time);
    for (int i = 0; i < m->skins; i++)
        for (int k = 0; k < m->skin[i].joints; k++) {
            const double *world = m->node[m->skin[i].joint[k]].world;
            double *now = m->skin[i].now + 16 * (size_t)k;
            if (m->skin[i].bind)
                multiply(world, m->skin[i].bind + 16 * (size_t)k, now);
            else
                memcpy(now, world, 16 * sizeof *now);
        }
    for (int i = 0; i < m->parts; i++)
        pose_part(m, &m->part[i], x + 3 * (size_t)m->part[i].first);
    return true;
}

static void free_model(model *m)
{
    for (int i = 0; m->channel && i < m->channels; i++) {
        free(m->channel[i].time);
        free(m->channel[i].value);
    }
    for (int i = 0; i < m->parts; i++) {
        part *p = &m->part[i];
        for (int t = 0; p->target && t < p->targets; t++)
            free(p->target[t]);
        free(p->target);
        free(p->rest);
        free(p->joint);
        free(p->weight);
    }
    for (int i = 0; m->skin && i < m->skins; i++) {
        free(m->skin[i].joint);
        free(m->skin[i].bind);
        free(m->skin[i].now);
    }
    free(m->channel);
    free(m->part);
    free(m->skin);
    free(m->node);
    plait_gltf_close(&m->g);
}

bool plait_gltf_meshes(FILE *file, const char *path, plait_mesh_builder *b, plait_shape *shape)
{
    model m = {.g = {.b = b, .path = path}};
    plait_figure figure = {.pose = pose, .self = &m, .first = INFINITY, .last = -INFINITY, .step = INFINITY};
    bool ok = plait_gltf_open(&m.g, file) && read_nodes(&m) && read_animation(&m) && read_skins(&m);
    if (ok)
        choose_scene(&m);
    for (int i = 0; ok && i < m.nodes; i++) {
        int mesh = m.node[i].in_scene ? plait_gltf_entry(&m.g, "meshes", m.node[i].mesh) : -1;
        int list = plait_json_get(&m.g.json, mesh, "primitives");
        for (int k = list >= 0 ? m.g.json.value[list].child : -1; ok && k >= 0; k = m.g.json.value[k].next)
            ok = add_primitive(&m, i, k, &figure);
    }
    for (int i = 0; ok && i < m.channels; i++)
        plait_figure_widen(m.channel[i].time, m.channel[i].keys, &figure.first, &figure.last, &figure.step);
    figure.step = isfinite(figure.step) ? fmax(figure.step, SHORTEST) : 0;
    if (ok && figure.points == 0)
        ok = plait_mesh_fail(b, 0, "expected meshes with positions, found none");
    ok = ok && plait_figure_bake(&figure, b, shape);
    free_model(&m);
    return ok;
}
