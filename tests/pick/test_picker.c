// Rays: known answers on a cube, a tube and sheets, the same as looking at every triangle, on surfaces that
// move.
#include "pick/picker.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "shapes.h"
#include "support.h"

// -----------------------------------------------------------------------------------------------------
// scenes

// Meshes that stand still on one joint each.
static snModel* model_of(snMesh** meshes, uint32_t count) {
    static const char* const names[4] = {"a", "b", "c", "d"};
    static const uint32_t parents[4] = {SN_NONE, 0, 0, 0};
    snTrs rest[4];
    snMeshDef mesh_defs[4];
    snPartDef parts[4];
    for (uint32_t i = 0; i < count; i++) {
        rest[i] = sn_trs_identity();
        mesh_defs[i] = sn_mesh_def(meshes[i]);
        parts[i] = (snPartDef){.name = names[i], .mesh = &mesh_defs[i], .joint = i, .skin = SN_NONE};
    }
    snSkeletonDef skeleton = {count, names, parents, rest};
    snModelDef def = {.skeleton = &skeleton, .part_count = count, .parts = parts};
    snModel* model = NULL;
    snError error = sn_error_none();
    if (sn_model_create(&def, NULL, &model, &error) != SN_RESULT_OK) fail_msg("%s", error.text);
    for (uint32_t i = 0; i < count; i++) sn_mesh_destroy(meshes[i]);
    return model;
}

static void surfaces_of(const snModel* model, snSurface* out) {
    for (uint32_t p = 0; p < model->part_count; p++)
        out[p] = (snSurface){.vertex_count = model->parts[p].mesh->vertex_count,
                             .positions = model->parts[p].mesh->positions};
}

static snPicker* picker_of(const snModel* model) {
    snSurface surfaces[4];
    snPicker* picker = NULL;
    surfaces_of(model, surfaces);
    assert_ok(sn_picker_create(model, surfaces, NULL, &picker, NULL));
    return picker;
}

static void turn_inside_out(snMesh* mesh) {
    for (uint32_t f = 0; f < mesh->face_count; f++) {
        uint32_t low = mesh->face_starts[f], high = mesh->face_starts[f + 1] - 1;
        for (; low < high; low++, high--) {
            uint32_t swap = mesh->corners[low];
            mesh->corners[low] = mesh->corners[high];
            mesh->corners[high] = swap;
        }
    }
}

static snModel* body_of(uint32_t vertices) {
    snBodyDef def = sn_body_def();
    def.vertex_target = vertices;
    snModel* model = NULL;
    assert_ok(sn_builtin_body(&def, NULL, &model, NULL));
    return model;
}

// ---------------------------------------------------------------------------------------------- known
// answers

static void a_cube_from_all_sides(void** state) {
    (void)state;
    for (int inside_out = 0; inside_out < 2; inside_out++) {
        snMesh* cube = test_cube(sn_vec3(1, 2, 3));
        if (inside_out) turn_inside_out(cube);
        snModel* model = model_of(&cube, 1);
        snPicker* picker = picker_of(model);
        snVec3 center = sn_vec3(1.5f, 2.5f, 3.5f);
        for (int side = 0; side < 6; side++) {
            float sign = side % 2 == 0 ? 1.0f : -1.0f;
            snVec3 way = {side / 2 == 0 ? sign : 0, side / 2 == 1 ? sign : 0, side / 2 == 2 ? sign : 0};
            // Beside the diagonals of the faces, along which they are fanned.
            snVec3 aside = {side / 2 == 0 ? 0 : 0.1f, side / 2 == 1 ? 0 : 0.25f, side / 2 == 2 ? 0 : 0.4f};
            snVec3 from = sn_add(sn_add(center, aside), sn_scale(way, 4.5f));
            snPick pick;
            assert_true(sn_pick_ray(picker, from, sn_scale(way, -7.0f), &pick));
            assert_near(pick.distance, 4.0f, 1e-5f);
            assert_vec3_near(pick.position, sn_add(sn_add(center, aside), sn_scale(way, 0.5f)), 1e-5f);
            assert_int_equal(pick.back, inside_out);
            assert_int_equal(pick.part + pick.joint, 0);
            const snMesh* mesh = model->parts[0].mesh;
            snVec3 place = {0, 0, 0};
            float sum = 0.0f, least = INFINITY;
            for (int i = 0; i < 3; i++) {
                assert_true(pick.barycentrics[i] >= 0.0f);
                place = sn_add(place, sn_scale(mesh->positions[pick.corners[i]], pick.barycentrics[i]));
                sum += pick.barycentrics[i];
            }
            assert_near(sum, 1.0f, 1e-6f);
            assert_vec3_near(place, pick.position, 1e-5f);
            for (uint32_t v = 0; v < mesh->vertex_count; v++)
                least = sn_minf(least, sn_distance(mesh->positions[v], pick.position));
            assert_near(sn_distance(mesh->positions[pick.vertex], pick.position), least, 1e-6f);
            snVec3 middle;
            assert_true(sn_pick_middle(picker, from, sn_scale(way, -0.01f), &middle));
            assert_vec3_near(middle, sn_add(center, aside), 1e-5f);
            assert_false(sn_pick_ray(picker, from, way, &pick)); // away from it
            assert_false(sn_pick_middle(picker, from, way, &middle));
        }
        sn_picker_destroy(picker);
        sn_model_destroy(model);
    }
}

