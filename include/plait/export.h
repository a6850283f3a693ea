// export.h: trajectories as files that other programs open, and curves from such files.
//
//     abc    one file, Alembic (Ogawa): curves for each group of fibres with Unreal's groom attributes, velocities,
//            widths; bodies as polygon meshes with their motion
//     usda   one file: BasisCurves for each group of fibres with points, velocities and extents over time, and the
//            bodies as Sphere, Capsule, Cylinder, Cube or Mesh with their motion
//     usdc   the same in USD's binary form; all bodies are meshes
//     hair   a .hair file per frame (Cem Yuksel's format), fibres only
//     vtp    a .pvd with the times, and per frame a .vtp with the fibres and one with the bodies, for ParaView
//     obj    a file per frame: fibres as lines, bodies as triangles
//     ply    a file per frame: nodes and the edges between them, fibres only
//     csv    one table: frame, time, fibre, node, x, y, z and the velocity where it is stored
//
// Lengths are in metres, z is up, unless the options say otherwise; docs/formats.md has the details. One frame is
// in memory at a time.
#ifndef PLAIT_EXPORT_H
#define PLAIT_EXPORT_H

#include <stdbool.h>
#include <stdint.h>

#include "plait/carry.h"
#include "plait/io.h"
#include "plait/trajectory.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum plait_export_format {
    PLAIT_EXPORT_USDA,
    PLAIT_EXPORT_HAIR,
    PLAIT_EXPORT_VTP,
    PLAIT_EXPORT_OBJ,
    PLAIT_EXPORT_PLY,
    PLAIT_EXPORT_CSV,
    PLAIT_EXPORT_ABC,
    PLAIT_EXPORT_USDC,
    PLAIT_EXPORT_COUNT
} plait_export_format;
PLAIT_API const char *plait_export_name(plait_export_format format); // "usda": also what its files' names end in
PLAIT_API bool plait_export_is_one_file(plait_export_format format); // all frames in one, unless `each` is set

typedef struct plait_export_options {
    plait_export_format format;
    int first, last, step; // frames; both ends are meant, last = -1: the last one
    double fps;            // frames per second that they count, from time 0; 0: the frames of the trajectory
    int start;             // number that the frame at time 0 has in files and their names
    bool numbered;         // false: numbers are places in the trajectory, and `start` is not looked at
    bool each;             // usda, usdc, abc: a file for each frame
    double unit;           // [m] of the coordinates that are written; 0: 1 m
    bool y_up;             // (x, y, z) becomes (-x, z, y), half a turn about (0, 1, 1), as when such files are read
    bool linear;           // usda, usdc: straight pieces instead of a smooth curve through the nodes
    bool replace;          // files that are there already; else they are an error
    plait_carry *carry;    // of this trajectory: all strands instead of the simulated ones; NULL: these
    // Called before every piece of work; false: stop, nothing is left behind. May be NULL.
    bool (*progress)(int64_t done, int64_t total, void *data);
    void *data;
} plait_export_options;
PLAIT_API plait_export_options plait_default_export_options(plait_export_format format); // all frames

typedef struct plait_export_report {
    int frames, files;
    int64_t bytes;
    bool stopped; // by progress
} plait_export_report;

// Writes `path`: a file if the format is abc, usda, usdc or csv (without `each`), or if the path ends in the format's
// name (then only one frame may be meant); else a folder with NAME.0012.obj for frame 12 and so on, where NAME is the
// base name of `path` without "-obj". Everything has temporary names until all of it is there. Files in a folder that
// is there already, of other names, are left alone. report may be NULL.
PLAIT_API plait_status plait_trajectory_export(const plait_trajectory *trajectory, const char *path,
                                               const plait_export_options *options, plait_export_report *report,
                                               plait_error *error);

// ---- curves of other programs ------------------------------------------------------------------------------------

// Writes one file, .hair, .abc, .usda, .usdc, .obj, .ply, .vtp or .csv by the end of its name; replaces what is there.
PLAIT_API plait_status plait_curves_write(const char *path, const plait_hair *curves, plait_error *error);

#ifdef __cplusplus
}
#endif
#endif
