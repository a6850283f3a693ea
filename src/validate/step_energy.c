// step_energy.c: F6: the energy ledger, step by step: what is put in is what is there, lost, and lost by the step
// itself, to 1e-6 of what changes hands; and the step itself gains nothing.
#include <math.h>
#include <stdio.h>

#include "validate/steps.h"

typedef struct scene {
    const char *name, *text;
    double end;
    const char *set;
} scene;

#define HAIR                                                                                                           \
    "materials: {hair: {radius: 0.5 mm, density: 1300, young: 30 MPa, poisson: 0.45, damping: 5 ms, drag: 2}, floor: " \
    "}\nfriction: {default: 0.3}\nstep: {dt: 2 ms, adaptive: false}\n"

static const scene rods[] = {
    {"swing in gusts from a clamp that turns",
     "wind: {velocity: [1, 0.3, 0], gust: [0.5, 0, 0], frequency: 3 Hz}\n" HAIR
     "colliders: {hand: {material: floor, shape: none, position: [0, 0, 0.1], motion: {keys: [{time: 0 s}, {time: 0.2 "
     "s, position: [0.05, 0, 0.02], rotation: [0.5, 0.4, 0.3]}, {time: 0.4 s}]}}}\n"
     "fibres: {rod: {material: hair, segments: 8, ends: {root: clamped, attach: hand}, line: {from: [0, 0, 0.1], "
     "direction: [1, 0, -0.2], length: 0.12}}}\n",
     0.4, NULL},
    {"dragged over a floor that moves",
     HAIR "colliders: {hand: {material: floor, shape: none, position: [0, 0, 0.1], motion: {keys: [{time: 0 s}, {time: "
          "0.4 s, position: [0.05, 0, -0.01]}]}}, floor: {material: floor, shape: box, size: [0.5, 0.5, 0.01], "
          "position: [0, 0, 0.03], motion: {keys: [{time: 0 s}, {time: 0.4 s, position: [-0.05, 0.02, 0]}]}}}\n"
          "fibres: {rod: {material: hair, segments: 8, ends: {root: clamped, attach: hand}, line: {from: [0, 0, 0.1], "
          "direction: [1, 0, -0.2], length: 0.12}}}\n",
     0.4, NULL},
    {"dropped, restitution 0.7",
     "restitution: {default: 0.7}\n" HAIR "colliders: {floor: {material: floor, shape: plane}}\n"
     "fibres: {rod: {material: hair, segments: 8, velocity: [0.5, 0, 0], line: {from: [0, 0, 0.05], direction: "
     "[1, 0, 0.5], length: 0.12}}}\n",
     0.3, NULL},
};
static const scene bodies[] = {
    {"box thrown on a floor",
     "materials: {m: }\nfriction: {default: 0.3}\nrestitution: {default: 0.5}\nstep: {dt: 1 ms, adaptive: false}\n"
     "colliders: {floor: {material: m, shape: plane}}\nbodies: {b: {material: m, shape: box, size: [2 cm, 3 cm, 5 cm], "
     "density: 1000, position: [0, 0, 0.1], velocity: [0.5, 0, 0], spin: [3, 5, 1]}}\n",
     0.5, NULL},
    {"cloth and a solid on a ball that moves",
     "wind: {velocity: [2, 0, 0]}\nmaterials: {cotton: , rubber: , wood: }\nfriction: {default: 0.4}\n"
     "colliders: {ball: {material: wood, shape: sphere, radius: 0.1, motion: {keys: [{time: 0 s}, {time: 1 s, "
     "position: "
     "[0, 0.1, 0.05]}]}}}\n"
     "cloth: {cloth: {material: cotton, drag: 1, grid: {width: 0.3, height: 0.3, cell: 0.05}, position: [0, 0, 0.12], "
     "pins: [{side: left, attach: ball}]}}\n"
     "solids: {block: {material: rubber, young: 20 kPa, density: 800, box: {size: [0.1, 0.08, 0.06], cell: 0.03}, "
     "position: [0, 0, 0.2], spin: [1, 2, 0]}}\nstep: {dt: 2 ms, adaptive: false}\n",
     0.15, NULL},
};

typedef struct found {
    double open, gain; // largest, relative to what changes hands
} found;

static void watch(plait_sim *sim, const plait_sim_report *r, void *data)
{
    found *f = data;
    (void)sim;
    // where nothing happens rounding of what there is remains
    double size = r->ledger.scale + 1e-6 * (r->kinetic + r->elastic + fabs(r->potential));
    f->open = fmax(f->open, fabs(r->ledger.error) / size);
    f->gain = fmax(f->gain, -r->ledger.numerical / size);
}

void plait_case_ledger(plait_trial *t)
{
    bool fibre = t->model != PLAIT_ROD_MODEL_COUNT;
    const scene *list = fibre ? rods : bodies;
    int count = fibre ? sizeof rods / sizeof *rods : sizeof bodies / sizeof *bodies;
    if (!fibre)
        t->subject = "bodies";
    for (int k = 0; k < 2 * count && !plait_trial_stopped(t); k++) {
        const scene *s = &list[k / 2];
        const char *const set[] = {k % 2 ? "step.integrator=bdf2" : "step.integrator=euler", s->set, NULL};
        found f = {0};
        plait_sim *sim = plait_trial_text(t, s->text, set);
        bool ok = sim && plait_trial_until(t, sim, s->end, watch, &f);
        plait_sim_free(sim);
        const char *how = k % 2 ? "bdf2" : "euler";
        plait_trial_row(t, 0, 0, ok ? f.open : NAN, 1e-6, "%s, %s: what does not add up", s->name, how);
        if (k % 2 == 0)
            plait_trial_row(t, 0, 0, ok ? f.gain : NAN, 1e-10, "%s, %s: gained by the step", s->name, how);
    }
}
