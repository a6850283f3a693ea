// CoRdE's symplectic step with scripted ends: where the script says, with the velocity of the script, frames too.
#include "rods.h"

CASE(a_scripted_end_goes_where_it_is_told)
{
    plait_rod_def def = rods_cantilever_def(PLAIT_ROD_CORDE, 4, 0.1);
    def.section.inertia[0] = def.section.inertia[1] = 1e-8; // slow enough for long steps
    plait_rod *rod = rods_new(&def);
    plait_step_options options = plait_default_step_options();
    options.scheme = PLAIT_STEP_EXPLICIT;
    plait_step_report report = {0};
    const double dt = 2e-5, speed[3] = {0.01, -0.02, 0.03}, rate = 0.5;
    double x[15], v[15], frames[36];
    for (int n = 1; n <= 50; n++) {
        plait_end end = plait_rod_get_end(rod, 0);
        for (int k = 0; k < 3; k++)
            end.position[k] = speed[k] * n * dt;
        double a = rate * n * dt; // turns about z
        end.tangent[0] = cos(a), end.tangent[1] = sin(a), end.tangent[2] = 0;
        CHECK(plait_rod_set_end(rod, 0, &end, NULL) == PLAIT_OK);
        CHECK(plait_rod_step(rod, dt, &options, &report, NULL) == PLAIT_OK && report.converged);
        plait_rod_positions(rod, x);
        plait_rod_velocities(rod, v);
        for (int k = 0; k < 3; k++) {
            CHECK_NEAR(x[k], speed[k] * n * dt, 1e-12);
            CHECK_NEAR(v[k], speed[k], 1e-9);
        }
    }
    plait_rod_frames(rod, frames);
    for (int k = 0; k < 36; k++)
        CHECK(isfinite(frames[k]));
    plait_rod_free(rod);
}
