// usd_skel.c: UsdSkel: a mesh that follows the joints of a Skeleton, which a SkelAnimation moves.
//
//     x = sum_j w_j  x_mesh  G  B_j^-1  J_j(t)  S(t)         row vectors, as USD has them
//
// G: geomBindTransform, B_j: where joint j was when it was bound, J_j: where it is, in the skeleton, by the chain of
// local transformations from the animation (else the rest pose); S: where the skeleton stands in the world. Blend
// shapes are passed over.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "file/usd_layer.h"

struct plait_usd_skin {
    plait_usd_layer *layer;
    int skeleton, animation; // prims; animation -1: none
    int joints, each;        // each: joints per vertex
    int *parent;             // [joints] -1: none
    int *moved;              // [joints] place in the animation; -1: not there
    double *bind, *rest;     // [16 joints] bind: inverted
    double *index, *weight;  // [each points], or [each]: the same for all
    bool rigid;
    double geometry[16];
    double *now, *whole; // [16 joints]
    size_t animated;     // joints of the animation
};

// ---- matrices: 4 x 4, row vectors --------------------------------------------------------------------------------

static const double IDENTITY[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};

static void multiply(const double A[16], const double B[16], double C[16])
{
    double out[16];
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++) {
            out[4 * i + j] = 0;
            for (int k = 0; k < 4; k++)
                out[4 * i + j] += A[4 * i + k] * B[4 * k + j];
        }
    memcpy(C, out, sizeof out);
}

static bool invert(double A[16])
{
    double B[16];
    memcpy(B, IDENTITY, sizeof B);
    for (int k = 0; k < 4; k++) {
        int p = k;
        for (int i = k + 1; i < 4; i++)
            p = fabs(A[4 * i + k]) > fabs(A[4 * p + k]) ? i : p;
        if (!(fabs(A[4 * p + k]) > 1e-300))
            return false;
        for (int j = 0; j < 4; j++) {
            double a = A[4 * k + j], b = B[4 * k + j];
            A[4 * k + j] = A[4 * p + j], A[4 * p + j] = a;
            B[4 * k + j] = B[4 * p + j], B[4 * p + j] = b;
        }
        double d = A[5 * k];
        for (int j = 0; j < 4; j++)
            A[4 * k + j] /= d, B[4 * k + j] /= d;
        for (int i = 0; i < 4; i++) {
            double f = i == k ? 0 : A[4 * i + k];
            for (int j = 0; j < 4; j++)
                A[4 * i + j] -= f * A[4 * k + j], B[4 * i + j] -= f * B[4 * k + j];
        }
    }
    memcpy(A, B, sizeof B);
    return true;
}

// Scale, then turn by q = (w, x, y, z), then move.
static void compose(const double *s, const double *q, const double *t, double M[16])
{
    double n = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    double w = n > 0 ? q[0] / n : 1, x = n > 0 ? q[1] / n : 0, y = n > 0 ? q[2] / n : 0, z = n > 0 ? q[3] / n : 0;
    const double R[9] = {1 - 2 * (y * y + z * z), 2 * (x * y - z * w),     2 * (x * z + y * w),
                         2 * (x * y + z * w),     1 - 2 * (x * x + z * z), 2 * (y * z - x * w),
                         2 * (x * z - y * w),     2 * (y * z + x * w),     1 - 2 * (x * x + y * y)};
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++)
            M[4 * i + j] = s[i] * R[3 * j + i];
        M[4 * i + 3] = 0;
        M[12 + i] = t[i];
    }
    M[15] = 1;
}

// ---- reading -----------------------------------------------------------------------------------------------------

// The prim that a relationship names, of the prim or of one around it. -1: none.
static bool target(plait_usd_layer *l, int prim, const char *name, int *out)
{
    *out = -1;
    for (; prim >= 0; prim = l->prim[prim].parent) {
        char *words;
        size_t count;
        const plait_usd_attribute *a = plait_usd_find(l, prim, name);
        if (!a)
            continue;
        if (!plait_usd_words(l, a, &words, &count))
            return false;
        if (count > 0)
            *out = plait_usd_find_path(l, words);
        free(words);
        return true;
    }
    return true;
}

static const char *nth(const char *words, size_t i)
{
    for (; i > 0; i--)
        words += strlen(words) + 1;
    return words;
}

// Parents by the paths of joints: that of "a/b/c" is "a/b", or else "a".
static void find_parents(plait_usd_skin *s, const char *names)
{
    const char *name = names;
    for (int j = 0; j < s->joints; j++, name += strlen(name) + 1) {
        s->parent[j] = -1;
        for (size_t length = strlen(name); length > 0 && s->parent[j] < 0;) {
            while (length > 0 && name[length - 1] != '/')
                length--;
            length -= length > 0;
            const char *other = names;
            for (int k = 0; k < j && length > 0; k++, other += strlen(other) + 1)
                if (strlen(other) == length && memcmp(other, name, length) == 0)
                    s->parent[j] = k;
        }
    }
}

