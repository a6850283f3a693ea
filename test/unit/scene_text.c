// Scenes from texts in memory, with arrays beside them that the text names.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "plait/scene.h"

static const char text[] = "materials: {m: {radius: 1 mm}}\n"
                           "fibres: {f: {segments: 0, polyline: {points: \"@x\", counts: \"@n\"}}}\n"
                           "colliders: {rail: {shape: curve, radius: 1 mm, points: \"@x\"}}\n";
static const double x[] = {0, 0, 0, 0.1, 0, 1e-17, 1 / 3., 0, 0, 0, 1, 0, 0, 1.1, M_PI, 0, 2, 7};
static const double counts[] = {3, 3};
static const plait_scene_array arrays[] = {{"x", 6, 3, x}, {"n", 2, 1, counts}};

static bool same_points(const plait_scene *a, const plait_scene *b)
{
    bool same = a->fibres == b->fibres;
    for (int i = 0; same && i < a->fibres; i++)
        same = a->fibre[i].points == b->fibre[i].points &&
               memcmp(a->fibre[i].point, b->fibre[i].point, 24 * (size_t)a->fibre[i].points) == 0;
    return same && memcmp(a->collider[0].shape.point, b->collider[0].shape.point, sizeof x) == 0;
}

CASE(a_text_names_arrays)
{
    plait_error error = {0};
    plait_scene *s = plait_scene_from_text(text, "", 0, NULL, 2, arrays, &error);
    if (!CHECK(s != NULL))
        return;
    CHECK_INT(s->fibres, 2);
    CHECK_INT(s->groups, 1);
    CHECK_INT(s->fibre[0].points, 3);
    CHECK_INT(s->fibre[1].points, 3);
    CHECK(memcmp(s->fibre[0].point, x, 9 * sizeof *x) == 0);
    CHECK(memcmp(s->fibre[1].point, x + 9, 9 * sizeof *x) == 0);
    CHECK(!strchr(s->text, '@'));
    plait_scene *again = plait_scene_from_text(s->text, "", 0, NULL, 0, NULL, &error); // the numbers are written out
    if (!CHECK(again != NULL))
        return;
    CHECK(same_points(s, again));
    CHECK(strcmp(s->text, again->text) == 0);
    plait_scene_free(again);
    plait_scene_free(s);
}

static void refuse(int count, const plait_scene_array *given, const char *words)
{
    plait_error error = {0};
    plait_scene *s = plait_scene_from_text(text, "", 0, NULL, count, given, &error);
    CHECK(!s);
    CHECK(error.status == PLAIT_BAD_INPUT);
    if (!strstr(error.text, words))
        CHECK_STR(error.text, words);
    plait_scene_free(s);
}

CASE(arrays_that_cannot_be)
{
    double bad[18], uneven[] = {2.5, 2.5}, few[] = {1, 5}, less[] = {2, 3};
    memcpy(bad, x, sizeof bad);
    bad[7] = NAN;
    refuse(0, NULL, "no array is given for '@x'");
    refuse(1, arrays, "no array is given for '@n'");
    refuse(2, (plait_scene_array[]){{"x", 6, 3, bad}, arrays[1]}, "row 2 of '@x' has a number that is not finite");
    refuse(2, (plait_scene_array[]){{"x", 18, 1, x}, arrays[1]}, "rows of 1, expected rows of 3");
    refuse(2, (plait_scene_array[]){arrays[0], {"n", 2, 1, uneven}}, "whole numbers");
    refuse(2, (plait_scene_array[]){arrays[0], {"n", 2, 1, few}}, "'counts' must be between 2");
    refuse(2, (plait_scene_array[]){arrays[0], {"n", 2, 1, less}}, "they are 5 points together, but 6");
    refuse(2, (plait_scene_array[]){{"x", -1, 3, x}, arrays[1]}, "expected rows of 3");
}

// A text that only looks like the name of an array is none.
CASE(other_texts_stay)
{
    plait_error error = {0};
    plait_scene *s = plait_scene_from_text("title: \"@x\"\n", "", 0, NULL, 2, arrays, &error);
    if (!CHECK(s != NULL))
        return;
    CHECK_STR(s->title, "@x");
    CHECK(strstr(s->text, "\"@x\"") != NULL);
    plait_scene_free(s);
}

CASE(a_text_as_json)
{
    plait_error error = {0};
    char *json = plait_scene_text_json("a: {b: [1, -2.5e-3, 01, .5, 2 ms, true, yes, \"3\", null, ~, 1.]}\n"
                                       "c: 'say \"hi\" \\ there'\nd: {}\ne: []\n\"f g\": \"tab\\there\"\n",
                                       &error);
    CHECK_STR(json, "{\"a\": {\"b\": [1, -2.5e-3, \"01\", \".5\", \"2 ms\", true, \"yes\", \"3\", null, null, \"1.\"]}, "
                    "\"c\": \"say \\\"hi\\\" \\\\ there\", \"d\": {}, \"e\": [], \"f g\": \"tab\\u0009here\"}");
    free(json);
    CHECK(!plait_scene_text_json("a: [1, 2\n", &error));
    CHECK(error.status == PLAIT_BAD_INPUT);
}
