// Morph targets over the plain skin in glTF files: written, read again and played, the frames come back
// within the reported error. What is written here also goes before the validator and before three.js.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "frames.h"
#include "io_support.h"
#include "rigs.h"

static bool compressed; // what is written from now on

static char* write_to(const snModel* model, const snMorphBake* bake, const char* name) {
    snWriteDef def = sn_write_def();
    def.compress = compressed;
    def.morphs = bake;
    return test_write(model, name, &def);
}

static uint32_t find_baked(const snModel* back, const snModel* model, const snMorphBake* bake,
                           uint32_t part) {
    uint32_t joint = bake->parts[part].joint;
    const char* name = model->parts[part].name;
    return test_find_part(back, name, joint != SN_NONE ? model->skeleton->names[joint] : name);
}

static float size_of(const TestFrames* frames) {
    snBounds all = sn_bounds_empty();
    for (uint32_t p = 0; p < frames->model->part_count; p++) {
        for (uint32_t v = 0; v < frames->model->parts[p].mesh->vertex_count; v++)
            all = sn_bounds_add(all, frames->positions[p][v]);
    }
    return sn_bounds_diagonal(all);
}

static const char* clip_name(const snModel* model, const snMorphBake* bake) {
    return bake->clip != SN_CLIP_REST ? model->clips[bake->clip]->name : "morph";
}

// Plays the file with nothing but the plain skin and compares every frame. A file's vertices begin with the
// mesh's own.
static void check_file(TestFrames* frames, const snMorphBake* bake, const snModel* back) {
    snCharacter* character = test_skin_character(back, SN_SKIN_LINEAR);
    snSurface surfaces[8] = {0};
    double worst = 0.0;
    uint32_t clip = sn_model_find_clip(back, clip_name(frames->model, bake));
    assert_true(clip != SN_NONE || bake->target_count == 0);
    for (uint32_t f = 0; f < bake->frame_count; f++) {
        assert_ok(test_frames_get(frames, f, surfaces));
        assert_ok(sn_character_pose_clip(character, clip, (float)f / bake->fps, SN_WRAP_CLAMP));
        for (uint32_t p = 0; p < bake->part_count; p++) {
            snSurface shown = sn_character_surface(character, find_baked(back, frames->model, bake, p));
            assert_true(shown.vertex_count >= surfaces[p].vertex_count);
            for (uint32_t v = 0; v < surfaces[p].vertex_count; v++)
                worst = fmax(worst, (double)sn_distance(shown.positions[v], surfaces[p].positions[v]));
        }
    }
    assert_true(worst <= bake->worst_error + 1e-5 * (double)size_of(frames));
    sn_character_destroy(character);
}

// ------------------------------------------------------------------------------------------ for three.js

// Frames as JSON beside the file: what a viewer must show, and how far off it may be.
static void dump_frames(TestFrames* frames, const snMorphBake* bake, const snModel* back, const char* path,
                        const char* name) {
    mkdir(test_out_path("three"), 0777);
    char json[512];
    snprintf(json, sizeof json, "%s/%s.json", test_out_path("three"), name);
    FILE* file = fopen(json, "w");
    assert_non_null(file);
    snSurface surfaces[8] = {0};
    const uint32_t last = bake->frame_count - 1;
    const uint32_t shown[] = {0, 1, last / 3, last / 2, 2 * last / 3, last};
    assert_ok(test_frames_get(frames, 0, surfaces));
    fprintf(file, "{\"file\":\"%s\",\"clip\":\"%s\",\"tolerance\":%.9g,\"frames\":[", path,
            clip_name(frames->model, bake), bake->worst_error + 1e-5 * (double)size_of(frames));
    for (size_t i = 0; i < sizeof shown / sizeof shown[0]; i++) {
        assert_ok(test_frames_get(frames, shown[i], surfaces));
        fprintf(file, "%s\n{\"time\":%.9g,\"parts\":[", i > 0 ? "," : "",
                (double)((float)shown[i] / bake->fps));
        for (uint32_t p = 0; p < bake->part_count; p++) {
            uint32_t part = find_baked(back, frames->model, bake, p);
            fprintf(file, "%s{\"name\":\"%s\",\"positions\":[", p > 0 ? "," : "", back->parts[part].name);
            for (uint32_t v = 0; v < surfaces[p].vertex_count; v++) {
                snVec3 x = surfaces[p].positions[v];
                fprintf(file, "%s%.9g,%.9g,%.9g", v > 0 ? "," : "", (double)x.x, (double)x.y, (double)x.z);
            }
            fprintf(file, "]}");
        }
        fprintf(file, "]}");
    }
    fprintf(file, "]}\n");
    assert_int_equal(fclose(file), 0);
}

