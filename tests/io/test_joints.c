// Helper joints in glTF files: written, read again and played by the plain skin, the surface is what the bake
// says. What is written here also goes before the validator and before three.js.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "frames.h"
#include "io_support.h"
#include "joint_viewer.h"
#include "rigs.h"

static snJointBake* bake_create(const snModel* model, const snBakeClip* clips, uint32_t count,
                                uint32_t helpers, uint32_t influences, bool normals) {
    snJointBakeDef def = sn_joint_bake_def();
    def.model = model;
    def.clips = clips;
    def.clip_count = count;
    def.helper_count = helpers;
    def.influences = influences;
    def.refit_normals = normals;
    return test_joint_bake(&def);
}

static char* write_to(const snModel* model, const snJointBake* bake, const char* name) {
    snWriteDef def = sn_write_def();
    def.joints = bake;
    return test_write(model, name, &def);
}

static uint32_t find_part(const snModel* back, const snModel* model, uint32_t p) {
    const char* name = model->parts[p].name;
    uint32_t joint = model->parts[p].joint;
    return test_find_part(back, name, joint != SN_NONE ? model->skeleton->names[joint] : name);
}

static const char* clip_name(const snModel* model, const snJointBake* bake, uint32_t c) {
    return bake->clips[c].clip != SN_CLIP_REST ? model->clips[bake->clips[c].clip]->name : "baked";
}

// Plays the file with nothing but the plain skin: a vertex is where the bake has it, at frames and between.
static void check_file(const snModel* model, const snJointBake* bake, const snModel* back) {
    snCharacter* character = test_skin_character(back, SN_SKIN_LINEAR);
    assert_null(back->binding);
    for (uint32_t c = 0; c < bake->clip_count; c++) {
        uint32_t clip = sn_model_find_clip(back, clip_name(model, bake, c));
        assert_true(clip != SN_NONE);
        for (uint32_t i = 0; i < 2 * bake->clips[c].frame_count - 1; i++) {
            float time = (float)i / (2.0f * bake->clips[c].fps);
            snMat4* world = test_joint_world(model, bake, c, 0.5 * i);
            assert_ok(sn_character_pose_clip(character, clip, time, SN_WRAP_CLAMP));
            for (uint32_t p = 0; p < bake->part_count; p++) {
                snSurface shown = sn_character_surface(character, find_part(back, model, p));
                for (uint32_t v = 0; v < bake->parts[p].vertex_count; v++) {
                    if (model->parts[p].morph_count > 0) continue; // the viewer here knows no targets
                    assert_vec3_near(shown.positions[v], test_joint_point(model, bake, world, p, v),
                                     1e-5f * (float)bake->size);
                }
            }
            free(world);
        }
    }
    sn_character_destroy(character);
}

// ------------------------------------------------------------------------------------------ for three.js

static void dump_part(FILE* file, const snModel* model, const snJointBake* bake, const snMat4* world,
                      uint32_t p, const char* name) {
    fprintf(file, "%s{\"name\":\"%s\",\"positions\":[", p > 0 ? "," : "", name);
    for (uint32_t v = 0; v < bake->parts[p].vertex_count; v++) {
        snVec3 x = test_joint_point(model, bake, world, p, v);
        fprintf(file, "%s%.9g,%.9g,%.9g", v > 0 ? "," : "", (double)x.x, (double)x.y, (double)x.z);
    }
    fprintf(file, "]}");
}

// What a viewer must show, at frames and half way between: 1e-5 of the size, a hundredth of a millimetre.
static void dump_frames(const snModel* model, const snJointBake* bake, const snModel* back, const char* path,
                        const char* name) {
    char json[512];
    mkdir(test_out_path("three"), 0777);
    snprintf(json, sizeof json, "%s/joints_%s.json", test_out_path("three"), name);
    FILE* file = fopen(json, "w");
    assert_non_null(file);
    double last = bake->clips[0].frame_count - 1;
    const double shown[] = {0.0, 1.0, 0.5, floor(last / 2.0), floor(last / 2.0) + 0.5, last};
    fprintf(file, "{\"file\":\"%s\",\"clip\":\"%s\",\"tolerance\":%.9g,\"frames\":[", path,
            clip_name(model, bake, 0), 1e-5 * bake->size);
    for (size_t i = 0; i < sizeof shown / sizeof shown[0]; i++) {
        snMat4* world = test_joint_world(model, bake, 0, shown[i]);
        fprintf(file, "%s\n{\"time\":%.9g,\"parts\":[", i > 0 ? "," : "",
                shown[i] / (double)bake->clips[0].fps);
        for (uint32_t p = 0; p < bake->part_count; p++)
            dump_part(file, model, bake, world, p, back->parts[find_part(back, model, p)].name);
        fprintf(file, "]}");
        free(world);
    }
    fprintf(file, "]}\n");
    assert_int_equal(fclose(file), 0);
}

