// One clip of strips and keys: the poses read off at a rate, and the channels of what they move.
#include <stdlib.h>

#include "base/error.h"
#include "base/memory.h"
#include "retarget/mix.h"

snStrip sn_strip(void) { return (snStrip){.to = SN_CLIP_END, .speed = 1.0f, .rounds = 1.0f}; }

snMixDef sn_mix_def(void) { return (snMixDef){.fps = 30.0f, .travel = true}; }

static float strip_end(const snStrip* strip, const snClip* clip) {
    return strip->to < clip->duration ? strip->to : clip->duration;
}

float sn_strip_length(const snStrip* strip, const snClip* clip) {
    return (strip_end(strip, clip) - strip->from) / strip->speed * strip->rounds;
}

// ---------------------------------------------------------------------------------------------------- checks

static snResult check_strip(const snStrip* strip, uint32_t index, const snClip* const* clips,
                            uint32_t clip_count, uint32_t joints, snError* error) {
    if (strip->clip >= clip_count)
        return sni_fail(error, SN_RESULT_NOT_FOUND, "strip %u plays clip %u, and there are %u", index,
                        strip->clip, clip_count);
    const snClip* clip = clips[strip->clip];
    for (uint32_t c = 0; c < clip->channel_count; c++)
        if (clip->channels[c].joint >= joints)
            return sni_fail(error, SN_RESULT_INVALID_ARGUMENT,
                            "the clip of strip %u belongs to another skeleton", index);
    if (!(strip->speed >= 0.01f && strip->speed <= 100.0f))
        return sni_fail(error, SN_RESULT_INVALID_ARGUMENT,
                        "the speed of strip %u is %g, expected 0.01 to 100", index, (double)strip->speed);
    if (!(strip->rounds > 0.0f && strip->rounds <= 1000.0f))
        return sni_fail(error, SN_RESULT_INVALID_ARGUMENT,
                        "strip %u has %g rounds, expected more than 0 and at most 1000", index,
                        (double)strip->rounds);
    float to = strip_end(strip, clips[strip->clip]);
    if (strip->start >= 0.0f && sn_finite(strip->start) && strip->from >= 0.0f && strip->from <= to)
        return SN_RESULT_OK;
    return sni_fail(error, SN_RESULT_INVALID_ARGUMENT,
                    "strip %u begins at %g and plays %g to %g of a clip of %g seconds", index,
                    (double)strip->start, (double)strip->from, (double)strip->to,
                    (double)clips[strip->clip]->duration);
}

static bool is_key(const snJointKey* key, uint32_t joints) {
    const snQuat* q = &key->turn;
    return key->joint < joints && key->time >= 0.0f && sn_finite(key->time) && sn_vec3_finite(key->move) &&
           sn_finite(q->x) && sn_finite(q->y) && sn_finite(q->z) && sn_finite(q->w);
}

static snResult check_def(const snMixDef* def, const snSkeleton* skeleton, const snClip* const* clips,
                          uint32_t clip_count, snError* error) {
    if (def->strip_count > SN_MIX_MAX_STRIPS || def->key_count > SN_MIX_MAX_KEYS)
        return sni_fail(error, SN_RESULT_LIMIT, "%u strips and %u keys, at most %u and %u are taken",
                        def->strip_count, def->key_count, SN_MIX_MAX_STRIPS, SN_MIX_MAX_KEYS);
    if (!(def->fps >= 1.0f && def->fps <= 240.0f))
        return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "%g keys a second, expected 1 to 240",
                        (double)def->fps);
    if (!(def->duration >= 0.0f) || !sn_finite(def->duration))
        return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "%g is not a valid duration",
                        (double)def->duration);
    for (uint32_t i = 0; i < def->strip_count; i++)
        SNI_TRY(check_strip(&def->strips[i], i, clips, clip_count, skeleton->joint_count, error));
    for (uint32_t i = 0; i < def->key_count; i++)
        if (!is_key(&def->keys[i], skeleton->joint_count))
            return sni_fail(error, SN_RESULT_INVALID_ARGUMENT,
                            "key %u is for joint %u at %g seconds, which is not possible", i,
                            def->keys[i].joint, (double)def->keys[i].time);
    return SN_RESULT_OK;
}

// ---------------------------------------------------------------------------------------------------- making

