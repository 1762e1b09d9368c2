// Files that version 0.1.0 wrote still mean what they meant. Numbers here were taken from that version.
#include <stdio.h>
#include <string.h>

#include "io_support.h"

static const char* old_path(const char* name) {
    static char path[4096];
    snprintf(path, sizeof path, "%s/%s", SINEW_OLD_FILES, name);
    return path;
}

static snModel* read_bar(void) { return test_read_file(old_path("bar.glb"), NULL); }

static uint64_t hash_floats(const float* values, size_t count) {
    return sn_hash_floats(SN_HASH_SEED, values, count);
}

// ------------------------------------------------------------------------------------------
// SINEW_deformation

static void check_weights(const snWeights* weights, uint32_t vertices, uint32_t influences) {
    assert_int_equal(weights->vertex_count, vertices);
    assert_int_equal(weights->influences, influences);
    for (uint32_t v = 0; v < vertices; v++) {
        float sum = 0.0f;
        for (uint32_t i = 0; i < influences; i++) sum += weights->weights[v * influences + i];
        assert_near(sum, 1.0f, 1e-6f);
    }
}

static void the_model_is_what_it_was(void** state) {
    (void)state;
    snModel* model = read_bar();
    assert_int_equal(model->skeleton->joint_count, 4);
    assert_int_equal(sn_skeleton_find(model->skeleton, "Bone3"), 2);
    assert_int_equal(model->part_count, 1);
    const snPart* part = &model->parts[0];
    assert_int_equal(part->mesh->vertex_count, 196);
    assert_int_equal(part->mesh->face_count, 194); // quads, which the triangles of the file are not
    assert_int_equal(part->mesh->corner_count, 4 * 194);
    assert_true(sn_mesh_hash(part->mesh) == UINT64_C(0xcdc73e43929e3208));
    check_weights(&part->weights, 196, part->weights.influences);
    assert_int_equal(model->clip_count, 2);
    assert_string_equal(model->clips[0]->name, "twist");
    assert_string_equal(model->clips[1]->name, "bend");
    assert_near(model->clips[0]->duration, 2.0f, 1e-6f);
    sn_model_destroy(model);
}

static void the_lattice_is_what_it_was(void** state) {
    (void)state;
    snModel* model = read_bar();
    const snBinding* binding = model->binding;
    assert_non_null(binding);
    assert_int_equal(binding->lattice->cell_count, 81);
    assert_int_equal(binding->lattice->particle_count, 160);
    assert_int_equal(binding->lattice->piece_count, 1);
    assert_near(binding->lattice->cell_size, 0.33449477f, 1e-8f);
    assert_true(hash_floats(&binding->lattice->rest[0].x, 3 * 160) == UINT64_C(0x021a422a410f4625));
    assert_int_equal(binding->joint_count, 3);
    for (uint32_t j = 0; j < 3; j++) assert_int_equal(binding->joints[j], j);
    check_weights(&binding->particles, 160, 4);
    assert_true(hash_floats(binding->particles.weights, 4 * 160) == UINT64_C(0xe519c995b2afd0d1));
    assert_int_equal(binding->vertex_starts[1], 196);
    // It moves by it.
    snCharacterDef def = sn_character_def();
    def.model = model;
    snCharacter* character = NULL;
    assert_ok(sn_character_create(&def, NULL, &character, NULL));
    uint64_t rest = sn_character_hash(character);
    assert_ok(sn_character_pose_clip(character, 0, 0.5f, SN_WRAP_CLAMP));
    assert_true(sn_character_hash(character) != rest);
    assert_int_equal(sn_character_report(character).particles, 160);
    sn_character_destroy(character);
    sn_model_destroy(model);
}

// -------------------------------------------------------------------------------------------------- settings

