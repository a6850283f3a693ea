// scene.c: a scene as plain data: making it, growing it, ending it.
//
// Arrays are as long as they say, so that a program may also bring its own (malloc'ed) and go on with these functions.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scene/scene.h"

void plait_scene_defaults(plait_scene *s)
{
    *s = (plait_scene){.gravity = {0, 0, -9.81}};
    s->stepping = (plait_stepping){
        .scheme = PLAIT_SCHEME_BALANCED,
        .rod = plait_default_step_options(),
        .dt = 1e-3,
        .dt_min = 1e-3 / PLAIT_DT_PARTS,
        .adaptive = true,
        .solve = plait_default_solve_options(),
        .creep = -1,
        .reject = 0.1,
        .max_stretch = 0.2,
        .max_overlap = 0.5,
        .max_recovery = 0.1,
        .ledger = true,
        .max_gain = 1e-6,
        .nonlinear = 0.01,
        .newton_max = 30,
        .balance = 0.01,
        .balance_max = 8,
        .balance_reject = 0.1,
        .theta = 1,
    };
    s->stepping.solve.max_time = 0; // a limit of wall clock would make results depend on the machine
    s->detecting = (plait_detecting){.mode = PLAIT_DETECT_BOTH, .self = true, .fibres = true};
    s->output = (plait_output){.duration = 1, .frame_time = 0.04, .checkpoint = 60};
}

plait_scene *plait_scene_new(void)
{
    plait_scene *s = malloc(sizeof *s);
    if (s)
        plait_scene_defaults(s);
    return s;
}

static void free_shape(plait_shape *shape)
{
    free(shape->point);
    free(shape->triangle);
    free(shape->frame);
}

void plait_scene_free(plait_scene *s)
{
    if (!s)
        return;
    for (int i = 0; i < s->fibres; i++)
        free(s->fibre[i].point);
    for (int i = 0; i < s->colliders; i++) {
        free_shape(&s->collider[i].shape);
        free(s->collider[i].motion.key);
        free(s->collider[i].motion.drive);
    }
    for (int i = 0; i < s->rigids; i++)
        free_shape(&s->rigid[i].shape);
    for (int i = 0; i < s->cloths; i++)
        plait_soft_free(&s->cloth[i]);
    for (int i = 0; i < s->solids; i++)
        plait_soft_free(&s->solid[i]);
    free(s->title), free(s->reproduces), free(s->text);
    free(s->material), free(s->mu), free(s->restitution), free(s->adhesion), free(s->tie), free(s->joint);
    for (int i = 0; i < s->loads; i++)
        free(s->load[i].course.time), free(s->load[i].course.value);
    free(s->load), free(s->measure), free(s->fibre);
    for (int i = 0; s->groom && i < s->groups; i++)
        free(s->groom[i].path), free(s->groom[i].mesh);
    free(s->group), free(s->groom), free(s->collider), free(s->rigid), free(s->cloth), free(s->solid), free(s);
}

// ---- growing -----------------------------------------------------------------------------------------------------

// One more element at the end, cleared; NULL without memory, and then *array is as before. Room doubles whenever the
// count is a power of two.
static void *append(void *array, int count, size_t size)
{
    bool full = (count & (count - 1)) == 0;
    char *grown = full ? realloc(array, (count > 0 ? 2 * (size_t)count : 1) * size) : array;
    if (grown)
        memset(grown + (size_t)count * size, 0, size);
    return grown;
}

static void copy_name(char name[PLAIT_NAME], const char *from)
{
    snprintf(name, PLAIT_NAME, "%s", from ? from : "");
}

// The table one row and column larger, filled with `value` there.
static double *grow_table(const double *table, int n, double value)
{
    size_t m = (size_t)n + 1;
    double *grown = malloc(m * m * sizeof *grown);
    for (size_t i = 0; grown && i < m; i++)
        for (size_t j = 0; j < m; j++)
            grown[i * m + j] = i < m - 1 && j < m - 1 ? table[i * (m - 1) + j] : value;
    return grown;
}

