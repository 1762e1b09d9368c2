// Takes as helper joints: several in one skin, and point caches as the source of one.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "edits.h"
#include "frames.h"
#include "rigs.h"

static snDocument* open_bar(void) {
    snDocumentDef def = sn_document_def();
    snDocument* document = NULL;
    snError error = sn_error_none();
    assert_ok(sn_document_create(&def, NULL, &document, &error));
    edits_expect(sn_document_open(document, "builtin:bar", NULL, &error), &error, "open");
    edits_expect(sn_document_set(document, "skin", "dual", &error), &error, "skin");
    return document;
}

static snTake* open_take(const snDocument* document, uint32_t clip) {
    snTakeDef def = sn_take_def();
    snTake* take = NULL;
    snError error = sn_error_none();
    def.clip = clip;
    def.fps = 8.0f;
    edits_expect(sn_take_create(document, &def, NULL, &take, &error), &error, "take");
    return take;
}

static void takes_share_one_skin(void** state) {
    (void)state;
    snDocument *document = open_bar(), *other = open_bar();
    snTake* takes[2] = {open_take(document, 1), open_take(document, 0)};
    snTake* stranger = open_take(other, 0);
    snError error = sn_error_none();
    snTakeWriteDef def = sn_take_write_def();
    def.target = SN_BAKE_JOINTS;
    def.helper_count = 5;
    edits_expect(sn_takes_write(takes, 2, test_out_path("takes.glb"), &def, &error), &error, "write");
    const snJointBake* bake = sn_take_joints(takes[0]);
    assert_non_null(bake);
    assert_null(sn_take_joints(takes[1]));
    assert_int_equal(bake->clip_count, 2);
    assert_int_equal(bake->clips[0].clip, 1);
    assert_true(bake->frames.rms < 0.5 * bake->plain.rms);
    assert_true(bake->middles.worst > 0.0);
    // Frames are what they are without the moments between them.
    snTake* alone = open_take(document, 1);
    assert_ok(sn_take_pose_all(alone, &error));
    assert_true(sn_take_report(alone)->hash == sn_take_report(takes[0])->hash);
    snTake* mixed[2] = {takes[0], stranger};
    assert_int_equal(sn_takes_write(mixed, 2, test_out_path("no.glb"), &def, &error),
                     SN_RESULT_INVALID_ARGUMENT);
    assert_int_equal(sn_takes_write(takes, 2, test_out_path("no.pc2"), &def, &error), SN_RESULT_UNSUPPORTED);
    def.target = SN_BAKE_MORPHS;
    assert_int_equal(sn_takes_write(takes, 2, test_out_path("no.glb"), &def, &error), SN_RESULT_UNSUPPORTED);
    assert_int_equal(sn_takes_write(takes, 0, test_out_path("no.glb"), &def, &error),
                     SN_RESULT_INVALID_ARGUMENT);
    assert_string_equal(sn_bake_target_name(SN_BAKE_JOINTS), "joints");
    sn_take_destroy(alone);
    sn_take_destroy(stranger);
    sn_take_destroy(takes[0]);
    sn_take_destroy(takes[1]);
    sn_document_destroy(document);
    sn_document_destroy(other);
}

// Takes on one character show what they show on characters of their own, and do not mix.
static void takes_share_one_character(void** state) {
    (void)state;
    snDocument *document = open_bar(), *other = open_bar();
    snError error = sn_error_none();
    snTake* alone[2] = {open_take(document, 0), open_take(document, 1)};
    snTakeDef def = sn_take_def();
    def.fps = 8.0f;
    snTake *first = open_take(document, 0), *second = NULL, *none = NULL;
    def.clip = 1;
    def.with = first;
    edits_expect(sn_take_create(document, &def, NULL, &second, &error), &error, "take");
    assert_ptr_equal(sn_take_character(first), sn_take_character(second));
    assert_int_equal(sn_take_create(other, &def, NULL, &none, &error), SN_RESULT_INVALID_ARGUMENT);
    assert_ok(sn_take_pose(first, 0, &error));
    assert_ok(sn_take_pose(second, 0, &error));
    assert_int_equal(sn_take_pose(first, 1, &error), SN_RESULT_INVALID_ARGUMENT);
    assert_non_null(strstr(error.text, "begin with frame 0"));
    for (int i = 0; i < 2; i++) {
        snTake* shared = i == 0 ? first : second;
        assert_ok(sn_take_pose_all(shared, &error));
        assert_ok(sn_take_pose_all(alone[i], &error));
        assert_true(sn_take_report(shared)->hash == sn_take_report(alone[i])->hash);
    }
    // A cycle has a step, and so a character, of its own.
    def.loop = true;
    edits_expect(sn_take_create(document, &def, NULL, &none, &error), &error, "cycle");
    assert_ptr_not_equal(sn_take_character(first), sn_take_character(none));
    sn_take_destroy(first); // the character goes with the last of them
    assert_ok(sn_take_pose_all(second, &error));
    sn_take_destroy(second);
    sn_take_destroy(none);
    for (int i = 0; i < 2; i++) sn_take_destroy(alone[i]);
    sn_document_destroy(document);
    sn_document_destroy(other);
}

