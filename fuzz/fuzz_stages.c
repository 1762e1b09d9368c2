// Whole characters through every stage: made from the input or read as a GLB, written and read again, bound,
// posed with any settings, baked, and written as GLB and PC2. What a reader lets in and a pose calls done has
// a finite surface.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sinew/bind.h"
#include "sinew/builtin.h"
#include "sinew/io.h"
#include "sinew/sinew.h"

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

typedef struct Input {
    const uint8_t* data;
    size_t size;
} Input;

// Zeros behind the end.
static uint8_t take_byte(Input* in) {
    if (in->size == 0) return 0;
    in->size--;
    return *in->data++;
}

static uint32_t take_below(Input* in, uint32_t count) { return take_byte(in) % count; }

// Mostly of a body's size; sometimes what breaks arithmetic.
static float take_float(Input* in) {
    static const float odd[] = {0.0f,  -0.0f, 1e-18f, 1e20f,  3e38f, -3e38f, 1e-38f, 1e-45f, 1e-6f, 1e6f,
                                -1e9f, 1e12f, 1e-9f,  180.0f, -1.0f, 1.0f,   1e-12f, -1e6f,  1e5f,  1e-5f};
    uint8_t kind = take_byte(in);
    uint8_t more = take_byte(in);
    if (more < 4) return odd[kind % (sizeof odd / sizeof odd[0])];
    float fine = (float)more / 256.0f;
    return ((float)kind - 138.0f + fine) / 40.0f;
}

static snVec3 take_vec3(Input* in) {
    snVec3 v;
    v.x = take_float(in);
    v.y = take_float(in);
    v.z = take_float(in);
    return v;
}

static snQuat take_quat(Input* in) {
    snQuat q;
    q.x = take_float(in);
    q.y = take_float(in);
    q.z = take_float(in);
    q.w = take_float(in);
    float length = sqrtf(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w);
    if (!(length > 1e-3f) || !sn_finite(length)) return sn_quat_identity();
    return (snQuat){q.x / length, q.y / length, q.z / length, q.w / length};
}

// ------------------------------------------------------------------------------------------------- model

enum { MOST_JOINTS = 12, MOST_KEYS = 4, MOST_CHANNELS = 6, MOST_VERTICES = 200, INFLUENCES = 3 };

// Everything that a definition borrows.
typedef struct Clay {
    snTrs rest[MOST_JOINTS];
    uint32_t parents[MOST_JOINTS];
    char names[MOST_JOINTS][8];
    const char* name_list[MOST_JOINTS];
    uint32_t skin_joints[MOST_JOINTS];
    snVec3 positions[MOST_VERTICES];
    uint16_t joints[MOST_VERTICES * INFLUENCES];
    float weights[MOST_VERTICES * INFLUENCES];
    snVec3 offsets[MOST_VERTICES];
    snChannel channels[MOST_CHANNELS];
    float times[MOST_CHANNELS][MOST_KEYS];
    float values[MOST_CHANNELS][MOST_KEYS * 4 * 3];
} Clay;

static void shape_skeleton(Input* in, Clay* clay, const snSkeleton* like, snSkeletonDef* out) {
    uint32_t count = 1 + take_below(in, MOST_JOINTS);
    uint32_t edits = take_byte(in);
    for (uint32_t j = 0; j < count; j++) {
        clay->rest[j] = j < like->joint_count ? like->rest[j] : sn_trs_identity();
        clay->parents[j] = j == 0 ? SN_NONE : j - 1;
        memcpy(clay->names[j], "j0", 3);
        clay->names[j][1] = (char)('a' + j);
        clay->name_list[j] = clay->names[j];
        if ((edits >> j % 8 & 1) == 0) continue;
        uint32_t kind = take_below(in, 5);
        if (kind == 0) clay->rest[j].translation = take_vec3(in);
        if (kind == 1) clay->rest[j].rotation = take_quat(in);
        if (kind == 2) clay->rest[j].scale = take_vec3(in);
        if (kind == 3 && j > 0) clay->parents[j] = take_below(in, j);
    }
    *out = (snSkeletonDef){count, clay->name_list, clay->parents, clay->rest};
}

