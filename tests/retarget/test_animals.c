// Animals whose names say little or lie, and what of them moves others: legs to legs, tail to tail.
#include <string.h>

#include "people.h"

// Hips held by stubs, shins that are called ankles, wings with shoulders of their own; knees bend back.
static const PeopleLine DRAGON[] = {
    {"root", SN_NONE, {0, 0, 0}},
    {"hips", 0, {0, 0.6f, -0.3f}},
    {"spine_0", 1, {0, 0.6f, 0}},
    {"spine_1", 2, {0, 0.6f, 0.4f}},
    {"head", 3, {0, 0.75f, 0.9f}},
    {"head_tip", 4, {0, 0.75f, 1.2f}},
    {"shoulder_l", 3, {0.1f, 0.7f, 0.3f}},
    {"wing_1_l", 6, {0.3f, 0.8f, 0.3f}},
    {"shoulder_r", 3, {-0.1f, 0.7f, 0.3f}},
    {"wing_1_r", 8, {-0.3f, 0.8f, 0.3f}},
    {"front_leg_collar_l", 3, {0.05f, 0.55f, 0.4f}},
    {"front_leg_l", 10, {0.25f, 0.6f, 0.4f}},
    {"front_ankle_l", 11, {0.25f, 0.32f, 0.3f}},
    {"front_foot_l", 12, {0.25f, 0.08f, 0.4f}},
    {"front_toes_l", 13, {0.25f, 0.02f, 0.5f}},
    {"front_leg_collar_r", 3, {-0.05f, 0.55f, 0.4f}},
    {"front_leg_r", 15, {-0.25f, 0.6f, 0.4f}},
    {"front_ankle_r", 16, {-0.25f, 0.32f, 0.3f}},
    {"front_foot_r", 17, {-0.25f, 0.08f, 0.4f}},
    {"front_toes_r", 18, {-0.25f, 0.02f, 0.5f}},
    {"back_leg_hip_l", 1, {0.1f, 0.58f, -0.3f}},
    {"back_leg_l", 20, {0.25f, 0.6f, -0.3f}},
    {"back_ankle_l", 21, {0.25f, 0.36f, -0.2f}},
    {"back_foot_l", 22, {0.25f, 0.1f, -0.35f}},
    {"back_toes_l", 23, {0.25f, 0.02f, -0.2f}},
    {"back_leg_hip_r", 1, {-0.1f, 0.58f, -0.3f}},
    {"back_leg_r", 25, {-0.25f, 0.6f, -0.3f}},
    {"back_ankle_r", 26, {-0.25f, 0.36f, -0.2f}},
    {"back_foot_r", 27, {-0.25f, 0.1f, -0.35f}},
    {"back_toes_r", 28, {-0.25f, 0.02f, -0.2f}},
    {"tail_1", 1, {0, 0.6f, -0.5f}},
    {"tail_2", 30, {0, 0.6f, -0.9f}},
    {"tail_tip", 31, {0, 0.6f, -1.3f}},
};

// Walks on two legs that bend forward, as from the hock down; arms hang beside the hips' joint, feet from the
// root.
static const PeopleLine LIZARD[] = {
    {"root", SN_NONE, {0, 0, 0}},
    {"Body", 0, {0, 4, 0}},
    {"FrontLeg.L", 1, {0.2f, 4, 1.5f}},
    {"FrontUpLeg.L", 2, {0.8f, 4, 1.5f}},
    {"FrontLowLeg.L", 3, {0.8f, 3.4f, 1.7f}},
    {"FrontFoot.L", 4, {0.8f, 3.0f, 2.0f}},
    {"FrontLeg.R", 1, {-0.2f, 4, 1.5f}},
    {"FrontUpLeg.R", 6, {-0.8f, 4, 1.5f}},
    {"FrontLowLeg.R", 7, {-0.8f, 3.4f, 1.7f}},
    {"FrontFoot.R", 8, {-0.8f, 3.0f, 2.0f}},
    {"BackLeg.L", 1, {0.2f, 3.8f, 0}},
    {"BackUpLeg.L", 10, {1.0f, 3.8f, 0}},
    {"BackLowLeg.L", 11, {1.0f, 1.5f, -0.8f}},
    {"BackLowLeg.L_end", 12, {1.0f, 0.2f, -0.2f}},
    {"BackLeg.R", 1, {-0.2f, 3.8f, 0}},
    {"BackUpLeg.R", 14, {-1.0f, 3.8f, 0}},
    {"BackLowLeg.R", 15, {-1.0f, 1.5f, -0.8f}},
    {"BackLowLeg.R_end", 16, {-1.0f, 0.2f, -0.2f}},
    {"Hips", 1, {0, 4, 0}},
    {"Torso", 18, {0, 4.4f, 0.8f}},
    {"Shoulders", 19, {0, 4.7f, 1.5f}},
    {"Neck", 20, {0, 5.2f, 2.2f}},
    {"Head", 21, {0, 5.6f, 2.8f}},
    {"Back", 1, {0, 4, -0.2f}},
    {"Tail1", 23, {0, 4, -0.6f}},
    {"Tail2", 24, {0, 3.8f, -2}},
    {"Tail2_end", 25, {0, 3.6f, -3}},
    {"BackFoot.L", 0, {1.0f, 0.2f, -0.2f}},
    {"BackFoot.L_end", 27, {1.0f, 0.1f, 1.0f}},
    {"BackFoot.R", 0, {-1.0f, 0.2f, -0.2f}},
    {"BackFoot.R_end", 29, {-1.0f, 0.1f, 1.0f}},
};

