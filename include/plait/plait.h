// plait.h: everything public in one include.
#ifndef PLAIT_H
#define PLAIT_H

#include "plait/contact.h"
#include "plait/export.h"
#include "plait/generate.h"
#include "plait/io.h"
#include "plait/render.h"
#include "plait/rod.h"
#include "plait/scene.h"
#include "plait/sim.h"
#include "plait/status.h"
#include "plait/trajectory.h"
#include "plait/validate.h"

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
