// Overrides by path, the small variant, and the effective scene: what is written reads back as the same scene.
#include <locale.h>
#include <unistd.h>

#include "check.h"
#include "scene/schema_scene.h"

static const char *const sample =
    "name: sample\n"
    "title: \"A: title # with signs\"\n"
    "gravity: [0, 0, -981 cm/s^2]\n"
    "wind: {velocity: \"[1, 0, 0] m/s\", gust: [0, 1, 0], frequency: 2 Hz}\n"
    "materials:\n"
    "  hair: {radius: [37 um, 0.05 mm], young: 3.9 GPa, contact_radius: 1 mm}\n"
    "  skin:\n"
    "friction: {default: 0.2, pairs: [[hair, skin, 0.5]]}\n"
    "restitution: {pairs: [[skin, hair, 0.25]]}\n"
    "colliders:\n"
    "  - name: ball\n"
    "    material: skin\n"
    "    shape: sphere\n"
    "    radius: 9 cm\n"
    "    position: [0, 0, 1]\n"
    "    motion:\n"
    "      ease: smooth\n"
    "      keys: [{time: 0}, {time: 1, position: [0, 0, 1 cm], rotation: [0, 0, 90 deg]},\n"
    "             {time: 2, position: [0, 0, 0]}]\n"
    "      drives: [{kind: sine, turn: [0, 0, 0.5 turn], frequency: 2, phase: 30 deg, stop: 3}]\n"
    "  - {material: skin, shape: capsule, radius: 1 cm, length: 10 cm}\n"
    "  - {material: skin, shape: box, size: [1, 2, 3], rotation: [0, 0.25 turn, 0]}\n"
    "  - {material: skin, shape: curve, radius: 1 mm, points: [[0, 0, 5], [1, 0, 5], [1, 1, 5]]}\n"
    "  - {material: skin, shape: plane, position: [0, 0, -5]}\n"
    "bodies:\n"
    "  stone: {material: skin, shape: box, size: [2 cm, 4 cm, 6 cm], density: 2.6 g/cm^3,\n"
    "          position: [3, 3, 3], velocity: [0, 0, 1], spin: [60 rpm, 0, 0]}\n"
    "fibres:\n"
    "  - name: hair\n"
    "    material: hair\n"
    "    model: superhelix\n"
    "    segments: 4\n"
    "    ends: {root: clamped, attach: ball}\n"
    "    natural: {shape: curl, radius: 3 mm, pitch: 2 cm}\n"
    "    line: {from: [0, 0, 1.1], length: 10 cm, count: 3}\n"
    "  - material: hair\n"
    "    natural: {shape: drawn}\n"
    "    velocity: [1, 2, 3]\n"
    "    polyline: {points: [[2, 0, 1], [2 , 1 cm, 1], [2, 2 cm, 1]]}\n"
    "step: {dt: 2 ms, rod: {scheme: linear}}\n"
    "solver: {solver: gs, tol: 1e-4}\n"
    "contact: {detection: proximity, self: false}\n"
    "output: {duration: 3 s, fps: 50}\n"
    "small:\n"
    "  fibres.hair.line.count: 1\n"
    "  fibres.1.velocity: [0, 0, 0]\n"
    "  step.dt: 4 ms\n"
    "  output.contacts: true\n";

static plait_scene *read_with(int count, const char *const *overrides, plait_error *error)
{
    return plait_scene_parse(sample, strlen(sample), "sample.yaml", "", count, overrides, error);
}

static plait_scene *read_one(const char *override, plait_error *error)
{
    return read_with(override ? 1 : 0, &override, error);
}

// ---- equal scenes ------------------------------------------------------------------------------------------------

static void check_shapes(const plait_shape *a, const plait_shape *b)
{
    CHECK(a->kind == b->kind && a->points == b->points && a->triangles == b->triangles && a->closed == b->closed);
    CHECK(memcmp(a->size, b->size, sizeof a->size) == 0);
    if (a->points > 0 && a->points == b->points)
        CHECK(memcmp(a->point, b->point, 3 * sizeof *a->point * (size_t)a->points) == 0);
}

static void check_motions(const plait_motion *a, const plait_motion *b)
{
    if (!CHECK(a->keys == b->keys && a->drives == b->drives && a->ease == b->ease))
        return;
    for (double t = -0.5; t < 4; t += 0.37) {
        double x[3], y[3], p[4], q[4];
        plait_motion_at(a, t, x, p);
        plait_motion_at(b, t, y, q);
        CHECK(memcmp(x, y, sizeof x) == 0 && memcmp(p, q, sizeof p) == 0);
    }
}

