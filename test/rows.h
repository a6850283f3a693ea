// rows.h: rows of the physics suite, counted; those that fail are printed.
#ifndef PLAIT_TEST_ROWS_H
#define PLAIT_TEST_ROWS_H

#include <stdio.h>

#include "plait/validate.h"

static int rows, failed;

static inline void take_row(const plait_validation_row *row, void *data)
{
    (void)data;
    rows++;
    failed += !row->pass;
    if (!row->pass)
        printf("  %s %s: %s, N = %d: %.9g instead of %.9g (%s)\n", row->name, row->subject, row->quantity,
               row->resolution, row->measured, row->reference, row->reason ? row->reason : "out of tolerance");
}

#endif
