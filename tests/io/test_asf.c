// ASF and AMC in; the same take as BVH.
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "format_support.h"

static const char* const arm_asf =
    "# an arm\n:version 1.10\n:name arm\n:units\n mass 1\n length 0.5\n angle deg\n:documentation\n free "
    "text\n"
    ":root\n order TX TY TZ RX RY RZ\n axis XYZ\n position 0 0 0\n orientation 0 0 0\n"
    ":bonedata\n begin\n id 1\n name upper\n direction 2 0 0\n length 10\n axis 0 0 90 XYZ\n dof rx rz\n"
    " limits (-10 10)\n  (-20 20)\n end\n"
    " begin\n id 2\n name lower\n direction 1 0 0\n length 5\n axis 0 0 0 XYZ\n dof l\n end\n"
    ":hierarchy\n begin\n root upper\n upper lower\n end\n";
static const char* const arm_amc = "#\n:FULLY-SPECIFIED\n:DEGREES\n1\nroot 1 2 3 0 0 0\nupper 0 0\nlower 0\n"
                                   "2\nroot 0 0 0 0 90 0\nupper 90 0\nlower 3\n";

// Writes the skeleton into a folder of its own and returns the path of a motion there.
static const char* folder_with(const char* folder, const char* const* names, size_t count,
                               const char* motion) {
    static char path[1024];
    char name[128];
    mkdir(test_out_path(folder), 0777);
    for (size_t i = 0; i < count; i++) {
        snprintf(name, sizeof name, "%s/%s", folder, names[i]);
        assert_ok(sn_file_write(test_out_path(name), arm_asf, strlen(arm_asf), NULL));
    }
    snprintf(name, sizeof name, "%s/%s", folder, motion);
    assert_ok(sn_file_write(test_out_path(name), arm_amc, strlen(arm_amc), NULL));
    snprintf(path, sizeof path, "%s", test_out_path(name));
    return path;
}

static const char* only_skeleton(void) {
    static char path[1024];
    const char* name = "arm.asf";
    folder_with("asf_only", &name, 1, "walk.amc");
    snprintf(path, sizeof path, "%s", test_out_path("asf_only/arm.asf"));
    return path;
}

static const float inch = 0.0254f / 0.5f; // metres per file unit of the arm

static void reads_the_skeleton(void** state) {
    (void)state;
    snModel* model = test_read("arm.asf", arm_asf, strlen(arm_asf), NULL);
    assert_int_equal(model->skeleton->joint_count, 4); // root, upper, lower, lower_end
    assert_int_equal(model->clip_count, 0);
    snMat4 world[4];
    test_pose(model, NULL, 0, world);
    assert_vec3_near(test_joint_position(model, world, "upper"), sn_vec3(0, 0, 0), 0);
    assert_vec3_near(test_joint_position(model, world, "lower"), sn_vec3(10 * inch, 0, 0), 1e-6f);
    assert_vec3_near(test_joint_position(model, world, "lower_end"), sn_vec3(15 * inch, 0, 0), 1e-6f);
    sn_model_destroy(model);
}

static void turns_in_the_bone_s_frame(void** state) {
    (void)state;
    snReadDef def = sn_read_def();
    def.companion = only_skeleton();
    snModel* model = NULL;
    assert_ok(sn_model_read_memory("walk.amc", arm_amc, strlen(arm_amc), &def, &model, NULL));
    const snClip* clip = model->clips[0];
    assert_string_equal(clip->name, "walk");
    assert_near(clip->duration, 1.0 / 120, 1e-8);
    snMat4 world[4];
    test_pose(model, clip, 0, world);
    assert_vec3_near(test_joint_position(model, world, "root"), sn_vec3(inch, 2 * inch, 3 * inch), 1e-6f);
    test_pose(model, clip, clip->duration, world);
    // The frame is turned about z by 90: its x axis is the world's y. Turning about it by 90 after the root's
    // 90 about y sends the bone from +x to -z, then to -x.
    assert_vec3_near(test_joint_position(model, world, "lower"), sn_vec3(-10 * inch, 0, 0), 1e-6f);
    assert_vec3_near(test_joint_position(model, world, "lower_end"), sn_vec3(-18 * inch, 0, 0), 1e-6f);
    sn_model_destroy(model);
}

