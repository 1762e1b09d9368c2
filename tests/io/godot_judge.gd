# Run by Godot 3 without a window for scripts/judges.mjs: plays files that its editor has imported, and says for each how
# far the vertices are from the caches that Sinew wrote, in metres; -1 where meshes or vertices do not agree. Joints,
# keys, weights and blend shapes are Godot's own; a server draws nothing, so the sum over joints, which its shader would
# do, is done here.
#
#   godot3-server --path PROJECT -s godot_judge.gd      with list.json in the project; writes answer.json
extends SceneTree

func _init():
    call_deferred("judge_all")

func read_text(path):
    var file = File.new()
    file.open(path, File.READ)
    var text = file.get_as_text()
    file.close()
    return text

func judge_all():
    var work = parse_json(read_text("res://list.json"))
    var answers = []
    for cell in work["cells"]:
        var answer = judge(cell, work["frames"])
        if answer is GDScriptFunctionState:
            answer = yield(answer, "completed")
        answers.append(answer)
    var file = File.new()
    file.open("res://answer.json", File.WRITE)
    file.store_string(to_json(answers))
    file.close()
    quit()

# Godot takes characters that paths use out of names.
func bare(name):
    var out = ""
    for c in name:
        if c.is_valid_identifier() or c.is_valid_integer():
            out += c
    return out

func find_meshes(node, out):
    if node is MeshInstance:
        out[bare(node.name)] = node
    for child in node.get_children():
        find_meshes(child, out)

func judge(cell, frames):
    var packed = load("res://" + cell["file"])
    if packed == null:
        return -1.0
    var scene = packed.instance()
    get_root().add_child(scene)
    var player = scene.find_node("AnimationPlayer", true, false)
    var found = {}
    find_meshes(scene, found)
    player.playback_speed = 0.0
    for name in player.get_animation_list():
        if bare(name) == bare(cell["clip"]):
            player.play(name)
    var worst = 0.0
    for frame in frames:
        player.seek(frame / cell["fps"], true)
        yield(self, "idle_frame")
        yield(self, "idle_frame")
        for i in range(cell["nodes"].size()):
            var name = bare(cell["nodes"][i]["name"])
            if not found.has(name):
                print(cell["file"], ": no mesh ", name)
                worst = INF
                continue
            worst = max(worst, distance(found[name], cell["caches"][i], int(frame)))
    scene.free()
    return worst if worst < INF else -1.0

func distance(mesh, path, frame):
    var file = File.new()
    file.open(path, File.READ)
    file.seek(16)
    var count = file.get_32()
    var shown = positions(mesh)
    if shown.size() != count:
        print(path, ": ", shown.size(), " vertices for ", count)
        return INF
    file.seek(32 + 12 * count * frame)
    var worst = 0.0
    for v in range(count):
        var x = file.get_float()
        var y = file.get_float()
        var z = file.get_float()
        worst = max(worst, shown[v].distance_squared_to(Vector3(x, y, z)))
    file.close()
    return sqrt(worst)

# In the file's axes, which are Godot's. Materials are surfaces: those that share their vertices have all of them.
func positions(mesh):
    var points = []
    for surface in range(mesh.mesh.get_surface_count()):
        if not same(mesh.mesh, surface):
            points += surface_positions(mesh, surface)
    return points

func same(mesh, surface):
    var own = mesh.surface_get_arrays(surface)[Mesh.ARRAY_VERTEX]
    for other in range(surface):
        if mesh.surface_get_arrays(other)[Mesh.ARRAY_VERTEX] == own:
            return true
    return false

func surface_positions(mesh, surface):
    var arrays = mesh.mesh.surface_get_arrays(surface)
    var points = Array(arrays[Mesh.ARRAY_VERTEX])
    var shapes = mesh.mesh.surface_get_blend_shape_arrays(surface)
    for s in range(shapes.size()):
        var weight = mesh.get("blend_shapes/" + mesh.mesh.get_blend_shape_name(s))
        var offsets = shapes[s][Mesh.ARRAY_VERTEX]
        if weight == 0.0:
            continue
        # Shapes are whole surfaces: what they add is their distance from the first.
        for v in range(points.size()):
            points[v] += weight * (offsets[v] - arrays[Mesh.ARRAY_VERTEX][v])
    if mesh.skin == null:
        var world = mesh.global_transform
        for v in range(points.size()):
            points[v] = world.xform(points[v])
        return points
    var skeleton = mesh.get_node(mesh.skeleton)
    var matrices = []
    for b in range(mesh.skin.get_bind_count()):
        var bone = mesh.skin.get_bind_bone(b)
        if bone < 0:
            bone = skeleton.find_bone(mesh.skin.get_bind_name(b))
        matrices.append(skeleton.global_transform * skeleton.get_bone_global_pose(bone) * mesh.skin.get_bind_pose(b))
    var bones = arrays[Mesh.ARRAY_BONES]
    var weights = arrays[Mesh.ARRAY_WEIGHTS]
    for v in range(points.size()):
        var sum = Vector3()
        for k in range(4):
            var weight = weights[4 * v + k]
            if weight != 0.0:
                sum += weight * matrices[bones[4 * v + k]].xform(points[v])
        points[v] = sum
    return points
