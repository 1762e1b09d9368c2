// Where new helpers go: to the points that miss most, one after another, each with a region of its own.
#include "bake/joint_bake.h"
#include "base/sort.h"

typedef struct Region {
    sniJointBaker* baker;
    uint32_t joint;
    uint32_t count;
    uint32_t* list;      // count; points
    float* shares;       // count
    snVec3* rests;       // count
    uint32_t* starts;    // count + 1: 0, 1, 2 ...
    sniJointShare* owns; // count
    sniJointPull* pulls; // count
    float radius;
} Region;

// The heaviest joint that still carries the point itself: where helpers of one joint have taken its place,
// those of another are blended with them in what is left of the influences. Less than a tenth is not worth
// it.
static uint32_t heaviest_joint(const sniJointBaker* b, uint32_t i) {
    const sniJointShare* left = NULL;
    for (uint32_t k = 0; k < b->def->influences; k++) {
        const sniJointShare* share = &b->rows[i][k];
        bool own = share->weight > 0.1f && b->bones[share->bone].helper == SN_NONE;
        if (own && (left == NULL || share->weight > left->weight)) left = share;
    }
    if (left != NULL) return b->bones[left->bone].joint;
    const sniJointShare* best = &b->owns[b->own_starts[i]];
    for (uint32_t k = b->own_starts[i]; k < b->own_starts[i + 1]; k++) {
        if (b->owns[k].weight > best->weight) best = &b->owns[k];
    }
    return b->bones[best->bone].joint;
}

// What is missing, less where other new helpers are.
static uint32_t choose_point(const sniJointBaker* b, const float* mask) {
    uint32_t best = 0;
    for (uint32_t i = 1; i < b->point_count; i++) {
        if (b->errors[i] * mask[i] > b->errors[best] * mask[best]) best = i;
    }
    return best;
}

// The nearest points that the joint can carry. Distances and indices are sorted as one number each: bits of
// floats that are not negative rise with them.
static void fill_region(Region* r, uint32_t seed, uint32_t size, uint64_t* order) {
    const sniJointBaker* b = r->baker;
    size_t count = 0;
    for (uint32_t i = 0; i < b->point_count; i++) {
        if (sni_joint_bone_of(b, b->points[i].skin, r->joint) == SN_NONE) continue;
        snVec3 d = sn_sub(b->stands[i], b->stands[seed]);
        float square = sn_dot(d, d);
        uint32_t bits = 0;
        memcpy(&bits, &square, sizeof bits);
        order[count++] = (uint64_t)bits << 32 | i;
    }
    sni_sort_u64(order, count);
    r->count = count < size ? (uint32_t)count : size;
    for (uint32_t k = 0; k < r->count; k++) r->list[k] = (uint32_t)order[k];
    snVec3 far = sn_sub(b->stands[r->list[r->count - 1]], b->stands[seed]);
    r->radius = sn_maxf(sn_length(far), 1e-6f * b->size);
}

static float falloff(const Region* r, uint32_t seed, uint32_t i, float rate) {
    snVec3 d = sn_sub(r->baker->stands[i], r->baker->stands[seed]);
    return sn_exp(-rate * sn_dot(d, d) / (r->radius * r->radius));
}

// The middle of the region in the joint's space.
static snVec3 find_center(Region* r, uint32_t seed) {
    const sniJointBaker* b = r->baker;
    snVec3 sum = sn_vec3(0.0f, 0.0f, 0.0f);
    float total = 0.0f;
    for (uint32_t k = 0; k < r->count; k++) {
        uint32_t i = r->list[k], own = sni_joint_bone_of(b, b->points[i].skin, r->joint);
        r->shares[k] = falloff(r, seed, i, 2.0f);
        sum = sn_add(sum, sn_scale(sn_mat4_point(&b->bones[own].bind, b->rests[i]), r->shares[k]));
        total += r->shares[k];
    }
    return sn_scale(sum, 1.0f / total);
}

// The region as points that this helper alone moves.
static void set_pulls(Region* r, uint32_t h, float moments[16]) {
    const sniJointBaker* b = r->baker;
    double sums[16] = {0.0};
    for (uint32_t k = 0; k < r->count; k++) {
        uint32_t i = r->list[k], skin = b->points[i].skin;
        const sniJointBone* bone = &b->bones[b->skins[skin].helpers[h]];
        snVec3 place = sn_mat4_point(&bone->bind, b->rests[i]);
        double y[4] = {(double)place.x, (double)place.y, (double)place.z, 1.0};
        r->rests[k] = b->rests[i];
        r->starts[k + 1] = k + 1;
        r->owns[k] = (sniJointShare){bone->own, 1.0f};
        r->pulls[k] = (sniJointPull){0, r->shares[k], {place.x, place.y, place.z}};
        for (int e = 0; e < 16; e++) sums[e] += (double)r->shares[k] * y[e % 4] * y[e / 4];
    }
    for (int e = 0; e < 16; e++) moments[e] = (float)sums[e];
}

