// The skin plan: points sorted by their set of joints and packed into blocks of 16 lanes.
//
// Points with the same set of joints fill whole blocks, in their original order, so that neighbours stay
// neighbours. What is left of each set goes into shared blocks whose joint lists are merged, as long as the
// merged list stays short: a few more multiplications by zero cost less than empty lanes.
#include "base/error.h"
#include "base/memory.h"
#include "base/sort.h"
#include "skin/kernels.h"

#define GRAIN 128        // blocks per task
#define MERGED_JOINTS 24 // longest merged list: even so, full lanes cost less than half-empty ones
#define OPEN_BLOCKS 16   // shared blocks considered for each remainder
#define MAX_JOINTS 64    // per point, after merging duplicates
#define SET_BITS 20      // of a set's place in an order
#define SET_MASK ((1u << SET_BITS) - 1)

typedef struct JointSet {
    uint32_t begin; // into Builder.set_joints
    uint32_t count;
    uint32_t group;      // of its points
    uint32_t next;       // in its hash chain
    uint32_t points;     // how many points have it
    uint32_t first_slot; // where its points start in Builder.sorted
} JointSet;

typedef struct Builder {
    const snSkinPlanDef* def;
    const snAllocator* memory;
    snSkinPlan* plan;
    uint32_t* set_of_point;
    uint32_t* sorted; // points grouped by set
    JointSet* sets;
    size_t set_capacity;
    uint32_t set_count;
    uint16_t* set_joints;
    size_t set_joint_capacity;
    uint32_t set_joint_count;
    uint32_t* heads; // hash table
    uint32_t head_mask;
    size_t block_capacity, joint_capacity, weight_capacity, index_capacity, heaviest_capacity;
    uint32_t joint_count; // used entries of plan->joints
    uint64_t* order;      // set_count: sets that share joints one after the other, set in the low bits
} Builder;

// A block being filled: its joints and its points.
typedef struct OpenBlock {
    uint32_t group;
    uint32_t joint_count;
    uint16_t joints[MAX_JOINTS];
    uint32_t point_count;
    uint32_t points[SNI_BLOCK];
} OpenBlock;

// The point's joints in rising order, each once, weightless ones left out (but never all of them). Returns
// how many, or 0 when there are more than MAX_JOINTS.
static uint32_t joints_of_point(const snSkinPlanDef* def, uint32_t point, uint16_t out[MAX_JOINTS]) {
    const uint16_t* joints = def->joints + (size_t)point * def->influences;
    const float* weights = def->weights + (size_t)point * def->influences;
    uint32_t count = 0;
    for (uint32_t i = 0; i < def->influences; i++) {
        if (weights[i] == 0.0f) continue;
        uint32_t k = count;
        while (k > 0 && out[k - 1] > joints[i]) k--;
        if (k > 0 && out[k - 1] == joints[i]) continue;
        if (count == MAX_JOINTS) return 0;
        for (uint32_t m = count++; m > k; m--) out[m] = out[m - 1];
        out[k] = joints[i];
    }
    if (count == 0) out[count++] = joints[0];
    return count;
}

// Adds a point's weights to its lane of a block's, whose joints are a rising list that has all of the
// point's.
static void write_weights(const snSkinPlanDef* def, uint32_t point, const uint16_t* block_joints,
                          float* lane) {
    const uint16_t* joints = def->joints + (size_t)point * def->influences;
    const float* weights = def->weights + (size_t)point * def->influences;
    for (uint32_t i = 0; i < def->influences; i++) {
        uint32_t j = 0;
        if (weights[i] == 0.0f) continue;
        while (block_joints[j] != joints[i]) j++;
        lane[(size_t)j * SNI_BLOCK] += weights[i];
    }
}

// ------------------------------------------------------------------------------------------ sets of joints

