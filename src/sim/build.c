// build.c: from a scene to a simulation at rest.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/parallel.h"
#include "math/quat.h"
#include "math/vec3.h"
#include "shape/type.h"
#include "sim/sim.h"

enum { CURVED_SAMPLES = 5, SMALL = 3000 };

// ---- a copy of what is kept of the scene -----------------------------------------------------------------------------

static void *copy_of(const void *data, size_t count, size_t size, bool *ok)
{
    void *copy = malloc(count * size + 1);
    if (copy && count > 0)
        memcpy(copy, data, count * size);
    *ok &= copy != NULL;
    return copy;
}

static void copy_shape(plait_shape *s, bool *ok)
{
    size_t points = (size_t)s->points;
    s->point = s->point ? copy_of(s->point, 3 * points, sizeof *s->point, ok) : NULL;
    s->triangle = s->triangle ? copy_of(s->triangle, 3 * (size_t)s->triangles, sizeof *s->triangle, ok) : NULL;
    s->frame = s->frame ? copy_of(s->frame, 3 * points * (size_t)s->frames, sizeof *s->frame, ok) : NULL;
}

// Everything but fibres, groups and texts. Freed by plait_scene_free.
static plait_scene *copy_scene(const plait_scene *scene)
{
    bool ok = true;
    plait_scene *copy = copy_of(scene, 1, sizeof *scene, &ok);
    if (!ok)
        return NULL;
    copy->title = copy->reproduces = copy->text = NULL;
    copy->fibres = copy->groups = 0;
    copy->fibre = NULL, copy->group = NULL;
    size_t m = (size_t)scene->materials;
    copy->material = copy_of(scene->material, m, sizeof *scene->material, &ok);
    copy->mu = copy_of(scene->mu, m * m, sizeof *scene->mu, &ok);
    copy->restitution = copy_of(scene->restitution, m * m, sizeof *scene->restitution, &ok);
    copy->collider = copy_of(scene->collider, (size_t)scene->colliders, sizeof *scene->collider, &ok);
    copy->rigid = copy_of(scene->rigid, (size_t)scene->rigids, sizeof *scene->rigid, &ok);
    for (int i = 0; copy->collider && i < scene->colliders; i++) {
        plait_collider *c = &copy->collider[i];
        copy_shape(&c->shape, &ok);
        c->motion.key = copy_of(c->motion.key, (size_t)c->motion.keys, sizeof *c->motion.key, &ok);
        c->motion.drive = copy_of(c->motion.drive, (size_t)c->motion.drives, sizeof *c->motion.drive, &ok);
    }
    for (int i = 0; copy->rigid && i < scene->rigids; i++)
        copy_shape(&copy->rigid[i].shape, &ok);
    if (ok)
        return copy;
    // Only memory can be short here: what was not copied must not be freed with the copy.
    copy->colliders = copy->collider ? scene->colliders : 0;
    copy->rigids = copy->rigid ? scene->rigids : 0;
    plait_scene_free(copy);
    return NULL;
}

// ---- fibres --------------------------------------------------------------------------------------------------------

static plait_rod_def definition(const plait_scene *scene, const plait_fibre *f, int id, plait_error *error,
                                plait_status *status)
{
    plait_rod_def def = plait_default_rod_def();
    def.model = f->model, def.id = id;
    *status = plait_material_section(&scene->material[f->material].rod, &def.section, error);
    // A rod that stands for a wisp has the wisp's inertia about its axis.
    double wisp = scene->material[f->material].contact_radius;
    for (int k = 0; k < 2; k++)
        def.section.inertia[k] = fmax(def.section.inertia[k], def.section.mass * wisp * wisp / 4);
    def.point_count = f->points, def.points = f->point, def.segments = f->segments;
    plait_vec3_copy(f->director, def.director);
    def.natural = f->natural;
    def.curvature[0] = f->curvature[0], def.curvature[1] = f->curvature[1], def.twist = f->twist;
    def.excess = f->excess, def.length = f->length;
    for (int e = 0; e < 2; e++)
        def.end[e].kind = f->end[e];
    plait_vec3_copy(scene->gravity, def.gravity);
    return def;
}

