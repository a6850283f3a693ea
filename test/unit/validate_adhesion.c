// validate_adhesion.c: the suite of bonds: every row.
#include "check.h"
#include "plait/validate.h"

static int rows, failed;

static void take_row(const plait_validation_row *row, void *data)
{
    (void)data;
    rows++, failed += !row->pass;
    if (!row->pass)
        printf("  %s %s: %s: %.9g instead of %.9g (%s)\n", row->name, row->subject, row->quantity, row->measured,
               row->reference, row->reason ? row->reason : "out of tolerance");
}

static void run(const char *name, int expected)
{
    plait_validation_sink sink = {.row = take_row};
    rows = failed = 0;
    for (int i = 0; i < plait_validation_count(); i++)
        if (strcmp(plait_validation_get(i).name, name) == 0)
            CHECK_INT(plait_validation_run(i, PLAIT_ROD_MODEL_COUNT, &sink, NULL), PLAIT_OK);
    CHECK_INT(rows, expected);
    CHECK_INT(failed, 0);
}

CASE(opened)
{
    run("D1", 24);
}
CASE(sheared_and_mixed)
{
    run("D1-shear", 20);
}
CASE(cube)
{
    run("D2", 11);
}
CASE(energy_and_stiffness)
{
    run("D4", 15);
}
CASE(in_the_plane)
{
    run("D5", 6);
}