static int compare_strips(const void* a, const void* b) {
    const sniMixStrip *x = a, *y = b;
    if (x->start != y->start) return x->start < y->start ? -1 : 1;
    if (x->end != y->end) return x->end < y->end ? -1 : 1;
    return x->order < y->order ? -1 : 1; // qsort may turn equals round
}

static void take_strips(sniMix* mix, const snClip* const* clips) {
    mix->strip_count = mix->def->strip_count;
    for (uint32_t i = 0; i < mix->strip_count; i++) {
        const snStrip* strip = &mix->def->strips[i];
        const snClip* clip = clips[strip->clip];
        mix->strips[i] = (sniMixStrip){.clip = clip,
                                       .order = i,
                                       .start = strip->start,
                                       .end = strip->start + sn_strip_length(strip, clip),
                                       .from = strip->from,
                                       .to = strip_end(strip, clip),
                                       .speed = strip->speed,
                                       .rounds = strip->rounds};
    }
    if (mix->strip_count > 0) qsort(mix->strips, mix->strip_count, sizeof *mix->strips, compare_strips);
}

static snResult find_length(sniMix* mix, snError* error) {
    mix->fps = mix->def->fps;
    mix->duration = mix->def->duration;
    for (uint32_t i = 0; i < mix->strip_count && !(mix->def->duration > 0.0f); i++)
        mix->duration = sn_maxf(mix->duration, mix->strips[i].end);
    for (uint32_t i = 0; i < mix->def->key_count && !(mix->def->duration > 0.0f); i++)
        mix->duration = sn_maxf(mix->duration, mix->keys[i].time);
    float steps = mix->duration * mix->fps;
    if (!(steps < (float)SN_MIX_MAX_FRAMES))
        return sni_fail(error, SN_RESULT_LIMIT, "%g seconds at %g keys a second are more than %u keys",
                        (double)mix->duration, (double)mix->fps, SN_MIX_MAX_FRAMES);
    // The last key is at the end; what is left of a step before it makes one more.
    uint32_t whole = (uint32_t)steps;
    mix->frames = whole + 1 + ((float)whole < steps - 1e-4f * steps ? 1 : 0);
    return SN_RESULT_OK;
}

static float time_of(const sniMix* mix, uint32_t frame) {
    return frame + 1 == mix->frames ? mix->duration : (float)frame / mix->fps;
}

// ------------------------------------------------------------------------------------------------- channels

enum { MOVES = 1 << SN_PATH_TRANSLATION, TURNS = 1 << SN_PATH_ROTATION, SCALES = 1 << SN_PATH_SCALE };

// What is keyed of each joint: what any strip moves, what has keys, and where strips go over the ground.
static void mark_paths(const sniMix* mix, uint8_t* marks) {
    bool goes = false;
    for (uint32_t i = 0; i < mix->strip_count; i++) {
        const snClip* clip = mix->strips[i].clip;
        goes = goes || i > 0 || mix->strips[i].rounds > 1.0f;
        for (uint32_t c = 0; c < clip->channel_count; c++)
            if (clip->channels[c].path != SN_PATH_MORPH)
                marks[clip->channels[c].joint] |= (uint8_t)(1u << clip->channels[c].path);
    }
    for (uint32_t j = 0; j < mix->skeleton->joint_count; j++)
        if (goes && mix->def->travel && mix->skeleton->parents[j] == SN_NONE) marks[j] |= MOVES | TURNS;
    for (uint32_t i = 0; i < mix->def->key_count; i++) {
        snVec3 move = mix->keys[i].move;
        marks[mix->keys[i].joint] |= TURNS;
        if (sn_dot(move, move) > 0.0f) marks[mix->keys[i].joint] |= MOVES;
    }
}

// A mesh's morph weights: those of the strip that counts, blended as poses are; 0 where one has none.
typedef struct Morph {
    uint32_t joint, width;
} Morph;

static uint32_t find_morphs(const sniMix* mix, Morph* morphs, uint32_t room) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < mix->strip_count; i++) {
        const snClip* clip = mix->strips[i].clip;
        for (uint32_t c = 0; c < clip->channel_count; c++) {
            const snChannel* channel = &clip->channels[c];
            uint32_t k = 0;
            if (channel->path != SN_PATH_MORPH) continue;
            while (k < count && morphs[k].joint != channel->joint) k++;
            if (k < room) morphs[k] = (Morph){channel->joint, channel->width};
            if (k == count && k < room) count++;
        }
    }
    return count;
}

