// Settings that travel with a model in SINEW_deformation.
#include <stdlib.h>
#include <string.h>

#include "frames.h"
#include "settings_support.h"

static snModel* make_body(void) {
    snModel* model = NULL;
    snBodyDef def = {.vertex_target = 2000, .quads = true};
    snBindDef bind = sn_bind_def();
    bind.method = SN_WEIGHTS_HEAT;
    bind.cells = 14;
    assert_ok(sn_builtin_body(&def, NULL, &model, NULL));
    assert_ok(sn_model_bind(model, &bind, NULL, NULL));
    return model;
}

static snModel* make_tube(void) {
    snModel* model = NULL;
    snTubeDef def = {.length = 1, .radius = 0.2f, .sides = 4, .rings = 4, .segments = 2, .quads = true};
    assert_ok(sn_builtin_tube(&def, NULL, &model, NULL));
    return model;
}

static void write_to(const snModel* model, const char* path) {
    snError error = sn_error_none();
    if (sn_model_write(model, path, NULL, &error) != SN_RESULT_OK) fail_msg("%s", error.text);
}

static void set_changed(snModel* model, uint32_t seed) {
    snSettings* settings = test_settings();
    test_settings_change(settings, seed);
    sn_model_set_settings(model, settings);
}

static void assert_same_files(const char* a, const char* b) {
    TestFile first = test_load(a), second = test_load(b);
    assert_int_equal(first.size, second.size);
    assert_memory_equal(first.data, second.data, first.size);
    test_file_free(&first);
    test_file_free(&second);
}

static char* find_text(const TestFile* file, const char* text) {
    size_t length = strlen(text);
    for (size_t i = 0; i + length < file->size; i++) {
        if (memcmp(file->data + i, text, length) == 0) return (char*)file->data + i;
    }
    return NULL;
}

// ----------------------------------------------------------------------------------------- there and back

static void every_bit_comes_back(void** state) {
    (void)state;
    static const char* const names[] = {"clean/settings_body.glb", "clean/settings_body.gltf"};
    for (int i = 0; i < 2; i++) {
        char *path = strdup(test_out_path(names[i])), *again = strdup(test_out_path("settings_again.glb"));
        snModel* model = make_body();
        set_changed(model, 11);
        write_to(model, path);
        snModel* back = test_read_file(path, NULL);
        assert_non_null(back->binding);
        assert_non_null(back->settings);
        test_settings_equal(back->settings, model->settings);
        // And once more, through the source document.
        write_to(back, again);
        if (i == 0) assert_same_files(path, again);
        snModel* third = test_read_file(again, NULL);
        test_settings_equal(third->settings, model->settings);
        sn_model_destroy(third);
        sn_model_destroy(back);
        sn_model_destroy(model);
        free(path);
        free(again);
    }
}

static void a_model_without_settings_has_none(void** state) {
    (void)state;
    snModel* model = make_body();
    write_to(model, test_out_path("settings_none.glb"));
    snModel* back = test_read_file(test_out_path("settings_none.glb"), NULL);
    assert_non_null(back->binding);
    assert_null(back->settings);
    sn_model_destroy(back);
    sn_model_destroy(model);
}

// A document of another program takes settings too, and gives them up again without a trace.
static void a_plain_document_takes_and_loses_them(void** state) {
    (void)state;
    TestFile chunk = test_quad_chunk();
    TestFile quad = test_glb(test_quad_json, chunk.data, chunk.size);
    char *plain = strdup(test_out_path("settings_plain.glb")),
         *with = strdup(test_out_path("clean/settings_quad.glb"));
    snModel* model = test_read("quad.glb", quad.data, quad.size, NULL);
    assert_null(model->settings);
    write_to(model, plain);
    set_changed(model, 12);
    write_to(model, with);
    snModel* back = test_read_file(with, NULL);
    test_settings_equal(back->settings, model->settings);
    sn_model_set_settings(back, NULL);
    write_to(back, test_out_path("settings_gone.glb"));
    TestFile file = test_load(test_out_path("settings_gone.glb"));
    assert_null(find_text(&file, "settings"));
    assert_null(find_text(&file, "\"extensions\""));
    snModel* bare = test_read_file(test_out_path("settings_gone.glb"), NULL);
    assert_null(bare->settings);
    snModel* first = test_read_file(plain, NULL);
    test_same_model(first, bare);
    sn_model_destroy(first);
    sn_model_destroy(bare);
    sn_model_destroy(back);
    sn_model_destroy(model);
    test_file_free(&file);
    test_file_free(&quad);
    test_file_free(&chunk);
    free(plain);
    free(with);
}

