// files_heap.c: whichever allocation fails, nothing is lost and nothing half read: packed problems, maps of roots (CSV,
// pictures, attributes of meshes), strands that guides carry. Allocations of zlib, libpng and the C library fail too,
// but not those of HDF5, which looks after itself.
#include <stdint.h>
#include <zlib.h>

#include "file/columns.h"
#include "file/mesh.h"
#include "file/picture.h"
#include "heap_each.h"
#include "plait/plait.h"

#if COUNTS
// OpenMP's run time asks here for what it gives back by free. It ends the program if it gets nothing.
void *memalign(size_t alignment, size_t size);
void *memalign(size_t alignment, size_t size)
{
    return counted(__libc_memalign(alignment, size));
}
#endif

static void write_text(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    fputs(text, file);
    fclose(file);
}

static bool wrong(plait_error *error, const char *what)
{
    return plait_error_set(error, PLAIT_BAD_INPUT, "%s is not what it should be", what), false;
}

static long judge(const char *name, bool (*work)(plait_error *error), bool only_ours)
{
    plait_error error = {0};
    fail_at = 0;
    if (!CHECK(work(&error))) // and what libraries make once is made
        printf("%s: %s\n", name, error.text);
    spare_below = only_ours ? SIZE_MAX : 0;
    long refused = fail_each(work);
    printf("%-10s %5ld allocations, %5ld refused\n", name, calls, refused);
    return refused;
}

// ---- packed problems ---------------------------------------------------------------------------------------------

enum { CONTACTS = 3 };

static void pack(const char *from, const char *to)
{
    char bytes[1 << 16];
    FILE *file = fopen(from, "rb");
    size_t count = fread(bytes, 1, sizeof bytes, file);
    gzFile packed = gzopen(to, "wb");
    CHECK(count < sizeof bytes && gzwrite(packed, bytes, (unsigned)count) == (int)count);
    gzclose(packed);
    fclose(file);
}

static bool read_problem(const char *path, plait_error *error)
{
    plait_problem *p = plait_problem_read(path, NULL, error);
    bool right = p && p->n == CONTACTS && p->mu[2] == 0.5;
    plait_problem_free(p);
    return right || (p && wrong(error, path));
}

static bool read_text(plait_error *error)
{
    return read_problem("p.dat.gz", error);
}

static bool read_hdf5(plait_error *error)
{
    return read_problem("p.hdf5.gz", error);
}

CASE(packed_problems)
{
    if (!COUNTS)
        SKIP("the sanitizers have their own heap");
    plait_error error = {0};
    FILE *file = fopen("p.dat", "w");
    fprintf(file, "3 %d\n0 9 9\n9 9\n", CONTACTS);
    for (int i = 0; i < 81; i++)
        fprintf(file, "%d\n", i % 10 == 0);
    for (int i = 0; i < 9; i++)
        fprintf(file, "%d\n", i % 3 == 0 ? -1 : 1);
    fprintf(file, "0.3 0.4 0.5\n");
    fclose(file);
    plait_problem *p = plait_problem_read("p.dat", NULL, &error);
    if (!CHECK(p && plait_problem_write("p.hdf5", p, NULL, &error) == PLAIT_OK))
        puts(error.text);
    plait_problem_free(p);
    pack("p.dat", "p.dat.gz"), pack("p.hdf5", "p.hdf5.gz");
    CHECK(judge("dat.gz", read_text, false) > 10);
    CHECK(judge("hdf5.gz", read_hdf5, true) > 10);
}

// ---- maps --------------------------------------------------------------------------------------------------------

enum { ROWS = 200, SIDE = 4 };

static bool read_columns(plait_error *error)
{
    int rows = 0;
    double *value = plait_columns_read("v.csv", 2, &rows, error);
    bool right = value && rows == ROWS && value[2 * ROWS - 1] == 0.5 * (ROWS - 1);
    free(value);
    return right || (value && wrong(error, "a table"));
}

static bool read_picture(plait_error *error)
{
    plait_picture p;
    if (plait_picture_read("p.png", &p, error) != PLAIT_OK) {
        plait_picture_free(&p);
        return false;
    }
    bool right = p.width == SIDE && p.height == SIDE && fabs(plait_picture_at(&p, 1, 0.5, 0) - 0.8) < 1e-6;
    plait_picture_free(&p);
    return right || wrong(error, "a picture");
}

static bool read_corners(const char *path, const char *wish, double last, plait_error *error)
{
    plait_mesh_map map = {.wish = wish, .width = 1};
    static const double weight[3] = {0, 0, 1};
    const int corner[3] = {0, 2, 3};
    double value;
    bool ok = plait_mesh_read_map(path, &map, error) == PLAIT_OK, right = ok && map.found && map.triangles == 2;
    right = right && plait_mesh_map_at(&map, 1, corner, weight, &value) && fabs(value - last) < 1e-6;
    plait_mesh_map_free(&map);
    return right || (ok && wrong(error, path));
}

