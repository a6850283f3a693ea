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

// What files are found to hold must neither drive a terminal nor break who reads UTF-8: escapes, bells, bytes that are no letter, an
// overlong slash, a surrogate, a letter beyond Unicode, a C1 control; good letters of one to four bytes stay.
CASE(messages_are_clean_utf8)
{
    const char *const pairs[][2] = {
        {"a\tb\nc", "a\tb\nc"},
        {"\x1b[2J\a\x7f", "?[2J??"},
        {"g\xc3\xbc \xe2\x82\xac \xf0\x9f\x8d\x9d", "g\xc3\xbc \xe2\x82\xac \xf0\x9f\x8d\x9d"},
        {"\xd2"
         "a",
         "?a"},
        {"\xc0\xaf \xe0\x80\xaf", "?? ???"},
        {"\xed\xa0\x80 \xf4\x90\x80\x80", "??? ????"},
        {"\xc2\x9b \xff", "?? ?"},
        {"\xe2\x82", "??"}};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        plait_error error = {0};
        plait_error_set(&error, PLAIT_BAD_FILE, "%s", pairs[i][0]);
        CHECK_STR(error.text, pairs[i][1]);
    }
    char text[2 * sizeof((plait_error *)0)->text]; // cut in the middle of a letter
    for (size_t i = 0; i + 1 < sizeof text; i++)
        text[i] = i % 2 ? '\xbc' : '\xc3';
    text[sizeof text - 1] = 0;
    plait_error error = {0};
    plait_error_set(&error, PLAIT_BAD_INPUT, "xx%s", text);
    CHECK(strlen(error.text) == sizeof error.text - 1 && strcmp(error.text + sizeof error.text - 4, "\xc3\xbc?") == 0);
}

CASE(version_is_that_of_the_header)
{
    char text[32];
    snprintf(text, sizeof text, "%d.%d.%d", PLAIT_VERSION_MAJOR, PLAIT_VERSION_MINOR, PLAIT_VERSION_PATCH);
    CHECK_STR(plait_version(), text);
}