// New settings replace the old ones; a lattice beside them stays.
static void changed_settings_replace_the_old(void** state) {
    (void)state;
    char* path = strdup(test_out_path("settings_changed.glb"));
    snModel* model = make_body();
    set_changed(model, 13);
    write_to(model, path);
    snModel* back = test_read_file(path, NULL);
    set_changed(back, 14);
    write_to(back, path);
    snModel* third = test_read_file(path, NULL);
    assert_non_null(third->binding);
    test_settings_equal(third->settings, back->settings);
    sn_model_set_settings(third, NULL);
    write_to(third, path);
    snModel* last = test_read_file(path, NULL);
    assert_non_null(last->binding);
    assert_null(last->settings);
    sn_model_destroy(last);
    sn_model_destroy(third);
    sn_model_destroy(back);
    sn_model_destroy(model);
    free(path);
}

static void binding_keeps_them(void** state) {
    (void)state;
    char* path = strdup(test_out_path("settings_bound.glb"));
    snModel* model = make_tube();
    set_changed(model, 15);
    write_to(model, path);
    snModel* back = test_read_file(path, NULL);
    snBindDef def = sn_bind_def();
    def.method = SN_WEIGHTS_HEAT;
    def.cells = 4;
    assert_ok(sn_model_bind(back, &def, NULL, NULL));
    write_to(back, path);
    snModel* bound = test_read_file(path, NULL);
    assert_non_null(bound->binding);
    test_settings_equal(bound->settings, model->settings);
    sn_model_destroy(bound);
    sn_model_destroy(back);
    sn_model_destroy(model);
    free(path);
}

// What became morph targets must not be deformed again; where nothing did, the skin stays and so do they.
static void baked_morphs_have_none(void** state) {
    (void)state;
    static const TestFramesKind kinds[] = {TEST_FRAMES_FIELDS, TEST_FRAMES_PLAIN};
    char* path = strdup(test_out_path("settings_morphs.glb"));
    snModel* made = make_tube();
    set_changed(made, 20);
    write_to(made, path);
    snModel* read = test_read_file(path, NULL);
    const snModel* models[] = {made, read};
    for (int i = 0; i < 4; i++) {
        const snModel* model = models[i / 2];
        TestFrames frames = test_frames_open(model, 0, 10.0f, kinds[i % 2]);
        snMorphBakeDef bake_def = test_frames_def(&frames);
        snMorphBake* bake = NULL;
        assert_ok(sn_morph_bake_create(&bake_def, NULL, &bake, NULL));
        snWriteDef def = sn_write_def();
        def.morphs = bake;
        assert_ok(sn_model_write(model, path, &def, NULL));
        snModel* baked = test_read_file(path, NULL);
        assert_int_equal(baked->parts[0].morph_count > 0, i % 2 == 0);
        assert_int_equal(baked->settings == NULL, i % 2 == 0);
        sn_model_destroy(baked);
        sn_morph_bake_destroy(bake);
        test_frames_close(&frames);
    }
    sn_model_destroy(read);
    sn_model_destroy(made);
    free(path);
}

// -------------------------------------------------------------------------------------------------- frames

#define FRAMES 60

