// Captured skeletons and motions on bodies: what exact volume and contact add to the skin is as smooth in
// time as the skin, and a chest breathes at the chest.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sinew/document.h"
#include "support.h"

#define FPS 60.0f
#define SECONDS 1.5f

static const char* const MOTIONS[] = {"cmu_02_01_walk", "cmu_02_04_jump",  "cmu_05_02_dance",
                                      "cmu_35_01_walk", "cmu_60_01_salsa", "cmu_49_06_cartwheel",
                                      "mh_zombieWalk1", "three_pirouette"};

#define MOST_PARTS 64u

// Largest second differences in time, in metres: of the skin, and of what is added to it; of each part by
// itself, for a sword in a hand says nothing of an arm.
typedef struct Jerk {
    float skin[MOST_PARTS], added[MOST_PARTS];
    uint32_t worst; // part, whose second is the largest beside its first
} Jerk;

typedef struct Track {
    uint32_t count;
    snVec3* past[2][3]; // skin, added; of the last three frames
} Track;

static snCharacter* character_of(const snModel* model, snSkinMethod skin, bool keeps) {
    snSettings* settings = NULL;
    assert_ok(sn_settings_create(NULL, &settings, NULL));
    settings->skin = skin;
    settings->flesh = false;
    settings->volume = keeps ? SN_VOLUME_EXACT : SN_VOLUME_NONE;
    settings->skin_contact = keeps;
    snCharacterDef def = sn_character_def();
    def.model = model;
    def.settings = settings;
    snCharacter* character = NULL;
    assert_ok(sn_character_create(&def, NULL, &character, NULL));
    sn_settings_destroy(settings);
    return character;
}

static void take_frame(Track* track, const snModel* model, snCharacter* plain, snCharacter* kept, int frame) {
    uint32_t to = 0;
    for (uint32_t p = 0; p < model->part_count; p++) {
        snSurface skin = sn_character_surface(plain, p), whole = sn_character_surface(kept, p);
        for (uint32_t v = 0; v < skin.vertex_count; v++, to++) {
            track->past[0][frame % 3][to] = skin.positions[v];
            track->past[1][frame % 3][to] = sn_sub(whole.positions[v], skin.positions[v]);
        }
    }
}

static float second_difference(const Track* track, int kind, int frame, uint32_t from, uint32_t count) {
    const snVec3 *now = track->past[kind][frame % 3], *last = track->past[kind][(frame + 2) % 3],
                 *before = track->past[kind][(frame + 1) % 3];
    float most = 0.0f;
    for (uint32_t v = from; v < from + count; v++)
        most = sn_maxf(most, sn_length(sn_add(sn_sub(now[v], sn_scale(last[v], 2.0f)), before[v])));
    return most;
}

static void take_jerk(const Track* track, const snModel* model, int frame, Jerk* jerk) {
    uint32_t from = 0;
    for (uint32_t p = 0; p < model->part_count; p++) {
        uint32_t count = model->parts[p].mesh->vertex_count;
        jerk->skin[p] = sn_maxf(jerk->skin[p], second_difference(track, 0, frame, from, count));
        jerk->added[p] = sn_maxf(jerk->added[p], second_difference(track, 1, frame, from, count));
        from += count;
    }
}

static Jerk play(const snModel* model, snCharacter* plain, snCharacter* kept, uint32_t clip, float from,
                 float seconds) {
    Jerk jerk = {0};
    Track track = {0};
    assert_true(model->part_count <= MOST_PARTS);
    for (uint32_t p = 0; p < model->part_count; p++) track.count += model->parts[p].mesh->vertex_count;
    for (int k = 0; k < 6; k++) track.past[k / 3][k % 3] = calloc((size_t)track.count + 1, sizeof(snVec3));
    int frames = (int)(seconds * FPS);
    for (int f = 0; f < frames; f++) {
        float time = from + (float)f / FPS;
        assert_ok(sn_character_pose_clip(plain, clip, time, SN_WRAP_CLAMP));
        assert_ok(sn_character_pose_clip(kept, clip, time, SN_WRAP_CLAMP));
        take_frame(&track, model, plain, kept, f);
        if (f >= 2) take_jerk(&track, model, f, &jerk);
    }
    for (uint32_t p = 1; p < model->part_count; p++) {
        uint32_t w = jerk.worst;
        if (jerk.added[p] * jerk.skin[w] > jerk.added[w] * jerk.skin[p]) jerk.worst = p;
    }
    for (int k = 0; k < 6; k++) free(track.past[k / 3][k % 3]);
    return jerk;
}

