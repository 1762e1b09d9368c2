// A clip of one skeleton for another: the steps in order, and the clip that comes out.
#include "retarget/retarget.h"

#include "base/error.h"
#include "base/memory.h"
#include "rig/stretch.h"

// More frames than any motion has: beyond it times in single precision stop rising evenly.
#define MOST_FRAMES 1000000.0f

// From the ankle to the ball of the foot, in leg lengths, where no joint says. About a person's; not
// measured.
#define BALL_AHEAD 0.15f

snRetargetDef sn_retarget_def(void) {
    snRetargetDef def = {
        .to = SN_CLIP_END, .fps = 30.0f, .root = SN_ROOT_KEEP, .feet = true, .loop_blend = 0.2f};
    return def;
}

static snResult check_def(const snRetargetDef* def, snError* error) {
    if (def->source == NULL || def->clip == NULL || def->target == NULL || def->map == NULL)
        return sni_fail(error, SN_RESULT_INVALID_ARGUMENT,
                        "a source, its clip, a target and a map are needed");
    const snJointMap* map = def->map;
    if (map->source_count != def->source->joint_count || map->target_count != def->target->joint_count)
        return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "the map was made for other skeletons");
    for (uint32_t j = 0; j < map->target_count; j++) {
        const snJointPair* pair = &map->pairs[j];
        if (pair->source == SN_NONE) continue;
        if (pair->source >= map->source_count || (pair->from != SN_NONE && pair->from >= map->source_count) ||
            !(pair->share >= 0.0f && pair->share <= 1.0f)) {
            return sni_fail_joint(error, SN_RESULT_INVALID_ARGUMENT, j,
                                  "pair %u names a joint that the source has not, or a share outside 0..1",
                                  j);
        }
    }
    if (!(def->fps >= 1.0f && def->fps <= 1000.0f))
        return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "%g frames a second, expected 1 to 1000",
                        (double)def->fps);
    if ((uint32_t)def->root > SN_ROOT_EXTRACT)
        return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "unknown root motion %u", (uint32_t)def->root);
    if (def->loop && (!(def->loop_blend >= 0.0f) || !sn_finite(def->loop_blend)))
        return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "the loop's blend is %g s, expected 0 or more",
                        (double)def->loop_blend);
    return SN_RESULT_OK;
}

static snResult find_frames(sniRetarget* r, snError* error) {
    const snRetargetDef* def = r->def;
    float end = 0.0f;
    SNI_TRY(sni_stretch_end(def->clip, def->from, def->to, &end, error));
    float frames = (end - def->from) * def->fps;
    if (!(frames < MOST_FRAMES))
        return sni_fail(error, SN_RESULT_LIMIT, "%g frames, expected fewer than %g", (double)frames,
                        (double)MOST_FRAMES);
    r->from = def->from;
    r->frames = (uint32_t)(frames + 0.5f) + 1;
    if (def->loop && r->frames < 3)
        return sni_fail(error, SN_RESULT_BAD_DATA, "%u frames are too few for a loop", r->frames);
    // Unrolled, a loop is three times itself and two seconds.
    r->capacity = def->loop ? 3 * r->frames + 2 * (uint32_t)def->fps : r->frames;
    return SN_RESULT_OK;
}

// --------------------------------------------------------------------------------------------------- setup

// The joint of the other side with the same role and index; a joint in the middle is its own.
static void find_opposites(sniRetarget* r) {
    const sniBody* body = &r->source;
    for (uint32_t j = 0; j < body->skeleton->joint_count; j++) {
        const snLabel* label = &body->labels[j];
        r->opposite[j] = j;
        if (!r->def->mirror || label->side == SN_SIDE_NONE) continue;
        snSide side = label->side == SN_SIDE_LEFT ? SN_SIDE_RIGHT : SN_SIDE_LEFT;
        uint32_t other = sni_body_chain_joint(body, label->role, side, label->index);
        if (other != SN_NONE) r->opposite[j] = other;
    }
}

static void find_hips(sniRetarget* r) {
    r->hips = r->target.first[SN_ROLE_HIPS][SN_SIDE_NONE];
    if (r->hips == SN_NONE) return;
    r->source_hips = r->def->map->pairs[r->hips].source;
    if (r->source_hips == SN_NONE) r->hips = SN_NONE;
    r->scale = r->target.leg / r->source.leg;
    if (!sn_finite(r->scale) || !(r->scale > 0.0f)) r->scale = 1.0f;
}

