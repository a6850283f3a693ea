// bonds.c: adhesion and ties: the law in every solver, bonds in simulations, their state; the rows are contact/law_bond.h.
#include "base/rng.h"
#include "bonded.h"
#include "check.h"
#include "contact/law_bond.h"
#include "plait/control.h"
#include "plait/generate.h"
#include "plait/io.h"
#include "sim/sim.h"
#include "sim_scenes.h"

// ---- problems --------------------------------------------------------------------------------------------------------

static double largest(const double *x, int n)
{
    double most = 0;
    for (int i = 0; i < n; i++)
        most = fmax(most, fabs(x[i]));
    return most;
}

static bool solve_with(const plait_problem *p, plait_solver solver, double tol, plait_solution *s)
{
    plait_solve_options options = plait_default_solve_options();
    plait_report report;
    plait_certificate judged;
    options.solver = solver, options.tol = tol;
    memset(s->r, 0, 3 * (size_t)p->n * sizeof *s->r);
    CHECK_INT(plait_problem_solve(p, &options, s, &report, NULL), PLAIT_OK);
    CHECK_INT(plait_problem_certify(p, s, &judged, NULL), PLAIT_OK);
    if (!CHECK(judged.residual_rel <= tol))
        printf("  %s: residual %g after %d iterations\n", plait_solver_name(solver), judged.residual_rel,
               report.iterations);
    return judged.residual_rel <= tol;
}

// Impulses and velocities are the same from every solver, and from the problem that has the bonds in its M.
CASE(solvers_agree_on_bonds)
{
    static const plait_solver solvers[] = {PLAIT_SOLVER_GS,         PLAIT_SOLVER_PROX, PLAIT_SOLVER_NEWTON_AC,
                                           PLAIT_SOLVER_NEWTON_MFB, PLAIT_SOLVER_ADMM, PLAIT_SOLVER_APGD};
    for (int kind = 0; kind < 3; kind++) {
        plait_problem *p = bonded(6 + kind, 0.3, kind == 2 ? 5 : 0, 11 + (uint64_t)kind, 1);
        if (!p)
            return;
        plait_solution *first = plait_solution_new(p->n), *s = plait_solution_new(p->n);
        solve_with(p, solvers[0], 1e-11, first);
        double size = largest(first->r, 3 * p->n), speed = largest(p->b, 3 * p->n);
        for (int k = 1; k < (kind == 2 ? 5 : 6); k++) {
            if (!solve_with(p, solvers[k], k < 4 ? 1e-11 : 1e-10, s))
                continue;
            double tol = k < 4 ? 1e-9 : 1e-6;
            for (int i = 0; i < 3 * p->n; i++)
                if (!CHECK(fabs(s->r[i] - first->r[i]) < tol * size && fabs(s->u[i] - first->u[i]) < tol * speed))
                    break;
        }
        plait_error error = {0};
        plait_problem *q = plait_problem_fold_bonds(p, &error);
        if (kind == 2) {
            CHECK(q == NULL && error.status == PLAIT_BAD_INPUT); // ties
        } else if (CHECK(q != NULL)) {
            plait_laws laws = plait_problem_laws(p);
            const plait_solver plain[] = {PLAIT_SOLVER_GS, PLAIT_SOLVER_IPM};
            for (int k = 0; k < 2; k++) {
                if (!solve_with(q, plain[k], k ? 1e-8 : 1e-11, s))
                    continue;
                for (int i = 0; i < p->n; i++) { // rho there is r + K u + c here
                    plait_law_cone cone;
                    CHECK(plait_law_get_cone(&laws, i, &cone));
                    for (int a = 0; a < 3; a++) {
                        double rho = first->r[3 * i + a] + cone.K[a] * first->u[3 * i + a] + cone.c[a];
                        CHECK_NEAR(s->r[3 * i + a], rho, (k ? 1e-3 : 1e-8) * size);
                        CHECK_NEAR(s->u[3 * i + a], first->u[3 * i + a], (k ? 1e-4 : 1e-9) * speed);
                    }
                }
            }
        }
        plait_problem_free(q), plait_solution_free(first), plait_solution_free(s), plait_problem_free(p);
    }
}

