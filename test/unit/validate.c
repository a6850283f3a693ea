// validate.c: the physics suite in the library: its quick cases pass for discrete elastic rods, and its judgement is
// sound.
#include "plait/validate.h"

#include "check.h"
#include "validate/cases.h"

enum { MOST = 512 };

typedef struct tally {
    int rows, failed, curves;
    plait_validation_row last;
    int references; // points of the last curve of where it should be
    double x[MOST], y[MOST];
} tally;

static void take_row(const plait_validation_row *row, void *data)
{
    tally *t = data;
    t->rows++;
    t->failed += !row->pass;
    t->last = *row;
    if (!row->pass)
        printf("  %s %s: %s, N = %d: %.9g instead of %.9g (%s)\n", row->name, plait_rod_model_name(row->model),
               row->quantity, row->resolution, row->measured, row->reference,
               row->reason ? row->reason : "out of tolerance");
}

static void take_curve(const plait_validation_curve *curve, void *data)
{
    tally *t = data;
    t->curves += curve->count > 0;
    for (int i = 0; i < curve->count; i++)
        CHECK(isfinite(curve->x[i]) && isfinite(curve->y[i]));
    if (curve->reference && curve->count <= MOST) {
        t->references = curve->count;
        memcpy(t->x, curve->x, (size_t)curve->count * sizeof *curve->x);
        memcpy(t->y, curve->y, (size_t)curve->count * sizeof *curve->y);
        return;
    }
    // Statics, measured at the same places: near what it should be. (Elsewhere the reference may be a bound.)
    if (curve->name[0] != 'A' || curve->count != t->references || memcmp(curve->x, t->x, (size_t)curve->count * sizeof *curve->x) != 0)
        return;
    for (int i = 0; i < curve->count; i++)
        if (!CHECK_NEAR(curve->y[i], t->y[i], 0.1 * fabs(t->y[i]) + 1e-3))
            printf("  %s %s at %g\n", curve->name, curve->series, curve->x[i]);
}

static bool take_four(void *data)
{
    return ((tally *)data)->rows >= 4;
}

// What comes later was stopped.
static void take_until_four(const plait_validation_row *row, void *data)
{
    if (!take_four(data))
        take_row(row, data);
}

// The first of C1: a super-helix is pressed on from where another rod was bent to.
CASE(pressed_from_a_bend)
{
    for (int i = 0; i < plait_validation_count(); i++) {
        tally t = {0};
        const plait_validation_sink sink = {.row = take_until_four, .stop = take_four, .data = &t};
        if (strcmp(plait_validation_get(i).name, "C1") != 0)
            continue;
        plait_validation_run(i, PLAIT_ROD_SUPERHELIX, &sink, NULL);
        CHECK_INT(t.rows, 4);
        CHECK_INT(t.failed, 0);
    }
}

CASE(quick_cases_pass)
{
    const char *const quick[] = {"A1", "A2", "A3", "A5", "A6", "A7", "order-n", "conservation"};
    for (int q = 0; q < (int)(sizeof quick / sizeof *quick); q++) {
        for (int i = 0; i < plait_validation_count(); i++) {
            if (strcmp(plait_validation_get(i).name, quick[q]) != 0)
                continue;
            tally t = {0};
            plait_validation_sink sink = {.row = take_row, .curve = take_curve, .data = &t};
            CHECK(plait_validation_applies(i, PLAIT_ROD_DER));
            CHECK_INT(plait_validation_run(i, PLAIT_ROD_DER, &sink, NULL), PLAIT_OK);
            CHECK(t.rows > 0);
            CHECK(t.curves > 0);
            CHECK_INT(t.failed, 0);
        }
    }
}

// The steps of bodies, in all models that take part; F2 and F7 take longer.
CASE(steps_pass)
{
    const char *const quick[] = {"F3", "F4", "F5", "F1", "F6"};
    for (int q = 0; q < (CHECK_SANITIZED ? 3 : 5); q++) {
        tally t = {0};
        plait_validation_sink sink = {.row = take_row, .curve = take_curve, .data = &t};
        for (int i = 0; i < plait_validation_count(); i++)
            for (int m = 0; m <= PLAIT_ROD_MODEL_COUNT && strcmp(plait_validation_get(i).name, quick[q]) == 0; m++)
                if (plait_validation_applies(i, (plait_rod_model)m))
                    CHECK_INT(plait_validation_run(i, (plait_rod_model)m, &sink, NULL), PLAIT_OK);
        CHECK(t.rows > 0);
        CHECK_INT(t.failed, 0);
    }
}

// A row passes exactly if the error is within the tolerance; what could not be measured fails, with a reason.
CASE(rows_are_judged)
{
    tally t = {0};
    plait_validation_sink sink = {.row = take_row, .data = &t};
    plait_trial trial = {.name = "none", .sink = &sink};
    plait_trial_row(&trial, 30, 2, 2.019, 0.01, "inside");
    CHECK(t.last.pass);
    CHECK_NEAR(t.last.error, 0.0095, 1e-12);
    plait_trial_row(&trial, 30, 2, 2.021, 0.01, "outside");
    CHECK(!t.last.pass);
    plait_trial_row(&trial, 30, 0, -0.02, 0.01, "against zero");
    CHECK(!t.last.pass);
    snprintf(trial.reason, sizeof trial.reason, "broken");
    plait_trial_row(&trial, 30, 2, NAN, 0.01, "not measured");
    CHECK(!t.last.pass && t.last.reason != NULL);
}

static int above_pi(plait_trial *t, double x, const void *data)
{
    (void)t, (void)data;
    return x > 3.14159265358979;
}

CASE(brackets)
{
    plait_validation_sink sink = {0};
    plait_trial trial = {.name = "none", .sink = &sink};
    CHECK_REL(plait_trial_bracket(&trial, 3, 4, 1e-6, above_pi, NULL), 3.14159265358979, 1e-6);
    CHECK(isnan(plait_trial_bracket(&trial, 1, 2, 1e-6, above_pi, NULL)));
    CHECK(trial.reason[0] != 0);
}

CASE(there_are_models_and_cases)
{
    CHECK(plait_validation_count() >= 13);
    CHECK_INT(plait_validation_run(-1, PLAIT_ROD_DER, NULL, NULL), PLAIT_BAD_INPUT);
    CHECK(!plait_validation_applies(0, PLAIT_ROD_MODEL_COUNT));
}
