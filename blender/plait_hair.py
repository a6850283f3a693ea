# plait_hair.py: an add-on for Blender (3.4, Debian's): curves of the scene are simulated by the program `plait`, with
# meshes of the scene as colliders, and come back as hair curves that follow the frame.
#
# Install: Edit > Preferences > Add-ons > Install..., this file. Then: 3D View > Sidebar > Plait.
#
# What is written to the cache folder: hair.hair (strands, metres, z up), NAME.NNNN.obj (a collider at every frame, if it
# moves), scene.yaml (it may be changed by hand: "Run again" keeps it), run/ (of plait run) and cache/ (a .hair file per
# frame, which the frame-change handler reads). Nothing but these is needed to play.
import os
import re
import shutil
import signal
import struct
import subprocess

import bpy
import numpy as np
from bpy.app.handlers import persistent

bl_info = {
    "name": "Plait",
    "author": "Plait",
    "version": (0, 1, 0),
    "blender": (3, 4, 0),
    "location": "3D View > Sidebar > Plait",
    "description": "Simulates hair with contact and friction by the program plait",
    "category": "Physics",
}

CACHE = "plait_cache"  # property of hair curves: the folder of their frames
START = "plait_start"  # and the frame that its first file is

# ---- files -----------------------------------------------------------------------------------------------------------


def write_hair(path, strands, width):
    """strands: arrays n x 3 in metres."""
    counts = np.array([len(s) for s in strands])
    if len(strands) == 0 or counts.min() < 2:
        raise ValueError("strands with at least two points are expected")
    if counts.max() > 65536:
        raise ValueError("strands with at most 65536 points are expected")
    points = np.concatenate(strands).astype("<f4")
    head = b"HAIR" + struct.pack("<4I", len(strands), len(points), 3, 0) + struct.pack("<5f", width, 0, 0.3, 0.2, 0.1)
    words = b"plait, unit 1 m, z up"
    with open(path + ".tmp", "wb") as f:
        f.write(head + words + b"\0" * (88 - len(words)))
        f.write((counts - 1).astype("<u2").tobytes() + points.tobytes())
    os.replace(path + ".tmp", path)


def read_hair(path):
    """Counts of points, points (n x 3), thickness."""
    with open(path, "rb") as f:
        head = f.read(128)
        strands, points, flags, same = struct.unpack_from("<4I", head, 4)
        if head[:4] != b"HAIR" or not flags & 2:
            raise ValueError(f"{path}: not a .hair file with points")
        counts = np.full(strands, same + 1)
        if flags & 1:
            counts = np.frombuffer(f.read(2 * strands), "<u2").astype(int) + 1
        data = f.read(12 * points)
    if counts.sum() != points or len(data) != 12 * points:
        raise ValueError(f"{path}: {points} points are expected")
    return counts, np.frombuffer(data, "<f4").reshape(-1, 3), struct.unpack_from("<f", head, 20)[0]


def write_mesh(path, obj, depsgraph, scale):
    evaluated = obj.evaluated_get(depsgraph)
    mesh = evaluated.to_mesh()
    try:
        mesh.calc_loop_triangles()
        x = np.empty(3 * len(mesh.vertices), "f4")
        mesh.vertices.foreach_get("co", x)
        triangles = np.empty(3 * len(mesh.loop_triangles), "i4")
        mesh.loop_triangles.foreach_get("vertices", triangles)
    finally:
        evaluated.to_mesh_clear()
    M = np.array(evaluated.matrix_world)
    x = (x.reshape(-1, 3) @ M[:3, :3].T + M[:3, 3]) * scale
    with open(path + ".tmp", "w") as f:
        f.writelines("v %.9g %.9g %.9g\n" % tuple(p) for p in x)
        f.writelines("f %d %d %d\n" % tuple(t) for t in triangles.reshape(-1, 3) + 1)
    os.replace(path + ".tmp", path)
    return x


# ---- what is in the scene --------------------------------------------------------------------------------------------


def strands_of(obj, depsgraph, scale):
    """Points of the curves of an object in the world: hair curves, curves, or hair of particle systems."""
    M = np.array(obj.matrix_world)

    def place(x):
        return (np.asarray(x, float).reshape(-1, 3) @ M[:3, :3].T + M[:3, 3]) * scale

    out = []
    if obj.type == "CURVES":
        x = np.empty(3 * len(obj.data.points), "f4")
        obj.data.position_data.foreach_get("vector", x)
        x = x.reshape(-1, 3)
        for c in obj.data.curves:
            out.append(place(x[c.first_point_index : c.first_point_index + c.points_length]))
    elif obj.type == "CURVE":
        for s in obj.data.splines:
            points = [p.co for p in s.bezier_points] if s.type == "BEZIER" else [p.co[:3] for p in s.points]
            out.append(place(points))
    elif obj.type == "MESH":
        for system in obj.evaluated_get(depsgraph).particle_systems:
            if system.settings.type == "HAIR":
                out += [place([k.co for k in p.hair_keys]) for p in system.particles]
    return [s for s in out if len(s) >= 2]


