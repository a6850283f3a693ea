// sim_soft.c: cloth and solids among fibres, rigid bodies and colliders: nothing passes through anything (judged by
// passing.h), hair bound to what is soft pulls at it, areas, queries, bits, memory.
#include <math.h>

#include "body/soft.h"
#include "check.h"
#include "heap.h"
#include "math/vec3.h"
#include "passing.h"
#include "plait/plait.h"
#include "sim/sim.h"
#include "sim_text.h"

// MUMPS, which solvers that factorise use, calls the heap whenever it likes and does not survive when that fails: memory is
// counted with a solver that does without.
static const char *const without_factors[] = {"solver.solver=gs"};

static plait_sim *start(const char *text)
{
    return sim_of_text(text, 0, NULL);
}

static void all_nodes(plait_sim *sim, double *x)
{
    const plait_model *m = &sim->model;
    plait_sim_positions(sim, x);
    for (int i = 0; i < m->skins; i++)
        plait_sim_skin_positions(sim, i, x + 3 * (ptrdiff_t)m->first_skin_node[i]);
    for (int i = 0; i < m->scene->rigids; i++) {
        double q[4];
        plait_sim_rigid_pose(sim, i, x + 3 * (ptrdiff_t)(m->nodes + i), q);
    }
}

static int passes(plait_sim *sim, const double *x0, const double *x1)
{
    const plait_model *m = &sim->model;
    passing_parts all = {0};
    unsigned char self[256] = {0};
    for (int i = 0; i < m->chains; i++)
        passing_add_chain(&all, i, m->first_node[i] + (m->chain[i].carrier[0] > 0), m->first_node[i + 1] - 1, x0,
                          x1); // roots are on it
    for (int i = 0; i < m->skins; i++) {
        const plait_skin *s = m->skin[i].skin;
        int body = m->chains + i, first = m->first_skin_node[i];
        self[body] = s->self;
        for (int t = 0; t < s->triangles; t++)
            passing_add_triangle(&all, body, first, s->triangle + 3 * t, x0, x1);
    }
    for (int i = 0; i < m->scene->rigids; i++)
        passing_add(&all, m->chains + m->skins + i, 1, (int[]){m->nodes + i}, x0, x1);
    int count = passing_count(&all, self, x0, x1);
    free(all.part);
    return count;
}

typedef struct told {
    int contacts, passed;
} told;

static told run(plait_sim *sim, int steps, bool judged)
{
    told t = {0};
    size_t numbers = 3 * (size_t)(sim->model.nodes + sim->model.scene->rigids);
    double *x0 = malloc(numbers * sizeof *x0), *x1 = malloc(numbers * sizeof *x1);
    all_nodes(sim, x0);
    for (int i = 0; i < steps; i++) {
        plait_sim_report r;
        plait_error error = {0};
        if (!CHECK(plait_sim_step(sim, INFINITY, &r, &error) == PLAIT_OK && !r.failed)) {
            printf("step %d: %s %s\n", i, error.text, r.reason ? r.reason : "");
            break;
        }
        all_nodes(sim, x1);
        t.passed += judged ? passes(sim, x0, x1) : 0;
        t.contacts = r.contacts > t.contacts ? r.contacts : t.contacts;
        double *swap = x0;
        x0 = x1, x1 = swap;
    }
    free(x0), free(x1);
    return t;
}