// Bakes, writes, reads, plays; `name` goes to the validator and to three.js.
static snModel* round_trip_as(const snModel* model, uint32_t clip, float fps, TestFramesKind kind,
                              snMorphSpace space, bool rounded, bool normals, const char* name) {
    TestFrames frames = test_frames_open(model, clip, fps, kind);
    snMorphBakeDef def = test_frames_def(&frames);
    def.rounded = rounded;
    def.no_normals = !normals;
    snMorphBake* bake = test_morph_bake(&def);
    char file[64];
    // The validator does not know how to unpack.
    snprintf(file, sizeof file, "%s/morph_%s.glb", compressed ? "packed" : "clean", name);
    assert_int_equal(bake->space, space);
    assert_true(bake->target_count > 0 && bake->worst_error <= (double)bake->tolerance);
    char* path = write_to(model, bake, file);
    snModel* back = test_read_clean(path);
    check_file(&frames, bake, back);
    dump_frames(&frames, bake, back, path, name);
    free(path);
    sn_morph_bake_destroy(bake);
    test_frames_close(&frames);
    return back;
}

static snModel* round_trip(const snModel* model, uint32_t clip, float fps, TestFramesKind kind,
                           snMorphSpace space, const char* name) {
    return round_trip_as(model, clip, fps, kind, space, false, true, name);
}

// ------------------------------------------------------------------------------------------------- tests

static snModel* make_body(void) {
    snModel* model = NULL;
    snBodyDef def = {.vertex_target = 3000, .quads = true};
    assert_ok(sn_builtin_body(&def, NULL, &model, NULL));
    return model;
}

// The other clips move the plain skin as before.
static void check_other_clips(const snModel* model, const snModel* back, uint32_t baked) {
    snCharacter* before = test_skin_character(model, SN_SKIN_LINEAR);
    snCharacter* after = test_skin_character(back, SN_SKIN_LINEAR);
    assert_int_equal(back->clip_count, model->clip_count);
    for (uint32_t c = 0; c < model->clip_count; c++) {
        if (c == baked) continue;
        uint32_t same = sn_model_find_clip(back, model->clips[c]->name);
        assert_ok(sn_character_pose_clip(before, c, 0.4f, SN_WRAP_CLAMP));
        assert_ok(sn_character_pose_clip(after, same, 0.4f, SN_WRAP_CLAMP));
        snSurface a = sn_character_surface(before, 0), b = sn_character_surface(after, 0);
        float size = sn_bounds_diagonal(sn_bounds_of(a.positions, a.vertex_count));
        for (uint32_t v = 0; v < a.vertex_count; v++)
            assert_vec3_near(a.positions[v], b.positions[v], 1e-5f * size);
    }
    sn_character_destroy(before);
    sn_character_destroy(after);
}

static void fresh_file_plays_in_bind_space(void** state) {
    (void)state;
    snModel* model = make_body();
    uint32_t walk = sn_model_find_clip(model, "walk");
    snModel* back = round_trip(model, walk, 30.0f, TEST_FRAMES_DUAL, SN_MORPH_BIND, "body");
    assert_true(back->parts[0].skin != SN_NONE);
    assert_true(back->parts[0].morph_count > 0 && back->parts[0].morph_count < 20);
    assert_string_equal(back->parts[0].morphs[0].name, "sinew 1");
    assert_non_null(back->parts[0].morphs[0].normals);
    uint32_t faces = 0;
    sn_mesh_count_faces(back->parts[0].mesh, NULL, &faces, NULL);
    assert_true(faces > 0); // quads survive
    check_other_clips(model, back, walk);
    sn_model_destroy(back);
    sn_model_destroy(model);
}

