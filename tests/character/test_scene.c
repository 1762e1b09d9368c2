// Many characters: the same bytes as each alone, whatever the workers, and nothing allocated per frame.
#include "flesh_support.h"

#include "character/character.h"

enum { COUNT = 20, FRAMES = 12 };

static snModel *twins, *body;
static snSettings* soft;

static int open_models(void** state) {
    (void)state;
    twins = flesh_twins(12);
    body = flesh_body(20);
    soft = flesh_settings();
    soft->delta = 0.95f;
    soft->self_contact = soft->ground = true;
    soft->region_damping = 0.2f;
    return 0;
}

static int close_models(void** state) {
    (void)state;
    sn_settings_destroy(soft);
    sn_model_destroy(twins);
    sn_model_destroy(body);
    return 0;
}

// Two models, two settings, three skins.
static void fill_defs(snCharacterDef defs[COUNT]) {
    for (int i = 0; i < COUNT; i++) {
        defs[i] = sn_character_def();
        defs[i].model = i % 3 == 0 ? body : twins;
        defs[i].settings = i % 5 == 0 ? soft : NULL;
        defs[i].skin = i % 4 == 1 ? SN_SKIN_LATTICE : i % 4 == 2 ? SN_SKIN_LINEAR : SN_SKIN_AUTO;
    }
}

static snSceneMove move_of(int character, int frame) {
    float time = (float)frame / 30.0f + 0.013f * (float)character;
    if (character == 7 && frame > 6) time -= 3.0f; // someone jumps back
    return (snSceneMove){.time = time, .wrap = SN_WRAP_LOOP};
}

static snScene* scene_create(const snCharacterDef* defs, uint32_t count, snTasks tasks,
                             const snAllocator* allocator) {
    snSceneDef def = {count, defs, tasks};
    snScene* scene = NULL;
    assert_ok(sn_scene_create(&def, allocator, &scene, NULL));
    return scene;
}

static void run_frame(snScene* scene, int frame) {
    snSceneMove moves[COUNT];
    for (int i = 0; i < COUNT; i++) moves[i] = move_of(i, frame);
    assert_ok(sn_scene_pose(scene, moves));
}

static void a_scene_is_the_sum_of_its_characters(void** state) {
    (void)state;
    snCharacterDef defs[COUNT];
    fill_defs(defs);
    uint64_t hashes[COUNT][FRAMES];
    snCharacterReport reports[COUNT];
    for (int i = 0; i < COUNT; i++) {
        snCharacter* alone = NULL;
        assert_ok(sn_character_create(&defs[i], NULL, &alone, NULL));
        for (int f = 0; f < FRAMES; f++) {
            snSceneMove move = move_of(i, f);
            assert_ok(sn_character_pose_clip(alone, move.clip, move.time, move.wrap));
            hashes[i][f] = sn_character_hash(alone);
        }
        reports[i] = sn_character_report(alone);
        sn_character_destroy(alone);
    }
    static const uint32_t workers[] = {0, 1, 8};
    for (int k = 0; k < 3; k++) {
        snPool* pool = NULL;
        if (workers[k] > 0) assert_ok(sn_pool_create(workers[k], &pool));
        snScene* scene = scene_create(defs, COUNT, pool != NULL ? sn_pool_tasks(pool) : (snTasks){0}, NULL);
        for (int f = 0; f < FRAMES; f++) {
            run_frame(scene, f);
            for (uint32_t i = 0; i < COUNT; i++)
                assert_true(sn_character_hash(sn_scene_character(scene, (uint32_t)i)) == hashes[i][f]);
        }
        for (uint32_t i = 0; i < COUNT; i++) {
            snCharacterReport report = sn_character_report(sn_scene_character(scene, (uint32_t)i));
            assert_int_equal(report.steps, reports[i].steps);
            assert_int_equal(report.resets, i == 7);
        }
        sn_scene_destroy(scene);
        if (pool != NULL) sn_pool_destroy(pool);
    }
}

// One model and one way to move, so that characters share lanes, and some are left over on every level. Where
// they are in time differs: some step more often than others in a frame, one jumps back, one rests, one is
// given poses.
enum { CROWD = 37 };

static snSceneMove crowd_move(int character, int frame) {
    snSceneMove move = move_of(character, frame);
    if (character % 5 == 3) move.time *= 2.5f;
    if (character == 11 && frame > 4) move.clip = SN_CLIP_REST;
    return move;
}

