// Programs whose headers are not the library's are told so.
#include "check.h"
#include "plait/plait.h"
#include <string.h>

CASE(these_headers_are_the_librarys)
{
    plait_error error = {0};
    CHECK_INT(plait_check_headers(&error), PLAIT_OK);
}

CASE(another_size_or_name_is_told)
{
    plait_error error = {0};
    plait_struct_size list[] = {{"plait_scene", sizeof(plait_scene)}, {"plait_fibre", sizeof(plait_fibre) + 8}};
    CHECK_INT(plait_compare_sizes(1, list, &error), PLAIT_OK);
    CHECK_INT(plait_compare_sizes(2, list, &error), PLAIT_BAD_INPUT);
    CHECK(strstr(error.text, "plait_fibre has "));
    list[1] = (plait_struct_size){"plait_fiber", 8};
    CHECK_INT(plait_compare_sizes(2, list, &error), PLAIT_BAD_INPUT);
    CHECK(strstr(error.text, "no struct 'plait_fiber'"));
    CHECK_INT(plait_compare_sizes(0, NULL, NULL), PLAIT_OK);
}
