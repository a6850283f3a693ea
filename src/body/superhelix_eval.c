// superhelix_eval.c: energy, gradient and Hessian of a super-helix in one sweep from the tip to the root.
#include <math.h>
#include <string.h>

#include "body/superhelix.h"
#include "math/quat.h"

void plait_superhelix_place(plait_superhelix *sh, bool motion)
{
    sh->node[0] = sh->root;
    for (int q = 0; q < sh->n; q++) {
        const sh_pose *a = &sh->node[q];
        sh_pose *b = &sh->node[q + 1];
        plait_helix h = plait_helix_at(sh->k + 3 * q, sh->length[q]);
        double x[3], E[9], D[9], V[9];
        plait_helix_place(&h, x, E);
        plait_mat3_apply(a->R, x, b->x);
        plait_vec3_axpy(1, a->x, b->x);
        plait_mat3_multiply(a->R, E, b->R);
        if (!motion)
            continue;
        plait_helix_jacobian(&h, D, V);
        double *lin = sh->lin + 9 * q, *end = sh->lin_end + 9 * q, *ang = sh->ang + 9 * q, arm[3], C[9] = {0}, S[9];
        plait_mat3_multiply(a->R, D, end);
        plait_mat3_multiply(a->R, V, ang);
        // The same motion seen at the root: v(root) = v(end) - ang x (end - root).
        plait_vec3_sub(b->x, sh->root.x, arm);
        plait_mat3_add_cross(C, 1, arm);
        plait_mat3_multiply(C, ang, S);
        memcpy(lin, end, 9 * sizeof *lin);
        plait_mat3_add(lin, 1, S);
    }
}

// What hangs from the present place of the sweep.
typedef struct tail {
    double F[3];                // sum of dP/dx
    double A[9];                // sum of dP/dx y^T, y from the present node; directors count with y = m
    double ll[9], la[9], aa[9]; // inertia about the root: force, torque = [ll la; la^T aa] (lin, ang)
} tail;

// One Gauss point, all in the frame of its element's start.
typedef struct point {
    plait_helix h;
    double x[3], E[9];
    double G[3], G1[3], G2[3]; // dP/dx, dP/dm1, dP/dm2
} point;

// P of one point, and its derivatives by x, m1, m2.
static double point_energy(const plait_superhelix *sh, int q, int i, point *p, sh_value *v)
{
    const sh_goal *goal = &sh->goal;
    const sh_pose *start = &sh->node[q];
    double length = sh->w[i] * sh->length[q], w = length * sh->heavy[q], x[3], energy = 0;
    p->h = plait_helix_at(sh->k + 3 * q, sh->u[i] * sh->length[q]);
    plait_helix_place(&p->h, p->x, p->E);
    plait_mat3_apply(start->R, p->x, x);
    plait_vec3_axpy(1, start->x, x);
    double load = w * plait_vec3_dot(goal->gravity, x);
    energy -= load;
    v->magnitude += fabs(load);
    double G[3] = {-w * goal->gravity[0], -w * goal->gravity[1], -w * goal->gravity[2]};
    v->force += plait_vec3_norm(G);
    for (int j = 0; j < 3; j++)
        p->G1[j] = p->G2[j] = 0;
    if (goal->rate > 0) {
        const double *X = goal->targets + 9 * (q * sh->gauss + i);
        double d[3], m[3], R[9];
        plait_vec3_sub(x, X, d);
        energy += 0.5 * w * goal->a * plait_vec3_dot(d, d);
        plait_vec3_axpy(w * goal->a, d, G);
        double pull = w * goal->a * plait_vec3_norm(d), far = plait_vec3_norm(x) + plait_vec3_norm(X);
        v->force += pull;
        v->magnitude += pull * far; // d is a difference of places: its rounding is theirs
        v->rounding += w * goal->a * far;
        plait_mat3_multiply(start->R, p->E, R);
        double a[2] = {length * sh->spun[q] * goal->a1, length * sh->spun[q] * goal->a2};
        for (int c = 0; c < 2; c++) {
            plait_mat3_column(R, c, m);
            plait_vec3_sub(m, X + 3 + 3 * c, d);
            energy += 0.5 * a[c] * plait_vec3_dot(d, d);
            for (int j = 0; j < 3; j++)
                d[j] *= a[c];
            plait_mat3_apply_transposed(start->R, d, c ? p->G2 : p->G1);
        }
        v->magnitude += energy + load;
    }
    plait_mat3_apply_transposed(start->R, G, p->G);
    return energy;
}

