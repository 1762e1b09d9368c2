// What `sinew info` says, for shapes whose numbers are known and for the real characters.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "process.h"
#include "sinew/io.h"

static sniJsonValue* info_of(const char* path) {
    TestRun run = test_sinew_expect(0, "info", path, "--json", "--quiet");
    sniJsonValue* object = test_json(&run);
    test_run_free(&run);
    return object;
}

static void test_cube(void** state) {
    (void)state;
    sniJsonValue* info = info_of("builtin:cube");
    assert_near(test_json_number(info, "vertices"), 386, 0);
    assert_near(test_json_number(info, "vertices_welded"), 386, 0);
    assert_near(test_json_number(info, "faces"), 384, 0);
    assert_near(test_json_number(info, "quads"), 384, 0);
    assert_near(test_json_number(info, "triangles"), 0, 0);
    assert_near(test_json_number(info, "components"), 1, 0);
    assert_near(test_json_number(info, "volume"), 1, 1e-6);
    assert_true(test_json_true(info, "closed") && test_json_true(info, "manifold"));
    assert_int_equal(test_json_length(info, "clips"), 0);
    assert_int_equal(test_json_length(info, "parts"), 1);
    assert_int_equal(test_json_length(info, "notes"), 0);
    test_json_length(info, "materials");
    sni_json_free(info);
}

// A cube that its node mirrors has a volume nevertheless.
static void test_mirrored(void** state) {
    (void)state;
    snModel* cube = NULL;
    char* path = test_out_copy("mirrored.glb");
    assert_ok(sn_builtin_cube(1, 2, true, NULL, &cube, NULL));
    snMeshDef mesh = sn_mesh_def(cube->parts[0].mesh);
    snPartDef part = {.name = "cube", .mesh = &mesh, .skin = SN_NONE};
    const char* name = "mirror";
    uint32_t parent = SN_NONE;
    snTrs rest = sn_trs_identity();
    rest.scale.x = -2.0f;
    snSkeletonDef skeleton = {1, &name, &parent, &rest};
    snModelDef def = {.skeleton = &skeleton, .part_count = 1, .parts = &part};
    snModel* model = NULL;
    assert_ok(sn_model_create(&def, NULL, &model, NULL));
    assert_ok(sn_model_write(model, path, NULL, NULL));
    sniJsonValue* info = info_of(path);
    assert_near(test_json_number(info, "volume"), 2, 1e-6);
    sni_json_free(info);
    sn_model_destroy(model);
    sn_model_destroy(cube);
    free(path);
}

static void test_sheet_and_body(void** state) {
    (void)state;
    sniJsonValue* sheet = info_of("builtin:sheet");
    assert_false(test_json_true(sheet, "closed"));
    assert_near(test_json_number(sheet, "boundary_edges"), 64, 0);
    sni_json_free(sheet);
    sniJsonValue* body = info_of("builtin:body");
    assert_near(test_json_number(body, "joints"), 38, 0);
    assert_near(test_json_number(body, "max_influences"), 4, 0);
    assert_int_equal(test_json_length(body, "skins"), 1);
    assert_int_equal(test_json_length(body, "clips"), 4);
    sni_json_free(body);
}

static void test_table_for_people(void** state) {
    (void)state;
    TestRun run = test_sinew_expect(0, "info", "builtin:body");
    assert_non_null(strstr(run.out, "vertices"));
    assert_non_null(strstr(run.out, "twist"));
    test_run_free(&run);
}

