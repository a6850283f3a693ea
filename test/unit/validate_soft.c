// validate_soft.c: the quick cases of cloth and solids pass.
#include "check.h"
#include "plait/validate.h"

static void take_row(const plait_validation_row *row, void *data)
{
    ++*(int *)data;
    if (!CHECK(row->pass))
        printf("  %s %s: %s, N = %d: %.9g instead of %.9g (%s)\n", row->name, row->subject, row->quantity, row->resolution,
               row->measured, row->reference, row->reason ? row->reason : "out of tolerance");
}

CASE(quick_cases_pass)
{
    const char *const quick[] = {"G1", "G2", "G4", "G5"};
    for (int q = 0; q < (int)(sizeof quick / sizeof *quick); q++)
        for (int i = 0; i < plait_validation_count(); i++) {
            int rows = 0;
            plait_validation_sink sink = {.row = take_row, .data = &rows};
            if (strcmp(plait_validation_get(i).name, quick[q]) != 0)
                continue;
            CHECK_INT(plait_validation_run(i, PLAIT_ROD_MODEL_COUNT, &sink, NULL), PLAIT_OK);
            CHECK(rows >= 14);
        }
}
