// Exports of a made-up trajectory with every shape: what is written can be read, surfaces look outwards, and a stop or a
// mistake leaves nothing behind.
#include <dirent.h>
#include <sys/stat.h>
#include <unistd.h>

#include "file/mesh.h"
#include "io/export.h"
#include "plait/plait.h"

#include "check.h"
#include "trajectory_info.h"

enum { FRAMES = 4, BODIES = 8 };
static const char *const path = "export.h5";

static int first[] = {0, 3, 3, 8, 9}; // one fibre without nodes, one with a single one: odd, but not forbidden
static double radius[] = {1e-3, 2e-3, 5e-4, 1e-3};
static int group[] = {0, 1, 1, 1}, material[] = {0, 0, 0, 0};
static char group_name[3][PLAIT_NAME] = {"a-b", "a.b", "nobody"}, material_name[1][PLAIT_NAME] = {"hair"};
static double corner[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
static int face[] = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3};
static double wire[] = {0, 0, 0, 0, 0, 1, 1, 0, 1, 1, 1, 1};
static plait_trajectory_body collider[] = {
    {"floor", 0, {.kind = PLAIT_SHAPE_PLANE}, false},
    {"ball", 0, {.kind = PLAIT_SHAPE_SPHERE, .size = {0.25, 0, 0}}, false},
    {"ball", 0, {.kind = PLAIT_SHAPE_CAPSULE, .size = {0.25, 0.5, 0}}, false},
    {"box", 0, {.kind = PLAIT_SHAPE_BOX, .size = {1, 2, 3}}, false},
    {"can", 0, {.kind = PLAIT_SHAPE_CYLINDER, .size = {0.5, 1, 0}}, false},
    {"wire", 0, {.kind = PLAIT_SHAPE_CURVE, .size = {0.1, 0, 0}, .points = 4, .point = wire}, false},
    {"mesh",
     0,
     {.kind = PLAIT_SHAPE_MESH, .points = 4, .point = corner, .triangles = 4, .triangle = face, .closed = true},
     true},
    {"hand", 0, {.kind = PLAIT_SHAPE_NONE}, false},
};
static plait_trajectory_body rigid[] = {{"stone", 0, {.kind = PLAIT_SHAPE_SPHERE, .size = {0.5, 0, 0}}, false}};

static plait_trajectory_info sample_info(bool doubles)
{
    plait_trajectory_info info =
        trajectory_of_fibres(4, first, radius, group, material, 3, group_name, 1, material_name);
    strcpy(info.name, "1 sample");
    info.scene = (char *)"", info.stored = (plait_trajectory_options){.doubles = doubles, .velocities = true};
    info.colliders = BODIES, info.collider = collider, info.rigids = 1, info.rigid = rigid;
    return info;
}

static plait_trajectory *make(bool doubles)
{
    plait_trajectory_info info = sample_info(doubles);
    plait_error error = {0};
    plait_trajectory_writer *w = plait_trajectory_create(path, &info, &error);
    plait_trajectory_frame *f = plait_trajectory_frame_new(&info);
    for (int k = 0; CHECK(w && f) && k < FRAMES; k++) {
        f->time = 0.04 * k + (k == FRAMES - 1 ? 0.01 : 0); // the last one is not where it would be
        for (int i = 0; i < 27; i++)
            f->position[i] = k + 0.1 * i, f->velocity[i] = -k - 0.01 * i;
        for (int i = 0; i < BODIES; i++) {
            double *p = f->collider_pose + 7 * i;
            p[0] = 0.25 * k, p[1] = i == 3 ? 0.5 : 0, p[2] = -1;
            p[3] = p[4] = p[5] = 0, p[6] = k % 2 ? -1 : 1; // the same rotation, with another sign
        }
        f->rigid_pose[6] = 1;
        for (int i = 0; i < 12; i++)
            f->vertex[6][i] = corner[i] * (1 + k);
        CHECK_INT(plait_trajectory_append(w, f, &error), PLAIT_OK);
    }
    plait_trajectory_frame_free(f, &info);
    plait_trajectory_close(w);
    plait_trajectory *t = plait_trajectory_open(path, &error);
    if (!CHECK(t != NULL))
        puts(error.text);
    return t;
}

static char *slurp(const char *name)
{
    FILE *f = fopen(name, "rb");
    struct stat info;
    char *text = f && fstat(fileno(f), &info) == 0 ? calloc(1, (size_t)info.st_size + 1) : NULL;
    if (CHECK(text != NULL))
        CHECK(fread(text, 1, (size_t)info.st_size, f) == (size_t)info.st_size);
    if (f)
        fclose(f);
    return text;
}

static int count(const char *text, const char *word)
{
    int n = 0;
    for (; (text = strstr(text, word)); text++)
        n++;
    return n;
}

