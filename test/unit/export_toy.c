// export_toy.c: a new format is one file and one row. This file is both: `len`, the length of every fibre in every frame as text.
//
// The list of io/export_table.c is replaced by the one below; nothing else knows.
#include <math.h>
#include <stdio.h>
#include <unistd.h>

#include "check.h"
#include "io/export.h"
#include "plait/plait.h"
#include "trajectory_info.h"

// ---- the file ----------------------------------------------------------------------------------------------------

static plait_status export_len(plait_exporter *e)
{
    plait_sink s = {0};
    plait_status status = plait_export_open(e, e->name, -1, "len", &s);
    for (int k = 0; k < e->count && status == PLAIT_OK; k++) {
        status = plait_export_frame(e, k);
        for (int f = 0; f < e->info->fibres && status == PLAIT_OK; f++) {
            double length = 0;
            for (int i = e->info->first[f]; i + 1 < e->info->first[f + 1]; i++) {
                const double *x = e->frame->position + 3 * i;
                length += sqrt(pow(x[3] - x[0], 2) + pow(x[4] - x[1], 2) + pow(x[5] - x[2], 2));
            }
            plait_sink_print(&s, "%d %d %.9g\n", plait_export_number(e, k), f, length);
        }
    }
    plait_status closed = plait_export_close(e, &s);
    return status != PLAIT_OK ? status : closed;
}

// ---- the row -----------------------------------------------------------------------------------------------------

enum { LEN = PLAIT_EXPORT_COUNT }; // the number that it would have in plait_export_format

const plait_export_row plait_export_table[] = {
    [PLAIT_EXPORT_USDA] = {"usda", true, plait_export_usda},
    [PLAIT_EXPORT_HAIR] = {"hair", false, plait_export_hair},
    [PLAIT_EXPORT_VTP] = {"vtp", false, plait_export_vtp},
    [PLAIT_EXPORT_OBJ] = {"obj", false, plait_export_obj},
    [PLAIT_EXPORT_PLY] = {"ply", false, plait_export_ply},
    [PLAIT_EXPORT_CSV] = {"csv", true, plait_export_csv},
    [PLAIT_EXPORT_USDC] = {"usdc", true, plait_export_usdc},
    [PLAIT_EXPORT_ABC] = {"abc", true, plait_export_abc},
    [LEN] = {"len", true, export_len},
};
const int plait_export_rows = LEN + 1;

// ---- what it can do ------------------------------------------------------------------------------------------------

// Two fibres: one of two pieces of 3 and 4 along x and y, one that grows with the frame.
CASE(lengths_of_fibres)
{
    enum { FRAMES = 3 };
    int first[] = {0, 3, 5}, group[] = {0, 0}, material[] = {0, 0};
    double radius[] = {1e-3, 1e-3};
    char group_name[1][PLAIT_NAME] = {"g"}, material_name[1][PLAIT_NAME] = {"m"};
    plait_trajectory_info info = trajectory_of_fibres(2, first, radius, group, material, 1, group_name, 1, material_name);
    info.scene = (char[]){""}, info.frame_time = 0.1, info.stored.doubles = true;
    plait_error error = {0};
    plait_trajectory_writer *w = plait_trajectory_create("toy.h5", &info, &error);
    plait_trajectory_frame *f = plait_trajectory_frame_new(&info);
    if (!CHECK(w && f))
        return;
    for (int k = 0; k < FRAMES; k++) {
        double x[15] = {0, 0, 0, 3, 0, 0, 3, 4, 0, 0, 0, 0, 0, 0, k + 1};
        f->time = 0.1 * k;
        for (int i = 0; i < 15; i++)
            f->position[i] = x[i];
        CHECK(plait_trajectory_append(w, f, &error) == PLAIT_OK);
    }
    plait_trajectory_close(w);
    plait_trajectory_frame_free(f, &info);
    plait_trajectory *t = plait_trajectory_open("toy.h5", &error);
    plait_export_options o = plait_default_export_options((plait_export_format)LEN);
    plait_export_report report;
    CHECK(t && plait_trajectory_export(t, "toy.len", &o, &report, &error) == PLAIT_OK);
    FILE *file = fopen("toy.len", "r");
    for (int k = 0; CHECK(file) && k < FRAMES; k++)
        for (int fibre = 0; fibre < 2; fibre++) {
            int frame = -1, number = -1;
            double length = 0;
            CHECK(fscanf(file, "%d %d %lf", &frame, &number, &length) == 3 && frame == k && number == fibre);
            CHECK_NEAR(length, fibre ? k + 1 : 7, 1e-8);
        }
    if (file)
        fclose(file);
    plait_trajectory_free(t);
}
