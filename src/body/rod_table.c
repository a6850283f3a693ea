// rod_table.c: the list of rod models. A new model is a new file and a row here.
#include <stddef.h>

#include "body/rod.h"

const plait_rod_type *const plait_rod_types[] = {
    &plait_rod_der, &plait_rod_superhelix, &plait_rod_massspring, &plait_rod_corde, NULL,
};
