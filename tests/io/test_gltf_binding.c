// The lattice and new skins in glTF files, there and back.
#include <stdlib.h>
#include <string.h>

#include "io_support.h"

static uint64_t hash_lattice(uint64_t hash, const snLattice* l) {
    size_t particles = l->particle_count;
    hash = sn_hash_bytes(hash, l->cells, l->cell_count * sizeof *l->cells);
    hash = sn_hash_bytes(hash, l->cell_particles, l->cell_count * sizeof *l->cell_particles);
    hash = sn_hash_bytes(hash, l->cell_inside, l->cell_count);
    hash = sn_hash_bytes(hash, l->particles, particles * sizeof *l->particles);
    hash = sn_hash_floats(hash, &l->rest[0].x, particles * 3);
    hash = sn_hash_bytes(hash, l->pieces, particles * sizeof(uint32_t));
    hash = sn_hash_bytes(hash, l->adjacent_starts, (particles * 6 + 1) * sizeof(uint32_t));
    hash = sn_hash_bytes(hash, l->adjacent, l->adjacent_starts[particles * 6] * sizeof(uint32_t));
    hash = sn_hash_bytes(hash, l->neighbors, l->neighbor_starts[particles] * sizeof(uint32_t));
    hash = sn_hash_bytes(hash, l->point_cells, l->point_count * sizeof(uint32_t));
    hash = sn_hash_floats(hash, &l->point_coords[0].x, (size_t)l->point_count * 3);
    hash = sn_hash_bytes(hash, l->depths, particles * sizeof(uint16_t));
    hash = sn_hash_floats(hash, &l->outward[0].x, particles * 3);
    hash = sn_hash_bytes(hash, l->hosts, l->piece_count * sizeof(uint32_t));
    hash = sn_hash_bytes(hash, l->host_cells, particles * sizeof(uint32_t));
    return sn_hash_floats(hash, &l->host_coords[0].x, particles * 3);
}

// Everything but where the vertices lie: writing may split vertices at seams.
static uint64_t hash_binding(const snBinding* b) {
    size_t particles = b->lattice->particle_count, entries = particles * b->particles.influences;
    uint64_t hash = hash_lattice(SN_HASH_SEED, b->lattice);
    hash = sn_hash_bytes(hash, b->joints, b->joint_count * sizeof(uint32_t));
    hash = sn_hash_bytes(hash, b->parents, b->joint_count * sizeof(uint32_t));
    hash = sn_hash_floats(hash, b->binds[0].m, (size_t)b->joint_count * 16);
    hash = sn_hash_bytes(hash, b->particles.joints, entries * sizeof(uint16_t));
    hash = sn_hash_floats(hash, b->particles.weights, entries);
    hash = sn_hash_bytes(hash, b->parts->bone_parts, particles * sizeof(uint32_t));
    hash = sn_hash_bytes(hash, b->parts->joint_parts, particles * sizeof(uint32_t));
    return b->region_widths != NULL ? sn_hash_bytes(hash, b->region_widths, particles) : hash;
}

static void bind(snModel* model, snWeightsMethod method) {
    snBindDef def = sn_bind_def();
    def.method = method;
    def.cells = 16;
    assert_ok(sn_model_bind(model, &def, NULL, NULL));
}

static snModel* make_body(void) {
    snModel* model = NULL;
    snBodyDef def = {.vertex_target = 3000, .quads = true};
    assert_ok(sn_builtin_body(&def, NULL, &model, NULL));
    return model;
}

static char* write_to(const snModel* model, const char* name) {
    snWriteDef def = sn_write_def();
    return test_write(model, name, &def);
}

// Every vertex still lies where the lattice says.
static void check_vertices(const snModel* model) {
    const snBinding* b = model->binding;
    for (uint32_t p = 0; p < model->part_count; p++) {
        const snMesh* mesh = model->parts[p].mesh;
        if (b->vertex_starts[p + 1] == b->vertex_starts[p]) continue;
        for (uint32_t v = 0; v < mesh->vertex_count; v++) {
            uint32_t point = b->vertex_points[b->vertex_starts[p] + v];
            const uint32_t* corners = b->lattice->cell_particles[b->lattice->point_cells[point]];
            snVec3 low = b->lattice->rest[corners[0]];
            snVec3 place = sn_add(low, sn_scale(b->lattice->point_coords[point], b->lattice->cell_size));
            assert_vec3_near(place, mesh->positions[v], 1e-5f);
        }
    }
}

static void a_model_made_in_code_comes_back(void** state) {
    (void)state;
    snModel* model = make_body();
    bind(model, SN_WEIGHTS_HEAT);
    uint64_t hash = hash_binding(model->binding);
    char* path = write_to(model, "clean/bound_body.glb");
    snModel* back = test_read_file(path, NULL);
    assert_non_null(back->binding);
    assert_true(hash_binding(back->binding) == hash);
    assert_false(back->rebound);
    check_vertices(back);
    // And again, through the source document: nothing grows, nothing changes.
    char* again = write_to(back, "clean/bound_again.glb");
    TestFile first = test_load(path), second = test_load(again);
    assert_int_equal(first.size, second.size);
    assert_memory_equal(first.data, second.data, first.size);
    test_file_free(&first);
    test_file_free(&second);
    sn_model_destroy(back);
    sn_model_destroy(model);
    free(path);
    free(again);
}