// A file of fclib has Coulomb's law alone: it is refused, and nothing is left behind.
CASE(files_do_not_pretend)
{
    plait_problem *p = bonded(6, 0.3, 0, 3, 1);
    plait_error error = {0};
    CHECK_INT(plait_problem_write("bonds.hdf5", p, NULL, &error), PLAIT_BAD_INPUT);
    CHECK(strstr(error.text, "bonds") != NULL && access("bonds.hdf5", F_OK) != 0);
    plait_problem *q = plait_problem_fold_bonds(p, NULL);
    CHECK_INT(plait_problem_write("folded.hdf5", q, NULL, &error), PLAIT_OK);
    plait_problem_free(p), plait_problem_free(q);
}

// ---- simulations -----------------------------------------------------------------------------------------------------

// A ball of 1 kg on a plate, and a rod across another.
static plait_scene *scene_with(const plait_adhesion *a, double up)
{
    plait_scene *scene = plait_scene_new();
    int glue = plait_scene_add_material(scene, "glue", NULL, 0.3);
    if (a)
        CHECK(plait_scene_set_adhesion(scene, glue, glue, a));
    plait_scene_add_collider(scene, "plate", PLAIT_SHAPE_PLANE);
    int ball = plait_scene_add_rigid(scene, "ball", PLAIT_SHAPE_SPHERE);
    scene->rigid[ball].shape.size[0] = 0.05, scene->rigid[ball].density = 1 / (4 * M_PI / 3 * 1.25e-4);
    scene->rigid[ball].position[2] = 0.05, scene->rigid[ball].position[0] = 1;
    scene->gravity[2] = up;
    scene->stepping.adaptive = false, scene->detecting.proximity = 1e-4;
    scene->stepping.solve.tol = 1e-10;
    plait_scene_add_group(scene, "rods");
    for (int k = 0; k < 3; k++) {
        double point[12];
        for (int i = 0; i < 4; i++) {
            point[3 * i] = k == 1 ? 0 : 0.02 * (i - 1.5), point[3 * i + 1] = k == 1 ? 0.02 * (i - 1.5) : 0.01 * k;
            point[3 * i + 2] = 1e-4 + 2e-4 * (k == 1);
        }
        int f = plait_scene_add_fibre(scene, PLAIT_ROD_DER, glue, 4, point);
        scene->material[glue].rod.radius[0] = scene->material[glue].rod.radius[1] = 1e-4;
        scene->fibre[f].segments = 6;
    }
    return scene;
}

static plait_sim_report steps(plait_sim *sim, int n)
{
    plait_sim_report report = {0};
    plait_error error = {0};
    for (int i = 0; i < n; i++)
        if (!CHECK(plait_sim_step(sim, INFINITY, &report, &error) == PLAIT_OK && !report.failed))
            break;
    return report;
}

static const plait_adhesion strong = {
    .stiffness = {1e8, 5e7}, .energy = 20, .viscosity = 0.1, .initial = 1, .area = 1e-6};

static bool same_states(const plait_sim *a, const plait_sim *b)
{
    int64_t n, m;
    const double *x = plait_sim_view_state(a, &n), *y = plait_sim_view_state(b, &m);
    return n == m && memcmp(x, y, (size_t)n * sizeof *x) == 0;
}

CASE(beta_0_gives_the_bits_of_coulomb)
{
    plait_adhesion none = strong;
    none.initial = 0;
    plait_sim *plain = scenes_start(scene_with(NULL, -9.81)), *with = scenes_start(scene_with(&none, -9.81));
    double x[3], y[3], q[4];
    plait_sim_report r = steps(plain, 40), s = steps(with, 40);
    CHECK(r.contacts > 4 && s.contacts == r.contacts && s.bonds == 0);
    plait_sim_rigid_pose(plain, 0, x, q), plait_sim_rigid_pose(with, 0, y, q);
    CHECK(memcmp(x, y, sizeof x) == 0);
    plait_sim_nodes a = {.size = sizeof a}, b = {.size = sizeof b};
    CHECK(plait_sim_view_nodes(plain, &a, NULL) == PLAIT_OK && plait_sim_view_nodes(with, &b, NULL) == PLAIT_OK);
    CHECK(memcmp(a.x, b.x, 3 * (size_t)a.nodes * sizeof *a.x) == 0);
    CHECK(r.certificate.residual_rel == s.certificate.residual_rel);
    plait_sim_free(plain), plait_sim_free(with);
}

