// cholesky_plan.c: from the pattern of a matrix to the supernodes of its factor.
#include <stdlib.h>
#include <string.h>

#include "base/order.h"
#include "base/pool.h"
#include "math/cholesky.h"
#include "math/direct.h"
#include "math/dissect.h"
#include "math/sparse.h"

// Columns are merged with those of their parent while zeros are fewer than this part of the block, or the block is
// small.
#define ZEROS 0.08
enum { SMALL = 12 };
#define BRANCHED 2e7 // flops: a factor that is quicker than this is not for a team

// The pattern of A and its transpose without the diagonal.
static bool symmetric_pattern(const plait_sparse *A, plait_sparse *S)
{
    plait_sparse T = {0};
    *S = (plait_sparse){0};
    bool ok = plait_sparse_transpose(A, &T) && plait_sparse_alloc(S, A->rows, A->rows, 2 * A->ptr[A->rows]);
    int64_t at = 0;
    for (int i = 0; ok && i < A->rows; i++) {
        int64_t a = A->ptr[i], t = T.ptr[i];
        while (a < A->ptr[i + 1] || t < T.ptr[i + 1]) {
            int ca = a < A->ptr[i + 1] ? A->col[a] : INT32_MAX, ct = t < T.ptr[i + 1] ? T.col[t] : INT32_MAX;
            int c = ca < ct ? ca : ct;
            a += ca == c, t += ct == c;
            if (c != i)
                S->col[at++] = c;
        }
        S->ptr[i + 1] = at;
    }
    plait_sparse_free(&T);
    return ok;
}

// ---- the order -----------------------------------------------------------------------------------------------------

// Rows i and j with the same neighbours, themselves included, can stand next to each other: nodes of a mesh.
static bool alike(const plait_sparse *S, int i, int j)
{
    int64_t a = S->ptr[i], b = S->ptr[j];
    if (S->ptr[i + 1] - a != S->ptr[j + 1] - b)
        return false;
    while (a < S->ptr[i + 1] && b < S->ptr[j + 1]) {
        int ca = S->col[a], cb = S->col[b];
        if (ca == j) // its twin in row j is i
            a++;
        else if (cb == i)
            b++;
        else if (ca != cb)
            return false;
        else
            a++, b++;
    }
    return true;
}

// class_of[i]: rows alike share one. Returns how many classes there are.
static int classify(const plait_sparse *S, int *class_of)
{
    int classes = 0;
    for (int i = 0; i < S->rows; i++)
        class_of[i] = -1;
    for (int i = 0; i < S->rows; i++) {
        if (class_of[i] >= 0)
            continue;
        class_of[i] = classes;
        for (int64_t k = S->ptr[i]; k < S->ptr[i + 1]; k++)
            if (S->col[k] > i && class_of[S->col[k]] < 0 && alike(S, i, S->col[k]))
                class_of[S->col[k]] = classes;
        classes++;
    }
    return classes;
}

// The lower triangle of the graph of classes, with its diagonal.
static bool compress(const plait_sparse *S, const int *class_of, int classes, plait_sparse *C)
{
    plait_triplet *t = plait_malloc(((size_t)S->ptr[S->rows] + (size_t)classes + 1) * sizeof *t);
    int64_t count = 0;
    int last = -1; // the first row of each class stands for it
    for (int i = 0; t && i < S->rows; i++) {
        if (class_of[i] <= last)
            continue;
        last = class_of[i];
        t[count++] = (plait_triplet){last, last, 1};
        for (int64_t k = S->ptr[i]; k < S->ptr[i + 1]; k++)
            if (class_of[S->col[k]] < last)
                t[count++] = (plait_triplet){last, class_of[S->col[k]], 0};
    }
    bool ok = t && plait_sparse_from_triplets(classes, classes, count, t, C);
    plait_free(t);
    return ok;
}

// The order of classes by their places. point: of rows, three of which have one place.
static bool order_by_places(const plait_sparse *C, int rows, const int *class_of, const double *point, int *position)
{
    double *own = plait_malloc((3 * (size_t)C->rows + 1) * sizeof *own);
    for (int i = rows - 1; own && i >= 0; i--)
        memcpy(own + 3 * (size_t)class_of[i], point + 3 * (size_t)(i / 3), 3 * sizeof *own);
    bool ok = own && plait_dissect(C, own, position);
    plait_free(own);
    return ok;
}

