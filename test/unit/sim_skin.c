// sim_skin.c: bodies with a skin in a simulation: they rest, slide, catch what falls on them, push out what is inside, and
// nothing passes through anything: judged by code that shares nothing with the detector.
#include <math.h>

#include "check.h"
#include "math/mat3.h"
#include "math/quat.h"
#include "passing.h"
#include "sim_scenes.h"
#include "toy_skin.h"

static const double G = 9.81;

// ---- the judge -------------------------------------------------------------------------------------------------------

static void all_nodes(plait_sim *sim, double *x)
{
    const plait_model *m = &sim->model;
    plait_sim_positions(sim, x);
    for (int i = 0; i < m->skins; i++) {
        const plait_body *b = &m->body[m->skin_body[i]];
        b->type->nodes(b, x + 3 * (ptrdiff_t)m->first_skin_node[i]);
    }
    double *to = x + 3 * (ptrdiff_t)m->nodes; // behind: centres of rigid bodies, and corners of meshes
    for (int i = 0; i < m->scene->rigids; i++) {
        const plait_shape *shape = &m->scene->rigid[i].shape;
        double q[4], R[9], *centre = to;
        plait_sim_rigid_pose(sim, i, centre, q);
        plait_quat_matrix(q, R);
        to += 3;
        for (int n = 0; n < shape->points; n++, to += 3)
            plait_mat3_affine(R, shape->point + 3 * n, centre, to);
    }
}

static int passes(plait_sim *sim, const double *x0, const double *x1)
{
    const plait_model *m = &sim->model;
    passing_parts all = {0};
    unsigned char self[64] = {0};
    for (int i = 0; i < m->chains; i++)
        passing_add_chain(&all, i, m->first_node[i], m->first_node[i + 1] - 1, x0, x1);
    for (int i = 0; i < m->skins; i++) {
        const plait_skin *s = m->skin[i].skin;
        int body = m->chains + i, first = m->first_skin_node[i];
        self[body] = s->self;
        unsigned char *used = calloc((size_t)m->skin[i].nodes, 1);
        for (int t = 0; t < s->triangles; t++) {
            int n[4];
            for (int k = 0; k < 4; k++)
                n[k] = first + s->triangle[3 * t + k % 3];
            passing_add(&all, body, 3, n, x0, x1);
            for (int k = 0; k < 3; k++) {
                if (n[k] < n[k + 1] || !s->closed) // an edge of a closed skin is seen from both of its triangles
                    passing_add(&all, body, 2, n + k, x0, x1);
                if (!used[n[k] - first]++)
                    passing_add(&all, body, 1, n + k, x0, x1);
            }
        }
        free(used);
    }
    for (int i = 0, at = m->nodes; i < m->scene->rigids; i++) {
        const plait_shape *shape = &m->scene->rigid[i].shape;
        int body = m->chains + m->skins + i;
        passing_add(&all, body, 1, &at, x0, x1);
        at++;
        for (int t = 0; t < shape->triangles; t++)
            passing_add_triangle(&all, body, at, shape->triangle + 3 * t, x0, x1);
        at += shape->points;
    }
    int count = passing_count(&all, self, x0, x1);
    free(all.part);
    return count;
}

typedef struct told {
    int contacts, passed, rejected;
    double deepest;
} told;

// Steps, and what the judge says of each.
static told run(plait_sim *sim, int steps)
{
    told t = {0};
    plait_sim_report r;
    size_t numbers = 3 * (size_t)sim->model.nodes;
    for (int i = 0; i < sim->model.scene->rigids; i++)
        numbers += 3 + 3 * (size_t)sim->model.scene->rigid[i].shape.points;
    double *x0 = malloc(numbers * sizeof *x0), *x1 = malloc(numbers * sizeof *x1);
    all_nodes(sim, x0);
    for (int i = 0; i < steps; i++) {
        plait_error error = {0};
        if (!CHECK(plait_sim_step(sim, INFINITY, &r, &error) == PLAIT_OK && !r.failed)) {
            printf("step %d: %s %s\n", i, error.text, r.reason ? r.reason : "");
            break;
        }
        all_nodes(sim, x1);
        t.passed += passes(sim, x0, x1), t.rejected += r.rejections;
        t.contacts = r.contacts > t.contacts ? r.contacts : t.contacts;
        t.deepest = fmin(t.deepest, r.smallest_gap);
        double *swap = x0;
        x0 = x1, x1 = swap;
    }
    free(x0), free(x1);
    return t;
}

