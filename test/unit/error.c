#include "check.h"
#include "plait/plait.h"

CASE(message_is_stored_and_status_returned)
{
    plait_error error = {0};
    CHECK_INT(plait_error_set(&error, PLAIT_BAD_FILE, "%s: expected %d", "a.hdf5", 3), PLAIT_BAD_FILE);
    CHECK_INT(error.status, PLAIT_BAD_FILE);
    CHECK_STR(error.text, "a.hdf5: expected 3");
}

CASE(nobody_listens)
{
    CHECK_INT(plait_error_set(NULL, PLAIT_NO_MEMORY, "lost"), PLAIT_NO_MEMORY);
}

CASE(long_messages_are_cut)
{
    char text[2 * sizeof((plait_error *)0)->text];
    memset(text, 'x', sizeof text - 1);
    text[sizeof text - 1] = 0;
    plait_error error = {0};
    plait_error_set(&error, PLAIT_BAD_INPUT, "%s", text);
    CHECK_INT(strlen(error.text), sizeof error.text - 1);
    CHECK(strncmp(error.text, text, sizeof error.text - 1) == 0);
}

CASE(version_is_that_of_the_header)
{
    char text[32];
    snprintf(text, sizeof text, "%d.%d.%d", PLAIT_VERSION_MAJOR, PLAIT_VERSION_MINOR, PLAIT_VERSION_PATCH);
    CHECK_STR(plait_version(), text);
}
