// validate_friction.c: the quick part of the friction suite, and the orbit of Daviet et al. 2011 with a few solvers.
#include "check.h"
#include "plait/validate.h"
#include "validate/cases.h"
#include "validate/orbit.h"

typedef struct tally {
    int rows, failed, curves;
    plait_validation_row last;
} tally;

static void take_row(const plait_validation_row *row, void *data)
{
    tally *t = data;
    t->rows++;
    t->failed += !row->pass;
    t->last = *row;
    if (strstr(row->quantity, "distance from the orbit") || strstr(row->quantity, "extrapolated"))
        CHECK(row->measured > 0); // steps are not endless: 0 would say that nothing was looked at
    if (!row->pass)
        printf("  %s %s: %s, N = %d: %.9g instead of %.9g (%s)\n", row->name, row->subject, row->quantity,
               row->resolution, row->measured, row->reference, row->reason ? row->reason : "out of tolerance");
}

static void take_curve(const plait_validation_curve *curve, void *data)
{
    ((tally *)data)->curves += curve->count > 0;
}

static tally run(const char *name)
{
    tally t = {0};
    plait_validation_sink sink = {.row = take_row, .curve = take_curve, .data = &t};
    for (int i = 0; i < plait_validation_count(); i++) {
        if (strcmp(plait_validation_get(i).name, name) != 0)
            continue;
        CHECK_STR(plait_validation_get(i).suite, "friction");
        CHECK(plait_validation_applies(i, PLAIT_ROD_MODEL_COUNT));
        CHECK(!plait_validation_applies(i, PLAIT_ROD_DER));
        CHECK_INT(plait_validation_run(i, PLAIT_ROD_MODEL_COUNT, &sink, NULL), PLAIT_OK);
    }
    CHECK(t.curves > 0);
    return t;
}

CASE(one_contact)
{
    tally t = run("B6");
    CHECK_INT(t.rows, 6 * 15);
    CHECK_INT(t.failed, 0);
    t = run("B10");
    CHECK_INT(t.rows, 6 * 3 + 2);
    CHECK_INT(t.failed, 0);
}

CASE(sliding)
{
    static const char *const names[] = {"B1", "B2", "B3", "B4"};
    for (int i = 0; i < 4; i++) {
        tally t = run(names[i]);
        CHECK(t.rows >= 8);
        CHECK_INT(t.failed, 0);
    }
}

CASE(rolling)
{
    tally t = run("B7");
    CHECK_INT(t.rows, 2 * 32);
    CHECK_INT(t.failed, 0);
    t = run("B8");
    CHECK_INT(t.rows, 4 * 3);
    CHECK_INT(t.failed, 0);
}

// What must differ passes if it does, and fails if it could not be measured.
CASE(rows_beyond)
{
    tally t = {0};
    plait_validation_sink sink = {.row = take_row, .data = &t};
    plait_trial trial = {.name = "none", .sink = &sink, .subject = "something"};
    plait_trial_row_beyond(&trial, 1, 0, 0.06, 0.05, "differs");
    CHECK(t.last.pass && t.last.beyond);
    CHECK_STR(t.last.subject, "something");
    plait_trial_row_beyond(&trial, 1, 0, 0.04, 0.05, "does not");
    CHECK(!t.last.pass);
    plait_trial_row_beyond(&trial, 1, 0, NAN, 0.05, "unknown");
    CHECK(!t.last.pass && t.last.reason != NULL);
}

static const plait_orbit_solver *find(const char *name)
{
    const plait_orbit_solver *s = plait_orbit_solvers;
    while (s->name && strcmp(s->name, name) != 0)
        s++;
    CHECK(s->name != NULL);
    return s;
}

// Super-helix of 10 elements, dt = 1 ms, 8 s.
CASE(orbits)
{
    static const char *const names[] = {"gs mfb", "newton-ac", "gs pyramid", "gs duriez06"};
    plait_validation_sink sink = {0};
    plait_trial t = {.name = "E1",
                     .sink = &sink,
                     .model = PLAIT_ROD_SUPERHELIX,
                     .can = plait_rod_model_abilities(PLAIT_ROD_SUPERHELIX)};
    plait_orbit reference, other;
    bool ok = plait_orbit_run(&t, find("auto"), 10, 1000, 8, &reference);
    CHECK(ok);
    if (!ok) {
        printf("  %s\n", t.reason);
        return;
    }
    double diameter = plait_orbit_diameter(&reference);
    CHECK(diameter > 0.01 && diameter < 0.03);
    CHECK_INT(reference.unsolved, 0);
    CHECK(plait_orbit_distance(&reference, 0, &reference, 1) < 1e-3 * diameter);
    for (int i = 0; i < 4; i++) {
        const plait_orbit_solver *with = find(names[i]);
        ok = plait_orbit_run(&t, with, 10, 1000, 8, &other);
        CHECK(ok);
        if (!ok)
            continue;
        double apart = plait_orbit_distance(&reference, 0, &other, 0) / diameter;
        CHECK(with->exact ? apart < 1e-3 : apart > 0.05);
        CHECK(!with->exact || other.unsolved == 0);
        plait_orbit_free(&other);
    }
    plait_orbit_free(&reference);
}
