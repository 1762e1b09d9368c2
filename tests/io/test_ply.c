// PLY in: the same mesh as text and in both byte orders.
#include <stdio.h>
#include <string.h>

#include "byte_order.h"
#include "format_support.h"

#define HEADER(format)                                                                                       \
    "ply\nformat " format " 1.0\ncomment made by hand\nelement vertex 4\nproperty double x\n"                \
    "property float y\nproperty float z\nproperty uchar red\nproperty uchar green\nproperty ushort blue\n"   \
    "property list uchar short tags\nproperty float s\nproperty float t\nelement odd 2\n"                    \
    "property list int double values\nproperty char c\nelement face 2\nproperty uchar flags\n"               \
    "property list uchar int vertex_indices\nend_header\n"

static const char* const text_file = HEADER("ascii") "0 0 0 255 0 0 2 -1 7 0.25 1\n1 0 0 0 255 0 0 0 0\n1 1 "
                                                     "0 0 0 65535 0 1 0\n-0.5 1e0 0 255 255 65535 0 1 1\n"
                                                     "2 1.5 2.5 -3\n0 4\n1 3 0 1 2\n0 4 0 1 2 3\n";

typedef struct Bytes {
    uint8_t data[1024];
    size_t size;
    bool big;
} Bytes;

static void put_whole(Bytes* b, uint64_t value, int size) {
    for (int i = 0; i < size; i++) b->data[b->size++] = (uint8_t)(value >> (8 * (b->big ? size - 1 - i : i)));
}
static void put_float(Bytes* b, float value) {
    sni_store_f32(b->data + b->size, value, b->big);
    b->size += 4;
}
static void put_double(Bytes* b, double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    put_whole(b, bits, 8);
}

static Bytes binary_file(bool big) {
    static const float places[4][3] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {-0.5f, 1, 0}};
    static const uint32_t colors[4][3] = {{255, 0, 0}, {0, 255, 0}, {0, 0, 65535}, {255, 255, 65535}};
    static const float uvs[4][2] = {{0.25f, 1}, {0, 0}, {1, 0}, {1, 1}};
    const char* header = big ? HEADER("binary_big_endian") : HEADER("binary_little_endian");
    Bytes b = {.size = strlen(header), .big = big};
    memcpy(b.data, header, b.size);
    for (int v = 0; v < 4; v++) {
        put_double(&b, (double)places[v][0]);
        put_float(&b, places[v][1]);
        put_float(&b, places[v][2]);
        put_whole(&b, colors[v][0], 1);
        put_whole(&b, colors[v][1], 1);
        put_whole(&b, colors[v][2], 2);
        put_whole(&b, v == 0 ? 2 : 0, 1);
        if (v == 0) put_whole(&b, 0xffff, 2);
        if (v == 0) put_whole(&b, 7, 2);
        put_float(&b, uvs[v][0]);
        put_float(&b, uvs[v][1]);
    }
    put_whole(&b, 2, 4);
    put_double(&b, 1.5);
    put_double(&b, 2.5);
    put_whole(&b, 0xfd, 1);
    put_whole(&b, 0, 4);
    put_whole(&b, 4, 1);
    for (uint32_t f = 0; f < 2; f++) {
        put_whole(&b, 1 - f, 1);
        put_whole(&b, 3 + f, 1);
        for (uint32_t c = 0; c < 3 + f; c++) put_whole(&b, c, 4);
    }
    return b;
}

static void check_mesh(const snModel* model) {
    const snMesh* mesh = model->parts[0].mesh;
    uint32_t starts[] = {0, 3, 7}, corners[] = {0, 1, 2, 0, 1, 2, 3};
    assert_int_equal(mesh->vertex_count, 4);
    assert_int_equal(mesh->face_count, 2);
    assert_memory_equal(mesh->face_starts, starts, sizeof starts);
    assert_memory_equal(mesh->corners, corners, sizeof corners);
    assert_vec3_near(mesh->positions[3], sn_vec3(-0.5f, 1, 0), 0);
    assert_near(mesh->colors[0].x, 1, 1e-6);
    assert_near(mesh->colors[2].z, 1, 1e-6);
    assert_near(mesh->colors[2].w, 1, 0);
    assert_near(mesh->uvs[0].x, 0.25, 0);
    assert_near(mesh->uvs[0].y, 0, 0); // v runs down from the top
    assert_null(mesh->normals);
}

static void reads_text(void** state) {
    (void)state;
    snModel* model = test_read("a.ply", text_file, strlen(text_file), NULL);
    check_mesh(model);
    sn_model_destroy(model);
}

static void reads_both_byte_orders(void** state) {
    (void)state;
    for (int big = 0; big < 2; big++) {
        Bytes file = binary_file(big == 1);
        snModel* model = test_read("a.ply", file.data, file.size, NULL);
        check_mesh(model);
        sn_model_destroy(model);
    }
}

#define TRIANGLE "property float x\nproperty float y\nproperty float z\n"