static bool read_obj(plait_error *error)
{
    return read_corners("m.obj", "color", 0.75, error);
}

static bool read_ply(plait_error *error)
{
    return read_corners("m.ply", "stiff", 4, error);
}

static bool read_usd(plait_error *error)
{
    return read_corners("m.usda", "stiff", 4, error);
}

#define SKIN                                                                                                           \
    "materials: {hair: {radius: 50 um, density: 1300, young: 4e9}, skin: }\n"                                          \
    "colliders:\n- {name: skin, material: skin, shape: mesh, file: m.obj, frames: [m.obj, m.obj], frame_time: 0.1}\n"
#define FIBRE "fibres:\n- {name: a, material: hair, segments: 4, ends: {root: clamped, attach: skin}, "

static bool read_maps(plait_error *error)
{
    plait_scene *s = plait_scene_from_text(
        SKIN FIBRE "line: {from: [0.9, 0.5, 0], direction: [0, 0, 1], length: 1 cm, count: 2},\n"
                   "   maps: {stiffness: {values: four.csv}, length: {attribute: color, low: 1, high: 0.5}, "
                   "mass: {image: p.png, low: 1, high: 2}}}\n",
        "", 0, NULL, 0, NULL, error);
    bool right = s && s->fibres == 2 && s->fibre[1].stiffness > 1.5 && s->fibre[1].share < 1 && s->fibre[1].mass > 1;
    plait_scene_free(s);
    return right || (s && wrong(error, "a scene"));
}

static void write_skin(void)
{
    write_text("m.obj",
               "v 0 0 0 0 0 0\nv 1 0 0 .25 0 0\nv 1 1 0 .5 0 0\nv 0 1 0 .75 0 0\nvt 0 0\nvt 1 0\nvt 1 1\nvt 0 1\n"
               "f 1/1 2/2 3/3 4/4\n");
}

CASE(maps)
{
    if (!COUNTS)
        SKIP("the sanitizers have their own heap");
    FILE *file = fopen("v.csv", "w");
    for (int i = 0; i < ROWS; i++)
        fprintf(file, "%d,%g\n", i, 0.5 * i);
    fclose(file);
    write_text("four.csv", "1\n2\n3\n4\n");
    unsigned char rgb[3 * SIDE * SIDE];
    for (int i = 0; i < 3 * SIDE * SIDE; i++)
        rgb[i] = (unsigned char)(i / 3 % SIDE == SIDE - 1 ? 204 : 51);
    plait_error error = {0};
    CHECK_INT(plait_png_write("p.png", SIDE, SIDE, rgb, &error), PLAIT_OK);
    write_skin();
    write_text("m.ply",
               "ply\nformat ascii 1.0\nelement vertex 4\nproperty float x\nproperty float y\nproperty float z\n"
               "property float stiff\nelement face 1\nproperty list uchar int vertex_indices\nend_header\n"
               "0 0 0 1\n1 0 0 2\n1 1 0 3\n0 1 0 4\n4 0 1 2 3\n");
    write_text("m.usda",
               "#usda 1.0\ndef Mesh \"m\" {\n int[] faceVertexCounts = [4]\n int[] faceVertexIndices = [0, 1, 2, 3]\n"
               " point3f[] points = [(0,0,0), (1,0,0), (1,1,0), (0,1,0)]\n"
               " float[] primvars:stiff = [1, 2, 3, 4] ( interpolation = \"vertex\" )\n}\n");
    CHECK(judge("csv", read_columns, false) > 3);
    CHECK(judge("png", read_picture, false) > 5);
    CHECK(judge("obj", read_obj, false) > 3);
    CHECK(judge("ply", read_ply, false) > 3);
    CHECK(judge("usda", read_usd, false) > 3);
    CHECK(judge("scene", read_maps, false) > 50);
}

// ---- carried strands ---------------------------------------------------------------------------------------------

enum { STRANDS = 9, POINTS = 5, MORE = 20, FRAMES = 3 };

static void write_groom(void)
{
    int first[STRANDS + 1];
    double point[3 * STRANDS * POINTS];
    plait_hair hair = {.strands = STRANDS, .unit = 1, .first = first, .point = point};
    for (int i = 0; i <= STRANDS; i++)
        first[i] = i * POINTS;
    for (int i = 0; i < STRANDS * POINTS; i++) {
        int strand = i / POINTS;
        double s = 0.02 * (i % POINTS), *x = point + 3 * i;
        x[0] = 0.3 + 0.01 * (strand % 3) + 0.2 * s, x[1] = 0.3 + 0.01 * (strand / 3), x[2] = s;
    }
    plait_error error = {0};
    CHECK_INT(plait_curves_write("groom.obj", &hair, &error), PLAIT_OK);
    CHECK_INT(plait_curves_write("groom.hair", &hair, &error), PLAIT_OK);
}