// Natural lengths of the segments: those of the drawn polyline in proportion. Curved segments are all the same.
static bool measure_segments(plait_sim_fibre *fibre)
{
    const plait_rod *rod = fibre->rod;
    int n = rod->segments;
    double *x = malloc(3 * ((size_t)n + 1) * sizeof *x), sum = 0;
    fibre->rest = malloc((size_t)n * sizeof *fibre->rest);
    bool ok = x && fibre->rest;
    if (ok)
        rod->type->positions(rod, x);
    for (int i = 0; ok && i < n; i++) {
        double d[3];
        plait_vec3_sub(x + 3 * (i + 1), x + 3 * i, d);
        fibre->rest[i] = rod->type->trace ? 1 : plait_vec3_norm(d);
        sum += fibre->rest[i];
    }
    for (int i = 0; ok && i < n; i++)
        fibre->rest[i] *= rod->length / sum;
    free(x);
    return ok;
}

static plait_status build_fibre(plait_sim *sim, const plait_scene *scene, int i, plait_error *error)
{
    const plait_fibre *f = &scene->fibre[i];
    plait_sim_fibre *fibre = &sim->fibre[i];
    plait_status status;
    plait_rod_def def = definition(scene, f, i, error, &status);
    if (status != PLAIT_OK)
        return status;
    double theta = scene->stepping.theta;
    if (theta < 1)
        plait_sim_theta_section(theta, &def.section);
    plait_rod *rod = fibre->rod = plait_rod_new(&def, error);
    if (!rod)
        return error && error->status != PLAIT_OK ? error->status : PLAIT_BAD_INPUT;
    fibre->samples = f->samples > 0 ? f->samples : rod->type->trace ? CURVED_SAMPLES : 1;
    fibre->drag = rod->section.drag * theta;
    if (!measure_segments(fibre))
        return plait_error_set(error, PLAIT_NO_MEMORY, "no memory for fibre %d", i);
    if (f->relax) {
        plait_step_report report;
        plait_rod_relax(rod, NULL, &report, NULL); // where it does not settle it starts as it was drawn
    }
    if (plait_vec3_dot(f->velocity, f->velocity) + plait_vec3_dot(f->spin, f->spin) > 0)
        plait_rod_kick(rod, f->velocity, f->spin, f->point);
    size_t dofs = (size_t)rod->dofs, nodes = (size_t)(rod->segments * fibre->samples + 1);
    fibre->state = malloc((size_t)rod->state_size * sizeof *fibre->state);
    fibre->M = malloc(dofs * (size_t)(rod->bandwidth + 1) * sizeof *fibre->M);
    fibre->f = malloc(dofs * sizeof *fibre->f);
    fibre->about = malloc(dofs * sizeof *fibre->about);
    fibre->held = calloc(dofs, 1);
    bool ok = fibre->state && fibre->M && fibre->f && fibre->about && fibre->held;
    ok = ok && (theta >= 1 || plait_sim_theta_allocate(fibre));
    if (rod->type->trace) {
        fibre->jacobian = malloc(3 * nodes * dofs * sizeof *fibre->jacobian);
        fibre->there = malloc(3 * nodes * sizeof *fibre->there);
        fibre->offset = calloc(3 * nodes, sizeof *fibre->offset);
        ok = ok && fibre->jacobian && fibre->there && fibre->offset;
    } else {
        double position[3], J[3 * 16];
        int first;
        fibre->stride = rod->type->point(rod, 0, 0, position, &first, J) - 3; // the second node's dofs come last
    }
    return ok ? PLAIT_OK : plait_error_set(error, PLAIT_NO_MEMORY, "no memory for fibre %d", i);
}

static void number_nodes(plait_sim *sim)
{
    sim->first_node[0] = sim->first_dof[0] = 0;
    for (int i = 0; i < sim->fibres; i++) {
        const plait_sim_fibre *f = &sim->fibre[i];
        sim->first_node[i + 1] = sim->first_node[i] + f->rod->segments * f->samples + 1;
        sim->first_dof[i + 1] = sim->first_dof[i] + f->rod->dofs;
    }
    for (int i = 0; i < sim->rigids; i++)
        sim->first_dof[sim->fibres + i + 1] = sim->first_dof[sim->fibres + i] + 6;
    sim->nodes = sim->first_node[sim->fibres];
    sim->dofs = sim->first_dof[sim->fibres + sim->rigids];
}