static void run_walk(const snModel* model, uint64_t hashes[FRAMES]) {
    snCharacterDef def = sn_character_def();
    def.model = model;
    snCharacter* character = NULL;
    snError error = sn_error_none();
    if (sn_character_create(&def, NULL, &character, &error) != SN_RESULT_OK) fail_msg("%s", error.text);
    uint32_t clip = sn_model_find_clip(model, "walk");
    assert_true(clip != SN_NONE);
    for (uint32_t i = 0; i < FRAMES; i++) {
        assert_ok(sn_character_pose_clip(character, clip, (float)i / 30.0f, SN_WRAP_LOOP));
        hashes[i] = sn_character_hash(character);
    }
    sn_character_destroy(character);
}

// All stages differ from the defaults, with numbers that have no short decimal.
static snSettings* lively_settings(snSkinMethod skin) {
    snSettings* s = test_settings();
    s->skin = skin;
    s->smoothing = 3;
    s->volume_sweeps = 3;
    s->volume_both_ways = true;
    s->delta = 0.9f + 1e-7f;
    s->alpha = 1.0f / 3.0f;
    s->damping = 2.7182817f;
    s->region_damping = 0.05f;
    s->step = 1.0f / 90.0f;
    s->wind = sn_vec3(3.1f, 0.2f, -1.7f);
    s->drag = 0.77f;
    s->ground = true;
    s->self_contact = true;
    snFleshRule rule = {
        .bone = "*Arm*", .softness = 0.123456789f, .alpha = 1, .damping = 2.1f, .force = 1.7f};
    snProfileKey keys[] = {{0.0f, 1.0f}, {1.3f, 0.61f}};
    snColliderDef collider = {"", {0.1f, 0.7f, 0.3f}, {-0.1f, 1.1f, 0.33f}, 0.17f};
    assert_ok(sn_settings_set_rules(s, &rule, 1, NULL));
    assert_ok(sn_settings_set_profile(s, keys, 2, NULL));
    assert_ok(sn_settings_set_colliders(s, &collider, 1, NULL));
    return s;
}

static void loading_again_gives_the_same_frames(void** state) {
    (void)state;
    char* path = strdup(test_out_path("clean/settings_walk.glb"));
    uint64_t plain[FRAMES], before[FRAMES], after[FRAMES];
    for (int skin = SN_SKIN_AUTO; skin <= SN_SKIN_LATTICE; skin++) {
        snModel* model = make_body();
        run_walk(model, plain);
        sn_model_set_settings(model, lively_settings((snSkinMethod)skin));
        run_walk(model, before);
        assert_memory_not_equal(plain, before, sizeof plain);
        write_to(model, path);
        snModel* back = test_read_file(path, NULL);
        run_walk(back, after);
        for (uint32_t i = 0; i < FRAMES; i++) assert_true(after[i] == before[i]);
        sn_model_destroy(back);
        sn_model_destroy(model);
    }
    free(path);
}

// ------------------------------------------------------------------------------------------ changed, broken

static TestFile body_file(bool lattice_skin) {
    snModel* model = make_body();
    snSettings* settings = test_settings();
    settings->skin = lattice_skin ? SN_SKIN_LATTICE : SN_SKIN_DUAL;
    sn_model_set_settings(model, settings);
    write_to(model, test_out_path("settings_broken.glb"));
    sn_model_destroy(model);
    return test_load(test_out_path("settings_broken.glb"));
}

static bool said(const snNotes* notes, const char* sentence) {
    for (uint32_t i = 0; i < notes->count && i < 16; i++) {
        if (strstr(notes->text[i], sentence) != NULL) return true;
    }
    return false;
}

// Without its lattice a model cannot be skinned by it.
static void a_lost_lattice_changes_the_skin(void** state) {
    (void)state;
    TestFile file = body_file(true);
    char* hash = find_text(&file, "\"hash\":\"") + 8;
    hash[0] = hash[0] == '0' ? '1' : '0';
    snNotes notes = {0};
    snModel* model = test_read("changed.glb", file.data, file.size, &notes);
    assert_null(model->binding);
    assert_non_null(model->settings);
    assert_int_equal(model->settings->skin, SN_SKIN_AUTO);
    assert_true(said(&notes, "auto is used"));
    sn_model_destroy(model);
    test_file_free(&file);
}

