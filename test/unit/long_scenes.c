// Every named scene's small variant runs to its end; nothing passes through anything, judged after every step.
#include "check.h"
#include "scene_judge.h"

CASE(nothing_passes_through_anything)
{
    const char *only = getenv("PLAIT_SCENE");
    for (int i = 0; i < plait_scene_count(); i++) {
        char name[96];
        plait_error error = {0};
        snprintf(name, sizeof name, "%s-small", plait_scene_name(i));
        if (only && strcmp(only, plait_scene_name(i)) != 0)
            continue;
        plait_scene *scene = plait_scene_find(name, 0, NULL, &error);
        CHECK(scene != NULL);
        plait_sim *sim = scene ? plait_sim_new(scene, &error) : NULL;
        CHECK(sim != NULL);
        if (!sim) {
            printf("%s: %s\n", name, error.text);
            plait_scene_free(scene);
            continue;
        }
        judge_result j = judge_run(sim, scene, scene->output.duration, 5);
        printf("%-22s %5d fibres %6d steps, %d rejected, contacts %.0f / %d, %d over tolerance, residual %.2g, "
               "stretch %.2g, gap %.2g, %d crossings, %d inside\n",
               name, scene->fibres, j.steps, j.rejected, j.contacts_mean, j.contacts_max, j.over_tolerance, j.residual,
               j.stretch, j.gap, j.crossings, j.inside);
        CHECK(j.finished);
        CHECK_INT(j.crossings, 0);
        CHECK_INT(j.inside, 0);
        plait_sim_free(sim);
        plait_scene_free(scene);
    }
}
