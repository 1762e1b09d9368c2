// Handles in the making: every step alone, and a draft as one edit.
#include <stdio.h>
#include <string.h>

#include "edits.h"

typedef struct Scene {
    snDocument* document;
    const snMesh* mesh;
    snHandleDraft* draft;
} Scene;

static Scene open_scene(const char* model, bool empty) {
    Scene s = {.document = edits_make(NULL)};
    snError error = sn_error_none();
    edits_expect(sn_document_open(s.document, model, NULL, &error), &error, "open");
    assert_ok(sn_document_mesh(s.document, &s.mesh, &error));
    edits_expect(sn_handle_draft_create(s.document, empty, &s.draft, &error), &error, "draft");
    return s;
}

static void close_scene(Scene* s) {
    sn_handle_draft_destroy(s->draft);
    sn_document_destroy(s->document);
}

// The share [from, to] of the model along its longest axis.
static snWhere slice(const snMesh* mesh, float from, float to) {
    snWhere where = {.kind = SN_WHERE_BOX};
    where.box = sn_bounds_of(mesh->positions, mesh->vertex_count);
    snVec3 size = sn_sub(where.box.max, where.box.min);
    float *low = &where.box.min.x, *high = &where.box.max.x, length = size.x;
    if (size.y > length) low = &where.box.min.y, high = &where.box.max.y, length = size.y;
    if (size.z > length) low = &where.box.min.z, high = &where.box.max.z, length = size.z;
    float begin = *low;
    *low = begin + from * length - 1e-4f;
    *high = begin + to * length + 1e-4f;
    return where;
}

static uint32_t add_slice(Scene* s, const char* name, float from, float to) {
    uint32_t handle = SN_NONE;
    snWhere where = slice(s->mesh, from, to);
    assert_ok(sn_handle_draft_add(s->draft, name, &handle, NULL));
    assert_ok(sn_handle_draft_select(s->draft, handle, &where, SN_COMBINE_ADD, NULL));
    return handle;
}

static snDraftHandle look(const Scene* s, uint32_t handle) {
    snDraftHandle out = {0};
    assert_true(sn_handle_draft_get(s->draft, handle, &out));
    return out;
}

// -------------------------------------------------------------------------------------------------- tests

static void selections_mark(void** state) {
    (void)state;
    Scene s = open_scene("builtin:tube", true);
    snError error = sn_error_none();
    uint32_t h = add_slice(&s, "all", 0.0f, 1.0f);
    assert_int_equal(look(&s, h).vertex_count, s.mesh->vertex_count);
    snWhere where = slice(s.mesh, 0.0f, 0.4f);
    assert_ok(sn_handle_draft_select(s.draft, h, &where, SN_COMBINE_SET, &error));
    uint32_t few = look(&s, h).vertex_count;
    assert_in_range(few, 1, s.mesh->vertex_count - 1);
    where = (snWhere){.kind = SN_WHERE_BRUSH, .vertex = 0, .radius = 0.01f};
    assert_ok(sn_handle_draft_select(s.draft, h, &where, SN_COMBINE_SUBTRACT, &error));
    assert_in_range(look(&s, h).vertex_count, 0, few - 1);
    where = (snWhere){.kind = SN_WHERE_BALL, .point = s.mesh->positions[0], .radius = 0.01f};
    assert_ok(sn_handle_draft_select(s.draft, h, &where, SN_COMBINE_ADD, &error));
    assert_int_equal(look(&s, h).marks[0], 1);
    where = (snWhere){.kind = SN_WHERE_JOINT, .joint = 1};
    assert_ok(sn_handle_draft_select(s.draft, h, &where, SN_COMBINE_SET, &error));
    assert_true(look(&s, h).vertex_count > 0);
    where = (snWhere){.kind = SN_WHERE_MARKS, .marks = look(&s, h).marks};
    uint32_t before = look(&s, h).vertex_count;
    assert_ok(sn_handle_draft_select(s.draft, h, &where, SN_COMBINE_KEEP, &error));
    assert_int_equal(look(&s, h).vertex_count, before);
    where = (snWhere){.kind = SN_WHERE_SCREEN, .screen = {sn_mat4_identity(), -9, -9, 9, 9}};
    assert_ok(sn_handle_draft_select(s.draft, h, &where, SN_COMBINE_SET, &error));
    assert_int_equal(look(&s, h).vertex_count, s.mesh->vertex_count);
    where.kind = SN_WHERE_FLOOD;
    assert_ok(sn_handle_draft_select(s.draft, h, &where, SN_COMBINE_SET, &error));
    assert_true(look(&s, h).vertex_count > 0);
    where = (snWhere){.kind = SN_WHERE_FACING, .point = {9, 9, 9}, .normals = s.mesh->normals};
    if (s.mesh->normals != NULL)
        assert_ok(sn_handle_draft_select(s.draft, h, &where, SN_COMBINE_SET, &error));
    close_scene(&s);
}

