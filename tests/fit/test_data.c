// Real skeletons in real bodies.
#include <stdlib.h>

#include "fit_support.h"
#include "sinew/io.h"

static snModel* read_data(const char* name) {
    const char* path = test_data_path(name);
    snReadDef def = sn_read_def();
    snModel* model = NULL;
    snError error = sn_error_none();
    if (sn_model_read(path, &def, &model, &error) != SN_RESULT_OK) fail_msg("%s: %s", name, error.text);
    return model;
}

static snModel* read_body(const char* name) {
    if (name != NULL) return read_data(name);
    snBodyDef def = sn_body_def();
    def.vertex_target = 8000;
    snModel* model = NULL;
    assert_ok(sn_builtin_body(&def, NULL, &model, NULL));
    return model;
}

// Reads the skeleton that an artist made for the body, which for MakeHuman is another file.
typedef struct Known {
    const char* mesh;     // NULL: the built-in body
    const char* skeleton; // NULL: in the same file
    float worst;          // how far a main joint may be off, in heights
} Known;

static const Known known[] = {
    {NULL, NULL, 0.04f},
    {"characters/mh_base.obj", "characters/mh_default.mhskel", 0.05f},
    {"characters/quat_modular_men_Casual.glb", NULL, 0.05f},
    {"characters/RiggedFigure.glb", NULL, 0.06f},
};

static const char* const skeletons[] = {"motion/cmu_02_01_walk.bvh", "motion/cmu_02.asf"};

typedef struct Main {
    snRole role;
    bool sides;
} Main;

static const Main mains[] = {{SN_ROLE_HEAD, false}, {SN_ROLE_UPPER_ARM, true}, {SN_ROLE_LOWER_ARM, true},
                             {SN_ROLE_HAND, true},  {SN_ROLE_UPPER_LEG, true}, {SN_ROLE_LOWER_LEG, true},
                             {SN_ROLE_FOOT, true}};

// MakeHuman's mesh is in decimetres, its skeleton is read in metres.
static float unit_of(const Known* body) { return body->skeleton != NULL ? 10.0f : 1.0f; }

static float compare(const Known* body, const snSkeleton* truth, const snSkeleton* fitted, float height) {
    snVec3* a = flesh_joints(truth);
    snVec3* b = flesh_joints(fitted);
    float worst = 0.0f;
    for (size_t m = 0; m < sizeof mains / sizeof mains[0]; m++) {
        float off = 0.0f;
        for (int s = mains[m].sides ? 1 : 0; s <= (mains[m].sides ? 2 : 0); s++) {
            uint32_t i = flesh_find(truth, mains[m].role, (snSide)s);
            uint32_t j = flesh_find(fitted, mains[m].role, (snSide)s);
            if (i == SN_NONE || j == SN_NONE) continue;
            off = sn_maxf(off, sn_distance(sn_scale(a[i], unit_of(body)), b[j]) / height);
        }
        print_message(" %s %.1f", sn_role_name(mains[m].role), (double)(100.0f * off));
        worst = sn_maxf(worst, off);
    }
    print_message("\n");
    free(a);
    free(b);
    return worst;
}

// A skeleton of other size, proportions and pose finds the joints that artists put into four bodies.
static void a_mocap_skeleton_finds_known_joints(void** state) {
    (void)state;
    for (size_t k = 0; k < sizeof skeletons / sizeof skeletons[0]; k++) {
        snModel* motion = read_data(skeletons[k]);
        for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
            snModel* body = read_body(known[i].mesh);
            snModel* rig = known[i].skeleton != NULL ? read_data(known[i].skeleton) : body;
            Flesh flesh = flesh_of(body, NULL);
            snBounds bounds = flesh_bounds(&flesh);
            float height = bounds.max.y - bounds.min.y;
            snFitDef def = flesh_def(&flesh, motion->skeleton);
            snFit* fit = NULL;
            snSkeleton* fitted = flesh_fit(&def, &fit);
            assert_int_equal(fit->mode, SN_FIT_BODY);
            print_message("%s in %s, %% of the height:", skeletons[k],
                          known[i].mesh != NULL ? known[i].mesh : "the built-in body");
            float worst = compare(&known[i], rig->skeleton, fitted, height);
            assert_true(worst < known[i].worst);
            sn_fit_destroy(fit);
            sn_skeleton_destroy(fitted);
            flesh_free(&flesh);
            if (rig != body) sn_model_destroy(rig);
            sn_model_destroy(body);
        }
        sn_model_destroy(motion);
    }
}

