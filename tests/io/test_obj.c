// OBJ in and out.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io_support.h"
#include "shapes.h"

static snModel* read_obj(const char* text, snNotes* notes) {
    return test_read("a.obj", text, strlen(text), notes);
}

static void reads_polygons(void** state) {
    (void)state;
    snNotes notes;
    snModel* model =
        read_obj("# a house\r\nmtllib x.mtl\r\nv 0 0 0\r\nv 1 0 0\r\nv 1 1 0\r\nv 0 1 0 \r\nv .5 1.5e0 0\r\n"
                 "vt 0 0.1\r\nvt 1 1\r\nvn 0 0 1\r\ng wall\r\nusemtl brick\r\nf 1/1/1 2/2/1 3/2/1 4//1\r\n"
                 "o roof top\r\nf -3/-1/-1 -1/-2/-1 \\\r\n -2/-1/-1\r\ng wall\r\nf 1//1 2//1 3//1 5//1 4//1",
                 &notes);
    const snMesh* mesh = model->parts[0].mesh;
    assert_int_equal(mesh->vertex_count, 5);
    assert_int_equal(mesh->face_count, 3);
    uint32_t starts[] = {0, 4, 7, 12}, corners[] = {0, 1, 2, 3, 2, 4, 3, 0, 1, 2, 4, 3}, groups[] = {0, 1, 0};
    assert_memory_equal(mesh->face_starts, starts, sizeof starts);
    assert_memory_equal(mesh->corners, corners, sizeof corners);
    assert_memory_equal(mesh->face_groups, groups, sizeof groups);
    assert_string_equal(mesh->group_names[0], "wall");
    assert_string_equal(mesh->group_names[1], "roof top");
    assert_int_equal(mesh->uv_count, 2);
    assert_int_equal(mesh->corner_uvs[0], 0);
    assert_int_equal(mesh->corner_uvs[3], SN_NONE);
    assert_int_equal(mesh->corner_uvs[5], 0);
    assert_near(mesh->uvs[0].y, 0.9, 1e-7); // v runs down from the top
    assert_int_equal(mesh->normal_count, 1);
    assert_string_equal(model->skeleton->names[0], "a");
    assert_int_equal(notes.count, 1);
    sn_model_destroy(model);
}

static void reads_colors_and_oddities(void** state) {
    (void)state;
    snNotes notes;
    snModel* model = read_obj(
        "v 0 0 0 1 0.5 0\nv 1 0 0 1\n\nv\t0 1 0 # up\nf 1 2 3\nl 1 2\ncurv 1\nf 3//\\\n 2 1\n", &notes);
    const snMesh* mesh = model->parts[0].mesh;
    assert_true(mesh->colors[0].y == 0.5f && mesh->colors[0].w == 1.0f && mesh->colors[1].x == 1.0f);
    assert_int_equal(mesh->face_count, 2);
    assert_null(mesh->face_groups);
    assert_null(mesh->uvs);
    assert_int_equal(notes.count, 1);
    assert_string_equal(notes.text[0], "2 statements other than v, vt, vn, f, g, o and s were ignored");
    sn_model_destroy(model);
    model = read_obj("v 0 0 0\nv 1 0 0\nv 1 1 0\nvn 0 0 1\nf 1//1 2 3", &notes);
    assert_null(model->parts[0].mesh->normals);
    assert_non_null(strstr(notes.text[0], "normals were left out"));
    sn_model_destroy(model);
}

static void names_the_line(void** state) {
    (void)state;
    static const struct {
        const char *text, *sentence;
    } cases[] = {
        {"v 0 0 0\nv 1 0 0\nf 1 2\n", "a.obj:3: a face has fewer than three corners"},
        {"v 0 0 0\nf 1 1 2\n", "a.obj:2: expected the index of one of 1 vertices, found 2"},
        {"v 0 0 0\nf 1 1 -2\n", "found -2"},
        {"v 0 0 0\nf 1 1 0\n", "found 0"},
        {"v 0 0 0\nf 1/1 1 1\n", "one of 0 texture coordinates, found 1"},
        {"v 0 0 0\nf 1//2 1 1\n", "one of 0 normals, found 2"},
        {"v 0 0 0\nf 1 1 x\n", "found x"},
        {"v 0 0 0\nf 1 1 1x\n", "expected a face corner, found x"},
        {"v 0 0 0\nf 1 1 99999999999999999999\n", "found 99999999999999999999"},
        {"\n\nv 0 0\n", "a.obj:3: expected a number, found the end of the line"},
        {"v 0 \\\n 0 \\\n q\n", "a.obj:3: expected a number, found q"},
        {"v 0 0 1e99\n", "a.obj:1: expected a number that fits a float, found 1e99"},
        {"v 0 0 nan\n", "expected a number, found nan"},
        {"v 0 0 1,5\n", "expected a blank"},
        {"v 0 0 0\nf 1 1 \\ 1\n", "a.obj:2: expected the index of one of 1 vertices, found \\"},
        {"v 0 \\ 0 0\n", "a.obj:1: expected a number, found \\"},
        {"", "a.obj:1: has no vertices"},
        {"\x89PNG\r\n\x1a\n", "a.obj:1: has no vertices"},
    };
    static const char zero[] = "v 0 0 0\nv 1 0 0\0\nv 1 1 0\nf 1 2 3\n";
    test_refuse("a.obj", zero, sizeof zero - 1, SN_RESULT_BAD_DATA,
                "a.obj:2: has a zero byte, expected text");
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        test_refuse("a.obj", cases[i].text, strlen(cases[i].text), SN_RESULT_BAD_DATA, cases[i].sentence);
    }
}

