// rod.c: the public functions that are the same for all rod models.
#include "body/rod.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/parallel.h"
#include "body/rod_build.h"
#include "math/vec3.h"

const plait_rod_type *plait_rod_type_of(plait_rod_model model)
{
    for (int i = 0; plait_rod_types[i]; i++)
        if (plait_rod_types[i]->model == model)
            return plait_rod_types[i];
    return NULL;
}

const char *plait_rod_model_name(plait_rod_model model)
{
    const plait_rod_type *type = plait_rod_type_of(model);
    return type ? type->name : NULL;
}

unsigned plait_rod_model_abilities(plait_rod_model model)
{
    const plait_rod_type *type = plait_rod_type_of(model);
    return type ? type->abilities : 0;
}

bool plait_rod_model_find(const char *name, plait_rod_model *model)
{
    for (int i = 0; plait_rod_types[i]; i++) {
        if (strcmp(plait_rod_types[i]->name, name) == 0) {
            *model = plait_rod_types[i]->model;
            return true;
        }
    }
    return false;
}

// ---- defaults ----------------------------------------------------------------------------------------------------

plait_rod_def plait_default_rod_def(void)
{
    plait_rod_def def = {.model = PLAIT_ROD_DER};
    plait_material hair = plait_default_material();
    plait_material_section(&hair, &def.section, NULL);
    return def;
}

plait_step_options plait_default_step_options(void)
{
    return (plait_step_options){
        .scheme = PLAIT_STEP_NONLINEAR, .tolerance = 1e-8, .max_iterations = 2000, .stretch_limit = 1e-6};
}

plait_relax_options plait_default_relax_options(void)
{
    return (plait_relax_options){.tolerance = 1e-9, .max_iterations = 2000};
}

// ---- making and ending -------------------------------------------------------------------------------------------

static plait_status build(plait_rod *rod, const plait_rod_def *def, plait_rod_plan *plan, plait_error *error)
{
    plait_status status = plait_rod_plan_make(def, plan, error);
    if (status != PLAIT_OK)
        return status;
    int n = plan->shape.segments;
    if (rod->type->max_segments && n > rod->type->max_segments)
        return plait_error_set(error, PLAIT_BAD_INPUT, "rod %d: model %s has at most %d segments, found %d", def->id,
                               rod->type->name, rod->type->max_segments, n);
    if (def->section.EI[0] != def->section.EI[1] && !(rod->type->abilities & PLAIT_ROD_ANISOTROPIC))
        return plait_error_set(error, PLAIT_BAD_INPUT, "rod %d: model %s needs EI1 = EI2, found %g and %g", def->id,
                               rod->type->name, def->section.EI[0], def->section.EI[1]);
    status = plait_rod_plan_pieces(def, rod->type, plan, &rod->piece, error);
    for (int e = 0; e < 2 && status == PLAIT_OK; e++) {
        status = plait_end_check(&plan->end[e], def->id, e, rod->type->abilities, rod->type->name, error);
        rod->end[e] = plan->end[e];
    }
    if (status != PLAIT_OK)
        return status;
    rod->segments = n;
    for (int i = 0; i < n; i++)
        rod->length += plan->shape.rest[i];
    rod->force = calloc(3 * ((size_t)n + 1), sizeof *rod->force);
    rod->couple = calloc((size_t)n, sizeof *rod->couple);
    if (!rod->force || !rod->couple)
        return plait_error_set(error, PLAIT_NO_MEMORY, "rod %d: no memory for %d segments", def->id, n);
    return rod->type->build(rod, &plan->shape, error);
}

int plait_rod_link_point(const double *x, int stride, int segment, double a, double position[3], int *first, double *J)
{
    int count = stride + 3;
    const double *at = x + 3 * segment;
    memset(J, 0, 3 * (size_t)count * sizeof *J);
    for (int k = 0; k < 3; k++) {
        position[k] = (1 - a) * at[k] + a * at[3 + k];
        J[count * k + k] = 1 - a;
        J[count * k + stride + k] = a;
    }
    *first = stride * segment;
    return count;
}

plait_rod *plait_rod_new(const plait_rod_def *def, plait_error *error)
{
    const plait_rod_type *type = plait_rod_type_of(def->model);
    if (!type) {
        plait_error_set(error, PLAIT_BAD_INPUT, "rod %d: there is no rod model %d", def->id, (int)def->model);
        return NULL;
    }
    plait_rod *rod = calloc(1, sizeof *rod);
    if (!rod) {
        plait_error_set(error, PLAIT_NO_MEMORY, "rod %d: no memory", def->id);
        return NULL;
    }
    rod->type = type;
    rod->id = def->id;
    rod->section = def->section;
    plait_vec3_copy(def->gravity, rod->gravity), plait_vec3_copy(def->gravity, rod->told_gravity);
    plait_rod_plan plan;
    plait_status status = build(rod, def, &plan, error);
    plait_rod_plan_free(&plan);
    if (status != PLAIT_OK)
        plait_rod_free(rod);
    return status == PLAIT_OK ? rod : NULL;
}