static void shape_mesh(Input* in, Clay* clay, const snMesh* like) {
    memcpy(clay->positions, like->positions, like->vertex_count * sizeof(snVec3));
    uint32_t moved = take_below(in, 24);
    for (uint32_t i = 0; i < moved; i++) {
        uint32_t vertex = take_below(in, like->vertex_count);
        clay->positions[vertex] = take_vec3(in);
    }
    if (take_below(in, 4) != 0) return;
    float factor = take_float(in);
    for (uint32_t v = 0; v < like->vertex_count; v++)
        clay->positions[v] = sn_scale(clay->positions[v], factor);
}

static void shape_weights(Input* in, Clay* clay, uint32_t vertex_count, uint32_t joint_count) {
    for (uint32_t v = 0; v < vertex_count; v++) {
        for (uint32_t i = 0; i < INFLUENCES; i++) {
            clay->joints[v * INFLUENCES + i] = (uint16_t)((v * joint_count / vertex_count + i) % joint_count);
            clay->weights[v * INFLUENCES + i] = i == 0 ? 0.6f : 0.2f;
        }
    }
    uint32_t edits = take_below(in, 16);
    for (uint32_t i = 0; i < edits; i++) {
        uint32_t at = take_below(in, vertex_count) * INFLUENCES + take_below(in, INFLUENCES);
        clay->joints[at] = (uint16_t)take_below(in, joint_count);
        clay->weights[at] = take_float(in);
    }
}

static uint32_t shape_channels(Input* in, Clay* clay, uint32_t joint_count) {
    static const uint32_t widths[] = {3, 4, 3};
    uint32_t count = take_below(in, MOST_CHANNELS);
    for (uint32_t c = 0; c < count; c++) {
        snChannel* channel = &clay->channels[c];
        channel->joint = take_below(in, joint_count);
        channel->path = (snChannelPath)take_below(in, 3);
        channel->interpolation = (snInterpolation)take_below(in, 3);
        channel->key_count = 1 + take_below(in, MOST_KEYS);
        channel->width = widths[channel->path];
        channel->times = clay->times[c];
        channel->values = clay->values[c];
        uint32_t triple = channel->interpolation == SN_INTERPOLATION_CUBIC ? 3 : 1;
        float time = 0.0f;
        for (uint32_t k = 0; k < channel->key_count; k++) {
            time += 0.05f + (float)take_byte(in) / 256.0f;
            channel->times[k] = time;
            for (uint32_t v = 0; v < triple; v++) {
                float* value = channel->values + (k * triple + v) * channel->width;
                snQuat q = sn_quat_identity();
                snVec3 xyz = sn_vec3(1, 1, 1);
                if (channel->path == SN_PATH_ROTATION)
                    q = take_quat(in);
                else
                    xyz = take_vec3(in);
                if (channel->path == SN_PATH_ROTATION)
                    memcpy(value, &q, sizeof q);
                else
                    memcpy(value, &xyz, sizeof xyz);
            }
        }
    }
    return count;
}

static snModel* make_base(Input* in) {
    snTubeDef def = sn_tube_def();
    snModel* base = NULL;
    def.sides = 3 + take_below(in, 5);
    def.rings = 2 + take_below(in, 10);
    def.segments = 1 + take_below(in, 4);
    uint32_t kind = take_below(in, 4);
    snResult result = kind == 0   ? sn_builtin_cube(1.0f, 1 + take_below(in, 3), true, NULL, &base, NULL)
                      : kind == 1 ? sn_builtin_sheet(1.0f, 1 + take_below(in, 6), false, NULL, &base, NULL)
                                  : sn_builtin_tube(&def, NULL, &base, NULL);
    return result == SN_RESULT_OK ? base : NULL;
}

