// The guess for unmarked meshes: limbs where there are limbs, joints near the joints, left as right, and no
// more confidence than there is reason for.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "shapes.h"
#ifdef SINEW_TEST_IO
#include "sinew/io.h"
#endif

typedef struct Guess {
    snMesh* mesh;
    snHandles* handles;
    float confidence;
} Guess;

// Takes the mesh over.
static Guess guess(snMesh* mesh, float detail) {
    Guess g = {.mesh = mesh};
    snSegmentationDef def = sn_segmentation_def();
    snError error = sn_error_none();
    def.mesh = mesh;
    def.detail = detail;
    if (sn_segmentation_create(&def, NULL, &g.handles, &g.confidence, &error) != SN_RESULT_OK)
        fail_msg("%s", error.text);
    assert_ok(sn_handles_validate(g.handles, mesh, NULL));
    assert_true(g.confidence >= 0.0f && g.confidence <= 1.0f);
    return g;
}

static void guess_free(Guess* g) {
    sn_handles_destroy(g->handles);
    sn_mesh_destroy(g->mesh);
}

static snMesh* mesh_of(snModel* model) {
    snMesh* mesh = NULL;
    assert_ok(sn_model_merge_mesh(model, NULL, &mesh, NULL));
    sn_model_destroy(model);
    return mesh;
}

static snModel* body(uint32_t vertices, bool quads) {
    snBodyDef def = sn_body_def();
    def.vertex_target = vertices;
    def.quads = quads;
    snModel* model = NULL;
    assert_ok(sn_builtin_body(&def, NULL, &model, NULL));
    return model;
}

static const snHandle* find(const Guess* g, const char* name) {
    uint32_t h = sn_handles_find(g->handles, name);
    if (h == SN_NONE) fail_msg("there is no handle %s", name);
    return &g->handles->handles[h];
}

static float free_share(const Guess* g) {
    uint32_t held = 0;
    for (uint32_t h = 0; h < g->handles->handle_count; h++) held += g->handles->handles[h].vertex_count;
    return 1.0f - (float)held / (float)g->handles->vertex_count;
}

// Does the first hang on the second?
static void assert_hangs(const Guess* g, const char* name, const char* on) {
    uint8_t marks[SN_HANDLES_MAX];
    sn_handles_followers(g->handles, sn_handles_find(g->handles, on), marks);
    if (!marks[sn_handles_find(g->handles, name)]) fail_msg("%s does not hang on %s", name, on);
}

static const char* const PERSON[] = {"hips",
                                     "chest",
                                     "head",
                                     "left_upper_arm",
                                     "left_lower_arm",
                                     "left_hand",
                                     "left_upper_leg",
                                     "left_lower_leg",
                                     "left_foot",
                                     "right_upper_arm",
                                     "right_lower_arm",
                                     "right_hand",
                                     "right_upper_leg",
                                     "right_lower_leg",
                                     "right_foot"};
enum { PERSON_COUNT = sizeof PERSON / sizeof PERSON[0] };

static void assert_person(const Guess* g) {
    assert_int_equal(g->handles->handle_count, PERSON_COUNT);
    for (size_t i = 0; i < PERSON_COUNT; i++) find(g, PERSON[i]);
    for (size_t i = 1; i < PERSON_COUNT; i++) assert_hangs(g, PERSON[i], "hips");
    assert_hangs(g, "left_hand", "left_upper_arm");
    assert_hangs(g, "left_upper_arm", "chest");
    assert_hangs(g, "head", "chest");
    assert_hangs(g, "right_foot", "right_lower_leg");
    assert_true(find(g, "left_hand")->position.x > 0.5f); // +X is left of who faces +Z
    assert_true(free_share(g) > 0.08f && free_share(g) < 0.4f);
    assert_true(g->confidence > 0.6f);
}

