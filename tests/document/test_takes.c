// Takes as helper joints: several in one skin, and point caches as the source of one.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "edits.h"
#include "frames.h"

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
    assert_int_equal(sn_cache_player_create(document, short_one, 1, 0, &player, &error), SN_RESULT_BAD_DATA);
    assert_non_null(strstr(error.text, "same meshes"));
    assert_int_equal(sn_cache_player_create(document, uneven, 2, 0, &player, &error), SN_RESULT_BAD_DATA);
    assert_int_equal(sn_cache_player_create(document, one, 0, 0, &player, &error),
                     SN_RESULT_INVALID_ARGUMENT);
    assert_null(player);
    assert_ok(sn_cache_player_create(document, one, 1, 0, &player, &error));
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

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(takes_share_one_skin),
        cmocka_unit_test(targets_go_on_top_of_helpers),
        cmocka_unit_test(a_stretch_is_baked),
        cmocka_unit_test(caches_are_frames),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
