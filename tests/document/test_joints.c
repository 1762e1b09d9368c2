// Joints added, renamed, hung on others and taken away: the body and its clips stay as they were.
#include <stdlib.h>
#include <string.h>

#include "edits.h"

static snDocument* open_body(void) {
    snDocument* document = edits_make(NULL);
    snError error = sn_error_none();
    edits_expect(sn_document_open(document, "builtin:body:3000", NULL, &error), &error, "open");
    return document;
}

static const snSkeleton* skeleton_of(const snDocument* document) {
    return sn_document_model(document)->skeleton;
}

static uint32_t find(const snDocument* document, const char* name) {
    uint32_t joint = sn_skeleton_find(skeleton_of(document), name);
    if (joint == SN_NONE) fail_msg("the body has no %s", name);
    return joint;
}

// Where all vertices are at a moment of a clip, by the plain skin.
static snVec3* surface_at(snDocument* document, uint32_t clip, float time, uint32_t* out_count) {
    snError error = sn_error_none();
    snCharacter* character = NULL;
    edits_expect(sn_document_play(document, clip, time, SN_WRAP_CLAMP, &error), &error, "pose");
    edits_expect(sn_document_character(document, &character, &error), &error, "character");
    snSurface surface = sn_character_surface(character, 0);
    snVec3* copy = malloc(surface.vertex_count * sizeof *copy);
    assert_non_null(copy);
    memcpy(copy, surface.positions, surface.vertex_count * sizeof *copy);
    *out_count = surface.vertex_count;
    return copy;
}

static float farthest(const snVec3* a, const snVec3* b, uint32_t count) {
    float most = 0.0f;
    for (uint32_t v = 0; v < count; v++) most = sn_maxf(most, sn_distance(a[v], b[v]));
    return most;
}

static void use_plain_skin(snDocument* document) {
    snError error = sn_error_none();
    edits_expect(sn_document_set(document, "skin", "linear", &error), &error, "skin");
    edits_expect(sn_document_set(document, "volume.method", "none", &error), &error, "volume");
    edits_expect(sn_document_set(document, "flesh.on", "off", &error), &error, "flesh");
}

// Longest way of a vertex between before and after, at rest and through the first clip.
static float change_by(snDocument* document, snResult (*edit)(snDocument*, snError*)) {
    enum { MOMENTS = 4 };
    snError error = sn_error_none();
    snVec3* before[MOMENTS];
    uint32_t count = 0;
    float most = 0.0f, duration = sn_document_model(document)->clips[0]->duration;
    for (int i = 0; i < MOMENTS; i++)
        before[i] = surface_at(document, i > 0 ? 0 : SN_CLIP_REST, 0.31f * (float)i * duration, &count);
    uint64_t hash = sn_document_hash(document);
    edits_expect(edit(document, &error), &error, "edit");
    assert_true(sn_document_hash(document) != hash);
    for (int i = 0; i < MOMENTS; i++) {
        snVec3* after = surface_at(document, i > 0 ? 0 : SN_CLIP_REST, 0.31f * (float)i * duration, &count);
        most = sn_maxf(most, farthest(before[i], after, count));
        free(after);
        free(before[i]);
    }
    uint64_t changed = sn_document_hash(document);
    edits_expect(sn_document_undo(document, &error), &error, "undo");
    assert_true(sn_document_hash(document) == hash);
    edits_expect(sn_document_redo(document, &error), &error, "redo");
    assert_true(sn_document_hash(document) == changed);
    return most;
}

// ----------------------------------------------------------------------------------------------------- tests

static snResult add_one(snDocument* document, snError* error) {
    uint32_t hand = find(document, "LeftHand"), joint = SN_NONE;
    uint32_t count = skeleton_of(document)->joint_count;
    snResult result =
        sn_document_add_joint(document, "Pocket", hand, sn_vec3(0.8f, 1.3f, 0.1f), &joint, error);
    if (result == SN_RESULT_OK) assert_int_equal(joint, count);
    return result;
}

