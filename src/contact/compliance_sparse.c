// compliance_sparse.c: the diagonal of W on bodies with sparse factors.
//
// Three ways. W_ii = Y^T Y with Y = L^-1 H_limb^T: a column of Y is zero but on a path of the factor's tree. Limbs that
// lie near each other share most of their paths, and go through the factor together, as a matrix with three columns for
// each of them. Or W_ii = H_limb Z H_limb^T with Z = M^-1, whose entries on the pattern of the factor cost about two
// factorisations, for any number of limbs: the rows of a triangle are in that pattern, those of a fold that touches
// itself are not. Or Z on all dofs that are touched, where contacts crowd on few of them: that is kept, and W as a
// dense matrix comes with it. What is taken, and which limbs go together, depends on the body alone, so that results do
// not depend on threads.
#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include "base/pool.h"
#include "contact/compliance.h"

enum { BATCH = PLAIT_LIMB_BATCH };
enum { MOST_TOUCHED = 1500 }; // dofs: 18 MB
#define INVERSE 2.0           // its cost in factorisations
#define TWICE 2.0             // where all of W is wanted it costs nothing more

typedef struct batch {
    plait_cholesky_path path;
    double *X, *work;
    size_t room; // of X
} batch;

typedef plait_limb_place limb_place;

static int by_place(const void *a, const void *b)
{
    const limb_place *x = a, *y = b;
    return x->place != y->place ? x->place - y->place : x->limb - y->limb;
}

limb_place *plait_compliance_sort_limbs(const plait_compliance *c, int b, const plait_cholesky_plan *plan)
{
    int first = c->body[b].first_limb, count = c->body[b + 1].first_limb - first;
    limb_place *list = plait_malloc(((size_t)count + 1) * sizeof *list);
    for (int k = 0; list && k < count; k++) {
        const plait_limb *limb = &c->limb[first + k];
        int place = plan->n;
        for (int j = 0; j < limb->count; j++) {
            int p = plan->place[c->col[limb->first + j]];
            place = p < place ? p : place;
        }
        list[k] = (limb_place){place, first + k};
    }
    if (list)
        plait_sort(list, (size_t)count, sizeof *list, by_place);
    return list;
}

// ---- by paths ------------------------------------------------------------------------------------------------------

static bool grow(batch *w, size_t room)
{
    if (room <= w->room)
        return true;
    plait_free(w->X);
    w->room = room + room / 2;
    w->X = plait_malloc(w->room * sizeof *w->X);
    w->room = w->X ? w->room : 0;
    return w->X != NULL;
}

static void square(const double *X, int rows, double *B)
{
    double s[6] = {0};
    const double *x = X, *y = X + rows, *z = y + rows;
    for (int i = 0; i < rows; i++) {
        s[0] += x[i] * x[i], s[1] += x[i] * y[i], s[2] += x[i] * z[i];
        s[3] += y[i] * y[i], s[4] += y[i] * z[i], s[5] += z[i] * z[i];
    }
    const double full[9] = {s[0], s[1], s[2], s[1], s[3], s[4], s[2], s[4], s[5]};
    memcpy(B, full, sizeof full);
}

void plait_compliance_path(const plait_compliance *c, const plait_cholesky_plan *plan, const limb_place *list,
                           int count, plait_cholesky_path *path)
{
    for (int k = 0; k < count; k++) {
        const plait_limb *limb = &c->limb[list[k].limb];
        for (int j = 0; j < limb->count; j++)
            plait_cholesky_path_add(path, plan, c->col[limb->first + j]);
    }
    plait_cholesky_path_finish(path, plan);
}

void plait_compliance_path_columns(const plait_compliance *c, const plait_cholesky_plan *plan, const limb_place *list,
                                   int count, const plait_cholesky_path *path, double *X)
{
    size_t rows = (size_t)path->rows;
    memset(X, 0, 3 * rows * (size_t)count * sizeof *X);
    for (int k = 0; k < count; k++) {
        const plait_limb *limb = &c->limb[list[k].limb];
        for (int j = 0; j < limb->count; j++) {
            int at = plait_cholesky_path_row(path, plan, c->col[limb->first + j]);
            for (int a = 0; a < 3; a++)
                X[(3 * (size_t)k + (size_t)a) * rows + (size_t)at] = c->val[3 * (limb->first + j) + a];
        }
    }
}

