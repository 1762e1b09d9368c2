# Run by Blender: makes a small character, exports it as FBX in several units and axes, and writes down what
# Blender itself shows, for tests/io/test_assimp.c to compare.
#
#   blender -b --factory-startup --python blender_fbx.py -- FOLDER
#
# FOLDER/expected.txt: "vertices N", then "rest" and "clip NAME FRAME", each followed by N world positions, and
# "joint NAME" with its head at rest; all in metres, +Y up. The bar's shape key moves in every clip. The files: plain.fbx units.fbx z_up.fbx centimetres.fbx
# and plain.dae.
import os
import sys

import bpy
from mathutils import Quaternion, Vector

FRAMES = 20
RINGS = 9
BONES = ("root", "middle", "tip")
OFFSET = Vector((0.3, 0.2, 0.1))  # of the armature, so that its transform matters


def make_mesh():
    # A square bar of quads along z, three metres long, closed by one quad at each end.
    corners = ((-0.25, -0.25), (0.25, -0.25), (0.25, 0.25), (-0.25, 0.25))
    vertices = [(x, y, 3.0 * ring / (RINGS - 1)) for ring in range(RINGS) for x, y in corners]
    faces = [(3, 2, 1, 0), tuple(4 * (RINGS - 1) + i for i in range(4))]
    for ring in range(RINGS - 1):
        for side in range(4):
            a, b = 4 * ring + side, 4 * ring + (side + 1) % 4
            faces.append((a, b, b + 4, a + 4))
    mesh = bpy.data.meshes.new("bar")
    mesh.from_pydata(vertices, [], faces)
    uv = mesh.uv_layers.new()
    for loop in mesh.loops:
        x, y, z = vertices[loop.vertex_index]
        uv.data[loop.index].uv = (x + 0.5, z / 3.0)
    for name, color in (("red", (0.8, 0.1, 0.1, 1.0)), ("blue", (0.1, 0.1, 0.8, 1.0))):
        material = bpy.data.materials.new(name)
        material.diffuse_color = color
        material.use_nodes = True
        material.node_tree.nodes["Principled BSDF"].inputs["Base Color"].default_value = color
        mesh.materials.append(material)
    for polygon in mesh.polygons:
        polygon.material_index = 1 if polygon.center.z > 1.5 else 0
    return mesh


def make_rig():
    armature = bpy.data.armatures.new("rig")
    rig = bpy.data.objects.new("rig", armature)
    bpy.context.collection.objects.link(rig)
    bpy.context.view_layer.objects.active = rig
    bpy.ops.object.mode_set(mode="EDIT")
    parent = None
    for i, name in enumerate(BONES):
        bone = armature.edit_bones.new(name)
        bone.head, bone.tail, bone.parent = (0, 0, i), (0, 0, i + 1), parent
        bone.use_connect = parent is not None
        parent = bone
    bpy.ops.object.mode_set(mode="OBJECT")
    rig.location = OFFSET
    return rig


def bind(mesh, rig):
    bar = bpy.data.objects.new("bar", mesh)
    bpy.context.collection.objects.link(bar)
    bar.parent = rig
    for i, name in enumerate(BONES):
        group = bar.vertex_groups.new(name=name)
        for vertex in mesh.vertices:
            # A hat around the middle of each bone; the weights of a vertex sum to one.
            z = min(max(vertex.co.z, 0.5), 2.5)
            weight = max(0.0, 1.0 - abs(z - (i + 0.5)))
            if weight > 0.0:
                group.add([vertex.index], weight, "REPLACE")
    bar.modifiers.new("skin", "ARMATURE").object = rig
    bar.shape_key_add(name="Basis")
    wide = bar.shape_key_add(name="wide")
    for vertex in mesh.vertices:
        wide.data[vertex.index].co = Vector((vertex.co.x * 2.0, vertex.co.y, vertex.co.z))
    tall = bar.shape_key_add(name="tall")
    for vertex in mesh.vertices:
        tall.data[vertex.index].co = vertex.co + Vector((0.0, 0.0, 0.5 if vertex.co.z > 2.9 else 0.0))
    return bar