typedef struct Start {
    const Region* region;
    const float* moments;
    uint32_t helper;
} Start;

static void start_task(void* context, uint32_t begin, uint32_t end, uint32_t worker) {
    const Start* s = context;
    const Region* r = s->region;
    sniJointBaker* b = r->baker;
    static const uint32_t none[2] = {0, 0};
    const float ridge = 3e-3f;
    const float stiff = 0.0f;
    (void)worker;
    for (uint32_t k = begin; k < end; k++) {
        size_t at = (size_t)k * b->helper_cap + s->helper;
        float* gathered = b->blocks.gathered + at * SNI_JOINT_MATRIX;
        memset(gathered, 0, SNI_JOINT_MATRIX * sizeof(float));
        sniJointGather gather = {.point_count = r->count,
                                 .list = r->list,
                                 .rests = r->rests,
                                 .share_starts = r->starts,
                                 .shares = r->owns,
                                 .pull_starts = r->starts,
                                 .pulls = r->pulls,
                                 .targets = b->blocks.targets + (size_t)k * SNI_JOINT_POINT,
                                 .target_stride = (size_t)b->blocks.block_count * SNI_JOINT_POINT,
                                 .bones = b->blocks.bones + (size_t)k * b->bone_cap * SNI_JOINT_MATRIX,
                                 .out = gathered};
        b->kernels->gather(&gather);
        sniJointSweep sweep = {.helper_count = 1,
                               .pair_starts = none,
                               .moments = s->moments,
                               .ridges = &ridge,
                               .stiffs = &stiff,
                               .gathered = gathered,
                               .places = b->blocks.places + at * SNI_JOINT_PLACE,
                               .motions = b->blocks.motions + at * SNI_JOINT_MATRIX,
                               .deltas = b->blocks.deltas + at * SNI_JOINT_MATRIX,
                               .rounds = 1};
        b->kernels->sweep(&sweep);
    }
}

static void add_seed(Region* r, float* mask, uint64_t* order, uint32_t size) {
    sniJointBaker* b = r->baker;
    uint32_t seed = choose_point(b, mask);
    float moments[16];
    r->joint = heaviest_joint(b, seed);
    fill_region(r, seed, size, order);
    uint32_t h = b->helper_count;
    sni_joint_add_helper(b, r->joint, find_center(r, seed));
    set_pulls(r, h, moments);
    Start start = {r, moments, h};
    sni_joint_run_tasks(b, start_task, &start, b->blocks.block_count, 1);
    for (uint32_t i = 0; i < b->point_count; i++) mask[i] *= 1.0f - falloff(r, seed, i, 0.7f);
    mask[seed] = 0.0f;
}

snResult sni_joint_seed(sniJointBaker* b, uint32_t count) {
    const snAllocator* memory = &b->allocator;
    // Enough to tell a turn by, of a small mesh an eighth.
    uint32_t size = b->point_count / (3 * count), least = b->point_count / 8;
    if (least > 24) least = 24;
    if (least < 4) least = 4;
    if (size < least) size = least;
    if (size > b->point_count) size = b->point_count;
    float* mask = SNI_NEW_ARRAY(memory, float, b->point_count);
    uint64_t* order = SNI_NEW_ARRAY(memory, uint64_t, b->point_count);
    Region r = {.baker = b,
                .list = SNI_NEW_ARRAY(memory, uint32_t, size),
                .shares = SNI_NEW_ARRAY(memory, float, size),
                .rests = SNI_NEW_ARRAY(memory, snVec3, size),
                .starts = SNI_NEW_ARRAY(memory, uint32_t, (size_t)size + 1),
                .owns = SNI_NEW_ARRAY(memory, sniJointShare, size),
                .pulls = SNI_NEW_ARRAY(memory, sniJointPull, size)};
    bool done = mask != NULL && order != NULL && r.list != NULL && r.shares != NULL && r.rests != NULL &&
                r.starts != NULL && r.owns != NULL && r.pulls != NULL;
    for (uint32_t i = 0; i < b->point_count && done; i++) mask[i] = 1.0f;
    while (done && b->helper_count < count) add_seed(&r, mask, order, size);
    void* arrays[] = {mask, order, r.list, r.shares, r.rests, r.starts, r.owns, r.pulls};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) sni_free(memory, arrays[i]);
    if (done) sni_joint_place_bones(b, &b->blocks);
    return done ? SN_RESULT_OK : sni_fail_memory(b->error);
}
