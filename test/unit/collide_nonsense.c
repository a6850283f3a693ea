// collide_nonsense.c: poses and sizes of shapes that are not finite or no rotation are refused, each number by itself.
#include "check.h"
#include "collide_scene.h"

static plait_status detect(scene *s)
{
    plait_detector *d = plait_detector_new();
    plait_touches t = {0};
    plait_error error = {0};
    plait_status status = plait_detect(d, &s->scenery, NULL, &t, &error);
    plait_touches_free(&t);
    plait_detector_free(d);
    return status;
}

CASE(one_wrong_number_of_a_pose)
{
    scene *s = scene_new(8);
    scene_line(s, 4, (double[3]){0, 0, 0}, (double[3]){0.1, 0, 0}, 0.001);
    scene_shape(s, PLAIT_SHAPE_SPHERE, 0.01, 0, 0, (double[3]){0, 0, 0.02});
    CHECK_INT(detect(s), PLAIT_OK);
    plait_shape_geometry *g = &s->geometry[0], right = *g;
    for (int k = 0; k < 14; k++)
        for (int bad = 0; bad < 2; bad++) {
            plait_pose *pose = k < 7 ? &g->start : &g->end;
            *(k % 7 < 3 ? &pose->x[k % 7] : &pose->q[k % 7 - 3]) = bad ? NAN : INFINITY;
            CHECK_INT(detect(s), PLAIT_BAD_INPUT);
            *g = right;
        }
    for (int end = 0; end < 2; end++) {
        plait_pose *pose = end ? &g->end : &g->start;
        memset(pose->q, 0, sizeof pose->q); // no rotation
        CHECK_INT(detect(s), PLAIT_BAD_INPUT);
        *g = right;
    }
    for (int k = 0; k < 3; k++) {
        double kept = s->shape[0].size[k];
        s->shape[0].size[k] = -1e-3;
        CHECK_INT(detect(s), PLAIT_BAD_INPUT);
        s->shape[0].size[k] = NAN;
        CHECK_INT(detect(s), PLAIT_BAD_INPUT);
        s->shape[0].size[k] = kept;
    }
    CHECK_INT(detect(s), PLAIT_OK);
    scene_free(s);
}