// Elastic and viscous part of an element, and what it remembers; order as in evaluate.
static double element_energy(plait_superhelix *sh, int q, int order, sh_value *v)
{
    double energy = 0, l = sh->length[q], stiffness[3];
    plait_rod_more more = plait_superhelix_more(sh, q);
    plait_superhelix_site(sh, q, stiffness);
    for (int j = 0; j < 3; j++) {
        int dof = 3 * q + j;
        double strain = sh->k[dof] - sh->natural[dof], moment = stiffness[j] * strain, c = 0, moved = 0;
        energy += 0.5 * l * moment * strain;
        if (sh->goal.rate > 0) {
            moved = sh->k[dof] - sh->goal.start[dof];
            c = sh->viscous[j] * sh->firm[q] * sh->goal.rate;
            energy += 0.5 * l * c * moved * moved;
        }
        v->moment = fmax(v->moment, fmax(fabs(moment), fabs(c * moved)));
        if (order > 0)
            sh->gradient[SH_ROOT + dof] = l * (moment + c * moved + more.w[j]);
        sh->scale[SH_ROOT + dof] = l * (stiffness[j] + c);
    }
    energy += l * more.value;
    v->magnitude += energy;
    return energy;
}

// The last node: dead force and the condition that holds it. Starts the sweep.
static double tip_energy(const plait_superhelix *sh, tail *t, sh_value *v)
{
    const sh_goal *goal = &sh->goal;
    const sh_pose *tip = &sh->node[sh->n];
    memset(t, 0, sizeof *t);
    double energy = 0;
    if (goal->tip_place) {
        for (int j = 0; j < 3; j++) {
            double d = tip->x[j] - goal->tip.x[j], a = goal->tip_a[j], m = a > 0 ? goal->multiplier[j] : 0;
            energy += 0.5 * a * d * d - m * d;
            t->F[j] += a * d - m;
            t->ll[4 * j] += a;
        }
        // -W [y]x and -[y]x W [y]x of an anisotropic point mass W
        double y[3], Y[9] = {0}, WY[9];
        plait_vec3_sub(tip->x, sh->root.x, y);
        plait_mat3_add_cross(Y, 1, y);
        plait_mat3_multiply(t->ll, Y, WY);
        plait_mat3_add(t->la, -1, WY);
        plait_mat3_transposed_multiply(Y, WY, t->aa);
        v->force += plait_vec3_norm(t->F);
        v->rounding += (goal->tip_a[0] + goal->tip_a[1] + goal->tip_a[2]) * plait_vec3_norm(tip->x);
    }
    for (int c = 0; goal->tip_frame && c < 2; c++) {
        double m[3], M[3], G[3];
        plait_mat3_column(tip->R, c, m);
        plait_mat3_column(goal->tip.R, c, M);
        for (int j = 0; j < 3; j++) {
            double d = m[j] - M[j];
            energy += 0.5 * goal->tip_a1 * d * d - goal->multiplier[3 + 3 * c + j] * d;
            G[j] = goal->tip_a1 * d - goal->multiplier[3 + 3 * c + j];
        }
        plait_mat3_add_outer(t->A, 1, G, m);
        for (int j = 0; j < 3; j++)
            t->aa[4 * j] += goal->tip_a1;
        plait_mat3_add_outer(t->aa, -goal->tip_a1, m, m);
    }
    v->magnitude += fabs(energy) + plait_vec3_norm(t->F) * plait_vec3_norm(tip->x);
    return energy;
}

static double node_force(const plait_superhelix *sh, int i, tail *t, sh_value *v)
{
    const double *f = sh->goal.force + 3 * i;
    double energy = -plait_vec3_dot(f, sh->node[i].x);
    plait_vec3_axpy(-1, f, t->F);
    v->force += plait_vec3_norm(f);
    v->magnitude += fabs(energy);
    return energy;
}

