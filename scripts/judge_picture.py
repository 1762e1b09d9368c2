# Run by Blender: one moment of a GLB's first clip, drawn by Cycles.
#   blender -b --factory-startup --python-exit-code 1 --python judge_picture.py -- IN.glb SECONDS YAW PITCH SIZE OUT.png
import math
import sys

import bpy
import mathutils
import numpy

numpy.bool = bool  # an old name that Blender 3.4 still uses and newer NumPy has dropped
FPS = 30


def corners():
    graph = bpy.context.evaluated_depsgraph_get()
    for thing in bpy.context.scene.objects:
        if thing.type == "MESH" and thing.visible_get():
            seen = thing.evaluated_get(graph)
            for vertex in seen.to_mesh().vertices:
                yield seen.matrix_world @ vertex.co


def look(points, yaw, pitch):
    low = mathutils.Vector([min(p[i] for p in points) for i in range(3)])
    high = mathutils.Vector([max(p[i] for p in points) for i in range(3)])
    middle, radius = (low + high) / 2, (high - low).length / 2
    away = mathutils.Vector((math.sin(yaw) * math.cos(pitch), -math.cos(yaw) * math.cos(pitch), math.sin(pitch)))
    data = bpy.data.cameras.new("camera")
    data.type, data.ortho_scale, data.clip_end = "ORTHO", 1.7 * radius, 100 * radius
    camera = bpy.data.objects.new("camera", data)
    camera.location = middle + away * 10 * radius
    camera.rotation_euler = away.to_track_quat("Z", "Y").to_euler()
    sun = bpy.data.objects.new("sun", bpy.data.lights.new("sun", "SUN"))
    sun.data.energy = 2.0
    sun.rotation_euler = (away + mathutils.Vector((0.1, 0, 0.4))).to_track_quat("Z", "Y").to_euler()
    for thing in (camera, sun):
        bpy.context.scene.collection.objects.link(thing)
    bpy.context.scene.camera = camera


def main():
    path, time, yaw, pitch, size, out = sys.argv[sys.argv.index("--") + 1:]
    bpy.ops.wm.read_factory_settings(use_empty=True)
    scene = bpy.context.scene
    scene.render.fps = FPS
    bpy.ops.import_scene.gltf(filepath=path)
    # Shapes that the importer draws bones with are no part of the figure.
    for thing in list(scene.objects):
        if thing.type == "MESH" and not thing.users_scene:
            bpy.data.objects.remove(thing)
    clay = bpy.data.materials.new("clay")
    clay.use_nodes = True
    clay.node_tree.nodes["Principled BSDF"].inputs["Base Color"].default_value = (0.4, 0.4, 0.4, 1)
    for mesh in bpy.data.meshes:
        if not mesh.materials:
            mesh.materials.append(clay)
    scene.frame_set(round(float(time) * FPS))
    look(list(corners()), math.radians(float(yaw)), math.radians(float(pitch)))
    scene.world = bpy.data.worlds.new("world")
    scene.world.use_nodes = True
    scene.world.node_tree.nodes["Background"].inputs[0].default_value = (0.6, 0.6, 0.6, 1)
    scene.render.engine, scene.cycles.samples, scene.cycles.use_denoising = "CYCLES", 24, False
    scene.view_settings.view_transform = "Standard"
    scene.render.resolution_x = scene.render.resolution_y = int(size)
    scene.render.filepath = out
    bpy.ops.render.render(write_still=True)


main()
