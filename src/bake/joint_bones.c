// The matrices that points are blended from: own joints of every skin, helpers, and where they are in frames.
#include "bake/frames.h"
#include "bake/joint_bake.h"

// -------------------------------------------------------------------------------------------------- skins

// Skins that hold a joint in the same place share its bone.
static uint32_t find_own(sniJointBaker* b, uint32_t joint, const snMat4* bind) {
    float scale = 0.0f;
    for (int i = 0; i < 12; i++) scale = sn_maxf(scale, fabsf(bind->m[i / 3 * 4 + i % 3]));
    for (uint32_t i = 0; i < b->own_count; i++) {
        bool same = b->bones[i].joint == joint;
        for (int k = 0; k < 16 && same; k++)
            same = fabsf(b->bones[i].bind.m[k] - bind->m[k]) <= 1e-6f * scale;
        if (same) return i;
    }
    b->bones[b->own_count] = (sniJointBone){joint, SN_NONE, b->own_count, *bind};
    return b->own_count++;
}

static snResult fill_skin(sniJointBaker* b, sniJointSkin* skin, uint32_t count) {
    skin->joint_count = count;
    skin->bones = SNI_NEW_ARRAY(&b->allocator, uint32_t, count);
    skin->helpers = SNI_NEW_ARRAY(&b->allocator, uint32_t, b->helper_cap);
    return skin->bones != NULL && skin->helpers != NULL ? SN_RESULT_OK : sni_fail_memory(b->error);
}

static size_t count_joints(const sniJointBaker* b) {
    size_t count = b->model->part_count;
    for (uint32_t s = 0; s < b->model->skin_count; s++) count += b->model->skins[s].joint_count;
    return count;
}

// How many bones the joint with the most has: a helper below it has as many.
static uint32_t most_variants(const sniJointBaker* b) {
    uint32_t most = 1;
    for (uint32_t i = 0; i < b->own_count; i++) {
        uint32_t same = 0;
        for (uint32_t k = 0; k < b->own_count; k++) same += b->bones[k].joint == b->bones[i].joint;
        most = same > most ? same : most;
    }
    return most;
}

static snResult list_bones(sniJointBaker* b) {
    for (uint32_t s = 0; s < b->model->skin_count; s++) {
        const snSkin* from = &b->model->skins[s];
        SNI_TRY(fill_skin(b, &b->skins[s], from->joint_count));
        for (uint32_t j = 0; j < from->joint_count; j++)
            b->skins[s].bones[j] = find_own(b, from->joints[j], &from->inverse_binds[j]);
    }
    snMat4 identity = sn_mat4_identity();
    b->skin_count = b->model->skin_count;
    for (uint32_t p = 0; p < b->model->part_count; p++) {
        sniJointState* state = &b->states[p];
        state->skin = state->part->skin;
        if (state->skin != SN_NONE || state->part->joint == SN_NONE) continue;
        state->skin = b->skin_count++;
        SNI_TRY(fill_skin(b, &b->skins[state->skin], 1));
        b->skins[state->skin].bones[0] = find_own(b, state->part->joint, &identity);
    }
    return SN_RESULT_OK;
}

snResult sni_joint_bones(sniJointBaker* b) {
    const snAllocator* memory = &b->allocator;
    size_t most = count_joints(b), skins = (size_t)b->model->skin_count + b->model->part_count;
    SNI_TRY(sni_joint_claim(b, "joints", most, sizeof(sniJointBone) + sizeof(uint32_t)));
    sniJointBone* bones = SNI_NEW_ARRAY(memory, sniJointBone, most);
    b->skins = SNI_NEW_ARRAY(memory, sniJointSkin, skins);
    b->bones = bones;
    if (bones == NULL || b->skins == NULL) return sni_fail_memory(b->error);
    SNI_TRY(list_bones(b));
    b->bone_count = b->own_count;
    b->bone_cap = b->own_count + b->helper_cap * most_variants(b);
    SNI_TRY(sni_joint_claim(b, "joints", b->bone_cap, sizeof(sniJointBone)));
    b->bones = SNI_NEW_ARRAY(memory, sniJointBone, b->bone_cap);
    b->helpers = SNI_NEW_ARRAY(memory, sniJointHelper, b->helper_cap);
    if (b->bones != NULL && b->own_count > 0) memcpy(b->bones, bones, b->own_count * sizeof *bones);
    sni_free(memory, bones);
    return b->bones != NULL && b->helpers != NULL ? SN_RESULT_OK : sni_fail_memory(b->error);
}

