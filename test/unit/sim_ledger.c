// sim_ledger.c: the energy ledger adds up in every step, for all kinds of bodies, and its terms are what they are called: each is
// compared with a closed form where it is the only one.
#include <math.h>
#include <string.h>

#include "check.h"
#include "plait/plait.h"
#include "sim_text.h"

// Sums over a run; every step is checked.
static plait_ledger run(plait_sim *sim, double until, double *gain, plait_sim_report *last)
{
    plait_ledger sum = {0};
    plait_error error = {0};
    plait_sim_report r = {0};
    double worst = 0;
    *gain = 0;
    while (sim && plait_sim_time(sim) < until - 1e-9 && plait_sim_step(sim, until, &r, &error) == PLAIT_OK && !r.failed) {
        const plait_ledger *l = &r.ledger;
        double size = l->scale + 1e-6 * (r.kinetic + r.elastic + fabs(r.potential));
        worst = fmax(worst, fabs(l->error) / size), *gain = fmax(*gain, -l->numerical / size);
        const double *from = &l->given;
        double *to = &sum.given;
        for (size_t k = 0; k < sizeof sum / sizeof *to; k++)
            to[k] += from[k];
    }
    CHECK(sim && plait_sim_time(sim) > until - 1e-6);
    CHECK(worst <= 1e-6);
    printf("    error at most %.1g of what changes hands; ends %.3g colliders %.3g air %.3g friction %.3g impact %.3g damping %.3g "
           "numerical %.3g\n", worst, sum.ends, sum.colliders, sum.air, sum.friction, sum.impact, sum.damping, sum.numerical);
    *last = r;
    return sum;
}

static const char *const models[] = {"der", "mass-spring", "corde", "superhelix"};

// A fibre in gusts, its clamp carried to and fro and turned; it drags over a floor that moves.
static const char *const driven =
    "gravity: [0, 0, -9.81]\n"
    "wind: {velocity: [1, 0.3, 0], gust: [0.5, 0, 0], frequency: 3 Hz}\n"
    "materials: {hair: {radius: 0.5 mm, density: 1300, young: 30 MPa, poisson: 0.45, damping: 5 ms, drag: 2}, floor: }\n"
    "friction: {default: 0.3}\n"
    "colliders:\n"
    "  hand: {material: floor, shape: none, position: [0, 0, 0.1], motion: {keys: [{time: 0 s}, {time: 0.2 s, position: "
    "[0.05, 0, 0.02], rotation: [0.5, 0.4, 0.3]}, {time: 0.4 s}]}}\n"
    "  floor: {material: floor, shape: box, size: [0.5, 0.5, 0.01], position: [0, 0, 0.03], motion: {keys: [{time: 0 s}, {time: "
    "0.4 s, position: [-0.05, 0.02, 0.01]}]}}\n"
    "fibres:\n"
    "  rod: {material: hair, model: der, segments: 8, ends: {root: clamped, attach: hand}, line: {from: [0, 0, 0.1], direction: "
    "[1, 0, -0.2], length: 0.12}}\n"
    "step: {dt: 2 ms, adaptive: false}\n"
    "output: {duration: 0.4 s, frame_time: 0.1}\n";

CASE(adds_up_for_all_rods)
{
    const char *const ways[] = {"step.scheme=balanced", "step.scheme=linear", "step.scheme=impulse"};
    for (int m = 0; m < 4; m++)
        for (int k = 0; k < 3; k++) {
            char model[64];
            snprintf(model, sizeof model, "fibres.rod.model=%s", models[m]);
            const char *const set[] = {model, ways[k]};
            plait_sim *sim = sim_of_text(driven, 2, set);
            plait_sim_report last;
            double gain;
            printf("  %s %s\n", model, ways[k]);
            plait_ledger sum = run(sim, 0.4, &gain, &last);
            CHECK(sum.friction > 0 && sum.damping > 0 && sum.air != 0 && sum.ends != 0 && sum.colliders != 0);
            CHECK(k > 0 || gain < 0.1);
            plait_sim_free(sim);
        }
}

// Both ends held, anisotropic, theta below 1 (without damping, of which theta takes another part at held ends).
CASE(adds_up_with_two_ends_and_theta)
{
    char scene[4096]; // bent, so that the ends can come nearer
    const char *line = strstr(driven, "line: {"), *after = strstr(line, "}}");
    snprintf(scene, sizeof scene, "%.*spolyline: {points: [[0, 0, 0.1], [0.03, 0, 0.15], [0.09, 0, 0.15], [0.12, 0, 0.1]]}%s",
             (int)(line - driven), driven, after + 1);
    for (int m = 0; m < 7; m++) { // super-helices with theta < 1 and a held tip leave the path of balance
        char model[64];
        snprintf(model, sizeof model, "fibres.rod.model=%s", models[m % 4]);
        const char *const set[] = {model, "fibres.rod.ends={root: clamped, tip: pinned, attach: hand}",
                                   m < 4 ? "step.theta=1" : "step.theta=0.7", m < 4 ? "materials.hair.damping=5 ms" : "materials.hair.damping=0 s"};
        plait_sim *sim = sim_of_text(scene, 4, set);
        plait_sim_report last;
        double gain;
        printf("  %s %s\n", model, set[2]);
        run(sim, 0.2, &gain, &last);
        plait_sim_free(sim);
    }
}