static const double *nodes_of(plait_sim *sim, int i)
{
    return sim->model.body[sim->model.skin_body[i]].state;
}

// ---- planes, friction ------------------------------------------------------------------------------------------------

CASE(a_sheet_rests_on_the_floor)
{
    plait_scene *scene = toy_scene(0.4, 2e-3);
    toy_skin *t = toy_sheet(5, 0.1, (double[]){0, 0, 0.004});
    plait_scene_add_collider(scene, "floor", PLAIT_SHAPE_PLANE);
    plait_sim *sim = scenes_start(scene);
    told all = run(sim, 100);
    CHECK_INT(all.contacts, 25);
    CHECK_INT(all.passed, 0);
    double weight = 0;
    plait_sim_contact c;
    for (int i = 0; i < plait_sim_contacts(sim); i++) {
        plait_sim_contact_get(sim, i, &c);
        weight += c.impulse[2];
        CHECK(c.kind[0] == PLAIT_PARTNER_CLOTH && c.kind[1] == PLAIT_PARTNER_COLLIDER);
    }
    CHECK_REL(weight, 25 * t->mass * G * 2e-3, 1e-5);
    for (int n = 0; n < 25; n++)
        CHECK_NEAR(nodes_of(sim, 0)[3 * n + 2], t->radius, 0.05 * t->radius);
    plait_sim_free(sim), toy_clear();
}

CASE(it_slides_and_stops)
{
    double mu = 0.3, v0 = 0.8, dt = 1e-3;
    plait_scene *scene = toy_scene(mu, dt);
    toy_skin *t = toy_sheet(4, 0.06, (double[]){0, 0, 5e-4});
    t->velocity[0] = v0;
    plait_scene_add_collider(scene, "floor", PLAIT_SHAPE_PLANE);
    double from = t->X[0];
    plait_sim *sim = scenes_start(scene);
    CHECK_INT(run(sim, 400).passed, 0);
    CHECK_NEAR(nodes_of(sim, 0)[0] - from, v0 * v0 / (2 * mu * G), 2 * v0 * dt);
    CHECK_NEAR(nodes_of(sim, 0)[48], 0, 1e-7);
    plait_sim_free(sim), toy_clear();
}

// ---- shapes ----------------------------------------------------------------------------------------------------------

// A ball smaller than the triangles falls on a sheet that is held at its rim, fast enough to pass it in one step.
CASE(a_small_ball_is_caught)
{
    for (int fast = 0; fast < 2; fast++) {
        plait_scene *scene = toy_scene(0.3, 2e-3);
        toy_skin *t = toy_sheet(5, 0.2, (double[]){0, 0, 0});
        for (int i = 0; i < 5; i++)
            t->pinned[i] = t->pinned[20 + i] = t->pinned[5 * i] = t->pinned[5 * i + 4] = true;
        t->k = 200, t->mass = 0.002;
        int index = plait_scene_add_rigid(scene, "ball", PLAIT_SHAPE_SPHERE);
        plait_rigid *ball = &scene->rigid[index];
        ball->shape.size[0] = 0.006, ball->density = 2000;
        plait_vec3_set(ball->position, 0.013, 0.021, 0.03);
        ball->velocity[2] = fast ? -20 : -0.2;
        plait_sim *sim = scenes_start(scene);
        told all = run(sim, 600);
        double x[3], q[4];
        plait_sim_rigid_pose(sim, 0, x, q);
        CHECK(all.contacts > 0);
        CHECK_INT(all.passed, 0);
        CHECK(fast || (x[2] > -0.08 && fabs(x[0]) < 0.1 && fabs(x[1]) < 0.1)); // the fast one is thrown off
        plait_sim_free(sim), toy_clear();
    }
}