static const char party[] = "materials: {a: {radius: 0.4 mm}}\n"
                            "friction: {default: 0.3}\n"
                            "colliders: {floor: {shape: plane, position: [0, 0, -3 cm]}}\n"
                            "cloth:\n"
                            "  sheet: {grid: {width: 10 cm, height: 10 cm, cell: 1.25 cm}, thickness: 1 mm, stretch: 50,\n"
                            "          pins: [{side: rim}]}\n"
                            "  napkin: {grid: {width: 5 cm, height: 5 cm, cell: 1 cm}, thickness: 1 mm, stretch: 50,\n"
                            "           position: [0, 0, 5 cm], velocity: [0, 0, -3]}\n"
                            "solids:\n"
                            "  jelly: {box: {size: [3 cm, 3 cm, 1.5 cm], cell: 1.5 cm}, young: 2e4, position: [0, 0, 1 cm]}\n"
                            "  drop: {sphere: {radius: 8 mm, cell: 8 mm}, young: 2e4, position: [1 cm, 0, 7 cm],\n"
                            "         velocity: [0, 0, -2]}\n"
                            "bodies:\n"
                            "  ball: {shape: sphere, radius: 4 mm, density: 1000, position: [-1 cm, 5 mm, 8 cm],\n"
                            "         velocity: [0, 0, -4]}\n"
                            "fibres:\n"
                            "  straw: {line: {count: 3, from: [-3 cm, -1 cm, 3.5 cm], direction: [1, 0.1, 0], length: 6 cm,\n"
                            "          spacing: [0, 1 cm, 0]}, segments: 6}\n"
                            "  hair: {line: {count: 3, from: [-1 cm, -1.2 cm, 1.75 cm], direction: [0, -0.3, 1], length: 2 cm,\n"
                            "         spacing: [1 cm, 0, 0]}, segments: 4, ends: {root: clamped, skin: jelly}}\n"
                            "step: {dt: 4 ms}\n";

CASE(nothing_passes)
{
    plait_sim *sim = start(party);
    if (!sim)
        return;
    told all = run(sim, CHECK_SANITIZED ? 12 : 40, true);
    CHECK_INT(all.passed, 0);
    CHECK(all.contacts > (CHECK_SANITIZED ? 10 : 50));
    plait_sim_free(sim);
}

CASE(no_heap_calls_in_a_step_that_was_done_before)
{
    if (!COUNTS)
        SKIP("heap calls cannot be counted here");
    plait_sim *sim = sim_of_text(party, 1, without_factors);
    if (!sim)
        return;
    int64_t size = plait_sim_state_size(sim);
    double *from = malloc((size_t)size * sizeof *from);
    plait_sim_get_state(sim, from);
    long called = 0;
    for (int pass = 0; pass < 2; pass++) {
        CHECK_INT(plait_sim_set_state(sim, from, size, NULL), PLAIT_OK);
        long before = calls;
        for (int i = 0; i < 16; i++) {
            plait_sim_report r;
            CHECK(plait_sim_step(sim, INFINITY, &r, NULL) == PLAIT_OK && !r.failed);
        }
        called = calls - before;
    }
    CHECK_INT(called, 0);
    free(from), plait_sim_free(sim);
}

// ---- bound ends ------------------------------------------------------------------------------------------------------

static const char bound[] = "gravity: [0, 0, %s]\n"
                            "materials: {a: {radius: 1 mm}}\n"
                            "friction: {default: 0.3}\n"
                            "solids:\n"
                            "  jelly: {box: {size: [4 cm, 4 cm, 2 cm], cell: 1 cm}, young: 3e4, spin: [0, 0, %s]}\n"
                            "fibres:\n"
                            "  hair: {line: {from: [2 mm, 3 mm, 1 cm], direction: [0, 0, 1], length: 6 cm}, segments: 6,\n"
                            "         ends: {root: %s, skin: jelly}}\n"
                            "step: {dt: 2 ms}\n";

// Mass and momentum of the block and the hair together.
static double momentum(plait_sim *sim, double p[3])
{
    const plait_model *m = &sim->model;
    const plait_soft_impl *soft = m->body[m->skin_body[0]].impl;
    int nodes = m->first_node[1], count = soft->nodes;
    double v[300], *u = malloc(3 * (size_t)count * sizeof *u), sum = 0;
    double link = plait_rod_length(plait_sim_rod(sim, 0)) / (nodes - 1) * m->scene->material[0].rod.density * M_PI * 1e-6;
    plait_vec3_set(p, 0, 0, 0);
    plait_sim_velocities(sim, v), plait_sim_skin_velocities(sim, 0, u);
    for (int n = 0; n < nodes; n++) {
        double mass = n == 0 || n + 1 == nodes ? 0.5 * link : link;
        plait_vec3_axpy(mass, v + 3 * n, p), sum += mass;
    }
    for (int n = 0; n < count; n++)
        plait_vec3_axpy(soft->mass[n], u + 3 * (size_t)n, p), sum += soft->mass[n];
    free(u);
    return sum;
}

