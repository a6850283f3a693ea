// collide_periodic.c: chains in a periodic cell touch what their written-out copies touch, each neighbour once, wherever the
// chains are drawn; contacts stay the same contacts when a chain is drawn a period farther.
#include "check.h"
#include "collide/image.h"
#include "collide_scene.h"

enum { CHAINS = 32, NODES = 6 };
static const double RADIUS = 0.025, SIDE = 1, LENGTH = 0.12;

static plait_touches detect(scene *s, const plait_touches *previous, plait_broad broad, int threads)
{
    plait_touches t = {0};
    plait_error error = {0};
    plait_detector *d = plait_detector_new();
    plait_detector_set_broad(d, broad);
    s->scenery.team = (plait_team){.threads = threads};
    CHECK_INT(plait_detect(d, &s->scenery, previous, &t, &error), PLAIT_OK);
    plait_detector_free(d);
    return t;
}

static scene *cell(const double period[3], double move)
{
    scene *s = scene_random(7, CHAINS, NODES, SIDE, LENGTH, RADIUS, move);
    s->scenery.proximity = 0.03;
    s->scenery.mode = move > 0 ? PLAIT_DETECT_BOTH : PLAIT_DETECT_PROXIMITY;
    for (int k = 0; k < 3; k++)
        s->scenery.cell[0][k] = s->scenery.cell[1][k] = period[k];
    return s;
}

// All chains and 5 x 5 x 5 copies of them as chains of their own: copy c of chain i is chain 125 i + c, 62 itself.
static scene *written_out(const scene *s)
{
    scene *all = scene_new(125 * CHAINS * NODES);
    all->scenery.proximity = s->scenery.proximity, all->scenery.mode = s->scenery.mode;
    for (int i = 0; i < CHAINS; i++)
        for (int c = 0; c < 125; c++) {
            int by[3] = {c / 25 - 2, c / 5 % 5 - 2, c % 5 - 2}, first = all->scenery.nodes;
            scene_chain(all, NODES, s->x0 + 3 * s->chain[i].first, RADIUS);
            memcpy(all->x1 + 3 * first, s->x1 + 3 * s->chain[i].first, 3 * NODES * sizeof(double));
            for (int n = first; n < first + NODES; n++)
                for (int e = 0; e < 2; e++) {
                    double shape[6], *x = (e ? all->x1 : all->x0) + 3 * n;
                    memcpy(shape, s->scenery.cell[e], sizeof shape);
                    for (int k = 0; k < 3; k++) // copies along an axis that does not repeat are far away from everything
                        shape[k] = shape[k] > 0 ? shape[k] : 100 * (i + 1);
                    x[0] += by[0] * shape[0] + by[1] * shape[3] + by[2] * shape[5];
                    x[1] += by[1] * shape[1] + by[2] * shape[4];
                    x[2] += by[2] * shape[2];
                }
        }
    return all;
}

// Contacts of chain i itself with any copy of a later chain, or with a copy of itself on one side.
static int expected(const scene *s, plait_touches *out)
{
    scene *all = written_out(s);
    plait_touches t = detect(all, NULL, PLAIT_BROAD_AUTO, 1);
    int count = 0;
    *out = (plait_touches){0};
    out->touch = malloc(((size_t)t.count + 1) * sizeof *out->touch);
    for (int k = 0; k < t.count; k++) {
        plait_touch touch = t.touch[k];
        int chain[2], copy[2];
        for (int e = 0; e < 2; e++)
            chain[e] = touch.side[e].index / 125, copy[e] = touch.side[e].index % 125;
        if (copy[0] != 62 || chain[0] > chain[1] || (chain[0] == chain[1] && copy[1] < 62))
            continue;
        int by[3] = {copy[1] / 25 - 2, copy[1] / 5 % 5 - 2, copy[1] % 5 - 2};
        touch.side[0].index = chain[0], touch.side[1].index = chain[1], touch.side[1].image = plait_image_pack(by);
        out->touch[count++] = touch;
    }
    out->count = count;
    plait_touches_free(&t);
    scene_free(all);
    return count;
}