static bool is_set(const Builder* b, uint32_t set, uint32_t group, const uint16_t* joints, uint32_t count) {
    return b->sets[set].group == group && b->sets[set].count == count &&
           memcmp(b->set_joints + b->sets[set].begin, joints, count * sizeof *joints) == 0;
}

// Index of the set, added when it is new; SN_NONE when out of memory. `last`: that of the point before, which
// it mostly is, or SN_NONE.
static uint32_t find_set(Builder* b, uint32_t last, uint32_t group, const uint16_t* joints, uint32_t count) {
    if (last != SN_NONE && is_set(b, last, group, joints, count)) return last;
    uint32_t head =
        (uint32_t)(sn_hash_bytes(SN_HASH_SEED + group, joints, count * sizeof *joints) >> 20) & b->head_mask;
    for (uint32_t s = b->heads[head]; s != SN_NONE; s = b->sets[s].next) {
        if (is_set(b, s, group, joints, count)) return s;
    }
    if (!sni_grow(b->memory, &b->sets, &b->set_capacity, (size_t)b->set_count + 1, sizeof *b->sets) ||
        !sni_grow(b->memory, &b->set_joints, &b->set_joint_capacity, (size_t)b->set_joint_count + count,
                  sizeof *b->set_joints)) {
        return SN_NONE;
    }
    b->sets[b->set_count] =
        (JointSet){.begin = b->set_joint_count, .count = count, .group = group, .next = b->heads[head]};
    memcpy(b->set_joints + b->set_joint_count, joints, count * sizeof *joints);
    b->set_joint_count += count;
    b->heads[head] = b->set_count;
    return b->set_count++;
}

static snResult collect_sets(Builder* b, snError* error) {
    uint16_t joints[MAX_JOINTS];
    uint32_t set = SN_NONE;
    for (uint32_t p = 0; p < b->def->point_count; p++) {
        uint32_t count = joints_of_point(b->def, p, joints);
        if (count == 0) {
            return sni_fail_vertex(error, SN_RESULT_UNSUPPORTED, p, "point %u has more than %d influences", p,
                                   MAX_JOINTS);
        }
        set = find_set(b, set, b->def->groups != NULL ? b->def->groups[p] : 0, joints, count);
        if (set == SN_NONE) return sni_fail_memory(error);
        b->set_of_point[p] = set;
        b->sets[set].points++;
    }
    uint32_t slot = 0;
    for (uint32_t s = 0; s < b->set_count; s++) {
        b->sets[s].first_slot = slot;
        slot += b->sets[s].points;
    }
    for (uint32_t p = 0; p < b->def->point_count; p++)
        b->sorted[b->sets[b->set_of_point[p]].first_slot++] = p;
    for (uint32_t s = 0; s < b->set_count; s++) b->sets[s].first_slot -= b->sets[s].points;
    return SN_RESULT_OK;
}

// ------------------------------------------------------------------------------------------------ blocks

static bool reserve_block(Builder* b, uint32_t joint_count) {
    snSkinPlan* plan = b->plan;
    size_t blocks = (size_t)plan->block_count + 1;
    size_t joints = (size_t)b->joint_count + joint_count;
    return sni_grow(b->memory, &plan->blocks, &b->block_capacity, blocks, sizeof *plan->blocks) &&
           sni_grow(b->memory, &plan->index, &b->index_capacity, blocks * SNI_BLOCK, sizeof *plan->index) &&
           sni_grow(b->memory, &plan->heaviest, &b->heaviest_capacity, blocks * SNI_BLOCK,
                    sizeof *plan->heaviest) &&
           sni_grow(b->memory, &plan->joints, &b->joint_capacity, joints, sizeof *plan->joints) &&
           sni_grow(b->memory, &plan->weights, &b->weight_capacity, joints * SNI_BLOCK,
                    sizeof *plan->weights);
}