static void check_style(const snStyle* style) {
    assert_string_equal(style->name, "old");
    assert_non_null(strstr(style->description, "Sheet metal"));
    assert_near(style->bend_angle, 110.0f * SN_PI / 180.0f, 1e-6f);
    assert_near(style->twist_angle, 150.0f * SN_PI / 180.0f, 1e-6f);
    assert_near(style->fade, 0.05f, 1e-7f);
    assert_int_equal(style->sides, SN_STYLE_MIRRORED);
    uint64_t hash = SN_HASH_SEED;
    for (int d = 0; d < SN_STYLE_DIRECTIONS; d++) {
        const snStyleTexture* texture = &style->textures[d];
        size_t texels = (size_t)texture->width * texture->height;
        hash = sn_hash_bytes(hash, texture->texels, texels * sizeof *texture->texels);
    }
    assert_int_equal(style->textures[SN_STYLE_FRONTAL].width, 97);
    assert_int_equal(style->textures[SN_STYLE_FRONTAL].height, 49);
    assert_true(hash == UINT64_C(0x8954b41bf698dc82));
    const snStyleCurve* curve = &style->curves[SN_STYLE_FRONTAL];
    assert_int_equal(curve->count, 5);
    assert_near(curve->keys[2].x, 0.5f, 0.0f);
    assert_near(curve->keys[2].y, 0.42f, 0.0f);
    assert_int_equal(style->curves[SN_STYLE_LATERAL].count, 0);
}

static void check_profile(const snVolumeProfile* profile) {
    assert_string_equal(profile->name, "muscle");
    assert_near(profile->shares[0], 0.1f, 1e-7f);
    assert_near(profile->shares[2], 0.8f, 1e-7f);
    assert_near(profile->axes[0].center, 0.4f, 0.0f);
    assert_near(profile->axes[0].sigma, 0.25f, 0.0f);
    assert_near(profile->axes[2].side, 1.0f, 0.0f);
    assert_false(profile->folds_grow);
}

// What the command line changed, and what it left at the defaults of that time.
static void check_settings(const snSettings* settings) {
    assert_int_equal(settings->skin, SN_SKIN_SPLINE);
    assert_int_equal(settings->volume, SN_VOLUME_PARTS_EXACT);
    assert_true(settings->flesh);
    assert_near(settings->delta, 0.625f, 0.0f);
    assert_vec3_near(settings->gravity, sn_vec3(0.0f, -1.5f, 0.0f), 0.0f);
    assert_near(settings->alpha, 0.6f, 0.0f);
    assert_near(settings->damping, 14.0f, 0.0f);
    assert_int_equal(settings->width, 2);
    assert_near(settings->spline_stiffness, 3.0f, 0.0f);
    assert_int_equal(settings->spline_samples, 32);
    assert_int_equal(settings->max_steps, 600);
    assert_near(settings->step, 1.0f / 60.0f, 1e-8f);
    assert_int_equal(settings->layer_count, 4);
    assert_near(settings->layers[2].softness, 0.6f, 0.0f);
    assert_int_equal(settings->volume_rule_count, 1);
    assert_string_equal(settings->volume_rules[0].joint, "Bone2");
    assert_near(settings->volume_rules[0].amount, 1.0f, 0.0f);
    check_profile(&settings->volume_rules[0].profile);
    assert_int_equal(settings->style_rule_count, 1);
    assert_string_equal(settings->style_rules[0].joint, "Bone3");
    assert_string_equal(settings->style_rules[0].style, "old");
    assert_near(settings->style_rules[0].strength, 0.5f, 0.0f);
    assert_int_equal(settings->style_count, 1);
    check_style(settings->styles[0]);
}

static void settings_in_a_model_are_what_they_were(void** state) {
    (void)state;
    snModel* model = read_bar();
    assert_non_null(model->settings);
    check_settings(model->settings);
    sn_model_destroy(model);
}

static void settings_in_json_are_what_they_were(void** state) {
    (void)state;
    snSettings* settings = NULL;
    snError error = sn_error_none();
    assert_ok(sn_settings_create(NULL, &settings, NULL));
    // What the file says counts, not what was there.
    settings->alpha = 0.1f;
    settings->max_steps = 7;
    if (sn_settings_read(old_path("settings.json"), settings, &error) != SN_RESULT_OK)
        fail_msg("%s", error.text);
    check_settings(settings);
    sn_settings_destroy(settings);
}