// The same motion in radians and with the root's channels in another order.
static void reads_radians_and_orders(void** state) {
    (void)state;
    char asf[1024], amc[] = ":RADIANS\n1\nroot 0 1.57079633 0 5 6 7\nupper 1.57079633 0\nlower 0\n";
    snprintf(asf, sizeof asf, "%s", arm_asf);
    memcpy(strstr(asf, "TX TY TZ RX RY RZ"), "RX RY RZ TZ TY TX", 17);
    assert_ok(sn_file_write(test_out_path("radians.asf"), asf, strlen(asf), NULL));
    char companion[1024];
    snprintf(companion, sizeof companion, "%s", test_out_path("radians.asf"));
    snReadDef def = sn_read_def();
    def.companion = companion;
    snModel* model = NULL;
    assert_ok(sn_model_read_memory("a.amc", amc, strlen(amc), &def, &model, NULL));
    snMat4 world[4];
    test_pose(model, model->clips[0], 0, world);
    assert_vec3_near(test_joint_position(model, world, "root"), sn_vec3(7 * inch, 6 * inch, 5 * inch), 1e-6f);
    assert_vec3_near(test_joint_position(model, world, "lower"), sn_vec3(-3 * inch, 6 * inch, 5 * inch),
                     1e-6f);
    sn_model_destroy(model);
}

// A skeleton without any degree of freedom: frames without values, and no clip.
static void reads_a_stiff_skeleton(void** state) {
    (void)state;
    const char* stiff = ":bonedata\nbegin\nname a\nend\n:hierarchy\nroot a\n";
    assert_ok(sn_file_write(test_out_path("stiff.asf"), stiff, strlen(stiff), NULL));
    char companion[1024];
    snprintf(companion, sizeof companion, "%s", test_out_path("stiff.asf"));
    snReadDef def = sn_read_def();
    def.companion = companion;
    snModel* model = NULL;
    assert_ok(sn_model_read_memory("a.amc", "1\na\nroot\n2\nroot\na\n", 18, &def, &model, NULL));
    assert_int_equal(model->skeleton->joint_count, 3);
    assert_int_equal(model->clip_count, 0);
    sn_model_destroy(model);
}

static void finds_its_skeleton(void** state) {
    (void)state;
    static const char* const two[] = {"02.asf", "02_01.asf"};
    static const char* const others[] = {"x.asf", "y.asf"};
    snModel* model = NULL;
    const char* walk = folder_with("asf_two", two, 2, "02_01_walk.amc");
    // The longer beginning wins: the other is no skeleton at all.
    assert_ok(sn_file_write(test_out_path("asf_two/02.asf"), "junk", 4, NULL));
    assert_ok(sn_model_read(walk, NULL, &model, NULL));
    sn_model_destroy(model);
    only_skeleton();
    assert_ok(sn_model_read(test_out_path("asf_only/walk.amc"), NULL, &model, NULL));
    sn_model_destroy(model);
    model = NULL;
    snError error = sn_error_none();
    const char* lost = folder_with("asf_lost", others, 2, "walk.amc");
    assert_int_equal(sn_model_read(lost, NULL, &model, &error), SN_RESULT_NOT_FOUND);
    assert_non_null(strstr(error.text, "looked for walk.asf"));
    assert_non_null(strstr(error.text, "it has 2"));
    snReadDef def = sn_read_def();
    def.companion = "/nowhere/at/all.asf";
    assert_int_equal(sn_model_read(lost, &def, &model, &error), SN_RESULT_IO);
    assert_string_equal(error.file, def.companion);
    test_refuse("a.amc", arm_amc, strlen(arm_amc), SN_RESULT_NOT_FOUND, "has no skeleton");
    assert_null(model);
}

#define BONE ":bonedata\nbegin\nname a\ndirection 1 0 0\nlength 1\nend\n"

