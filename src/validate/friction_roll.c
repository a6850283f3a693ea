// friction_roll.c: B7 and B8: balls and cylinders that slide until they roll. Each case is run by one contact, stepped
// by hand, and by rigid bodies in the simulator.
//
// A round body of mass 1, radius R and moment of inertia k R^2 touches the ground at (0, 0, -R); there
// W = diag(1, 1 + 1/k, 1 + 1/k), and an impulse r changes the spin by (r_y, -r_x) / (k R).
#include <math.h>
#include <stdio.h>

#include "math/vec3.h"
#include "validate/friction_slider.h"

static const double PI = 3.14159265358979323846, DEGREE = 3.14159265358979323846 / 180, G = 9.81;

typedef struct roller {
    // given
    bool rigid; // in the simulator
    double radius, k, mu, dt;
    double half_length; // 0: a ball; else a lying capsule, its axis along y
    double slope;       // [rad] falls towards +x
    double velocity[3], spin[3];
    // found, in the frame of the ground: x downhill, y across, z up
    double x[3], v[3], w[3], r[3];
    int steps;
    plait_sim *sim;
} roller;

static const char *subject_of(const roller *o)
{
    return !o->rigid ? "one contact" : o->half_length > 0 ? "rigid capsule" : "rigid ball";
}

// Velocity of the point that touches the ground.
static double slip_of(const roller *o)
{
    return hypot(o->v[0] - o->radius * o->w[1], o->v[1] + o->radius * o->w[0]);
}

// ---- in the simulator --------------------------------------------------------------------------------------------

// From the frame of the ground to the world (sign 1) or back (-1): a rotation about y.
static void turn(double slope, int sign, const double a[3], double b[3])
{
    double c = cos(slope), s = sign * sin(slope);
    plait_vec3_set(b, c * a[0] + s * a[2], a[1], c * a[2] - s * a[0]);
}

static bool start_rigid(plait_trial *t, roller *o)
{
    plait_scene *scene = plait_trial_scene(t, o->dt);
    if (!scene)
        return false;
    plait_material rod = plait_default_material();
    int material = plait_scene_add_material(scene, "ground", &rod, o->mu);
    int plane = plait_scene_add_collider(scene, "ground", PLAIT_SHAPE_PLANE);
    int body = plait_scene_add_rigid(scene, "body", o->half_length > 0 ? PLAIT_SHAPE_CAPSULE : PLAIT_SHAPE_SPHERE);
    if (material < 0 || plane < 0 || body < 0) {
        plait_scene_free(scene);
        snprintf(t->reason, sizeof t->reason, "out of memory");
        return false;
    }
    scene->gravity[2] = -G;
    scene->detecting.proximity = 0.1 * o->radius;
    scene->collider[plane].rotation[1] = o->slope;
    plait_rigid *rigid = &scene->rigid[body];
    rigid->material = scene->collider[plane].material = material;
    rigid->shape.size[0] = o->radius;
    rigid->shape.size[1] = o->half_length;
    rigid->density = 1000;
    turn(o->slope, 1, (const double[3]){0, 0, o->radius}, rigid->position);
    turn(o->slope, 1, o->velocity, rigid->velocity);
    turn(o->slope, 1, o->spin, rigid->spin);
    if (o->half_length > 0)
        rigid->rotation[0] = PI / 2; // lies along y
    o->sim = plait_trial_simulate(t, scene);
    return o->sim;
}

static bool step_rigid(plait_trial *t, roller *o)
{
    plait_sim_report report;
    double x[3], v[3], w[3], rotation[4];
    if (!plait_trial_advance(t, o->sim, &report))
        return false;
    plait_sim_rigid_pose(o->sim, 0, x, rotation);
    plait_sim_rigid_velocity(o->sim, 0, v, w);
    turn(o->slope, -1, x, o->x);
    turn(o->slope, -1, v, o->v);
    turn(o->slope, -1, w, o->w);
    return true;
}

// ---- by hand -----------------------------------------------------------------------------------------------------

static bool step_contact(plait_trial *t, roller *o)
{
    double R = o->radius, w = 1 + 1 / o->k;
    const double W[9] = {1, 0, 0, 0, w, 0, 0, 0, w};
    o->v[0] += o->dt * G * sin(o->slope);
    const double b[3] = {o->v[2] - o->dt * G * cos(o->slope), o->v[0] - R * o->w[1], o->v[1] + R * o->w[0]};
    if (plait_contact_solve(PLAIT_LOCAL_SECULAR, W, b, o->mu, 1e-13, o->r) != PLAIT_LOCAL_SOLVED) {
        snprintf(t->reason, sizeof t->reason, "step %d was not solved", o->steps);
        return false;
    }
    o->v[0] += o->r[1], o->v[1] += o->r[2], o->v[2] = b[0] + o->r[0];
    o->w[0] += o->r[2] / (o->k * R), o->w[1] -= o->r[1] / (o->k * R);
    for (int i = 0; i < 3; i++)
        o->x[i] += o->dt * o->v[i];
    return true;
}