def word(name, taken):
    base = re.sub(r"[^A-Za-z0-9_-]", "_", name) or "mesh"
    out, k = base, 2
    while out in taken:
        out, k = f"{base}_{k}", k + 1
    return out


def write_scene(context, folder):
    """All files of the scene. Returns how many strands there are."""
    settings, scene = context.scene.plait, context.scene
    depsgraph = context.evaluated_depsgraph_get()
    scale = scene.unit_settings.scale_length if scene.unit_settings.system != "NONE" else 1.0
    fps = scene.render.fps / scene.render.fps_base
    now = scene.frame_current
    scene.frame_set(scene.frame_start)
    strands, colliders, names = [], [], set()
    for obj in context.selected_objects:
        if CACHE not in obj:
            strands += strands_of(obj, depsgraph, scale)
    if not strands:
        scene.frame_set(now)
        raise ValueError("no curves are selected")
    write_hair(os.path.join(folder, "hair.hair"), strands, settings.width * 1e-6)
    meshes = [o for o in context.selected_objects if o.type == "MESH"]
    moved = {o.name: [] for o in meshes}
    labels = {}
    for o in meshes:
        labels[o.name] = word(o.name, names)
        names.add(labels[o.name])
    shapes = {}
    for frame in range(scene.frame_start, scene.frame_end + 1):
        scene.frame_set(frame)
        depsgraph = context.evaluated_depsgraph_get()
        for o in meshes:
            name = f"{labels[o.name]}.{frame:04d}.obj"
            x = write_mesh(os.path.join(folder, name), o, depsgraph, scale)
            moved[o.name].append(name)
            shapes.setdefault(o.name, []).append(x)
    scene.frame_set(now)
    for o in meshes:
        still = all(np.array_equal(x, shapes[o.name][0]) for x in shapes[o.name])
        lines = [f"  {labels[o.name]}:", "    material: skin", "    shape: mesh", f"    file: {moved[o.name][0]}"]
        if still:
            for name in moved[o.name][1:]:
                os.remove(os.path.join(folder, name))
        else:
            lines += [f"    frames: [{', '.join(moved[o.name])}]", f"    frame_time: {1 / fps!r}"]
        colliders += lines
    carrier = labels[meshes[0].name] if meshes else None
    g = scene.gravity if scene.use_gravity else (0, 0, 0)
    text = ["# Made by Blender's add-on of Plait.", "materials:",
            f"  hair: {{radius: {settings.width * 0.5e-6!r}, density: 1.32 g/cm^3, young: {settings.young!r} GPa, damping: 5 ms, drag: 1}}"]
    text += ["  skin:"] if meshes else []
    text += [f"friction: {{default: {settings.friction!r}}}"]
    text += ["colliders:"] + colliders if colliders else []
    text += ["fibres:", "  hair:", "    material: hair", f"    segments: {settings.segments}", "    natural: {shape: drawn}",
             f"    start: {'held' if settings.held else 'drawn'}",
             "    ends: {root: clamped" + (f", attach: {carrier}" if carrier else "") + "}",
             "    file: {path: hair.hair}"]
    text += [f"gravity: [{g[0]!r}, {g[1]!r}, {g[2]!r}]", "step: {dt: 2 ms}",
             f"output: {{duration: {max(scene.frame_end - scene.frame_start, 1) / fps!r}, frame_time: {1 / fps!r}}}", ""]
    with open(os.path.join(folder, "scene.yaml"), "w") as f:
        f.write("\n".join(text))
    return len(strands)


# ---- the cache -------------------------------------------------------------------------------------------------------


def frame_file(obj, frame):
    folder = bpy.path.abspath(obj[CACHE])
    return os.path.join(folder, f"cache.{max(frame - obj[START], 0):04d}.hair")


def show_frame(obj, frame):
    """Positions of the frame; the last that there is stays where there is none."""
    path = frame_file(obj, frame)
    if not os.path.exists(path):
        return False
    _, points, _ = read_hair(path)
    if len(points) != len(obj.data.points):
        return False
    scale = bpy.context.scene.unit_settings.scale_length if bpy.context.scene.unit_settings.system != "NONE" else 1.0
    obj.data.position_data.foreach_set("vector", np.ravel(points / scale).astype("f4"))
    obj.data.update_tag()
    return True


