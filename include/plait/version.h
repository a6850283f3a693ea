// version.h: which Plait this is.
#ifndef PLAIT_VERSION_H
#define PLAIT_VERSION_H

#include "plait/status.h"

#ifdef __cplusplus
extern "C" {
#endif

#define PLAIT_VERSION_MAJOR 0
#define PLAIT_VERSION_MINOR 1
#define PLAIT_VERSION_PATCH 0

PLAIT_API const char *plait_version(void); // of the library at run time, "0.1.0"

#ifdef __cplusplus
}
#endif
#endif