// perm: the rows class by class, in the order that fills least.
static bool find_order(const plait_sparse *S, const double *point, int *perm, plait_error *error)
{
    int n = S->rows;
    int *class_of = plait_malloc((3 * (size_t)n + 3) * sizeof *class_of), *at = class_of ? class_of + n + 1 : NULL;
    int *position = at ? at + n + 1 : NULL;
    plait_sparse C = {0};
    bool ok = class_of != NULL;
    int classes = ok ? classify(S, class_of) : 0;
    ok = ok && compress(S, class_of, classes, &C);
    if (!ok)
        plait_error_set(error, PLAIT_NO_MEMORY, "no memory for the order of %d rows", n);
    if (ok && point && !order_by_places(&C, n, class_of, point, position))
        ok = false, plait_error_set(error, PLAIT_NO_MEMORY, "no memory for the order of %d rows", n);
    ok = ok && (point || plait_direct_order(&C, position, error));
    if (ok) {
        memset(at, 0, ((size_t)classes + 1) * sizeof *at);
        for (int i = 0; i < n; i++)
            at[position[class_of[i]] + 1]++;
        for (int c = 0; c < classes; c++)
            at[c + 1] += at[c];
        for (int i = 0; i < n; i++)
            perm[at[position[class_of[i]]]++] = i;
    }
    plait_sparse_free(&C), plait_free(class_of);
    return ok;
}

// ---- the tree ------------------------------------------------------------------------------------------------------

static void invert(const int *perm, int n, int *place)
{
    for (int i = 0; i < n; i++)
        place[perm[i]] = i;
}

// The elimination tree of the ordered pattern; ancestor: scratch.
static void find_parents(const plait_sparse *S, const int *perm, const int *place, int *ancestor, int *parent)
{
    for (int i = 0; i < S->rows; i++) {
        parent[i] = ancestor[i] = -1;
        for (int64_t k = S->ptr[perm[i]]; k < S->ptr[perm[i] + 1]; k++)
            for (int j = place[S->col[k]]; j >= 0 && j < i;) {
                int next = ancestor[j];
                ancestor[j] = i; // shortens the way for later rows
                if (next < 0)
                    parent[j] = i;
                j = next;
            }
    }
}

// Children before parents, each subtree in one piece: perm and parent are renumbered. head, next: scratch of [n] each.
static void postorder(int n, int *perm, int *parent, int *head, int *next, int *stack, int *fresh)
{
    int roots = -1, count = 0;
    for (int i = 0; i < n; i++)
        head[i] = -1;
    for (int i = n - 1; i >= 0; i--) {
        int *list = parent[i] < 0 ? &roots : &head[parent[i]];
        next[i] = *list, *list = i;
    }
    for (int root = roots; root >= 0; root = next[root]) {
        int top = 0;
        stack[0] = root;
        while (top >= 0) {
            int i = stack[top], child = head[i];
            if (child >= 0)
                head[i] = next[child], stack[++top] = child;
            else
                fresh[i] = count++, top--;
        }
    }
    for (int i = 0; i < n; i++) // head and next are free now
        head[fresh[i]] = perm[i], next[fresh[i]] = parent[i] < 0 ? -1 : fresh[parent[i]];
    memcpy(perm, head, (size_t)n * sizeof *perm), memcpy(parent, next, (size_t)n * sizeof *parent);
}

// Entries of each column of L, the diagonal included: row i of L is the paths from the entries of row i of A up to i.
static void count_columns(const plait_sparse *S, const int *perm, const int *place, const int *parent, int *mark,
                          int *count)
{
    for (int i = 0; i < S->rows; i++) {
        mark[i] = i, count[i] = 1;
        for (int64_t k = S->ptr[perm[i]]; k < S->ptr[perm[i] + 1]; k++)
            for (int j = place[S->col[k]]; j < i && mark[j] != i; j = parent[j])
                mark[j] = i, count[j]++;
    }
}