// A sheet over a ball and a box, bars beside: nothing of it gets inside.
CASE(a_sheet_over_shapes)
{
    if (CHECK_SANITIZED)
        SKIP("too long under a sanitizer; other cases go the same ways");
    plait_scene *scene = toy_scene(0.2, 2e-3);
    toy_skin *t = toy_sheet(9, 0.16, (double[]){0, 0, 0.05});
    t->k = 1, t->mass = 1e-4;
    int ball = plait_scene_add_collider(scene, "ball", PLAIT_SHAPE_SPHERE);
    scene->collider[ball].shape.size[0] = 0.04, scene->collider[ball].position[0] = -0.04;
    int second = plait_scene_add_collider(scene, "box", PLAIT_SHAPE_BOX);
    plait_collider *box = &scene->collider[second];
    for (int k = 0; k < 3; k++)
        box->shape.size[k] = 0.02;
    box->position[0] = 0.05, box->rotation[1] = 0.3;
    int floor = plait_scene_add_collider(scene, "floor", PLAIT_SHAPE_PLANE);
    scene->collider[floor].position[2] = -0.05;
    plait_sim *sim = scenes_start(scene);
    told all = run(sim, 250);
    CHECK_INT(all.passed, 0);
    CHECK(all.contacts > 10);
    const plait_model *m = &sim->model;
    const double *x = nodes_of(sim, 0);
    for (int i = 0; i < t->triangles; i++)
        for (int a = 0; a <= 4; a++)
            for (int b = 0; a + b <= 4; b++) {
                double p[3] = {0, 0, 0}, d[3];
                const int *n = t->triangle + 3 * i;
                plait_vec3_axpy(a / 4.0, x + 3 * n[0], p), plait_vec3_axpy(b / 4.0, x + 3 * n[1], p);
                plait_vec3_axpy(1 - (a + b) / 4.0, x + 3 * n[2], p);
                plait_vec3_sub(p, m->scene->collider[0].position, d);
                CHECK(plait_vec3_norm(d) > 0.04);
                CHECK(p[2] > -0.05);
            }
    plait_sim_free(sim), toy_clear();
}

// ---- each other ------------------------------------------------------------------------------------------------------

CASE(blocks_rest_on_blocks)
{
    if (CHECK_SANITIZED)
        SKIP("too long under a sanitizer; other cases go the same ways");
    plait_scene *scene = toy_scene(0.4, 2e-3);
    toy_block(4, 0.04, (double[]){0, 0, 0.021}), toy_block(3, 0.03, (double[]){0.003, 0.002, 0.058});
    plait_scene_add_collider(scene, "floor", PLAIT_SHAPE_PLANE);
    plait_sim *sim = scenes_start(scene);
    told all = run(sim, 200);
    CHECK_INT(all.passed, 0);
    CHECK(all.contacts >= 16 + 4);
    double low = INFINITY, dt = 2e-3, on_floor = 0, between = 0;
    for (int n = 0; n < 27; n++)
        low = fmin(low, nodes_of(sim, 1)[3 * n + 2]);
    CHECK(low > 0.035);
    plait_sim_contact c;
    for (int i = 0; i < plait_sim_contacts(sim); i++) {
        plait_sim_contact_get(sim, i, &c);
        if (c.kind[1] == PLAIT_PARTNER_COLLIDER)
            on_floor += c.impulse[2];
        else
            between -= c.impulse[2]; // on the lower one
    }
    double small = 1000 * 0.03 * 0.03 * 0.03, large = 1000 * 0.04 * 0.04 * 0.04;
    CHECK_REL(on_floor, (small + large) * G * dt, 1e-3);
    CHECK_REL(between, small * G * dt, 1e-3);
    plait_sim_free(sim), toy_clear();
}