static void a_new_joint_moves_skin_once_bound(void** state) {
    (void)state;
    snDocument* document = open_body();
    snError error = sn_error_none();
    use_plain_skin(document);
    assert_true(change_by(document, add_one) == 0.0f);
    const snSkeleton* skeleton = skeleton_of(document);
    uint32_t joint = find(document, "Pocket");
    assert_string_equal(skeleton->names[skeleton->parents[joint]], "LeftHand");
    snMat4* world = malloc(skeleton->joint_count * sizeof *world);
    assert_non_null(world);
    sn_skeleton_world(skeleton, NULL, world);
    assert_true(sn_distance(sn_mat4_translation(&world[joint]), sn_vec3(0.8f, 1.3f, 0.1f)) < 1e-6f);
    free(world);
    // Put in the middle of a fore-arm it gets flesh of its own.
    uint32_t elbow = find(document, "LeftLowerArm"), hand = find(document, "LeftHand"), half = SN_NONE;
    world = malloc(skeleton->joint_count * sizeof *world);
    assert_non_null(world);
    sn_skeleton_world(skeleton, NULL, world);
    snVec3 place = sn_lerp(sn_mat4_translation(&world[elbow]), sn_mat4_translation(&world[hand]), 0.5f);
    free(world);
    edits_expect(sn_document_add_joint(document, "Half", elbow, place, &half, &error), &error, "add");
    edits_expect(sn_document_parent_joint(document, hand, half, &error), &error, "parent");
    snBindDef def = sn_bind_def();
    snBindReport report = {0};
    edits_expect(sn_document_bind(document, &def, NULL, &report, &error), &error, "bind");
    for (uint32_t i = 0; i < report.joints_without_weight_count; i++)
        assert_true(report.joints_without_weight[i] != half);
    sn_bind_report_free(&report);
    assert_int_equal(sn_document_add_joint(document, "Half", elbow, place, NULL, &error), SN_RESULT_BAD_DATA);
    assert_int_equal(sn_document_add_joint(document, "", elbow, place, NULL, &error),
                     SN_RESULT_INVALID_ARGUMENT);
    assert_int_equal(sn_document_add_joint(document, "New", 999, place, NULL, &error), SN_RESULT_NOT_FOUND);
    sn_document_destroy(document);
}

static snResult rename_one(snDocument* document, snError* error) {
    return sn_document_rename_joint(document, find(document, "LeftHand"), "Paw", error);
}

static void another_name_changes_nothing_else(void** state) {
    (void)state;
    snDocument* document = open_body();
    snError error = sn_error_none();
    use_plain_skin(document);
    assert_true(change_by(document, rename_one) == 0.0f);
    uint32_t paw = find(document, "Paw");
    assert_int_equal(sn_skeleton_find(skeleton_of(document), "LeftHand"), SN_NONE);
    assert_int_equal(sn_document_mirror_joint(document, paw), paw);
    assert_int_equal(sn_document_mirror_joint(document, find(document, "LeftFoot")),
                     find(document, "RightFoot"));
    assert_int_equal(sn_document_mirror_joint(document, find(document, "Hips")), find(document, "Hips"));
    assert_int_equal(sn_document_mirror_joint(document, 999), 999);
    assert_int_equal(sn_document_rename_joint(document, paw, "RightHand", &error), SN_RESULT_BAD_DATA);
    assert_int_equal(sn_document_rename_joint(document, paw, "", &error), SN_RESULT_INVALID_ARGUMENT);
    uint64_t hash = sn_document_hash(document);
    edits_expect(sn_document_rename_joint(document, paw, "Paw", &error), &error, "the same name");
    assert_true(sn_document_hash(document) == hash);
    sn_document_destroy(document);
}

static snResult hang_one(snDocument* document, snError* error) {
    return sn_document_parent_joint(document, find(document, "LeftLowerArm"), find(document, "Hips"), error);
}

static snResult free_one(snDocument* document, snError* error) {
    return sn_document_parent_joint(document, find(document, "RightUpperLeg"), SN_NONE, error);
}