static long size_of_file(const char* name) {
    char path[64];
    snprintf(path, sizeof path, "%s/morph_%s.glb", compressed ? "packed" : "clean", name);
    struct stat found;
    assert_int_equal(stat(test_out_path(path), &found), 0);
    return (long)found.st_size;
}

// Viewers clamp to 0 and 1.
static void check_weights_of_clips(const snModel* model) {
    uint32_t keys = 0;
    for (uint32_t c = 0; c < model->clip_count; c++) {
        for (uint32_t i = 0; i < model->clips[c]->channel_count; i++) {
            const snChannel* channel = &model->clips[c]->channels[i];
            if (channel->path != SN_PATH_MORPH) continue;
            for (uint32_t k = 0; k < channel->key_count * channel->width; k++, keys++)
                assert_true(channel->values[k] >= 0.0f && channel->values[k] <= 1.0f);
        }
    }
    assert_true(keys > 0);
}

// Targets in 16 bits, sparse where they are local, play as they were measured, in less than two thirds of the
// bytes; without normals in less than half.
static void rounded_targets_are_small(void** state) {
    (void)state;
    snModel* model = make_body();
    uint32_t walk = sn_model_find_clip(model, "walk");
    snModel* files[] = {
        round_trip_as(model, walk, 30.0f, TEST_FRAMES_DUAL, SN_MORPH_BIND, false, true, "full"),
        round_trip_as(model, walk, 30.0f, TEST_FRAMES_DUAL, SN_MORPH_BIND, true, true, "rounded"),
        round_trip_as(model, walk, 30.0f, TEST_FRAMES_DUAL, SN_MORPH_BIND, true, false, "bare"), NULL};
    files[3] =
        round_trip_as(files[0], 0, 10.0f, TEST_FRAMES_JELLY, SN_MORPH_BIND, true, true, "rounded_again");
    for (int i = 0; i < 4; i++) check_weights_of_clips(files[i]);
    assert_null(files[2]->parts[0].morphs[0].normals);
    assert_true(3 * size_of_file("rounded") < 2 * size_of_file("full"));
    assert_true(2 * size_of_file("bare") < size_of_file("full"));
    for (int i = 0; i < 4; i++) sn_model_destroy(files[i]);
    sn_model_destroy(model);
}

static bool can_compress(const snModel* model) {
    snWriteDef def = sn_write_def();
    def.compress = true;
    snBytes bytes = {0};
    snError error = sn_error_none();
    snResult result = sn_model_write_memory(model, "x.glb", &def, NULL, &bytes, &error);
    if (result == SN_RESULT_UNSUPPORTED) assert_non_null(strstr(error.text, "libmeshoptimizer-dev"));
    sn_bytes_free(&bytes);
    return result == SN_RESULT_OK;
}

static void assert_same_parts(const snModel* a, const snModel* b) {
    for (uint32_t p = 0; p < a->part_count; p++) {
        const snPart *x = &a->parts[p], *y = &b->parts[p];
        size_t vertices = x->mesh->vertex_count;
        assert_int_equal(vertices, y->mesh->vertex_count);
        assert_memory_equal(x->mesh->positions, y->mesh->positions, vertices * sizeof(snVec3));
        assert_memory_equal(x->mesh->corners, y->mesh->corners, x->mesh->corner_count * sizeof(uint32_t));
        assert_memory_equal(x->weights.weights, y->weights.weights,
                            vertices * x->weights.influences * sizeof(float));
        assert_int_equal(x->morph_count, y->morph_count);
        for (uint32_t m = 0; m < x->morph_count; m++)
            assert_memory_equal(x->morphs[m].positions, y->morphs[m].positions, vertices * sizeof(snVec3));
    }
}

