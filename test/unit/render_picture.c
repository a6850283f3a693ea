// Pictures: the right pixels, a camera that sees everything, the same bits for any number of threads, no NaN.
#include <png.h>

#include "base/rng.h"
#include "check.h"
#include "plait/plait.h"

// A trajectory made up: fibres of equal length, one ball. Nothing to free but what _free does.
typedef struct world {
    plait_trajectory_info *info;
    plait_trajectory_frame *frame;
} world;

static void *take(size_t count, size_t size)
{
    void *p = calloc(count ? count : 1, size);
    if (!p)
        abort();
    return p;
}

static world world_new(int fibres, int nodes, double radius, const char *material, double ball)
{
    plait_trajectory_info *i = take(1, sizeof *i);
    i->fibres = fibres;
    i->nodes = fibres * nodes;
    i->groups = i->materials = i->colliders = 1;
    i->scene = take(1, 1);
    i->first = take((size_t)fibres + 1, sizeof *i->first);
    i->radius = take((size_t)fibres, sizeof *i->radius);
    i->group = take((size_t)fibres, sizeof *i->group);
    i->material = take((size_t)fibres, sizeof *i->material);
    i->group_name = take(1, sizeof *i->group_name);
    i->material_name = take(1, sizeof *i->material_name);
    i->collider = take(1, sizeof *i->collider);
    snprintf(i->material_name[0], PLAIT_NAME, "%s", material);
    i->collider[0].shape.kind = ball > 0 ? PLAIT_SHAPE_SPHERE : PLAIT_SHAPE_NONE;
    i->collider[0].shape.size[0] = ball;
    i->stored.contacts = true;
    for (int k = 0; k < fibres; k++) {
        i->first[k + 1] = nodes * (k + 1);
        i->radius[k] = radius;
    }
    world w = {i, plait_trajectory_frame_new(i)};
    if (!w.frame)
        abort();
    w.frame->collider_pose[6] = 1;
    return w;
}

static void world_free(world *w)
{
    plait_trajectory_frame_free(w->frame, w->info);
    plait_trajectory_info_free(w->info);
}

static void curl(world *w, plait_rng *rng, double size)
{
    for (int i = 0; i < w->info->fibres; i++) {
        double root[3], turn = plait_rng_between(rng, 0, 6);
        for (int k = 0; k < 3; k++)
            root[k] = size * plait_rng_between(rng, -1, 1);
        for (int n = w->info->first[i]; n < w->info->first[i + 1]; n++) {
            double s = n - w->info->first[i];
            w->frame->position[3 * n] = root[0] + 0.1 * size * cos(0.5 * s + turn);
            w->frame->position[3 * n + 1] = root[1] + 0.1 * size * sin(0.5 * s + turn);
            w->frame->position[3 * n + 2] = root[2] - 0.05 * size * s;
        }
    }
}

static float *draw(const world *w, const plait_render_options *options, plait_render_report *report)
{
    plait_error error = {0};
    float *linear = take(3 * (size_t)options->width * (size_t)options->height, sizeof *linear);
    plait_render *r = plait_render_new(w->info, options, &error);
    bool ok = r && plait_render_look(r, w->frame, &error) == PLAIT_OK &&
              plait_render_frame(r, w->frame, linear, NULL, report, &error) == PLAIT_OK;
    if (!CHECK(ok))
        printf("%s\n", error.text);
    plait_render_free(r);
    return linear;
}

static plait_render_options small(void)
{
    plait_render_options o = plait_default_render();
    o.width = 160;
    o.height = 120;
    o.samples = 4;
    o.threads = 1;
    return o;
}