static snModel* round_trip(const snModel* model, const snJointBake* bake, const char* name, bool three) {
    char file[64];
    snprintf(file, sizeof file, "clean/joints_%s.glb", name);
    char* path = write_to(model, bake, file);
    snModel* back = test_read_clean(path);
    check_file(model, bake, back);
    if (three) dump_frames(model, bake, back, path, name);
    free(path);
    return back;
}

// --------------------------------------------------------------------------------------------------- tests

static snModel* make_body(void) {
    snModel* model = NULL;
    snBodyDef def = {.vertex_target = 2000, .quads = true};
    assert_ok(sn_builtin_body(&def, NULL, &model, NULL));
    return model;
}

// Two clips, a fresh document and then the same through its source.
static void plays_fresh_and_through_a_source(void** state) {
    (void)state;
    snModel* model = make_body();
    TestFrames walk = test_frames_open(model, 0, 20.0f, TEST_FRAMES_DUAL);
    TestFrames bend = test_frames_open(model, 2, 8.0f, TEST_FRAMES_DUAL);
    snBakeClip clips[2] = {test_frames_clip(&walk), test_frames_clip(&bend)};
    snJointBake* bake = bake_create(model, clips, 2, 16, 4, false);
    snModel* back = round_trip(model, bake, "fresh", true);
    uint32_t joints = model->skeleton->joint_count;
    assert_int_equal(back->skeleton->joint_count >= joints + bake->helper_count, 1);
    for (uint32_t h = 0; h < bake->helper_count; h++) {
        uint32_t joint = sn_skeleton_find(back->skeleton, bake->helpers[h].name);
        assert_true(joint != SN_NONE);
        assert_string_equal(back->skeleton->names[back->skeleton->parents[joint]],
                            model->skeleton->names[bake->helpers[h].parent]);
    }
    uint32_t faces = 0;
    sn_mesh_count_faces(back->parts[0].mesh, NULL, &faces, NULL);
    assert_true(faces > 0 && back->settings == NULL); // quads survive
    sn_model_destroy(back);
    sn_joint_bake_destroy(bake);
    test_frames_close(&walk);
    test_frames_close(&bend);
    // The plain model through a file: then it has a source.
    char* path = strdup(test_out_path("joints_plain.glb"));
    assert_ok(sn_model_write(model, path, NULL, NULL));
    snModel* source = test_read_clean(path);
    TestFrames frames = test_frames_open(source, 0, 20.0f, TEST_FRAMES_DUAL);
    snBakeClip clip = test_frames_clip(&frames);
    bake = bake_create(source, &clip, 1, 16, 4, true);
    snModel* through = round_trip(source, bake, "source", true);
    assert_int_equal(through->clip_count, source->clip_count);
    assert_vec3_near(through->parts[0].mesh->normals[7], bake->parts[0].normals[7], 1e-6f);
    sn_model_destroy(through);
    sn_joint_bake_destroy(bake);
    test_frames_close(&frames);
    sn_model_destroy(source);
    sn_model_destroy(model);
    free(path);
}

// What the file shows, for three.js.
static void dump_shown(const snModel* back, snCharacter* character, uint32_t frames, float fps,
                       const char* path) {
    mkdir(test_out_path("three"), 0777);
    FILE* file = fopen(test_out_path("three/joints_both.json"), "w");
    assert_non_null(file);
    fprintf(file, "{\"file\":\"%s\",\"clip\":\"%s\",\"tolerance\":2e-5,\"frames\":[", path,
            back->clips[0]->name);
    for (uint32_t f = 0; f < frames; f += frames / 3) {
        float time = (float)f / fps;
        assert_ok(sn_character_pose_clip(character, 0, time, SN_WRAP_CLAMP));
        snSurface shown = sn_character_surface(character, 0);
        fprintf(file, "%s\n{\"time\":%.9g,\"parts\":[{\"name\":\"%s\",\"positions\":[", f > 0 ? "," : "",
                (double)time, back->parts[0].name);
        for (uint32_t v = 0; v < shown.vertex_count; v++)
            fprintf(file, "%s%.9g,%.9g,%.9g", v > 0 ? "," : "", (double)shown.positions[v].x,
                    (double)shown.positions[v].y, (double)shown.positions[v].z);
        fprintf(file, "]}]}");
    }
    fprintf(file, "]}\n");
    assert_int_equal(fclose(file), 0);
}

