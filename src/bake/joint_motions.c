// Motions of helpers for weights as they are.
//
// Per frame the squared distance is quadratic in the helpers' matrices, with sums over points that need be
// made once for all frames (moments and pairs) or once for each (what is gathered). Then no point is touched:
// helper by helper the best rotation and translation beside the others, round after round (Gauss, Seidel).
// All of it is in differences from helpers at rest, so small numbers stay small.
#include "bake/joint_bake.h"

// How much of a helper's points is held at rest, as a share of its weights: what hardly moves anything stays
// where it is instead of anywhere.
#define RIDGE 3e-3f
// What holds back the turn of a helper: so much of its weights at a hundredth of the size around it. Points
// on a line, or few of them, turn by any angle else, and the middle between two frames is anywhere.
#define STIFF 0.1f

static snResult make_room(sniJointBaker* b) {
    snResult result = SN_RESULT_OK;
    size_t points = b->point_count, most = points * b->def->influences, helpers = b->helper_cap;
    if (b->shares != NULL) return SN_RESULT_OK;
    b->share_starts = sni_joint_new(b, "weights", points + 1, sizeof(uint32_t), &result);
    b->shares = sni_joint_new(b, "weights", most, sizeof(sniJointShare), &result);
    b->pull_starts = sni_joint_new(b, "weights", points + 1, sizeof(uint32_t), &result);
    b->pulls = sni_joint_new(b, "weights", most, sizeof(sniJointPull), &result);
    b->pair_slots = sni_joint_new(b, "helpers", helpers * helpers, sizeof(uint32_t), &result);
    b->pair_starts = sni_joint_new(b, "helpers", helpers + 1, sizeof(uint32_t), &result);
    b->moments = sni_joint_new(b, "helpers", helpers, 16 * sizeof(float), &result);
    b->ridges = sni_joint_new(b, "helpers", helpers, sizeof(float), &result);
    b->stiffs = sni_joint_new(b, "helpers", helpers, sizeof(float), &result);
    return result;
}

// Weights of a joint and its helpers together, and what each helper pulls at.
static void list_point(sniJointBaker* b, uint32_t i) {
    uint32_t begin = b->share_starts[i], end = begin, pull = b->pull_starts[i];
    for (uint32_t k = 0; k < b->def->influences; k++) {
        sniJointShare share = b->rows[i][k];
        if (!(share.weight > 0.0f)) continue;
        const sniJointBone* bone = &b->bones[share.bone];
        uint32_t at = begin;
        while (at < end && b->shares[at].bone != bone->own) at++;
        if (at == end) b->shares[end++] = (sniJointShare){bone->own, 0.0f};
        b->shares[at].weight += share.weight;
        if (bone->helper == SN_NONE) continue;
        snVec3 place = sn_mat4_point(&bone->bind, b->rests[i]);
        b->pulls[pull++] =
            (sniJointPull){bone->helper, share.weight * b->strengths[i], {place.x, place.y, place.z}};
    }
    b->share_starts[i + 1] = end;
    b->pull_starts[i + 1] = pull;
}

static snResult pair_slot(sniJointBaker* b, uint32_t h, uint32_t other, uint32_t* out) {
    uint32_t* slot = &b->pair_slots[(size_t)h * b->helper_cap + other];
    if (*slot == SN_NONE) {
        size_t bytes = b->pair_cap;
        if (!sni_grow(&b->allocator, (void*)&b->pair_sums, &b->pair_cap, (size_t)b->pair_count + 1,
                      16 * sizeof(double)))
            return sni_fail_memory(b->error);
        SNI_TRY(sni_joint_claim(b, "helpers", b->pair_cap - bytes, 16 * sizeof(double)));
        memset(b->pair_sums + 16 * (size_t)b->pair_count, 0, 16 * sizeof(double));
        *slot = b->pair_count++;
    }
    *out = *slot;
    return SN_RESULT_OK;
}

static snResult couple_point(sniJointBaker* b, uint32_t i) {
    for (uint32_t k = b->pull_starts[i]; k < b->pull_starts[i + 1]; k++) {
        const sniJointPull* here = &b->pulls[k];
        double y[4] = {(double)here->place[0], (double)here->place[1], (double)here->place[2], 1.0};
        for (uint32_t o = b->pull_starts[i]; o < b->pull_starts[i + 1]; o++) {
            const sniJointPull* other = &b->pulls[o];
            double z[4] = {(double)other->place[0], (double)other->place[1], (double)other->place[2], 1.0};
            double weight = (double)here->weight * (double)other->weight / (double)b->strengths[i];
            uint32_t slot = 0;
            SNI_TRY(pair_slot(b, here->helper, other->helper, &slot));
            double* sums = b->pair_sums + 16 * (size_t)slot;
            for (int c = 0; c < 4; c++) {
                for (int r = 0; r < 4; r++) sums[4 * c + r] += weight * z[r] * y[c];
            }
        }
    }
    return SN_RESULT_OK;
}

