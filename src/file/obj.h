// obj.h: what both readers of Wavefront OBJ files do between words.
#ifndef PLAIT_FILE_OBJ_H
#define PLAIT_FILE_OBJ_H

#include <stdbool.h>

// Where the next word begins: behind blanks and line ends that a backslash takes back; *line counts those. The text
// ends with a 0.
static inline const char *plait_obj_skip_blanks(const char *at, const char *end, long *line)
{
    while (at < end) {
        bool goes_on = at[0] == '\\' && (at[1] == '\n' || (at[1] == '\r' && at[2] == '\n'));
        if (*at != ' ' && *at != '\t' && !goes_on)
            break;
        *line += goes_on;
        at += !goes_on ? 1 : at[1] == '\n' ? 2 : 3;
    }
    return at;
}

static inline bool plait_obj_line_ends(const char *at, const char *end)
{
    return at >= end || *at == '\n' || *at == '\r' || *at == '#';
}

#endif
