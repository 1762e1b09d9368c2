// A tree of boxes: four items next to each other on a Morton curve, then four such groups, and so on. A tree
// made with more thought is searched in little less time and made in much more.
#include "base/box_tree.h"

#include "base/memory.h"

enum {
    GRAIN_GROUPS = 64, // groups of items that one task takes
    GRAIN = 2048,      // items that one task takes
    CODE_BITS = 10,    // of the Morton code, per axis
    DIGITS = 1 << CODE_BITS
};

// --------------------------------------------------------------------------------------------- memory

// Takes `count` items off the front of the memory; `at` only counts where there is none.
static void* take(void* memory, size_t* at, size_t count, size_t size) {
    void* taken = memory != NULL ? (char*)memory + *at : NULL;
    size_t bytes = 0;
    bool fits = sni_mul_size(count, size, &bytes) && bytes <= SIZE_MAX - 15 && *at <= SIZE_MAX - 15 - bytes;
    *at = fits ? *at + ((bytes + 15) & ~(size_t)15) : SIZE_MAX;
    return taken;
}

static uint32_t fours(uint32_t count) { return count / SNI_BOXES + (count % SNI_BOXES != 0); }

size_t sni_box_tree_place(sniBoxTree* tree, void* memory, uint32_t count) {
    size_t at = 0;
    *tree = (sniBoxTree){.count = count};
    for (uint32_t groups = fours(count);; groups = fours(groups)) {
        tree->group_counts[tree->level_count] = groups;
        tree->levels[tree->level_count++] = take(memory, &at, groups, sizeof(sniBoxGroup));
        if (groups <= 1) break;
    }
    tree->keys = take(memory, &at, count, sizeof(uint64_t));
    tree->spare = take(memory, &at, count, sizeof(uint64_t));
    return at;
}

// ----------------------------------------------------------------------------------------------- making

typedef struct Maker {
    sniBoxTree* tree;
    snBounds bounds;
    sniBoxFn* box;
    const void* user;
} Maker;

// Two zeros between the bits of a number below 1024.
static uint32_t spread(uint32_t x) {
    x = (x | x << 16) & 0x030000ffu;
    x = (x | x << 8) & 0x0300f00fu;
    x = (x | x << 4) & 0x030c30c3u;
    return (x | x << 2) & 0x09249249u;
}

static uint32_t digit_of(float low, float high, float from, float to) {
    float size = to - from;
    float at = size > 0.0f ? (0.5f * low + 0.5f * high - from) / size * (float)DIGITS : 0.0f;
    return at < (float)DIGITS ? (at > 0.0f ? (uint32_t)at : 0u) : (uint32_t)DIGITS - 1u;
}

static void code_items(void* context, uint32_t begin, uint32_t end, uint32_t worker) {
    (void)worker;
    const Maker* m = context;
    for (uint32_t i = begin; i < end; i++) {
        sniBox box = {0};
        m->box(m->user, i, &box);
        uint32_t code = spread(digit_of(box.min[0], box.max[0], m->bounds.min.x, m->bounds.max.x)) |
                        spread(digit_of(box.min[1], box.max[1], m->bounds.min.y, m->bounds.max.y)) << 1 |
                        spread(digit_of(box.min[2], box.max[2], m->bounds.min.z, m->bounds.max.z)) << 2;
        m->tree->keys[i] = (uint64_t)code << 32 | i;
    }
}

// By code, then number: digits from the lowest on, each pass keeping the order of the one before.
static void sort_keys(sniBoxTree* tree) {
    for (uint32_t shift = 32; shift < 32 + 3 * CODE_BITS; shift += CODE_BITS) {
        uint32_t starts[DIGITS + 1] = {0};
        for (uint32_t i = 0; i < tree->count; i++) starts[(tree->keys[i] >> shift & (DIGITS - 1)) + 1]++;
        for (uint32_t d = 0; d < DIGITS; d++) starts[d + 1] += starts[d];
        for (uint32_t i = 0; i < tree->count; i++)
            tree->spare[starts[tree->keys[i] >> shift & (DIGITS - 1)]++] = tree->keys[i];
        uint64_t* swap = tree->keys;
        tree->keys = tree->spare;
        tree->spare = swap;
    }
}

