// Contact inside of bends: tubes that would pass through themselves, and bodies that must not be touched.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "volume_support.h"

#define DEGREES 0.017453293f
static const snVec3 SIDE = {0, 0, 1};

typedef struct Limb {
    VolumeScene scene;
    snContact* contact;
    void* scratch;
} Limb;

// A tube of two bones whose radius is a fifth of its length.
static Limb thick_tube(bool dual) {
    snTubeDef def = sn_tube_def();
    def.length = 2.0f;
    def.radius = 0.4f;
    def.segments = 2;
    def.sides = 32;
    def.rings = 48;
    snModel* model = NULL;
    assert_ok(sn_builtin_tube(&def, NULL, &model, NULL));
    Limb limb = {.scene = scene_of(model)};
    limb.scene.def.dual = dual;
    scene_build(&limb.scene);
    assert_ok(sn_contact_create(&limb.scene.def, NULL, &limb.contact, NULL));
    limb.scratch = aligned_alloc(64, (sn_contact_scratch_size(limb.contact) + 63) / 64 * 64);
    return limb;
}

static void limb_destroy(Limb* limb) {
    sn_contact_destroy(limb->contact);
    free(limb->scratch);
    scene_destroy(&limb->scene);
}

static void limb_press(Limb* limb, float* out_moved) {
    snContactJob job = {.contact = limb->contact,
                        .matrices = limb->scene.matrices,
                        .positions = &limb->scene.positions,
                        .normals = &limb->scene.normals,
                        .scratch = limb->scratch,
                        .out_moved = out_moved};
    assert_ok(sn_contact_run(&job));
}

static void limb_bend(Limb* limb, float degrees) {
    scene_rest(&limb->scene);
    scene_turn(&limb->scene, 1, SIDE, degrees * DEGREES);
    scene_skin(&limb->scene);
}

static uint32_t count_crossings(const VolumeScene* s, const snVec3* positions) {
    uint32_t count = sn_mesh_triangle_count(s->mesh);
    uint32_t(*triangles)[3] = malloc(count * sizeof *triangles);
    sn_mesh_triangulate(s->mesh, triangles[0]);
    for (uint32_t i = 0; i < count; i++) // seams are closed: equal places are one point
        for (int k = 0; k < 3; k++) {
            const snWeld* weld = s->model->parts[0].weld;
            triangles[i][k] = weld->vertex_of_point[weld->point_of_vertex[triangles[i][k]]];
        }
    void* scratch = aligned_alloc(64, (sn_crossings_scratch_size(count) + 63) / 64 * 64);
    snCrossingsJob job = {.point_count = s->mesh->vertex_count,
                          .points = positions,
                          .triangle_count = count,
                          .triangles = (const uint32_t(*)[3])triangles,
                          .scratch = scratch};
    assert_ok(sn_crossings_run(&job));
    free(triangles);
    free(scratch);
    return job.out_count;
}

static void parts_what_would_cross(void** state) {
    (void)state;
    for (int dual = 0; dual < 2; dual++) {
        Limb limb = thick_tube(dual == 1);
        uint32_t joint = SN_NONE;
        assert_int_equal(sn_contact_joints(limb.contact, &joint, 1), 1);
        assert_int_equal(joint, 1);
        for (float degrees = 60.0f; degrees <= 150.0f; degrees += 30.0f) {
            limb_bend(&limb, degrees);
            uint32_t before = count_crossings(&limb.scene, limb.scene.plain);
            limb_press(&limb, NULL);
            uint32_t after = count_crossings(&limb.scene, limb.scene.positions);
            if (degrees >= 90.0f) assert_true(before > 20);
            assert_true(after * 10 <= before);
            if (degrees <= 120.0f) assert_int_equal(after, 0);
        }
        limb_destroy(&limb);
    }
}

static snVec3 along_limb(const Limb* limb) {
    return sn_normalize_or(sn_sub(limb->scene.rig[1].place, limb->scene.rig[0].place), SIDE);
}