// Packed files are smaller, play the same, and come back bit for bit, polygons included; written again
// without packing they are as if they had never been packed.
static void packed_files_lose_nothing(void** state) {
    (void)state;
    snModel* model = make_body();
    uint32_t walk = sn_model_find_clip(model, "walk");
    if (!can_compress(model)) {
        sn_model_destroy(model);
        test_skip("no meshoptimizer (libmeshoptimizer-dev)");
    }
    snModel* plain =
        round_trip_as(model, walk, 30.0f, TEST_FRAMES_DUAL, SN_MORPH_BIND, true, true, "unpacked");
    long size = size_of_file("unpacked");
    compressed = true;
    snModel* packed =
        round_trip_as(model, walk, 30.0f, TEST_FRAMES_DUAL, SN_MORPH_BIND, true, true, "packed");
    assert_true(5 * size_of_file("packed") < 4 * size);
    assert_same_parts(plain, packed);
    compressed = false;
    char* path = write_to(packed, NULL, "clean/morph_packed_again.glb");
    snModel* again = test_read_clean(path);
    assert_same_parts(plain, again);
    free(path);
    sn_model_destroy(again);
    sn_model_destroy(packed);
    sn_model_destroy(plain);
    sn_model_destroy(model);
}

// Eight influences would be four and something missing in most viewers.
static void eight_influences_become_four(void** state) {
    (void)state;
    snModel* model = make_body();
    snBindDef bind = sn_bind_def();
    bind.influences = 8;
    bind.cells = 16;
    assert_ok(sn_model_bind(model, &bind, NULL, NULL));
    uint32_t walk = sn_model_find_clip(model, "walk");
    snModel* back = round_trip(model, walk, 20.0f, TEST_FRAMES_DUAL, SN_MORPH_BIND, "eight");
    assert_int_equal(back->parts[0].weights.influences, 4);
    char* path = write_to(model, NULL, "clean/morph_eight_before.glb");
    snModel* source = test_read_clean(path);
    assert_int_equal(source->parts[0].weights.influences, 8);
    snModel* again = round_trip(source, walk, 20.0f, TEST_FRAMES_DUAL, SN_MORPH_BIND, "eight_source");
    assert_int_equal(again->parts[0].weights.influences, 4);
    assert_null(again->binding); // else it would be deformed twice
    free(path);
    sn_model_destroy(again);
    sn_model_destroy(source);
    sn_model_destroy(back);
    sn_model_destroy(model);
}

// What all this is for: a bound body with volume and flesh.
static void flesh_plays(void** state) {
    (void)state;
    snModel* model = make_body();
    snBindDef bind = sn_bind_def();
    bind.cells = 16;
    assert_ok(sn_model_bind(model, &bind, NULL, NULL));
    uint32_t jump = sn_model_find_clip(model, "jump");
    snModel* back = round_trip(model, jump, 30.0f, TEST_FRAMES_FLESH, SN_MORPH_BIND, "flesh");
    assert_null(back->binding); // else flesh would move twice
    check_other_clips(model, back, jump);
    sn_model_destroy(back);
    sn_model_destroy(model);
}

static void source_file_plays_in_bind_space(void** state) {
    (void)state;
    snModel* model = make_body();
    char* path = write_to(model, NULL, "clean/morph_before.glb");
    snModel* source = test_read_clean(path);
    uint32_t bend = sn_model_find_clip(source, "bend");
    snModel* back = round_trip(source, bend, 30.0f, TEST_FRAMES_JELLY, SN_MORPH_BIND, "source");
    assert_true(back->parts[0].skin != SN_NONE);
    uint32_t faces = 0;
    sn_mesh_count_faces(back->parts[0].mesh, NULL, &faces, NULL);
    assert_true(faces > 0);
    assert_int_equal(back->skeleton->joint_count, source->skeleton->joint_count);
    check_other_clips(source, back, bend);
    free(path);
    sn_model_destroy(back);
    sn_model_destroy(source);
    sn_model_destroy(model);
}

// Joints that are flat in some frame.
static void flat_is_written_without_skin(void** state) {
    (void)state;
    snModel* model = test_flattened_tube(10.0f);
    uint32_t clip = sn_model_find_clip(model, "flat");
    snModel* back = round_trip(model, clip, 24.0f, TEST_FRAMES_DUAL, SN_MORPH_ROOT, "twist");
    assert_int_equal(back->parts[0].skin, SN_NONE);
    char* path = write_to(model, NULL, "clean/morph_twist_before.glb");
    snModel* source = test_read_clean(path);
    clip = sn_model_find_clip(source, "flat");
    snModel* again = round_trip(source, clip, 24.0f, TEST_FRAMES_DUAL, SN_MORPH_ROOT, "twist_source");
    assert_int_equal(again->parts[0].skin, SN_NONE);
    // Quads are known of the mean shape, too.
    assert_int_equal(again->parts[0].mesh->face_count, model->parts[0].mesh->face_count);
    // It hangs below the root joint, which carries it along.
    assert_int_equal(again->skeleton->parents[again->parts[0].joint],
                     sn_skeleton_find(again->skeleton, model->skeleton->names[0]));
    assert_int_equal(again->clip_count, model->clip_count);
    free(path);
    sn_model_destroy(again);
    sn_model_destroy(source);
    sn_model_destroy(back);
    sn_model_destroy(model);
}