// A byte order mark is no part of the first word, and a line may continue into the end of the file.
static void reads_marks_and_loose_ends(void** state) {
    (void)state;
    snModel* model = read_obj("\xef\xbb\xbfv 0 0 0\nv 1 0 0\nv 1 1 0\nf 1 2 3 \\", NULL);
    assert_int_equal(model->parts[0].mesh->vertex_count, 3);
    assert_int_equal(model->parts[0].mesh->face_count, 1);
    sn_model_destroy(model);
}

static const char* const house =
    "v 0 0 0 1 0 0\nv 1 0 0 0 1 0\nv 1 1 0.1 0 0 1\nv 0 1 0 1 1 1\nvt 0.1 0.2\nvt 0.7 0.3\n"
    "vn 0 0 1\ng a\nf 1/1/1 2/2/1 3/1/1 4/2/1\ng b\nf 4/1/1 3/2/1 1//1\n";

static void writes_what_it_read(void** state) {
    (void)state;
    snModel* model = read_obj(house, NULL);
    assert_ok(sn_model_write(model, test_out_path("house.obj"), NULL, NULL));
    TestFile file = test_load(test_out_path("house.obj"));
    const char* body = strchr((const char*)file.data, '\n') + 1; // after the comment
    assert_string_equal(body, house);
    snModel* again = test_read("house.obj", file.data, file.size, NULL);
    assert_int_equal(again->parts[0].mesh->face_count, 2);
    sn_model_destroy(model);
    sn_model_destroy(again);
    test_file_free(&file);
}

// A rigid part is written where its joint puts it.
static void writes_the_rest_pose(void** state) {
    (void)state;
    const char* json = "{\"asset\":{\"version\":\"2.0\"},\"nodes\":[{\"mesh\":0,\"translation\":[1,2,3]}],"
                       "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0}}]}],"
                       "\"accessors\":[{\"componentType\":5126,\"count\":3,\"type\":\"VEC3\"}]}";
    snModel* model = test_read("a.gltf", json, strlen(json), NULL);
    assert_ok(sn_model_write(model, test_out_path("moved.obj"), NULL, NULL));
    TestFile file = test_load(test_out_path("moved.obj"));
    assert_non_null(strstr((const char*)file.data, "v 1 2 3\n"));
    sn_model_destroy(model);
    test_file_free(&file);
    snMorphBake morphs = {0};
    snWriteDef def = sn_write_def();
    def.morphs = &morphs;
    model = read_obj(house, NULL);
    assert_int_equal(sn_model_write(model, test_out_path("no.obj"), &def, NULL), SN_RESULT_UNSUPPORTED);
    sn_model_destroy(model);
}