@persistent
def on_frame_change(scene, depsgraph=None):
    for obj in scene.objects:
        if obj.type == "CURVES" and CACHE in obj:
            show_frame(obj, scene.frame_current)


def make_curves(context, folder, name="Plait hair"):
    """Hair curves with the strands of the cache; they follow the frame from then on."""
    counts, points, width = read_hair(os.path.join(folder, "cache.0000.hair"))
    # Blender 3.4 has no call that adds hair curves: splines are converted.
    data = bpy.data.curves.new(name, "CURVE")
    data.dimensions = "3D"
    for n in counts:
        data.splines.new("POLY").points.add(int(n) - 1)
    obj = bpy.data.objects.new(name, data)
    context.scene.collection.objects.link(obj)
    for o in context.selected_objects:
        o.select_set(False)
    obj.select_set(True)
    context.view_layer.objects.active = obj
    if bpy.ops.object.convert(target="CURVES") != {"FINISHED"}:
        raise RuntimeError("curves cannot be converted to hair curves")
    obj = context.view_layer.objects.active
    obj.name = name
    scene = context.scene
    scale = scene.unit_settings.scale_length if scene.unit_settings.system != "NONE" else 1.0
    radius = np.full(len(obj.data.points), 0.5 * width / scale, "f4")
    obj.data.attributes["radius"].data.foreach_set("value", radius)
    obj[CACHE] = folder
    obj[START] = scene.frame_start
    show_frame(obj, scene.frame_current)
    return obj


# ---- the program -----------------------------------------------------------------------------------------------------


def program(settings):
    path = bpy.path.abspath(settings.program)
    return path if os.path.dirname(path) else shutil.which(path) or path


class Job:
    """plait run, then plait export. step() says how far it is; cancel() ends it as Ctrl-C does."""

    def __init__(self, settings, folder, duration):
        self.folder, self.duration, self.settings = folder, duration, settings
        self.run = os.path.join(folder, "run")
        shutil.rmtree(self.run, ignore_errors=True)
        self.log = open(os.path.join(folder, "plait.log"), "w+")
        self.exporting = self.cancelled = False
        self.start([program(settings), "run", os.path.join(folder, "scene.yaml"), "-o", self.run])

    def start(self, command):
        self.process = subprocess.Popen(command, stdout=self.log, stderr=subprocess.STDOUT, cwd=self.folder)

    def part(self):
        """0 to 1, by the time of the last step."""
        if self.exporting:
            return 0.95
        try:
            with open(os.path.join(self.run, "stats.csv"), "rb") as f:
                f.seek(0, 2)
                f.seek(max(f.tell() - 4096, 0))
                rows = f.read().decode(errors="replace").splitlines()
            return 0.9 * min(float(rows[-1].split(",")[1]) / self.duration, 1)
        except (OSError, ValueError, IndexError):
            return 0.0

    def words(self):
        self.log.seek(0)
        lines = [line for line in self.log.read().splitlines() if line.strip()]
        return lines[-1] if lines else "plait ended without a word"

    def step(self):
        """None: still running; True: done; else a message."""
        code = self.process.poll()
        if code is None:
            return None
        if self.cancelled:
            return "cancelled"
        if code not in (0, 1):  # 1: some step was not solved to its tolerance; the frames are there
            return self.words()
        if self.exporting:
            return True
        self.exporting = True
        cache = os.path.join(self.folder, "cache")
        shutil.rmtree(cache, ignore_errors=True)
        self.start([program(self.settings), "export", self.run, "--format", "hair", "-o", cache, "--force"])
        return None

    def cancel(self):
        self.cancelled = True
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
            try:
                self.process.wait(10)
            except subprocess.TimeoutExpired:
                self.process.kill()


