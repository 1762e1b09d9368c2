// Every kind of output of `sinew animate`, and the same bytes whatever the threads.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "process.h"
#include "rigs.h"
#include "sinew/io.h"

static snModel* read_back(const char* path) {
    snReadDef def = sn_read_def();
    snModel* model = NULL;
    snError error = sn_error_none();
    if (sn_model_read(path, &def, &model, &error) != SN_RESULT_OK) {
        print_error("%s\n", error.text);
        fail();
    }
    return model;
}

static void test_linear_keeps_the_skin(void** state) {
    (void)state;
    char* out = test_out_copy("linear.glb");
    TestRun run = test_sinew_expect(0, "animate", "builtin:bar", "--clip", "twist", "-o", out, "--json");
    sniJsonValue* report = test_json(&run);
    assert_string_equal(test_json_text(report, "clip"), "twist");
    assert_string_equal(test_json_text(report, "skin"), "linear");
    assert_true(test_json_number(report, "frames") > 10);
    assert_true(test_json_number(report, "seconds_per_frame") >= 0);
    assert_int_equal(strlen(test_json_text(report, "hash")), 16);
    snModel* model = read_back(out);
    assert_int_equal(model->skin_count, 1);
    assert_int_equal(model->clip_count, 2);
    assert_string_equal(model->clips[0]->name, "twist"); // the chosen clip comes first
    sn_model_destroy(model);
    sni_json_free(report);
    test_run_free(&run);
    free(out);
}

// What dual quaternions do beyond the plain skin becomes morph targets where they are asked for, fewer than
// frames and the middles between them.
static void test_dual_is_baked(void** state) {
    (void)state;
    char* out = test_out_copy("dual.glb");
    TestRun run = test_sinew_expect(0, "animate", "builtin:bar", "--clip", "twist", "--skin", "dual", "--fps",
                                    "5", "--to", "1", "--target", "morph", "-o", out, "--json");
    sniJsonValue* report = test_json(&run);
    assert_near(test_json_number(report, "frames"), 6, 0);
    snModel* model = read_back(out);
    assert_int_equal(model->part_count, 1);
    assert_true(model->parts[0].morph_count >= 1 && model->parts[0].morph_count < 11);
    assert_near(test_json_number(report, "morph_targets"), model->parts[0].morph_count, 0);
    assert_true(test_json_number(report, "morph_error_max_mm") < 1.0);
    // Half a turn flattens some vertices, which lean to one bone; the mesh keeps its skin.
    assert_string_equal(test_json_text(report, "morph_space"), "bind");
    assert_int_not_equal(model->parts[0].skin, SN_NONE);
    sn_model_destroy(model);
    sni_json_free(report);
    test_run_free(&run);
    free(out);
}

// The points in the numbered files are the points the library computes.
static void test_obj_frames(void** state) {
    (void)state;
    char* out = test_out_copy("pose.obj");
    TestRun run = test_sinew_expect(0, "animate", "builtin:bar", "--clip", "bend", "--fps", "2", "--from",
                                    "0.5", "--to", "1", "-o", out, "--quiet");
    test_run_free(&run);
    free(out);
    assert_false(test_file_exists(test_out_path("pose.obj")));
    assert_false(test_file_exists(test_out_path("pose_0003.obj")));
    snModel* frame = read_back(test_out_path("pose_0002.obj"));

    snTubeDef tube = sn_tube_def();
    tube.sides = 4;
    snModel* bar = NULL;
    assert_ok(sn_builtin_tube(&tube, NULL, &bar, NULL));
    snCharacterDef def = sn_character_def();
    def.model = bar;
    snCharacter* character = NULL;
    assert_ok(sn_character_create(&def, NULL, &character, NULL));
    assert_ok(sn_character_pose_clip(character, sn_model_find_clip(bar, "bend"), 1.0f, SN_WRAP_CLAMP));
    snSurface surface = sn_character_surface(character, 0);
    const snMesh* mesh = frame->parts[0].mesh;
    assert_int_equal(mesh->vertex_count, surface.vertex_count);
    assert_int_equal(mesh->face_count, bar->parts[0].mesh->face_count);
    for (uint32_t v = 0; v < surface.vertex_count; v++)
        assert_vec3_near(mesh->positions[v], surface.positions[v], 1e-6f);
    sn_character_destroy(character);
    sn_model_destroy(bar);
    sn_model_destroy(frame);
}

static char* hash_with(const char* workers, const char* simd, const char* skin, const char* out) {
    TestRun run = test_sinew_expect(0, "animate", "builtin:body", "--clip", "walk", "--fps", "4", "--workers",
                                    workers, "--simd", simd, "--skin", skin, "-o", out, "--json", "--quiet");
    sniJsonValue* report = test_json(&run);
    char* hash = strdup(test_json_text(report, "hash"));
    sni_json_free(report);
    test_run_free(&run);
    return hash;
}

