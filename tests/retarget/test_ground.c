// Characters stand on the floor by their surface: soles, hands, and whatever else would sink.
#include <stdlib.h>
#include <string.h>

#include "people.h"

typedef struct Stood {
    snRetargetReport report;
    float low, high; // of the lowest vertex over all frames
    float median;
    float middle; // in the middle of the clip
    float trunk;  // there, of the vertices around hips and spine
} Stood;

static int compare(const void* a, const void* b) {
    float x = *(const float*)a, y = *(const float*)b;
    return x < y ? -1 : (x > y ? 1 : 0);
}

// The lowest of what is around hips and spine at rest.
static float lowest_of_trunk(const snModel* character, const snVec3* positions) {
    snVec3 points[64];
    snQuat rotations[64];
    float low = INFINITY;
    people_rest(character->skeleton, points, rotations);
    snVec3 hips = points[sn_skeleton_find(character->skeleton, "Hips")];
    snVec3 chest = points[sn_skeleton_find(character->skeleton, "Chest")];
    const snMesh* mesh = character->parts[0].mesh;
    for (uint32_t v = 0; v < mesh->vertex_count; v++) {
        snVec3 at = mesh->positions[v];
        if (at.y > hips.y && at.y < chest.y && fabsf(at.x) < 0.1f) low = sn_minf(low, positions[v].y);
    }
    return low;
}

// Retargets and then measures the skinned vertices themselves.
static Stood stand(const snModel* motion, const snClip* clip, snModel* character,
                   const snRetargetDef* wanted) {
    Stood out = {0};
    snSkeleton* rest = NULL;
    snJointMap* map = NULL;
    snBodyPoints* points = NULL;
    snClip* made = NULL;
    assert_ok(sn_model_rest_skeleton(character, SN_REST_BIND, NULL, &rest, NULL, NULL));
    assert_ok(sn_joint_map_create(motion->skeleton, rest, NULL, &map, NULL));
    assert_ok(sn_body_points_create(character, rest, NULL, &points, NULL));
    snRetargetDef def = *wanted;
    def.source = motion->skeleton;
    def.clip = clip;
    def.target = rest;
    def.map = map;
    def.points = points;
    assert_ok(sn_retarget_clip(&def, NULL, &made, &out.report, NULL));
    snClipDef copy = sn_clip_def(made);
    assert_ok(sn_model_add_clip(character, &copy, NULL));
    snCharacterDef character_def = sn_character_def();
    character_def.model = character;
    snCharacter* posed = NULL;
    assert_ok(sn_character_create(&character_def, NULL, &posed, NULL));
    static float lows[4096];
    uint32_t frames = out.report.frames;
    assert_true(frames > 0 && frames <= 4096);
    for (uint32_t f = 0; f < frames; f++) {
        assert_ok(
            sn_character_pose_clip(posed, character->clip_count - 1, (float)f / def.fps, SN_WRAP_CLAMP));
        snSurface s = sn_character_surface(posed, 0);
        lows[f] = sn_bounds_of(s.positions, s.vertex_count).min.y;
        if (f == frames / 2) out.trunk = lowest_of_trunk(character, s.positions);
    }
    out.middle = lows[frames / 2];
    qsort(lows, frames, sizeof *lows, compare);
    out.low = lows[0];
    out.high = lows[frames - 1];
    out.median = lows[frames / 2];
    sn_character_destroy(posed);
    sn_clip_destroy(made);
    sn_body_points_destroy(points);
    sn_joint_map_destroy(map);
    sn_skeleton_destroy(rest);
    return out;
}

static const snClip* find_clip(const snModel* model, const char* name) {
    uint32_t clip = sn_model_find_clip(model, name);
    assert_true(clip != SN_NONE);
    return model->clips[clip];
}

static void a_walk_stands_on_the_floor(void** state) {
    (void)state;
    snModel* motion = people_body();
    snModel* character = people_body();
    snRetargetDef def = sn_retarget_def();
    Stood stood = stand(motion, find_clip(motion, "walk"), character, &def);
    float height = stood.report.height;
    assert_near(stood.median, 0.0f, 0.005f * height);
    assert_true(stood.low > -0.02f * height);
    assert_near(stood.report.lowest_median, stood.median, 0.005f * height);
    assert_near(stood.report.lowest, stood.low, 0.01f * height);
    sn_model_destroy(motion);
    sn_model_destroy(character);
}

static void the_floor_can_be_elsewhere(void** state) {
    (void)state;
    snModel* motion = people_body();
    snModel* character = people_body();
    snRetargetDef def = sn_retarget_def();
    def.floor = 0.75f;
    Stood stood = stand(motion, find_clip(motion, "walk"), character, &def);
    assert_near(stood.median, 0.75f, 0.005f * stood.report.height);
    sn_model_destroy(motion);
    sn_model_destroy(character);
}

