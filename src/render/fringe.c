// fringe.c: hair from a figure's hairline to the first hair that was simulated.
//
// Guides are few, and those of a head begin well behind the forehead. What would grow between them and the hairline is
// drawn here, and only drawn: strands that begin there and join a guide that is rooted near, within its first half.
// A head of which most is bald stays so.
#include <math.h>
#include <stdlib.h>

#include "math/quat.h"
#include "math/vec3.h"
#include "render/figure.h"

enum { ROOTS = 1500, NEAR = 4 };
static const double REACH = 0.075; // [m] of a default head: from a root to the guide that it joins
static const double JOINED = 0.45; // of the guide's length

typedef struct roots {
    int count, fibre[ROOTS];
    double x[ROOTS][3], apart; // in the frame of the head; [m] the usual distance of neighbours
} roots;

static double gap(const double a[3], const double b[3])
{
    double d[3];
    plait_vec3_sub(a, b, d);
    return plait_vec3_norm(d);
}

static void gather(roots *r, const plait_trajectory_info *info, const plait_look *look, const double *x,
                   const double pose[7])
{
    int hairs = 0, step;
    for (int i = 0; i < info->fibres; i++)
        hairs += look[i].hair;
    step = hairs / ROOTS + 1;
    for (int i = 0, k = 0; i < info->fibres && r->count < ROOTS; i++)
        if (look[i].hair && info->first[i + 1] - info->first[i] >= 3 && k++ % step == 0) {
            r->fibre[r->count] = i;
            plait_figure_into(pose, x + 3 * (size_t)info->first[i], r->x[r->count++]);
        }
    for (int i = 0; i < r->count; i++) {
        double best = INFINITY;
        for (int j = 0; j < r->count; j++)
            best = j == i ? best : fmin(best, gap(r->x[i], r->x[j]));
        r->apart += best / r->count;
    }
}

// One of the roots nearest to p, by chance; *far: the distance of the nearest.
static int choose(const roots *r, const double p[3], uint32_t key, double *far)
{
    int found[NEAR], count = 0;
    double at[NEAR];
    for (int i = 0; i < r->count; i++) {
        double d = gap(r->x[i], p);
        if (count == NEAR && d >= at[NEAR - 1])
            continue;
        int k = count < NEAR ? count++ : NEAR - 1;
        for (; k > 0 && at[k - 1] > d; k--)
            at[k] = at[k - 1], found[k] = found[k - 1];
        at[k] = d, found[k] = i;
    }
    *far = at[0];
    int k = (int)(plait_hash_unit(key) * (float)count);
    return found[at[k] < 2 * at[0] ? k : 0];
}

bool plait_fringe_find(plait_fringe *fringe, const plait_figure *f, const plait_trajectory_info *info,
                       const plait_look *look, const plait_trajectory_frame *frame, int wanted)
{
    if (!f || wanted < 1)
        return true;
    double size = f->of_head.width / 0.15, centre[3] = {0, 0, 0.013 * f->of_head.height / 0.23};
    static const double up[3] = {0, 0, 1}, back[3] = {0, -1, 0};
    roots *r = calloc(1, sizeof *r);
    fringe->strand = malloc((size_t)wanted * sizeof *fringe->strand);
    if (!r || !fringe->strand) {
        free(r);
        return false;
    }
    gather(r, info, look, frame->position, frame->collider_pose + 7 * (size_t)f->head);
    int grown = 0, bald = 0;
    for (int i = 0; i < wanted && r->count >= NEAR; i++) {
        uint32_t key = plait_hash((uint32_t)i + 31337u) * 8u;
        double z = 1 - (2 * i + 1.0) / wanted, q = sqrt(1 - z * z), phi = 2.399963229728653 * i, far;
        double d[3] = {q * cos(phi), q * sin(phi), z}, p[3];
        if (!plait_cap_above(up, back, d, 0.06 * plait_hash_unit(key)))
            continue;
        double t = plait_figure_walk_in(plait_figure_face_at, &f->of_head, centre, d, f->of_head.height);
        for (int k = 0; k < 3; k++)
            p[k] = centre[k] + t * d[k];
        int guide = choose(r, p, key + 1, &far);
        grown += far < REACH * size;
        bald += far >= REACH * size;
        if (far < 1.2 * r->apart || far >= REACH * size)
            continue;
        plait_fringe_strand *s = &fringe->strand[fringe->strands++];
        s->fibre = r->fibre[guide];
        plait_vec3_sub(p, r->x[guide], s->offset);
        for (int k = 0; k < 3; k++)
            s->root[k] = (float)p[k];
    }
    if (bald > grown / 2)
        fringe->strands = 0;
    free(r);
    return true;
}

void plait_fringe_free(plait_fringe *fringe)
{
    free(fringe->strand);
    *fringe = (plait_fringe){0};
}

bool plait_fringe_add(plait_strands *s, const plait_fringe *fringe, const plait_figure *f,
                      const plait_trajectory_info *info, const plait_look *look, const plait_trajectory_frame *frame,
                      double radius)
{
    if (!f || fringe->strands == 0)
        return true;
    int most = 2;
    for (int i = 0; i < fringe->strands; i++) {
        const int *first = info->first + fringe->strand[i].fibre;
        most = first[1] - first[0] > most ? first[1] - first[0] : most;
    }
    float *xyzr = malloc(4 * (size_t)most * sizeof *xyzr);
    bool ok = xyzr && plait_strands_grow(s, fringe->strands, most);
    double R[9];
    plait_quat_matrix(frame->collider_pose + 7 * (size_t)f->head + 3, R);
    for (int i = 0; ok && i < fringe->strands; i++) {
        const plait_fringe_strand *one = &fringe->strand[i];
        uint32_t key = plait_hash((uint32_t)i + 6161u) * 8u;
        int nodes = info->first[one->fibre + 1] - info->first[one->fibre];
        double offset[3], length = 1 - 0.25 * plait_hash_unit(key);
        plait_mat3_apply(R, one->offset, offset);
        for (int n = 0; n < nodes; n++) {
            double t = (double)n / (nodes - 1), w = fmax(0, 1 - t / JOINED), at = t * length * (nodes - 1);
            int k = (int)at < nodes - 2 ? (int)at : nodes - 2;
            const double *x = frame->position + 3 * (size_t)(info->first[one->fibre] + k);
            for (int c = 0; c < 3; c++) {
                // Where it has joined, strands of one guide stay a hair's breadth or two apart.
                double loose = 0.004 * t * (plait_hash_unit(key + 1 + (uint32_t)c) - 0.5);
                xyzr[4 * n + c] = (float)(x[c] + (at - k) * (x[3 + c] - x[c]) + w * w * offset[c] + loose);
            }
            xyzr[4 * n + 3] = (float)(radius * (1 - 0.6 * fmax(0, (t - 0.6) / 0.4)));
        }
        plait_strands_put(s, nodes, xyzr, plait_strands_vary(look[one->fibre].colour, one->fibre, i, true), key);
    }
    free(xyzr);
    return ok;
}