static bool find_foot(sniRetarget* r, int s) {
    sniFoot* foot = &r->feet[s];
    snSide side = s == 0 ? SN_SIDE_LEFT : SN_SIDE_RIGHT;
    foot->upper = r->target.first[SN_ROLE_UPPER_LEG][side];
    foot->lower = r->target.first[SN_ROLE_LOWER_LEG][side];
    foot->foot = r->target.first[SN_ROLE_FOOT][side];
    foot->source_foot = r->source.first[SN_ROLE_FOOT][side];
    foot->source_toe = r->source.first[SN_ROLE_TOES][side];
    foot->exists = r->hips != SN_NONE && foot->upper != SN_NONE && foot->lower != SN_NONE &&
                   foot->foot != SN_NONE && foot->source_foot != SN_NONE &&
                   r->def->map->pairs[foot->upper].source != SN_NONE;
    if (!foot->exists) return true;
    snVec3 end;
    if (sni_body_bone_end(&r->target, foot->foot, &end)) {
        foot->toe = sn_quat_rotate(sn_quat_conjugate(r->target.frame),
                                   sn_sub(end, r->target.tree.points[foot->foot]));
    } else {
        // A foot without an end still has a ball to roll over: on the ground, as far ahead as people's.
        float height = sni_body_point(&r->target, foot->foot).y - r->target.ground;
        foot->toe = sn_vec3(0.0f, -height, BALL_AHEAD * r->target.leg);
    }
    foot->source_ankles = SNI_NEW_ARRAY(&r->memory, snVec3, r->capacity);
    foot->source_toes = SNI_NEW_ARRAY(&r->memory, snVec3, r->capacity);
    foot->planted = SNI_NEW_ARRAY(&r->memory, uint8_t, r->capacity);
    foot->correction = SNI_NEW_ARRAY(&r->memory, snVec3, r->capacity);
    foot->level = SNI_NEW_ARRAY(&r->memory, float, r->capacity);
    return foot->source_ankles != NULL && foot->source_toes != NULL && foot->planted != NULL &&
           foot->correction != NULL && foot->level != NULL;
}

static snResult setup(sniRetarget* r, snError* error) {
    const snRetargetDef* def = r->def;
    snResult result = find_frames(r, error);
    if (result != SN_RESULT_OK) return result;
    result = sni_body_create(&r->source, def->source, &r->memory);
    if (result == SN_RESULT_OK) result = sni_body_create(&r->target, def->target, &r->memory);
    if (result != SN_RESULT_OK) return sni_fail_labels(error, result);
    size_t count = def->target->joint_count;
    r->opposite = SNI_NEW_ARRAY(&r->memory, uint32_t, def->source->joint_count);
    r->attach = SNI_NEW_ARRAY(&r->memory, uint32_t, count);
    r->order = SNI_NEW_ARRAY(&r->memory, uint32_t, count);
    r->align = SNI_NEW_ARRAY(&r->memory, snQuat, count);
    r->points = SNI_NEW_ARRAY(&r->memory, snVec3, count);
    r->turns = SNI_NEW_ARRAY(&r->memory, snQuat, count * r->capacity);
    r->hips_path = SNI_NEW_ARRAY(&r->memory, snVec3, r->capacity);
    r->travel = SNI_NEW_ARRAY(&r->memory, snVec3, r->frames);
    if (r->opposite == NULL || r->attach == NULL || r->order == NULL || r->align == NULL ||
        r->points == NULL || r->turns == NULL || r->hips_path == NULL || r->travel == NULL)
        return sni_fail_memory(error);
    r->scale = 1.0f;
    find_opposites(r);
    find_hips(r);
    if (!find_foot(r, 0) || !find_foot(r, 1)) return sni_fail_memory(error);
    sni_retarget_rest(r);
    return SN_RESULT_OK;
}

static void release(sniRetarget* r) {
    void* arrays[] = {r->opposite, r->attach, r->order,     r->align,
                      r->points,   r->turns,  r->hips_path, r->travel};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) sni_free(&r->memory, arrays[i]);
    for (int s = 0; s < 2; s++) {
        sni_free(&r->memory, r->feet[s].source_ankles);
        sni_free(&r->memory, r->feet[s].source_toes);
        sni_free(&r->memory, r->feet[s].planted);
        sni_free(&r->memory, r->feet[s].correction);
        sni_free(&r->memory, r->feet[s].level);
    }
    sni_body_destroy(&r->source, &r->memory);
    sni_body_destroy(&r->target, &r->memory);
}

