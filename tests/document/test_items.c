// Bytes of handles, poses and paths, cut short and changed: refused or read, never a crash.
#include <stdlib.h>
#include <string.h>

#include "document/document.h"
#include "edits.h"

static const char wave[] =
    "{\"sinew_pose\": 1, \"name\": \"wave\", \"steps\": [{\"turn\": \"low\", \"axis\": [0, "
    "0.3, 1], \"degrees\": 40}, {\"move\": \"top\", \"by\": [0, 0.1, 0]}]}";
static const char keys[] = "{\"sinew_path\": 1, \"keyframes\": [{\"time\": 0, \"poses\": {\"wave\": 1}}, "
                           "{\"time\": 1, \"poses\": {}}]}";

static snDocument* make_document(void) {
    snDocument* document = edits_make(NULL);
    snError error = sn_error_none();
    edits_expect(sn_document_open(document, "builtin:bar", NULL, &error), &error, "open");
    snHandleDraft* draft = NULL;
    edits_expect(sn_handle_draft_create(document, true, &draft, &error), &error, "draft");
    snWhere low = {.kind = SN_WHERE_BRUSH, .vertex = 0, .radius = 0.3f};
    snWhere top = {.kind = SN_WHERE_BRUSH, .vertex = document->mesh->vertex_count - 1, .radius = 0.3f};
    assert_ok(sn_handle_draft_add(draft, "low", NULL, &error));
    assert_ok(sn_handle_draft_add(draft, "top", NULL, &error));
    assert_ok(sn_handle_draft_select(draft, 0, &low, SN_COMBINE_SET, &error));
    assert_ok(sn_handle_draft_select(draft, 1, &top, SN_COMBINE_SET, &error));
    assert_ok(sn_handle_draft_parent(draft, 1, 0, &error));
    edits_expect(sn_document_apply_draft(document, draft, NULL, &error), &error, "apply");
    sn_handle_draft_destroy(draft);
    edits_expect(sn_document_read_pose(document, "w", wave, strlen(wave), NULL, NULL, &error), &error,
                 "pose");
    edits_expect(sn_document_set_path(document, "k", keys, strlen(keys), NULL, &error), &error, "path");
    return document;
}

typedef snResult GetFn(const snDocument* document, sniSlice bytes);

static snResult get_rig(const snDocument* document, sniSlice bytes) {
    snHandles* rig = NULL;
    snResult result =
        sni_rig_get(bytes, sni_model_vertices(document->state.body.model), &document->allocator, &rig, NULL);
    sn_handles_destroy(rig);
    return result;
}

static snResult get_poses(const snDocument* document, sniSlice bytes) {
    sniPoses poses = {0};
    snResult result = sni_poses_get(bytes, document->state.handled.rig, &document->allocator, &poses, NULL);
    sni_poses_free(&poses, &document->allocator);
    return result;
}

static snResult get_path(const snDocument* document, sniSlice bytes) {
    sniPath* path = NULL;
    snResult result = sni_path_get(bytes, &document->state.handled, &document->allocator, &path, NULL);
    sni_path_free(path, &document->allocator);
    return result;
}

static void harm(const snDocument* document, const sniBytes* whole, GetFn* get) {
    assert_false(whole->failed);
    assert_ok(get(document, (sniSlice){whole->data, whole->size}));
    for (size_t size = 1; size < whole->size; size++) {
        // A block of its own, so that reading beyond it shows.
        uint8_t* cut = malloc(size);
        assert_non_null(cut);
        memcpy(cut, whole->data, size);
        assert_true(get(document, (sniSlice){cut, size}) != SN_RESULT_OK);
        free(cut);
    }
    static const uint8_t values[] = {0x00, 0x01, 0x7f, 0x80, 0xff};
    uint8_t* changed = malloc(whole->size);
    assert_non_null(changed);
    for (size_t at = 0; at < whole->size; at++)
        for (size_t i = 0; i < sizeof values; i++) {
            memcpy(changed, whole->data, whole->size);
            changed[at] = values[i];
            get(document, (sniSlice){changed, whole->size});
        }
    free(changed);
}

static void handles_are_checked(void** state) {
    (void)state;
    snDocument* document = make_document();
    sniBytes bytes = sni_bytes(&document->allocator);
    sni_rig_put(document->state.handled.rig, &bytes);
    harm(document, &bytes, get_rig);
    sni_bytes_free(&bytes);
    sn_document_destroy(document);
}

static void poses_are_checked(void** state) {
    (void)state;
    snDocument* document = make_document();
    sniBytes bytes = sni_bytes(&document->allocator);
    sni_poses_put(&document->state.handled.poses, &bytes);
    harm(document, &bytes, get_poses);
    sni_bytes_free(&bytes);
    sn_document_destroy(document);
}

static void paths_are_checked(void** state) {
    (void)state;
    snDocument* document = make_document();
    sniBytes bytes = sni_bytes(&document->allocator);
    sni_path_put(document->state.handled.path, &bytes);
    harm(document, &bytes, get_path);
    sni_bytes_free(&bytes);
    sn_document_destroy(document);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(handles_are_checked),
                                       cmocka_unit_test(poses_are_checked),
                                       cmocka_unit_test(paths_are_checked)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