static void another_version_is_left_alone(void** state) {
    (void)state;
    static const char json[] =
        "{\"asset\":{\"version\":\"2.0\"},\"extensionsUsed\":[\"SINEW_deformation\"],"
        "\"extensions\":{\"SINEW_deformation\":{\"version\":2,\"settings\":{\"new\":1}}},"
        "\"nodes\":[{}]}";
    snNotes notes = {0};
    snModel* model = test_read("later.gltf", json, sizeof json - 1, &notes);
    assert_null(model->settings);
    assert_true(said(&notes, "unknown version"));
    write_to(model, test_out_path("settings_later.gltf"));
    TestFile file = test_load(test_out_path("settings_later.gltf"));
    assert_non_null(find_text(&file, "\"new\": 1"));
    test_file_free(&file);
    set_changed(model, 17); // now they are ours
    write_to(model, test_out_path("settings_later.gltf"));
    snModel* back = test_read_file(test_out_path("settings_later.gltf"), NULL);
    test_settings_equal(back->settings, model->settings);
    sn_model_destroy(back);
    sn_model_destroy(model);
}

static void wrong_settings_are_refused_in_place(void** state) {
    (void)state;
#define DOCUMENT(settings)                                                                                   \
    "{\"asset\":{\"version\":\"2.0\"},\"nodes\":[{}],\n\"extensions\":{\"SINEW_deformation\":{\"version\":"  \
    "1,"                                                                                                     \
    "\n\"settings\":" settings "}}}"
#define PLACE "wrong.gltf:4: /extensions/SINEW_deformation/settings"
    static const struct {
        const char *text, *sentence;
    } cases[] = {
        {DOCUMENT("\n3"), PLACE " is 3, expected an object"},
        {DOCUMENT("{\n\"flesh\":{\"delta\":2}}"), PLACE "/flesh/delta is 2, expected a number from 0 to 1"},
        {DOCUMENT("{\n\"flehs\":{}}"), PLACE "/flehs is unknown; did you mean \"/flesh\"?"},
        {DOCUMENT("{\n\"contact\":{\"colliders\":[{}]}}"), PLACE "/contact/colliders/0 lacks \"joint\""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        test_refuse("wrong.gltf", cases[i].text, strlen(cases[i].text), SN_RESULT_BAD_DATA,
                    cases[i].sentence);
    }
}

static void invalid_settings_are_not_written(void** state) {
    (void)state;
    snModel* model = make_tube();
    set_changed(model, 18);
    model->settings->delta = 7.0f;
    snError error = sn_error_none();
    assert_int_equal(sn_model_write(model, test_out_path("settings_invalid.glb"), NULL, &error),
                     SN_RESULT_BAD_DATA);
    assert_non_null(strstr(error.text, "flesh.delta must be 0 to 1"));
    sn_model_destroy(model);
}

static void running_out_of_memory_leaves_nothing(void** state) {
    (void)state;
    snModel* model = make_tube();
    set_changed(model, 19);
    write_to(model, test_out_path("settings_tube.glb"));
    TestFile file = test_load(test_out_path("settings_tube.glb"));
    test_every_allocation(test_build_glb, &file);
    test_file_free(&file);
    sn_model_destroy(model);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_bit_comes_back),
        cmocka_unit_test(a_model_without_settings_has_none),
        cmocka_unit_test(a_plain_document_takes_and_loses_them),
        cmocka_unit_test(changed_settings_replace_the_old),
        cmocka_unit_test(binding_keeps_them),
        cmocka_unit_test(baked_morphs_have_none),
        cmocka_unit_test(loading_again_gives_the_same_frames),
        cmocka_unit_test(a_lost_lattice_changes_the_skin),
        cmocka_unit_test(another_version_is_left_alone),
        cmocka_unit_test(wrong_settings_are_refused_in_place),
        cmocka_unit_test(invalid_settings_are_not_written),
        cmocka_unit_test(running_out_of_memory_leaves_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
