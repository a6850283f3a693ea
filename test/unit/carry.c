// carry.c: strands that guides carry: rigid motions, roots on skin, lengths, bodies, how many there are.
#include <math.h>
#include <string.h>

#include "check.h"
#include "plait/plait.h"

enum { SIDE = 6, STRANDS = SIDE * SIDE, POINTS = 9, FRAMES = 4 };
static const double SPACE = 0.01, LENGTH = 0.08, FRAME_TIME = 0.04;

// Strands that stand on the square (0 .. 5 cm)^2 of the plane z = 0 and lean a little.
static void write_groom(void)
{
    plait_hair hair = {.strands = STRANDS, .unit = 1};
    hair.first = malloc((STRANDS + 1) * sizeof *hair.first), hair.point = malloc(3 * STRANDS * POINTS * sizeof(double));
    for (int i = 0; i <= STRANDS; i++)
        hair.first[i] = i * POINTS;
    for (int i = 0; i < STRANDS * POINTS; i++) {
        int strand = i / POINTS;
        double s = LENGTH * (i % POINTS) / (POINTS - 1), *x = hair.point + 3 * i;
        x[0] = SPACE * (strand % SIDE) + 0.3 * s, x[1] = SPACE * (strand / SIDE) + s * s, x[2] = s;
    }
    plait_error error = {0};
    CHECK_INT(plait_curves_write("groom.obj", &hair, &error), PLAIT_OK);
    free(hair.first), free(hair.point);
}

static double drawn_length(void)
{
    double sum = 0;
    for (int i = 1; i < POINTS; i++) {
        double a = LENGTH * (i - 1) / (POINTS - 1), b = LENGTH * i / (POINTS - 1), d = b - a;
        sum += sqrt(1.09 * d * d + (b * b - a * a) * (b * b - a * a));
    }
    return sum;
}

static void write_skin(const char *path, double sink)
{
    FILE *f = fopen(path, "w");
    fprintf(f,
            "v -0.05 -0.05 %g\nv 0.1 -0.05 %g\nv 0.1 0.1 %g\nv -0.05 0.1 %g\nvt 0 0\nvt 1 0\nvt 1 1\nvt 0 1\n"
            "f 1/1 2/2 3/3\nf 1/1 3/3 4/4\n",
            -sink, 0.0, sink, 0.0);
    fclose(f);
}

static const char *const TEXT =
    "materials: {hair: {radius: 0.1 mm, density: 1300, young: 4 GPa}}\n"
    "colliders:\n"
    "  skin: {shape: mesh, file: skin0.obj, frames: [skin0.obj, skin1.obj], frame_time: 0.12}\n"
    "  ball: {shape: sphere, radius: 1 cm, position: [1, 1, 1]}\n"
    "fibres:\n"
    "  groom: {material: hair, file: {path: groom.obj, every: 5}, segments: 16, "
    "ends: {root: clamped, attach: skin}, carry: {guides: 4}}\n"
    "output: {fps: 25}\n";

typedef void motion(double t, double x[3]);

static void stay(double t, double x[3])
{
    (void)t, (void)x;
}

// About the y axis, and away.
static void turn(double t, double x[3])
{
    double c = cos(3 * t), s = sin(3 * t), y[3] = {c * x[0] + s * x[2], x[1] + t, c * x[2] - s * x[0]};
    memcpy(x, y, sizeof y);
}

// Bent by an angle that grows with the height: planes stay planes, and distances along z become arcs.
static void bend(double t, double x[3])
{
    double k = 20 * t, angle = k * x[2];
    if (k > 0)
        x[0] += (1 - cos(angle)) / k, x[2] = sin(angle) / k;
}

