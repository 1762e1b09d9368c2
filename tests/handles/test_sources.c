// Handles of what a model has: a skin, groups of faces, colors of vertices.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rigs.h"
#include "shapes.h"

static snModel* body(void) {
    snBodyDef def = sn_body_def();
    snModel* model = NULL;
    assert_ok(sn_builtin_body(&def, NULL, &model, NULL));
    return model;
}

static snHandles* from_skin(const snModel* model, bool merge_fingers, float rigid) {
    snHandlesFromSkinDef def = sn_handles_from_skin_def();
    def.model = model;
    def.merge_fingers = merge_fingers;
    def.rigid = rigid;
    snMesh* mesh = NULL;
    snHandles* handles = NULL;
    assert_ok(sn_model_merge_mesh(model, NULL, &mesh, NULL));
    assert_ok(sn_handles_from_skin(&def, mesh, NULL, &handles, NULL));
    assert_ok(sn_handles_validate(handles, mesh, NULL));
    sn_mesh_destroy(mesh);
    return handles;
}

static const snHandle* find(const snHandles* handles, const char* name) {
    uint32_t h = sn_handles_find(handles, name);
    if (h == SN_NONE) fail_msg("there is no handle %s", name);
    return &handles->handles[h];
}

// Every vertex of a handle is moved by its joint and those merged into it to the share asked for.
static void a_skin_becomes_handles(void** state) {
    (void)state;
    snModel* model = body();
    snHandles* handles = from_skin(model, true, 0.8f);
    snMat4* world = calloc(model->skeleton->joint_count, sizeof *world);
    sn_skeleton_world(model->skeleton, NULL, world);
    uint8_t* marks = calloc(handles->vertex_count, 1);
    for (uint32_t h = 0; h < handles->handle_count; h++) {
        uint32_t joint = sn_skeleton_find(model->skeleton, handles->handles[h].name);
        assert_true(joint != SN_NONE);
        assert_vec3_near(handles->handles[h].center, sn_mat4_translation(&world[joint]), 1e-6f);
        assert_near(handles->handles[h].confidence, 1.0f, 0.0f);
    }
    const snHandle* knee = find(handles, "LeftLowerLeg");
    sn_select_joint(model, sn_skeleton_find(model->skeleton, "LeftLowerLeg"), 0.8f - 1e-4f, SN_COMBINE_SET,
                    marks);
    for (uint32_t i = 0; i < knee->vertex_count; i++) assert_int_equal(marks[knee->vertices[i]], 1);
    assert_true(knee->vertex_count > 500);
    uint8_t follows[SN_HANDLES_MAX];
    sn_handles_followers(handles, sn_handles_find(handles, "Hips"), follows);
    for (uint32_t h = 0; h < handles->handle_count; h++) assert_int_equal(follows[h], 1);
    sn_handles_followers(handles, sn_handles_find(handles, "LeftUpperLeg"), follows);
    assert_int_equal(follows[sn_handles_find(handles, "LeftFoot")], 1);
    assert_int_equal(follows[sn_handles_find(handles, "RightFoot")], 0);
    free(marks);
    free(world);
    sn_handles_destroy(handles);
    sn_model_destroy(model);
}

static void fingers_are_merged_or_not(void** state) {
    (void)state;
    snModel* model = body();
    snHandles *merged = from_skin(model, true, 0.8f), *single = from_skin(model, false, 0.8f);
    assert_true(single->handle_count > merged->handle_count);
    assert_int_equal(sn_handles_find(merged, "LeftIndex1"), SN_NONE);
    find(single, "LeftIndex1");
    // What fingers lose to each other the hand keeps.
    assert_true(find(merged, "LeftHand")->vertex_count > 2 * find(single, "LeftHand")->vertex_count);
    sn_handles_destroy(merged);
    sn_handles_destroy(single);
    sn_model_destroy(model);
}

