// Super-helices whose elements are up to half a turn each: what they weigh, and where, against the circle they form.
#include "rods.h"

// Rolled up to `angle` in all, free, moving along z: its angular momentum is that of its mass at the middle of the arc.
static void roll(int segments, double angle)
{
    const double L = 0.1, kappa = angle / L;
    plait_rod_def def = rods_cantilever_def(PLAIT_ROD_SUPERHELIX, segments, L);
    def.natural = PLAIT_NATURAL_CONSTANT;
    def.curvature[0] = kappa; // towards z, the director
    plait_rod *rod = rods_new(&def);
    if (!rod || !rods_relax(rod))
        return;
    plait_end loose = plait_rod_get_end(rod, 0);
    loose.kind = PLAIT_END_FREE;
    CHECK(plait_rod_set_end(rod, 0, &loose, NULL) == PLAIT_OK);
    plait_rod_kick(rod, (double[3]){0, 1, 0}, (double[3]){0}, (double[3]){0});
    plait_rod_energies e = plait_rod_energy(rod);
    double mass = def.section.mass * L, x = (1 - cos(angle)) / (kappa * angle); // mean of sin(k s)/k
    double z = (1 - sin(angle) / angle) / kappa;                                // mean of (1 - cos(k s))/k
    CHECK_REL(e.momentum[1], mass, 1e-9);
    CHECK_NEAR(e.angular_momentum[0], -mass * z, 1e-6 * mass / kappa);
    CHECK_NEAR(e.angular_momentum[1], 0, 1e-6 * mass / kappa);
    CHECK_NEAR(e.angular_momentum[2], mass * x, 1e-6 * mass / kappa);
    plait_rod_free(rod);
}

CASE(curls_weigh_where_they_are)
{
    const double angle[] = {0.1, 0.25, 0.5, 0.9, 1.5, 2.9}; // of an element
    for (int i = 0; i < 6; i++) {
        roll(2, 2 * angle[i]);
        roll(5, 5 * angle[i]);
    }
}