// Pulled up: the ball hangs 2 mm under its glue, twenty times farther than detection sees, and goes on from a checkpoint.
CASE(bonds_outlive_proximity_and_checkpoints)
{
    plait_adhesion far = strong;
    far.stiffness[0] = 5e3 / far.area, far.energy = 1e6;
    plait_sim *sim = scenes_start(scene_with(&far, 10)), *again = scenes_start(scene_with(&far, 10));
    plait_sim_report r = steps(sim, 2500);
    double x[3], q[4], gap = 10 / 5e3;
    plait_sim_rigid_pose(sim, 0, x, q);
    CHECK_NEAR(x[2] - 0.05, gap, 0.02 * gap);
    CHECK(r.bonds > 4 && r.bond_energy > 0.9 * 0.5 * 10 * gap);
    int64_t size;
    const double *state = plait_sim_view_state(sim, &size);
    CHECK_INT(plait_sim_set_state(again, state, size, NULL), PLAIT_OK);
    steps(sim, 50), steps(again, 50);
    CHECK(same_states(sim, again));
    // Nonsense is refused.
    state = plait_sim_view_state(sim, &size);
    double *bad = malloc((size_t)size * sizeof *bad);
    for (int64_t i = 0; i < size; i++) {
        memcpy(bad, state, (size_t)size * sizeof *bad);
        bad[i] = -7e8;
        plait_sim_set_state(again, bad, size, NULL); // must not crash
    }
    CHECK_INT(plait_sim_set_state(again, state, size - 1, NULL), PLAIT_BAD_INPUT);
    free(bad), plait_sim_free(sim), plait_sim_free(again);
}

// A pressure p bonds up to p / p0, as fast as the rate says; a coupling takes friction away meanwhile.
CASE(pressure_bonds)
{
    plait_adhesion a = {.stiffness = {1e6, 0}, .energy = 1, .rate = 1e-4, .area = 1e-3, .saturation = 2e4};
    plait_sim *sim = scenes_start(scene_with(&a, -10)); // 10 N on 1e-3 m^2: 1e4 Pa, half of p0
    double dt = 1e-3, beta = 0;
    for (int i = 0; i < 2000; i++) {
        plait_sim_contact c[64];
        steps(sim, 1);
        beta = (beta + dt * a.rate * 1e4) / (1 + dt * a.rate * a.saturation);
        int n = plait_sim_get_contacts(sim, 64, c);
        for (int k = 0; k < n && i % 500 == 499; k++)
            if (c[k].kind[0] == PLAIT_PARTNER_RIGID)
                CHECK_NEAR(c[k].beta, beta, 1e-3);
    }
    CHECK_NEAR(beta, 0.5, 0.02);
    plait_sim_free(sim);
}

// On a plate a bond has a link's length times its fibre's width, whatever fibres lie elsewhere, and across another fibre the
// square of the width.
CASE(areas_of_bonds_of_fibres)
{
    plait_adhesion a = strong;
    a.area = 0;
    plait_scene *scene = scene_with(&a, 0);
    scene->rigids = 0, scene->detecting.spacing = 1; // a link is shorter
    for (int i = 0; i < 4; i++)                      // beside the others, across the first
        scene->fibre[2].point[3 * i] = 0.05, scene->fibre[2].point[3 * i + 1] = 0.02 * (i - 1.5);
    plait_sim *sim = scenes_start(scene);
    steps(sim, 1);
    double width = 2e-4, link = 0.01;
    int plate = 0, across = 0;
    for (int i = 0; i < sim->work.bonds.count; i++) {
        const plait_touch *t = &sim->work.previous.touch[i];
        bool shape = t->side[0].on_shape || t->side[1].on_shape;
        CHECK_REL(plait_bonds_get(&sim->work.bonds, i)->area, shape ? link * width : width * width, 1e-6);
        plate += shape, across += !shape;
    }
    CHECK(plate >= 12 && across == 1);
    plait_sim_free(sim);
}