// Two cubes, one skinned with three quarters at most, one rigid on the tip: at a share of 0.9 the skinned one
// has no rigid vertex but those at y = 0, which the root moves alone.
static void shares_and_small_joints_count(void** state) {
    (void)state;
    snModel* model = NULL;
    assert_ok(sn_model_create(test_model_def(), NULL, &model, NULL));
    snHandles* handles = from_skin(model, true, 0.9f);
    assert_int_equal(handles->handle_count, 2);
    assert_int_equal(find(handles, "root")->vertex_count, 12);
    assert_int_equal(find(handles, "tip")->vertex_count, 24);
    assert_int_equal(find(handles, "root")->followers[0], 1);
    sn_handles_destroy(handles);
    handles = from_skin(model, true, 0.7f);
    assert_int_equal(find(handles, "tip")->vertex_count, 36);
    sn_handles_destroy(handles);
    snHandlesFromSkinDef def = sn_handles_from_skin_def();
    def.model = model;
    def.rigid = 0.9f;
    def.smallest = 0.6f; // the tip has 24 of 48 vertices: it goes to the root, which then moves all
    snMesh* mesh = NULL;
    assert_ok(sn_model_merge_mesh(model, NULL, &mesh, NULL));
    assert_ok(sn_handles_from_skin(&def, mesh, NULL, &handles, NULL));
    assert_int_equal(handles->handle_count, 1);
    assert_int_equal(find(handles, "root")->vertex_count, 48);
    sn_handles_destroy(handles);
    sn_mesh_destroy(mesh);
    sn_model_destroy(model);
}

// A share of all that a joint moves goes to another one.
static void soften(snModel* model, const char* joint, const char* other, float share) {
    uint32_t from = sn_skeleton_find(model->skeleton, joint), to = sn_skeleton_find(model->skeleton, other);
    for (uint32_t p = 0; p < model->part_count; p++) {
        snPart* part = &model->parts[p];
        const snSkin* skin = &model->skins[part->skin];
        snWeights* w = &part->weights;
        uint16_t to_slot = 0;
        while (skin->joints[to_slot] != to) to_slot++;
        for (size_t v = 0; v < part->mesh->vertex_count; v++) {
            size_t begin = v * w->influences, end = begin + w->influences, at = end, room = end;
            for (size_t i = begin; i < end; i++) {
                if (skin->joints[w->joints[i]] == from && w->weights[i] > 0.0f) at = i;
                if (room == end && (!(w->weights[i] > 0.0f) || skin->joints[w->joints[i]] == to)) room = i;
            }
            if (at == end) continue;
            if (room == end) room = at == begin ? begin + 1 : begin; // full: another one's place
            float old = skin->joints[w->joints[room]] == to ? w->weights[room] : 0.0f;
            w->joints[room] = to_slot;
            w->weights[room] = old + share * w->weights[at];
            w->weights[at] *= 1.0f - share;
        }
    }
}

// A body whose upper arm moves no vertex nearly alone still has one to be posed by.
static void limbs_are_handles_however_soft(void** state) {
    (void)state;
    snModel* model = body();
    soften(model, "LeftUpperArm", "UpperChest", 0.4f);
    snHandles* handles = from_skin(model, true, 0.8f);
    const snHandle* arm = find(handles, "LeftUpperArm");
    assert_int_equal(arm->follower_count, 1);
    assert_string_equal(handles->handles[arm->followers[0]].name, "LeftLowerArm");
    assert_int_equal(find(handles, "Chest")->follower_count, 1);
    sn_handles_destroy(handles);
    // What is no part of a body, and no more rigid, goes to what carries it.
    snTubeDef def = sn_tube_def();
    snModel* tube = NULL;
    def.segments = 4;
    assert_ok(sn_builtin_tube(&def, NULL, &tube, NULL));
    handles = from_skin(tube, true, 0.8f);
    uint32_t before = handles->handle_count;
    sn_handles_destroy(handles);
    soften(tube, tube->skeleton->names[2], tube->skeleton->names[1], 0.4f);
    handles = from_skin(tube, true, 0.8f);
    assert_int_equal(handles->handle_count, before - 1);
    sn_handles_destroy(handles);
    sn_model_destroy(tube);
    sn_model_destroy(model);
}

