// People walk from examples as captures of people walk, and follow captures.
#include <math.h>
#include <stdio.h>

#include "gait.h"

#define EXAMPLES SINEW_ASSETS_DIR "/examples/"

static Gait walk(const char* path) {
    return gait_of_path("builtin:body", EXAMPLES "body.snrig", EXAMPLES "walk", path);
}

static float least(const GaitCycle* cycle, GaitCurve curve) {
    float value = INFINITY;
    for (uint32_t s = 0; s < GAIT_SAMPLES; s++) value = sn_minf(value, cycle->curves[curve][s]);
    return value;
}
static float most(const GaitCycle* cycle, GaitCurve curve) {
    float value = -INFINITY;
    for (uint32_t s = 0; s < GAIT_SAMPLES; s++) value = sn_maxf(value, cycle->curves[curve][s]);
    return value;
}

// How far toes are drawn up while the knee comes forward: from 0.65 to 0.95 of the cycle.
static float most_swinging(const GaitCycle* cycle) {
    float value = -INFINITY;
    for (uint32_t s = 0; s < GAIT_SAMPLES; s++) {
        float share = (float)s / (float)(GAIT_SAMPLES - 1);
        if (share > 0.65f && share < 0.95f) value = sn_maxf(value, cycle->curves[GAIT_ANKLE][s]);
    }
    return value;
}

static float when_most(const GaitCycle* cycle, GaitCurve curve) {
    uint32_t at = 0;
    for (uint32_t s = 0; s < GAIT_SAMPLES; s++)
        if (cycle->curves[curve][s] > cycle->curves[curve][at]) at = s;
    return (float)at / (float)(GAIT_SAMPLES - 1);
}

// Between the two captures, or beyond the nearer one by no more than the band.
static void within(const char* what, float value, float a, float b, float band) {
    printf("%s: %.3g (captures %.3g, %.3g; %.3g beyond is allowed)\n", what, (double)value, (double)a,
           (double)b, (double)band);
    if (value >= sn_minf(a, b) - band && value <= sn_maxf(a, b) + band) return;
    fail_msg("%s is %g; the captures have %g and %g, and %g beyond is allowed", what, (double)value,
             (double)a, (double)b, (double)band);
}

// What a walk may be beyond the nearer capture by: as far as the two, of two people, are apart. Degrees
// (their median here is 4.3), shares of a cycle (0.04; frames are 0.03), and metres (0.027 and 0.008).
#define ANGLE 5.0f
#define SHARE 0.06f
#define LEAD 0.03f
#define RISE 0.01f

static void level_walks_are_as_captured(void** state) {
    (void)state;
    Gait ours = walk(EXAMPLES "speed.json");
    Gait first = gait_of_motion(test_data_path("motion/cmu_02_01_walk.bvh"));
    Gait second = gait_of_motion(test_data_path("motion/cmu_35_01_walk.bvh"));
    GaitCycle o = gait_cycle(&ours, 1.5f, 60.0f), a = gait_cycle(&first, 0.0f, 60.0f),
              b = gait_cycle(&second, 0.0f, 60.0f);
    assert_true(o.cycles > 0 && a.cycles > 0 && b.cycles > 0);
    within("the pelvis' lead at the widest stand, m", o.strike_lead, a.strike_lead, b.strike_lead, LEAD);
    within("the trailing knee then", o.trailing_knee, a.trailing_knee, b.trailing_knee, ANGLE);
    within("the pelvis' rise and fall, m", most(&o, GAIT_HEIGHT) - least(&o, GAIT_HEIGHT),
           most(&a, GAIT_HEIGHT) - least(&a, GAIT_HEIGHT), most(&b, GAIT_HEIGHT) - least(&b, GAIT_HEIGHT),
           RISE);
    within("the hip, forward", most(&o, GAIT_HIP), most(&a, GAIT_HIP), most(&b, GAIT_HIP), ANGLE);
    within("the hip, back", least(&o, GAIT_HIP), least(&a, GAIT_HIP), least(&b, GAIT_HIP), ANGLE);
    within("the knee that swings", most(&o, GAIT_KNEE), most(&a, GAIT_KNEE), most(&b, GAIT_KNEE), ANGLE);
    within("when it does, of a cycle", when_most(&o, GAIT_KNEE), when_most(&a, GAIT_KNEE),
           when_most(&b, GAIT_KNEE), SHARE);
    within("the pelvis' turn, left", most(&o, GAIT_TURN), most(&a, GAIT_TURN), most(&b, GAIT_TURN), ANGLE);
    within("the pelvis' turn, right", least(&o, GAIT_TURN), least(&a, GAIT_TURN), least(&b, GAIT_TURN),
           ANGLE);
    within("when the arm is most forward", when_most(&o, GAIT_ARM), when_most(&a, GAIT_ARM),
           when_most(&b, GAIT_ARM), SHARE);
    within("the ankle that pushes off", least(&o, GAIT_ANKLE), least(&a, GAIT_ANKLE), least(&b, GAIT_ANKLE),
           ANGLE);
    within("the ankle in the air", most_swinging(&o), most_swinging(&a), most_swinging(&b), ANGLE);
    within("the arm, forward", most(&o, GAIT_ARM), most(&a, GAIT_ARM), most(&b, GAIT_ARM), ANGLE);
    within("the arm, back", least(&o, GAIT_ARM), least(&a, GAIT_ARM), least(&b, GAIT_ARM), ANGLE);
    assert_true(o.knee_speed_up < 1.5f * sn_maxf(a.knee_speed_up, b.knee_speed_up));
    gait_destroy(&ours);
    gait_destroy(&first);
    gait_destroy(&second);
}