// A trajectory whose guides and (rigid) skin do what the motion says; ball: where the ball is.
static plait_trajectory *make(motion *move, bool skin_turns, const double ball[3])
{
    plait_error error = {0};
    write_groom(), write_skin("skin0.obj", 0), write_skin("skin1.obj", 0.02);
    plait_scene *scene = plait_scene_from_text(TEXT, "", 0, NULL, 0, NULL, &error);
    if (!CHECK(scene != NULL)) {
        puts(error.text);
        exit(1);
    }
    plait_sim *sim = plait_sim_new(scene, &error);
    plait_trajectory_options o = {.doubles = true};
    plait_trajectory_info *info = plait_trajectory_info_new(scene, sim, &o, &error);
    plait_trajectory_writer *w = plait_trajectory_create("t.h5", info, &error);
    plait_trajectory_frame *f = plait_trajectory_frame_new(info);
    CHECK(info && w && f);
    for (int k = 0; k < FRAMES; k++) {
        double t = FRAME_TIME * k;
        plait_trajectory_frame_take(f, info, sim, &error);
        f->time = t, f->step = k;
        for (int i = 0; i < info->nodes; i++)
            move(t, f->position + 3 * i);
        if (skin_turns) {
            for (int i = 0; i < 4; i++)
                move(t, f->vertex[0] + 3 * i);
        } else { // the skin of its file, at this time
            for (int i = 0; i < 4; i++)
                f->vertex[0][3 * i + 2] += (i == 0 ? -1 : i == 2 ? 1 : 0) * 0.02 * t / 0.12;
        }
        memcpy(f->collider_pose + 7, ball, 3 * sizeof(double));
        CHECK_INT(plait_trajectory_append(w, f, &error), PLAIT_OK);
    }
    plait_trajectory_close(w);
    plait_trajectory_frame_free(f, info);
    plait_trajectory_info_free(info);
    plait_sim_free(sim);
    plait_scene_free(scene);
    plait_trajectory *t = plait_trajectory_open("t.h5", &error);
    CHECK(t != NULL);
    return t;
}

static plait_carry *carry_of(const plait_trajectory *t, int strands, int threads, const char *override)
{
    plait_error error = {0};
    plait_carry_options o = plait_default_carry_options();
    o.strands = strands, o.threads = threads, o.count = override ? 1 : 0, o.overrides = &override;
    plait_carry *c = plait_carry_new(t, &o, &error);
    if (!CHECK(c != NULL)) {
        puts(error.text);
        exit(1);
    }
    return c;
}

static const double AWAY[3] = {1, 1, 1};

static double distance(const double *a, const double *b)
{
    return sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) + (a[2] - b[2]) * (a[2] - b[2]));
}

CASE(what_moves_as_a_whole_is_carried_exactly)
{
    plait_trajectory *t = make(turn, true, AWAY);
    plait_carry *c = carry_of(t, 0, 1, NULL);
    plait_error error = {0};
    const plait_trajectory_info *info = plait_carry_info(c);
    plait_trajectory_frame *rest = plait_trajectory_frame_new(info), *f = plait_trajectory_frame_new(info);
    CHECK_INT(info->fibres, STRANDS);
    CHECK_INT(plait_carry_read(c, 0, rest, &error), PLAIT_OK);
    for (int k = FRAMES - 1; k > 0; k--) { // in any order
        CHECK_INT(plait_carry_read(c, k, f, &error), PLAIT_OK);
        double worst = 0;
        for (int i = 0; i < info->nodes; i++) {
            double x[3] = {rest->position[3 * i], rest->position[3 * i + 1], rest->position[3 * i + 2]};
            turn(FRAME_TIME * k, x);
            worst = fmax(worst, distance(x, f->position + 3 * i));
        }
        CHECK(worst < 1e-7);
    }
    // velocities are the differences of the frames around: the middle of two turns by 0.12 rad
    CHECK_INT(plait_carry_read(c, 1, f, &error), PLAIT_OK);
    for (int i = 0; i < info->nodes; i += 7) {
        double a[3], b[3];
        memcpy(a, rest->position + 3 * i, sizeof a), memcpy(b, a, sizeof b);
        turn(0, a), turn(2 * FRAME_TIME, b);
        for (int n = 0; n < 3; n++)
            CHECK_NEAR(f->velocity[3 * i + n], (b[n] - a[n]) / (2 * FRAME_TIME), 1e-6);
    }
    plait_trajectory_frame_free(rest, info), plait_trajectory_frame_free(f, info);
    plait_carry_free(c), plait_trajectory_free(t);
}

