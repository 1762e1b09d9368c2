// Keys of helpers for every frame, and for the middles, of which few are kept. Frames that were fitted start
// from the motions they have, the other moments from those of the nearest fitted one, sixteen at a time; all
// are moved with the weights as they are written.
#include "bake/joint_bake.h"

// From any start the motions settle within as many rounds: more change them by less than 0.01 mm.
#define ROUNDS 16

static snResult make_clips(sniJointBaker* b) {
    snJointBake* bake = b->bake;
    bake->clips = SNI_NEW_ARRAY(&b->allocator, snHelperClip, b->def->clip_count);
    if (bake->clips == NULL) return sni_fail_memory(b->error);
    bake->clip_count = b->def->clip_count;
    for (uint32_t c = 0; c < bake->clip_count; c++) {
        const snBakeClip* from = &b->def->clips[c];
        uint32_t keys = sni_joint_moments(from);
        size_t count = (size_t)bake->helper_count * keys;
        SNI_TRY(sni_joint_claim(b, "keys", count, sizeof(snQuat) + sizeof(snVec3)));
        SNI_TRY(sni_joint_claim(b, "keys", keys, sizeof(float)));
        bake->clips[c] = (snHelperClip){.clip = from->clip,
                                        .fps = from->fps,
                                        .frame_count = from->frame_count,
                                        .key_count = keys,
                                        .times = SNI_NEW_ARRAY(&b->allocator, float, keys),
                                        .rotations = SNI_NEW_ARRAY(&b->allocator, snQuat, count),
                                        .translations = SNI_NEW_ARRAY(&b->allocator, snVec3, count),
                                        .turn_helper = SN_NONE};
        snHelperClip* to = &bake->clips[c];
        if (to->times == NULL || to->rotations == NULL || to->translations == NULL)
            return sni_fail_memory(b->error);
        for (uint32_t k = 0; k < keys; k++)
            to->times[k] = (float)k / ((float)sni_joint_step(from) * from->fps);
    }
    return SN_RESULT_OK;
}

// One moment of the blocks as keys.
static void write_keys(sniJointBaker* b, const sniJointBlocks* blocks, uint32_t place, uint32_t clip,
                       uint32_t key) {
    snHelperClip* to = &b->bake->clips[clip];
    for (uint32_t h = 0; h < b->helper_count; h++) {
        if (b->numbers[h] == SN_NONE) continue;
        const float* from = blocks->motions +
                            ((size_t)(place / SNI_JOINT_LANES) * b->helper_cap + h) * SNI_JOINT_MATRIX +
                            place % SNI_JOINT_LANES;
        snMat4 m = sn_mat4_identity();
        for (size_t i = 0; i < 12; i++) m.m[i / 3 * 4 + i % 3] = from[i * SNI_JOINT_LANES];
        size_t at = (size_t)b->numbers[h] * to->key_count + key;
        to->rotations[at] = sn_quat_normalize(sn_quat_from_mat4(&m));
        to->translations[at] = sn_add(b->helpers[h].center, sn_mat4_translation(&m));
    }
}

// ------------------------------------------------------------------------------------------ further frames

static uint32_t nearest_fitted(const sniJointBaker* b, uint32_t clip, uint32_t frame) {
    uint32_t first = sni_joint_frame_number(b, clip, 0), count = b->def->clips[clip].frame_count;
    for (uint32_t d = 0; d < count; d++) {
        if (frame >= d && b->fitted[first + frame - d] != SN_NONE) return b->fitted[first + frame - d];
        if (frame + d < count && b->fitted[first + frame + d] != SN_NONE) return b->fitted[first + frame + d];
    }
    return 0;
}

static void copy_lane(const float* from, uint32_t lane_from, float* to, uint32_t lane_to) {
    for (uint32_t i = 0; i < 12; i++)
        to[i * SNI_JOINT_LANES + lane_to] = from[i * SNI_JOINT_LANES + lane_from];
}

static void start_from(sniJointBaker* b, uint32_t fitted, uint32_t place) {
    sniJointBlocks* to = &b->further;
    for (uint32_t h = 0; h < b->helper_count; h++) {
        size_t from = ((size_t)(fitted / SNI_JOINT_LANES) * b->helper_cap + h) * SNI_JOINT_MATRIX;
        size_t at = (size_t)h * SNI_JOINT_MATRIX;
        copy_lane(b->blocks.motions + from, fitted % SNI_JOINT_LANES, to->motions + at, place);
        copy_lane(b->blocks.deltas + from, fitted % SNI_JOINT_LANES, to->deltas + at, place);
    }
}

