// Real characters: the counts of the data folder's index, and round trips that lose nothing.
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "io_support.h"
#include "json.h"

typedef struct Known {
    const char* path;
    uint32_t vertices, faces, welded;
    uint32_t joints; // over all skins
    uint32_t clips, morphs;
    bool closed, manifold;
    uint32_t boundary_edges; // 0 where closed
    uint32_t unnormalised;   // vertices noted
} Known;

static const Known known[] = {
    {"characters/RiggedFigure.glb", 370, 256, 130, 19, 1, 0, true, true, 0, 0},
    {"characters/Fox.glb", 1728, 576, 290, 24, 3, 0, true, true, 0, 0},
    {"characters/RobotExpressive.glb", 7214, 3237, 1820, 86, 14, 3, false, false, 232, 752},
    {"characters/kaykit_Knight.glb", 7024, 6952, 3665, 41, 76, 0, false, true, 278, 0},
    {"characters/quat_modular_men_Casual.glb", 12516, 6206, 3199, 196, 0, 0, false, true, 118, 0},
    {"characters/quat_modular_women_Witch.glb", 13944, 6900, 3584, 204, 0, 0, false, true, 214, 0},
    {"characters/quat_animals_pack_Horse.glb", 4400, 2182, 1093, 50, 13, 0, true, true, 0, 0},
    {"characters/quat_dinosaurs_pack_Trex.glb", 3496, 1820, 912, 29, 6, 0, true, true, 0, 0},
    {"characters/SimpleSkin.gltf", 10, 8, 10, 2, 1, 0, false, true, 10, 0},
    {"characters/mh_base.obj", 19158, 18486, 19158, 0, 0, 0, false, true, 784, 0},
    {"meshes/spot_triangulated.obj", 2930, 5856, 2930, 0, 0, 0, true, true, 0, 0},
    {"meshes/spot_quadrangulated.obj", 2930, 2928, 2930, 0, 0, 0, true, true, 0, 0},
    {"meshes/human_man_smpl.obj", 6890, 13776, 6890, 0, 0, 0, true, true, 0, 0},
    {"meshes/scorpion_low.obj", 6315, 12626, 6315, 0, 0, 0, true, true, 0, 0},
    {"ugly/plane_holes.obj", 8519, 16747, 8519, 0, 0, 0, false, true, 341, 0},
};

// As the index counts; parts also weld what files have rounded.
static snWeld* exact_weld(const snMesh* mesh) {
    snWeld* weld = NULL;
    assert_ok(sn_weld_create(mesh->positions, mesh->vertex_count, 0.0f, NULL, &weld, NULL));
    return weld;
}

static void check_topology(const snModel* model, const Known* file) {
    bool closed = true, manifold = true;
    uint32_t boundary = 0;
    for (uint32_t p = 0; p < model->part_count; p++) {
        snTopology* topology = NULL;
        snWeld* exact = exact_weld(model->parts[p].mesh);
        assert_ok(sn_topology_create(model->parts[p].mesh, exact, NULL, &topology, NULL));
        sn_weld_destroy(exact);
        closed = closed && topology->closed;
        // The index also counts the edge that a face collapsed by the weld passes twice.
        manifold = manifold && topology->manifold && topology->collapsed_face_count == 0;
        boundary += topology->boundary_edge_count;
        sn_topology_destroy(topology);
    }
    assert_int_equal(closed, file->closed);
    assert_int_equal(manifold, file->manifold);
    assert_int_equal(boundary, file->boundary_edges);
}

static void check_notes(const snNotes* notes, const Known* file) {
    uint32_t off = 0;
    for (uint32_t i = 0; i < notes->count && i < 16; i++) {
        const char* at = strstr(notes->text[i], "weights of ");
        unsigned count = 0;
        if (at != NULL && sscanf(at, "weights of %u vertices", &count) == 1) off += count;
    }
    assert_int_equal(off, file->unnormalised);
}

static void counts_agree_with_the_index(void** state) {
    (void)state;
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        const Known* file = &known[i];
        const char* path = test_data_path(file->path);
        snNotes notes;
        snReadDef def = sn_read_def();
        def.notes = &notes;
        snModel* model = NULL;
        snError error = sn_error_none();
        if (sn_model_read(path, &def, &model, &error) != SN_RESULT_OK) fail_msg("%s: %s", path, error.text);
        uint32_t vertices = 0, faces = 0, welded = 0, rounded = 0, joints = 0, morphs = 0;
        for (uint32_t p = 0; p < model->part_count; p++) {
            vertices += model->parts[p].mesh->vertex_count;
            faces += model->parts[p].mesh->face_count;
            snWeld* exact = exact_weld(model->parts[p].mesh);
            welded += exact->point_count;
            rounded += exact->point_count - model->parts[p].weld->point_count;
            sn_weld_destroy(exact);
            morphs += model->parts[p].morph_count;
        }
        for (uint32_t s = 0; s < model->skin_count; s++) joints += model->skins[s].joint_count;
        assert_int_equal(vertices, file->vertices);
        assert_int_equal(faces, file->faces);
        assert_int_equal(welded, file->welded);
        // What the file has rounded apart is welded too: twelve vertices of the Witch.
        assert_int_equal(rounded, strstr(path, "Witch") != NULL ? 12 : 0);
        assert_int_equal(joints, file->joints);
        assert_int_equal(model->clip_count, file->clips);
        assert_true(file->morphs == 0 ? morphs == 0 : morphs >= file->morphs);
        check_topology(model, file);
        check_notes(&notes, file);
        sn_model_destroy(model);
    }
}