static void morph_at(const sniMix* mix, const Morph* morph, float time, float* scratch, float* out) {
    memset(out, 0, morph->width * sizeof *out);
    for (uint32_t i = 0; i < mix->strip_count; i++) {
        const sniMixStrip* strip = &mix->strips[i];
        float weight = i == 0 ? 1.0f : sni_mix_weight(strip, time);
        uint32_t round = 0;
        if (!(weight > 0.0f)) continue;
        memset(scratch, 0, morph->width * sizeof *scratch);
        sn_clip_sample_morph(strip->clip, sni_mix_clip_time(strip, time, &round), SN_WRAP_CLAMP, morph->joint,
                             morph->width, scratch);
        for (uint32_t k = 0; k < morph->width; k++) out[k] = sn_lerpf(out[k], scratch[k], weight);
    }
}

typedef struct Tables {
    uint8_t* marks; // joint_count
    Morph* morphs;
    uint32_t morph_count;
    float *times, *values, *scratch;
    snChannel* channels;
    uint32_t channel_count;
} Tables;

static uint32_t count_bits(uint8_t marks) { return (marks & 1u) + (marks >> 1 & 1u) + (marks >> 2 & 1u); }

static bool create_tables(const sniMix* mix, Tables* t) {
    const snAllocator* memory = &mix->memory;
    uint32_t joints = mix->skeleton->joint_count, channels = 0, widest = 1;
    size_t width = 0;
    t->marks = SNI_NEW_ARRAY(memory, uint8_t, joints);
    t->morphs = SNI_NEW_ARRAY(memory, Morph, joints);
    if (t->marks == NULL || t->morphs == NULL) return false;
    mark_paths(mix, t->marks);
    t->morph_count = find_morphs(mix, t->morphs, joints);
    for (uint32_t j = 0; j < joints; j++) {
        channels += count_bits(t->marks[j]);
        width += 3 * count_bits(t->marks[j]) + (t->marks[j] & TURNS ? 1 : 0);
    }
    for (uint32_t i = 0; i < t->morph_count; i++) {
        width += t->morphs[i].width;
        if (t->morphs[i].width > widest) widest = t->morphs[i].width;
    }
    size_t room = 0;
    if (!sni_mul_size(width, mix->frames, &room)) return false;
    t->times = SNI_NEW_ARRAY(memory, float, mix->frames);
    t->values = SNI_NEW_ARRAY(memory, float, room);
    t->scratch = SNI_NEW_ARRAY(memory, float, widest);
    t->channels = SNI_NEW_ARRAY(memory, snChannel, channels + t->morph_count);
    return t->times != NULL && t->values != NULL && t->scratch != NULL && t->channels != NULL;
}

static void free_tables(const sniMix* mix, Tables* t) {
    void* arrays[] = {t->marks, t->morphs, t->times, t->values, t->scratch, t->channels};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) sni_free(&mix->memory, arrays[i]);
}

static void list_channels(const sniMix* mix, Tables* t) {
    static const uint32_t widths[] = {3, 4, 3};
    float* next = t->values;
    for (uint32_t j = 0; j < mix->skeleton->joint_count + t->morph_count; j++) {
        bool morph = j >= mix->skeleton->joint_count;
        for (uint32_t path = 0; path < (morph ? 1u : 3u); path++) {
            if (!morph && (t->marks[j] >> path & 1u) == 0) continue;
            const Morph* m = morph ? &t->morphs[j - mix->skeleton->joint_count] : NULL;
            uint32_t width = morph ? m->width : widths[path];
            t->channels[t->channel_count++] = (snChannel){morph ? m->joint : j,
                                                          morph ? SN_PATH_MORPH : (snChannelPath)path,
                                                          SN_INTERPOLATION_LINEAR,
                                                          mix->frames,
                                                          width,
                                                          t->times,
                                                          next};
            next += (size_t)width * mix->frames;
        }
    }
}