// The heaviest joint of each lane of a block, from its weights.
static void write_heaviest(const OpenBlock* open, const float* weights, uint16_t* out) {
    for (uint32_t lane = 0; lane < SNI_BLOCK; lane++) {
        uint32_t best = 0;
        for (uint32_t j = 1; j < open->joint_count; j++) {
            best = weights[j * SNI_BLOCK + lane] > weights[best * SNI_BLOCK + lane] ? j : best;
        }
        out[lane] = open->joints[best];
    }
}

static bool write_block(Builder* b, const OpenBlock* open) {
    snSkinPlan* plan = b->plan;
    if (!reserve_block(b, open->joint_count)) return false;
    uint32_t* index = plan->index + (size_t)plan->block_count * SNI_BLOCK;
    bool contiguous = open->point_count == SNI_BLOCK;
    for (uint32_t lane = 0; lane < SNI_BLOCK; lane++) {
        index[lane] = open->points[lane < open->point_count ? lane : open->point_count - 1];
        contiguous = contiguous && index[lane] == index[0] + lane;
    }
    float* weights = plan->weights + (size_t)b->joint_count * SNI_BLOCK;
    memcpy(plan->joints + b->joint_count, open->joints, open->joint_count * sizeof *plan->joints);
    memset(weights, 0, (size_t)open->joint_count * SNI_BLOCK * sizeof *weights);
    for (uint32_t lane = 0; lane < SNI_BLOCK; lane++) {
        write_weights(b->def, index[lane], open->joints, weights + lane);
    }
    bool rigid = open->joint_count == 1;
    for (uint32_t lane = 0; lane < SNI_BLOCK && rigid; lane++) rigid = weights[lane] == 1.0f;
    write_heaviest(open, weights, plan->heaviest + (size_t)plan->block_count * SNI_BLOCK);
    plan->blocks[plan->block_count++] =
        (sniSkinBlock){b->joint_count, open->group, (uint16_t)open->joint_count, rigid, contiguous};
    b->joint_count += open->joint_count;
    return true;
}

// Merges two rising lists; returns the length, or MAX_JOINTS + 1 when it grows beyond `limit`.
static uint32_t merge_joints(const OpenBlock* open, const uint16_t* joints, uint32_t count, uint32_t limit,
                             uint16_t out[MAX_JOINTS]) {
    uint32_t i = 0, j = 0, n = 0;
    while (i < open->joint_count || j < count) {
        if (n == limit) return MAX_JOINTS + 1;
        uint16_t a = i < open->joint_count ? open->joints[i] : UINT16_MAX;
        uint16_t c = j < count ? joints[j] : UINT16_MAX;
        bool take_a = j >= count || (i < open->joint_count && a <= c);
        bool take_c = i >= open->joint_count || (j < count && c <= a);
        out[n++] = take_a ? a : c;
        i += take_a;
        j += take_c;
    }
    return n;
}

// The open block that grows least by taking this set's remainder; OPEN_BLOCKS when none can.
static uint32_t best_open_block(const OpenBlock* open, uint32_t group, const uint16_t* joints, uint32_t count,
                                uint32_t points) {
    uint32_t best = OPEN_BLOCKS;
    uint32_t best_growth = UINT32_MAX;
    for (uint32_t i = 0; i < OPEN_BLOCKS; i++) {
        if (open[i].point_count == 0 || open[i].point_count + points > SNI_BLOCK || open[i].group != group)
            continue;
        uint16_t merged[MAX_JOINTS];
        uint32_t length = merge_joints(&open[i], joints, count, MERGED_JOINTS, merged);
        if (length > MAX_JOINTS) continue;
        uint32_t growth = (length - open[i].joint_count) + (length - count);
        if (growth < best_growth) {
            best_growth = growth;
            best = i;
        }
    }
    return best;
}

// An empty slot, after writing out the fullest block when there is none.
static uint32_t make_room(Builder* b, OpenBlock* open, bool* ok) {
    uint32_t fullest = 0;
    for (uint32_t i = 0; i < OPEN_BLOCKS; i++) {
        if (open[i].point_count == 0) return i;
        if (open[i].point_count > open[fullest].point_count) fullest = i;
    }
    *ok = write_block(b, &open[fullest]);
    open[fullest] = (OpenBlock){0};
    return fullest;
}