// Right through edges and corners, where every triangle could leave it to the next.
static void nothing_slips_through(void** state) {
    (void)state;
    snMesh* cube = test_cube(sn_vec3(0, 0, 0));
    snModel* model = model_of(&cube, 1);
    snPicker* picker = picker_of(model);
    static const snVec3 rays[][2] = {{{-1, 0.5f, 0.5f}, {1, 0, 0}},   {{0.5f, 2, 0.5f}, {0, -1, 0}},
                                     {{-1, -1, -1}, {1, 1, 1}},       {{2, 2, 0.5f}, {-1, -1, 0}},
                                     {{0.25f, 0.25f, -3}, {0, 0, 5}}, {{0.5f, 2, 2}, {0, -1, -1}}};
    for (size_t i = 0; i < sizeof rays / sizeof rays[0]; i++) {
        snPick pick;
        snVec3 middle;
        assert_true(sn_pick_ray(picker, rays[i][0], rays[i][1], &pick));
        assert_true(sn_pick_middle(picker, rays[i][0], rays[i][1], &middle));
        assert_true(middle.x > 0.1f && middle.x < 0.9f && middle.y > 0.1f && middle.y < 0.9f &&
                    middle.z > 0.1f && middle.z < 0.9f);
    }
    sn_picker_destroy(picker);
    sn_model_destroy(model);
}

static void the_middle_of_a_tube_is_its_axis(void** state) {
    (void)state;
    snTubeDef def = sn_tube_def();
    snModel* model = NULL;
    assert_ok(sn_builtin_tube(&def, NULL, &model, NULL));
    snPicker* picker = picker_of(model);
    const snSkin* skin = &model->skins[0];
    uint32_t random = 7;
    for (int i = 0; i < 200; i++) {
        float turn = test_random_float(&random, 0.0f, 2.0f * SN_PI);
        snVec3 axis = sn_vec3(0, test_random_float(&random, 0.2f, def.length - 0.2f), 0);
        snVec3 away = sn_vec3(sn_cos(turn), test_random_float(&random, -0.3f, 0.3f), sn_sin(turn));
        snVec3 from = sn_add(axis, sn_scale(away, 5.0f)), middle;
        snPick pick;
        assert_true(sn_pick_middle(picker, from, sn_neg(away), &middle));
        assert_vec3_near(middle, axis, 0.03f);
        assert_true(sn_pick_ray(picker, from, sn_neg(away), &pick));
        assert_false(pick.back);
        // The heaviest joint of the nearest vertex, but for where two are nearly as heavy.
        const snWeights* w = &model->parts[0].weights;
        float own = 0.0f, most = 0.0f;
        for (uint32_t k = 0; k < w->influences; k++) {
            size_t at = (size_t)pick.vertex * w->influences + k;
            most = sn_maxf(most, w->weights[at]);
            if (skin->joints[w->joints[at]] == pick.joint) own += w->weights[at];
        }
        assert_true(own > most - 0.3f);
    }
    sn_picker_destroy(picker);
    sn_model_destroy(model);
}

