// error.c: formatting of plait_error.
//
// Messages quote what was found in files, which may be any bytes: nothing of that must drive a terminal or break a
// program that reads UTF-8.
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>

#include "plait/status.h"

// Bytes of the UTF-8 letter at s, which ends with 0; 0 if there is none, or one that is not to be shown.
static int letter(const unsigned char *s)
{
    static const unsigned least[] = {0, 0, 0x80, 0x800, 0x10000};
    int length = *s < 0x80 ? 1 : *s < 0xc0 ? 0 : *s < 0xe0 ? 2 : *s < 0xf0 ? 3 : *s < 0xf8 ? 4 : 0;
    unsigned code = length < 2 ? *s : *s & (0x7fu >> length);
    for (int i = 1; i < length; i++) {
        if (s[i] >> 6 != 2)
            return 0;
        code = code << 6 | (s[i] & 0x3fu);
    }
    bool control = (code < 0x20 && code != '\n' && code != '\t') || (code >= 0x7f && code < 0xa0);
    bool none = length == 0 || code < least[length] || code > 0x10ffff || (code >= 0xd800 && code < 0xe000);
    return control || none ? 0 : length;
}

static void clean(char *text)
{
    for (char *s = text; *s;) {
        int length = letter((const unsigned char *)s);
        if (length == 0)
            *s = '?';
        s += length > 0 ? length : 1;
    }
}

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
    clean(error->text);
    return status;
}