// Left mirrors right within a share of the size, in the middle of the bounds.
static void assert_symmetric(const Guess* g, float tolerance) {
    snBounds bounds = sn_bounds_of(g->mesh->positions, g->mesh->vertex_count);
    for (uint32_t h = 0; h < g->handles->handle_count; h++) {
        const snHandle* handle = &g->handles->handles[h];
        if (strncmp(handle->name, "left_", 5) != 0) continue;
        char other[96];
        snprintf(other, sizeof other, "right_%s", handle->name + 5);
        snVec3 mirrored = find(g, other)->center;
        mirrored.x = bounds.min.x + bounds.max.x - mirrored.x;
        assert_vec3_near(handle->center, mirrored, tolerance * g->handles->size);
    }
}

// The handle of every vertex, SN_NONE: free. The caller frees it.
static uint32_t* labels_of(const Guess* g) {
    uint32_t* labels = malloc(g->mesh->vertex_count * sizeof *labels);
    for (uint32_t v = 0; v < g->mesh->vertex_count; v++) labels[v] = SN_NONE;
    for (uint32_t h = 0; h < g->handles->handle_count; h++) {
        const snHandle* handle = &g->handles->handles[h];
        for (uint32_t i = 0; i < handle->vertex_count; i++) labels[handle->vertices[i]] = h;
    }
    return labels;
}

static uint32_t other_side(const Guess* g, uint32_t h) {
    if (h == SN_NONE) return SN_NONE;
    const char* name = g->handles->handles[h].name;
    char other[96];
    if (strncmp(name, "left_", 5) == 0)
        snprintf(other, sizeof other, "right_%s", name + 5);
    else if (strncmp(name, "right_", 6) == 0)
        snprintf(other, sizeof other, "left_%s", name + 6);
    else
        return h;
    return sn_handles_find(g->handles, other);
}

// Vertices at mirrored places are in mirrored handles. Looks at those off the middle with one partner only.
static void assert_mirrored(const Guess* g) {
    uint32_t* labels = labels_of(g);
    const snVec3* positions = g->mesh->positions;
    float near = 1e-5f * g->handles->size;
    uint32_t compared = 0;
    for (uint32_t v = 0; v < g->mesh->vertex_count; v += 7) {
        uint32_t partner = SN_NONE;
        for (uint32_t w = 0; w < g->mesh->vertex_count; w++) {
            snVec3 at = sn_vec3(-positions[w].x, positions[w].y, positions[w].z);
            if (sn_distance(positions[v], at) < near) partner = w;
        }
        if (partner == SN_NONE || fabsf(positions[v].x) < 2.0f * near) continue;
        if (labels[partner] != other_side(g, labels[v]))
            fail_msg("vertex %u is not as vertex %u", v, partner);
        compared++;
    }
    free(labels);
    assert_true(compared > g->mesh->vertex_count / 14);
}

static void a_person_is_found(void** state) {
    (void)state;
    snModel* model = body(28000, true);
    snMat4* world = calloc(model->skeleton->joint_count, sizeof *world);
    sn_skeleton_world(model->skeleton, NULL, world);
    // Where the skeleton inside has its joints, and how far off a guess may be, in metres.
    static const struct {
        const char *handle, *joint;
        float tolerance;
    } places[] = {{"left_lower_arm", "LeftLowerArm", 0.06f},
                  {"left_hand", "LeftHand", 0.06f},
                  {"left_lower_leg", "LeftLowerLeg", 0.08f},
                  {"left_foot", "LeftFoot", 0.08f},
                  {"left_upper_arm", "LeftUpperArm", 0.08f},
                  {"left_upper_leg", "LeftUpperLeg", 0.12f},
                  {"head", "Head", 0.1f}};
    snVec3 joints[7];
    for (size_t i = 0; i < 7; i++) {
        uint32_t j = sn_skeleton_find(model->skeleton, places[i].joint);
        assert_true(j != SN_NONE);
        joints[i] = sn_mat4_translation(&world[j]);
    }
    free(world);
    Guess g = guess(mesh_of(model), 0.5f);
    assert_person(&g);
    assert_symmetric(&g, 1e-6f);
    assert_mirrored(&g);
    for (size_t i = 0; i < 7; i++) {
        float off = sn_distance(find(&g, places[i].handle)->center, joints[i]);
        if (off > places[i].tolerance) fail_msg("%s is %.3f m off", places[i].handle, (double)off);
    }
    guess_free(&g);
}

