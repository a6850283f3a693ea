// material.h: checks of sections; the formulas are in material.c.
#ifndef PLAIT_BODY_MATERIAL_H
#define PLAIT_BODY_MATERIAL_H

#include "plait/rod.h"

// Refuses a section that no rod can have; `id` is how the message calls the rod.
// The same shape by factors: of its width, its moduli, its density.
void plait_section_scale(plait_section *section, double radius, double young, double density);
plait_status plait_section_check(const plait_section *section, int id, plait_error *error);

#endif
