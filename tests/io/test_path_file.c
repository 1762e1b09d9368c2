// Paths, terrain and keyframes in files.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io_support.h"
#include "picture.h"
#include "shapes.h"

typedef struct Scene {
    snMesh* mesh;
    snHandles* handles;
    snHandlePose* poses[2];
    snPathReadDef def;
} Scene;

static int open_scene(void** state) {
    static const uint32_t foot[] = {0, 1}, hand[] = {20, 24};
    const snHandleDef list[] = {
        {.name = "left_foot", .vertex_count = 2, .vertices = foot, .confidence = 1.0f},
        {.name = "right_foot", .vertex_count = 2, .vertices = hand, .center = {1, 2, 3}, .confidence = 1.0f}};
    Scene* scene = calloc(1, sizeof *scene);
    assert_non_null(scene);
    scene->mesh = test_grid(4);
    snHandlesDef def = {scene->mesh, 2, list};
    assert_ok(sn_handles_create(&def, NULL, &scene->handles, NULL));
    for (int p = 0; p < 2; p++) {
        snHandlePoseDef pose = {.name = p == 0 ? "bow" : "wave"};
        assert_ok(sn_handle_pose_create(&pose, scene->handles, NULL, &scene->poses[p], NULL));
    }
    scene->def = sn_path_read_def();
    scene->def.handles = scene->handles;
    scene->def.ground = -0.5f;
    scene->def.pose_count = 2;
    scene->def.poses = (const snHandlePose* const*)scene->poses;
    *state = scene;
    return 0;
}

static int close_scene(void** state) {
    Scene* scene = *state;
    for (int p = 0; p < 2; p++) sn_handle_pose_destroy(scene->poses[p]);
    sn_handles_destroy(scene->handles);
    sn_mesh_destroy(scene->mesh);
    free(scene);
    return 0;
}

static snPathFile* read_text(const Scene* scene, const char* text) {
    snPathFile* file = NULL;
    snError error = sn_error_none();
    if (sn_path_file_read_memory("t.json", text, strlen(text), &scene->def, &file, &error) != SN_RESULT_OK)
        fail_msg("%s", error.text);
    return file;
}

static void paths_are_read(void** state) {
    const Scene* scene = *state;
    snPathFile* file = read_text(
        scene,
        "{\"sinew_path\": 1, \"fps\": 24, \"duration\": 3, \"heading\": 0.5, \"blend\": 0.1, \"smooth\": "
        "0.2,\n"
        "\"steady\": 0.3, \"change\": 0.4, \"search\": \"hooke\", \"order\": \"distance\", // as one likes\n"
        "\"base\": \"wave\","
        "\"objective\": {\"one\": 0.25, \"examples\": 0.5, \"radius\": 0.2, \"wanted\": 3},\n"
        "\"paths\": [{\"handle\": \"right_foot\", \"contact\": true, \"global\": true, \"smooth\": false,\n"
        "\"draped\": false, \"strength\": 2, \"roll\": 0.5, \"keys\": [[0, 1, 2, 3], [1, 4, 5, 6, 0.5]]},\n"
        "{\"handle\": \"left_foot\", \"point\": [7, 8, 9], \"reach\": 0.7, \"keys\": [[0.5, 0, 0, 0]]}]}");
    assert_int_equal(file->base, 1);
    assert_near(file->fps, 24, 0);
    assert_near(file->duration, 3, 0);
    assert_near(file->heading, 0.5, 0);
    assert_near(file->blend, 0.1f, 0);
    assert_near(file->smooth, 0.2f, 0);
    assert_near(file->steady, 0.3f, 0);
    assert_near(file->change, 0.4f, 0);
    assert_int_equal(file->search, SN_SEARCH_HOOKE);
    assert_int_equal(file->order, SN_POSE_ORDER_DISTANCE);
    assert_near(file->objective.one, 0.25, 0);
    assert_near(file->objective.examples, 0.5, 0);
    assert_near(file->objective.radius, 0.2f, 0);
    assert_int_equal(file->objective.wanted, 3);
    assert_near(file->objective.target, sn_objective().target, 0);
    assert_false(file->grounded);
    assert_int_equal(file->paths->path_count, 2);
    const snPathDef* path = &file->paths->paths[0];
    assert_int_equal(path->handle, 1);
    assert_true(path->contact && path->global && !path->smooth && !path->draped);
    assert_near(path->strength, 2, 0);
    assert_near(path->roll, 0.5, 0);
    assert_near(path->reach, 0, 0);
    assert_int_equal(path->key_count, 2);
    assert_near(path->keys[1].time, 1, 0);
    assert_near(path->keys[1].rest, 0.5, 0);
    assert_vec3_near(path->keys[1].place, sn_vec3(4, 5, 6), 0);
    // A contact touches with what is below the handle.
    snVec3 position = scene->handles->handles[1].position;
    assert_vec3_near(path->point, sn_vec3(position.x, -0.5f, position.z), 0);
    path = &file->paths->paths[1];
    assert_true(path->smooth && path->draped && !path->contact && !path->global);
    assert_vec3_near(path->point, sn_vec3(7, 8, 9), 0);
    assert_near(path->roll, 0, 0);
    assert_near(path->reach, 0.7f, 0);
    sn_path_file_destroy(file);
}