// The same body from other meshes of it, larger and elsewhere.
static void meshes_and_places_do_not_matter(void** state) {
    (void)state;
    for (int round = 0; round < 3; round++) {
        snMesh* mesh = mesh_of(body(round == 0 ? 3000 : 9000, round == 1));
        for (uint32_t v = 0; v < mesh->vertex_count && round == 2; v++)
            mesh->positions[v] = sn_add(sn_scale(mesh->positions[v], 40.0f), sn_vec3(3, -70, 11));
        Guess g = guess(mesh, 0.5f);
        assert_int_equal(g.handles->handle_count, PERSON_COUNT);
        for (size_t i = 0; i < PERSON_COUNT; i++) find(&g, PERSON[i]);
        guess_free(&g);
    }
}

static void finer_detail_finds_more(void** state) {
    (void)state;
    Guess coarse = guess(mesh_of(body(28000, true)), 1.0f), fine = guess(mesh_of(body(28000, true)), 0.05f);
    assert_true(fine.handles->handle_count >= coarse.handles->handle_count + 10);
    assert_hangs(&fine, "left_1_finger", "left_hand"); // the thumb
    assert_hangs(&fine, "right_4_finger_2", "right_4_finger_1");
    assert_true(fine.confidence < coarse.confidence);
    guess_free(&coarse);
    guess_free(&fine);
}

static void the_band_widens_what_is_free(void** state) {
    (void)state;
    snMesh* mesh = mesh_of(body(9000, true));
    float last = -1.0f;
    for (int i = 0; i < 3; i++) {
        snSegmentationDef def = sn_segmentation_def();
        Guess g = {.mesh = mesh};
        def.mesh = mesh;
        def.band = (float)i;
        assert_ok(sn_segmentation_create(&def, NULL, &g.handles, NULL, NULL));
        assert_true(free_share(&g) > last);
        if (i == 0) assert_near(free_share(&g), 0.0f, 0.0f);
        last = free_share(&g);
        sn_handles_destroy(g.handles);
    }
    sn_mesh_destroy(mesh);
}

// A cube, a bar, a sheet: nothing crashes, something holds them, and nothing is claimed to be sure.
static void shapes_without_limbs(void** state) {
    (void)state;
    snModel *cube = NULL, *tube = NULL, *sheet = NULL;
    snTubeDef def = sn_tube_def();
    assert_ok(sn_builtin_cube(1.0f, 6, true, NULL, &cube, NULL));
    assert_ok(sn_builtin_tube(&def, NULL, &tube, NULL));
    assert_ok(sn_builtin_sheet(1.0f, 8, true, NULL, &sheet, NULL));
    Guess guesses[] = {guess(mesh_of(cube), 0.5f), guess(mesh_of(sheet), 0.5f), guess(mesh_of(tube), 0.5f),
                       guess(test_cube(sn_vec3(0, 0, 0)), 0.5f)};
    for (size_t i = 0; i < sizeof guesses / sizeof guesses[0]; i++) {
        assert_true(guesses[i].handles->handle_count >= 1);
        guess_free(&guesses[i]);
    }
}

