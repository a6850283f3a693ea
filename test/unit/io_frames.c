// Material frames and twist in a trajectory: of a rod that is turned at its tip they are what a moment over GJ says, and
// they come back from the file; models without frames have zeros; the length of the step is there.
#include <stdlib.h>
#include <string.h>

#include "plait/trajectory.h"
#include "sim_scenes.h"

static void take(const char *model, double moment, double out[4])
{
    char text[600];
    snprintf(text, sizeof text,
             "gravity: [0, 0, 0]\nmode: static\nstep: {dt: 2, adaptive: false}\n"
             "materials: {m: {radius: 1 mm, density: 1000, young: 1e7, poisson: 0.5}}\n"
             "fibres: {rod: {model: %s, segments: 20, ends: {root: clamped}, line: {length: 0.2}}}\n"
             "loads: {turn: {fibres: rod, moment: [%.17g, 0, 0]}}\n",
             model, moment);
    plait_error error = {0};
    plait_scene *scene = plait_scene_from_text(text, "", 0, NULL, 0, NULL, &error);
    plait_sim *sim = scene ? plait_sim_new(scene, &error) : NULL;
    if (!CHECK(sim != NULL)) {
        printf("%s\n", error.text);
        return;
    }
    plait_sim_report report;
    CHECK_INT(plait_sim_step(sim, 2, &report, &error), PLAIT_OK);
    plait_trajectory_options o = {.doubles = true, .frames = true};
    plait_trajectory_info *info = plait_trajectory_info_new(scene, sim, &o, NULL);
    plait_trajectory_frame *a = plait_trajectory_frame_new(info);
    plait_trajectory_writer *w = plait_trajectory_create("frames.h5", info, NULL);
    CHECK_INT(plait_trajectory_frame_take(a, info, sim, NULL), PLAIT_OK);
    CHECK_INT(plait_trajectory_append(w, a, NULL), PLAIT_OK);
    plait_trajectory_close(w);
    plait_trajectory *t = plait_trajectory_open("frames.h5", NULL);
    const plait_trajectory_info *back = plait_trajectory_get_info(t);
    plait_trajectory_frame *b = plait_trajectory_frame_new(back);
    CHECK(back->stored.frames);
    CHECK_INT(plait_trajectory_read(t, 0, b, NULL), PLAIT_OK);
    CHECK_NEAR(b->dt, 2, 0);
    CHECK(memcmp(a->director, b->director, 3 * (size_t)info->nodes * sizeof(double)) == 0);
    CHECK(memcmp(a->twist, b->twist, (size_t)info->nodes * sizeof(double)) == 0);
    const double *m = b->director + 3 * 10;
    out[0] = b->twist[10], out[1] = sqrt(m[0] * m[0] + m[1] * m[1] + m[2] * m[2]), out[2] = m[0];
    const double *n = b->director + 3 * 15;
    out[3] = atan2(m[1] * n[2] - m[2] * n[1], m[1] * n[1] + m[2] * n[2]); // the rod lies along x
    plait_trajectory_frame_free(a, info), plait_trajectory_frame_free(b, back), plait_trajectory_free(t);
    plait_trajectory_info_free(info), plait_sim_free(sim), plait_scene_free(scene);
}

CASE(frames_and_twist)
{
    double GJ = 1e7 / 3 * 3.14159265358979 * 1e-12 / 2, twist = 20, out[4] = {0};
    take("der", twist * GJ, out);
    CHECK_NEAR(out[0], twist, 1e-3 * twist);
    CHECK_NEAR(out[1], 1, 1e-9);
    CHECK_NEAR(out[2], 0, 1e-6);
    CHECK_NEAR(out[3], twist * 5 * 0.01, 1e-3);
}

CASE(a_model_without_frames_has_zeros)
{
    double out[4] = {1, 1, 1, 1};
    take("mass-spring", 0, out);
    CHECK_NEAR(out[0], 0, 0);
    CHECK_NEAR(out[1], 0, 0);
}
