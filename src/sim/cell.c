// cell.c: what deforms a periodic cell, and how fibres come along.
//
// Copies of a fibre go with h' k relative to it. As long as h' stays, that is the same motion seen from another frame;
// when it changes all copies would need other forces, so a fibre gets the change times its own place, h'' h^-1 x, as a
// velocity of the whole fibre: it turns as a line in the flow does, and is not stretched. Everything else that happens
// to fibres happens by contacts.
#include "sim/cell.h"

#include <math.h>
#include <string.h>

#include "body/rod.h"
#include "collide/image.h"
#include "math/mat3.h"
#include "math/vec3.h"
#include "sim/bonds.h"

static bool of_cell(const plait_load *l)
{
    return l->kind >= PLAIT_LOAD_CELL_STRAIN && l->kind <= PLAIT_LOAD_CELL_STRESS;
}

bool plait_sim_cell_moves(const plait_scene *scene)
{
    for (int i = 0; i < scene->loads; i++)
        if (of_cell(&scene->load[i]))
            return true;
    return false;
}

plait_status plait_sim_cell_build(const plait_scene *scene, double mass, plait_body *body, plait_error *error)
{
    plait_cell_def d = {.mass = mass};
    for (int k = 0; k < 3; k++)
        d.size[k] = scene->detecting.period[k];
    for (int i = 0; i < scene->loads; i++)
        if (scene->load[i].kind == PLAIT_LOAD_CELL_STRESS)
            d.free[scene->load[i].axis] = true;
    return plait_cell_build(&d, body, error);
}

static double grown(double x) // e^x, the same everywhere
{
    double y = x / 1024, power = 1 + y * (1 + y / 2 * (1 + y / 3 * (1 + y / 4 * (1 + y / 5))));
    for (int k = 0; k < 10; k++)
        power *= power;
    return power;
}

// Where the script has what is held.
static void scripted(const plait_model *m, double time, double target[PLAIT_CELL_DOFS])
{
    const plait_scene *scene = m->scene;
    double strain[PLAIT_CELL_DOFS] = {0}, rated[PLAIT_CELL_DOFS] = {0};
    for (int i = 0; i < scene->loads; i++) {
        const plait_load *l = &scene->load[i];
        if (l->kind == PLAIT_LOAD_CELL_STRAIN)
            strain[l->axis] += l->amount * plait_course_at(&l->course, time);
        else if (l->kind == PLAIT_LOAD_CELL_RATE)
            rated[l->axis] += l->amount * fmax(fmin(time, l->course.stop) - l->course.start, 0);
    }
    for (int d = 0; d < PLAIT_CELL_DOFS; d++)
        target[d] = d < 3 ? scene->detecting.period[d] * grown(rated[d]) * (1 + strain[d])
                          : (strain[d] + rated[d]) * target[plait_cell_period(d)];
}

void plait_sim_cell_set(const plait_model *m, const plait_state *s, const plait_work *w, double dt)
{
    double value[PLAIT_CELL_DOFS], viscosity[PLAIT_CELL_DOFS] = {0}, time = plait_sim_script_end(s, w, dt);
    if (m->cell < 0)
        return;
    plait_body *cell = &m->body[m->cell];
    scripted(m, time, value);
    for (int d = 0; d < PLAIT_CELL_DOFS; d++)
        value[d] = plait_cell_is_free(cell, d) ? 0 : (value[d] - cell->state[d]) / dt;
    for (int i = 0; i < m->scene->loads; i++) {
        const plait_load *l = &m->scene->load[i];
        if (l->kind != PLAIT_LOAD_CELL_STRESS)
            continue;
        value[l->axis] += l->amount * plait_course_at(&l->course, time);
        viscosity[l->axis] += fabs(l->amount) / l->fastest;
    }
    plait_cell_tell(cell, value, viscosity);
}

// rate h^-1, rate and h with the columns of cell.h.
static void gradient(const double q[PLAIT_CELL_DOFS], const double rate[PLAIT_CELL_DOFS], double grad[9])
{
    double size[3], inverse[9] = {0}, way[9] = {0};
    for (int k = 0; k < 3; k++)
        size[k] = q[k] > 0 ? q[k] : 1; // nothing goes on along an axis without a period
    for (int k = 0; k < 3; k++)
        inverse[4 * k] = 1 / size[k];
    inverse[1] = -q[3] / (size[0] * size[1]), inverse[5] = -q[4] / (size[1] * size[2]);
    inverse[2] = (q[3] * q[4] / size[1] - q[5]) / (size[0] * size[2]);
    for (int d = 0; d < PLAIT_CELL_DOFS; d++)
        way[3 * plait_cell_axis(d) + plait_cell_period(d)] = rate[d];
    plait_mat3_multiply(way, inverse, grad);
}

void plait_sim_cell_gradient(const plait_model *m, double grad[9])
{
    const double *state = m->body[m->cell].state;
    gradient(state, state + PLAIT_CELL_AT_KNOWN, grad);
}

