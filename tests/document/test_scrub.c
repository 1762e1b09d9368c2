// A clip at any moment, as if it had been played up to there.
#include <math.h>

#include "steps.h"

#define CLIP 0
enum { FRAMES = 60 };
static const float FPS = 30.0f;

static snDocument* soft_bar(void) {
    snDocument* document = edits_make(NULL);
    snError error = sn_error_none();
    edits_expect(sn_document_open(document, "builtin:bar", NULL, &error), &error, "open");
    edits_expect(sn_document_set(document, "flesh.delta", "0.9", &error), &error, "set");
    snBindDef def = sn_bind_def();
    def.cells = 9;
    edits_expect(sn_document_bind(document, &def, NULL, NULL, &error), &error, "bind");
    return document;
}

static snCharacter* character_of(snDocument* document) {
    snCharacter* character = NULL;
    assert_ok(sn_document_character(document, &character, NULL));
    return character;
}

// What playing from the beginning shows.
static void play_all(snDocument* document, uint64_t* out_hashes) {
    snCharacter* character = character_of(document);
    sn_character_reset(character);
    for (int i = 0; i < FRAMES; i++) {
        assert_ok(sn_character_pose_clip(character, CLIP, (float)i / FPS, SN_WRAP_CLAMP));
        out_hashes[i] = sn_character_hash(character);
    }
    assert_true(out_hashes[0] != out_hashes[FRAMES / 2]);
}

static void expect_all(snDocument* document, const uint64_t* hashes, size_t memory, uint32_t slice) {
    snCharacter* character = character_of(document);
    snScrub* scrub = NULL;
    assert_ok(sn_scrub_create(character, sn_document_model(document), CLIP, SN_WRAP_CLAMP, memory, NULL,
                              &scrub, NULL));
    // Back and forth over the clip: 37 has no factor with 60.
    for (int k = 0; k < 2 * FRAMES; k++) {
        int i = k * 37 % FRAMES;
        bool there = false;
        uint32_t calls = 0;
        while (!there) {
            assert_ok(sn_scrub_pose(scrub, (float)i / FPS, slice, &there));
            assert_true(++calls <= 2 * FRAMES);
        }
        if (sn_character_hash(character) != hashes[i]) fail_msg("frame %d differs, %zu bytes", i, memory);
        if (k % 7 == 0) {
            assert_ok(sn_character_pose_clip(character, CLIP, 0.1f, SN_WRAP_CLAMP));
            sn_scrub_leave(scrub);
        }
    }
    sn_scrub_destroy(scrub);
}

static void shows_what_playing_shows(void** state) {
    (void)state;
    uint64_t hashes[FRAMES];
    snDocument* document = soft_bar();
    play_all(document, hashes);
    size_t one = sn_character_state_size(character_of(document));
    expect_all(document, hashes, 64 * one, 1000);
    expect_all(document, hashes, 64 * one, 3);
    expect_all(document, hashes, 5 * one, 1000);
    expect_all(document, hashes, 4 * one, 1000);
    expect_all(document, hashes, 0, 1000);
    sn_document_destroy(document);
}

// A slice ends on the way, where playing would have been.
static void goes_in_slices(void** state) {
    (void)state;
    snDocument* document = soft_bar();
    snCharacter* character = character_of(document);
    snScrub* scrub = NULL;
    assert_ok(sn_scrub_create(character, sn_document_model(document), CLIP, SN_WRAP_LOOP, 1 << 20, NULL,
                              &scrub, NULL));
    bool there = true;
    assert_ok(sn_scrub_pose(scrub, 1.5f, 4, &there));
    assert_false(there);
    assert_ok(sn_scrub_pose(scrub, 1.5f, 1000, &there));
    assert_true(there);
    float length = sn_document_model(document)->clips[CLIP]->duration;
    assert_ok(sn_scrub_pose(scrub, 2.5f * length, 1000, &there));
    assert_true(there);
    sn_scrub_destroy(scrub);
    sn_document_destroy(document);
}

static void refuses_what_is_not_there(void** state) {
    (void)state;
    snDocument* document = soft_bar();
    snCharacter* character = character_of(document);
    const snModel* model = sn_document_model(document);
    snScrub* scrub = NULL;
    snError error = sn_error_none();
    assert_int_equal(
        sn_scrub_create(character, model, model->clip_count, SN_WRAP_CLAMP, 0, NULL, &scrub, &error),
        SN_RESULT_NOT_FOUND);
    assert_null(scrub);
    assert_ok(sn_scrub_create(character, model, SN_CLIP_REST, SN_WRAP_CLAMP, 0, NULL, &scrub, &error));
    bool there = false;
    assert_int_equal(sn_scrub_pose(scrub, -1.0f, 1, &there), SN_RESULT_INVALID_ARGUMENT);
    assert_int_equal(sn_scrub_pose(scrub, NAN, 1, &there), SN_RESULT_INVALID_ARGUMENT);
    assert_ok(sn_scrub_pose(scrub, 1.0f, 1000, &there));
    assert_true(there);
    sn_scrub_destroy(scrub);
    sn_scrub_destroy(NULL);
    sn_document_destroy(document);
}

// builtin:body:2000 has about as many vertices; what is no number is refused.
static void bodies_have_sizes(void** state) {
    (void)state;
    snDocument* document = edits_make(NULL);
    snError error = sn_error_none();
    edits_expect(sn_document_open(document, "builtin:body:2000", NULL, &error), &error, "open");
    assert_in_range(sn_document_model(document)->parts[0].mesh->vertex_count, 1800, 2200);
    static const char* const wrong[] = {"builtin:body:", "builtin:body:x", "builtin:body:99999999999999"};
    for (size_t i = 0; i < 3; i++)
        assert_int_equal(sn_document_open(document, wrong[i], NULL, &error), SN_RESULT_INVALID_ARGUMENT);
    sn_document_destroy(document);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shows_what_playing_shows),
        cmocka_unit_test(goes_in_slices),
        cmocka_unit_test(refuses_what_is_not_there),
        cmocka_unit_test(bodies_have_sizes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
