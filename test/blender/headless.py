# headless.py PLAIT ADDON OUT: run by blender -b. Curves and an animated mesh go to Plait and come back as hair curves with
# every segment at every frame; OBJ lines arrive with every segment; a frame is rendered to OUT/frame.png.
import importlib.util
import os
import sys

import bpy
import numpy as np

plait, addon, out = sys.argv[sys.argv.index("--") + 1:]
spec = importlib.util.spec_from_file_location("plait_hair", addon)
module = importlib.util.module_from_spec(spec)
spec.loader.exec_module(module)
module.register()


def check(ok, what):
    if not ok:
        print("FAILED:", what)
        sys.exit(1)


bpy.ops.object.select_all(action="SELECT")
bpy.ops.object.delete()
scene = bpy.context.scene
scene.render.fps, scene.frame_start, scene.frame_end = 24, 1001, 1006
bpy.ops.mesh.primitive_uv_sphere_add(radius=0.1, location=(0, 0, 0), segments=24, ring_count=12)
head = bpy.context.object
head.name = "head"
for frame, x in ((1001, 0.0), (1006, 0.02)):
    head.location.x = x
    head.keyframe_insert("location", frame=frame)
scene.frame_set(1001)
data = bpy.data.curves.new("groom", "CURVE")
data.dimensions = "3D"
N, POINTS = 30, 9
for i in range(N):
    a = 2 * np.pi * i / N
    root = np.array([np.cos(a) * 0.06, np.sin(a) * 0.06, np.sqrt(0.1**2 - 0.06**2)])
    x = root + np.outer(np.linspace(0, 1, POINTS), root) * 1.2
    spline = data.splines.new("POLY")
    spline.points.add(POINTS - 1)
    spline.points.foreach_set("co", np.ravel(np.c_[x, np.ones(POINTS)]).astype("f4"))
groom = bpy.data.objects.new("groom", data)
scene.collection.objects.link(groom)
for o in (groom, head):
    o.select_set(True)
settings = scene.plait
settings.program, settings.folder, settings.segments = plait, os.path.join(out, "cache"), 8
check(bpy.ops.plait.simulate() == {"FINISHED"}, "the operator: " + open(os.path.join(out, "cache", "plait.log")).read()[-500:])
hair = bpy.context.object
check(hair.type == "CURVES" and len(hair.data.curves) == N, f"{N} hair curves, found {hair.type}")
check(all(c.points_length == POINTS for c in hair.data.curves), "every segment of every strand")


def positions(o):
    x = np.empty(3 * len(o.data.points), "f4")
    o.data.position_data.foreach_get("vector", x)
    return x.reshape(N, -1, 3)


seen = []
for frame in range(1001, 1007):
    scene.frame_set(frame)
    x = positions(hair)
    counts, points, _ = module.read_hair(module.frame_file(hair, frame))
    check((x.reshape(-1, 3) == points).all() and np.isfinite(x).all(), f"frame {frame} is that of the cache")
    root = x[:, 0] - np.array(head.matrix_world.translation)
    check(abs(np.linalg.norm(root, axis=1) - 0.1).max() < 2e-3, f"frame {frame}: roots stay on the head")
    seen.append(x)
check(abs(seen[5] - seen[0]).max() > 0.01, "the hair moves")
check(abs(seen[0][:, -1] - seen[0][:, 0]).max() > 0.05, "strands are as long as they were drawn")

# cancel: nothing comes back, and the program is gone
job = module.Job(settings, os.path.join(out, "cache"), 1.0)
job.cancel()
check(job.step() == "cancelled" and job.process.poll() is not None, "cancel ends the program")

# OBJ: Blender's own importer keeps every segment
run = os.path.join(out, "cache", "again")
check(os.system(f"'{plait}' run '{out}/cache/scene.yaml' -o '{run}' --duration 0.02 > /dev/null 2>&1") == 0, "plait run")
check(os.system(f"'{plait}' export '{run}' --frames 0 -o '{out}/first.obj' -f > /dev/null") == 0, "plait export")
before = set(bpy.data.objects)
bpy.ops.wm.obj_import(filepath=os.path.join(out, "first.obj"))
lines = [o for o in bpy.data.objects if o not in before and o.type == "MESH" and not o.data.polygons]
lines += [o for o in bpy.data.objects if o not in before and o.type == "CURVE"]
edges = sum(len(o.data.edges) if o.type == "MESH" else sum(len(s.points) - 1 for s in o.data.splines) for o in lines)
check(edges == N * (POINTS - 1), f"OBJ: {N * (POINTS - 1)} segments are expected, found {edges}")
for o in set(bpy.data.objects) - before:
    bpy.data.objects.remove(o)

# a picture
for o in (groom,):
    o.hide_render = True
scene.frame_set(1006)
camera = bpy.data.objects.new("camera", bpy.data.cameras.new("camera"))
scene.collection.objects.link(camera)
camera.location = (0.5, -0.6, 0.35)
from mathutils import Vector

camera.rotation_euler = (Vector((0, 0, 0.06)) - camera.location).to_track_quat("-Z", "Y").to_euler()
scene.camera = camera
light = bpy.data.objects.new("sun", bpy.data.lights.new("sun", "SUN"))
light.data.energy = 3
light.rotation_euler = (0.6, 0.3, 0)
scene.collection.objects.link(light)
for material_of, colour in ((hair, (0.25, 0.1, 0.03, 1)), (head, (0.8, 0.6, 0.5, 1))):
    m = bpy.data.materials.new(material_of.name)
    m.use_nodes = True
    m.node_tree.nodes["Principled BSDF"].inputs["Base Color"].default_value = colour
    material_of.data.materials.append(m)
hair.data.attributes["radius"].data.foreach_set("value", np.full(len(hair.data.points), 0.001, "f4"))
scene.render.engine = "CYCLES"
scene.cycles.device, scene.cycles.samples = "CPU", 8
scene.cycles.use_denoising = False
scene.render.resolution_x, scene.render.resolution_y, scene.render.resolution_percentage = 320, 240, 100
scene.render.filepath = os.path.join(out, "frame.png")
bpy.ops.render.render(write_still=True)
image = bpy.data.images.load(scene.render.filepath)
pixels = np.array(image.pixels[:]).reshape(-1, 4)[:, :3]
check(pixels.std() > 0.02, "a picture with something in it")
print("all passed")
