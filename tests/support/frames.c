#include "frames.h"

#include <stdlib.h>
#include <string.h>

static void* room(size_t count, size_t size) {
    void* memory = calloc(count > 0 ? count : 1, size);
    assert_non_null(memory);
    return memory;
}

snCharacter* test_skin_character(const snModel* model, snSkinMethod skin) {
    snSettings* settings = NULL;
    snCharacter* character = NULL;
    snCharacterDef def = sn_character_def();
    assert_ok(sn_settings_create(NULL, &settings, NULL));
    settings->volume = SN_VOLUME_NONE;
    settings->flesh = false;
    def.model = model;
    def.settings = settings;
    def.skin = skin;
    assert_ok(sn_character_create(&def, NULL, &character, NULL));
    sn_settings_destroy(settings);
    return character;
}

TestFrames test_frames_open(const snModel* model, uint32_t clip, float fps, TestFramesKind kind) {
    TestFrames frames = {
        .model = model, .clip = clip, .fps = fps, .kind = kind, .size = 0.03f, .drift_from = UINT32_MAX};
    size_t joints = 1, vertices = 0;
    snCharacterDef def = sn_character_def();
    def.model = model;
    if (kind == TEST_FRAMES_FLESH)
        assert_ok(sn_character_create(&def, NULL, &frames.character, NULL));
    else
        frames.character =
            test_skin_character(model, kind == TEST_FRAMES_DUAL ? SN_SKIN_DUAL : SN_SKIN_LINEAR);
    for (uint32_t s = 0; s < model->skin_count; s++)
        joints = model->skins[s].joint_count > joints ? model->skins[s].joint_count : joints;
    frames.positions = room(model->part_count, sizeof *frames.positions);
    frames.normals = room(model->part_count, sizeof *frames.normals);
    for (uint32_t p = 0; p < model->part_count; p++) {
        size_t count = model->parts[p].mesh->vertex_count;
        vertices = count > vertices ? count : vertices;
        frames.positions[p] = room(count, sizeof(snVec3));
        frames.normals[p] = room(count, sizeof(snVec3));
    }
    frames.points = room(vertices, sizeof(snVec3));
    frames.matrices = room(joints, sizeof(snMat4));
    return frames;
}

void test_frames_close(TestFrames* frames) {
    for (uint32_t p = 0; p < frames->model->part_count; p++) {
        free(frames->positions[p]);
        free(frames->normals[p]);
    }
    free(frames->positions);
    free(frames->normals);
    free(frames->points);
    free(frames->matrices);
    sn_character_destroy(frames->character);
}

// Three shapes that come and go on their own.
static snVec3 field(snVec3 p, float time, float size) {
    snVec3 a = sn_vec3(sn_sin(3.0f * p.y), 0.0f, sn_cos(2.0f * p.x));
    snVec3 b = sn_vec3(0.0f, sn_sin(4.0f * p.z + p.y), 0.0f);
    snVec3 c = sn_vec3(p.z, p.x, p.y * p.y);
    a = sn_scale(a, sn_sin(5.0f * time));
    b = sn_scale(b, sn_cos(7.0f * time));
    c = sn_scale(c, 0.5f * time);
    return sn_scale(sn_add(a, sn_add(b, c)), size);
}

static snVec3 wave(snVec3 p, float time, float size) {
    snVec3 q = sn_vec3(sn_sin(3.0f * p.y - 9.0f * time), sn_sin(2.0f * p.z - 5.0f * time),
                       sn_cos(4.0f * p.x + 7.0f * time));
    return sn_scale(q, size);
}

// The plain skin of `frames->points`.
static snResult skin_points(TestFrames* frames, const snPart* part, snVec3* out) {
    const snMat4* world = sn_character_world(frames->character);
    if (part->skin == SN_NONE) {
        for (uint32_t v = 0; v < part->mesh->vertex_count; v++)
            out[v] = sn_mat4_point(&world[part->joint], frames->points[v]);
        return SN_RESULT_OK;
    }
    const snSkin* skin = &frames->model->skins[part->skin];
    for (uint32_t j = 0; j < skin->joint_count; j++)
        frames->matrices[j] = sn_mat4_mul(&world[skin->joints[j]], &skin->inverse_binds[j]);
    snSkinJob job = {.point_count = part->mesh->vertex_count,
                     .points = frames->points,
                     .influences = part->weights.influences,
                     .joints = part->weights.joints,
                     .weights = part->weights.weights,
                     .matrix_count = skin->joint_count,
                     .matrices = frames->matrices,
                     .out_points = out};
    return sn_skin_linear_run(&job);
}

