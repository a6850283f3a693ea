// export_table.c: the list of formats that frames are exported to, in the order of plait_export_format. A new format is
// a new file and a row here.
#include "io/export.h"

const plait_export_row plait_export_table[] = {
    [PLAIT_EXPORT_USDA] = {"usda", true, plait_export_usda}, [PLAIT_EXPORT_HAIR] = {"hair", false, plait_export_hair},
    [PLAIT_EXPORT_VTP] = {"vtp", false, plait_export_vtp},   [PLAIT_EXPORT_OBJ] = {"obj", false, plait_export_obj},
    [PLAIT_EXPORT_PLY] = {"ply", false, plait_export_ply},   [PLAIT_EXPORT_CSV] = {"csv", true, plait_export_csv},
    [PLAIT_EXPORT_USDC] = {"usdc", true, plait_export_usdc}, [PLAIT_EXPORT_ABC] = {"abc", true, plait_export_abc},
};

const int plait_export_rows = PLAIT_EXPORT_COUNT;