static void describe_chains(plait_sim *sim, const plait_scene *scene)
{
    const plait_detecting *d = &scene->detecting;
    double thinnest = INFINITY, shortest = INFINITY;
    for (int i = 0; i < sim->fibres; i++) {
        const plait_sim_fibre *f = &sim->fibre[i];
        const plait_fibre_material *m = &scene->material[scene->fibre[i].material];
        int first = sim->first_node[i], nodes = sim->first_node[i + 1] - first;
        double edge = f->rod->length / (nodes - 1);
        double radius = m->contact_radius > 0 ? m->contact_radius : fmax(m->rod.radius[0], m->rod.radius[1]);
        double apart = d->self_arc > 0 ? d->self_arc : fmax(8 * radius, 2.5 * edge);
        sim->radius[i] = radius;
        sim->chain[i] = (plait_chain_geometry){.first = first,
                                               .nodes = nodes,
                                               .radius = radius,
                                               .self_arc = d->self ? apart : INFINITY,
                                               .material = scene->fibre[i].material};
        sim->arc[first] = 0;
        for (int n = 1; n < nodes; n++)
            sim->arc[first + n] = sim->arc[first + n - 1] + f->rest[(n - 1) / f->samples] / f->samples;
        thinnest = fmin(thinnest, radius), shortest = fmin(shortest, edge);
    }
    for (int i = 0; i < sim->rigids; i++)
        thinnest = fmin(thinnest, sim->rigid[i].shape.size[0] / 10);
    bool continuous = d->mode & PLAIT_DETECT_CONTINUOUS;
    sim->proximity = d->proximity > 0 ? d->proximity : isfinite(thinnest) ? thinnest / 2 : 1e-3;
    sim->spacing = d->spacing;
    sim->max_move = scene->stepping.max_move;
    if (sim->max_move <= 0)
        sim->max_move = sim->fibres == 0 ? INFINITY : continuous ? shortest : 4 * thinnest;
}

// ---- rigid bodies --------------------------------------------------------------------------------------------------

static void build_rigids(plait_sim *sim)
{
    for (int i = 0; i < sim->rigids; i++) {
        const plait_rigid *from = &sim->scene->rigid[i];
        plait_sim_rigid *b = &sim->rigid[i];
        b->shape = from->shape;
        b->material = from->material;
        plait_shape_type_of(&b->shape)->inertia(&b->shape, from->density, &b->mass, b->inertia);
        plait_vec3_copy(from->position, b->pose.x);
        plait_quat_exp(from->rotation, b->pose.q);
        plait_vec3_copy(from->velocity, b->velocity);
        plait_vec3_copy(from->spin, b->spin);
    }
}

// ---- all of it -------------------------------------------------------------------------------------------------------

static bool allocate_bodies(plait_sim *sim, const plait_scene *scene)
{
    size_t fibres = (size_t)scene->fibres, rigids = (size_t)scene->rigids, shapes = (size_t)scene->colliders + rigids;
    sim->fibre = calloc(fibres + 1, sizeof *sim->fibre);
    sim->rigid = calloc(rigids + 1, sizeof *sim->rigid);
    sim->chain = calloc(fibres + 1, sizeof *sim->chain);
    sim->radius = calloc(fibres + 1, sizeof *sim->radius);
    sim->first_node = calloc(fibres + 1, sizeof *sim->first_node);
    sim->first_dof = calloc(fibres + rigids + 1, sizeof *sim->first_dof);
    sim->body_dof = calloc(fibres + rigids + 1, sizeof *sim->body_dof);
    sim->body_place = calloc(fibres + rigids + 1, sizeof *sim->body_place);
    sim->shape = calloc(shapes + 1, sizeof *sim->shape);
    sim->points = calloc(2 * (size_t)scene->colliders + 1, sizeof *sim->points);
    sim->detector = plait_detector_new();
    bool ok = sim->fibre && sim->rigid && sim->chain && sim->radius && sim->first_node && sim->first_dof &&
              sim->body_dof && sim->body_place && sim->shape && sim->points && sim->detector;
    for (int i = 0; ok && i < 2 * scene->colliders; i++) {
        const plait_shape *s = &scene->collider[i / 2].shape;
        if (s->frames > 0)
            ok = (sim->points[i] = malloc(3 * (size_t)s->points * sizeof(double))) != NULL;
    }
    return ok;
}