// Hair that stands on a block which falls freely with it: they stay together, and what the tie does to one it does to the other.
CASE(hair_on_jelly)
{
    static const char *const kind[] = {"pinned", "clamped"};
    for (int k = 0; k < 2; k++) {
        char text[2048];
        snprintf(text, sizeof text, bound, "-9.81", "3", kind[k]);
        plait_sim *sim = start(text);
        if (!sim)
            return;
        double p[3], mass;
        plait_sim_report r = {0};
        for (int i = 0; i < 100; i++)
            CHECK(plait_sim_step(sim, INFINITY, &r, NULL) == PLAIT_OK && !r.failed);
        CHECK_INT(r.contacts, k ? 4 : 1);
        // The root is where it was on its triangle.
        const plait_model *m = &sim->model;
        double *x = malloc(3 * (size_t)m->nodes * sizeof *x), at[3] = {0, 0, 0}, d[3];
        all_nodes(sim, x);
        const plait_side *side = &sim->work.previous.touch[0].side[1];
        int node[3];
        double weight[3];
        int count = plait_side_weights(m->skin[0].skin, side, node, weight);
        for (int n = 0; n < count; n++)
            plait_vec3_axpy(weight[n], x + 3 * (size_t)(m->first_skin_node[0] + node[n]), at);
        plait_vec3_sub(at, x, d);
        CHECK(plait_vec3_norm(d) < 1e-5);
        // All of it falls as one body does: ties and elastic forces are inner ones.
        mass = momentum(sim, p);
        CHECK_REL(p[2], -mass * 9.81 * 100 * 2e-3, 1e-5);
        CHECK(hypot(p[0], p[1]) < 1e-5 * fabs(p[2]));
        plait_vec3_sub(x + 3, x, d);
        CHECK(k == 0 || d[2] > 0.95 * plait_vec3_norm(d)); // clamped: it still stands
        free(x), plait_sim_free(sim);
    }
}

// A bent hair on a block that is held, gravity across its bend: about its root it would swing round like a gate, if it could
// turn there. How far its tip goes, relative to its reach.
static double gate(plait_rod_model model, plait_end_kind kind)
{
    plait_error error = {0};
    plait_scene *scene = plait_scene_from_text(
        "materials: {a: {radius: 0.2 mm, density: 1200, young: 1 GPa, damping: 5 ms}}\ngravity: [0, 9.81, 0]\n"
        "solids: {jelly: {material: a, box: {size: [4 cm, 4 cm, 2 cm], cell: 1 cm}, young: 3e5, position: [0, 0, -1 cm], "
        "pins: [{side: bottom}]}}\nstep: {dt: 2 ms}\nsolver: {solver: gs}\n",
        "", 0, NULL, 0, NULL, &error);
    const double point[9] = {2e-3, 3e-3, 0, 2e-3, 3e-3, 0.01, 0.022, 3e-3, 0.01};
    if (!CHECK(scene != NULL))
        return NAN;
    int i = plait_scene_add_fibre(scene, model, 0, 3, point);
    scene->fibre[i].segments = 6, scene->fibre[i].end[0] = kind, scene->fibre[i].soft[0] = 1;
    scene->fibre[i].natural = PLAIT_NATURAL_POLYLINE;
    plait_sim *sim = plait_sim_new(scene, &error);
    plait_scene_free(scene);
    if (!CHECK(sim != NULL)) {
        printf("%s\n", error.text);
        return NAN;
    }
    double x[300], start[300];
    plait_sim_report r;
    plait_sim_positions(sim, start);
    for (int k = 0; k < 100; k++)
        CHECK(plait_sim_step(sim, INFINITY, &r, NULL) == PLAIT_OK && !r.failed);
    plait_sim_positions(sim, x);
    int tip = 3 * (sim->model.first_node[1] - 1);
    double far = x[tip + 1] - start[tip + 1];
    plait_sim_free(sim);
    return far / (start[tip] - start[0]);
}

CASE(clamped_ends_do_not_twist)
{
    double turns = gate(PLAIT_ROD_DER, PLAIT_END_PINNED);
    CHECK(turns > 0.5);
    for (int k = 0; k < 2; k++) {
        double far = gate(k ? PLAIT_ROD_CORDE : PLAIT_ROD_DER, PLAIT_END_CLAMPED);
        printf("tip of a bent hair: %.3f of its reach pinned, %.3f clamped\n", turns, far);
        CHECK(far > 1e-4 && far < 0.1);
    }
}

