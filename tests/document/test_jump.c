// The shipped jump: free fall, legs, and both sides alike.
#include <math.h>
#include <stdio.h>

#include "gait.h"

#define EXAMPLES SINEW_ASSETS_DIR "/examples/"
// When the shipped jump leaves the ground and lands, seconds.
#define LEAVES 0.9f
#define LANDS 1.43f

static Gait jump(void) {
    return gait_of_path("builtin:body", EXAMPLES "body.snrig", EXAMPLES "jump", EXAMPLES "jump.json");
}

static uint32_t frame_after(const Gait* gait, float time) {
    return (uint32_t)ceilf(time * gait->fps - 1e-3f);
}

// By masses that the player knows nothing of.
static void bodies_fall_freely(void** state) {
    (void)state;
    Gait gait = jump();
    uint32_t first = frame_after(&gait, LEAVES), last = frame_after(&gait, LANDS) - 1;
    float lowest = INFINITY, highest = -INFINITY, slowest = INFINITY, fastest = -INFINITY;
    for (uint32_t f = first + 1; f < last; f++) {
        snVec3 before = gait_mass_center(&gait.frames[f - 1]), here = gait_mass_center(&gait.frames[f]),
               after = gait_mass_center(&gait.frames[f + 1]);
        float fall = (after.y - 2.0f * here.y + before.y) * gait.fps * gait.fps;
        float speed = 0.5f * (after.z - before.z) * gait.fps;
        lowest = sn_minf(lowest, fall);
        highest = sn_maxf(highest, fall);
        slowest = sn_minf(slowest, speed);
        fastest = sn_maxf(fastest, speed);
    }
    printf("accelerations %.2f to %.2f m/s2, speeds ahead %.3f to %.3f m/s\n", (double)lowest,
           (double)highest, (double)slowest, (double)fastest);
    assert_true(lowest > -9.81f * 1.1f && highest < -9.81f * 0.9f);
    assert_true(fastest < 1.1f * slowest);
    gait_destroy(&gait);
}

static float knee_range(const Gait* gait, float from, float to, float* least) {
    float most = 0.0f;
    *least = INFINITY;
    for (uint32_t f = frame_after(gait, from); f <= frame_after(gait, to); f++) {
        float bent = gait_value(gait, GAIT_KNEE, f, 0);
        most = sn_maxf(most, bent);
        *least = sn_minf(*least, bent);
    }
    return most;
}

// It crouches, leaves with straight legs, tucks them up, lands on legs that are nearly straight and give way,
// and stands as it stood.
static void legs_push_and_give_way(void** state) {
    (void)state;
    Gait gait = jump();
    float least, leaves = gait_value(&gait, GAIT_KNEE, frame_after(&gait, LEAVES), 0);
    float lands = gait_value(&gait, GAIT_KNEE, frame_after(&gait, LANDS), 0);
    assert_true(leaves < 20.0f);
    assert_true(lands > 15.0f && lands < 45.0f);
    assert_true(knee_range(&gait, 0.0f, LEAVES, &least) > 80.0f);
    assert_true(knee_range(&gait, LEAVES, LANDS, &least) > 55.0f);
    assert_true(knee_range(&gait, LANDS, 2.0f, &least) > 75.0f);
    const GaitFrame *first = &gait.frames[0], *last = &gait.frames[gait.frame_count - 1];
    assert_near(last->hips.y, first->hips.y, 0.02);
    gait_destroy(&gait);
}

static void both_sides_are_alike(void** state) {
    (void)state;
    Gait gait = jump();
    float bent = 0.0f, straight = INFINITY;
    for (uint32_t f = 0; f < gait.frame_count; f++) {
        const GaitFrame* frame = &gait.frames[f];
        for (int c = GAIT_HIP; c <= GAIT_ARM; c++) // those of one side
            assert_near(gait_value(&gait, (GaitCurve)c, f, 0), gait_value(&gait, (GaitCurve)c, f, 1), 3);
        assert_near(gait_elbow(frame, 0), gait_elbow(frame, 1), 3);
        bent = sn_maxf(bent, gait_elbow(frame, 0));
        straight = sn_minf(straight, gait_elbow(frame, 0));
    }
    assert_true(bent - straight < 25.0f); // elbows do not flail
    gait_destroy(&gait);
}

// On bodies of other names, rest poses and proportions: as far for their legs, through the air, on feet that
// stand still.
static void other_bodies_jump(void** state) {
    (void)state;
    // The Knight swings arms up that weigh as much as his legs: those rise in place of his hips.
    static const struct {
        const char* file;
        float rises; // hips, of the legs' length, at least
    } bodies[] = {{"meshes/human_man_smpl.obj", 0.2f},
                  {"meshes/os_human_woman.obj", 0.2f},
                  {"characters/quat_modular_men_King.glb", 0.2f},
                  {"characters/quat_modular_women_Witch.glb", 0.2f},
                  {"characters/quat_modular_men_Casual.glb", 0.2f},
                  {"characters/RiggedFigure.glb", 0.2f},
                  {"characters/kaykit_Knight.glb", 0.0f}};
    for (size_t i = 0; i < sizeof bodies / sizeof bodies[0]; i++) {
        GaitOther other =
            gait_of_other(test_data_path(bodies[i].file), EXAMPLES "jump", EXAMPLES "jump.json");
        printf("%s: legs of %.2f m jump %.2f m far, hips rise by %.2f m, short of %.1f mm, slides by %g mm\n",
               bodies[i].file, (double)other.legs, (double)other.travel, (double)other.rise,
               (double)other.short_of * 1e3, (double)other.slide * 1e3);
        assert_near(other.travel / other.legs, (1.25f - 0.055f) / 0.925f, 0.05f);
        assert_true(other.rise >= bodies[i].rises * other.legs && other.rise < 0.6f * other.legs);
        assert_true(other.slide < 1e-5f);
        // The Knight's legs again, which are as long as his boots are high.
        assert_true(other.short_of < (bodies[i].rises > 0.0f ? 0.001f : 0.15f) * other.legs);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bodies_fall_freely),
        cmocka_unit_test(legs_push_and_give_way),
        cmocka_unit_test(both_sides_are_alike),
        cmocka_unit_test(other_bodies_jump),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
