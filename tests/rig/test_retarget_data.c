// Real motion on real characters, with no map given.
#include "sinew/io.h"
#include "support.h"

static snModel* read_data(const char* name) {
    const char* path = test_data_path(name);
    if (path == NULL) return NULL;
    snReadDef def = sn_read_def();
    snModel* model = NULL;
    snError error = sn_error_none();
    if (sn_model_read(path, &def, &model, &error) != SN_RESULT_OK) fail_msg("%s: %s", name, error.text);
    return model;
}

static snModel* read_character(const char* name) {
    if (name != NULL) return read_data(name);
    snBodyDef def = sn_body_def();
    def.vertex_target = 1000;
    snModel* model = NULL;
    assert_ok(sn_builtin_body(&def, NULL, &model, NULL));
    return model;
}

static const char* const characters[] = {NULL,
                                         "characters/kaykit_Knight.glb",
                                         "characters/RiggedFigure.glb",
                                         "characters/RobotExpressive.glb",
                                         "characters/mh_default.mhskel",
                                         "characters/quat_modular_men_Casual.glb",
                                         "characters/quat_modular_women_Witch.glb"};
static const char* const motions[] = {"motion/cmu_02_01_walk.bvh", "motion/cmu_49_06_cartwheel.bvh",
                                      "motion/cmu_02_01_walk.amc"};

static snClip* retarget(const snModel* motion, const snModel* character, float fps, snRetargetReport* report,
                        float* score) {
    snJointMap* map = NULL;
    assert_ok(sn_joint_map_create(motion->skeleton, character->skeleton, NULL, &map, NULL));
    *score = map->score;
    snRetargetDef def = sn_retarget_def();
    def.source = motion->skeleton;
    def.clip = motion->clips[0];
    def.target = character->skeleton;
    def.map = map;
    def.fps = fps;
    def.from = 1.1f / 120.0f; // the BVH files begin with a T-pose
    snClip* clip = NULL;
    assert_ok(sn_retarget_clip(&def, NULL, &clip, report, NULL));
    sn_joint_map_destroy(map);
    return clip;
}

// Issue of the whole room: every pair maps surely, no planted foot slides, floats or sinks by 1 % of the
// height.
static void mocap_on_every_character(void** state) {
    (void)state;
    for (size_t m = 0; m < sizeof motions / sizeof motions[0]; m++) {
        snModel* motion = read_data(motions[m]);
        if (motion == NULL) skip();
        for (size_t c = 0; c < sizeof characters / sizeof characters[0]; c++) {
            snModel* character = read_character(characters[c]);
            assert_non_null(character);
            snRetargetReport report;
            float score = 0.0f;
            sn_clip_destroy(retarget(motion, character, 120.0f, &report, &score));
            assert_true(report.foot_slide_max < 0.01f * report.height);
            snClip* clip = retarget(motion, character, 30.0f, &report, &score);
            print_message("%-26s on %-36s score %.2f, slide %.2f %% -> %.2f %%, off the ground %.2f %%\n",
                          motions[m], characters[c] != NULL ? characters[c] : "built-in body", (double)score,
                          (double)(100.0f * report.foot_slide_before / report.height),
                          (double)(100.0f * report.foot_slide_max / report.height),
                          (double)(100.0f * report.foot_height_max / report.height));
            assert_true(score > 0.8f);
            assert_true(report.contacts >= 2);
            assert_true(report.foot_slide_max < 0.01f * report.height);
            assert_true(report.foot_height_max < 0.01f * report.height);
            sn_clip_destroy(clip);
            sn_model_destroy(character);
        }
        sn_model_destroy(motion);
    }
}

typedef struct Limb {
    const char* source[2];
    const char* target[2];
} Limb;