// Thigh, shin and cannon under names of two uppers and a lower one; wrists that bend forward; hooves are not
// there. Legs end at the fetlock.
static const PeopleLine HORSE[] = {
    {"Body", SN_NONE, {0, 1, 0}},
    {"Back", 0, {0, 3.1f, -1.4f}},
    {"Torso", 1, {0, 2.8f, 0}},
    {"Neck", 2, {0, 3.0f, 1.5f}},
    {"Head", 3, {0, 4.2f, 2.5f}},
    {"FrontUpperLeg.L", 2, {0.4f, 2.4f, 1.36f}},
    {"FrontLowerLeg.L", 5, {0.4f, 1.2f, 1.5f}},
    {"FrontLowerLeg.L_end", 6, {0.4f, 0.3f, 1.3f}},
    {"FrontUpperLeg.R", 2, {-0.4f, 2.4f, 1.36f}},
    {"FrontLowerLeg.R", 8, {-0.4f, 1.2f, 1.5f}},
    {"FrontLowerLeg.R_end", 9, {-0.4f, 0.3f, 1.3f}},
    {"BackLeg.L", 1, {0.4f, 3.0f, -1.25f}},
    {"BackUpperLeg.L", 11, {0.4f, 2.2f, -0.95f}},
    {"BackLowerLeg.L", 12, {0.4f, 1.3f, -1.85f}},
    {"BackLowerLeg.L_end", 13, {0.4f, 0.3f, -1.8f}},
    {"BackLeg.R", 1, {-0.4f, 3.0f, -1.25f}},
    {"BackUpperLeg.R", 15, {-0.4f, 2.2f, -0.95f}},
    {"BackLowerLeg.R", 16, {-0.4f, 1.3f, -1.85f}},
    {"BackLowerLeg.R_end", 17, {-0.4f, 0.3f, -1.8f}},
};

// Crouches on four bones a leg, elbows that bend back, paws that lie flat.
static const PeopleLine CAT[] = {
    {"body_01", SN_NONE, {0, 0.58f, -0.3f}},
    {"body_02", 0, {0, 0.58f, 0}},
    {"chest", 1, {0, 0.6f, 0.3f}},
    {"head", 2, {0, 0.75f, 0.55f}},
    {"l_arm_01", 2, {0.12f, 0.57f, 0.3f}},
    {"l_arm_02", 4, {0.12f, 0.32f, 0.22f}},
    {"l_arm_03", 5, {0.12f, 0.05f, 0.32f}},
    {"r_arm_01", 2, {-0.12f, 0.57f, 0.3f}},
    {"r_arm_02", 7, {-0.12f, 0.32f, 0.22f}},
    {"r_arm_03", 8, {-0.12f, 0.05f, 0.32f}},
    {"l_leg_01", 0, {0.12f, 0.5f, -0.3f}},
    {"l_leg_02", 10, {0.12f, 0.34f, -0.2f}},
    {"l_leg_03", 11, {0.12f, 0.19f, -0.36f}},
    {"l_leg_04", 12, {0.12f, 0.03f, -0.3f}},
    {"r_leg_01", 0, {-0.12f, 0.5f, -0.3f}},
    {"r_leg_02", 14, {-0.12f, 0.34f, -0.2f}},
    {"r_leg_03", 15, {-0.12f, 0.19f, -0.36f}},
    {"r_leg_04", 16, {-0.12f, 0.03f, -0.3f}},
};