// A corner of a block is deep in another at the start: it is pushed out upwards, where it is nearest.
CASE(a_deep_corner_is_pushed_out)
{
    plait_scene *scene = toy_scene(0.2, 2e-3);
    toy_block(4, 0.04, (double[]){0, 0, 0.0205});
    toy_skin *t = toy_block(2, 0.02, (double[]){0.0013, 0.002, 0.0475}); // overlaps by 3 mm
    (void)t;
    plait_scene_add_collider(scene, "floor", PLAIT_SHAPE_PLANE);
    plait_sim *sim = scenes_start(scene);
    run(sim, CHECK_SANITIZED ? 40 : 300); // the first ones push it out
    double low = INFINITY, top = -INFINITY;
    for (int n = 0; n < 8; n++)
        low = fmin(low, nodes_of(sim, 1)[3 * n + 2]);
    for (int n = 0; n < 64; n++)
        top = fmax(top, nodes_of(sim, 0)[3 * n + 2]);
    CHECK(CHECK_SANITIZED || low > top + 0.5e-3);
    plait_sim_free(sim), toy_clear();
}

// A sheet falls on a sheet that is held; then it is folded over itself by its velocity.
CASE(sheets_on_sheets)
{
    if (CHECK_SANITIZED)
        SKIP("too long under a sanitizer; other cases go the same ways");
    plait_scene *scene = toy_scene(0.3, 2e-3);
    toy_skin *low = toy_sheet(7, 0.12, (double[]){0, 0, 0});
    for (int i = 0; i < 7; i++)
        low->pinned[i] = low->pinned[42 + i] = true;
    low->k = 60;
    toy_skin *high = toy_sheet(6, 0.09, (double[]){0.004, 0.003, 0.01});
    high->k = 2, high->velocity[2] = -6;
    plait_sim *sim = scenes_start(scene);
    told all = run(sim, 200);
    CHECK_INT(all.passed, 0);
    CHECK(all.contacts > 20);
    double lowest = INFINITY;
    for (int n = 0; n < 36; n++)
        lowest = fmin(lowest, nodes_of(sim, 1)[3 * n + 2]);
    CHECK(lowest > -0.1);
    plait_sim_free(sim), toy_clear();
}

// Fibres thrown on a held sheet and on a block: links against triangles.
CASE(fibres_on_skins)
{
    plait_scene *scene = toy_scene(0.3, 2e-3);
    toy_skin *low = toy_sheet(7, 0.12, (double[]){0, 0, 0});
    for (int i = 0; i < 7; i++)
        low->pinned[i] = low->pinned[42 + i] = low->pinned[7 * i] = low->pinned[7 * i + 6] = true;
    low->k = 100;
    toy_block(3, 0.02, (double[]){0, 0, 0.012});
    for (int i = 0; i < 6; i++) {
        double point[6][3];
        for (int k = 0; k < 6; k++)
            plait_vec3_set(point[k], -0.04 + 0.016 * k + 0.0007 * i, -0.03 + 0.01 * i + 0.004 * k, 0.03 + 0.004 * i);
        int fibre = plait_scene_add_fibre(scene, PLAIT_ROD_DER, 0, 6, &point[0][0]);
        scene->fibre[fibre].velocity[2] = i % 2 ? -9 : -0.5;
    }
    scene->material[0].contact_radius = 4e-4;
    plait_sim *sim = scenes_start(scene);
    told all = run(sim, CHECK_SANITIZED ? 60 : 150);
    CHECK_INT(all.passed, 0);
    CHECK(all.contacts > 10);
    bool met[2] = {false, false};
    plait_sim_contact c;
    for (int i = 0; i < plait_sim_contacts(sim); i++) {
        plait_sim_contact_get(sim, i, &c);
        if (c.kind[0] == PLAIT_PARTNER_FIBRE && c.kind[1] == PLAIT_PARTNER_CLOTH)
            met[c.index[1]] = true;
    }
    CHECK(met[0] && met[1]);
    plait_sim_free(sim), toy_clear();
}