static void test_same_bytes_for_any_workers(void** state) {
    (void)state;
    static const char* const skins[] = {"linear", "dual"};
    char* one_path = test_out_copy("one.glb");
    char* many_path = test_out_copy("many.glb");
    for (size_t s = 0; s < 2; s++) {
        char* one = hash_with("1", "scalar", skins[s], one_path);
        char* many = hash_with("8", "auto", skins[s], many_path);
        assert_string_equal(one, many);
        size_t one_size = 0, many_size = 0;
        uint8_t* one_bytes = test_file_bytes(one_path, &one_size);
        uint8_t* many_bytes = test_file_bytes(many_path, &many_size);
        assert_int_equal(one_size, many_size);
        assert_memory_equal(one_bytes, many_bytes, one_size);
        free(one_bytes);
        free(many_bytes);
        free(one);
        free(many);
    }
    free(one_path);
    free(many_path);
}

static void test_skins_differ(void** state) {
    (void)state;
    char* out = test_out_copy("skins.glb");
    char* linear = hash_with("2", "auto", "linear", out);
    char* dual = hash_with("2", "auto", "dual", out);
    assert_string_not_equal(linear, dual);
    free(linear);
    free(dual);
    free(out);
}

static void test_round_trip_keeps_the_fox(void** state) {
    (void)state;
    const char* path = test_data_path("characters/Fox.glb");
    char* fox = strdup(path);
    char* out = test_out_copy("fox.glb");
    TestRun run = test_sinew_expect(0, "animate", fox, "--clip", "Run", "-o", out);
    snModel *before = read_back(fox), *after = read_back(out);
    assert_int_equal(before->clip_count, after->clip_count);
    assert_int_equal(before->material_count, after->material_count);
    assert_string_equal(after->clips[0]->name, "Run");
    sn_model_destroy(before);
    sn_model_destroy(after);
    test_run_free(&run);
    free(fox);
    free(out);
}

// A cache for each mesh, as programs keep them; joined, they are the same points one after another.
static void test_a_cache_for_each_mesh(void** state) {
    (void)state;
    snModelDef def = *test_model_def();
    snPartDef parts[3] = {def.parts[0], def.parts[1], def.parts[1]};
    parts[0].name = "a/b c";
    parts[2].name = "Hard";
    def.parts = parts;
    def.part_count = 3;
    snModel* model = NULL;
    assert_ok(sn_model_create(&def, NULL, &model, NULL));
    char *file = test_out_copy("caches.glb"), *out = test_out_copy("caches.pc2"),
         *one = test_out_copy("one.mdd");
    assert_ok(sn_model_write(model, file, NULL, NULL));
    sn_model_destroy(model);
    TestRun run = test_sinew_expect(0, "animate", file, "--fps", "4", "-o", out, "--json");
    TestRun joined = test_sinew_expect(0, "animate", file, "--fps", "4", "--join", "-o", one);
    sniJsonValue* report = test_json(&run);
    sniJsonValue* files = sni_json_find(report, "outputs");
    assert_int_equal(sni_json_count(files), 3);
    assert_false(test_file_exists(out));
    snPointCache* all = NULL;
    assert_ok(sn_point_cache_read(one, NULL, &all, NULL));
    uint32_t done = 0, named = 0;
    for (size_t i = 0; i < 3; i++) {
        sniJson item = {sni_json_element(files, i), ""};
        snPointCache* cache = NULL;
        assert_ok(sn_point_cache_read(sni_json_text(&item), NULL, &cache, NULL));
        named += strstr(sni_json_text(&item), "caches.a_b_c.pc2") != NULL;
        assert_int_equal(cache->frame_count, all->frame_count);
        for (uint32_t f = 0; f < cache->frame_count; f++)
            assert_memory_equal(cache->points + (size_t)f * cache->point_count,
                                all->points + (size_t)f * all->point_count + done,
                                cache->point_count * sizeof(snVec3));
        done += cache->point_count;
        sn_point_cache_destroy(cache);
    }
    assert_int_equal(done, all->point_count);
    assert_int_equal(named, 1);
    sn_point_cache_destroy(all);
    sni_json_free(report);
    test_run_free(&run);
    test_run_free(&joined);
    free(file);
    free(out);
    free(one);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_linear_keeps_the_skin),
                                       cmocka_unit_test(test_dual_is_baked),
                                       cmocka_unit_test(test_obj_frames),
                                       cmocka_unit_test(test_a_cache_for_each_mesh),
                                       cmocka_unit_test(test_same_bytes_for_any_workers),
                                       cmocka_unit_test(test_skins_differ),
                                       cmocka_unit_test(test_round_trip_keeps_the_fox)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