// Both clips of the body move all joints between: keys keep the ways, and between keys there are 33 ms.
static void other_parents_keep_the_ways(void** state) {
    (void)state;
    snDocument* document = open_body();
    snError error = sn_error_none();
    use_plain_skin(document);
    float most = change_by(document, hang_one);
    print_message("fore-arm on the hips: %.3f mm off at most\n", 1e3 * (double)most);
    assert_true(most < 2e-3f);
    most = change_by(document, free_one);
    print_message("a leg on nothing: %.3f mm off at most\n", 1e3 * (double)most);
    assert_true(most < 2e-3f);
    uint32_t hips = find(document, "Hips"), arm = find(document, "LeftLowerArm");
    assert_int_equal(skeleton_of(document)->parents[arm], hips);
    assert_int_equal(sn_document_parent_joint(document, hips, arm, &error), SN_RESULT_BAD_DATA);
    assert_int_equal(sn_document_parent_joint(document, arm, arm, &error), SN_RESULT_BAD_DATA);
    assert_int_equal(sn_document_parent_joint(document, 999, arm, &error), SN_RESULT_NOT_FOUND);
    sn_document_destroy(document);
}

// A joint in the middle whose own clip keys stand still moves nothing when it is gone: its skin goes to the
// joint above, which then moves it as far as the joint itself did not bend.
static snResult remove_idle(snDocument* document, snError* error) {
    return sn_document_remove_joint(document, find(document, "Idle"), NULL, error);
}

static void an_idle_joint_goes_without_a_trace(void** state) {
    (void)state;
    snDocument* document = open_body();
    snError error = sn_error_none();
    use_plain_skin(document);
    uint32_t arm = find(document, "LeftUpperArm"), elbow = find(document, "LeftLowerArm"), idle = SN_NONE;
    edits_expect(sn_document_add_joint(document, "Idle", arm, sn_vec3(0.3f, 1.4f, 0.0f), &idle, &error),
                 &error, "add");
    edits_expect(sn_document_parent_joint(document, elbow, idle, &error), &error, "parent");
    float most = change_by(document, remove_idle);
    print_message("without an idle joint: %.4f mm off at most\n", 1e3 * (double)most);
    assert_true(most < 1e-4f);
    assert_int_equal(skeleton_of(document)->parents[find(document, "LeftLowerArm")],
                     find(document, "LeftUpperArm"));
    sn_document_destroy(document);
}

static void skin_goes_to_the_joint_above(void** state) {
    (void)state;
    snDocument* document = open_body();
    snError error = sn_error_none();
    edits_expect(sn_document_make_lattice(document, NULL, NULL, &error), &error, "lattice");
    float cell = sn_document_model(document)->binding->lattice->cell_size;
    const snModel* model = sn_document_model(document);
    uint32_t hand = find(document, "LeftHand"), arm = find(document, "LeftLowerArm");
    uint32_t vertices = model->parts[0].mesh->vertex_count;
    float* expected = calloc(vertices, sizeof *expected);
    assert_non_null(expected);
    for (int pass = 0; pass < 2; pass++) {
        model = sn_document_model(document);
        const snPart* part = &model->parts[0];
        const snSkin* skin = &model->skins[part->skin];
        double total = 0.0;
        for (uint32_t v = 0; v < vertices; v++) {
            float here = 0.0f, sum = 0.0f;
            for (uint32_t i = 0; i < part->weights.influences; i++) {
                size_t at = (size_t)v * part->weights.influences + i;
                uint32_t joint = skin->joints[part->weights.joints[at]];
                sum += part->weights.weights[at];
                if (joint == arm || (pass == 0 && joint == hand)) here += part->weights.weights[at];
            }
            assert_true(sum > 0.999f && sum < 1.001f);
            if (pass == 0)
                expected[v] = here;
            else
                assert_true(here - expected[v] < 1e-6f && expected[v] - here < 1e-6f);
            total += (double)here;
        }
        assert_true(total > 10.0);
        if (pass == 0) edits_expect(sn_document_remove_joint(document, hand, NULL, &error), &error, "remove");
        arm = find(document, "LeftLowerArm");
    }
    free(expected);
    // The lattice is there, with cells as large, and knows the joints by their new numbers.
    const snBinding* binding = sn_document_model(document)->binding;
    assert_non_null(binding);
    assert_true(binding->lattice->cell_size == cell);
    for (uint32_t i = 0; i < binding->joint_count; i++)
        assert_true(binding->joints[i] < skeleton_of(document)->joint_count);
    edits_expect(sn_document_play(document, 0, 0.5f, SN_WRAP_CLAMP, &error), &error, "play");
    sn_document_destroy(document);
}