static void check_fibres(const plait_fibre *a, const plait_fibre *b)
{
    CHECK(a->group == b->group && a->model == b->model && a->material == b->material && a->points == b->points &&
          a->segments == b->segments && a->samples == b->samples && a->natural == b->natural && a->start == b->start);
    CHECK(memcmp(a->point, b->point, 3 * sizeof *a->point * (size_t)a->points) == 0);
    CHECK(memcmp(a->curvature, b->curvature, sizeof a->curvature) == 0 && a->twist == b->twist);
    CHECK(a->length == b->length && memcmp(a->director, b->director, sizeof a->director) == 0);
    CHECK(memcmp(a->end, b->end, sizeof a->end) == 0 && memcmp(a->attach, b->attach, sizeof a->attach) == 0);
    CHECK(memcmp(a->velocity, b->velocity, sizeof a->velocity) == 0 && memcmp(a->spin, b->spin, sizeof a->spin) == 0);
}

static void check_equal(const plait_scene *a, const plait_scene *b)
{
    CHECK_STR(a->name, b->name);
    CHECK((!a->title && !b->title) || strcmp(a->title, b->title) == 0);
    if (!CHECK(a->materials == b->materials && a->fibres == b->fibres && a->groups == b->groups) ||
        !CHECK(a->colliders == b->colliders && a->rigids == b->rigids))
        return;
    CHECK(memcmp(a->gravity, b->gravity, sizeof a->gravity) == 0 && memcmp(a->wind, b->wind, sizeof a->wind) == 0);
    CHECK(memcmp(a->gust, b->gust, sizeof a->gust) == 0 && a->gust_frequency == b->gust_frequency);
    size_t table = sizeof(double) * (size_t)(a->materials * a->materials);
    CHECK(memcmp(a->mu, b->mu, table) == 0 && memcmp(a->restitution, b->restitution, table) == 0);
    for (int i = 0; i < a->materials; i++)
        CHECK(memcmp(&a->material[i].rod, &b->material[i].rod, sizeof a->material[i].rod) == 0 &&
              a->material[i].contact_radius == b->material[i].contact_radius);
    for (int i = 0; i < a->fibres; i++)
        check_fibres(&a->fibre[i], &b->fibre[i]);
    for (int i = 0; i < a->colliders; i++) {
        CHECK_STR(a->collider[i].name, b->collider[i].name);
        check_shapes(&a->collider[i].shape, &b->collider[i].shape);
        check_motions(&a->collider[i].motion, &b->collider[i].motion);
        CHECK(memcmp(a->collider[i].position, b->collider[i].position, sizeof(double[3])) == 0);
        CHECK(memcmp(a->collider[i].rotation, b->collider[i].rotation, sizeof(double[3])) == 0);
    }
    for (int i = 0; i < a->rigids; i++) {
        check_shapes(&a->rigid[i].shape, &b->rigid[i].shape);
        CHECK(memcmp(a->rigid[i].spin, b->rigid[i].spin, sizeof(double[3])) == 0);
        CHECK(a->rigid[i].density == b->rigid[i].density);
    }
    CHECK(a->stepping.dt == b->stepping.dt && a->stepping.dt_min == b->stepping.dt_min);
    CHECK(a->stepping.rod.scheme == b->stepping.rod.scheme && a->stepping.solve.tol == b->stepping.solve.tol);
    CHECK(a->detecting.mode == b->detecting.mode && a->detecting.self == b->detecting.self);
    CHECK(a->output.duration == b->output.duration && a->output.frame_time == b->output.frame_time);
    CHECK_STR(a->text, b->text);
}

// Segments of the first fibre, however its generator says it.
static int pieces(const plait_scene *s)
{
    return s->fibre[0].segments > 0 ? s->fibre[0].segments : s->fibre[0].points - 1;
}

// ---- cases -------------------------------------------------------------------------------------------------------

