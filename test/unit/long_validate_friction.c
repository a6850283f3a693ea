// long_validate_friction.c: the capstan in every model that can.
#include "check.h"
#include "rows.h"

CASE(capstan)
{
    const plait_validation_sink sink = {.row = take_row};
    int models = 0;
    for (int i = 0; i < plait_validation_count(); i++) {
        for (int m = 0; m < PLAIT_ROD_MODEL_COUNT; m++) {
            if (strcmp(plait_validation_get(i).name, "C2") != 0 || !plait_validation_applies(i, (plait_rod_model)m))
                continue;
            models++;
            CHECK_INT(plait_validation_run(i, (plait_rod_model)m, &sink, NULL), PLAIT_OK);
        }
    }
    CHECK(models >= 3);
    CHECK_INT(rows, 8 * models);
    CHECK_INT(failed, 0);
}
