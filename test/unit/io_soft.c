// io_soft.c: cloth and solids in trajectories and exports: what is written is read again, number by number.
#include "check.h"
#include "plait/plait.h"

enum { SIDE = 4, NODES = SIDE * SIDE };

// A sheet of 4 x 4 nodes over the floor, and a tetrahedron.
static plait_sim *make(plait_scene **kept)
{
    plait_scene *scene = plait_scene_new();
    plait_material wood = plait_default_material();
    plait_scene_add_material(scene, "fabric", &wood, 0.3);
    plait_scene_add_collider(scene, "floor", PLAIT_SHAPE_PLANE);
    double x[3 * NODES], y[12] = {0, 0, 0.03, 0.02, 0, 0.03, 0, 0.02, 0.03, 0, 0, 0.05};
    int triangle[6 * NODES], triangles = 0, tetrahedron[4] = {0, 1, 2, 3};
    for (int i = 0; i < SIDE; i++)
        for (int j = 0; j < SIDE; j++) {
            int n = i * SIDE + j, two[6] = {n, n + SIDE, n + SIDE + 1, n, n + SIDE + 1, n + 1};
            x[3 * n] = 0.02 * i, x[3 * n + 1] = 0.02 * j, x[3 * n + 2] = 0.002;
            if (i + 1 < SIDE && j + 1 < SIDE) {
                memcpy(triangle + 3 * triangles, two, sizeof two);
                triangles += 2;
            }
        }
    plait_soft cloth = plait_default_cloth(), solid = plait_default_solid();
    cloth.points = NODES, cloth.point = x, cloth.triangles = triangles, cloth.triangle = triangle;
    solid.points = 4, solid.point = y, solid.tetrahedra = 1, solid.tetrahedron = tetrahedron;
    solid.triangle = NULL;
    CHECK_INT(plait_soft_skin(&solid, NULL), PLAIT_OK);
    CHECK(plait_scene_add_soft(scene, "sheet", &cloth) >= 0 && plait_scene_add_soft(scene, "drop", &solid) >= 0);
    free(solid.triangle);
    scene->stepping.dt = 2e-3, scene->output.frame_time = 0.01;
    plait_error error = {0};
    plait_sim *sim = plait_sim_new(scene, &error);
    if (!CHECK(sim != NULL))
        printf("%s\n", error.text);
    *kept = scene;
    return sim;
}

static long count_lines(const char *path, const char *begins)
{
    FILE *f = fopen(path, "r");
    char line[4096];
    long count = 0;
    while (f && fgets(line, sizeof line, f))
        count += strncmp(line, begins, strlen(begins)) == 0;
    if (f)
        fclose(f);
    return count;
}

static bool has_text(const char *path, const char *text)
{
    FILE *f = fopen(path, "rb");
    static char all[1 << 20];
    size_t n = f ? fread(all, 1, sizeof all - 1, f) : 0;
    if (f)
        fclose(f);
    all[n] = 0;
    return strstr(all, text) != NULL;
}

static void export_to(const plait_trajectory *t, plait_export_format format, const char *path)
{
    plait_export_options o = plait_default_export_options(format);
    plait_error error = {0};
    o.first = o.last = 1;
    if (!CHECK(plait_trajectory_export(t, path, &o, NULL, &error) == PLAIT_OK))
        printf("%s: %s\n", path, error.text);
}

CASE(written_and_read)
{
    plait_scene *scene;
    plait_sim *sim = make(&scene);
    plait_trajectory_options o = {.doubles = true, .velocities = true, .contacts = true};
    plait_trajectory_info *info = plait_trajectory_info_new(scene, sim, &o, NULL);
    CHECK_INT(info->softs, 2);
    plait_trajectory_frame *a = plait_trajectory_frame_new(info);
    plait_trajectory_writer *w = plait_trajectory_create("soft.h5", info, NULL);
    for (int k = 0; k < 2; k++) {
        plait_sim_report r;
        for (int i = 0; i < 10; i++)
            CHECK(plait_sim_step(sim, INFINITY, &r, NULL) == PLAIT_OK && !r.failed);
        CHECK_INT(plait_trajectory_frame_take(a, info, sim, NULL), PLAIT_OK);
        CHECK_INT(plait_trajectory_append(w, a, NULL), PLAIT_OK);
    }
    plait_trajectory_close(w);
    CHECK(a->contacts > 0);
    plait_trajectory *t = plait_trajectory_open("soft.h5", NULL);
    CHECK(t != NULL);
    const plait_trajectory_info *back = plait_trajectory_get_info(t);
    CHECK_INT(back->softs, 2);
    CHECK_STR(back->soft[0].name, "sheet"), CHECK_STR(back->soft[1].name, "drop");
    CHECK(!back->soft[0].shape.closed && back->soft[1].shape.closed);
    CHECK_INT(back->soft[0].shape.triangles, 18), CHECK_INT(back->soft[1].shape.triangles, 4);
    plait_trajectory_frame *b = plait_trajectory_frame_new(back);
    CHECK_INT(plait_trajectory_read(t, 1, b, NULL), PLAIT_OK);
    CHECK(memcmp(a->soft[0], b->soft[0], 3 * NODES * sizeof(double)) == 0);
    CHECK(memcmp(a->soft[1], b->soft[1], 12 * sizeof(double)) == 0);
    CHECK(memcmp(a->soft_motion[0], b->soft_motion[0], 3 * NODES * sizeof(double)) == 0);
    CHECK_INT(b->contacts, a->contacts);
    for (int i = 0; i < b->contacts; i++)
        CHECK(b->contact[i].kind[0] == PLAIT_PARTNER_CLOTH || b->contact[i].kind[0] == PLAIT_PARTNER_SOLID);
    export_to(t, PLAIT_EXPORT_OBJ, "soft.obj");
    CHECK(count_lines("soft.obj", "v ") >= NODES + 4);
    CHECK(count_lines("soft.obj", "f ") >= 18 + 4);
    CHECK_INT(count_lines("soft.obj", "o sheet"), 1), CHECK_INT(count_lines("soft.obj", "o drop"), 1);
    export_to(t, PLAIT_EXPORT_PLY, "soft.ply");
    CHECK(has_text("soft.ply", "element vertex 20\n") && has_text("soft.ply", "element face 22\n"));
    export_to(t, PLAIT_EXPORT_USDA, "soft.usda");
    CHECK(has_text("soft.usda", "def Scope \"soft\"") && has_text("soft.usda", "def Mesh \"sheet\""));
    CHECK_INT(plait_trajectory_write_xdmf("soft.h5", "soft.xdmf", NULL), PLAIT_OK);
    CHECK(has_text("soft.xdmf", "/softs/") && has_text("soft.xdmf", "TopologyType=\"Triangle\""));
    plait_trajectory_frame_free(a, info), plait_trajectory_frame_free(b, back);
    plait_trajectory_free(t), plait_trajectory_info_free(info), plait_sim_free(sim), plait_scene_free(scene);
}
