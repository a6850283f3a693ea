// fail.c: messages about text files.
#include "file/fail.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/trouble.h"

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

bool plait_file_grow(void **array, size_t count, size_t *room, size_t size, size_t first, size_t most, const char *name,
                     plait_error *error)
{
    if (count <= *room)
        return true;
    size_t more = *room ? 2 * *room : first;
    while (more < count)
        more *= 2;
    void *grown = more < most ? realloc(*array, more * size) : NULL;
    if (!grown) {
        plait_error_set(error, PLAIT_NO_MEMORY, "%s: not enough memory", name);
        return false;
    }
    *array = grown;
    *room = more;
    return true;
}

FILE *plait_file_open(const char *path, const char *cannot, plait_error *error)
{
    struct stat status;
    int number = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK); // ordinary files do not care, pipes do not wait
    if (number >= 0 && fstat(number, &status) == 0 && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode)) {
        plait_error_set(error, PLAIT_BAD_FILE, "%s: expected an ordinary file, found a device or pipe", path);
        close(number);
        return NULL;
    }
    FILE *file = number >= 0 ? fdopen(number, "rb") : NULL;
    if (file)
        return file;
    plait_error_set(error, plait_trouble(errno), "%s: %s: %s", path, cannot, strerror(errno));
    if (number >= 0)
        close(number);
    return NULL;
}