static plait_adhesion *grow_adhesion(const plait_adhesion *table, int n)
{
    size_t m = (size_t)n + 1;
    plait_adhesion *grown = calloc(m * m, sizeof *grown);
    for (size_t i = 0; grown && i < m - 1; i++)
        memcpy(grown + i * m, table + i * (m - 1), (m - 1) * sizeof *grown);
    return grown;
}

int plait_scene_add_material(plait_scene *s, const char *name, const plait_material *rod, double mu)
{
    int n = s->materials;
    double *friction = grow_table(s->mu, n, mu), *restitution = grow_table(s->restitution, n, 0);
    plait_adhesion *adhesion = s->adhesion ? grow_adhesion(s->adhesion, n) : NULL;
    bool room = friction && restitution && (adhesion || !s->adhesion);
    plait_fibre_material *grown = room ? append(s->material, n, sizeof *s->material) : NULL;
    if (!grown) {
        free(friction);
        free(restitution);
        free(adhesion);
        return -1;
    }
    free(s->adhesion);
    s->adhesion = adhesion;
    free(s->mu);
    free(s->restitution);
    s->mu = friction;
    s->restitution = restitution;
    s->material = grown;
    copy_name(grown[n].name, name);
    grown[n].rod = rod ? *rod : plait_default_material();
    s->materials++;
    return n;
}

void plait_scene_set_friction(plait_scene *s, int a, int b, double mu, double restitution)
{
    size_t n = (size_t)s->materials, ab = (size_t)a * n + (size_t)b, ba = (size_t)b * n + (size_t)a;
    s->mu[ab] = s->mu[ba] = mu;
    s->restitution[ab] = s->restitution[ba] = restitution;
}

bool plait_scene_set_adhesion(plait_scene *s, int a, int b, const plait_adhesion *adhesion)
{
    size_t n = (size_t)s->materials;
    if (!s->adhesion)
        s->adhesion = calloc(n * n + 1, sizeof *s->adhesion);
    if (!s->adhesion)
        return false;
    s->adhesion[(size_t)a * n + (size_t)b] = s->adhesion[(size_t)b * n + (size_t)a] = *adhesion;
    return true;
}

int plait_scene_add_tie(plait_scene *s, const char *name)
{
    plait_tie *grown = append(s->tie, s->ties, sizeof *s->tie);
    if (!grown)
        return -1;
    s->tie = grown;
    plait_tie *t = &grown[s->ties];
    copy_name(t->name, name);
    t->group[0] = t->group[1] = t->collider = t->rigid = -1;
    t->radius = INFINITY;
    return s->ties++;
}

int plait_scene_add_joint(plait_scene *s, const char *name)
{
    plait_joint *grown = append(s->joint, s->joints, sizeof *s->joint);
    if (!grown)
        return -1;
    s->joint = grown;
    plait_joint *j = &grown[s->joints];
    copy_name(j->name, name);
    for (int k = 0; k < 2; k++)
        j->group[k] = j->which[k] = j->rigid[k] = -1;
    j->collider = -1;
    return s->joints++;
}

int plait_scene_add_load(plait_scene *s, const char *name)
{
    plait_load *grown = append(s->load, s->loads, sizeof *s->load);
    if (!grown)
        return -1;
    s->load = grown;
    plait_load *l = &grown[s->loads];
    copy_name(l->name, name);
    l->group = l->which = l->rigid = l->material[0] = l->material[1] = l->other_group = l->collider = l->body = -1;
    l->course.stop = INFINITY;
    l->length = -1;
    return s->loads++;
}

int plait_scene_add_measure(plait_scene *s, const char *name, plait_measure_kind kind)
{
    plait_measure *grown = append(s->measure, s->measures, sizeof *s->measure);
    if (!grown)
        return -1;
    s->measure = grown;
    plait_measure *m = &grown[s->measures];
    copy_name(m->name, name);
    m->kind = kind;
    m->group = m->which = m->collider = m->rigid = -1;
    m->other_group = m->other_which = m->other_collider = m->other_rigid = -1;
    return s->measures++;
}

