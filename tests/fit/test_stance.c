// How meshes stand: every way that axes can lie, on bodies with known answers.
#include "bind_support.h"
#include "sinew/builtin.h"
#include "sinew/fit.h"

#define STANCES 36

// Every way of up and facing; false for those along one line.
static bool stance_at(int index, snStance* out) {
    *out = (snStance){(snAxis)(index / 6 + 1), (snAxis)(index % 6 + 1), SN_STANCE_GIVEN, SN_STANCE_GIVEN};
    return (int)out->up % 3 != (int)out->facing % 3;
}

static snModel* make_body(void) {
    snModel* model = NULL;
    snBodyDef def = sn_body_def();
    def.vertex_target = 3000;
    assert_ok(sn_builtin_body(&def, NULL, &model, NULL));
    return model;
}

// A thing on four legs, a head above the front and a tail behind: +Y up, +Z facing.
static bool animal(int x, int y, int z) {
    bool leg = (x < 3 || (x >= 7 && x < 10)) && (z < 5 || (z >= 15 && z < 18)) && z >= 2 && y < 9;
    bool trunk = x < 10 && y >= 8 && y < 15 && z >= 2 && z < 18;
    bool head = x >= 3 && x < 7 && y >= 13 && y < 20 && z >= 16 && z < 20;
    bool tail = x >= 4 && x < 6 && y >= 12 && y < 14 && z < 2;
    return leg || trunk || head || tail;
}

// A person of blocks with arms held out and feet that point ahead.
static bool person(int x, int y, int z) {
    bool leg = ((x >= 6 && x < 9) || (x >= 11 && x < 14)) && y < 10 && z >= 2 && z < 5;
    bool foot = ((x >= 6 && x < 9) || (x >= 11 && x < 14)) && y < 1 && z >= 2 && z < 7;
    bool trunk = x >= 6 && x < 14 && y >= 9 && y < 17 && z >= 1 && z < 5;
    bool arm = x < 20 && y >= 14 && y < 16 && z >= 2 && z < 4;
    bool head = x >= 8 && x < 12 && y >= 16 && y < 20 && z >= 1 && z < 5;
    return leg || foot || trunk || arm || head;
}

static bool block(int x, int y, int z) { return x < 8 && y < 8 && z < 8; }

static snModel* make_blocks(BlockFn* solid) {
    static const snVec3 places[] = {{0.0f, 0.0f, 0.0f}, {0.0f, 1.0f, 0.0f}};
    return block_model(solid, 20, 0.1f, chain_skeleton(places, 2));
}

static snModel* make_animal(void) { return make_blocks(animal); }
static snModel* make_person(void) { return make_blocks(person); }
typedef snModel* MakeFn(void);
static MakeFn* const bodies[] = {make_body, make_animal, make_person};
#define BODIES (sizeof bodies / sizeof bodies[0])

// Stands +Y up and faces +Z before; as `stance` says after.
static void lay(snModel* model, const snStance* stance) {
    sn_model_rotate(model, sn_quat_conjugate(sn_stance_rotation(stance)));
}

static snStance find(const snModel* model, snAxis up, snAxis facing) {
    snStanceDef def = sn_stance_def();
    snStance stance;
    def.up = up;
    def.facing = facing;
    assert_ok(sn_stance_find(&def, model, NULL, &stance, NULL));
    return stance;
}

static void every_way_is_found(void** state) {
    (void)state;
    for (size_t b = 0; b < BODIES; b++) {
        uint32_t ways = 0;
        for (int i = 0; i < STANCES; i++) {
            snStance wanted;
            if (!stance_at(i, &wanted)) continue;
            snModel* model = bodies[b]();
            lay(model, &wanted);
            snStance found = find(model, SN_AXIS_AUTO, SN_AXIS_AUTO);
            if (found.up != wanted.up || found.facing != wanted.facing || found.up_how != SN_STANCE_FOUND ||
                found.facing_how != SN_STANCE_FOUND)
                fail_msg("body %zu: up %s facing %s, found up %s facing %s", b, sn_axis_name(wanted.up),
                         sn_axis_name(wanted.facing), sn_axis_name(found.up), sn_axis_name(found.facing));
            sn_model_destroy(model);
            ways++;
        }
        assert_int_equal(ways, 24);
    }
}

// What was given is kept, and helps to find the other.
static void what_is_given_is_kept(void** state) {
    (void)state;
    snModel* model = make_person();
    snStance lying = {SN_AXIS_Z, SN_AXIS_MINUS_X, SN_STANCE_GIVEN, SN_STANCE_GIVEN};
    lay(model, &lying);
    snStance s = find(model, SN_AXIS_Z, SN_AXIS_AUTO);
    assert_int_equal(s.up_how, SN_STANCE_GIVEN);
    assert_int_equal(s.facing, SN_AXIS_MINUS_X);
    assert_int_equal(s.facing_how, SN_STANCE_FOUND);
    s = find(model, SN_AXIS_AUTO, SN_AXIS_MINUS_X);
    assert_int_equal(s.up, SN_AXIS_Z);
    assert_int_equal(s.up_how, SN_STANCE_FOUND);
    assert_int_equal(s.facing_how, SN_STANCE_GIVEN);
    s = find(model, SN_AXIS_MINUS_Y, SN_AXIS_X);
    assert_int_equal(s.up, SN_AXIS_MINUS_Y);
    assert_int_equal(s.facing, SN_AXIS_X);
    sn_model_destroy(model);
}

