// The character that plays beside the edits.
#include <math.h>
#include <stdlib.h>

#include "steps.h"

// As a character made anew of what there is.
static void expect_same(snDocument* document, const char* what) {
    snCharacter *live = NULL, *fresh = NULL;
    snError error = sn_error_none();
    edits_expect(sn_document_character(document, &live, &error), &error, what);
    snCharacterDef def = sn_character_def();
    def.model = sn_document_model(document);
    def.settings = sn_document_settings(document);
    edits_expect(sn_character_create(&def, NULL, &fresh, &error), &error, what);
    sn_character_reset(live);
    for (int i = 0; i < 3; i++) {
        uint32_t clip = def.model->clip_count > 0 ? 0 : SN_CLIP_REST;
        sn_character_pose_clip(live, clip, 0.1f * (float)i, SN_WRAP_CLAMP);
        sn_character_pose_clip(fresh, clip, 0.1f * (float)i, SN_WRAP_CLAMP);
        if (sn_character_hash(live) != sn_character_hash(fresh)) fail_msg("%s: frame %d differs", what, i);
    }
    sn_character_destroy(fresh);
}

static void follows_every_edit(void** state) {
    (void)state;
    for (int history = 0; history < 2; history++) {
        snDocumentDef def = sn_document_def();
        if (history == 0) def.history_limit = 0;
        snDocument* document = NULL;
        snError error = sn_error_none();
        edits_expect(sn_document_create(&def, NULL, &document, &error), &error, "create");
        for (int i = 0; i < TEST_STEPS; i++) {
            edits_expect(test_steps[i].run(document, &edits_nobody, &error), &error, test_steps[i].name);
            expect_same(document, test_steps[i].name);
        }
        for (int i = TEST_STEPS; i > 1 && history == 1; i--) {
            edits_expect(sn_document_undo(document, &error), &error, "undo");
            expect_same(document, test_steps[i - 1].name);
        }
        sn_document_destroy(document);
    }
}

// An edit in the middle of a motion does not stop the flesh.
static void flesh_moves_on(void** state) {
    (void)state;
    snDocument* document = edits_make(NULL);
    snError error = sn_error_none();
    for (int i = 0; i < 4; i++)
        if (i != 2)
            edits_expect(test_steps[i].run(document, &edits_nobody, &error), &error, test_steps[i].name);
    for (int i = 0; i <= 20; i++)
        edits_expect(sn_document_play(document, 0, (float)i / 30.0f, SN_WRAP_CLAMP, &error), &error, "pose");
    snCharacter* character = NULL;
    edits_expect(sn_document_character(document, &character, &error), &error, "character");
    uint64_t steps = sn_character_report(character).steps;
    uint32_t resets = sn_character_report(character).resets;
    assert_true(steps > 0);
    edits_expect(sn_document_set(document, "flesh.damping", "2.5", &error), &error, "set");
    edits_expect(sn_document_play(document, 0, 21.0f / 30.0f, SN_WRAP_CLAMP, &error), &error, "pose");
    edits_expect(sn_document_character(document, &character, &error), &error, "character");
    assert_int_equal(sn_character_report(character).resets, resets);
    assert_true(sn_character_report(character).steps > steps);
    // State out and in: the same frame again.
    size_t size = sn_character_state_size(character);
    uint8_t* kept = malloc(size);
    sn_character_state_get(character, kept);
    edits_expect(sn_document_play(document, 0, 22.0f / 30.0f, SN_WRAP_CLAMP, &error), &error, "pose");
    uint64_t hash = sn_character_hash(character);
    edits_expect(sn_document_play(document, 0, 0.1f, SN_WRAP_CLAMP, &error), &error, "pose");
    edits_expect(sn_character_state_set(character, kept, size, &error), &error, "state");
    edits_expect(sn_document_play(document, 0, 22.0f / 30.0f, SN_WRAP_CLAMP, &error), &error, "pose");
    assert_true(sn_character_hash(character) == hash);
    free(kept);
    sn_document_destroy(document);
}

