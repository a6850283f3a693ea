// view_grab.c: hands that pull at fibres: a damped spring between a node and a target.
//
// The force enters a step as a dead load, that is explicitly. A spring on a mass m, stepped by dt, stays stable as long
// as (w dt)^2 < 2 (2 - 2 z w dt) with w^2 = k / m and c = 2 z w m; w = 0.4 / dt and z = 1 is well inside of it. The
// mass of a node alone would give a weak hand, so the nodes beside the grabbed one are held too, each with its own
// part: it is as if a hand closed around a short piece. All of them get the grabbed node's displacement: the piece is not
// kept from turning. What the hand can pull at most stretches the fibre by 2 %.
#include <math.h>
#include <stdlib.h>

#include "view.h"

enum { SIDE = 3 }; // nodes held on either side

typedef struct fibre_strength {
    double mass;  // [kg] of half a segment: what the lightest node has
    double limit; // [N] at most
} fibre_strength;

struct plait_live_puller {
    double omega; // [1/s]
    fibre_strength *fibre;
    double *x, *v; // [3 nodes] of the longest rod
    int loaded;    // fibres that have forces now
    int load[PLAIT_LIVE_CLIENTS * PLAIT_LIVE_GRABS];
};

plait_live_puller *plait_live_puller_new(const plait_scene *scene, plait_sim *sim)
{
    plait_live_puller *p = plait_cli_alloc(1, sizeof *p);
    int fibres = plait_sim_fibres(sim), longest = 0;
    p->omega = 0.4 / scene->stepping.dt;
    p->fibre = plait_cli_alloc((size_t)fibres, sizeof *p->fibre);
    for (int i = 0; i < fibres; i++) {
        const plait_rod *rod = plait_sim_rod(sim, i);
        int segments = plait_rod_segments(rod);
        plait_section section;
        if (plait_material_section(&scene->material[scene->fibre[i].material].rod, &section, NULL) != PLAIT_OK)
            continue; // cannot be: the simulation has it
        p->fibre[i].mass = 0.5 * section.mass * plait_rod_length(rod) / segments;
        p->fibre[i].limit = 0.02 * section.EA;
        longest = segments > longest ? segments : longest;
    }
    p->x = plait_cli_alloc(3 * ((size_t)longest + 1), sizeof *p->x);
    p->v = plait_cli_alloc(3 * ((size_t)longest + 1), sizeof *p->v);
    return p;
}

void plait_live_puller_free(plait_live_puller *p)
{
    if (!p)
        return;
    free(p->fibre), free(p->x), free(p->v), free(p);
}

// The fibre that has a node, by bisection.
static int fibre_of(const plait_sim *sim, int node)
{
    const int *first = plait_sim_first_node(sim);
    int low = 0, high = plait_sim_fibres(sim) - 1;
    while (low < high) {
        int middle = (low + high + 1) / 2;
        if (first[middle] <= node)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

static void let_go(plait_live_puller *p, plait_sim *sim)
{
    static const double none[3];
    for (int i = 0; i < p->loaded; i++) {
        plait_rod *rod = plait_sim_rod(sim, p->load[i]);
        for (int k = 0; k <= plait_rod_segments(rod); k++)
            plait_rod_set_force(rod, k, none);
    }
    p->loaded = 0;
}

// force[2 SIDE + 1][3] of the nodes from node - SIDE on.
static void spring(const plait_live_puller *p, const fibre_strength *strength, int node, int segments,
                   const double target[3], double force[][3])
{
    double total = 0, w = p->omega;
    for (int j = -SIDE; j <= SIDE; j++) {
        double *f = force[j + SIDE];
        int at = node + j;
        bool there = at >= 0 && at <= segments;
        for (int k = 0; k < 3; k++) {
            f[k] = there ? strength->mass * (w * w * (target[k] - p->x[3 * node + k]) - 2 * w * p->v[3 * at + k]) : 0;
        }
        total += sqrt(f[0] * f[0] + f[1] * f[1] + f[2] * f[2]);
    }
    double scale = total > strength->limit ? strength->limit / total : 1;
    for (int j = 0; j <= 2 * SIDE; j++)
        for (int k = 0; k < 3; k++)
            force[j][k] *= scale;
}

void plait_live_pull(plait_live_puller *p, plait_sim *sim, int count, const plait_live_grab *grab)
{
    let_go(p, sim);
    const int *first = plait_sim_first_node(sim);
    for (int i = 0; i < count; i++) {
        if (!grab[i].held)
            continue;
        int f = fibre_of(sim, grab[i].node);
        plait_rod *rod = plait_sim_rod(sim, f);
        int segments = plait_rod_segments(rod), shown = first[f + 1] - first[f] - 1;
        if (segments < 1 || shown < 1)
            continue;
        // The nodes that are shown may be samples between those of the rod.
        int node = (int)lround((double)(grab[i].node - first[f]) * segments / shown);
        plait_rod_positions(rod, p->x);
        plait_rod_velocities(rod, p->v);
        double force[2 * SIDE + 1][3];
        spring(p, p->fibre + f, node, segments, grab[i].target, force);
        for (int j = -SIDE; j <= SIDE; j++)
            if (node + j >= 0 && node + j <= segments)
                plait_rod_set_force(rod, node + j, force[j + SIDE]);
        p->load[p->loaded++] = f;
    }
}