#define FEET                                                                                                 \
    "\"feet\": [{\"handle\": \"left_foot\"}, {\"handle\": \"right_foot\", \"phase\": 0.5, \"side\": 0.1}]"

static void walks_come_behind_the_paths(void** state) {
    const Scene* scene = *state;
    snPathFile* file = read_text(
        scene, "{\"sinew_path\": 1, \"terrain\": {\"kind\": \"plane\", \"height\": 1, \"slope\": [0, "
               "0.5]}, \"walk\": {" FEET
               ", \"line\": [[0, 0], [0, 3]], \"stride\": 1, \"lift\": 0.2, \"cycle\": 2, \"duty\": "
               "0.5, \"wait\": 1, \"strength\": 3, \"roll\": 0.25}, \"paths\": [{\"handle\": \"left_foot\", "
               "\"keys\": "
               "[[0, 0, 0, 0]]}]}");
    assert_int_equal(file->paths->path_count, 3);
    assert_int_equal(file->paths->paths[0].key_count, 1);
    const snPathDef* walk = &file->paths->paths[2];
    assert_true(walk->contact && walk->global);
    assert_near(walk->strength, 3, 0);
    assert_near(walk->roll, 0.25, 0);
    assert_near(walk->keys[0].rest, 1 + 0.5 * 2, 1e-6);
    snVec3 at = walk->keys[0].place;
    assert_near(at.y, 1 + 0.5 * (double)at.z, 1e-5);
    assert_near(at.x, scene->handles->handles[1].position.x + 0.1f, 1e-6);
    sn_path_file_destroy(file);
    // At a speed; no handle is a hip here, so legs are as long as they are said to be.
    file = read_text(scene, "{\"sinew_path\": 1, \"walk\": {" FEET
                            ", \"line\": [[0, 0], [0, 9]], \"legs\": 0.9, \"speed\": 1.2, \"wait\": 1}}");
    const snPathKey* keys = file->paths->paths[0].keys;
    assert_near((keys[8].place.z - keys[4].place.z) / (keys[8].time - keys[4].time), 1.2, 1e-4);
    assert_true(file->paths->paths[0].footing);
    sn_path_file_destroy(file);
    // Alone it is all there is.
    file = read_text(scene, "{\"sinew_path\": 1, \"walk\": {" FEET ", \"line\": [[0, 0], [0, 3]]}}");
    assert_int_equal(file->paths->path_count, 2);
    assert_near(file->paths->paths[0].roll, 1, 0);
    assert_int_equal(file->base, SN_NONE);
    sn_path_file_destroy(file);
}

