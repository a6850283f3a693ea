// capstan.c: C2: a fibre over a fixed cylinder, or over another fibre. One end carries F0; the pull F1 on the other end
// is raised slowly until the fibre slides.
//
// Flexible: F1 = F0 exp(mu Theta) (Euler). With bending stiffness B the fibre leaves the cylinder early, at angles p0
// and p1 from the directions of the forces. Friction acts on the centreline, which is rho = Rc + r from the axis:
//
//     F1 (cos p1 - mu sin p1) = F0 (cos p0 + mu sin p0) exp(mu (Theta - p0 - p1)),   cos p_i = 1 - B / (2 rho^2 F_i)
//
// The cylinder lies along y, the ends hang down (Theta = pi). Segments are tangents of the circle of radius rho where
// they touch. The section is thinner than the contact radius, so that B / (F0 rho^2) and the stretch can both be
// chosen.
//
// Super-helices do not take part: where they touch depends on all curvatures before, to second order. With large
// contact forces that is a stiffness, which a step that linearises the fibre alone does not know; tight around a
// cylinder it decides.
#include <math.h>
#include <stdio.h>

#include "math/vec3.h"
#include "validate/friction_slider.h"

static const double PI = 3.14159265358979323846;
static const double RADIUS = 1e-3;  // [m] of contact
static const double PRESS = 0.0025; // [N/m^2] F0 / rho^2
static const double STRETCH = 3e-4; // F0 / EA
static const double DRIFT = 0.0014; // F0 dt^2 / (mass per length rho^2): how far one step goes without contacts
static const double DRAG = 200;     // [1/s] settles the ends; at the speeds of interest it takes 3e-4 of F0
static const double MU = 0.3, DT = 2.5e-4;
enum { ARC = 48, POINTS_MAX = 2 * ARC + 40 }; // 38 points in each tail
enum { LOAD = 200, PULL = 600, RAMP = 1600 }; // time steps: F0 at both ends; to 0.9 times what should slide; to 1.1

typedef struct capstan {
    const char *over;
    double cylinder;  // Rc / r
    bool fibre;       // what it hangs over is a fibre too
    double stiffness; // B / (F0 rho^2)
} capstan;

static double sliding_force(double b0, double mu, double turn)
{
    double low = 1, high = 1.01 * exp(mu * turn), p0 = acos(1 - b0 / 2);
    for (int i = 0; i < 100; i++) {
        double F = (low + high) / 2, p1 = acos(1 - b0 / (2 * F));
        bool above = F * (cos(p1) - mu * sin(p1)) > (cos(p0) + mu * sin(p0)) * exp(mu * (turn - p0 - p1));
        *(above ? &high : &low) = F;
    }
    return (low + high) / 2;
}

// ---- the scene ---------------------------------------------------------------------------------------------------

// Tangents of the circle of radius rho, all of one length; straight down from there, 2.5 rho.
static int fibre_points(double rho, double *x)
{
    double d = PI / ARC, l = 2 * rho * tan(d / 2);
    int tail = (int)(2.5 * rho / l), n = 0;
    for (int i = tail - 1; i >= 0; i--)
        plait_vec3_set(x + 3 * n++, -rho, 0, -(i + 0.5) * l);
    for (int i = 0; i < ARC; i++) {
        double angle = PI - (i + 0.5) * d, distance = rho / cos(d / 2);
        plait_vec3_set(x + 3 * n++, distance * cos(angle), 0, distance * sin(angle));
    }
    for (int i = 0; i < tail; i++)
        plait_vec3_set(x + 3 * n++, rho, 0, -(i + 0.5) * l);
    return n;
}

static plait_material fibre_material(double rho, double b0)
{
    double F0 = PRESS * rho * rho, EA = F0 / STRETCH, mass = PRESS * DT * DT / DRIFT;
    double a = 2 * rho * sqrt(b0 * STRETCH), area = PI * a * a; // B = EA a^2 / 4
    return (plait_material){.radius = {a}, .density = mass / area, .young = EA / area, .poisson = 0.3, .drag = DRAG};
}

static bool add_obstacle(plait_scene *scene, const capstan *c, int material)
{
    if (!c->fibre) {
        int i = plait_scene_add_collider(scene, "cylinder", PLAIT_SHAPE_CYLINDER);
        if (i < 0)
            return false;
        plait_collider *cylinder = &scene->collider[i];
        cylinder->shape.size[0] = c->cylinder * RADIUS;
        cylinder->shape.size[1] = 10 * c->cylinder * RADIUS;
        cylinder->rotation[0] = PI / 2;
        cylinder->material = material;
        return true;
    }
    // So stiff that it does not bend.
    const double points[6] = {0, -10 * RADIUS, 0, 0, 10 * RADIUS, 0};
    plait_material rod = {.radius = {RADIUS}, .density = 1e4, .young = 1e13, .poisson = 0.3};
    int fixed = plait_scene_add_material(scene, "fixed", &rod, MU);
    int i = fixed < 0 ? -1 : plait_scene_add_fibre(scene, PLAIT_ROD_DER, fixed, 2, points);
    if (i < 0)
        return false;
    scene->material[fixed].contact_radius = RADIUS;
    scene->fibre[i].segments = 3;
    scene->fibre[i].end[0] = scene->fibre[i].end[1] = PLAIT_END_CLAMPED;
    return true;
}

