// collide_tracking.c: a contact stays the same contact, at the same place of the first rod, while the other rod slides over
// node after node along it, in either direction and to either side of a link.
#include "check.h"
#include "collide_scene.h"

enum { NODES = 21 };
static const double RADIUS = 0.001;

static plait_touches detect(plait_detector *d, scene *s, const plait_touches *previous)
{
    plait_touches t = {0};
    plait_error error = {0};
    CHECK_INT(plait_detect(d, &s->scenery, previous, &t, &error), PLAIT_OK);
    return t;
}

static void slide(int moving, double by)
{
    plait_detector *d = plait_detector_new();
    scene *s = scene_new(2 * NODES);
    // Parallel: the distance says nothing about the place, and the contact of the last step all.
    scene_line(s, NODES, (double[3]){0, 0, 0}, (double[3]){0.2, 0, 0}, RADIUS);
    scene_line(s, NODES, (double[3]){0.003, 0, 0.0019}, (double[3]){0.203, 0, 0.0019}, RADIUS);
    s->scenery.proximity = 0.0005;
    plait_touches old = detect(d, s, NULL);
    double worst = 0;
    int lost = 0;
    for (int step = 0; step < 40; step++) {
        for (int n = 0; n < NODES; n++)
            s->x0[3 * (moving * NODES + n)] += by;
        plait_touches now = detect(d, s, &old);
        for (int k = 0; k < now.count; k++) {
            const plait_touch *t = &now.touch[k];
            if (t->arc[0] < 0.04 || t->arc[0] > 0.16) // the ends come and go
                continue;
            lost += t->last < 0;
            if (t->last >= 0)
                worst = fmax(worst, fabs(t->arc[0] - old.touch[t->last].arc[0]));
        }
        plait_touches_free(&old);
        old = now;
    }
    CHECK_INT(lost, 0);
    CHECK_NEAR(worst, 0, 1e-12);
    plait_touches_free(&old);
    scene_free(s);
    plait_detector_free(d);
}

CASE(contacts_keep_their_place_while_the_other_rod_slides)
{
    for (int moving = 0; moving < 2; moving++)
        for (int back = 0; back < 2; back++)
            slide(moving, (back ? -1 : 1) * 0.0007);
}
