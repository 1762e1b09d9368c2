// Chains that meet, overrides, and confidences.
#include <stdio.h>
#include <string.h>

#include "people.h"

// The built-in body with its spine cut into another number of joints.
static snSkeleton* with_spine(const snSkeleton* body, uint32_t joints) {
    const char* names[PEOPLE_MOST];
    uint32_t parents[PEOPLE_MOST];
    snVec3 points[PEOPLE_MOST];
    snQuat rotations[PEOPLE_MOST];
    snTrs rest[PEOPLE_MOST];
    static const char* const spine[] = {"Spine_01", "Spine_02", "Spine_03",
                                        "Spine_04", "Spine_05", "Spine_06"};
    people_rest(body, points, rotations);
    uint32_t first = sn_skeleton_find(body, "Spine");
    uint32_t chest = sn_skeleton_find(body, "UpperChest");
    uint32_t count = 0;
    uint32_t moved[PEOPLE_MOST];
    for (uint32_t i = 0; i < body->joint_count; i++) {
        uint32_t j = body->order[i];
        bool inner = j == first || j == chest || body->parents[j] == first; // Spine, Chest, UpperChest
        if (inner && j != first) continue;
        moved[j] = count;
        for (uint32_t k = 0; k < (inner ? joints : 1); k++, count++) {
            float t = joints > 1 ? (float)k / (float)(joints - 1) : 0.0f;
            snVec3 at = inner ? sn_lerp(points[first], points[chest], t) : points[j];
            uint32_t parent = body->parents[j];
            if (parent == chest) parent = first; // hangs from the last joint of the new spine
            names[count] = inner ? spine[k] : body->names[j];
            parents[count] = k > 0 ? count - 1 : (parent == SN_NONE ? SN_NONE : moved[parent]);
            if (body->parents[j] == chest) parents[count] = moved[first] + joints - 1;
            rest[count] = sn_trs_identity();
            rest[count].translation = at; // world; made local below
        }
    }
    snVec3 world[PEOPLE_MOST];
    for (uint32_t j = 0; j < count; j++) world[j] = rest[j].translation;
    for (uint32_t j = 0; j < count; j++) {
        if (parents[j] != SN_NONE) rest[j].translation = sn_sub(world[j], world[parents[j]]);
    }
    snSkeletonDef def = {count, names, parents, rest};
    snSkeleton* s = NULL;
    assert_ok(sn_skeleton_create(&def, NULL, &s, NULL));
    return s;
}

static void a_body_maps_onto_itself(void** state) {
    (void)state;
    snModel* model = people_body();
    snJointMap* map = NULL;
    assert_ok(sn_joint_map_create(model->skeleton, model->skeleton, NULL, &map, NULL));
    assert_int_equal(map->matched, model->skeleton->joint_count);
    assert_near(map->confidence, 1.0f, 1e-6f);
    for (uint32_t j = 0; j < map->target_count; j++) {
        assert_int_equal(map->pairs[j].source, j);
        assert_near(map->pairs[j].share, 1.0f, 0.0f);
    }
    sn_joint_map_destroy(map);
    sn_joint_map_destroy(NULL);
    sn_model_destroy(model);
}

// Along a chain pairs advance, never past the source's end, and the last joint has all of it.
static void chains_of_any_count_share(void** state) {
    (void)state;
    snModel* model = people_body();
    for (uint32_t from = 1; from <= 6; from++) {
        for (uint32_t to = 1; to <= 6; to++) {
            snSkeleton* source = with_spine(model->skeleton, from);
            snSkeleton* target = with_spine(model->skeleton, to);
            snJointMap* map = NULL;
            assert_ok(sn_joint_map_create(source, target, NULL, &map, NULL));
            float before = 0.0f;
            uint32_t base = sn_skeleton_find(source, "Spine_01");
            for (uint32_t k = 0; k < to; k++) {
                const snJointPair* pair = &map->pairs[sn_skeleton_find(target, "Spine_01") + k];
                float place = (float)(pair->source - base) + pair->share;
                assert_true(place >= before && place <= (float)from);
                uint32_t start = pair->source == base ? sn_skeleton_find(source, "Hips") : pair->source - 1;
                assert_true(pair->share == 1.0f || pair->from == start);
                before = place;
            }
            assert_near(before, (float)from, 1e-6f);
            sn_joint_map_destroy(map);
            sn_skeleton_destroy(source);
            sn_skeleton_destroy(target);
        }
    }
    sn_model_destroy(model);
}

