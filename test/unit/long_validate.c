// long_validate.c: the physics suite of rods, every case in every model that can.
#include "check.h"
#include "rows.h"

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