static snVec3 across_limb(const Limb* limb) {
    snVec3 along = along_limb(limb);
    return sn_normalize_or(sn_cross(along, fabsf(along.z) < 0.9f ? SIDE : sn_vec3(1, 0, 0)), SIDE);
}

// Whichever way it bends, and about whatever axis.
static void works_all_around(void** state) {
    (void)state;
    Limb limb = thick_tube(false);
    for (int i = 0; i < 8; i++) {
        float turn = (float)i * 45.0f * DEGREES;
        snVec3 along = along_limb(&limb), first = across_limb(&limb);
        snVec3 axis = sn_add(sn_scale(first, sn_cos(turn)), sn_scale(sn_cross(along, first), sn_sin(turn)));
        scene_rest(&limb.scene);
        scene_turn(&limb.scene, 1, axis, 100.0f * DEGREES);
        scene_skin(&limb.scene);
        assert_true(count_crossings(&limb.scene, limb.scene.plain) > 20);
        limb_press(&limb, NULL);
        assert_int_equal(count_crossings(&limb.scene, limb.scene.positions), 0);
    }
    limb_destroy(&limb);
}

// A hinge at the surface, as wings and lids have, turned about axes that are not across the limb: its plane
// is twisted, and parts less than one that is not. Most of these poses lie between those that planes are
// tried in.
static void lets_go_where_a_twist_harms(void** state) {
    (void)state;
    Limb limb = thick_tube(true);
    snVec3 along = along_limb(&limb), first = across_limb(&limb), side = sn_cross(along, first);
    limb.scene.rig[1].place = sn_add(limb.scene.rig[1].place, sn_scale(first, 0.4f));
    scene_build(&limb.scene); // the Def names what has moved since
    sn_contact_destroy(limb.contact);
    assert_ok(sn_contact_create(&limb.scene.def, NULL, &limb.contact, NULL));
    uint32_t falls = 0, rises = 0;
    for (int i = 0; i < 8 * 6 * 3; i++) {
        float turn = (float)(i % 8) * 45.0f * DEGREES, tilt = (float)(i / 8 % 6 - 3) * 15.0f * DEGREES;
        if (tilt >= 0.0f) tilt += 15.0f * DEGREES;
        snVec3 axis = sn_add(sn_scale(first, sn_cos(turn)), sn_scale(side, sn_sin(turn)));
        scene_rest(&limb.scene);
        scene_turn(&limb.scene, 1, sn_add(sn_scale(axis, sn_cos(tilt)), sn_scale(along, sn_sin(tilt))),
                   (float)(90 + 30 * (i / 48)) * DEGREES);
        scene_skin(&limb.scene);
        uint32_t before = count_crossings(&limb.scene, limb.scene.plain);
        limb_press(&limb, NULL);
        uint32_t after = count_crossings(&limb.scene, limb.scene.positions);
        falls += after < before;
        rises += after > before;
    }
    assert_true(falls >= 20);
    assert_int_equal(rises, 0);
    limb_destroy(&limb);
}

static void leaves_what_does_not_meet(void** state) {
    (void)state;
    Limb limb = thick_tube(true);
    size_t bytes = limb.scene.mesh->vertex_count * sizeof(snVec3);
    snVec3* normals = malloc(bytes);
    for (int kind = 0; kind < 3; kind++) {
        float moved[2] = {1.0f, 1.0f};
        scene_rest(&limb.scene);
        if (kind == 1) scene_turn(&limb.scene, 1, SIDE, 20.0f * DEGREES);
        if (kind == 2) scene_turn(&limb.scene, 1, sn_vec3(0, 1, 0), 3.0f); // a twist
        scene_skin(&limb.scene);
        memcpy(normals, limb.scene.normals, bytes);
        limb_press(&limb, moved);
        if (kind == 2 && moved[1] != 0.0f) continue; // the tube may lie along another axis
        assert_memory_equal(limb.scene.positions, limb.scene.plain, bytes);
        assert_memory_equal(limb.scene.normals, normals, bytes);
        assert_true(moved[0] == 0.0f && moved[1] == 0.0f);
    }
    free(normals);
    limb_destroy(&limb);
}

