// maps.c: what a mesh says of its corners, in every format that can say it; and maps from root to root by closed forms.
#include <stdlib.h>

#include "file/mesh.h"
#include "file/picture.h"
#include "plait/carry.h"
#include "render/render.h"
#include "scene_start.h"

static void write_text(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    fputs(text, file);
    fclose(file);
}

// The numbers of all corners of a file with one quadrangle, by the place of its vertex: it is the unit square.
static void check_square(const char *path, const char *wish, int width, const double expected[4][4])
{
    static const double w[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    plait_mesh_map map = {.wish = wish, .width = width};
    plait_shape shape = {0};
    plait_error error = {0};
    CHECK_INT(plait_mesh_read_map(path, &map, &error), PLAIT_OK);
    CHECK_INT(plait_mesh_read(path, &shape, &error), PLAIT_OK);
    CHECK(map.found);
    CHECK_INT(map.triangles, shape.triangles);
    for (int t = 0; t < map.triangles; t++)
        for (int k = 0; k < 3; k++) {
            const int *corner = shape.triangle + 3 * t;
            const double *x = shape.point + 3 * corner[k];
            int at = x[1] < 0.5 ? x[0] > 0.5 : 3 - (x[0] > 0.5);
            double value[4];
            CHECK(plait_mesh_map_at(&map, t, corner, w[k], value));
            for (int c = 0; c < width; c++)
                CHECK_NEAR(value[c], expected[at][c], 1e-6);
        }
    free(shape.point), free(shape.triangle), free(shape.frame);
    plait_mesh_map_free(&map);
}

static const double UV[4][4] = {{0.1, 0.2}, {0.9, 0.2}, {0.9, 0.7}, {0.1, 0.7}};
static const double STIFF[4][4] = {{1}, {2}, {3}, {4}};
static const double COLOUR[4][4] = {{0, 0.2, 1}, {0.2, 0.4, 0}, {0.4, 0.6, 0}, {0.6, 0.8, 0}};

CASE(corners_of_obj)
{
    write_text("square.obj", "vt .9 .7\nvt .1 .7 0\nvt .1 .2\nv 0 0 0 0 .2 1\nv 1 0 0 .2 .4 0\nv 1 1 0 .4 .6 0\n"
                             "v 0 1 0 .6 .8 0\nvt .9 .2\nf 1/3/1 2/-1 3/1 -1/2\n");
    check_square("square.obj", NULL, 2, UV);
    check_square("square.obj", "color", 3, COLOUR);
    plait_mesh_map map = {.width = 2};
    plait_error error = {0};
    write_text("bare.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    CHECK_INT(plait_mesh_read_map("bare.obj", &map, &error), PLAIT_OK);
    CHECK(!map.found);
    plait_mesh_map_free(&map);
}

CASE(corners_of_ply)
{
    write_text("square.ply",
               "ply\nformat ascii 1.0\nelement vertex 4\nproperty float x\nproperty float y\nproperty float z\n"
               "property float s\nproperty float t\nproperty float stiff\nproperty uchar red\nproperty uchar "
               "green\nproperty uchar blue\nelement face 1\nproperty list uchar int vertex_indices\nend_header\n"
               "0 0 0 .1 .2 1 0 51 255\n1 0 0 .9 .2 2 51 102 0\n1 1 0 .9 .7 3 102 153 0\n"
               "0 1 0 .1 .7 4 153 204 0\n4 0 1 2 3\n");
    check_square("square.ply", NULL, 2, UV);
    check_square("square.ply", "stiff", 1, STIFF);
    check_square("square.ply", "color", 3, COLOUR);
}

CASE(corners_of_usd)
{
    const char *head = "#usda 1.0\ndef Mesh \"m\" {\n int[] faceVertexCounts = [3, 3]\n"
                       " int[] faceVertexIndices = [0, 1, 2, 0, 2, 3]\n"
                       " point3f[] points = [(0,0,0), (1,0,0), (1,1,0), (0,1,0)]\n";
    char text[2000];
    snprintf(text, sizeof text,
             "%s float[] primvars:stiff = [1, 2, 3, 4] ( interpolation = \"vertex\" )\n"
             " texCoord2f[] primvars:UVMap = [(.9,.7), (.1,.7), (.1,.2), (.9,.2)] ( interpolation = \"faceVarying\" )\n"
             " int[] primvars:UVMap:indices = [2, 3, 0, 2, 0, 1]\n"
             " color3f[] primvars:displayColor = [(0,.2,1), (.2,.4,0), (.4,.6,0), (0,.2,1), (.4,.6,0), (.6,.8,0)]\n}\n",
             head);
    write_text("square.usda", text);
    check_square("square.usda", NULL, 2, UV);
    check_square("square.usda", "stiff", 1, STIFF);
    check_square("square.usda", "color", 3, COLOUR);
    snprintf(text, sizeof text, "%s float[] primvars:stiff = [5, 6]\n}\n", head); // of faces
    write_text("faces.usda", text);
    plait_mesh_map map = {.wish = "stiff", .width = 1};
    plait_error error = {0};
    CHECK_INT(plait_mesh_read_map("faces.usda", &map, &error), PLAIT_OK);
    for (int i = 0; i < 6; i++)
        CHECK_NEAR(map.value[i], i < 3 ? 5 : 6, 0);
    plait_mesh_map_free(&map);
}

// ---- pictures ----------------------------------------------------------------------------------------------------

// Red goes from 0 to 1 along u, green along v, blue is 1 in the lowest row.
static void write_ramps(const char *path, int size)
{
    unsigned char *rgb = malloc(3 * (size_t)size * (size_t)size);
    plait_error error = {0};
    for (int y = 0; y < size; y++)
        for (int x = 0; x < size; x++) {
            rgb[3 * (y * size + x)] = (unsigned char)lrint(255.0 * x / (size - 1));
            rgb[3 * (y * size + x) + 1] = (unsigned char)lrint(255.0 * (size - 1 - y) / (size - 1));
            rgb[3 * (y * size + x) + 2] = y == size - 1 ? 255 : 0;
        }
    CHECK_INT(plait_png_write(path, size, size, rgb, &error), PLAIT_OK);
    free(rgb);
}

CASE(pictures)
{
    plait_picture p;
    plait_error error = {0};
    write_ramps("ramps.png", 52);
    CHECK_INT(plait_picture_read("ramps.png", &p, &error), PLAIT_OK);
    CHECK_INT(p.width, 52);
    for (int i = 0; i <= 40; i++) {
        double u = i / 40.0, ramp = fmin(fmax((52 * u - 0.5) / 51, 0), 1);
        CHECK_NEAR(plait_picture_at(&p, u, 0.3, 0), ramp, 1e-6); // 255 / 51 is whole: nothing is rounded
        CHECK_NEAR(plait_picture_at(&p, 0.3, u, 1), ramp, 1e-6);
        CHECK_NEAR(plait_picture_at(&p, u + 3, 0.3, 0), i == 40 ? 0 : ramp, 1e-6); // repeated
    }
    CHECK_NEAR(plait_picture_at(&p, 0.5, 0, 2), 1, 1e-6);
    CHECK_NEAR(plait_picture_at(&p, 0.5, 1, 2), 0, 1e-6);
    CHECK_NEAR(plait_picture_at(&p, 0.5, 1, 3), 1, 1e-6);
    plait_picture_free(&p);
    write_text("no.png", "\x89PNG\r\n\x1a\n but not really");
    CHECK_INT(plait_picture_read("no.png", &p, &error), PLAIT_BAD_FILE);
    plait_picture_free(&p);
    CHECK_INT(plait_picture_read("square.obj", &p, &error), PLAIT_BAD_FILE);
    plait_picture_free(&p);
}

// ---- closed forms ------------------------------------------------------------------------------------------------

#define HEAD                                                                                                           \
    "materials: {hair: {radius: 50 um, density: 1.3 g/cm^3, young: 4 GPa}, skin: {}}\n"                                \
    "colliders: {skin: {material: skin, shape: mesh, file: square.obj, position: [0, 0, -1 cm]}}\n"
#define FIBRE                                                                                                          \
    "fibres:\n  a:\n    material: hair\n    segments: 20\n    ends: {root: clamped, attach: skin, bind: cell}\n"

// A clamped rod sags by q L^4 / (8 EI): half as far where the map says twice as stiff, twice as far with twice the
// mass.
CASE(stiffness_and_mass)
{
    write_text("vertices.csv", "1\n2\n2\n1\n");
    const double q = 1300 * M_PI * 25e-10 * 9.81, EI = 4e9 * M_PI / 4 * 6.25e-18, L = 0.012,
                 sag = q * pow(L, 4) / (8 * EI);
    for (int mass = 0; mass < 2; mass++) {
        plait_sim *sim =
            start(HEAD "mode: static\n" FIBRE "    line: {from: [0, 0, 0], direction: [0, 1, 0], length: 12 "
                       "mm, count: 3, spacing: [0.5, 0, 0]}\n    maps: {%s: {%s}}\nstep: {dt: 1 s}\n",
                  mass ? "mass" : "stiffness", mass ? "attribute: stiff, low: 0, high: 1" : "values: vertices.csv");
        CHECK(mass || sim);
        if (!sim) { // an OBJ has no such attribute, which is told
            sim = start(HEAD
                        "mode: static\n" FIBRE "    line: {from: [0, 0, 0], direction: [0, 1, 0], length: 12 mm, "
                        "count: 3, spacing: [0.5, 0, 0]}\n    maps: {mass: {values: vertices.csv}}\nstep: {dt: 1 s}\n");
        }
        plait_sim_report report;
        CHECK(scenes_run(sim, 5, &report));
        for (int i = 0; i < 3; i++) {
            double x[3], factor = 1 + i / 2.0;
            node_of(sim, i, -1, x);
            CHECK_NEAR(-x[2], mass ? factor * sag : sag / factor, 0.01 * sag);
        }
        plait_sim_free(sim);
    }
}

// Roots along u: an image of red from 0 to 1 becomes curls of 0 to 3 times the drawn curvature, lengths of 1 to 0.4.
CASE(curl_and_length)
{
    write_ramps("ramps.png", 52);
    plait_error error = {0};
    plait_scene *scene = plait_scene_from_text(
        HEAD
        "gravity: [0, 0, 0]\n" FIBRE "    line: {from: [.05, .5, 0], direction: [0, 0, 1], length: 10 cm, count: 10, "
        "spacing: [.1, 0, 0]}\n    natural: {shape: curvature, curvature: 10}\n    start: relaxed\n"
        "    maps: {curl: {image: ramps.png, low: 0, high: 3}, length: {image: ramps.png, channel: red, low: 1, high: "
        "0.4}}\n",
        "", 0, NULL, 0, NULL, &error);
    CHECK(scene != NULL);
    for (int i = 0; scene && i < 10; i++) {
        // the place on the skin, then its texture coordinates, then the pixels
        double u = 0.1 + 0.8 * (0.05 + 0.1 * i), red = (52 * u - 0.5) / 51;
        const plait_fibre *f = &scene->fibre[i];
        CHECK_NEAR(f->curvature[0], 10 * 3 * red, 1e-4);
        CHECK_NEAR(f->share, 1 - 0.6 * red, 1e-5);
        CHECK_NEAR(f->point[3 * f->points - 1], 0.1 * (1 - 0.6 * red), 1e-6);
    }
    // A rod bent to an arc of curvature k: its tip is (1 - cos k L) / k aside.
    plait_sim *sim = scene ? scenes_start(scene) : NULL;
    for (int i = 0; sim && i < 10; i++) {
        double x[3], root[3], u = 0.1 + 0.8 * (0.05 + 0.1 * i), red = (52 * u - 0.5) / 51, k = 30 * red;
        double L = 0.1 * (1 - 0.6 * red);
        node_of(sim, i, -1, x), node_of(sim, i, 0, root);
        CHECK_NEAR(hypot(x[0] - root[0], x[1] - root[1]), (1 - cos(k * L)) / k, 0.01 * L);
    }
    plait_sim_free(sim);
}

// Of contacts mu is the pair's times the map's; of two fibres both factors count.
CASE(friction)
{
    write_text("vertices.csv", "1\n2\n2\n1\n");
    plait_sim *sim = start(
        "materials: {hair: {radius: 50 um, contact_radius: 1 mm, density: 1.3 g/cm^3, young: 4 GPa}, plate: {}}\n"
        "friction: {default: 0.2}\n"
        "colliders:\n  skin: {material: plate, shape: mesh, file: square.obj, position: [0, 0, -1]}\n"
        "  floor: {material: plate, shape: plane, position: [0, 0, -1 mm]}\n" FIBRE
        "    polyline: {points: [[0, 0, 0], [0.02, 0, 0], [1, 0, 0], [1.02, 0, 0], [1.01, -0.01, 0.002], [1.01, 0.01, "
        "0.002]], counts: [2, 2, 2]}\n"
        "    maps: {friction: {values: vertices.csv}}\nstep: {dt: 1 ms}\n");
    plait_sim_report report;
    CHECK(sim != NULL);
    if (!sim)
        return;
    CHECK(scenes_run(sim, 0.01, &report));
    int seen[4] = {0};
    for (int i = 0; i < plait_sim_contacts(sim); i++) {
        plait_sim_contact c;
        plait_sim_contact_get(sim, i, &c);
        double mu = 0.2;
        int which = 3;
        for (int k = 0; k < 2; k++)
            if (c.kind[k] == PLAIT_PARTNER_FIBRE)
                mu *= c.index[k] == 0 ? 1 : 2, which = which < 3 ? 2 : c.index[k];
        CHECK_NEAR(c.mu, mu, 1e-9);
        seen[which]++;
    }
    CHECK(seen[0] > 0 && seen[1] > 0 && seen[2] > 0);
    plait_sim_free(sim);
}

CASE(mistakes)
{
    static const char *const wrong[] = {"{stiffness: {}}",
                                        "{stiffness: {image: ramps.png, values: vertices.csv}}",
                                        "{stiffness: {attribute: nothing}}",
                                        "{stiffness: {image: square.obj}}",
                                        "{length: {image: ramps.png, high: 2, low: 1.5}}",
                                        "{mass: {image: ramps.png, low: -1, high: -2}}",
                                        "{curl: {image: ramps.png}}",
                                        "{stiffness: {values: short.csv}}"};
    write_text("short.csv", "1\n2\n");
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        CHECK(!start(HEAD FIBRE "    line: {from: [.5, .5, 0], direction: [0, 0, 1]}\n    maps: %s\n", wrong[i]));
    CHECK(!start("materials: {hair: {}}\nfibres: {a: {line: {}, maps: {mass: {image: ramps.png}}}}\n")); // no mesh
}
