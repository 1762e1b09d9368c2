# Run by Blender for scripts/judges.mjs: opens glTF files, or lays point caches on their meshes, and says for each how far
# the vertices it shows are from the caches that Sinew wrote, in metres; nothing where meshes or vertices do not agree.
#
#   blender -b --factory-startup --python-exit-code 1 --python blender_judge.py -- LIST.json ANSWER.json
import json
import struct
import sys

import bpy
import numpy

numpy.bool = bool  # an old name that Blender 3.4 still uses and newer NumPy has dropped


def load_cache(path):
    with open(path, "rb") as file:
        head = file.read(32)
        count, frames = struct.unpack("<i", head[16:20])[0], struct.unpack("<i", head[28:32])[0]
        return numpy.frombuffer(file.read(), numpy.float32).reshape(frames, count, 3)


def positions(mesh):
    points = numpy.empty(3 * len(mesh.vertices), numpy.float32)
    mesh.vertices.foreach_get("co", points)
    return points.reshape(-1, 3)


def shown(thing):
    # As the importer turns it: x, -z, y of the file.
    seen = thing.evaluated_get(bpy.context.evaluated_depsgraph_get())
    points = positions(seen.to_mesh()).astype(numpy.float64)
    world = numpy.array(seen.matrix_world)
    points = points @ world[:3, :3].T + world[:3, 3]
    seen.to_mesh_clear()
    return numpy.stack((points[:, 0], points[:, 2], -points[:, 1]), 1)


def open_file(path, fps):
    bpy.ops.wm.read_factory_settings(use_empty=True)
    bpy.context.scene.render.fps = fps  # before the import, which puts keys at frames
    bpy.ops.import_scene.gltf(filepath=path)


# Objects are named after nodes, but a skinned node with a channel of its own becomes an empty with its mesh beside it, and
# an armature may have taken the name.
def find_mesh(node):
    things = [thing for thing in bpy.data.objects if thing.type == "MESH"]
    for match in (lambda t: t.name == node["name"], lambda t: t.name == node["mesh"], lambda t: t.data.name == node["mesh"]):
        for thing in filter(match, things):
            return thing
    return None


# The mesh alone with the cache on it, as a pipeline would load it.
def put_cache(thing, path):
    alone = bpy.data.objects.new("alone", thing.data.copy())
    alone.shape_key_clear()
    bpy.context.scene.collection.objects.link(alone)
    cache = alone.modifiers.new("cache", "MESH_CACHE")
    cache.cache_format = "PC2"
    cache.filepath = path
    cache.frame_start = 0
    return alone


def judge(cell, frames):
    open_file(cell["file"], cell["fps"])
    worst = 0.0
    things = [find_mesh(node) for node in cell["nodes"]]
    if None in things:
        return None
    caches = [load_cache(path) for path in cell["caches"]]
    if cell["cache"]:
        things = [put_cache(thing, path) for thing, path in zip(things, cell["caches"])]
    for frame in frames:
        bpy.context.scene.frame_set(frame)
        for thing, cache in zip(things, caches):
            points = shown(thing)
            if cell["cache"]:  # kept in the file's axes
                points = numpy.stack((points[:, 0], -points[:, 2], points[:, 1]), 1)
            if points.shape != cache[frame].shape:
                print(cell["file"], thing.name, points.shape, cache[frame].shape)
                return None
            distances = numpy.linalg.norm(points - cache[frame], axis=1)
            worst = max(worst, float(distances.max()) if numpy.isfinite(distances).all() else float("inf"))
    return worst


def main():
    arguments = sys.argv[sys.argv.index("--") + 1:]
    with open(arguments[0]) as file:
        work = json.load(file)
    answers = [judge(cell, work["frames"]) for cell in work["cells"]]
    with open(arguments[1], "w") as file:
        json.dump(answers, file)


main()
