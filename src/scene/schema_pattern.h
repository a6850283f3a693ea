// schema_pattern.h: regular expressions for what scene files may say: numbers with units, vectors, paths of --set.
//
// In the dialect that ECMAScript and Python share. Units can be written in endless ways; the expressions know those
// that a person would write: the base units in any order, with at most one named unit (N, Pa, Hz ...) among them.
#ifndef PLAIT_SCENE_SCHEMA_PATTERN_H
#define PLAIT_SCENE_SCHEMA_PATTERN_H

#include "scene/schema.h"
#include "scene/text.h"

typedef enum plait_pattern_sign {
    PLAIT_PATTERN_ANY,
    PLAIT_PATTERN_NOT_NEGATIVE,
    PLAIT_PATTERN_POSITIVE
} plait_pattern_sign;

#define PLAIT_PATTERN_NAME "[A-Za-z_][A-Za-z0-9_-]*"
#define PLAIT_PATTERN_VARIABLE "\\$\\(" PLAIT_PATTERN_NAME "\\)"

void plait_pattern_quantity(plait_text *out, plait_unit unit, plait_pattern_sign sign);
void plait_pattern_vector(plait_text *out, plait_unit unit, int count); // "[1, 2, 3] cm"
void plait_pattern_paths(plait_text *out, const plait_schema *table);   // step.dt, fibres.hair.segments

#endif