// ---- ties ------------------------------------------------------------------------------------------------------------

// A ball that hangs on a tie is a pendulum as long as it is from its point; then the tie is opened, or breaks.
CASE(a_tie_is_a_hinge)
{
    plait_scene *scene = scene_with(NULL, -9.81);
    scene->rigid[0].position[2] = 1, scene->stepping.dt = 2e-4;
    plait_sim *sim = scenes_start(scene);
    plait_sim_point end[2] = {{.kind = PLAIT_PARTNER_RIGID}, {.kind = PLAIT_PARTNER_COLLIDER, .position = {1.5, 0, 1}}};
    end[0].position[0] = 1.5, end[0].position[2] = 1; // a point of the ball's frame, half a metre beside it
    int id = -1;
    plait_error error = {0};
    CHECK_INT(plait_sim_add_tie(sim, end, NULL, &id, &error), PLAIT_OK);
    plait_sim_report r = steps(sim, 1500);
    double x[3], q[4], force;
    plait_sim_rigid_pose(sim, 0, x, q);
    CHECK_NEAR(hypot(x[0] - 1.5, x[2] - 1), 0.5, 1e-3);
    CHECK(x[2] < 0.75); // it fell on its arc
    CHECK_INT(r.ties, 1);
    CHECK(plait_sim_tie_force(sim, id, &force) && force > 5 && force < 40);
    int64_t size;
    const double *state = plait_sim_view_state(sim, &size);
    scene = scene_with(NULL, -9.81), scene->stepping.dt = 2e-4;
    plait_sim *again = scenes_start(scene);
    CHECK_INT(plait_sim_set_state(again, state, size, NULL), PLAIT_OK); // ties of a program are in the state
    steps(sim, 20), steps(again, 20);
    CHECK(same_states(sim, again));
    CHECK_INT(plait_sim_open_tie(sim, id, &error), PLAIT_OK);
    CHECK_INT(plait_sim_open_tie(sim, id, &error), PLAIT_BAD_INPUT);
    CHECK_INT(steps(sim, 1).ties, 0);
    end[0].index = 4;
    CHECK_INT(plait_sim_add_tie(sim, end, NULL, &id, &error), PLAIT_BAD_INPUT);
    end[0] = (plait_sim_point){.kind = PLAIT_PARTNER_FIBRE, .arc = 7};
    CHECK_INT(plait_sim_add_tie(sim, end, NULL, &id, &error), PLAIT_BAD_INPUT);
    plait_sim_free(sim), plait_sim_free(again);
}

CASE(ties_of_scenes_hold_up_to_their_strength)
{
    for (int k = 0; k < 2; k++) {
        plait_scene *scene = scene_with(NULL, -9.81);
        scene->rigid[0].position[0] = 0, scene->rigid[0].position[2] = -0.06; // under the fibres
        scene->colliders = 0;
        scene->detecting.fibres = false;
        int t = plait_scene_add_tie(scene, "pin");
        scene->tie[t].rigid = 0, scene->tie[t].reach = 0.02;
        scene->tie[t].strength = k ? 0.5 : 0;
        for (int f = 0; f < 3; f++)
            scene->fibre[f].end[0] = scene->fibre[f].end[1] = PLAIT_END_PINNED;
        scene->rigid[0].density /= 100; // 10 g: 0.0981 N
        scene->rigid[0].density *= k ? 30 : 1;
        plait_error error = {0};
        plait_sim *sim = plait_sim_new(scene, &error);
        plait_scene_free(scene);
        if (!CHECK(sim != NULL)) {
            printf("  %s\n", error.text);
            continue;
        }
        plait_sim_report r = steps(sim, 1);
        CHECK(r.ties > 0);
        r = steps(sim, 300);
        double x[3], q[4];
        plait_sim_rigid_pose(sim, 0, x, q);
        CHECK(k ? r.ties == 0 && x[2] < -0.2 : r.ties > 0 && x[2] > -0.12);
        plait_sim_free(sim);
    }
    plait_scene *scene = scene_with(NULL, 0);
    int t = plait_scene_add_tie(scene, "nowhere");
    scene->tie[t].position[2] = 5, scene->tie[t].radius = 0.1;
    plait_error error = {0};
    CHECK(plait_sim_new(scene, &error) == NULL && strstr(error.text, "nowhere"));
    plait_scene_free(scene);
}