static bool matrices(plait_usd_layer *l, int prim, const char *name, int joints, double **out)
{
    size_t count;
    if (!plait_usd_numbers_at(l, plait_usd_find(l, prim, name), 0, out, &count))
        return false;
    if (count == 16 * (size_t)joints)
        return true;
    free(*out);
    *out = NULL;
    return count == 0 || plait_usd_fail(l, "skeleton '%s', %s: expected %d matrices, found %zu numbers",
                                        l->prim[prim].name, name, joints, count);
}

static bool read_animation(plait_usd_skin *s, const char *names)
{
    plait_usd_layer *l = s->layer;
    char *own = NULL;
    size_t count = 0;
    for (int j = 0; j < s->joints; j++)
        s->moved[j] = -1;
    if (s->animation < 0)
        return true;
    if (!plait_usd_words(l, plait_usd_find(l, s->animation, "joints"), &own, &count))
        return false;
    s->animated = count;
    for (int j = 0; j < s->joints; j++) {
        const char *at = own;
        for (size_t i = 0; i < count; i++, at += strlen(at) + 1)
            if (strcmp(at, nth(names, (size_t)j)) == 0)
                s->moved[j] = (int)i;
    }
    free(own);
    return true;
}

static bool read_skeleton(plait_usd_skin *s)
{
    plait_usd_layer *l = s->layer;
    char *names;
    size_t count;
    if (!plait_usd_words(l, plait_usd_find(l, s->skeleton, "joints"), &names, &count))
        return false;
    bool ok = (count > 0 && count < 100000) ||
              plait_usd_fail(l, "skeleton '%s': expected joints, found %zu", l->prim[s->skeleton].name, count);
    s->joints = ok ? (int)count : 0;
    s->parent = calloc(count + 1, sizeof *s->parent);
    s->moved = calloc(count + 1, sizeof *s->moved);
    s->now = calloc(16 * count + 1, sizeof *s->now);
    s->whole = calloc(16 * count + 1, sizeof *s->whole);
    if (ok && (!s->parent || !s->moved || !s->now || !s->whole))
        ok = plait_error_set(l->error, PLAIT_NO_MEMORY, "%s: not enough memory", l->name) == PLAIT_OK;
    ok = ok && matrices(l, s->skeleton, "bindTransforms", s->joints, &s->bind) &&
         matrices(l, s->skeleton, "restTransforms", s->joints, &s->rest);
    if (ok && !s->bind)
        ok = plait_usd_fail(l, "skeleton '%s': expected bindTransforms, found none", l->prim[s->skeleton].name);
    for (int j = 0; ok && j < s->joints; j++)
        if (!invert(s->bind + 16 * (size_t)j))
            ok = plait_usd_fail(l, "skeleton '%s': bindTransform %d cannot be inverted", l->prim[s->skeleton].name, j);
    if (ok) {
        find_parents(s, names);
        ok = read_animation(s, names);
    }
    free(names);
    return ok;
}

// Joints may be named by the mesh itself: then indices count those.
static bool rename_joints(plait_usd_skin *s, int mesh, size_t count)
{
    plait_usd_layer *l = s->layer;
    char *own, *names;
    size_t owns, all;
    if (!plait_usd_words(l, plait_usd_find(l, mesh, "skel:joints"), &own, &owns))
        return false;
    if (owns == 0)
        return true;
    bool ok = plait_usd_words(l, plait_usd_find(l, s->skeleton, "joints"), &names, &all);
    for (size_t i = 0; ok && i < count; i++) {
        if (!(s->index[i] >= 0 && s->index[i] < (double)owns)) {
            ok = plait_usd_fail(l, "mesh '%s': expected joints from 0 to %zu, found %g", l->prim[mesh].name, owns - 1,
                                s->index[i]);
            break;
        }
        const char *want = nth(own, (size_t)s->index[i]), *at = names;
        s->index[i] = -1;
        for (size_t k = 0; k < all; k++, at += strlen(at) + 1)
            s->index[i] = strcmp(at, want) == 0 ? (double)k : s->index[i];
    }
    free(own);
    if (ok)
        free(names);
    return ok;
}

static bool read_weights(plait_usd_skin *s, int mesh, int points)
{
    plait_usd_layer *l = s->layer;
    size_t n, m, g;
    double *G;
    if (!plait_usd_numbers_at(l, plait_usd_find(l, mesh, "primvars:skel:jointIndices"), 0, &s->index, &n) ||
        !plait_usd_numbers_at(l, plait_usd_find(l, mesh, "primvars:skel:jointWeights"), 0, &s->weight, &m) ||
        !plait_usd_numbers_at(l, plait_usd_find(l, mesh, "primvars:skel:geomBindTransform"), 0, &G, &g))
        return false;
    memcpy(s->geometry, g == 16 ? G : IDENTITY, sizeof s->geometry);
    free(G);
    s->rigid = points == 0 || n < (size_t)points || n % (size_t)points != 0;
    s->each = (int)(s->rigid ? n : n / (size_t)points);
    if (n != m || n == 0)
        return plait_usd_fail(l, "mesh '%s': expected as many jointIndices as jointWeights, found %zu and %zu",
                              l->prim[mesh].name, n, m);
    if (!rename_joints(s, mesh, n))
        return false;
    for (size_t i = 0; i < n; i++)
        if (!(s->index[i] >= 0 && s->index[i] < s->joints) || !isfinite(s->weight[i]))
            return plait_usd_fail(l, "mesh '%s': expected joints from 0 to %d with finite weights, found %g",
                                  l->prim[mesh].name, s->joints - 1, s->index[i]);
    return true;
}