CASE(roots_are_on_the_skin_and_lengths_stay)
{
    plait_trajectory *t = make(bend, false, AWAY);
    plait_carry *c = carry_of(t, 500, 1, NULL);
    plait_error error = {0};
    const plait_trajectory_info *info = plait_carry_info(c);
    const plait_carry_strands *s = plait_carry_get_strands(c);
    plait_trajectory_frame *rest = plait_trajectory_frame_new(info), *f = plait_trajectory_frame_new(info);
    CHECK_INT(info->fibres, 500);
    CHECK_INT(plait_carry_read(c, 0, rest, &error), PLAIT_OK);
    CHECK_INT(plait_carry_read(c, 3, f, &error), PLAIT_OK);
    double off = 0, longer = 0, bent = 0;
    for (int i = 0; i < info->fibres; i++) {
        const double *x = f->position + 3 * info->first[i], *x0 = rest->position + 3 * info->first[i];
        // on the triangle that it was on: z is linear on both, and equal on their common edge
        double u = (x[0] + 0.05) / 0.15, v = (x[1] + 0.05) / 0.15, a = -0.02, b = 0.02;
        double z = u > v ? a + u * (0 - a) + v * (b - 0) : a + v * (0 - a) + u * (b - 0);
        off = fmax(off, fabs(x[2] - z));
        CHECK_NEAR(x[0], x0[0], 1e-8);
        for (int k = 0; k + 1 < info->first[i + 1] - info->first[i]; k++)
            longer = fmax(longer, fabs(distance(x + 3 * k, x + 3 * k + 3) / distance(x0 + 3 * k, x0 + 3 * k + 3) - 1));
        bent = fmax(bent, fabs(x[3 * POINTS - 3] - x0[3 * POINTS - 3]));
    }
    CHECK(off < 1e-8);
    CHECK(longer < 1e-5);
    CHECK(bent > 0.005);
    // ids: those of the file, then new ones; every strand has guides whose weights add up
    for (int i = 0; i < s->strands; i++) {
        float sum = 0;
        for (int g = 0; g < s->guides; g++)
            sum += s->guide[s->guides * i + g] >= 0 ? s->weight[s->guides * i + g] : 0;
        CHECK_INT(s->id[i], i);
        CHECK_NEAR(sum, 1, 1e-6);
        CHECK_NEAR(s->width[s->first[i]], 2e-4, 1e-10); // of the material: neither file nor scene says it
        CHECK(s->width[s->first[i]] > 2 * s->width[s->first[i + 1] - 1] && s->width[s->first[i + 1] - 1] > 0);
    }
    plait_trajectory_frame_free(rest, info), plait_trajectory_frame_free(f, info);
    plait_carry_free(c), plait_trajectory_free(t);
}