static void names_override_pairs(void** state) {
    (void)state;
    snModel* model = people_body();
    const snSkeleton* s = model->skeleton;
    snJointMap* map = NULL;
    assert_ok(sn_joint_map_create(s, s, NULL, &map, NULL));
    assert_ok(sn_joint_map_set(map, s, s, "LeftHand", "Head", NULL));
    assert_int_equal(map->pairs[sn_skeleton_find(s, "Head")].source, sn_skeleton_find(s, "LeftHand"));
    assert_ok(sn_joint_map_set(map, s, s, NULL, "Neck", NULL));
    assert_int_equal(map->pairs[sn_skeleton_find(s, "Neck")].source, SN_NONE);
    assert_int_equal(map->matched, s->joint_count - 1);
    snError error = sn_error_none();
    assert_int_equal(sn_joint_map_set(map, s, s, "Head", "Wing", &error), SN_RESULT_NOT_FOUND);
    assert_non_null(strstr(error.text, "Wing"));
    assert_int_equal(sn_joint_map_set(map, s, s, "Wing", "Head", &error), SN_RESULT_NOT_FOUND);
    assert_int_equal(sn_joint_map_set(NULL, s, s, "Head", "Head", &error), SN_RESULT_INVALID_ARGUMENT);
    assert_int_equal(sn_joint_map_create(NULL, s, NULL, &map, &error), SN_RESULT_INVALID_ARGUMENT);
    sn_joint_map_destroy(map);
    sn_model_destroy(model);
}

static const snJointPair* pair_of(const snJointMap* map, const snSkeleton* target, const char* name) {
    return &map->pairs[sn_skeleton_find(target, name)];
}

// Every pair says how it was found, and no confidence is without a reason.
static void pairs_say_how_they_were_found(void** state) {
    (void)state;
    snModel* model = people_body();
    const snSkeleton* body = model->skeleton;
    snJointMap* map = NULL;
    assert_ok(sn_joint_map_create(body, body, NULL, &map, NULL));
    for (uint32_t j = 0; j < map->target_count; j++) assert_int_equal(map->pairs[j].how, SN_PAIRING_NAME);
    assert_ok(
        sn_joint_map_set(map, body, body, "LeftElbow", "Chest", NULL)); // what it is in a body, its own name
    assert_int_equal(pair_of(map, body, "Chest")->source, sn_skeleton_find(body, "LeftLowerArm"));
    assert_int_equal(pair_of(map, body, "Chest")->how, SN_PAIRING_GIVEN);
    assert_ok(sn_joint_map_set(map, body, body, "", "Neck", NULL));
    assert_int_equal(pair_of(map, body, "Neck")->how, SN_PAIRING_NONE);
    assert_near(pair_of(map, body, "Neck")->confidence, 0, 0);
    sn_joint_map_destroy(map);
    // Another spine: other names, the same body.
    snSkeleton* source = with_spine(body, 2);
    assert_ok(sn_joint_map_create(source, body, NULL, &map, NULL));
    assert_int_equal(pair_of(map, body, "LeftLowerArm")->how, SN_PAIRING_ROLE);
    assert_int_equal(pair_of(map, body, "UpperChest")->how, SN_PAIRING_ROLE);
    for (uint32_t j = 0; j < map->target_count; j++) {
        const snJointPair* pair = &map->pairs[j];
        assert_int_equal(pair->source == SN_NONE, pair->how == SN_PAIRING_NONE);
        assert_int_equal(pair->confidence > 0.0f, pair->source != SN_NONE);
        if (pair->how == SN_PAIRING_ROLE) assert_true(pair->confidence > 0.6f);
        if (pair->how == SN_PAIRING_STRUCTURE) assert_true(pair->confidence <= 0.6f);
    }
    sn_joint_map_destroy(map);
    sn_skeleton_destroy(source);
    // Names that say nothing: found by structure.
    char texts[PEOPLE_MOST][16];
    const char* names[PEOPLE_MOST];
    for (uint32_t j = 0; j < body->joint_count; j++) {
        snprintf(texts[j], sizeof texts[j], "j%u", j);
        names[j] = texts[j];
    }
    snSkeletonDef def = {body->joint_count, names, body->parents, body->rest};
    assert_ok(sn_skeleton_create(&def, NULL, &source, NULL));
    assert_ok(sn_joint_map_create(source, body, NULL, &map, NULL));
    assert_int_equal(pair_of(map, body, "LeftLowerArm")->how, SN_PAIRING_STRUCTURE);
    assert_true(pair_of(map, body, "LeftLowerArm")->confidence <= 0.6f);
    sn_joint_map_destroy(map);
    sn_skeleton_destroy(source);
    sn_model_destroy(model);
    assert_string_equal(sn_pairing_name(SN_PAIRING_STAND_IN), "stand-in");
    assert_string_equal(sn_pairing_name((snPairing)99), "none");
}

