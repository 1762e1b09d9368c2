// Why joints have no weight: one of each reason around a post, with owners given by hand.
#include <string.h>

#include "base/memory.h"
#include "bind/bone_cells.h"
#include "bind_support.h"

static bool post(int x, int y, int z) { return x >= 2 && x < 4 && y < 24 && z >= 2 && z < 4; }

enum { LOWER, UPPER, TOP, FAR_OFF, BESIDE, DOUBLE, DOT, WITHIN, SMALL, ABOVE, BELOW, BELOW_END, JOINTS };
static const char* const names[JOINTS] = {"lower", "upper",  "top",   "far",   "beside", "double",
                                          "dot",   "within", "small", "above", "below",  "below_end"};

typedef struct Scene {
    snModel* model;
    uint8_t deforming[JOINTS + 1];
    sniBindPose pose;
    sniSurface surface;
    sniBones bones;
    snLattice* lattice;
    sniBoneCells cells;
    sniTop points;
    snBindReport report;
    sniBind bind;
    snBindDef def;
} Scene;

static snSkeletonDef skeleton_def(snTrs* rest) {
    static const uint32_t parents[JOINTS] = {SN_NONE, LOWER, UPPER, SN_NONE, LOWER, SN_NONE,
                                             LOWER,   LOWER, LOWER, LOWER,   ABOVE, BELOW};
    static const snVec3 places[JOINTS] = {
        [LOWER] = {0.3f, 0.1f, 0.3f},   [UPPER] = {0.0f, 1.1f, 0.0f},   [TOP] = {0.0f, 1.1f, 0.0f},
        [FAR_OFF] = {4.0f, 1.2f, 0.3f}, [BESIDE] = {0.55f, 0.3f, 0.0f}, [DOUBLE] = {0.3f, 1.2f, 0.3f},
        [DOT] = {0.0f, 0.0f, 0.0f},     [WITHIN] = {0.0f, 0.4f, 0.0f},  [SMALL] = {0.0f, 0.3f, 0.0f},
        [ABOVE] = {0.0f, 0.6f, 0.0f},   [BELOW] = {0.0f, 0.1f, 0.0f},   [BELOW_END] = {0.0f, 0.1f, 0.0f}};
    for (int j = 0; j < JOINTS; j++) {
        rest[j] = sn_trs_identity();
        rest[j].translation = places[j];
    }
    return (snSkeletonDef){JOINTS, names, parents, rest};
}

static snResult make(Scene* s, const snAllocator* memory) {
    snTrs rest[JOINTS];
    snSkeletonDef skeleton = skeleton_def(rest);
    *s = (Scene){.model = block_model(post, 24, 0.1f, &skeleton), .def = sn_bind_def()};
    memset(s->deforming, 1, JOINTS);
    s->report.allocator = *memory;
    snResult result = sni_bind_pose_create(s->model, memory, &s->pose, NULL);
    if (result == SN_RESULT_OK)
        result = sni_surface_create(s->model, &s->pose, NULL, memory, &s->surface, NULL);
    if (result == SN_RESULT_OK)
        result = sni_bones_create(s->model, &s->surface, &s->pose, s->deforming, memory, &s->bones, NULL);
    snLatticeDef lattice = sn_lattice_def();
    lattice.point_count = s->surface.point_count;
    lattice.points = s->surface.points;
    lattice.triangle_count = s->surface.triangle_count;
    lattice.triangles = s->surface.triangles;
    lattice.cells = 24;
    if (result == SN_RESULT_OK) result = sn_lattice_create(&lattice, memory, &s->lattice, NULL);
    if (result == SN_RESULT_OK)
        result = sni_bone_cells_create(s->lattice, &s->surface, &s->bones, memory, &s->cells, NULL);
    if (result == SN_RESULT_OK) result = sni_top_create(s->surface.point_count, memory, &s->points, NULL);
    s->bind = (sniBind){.def = &s->def,
                        .model = s->model,
                        .surface = &s->surface,
                        .pose = &s->pose,
                        .bones = &s->bones,
                        .lattice = s->lattice,
                        .allocator = *memory,
                        .report = &s->report};
    return result;
}

