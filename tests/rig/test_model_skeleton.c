// The parts of a model on another skeleton.
#include <string.h>

#include "support.h"

// A square of two triangles in the plane z = 0 that looks along +z, each corner with its own normal or not.
typedef struct Square {
    snVec3 positions[4], normals[4];
    uint32_t corners[6], starts[3];
    snVec3 lifts[4], leans[4];
    snMorph morph;
    snMeshDef mesh;
} Square;

static void make_square(Square* s, bool corner_normals) {
    static const snVec3 places[4] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}};
    static const uint32_t corners[6] = {0, 1, 2, 0, 2, 3};
    for (int v = 0; v < 4; v++) {
        s->positions[v] = places[v];
        s->normals[v] = sn_vec3(0, 0, 1);
        s->lifts[v] = sn_vec3(0, 0, 0.5f);
        s->leans[v] = sn_vec3(0.25f, 0, 0);
    }
    memcpy(s->corners, corners, sizeof corners);
    for (uint32_t f = 0; f < 3; f++) s->starts[f] = f * 3;
    s->morph = (snMorph){"lift", s->lifts, s->leans};
    s->mesh = (snMeshDef){.vertex_count = 4,
                          .face_count = 2,
                          .corner_count = 6,
                          .positions = s->positions,
                          .face_starts = s->starts,
                          .corners = s->corners,
                          .normal_count = 4,
                          .normals = s->normals,
                          .corner_normals = corner_normals ? s->corners : NULL};
}

static snModel* carried_square(snTrs carrier, bool corner_normals, const snAllocator* allocator) {
    Square square;
    make_square(&square, corner_normals);
    const char* name = "carrier";
    uint32_t parent = SN_NONE;
    snSkeletonDef skeleton = {1, &name, &parent, &carrier};
    snPartDef part = {
        .name = "square", .mesh = &square.mesh, .skin = SN_NONE, .morph_count = 1, .morphs = &square.morph};
    snModelDef def = {.skeleton = &skeleton, .part_count = 1, .parts = &part};
    snModel* model = NULL;
    return sn_model_create(&def, allocator, &model, NULL) == SN_RESULT_OK ? model : NULL;
}

static snModel* make_bones(const snAllocator* allocator) {
    const char* names[] = {"low", "high"};
    uint32_t parents[] = {SN_NONE, 0};
    snTrs rest[] = {sn_trs_identity(), sn_trs_identity()};
    rest[1].translation = sn_vec3(0, 1, 0);
    float times[] = {0.0f, 1.0f}, values[] = {0, 0, 0, 0, 2, 0};
    snChannel channel = {1, SN_PATH_TRANSLATION, SN_INTERPOLATION_LINEAR, 2, 3, times, values};
    snClipDef clip = {"rise", 0.0f, 1, &channel};
    snSkeletonDef skeleton = {2, names, parents, rest};
    snModelDef def = {.skeleton = &skeleton, .clip_count = 1, .clips = &clip};
    snModel* model = NULL;
    return sn_model_create(&def, allocator, &model, NULL) == SN_RESULT_OK ? model : NULL;
}

static snModel* join(snModel* model) {
    snModel* bones = make_bones(NULL);
    const snMesh* mesh = model->parts[0].mesh;
    assert_ok(sn_model_set_skeleton(model, bones->skeleton, NULL));
    assert_ptr_equal(model->parts[0].mesh, mesh); // nothing was copied
    sn_model_destroy(bones);
    return model;
}

static snVec3 face_normal(const snMesh* mesh, uint32_t face) {
    const uint32_t* c = mesh->corners + mesh->face_starts[face];
    const snVec3* p = mesh->positions;
    return sn_normalize_or(sn_cross(sn_sub(p[c[1]], p[c[0]]), sn_sub(p[c[2]], p[c[0]])), sn_vec3(0, 0, 0));
}

static void joints_are_the_skeletons(void** state) {
    (void)state;
    snTrs carrier = sn_trs_identity();
    carrier.translation = sn_vec3(5, 0, 0);
    snModel* model = join(carried_square(carrier, false, NULL));
    assert_int_equal(model->skeleton->joint_count, 3);
    assert_string_equal(model->skeleton->names[1], "high");
    assert_string_equal(model->skeleton->names[2], "square");
    assert_int_equal(model->skeleton->parents[2], SN_NONE);
    assert_int_equal(model->parts[0].joint, 2);
    assert_int_equal(model->parts[0].skin, SN_NONE);
    assert_int_equal(model->clip_count, 0);
    assert_vec3_near(model->parts[0].mesh->positions[2], sn_vec3(6, 1, 0), 0.0f);
    sn_model_destroy(model);
}