def reset_pose(rig):
    # What an action has no keys for keeps its last value.
    for pose in rig.pose.bones:
        pose.rotation_quaternion, pose.location = Quaternion(), Vector()


def make_action(rig, name, bone, axis, move):
    rig.animation_data_create()
    action = bpy.data.actions.new(name)
    action.use_fake_user = True
    rig.animation_data.action = action
    for frame, turn in ((1, 0.0), (FRAMES // 2, 1.2), (FRAMES, -0.4)):
        pose = rig.pose.bones[bone]
        pose.rotation_mode = "QUATERNION"
        pose.rotation_quaternion = Quaternion(axis, turn)
        pose.keyframe_insert("rotation_quaternion", frame=frame)
        root = rig.pose.bones["root"]
        root.location = move * turn
        root.keyframe_insert("location", frame=frame)
    reset_pose(rig)
    return action


def write_points(out, bar):
    evaluated = bar.evaluated_get(bpy.context.evaluated_depsgraph_get())
    for vertex in evaluated.to_mesh().vertices:
        x, y, z = evaluated.matrix_world @ vertex.co
        out.write("%.9g %.9g %.9g\n" % (x, z, -y))


def write_expected(path, rig, bar, actions):
    with open(path, "w") as out:
        out.write("vertices %d\n" % len(bar.data.vertices))
        rig.animation_data.action = None
        reset_pose(rig)
        bpy.context.scene.frame_set(1)
        out.write("rest\n")
        write_points(out, bar)
        for bone in rig.data.bones:
            x, y, z = rig.matrix_world @ bone.head_local
            out.write("joint %s %.9g %.9g %.9g\n" % (bone.name, x, z, -y))
        for action in actions:
            rig.animation_data.action = action
            reset_pose(rig)
            for frame in range(1, FRAMES + 1, 3):
                bpy.context.scene.frame_set(frame)
                out.write("clip %s %d\n" % (action.name, frame))
                write_points(out, bar)
        out.write("end\n")


def export(folder, name, **settings):
    bpy.ops.export_scene.fbx(filepath=os.path.join(folder, name), add_leaf_bones=False,
                             bake_anim_use_nla_strips=False, bake_anim_simplify_factor=0.0, **settings)


def main():
    folder = sys.argv[sys.argv.index("--") + 1]
    os.makedirs(folder, exist_ok=True)
    bpy.ops.wm.read_factory_settings(use_empty=True)
    scene = bpy.context.scene
    scene.frame_start, scene.frame_end = 1, FRAMES
    scene.render.fps = 25
    rig = make_rig()
    bar = bind(make_mesh(), rig)
    actions = [make_action(rig, "bend", "middle", (1.0, 0.0, 0.0), Vector((0.0, 0.0, 0.0))),
               make_action(rig, "turn", "tip", (0.0, 1.0, 0.0), Vector((0.1, 0.2, 0.3)))]
    for frame, value in ((1, 0.0), (FRAMES // 2, 0.75), (FRAMES, 0.25)):
        key = bar.data.shape_keys.key_blocks["wide"]
        key.value = value
        key.keyframe_insert("value", frame=frame)
    write_expected(os.path.join(folder, "expected.txt"), rig, bar, actions)
    rig.animation_data.action = None
    scene.frame_set(1)
    reset_pose(rig)
    export(folder, "plain.fbx")
    export(folder, "units.fbx", apply_scale_options="FBX_SCALE_UNITS")
    export(folder, "z_up.fbx", axis_forward="Y", axis_up="Z")
    bpy.ops.wm.collada_export(filepath=os.path.join(folder, "plain.dae"), include_shapekeys=False)
    scene.unit_settings.scale_length = 0.01
    export(folder, "centimetres.fbx")


main()
