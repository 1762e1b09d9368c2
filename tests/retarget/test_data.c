// Real motion on real characters, with no map given.
#include <stdio.h>

#include "sinew/io.h"
#include "support.h"

static snModel* read_data(const char* name) {
    const char* path = test_data_path(name);
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

static snClip* retarget_as(const snModel* motion, const snModel* character, snRetargetDef def,
                           snRetargetReport* report, float* confidence) {
    snJointMap* map = NULL;
    assert_ok(sn_joint_map_create(motion->skeleton, character->skeleton, NULL, &map, NULL));
    *confidence = map->confidence;
    def.source = motion->skeleton;
    def.clip = motion->clips[0];
    def.target = character->skeleton;
    def.map = map;
    def.from = def.motion_from = 1.1f / 120.0f; // the BVH files begin with a T-pose
    snClip* clip = NULL;
    assert_ok(sn_retarget_clip(&def, NULL, &clip, report, NULL));
    sn_joint_map_destroy(map);
    return clip;
}

static snClip* retarget(const snModel* motion, const snModel* character, float fps, snRetargetReport* report,
                        float* confidence) {
    snRetargetDef def = sn_retarget_def();
    def.fps = fps;
    return retarget_as(motion, character, def, report, confidence);
}

// Issue of the whole room: every pair maps surely, no planted foot slides, floats or sinks by 1 % of the
// height.
static void mocap_on_every_character(void** state) {
    (void)state;
    for (size_t m = 0; m < sizeof motions / sizeof motions[0]; m++) {
        snModel* motion = read_data(motions[m]);
        for (size_t c = 0; c < sizeof characters / sizeof characters[0]; c++) {
            snModel* character = read_character(characters[c]);
            assert_non_null(character);
            snRetargetReport report;
            float confidence = 0.0f;
            sn_clip_destroy(retarget(motion, character, 120.0f, &report, &confidence));
            assert_true(report.foot_slide_max < 0.01f * report.height);
            snClip* clip = retarget(motion, character, 30.0f, &report, &confidence);
            print_message(
                "%-26s on %-36s confidence %.2f, slide %.2f %% -> %.2f %%, off the ground %.2f %%\n",
                motions[m], characters[c] != NULL ? characters[c] : "built-in body", (double)confidence,
                (double)(100.0f * report.foot_slide_before / report.height),
                (double)(100.0f * report.foot_slide_max / report.height),
                (double)(100.0f * report.foot_height_max / report.height));
            assert_true(confidence > 0.8f);
            assert_true(report.contacts >= 2);
            assert_true(report.foot_slide_max < 0.01f * report.height);
            assert_true(report.foot_height_max < 0.01f * report.height);
            sn_clip_destroy(clip);
            sn_model_destroy(character);
        }
        sn_model_destroy(motion);
    }
}

static void sample(const snSkeleton* s, const snClip* clip, float time, snMat4* world) {
    static snTrs locals[512];
    assert_true(s->joint_count <= 512);
    for (uint32_t j = 0; j < s->joint_count; j++) locals[j] = s->rest[j];
    sn_clip_sample(clip, time, SN_WRAP_CLAMP, s->joint_count, locals);
    sn_skeleton_world(s, locals, world);
}

// All joints went the same way over the ground from the first to the last key: the pose is the same.
static snVec3 assert_closed(const snSkeleton* s, const snClip* clip, float height) {
    static snMat4 first[512];
    static snMat4 last[512];
    sample(s, clip, 0.0f, first);
    sample(s, clip, clip->duration, last);
    uint32_t hips = clip->channels[0].joint;
    for (uint32_t c = 0; c < clip->channel_count; c++) {
        if (clip->channels[c].path == SN_PATH_TRANSLATION) hips = clip->channels[c].joint;
    }
    snVec3 stride = sn_sub(sn_mat4_translation(&last[hips]), sn_mat4_translation(&first[hips]));
    assert_near(stride.y, 0.0f, 1e-4f * height);
    for (uint32_t c = 0; c < clip->channel_count; c++) {
        uint32_t j = clip->channels[c].joint;
        snVec3 moved = sn_sub(sn_mat4_translation(&last[j]), sn_mat4_translation(&first[j]));
        assert_true(sn_distance(moved, stride) < 1e-4f * height);
    }
    return stride;
}

// Measured on the clip, played twice: the farthest a toe travels while it is on the ground.
static float toe_slide(const snSkeleton* s, const snClip* clip, const char* name, snVec3 stride, float fps,
                       float height) {
    static snMat4 world[512];
    uint32_t toe = sn_skeleton_find(s, name);
    assert_true(toe != SN_NONE);
    uint32_t period = (uint32_t)(clip->duration * fps + 0.5f);
    float low = 1e9f;
    for (uint32_t f = 0; f < period; f++) {
        sample(s, clip, (float)f / fps, world);
        low = sn_minf(low, sn_mat4_translation(&world[toe]).y);
    }
    float worst = 0.0f;
    uint32_t on_ground = 0;
    snVec3 start = {0.0f, 0.0f, 0.0f};
    for (uint32_t f = 0; f < 2 * period; f++) {
        sample(s, clip, (float)(f % period) / fps, world);
        snVec3 now = sn_mat4_translation(&world[toe]);
        if (f >= period) now = sn_add(now, stride);
        on_ground = now.y - low < 0.003f * height ? on_ground + 1 : 0;
        // The first frames near the ground are still those of a foot that comes down.
        if (on_ground == 3) start = now;
        if (on_ground > 3) worst = sn_maxf(worst, hypotf(now.x - start.x, now.z - start.z));
    }
    return worst;
}

static void loops_hold_feet_across_the_seam(void** state) {
    (void)state;
    snModel* motion = read_data(motions[0]);
    for (size_t c = 0; c < sizeof characters / sizeof characters[0]; c++) {
        snModel* character = read_character(characters[c]);
        snRetargetDef def = sn_retarget_def();
        def.loop = true;
        snRetargetReport report;
        float confidence = 0.0f;
        snClip* clip = retarget_as(motion, character, def, &report, &confidence);
        print_message("loop of %.2f s from %.2f s on %-36s seam %.2f, slide %.2f %% -> %.2f %%\n",
                      (double)report.loop.duration, (double)report.loop.start,
                      characters[c] != NULL ? characters[c] : "built-in body", (double)report.loop.seam,
                      (double)(100.0f * report.foot_slide_before / report.height),
                      (double)(100.0f * report.foot_slide_max / report.height));
        assert_near(clip->duration, report.loop.duration, 1e-4f);
        assert_true(report.contacts >= 2);
        assert_true(report.foot_slide_max < 0.01f * report.height);
        assert_true(report.foot_height_max < 0.01f * report.height);
        snVec3 stride = assert_closed(character->skeleton, clip, report.height);
        assert_true(sn_length(stride) > 0.2f * report.height);
        if (characters[c] == NULL) {
            float left = toe_slide(character->skeleton, clip, "LeftToes", stride, def.fps, report.height);
            float right = toe_slide(character->skeleton, clip, "RightToes", stride, def.fps, report.height);
            print_message("toes slide %.2f %% and %.2f %%\n", (double)(100.0f * left / report.height),
                          (double)(100.0f * right / report.height));
            assert_true(sn_maxf(left, right) < 0.01f * report.height);
        }
        sn_clip_destroy(clip);
        def.root = SN_ROOT_IN_PLACE;
        clip = retarget_as(motion, character, def, &report, &confidence);
        stride = assert_closed(character->skeleton, clip, report.height);
        assert_near(sn_length(stride), 0.0f, 1e-4f * report.height);
        sn_clip_destroy(clip);
        sn_model_destroy(character);
    }
    sn_model_destroy(motion);
}

// A motion file onto itself is the motion, though its rest hangs from the hips.
static void a_motion_file_onto_itself(void** state) {
    (void)state;
    snModel* motion = read_data(motions[0]);
    snRetargetDef def = sn_retarget_def();
    def.feet = false;
    snRetargetReport report;
    float confidence = 0.0f;
    snClip* clip = retarget_as(motion, motion, def, &report, &confidence);
    assert_near(confidence, 1.0f, 0.0f);
    static snMat4 a[512];
    static snMat4 b[512];
    for (uint32_t f = 0; f < report.frames; f++) {
        sample(motion->skeleton, motion->clips[0], 1.1f / 120.0f + (float)f / 30.0f, a);
        sample(motion->skeleton, clip, (float)f / 30.0f, b);
        for (uint32_t j = 0; j < motion->skeleton->joint_count; j++) {
            snVec3 was = sn_mat4_translation(&a[j]);
            assert_true(sn_distance(was, sn_mat4_translation(&b[j])) < 1e-4f * report.height);
        }
    }
    sn_clip_destroy(clip);
    sn_model_destroy(motion);
}

typedef struct Limb {
    const char* source[2];
    const char* target[2];
} Limb;

static snVec3 bone(const snModel* model, const snClip* clip, float time, const char* const names[2]) {
    static snMat4 world[512];
    const snSkeleton* s = model->skeleton;
    sample(s, clip, time, world);
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
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        snModel* character = read_data(cases[c].file);
        snRetargetReport report;
        float confidence = 0.0f;
        snClip* clip = retarget(motion, character, 30.0f, &report, &confidence);
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
    for (int i = 0; i < 3; i++) {
        snModel* animal = read_data(animals[i]);
        snJointMap* map = NULL;
        assert_ok(sn_joint_map_create(motion->skeleton, animal->skeleton, NULL, &map, NULL));
        assert_true(map->confidence < SN_JOINT_MAP_USABLE);
        sn_joint_map_destroy(map);
        // Its own motion it takes, by its own names.
        assert_ok(sn_joint_map_create(animal->skeleton, animal->skeleton, NULL, &map, NULL));
        assert_true(map->confidence > 0.95f);
        sn_joint_map_destroy(map);
        sn_model_destroy(animal);
    }
    sn_model_destroy(motion);
}

// Four legs, a neck and a tail are found in rigs of other makers too.
static void animals_move_as_their_like(void** state) {
    (void)state;
    static const char* const pairs[][2] = {
        {"characters/quat_animals_pack_Horse.glb", "characters/quat_animals_pack_Alpaca.glb"},
        {"characters/quat_animals_pack_Horse.glb", "characters/Fox.glb"},
        {"characters/Fox.glb", "characters/quat_animals_pack_Stag.glb"},
        {"characters/quat_dinosaurs_pack_Apatosaurus.glb", "characters/quat_dinosaurs_pack_Trex.glb"}};
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        snModel *one = read_data(pairs[i][0]), *other = read_data(pairs[i][1]);
        snJointMap* map = NULL;
        assert_ok(sn_joint_map_create(one->skeleton, other->skeleton, NULL, &map, NULL));
        print_message("%s on %s: %u of %u joints, confidence %.2f\n", pairs[i][0], pairs[i][1], map->matched,
                      map->target_count, (double)map->confidence);
        assert_true(map->confidence > 0.7f);
        sn_joint_map_destroy(map);
        sn_model_destroy(one);
        sn_model_destroy(other);
    }
}