static void take_feet(snModel* character) {
    for (uint32_t j = 0; j < character->skeleton->joint_count; j++) {
        char* name = character->skeleton->names[j];
        if (strstr(name, "Foot") != NULL || strstr(name, "Toes") != NULL) name[0] = '\0';
    }
}

// Toys have legs and no feet: their lowest point stands on the floor.
static void what_has_no_feet_stands_too(void** state) {
    (void)state;
    snModel* motion = people_body();
    snModel* character = people_body();
    take_feet(character);
    snRetargetDef def = sn_retarget_def();
    def.floor = 0.75f;
    Stood stood = stand(motion, find_clip(motion, "walk"), character, &def);
    assert_int_equal(stood.report.contacts, 0);
    assert_near(stood.median, 0.75f, 0.01f * stood.report.height);
    assert_true(stood.low > 0.75f - 0.02f * stood.report.height);
    sn_model_destroy(motion);
    sn_model_destroy(character);
}

// Hips that are elsewhere in some of the keys: up by so much, and turned forward.
static snClip* hips_clip(const snSkeleton* body, uint32_t count, float* times, const bool* there, float up,
                         float turn) {
    enum { MOST = 5 };
    uint32_t hips = sn_skeleton_find(body, "Hips");
    float turns[4 * MOST], places[3 * MOST];
    assert_true(count <= MOST);
    for (uint32_t k = 0; k < count; k++) {
        snQuat q = sn_quat_axis_angle(sn_vec3(1, 0, 0), there[k] ? turn : 0.0f);
        q = sn_quat_mul(q, body->rest[hips].rotation);
        snVec3 place = body->rest[hips].translation;
        if (there[k]) place.y += up;
        memcpy(turns + 4 * k, &q, sizeof q);
        memcpy(places + 3 * k, &place, sizeof place);
    }
    snChannel channels[2] = {{hips, SN_PATH_ROTATION, SN_INTERPOLATION_LINEAR, count, 4, times, turns},
                             {hips, SN_PATH_TRANSLATION, SN_INTERPOLATION_LINEAR, count, 3, times, places}};
    snClipDef def = {"hips", 0.0f, 2, channels};
    snClip* clip = NULL;
    assert_ok(sn_clip_create(&def, body->joint_count, NULL, &clip, NULL));
    return clip;
}

static float quick[5] = {0.0f, 0.8f, 1.0f, 1.2f, 2.0f};

// A penguin whose feet no name tells hops as high as its hips do.
static void what_has_no_feet_hops(void** state) {
    (void)state;
    snModel* motion = people_body();
    snModel* character = people_body();
    take_feet(motion);
    take_feet(character);
    snRetargetDef def = sn_retarget_def();
    snClip* hop =
        hips_clip(motion->skeleton, 5, quick, (const bool[]){false, false, true, false, false}, 0.4f, 0.0f);
    Stood stood = stand(motion, hop, character, &def);
    assert_near(stood.median, 0.0f, 0.01f * stood.report.height);
    assert_true(stood.low > -0.02f * stood.report.height);
    // Softly, so that the very top is rounded off.
    assert_true(stood.middle > 0.3f && stood.middle < 0.41f);
    sn_clip_destroy(hop);
    sn_model_destroy(motion);
    sn_model_destroy(character);
}

// What lies in the end stood before: it did not float.
static void what_has_no_feet_stands_before_it_falls(void** state) {
    (void)state;
    snModel* motion = people_body();
    snModel* character = people_body();
    take_feet(motion);
    take_feet(character);
    snRetargetDef def = sn_retarget_def();
    snClip* fall = hips_clip(motion->skeleton, 5, quick, (const bool[]){false, false, true, true, true},
                             -0.75f, 0.5f * SN_PI);
    Stood stood = stand(motion, fall, character, &def);
    assert_true(stood.high < 0.05f * stood.report.height);
    assert_true(stood.low > -0.02f * stood.report.height);
    sn_clip_destroy(fall);
    sn_model_destroy(motion);
    sn_model_destroy(character);
}

// Upside down and low: by its joints alone the head goes through the floor.
static snClip* headstand(const snSkeleton* body) {
    float times[3] = {0.0f, 1.0f, 2.0f};
    return hips_clip(body, 3, times, (const bool[]){false, true, false}, -0.5f, SN_PI);
}