// A sheet alone, one in front of a cube, a cube within a cube, and one cube behind another.
static void sheets_and_solids(void** state) {
    (void)state;
    snVec3 down = {0, -1, 0}, middle;
    for (int inside_out = 0; inside_out < 2; inside_out++) {
        snMesh* alone = test_grid(4);
        if (inside_out) turn_inside_out(alone);
        snModel* model = model_of(&alone, 1);
        snPicker* picker = picker_of(model);
        assert_true(sn_pick_middle(picker, sn_vec3(1.3f, 5, 1.6f), down, &middle));
        assert_vec3_near(middle, sn_vec3(1.3f, 0, 1.6f), 1e-5f);
        assert_false(sn_pick_middle(picker, sn_vec3(9, 5, 9), down, &middle));
        sn_picker_destroy(picker);
        sn_model_destroy(model);
        snMesh* meshes[4] = {test_grid(4), test_cube(sn_vec3(1, -3, 1)),
                             test_cube(sn_vec3(1.25f, -2.75f, 1.25f)), test_cube(sn_vec3(1, -6, 1))};
        for (uint32_t v = 0; v < meshes[2]->vertex_count; v++) {
            snVec3* p = &meshes[2]->positions[v];
            *p = sn_vec3(1.25f + 0.5f * (p->x - 1.25f), -2.75f + 0.5f * (p->y + 2.75f),
                         1.25f + 0.5f * (p->z - 1.25f));
        }
        if (inside_out) turn_inside_out(meshes[0]);
        model = model_of(meshes, 4);
        picker = picker_of(model);
        snPick pick;
        assert_true(sn_pick_ray(picker, sn_vec3(1.4f, 5, 1.6f), down, &pick));
        assert_int_equal(pick.part, 0);
        assert_true(sn_pick_middle(picker, sn_vec3(1.4f, 5, 1.6f), down, &middle));
        assert_vec3_near(middle, sn_vec3(1.4f, -2.5f, 1.6f), 1e-5f);
        // From below the other cube comes first.
        assert_true(sn_pick_middle(picker, sn_vec3(1.4f, -9, 1.6f), sn_neg(down), &middle));
        assert_vec3_near(middle, sn_vec3(1.4f, -5.5f, 1.6f), 1e-5f);
        assert_true(sn_pick_ray(picker, sn_vec3(1.4f, -9, 1.6f), sn_neg(down), &pick));
        assert_int_equal(pick.part, 3);
        assert_int_equal(pick.joint, 3);
        sn_picker_destroy(picker);
        sn_model_destroy(model);
    }
}

// ------------------------------------------------------------------------------------------------- any
// surface

static bool pick_by_all(const snModel* model, const snSurface* surfaces, snVec3 origin, snVec3 unit,
                        snPick* out) {
    sniRay ray = sni_ray_of(origin, unit);
    double nearest = INFINITY;
    for (uint32_t p = 0; p < model->part_count; p++) {
        const snMesh* mesh = model->parts[p].mesh;
        for (uint32_t f = 0; f < mesh->face_count; f++) {
            for (uint32_t c = mesh->face_starts[f] + 2; c < mesh->face_starts[f + 1]; c++) {
                uint32_t at[3] = {mesh->corners[mesh->face_starts[f]], mesh->corners[c - 1],
                                  mesh->corners[c]};
                snVec3 corners[3] = {surfaces[p].positions[at[0]], surfaces[p].positions[at[1]],
                                     surfaces[p].positions[at[2]]};
                sniRayHit hit;
                if (!sni_ray_meets(&ray, corners, &hit) || hit.at >= nearest) continue;
                nearest = hit.at;
                out->part = p;
                out->face = f;
                out->distance = (float)hit.at;
                memcpy(out->corners, at, sizeof at);
            }
        }
    }
    return nearest < (double)INFINITY;
}

