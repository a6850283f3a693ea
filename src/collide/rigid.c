// rigid.c: freely moving shapes against shapes. (This part follows.)
#include "collide/detector.h"

plait_status plait_rigids_touch(plait_detector *d, plait_error *error)
{
    (void)d, (void)error;
    return PLAIT_OK;
}