static snModel* make_model(Input* in) {
    snModel* base = make_base(in);
    Clay* clay = calloc(1, sizeof *clay);
    snModel* model = NULL;
    const snMesh* mesh = base != NULL ? base->parts[0].mesh : NULL;
    if (clay != NULL && mesh != NULL && mesh->vertex_count <= MOST_VERTICES) {
        snSkeletonDef skeleton;
        shape_skeleton(in, clay, base->skeleton, &skeleton);
        shape_mesh(in, clay, mesh);
        shape_weights(in, clay, mesh->vertex_count, skeleton.joint_count);
        for (uint32_t j = 0; j < skeleton.joint_count; j++) clay->skin_joints[j] = j;
        snSkinDef skin = {"skin", skeleton.joint_count, clay->skin_joints, NULL};
        snMeshDef shape = {.vertex_count = mesh->vertex_count,
                           .face_count = mesh->face_count,
                           .corner_count = mesh->corner_count,
                           .positions = clay->positions,
                           .face_starts = mesh->face_starts,
                           .corners = mesh->corners};
        char morph_name[] = "m";
        snMorph morph = {morph_name, clay->offsets, NULL};
        float weight = 0.0f;
        snPartDef part = {.name = "part", .mesh = &shape, .joint = 0, .skin = SN_NONE};
        if (take_below(in, 5) != 0) {
            part.skin = 0;
            part.influences = INFLUENCES;
            part.joints = clay->joints;
            part.weights = clay->weights;
        }
        if (take_below(in, 4) == 0) {
            clay->offsets[take_below(in, mesh->vertex_count)] = take_vec3(in);
            weight = take_float(in);
            part.morph_count = 1;
            part.morphs = &morph;
            part.morph_weights = &weight;
        }
        snClipDef clip = {.name = "clip", .channels = clay->channels};
        clip.channel_count = shape_channels(in, clay, skeleton.joint_count);
        snModelDef def = {&skeleton, 1, &skin, 1, &part, clip.channel_count > 0, &clip};
        if (sn_model_create(&def, NULL, &model, NULL) != SN_RESULT_OK) model = NULL;
    }
    free(clay);
    sn_model_destroy(base);
    return model;
}

// ---------------------------------------------------------------------------------------------- settings

static void take_setting(Input* in, snSettings* settings, const snSetting* setting) {
    char* at = (char*)settings + setting->offset;
    float share = (float)take_byte(in) / 255.0f;
    float high = setting->max < 1e3f ? setting->max : 1e3f;
    float value = setting->min + share * (high - setting->min);
    uint32_t count = 0;
    bool on = share > 0.5f;
    snVec3 vector = {0, 0, 0};
    switch (setting->type) {
    case SN_SETTING_BOOL:
        memcpy(at, &on, sizeof on);
        return;
    case SN_SETTING_COUNT:
        // Rounds cost time and find nothing new.
        count = (uint32_t)sn_minf(value, setting->min + 4.0f);
        memcpy(at, &count, sizeof count);
        return;
    case SN_SETTING_FLOAT:
        memcpy(at, &value, sizeof value);
        return;
    case SN_SETTING_VEC3:
        vector = sn_scale(take_vec3(in), sn_minf(high, 10.0f) / 4.0f);
        memcpy(at, &vector, sizeof vector);
        return;
    case SN_SETTING_CHOICE:
        while (setting->names[count] != NULL) count++;
        count = take_below(in, count);
        memcpy(at, &count, sizeof count);
        return;
    }
}

static void take_rules(Input* in, snSettings* settings) {
    char every[] = "*", style_name[32] = "";
    if (take_below(in, 2) == 0) {
        uint32_t count = 0;
        while (sn_style_preset_name(count) != NULL) count++;
        snStyle* style = NULL;
        const char* name = sn_style_preset_name(take_below(in, count));
        if (sn_style_preset(name, NULL, &style, NULL) == SN_RESULT_OK) {
            const snStyle* styles[] = {style};
            strncat(style_name, name, sizeof style_name - 1);
            snStyleRule rule = {every, style_name, (float)take_below(in, 5)};
            if (sn_settings_set_styles(settings, styles, 1, NULL) == SN_RESULT_OK)
                sn_settings_set_style_rules(settings, &rule, 1, NULL);
            sn_style_destroy(style);
        }
    }
    if (take_below(in, 2) == 0) {
        uint32_t count = 0;
        while (sn_volume_preset(count) != NULL) count++;
        snVolumeRule rule = {every, *sn_volume_preset(take_below(in, count)), 1.0f};
        sn_settings_set_volume_rules(settings, &rule, 1, NULL);
    }
}