CASE(everything_arrives)
{
    plait_error error = {0};
    plait_scene *s = read_one(NULL, &error);
    if (!CHECK(s)) {
        puts(error.text);
        return;
    }
    CHECK_STR(s->name, "sample");
    CHECK_STR(s->title, "A: title # with signs");
    CHECK(!s->reproduces && s->gravity[2] == -9.81 && s->wind[0] == 1 && s->gust[1] == 1 && s->gust_frequency == 2);
    CHECK_INT(s->materials, 2);
    CHECK(s->material[0].rod.radius[0] == 37e-6 && s->material[0].rod.radius[1] == 50e-6);
    CHECK(s->material[0].rod.young == 3.9e9 && s->material[0].rod.density == 1320);
    CHECK(s->material[0].contact_radius == 1e-3 && s->material[1].contact_radius == 0);
    CHECK(s->mu[0] == 0.2 && s->mu[1] == 0.5 && s->mu[2] == 0.5 && s->mu[3] == 0.2);
    CHECK(s->restitution[0] == 0 && s->restitution[1] == 0.25 && s->restitution[2] == 0.25);
    CHECK_INT(s->fibres, 4);
    CHECK_INT(s->groups, 2);
    CHECK_STR(s->group[0], "hair");
    CHECK_STR(s->group[1], "fibres-1");
    CHECK(s->fibre[0].model == PLAIT_ROD_SUPERHELIX && pieces(s) == 4);
    CHECK(s->fibre[0].end[0] == PLAIT_END_CLAMPED && s->fibre[0].attach[0] == 0 && s->fibre[0].attach[1] == -1);
    CHECK(s->fibre[0].natural == PLAIT_NATURAL_CONSTANT && s->fibre[3].natural == PLAIT_NATURAL_POLYLINE);
    CHECK(s->fibre[3].points >= 3 && s->fibre[3].velocity[2] == 3 && s->fibre[3].model == PLAIT_ROD_DER);
    CHECK_INT(s->colliders, 5);
    CHECK(s->collider[0].motion.keys == 3 && s->collider[0].motion.ease == PLAIT_EASE_SMOOTH);
    CHECK(s->collider[0].motion.pivot[2] == 1);                                      // where the collider is
    CHECK_NEAR(s->collider[0].motion.key[2].rotation[2], 1.5707963267948966, 1e-15); // as in the key before
    CHECK(s->collider[0].motion.key[2].position[2] == 0 && s->collider[0].motion.drive[0].turns);
    CHECK_STR(s->collider[1].name, "collider-1");
    CHECK(s->collider[1].shape.size[0] == 0.01 && s->collider[1].shape.size[1] == 0.05);
    CHECK(s->collider[2].shape.size[2] == 1.5 && s->collider[3].shape.points == 3);
    CHECK_INT(s->rigids, 1);
    CHECK_STR(s->rigid[0].name, "stone");
    CHECK(s->rigid[0].shape.kind == PLAIT_SHAPE_BOX && s->rigid[0].shape.size[1] == 0.02);
    CHECK_NEAR(s->rigid[0].spin[0], 6.283185307179586, 1e-14);
    CHECK(s->rigid[0].density == 2600 && s->rigid[0].material == 1);
    CHECK(s->stepping.dt == 2e-3 && s->stepping.dt_min == 2e-3 / 256 && s->stepping.rod.scheme == PLAIT_STEP_LINEAR);
    CHECK(s->stepping.solve.solver == PLAIT_SOLVER_GS && s->stepping.solve.tol == 1e-4);
    CHECK(s->detecting.mode == PLAIT_DETECT_PROXIMITY && !s->detecting.self && s->detecting.fibres);
    CHECK(s->output.duration == 3 && s->output.frame_time == 0.02);
    plait_scene_free(s);
}