// ------------------------------------------------------------------------------------------------ rough rigs

// Joints pushed off by 3 % of the size come back towards where the artist put them, on two legs and on four.
static void roughly_placed_joints_return(void** state) {
    (void)state;
    // The dinosaur's artist put hips and knees beside the middle of its thick legs: centering cannot know.
    static const struct {
        const char* name;
        float worst; // of the distance before
    } roughs[] = {{NULL, 0.8f},
                  {"characters/Fox.glb", 1.0f},
                  {"characters/quat_animals_pack_Horse.glb", 1.0f},
                  {"characters/quat_dinosaurs_pack_Trex.glb", 1.2f},
                  {"characters/RiggedFigure.glb", 0.9f},
                  {"characters/quat_modular_men_Casual.glb", 0.85f}};
    for (size_t i = 0; i < sizeof roughs / sizeof roughs[0]; i++) {
        snModel* model = read_body(roughs[i].name);
        Flesh flesh = flesh_of(model, NULL);
        snBounds bounds = flesh_bounds(&flesh);
        float height = bounds.max.y - bounds.min.y;
        bool* deforming = flesh_deforming(model);
        bool* keep = malloc((model->skeleton->joint_count + 1) * sizeof *keep);
        for (uint32_t j = 0; j < model->skeleton->joint_count; j++) keep[j] = !deforming[j];
        float before = 0.0f;
        float after = 0.0f;
        enum { TRIES = 4 };
        for (uint32_t t = 0; t < TRIES; t++) {
            snSkeleton* rough = flesh_jitter(model->skeleton, deforming, 0.03f * height, 17 + t);
            snFitDef def = flesh_def(&flesh, rough);
            def.keep = keep;
            snFit* fit = NULL;
            snSkeleton* fitted = flesh_fit(&def, &fit);
            assert_int_equal(fit->mode, SN_FIT_CENTER);
            before += flesh_apart(rough, model->skeleton, deforming) / (TRIES * height);
            after += flesh_apart(fitted, model->skeleton, deforming) / (TRIES * height);
            sn_fit_destroy(fit);
            sn_skeleton_destroy(fitted);
            sn_skeleton_destroy(rough);
        }
        print_message("%-40s %.2f %% of the height off, %.2f %% after centering\n",
                      roughs[i].name != NULL ? roughs[i].name : "built-in body", (double)(100.0f * before),
                      (double)(100.0f * after));
        assert_true(after < roughs[i].worst * before);
        free(keep);
        free(deforming);
        flesh_free(&flesh);
        sn_model_destroy(model);
    }
}

// -------------------------------------------------------------------------------------------------- refusals

// An animal is no person, neither as a mesh nor as a skeleton, and the error says so.
static void animals_are_refused(void** state) {
    (void)state;
    static const char* const names[] = {"characters/Fox.glb",
                                        "characters/quat_animals_pack_Horse.glb",
                                        "characters/quat_dinosaurs_pack_Trex.glb",
                                        "meshes/spot_triangulated.obj",
                                        "meshes/scorpion_low.obj",
                                        "ugly/plane_holes.obj"};
    snModel* motion = read_data(skeletons[0]);
    snModel* body = read_body(NULL);
    Flesh person = flesh_of(body, NULL);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        snModel* animal = read_data(names[i]);
        Flesh flesh = flesh_of(animal, NULL);
        snFitDef def = flesh_def(&flesh, motion->skeleton);
        snFit* fit = NULL;
        snError error = sn_error_none();
        assert_int_equal(sn_fit_create(&def, NULL, &fit, &error), SN_RESULT_UNSUPPORTED);
        print_message("%s: %s\n", names[i], error.text);
        if (animal->skin_count > 0) {
            def = flesh_def(&person, animal->skeleton);
            assert_int_equal(sn_fit_create(&def, NULL, &fit, &error), SN_RESULT_UNSUPPORTED);
            print_message("its skeleton: %s\n", error.text);
        }
        flesh_free(&flesh);
        sn_model_destroy(animal);
    }
    flesh_free(&person);
    sn_model_destroy(body);
    sn_model_destroy(motion);
}

