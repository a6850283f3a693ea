// plait.h: everything public in one include.
#ifndef PLAIT_H
#define PLAIT_H

#include "plait/abi.h"
#include "plait/carry.h"
#include "plait/contact.h"
#include "plait/control.h"
#include "plait/curves.h"
#include "plait/export.h"
#include "plait/generate.h"
#include "plait/grooms.h"
#include "plait/io.h"
#include "plait/motion.h"
#include "plait/render.h"
#include "plait/review.h"
#include "plait/rod.h"
#include "plait/scene.h"
#include "plait/shape.h"
#include "plait/soft.h"
#include "plait/sim.h"
#include "plait/sparse.h"
#include "plait/status.h"
#include "plait/sweep.h"
#include "plait/threads.h"
#include "plait/trajectory.h"
#include "plait/validate.h"
#include "plait/version.h"

#endif
