// scene_heap.c: whichever allocation fails while a scene is read, the answer is "not enough memory" and nothing leaks.
#include "file/mesh.h"
#include "heap_each.h"
#include "scene/schema_scene.h"

static const char *const sample =
    "title: a scene\nreproduces: nothing\nmaterials: {hair: , skin: }\nfriction: {pairs: [[hair, skin, 0.5]]}\n"
    "colliders:\n- {name: c, material: skin, shape: curve, radius: 1 mm, points: [[0, 0, 5], [1, 0, 5]],\n"
    "   motion: {keys: [{time: 0}, {time: 1, position: [0, 0, 1]}], drives: [{kind: linear, spin: [0, 0, 1]}]}}\n"
    "- {material: skin, shape: sphere, radius: 1 cm}\n"
    "bodies: {b: {material: skin, shape: sphere, radius: 1 cm, position: [3, 3, 3]}}\n"
    "fibres:\n- {name: f, material: hair, polyline: {points: [[0, 0, 1], [0, 1, 1]]}}\n"
    "- {material: hair, segments: 5, ends: {root: clamped, attach: c}, line: {count: 2}}\n"
    "small: {fibres.f.segments: 3, wind.velocity: [1, 0, 0]}\n";

static bool read_scene(plait_error *error)
{
    const char *const set[] = {"small=true", "gravity=[0, 0, 1] cm/s^2", "step.rod.tolerance=1e-6"};
    plait_scene *s = plait_scene_parse(sample, strlen(sample), "a.yaml", "", 3, set, error);
    plait_scene_free(s);
    return s != NULL;
}

static bool read_mesh(plait_error *error)
{
    const char *text = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n";
    plait_shape shape = {0};
    bool ok = plait_mesh_parse("m.obj", text, strlen(text), &shape, error) == PLAIT_OK;
    free(shape.point);
    free(shape.triangle);
    return ok;
}

static bool print_reference(plait_error *error)
{
    char *text = plait_scene_reference();
    if (!text)
        plait_error_set(error, PLAIT_NO_MEMORY, "not enough memory");
    free(text);
    return text != NULL;
}

CASE(scenes)
{
    if (!COUNTS)
        SKIP("the sanitizers have their own heap");
    plait_error error = {0};
    if (!CHECK(read_scene(&error)))
        puts(error.text);
    CHECK(fail_each(read_scene) > 50);
}

CASE(meshes)
{
    if (!COUNTS)
        SKIP("the sanitizers have their own heap");
    CHECK(fail_each(read_mesh) >= 3);
}

CASE(reference)
{
    if (!COUNTS)
        SKIP("the sanitizers have their own heap");
    CHECK(fail_each(print_reference) > 10);
}