static void wrong_steps_change_nothing(void** state) {
    (void)state;
    Scene s = open_scene("builtin:bar", true);
    snError error = sn_error_none();
    uint32_t h = add_slice(&s, "low", 0.0f, 0.3f), other = add_slice(&s, "high", 0.7f, 1.0f);
    uint32_t count = look(&s, h).vertex_count;
    const snWhere wrong[] = {{.kind = SN_WHERE_BRUSH, .vertex = 999999},
                             {.kind = SN_WHERE_FLOOD, .vertex = 999999},
                             {.kind = SN_WHERE_JOINT, .joint = 999},
                             {.kind = SN_WHERE_GROUP},
                             {.kind = SN_WHERE_FACING},
                             {.kind = SN_WHERE_MARKS},
                             {.kind = SN_WHERE_COUNT}};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        assert_int_equal(sn_handle_draft_select(s.draft, h, &wrong[i], SN_COMBINE_SET, &error),
                         SN_RESULT_INVALID_ARGUMENT);
        assert_int_equal(look(&s, h).vertex_count, count);
    }
    snWhere group = {.kind = SN_WHERE_GROUP, .name = "nothing"};
    assert_int_equal(sn_handle_draft_select(s.draft, h, &group, SN_COMBINE_SET, &error), SN_RESULT_NOT_FOUND);
    const uint32_t none = 7;
    assert_int_equal(sn_handle_draft_grow(s.draft, none, 1, &error), SN_RESULT_INVALID_ARGUMENT);
    assert_int_equal(sn_handle_draft_shrink(s.draft, none, 1, &error), SN_RESULT_INVALID_ARGUMENT);
    assert_int_equal(sn_handle_draft_feather(s.draft, none, 1, &error), SN_RESULT_INVALID_ARGUMENT);
    assert_int_equal(sn_handle_draft_smooth(s.draft, none, 1, &error), SN_RESULT_INVALID_ARGUMENT);
    assert_int_equal(sn_handle_draft_weight(s.draft, none, 1, &error), SN_RESULT_INVALID_ARGUMENT);
    assert_int_equal(sn_handle_draft_weight(s.draft, h, 1.5f, &error), SN_RESULT_INVALID_ARGUMENT);
    assert_int_equal(sn_handle_draft_center(s.draft, none, NULL, &error), SN_RESULT_INVALID_ARGUMENT);
    assert_int_equal(sn_handle_draft_remove(s.draft, none, &error), SN_RESULT_INVALID_ARGUMENT);
    assert_int_equal(sn_handle_draft_parent(s.draft, h, h, &error), SN_RESULT_INVALID_ARGUMENT);
    assert_int_equal(sn_handle_draft_parent(s.draft, h, none, &error), SN_RESULT_INVALID_ARGUMENT);
    assert_int_equal(sn_handle_draft_merge(s.draft, h, &h, 1, &error), SN_RESULT_INVALID_ARGUMENT);
    assert_int_equal(sn_handle_draft_merge(s.draft, h, &none, 1, &error), SN_RESULT_INVALID_ARGUMENT);
    assert_int_equal(sn_handle_draft_followers(s.draft, h, &none, 1, &error), SN_RESULT_INVALID_ARGUMENT);
    assert_int_equal(sn_handle_draft_rename(s.draft, h, "high", &error), SN_RESULT_BAD_DATA);
    assert_int_equal(sn_handle_draft_add(s.draft, "high", NULL, &error), SN_RESULT_BAD_DATA);
    snHandles* made = NULL;
    assert_ok(sn_handle_draft_shrink(s.draft, other, 99, &error));
    if (look(&s, other).vertex_count == 0)
        assert_int_equal(sn_handle_draft_finish(s.draft, NULL, &made, &error), SN_RESULT_BAD_DATA);
    close_scene(&s);
}