// Own targets of a part are replaced, with their animation; a part without need keeps what it has.
static void replaces_own_targets(void** state) {
    (void)state;
    snModel* model = NULL;
    assert_ok(sn_model_create(test_model_def(), NULL, &model, NULL));
    snModel* back = round_trip(model, 0, 10.0f, TEST_FRAMES_DUAL, SN_MORPH_BIND, "parts");
    uint32_t soft = test_find_part(back, "soft", "soft"), hard = test_find_part(back, "hard", "tip");
    assert_string_equal(back->parts[soft].morphs[0].name, "sinew 1");
    assert_int_equal(back->parts[hard].morph_count, 0);
    sn_model_destroy(back);
    // A rigid part on a joint of a skin, too.
    back = round_trip(model, 0, 10.0f, TEST_FRAMES_JELLY, SN_MORPH_BIND, "parts_jelly");
    assert_true(back->parts[test_find_part(back, "hard", "hard")].morph_count > 0);
    sn_model_destroy(back);
    char* plain = write_to(model, NULL, "clean/morph_parts_before.glb");
    snModel* source = test_read_clean(plain);
    back = round_trip(source, 0, 10.0f, TEST_FRAMES_JELLY, SN_MORPH_BIND, "parts_source");
    free(plain);
    sn_model_destroy(back);
    sn_model_destroy(source);
    TestFrames frames = test_frames_open(model, 0, 10.0f, TEST_FRAMES_PLAIN);
    snMorphBakeDef def = test_frames_def(&frames);
    snMorphBake* bake = test_morph_bake(&def);
    char* path = write_to(model, bake, "clean/morph_kept.glb");
    back = test_read_clean(path);
    check_file(&frames, bake, back);
    assert_string_equal(back->parts[test_find_part(back, "soft", "soft")].morphs[0].name, "deep");
    free(path);
    sn_morph_bake_destroy(bake);
    test_frames_close(&frames);
    sn_model_destroy(back);
    sn_model_destroy(model);
}

// A document with a target, its animation, a mesh without normals and a default weight.
static void replaces_targets_of_a_document(void** state) {
    (void)state;
    TestFile chunk = test_quad_chunk();
    TestFile file = test_glb(test_quad_json, chunk.data, chunk.size);
    snModel* source = test_read("quad.glb", file.data, file.size, NULL);
    for (int kind = TEST_FRAMES_PLAIN; kind <= TEST_FRAMES_JELLY; kind += TEST_FRAMES_JELLY) {
        TestFrames frames = test_frames_open(source, 0, 12.0f, (TestFramesKind)kind);
        snMorphBakeDef def = test_frames_def(&frames);
        snMorphBake* bake = test_morph_bake(&def);
        char* path = write_to(
            source, bake, kind == TEST_FRAMES_JELLY ? "clean/morph_quad.glb" : "clean/morph_quad_kept.glb");
        snModel* back = test_read_clean(path);
        check_file(&frames, bake, back);
        assert_string_equal(back->parts[0].morphs[0].name, kind == TEST_FRAMES_JELLY ? "sinew 1" : "smile");
        assert_string_equal(back->materials[0].name, "red");
        assert_int_equal(back->clip_count, 1);
        free(path);
        sn_model_destroy(back);
        sn_morph_bake_destroy(bake);
        test_frames_close(&frames);
    }
    sn_model_destroy(source);
    test_file_free(&file);
    test_file_free(&chunk);
}

