// csv.c: a trajectory as one table, for spreadsheets and scripts.
#include "io/export.h"

static void write_row(const plait_exporter *e, plait_sink *s, int number, int fibre, int node)
{
    const plait_trajectory_info *info = e->info;
    size_t at = 3 * ((size_t)info->first[fibre] + (size_t)node);
    bool single = !info->stored.doubles;
    plait_sink_int(s, number);
    plait_sink_text(s, ",");
    plait_sink_real(s, e->frame->time);
    plait_sink_text(s, ",");
    plait_sink_int(s, fibre);
    plait_sink_text(s, ",");
    plait_sink_int(s, node);
    plait_sink_text(s, ",");
    plait_sink_vector(s, e->frame->position + at, ",", single);
    if (e->frame->velocity) {
        plait_sink_text(s, ",");
        plait_sink_vector(s, e->frame->velocity + at, ",", single);
    }
    plait_sink_text(s, "\n");
}

plait_status plait_export_csv(plait_exporter *e)
{
    plait_sink s = {0};
    plait_status status = plait_export_open(e, e->name, -1, "csv", &s);
    if (status != PLAIT_OK)
        return status;
    plait_sink_text(&s,
                    e->frame->velocity ? "frame,time,fibre,node,x,y,z,vx,vy,vz\n" : "frame,time,fibre,node,x,y,z\n");
    for (int k = 0; k < e->count && status == PLAIT_OK; k++) {
        status = plait_export_frame(e, k);
        for (int f = 0; status == PLAIT_OK && f < e->info->fibres; f++)
            for (int i = 0; i < e->info->first[f + 1] - e->info->first[f]; i++)
                write_row(e, &s, plait_export_number(e, k), f, i);
    }
    if (status == PLAIT_OK)
        return plait_export_close(e, &s);
    plait_sink_drop(&s);
    return status;
}
