// ply_curves.c: a frame as PLY, binary: nodes as vertices, pieces of fibres as edges. x, y, z are floats (doubles if
// the trajectory has them); beside them the velocity, the radius, and the number of the fibre.
#include "io/export.h"

static void write_header(const plait_exporter *e, plait_sink *s)
{
    const char *type = e->info->stored.doubles ? "double" : "float";
    plait_sink_print(s, "ply\nformat binary_little_endian 1.0\ncomment plait\nelement vertex %d\n", e->info->nodes);
    for (const char *c = "xyz"; *c; c++)
        plait_sink_print(s, "property %s %c\n", type, *c);
    for (const char *c = e->frame->velocity ? "xyz" : ""; *c; c++)
        plait_sink_print(s, "property float v%c\n", *c);
    plait_sink_text(s, "property float radius\nproperty int fibre\n");
    int edges = 0;
    for (int f = 0; f < e->info->fibres; f++)
        edges += plait_export_shows(e->info, f) ? e->info->first[f + 1] - e->info->first[f] - 1 : 0;
    plait_sink_print(s, "element edge %d\nproperty int vertex1\nproperty int vertex2\nend_header\n", edges);
}

static void write_frame(const plait_exporter *e, plait_sink *s)
{
    const plait_trajectory_info *info = e->info;
    write_header(e, s);
    for (int f = 0; f < info->fibres; f++) {
        for (int i = info->first[f]; i < info->first[f + 1]; i++) {
            for (size_t c = 0; c < 3; c++)
                (info->stored.doubles ? plait_sink_f64 : plait_sink_f32)(s, e->frame->position[3 * (size_t)i + c]);
            for (size_t c = 0; c < 3 && e->frame->velocity; c++)
                plait_sink_f32(s, e->frame->velocity[3 * (size_t)i + c]);
            plait_sink_f32(s, info->radius[f]);
            plait_sink_i32(s, f);
        }
    }
    for (int f = 0; f < info->fibres; f++) {
        for (int i = info->first[f]; i + 1 < info->first[f + 1]; i++) {
            plait_sink_i32(s, i);
            plait_sink_i32(s, i + 1);
        }
    }
}

plait_status plait_export_ply(plait_exporter *e)
{
    plait_status status = PLAIT_OK;
    for (int k = 0; k < e->count && status == PLAIT_OK; k++) {
        plait_sink s = {0};
        status = plait_export_frame(e, k);
        if (status == PLAIT_OK)
            status = plait_export_open(e, e->name, k, "ply", &s);
        if (status != PLAIT_OK)
            return status;
        write_frame(e, &s);
        status = plait_export_close(e, &s);
    }
    return status;
}