// ---- either ------------------------------------------------------------------------------------------------------

static bool start(plait_trial *t, roller *o)
{
    t->subject = subject_of(o);
    o->steps = 0;
    o->sim = NULL;
    plait_vec3_copy(o->velocity, o->v);
    plait_vec3_copy(o->spin, o->w);
    plait_vec3_set(o->x, 0, 0, o->radius);
    plait_vec3_set(o->r, 0, 0, 0);
    return !o->rigid || start_rigid(t, o);
}

static bool step(plait_trial *t, roller *o)
{
    o->steps++;
    return o->rigid ? step_rigid(t, o) : step_contact(t, o);
}

static double energy(const roller *o)
{
    return (plait_vec3_dot(o->v, o->v) + o->k * o->radius * o->radius * plait_vec3_dot(o->w, o->w)) / 2;
}

// ---- B7 ------------------------------------------------------------------------------------------------------------

// A ball with velocity v0 and spin w0 slips with u0 = v0 + w0 x (0, 0, -R). Friction mu g acts against it, its
// direction never changes, and it is over after 2 |u0| / (7 mu g): v0 - 2/7 u0 is left, and |u0|^2 / 7 of the energy is
// lost.
static const struct {
    const char *name;
    double v[2], w[3], mu;
} throws[] = {{"no spin", {1, 0}, {0, 0, 0}, 0.3},
              {"topspin alone", {0, 0}, {0, 20, 0}, 0.3},
              {"backspin", {1, 0}, {0, -50, 0}, 0.3},
              {"side spin", {1, 0}, {20, 0, 0}, 0.2},
              {"oblique", {1, 0.5}, {-15, 10, 7}, 0.5}};
enum { THROWS = (int)(sizeof throws / sizeof *throws), SHOWN = 30 };

static const double BALL = 0.1; // [m] radius

static void ball_row(plait_trial *t, const roller *o, bool ok, double reference, double measured, double tolerance,
                     const char *what, const char *name)
{
    plait_trial_row(t, o->steps, reference, ok ? measured : NAN, tolerance, "%s, %s", what, name);
}

static void slide_to_roll(plait_trial *t, bool rigid, int i)
{
    const char *name = throws[i].name;
    roller o = {.rigid = rigid, .radius = BALL, .k = 0.4, .mu = throws[i].mu, .dt = 1e-4};
    plait_vec3_set(o.velocity, throws[i].v[0], throws[i].v[1], 0);
    plait_vec3_copy(throws[i].w, o.spin);
    double u[2] = {o.velocity[0] - BALL * o.spin[1], o.velocity[1] + BALL * o.spin[0]}, slip = hypot(u[0], u[1]);
    double time = 2 * slip / (7 * o.mu * G), fall = o.mu * G * time * time / (2 * slip);
    double end[2] = {o.velocity[0] - 2 * u[0] / 7, o.velocity[1] - 2 * u[1] / 7};
    double at[2] = {o.velocity[0] * time - fall * u[0], o.velocity[1] * time - fall * u[1]};
    double x[SHOWN], y[SHOWN];
    int shown = 0, limit = (int)(1.5 * time / o.dt), every = limit / SHOWN + 1;
    bool ok = start(t, &o);
    double before = energy(&o);
    while (ok && slip_of(&o) > 1e-7 * slip && o.steps < limit) {
        ok = step(t, &o);
        if (o.steps % every == 0 && shown < SHOWN)
            x[shown] = o.x[0], y[shown++] = o.x[1];
    }
    ball_row(t, &o, ok, time, o.dt * o.steps, o.dt / time, "time until it rolls [s]", name);
    for (int a = 0; a < 2; a++) {
        char what[64];
        snprintf(what, sizeof what, "%c [m] where it rolls", 'x' + a);
        if (at[a] != 0)
            ball_row(t, &o, ok, at[a], o.x[a], 2e-3, what, name);
        snprintf(what, sizeof what, "v%c [m/s] when it rolls", 'x' + a);
        ball_row(t, &o, ok, end[a], o.v[a], 1e-6, what, name);
    }
    ball_row(t, &o, ok, end[0], BALL * o.w[1], 1e-6, "R w_y [m/s] when it rolls", name);
    ball_row(t, &o, ok, slip * slip / 7, before - energy(&o), 1e-6, "energy lost / m", name);
    plait_sim_free(o.sim);
    if (ok && shown)
        plait_trial_curve(t, name, false, shown, x, y);
}