// Feet that say nothing step one after the other, as if the phases were spread by hand.
static void phases_are_spread(void** state) {
    static const char* const texts[] = {
        "{\"sinew_path\": 1, \"walk\": {\"feet\": [{\"handle\": \"left_foot\"}, {\"handle\": "
        "\"right_foot\"}], "
        "\"line\": [[0, 0], [0, 3]]}}",
        "{\"sinew_path\": 1, \"walk\": {\"feet\": [{\"handle\": \"left_foot\", \"phase\": 0}, {\"handle\": "
        "\"right_foot\", \"phase\": 0.5}], \"line\": [[0, 0], [0, 3]]}}"};
    snPathFile *left_out = read_text(*state, texts[0]), *said = read_text(*state, texts[1]);
    for (uint32_t i = 0; i < 2; i++) {
        const snPathDef *a = &left_out->paths->paths[i], *b = &said->paths->paths[i];
        assert_int_equal(a->key_count, b->key_count);
        assert_memory_equal(a->keys, b->keys, a->key_count * sizeof *a->keys);
    }
    const snPathDef* feet = left_out->paths->paths;
    assert_true(feet[0].keys[0].rest != feet[1].keys[0].rest);
    sn_path_file_destroy(left_out);
    sn_path_file_destroy(said);
}

static void settings_may_stand_alone(void** state) {
    snPathFile* file =
        read_text(*state, "{\"sinew_path\": 1, \"fps\": 12, \"terrain\": {\"kind\": \"plane\", "
                          "\"height\": 1}}");
    assert_null(file->paths);
    assert_int_equal(file->keyframes.key_count, 0);
    assert_true(file->grounded);
    assert_near(file->fps, 12, 0);
    sn_path_file_destroy(file);
}

static void keyframes_are_read(void** state) {
    const Scene* scene = *state;
    snPathFile* file =
        read_text(scene, "{\"sinew_path\": 1, \"loop\": true, \"keyframes\": [{\"time\": 0, "
                         "\"poses\": {\"wave\": 1}, \"ease\": \"out\"}, {\"time\": 2, "
                         "\"poses\": {\"bow\": 0.5, \"wave\": 0.25}}, {\"time\": 3, \"poses\": {}}]}");
    const snKeyframes* keys = &file->keyframes;
    assert_null(file->paths);
    assert_true(keys->loop);
    assert_int_equal(keys->key_count, 3);
    assert_int_equal(keys->keys[0].ease, SN_EASE_OUT);
    assert_int_equal(keys->keys[0].shares[0].pose, 1);
    assert_int_equal(keys->keys[1].ease, SN_EASE_IN_OUT);
    assert_int_equal(keys->keys[1].share_count, 2);
    assert_near(keys->keys[1].shares[1].weight, 0.25, 0);
    assert_int_equal(keys->keys[2].share_count, 0);
    sn_path_file_destroy(file);
}

// -------------------------------------------------------------------------------------------------- terrain

#define WALK_ON(terrain)                                                                                     \
    "{\"sinew_path\": 1, \"terrain\": " terrain ", \"walk\": {" FEET ", \"line\": [[0, 0], [0, 3]]}}"

static void terrain_is_read(void** state) {
    const Scene* scene = *state;
    snPathFile* file =
        read_text(scene, WALK_ON("{\"kind\": \"steps\", \"height\": 0.2, \"length\": 0.5, "
                                 "\"direction\": [3, 4], \"begin\": 1, \"edge\": 0.1, \"steps\": 7}"));
    assert_true(file->grounded);
    assert_int_equal(file->terrain.kind, SN_TERRAIN_STEPS);
    assert_near(file->terrain.direction.x, 0.6, 1e-6);
    assert_near(file->terrain.edge, 0.1f, 0);
    assert_int_equal(file->terrain.steps, 7);
    sn_path_file_destroy(file);
    file = read_text(scene, WALK_ON("{\"kind\": \"hills\", \"height\": 0.2, \"length\": 2}"));
    assert_near(sn_terrain_height(&file->terrain, 9.0f, 1.0f), 0.2, 1e-6); // along +Z where none is said
    sn_path_file_destroy(file);
}