static const sniBox EMPTY = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}, 0};

static void set_box(sniBoxGroup* group, uint32_t k, const sniBox* box) {
    for (int axis = 0; axis < 3; axis++) {
        group->min[axis][k] = box->min[axis];
        group->max[axis][k] = box->max[axis];
    }
    group->marks[k] = box->mark;
}

static void group_items(void* context, uint32_t begin, uint32_t end, uint32_t worker) {
    (void)worker;
    const Maker* m = context;
    for (uint32_t i = begin * SNI_BOXES; i < end * SNI_BOXES; i++) {
        sniBox box = EMPTY;
        if (i < m->tree->count) m->box(m->user, sni_box_tree_item(m->tree, i), &box);
        set_box(&m->tree->levels[0][i / SNI_BOXES], i % SNI_BOXES, &box);
    }
}

sniBox sni_box_group_whole(const sniBoxGroup* group) {
    sniBox box = EMPTY;
    for (int k = 0; k < SNI_BOXES; k++) {
        for (int axis = 0; axis < 3; axis++) {
            box.min[axis] = sn_minf(box.min[axis], group->min[axis][k]);
            box.max[axis] = sn_maxf(box.max[axis], group->max[axis][k]);
        }
        if (group->marks[k] > box.mark) box.mark = group->marks[k];
    }
    return box;
}

static void group_groups(sniBoxTree* tree, uint32_t level) {
    for (uint32_t i = 0; i < SNI_BOXES * tree->group_counts[level]; i++) {
        bool used = i < tree->group_counts[level - 1];
        sniBox box = used ? sni_box_group_whole(&tree->levels[level - 1][i]) : EMPTY;
        set_box(&tree->levels[level][i / SNI_BOXES], i % SNI_BOXES, &box);
    }
}

void sni_box_tree_build(sniBoxTree* tree, snBounds bounds, sniBoxFn* box, const void* user,
                        const snTasks* tasks) {
    Maker maker = {tree, bounds, box, user};
    sn_tasks_run(tasks, code_items, &maker, tree->count, GRAIN);
    sort_keys(tree);
    sni_box_tree_refit(tree, box, user, tasks);
}

void sni_box_tree_refit(sniBoxTree* tree, sniBoxFn* box, const void* user, const snTasks* tasks) {
    Maker maker = {.tree = tree, .box = box, .user = user};
    sn_tasks_run(tasks, group_items, &maker, tree->group_counts[0], GRAIN_GROUPS);
    for (uint32_t level = 1; level < tree->level_count; level++) group_groups(tree, level);
}

// --------------------------------------------------------------------------------------------- nearest

typedef struct Step {
    float distance2; // to the box; of a ray: its lengths up to there
    uint32_t level;  // of the group that the box stands for; SN_NONE: an item
    uint32_t index;
} Step;

static float outside(float low, float high, float x) { return sn_maxf(0.0f, sn_maxf(low - x, x - high)); }

// Puts the boxes of a group that matter on the stack, the nearest on top. Returns how many wait there.
static uint32_t push_group(const sniBoxTree* tree, Step at, snVec3 p, uint32_t least, float within,
                           Step* stack, uint32_t depth) {
    const sniBoxGroup* group = &tree->levels[at.level][at.index];
    uint32_t first = depth;
    for (uint32_t k = 0; k < SNI_BOXES; k++) {
        float x = outside(group->min[0][k], group->max[0][k], p.x);
        float y = outside(group->min[1][k], group->max[1][k], p.y);
        float z = outside(group->min[2][k], group->max[2][k], p.z);
        Step step = {x * x + y * y + z * z, at.level > 0 ? at.level - 1 : SN_NONE, at.index * SNI_BOXES + k};
        if (!(group->min[0][k] <= group->max[0][k])) continue; // empty
        if (group->marks[k] < least || step.distance2 > within) continue;
        uint32_t slot = depth++;
        for (; slot > first && stack[slot - 1].distance2 < step.distance2; slot--)
            stack[slot] = stack[slot - 1];
        stack[slot] = step;
    }
    return depth;
}