#define COUNT(lines) ((uint32_t)(sizeof(lines) / sizeof(lines)[0]))

static void expect(const snSkeleton* s, const char* name, const char* body) {
    snJointName names[PEOPLE_MOST];
    assert_ok(sn_skeleton_anatomy(s, NULL, names));
    uint32_t joint = sn_skeleton_find(s, name);
    assert_true(joint != SN_NONE);
    assert_string_equal(names[joint].text, body);
}

static void limbs_are_known_by_their_bones(void** state) {
    (void)state;
    snSkeleton *dragon = people_lines(DRAGON, COUNT(DRAGON)), *lizard = people_lines(LIZARD, COUNT(LIZARD));
    expect(dragon, "back_leg_l", "LeftHip");
    expect(dragon, "back_ankle_l", "LeftKnee");
    expect(dragon, "back_foot_r", "RightAnkle");
    expect(dragon, "back_leg_hip_l", "");
    expect(dragon, "front_leg_l", "LeftShoulder");
    expect(dragon, "front_ankle_r", "RightElbow");
    expect(dragon, "front_foot_l", "LeftWrist");
    expect(dragon, "shoulder_l", ""); // a wing's
    expect(lizard, "BackLeg.L", "");  // a stub
    expect(lizard, "BackUpLeg.L", "LeftHip");
    expect(lizard, "BackLowLeg.R", "RightKnee");
    expect(lizard, "BackFoot.L", "LeftAnkle");
    expect(lizard, "FrontUpLeg.R", "RightShoulder");
    expect(lizard, "FrontFoot.L", "LeftWrist");
    sn_skeleton_destroy(dragon);
    sn_skeleton_destroy(lizard);
}

static void follows(const snJointMap* map, const snSkeleton* from, const snSkeleton* to, const char* target,
                    const char* source) {
    uint32_t joint = map->pairs[sn_skeleton_find(to, target)].source;
    if (source == NULL)
        assert_int_equal(joint, SN_NONE);
    else
        assert_string_equal(joint != SN_NONE ? from->names[joint] : "nothing", source);
}

static void legs_move_legs_and_no_arms(void** state) {
    (void)state;
    snSkeleton *dragon = people_lines(DRAGON, COUNT(DRAGON)), *lizard = people_lines(LIZARD, COUNT(LIZARD));
    snJointMap* map = NULL;
    assert_ok(sn_joint_map_create(dragon, lizard, NULL, &map, NULL));
    assert_true(map->confidence > 0.7f && map->arms_left);
    follows(map, dragon, lizard, "BackUpLeg.L", "back_leg_l");
    follows(map, dragon, lizard, "BackLowLeg.R", "back_ankle_r");
    follows(map, dragon, lizard, "BackFoot.L", "back_foot_l");
    follows(map, dragon, lizard, "Tail2", "tail_2");
    follows(map, dragon, lizard, "Head", "head");
    follows(map, dragon, lizard, "FrontUpLeg.L", NULL);
    follows(map, dragon, lizard, "FrontFoot.R", NULL);
    // A map that leaves a leg alone says nothing of arms; one that gives them a source does.
    assert_ok(sn_joint_map_set(map, dragon, lizard, "tail_1", "Tail1", NULL));
    assert_true(map->arms_left);
    assert_ok(sn_joint_map_set(map, dragon, lizard, "front_leg_l", "FrontUpLeg.L", NULL));
    assert_true(!map->arms_left);
    sn_joint_map_destroy(map);
    // Among themselves front legs move front legs; and people do not move what walks on four.
    assert_ok(sn_joint_map_create(dragon, dragon, NULL, &map, NULL));
    assert_true(!map->arms_left);
    follows(map, dragon, dragon, "front_ankle_l", "front_ankle_l");
    sn_joint_map_destroy(map);
    snModel* body = people_body();
    assert_ok(sn_joint_map_create(body->skeleton, dragon, NULL, &map, NULL));
    assert_true(map->confidence < SN_JOINT_MAP_USABLE && !map->arms_left);
    sn_joint_map_destroy(map);
    sn_model_destroy(body);
    sn_skeleton_destroy(dragon);
    sn_skeleton_destroy(lizard);
}