static bool allocate_nodes(plait_sim *sim)
{
    size_t nodes = 3 * (size_t)sim->nodes + 1, dofs = (size_t)sim->dofs + 1;
    sim->x0 = calloc(nodes, sizeof *sim->x0);
    sim->x1 = calloc(nodes, sizeof *sim->x1);
    sim->u0 = calloc(nodes, sizeof *sim->u0);
    sim->arc = calloc(nodes, sizeof *sim->arc);
    sim->v = calloc(dofs, sizeof *sim->v);
    sim->v_free = calloc(dofs, sizeof *sim->v_free);
    sim->problem_v = calloc(dofs, sizeof *sim->problem_v);
    return sim->x0 && sim->x1 && sim->u0 && sim->arc && sim->v && sim->v_free && sim->problem_v;
}

static plait_status build(plait_sim *sim, const plait_scene *scene, plait_error *error)
{
    sim->scene = copy_scene(scene);
    if (!sim->scene || !allocate_bodies(sim, scene))
        return plait_error_set(error, PLAIT_NO_MEMORY, "no memory for %d fibres", scene->fibres);
    sim->fibres = scene->fibres, sim->rigids = scene->rigids;
    for (int i = 0; i < sim->fibres; i++) {
        plait_status built = build_fibre(sim, scene, i, error);
        if (built != PLAIT_OK)
            return built;
    }
    plait_sim_set_shapes(sim, 0);
    plait_status status = plait_sim_anchor_ends(sim, scene, error);
    if (status != PLAIT_OK)
        return status;
    number_nodes(sim);
    if (!allocate_nodes(sim))
        return plait_error_set(error, PLAIT_NO_MEMORY, "no memory for %d nodes", sim->nodes);
    build_rigids(sim);
    describe_chains(sim, scene);
    for (int i = 0; i < scene->materials * scene->materials; i++)
        sim->bounces |= scene->restitution[i] > 0;
    sim->dt_next = scene->stepping.dt;
    plait_sim_set_threads(sim, 0);
    plait_sim_set_scene(sim, 0);
    plait_sim_trace(sim);
    return PLAIT_OK;
}

plait_sim *plait_sim_new(const plait_scene *scene, plait_error *error)
{
    if (plait_scene_check(scene, error) != PLAIT_OK)
        return NULL;
    plait_sim *sim = calloc(1, sizeof *sim);
    if (!sim) {
        plait_error_set(error, PLAIT_NO_MEMORY, "no memory for a simulation");
        return NULL;
    }
    if (build(sim, scene, error) == PLAIT_OK)
        return sim;
    plait_sim_free(sim);
    return NULL;
}

void plait_sim_free(plait_sim *sim)
{
    if (!sim)
        return;
    for (int i = 0; sim->fibre && i < sim->fibres; i++) {
        plait_sim_fibre *f = &sim->fibre[i];
        plait_rod_free(f->rod);
        free(f->state), free(f->M), free(f->f), free(f->about), free(f->held), free(f->start), free(f->jacobian),
            free(f->there), free(f->offset);
        free(f->rest);
    }
    for (int i = 0; sim->points && i < 2 * sim->scene->colliders; i++)
        free(sim->points[i]);
    plait_scene_free(sim->scene);
    plait_detector_free(sim->detector);
    plait_touches_free(&sim->touches), plait_touches_free(&sim->missed), plait_touches_free(&sim->previous);
    plait_problem_free(sim->problem), plait_solution_free(sim->solution);
    free(sim->fibre), free(sim->rigid), free(sim->chain), free(sim->radius), free(sim->first_node);
    free(sim->first_dof), free(sim->body_dof), free(sim->body_place), free(sim->shape), free(sim->points),
        free(sim->x0), free(sim->x1);
    free(sim->u0), free(sim->arc), free(sim->v), free(sim->v_free), free(sim->problem_v);
    free(sim->previous_impulse), free(sim->frame), free(sim->gap_term), free(sim);
}

void plait_sim_set_threads(plait_sim *sim, int threads)
{
    // Waiting for each other would take longer than the work of a small scene.
    sim->threads = sim->dofs < SMALL ? 1 : plait_parallel_threads(threads);
}