snResult test_frames_get(void* user, uint32_t frame, snSurface* out_surfaces) {
    TestFrames* frames = user;
    float time = (float)frame / frames->fps;
    snResult result = sn_character_pose_clip(frames->character, frames->clip, time, SN_WRAP_CLAMP);
    if (frames->calls++ >= frames->drift_from) time += 0.01f;
    for (uint32_t p = 0; p < frames->model->part_count && result == SN_RESULT_OK; p++) {
        const snPart* part = &frames->model->parts[p];
        snSurface surface = sn_character_surface(frames->character, p);
        size_t size = surface.vertex_count * sizeof(snVec3);
        memcpy(frames->positions[p], surface.positions, size);
        memcpy(frames->normals[p], surface.normals, size);
        for (uint32_t v = 0; v < surface.vertex_count; v++) {
            snVec3 rest = part->mesh->positions[v];
            frames->points[v] = sn_add(rest, field(rest, time, frames->size));
            if (frames->kind == TEST_FRAMES_JELLY) {
                snVec3* x = &frames->positions[p][v];
                *x = sn_add(*x, wave(*x, time, frames->size));
            }
        }
        if (frames->kind == TEST_FRAMES_FIELDS) result = skin_points(frames, part, frames->positions[p]);
        out_surfaces[p] = (snSurface){surface.vertex_count, frames->positions[p], frames->normals[p]};
    }
    return result;
}

snMorphBakeDef test_frames_def(TestFrames* frames) {
    snMorphBakeDef def = sn_morph_bake_def();
    float duration = frames->clip != SN_CLIP_REST ? frames->model->clips[frames->clip]->duration : 1.0f;
    def.model = frames->model;
    def.clip = frames->clip;
    def.fps = frames->fps;
    def.frame_count = (uint32_t)(duration * frames->fps + 1.001f);
    def.frames = test_frames_get;
    def.user = frames;
    return def;
}

snBakeClip test_frames_clip(TestFrames* frames) {
    snMorphBakeDef def = test_frames_def(frames);
    return (snBakeClip){def.clip, def.fps, def.frame_count, def.frames, def.user, false};
}

snMorphBake* test_morph_bake(const snMorphBakeDef* def) {
    snMorphBake* bake = NULL;
    snError error = sn_error_none();
    if (sn_morph_bake_create(def, NULL, &bake, &error) != SN_RESULT_OK) fail_msg("%s", error.text);
    return bake;
}

snJointBake* test_joint_bake(const snJointBakeDef* def) {
    snJointBake* bake = NULL;
    snError error = sn_error_none();
    if (sn_joint_bake_create(def, NULL, &bake, &error) != SN_RESULT_OK) fail_msg("%s", error.text);
    return bake;
}

snModel* test_tube(uint32_t sides, uint32_t rings) {
    snTubeDef def = sn_tube_def();
    def.sides = sides;
    def.rings = rings;
    snModel* model = NULL;
    assert_ok(sn_builtin_tube(&def, NULL, &model, NULL));
    return model;
}

// ------------------------------------------------------------------------------------------------ viewer

static void add_placed(double sum[3], const snMat4* m, const double p[3], double weight) {
    for (int i = 0; i < 3; i++) {
        sum[i] += weight * ((double)m->m[i] * p[0] + (double)m->m[4 + i] * p[1] + (double)m->m[8 + i] * p[2] +
                            (double)m->m[12 + i]);
    }
}

// As viewers blend two keys.
static double key_weight(const snMorphPart* part, float time, uint32_t k) {
    uint32_t next = 0;
    while (next < part->key_count && part->times[next] < time) next++;
    if (next == part->key_count) next--;
    double at = (double)part->weights[(size_t)next * part->target_count + k];
    if (next == 0 || part->times[next] <= time) return at;
    double before = (double)part->weights[(size_t)(next - 1) * part->target_count + k];
    double share =
        (double)(time - part->times[next - 1]) / (double)(part->times[next] - part->times[next - 1]);
    return before + share * (at - before);
}

