// Characters with skin, volume and flesh together: every combination, bounded whatever comes, nothing
// allocated.
#include "flesh_support.h"

#include <math.h>

static snModel *twins, *tube;

static int open_models(void** state) {
    (void)state;
    twins = flesh_twins(14);
    tube = flesh_tube(10);
    return 0;
}

static int close_models(void** state) {
    (void)state;
    sn_model_destroy(twins);
    sn_model_destroy(tube);
    return 0;
}

// ------------------------------------------------------------------------------------------ combinations

// All primaries with and without volume and flesh: finite, bounded, and each stage does something.
static void every_combination_runs(void** state) {
    (void)state;
    snSettings* settings = flesh_settings();
    for (int k = 0; k < 12; k++) {
        snSkinMethod skin = (snSkinMethod)(SN_SKIN_LINEAR + k % 3);
        settings->volume = (snVolumeMethod)(k / 3 % 2);
        settings->flesh = k >= 6;
        snCharacter* character = flesh_character(twins, settings, skin);
        bool bound = skin == SN_SKIN_LATTICE || settings->volume != SN_VOLUME_NONE || settings->flesh;
        assert_true((sn_character_particles(character) != NULL) == bound);
        assert_true((sn_character_volumes(character) != NULL) == (settings->volume != SN_VOLUME_NONE));
        assert_true((sn_character_material(character) != NULL) == settings->flesh);
        for (int i = 0; i <= 60; i++) {
            assert_ok(sn_character_pose_clip(character, 0, (float)i / 50.0f, SN_WRAP_LOOP));
            for (uint32_t p = 0; p < 3; p++) {
                snSurface surface = sn_character_surface(character, p);
                for (uint32_t v = 0; v < surface.vertex_count; v++) {
                    assert_true(sn_length(surface.positions[v]) < 10.0f);
                    assert_near(sn_length(surface.normals[v]), 1.0f, 1e-4f);
                }
            }
        }
        snCharacterReport report = sn_character_report(character);
        assert_true((report.steps > 0) == settings->flesh);
        assert_true((report.volume_before_max > 0.0f) == (settings->volume != SN_VOLUME_NONE));
        sn_character_destroy(character);
    }
    sn_settings_destroy(settings);
}

// A bound model with neither is skinned as if it were not bound.
static void the_plain_skin_stays_plain(void** state) {
    (void)state;
    snModel* bound = flesh_tube(10);
    snTubeDef def = sn_tube_def();
    snModel* plain = NULL;
    assert_ok(sn_builtin_tube(&def, NULL, &plain, NULL));
    snSettings* settings = flesh_settings();
    settings->volume = SN_VOLUME_NONE;
    settings->flesh = false;
    for (int skin = SN_SKIN_LINEAR; skin <= SN_SKIN_DUAL; skin++) {
        snCharacter* a = flesh_character(bound, settings, (snSkinMethod)skin);
        snCharacter* b = flesh_character(plain, NULL, (snSkinMethod)skin);
        for (int i = 0; i < 10; i++) {
            assert_ok(sn_character_pose_clip(a, 0, 0.17f * (float)i, SN_WRAP_LOOP));
            assert_ok(sn_character_pose_clip(b, 0, 0.17f * (float)i, SN_WRAP_LOOP));
            assert_true(sn_character_hash(a) == sn_character_hash(b));
        }
        sn_character_destroy(a);
        sn_character_destroy(b);
    }
    sn_settings_destroy(settings);
    sn_model_destroy(bound);
    sn_model_destroy(plain);
}

// Flesh that is not shown leaves no trace, at states and between them.
static void without_delta_flesh_is_off(void** state) {
    (void)state;
    snSettings* settings = flesh_settings();
    settings->delta = 0.0f;
    settings->ground = true;
    for (int skin = SN_SKIN_LINEAR; skin <= SN_SKIN_LATTICE; skin++) {
        snCharacter* soft = flesh_character(twins, settings, (snSkinMethod)skin);
        snCharacter* stiff = flesh_stiff(twins, settings, (snSkinMethod)skin);
        for (int i = 0; i < 80; i++) {
            // Sevenths of a step, and now and then a state's own time.
            float time = (float)((double)i * (double)settings->step * 8.0 / 7.0);
            assert_ok(sn_character_pose_clip(soft, 0, time, SN_WRAP_LOOP));
            assert_ok(sn_character_pose_clip(stiff, 0, time, SN_WRAP_LOOP));
            assert_true(sn_character_hash(soft) == sn_character_hash(stiff));
        }
        assert_true(sn_character_report(soft).steps > 80);
        sn_character_destroy(soft);
        sn_character_destroy(stiff);
    }
    sn_settings_destroy(settings);
}

