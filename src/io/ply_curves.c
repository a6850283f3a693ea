// ply_curves.c: a frame as PLY, binary: nodes as vertices, pieces of fibres as edges, triangles of soft bodies as
// faces. x, y, z are floats (doubles if the trajectory has them); beside them the velocity, the radius (half the
// thickness), and the number of the fibre (soft bodies: counted on behind the fibres).
#include "io/export.h"

static void write_header(const plait_exporter *e, plait_sink *s)
{
    const char *type = e->info->stored.doubles ? "double" : "float";
    int64_t vertices = e->info->nodes, faces = 0;
    for (int i = 0; i < e->info->softs; i++)
        vertices += e->info->soft[i].shape.points, faces += e->info->soft[i].shape.triangles;
    plait_sink_print(s, "ply\nformat binary_little_endian 1.0\ncomment plait\nelement vertex %lld\n",
                     (long long)vertices);
    for (const char *c = "xyz"; *c; c++)
        plait_sink_print(s, "property %s %c\n", type, *c);
    for (const char *c = e->frame->velocity ? "xyz" : ""; *c; c++)
        plait_sink_print(s, "property float v%c\n", *c);
    plait_sink_text(s, "property float radius\nproperty int fibre\n");
    int edges = 0;
    for (int f = 0; f < e->info->fibres; f++)
        edges += plait_export_shows(e->info, f) ? e->info->first[f + 1] - e->info->first[f] - 1 : 0;
    if (faces > 0) // before edges: readers that do not know those (VTK's) stop there
        plait_sink_print(s, "element face %lld\nproperty list uchar int vertex_indices\n", (long long)faces);
    plait_sink_print(s, "element edge %d\nproperty int vertex1\nproperty int vertex2\n", edges);
    plait_sink_text(s, "end_header\n");
}

static void write_vertex(const plait_exporter *e, plait_sink *s, const double *x, const double *v, double radius,
                         int number)
{
    for (int c = 0; c < 3; c++)
        (e->info->stored.doubles ? plait_sink_f64 : plait_sink_f32)(s, x[c]);
    for (int c = 0; c < 3 && v; c++)
        plait_sink_f32(s, v[c]);
    plait_sink_f32(s, radius);
    plait_sink_i32(s, number);
}

static void write_softs(const plait_exporter *e, plait_sink *s, bool faces)
{
    int first = e->info->nodes;
    for (int b = 0; b < e->info->softs; b++) {
        const plait_shape *m = &e->info->soft[b].shape;
        const double *v = e->frame->soft_motion ? e->frame->soft_motion[b] : NULL;
        for (int i = 0; !faces && i < m->points; i++)
            write_vertex(e, s, e->frame->soft[b] + 3 * (size_t)i, v ? v + 3 * (size_t)i : NULL, 0.5 * m->size[0],
                         e->info->fibres + b);
        for (int i = 0; faces && i < 3 * m->triangles; i++) {
            if (i % 3 == 0)
                plait_sink_bytes(s, &(unsigned char){3}, 1);
            plait_sink_i32(s, first + m->triangle[i]);
        }
        first += m->points;
    }
}

static void write_frame(const plait_exporter *e, plait_sink *s)
{
    const plait_trajectory_info *info = e->info;
    write_header(e, s);
    for (int f = 0; f < info->fibres; f++)
        for (int i = info->first[f]; i < info->first[f + 1]; i++) {
            const double *v = e->frame->velocity;
            write_vertex(e, s, e->frame->position + 3 * (size_t)i, v ? v + 3 * (size_t)i : NULL, info->radius[f], f);
        }
    write_softs(e, s, false);
    write_softs(e, s, true);
    for (int f = 0; f < info->fibres; f++)
        for (int i = info->first[f]; plait_export_shows(info, f) && i + 1 < info->first[f + 1]; i++) {
            plait_sink_i32(s, i);
            plait_sink_i32(s, i + 1);
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