// A box slides along a floor: friction takes what it had, and the step its half of mu g dt v0.
CASE(friction_takes_what_moves)
{
    plait_sim *sim = sim_of_text("gravity: [0, 0, -9.81]\n"
                           "materials: {wood: }\nfriction: {default: 0.3}\n"
                           "colliders: {floor: {material: wood, shape: plane}}\n"
                           "bodies: {box: {material: wood, shape: box, size: [0.1, 0.1, 0.05], density: 500, position: [0, 0, 0.025], "
                           "velocity: [1, 0, 0]}}\n"
                           "step: {dt: 1 ms, adaptive: false}\noutput: {duration: 0.5 s}\n", 0, NULL);
    plait_sim_report last;
    double gain, kinetic = 0.5 * 0.1 * 0.1 * 0.05 * 500;
    plait_ledger sum = run(sim, 0.5, &gain, &last);
    CHECK_NEAR(sum.friction + sum.numerical, kinetic, 1e-6 * kinetic);
    CHECK_NEAR(sum.friction, kinetic, 0.3 * 9.81 * 1e-3 * kinetic);
    CHECK_NEAR(sum.impact, 0, 1e-6 * kinetic);
    plait_sim_free(sim);
}

// A ball falls on a floor with restitution e: one impact takes (1 - e^2) of what it had; then it falls without loss but for the step's.
CASE(impacts_take_their_part)
{
    for (int k = 0; k < 2; k++) {
        const char *const set[] = {k ? "restitution.default=0.6" : "restitution.default=0"};
        plait_sim *sim = sim_of_text("gravity: [0, 0, -9.81]\n"
                               "materials: {wood: }\nfriction: {default: 0.3}\n"
                               "colliders: {floor: {material: wood, shape: plane}}\n"
                               "bodies: {ball: {material: wood, shape: sphere, radius: 0.05, density: 500, position: [0, 0, 0.25]}}\n"
                               "step: {dt: 0.5 ms, adaptive: false}\noutput: {duration: 0.25 s}\n", 1, set);
        plait_sim_report last;
        double gain, mass = 4.0 / 3 * M_PI * 0.05 * 0.05 * 0.05 * 500, had = mass * 9.81 * 0.2;
        plait_ledger sum = run(sim, 0.25, &gain, &last);
        CHECK_NEAR(sum.impact, (1 - (k ? 0.36 : 0)) * had, 0.02 * had);
        CHECK(gain < 1e-9);
        plait_sim_free(sim);
    }
}

// The floor lifts a box: colliders do the work of its weight.
CASE(colliders_do_work)
{
    plait_sim *sim = sim_of_text("gravity: [0, 0, -9.81]\n"
                           "materials: {wood: }\nfriction: {default: 0.3}\n"
                           "colliders: {floor: {material: wood, shape: plane, motion: {keys: [{time: 0 s}, {time: 1 s, position: [0, 0, "
                           "0.5]}]}}}\n"
                           "bodies: {box: {material: wood, shape: box, size: [0.1, 0.1, 0.05], density: 500, position: [0, 0, 0.025]}}\n"
                           "step: {dt: 2 ms, adaptive: false}\noutput: {duration: 0.5 s}\n", 0, NULL);
    plait_sim_report last;
    double gain, weight = 0.1 * 0.1 * 0.05 * 500 * 9.81;
    plait_ledger sum = run(sim, 0.5, &gain, &last);
    // and it gets the floor's speed in the first step, of which one half is lost
    double lift = weight * 0.25, kick = weight / 9.81 * 0.25;
    CHECK_NEAR(sum.colliders, lift + kick, 1e-6 * lift);
    CHECK_NEAR(sum.impact, 0.5 * kick, 0.01 * kick);
    plait_sim_free(sim);
}

