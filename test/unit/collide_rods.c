// collide_rods.c: contacts between chains: against brute force, on configurations whose answer is known, over threads.
#include "check.h"
#include "collide_scene.h"
#include "shape/closest.h"

static plait_touches detect(plait_detector *d, scene *s, const plait_touches *previous)
{
    plait_touches t = {0};
    plait_error error = {0};
    CHECK_INT(plait_detect(d, &s->scenery, previous, &t, &error), PLAIT_OK);
    return t;
}

static bool same_touch(const plait_touch *a, const plait_touch *b)
{
    bool same = memcmp(a->normal, b->normal, sizeof a->normal) == 0 && a->gap == b->gap && a->swept == b->swept &&
                memcmp(a->arc, b->arc, sizeof a->arc) == 0 && a->last == b->last;
    for (int k = 0; k < 2; k++) {
        const plait_side *x = &a->side[k], *y = &b->side[k];
        same = same && x->on_shape == y->on_shape && x->index == y->index && x->segment == y->segment && x->a == y->a &&
               memcmp(x->point, y->point, sizeof x->point) == 0 && memcmp(x->move, y->move, sizeof x->move) == 0;
    }
    return same;
}

static bool same_touches(const plait_touches *a, const plait_touches *b)
{
    if (a->count != b->count)
        return false;
    for (int k = 0; k < a->count; k++)
        if (!same_touch(&a->touch[k], &b->touch[k]))
            return false;
    return true;
}

// Least distance of two chains by all pairs of their segments.
static double chain_distance(const scene *s, int c1, int c2)
{
    double least = INFINITY, a, b;
    for (int i = s->chain[c1].first; i < s->chain[c1].first + s->chain[c1].nodes - 1; i++)
        for (int j = s->chain[c2].first; j < s->chain[c2].first + s->chain[c2].nodes - 1; j++)
            least = fmin(least, plait_closest_segments(s->x0 + 3 * i, s->x0 + 3 * i + 3, s->x0 + 3 * j,
                                                       s->x0 + 3 * j + 3, &a, &b));
    return sqrt(least);
}

// ---- broad phases ----------------------------------------------------------------------------------------------------

CASE(grid_tree_and_brute_force_agree)
{
    plait_detector *d = plait_detector_new();
    for (int seed = 1; seed <= 6; seed++) {
        scene *s = scene_random((uint64_t)seed, 60, 12, 0.12, seed % 2 ? 0.01 : 0.004, 0.001, 0.003);
        s->scenery.proximity = 0.0005;
        s->scenery.mode = seed > 3 ? PLAIT_DETECT_BOTH : PLAIT_DETECT_PROXIMITY;
        if (seed == 5) // very unequal segments
            for (int k = 0; k < 36; k++)
                s->x0[k] *= 10, s->x1[k] *= 10;
        plait_detector_set_broad(d, PLAIT_BROAD_GRID);
        plait_touches grid = detect(d, s, NULL);
        CHECK_INT(plait_detector_get_stats(d).broad, PLAIT_BROAD_GRID);
        plait_detector_set_broad(d, PLAIT_BROAD_BVH);
        plait_touches tree = detect(d, s, NULL);
        CHECK_INT(plait_detector_get_stats(d).broad, PLAIT_BROAD_BVH);
        CHECK(grid.count > 5);
        CHECK(same_touches(&grid, &tree));
        // A pair of chains is in contact if and only if it is near enough; its nearest contact is the nearest point.
        for (int i = 0; i < s->scenery.chains; i++)
            for (int j = i + 1; j < s->scenery.chains; j++) {
                double truth = chain_distance(s, i, j) - 0.002, found = INFINITY;
                for (int k = 0; k < grid.count; k++) {
                    const plait_touch *t = &grid.touch[k];
                    if (t->side[0].index == i && t->side[1].index == j && !t->swept)
                        found = fmin(found, t->gap);
                }
                if (truth < 0.0005)
                    CHECK_NEAR(found, truth, 1e-5);
                else
                    CHECK(found == INFINITY);
            }
        plait_touches_free(&grid), plait_touches_free(&tree);
        scene_free(s);
    }
    plait_detector_free(d);
}