static void store(const snChannel* channel, const snTrs* local, float* out) {
    snVec3 v = channel->path == SN_PATH_SCALE ? local->scale : local->translation;
    if (channel->path == SN_PATH_ROTATION) {
        const float q[4] = {local->rotation.x, local->rotation.y, local->rotation.z, local->rotation.w};
        memcpy(out, q, sizeof q);
        return;
    }
    const float n[3] = {v.x, v.y, v.z};
    memcpy(out, n, sizeof n);
}

static void fill(sniMix* mix, Tables* t) {
    for (uint32_t f = 0; f < mix->frames; f++) {
        float time = time_of(mix, f);
        t->times[f] = time;
        sni_mix_pose(mix, time);
        sni_mix_apply_keys(mix, time, mix->pose);
        for (uint32_t c = 0; c < t->channel_count; c++) {
            const snChannel* channel = &t->channels[c];
            float* out = channel->values + (size_t)f * channel->width;
            if (channel->path == SN_PATH_MORPH)
                morph_at(mix, &(Morph){channel->joint, channel->width}, time, t->scratch, out);
            else
                store(channel, &mix->pose[channel->joint], out);
        }
    }
}

static snResult write_mix(sniMix* mix, snClip** out, snError* error) {
    Tables tables = {0};
    snResult result = SN_RESULT_OUT_OF_MEMORY;
    if (create_tables(mix, &tables)) {
        list_channels(mix, &tables);
        fill(mix, &tables);
        snClipDef def = {mix->def->name != NULL ? mix->def->name : "mix", mix->duration, tables.channel_count,
                         tables.channels};
        result = sn_clip_create(&def, mix->skeleton->joint_count, &mix->memory, out, error);
    } else {
        sni_fail_memory(error);
    }
    free_tables(mix, &tables);
    return result;
}

// ------------------------------------------------------------------------------------------------------ all

static bool create_scratch(sniMix* mix) {
    const snMixDef* def = mix->def;
    uint32_t joints = mix->skeleton->joint_count;
    mix->strips = SNI_NEW_ARRAY(&mix->memory, sniMixStrip, def->strip_count);
    mix->keys = sni_copy_array(&mix->memory, def->keys, def->key_count, sizeof *def->keys);
    mix->pose = SNI_NEW_ARRAY(&mix->memory, snTrs, joints);
    mix->other = SNI_NEW_ARRAY(&mix->memory, snTrs, joints);
    mix->world = SNI_NEW_ARRAY(&mix->memory, snMat4, joints);
    return mix->strips != NULL && mix->keys != NULL && mix->pose != NULL && mix->other != NULL &&
           mix->world != NULL;
}

static void free_scratch(sniMix* mix) {
    for (uint32_t i = 0; i < mix->strip_count; i++) sni_free(&mix->memory, mix->strips[i].jump);
    void* arrays[] = {mix->strips, mix->keys, mix->pose, mix->other, mix->world};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) sni_free(&mix->memory, arrays[i]);
    sni_body_destroy(&mix->body, &mix->memory);
}

snResult sn_clip_mix(const snMixDef* def, const snSkeleton* skeleton, const snClip* const* clips,
                     uint32_t clip_count, const snAllocator* allocator, snClip** out, snError* error) {
    if (def == NULL || skeleton == NULL || out == NULL || (clips == NULL && clip_count > 0))
        return sni_fail(error, SN_RESULT_INVALID_ARGUMENT,
                        "a Def, a skeleton, clips and an output are needed");
    SNI_TRY(check_def(def, skeleton, clips, clip_count, error));
    sniMix mix = {.def = def, .skeleton = skeleton, .memory = sni_allocator(allocator)};
    snResult result = sni_body_create(&mix.body, skeleton, &mix.memory);
    if (result != SN_RESULT_OK) return sni_fail_labels(error, result);
    mix.hips = mix.body.first[SN_ROLE_HIPS][SN_SIDE_NONE];
    if (!create_scratch(&mix)) result = sni_fail_memory(error);
    if (result == SN_RESULT_OK) {
        take_strips(&mix, clips);
        result = sni_mix_sort_keys(&mix, error);
    }
    if (result == SN_RESULT_OK) result = find_length(&mix, error);
    if (result == SN_RESULT_OK && !sni_mix_place(&mix)) result = sni_fail_memory(error);
    if (result == SN_RESULT_OK) result = write_mix(&mix, out, error);
    free_scratch(&mix);
    return result;
}
