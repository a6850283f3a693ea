// abi.h: whether a program and the library that it runs with mean the same structs.
//
// Public structs are opaque, or plain data that programs fill and read themselves: then their sizes are a part of the
// interface. This header lists all of them, and a program asks once, at its start:
//
//     if (plait_check_headers(&error) != PLAIT_OK) ... // "plait_scene has 680 bytes in the program's headers and ..."
//
// Structs whose members a program passes by name and that may well grow (hooks, views) begin with their size besides,
// and every call that takes one looks at it. A library whose structs changed has another soname.
#ifndef PLAIT_ABI_H
#define PLAIT_ABI_H

#include <stddef.h>

#include "plait/carry.h"
#include "plait/control.h"
#include "plait/curves.h"
#include "plait/export.h"
#include "plait/generate.h"
#include "plait/io.h"
#include "plait/render.h"
#include "plait/review.h"
#include "plait/sim.h"
#include "plait/sweep.h"
#include "plait/trajectory.h"
#include "plait/validate.h"

#ifdef __cplusplus
extern "C" {
#endif

// X(name) for every public struct that is not opaque; test/headers.sh looks for those that are missing.
#define PLAIT_STRUCTS(X)                                                                                          \
    X(plait_error) X(plait_block_matrix) X(plait_sparse) X(plait_dynamics) X(plait_problem) X(plait_solution)     \
    X(plait_problem_info) X(plait_certificate) X(plait_progress) X(plait_solve_options) X(plait_report)           \
    X(plait_key) X(plait_drive) X(plait_motion) X(plait_material) X(plait_section) X(plait_station)              \
    X(plait_end) X(plait_rod_def)                                                                                 \
    X(plait_step_options) X(plait_step_report) X(plait_relax_options) X(plait_rod_energies) X(plait_shape)        \
    X(plait_hold_options) X(plait_hold_report)                                                                    \
    X(plait_shape_detail) X(plait_soft) X(plait_collider) X(plait_rigid) X(plait_fibre) X(plait_fibre_material)   \
    X(plait_adhesion) X(plait_tie) X(plait_joint)                                                              \
    X(plait_stepping) X(plait_detecting) X(plait_output) X(plait_scene)                                           \
    X(plait_course) X(plait_load) X(plait_measure)                                                                \
    X(plait_scene_array) X(plait_scene_summary) X(plait_fibre_options) X(plait_hair) X(plait_problem_text)        \
    X(plait_ledger)                                                                                                    \
    X(plait_sim_report) X(plait_sim_binding) X(plait_sim_skin) X(plait_sim_contact) X(plait_sim_point)            \
    X(plait_sim_nodes) X(plait_sim_skin_nodes) X(plait_sim_bond) X(plait_sim_hooks) X(plait_sim_hit)              \
    X(plait_warning) X(plait_review) X(plait_trajectory_options) X(plait_trajectory_body)                         \
    X(plait_trajectory_info) X(plait_trajectory_frame) X(plait_checkpoint) X(plait_export_options)                \
    X(plait_export_report) X(plait_camera) X(plait_render_options) X(plait_render_picture)                         \
    X(plait_render_report) X(plait_sweep)                                                                         \
    X(plait_validation_row) X(plait_validation_curve) X(plait_validation_sink) X(plait_validation_info)           \
    X(plait_groom) X(plait_carry_options) X(plait_carry_strands) X(plait_struct_size)

typedef struct plait_struct_size {
    const char *name;
    size_t size; // [bytes]
} plait_struct_size;

// BAD_INPUT with the first struct that has another size in the library, or that it does not have.
PLAIT_API plait_status plait_compare_sizes(int count, const plait_struct_size *list, plait_error *error);

#define PLAIT_STRUCT_SIZE(struct_name) {#struct_name, sizeof(struct_name)},

// Of the headers that this program was compiled with.
static inline plait_status plait_check_headers(plait_error *error)
{
    static const plait_struct_size list[] = {PLAIT_STRUCTS(PLAIT_STRUCT_SIZE)};
    return plait_compare_sizes((int)(sizeof list / sizeof *list), list, error);
}

#ifdef __cplusplus
}
#endif
#endif