// Strand 5 k of the file is guide k: it comes out as it was simulated, but for where its points are on the curve.
// Roots have the texture coordinates of the skin; without any, directions stand for them.
CASE(roots_know_their_texture_coordinates)
{
    plait_trajectory *t = make(stay, false, (double[]){1, 1, 1});
    plait_error error = {0};
    plait_carry_options o = plait_default_carry_options();
    plait_carry *carry = plait_carry_new(t, &o, &error);
    CHECK(carry != NULL);
    const plait_carry_strands *s = plait_carry_get_strands(carry);
    CHECK_INT(s->strands, STRANDS);
    for (int i = 0; i < s->strands; i++) {
        CHECK_NEAR((double)s->root_uv[2 * i], (SPACE * (s->id[i] % SIDE) + 0.05) / 0.15, 1e-6);
        CHECK_NEAR((double)s->root_uv[2 * i + 1], (SPACE * (s->id[i] / SIDE) + 0.05) / 0.15, 1e-6);
    }
    plait_carry_free(carry);
    // A map of lengths, 0.5 everywhere: strands that are carried are shortened as well.
    FILE *f = fopen("half.csv", "w");
    fputs("0.5\n0.5\n0.5\n0.5\n", f);
    fclose(f);
    const char *half[] = {"fibres.groom.maps.length.values=half.csv"};
    o.count = 1, o.overrides = half;
    carry = plait_carry_new(t, &o, &error);
    CHECK(carry != NULL);
    plait_trajectory_frame *frame = carry ? plait_trajectory_frame_new(plait_carry_info(carry)) : NULL;
    if (frame && CHECK_INT(plait_carry_read(carry, 0, frame, &error), PLAIT_OK)) {
        s = plait_carry_get_strands(carry);
        for (int i = 0; i < s->strands; i++) {
            double length = 0;
            for (int k = s->first[i] + 1; k < s->first[i + 1]; k++) {
                double d[3];
                for (int c = 0; c < 3; c++)
                    d[c] = frame->position[3 * k + c] - frame->position[3 * k - 3 + c];
                length += sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
            }
            CHECK_NEAR(length, 0.5 * drawn_length(), 1e-3 * LENGTH);
        }
    }
    if (frame)
        plait_trajectory_frame_free(frame, plait_carry_info(carry));
    plait_carry_free(carry);
    plait_trajectory_free(t);
}

CASE(a_guide_carries_itself)
{
    plait_trajectory *t = make(bend, true, AWAY);
    plait_carry *c = carry_of(t, 0, 1, NULL);
    plait_error error = {0};
    const plait_trajectory_info *from = plait_trajectory_get_info(t), *info = plait_carry_info(c);
    plait_trajectory_frame *g = plait_trajectory_frame_new(from), *f = plait_trajectory_frame_new(info);
    CHECK_INT(plait_trajectory_read(t, 3, g, &error), PLAIT_OK);
    CHECK_INT(plait_carry_read(c, 3, f, &error), PLAIT_OK);
    for (int k = 0; k < from->fibres; k++) {
        CHECK_INT(plait_carry_get_strands(c)->guide[4 * 5 * k], k);
        CHECK(plait_carry_get_strands(c)->weight[4 * 5 * k] > 0.999f);
        const double *x = f->position + 3 * info->first[5 * k];
        for (int p = 0; p < POINTS; p++) {
            double least = 1;
            for (int n = from->first[k]; n + 1 < from->first[k + 1]; n++) {
                const double *a = g->position + 3 * n;
                for (int q = 0; q <= 20; q++) {
                    double y[3] = {a[0] + q / 20.0 * (a[3] - a[0]), a[1] + q / 20.0 * (a[4] - a[1]),
                                   a[2] + q / 20.0 * (a[5] - a[2])};
                    least = fmin(least, distance(x + 3 * p, y));
                }
            }
            CHECK(least < 2e-4);
        }
    }
    plait_trajectory_frame_free(g, from), plait_trajectory_frame_free(f, info);
    plait_carry_free(c), plait_trajectory_free(t);
}

CASE(strands_are_pushed_out_of_bodies)
{
    const double ball[3] = {0.03, 0.025, 0.04};
    plait_trajectory *t = make(stay, true, ball);
    plait_error error = {0};
    for (int push = 0; push < 2; push++) {
        plait_carry *c = carry_of(t, 0, 1, push ? NULL : "fibres.groom.carry.push=false");
        const plait_trajectory_info *info = plait_carry_info(c);
        plait_trajectory_frame *f = plait_trajectory_frame_new(info);
        double least = 1;
        CHECK_INT(plait_carry_read(c, 2, f, &error), PLAIT_OK);
        for (int i = 0; i < info->nodes; i++)
            least = fmin(least, distance(f->position + 3 * i, ball));
        CHECK(push ? least > 0.01 : least < 0.008);
        plait_trajectory_frame_free(f, info), plait_carry_free(c);
    }
    plait_trajectory_free(t);
}

