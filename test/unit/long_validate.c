// long_validate.c: the physics suite of rods, every case in every model that can.
#include "check.h"
#include "plait/validate.h"

static int rows, failed;

static void take_row(const plait_validation_row *row, void *data)
{
    (void)data;
    rows++;
    failed += !row->pass;
    if (!row->pass)
        printf("  %s %s: %s, N = %d: %.9g instead of %.9g (%s)\n", row->name, plait_rod_model_name(row->model),
               row->quantity, row->resolution, row->measured, row->reference,
               row->reason ? row->reason : "out of tolerance");
}

CASE(all_cases_in_all_models)
{
    const plait_validation_sink sink = {.row = take_row};
    for (int i = 0; i < plait_validation_count(); i++) {
        bool rods = strcmp(plait_validation_get(i).suite, "rods") == 0;
        for (int m = 0; m < PLAIT_ROD_MODEL_COUNT && rods; m++) {
            if (!plait_validation_applies(i, (plait_rod_model)m))
                continue;
            int before = rows;
            CHECK_INT(plait_validation_run(i, (plait_rod_model)m, &sink, NULL), PLAIT_OK);
            CHECK(rows > before);
        }
    }
    CHECK_INT(failed, 0);
}
