// BVH out: every joint stands and turns as before.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "format_support.h"

// Largest differences between a clip and what came back of it.
typedef struct Difference {
    double degrees, metres;
    uint32_t frames;
} Difference;

static double angle_between(snQuat a, snQuat b) {
    snQuat d = sn_quat_mul(sn_quat_conjugate(a), b);
    return 2.0 * (double)sn_atan2(sn_length(sn_vec3(d.x, d.y, d.z)), fabsf(d.w)) * 180.0 / (double)SN_PI;
}

// Rotations of the joints in the world, scale left out, relative to the rest pose.
static void turns_of(const snModel* model, const snClip* clip, float time, snQuat* out) {
    const snSkeleton* skeleton = model->skeleton;
    snTrs* locals = malloc(skeleton->joint_count * sizeof *locals);
    snQuat* rest = malloc(skeleton->joint_count * sizeof *rest);
    assert_true(locals != NULL && rest != NULL);
    memcpy(locals, skeleton->rest, skeleton->joint_count * sizeof *locals);
    sn_clip_sample(clip, time, SN_WRAP_CLAMP, skeleton->joint_count, locals);
    for (uint32_t i = 0; i < skeleton->joint_count; i++) {
        uint32_t j = skeleton->order[i], parent = skeleton->parents[j];
        bool root = parent == SN_NONE;
        rest[j] = root ? skeleton->rest[j].rotation : sn_quat_mul(rest[parent], skeleton->rest[j].rotation);
        out[j] = root ? locals[j].rotation : sn_quat_mul(out[parent], locals[j].rotation);
    }
    for (uint32_t j = 0; j < skeleton->joint_count; j++) {
        out[j] = sn_quat_mul(out[j], sn_quat_conjugate(rest[j]));
    }
    free(locals);
    free(rest);
}

// Joints are matched through the depth-first order of the file: names may repeat.
static void match_joints(const snModel* model, const snModel* back, uint32_t* match) {
    uint32_t next = 0;
    for (uint32_t j = 0; j < model->skeleton->joint_count; j++) match[j] = SN_NONE;
    for (uint32_t b = 0; b < back->skeleton->joint_count; b++) {
        uint32_t parent = back->skeleton->parents[b];
        for (uint32_t j = 0; j < model->skeleton->joint_count; j++) {
            uint32_t p = model->skeleton->parents[j];
            bool same_parent = parent == SN_NONE ? p == SN_NONE : p != SN_NONE && match[p] == parent;
            if (match[j] != SN_NONE || !same_parent) continue;
            size_t length = strlen(model->skeleton->names[j]);
            const char* name = back->skeleton->names[b];
            size_t offset = strlen(name) >= 4 ? strlen(name) - 4 : 0;
            bool invented = strcmp(name + offset, "_end") == 0 && length != strlen(name);
            if (invented) break;
            match[j] = b;
            next++;
            break;
        }
    }
    assert_int_equal(next, model->skeleton->joint_count);
}

static Difference compare(const snModel* model, const snClip* clip, const snModel* back) {
    uint32_t joints = model->skeleton->joint_count, others = back->skeleton->joint_count;
    uint32_t* match = malloc(joints * sizeof *match);
    snMat4 *world = malloc(joints * sizeof *world), *other = malloc(others * sizeof *other);
    snQuat *turns = malloc(joints * sizeof *turns), *other_turns = malloc(others * sizeof *other_turns);
    assert_true(match != NULL && world != NULL && other != NULL && turns != NULL && other_turns != NULL);
    match_joints(model, back, match);
    const snClip* again = back->clips[0];
    Difference most = {0, 0, again->channels[0].key_count};
    for (uint32_t f = 0; f < most.frames; f++) {
        float time = again->channels[0].times[f];
        test_pose(model, clip, time, world);
        test_pose(back, again, time, other);
        turns_of(model, clip, time, turns);
        turns_of(back, again, time, other_turns);
        for (uint32_t j = 0; j < joints; j++) {
            double metres =
                (double)sn_distance(sn_mat4_translation(&world[j]), sn_mat4_translation(&other[match[j]]));
            double degrees = angle_between(turns[j], other_turns[match[j]]);
            if (metres > most.metres) most.metres = metres;
            if (degrees > most.degrees) most.degrees = degrees;
        }
    }
    void* arrays[] = {match, world, other, turns, other_turns};
    for (int i = 0; i < 5; i++) free(arrays[i]);
    return most;
}