snVec3 test_viewer_point(const snModel* model, const snMorphBake* bake, uint32_t part, float time,
                         uint32_t vertex) {
    const snPart* own = &model->parts[part];
    const snMorphPart* from = &bake->parts[part];
    uint32_t joints = model->skeleton->joint_count;
    snTrs* locals = room(joints, sizeof *locals);
    snMat4* world = room(joints, sizeof *world);
    memcpy(locals, model->skeleton->rest, joints * sizeof *locals);
    if (bake->clip != SN_CLIP_REST)
        sn_clip_sample(model->clips[bake->clip], time, SN_WRAP_CLAMP, joints, locals);
    sn_skeleton_world(model->skeleton, locals, world);
    snVec3 base = from->base != NULL ? from->base[vertex] : own->mesh->positions[vertex];
    double p[3] = {(double)base.x, (double)base.y, (double)base.z}, sum[3] = {0};
    for (uint32_t k = 0; k < from->target_count; k++) {
        double weight = key_weight(from, time, k);
        snVec3 offset = from->targets[(size_t)k * from->vertex_count + vertex];
        p[0] += weight * (double)offset.x;
        p[1] += weight * (double)offset.y;
        p[2] += weight * (double)offset.z;
    }
    if (from->space == SN_MORPH_ROOT || own->skin == SN_NONE) {
        snMat4 one = from->joint != SN_NONE ? world[from->joint] : sn_mat4_identity();
        add_placed(sum, &one, p, 1.0);
    } else {
        const snSkin* skin = &model->skins[own->skin];
        const snWeights* weights = from->influences.influences > 0 ? &from->influences : &own->weights;
        for (uint32_t i = 0; i < weights->influences; i++) {
            size_t at = (size_t)vertex * weights->influences + i;
            uint32_t j = weights->joints[at];
            snMat4 m = sn_mat4_mul(&world[skin->joints[j]], &skin->inverse_binds[j]);
            add_placed(sum, &m, p, (double)weights->weights[at]);
        }
    }
    free(locals);
    free(world);
    return sn_vec3((float)sum[0], (float)sum[1], (float)sum[2]);
}

enum { KEYS = 5 };

snModel* test_travelling_tube(float distance) {
    snTubeDef def = sn_tube_def();
    def.sides = 16;
    snModel* model = NULL;
    assert_ok(sn_builtin_tube(&def, NULL, &model, NULL));
    float times[KEYS], turns[KEYS * 4], moves[KEYS * 3], twists[KEYS * 4];
    for (uint32_t k = 0; k < KEYS; k++) {
        float share = (float)k / (KEYS - 1), there = 1.0f - fabsf(2.0f * share - 1.0f);
        snQuat turn = sn_quat_axis_angle(sn_vec3(1, 2, 0), distance > 0.0f ? 2.0f * share : 0.0f);
        snQuat twist = sn_quat_axis_angle(sn_vec3(0, 1, 0), SN_PI * there);
        snVec3 move = sn_vec3(distance * share, 0.0f, -0.5f * distance * share);
        times[k] = share;
        memcpy(turns + 4 * (size_t)k, &turn, sizeof turn);
        memcpy(twists + 4 * (size_t)k, &twist, sizeof twist);
        memcpy(moves + 3 * (size_t)k, &move, sizeof move);
    }
    uint32_t tip = 0;
    while (tip + 1 < model->skeleton->joint_count && model->skeleton->parents[tip + 1] == tip && tip < 2)
        tip++;
    const snChannel channels[] = {{0, SN_PATH_ROTATION, SN_INTERPOLATION_LINEAR, KEYS, 4, times, turns},
                                  {0, SN_PATH_TRANSLATION, SN_INTERPOLATION_LINEAR, KEYS, 3, times, moves},
                                  {tip, SN_PATH_ROTATION, SN_INTERPOLATION_LINEAR, KEYS, 4, times, twists}};
    const snClipDef clip = {"travel", 0.0f, 3, channels};
    assert_ok(sn_model_add_clip(model, &clip, NULL));
    return model;
}

// The bones above the tip hang on the first one below the root, so to press that flat does for all.
snModel* test_flattened_tube(float distance) {
    snModel* model = test_travelling_tube(distance);
    snClip* from = model->clips[sn_model_find_clip(model, "travel")];
    float times[KEYS], sizes[KEYS * 3];
    for (uint32_t k = 0; k < KEYS; k++) {
        snVec3 size = sn_vec3(1.0f, 1.0f, k == KEYS / 2 ? 1e-4f : 1.0f);
        times[k] = (float)k / (KEYS - 1);
        memcpy(sizes + 3 * (size_t)k, &size, sizeof size);
    }
    const snChannel channels[] = {from->channels[0],
                                  from->channels[1],
                                  from->channels[2],
                                  {1, SN_PATH_SCALE, SN_INTERPOLATION_LINEAR, KEYS, 3, times, sizes}};
    const snClipDef clip = {"flat", 0.0f, 4, channels};
    assert_ok(sn_model_add_clip(model, &clip, NULL));
    return model;
}