static void follows_rigid_motion(void** state) {
    (void)state;
    Limb limb = thick_tube(false);
    uint32_t count = limb.scene.mesh->vertex_count;
    snVec3* still = malloc(count * sizeof *still);
    limb_bend(&limb, 110.0f);
    limb_press(&limb, NULL);
    memcpy(still, limb.scene.positions, count * sizeof *still);
    snTrs trs = {sn_vec3(3, -2, 1), sn_quat_axis_angle(sn_normalize_or(sn_vec3(1, 2, 3), SIDE), 2.0f),
                 sn_vec3(1, 1, 1)};
    snMat4 rigid = sn_mat4_from_trs(&trs);
    for (uint32_t j = 0; j < 2; j++) limb.scene.matrices[j] = sn_mat4_mul(&rigid, &limb.scene.matrices[j]);
    scene_skin(&limb.scene);
    limb_press(&limb, NULL);
    for (uint32_t i = 0; i < count; i++)
        assert_vec3_near(limb.scene.positions[i], sn_mat4_point(&rigid, still[i]), 2e-5f);
    free(still);
    limb_destroy(&limb);
}

// The move has no step in it: its second difference from degree to degree stays small beside the radius.
static void is_smooth_in_time(void** state) {
    (void)state;
    Limb limb = thick_tube(false);
    uint32_t count = limb.scene.mesh->vertex_count;
    snVec3* moves = calloc(3 * (size_t)count, sizeof *moves);
    float largest = 0.0f;
    for (int degrees = 0; degrees <= 178; degrees++) {
        snVec3* now = moves + (size_t)(degrees % 3) * count;
        const snVec3 *last = moves + (size_t)((degrees + 2) % 3) * count,
                     *before = moves + (size_t)((degrees + 1) % 3) * count;
        limb_bend(&limb, (float)degrees);
        limb_press(&limb, NULL);
        for (uint32_t i = 0; i < count; i++) {
            now[i] = sn_sub(limb.scene.positions[i], limb.scene.plain[i]);
            snVec3 bend = sn_add(sn_sub(now[i], sn_scale(last[i], 2.0f)), before[i]);
            if (degrees >= 2) largest = sn_maxf(largest, sn_length(bend));
        }
    }
    assert_true(largest > 0.0f && largest < 0.03f * 0.4f);
    free(moves);
    limb_destroy(&limb);
}

static void keeps_volume_with_exact_volume(void** state) {
    (void)state;
    Limb limb = thick_tube(true);
    for (float degrees = 60.0f; degrees <= 150.0f; degrees += 30.0f) {
        snShellState shell;
        limb_bend(&limb, degrees);
        limb_press(&limb, NULL);
        snExactVolumeJob job = scene_job(&limb.scene);
        job.positions = &limb.scene.positions;
        job.normals = &limb.scene.normals;
        job.out_shells = &shell;
        assert_ok(sn_exact_volume_run(&job));
        assert_near(shell.after / (shell.target - shell.held), 1.0, 1e-6);
        assert_true(fabs(shell.held) <= (degrees < 150.0f ? 0.0 : 0.06) * shell.target);
        // Where a fifth of the volume is gone, giving it back presses the sides together again.
        uint32_t before = count_crossings(&limb.scene, limb.scene.plain),
                 after = count_crossings(&limb.scene, limb.scene.positions);
        assert_true(after <= (degrees < 150.0f ? 0 : before / 5));
        for (uint32_t i = 0; i < limb.scene.mesh->vertex_count; i++)
            assert_near(sn_length(limb.scene.normals[i]), 1.0f, 1e-3);
    }
    limb_destroy(&limb);
}

