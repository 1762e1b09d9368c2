// BVH in.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "format_support.h"

static snModel* read_bvh(const char* text, snNotes* notes) {
    return test_read("walk.bvh", text, strlen(text), notes);
}

static const char* const two_bones =
    "HIERARCHY\nROOT hips\n{\n\tOFFSET 0 1 0\n"
    "\tCHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation\n"
    "\tJOINT upper leg\n\t{\n\t\tOFFSET 0 2 0\n\t\tCHANNELS 3 Zrotation Xrotation Yrotation\n"
    "\t\tEnd Site\n\t\t{\n\t\t\tOFFSET 0 3 0\n\t\t}\n\t}\n}\n"
    "MOTION\nFrames: 2\nFrame Time: 0.25\n0 0 0 0 0 0 0 0 0\n5 6 7 90 0 0 0 90 0\n";

static void reads_joints_and_frames(void** state) {
    (void)state;
    snModel* model = read_bvh(two_bones, NULL);
    const snSkeleton* skeleton = model->skeleton;
    assert_int_equal(skeleton->joint_count, 3);
    assert_int_equal(model->part_count, 0);
    assert_string_equal(skeleton->names[0], "hips");
    assert_string_equal(skeleton->names[1], "upper leg");
    assert_string_equal(skeleton->names[2], "upper leg_end");
    assert_int_equal(skeleton->parents[0], SN_NONE);
    assert_int_equal(skeleton->parents[2], 1);
    assert_int_equal(model->clip_count, 1);
    assert_string_equal(model->clips[0]->name, "walk");
    assert_near(model->clips[0]->duration, 0.25, 0);
    snMat4 world[3];
    test_pose(model, NULL, 0, world);
    assert_vec3_near(sn_mat4_translation(&world[2]), sn_vec3(0, 6, 0), 1e-6f); // rest: the offsets
    test_pose(model, model->clips[0], 0, world);
    assert_vec3_near(sn_mat4_translation(&world[0]), sn_vec3(0, 0, 0), 0); // positions replace the offset
    test_pose(model, model->clips[0], 0.25f, world);
    assert_vec3_near(sn_mat4_translation(&world[0]), sn_vec3(5, 6, 7), 0);
    assert_vec3_near(sn_mat4_translation(&world[1]), sn_vec3(3, 6, 7), 1e-5f); // up turned about z by 90
    // The leg turns about its x, which the hips' turn made the world's y: its own up becomes z.
    assert_vec3_near(sn_mat4_translation(&world[2]), sn_vec3(3, 6, 10), 1e-5f);
    sn_model_destroy(model);
}

// All six orders: the file's first channel is the outermost rotation.
static void multiplies_in_the_order_of_channels(void** state) {
    (void)state;
    static const char* const orders[] = {"XYZ", "XZY", "YXZ", "YZX", "ZXY", "ZYX"};
    for (int o = 0; o < 6; o++) {
        char text[512];
        const char* axes = orders[o];
        snprintf(text, sizeof text,
                 "HIERARCHY ROOT a { OFFSET 0 0 0 CHANNELS 3 %crotation %crotation %crotation\n"
                 "End Site { OFFSET 1 2 3 } }\nMOTION Frames: 1 Frame Time: 0\n30 50 70\n",
                 axes[0], axes[1], axes[2]);
        snModel* model = read_bvh(text, NULL);
        snVec3 expected = {1, 2, 3};
        const float degrees[] = {30, 50, 70};
        for (int i = 2; i >= 0; i--) {
            snVec3 axis = {axes[i] == 'X', axes[i] == 'Y', axes[i] == 'Z'};
            expected = sn_quat_rotate(sn_quat_axis_angle(axis, degrees[i] * SN_PI / 180), expected);
        }
        snMat4 world[2];
        test_pose(model, model->clips[0], 0, world);
        assert_vec3_near(sn_mat4_translation(&world[1]), expected, 1e-5f);
        sn_model_destroy(model);
    }
}