// A picture beside the file: dark is low, +X to the right and +Z down.
static void maps_are_pictures(void** state) {
    const Scene* scene = *state;
    static uint16_t samples[6] = {0, 128, 255, 51, 0, 102};
    sniGrey grey = {3, 2, 8, samples};
    snAllocator memory = sn_allocator_default();
    sniBytes png = sni_bytes(&memory);
    assert_ok(sni_grey_encode(&grey, "map.png", &png, NULL));
    assert_ok(sn_file_write(test_out_path("path_map.png"), png.data, png.size, NULL));
    sni_bytes_free(&png);
    static const char text[] = WALK_ON("{\"kind\": \"map\", \"height\": 2, \"image\": \"path_map.png\", "
                                       "\"from\": [-1, 0], \"to\": [1, 3]}");
    char* path = strdup(test_out_path("map.json"));
    assert_ok(sn_file_write(path, text, strlen(text), NULL));
    snPathFile* file = NULL;
    assert_ok(sn_path_file_read(path, &scene->def, &file, NULL));
    assert_int_equal(file->terrain.columns, 3);
    assert_int_equal(file->terrain.rows, 2);
    assert_near(sn_terrain_height(&file->terrain, 1.0f, 0.0f), 2, 1e-6);
    assert_near(sn_terrain_height(&file->terrain, -1.0f, 3.0f), 2 * 0.2, 1e-6);
    assert_near(sn_terrain_height(&file->terrain, 1.0f, 3.0f), 2 * 0.4, 1e-6);
    sn_path_file_destroy(file);
    free(path);
}

// --------------------------------------------------------------------------------------------------- errors

static void refused(const Scene* scene, const char* text, uint64_t line, const char* words) {
    snPathFile* file = NULL;
    snError error = sn_error_none();
    snResult result = sn_path_file_read_memory("t.json", text, strlen(text), &scene->def, &file, &error);
    if (result != SN_RESULT_BAD_DATA || strstr(error.text, words) == NULL || error.line != line)
        fail_msg("%s: %d, line %u: %s", words, (int)result, (unsigned)error.line, error.text);
    assert_null(file);
    assert_string_equal(error.file, "t.json");
}

#define PATH(rest) "{\"sinew_path\": 1,\n\"paths\": [{\"handle\": \"left_foot\",\n" rest "}]}"