// Two bars side by side that one joint bends are not one limb: the plane between their ends parts nothing.
static void takes_limbs_only(void** state) {
    (void)state;
    VolumeScene s = scene_tube(2, 8, 12, true);
    scene_build(&s);
    const snMesh* mesh = s.mesh;
    uint32_t vertices = mesh->vertex_count;
    snVec3* positions = malloc(2 * (size_t)vertices * sizeof *positions);
    uint32_t* starts = malloc((2 * (size_t)mesh->face_count + 1) * sizeof *starts);
    uint32_t* corners = malloc(2 * (size_t)mesh->corner_count * sizeof *corners);
    uint16_t* joints = malloc(2 * (size_t)vertices * s.influences * sizeof *joints);
    float* weights = malloc(2 * (size_t)vertices * s.influences * sizeof *weights);
    for (uint32_t i = 0; i < 2 * vertices; i++) {
        snVec3 beside = sn_vec3(0, 0, i < vertices ? -1.0f : 1.0f);
        positions[i] = sn_add(mesh->positions[i % vertices], beside);
        for (uint32_t k = 0; k < s.influences; k++) {
            size_t to = (size_t)i * s.influences + k, from = (size_t)(i % vertices) * s.influences + k;
            joints[to] = s.joints[from];
            weights[to] = s.model->parts[0].weights.weights[from];
        }
    }
    for (uint32_t f = 0; f <= 2 * mesh->face_count; f++)
        starts[f] = f <= mesh->face_count ? mesh->face_starts[f]
                                          : mesh->corner_count + mesh->face_starts[f - mesh->face_count];
    for (uint32_t c = 0; c < 2 * mesh->corner_count; c++)
        corners[c] = mesh->corners[c % mesh->corner_count] + (c < mesh->corner_count ? 0 : vertices);
    snMesh* pair = NULL;
    assert_ok(sn_mesh_create(&(snMeshDef){.vertex_count = 2 * vertices,
                                          .positions = positions,
                                          .face_count = 2 * mesh->face_count,
                                          .corner_count = 2 * mesh->corner_count,
                                          .face_starts = starts,
                                          .corners = corners},
                             NULL, &pair, NULL));
    snVolumePart part = {pair, positions, s.influences, joints, weights};
    snContact* contact = NULL;
    assert_ok(sn_contact_create(&s.def, NULL, &contact, NULL));
    assert_int_equal(sn_contact_joints(contact, NULL, 0), 1);
    sn_contact_destroy(contact);
    s.def.parts = &part;
    assert_ok(sn_contact_create(&s.def, NULL, &contact, NULL));
    assert_int_equal(sn_contact_joints(contact, NULL, 0), 0);
    sn_contact_destroy(contact);
    sn_mesh_destroy(pair);
    void* arrays[] = {positions, starts, corners, joints, weights};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) free(arrays[i]);
    scene_destroy(&s);
}

// Contact made anew, of a limb whose skin is posed so.
static void limb_on_curves(Limb* limb, snResult (*pose)(void* user, const snMat4* joints, snMat4* out)) {
    VolumeScene* scene = &limb->scene;
    const uint16_t* joints = scene->joints;
    const float* weights = scene->model->parts[0].weights.weights;
    snVolumeCurves skin = {.influences = scene->influences,
                           .matrices = &joints,
                           .weights = &weights,
                           .matrix_count = scene->joint_count,
                           .pose = pose,
                           .user = scene};
    scene_build(scene); // the Def names what has moved since
    scene->def.curves = &skin;
    sn_contact_destroy(limb->contact);
    assert_ok(sn_contact_create(&scene->def, NULL, &limb->contact, NULL));
    scene->def.curves = NULL;
}

// A skin that nobody can try: planes are tried by the weights.
static snResult pose_unknown(void* user, const snMat4* joints, snMat4* out_matrices) {
    (void)user, (void)joints, (void)out_matrices;
    return SN_RESULT_UNSUPPORTED;
}

