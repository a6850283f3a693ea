// long_still.c: the part of what rests (F8) that has been within its tolerance throughout: rods on a slope.
#include "check.h"
#include "rows.h"

enum { ROWS = 4 }; // creep and drift on two slopes

static bool enough(void *data)
{
    (void)data;
    return rows >= ROWS;
}

static void take_first(const plait_validation_row *row, void *data)
{
    if (rows < ROWS) // what comes later was stopped
        take_row(row, data);
}

CASE(rods_on_a_slope)
{
    const plait_validation_sink sink = {.row = take_first, .stop = enough};
    for (int i = 0; i < plait_validation_count(); i++)
        if (strcmp(plait_validation_get(i).name, "F8") == 0)
            plait_validation_run(i, PLAIT_ROD_MODEL_COUNT, &sink, NULL);
    CHECK_INT(rows, ROWS);
    CHECK_INT(failed, 0);
}