static snResult list_pairs(sniJointBaker* b) {
    size_t before = b->pairs_cap;
    uint32_t count = 0;
    if (!sni_grow(&b->allocator, (void*)&b->pairs, &b->pairs_cap, b->pair_count, sizeof(sniJointPair)))
        return sni_fail_memory(b->error);
    SNI_TRY(sni_joint_claim(b, "helpers", b->pairs_cap - before, sizeof(sniJointPair)));
    for (uint32_t h = 0; h < b->helper_count; h++) {
        float* moments = b->moments + 16 * (size_t)h;
        memset(moments, 0, 16 * sizeof *moments);
        b->pair_starts[h] = count;
        for (uint32_t o = 0; o < b->helper_count; o++) {
            uint32_t slot = b->pair_slots[(size_t)h * b->helper_cap + o];
            if (slot == SN_NONE) continue;
            float* to = o == h ? moments : b->pairs[count].products;
            for (int e = 0; e < 16; e++) to[e] = (float)b->pair_sums[16 * (size_t)slot + (size_t)e];
            if (o != h) b->pairs[count++].other = o;
        }
    }
    b->pair_starts[b->helper_count] = count;
    return SN_RESULT_OK;
}

static void set_ridges(sniJointBaker* b) {
    memset(b->ridges, 0, b->helper_cap * sizeof *b->ridges);
    for (uint32_t k = 0; k < b->pull_starts[b->point_count]; k++)
        b->ridges[b->pulls[k].helper] += b->pulls[k].weight;
    for (uint32_t h = 0; h < b->helper_count; h++) {
        float mass = b->moments[16 * (size_t)h + 15];
        float length = 0.01f * b->size * b->helpers[h].unit;
        b->stiffs[h] = STIFF * b->ridges[h] * length * length;
        b->ridges[h] = mass > 0.0f ? RIDGE * b->ridges[h] / mass : 0.0f;
    }
}

snResult sni_joint_couple(sniJointBaker* b) {
    SNI_TRY(make_room(b));
    b->pair_count = 0;
    memset(b->pair_slots, 0xff, (size_t)b->helper_cap * b->helper_cap * sizeof(uint32_t));
    for (uint32_t i = 0; i < b->point_count; i++) {
        list_point(b, i);
        SNI_TRY(couple_point(b, i));
    }
    SNI_TRY(list_pairs(b));
    set_ridges(b);
    return SN_RESULT_OK;
}

typedef struct Moving {
    sniJointBaker* baker;
    sniJointBlocks* blocks;
    uint32_t rounds;
} Moving;

static void move_task(void* context, uint32_t begin, uint32_t end, uint32_t worker) {
    const Moving* m = context;
    sniJointBaker* b = m->baker;
    sniJointBlocks* blocks = m->blocks;
    (void)worker;
    for (uint32_t k = begin; k < end; k++) {
        size_t at = (size_t)k * b->helper_cap;
        float* gathered = blocks->gathered + at * SNI_JOINT_MATRIX;
        memset(gathered, 0, b->helper_count * SNI_JOINT_MATRIX * sizeof(float));
        sniJointGather gather = {.point_count = b->point_count,
                                 .rests = b->rests,
                                 .share_starts = b->share_starts,
                                 .shares = b->shares,
                                 .pull_starts = b->pull_starts,
                                 .pulls = b->pulls,
                                 .targets = blocks->targets + (size_t)k * SNI_JOINT_POINT,
                                 .target_stride = (size_t)blocks->block_count * SNI_JOINT_POINT,
                                 .bones = blocks->bones + (size_t)k * b->bone_cap * SNI_JOINT_MATRIX,
                                 .out = gathered};
        b->kernels->gather(&gather);
        sniJointSweep sweep = {.helper_count = b->helper_count,
                               .pair_starts = b->pair_starts,
                               .pairs = b->pairs,
                               .moments = b->moments,
                               .ridges = b->ridges,
                               .stiffs = b->stiffs,
                               .gathered = gathered,
                               .places = blocks->places + at * SNI_JOINT_PLACE,
                               .motions = blocks->motions + at * SNI_JOINT_MATRIX,
                               .deltas = blocks->deltas + at * SNI_JOINT_MATRIX,
                               .rounds = m->rounds};
        b->kernels->sweep(&sweep);
    }
}

void sni_joint_move(sniJointBaker* b, sniJointBlocks* blocks, uint32_t rounds) {
    Moving moving = {b, blocks, rounds};
    sni_joint_run_tasks(b, move_task, &moving, blocks->block_count, 1);
    sni_joint_place_bones(b, blocks);
}
