// Joints that hang on the root though they belong to a limb.
#include "check/range.h"

#include <string.h>

#include "base/memory.h"

#define KEYS_A_MOVE 8u

float sni_turn_share(bool both, float time) {
    if (!both) return time < 0.5f ? 2.0f * time : 2.0f - 2.0f * time;
    if (time < 0.25f) return 4.0f * time;
    return time < 0.75f ? 2.0f - 4.0f * time : 4.0f * time - 4.0f;
}

// By its name, and because nothing but the root is above it.
static bool is_loose(const sniRangeMaker* m, uint32_t joint) {
    const snSkeleton* skeleton = m->model->skeleton;
    uint32_t above = skeleton->parents[joint];
    bool hangs = above == SN_NONE || m->below[above] >= (1.0 - 1e-6) * m->total;
    if (!hangs || !(m->below[joint] > 0.0) || m->below[joint] > 0.5 * m->total) return false;
    const char* name = skeleton->names[joint];
    uint32_t role = sni_name_parse(name).role;
    return role == SN_ROLE_FOOT || role == SN_ROLE_HAND || role == SN_ROLE_TOES ||
           strstr(name, "Foot") != NULL || strstr(name, "foot") != NULL || strstr(name, "IK") != NULL ||
           strncmp(name, "ik", 2) == 0;
}

static bool is_below(const snSkeleton* skeleton, uint32_t joint, uint32_t above) {
    while (joint != SN_NONE && joint != above) joint = skeleton->parents[joint];
    return joint == above;
}

// Adds what a vertex has in common with every joint outside of the loose one's own.
static void share_vertex(const snWeights* weights, const snSkin* skin, uint32_t v, const uint8_t* own,
                         double* shared) {
    float inside = 0.0f;
    for (uint32_t i = 0; i < weights->influences; i++) {
        size_t at = (size_t)v * weights->influences + i;
        if (own[skin->joints[weights->joints[at]]]) inside += weights->weights[at];
    }
    if (!(inside > 0.0f)) return;
    for (uint32_t i = 0; i < weights->influences; i++) {
        size_t at = (size_t)v * weights->influences + i;
        uint32_t joint = skin->joints[weights->joints[at]];
        if (!own[joint]) shared[joint] += (double)sn_minf(inside, weights->weights[at]);
    }
}

static uint32_t find_host(const sniRangeMaker* m, uint32_t loose, uint8_t* own, double* shared) {
    const snModel* model = m->model;
    uint32_t joints = model->skeleton->joint_count, best = SN_NONE;
    for (uint32_t j = 0; j < joints; j++) {
        own[j] = is_below(model->skeleton, j, loose);
        shared[j] = 0.0;
    }
    for (uint32_t p = 0; p < model->part_count; p++) {
        const snPart* part = &model->parts[p];
        if (part->skin == SN_NONE) continue;
        for (uint32_t v = 0; v < part->weights.vertex_count; v++)
            share_vertex(&part->weights, &model->skins[part->skin], v, own, shared);
    }
    for (uint32_t j = 0; j < joints; j++)
        if (shared[j] > 0.0 && (best == SN_NONE || shared[j] > shared[best])) best = j;
    return best;
}

bool sni_range_hosts(sniRangeMaker* m) {
    uint32_t joints = m->model->skeleton->joint_count;
    uint8_t* own = SNI_NEW_ARRAY(m->memory, uint8_t, joints);
    double* shared = SNI_NEW_ARRAY(m->memory, double, joints);
    bool enough = own != NULL && shared != NULL;
    for (uint32_t j = 0; j < joints && enough; j++)
        m->hosts[j] = is_loose(m, j) ? find_host(m, j, own, shared) : SN_NONE;
    sni_free(m->memory, own);
    sni_free(m->memory, shared);
    return enough;
}

uint32_t sni_range_loose_keys(const sniRangeMaker* m) { return KEYS_A_MOVE * (uint32_t)m->move_count + 1; }

// Where a joint is taken by the turns of a move above its host, the deepest first.
static snRigid carry(const sniRangeMaker* m, uint32_t joint, uint32_t move, float time) {
    const snSkeleton* skeleton = m->model->skeleton;
    snRigid at = {m->body.rotations[joint], m->body.tree.points[joint]};
    for (size_t i = m->turn_count; i-- > 0;) {
        const sniTurn* turn = &m->turns[i];
        if (turn->move != move || !is_below(skeleton, m->hosts[joint], turn->joint)) continue;
        snVec3 center = m->body.tree.points[turn->joint];
        snQuat q = sn_quat_axis_angle(turn->axis, turn->radians * sni_turn_share(turn->both, time));
        at.translation = sn_add(center, sn_quat_rotate(q, sn_sub(at.translation, center)));
        at.rotation = sn_quat_mul(q, at.rotation);
    }
    return at;
}

void sni_range_follow(const sniRangeMaker* m, uint32_t joint, float* times, float* translations,
                      float* rotations) {
    const snSkeleton* skeleton = m->model->skeleton;
    uint32_t above = skeleton->parents[joint];
    snMat4 inverse = sn_mat4_identity();
    snQuat parent = above != SN_NONE ? m->body.rotations[above] : sn_quat_identity();
    if (above != SN_NONE) {
        snMat4 world = sn_mat4_identity();
        for (uint32_t j = above; j != SN_NONE; j = skeleton->parents[j]) {
            snMat4 local = sn_mat4_from_trs(&skeleton->rest[j]);
            world = sn_mat4_mul(&local, &world);
        }
        if (!sn_mat4_inverse_affine(&world, &inverse)) inverse = sn_mat4_identity();
    }
    for (uint32_t k = 0; k < sni_range_loose_keys(m); k++) {
        uint32_t move = k / KEYS_A_MOVE;
        float time = (float)(k % KEYS_A_MOVE) / (float)KEYS_A_MOVE;
        snRigid at = carry(m, joint, move, time);
        snVec3 place = sn_mat4_point(&inverse, at.translation);
        snQuat turn = sn_quat_normalize(sn_quat_mul(sn_quat_conjugate(parent), at.rotation));
        times[k] = SN_RANGE_SECONDS * ((float)move + time);
        memcpy(&translations[3 * (size_t)k], &place, sizeof place);
        memcpy(&rotations[4 * (size_t)k], &turn, sizeof turn);
    }
}