CASE(threads_and_repetition_do_not_matter)
{
    scene *s = scene_random(7, 300, 20, 0.2, 0.006, 0.0008, 0.002);
    s->scenery.proximity = 0.0004;
    s->scenery.mode = PLAIT_DETECT_BOTH;
    for (int c = 0; c < s->scenery.chains; c++)
        s->chain[c].self_arc = 0.02;
    scene_shape(s, PLAIT_SHAPE_SPHERE, 0.05, 0, 0, (double[3]){0.1, 0.1, 0.1});
    scene_shape(s, PLAIT_SHAPE_BOX, 0.03, 0.02, 0.05, (double[3]){0.05, 0.1, 0.2});
    plait_detector *d = plait_detector_new();
    plait_touches first = detect(d, s, NULL), one = detect(d, s, &first);
    CHECK(one.count > 100);
    for (int threads = 1; threads <= 4; threads++) {
        plait_detector *e = plait_detector_new();
        s->scenery.team = (plait_team){.threads = threads};
        plait_touches again = detect(e, s, &first);
        CHECK(same_touches(&one, &again));
        plait_touches_free(&again);
        plait_detector_free(e);
    }
    // In order, and every contact finds itself again.
    for (int k = 0; k < one.count; k++)
        CHECK(one.touch[k].last >= 0);
    for (int k = 1; k < one.count; k++) {
        const plait_side *p = &one.touch[k - 1].side[0], *q = &one.touch[k].side[0];
        CHECK(p->index < q->index || (p->index == q->index && p->segment <= q->segment));
    }
    plait_touches_free(&first), plait_touches_free(&one);
    plait_detector_free(d);
    scene_free(s);
}

// A detector that remembers which links are near sees what one sees that knows nothing: at rest, drifting, after
// jumps, in looks of all kinds.
CASE(what_is_remembered_does_not_matter)
{
    plait_detector *kept = plait_detector_new();
    scene *s = scene_random(9, 60, 12, 0.12, 0.01, 0.001, 0.003);
    int contacts = 0, crossings = 0;
    s->scenery.proximity = 0.0005;
    for (int step = 0; step < 60; step++) {
        double way = step % 10 == 9 ? 0.03 : step % 10 < 3 ? 0 : 3e-4;
        for (int k = 0; k < 3 * s->scenery.nodes; k++) {
            s->x0[k] += way * sin(0.7 * step + 0.01 * k);
            s->x1[k] = s->x0[k] + (step % 5 == 0 ? 0.02 : 5e-4) * cos(1.3 * step + 0.1 * k);
        }
        s->scenery.mode = step % 3 ? PLAIT_DETECT_BOTH : PLAIT_DETECT_PROXIMITY;
        plait_detector *fresh = plait_detector_new();
        plait_touches a = detect(kept, s, NULL), b = detect(fresh, s, NULL), c = {0}, e = {0};
        CHECK(same_touches(&a, &b));
        plait_detector_free(fresh), fresh = plait_detector_new();
        CHECK_INT(plait_detect_crossings(kept, &s->scenery, 0.97, &a, &c, NULL), PLAIT_OK);
        CHECK_INT(plait_detect_crossings(fresh, &s->scenery, 0.97, &a, &e, NULL), PLAIT_OK);
        CHECK(same_touches(&c, &e));
        contacts += a.count, crossings += c.count;
        plait_touches_free(&a), plait_touches_free(&b), plait_touches_free(&c), plait_touches_free(&e);
        plait_detector_free(fresh);
    }
    CHECK(contacts > 500 && crossings > 20);
    plait_detector_free(kept);
    scene_free(s);
}

static void append_all(plait_touches *to, const plait_touches *from)
{
    for (int i = 0; i < from->count; i++)
        CHECK(plait_touches_append(to, &from->touch[i]) != NULL);
}

