// image.h: copies of chains in a periodic cell.
//
// Along an axis with a period L every chain stands for all its copies, moved by whole multiples of L (of a column of
// the cell's shape, if it is sheared; that at the start of a motion and that at its end, if it deforms). Chains keep
// the coordinates that they have, however far they go. To look for contacts each is brought home: moved by whole
// periods so that its middle lies in the cell. Then every copy of a chain whose box reaches into that of all is a
// strand too, an image, and chains are held against the images of those behind them in the list (and against their own,
// on one side): every pair of neighbours once, whichever copies they are.
//
//     home a:  x_a + home_a L            image of b:  x_b + (home_b + k) L
//     a contact says: x_b + image L is what touches x_a, image = home_b + k - home_a
//
// so that what a contact says does not depend on where home is.
#ifndef PLAIT_COLLIDE_IMAGE_H
#define PLAIT_COLLIDE_IMAGE_H

enum { PLAIT_IMAGE_MOST = 511, PLAIT_IMAGE_BASE = 1024 };

// Three whole numbers from -MOST to MOST as one; 0 for the chain itself.
static inline int plait_image_pack(const int k[3])
{
    return (k[0] * PLAIT_IMAGE_BASE + k[1]) * PLAIT_IMAGE_BASE + k[2];
}

static inline void plait_image_unpack(int image, int k[3])
{
    for (int axis = 2; axis > 0; axis--) {
        int low = (image + PLAIT_IMAGE_BASE / 2) % PLAIT_IMAGE_BASE;
        low = (low < 0 ? low + PLAIT_IMAGE_BASE : low) - PLAIT_IMAGE_BASE / 2;
        k[axis] = low, image = (image - low) / PLAIT_IMAGE_BASE;
    }
    k[0] = image;
}

// x += sign * (image of the cell): columns (Lx, 0, 0), (xy, Ly, 0), (xz, yz, Lz), as Lx, Ly, Lz, xy, yz, xz.
static inline void plait_image_shift(int image, const double cell[6], double sign, double x[3])
{
    if (!image)
        return;
    int k[3];
    plait_image_unpack(image, k);
    x[0] += sign * (k[0] * cell[0] + k[1] * cell[3] + k[2] * cell[5]);
    x[1] += sign * (k[1] * cell[1] + k[2] * cell[4]);
    x[2] += sign * (k[2] * cell[2]);
}

#endif
