// error.c: formatting of plait_error.
#include <stdarg.h>
#include <stdio.h>

#include "plait/status.h"

plait_status plait_error_set(plait_error *error, plait_status status, const char *format, ...)
{
    if (!error)
        return status;
    error->status = status;
    va_list args;
    va_start(args, format);
    int length = vsnprintf(error->text, sizeof error->text, format, args);
    va_end(args);
    if (length < 0)
        error->text[0] = 0;
    return status;
}
