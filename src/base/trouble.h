// trouble.h: what errno says of a file.
#ifndef PLAIT_BASE_TROUBLE_H
#define PLAIT_BASE_TROUBLE_H

#include <errno.h>

#include "plait/status.h"

// Want of memory is no fault of the file.
static inline plait_status plait_trouble(int number)
{
    return number == ENOMEM ? PLAIT_NO_MEMORY : PLAIT_BAD_FILE;
}

#endif