// A person and a ball beside its left hand: the ball goes with the hand.
static void loose_pieces_go_with_what_is_near(void** state) {
    (void)state;
    snMesh *person = mesh_of(body(5000, false)), *ball = test_cube(sn_vec3(0, 0, 0));
    uint32_t points = person->vertex_count, faces = person->face_count, corners = person->corner_count;
    snVec3* positions = calloc(points + 8, sizeof *positions);
    uint32_t* starts = calloc(faces + 7, sizeof *starts);
    uint32_t* all = calloc(corners + 24, sizeof *all);
    memcpy(positions, person->positions, points * sizeof *positions);
    memcpy(starts, person->face_starts, (faces + 1) * sizeof *starts);
    memcpy(all, person->corners, corners * sizeof *all);
    for (uint32_t v = 0; v < 8; v++)
        positions[points + v] = sn_add(sn_scale(ball->positions[v], 0.05f), sn_vec3(0.8f, 1.45f, 0));
    for (uint32_t c = 0; c < 24; c++) all[corners + c] = points + ball->corners[c];
    for (uint32_t f = 1; f <= 6; f++) starts[faces + f] = corners + 4 * f;
    snMeshDef def = {.vertex_count = points + 8,
                     .face_count = faces + 6,
                     .corner_count = corners + 24,
                     .positions = positions,
                     .face_starts = starts,
                     .corners = all};
    snMesh* both = NULL;
    assert_ok(sn_mesh_create(&def, NULL, &both, NULL));
    Guess g = guess(both, 0.5f);
    const snHandle* hand = find(&g, "left_hand");
    for (uint32_t v = 0; v < 8; v++) assert_int_equal(hand->vertices[hand->vertex_count - 8 + v], points + v);
    guess_free(&g);
    free(positions);
    free(starts);
    free(all);
    sn_mesh_destroy(person);
    sn_mesh_destroy(ball);
}

// Which plate of a robot a face would be on: cut through waist, neck, shoulders, elbows, wrists, hips and
// knees.
static uint32_t plate_of(snVec3 at) {
    float x = fabsf(at.x);
    uint32_t side = at.x > 0.0f;
    if (at.y > 1.53f) return 1;
    if (x > 0.2f && at.y > 1.2f) return 2 + 2 * (x < 0.43f ? 0u : x < 0.67f ? 1u : 2u) + side;
    if (at.y < 0.85f) return 8 + 2 * (at.y > 0.5f ? 0u : 1u) + side;
    return at.y < 1.05f ? 12 : 0;
}

// The body in 13 plates that share no vertex, each shrunk by some millimetres so that gaps show.
static snMesh* plates(uint32_t vertices) {
    snMesh* whole = mesh_of(body(vertices, false));
    uint32_t corners = whole->corner_count, *all = calloc(corners, sizeof *all),
             *plate = calloc(corners, sizeof *plate);
    snVec3 *positions = calloc(corners, sizeof *positions), sums[13] = {{0, 0, 0}};
    float counts[13] = {0};
    for (uint32_t f = 0; f < whole->face_count; f++) {
        uint32_t begin = whole->face_starts[f], end = whole->face_starts[f + 1];
        uint32_t own = plate_of(whole->positions[whole->corners[begin]]);
        for (uint32_t c = begin; c < end; c++) {
            all[c] = c;
            plate[c] = own;
            positions[c] = whole->positions[whole->corners[c]];
            sums[own] = sn_add(sums[own], positions[c]);
            counts[own] += 1.0f;
        }
    }
    for (uint32_t c = 0; c < corners; c++)
        positions[c] = sn_lerp(positions[c], sn_scale(sums[plate[c]], 1.0f / counts[plate[c]]), 0.02f);
    snMeshDef def = {.vertex_count = corners,
                     .face_count = whole->face_count,
                     .corner_count = corners,
                     .positions = positions,
                     .face_starts = whole->face_starts,
                     .corners = all};
    snMesh* mesh = NULL;
    assert_ok(sn_mesh_create(&def, NULL, &mesh, NULL));
    sn_mesh_destroy(whole);
    free(all);
    free(plate);
    free(positions);
    return mesh;
}