// Few helpers, and morph targets for what they leave: played by the plain skin alone, the file is as near as
// it says, and nearer than the helpers.
static void targets_go_on_top_of_helpers(void** state) {
    (void)state;
    snDocument* document = open_bar();
    snError error = sn_error_none();
    snTake* take = open_take(document, 0);
    snTakeWriteDef def = sn_take_write_def();
    def.target = SN_BAKE_BOTH;
    def.helper_count = 2;
    def.tolerance = 2e-4f;
    const char* path = test_out_path("both.glb");
    edits_expect(sn_take_write(take, path, &def, &error), &error, "write");
    const snMorphBake* morphs = sn_take_morphs(take);
    assert_true(sn_take_joints(take)->helper_count > 0 && morphs->target_count > 0);
    assert_true(sn_take_joints(take)->frames.worst > 5e-4 && morphs->worst_error <= 2e-4);
    assert_near(morphs->parts[0].skin_error, sn_take_joints(take)->frames.worst, 2e-3);
    snModel* back = NULL;
    snReadDef read = sn_read_def();
    assert_ok(sn_model_read(path, &read, &back, &error));
    assert_null(back->binding);
    snCharacter* character = test_skin_character(back, SN_SKIN_LINEAR);
    double worst = 0.0;
    for (uint32_t f = 0; f < sn_take_report(take)->frames; f++) {
        assert_ok(sn_take_pose(take, f, &error));
        float time = (float)f / sn_take_report(take)->fps;
        assert_ok(sn_character_pose_clip(character, 0, time, SN_WRAP_CLAMP));
        snSurface wanted = sn_take_surface(take, 0), shown = sn_character_surface(character, 0);
        for (uint32_t v = 0; v < wanted.vertex_count; v++)
            worst = fmax(worst, (double)sn_distance(wanted.positions[v], shown.positions[v]));
    }
    if (fabs(worst - morphs->worst_error) > 2e-6) fail_msg("%g, said %g", worst, morphs->worst_error);
    sn_character_destroy(character);
    sn_model_destroy(back);
    sn_take_destroy(take);
    sn_document_destroy(document);
}

// A stretch of a clip becomes a clip of its own, with keys of its length.
static void a_stretch_is_baked(void** state) {
    (void)state;
    snDocument* document = open_bar();
    snTakeDef def = sn_take_def();
    snTake* take = NULL;
    snError error = sn_error_none();
    def.clip = 0;
    def.fps = 10.0f;
    def.from = 0.5f;
    def.to = 1.0f;
    edits_expect(sn_take_create(document, &def, NULL, &take, &error), &error, "take");
    snTakeWriteDef write = sn_take_write_def();
    write.target = SN_BAKE_JOINTS;
    write.helper_count = 3;
    edits_expect(sn_take_write(take, test_out_path("stretch.glb"), &write, &error), &error, "write");
    assert_int_equal(sn_take_joints(take)->clips[0].frame_count, 6);
    snModel* back = NULL;
    snReadDef read = sn_read_def();
    assert_ok(sn_model_read(test_out_path("stretch.glb"), &read, &back, &error));
    assert_near((double)back->clips[0]->duration, 0.5, 1e-5);
    // Beside the whole clip, with another name; what is said of it is said of the document's clip.
    const char* name = sn_document_model(document)->clips[0]->name;
    assert_string_not_equal(back->clips[0]->name, name);
    assert_true(sn_model_find_clip(back, name) != SN_NONE);
    assert_int_equal(sn_take_joints(take)->clips[0].clip, 0);
    sn_model_destroy(back);
    sn_take_destroy(take);
    sn_document_destroy(document);
}

// ------------------------------------------------------------------------------------------------- caches