static snDocument* open_body(const char* name) {
    snDocumentDef def = sn_document_def();
    snDocument* document = NULL;
    snError error = sn_error_none();
    assert_ok(sn_document_create(&def, NULL, &document, NULL));
    if (sn_document_open(document, test_data_path(name), NULL, &error) != SN_RESULT_OK)
        fail_msg("%s", error.text);
    if (sn_document_has_skeleton(document)) return document;
    snSource* skeleton = NULL;
    snJoinDef join = sn_join_def();
    snBindDef bind = sn_bind_def();
    join.fit = true;
    assert_ok(sn_source_open(document, test_data_path("motion/cmu_05_02_dance.bvh"), NULL, &skeleton, NULL));
    assert_ok(sn_document_join(document, skeleton, &join, NULL, NULL, &error));
    assert_ok(sn_document_bind(document, &bind, NULL, NULL, &error));
    sn_source_close(skeleton);
    return document;
}

static void play_all(const char* body) {
    snDocument* document = open_body(body);
    snError error = sn_error_none();
    uint32_t clips[sizeof MOTIONS / sizeof MOTIONS[0]];
    for (size_t m = 0; m < sizeof MOTIONS / sizeof MOTIONS[0]; m++) {
        char path[128];
        snprintf(path, sizeof path, "motion/%s.bvh", MOTIONS[m]);
        snSource* source = NULL;
        snMotionDef def = sn_motion_def();
        snMotionReport report = {0};
        def.fps = FPS;
        assert_ok(sn_source_open(document, test_data_path(path), NULL, &source, NULL));
        if (sn_document_add_motion(document, source, &def, &report, &error) != SN_RESULT_OK)
            fail_msg("%s on %s: %s", MOTIONS[m], body, error.text);
        sn_source_close(source);
        clips[m] = report.clip;
    }
    const snModel* model = sn_document_model(document);
    snCharacter *plain = character_of(model, SN_SKIN_DUAL, false),
                *kept = character_of(model, SN_SKIN_DUAL, true);
    for (size_t m = 0; m < sizeof MOTIONS / sizeof MOTIONS[0]; m++) {
        float middle = 0.5f * model->clips[clips[m]]->duration;
        Jerk jerk = play(model, plain, kept, clips[m], sn_maxf(middle - 0.5f * SECONDS, 0.0f), SECONDS);
        uint32_t w = jerk.worst;
        print_message("%-32s %-20s skin %.4f m, added %.4f m (%s)\n", body, MOTIONS[m], (double)jerk.skin[w],
                      (double)jerk.added[w], model->parts[w].name);
        assert_true(jerk.added[w] <= jerk.skin[w]);
    }
    sn_character_destroy(plain);
    sn_character_destroy(kept);
    sn_document_destroy(document);
}

static void is_as_smooth_as_the_skin(void** state) {
    (void)state;
    static const char* const bodies[] = {"meshes/os_human_woman.obj", "characters/kaykit_Knight.glb",
                                         "characters/quat_modular_men_Casual.glb"};
    for (size_t i = 0; i < sizeof bodies / sizeof bodies[0]; i++) play_all(bodies[i]);
}

