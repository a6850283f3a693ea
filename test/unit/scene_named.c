// Every scene that is built in, and its small variant.
#include "check.h"
#include "scene/schema_scene.h"

CASE(names)
{
    // what the papers' figures and tables need
    const char *const wanted[] = {"orbit",        "plectoneme",    "knot",         "spaghetti-7", "spaghetti-31",
                                  "spaghetti-76", "self-stacking", "wavy-hair",    "double-loop", "pony",
                                  "free-a",       "free-b",        "curly",        "whip",        "hairball-1k",
                                  "hairball",     "comb-out",      "debris-fling", "rod-catch",   "lock"};
    int count = plait_scene_count();
    for (size_t k = 0; k < sizeof wanted / sizeof *wanted; k++) {
        int found = 0;
        for (int i = 0; i < count; i++)
            found += strcmp(plait_scene_name(i), wanted[k]) == 0;
        if (!CHECK(found == 1))
            printf("%d scenes are called %s\n", found, wanted[k]);
    }
    for (int i = 0; i < count; i++)
        CHECK(plait_schema_good_name(plait_scene_name(i)) && strlen(plait_scene_source(i)) > 0);
}

CASE(unknown)
{
    plait_error error = {0};
    CHECK(!plait_scene_find("there-is-none", 0, NULL, &error));
    CHECK_INT(error.status, PLAIT_BAD_INPUT);
    CHECK(strstr(error.text, "there is no scene 'there-is-none'") == error.text);
    CHECK(!plait_scene_find("there-is-none-small", 0, NULL, &error));
    CHECK(!plait_scene_find("", 0, NULL, &error));
    CHECK(!plait_scene_find("-small", 0, NULL, &error));
    if (!CHECK(plait_scene_count() > 0))
        return;
    char wrong[PLAIT_NAME + 8];
    snprintf(wrong, sizeof wrong, "%sx", plait_scene_name(plait_scene_count() - 1));
    CHECK(!plait_scene_find(wrong, 0, NULL, &error));
    CHECK(strstr(error.text, "did you mean '") != NULL);
}

// What the table of `plait list` says must be what is made. Large grooms take long to make: those are long_'s matter.
CASE(summaries)
{
    CHECK(plait_scene_count() > 0);
    for (int i = 0; i < plait_scene_count(); i++) {
        plait_scene_summary summary;
        plait_error error = {0};
        if (!CHECK(plait_scene_summarise(i, &summary, &error) == PLAIT_OK)) {
            puts(error.text);
            continue;
        }
        CHECK(summary.title[0] && summary.reproduces[0]);
        const char *const without[] = {"double-loop",   "ceiling-cube", "ceiling-jelly",
                                       "cloth-wall", "candy",        "lips"}; // a ball on rails; cloth, solids
        bool none = false;
        for (size_t k = 0; k < sizeof without / sizeof *without; k++)
            none |= strcmp(plait_scene_name(i), without[k]) == 0;
        CHECK(summary.fibres > 0 || none);
        if (!CHECK(summary.has_small))
            printf("%s has no small variant\n", plait_scene_name(i));
        if (summary.fibres > 100)
            continue;
        plait_scene *s = plait_scene_find(plait_scene_name(i), 0, NULL, &error);
        if (!CHECK(s)) {
            puts(error.text);
            continue;
        }
        CHECK_STR(s->name, plait_scene_name(i));
        CHECK_INT(s->fibres, summary.fibres);
        plait_scene_free(s);
    }
}

CASE(small_variants)
{
    CHECK(plait_scene_count() > 0);
    for (int i = 0; i < plait_scene_count(); i++) {
        char name[PLAIT_NAME + 8];
        plait_error error = {0};
        snprintf(name, sizeof name, "%s-small", plait_scene_name(i));
        const char *set = "step.dt=3.5 ms";
        plait_scene *s = plait_scene_find(name, 1, &set, &error);
        if (!CHECK(s)) {
            puts(error.text);
            continue;
        }
        CHECK_STR(s->name, name);
        CHECK(s->stepping.dt == 3.5e-3 && s->fibres + s->rigids + s->cloths + s->solids > 0 && s->output.duration > 0);
        CHECK_INT(plait_scene_check(s, &error), PLAIT_OK);
        plait_scene *again = plait_scene_parse(s->text, strlen(s->text), "again.yaml", "", 0, NULL, &error);
        if (CHECK(again)) {
            CHECK_STR(again->text, s->text);
            CHECK(again->fibres == s->fibres && again->colliders == s->colliders && again->rigids == s->rigids);
            for (int k = 0; k < s->fibres; k++) {
                size_t bytes = 3 * sizeof(double) * (size_t)s->fibre[k].points;
                CHECK(again->fibre[k].points == s->fibre[k].points &&
                      memcmp(again->fibre[k].point, s->fibre[k].point, bytes) == 0);
            }
        }
        plait_scene_free(again);
        plait_scene_free(s);
    }
}

CASE(reference)
{
    char *text = plait_scene_reference();
    if (!CHECK(text))
        return;
    // every generator, nested keys with their path, defaults from the structs themselves
    const char *const rows[] = {"### scene\n",
                                "### ponytail\n",
                                "### drives\n",
                                "| `step` |",
                                "| `rod.scheme` |",
                                "| `region.up` |",
                                "| `radius` | one or two numbers | m | 3.7e-05 m |",
                                "| `gravity` | vector | m/s^2 | [0, 0, -9.81] m/s^2 |"};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (!CHECK(strstr(text, rows[i])))
            puts(rows[i]);
    CHECK(!strstr(text, "(null)") && !strstr(text, "nan"));
    free(text);
}
