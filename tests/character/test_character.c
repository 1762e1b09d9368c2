// The stages together: rest is identity, seams stay closed, nothing allocates per frame, same bits
// everywhere.
#include <string.h>

#include "rigs.h"

static snModel* model_create(void) {
    snModel* model = NULL;
    assert_ok(sn_model_create(test_model_def(), NULL, &model, NULL));
    return model;
}

static snCharacter* character_create(const snModel* model, snSkinMethod skin) {
    snCharacterDef def = sn_character_def();
    def.model = model;
    def.skin = skin;
    snCharacter* character = NULL;
    assert_ok(sn_character_create(&def, NULL, &character, NULL));
    return character;
}

static void starts_in_the_rest_pose(void** state) {
    (void)state;
    snModel* model = model_create();
    for (int skin = SN_SKIN_LINEAR; skin <= SN_SKIN_DUAL; skin++) {
        snCharacter* character = character_create(model, (snSkinMethod)skin);
        snSurface soft = sn_character_surface(character, 0), hard = sn_character_surface(character, 1);
        for (uint32_t v = 0; v < soft.vertex_count; v++) {
            snVec3 p = model->parts[0].mesh->positions[v];
            // The default morph weight of 0.25 is part of the rest pose.
            assert_vec3_near(soft.positions[v], sn_vec3(p.x, p.y, p.z * 1.25f), 1e-6f);
            assert_vec3_near(hard.positions[v], sn_add(p, sn_vec3(0, 0.5f, 0)), 1e-6f);
        }
        sn_character_destroy(character);
    }
    sn_model_destroy(model);
}

static void clip_moves_all_parts(void** state) {
    (void)state;
    snModel* model = model_create();
    snCharacter* character = character_create(model, SN_SKIN_LINEAR);
    assert_ok(sn_character_pose_clip(character, 0, 1.0f, SN_WRAP_CLAMP));
    // The tip stands at (3, 0.5, 0), turned a quarter about z; the rigid cube goes along.
    snVec3 corner = model->parts[1].mesh->positions[0];
    snSurface hard = sn_character_surface(character, 1);
    assert_vec3_near(hard.positions[0], sn_vec3(3 - corner.y, 0.5f + corner.x, corner.z), 1e-5f);
    assert_vec3_near(sn_mat4_translation(&sn_character_world(character)[1]), sn_vec3(3, 0.5f, 0), 1e-6f);
    // The morph is fully on: bottom vertices of the soft cube, held by the root alone, are twice as deep.
    snSurface soft = sn_character_surface(character, 0);
    for (uint32_t v = 0; v < soft.vertex_count; v++) {
        snVec3 p = model->parts[0].mesh->positions[v];
        if (p.y == 0.0f) assert_vec3_near(soft.positions[v], sn_vec3(p.x + 3, 0, 2 * p.z), 1e-5f);
    }
    // A name that is misspelt is an error and moves nothing; the rest pose has its own name.
    uint64_t posed = sn_character_hash(character);
    uint32_t misspelt = sn_model_find_clip(model, "misspelt");
    assert_int_equal(misspelt, SN_NONE);
    assert_int_equal(sn_character_pose_clip(character, 1, 0.0f, SN_WRAP_CLAMP), SN_RESULT_NOT_FOUND);
    assert_int_equal(sn_character_pose_clip(character, misspelt, 0.0f, SN_WRAP_CLAMP), SN_RESULT_NOT_FOUND);
    assert_true(sn_character_hash(character) == posed);
    assert_ok(sn_character_pose_clip(character, SN_CLIP_REST, 0.0f, SN_WRAP_CLAMP));
    assert_true(sn_character_hash(character) != posed);
    sn_character_destroy(character);
    sn_model_destroy(model);
}

// Two vertices at one place whose weights, morphs and positions differ by a file's rounding: the seam would
// open, and does not.
static void seams_stay_closed(void** state) {
    (void)state;
    snModel* model = model_create();
    snPart* part = &model->parts[0];
    for (uint32_t v = 0; v < part->weights.vertex_count; v += 3) {
        float shift = part->weights.weights[2 * v] > 0.5f ? -0.02f : 0.02f;
        part->weights.weights[2 * v] += shift;
        part->weights.weights[2 * v + 1] -= shift;
        part->mesh->positions[v].x += 1e-7f; // nearly the same place
        part->morphs[0].positions[v].z += 1e-5f;
    }
    for (int skin = SN_SKIN_LINEAR; skin <= SN_SKIN_DUAL; skin++) {
        snCharacter* character = character_create(model, (snSkinMethod)skin);
        assert_ok(sn_character_pose_clip(character, 0, 0.7f, SN_WRAP_CLAMP));
        snSurface soft = sn_character_surface(character, 0);
        for (uint32_t a = 0; a < soft.vertex_count; a++) {
            for (uint32_t b = 0; b < a; b++) {
                if (part->weld->point_of_vertex[a] != part->weld->point_of_vertex[b]) continue;
                assert_memory_equal(&soft.positions[a], &soft.positions[b], sizeof(snVec3));
            }
        }
        sn_character_destroy(character);
    }
    sn_model_destroy(model);
}