static snSettings* make_settings(Input* in) {
    snSettings* settings = NULL;
    if (sn_settings_create(NULL, &settings, NULL) != SN_RESULT_OK) return NULL;
    uint32_t count = 0, edits = take_below(in, 12);
    const snSetting* table = sn_setting_table(&count);
    for (uint32_t i = 0; i < edits; i++) take_setting(in, settings, &table[take_below(in, count)]);
    uint8_t kind = take_byte(in);
    settings->skin = (snSkinMethod)(kind % 6 < 5 ? kind % 6 : 0);
    settings->flesh = (kind & 64) != 0;
    if ((kind & 128) != 0) settings->volume = SN_VOLUME_EXACT;
    // A step of a microsecond is a second of work for a frame.
    settings->step = sn_maxf(settings->step, 1.0f / 60.0f);
    settings->max_steps = settings->max_steps < 16 ? settings->max_steps : 16;
    settings->refine = settings->refine < 1 ? settings->refine : 1;
    take_rules(in, settings);
    if (sn_settings_validate(settings, NULL) == SN_RESULT_OK) return settings;
    sn_settings_destroy(settings);
    return NULL;
}

// ------------------------------------------------------------------------------------------------ frames

static void expect_finite(const snCharacter* character, uint32_t part_count) {
    for (uint32_t p = 0; p < part_count; p++) {
        snSurface surface = sn_character_surface(character, p);
        for (uint32_t v = 0; v < surface.vertex_count; v++) {
            if (!sn_vec3_finite(surface.positions[v])) abort();
            if (surface.normals != NULL && !sn_vec3_finite(surface.normals[v])) abort();
        }
    }
}

typedef struct Stretch {
    snCharacter* character;
    const snModel* model;
    uint32_t clip;
} Stretch;

static snResult show_frame(void* user, uint32_t frame, snSurface* out) {
    Stretch* s = user;
    if (frame == 0) sn_character_reset(s->character);
    snResult result = sn_character_pose_clip(s->character, s->clip, (float)frame / 30.0f, SN_WRAP_LOOP);
    for (uint32_t p = 0; p < s->model->part_count && result == SN_RESULT_OK; p++)
        out[p] = sn_character_surface(s->character, p);
    return result;
}

// Bakes three frames and writes them; what leaves is read again.
static void bake(Stretch* stretch) {
    snMorphBakeDef def = sn_morph_bake_def();
    def.model = stretch->model;
    def.clip = stretch->clip;
    def.frame_count = 3;
    def.frames = show_frame;
    def.user = stretch;
    def.target_limit = 4;
    snMorphBake* morphs = NULL;
    if (sn_morph_bake_create(&def, NULL, &morphs, NULL) != SN_RESULT_OK) return;
    snWriteDef write = sn_write_def();
    write.morphs = morphs;
    snBytes bytes = {0};
    if (sn_model_write_memory(stretch->model, "out.glb", &write, NULL, &bytes, NULL) == SN_RESULT_OK) {
        snModel* again = NULL;
        sn_model_read_memory("out.glb", bytes.data, bytes.size, NULL, &again, NULL);
        sn_model_destroy(again);
    }
    sn_bytes_free(&bytes);
    sn_morph_bake_destroy(morphs);
}

static void write_cache(const snCharacter* character) {
    snSurface surface = sn_character_surface(character, 0);
    snPointCache cache = {.point_count = surface.vertex_count,
                          .frame_count = 1,
                          .step = 1,
                          .points = (snVec3*)surface.positions};
    snBytes bytes = {0};
    if (sn_point_cache_write_memory(&cache, "out.pc2", NULL, &bytes, NULL) != SN_RESULT_OK) abort();
    sn_bytes_free(&bytes);
}