// Where only some chains are looked at, because the others have not moved or had nothing near, everything is found that
// a look at all finds, to the last bit.
CASE(a_look_at_some_chains_finds_what_one_at_all_does)
{
    scene *s = scene_random(11, 120, 14, 0.12, 0.01, 0.001, 0.003);
    scene_shape(s, PLAIT_SHAPE_SPHERE, 0.03, 0, 0, (double[3]){0.05, 0.05, 0.05});
    scene_shape(s, PLAIT_SHAPE_BOX, 0.02, 0.02, 0.02, (double[3]){0.09, 0.05, 0.05});
    s->scenery.proximity = 0.0005;
    plait_detector *kept = plait_detector_new();
    bool some[120];
    int nearer = 0, again = 0;
    for (int step = 0; step < 20; step++) {
        plait_detector *fresh = plait_detector_new();
        plait_touches known = {0}, close = {0}, few = {0}, all = {0};
        for (int k = 0; k < 3 * s->scenery.nodes; k++)
            s->x1[k] = s->x0[k] + 0.006 * cos(1.3 * step + 0.1 * k);
        CHECK_INT(plait_detect_crossings(kept, &s->scenery, 0.97, NULL, &close, NULL), PLAIT_OK);
        CHECK_INT(plait_detect_nearer(kept, &s->scenery, 0.9, NULL, &few, NULL), PLAIT_OK);
        CHECK_INT(plait_detect_crossings(fresh, &s->scenery, 0.9, NULL, &all, NULL), PLAIT_OK);
        CHECK(same_touches(&few, &all) && close.count >= few.count);
        nearer += few.count;
        // Some go elsewhere: what is new is theirs.
        append_all(&known, &few);
        for (int c = 0, n = 0; c < 120; n += s->chain[c++].nodes) {
            some[c] = c % 9 == step % 9;
            for (int k = 3 * n; some[c] && k < 3 * (n + s->chain[c].nodes); k++)
                s->x1[k] += 0.004 * sin(0.3 * k);
        }
        s->scenery.only = some;
        CHECK_INT(plait_detect_crossings(kept, &s->scenery, 0.9, &known, &few, NULL), PLAIT_OK);
        s->scenery.only = NULL;
        CHECK_INT(plait_detect_crossings(fresh, &s->scenery, 0.9, &known, &all, NULL), PLAIT_OK);
        CHECK(same_touches(&few, &all));
        again += few.count;
        // Contacts where they are, and where some of them have moved.
        const double *x1 = s->scenery.x1;
        s->scenery.x1 = NULL, s->scenery.mode = PLAIT_DETECT_PROXIMITY;
        plait_touches before = detect(kept, s, NULL), list = detect(kept, s, &before);
        for (int c = 0, n = 0; c < 120; n += s->chain[c++].nodes)
            for (int k = 3 * n; some[c] && k < 3 * (n + s->chain[c].nodes); k++)
                s->x0[k] += 0.002 * cos(0.2 * k + step);
        CHECK_INT(plait_detect_again(kept, &s->scenery, some, &before, &list, NULL), PLAIT_OK);
        plait_touches whole = detect(fresh, s, &before);
        CHECK(same_touches(&list, &whole) && list.count > 20);
        s->scenery.x1 = x1;
        plait_touches *lists[] = {&known, &close, &few, &all, &list, &before, &whole};
        for (int k = 0; k < 7; k++)
            plait_touches_free(lists[k]);
        plait_detector_free(fresh);
    }
    CHECK(nearer > 100 && again > 20);
    plait_detector_free(kept);
    scene_free(s);
}

// ---- what contacts there are -----------------------------------------------------------------------------------------

CASE(crossing_rods_touch_once)
{
    plait_detector *d = plait_detector_new();
    for (int at_node = 0; at_node < 2; at_node++) { // also where a node lies on a node
        scene *s = scene_new(100);
        double shift = at_node ? 0 : 0.0037;
        scene_line(s, 11, (double[3]){-0.05, 0, 0}, (double[3]){0.05, 0, 0}, 0.001);
        scene_line(s, 11, (double[3]){shift, -0.05 + shift, 0.00205}, (double[3]){shift, 0.05 + shift, 0.00205}, 0.001);
        s->scenery.proximity = 0.0005;
        plait_touches t = detect(d, s, NULL);
        if (CHECK_INT(t.count, 1)) {
            CHECK_NEAR(t.touch[0].gap, 5e-5, 1e-12);
            CHECK_NEAR(t.touch[0].normal[2], -1, 1e-12);
            CHECK_NEAR(t.touch[0].arc[0], 0.05 + shift, 1e-7);
            CHECK_NEAR(t.touch[0].arc[1], 0.05 - shift, 1e-7);
        }
        plait_touches_free(&t);
        scene_free(s);
    }
    plait_detector_free(d);
}

static scene *parallel(double turn)
{
    scene *s = scene_new(100);
    scene_line(s, 11, (double[3]){0, 0, 0}, (double[3]){0.1, 0, 0}, 0.001);
    scene_line(s, 11, (double[3]){0, 0, 0.0019}, (double[3]){0.1, 0, 0.0019 + turn}, 0.001);
    s->scenery.proximity = 0.0005;
    return s;
}

