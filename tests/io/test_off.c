// OFF in.
#include <string.h>

#include "format_support.h"

static snModel* read_off(const char* text, snNotes* notes) {
    return test_read("a.off", text, strlen(text), notes);
}

static const char* const roof =
    "# a comment\r\nOFF # more\r\n5 4 0\r\n0 0 0\r\n1 0 0\r\n1 1 0 # corner\r\n\r\n0 1 0\r\n0.5 1.5 0\r\n"
    "4 0 1 2 3\r\n3  3 2 4  255 0 0\r\n5 0 1 2 4 3\r\n2 0 1\r\n";

static void reads_polygons(void** state) {
    (void)state;
    snNotes notes;
    snModel* model = read_off(roof, &notes);
    const snMesh* mesh = model->parts[0].mesh;
    uint32_t starts[] = {0, 4, 7, 12}, corners[] = {0, 1, 2, 3, 3, 2, 4, 0, 1, 2, 4, 3};
    assert_int_equal(mesh->vertex_count, 5);
    assert_int_equal(mesh->face_count, 3);
    assert_memory_equal(mesh->face_starts, starts, sizeof starts);
    assert_memory_equal(mesh->corners, corners, sizeof corners);
    assert_vec3_near(mesh->positions[4], sn_vec3(0.5f, 1.5f, 0), 0);
    assert_int_equal(model->skeleton->joint_count, 1);
    assert_string_equal(model->parts[0].name, "a");
    assert_int_equal(notes.count, 2);
    assert_string_equal(notes.text[0], "1 faces with fewer than three corners were left out");
    assert_string_equal(notes.text[1], "colors of faces are not read");
    sn_model_destroy(model);
}

static void reads_colors_normals_and_textures(void** state) {
    (void)state;
    snModel* model =
        read_off("COFF 3 1 3\n0 0 0 255 0 51\n1 0 0 0 255 0 255\n0 1 0 0 0 255 0\n3 0 1 2\n", NULL);
    const snVec4* colors = model->parts[0].mesh->colors;
    assert_near(colors[0].x, 1, 1e-6);
    assert_near(colors[0].z, 0.2, 1e-6);
    assert_near(colors[0].w, 1, 0);
    assert_near(colors[2].w, 0, 0);
    sn_model_destroy(model);
    model = read_off("STCNOFF\n3 1 3\n0 0 0 0 0 1 .5 0 1 1 0.25 0.75\n1 0 0 0 0 1 1 1 1 1 0 0\n"
                     "0 1 0 0 0 1 0 0 0 0 1 1\n3 0 1 2\n",
                     NULL);
    const snMesh* mesh = model->parts[0].mesh;
    assert_near(mesh->colors[0].x, 0.5, 0);
    assert_vec3_near(mesh->normals[0], sn_vec3(0, 0, 1), 0);
    assert_near(mesh->uvs[0].x, 0.25, 0);
    assert_near(mesh->uvs[0].y, 0.25, 0); // v runs down from the top
    sn_model_destroy(model);
    model = read_off("STOFF\n3 1 3\n0 0 0 0.5 1\n1 0 0 0 0\n0 1 0 1 1\n3 0 1 2\n", NULL);
    assert_near(model->parts[0].mesh->uvs[0].y, 0, 0);
    sn_model_destroy(model);
}

static void names_the_line(void** state) {
    (void)state;
    static const TestRefusal cases[] = {
        {"", "a.off:1: expected OFF, COFF or NOFF, found the end of the file"},
        {"OBJ\n", "found OBJ"},
        {"4OFF\n3 1 0\n", "OFF with three coordinates a vertex, found 4OFF"},
        {"OFF BINARY\n", "expected OFF as text, found BINARY"},
        {"OFF\n3\n", "a.off:3: expected a whole number, found the end of the file"},
        {"OFF\n0 0 0\n", "has no vertices"},
        {"OFF\n3 -1 0\n", "found -1"},
        {"OFF\n4294967296 1 0\n", "a whole number up to 4294967294"},
        {"OFF\n1000000000 1 0\n0 0 0\n", "1000000000 vertices and 1 faces, but only 6 bytes follow"},
        {"OFF\n1 1000000000 0\n0 0 0\n", "1 vertices and 1000000000 faces"},
        {"OFF\n1 0 0\n0 0       \n", "a.off:3: expected a number, found the end of the line"},
        {"OFF\n1 0 0\n0 0 x       \n", "expected a number, found x"},
        {"OFF\n1 0 0\n0 0 1e60       \n", "that fits a float"},
        {"COFF\n1 0 0\n0 0 0 1 1      \n", "a color has 2 values, expected 3 or 4"},
        {"OFF\n1 1 0\n0 0 0\n3 0 0 1\n", "a.off:4: expected a whole number up to 0, found 1"},
        {"OFF\n1 1 0\n0 0 0\n3 0 0\n", "a.off:4: expected a whole number, found the end of the line"},
        {"OFF\n1 2 0\n0 0 0\n3 0 0 0\n", "a.off:5: expected a whole number, found the end of the file"},
    };
    test_refuse_texts("a.off", cases, sizeof cases / sizeof cases[0]);
}

static void survives_anything(void** state) {
    (void)state;
    const char* all = "STCNOFF\n3 1 3\n0 0 0 0 0 1 .5 0 1 1 0.25 0.75\n1 0 0 0 0 1 1 1 1 1 0 0\n"
                      "0 1 0 0 0 1 0 0 0 0 1 1\n3 0 1 2\n";
    test_survives_changes("a.off", roof, strlen(roof), 200);
    test_survives_changes("a.off", all, strlen(all), 200);
    test_survives_failing_allocations("a.off", all, strlen(all));
    test_keeps_the_limit("a.off", all, strlen(all));
}

// The numbers of the data folder's index, by file indices and after the weld.
static void reads_fused_vertices(void** state) {
    (void)state;
    const char* path = test_data_path("ugly/fused_vertices.off");
    snModel* model = NULL;
    assert_ok(sn_model_read(path, NULL, &model, NULL));
    const snPart* part = &model->parts[0];
    assert_int_equal(part->mesh->vertex_count, 40);
    assert_int_equal(part->mesh->face_count, 45);
    snTopology* topology = NULL;
    assert_ok(sn_topology_create(part->mesh, NULL, NULL, &topology, NULL));
    assert_int_equal(topology->boundary_edge_count, 47);
    assert_int_equal(topology->bad_edge_count, 0);
    assert_int_equal(topology->bad_point_count, 5);
    sn_topology_destroy(topology);
    sn_model_destroy(model);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_polygons),       cmocka_unit_test(reads_colors_normals_and_textures),
        cmocka_unit_test(names_the_line),       cmocka_unit_test(survives_anything),
        cmocka_unit_test(reads_fused_vertices),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
