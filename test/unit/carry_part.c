// carry_part.c: carried strands at a parting, and where guides come apart: none goes through the middle.
#include <math.h>
#include <string.h>

#include "check.h"
#include "plait/plait.h"

enum { ROW = 62, STRANDS = 2 * ROW, POINTS = 9, EVERY = 15 };
static const double STEP = 0.002, HALF = 0.002, LENGTH = 0.1; // [m] along a row, of the parting, of strands

// Two rows of strands beside a parting along y, strand by strand. Those of the left lean to the left, those of the
// right to the right; alike: all to the right. Every fifteenth is a guide, so those of a side are 3 cm apart, and for
// many strands the nearest root of a guide is on the other side.
static void write_groom(bool alike)
{
    plait_hair hair = {.strands = STRANDS, .unit = 1};
    hair.first = malloc((STRANDS + 1) * sizeof *hair.first), hair.point = malloc(3 * STRANDS * POINTS * sizeof(double));
    for (int i = 0; i <= STRANDS; i++)
        hair.first[i] = i * POINTS;
    for (int i = 0; i < STRANDS * POINTS; i++) {
        int strand = i / POINTS, side = strand % 2 ? 1 : -1, way = alike ? 1 : side;
        double s = LENGTH * (i % POINTS) / (POINTS - 1), *x = hair.point + 3 * (size_t)i;
        x[0] = HALF * side + 0.28 * way * s, x[1] = STEP * (strand / 2), x[2] = 0.96 * s;
    }
    plait_error error = {0};
    CHECK_INT(plait_curves_write("groom.obj", &hair, &error), PLAIT_OK);
    free(hair.first), free(hair.point);
}

// Each side turns about its row by an angle, the left one way and the right the other.
static void fall(double angle, int side, double x[3])
{
    double a = side * angle, c = cos(a), s = sin(a), dx = x[0] - HALF * side, dz = x[2];
    x[0] = HALF * side + c * dx + s * dz, x[2] = c * dz - s * dx;
}

// Two frames: as drawn, and with guides turned.
static plait_trajectory *make(double angle)
{
    static const char *const text = "fibres:\n  groom: {file: {path: groom.obj, every: 15}, segments: 16, "
                                    "ends: {root: clamped}, carry: {guides: 4}}\noutput: {fps: 25}\n";
    plait_error error = {0};
    plait_scene *scene = plait_scene_from_text(text, "", 0, NULL, 0, NULL, &error);
    plait_sim *sim = scene ? plait_sim_new(scene, &error) : NULL;
    plait_trajectory_options o = {.doubles = true};
    plait_trajectory_info *info = sim ? plait_trajectory_info_new(scene, sim, &o, &error) : NULL;
    plait_trajectory_writer *w = info ? plait_trajectory_create("t.h5", info, &error) : NULL;
    plait_trajectory_frame *f = info ? plait_trajectory_frame_new(info) : NULL;
    if (!CHECK(w && f)) {
        puts(error.text);
        exit(1);
    }
    for (int k = 0; k < 2; k++) {
        plait_trajectory_frame_take(f, info, sim, &error);
        f->time = 0.04 * k, f->step = k;
        for (int g = 0; g < info->fibres; g++)
            for (int i = info->first[g]; i < info->first[g + 1]; i++)
                fall(k * angle, EVERY * g % 2 ? 1 : -1, f->position + 3 * (size_t)i);
        CHECK_INT(plait_trajectory_append(w, f, &error), PLAIT_OK);
    }
    plait_trajectory_close(w);
    plait_trajectory_frame_free(f, info), plait_trajectory_info_free(info);
    plait_sim_free(sim), plait_scene_free(scene);
    plait_trajectory *t = plait_trajectory_open("t.h5", &error);
    CHECK(t != NULL);
    return t;
}

static double distance(const double *a, const double *b)
{
    return sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) + (a[2] - b[2]) * (a[2] - b[2]));
}

// How far the farthest point of carried strands is from where its side, or the other one, takes it.
static double stray(double angle)
{
    plait_trajectory *t = make(angle);
    plait_error error = {0};
    plait_carry_options o = plait_default_carry_options();
    o.velocities = false, o.threads = 1;
    plait_carry *c = plait_carry_new(t, &o, &error);
    if (!CHECK(c != NULL)) {
        puts(error.text);
        exit(1);
    }
    const plait_trajectory_info *info = plait_carry_info(c);
    plait_trajectory_frame *rest = plait_trajectory_frame_new(info), *f = plait_trajectory_frame_new(info);
    CHECK_INT(info->fibres, STRANDS);
    CHECK_INT(plait_carry_read(c, 0, rest, &error), PLAIT_OK);
    CHECK_INT(plait_carry_read(c, 1, f, &error), PLAIT_OK);
    double worst = 0;
    for (int i = 0; i < STRANDS; i++) {
        double off[2] = {0};
        for (int k = info->first[i]; k < info->first[i + 1]; k++)
            for (int side = 0; side < 2; side++) {
                double x[3], root = rest->position[3 * (size_t)info->first[i]], shift = HALF * (2 * side - 1) - root;
                memcpy(x, rest->position + 3 * (size_t)k, sizeof x);
                x[0] += shift; // as a strand of that side, at the root that it has
                fall(angle, 2 * side - 1, x);
                x[0] -= shift;
                off[side] = fmax(off[side], distance(x, f->position + 3 * (size_t)k));
            }
        worst = fmax(worst, fmin(off[0], off[1]));
    }
    plait_trajectory_frame_free(rest, info), plait_trajectory_frame_free(f, info);
    plait_carry_free(c), plait_trajectory_free(t);
    return worst;
}

// The nearest root is that of a guide which goes down the other side.
CASE(strands_follow_their_side_of_a_parting)
{
    write_groom(false);
    CHECK(stray(0.6) < 1e-4);
}

// Drawn side by side, and then every other one turns the other way: a strand goes with either of them.
CASE(guides_that_come_apart_are_not_averaged)
{
    write_groom(true);
    CHECK(stray(0.8) < 0.01);
}
