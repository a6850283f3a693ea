// Any bytes as a mesh: an error with words, or a mesh whose indices and numbers are sound.
#include "file/mesh.h"

#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *bytes = fuzz_text(data, size);
    plait_shape shape = {0};
    plait_error error = {0};
    if (plait_mesh_parse("mesh", bytes, size, &shape, &error) != PLAIT_OK) {
        if (error.status == PLAIT_OK || !error.text[0] || shape.point || shape.triangle)
            abort();
    } else {
        for (int i = 0; i < 3 * shape.triangles; i++)
            if (shape.triangle[i] < 0 || shape.triangle[i] >= shape.points)
                abort();
        for (int i = 0; i < 3 * shape.points; i++)
            if (!isfinite(shape.point[i]))
                abort();
    }
    free(shape.point);
    free(shape.triangle);
    free(bytes);
    return 0;
}