// Every clip through a file and back. Returns the worst.
static Difference round_trip(const snModel* model, const char* what) {
    Difference worst = {0, 0, 0};
    snWriteDef def = sn_write_def();
    for (uint32_t c = 0; c < model->clip_count; c++) {
        def.first_clip = c;
        snModel* back = NULL;
        snError error = sn_error_none();
        assert_ok(sn_model_write(model, test_out_path("trip.bvh"), &def, &error));
        if (sn_model_read(test_out_path("trip.bvh"), NULL, &back, &error) != SN_RESULT_OK) {
            fail_msg("%s: line %d: %s", what, (int)error.line, error.text);
        }
        Difference d = compare(model, model->clips[c], back);
        if (d.degrees > worst.degrees) worst.degrees = d.degrees;
        if (d.metres > worst.metres) worst.metres = d.metres;
        worst.frames += d.frames;
        sn_model_destroy(back);
    }
    print_message("%s: %u clips, %u frames, %.5f degrees, %.5f mm\n", what, model->clip_count, worst.frames,
                  worst.degrees, worst.metres * 1e3);
    return worst;
}

static void body_returns(void** state) {
    (void)state;
    snBodyDef def = sn_body_def();
    def.vertex_target = 1000;
    snModel* body = NULL;
    assert_ok(sn_builtin_body(&def, NULL, &body, NULL));
    Difference d = round_trip(body, "body");
    assert_true(d.degrees < 0.1 && d.metres < 1e-4);
    sn_model_destroy(body);
}

static void characters_return(void** state) {
    (void)state;
    static const struct {
        const char* path;
        uint32_t clips;
        double unit; // metres per unit of the file
    } files[] = {
        {"characters/Fox.glb", 3, 0.01}, // 100 units long
        {"characters/kaykit_Knight.glb", 76, 1},
        {"characters/RiggedFigure.glb", 1, 1},
        {"characters/RobotExpressive.glb", 14, 1},
        {"characters/quat_animals_pack_Horse.glb", 13, 1},
        {"characters/quat_dinosaurs_pack_Trex.glb", 6, 1},
        {"characters/SimpleSkin.gltf", 1, 1},
        {"motion/cmu_02_01_walk.amc", 1, 1},
        {"motion/cmu_02_01_walk.bvh", 1, 0.0254 / 0.45},
        {"motion/cmu_49_06_cartwheel.bvh", 1, 0.0254 / 0.45},
    };
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        const char* path = test_data_path(files[i].path);
        snModel* model = NULL;
        assert_ok(sn_model_read(path, NULL, &model, NULL));
        assert_int_equal(model->clip_count, files[i].clips);
        Difference d = round_trip(model, files[i].path);
        assert_true(d.degrees < 0.1);
        assert_true(d.metres * files[i].unit < 1e-4);
        sn_model_destroy(model);
    }
}

// Random turns about all axes with rest rotations, straight up (where the middle angle is 90 degrees)
// included.
static snModel* make_chain(const char* const* names, float scale) {
    enum { JOINTS = 6, KEYS = 40 };
    uint32_t parents[JOINTS] = {SN_NONE, 0, 1, 2, 0, SN_NONE}, seed = 7;
    snTrs rest[JOINTS];
    static float times[KEYS], values[JOINTS][KEYS * 4], places[KEYS * 3];
    snChannel channels[JOINTS + 1];
    for (uint32_t j = 0; j < JOINTS; j++) {
        rest[j] = sn_trs_identity();
        rest[j].rotation = test_random_rotation(&seed);
        rest[j].translation = sn_vec3(0.1f * (float)j, 0.3f, -0.2f);
        for (uint32_t k = 0; k < KEYS; k++) {
            times[k] = (float)k / 24.0f;
            snQuat q = k % 3 == 0 ? sn_quat_axis_angle(sn_vec3(0, 1, 0), (k % 2 ? 0.5f : -0.5f) * SN_PI)
                                  : test_random_rotation(&seed);
            memcpy(&values[j][k * 4], &q, sizeof q);
            places[k * 3 + 1] = 0.01f * (float)k;
        }
        channels[j] = (snChannel){j, SN_PATH_ROTATION, SN_INTERPOLATION_LINEAR, KEYS, 4, times, values[j]};
    }
    rest[1].scale = sn_vec3(1, scale, 1);
    channels[JOINTS] = (snChannel){3, SN_PATH_TRANSLATION, SN_INTERPOLATION_LINEAR, KEYS, 3, times, places};
    snSkeletonDef skeleton = {JOINTS, names, parents, rest};
    snClipDef clip = {"turns", 0, JOINTS + 1, channels};
    snModelDef def = {.skeleton = &skeleton, .clip_count = 1, .clips = &clip};
    snModel* model = NULL;
    assert_ok(sn_model_create(&def, NULL, &model, NULL));
    return model;
}