CASE(the_same_bits_for_any_threads)
{
    plait_trajectory *t = make(bend, false, AWAY);
    plait_error error = {0};
    static const char *const style = "fibres.groom.carry={strands: 6000, clump: 0.5, frizz: 2 mm}";
    plait_carry *c[2] = {carry_of(t, 0, 1, style), carry_of(t, 0, 3, style)};
    const plait_trajectory_info *info = plait_carry_info(c[0]);
    plait_trajectory_frame *f[2];
    for (int k = 0; k < 2; k++) {
        f[k] = plait_trajectory_frame_new(info);
        CHECK_INT(plait_carry_read(c[k], 2, f[k], &error), PLAIT_OK);
    }
    CHECK_INT(info->fibres, 6000);
    CHECK(memcmp(f[0]->position, f[1]->position, 3 * (size_t)info->nodes * sizeof(double)) == 0);
    CHECK(memcmp(f[0]->velocity, f[1]->velocity, 3 * (size_t)info->nodes * sizeof(double)) == 0);
    for (int k = 0; k < 2; k++)
        plait_trajectory_frame_free(f[k], info); // info is that of the first carry
    plait_carry_free(c[0]), plait_carry_free(c[1]);
    plait_trajectory_free(t);
}

// Tips of a lock come together by the share that is asked for; roots stay.
CASE(clumps_and_frizz)
{
    plait_trajectory *t = make(stay, true, AWAY);
    plait_error error = {0};
    static const char *const style[] = {NULL, "fibres.groom.carry={clump: 1, clump_size: 1 m}",
                                        "fibres.groom.carry={frizz: 3 mm}"};
    double spread[3], roots[3];
    for (int k = 0; k < 3; k++) {
        plait_carry *c = carry_of(t, 0, 1, style[k]);
        const plait_trajectory_info *info = plait_carry_info(c);
        plait_trajectory_frame *f = plait_trajectory_frame_new(info);
        CHECK_INT(plait_carry_read(c, 1, f, &error), PLAIT_OK);
        spread[k] = roots[k] = 0;
        for (int i = 0; i < info->fibres; i++) {
            const double *x = f->position + 3 * info->first[i], *tip = f->position + 3 * info->first[i + 1] - 3;
            double y[3] = {tip[0] - x[0] - 0.3 * LENGTH, tip[1] - x[1] - LENGTH * LENGTH, tip[2] - x[2] - LENGTH};
            spread[k] = fmax(spread[k], sqrt(y[0] * y[0] + y[1] * y[1] + y[2] * y[2]));
            roots[k] += x[0] + x[1];
            if (k == 1)
                CHECK(distance(tip, f->position + 3 * info->first[1] - 3) < 2e-3);
        }
        plait_trajectory_frame_free(f, info), plait_carry_free(c);
    }
    CHECK(spread[0] < 1e-7);
    CHECK(spread[1] > 0.01);
    CHECK(spread[2] > 1e-3 && spread[2] < 3.1e-3 * 1.42);
    CHECK_NEAR(roots[1], roots[0], 1e-6);
    CHECK_NEAR(roots[2], roots[0], 1e-6);
    plait_trajectory_free(t);
}

CASE(a_changed_file_is_told)
{
    plait_trajectory *t = make(stay, true, AWAY);
    plait_error error = {0};
    plait_carry_options o = plait_default_carry_options();
    FILE *f = fopen("groom.obj", "w");
    fputs("v 0 0 0\nv 0 0 0.1\nl 1 2\n", f);
    fclose(f);
    CHECK(plait_carry_new(t, &o, &error) == NULL);
    CHECK(strstr(error.text, "has changed") != NULL);
    remove("groom.obj");
    CHECK(plait_carry_new(t, &o, &error) == NULL);
    CHECK(strstr(error.text, "groom.obj") != NULL);
    plait_trajectory_free(t);
}