// Mirrored and scaled by a hundred: faces still look the way their normals do, and a morph leans the normals
// as much as before, to the other side.
static void a_mirrored_and_scaled_part_keeps_its_outside(void** state) {
    (void)state;
    for (int corner_normals = 0; corner_normals < 2; corner_normals++) {
        snTrs carrier = sn_trs_identity();
        carrier.scale = sn_vec3(-100, 100, 100);
        snModel* model = join(carried_square(carrier, corner_normals, NULL));
        const snPart* part = &model->parts[0];
        assert_vec3_near(part->mesh->positions[2], sn_vec3(-100, 100, 0), 1e-4f);
        for (uint32_t f = 0; f < 2; f++)
            assert_vec3_near(face_normal(part->mesh, f), sn_vec3(0, 0, 1), 1e-6f);
        for (int v = 0; v < 4; v++) {
            assert_vec3_near(part->mesh->normals[v], sn_vec3(0, 0, 1), 1e-6f);
            assert_vec3_near(part->morphs[0].positions[v], sn_vec3(0, 0, 50), 1e-4f);
            assert_vec3_near(part->morphs[0].normals[v], sn_vec3(-0.25f, 0, 0), 1e-6f);
        }
        sn_model_destroy(model);
    }
}

// Two joints, the upper one turned by a right angle in the rest pose but not when the square was bound: the
// upper corners stand where the turned joint has them.
static void a_skin_stands_in_the_rest_pose(void** state) {
    (void)state;
    Square square;
    make_square(&square, false);
    const char* names[] = {"low", "high"};
    uint32_t parents[] = {SN_NONE, 0}, joints[] = {0, 1};
    snTrs rest[] = {sn_trs_identity(), sn_trs_identity()};
    rest[1].translation = sn_vec3(0, 0.5f, 0);
    rest[1].rotation = sn_quat(0, 0, 0.70710678f, 0.70710678f); // x becomes y
    snMat4 binds[] = {sn_mat4_identity(), sn_mat4_identity()};
    binds[1].m[13] = -0.5f;
    uint16_t follows[] = {0, 0, 1, 1};
    float weights[] = {1, 1, 1, 1};
    snSkeletonDef skeleton = {2, names, parents, rest};
    snSkinDef skin = {"skin", 2, joints, binds};
    snPartDef part = {.mesh = &square.mesh, .influences = 1, .joints = follows, .weights = weights};
    snModelDef def = {
        .skeleton = &skeleton, .skin_count = 1, .skins = &skin, .part_count = 1, .parts = &part};
    snModel* model = NULL;
    assert_ok(sn_model_create(&def, NULL, &model, NULL));
    model = join(model);
    const snVec3* p = model->parts[0].mesh->positions;
    assert_vec3_near(p[1], sn_vec3(1, 0, 0), 1e-6f);
    assert_vec3_near(p[2], sn_vec3(-0.5f, 1.5f, 0), 1e-6f); // (1, 0.5) from the joint becomes (-0.5, 1)
    assert_vec3_near(p[3], sn_vec3(-0.5f, 0.5f, 0), 1e-6f);
    sn_model_destroy(model);
}

static void nothing_is_refused(void** state) {
    (void)state;
    snModel* bones = make_bones(NULL);
    snError error = sn_error_none();
    assert_int_equal(sn_model_set_skeleton(NULL, bones->skeleton, &error), SN_RESULT_INVALID_ARGUMENT);
    assert_int_equal(sn_model_set_skeleton(bones, NULL, &error), SN_RESULT_INVALID_ARGUMENT);
    assert_int_equal(bones->clip_count, 1);
    sn_model_destroy(bones);
}

static snResult join_once(const snAllocator* allocator, void* context) {
    (void)context;
    snModel *mesh = carried_square(sn_trs_identity(), true, allocator), *bones = make_bones(allocator);
    snResult result = SN_RESULT_OUT_OF_MEMORY;
    if (mesh != NULL && bones != NULL) {
        result = sn_model_set_skeleton(mesh, bones->skeleton, NULL);
        assert_int_equal(mesh->skeleton->joint_count, result == SN_RESULT_OK ? 3 : 1);
    }
    sn_model_destroy(mesh);
    sn_model_destroy(bones);
    return result;
}

static void running_out_of_memory_leaves_nothing(void** state) {
    (void)state;
    test_every_allocation(join_once, NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(joints_are_the_skeletons),
        cmocka_unit_test(a_mirrored_and_scaled_part_keeps_its_outside),
        cmocka_unit_test(a_skin_stands_in_the_rest_pose),
        cmocka_unit_test(nothing_is_refused),
        cmocka_unit_test(running_out_of_memory_leaves_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