// A source without fingers but one: it stands in for its neighbours.
static void kin_stand_in(void** state) {
    (void)state;
    snModel* model = people_body();
    const snSkeleton* body = model->skeleton;
    const char* names[PEOPLE_MOST];
    for (uint32_t j = 0; j < body->joint_count; j++)
        names[j] = strstr(body->names[j], "LeftRing") != NULL ? "prop" : body->names[j];
    snSkeletonDef def = {body->joint_count, names, body->parents, body->rest};
    snSkeleton* source = NULL;
    snJointMap* map = NULL;
    assert_ok(sn_skeleton_create(&def, NULL, &source, NULL));
    assert_ok(sn_joint_map_create(source, body, NULL, &map, NULL));
    uint32_t ring = 0;
    for (uint32_t j = 0; j < body->joint_count; j++) {
        if (strstr(body->names[j], "LeftRing") == NULL) continue;
        assert_int_equal(map->pairs[j].how, SN_PAIRING_STAND_IN);
        assert_true(map->pairs[j].confidence > 0.0f);
        ring++;
    }
    assert_true(ring > 0);
    sn_joint_map_destroy(map);
    sn_skeleton_destroy(source);
    sn_model_destroy(model);
}

// The same names on a body that goes on all fours: known by its trunk, and where nothing is called neck or
// head by where its arms are.
static void a_quadruped_scores_low(void** state) {
    (void)state;
    snModel* model = people_body();
    const snSkeleton* body = model->skeleton;
    snVec3 points[PEOPLE_MOST];
    snQuat rotations[PEOPLE_MOST];
    people_rest(body, points, rotations);
    people_turn(body, points, rotations, sn_skeleton_find(body, "Spine"),
                sn_quat_axis_angle(sn_vec3(1, 0, 0), SN_PI / 2));
    snSkeleton* animal = people_pose(body, points, rotations, true);
    snSkeletonDef def = {animal->joint_count, (const char* const*)animal->names, animal->parents,
                         animal->rest};
    const char* names[PEOPLE_MOST];
    char prefixed[PEOPLE_MOST][64];
    def.names = names;
    for (int headless = 0; headless < 2; headless++) {
        for (uint32_t j = 0; j < animal->joint_count; j++) {
            bool above = strstr(animal->names[j], "Neck") != NULL || strstr(animal->names[j], "Head") != NULL;
            snprintf(prefixed[j], sizeof prefixed[j], "b:%s", // names that do not match literally
                     headless != 0 && above ? "x" : animal->names[j]);
            names[j] = prefixed[j];
        }
        snSkeleton* renamed = NULL;
        assert_ok(sn_skeleton_create(&def, NULL, &renamed, NULL));
        snJointMap* map = NULL;
        assert_ok(sn_joint_map_create(body, renamed, NULL, &map, NULL));
        assert_true(map->matched > 30 && map->confidence < SN_JOINT_MAP_USABLE);
        sn_joint_map_destroy(map);
        sn_skeleton_destroy(renamed);
    }
    sn_skeleton_destroy(animal);
    sn_model_destroy(model);
}

