// fail.c: messages about text files.
#include "file/fail.h"

#include <stdio.h>

bool plait_text_fail(plait_error *error, const char *name, long line, const char *format, va_list args)
{
    char text[300];
    vsnprintf(text, sizeof text, format, args);
    for (char *c = text; *c; c++)
        if ((unsigned char)*c < 0x20 || *c == 0x7f)
            *c = '?';
    if (line > 0)
        plait_error_set(error, PLAIT_BAD_FILE, "%s: line %ld: %s", name, line, text);
    else
        plait_error_set(error, PLAIT_BAD_FILE, "%s: %s", name, text);
    return false;
}
