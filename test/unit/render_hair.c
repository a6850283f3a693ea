// How hair scatters light: never more than it gets, never NaN.
#include "check.h"
#include "render/render.h"

static plait_f3 direction(double z, double phi)
{
    double r = sqrt(fmax(0, 1 - z * z));
    return f3((float)(r * cos(phi)), (float)(r * sin(phi)), (float)z);
}

// All that is scattered to the eye under a sky that is 1 everywhere: fine, since the highlights are narrow.
static plait_f3 furnace(plait_f3 colour, float tilt, plait_f3 eye)
{
    enum { ROWS = 400, COLUMNS = 160 };
    plait_f3 tangent = f3(0, 0, 1);
    double sum[3] = {0};
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < COLUMNS; j++) {
            plait_f3 light = direction(-1 + (2 * i + 1.0) / ROWS, 2 * M_PI * (j + 0.5) / COLUMNS);
            plait_f3 s = plait_hair_scatter(colour, tilt, tangent, eye, light);
            sum[0] += s.x, sum[1] += s.y, sum[2] += s.z;
        }
    double area = 4 * M_PI / (ROWS * COLUMNS);
    return f3((float)(area * sum[0]), (float)(area * sum[1]), (float)(area * sum[2]));
}

static const plait_f3 colours[] = {{1, 1, 1}, {0.66f, 0.43f, 0.19f}, {0.25f, 0.1f, 0.04f}, {0, 0, 0}};
enum { COLOURS = sizeof colours / sizeof *colours };

CASE(no_more_light_than_comes)
{
    for (int c = 0; c < COLOURS; c++)
        for (int k = 0; k <= 20; k++) {
            plait_f3 all = furnace(colours[c], -0.1f, direction(-1 + 0.1 * k, 0.3));
            CHECK(all.x <= 1 && all.y <= 1 && all.z <= 1);
            CHECK(all.x > 0.01);
            CHECK(all.x >= all.y - 1e-6 && all.y >= all.z - 1e-6); // as the colours are
        }
}

CASE(white_hair_keeps_most_of_it)
{
    plait_f3 white = furnace(f3_grey(1), -0.1f, f3(1, 0, 0)), black = furnace(f3_grey(0), -0.1f, f3(1, 0, 0));
    CHECK(white.x > 0.85);
    CHECK(black.x < 0.12); // the first highlight has no colour
}

CASE(rough_albedo_is_near)
{
    for (int c = 0; c < COLOURS; c++) {
        plait_f3 exact = furnace(colours[c], -0.1f, f3(1, 0, 0)), rough = plait_hair_albedo(colours[c]);
        CHECK_NEAR(rough.x, exact.x, 0.3); // light from everywhere comes through other hair as well: less of TT
        CHECK(rough.x <= exact.x + 0.05);
        plait_f3 through = plait_hair_through(colours[c]);
        CHECK(through.x >= 0 && through.x < 1 && through.y < 1 && through.z < 1);
    }
}

CASE(two_highlights)
{
    // Light and eye in one plane with the hair: R is tilted towards the root, TRT the other way. Black hair has R alone.
    plait_f3 eye = f3(1, 0, 0), tangent = f3(0, 0, 1);
    double best_black = -1, best_red = -1, at_black = 0, at_red = 0;
    for (double t = -0.8; t <= 0.8; t += 0.01) {
        plait_f3 light = f3((float)cos(t), 0, (float)sin(t));
        double black = plait_hair_scatter(f3_grey(0), -0.1f, tangent, eye, light).x;
        plait_f3 s = plait_hair_scatter(f3(0.9f, 0, 0), -0.1f, tangent, eye, light);
        double coloured = s.x - s.y; // without R
        if (black > best_black)
            best_black = black, at_black = t;
        if (coloured > best_red)
            best_red = coloured, at_red = t;
    }
    CHECK_NEAR(at_black, -0.2, 0.05); // 2 tilt
    CHECK(at_red > 0.05);
    // Through the hair: brightest with the light behind.
    plait_f3 front = plait_hair_scatter(f3_grey(0.8f), -0.1f, tangent, eye, f3_unit(f3(1, 0, 0.1f)));
    plait_f3 back = plait_hair_scatter(f3_grey(0.8f), -0.1f, tangent, eye, f3_unit(f3(-1, 0, 0.1f)));
    CHECK(back.x > 2 * front.x);
}

// Of black hair only what its surface reflects is seen. Seen along the hair (within 30 degrees) that is little, wherever
// the lamp is: a strand that points at the eye does not flash.
CASE(no_flash_along_the_hair)
{
    double most = 0;
    for (int i = 0; i < 10; i++)
        for (int j = 0; j < 200; j++)
            for (int k = 0; k < 36; k++) {
                plait_f3 eye = direction(1 - 0.0148 * i, 0.4), light = direction(-1 + 0.01 * j, 2 * M_PI * k / 36);
                most = fmax(most, plait_hair_scatter(f3_grey(0), -0.1f, f3(0, 0, 1), eye, light).x);
            }
    CHECK(M_PI * most < 0.4); // of a white wall that faces the lamp
    CHECK(M_PI * most > 0.01);
}

CASE(always_finite)
{
    const plait_f3 d[] = {{0, 0, 1},       {0, 0, -1},        {1, 0, 0},    {0, -1, 0},
                          {0.6f, 0, 0.8f}, {-0.6f, 0, -0.8f}, {1e-5f, 0, 1}};
    enum { N = sizeof d / sizeof *d };
    for (int c = 0; c < COLOURS; c++)
        for (int i = 0; i < N * N * N; i++) {
            plait_f3 s = plait_hair_scatter(colours[c], -0.1f, d[i % N], d[i / N % N], d[i / N / N]);
            CHECK(isfinite(s.x) && isfinite(s.y) && isfinite(s.z) && s.x >= 0 && s.y >= 0 && s.z >= 0);
        }
}