// A dragon that stands still leaves the lizard as it rests: its legs, which bend the other way, are not
// turned over.
static void legs_of_another_kind_keep_their_rest(void** state) {
    (void)state;
    snSkeleton *dragon = people_lines(DRAGON, COUNT(DRAGON)), *lizard = people_lines(LIZARD, COUNT(LIZARD));
    snJointMap* map = NULL;
    snClip *still = NULL, *made = NULL;
    float times[2] = {0.0f, 1.0f}, values[8] = {0, 0, 0, 1, 0, 0, 0, 1};
    snChannel channel = {1, SN_PATH_ROTATION, SN_INTERPOLATION_LINEAR, 2, 4, times, values};
    snClipDef clip = {"still", 0.0f, 1, &channel};
    assert_ok(sn_clip_create(&clip, dragon->joint_count, NULL, &still, NULL));
    assert_ok(sn_joint_map_create(dragon, lizard, NULL, &map, NULL));
    snRetargetDef def = sn_retarget_def();
    def.source = dragon;
    def.clip = still;
    def.target = lizard;
    def.map = map;
    assert_ok(sn_retarget_clip(&def, NULL, &made, NULL, NULL));
    snVec3 points[PEOPLE_MOST];
    people_sample(lizard, made, 0.5f, points);
    static const char* const names[] = {"BackLowLeg.L", "BackLowLeg.R", "BackFoot.L", "FrontFoot.L", "Head"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        uint32_t joint = sn_skeleton_find(lizard, names[i]);
        assert_true(sn_distance(points[joint], LIZARD[joint].at) < 0.15f); // of a height of 5.6
    }
    sn_clip_destroy(made);
    sn_clip_destroy(still);
    sn_joint_map_destroy(map);
    sn_skeleton_destroy(dragon);
    sn_skeleton_destroy(lizard);
}

static void two_pieces_with_a_bend_are_two_bones(void** state) {
    (void)state;
    snSkeleton* horse = people_lines(HORSE, COUNT(HORSE));
    expect(horse, "BackLeg.L", "LeftHip");
    expect(horse, "BackUpperLeg.L", "LeftKnee");
    expect(horse, "BackLowerLeg.R", "RightAnkle");
    expect(horse, "FrontLowerLeg.R", "RightElbow");
    sn_skeleton_destroy(horse);
    // The same with a thigh that is straight: pieces of one bone.
    PeopleLine lines[COUNT(HORSE)];
    memcpy(lines, HORSE, sizeof HORSE);
    lines[13].at = sn_vec3(0.4f, 1.3f, -0.61f);
    lines[14].at = sn_vec3(0.4f, 0.3f, -0.8f);
    lines[17].at = sn_vec3(-0.4f, 1.3f, -0.61f);
    lines[18].at = sn_vec3(-0.4f, 0.3f, -0.8f);
    snSkeleton* cut = people_lines(lines, COUNT(HORSE));
    expect(cut, "BackUpperLeg.L", "");
    expect(cut, "BackLowerLeg.L", "LeftKnee");
    sn_skeleton_destroy(cut);
}

static snClip* turned(const snSkeleton* s, const char* name, float angle) {
    float times[2] = {0.0f, 0.25f}, values[8] = {0, 0, 0, 1};
    snQuat q = sn_quat_axis_angle(sn_vec3(1, 0, 0), angle);
    memcpy(values + 4, &q, sizeof q);
    snChannel channel = {
        sn_skeleton_find(s, name), SN_PATH_ROTATION, SN_INTERPOLATION_LINEAR, 2, 4, times, values};
    snClipDef def = {"turned", 0.0f, 1, &channel};
    snClip* clip = NULL;
    assert_ok(sn_clip_create(&def, s->joint_count, NULL, &clip, NULL));
    return clip;
}

static snClip* onto(const snSkeleton* from, const snClip* clip, const snSkeleton* to,
                    const snBodyPoints* points, snRetargetReport* report) {
    snJointMap* map = NULL;
    snClip* made = NULL;
    assert_ok(sn_joint_map_create(from, to, NULL, &map, NULL));
    assert_true(map->confidence > SN_JOINT_MAP_USABLE);
    snRetargetDef def = sn_retarget_def();
    def.source = from;
    def.clip = clip;
    def.target = to;
    def.map = map;
    def.points = points;
    assert_ok(sn_retarget_clip(&def, NULL, &made, report, NULL));
    sn_joint_map_destroy(map);
    return made;
}