static snVec3 bone(const snModel* model, const snClip* clip, float time, const char* const names[2]) {
    static snTrs locals[512];
    static snMat4 world[512];
    const snSkeleton* s = model->skeleton;
    assert_true(s->joint_count <= 512);
    for (uint32_t j = 0; j < s->joint_count; j++) locals[j] = s->rest[j];
    sn_clip_sample(clip, time, SN_WRAP_CLAMP, s->joint_count, locals);
    sn_skeleton_world(s, locals, world);
    snVec3 a = sn_mat4_translation(&world[sn_skeleton_find(s, names[0])]);
    snVec3 b = sn_mat4_translation(&world[sn_skeleton_find(s, names[1])]);
    return sn_normalize_or(sn_sub(b, a), sn_vec3(0, 1, 0));
}

// Arms of a T-posed motion on an A-posed, a T-posed and a bent-armed character point the same way in space.
static void arms_point_the_same_way(void** state) {
    (void)state;
    static const struct {
        const char* file;
        Limb limbs[2];
    } cases[] = {
        {"characters/kaykit_Knight.glb",
         {{{"LeftArm", "LeftForeArm"}, {"upperarm.l", "lowerarm.l"}},
          {{"RightForeArm", "RightHand"}, {"lowerarm.r", "wrist.r"}}}},
        {"characters/RiggedFigure.glb",
         {{{"LeftArm", "LeftForeArm"}, {"arm_joint_L_1", "arm_joint_L_2"}},
          {{"RightForeArm", "RightHand"}, {"arm_joint_R_2", "arm_joint_R_3"}}}},
        {"characters/RobotExpressive.glb",
         {{{"LeftArm", "LeftForeArm"}, {"UpperArm.L", "LowerArm.L"}},
          {{"RightForeArm", "RightHand"}, {"LowerArm.R", "Palm2.R"}}}},
        {"characters/mh_default.mhskel",
         {{{"LeftArm", "LeftForeArm"}, {"upperarm01.L", "lowerarm01.L"}},
          {{"RightForeArm", "RightHand"}, {"lowerarm01.R", "wrist.R"}}}},
    };
    snModel* motion = read_data(motions[1]);
    if (motion == NULL) skip();
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        snModel* character = read_data(cases[c].file);
        snRetargetReport report;
        float score = 0.0f;
        snClip* clip = retarget(motion, character, 30.0f, &report, &score);
        for (uint32_t f = 0; f < report.frames; f += 7) {
            for (int i = 0; i < 2; i++) {
                float time = (float)f / 30.0f;
                snVec3 a = bone(motion, motion->clips[0], 1.1f / 120.0f + time, cases[c].limbs[i].source);
                snVec3 b = bone(character, clip, time, cases[c].limbs[i].target);
                // MakeHuman's upper arm is two bones with a kink between them, which the twist turns.
                assert_vec3_near(a, b, c == 3 ? 1e-2f : 1e-3f);
            }
        }
        sn_clip_destroy(clip);
        sn_model_destroy(character);
    }
    sn_model_destroy(motion);
}

static void animals_are_told_apart(void** state) {
    (void)state;
    static const char* const animals[] = {"characters/Fox.glb", "characters/quat_animals_pack_Horse.glb",
                                          "characters/quat_dinosaurs_pack_Trex.glb"};
    snModel* motion = read_data(motions[0]);
    if (motion == NULL) skip();
    for (int i = 0; i < 3; i++) {
        snModel* animal = read_data(animals[i]);
        snJointMap* map = NULL;
        assert_ok(sn_joint_map_create(motion->skeleton, animal->skeleton, NULL, &map, NULL));
        assert_true(map->score < SN_JOINT_MAP_USABLE);
        sn_joint_map_destroy(map);
        // Its own motion it takes, by its own names.
        assert_ok(sn_joint_map_create(animal->skeleton, animal->skeleton, NULL, &map, NULL));
        assert_true(map->score > 0.95f);
        sn_joint_map_destroy(map);
        sn_model_destroy(animal);
    }
    sn_model_destroy(motion);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mocap_on_every_character),
        cmocka_unit_test(arms_point_the_same_way),
        cmocka_unit_test(animals_are_told_apart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
