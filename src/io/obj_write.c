// obj_write.c: a frame as Wavefront OBJ: an object of lines for each group of fibres, one of triangles for each body.
#include "io/export.h"

static void write_fibres(const plait_exporter *e, plait_sink *s)
{
    const plait_trajectory_info *info = e->info;
    for (int i = 0; i < info->nodes; i++) {
        plait_sink_text(s, "v ");
        plait_sink_vector(s, e->frame->position + 3 * (size_t)i, " ", !info->stored.doubles);
        plait_sink_text(s, "\n");
    }
    for (int f = 0, group = -1; f < info->fibres; f++) {
        if (!plait_export_shows(info, f))
            continue;
        if (info->group[f] != group) {
            group = info->group[f];
            plait_sink_print(s, "o %s\n", info->group_name[group]);
        }
        // A statement for each segment: Blender keeps only the first two vertices of a longer one.
        for (int i = info->first[f]; i + 1 < info->first[f + 1]; i++) {
            plait_sink_text(s, "l ");
            plait_sink_int(s, (int64_t)i + 1);
            plait_sink_text(s, " ");
            plait_sink_int(s, (int64_t)i + 2);
            plait_sink_text(s, "\n");
        }
    }
}

static void write_body(const plait_exporter *e, const plait_export_body *b, int64_t first, plait_sink *s)
{
    plait_sink_print(s, "o %s\n", b->body->name);
    for (int i = 0; i < b->mesh.points; i++) {
        double x[3];
        plait_export_vertex(e, b, i, x);
        plait_sink_text(s, "v ");
        plait_sink_vector(s, x, " ", true);
        plait_sink_text(s, "\n");
    }
    for (int i = 0; i < b->mesh.triangles; i++) {
        plait_sink_text(s, "f");
        for (int c = 0; c < 3; c++) {
            plait_sink_text(s, " ");
            plait_sink_int(s, first + b->mesh.triangle[3 * (size_t)i + (size_t)c]);
        }
        plait_sink_text(s, "\n");
    }
}

plait_status plait_export_obj(plait_exporter *e)
{
    plait_export_body *bodies = NULL;
    int count = 0;
    plait_status status = PLAIT_OK;
    for (int k = 0; k < e->count && status == PLAIT_OK; k++) {
        plait_sink s = {0};
        status = plait_export_frame(e, k);
        if (status == PLAIT_OK && !bodies && !(bodies = plait_export_bodies(e, &count)))
            status = PLAIT_NO_MEMORY;
        if (status == PLAIT_OK)
            status = plait_export_open(e, e->name, k, "obj", &s);
        if (status != PLAIT_OK)
            break;
        plait_sink_print(&s, "# plait, time ");
        plait_sink_real(&s, e->frame->time);
        if (e->unit == 1)
            plait_sink_text(&s, " s, metres");
        else
            plait_sink_print(&s, " s, unit %.9g m", e->unit);
        plait_sink_text(&s, e->y_up ? ", y up\n" : ", z up\n");
        write_fibres(e, &s);
        int64_t first = (int64_t)e->info->nodes + 1;
        for (int b = 0; b < count; b++) {
            if (bodies[b].mesh.points > 0)
                write_body(e, &bodies[b], first, &s);
            first += bodies[b].mesh.points;
        }
        status = plait_export_close(e, &s);
    }
    plait_export_bodies_free(bodies, count);
    return status;
}
