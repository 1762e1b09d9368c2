// The clip that comes out: keys at the rate that was asked for, from steps taken at a rate of their own.
#include "base/error.h"
#include "base/memory.h"
#include "retarget/retarget.h"

// Rest poses that differ by less are one: half of a thousandth of a radian or of a unit.
#define SAME 5e-4f

// The clip while it is written: one array of times, one of values for all channels.
typedef struct Output {
    float* times;
    snChannel* channels;
    uint32_t channel_count;
    float* values;
    size_t used;
    snMat4* world;
    uint32_t root; // joint that takes the travel, or SN_NONE
} Output;

// ------------------------------------------------------------------------------------------------- rate

// Keys from the steps around their moments; the result is the same motion at every rate.
bool sni_retarget_resample(sniRetarget* r) {
    size_t count = r->target.skeleton->joint_count;
    float fps = r->def->fps;
    uint32_t last = r->frames - 1;
    r->duration = (r->end - r->begin) / r->rate / r->def->speed;
    // A loop ends where it began, whatever the rate; other motions at the key nearest to their end.
    uint32_t keys = (uint32_t)(r->duration * fps + (r->period > 0 ? 0.999f : 0.5f)) + 1;
    if (r->period == 0) r->duration = (float)(keys - 1) / fps;
    snQuat* turns = SNI_NEW_ARRAY(&r->memory, snQuat, count * keys);
    snVec3* hips = SNI_NEW_ARRAY(&r->memory, snVec3, keys);
    snVec3* travel = SNI_NEW_ARRAY(&r->memory, snVec3, keys);
    bool enough = turns != NULL && hips != NULL && travel != NULL;
    for (uint32_t k = 0; k < keys && enough; k++) {
        float on = (float)k / fps * r->def->speed * r->rate;
        float at = r->def->reverse ? sn_maxf(r->end - on, r->begin) : sn_minf(r->begin + on, r->end);
        uint32_t f = (uint32_t)at < last ? (uint32_t)at : (last > 0 ? last - 1 : 0);
        uint32_t next = f < last ? f + 1 : f;
        float part = at - (float)f;
        for (size_t j = 0; j < count; j++)
            turns[k * count + j] = sn_quat_slerp(r->turns[f * count + j], r->turns[next * count + j], part);
        hips[k] = sn_lerp(r->hips_path[f], r->hips_path[next], part);
        travel[k] = sn_lerp(r->travel[f], r->travel[next], part);
    }
    void* gone[] = {enough ? (void*)r->turns : turns, enough ? (void*)r->hips_path : hips,
                    enough ? (void*)r->travel : travel};
    for (int i = 0; i < 3; i++) sni_free(&r->memory, gone[i]);
    if (!enough) return false;
    r->turns = turns;
    r->hips_path = hips;
    r->travel = travel;
    r->frames = keys;
    r->rate = fps;
    return true;
}

// ------------------------------------------------------------------------------------------------ channels

static bool moves(const sniRetarget* r, const Output* out, uint32_t joint) {
    return (r->hips != SN_NONE && joint == r->target.carrier) || sni_retarget_is_loose(r, joint) ||
           joint == out->root;
}

static bool turns_itself(const sniRetarget* r, const Output* out, uint32_t joint) {
    if (r->def->map->pairs[joint].source != SN_NONE || sni_retarget_is_loose(r, joint) ||
        r->soles[joint] > 0 || (joint == out->root && r->root_turns) || sni_branches_turn(r, joint))
        return true;
    return r->hips != SN_NONE &&
           (joint == r->target.carrier || (sni_tree_above(&r->target.tree, r->target.carrier, joint) &&
                                           sni_tree_above(&r->target.tree, joint, r->hips)));
}