// Targets baked over the file with helpers go into one file with them.
static void targets_go_on_top(void** state) {
    (void)state;
    snModel* model = make_body();
    TestFrames frames = test_frames_open(model, 0, 12.0f, TEST_FRAMES_DUAL);
    snBakeClip clip = test_frames_clip(&frames);
    snJointBake* joints = bake_create(model, &clip, 1, 4, 4, false);
    char* path = write_to(model, joints, "clean/joints_below.glb");
    snModel* helped = test_read_clean(path);
    free(path);
    snMorphBakeDef def = test_frames_def(&frames);
    def.model = helped;
    def.tolerance = 5e-4f;
    def.influences = 0;
    snMorphBake* morphs = NULL;
    snError error = sn_error_none();
    if (sn_morph_bake_create(&def, NULL, &morphs, &error) != SN_RESULT_OK) fail_msg("%s", error.text);
    assert_true(joints->frames.worst > 1e-3 && morphs->target_count > 0);
    snWriteDef write = sn_write_def();
    write.joints = joints;
    write.morphs = morphs;
    path = strdup(test_out_path("clean/joints_both.glb"));
    if (sn_model_write(model, path, &write, &error) != SN_RESULT_OK) fail_msg("%s", error.text);
    snModel* back = test_read_clean(path);
    snCharacter* character = test_skin_character(back, SN_SKIN_LINEAR);
    snSurface wanted[4] = {0};
    for (uint32_t f = 0; f < clip.frame_count; f++) {
        assert_ok(test_frames_get(&frames, f, wanted));
        assert_ok(sn_character_pose_clip(character, 0, (float)f / clip.fps, SN_WRAP_CLAMP));
        snSurface shown = sn_character_surface(character, 0);
        for (uint32_t v = 0; v < shown.vertex_count; v++)
            assert_vec3_near(shown.positions[v], wanted[0].positions[v], 5.1e-4f);
    }
    dump_shown(back, character, clip.frame_count, clip.fps, path);
    sn_character_destroy(character);
    sn_model_destroy(back);
    sn_model_destroy(helped);
    sn_morph_bake_destroy(morphs);
    sn_joint_bake_destroy(joints);
    test_frames_close(&frames);
    sn_model_destroy(model);
    free(path);
}

static size_t size_of(const char* path) {
    struct stat info;
    assert_int_equal(stat(path, &info), 0);
    return (size_t)info.st_size;
}

// New weights go where the old ones were: a file grows by keys, nodes and matrices.
static void a_file_grows_by_its_keys(void** state) {
    (void)state;
    snModel* model = make_body();
    char* path = strdup(test_out_path("joints_before.glb"));
    assert_ok(sn_model_write(model, path, NULL, NULL));
    snModel* source = test_read_clean(path);
    TestFrames frames = test_frames_open(source, 0, 20.0f, TEST_FRAMES_DUAL);
    snBakeClip clip = test_frames_clip(&frames);
    snJointBake* bake = bake_create(source, &clip, 1, 8, 4, false);
    char* baked = write_to(source, bake, "joints_after.glb");
    size_t matrices = ((size_t)source->skins[0].joint_count + bake->helper_count) * sizeof(snMat4);
    size_t keys = (size_t)bake->helper_count * (clip.frame_count * 20 + 600);
    assert_true(size_of(baked) < size_of(path) + matrices + keys + 2000);
    free(baked);
    free(path);
    sn_joint_bake_destroy(bake);
    test_frames_close(&frames);
    sn_model_destroy(source);
    sn_model_destroy(model);
}

// A rigid part gets a skin of its own, a part with targets keeps them; eight influences are two sets.
static void plays_rigid_and_morphed_parts(void** state) {
    (void)state;
    snModel* model = NULL;
    assert_ok(sn_model_create(test_model_def(), NULL, &model, NULL));
    TestFrames frames = test_frames_open(model, 0, 16.0f, TEST_FRAMES_JELLY);
    snBakeClip clip = test_frames_clip(&frames);
    snJointBake* bake = bake_create(model, &clip, 1, 6, 8, false);
    snModel* back = round_trip(model, bake, "cubes", false);
    for (uint32_t p = 0; p < model->part_count; p++) {
        const snPart* part = &back->parts[find_part(back, model, p)];
        assert_true(part->skin != SN_NONE);
        assert_int_equal(part->morph_count, model->parts[p].morph_count);
    }
    sn_model_destroy(back);
    sn_joint_bake_destroy(bake);
    test_frames_close(&frames);
    sn_model_destroy(model);
}

