// Any bytes as a mesh with an attribute and texture coordinates; the first byte says of which kind the file is.
// Either an error with words, or a value or none for every corner, and corners that are the mesh's.
#include "file/mesh.h"

#include "files.h"

static void judge(const char *path, const char *wish, int width)
{
    plait_error error = {0};
    plait_mesh_map map = {.wish = wish, .width = width};
    plait_status status = plait_mesh_read_map(path, &map, &error);
    if (status != PLAIT_OK && (error.status == PLAIT_OK || !error.text[0]))
        abort();
    for (int t = 0; status == PLAIT_OK && map.found && t < map.triangles; t++) {
        const double weight[3] = {0.25, 0.25, 0.5};
        double value[4];
        for (int k = 0; k < 3; k++)
            if (map.triangle[3 * t + k] < 0)
                abort();
        if (plait_mesh_map_at(&map, t, map.triangle + 3 * t, weight, value))
            for (int k = 0; k < width; k++)
                if (isnan(value[k]))
                    abort();
    }
    plait_mesh_map_free(&map);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const ending[] = {"obj", "ply", "usda", "gltf"};
    if (size < 1)
        return 0;
    const char *path = fuzz_write(data + 1, size - 1, ending[data[0] % 4]);
    judge(path, NULL, 2);
    judge(path, "color", 3);
    judge(path, "stiff", 1);
    remove(path);
    return 0;
}