static bool run_batch(const plait_compliance *c, const plait_factor *f, const limb_place *list, int count, batch *w,
                      double *squares)
{
    plait_compliance_path(c, f->plan, list, count, &w->path);
    size_t rows = (size_t)w->path.rows;
    if (!grow(w, 3 * rows * (size_t)count))
        return false;
    plait_compliance_path_columns(c, f->plan, list, count, &w->path, w->X);
    plait_cholesky_forward(f->plan, f->L, &w->path, 3 * count, w->work, w->X);
    for (int k = 0; k < count; k++)
        square(w->X + 3 * (size_t)k * rows, (int)rows, squares + 9 * (int64_t)list[k].limb);
    plait_cholesky_path_clear(&w->path);
    return true;
}

// Those of the list in batches.
static bool path_squares(const plait_compliance *c, const plait_factor *f, const limb_place *list, int count,
                         plait_team team, double *squares)
{
    int batches = (count + BATCH - 1) / BATCH;
    bool ok = true;
    team = plait_team_if(batches > 1, team);
#pragma omp parallel num_threads(team.threads) reduction(&& : ok) if (team.threads > 1)
    {
        batch w = {.work = plait_malloc(3 * BATCH * (size_t)f->plan->most_rows * sizeof *w.work)};
        ok = ok && w.work && plait_cholesky_path_alloc(&w.path, f->plan);
#pragma omp for schedule(dynamic, 1)
        for (int k = 0; k < batches; k++) {
            int left = count - k * BATCH;
            ok = ok && run_batch(c, f, list + k * BATCH, left < BATCH ? left : BATCH, &w, squares);
        }
        plait_cholesky_path_free(&w.path), plait_free(w.X), plait_free(w.work);
    }
    return ok;
}

// ---- by the inverse ------------------------------------------------------------------------------------------------

typedef struct fronts {
    const plait_compliance *c;
    const plait_cholesky_plan *plan;
    const limb_place *list; // sorted, so that those of a supernode stand together
    int left;               // not done yet: supernodes come from the last to the first
    double *squares;
} fronts;

static void front_square(const fronts *x, int k, const double *Z, int rows, const int *local, double *B)
{
    const plait_limb *limb = &x->c->limb[k];
    const double *h = x->c->val + 3 * limb->first;
    const int *col = x->c->col + limb->first;
    memset(B, 0, 9 * sizeof *B);
    for (int j = 0; j < limb->count; j++) {
        int at = local[x->plan->place[col[j]]];
        double y[3] = {0, 0, 0}; // row j of Z H^T
        for (int i = 0; i < limb->count; i++) {
            int to = local[x->plan->place[col[i]]];
            double z = at > to ? Z[(int64_t)to * rows + at] : Z[(int64_t)at * rows + to];
            for (int a = 0; a < 3; a++)
                y[a] += z * h[3 * i + a];
        }
        for (int a = 0; a < 3; a++)
            for (int e = 0; e < 3; e++)
                B[3 * a + e] += h[3 * j + a] * y[e];
    }
    for (int a = 0; a < 3; a++)
        for (int e = 0; e < a; e++)
            B[3 * a + e] = B[3 * e + a];
}

static void use_front(void *data, int s, const double *Z, int rows, const int *local)
{
    fronts *x = data;
    for (; x->left > 0 && x->list[x->left - 1].place >= x->plan->first[s]; x->left--) {
        int k = x->list[x->left - 1].limb;
        front_square(x, k, Z, rows, local, x->squares + 9 * (int64_t)k);
    }
}

// ---- by an inverse that is kept -------------------------------------------------------------------------------------

typedef struct store {
    const plait_cholesky_plan *plan;
    double *Z;
} store;

