// Strands that took long to lay are kept: a scene that is read again takes them, bit for bit, whatever else has changed;
// one whose strands would be laid otherwise does not.
#include "check.h"
#include "plait/plait.h"
#include <hdf5.h>
#include <string.h>

static const char text[] = "name: head\n"
                           "materials:\n"
                           "  hair: {radius: 0.5 mm, contact_radius: 1 mm, density: 1320, young: 1 GPa}\n"
                           "fibres:\n"
                           "  - {name: hair, model: superhelix, segments: 4, material: hair, scalp: {collider: head, "
                           "count: 40, length: 8 cm, comb: [0, 0, -1]}}\n"
                           "colliders:\n"
                           "  - {name: head, shape: sphere, radius: 5 cm}\n"
                           "output: {duration: 10 ms}\n";

// NULL: as it is. The store that is in use must be told.
static plait_scene *read_with(const char *set)
{
    plait_error error = {0};
    plait_scene *s = plait_scene_from_text(text, "", set != NULL, &set, 0, NULL, &error);
    CHECK(s != NULL);
    if (!s)
        printf("%s\n", error.text);
    return s;
}

static bool same_fibres(const plait_scene *a, const plait_scene *b)
{
    bool same = a && b && a->fibres == b->fibres;
    for (int i = 0; same && i < a->fibres; i++)
        same = a->fibre[i].points == b->fibre[i].points &&
               memcmp(a->fibre[i].point, b->fibre[i].point, 3 * sizeof(double) * (size_t)a->fibre[i].points) == 0;
    return same;
}

CASE(taken_when_nothing_of_it_changed)
{
    plait_grooms *store = plait_grooms_new();
    plait_scene *without = read_with(NULL);
    CHECK(plait_grooms_use(store) == NULL);
    plait_scene *first = read_with(NULL), *second = read_with("output.duration=1s");
    CHECK_INT(plait_grooms_count(store), 1);
    CHECK_INT(plait_grooms_found(store), 1);
    CHECK(same_fibres(without, first));
    CHECK(same_fibres(first, second));
    CHECK(plait_grooms_use(NULL) == store);
    plait_scene_free(without), plait_scene_free(first), plait_scene_free(second), plait_grooms_free(store);
}

// Whatever the strands depend on gives another key: nothing is found.
CASE(laid_again_when_it_matters)
{
    static const char *const set[] = {"fibres.hair.scalp.count=41",
                                      "fibres.hair.scalp.gap=0.37",
                                      "fibres.hair.seed=2",
                                      "fibres.hair.segments=5",
                                      "fibres.hair.model=der",
                                      "fibres.hair.natural={shape: curl, radius: 4 mm, pitch: 30 mm}",
                                      "materials.hair.contact_radius=1.1 mm",
                                      "colliders.head.radius=5.1 cm",
                                      "colliders.head.position=[1 mm, 0, 0]"};
    plait_grooms *store = plait_grooms_new();
    plait_grooms_use(store);
    plait_scene_free(read_with(NULL));
    int count = (int)(sizeof set / sizeof *set);
    for (int i = 0; i < count; i++) {
        plait_scene_free(read_with(set[i]));
        CHECK_INT(plait_grooms_found(store), 0);
        CHECK_INT(plait_grooms_count(store), i + 2);
    }
    plait_grooms_use(NULL), plait_grooms_free(store);
}

// What the store has is what the scene gets: nothing is laid beside it.
CASE(the_file_comes_back_and_is_believed)
{
    plait_grooms *store = plait_grooms_new();
    plait_grooms_use(store);
    plait_scene *first = read_with(NULL);
    char key[PLAIT_GROOM_KEY];
    int64_t points, again;
    const double *x = plait_grooms_get(store, 0, key, &points);
    CHECK_INT(points, 40 * 5);
    double *moved = malloc(3 * (size_t)points * sizeof *moved);
    for (int64_t i = 0; i < 3 * points; i++)
        moved[i] = x[i] + 1e-6;
    plait_grooms *other = plait_grooms_new();
    CHECK_INT(plait_grooms_add(other, key, points, moved, NULL), PLAIT_OK);
    CHECK_INT(plait_grooms_write("grooms.h5", other, NULL), PLAIT_OK);
    plait_grooms *back = plait_grooms_read("grooms.h5", NULL);
    CHECK(back != NULL);
    CHECK(memcmp(plait_grooms_get(back, 0, key, &again), moved, 3 * (size_t)points * sizeof *moved) == 0);
    CHECK_INT(again, points);
    plait_grooms_use(back);
    plait_scene *second = read_with(NULL);
    CHECK(second->fibre[0].point[0] == first->fibre[0].point[0] + 1e-6);
    CHECK_INT(plait_grooms_found(back), 1);
    plait_grooms_use(NULL), free(moved);
    plait_scene_free(first), plait_scene_free(second);
    plait_grooms_free(store), plait_grooms_free(other), plait_grooms_free(back);
}

// Points of another number of strands, under the right key: somebody changed the file. They are laid again.
CASE(what_does_not_fit_is_laid)
{
    plait_grooms *store = plait_grooms_new(), *wrong = plait_grooms_new();
    plait_grooms_use(store);
    plait_scene *first = read_with(NULL);
    char key[PLAIT_GROOM_KEY];
    int64_t points;
    const double *x = plait_grooms_get(store, 0, key, &points);
    CHECK_INT(plait_grooms_add(wrong, key, points - 1, x, NULL), PLAIT_OK);
    plait_grooms_use(wrong);
    plait_scene *second = read_with(NULL);
    CHECK_INT(plait_grooms_found(wrong), 0);
    CHECK(same_fibres(first, second));
    plait_grooms_use(NULL);
    plait_scene_free(first), plait_scene_free(second), plait_grooms_free(store), plait_grooms_free(wrong);
}

CASE(nonsense_is_refused)
{
    plait_grooms *store = plait_grooms_new();
    plait_error error = {0};
    double x[3] = {0, NAN, 0};
    CHECK_INT(plait_grooms_add(store, "0123456789abcdef0123456789abcdef", 1, x, &error), PLAIT_BAD_INPUT);
    x[1] = 0;
    CHECK_INT(plait_grooms_add(store, "0123456789abcdef0123456789abcdeg", 1, x, &error), PLAIT_BAD_INPUT);
    CHECK_INT(plait_grooms_add(store, "0123456789abcdef0123456789abcdef", 1, x, &error), PLAIT_OK);
    CHECK_INT(plait_grooms_write("g.h5", store, &error), PLAIT_OK);
    hid_t file = H5Fopen("g.h5", H5F_ACC_RDWR, H5P_DEFAULT);
    CHECK(H5Ldelete(file, "/groom/000000/points", H5P_DEFAULT) >= 0);
    H5Fclose(file);
    CHECK(plait_grooms_read("g.h5", &error) == NULL);
    CHECK(strstr(error.text, "g.h5") && strstr(error.text, "points"));
    CHECK(plait_grooms_read("not-there.h5", &error) == NULL);
    plait_grooms_free(store);
}

