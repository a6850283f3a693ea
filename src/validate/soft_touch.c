// soft_touch.c: G7: nothing passes through cloth, nor cloth through itself: proved for every step (apart.h).
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/elementary.h"
#include "math/mat3.h"
#include "math/quat.h"
#include "math/vec3.h"
#include "sim/sim.h"
#include "validate/apart.h"
#include "validate/friction_slider.h"
#include "validate/soft_alone.h"

enum { CORNERS = 8, FACES = 12 };

// ---- all that is in a simulation ------------------------------------------------------------------------------------

// Places of chains, then of skins, then the corners of boxes.
static void places(const plait_sim *sim, double *x)
{
    const plait_model *m = &sim->model;
    plait_sim_positions(sim, x);
    for (int i = 0; i < m->skins; i++) {
        const plait_body *b = &m->body[m->skin_body[i]];
        b->type->nodes(b, x + 3 * (size_t)m->first_skin_node[i]);
    }
    double *to = x + 3 * (size_t)m->nodes;
    for (int i = 0; i < m->scene->colliders; i++) {
        double centre[3], q[4], R[9];
        plait_sim_collider_pose(sim, i, centre, q);
        plait_quat_matrix(q, R);
        for (int c = 0; c < CORNERS; c++, to += 3) {
            const double *half = m->scene->collider[i].shape.size;
            double corner[3] = {c & 1 ? half[0] : -half[0], c & 2 ? half[1] : -half[1], c & 4 ? half[2] : -half[2]};
            plait_mat3_affine(R, corner, centre, to);
        }
    }
}

static void parts(const plait_sim *sim, plait_apart *all)
{
    static const int face[3 * FACES] = {0, 2, 3, 0, 3, 1, 4, 5, 7, 4, 7, 6, 0, 1, 5, 0, 5, 4,
                                        2, 6, 7, 2, 7, 3, 0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7, 5};
    const plait_model *m = &sim->model;
    for (int i = 0; i < m->chains; i++)
        for (int n = m->first_node[i]; n < m->first_node[i + 1]; n++) {
            int link[2] = {n, n + 1};
            plait_apart_add(all, i, 1, link);
            if (n + 1 < m->first_node[i + 1])
                plait_apart_add(all, i, 2, link);
        }
    for (int i = 0; i < m->skins; i++)
        plait_apart_add_triangles(all, m->chains + i, m->skin[i].skin->triangles, m->skin[i].skin->triangle,
                                  m->first_skin_node[i], m->first_skin_node[i + 1] - m->first_skin_node[i]);
    for (int i = 0; i < m->scene->colliders; i++)
        plait_apart_add_triangles(all, m->chains + m->skins + i, FACES, face, m->nodes + CORNERS * i, CORNERS);
}

// Steps until `duration`; ends the simulation. Colliders are boxes, and none is in another.
static void watch(plait_trial *t, plait_sim *sim, double duration, const char *what)
{
    plait_apart all = {0};
    size_t numbers = sim ? 3 * (size_t)sim->model.nodes + 3 * CORNERS * (size_t)sim->model.scene->colliders : 0;
    double *x = malloc((2 * numbers + 1) * sizeof *x), *from = x, *to = x + numbers;
    int open = 0, steps = 0, contacts = 0;
    bool ok = sim && x;
    if (ok)
        parts(sim, &all), places(sim, from);
    while (ok && plait_sim_time(sim) < duration && !plait_trial_stopped(t)) {
        plait_sim_report r;
        ok = plait_trial_advance(t, sim, &r);
        if (!ok)
            break;
        places(sim, to);
        int now = plait_apart_count(&all, from, to);
        double *swap = from;
        from = to, to = swap;
        contacts = r.contacts > contacts ? r.contacts : contacts;
        ok = now >= 0, open += now, steps++;
    }
    plait_trial_row(t, steps, 0, ok ? open : NAN, 0.5, "%s: pairs that pass, of %lld", what, all.pairs);
    plait_trial_row_beyond(t, steps, 0, ok ? contacts : NAN, 20, "%s: contacts at most", what);
    plait_apart_free(&all), free(x), plait_sim_free(sim);
}

static plait_scene *scene_of(plait_trial *t, const char *text)
{
    plait_error error = {0};
    plait_scene *scene = plait_scene_from_text(text, "", 0, NULL, 0, NULL, &error);
    if (!scene)
        snprintf(t->reason, sizeof t->reason, "%.200s", error.text);
    return scene;
}

#define FLOOR "floor: {material: it, shape: box, size: [1 m, 1 m, 4 cm], position: [0, 0, -2 cm]}"

// ---- the four of them -----------------------------------------------------------------------------------------------

