// A deformed character frame by frame as a point cache on its mesh, for tests/io/blender_pc2.py to open.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "io_support.h"
#include "rigs.h"

enum { FRAMES = 25 };

static snModel* make_model(void) {
    snTubeDef def = sn_tube_def();
    snModel* model = NULL;
    assert_ok(sn_builtin_tube(&def, NULL, &model, NULL));
    return model;
}

static void deform(const snModel* model, snVec3* points) {
    snCharacterDef def = sn_character_def();
    def.model = model;
    snCharacter* character = NULL;
    assert_ok(sn_character_create(&def, NULL, &character, NULL));
    uint32_t clip = sn_model_find_clip(model, "bend");
    uint32_t count = model->parts[0].mesh->vertex_count;
    for (uint32_t f = 0; f < FRAMES; f++) {
        float time = model->clips[clip]->duration * (float)f / FRAMES;
        assert_ok(sn_character_pose_clip(character, clip, time, SN_WRAP_CLAMP));
        memcpy(points + (size_t)f * count, sn_character_surface(character, 0).positions,
               count * sizeof *points);
    }
    sn_character_destroy(character);
}

// As text, so that what Blender is compared with does not come through the cache itself.
static void write_text(const char* path, const snVec3* points, uint32_t count) {
    FILE* stream = fopen(path, "w");
    assert_non_null(stream);
    fprintf(stream, "%u %u\n", FRAMES, count);
    for (size_t i = 0; i < (size_t)FRAMES * count; i++) {
        fprintf(stream, "%.9g %.9g %.9g\n", (double)points[i].x, (double)points[i].y, (double)points[i].z);
    }
    assert_int_equal(fclose(stream), 0);
}

static void frames_become_a_cache_on_the_mesh(void** state) {
    (void)state;
    snModel* model = make_model();
    uint32_t count = model->parts[0].mesh->vertex_count;
    snVec3* points = malloc((size_t)FRAMES * count * sizeof *points);
    assert_non_null(points);
    deform(model, points);
    assert_true(sn_distance(points[count - 1], points[FRAMES / 2 * count + count - 1]) > 1.0f); // it bends
    mkdir(test_out_path("pc2"), 0777);
    assert_ok(sn_model_write(model, test_out_path("pc2/tube.obj"), NULL, NULL));
    snPointCache cache = {.point_count = count, .frame_count = FRAMES, .fps = 25, .points = points};
    assert_ok(sn_point_cache_write(&cache, test_out_path("pc2/tube.pc2"), NULL));
    assert_ok(sn_point_cache_write(&cache, test_out_path("pc2/tube.mdd"), NULL));
    write_text(test_out_path("pc2/tube.txt"), points, count);
    free(points);
    sn_model_destroy(model);
}

// A character of several meshes: each has its own cache, on its own object of the OBJ.
static void every_mesh_has_its_cache(void** state) {
    (void)state;
    snModel* model = NULL;
    assert_ok(sn_model_create(test_model_def(), NULL, &model, NULL));
    snCharacterDef def = sn_character_def();
    def.model = model;
    snCharacter* character = NULL;
    assert_ok(sn_character_create(&def, NULL, &character, NULL));
    mkdir(test_out_path("pc2"), 0777);
    assert_ok(sn_model_write(model, test_out_path("pc2/parts.obj"), NULL, NULL));
    for (uint32_t p = 0; p < model->part_count; p++) {
        uint32_t count = model->parts[p].mesh->vertex_count;
        snVec3* points = malloc((size_t)FRAMES * count * sizeof *points);
        assert_non_null(points);
        for (uint32_t f = 0; f < FRAMES; f++) {
            float time = model->clips[0]->duration * (float)f / FRAMES;
            assert_ok(sn_character_pose_clip(character, 0, time, SN_WRAP_CLAMP));
            memcpy(points + (size_t)f * count, sn_character_surface(character, p).positions,
                   count * sizeof *points);
        }
        char path[64];
        snPointCache cache = {.point_count = count, .frame_count = FRAMES, .fps = 25, .points = points};
        snprintf(path, sizeof path, "pc2/parts.%s.pc2", model->parts[p].name);
        assert_ok(sn_point_cache_write(&cache, test_out_path(path), NULL));
        snprintf(path, sizeof path, "pc2/parts.%s.txt", model->parts[p].name);
        write_text(test_out_path(path), points, count);
        free(points);
    }
    sn_character_destroy(character);
    sn_model_destroy(model);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(frames_become_a_cache_on_the_mesh),
                                       cmocka_unit_test(every_mesh_has_its_cache)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