// One motion at two rates is one motion.
static void rates_give_the_same_points(void** state) {
    (void)state;
    snModel* motion = read_data("motion/cmu_35_01_walk.bvh");
    snModel* king = read_data("characters/quat_modular_men_King.glb");
    snRetargetReport report;
    float confidence = 0.0f, worst = 0.0f;
    static snMat4 a[512];
    static snMat4 b[512];
    snClip* film = retarget(motion, king, 30.0f, &report, &confidence);
    snClip* twice = retarget(motion, king, 60.0f, &report, &confidence);
    for (uint32_t f = 0; (float)f / 30.0f <= film->duration; f++) {
        sample(king->skeleton, film, (float)f / 30.0f, a);
        sample(king->skeleton, twice, (float)f / 30.0f, b);
        for (uint32_t j = 0; j < king->skeleton->joint_count; j++)
            worst = sn_maxf(worst, sn_distance(sn_mat4_translation(&a[j]), sn_mat4_translation(&b[j])));
    }
    print_message("30 and 60 frames a second differ by %.3f mm\n", (double)(1e3f * worst));
    assert_true(worst < 1e-3f);
    sn_clip_destroy(film);
    sn_clip_destroy(twice);
    sn_model_destroy(motion);
    sn_model_destroy(king);
}

// Reference poses and flips of the captures that have them.
static void captures_are_cleaned(void** state) {
    (void)state;
    static const struct {
        const char* file;
        float from;
        uint32_t flips; // at least
    } cases[] = {{"motion/cmu_05_02_dance.bvh", 1.0f / 120.0f, 0},
                 {"motion/three_pirouette.bvh", 1.0f / 120.0f, 0},
                 {"motion/cmu_49_06_cartwheel.bvh", 1.0f / 120.0f, 2},
                 {"motion/cmu_60_01_salsa.bvh", 1.0f / 120.0f, 2},
                 {"motion/mh_zombieWalk1.bvh", 0.0f, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        snModel* motion = read_data(cases[i].file);
        snClip* clean = NULL;
        snCleanReport report;
        assert_ok(sn_clip_clean(motion->skeleton, motion->clips[0], NULL, &clean, &report, NULL));
        print_message("%s: from %.3f s, %u spikes, %u flips, jerk %.0f -> %.0f\n", cases[i].file,
                      (double)report.from, report.spikes, report.flips, (double)report.jerk_before,
                      (double)report.jerk_after);
        assert_true(report.from >= cases[i].from - 1e-4f && report.from < cases[i].from + 0.05f);
        assert_true(report.flips >= cases[i].flips);
        assert_true(report.jerk_after <= report.jerk_before);
        sn_clip_destroy(clean);
        sn_model_destroy(motion);
    }
}

// Animals of other rigs stand on the ends of their legs, and neither sink, float nor hang on their tails.
static void animals_stand_on_their_legs(void** state) {
    (void)state;
    static const struct {
        const char *source, *clip, *target;
    } pairs[] = {{"quat_animals_pack_Horse", "AnimalArmature|Walk", "Fox"},
                 {"quat_animals_pack_Horse", "AnimalArmature|Walk", "pm_MountainLion"},
                 {"quat_animals_pack_Horse", "AnimalArmature|Walk", "quat_dinosaurs_pack_Apatosaurus"},
                 {"quat_animals_pack_Stag", "AnimalArmature|Gallop", "pm_Deer"},
                 {"Fox", "Walk", "quat_animals_pack_Stag"},
                 {"m2m_dragon", "Walk", "quat_dinosaurs_pack_Apatosaurus"},
                 {"m2m_dragon", "Walk", "quat_dinosaurs_pack_Trex"}};
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        char paths[2][128];
        snprintf(paths[0], sizeof paths[0], "characters/%s.glb", pairs[i].source);
        snprintf(paths[1], sizeof paths[1], "characters/%s.glb", pairs[i].target);
        snModel *source = read_data(paths[0]), *target = read_data(paths[1]);
        snSkeleton *from = NULL, *to = NULL;
        snBodyPoints* points = NULL;
        snJointMap* map = NULL;
        snClip* made = NULL;
        uint32_t clip = sn_model_find_clip(source, pairs[i].clip);
        assert_true(clip != SN_NONE);
        assert_ok(sn_model_rest_skeleton(source, SN_REST_BIND, NULL, &from, NULL, NULL));
        assert_ok(sn_model_rest_skeleton(target, SN_REST_BIND, NULL, &to, NULL, NULL));
        assert_ok(sn_body_points_create(target, to, NULL, &points, NULL));
        assert_ok(sn_joint_map_create(from, to, NULL, &map, NULL));
        snRetargetDef def = sn_retarget_def();
        def.source = from;
        def.clip = source->clips[clip];
        def.target = to;
        def.map = map;
        def.points = points;
        snRetargetReport report;
        assert_ok(sn_retarget_clip(&def, NULL, &made, &report, NULL));
        print_message("%s on %s: median %.2f %%, lowest %.2f %%, lift %.2f %%, %u and %u contacts\n",
                      pairs[i].source, pairs[i].target,
                      (double)(100.0f * report.lowest_median / report.height),
                      (double)(100.0f * report.lowest / report.height),
                      (double)(100.0f * report.lift / report.height), report.contacts, report.hand_contacts);
        assert_true(report.contacts > 0);
        assert_near(report.lowest_median, 0.0f, 0.005f * report.height);
        assert_true(report.lowest > -0.02f * report.height);
        assert_true(report.lift < 0.03f * report.height);
        assert_true(report.released < 0.05f && report.foot_slide_max < 0.01f * report.height);
        sn_clip_destroy(made);
        sn_joint_map_destroy(map);
        sn_body_points_destroy(points);
        sn_skeleton_destroy(from);
        sn_skeleton_destroy(to);
        sn_model_destroy(source);
        sn_model_destroy(target);
    }
}