// ---- supernodes ----------------------------------------------------------------------------------------------------

// Whether the block before `first` (from column `from`, `rows` rows) may join the block of `cols` columns and `total`
// rows.
static bool worth_merging(int from, int first, int64_t rows, int64_t cols, int64_t total, int64_t *zeros)
{
    int64_t own = first - from, added = own * (total - (rows - own)), size = (own + cols) * (own + total);
    if (own + cols > SMALL && (double)(*zeros + added) > ZEROS * (double)size)
        return false;
    *zeros += added;
    return true;
}

// Fills first, and in rows[] how many rows each supernode has. Returns how many there are.
static int find_supernodes(int n, const int *parent, const int *count, int *first, int *rows, int64_t *zeros)
{
    int s = 0;
    for (int i = 0; i < n; i++) {
        bool joins = i > 0 && parent[i - 1] == i && count[i - 1] == count[i] + 1;
        if (!joins)
            first[s] = i, rows[s] = count[i], zeros[s] = 0, s++;
    }
    first[s] = n;
    int kept = 0; // merged with their last children
    for (int k = 0; k < s; k++) {
        int begin = first[k], end = first[k + 1], total = rows[k];
        int64_t empty = 0;
        while (kept > 0 && parent[begin - 1] >= begin && parent[begin - 1] < end) {
            int64_t sum = empty + zeros[kept - 1];
            if (!worth_merging(first[kept - 1], begin, rows[kept - 1], end - begin, total, &sum))
                break;
            kept--;
            total += begin - first[kept], begin = first[kept], empty = sum;
        }
        first[kept] = begin, rows[kept] = total, zeros[kept] = empty, kept++;
    }
    first[kept] = n;
    return kept;
}

