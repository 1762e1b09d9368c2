#include "bvh_plan.h"

#include "base/error.h"
#include "channel.h"
#include "gltf.h"
#include "rig/influence.h"

#define FPS_DEFAULT 30.0f
#define FPS_SMOOTH 24.0f
#define FPS_MAX 240.0f // of the clip's own keys; asked for, any rate is written
#define FRAMES_MAX 10000000

void sni_bvh_plan_free(sniBvhPlan* plan) {
    void* arrays[] = {plan->sequence, plan->depths, plan->first_child, plan->next_sibling,
                      plan->moves,    plan->ends,   plan->offsets,     plan->rest_turns,
                      plan->turns,    plan->locals, plan->world,       plan->angles};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) sni_free(&plan->allocator, arrays[i]);
}

static bool make_arrays(sniBvhPlan* plan) {
    const snAllocator* memory = &plan->allocator;
    size_t count = plan->model->skeleton->joint_count;
    plan->sequence = SNI_NEW_ARRAY(memory, uint32_t, count);
    plan->depths = SNI_NEW_ARRAY(memory, uint32_t, count);
    plan->first_child = SNI_NEW_ARRAY(memory, uint32_t, count);
    plan->next_sibling = SNI_NEW_ARRAY(memory, uint32_t, count);
    plan->moves = SNI_NEW_ARRAY(memory, bool, count);
    plan->ends = SNI_NEW_ARRAY(memory, bool, count);
    plan->offsets = SNI_NEW_ARRAY(memory, snVec3, count);
    plan->rest_turns = SNI_NEW_ARRAY(memory, snQuat, count);
    plan->turns = SNI_NEW_ARRAY(memory, snQuat, count);
    plan->locals = SNI_NEW_ARRAY(memory, snTrs, count);
    plan->world = SNI_NEW_ARRAY(memory, snMat4, count);
    plan->angles = SNI_NEW_ARRAY(memory, float, 3 * count);
    return plan->sequence != NULL && plan->depths != NULL && plan->first_child != NULL &&
           plan->next_sibling != NULL && plan->moves != NULL && plan->ends != NULL && plan->offsets != NULL &&
           plan->rest_turns != NULL && plan->turns != NULL && plan->locals != NULL && plan->world != NULL &&
           plan->angles != NULL;
}

// ------------------------------------------------------------------------------------------------- order

// Depth first, roots and children in the order of their indices.
static void order_joints(sniBvhPlan* plan) {
    const snSkeleton* skeleton = plan->model->skeleton;
    uint32_t count = skeleton->joint_count, first_root = SN_NONE, written = 0;
    for (uint32_t j = 0; j < count; j++) plan->first_child[j] = SN_NONE;
    for (uint32_t j = count; j-- > 0;) {
        uint32_t* head =
            skeleton->parents[j] != SN_NONE ? &plan->first_child[skeleton->parents[j]] : &first_root;
        plan->next_sibling[j] = *head;
        *head = j;
    }
    uint32_t depth = 0;
    for (uint32_t j = first_root; j != SN_NONE;) {
        plan->sequence[written++] = j;
        plan->depths[j] = depth;
        if (plan->first_child[j] != SN_NONE) {
            j = plan->first_child[j];
            depth++;
            continue;
        }
        while (plan->next_sibling[j] == SN_NONE && skeleton->parents[j] != SN_NONE) {
            j = skeleton->parents[j];
            depth--;
        }
        j = plan->next_sibling[j];
    }
}

// -------------------------------------------------------------------------------------------- what moves

static bool near_one(snVec3 scale, float tolerance) {
    return fabsf(scale.x - 1.0f) <= tolerance && fabsf(scale.y - 1.0f) <= tolerance &&
           fabsf(scale.z - 1.0f) <= tolerance;
}

// A joint needs position channels when its own place is animated, and when scale above it changes or squeezes
// the distance to its parent.
static void find_moving(sniBvhPlan* plan) {
    const snSkeleton* skeleton = plan->model->skeleton;
    bool* squeezed = plan->ends; // borrowed until end sites are found: scale that is animated or uneven
    for (uint32_t j = 0; j < skeleton->joint_count; j++) {
        snVec3 s = skeleton->rest[j].scale;
        plan->moves[j] = skeleton->parents[j] == SN_NONE;
        plan->scaled = plan->scaled || !near_one(s, 1e-4f);
        squeezed[j] = fabsf(s.x - s.y) > 1e-6f * fabsf(s.x) || fabsf(s.x - s.z) > 1e-6f * fabsf(s.x);
    }
    for (uint32_t c = 0; plan->clip != NULL && c < plan->clip->channel_count; c++) {
        const snChannel* channel = &plan->clip->channels[c];
        const snTrs* rest = &skeleton->rest[channel->joint];
        if (channel->path == SN_PATH_TRANSLATION && !sni_channel_stays(channel, rest)) {
            plan->moves[channel->joint] = true;
        }
        if (channel->path == SN_PATH_SCALE && !sni_channel_stays(channel, rest)) {
            squeezed[channel->joint] = plan->scaled = true;
        }
    }
    for (uint32_t i = 0; i < skeleton->joint_count; i++) {
        uint32_t j = skeleton->order[i], parent = skeleton->parents[j];
        if (parent == SN_NONE || !squeezed[parent]) continue;
        plan->moves[j] = true;
        squeezed[j] = true;
    }
}

static bool carries_mesh(const snModel* model, uint32_t joint) {
    for (uint32_t p = 0; p < model->part_count; p++) {
        if (model->parts[p].joint == joint) return true;
    }
    return sni_joint_has_skin(model, joint);
}