// Without a clip the file gets one of weights alone.
static void makes_a_clip_where_there_is_none(void** state) {
    (void)state;
    snModel* model = NULL;
    assert_ok(sn_builtin_cube(1.0f, 4, true, NULL, &model, NULL));
    TestFrames frames = test_frames_open(model, SN_CLIP_REST, 12.0f, TEST_FRAMES_FIELDS);
    snMorphBakeDef def = test_frames_def(&frames);
    snMorphBake* bake = test_morph_bake(&def);
    char* path = write_to(model, bake, "clean/morph_cube.glb");
    snModel* back = test_read_clean(path);
    assert_int_equal(back->clip_count, 1);
    assert_string_equal(back->clips[0]->name, "morph");
    check_file(&frames, bake, back);
    // The same through a document, in other units.
    snModel* source = NULL;
    snReadDef read = sn_read_def();
    read.unit = 0.01f;
    char* plain = write_to(model, NULL, "clean/morph_cube_before.glb");
    assert_ok(sn_model_read(plain, &read, &source, NULL));
    TestFrames small = test_frames_open(source, SN_CLIP_REST, 12.0f, TEST_FRAMES_FIELDS);
    small.size = 0.5f;
    def = test_frames_def(&small);
    snMorphBake* again = test_morph_bake(&def);
    char* scaled = write_to(source, again, "clean/morph_cube_scaled.glb");
    snModel* result = NULL;
    assert_ok(sn_model_read(scaled, &read, &result, NULL));
    assert_true(again->target_count > 0);
    check_file(&small, again, result);
    test_frames_close(&frames);
    test_frames_close(&small);
    sn_morph_bake_destroy(bake);
    sn_morph_bake_destroy(again);
    snModel* models[] = {model, back, source, result};
    for (int i = 0; i < 4; i++) sn_model_destroy(models[i]);
    char* paths[] = {path, plain, scaled};
    for (int i = 0; i < 3; i++) free(paths[i]);
}

// Seams split vertices of a fresh file, polygons and groups stay; and stay when it is baked once more.
static void polygons_and_seams_stay(void** state) {
    (void)state;
    static const char patched[] =
        "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 2 0 0\nv 2 1 0\nv 3 0 0\nvt 0 0\nvt 1 0\nvt 1 1\n"
        "vt 0 1\nvt 0.25 0.25\ng left\nf 1/1 2/2 3/3 4/4\ng right\nf 2/5 5/2 6/3 3/4\ng left\n"
        "f 5/1 7/2 6/3\n";
    snModel* model = test_read("patched.obj", patched, strlen(patched), NULL);
    snModel* once = round_trip(model, SN_CLIP_REST, 12.0f, TEST_FRAMES_FIELDS, SN_MORPH_BIND, "patched");
    assert_int_equal(once->parts[0].mesh->face_count, 3);
    assert_true(once->parts[0].mesh->vertex_count > model->parts[0].mesh->vertex_count);
    snModel* twice = round_trip(once, 0, 12.0f, TEST_FRAMES_JELLY, SN_MORPH_BIND, "patched_again");
    assert_int_equal(twice->parts[0].mesh->face_count, 3);
    assert_string_equal(twice->parts[0].mesh->group_names[1], "right");
    assert_int_equal(twice->clip_count, 1);
    snModel* models[] = {model, once, twice};
    for (int i = 0; i < 3; i++) sn_model_destroy(models[i]);
}

// A real character: three clips, no normals, seams, hundreds of units tall.
static void fox_plays(void** state) {
    (void)state;
    const char* path = test_data_path("characters/Fox.glb");
    snModel* source = test_read_clean(path);
    uint32_t run = sn_model_find_clip(source, "Run");
    snModel* back = round_trip(source, run, 24.0f, TEST_FRAMES_DUAL, SN_MORPH_BIND, "fox");
    check_other_clips(source, back, run);
    sn_model_destroy(back);
    sn_model_destroy(source);
}