void sni_joint_bones_free(sniJointBaker* b) {
    for (uint32_t s = 0; b->skins != NULL && s < b->model->skin_count + b->model->part_count; s++) {
        sni_free(&b->allocator, b->skins[s].bones);
        sni_free(&b->allocator, b->skins[s].helpers);
    }
    sni_free(&b->allocator, b->skins);
    sni_free(&b->allocator, b->bones);
    sni_free(&b->allocator, b->helpers);
}

uint32_t sni_joint_bone_of(const sniJointBaker* b, uint32_t skin, uint32_t joint) {
    for (uint32_t j = 0; j < b->skins[skin].joint_count; j++) {
        if (b->bones[b->skins[skin].bones[j]].joint == joint) return b->skins[skin].bones[j];
    }
    return SN_NONE;
}

// ------------------------------------------------------------------------------------------------- frames

snResult sni_joint_blocks_create(sniJointBaker* b, uint32_t frame_count, sniJointBlocks* out) {
    snResult result = SN_RESULT_OK;
    size_t blocks = (frame_count + SNI_JOINT_LANES - 1) / SNI_JOINT_LANES, helpers = blocks * b->helper_cap;
    out->frame_count = frame_count;
    out->block_count = (uint32_t)blocks;
    size_t points = blocks * b->point_count;
    out->targets = sni_joint_new(b, "frames", points, SNI_JOINT_POINT * sizeof(float), &result);
    out->world = sni_joint_new(b, "poses", (size_t)frame_count * b->model->skeleton->joint_count,
                               sizeof(snMat4), &result);
    out->bones = sni_joint_new(b, "joints", blocks * b->bone_cap, SNI_JOINT_MATRIX * sizeof(float), &result);
    out->places = sni_joint_new(b, "helpers", helpers, SNI_JOINT_PLACE * sizeof(float), &result);
    out->motions = sni_joint_new(b, "helpers", helpers, SNI_JOINT_MATRIX * sizeof(float), &result);
    out->deltas = sni_joint_new(b, "helpers", helpers, SNI_JOINT_MATRIX * sizeof(float), &result);
    out->gathered = sni_joint_new(b, "helpers", helpers, SNI_JOINT_MATRIX * sizeof(float), &result);
    return result;
}

void sni_joint_blocks_free(sniJointBaker* b, sniJointBlocks* blocks) {
    void* arrays[] = {blocks->targets, blocks->world,  blocks->bones,   blocks->places,
                      blocks->motions, blocks->deltas, blocks->gathered};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) sni_free(&b->allocator, arrays[i]);
    *blocks = (sniJointBlocks){0};
}

static void put(const snMat4* m, float* to) {
    for (int i = 0; i < 12; i++) to[i * SNI_JOINT_LANES] = m->m[i / 3 * 4 + i % 3];
}

// Lanes beyond the last frame stay zero: they add nothing to any sum.
void sni_joint_place_own(sniJointBaker* b, sniJointBlocks* blocks) {
    size_t joints = b->model->skeleton->joint_count;
    for (uint32_t f = 0; f < blocks->frame_count; f++) {
        float* to = blocks->bones + (size_t)(f / SNI_JOINT_LANES) * b->bone_cap * SNI_JOINT_MATRIX +
                    f % SNI_JOINT_LANES;
        for (uint32_t i = 0; i < b->own_count; i++) {
            snMat4 m = sn_mat4_mul(&blocks->world[f * joints + b->bones[i].joint], &b->bones[i].bind);
            put(&m, to + (size_t)i * SNI_JOINT_MATRIX);
        }
    }
}

void sni_joint_place_helper(sniJointBaker* b, sniJointBlocks* blocks, uint32_t h) {
    size_t joints = b->model->skeleton->joint_count;
    const sniJointHelper* helper = &b->helpers[h];
    snMat4 shift = sn_mat4_identity();
    memcpy(shift.m + 12, &helper->center, sizeof helper->center);
    for (uint32_t f = 0; f < blocks->frame_count; f++) {
        size_t at = ((size_t)(f / SNI_JOINT_LANES) * b->helper_cap + h), lane = f % SNI_JOINT_LANES;
        snMat4 place = sn_mat4_mul(&blocks->world[f * joints + helper->joint], &shift);
        snMat4 inverse = sn_mat4_identity();
        // A joint flattened to nothing: what hangs there rests in this frame.
        if (!sn_mat4_inverse_affine(&place, &inverse)) memset(&inverse, 0, sizeof inverse);
        float* to = blocks->places + at * SNI_JOINT_PLACE + lane;
        put(&place, to);
        for (int i = 0; i < 9; i++) to[(12 + i) * SNI_JOINT_LANES] = inverse.m[i / 3 * 4 + i % 3];
    }
}

