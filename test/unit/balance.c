// The balanced response to contacts: pressed, bent and buckled rods.
#include "body/fibre.h"
#include "plait/control.h"
#include "sim/sim.h"
#include "sim_scenes.h"

// Hair that hangs from a clamp, its tip on a plane, pressed by a hundredth of its length per second (validation C1).
static plait_sim *pressed(plait_scheme scheme, plait_rod_model model, double dt, double until)
{
    plait_scene *scene = scenes_new(1);
    const double point[9] = {0, 0, 0.10001, 0, 0, 0.05001, 1e-5, 0, 1e-5};
    plait_material *m = &scene->material[0].rod;
    *m =
        (plait_material){.radius = {50e-6}, .density = 1300, .young = 3e9, .poisson = 0.45, .damping = 0.05, .drag = 5};
    scene->material[0].contact_radius = 1e-5;
    memset(scene->gravity, 0, sizeof scene->gravity);
    scenes_ground(scene);
    int clamp = plait_scene_add_collider(scene, "clamp", PLAIT_SHAPE_NONE);
    plait_key *key = calloc(2, sizeof *key);
    key[1].time = until, key[1].position[2] = -1e-3 * until;
    scene->collider[clamp].motion.key = key, scene->collider[clamp].motion.keys = 2;
    scene->collider[clamp].position[2] = 0.10001;
    int i = plait_scene_add_fibre(scene, model, 0, 3, point);
    scene->fibre[i].segments = 30, scene->fibre[i].natural = PLAIT_NATURAL_STRAIGHT;
    scene->fibre[i].end[0] = PLAIT_END_CLAMPED, scene->fibre[i].attach[0] = clamp;
    scene->detecting.self = false, scene->detecting.proximity = 1e-5;
    scene->stepping.dt = dt, scene->stepping.dt_min = dt / 256, scene->stepping.adaptive = false;
    scene->stepping.scheme = scheme;
    return scenes_start(scene);
}

// T/N at eps = 0.02; the worst balance and how often it was linearised on the way.
static double ratio(plait_sim *sim, double *balance, int *newton)
{
    plait_sim_report report = {0};
    double sum[3] = {0}, dt = 1e-2;
    *balance = 0, *newton = 0;
    for (int k = 1; k <= 200; k++) {
        CHECK(scenes_run(sim, k * dt, &report));
        *balance = fmax(*balance, report.balance), *newton += report.newton;
    }
    for (int i = 0; i < plait_sim_contacts(sim); i++) {
        plait_sim_contact c;
        plait_sim_contact_get(sim, i, &c);
        for (int k = 0; k < 3; k++)
            sum[k] += c.impulse[k];
    }
    plait_sim_free(sim);
    return hypot(sum[0], sum[1]) / sum[2];
}

CASE(a_pressed_rod)
{
    const plait_rod_model model[3] = {PLAIT_ROD_DER, PLAIT_ROD_MASS_SPRING, PLAIT_ROD_CORDE};
    double balance;
    int newton;
    for (int k = 0; k < 3; k++) {
        double T = ratio(pressed(PLAIT_SCHEME_BALANCED, model[k], 1e-2, 10), &balance, &newton);
        printf("  T/N %.6f, worst balance %.2g, %d linearisations\n", T, balance, newton);
        CHECK_REL(T, 0.063930, 0.01);
        CHECK(balance <= 0.1);
        CHECK(newton < 800);
    }
    // One linearisation is not enough, and says so.
    double T = ratio(pressed(PLAIT_SCHEME_LINEAR, PLAIT_ROD_DER, 1e-2, 10), &balance, &newton);
    CHECK(fabs(T / 0.063930 - 1) > 0.05);
    CHECK(balance > 1);
    CHECK_INT(newton <= 200, 1);
}

// What rests is linearised where it rests: one iteration is enough. (It is not when it begins: the free rod springs away.)
CASE(rest_costs_one_iteration)
{
    plait_sim *sim = pressed(PLAIT_SCHEME_BALANCED, PLAIT_ROD_DER, 1e-2, 0.5);
    plait_sim_report report = {0};
    int late = 0;
    for (int k = 1; k <= 150; k++) {
        CHECK(scenes_run(sim, k * 1e-2, &report));
        late += k > 100 ? report.newton : 0;
    }
    CHECK(late <= 60);
    plait_sim_free(sim);
}