void plait_rod_free(plait_rod *rod)
{
    if (!rod)
        return;
    assert(!rod->owned); // plait_sim_free does it
    rod->type->free(rod);
    if (!rod->lent)
        free(rod->state);
    free(rod->v), free(rod->force), free(rod->couple), free(rod->told), free(rod->piece);
    free(rod);
}

bool plait_rod_room(plait_rod *rod)
{
    rod->state = calloc((size_t)rod->state_size + 1, sizeof *rod->state);
    rod->v = calloc((size_t)rod->dofs, sizeof *rod->v);
    return rod->state && rod->v;
}

void plait_rod_use_state(plait_rod *rod, double *memory)
{
    if (!rod->lent)
        free(rod->state);
    rod->state = memory, rod->lent = true;
    if (rod->type->bind)
        rod->type->bind(rod);
}

// ---- loads and ends ----------------------------------------------------------------------------------------------

plait_status plait_rod_set_end(plait_rod *rod, int end, const plait_end *condition, plait_error *error)
{
    assert(end == 0 || end == 1);
    if (rod->carried[end] && condition->kind != PLAIT_END_FREE)
        return plait_error_set(error, PLAIT_BAD_INPUT,
                               "rod %d: end %d follows a collider of the simulation; it can be set free, not placed",
                               rod->id, end);
    plait_status status = plait_rod_place_end(rod, end, condition, error);
    rod->carried[end] &= status != PLAIT_OK;
    return status;
}

plait_status plait_rod_place_end(plait_rod *rod, int end, const plait_end *condition, plait_error *error)
{
    plait_end c = *condition;
    plait_status status = plait_end_check(&c, rod->id, end, rod->type->abilities, rod->type->name, error);
    if (status != PLAIT_OK)
        return status;
    rod->end[end] = c;
    if (rod->type->ends_changed)
        rod->type->ends_changed(rod);
    return PLAIT_OK;
}

plait_end plait_rod_get_end(const plait_rod *rod, int end)
{
    return rod->end[end];
}

void plait_rod_set_gravity(plait_rod *rod, const double gravity[3])
{
    plait_vec3_copy(gravity, rod->gravity), plait_vec3_copy(gravity, rod->told_gravity);
}

void plait_rod_set_force(plait_rod *rod, int node, const double force[3])
{
    assert(node >= 0 && node <= rod->segments);
    plait_vec3_copy(force, rod->force + 3 * node);
    if (rod->told)
        plait_vec3_copy(force, rod->told + 3 * node);
}

plait_status plait_rod_set_couple(plait_rod *rod, int segment, double couple)
{
    assert(segment >= 0 && segment < rod->segments);
    if (couple != 0 && !(rod->type->abilities & PLAIT_ROD_TWISTS))
        return PLAIT_BAD_INPUT;
    rod->couple[segment] = couple;
    if (rod->told)
        rod->told[3 * (rod->segments + 1) + segment] = couple;
    return PLAIT_OK;
}

// ---- steps -------------------------------------------------------------------------------------------------------

static plait_status check_step(const plait_rod *rod, double dt, const plait_step_options *o, plait_error *error)
{
    if (!(dt > 0) || !isfinite(dt))
        return plait_error_set(error, PLAIT_BAD_INPUT, "rod %d: a positive time step is expected, found %g s", rod->id,
                               dt);
    if (o->scheme == PLAIT_STEP_EXPLICIT && !(rod->type->abilities & PLAIT_ROD_EXPLICIT))
        return plait_error_set(error, PLAIT_BAD_INPUT, "rod %d: model %s has no explicit step", rod->id,
                               rod->type->name);
    if (o->fast_projection && !(rod->type->abilities & PLAIT_ROD_PROJECTS))
        return plait_error_set(error, PLAIT_BAD_INPUT, "rod %d: model %s has no fast projection", rod->id,
                               rod->type->name);
    double loads = plait_vec3_dot(rod->gravity, rod->gravity);
    for (int i = 0; i < 3 * (rod->segments + 1); i++)
        loads += fabs(rod->force[i]);
    for (int i = 0; i < rod->segments; i++)
        loads += fabs(rod->couple[i]);
    if (!isfinite(loads))
        return plait_error_set(error, PLAIT_BAD_INPUT, "rod %d: gravity or a load is not finite", rod->id);
    return PLAIT_OK;
}

plait_status plait_rod_step(plait_rod *rod, double dt, const plait_step_options *options, plait_step_report *report,
                            plait_error *error)
{
    plait_step_options defaults = plait_default_step_options();
    plait_step_report ignored;
    options = options ? options : &defaults;
    report = report ? report : &ignored;
    *report = (plait_step_report){0};
    plait_status status = check_step(rod, dt, options, error);
    if (status == PLAIT_OK && rod->owned)
        status = plait_error_set(error, PLAIT_BAD_INPUT,
                                 "rod %d belongs to a simulation: only plait_sim_step moves it on", rod->id);
    if (status != PLAIT_OK) {
        report->reason = "bad input";
        return status;
    }
    report->converged = rod->type->predict(rod, dt, options, report);
    if (!report->converged)
        return PLAIT_OK;
    if (!rod->type->accept(rod, dt, rod->v)) {
        report->converged = false;
        report->reason = "an edge or a hinge collapses";
        return PLAIT_OK;
    }
    *plait_rod_clock(rod) += dt;
    return PLAIT_OK;
}