static void mistakes_are_named(void** state) {
    const Scene* scene = *state;
    refused(scene, "{", 1, "");
    refused(scene, "[]", 1, "an object");
    refused(scene, "{\"paths\": []}", 1, "version 1");
    refused(scene, "{\"sinew_path\": 2}", 1, "version 1");
    refused(scene, "{\"sinew_pose\": 1, \"steps\": []}", 1, "is a pose (.snpose), expected a path file");
    refused(scene, "{\"sinew_rig\": 1, \"handles\": []}", 1, "is a rig (.snrig), expected a path file");
    refused(scene, "{\"fps\": 30}", 1, "version 1 of a path file");
    refused(scene, "{\"sinew_path\": 1,\n\"speed\": 3}", 2, "/speed is unknown");
    refused(scene, "{\"sinew_path\": 1,\n\"fps\": 0}", 2, "a number from 0.1 to 1000");
    refused(scene, "{\"sinew_path\": 1,\n\"search\": \"luck\"}", 2, "one of gradient");
    refused(scene, "{\"sinew_path\": 1,\n\"base\": 3}", 2, "the name of a pose");
    refused(scene, "{\"sinew_path\": 1,\n\"base\": \"wavy\"}", 2, "did you mean \"wave\"?");
    refused(scene, PATH("\"keys\": [[0, 0, 0, 0]], \"roll\": 3"), 3, "a number from 0 to 2");
    refused(scene, PATH("\"keys\": [[0, 0, 0, 0]], \"reach\": 2"), 3, "a number from 0 to 1");
    refused(scene, "{\"sinew_path\": 1,\n\"objective\": {\"target\": -1}}", 2, "/objective/target");
    refused(scene, "{\"sinew_path\": 1,\n\"paths\": []}", 2, "/paths is empty, expected a list of paths");
    refused(scene, PATH("\"keys\": []"), 3, "/paths/0/keys is empty, expected a list of keys");
    refused(scene, PATH("\"keys\": [[0, 1, 2]]"), 3, "[time, x, y, z]");
    refused(scene, PATH("\"keys\": [[0, 0, 0, 0],\n[0, 1, 1, 1]]"), 3, "key 1 of a path is at 0 seconds");
    refused(scene, PATH("\"keys\": [[0, 0, 0, 0]], \"smooth\": 1"), 3, "true or false");
    refused(scene, "{\"sinew_path\": 1, \"paths\": [{\"handle\": \"leftfoot\", \"keys\": [[0, 0, 0, 0]]}]}",
            1, "is \"leftfoot\", which is no handle; did you mean \"left_foot\"?");
    refused(scene, "{\"sinew_path\": 1, \"paths\": [{\"handle\": 3}]}", 1, "the name of a handle");
    refused(scene, "{\"sinew_path\": 1, \"keyframes\": [{\"time\": 0, \"poses\": {\"wavy\": 1}}]}", 1,
            "did you mean \"wave\"?");
    refused(scene, "{\"sinew_path\": 1, \"keyframes\": [{\"time\": 0}]}", 1, "poses and their weights");
    refused(
        scene,
        "{\"sinew_path\": 1, \"keyframes\": [{\"time\": 1, \"poses\": {}}, {\"time\": 1, \"poses\": {}}]}", 1,
        "keyframe 1 is at 1");
    refused(scene,
            "{\"sinew_path\": 1, \"keyframes\": [{\"time\": 1, \"poses\": {}}], \"paths\": [{\"handle\": "
            "\"left_foot\", \"keys\": [[0, 0, 0, 0]]}]}",
            1, "/keyframes stands beside \"paths\"");
}

