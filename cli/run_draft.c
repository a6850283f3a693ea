// run_draft.c: what `plait run --draft` changes: a first look that costs a fraction.
#include <string.h>

#include "run.h"

// Whether an override is about this key.
static bool is_said(int count, const char *const *said, const char *key)
{
    size_t length = strlen(key);
    for (int i = 0; i < count; i++)
        if (strncmp(said[i], key, length) == 0 && (said[i][length] == '=' || said[i][length] == '.'))
            return true;
    return false;
}

int plait_run_draft(const plait_scene *scene, int said, const char *const *said_what, char (*text)[96],
                    const char **override)
{
    const plait_stepping *s = &scene->stepping;
    double dt = 2.5 * s->dt, frame = scene->output.frame_time;
    int count = 0;
    if (frame > 0 && dt > frame)
        dt = frame > s->dt ? frame : s->dt;
    if (!is_said(said, said_what, "step.dt"))
        snprintf(text[count++], sizeof *text, "step.dt=%.17g", dt);
    if (!is_said(said, said_what,
                 "step.scheme")) // the response is made again where it stretches, not to the last digit
        snprintf(text[count++], sizeof *text, "step.scheme=adonis");
    if (!is_said(said, said_what, "solver.tol") && s->solve.tol < 1e-3)
        snprintf(text[count++], sizeof *text, "solver.tol=1e-3");
    if (!is_said(said, said_what, "solver.creep"))
        snprintf(text[count++], sizeof *text, "solver.creep=0");
    for (int i = 0; i < count; i++)
        override[i] = text[i];
    return count;
}