static void a_head_does_not_go_through_the_floor(void** state) {
    (void)state;
    snModel* motion = people_body();
    snClip* clip = headstand(motion->skeleton);
    snModel* character = people_body();
    snRetargetDef def = sn_retarget_def();
    def.ground = false;
    Stood sunk = stand(motion, clip, character, &def);
    def.ground = true;
    Stood stood = stand(motion, clip, character, &def);
    float height = stood.report.height;
    assert_true(sunk.low < -0.1f * height);
    assert_true(stood.report.lift > 0.1f * height);
    assert_true(stood.low > -0.02f * height);
    sn_clip_destroy(clip);
    sn_model_destroy(motion);
    sn_model_destroy(character);
}

// Bows until its head is between its knees, legs and feet still, and comes up again.
static snClip* bow(const snSkeleton* body) {
    uint32_t spine = sn_skeleton_find(body, "Spine");
    float times[5] = {0.0f, 0.5f, 1.2f, 1.9f, 2.4f};
    float turns[20];
    for (int k = 0; k < 5; k++) {
        snQuat q = sn_quat_axis_angle(sn_vec3(1, 0, 0), k == 2 ? 2.4f : 0.0f);
        q = sn_quat_mul(q, body->rest[spine].rotation);
        memcpy(turns + 4 * k, &q, sizeof q);
    }
    snChannel channel = {spine, SN_PATH_ROTATION, SN_INTERPOLATION_LINEAR, 5, 4, times, turns};
    snClipDef def = {"bow", 0.0f, 1, &channel};
    snClip* clip = NULL;
    assert_ok(sn_clip_create(&def, body->joint_count, NULL, &clip, NULL));
    return clip;
}

// The head's vertices away from its joint: its points follow, the skeleton stays.
static void grow_head(snModel* character, float times) {
    snVec3 points[64];
    snQuat rotations[64];
    people_rest(character->skeleton, points, rotations);
    snVec3 head = points[sn_skeleton_find(character->skeleton, "Head")];
    snMesh* mesh = character->parts[0].mesh;
    for (uint32_t v = 0; v < mesh->vertex_count; v++) {
        snVec3 from = sn_sub(mesh->positions[v], head);
        if (from.y > 0.0f) mesh->positions[v] = sn_add(head, sn_scale(from, times));
    }
}

// A head that reaches the floor lifts the body; legs are too short then, and feet leave the floor rather than
// slide over it.
static void feet_leave_the_floor_rather_than_slide(void** state) {
    (void)state;
    snModel* motion = people_body();
    snClip* clip = bow(motion->skeleton);
    snModel* character = people_body();
    snRetargetDef def = sn_retarget_def();
    Stood small = stand(motion, clip, character, &def);
    assert_true(small.report.released == 0.0f && small.report.lift == 0.0f);
    grow_head(character, 5.0f);
    Stood large = stand(motion, clip, character, &def);
    float height = large.report.height;
    assert_true(large.report.lift > 0.05f * height);
    assert_true(large.report.released > 0.1f && large.report.released < 2.0f * 2.4f);
    assert_true(large.report.contacts == 4); // both feet, before and after
    assert_true(large.report.foot_slide_max < 0.015f * height);
    assert_true(large.low > -0.02f * height);
    assert_near(large.median, 0.0f, 0.005f * height);
    sn_clip_destroy(clip);
    sn_model_destroy(motion);
    sn_model_destroy(character);
}

// Lies down on its back and gets up again; the joints of the source lie a hand's breadth above the floor.
static snClip* lie_down(const snSkeleton* body) {
    uint32_t hips = sn_skeleton_find(body, "Hips");
    static const float at[7] = {0.0f, 0.5f, 0.9f, 1.3f, 2.3f, 2.7f, 3.1f};
    static const float angles[7] = {0.0f, 0.0f, 0.25f, 0.5f, 0.5f, 0.25f, 0.0f};    // half turns back
    static const float heights[7] = {0.0f, 0.0f, 0.85f, 0.11f, 0.11f, 0.85f, 0.0f}; // 0: as at rest
    float times[7], turns[28], places[21];
    memcpy(times, at, sizeof times);
    for (int k = 0; k < 7; k++) {
        snQuat q = sn_quat_axis_angle(sn_vec3(1, 0, 0), -angles[k] * SN_PI);
        q = sn_quat_mul(q, body->rest[hips].rotation);
        snVec3 place = body->rest[hips].translation;
        if (heights[k] > 0.0f) place.y = heights[k];
        memcpy(turns + 4 * k, &q, sizeof q);
        memcpy(places + 3 * k, &place, sizeof place);
    }
    snChannel channels[2] = {{hips, SN_PATH_ROTATION, SN_INTERPOLATION_LINEAR, 7, 4, times, turns},
                             {hips, SN_PATH_TRANSLATION, SN_INTERPOLATION_LINEAR, 7, 3, times, places}};
    snClipDef def = {"lie", 0.0f, 2, channels};
    snClip* clip = NULL;
    assert_ok(sn_clip_create(&def, body->joint_count, NULL, &clip, NULL));
    return clip;
}