class PLAIT_OT_simulate(bpy.types.Operator):
    """Simulates the selected curves, with the selected meshes as colliders (the active one carries the roots)"""

    bl_idname = "plait.simulate"
    bl_label = "Simulate"
    again: bpy.props.BoolProperty(name="Run again", description="Keep scene.yaml of the cache folder as it is")

    def begin(self, context):
        settings = context.scene.plait
        self.folder = bpy.path.abspath(settings.folder)
        os.makedirs(self.folder, exist_ok=True)
        if not (self.again and os.path.exists(os.path.join(self.folder, "scene.yaml"))):
            write_scene(context, self.folder)
        scene = context.scene
        duration = max(scene.frame_end - scene.frame_start, 1) * scene.render.fps_base / scene.render.fps
        self.job = Job(settings, self.folder, duration)

    def finish(self, context, result):
        if result is not True:
            self.report({"ERROR"} if result != "cancelled" else {"WARNING"}, str(result))
            return {"CANCELLED"}
        obj = make_curves(context, os.path.join(self.folder, "cache"))
        self.report({"INFO"}, f"{len(obj.data.curves)} strands, {len(obj.data.points)} points")
        return {"FINISHED"}

    def execute(self, context):
        """Without windows (blender -b), or from a script: waits."""
        try:
            self.begin(context)
            result = None
            while result is None:
                try:
                    self.job.process.wait(0.2)
                except subprocess.TimeoutExpired:
                    pass
                result = self.job.step()
            return self.finish(context, result)
        except (OSError, ValueError, RuntimeError) as trouble:
            self.report({"ERROR"}, str(trouble))
            return {"CANCELLED"}

    def invoke(self, context, event):
        try:
            self.begin(context)
        except (OSError, ValueError) as trouble:
            self.report({"ERROR"}, str(trouble))
            return {"CANCELLED"}
        manager = context.window_manager
        self.timer = manager.event_timer_add(0.25, window=context.window)
        manager.progress_begin(0, 100)
        manager.modal_handler_add(self)
        return {"RUNNING_MODAL"}

    def modal(self, context, event):
        if event.type == "ESC" or context.scene.plait.stop:
            self.job.cancel()
        elif event.type != "TIMER":
            return {"PASS_THROUGH"}
        part = self.job.part()
        context.window_manager.progress_update(int(100 * part))
        context.scene.plait.part = 100 * part
        result = self.job.step()
        if result is None:
            return {"PASS_THROUGH"}
        context.window_manager.event_timer_remove(self.timer)
        context.window_manager.progress_end()
        context.scene.plait.part = 0
        context.scene.plait.stop = False
        return self.finish(context, result)


class PLAIT_OT_cancel(bpy.types.Operator):
    """Ends the simulation that runs"""

    bl_idname = "plait.cancel"
    bl_label = "Cancel"

    def execute(self, context):
        context.scene.plait.stop = True
        return {"FINISHED"}


class PlaitSettings(bpy.types.PropertyGroup):
    program: bpy.props.StringProperty(name="Program", default="plait", subtype="FILE_PATH")
    folder: bpy.props.StringProperty(name="Cache", default="//plait", subtype="DIR_PATH")
    segments: bpy.props.IntProperty(name="Segments", default=20, min=1, max=1000, description="of each strand")
    width: bpy.props.FloatProperty(name="Width", default=74.0, min=1, max=1e5, description="of a strand, micrometres")
    young: bpy.props.FloatProperty(name="Stiffness", default=3.9, min=1e-6, max=1e3, description="Young's modulus, GPa")
    friction: bpy.props.FloatProperty(name="Friction", default=0.3, min=0, max=10)
    held: bpy.props.BoolProperty(name="Does not sag", default=True, description="the drawn shape is in equilibrium")
    part: bpy.props.FloatProperty(name="Done", default=0, min=0, max=100, subtype="PERCENTAGE")
    stop: bpy.props.BoolProperty(default=False)


class PLAIT_PT_panel(bpy.types.Panel):
    bl_label = "Plait"
    bl_space_type = "VIEW_3D"
    bl_region_type = "UI"
    bl_category = "Plait"

    def draw(self, context):
        s, layout = context.scene.plait, self.layout
        for name in ("program", "folder", "segments", "width", "young", "friction", "held"):
            layout.prop(s, name)
        if s.part > 0:
            layout.prop(s, "part", slider=True)
            layout.operator("plait.cancel")
        else:
            layout.operator_context = "INVOKE_DEFAULT"
            layout.operator("plait.simulate")
            layout.operator("plait.simulate", text="Run again").again = True


CLASSES = (PlaitSettings, PLAIT_OT_simulate, PLAIT_OT_cancel, PLAIT_PT_panel)


def register():
    for c in CLASSES:
        bpy.utils.register_class(c)
    bpy.types.Scene.plait = bpy.props.PointerProperty(type=PlaitSettings)
    if on_frame_change not in bpy.app.handlers.frame_change_post:
        bpy.app.handlers.frame_change_post.append(on_frame_change)


def unregister():
    if on_frame_change in bpy.app.handlers.frame_change_post:
        bpy.app.handlers.frame_change_post.remove(on_frame_change)
    del bpy.types.Scene.plait
    for c in reversed(CLASSES):
        bpy.utils.unregister_class(c)


if __name__ == "__main__":
    register()
