// Light out of pictures, lens, shutter, alpha, the filter: against closed forms and pictures with many samples.
#include "base/rng.h"
#include "check.h"
#include "plait/plait.h"
#include "render/render.h"

static const char *const PATH = "render_light.hdr";

// A Radiance picture: grey, with one pixel of another brightness; rows packed in runs or as they are.
static void write_hdr(int width, int height, bool packed, int bright, unsigned char exponent)
{
    FILE *file = fopen(PATH, "wb");
    fprintf(file, "#?RADIANCE\nSOFTWARE=test\nFORMAT=32-bit_rle_rgbe\n\n-Y %d +X %d\n", height, width);
    for (int y = 0; y < height; y++) {
        if (packed) {
            fputc(2, file), fputc(2, file), fputc(width >> 8, file), fputc(width & 255, file);
            for (int part = 0; part < 4; part++)
                for (int x = 0; x < width; x++) {
                    fputc(1, file);
                    fputc(part < 3 ? 128 : y * width + x == bright ? exponent : 129, file);
                }
        } else {
            for (int x = 0; x < width; x++) {
                unsigned char b[4] = {128, 128, 128, y * width + x == bright ? exponent : 129};
                fwrite(b, 1, 4, file);
            }
        }
    }
    fclose(file);
}

static const plait_f3 axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};

CASE(an_even_picture_is_even_light)
{
    for (int packed = 0; packed < 2; packed++) {
        write_hdr(16, 8, packed, -1, 0);
        plait_error error = {0};
        plait_environment *e = plait_environment_read(PATH, 0.3, &error);
        if (!CHECK(e != NULL))
            return;
        CHECK_NEAR(plait_environment_mean(e), 1, 1e-5);
        plait_f3 d, light;
        CHECK(!plait_environment_draw(e, axes, 0.3f, 0.4f, &d, &light)); // nothing is brighter
        plait_rng rng = plait_rng_new(5, 1);
        for (int i = 0; i < 50; i++) {
            d = f3_unit(f3((float)plait_rng_between(&rng, -1, 1), (float)plait_rng_between(&rng, -1, 1),
                           (float)plait_rng_between(&rng, -1, 1)));
            CHECK_NEAR(plait_environment_light(e, axes, d, false).y, 1, 1e-5);
        }
        plait_environment_free(e);
    }
}

// The bright pixel's light, drawn by chance, is its brightness beyond the sky's times its solid angle, over pi.
CASE(a_lamp_is_where_the_picture_has_it)
{
    enum { W = 64, H = 32, X = 40, Y = 9 };
    write_hdr(W, H, true, Y * W + X, 137);
    plait_error error = {0};
    plait_environment *e = plait_environment_read(PATH, 0, &error);
    if (!CHECK(e != NULL))
        return;
    double pixel = 2 * M_PI / W * (cos(M_PI * Y / H) - cos(M_PI * (Y + 1) / H)), phi = M_PI * (1 - 2 * (X + 0.5) / W);
    double mean = 1 + 255 * pixel / (4 * M_PI), expected = (256 - 4 * mean) * pixel / M_PI;
    CHECK_NEAR(plait_environment_mean(e), mean, 1e-4);
    plait_rng rng = plait_rng_new(5, 2);
    for (int i = 0; i < 200; i++) {
        plait_f3 d, light;
        float a = (float)plait_rng_between(&rng, 0, 1), b = (float)plait_rng_between(&rng, 0, 1);
        if (!CHECK(plait_environment_draw(e, axes, a, b, &d, &light)))
            break;
        CHECK_NEAR(f3_norm(d), 1, 1e-5);
        CHECK_NEAR(light.y, expected, 1e-3 * expected);
        CHECK(fabs(atan2(d.y, d.x) - phi) <= M_PI / W + 1e-5 && acos(d.z) >= M_PI * Y / H - 1e-5 &&
              acos(d.z) <= M_PI * (Y + 1) / H + 1e-5);
        CHECK(plait_environment_light(e, axes, d, true).y < 4.01 * mean);
    }
    plait_environment_free(e);
}