// The areas of all contacts of two things that lie on each other are that of where they touch, whatever their meshes are.
static double touching(const char *low, const char *high)
{
    char text[1024];
    double area = 0;
    snprintf(text, sizeof text,
             "materials: {a: }\nfriction: {default: 0.3}\n%s\n%s\nstep: {dt: 2 ms}\n", low, high);
    plait_sim *sim = start(text);
    plait_sim_report r;
    if (!sim)
        return NAN;
    CHECK(plait_sim_step(sim, INFINITY, &r, NULL) == PLAIT_OK && r.contacts > 0);
    for (int i = 0; i < r.contacts; i++)
        area += sim->work.previous.touch[i].area;
    plait_sim_free(sim);
    return area;
}

CASE(areas_do_not_depend_on_meshes)
{
#define SHEET(name, side, cell, pattern, z)                                                                            \
    "  " name ": {grid: {width: " side ", height: " side ", cell: " cell ", pattern: " pattern "}, thickness: 1 mm, "  \
    "self: false, position: [0, 0, " z "]}\n"
    const char *const ball = "colliders: {ball: {shape: sphere, radius: 20 m, position: [0, 0, -20 m]}}";
    const char *const cells[3] = {"1 cm", "5 mm", "2.5 mm"};
    for (int k = 0; k < 3; k++) {
        char sheet[512], two[512];
        snprintf(sheet, sizeof sheet, "cloth:\n  a: {grid: {width: 4 cm, height: 4 cm, cell: %s}, thickness: 1 mm, "
                                      "self: false, position: [0, 0, 0.55 mm]}\n", cells[k]);
        CHECK_REL(touching(ball, sheet), 16e-4, 0.01);
        snprintf(two, sizeof two, "cloth:\n" SHEET("low", "4 cm", "8 mm", "irregular", "0")
                                  "  high: {grid: {width: 4 cm, height: 4 cm, cell: %s}, thickness: 1 mm, self: false, "
                                  "position: [0, 0, 1.05 mm]}\n", cells[k]);
        double area = touching(two, "");
        CHECK(area > 0.8 * 16e-4 && area < 1.0001 * 16e-4);
        printf("area of two sheets over that of one, cells of %s: %.3f\n", cells[k], area / 16e-4);
    }
#undef SHEET
}

// Cloth that is held all over and drawn along takes a box with it: by friction, at mu g t. No step is rejected.
CASE(held_nodes_take_along)
{
    plait_sim *sim = start("materials: {a: {radius: 1 mm}}\nfriction: {default: 0.2}\n"
                           "colliders: {belt: {shape: none, motion: {drives: [{kind: linear, velocity: [0.5, 0, 0]}]}}}\n"
                           "cloth:\n  sheet: {grid: {width: 20 cm, height: 10 cm, cell: 5 cm}, thickness: 1 mm, self: false,\n"
                           "          pins: [{attach: belt}]}\n"
                           "bodies: {box: {shape: box, size: [2 cm, 2 cm, 4 mm], density: 50, position: [0, 0, 2.5 mm]}}\n"
                           "step: {dt: 1 ms, adaptive: false}\n");
    if (!sim)
        return;
    plait_sim_report r;
    double v[3], spin[3], t = 0.05;
    while (plait_sim_time(sim) < t)
        CHECK(plait_sim_step(sim, t, &r, NULL) == PLAIT_OK && !r.failed && r.rejections == 0);
    plait_sim_rigid_velocity(sim, 0, v, spin);
    CHECK_REL(v[0], 0.2 * 9.81 * t, 1e-3);
    plait_sim_free(sim);
}

// ---- queries, areas --------------------------------------------------------------------------------------------------