static void names_the_line_of_a_skeleton(void** state) {
    (void)state;
    static const TestRefusal cases[] = {
        {"", "arm.asf:1: expected :bonedata, found the end of the file"},
        {"hello", "arm.asf:1: expected a section such as :units, found hello"},
        {":units\nlength 0\n", "arm.asf:2: the length unit is 0, expected above 0"},
        {":units\nlength x\n", "arm.asf:2: expected a number, found x"},
        {":units\nangle grad\n", "expected deg or rad, found grad"},
        {":root\norder TX TW\n", "arm.asf:2: expected a degree of freedom"},
        {":root\naxis XYY\n", "an order of axes such as XYZ, found XYY"},
        {":root\nposition 0 0\n", "expected a number, found the end of the line"},
        {":bonedata\nname a\n", "arm.asf:2: expected begin, found name"},
        {":bonedata\nbegin\nname a\n", "expected end, found the end of the file"},
        {":bonedata\nbegin\nend\n", "arm.asf:3: a bone has no name"},
        {":bonedata\nbegin\nname a\nname b\nend\n", "arm.asf:4: a bone has two names"},
        {":bonedata\nbegin\nname\nend\n", "expected a bone's name"},
        {BONE "begin\nname a\nend\n", "arm.asf:8: the bone a already exists"},
        {BONE "begin\nname root\nend\n", "the bone root already exists"},
        {BONE "begin\nname b\ndof rx ry rz rx ry rz l tx\nend\n", "has too many degrees of freedom"},
        {BONE, "expected :hierarchy"},
        {BONE ":hierarchy\nroot b\n", "arm.asf:8: expected the name of a bone, found b"},
        {BONE ":hierarchy\nroot a\nroot a\n", "arm.asf:9: bone a has a parent already"},
        {BONE ":hierarchy\na root\n", "or is the root"},
        {BONE ":hierarchy\nbegin\nend\n", "bone a is not in the :hierarchy"},
        {BONE ":hierarchy\na a\n", "cycle"},
        {":units\nlength 1e-45\n" BONE ":hierarchy\nroot a\n", "does not fit a float"},
        {":bonedata\nbegin\nname a\ndirection 1 0 0\nlength 3e38\nend\n:units\nlength 1e-3\n:hierarchy\nroot "
         "a\n",
         "longer than fits a float"},
    };
    test_refuse_texts("arm.asf", cases, sizeof cases / sizeof cases[0]);
}

static void names_the_line_of_a_motion(void** state) {
    (void)state;
    static const TestRefusal cases[] = {
        {":DEGREES\n", "expected the number of a frame, found the end of the file"},
        {"root 0 0 0 0 0 0\n", "walk.amc:1: expected the number of a frame, found root"},
        {"1\nhead 0\n", "walk.amc:2: expected the name of a bone of the skeleton, found head"},
        {"1\nupper 0\n", "walk.amc:2: expected a number, found the end of the line"},
        {"1\nupper 0 0 0\n", "walk.amc:2: expected the end of the line, found 0"},
        {"1\nlower 0\nlower 0\n", "walk.amc:3: frame 1 sets bone lower twice"},
        {"1\nlower 0\nupper 0 0\n2\nlower 0\n3\n", "walk.amc:6: frame 2 ends with 1 bones, expected the 2"},
        {"1\nlower 0\nupper 0 0\n2\nlower 0\n", "frame 2 ends with 1 bones"},
        {"1x\n", "expected a whole number, found 1x"},
    };
    snReadDef def = sn_read_def();
    def.companion = only_skeleton();
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        snModel* model = NULL;
        snError error = sn_error_none();
        char text[768];
        assert_int_equal(
            sn_model_read_memory("walk.amc", cases[i].text, strlen(cases[i].text), &def, &model, &error),
            SN_RESULT_BAD_DATA);
        sn_error_format(&error, text, sizeof text);
        if (strstr(text, cases[i].sentence) == NULL) fail_msg("%s is not in %s", cases[i].sentence, text);
    }
    // Bones that the motion never mentions are no mistake.
    snNotes notes;
    snModel* model = NULL;
    def.notes = &notes;
    assert_ok(sn_model_read_memory("walk.amc", "1\nlower 0\n", 10, &def, &model, NULL));
    assert_string_equal(notes.text[0], "2 bones have no motion and keep their rest pose");
    sn_model_destroy(model);
}

static void survives_anything(void** state) {
    (void)state;
    test_survives_changes("arm.asf", arm_asf, strlen(arm_asf), 300);
    test_survives_failing_allocations("arm.asf", arm_asf, strlen(arm_asf));
    test_keeps_the_limit("arm.asf", arm_asf, strlen(arm_asf));
    static const char* const names[] = {"a.asf", "b.asf"};
    char path[1024];
    snprintf(path, sizeof path, "%s", folder_with("asf_memory", names, 2, "a_walk.amc"));
    test_every_allocation(test_build_path, path);
    test_survives_changes(path, arm_amc, strlen(arm_amc), 200); // the name exists, so the skeleton is found
}