// ------------------------------------------------------------------------------------------- round trips

static sniJsonValue* load_json(const TestFile* file) {
    uint32_t length = (uint32_t)file->size;
    const char* text = (const char*)file->data;
    if (memcmp(text, "glTF", 4) == 0) {
        memcpy(&length, text + 12, 4);
        text += 20;
    }
    sniJsonValue* json = NULL;
    size_t offset = 0;
    assert_ok(sni_json_parse(text, length, &json, &offset, NULL));
    return json;
}

// Through GLB the whole JSON is equal and (where `exact`) so are the bytes and numbers; through .gltf all but
// the buffer's uri.
static void check_round_trip(const char* relative, const char* stem, bool exact) {
    char glb[64], gltf[64];
    snprintf(glb, sizeof glb, "%s.glb", stem);
    snprintf(gltf, sizeof gltf, "%s.gltf", stem);
    TestFile source = test_load(test_data_path(relative));
    snModel* model = NULL;
    assert_ok(sn_model_read(test_data_path(relative), NULL, &model, NULL));
    assert_ok(sn_model_write(model, test_out_path(glb), NULL, NULL));
    assert_ok(sn_model_write(model, test_out_path(gltf), NULL, NULL));
    TestFile binary = test_load(test_out_path(glb));
    TestFile text = test_load(test_out_path(gltf));
    TestFile buffer = test_load(test_bin_path(test_out_path(gltf)));
    sniJsonValue* before = load_json(&source);
    sniJsonValue* after_binary = load_json(&binary);
    sniJsonValue* after_text = load_json(&text);
    assert_true(sni_json_equal(before, after_binary));
    sni_json_remove(sni_json_element(sni_json_find(after_text, "buffers"), 0), "uri");
    assert_true(sni_json_equal(before, after_text));
    if (exact) {
        assert_memory_equal(source.data + source.size - buffer.size / 4 * 4, buffer.data,
                            buffer.size / 4 * 4);
    }
    snModel* again = NULL;
    assert_ok(sn_model_read(test_out_path(gltf), NULL, &again, NULL));
    if (exact) test_same_model(model, again);
    sni_json_free(before);
    sni_json_free(after_binary);
    sni_json_free(after_text);
    TestFile* files[] = {&source, &binary, &text, &buffer};
    for (int i = 0; i < 4; i++) test_file_free(files[i]);
    sn_model_destroy(model);
    sn_model_destroy(again);
}

static void characters_pass_through(void** state) {
    (void)state;
    mkdir(test_out_path("clean"), 0777);
    check_round_trip("characters/Fox.glb", "clean/fox", true);
    check_round_trip("characters/kaykit_Knight.glb", "knight", true);
    check_round_trip("characters/RobotExpressive.glb", "robot", false);
    // The robot's weights were repaired on the way: reading it again finds nothing to say.
    snNotes notes;
    snReadDef def = sn_read_def();
    def.notes = &notes;
    snModel* robot = NULL;
    assert_ok(sn_model_read(test_out_path("robot.glb"), &def, &robot, NULL));
    assert_int_equal(notes.count, 0);
    sn_model_destroy(robot);
}

static void reads_the_knight_s_picture(void** state) {
    (void)state;
    const char* path = test_data_path("characters/kaykit_Knight.glb");
    snReadDef def = sn_read_def();
    def.images = SN_IMAGES_ALL;
    snModel* model = NULL;
    assert_ok(sn_model_read(path, &def, &model, NULL));
    assert_non_null(model->materials[0].image);
    assert_int_equal(model->materials[0].image->width, 1024);
    sn_model_destroy(model);
}

// Quads, seams and groups of real OBJ files survive the way through GLB.
static void polygons_survive_glb(void** state) {
    (void)state;
    static const char* const paths[] = {"meshes/spot_quadrangulated.obj", "characters/mh_base.obj"};
    mkdir(test_out_path("clean"), 0777);
    for (size_t i = 0; i < 2; i++) {
        snModel *model = NULL, *again = NULL;
        snNotes notes;
        snReadDef def = sn_read_def();
        def.notes = &notes;
        assert_ok(sn_model_read(test_data_path(paths[i]), NULL, &model, NULL));
        const char* out = i == 0 ? "clean/spot.glb" : "clean/mh_base.glb";
        assert_ok(sn_model_write(model, test_out_path(out), NULL, NULL));
        assert_ok(sn_model_read(test_out_path(out), &def, &again, NULL));
        assert_int_equal(notes.count, 0);
        const snMesh *a = model->parts[0].mesh, *b = again->parts[0].mesh;
        assert_int_equal(a->face_count, b->face_count);
        assert_memory_equal(a->face_starts, b->face_starts, (a->face_count + 1) * sizeof(uint32_t));
        assert_int_equal(again->parts[0].weld->point_count, a->vertex_count);
        const uint32_t* points = again->parts[0].weld->point_of_vertex;
        for (uint32_t c = 0; c < a->corner_count; c++) assert_int_equal(points[b->corners[c]], a->corners[c]);
        assert_int_equal(a->group_count, b->group_count);
        if (a->face_groups != NULL) {
            assert_memory_equal(a->face_groups, b->face_groups, a->face_count * sizeof(uint32_t));
        }
        sn_model_destroy(model);
        sn_model_destroy(again);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts_agree_with_the_index),
        cmocka_unit_test(characters_pass_through),
        cmocka_unit_test(reads_the_knight_s_picture),
        cmocka_unit_test(polygons_survive_glb),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