// A leaf that BVH reading made of an end site, and that keeps its place, becomes one again. Its turn shows
// only where a mesh hangs on it: planted feet turn theirs.
static void find_ends(sniBvhPlan* plan) {
    const snSkeleton* skeleton = plan->model->skeleton;
    for (uint32_t j = 0; j < skeleton->joint_count; j++) {
        const char* name = skeleton->names[j];
        uint32_t parent = skeleton->parents[j];
        plan->ends[j] = false;
        if (plan->first_child[j] != SN_NONE || parent == SN_NONE || plan->moves[j]) continue;
        size_t length = strlen(skeleton->names[parent]);
        plan->ends[j] =
            strncmp(name, skeleton->names[parent], length) == 0 && strcmp(name + length, "_end") == 0;
    }
    for (uint32_t c = 0; plan->clip != NULL && c < plan->clip->channel_count; c++) {
        const snChannel* channel = &plan->clip->channels[c];
        if (!plan->ends[channel->joint] || channel->path == SN_PATH_MORPH) continue;
        plan->ends[channel->joint] = sni_channel_stays(channel, &skeleton->rest[channel->joint]) ||
                                     !carries_mesh(plan->model, channel->joint);
    }
}

// ------------------------------------------------------------------------------------------------ frames

// The rate that meets the clip's closest keys; of sparse keys a multiple that still looks smooth.
static float key_rate(const snClip* clip) {
    float gap = 0.0f;
    for (uint32_t c = 0; c < clip->channel_count; c++) {
        const snChannel* channel = &clip->channels[c];
        if (channel->path == SN_PATH_MORPH) continue;
        for (uint32_t k = 1; k < channel->key_count; k++) {
            float step = channel->times[k] - channel->times[k - 1];
            if (gap == 0.0f || step < gap) gap = step;
        }
    }
    if (!(gap > 0.0f)) return FPS_DEFAULT;
    float rate = 1.0f / gap;
    if (!(rate < FPS_MAX)) return FPS_MAX;
    float whole = floorf(rate + 0.5f);
    if (fabsf(rate - whole) < 0.01f * rate) rate = whole; // times are rounded; rates are rarely broken
    return rate < FPS_SMOOTH ? rate * ceilf(FPS_SMOOTH / rate) : rate;
}

static snResult plan_frames(sniBvhPlan* plan, const snWriteDef* def, snError* error) {
    const snModel* model = plan->model;
    if (model->clip_count > 0) plan->clip = model->clips[def->first_clip];
    plan->fps = def->fps;
    if (!(def->fps >= 0.0f) || !sn_finite(def->fps)) {
        return sni_fail(error, SN_RESULT_INVALID_ARGUMENT,
                        "the rate is %g frames a second, expected 0 or more", (double)def->fps);
    }
    if (def->fps == 0.0f) plan->fps = plan->clip != NULL ? key_rate(plan->clip) : FPS_DEFAULT;
    double frames = plan->clip != NULL ? (double)plan->clip->duration * (double)plan->fps + 1.5 : 1.0;
    if (frames > FRAMES_MAX) {
        return sni_fail(error, SN_RESULT_LIMIT, "%.0f frames are more than the %d that are written", frames,
                        FRAMES_MAX);
    }
    plan->frame_count = (uint32_t)frames;
    return SN_RESULT_OK;
}

// World rotations by the rotations alone: scale has no part in them.
static void turn_joints(const snSkeleton* skeleton, const snTrs* locals, snQuat* out) {
    for (uint32_t i = 0; i < skeleton->joint_count; i++) {
        uint32_t j = skeleton->order[i], parent = skeleton->parents[j];
        snQuat turn = parent != SN_NONE ? sn_quat_mul(out[parent], locals[j].rotation) : locals[j].rotation;
        out[j] = sn_quat_normalize(turn);
    }
}

void sni_bvh_plan_pose(sniBvhPlan* plan, uint32_t frame) {
    const snSkeleton* skeleton = plan->model->skeleton;
    for (uint32_t j = 0; j < skeleton->joint_count; j++) plan->locals[j] = skeleton->rest[j];
    if (plan->clip != NULL) {
        float time = (float)((double)frame / (double)plan->fps);
        sn_clip_sample(plan->clip, time, SN_WRAP_CLAMP, skeleton->joint_count, plan->locals);
    }
    sn_skeleton_world(skeleton, plan->locals, plan->world);
    turn_joints(skeleton, plan->locals, plan->turns);
    for (uint32_t j = 0; j < skeleton->joint_count; j++) {
        plan->turns[j] = sn_quat_mul(plan->turns[j], sn_quat_conjugate(plan->rest_turns[j]));
    }
}

snResult sni_bvh_plan(const snModel* model, const snWriteDef* def, const snAllocator* memory, sniBvhPlan* out,
                      snError* error) {
    *out = (sniBvhPlan){.model = model, .allocator = *memory};
    const snSkeleton* skeleton = model->skeleton;
    if (skeleton->joint_count == 0) {
        return sni_fail(error, SN_RESULT_UNSUPPORTED, "the model has no joints, BVH needs one");
    }
    SNI_TRY(plan_frames(out, def, error));
    if (!make_arrays(out)) return sni_fail_memory(error);
    order_joints(out);
    find_moving(out);
    find_ends(out);
    sn_skeleton_world(skeleton, NULL, out->world);
    turn_joints(skeleton, skeleton->rest, out->rest_turns);
    for (uint32_t j = 0; j < skeleton->joint_count; j++) {
        uint32_t parent = skeleton->parents[j];
        snVec3 from = parent != SN_NONE ? sn_mat4_translation(&out->world[parent]) : sn_vec3(0, 0, 0);
        out->offsets[j] = sn_sub(sn_mat4_translation(&out->world[j]), from);
    }
    return SN_RESULT_OK;
}