// Columns of a 3 x 3 matrix crossed with a vector: B += s (A_j x f).
static void add_columns_cross(const double *A, const double *f, double *B)
{
    for (int j = 0; j < 3; j++) {
        double a[3], c[3];
        plait_mat3_column(A, j, a);
        plait_vec3_cross(a, f, c);
        B[j] += c[0], B[3 + j] += c[1], B[6 + j] += c[2];
    }
}

// Sums over the points of one element, in the frame of its start.
typedef struct sums {
    double g[3];       // gradient by k
    double K[9], N[9]; // second derivatives by k: inertial, and geometric (from the forces)
    double L[9], T[9]; // change of force and of torque about the start
    double F[3], A[9];
} sums;

static void add_point(const plait_superhelix *sh, int q, int i, const point *p, int order, bool geometric, sums *s)
{
    double D[9], V[9], torque[3], B[9] = {0}, m[2][3];
    const double *G[2] = {p->G1, p->G2};
    plait_helix_jacobian(&p->h, D, V);
    for (int c = 0; c < 2; c++) {
        plait_mat3_column(p->E, c, m[c]);
        plait_mat3_add_outer(B, 1, G[c], m[c]);
    }
    plait_mat3_axial(B, torque);
    double a[3], b[3];
    plait_mat3_apply_transposed(D, p->G, a);
    plait_mat3_apply_transposed(V, torque, b);
    for (int j = 0; j < 3; j++)
        s->g[j] += a[j] + b[j];
    plait_vec3_axpy(1, p->G, s->F);
    plait_mat3_add_outer(s->A, 1, p->G, p->x);
    plait_mat3_add(s->A, 1, B);
    if (order < 2)
        return;
    const sh_goal *goal = &sh->goal;
    double w = sh->w[i] * sh->length[q], ww = w * sh->heavy[q] * goal->a, ws = w * sh->spun[q];
    double spin[2] = {ws * goal->a1, ws * goal->a2};
    if (goal->rate > 0) {
        double S[9], Y[9] = {0}, J[9] = {0};
        plait_mat3_transposed_multiply(D, D, S);
        plait_mat3_add(s->K, ww, S);
        plait_mat3_add(s->L, ww, D);
        plait_mat3_add_cross(Y, ww, p->x);
        plait_mat3_multiply(Y, D, S);
        plait_mat3_add(s->T, 1, S);
        for (int c = 0; c < 2; c++) {
            J[0] += spin[c], J[4] += spin[c], J[8] += spin[c];
            plait_mat3_add_outer(J, -spin[c], m[c], m[c]);
        }
        plait_mat3_multiply(J, V, S);
        plait_mat3_add(s->T, 1, S);
        plait_mat3_transposed_multiply(V, S, J);
        plait_mat3_add(s->K, 1, J);
    }
    if (!geometric)
        return;
    plait_helix_hessian_point(&p->h, p->G, s->N);
    add_columns_cross(D, p->G, s->T);
    if (goal->rate > 0) {
        double A[9] = {0}, S[9];
        for (int r = 0; r < 3; r++)
            A[3 * r] = p->G1[r], A[3 * r + 1] = p->G2[r]; // f_c e_c^T
        plait_helix_hessian_frame(&p->h, A, s->N);
        // sum of (V_j x m) x G = B^T V - tr(B) V
        plait_mat3_transposed_multiply(B, V, S);
        plait_mat3_add(s->T, 1, S);
        plait_mat3_add(s->T, -plait_mat3_trace(B), V);
    }
}

// Row block P of the Hessian: all columns before it, and its own block.
static void store_rows(plait_superhelix *sh, int p, const double *L, const double *T, const double *block)
{
    long size = sh->dofs, row = SH_ROOT + 3 * (long)p;
    for (int r = 0; r < 3; r++) {
        double *H = sh->hessian + (row + r) * size;
        double l[3] = {L[r], L[3 + r], L[6 + r]}, t[3] = {T[r], T[3 + r], T[6 + r]};
        plait_vec3_copy(l, H);
        plait_vec3_copy(t, H + 3);
        H += SH_ROOT;
        for (int q = 0; q < p; q++, H += 3) {
            const double *a = sh->lin + 9 * q, *b = sh->ang + 9 * q;
            for (int j = 0; j < 3; j++)
                H[j] = (l[0] * a[j] + l[1] * a[3 + j] + l[2] * a[6 + j]) +
                       (t[0] * b[j] + t[1] * b[3 + j] + t[2] * b[6 + j]);
        }
        for (int j = 0; j < 3; j++)
            H[j] = block[3 * r + j];
    }
}