static const char *const CARRIED =
    SKIN "- {name: ball, material: skin, shape: sphere, radius: 1 cm, position: [0.31, 0.31, 0.06]}\n"
         "- {name: box, material: skin, shape: mesh, file: box.obj}\n" FIBRE
         "file: {path: groom.obj, every: 2}, maps: {length: {attribute: color, low: 1, high: 0.5}},\n"
         "   carry: {guides: 3, clump: 0.5, frizz: 1 mm}}\noutput: {fps: 25}\n";

// Two frames of the scene as it was drawn, and guides and the box go a little aside from one to the next.
static plait_trajectory *record(plait_error *error)
{
    plait_scene *scene = plait_scene_from_text(CARRIED, "", 0, NULL, 0, NULL, error);
    plait_sim *sim = scene ? plait_sim_new(scene, error) : NULL;
    plait_trajectory_options o = {0};
    plait_trajectory_info *info = sim ? plait_trajectory_info_new(scene, sim, &o, error) : NULL;
    plait_trajectory_writer *w = info ? plait_trajectory_create("t.h5", info, error) : NULL;
    plait_trajectory_frame *f = info ? plait_trajectory_frame_new(info) : NULL;
    for (int k = 0; w && f && k < FRAMES; k++) {
        CHECK_INT(plait_trajectory_frame_take(f, info, sim, error), PLAIT_OK);
        f->time = 0.04 * k, f->step = k;
        for (int i = 0; i < info->nodes; i++)
            f->position[3 * i] += 0.1 * k * f->position[3 * i + 2];
        f->collider_pose[14] += 0.005 * k; // of the box
        CHECK_INT(plait_trajectory_append(w, f, error), PLAIT_OK);
    }
    if (w)
        plait_trajectory_close(w);
    if (f)
        plait_trajectory_frame_free(f, info);
    plait_trajectory_info_free(info);
    plait_sim_free(sim);
    plait_scene_free(scene);
    return w ? plait_trajectory_open("t.h5", error) : NULL;
}

static plait_trajectory *trajectory;
static plait_carry *carry;         // at hand, or NULL
static plait_trajectory_frame *to; // of its points
static double *right[FRAMES];      // positions and velocities

static plait_carry *carry_new(plait_error *error)
{
    plait_carry_options o = plait_default_carry_options();
    o.strands = MORE, o.threads = 1;
    return plait_carry_new(trajectory, &o, error);
}

static bool read_hair(plait_error *error)
{
    plait_hair *hair = plait_curves_read("groom.hair", error);
    bool ok = hair && hair->strands == STRANDS;
    plait_hair_free(hair);
    return ok || (hair && wrong(error, "a groom"));
}

static bool make_carry(plait_error *error)
{
    plait_carry *c = carry_new(error);
    bool ok = c && plait_carry_get_strands(c)->strands == MORE;
    plait_carry_free(c);
    return ok || (c && wrong(error, "the number of strands"));
}

// One frame after the other: those that were refused are asked for again.
static bool read_frames(plait_error *error)
{
    bool all = true;
    size_t count = 3 * (size_t)plait_carry_info(carry)->nodes;
    for (int k = 0; k < FRAMES; k++) {
        plait_status status = plait_carry_read(carry, k, to, error);
        if (status != PLAIT_OK) {
            plait_error again = {0};
            all = false;
            if (status != error->status || plait_carry_read(carry, k, to, &again) != PLAIT_OK)
                return wrong(error, "what is said of a frame");
        }
        if (!right[k]) {
            right[k] = malloc(2 * count * sizeof(double));
            memcpy(right[k], to->position, count * sizeof(double));
            memcpy(right[k] + count, to->velocity, count * sizeof(double));
        }
        if (memcmp(right[k], to->position, count * sizeof(double)) != 0 ||
            memcmp(right[k] + count, to->velocity, count * sizeof(double)) != 0)
            return wrong(error, "a frame");
    }
    return all;
}

// From the beginning, every time: nothing is in the slots.
static bool carry_all(plait_error *error)
{
    carry = carry_new(error);
    bool ok = carry && read_frames(error);
    plait_carry_free(carry);
    return ok;
}

CASE(carried_strands)
{
    if (!COUNTS)
        SKIP("the sanitizers have their own heap");
    plait_error error = {0};
    plait_set_default_threads(1);
    write_skin(), write_groom();
    write_text("box.obj",
               "v .32 .3 .03\nv .36 .3 .03\nv .34 .34 .03\nv .34 .32 .07\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n");
    trajectory = record(&error);
    carry = trajectory ? carry_new(&error) : NULL;
    if (!CHECK(carry != NULL)) {
        puts(error.text);
        return;
    }
    to = plait_trajectory_frame_new(plait_carry_info(carry));
    plait_carry *first = carry;
    CHECK(read_frames(&error));
    CHECK(judge("hair", read_hair, false) > 3);
    CHECK(judge("carry", make_carry, true) > 100);
    CHECK(judge("frames", carry_all, true) > 100);
    plait_trajectory_frame_free(to, plait_carry_info(first));
    plait_carry_free(first);
    plait_trajectory_free(trajectory);
    for (int k = 0; k < FRAMES; k++)
        free(right[k]);
}