// Twisted by 180 degrees and back, where dual quaternions have two ways to go.
static void twists_without_a_pop(void** state) {
    (void)state;
    snDocumentDef def = sn_document_def();
    snDocument* document = NULL;
    assert_ok(sn_document_create(&def, NULL, &document, NULL));
    assert_ok(sn_document_open(document, "builtin:body:6000", NULL, NULL));
    const snModel* model = sn_document_model(document);
    uint32_t clip = 0;
    while (clip < model->clip_count && strcmp(model->clips[clip]->name, "twist") != 0) clip++;
    assert_true(clip < model->clip_count);
    snCharacter *linear = character_of(model, SN_SKIN_LINEAR, false),
                *dual = character_of(model, SN_SKIN_DUAL, false),
                *kept = character_of(model, SN_SKIN_DUAL, true);
    float seconds = model->clips[clip]->duration;
    Jerk of_linear = play(model, linear, linear, clip, 0.0f, seconds),
         of_dual = play(model, dual, kept, clip, 0.0f, seconds);
    print_message("twist: linear %.4f m, dual %.4f m, added %.4f m\n", (double)of_linear.skin[0],
                  (double)of_dual.skin[0], (double)of_dual.added[0]);
    assert_true(of_dual.skin[0] <= 2.0f * of_linear.skin[0]);
    assert_true(of_dual.added[0] <= of_dual.skin[0]);
    sn_character_destroy(linear);
    sn_character_destroy(dual);
    sn_character_destroy(kept);
    sn_document_destroy(document);
}

// Mean of what two characters differ by, of the trunk within some centimetres of a joint's height.
static float apart_near(const snModel* model, const snCharacter* a, const snCharacter* b, uint32_t joint) {
    snSurface still = sn_character_surface(a, 0), moved = sn_character_surface(b, 0);
    snMat4 world[128];
    assert_true(model->skeleton->joint_count <= 128);
    sn_skeleton_world(model->skeleton, NULL, world);
    snVec3 place = sn_mat4_translation(&world[joint]);
    float sum = 0.0f, count = 0.0f;
    for (uint32_t v = 0; v < still.vertex_count; v++) {
        snVec3 p = still.positions[v];
        if (fabsf(p.y - place.y) > 0.04f || fabsf(p.x - place.x) > 0.2f) continue;
        sum += sn_distance(p, moved.positions[v]);
        count += 1.0f;
    }
    assert_true(count > 0.0f);
    return sum / count;
}

// A captured skeleton fitted into a woman: whatever its chest is called.
static void a_fitted_chest_breathes(void** state) {
    (void)state;
    snDocument* document = open_body("meshes/os_human_woman.obj");
    const snModel* model = sn_document_model(document);
    uint32_t chest = sn_skeleton_find(model->skeleton, "Spine1"),
             belly = sn_skeleton_find(model->skeleton, "LowerBack");
    assert_true(chest != SN_NONE && belly != SN_NONE);
    snSettings* settings = NULL;
    assert_ok(sn_settings_create(NULL, &settings, NULL));
    settings->skin = SN_SKIN_LINEAR;
    settings->flesh = false;
    settings->volume = SN_VOLUME_EXACT;
    snCharacterDef def = sn_character_def();
    def.model = model;
    def.settings = settings;
    snCharacter *still = NULL, *breath = NULL;
    assert_ok(sn_character_create(&def, NULL, &still, NULL));
    snVolumeKey keys[] = {{0.0f, 1.2f}, {1.0f, 1.2f}};
    snVolumeTarget target = {.joint = "Chest", .key_count = 2, .keys = keys};
    assert_ok(sn_settings_set_volume_targets(settings, &target, 1, NULL));
    assert_ok(sn_character_create(&def, NULL, &breath, NULL));
    assert_ok(sn_character_pose_clip(still, SN_CLIP_REST, 0.0f, SN_WRAP_CLAMP));
    assert_ok(sn_character_pose_clip(breath, SN_CLIP_REST, 0.0f, SN_WRAP_CLAMP));
    float at_chest = apart_near(model, still, breath, chest),
          at_belly = apart_near(model, still, breath, belly);
    print_message("breath: chest %.4f m, belly %.4f m\n", (double)at_chest, (double)at_belly);
    assert_true(at_chest > 1e-3f && at_chest > 5.0f * at_belly);
    sn_character_destroy(still);
    sn_character_destroy(breath);
    sn_settings_destroy(settings);
    sn_document_destroy(document);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(twists_without_a_pop),
                                       cmocka_unit_test(a_fitted_chest_breathes),
                                       cmocka_unit_test(is_as_smooth_as_the_skin)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
