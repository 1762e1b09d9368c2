// Joints that are moved by hand.
#include "joints.h"

#include "draft.h"

// Matrices of the rest pose before and after.
typedef struct Move {
    snModel* model;
    snMat4* old;
    snMat4* now;
    uint32_t joint;
} Move;

snMat4 sni_inverse_of(const snMat4* m) {
    snMat4 inverse;
    return sn_mat4_inverse_affine(m, &inverse) ? inverse : sn_mat4_identity();
}

// A joint's own translation that puts it at a place of the world.
static void put_at(const Move* move, uint32_t joint, snVec3 place) {
    snSkeleton* skeleton = move->model->skeleton;
    uint32_t parent = skeleton->parents[joint];
    snMat4 back = parent != SN_NONE ? sni_inverse_of(&move->now[parent]) : sn_mat4_identity();
    skeleton->rest[joint].translation = sn_mat4_point(&back, place);
}

// What was bound stays where it is: the joint's place at bind time moves with it.
void sni_follow_bind(snModel* model, uint32_t joint, const snMat4* old, const snMat4* now) {
    snMat4 back = sni_inverse_of(now), forth = sni_inverse_of(old);
    snMat4 turn = sn_mat4_mul(&back, old), carry = sn_mat4_mul(&forth, now);
    for (uint32_t s = 0; s < model->skin_count; s++)
        for (uint32_t i = 0; i < model->skins[s].joint_count; i++)
            if (model->skins[s].joints[i] == joint)
                model->skins[s].inverse_binds[i] = sn_mat4_mul(&turn, &model->skins[s].inverse_binds[i]);
    for (uint32_t i = 0; model->binding != NULL && i < model->binding->joint_count; i++)
        if (model->binding->joints[i] == joint)
            model->binding->binds[i] = sn_mat4_mul(&model->binding->binds[i], &carry);
}

// Where a clip moves a joint, it moves it from its new place.
static void follow_clips(const Move* move, uint32_t joint, snVec3 by) {
    for (uint32_t c = 0; c < move->model->clip_count; c++) {
        const snClip* clip = move->model->clips[c];
        for (uint32_t i = 0; i < clip->channel_count; i++) {
            const snChannel* channel = &clip->channels[i];
            if (channel->joint != joint || channel->path != SN_PATH_TRANSLATION) continue;
            bool cubic = channel->interpolation == SN_INTERPOLATION_CUBIC;
            for (size_t k = cubic ? 1 : 0; k < (size_t)channel->key_count * (cubic ? 3 : 1);
                 k += cubic ? 3 : 1) {
                channel->values[k * 3] += by.x;
                channel->values[k * 3 + 1] += by.y;
                channel->values[k * 3 + 2] += by.z;
            }
        }
    }
}

static bool has_moved(const Move* move, uint32_t joint) {
    for (int i = 0; i < 16; i++)
        if (move->old[joint].m[i] != move->now[joint].m[i]) return true;
    return false;
}

static void apply(const Move* move, snVec3 place, bool children) {
    snSkeleton* skeleton = move->model->skeleton;
    uint32_t count = skeleton->joint_count;
    sn_skeleton_world(skeleton, NULL, move->old);
    memcpy(move->now, move->old, count * sizeof *move->now);
    for (uint32_t k = 0; k < count; k++) {
        uint32_t j = skeleton->order[k];
        bool moved = j == move->joint, below = !children && skeleton->parents[j] == move->joint;
        if (!moved && !below) continue;
        snVec3 before = skeleton->rest[j].translation;
        put_at(move, j, moved ? place : sn_mat4_translation(&move->old[j]));
        follow_clips(move, j, sn_sub(skeleton->rest[j].translation, before));
        sn_skeleton_world(skeleton, NULL, move->now); // children go by where it is now
    }
    for (uint32_t j = 0; j < count; j++)
        if (has_moved(move, j)) sni_follow_bind(move->model, j, &move->old[j], &move->now[j]);
}

void sni_joints_changed(sniBody* body) {
    snSkeleton* skeleton = body->model->skeleton;
    sni_free(&skeleton->allocator, skeleton->labels);
    skeleton->labels = NULL;
    // The file's document has its nodes elsewhere.
    if (body->lent && body->model->source_destroy != NULL) body->model->source_destroy(body->model->source);
    sni_body_return_source(body);
    body->origin = false;
}

// Is it there already? Then nothing is to be done, and no last bit of its place is rounded anew.
static snResult is_there(const snDocument* document, uint32_t joint, snVec3 place, bool* out,
                         snError* error) {
    const snSkeleton* skeleton = document->state.body.model->skeleton;
    snMat4* world = SNI_NEW_ARRAY(&document->allocator, snMat4, skeleton->joint_count);
    if (world == NULL) return sni_fail_memory(error);
    sn_skeleton_world(skeleton, NULL, world);
    snVec3 now = sn_mat4_translation(&world[joint]);
    *out = now.x == place.x && now.y == place.y && now.z == place.z;
    sni_free(&document->allocator, world);
    return SN_RESULT_OK;
}

snResult sn_document_move_joint(snDocument* document, uint32_t joint, snVec3 place, bool children,
                                snError* error) {
    SNI_TRY(sni_need_model(document, error));
    uint32_t count = document->state.body.model->skeleton->joint_count;
    const snAllocator* memory = &document->allocator;
    if (joint >= count) return sni_fail(error, SN_RESULT_NOT_FOUND, "there is no joint %u", joint);
    if (!sn_vec3_finite(place))
        return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "the position is not finite");
    bool there = false;
    SNI_TRY(is_there(document, joint, place, &there, error));
    if (there) return SN_RESULT_OK;
    Move move = {.old = SNI_NEW_ARRAY(memory, snMat4, count),
                 .now = SNI_NEW_ARRAY(memory, snMat4, count),
                 .joint = joint};
    snResult result = move.old != NULL && move.now != NULL ? SN_RESULT_OK : sni_fail_memory(error);
    if (result == SN_RESULT_OK)
        result = sni_edit_begin(document, "Move joint", SNI_BITS_MODEL, SNI_COPY_RIG, error);
    if (result == SN_RESULT_OK) {
        sniBody* body = &document->state.body;
        move.model = body->model;
        apply(&move, place, children);
        sni_joints_changed(body);
        result = sni_edit_end(document, SN_RESULT_OK, error);
    }
    sni_free(memory, move.old);
    sni_free(memory, move.now);
    return result;
}

uint32_t sn_document_mirror_joint(const snDocument* document, uint32_t joint) {
    const snModel* model = document->state.body.model;
    char name[512];
    if (model == NULL || joint >= model->skeleton->joint_count ||
        sni_side_of_name(model->skeleton->names[joint], name, sizeof name) == 0)
        return joint;
    uint32_t other = sn_skeleton_find(model->skeleton, name);
    return other != SN_NONE ? other : joint;
}