static void mistakes_on_the_ground_are_named(void** state) {
    const Scene* scene = *state;
    refused(scene, WALK_ON("{}"), 1, "a kind of terrain");
    refused(scene, WALK_ON("{\"kind\": \"sea\"}"), 1, "one of plane steps hills map");
    refused(scene, WALK_ON("{\"kind\": \"plane\", \"length\": 2}"), 1, "/terrain/length is unknown");
    refused(scene, WALK_ON("{\"kind\": \"hills\", \"length\": 0}"), 1, "/terrain/length");
    refused(scene, WALK_ON("{\"kind\": \"hills\", \"direction\": [0, 0]}"), 1, "has no length");
    refused(scene, WALK_ON("{\"kind\": \"steps\", \"length\": 1, \"edge\": 2}"), 1, "/terrain/edge");
    refused(scene, WALK_ON("{\"kind\": \"map\", \"from\": [0, 0]}"), 1, "/terrain/to");
    refused(scene, WALK_ON("{\"kind\": \"map\", \"image\": \"a.png\", \"from\": [0, 0], \"to\": [1, 1]}"), 1,
            "none can be opened from here");
    refused(scene, "{\"sinew_path\": 1, \"walk\": {" FEET ", \"line\": [[0, 0]]}}", 1, "cannot be walked");
    refused(scene, "{\"sinew_path\": 1, \"walk\": {" FEET ", \"line\": [[0, 0], [1]]}}", 1, "/walk/line/1");
    refused(scene, "{\"sinew_path\": 1, \"walk\": {\"feet\": [], \"line\": []}}", 1, "a list of feet");
#define SPEED(more) "{\"sinew_path\": 1, \"walk\": {" FEET ", \"line\": [[0, 0], [0, 3]]," more "}}"
    refused(scene, SPEED("\n\"legs\": 1, \"speed\": 1, \"stride\": 1"), 2,
            "leave out \"stride\" and \"cycle\"");
    refused(scene, SPEED("\n\"legs\": 1, \"speed\": 1, \"cycle\": 1"), 2,
            "leave out \"stride\" and \"cycle\"");
    refused(scene, SPEED("\n\"speed\": 1"), 2, "no handle is a hip");
    refused(scene, SPEED("\n\"legs\": 1, \"speed\": 4"), 2, "nobody walks at 4 m/s");
    char* path = strdup(test_out_path("nowhere.json"));
    static const char text[] =
        WALK_ON("{\"kind\": \"map\", \"image\": \"no.png\", \"from\": [0, 0], \"to\": [1, 1]}");
    assert_ok(sn_file_write(path, text, strlen(text), NULL));
    snPathFile* file = NULL;
    snError error = sn_error_none();
    assert_int_equal(sn_path_file_read(path, &scene->def, &file, &error), SN_RESULT_BAD_DATA);
    assert_non_null(strstr(error.text, "no.png"));
    assert_int_equal(sn_path_file_read("no/such/file.json", &scene->def, &file, &error), SN_RESULT_IO);
    assert_int_equal(sn_path_file_read(NULL, &scene->def, &file, &error), SN_RESULT_INVALID_ARGUMENT);
    assert_int_equal(sn_path_file_read_memory("x", NULL, 1, &scene->def, &file, NULL),
                     SN_RESULT_INVALID_ARGUMENT);
    snPathReadDef small = scene->def;
    small.read.memory_limit = 64;
    assert_int_equal(sn_path_file_read(path, &small, &file, &error), SN_RESULT_LIMIT);
    free(path);
}

static snResult build(const snAllocator* allocator, void* context) {
    const Scene* scene = context;
    static const char text[] = WALK_ON(
        "{\"kind\": \"map\", \"height\": 2, \"image\": \"path_map.png\", \"from\": [-1, 0], \"to\": [1, 3]}");
    static const char keys[] = "{\"sinew_path\": 1, \"keyframes\": [{\"time\": 0, \"poses\": {\"bow\": 1}}]}";
    snPathReadDef def = scene->def;
    def.read.allocator = allocator;
    assert_ok(sn_file_write(test_out_path("map.json"), text, strlen(text), NULL));
    snPathFile *file = NULL, *keyed = NULL;
    snResult result = sn_path_file_read(test_out_path("map.json"), &def, &file, NULL);
    sn_path_file_destroy(file);
    if (result != SN_RESULT_OK) return result;
    result = sn_path_file_read_memory("keys", keys, strlen(keys), &def, &keyed, NULL);
    sn_path_file_destroy(keyed);
    return result;
}

static void memory_failures_leak_nothing(void** state) {
    maps_are_pictures(state); // leaves the picture
    test_every_allocation(build, *state);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(paths_are_read),
        cmocka_unit_test(walks_come_behind_the_paths),
        cmocka_unit_test(phases_are_spread),
        cmocka_unit_test(settings_may_stand_alone),
        cmocka_unit_test(keyframes_are_read),
        cmocka_unit_test(terrain_is_read),
        cmocka_unit_test(maps_are_pictures),
        cmocka_unit_test(mistakes_are_named),
        cmocka_unit_test(mistakes_on_the_ground_are_named),
        cmocka_unit_test(memory_failures_leak_nothing),
    };
    return cmocka_run_group_tests(tests, open_scene, close_scene);
}