static void pose(Input* in, snCharacter* character, const snModel* model) {
    uint32_t clip = model->clip_count > 0 ? take_below(in, model->clip_count) : SN_CLIP_REST;
    float time = 0.0f;
    for (uint32_t frame = 0; frame < 4; frame++) {
        time += (float)take_byte(in) / 1000.0f;
        if (sn_character_pose_clip(character, clip, time, SN_WRAP_LOOP) == SN_RESULT_OK)
            expect_finite(character, model->part_count);
    }
    snTrs locals[64];
    uint32_t count = model->skeleton->joint_count;
    if (count > 64) return;
    memcpy(locals, model->skeleton->rest, count * sizeof(snTrs));
    for (uint32_t frame = 0; frame < 3; frame++) {
        uint32_t joint = take_below(in, count);
        locals[joint].rotation = take_quat(in);
        if (take_below(in, 3) == 0) locals[joint].translation = take_vec3(in);
        if (take_below(in, 3) == 0) locals[joint].scale = take_vec3(in);
        if (sn_character_advance(character, locals, (float)take_byte(in) / 1500.0f) == SN_RESULT_OK)
            expect_finite(character, model->part_count);
    }
    Stretch stretch = {character, model, clip};
    if (sn_character_pose_clip(character, clip, 0.0f, SN_WRAP_LOOP) != SN_RESULT_OK) return;
    if (model->part_count > 0) write_cache(character);
    bake(&stretch);
}

// -------------------------------------------------------------------------------------------------- walk

static bool small_enough(const snModel* model) {
    uint64_t vertices = 0;
    for (uint32_t p = 0; p < model->part_count; p++) vertices += model->parts[p].mesh->vertex_count;
    return vertices <= 4000 && model->skeleton->joint_count > 0 && model->skeleton->joint_count <= 200;
}

// Writes what was made and takes it back as a reader does, who may refuse it.
static snModel* pass_through(snModel* model) {
    snBytes bytes = {0};
    snModel* again = NULL;
    if (sn_model_write_memory(model, "in.glb", NULL, NULL, &bytes, NULL) == SN_RESULT_OK &&
        sn_model_read_memory("in.glb", bytes.data, bytes.size, NULL, &again, NULL) != SN_RESULT_OK)
        again = NULL;
    sn_bytes_free(&bytes);
    sn_model_destroy(model);
    return again;
}

static snModel* take_model(Input* in) {
    if (in->size >= 4 && memcmp(in->data, "glTF", 4) == 0) {
        snReadDef def = sn_read_def();
        def.memory_limit = (size_t)64 << 20;
        snModel* model = NULL;
        snResult result = sn_model_read_memory("in.glb", in->data, in->size, &def, &model, NULL);
        return result == SN_RESULT_OK ? model : NULL;
    }
    snModel* model = make_model(in);
    return model != NULL ? pass_through(model) : NULL;
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    enum { HEAD = 24 };
    Input head = {data, size < HEAD ? size : HEAD};
    Input body = {data + head.size, size - head.size};
    uint8_t choice = take_byte(&head);
    snSettings* settings = make_settings(&head);
    snModel* model = settings != NULL ? take_model(&body) : NULL;
    if (model != NULL && small_enough(model)) {
        snBindDef bind = sn_bind_def();
        bind.cells = 2 + choice % 5;
        bind.method = (snWeightsMethod)(choice / 8 % (SN_WEIGHTS_KEEP + 1));
        bind.memory_limit = (size_t)256 << 20;
        if (choice < 192) sn_model_bind(model, &bind, NULL, NULL);
        sn_model_refine_by_settings(model, settings, (size_t)256 << 20, NULL);
        snCharacterDef def = sn_character_def();
        def.model = model;
        def.settings = settings;
        snCharacter* character = NULL;
        if (sn_character_create(&def, NULL, &character, NULL) == SN_RESULT_OK) pose(&body, character, model);
        sn_character_destroy(character);
    }
    sn_model_destroy(model);
    sn_settings_destroy(settings);
    return 0;
}