static void weights_fall_and_smooth(void** state) {
    (void)state;
    Scene s = open_scene("builtin:sheet", true);
    snWhere where = {.kind = SN_WHERE_BALL, .radius = 0.4f};
    snBounds bounds = sn_bounds_of(s.mesh->positions, s.mesh->vertex_count);
    where.point = sn_scale(sn_add(bounds.min, bounds.max), 0.5f);
    uint32_t h = SN_NONE;
    assert_ok(sn_handle_draft_add(s.draft, "middle", &h, NULL));
    assert_ok(sn_handle_draft_select(s.draft, h, &where, SN_COMBINE_SET, NULL));
    assert_ok(sn_handle_draft_feather(s.draft, h, 1, NULL));
    assert_ok(sn_handle_draft_weight(s.draft, h, 0.8f, NULL));
    double before = 0.0, after = 0.0;
    for (int round = 0; round < 2; round++) {
        snDraftHandle handle = look(&s, h);
        float low = 1.0f, high = 0.0f;
        for (uint32_t v = 0; v < s.mesh->vertex_count; v++) {
            if (!handle.marks[v]) continue;
            low = sn_minf(low, handle.weights[v]);
            high = sn_maxf(high, handle.weights[v]);
        }
        *(round == 0 ? &before : &after) = (double)(high - low);
        assert_near(high, handle.weight, 1e-6);
        if (round == 0) assert_ok(sn_handle_draft_smooth(s.draft, h, 4, NULL));
    }
    assert_near(before, 0.4, 1e-6);
    assert_true(after > 0.0 && after < before);
    close_scene(&s);
}

static void structure_is_kept(void** state) {
    (void)state;
    Scene s = open_scene("builtin:tube", true);
    snError error = sn_error_none();
    uint32_t a = add_slice(&s, "a", 0.0f, 0.2f), b = add_slice(&s, "b", 0.3f, 0.5f);
    uint32_t c = add_slice(&s, "c", 0.6f, 0.75f), d = add_slice(&s, "d", 0.85f, 1.0f);
    assert_ok(sn_handle_draft_followers(s.draft, a, &b, 1, &error));
    assert_ok(sn_handle_draft_parent(s.draft, c, b, &error));
    assert_ok(sn_handle_draft_parent(s.draft, d, c, &error));
    snVec3 place = sn_vec3(1, 2, 3);
    assert_ok(sn_handle_draft_center(s.draft, d, &place, &error));
    assert_ok(sn_handle_draft_remove(s.draft, b, &error)); // c follows a
    assert_ok(sn_handle_draft_rename(s.draft, c, "rest", &error));
    assert_ok(sn_handle_draft_merge(s.draft, c, &d, 1, &error));
    snDraftHandle gone;
    assert_false(sn_handle_draft_get(s.draft, b, &gone));
    snHandles* made = NULL;
    edits_expect(sn_handle_draft_finish(s.draft, NULL, &made, &error), &error, "finish");
    assert_int_equal(made->handle_count, 2);
    assert_string_equal(made->handles[1].name, "rest");
    assert_int_equal(made->handles[0].follower_count, 1);
    assert_int_equal(made->handles[0].followers[0], 1);
    assert_int_equal(made->handles[1].follower_count, 0);
    sn_handles_destroy(made);
    close_scene(&s);
}

// The left half of a body's handles gives back the right one.
static void sides_mirror(void** state) {
    (void)state;
    Scene s = open_scene("builtin:body", true);
    snError error = sn_error_none();
    snMakeHandlesDef def = sn_make_handles_def();
    def.from = SN_HANDLES_FROM_SKELETON;
    assert_ok(sn_document_make_handles(s.document, &def, NULL, &error));
    sn_handle_draft_destroy(s.draft);
    assert_ok(sn_handle_draft_create(s.document, false, &s.draft, &error));
    uint32_t count = sn_document_handles(s.document)->handle_count;
    for (uint32_t h = 0; h < count; h++)
        if (strstr(sn_document_handles(s.document)->handles[h].name, "Right") != NULL)
            assert_ok(sn_handle_draft_remove(s.draft, h, &error));
    edits_expect(sn_handle_draft_mirror(s.draft, false, &error), &error, "mirror");
    snHandles* made = NULL;
    edits_expect(sn_handle_draft_finish(s.draft, NULL, &made, &error), &error, "finish");
    const snHandles* old = sn_document_handles(s.document);
    assert_int_equal(made->handle_count, count);
    for (uint32_t h = 0; h < count; h++) {
        uint32_t k = sn_handles_find(made, old->handles[h].name);
        assert_true(k != SN_NONE);
        const snHandle *a = &old->handles[h], *b = &made->handles[k];
        assert_int_equal(a->vertex_count, b->vertex_count);
        assert_int_equal(a->follower_count, b->follower_count);
        assert_memory_equal(a->vertices, b->vertices, a->vertex_count * sizeof *a->vertices);
        assert_vec3_near(a->center, b->center, 1e-3f);
    }
    sn_handles_destroy(made);
    close_scene(&s);
}