static float* add_channel(const sniRetarget* r, Output* out, uint32_t joint, snChannelPath path,
                          uint32_t width) {
    snChannel* channel = &out->channels[out->channel_count++];
    *channel = (snChannel){joint, path,       SN_INTERPOLATION_LINEAR, r->frames,
                           width, out->times, out->values + out->used};
    out->used += (size_t)r->frames * width;
    return channel->values;
}

// A joint's world rotation from its turn.
static snQuat world_rotation(const sniRetarget* r, uint32_t frame, uint32_t joint) {
    if (joint == SN_NONE) return sn_quat_identity();
    snQuat turn = r->turns[(size_t)frame * r->target.skeleton->joint_count + joint];
    snQuat frame_turn = sn_quat_mul(sn_quat_mul(r->target.frame, turn), sn_quat_conjugate(r->target.frame));
    return sn_quat_mul(frame_turn, r->target.rotations[joint]);
}

static void write_rotations(const sniRetarget* r, Output* out, uint32_t joint) {
    float* values = add_channel(r, out, joint, SN_PATH_ROTATION, 4);
    snQuat before = sn_quat_identity();
    for (uint32_t f = 0; f < r->frames; f++) {
        snQuat parent = world_rotation(r, f, r->target.skeleton->parents[joint]);
        snQuat q = sn_quat_normalize(sn_quat_mul(sn_quat_conjugate(parent), world_rotation(r, f, joint)));
        // Of the two quaternions of a rotation the one nearer the last key, so that plain blends are short.
        if (sn_quat_dot(q, before) < 0.0f) q = sn_quat(-q.x, -q.y, -q.z, -q.w);
        before = q;
        float* v = values + 4 * (size_t)f;
        v[0] = q.x;
        v[1] = q.y;
        v[2] = q.z;
        v[3] = q.w;
    }
}

// How far a joint is from where its parent alone would carry it, in the parent's space.
static snVec3 local_offset(const sniRetarget* r, const Output* out, uint32_t frame, uint32_t joint,
                           snVec3 place) {
    uint32_t parent = r->target.skeleton->parents[joint];
    snVec3 carried = sni_body_point(&r->target, joint);
    snQuat turn = sn_quat_identity();
    if (parent != SN_NONE) {
        turn = r->turns[(size_t)frame * r->target.skeleton->joint_count + parent];
        snVec3 rest = sn_sub(carried, sni_body_point(&r->target, parent));
        carried = sn_add(r->points[parent], sn_quat_rotate(turn, rest));
    }
    snVec3 off = sn_quat_rotate(sn_quat_conjugate(turn), sn_sub(place, carried));
    off = sn_quat_rotate(r->target.frame, off);
    return parent != SN_NONE ? sn_mat4_vector(&out->world[parent], off) : off;
}

// The root moves by the travel; everything below it, the hips included, is then written relative to it.
static void place_with_root(const sniRetarget* r, const Output* out, uint32_t frame) {
    sni_retarget_place(r, frame);
    if (out->root == SN_NONE) return;
    for (uint32_t j = 0; j < r->target.skeleton->joint_count; j++) {
        if (j == out->root || sni_tree_above(&r->target.tree, out->root, j))
            r->points[j] = sn_add(r->points[j], r->travel[frame]);
    }
}

static void write_places(const sniRetarget* r, Output* out, uint32_t joint) {
    float* values = add_channel(r, out, joint, SN_PATH_TRANSLATION, 3);
    snVec3 rest = r->target.skeleton->rest[joint].translation;
    for (uint32_t f = 0; f < r->frames; f++) {
        place_with_root(r, out, f);
        snVec3 t = sn_add(rest, local_offset(r, out, f, joint, r->points[joint]));
        float* v = values + 3 * (size_t)f;
        v[0] = t.x;
        v[1] = t.y;
        v[2] = t.z;
    }
}

