// rod_input.c: nonsense is refused with a message that says which rod, which vertex, what was expected and found.
#include "check.h"
#include "plait/rod.h"

enum { COUNT = 5 };

static plait_rod_def sound(double points[3 * COUNT])
{
    plait_rod_def def = plait_default_rod_def();
    for (int i = 0; i < COUNT; i++)
        points[3 * i] = 0.01 * i, points[3 * i + 1] = 0.001 * i * i, points[3 * i + 2] = 0;
    def.id = 17;
    def.point_count = COUNT;
    def.points = points;
    return def;
}

// The definition must be refused with a message that has all the given words.
static void refuse(const plait_rod_def *def, const char *a, const char *b)
{
    plait_error error = {0};
    plait_rod *rod = plait_rod_new(def, &error);
    CHECK(rod == NULL);
    CHECK_INT(error.status, PLAIT_BAD_INPUT);
    if (!CHECK(strstr(error.text, a) != NULL) || !CHECK(strstr(error.text, b) != NULL))
        printf("  the message was: %s\n", error.text);
    plait_rod_free(rod);
}

CASE(a_sound_rod_is_made)
{
    double points[3 * COUNT];
    plait_rod_def def = sound(points);
    plait_error error = {0};
    plait_rod *rod = plait_rod_new(&def, &error);
    CHECK(rod != NULL);
    CHECK_INT(plait_rod_segments(rod), COUNT - 1);
    CHECK_INT(plait_rod_dofs(rod), 4 * COUNT - 1);
    plait_rod_free(rod);
    plait_rod_free(NULL);
}

CASE(bad_polylines)
{
    double points[3 * COUNT];
    plait_rod_def def = sound(points);
    def.point_count = 1;
    refuse(&def, "rod 17", "at least 2 vertices are expected, found 1");
    def.points = NULL;
    refuse(&def, "rod 17", "found 0");

    def = sound(points);
    points[3 * 3 + 1] = NAN;
    refuse(&def, "rod 17, vertex 3", "finite");
    points[3 * 3 + 1] = INFINITY;
    refuse(&def, "rod 17, vertex 3", "inf");

    def = sound(points);
    memcpy(points + 6, points + 3, 3 * sizeof *points);
    refuse(&def, "rod 17, vertex 2", "coincides with vertex 1");

    def = sound(points);
    for (int i = 0; i < 3 * COUNT; i++)
        points[i] = 0.25;
    refuse(&def, "rod 17", "no length");

    def = sound(points);
    memcpy(points + 9, points + 3, 3 * sizeof *points); // out and back
    refuse(&def, "rod 17, vertex 2", "folds back");

    def = sound(points);
    def.segments = -1;
    refuse(&def, "rod 17", "segments");
}

CASE(bad_sections_and_materials)
{
    double points[3 * COUNT];
    plait_rod_def def = sound(points);
    def.section.EI[1] = -1;
    refuse(&def, "rod 17", "EI[1]");
    def = sound(points);
    def.section.mass = 0;
    refuse(&def, "rod 17", "mass must be finite and positive, but is 0");
    def = sound(points);
    def.section.GJ = NAN;
    refuse(&def, "rod 17", "GJ");
    def = sound(points);
    def.section.radius[0] = def.section.radius[1] = 0.02; // segments are 0.01 long
    refuse(&def, "rod 17, vertex 0", "radius 0.02");

    const struct {
        plait_material material;
        const char *word;
    } bad[] = {
        {{.radius = {0}, .density = 1000, .young = 1e9}, "radius"},
        {{.radius = {1e-4, -1e-4}, .density = 1000, .young = 1e9}, "second radius"},
        {{.radius = {1e-4}, .density = -1, .young = 1e9}, "density"},
        {{.radius = {1e-4}, .density = 1000, .young = -1e9}, "Young's modulus"},
        {{.radius = {1e-4}, .density = 1000, .young = NAN}, "Young's modulus"},
        {{.radius = {1e-4}, .density = 1000, .young = 1e9, .shear = -1}, "shear"},
        {{.radius = {1e-4}, .density = 1000, .young = 1e9, .poisson = 0.7}, "Poisson"},
        {{.radius = {1e-4}, .density = 1000, .young = 1e9, .poisson = -1}, "Poisson"},
        {{.radius = {1e-4}, .density = 1000, .young = 1e9, .viscosity = -1}, "viscosity"},
        {{.radius = {1e-4}, .density = 1000, .young = 1e9, .damping = INFINITY}, "damping"},
        {{.radius = {50}, .density = 1000, .young = 1e9}, "radius"}, // given in micrometres, perhaps
    };
    for (int i = 0; i < (int)(sizeof bad / sizeof *bad); i++) {
        plait_section section;
        plait_error error = {0};
        CHECK_INT(plait_material_section(&bad[i].material, &section, &error), PLAIT_BAD_INPUT);
        if (!CHECK(strstr(error.text, bad[i].word) != NULL))
            printf("  the message was: %s\n", error.text);
    }
}

