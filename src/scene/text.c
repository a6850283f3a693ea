// text.c: a text that grows as it is printed into.
#include "scene/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

void plait_text_add(plait_text *t, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    int length = vsnprintf(NULL, 0, format, args);
    va_end(args);
    if (length < 0 || t->failed)
        return;
    if (t->count + (size_t)length + 1 > t->room) {
        size_t room = 2 * t->room + (size_t)length + 4096;
        char *grown = realloc(t->text, room);
        if (!grown) {
            t->failed = true;
            return;
        }
        t->text = grown;
        t->room = room;
    }
    va_start(args, format);
    vsnprintf(t->text + t->count, t->room - t->count, format, args);
    va_end(args);
    t->count += (size_t)length;
}

char *plait_text_take(plait_text *t)
{
    if (!t->failed)
        return t->text;
    free(t->text);
    return NULL;
}
