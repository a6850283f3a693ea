// Scripted motions against their definition.
#include "body/body.h"
#include "check.h"
#include "math/quat.h"
#include "plait/scene.h"

static const double PI = 3.14159265358979323846;

// The angle about z of a rotation about z, from -pi to pi.
static double angle_z(const double q[4])
{
    return 2 * atan2(q[2], q[3]);
}

CASE(rest)
{
    plait_motion m = {.pivot = {1, 2, 3}};
    double x[3], q[4];
    plait_motion_at(&m, 5, x, q);
    CHECK(x[0] == 0 && x[1] == 0 && x[2] == 0);
    CHECK(q[0] == 0 && q[1] == 0 && q[2] == 0 && q[3] == 1);
}

CASE(keys)
{
    plait_key key[3] = {{1, {0, 0, 0}, {0, 0, 0}}, {2, {4, 0, 0}, {0, 0, PI}}, {4, {4, 2, 0}, {0, 0, 5 * PI}}};
    plait_motion m = {.keys = 3, .key = key};
    double x[3], q[4];
    const double times[] = {-1, 1, 1.25, 1.5, 2, 3, 4, 9};
    const double linear[][3] = {{0, 0, 0},  {0, 0, 0},      {1, 0, PI / 4}, {2, 0, PI / 2},
                                {4, 0, PI}, {4, 1, 3 * PI}, {4, 2, 5 * PI}, {4, 2, 5 * PI}};
    for (int i = 0; i < 8; i++) {
        plait_motion_at(&m, times[i], x, q);
        CHECK_NEAR(x[0], linear[i][0], 1e-15);
        CHECK_NEAR(x[1], linear[i][1], 1e-15);
        CHECK_NEAR(cos(angle_z(q)), cos(linear[i][2]), 1e-14);
        CHECK_NEAR(plait_quat_dot(q, q), 1, 1e-15);
    }
    m.ease = PLAIT_EASE_SMOOTH;
    plait_motion_at(&m, 1.25, x, q);
    CHECK_NEAR(x[0], 4 * (3 * 0.0625 - 2 * 0.015625), 1e-15);
    CHECK_NEAR(angle_z(q), PI * 0.15625, 1e-14);
    // at rest in every key: the speed there is of the order of the difference
    for (int i = 0; i < 3; i++) {
        double before[3], after[3], h = 1e-5;
        plait_motion_at(&m, key[i].time - h, before, q);
        plait_motion_at(&m, key[i].time + h, after, q);
        plait_motion_at(&m, key[i].time, x, q);
        CHECK(x[0] == key[i].position[0] && x[1] == key[i].position[1]);
        CHECK_NEAR((after[0] - before[0]) / (2 * h), 0, 1e-3);
    }
}

CASE(drives)
{
    plait_drive drive[3] = {
        {.kind = PLAIT_DRIVE_LINEAR, .amplitude = {2, 0, 0}, .start = 1, .stop = 3},
        {.kind = PLAIT_DRIVE_SINE,
         .amplitude = {0, 0.5, 0},
         .frequency = 2,
         .phase = PI / 6,
         .start = 0.5,
         .stop = INFINITY},
        {.kind = PLAIT_DRIVE_RAMP, .turns = true, .amplitude = {0, 0, PI / 2}, .start = 1, .stop = 2},
    };
    plait_motion m = {.drives = 3, .drive = drive};
    double x[3], q[4];
    for (double t = -1; t < 5; t += 0.13) {
        plait_motion_at(&m, t, x, q);
        double far = t < 1 ? 0 : t > 3 ? 2 : t - 1, u = t < 1 ? 0 : t > 2 ? 1 : t - 1;
        CHECK_NEAR(x[0], 2 * far, 1e-14);
        CHECK_NEAR(x[1], t < 0.5 ? 0 : 0.5 * (sin(4 * PI * (t - 0.5) + PI / 6) - 0.5), 1e-14);
        CHECK_NEAR(angle_z(q), PI / 2 * u * u * (3 - 2 * u), 1e-14);
    }
    // rotation vectors add up before exp, and to those of keys
    plait_key key = {0, {1, 0, 0}, {0, 0, PI / 2}};
    m.keys = 1;
    m.key = &key;
    plait_motion_at(&m, 4, x, q);
    CHECK_NEAR(fabs(angle_z(q)), PI, 1e-14);
    CHECK_NEAR(x[0], 5, 1e-15);
    // nothing jumps where a sine is stopped
    drive[1].stop = 1.1;
    double before[3], after[3];
    plait_motion_at(&m, 1.1 - 1e-9, before, q);
    plait_motion_at(&m, 1.1 + 1e-9, after, q);
    CHECK_NEAR(after[1], before[1], 1e-7);
    plait_motion_at(&m, 100, x, q);
    CHECK_NEAR(x[1], before[1], 1e-7);
}

// Points of a mesh with frames lie between those of the frame before and after, each on its own way; before the first frame
// and behind the last it stands.
CASE(points_of_an_animated_mesh)
{
    enum { POINTS = 3, FRAMES = 4 };
    double frame[FRAMES][3 * POINTS], x[3 * POINTS];
    for (int f = 0; f < FRAMES; f++)
        for (int k = 0; k < 3 * POINTS; k++)
            frame[f][k] = 10 * k + f * f * (k + 1);
    plait_shape s = {.points = POINTS, .frames = FRAMES, .frame_time = 0.5, .frame = frame[0]};
    const double at[] = {-3, 0, 0.25, 1, 1.7, 2.99, 3, 8};
    for (int i = 0; i < 8; i++) {
        plait_shape_points_at(&s, 0.5 * at[i], x);
        double t = fmin(fmax(at[i], 0), FRAMES - 1), whole = fmin(floor(t), FRAMES - 2);
        double square = whole * whole + (t - whole) * (2 * whole + 1); // on the chord of f^2
        for (int k = 0; k < 3 * POINTS; k++)
            CHECK_NEAR(x[k], 10 * k + square * (k + 1), 1e-12);
    }
    s.frames = 1;
    plait_shape_points_at(&s, 7, x);
    for (int k = 0; k < 3 * POINTS; k++)
        CHECK(x[k] == frame[0][k]);
}