CASE(parallel_rods_touch_at_the_spacing)
{
    plait_detector *d = plait_detector_new();
    struct {
        double spacing;
        int least, most;
    } want[] = {{0, 10, 10}, {0.02, 4, 6}, {0.05, 2, 3}, {1, 1, 1}};
    for (int k = 0; k < 4; k++) {
        scene *s = parallel(0);
        s->scenery.spacing = want[k].spacing;
        plait_touches t = detect(d, s, NULL);
        CHECK(t.count >= want[k].least && t.count <= want[k].most);
        for (int i = 0; i < t.count; i++) {
            CHECK_NEAR(t.touch[i].gap, -1e-4, 1e-12);
            CHECK_NEAR(t.touch[i].arc[0], t.touch[i].arc[1], 1e-9);
            for (int j = 0; j < i; j++)
                CHECK(fabs(t.touch[i].arc[0] - t.touch[j].arc[0]) > 0.74 * fmax(want[k].spacing, 0.01));
        }
        plait_touches_free(&t);
        scene_free(s);
    }
    plait_detector_free(d);
}

CASE(contacts_at_rest_stay_where_they_are)
{
    plait_detector *d = plait_detector_new();
    scene *s = parallel(0);
    plait_touches old = detect(d, s, NULL);
    plait_rng rng = plait_rng_new(1, 1);
    for (int step = 0; step < 20; step++) {
        for (int k = 0; k < 3 * s->scenery.nodes; k++)
            s->x0[k] += 1e-9 * plait_rng_normal(&rng);
        plait_touches now = detect(d, s, &old);
        CHECK_INT(now.count, old.count);
        for (int k = 0; k < now.count; k++) {
            CHECK_INT(now.touch[k].last, k);
            CHECK_NEAR(now.touch[k].arc[0], old.touch[k].arc[0], 1e-12);
        }
        plait_touches_free(&old);
        old = now;
    }
    plait_touches_free(&old);
    scene_free(s);
    plait_detector_free(d);
}

CASE(identity_is_kept_while_rods_slide)
{
    plait_detector *d = plait_detector_new();
    scene *s = scene_new(100);
    scene_line(s, 11, (double[3]){-0.05, 0, 0}, (double[3]){0.05, 0, 0}, 0.001);
    scene_line(s, 11, (double[3]){-0.04, -0.05, 0.0019}, (double[3]){-0.04, 0.05, 0.0019}, 0.001);
    scene_line(s, 11, (double[3]){0.02, -0.05, 0.0019}, (double[3]){0.02, 0.05, 0.0019}, 0.001);
    s->scenery.proximity = 0.0005;
    plait_touches old = detect(d, s, NULL);
    CHECK_INT(old.count, 2);
    for (int step = 0; step < 20; step++) { // over nodes
        for (int n = 11; n < 33; n++)
            s->x0[3 * n] += 0.0013;
        plait_touches now = detect(d, s, &old);
        CHECK_INT(now.count, 2);
        for (int k = 0; k < now.count; k++) {
            CHECK(now.touch[k].last >= 0);
            if (now.touch[k].last >= 0)
                CHECK_INT(now.touch[k].side[1].index, old.touch[now.touch[k].last].side[1].index);
        }
        plait_touches_free(&old);
        old = now;
    }
    plait_touches_free(&old);
    scene_free(s);
    plait_detector_free(d);
}

CASE(coil_touches_itself)
{
    enum { NODES = 201 };
    double x[3 * NODES], radius = 0.001, pitch = 0.0019, turn = 0.01; // turns lie on each other
    for (int n = 0; n < NODES; n++) {
        double angle = 2 * M_PI * 5 * n / (NODES - 1);
        x[3 * n] = turn * cos(angle), x[3 * n + 1] = turn * sin(angle), x[3 * n + 2] = pitch * angle / (2 * M_PI);
    }
    scene *s = scene_new(NODES);
    scene_chain(s, NODES, x, radius);
    s->scenery.proximity = 0.0002;
    plait_detector *d = plait_detector_new();
    plait_touches t = detect(d, s, NULL);
    CHECK_INT(t.count, 0); // self_arc is infinite
    plait_touches_free(&t);
    s->chain[0].self_arc = 0.008;
    t = detect(d, s, NULL);
    double around = 2 * M_PI * turn;
    CHECK(t.count > 100 && t.count < 200); // four of five turns, one per segment
    for (int k = 0; k < t.count; k++) {
        double along = t.touch[k].arc[1] - t.touch[k].arc[0];
        CHECK(along >= 0.008);
        CHECK_NEAR(along, around, 0.05 * around);
        CHECK_NEAR(t.touch[k].gap, -1e-4, 2e-5);
        CHECK(fabs(t.touch[k].normal[2]) > 0.99);
    }
    plait_touches_free(&t);
    plait_detector_free(d);
    scene_free(s);
}