// The counts of the data's own index, but for the Witch: it has twelve vertices that its file has rounded
// apart, which the index, welding equal positions, counts twice.
typedef struct Known {
    const char* file;
    uint32_t vertices, welded, faces, quads, joints, skins, clips, components, boundary, influences, morphs;
    bool closed, manifold;
} Known;
static const Known known[] = {
    {"characters/RiggedFigure.glb", 370, 130, 256, 0, 19, 1, 1, 1, 0, 4, 0, true, true},
    {"characters/Fox.glb", 1728, 290, 576, 0, 24, 1, 3, 1, 0, 4, 0, true, true},
    {"characters/RobotExpressive.glb", 7214, 1820, 3237, 0, 86, 2, 14, 63, 232, 4, 3, false, false},
    {"characters/kaykit_Knight.glb", 7024, 3665, 6952, 0, 41, 1, 76, 39, 278, 4, 0, false, true},
    {"characters/quat_modular_men_Casual.glb", 12516, 3199, 6206, 0, 196, 4, 0, 30, 118, 4, 0, false, true},
    {"characters/quat_modular_women_Witch.glb", 13944, 3572, 6900, 0, 204, 4, 0, 30, 198, 4, 0, false, false},
    {"characters/quat_animals_pack_Horse.glb", 4400, 1093, 2182, 0, 50, 1, 13, 1, 0, 4, 0, true, true},
    {"characters/quat_dinosaurs_pack_Trex.glb", 3496, 912, 1820, 0, 29, 1, 6, 1, 0, 4, 0, true, true},
    {"characters/SimpleSkin.gltf", 10, 10, 8, 0, 2, 1, 1, 1, 10, 2, 0, false, true},
    {"characters/mh_base.obj", 19158, 19158, 18486, 18486, 0, 0, 0, 154, 784, 0, 0, false, true},
    {"meshes/spot_triangulated.obj", 2930, 2930, 5856, 0, 0, 0, 0, 1, 0, 0, 0, true, true},
    {"meshes/spot_quadrangulated.obj", 2930, 2930, 2928, 2928, 0, 0, 0, 1, 0, 0, 0, true, true},
    {"meshes/human_man_smpl.obj", 6890, 6890, 13776, 0, 0, 0, 0, 1, 0, 0, 0, true, true},
    {"meshes/scorpion_low.obj", 6315, 6315, 12626, 0, 0, 0, 0, 1, 0, 0, 0, true, true},
    {"ugly/plane_holes.obj", 8519, 8519, 16747, 0, 0, 0, 0, 1, 341, 0, 0, false, true},
};

static void check_number(const char* file, sniJsonValue* info, const char* key, double expected) {
    double found = test_json_number(info, key);
    if (found != expected) print_error("%s: %s is %g, not %g\n", file, key, found, expected);
    assert_near(found, expected, 0);
}

static void test_real_characters(void** state) {
    (void)state;
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        const Known* k = &known[i];
        const char* path = test_data_path(k->file);
        sniJsonValue* info = info_of(path);
        check_number(k->file, info, "vertices", k->vertices);
        check_number(k->file, info, "vertices_welded", k->welded);
        check_number(k->file, info, "faces", k->faces);
        check_number(k->file, info, "quads", k->quads);
        check_number(k->file, info, "triangles", k->faces - k->quads);
        check_number(k->file, info, "joints", k->joints);
        check_number(k->file, info, "components", k->components);
        check_number(k->file, info, "boundary_edges", k->boundary);
        check_number(k->file, info, "max_influences", k->influences);
        check_number(k->file, info, "morphs", k->morphs);
        assert_int_equal(test_json_length(info, "skins"), k->skins);
        assert_int_equal(test_json_length(info, "clips"), k->clips);
        assert_int_equal(test_json_true(info, "closed"), k->closed);
        assert_int_equal(test_json_true(info, "manifold"), k->manifold);
        sni_json_free(info);
    }
}

static void test_repairs_are_noted(void** state) {
    (void)state;
    const char* path = test_data_path("characters/RobotExpressive.glb");
    TestRun run = test_sinew_expect(0, "info", path, "--json");
    sniJsonValue* info = test_json(&run);
    assert_true(test_json_length(info, "notes") > 0);
    assert_non_null(strstr(run.err, "note: "));
    sni_json_free(info);
    test_run_free(&run);
}