// On curves points slide along their sections; without the frame's matrices they give way as on none.
static void slides_along_sections(void** state) {
    (void)state;
    Limb limb = thick_tube(false);
    size_t count = limb.scene.mesh->vertex_count, bytes = count * sizeof(snVec3);
    snVec3* straight = malloc(bytes);
    limb_bend(&limb, 110.0f);
    limb_press(&limb, NULL);
    memcpy(straight, limb.scene.positions, bytes);
    limb_on_curves(&limb, pose_unknown);
    assert_int_equal(sn_contact_joints(limb.contact, NULL, 0), 1);
    for (int curves = 0; curves < 2; curves++) {
        limb_bend(&limb, 110.0f);
        snContactJob job = {.contact = limb.contact,
                            .matrices = limb.scene.matrices,
                            .curves = curves == 1 ? limb.scene.matrices : NULL,
                            .positions = &limb.scene.positions,
                            .scratch = limb.scratch};
        assert_ok(sn_contact_run(&job));
        bool same = memcmp(straight, limb.scene.positions, bytes) == 0;
        assert_true(same == (curves == 0));
        // Nothing slides further than to the middle of the limb.
        for (size_t i = 0; i < count; i++)
            assert_true(sn_distance(limb.scene.positions[i], limb.scene.plain[i]) < 2.5f * 0.4f);
    }
    free(straight);
    limb_destroy(&limb);
}

// Planes are tried on the skin that the Def names: where it bends the other way than the joints, none helps.
static snResult pose_backwards(void* user, const snMat4* joints, snMat4* out_matrices) {
    (void)user;
    out_matrices[0] = joints[0];
    return sn_mat4_inverse_affine(&joints[1], &out_matrices[1]) ? SN_RESULT_OK : SN_RESULT_BAD_DATA;
}

static void tries_planes_on_the_skin_there_is(void** state) {
    (void)state;
    Limb limb = thick_tube(false);
    assert_int_equal(sn_contact_joints(limb.contact, NULL, 0), 1);
    limb_on_curves(&limb, pose_backwards);
    assert_int_equal(sn_contact_joints(limb.contact, NULL, 0), 0);
    limb_destroy(&limb);
}

static snResult build_with(const snAllocator* allocator, void* context) {
    VolumeScene* s = context;
    snContact* contact = NULL;
    snResult result = sn_contact_create(&s->def, allocator, &contact, NULL);
    sn_contact_destroy(contact);
    return result;
}

static void survives_every_failed_allocation(void** state) {
    (void)state;
    VolumeScene s = scene_tube(2, 8, 6, true);
    scene_build(&s);
    test_every_allocation(build_with, &s);
    scene_destroy(&s);
}

static void refuses_what_is_wrong(void** state) {
    (void)state;
    Limb limb = thick_tube(false);
    limb_bend(&limb, 90.0f);
    snContactJob good = {.contact = limb.contact,
                         .matrices = limb.scene.matrices,
                         .positions = &limb.scene.positions,
                         .scratch = limb.scratch};
    assert_ok(sn_contact_run(&good)); // normals are not needed
    for (int i = 0; i < 4; i++) {
        snContactJob job = good;
        if (i == 0) job.contact = NULL;
        if (i == 1) job.matrices = NULL;
        if (i == 2) job.positions = NULL;
        if (i == 3) job.scratch = NULL;
        assert_int_equal(sn_contact_run(&job), SN_RESULT_INVALID_ARGUMENT);
    }
    snExactVolumeDef def = limb.scene.def;
    uint32_t order[2] = {1, 0};
    def.order = order;
    def.parts = &limb.scene.part; // the scene was copied
    snContact* contact = NULL;
    assert_int_equal(sn_contact_create(&def, NULL, &contact, NULL), SN_RESULT_INVALID_ARGUMENT);
    assert_null(contact);
    limb_destroy(&limb);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parts_what_would_cross),
        cmocka_unit_test(works_all_around),
        cmocka_unit_test(lets_go_where_a_twist_harms),
        cmocka_unit_test(leaves_what_does_not_meet),
        cmocka_unit_test(follows_rigid_motion),
        cmocka_unit_test(is_smooth_in_time),
        cmocka_unit_test(keeps_volume_with_exact_volume),
        cmocka_unit_test(takes_limbs_only),
        cmocka_unit_test(survives_every_failed_allocation),
        cmocka_unit_test(refuses_what_is_wrong),
        cmocka_unit_test(slides_along_sections),
        cmocka_unit_test(tries_planes_on_the_skin_there_is),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