CASE(spoilt_pictures_are_refused)
{
    static const char *const texts[] = {"",
                                        "P6\n",
                                        "#?RADIANCE\n\n-Y 4 +X 4\n",
                                        "#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n+Y 4 +X 4\n",
                                        "#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y 4 +X 0\n",
                                        "#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y 99999999 +X 4\n",
                                        "#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y 4 +X 4\nabcd"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        FILE *file = fopen(PATH, "wb");
        fputs(texts[i], file);
        fclose(file);
        plait_error error = {0};
        CHECK(plait_environment_read(PATH, 0, &error) == NULL && error.text[0]);
    }
    plait_error error = {0};
    CHECK(plait_environment_read("there_is_none.hdr", 0, &error) == NULL);
}

// ---- pictures of one ball ------------------------------------------------------------------------------------------

static plait_trajectory_info *ball_info(void)
{
    plait_trajectory_info *i = calloc(1, sizeof *i);
    i->fibres = 1, i->nodes = 2, i->groups = i->materials = i->colliders = 1;
    i->scene = calloc(1, 1);
    i->first = calloc(2, sizeof *i->first);
    i->first[1] = 2;
    i->radius = calloc(1, sizeof *i->radius);
    i->radius[0] = 1e-3;
    i->group = calloc(1, sizeof *i->group);
    i->material = calloc(1, sizeof *i->material);
    i->group_name = calloc(1, sizeof *i->group_name);
    i->material_name = calloc(1, sizeof *i->material_name);
    snprintf(i->material_name[0], PLAIT_NAME, "cord");
    i->collider = calloc(1, sizeof *i->collider);
    i->collider[0].shape.kind = PLAIT_SHAPE_SPHERE;
    i->collider[0].shape.size[0] = 0.5;
    return i;
}

static plait_trajectory_frame *ball_frame(const plait_trajectory_info *info, double x)
{
    plait_trajectory_frame *f = plait_trajectory_frame_new(info);
    f->collider_pose[0] = x;
    f->collider_pose[6] = 1;
    f->position[0] = f->position[3] = x;
    f->position[3] += 0.01;
    return f;
}

enum { SIDE = 96 };
static plait_render_options straight(int samples)
{
    plait_render_options o = plait_default_render();
    o.width = o.height = SIDE;
    o.samples = samples;
    o.threads = 1;
    o.ground = false;
    o.camera = (plait_camera){.eye = {0, -4, 0}, .up = {0, 0, 1}, .fov = 0.7};
    return o;
}

// rgba: [4 SIDE SIDE], linear: [3 SIDE SIDE]; either may be NULL
static void take(const plait_trajectory_info *info, plait_render_options o, const plait_trajectory_frame *a,
                 const plait_trajectory_frame *b, float *rgba, float *linear)
{
    plait_error error = {0};
    plait_render *r = plait_render_new(info, &o, &error);
    plait_render_picture out = {.rgba = rgba, .linear = linear};
    bool ok =
        r && plait_render_look(r, a, &error) == PLAIT_OK && plait_render_draw(r, a, b, &out, NULL, &error) == PLAIT_OK;
    if (!CHECK(ok))
        printf("%s\n", error.text);
    plait_render_free(r);
}

typedef struct covered {
    double all, part; // [pixels] of cover; number of pixels that are covered in part
    double low, high; // columns
} covered;

static covered measure(const float *rgba)
{
    covered c = {.low = SIDE};
    for (int i = 0; i < SIDE * SIDE; i++) {
        float a = rgba[4 * i + 3];
        c.all += a;
        c.part += a > 0.01f && a < 0.99f;
        if (a > 0.01f) {
            c.low = fmin(c.low, i % SIDE);
            c.high = fmax(c.high, i % SIDE);
        }
    }
    return c;
}

