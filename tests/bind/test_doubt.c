// Where the ways of binding disagree.
#include <math.h>
#include <string.h>

#include "bind_support.h"

// Two posts beside each other, each with its own bone.
static bool posts(int x, int y, int z) {
    bool left = x >= 1 && x < 3, right = x >= 13 && x < 15, foot = y < 2 && x >= 1 && x < 15;
    return (left || right || foot) && y < 20 && z >= 1 && z < 3;
}

// The same, and a bridge between their tops, as near to one bone as to the other.
static bool bridged(int x, int y, int z) {
    return posts(x, y, z) || (x >= 1 && x < 15 && y >= 18 && y < 20 && z >= 1 && z < 3);
}

static snModel* make(BlockFn* solid) {
    static const char* const names[] = {"foot", "left", "left_top", "right", "right_top"};
    static const uint32_t parents[] = {SN_NONE, 0, 1, 0, 3};
    snTrs rest[5];
    for (int j = 0; j < 5; j++) rest[j] = sn_trs_identity();
    rest[0].translation = sn_vec3(0.8f, 0.1f, 0.2f);
    rest[1].translation = sn_vec3(-0.6f, 0.1f, 0.0f);
    rest[3].translation = sn_vec3(0.6f, 0.1f, 0.0f);
    rest[2].translation = rest[4].translation = sn_vec3(0.0f, 1.75f, 0.0f);
    snSkeletonDef skeleton = {5, names, parents, rest};
    return block_model(solid, 20, 0.1f, &skeleton);
}

static snBindDoubt* ask(const snModel* model, snWeightsMethod method) {
    snBindDef def = sn_bind_def();
    snBindDoubt* doubt = NULL;
    def.method = method;
    def.cells = 40;
    assert_ok(sn_model_doubt(model, &def, &doubt, NULL));
    return doubt;
}

// The bridge is anybody's: it is in doubt, and the posts below it are not.
static void an_ambiguous_piece_is_doubted(void** state) {
    (void)state;
    snModel* model = make(bridged);
    snBindDoubt* doubt = ask(model, SN_WEIGHTS_AUTO);
    const snMesh* mesh = model->parts[0].mesh;
    assert_int_equal(doubt->part_count, 1);
    assert_int_equal(doubt->vertex_starts[1], mesh->vertex_count);
    float bridge = 0.0f, post = 0.0f, largest = 0.0f;
    for (uint32_t v = 0; v < mesh->vertex_count; v++) {
        snVec3 p = mesh->positions[v];
        assert_true(doubt->moves[v] >= 0.0f);
        largest = sn_maxf(largest, doubt->moves[v]);
        if (p.y > 1.75f && p.x > 0.5f && p.x < 1.1f) bridge = sn_maxf(bridge, doubt->moves[v]);
        if (p.y > 0.55f && p.y < 1.45f) post = sn_maxf(post, doubt->moves[v]);
    }
    print_message("doubt of the bridge %.3f, of the posts %.3f, limit %.3f\n", (double)bridge, (double)post,
                  (double)doubt->limit);
    assert_true(bridge > 2.0f * doubt->limit);
    assert_true(post < doubt->limit);
    assert_true(largest == doubt->largest);
    assert_true(doubt->mean > 0.0f && doubt->mean < doubt->largest);
    assert_true(doubt->share > 0.0f && doubt->share < 0.5f);
    float sum = 0.0f;
    for (uint32_t j = 0; j < doubt->joint_count; j++) sum += doubt->joint_shares[j];
    assert_true(fabsf(sum - doubt->share) < 1e-4f);
    sn_bind_doubt_destroy(doubt);
    sn_model_destroy(model);
}

static void a_clear_figure_is_not(void** state) {
    (void)state;
    snModel* clear = make(posts);
    snModel* bridge = make(bridged);
    snBindDoubt *little = ask(clear, SN_WEIGHTS_AUTO), *much = ask(bridge, SN_WEIGHTS_AUTO);
    print_message("share of the posts %.3f, with the bridge %.3f\n", (double)little->share,
                  (double)much->share);
    assert_true(little->share < 0.5f * much->share);
    sn_bind_doubt_destroy(little);
    sn_bind_doubt_destroy(much);
    sn_model_destroy(clear);
    sn_model_destroy(bridge);
}

// Asking changes nothing, and binding says the same beside what it does.
static void binding_says_the_same(void** state) {
    (void)state;
    snModel* model = make(bridged);
    snBindDoubt* doubt = ask(model, SN_WEIGHTS_AUTO);
    assert_int_equal(model->skin_count, 0);
    assert_null(model->binding);
    snBindDef def = sn_bind_def();
    snBindReport report;
    def.cells = 40;
    assert_ok(sn_model_bind(model, &def, &report, NULL));
    assert_null(report.doubt);
    uint64_t plain = weights_hash(model);
    double residual = report.residual;
    sn_bind_report_free(&report);
    def.doubt = true;
    assert_ok(sn_model_bind(model, &def, &report, NULL));
    assert_true(weights_hash(model) == plain);
    assert_true(report.residual == residual);
    assert_true(report.doubt->share == doubt->share && report.doubt->mean == doubt->mean);
    for (uint32_t v = 0; v < doubt->vertex_starts[1]; v++)
        assert_true(report.doubt->moves[v] == doubt->moves[v]);
    sn_bind_report_free(&report);
    // Weights that are auto's own, kept: nothing is nearer to them than auto.
    snBindDoubt* own = ask(model, SN_WEIGHTS_KEEP);
    assert_true(own->largest < doubt->limit);
    sn_bind_doubt_destroy(own);
    sn_bind_doubt_destroy(doubt);
    sn_model_destroy(model);
}

static void bad_arguments_are_refused(void** state) {
    (void)state;
    snModel* model = make(posts);
    snBindDef def = sn_bind_def();
    snBindDoubt* doubt = NULL;
    assert_int_equal(sn_model_doubt(NULL, &def, &doubt, NULL), SN_RESULT_INVALID_ARGUMENT);
    assert_int_equal(sn_model_doubt(model, NULL, &doubt, NULL), SN_RESULT_INVALID_ARGUMENT);
    assert_int_equal(sn_model_doubt(model, &def, NULL, NULL), SN_RESULT_INVALID_ARGUMENT);
    def.method = SN_WEIGHTS_KEEP;
    assert_int_equal(sn_model_doubt(model, &def, &doubt, NULL), SN_RESULT_BAD_DATA);
    assert_null(doubt);
    sn_bind_doubt_destroy(NULL);
    sn_model_destroy(model);
}

static snResult build(const snAllocator* allocator, void* context) {
    (void)context;
    snModel* model = NULL;
    snTubeDef tube = sn_tube_def();
    tube.rings = 6;
    tube.sides = 4;
    snResult result = sn_builtin_tube(&tube, allocator, &model, NULL);
    if (result != SN_RESULT_OK) return result;
    snBindDef def = sn_bind_def();
    snBindDoubt* doubt = NULL;
    def.cells = 8;
    result = sn_model_doubt(model, &def, &doubt, NULL);
    sn_bind_doubt_destroy(doubt);
    sn_model_destroy(model);
    return result;
}

static void every_allocation_may_fail(void** state) {
    (void)state;
    test_every_allocation(build, NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_ambiguous_piece_is_doubted), cmocka_unit_test(a_clear_figure_is_not),
        cmocka_unit_test(binding_says_the_same),         cmocka_unit_test(bad_arguments_are_refused),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