// The rigid hat goes with its bone, whatever flesh does around it.
static void rigid_parts_stay_rigid(void** state) {
    (void)state;
    snSettings* settings = flesh_settings();
    snCharacter* character = flesh_character(twins, settings, SN_SKIN_DUAL);
    for (int i = 0; i < 60; i++)
        assert_ok(sn_character_pose_clip(character, 0, (float)i / 30.0f, SN_WRAP_LOOP));
    snSurface hat = sn_character_surface(character, 2);
    const snMat4* bone = &sn_character_world(character)[2];
    for (uint32_t v = 0; v < hat.vertex_count; v++)
        assert_vec3_near(hat.positions[v], sn_mat4_point(bone, twins->parts[2].mesh->positions[v]), 1e-5f);
    sn_character_destroy(character);
    sn_settings_destroy(settings);
}

// A morph makes the left tube wider, by the same in the rest pose of every primary, and its normals unit.
static void check_morphs(int flesh) {
    snSettings* settings = flesh_settings();
    if (flesh == 0) settings->delta = 0.0f;
    if (flesh == 0) settings->volume = SN_VOLUME_NONE;
    for (int skin = SN_SKIN_LINEAR; skin <= SN_SKIN_LATTICE; skin++) {
        twins->parts[0].morph_weights[0] = 1.0f;
        snCharacter* wide = flesh_character(twins, settings, (snSkinMethod)skin);
        twins->parts[0].morph_weights[0] = 0.0f;
        snCharacter* plain = flesh_character(twins, settings, (snSkinMethod)skin);
        snSurface a = sn_character_surface(wide, 0), b = sn_character_surface(plain, 0);
        for (uint32_t v = 0; v < a.vertex_count; v++) {
            snVec3 p = b.positions[v];
            assert_vec3_near(a.positions[v], sn_vec3(1.2f * p.x, p.y, 1.2f * p.z), 2e-5f);
        }
        // Bent a little, the offset turns along: each vertex is about as far from where it was as at rest.
        for (int i = 0; i <= 8; i++) {
            twins->parts[0].morph_weights[0] = 1.0f;
            assert_ok(sn_character_pose_clip(wide, 0, (float)i / 30.0f, SN_WRAP_LOOP));
            twins->parts[0].morph_weights[0] = 0.0f;
            assert_ok(sn_character_pose_clip(plain, 0, (float)i / 30.0f, SN_WRAP_LOOP));
        }
        for (uint32_t v = 0; v < a.vertex_count; v++) {
            snVec3 offset = twins->parts[0].morphs[0].positions[v];
            // The lattice stretches on the outside of a bend, and so does what volume and flesh add to other
            // skins.
            float tolerance = skin == SN_SKIN_LATTICE || flesh > 0 ? 0.03f : 0.01f;
            assert_near(sn_distance(a.positions[v], b.positions[v]), sn_length(offset), tolerance);
            assert_near(sn_length(a.normals[v]), 1.0f, 1e-4f);
        }
        sn_character_destroy(wide);
        sn_character_destroy(plain);
    }
    sn_settings_destroy(settings);
}

static void morphs_work_in_the_lattice(void** state) {
    (void)state;
    check_morphs(0);
    check_morphs(1);
}

// ------------------------------------------------------------------------------------------------ bounded

static void random_pose(const snModel* model, uint32_t* random, snTrs* out) {
    flesh_rest_pose(model, sn_vec3(0, 0, 0), out);
    for (uint32_t j = 0; j < model->skeleton->joint_count; j++) {
        snQuat turn =
            sn_quat_axis_angle(sn_vec3(test_random_float(random, -1, 1), test_random_float(random, -1, 1),
                                       test_random_float(random, -1, 1)),
                               test_random_float(random, -2, 2));
        out[j].rotation = sn_quat_mul(out[j].rotation, turn);
    }
    snTrs* root = &out[model->skeleton->order[0]];
    root->translation = sn_vec3(test_random_float(random, -3, 3), 0, test_random_float(random, -3, 3));
}

static float random_seconds(uint32_t* random) {
    switch (test_random(random) % 32) {
    case 0:
        return 100.0f;
    case 1:
    case 2:
        return test_random_float(random, 0, 1);
    case 3:
        return 0.0f;
    default:
        return test_random_float(random, 0, 0.06f);
    }
}