static void parts_and_widths_come_back(void** state) {
    (void)state;
    snModel* model = make_body();
    bind(model, SN_WEIGHTS_HEAT);
    uint32_t count = model->binding->lattice->particle_count;
    uint32_t* overrides = malloc(count * sizeof *overrides);
    uint8_t* widths = sn_allocator_default().alloc(NULL, count, 64);
    for (uint32_t p = 0; p < count; p++) {
        overrides[p] = p % 7 == 0 ? 3 : SN_NONE;
        widths[p] = (uint8_t)(p % 3);
    }
    assert_ok(sn_binding_set_parts(model->binding, NULL, overrides, NULL));
    assert_int_equal(model->binding->parts->joint_parts[7], 3);
    model->binding->region_widths = widths;
    uint64_t hash = hash_binding(model->binding);
    char* path = write_to(model, "clean/bound_parts.glb");
    snModel* back = test_read_file(path, NULL);
    assert_true(hash_binding(back->binding) == hash);
    sn_model_destroy(back);
    sn_model_destroy(model);
    free(overrides);
    free(path);
}

static void a_document_gets_new_skins_and_keeps_the_rest(void** state) {
    (void)state;
    const char* data = test_data_path("characters/Fox.glb");
    snModel* model = test_read_file(data, NULL);
    uint32_t clips = model->clip_count;
    bind(model, SN_WEIGHTS_AUTO);
    uint64_t hash = hash_binding(model->binding);
    size_t entries = (size_t)model->parts[0].weights.vertex_count * model->parts[0].weights.influences;
    char* path = write_to(model, "clean/bound_fox.glb");
    snModel* back = test_read_file(path, NULL);
    assert_int_equal(back->clip_count, clips);
    assert_int_equal(back->material_count, model->material_count);
    assert_true(hash_binding(back->binding) == hash);
    assert_int_equal(back->parts[0].weights.influences, model->parts[0].weights.influences);
    for (size_t i = 0; i < entries; i++) {
        assert_near(back->parts[0].weights.weights[i], model->parts[0].weights.weights[i], 2e-7);
        if (model->parts[0].weights.weights[i] > 0.0f) {
            uint32_t here = model->skins[0].joints[model->parts[0].weights.joints[i]];
            assert_int_equal(back->skins[0].joints[back->parts[0].weights.joints[i]], here);
        }
    }
    sn_model_destroy(back);
    sn_model_destroy(model);
    free(path);
}

static void own_weights_stay_byte_for_byte(void** state) {
    (void)state;
    const char* data = test_data_path("characters/RiggedFigure.glb");
    snModel* model = test_read_file(data, NULL);
    bind(model, SN_WEIGHTS_KEEP);
    char* path = write_to(model, "bound_keep.glb");
    snModel* back = test_read_file(path, NULL);
    assert_non_null(back->binding);
    size_t entries = (size_t)model->parts[0].weights.vertex_count * model->parts[0].weights.influences;
    assert_memory_equal(back->parts[0].weights.weights, model->parts[0].weights.weights,
                        entries * sizeof(float));
    sn_model_destroy(back);
    sn_model_destroy(model);
    free(path);
}

// A mesh below a moved node gets its first skin: glTF ignores that place from then on, so the node becomes a
// bare root and the points stay where they were.
static void a_new_skin_makes_its_node_a_root(void** state) {
    (void)state;
    static const char text[] =
        "{\"asset\":{\"version\":\"2.0\"},\"scene\":0,\"scenes\":[{\"nodes\":[0]}],\"nodes\":["
        "{\"name\":\"Armature\",\"scale\":[2,2,2],\"children\":[1,3]},"
        "{\"name\":\"low\",\"children\":[2]},{\"name\":\"high\",\"translation\":[0,1,0]},"
        "{\"name\":\"skin\",\"mesh\":0,\"translation\":[0,1,0]}],"
        "\"meshes\":[{\"primitives\":[{\"attributes\":{\"POSITION\":0}}]}],"
        "\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":3,\"type\":\"VEC3\","
        "\"min\":[0,0,0],\"max\":[1,1,0]}],\"bufferViews\":[{\"buffer\":0,\"byteLength\":36}],"
        "\"buffers\":[{\"byteLength\":36,\"uri\":"
        "\"data:;base64,AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAA\"}]}";
    snModel* model = test_read("lifted.gltf", (const uint8_t*)text, sizeof text - 1, NULL);
    bind(model, SN_WEIGHTS_HEAT);
    char* path = write_to(model, "clean/lifted.glb");
    snModel* back = test_read_file(path, NULL);
    assert_int_equal(back->skeleton->parents[3], SN_NONE);
    assert_near(back->skeleton->rest[3].translation.y, 0.0f, 0.0f);
    assert_int_equal(back->skeleton->parents[1], 0);
    assert_int_equal(back->skin_count, 1);
    snMat4 world[4];
    sn_skeleton_world(back->skeleton, NULL, world);
    const snSkin* skin = &back->skins[0];
    for (uint32_t i = 0; i < skin->joint_count; i++) {
        snMat4 place = sn_mat4_mul(&world[skin->joints[i]], &skin->inverse_binds[i]);
        assert_vec3_near(sn_mat4_point(&place, sn_vec3(1, 0, 0)), sn_vec3(2, 2, 0), 1e-5f);
    }
    sn_model_destroy(back);
    sn_model_destroy(model);
    free(path);
}

