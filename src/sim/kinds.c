// kinds.c: the scene's lists as bodies. A new kind of body is a file in src/body/ (or a test) and a row here.
#include <math.h>
#include <stdlib.h>

#include "body/material.h"
#include "body/rod.h"
#include "math/vec3.h"
#include "shape/type.h"
#include "sim/cell.h"
#include "sim/loads.h"

// ---- fibres ---------------------------------------------------------------------------------------------------------

static int fibres(const plait_scene *scene)
{
    return scene->fibres;
}

// By the nearest triangle where that is asked for, or where the vertices move on their own.
static bool by_cell(plait_bind bind, const plait_shape *carrier)
{
    bool mesh = plait_shape_type_of(carrier)->cells == 2 && carrier->triangles > 0;
    return mesh && (bind == PLAIT_BIND_CELL || (bind == PLAIT_BIND_AUTO && carrier->frames > 0));
}

static plait_status build_fibre(const plait_model *m, const plait_scene *scene, int i, plait_body *body,
                                plait_error *error)
{
    const plait_fibre *f = &scene->fibre[i];
    const plait_fibre_material *material = &scene->material[f->material];
    double wisp = material->contact_radius;
    plait_fibre_def d = {.rod = plait_default_rod_def(),
                         .samples = f->samples,
                         .material = f->material,
                         .start = f->start,
                         .hold = f->hold,
                         .keeps = f->keeps,
                         .goal = f->goal,
                         .slip = material->slip,
                         .exposed = scene->turbulence > 0 || scene->shelter > 0 || scene->stepping.settle > 0 ||
                                    plait_sim_cell_moves(scene)};
    plait_rod_def *rod = &d.rod;
    plait_status status = plait_material_section(&material->rod, &rod->section, error);
    if (status != PLAIT_OK)
        return status;
    plait_section_scale(&rod->section, 1, f->stiffness > 0 ? f->stiffness : 1, f->mass > 0 ? f->mass : 1);
    if (scene->stepping.mode == PLAIT_MODE_STATIC) { // nothing that only slows down
        plait_section *s = &rod->section;
        s->drag = s->viscous_EA = s->viscous_EI[0] = s->viscous_EI[1] = s->viscous_GJ = 0;
    }
    // A rod that stands for a wisp has the wisp's inertia about its axis.
    for (int k = 0; k < 2; k++)
        rod->section.inertia[k] = fmax(rod->section.inertia[k], rod->section.mass * wisp * wisp / 4);
    d.radius = wisp > 0 ? wisp : fmax(material->rod.radius[0], material->rod.radius[1]);
    rod->stations = material->stations, rod->station = material->station;
    rod->model = f->model, rod->id = i;
    rod->point_count = f->points, rod->points = f->point, rod->segments = f->segments;
    plait_vec3_copy(f->director, rod->director);
    rod->natural = f->natural;
    rod->curvature[0] = f->curvature[0], rod->curvature[1] = f->curvature[1], rod->twist = f->twist;
    rod->excess = f->excess, rod->length = f->length;
    plait_vec3_copy(scene->gravity, rod->gravity);
    plait_vec3_copy(f->velocity, d.velocity), plait_vec3_copy(f->spin, d.spin);
    for (int e = 0; e < 2; e++) {
        rod->end[e].kind = f->end[e], rod->end[e].slide = f->slide[e];
        if (f->attach[e] < 0)
            continue;
        d.carrier[e] = plait_sim_body(m, &plait_body_collider, f->attach[e]);
        d.by_cell[e] = by_cell(f->bind[e], &scene->collider[f->attach[e]].shape);
    }
    double *bead = NULL;
    status = plait_sim_beads(scene, i, &d.beads, &bead, error);
    d.bead = bead;
    if (status == PLAIT_OK)
        status = plait_fibre_build(&d, &m->response, body, error);
    body->friction = f->friction, body->group = f->group;
    free(bead);
    for (int e = 0; e < 2 && status == PLAIT_OK; e++)
        if (f->soft[e] > 0) { // a tie holds it (roots.c); until here it was held where it was drawn
            plait_end end = plait_rod_get_end(plait_fibre_rod(body), e), none = {.kind = PLAIT_END_FREE};
            bool turns = end.kind == PLAIT_END_CLAMPED && plait_rod_model_abilities(f->model) & PLAIT_ROD_TWISTS;
            end.slide = PLAIT_SLIDE_X | PLAIT_SLIDE_Y | PLAIT_SLIDE_Z;
            status = plait_rod_set_end(plait_fibre_rod(body), e, turns ? &end : &none, error);
        }
    return status;
}

