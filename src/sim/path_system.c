// path_system.c: the matrices of the whole scene, by entries: bodies and contacts.
#include <stdlib.h>

#include "base/pool.h"
#include "sim/path.h"

void plait_triplets_add(plait_triplets *t, int row, int col, double value)
{
    if (t->count == t->room) {
        int64_t room = t->room + t->room / 2 + 1024;
        int *r = realloc(t->row, (size_t)room * sizeof *r), *c = realloc(t->col, (size_t)room * sizeof *c);
        double *v = realloc(t->val, (size_t)room * sizeof *v);
        t->row = r ? r : t->row, t->col = c ? c : t->col, t->val = v ? v : t->val;
        t->failed |= !r || !c || !v;
        t->room = t->failed ? t->room : room;
    }
    if (!t->failed)
        t->row[t->count] = row, t->col[t->count] = col, t->val[t->count++] = value;
}

bool plait_triplets_sparse(plait_triplets *t, int rows, plait_sparse *A)
{
    *A = (plait_sparse){.rows = rows, .cols = rows};
    if (t->failed)
        return false;
    A->ptr = plait_calloc((size_t)rows + 2, sizeof *A->ptr);
    A->col = plait_malloc((size_t)(t->count + 1) * sizeof *A->col);
    A->val = plait_malloc((size_t)(t->count + 1) * sizeof *A->val);
    if (!A->ptr || !A->col || !A->val)
        return false;
    for (int64_t k = 0; k < t->count; k++)
        A->ptr[t->row[k] + 2]++;
    for (int i = 0; i < rows; i++)
        A->ptr[i + 2] += A->ptr[i + 1];
    for (int64_t k = 0; k < t->count; k++) {
        int64_t at = A->ptr[t->row[k] + 1]++;
        A->col[at] = t->col[k], A->val[at] = t->val[k];
    }
    return true;
}

void plait_triplets_free(plait_triplets *t)
{
    free(t->row), free(t->col), free(t->val);
    *t = (plait_triplets){0};
}

void plait_path_add_bodies(const plait_model *m, plait_triplets *t, const double *scale, bool half)
{
    for (int b = 0; b < m->bodies; b++) {
        const plait_body *body = &m->body[b];
        int first = m->first_dof[b], width = body->bandwidth;
        for (int c = 0; c < body->dofs; c++) {
            const double *column = body->M + (size_t)c * (size_t)(width + 1);
            for (int d = 0; d <= width && c + d < body->dofs; d++) {
                double value = column[d] * scale[first + c] * scale[first + c + d];
                if (value == 0 && d > 0)
                    continue;
                plait_triplets_add(t, first + c + d, first + c, value);
                if (d > 0 && !half)
                    plait_triplets_add(t, first + c, first + c + d, value);
            }
        }
    }
}

void plait_path_each(const plait_model *m, const plait_work *w, const plait_limbs *H,
                     void (*f)(void *data, int contact, int axis, int dof, double value), void *data)
{
    for (int i = 0; i < w->touches.count; i++)
        for (int k = H->ptr[i]; k < H->ptr[i + 1]; k++) {
            int b = 0, from;
            while (b < m->bodies && (w->body_dof[b] < 0 || w->body_place[b] != H->body[k]))
                b++;
            plait_sim_free_dofs(&m->body[b], &from);
            for (int64_t c = H->first[k]; c < H->first[k + 1]; c++)
                for (int axis = 0; axis < 3; axis++)
                    f(data, i, axis, m->first_dof[b] + from + H->col[c], H->val[3 * c + axis]);
        }
}

typedef struct product {
    const double *x;
    double *y;
    bool transposed;
} product;

static void multiply(void *data, int contact, int axis, int dof, double value)
{
    const product *p = data;
    int row = 3 * contact + axis;
    if (p->transposed)
        p->y[dof] += value * p->x[row];
    else
        p->y[row] += value * p->x[dof];
}

void plait_path_apply(const plait_model *m, const plait_work *w, const plait_limbs *H, const double *x, bool transposed,
                      double *y)
{
    product p = {x, y, transposed};
    plait_path_each(m, w, H, multiply, &p);
}