CASE(ball_covers_its_pixels)
{
    // A ball of radius 0.5 at distance 4, a little to the left and above the middle.
    world with = world_new(1, 2, 1e-3, "cord", 0.5), without = world_new(1, 2, 1e-3, "cord", 0);
    double centre[3] = {-0.6, 0, 0.4};
    for (int k = 0; k < 3; k++) {
        with.frame->collider_pose[k] = centre[k];
        for (int n = 0; n < 2; n++)
            with.frame->position[3 * n + k] = without.frame->position[3 * n + k] = centre[k] + 0.01 * n;
    }
    without.frame->position[1] = without.frame->position[4] = 100; // behind: out of sight
    plait_render_options o = small();
    o.width = 200, o.height = 150;
    o.ground = false;
    o.camera = (plait_camera){.eye = {0, -4, 0}, .up = {0, 0, 1}, .fov = 0.7};
    float *a = draw(&with, &o, NULL);
    without.frame->position[0] = without.frame->position[3] = 100;
    float *b = draw(&without, &o, NULL);
    double wrong = 0, covered = 0;
    for (int y = 0; y < o.height; y++)
        for (int x = 0; x < o.width; x++) {
            // The ray through the middle of the pixel, and how near it comes to the ball's middle.
            double k = tan(o.camera.fov / 2), dx = (2 * (x + 0.5) / o.width - 1) * k * o.width / o.height;
            double dz = (1 - 2 * (y + 0.5) / o.height) * k, n = sqrt(dx * dx + 1 + dz * dz);
            double p[3] = {centre[0], centre[1] + 4, centre[2]}, t = (p[0] * dx + p[1] + p[2] * dz) / n;
            double away = sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2] - t * t);
            const float *u = a + 3 * (y * o.width + x), *v = b + 3 * (y * o.width + x);
            bool differs = fabsf(u[0] - v[0]) + fabsf(u[1] - v[1]) + fabsf(u[2] - v[2]) > 0.01f;
            covered += differs;
            if (fabs(away - 0.5) > 0.03) // a pixel of distance from the edge
                wrong += differs != (away < 0.5);
        }
    CHECK_INT((int)wrong, 0);
    CHECK(covered > 1000);
    double pixel[2];
    CHECK(plait_camera_project(&o.camera, o.width, o.height, centre, pixel));
    CHECK_NEAR(pixel[0], 100 - 0.6 / 4 / tan(0.35) * 75, 1e-9);
    CHECK_NEAR(pixel[1], 75 - 0.4 / 4 / tan(0.35) * 75, 1e-9);
    CHECK(!plait_camera_project(&o.camera, o.width, o.height, (double[3]){0, -5, 0}, pixel));
    free(a);
    free(b);
    world_free(&with);
    world_free(&without);
}

CASE(camera_sees_everything)
{
    static const int sizes[][2] = {{1280, 720}, {300, 900}, {64, 64}};
    for (int round = 0; round < 12; round++) {
        plait_rng rng = plait_rng_new(7, (uint64_t)round);
        world w = world_new(20, 12, 1e-3, round % 2 ? "hair" : "cord", 0);
        plait_render_options o = plait_default_render();
        o.width = sizes[round % 3][0], o.height = sizes[round % 3][1];
        if (round >= 6) {
            o.azimuth = plait_rng_between(&rng, -3, 3);
            o.elevation = plait_rng_between(&rng, -1, 1);
            o.up[round % 3] = 1;
        }
        plait_render *r = plait_render_new(w.info, &o, NULL);
        double size = pow(10, plait_rng_between(&rng, -1, 3)), low[2] = {INFINITY, INFINITY}, high[2] = {0, 0};
        plait_rng again = rng;
        for (int f = 0; f < 3; f++) { // several frames, one camera
            curl(&w, &rng, size * (f + 1));
            CHECK(plait_render_look(r, w.frame, NULL) == PLAIT_OK);
        }
        plait_camera c = plait_render_camera(r);
        for (int f = 0; f < 3; f++) {
            curl(&w, &again, size * (f + 1));
            for (int n = 0; n < w.info->nodes; n++) {
                double p[2];
                CHECK(plait_camera_project(&c, o.width, o.height, w.frame->position + 3 * n, p));
                for (int k = 0; k < 2; k++)
                    low[k] = fmin(low[k], p[k]), high[k] = fmax(high[k], p[k]);
            }
        }
        CHECK(low[0] >= 0 && low[1] >= 0 && high[0] <= o.width && high[1] <= o.height);
        // One way or the other the picture is filled.
        CHECK(fmax((high[0] - low[0]) / o.width, (high[1] - low[1]) / o.height) > 0.75);
        plait_render_free(r);
        world_free(&w);
    }
}