static void takes_oddities(void** state) {
    (void)state;
    snNotes notes;
    // Faces before vertices, normals, CR LF, thin faces, strips, an element without properties.
    const char* odd =
        "ply\r\nformat ascii 1.0\r\nobj_info x\r\nelement nothing 4000000000\r\nelement face 2\r\n"
        "property list uchar uint vertex_index\r\nelement tristrips 1\r\n"
        "property list int int vertex_indices\r\nelement vertex 3\r\nproperty float nz\r\n" TRIANGLE
        "property float nx\r\nproperty float ny\r\nend_header\r\n3 0 1 2\r\n2 0 1\r\n"
        "4 0 1 2 -1\r\n1 0 0 0 0 0\r\n1 1 0 0 0 0\r\n1 0 1 0 0 0\r\n";
    snModel* model = test_read("a.ply", odd, strlen(odd), &notes);
    assert_int_equal(model->parts[0].mesh->face_count, 1);
    assert_vec3_near(model->parts[0].mesh->normals[0], sn_vec3(0, 0, 1), 0);
    assert_int_equal(notes.count, 2);
    sn_model_destroy(model);
    // A cloud of points.
    const char* cloud = "ply\nformat ascii 1.0\nelement vertex 1\n" TRIANGLE "end_header\n1 2 3";
    model = test_read("a.ply", cloud, strlen(cloud), NULL);
    assert_int_equal(model->parts[0].mesh->face_count, 0);
    sn_model_destroy(model);
}

#define ASCII "ply\nformat ascii 1.0\n"
#define POINT ASCII "element vertex 1\n" TRIANGLE
#define FACE POINT "element face 1\nproperty list char int vertex_indices\nend_header\n0 0 0\n"

static void names_the_line(void** state) {
    (void)state;
    static const TestRefusal cases[] = {
        {"", "a.ply:1: expected ply"},
        {"plx\n", "expected ply, found plx"},
        {"ply\nformat middle 1.0\n", "a.ply:2: expected ascii, binary_little_endian or binary_big_endian"},
        {"ply\nelement vertex 1\n" TRIANGLE "end_header\n", "a.ply:6: the header has no format"},
        {ASCII "hello\n", "a.ply:3: expected element, property or end_header, found hello"},
        {ASCII "property float x\n", "a.ply:3: a property stands before any element"},
        {ASCII "element vertex x\n", "expected a whole number, found x"},
        {ASCII "element vertex 1\nproperty real x\n", "expected a type such as float or uchar, found real"},
        {ASCII "element vertex 1\nproperty float\n", "expected the name of a property"},
        {ASCII "element vertex 1\nproperty list float int x\n", "the count of a list is a float"},
        {ASCII "element vertex 1\nelement vertex 1\n", "two vertex elements"},
        {ASCII "end_header\n", "has no vertices"},
        {ASCII "element vertex 1\nproperty float x\nend_header\n", "a.ply:3: the vertices lack x, y or z"},
        {ASCII "element vertex 1\n", "expected element, property or end_header, found the end of the file"},
        {POINT "end_header\n0 0\n  \n", "a.ply:10: expected a number, found the end of the file"},
        {POINT "end_header\n0 0 q\n", "a.ply:8: expected a number, found q"},
        {ASCII "element vertex 999999\n" TRIANGLE "end_header\n", "more rows than the bytes that follow"},
        {FACE "3 0 0 1\n", "a.ply:11: a face has the index of a vertex that does not exist"},
        {FACE "3 0 0 -1\n", "that does not exist"},
        {FACE "-3 0 0 0\n", "a.ply:11: a list has a negative count"},
        {FACE "100 0 0 0\n", "a list has more values than the file has bytes left"},
        {FACE "3 0 0\n", "expected a whole number, found the end of the file"},
        {FACE "3 0 0 0.5\n", "expected a whole number, found 0.5"},
    };
    test_refuse_texts("a.ply", cases, sizeof cases / sizeof cases[0]);
}

static void names_the_byte(void** state) {
    (void)state;
    Bytes file = binary_file(false);
    size_t header = strlen(HEADER("binary_little_endian"));
    char sentence[64];
    test_refuse("a.ply", file.data, file.size - 1, SN_RESULT_BAD_DATA,
                "more values than the file has bytes left");
    put_double(&file, 0);
    memset(file.data + header, 0xff, 8); // x of the first vertex becomes nan
    snprintf(sentence, sizeof sentence, "a.ply:@%zu: a value is not finite", header + 8);
    test_refuse("a.ply", file.data, file.size, SN_RESULT_BAD_DATA, sentence);
    double wide = 1e300;
    memcpy(file.data + header, &wide, 8);
    test_refuse("a.ply", file.data, file.size, SN_RESULT_BAD_DATA, sentence);
}

static void survives_anything(void** state) {
    (void)state;
    Bytes file = binary_file(true);
    test_survives_changes("a.ply", text_file, strlen(text_file), 800);
    test_survives_changes("a.ply", file.data, file.size, 800);
    test_survives_failing_allocations("a.ply", file.data, file.size);
    test_keeps_the_limit("a.ply", file.data, file.size);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_text),     cmocka_unit_test(reads_both_byte_orders),
        cmocka_unit_test(takes_oddities), cmocka_unit_test(names_the_line),
        cmocka_unit_test(names_the_byte), cmocka_unit_test(survives_anything),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