// A pyramid that is sharper than the triangles are wide, as a mesh that stands still or as a rigid body with corners.
static void make_pyramid(plait_shape *shape, double size)
{
    static const double point[15] = {-1, -1, 0, 1, -1, 0, 1, 1, 0, -1, 1, 0, 0, 0, 2};
    static const int triangle[18] = {0, 2, 1, 0, 3, 2, 0, 1, 4, 1, 2, 4, 2, 3, 4, 3, 0, 4};
    shape->points = 5, shape->triangles = 6, shape->closed = true;
    shape->point = malloc(sizeof point), shape->triangle = malloc(sizeof triangle);
    for (int i = 0; i < 15; i++)
        shape->point[i] = size * point[i];
    memcpy(shape->triangle, triangle, sizeof triangle);
}

CASE(meshes)
{
    for (int rigid = 0; rigid < 2; rigid++) {
        plait_scene *scene = toy_scene(0.5, 2e-3);
        toy_skin *t = toy_sheet(6, 0.1, (double[]){0.003, 0.002, rigid ? 0 : 0.03});
        t->k = rigid ? 60 : 2;
        if (rigid) {
            for (int i = 0; i < 6; i++)
                t->pinned[i] = t->pinned[30 + i] = t->pinned[6 * i] = t->pinned[6 * i + 5] = true;
            int i = plait_scene_add_rigid(scene, "pyramid", PLAIT_SHAPE_MESH);
            plait_rigid *r = &scene->rigid[i];
            make_pyramid(&r->shape, 0.01);
            r->density = 800, r->position[2] = 0.03, r->rotation[0] = 3.1, r->velocity[2] = -1;
        } else {
            int i = plait_scene_add_collider(scene, "pyramid", PLAIT_SHAPE_MESH);
            make_pyramid(&scene->collider[i].shape, 0.01);
            int floor = plait_scene_add_collider(scene, "floor", PLAIT_SHAPE_PLANE);
            scene->collider[floor].position[2] = -0.01;
        }
        plait_sim *sim = scenes_start(scene);
        told all = run(sim, 200);
        CHECK_INT(all.passed, 0);
        CHECK(all.contacts > 0);
        const double *x = nodes_of(sim, 0);
        if (rigid) {
            double p[3], q[4];
            plait_sim_rigid_pose(sim, 0, p, q);
            CHECK(p[2] > -0.05);
        } else { // the tip is covered, and above all is the sheet
            double top = -INFINITY;
            for (int n = 0; n < 36; n++)
                top = fmax(top, x[3 * n + 2]);
            CHECK(top > 0.015);
        }
        plait_sim_free(sim), toy_clear();
    }
}

// A box lies on two triangles that are larger than it: it stands on its corners, with its whole weight.
// What a skin and a shape would overlap by at the end of a motion that contacts have changed is a contact of the same
// step: soft candies and a sticky box that had none in the step before.
CASE(little_overlap_at_the_end_of_a_step)
{
    plait_scene *scene = plait_scene_find("candy-small", 0, NULL, NULL);
    plait_sim *sim = scene ? plait_sim_new(scene, NULL) : NULL;
    double most = 0;
    plait_sim_report r;
    for (int k = 0; CHECK(sim != NULL) && k < 32; k++) {
        CHECK_INT(plait_sim_step(sim, 0.008 * (k + 1), &r, NULL), PLAIT_OK);
        CHECK_INT(r.rejections, 0);
        most = fmax(most, r.overlap);
    }
    printf("overlap %.3f\n", most);
    CHECK(most > 0 && most <= 0.15);
    plait_sim_free(sim), plait_scene_free(scene);
}