static Gait walk_at(float speed, float line) {
    const char* file = test_out_path("speed.json");
    FILE* out = fopen(file, "w");
    assert_non_null(out);
    assert_true(fprintf(out,
                        "{\"sinew_path\": 1, \"base\": \"stand\", \"change\": 0.25, \"walk\": {\"feet\": "
                        "[{\"handle\": \"LeftFoot\"}, {\"handle\": \"RightFoot\"}], \"line\": [[0, 0], "
                        "[0, %g]], \"speed\": %g}}",
                        (double)line, (double)speed) > 0);
    assert_int_equal(fclose(out), 0);
    return walk(file);
}

// How fast the pelvis falls faster on the way, at most; metres a second squared.
static float pelvis_falls(const Gait* gait) {
    float most = 0.0f;
    uint32_t apart = (uint32_t)(1.5f * gait->fps); // starts and stops are a matter of their own
    for (uint32_t f = apart; f + apart < gait->frame_count; f++) {
        float change =
            gait->frames[f + 1].hips.y - 2.0f * gait->frames[f].hips.y + gait->frames[f - 1].hips.y;
        most = sn_maxf(most, -change * gait->fps * gait->fps);
    }
    return most;
}

// Faster is longer and more steps, as people make them: at the walk ratio of adults, 0.0055 to 0.0070 m for a
// step a minute (Sekiya and Nagasaki 1998), which steps that fit the line may miss by a seventh. Feet stand
// still, knees bend to swing and do not fold, and the pelvis goes up and down by no more than legs ask for
// that are half a step apart to both sides, and no faster than it may.
static void speeds_change_steps_as_in_people(void** state) {
    (void)state;
    const float speeds[4] = {0.5f, 1.0f, 1.4f, 2.0f}, lines[4] = {4.0f, 6.0f, 7.5f, 10.5f};
    float step = 0.0f, cadence = 0.0f;
    for (int i = 0; i < 4; i++) {
        Gait gait = walk_at(speeds[i], lines[i]);
        GaitCycle cycle = gait_cycle(&gait, 1.5f, 60.0f);
        assert_true(cycle.cycles > 1);
        float steps = 120.0f / cycle.seconds, length = 0.5f * cycle.stride;
        float bob = most(&cycle, GAIT_HEIGHT) - least(&cycle, GAIT_HEIGHT);
        printf("%.1f m/s: %.0f steps a minute of %.2f m, knees bend by %.0f degrees in the air and %.0f at "
               "the widest stand, the pelvis moves by %.0f mm and falls by %.1f m/s2\n",
               (double)speeds[i], (double)steps, (double)length, (double)most(&cycle, GAIT_KNEE),
               (double)cycle.trailing_knee, (double)bob * 1e3, (double)pelvis_falls(&gait));
        assert_true(length > step && steps > cadence);
        step = length;
        cadence = steps;
        assert_near(cycle.stride / cycle.seconds, speeds[i], 0.05f * speeds[i]);
        assert_true(length / steps > 0.0055f / 1.15f && length / steps < 0.0070f * 1.15f);
        assert_true(gait.slide < 1e-5f && gait.sunk < 1e-5f);
        assert_true(most(&cycle, GAIT_KNEE) > 45.0f && most(&cycle, GAIT_KNEE) < 80.0f);
        assert_true(cycle.trailing_knee < 30.0f);
        float legs = gait.leg - sqrtf(gait.leg * gait.leg - 0.25f * length * length);
        assert_true(bob < legs + 0.02f);
        assert_true(pelvis_falls(&gait) < 9.81f); // else the body would leave the ground
        gait_destroy(&gait);
    }
}