static const char* const chain_names[] = {"a", "b", "c", "d", "e", "f"};

static void wild_turns_return(void** state) {
    (void)state;
    snModel* model = make_chain(chain_names, 1.0f);
    Difference d = round_trip(model, "wild turns");
    assert_int_equal(d.frames, 40); // the keys' own rate
    assert_true(d.degrees < 0.01 && d.metres < 1e-5);
    snMat4 world[6];
    snModel* back = NULL;
    assert_ok(sn_model_read(test_out_path("trip.bvh"), NULL, &back, NULL));
    // Zero angles are the rest pose.
    test_pose(model, NULL, 0, world);
    snMat4 other[16];
    test_pose(back, NULL, 0, other);
    assert_vec3_near(test_joint_position(back, other, "d"), sn_mat4_translation(&world[3]), 1e-6f);
    sn_model_destroy(model);
    sn_model_destroy(back);
    // Squeezed by scale, the joints still stand where they stood, and a note says what is lost.
    model = make_chain(chain_names, 2.0f);
    d = round_trip(model, "squeezed");
    assert_true(d.degrees < 0.01 && d.metres < 1e-5);
    snNotes notes;
    snWriteDef def = sn_write_def();
    def.notes = &notes;
    assert_ok(sn_model_write(model, test_out_path("trip.bvh"), &def, NULL));
    assert_int_equal(notes.count, 1);
    assert_non_null(strstr(notes.text[0], "scale is lost"));
    sn_model_destroy(model);
}

static const char* const two_bones =
    "HIERARCHY\nROOT hips\n{\n\tOFFSET 0 1 0\n"
    "\tCHANNELS 6 Xposition Yposition Zposition Zrotation Yrotation Xrotation\n"
    "\tJOINT leg\n\t{\n\t\tOFFSET 0 -2.25 0\n\t\tCHANNELS 3 Zrotation Yrotation Xrotation\n"
    "\t\tEnd Site\n\t\t{\n\t\t\tOFFSET 0 3 0\n\t\t}\n\t}\n"
    "\tJOINT arm\n\t{\n\t\tOFFSET 0.5 0 0\n\t\tCHANNELS 3 Zrotation Yrotation Xrotation\n"
    "\t\tEnd Site\n\t\t{\n\t\t\tOFFSET 0 0 0\n\t\t}\n\t}\n}\n"
    "MOTION\nFrames: 2\nFrame Time: 0.25\n0 1 0 0 0 0 0 0 0 0 0 0\n5 6 -7.125 90 0 0 0 0 45 0 -30 0\n";

static void writes_what_it_read(void** state) {
    (void)state;
    snModel* model = test_read("trip.bvh", two_bones, strlen(two_bones), NULL);
    snWriteDef def = sn_write_def();
    def.fps = 4; // its own, which is too slow to be chosen
    assert_ok(sn_model_write(model, test_out_path("trip.bvh"), &def, NULL));
    TestFile file = test_load(test_out_path("trip.bvh"));
    snModel* again = test_read("trip.bvh", file.data, file.size, NULL);
    Difference d = compare(model, model->clips[0], again);
    assert_true(d.degrees < 1e-4 && d.metres < 2e-6); // two float steps where it stands, 8 m out
    // The head of the file, which holds no rounded angle, is the same text.
    size_t head = (size_t)(strstr(two_bones, "5 6 -7") - two_bones);
    assert_memory_equal(file.data, two_bones, head);
    test_file_free(&file);
    sn_model_destroy(model);
    sn_model_destroy(again);
}

