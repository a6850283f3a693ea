// version.c: the version of the library at run time.
#include "plait/version.h"

#define TEXT_OF(x) #x
#define TEXT(x) TEXT_OF(x)

const char *plait_version(void)
{
    return TEXT(PLAIT_VERSION_MAJOR) "." TEXT(PLAIT_VERSION_MINOR) "." TEXT(PLAIT_VERSION_PATCH);
}