static void takes_what_programs_write(void** state) {
    (void)state;
    snNotes notes;
    // CR only, lower case, glued braces, several roots, no channels, some positions, scale, blank lines.
    snModel* model =
        read_bvh("\xef\xbb\xbf  hierarchy\r\rroot a {\r offset 1 2 3\r channels 2 yposition xrotation\r}\r"
                 "ROOT b\r{ OFFSET 4 5 6\r CHANNELS 0\r JOINT c {\r OFFSET 0 0 1\r"
                 "CHANNELS 4 Xscale Yscale Zscale Zrotation\r END SITE\r{OFFSET 0 0 0\r} } }\rmotion\r"
                 "frames : 2\rFRAME  TIME:\t.5\r\r 9 90 1 1 1 0 \r\r9\t90\t2 2 2 90\r\r\r",
                 &notes);
    assert_int_equal(model->skeleton->joint_count, 4);
    assert_int_equal(model->skeleton->parents[1], SN_NONE);
    assert_int_equal(model->clips[0]->channel_count, 3); // a: place and turn, c: turn
    snMat4 world[4];
    test_pose(model, model->clips[0], 0.5f, world);
    assert_vec3_near(sn_mat4_translation(&world[0]), sn_vec3(1, 9, 3), 0); // x and z keep the offset
    assert_int_equal(notes.count, 1);
    assert_string_equal(notes.text[0], "scale channels were ignored");
    sn_model_destroy(model);
    model = read_bvh("HIERARCHY\nROOT a\n{\nOFFSET 1 2 3\nCHANNELS 1 Xrotation\n}\nMOTION\nFrames: 0\n"
                     "Frame Time: 0\n",
                     &notes);
    assert_int_equal(model->clip_count, 0);
    assert_int_equal(notes.count, 1);
    sn_model_destroy(model);
    model = read_bvh(
        "HIERARCHY\nROOT a\n{\nCHANNELS 1 Xrotation\n}\nMOTION\nFrames: 1\nFrame Time: 1\n1\n2\n", &notes);
    assert_non_null(strstr(notes.text[0], "line 10"));
    sn_model_destroy(model);
}

#define HEAD "HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS 2 Xrotation Yrotation\n}\nMOTION\n"

static void names_the_line(void** state) {
    (void)state;
    static const TestRefusal cases[] = {
        {"", "walk.bvh:1: expected HIERARCHY, found the end of the file"},
        {"\x89PNG\r\n", "expected HIERARCHY, found ?PNG"},
        {"HIERARCHY\nJOINT a", "walk.bvh:2: expected ROOT or MOTION, found JOINT"},
        {"HIERARCHY\nROOT\n", "expected a joint's name, found the end of the line"},
        {"HIERARCHY\nROOT a\nOFFSET 0 0 0", "walk.bvh:3: expected {, found OFFSET"},
        {"HIERARCHY\nROOT a\n{\n{", "walk.bvh:4: there is a { too many"},
        {"HIERARCHY\n}", "there is a } too many"},
        {"HIERARCHY\nROOT a\n{\n", "walk.bvh:4: expected }, found the end of the file"},
        {"HIERARCHY\nROOT a\n{\n}\n", "expected MOTION, found the end of the file"},
        {"HIERARCHY\nMOTION\n", "the hierarchy has no joints"},
        {"HIERARCHY\nEnd Site\n", "expected ROOT or MOTION, found End"},
        {"HIERARCHY\nROOT a\n{\nOFFSET 0 x 0\n", "walk.bvh:4: expected a number, found x"},
        {"HIERARCHY\nROOT a\n{\nOFFSET 0 1e99 0\n", "expected a number that fits a float"},
        {"HIERARCHY\nROOT a\n{\nCHANNELS 3 Xrotation Wrotation", "a channel such as Xposition"},
        {"HIERARCHY\nROOT a\n{\nCHANNELS 13 Xrotation", "a whole number up to 12"},
        {"HIERARCHY\nROOT a\n{\nCHANNELS 1 Xrotation\nCHANNELS 1 Xrotation", "CHANNELS twice"},
        {"HIERARCHY\nROOT a\n{\nEnd Site\n{\nCHANNELS 1 Xrotation", "expected only an OFFSET"},
        {"HIERARCHY\nROOT a\n{\nEnd Site\n{\nJOINT b\n", "expected OFFSET or }"},
        {HEAD "Frames 2", "walk.bvh:8: expected Frames:"},
        {HEAD "Frames: -2", "expected a whole number, found -2"},
        {HEAD "Frames: 2\nTime: 1", "walk.bvh:9: expected Frame Time:"},
        {HEAD "Frames: 2\nFrame Time: 0\n1 2\n3 4", "walk.bvh:9: the frame time is 0 s"},
        {HEAD "Frames: 2\nFrame Time: 3e38\n1 2\n3 4", "below infinity"},
        {HEAD "Frames: 2\nFrame Time: 1\n1 2\n3\n", "walk.bvh:11: frame 2 has 1 values, expected 2"},
        {HEAD "Frames: 2\nFrame Time: 1\n1 2 3\n4 5", "walk.bvh:10: frame 1 has 3 values, expected 2"},
        {HEAD "Frames: 2\nFrame Time: 1\n1 200000\n", "walk.bvh:11: the file ends after 1 of 2 frames"},
        {HEAD "Frames: 2\nFrame Time: 1\n1 nan\n3 4", "walk.bvh:10: expected a number, found nan"},
        {HEAD "Frames: 2000000000\nFrame Time: 1\n1 2\n3 4", "walk.bvh:8: there are 2000000000 frames of 2"},
        {HEAD "Frames: 99999999999999999999", "a whole number up to 2147483647"},
    };
    test_refuse_texts("walk.bvh", cases, sizeof cases / sizeof cases[0]);
}