CASE(neighbours_along_a_rod_do_not_touch)
{
    // Segments shorter than the radius: a dozen neighbours are within a diameter.
    scene *s = scene_new(400);
    scene_line(s, 201, (double[3]){0, 0, 0}, (double[3]){0.1, 0, 0}, 0.003);
    s->chain[0].self_arc = 0.024;
    s->scenery.proximity = 0.001;
    plait_detector *d = plait_detector_new();
    plait_touches t = detect(d, s, NULL);
    CHECK_INT(t.count, 0);
    plait_touches_free(&t);
    plait_detector_free(d);
    scene_free(s);
}

// ---- motion ----------------------------------------------------------------------------------------------------------

CASE(fast_rod_is_seen)
{
    scene *s = scene_new(100);
    scene_line(s, 11, (double[3]){-0.05, 0, 0}, (double[3]){0.05, 0, 0}, 5e-5);
    int moving = scene_line(s, 11, (double[3]){0.003, -0.05, 0.01}, (double[3]){0.003, 0.05, 0.01}, 5e-5);
    scene_move(s, moving, (double[3]){0, 0, -0.03});
    s->scenery.proximity = 2e-5;
    plait_detector *d = plait_detector_new();
    plait_touches t = detect(d, s, NULL);
    CHECK_INT(t.count, 0);
    plait_touches missed = {0};
    CHECK_INT(plait_detect_crossings(d, &s->scenery, 0, &t, &missed, NULL), PLAIT_OK);
    CHECK_INT(missed.count, 1);
    plait_touches_free(&t);
    s->scenery.mode = PLAIT_DETECT_BOTH;
    t = detect(d, s, NULL);
    if (CHECK_INT(t.count, 1)) {
        CHECK(t.touch[0].swept);
        CHECK_NEAR(t.touch[0].normal[2], -1, 1e-9);
        CHECK_NEAR(t.touch[0].gap, 0.01 - 1e-4, 1e-9);
        CHECK_NEAR(t.touch[0].arc[0], 0.053, 1e-6);
    }
    // What is known is not missed; what stops in front has not crossed.
    CHECK_INT(plait_detect_crossings(d, &s->scenery, 0, &t, &missed, NULL), PLAIT_OK);
    CHECK_INT(missed.count, 0);
    scene_move(s, moving, (double[3]){0, 0, -0.0099});
    CHECK_INT(plait_detect_crossings(d, &s->scenery, 0, NULL, &missed, NULL), PLAIT_OK);
    CHECK_INT(missed.count, 0);
    plait_touches_free(&t), plait_touches_free(&missed);
    plait_detector_free(d);
    scene_free(s);
}

CASE(deep_overlaps_are_reported_where_asked_for)
{
    scene *s = scene_new(100);
    scene_line(s, 11, (double[3]){-0.05, 0, 0}, (double[3]){0.05, 0, 0}, 1e-3);
    int moving = scene_line(s, 11, (double[3]){0.003, -0.05, 0.01}, (double[3]){0.003, 0.05, 0.01}, 1e-3);
    plait_detector *d = plait_detector_new();
    plait_touches missed = {0};
    // Centrelines end 1.2 mm apart, then 0.8 mm: 0.6 and 0.4 of the sum of the radii.
    for (int deep = 0; deep < 2; deep++) {
        scene_move(s, moving, (double[3]){0, 0, deep ? -0.0092 : -0.0088});
        CHECK_INT(plait_detect_crossings(d, &s->scenery, 0, NULL, &missed, NULL), PLAIT_OK);
        CHECK_INT(missed.count, 0);
        CHECK_INT(plait_detect_crossings(d, &s->scenery, 0.5, NULL, &missed, NULL), PLAIT_OK);
        if (CHECK_INT(missed.count, deep) && deep)
            CHECK_NEAR(missed.touch[0].gap, 0.008, 1e-9);
    }
    plait_touches_free(&missed);
    plait_detector_free(d);
    scene_free(s);
}