static void a_profile_is_what_it_was(void** state) {
    (void)state;
    snVolumeProfile profile;
    assert_ok(sn_volume_profile_read(old_path("profile.json"), NULL, &profile, NULL));
    check_profile(&profile);
}

static void a_style_is_what_it_was(void** state) {
    (void)state;
    snStyle* style = NULL;
    assert_ok(sn_style_read(old_path("old.snstyle"), NULL, &style, NULL));
    check_style(style);
    sn_style_destroy(style);
}

// --------------------------------------------------------------------------------------------------- handles

typedef struct Rigged {
    snModel* model;
    snMesh* mesh;
    snHandles* handles;
    snHandlePose* poses[2]; // by_hand, bar
} Rigged;

static snHandlePose* read_pose(const char* name, const snHandles* handles) {
    snHandlePose* pose = NULL;
    snNotes notes = {0};
    snReadDef def = sn_read_def();
    def.notes = &notes;
    assert_ok(sn_handle_pose_read(old_path(name), handles, &def, &pose, NULL));
    assert_int_equal(notes.count, 0); // details are for this mesh
    return pose;
}

static Rigged read_rigged(void) {
    Rigged r = {.model = read_bar()};
    snError error = sn_error_none();
    assert_ok(sn_model_merge_mesh(r.model, NULL, &r.mesh, NULL));
    if (sn_handles_read(old_path("bar.snrig"), r.mesh, NULL, &r.handles, &error) != SN_RESULT_OK)
        fail_msg("%s", error.text);
    r.poses[0] = read_pose("by_hand.snpose", r.handles);
    r.poses[1] = read_pose("bar.snpose", r.handles);
    return r;
}

static void free_rigged(Rigged* r) {
    for (int i = 0; i < 2; i++) sn_handle_pose_destroy(r->poses[i]);
    sn_handles_destroy(r->handles);
    sn_mesh_destroy(r->mesh);
    sn_model_destroy(r->model);
}

static void a_rig_is_what_it_was(void** state) {
    (void)state;
    Rigged r = read_rigged();
    assert_int_equal(r.handles->handle_count, 2);
    assert_true(r.handles->mesh_hash == UINT64_C(0xcdc73e43929e3208));
    const snHandle *low = &r.handles->handles[0], *top = &r.handles->handles[1];
    assert_string_equal(low->name, "low");
    assert_string_equal(top->name, "top");
    assert_int_equal(low->vertex_count, 36);
    assert_int_equal(top->vertex_count, 68);
    assert_int_equal(low->vertices[35], 35);
    assert_int_equal(top->vertices[0], 128);
    assert_vec3_near(low->center, sn_vec3(0.0f, 0.25f, 0.0f), 0.0f);
    assert_vec3_near(top->center, sn_vec3(0.0f, 1.5f, 0.0f), 0.0f);
    assert_int_equal(low->follower_count, 1);
    assert_int_equal(low->followers[0], 1);
    assert_int_equal(top->follower_count, 0);
    float sum = 0.0f;
    for (uint32_t v = 0; v < top->vertex_count; v++) sum += top->weights[v];
    assert_near(sum, 64.0f + 4.0f * 0.5f, 0.0f);
    free_rigged(&r);
}

static void poses_are_what_they_were(void** state) {
    (void)state;
    Rigged r = read_rigged();
    for (int i = 0; i < 2; i++) {
        const snHandlePose* pose = r.poses[i];
        float share = i == 0 ? 1.0f : 0.5f; // the second is half of the first
        assert_string_equal(pose->name, i == 0 ? "by_hand" : "bar");
        assert_int_equal(pose->step_count, 2);
        assert_int_equal(pose->steps[0].act, SN_POSE_ROTATE);
        assert_int_equal(pose->steps[0].center, 1);
        assert_int_equal(pose->steps[0].frame, 1);
        assert_int_equal(pose->steps[0].handle_count, 1);
        assert_vec3_near(pose->steps[0].axis, sn_vec3(0, 0, 1), 0.0f);
        assert_near(pose->steps[0].angle, share * SN_PI / 3.0f, 1e-6f);
        assert_int_equal(pose->steps[1].act, SN_POSE_MOVE);
        assert_int_equal(pose->steps[1].handle_count, 2);
        assert_vec3_near(pose->steps[1].move, sn_scale(sn_vec3(0.25f, 0.0f, -0.5f), share), 0.0f);
        assert_int_equal(pose->detail_count, 2);
        assert_int_equal(pose->details[1].vertex, 101);
        assert_near(pose->details[1].offset, share * 0.04f, 1e-8f);
    }
    free_rigged(&r);
}