// World matrices of parents become their inverses: directions of the world in the parent's space.
static bool invert_parents(const sniRetarget* r, Output* out) {
    sn_skeleton_world(r->target.skeleton, NULL, out->world);
    for (uint32_t j = 0; j < r->target.skeleton->joint_count; j++) {
        snMat4 inverse;
        bool invertible = sn_mat4_inverse_affine(&out->world[j], &inverse);
        if (invertible) out->world[j] = inverse;
        for (uint32_t c = r->target.tree.first_child[j]; c != SN_NONE && !invertible;
             c = r->target.tree.next_sibling[c]) {
            if (moves(r, out, c)) return false;
        }
    }
    return true;
}

// Where a file's nodes stand elsewhere than the rest that the motion was fitted to, joints that nothing moves
// are held at that rest: a key of its own for each part that differs.
static void add_held(Output* out, uint32_t joint, snChannelPath path, uint32_t width, const float* value) {
    float* values = out->values + out->used;
    out->channels[out->channel_count++] =
        (snChannel){joint, path, SN_INTERPOLATION_LINEAR, 1, width, out->times, values};
    memcpy(values, value, width * sizeof *values);
    out->used += width;
}

static void hold_rest(const sniRetarget* r, Output* out, uint32_t joint) {
    if (r->def->nodes == NULL) return;
    const snTrs *rest = &r->target.skeleton->rest[joint], *node = &r->def->nodes[joint];
    float dot = sn_quat_dot(rest->rotation, node->rotation);
    float place[3] = {rest->translation.x, rest->translation.y, rest->translation.z};
    float turn[4] = {rest->rotation.x, rest->rotation.y, rest->rotation.z, rest->rotation.w};
    float size[3] = {rest->scale.x, rest->scale.y, rest->scale.z};
    if (!moves(r, out, joint) &&
        sn_distance(rest->translation, node->translation) > SAME * sn_length(rest->translation))
        add_held(out, joint, SN_PATH_TRANSLATION, 3, place);
    if (!turns_itself(r, out, joint) && 1.0f - dot * dot > SAME * SAME)
        add_held(out, joint, SN_PATH_ROTATION, 4, turn);
    if (sn_distance(rest->scale, node->scale) > SAME * sn_length(rest->scale))
        add_held(out, joint, SN_PATH_SCALE, 3, size);
}

static snResult write_clip(const sniRetarget* r, Output* out, snClip** clip, snError* error) {
    uint32_t count = r->target.skeleton->joint_count;
    if (!invert_parents(r, out))
        return sni_fail(error, SN_RESULT_BAD_DATA, "the target scales a moving joint's parent to zero");
    for (uint32_t f = 0; f < r->frames; f++) out->times[f] = sn_minf((float)f / r->rate, r->duration);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t j = r->target.skeleton->order[i];
        if (moves(r, out, j)) write_places(r, out, j);
        if (turns_itself(r, out, j)) write_rotations(r, out, j);
        hold_rest(r, out, j);
    }
    snClipDef def = {r->def->clip->name, 0.0f, out->channel_count, out->channels};
    return sn_clip_create(&def, count, &r->memory, clip, error);
}

snResult sni_retarget_write(const sniRetarget* r, uint32_t root, snClip** clip, snError* error) {
    size_t count = r->target.skeleton->joint_count;
    Output out = {.root = root};
    out.times = SNI_NEW_ARRAY(&r->memory, float, r->frames);
    out.channels = SNI_NEW_ARRAY(&r->memory, snChannel, 3 * count);
    out.values = SNI_NEW_ARRAY(&r->memory, float, 10 * count * r->frames);
    out.world = SNI_NEW_ARRAY(&r->memory, snMat4, count);
    bool ok = out.times != NULL && out.channels != NULL && out.values != NULL && out.world != NULL;
    snResult result = ok ? write_clip(r, &out, clip, error) : sni_fail_memory(error);
    sni_free(&r->memory, out.times);
    sni_free(&r->memory, out.channels);
    sni_free(&r->memory, out.values);
    sni_free(&r->memory, out.world);
    return result;
}