// A claw strike that was keyed by hand and baked at 30 frames a second is left as it is; a capture whose hips
// shake in its first keys is not.
static void strikes_stay_and_shakes_go(void** state) {
    (void)state;
    snModel *kaiju = read_data("characters/m2m_kaiju.glb"), *zombie = read_data("motion/mh_zombieWalk1.bvh");
    uint32_t attack = sn_model_find_clip(kaiju, "Attack");
    assert_true(attack != SN_NONE);
    snClip* out = NULL;
    snCleanReport report;
    assert_ok(sn_clip_clean(kaiju->skeleton, kaiju->clips[attack], NULL, &out, &report, NULL));
    assert_int_equal(report.spikes + report.flips + report.references, 0);
    sn_clip_destroy(out);
    assert_ok(sn_clip_clean(zombie->skeleton, zombie->clips[0], NULL, &out, &report, NULL));
    assert_int_equal(report.spikes, 1);
    assert_true(report.jerk_after < 0.5f * report.jerk_before);
    sn_clip_destroy(out);
    sn_model_destroy(kaiju);
    sn_model_destroy(zombie);
}

// Boots that hang on a root by some of their weight: the root goes where the hips go, and no vertex stays
// behind.
static void weighted_roots_travel(void** state) {
    (void)state;
    snModel *motion = read_data("motion/cmu_02_01_walk.bvh"),
            *sintel = read_data("characters/m2m_sintel.glb");
    snSkeleton* rest = NULL;
    snBodyPoints* points = NULL;
    snJointMap* map = NULL;
    assert_ok(sn_model_rest_skeleton(sintel, SN_REST_BIND, NULL, &rest, NULL, NULL));
    assert_ok(sn_body_points_create(sintel, rest, NULL, &points, NULL));
    assert_ok(sn_joint_map_create(motion->skeleton, rest, NULL, &map, NULL));
    uint32_t root = sn_skeleton_find(rest, "root"), hips = sn_skeleton_find(rest, "pelvis");
    assert_true(points->used[root] && points->used[hips]);
    snClip* made[2] = {NULL, NULL};
    for (int k = 0; k < 2; k++) {
        snRetargetDef def = sn_retarget_def();
        def.source = motion->skeleton;
        def.clip = motion->clips[0];
        def.motion_from = def.from = 1.1f / 120.0f;
        def.target = rest;
        def.map = map;
        def.points = points;
        points->used[root] = k == 0;
        snRetargetReport report;
        assert_ok(sn_retarget_clip(&def, NULL, &made[k], &report, NULL));
        assert_true(!report.root_extracted);
    }
    static snMat4 now[512], plain[512];
    for (float t = 0.0f; t < made[0]->duration; t += 0.2f) {
        sample(rest, made[0], t, now);
        sample(rest, made[1], t, plain);
        // The same body; the root below the hips instead of where it was.
        for (uint32_t j = 0; j < rest->joint_count; j++) {
            if (j == hips || rest->parents[j] == hips)
                assert_true(sn_distance(sn_mat4_translation(&now[j]), sn_mat4_translation(&plain[j])) <
                            1e-3f);
        }
        snVec3 apart = sn_sub(sn_mat4_translation(&now[root]), sn_mat4_translation(&now[hips]));
        assert_true(sqrtf(apart.x * apart.x + apart.z * apart.z) < 0.15f);
    }
    sample(rest, made[1], made[1]->duration, plain);
    assert_true(sn_distance(sn_mat4_translation(&plain[root]), sn_mat4_translation(&plain[hips])) > 1.5f);
    for (int k = 0; k < 2; k++) sn_clip_destroy(made[k]);
    sn_joint_map_destroy(map);
    sn_body_points_destroy(points);
    sn_skeleton_destroy(rest);
    sn_model_destroy(motion);
    sn_model_destroy(sintel);
}