CASE(alpha_lens_shutter)
{
    static float rgba[4 * SIDE * SIDE];
    plait_trajectory_info *info = ball_info();
    plait_trajectory_frame *a = ball_frame(info, 0), *b = ball_frame(info, 0.6);
    plait_render_options o = straight(64);
    // Seen from 4 m a ball of 0.5 m covers a disc of tan(asin(1/8)).
    double scale = SIDE / (2 * tan(0.35)), radius = scale * tan(asin(0.125)), disc = M_PI * radius * radius;
    take(info, o, a, NULL, rgba, NULL);
    covered sharp = measure(rgba);
    CHECK_NEAR(sharp.all, disc, 0.01 * disc);
    for (int i = 0; i < SIDE * SIDE; i++)
        CHECK(rgba[4 * i + 3] > 0 || (rgba[4 * i] == 0 && rgba[4 * i + 1] == 0 && rgba[4 * i + 2] == 0));
    // In focus the edge stays; out of focus it is as wide as the lens looks from there: 2 R |1 - 4 / 8| / 4 at 4 m.
    o.aperture = 0.2;
    o.focus = 4;
    take(info, o, a, NULL, rgba, NULL);
    CHECK(measure(rgba).part < 1.6 * sharp.part);
    o.focus = 8;
    take(info, o, a, NULL, rgba, NULL);
    covered soft = measure(rgba);
    CHECK_NEAR(soft.all, disc, 0.02 * disc);
    double wide = scale * 2 * 0.2 * 0.5 / 4, ring = 2 * M_PI * radius * wide;
    CHECK(soft.part > 0.7 * ring && soft.part < 1.5 * ring);
    // Half of the way of 0.6 m while the shutter is open; the ball's cover is the same in all.
    o.aperture = o.focus = 0;
    o.shutter = 0.5;
    take(info, o, a, b, rgba, NULL);
    covered moved = measure(rgba);
    CHECK_NEAR(moved.low, sharp.low, 2.1);
    CHECK_NEAR(moved.high, sharp.high + scale * 0.3 / 4, 3);
    CHECK_NEAR(moved.all, disc, 0.02 * disc);
    take(info, o, a, NULL, rgba, NULL);
    CHECK_NEAR(measure(rgba).all, sharp.all, 1e-9);
    plait_trajectory_frame_free(a, info);
    plait_trajectory_frame_free(b, info);
    plait_trajectory_info_free(info);
}

static double error_of(const float *x, const float *y)
{
    double sum = 0;
    for (int i = 0; i < 3 * SIDE * SIDE; i++)
        sum += (x[i] - y[i]) * (x[i] - y[i]);
    return sum;
}

CASE(filter_comes_nearer_to_the_truth)
{
    static float truth[3 * SIDE * SIDE], rough[3 * SIDE * SIDE], smooth[3 * SIDE * SIDE], again[3 * SIDE * SIDE];
    plait_trajectory_info *info = ball_info();
    plait_trajectory_frame *a = ball_frame(info, 0);
    write_hdr(64, 32, true, 9 * 64 + 40, 137);
    plait_render_options o = straight(512);
    o.environment = PATH;
    o.ground = true;
    take(info, o, a, NULL, NULL, truth);
    o.samples = 8;
    take(info, o, a, NULL, NULL, rough);
    o.denoise = true;
    take(info, o, a, NULL, NULL, smooth);
    o.threads = 2;
    take(info, o, a, NULL, NULL, again);
    CHECK(memcmp(smooth, again, sizeof again) == 0);
    CHECK(error_of(smooth, truth) < 0.5 * error_of(rough, truth));
    printf("noise: %.3g without the filter, %.3g with it\n", error_of(rough, truth), error_of(smooth, truth));
    plait_trajectory_frame_free(a, info);
    plait_trajectory_info_free(info);
}

// Header, table of lines and the first pixel, read as the format's description tells.
CASE(exr_files)
{
    float x[4 * 6] = {0.5f, 0.25f, 0.125f, 1, 7};
    plait_error error = {0};
    CHECK_INT(plait_exr_write("render_light.exr", 3, 2, x, &error), PLAIT_OK);
    CHECK_INT(plait_exr_write("no/such/folder/a.exr", 3, 2, x, &error), PLAIT_BAD_FILE);
    CHECK_INT(plait_exr_write("render_light.exr", 0, 2, x, &error), PLAIT_BAD_INPUT);
    unsigned char byte[2048];
    FILE *file = fopen("render_light.exr", "rb");
    size_t size = fread(byte, 1, sizeof byte, file);
    fclose(file);
    CHECK(size > 100 && memcmp(byte, "\x76\x2f\x31\x01\x02\0\0\0", 8) == 0);
    size_t at = 8;
    while (byte[at]) { // name, type, size, value
        at += strlen((char *)byte + at) + 1;
        at += strlen((char *)byte + at) + 1;
        at += 4 + byte[at];
    }
    at++;
    uint64_t line = byte[at] + 256u * byte[at + 1];
    CHECK_INT((int)line, (int)(at + 16));
    CHECK_INT((int)size, (int)(line + 2 * (8 + 16 * 3)));
    float first[12];
    memcpy(first, byte + line + 8, sizeof first);
    CHECK(first[0] == 1 && first[3] == 0.125f && first[6] == 0.25f && first[9] == 0.5f && first[10] == 7);
}