static plait_sim *capstan_scene(plait_trial *t, const capstan *c)
{
    double x[3 * POINTS_MAX], rho = (c->cylinder + 1) * RADIUS;
    plait_scene *scene = plait_trial_scene(t, DT);
    if (!scene)
        return NULL;
    plait_material rod = fibre_material(rho, c->stiffness);
    int material = plait_scene_add_material(scene, "fibre", &rod, MU);
    int points = fibre_points(rho, x);
    int fibre = material < 0 ? -1 : plait_scene_add_fibre(scene, t->model, material, points, x);
    if (fibre < 0 || !add_obstacle(scene, c, material)) {
        plait_scene_free(scene);
        snprintf(t->reason, sizeof t->reason, "out of memory");
        return NULL;
    }
    scene->material[material].contact_radius = RADIUS;
    scene->fibre[fibre].samples = 1;
    scene->fibre[fibre].director[1] = 1;
    plait_vec3_set(scene->gravity, 0, 0, 0);
    scene->detecting.self = false;
    scene->detecting.spacing = 0.5 * PI / ARC * rho; // a contact at each vertex
    scene->stepping.solve.tol = 1e-8;
    return plait_trial_simulate(t, scene);
}

// ---- pulling -----------------------------------------------------------------------------------------------------

static double first_end(const plait_sim *sim)
{
    double x[3 * (POINTS_MAX + 8)];
    plait_sim_positions(sim, x);
    return x[2];
}

// The pull, over F0, in a step: rises with the load, then faster, then slowly through what should slide.
static double pull_at(int k, double exact)
{
    if (k < LOAD)
        return fmin(1, (k + 1) / (0.5 * LOAD));
    if (k < LOAD + PULL)
        return 1 + (0.9 * exact - 1) * (k - LOAD) / PULL;
    return exact * (0.9 + 0.2 * (k - LOAD - PULL + 1) / RAMP);
}

// F1 / F0 at which the end that carries F0 begins to move; NaN with a reason.
static double pull(plait_trial *t, const capstan *c, double exact, int *segments)
{
    double rho = (c->cylinder + 1) * RADIUS, F0 = PRESS * rho * rho, found = NAN, start = 0;
    plait_sim *sim = capstan_scene(t, c);
    if (!sim)
        return NAN;
    int last = plait_rod_segments(plait_sim_rod(sim, 0));
    *segments = last;
    for (int k = 0; k < LOAD + PULL + RAMP && isnan(found); k++) {
        plait_sim_report report;
        double F = pull_at(k, exact);
        plait_rod_set_force(plait_sim_rod(sim, 0), 0, (const double[3]){0, 0, -fmin(F, 1) * F0});
        plait_rod_set_force(plait_sim_rod(sim, 0), last, (const double[3]){0, 0, -F * F0});
        if (!plait_trial_advance(t, sim, &report) || (k % 100 == 0 && plait_trial_stopped(t)))
            break;
        double z = first_end(sim);
        if (k < LOAD + PULL)
            start = z;
        else if (z - start > 2e-5 * rho)
            found = F;
    }
    if (isnan(found) && !t->reason[0])
        snprintf(t->reason, sizeof t->reason, "it does not slide at 1.1 times the expected force");
    plait_sim_free(sim);
    return found;
}

void plait_case_capstan(plait_trial *t)
{
    static const double stiffness[] = {1e-4, 0.05, 0.1, 0.2};
    enum { CASES = (int)(sizeof stiffness / sizeof *stiffness), LINE_POINTS = 30 };
    double b0[LINE_POINTS], exact[LINE_POINTS], found[CASES], x[CASES];
    static const capstan over[] = {{"cylinder of 20 r", 20, false, 0}, {"crossing fibre", 1, true, 0}};
    for (int k = 0; k < 2; k++) {
        for (int i = 0; i < CASES && !plait_trial_stopped(t); i++) {
            capstan c = over[k];
            c.stiffness = x[i] = stiffness[i];
            int segments = 0;
            double F = sliding_force(c.stiffness, MU, PI);
            found[i] = pull(t, &c, F, &segments);
            plait_trial_row(t, segments, F, found[i], 0.01, "F1/F0 that slides, B/(F0 rho^2) = %g, over a %s",
                            c.stiffness, c.over);
        }
        if (plait_trial_stopped(t))
            return;
        plait_trial_curve(t, over[k].over, false, CASES, x, found);
    }
    for (int i = 0; i < LINE_POINTS; i++) {
        b0[i] = 0.2 * i / (LINE_POINTS - 1);
        exact[i] = sliding_force(b0[i], MU, PI);
    }
    plait_trial_curve(t, "exact", true, LINE_POINTS, b0, exact);
}