// A body in plates has the limbs of one in one piece, about where that has them, and is less sure of them.
static void loose_plates_have_limbs(void** state) {
    (void)state;
    Guess whole = guess(mesh_of(body(9000, false)), 0.5f), loose = guess(plates(9000), 0.5f);
    assert_int_equal(loose.handles->handle_count, PERSON_COUNT);
    for (size_t i = 0; i < PERSON_COUNT; i++) {
        float off = sn_distance(find(&loose, PERSON[i])->center, find(&whole, PERSON[i])->center);
        if (off > 0.12f) fail_msg("%s is %.3f m off", PERSON[i], (double)off);
    }
    assert_true(loose.confidence < 0.9f * whole.confidence);
    guess_free(&whole);
    guess_free(&loose);
}

static void the_same_bits_every_time(void** state) {
    (void)state;
    Guess a = guess(mesh_of(body(5000, true)), 0.5f), b = guess(mesh_of(body(5000, true)), 0.5f);
    for (uint32_t h = 0; h < a.handles->handle_count; h++) {
        const snHandle *x = &a.handles->handles[h], *y = &b.handles->handles[h];
        assert_int_equal(x->vertex_count, y->vertex_count);
        assert_memory_equal(x->vertices, y->vertices, x->vertex_count * sizeof *x->vertices);
        assert_memory_equal(&x->center, &y->center, sizeof x->center);
    }
    guess_free(&a);
    guess_free(&b);
}

static void bad_input_is_refused(void** state) {
    (void)state;
    snSegmentationDef def = sn_segmentation_def();
    snHandles* out = NULL;
    snError error = sn_error_none();
    float confidence = 9.0f;
    assert_int_equal(sn_segmentation_create(&def, NULL, &out, &confidence, &error),
                     SN_RESULT_INVALID_ARGUMENT);
    snMesh* grid = test_grid(2);
    def.mesh = grid;
    def.detail = 1.5f;
    assert_int_equal(sn_segmentation_create(&def, NULL, &out, &confidence, &error),
                     SN_RESULT_INVALID_ARGUMENT);
    def.detail = NAN;
    assert_int_equal(sn_segmentation_create(&def, NULL, &out, &confidence, &error),
                     SN_RESULT_INVALID_ARGUMENT);
    def.detail = 0.5f;
    def.band = -1.0f;
    assert_int_equal(sn_segmentation_create(&def, NULL, &out, &confidence, &error),
                     SN_RESULT_INVALID_ARGUMENT);
    def.band = 1.0f;
    for (uint32_t v = 0; v < grid->vertex_count; v++) grid->positions[v] = sn_vec3(1, 1, 1);
    assert_int_equal(sn_segmentation_create(&def, NULL, &out, &confidence, &error), SN_RESULT_BAD_DATA);
    assert_string_equal(error.text, "the mesh has no surface to divide");
    snMeshDef points = {.vertex_count = 3, .positions = grid->positions};
    snMesh* cloud = NULL;
    assert_ok(sn_mesh_create(&points, NULL, &cloud, NULL));
    def.mesh = cloud;
    assert_int_equal(sn_segmentation_create(&def, NULL, &out, &confidence, &error), SN_RESULT_BAD_DATA);
    assert_null(out);
    assert_near(confidence, 9.0f, 0.0f);
    sn_mesh_destroy(cloud);
    sn_mesh_destroy(grid);
}

static snResult build(const snAllocator* allocator, void* context) {
    snSegmentationDef def = sn_segmentation_def();
    def.mesh = context;
    snHandles* handles = NULL;
    snResult result = sn_segmentation_create(&def, allocator, &handles, NULL, NULL);
    sn_handles_destroy(handles);
    return result;
}

static void survives_every_failing_allocation(void** state) {
    (void)state;
    snMesh *mesh = mesh_of(body(1000, true)), *loose = plates(1000);
    test_every_allocation(build, mesh);
    test_every_allocation(build, loose);
    sn_mesh_destroy(mesh);
    sn_mesh_destroy(loose);
}