// What bind says of the lattice is what info finds in the file; a file without one has no word of it.
static void test_lattice_of_a_bound_file(void** state) {
    (void)state;
    char* path = test_out_copy("info_bound.glb");
    TestRun bind = test_sinew_expect(0, "bind", "builtin:tube", "--cells", "12", "-o", path, "--json");
    TestRun json = test_sinew_expect(0, "info", path, "--json");
    TestRun table = test_sinew_expect(0, "info", path);
    sniJsonValue *said = test_json(&bind), *found = test_json(&json);
    sniJsonValue* lattice = sni_json_find(found, "lattice");
    static const char* const keys[] = {"cells", "duplicated_cells", "particles", "cell_size"};
    assert_non_null(lattice);
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        assert_near(test_json_number(lattice, keys[i]), test_json_number(said, keys[i]), 1e-6);
    }
    assert_true(test_json_number(lattice, "particles") > test_json_number(lattice, "cells"));
    assert_true(test_json_number(lattice, "joints") == test_json_number(said, "deforming_joints"));
    char line[64];
    snprintf(line, sizeof line, "%.0f particles", test_json_number(said, "particles"));
    assert_non_null(strstr(table.out, line));
    test_run_free(&table);
    table = test_sinew_expect(0, "info", "builtin:tube");
    assert_null(strstr(table.out, "lattice"));
    sni_json_free(said);
    sni_json_free(found);
    test_run_free(&bind);
    test_run_free(&json);
    test_run_free(&table);
    free(path);
}

// ---------------------------------------------------------------------------------------- files beside
// models

static char* write_text(const char* name, const char* text) {
    char* path = test_out_copy(name);
    assert_ok(sn_file_write(path, text, strlen(text), NULL));
    return path;
}

static void test_poses(void** state) {
    (void)state;
    char* path = write_text(
        "info.snpose", "// by hand\n{\"sinew_pose\": 1, \"name\": \"wave\", \"size\": 1.5, \"steps\": [\n"
                       "{\"turn\": \"arm\", \"axis\": [0, 0, 1], \"degrees\": 70},\n"
                       "{\"turn\": \"arm\", \"axis\": [0, 1, 0], \"degrees\": 10},\n"
                       "{\"move\": \"hips\", \"by\": [0, -0.05, 0]}],\n"
                       "\"details\": [\"12:0.01 13:-0.002\", \"20:1\"]}");
    sniJsonValue* info = info_of(path);
    assert_string_equal(test_json_text(info, "kind"), "pose");
    assert_string_equal(test_json_text(info, "name"), "wave");
    assert_near(test_json_number(info, "size"), 1.5, 0);
    assert_near(test_json_number(info, "turns"), 2, 0);
    assert_near(test_json_number(info, "moves"), 1, 0);
    assert_near(test_json_number(info, "details"), 3, 0);
    assert_int_equal(test_json_length(info, "handles"), 2);
    sni_json_free(info);
    TestRun run = test_sinew_expect(0, "info", path);
    assert_non_null(strstr(run.out, "wave, made on a model of size 1.5"));
    assert_non_null(strstr(run.out, "3: 2 to turn, 1 to move"));
    assert_non_null(strstr(run.out, "arm, hips"));
    test_run_free(&run);
    free(path);
}

static void test_path_files(void** state) {
    (void)state;
    char* path = write_text("info.json",
                            "{\"sinew_path\": 1, \"fps\": 24, \"terrain\": {\"kind\": \"hills\"}, \"paths\": "
                            "[{\"handle\": \"hand\", \"keys\": [[0, 1, 2, 3], [2, 1, 2, 3, 0.5]]}], "
                            "\"walk\": {\"feet\": [{\"handle\": \"left\"}, {\"handle\": \"right\"}]}}");
    sniJsonValue* info = info_of(path);
    assert_string_equal(test_json_text(info, "kind"), "path");
    assert_string_equal(test_json_text(info, "terrain"), "hills");
    assert_int_equal(test_json_length(info, "paths"), 1);
    assert_int_equal(test_json_length(info, "walk"), 2);
    sniJsonValue* first = sni_json_element(sni_json_find(info, "paths"), 0);
    assert_string_equal(test_json_text(first, "handle"), "hand");
    assert_near(test_json_number(first, "keys"), 2, 0);
    assert_near(test_json_number(first, "end"), 2.5, 1e-9);
    sni_json_free(info);
    TestRun run = test_sinew_expect(0, "info", path);
    assert_non_null(strstr(run.out, "24 frames a second"));
    assert_non_null(strstr(run.out, "2 keys, up to 2.5 s"));
    assert_non_null(strstr(run.out, "left, right"));
    test_run_free(&run);
    free(path);
    path =
        write_text("keys.json", "{\"sinew_path\": 1, \"keyframes\": [{\"time\": 0, \"poses\": {\"a\": 1}}, "
                                "{\"time\": 3, \"poses\": {\"b\": 0.5, \"a\": 0.5}}]}");
    info = info_of(path);
    sniJsonValue* keyframes = sni_json_find(info, "keyframes");
    assert_near(test_json_number(keyframes, "keys"), 2, 0);
    assert_near(test_json_number(keyframes, "end"), 3, 0);
    assert_int_equal(test_json_length(keyframes, "poses"), 2);
    sni_json_free(info);
    free(path);
}