// Things without legs stay as they are, and it is said that this is assumed.
static void doubt_is_said(void** state) {
    (void)state;
    snModel* model = make_blocks(block);
    snStance s = find(model, SN_AXIS_AUTO, SN_AXIS_AUTO);
    assert_int_equal(s.up, SN_AXIS_Y);
    assert_int_equal(s.facing, SN_AXIS_Z);
    assert_int_equal(s.up_how, SN_STANCE_ASSUMED);
    assert_int_equal(s.facing_how, SN_STANCE_ASSUMED);
    s = find(model, SN_AXIS_Z, SN_AXIS_AUTO);
    assert_int_equal(s.facing, SN_AXIS_MINUS_Y);
    s = find(model, SN_AXIS_AUTO, SN_AXIS_MINUS_Y);
    assert_int_equal(s.up, SN_AXIS_Z);
    assert_int_equal(s.up_how, SN_STANCE_ASSUMED);
    sn_model_destroy(model);
    assert_ok(sn_builtin_sheet(1.0f, 4, true, NULL, &model, NULL));
    assert_int_equal(find(model, SN_AXIS_AUTO, SN_AXIS_AUTO).up_how, SN_STANCE_ASSUMED);
    sn_model_destroy(model);
}

static void skeletons_say_how_they_stand(void** state) {
    (void)state;
    for (int i = 0; i < STANCES; i++) {
        snStance wanted, found;
        if (!stance_at(i, &wanted)) continue;
        snModel* model = make_body();
        lay(model, &wanted);
        assert_ok(sn_skeleton_stance(model->skeleton, NULL, &found, NULL));
        assert_int_equal(found.up, wanted.up);
        assert_int_equal(found.facing, wanted.facing);
        assert_int_equal(found.up_how, SN_STANCE_FOUND);
        sn_model_destroy(model);
    }
    snModel* model = make_animal();
    snStance none;
    assert_ok(sn_skeleton_stance(model->skeleton, NULL, &none, NULL));
    assert_int_equal(none.up_how, SN_STANCE_ASSUMED);
    sn_model_destroy(model);
}

static void the_turn_brings_up_to_y(void** state) {
    (void)state;
    for (int i = 0; i < STANCES; i++) {
        snStance s;
        if (!stance_at(i, &s)) continue;
        snQuat turn = sn_stance_rotation(&s);
        assert_vec3_near(sn_quat_rotate(turn, sn_axis_vector(s.up)), sn_vec3(0, 1, 0), 1e-6f);
        assert_vec3_near(sn_quat_rotate(turn, sn_axis_vector(s.facing)), sn_vec3(0, 0, 1), 1e-6f);
    }
}

static void bad_arguments_are_refused(void** state) {
    (void)state;
    snModel* model = make_blocks(block);
    snStanceDef def = sn_stance_def();
    snStance s;
    assert_int_equal(sn_stance_find(NULL, model, NULL, &s, NULL), SN_RESULT_INVALID_ARGUMENT);
    assert_int_equal(sn_stance_find(&def, NULL, NULL, &s, NULL), SN_RESULT_INVALID_ARGUMENT);
    assert_int_equal(sn_stance_find(&def, model, NULL, NULL, NULL), SN_RESULT_INVALID_ARGUMENT);
    assert_int_equal(sn_skeleton_stance(NULL, NULL, &s, NULL), SN_RESULT_INVALID_ARGUMENT);
    def.up = (snAxis)7;
    assert_int_equal(sn_stance_find(&def, model, NULL, &s, NULL), SN_RESULT_INVALID_ARGUMENT);
    def.up = SN_AXIS_Y;
    def.facing = SN_AXIS_MINUS_Y;
    snError error = sn_error_none();
    assert_int_equal(sn_stance_find(&def, model, NULL, &s, &error), SN_RESULT_INVALID_ARGUMENT);
    assert_string_equal(error.text, "up is y and facing -y, which is along the same line");
    assert_string_equal(sn_axis_name(SN_AXIS_MINUS_Z), "-z");
    assert_string_equal(sn_stance_how_name(SN_STANCE_FORMAT), "format");
    sn_model_destroy(model);
}

static snResult build(const snAllocator* allocator, void* model) {
    snStanceDef def = sn_stance_def();
    snStance s;
    return sn_stance_find(&def, model, allocator, &s, NULL);
}

static void every_allocation_may_fail(void** state) {
    (void)state;
    snModel* model = make_person();
    test_every_allocation(build, model);
    sn_model_destroy(model);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_way_is_found),
        cmocka_unit_test(what_is_given_is_kept),
        cmocka_unit_test(doubt_is_said),
        cmocka_unit_test(skeletons_say_how_they_stand),
        cmocka_unit_test(the_turn_brings_up_to_y),
        cmocka_unit_test(bad_arguments_are_refused),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