// Hands of the source carry it through a cartwheel: toys without feet stay near the floor meanwhile, where
// they flew by twice and three times their skeleton's height when only feet were looked at. What is left is
// the lift over arms that are longer than legs, which comes and goes as a body falls.
static void bodies_without_feet_do_not_fly(void** state) {
    (void)state;
    static const struct {
        const char* character;
        float most; // of the skeleton's height; printed below
    } rows[] = {{"characters/kenney_mini_female.glb", 0.8f}, {"characters/boxman.glb", 0.25f}};
    snModel* motion = read_data("motion/cmu_49_06_cartwheel.bvh");
    for (size_t i = 0; i < 2; i++) {
        snModel* toy = read_data(rows[i].character);
        snBodyPoints* points = NULL;
        assert_ok(sn_body_points_create(toy, toy->skeleton, NULL, &points, NULL));
        snRetargetDef def = sn_retarget_def();
        def.points = points;
        snRetargetReport report;
        float confidence;
        snClip* clip = retarget_as(motion, toy, def, &report, &confidence);
        print_message("%-36s lowest point at most %.2f, least %.4f of the height\n", rows[i].character,
                      (double)(report.clearance_max / report.height),
                      (double)(report.lowest / report.height));
        assert_true(report.clearance_max < rows[i].most * report.height);
        assert_true(report.lowest > -0.02f * report.height);
        sn_clip_destroy(clip);
        sn_body_points_destroy(points);
        sn_model_destroy(toy);
    }
    sn_model_destroy(motion);
}

