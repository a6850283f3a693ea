// save.c: pictures appear whole or not at all.
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "render/render.h"

plait_status plait_picture_save(const char *path, int width, int height, bool (*write)(FILE *file, const void *data),
                                const void *data, plait_error *error)
{
    if (width < 1 || height < 1)
        return plait_error_set(error, PLAIT_BAD_INPUT, "%s: a picture of %d x %d pixels", path, width, height);
    size_t size = strlen(path) + 32;
    char *place = malloc(size);
    if (!place)
        return plait_error_set(error, PLAIT_NO_MEMORY, "%s: not enough memory", path);
    snprintf(place, size, "%s.tmp%ld", path, (long)getpid());
    errno = 0;
    FILE *file = fopen(place, "wb");
    bool ok = file && write(file, data);
    if (file)
        ok = fclose(file) == 0 && ok;
    ok = ok && rename(place, path) == 0;
    if (!ok) {
        plait_error_set(error, PLAIT_BAD_FILE, "%s: cannot be written: %s", path,
                        errno ? strerror(errno) : "the encoder failed");
        if (file)
            unlink(place);
    }
    free(place);
    return ok ? PLAIT_OK : PLAIT_BAD_FILE;
}
