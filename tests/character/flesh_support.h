// Bound models for tests of characters with flesh.
#ifndef SINEW_TEST_FLESH_SUPPORT_H
#define SINEW_TEST_FLESH_SUPPORT_H

#include <stdlib.h>
#include <string.h>

#include "support.h"

static inline void flesh_bind(snModel* model, uint32_t cells) {
    snBindDef def = sn_bind_def();
    def.method = SN_WEIGHTS_KEEP;
    def.cells = cells;
    snError error = sn_error_none();
    if (sn_model_bind(model, &def, NULL, &error) != SN_RESULT_OK) fail_msg("%s", error.text);
}

// The built-in body, small enough for many frames.
static inline snModel* flesh_body(uint32_t cells) {
    snBodyDef def = sn_body_def();
    def.vertex_target = 3000;
    snModel* model = NULL;
    assert_ok(sn_builtin_body(&def, NULL, &model, NULL));
    flesh_bind(model, cells);
    return model;
}

static inline snModel* flesh_tube(uint32_t cells) {
    snTubeDef def = sn_tube_def();
    snModel* model = NULL;
    assert_ok(sn_builtin_tube(&def, NULL, &model, NULL));
    flesh_bind(model, cells);
    return model;
}

// Two tubes on the same bones, "left" at x = 0 and "right" at x = 2, and a rigid "hat" on the last bone.
// Colors of both are red below y = 1.5 and green above. The left one has a morph "thick" that makes it
// wider.
static inline snModel* flesh_twins(uint32_t cells) {
    snTubeDef tube_def = sn_tube_def();
    snModel* tube = NULL;
    assert_ok(sn_builtin_tube(&tube_def, NULL, &tube, NULL));
    const snPart* from = &tube->parts[0];
    const snMesh* mesh = from->mesh;
    uint32_t count = mesh->vertex_count;
    snVec3* shifted = malloc(count * sizeof *shifted);
    snVec3* wider = malloc(count * sizeof *wider);
    snVec4* colors = malloc(count * sizeof *colors);
    for (uint32_t v = 0; v < count; v++) {
        snVec3 p = mesh->positions[v];
        shifted[v] = sn_vec3(p.x + 2.0f, p.y, p.z);
        wider[v] = sn_vec3(0.2f * p.x, 0, 0.2f * p.z);
        colors[v] = p.y < 1.5f ? (snVec4){1, 0, 0, 1} : (snVec4){0, 1, 0, 1};
    }
    snMeshDef meshes[2] = {{.vertex_count = count,
                            .face_count = mesh->face_count,
                            .corner_count = mesh->corner_count,
                            .positions = mesh->positions,
                            .face_starts = mesh->face_starts,
                            .corners = mesh->corners,
                            .colors = colors}};
    meshes[1] = meshes[0];
    meshes[1].positions = shifted;
    snMorph morph = {(char*)"thick", wider, NULL};
    snPartDef part = {.mesh = &meshes[0],
                      .joint = from->joint,
                      .influences = from->weights.influences,
                      .joints = from->weights.joints,
                      .weights = from->weights.weights};
    snPartDef parts[3] = {part, part, {.name = "hat", .mesh = &meshes[1], .joint = 2, .skin = SN_NONE}};
    parts[0].name = "left", parts[1].name = "right";
    parts[1].mesh = &meshes[1];
    parts[0].morph_count = 1, parts[0].morphs = &morph;
    snSkinDef skin = {"skin", tube->skins[0].joint_count, tube->skins[0].joints,
                      tube->skins[0].inverse_binds};
    snSkeletonDef skeleton = {tube->skeleton->joint_count, (const char* const*)tube->skeleton->names,
                              tube->skeleton->parents, tube->skeleton->rest};
    snClipDef clip = {"bend", 0.0f, tube->clips[0]->channel_count, tube->clips[0]->channels};
    snModelDef def = {&skeleton, 1, &skin, 3, parts, 1, &clip};
    snModel* model = NULL;
    assert_ok(sn_model_create(&def, NULL, &model, NULL));
    free(shifted);
    free(wider);
    free(colors);
    sn_model_destroy(tube);
    flesh_bind(model, cells);
    return model;
}

static inline snSettings* flesh_settings(void) {
    snSettings* settings = NULL;
    assert_ok(sn_settings_create(NULL, &settings, NULL));
    return settings;
}

static inline snCharacter* flesh_character(const snModel* model, const snSettings* settings,
                                           snSkinMethod skin) {
    snCharacterDef def = sn_character_def();
    def.model = model;
    def.settings = settings;
    def.skin = skin;
    snCharacter* character = NULL;
    snError error = sn_error_none();
    if (sn_character_create(&def, NULL, &character, &error) != SN_RESULT_OK) fail_msg("%s", error.text);
    return character;
}

// The same without flesh: where the particles of the primary are.
static inline snCharacter* flesh_stiff(const snModel* model, const snSettings* settings, snSkinMethod skin) {
    snSettings* stiff = NULL;
    assert_ok(sn_settings_copy(settings, NULL, &stiff, NULL));
    stiff->flesh = false;
    snCharacter* character = flesh_character(model, stiff, skin);
    sn_settings_destroy(stiff);
    return character;
}

// Metres: the side of a cube with the volume of the cells.
static inline float flesh_scale(const snModel* model) {
    const snLattice* lattice = model->binding->lattice;
    return lattice->cell_size * cbrtf((float)lattice->cell_count);
}

static inline uint32_t flesh_clip_index(const snModel* model, const char* name) {
    uint32_t clip = sn_model_find_clip(model, name);
    assert_true(clip != SN_NONE);
    return clip;
}

// How far particles of two characters are apart at most; fails on what is no number.
static inline float flesh_apart(const snModel* model, const snCharacter* a, const snCharacter* b) {
    const snVec4 *p = sn_character_particles(a), *q = sn_character_particles(b);
    float most = 0.0f;
    for (uint32_t i = 0; i < model->binding->lattice->particle_count; i++) {
        snVec3 way = sn_vec3(p[i].x - q[i].x, p[i].y - q[i].y, p[i].z - q[i].z);
        assert_true(sn_vec3_finite(way));
        most = sn_maxf(most, sn_length(way));
    }
    return most;
}

// The rest pose with its first joint moved.
static inline void flesh_rest_pose(const snModel* model, snVec3 by, snTrs* out) {
    const snSkeleton* skeleton = model->skeleton;
    memcpy(out, skeleton->rest, skeleton->joint_count * sizeof *out);
    snTrs* root = &out[skeleton->order[0]];
    root->translation = sn_add(root->translation, by);
}

#endif