// Whoever stands makes the other stand as it stands, whatever the bends and the number of bones.
static void who_stands_makes_the_other_stand(void** state) {
    (void)state;
    snSkeleton* bodies[3] = {people_lines(HORSE, COUNT(HORSE)), people_lines(CAT, COUNT(CAT)),
                             people_lines(DRAGON, COUNT(DRAGON))};
    for (int a = 0; a < 3; a++) {
        for (int b = 0; b < 3; b++) {
            snClip* still = turned(bodies[a], bodies[a]->names[1], 0.0f);
            snRetargetReport report;
            snClip* made = onto(bodies[a], still, bodies[b], NULL, &report);
            snVec3 rest[PEOPLE_MOST], now[PEOPLE_MOST];
            snQuat turns[PEOPLE_MOST];
            people_rest(bodies[b], rest, turns);
            people_sample(bodies[b], made, 0.1f, now);
            for (uint32_t j = 0; j < bodies[b]->joint_count; j++)
                if (sn_distance(rest[j], now[j]) > 1e-3f * report.height)
                    fail_msg("%d on %d: %s is %g off", a, b, bodies[b]->names[j],
                             (double)sn_distance(rest[j], now[j]));
            sn_clip_destroy(made);
            sn_clip_destroy(still);
        }
    }
    for (int a = 0; a < 3; a++) sn_skeleton_destroy(bodies[a]);
}

// The end of a leg goes the way of the source's, scaled by how high the hips stand: 0.47 / 2.7. Front legs
// whose joints bend the other way do so too, and keep to their own bend.
static void ends_of_legs_go_the_same_way(void** state) {
    (void)state;
    static const struct {
        const char *turned, *source, *target, *middle;
        float angle;
    } cases[] = {{"BackLeg.L", "BackLowerLeg.L_end", "l_leg_04", NULL, 0.25f},
                 {"BackUpperLeg.R", "BackLowerLeg.R_end", "r_leg_04", NULL, 0.3f},
                 {"FrontLowerLeg.L", "FrontLowerLeg.L_end", "l_arm_03", "l_arm_02", 0.8f},
                 {"FrontLowerLeg.R", "FrontLowerLeg.R_end", "r_arm_03", "r_arm_02", 0.5f}};
    snSkeleton *horse = people_lines(HORSE, COUNT(HORSE)), *cat = people_lines(CAT, COUNT(CAT));
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        snClip* clip = turned(horse, cases[i].turned, cases[i].angle);
        snRetargetReport report;
        snClip* made = onto(horse, clip, cat, NULL, &report);
        assert_near(report.scale, 0.47f / 2.7f, 1e-4f);
        snVec3 from[PEOPLE_MOST], to[PEOPLE_MOST];
        people_sample(horse, clip, 0.25f, from);
        people_sample(cat, made, made->duration, to);
        uint32_t source = sn_skeleton_find(horse, cases[i].source);
        uint32_t target = sn_skeleton_find(cat, cases[i].target);
        snVec3 wanted = sn_scale(sn_sub(from[source], HORSE[source].at), report.scale);
        snVec3 went = sn_sub(to[target], CAT[target].at);
        assert_true(sn_length(wanted) > 0.03f);
        if (sn_distance(wanted, went) > 0.02f)
            fail_msg("%s is %g off", cases[i].target, (double)sn_distance(wanted, went));
        if (cases[i].middle != NULL) { // the elbow stays behind the line from shoulder to paw
            uint32_t elbow = sn_skeleton_find(cat, cases[i].middle), top = cat->parents[elbow];
            float part = (to[top].y - to[elbow].y) / (to[top].y - to[target].y);
            assert_true(to[elbow].z < to[top].z + part * (to[target].z - to[top].z));
        }
        sn_clip_destroy(made);
        sn_clip_destroy(clip);
    }
    sn_skeleton_destroy(horse);
    sn_skeleton_destroy(cat);
}

