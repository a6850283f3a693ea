// hair_write.c: a frame as .hair. The unit is the metre; the header's words say so (plait_hair_read understands them).
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "io/export.h"

plait_status plait_export_hair(plait_exporter *e)
{
    plait_status status = PLAIT_OK;
    for (int k = 0; k < e->count && status == PLAIT_OK; k++) {
        status = plait_export_frame(e, k);
        if (status != PLAIT_OK)
            return status;
        plait_hair hair = {.strands = e->info->fibres,
                           .first = e->info->first,
                           .point = e->frame->position,
                           .thickness = e->info->fibres > 0 ? 2 * e->info->radius[0] : 0,
                           .unit = e->unit,
                           .y_up = e->y_up,
                           .width = (float *)(uintptr_t)e->strands.width,
                           .colour = (float *)(uintptr_t)e->strands.colour};
        if (e->source) {
            hair.transparency = e->source->transparency;
            hair.clear = e->source->clear;
            memcpy(hair.tint, e->source->tint, sizeof hair.tint);
        }
        size_t size = strlen(e->folder) + strlen(e->name) + 40;
        char *path = malloc(size);
        if (!path)
            return plait_error_set(e->error, PLAIT_NO_MEMORY, "%s: not enough memory", e->name);
        if (e->single)
            snprintf(path, size, "%s/%s.hair", e->folder, e->name);
        else
            snprintf(path, size, "%s/%s.%04d.hair", e->folder, e->name, plait_export_number(e, k));
        status = plait_hair_write(path, &hair, e->error);
        struct stat info;
        if (status == PLAIT_OK && stat(path, &info) == 0)
            e->report.bytes += info.st_size;
        e->report.files++;
        free(path);
    }
    return status;
}