static void what_cannot_go_stays(void** state) {
    (void)state;
    snDocument* document = open_body();
    snError error = sn_error_none();
    uint64_t hash = sn_document_hash(document);
    uint32_t carrier = sn_document_model(document)->parts[0].joint;
    assert_int_equal(sn_document_remove_joint(document, carrier, NULL, &error), SN_RESULT_BAD_DATA);
    assert_int_equal(sn_document_remove_joint(document, 999, NULL, &error), SN_RESULT_NOT_FOUND);
    snDocument* empty = edits_make(NULL);
    assert_int_equal(sn_document_remove_joint(empty, 0, NULL, &error), SN_RESULT_INVALID_ARGUMENT);
    assert_int_equal(sn_document_add_joint(empty, "a", SN_NONE, sn_vec3(0, 0, 0), NULL, &error),
                     SN_RESULT_INVALID_ARGUMENT);
    sn_document_destroy(empty);
    assert_true(sn_document_hash(document) == hash);
    sn_document_destroy(document);
}

// Settings that name a joint keep it, and keep its name.
static void settings_that_name_a_joint_keep_it(void** state) {
    (void)state;
    snDocument* document = open_body();
    snError error = sn_error_none();
    snStyleRequest wish = {"LeftHand", "hose", 1.0f};
    edits_expect(sn_document_add_styles(document, &wish, 1, NULL, &error), &error, "wear");
    uint64_t hash = sn_document_hash(document);
    uint32_t hand = find(document, "LeftHand");
    assert_int_equal(sn_document_remove_joint(document, hand, NULL, &error), SN_RESULT_BAD_DATA);
    assert_int_equal(sn_document_rename_joint(document, hand, "Paw", &error), SN_RESULT_BAD_DATA);
    assert_true(sn_document_hash(document) == hash);
    sn_document_destroy(document);
}

// ----------------------------------------------------------------------- back and forth, and what may go
// wrong

static snResult step_open(snDocument* document, const snProgress* progress, snError* error) {
    snOpenDef def = sn_open_def();
    def.progress = *progress;
    return sn_document_open(document, "builtin:bar", &def, error);
}
static snResult step_bind(snDocument* document, const snProgress* progress, snError* error) {
    snBindDef def = sn_bind_def();
    def.cells = 8;
    return sn_document_bind(document, &def, progress, NULL, error);
}
static snResult step_add(snDocument* document, const snProgress* progress, snError* error) {
    (void)progress;
    return sn_document_add_joint(document, "tip", 1, sn_vec3(0.0f, 0.9f, 0.0f), NULL, error);
}
static snResult step_hang(snDocument* document, const snProgress* progress, snError* error) {
    (void)progress;
    return sn_document_parent_joint(document, sn_skeleton_find(skeleton_of(document), "tip"), 0, error);
}
static snResult step_rename(snDocument* document, const snProgress* progress, snError* error) {
    (void)progress;
    return sn_document_rename_joint(document, 1, "knee", error);
}
static snResult step_remove(snDocument* document, const snProgress* progress, snError* error) {
    return sn_document_remove_joint(document, sn_skeleton_find(skeleton_of(document), "knee"), progress,
                                    error);
}

enum { STEPS = 6 };
static const Step steps[STEPS] = {{"open", step_open}, {"bind", step_bind},     {"add", step_add},
                                  {"hang", step_hang}, {"rename", step_rename}, {"remove", step_remove}};

static void back_and_forth(void** state) {
    (void)state;
    edits_undo_and_redo(steps, STEPS);
}
static void memory_fails_everywhere(void** state) {
    (void)state;
    edits_fail_memory(steps, STEPS);
}
static void cancelled_everywhere(void** state) {
    (void)state;
    edits_cancel(steps, STEPS);
}
static void the_same_in_place(void** state) {
    (void)state;
    edits_in_place(steps, STEPS);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_new_joint_moves_skin_once_bound),
        cmocka_unit_test(another_name_changes_nothing_else),
        cmocka_unit_test(other_parents_keep_the_ways),
        cmocka_unit_test(an_idle_joint_goes_without_a_trace),
        cmocka_unit_test(skin_goes_to_the_joint_above),
        cmocka_unit_test(what_cannot_go_stays),
        cmocka_unit_test(settings_that_name_a_joint_keep_it),
        cmocka_unit_test(back_and_forth),
        cmocka_unit_test(memory_fails_everywhere),
        cmocka_unit_test(cancelled_everywhere),
        cmocka_unit_test(the_same_in_place),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
