// STL in, as text and binary.
#include <stdio.h>
#include <string.h>

#include "byte_order.h"
#include "format_support.h"

// A tetrahedron: four triangles, four corners shared by three each.
static const float corners[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
static const int faces[4][3] = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}};

static size_t text_file(char* out) {
    size_t at = (size_t)sprintf(out, "solid facet vertex 1\r\n");
    for (int f = 0; f < 4; f++) {
        at += (size_t)sprintf(out + at, " FACET NORMAL %s\r\n outer loop\r\n",
                              f == 0 ? "nan nan nan" : "0 0 1");
        for (int c = 0; c < 3; c++) {
            const float* p = corners[faces[f][c]];
            at +=
                (size_t)sprintf(out + at, "  vertex %g %g %g\r\n", (double)p[0], (double)p[1], (double)p[2]);
        }
        at += (size_t)sprintf(out + at, " endloop\r\n endfacet\r\n");
    }
    return at + (size_t)sprintf(out + at, "endsolid facet vertex 1\r\n");
}

static size_t binary_file(uint8_t out[400]) {
    memset(out, 0, 400);
    memcpy(out, "solid but binary", 16);
    sni_store_u32(out + 80, 4, false);
    for (size_t i = 0; i < 12; i++) {
        for (size_t k = 0; k < 3; k++) {
            float value = corners[faces[i / 3][i % 3]][k];
            // A negative zero is the same place.
            sni_store_f32(out + 84 + i / 3 * 50 + 12 + i % 3 * 12 + k * 4,
                          value == 0 && i > 5 ? -0.0f : value, false);
        }
    }
    return 84 + 4 * 50;
}

static void check_tetrahedron(const snModel* model) {
    const snMesh* mesh = model->parts[0].mesh;
    assert_int_equal(mesh->vertex_count, 4); // welded
    assert_int_equal(mesh->face_count, 4);
    assert_near(sn_mesh_volume(mesh, NULL), 1.0 / 6, 1e-7);
    snTopology* topology = NULL;
    assert_ok(sn_topology_create(mesh, NULL, NULL, &topology, NULL));
    assert_true(topology->closed && topology->manifold && topology->oriented);
    sn_topology_destroy(topology);
}

static void reads_text(void** state) {
    (void)state;
    char text[2048];
    snModel* model = test_read("a.stl", text, text_file(text), NULL);
    check_tetrahedron(model);
    sn_model_destroy(model);
    // Two solids in one file.
    size_t size = text_file(text);
    char twice[4096];
    memcpy(twice, text, size);
    memcpy(twice + size, text, size);
    model = test_read("a.stl", twice, 2 * size, NULL);
    assert_int_equal(model->parts[0].mesh->face_count, 8);
    sn_model_destroy(model);
}

static void reads_binary(void** state) {
    (void)state;
    uint8_t data[400];
    size_t size = binary_file(data);
    snNotes notes;
    snModel* model = test_read("a.stl", data, size, &notes);
    check_tetrahedron(model);
    assert_int_equal(notes.count, 0);
    sn_model_destroy(model);
    memcpy(data, "other", 5);
    model = test_read("a.stl", data, size + 3, &notes);
    check_tetrahedron(model);
    assert_string_equal(notes.text[0], "3 bytes after the last triangle were ignored");
    sn_model_destroy(model);
}

static void says_what_is_wrong(void** state) {
    (void)state;
    static const TestRefusal cases[] = {
        {"", "a.stl:1: expected solid"},
        {"solid x\n", "expected endsolid, found the end of the file"},
        {"solid x\nendsolid", "has no triangles"},
        {"solid x\nendsolid x\nfacet", "a.stl:3: expected solid, found facet"},
        {"solid x\nvertex", "a.stl:2: expected facet or endsolid, found vertex"},
        {"solid x\nfacet normal 0 0 1\nouter loop\nvertex 0 0\n", "a.stl:4: expected a number"},
        {"solid x\nfacet normal 0 0 1\nouter loop\nvertex 0 0 1e99\n", "that fits a float"},
        {"solid x\nfacet normal 0 0 1\nloop", "expected outer, found loop"},
        {"solid x\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nendloop", "a.stl:5: expected vertex"},
        {"solid x\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 0 0 0\nvertex 0 0 0\nvertex 0 0 0\n",
         "a.stl:7: expected endloop, found vertex"},
    };
    test_refuse_texts("a.stl", cases, sizeof cases / sizeof cases[0]);
    uint8_t data[400];
    size_t size = binary_file(data);
    memcpy(data, "other", 5);
    test_refuse("a.stl", data, size - 1, SN_RESULT_BAD_DATA,
                "a.stl:@80: 4 triangles need 284 bytes, the file has 283");
    sni_store_u32(data + 80, UINT32_MAX, false);
    test_refuse("a.stl", data, size, SN_RESULT_BAD_DATA, "4294967295 triangles need 214748364834 bytes");
    sni_store_u32(data + 80, 0, false);
    test_refuse("a.stl", data, 84, SN_RESULT_BAD_DATA, "a.stl:@84: has no triangles");
    binary_file(data);
    memset(data + 84 + 12, 0xff, 4);
    test_refuse("a.stl", data, size, SN_RESULT_BAD_DATA, "a.stl:@96: a corner is not finite");
}

static void survives_anything(void** state) {
    (void)state;
    char text[2048];
    uint8_t data[400];
    size_t length = text_file(text), size = binary_file(data);
    test_survives_changes("a.stl", text, length, 2000);
    test_survives_changes("a.stl", data, size, 10);
    test_survives_failing_allocations("a.stl", text, length);
    test_survives_failing_allocations("a.stl", data, size);
    test_keeps_the_limit("a.stl", data, size);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_text),
        cmocka_unit_test(reads_binary),
        cmocka_unit_test(says_what_is_wrong),
        cmocka_unit_test(survives_anything),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