static float mean_trunk(const Gait* gait, float from, float to) {
    float sum = 0.0f, count = 0.0f;
    for (uint32_t f = (uint32_t)(from * gait->fps); f < (uint32_t)(to * gait->fps); f++, count += 1.0f)
        sum += gait_value(gait, GAIT_TRUNK, f, 0);
    return sum / count;
}

// Into a slope of 15 degrees by a quarter to three quarters of it, out of it by less; up a stair, too.
static void trunks_lean_into_slopes(void** state) {
    (void)state;
    static const char slope[] = "{\"sinew_path\": 1, \"terrain\": {\"kind\": \"plane\", \"slope\": [0, %s]}, "
                                "\"base\": \"stand\", \"change\": 0.25, "
                                "\"walk\": {\"feet\": [{\"handle\": \"LeftFoot\"}, {\"handle\": "
                                "\"RightFoot\"}], \"line\": [[0, 0], [0, 4]], "
                                "\"stride\": 1}}";
    float leans[3];
    const char* const rises[3] = {"0", "0.268", "-0.268"};
    for (int i = 0; i < 3; i++) {
        const char* file = test_out_path("slope.json");
        FILE* out = fopen(file, "w");
        assert_non_null(out);
        assert_true(fprintf(out, slope, rises[i]) > 0);
        assert_int_equal(fclose(out), 0);
        Gait gait = walk(file);
        leans[i] = mean_trunk(&gait, 1.5f, 3.0f);
        gait_destroy(&gait);
    }
    assert_true(leans[1] - leans[0] > 3.75f && leans[1] - leans[0] < 11.25f);
    assert_true(leans[2] - leans[0] < -2.0f && leans[2] - leans[0] > -7.5f);
    Gait stairs = walk(EXAMPLES "stairs.json");
    assert_true(mean_trunk(&stairs, 1.5f, 4.0f) - leans[0] > 4.0f);
    gait_destroy(&stairs);
}

static void handles_follow_captures(void** state) {
    (void)state;
    static const char* const motions[3] = {"cmu_02_01_walk", "cmu_05_02_dance", "cmu_49_06_cartwheel"};
    for (int i = 0; i < 3; i++) {
        char path[256];
        snprintf(path, sizeof path, "motion/%s.bvh", motions[i]);
        GaitMisses misses =
            gait_misses("builtin:body", EXAMPLES "body.snrig", EXAMPLES "walk", test_data_path(path));
        printf("%s: hips %.1f mm, hands and feet %.1f mm\n", motions[i], (double)misses.hips * 1e3,
               (double)misses.ends * 1e3);
        assert_true(misses.hips < 0.01f);
        assert_true(misses.ends < 0.05f);
    }
}

// The shipped walk on bodies of other names, rest poses and proportions: it plays, feet stand still, the body
// gets there and arms hang.
static void other_bodies_walk(void** state) {
    (void)state;
    static const char* const files[] = {"meshes/human_man_smpl.obj",
                                        "meshes/os_human_woman.obj",
                                        "characters/quat_modular_men_King.glb",
                                        "characters/quat_modular_women_Witch.glb",
                                        "characters/quat_modular_men_Casual.glb",
                                        "characters/RiggedFigure.glb",
                                        "characters/kaykit_Knight.glb"};
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        GaitOther other = gait_of_other(test_data_path(files[i]), EXAMPLES "walk", EXAMPLES "flat.json");
        printf("%s: %.2f m, wrists at most %.2f of an arm above the shoulders, slides by %g mm\n", files[i],
               (double)other.travel, (double)other.wrists, (double)other.slide * 1e3);
        assert_true(other.travel > 4.3f && other.travel < 5.0f); // the line has 4.64 m
        assert_true(other.slide < 1e-5f);
        assert_true(other.wrists < -0.3f);
        assert_true(other.short_of < 0.003f);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(level_walks_are_as_captured), cmocka_unit_test(speeds_change_steps_as_in_people),
        cmocka_unit_test(trunks_lean_into_slopes),     cmocka_unit_test(handles_follow_captures),
        cmocka_unit_test(other_bodies_walk),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