static int by_value(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

// Rows below each supernode: those of A and those that its children hand on.
static void find_rows(plait_cholesky_plan *p, const plait_sparse *S, int *mark, int *child, int *sibling)
{
    for (int i = 0; i < p->n; i++)
        mark[i] = -1;
    for (int s = 0; s < p->supernodes; s++)
        child[s] = -1;
    for (int s = 0; s < p->supernodes; s++) {
        int end = p->first[s + 1], *row = p->row + p->row_ptr[s], count = 0;
        for (int i = p->first[s]; i < end; i++)
            for (int64_t k = S->ptr[p->perm[i]]; k < S->ptr[p->perm[i] + 1]; k++) {
                int j = p->place[S->col[k]];
                if (j >= end && mark[j] != s)
                    mark[j] = s, row[count++] = j;
            }
        for (int c = child[s]; c >= 0; c = sibling[c])
            for (int64_t k = p->row_ptr[c]; k < p->row_ptr[c + 1]; k++)
                if (p->row[k] >= end && mark[p->row[k]] != s)
                    mark[p->row[k]] = s, row[count++] = p->row[k];
        plait_sort(row, (size_t)count, sizeof *row, by_value);
        p->row_ptr[s + 1] = p->row_ptr[s] + count;
        p->parent[s] = count > 0 ? p->super[row[0]] : -1;
        if (count > 0)
            sibling[s] = child[p->parent[s]], child[p->parent[s]] = s;
    }
}

static int64_t rows_below(const plait_cholesky_plan *p, int s)
{
    return p->row_ptr[s + 1] - p->row_ptr[s];
}

// Blocks of L and flops; of[s]: flops of s and all below it.
static void measure(plait_cholesky_plan *p, double *of)
{
    memset(of, 0, (size_t)p->supernodes * sizeof *of);
    for (int s = 0; s < p->supernodes; s++) {
        double nc = p->first[s + 1] - p->first[s], nr = (double)rows_below(p, s);
        p->L_ptr[s + 1] = p->L_ptr[s] + (int64_t)(nc * (nc + nr));
        p->most_rows = nc + nr > p->most_rows ? (int)(nc + nr) : p->most_rows;
        of[s] += nc * nc * nc / 3 + nc * nc * nr + nc * nr * nr;
        if (p->parent[s] >= 0)
            of[p->parent[s]] += of[s];
        else
            p->flops += of[s];
    }
}

// The most that updates take at a time, of supernodes from..to without the branches among them if `above`: children
// come just before their parent, so that the last updates are the first to be used up. open: scratch.
static int64_t most_held(const plait_cholesky_plan *p, int from, int to, bool above, int *open)
{
    int64_t held = 0, most = 0;
    int top = 0, next = 0;
    for (int s = from; s <= to; s++) {
        int64_t freed = 0, update = rows_below(p, s);
        if (above && next < p->branches && s == p->branch[next].from) { // its root's update lies elsewhere
            s = p->branch[next++].to;
            continue;
        }
        for (; top > 0 && p->parent[open[top - 1]] == s; top--)
            freed += rows_below(p, open[top - 1]) * rows_below(p, open[top - 1]);
        held += update * update;
        most = held > most ? held : most;
        held -= freed;
        if (update > 0)
            open[top++] = s;
    }
    return most;
}

// Branches: the largest parts of the tree that are less than a piece of the whole, in the order of supernodes. They
// depend on the pattern alone.
static void find_branches(plait_cholesky_plan *p, const double *of, int *open)
{
    enum { MOST = sizeof p->branch / sizeof *p->branch };
    double piece = p->flops / MOST;
    int *size = open; // supernodes of each part
    for (int s = 0; s < p->supernodes; s++)
        size[s] = 1;
    for (int s = 0; s < p->supernodes; s++)
        if (p->parent[s] >= 0)
            size[p->parent[s]] += size[s];
    for (int s = 0; s < p->supernodes && p->flops > BRANCHED; s++)
        if (of[s] <= 2 * piece && of[s] > piece / 2 && (p->parent[s] < 0 || of[p->parent[s]] > 2 * piece) &&
            p->branches < MOST)
            p->branch[p->branches++] = (struct plait_cholesky_branch){.from = s - size[s] + 1, .to = s};
    for (int k = 0; k < p->branches; k++) {
        p->branch[k].at = p->stack;
        p->stack += most_held(p, p->branch[k].from, p->branch[k].to, false, open);
    }
    p->top_at = p->stack;
    p->stack += most_held(p, 0, p->supernodes - 1, true, open);
}

// ---- entries -------------------------------------------------------------------------------------------------------

static bool has_entry(const plait_sparse *A, int i, int j)
{
    int64_t at = plait_place_of(A->col, A->ptr[i], A->ptr[i + 1], j);
    return at < A->ptr[i + 1] && A->col[at] == j;
}

int64_t plait_cholesky_entry(const plait_cholesky_plan *p, int i, int j)
{
    int s = p->super[j], nc = p->first[s + 1] - p->first[s];
    int64_t begin = p->row_ptr[s], end = p->row_ptr[s + 1], ld = nc + end - begin;
    int64_t column = p->L_ptr[s] + (j - p->first[s]) * ld;
    if (i < p->first[s + 1])
        return column + i - p->first[s];
    return column + nc + (plait_place_of(p->row, begin, end, i) - begin);
}

static void find_targets(plait_cholesky_plan *p, const plait_sparse *A)
{
    for (int i = 0; i < p->n; i++)
        for (int64_t k = A->ptr[i]; k < A->ptr[i + 1]; k++) {
            int a = p->place[i], b = p->place[A->col[k]];
            p->target[k] = a > b ? plait_cholesky_entry(p, a, b) : plait_cholesky_entry(p, b, a);
            p->half[k] = a != b && has_entry(A, A->col[k], i);
        }
}

// ---- the plan ------------------------------------------------------------------------------------------------------

static bool plan_rows(plait_cholesky_plan *p, const plait_sparse *S, const double *point, int *scratch,
                      plait_error *error)
{
    int n = p->n, *parent = scratch, *count = scratch + n, *mark = scratch + 2 * n, *more = scratch + 3 * n;
    if (!find_order(S, point, p->perm, error))
        return false;
    invert(p->perm, n, p->place);
    find_parents(S, p->perm, p->place, mark, parent);
    postorder(n, p->perm, parent, count, mark, more, p->place);
    invert(p->perm, n, p->place);
    count_columns(S, p->perm, p->place, parent, mark, count);
    int64_t *zeros = plait_malloc(((size_t)n + 1) * sizeof *zeros), total = 0;
    double *of = plait_malloc(((size_t)n + 1) * sizeof *of);
    if (zeros)
        p->supernodes = find_supernodes(n, parent, count, p->first, more, zeros);
    plait_free(zeros);
    for (int s = 0; s < p->supernodes; s++) {
        total += more[s] - (p->first[s + 1] - p->first[s]);
        for (int i = p->first[s]; i < p->first[s + 1]; i++)
            p->super[i] = s;
    }
    p->row = plait_malloc(((size_t)total + 1) * sizeof *p->row);
    bool ok = zeros && of && p->row;
    if (ok) {
        find_rows(p, S, mark, parent, count);
        measure(p, of);
        find_branches(p, of, mark);
    } else {
        plait_error_set(error, PLAIT_NO_MEMORY, "no memory for the factor of %d rows", n);
    }
    plait_free(of);
    return ok;
}

static plait_cholesky_plan *analyse(const plait_sparse *A, const double *point, plait_error *error)
{
    size_t n = (size_t)A->rows + 1;
    plait_cholesky_plan *p = plait_calloc(1, sizeof *p);
    int *scratch = plait_malloc(4 * n * sizeof *scratch);
    plait_sparse S = {0};
    bool ok = p && scratch;
    if (ok) {
        p->n = A->rows, p->entries = A->ptr[A->rows];
        p->perm = plait_malloc(n * sizeof *p->perm), p->place = plait_malloc(n * sizeof *p->place);
        p->first = plait_malloc(n * sizeof *p->first), p->super = plait_malloc(n * sizeof *p->super);
        p->parent = plait_malloc(n * sizeof *p->parent), p->row_ptr = plait_calloc(n, sizeof *p->row_ptr);
        p->L_ptr = plait_calloc(n, sizeof *p->L_ptr);
        p->target = plait_malloc(((size_t)p->entries + 1) * sizeof *p->target);
        p->half = plait_malloc((size_t)p->entries + 1);
        p->ptr = plait_malloc(n * sizeof *p->ptr), p->col = plait_malloc(((size_t)p->entries + 1) * sizeof *p->col);
        ok = p->ptr && p->col && p->perm && p->place && p->first && p->super && p->parent && p->row_ptr && p->L_ptr &&
             p->target && p->half && symmetric_pattern(A, &S);
    }
    if (!ok)
        plait_error_set(error, PLAIT_NO_MEMORY, "no memory for the factor of %d rows", A->rows);
    ok = ok && plan_rows(p, &S, point, scratch, error);
    if (ok) {
        memcpy(p->ptr, A->ptr, n * sizeof *p->ptr), memcpy(p->col, A->col, (size_t)p->entries * sizeof *p->col);
        find_targets(p, A);
    }
    plait_sparse_free(&S), plait_free(scratch);
    if (ok)
        return p;
    plait_cholesky_plan_free(p);
    return NULL;
}

plait_cholesky_plan *plait_cholesky_analyse(const plait_sparse *A, plait_error *error)
{
    return analyse(A, NULL, error);
}

plait_cholesky_plan *plait_cholesky_analyse_mesh(const plait_sparse *A, const double *point, plait_error *error)
{
    plait_cholesky_plan *graph = analyse(A, NULL, error), *places = graph ? analyse(A, point, error) : NULL;
    bool better = places && places->flops < graph->flops;
    plait_cholesky_plan_free(better || !places ? graph : places);
    return better ? places : places ? graph : NULL;
}

void plait_cholesky_plan_free(plait_cholesky_plan *p)
{
    if (!p)
        return;
    plait_free(p->perm), plait_free(p->place), plait_free(p->first), plait_free(p->super), plait_free(p->parent);
    plait_free(p->row_ptr), plait_free(p->row);
    plait_free(p->L_ptr), plait_free(p->target), plait_free(p->half), plait_free(p->ptr), plait_free(p->col);
    plait_free(p);
}