// A tree and a row of joints without names say nothing to anybody, but are the same to themselves.
static void the_same_tree_maps_onto_itself(void** state) {
    (void)state;
    const char* names[] = {"", "", "", ""};
    uint32_t parents[] = {SN_NONE, 0, 1, 1};
    snTrs rest[4];
    for (int j = 0; j < 4; j++) {
        rest[j] = sn_trs_identity();
        rest[j].translation = sn_vec3(0.0f, (float)j, 0.0f);
    }
    snSkeletonDef def = {4, names, parents, rest};
    snSkeleton* tree = NULL;
    assert_ok(sn_skeleton_create(&def, NULL, &tree, NULL));
    parents[3] = 2;
    snSkeleton* row = NULL;
    assert_ok(sn_skeleton_create(&def, NULL, &row, NULL));
    snJointMap* map = NULL;
    assert_ok(sn_joint_map_create(tree, tree, NULL, &map, NULL));
    assert_near(map->confidence, 1.0f, 0.0f);
    assert_int_equal(map->matched, 4);
    for (uint32_t j = 0; j < 4; j++) assert_int_equal(map->pairs[j].source, j);
    sn_joint_map_destroy(map);
    assert_ok(sn_joint_map_create(tree, row, NULL, &map, NULL));
    assert_true(map->confidence < SN_JOINT_MAP_USABLE);
    sn_joint_map_destroy(map);
    sn_skeleton_destroy(tree);
    sn_skeleton_destroy(row);
}

// The right names on joints that are all in one place.
static void a_point_is_no_body(void** state) {
    (void)state;
    snModel* model = people_body();
    const snSkeleton* body = model->skeleton;
    snTrs rest[PEOPLE_MOST];
    for (uint32_t j = 0; j < body->joint_count; j++) rest[j] = sn_trs_identity();
    rest[0].translation = sn_vec3(0.3f, 1.0f, 0.1f);
    snSkeletonDef def = {body->joint_count, (const char* const*)body->names, body->parents, rest};
    snSkeleton* point = NULL;
    assert_ok(sn_skeleton_create(&def, NULL, &point, NULL));
    const snSkeleton* pairs[][2] = {{body, point}, {point, body}};
    for (int i = 0; i < 2; i++) {
        snJointMap* map = NULL;
        assert_ok(sn_joint_map_create(pairs[i][0], pairs[i][1], NULL, &map, NULL));
        assert_true(map->confidence < SN_JOINT_MAP_USABLE);
        sn_joint_map_destroy(map);
    }
    sn_skeleton_destroy(point);
    sn_model_destroy(model);
}

static snResult build(const snAllocator* allocator, void* context) {
    snJointMap* map = NULL;
    snResult result = sn_joint_map_create(context, context, allocator, &map, NULL);
    sn_joint_map_destroy(map);
    return result;
}

static void survives_every_failing_allocation(void** state) {
    (void)state;
    snModel* model = people_body();
    test_every_allocation(build, model->skeleton);
    sn_model_destroy(model);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_body_maps_onto_itself),
        cmocka_unit_test(chains_of_any_count_share),
        cmocka_unit_test(names_override_pairs),
        cmocka_unit_test(pairs_say_how_they_were_found),
        cmocka_unit_test(kin_stand_in),
        cmocka_unit_test(a_quadruped_scores_low),
        cmocka_unit_test(the_same_tree_maps_onto_itself),
        cmocka_unit_test(a_point_is_no_body),
        cmocka_unit_test(survives_every_failing_allocation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