static void unmake(Scene* s) {
    sn_bind_report_free(&s->report);
    sni_top_free(&s->points);
    sni_bone_cells_free(&s->cells);
    sn_lattice_destroy(s->lattice);
    sni_bones_free(&s->bones);
    sni_surface_free(&s->surface);
    sni_bind_pose_free(&s->pose);
    sn_model_destroy(s->model);
}

static const struct {
    uint32_t joint;
    snIdleReason reason;
    uint32_t other;
    const char *name, *text;
} expected[] = {
    {FAR_OFF, SN_IDLE_FAR, SN_NONE, "far", "no piece of the mesh is near it"},
    {BESIDE, SN_IDLE_OUTSIDE, SN_NONE, "outside", "outside the mesh"},
    {DOUBLE, SN_IDLE_OTHER_CHAIN, UPPER, "other-chain", "stands on a joint of another chain: upper"},
    {DOT, SN_IDLE_NO_LENGTH, LOWER, "no-length", "its bone has no length: lower"},
    {WITHIN, SN_IDLE_INSIDE, BELOW, "inside", "inside the flesh of another joint: below"},
    {SMALL, SN_IDLE_DROPPED, SN_NONE, "dropped", "its weights were too small to keep"},
    {ABOVE, SN_IDLE_CHILD, BELOW, "child", "a joint below it has the flesh around it: below"},
};
#define EXPECTED (sizeof expected / sizeof expected[0])

static uint32_t place_of(const Scene* s, uint32_t joint) {
    uint32_t i = 0;
    while (s->bones.joints[i] != joint) i++;
    return i;
}

static snResult find(Scene* s) {
    uint32_t low = place_of(s, LOWER), high = place_of(s, BELOW);
    for (uint32_t p = 0; p < s->surface.point_count; p++)
        sni_top_add(&s->points, p, s->surface.points[p].y < 0.65f ? low : high, 1.0f);
    sni_top_add(&s->points, 0, place_of(s, SMALL), 0.01f);
    s->report.joints_without_weight = SNI_NEW_ARRAY(&s->report.allocator, uint32_t, EXPECTED);
    if (s->report.joints_without_weight == NULL) return SN_RESULT_OUT_OF_MEMORY;
    for (uint32_t i = 0; i < s->bones.joint_count; i++)
        for (size_t k = 0; k < EXPECTED; k++)
            if (s->bones.joints[i] == expected[k].joint)
                s->report.joints_without_weight[s->report.joints_without_weight_count++] = expected[k].joint;
    return sni_idle_find(&s->bind, &s->points, &s->cells, &s->report, NULL);
}

static void every_reason_is_found(void** state) {
    (void)state;
    Scene s;
    snAllocator memory = sni_allocator(NULL);
    assert_ok(make(&s, &memory));
    assert_ok(find(&s));
    assert_int_equal(s.report.joints_without_weight_count, EXPECTED);
    for (size_t k = 0; k < EXPECTED; k++) {
        const snIdleJoint* idle = s.report.idle_joints;
        while (idle->joint != expected[k].joint) idle++;
        char text[200];
        size_t length = sn_idle_text(idle, s.model->skeleton, text, sizeof text);
        assert_string_equal(sn_idle_reason_name(idle->reason), expected[k].name);
        assert_string_equal(text, expected[k].text);
        assert_int_equal(length, strlen(text));
        assert_int_equal(idle->reason, expected[k].reason);
        assert_int_equal(idle->other, expected[k].other);
        assert_int_equal(sn_idle_text(idle, s.model->skeleton, text, 5), 4);
        assert_int_equal(strlen(text), 4);
    }
    unmake(&s);
}

static snResult build(const snAllocator* allocator, void* context) {
    (void)context;
    Scene s;
    snResult result = make(&s, allocator);
    if (result == SN_RESULT_OK) result = find(&s);
    unmake(&s);
    return result;
}

static void every_allocation_may_fail(void** state) {
    (void)state;
    test_every_allocation(build, NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_reason_is_found),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