// A tie names no group, one or both, in either order: what crosses is tied only if both sides are meant.
CASE(groups_of_ties)
{
    const int group[6][2] = {{-1, -1}, {0, -1}, {-1, 1}, {0, 1}, {1, 0}, {0, 0}};
    for (int k = 0; k < 6; k++) {
        plait_scene *scene = scene_with(NULL, 0);
        scene->rigids = scene->colliders = 0;
        scene->fibre[1].group = plait_scene_add_group(scene, "across");
        for (int i = 0; i < 4; i++)
            scene->fibre[2].point[3 * i + 1] += 0.05; // beside: one crossing is left
        int t = plait_scene_add_tie(scene, "knot");
        scene->tie[t].group[0] = group[k][0], scene->tie[t].group[1] = group[k][1];
        plait_sim *sim = plait_sim_new(scene, NULL); // NULL where there is nothing to tie
        CHECK(sim ? steps(sim, 1).ties == 1 && k < 5 : k == 5);
        plait_scene_free(scene), plait_sim_free(sim);
    }
}

// A tie is a spring and a damper: it stores k D^2 / 2, loses c u^2 dt, and all that it stores when it breaks; along the normal
// alone where it turns freely.
CASE(energy_of_a_tie)
{
    const double k = 300, c = 2, dt = 1e-3, off[3] = {1e-3, -2e-3, 3e-3}, u[3] = {0.1, 0.3, -0.2},
                 r[3] = {3e-3, 4e-3, 0};
    for (int kind = 0; kind < 4; kind++) {
        bool turns = kind & 1, breaks = kind & 2;
        plait_bond bond = {.number = {[PLAIT_TIE_STIFFNESS] = k, [PLAIT_TIE_DAMPING] = c}};
        double p[PLAIT_LAW_NUMBERS], stored = 0, lost = 0;
        bond.number[PLAIT_TIE_REST] = turns, bond.number[PLAIT_TIE_STRENGTH] = breaks ? 4.9 : 5.1; // |r| / dt is 5 N
        for (int a = 0; a < (turns ? 1 : 3); a++) {
            double end = off[a] + dt * u[a];
            stored += 0.5 * k * end * end, lost += c * dt * u[a] * u[a];
        }
        plait_tie_set(dt, &bond, off, p);
        plait_bond_step step = {.dt = dt};
        memcpy(step.r, r, sizeof r), memcpy(step.u, u, sizeof u);
        CHECK(plait_law_tie.evolve(&step, p, &bond) == !breaks);
        CHECK_REL(bond.number[PLAIT_TIE_FORCE], 5, 1e-12);
        CHECK_REL(bond.energy, breaks ? 0 : stored, 1e-12);
        CHECK_REL(bond.lost, lost + (breaks ? stored : 0), 1e-12);
    }
}

