// colour.h: contacts in colours, so that no two of one colour touch the same body (or, where only W is known, are
// coupled by W). A sweep over one colour can run in any order and on any number of threads with the same result.
#ifndef PLAIT_CONTACT_COLOUR_H
#define PLAIT_CONTACT_COLOUR_H

#include "contact/operator.h"

typedef struct plait_colouring {
    int colours;
    int *ptr;     // [colours + 1]
    int *contact; // [n]
} plait_colouring;

plait_colouring *plait_colouring_new(const plait_operator *op, plait_stop *stop); // NULL without memory, or stopped
void plait_colouring_free(plait_colouring *c);

#endif