static void same_bytes_for_any_number_of_workers(void** state) {
    (void)state;
    snModel* model = make_body();
    TestFrames frames = test_frames_open(model, sn_model_find_clip(model, "jump"), 15.0f, TEST_FRAMES_DUAL);
    snMorphBakeDef def = test_frames_def(&frames);
    TestFile files[2];
    for (uint32_t i = 0; i < 2; i++) {
        snPool* pool = NULL;
        assert_ok(sn_pool_create(i == 0 ? 1 : 8, &pool));
        def.tasks = sn_pool_tasks(pool);
        snMorphBake* bake = test_morph_bake(&def);
        char* path = write_to(model, bake, i == 0 ? "morph_1.glb" : "morph_8.glb");
        files[i] = test_load(path);
        free(path);
        sn_morph_bake_destroy(bake);
        sn_pool_destroy(pool);
    }
    assert_int_equal(files[0].size, files[1].size);
    assert_memory_equal(files[0].data, files[1].data, files[0].size);
    for (int i = 0; i < 2; i++) test_file_free(&files[i]);
    test_frames_close(&frames);
    sn_model_destroy(model);
}

// ------------------------------------------------------------------------------------------------- errors

static void refuses_morphs_of_another_model(void** state) {
    (void)state;
    snModel* model = NULL;
    assert_ok(sn_model_create(test_model_def(), NULL, &model, NULL));
    TestFrames frames = test_frames_open(model, 0, 10.0f, TEST_FRAMES_JELLY);
    snMorphBakeDef bake_def = test_frames_def(&frames);
    snMorphBake* bake = test_morph_bake(&bake_def);
    snWriteDef def = sn_write_def();
    def.morphs = bake;
    const char* path = test_out_path("refused.glb");
    bake->clip = 1;
    assert_int_equal(sn_model_write(model, path, &def, NULL), SN_RESULT_INVALID_ARGUMENT);
    bake->clip = 0;
    bake->parts[1].vertex_count--;
    assert_int_equal(sn_model_write(model, path, &def, NULL), SN_RESULT_INVALID_ARGUMENT);
    bake->parts[1].vertex_count++;
    bake->part_count--;
    assert_int_equal(sn_model_write(model, path, &def, NULL), SN_RESULT_INVALID_ARGUMENT);
    bake->part_count++;
    assert_ok(sn_model_write(model, path, &def, NULL));
    sn_morph_bake_destroy(bake);
    test_frames_close(&frames);
    sn_model_destroy(model);
}

static snResult build(const snAllocator* allocator, void* context) {
    const TestFile* file = context;
    snModel* model = NULL;
    snReadDef read = sn_read_def();
    read.allocator = allocator;
    snResult result = file != NULL
                          ? sn_model_read_memory("quad.glb", file->data, file->size, &read, &model, NULL)
                          : sn_model_create(test_model_def(), allocator, &model, NULL);
    if (result != SN_RESULT_OK) return result;
    TestFrames frames = test_frames_open(model, 0, 8.0f, TEST_FRAMES_JELLY);
    snMorphBakeDef def = test_frames_def(&frames);
    snMorphBake* bake = test_morph_bake(&def);
    snWriteDef write = sn_write_def();
    write.morphs = bake;
    result = sn_model_write(model, test_out_path("memory_morph.glb"), &write, NULL);
    sn_morph_bake_destroy(bake);
    test_frames_close(&frames);
    sn_model_destroy(model);
    return result;
}

static void survives_every_failing_allocation(void** state) {
    (void)state;
    TestFile chunk = test_quad_chunk();
    TestFile file = test_glb(test_quad_json, chunk.data, chunk.size);
    test_every_allocation(build, NULL);
    test_every_allocation(build, &file);
    test_file_free(&file);
    test_file_free(&chunk);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fresh_file_plays_in_bind_space),
        cmocka_unit_test(rounded_targets_are_small),
        cmocka_unit_test(packed_files_lose_nothing),
        cmocka_unit_test(eight_influences_become_four),
        cmocka_unit_test(flesh_plays),
        cmocka_unit_test(source_file_plays_in_bind_space),
        cmocka_unit_test(flat_is_written_without_skin),
        cmocka_unit_test(replaces_own_targets),
        cmocka_unit_test(replaces_targets_of_a_document),
        cmocka_unit_test(makes_a_clip_where_there_is_none),
        cmocka_unit_test(polygons_and_seams_stay),
        cmocka_unit_test(fox_plays),
        cmocka_unit_test(same_bytes_for_any_number_of_workers),
        cmocka_unit_test(refuses_morphs_of_another_model),
        cmocka_unit_test(survives_every_failing_allocation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