// Limbs that are bent to the floor do not flip: the Knight's short arms in a cartwheel, by how far a bone
// turns in a sixtieth of a second.
static void bent_limbs_do_not_flip(void** state) {
    (void)state;
    snModel *motion = read_data("motion/cmu_49_06_cartwheel.bvh"),
            *knight = read_data("characters/kaykit_Knight.glb");
    snSkeleton* rest = NULL;
    snBodyPoints* points = NULL;
    assert_ok(sn_model_rest_skeleton(knight, SN_REST_BIND, NULL, &rest, NULL, NULL));
    assert_ok(sn_body_points_create(knight, rest, NULL, &points, NULL));
    snJointMap* map = NULL;
    assert_ok(sn_joint_map_create(motion->skeleton, rest, NULL, &map, NULL));
    snClip *made = NULL, *clean = NULL;
    assert_ok(sn_clip_clean(motion->skeleton, motion->clips[0], NULL, &clean, NULL, NULL));
    snRetargetDef def = sn_retarget_def();
    def.source = motion->skeleton;
    def.clip = clean;
    def.motion_from = def.from = 1.1f / 120.0f;
    def.target = rest;
    def.map = map;
    def.points = points;
    def.fps = 60.0f;
    assert_ok(sn_retarget_clip(&def, NULL, &made, NULL, NULL));
    static const char* const names[] = {"upperarm.r", "lowerarm.r", "upperarm.l", "lowerarm.l"};
    for (size_t i = 0; i < 4; i++) {
        uint32_t joint = sn_skeleton_find(rest, names[i]);
        for (uint32_t c = 0; c < made->channel_count; c++) {
            const snChannel* channel = &made->channels[c];
            if (channel->joint != joint || channel->path != SN_PATH_ROTATION) continue;
            for (uint32_t k = 1; k < channel->key_count; k++) {
                const float *a = channel->values + 4 * (size_t)(k - 1), *b = a + 4;
                float dot = a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
                float angle = 2.0f * sn_acos(sn_minf(dot < 0.0f ? -dot : dot, 1.0f));
                if (angle > 1.3f) fail_msg("%s turns by %g radians into key %u", names[i], (double)angle, k);
            }
        }
    }
    sn_clip_destroy(made);
    sn_clip_destroy(clean);
    sn_joint_map_destroy(map);
    sn_body_points_destroy(points);
    sn_skeleton_destroy(rest);
    sn_model_destroy(motion);
    sn_model_destroy(knight);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(animals_stand_on_their_legs), cmocka_unit_test(strikes_stay_and_shakes_go),
        cmocka_unit_test(weighted_roots_travel),       cmocka_unit_test(bodies_without_feet_do_not_fly),
        cmocka_unit_test(bent_limbs_do_not_flip),      cmocka_unit_test(animals_move_as_their_like),
        cmocka_unit_test(rates_give_the_same_points),  cmocka_unit_test(captures_are_cleaned),
        cmocka_unit_test(mocap_on_every_character),    cmocka_unit_test(loops_hold_feet_across_the_seam),
        cmocka_unit_test(a_motion_file_onto_itself),   cmocka_unit_test(arms_point_the_same_way),
        cmocka_unit_test(animals_are_told_apart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