// --------------------------------------------------------------------------------------- changed, broken

static char* find_text(TestFile* file, const char* text) {
    size_t length = strlen(text);
    for (size_t i = 0; i + length < file->size; i++) {
        if (memcmp(file->data + i, text, length) == 0) return (char*)file->data + i;
    }
    fail_msg("no %s in the file", text);
    return NULL;
}

static TestFile bound_file(void) {
    snModel* model = make_body();
    bind(model, SN_WEIGHTS_HEAT);
    char* path = write_to(model, "bound_broken.glb");
    TestFile file = test_load(path);
    sn_model_destroy(model);
    free(path);
    return file;
}

static void a_changed_mesh_drops_the_lattice(void** state) {
    (void)state;
    TestFile file = bound_file();
    char* hash = find_text(&file, "\"hash\":\"") + 8;
    hash[0] = hash[0] == '0' ? '1' : '0';
    snNotes notes = {0};
    snModel* model = test_read("changed.glb", file.data, file.size, &notes);
    assert_null(model->binding);
    bool said = false;
    for (uint32_t i = 0; i < notes.count && i < 16; i++)
        said |= strstr(notes.text[i], "lattice dropped") != NULL;
    assert_true(said);
    sn_model_destroy(model);
    test_file_free(&file);
}

static void broken_tables_are_refused(void** state) {
    (void)state;
    static const struct {
        const char *find, *replace;
    } breaks[] = {{"\"cellCount\":", "\"cellCount\":9"},
                  {"\"particleCount\":", "\"particleCount\":9"},
                  {"\"cellSize\":", "\"cellSize\":-"},
                  {"\"influences\":4", "\"influences\":5"},
                  {"\"boneParts\":", "\"bonePartz\":"},
                  {"\"pointCoords\":", "\"pointCoordz\":"},
                  {"\"particleWeights\":", "\"particleWeightz\":"}};
    for (size_t i = 0; i < sizeof breaks / sizeof breaks[0]; i++) {
        TestFile file = bound_file();
        memcpy(find_text(&file, breaks[i].find), breaks[i].replace, strlen(breaks[i].replace));
        snModel* model = NULL;
        snError error = sn_error_none();
        assert_int_equal(sn_model_read_memory("broken.glb", file.data, file.size, NULL, &model, &error),
                         SN_RESULT_BAD_DATA);
        assert_true(error.text[0] != '\0');
        test_file_free(&file);
    }
}

// Any byte of the binary chunk may be wrong: the reader says so or reads something that holds together.
static void wrong_bytes_never_crash(void** state) {
    (void)state;
    TestFile file = bound_file();
    uint32_t random = 11;
    for (int i = 0; i < 300; i++) {
        size_t at = 20 + test_random(&random) % (file.size - 20);
        uint8_t before = file.data[at];
        file.data[at] = (uint8_t)test_random(&random);
        snModel* model = NULL;
        if (sn_model_read_memory("wrong.glb", file.data, file.size, NULL, &model, NULL) == SN_RESULT_OK &&
            model->binding != NULL) {
            assert_ok(sn_lattice_validate(model->binding->lattice, NULL));
        }
        sn_model_destroy(model);
        file.data[at] = before;
    }
    test_file_free(&file);
}

static void running_out_of_memory_leaves_nothing(void** state) {
    (void)state;
    snModel* model = NULL;
    snTubeDef tube = {.length = 1, .radius = 0.2f, .sides = 4, .rings = 4, .segments = 2, .quads = true};
    assert_ok(sn_builtin_tube(&tube, NULL, &model, NULL));
    bind(model, SN_WEIGHTS_HEAT);
    char* path = write_to(model, "bound_tube.glb");
    TestFile file = test_load(path);
    test_every_allocation(test_build_glb, &file);
    test_file_free(&file);
    sn_model_destroy(model);
    free(path);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_model_made_in_code_comes_back),
        cmocka_unit_test(parts_and_widths_come_back),
        cmocka_unit_test(a_document_gets_new_skins_and_keeps_the_rest),
        cmocka_unit_test(own_weights_stay_byte_for_byte),
        cmocka_unit_test(a_new_skin_makes_its_node_a_root),
        cmocka_unit_test(a_changed_mesh_drops_the_lattice),
        cmocka_unit_test(broken_tables_are_refused),
        cmocka_unit_test(wrong_bytes_never_crash),
        cmocka_unit_test(running_out_of_memory_leaves_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