static void ten_thousand_random_frames(void** state) {
    (void)state;
    snSettings* settings = flesh_settings();
    settings->self_contact = true;
    settings->ground = true;
    settings->wind = sn_vec3(20, 0, 3);
    settings->drag = 4.0f;
    settings->region_damping = 0.1f;
    float limit = settings->limit * flesh_scale(tube);
    static const snSkinMethod skins[] = {SN_SKIN_DUAL, SN_SKIN_LATTICE};
    snTrs* locals = malloc(tube->skeleton->joint_count * sizeof *locals);
    uint32_t random = 77;
    for (int k = 0; k < 2; k++) {
        settings->rest = k == 0 ? SN_FLESH_PRIMARY : SN_FLESH_INITIAL;
        snCharacter* soft = flesh_character(tube, settings, skins[k]);
        snCharacter* stiff = flesh_stiff(tube, settings, skins[k]);
        float most = 0.0f;
        for (int i = 0; i < 5000; i++) {
            random_pose(tube, &random, locals);
            float seconds = random_seconds(&random);
            assert_ok(sn_character_advance(soft, locals, seconds));
            assert_ok(sn_character_advance(stiff, locals, seconds));
            float apart = flesh_apart(tube, soft, stiff);
            assert_true(apart <= limit + 1e-5f);
            most = sn_maxf(most, apart);
        }
        assert_true(most > 0.2f * limit);
        assert_true(sn_character_report(soft).resets > 100);
        sn_character_destroy(soft);
        sn_character_destroy(stiff);
    }
    free(locals);
    sn_settings_destroy(settings);
}

// What flesh loses of its volume by moving is given back in what is shown.
static void volume_of_flesh_is_kept(void** state) {
    (void)state;
    float errors[2];
    for (int k = 0; k < 2; k++) {
        snSettings* settings = flesh_settings();
        settings->volume_of_flesh = k == 1;
        settings->volume_both_ways = true;
        settings->delta = 0.9f;
        snCharacter* character = flesh_character(tube, settings, SN_SKIN_LATTICE);
        snPartVolume* volume = NULL;
        assert_ok(sn_part_volume_create(tube->binding, NULL, &volume, NULL));
        uint32_t count = tube->binding->lattice->particle_count, joints = tube->binding->joint_count;
        snVec4* points = malloc(count * sizeof *points);
        snVec4* pushes = calloc(count, sizeof *pushes);
        snPartVolumeState* parts = malloc(joints * sizeof *parts);
        void* scratch = aligned_alloc(64, (sn_part_volume_scratch_size(volume) + 63) / 64 * 64);
        errors[k] = 0.0f;
        for (int i = 0; i < 60; i++) {
            assert_ok(sn_character_pose_clip(character, 0, (float)i / 30.0f, SN_WRAP_LOOP));
            memcpy(points, sn_character_particles(character), count * sizeof *points);
            snPartVolumeJob job = {
                .volume = volume, .pushes = pushes, .points = points, .scratch = scratch, .out_parts = parts};
            assert_ok(sn_part_volume_run(&job));
            for (uint32_t j = 0; j < joints; j++)
                errors[k] = sn_maxf(errors[k], fabsf(parts[j].before - 1.0f));
        }
        free(points);
        free(pushes);
        free(parts);
        free(scratch);
        sn_part_volume_destroy(volume);
        sn_character_destroy(character);
        sn_settings_destroy(settings);
    }
    assert_true(errors[1] < 0.5f * errors[0]);
    assert_true(errors[1] < 0.01f);
}

// --------------------------------------------------------------------------------------------- resources

static void frames_do_not_allocate(void** state) {
    (void)state;
    TestAllocator counter = {UINT64_MAX, 0, 0};
    snAllocator allocator = test_allocator(&counter);
    snSettings* settings = flesh_settings();
    settings->self_contact = settings->ground = settings->volume_of_flesh = true;
    settings->region_damping = 0.2f;
    settings->drag = 1.0f;
    snTrs* locals = malloc(twins->skeleton->joint_count * sizeof *locals);
    for (int skin = SN_SKIN_LINEAR; skin <= SN_SKIN_LATTICE; skin++) {
        snCharacterDef def = sn_character_def();
        def.model = twins;
        def.settings = settings;
        def.skin = (snSkinMethod)skin;
        snCharacter* character = NULL;
        assert_ok(sn_character_create(&def, &allocator, &character, NULL));
        uint64_t calls = counter.calls;
        for (int i = 0; i < 30; i++) {
            assert_ok(sn_character_pose_clip(character, 0, (float)i * 0.07f, SN_WRAP_LOOP));
        }
        flesh_rest_pose(twins, sn_vec3(0, 0, 0), locals);
        for (int i = 0; i < 30; i++) assert_ok(sn_character_advance(character, locals, 0.03f));
        assert_ok(sn_character_pose_locals(character, locals));
        sn_character_report(character);
        assert_int_equal(counter.calls, calls);
        sn_character_destroy(character);
        assert_int_equal(counter.held, 0);
    }
    free(locals);
    sn_settings_destroy(settings);
}

