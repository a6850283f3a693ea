// long_orbit.c: the orbit of Daviet et al. 2011 with all solvers (super-helix), and with some (discrete elastic rod).
#include "check.h"
#include "rows.h"
#include "validate/orbit.h"

CASE(superhelix)
{
    const plait_validation_sink sink = {.row = take_row};
    for (int i = 0; i < plait_validation_count(); i++)
        if (strcmp(plait_validation_get(i).name, "E1") == 0)
            CHECK_INT(plait_validation_run(i, PLAIT_ROD_SUPERHELIX, &sink, NULL), PLAIT_OK);
    CHECK(rows >= 25);
    CHECK_INT(failed, 0);
}

CASE(discrete_elastic_rod)
{
    const plait_validation_sink sink = {0};
    plait_trial t = {
        .name = "E1", .sink = &sink, .model = PLAIT_ROD_DER, .can = plait_rod_model_abilities(PLAIT_ROD_DER)};
    plait_orbit reference, other;
    bool ok = plait_orbit_run(&t, plait_orbit_solvers, 40, 1000, 8, &reference);
    CHECK(ok);
    if (!ok)
        return;
    double diameter = plait_orbit_diameter(&reference);
    for (const plait_orbit_solver *s = plait_orbit_solvers + 1; s->name; s++) {
        if (s->exact && s->solver != PLAIT_SOLVER_NEWTON_AC && s->local != PLAIT_LOCAL_MFB)
            continue;
        ok = plait_orbit_run(&t, s, 40, 1000, 8, &other);
        CHECK(ok);
        if (!ok)
            continue;
        double apart = plait_orbit_distance(&reference, 0, &other, 0) / diameter;
        CHECK(s->exact ? apart < 1e-3 : apart > 0.05);
        plait_orbit_free(&other);
    }
    plait_orbit_free(&reference);
}