static void caches_are_frames(void** state) {
    (void)state;
    snDocument* document = open_bar();
    const snMesh* mesh = sn_document_model(document)->parts[0].mesh;
    uint32_t half = mesh->vertex_count / 2, rest = mesh->vertex_count - half;
    snVec3* points = calloc((size_t)2 * mesh->vertex_count, sizeof *points);
    memcpy(points, mesh->positions, mesh->vertex_count * sizeof *points);
    snPointCache whole = {.point_count = mesh->vertex_count, .frame_count = 2, .points = points};
    snPointCache first = {.point_count = half, .frame_count = 2, .points = points};
    snPointCache last = {.point_count = rest, .frame_count = 1, .points = points};
    const snPointCache* one[] = {&whole};
    const snPointCache* short_one[] = {&first};
    const snPointCache* uneven[] = {&first, &last};
    snCachePlayer* player = NULL;
    snError error = sn_error_none();
    assert_int_equal(sn_cache_player_create(document, short_one, 1, SN_CLIP_REST, 0, &player, &error),
                     SN_RESULT_BAD_DATA);
    assert_non_null(strstr(error.text, "same meshes"));
    assert_int_equal(sn_cache_player_create(document, uneven, 2, SN_CLIP_REST, 0, &player, &error),
                     SN_RESULT_BAD_DATA);
    assert_int_equal(sn_cache_player_create(document, one, 0, SN_CLIP_REST, 0, &player, &error),
                     SN_RESULT_INVALID_ARGUMENT);
    assert_null(player);
    assert_ok(sn_cache_player_create(document, one, 1, SN_CLIP_REST, 0, &player, &error));
    snTakeDef def = sn_take_def();
    sn_cache_player_plan(player, &def);
    assert_int_equal(def.frames, 2);
    assert_near((double)def.fps, 30.0, 0.0);
    snTakeSource source = sn_cache_player_source(player);
    snTake* take = NULL;
    assert_ok(sn_take_create(document, &def, &source, &take, &error));
    assert_ok(sn_take_pose(take, 0, &error));
    assert_vec3_near(sn_take_surface(take, 0).positions[3], mesh->positions[3], 0.0f);
    assert_near((double)sn_length(sn_take_surface(take, 0).normals[3]), 1.0, 1e-5);
    sn_take_destroy(take);
    sn_cache_player_destroy(player);
    sn_document_destroy(document);
    free(points);
}

// A cache of one of several meshes: the others are where the plain skin has them.
static void parts_without_a_cache_keep_the_plain_skin(void** state) {
    (void)state;
    snDocumentDef document_def = sn_document_def();
    snDocument* document = NULL;
    snModel* model = NULL;
    snError error = sn_error_none();
    // Two cubes, the rigid one without its last side.
    snModelDef cubes = *test_model_def();
    snPartDef parts[2] = {cubes.parts[1], cubes.parts[0]};
    snMeshDef open = *parts[0].mesh;
    open.vertex_count = open.corner_count = 20;
    open.face_count = 5;
    parts[0].mesh = &open;
    cubes.parts = parts;
    assert_ok(sn_model_create(&cubes, NULL, &model, &error));
    const char* path = test_out_path("caches.glb");
    assert_ok(sn_model_write(model, path, NULL, &error));
    sn_model_destroy(model);
    assert_ok(sn_document_create(&document_def, NULL, &document, &error));
    edits_expect(sn_document_open(document, path, NULL, &error), &error, "open");
    const snModel* opened = sn_document_model(document);
    uint32_t given = opened->parts[0].mesh->vertex_count == 20 ? 0 : 1, count = 20;
    snVec3* points = calloc((size_t)2 * count + 1, sizeof *points);
    for (uint32_t v = 0; v < 2 * count; v++) points[v] = sn_vec3((float)v, 2.0f, 3.0f);
    snPointCache cache = {.point_count = count, .frame_count = 2, .points = points};
    const snPointCache* caches[] = {&cache};
    snCachePlayer* player = NULL;
    assert_ok(sn_cache_player_create(document, caches, 1, 0, 4.0f, &player, &error));
    assert_true(sn_cache_player_has(player, given));
    assert_int_equal(sn_cache_player_plain_count(player), 1);
    snTakeDef def = sn_take_def();
    sn_cache_player_plan(player, &def);
    assert_int_equal(def.clip, 0);
    snTakeSource source = sn_cache_player_source(player);
    snTake *take = NULL, *plain = NULL;
    assert_ok(sn_take_create(document, &def, &source, &take, &error));
    edits_expect(sn_document_set(document, "skin", "linear", &error), &error, "skin");
    def.frames = 0;
    assert_ok(sn_take_create(document, &def, NULL, &plain, &error));
    for (uint32_t f = 0; f < 2; f++) {
        assert_ok(sn_take_pose(take, f, &error));
        assert_ok(sn_take_pose(plain, f, &error));
        assert_vec3_near(sn_take_surface(take, given).positions[1], points[f * count + 1], 0.0f);
        for (uint32_t v = 0; v < 24; v++)
            assert_vec3_near(sn_take_surface(take, 1 - given).positions[v],
                             sn_take_surface(plain, 1 - given).positions[v], 0.0f);
    }
    sn_take_destroy(plain);
    sn_take_destroy(take);
    sn_cache_player_destroy(player);
    player = NULL;
    // Points of no mesh: the counts are said.
    cache.point_count = count - 1;
    assert_int_equal(sn_cache_player_create(document, caches, 1, 0, 4.0f, &player, &error),
                     SN_RESULT_BAD_DATA);
    assert_non_null(strstr(error.text, opened->parts[given].name));
    assert_int_equal(sn_cache_player_create(document, caches, 1, 99, 4.0f, &player, &error),
                     SN_RESULT_NOT_FOUND);
    assert_null(player);
    sn_document_destroy(document);
    free(points);
}

