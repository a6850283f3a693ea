// fail.h: messages about text files, from all readers.
#ifndef PLAIT_FILE_FAIL_H
#define PLAIT_FILE_FAIL_H

#include <stdarg.h>
#include <stdbool.h>

#include "plait/status.h"

// "NAME: line LINE: ..." (line 0: without), BAD_FILE. A file's own words must not steer a terminal: what cannot be
// printed becomes '?'. Always false.
bool plait_text_fail(plait_error *error, const char *name, long line, const char *format, va_list args);

#endif