// Lips modelled shut: the same place, but other joints or another morph. They must open.
static void what_is_meant_to_part_does(void** state) {
    (void)state;
    for (int by_morph = 0; by_morph < 2; by_morph++) {
        snModel* model = model_create();
        snPart* part = &model->parts[0];
        uint32_t upper = SN_NONE, lower = 23;
        for (uint32_t v = 0; v < 23; v++) {
            if (part->weld->point_of_vertex[v] == part->weld->point_of_vertex[lower]) upper = v;
        }
        assert_true(upper != SN_NONE);
        if (by_morph) part->morphs[0].positions[lower] = sn_vec3(0, -1, 0);
        for (int i = 0; i < 2 && !by_morph; i++)
            part->weights.weights[2 * lower + (uint32_t)i] = i == 0 ? 0.0f : 1.0f;
        for (int i = 0; i < 2 && !by_morph; i++)
            part->weights.weights[2 * upper + (uint32_t)i] = i == 0 ? 1.0f : 0.0f;
        snCharacter* character = character_create(model, SN_SKIN_LINEAR);
        assert_ok(sn_character_pose_clip(character, 0, 1.0f, SN_WRAP_CLAMP));
        snSurface soft = sn_character_surface(character, 0);
        assert_true(sn_distance(soft.positions[upper], soft.positions[lower]) > 0.1f);
        sn_character_destroy(character);
        sn_model_destroy(model);
    }
}

// More influences than a plan takes: the plain job does it, with the same result as for the four that count.
static void any_number_of_influences_works(void** state) {
    (void)state;
    enum { MANY = 80, VERTICES = 24 };
    const snModelDef* few = test_model_def();
    static uint16_t joints[VERTICES * MANY];
    static float weights[VERTICES * MANY];
    static uint32_t list[MANY];
    for (uint32_t i = 0; i < VERTICES * MANY; i++) {
        joints[i] = (uint16_t)(i % MANY);
        weights[i] = 1.0f / MANY;
        list[i % MANY] = 0;
    }
    snSkinDef skin = {"many", MANY, list, NULL};
    snPartDef part = few->parts[0];
    part.influences = MANY;
    part.joints = joints;
    part.weights = weights;
    part.morph_count = 0;
    snModelDef def = *few;
    def.skins = &skin;
    def.parts = &part;
    def.part_count = 1;
    snModel* model = NULL;
    assert_ok(sn_model_create(&def, NULL, &model, NULL));
    snCharacter* character = character_create(model, SN_SKIN_LINEAR);
    assert_ok(sn_character_pose_clip(character, 0, 1.0f, SN_WRAP_CLAMP));
    snSurface surface = sn_character_surface(character, 0);
    for (uint32_t v = 0; v < VERTICES; v++) { // all 80 are the root, which has moved by 3
        assert_vec3_near(surface.positions[v], sn_add(model->parts[0].mesh->positions[v], sn_vec3(3, 0, 0)),
                         1e-5f);
    }
    sn_character_destroy(character);
    sn_model_destroy(model);
}

static void frames_do_not_allocate(void** state) {
    (void)state;
    snModel* model = model_create();
    for (int skin = SN_SKIN_LINEAR; skin <= SN_SKIN_DUAL; skin++) {
        TestAllocator counter = {UINT64_MAX, 0, 0};
        snAllocator allocator = test_allocator(&counter);
        snCharacterDef def = sn_character_def();
        def.model = model;
        def.skin = (snSkinMethod)skin;
        snCharacter* character = NULL;
        assert_ok(sn_character_create(&def, &allocator, &character, NULL));
        uint64_t calls = counter.calls;
        for (int i = 0; i < 100; i++)
            assert_ok(sn_character_pose_clip(character, 0, (float)i * 0.03f, SN_WRAP_LOOP));
        assert_int_equal(counter.calls, calls);
        sn_character_destroy(character);
        assert_int_equal(counter.held, 0);
    }
    sn_model_destroy(model);
}