static uint32_t count_words(const char* path, const char* word) {
    TestFile file = test_load(path);
    uint32_t count = 0;
    for (size_t i = 0; i + strlen(word) <= file.size; i++) {
        count += memcmp(file.data + i, word, strlen(word)) == 0;
    }
    test_file_free(&file);
    return count;
}

// The two bones with a triangle at the leg's end site, and four clips for it: at rest, and one each that
// turns, moves and scales it.
static snModel* make_ends(bool mesh) {
    snModel *bones = test_read("trip.bvh", two_bones, strlen(two_bones), NULL), *model = NULL;
    const snSkeleton* from = bones->skeleton;
    snSkeletonDef skeleton = {from->joint_count, (const char* const*)from->names, from->parents, from->rest};
    uint32_t end = sn_skeleton_find(from, "leg_end"), starts[] = {0, 3}, corners[] = {0, 1, 2};
    snVec3 positions[] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    snMeshDef triangle = {.vertex_count = 3,
                          .positions = positions,
                          .face_count = 1,
                          .face_starts = starts,
                          .corner_count = 3,
                          .corners = corners};
    snPartDef part = {.name = "shoe", .mesh = &triangle, .joint = end, .skin = SN_NONE};
    float times[] = {0, 1}, turns[] = {0, 0, 0, 1, 0, 0, 1e-6f, -1}, places[] = {0, 3, 0, 0, 3, 0};
    float sizes[] = {1, 1, 1, 1, 1, 1};
    snChannel channels[] = {{end, SN_PATH_ROTATION, SN_INTERPOLATION_LINEAR, 2, 4, times, turns},
                            {end, SN_PATH_TRANSLATION, SN_INTERPOLATION_LINEAR, 2, 3, times, places},
                            {end, SN_PATH_SCALE, SN_INTERPOLATION_LINEAR, 2, 3, times, sizes}};
    snClipDef still = {"still", 0, 3, channels};
    snModelDef def = {
        .skeleton = &skeleton, .part_count = mesh ? 1 : 0, .parts = &part, .clip_count = 1, .clips = &still};
    assert_ok(sn_model_create(&def, NULL, &model, NULL));
    turns[4] = places[3] = sizes[3] = 0.5f;
    for (int i = 0; i < 3; i++) {
        snClipDef moving = {"moving", 0, 1, &channels[i]};
        assert_ok(sn_model_add_clip(model, &moving, NULL));
    }
    sn_model_destroy(bones);
    return model;
}

// An end site that a clip keys, as retargeting does, stays one as long as nothing is lost.
static void end_sites_stay_end_sites(void** state) {
    (void)state;
    static const uint32_t joints[2][4] = {{2, 2, 3, 2}, {2, 3, 3, 3}};
    for (int mesh = 0; mesh < 2; mesh++) {
        snModel* model = make_ends(mesh == 1);
        snWriteDef def = sn_write_def();
        for (def.first_clip = 0; def.first_clip < 4; def.first_clip++) {
            assert_ok(sn_model_write(model, test_out_path("ends.bvh"), &def, NULL));
            assert_int_equal(count_words(test_out_path("ends.bvh"), "JOINT"), joints[mesh][def.first_clip]);
            assert_int_equal(count_words(test_out_path("ends.bvh"), "End Site"), 2);
        }
        sn_model_destroy(model);
    }
}

// A take retargeted onto its own skeleton.
static void retargeted_motion_keeps_its_joints(void** state) {
    (void)state;
    const char* path = test_data_path("motion/cmu_02_01_walk.bvh");
    snModel* model = NULL;
    assert_ok(sn_model_read(path, NULL, &model, NULL));
    assert_int_equal(count_words(path, "JOINT"), 30);
    snJointMap* map = NULL;
    assert_ok(sn_joint_map_create(model->skeleton, model->skeleton, NULL, &map, NULL));
    snRetargetDef def = sn_retarget_def();
    def.source = def.target = model->skeleton;
    def.clip = model->clips[0];
    def.map = map;
    snClip* clip = NULL;
    assert_ok(sn_retarget_clip(&def, NULL, &clip, NULL, NULL));
    snClipDef copy = sn_clip_def(clip);
    assert_ok(sn_model_add_clip(model, &copy, NULL));
    snWriteDef write = sn_write_def();
    write.first_clip = 1;
    assert_ok(sn_model_write(model, test_out_path("walk.bvh"), &write, NULL));
    assert_int_equal(count_words(test_out_path("walk.bvh"), "JOINT"), 30);
    assert_int_equal(count_words(test_out_path("walk.bvh"), "End Site"),
                     count_words(test_data_path("motion/cmu_02_01_walk.bvh"), "End Site"));
    sn_clip_destroy(clip);
    sn_joint_map_destroy(map);
    sn_model_destroy(model);
}