static void key_block(sniJointBaker* b) {
    uint32_t count = b->further_count;
    if (count == 0) return;
    b->further.frame_count = count;
    sni_joint_place_own(b, &b->further);
    for (uint32_t h = 0; h < b->helper_count; h++) sni_joint_place_helper(b, &b->further, h);
    sni_joint_move(b, &b->further, ROUNDS);
    for (uint32_t i = 0; i < count; i++)
        write_keys(b, &b->further, i, b->further_clips[i], b->further_keys[i]);
    b->further_count = 0;
}

static snResult key_frame(sniJointBaker* b, uint32_t clip, uint32_t frame, bool middle) {
    uint32_t number = sni_joint_frame_number(b, clip, frame), place = b->further_count;
    uint32_t key = frame * sni_joint_step(&b->def->clips[clip]) + (middle ? 1 : 0);
    if (!middle && b->fitted[number] != SN_NONE) {
        write_keys(b, &b->blocks, b->fitted[number], clip, key);
        return SN_RESULT_OK;
    }
    sni_joint_take_frame(b, &b->further, place, number);
    start_from(b, nearest_fitted(b, clip, frame), place);
    b->further_clips[place] = clip;
    b->further_keys[place] = key;
    if (++b->further_count == SNI_JOINT_LANES) key_block(b);
    return SN_RESULT_OK;
}

// Files have 16 bits a number: what is measured is what they say. A turn is off by 6e-5 at most.
static float to_steps(float x) { return floorf(x * 32767.0f + 0.5f) / 32767.0f; }
static snQuat rounded(snQuat q) {
    return sn_quat(to_steps(q.x), to_steps(q.y), to_steps(q.z), to_steps(q.w));
}

static void round_clip(const sniJointBaker* b, snHelperClip* clip) {
    size_t count = (size_t)b->bake->helper_count * clip->key_count;
    for (size_t i = 0; i < count; i++) clip->rotations[i] = rounded(clip->rotations[i]);
}

snResult sni_joint_keys(sniJointBaker* b) {
    SNI_TRY(make_clips(b));
    if (b->bake->helper_count == 0) return SN_RESULT_OK;
    SNI_TRY(sni_joint_couple(b));
    sni_joint_move(b, &b->blocks, ROUNDS);
    snResult result = sni_joint_blocks_create(b, SNI_JOINT_LANES, &b->further);
    if (result == SN_RESULT_OK) result = sni_joint_each_frame(b, true, key_frame);
    if (result == SN_RESULT_OK) key_block(b);
    sni_joint_blocks_free(b, &b->further);
    for (uint32_t c = 0; c < b->bake->clip_count && result == SN_RESULT_OK; c++)
        round_clip(b, &b->bake->clips[c]);
    return result;
}

// ------------------------------------------------------------------------------------------- what is kept

// Moves the keys that stay to the front.
static void drop_from_clip(const sniJointBaker* b, uint32_t c, snHelperClip* clip) {
    const snBakeClip* from = &b->def->clips[c];
    uint32_t step = sni_joint_step(from), all = clip->key_count, kept = 0;
    const bool* middles = b->kept + 2 * (size_t)sni_joint_frame_number(b, c, 0);
    size_t to = 0;
    for (uint32_t h = 0; h < b->bake->helper_count; h++) {
        for (uint32_t k = 0; k < all; k++) {
            if (k % step != 0 && !middles[k]) continue;
            clip->rotations[to] = clip->rotations[(size_t)h * all + k];
            clip->translations[to++] = clip->translations[(size_t)h * all + k];
        }
    }
    for (uint32_t k = 0; k < all; k++) {
        if (k % step == 0 || middles[k]) clip->times[kept++] = clip->times[k];
    }
    clip->key_count = kept;
}

// Signs along the shorter way, and the largest turn between keys.
static void tidy_clip(const sniJointBaker* b, snHelperClip* clip) {
    for (uint32_t h = 0; h < b->bake->helper_count; h++) {
        snQuat* q = clip->rotations + (size_t)h * clip->key_count;
        for (uint32_t k = 1; k < clip->key_count; k++) {
            float dot = sn_quat_dot(q[k - 1], q[k]);
            if (dot < 0.0f) q[k] = sn_quat(-q[k].x, -q[k].y, -q[k].z, -q[k].w);
            float turn = 2.0f * sn_acos(sn_minf(fabsf(dot), 1.0f));
            if (!(turn > clip->turn_max)) continue;
            clip->turn_max = turn;
            clip->turn_frame = (uint32_t)(clip->times[k] * clip->fps + 0.75f);
            clip->turn_helper = h;
        }
    }
}

void sni_joint_drop_keys(sniJointBaker* b) {
    for (uint32_t c = 0; c < b->bake->clip_count; c++) {
        drop_from_clip(b, c, &b->bake->clips[c]);
        tidy_clip(b, &b->bake->clips[c]);
    }
}
