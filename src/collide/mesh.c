// mesh.c: triangle meshes. (This part follows; until then meshes touch nothing.)
#include "collide/detector.h"

bool plait_meshes_prepare(plait_detector *d)
{
    d->meshes = 0;
    return true;
}

void plait_meshes_free(plait_detector *d)
{
    free(d->mesh);
}

bool plait_mesh_touch(plait_detector *d, int i, const plait_strand *strand, plait_thread_scratch *scratch,
                      plait_touches *touches)
{
    (void)d, (void)i, (void)strand, (void)scratch, (void)touches;
    return true;
}