static snPathFile* read_paths(const Rigged* r, const char* name) {
    snPathReadDef def = sn_path_read_def();
    def.handles = r->handles;
    def.pose_count = 2;
    def.poses = (const snHandlePose* const*)r->poses;
    snPathFile* file = NULL;
    snError error = sn_error_none();
    if (sn_path_file_read(old_path(name), &def, &file, &error) != SN_RESULT_OK) fail_msg("%s", error.text);
    return file;
}

static void paths_are_what_they_were(void** state) {
    (void)state;
    Rigged r = read_rigged();
    snPathFile* file = read_paths(&r, "paths.json");
    assert_near(file->fps, 12.0f, 0.0f);
    assert_near(file->change, 0.25f, 0.0f);
    assert_near(file->smooth, 0.05f, 0.0f);
    assert_near(file->steady, 0.25f, 0.0f);
    assert_int_equal(file->base, 0);
    assert_true(file->grounded);
    assert_int_equal(file->terrain.kind, SN_TERRAIN_HILLS);
    assert_near(file->terrain.height, 0.1f, 0.0f);
    assert_near(file->terrain.length, 2.0f, 0.0f);
    assert_near(file->objective.spread, 0.02f, 0.0f);
    assert_int_equal(file->paths->path_count, 2);
    const snPathDef *low = &file->paths->paths[0], *top = &file->paths->paths[1];
    assert_int_equal(low->handle, 0);
    assert_int_equal(top->handle, 1);
    assert_true(low->contact && low->global && low->smooth && low->draped);
    assert_near(low->roll, 0.5f, 0.0f);
    assert_int_equal(low->key_count, 3);
    assert_near(low->keys[2].rest, 0.25f, 0.0f);
    assert_vec3_near(low->keys[1].place, sn_vec3(0.2f, 0.1f, 0.0f), 0.0f);
    assert_false(top->contact || top->global || top->smooth);
    assert_near(top->reach, 0.5f, 0.0f);
    assert_vec3_near(top->keys[1].place, sn_vec3(0.5f, 2.5f, 0.5f), 0.0f);
    assert_int_equal(file->keyframes.key_count, 0);
    sn_path_file_destroy(file);
    free_rigged(&r);
}

static void keyframes_are_what_they_were(void** state) {
    (void)state;
    Rigged r = read_rigged();
    snPathFile* file = read_paths(&r, "keyframes.json");
    assert_null(file->paths);
    assert_false(file->grounded);
    const snKeyframes* frames = &file->keyframes;
    assert_int_equal(frames->key_count, 3);
    assert_true(frames->loop);
    assert_int_equal(frames->keys[0].ease, SN_EASE_LINEAR);
    assert_int_equal(frames->keys[1].ease, SN_EASE_HOLD);
    assert_int_equal(frames->keys[2].ease, SN_EASE_IN_OUT);
    float weights[2];
    sn_keyframes_at(frames, 0.5f, 2, weights);
    assert_near(weights[0], 0.25f, 1e-6f);
    assert_near(weights[1], 0.75f, 1e-6f);
    sn_path_file_destroy(file);
    free_rigged(&r);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_model_is_what_it_was),
        cmocka_unit_test(the_lattice_is_what_it_was),
        cmocka_unit_test(settings_in_a_model_are_what_they_were),
        cmocka_unit_test(settings_in_json_are_what_they_were),
        cmocka_unit_test(a_profile_is_what_it_was),
        cmocka_unit_test(a_style_is_what_it_was),
        cmocka_unit_test(a_rig_is_what_it_was),
        cmocka_unit_test(poses_are_what_they_were),
        cmocka_unit_test(paths_are_what_they_were),
        cmocka_unit_test(keyframes_are_what_they_were),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