typedef struct Built {
    const snModel* model;
    const snSettings* settings;
    snSkinMethod skin;
    const snCharacter* like;
} Built;

static snResult build(const snAllocator* allocator, void* context) {
    const Built* built = context;
    snCharacterDef def = sn_character_def();
    def.model = built->model;
    def.settings = built->settings;
    def.skin = built->skin;
    def.like = built->like;
    snCharacter* character = NULL;
    snResult result = sn_character_create(&def, allocator, &character, NULL);
    if (result != SN_RESULT_OK) return result;
    // Its own material is the only thing made later.
    snFleshMaterial* own = sn_character_material(character);
    sn_character_destroy(character);
    return own != NULL ? SN_RESULT_OK : SN_RESULT_OUT_OF_MEMORY;
}

static void survives_every_failing_allocation(void** state) {
    (void)state;
    snSettings* settings = flesh_settings();
    settings->self_contact = true;
    snFleshRule rule = {
        .part = (char*)"left", .color = 'r', .softness = 1, .alpha = 1, .damping = 1, .force = 1};
    snColliderDef collider = {(char*)"Bone2", {0, 0, 0}, {0, 1, 0}, 0.1f};
    assert_ok(sn_settings_set_rules(settings, &rule, 1, NULL));
    assert_ok(sn_settings_set_colliders(settings, &collider, 1, NULL));
    Built built = {.model = twins, .settings = settings};
    for (int skin = SN_SKIN_LINEAR; skin <= SN_SKIN_LATTICE; skin++) {
        built.skin = (snSkinMethod)skin;
        test_every_allocation(build, &built);
    }
    snCharacter* first = flesh_character(twins, settings, SN_SKIN_LATTICE);
    built.like = first;
    test_every_allocation(build, &built);
    sn_character_destroy(first);
    sn_settings_destroy(settings);
}

static void workers_and_levels_agree(void** state) {
    (void)state;
    snModel* body = flesh_body(32);
    snSettings* settings = flesh_settings();
    settings->self_contact = settings->ground = true;
    settings->region_damping = 0.1f;
    uint64_t truth = 0;
    for (int k = 0; k < SN_CPU_LEVEL_COUNT + 3; k++) {
        snPool* pool = NULL;
        snCharacterDef def = sn_character_def();
        def.model = body;
        def.settings = settings;
        def.level = k < SN_CPU_LEVEL_COUNT ? (snCpuLevel)k : SN_CPU_AUTO;
        if (!sn_cpu_level_available(def.level)) continue;
        static const uint32_t workers[] = {1, 3, 8};
        if (k >= SN_CPU_LEVEL_COUNT) {
            assert_ok(sn_pool_create(workers[k - SN_CPU_LEVEL_COUNT], &pool));
            def.tasks = sn_pool_tasks(pool);
        }
        snCharacter* character = NULL;
        assert_ok(sn_character_create(&def, NULL, &character, NULL));
        for (int i = 0; i < 12; i++)
            assert_ok(sn_character_pose_clip(character, 1, (float)i / 24.0f, SN_WRAP_LOOP));
        uint64_t hash = sn_character_hash(character);
        if (k == 0) truth = hash;
        assert_true(hash == truth);
        sn_character_destroy(character);
        if (pool != NULL) sn_pool_destroy(pool);
    }
    sn_settings_destroy(settings);
    sn_model_destroy(body);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_combination_runs),
        cmocka_unit_test(the_plain_skin_stays_plain),
        cmocka_unit_test(without_delta_flesh_is_off),
        cmocka_unit_test(rigid_parts_stay_rigid),
        cmocka_unit_test(morphs_work_in_the_lattice),
        cmocka_unit_test(ten_thousand_random_frames),
        cmocka_unit_test(volume_of_flesh_is_kept),
        cmocka_unit_test(frames_do_not_allocate),
        cmocka_unit_test(survives_every_failing_allocation),
        cmocka_unit_test(workers_and_levels_agree),
    };
    return cmocka_run_group_tests(tests, open_models, close_models);
}
