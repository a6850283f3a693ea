// usda_xform.c: xformOps of a prim as one affine map.
//
// xformOpOrder names the operations from the outermost to the innermost: ["xformOp:translate", "xformOp:scale"] scales
// first. USD's matrices act on rows, so they are transposed here. A quaternion has its scalar part first.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/elementary.h"
#include "file/usda_read.h"
#include "math/quat.h"

static const double DEGREE = 3.14159265358979323846 / 180;

static void compose(plait_usda_affine *out, const plait_usda_affine *inner)
{
    plait_usda_affine product;
    plait_mat3_multiply(out->A, inner->A, product.A);
    plait_mat3_apply(out->A, inner->t, product.t);
    for (int c = 0; c < 3; c++)
        product.t[c] += out->t[c];
    *out = product;
}

// False if it cannot be inverted.
static bool invert(plait_usda_affine *m)
{
    const double *A = m->A;
    plait_usda_affine inverse;
    double det = 0;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            int a = (j + 1) % 3, b = (j + 2) % 3, c = (i + 1) % 3, d = (i + 2) % 3;
            inverse.A[3 * i + j] = A[3 * a + c] * A[3 * b + d] - A[3 * a + d] * A[3 * b + c];
        }
    }
    for (int k = 0; k < 3; k++)
        det += A[k] * inverse.A[3 * k];
    if (!(fabs(det) > 0) || !isfinite(det))
        return false;
    for (int k = 0; k < 9; k++)
        inverse.A[k] /= det;
    plait_mat3_apply(inverse.A, m->t, inverse.t);
    for (int c = 0; c < 3; c++)
        inverse.t[c] = -inverse.t[c];
    *m = inverse;
    return true;
}

static void turn(double *A, int axis, double degrees)
{
    double c = plait_cos(degrees * DEGREE), s = plait_sin(degrees * DEGREE);
    int i = (axis + 1) % 3, j = (axis + 2) % 3;
    plait_mat3_identity(A);
    A[4 * i] = A[4 * j] = c;
    A[3 * i + j] = -s;
    A[3 * j + i] = s;
}

// rotateXYZ turns about x first.
static bool turn_all(const char *axes, const double degrees[3], double *A)
{
    plait_mat3_identity(A);
    for (int k = 0; k < 3; k++) {
        double R[9], product[9];
        int axis = axes[k] - 'X';
        if (axis < 0 || axis > 2)
            return false;
        turn(R, axis, degrees[axis]);
        plait_mat3_multiply(R, A, product);
        memcpy(A, product, sizeof product);
    }
    return true;
}

static bool orient(const double x[4], double *A)
{
    double q[4] = {x[1], x[2], x[3], x[0]};
    if (!(plait_quat_dot(q, q) > 1e-20))
        return false;
    plait_quat_normalise(q);
    plait_quat_matrix(q, A);
    return true;
}

// kind: what follows "xformOp:". False: not known, or with another number of values.
static bool read_op(const plait_usda_op *op, const char *kind, size_t length, plait_usda_affine *m)
{
    char word[16];
    const double *x = op->x;
    snprintf(word, sizeof word, "%.*s", (int)(length < 15 ? length : 15), kind);
    *m = (plait_usda_affine){.A = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
    if (strcmp(word, "translate") == 0 && op->count == 3) {
        memcpy(m->t, x, sizeof m->t);
    } else if (strcmp(word, "scale") == 0 && op->count == 3) {
        for (int c = 0; c < 3; c++)
            m->A[4 * c] = x[c];
    } else if (strcmp(word, "transform") == 0 && op->count == 16) {
        for (int i = 0; i < 3; i++) {
            for (int j = 0; j < 3; j++)
                m->A[3 * i + j] = x[4 * j + i];
            m->t[i] = x[12 + i];
        }
    } else if (strcmp(word, "orient") == 0 && op->count == 4) {
        return orient(x, m->A);
    } else if (strncmp(word, "rotate", 6) == 0 && strlen(word) == 7 && op->count == 1 && strchr("XYZ", word[6])) {
        turn(m->A, word[6] - 'X', x[0]);
    } else if (strncmp(word, "rotate", 6) == 0 && strlen(word) == 9 && op->count == 3) {
        return turn_all(word + 6, x, m->A);
    } else {
        return false;
    }
    return true;
}

bool plait_usda_local(plait_usda_reader *r, const plait_usda_prim *prim, plait_usda_affine *out)
{
    *out = (plait_usda_affine){.A = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
    for (int i = 0; i < prim->orders; i++) {
        const char *name = prim->order[i];
        bool inverse = strncmp(name, "!invert!", 8) == 0;
        name += inverse ? 8 : 0;
        const plait_usda_op *op = NULL;
        for (int k = 0; k < prim->ops && !op; k++)
            op = strcmp(prim->op[k].name, name) == 0 ? &prim->op[k] : NULL;
        const char *kind = strncmp(name, "xformOp:", 8) == 0 ? name + 8 : "";
        plait_usda_affine m;
        r->line = prim->line;
        if (!op)
            return plait_usda_fail(r, "xformOpOrder names '%s', but this prim has no such operation", name);
        if (!read_op(op, kind, strcspn(kind, ":"), &m))
            return plait_usda_fail(r,
                                   "expected translate, scale, rotate, orient or transform with its numbers, found "
                                   "'%s' with %d",
                                   name, op->count);
        if (inverse && !invert(&m))
            return plait_usda_fail(r, "'%s' cannot be inverted", name);
        compose(out, &m);
    }
    return true;
}