// Falls on its side within half a second, and stays there.
static snClip* fall(const snSkeleton* horse) {
    uint32_t hips = sn_skeleton_find(horse, "Back");
    float times[3] = {0.0f, 0.5f, 1.5f}, turns[12] = {0, 0, 0, 1}, places[9];
    snQuat side = sn_quat_axis_angle(sn_vec3(0, 0, 1), SN_PI / 2);
    for (int k = 0; k < 3; k++) {
        snVec3 place = horse->rest[hips].translation;
        if (k > 0) place.y = -0.5f;
        if (k > 0) memcpy(turns + 4 * k, &side, sizeof side);
        memcpy(places + 3 * k, &place, sizeof place);
    }
    snChannel channels[2] = {{hips, SN_PATH_ROTATION, SN_INTERPOLATION_LINEAR, 3, 4, times, turns},
                             {hips, SN_PATH_TRANSLATION, SN_INTERPOLATION_LINEAR, 3, 3, times, places}};
    snClipDef def = {"fall", 0.0f, 2, channels};
    snClip* clip = NULL;
    assert_ok(sn_clip_create(&def, horse->joint_count, NULL, &clip, NULL));
    return clip;
}

// Where a point that a joint carries is at a time; joints rest unturned.
static snVec3 carried(const snSkeleton* s, const snClip* clip, float time, uint32_t joint,
                      snVec3 from_joint) {
    snTrs locals[PEOPLE_MOST];
    snMat4 world[PEOPLE_MOST];
    memcpy(locals, s->rest, s->joint_count * sizeof *locals);
    sn_clip_sample(clip, time, SN_WRAP_CLAMP, s->joint_count, locals);
    sn_skeleton_world(s, locals, world);
    return sn_mat4_point(&world[joint], from_joint);
}

// On its side a dragon would stand on a wing that is twice as long as its legs: it lies on its trunk, and the
// wing, which nothing drives, is raised in the clip.
static void wings_bear_nobody(void** state) {
    (void)state;
    static const struct {
        const char* joint;
        snVec3 from; // the joint
    } at[] = {
        {"front_toes_l", {0, -0.02f, 0}}, {"front_toes_r", {0, -0.02f, 0}}, {"back_toes_l", {0, -0.02f, 0}},
        {"back_toes_r", {0, -0.02f, 0}},  {"hips", {0.2f, 0, 0}},           {"hips", {-0.2f, 0, 0}},
        {"spine_1", {0.2f, 0, 0}},        {"spine_1", {-0.2f, 0, 0}},       {"head", {0, 0, 0.3f}},
        {"wing_1_l", {1.1f, 0, 0}},       {"wing_1_r", {-1.1f, 0, 0}}};
    snSkeleton *horse = people_lines(HORSE, COUNT(HORSE)), *dragon = people_lines(DRAGON, COUNT(DRAGON));
    snBodyPoint items[sizeof at / sizeof at[0]] = {0};
    for (uint32_t i = 0; i < sizeof at / sizeof at[0]; i++) {
        uint32_t joint = sn_skeleton_find(dragon, at[i].joint);
        items[i] = (snBodyPoint){
            .place = sn_add(DRAGON[joint].at, at[i].from), .joints = {joint}, .weights = {1.0f}};
    }
    snBodyPoints points = {.count = sizeof at / sizeof at[0], .items = items};
    snClip* clip = fall(horse);
    snRetargetReport report;
    snClip* made = onto(horse, clip, dragon, &points, &report);
    for (size_t i = 4; i < sizeof at / sizeof at[0]; i++) {
        uint32_t joint = sn_skeleton_find(dragon, at[i].joint);
        float low = carried(dragon, made, made->duration, joint, at[i].from).y;
        if (low < -0.02f * report.height) fail_msg("%s is %g below the floor", at[i].joint, (double)-low);
    }
    uint32_t hips = sn_skeleton_find(dragon, "hips");
    if (report.lift > 0.4f * report.height)
        fail_msg("lifted by %g", (double)(report.lift / report.height)); // on the way down, too
    float down = carried(dragon, made, made->duration, hips, at[4].from).y;
    float up = carried(dragon, made, made->duration, hips, at[5].from).y;
    assert_near(sn_minf(down, up), 0.0f, 0.03f * report.height);
    sn_clip_destroy(made);
    sn_clip_destroy(clip);
    sn_skeleton_destroy(horse);
    sn_skeleton_destroy(dragon);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(limbs_are_known_by_their_bones),
        cmocka_unit_test(legs_move_legs_and_no_arms),
        cmocka_unit_test(legs_of_another_kind_keep_their_rest),
        cmocka_unit_test(two_pieces_with_a_bend_are_two_bones),
        cmocka_unit_test(who_stands_makes_the_other_stand),
        cmocka_unit_test(ends_of_legs_go_the_same_way),
        cmocka_unit_test(wings_bear_nobody),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