// --------------------------------------------------------------------------------------------------- data

#ifdef SINEW_TEST_IO
static Guess guess_file(const char* path) {
    snModel* model = NULL;
    snError error = sn_error_none();
    if (sn_model_read(path, NULL, &model, &error) != SN_RESULT_OK) fail_msg("%s: %s", path, error.text);
    return guess(mesh_of(model), 0.5f);
}

static void a_scanned_man(void** state) {
    (void)state;
    const char* path = test_data_path("meshes/human_man_smpl.obj");
    Guess g = guess_file(path);
    assert_person(&g);
    assert_symmetric(&g, 1e-6f);
    guess_free(&g);
}

// A cow that looks along -Z: her own left is -X.
static void a_cow(void** state) {
    (void)state;
    const char* path = test_data_path("meshes/spot_quadrangulated.obj");
    Guess g = guess_file(path);
    static const char* const legs[] = {"left_front_leg", "right_front_leg", "left_back_leg",
                                       "right_back_leg"};
    for (int i = 0; i < 4; i++) assert_hangs(&g, legs[i], "body");
    assert_hangs(&g, "head", "body");
    assert_true(find(&g, "head")->position.z < find(&g, "body")->position.z);
    assert_true(find(&g, "left_front_leg")->position.x < 0.0f);
    assert_true(find(&g, "left_front_leg")->position.z < find(&g, "left_back_leg")->position.z);
    assert_hangs(&g, "left_horn", "head");
    assert_true(find(&g, "left_horn")->position.x < 0.0f);
    assert_symmetric(&g, 1e-6f);
    assert_mirrored(&g);
    guess_free(&g);
}

// Eight legs, two claws and a tail of several pieces. Legs begin beside the body, not in it.
static void a_scorpion(void** state) {
    (void)state;
    const char* path = test_data_path("meshes/scorpion_low.obj");
    Guess g = guess_file(path);
    for (int i = 1; i <= 7; i++) {
        char left[32], right[32];
        snprintf(left, sizeof left, i <= 4 ? "left_%d_foot" : "left_claw_%d", i <= 4 ? i : i - 4);
        snprintf(right, sizeof right, i <= 4 ? "right_%d_foot" : "right_claw_%d", i <= 4 ? i : i - 4);
        assert_true(find(&g, left)->position.x > 0.0f);
        assert_true(find(&g, right)->position.x < 0.0f);
    }
    for (int i = 1; i <= 4; i++) {
        char leg[32];
        snprintf(leg, sizeof leg, "left_%d_upper_leg", i);
        assert_true(find(&g, leg)->center.x > 0.6f && find(&g, leg)->center.x < 1.1f); // the body is 1.5 wide
    }
    assert_hangs(&g, "tail_4", "tail_1");
    guess_free(&g);
}

static void ugly_meshes_do_no_harm(void** state) {
    (void)state;
    static const char* const names[] = {"ugly/fused_vertices.off", "ugly/plane_holes.obj"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const char* path = test_data_path(names[i]);
        Guess g = guess_file(path);
        guess_free(&g);
    }
}
#endif

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_person_is_found),
        cmocka_unit_test(meshes_and_places_do_not_matter),
        cmocka_unit_test(finer_detail_finds_more),
        cmocka_unit_test(the_band_widens_what_is_free),
        cmocka_unit_test(shapes_without_limbs),
        cmocka_unit_test(loose_pieces_go_with_what_is_near),
        cmocka_unit_test(loose_plates_have_limbs),
        cmocka_unit_test(the_same_bits_every_time),
        cmocka_unit_test(bad_input_is_refused),
        cmocka_unit_test(survives_every_failing_allocation),
#ifdef SINEW_TEST_IO
        cmocka_unit_test(a_scanned_man),
        cmocka_unit_test(a_cow),
        cmocka_unit_test(a_scorpion),
        cmocka_unit_test(ugly_meshes_do_no_harm),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