// Second derivatives that involve element q and everything above it.
static void element_hessian(plait_superhelix *sh, int q, const tail *t, const sums *s, bool geometric)
{
    const double *R = sh->node[q].R, *a = sh->lin + 9 * q, *b = sh->ang + 9 * q, *end = sh->lin_end + 9 * q;
    double L[9], T[9], S[9], block[9], y[3], Y[9] = {0};
    // own points, about the root
    plait_mat3_multiply(R, s->L, L);
    plait_mat3_multiply(R, s->T, T);
    plait_vec3_sub(sh->node[q].x, sh->root.x, y);
    plait_mat3_add_cross(Y, 1, y);
    plait_mat3_multiply(Y, L, S);
    plait_mat3_add(T, 1, S);
    // what hangs from it
    double l[9], u[9];
    plait_mat3_multiply(t->ll, a, l);
    plait_mat3_multiply(t->la, b, S);
    plait_mat3_add(l, 1, S);
    plait_mat3_transposed_multiply(t->la, a, u);
    plait_mat3_multiply(t->aa, b, S);
    plait_mat3_add(u, 1, S);
    memcpy(block, s->K, sizeof block);
    plait_mat3_transposed_multiply(a, l, S);
    plait_mat3_add(block, 1, S);
    plait_mat3_transposed_multiply(b, u, S);
    plait_mat3_add(block, 1, S);
    plait_mat3_add(L, 1, l);
    plait_mat3_add(T, 1, u);
    for (int j = 0; j < 3 && sh->goal.rate > 0; j++) // in statics the tip's spring is all there is, and no measure
        sh->scale[SH_ROOT + 3 * q + j] += block[4 * j];
    if (geometric) {
        plait_helix h = plait_helix_at(sh->k + 3 * q, sh->length[q]);
        double f[3], A[9];
        plait_mat3_add(block, 1, s->N);
        plait_mat3_apply_transposed(R, t->F, f);
        plait_helix_hessian_point(&h, f, block);
        plait_mat3_transposed_multiply(R, t->A, S);
        plait_mat3_multiply(S, sh->node[q + 1].R, A);
        plait_helix_hessian_frame(&h, A, block);
        add_columns_cross(end, t->F, T);
        plait_mat3_transposed_multiply(t->A, b, S);
        plait_mat3_add(T, 1, S);
        plait_mat3_add(T, -plait_mat3_trace(t->A), b);
    }
    double c = sh->goal.rate, firm = sh->firm[q];
    plait_rod_more more = plait_superhelix_more(sh, q);
    for (int j = 0; j < 3; j++)
        block[4 * j] += sh->length[q] * (firm * sh->stiffness[j] + (c > 0 ? c * firm * sh->viscous[j] : 0) + more.k[j]);
    block[1] += sh->length[q] * more.cross, block[3] += sh->length[q] * more.cross;
    store_rows(sh, q, L, T, block);
}

// The sweep passes element q: what hangs from its start.
static void tail_add(const plait_superhelix *sh, int q, const sums *s, tail *t)
{
    const double *R = sh->node[q].R;
    double d[3], S[9], A[9], F[3];
    plait_vec3_sub(sh->node[q + 1].x, sh->node[q].x, d);
    plait_mat3_add_outer(t->A, 1, t->F, d);
    plait_mat3_multiply(R, s->A, S);
    plait_mat3_multiply_transposed(S, R, A);
    plait_mat3_add(t->A, 1, A);
    plait_mat3_apply(R, s->F, F);
    plait_vec3_axpy(1, F, t->F);
}

