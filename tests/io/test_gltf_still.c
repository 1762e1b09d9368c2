// Stills: posed surfaces in the document that a model came from.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io_support.h"

typedef struct Still {
    snModel* model;
    snMesh* mesh; // all parts, in the world, moved
    snVec3* normals;
    snSurface* surfaces;
} Still;

static const snVec3 shift = {5, 1, -2};

// The model as it stands, moved as a whole, with normals that point to the side.
static Still still_of(snModel* model) {
    Still s = {.model = model};
    assert_ok(sn_model_merge_mesh(model, NULL, &s.mesh, NULL));
    s.normals = calloc(s.mesh->vertex_count, sizeof *s.normals);
    s.surfaces = calloc(model->part_count, sizeof *s.surfaces);
    uint32_t first = 0;
    for (uint32_t v = 0; v < s.mesh->vertex_count; v++) {
        s.mesh->positions[v] = sn_add(s.mesh->positions[v], shift);
        s.normals[v] = sn_vec3(1, 0, 0);
    }
    for (uint32_t p = 0; p < model->part_count; p++) {
        uint32_t count = model->parts[p].mesh->vertex_count;
        s.surfaces[p] = (snSurface){count, s.mesh->positions + first, s.normals + first};
        first += count;
    }
    return s;
}

static void still_free(Still* s) {
    free(s->normals);
    free(s->surfaces);
    sn_mesh_destroy(s->mesh);
    sn_model_destroy(s->model);
}

// One of the nodes ("quad" has the mesh, "root" moves it) with a transform of its own. A skin ignores that of
// the mesh.
static snModel* read_node(const char* name, const char* transform, const snAllocator* allocator) {
    char text[8192], node[32];
    snprintf(node, sizeof node, "{\"name\":\"%s\",", name);
    const char* at = strstr(test_quad_json, node);
    assert_non_null(at);
    snprintf(text, sizeof text, "%.*s%s%s%s", (int)(at - test_quad_json), test_quad_json, node, transform,
             at + strlen(node));
    TestFile chunk = test_quad_chunk(), file = test_glb(text, chunk.data, chunk.size);
    snReadDef def = sn_read_def();
    def.allocator = allocator;
    snModel* model = NULL;
    sn_model_read_memory("quad.glb", file.data, file.size, &def, &model, NULL);
    test_file_free(&chunk);
    test_file_free(&file);
    return model;
}

static snModel* read_quad(const char* transform, const snAllocator* allocator) {
    return read_node("quad", transform, allocator);
}

// Places and faces are those of the still, and nothing is left that moves them.
static void assert_still(const char* path, const Still* s) {
    snModel* again = test_read_file(path, NULL);
    snMesh* mesh = NULL;
    assert_int_equal(again->skin_count, 0);
    assert_int_equal(again->clip_count, 0);
    assert_null(again->binding);
    assert_null(again->settings);
    assert_int_equal(again->part_count, s->model->part_count);
    for (uint32_t p = 0; p < again->part_count; p++) {
        assert_int_equal(again->parts[p].morph_count, 0);
        assert_string_equal(again->parts[p].name, s->model->parts[p].name);
        assert_int_equal(again->parts[p].mesh->group_count, s->model->parts[p].mesh->group_count);
    }
    assert_ok(sn_model_merge_mesh(again, NULL, &mesh, NULL));
    assert_int_equal(mesh->vertex_count, s->mesh->vertex_count);
    float size = sn_bounds_diagonal(sn_bounds_of(mesh->positions, mesh->vertex_count));
    for (uint32_t v = 0; v < mesh->vertex_count; v++)
        assert_vec3_near(mesh->positions[v], s->mesh->positions[v], 1e-5f * size);
    assert_int_equal(mesh->corner_count, s->mesh->corner_count);
    assert_memory_equal(mesh->corners, s->mesh->corners, mesh->corner_count * sizeof(uint32_t));
    sn_mesh_destroy(mesh);
    sn_model_destroy(again);
}

static void a_still_stands_where_it_was_posed(void** state) {
    (void)state;
    Still s = still_of(read_quad("", NULL));
    assert_true(s.model->skin_count > 0 && s.model->clip_count > 0 && s.model->parts[0].morph_count > 0);
    snWriteDef def = sn_write_def();
    def.still = s.surfaces;
    assert_ok(sn_model_write(s.model, test_out_path("clean/still.glb"), &def, NULL));
    assert_still(test_out_path("clean/still.glb"), &s);
    snModel* again = test_read_file(test_out_path("clean/still.glb"), NULL);
    assert_vec3_near(again->parts[0].mesh->normals[0], sn_vec3(1, 0, 0), 1e-6f);
    sn_model_destroy(again);
    still_free(&s);
}