static const char *const soft =
    "gravity: [0, 0, -9.81]\n"
    "wind: {velocity: [2, 0, 0]}\n"
    "materials: {cotton: , rubber: , wood: }\n"
    "friction: {default: 0.4}\n"
    "colliders:\n"
    "  ball: {material: wood, shape: sphere, radius: 0.1, motion: {keys: [{time: 0 s}, {time: 1 s, position: [0, 0.1, 0.05]}]}}\n"
    "cloth: {cloth: {material: cotton, drag: 1, grid: {width: 0.3, height: 0.3, cell: 0.05}, position: [0, 0, 0.12], "
    "pins: [{side: left, attach: ball}]}}\n"
    "solids: {block: {material: rubber, young: 20 kPa, density: 800, box: {size: [0.1, 0.08, 0.06], cell: 0.03}, position: [0, 0, 0.2], spin: [1, 2, 0]}}\n"
    "step: {dt: 2 ms, adaptive: false}\n"
    "output: {duration: 0.2 s, frame_time: 0.1}\n";

CASE(adds_up_for_cloth_and_solids)
{
    plait_sim *sim = sim_of_text(soft, 0, NULL);
    plait_sim_report last;
    double gain;
    plait_ledger sum = run(sim, 0.2, &gain, &last);
    CHECK(sum.friction > 0 && sum.impact > 0 && sum.numerical > 0 && sum.ends != 0 && sum.damping > 0 && sum.air != 0);
    plait_sim_free(sim);
}

// What the program does between two steps is told apart.
CASE(kicks_are_given)
{
    plait_sim *sim = sim_of_text(driven, 0, NULL);
    plait_sim_report last;
    double gain, speed[3] = {0, 2, 0}, none[3] = {0};
    run(sim, 0.02, &gain, &last);
    double before = last.kinetic;
    plait_rod *rod = plait_sim_rod(sim, 0);
    plait_rod_kick(rod, speed, none, none);
    double kinetic = plait_rod_energy(rod).kinetic;
    plait_ledger sum = run(sim, 0.022, &gain, &last);
    CHECK_NEAR(sum.given, kinetic - before, 1e-9 * kinetic);
    plait_sim_free(sim);
}

// Without the ledger the motion is the same, and there are zeros.
CASE(can_be_left_out)
{
    const char *const set[] = {"step.ledger=false"};
    plait_sim *a = sim_of_text(driven, 0, NULL), *b = sim_of_text(driven, 1, set);
    plait_sim_report ra, rb;
    plait_error error = {0};
    double xa[27], xb[27];
    for (int k = 0; k < 20; k++) {
        CHECK(plait_sim_step(a, INFINITY, &ra, &error) == PLAIT_OK);
        CHECK(plait_sim_step(b, INFINITY, &rb, &error) == PLAIT_OK);
    }
    plait_rod_positions(plait_sim_rod(a, 0), xa), plait_rod_positions(plait_sim_rod(b, 0), xb);
    CHECK(rb.ledger.scale == 0 && ra.ledger.scale > 0);
    for (int i = 0; i < 27; i++)
        CHECK_NEAR(xa[i], xb[i], 1e-12);
    plait_sim_free(a), plait_sim_free(b);
}

// The loss of implicit Euler is of first order: whatever else were in it, a damping that is told wrong say, would stay.
CASE(numerical_loss_vanishes_with_dt)
{
    for (int m = 0; m < 4; m++) {
        double loss[2], gain;
        for (int k = 0; k < 2; k++) {
            char model[64];
            snprintf(model, sizeof model, "fibres.rod.model=%s", models[m]);
            const char *const set[] = {model, "colliders.floor.position=[0, 0, -1]", k ? "step.dt=0.125 ms" : "step.dt=0.5 ms",
                                       "colliders.hand.motion={keys: [{time: 0 s}]}"}; // a sudden start would take its part
            plait_sim *sim = sim_of_text(driven, 4, set);
            plait_sim_report last;
            loss[k] = run(sim, 0.1, &gain, &last).numerical;
            CHECK(gain < 1e-3);
            plait_sim_free(sim);
        }
        printf("  %s: %.3g, then %.3g\n", models[m], loss[0], loss[1]);
        CHECK_NEAR(loss[0] / loss[1], 4, 0.6);
    }
    double loss[2], gain;
    for (int k = 0; k < 2; k++) {
        const char *const set[] = {"colliders.ball.radius=0.001", k ? "step.dt=0.25 ms" : "step.dt=1 ms"};
        plait_sim *sim = sim_of_text(soft, 2, set);
        plait_sim_report last;
        loss[k] = run(sim, 0.03, &gain, &last).numerical;
        plait_sim_free(sim);
    }
    printf("  soft: %.3g, then %.3g\n", loss[0], loss[1]);
    CHECK_NEAR(loss[0] / loss[1], 4, 0.8);
}