// What presses somewhere on a link, also between nodes of the model, gives the momentum J^T r, J that of the contact.
CASE(where_impulses_press)
{
    for (int m = 0; m < PLAIT_ROD_MODEL_COUNT; m++) {
        plait_scene *scene = scenes_new(0.3);
        scenes_rod(scene, (plait_rod_model)m, (double[]){0, 0, 0.1}, (double[]){1, 0, 0}, 4);
        scene->fibre[0].samples = 3;
        plait_sim *sim = scenes_start(scene);
        plait_sim_report report;
        CHECK(scenes_run(sim, 2e-3, &report));
        plait_body *b = &sim->model.body[0];
        const plait_fibre_impl *p = plait_fibre_of(b);
        for (int segment = 0; segment < 12; segment++) {
            plait_side side = {.segment = segment, .a = 0.3};
            double r[3] = {0.5, -2, 3}, J[300], carried[3], want[100] = {0}, size = 0;
            int dof[100], count = plait_fibre_limb(b, &side, dof, J, carried);
            if (!CHECK(count <= 100 && b->dofs <= 100))
                break;
            for (int d = 0; d < count; d++)
                for (int k = 0; k < 3; k++)
                    want[dof[d]] += J[k * count + d] * r[k], size = fmax(size, fabs(want[dof[d]]));
            plait_fibre_press(b, NULL, NULL);
            plait_fibre_press(b, &side, r);
            for (int d = 0; d < b->dofs; d++)
                CHECK_NEAR(p->pushed[d], want[d], 1e-14 * size);
        }
        plait_sim_free(sim);
    }
}

// A super-helix that spins on a floor without friction: momentum stays, energy does not grow.
CASE(a_spinning_superhelix)
{
    for (int k = 0; k < 2; k++) {
        plait_scene *scene = scenes_new(0);
        plait_material *m = &scene->material[0].rod;
        *m = (plait_material){.radius = {0.5e-3}, .density = 7800, .young = 5e7, .poisson = 0.3};
        scenes_ground(scene);
        scenes_rod(scene, PLAIT_ROD_SUPERHELIX, (double[]){-0.05, 0, 0.5e-3}, (double[]){1, 0, 0}, 6);
        scene->fibre[0].velocity[1] = -1.085, scene->fibre[0].spin[2] = 21.7;
        double dt = scene->stepping.dt = k ? 1e-3 : 1e-4;
        plait_sim *sim = scenes_start(scene);
        plait_sim_report report = {0};
        double last = INFINITY, size = 0;
        plait_rod_energies start = plait_rod_energy(plait_sim_rod(sim, 0)), end;
        size = start.kinetic / 21.7; // about what turns
        while (plait_sim_time(sim) < 0.03 - 1e-9) {
            CHECK(scenes_run(sim, plait_sim_time(sim) + dt, &report));
            double now = report.kinetic + report.elastic + report.potential;
            CHECK(now <= last * (1 + 1e-9));
            last = now;
        }
        end = plait_rod_energy(plait_sim_rod(sim, 0));
        CHECK(last > 0.9 * start.kinetic || k == 1);
        CHECK_NEAR(end.momentum[0], start.momentum[0], 1e-6 * size / 0.1);
        CHECK_NEAR(end.momentum[1], start.momentum[1], 1e-6 * size / 0.1);
        plait_sim_free(sim);
    }
}

// A loop of few elements hits itself, and no step that is balanced is found: it goes on all the same, and says how far
// from balance it was.
CASE(no_balance_is_not_the_end)
{
    plait_error error = {0};
    plait_scene *scene = plait_scene_find("plectoneme", 0, NULL, &error);
    CHECK(scene != NULL);
    plait_sim *sim = scenes_start(scene);
    plait_sim_report report = {0};
    int rejections = 0, touching = 0;
    double most = 0;
    while (plait_sim_time(sim) < 4.55 - 1e-9) {
        CHECK(plait_sim_step(sim, 4.55, &report, &error) == PLAIT_OK && !report.failed);
        if (report.failed)
            break;
        rejections += report.rejections, touching += report.contacts > 0;
        most = fmax(most, report.balance);
    }
    CHECK(rejections > 0 && touching > 0);
    CHECK(most > 0 && most < 1);
    plait_sim_free(sim);
}