static bool place_remainder(Builder* b, OpenBlock* open, const JointSet* set, const uint32_t* points,
                            uint32_t count) {
    const uint16_t* joints = b->set_joints + set->begin;
    bool ok = true;
    uint32_t slot = best_open_block(open, set->group, joints, set->count, count);
    if (slot == OPEN_BLOCKS) slot = make_room(b, open, &ok);
    OpenBlock* block = &open[slot];
    block->group = set->group;
    uint16_t merged[MAX_JOINTS];
    block->joint_count = merge_joints(block, joints, set->count, MAX_JOINTS, merged);
    memcpy(block->joints, merged, block->joint_count * sizeof *merged);
    for (uint32_t i = 0; i < count; i++) block->points[block->point_count++] = points[i];
    return ok;
}

// What is left of a set is best merged with a set of nearly the same joints, so these should come together.
static bool order_sets(Builder* b) {
    b->order = SNI_NEW_ARRAY(b->memory, uint64_t, b->set_count);
    if (b->order == NULL) return false;
    for (uint32_t s = 0; s < b->set_count; s++) {
        const JointSet* set = &b->sets[s];
        const uint16_t* joints = b->set_joints + set->begin;
        uint64_t second = joints[set->count > 1 ? 1 : 0];
        // 12 bits of the group, 16 of each joint: what does not fit only makes the order worse.
        b->order[s] = (uint64_t)(set->group & 0xfffu) << 52 | (uint64_t)joints[0] << 36 | second << SET_BITS;
        b->order[s] |= s & SET_MASK;
    }
    // More sets than the bits can tell apart stay in the order of their points.
    if (b->set_count <= SET_MASK) sni_sort_u64(b->order, b->set_count);
    return true;
}

static bool build_blocks(Builder* b) {
    OpenBlock open[OPEN_BLOCKS] = {0};
    bool ok = order_sets(b);
    for (uint32_t i = 0; i < b->set_count && ok; i++) {
        const JointSet* set = &b->sets[b->set_count <= SET_MASK ? b->order[i] & SET_MASK : i];
        const uint32_t* points = b->sorted + set->first_slot;
        uint32_t left = set->points;
        for (; left >= SNI_BLOCK && ok; left -= SNI_BLOCK, points += SNI_BLOCK) {
            OpenBlock full = {.group = set->group, .joint_count = set->count, .point_count = SNI_BLOCK};
            memcpy(full.joints, b->set_joints + set->begin, set->count * sizeof *full.joints);
            memcpy(full.points, points, sizeof full.points);
            ok = write_block(b, &full);
        }
        if (ok && left > 0) ok = place_remainder(b, open, set, points, left);
    }
    for (uint32_t i = 0; i < OPEN_BLOCKS && ok; i++) {
        if (open[i].point_count > 0) ok = write_block(b, &open[i]);
    }
    return ok;
}

// Blocks as they are given.
static snResult copy_blocks(Builder* b, const uint32_t* index, uint32_t block_count, snError* error) {
    for (uint32_t i = 0; i < block_count; i++, index += SNI_BLOCK) {
        OpenBlock open = {.point_count = SNI_BLOCK};
        memcpy(open.points, index, sizeof open.points);
        for (uint32_t lane = 0; lane < SNI_BLOCK; lane++) {
            uint16_t joints[MAX_JOINTS], merged[MAX_JOINTS];
            uint32_t count = joints_of_point(b->def, index[lane], joints);
            uint32_t length = merge_joints(&open, joints, count, MAX_JOINTS, merged);
            if (count == 0 || length > MAX_JOINTS)
                return sni_fail(error, SN_RESULT_UNSUPPORTED, "a block has more than %d joints", MAX_JOINTS);
            open.joint_count = length;
            memcpy(open.joints, merged, length * sizeof *merged);
        }
        if (!write_block(b, &open)) return sni_fail_memory(error);
    }
    return SN_RESULT_OK;
}