// A skeleton a hundred times as large under a root that shrinks it, as exporters of other units write it.
static snModel* make_scaled(void) {
    snModel* model = make_body();
    snSkeleton* skeleton = model->skeleton;
    for (uint32_t j = 0; j < skeleton->joint_count; j++) {
        if (skeleton->parents[j] == SN_NONE)
            skeleton->rest[j].scale = sn_scale(skeleton->rest[j].scale, 0.01f);
        else
            skeleton->rest[j].translation = sn_scale(skeleton->rest[j].translation, 100.0f);
    }
    for (uint32_t c = 0; c < model->clip_count; c++) {
        for (uint32_t i = 0; i < model->clips[c]->channel_count; i++) {
            snChannel* channel = &model->clips[c]->channels[i];
            bool moves = channel->path == SN_PATH_TRANSLATION && skeleton->parents[channel->joint] != SN_NONE;
            for (size_t k = 0; k < (size_t)channel->key_count * 3 && moves; k++) channel->values[k] *= 100.0f;
        }
    }
    for (uint32_t j = 0; j < model->skins[0].joint_count; j++) {
        for (int k = 0; k < 15; k++)
            if (k % 4 != 3) model->skins[0].inverse_binds[j].m[k] *= 100.0f;
    }
    return model;
}

static void minds_inverse_binds_with_scale(void** state) {
    (void)state;
    snModel* model = make_scaled();
    TestFrames frames = test_frames_open(model, 0, 20.0f, TEST_FRAMES_DUAL);
    snBakeClip clip = test_frames_clip(&frames);
    snJointBake* bake = bake_create(model, &clip, 1, 16, 4, false);
    assert_true(bake->frames.rms < 0.3 * bake->plain.rms);
    snModel* back = round_trip(model, bake, "scaled", true);
    sn_model_destroy(back);
    sn_joint_bake_destroy(bake);
    test_frames_close(&frames);
    sn_model_destroy(model);
}

// Frames without a clip become one of their own.
static void a_baked_pose_is_a_clip(void** state) {
    (void)state;
    snModel* model = make_body();
    TestFrames frames = test_frames_open(model, SN_CLIP_REST, 12.0f, TEST_FRAMES_JELLY);
    snBakeClip clip = test_frames_clip(&frames);
    snJointBake* bake = bake_create(model, &clip, 1, 8, 4, false);
    snModel* back = round_trip(model, bake, "rest", false);
    assert_int_equal(sn_model_find_clip(back, "baked"), 0);
    assert_int_equal(back->clip_count, model->clip_count + 1);
    sn_model_destroy(back);
    sn_joint_bake_destroy(bake);
    test_frames_close(&frames);
    sn_model_destroy(model);
}

static void refuses_what_does_not_fit(void** state) {
    (void)state;
    snModel* model = make_body();
    snModel* other = NULL;
    assert_ok(sn_model_create(test_model_def(), NULL, &other, NULL));
    TestFrames frames = test_frames_open(model, 0, 8.0f, TEST_FRAMES_DUAL);
    snBakeClip clip = test_frames_clip(&frames);
    snJointBake* bake = bake_create(model, &clip, 1, 2, 4, false);
    snWriteDef def = sn_write_def();
    def.joints = bake;
    assert_int_equal(sn_model_write(other, test_out_path("no.glb"), &def, NULL), SN_RESULT_INVALID_ARGUMENT);
    assert_int_equal(sn_model_write(model, test_out_path("no.obj"), &def, NULL), SN_RESULT_UNSUPPORTED);
    assert_int_equal(sn_model_write(model, test_out_path("no.bvh"), &def, NULL), SN_RESULT_UNSUPPORTED);
    sn_joint_bake_destroy(bake);
    test_frames_close(&frames);
    sn_model_destroy(other);
    sn_model_destroy(model);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plays_fresh_and_through_a_source),
        cmocka_unit_test(a_file_grows_by_its_keys),
        cmocka_unit_test(targets_go_on_top),
        cmocka_unit_test(plays_rigid_and_morphed_parts),
        cmocka_unit_test(minds_inverse_binds_with_scale),
        cmocka_unit_test(a_baked_pose_is_a_clip),
        cmocka_unit_test(refuses_what_does_not_fit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
