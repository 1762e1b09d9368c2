// Segments and the corners of cells.
#include "base/geometry.h"

#include "support.h"

static void a_segment_ends_at_its_ends(void** state) {
    (void)state;
    snVec3 head = sn_vec3(1, 0, 0), tail = sn_vec3(5, 0, 0);
    assert_near(sni_segment_closest(head, tail, sn_vec3(2, 7, 0)), 0.25, 0);
    assert_near(sni_segment_closest(head, tail, sn_vec3(-3, 1, 1)), 0, 0);
    assert_near(sni_segment_closest(head, tail, sn_vec3(9, 1, 1)), 1, 0);
    assert_vec3_near(sni_segment_offset(head, tail, sn_vec3(2, 7, 0)), sn_vec3(0, 7, 0), 0);
    assert_near(sni_segment_distance(head, tail, sn_vec3(8, 0, -4)), 5, 0);
    assert_near(sni_segment_distance(head, tail, sn_vec3(4, 0, 0)), 0, 0);
}

static void a_segment_of_no_length_is_its_head(void** state) {
    (void)state;
    snVec3 head = sn_vec3(1, 2, 3);
    assert_near(sni_segment_closest(head, head, sn_vec3(4, 2, 3)), 0, 0);
    assert_near(sni_segment_distance(head, head, sn_vec3(4, 6, 3)), 5, 0);
}

// No place of the segment is nearer than the closest one.
static void closest_is_closest(void** state) {
    (void)state;
    uint32_t random = 5;
    for (int i = 0; i < 200; i++) {
        snVec3 p[3];
        for (int k = 0; k < 3; k++)
            p[k] = sn_vec3(test_random_float(&random, -1, 1), test_random_float(&random, -1, 1),
                           test_random_float(&random, -1, 1));
        float least = sni_segment_distance(p[0], p[1], p[2]);
        for (int k = 0; k <= 20; k++)
            assert_true(sn_distance(p[2], sn_lerp(p[0], p[1], (float)k / 20.0f)) >= least - 1e-6f);
    }
}

static void corners_have_themselves(void** state) {
    (void)state;
    float shares[8];
    for (int k = 0; k < 8; k++) {
        sni_trilinear(sn_vec3((float)(k & 1), (float)(k >> 1 & 1), (float)(k >> 2)), shares);
        for (int i = 0; i < 8; i++) assert_near(shares[i], i == k ? 1 : 0, 0);
    }
}

// Shares give the place back, inside of the cell and outside.
static void shares_give_the_place_back(void** state) {
    (void)state;
    uint32_t random = 6;
    for (int i = 0; i < 200; i++) {
        snVec3 at = sn_vec3(test_random_float(&random, -2, 3), test_random_float(&random, -2, 3),
                            test_random_float(&random, -2, 3));
        snVec3 place = sn_vec3(0, 0, 0);
        float shares[8], sum = 0.0f;
        sni_trilinear(at, shares);
        for (int k = 0; k < 8; k++) {
            snVec3 corner = sn_vec3((float)(k & 1), (float)(k >> 1 & 1), (float)(k >> 2));
            place = sn_add(place, sn_scale(corner, shares[k]));
            sum += shares[k];
        }
        assert_near(sum, 1, 3e-5);
        assert_vec3_near(place, at, 3e-5f);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_segment_ends_at_its_ends), cmocka_unit_test(a_segment_of_no_length_is_its_head),
        cmocka_unit_test(closest_is_closest),         cmocka_unit_test(corners_have_themselves),
        cmocka_unit_test(shares_give_the_place_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