// --------------------------------------------------------------------------------------------------- walking

static void pose(const snSkeleton* s, const snClip* clip, float time, snVec3* points) {
    static snTrs locals[512];
    static snMat4 world[512];
    assert_true(s->joint_count <= 512);
    for (uint32_t j = 0; j < s->joint_count; j++) locals[j] = s->rest[j];
    sn_clip_sample(clip, time, SN_WRAP_CLAMP, s->joint_count, locals);
    sn_skeleton_world(s, locals, world);
    for (uint32_t j = 0; j < s->joint_count; j++) points[j] = sn_mat4_translation(&world[j]);
}

static float line_distance(snVec3 p, snVec3 a, snVec3 b) {
    snVec3 d = sn_sub(b, a);
    float t = sn_clampf(sn_dot(sn_sub(p, a), d) / sn_dot(d, d), 0.0f, 1.0f);
    return sn_distance(p, sn_lerp(a, b, t));
}

typedef struct Walk {
    float lowest;  // of a toe above the floor, in heights
    float highest; // of the lower of both toes
    float nearest; // of a hand to the spine, in heights
} Walk;

static Walk measure_walk(const snSkeleton* s, const snClip* clip, float floor, float height) {
    static snVec3 p[512];
    uint32_t hips = sn_skeleton_find(s, "Hips");
    uint32_t chest = sn_skeleton_find(s, "Spine1");
    uint32_t toes[2] = {sn_skeleton_find(s, "LeftToeBase"), sn_skeleton_find(s, "RightToeBase")};
    uint32_t hands[2] = {sn_skeleton_find(s, "LeftHand"), sn_skeleton_find(s, "RightHand")};
    Walk walk = {1e9f, -1e9f, 1e9f};
    for (float time = 0.0f; time < clip->duration; time += 1.0f / 30.0f) {
        pose(s, clip, time, p);
        float low = (sn_minf(p[toes[0]].y, p[toes[1]].y) - floor) / height;
        walk.lowest = sn_minf(walk.lowest, low);
        walk.highest = sn_maxf(walk.highest, low);
        for (int h = 0; h < 2; h++)
            walk.nearest = sn_minf(walk.nearest, line_distance(p[hands[h]], p[hips], p[chest]) / height);
    }
    return walk;
}

// Must show 4: two unrigged bodies and the built-in one take the mocap skeleton and walk.
static void unrigged_bodies_walk(void** state) {
    (void)state;
    static const char* const bodies[] = {NULL, "meshes/human_man_smpl.obj", "characters/mh_base.obj"};
    snModel* motion = read_data(skeletons[0]);
    for (size_t i = 0; i < sizeof bodies / sizeof bodies[0]; i++) {
        snModel* body = read_body(bodies[i]);
        Flesh flesh = flesh_of(body, NULL);
        snFitDef def = flesh_def(&flesh, motion->skeleton);
        snFit* fit = NULL;
        snSkeleton* fitted = flesh_fit(&def, &fit);
        // A body made around the origin has no floor of its own; its motion stands on zero.
        float low = flesh_bounds(&flesh).min.y;
        float floor = low > -0.1f ? low : 0.0f;
        snJointMap* map = NULL;
        assert_ok(sn_joint_map_create(motion->skeleton, fitted, NULL, &map, NULL));
        snRetargetDef retarget = sn_retarget_def();
        retarget.source = motion->skeleton;
        retarget.clip = motion->clips[0];
        retarget.target = fitted;
        retarget.map = map;
        retarget.from = 1.1f / 120.0f; // the file begins with a T-pose
        snClip* clip = NULL;
        snRetargetReport report;
        assert_ok(sn_retarget_clip(&retarget, NULL, &clip, &report, NULL));
        Walk walk = measure_walk(fitted, clip, floor, report.height);
        print_message(
            "%-28s toes %.1f .. %.1f %% above the floor, hands %.1f %% from the spine, slide %.2f %%\n",
            bodies[i] != NULL ? bodies[i] : "built-in body", (double)(100.0f * walk.lowest),
            (double)(100.0f * walk.highest), (double)(100.0f * walk.nearest),
            (double)(100.0f * report.foot_slide_max / report.height));
        assert_true(map->confidence > 0.95f);
        assert_true(walk.lowest > 0.0f && walk.highest < 0.04f);
        assert_true(walk.nearest > 0.10f);
        assert_true(report.foot_slide_max < 0.01f * report.height);
        sn_clip_destroy(clip);
        sn_joint_map_destroy(map);
        sn_fit_destroy(fit);
        sn_skeleton_destroy(fitted);
        flesh_free(&flesh);
        sn_model_destroy(body);
    }
    sn_model_destroy(motion);
}

