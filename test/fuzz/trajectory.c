// A trajectory with anything in it: refused with words, or every frame that it says it has can be read or is refused with
// words, and what is read is finite and in range. XDMF and an export are made of it too.
#include <stdint.h>

#include "h5_edit.h"
#include "plait/plait.h"
#include "../trajectory_info.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char *const names[] = {
    "/plait/format",
    "/plait/version",
    "/scene/name",
    "/scene/text",
    "/scene/frame_time",
    "/scene/groups",
    "/scene/materials",
    "/scene/colliders",
    "/scene/rigids",
    "/stored/doubles",
    "/stored/velocities",
    "/stored/contacts",
    "/fibres/first",
    "/fibres/radius",
    "/fibres/group",
    "/fibres/material",
    "/fibres/lines",
    "/groups",
    "/materials",
    "/colliders/000000/shape",
    "/colliders/000000/size",
    "/colliders/000000/point",
    "/colliders/000000/triangle",
    "/colliders/000000/material",
    "/colliders/000000/animated",
    "/colliders/000000/closed",
    "/colliders/000000/name",
    "/rigids/000000/shape",
    "/rigids/000000/size",
    "/rigids/000000/material",
    "/frames/000000/time",
    "/frames/000000/step",
    "/frames/000000/position",
    "/frames/000001/time",
    "/frames/000001/velocity",
    "/frames/000001/collider_pose",
    "/frames/000001/rigid_pose",
    "/frames/000001/rigid_motion",
    "/frames/000001/vertex/000000",
    "/frames/000001/contacts/kind",
    "/frames/000001/contacts/index",
    "/frames/000001/contacts/arc",
    "/frames/000001/contacts/position",
    "/frames/000001/contacts/normal",
    "/frames/000001/contacts/gap",
    "/frames/000001/contacts/impulse",
    "/frames/000001/contacts/velocity",
    "/frames/000001/contacts/mu",
    "/frames/000001/contacts/number",
    "/frames/000000",
    "/frames/000001",
    "/frames/000001/contacts",
};

static char good[96], bad[96], made[96], none[96];

static void clean_up(void)
{
    unlink(good), unlink(bad), unlink(made), unlink(none);
}

static void prepare(void)
{
    static int first[] = {0, 3, 7}, group[] = {0, 1}, material[] = {0, 0}, face[] = {0, 1, 2};
    static double radius[] = {1e-3, 2e-3}, corner[] = {0, 0, 0, 1, 0, 0, 0, 1, 0};
    static char words[2][PLAIT_NAME] = {"one", "two"}, scene[] = "name: x";
    static plait_trajectory_body
        mesh = {"mesh",
                0,
                {.kind = PLAIT_SHAPE_MESH, .points = 3, .point = corner, .triangles = 1, .triangle = face},
                true},
        ball = {"ball", 0, {.kind = PLAIT_SHAPE_SPHERE, .size = {0.25, 0, 0}}, false};
    plait_trajectory_info info = trajectory_of_fibres(2, first, radius, group, material, 2, words, 1, words);
    info.scene = scene;
    info.stored = (plait_trajectory_options){.doubles = true, .velocities = true, .contacts = true};
    info.colliders = 1, info.collider = &mesh, info.rigids = 1, info.rigid = &ball;
    plait_error error = {0};
    plait_trajectory_frame *f = plait_trajectory_frame_new(&info);
    plait_trajectory_writer *w = plait_trajectory_create(fuzz_path("good.h5", good), &info, &error);
    must(f && w && (f->contact = calloc(2, sizeof *f->contact)));
    f->contacts = 2;
    for (int i = 0; i < 2; i++)
        f->contact[i] = (plait_sim_contact){.index = {i, 0}, .normal = {0, 0, 1}, .mu = 0.3};
    for (int k = 0; k < 3; k++, f->time += 0.04, f->step += 2)
        must(plait_trajectory_append(w, f, &error) == PLAIT_OK);
    plait_trajectory_close(w);
    plait_trajectory_frame_free(f, &info);
    fuzz_path("bad.h5", bad), fuzz_path("bad.csv", made), fuzz_path("bad.xdmf", none);
    atexit(clean_up);
}

static void check_frame(const plait_trajectory_info *info, const plait_trajectory_frame *f)
{
    must(isfinite(f->time) && f->step >= 0);
    for (int i = 0; i < 3 * info->nodes; i++)
        must(isfinite(f->position[i]) && (!f->velocity || isfinite(f->velocity[i])));
    for (int i = 0; i < f->contacts; i++)
        for (int k = 0; k < 2; k++) {
            const plait_sim_contact *c = &f->contact[i];
            int limit = c->kind[k] == PLAIT_PARTNER_FIBRE      ? info->fibres
                        : c->kind[k] == PLAIT_PARTNER_COLLIDER ? info->colliders
                        : c->kind[k] == PLAIT_PARTNER_RIGID    ? info->rigids
                                                               : info->softs;
            must(c->index[k] >= 0 && c->index[k] < limit && isfinite(c->impulse[k]));
        }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (!good[0])
        prepare();
    recipe r = {data, data + size};
    edit_file(good, bad, (int)(sizeof names / sizeof *names), names, &r);
    plait_error error = {0};
    plait_trajectory *t = plait_trajectory_open(bad, &error);
    if (!t) {
        must(error.status != PLAIT_OK && error.text[0]);
        return 0;
    }
    const plait_trajectory_info *info = plait_trajectory_get_info(t);
    plait_trajectory_frame *f = plait_trajectory_frame_new(info);
    for (int i = 0; f && i < plait_trajectory_frames(t); i++) {
        error = (plait_error){0};
        if (plait_trajectory_read(t, i, f, &error) == PLAIT_OK)
            check_frame(info, f);
        else
            must(error.text[0] != 0);
    }
    plait_trajectory_frame_free(f, info);
    error = (plait_error){0};
    must(plait_trajectory_write_xdmf(bad, none, &error) == PLAIT_OK || error.text[0]);
    plait_export_options o = plait_default_export_options(data[0] % 2 ? PLAIT_EXPORT_CSV : PLAIT_EXPORT_USDA);
    plait_export_report report;
    o.replace = true;
    error = (plait_error){0};
    must(plait_trajectory_export(t, made, &o, &report, &error) == PLAIT_OK || error.text[0]);
    plait_trajectory_free(t);
    return 0;
}
