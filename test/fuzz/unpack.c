// Any bytes as a file that gzip may have packed; the first byte says whether they are put into a block of gzip as they
// stand, so that checksums are right and what is inside matters. An error with words, or bytes that can be read.
#include "io/unpack.h"

#include <zlib.h>

#include "files.h"

static void judge(const char *path)
{
    plait_error error = {0};
    plait_unpacked u;
    if (!plait_unpack(&u, path, &error)) {
        if (error.status == PLAIT_OK || !error.text[0] || u.bytes || u.file)
            abort();
        return;
    }
    unsigned sum = 0;
    for (size_t i = 0; i < u.size; i++)
        sum += ((const unsigned char *)u.bytes)[i];
    FILE *file = fopen(u.place, "rb"); // the same bytes in both places
    if (!file)
        abort();
    size_t count = 0;
    for (int c; u.file && (c = getc(file)) != EOF; count++)
        sum -= (unsigned)c;
    if (u.file && (count != u.size || sum != 0))
        abort();
    fclose(file);
    plait_unpacked_close(&u);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 1)
        return 0;
    const char *path = fuzz_write(data + 1, size - 1, "gz");
    if (data[0] % 4 == 0) {
        gzFile file = gzopen(path, "wb1");
        if (!file || (size > 1 && gzwrite(file, data + 1, (unsigned)(size - 1)) <= 0) || gzclose(file) != Z_OK)
            abort();
    }
    judge(path);
    remove(path);
    return 0;
}