static void tail_add_mass(const plait_superhelix *sh, int q, const point *p, int i, tail *t)
{
    const sh_goal *goal = &sh->goal;
    const sh_pose *start = &sh->node[q];
    double w = sh->w[i] * sh->length[q], ww = w * sh->heavy[q] * goal->a, ws = w * sh->spun[q];
    double spin[2] = {ws * goal->a1, ws * goal->a2}, y[3], R[9], m[3];
    plait_mat3_apply(start->R, p->x, y);
    plait_vec3_axpy(1, start->x, y);
    plait_vec3_sub(y, sh->root.x, y);
    plait_mat3_add_cross(t->la, -ww, y);
    plait_mat3_add_outer(t->aa, -ww, y, y);
    plait_mat3_multiply(start->R, p->E, R);
    for (int c = 0; c < 2; c++) {
        plait_mat3_column(R, c, m);
        plait_mat3_add_outer(t->aa, -spin[c], m, m);
    }
    double diagonal = ww * plait_vec3_dot(y, y) + spin[0] + spin[1];
    for (int j = 0; j < 3; j++)
        t->ll[4 * j] += ww, t->aa[4 * j] += diagonal;
}

static void root_hessian(plait_superhelix *sh, const tail *t, bool geometric)
{
    long size = sh->dofs;
    double tr = geometric ? plait_mat3_trace(t->A) : 0;
    for (int r = 0; r < 3; r++) {
        for (int j = 0; j < 3; j++) {
            double sym = geometric ? 0.5 * (t->A[3 * r + j] + t->A[3 * j + r]) : 0;
            sh->hessian[r * size + j] = t->ll[3 * r + j];
            sh->hessian[r * size + 3 + j] = t->la[3 * r + j];
            sh->hessian[(3 + r) * size + j] = t->la[3 * j + r];
            sh->hessian[(3 + r) * size + 3 + j] = t->aa[3 * r + j] + sym - (r == j ? tr : 0);
        }
        if (sh->goal.rate > 0) {
            sh->scale[r] += t->ll[4 * r];
            sh->scale[3 + r] += t->aa[4 * r];
        }
    }
}

sh_value plait_superhelix_evaluate(plait_superhelix *sh, int order, bool geometric)
{
    sh_value v = {0};
    tail t;
    plait_superhelix_place(sh, order > 0);
    double length = 0, energy = tip_energy(sh, &t, &v);
    for (int q = sh->n - 1; q >= 0; q--) {
        sums s = {0};
        point p[SH_GAUSS_MAX];
        length += sh->length[q];
        energy += node_force(sh, q + 1, &t, &v);
        energy += element_energy(sh, q, order, &v);
        for (int i = 0; i < sh->gauss; i++) {
            energy += point_energy(sh, q, i, &p[i], &v);
            if (order > 0)
                add_point(sh, q, i, &p[i], order, geometric, &s);
        }
        if (order == 0)
            continue;
        double torque[3], a[3], b[3];
        plait_mat3_axial(t.A, torque);
        plait_mat3_apply_transposed(sh->lin_end + 9 * q, t.F, a);
        plait_mat3_apply_transposed(sh->ang + 9 * q, torque, b);
        for (int j = 0; j < 3; j++)
            sh->gradient[SH_ROOT + 3 * q + j] += s.g[j] + a[j] + b[j];
        if (order > 1)
            element_hessian(sh, q, &t, &s, geometric);
        tail_add(sh, q, &s, &t);
        for (int i = 0; order > 1 && sh->goal.rate > 0 && i < sh->gauss; i++)
            tail_add_mass(sh, q, &p[i], i, &t);
    }
    energy += node_force(sh, 0, &t, &v);
    double soft = fmin(sh->stiffness[0], sh->stiffness[1]);
    for (int j = 0; j < 3; j++)
        sh->scale[j] = soft / (length * length * length), sh->scale[3 + j] = soft / length;
    if (order > 0) {
        plait_vec3_copy(t.F, sh->gradient);
        plait_mat3_axial(t.A, sh->gradient + 3);
        for (int i = 0; i < sh->dofs; i++)
            sh->gradient[i] -= sh->goal.couple[i];
    }
    if (order > 1)
        root_hessian(sh, &t, geometric);
    v.energy = energy;
    v.rounding *= length;
    return v;
}