// ------------------------------------------------------------------------------------ the same take as BVH

// The start of each bone in both files. Above the spine the BVH lacks the thorax, so that everything there
// sits lower by that bone's vector of the moment.
static const struct {
    const char *asf, *bvh;
    bool above;
} pairs[] = {
    {"root", "Hips", false},
    {"lhipjoint", "LHipJoint", false},
    {"lfemur", "LeftUpLeg", false},
    {"ltibia", "LeftLeg", false},
    {"lfoot", "LeftFoot", false},
    {"ltoes", "LeftToeBase", false},
    {"ltoes_end", "LeftToeBase_end", false},
    {"rhipjoint", "RHipJoint", false},
    {"rfemur", "RightUpLeg", false},
    {"rtibia", "RightLeg", false},
    {"rfoot", "RightFoot", false},
    {"rtoes", "RightToeBase", false},
    {"rtoes_end", "RightToeBase_end", false},
    {"lowerback", "LowerBack", false},
    {"upperback", "Spine", false},
    {"thorax", "Spine1", false},
    {"lowerneck", "Neck", true},
    {"upperneck", "Neck1", true},
    {"head", "Head", true},
    {"head_end", "Head_end", true},
    {"lclavicle", "LeftShoulder", true},
    {"lhumerus", "LeftArm", true},
    {"lradius", "LeftForeArm", true},
    {"lwrist", "LeftHand", true},
    {"rclavicle", "RightShoulder", true},
    {"rhumerus", "RightArm", true},
    {"rradius", "RightForeArm", true},
    {"rwrist", "RightHand", true},
};

static void agrees_with_the_bvh_of_the_take(void** state) {
    (void)state;
    snModel *amc = NULL, *bvh = NULL;
    assert_ok(sn_model_read(test_data_path("motion/cmu_02_01_walk.amc"), NULL, &amc, NULL));
    snReadDef def = sn_read_def();
    def.unit = 0.0254f / 0.45f; // the unit that the ASF states and BVH cannot
    assert_ok(sn_model_read(test_data_path("motion/cmu_02_01_walk.bvh"), &def, &bvh, NULL));
    const snClip *a = amc->clips[0], *b = bvh->clips[0];
    assert_int_equal(a->channels[0].key_count, 343);
    snMat4 amc_world[64], bvh_world[64];
    float below = 0.0f, above = 0.0f;
    for (uint32_t f = 0; f < 343; f++) {
        test_pose(amc, a, a->channels[0].times[f], amc_world);
        test_pose(bvh, b, b->channels[0].times[f + 1], bvh_world); // frame 0 is an added T-pose
        snVec3 thorax = sn_sub(test_joint_position(amc, amc_world, "lowerneck"),
                               test_joint_position(amc, amc_world, "thorax"));
        for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
            snVec3 p = test_joint_position(amc, amc_world, pairs[i].asf);
            snVec3 q = test_joint_position(bvh, bvh_world, pairs[i].bvh);
            float distance = sn_distance(pairs[i].above ? sn_sub(p, thorax) : p, q);
            if (pairs[i].above)
                above = sn_maxf(above, distance);
            else
                below = sn_maxf(below, distance);
        }
    }
    print_message("largest distance: %.4f mm up to Spine1, %.4f mm above\n", (double)below * 1e3,
                  (double)above * 1e3);
    assert_true(below < 1e-4f);
    assert_true(above < 1e-4f);
    sn_model_destroy(amc);
    sn_model_destroy(bvh);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_the_skeleton),
        cmocka_unit_test(turns_in_the_bone_s_frame),
        cmocka_unit_test(reads_radians_and_orders),
        cmocka_unit_test(reads_a_stiff_skeleton),
        cmocka_unit_test(finds_its_skeleton),
        cmocka_unit_test(names_the_line_of_a_skeleton),
        cmocka_unit_test(names_the_line_of_a_motion),
        cmocka_unit_test(survives_anything),
        cmocka_unit_test(agrees_with_the_bvh_of_the_take),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
