// Real skeletons in real bodies.
#include <stdlib.h>

#include "fit_support.h"
#include "sinew/io.h"

static snModel* read_data(const char* name) {
    const char* path = test_data_path(name);
    if (path == NULL) return NULL;
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
        if (motion == NULL) skip();
        for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
            snModel* body = read_body(known[i].mesh);
            snModel* rig = known[i].skeleton != NULL ? read_data(known[i].skeleton) : body;
            if (body == NULL || rig == NULL) skip();
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
    static const char* const names[] = {NULL,
                                        "characters/Fox.glb",
                                        "characters/quat_animals_pack_Horse.glb",
                                        "characters/quat_dinosaurs_pack_Trex.glb",
                                        "characters/RiggedFigure.glb",
                                        "characters/quat_modular_men_Casual.glb"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        snModel* model = read_body(names[i]);
        if (model == NULL) skip();
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
            assert_int_equal(fit->mode, SN_FIT_CENTRE);
            before += flesh_apart(rough, model->skeleton, deforming) / (TRIES * height);
            after += flesh_apart(fitted, model->skeleton, deforming) / (TRIES * height);
            sn_fit_destroy(fit);
            sn_skeleton_destroy(fitted);
            sn_skeleton_destroy(rough);
        }
        print_message("%-40s %.2f %% of the height off, %.2f %% after centring\n",
                      names[i] != NULL ? names[i] : "built-in body", (double)(100.0f * before),
                      (double)(100.0f * after));
        if (getenv("LOOSE") == NULL) assert_true(after < before);
        free(keep);
        free(deforming);
        flesh_free(&flesh);
        sn_model_destroy(model);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_mocap_skeleton_finds_known_joints),
        cmocka_unit_test(roughly_placed_joints_return),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