static void rest_motion(sniJointBaker* b, sniJointBlocks* blocks, uint32_t h) {
    for (uint32_t k = 0; k < blocks->block_count; k++) {
        size_t at = ((size_t)k * b->helper_cap + h) * SNI_JOINT_MATRIX;
        memset(blocks->motions + at, 0, SNI_JOINT_MATRIX * sizeof(float));
        memset(blocks->deltas + at, 0, SNI_JOINT_MATRIX * sizeof(float));
        for (int i = 0; i < 12; i += 4) {
            for (int lane = 0; lane < SNI_JOINT_LANES; lane++)
                blocks->motions[at + (size_t)(i * SNI_JOINT_LANES + lane)] = i < 9 ? 1.0f : 0.0f;
        }
    }
}

void sni_joint_add_helper(sniJointBaker* b, uint32_t joint, snVec3 center) {
    uint32_t h = b->helper_count++;
    const snMat4* world = &b->blocks.world[joint];
    b->helpers[h] = (sniJointHelper){joint, center, 1.0f / sn_maxf(sni_bake_stretch(world), 1e-6f)};
    snMat4 shift = sn_mat4_identity();
    snVec3 back = sn_neg(center);
    memcpy(shift.m + 12, &back, sizeof back);
    uint32_t first = b->bone_count;
    for (uint32_t i = 0; i < b->own_count; i++) {
        if (b->bones[i].joint != joint) continue;
        b->bones[b->bone_count++] = (sniJointBone){joint, h, i, sn_mat4_mul(&shift, &b->bones[i].bind)};
    }
    for (uint32_t s = 0; s < b->skin_count; s++) {
        uint32_t own = sni_joint_bone_of(b, s, joint);
        b->skins[s].helpers[h] = SN_NONE;
        for (uint32_t i = first; i < b->bone_count; i++) {
            if (b->bones[i].own == own) b->skins[s].helpers[h] = i;
        }
    }
    sni_joint_place_helper(b, &b->blocks, h);
    rest_motion(b, &b->blocks, h);
}

// M = M of the own bone + delta * bind.
typedef struct Placing {
    sniJointBaker* baker;
    sniJointBlocks* blocks;
} Placing;

static void place_bone(const sniJointBaker* b, sniJointBlocks* blocks, uint32_t k, uint32_t i) {
    const sniJointBone* bone = &b->bones[i];
    size_t base = (size_t)k * b->bone_cap;
    const float* own = blocks->bones + (base + bone->own) * SNI_JOINT_MATRIX;
    const float* delta = blocks->deltas + ((size_t)k * b->helper_cap + bone->helper) * SNI_JOINT_MATRIX;
    float* to = blocks->bones + (base + i) * SNI_JOINT_MATRIX;
    for (int c = 0; c < 4; c++) {
        const float* n = bone->bind.m + 4 * c;
        for (int r = 0; r < 3; r++) {
            const float* d = delta + r * SNI_JOINT_LANES;
            size_t at = (size_t)(3 * c + r) * SNI_JOINT_LANES;
            for (int lane = 0; lane < SNI_JOINT_LANES; lane++) {
                float sum = (d[lane] * n[0] + d[3 * SNI_JOINT_LANES + lane] * n[1]) +
                            d[6 * SNI_JOINT_LANES + lane] * n[2];
                if (c == 3) sum += d[9 * SNI_JOINT_LANES + lane];
                to[at + (size_t)lane] = own[at + (size_t)lane] + sum;
            }
        }
    }
}

static void place_task(void* context, uint32_t begin, uint32_t end, uint32_t worker) {
    const Placing* p = context;
    (void)worker;
    for (uint32_t k = begin; k < end; k++) {
        for (uint32_t i = p->baker->own_count; i < p->baker->bone_count; i++)
            place_bone(p->baker, p->blocks, k, i);
    }
}

// The sample holds single lanes of the fitted frames.
static void sample_bones(sniJointBaker* b) {
    for (uint32_t i = 0; i < b->bone_count; i++) {
        for (uint32_t lane = 0; lane < SNI_JOINT_LANES; lane++) {
            uint32_t f = b->samples[lane];
            const float* from = b->blocks.bones +
                                ((size_t)(f / SNI_JOINT_LANES) * b->bone_cap + i) * SNI_JOINT_MATRIX +
                                f % SNI_JOINT_LANES;
            float* to = b->sample_bones + (size_t)i * SNI_JOINT_MATRIX + lane;
            for (size_t k = 0; k < 12; k++) to[k * SNI_JOINT_LANES] = from[k * SNI_JOINT_LANES];
        }
    }
}

void sni_joint_place_bones(sniJointBaker* b, sniJointBlocks* blocks) {
    Placing placing = {b, blocks};
    sni_joint_run_tasks(b, place_task, &placing, blocks->block_count, 1);
    if (blocks == &b->blocks) sample_bones(b);
}
