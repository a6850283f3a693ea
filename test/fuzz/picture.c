// Any bytes as a picture: an error with words, or numbers from 0 to 1, also between and beyond the pixels.
// Checksums of chunks are put right first, so that what is inside matters.
#include "file/picture.h"

#include <string.h>
#include <zlib.h>

#include "files.h"

static uint32_t big(const uint8_t *x)
{
    return (uint32_t)x[0] << 24 | (uint32_t)x[1] << 16 | (uint32_t)x[2] << 8 | x[3];
}

static void mend_checksums(uint8_t *x, size_t size)
{
    for (size_t at = 8; at + 12 <= size;) { // length, kind, bytes, checksum
        size_t length = big(x + at);
        if (length > size - at - 12)
            return;
        uint32_t sum = (uint32_t)crc32(0, x + at + 4, (unsigned)(length + 4));
        for (size_t k = 0; k < 4; k++)
            x[at + 8 + length + k] = (uint8_t)(sum >> (24 - 8 * k));
        at += 12 + length;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size >= 24) { // sizes of pictures are checked by a test; here they would take all the time
        for (int k = 16; k < 24; k++)
            if (k % 4 < 2 && data[k])
                return 0;
        if (data[18] * 256 + data[19] > 2000 || data[22] * 256 + data[23] > 2000)
            return 0;
    }
    plait_error error = {0};
    plait_picture p = {0};
    uint8_t *copy = malloc(size + 1);
    if (!copy)
        abort();
    if (size > 0)
        memcpy(copy, data, size);
    mend_checksums(copy, size);
    const char *path = fuzz_write(copy, size, "png");
    free(copy);
    if (plait_picture_read(path, &p, &error) != PLAIT_OK) {
        if (error.status == PLAIT_OK || !error.text[0] || p.value)
            abort();
    } else {
        static const double place[] = {0, 1, 0.5, -0.25, 1e300, -1e-300, 0.999999999999};
        for (int k = 0; k < 7 * 7 * PLAIT_PICTURE_CHANNELS; k++) {
            double v = plait_picture_at(&p, place[k % 7], place[k / 7 % 7], k / 49);
            if (!(v >= 0 && v <= 1.000001))
                abort();
        }
    }
    plait_picture_free(&p);
    remove(path);
    return 0;
}