CASE(overrides)
{
    const char *const set[] = {"fibres.0.segments=8",
                               "fibres.fibres-1.model=der",
                               "step.dt=5ms",
                               "friction.default=0",
                               "gravity=[0, 0, -1.62] m/s^2",
                               "friction.pairs=[[hair, hair, 0.7]]",
                               "colliders.ball.radius=1 cm",
                               "materials.skin.density=2",
                               "solver.max_iterations=7",
                               "fibres.hair.line.count=2",
                               "title=hello: world",
                               "output.fps=10",
                               "bodies.stone.position=[1 cm, 2, 3]",
                               "materials.hair.radius=\"[1, 2] mm\""};
    plait_error error = {0};
    int count = sizeof set / sizeof *set;
    plait_scene *s = read_with(1, set, &error);
    CHECK(s && pieces(s) == 8);
    plait_scene_free(s);
    s = read_with(count, set, &error);
    if (!CHECK(!s)) // fibres-1 is a name that was given by its place: it is none
        puts(s->text);
    CHECK(strstr(error.text, "there is no 'fibres-1' in 'fibres'"));
    const char *good[16];
    int kept = 0;
    for (int i = 0; i < count; i++)
        if (i != 1 && i != 10)
            good[kept++] = set[i];
    s = read_with(kept, good, &error);
    if (!CHECK(s)) {
        puts(error.text);
        return;
    }
    CHECK(pieces(s) == 8 && s->stepping.dt == 5e-3 && s->stepping.dt_min == 5e-3 / 256);
    CHECK(s->mu[0] == 0.7 && s->mu[1] == 0 && s->gravity[2] == -1.62 && s->collider[0].shape.size[0] == 0.01);
    CHECK(s->material[1].rod.density == 2 && s->stepping.solve.max_iterations == 7 && s->fibres == 3);
    CHECK(s->output.frame_time == 0.1 && s->rigid[0].position[0] == 0.01 && s->material[0].rod.radius[1] == 2e-3);
    plait_scene_free(s);
    s = read_one("title=\"hello: world\"", &error);
    CHECK(s && strcmp(s->title, "hello: world") == 0);
    plait_scene_free(s);
    // the last one wins
    const char *const twice[] = {"step.dt=1ms", "step.dt=3ms"};
    s = read_with(2, twice, &error);
    CHECK(s && s->stepping.dt == 3e-3);
    plait_scene_free(s);
}