CASE(linear_condition_of_a_swept_contact_forbids_the_crossing)
{
    // If no contact of the motion is violated by it, nothing crosses; so every crossing pair has a violated one.
    plait_rng rng = plait_rng_new(5, 0);
    plait_detector *d = plait_detector_new();
    int crossings = 0, idle = 0;
    for (int trial = 0; trial < 3000; trial++) {
        scene *s = scene_new(4);
        double x[12];
        for (int k = 0; k < 12; k++)
            x[k] = plait_rng_between(&rng, -1, 1);
        scene_chain(s, 2, x, 0.005), scene_chain(s, 2, x + 6, 0.005);
        for (int k = 0; k < 12; k++)
            s->x1[k] += 0.3 * plait_rng_normal(&rng);
        s->scenery.mode = PLAIT_DETECT_BOTH, s->scenery.proximity = 0.002;
        plait_touches none = {0}, missed = {0};
        plait_detect_crossings(d, &s->scenery, 0, &none, &missed, NULL);
        if (missed.count) {
            plait_touches t = detect(d, s, NULL);
            bool violated = false;
            for (int k = 0; k < t.count; k++) {
                double move = 0;
                for (int c = 0; c < 3; c++) {
                    double p = 0, q = 0;
                    for (int e = 0; e < 2; e++) {
                        double wp = e ? t.touch[k].side[0].a : 1 - t.touch[k].side[0].a;
                        double wq = e ? t.touch[k].side[1].a : 1 - t.touch[k].side[1].a;
                        p += wp * (s->x1[3 * e + c] - s->x0[3 * e + c]);
                        q += wq * (s->x1[6 + 3 * e + c] - s->x0[6 + 3 * e + c]);
                    }
                    move += t.touch[k].normal[c] * (p - q);
                }
                violated |= t.touch[k].gap + move < 0;
            }
            crossings++;
            idle += !violated;
            plait_touches_free(&t);
        }
        plait_touches_free(&missed);
        scene_free(s);
    }
    CHECK(crossings > 100);
    CHECK(idle <= crossings / 50); // turning ends may leave again within the step
    plait_detector_free(d);
}

// ---- bad input -------------------------------------------------------------------------------------------------------

CASE(nonsense_is_refused)
{
    plait_detector *d = plait_detector_new();
    scene *s = scene_random(3, 10, 5, 0.1, 0.01, 0.001, 0);
    plait_touches t = {0};
    plait_error error = {0};
    s->x0[7] = NAN;
    CHECK_INT(plait_detect(d, &s->scenery, NULL, &t, &error), PLAIT_BAD_INPUT);
    CHECK(strstr(error.text, "chain 0"));
    CHECK_INT(plait_detect_crossings(d, &s->scenery, 0, NULL, &t, &error), PLAIT_BAD_INPUT);
    s->x0[7] = INFINITY;
    CHECK_INT(plait_detect(d, &s->scenery, NULL, &t, &error), PLAIT_BAD_INPUT);
    s->x0[7] = 0, s->x1[8] = NAN;
    CHECK_INT(plait_detect(d, &s->scenery, NULL, &t, &error), PLAIT_BAD_INPUT);
    s->x1[8] = 0;
    CHECK_INT(plait_detect(d, &s->scenery, NULL, &t, &error), PLAIT_OK);
    s->chain[2].radius = NAN;
    CHECK_INT(plait_detect(d, &s->scenery, NULL, &t, &error), PLAIT_BAD_INPUT);
    s->chain[2].radius = 0.001, s->chain[9].nodes = 6;
    CHECK_INT(plait_detect(d, &s->scenery, NULL, &t, &error), PLAIT_BAD_INPUT);
    s->chain[9].nodes = 5;
    // All nodes at one place, or at enormous ones, are strange but no reason to hang.
    for (int k = 0; k < 30; k++)
        s->x0[k] = 0.01;
    CHECK_INT(plait_detect(d, &s->scenery, NULL, &t, &error), PLAIT_OK);
    s->x1[3] = 1e11, s->scenery.mode = PLAIT_DETECT_BOTH;
    for (int broad = PLAIT_BROAD_AUTO; broad <= PLAIT_BROAD_BVH; broad++) {
        plait_detector_set_broad(d, (plait_broad)broad);
        CHECK_INT(plait_detect(d, &s->scenery, NULL, &t, &error), PLAIT_OK);
    }
    s->scenery.chains = s->scenery.nodes = 0;
    CHECK_INT(plait_detect(d, &s->scenery, NULL, &t, &error), PLAIT_OK);
    CHECK_INT(t.count, 0);
    plait_touches_free(&t);
    plait_detector_free(d);
    scene_free(s);
}