static void names_swap(void** state) {
    (void)state;
    static const char* const names[][2] = {{"hand_l", "hand_r"},
                                           {"left_arm", "right_arm"},
                                           {"upperLeftArm", "upperRightArm"},
                                           {"hand.L", "hand.R"}};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        Scene s = open_scene("builtin:cube", true);
        snError error = sn_error_none();
        snWhere half = {.kind = SN_WHERE_BOX, .box = {{-9, -9, -9}, {-0.3f, 9, 9}}};
        uint32_t h = SN_NONE;
        assert_ok(sn_handle_draft_add(s.draft, names[i][1], &h, &error));
        assert_ok(sn_handle_draft_select(s.draft, h, &half, SN_COMBINE_SET, &error));
        edits_expect(sn_handle_draft_mirror(s.draft, true, &error), &error, "mirror");
        uint32_t other = sn_handle_draft_find(s.draft, names[i][0]);
        assert_true(other != SN_NONE);
        assert_int_equal(look(&s, other).vertex_count, look(&s, h).vertex_count);
        close_scene(&s);
    }
}

// -------------------------------------------------------------------------------------------------- edits

static snResult open_tube(snDocument* document, const snProgress* progress, snError* error) {
    (void)progress;
    return sn_document_open(document, "builtin:tube", NULL, error);
}

static snResult use_draft(snHandleDraft* draft, const snMesh* mesh, snError* error) {
    uint32_t a = SN_NONE, b = SN_NONE;
    snWhere low = slice(mesh, 0.0f, 0.3f), high = slice(mesh, 0.7f, 1.0f);
    snResult result = sn_handle_draft_add(draft, "low", &a, error);
    if (result == SN_RESULT_OK) result = sn_handle_draft_add(draft, "high", &b, error);
    if (result == SN_RESULT_OK) result = sn_handle_draft_select(draft, a, &low, SN_COMBINE_SET, error);
    if (result == SN_RESULT_OK) result = sn_handle_draft_select(draft, b, &high, SN_COMBINE_SET, error);
    if (result == SN_RESULT_OK) result = sn_handle_draft_parent(draft, b, a, error);
    if (result == SN_RESULT_OK) result = sn_handle_draft_feather(draft, b, 2, error);
    return result == SN_RESULT_OK ? sn_handle_draft_smooth(draft, b, 2, error) : result;
}

static snResult draft_new(snDocument* document, const snProgress* progress, snError* error) {
    (void)progress;
    snHandleDraft* draft = NULL;
    const snMesh* mesh = NULL;
    snResult result = sn_document_mesh(document, &mesh, error);
    if (result == SN_RESULT_OK) result = sn_handle_draft_create(document, true, &draft, error);
    if (result == SN_RESULT_OK) result = use_draft(draft, mesh, error);
    if (result == SN_RESULT_OK) result = sn_document_apply_draft(document, draft, NULL, error);
    sn_handle_draft_destroy(draft);
    return result;
}

static snResult draft_on(snDocument* document, const snProgress* progress, snError* error) {
    (void)progress;
    snHandleDraft* draft = NULL;
    snResult result = sn_handle_draft_create(document, false, &draft, error);
    if (result == SN_RESULT_OK) result = sn_handle_draft_rename(draft, 1, "hand_l", error);
    if (result == SN_RESULT_OK) result = sn_handle_draft_mirror(draft, false, error);
    if (result == SN_RESULT_OK) result = sn_document_apply_draft(document, draft, NULL, error);
    sn_handle_draft_destroy(draft);
    return result;
}

static const Step steps[] = {{"open", open_tube}, {"new", draft_new}, {"on", draft_on}};
enum { STEPS = sizeof steps / sizeof steps[0] };

static void undo_and_redo(void** state) {
    (void)state;
    edits_undo_and_redo(steps, STEPS);
}
static void memory_fails_everywhere(void** state) {
    (void)state;
    edits_fail_memory(steps, STEPS);
}
static void in_place_is_the_same(void** state) {
    (void)state;
    edits_in_place(steps, STEPS);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(selections_mark),
                                       cmocka_unit_test(wrong_steps_change_nothing),
                                       cmocka_unit_test(weights_fall_and_smooth),
                                       cmocka_unit_test(structure_is_kept),
                                       cmocka_unit_test(sides_mirror),
                                       cmocka_unit_test(names_swap),
                                       cmocka_unit_test(undo_and_redo),
                                       cmocka_unit_test(in_place_is_the_same),
                                       cmocka_unit_test(memory_fails_everywhere)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