plait_status plait_rods_step(plait_rod *const *rods, int count, double dt, const plait_step_options *options,
                             int threads, plait_step_report *reports, plait_error *error)
{
    int worst = count; // first rod that failed
    plait_team team = plait_team_if(count > 1, plait_team_of(threads));
#pragma omp parallel for schedule(dynamic, 4) num_threads(team.threads) reduction(min : worst) if (team.threads > 1)
    for (int i = 0; i < count; i++)
        if (plait_rod_step(rods[i], dt, options, reports ? &reports[i] : NULL, NULL) != PLAIT_OK && i < worst)
            worst = i;
    // The same check again says what was wrong; it changes nothing.
    return worst < count ? plait_rod_step(rods[worst], dt, options, reports ? &reports[worst] : NULL, error) : PLAIT_OK;
}

plait_status plait_rod_relax(plait_rod *rod, const plait_relax_options *options, plait_step_report *report,
                             plait_error *error)
{
    plait_relax_options defaults = plait_default_relax_options();
    plait_step_options step = plait_default_step_options();
    plait_step_report ignored;
    report = report ? report : &ignored;
    *report = (plait_step_report){0};
    plait_status status = check_step(rod, 1, &step, error);
    if (status != PLAIT_OK) {
        report->reason = "bad input";
        return status;
    }
    report->converged = rod->type->relax(rod, options ? options : &defaults, report);
    return PLAIT_OK;
}

// ---- what it is doing --------------------------------------------------------------------------------------------

plait_rod_model plait_rod_get_model(const plait_rod *rod)
{
    return rod->type->model;
}

int plait_rod_segments(const plait_rod *rod)
{
    return rod->segments;
}

int plait_rod_dofs(const plait_rod *rod)
{
    return rod->dofs;
}

double plait_rod_length(const plait_rod *rod)
{
    return rod->length;
}

double plait_rod_time(const plait_rod *rod)
{
    return *plait_rod_clock(rod);
}

void plait_rod_positions(const plait_rod *rod, double *x)
{
    rod->type->positions(rod, x);
}

void plait_rod_velocities(const plait_rod *rod, double *v)
{
    rod->type->velocities(rod, v);
}

// Straight segments: the nodes between the model's.
static void subdivide(int segments, int samples, double *x)
{
    if (samples == 1)
        return;
    for (int i = segments * samples; i > 0; i--) { // from the back, in place
        int j = i / samples;
        double a = (double)(i % samples) / samples;
        for (int k = 0; k < 3; k++)
            x[3 * i + k] = a > 0 ? (1 - a) * x[3 * j + k] + a * x[3 * j + 3 + k] : x[3 * j + k];
    }
}

void plait_rod_nodes(const plait_rod *rod, int samples, double *x)
{
    if (rod->type->trace) {
        rod->type->trace(rod, samples, x, NULL, NULL);
        return;
    }
    rod->type->positions(rod, x);
    subdivide(rod->segments, samples, x);
}

void plait_rod_node_velocities(const plait_rod *rod, int samples, double *u)
{
    rod->type->velocities(rod, u);
    subdivide(rod->segments, samples, u);
}

void plait_rod_frames(const plait_rod *rod, double *frames)
{
    if (rod->type->frames)
        rod->type->frames(rod, frames);
    else
        memset(frames, 0, 9 * (size_t)rod->segments * sizeof *frames);
}

plait_rod_energies plait_rod_energy(const plait_rod *rod)
{
    return rod->type->energy(rod);
}

int plait_rod_state_size(const plait_rod *rod)
{
    return rod->state_size + 1;
}

void plait_rod_get_state(const plait_rod *rod, double *state)
{
    memcpy(state, rod->state, ((size_t)rod->state_size + 1) * sizeof *state);
}

plait_status plait_rod_set_state(plait_rod *rod, const double *state, plait_error *error)
{
    // Its own clock adds up the steps of the simulation: times that differ by rounding are the same one.
    double time = *plait_rod_clock(rod);
    if (rod->owned && !(fabs(state[rod->state_size] - time) <= 1e-9 * (1 + time)))
        return plait_error_set(error, PLAIT_BAD_INPUT,
                               "rod %d belongs to a simulation at %.9g s: expected a state of that time, found %.9g s",
                               rod->id, time, state[rod->state_size]);
    for (int i = 0; i <= rod->state_size; i++)
        if (!isfinite(state[i]))
            return plait_error_set(error, PLAIT_BAD_INPUT, "rod %d: number %d of the state is not finite", rod->id, i);
    memcpy(rod->state, state, ((size_t)rod->state_size + 1) * sizeof *state);
    if (rod->owned)
        *plait_rod_clock(rod) = time;
    return PLAIT_OK;
}

void plait_rod_kick(plait_rod *rod, const double velocity[3], const double spin[3], const double centre[3])
{
    rod->type->kick(rod, velocity, spin, centre);
}
