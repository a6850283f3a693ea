// gen_file.c: fibres from the strands of a file.
#include <stdlib.h>

#include "math/vec3.h"
#include "plait/curves.h"
#include "scene/gen_common.h"

plait_gen_file_options plait_gen_default_file(void)
{
    return (plait_gen_file_options){.every = 1};
}

// Points of one strand in the scene; points that coincide are left out. Returns how many there are.
static int take(const plait_hair *hair, int strand, const plait_gen_file_options *o, double *x)
{
    double scale = o->scale > 0 ? o->scale : hair->unit > 0 ? hair->unit : 0.01;
    bool y_up = o->y_up || hair->y_up;
    int n = 0;
    for (int i = hair->first[strand]; i < hair->first[strand + 1]; i++) {
        const double *p = hair->point + 3 * (size_t)i;
        double q[3] = {y_up ? -p[0] : p[0], y_up ? p[2] : p[1], y_up ? p[1] : p[2]}, d[3];
        for (int c = 0; c < 3; c++)
            x[3 * n + c] = o->position[c] + scale * q[c];
        if (n > 0)
            plait_vec3_sub(x + 3 * n, x + 3 * (n - 1), d);
        if (n == 0 || plait_vec3_norm(d) > 1e-9 * scale)
            n++;
    }
    return n;
}

plait_status plait_gen_file(plait_scene *scene, const plait_gen_style *style, const plait_gen_file_options *o,
                            plait_error *error)
{
    const plait_gen_range scale = {"scale", o->scale, 0, 1e9, false};
    plait_status status = plait_gen_check_style("file", scene, style, error);
    if (status == PLAIT_OK)
        status = plait_gen_check_ranges("file", 1, &scale, error);
    if (status == PLAIT_OK)
        status = plait_gen_check_count("file", "every", o->every, 1, 1000000000, error);
    if (status == PLAIT_OK)
        status = plait_gen_check_count("file", "most", o->most, 0, 1000000000, error);
    if (status == PLAIT_OK)
        status = plait_gen_check_vector("file", "position", o->position, NULL, error);
    if (status == PLAIT_OK && !o->path)
        return plait_error_set(error, PLAIT_BAD_INPUT, "file: the path of a file is expected");
    if (status != PLAIT_OK)
        return status;
    plait_hair *hair = plait_curves_read(o->path, error);
    if (!hair)
        return error && error->status != PLAIT_OK ? error->status : PLAIT_BAD_FILE;
    int before = scene->fibres, longest = 2, points = hair->first[hair->strands];
    for (int i = 0; i < hair->strands; i++)
        if (hair->first[i + 1] - hair->first[i] > longest)
            longest = hair->first[i + 1] - hair->first[i];
    double *x = malloc(3 * (size_t)longest * sizeof *x);
    if (!x)
        status = plait_gen_no_memory("file", error);
    for (int i = 0; status == PLAIT_OK && i < hair->strands; i += o->every) {
        if (o->most > 0 && scene->fibres - before >= o->most)
            break;
        int n = take(hair, i, o, x);
        if (n < 2)
            continue; // some files have strands of no length
        plait_gen_strand strand;
        bool ok = plait_gen_draw(style, style->phase, 0, n, x, style->segments, &strand);
        if (!ok || plait_gen_add(scene, style, &strand) < 0)
            status = plait_gen_no_memory("file", error);
        if (ok)
            plait_gen_strand_free(&strand);
    }
    if (status == PLAIT_OK && scene->fibres == before)
        status = plait_error_set(error, PLAIT_BAD_FILE, "%s: none of its %d strands (%d points) has a length", o->path,
                                 hair->strands, points);
    if (status != PLAIT_OK)
        plait_gen_drop(scene, before);
    free(x);
    plait_hair_free(hair);
    return status;
}