// A bound body of flesh in the middle of a motion.
static snDocument* moving_bar(snCharacter** out) {
    snDocument* document = edits_make(NULL);
    snError error = sn_error_none();
    edits_expect(test_steps[0].run(document, &edits_nobody, &error), &error, "open");
    edits_expect(sn_document_set(document, "flesh.delta", "0.9", &error), &error, "set");
    snBindDef def = sn_bind_def();
    def.cells = 9;
    edits_expect(sn_document_bind(document, &def, NULL, NULL, &error), &error, "bind");
    for (int i = 0; i <= 20; i++)
        edits_expect(sn_document_play(document, 0, (float)i / 30.0f, SN_WRAP_CLAMP, &error), &error, "pose");
    edits_expect(sn_document_character(document, out, &error), &error, "character");
    return document;
}

static snVec3 place_of(const snDocument* document, uint32_t joint) {
    snMat4 world[16];
    const snSkeleton* skeleton = sn_document_model(document)->skeleton;
    assert_in_range(skeleton->joint_count, 1, 16);
    sn_skeleton_world(skeleton, NULL, world);
    return sn_mat4_translation(&world[joint]);
}

static float farthest(const snVec3* a, const snVec3* b, uint32_t count) {
    float most = 0.0f;
    for (uint32_t v = 0; v < count; v++) most = sn_maxf(most, sn_distance(a[v], b[v]));
    return most;
}

// The frame after a joint was moved by `way`, against that of one that was not, and against flesh at rest.
static void expect_flow(float way, bool rebind) {
    snCharacter *moved = NULL, *still = NULL, *rest = NULL;
    snDocument *edited = moving_bar(&moved), *other = moving_bar(&still);
    snError error = sn_error_none();
    snVec3 place = place_of(edited, 1);
    place.x += way;
    edits_expect(sn_document_move_joint(edited, 1, place, false, &error), &error, "move");
    snBindDef def = sn_bind_def();
    def.cells = 9;
    if (rebind) edits_expect(sn_document_bind(edited, &def, NULL, NULL, &error), &error, "bind");
    snDocument* documents[] = {edited, other};
    for (int d = 0; d < 2; d++)
        edits_expect(sn_document_play(documents[d], 0, 21.0f / 30.0f, SN_WRAP_CLAMP, &error), &error, "pose");
    edits_expect(sn_document_character(edited, &moved, &error), &error, "character");
    edits_expect(sn_document_character(other, &still, &error), &error, "character");
    if (way == 0.0f) assert_true(sn_character_hash(moved) == sn_character_hash(still));
    assert_int_equal(sn_character_report(moved).resets, 0);
    snCharacterDef anew = sn_character_def();
    anew.model = sn_document_model(edited);
    anew.settings = sn_document_settings(edited);
    edits_expect(sn_character_create(&anew, NULL, &rest, &error), &error, "create");
    assert_int_equal(sn_character_pose_clip(rest, 0, 21.0f / 30.0f, SN_WRAP_CLAMP), SN_RESULT_OK);
    snSurface a = sn_character_surface(moved, 0), b = sn_character_surface(still, 0);
    snSurface c = sn_character_surface(rest, 0);
    float apart = farthest(a.positions, b.positions, a.vertex_count);
    float from_rest = farthest(a.positions, c.positions, a.vertex_count);
    assert_true(apart <= 2.0f * way);
    assert_true(from_rest > 0.02f);
    sn_character_destroy(rest);
    sn_document_destroy(edited);
    sn_document_destroy(other);
}

static void flesh_outlives_moved_joints(void** state) {
    (void)state;
    for (int rebind = 0; rebind < 2; rebind++) {
        expect_flow(0.0f, rebind == 1);
        expect_flow(1e-3f, rebind == 1);
    }
}