// ---- rigid bodies ---------------------------------------------------------------------------------------------------

static int rigids(const plait_scene *scene)
{
    return scene->rigids;
}

static plait_status build_rigid(const plait_model *m, const plait_scene *scene, int i, plait_body *body,
                                plait_error *error)
{
    (void)scene; // the model's copy lives as long as the body
    const plait_rigid *r = &m->scene->rigid[i];
    plait_rigid_def d = {
        .shape = &r->shape, .density = r->density, .mass = r->mass, .material = r->material,
        .second_order = m->response.second_order};
    plait_vec3_copy(r->position, d.position), plait_vec3_copy(r->rotation, d.rotation);
    plait_vec3_copy(r->velocity, d.velocity), plait_vec3_copy(r->spin, d.spin);
    plait_vec3_copy(r->guide, d.guide);
    plait_status status = plait_rigid_build(&d, body, error);
    if (status == PLAIT_OK)
        plait_rigid_push(body, r->force, (const double[3]){0, 0, 0});
    return status;
}

// ---- cloth and solids -----------------------------------------------------------------------------------------------

static int cloths(const plait_scene *scene)
{
    return scene->cloths;
}

static int solids(const plait_scene *scene)
{
    return scene->solids;
}

static plait_status build_soft(const plait_model *m, const plait_soft *soft, plait_body *body, plait_error *error)
{
    return plait_soft_build(soft, plait_sim_body(m, &plait_body_collider, 0), &m->response, body, error);
}

static plait_status build_cloth(const plait_model *m, const plait_scene *scene, int i, plait_body *body,
                                plait_error *error)
{
    return build_soft(m, &scene->cloth[i], body, error);
}

static plait_status build_solid(const plait_model *m, const plait_scene *scene, int i, plait_body *body,
                                plait_error *error)
{
    return build_soft(m, &scene->solid[i], body, error);
}

// ---- the cell of a periodic scene -----------------------------------------------------------------------------------

static int cells(const plait_scene *scene)
{
    return plait_sim_cell_moves(scene);
}

static plait_status build_cell(const plait_model *m, const plait_scene *scene, int i, plait_body *body,
                               plait_error *error)
{
    (void)i;
    double mass = 0; // that of all fibres, which are built before
    for (int k = 0; k < scene->fibres; k++) {
        const plait_rod *rod = plait_fibre_rod(plait_sim_body(m, &plait_body_fibre, k));
        mass += rod->section.mass * rod->length;
    }
    return plait_sim_cell_build(scene, mass, body, error);
}

// ---- colliders ------------------------------------------------------------------------------------------------------

static int colliders(const plait_scene *scene)
{
    return scene->colliders;
}

static plait_status build_collider(const plait_model *m, const plait_scene *scene, int i, plait_body *body,
                                   plait_error *error)
{
    (void)scene;
    const plait_collider *c = &m->scene->collider[i];
    plait_collider_def d = {.shape = &c->shape, .motion = &c->motion, .material = c->material};
    plait_vec3_copy(c->position, d.position), plait_vec3_copy(c->rotation, d.rotation);
    return plait_collider_build(&d, body, error);
}

// ---- the table ------------------------------------------------------------------------------------------------------

static const plait_sim_kind fibre = {&plait_body_fibre, PLAIT_PARTNER_FIBRE, fibres, build_fibre};
static const plait_sim_kind rigid = {&plait_body_rigid, PLAIT_PARTNER_RIGID, rigids, build_rigid};
static const plait_sim_kind cloth = {&plait_body_cloth, PLAIT_PARTNER_CLOTH, cloths, build_cloth};
static const plait_sim_kind solid = {&plait_body_solid, PLAIT_PARTNER_SOLID, solids, build_solid};
static const plait_sim_kind cell = {&plait_body_cell, PLAIT_PARTNER_COLLIDER, cells, build_cell};
static const plait_sim_kind collider = {&plait_body_collider, PLAIT_PARTNER_COLLIDER, colliders, build_collider};

const plait_sim_kind *plait_sim_kinds[PLAIT_SIM_KINDS + 1] = {&fibre, &rigid, &cloth, &solid, &cell, &collider};
