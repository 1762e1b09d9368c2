// A push as one line of text.
#include <string.h>

#include "settings_support.h"

static snPush read_push(const char* text) {
    snSettings* settings = test_settings();
    snError error = sn_error_none();
    if (sn_settings_add_push_text(settings, text, &error) != SN_RESULT_OK)
        fail_msg("%s: %s", text, error.text);
    assert_int_equal(settings->push_count, 1);
    snPush push = settings->pushes[0];
    push.joint = NULL;
    sn_settings_destroy(settings);
    return push;
}

static void joints_and_places(void** state) {
    (void)state;
    snSettings* settings = test_settings();
    uint32_t before = settings->push_count;
    assert_ok(sn_settings_add_push_text(settings, "Spine=0,0,-0.05@0.5-0.8", NULL));
    assert_ok(sn_settings_add_push_text(settings, "mixamorig:Hips=1,2,3@0-1", NULL));
    assert_ok(sn_settings_add_push_text(settings, "0.1,-1,2e-1=0,0.05,0@1-2.5", NULL));
    assert_int_equal(settings->push_count, before + 3);
    const snPush* push = settings->pushes + before;
    assert_string_equal(push[0].joint, "Spine");
    assert_true(push[0].move.x == 0.0f && push[0].move.y == 0.0f && push[0].move.z == -0.05f);
    assert_true(push[0].from == 0.5f && push[0].to == 0.8f && push[0].radius == 0.0f);
    assert_string_equal(push[1].joint, "mixamorig:Hips");
    assert_string_equal(push[2].joint, "");
    assert_true(push[2].place.x == 0.1f && push[2].place.y == -1.0f && push[2].place.z == 0.2f);
    sn_settings_destroy(settings);
}

static void negative_times(void** state) {
    (void)state;
    snPush push = read_push("Spine=0,0,1@-0.5-0.25");
    assert_true(push.from == -0.5f && push.to == 0.25f);
}

static void what_is_no_push(void** state) {
    (void)state;
    static const char* const texts[] = {"",
                                        "Spine",
                                        "Spine=0,0,1",
                                        "=0,0,1@0-1",
                                        "Spine=0,0@0-1",
                                        "Spine=0,0,1,2@0-1",
                                        "Spine=0,0,x@0-1",
                                        "Spine=0,0,1@0",
                                        "Spine=0,0,1@0-",
                                        "Spine=0,0,1@0-1s",
                                        "Spine@0-1=0,0,1"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        snSettings* settings = test_settings();
        uint32_t before = settings->push_count;
        snError error = sn_error_none();
        assert_int_equal(sn_settings_add_push_text(settings, texts[i], &error), SN_RESULT_BAD_DATA);
        assert_non_null(strstr(error.text, "WHERE=DX,DY,DZ@T0-T1"));
        assert_int_equal(settings->push_count, before);
        sn_settings_destroy(settings);
    }
    snSettings* settings = test_settings();
    snError error = sn_error_none();
    assert_int_equal(sn_settings_add_push_text(settings, "Spine=0,0,1@1-0", &error), SN_RESULT_BAD_DATA);
    assert_non_null(strstr(error.text, "must end after it begins"));
    sn_settings_destroy(settings);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(joints_and_places),
        cmocka_unit_test(negative_times),
        cmocka_unit_test(what_is_no_push),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