CASE(bad_natural_shapes_and_ends)
{
    double points[3 * COUNT];
    plait_rod_def def = sound(points);
    def.length = -1;
    refuse(&def, "rod 17", "natural length");
    def = sound(points);
    def.gravity[1] = NAN;
    refuse(&def, "rod 17", "gravity");
    def = sound(points);
    def.natural = PLAIT_NATURAL_CONSTANT;
    def.curvature[0] = 1000; // ten radians at each vertex
    refuse(&def, "rod 17, vertex 1", "more segments");
    for (int i = 0; i < COUNT; i++)
        points[3 * i + 1] = 0;
    for (int k = 0; k < 2; k++) { // more than a right angle at each vertex is fine, to be folded is not
        def.curvature[0] = (k ? 175 : 165) * M_PI / 180 / 0.01;
        plait_rod *rod = plait_rod_new(&def, NULL);
        CHECK((rod == NULL) == (k == 1));
        plait_rod_free(rod);
    }
    def = sound(points);
    def.end[1].kind = PLAIT_END_PINNED;
    def.end[1].position[0] = NAN;
    refuse(&def, "rod 17", "last end's position");
    def = sound(points);
    def.end[0] = (plait_end){.kind = PLAIT_END_CLAMPED, .tangent = {1, 0, 0}, .director = {2, 0, 0}};
    refuse(&def, "rod 17", "first end's director");
    def = sound(points);
    def.end[0] = (plait_end){.kind = PLAIT_END_CLAMPED, .tangent = {NAN, 0, 0}};
    refuse(&def, "rod 17", "first end's tangent");
    def = sound(points);
    def.end[0].kind = (plait_end_kind)9;
    refuse(&def, "rod 17", "unknown condition 9");
    def = sound(points);
    def.model = PLAIT_ROD_MODEL_COUNT;
    refuse(&def, "rod 17", "no rod model");
}

CASE(bad_steps_leave_the_rod_alone)
{
    double points[3 * COUNT], before[3 * COUNT], after[3 * COUNT];
    plait_rod_def def = sound(points);
    def.gravity[2] = -9.81;
    plait_rod *rod = plait_rod_new(&def, NULL);
    plait_rod_positions(rod, before);
    const double bad[] = {0, -1e-3, NAN, INFINITY};
    for (int i = 0; i < 4; i++) {
        plait_error error = {0};
        plait_step_report report;
        CHECK_INT(plait_rod_step(rod, bad[i], NULL, &report, &error), PLAIT_BAD_INPUT);
        CHECK(strstr(error.text, "rod 17") && strstr(error.text, "time step"));
        CHECK(!report.converged);
    }
    plait_error error = {0};
    plait_step_options options = plait_default_step_options();
    options.scheme = PLAIT_STEP_EXPLICIT;
    CHECK_INT(plait_rod_step(rod, 1e-3, &options, NULL, &error), PLAIT_BAD_INPUT);
    CHECK(strstr(error.text, "explicit") != NULL);
    double force[3] = {0, NAN, 0};
    plait_rod_set_force(rod, 2, force);
    CHECK_INT(plait_rod_step(rod, 1e-3, NULL, NULL, &error), PLAIT_BAD_INPUT);
    plait_end end = {.kind = PLAIT_END_PINNED, .position = {INFINITY, 0, 0}};
    CHECK_INT(plait_rod_set_end(rod, 0, &end, &error), PLAIT_BAD_INPUT);
    CHECK_INT(plait_rod_get_end(rod, 0).kind, PLAIT_END_FREE);
    plait_rod_positions(rod, after);
    for (int i = 0; i < 3 * COUNT; i++)
        CHECK(before[i] == after[i]);
    plait_rod_free(rod);
}