// A body half as thick: by the joints it would hang in the air.
static void a_body_that_lies_lies_on_the_floor(void** state) {
    (void)state;
    snModel* motion = people_body();
    snClip* clip = lie_down(motion->skeleton);
    snModel* character = people_body();
    for (uint32_t v = 0; v < character->parts[0].mesh->vertex_count; v++)
        character->parts[0].mesh->positions[v].z *= 0.4f;
    snRetargetDef def = sn_retarget_def();
    def.ground = false;
    Stood hangs = stand(motion, clip, character, &def);
    assert_true(hangs.middle > 0.015f * hangs.report.height);
    def.ground = true;
    Stood stood = stand(motion, clip, character, &def);
    assert_true(stood.low > -0.02f * stood.report.height);
    assert_near(stood.middle, 0.0f, 0.01f * stood.report.height);
    sn_clip_destroy(clip);
    sn_model_destroy(motion);
    sn_model_destroy(character);
}

// A head twice as thick as its body: without a rule it is what the body lies on. It is raised where it leaves
// the trunk, as on a pillow.
static void a_body_that_lies_rests_on_its_trunk(void** state) {
    (void)state;
    snModel* motion = people_body();
    snClip* clip = lie_down(motion->skeleton);
    snModel* character = people_body();
    grow_head(character, 2.0f);
    snRetargetDef def = sn_retarget_def();
    Stood stood = stand(motion, clip, character, &def);
    assert_true(stood.low > -0.02f * stood.report.height);
    assert_near(stood.trunk, 0.0f, 0.015f * stood.report.height);
    sn_clip_destroy(clip);
    sn_model_destroy(motion);
    sn_model_destroy(character);
}

// On its toes and, with straight arms, its hands: a plank, 18 degrees steep.
static snClip* plank(const snSkeleton* body) {
    enum { KEYS = 3 };
    static const char* const names[] = {"Hips", "LeftUpperArm", "RightUpperArm"};
    float times[KEYS] = {0.0f, 1.0f, 2.0f}, turns[3][4 * KEYS], places[3 * KEYS];
    snChannel channels[4];
    snVec3 points[64];
    snQuat rotations[64];
    people_rest(body, points, rotations);
    for (uint32_t i = 0; i < 3; i++) {
        uint32_t joint = sn_skeleton_find(body, names[i]);
        snVec3 arm = sn_sub(points[sn_skeleton_find(body, i == 1 ? "LeftHand" : "RightHand")], points[joint]);
        for (int k = 0; k < KEYS; k++) {
            snQuat lean = sn_quat_axis_angle(sn_vec3(1, 0, 0), 72.0f * SN_PI / 180.0f), q = lean;
            if (i > 0) q = sn_quat_between(arm, sn_quat_rotate(sn_quat_conjugate(lean), sn_vec3(0, -1, 0)));
            q = sn_quat_mul(q, body->rest[joint].rotation);
            memcpy(turns[i] + 4 * k, &q, sizeof q);
        }
        channels[i] = (snChannel){joint, SN_PATH_ROTATION, SN_INTERPOLATION_LINEAR, KEYS, 4, times, turns[i]};
    }
    snVec3 place = body->rest[sn_skeleton_find(body, "Hips")].translation;
    place.y = 0.3f;
    for (int k = 0; k < KEYS; k++) memcpy(places + 3 * k, &place, sizeof place);
    channels[3] =
        (snChannel){channels[0].joint, SN_PATH_TRANSLATION, SN_INTERPOLATION_LINEAR, KEYS, 3, times, places};
    snClipDef def = {"plank", 0.0f, 4, channels};
    snClip* clip = NULL;
    assert_ok(sn_clip_create(&def, body->joint_count, NULL, &clip, NULL));
    return clip;
}

// Low and level, but on its hands: the trunk stays off the floor.
static void a_plank_is_no_lying(void** state) {
    (void)state;
    snModel* motion = people_body();
    snClip* clip = plank(motion->skeleton);
    snModel* character = people_body();
    snRetargetDef def = sn_retarget_def();
    Stood stood = stand(motion, clip, character, &def);
    assert_true(stood.low > -0.02f * stood.report.height);
    if (!(stood.trunk > 0.1f * stood.report.height)) fail_msg("the trunk is at %g", (double)stood.trunk);
    sn_clip_destroy(clip);
    sn_model_destroy(motion);
    sn_model_destroy(character);
}

