// picture.h: pictures as numbers, for maps: PNG, of 1 to 16 bits, grey, coloured, with or without alpha, with a
// palette.
#ifndef PLAIT_FILE_PICTURE_H
#define PLAIT_FILE_PICTURE_H

#include "plait/status.h"

enum { PLAIT_PICTURE_CHANNELS = 4 };

typedef struct plait_picture {
    int width, height;
    float *value; // [height][width][4] red, green, blue, alpha as they stand in the file, 0 .. 1; from above
} plait_picture;

// plait_picture_free it, also after a failure.
plait_status plait_picture_read(const char *path, plait_picture *picture, plait_error *error);
void plait_picture_free(plait_picture *picture);

// The value of a channel at texture coordinates: (0, 0) is the lower left corner, (1, 1) the upper right one; beyond
// them the picture is repeated. Straight between the middles of pixels.
double plait_picture_at(const plait_picture *picture, double u, double v, int channel);

#endif