static void scales_by_the_unit(void** state) {
    (void)state;
    snReadDef def = sn_read_def();
    def.unit = 0.01f;
    snModel* model = NULL;
    assert_ok(sn_model_read_memory("a.bvh", two_bones, strlen(two_bones), &def, &model, NULL));
    assert_vec3_near(model->skeleton->rest[1].translation, sn_vec3(0, 0.02f, 0), 1e-8f);
    snMat4 world[3];
    test_pose(model, model->clips[0], 0.25f, world);
    assert_vec3_near(sn_mat4_translation(&world[0]), sn_vec3(0.05f, 0.06f, 0.07f), 1e-7f);
    sn_model_destroy(model);
}

// Twenty thousand joints one below the other, and as many frames: no recursion, no quadratic time.
static void takes_huge_files(void** state) {
    (void)state;
    const int count = (int)test_rounds(20000);
    char* text = malloc((size_t)count * 64);
    assert_non_null(text);
    size_t at = (size_t)sprintf(text, "HIERARCHY\nROOT j {\nOFFSET 0 1 0\nCHANNELS 1 Xrotation\n");
    for (int i = 0; i < count; i++) at += (size_t)sprintf(text + at, "JOINT j%d {\nOFFSET 0 1 0\n", i);
    for (int i = 0; i <= count; i++) at += (size_t)sprintf(text + at, "}");
    at += (size_t)sprintf(text + at, "\nMOTION\nFrames: %d\nFrame Time: 0.01\n", count);
    for (int i = 0; i < count; i++) at += (size_t)sprintf(text + at, "%d\n", i);
    snModel* model = test_read("huge.bvh", text, at, NULL);
    assert_int_equal(model->skeleton->joint_count, count + 1);
    assert_int_equal(model->clips[0]->channels[0].key_count, count);
    sn_model_destroy(model);
    free(text);
}

static void survives_anything(void** state) {
    (void)state;
    test_survives_changes("walk.bvh", two_bones, strlen(two_bones), 500);
    test_survives_failing_allocations("walk.bvh", two_bones, strlen(two_bones));
    test_keeps_the_limit("walk.bvh", two_bones, strlen(two_bones));
}

static void reads_real_takes(void** state) {
    (void)state;
    static const struct {
        const char* path;
        uint32_t frames;
    } takes[] = {{"motion/cmu_02_01_walk.bvh", 344}, {"motion/cmu_49_06_cartwheel.bvh", 482}};
    for (int i = 0; i < 2; i++) {
        const char* path = test_data_path(takes[i].path);
        snModel* model = NULL;
        assert_ok(sn_model_read(path, NULL, &model, NULL));
        uint32_t ends = 0;
        for (uint32_t j = 0; j < model->skeleton->joint_count; j++) {
            const char* name = model->skeleton->names[j];
            size_t length = strlen(name);
            ends += length > 4 && strcmp(name + length - 4, "_end") == 0;
        }
        assert_int_equal(model->skeleton->joint_count - ends, 31);
        assert_int_equal(model->clips[0]->channels[0].key_count, takes[i].frames);
        assert_near(model->clips[0]->duration, (takes[i].frames - 1) / 120.0, 1e-3);
        sn_model_destroy(model);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_joints_and_frames),   cmocka_unit_test(multiplies_in_the_order_of_channels),
        cmocka_unit_test(takes_what_programs_write), cmocka_unit_test(names_the_line),
        cmocka_unit_test(scales_by_the_unit),        cmocka_unit_test(takes_huge_files),
        cmocka_unit_test(survives_anything),         cmocka_unit_test(reads_real_takes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