static void locals_pose_directly(void** state) {
    (void)state;
    snModel* model = model_create();
    snCharacter* character = character_create(model, SN_SKIN_DUAL);
    snTrs locals[2] = {model->skeleton->rest[0], model->skeleton->rest[1]};
    uint64_t rest = sn_character_hash(character);
    locals[0].translation = sn_vec3(0, 0, 7);
    assert_ok(sn_character_pose_locals(character, locals));
    assert_true(sn_character_hash(character) != rest);
    locals[0].translation = sn_vec3(0, 0, 0);
    assert_ok(sn_character_pose_locals(character, locals));
    assert_true(sn_character_hash(character) == rest);
    assert_int_equal(sn_character_pose_locals(character, NULL), SN_RESULT_INVALID_ARGUMENT);
    assert_null(sn_character_surface(character, 9).positions);
    sn_character_destroy(character);
    sn_character_destroy(NULL);
    sn_model_destroy(model);
}

// A vertex lies as far between linear and dual skin as it asks for, with the same bits at every level.
static void dual_skin_is_shared(void** state) {
    (void)state;
    snTubeDef tube = sn_tube_def();
    tube.sides = 8;
    snModel *model = NULL, *plain = NULL;
    assert_ok(sn_builtin_tube(&tube, NULL, &model, NULL));
    assert_ok(sn_builtin_tube(&tube, NULL, &plain, NULL));
    snPart* part = &model->parts[0];
    uint32_t count = part->mesh->vertex_count;
    snCharacter *linear = character_create(plain, SN_SKIN_LINEAR),
                *dual = character_create(plain, SN_SKIN_DUAL);
    part->dual_shares = model->allocator.alloc(model->allocator.user, count * sizeof(float), 16);
    assert_non_null(part->dual_shares);
    for (uint32_t v = 0; v < count; v++) part->dual_shares[v] = (float)(v % 5) * 0.25f;
    uint64_t expected = 0;
    for (int level = SN_CPU_SCALAR; level < SN_CPU_LEVEL_COUNT; level++) {
        if (!sn_cpu_level_available((snCpuLevel)level)) continue;
        snCharacterDef def = sn_character_def(); // which means dual skin
        def.model = model;
        def.level = (snCpuLevel)level;
        snCharacter* shared = NULL;
        assert_ok(sn_character_create(&def, NULL, &shared, NULL));
        snCharacter* all[] = {linear, dual, shared};
        for (int i = 0; i < 3; i++) assert_ok(sn_character_pose_clip(all[i], 0, 0.7f, SN_WRAP_CLAMP));
        if (level == SN_CPU_SCALAR) expected = sn_character_hash(shared);
        assert_true(sn_character_hash(shared) == expected);
        snSurface a = sn_character_surface(linear, 0), b = sn_character_surface(dual, 0),
                  s = sn_character_surface(shared, 0);
        float apart = 0.0f;
        for (uint32_t v = 0; v < count; v++) {
            assert_vec3_near(s.positions[v], sn_lerp(a.positions[v], b.positions[v], part->dual_shares[v]),
                             1e-6f);
            assert_near(sn_length(s.normals[v]), 1.0, 1e-5);
            apart = sn_maxf(apart, sn_distance(a.positions[v], b.positions[v]));
        }
        assert_true(apart > 1e-3f);
        sn_character_destroy(shared);
    }
    sn_character_destroy(linear);
    sn_character_destroy(dual);
    sn_model_destroy(model);
    sn_model_destroy(plain);
}

static void definitions_are_checked(void** state) {
    (void)state;
    snCharacterDef def = sn_character_def();
    snCharacter* character = NULL;
    assert_int_equal(sn_character_create(&def, NULL, &character, NULL), SN_RESULT_INVALID_ARGUMENT);
    snModel* model = model_create();
    def.model = model;
    def.level = SN_CPU_LEVEL_COUNT;
    assert_int_equal(sn_character_create(&def, NULL, &character, NULL), SN_RESULT_UNSUPPORTED);
    assert_null(character);
    sn_model_destroy(model);
}

static snResult build(const snAllocator* allocator, void* context) {
    snCharacterDef def = sn_character_def();
    def.model = context;
    snCharacter* character = NULL;
    snResult result = sn_character_create(&def, allocator, &character, NULL);
    if (result == SN_RESULT_OK) sn_character_destroy(character);
    return result;
}

static void survives_every_failing_allocation(void** state) {
    (void)state;
    snModel* model = model_create();
    test_every_allocation(build, model);
    sn_model_destroy(model);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(starts_in_the_rest_pose),
        cmocka_unit_test(clip_moves_all_parts),
        cmocka_unit_test(seams_stay_closed),
        cmocka_unit_test(what_is_meant_to_part_does),
        cmocka_unit_test(any_number_of_influences_works),
        cmocka_unit_test(frames_do_not_allocate),
        cmocka_unit_test(locals_pose_directly),
        cmocka_unit_test(dual_skin_is_shared),
        cmocka_unit_test(definitions_are_checked),
        cmocka_unit_test(survives_every_failing_allocation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