void plait_case_ball(plait_trial *t)
{
    for (int rigid = 0; rigid < 2; rigid++)
        for (int i = 0; i < THROWS && !plait_trial_stopped(t); i++)
            slide_to_roll(t, rigid, i);
    for (int i = 0; i < THROWS; i++) {
        double u[2] = {throws[i].v[0] - BALL * throws[i].w[1], throws[i].v[1] + BALL * throws[i].w[0]};
        double slip = hypot(u[0], u[1]), x[SHOWN], y[SHOWN];
        char name[64];
        for (int k = 0; k < SHOWN; k++) {
            double time = 2 * slip / (7 * throws[i].mu * G) * (k + 1) / SHOWN;
            double fall = throws[i].mu * G * time * time / (2 * slip);
            x[k] = throws[i].v[0] * time - fall * u[0], y[k] = throws[i].v[1] * time - fall * u[1];
        }
        snprintf(name, sizeof name, "exact, %s", throws[i].name);
        plait_trial_curve(t, name, true, SHOWN, x, y);
    }
}

// ---- B8 ------------------------------------------------------------------------------------------------------------

// From rest on a slope: rolls with g sin / (1 + k) if mu >= tan k / (1 + k); else it slides with g (sin - mu cos) and
// its rim turns with mu g cos / k.
enum { ROLL_STEPS = 100 };

static bool roll(plait_trial *t, const roller *like, double degrees, double mu, roller *o)
{
    *o = *like;
    o->slope = degrees * DEGREE;
    o->mu = mu;
    bool ok = start(t, o);
    while (ok && o->steps < ROLL_STEPS)
        ok = step(t, o);
    plait_sim_free(o->sim);
    return ok;
}

static int rolls(plait_trial *t, double mu, const void *like)
{
    roller o;
    if (!roll(t, like, 20, mu, &o))
        return -1;
    return slip_of(&o) < 1e-9 * G * o.dt * ROLL_STEPS;
}

static void on_slopes(plait_trial *t, const roller *like, const char *name)
{
    static const double slopes[] = {10, 20, 30, 45}, mus[] = {0.05, 0.1, 0.2, 0.5};
    double k = like->k, worst[2] = {0}, least = tan(20 * DEGREE) * k / (1 + k), mu[4], found[4], exact[4];
    bool ok = true;
    t->subject = subject_of(like);
    double bracket = plait_trial_bracket(t, 0.9 * least, 1.1 * least, 1e-7, rolls, like);
    plait_trial_row(t, ROLL_STEPS, least, bracket, 1e-6, "smallest mu with which it rolls, 20 deg, %s", name);
    for (int i = 0; i < 16 && ok && !plait_trial_stopped(t); i++) {
        double alpha = slopes[i / 4] * DEGREE, m = mus[i % 4];
        bool sticks = m >= tan(alpha) * k / (1 + k);
        double a = sticks ? G * sin(alpha) / (1 + k) : G * (sin(alpha) - m * cos(alpha));
        double rim = sticks ? a : m * G * cos(alpha) / k;
        roller o;
        ok = roll(t, like, slopes[i / 4], m, &o);
        double time = ROLL_STEPS * like->dt;
        worst[0] = fmax(worst[0], fabs(o.v[0] / time / a - 1));
        worst[1] = fmax(worst[1], fabs(o.radius * o.w[1] / time / rim - 1));
        if (i / 4 == 2)
            mu[i % 4] = m, found[i % 4] = o.v[0] / time, exact[i % 4] = a;
    }
    plait_trial_row(t, ROLL_STEPS, 0, ok ? worst[0] : NAN, 1e-6, "largest error of a, 4 slopes, 4 mu, %s", name);
    plait_trial_row(t, ROLL_STEPS, 0, ok ? worst[1] : NAN, 1e-6, "largest error of R dw/dt, 4 slopes, 4 mu, %s", name);
    if (!ok || plait_trial_stopped(t))
        return;
    char label[64];
    snprintf(label, sizeof label, "exact, 30 deg, %s", name);
    plait_trial_curve(t, label, true, 4, mu, exact);
    plait_trial_curve(t, label + 7, false, 4, mu, found);
}

void plait_case_rolling(plait_trial *t)
{
    // Half a cylinder's length in radii: the caps change k from 1/2 by little, and exactly by so much.
    const double R = 0.05, h = 1, capsule = (0.5 * 2 * h + 0.4 * 4 / 3 * R) / (2 * h + 4.0 / 3 * R);
    on_slopes(t, &(roller){.radius = R, .k = 0.4, .dt = 1e-3}, "ball");
    on_slopes(t, &(roller){.radius = R, .k = 0.5, .dt = 1e-3}, "cylinder");
    on_slopes(t, &(roller){.rigid = true, .radius = R, .k = 0.4, .dt = 1e-3}, "ball");
    on_slopes(t, &(roller){.rigid = true, .radius = R, .k = capsule, .dt = 1e-3, .half_length = h}, "long capsule");
}