static snVec3 random_place(uint32_t* random, float size) {
    return sn_vec3(test_random_float(random, -size, size), test_random_float(random, -size, size),
                   test_random_float(random, -size, size));
}

static uint32_t compare(const snModel* model, const snPicker* picker, const snSurface* surfaces,
                        uint32_t* random) {
    uint32_t met = 0;
    for (int i = 0; i < 300; i++) {
        snVec3 from = random_place(random, 3.0f), to = random_place(random, 0.25f);
        to.y += 1.0f;
        snVec3 unit = sn_normalize_or(sn_sub(to, from), sn_vec3(0, 1, 0));
        if (i % 10 == 0) unit = sn_vec3(0, 0, -1);
        snPick pick = {0}, all = {0};
        bool hit = sn_pick_ray(picker, from, unit, &pick);
        // The picker makes a unit vector of it once more.
        float most = sn_maxf(fabsf(unit.x), sn_maxf(fabsf(unit.y), fabsf(unit.z)));
        snVec3 d = {unit.x / most, unit.y / most, unit.z / most};
        assert_int_equal(hit, pick_by_all(model, surfaces, from, sn_scale(d, 1.0f / sn_length(d)), &all));
        if (!hit) continue;
        met++;
        assert_int_equal(pick.part, all.part);
        assert_int_equal(pick.face, all.face);
        assert_memory_equal(pick.corners, all.corners, sizeof pick.corners);
        assert_true(pick.distance == all.distance);
        snVec3 along = sn_add(from, sn_scale(unit, pick.distance));
        assert_vec3_near(pick.position, along, 1e-4f);
    }
    return met;
}

// At rest, and as the surface moves, far too.
static void the_same_as_looking_at_every_triangle(void** state) {
    (void)state;
    snModel* model = body_of(3000);
    snPicker* picker = picker_of(model);
    snSurface surfaces[4];
    uint32_t random = 3, count = model->parts[0].mesh->vertex_count;
    surfaces_of(model, surfaces);
    assert_true(compare(model, picker, surfaces, &random) > 50);
    snVec3* moved = malloc(count * sizeof *moved);
    for (int f = 0; f < 4; f++) {
        snQuat turn = test_random_rotation(&random);
        for (uint32_t v = 0; v < count; v++) {
            snVec3 p = surfaces[0].positions[v];
            p.x += 0.1f * sn_sin(5.0f * p.y + (float)f);
            moved[v] = sn_add(sn_quat_rotate(turn, sn_sub(p, sn_vec3(0, 0.9f, 0))), sn_vec3(0, 0.9f, 0));
        }
        snSurface now = {.vertex_count = count, .positions = moved};
        assert_ok(sn_picker_refit(picker, &now));
        assert_true(compare(model, picker, &now, &random) > 50);
    }
    free(moved);
    sn_picker_destroy(picker);
    sn_model_destroy(model);
}

static void what_is_nowhere_is_not_met(void** state) {
    (void)state;
    snMesh* meshes[2] = {test_cube(sn_vec3(0, 0, 0)), test_cube(sn_vec3(0, -2, 0))};
    snModel* model = model_of(meshes, 2);
    snPicker* picker = picker_of(model);
    snVec3 lost[8];
    for (int i = 0; i < 8; i++) lost[i] = sn_vec3(NAN, INFINITY, 0);
    snSurface surfaces[2];
    surfaces_of(model, surfaces);
    surfaces[0].positions = lost;
    assert_ok(sn_picker_refit(picker, surfaces));
    snPick pick;
    assert_true(sn_pick_ray(picker, sn_vec3(0.4f, 5, 0.3f), sn_vec3(0, -1, 0), &pick));
    assert_int_equal(pick.part, 1);
    surfaces[1].positions = lost;
    assert_ok(sn_picker_refit(picker, surfaces));
    assert_false(sn_pick_ray(picker, sn_vec3(0.4f, 5, 0.3f), sn_vec3(0, -1, 0), &pick));
    surfaces_of(model, surfaces);
    assert_ok(sn_picker_refit(picker, surfaces));
    assert_true(sn_pick_ray(picker, sn_vec3(0.4f, 5, 0.3f), sn_vec3(0, -1, 0), &pick));
    assert_int_equal(pick.part, 0);
    sn_picker_destroy(picker);
    sn_model_destroy(model);
}