static void test_rigs(void** state) {
    (void)state;
    char* rig = test_out_copy("described.snrig");
    TestRun run = test_sinew_expect(0, "rig", "builtin:sheet", "--handle", "left=box:-9,-9,-9,-0.3,9,9", "-o",
                                    rig, "-q");
    test_run_free(&run);
    sniJsonValue* info = info_of(rig);
    assert_string_equal(test_json_text(info, "kind"), "rig");
    assert_int_equal(test_json_length(info, "handles"), 1);
    sni_json_free(info);
    run = test_sinew_expect(0, "info", rig);
    assert_non_null(strstr(run.out, "left"));
    test_run_free(&run);
    free(rig);
}

static void refuse(const char* name, const char* text, const char* words) {
    char* path = write_text(name, text);
    TestRun run = test_sinew_expect(2, "info", path);
    if (strstr(run.err, words) == NULL) fail_msg("\"%s\" is not in: %s", words, run.err);
    assert_string_equal(run.out, "");
    test_run_free(&run);
    free(path);
}

static void test_other_files_are_refused(void** state) {
    (void)state;
    refuse("odd.json", "{\"a\": 1}", "is not a pose");
    refuse("odd.json", "[]", "is not a pose");
    refuse("odd.json", "{", "odd.json:1");
    refuse("odd.snpose", "{\"sinew_pose\": 1}", "no list of steps");
    refuse("odd.snpose", "{\"sinew_pose\": 1,\n\"steps\": [{\"spin\": 1}]}", "odd.snpose:2: /steps/0");
    refuse("odd.snpose", "{\n\"sinew_pose\": 2, \"steps\": []}",
           "odd.snpose:2: /sinew_pose is 2, expected version 1");
    refuse("odd.json", "{\"sinew_path\": \"1\"}", "expected version 1 of a path file");
    refuse("odd.snrig", "{\"sinew_rig\": 1}", "odd.snrig:1");
}

// A style that was written into a file is named.
static void test_styles(void** state) {
    (void)state;
    char* out = test_out_copy("styled.glb");
    snModel* model = NULL;
    snTubeDef tube = sn_tube_def();
    snSettings* made = NULL;
    snStyle* style = NULL;
    assert_ok(sn_builtin_tube(&tube, NULL, &model, NULL));
    assert_ok(sn_settings_create(NULL, &made, NULL));
    assert_ok(sn_style_preset("muscle", NULL, &style, NULL));
    assert_ok(sn_settings_set_styles(made, (const snStyle* const[]){style}, 1, NULL));
    sn_model_set_settings(model, made);
    assert_ok(sn_model_write(model, out, NULL, NULL));
    sniJsonValue* info = info_of(out);
    assert_int_equal(test_json_length(info, "styles"), 1);
    assert_string_equal(test_json_text(sni_json_element(sni_json_find(info, "styles"), 0), "name"), "muscle");
    sni_json_free(info);
    TestRun run = test_sinew_expect(0, "info", out);
    assert_non_null(strstr(run.out, "styles       muscle"));
    test_run_free(&run);
    sn_style_destroy(style);
    sn_model_destroy(model);
    free(out);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_cube),
                                       cmocka_unit_test(test_mirrored),
                                       cmocka_unit_test(test_sheet_and_body),
                                       cmocka_unit_test(test_table_for_people),
                                       cmocka_unit_test(test_real_characters),
                                       cmocka_unit_test(test_repairs_are_noted),
                                       cmocka_unit_test(test_lattice_of_a_bound_file),
                                       cmocka_unit_test(test_poses),
                                       cmocka_unit_test(test_path_files),
                                       cmocka_unit_test(test_rigs),
                                       cmocka_unit_test(test_other_files_are_refused),
                                       cmocka_unit_test(test_styles)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