// The motion of a line through the middle of a fibre, from end to end.
static void carry(plait_rod *rod, const double grad[9], double *x)
{
    double middle[3] = {0}, t[3], v[3], along[3], spin[3];
    int n = rod->segments + 1;
    plait_rod_positions(rod, x);
    for (int i = 0; i < n; i++)
        plait_vec3_axpy(1.0 / n, x + 3 * i, middle);
    plait_vec3_sub(x + 3 * (n - 1), x, t);
    plait_mat3_apply(grad, middle, v);
    bool line = plait_vec3_normalise(t) > 0;
    plait_mat3_apply(grad, t, along);
    plait_vec3_cross(t, along, spin);
    for (int k = 0; k < 3 && !line; k++)
        spin[k] = 0;
    plait_rod_kick(rod, v, spin, middle);
}

void plait_sim_cell_carry(plait_sim *sim, double dt, bool statics)
{
    const plait_model *m = &sim->model;
    if (m->cell < 0)
        return;
    const plait_body *cell = &m->body[m->cell];
    double *state = cell->state, *known = state + PLAIT_CELL_AT_KNOWN, change[PLAIT_CELL_DOFS], grad[9], most = 0;
    plait_sim_cell_set(m, &sim->state, &sim->work, dt);
    for (int d = 0; d < PLAIT_CELL_DOFS; d++) {
        double now = plait_cell_is_free(cell, d) ? state[PLAIT_CELL_AT_RATE + d] : plait_cell_told(cell)[d];
        change[d] = now - (statics ? 0 : known[d]), known[d] = now;
        most = fmax(most, fabs(change[d]));
    }
    if (most == 0)
        return;
    gradient(state, change, grad);
    for (int c = 0; c < m->chains; c++) {
        plait_rod *rod = plait_sim_rod(sim, c);
        if (rod->end[0].kind == PLAIT_END_FREE && rod->end[1].kind == PLAIT_END_FREE)
            carry(rod, grad, sim->work.x0 + 3 * (size_t)m->first_node[c]);
    }
}

void plait_sim_cell_now(const plait_model *m, double shape[6])
{
    if (m->cell >= 0)
        memcpy(shape, m->body[m->cell].state, 6 * sizeof *shape);
    for (int k = 0; k < 6 && m->cell < 0; k++)
        shape[k] = k < 3 ? m->scene->detecting.period[k] : 0;
}

void plait_sim_cell_start(const plait_model *m, double shape[6])
{
    plait_sim_cell_now(m, shape);
    if (m->cell >= 0)
        memcpy(shape, m->body[m->cell].before, 6 * sizeof *shape);
}

void plait_sim_cell_shapes(const plait_model *m, double shape[2][6])
{
    plait_sim_cell_now(m, shape[0]);
    memcpy(shape[1], m->cell >= 0 ? plait_cell_end(&m->body[m->cell]) : shape[0], sizeof shape[1]);
}

void plait_sim_cell_velocity(const plait_model *m, const plait_touch *t, const double *v, double u[3])
{
    int k[3];
    u[0] = u[1] = u[2] = 0;
    if (m->cell < 0 || !t->side[1].image)
        return;
    const double *rate = v ? v + m->first_dof[m->cell] : m->body[m->cell].state + PLAIT_CELL_AT_RATE;
    plait_image_unpack(t->side[1].image, k);
    for (int d = 0; d < PLAIT_CELL_DOFS; d++)
        u[plait_cell_axis(d)] += rate[d] * k[plait_cell_period(d)];
}

// What goes through the sides of the cell: a contact of a with a copy by k periods carries its force over h k. At rest
// this is the mean stress, whatever fibres lead through the sides, as it is what the energy changes by when h does.
void plait_sim_cell_measure(const plait_sim *sim, double *out)
{
    static const int row[6] = {0, 1, 2, 0, 1, 2}, column[6] = {0, 1, 2, 1, 2, 0};
    const plait_model *m = &sim->model;
    const plait_work *w = &sim->work;
    double dt = sim->state.value[PLAIT_AT_DT_LAST], start[6], filled = 0, *stress = out + 8;
    plait_sim_cell_now(m, out);
    plait_sim_cell_start(m, start);
    out[6] = plait_cell_volume(out);
    for (int c = 0; c < m->chains; c++)
        filled += M_PI * m->radius[c] * m->radius[c] * (m->arc[m->first_node[c + 1] - 1] - m->arc[m->first_node[c]]);
    out[7] = filled / out[6];
    memset(stress, 0, 8 * sizeof *stress);
    for (int i = 0; dt > 0 && i < w->previous.count; i++) {
        const plait_touch *t = &w->previous.touch[i];
        const double *f = plait_bonds_get(&w->bonds, i)->impulse;
        double way[3] = {0}, u[3];
        if (!t->side[1].image)
            continue;
        plait_image_shift(t->side[1].image, start, 1, way);
        for (int k = 0; k < 6; k++)
            stress[k] += (f[row[k]] * way[column[k]] + f[column[k]] * way[row[k]]) /
                         (2 * dt * plait_cell_volume(start));
        plait_sim_cell_velocity(m, t, NULL, u);
        stress[7] += plait_vec3_dot(f, u);
    }
    stress[6] = -(stress[0] + stress[1] + stress[2]) / 3;
}