static void bad_calls_are_refused(void** state) {
    (void)state;
    snMesh* cube = test_cube(sn_vec3(0, 0, 0));
    snModel* model = model_of(&cube, 1);
    snSurface surface;
    surfaces_of(model, &surface);
    snPicker* picker = NULL;
    snError error = sn_error_none();
    assert_int_equal(sn_picker_create(NULL, &surface, NULL, &picker, &error), SN_RESULT_INVALID_ARGUMENT);
    assert_int_equal(sn_picker_create(model, NULL, NULL, &picker, &error), SN_RESULT_INVALID_ARGUMENT);
    assert_int_equal(sn_picker_create(model, &surface, NULL, NULL, &error), SN_RESULT_INVALID_ARGUMENT);
    snSurface few = surface;
    few.vertex_count--;
    assert_int_equal(sn_picker_create(model, &few, NULL, &picker, &error), SN_RESULT_INVALID_ARGUMENT);
    assert_null(picker);
    assert_ok(sn_picker_create(model, &surface, NULL, &picker, &error));
    assert_int_equal(sn_picker_refit(picker, &few), SN_RESULT_INVALID_ARGUMENT);
    assert_int_equal(sn_picker_refit(NULL, &surface), SN_RESULT_INVALID_ARGUMENT);
    snPick pick;
    snVec3 middle, from = {0.5f, 5, 0.4f}, none = {0, 0, 0}, lost = {NAN, 0, 0};
    assert_false(sn_pick_ray(picker, from, none, &pick));
    assert_false(sn_pick_ray(picker, from, lost, &pick));
    assert_false(sn_pick_ray(picker, lost, sn_vec3(0, -1, 0), &pick));
    assert_false(sn_pick_ray(NULL, from, sn_vec3(0, -1, 0), &pick));
    assert_false(sn_pick_middle(picker, from, none, &middle));
    assert_false(sn_pick_middle(NULL, from, sn_vec3(0, -1, 0), &middle));
    assert_true(sn_pick_ray(picker, from, sn_vec3(0, -1e-30f, 0), &pick)); // any length will do
    assert_near(pick.distance, 4.0f, 1e-5f);
    sn_picker_destroy(picker);
    sn_picker_destroy(NULL);
    sn_model_destroy(model);
}

static void a_model_without_faces_is_not_met(void** state) {
    (void)state;
    static const snVec3 points[2] = {{0, 0, 0}, {1, 0, 0}};
    snMesh* cloud = test_triangles(points, 2, NULL, 0);
    snModel* model = model_of(&cloud, 1);
    snPicker* picker = picker_of(model);
    snPick pick;
    assert_false(sn_pick_ray(picker, sn_vec3(0, 1, 0), sn_vec3(0, -1, 0), &pick));
    sn_picker_destroy(picker);
    sn_model_destroy(model);
}

static snResult build(const snAllocator* allocator, void* context) {
    snSurface surface;
    surfaces_of(context, &surface);
    snPicker* picker = NULL;
    snResult result = sn_picker_create(context, &surface, allocator, &picker, NULL);
    sn_picker_destroy(picker);
    return result;
}

static void every_allocation_may_fail(void** state) {
    (void)state;
    snMesh* cube = test_cube(sn_vec3(0, 0, 0));
    snModel* model = model_of(&cube, 1);
    test_every_allocation(build, model);
    sn_model_destroy(model);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_cube_from_all_sides),
        cmocka_unit_test(nothing_slips_through),
        cmocka_unit_test(the_middle_of_a_tube_is_its_axis),
        cmocka_unit_test(sheets_and_solids),
        cmocka_unit_test(the_same_as_looking_at_every_triangle),
        cmocka_unit_test(what_is_nowhere_is_not_met),
        cmocka_unit_test(bad_calls_are_refused),
        cmocka_unit_test(a_model_without_faces_is_not_met),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