// Files in the working folder and the folder `out` whose names have `word` in them.
static int files_with(const char *word)
{
    static const char *const folders[] = {".", "out"};
    int n = 0;
    for (int i = 0; i < 2; i++) {
        DIR *dir = opendir(folders[i]);
        for (struct dirent *e; dir && (e = readdir(dir));)
            n += e->d_name[0] != '.' && strstr(e->d_name, word) != NULL;
        if (dir)
            closedir(dir);
    }
    return n;
}

static void clear(void)
{
    if (system("rm -rf out out-* out.* x.obj") != 0)
        puts("could not clear the folder");
}

CASE(usda)
{
    plait_trajectory *t = make(false);
    plait_error error = {0};
    plait_export_report report;
    plait_export_options o = plait_default_export_options(PLAIT_EXPORT_USDA);
    clear();
    CHECK_INT(plait_trajectory_export(t, "out.usda", &o, &report, &error), PLAIT_OK);
    CHECK(report.frames == FRAMES && report.files == 1 && !report.stopped);
    char *text = slurp("out.usda");
    CHECK_INT((long long)strlen(text), report.bytes);
    CHECK(strstr(text, "defaultPrim = \"_1_sample\"") && strstr(text, "endTimeCode = 3.25\n"));
    // names: unique, and words; a group without fibres is not there
    CHECK(strstr(text, "def BasisCurves \"a_b\"") && strstr(text, "def BasisCurves \"a_b_2\""));
    CHECK(!strstr(text, "nobody") && strstr(text, "def Sphere \"ball\"") && strstr(text, "def Capsule \"ball_2\""));
    CHECK(strstr(text, "def Cube \"box\"") && strstr(text, "xformOp:scale = (1, 2, 3)"));
    CHECK(strstr(text, "def Cylinder \"can\"") && strstr(text, "double height = 2\n"));
    CHECK(strstr(text, "def Xform \"hand\"") && strstr(text, "def Sphere \"stone\""));
    CHECK_INT(count(text, "def Mesh"), 3); // floor, wire, mesh
    CHECK_INT(count(text, "def BasisCurves"), 2);
    CHECK_INT(count(text, "int[] curveVertexCounts = [3]"), 1);
    CHECK_INT(count(text, "int[] curveVertexCounts = [5]"), 1);
    CHECK_INT(count(text, "points.timeSamples"), 3); // two groups, the animated mesh
    CHECK_INT(count(text, "velocities.timeSamples"), 2);
    CHECK_INT(count(text, "translate.timeSamples"), BODIES); // the stone does not move
    CHECK_INT(count(text, "2: (1, 0, 0, 0)"), BODIES);       // and no rotation goes the long way round
    CHECK_INT(count(text, ": (-1, "), 0);
    CHECK_INT(count(text, "{"), count(text, "}"));
    CHECK(!strstr(text, "nan") && !strstr(text, "inf"));
    plait_hair *h = plait_curves_read("out.usda", &error);
    if (CHECK(h && h->strands == 2)) {
        CHECK(h->first[1] == 3 && h->first[2] == 8 && h->unit == 1 && !h->y_up);
        for (int i = 0; i < 24; i++)
            CHECK((float)h->point[i] == (float)(0.1 * i));
    }
    plait_hair_free(h);
    free(text);
    plait_trajectory_free(t);
    clear();
}

// Every body of the .obj is a surface that looks outwards.
CASE(surfaces)
{
    static const double volumes[] = {0, 4 * M_PI / 3 / 64, M_PI / 16 * (1 + 4.0 / 3 / 4), 48, M_PI / 2, 0, 1.0 / 6, 0};
    for (int i = 0; i < BODIES; i++) {
        plait_shape m;
        double sum = 0;
        CHECK(plait_shape_to_mesh(&collider[i].shape, NULL, &m));
        for (int k = 0; k < m.triangles; k++) {
            const double *a = m.point + 3 * m.triangle[3 * k], *b = m.point + 3 * m.triangle[3 * k + 1];
            const double *c = m.point + 3 * m.triangle[3 * k + 2];
            sum += (a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) +
                    a[2] * (b[0] * c[1] - b[1] * c[0])) /
                   6;
        }
        if (i == 5) // a tube: three pieces of length 1, less what is cut off at the corners
            CHECK(sum > 0.06 && sum < 0.0943);
        else
            CHECK_REL(sum, volumes[i], 0.03);
        for (int k = 0; k < 3 * m.triangles; k++)
            CHECK(m.triangle[k] >= 0 && m.triangle[k] < m.points);
        free(m.point);
        free(m.triangle);
    }
}

