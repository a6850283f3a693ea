// shot.h: a trajectory that goes into one file in which everything is named once and then gets a sample for each frame
// (Alembic, USD's crate). The walk over frames, groups and bodies is here; what a format does at each stop is a row of
// functions. Each frame is read once, and one is in memory at a time.
#ifndef PLAIT_IO_SHOT_H
#define PLAIT_IO_SHOT_H

#include "io/export.h"
#include "io/usda_write.h"

typedef struct plait_shot {
    plait_exporter *e;
    plait_export_group *group; // [groups of the trajectory]
    double *widest;            // [groups] widths of their strands
    plait_export_body *body;   // [bodies]
    int bodies;
    float *vector; // room for the vertices of any mesh
    double *code;  // [frames] numbers of those that were read
} plait_shot;

typedef struct plait_shot_format {
    const char *ending;
    const char *const *reserved; // names of things beside the groups that are the format's own, ended by NULL
    bool apart;                  // bodies are not beside the groups: they may have the same names
    // In this order. The first frame was read before `begin`, whose name is the shot's. False: no memory.
    bool (*begin)(const plait_shot *shot, const char *name, void *data);
    void (*add_curves)(const plait_shot *shot, const char *name, int group, void *data);
    void (*add_body)(const plait_shot *shot, const char *name, int body, void *data);
    // In every frame, the first one too.
    void (*put_curves)(const plait_shot *shot, int group, void *data);
    void (*put_body)(const plait_shot *shot, int body, bool first, void *data);
    bool (*end)(const plait_shot *shot, void *data); // all that was not written yet; false: no memory
} plait_shot_format;

// sink: part of data, open while the functions of the format run.
plait_status plait_shot_write(plait_exporter *e, const plait_shot_format *format, plait_sink *sink, void *data);

// The vertices of a body in the frame that was read last as shot->vector, and their box. False: they are as before.
bool plait_shot_vertices(const plait_shot *shot, int body, bool first, double box[6]);
bool plait_shot_moves(const plait_shot *shot, int body); // its vertices do, not only its pose

#endif