CASE(queries_and_areas)
{
    plait_sim *sim = start("materials: {a: {radius: 1 mm}}\nfriction: {default: 0.3}\n"
                           "colliders: {floor: {shape: plane}}\n"
                           "cloth:\n  sheet: {grid: {width: 4 cm, height: 4 cm, cell: 1 cm}, thickness: 1 mm,\n"
                           "          position: [0, 0, 0.6 mm]}\nstep: {dt: 2 ms}\n");
    if (!sim)
        return;
    plait_sim_hit hit;
    CHECK(plait_sim_find_nearest(sim, (double[]){3e-3, 4e-3, 0.0206}, 0.1, &hit));
    CHECK_INT((int)hit.kind, PLAIT_PARTNER_CLOTH);
    CHECK_NEAR(hit.distance, 0.0195, 1e-12);
    CHECK_NEAR(hit.normal[2], 1, 1e-12);
    CHECK(plait_sim_find_ray(sim, (double[]){3e-3, 4e-3, 0.0206}, (double[]){0.1, 0, -1}, 0.1, &hit));
    CHECK_INT((int)hit.kind, PLAIT_PARTNER_CLOTH);
    CHECK_NEAR(hit.position[2], 0.6e-3, 1e-12);
    CHECK_NEAR(hit.position[0], 5e-3, 1e-12);
    CHECK(plait_sim_find_ray(sim, (double[]){0.03, 0, 0.02}, (double[]){0, 0, -1}, 0.1, &hit));
    CHECK_INT((int)hit.kind, PLAIT_PARTNER_COLLIDER);
    plait_sim_report r;
    CHECK(plait_sim_step(sim, INFINITY, &r, NULL) == PLAIT_OK);
    CHECK_INT(r.contacts, 25);
    double area = 0, most = 0;
    for (int i = 0; i < r.contacts; i++)
        area += sim->work.previous.touch[i].area, most = fmax(most, sim->work.previous.touch[i].area);
    CHECK_REL(area, 16e-4, 1e-9); // the cloth's
    CHECK_REL(most, 1e-4, 1e-9);  // a cell for each node inside
    plait_sim_skin_nodes nodes = {.size = sizeof nodes};
    CHECK_INT(plait_sim_view_skin(sim, 0, &nodes, NULL), PLAIT_OK);
    CHECK_INT(nodes.skin.nodes, 25), CHECK_INT(nodes.skin.triangles, 32);
    CHECK_NEAR(nodes.x[2], 0.5e-3, 2e-4);
    CHECK_INT(plait_sim_view_skin(sim, 1, &nodes, NULL), PLAIT_BAD_INPUT);
    plait_sim_free(sim);
}

// Whichever allocation of a step fails: it says so, and the state is as before.
CASE(each_allocation_fails)
{
    enum { STRIDE = 5 };
    if (!COUNTS)
        SKIP("heap calls cannot be counted here");
    plait_error error = {0};
    plait_scene *scene = plait_scene_from_text(party, NULL, 1, without_factors, 0, NULL, &error);
    if (!CHECK(scene != NULL)) {
        printf("%s\n", error.text);
        return;
    }
    plait_sim *sim = plait_sim_new(scene, &error);
    plait_sim_set_threads(sim, 1);
    run(sim, 14, false);
    int64_t size = plait_sim_state_size(sim);
    double *before = malloc((size_t)size * sizeof *before), *now = NULL;
    plait_sim_get_state(sim, before);
    plait_sim_free(sim);
    long needed = 1, wrong = 0, refused = 0;
    for (long k = 0; k <= needed; k += k == 0 ? 1 : STRIDE) { // first without a failure, to see how many there are
        sim = plait_sim_new(scene, &error);
        plait_sim_set_threads(sim, 1);
        plait_pool_free(sim->work.pool), sim->work.pool = NULL; // every piece comes from the heap
        CHECK_INT(plait_sim_set_state(sim, before, size, NULL), PLAIT_OK);
        plait_sim_report r;
        long first = calls;
        fail_at = k > 0 ? calls + k : 0;
        plait_status status = plait_sim_step(sim, INFINITY, &r, NULL);
        fail_at = 0;
        if (k == 0)
            needed = calls - first;
        if (status == PLAIT_NO_MEMORY) {
            int64_t is = plait_sim_state_size(sim);
            now = realloc(now, (size_t)is * sizeof *now);
            plait_sim_get_state(sim, now);
            wrong += is != size || memcmp(now, before, (size_t)size * sizeof *now) != 0;
            refused++;
        } else {
            wrong += status != PLAIT_OK || r.rejections > 0;
        }
        plait_sim_free(sim);
    }
    printf("%ld allocations, %ld tried and refused, %ld wrong\n", needed, refused, wrong);
    CHECK_INT(wrong, 0);
    CHECK(refused > needed / STRIDE / 2);
    free(before), free(now), plait_scene_free(scene);
}