bool plait_usd_skin_open(plait_usd_layer *l, int mesh, int points, plait_usd_skin **out)
{
    int skeleton;
    *out = NULL;
    if (!plait_usd_find(l, mesh, "primvars:skel:jointIndices"))
        return true;
    if (!target(l, mesh, "skel:skeleton", &skeleton))
        return false;
    if (skeleton < 0)
        return true;
    plait_usd_skin *s = *out = calloc(1, sizeof *s);
    if (!s)
        return plait_error_set(l->error, PLAIT_NO_MEMORY, "%s: not enough memory", l->name) == PLAIT_OK;
    s->layer = l;
    s->skeleton = skeleton;
    return target(l, skeleton, "skel:animationSource", &s->animation) && read_skeleton(s) &&
           read_weights(s, mesh, points);
}

void plait_usd_skin_range(const plait_usd_skin *s, double *first, double *last, double *step)
{
    static const char *const name[] = {"translations", "rotations", "scales"};
    for (int i = 0; i < 3 && s->animation >= 0; i++)
        plait_usd_widen(plait_usd_find(s->layer, s->animation, name[i]), first, last, step);
    for (int prim = s->skeleton; prim >= 0; prim = s->layer->prim[prim].parent)
        for (int i = 0; i < s->layer->prim[prim].attributes; i++)
            if (strncmp(s->layer->prim[prim].attribute[i].name, "xformOp:", 8) == 0)
                plait_usd_widen(&s->layer->prim[prim].attribute[i], first, last, step);
}

// ---- a pose ------------------------------------------------------------------------------------------------------

static bool pose_joints(plait_usd_skin *s, double code)
{
    plait_usd_layer *l = s->layer;
    static const double one[3] = {1, 1, 1};
    double *t = NULL, *q = NULL, *k = NULL;
    size_t ts = 0, qs = 0, ks = 0;
    bool ok = true;
    if (s->animation >= 0)
        ok = plait_usd_numbers_at(l, plait_usd_find(l, s->animation, "translations"), code, &t, &ts) &&
             plait_usd_numbers_at(l, plait_usd_find(l, s->animation, "rotations"), code, &q, &qs) &&
             plait_usd_numbers_at(l, plait_usd_find(l, s->animation, "scales"), code, &k, &ks);
    bool animated = ok && s->animated > 0 && ts == 3 * s->animated && qs == 4 * s->animated;
    for (int j = 0; ok && j < s->joints; j++) {
        double local[16];
        memcpy(local, s->rest ? s->rest + 16 * (size_t)j : IDENTITY, sizeof local);
        size_t i = (size_t)s->moved[j];
        if (animated && s->moved[j] >= 0)
            compose(ks == 3 * s->animated ? k + 3 * i : one, q + 4 * i, t + 3 * i, local);
        if (s->parent[j] >= 0) // it stands before its child
            multiply(local, s->now + 16 * (size_t)s->parent[j], s->now + 16 * (size_t)j);
        else
            memcpy(s->now + 16 * (size_t)j, local, sizeof local);
    }
    free(t);
    free(q);
    free(k);
    return ok;
}

bool plait_usd_skin_apply(plait_usd_skin *s, double code, int points, double *x)
{
    plait_usda_affine a;
    double world[16] = {0};
    if (!pose_joints(s, code) || !plait_usd_place(s->layer, s->skeleton, code, &a))
        return false;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++)
            world[4 * i + j] = a.A[3 * j + i];
        world[12 + i] = a.t[i];
    }
    world[15] = 1;
    for (int j = 0; j < s->joints; j++) {
        double *M = s->whole + 16 * (size_t)j;
        multiply(s->geometry, s->bind + 16 * (size_t)j, M);
        multiply(M, s->now + 16 * (size_t)j, M);
        multiply(M, world, M);
    }
    for (int p = 0; p < points; p++, x += 3) {
        double sum[3] = {0}, total = 0;
        for (int k = 0; k < s->each; k++) {
            size_t i = (s->rigid ? 0 : (size_t)p * (size_t)s->each) + (size_t)k;
            const double *M = s->whole + 16 * (size_t)s->index[i], w = s->weight[i];
            total += w;
            for (int c = 0; c < 3 && w != 0; c++)
                sum[c] += w * (x[0] * M[c] + x[1] * M[4 + c] + x[2] * M[8 + c] + M[12 + c]);
        }
        for (int c = 0; c < 3; c++)
            x[c] = total > 0 ? sum[c] / total : x[c];
    }
    return true;
}

void plait_usd_skin_free(plait_usd_skin *s)
{
    if (!s)
        return;
    free(s->parent), free(s->moved), free(s->bind), free(s->rest);
    free(s->index), free(s->weight), free(s->now), free(s->whole), free(s);
}