// -------------------------------------------------------------------------------------------------- output

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

static bool moves(const sniRetarget* r, const Output* out, uint32_t joint) {
    return (r->hips != SN_NONE && joint == r->target.carrier) || sni_retarget_is_loose(r, joint) ||
           joint == out->root;
}

static bool turns_itself(const sniRetarget* r, uint32_t joint) {
    if (r->def->map->pairs[joint].source != SN_NONE) return true;
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

static snResult write_clip(const sniRetarget* r, Output* out, snClip** clip, snError* error) {
    uint32_t count = r->target.skeleton->joint_count;
    if (!invert_parents(r, out))
        return sni_fail(error, SN_RESULT_BAD_DATA, "the target scales a moving joint's parent to nothing");
    for (uint32_t f = 0; f < r->frames; f++) out->times[f] = (float)f / r->def->fps;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t j = r->target.skeleton->order[i];
        if (moves(r, out, j)) write_places(r, out, j);
        if (turns_itself(r, j)) write_rotations(r, out, j);
    }
    snClipDef def = {r->def->clip->name, 0.0f, out->channel_count, out->channels};
    return sn_clip_create(&def, count, &r->memory, clip, error);
}

static snResult create_clip(const sniRetarget* r, uint32_t root, snClip** clip, snError* error) {
    size_t count = r->target.skeleton->joint_count;
    Output out = {.root = root};
    out.times = SNI_NEW_ARRAY(&r->memory, float, r->frames);
    out.channels = SNI_NEW_ARRAY(&r->memory, snChannel, 2 * count);
    out.values = SNI_NEW_ARRAY(&r->memory, float, 7 * count * r->frames);
    out.world = SNI_NEW_ARRAY(&r->memory, snMat4, count);
    bool ok = out.times != NULL && out.channels != NULL && out.values != NULL && out.world != NULL;
    snResult result = ok ? write_clip(r, &out, clip, error) : sni_fail_memory(error);
    sni_free(&r->memory, out.times);
    sni_free(&r->memory, out.channels);
    sni_free(&r->memory, out.values);
    sni_free(&r->memory, out.world);
    return result;
}

// ----------------------------------------------------------------------------------------------------- all

static snResult run_steps(sniRetarget* r, snClip** out, snRetargetReport* report, snError* error) {
    if (!sni_retarget_sample(r)) return sni_fail_memory(error);
    // Before the feet: they are held on the motion that will be seen, seam and all.
    if (r->def->loop && !sni_retarget_loop(r, &report->loop)) return sni_fail_memory(error);
    sni_retarget_unroll(r);
    sni_retarget_contacts(r);
    sni_retarget_roll(r);
    if (!sni_retarget_feet(r, report)) return sni_fail_memory(error);
    uint32_t root = SN_NONE;
    if (r->hips != SN_NONE && r->def->root == SN_ROOT_EXTRACT)
        root = r->target.skeleton->parents[r->target.carrier];
    if (root != SN_NONE || r->def->root == SN_ROOT_IN_PLACE) sni_retarget_travel(r);
    report->frames = r->frames;
    report->scale = r->scale;
    report->height = r->target.height;
    report->root_extracted = root != SN_NONE;
    return create_clip(r, root, out, error);
}

snResult sn_retarget_clip(const snRetargetDef* def, const snAllocator* allocator, snClip** out,
                          snRetargetReport* report, snError* error) {
    if (def == NULL || out == NULL)
        return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "a Def and an output are needed");
    snResult result = check_def(def, error);
    if (result != SN_RESULT_OK) return result;
    sniRetarget r = {.def = def, .memory = sni_allocator(allocator), .hips = SN_NONE};
    snRetargetReport measured = {0};
    snClip* clip = NULL;
    result = setup(&r, error);
    if (result == SN_RESULT_OK) result = run_steps(&r, &clip, &measured, error);
    release(&r);
    if (result != SN_RESULT_OK) return result;
    if (report != NULL) *report = measured;
    *out = clip;
    return SN_RESULT_OK;
}