static void store_front(void *data, int s, const double *Z, int rows, const int *local)
{
    const store *x = data;
    (void)local;
    memcpy(x->Z + x->plan->L_ptr[s], Z, (size_t)(x->plan->first[s + 1] - x->plan->first[s]) * (size_t)rows * sizeof *Z);
}

static void kept_square(const plait_compliance *c, const plait_cholesky_plan *plan, const double *Z, int k, double *B)
{
    const plait_limb *limb = &c->limb[k];
    const double *h = c->val + 3 * limb->first;
    const int *col = c->col + limb->first;
    memset(B, 0, 9 * sizeof *B);
    for (int j = 0; j < limb->count; j++)
        for (int i = 0; i < limb->count; i++) {
            int p = plan->place[col[j]], q = plan->place[col[i]];
            double z = Z[plait_cholesky_entry(plan, p > q ? p : q, p > q ? q : p)];
            for (int a = 0; a < 3; a++)
                for (int e = a; e < 3; e++)
                    B[3 * a + e] += h[3 * j + a] * z * h[3 * i + e];
        }
    B[3] = B[1], B[6] = B[2], B[7] = B[5];
}

// The limbs of the list, from the inverse on the pattern of the factor; it stays with the body, if that keeps its M.
static bool inverse_squares(const plait_compliance *c, int b, const plait_factor *f, const limb_place *list, int count,
                            const unsigned char *wanted, double *squares)
{
    plait_kept_factor *kept = c->bands.bodies ? c->bands.kept[b] : NULL;
    if (count == 0)
        return true;
    if (!kept || !kept->Z) {
        fronts x = {.c = c, .plan = f->plan, .list = list, .left = count, .squares = squares};
        return plait_cholesky_inverse(f->plan, f->L, wanted, use_front, &x);
    }
    if (!kept->inverted)
        kept->inverted = plait_cholesky_inverse(f->plan, f->L, NULL, store_front, &(store){f->plan, kept->Z});
    for (int k = 0; kept->inverted && k < count; k++)
        kept_square(c, f->plan, kept->Z, list[k].limb, squares + 9 * (int64_t)list[k].limb);
    return kept->inverted;
}

// Whether all rows of a limb lie in the supernode of the first.
static bool in_front(const plait_compliance *c, const plait_cholesky_plan *plan, const limb_place *l)
{
    const plait_limb *limb = &c->limb[l->limb];
    for (int j = 0; j < limb->count; j++)
        if (!plait_cholesky_has_row(plan, plan->super[l->place], plan->place[c->col[limb->first + j]]))
            return false;
    return true;
}

// Flops of both ways, for those limbs that the inverse serves.
typedef struct costs {
    double *path; // [supernodes] of a column
    double paths, inverse, touched;
    unsigned char *wanted; // [supernodes] of the inverse
} costs;

// Splits the list: those that the inverse serves, then the others. Returns how many.
static int split(const plait_compliance *c, const plait_cholesky_plan *plan, int count, limb_place *list,
                 limb_place *other, costs *cost)
{
    int served = 0, rest = 0;
    for (int k = 0; k < count; k++)
        if (in_front(c, plan, &list[k]))
            cost->paths += 3 * cost->path[plan->super[list[k].place]], list[served++] = list[k];
        else
            other[rest++] = list[k];
    memcpy(list + served, other, (size_t)rest * sizeof *list);
    for (int k = 0; k < served; k++)
        plait_cholesky_want(plan, list[k].place, cost->wanted);
    cost->inverse = INVERSE * plan->flops * plait_cholesky_inverse_part(plan, cost->wanted);
    if (cost->paths > cost->inverse)
        return served;
    plait_sort(list, (size_t)count, sizeof *list, by_place);
    return 0;
}

// ---- by M^-1 on the dofs that are touched --------------------------------------------------------------------------