CASE(folders)
{
    plait_trajectory *t = make(true);
    plait_error error = {0};
    plait_export_report report;
    clear();
    static const int files[] = {
        [PLAIT_EXPORT_VTP] = 2 * FRAMES + 1, [PLAIT_EXPORT_OBJ] = FRAMES, [PLAIT_EXPORT_PLY] = FRAMES};
    for (int i = PLAIT_EXPORT_VTP; i <= PLAIT_EXPORT_PLY; i++) {
        plait_export_options o = plait_default_export_options((plait_export_format)i);
        CHECK_INT(plait_trajectory_export(t, "out", &o, &report, &error), PLAIT_OK);
        CHECK_INT(report.files, files[i]);
        CHECK_INT(files_with(plait_export_name((plait_export_format)i)), i == PLAIT_EXPORT_VTP ? 2 * FRAMES : FRAMES);
        CHECK_INT(plait_trajectory_export(t, "out", &o, &report, &error), PLAIT_BAD_FILE);
        CHECK(strstr(error.text, "exists already"));
        o.replace = true;
        CHECK_INT(plait_trajectory_export(t, "out", &o, &report, &error), PLAIT_OK);
    }
    CHECK_INT(files_with("tmp"), 0);
    // the animated mesh grows: the last vertex of its object
    char *text = slurp("out/out.0003.obj");
    CHECK_INT(count(text, "\nl "), 6);
    CHECK_INT(count(text, "\no "), 2 + BODIES - 1 + 1);
    CHECK(strstr(text, "o mesh\nv 0.75 0 -1\nv 4.75 0 -1\nv 0.75 4 -1\nv 0.75 0 3\n"));
    free(text);
    plait_shape mesh = {0};
    CHECK_INT(plait_mesh_read("out/out.0000.obj", &mesh, &error), PLAIT_OK); // lines and faces in one file
    free(mesh.point);
    free(mesh.triangle);
    plait_hair *h = plait_curves_read("out/out.0002.obj", &error);
    if (CHECK(h && h->strands == 2)) // doubles come back as such
        for (int i = 0; i < 24; i++)
            CHECK(h->point[i] == 2 + 0.1 * i);
    plait_hair_free(h);
    plait_trajectory_free(t);
    clear();
}

typedef struct stopper {
    int64_t at, seen, total;
} stopper;

static bool go_on(int64_t done, int64_t total, void *data)
{
    stopper *s = data;
    CHECK(done < total && done >= s->seen);
    s->seen = done;
    s->total = total;
    return done < s->at;
}

CASE(stopped)
{
    plait_trajectory *t = make(false);
    clear();
    for (int i = 0; i < PLAIT_EXPORT_COUNT; i++) {
        if (i == PLAIT_EXPORT_HAIR)
            continue; // has no place for a fibre without nodes
        bool one_file = plait_export_is_one_file((plait_export_format)i);
        char name[32];
        snprintf(name, sizeof name, one_file ? "out.%s" : "out", plait_export_name((plait_export_format)i));
        stopper s = {.at = 1000};
        plait_error error = {0};
        plait_export_report report;
        plait_export_options o = plait_default_export_options((plait_export_format)i);
        o.progress = go_on;
        o.data = &s;
        CHECK_INT(plait_trajectory_export(t, name, &o, &report, &error), PLAIT_OK);
        CHECK(!report.stopped && s.seen == s.total - 1);
        int64_t total = s.total;
        clear();
        for (int64_t at = 0; at < total; at++) {
            s = (stopper){.at = at};
            CHECK_INT(plait_trajectory_export(t, name, &o, &report, &error), PLAIT_OK);
            CHECK(report.stopped && error.status == PLAIT_OK);
            CHECK_INT(files_with("out"), 0);
        }
    }
    plait_trajectory_free(t);
}

CASE(refusals)
{
    plait_trajectory *t = make(false);
    plait_error error = {0};
    clear();
    plait_export_options o = plait_default_export_options(PLAIT_EXPORT_HAIR);
    CHECK_INT(plait_trajectory_export(t, "out", &o, NULL, &error), PLAIT_BAD_INPUT);
    CHECK(strstr(error.text, "strand 1: between 2 and 65536 points are expected, found 0"));
    o.format = PLAIT_EXPORT_COUNT;
    CHECK_INT(plait_trajectory_export(t, "out", &o, NULL, &error), PLAIT_BAD_INPUT);
    static const int wrong[][3] = {{-1, 2, 1}, {3, 2, 1}, {0, FRAMES, 1}, {0, 2, 0}, {FRAMES, -1, 1}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        o = (plait_export_options){
            .format = PLAIT_EXPORT_CSV, .first = wrong[i][0], .last = wrong[i][1], .step = wrong[i][2]};
        CHECK_INT(plait_trajectory_export(t, "out.csv", &o, NULL, &error), PLAIT_BAD_INPUT);
    }
    o = plait_default_export_options(PLAIT_EXPORT_OBJ);
    CHECK_INT(plait_trajectory_export(t, "x.obj", &o, NULL, &error), PLAIT_BAD_INPUT);
    o.first = 2, o.last = 2;
    CHECK_INT(plait_trajectory_export(t, "x.obj", &o, NULL, &error), PLAIT_OK);
    CHECK_INT(plait_trajectory_export(t, "x.obj", &o, NULL, &error), PLAIT_BAD_FILE);
    CHECK_INT(plait_trajectory_export(t, "export.h5/", &o, NULL, NULL), PLAIT_BAD_FILE);
    CHECK_INT(files_with("out"), 0);
    plait_trajectory_free(t);
    clear();
    remove(path);
}
