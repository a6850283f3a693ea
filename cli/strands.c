// strands.c: the whole groom of a run, for the commands that show it.
#include "strands.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "run.h"

static bool read_count(const char *text, int *count)
{
    *count = 0;
    if (!text || strcmp(text, "all") == 0)
        return true;
    char *end;
    long n = strtol(text, &end, 10);
    if (end == text || *end || n < 1 || n > 100 * 1000 * 1000) {
        plait_cli_fail("--strands: a number from 1 to 100000000 or 'all' is expected, found '%s'", text);
        return false;
    }
    *count = (int)n;
    return true;
}

// fibres.NAME.carry, fibres.NAME.carry.KEY
static bool names_carry(const char *override)
{
    size_t length = strcspn(override, "=");
    const char *key = strstr(override, ".carry");
    return strncmp(override, "fibres.", 7) == 0 && key && key + 6 <= override + length &&
           (key[6] == '.' || key[6] == '=' || !key[6]);
}

bool plait_strands_open(const plait_strands_choice *choice, const plait_trajectory *trajectory, const char *path,
                        plait_carry **carry)
{
    plait_carry_options o = plait_default_carry_options();
    plait_error error = {0};
    *carry = NULL;
    if (choice->guides && (choice->strands || choice->overrides > 0)) {
        plait_cli_fail("--guides shows what was simulated: it cannot be given together with --strands or --set");
        return false;
    }
    for (int i = 0; i < choice->overrides; i++)
        if (!names_carry(choice->override[i])) {
            plait_cli_fail("--set %s: a run is as it was simulated; only 'carry' of its fibres can be changed "
                           "here, other things in a simulation (run --from, view --live)",
                           choice->override[i]);
            return false;
        }
    if (!read_count(choice->strands, &o.strands))
        return false;
    bool asked = choice->strands || choice->overrides > 0;
    if (choice->guides || (!asked && !plait_carry_useful(plait_trajectory_get_info(trajectory))))
        return true;
    o.velocities = choice->velocities, o.threads = choice->threads;
    o.count = choice->overrides, o.overrides = choice->override;
    plait_grooms *grooms = plait_cli_is_folder(path) ? plait_run_read_grooms(path) : NULL;
    plait_grooms *before = plait_grooms_use(grooms);
    *carry = plait_carry_new(trajectory, &o, &error);
    plait_grooms_use(before);
    plait_grooms_free(grooms);
    if (*carry)
        return true;
    if (!asked && error.status != PLAIT_NO_MEMORY) { // what was simulated can be shown even if a file is gone
        plait_cli_message("%s; only what was simulated is shown", error.text);
        return true;
    }
    plait_cli_fail("%s", error.text);
    return false;
}
