// text.h: a text that grows as it is printed into.
#ifndef PLAIT_SCENE_TEXT_H
#define PLAIT_SCENE_TEXT_H

#include <stdbool.h>
#include <stddef.h>

#include "plait/status.h"

typedef struct plait_text {
    char *text; // malloc'ed; NULL: nothing yet
    size_t count, room;
    bool failed; // no memory: what comes later is left out
} plait_text;

void plait_text_add(plait_text *t, const char *format, ...) PLAIT_PRINTF(2, 3);
char *plait_text_take(plait_text *t); // the text, now the caller's; NULL without memory

#endif