CASE(same_bits_for_any_threads)
{
    plait_rng rng = plait_rng_new(3, 0);
    world w = world_new(30, 10, 1e-4, "hair", 0.05);
    curl(&w, &rng, 0.1);
    plait_render_options o = small();
    plait_render_report report;
    float *one = draw(&w, &o, &report);
    size_t bytes = 3 * (size_t)o.width * (size_t)o.height * sizeof *one;
    CHECK(report.strands >= 30 * 2); // children
    CHECK(!report.stopped);
    for (int threads = 2; threads <= 3; threads++) {
        o.threads = threads;
        float *other = draw(&w, &o, NULL);
        CHECK(memcmp(one, other, bytes) == 0);
        free(other);
    }
    free(one);
    world_free(&w);
}

CASE(finite_and_bounded)
{
    static const plait_render_style styles[] = {PLAIT_RENDER_HAIR, PLAIT_RENDER_PLAIN, PLAIT_RENDER_CONTACTS};
    for (int round = 0; round < 6; round++) {
        plait_rng rng = plait_rng_new(5, (uint64_t)round);
        world w = world_new(8, 6, 1e-3, "cord", 0.03);
        curl(&w, &rng, 0.1);
        if (round >= 3) // fibres without any length, and one that turns back on itself
            for (int n = 0; n < 18; n++)
                for (int k = 0; k < 3; k++)
                    w.frame->position[3 * n + k] = n < 12 ? 0.1 : 0.05 * (n % 2);
        plait_render_options o = small();
        o.style = styles[round % 3];
        float *x = draw(&w, &o, NULL);
        double bad = 0, sum = 0;
        for (int i = 0; i < 3 * o.width * o.height; i++) {
            bad += !(x[i] >= 0 && x[i] <= 6.5f);
            sum += x[i];
        }
        CHECK(bad == 0);
        CHECK(sum > 0);
        free(x);
        world_free(&w);
    }
}

static bool stop(double part, void *data)
{
    *(double *)data = part;
    return false;
}

CASE(refusals)
{
    world w = world_new(2, 3, 1e-3, "cord", 0);
    plait_rng rng = plait_rng_new(1, 0);
    curl(&w, &rng, 0.1);
    plait_error error = {0};
    plait_render_options o = small();
    float *x = take(3 * (size_t)o.width * (size_t)o.height, sizeof *x);
    const plait_render_options good = o;
    for (int i = 0; i < 6; i++) {
        o = good;
        o.width = i == 0 ? 0 : o.width;
        o.samples = i == 1 ? 0 : o.samples;
        o.zoom = i == 2 ? -1 : o.zoom;
        o.thickness = i == 3 ? NAN : o.thickness;
        o.fov = i == 4 ? 3.2 : o.fov;
        o.camera.fov = i == 5 ? 0.5 : 0; // eye = target
        error = (plait_error){0};
        CHECK(!plait_render_new(w.info, &o, &error));
        CHECK_INT(error.status, PLAIT_BAD_INPUT);
    }
    o = good;
    double part = 0;
    o.progress = stop;
    o.data = &part;
    plait_render *r = plait_render_new(w.info, &o, &error);
    CHECK_INT(plait_render_frame(r, w.frame, x, NULL, NULL, &error), PLAIT_BAD_INPUT); // no look before
    CHECK_INT(plait_render_look(r, w.frame, &error), PLAIT_OK);
    plait_render_report report;
    CHECK_INT(plait_render_frame(r, w.frame, x, NULL, &report, &error), PLAIT_OK);
    CHECK(report.stopped && part > 0 && part < 1);
    w.frame->position[4] = NAN;
    CHECK_INT(plait_render_look(r, w.frame, &error), PLAIT_BAD_INPUT);
    CHECK_INT(plait_render_frame(r, w.frame, x, NULL, NULL, &error), PLAIT_BAD_INPUT);
    plait_render_free(r);
    w.frame->position[4] = 0;
    w.info->stored.contacts = false;
    o.style = PLAIT_RENDER_CONTACTS;
    r = plait_render_new(w.info, &o, &error);
    CHECK_INT(plait_render_look(r, w.frame, &error), PLAIT_OK);
    CHECK_INT(plait_render_frame(r, w.frame, x, NULL, NULL, &error), PLAIT_BAD_INPUT);
    CHECK(strstr(error.text, "contacts") != NULL);
    plait_render_free(r);
    free(x);
    world_free(&w);
}