// A piece of surface of which no vertex is rigid would be free altogether.
static void pieces_that_nothing_holds_are_given_away(void** state) {
    (void)state;
    snModelDef def = *test_model_def();
    snPartDef parts[2] = {def.parts[0], def.parts[1]};
    float weights[48];
    for (uint32_t v = 0; v < 24; v++) {
        weights[2 * v] = 0.4f;
        weights[2 * v + 1] = 0.6f;
    }
    parts[0].weights = weights;
    def.parts = parts;
    snModel* model = NULL;
    assert_ok(sn_model_create(&def, NULL, &model, NULL));
    model->skeleton->rest[1].translation = sn_vec3(5, 0, 0); // so that the cubes do not touch
    snHandles* handles = from_skin(model, true, 0.9f);
    assert_int_equal(handles->handle_count, 1);
    assert_int_equal(find(handles, "tip")->vertex_count, 48);
    sn_handles_destroy(handles);
    sn_model_destroy(model);
}

// Rigs for inverse kinematics hang feet on the root; what a foot borders on is the shin.
static void feet_hang_on_what_they_touch(void** state) {
    (void)state;
    snTubeDef def = sn_tube_def();
    snModel* model = NULL;
    def.segments = 4;
    assert_ok(sn_builtin_tube(&def, NULL, &model, NULL));
    snHandles* handles = from_skin(model, true, 0.8f);
    assert_true(handles->handle_count >= 3);
    uint32_t last = handles->handle_count - 1;
    uint32_t foot = sn_skeleton_find(model->skeleton, handles->handles[last].name);
    char shin[96];
    snprintf(shin, sizeof shin, "%s", model->skeleton->names[model->skeleton->parents[foot]]);
    model->skeleton->parents[foot] = 0;
    model->skeleton->rest[foot].translation = handles->handles[last].center; // it stays where it is
    sn_handles_destroy(handles);
    handles = from_skin(model, true, 0.8f);
    assert_int_equal(find(handles, shin)->follower_count, 1);
    assert_int_equal(find(handles, shin)->followers[0], last);
    assert_int_equal(find(handles, model->skeleton->names[0])->follower_count, 1);
    sn_handles_destroy(handles);
    sn_model_destroy(model);
}

// A robot: bones that move nothing themselves, and on each a plate that is a node of its own.
static void plates_stand_for_their_bones(void** state) {
    (void)state;
    static const char* const names[] = {"arm", "arm plate", "hand", "hand plate"};
    static const uint32_t parents[] = {SN_NONE, 0, 0, 2};
    snTrs rest[4];
    for (int j = 0; j < 4; j++) rest[j] = sn_trs_identity();
    rest[1].translation = rest[3].translation = sn_vec3(0, 0.5f, 0);
    rest[2].translation = sn_vec3(3, 0, 0);
    const snSkeletonDef skeleton = {4, names, parents, rest};
    const snMeshDef* cube = test_model_def()->parts[0].mesh;
    const snPartDef parts[] = {{"arm", cube, 1, SN_NONE, 0, NULL, NULL, 0, NULL, NULL, NULL},
                               {"hand", cube, 3, SN_NONE, 0, NULL, NULL, 0, NULL, NULL, NULL}};
    const snModelDef def = {.skeleton = &skeleton, .part_count = 2, .parts = parts};
    snModel* model = NULL;
    assert_ok(sn_model_create(&def, NULL, &model, NULL));
    snHandles* handles = from_skin(model, true, 0.8f);
    assert_int_equal(handles->handle_count, 2);
    const snHandle *arm = find(handles, "arm plate"), *hand = find(handles, "hand plate");
    assert_int_equal(arm->follower_count, 1);
    assert_ptr_equal(&handles->handles[arm->followers[0]], hand);
    assert_int_equal(hand->follower_count, 0);
    assert_vec3_near(arm->center, sn_vec3(0, 0, 0), 0.0f); // where the bones are, not the nodes on them
    assert_vec3_near(hand->center, sn_vec3(3, 0, 0), 0.0f);
    sn_handles_destroy(handles);
    sn_model_destroy(model);
}