// People and animals as their artists left them: +Y up, most of them +Z facing. What is found is right, in
// every way that axes can lie; what is not found is said to be assumed.
static void bodies_on_their_side_are_found_or_doubted(void** state) {
    (void)state;
    static const struct {
        const char* file;
        snAxis facing;
        bool up_found, facing_found;
    } bodies[] = {
        {"meshes/human_man_smpl.obj", SN_AXIS_Z, true, true},
        {"meshes/os_human_woman.obj", SN_AXIS_Z, true, true},
        {"characters/mh_base.obj", SN_AXIS_Z, true, true},
        {"meshes/spot_triangulated.obj", SN_AXIS_MINUS_Z, true, true},
        {"characters/quat_animals_pack_Horse.glb", SN_AXIS_Z, true, true},
        {"characters/pm_Deer.glb", SN_AXIS_Z, true, true},
        {"characters/Fox.glb", SN_AXIS_Z, false, false},
        {"characters/bjs_Yeti.gltf", SN_AXIS_Z, false, false},
        {"characters/kaykit_Knight.glb", SN_AXIS_Z, false, false},
    };
    static const snStance lying[] = {{.up = SN_AXIS_Y, .facing = SN_AXIS_Z},
                                     {.up = SN_AXIS_Z, .facing = SN_AXIS_MINUS_Y},
                                     {.up = SN_AXIS_MINUS_Z, .facing = SN_AXIS_Y},
                                     {.up = SN_AXIS_X, .facing = SN_AXIS_MINUS_Z}};
    for (size_t i = 0; i < sizeof bodies / sizeof bodies[0]; i++) {
        for (size_t k = 0; k < sizeof lying / sizeof lying[0]; k++) {
            snModel* model = read_data(bodies[i].file);
            snQuat turn = sn_quat_conjugate(sn_stance_rotation(&lying[k]));
            sn_model_rotate(model, turn);
            snStanceDef def = sn_stance_def();
            snStance found;
            assert_ok(sn_stance_find(&def, model, NULL, &found, NULL));
            assert_int_equal(found.up_how, bodies[i].up_found ? SN_STANCE_FOUND : SN_STANCE_ASSUMED);
            assert_int_equal(found.facing_how, bodies[i].facing_found ? SN_STANCE_FOUND : SN_STANCE_ASSUMED);
            if (bodies[i].up_found) assert_int_equal(found.up, lying[k].up);
            if (bodies[i].facing_found)
                assert_vec3_near(sn_axis_vector(found.facing),
                                 sn_quat_rotate(turn, sn_axis_vector(bodies[i].facing)), 1e-5f);
            sn_model_destroy(model);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_mocap_skeleton_finds_known_joints),
        cmocka_unit_test(roughly_placed_joints_return),
        cmocka_unit_test(animals_are_refused),
        cmocka_unit_test(unrigged_bodies_walk),
        cmocka_unit_test(bodies_on_their_side_are_found_or_doubted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
