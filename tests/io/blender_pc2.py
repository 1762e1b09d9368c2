# Run by Blender: opens the OBJ and the point caches that tests/io/test_frames.c wrote and compares every frame
# with the points themselves.
#
#   blender -b --factory-startup --python-exit-code 1 --python blender_pc2.py -- FOLDER
import os
import sys

import bpy

TOLERANCE = 1e-5  # metres


def load_points(path):
    with open(path) as lines:
        frames, count = map(int, next(lines).split())
        rows = [tuple(map(float, line.split())) for line in lines]
    assert len(rows) == frames * count, "%s has %d points" % (path, len(rows))
    return [rows[f * count:(f + 1) * count] for f in range(frames)]


def load_mesh(path):
    bpy.ops.wm.read_factory_settings(use_empty=True)
    bpy.ops.import_scene.obj(filepath=path, split_mode="OFF")
    return bpy.context.selected_objects[0]


def add_cache(thing, path):
    cache = thing.modifiers.new("cache", "MESH_CACHE")
    cache.cache_format = "PC2" if path.endswith(".pc2") else "MDD"
    cache.filepath = path
    cache.frame_start = 0


def compare(thing, frames):
    # The mesh keeps the file's axes; only the object is turned for Blender's.
    worst = 0.0
    for number, points in enumerate(frames):
        bpy.context.scene.frame_set(number)
        mesh = thing.evaluated_get(bpy.context.evaluated_depsgraph_get()).to_mesh()
        assert len(mesh.vertices) == len(points), "%d vertices for %d points" % (len(mesh.vertices), len(points))
        for vertex, point in zip(mesh.vertices, points):
            worst = max(worst, *(abs(a - b) for a, b in zip(vertex.co, point)))
    return worst


def check_parts(folder):
    # Every object of the file takes the cache of its own name.
    bpy.ops.wm.read_factory_settings(use_empty=True)
    bpy.ops.wm.obj_import(filepath=os.path.join(folder, "parts.obj"))
    things = list(bpy.context.scene.objects)
    assert len(things) == 2, "%d objects" % len(things)
    for thing in things:
        frames = load_points(os.path.join(folder, "parts.%s.txt" % thing.name))
        add_cache(thing, os.path.join(folder, "parts.%s.pc2" % thing.name))
        worst = compare(thing, frames)
        print("parts.%s.pc2: %d frames, at most %g m apart" % (thing.name, len(frames), worst))
        assert worst <= TOLERANCE, "%s differs by %g" % (thing.name, worst)


def main():
    folder = sys.argv[sys.argv.index("--") + 1]
    check_parts(folder)
    frames = load_points(os.path.join(folder, "tube.txt"))
    for name in ("tube.pc2", "tube.mdd"):
        thing = load_mesh(os.path.join(folder, "tube.obj"))
        assert compare(thing, frames) > 1.0, "without a cache the tube must not bend"
        add_cache(thing, os.path.join(folder, name))
        worst = compare(thing, frames)
        print("%s: %d frames of %d points, at most %g m apart" % (name, len(frames), len(frames[0]), worst))
        assert worst <= TOLERANCE, "%s differs by %g" % (name, worst)


main()
