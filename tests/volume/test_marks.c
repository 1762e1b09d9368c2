// Where exact volume says a mesh wants to be fine.
#include <math.h>
#include <stdlib.h>

#include "volume_support.h"

#define SIDES 24u
#define RINGS 96u

// A tube of two bones, whose middle joint has this profile; marks of all vertices, to be freed.
static float* marks_of(VolumeScene* s, const snVolumeProfile* profile, float amount) {
    *s = scene_tube(2, SIDES, RINGS, true);
    s->rig[1].profile = profile;
    s->rig[1].amount = amount;
    scene_build(s);
    float* marks = calloc(s->mesh->vertex_count, sizeof *marks);
    assert_non_null(marks);
    assert_ok(sn_exact_volume_weights(s->volume, 0, marks));
    return marks;
}

static float largest(const float* marks, uint32_t count) {
    float most = 0.0f;
    for (uint32_t v = 0; v < count; v++) most = marks[v] > most ? marks[v] : most;
    return most;
}

// Shares of the most that the surface takes: however thin the tube, the largest is 1.
static void the_largest_mark_is_one(void** state) {
    (void)state;
    for (uint32_t i = 0; sn_volume_preset(i) != NULL; i++) {
        VolumeScene s;
        float* marks = marks_of(&s, sn_volume_preset(i), 1.0f);
        assert_near(largest(marks, s.mesh->vertex_count), 1.0f, 0.0f);
        for (uint32_t v = 0; v < s.mesh->vertex_count; v++) assert_true(marks[v] >= 0.0f);
        free(marks);
        scene_destroy(&s);
    }
}

// A biceps is on one side, but which one only a bend shows.
static void marks_are_the_same_all_around(void** state) {
    (void)state;
    VolumeScene s;
    float* marks = marks_of(&s, sn_volume_preset_find("muscle"), 1.0f);
    for (uint32_t a = 0; a < s.mesh->vertex_count; a++) {
        for (uint32_t b = a + 1; b < s.mesh->vertex_count; b++) {
            snVec3 p = s.mesh->positions[a], q = s.mesh->positions[b];
            bool ring = fabsf(p.y - q.y) < 1e-6f && fabsf(hypotf(p.x, p.z) - hypotf(q.x, q.z)) < 1e-6f;
            if (ring) assert_near(marks[a], marks[b], 1e-4f);
        }
    }
    free(marks);
    scene_destroy(&s);
}

// Folds on both sides of the joint, none at it; their marks are one hill over all of them.
static void valleys_are_marked_as_hills_are(void** state) {
    (void)state;
    const snVolumeProfile rings = {
        .name = "rings",
        .shares = {0.0f, 0.5f, 0.5f},
        .axes = {{.sigma = 0.25f, .folds = 3.0f}, {.sigma = 0.25f}, {.sigma = 0.25f}}};
    VolumeScene s;
    float* marks = marks_of(&s, &rings, 1.0f);
    float joint = s.rig[1].place.y, radius = sn_tube_def().radius;
    for (uint32_t a = 0; a < s.mesh->vertex_count; a++) {
        for (uint32_t b = 0; b < s.mesh->vertex_count; b++) {
            snVec3 p = s.mesh->positions[a], q = s.mesh->positions[b];
            bool side = hypotf(p.x, p.z) > 0.99f * radius && hypotf(q.x, q.z) > 0.99f * radius;
            bool away = (p.y - joint) * (q.y - joint) > 0.0f && fabsf(q.y - joint) > fabsf(p.y - joint);
            if (side && away) assert_true(marks[b] <= marks[a] + 1e-5f);
        }
        if (fabsf(s.mesh->positions[a].y - joint) < 1e-6f) assert_true(marks[a] > 0.99f);
    }
    free(marks);
    scene_destroy(&s);
}

static void joints_of_no_amount_mark_nothing(void** state) {
    (void)state;
    VolumeScene s;
    float* marks = marks_of(&s, sn_volume_preset_find("folds"), 0.0f);
    assert_near(largest(marks, s.mesh->vertex_count), 0.0f, 0.0f);
    free(marks);
    scene_destroy(&s);
}

static void marks_end_with_the_reach(void** state) {
    (void)state;
    VolumeScene s;
    float* marks = marks_of(&s, sn_volume_preset_find("isotropic"), 1.0f);
    for (uint32_t v = 0; v < s.mesh->vertex_count; v++) {
        float away = fabsf(s.mesh->positions[v].y - s.rig[1].place.y);
        if (away > 0.8f * s.rig[1].place.y) assert_near(marks[v], 0.0f, 0.0f);
    }
    free(marks);
    scene_destroy(&s);
}

static void a_part_that_is_not_there_is_refused(void** state) {
    (void)state;
    VolumeScene s;
    float* marks = marks_of(&s, sn_volume_preset_find("rubber"), 1.0f);
    assert_int_equal(sn_exact_volume_weights(s.volume, 1, marks), SN_RESULT_INVALID_ARGUMENT);
    free(marks);
    scene_destroy(&s);
}

static snResult build_marks(const snAllocator* allocator, void* context) {
    const VolumeScene* s = context;
    snExactVolume* volume = NULL;
    snResult result = sn_exact_volume_create(&s->def, allocator, &volume, NULL);
    float* marks = calloc(s->mesh->vertex_count, sizeof *marks);
    if (result == SN_RESULT_OK) result = sn_exact_volume_weights(volume, 0, marks);
    sn_exact_volume_destroy(volume);
    free(marks);
    return result;
}

static void survives_every_failed_allocation(void** state) {
    (void)state;
    VolumeScene s = scene_tube(2, 8, 6, true);
    scene_build(&s);
    test_every_allocation(build_marks, &s);
    scene_destroy(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_largest_mark_is_one),
        cmocka_unit_test(marks_are_the_same_all_around),
        cmocka_unit_test(valleys_are_marked_as_hills_are),
        cmocka_unit_test(joints_of_no_amount_mark_nothing),
        cmocka_unit_test(marks_end_with_the_reach),
        cmocka_unit_test(a_part_that_is_not_there_is_refused),
        cmocka_unit_test(survives_every_failed_allocation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