// Hangs in the air, bowed, and then bows twice on its feet: only that is a loop.
static snClip* land_and_bow(const snSkeleton* body) {
    enum { KEYS = 10 };
    uint32_t hips = sn_skeleton_find(body, "Hips"), spine = sn_skeleton_find(body, "Spine");
    float times[KEYS], turns[4 * KEYS], places[3 * KEYS];
    for (int k = 0; k < KEYS; k++) {
        times[k] = 0.4f * (float)k;
        float angle = k < 2 ? -0.6f + 0.3f * (float)k : (k % 4 == 0 ? 0.7f : (k % 2 == 0 ? 0.0f : 0.35f));
        snQuat q = sn_quat_mul(sn_quat_axis_angle(sn_vec3(1, 0, 0), angle), body->rest[spine].rotation);
        snVec3 place = body->rest[hips].translation;
        if (k < 2) place.y += 0.5f;
        memcpy(turns + 4 * k, &q, sizeof q);
        memcpy(places + 3 * k, &place, sizeof place);
    }
    snChannel channels[2] = {{spine, SN_PATH_ROTATION, SN_INTERPOLATION_LINEAR, KEYS, 4, times, turns},
                             {hips, SN_PATH_TRANSLATION, SN_INTERPOLATION_LINEAR, KEYS, 3, times, places}};
    snClipDef def = {"land", 0.0f, 2, channels};
    snClip* clip = NULL;
    assert_ok(sn_clip_create(&def, body->joint_count, NULL, &clip, NULL));
    return clip;
}

// Heights are those of the frames that the loop is cut from, not of the first ones.
static void what_has_no_feet_stands_in_loops(void** state) {
    (void)state;
    snModel* motion = people_body();
    snModel* character = people_body();
    snClip* clip = land_and_bow(motion->skeleton);
    take_feet(character);
    snRetargetDef def = sn_retarget_def();
    def.loop = true;
    Stood stood = stand(motion, clip, character, &def);
    assert_true(stood.report.loop.start > 0.7f && stood.report.loop.seam < 0.1f);
    assert_true(stood.high < 0.02f * stood.report.height && stood.low > -0.02f * stood.report.height);
    sn_clip_destroy(clip);
    sn_model_destroy(motion);
    sn_model_destroy(character);
}

static snResult make_points(const snAllocator* allocator, void* context) {
    const snModel* model = context;
    snBodyPoints* points = NULL;
    snResult result = sn_body_points_create(model, model->skeleton, allocator, &points, NULL);
    sn_body_points_destroy(points);
    return result;
}

// Whatever way a body is turned, no vertex is lower than the lowest of its points by more than a hair.
static void points_reach_as_far_as_the_surface(void** state) {
    (void)state;
    snModel* model = people_body();
    snBodyPoints* points = NULL;
    assert_ok(sn_body_points_create(model, model->skeleton, NULL, &points, NULL));
    assert_true(points->count > 100);
    uint32_t seed = 7;
    for (int i = 0; i < 50; i++) {
        snQuat turn = test_random_rotation(&seed);
        float low = INFINITY, lowest = INFINITY;
        for (uint32_t p = 0; p < points->count; p++)
            low = sn_minf(low, sn_quat_rotate(turn, points->items[p].place).y);
        const snMesh* mesh = model->parts[0].mesh;
        for (uint32_t v = 0; v < mesh->vertex_count; v++)
            lowest = sn_minf(lowest, sn_quat_rotate(turn, mesh->positions[v]).y);
        assert_true(lowest <= low + 1e-4f && lowest > low - 0.004f);
    }
    sn_body_points_destroy(points);
    test_every_allocation(make_points, model);
    sn_model_destroy(model);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_walk_stands_on_the_floor),
        cmocka_unit_test(the_floor_can_be_elsewhere),
        cmocka_unit_test(what_has_no_feet_stands_too),
        cmocka_unit_test(what_has_no_feet_hops),
        cmocka_unit_test(what_has_no_feet_stands_before_it_falls),
        cmocka_unit_test(a_head_does_not_go_through_the_floor),
        cmocka_unit_test(feet_leave_the_floor_rather_than_slide),
        cmocka_unit_test(a_body_that_lies_lies_on_the_floor),
        cmocka_unit_test(a_body_that_lies_rests_on_its_trunk),
        cmocka_unit_test(a_plank_is_no_lying),
        cmocka_unit_test(what_has_no_feet_stands_in_loops),
        cmocka_unit_test(points_reach_as_far_as_the_surface),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