// Also where the node turns, scales and moves what hangs on it.
static void nodes_may_stand_anywhere(void** state) {
    (void)state;
    Still s =
        still_of(read_quad("\"translation\":[3,2,1],\"rotation\":[0,0.6,0,0.8],\"scale\":[2,3,0.5],", NULL));
    snWriteDef def = sn_write_def();
    def.still = s.surfaces;
    assert_ok(sn_model_write(s.model, test_out_path("still_node.glb"), &def, NULL));
    assert_still(test_out_path("still_node.glb"), &s);
    snModel* again = test_read_file(test_out_path("still_node.glb"), NULL);
    snMat4 world[8];
    assert_true(again->skeleton->joint_count <= 8);
    sn_skeleton_world(again->skeleton, NULL, world);
    // Across the surface before and after: what lies in it is turned by the node, normals stay at right
    // angles.
    snMat4 inverse;
    assert_true(sn_mat4_inverse_affine(&world[again->parts[0].joint], &inverse));
    snVec3 along = sn_mat4_vector(&inverse, sn_vec3(0, 1, 1));
    assert_near(sn_dot(again->parts[0].mesh->normals[0], along), 0, 1e-6);
    sn_model_destroy(again);
    still_free(&s);
    s = still_of(read_quad("\"scale\":[0,1,1],", NULL));
    def.still = s.surfaces;
    snError error = sn_error_none();
    assert_int_equal(sn_model_write(s.model, test_out_path("flat.glb"), &def, &error), SN_RESULT_BAD_DATA);
    assert_non_null(strstr(error.text, "is scaled to zero"));
    still_free(&s);
}

// A skin ignores the mirror of its node, which counts when the skin is gone; and the other way round.
static void mirrors_turn_nothing_inside_out(void** state) {
    (void)state;
    static const char* const nodes[] = {"quad", "root"};
    for (int i = 0; i < 2; i++) {
        Still s = still_of(read_node(nodes[i], "\"scale\":[-1,1,1],", NULL));
        snWriteDef def = sn_write_def();
        def.still = s.surfaces;
        assert_ok(sn_model_write(s.model, test_out_path("still_mirror.glb"), &def, NULL));
        assert_still(test_out_path("still_mirror.glb"), &s);
        still_free(&s);
    }
}

static void materials_stay_as_they_are(void** state) {
    (void)state;
    static const char* const files[] = {"characters/Fox.glb", "characters/RobotExpressive.glb",
                                        "characters/quat_modular_women_Witch.glb"};
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        const char* path = test_data_path(files[i]);
        snReadDef read = sn_read_def();
        read.images = SN_IMAGES_ALL;
        snModel *model = NULL, *again = NULL;
        assert_ok(sn_model_read(path, &read, &model, NULL));
        Still s = still_of(model);
        snWriteDef def = sn_write_def();
        def.still = s.surfaces;
        assert_ok(sn_model_write(model, test_out_path("worn.glb"), &def, NULL));
        assert_still(test_out_path("worn.glb"), &s);
        assert_ok(sn_model_read(test_out_path("worn.glb"), &read, &again, NULL));
        assert_int_equal(again->material_count, model->material_count);
        for (uint32_t m = 0; m < model->material_count; m++) {
            const snMaterial *a = &model->materials[m], *b = &again->materials[m];
            assert_string_equal(a->name, b->name);
            assert_int_equal(a->image != NULL, b->image != NULL);
            if (a->image == NULL) continue;
            assert_memory_equal(a->image->pixels, b->image->pixels,
                                (size_t)4 * a->image->width * a->image->height);
        }
        for (uint32_t p = 0; p < model->part_count; p++) {
            const snPart *a = &model->parts[p], *b = &again->parts[p];
            assert_int_equal(a->mesh->uv_count, b->mesh->uv_count);
            if (a->group_materials != NULL)
                assert_memory_equal(a->group_materials, b->group_materials,
                                    a->mesh->group_count * sizeof(uint32_t));
        }
        sn_model_destroy(again);
        still_free(&s);
    }
}

static void others_are_refused(void** state) {
    (void)state;
    Still s = still_of(read_quad("", NULL));
    snWriteDef def = sn_write_def();
    snError error = sn_error_none();
    def.still = s.surfaces;
    assert_int_equal(sn_model_write(s.model, "x.obj", &def, &error), SN_RESULT_UNSUPPORTED);
    assert_int_equal(sn_model_write(s.model, "x.bvh", &def, &error), SN_RESULT_UNSUPPORTED);
    s.surfaces[0].vertex_count--;
    assert_int_equal(sn_model_write(s.model, "x.glb", &def, &error), SN_RESULT_INVALID_ARGUMENT);
    assert_non_null(strstr(error.text, "vertices"));
    still_free(&s);
    snTubeDef tube = sn_tube_def();
    snModel* model = NULL;
    assert_ok(sn_builtin_tube(&tube, NULL, &model, NULL));
    s = still_of(model);
    def.still = s.surfaces;
    assert_int_equal(sn_model_write(s.model, "x.glb", &def, &error), SN_RESULT_UNSUPPORTED);
    assert_non_null(strstr(error.text, "came from glTF"));
    still_free(&s);
}

static snResult build(const snAllocator* allocator, void* context) {
    (void)context;
    snModel* model = read_quad("", allocator);
    if (model == NULL) return SN_RESULT_OUT_OF_MEMORY;
    Still s = still_of(model);
    snWriteDef def = sn_write_def();
    def.still = s.surfaces;
    snResult result = sn_model_write(model, test_out_path("still_memory.glb"), &def, NULL);
    still_free(&s);
    return result;
}

static void survives_every_failing_allocation(void** state) {
    (void)state;
    test_every_allocation(build, NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_still_stands_where_it_was_posed),
        cmocka_unit_test(nodes_may_stand_anywhere),
        cmocka_unit_test(mirrors_turn_nothing_inside_out),
        cmocka_unit_test(materials_stay_as_they_are),
        cmocka_unit_test(others_are_refused),
        cmocka_unit_test(survives_every_failing_allocation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