static bool same(const plait_touch *a, const plait_touch *b)
{
    double far = fabs(a->gap - b->gap);
    for (int e = 0; e < 2; e++) {
        if (a->side[e].index != b->side[e].index || a->side[e].segment != b->side[e].segment)
            return false;
        for (int k = 0; k < 3; k++)
            far = fmax(far, fmax(fabs(a->side[e].point[k] - b->side[e].point[k]), fabs(a->normal[k] - b->normal[k])));
    }
    return a->side[1].image == b->side[1].image && far < 1e-9;
}

static int found_in(const plait_touches *these, const plait_touches *those)
{
    int found = 0;
    for (int i = 0; i < these->count; i++) {
        bool there = false;
        for (int j = 0; j < those->count && !there; j++)
            there = same(&these->touch[i], &those->touch[j]);
        found += there;
    }
    return found;
}

// way: by how much the cell changes in the motion.
static void compare_shape(const double period[3], const double tilt[3], double way, double move)
{
    scene *s = cell(period, move);
    for (int k = 0; k < 3; k++) {
        s->scenery.cell[0][3 + k] = s->scenery.cell[1][3 + k] = tilt[k];
        s->scenery.cell[1][k] *= 1 - way, s->scenery.cell[1][3 + k] += tilt[k] != 0 ? way : 0;
    }
    plait_touches right;
    int count = expected(s, &right), across = 0;
    for (int broad = 0; broad < 3; broad++)
        for (int threads = 1; threads <= 3; threads += 2) {
            plait_touches t = detect(s, NULL, (plait_broad)broad, threads);
            CHECK_INT(t.count, count);
            CHECK_INT(found_in(&right, &t), count);
            across = 0;
            for (int i = 0; i < t.count; i++)
                across += t.touch[i].side[1].image != 0;
            plait_touches_free(&t);
        }
    CHECK(across > 5);
    plait_touches_free(&right);
    scene_free(s);
}

static void compare(const double period[3], double move)
{
    compare_shape(period, (double[3]){0, 0, 0}, 0, move);
}

CASE(sheared_cells)
{
    compare_shape((double[3]){SIDE, SIDE, SIDE}, (double[3]){0.3, -0.2, 0.45}, 0, 0);
    compare_shape((double[3]){SIDE, SIDE, 0}, (double[3]){-0.4, 0, 0}, 0, 0);
}

CASE(cells_that_deform_in_the_motion)
{
    compare_shape((double[3]){SIDE, SIDE, SIDE}, (double[3]){0.3, 0.1, -0.25}, 0.05, 0.02);
    compare_shape((double[3]){SIDE, 0.8 * SIDE, SIDE}, (double[3]){0, 0, 0}, -0.04, 0.02);
}

CASE(numbers_of_copies_as_one)
{
    for (int a = -PLAIT_IMAGE_MOST; a <= PLAIT_IMAGE_MOST; a += 73)
        for (int b = -PLAIT_IMAGE_MOST; b <= PLAIT_IMAGE_MOST; b += 146)
            for (int c = -PLAIT_IMAGE_MOST; c <= PLAIT_IMAGE_MOST; c += 511) {
                int k[3] = {a, b, c}, back[3];
                plait_image_unpack(plait_image_pack(k), back);
                CHECK(back[0] == a && back[1] == b && back[2] == c);
            }
    CHECK_INT(plait_image_pack((int[3]){0, 0, 0}), 0);
}

CASE(every_copy_that_is_near_is_found_once)
{
    compare((double[3]){SIDE, SIDE, SIDE}, 0);
    compare((double[3]){SIDE, 0, 0.8 * SIDE}, 0);
    compare((double[3]){0, 0.6 * SIDE, 0}, 0); // chains are as long as the cell
}