static void rays_meet_the_surface(void** state) {
    (void)state;
    snDocument* document = edits_make(NULL);
    snError error = sn_error_none();
    edits_expect(test_steps[0].run(document, &edits_nobody, &error), &error, "open");
    edits_expect(sn_document_play(document, SN_CLIP_REST, 0.0f, SN_WRAP_CLAMP, &error), &error, "pose");
    snCharacter* character = NULL;
    edits_expect(sn_document_character(document, &character, &error), &error, "character");
    snSurface surface = sn_character_surface(character, 0);
    snBounds bounds = sn_bounds_of(surface.positions, surface.vertex_count);
    snVec3 middle = sn_scale(sn_add(bounds.min, bounds.max), 0.5f), found;
    snVec3 from = sn_vec3(middle.x, middle.y, bounds.max.z + 1.0f);
    snPick pick;
    bool met = false;
    edits_expect(sn_document_pick(document, from, sn_vec3(0, 0, -1), &pick, &met, &error), &error, "pick");
    assert_true(met);
    assert_true(fabsf(pick.distance - 1.0f) < 1e-5f);
    assert_true(pick.vertex < surface.vertex_count);
    edits_expect(sn_document_pick_middle(document, from, sn_vec3(0, 0, -1), &found, &met, &error), &error,
                 "middle");
    assert_true(met && sn_distance(found, middle) < 1e-4f);
    edits_expect(sn_document_pick(document, from, sn_vec3(0, 0, 1), &pick, &met, &error), &error, "pick");
    assert_false(met);
    // Posed by the caller, the surface is met where it is then.
    edits_expect(sn_document_character(document, &character, &error), &error, "character");
    snTrs locals[16];
    const snSkeleton* skeleton = sn_document_model(document)->skeleton;
    assert_in_range(skeleton->joint_count, 1, 16);
    memcpy(locals, skeleton->rest, skeleton->joint_count * sizeof *locals);
    for (uint32_t j = 0; j < skeleton->joint_count; j++)
        if (skeleton->parents[j] == SN_NONE) locals[j].translation.z += 0.5f;
    assert_int_equal(sn_character_pose_locals(character, locals), SN_RESULT_OK);
    edits_expect(sn_document_pick(document, from, sn_vec3(0, 0, -1), &pick, &met, &error), &error, "pick");
    assert_true(met && fabsf(pick.distance - 0.5f) < 1e-5f);
    sn_document_destroy(document);
}

// Each corner of the face that a ray meets is a handle of its own.
static void set_corner_handles(snDocument* document, const snPick* pick, const float weights[3]) {
    static const char* const names[] = {"a", "b", "c"};
    snError error = sn_error_none();
    snHandlesDef def = {.handle_count = 3};
    snHandleDef handles[3] = {0};
    for (int i = 0; i < 3; i++)
        handles[i] = (snHandleDef){.name = names[i],
                                   .vertices = &pick->corners[i],
                                   .weights = &weights[i],
                                   .vertex_count = 1,
                                   .confidence = 1.0f};
    def.handles = handles;
    edits_expect(sn_document_mesh(document, &def.mesh, &error), &error, "mesh");
    snHandles* rig = NULL;
    edits_expect(sn_handles_create(&def, NULL, &rig, &error), &error, "handles");
    edits_expect(sn_document_set_handles(document, rig, NULL, &error), &error, "rig");
    sn_handles_destroy(rig);
}

static void rays_meet_handles(void** state) {
    (void)state;
    snDocument* document = edits_make(NULL);
    snError error = sn_error_none();
    edits_expect(test_steps[0].run(document, &edits_nobody, &error), &error, "open");
    snPick pick;
    bool met = false;
    // Nearer to the bar's side than to its end, and to one edge of it.
    snVec3 origin = sn_vec3(0.01f, 0.83f, 3.0f), way = sn_vec3(0, 0, -1);
    edits_expect(sn_document_pick(document, origin, way, &pick, &met, &error), &error, "pick");
    assert_true(met);
    assert_int_equal(pick.handle, SN_NONE); // there are none
    for (int heavy = 0; heavy < 3; heavy++) {
        float weights[3] = {0.1f, 0.1f, 0.1f};
        weights[heavy] = 1.0f;
        set_corner_handles(document, &pick, weights);
        snPick again;
        edits_expect(sn_document_pick(document, origin, way, &again, &met, &error), &error, "pick");
        int best = 0;
        for (int i = 1; i < 3; i++)
            if (again.barycentrics[i] * weights[i] > again.barycentrics[best] * weights[best]) best = i;
        assert_int_equal(again.handle, best);
        assert_int_equal(again.joint, pick.joint);
    }
    // Somewhere else the surface is nobody's.
    origin.y = 0.2f;
    edits_expect(sn_document_pick(document, origin, way, &pick, &met, &error), &error, "pick");
    assert_true(met);
    assert_int_equal(pick.handle, SN_NONE);
    sn_document_destroy(document);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(follows_every_edit), cmocka_unit_test(flesh_moves_on),
                                       cmocka_unit_test(flesh_outlives_moved_joints),
                                       cmocka_unit_test(rays_meet_the_surface),
                                       cmocka_unit_test(rays_meet_handles)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