// Folded in the middle, and let go above the floor: it opens, falls, and lies on itself.
static void folded(plait_trial *t, plait_soft_model model, plait_gen_pattern pattern, double cell)
{
    const double size[2] = {0.24, 0.12}, R = 0.008, bow = 3.14159265358979323846 * R / 2;
    plait_gen_grid grid = {.size = {size[0], size[1]},
                           .cells = {(int)round(size[0] / cell), (int)round(size[1] / cell)},
                           .pattern = pattern,
                           .seed = 4};
    plait_soft cloth;
    char what[96];
    snprintf(what, sizeof what, "folded cloth dropped, cells of %g mm", 1e3 * cell);
    plait_scene *scene = scene_of(t, "materials: {it: }\nfriction: {default: 0.3}\ncolliders: {" FLOOR "}\n"
                                     "step: {scheme: adonis, dt: 4 ms}\n");
    bool made = scene && plait_trial_grid(t, &grid, &cloth);
    for (int i = 0; made && i < cloth.points; i++) { // two layers and half a tube
        double *p = cloth.point + 3 * (size_t)i, s = p[0], a = fmin(fmax(s / R, -bow / R), bow / R);
        double past = fmax(fabs(s) - bow, 0);
        p[0] = R * plait_cos(a) - past, p[2] = 0.04 + R * plait_sin(a) + (s > 0 ? 0.02 : -0.02) * past / size[0];
    }
    if (made) {
        cloth.model = model, cloth.flat = true, cloth.stretch = 200, cloth.bend = 2e-6;
        free(cloth.force), cloth.force = NULL;
        made = plait_scene_add_soft(scene, "sheet", &cloth) == 0;
        plait_soft_free(&cloth);
    }
    if (!made)
        plait_scene_free(scene);
    watch(t, made ? plait_trial_simulate(t, scene) : NULL, 0.4, what);
}

static void sliding(plait_trial *t, const char *model, const char *pattern, double speed)
{
    char text[2048], what[96];
    snprintf(text, sizeof text,
             "materials: {it: }\nfriction: {default: 0.2}\ncolliders: {block: {material: it, shape: box, "
             "size: [10 cm, 14 cm, 4 cm], position: [0, 0, -2 cm], rotation: [0, 0, 10 deg]}}\ncloth:\n"
             "  low: {material: it, model: %s, grid: {width: 20 cm, height: 16 cm, cell: 1.3 cm, pattern: %s}, "
             "stretch: 300, bend: 1e-5, position: [0, 0, 0.8 mm]}\n"
             "  high: {material: it, model: %s, grid: {width: 12 cm, height: 10 cm, cell: 1 cm}, stretch: 300, "
             "bend: 1e-5, position: [-4 cm, 1 mm, 2.2 mm], velocity: [%g, 0.1, 0]}\n"
             "step: {scheme: adonis, dt: 4 ms}\n",
             model, pattern, model, speed);
    snprintf(what, sizeof what, "cloth slides on cloth, %g m/s", speed);
    plait_scene *scene = scene_of(t, text);
    watch(t, scene ? plait_trial_simulate(t, scene) : NULL, 0.3, what);
}

static void between_boxes(plait_trial *t, const char *model, double thickness)
{
    char text[2048], what[96];
    snprintf(text, sizeof text,
             "materials: {it: }\nfriction: {default: 0.3}\ncolliders:\n"
             "  left: {material: it, shape: box, size: [4 cm, 20 cm, 10 cm], position: [-6 cm, 0, 0], motion: {ease: "
             "smooth, keys: [{time: 0 s}, {time: 0.3 s, position: [3.5 cm, 0, 0]}]}}\n"
             "  right: {material: it, shape: box, size: [4 cm, 20 cm, 10 cm], position: [6 cm, 0, 0], motion: {ease: "
             "smooth, keys: [{time: 0 s}, {time: 0.3 s, position: [-3.5 cm, 0, 0]}]}}\n"
             "cloth: {sheet: {material: it, model: %s, grid: {width: 12 cm, height: 10 cm, cell: 1 cm, rolled: 26, "
             "pattern: crossed}, stretch: 200, bend: 1e-6, thickness: %g, position: [0, 0, 0]}}\n"
             "gravity: [0, 0, 0]\nstep: {scheme: adonis, dt: 4 ms}\n",
             model, thickness);
    snprintf(what, sizeof what, "cloth between closing boxes, %g mm thick", 1e3 * thickness);
    plait_scene *scene = scene_of(t, text);
    watch(t, scene ? plait_trial_simulate(t, scene) : NULL, 0.36, what);
}

static void rods_on_cloth(plait_trial *t, const char *model, int rods)
{
    char text[2048], what[96];
    snprintf(text, sizeof text,
             "materials: {it: {radius: 0.5 mm, density: 1200, young: 1 GPa, damping: 1 ms}}\n"
             "friction: {default: 0.3}\n"
             "fibres: {rods: {material: it, model: der, segments: 4, bundle: {count: %d, axis: [0.6, 0.8, 0], from: "
             "[-2.1 cm, -2.8 cm, 2.5 cm], length: 7 cm, gap: 1.2}}}\n"
             "cloth: {sheet: {material: it, model: %s, grid: {width: 20 cm, height: 20 cm, cell: 1.25 cm}, "
             "stretch: 500, bend: 1e-5, pins: [{side: corners}]}}\nstep: {scheme: adonis, dt: 4 ms}\n",
             rods, model);
    snprintf(what, sizeof what, "%d rods fall on a cloth", rods);
    plait_scene *scene = scene_of(t, text);
    watch(t, scene ? plait_trial_simulate(t, scene) : NULL, 0.24, what);
}

void plait_case_soft_touch(plait_trial *t)
{
    for (int k = 0; k < PLAIT_SOFT_COROTATIONAL && !plait_trial_stopped(t); k++) {
        t->subject = plait_soft_model_name((plait_soft_model)k);
        folded(t, (plait_soft_model)k, k ? PLAIT_GEN_IRREGULAR : PLAIT_GEN_REGULAR, k ? 0.012 : 0.015);
        sliding(t, t->subject, k ? "irregular" : "regular", k ? 1.5 : 0.6);
        between_boxes(t, t->subject, k ? 2e-3 : 1e-3);
        if (k == 1)
            rods_on_cloth(t, t->subject, 200);
    }
}