// A straight rod that is pressed until it buckles gains in large steps; those that do are tried again. Scripts count with the mean of
// what they do at both ends of a step: the clamp's force falls by some per cent in a step, and the ledger takes that at its end; a
// hundredth of what viscosity takes is no gain either. What is left comes from momentum that is out of balance by less than the
// tolerance (without damping), and costs another linearisation and not dt.
CASE(gains_are_rejected)
{
    const char *const pressed =
        "gravity: [0, 0, 0]\n"
        "materials: {hair: {radius: 50 um, density: 1300, young: 3 GPa, poisson: 0.45, damping: 50 ms, drag: 5, contact_radius: 10 um}, floor: }\n"
        "friction: {default: 1}\n"
        "colliders:\n"
        "  floor: {material: floor, shape: plane}\n"
        "  clamp: {material: floor, shape: none, position: [0, 0, 0.10001], motion: {keys: [{time: 0 s}, {time: 4 s, position: [0, 0, -0.004]}]}}\n"
        "fibres:\n"
        "  rod: {material: hair, model: der, segments: 24, natural: {shape: straight}, ends: {root: clamped, attach: clamp}, "
        "polyline: {points: [[0, 0, 0.10001], [0, 0, 0.05001], [1e-5, 0, 1e-5]]}}\n"
        "contact: {proximity: 10 um, self: false}\n"
        "step: {dt: 10 ms, adaptive: false}\n"
        "solver: {tol: 1e-8}\n"
        "output: {duration: 1 s, frame_time: 0.1}\n";
    const struct {
        const char *set;
        double until;
        int least, most; // rejections
    } run[] = {{"step.dt=10 ms", 0.5, 3, 12}, {"step.dt=1 ms", 0.1, 1, 8}, {"materials.hair.damping=0 s", 3, 0, 8}, {"step.max_gain=0", 0.1, 0, 0}};
    for (int k = 0; k < 12; k++) {
        char model[64];
        snprintf(model, sizeof model, "fibres.rod.model=%s", models[k % 3]);
        const char *const set[] = {model, run[k / 3].set};
        plait_sim *sim = sim_of_text(pressed, 2, set);
        plait_sim_report r = {0};
        double worst = 0, moving = 0, power = 0, until = run[k / 3].until;
        int rejections = 0;
        while (sim && plait_sim_time(sim) < until - 1e-9 && plait_sim_step(sim, until, &r, NULL) == PLAIT_OK) {
            const plait_ledger *l = &r.ledger;
            double play = l->scale - fabs(l->given) - fabs(l->numerical) + moving, scripts = (l->ends + l->colliders) / r.dt;
            if (r.dt > 1e-4) // the smallest are accepted
                worst = fmax(worst, (-l->numerical - 0.5 * r.dt * fmax(power - scripts, 0) - 0.01 * l->damping) / play);
            rejections += r.rejections, moving = r.kinetic, power = scripts;
        }
        CHECK(sim && plait_sim_time(sim) > until - 1e-6);
        CHECK(k < 9 ? worst < 1.01e-6 : worst > 0.1);
        CHECK(rejections >= run[k / 3].least && rejections <= run[k / 3].most);
        printf("    %s, %s: gains %.2g, %d rejections\n", models[k % 3], run[k / 3].set, worst, rejections);
        plait_sim_free(sim);
    }
}

// A clamp that turns works against the viscosity of the hinge that it is a part of. (Left out, it is a gain of as much as
// viscosity takes, at any dt, and the guard would reject every step.) Bent with steps that follow the motion closely all
// of it is told: what is numerical is little.
CASE(clamps_turn_against_viscosity)
{
    static const char *const turning =
        "materials: {hair: {radius: 50 um, density: 1300, young: 3 GPa, poisson: 0.45, damping: 20 ms}, wood: }\n"
        "colliders:\n"
        "  clamp: {material: wood, shape: none, motion: {drives: [{kind: ramp, turn: [0.2 turn, -1.25 turn, 0.3 turn], start: 0 s, stop: 1.5 s}]}}\n"
        "fibres:\n"
        "  rod: {material: hair, model: der, segments: 10, ends: {root: clamped, attach: clamp}, line: {from: [0, 0, -1.5 cm], direction: [0, 0, -1], length: 10 cm}}\n"
        "step: {dt: 2 ms, adaptive: false}\noutput: {duration: 1 s}\n";
    for (int k = 0; k < 4; k++) {
        char model[64];
        snprintf(model, sizeof model, "fibres.rod.model=%s", models[k]);
        const char *const set[] = {model, "step.dt=1 ms"};
        plait_sim *sim = sim_of_text(turning, 2, set);
        plait_sim_report r = {0};
        double gain = 0, until = 0.1;
        plait_ledger sum = run(sim, until, &gain, &r);
        printf("    %s: ends %.3g J, damping %.3g J, numerical %.3g J, gain %.2g\n", models[k], sum.ends, sum.damping, sum.numerical, gain);
        CHECK(sum.ends > 0 && sum.damping > 0.02 * sum.ends);
        CHECK(gain < 1e-6);
        CHECK(sum.numerical > 0 && sum.numerical < 0.1 * sum.ends);
        plait_sim_free(sim);
    }
}
