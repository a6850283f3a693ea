// Any bytes as tetrahedra: an error with words, or a mesh whose indices and numbers are sound. A zero byte in the first half
// splits the bytes into a .node and a .ele.
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "file/tets.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const uint8_t *zero = memchr(data, 0, size);
    size_t first = zero ? (size_t)(zero - data) : size, second = zero ? size - first - 1 : 0;
    char *bytes = malloc(first + 1), *more = malloc(second + 1);
    if (!bytes || !more)
        abort();
    memcpy(bytes, data, first), bytes[first] = 0;
    if (zero)
        memcpy(more, zero + 1, second);
    more[second] = 0;
    plait_tets tets;
    plait_error error = {0};
    if (plait_tets_parse("tets", bytes, first, zero ? more : NULL, second, &tets, &error) != PLAIT_OK) {
        if (error.status == PLAIT_OK || !error.text[0] || tets.point || tets.tetrahedron)
            abort();
    } else {
        for (int i = 0; i < 4 * tets.tetrahedra; i++)
            if (tets.tetrahedron[i] < 0 || tets.tetrahedron[i] >= tets.points)
                abort();
        for (int i = 0; i < 3 * tets.points; i++)
            if (!isfinite(tets.point[i]))
                abort();
    }
    free(tets.point), free(tets.tetrahedron), free(bytes), free(more);
    return 0;
}