static void bad_skins_are_refused(void** state) {
    (void)state;
    snModel* model = NULL;
    assert_ok(sn_model_create(test_model_def(), NULL, &model, NULL));
    snMesh *mesh = NULL, *other = test_grid(1);
    assert_ok(sn_model_merge_mesh(model, NULL, &mesh, NULL));
    snHandlesFromSkinDef def = sn_handles_from_skin_def();
    snHandles* out = NULL;
    snError error = sn_error_none();
    assert_int_equal(sn_handles_from_skin(&def, mesh, NULL, &out, &error), SN_RESULT_INVALID_ARGUMENT);
    def.model = model;
    assert_int_equal(sn_handles_from_skin(&def, other, NULL, &out, &error), SN_RESULT_INVALID_ARGUMENT);
    assert_string_equal(error.text, "the model has 48 vertices, its mesh has 4");
    assert_int_equal(sn_handles_from_skin(&def, mesh, NULL, NULL, &error), SN_RESULT_INVALID_ARGUMENT);
    def.rigid = 0.5f;
    assert_int_equal(sn_handles_from_skin(&def, mesh, NULL, &out, &error), SN_RESULT_INVALID_ARGUMENT);
    assert_null(out);
    sn_mesh_destroy(mesh);
    sn_mesh_destroy(other);
    sn_model_destroy(model);
}

// ------------------------------------------------------------------------------------- groups and colors

enum { SIDE = 9 };

// 8 x 8 quads: columns 0..2 are "left", 3..7 "right" but for the corner, which has no group.
static snMesh* striped(void) {
    static const char* const names[] = {"left", "right", "unused"};
    static uint32_t groups[64];
    static snVec4 colors[SIDE * SIDE];
    snMesh* plain = test_grid(8);
    for (uint32_t f = 0; f < 64; f++) groups[f] = f % 8 < 3 ? 0 : 1;
    groups[63] = SN_NONE;
    for (uint32_t v = 0; v < SIDE * SIDE; v++)
        colors[v] = v % SIDE < 4 ? (snVec4){1, 0, 0, 1} : (snVec4){0, 0.21404114f, 1, 1};
    snMeshDef def = sn_mesh_def(plain);
    def.group_count = 3;
    def.group_names = names;
    def.face_groups = groups;
    def.colors = colors;
    snMesh* mesh = NULL;
    assert_ok(sn_mesh_create(&def, NULL, &mesh, NULL));
    sn_mesh_destroy(plain);
    return mesh;
}

static void groups_become_handles(void** state) {
    (void)state;
    snMesh* mesh = striped();
    snHandlesFromMarksDef def = sn_handles_from_marks_def();
    def.mesh = mesh;
    def.free_rings = 0;
    snHandles* handles = NULL;
    assert_ok(sn_handles_from_marks(&def, NULL, &handles, NULL, NULL));
    assert_int_equal(handles->handle_count, 2);
    // Column 3 is shared; vertices 0..2 and 4..8 remain, less the corner that has no group.
    assert_int_equal(find(handles, "left")->vertex_count, 3 * SIDE);
    assert_int_equal(find(handles, "right")->vertex_count, 5 * SIDE - 1);
    // The larger one is the root; the other turns about the line between them.
    assert_int_equal(find(handles, "right")->follower_count, 1);
    assert_int_equal(find(handles, "left")->follower_count, 0);
    assert_vec3_near(find(handles, "left")->center, sn_vec3(3, 0, 4), 1e-6f);
    sn_handles_destroy(handles);
    def.free_rings = 1;
    assert_ok(sn_handles_from_marks(&def, NULL, &handles, NULL, NULL));
    assert_int_equal(find(handles, "left")->vertex_count, 2 * SIDE);
    sn_handles_destroy(handles);
    sn_mesh_destroy(mesh);
}