// Forward for each dof, then the products of any two; those of W come with it.
static double touched_flops(const plait_compliance *c, int b, const plait_cholesky_plan *plan, const double *path,
                            int *number)
{
    double dofs = plait_compliance_number_dofs(c, b, plan, number), flops = dofs * dofs * c->body[b].size;
    for (int i = 0; i < c->body[b].size; i++)
        flops += number[i] >= 0 ? path[plan->super[plan->place[i]]] : 0;
    return dofs <= MOST_TOUCHED ? flops : INFINITY;
}

static void touched_squares(const plait_compliance *c, int b, double *squares)
{
    const plait_touched *t = &c->body[b].touched;
    for (int k = c->body[b].first_limb; k < c->body[b + 1].first_limb; k++) {
        const plait_limb *limb = &c->limb[k];
        const double *h = c->val + 3 * limb->first;
        double *B = squares + 9 * (int64_t)k;
        memset(B, 0, 9 * sizeof *B);
        for (int j = 0; j < limb->count; j++) {
            const double *row = t->A + (int64_t)t->number[c->col[limb->first + j]] * t->dofs;
            double y[3] = {0, 0, 0};
            for (int i = 0; i < limb->count; i++)
                for (int a = 0; a < 3; a++)
                    y[a] += row[t->number[c->col[limb->first + i]]] * h[3 * i + a];
            for (int a = 0; a < 3; a++)
                for (int e = a; e < 3; e++)
                    B[3 * a + e] += h[3 * j + a] * y[e];
        }
        B[3] = B[1], B[6] = B[2], B[7] = B[5];
    }
}

// ---- all -----------------------------------------------------------------------------------------------------------

static bool body_squares(plait_compliance *c, int b, plait_team team, double *squares)
{
    const plait_factor *f = &c->pack[c->body[b].pack];
    int count = c->body[b + 1].first_limb - c->body[b].first_limb, served = 0;
    limb_place *list = plait_compliance_sort_limbs(c, b, f->plan);
    limb_place *other = plait_malloc(((size_t)count + 1) * sizeof *other);
    int *number = plait_malloc(((size_t)c->body[b].size + 1) * sizeof *number);
    costs cost = {.path = plait_malloc(((size_t)f->plan->supernodes + 1) * sizeof *cost.path),
                  .wanted = plait_calloc((size_t)f->plan->supernodes + 1, 1)};
    bool ok = list && other && cost.path && cost.wanted && number, touch = false;
    plait_touched_free(&c->body[b].touched);
    if (ok) {
        plait_cholesky_path_costs(f->plan, cost.path);
        served = split(c, f->plan, count, list, other, &cost);
        cost.touched = touched_flops(c, b, f->plan, cost.path, number);
        touch = cost.touched < TWICE * fmin(cost.paths, cost.inverse);
    }
    if (ok && touch) {
        ok = plait_compliance_touch(c, b, team, NULL, &c->body[b].touched);
        if (ok)
            touched_squares(c, b, squares);
    } else if (ok) {
        ok = inverse_squares(c, b, f, list, served, cost.wanted, squares);
        ok = ok && path_squares(c, f, list + served, count - served, team, squares);
    }
    plait_free(list), plait_free(other), plait_free(cost.path), plait_free(cost.wanted);
    plait_free(number);
    return ok;
}

static bool any_wanted(const plait_compliance *c, int b, const unsigned char *wanted)
{
    bool any = !wanted;
    for (int k = c->body[b].first_limb; !any && k < c->body[b + 1].first_limb; k++)
        any = wanted[c->limb[k].contact];
    return any;
}

bool plait_compliance_sparse_squares(plait_compliance *c, const unsigned char *wanted, plait_team team,
                                     double **squares)
{
    bool ok = true;
    for (int i = 0; ok && i < c->packs; i++) {
        int b = c->pack_body[i * PLAIT_LANES];
        if (c->pack[i].kind != PLAIT_FACTOR_SPARSE)
            continue;
        if (!*squares)
            *squares = plait_calloc(9 * (size_t)c->limbs + 1, sizeof **squares);
        ok = *squares && (!any_wanted(c, b, wanted) || body_squares(c, b, team, *squares));
    }
    return ok;
}