static void follows_the_def(void** state) {
    (void)state;
    static const char* const odd[] = {"", "left arm", "{x}", "d", "e", "tab\tnew\nline"};
    snModel* model = make_chain(odd, 1.0f);
    snNotes notes;
    snWriteDef def = sn_write_def();
    def.notes = &notes;
    def.fps = 60;
    assert_ok(sn_model_write(model, test_out_path("def.bvh"), &def, NULL));
    assert_non_null(strstr(notes.text[0], "4 joints were renamed"));
    TestFile file = test_load(test_out_path("def.bvh"));
    assert_non_null(strstr((const char*)file.data, "Frames: 99\nFrame Time: 0.016666667\n"));
    assert_non_null(strstr((const char*)file.data, "ROOT joint_0\n"));
    assert_non_null(strstr((const char*)file.data, "ROOT tab_new_line\n"));
    test_file_free(&file);
    snError error = sn_error_none();
    def.fps = -1;
    assert_int_equal(sn_model_write(model, test_out_path("no.bvh"), &def, &error),
                     SN_RESULT_INVALID_ARGUMENT);
    def.fps = 1e9f;
    assert_int_equal(sn_model_write(model, test_out_path("no.bvh"), &def, &error), SN_RESULT_LIMIT);
    def = sn_write_def();
    def.first_clip = 1;
    assert_int_equal(sn_model_write(model, test_out_path("no.bvh"), &def, &error), SN_RESULT_NOT_FOUND);
    snMorphBake morphs = {0};
    def = sn_write_def();
    def.morphs = &morphs;
    assert_int_equal(sn_model_write(model, test_out_path("no.bvh"), &def, &error), SN_RESULT_UNSUPPORTED);
    assert_int_equal(sn_model_write(model, test_out_path("no.amc"), NULL, &error), SN_RESULT_UNSUPPORTED);
    assert_non_null(strstr(error.text, "expected one of .glb .gltf .obj .bvh"));
    sn_model_destroy(model);
}

// Without a clip the rest pose is the one frame.
static void writes_the_rest_pose(void** state) {
    (void)state;
    snModel* cube = NULL;
    assert_ok(sn_builtin_cube(1, 1, true, NULL, &cube, NULL));
    assert_ok(sn_model_write(cube, test_out_path("cube.bvh"), NULL, NULL));
    snModel* back = NULL;
    assert_ok(sn_model_read(test_out_path("cube.bvh"), NULL, &back, NULL));
    assert_int_equal(back->skeleton->joint_count, 2); // with the end site
    assert_int_equal(back->clips[0]->channels[0].key_count, 1);
    sn_model_destroy(cube);
    sn_model_destroy(back);
}

static snResult build_trip(const snAllocator* allocator, void* context) {
    (void)context;
    snReadDef def = sn_read_def();
    def.allocator = allocator;
    snModel* model = NULL;
    snResult result = sn_model_read_memory("a.bvh", two_bones, strlen(two_bones), &def, &model, NULL);
    if (result != SN_RESULT_OK) return result;
    result = sn_model_write(model, test_out_path("memory.bvh"), NULL, NULL);
    sn_model_destroy(model);
    return result;
}

static void survives_failing_allocations(void** state) {
    (void)state;
    test_every_allocation(build_trip, NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(body_returns),
        cmocka_unit_test(characters_return),
        cmocka_unit_test(wild_turns_return),
        cmocka_unit_test(writes_what_it_read),
        cmocka_unit_test(end_sites_stay_end_sites),
        cmocka_unit_test(retargeted_motion_keeps_its_joints),
        cmocka_unit_test(follows_the_def),
        cmocka_unit_test(writes_the_rest_pose),
        cmocka_unit_test(survives_failing_allocations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