// Two balls, joined half-way, fall; one meets the plate and bounces: the joint holds through the impact.
CASE(ties_hold_through_impacts)
{
    plait_scene *scene = scene_with(NULL, -9.81);
    int other = plait_scene_add_rigid(scene, "other", PLAIT_SHAPE_SPHERE);
    scene->rigid[other] = scene->rigid[0];
    scene->rigid[0].position[2] = 0.1, scene->rigid[other].position[2] = 0.22, scene->rigid[other].position[0] = 1.16;
    plait_scene_set_friction(scene, 0, 0, 0.3, 0.8);
    plait_sim *sim = scenes_start(scene);
    plait_sim_point end[2] = {{.kind = PLAIT_PARTNER_RIGID, .position = {1.08, 0, 0.16}},
                              {.kind = PLAIT_PARTNER_RIGID, .index = 1, .position = {1.08, 0, 0.16}}};
    CHECK_INT(plait_sim_add_tie(sim, end, NULL, NULL, NULL), PLAIT_OK);
    double fastest = 0, farthest = 0;
    for (int i = 0; i < 250; i++) {
        double x[3], y[3], q[4], v[3], spin[3];
        steps(sim, 1);
        plait_sim_rigid_pose(sim, 0, x, q), plait_sim_rigid_pose(sim, 1, y, q);
        plait_sim_rigid_velocity(sim, 0, v, spin);
        fastest = fmax(fastest, v[2]);
        farthest = fmax(farthest, hypot(x[0] - y[0], x[2] - y[2]));
    }
    CHECK(fastest > 0.3);          // it bounced
    CHECK(farthest < 0.2 * 1.005); // as far as they are when the joint is stretched
    plait_sim_free(sim);
}

// ---- scene files -----------------------------------------------------------------------------------------------------

CASE(mistakes_in_scene_files)
{
    const struct {
        const char *text, *says;
    } wrong[] = {
        {"adhesion: {x: {energy: 1}}\n", "'stiffness' is missing"},
        {"adhesion: {x: {stiffness: 1e6 N/m, energy: 1}}\n", "[N/m^3], found a force per width"},
        {"adhesion: {x: {stiffness: 0, energy: 1}}\n", "expected a stiffness above 0"},
        {"adhesion: {x: {stiffness: 1, energy: 1, initial: 3}}\n", "between 0 and 1"},
        {"adhesion: {x: {stiffness: 1, energy: 1}, y: {stiffness: 2, energy: 1}}\n", "is given twice"},
        {"adhesion: {x: {material: skin, stiffness: 1, energy: 1}}\n", "skin"},
        {"fibres: {hair: {line: {}}}\nties: {x: {fibres: hairs}}\n", "there are no fibres 'hairs'"},
        {"fibres: {hair: {line: {}}}\nties: {x: {radius: 1 cm}}\n", "go together"},
        {"ties: {x: {body: ball}}\n", "there is no body 'ball'"},
        {"ties: {x: {damping: 1}}\n", "has no damping"},
    };
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        plait_error error = {0};
        FILE *file = fopen("wrong.yaml", "w");
        fputs(wrong[k].text, file), fclose(file);
        plait_scene *scene = plait_scene_read("wrong.yaml", 0, NULL, &error);
        if (!CHECK(!scene && strstr(error.text, wrong[k].says) && strstr(error.text, "wrong.yaml:")))
            printf("  %s: %s\n", wrong[k].text, error.text);
        plait_scene_free(scene);
    }
    // What is right is read, both ways round.
    FILE *file = fopen("right.yaml", "w");
    fputs("materials: {a: , b: }\nadhesion:\n  x: {material: b, with: a, stiffness: [2e6, 1e6], energy: 3 mJ/cm^2, "
          "cut: 1 mm}\n",
          file);
    fclose(file);
    plait_error error = {0};
    plait_scene *scene = plait_scene_read("right.yaml", 0, NULL, &error);
    if (CHECK(scene && scene->adhesion)) {
        for (int k = 1; k < 3; k++) {
            CHECK_NEAR(scene->adhesion[k].stiffness[1], 1e6, 0);
            CHECK_NEAR(scene->adhesion[k].energy, 30, 1e-12);
            CHECK_NEAR(scene->adhesion[k].cut, 1e-3, 1e-18);
        }
        CHECK(scene->adhesion[0].energy == 0 && scene->adhesion[3].energy == 0);
    }
    plait_scene_free(scene);
}