int plait_scene_add_collider(plait_scene *s, const char *name, plait_shape_kind kind)
{
    plait_collider *grown = append(s->collider, s->colliders, sizeof *s->collider);
    if (!grown)
        return -1;
    s->collider = grown;
    copy_name(grown[s->colliders].name, name);
    grown[s->colliders].shape.kind = kind;
    return s->colliders++;
}

int plait_scene_add_rigid(plait_scene *s, const char *name, plait_shape_kind kind)
{
    plait_rigid *grown = append(s->rigid, s->rigids, sizeof *s->rigid);
    if (!grown)
        return -1;
    s->rigid = grown;
    copy_name(grown[s->rigids].name, name);
    grown[s->rigids].shape.kind = kind;
    return s->rigids++;
}

// A copy of `count` things; of none: NULL. *ok: whether there was memory.
static void *copy_of(const void *data, size_t count, size_t size, bool *ok)
{
    void *copy = count > 0 ? malloc(count * size) : NULL;
    if (copy)
        memcpy(copy, data, count * size);
    *ok &= copy || count == 0;
    return copy;
}

bool plait_soft_copy(const plait_soft *from, plait_soft *to)
{
    bool ok = true;
    size_t points = (size_t)from->points;
    *to = *from;
    to->point = copy_of(from->point, 3 * points, sizeof *to->point, &ok);
    to->triangle = copy_of(from->triangle, 3 * (size_t)from->triangles, sizeof *to->triangle, &ok);
    to->tetrahedron = copy_of(from->tetrahedron, 4 * (size_t)from->tetrahedra, sizeof *to->tetrahedron, &ok);
    to->hold = copy_of(from->hold, from->hold ? points : 0, sizeof *to->hold, &ok);
    to->force = copy_of(from->force, from->force ? 3 * points : 0, sizeof *to->force, &ok);
    if (!ok)
        plait_soft_free(to);
    return ok;
}

int plait_scene_add_soft(plait_scene *s, const char *name, const plait_soft *soft)
{
    bool solid = soft->tetrahedra > 0;
    plait_soft copy;
    if (soft->points < 0 || soft->triangles < 0 || !plait_soft_copy(soft, &copy))
        return -1;
    int *count = solid ? &s->solids : &s->cloths;
    plait_soft **list = solid ? &s->solid : &s->cloth, *grown = append(*list, *count, sizeof **list);
    if (!grown) {
        plait_soft_free(&copy);
        return -1;
    }
    copy_name(copy.name, name);
    *list = grown, grown[*count] = copy;
    return (*count)++;
}

plait_groom plait_groom_default(void)
{
    return (plait_groom){
        .guides = 3, .clump_size = 0.01, .frizz_length = 0.01, .taper = 0.3, .push = true, .seed = 1};
}

int plait_scene_add_group(plait_scene *s, const char *name)
{
    char(*grown)[PLAIT_NAME] = append(s->group, s->groups, sizeof *s->group);
    if (!grown)
        return -1;
    s->group = grown;
    plait_groom *groom = append(s->groom, s->groups, sizeof *s->groom);
    if (!groom)
        return -1;
    s->groom = groom;
    groom[s->groups] = plait_groom_default();
    copy_name(grown[s->groups], name);
    return s->groups++;
}

int plait_scene_add_fibre(plait_scene *s, plait_rod_model model, int material, int points, const double *point)
{
    size_t bytes = 3 * sizeof *point * (size_t)(points > 0 ? points : 0);
    double *copy = malloc(bytes > 0 ? bytes : 1);
    plait_fibre *grown = copy ? append(s->fibre, s->fibres, sizeof *s->fibre) : NULL;
    if (!grown) {
        free(copy);
        return -1;
    }
    s->fibre = grown;
    if (bytes > 0)
        memcpy(copy, point, bytes);
    plait_fibre *f = &grown[s->fibres];
    f->model = model;
    f->material = material;
    f->group = s->groups > 0 ? s->groups - 1 : 0;
    f->points = points > 0 ? points : 0;
    f->point = copy;
    f->attach[0] = f->attach[1] = -1;
    f->hold = plait_default_hold_options();
    return s->fibres++;
}