// A cube around the origin on a joint that mirrors, rigid and skinned: outside stays outside.
static void a_mirror_turns_nothing_inside_out(void** state) {
    (void)state;
    snMesh* cube = test_cube(sn_vec3(-0.5f, -0.5f, -0.5f));
    snMeshDef mesh = sn_mesh_def(cube);
    mesh.normals = mesh.positions;
    mesh.normal_count = mesh.vertex_count;
    const char* name = "mirror";
    uint32_t parent = SN_NONE, joint = 0;
    snTrs rest = sn_trs_identity();
    rest.scale.x = -1.0f;
    snMat4 bind = sn_mat4_identity();
    snSkeletonDef skeleton = {1, &name, &parent, &rest};
    snSkinDef skin = {"skin", 1, &joint, &bind};
    uint16_t joints[8] = {0};
    float weights[8] = {1, 1, 1, 1, 1, 1, 1, 1};
    assert_int_equal(cube->vertex_count, 8);
    for (int skinned = 0; skinned < 2; skinned++) {
        snPartDef part = {.name = "cube", .mesh = &mesh, .skin = skinned ? 0 : SN_NONE};
        if (skinned) {
            part.influences = 1;
            part.joints = joints;
            part.weights = weights;
        }
        snModelDef def = {&skeleton, 1, &skin, 1, &part, 0, NULL};
        snModel* model = NULL;
        assert_ok(sn_model_create(&def, NULL, &model, NULL));
        assert_ok(sn_model_write(model, test_out_path("mirror.obj"), NULL, NULL));
        snModel* again = test_read_file(test_out_path("mirror.obj"), NULL);
        const snMesh* read = again->parts[0].mesh;
        assert_near(sn_mesh_volume(read, NULL), 1.0, 1e-6);
        assert_near(read->positions[0].x, -cube->positions[0].x, 0);
        for (uint32_t c = 0; c < read->corner_count; c++) {
            uint32_t normal = read->corner_normals != NULL ? read->corner_normals[c] : read->corners[c];
            assert_true(sn_dot(read->normals[normal], read->positions[read->corners[c]]) > 0.5f);
        }
        sn_model_destroy(again);
        sn_model_destroy(model);
    }
    sn_mesh_destroy(cube);
}

static void survives_truncation_and_changes(void** state) {
    (void)state;
    size_t size = strlen(house);
    char* text = malloc(size);
    assert_non_null(text);
    memcpy(text, house, size);
    for (size_t cut = 0; cut <= size; cut++) {
        snModel* model = NULL;
        if (sn_model_read_memory("a.obj", text, cut, NULL, &model, NULL) == SN_RESULT_OK)
            sn_model_destroy(model);
    }
    uint32_t refused = 0;
    for (size_t i = 0; i < size; i++) {
        for (int change = 1; change < 256; change *= 2) {
            text[i] = (char)(house[i] ^ change);
            snModel* model = NULL;
            snResult result = sn_model_read_memory("a.obj", text, size, NULL, &model, NULL);
            if (result == SN_RESULT_OK) sn_model_destroy(model);
            refused += result != SN_RESULT_OK;
            text[i] = house[i];
        }
    }
    assert_true(refused > 100);
    free(text);
}

// A line of a million blanks, and a group for every face.
static void takes_long_input(void** state) {
    (void)state;
    size_t blanks = 1000000;
    char* text = malloc(blanks + 64);
    assert_non_null(text);
    memset(text, ' ', blanks);
    memcpy(text, "v 0 0", 5);
    strcpy(text + blanks, " 5\nv 0 1 0\nv 1 0 0\nf 1 2 3\n");
    snModel* model = test_read("a.obj", text, strlen(text), NULL);
    assert_true(model->parts[0].mesh->positions[0].z == 5.0f);
    sn_model_destroy(model);
    size_t at = (size_t)sprintf(text, "v 0 0 0\nv 0 1 0\nv 1 0 0\n");
    for (int i = 0; i < 20000; i++) at += (size_t)sprintf(text + at, "g n%d\nf 1 2 3\n", i);
    model = test_read("a.obj", text, at, NULL);
    assert_int_equal(model->parts[0].mesh->group_count, 20000);
    assert_string_equal(model->parts[0].mesh->group_names[19999], "n19999");
    sn_model_destroy(model);
    free(text);
}

static snResult build_house(const snAllocator* allocator, void* context) {
    (void)context;
    snReadDef def = sn_read_def();
    def.allocator = allocator;
    snModel* model = NULL;
    snResult result = sn_model_read_memory("a.obj", house, strlen(house), &def, &model, NULL);
    if (result != SN_RESULT_OK) return result;
    result = sn_model_write(model, test_out_path("memory.obj"), NULL, NULL);
    sn_model_destroy(model);
    return result;
}

static void survives_failing_allocations(void** state) {
    (void)state;
    test_every_allocation(build_house, NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_polygons),
        cmocka_unit_test(reads_colors_and_oddities),
        cmocka_unit_test(names_the_line),
        cmocka_unit_test(reads_marks_and_loose_ends),
        cmocka_unit_test(writes_what_it_read),
        cmocka_unit_test(writes_the_rest_pose),
        cmocka_unit_test(a_mirror_turns_nothing_inside_out),
        cmocka_unit_test(survives_truncation_and_changes),
        cmocka_unit_test(takes_long_input),
        cmocka_unit_test(survives_failing_allocations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