CASE(in_motion_too)
{
    compare((double[3]){SIDE, SIDE, SIDE}, 0.02);
}

// Whoever is drawn one or many periods away has the same contacts, and they are those of before.
CASE(contacts_do_not_depend_on_where_a_chain_is_drawn)
{
    double period[3] = {SIDE, 0.875 * SIDE, SIDE};
    scene *s = cell(period, 0);
    for (int n = 0; n < 3 * s->scenery.nodes; n++) // so that nothing is rounded far away
        s->x1[n] = s->x0[n] = ldexp(round(ldexp(s->x0[n], 30)), -30);
    plait_touches before = detect(s, NULL, PLAIT_BROAD_AUTO, 1);
    for (int n = 0; n < s->scenery.nodes; n++) {
        int chain = n / NODES;
        s->x0[3 * n] += (chain % 3 - 1) * 2 * period[0], s->x0[3 * n + 1] -= (chain % 5) * period[1];
        s->x0[3 * n + 2] += chain == 4 ? 90 * period[2] : 0;
    }
    memcpy(s->x1, s->x0, 3 * (size_t)s->scenery.nodes * sizeof *s->x1);
    plait_touches after = detect(s, NULL, PLAIT_BROAD_AUTO, 1);
    CHECK_INT(after.count, before.count);
    int same_gap = 0, together = 0;
    for (int i = 0; i < after.count; i++) {
        const plait_touch *t = &after.touch[i];
        for (int j = 0; j < before.count; j++)
            same_gap += fabs(t->gap - before.touch[j].gap) < 1e-12 && t->side[0].index == before.touch[j].side[0].index;
        double far = 0;
        const double *x = s->x0 + 3 * (s->chain[t->side[0].index].first + t->side[0].segment);
        for (int k = 0; k < 3; k++)
            far = fmax(far, fabs(x[k] + t->side[0].a * (x[3 + k] - x[k]) - t->side[0].point[k]));
        x = s->x0 + 3 * (s->chain[t->side[1].index].first + t->side[1].segment);
        double y[3];
        for (int k = 0; k < 3; k++)
            y[k] = x[k] + t->side[1].a * (x[3 + k] - x[k]);
        plait_image_shift(t->side[1].image, s->scenery.cell[0], 1, y);
        for (int k = 0; k < 3; k++)
            far = fmax(far, fabs(y[k] - t->side[1].point[k]));
        together += far < 1e-11;
    }
    CHECK_INT(same_gap, after.count);
    CHECK_INT(together, after.count);
    // and a small way of everything later they are the same contacts still, although homes have changed
    for (int n = 0; n < s->scenery.nodes; n++)
        s->x1[3 * n] = s->x0[3 * n] += 0.07;
    plait_touches later = detect(s, &after, PLAIT_BROAD_AUTO, 1);
    int known = 0;
    for (int i = 0; i < later.count; i++)
        known += later.touch[i].last >= 0;
    CHECK_INT(later.count, after.count);
    CHECK_INT(known, later.count);
    plait_touches_free(&before), plait_touches_free(&after), plait_touches_free(&later);
    scene_free(s);
}

CASE(what_is_too_far_away_is_refused)
{
    scene *s = cell((double[3]){SIDE, SIDE, SIDE}, 0);
    plait_error error = {0};
    plait_touches t = {0};
    plait_detector *d = plait_detector_new();
    s->x0[0] += 1000;
    CHECK(plait_detect(d, &s->scenery, NULL, &t, &error) == PLAIT_BAD_INPUT);
    s->x0[0] -= 1000, s->scenery.cell[0][1] = -1;
    CHECK(plait_detect(d, &s->scenery, NULL, &t, &error) == PLAIT_BAD_INPUT);
    plait_detector_free(d), plait_touches_free(&t), scene_free(s);
}