CASE(wrong_overrides)
{
    const struct {
        const char *set;
        int column;
        const char *words;
    } cases[] = {
        {"step", 1, "expected PATH=VALUE"},
        {"=3", 1, "expected PATH=VALUE"},
        {"", 1, "expected PATH=VALUE"},
        {"step.dt=", 9, "expected a value after '='"},
        {"step.dtt=1", 6, "unknown key 'dtt'; did you mean 'dt'?"},
        {"stpe.dt=1", 1, "unknown key 'stpe'; did you mean 'step'?"},
        {"step..dt=1", 6, "expected a path like"},
        {"step.=1", 6, "expected a path like"},
        {"step.dt.x=1", 6, "'dt' has no parts"},
        {"step.dt=1 kg", 9, "expected a time [s], found a mass [kg]"},
        {"step.dt=[1]", 9, "expected a time [s], found a list"},
        {"step.dt=20 s", 9, "'dt' must be between"},
        {"fibres.7.segments=1", 8, "'fibres' has entries 0 to 1, found '7'"},
        {"fibres.hiar.segments=1", 8, "there is no 'hiar' in 'fibres'"},
        {"fibres.hair.helix.turns=3", 13, "expected exactly one generator, found 'line' and 'helix'"},
        {"materials.skni.density=1", 11, "there is no 'skni' in 'materials'; did you mean 'skin'?"},
        {"fibres.hair.material=skni", 22, "there is no material 'skni'; did you mean 'skin'?"},
        {"title=a: b: c", 11, "mapping values are not allowed"},
        {"small=maybe", 7, "expected true or false, found 'maybe'"},
        {"small.x=1", 1, "'small' can only be set to true or false"},
        {"gravity=[0, 0, 1] kg", 9, "expected an acceleration [m/s^2], found a mass [kg]"},
        {"restitution.default=1.5", 21, "'default' must be between 0 and 1"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        plait_error error = {0};
        char start[128];
        plait_scene *s = read_one(cases[i].set, &error);
        snprintf(start, sizeof start, "--set %s:1:%d: error: ", cases[i].set, cases[i].column);
        if (!CHECK(!s) || !CHECK(strncmp(error.text, start, strlen(start)) == 0) ||
            !CHECK(strstr(error.text, cases[i].words)))
            printf("--set %s: expected '%s', column %d, found:\n%s\n", cases[i].set, cases[i].words, cases[i].column,
                   s ? "no error" : error.text);
        plait_scene_free(s);
    }
}

CASE(small)
{
    plait_error error = {0};
    const char *const set[] = {"step.dt=1 ms", "small=true"};
    plait_scene *s = read_one("small=true", &error), *b = read_with(2, set, &error),
                *c = read_one("small=false", &error);
    if (!CHECK(s && b && c)) {
        puts(error.text);
        return;
    }
    CHECK_STR(s->name, "sample-small");
    CHECK(s->fibres == 2 && s->stepping.dt == 4e-3 && s->output.contacts && s->fibre[1].velocity[0] == 0);
    CHECK(!strstr(s->text, "small:"));
    CHECK(b->fibres == 2 && b->stepping.dt == 1e-3); // other overrides come after it
    CHECK(c->fibres == 4 && strcmp(c->name, "sample") == 0 && strstr(c->text, "small:"));
    plait_scene_free(s);
    plait_scene_free(b);
    plait_scene_free(c);
    const char *text = "name: a\n", *want = "small=true";
    CHECK(!plait_scene_parse(text, strlen(text), "a.yaml", "", 1, &want, &error));
    CHECK(strstr(error.text, "has no small variant"));
}

CASE(round_trip)
{
    const char *const sets[] = {NULL, "small=true", "fibres.hair.line={length: 3 cm, count: 5}",
                                "gravity=[0, 0, -1] cm/s^2", "wind.velocity=[1, 2, 3]"};
    for (size_t i = 0; i < sizeof sets / sizeof *sets; i++) {
        plait_error error = {0};
        plait_scene *a = read_one(sets[i], &error);
        plait_scene *b =
            a ? plait_scene_parse(a->text, strlen(a->text), "other/name.yaml", "other", 0, NULL, &error) : NULL;
        if (CHECK(a && b))
            check_equal(a, b);
        else
            puts(error.text);
        plait_scene_free(a);
        plait_scene_free(b);
    }
}

static void write_text(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    if (CHECK(file)) {
        fputs(text, file);
        fclose(file);
    }
}

// Relative names are relative to the scene, those of overrides to the working folder; both become absolute.
CASE(relative_files)
{
    const char *mesh = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n";
    plait_error error = {0};
    if (system("mkdir -p sub") != 0)
        SKIP("no folder can be made");
    write_text("sub/inside.obj", mesh);
    write_text("outside.obj", mesh);
    write_text("sub/with.mesh.yaml", "colliders: [{name: m, shape: mesh, file: inside.obj, scale: 1 cm, closed: yes,\n"
                                     "frames: [inside.obj, inside.obj], frame_time: 10 ms}]\n");
    const char *set = "colliders.m.file=outside.obj";
    plait_scene *a = plait_scene_read("sub/with.mesh.yaml", 0, NULL, &error);
    plait_scene *b = plait_scene_read("sub/with.mesh.yaml", 1, &set, &error);
    if (!CHECK(a && b)) {
        puts(error.text);
        return;
    }
    char here[2048], want[2200];
    CHECK(getcwd(here, sizeof here) != NULL);
    CHECK_STR(a->name, "with");
    snprintf(want, sizeof want, "file: %s/sub/inside.obj\n", here);
    CHECK(strstr(a->text, want) != NULL);
    snprintf(want, sizeof want, "file: %s/outside.obj\n", here);
    CHECK(strstr(b->text, want) != NULL);
    const plait_shape *m = &a->collider[0].shape;
    CHECK(m->kind == PLAIT_SHAPE_MESH && m->points == 4 && m->triangles == 4 && m->closed && m->point[3] == 0.01);
    CHECK(m->frames == 2 && m->frame_time == 0.01 && m->frame[12 + 3] == 0.01);
    write_text("written.yaml", b->text);
    plait_scene *c = plait_scene_read("written.yaml", 0, NULL, &error);
    if (CHECK(c))
        check_equal(b, c);
    plait_scene_free(a);
    plait_scene_free(b);
    plait_scene_free(c);
    write_text("outside.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n"); // open, and not the frames' mesh
    CHECK(!plait_scene_read("sub/with.mesh.yaml", 1, &set, &error) &&
          strstr(error.text, "do not belong to exactly two"));
    const char *open[] = {set, "colliders.m.closed=auto"};
    CHECK(!plait_scene_read("sub/with.mesh.yaml", 2, open, &error) && strstr(error.text, "expected 3 vertices and 1 "));
}

// Numbers have a point in files, whatever the locale of the program says.
CASE(locales)
{
    const char *const names[] = {"de_DE.UTF-8", "fr_FR.UTF-8", "de_DE.utf8", "C.UTF-8"};
    plait_error error = {0};
    bool found = false;
    for (int i = 0; i < 4 && !found; i++)
        found = setlocale(LC_NUMERIC, names[i]) != NULL;
    plait_scene *s = read_one("step.dt=1.5 ms", &error);
    CHECK(s && s->stepping.dt == 1.5e-3 && s->material[0].rod.density == 1320);
    setlocale(LC_NUMERIC, "C");
    plait_scene_free(s);
}
