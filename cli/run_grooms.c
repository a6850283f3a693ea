// run_grooms.c: strands that a run's scene took long to lay, in its folder.
#include <stdlib.h>

#include "run.h"

static void try_grooms(void *path)
{
    plait_grooms_free(plait_grooms_read(path, NULL));
}

plait_grooms *plait_run_read_grooms(const char *folder)
{
    plait_error error = {0};
    plait_grooms *grooms = NULL;
    if (!plait_run_exists(folder, "grooms.h5")) {
        if (!(grooms = plait_grooms_new()))
            plait_cli_message("not enough memory");
        return grooms;
    }
    char *path = plait_run_path(folder, "grooms.h5");
    if (!plait_guard_try(path, try_grooms, path, &error) || !(grooms = plait_grooms_read(path, &error)))
        plait_cli_message("%s; without this file the strands are laid once more", error.text);
    free(path);
    return grooms;
}

bool plait_run_write_grooms(const char *folder, const plait_grooms *grooms)
{
    plait_error error = {0};
    if (!grooms || plait_grooms_count(grooms) == 0)
        return true;
    char *path = plait_run_path(folder, "grooms.h5");
    bool ok = plait_grooms_write(path, grooms, &error) == PLAIT_OK;
    free(path);
    if (!ok)
        plait_cli_message("%s", error.text);
    return ok;
}