static void assert_same_bytes(const char* path, snBytes* bytes) {
    uint8_t* file = calloc(bytes->size + 1, 1);
    FILE* stream = fopen(path, "rb");
    assert_non_null(stream);
    assert_int_equal(fread(file, 1, bytes->size + 1, stream), bytes->size);
    fclose(stream);
    assert_memory_equal(file, bytes->data, bytes->size);
    free(file);
    sn_bytes_free(bytes);
}

// What pages write is what the disk gets.
static void memory_gets_the_bytes_of_files(void** state) {
    (void)state;
    static const snBakeTarget targets[] = {SN_BAKE_SKIN, SN_BAKE_JOINTS, SN_BAKE_MORPHS};
    snDocument* document = open_bar();
    snTake* take = open_take(document, 0);
    snError error = sn_error_none();
    snTakeWriteDef def = sn_take_write_def();
    def.helper_count = 3;
    snBytes bytes = {0};
    for (size_t i = 0; i < sizeof targets / sizeof targets[0]; i++) {
        def.target = targets[i];
        edits_expect(sn_take_write(take, test_out_path("a.glb"), &def, &error), &error, "write");
        edits_expect(sn_takes_write_memory(&take, 1, "a.glb", &def, &bytes, &error), &error, "memory");
        assert_same_bytes(test_out_path("a.glb"), &bytes);
    }
    edits_expect(sn_take_write(take, test_out_path("a.pc2"), &def, &error), &error, "write");
    edits_expect(sn_takes_write_memory(&take, 1, "a.pc2", &def, &bytes, &error), &error, "memory");
    assert_same_bytes(test_out_path("a.pc2"), &bytes);
    for (int settings = 0; settings < 2; settings++) {
        edits_expect(sn_document_write(document, test_out_path("b.glb"), NULL, settings, &error), &error,
                     "write");
        edits_expect(sn_document_write_memory(document, "b.glb", NULL, settings, &bytes, &error), &error,
                     "memory");
        assert_same_bytes(test_out_path("b.glb"), &bytes);
    }
    assert_ok(sn_take_pose(take, 0, &error));
    snSurface surface = sn_take_surface(take, 0);
    static const char* const names[] = {"c.obj", "c.glb"};
    for (int i = 0; i < 2; i++) {
        edits_expect(sn_document_write_still(document, test_out_path(names[i]), &surface, NULL, &error),
                     &error, "write");
        edits_expect(sn_document_write_still_memory(document, names[i], &surface, NULL, &bytes, &error),
                     &error, "memory");
        assert_same_bytes(test_out_path(names[i]), &bytes);
    }
    // What is several files is none in memory.
    static const char* const several[] = {"a.gltf", "a.obj", "a.xyz"};
    for (int i = 0; i < 3; i++)
        assert_int_equal(sn_takes_write_memory(&take, 1, several[i], &def, &bytes, &error),
                         SN_RESULT_UNSUPPORTED);
    assert_int_equal(sn_takes_write_memory(&take, 0, "a.glb", &def, &bytes, &error),
                     SN_RESULT_INVALID_ARGUMENT);
    assert_null(bytes.data);
    sn_take_destroy(take);
    sn_document_destroy(document);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(takes_share_one_skin),
        cmocka_unit_test(takes_share_one_character),
        cmocka_unit_test(targets_go_on_top_of_helpers),
        cmocka_unit_test(a_stretch_is_baked),
        cmocka_unit_test(caches_are_frames),
        cmocka_unit_test(parts_without_a_cache_keep_the_plain_skin),
        cmocka_unit_test(memory_gets_the_bytes_of_files),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