static void colors_become_handles(void** state) {
    (void)state;
    snMesh* mesh = striped();
    snHandlesFromMarksDef def = sn_handles_from_marks_def();
    def.mesh = mesh;
    def.colors = true;
    snHandles* handles = NULL;
    assert_ok(sn_handles_from_marks(&def, NULL, &handles, NULL, NULL));
    assert_int_equal(handles->handle_count, 2);
    assert_int_equal(find(handles, "color_ff0000")->vertex_count, 3 * SIDE); // columns 0..2
    assert_int_equal(find(handles, "color_0080ff")->vertex_count, 4 * SIDE); // columns 5..8
    assert_vec3_near(find(handles, "color_ff0000")->center, sn_vec3(3.5f, 0, 4), 1e-6f);
    sn_handles_destroy(handles);
    def.smallest = 0.5f;
    assert_ok(sn_handles_from_marks(&def, NULL, &handles, NULL, NULL));
    assert_int_equal(handles->handle_count, 1);
    sn_handles_destroy(handles);
    sn_mesh_destroy(mesh);
}

// -------------------------------------------------------------------------------------------------- pieces

// Two long triangles side by side, 10 wide, whose handles are apart in z; three loose ones above them, and a
// single vertex. Nearest vertices would mislead: those of "far" are nearer to the first loose one.
static snMesh* loose(void) {
    static const snVec3 positions[] = {{-10, 0, 0},   {10, 0, 0},   {0, 0, 9},    // near
                                       {-1, 0, -3},   {1, 0, -3},   {0, 0, -5},   // far
                                       {-1, 0.5f, 1}, {1, 0.5f, 1}, {0, 0.5f, 2}, // above near
                                       {-1, 0, -7},   {1, 0, -7},   {0, 0, -8},   // behind far
                                       {0, 0, -6}};                               // so is this vertex
    static const uint32_t starts[] = {0, 3, 6, 9, 12};
    static const uint32_t corners[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
    snMeshDef def = {.vertex_count = 13,
                     .positions = positions,
                     .face_count = 4,
                     .face_starts = starts,
                     .corner_count = 12,
                     .corners = corners};
    snMesh* mesh = NULL;
    assert_ok(sn_mesh_create(&def, NULL, &mesh, NULL));
    return mesh;
}

static snHandles* near_and_far(const snMesh* mesh) {
    static const uint32_t near[] = {0, 1, 2}, far[] = {3, 4, 5};
    static const float weights[] = {0.5f, 0.25f, 1.0f};
    static const uint32_t follower = 1;
    snHandleDef defs[] = {{.name = "near",
                           .vertices = near,
                           .weights = weights,
                           .vertex_count = 3,
                           .followers = &follower,
                           .follower_count = 1,
                           .confidence = 0.5f},
                          {.name = "far", .vertices = far, .vertex_count = 3, .confidence = 1}};
    snHandlesDef def = {mesh, 2, defs};
    snHandles* handles = NULL;
    assert_ok(sn_handles_create(&def, NULL, &handles, NULL));
    return handles;
}

static void loose_pieces_go_to_the_nearest_surface(void** state) {
    (void)state;
    snMesh *mesh = loose(), *other = test_grid(1);
    snHandles *handles = near_and_far(mesh), *held = NULL, *again = NULL;
    uint32_t pieces = 0;
    assert_ok(sn_handles_hold_pieces(handles, mesh, NULL, &held, &pieces, NULL));
    assert_int_equal(pieces, 3);
    const snHandle *near = find(held, "near"), *far = find(held, "far");
    assert_int_equal(near->vertex_count, 6);
    assert_int_equal(near->vertices[3], 6);
    assert_int_equal(far->vertex_count, 7);
    assert_int_equal(far->vertices[6], 12);
    // What was there stays as it was.
    assert_near(near->weights[1], 0.25f, 0);
    assert_near(near->weights[3], 1.0f, 0);
    assert_near(near->confidence, 0.5f, 0);
    assert_int_equal(near->follower_count, 1);
    // Nothing is left to do.
    assert_ok(sn_handles_hold_pieces(held, mesh, NULL, &again, &pieces, NULL));
    assert_int_equal(pieces, 0);
    assert_int_equal(find(again, "far")->vertex_count, 7);
    sn_handles_destroy(again);
    again = NULL;
    snError error = sn_error_none();
    assert_int_equal(sn_handles_hold_pieces(held, other, NULL, &again, NULL, &error), SN_RESULT_BAD_DATA);
    assert_non_null(strstr(error.text, "another mesh"));
    assert_int_equal(sn_handles_hold_pieces(NULL, mesh, NULL, &again, NULL, NULL),
                     SN_RESULT_INVALID_ARGUMENT);
    assert_null(again);
    sn_handles_destroy(held);
    sn_handles_destroy(handles);
    sn_mesh_destroy(mesh);
    sn_mesh_destroy(other);
}

// The same by groups: the two loose triangles and the vertex have none.
static void groups_hold_loose_pieces(void** state) {
    (void)state;
    static const char* const names[] = {"near", "far"};
    static const uint32_t groups[] = {0, 1, SN_NONE, SN_NONE};
    snMesh *plain = loose(), *mesh = NULL;
    snMeshDef def = sn_mesh_def(plain);
    def.group_count = 2;
    def.group_names = names;
    def.face_groups = groups;
    assert_ok(sn_mesh_create(&def, NULL, &mesh, NULL));
    snHandlesFromMarksDef marks = sn_handles_from_marks_def();
    marks.mesh = mesh;
    snHandles* handles = NULL;
    uint32_t pieces = 0;
    assert_ok(sn_handles_from_marks(&marks, NULL, &handles, &pieces, NULL));
    assert_int_equal(pieces, 3);
    assert_int_equal(find(handles, "near")->vertex_count, 6);
    assert_int_equal(find(handles, "far")->vertex_count, 7);
    sn_handles_destroy(handles);
    sn_mesh_destroy(plain);
    sn_mesh_destroy(mesh);
}

static void meshes_without_marks_are_refused(void** state) {
    (void)state;
    snMesh *plain = test_grid(2), *mesh = striped();
    snHandlesFromMarksDef def = sn_handles_from_marks_def();
    snHandles* out = NULL;
    snError error = sn_error_none();
    assert_int_equal(sn_handles_from_marks(&def, NULL, &out, NULL, &error), SN_RESULT_INVALID_ARGUMENT);
    def.mesh = plain;
    assert_int_equal(sn_handles_from_marks(&def, NULL, &out, NULL, &error), SN_RESULT_NOT_FOUND);
    assert_string_equal(error.text, "the mesh has no groups of faces");
    def.colors = true;
    assert_int_equal(sn_handles_from_marks(&def, NULL, &out, NULL, &error), SN_RESULT_NOT_FOUND);
    assert_string_equal(error.text, "the mesh has no vertex colors");
    def.mesh = mesh;
    def.smallest = 0.9f;
    assert_int_equal(sn_handles_from_marks(&def, NULL, &out, NULL, &error), SN_RESULT_BAD_DATA);
    assert_string_equal(error.text, "0 colors are large enough for a handle, expected 1 to 1024");
    assert_null(out);
    sn_mesh_destroy(plain);
    sn_mesh_destroy(mesh);
}

// ------------------------------------------------------------------------------------------------- memory

typedef struct Source {
    const snModel* model;
    const snMesh* mesh;
} Source;

static snResult build_skin(const snAllocator* allocator, void* context) {
    const Source* source = context;
    snHandlesFromSkinDef def = sn_handles_from_skin_def();
    def.model = source->model;
    snHandles* handles = NULL;
    snResult result = sn_handles_from_skin(&def, source->mesh, allocator, &handles, NULL);
    sn_handles_destroy(handles);
    return result;
}

static snResult build_marks(const snAllocator* allocator, void* context) {
    snHandlesFromMarksDef def = sn_handles_from_marks_def();
    def.mesh = context;
    for (int colors = 0; colors < 2; colors++) {
        def.colors = colors;
        snHandles* handles = NULL;
        snResult result = sn_handles_from_marks(&def, allocator, &handles, NULL, NULL);
        sn_handles_destroy(handles);
        if (result != SN_RESULT_OK) return result;
    }
    return SN_RESULT_OK;
}

static snResult build_held(const snAllocator* allocator, void* context) {
    const snMesh* mesh = context;
    snHandles *handles = near_and_far(mesh), *held = NULL;
    snResult result = sn_handles_hold_pieces(handles, mesh, allocator, &held, NULL, NULL);
    sn_handles_destroy(handles);
    sn_handles_destroy(held);
    return result;
}

// As many joints as a file of a few megabytes has, all called the same: numbering them one against another
// would not end.
static void a_crowd_of_one_name_is_numbered(void** state) {
    (void)state;
    enum { JOINTS = 60000, USED = 300 };
    static uint32_t parents[JOINTS], skin_joints[JOINTS];
    static snTrs rest[JOINTS];
    static const char* names[JOINTS];
    static snVec3 positions[3 * USED];
    static uint32_t corners[3 * USED];
    static uint16_t joints[3 * USED];
    static float weights[3 * USED];
    for (uint32_t j = 0; j < JOINTS; j++) {
        parents[j] = j == 0 ? SN_NONE : j - 1;
        skin_joints[j] = j;
        rest[j] = sn_trs_identity();
        names[j] = "same";
    }
    for (uint32_t c = 0; c < 3 * USED; c++) {
        positions[c] = sn_vec3((float)(c / 3) + 0.1f * (float)(c % 3), 0.1f * (float)(c % 2), 0);
        corners[c] = c;
        joints[c] = (uint16_t)(c / 3 * (JOINTS / USED));
        weights[c] = 1;
    }
    const snSkeletonDef skeleton = {JOINTS, names, parents, rest};
    const snSkinDef skin = {"skin", JOINTS, skin_joints, NULL};
    const snMeshDef mesh = {.vertex_count = 3 * USED,
                            .face_count = USED,
                            .corner_count = 3 * USED,
                            .positions = positions,
                            .corners = corners};
    const snPartDef part = {
        .name = "part", .mesh = &mesh, .influences = 1, .joints = joints, .weights = weights};
    const snModelDef def = {
        .skeleton = &skeleton, .skin_count = 1, .skins = &skin, .part_count = 1, .parts = &part};
    snModel* model = NULL;
    assert_ok(sn_model_create(&def, NULL, &model, NULL));
    snHandles* handles = from_skin(model, false, 0.8f);
    assert_int_equal(handles->handle_count, USED);
    for (uint32_t h = 0; h < USED; h++) {
        char name[32];
        snprintf(name, sizeof name, h == 0 ? "same" : "same_%u", h * (JOINTS / USED) + 1);
        assert_string_equal(handles->handles[h].name, name);
        // Each hangs on the one before, over all the joints between that hold nothing.
        assert_int_equal(handles->handles[h].follower_count, h + 1 < USED);
        if (h + 1 < USED) assert_int_equal(handles->handles[h].followers[0], h + 1);
    }
    sn_handles_destroy(handles);
    sn_model_destroy(model);
}

static void survives_every_failing_allocation(void** state) {
    (void)state;
    snModel* model = NULL;
    snMesh *mesh = NULL, *marked = striped();
    assert_ok(sn_model_create(test_model_def(), NULL, &model, NULL));
    assert_ok(sn_model_merge_mesh(model, NULL, &mesh, NULL));
    Source source = {model, mesh};
    test_every_allocation(build_skin, &source);
    test_every_allocation(build_marks, marked);
    snMesh* pieces = loose();
    test_every_allocation(build_held, pieces);
    sn_mesh_destroy(pieces);
    sn_mesh_destroy(mesh);
    sn_mesh_destroy(marked);
    sn_model_destroy(model);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_skin_becomes_handles),
        cmocka_unit_test(fingers_are_merged_or_not),
        cmocka_unit_test(shares_and_small_joints_count),
        cmocka_unit_test(limbs_are_handles_however_soft),
        cmocka_unit_test(pieces_that_nothing_holds_are_given_away),
        cmocka_unit_test(feet_hang_on_what_they_touch),
        cmocka_unit_test(plates_stand_for_their_bones),
        cmocka_unit_test(bad_skins_are_refused),
        cmocka_unit_test(groups_become_handles),
        cmocka_unit_test(colors_become_handles),
        cmocka_unit_test(loose_pieces_go_to_the_nearest_surface),
        cmocka_unit_test(groups_hold_loose_pieces),
        cmocka_unit_test(meshes_without_marks_are_refused),
        cmocka_unit_test(a_crowd_of_one_name_is_numbered),
        cmocka_unit_test(survives_every_failing_allocation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