CASE(contacts_are_told_apart)
{
    world w = world_new(2, 3, 1e-3, "cord", 0);
    plait_rng rng = plait_rng_new(1, 0);
    curl(&w, &rng, 0.1);
    plait_sim_contact c[4] = {
        {.normal = {0, 0, 1}, .mu = 0.5},                                                  // open
        {.normal = {0, 0, 1}, .mu = 0.5, .impulse = {0.1, 0, 1}, .velocity = {0, 0, 0}},
        {.normal = {0, 0, 1}, .mu = 0.5, .impulse = {0, -1, 2}, .velocity = {0, 0.3, 0}},
        {.normal = {1, 0, 0}, .mu = 0, .impulse = {0.5, 0, 0}, .velocity = {0, 0.01, 0}}}; // without friction
    c[1].state = PLAIT_CONTACT_STICKS, c[2].state = c[3].state = PLAIT_CONTACT_SLIDES;
    w.frame->contacts = 4;
    w.frame->contact = take(4, sizeof *c);
    memcpy(w.frame->contact, c, sizeof c);
    plait_render_options o = small();
    o.style = PLAIT_RENDER_CONTACTS;
    plait_render_report r;
    float *x = draw(&w, &o, &r);
    CHECK_INT(r.contacts, 4);
    CHECK_INT(r.open, 1);
    CHECK_INT(r.sticking, 1);
    CHECK_INT(r.sliding, 2);
    CHECK_REL(r.largest, sqrt(5), 1e-12);
    w.frame->contacts = 0;
    float *y = draw(&w, &o, &r);
    CHECK(memcmp(x, y, 3 * (size_t)o.width * (size_t)o.height * sizeof *x) != 0); // they are seen
    free(x);
    free(y);
    world_free(&w);
}

CASE(up_is_against_gravity)
{
    world w = world_new(4, 5, 1e-3, "cord", 0);
    plait_rng rng = plait_rng_new(1, 0);
    curl(&w, &rng, 0.1);
    static const struct {
        const char *scene;
        double up[3];
    } tries[] = {{"", {0, 0, 1}},
                 {"title: x\ngravity: [0, -9.81 m/s^2, 0]\n", {0, 1, 0}},
                 {"gravity: [2, 0, 0]\nname: y\n", {-1, 0, 0}},
                 {"gravity: [0, 0, 0]\n", {0, 0, 1}},
                 {"gravity: down\n", {0, 0, 1}}};
    for (size_t i = 0; i < sizeof tries / sizeof *tries; i++) {
        free(w.info->scene);
        w.info->scene = take(strlen(tries[i].scene) + 1, 1);
        strcpy(w.info->scene, tries[i].scene);
        plait_render_options o = small();
        plait_render *r = plait_render_new(w.info, &o, NULL);
        CHECK(plait_render_look(r, w.frame, NULL) == PLAIT_OK);
        plait_camera c = plait_render_camera(r);
        for (int k = 0; k < 3; k++)
            CHECK_NEAR(c.up[k], tries[i].up[k], 1e-12);
        plait_render_free(r);
    }
    world_free(&w);
}

CASE(png_files)
{
    enum { W = 37, H = 11 };
    unsigned char rgb[3 * W * H], back[3 * W * H];
    for (int i = 0; i < 3 * W * H; i++)
        rgb[i] = (unsigned char)(i * 7);
    plait_error error = {0};
    CHECK_INT(plait_png_write("a.png", W, H, rgb, &error), PLAIT_OK);
    png_image image = {.version = PNG_IMAGE_VERSION};
    CHECK(png_image_begin_read_from_file(&image, "a.png"));
    CHECK_INT(image.width, W);
    CHECK_INT(image.height, H);
    image.format = PNG_FORMAT_RGB;
    CHECK(png_image_finish_read(&image, NULL, back, 0, NULL));
    CHECK(memcmp(rgb, back, sizeof rgb) == 0);
    remove("a.png");
    CHECK_INT(plait_png_write("no/such/folder/a.png", W, H, rgb, &error), PLAIT_BAD_FILE);
    CHECK(strstr(error.text, "no/such/folder/a.png") != NULL);
    CHECK_INT(plait_png_write("a.png", 0, H, rgb, &error), PLAIT_BAD_INPUT);
}
