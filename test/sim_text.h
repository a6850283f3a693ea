// sim_text.h: a simulation of a scene that a test writes down.
#ifndef PLAIT_TEST_SIM_TEXT_H
#define PLAIT_TEST_SIM_TEXT_H

#include <stdio.h>
#include <string.h>

#include "check.h"
#include "plait/plait.h"

// One thread. Owns and frees the scene; why there is none is printed.
static inline plait_sim *sim_of(plait_scene *scene, plait_error *error)
{
    plait_sim *sim = scene ? plait_sim_new(scene, error) : NULL;
    if (!CHECK(sim != NULL))
        printf("%s\n", error->text);
    plait_scene_free(scene);
    if (sim)
        plait_sim_set_threads(sim, 1);
    return sim;
}

static inline plait_sim *sim_of_text(const char *text, int count, const char *const *overrides)
{
    plait_error error = {0};
    return sim_of(plait_scene_from_text(text, "", count, overrides, 0, NULL, &error), &error);
}

// A scene that cannot be, and a part of the sentence that says why.
static inline void sim_text_refused(const char *text, const char *why)
{
    plait_error error = {0};
    plait_scene *scene = plait_scene_from_text(text, "", 0, NULL, 0, NULL, &error);
    CHECK(scene == NULL);
    if (!CHECK(strstr(error.text, why) != NULL))
        printf("%s\n", error.text);
    plait_scene_free(scene);
}

#endif