void sni_box_tree_near(const sniBoxTree* tree, snVec3 p, uint32_t least, float within, sniBoxNearFn* look,
                       void* user) {
    Step stack[(SNI_BOXES - 1) * SNI_BOX_LEVELS + 1]; // three brothers wait on every level
    uint32_t depth = 0;
    stack[depth++] = (Step){0.0f, tree->level_count - 1, 0};
    while (depth > 0) {
        Step step = stack[--depth];
        if (step.distance2 > within) continue;
        if (step.level != SN_NONE)
            depth = push_group(tree, step, p, least, within, stack, depth);
        else
            within = look(user, sni_box_tree_item(tree, step.index));
    }
}

// ------------------------------------------------------------------------------------------------- rays

// More than rounding of a difference, a product and a choice can be.
#define ROUNDING 1e-6

typedef struct Ray {
    double origin[3], over[3]; // 1 / direction
    bool along[3];             // the direction has none of this axis
} Ray;

// Lengths of the direction up to the box; below 0 where it is missed.
static double enters(const Ray* ray, const sniBoxGroup* group, uint32_t k, double within) {
    double first = 0.0, last = within;
    for (int a = 0; a < 3; a++) {
        double low = (double)group->min[a][k] - ray->origin[a],
               high = (double)group->max[a][k] - ray->origin[a];
        double room = ROUNDING * (fabs(low) + fabs(high));
        low -= room, high += room;
        if (ray->along[a]) {
            if (low > 0.0 || high < 0.0) return -1.0;
            continue;
        }
        double from = (ray->over[a] < 0.0 ? high : low) * ray->over[a];
        double to = (ray->over[a] < 0.0 ? low : high) * ray->over[a];
        if (from > first) first = from;
        if (to < last) last = to;
    }
    return first <= last ? first : -1.0;
}

static uint32_t push_met(const sniBoxTree* tree, Step at, const Ray* ray, float within, Step* stack,
                         uint32_t depth) {
    const sniBoxGroup* group = &tree->levels[at.level][at.index];
    uint32_t first = depth;
    for (uint32_t k = 0; k < SNI_BOXES; k++) {
        if (!(group->min[0][k] <= group->max[0][k])) continue; // empty
        double from = enters(ray, group, k, (double)within);
        if (from < 0.0) continue;
        Step step = {(float)from, at.level > 0 ? at.level - 1 : SN_NONE, at.index * SNI_BOXES + k};
        uint32_t slot = depth++;
        for (; slot > first && stack[slot - 1].distance2 < step.distance2; slot--)
            stack[slot] = stack[slot - 1];
        stack[slot] = step;
    }
    return depth;
}

void sni_box_tree_ray(const sniBoxTree* tree, snVec3 origin, snVec3 direction, float within,
                      sniBoxNearFn* look, void* user) {
    const float d[3] = {direction.x, direction.y, direction.z};
    Ray ray = {.origin = {(double)origin.x, (double)origin.y, (double)origin.z}};
    for (int a = 0; a < 3; a++) {
        ray.along[a] = d[a] == 0.0f;
        ray.over[a] = ray.along[a] ? 0.0 : 1.0 / (double)d[a];
    }
    Step stack[(SNI_BOXES - 1) * SNI_BOX_LEVELS + 1];
    uint32_t depth = 0;
    stack[depth++] = (Step){0.0f, tree->level_count - 1, 0};
    while (depth > 0) {
        Step step = stack[--depth];
        // The step was rounded to a float; a little further is looked at than needed.
        if ((double)step.distance2 > (double)within * (1.0 + ROUNDING)) continue;
        if (step.level != SN_NONE)
            depth = push_met(tree, step, &ray, within, stack, depth);
        else
            within = look(user, sni_box_tree_item(tree, step.index));
    }
}