static void check_crowd(const snSettings* settings, snSkinMethod skin, snCpuLevel level, snTasks tasks) {
    snCharacterDef defs[CROWD];
    snCharacter* alone[CROWD];
    for (int i = 0; i < CROWD; i++) {
        defs[i] = sn_character_def();
        defs[i].model = body;
        defs[i].settings = settings;
        defs[i].skin = skin;
        defs[i].level = level;
        snCharacterDef own = defs[i];
        own.like = i > 0 ? alone[0] : NULL;
        own.level = SN_CPU_SCALAR;
        assert_ok(sn_character_create(&own, NULL, &alone[i], NULL));
    }
    snScene* scene = scene_create(defs, CROWD, tasks, NULL);
    for (int f = 0; f < FRAMES; f++) {
        snSceneMove moves[CROWD];
        for (int i = 0; i < CROWD; i++) moves[i] = crowd_move(i, f);
        assert_ok(sn_scene_pose(scene, moves));
        for (int i = 0; i < CROWD; i++) {
            assert_ok(sn_character_pose_clip(alone[i], moves[i].clip, moves[i].time, moves[i].wrap));
            assert_true(sn_character_hash(alone[i]) ==
                        sn_character_hash(sn_scene_character(scene, (uint32_t)i)));
        }
    }
    for (int i = 0; i < CROWD; i++) {
        snCharacterReport a = sn_character_report(alone[i]);
        snCharacterReport b = sn_character_report(sn_scene_character(scene, (uint32_t)i));
        assert_true(a.steps == b.steps && a.resets == b.resets && a.cuts == b.cuts);
        assert_true(a.steps > 0);
    }
    sn_scene_destroy(scene);
    for (int i = CROWD; i > 0; i--) sn_character_destroy(alone[i - 1]);
}

static void characters_in_lanes_have_the_bits_of_each_alone(void** state) {
    (void)state;
    snSettings* lively = flesh_settings();
    lively->delta = 0.95f;
    lively->self_contact = lively->ground = true;
    snPool* pool = NULL;
    assert_ok(sn_pool_create(3, &pool));
    for (int level = SN_CPU_AUTO; level < SN_CPU_LEVEL_COUNT; level++) {
        if (!sn_cpu_level_available((snCpuLevel)level)) continue;
        check_crowd(NULL, SN_SKIN_LATTICE, (snCpuLevel)level, (snTasks){0});
        lively->rest = SN_FLESH_PRIMARY;
        check_crowd(lively, SN_SKIN_AUTO, (snCpuLevel)level, sn_pool_tasks(pool));
    }
    lively->rest = SN_FLESH_INITIAL; // these go alone
    check_crowd(lively, SN_SKIN_AUTO, SN_CPU_AUTO, sn_pool_tasks(pool));
    sn_pool_destroy(pool);
    sn_settings_destroy(lively);
}

static void tables_are_shared_where_they_are_equal(void** state) {
    (void)state;
    snCharacterDef defs[COUNT];
    fill_defs(defs);
    // One that brings tables of its own to share does not get those of another.
    snCharacter* outside = flesh_character(body, soft, SN_SKIN_LINEAR);
    defs[12].like = defs[18].like = outside;
    defs[12].skin = defs[18].skin = defs[6].skin;
    defs[12].settings = defs[18].settings = defs[6].settings;
    assert_ptr_equal(defs[12].model, body);
    snScene* scene = scene_create(defs, COUNT, (snTasks){0}, NULL);
    for (uint32_t a = 0; a < COUNT; a++) {
        for (uint32_t b = 0; b < a; b++) {
            bool equal = defs[a].model == defs[b].model && defs[a].settings == defs[b].settings &&
                         defs[a].skin == defs[b].skin && defs[a].like == defs[b].like;
            const snCharacter *first = sn_scene_character(scene, a), *second = sn_scene_character(scene, b);
            assert_true((first->tables == second->tables) == equal);
        }
    }
    assert_ptr_equal(sn_scene_character(scene, 12)->tables, outside->tables);
    run_frame(scene, 0);
    run_frame(scene, 1);
    sn_scene_destroy(scene);
    sn_character_destroy(outside);
}

static void a_scene_starts_in_the_rest_pose(void** state) {
    (void)state;
    snCharacterDef defs[COUNT];
    fill_defs(defs);
    snScene* scene = scene_create(defs, COUNT, (snTasks){0}, NULL);
    for (uint32_t i = 0; i < COUNT; i++) {
        snCharacter* alone = NULL;
        assert_ok(sn_character_create(&defs[i], NULL, &alone, NULL));
        assert_true(sn_character_hash(alone) == sn_character_hash(sn_scene_character(scene, (uint32_t)i)));
        sn_character_destroy(alone);
    }
    assert_null(sn_scene_character(scene, COUNT));
    sn_scene_destroy(scene);
}