// Rest data in lanes.
static float* lanes_of(const snAllocator* memory, const snSkinPlan* plan, const snVec3* values) {
    float* lanes = SNI_NEW_ARRAY(memory, float, (size_t)plan->block_count * 3 * SNI_BLOCK);
    if (lanes == NULL) return NULL;
    for (uint32_t i = 0; i < plan->block_count; i++) {
        for (uint32_t lane = 0; lane < SNI_BLOCK; lane++) {
            snVec3 v = values[plan->index[(size_t)i * SNI_BLOCK + lane]];
            float* block = lanes + (size_t)i * 3 * SNI_BLOCK + lane;
            block[0] = v.x;
            block[SNI_BLOCK] = v.y;
            block[2 * SNI_BLOCK] = v.z;
        }
    }
    return lanes;
}

// ------------------------------------------------------------------------------------------------- create

static snResult check_def(const snSkinPlanDef* def, snError* error) {
    if (def == NULL || def->influences == 0 || def->matrix_count == 0 ||
        (def->point_count > 0 && (def->points == NULL || def->joints == NULL || def->weights == NULL))) {
        return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "points, joints, weights and matrices are needed");
    }
    size_t count = (size_t)def->point_count * def->influences;
    for (size_t i = 0; i < count; i++) {
        if (def->joints[i] < def->matrix_count) continue;
        uint32_t point = (uint32_t)(i / def->influences);
        return sni_fail_vertex(error, SN_RESULT_BAD_DATA, point,
                               "point %u follows joint %u, expected below %u", point, def->joints[i],
                               def->matrix_count);
    }
    return SN_RESULT_OK;
}

static snResult fill_lanes(Builder* b, snError* error) {
    snSkinPlan* plan = b->plan;
    plan->points = lanes_of(b->memory, plan, b->def->points);
    if (b->def->normals != NULL) plan->normals = lanes_of(b->memory, plan, b->def->normals);
    bool missing = plan->points == NULL || (b->def->normals != NULL && plan->normals == NULL);
    return missing ? sni_fail_memory(error) : SN_RESULT_OK;
}

static snResult sort_blocks(Builder* b, snError* error) {
    uint32_t heads = 64;
    while (heads < b->def->point_count / 4 && heads < (UINT32_C(1) << 20)) heads *= 2;
    b->head_mask = heads - 1;
    b->heads = SNI_NEW_ARRAY(b->memory, uint32_t, heads);
    b->set_of_point = SNI_NEW_ARRAY(b->memory, uint32_t, b->def->point_count);
    b->sorted = SNI_NEW_ARRAY(b->memory, uint32_t, b->def->point_count);
    if (b->heads == NULL || b->set_of_point == NULL || b->sorted == NULL) return sni_fail_memory(error);
    for (uint32_t i = 0; i < heads; i++) b->heads[i] = SN_NONE;
    SNI_TRY(collect_sets(b, error));
    return build_blocks(b) ? SN_RESULT_OK : sni_fail_memory(error);
}

// Without `index` points are sorted.
static snResult create(const snSkinPlanDef* def, const uint32_t* index, uint32_t block_count,
                       const snAllocator* allocator, snSkinPlan** out, snError* error) {
    if (out == NULL) return sni_fail(error, SN_RESULT_INVALID_ARGUMENT, "an output is needed");
    snResult result = check_def(def, error);
    if (result != SN_RESULT_OK) return result;
    snAllocator memory = sni_allocator(allocator);
    snSkinPlan* plan = SNI_NEW(&memory, snSkinPlan);
    if (plan == NULL) return sni_fail_memory(error);
    plan->allocator = memory;
    plan->point_count = def->point_count;
    plan->matrix_count = def->matrix_count;
    Builder b = {.def = def, .memory = &memory, .plan = plan};
    plan->given = index != NULL;
    result = index != NULL ? copy_blocks(&b, index, block_count, error) : sort_blocks(&b, error);
    if (result == SN_RESULT_OK) result = fill_lanes(&b, error);
    void* scratch[] = {b.heads, b.set_of_point, b.sorted, b.sets, b.set_joints, b.order};
    for (size_t i = 0; i < sizeof scratch / sizeof scratch[0]; i++) sni_free(&memory, scratch[i]);
    if (result != SN_RESULT_OK) {
        sn_skin_plan_destroy(plan);
        return result;
    }
    *out = plan;
    return SN_RESULT_OK;
}