CASE(a_box_on_large_triangles)
{
    double dt = 2e-3;
    plait_scene *scene = toy_scene(0.5, dt);
    toy_skin *t = toy_sheet(2, 0.2, (double[]){0, 0, 0});
    for (int i = 0; i < 4; i++)
        t->pinned[i] = true;
    int i = plait_scene_add_rigid(scene, "box", PLAIT_SHAPE_BOX);
    plait_rigid *r = &scene->rigid[i];
    for (int k = 0; k < 3; k++)
        r->shape.size[k] = 0.01;
    r->density = 1000, r->position[0] = 0.05, r->position[1] = -0.03, r->position[2] = 0.0106;
    plait_sim *sim = scenes_start(scene);
    run(sim, 200);
    double p[3], q[4], f[3], couple[3];
    plait_sim_rigid_pose(sim, 0, p, q);
    CHECK_NEAR(p[2], 0.0105, 2e-5);
    CHECK(fabs(q[3]) > 0.99999);
    CHECK_INT(plait_sim_get_reaction(sim, PLAIT_PARTNER_RIGID, 0, p, f, couple, NULL), PLAIT_OK);
    CHECK_REL(f[2], 8e-6 * 1000 * G, 1e-3);
    plait_sim_free(sim), toy_clear();
}

// ---- bits, memory ----------------------------------------------------------------------------------------------------

static double *state_after(int threads, int steps, int64_t *size)
{
    plait_scene *scene = toy_scene(0.3, 2e-3);
    toy_skin *high = toy_sheet(8, 0.1, (double[]){0, 0, 0.08});
    high->k = 2;
    toy_block(4, 0.04, (double[]){0, 0, 0.03});
    plait_scene_add_collider(scene, "floor", PLAIT_SHAPE_PLANE);
    plait_sim *sim = scenes_start(scene);
    sim->work.team = (plait_team){.threads = threads};
    run(sim, steps);
    *size = plait_sim_state_size(sim);
    double *state = malloc((size_t)*size * sizeof *state);
    plait_sim_get_state(sim, state);
    plait_sim_free(sim), toy_clear();
    return state;
}

CASE(same_bits_with_any_number_of_threads)
{
    enum { TEAMS = CHECK_SANITIZED ? 2 : 3 };
    int64_t size[TEAMS];
    double *state[TEAMS];
    for (int k = 0; k < TEAMS; k++)
        state[k] = state_after(k + 1, CHECK_SANITIZED ? 30 : 60, &size[k]); // it lands after 22
    for (int k = 1; k < TEAMS; k++) {
        CHECK_INT(size[k], size[0]);
        CHECK(size[k] == size[0] && memcmp(state[k], state[0], (size_t)size[0] * sizeof(double)) == 0);
    }
    for (int k = 0; k < TEAMS; k++)
        free(state[k]);
}

CASE(goes_on_from_a_saved_state)
{
    plait_sim *sim[2];
    toy_sheet(6, 0.1, (double[]){0, 0, 0.06})->k = 2;
    toy_block(3, 0.04, (double[]){0, 0, 0.03});
    for (int k = 0; k < 2; k++) {
        plait_scene *scene = toy_scene(0.3, 2e-3);
        plait_scene_add_collider(scene, "floor", PLAIT_SHAPE_PLANE);
        sim[k] = scenes_start(scene);
    }
    run(sim[0], 40);
    int64_t size = plait_sim_state_size(sim[0]);
    double *state = malloc((size_t)size * sizeof *state), *other = malloc((size_t)size * sizeof *state);
    plait_sim_get_state(sim[0], state);
    CHECK_INT(plait_sim_set_state(sim[1], state, size, NULL), PLAIT_OK);
    run(sim[0], 20), run(sim[1], 20);
    int64_t n = plait_sim_state_size(sim[0]);
    CHECK_INT(plait_sim_state_size(sim[1]), n);
    state = realloc(state, (size_t)n * sizeof *state), other = realloc(other, (size_t)n * sizeof *other);
    plait_sim_get_state(sim[0], state), plait_sim_get_state(sim[1], other);
    CHECK(memcmp(state, other, (size_t)n * sizeof *state) == 0);
    free(state), free(other), plait_sim_free(sim[0]), plait_sim_free(sim[1]), toy_clear();
}