// One bad move is told; the others are made all the same.
static void one_failure_does_not_stop_the_others(void** state) {
    (void)state;
    snCharacterDef defs[COUNT];
    fill_defs(defs);
    snScene *scene = scene_create(defs, COUNT, (snTasks){0}, NULL),
            *good = scene_create(defs, COUNT, (snTasks){0}, NULL);
    snSceneMove moves[COUNT];
    for (int i = 0; i < COUNT; i++) moves[i] = move_of(i, 3);
    assert_ok(sn_scene_pose(good, moves));
    moves[4].clip = sn_model_find_clip(defs[4].model, "misspelt");
    assert_int_equal(sn_scene_pose(scene, moves), SN_RESULT_NOT_FOUND);
    for (uint32_t i = 0; i < COUNT; i++) {
        bool same = sn_character_hash(sn_scene_character(scene, (uint32_t)i)) ==
                    sn_character_hash(sn_scene_character(good, i));
        assert_true(same == (i != 4));
    }
    moves[4].clip = 0;
    assert_ok(sn_scene_pose(scene, moves));
    assert_true(sn_character_hash(sn_scene_character(scene, 4)) ==
                sn_character_hash(sn_scene_character(good, 4)));
    sn_scene_destroy(scene);
    sn_scene_destroy(good);
}

// Characters of a scene work in memory that it lends them: alone they refuse.
static void bad_arguments_are_refused(void** state) {
    (void)state;
    snCharacterDef defs[COUNT];
    fill_defs(defs);
    snScene* scene = scene_create(defs, COUNT, (snTasks){0}, NULL);
    snCharacter* member = sn_scene_character(scene, 0);
    const snTrs* rest = body->skeleton->rest;
    uint64_t hash = sn_character_hash(member);
    assert_int_equal(sn_character_pose_clip(member, 0, 0.5f, SN_WRAP_LOOP), SN_RESULT_INVALID_ARGUMENT);
    assert_int_equal(sn_character_pose_locals(member, rest), SN_RESULT_INVALID_ARGUMENT);
    assert_int_equal(sn_character_advance(member, rest, 0.1f), SN_RESULT_INVALID_ARGUMENT);
    assert_true(sn_character_hash(member) == hash);
    assert_int_equal(sn_scene_pose(scene, NULL), SN_RESULT_INVALID_ARGUMENT);
    assert_int_equal(sn_scene_pose(NULL, NULL), SN_RESULT_INVALID_ARGUMENT);
    sn_scene_destroy(scene);
    sn_scene_destroy(NULL);

    snSceneDef def = {COUNT, NULL, {0}};
    scene = NULL;
    assert_int_equal(sn_scene_create(&def, NULL, &scene, NULL), SN_RESULT_INVALID_ARGUMENT);
    assert_int_equal(sn_scene_create(NULL, NULL, &scene, NULL), SN_RESULT_INVALID_ARGUMENT);
    def.characters = defs;
    assert_int_equal(sn_scene_create(&def, NULL, NULL, NULL), SN_RESULT_INVALID_ARGUMENT);
    defs[11].model = NULL;
    snError error = sn_error_none();
    assert_int_equal(sn_scene_create(&def, NULL, &scene, &error), SN_RESULT_INVALID_ARGUMENT);
    assert_true(error.text[0] != '\0');
    assert_null(scene);
    // Nobody at all is a scene too.
    scene = scene_create(NULL, 0, (snTasks){0}, NULL);
    snSceneMove none;
    assert_ok(sn_scene_pose(scene, &none));
    sn_scene_destroy(scene);
}

static void frames_do_not_allocate(void** state) {
    (void)state;
    snCharacterDef defs[COUNT];
    fill_defs(defs);
    TestAllocator counter = {UINT64_MAX, 0, 0};
    snAllocator allocator = test_allocator(&counter);
    snScene* scene = scene_create(defs, COUNT, (snTasks){0}, &allocator);
    uint64_t calls = counter.calls;
    for (int f = 0; f < FRAMES; f++) run_frame(scene, f);
    assert_int_equal(counter.calls, calls);
    sn_scene_destroy(scene);
    assert_int_equal(counter.held, 0);
}

static snResult build(const snAllocator* allocator, void* context) {
    snSceneDef def = {4, context, {0}};
    snScene* scene = NULL;
    snResult result = sn_scene_create(&def, allocator, &scene, NULL);
    sn_scene_destroy(scene);
    return result;
}

static void survives_every_failing_allocation(void** state) {
    (void)state;
    snCharacterDef defs[COUNT];
    fill_defs(defs);
    defs[0] = defs[1], defs[3] = defs[2]; // two sets of tables of the small model, each shared
    test_every_allocation(build, defs);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_scene_is_the_sum_of_its_characters),
        cmocka_unit_test(characters_in_lanes_have_the_bits_of_each_alone),
        cmocka_unit_test(tables_are_shared_where_they_are_equal),
        cmocka_unit_test(a_scene_starts_in_the_rest_pose),
        cmocka_unit_test(one_failure_does_not_stop_the_others),
        cmocka_unit_test(bad_arguments_are_refused),
        cmocka_unit_test(frames_do_not_allocate),
        cmocka_unit_test(survives_every_failing_allocation),
    };
    return cmocka_run_group_tests(tests, open_models, close_models);
}