snResult sn_skin_plan_create(const snSkinPlanDef* def, const snAllocator* allocator, snSkinPlan** out,
                             snError* error) {
    return create(def, NULL, 0, allocator, out, error);
}

snResult sni_skin_plan_create_in(const snSkinPlanDef* def, const uint32_t* index, uint32_t block_count,
                                 const snAllocator* allocator, snSkinPlan** out, snError* error) {
    return create(def, index, block_count, allocator, out, error);
}

void sn_skin_plan_destroy(snSkinPlan* plan) {
    if (plan == NULL) return;
    snAllocator memory = plan->allocator;
    void* arrays[] = {plan->blocks,   plan->joints, plan->weights, plan->index,
                      plan->heaviest, plan->points, plan->normals, plan};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) sni_free(&memory, arrays[i]);
}

// ---------------------------------------------------------------------------------------------------- run

typedef struct Run {
    const sniSkinKernels* kernels;
    const snSkinPlanJob* job;
    sniPlanDualRun dual;
} Run;

static void plan_task(void* context, uint32_t begin, uint32_t end, uint32_t worker) {
    (void)worker;
    const Run* run = context;
    run->kernels->plan(run->job, begin, end);
}

static void plan_dual_task(void* context, uint32_t begin, uint32_t end, uint32_t worker) {
    (void)worker;
    const Run* run = context;
    run->kernels->plan_dual(&run->dual, begin, end);
}

sniPlanDualRun sni_plan_dual_run(const snSkinPlanJob* job) {
    sniDualJoint* joints = job->scratch;
    return (sniPlanDualRun){job, joints,
                            sni_skin_dual_joints(job->matrices, job->plan->matrix_count, job->turns, joints)};
}

static bool is_whole(const snSkinPlanJob* job) {
    return job->matrices != NULL && job->out_points != NULL &&
           (job->plan->normals != NULL) == (job->out_normals != NULL);
}

snResult sn_skin_plan_run(const snSkinPlanJob* job) {
    if (job == NULL || job->plan == NULL) return SN_RESULT_INVALID_ARGUMENT;
    if (job->plan->block_count == 0) return SN_RESULT_OK;
    if (!is_whole(job)) return SN_RESULT_INVALID_ARGUMENT;
    Run run = {.kernels = sni_skin_kernels(job->level), .job = job};
    if (run.kernels == NULL) return SN_RESULT_UNSUPPORTED;
    sn_tasks_run(job->tasks, plan_task, &run, job->plan->block_count, GRAIN);
    return SN_RESULT_OK;
}

snResult sn_skin_plan_dual_run(const snSkinPlanJob* job) {
    if (job == NULL || job->plan == NULL) return SN_RESULT_INVALID_ARGUMENT;
    if (job->plan->block_count == 0) return SN_RESULT_OK;
    if (!is_whole(job) || job->scratch == NULL) return SN_RESULT_INVALID_ARGUMENT;
    Run run = {.kernels = sni_skin_kernels(job->level), .job = job};
    if (run.kernels == NULL) return SN_RESULT_UNSUPPORTED;
    run.dual = sni_plan_dual_run(job);
    sn_tasks_run(job->tasks, plan_dual_task, &run, job->plan->block_count, GRAIN);
    return SN_RESULT_OK;
}
