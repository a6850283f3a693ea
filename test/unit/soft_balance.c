// soft_balance.c: soft bodies in balance with their contacts, and impacts with restitution.
#include <math.h>

#include "check.h"
#include "sim_text.h"

static plait_sim *start(const char *text)
{
    return sim_of_text(text, 0, NULL);
}

// ---- balance --------------------------------------------------------------------------------------------------------

// A block is pressed to two thirds of its height in a few large steps. The worst balance, and the force of the press.
static double pressed(const char *scheme, const char *model, double dt, double *force, int *rounds)
{
    char text[1024];
    snprintf(text, sizeof text,
             "materials: {it: }\nfriction: {default: 0.1}\ngravity: [0, 0, 0]\ncolliders:\n"
             "  floor: {material: it, shape: plane, position: [0, 0, -20.5 mm]}\n"
             "  press: {material: it, shape: box, size: [8 cm, 8 cm, 2 cm], position: [0, 0, 31 mm], motion: {keys: "
             "[{time: 0 s}, {time: 0.1 s, position: [0, 0, -12 mm]}]}}\n"
             "solids: {block: {material: it, model: %s, box: {size: [3 cm, 3 cm, 4 cm], cell: 1 cm}, young: 20 kPa, "
             "poisson: 0.3, damping: 20 ms, self: false}}\n"
             "step: {scheme: %s, dt: %g, adaptive: false}\nsolver: {tol: 1e-6}\n",
             model, scheme, dt);
    plait_sim *sim = start(text);
    double worst = 0;
    *force = 0, *rounds = 0;
    while (sim && plait_sim_time(sim) < 0.3 - 1e-9) {
        plait_sim_report r;
        plait_error error = {0};
        if (!CHECK(plait_sim_step(sim, INFINITY, &r, &error) == PLAIT_OK && !r.failed))
            break;
        if (r.contacts > 0)
            worst = fmax(worst, r.balance), *rounds += r.newton;
    }
    for (int i = 0; sim && i < plait_sim_contacts(sim); i++) {
        plait_sim_contact c;
        plait_sim_contact_get(sim, i, &c);
        *force += c.kind[1] == PLAIT_PARTNER_COLLIDER && c.index[1] == 1 ? fabs(c.impulse[2]) / dt : 0;
    }
    plait_sim_free(sim);
    return worst;
}

CASE(a_pressed_block_is_balanced)
{
    const char *const model[2] = {"corotational", "neo-hookean"};
    for (int k = 0; k < 2; k++) {
        double linear, balanced, fine;
        int once, often, more;
        double worst = pressed("linear", model[k], 0.02, &linear, &once);
        CHECK(worst > 0.05); // the row tells that the linear answer is none
        CHECK(pressed("balanced", model[k], 0.02, &balanced, &often) <= 0.01);
        CHECK(often > once);
        CHECK(pressed("balanced", model[k], 0.005, &fine, &more) <= 0.01);
        CHECK(balanced > 0.5);
        CHECK_REL(balanced, fine, 0.02); // it came to rest: dt does not matter
    }
}

// ---- impacts --------------------------------------------------------------------------------------------------------

// Something stiff falls on the floor with 1 m/s: how fast its middle leaves, and whether energy was gained.
static double bounced(const char *what, double e, int *gained)
{
    char text[1024];
    snprintf(text, sizeof text,
             "materials: {it: }\nfriction: {default: 0}\nrestitution: {default: %g}\ngravity: [0, 0, 0]\n"
             "colliders: {floor: {material: it, shape: plane}}\n%s\nstep: {dt: 2 ms, adaptive: false}\n"
             "solver: {tol: 1e-9}\n",
             e, what);
    plait_sim *sim = start(text);
    double x[3 * 1000], before = 0, after = 0, energy = INFINITY, first = 0;
    int nodes = 0;
    *gained = 0;
    for (int i = 0; sim && i < 40; i++) {
        plait_sim_report r;
        plait_error error = {0};
        plait_sim_skin skin;
        plait_sim_skin_get(sim, 0, &skin);
        nodes = skin.nodes;
        if (!CHECK(nodes <= 1000) || !CHECK(plait_sim_step(sim, INFINITY, &r, &error) == PLAIT_OK && !r.failed))
            break;
        plait_sim_skin_positions(sim, 0, x);
        before = after, after = 0;
        for (int n = 0; n < nodes; n++)
            after += x[3 * n + 2] / nodes;
        double now = r.kinetic + r.elastic;
        first = i == 0 ? now : first;
        *gained += now > energy * (1 + 1e-9) + 1e-20 * first, energy = now; // below, it lies still but for rounding
    }
    plait_sim_free(sim);
    return (after - before) / 2e-3;
}

CASE(stiff_bodies_bounce)
{
    const char *const what[2] = {
        "solids: {it: {material: it, box: {size: [4 cm, 4 cm, 4 cm], cell: 2 cm}, young: 1e9, density: 1000, damping: "
        "0, self: false, position: [0, 0, 3 cm], velocity: [0, 0, -1]}}",
        "cloth: {it: {material: it, grid: {width: 6 cm, height: 6 cm, cell: 2 cm}, position: [0, 0, 1 cm], self: "
        "false, damping: 0, bend_damping: 0, velocity: [0, 0, -1]}}"};
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < 3; i++) {
            int gained;
            double e = 0.4 * i;
            CHECK_NEAR(bounced(what[k], e, &gained), e, 0.02);
            CHECK_INT(gained, 0);
        }
}

// ---- pressed together -----------------------------------------------------------------------------------------------

// Two lips whose nodes lie opposite to each other are pressed together: where they follow each other's waves contacts
// must stay, or they sink into each other.
CASE(lips_do_not_sink_into_each_other)
{
    if (CHECK_SANITIZED)
        SKIP("too long under a sanitizer; other cases go the same ways");
    plait_sim *sim = start(
        "materials: {lip: }\nfriction: {default: 0.4}\n"
        "colliders: {up: {material: lip, shape: none, motion: {ease: smooth, keys: [{time: 0 s}, {time: 0.1 s, "
        "position: [0, 0, -1 mm]}]}}, low: {material: lip, shape: none}}\nsolids:\n"
        "  upper: {material: lip, cylinder: {radius: 7 mm, length: 40 mm, cell: 4 mm}, young: 15 kPa, poisson: 0.45, "
        "density: 1050, damping: 8 ms, thickness: 0.5 mm, self: false, rotation: [0, 90 deg, 0], position: [0, 0, 7.3 "
        "mm], pins: [{low: [-1, -1, -1], high: [-3 mm, 1, 1], attach: up}]}\n"
        "  lower: {material: lip, cylinder: {radius: 7 mm, length: 40 mm, cell: 4 mm}, young: 15 kPa, poisson: 0.45, "
        "density: 1050, damping: 8 ms, thickness: 0.5 mm, self: false, rotation: [0, 90 deg, 0], position: [0, 0, -7.3 "
        "mm], pins: [{low: [3 mm, -1, -1], high: [1, 1, 1], attach: low}]}\n"
        "step: {dt: 4 ms}\n");
    double deepest = 0, speed = 1;
    while (sim && plait_sim_time(sim) < 0.2) {
        plait_sim_report r;
        plait_error error = {0};
        if (!CHECK(plait_sim_step(sim, INFINITY, &r, &error) == PLAIT_OK && !r.failed))
            break;
        deepest = fmax(deepest, r.overlap), speed = r.max_speed;
    }
    CHECK(deepest < 0.05); // of the thickness; 0.6 without those contacts
    CHECK(speed < 1e-3);
    plait_sim_free(sim);
}
