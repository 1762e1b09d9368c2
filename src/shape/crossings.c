// Pairs of triangles that cross, found through a tree of boxes that is made anew for each call.
//
// The tree has groups of four: four triangles next to each other on a Morton curve, then four such groups,
// and so on; each knows the boxes of its four, side by side, so that they are tested at once. A tree made
// with more thought is searched in little less time and made in much more. Every triangle looks for those
// behind it on the curve: first only counting, which gives each its place in the output, then those that
// found any look again and write, and what is written is sorted. So nothing is shared between tasks, and the
// result is the same for any number of them.
#include "shape/crossings.h"
#include "base/memory.h"
#include "sinew/shape.h"

enum {
    FOUR = 4,
    LEVELS = 16,       // 4^16 triangles are more than there can be
    GRAIN_GROUPS = 64, // groups of triangles that one task takes
    GRAIN = 2048,      // triangles that one task takes
    CODE_BITS = 10,    // of the Morton code, per axis
    DIGITS = 1 << CODE_BITS,
};

typedef struct Box {
    float min[3], max[3];
} Box;

// Four triangles or groups; boxes that are not used are empty.
typedef struct Group {
    float min[3][FOUR], max[3][FOUR];
    uint32_t active[FOUR]; // is any triangle of it?
} Group;

typedef struct Tree {
    snCrossingsJob* job;
    snBounds bounds;
    uint32_t level_count;
    uint32_t group_counts[LEVELS]; // of each level; level 0 holds triangles, the last level is one group
    Group* levels[LEVELS];
    uint64_t* keys;   // code and number of each triangle, sorted
    uint64_t* spare;  // room to sort in
    uint32_t* counts; // crossings that each group of triangles finds
    uint32_t* starts; // where they go in the output
} Tree;

// --------------------------------------------------------------------------------------------- memory

// Takes `count` items off the front of the memory; `at` only counts where there is none.
static void* take(void* memory, size_t* at, size_t count, size_t size) {
    void* taken = memory != NULL ? (char*)memory + *at : NULL;
    size_t bytes = 0;
    bool fits = sni_mul_size(count, size, &bytes) && bytes <= SIZE_MAX - 15 && *at <= SIZE_MAX - 15 - bytes;
    *at = fits ? *at + ((bytes + 15) & ~(size_t)15) : SIZE_MAX;
    return taken;
}

static uint32_t fours(uint32_t count) { return count / FOUR + (count % FOUR != 0); }

static size_t place(Tree* tree, void* scratch, uint32_t count) {
    size_t at = 0;
    for (uint32_t groups = fours(count);; groups = fours(groups)) {
        tree->group_counts[tree->level_count] = groups;
        tree->levels[tree->level_count++] = take(scratch, &at, groups, sizeof(Group));
        if (groups <= 1) break;
    }
    tree->keys = take(scratch, &at, count, sizeof(uint64_t));
    tree->spare = take(scratch, &at, count, sizeof(uint64_t));
    tree->counts = take(scratch, &at, fours(count), sizeof(uint32_t));
    tree->starts = take(scratch, &at, fours(count), sizeof(uint32_t));
    return at;
}

size_t sn_crossings_scratch_size(uint32_t triangle_count) {
    Tree tree = {0};
    return place(&tree, NULL, triangle_count);
}

// ----------------------------------------------------------------------------------------------- tree

static Box triangle_box(const snCrossingsJob* job, uint32_t triangle) {
    const uint32_t* corners = job->triangles[triangle];
    snBounds b = {job->points[corners[0]], job->points[corners[0]]};
    b = sn_bounds_add(sn_bounds_add(b, job->points[corners[1]]), job->points[corners[2]]);
    return (Box){{b.min.x, b.min.y, b.min.z}, {b.max.x, b.max.y, b.max.z}};
}

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

static void code_triangles(void* context, uint32_t begin, uint32_t end, uint32_t worker) {
    (void)worker;
    Tree* tree = context;
    snBounds all = tree->bounds;
    for (uint32_t t = begin; t < end; t++) {
        Box box = triangle_box(tree->job, t);
        uint32_t code = spread(digit_of(box.min[0], box.max[0], all.min.x, all.max.x)) |
                        spread(digit_of(box.min[1], box.max[1], all.min.y, all.max.y)) << 1 |
                        spread(digit_of(box.min[2], box.max[2], all.min.z, all.max.z)) << 2;
        tree->keys[t] = (uint64_t)code << 32 | t;
    }
}

// By code, then number: digits from the lowest on, each pass keeping the order of the one before.
static void sort_keys(Tree* tree) {
    uint32_t count = tree->job->triangle_count;
    for (uint32_t shift = 32; shift < 32 + 3 * CODE_BITS; shift += CODE_BITS) {
        uint32_t starts[DIGITS + 1] = {0};
        for (uint32_t i = 0; i < count; i++) starts[(tree->keys[i] >> shift & (DIGITS - 1)) + 1]++;
        for (uint32_t d = 0; d < DIGITS; d++) starts[d + 1] += starts[d];
        for (uint32_t i = 0; i < count; i++)
            tree->spare[starts[tree->keys[i] >> shift & (DIGITS - 1)]++] = tree->keys[i];
        uint64_t* swap = tree->keys;
        tree->keys = tree->spare;
        tree->spare = swap;
    }
}

static uint32_t triangle_at(const Tree* tree, uint32_t place) { return (uint32_t)tree->keys[place]; }

static bool is_active(const snCrossingsJob* job, uint32_t triangle) {
    return job->active == NULL || job->active[triangle] != 0;
}

static void set_item(Group* group, uint32_t k, const Box* box, uint32_t active) {
    for (int axis = 0; axis < 3; axis++) {
        group->min[axis][k] = box->min[axis];
        group->max[axis][k] = box->max[axis];
    }
    group->active[k] = active;
}

static const Box EMPTY = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};

static void group_triangles(void* context, uint32_t begin, uint32_t end, uint32_t worker) {
    (void)worker;
    Tree* tree = context;
    for (uint32_t g = begin; g < end; g++) {
        Group* group = &tree->levels[0][g];
        for (uint32_t k = 0; k < FOUR; k++) {
            if (g * FOUR + k >= tree->job->triangle_count) {
                set_item(group, k, &EMPTY, 0);
                continue;
            }
            uint32_t triangle = triangle_at(tree, g * FOUR + k);
            Box box = triangle_box(tree->job, triangle);
            set_item(group, k, &box, is_active(tree->job, triangle));
        }
    }
}

// What all four of a group have together.
static Box group_box(const Group* group) {
    Box box = EMPTY;
    for (int axis = 0; axis < 3; axis++) {
        for (int k = 0; k < FOUR; k++) {
            box.min[axis] = sn_minf(box.min[axis], group->min[axis][k]);
            box.max[axis] = sn_maxf(box.max[axis], group->max[axis][k]);
        }
    }
    return box;
}

static uint32_t any_active(const Group* group) {
    return group->active[0] | group->active[1] | group->active[2] | group->active[3];
}

static void group_groups(Tree* tree, uint32_t level) {
    uint32_t below = tree->group_counts[level - 1];
    for (uint32_t i = 0; i < FOUR * tree->group_counts[level]; i++) {
        Group* group = &tree->levels[level][i / FOUR];
        if (i >= below) {
            set_item(group, i % FOUR, &EMPTY, 0);
            continue;
        }
        const Group* child = &tree->levels[level - 1][i];
        Box box = group_box(child);
        set_item(group, i % FOUR, &box, any_active(child));
    }
}

static void build(Tree* tree) {
    const snCrossingsJob* job = tree->job;
    sn_tasks_run(job->tasks, code_triangles, tree, job->triangle_count, GRAIN);
    sort_keys(tree);
    sn_tasks_run(job->tasks, group_triangles, tree, tree->group_counts[0], GRAIN_GROUPS);
    for (uint32_t level = 1; level < tree->level_count; level++) group_groups(tree, level);
}

// --------------------------------------------------------------------------------------------- search

// What a search finds: the first so many crossings, as a heap with the last of them on top.
typedef struct Found {
    snCrossing* items; // NULL: only counts
    uint32_t room;
    uint64_t count; // also of those without room
} Found;

static bool before(snCrossing x, snCrossing y) { return x.a != y.a ? x.a < y.a : x.b < y.b; }

static void sift(snCrossing* items, uint32_t root, uint32_t count) {
    for (uint64_t child = 2 * (uint64_t)root + 1; child < count; child = 2 * (uint64_t)root + 1) {
        if (child + 1 < count && before(items[child], items[child + 1])) child++;
        if (!before(items[root], items[child])) return;
        snCrossing swap = items[root];
        items[root] = items[child];
        items[child] = swap;
        root = (uint32_t)child;
    }
}

static void sort_crossings(snCrossing* items, uint32_t count) {
    for (uint32_t i = count / 2; i-- > 0;) sift(items, i, count);
    for (uint32_t end = count; end > 1;) {
        snCrossing swap = items[0];
        items[0] = items[--end];
        items[end] = swap;
        sift(items, 0, end);
    }
}

static void add_crossing(Found* found, snCrossing crossing) {
    uint64_t i = found->count++;
    if (found->items == NULL) return;
    if (i >= found->room) {
        if (!before(crossing, found->items[0])) return;
        found->items[0] = crossing;
        sift(found->items, 0, found->room);
        return;
    }
    for (; i > 0 && before(found->items[(i - 1) / 2], crossing); i = (i - 1) / 2)
        found->items[i] = found->items[(i - 1) / 2];
    found->items[i] = crossing;
}

static bool share_edge(const uint32_t a[3], const uint32_t b[3]) {
    int shared = 0;
    for (int i = 0; i < 3; i++) shared += a[i] == b[0] || a[i] == b[1] || a[i] == b[2];
    return shared > 1;
}

static bool pair_crosses(const snCrossingsJob* job, uint32_t a, uint32_t b) {
    const uint32_t *s = job->triangles[a], *t = job->triangles[b];
    if (share_edge(s, t)) return false;
    snVec3 corners[2][3];
    for (int i = 0; i < 3; i++) {
        corners[0][i] = job->points[s[i]];
        corners[1][i] = job->points[t[i]];
    }
    return sni_triangles_cross(corners[0], corners[1]);
}

// What looks for others: a triangle or a group of them.
typedef struct Query {
    Box box;
    uint32_t active;
} Query;

static Query triangle_query(const Group* group, uint32_t k) {
    Query query = {.active = group->active[k]};
    for (int axis = 0; axis < 3; axis++) {
        query.box.min[axis] = group->min[axis][k];
        query.box.max[axis] = group->max[axis][k];
    }
    return query;
}

// Which of the four may hold something, one bit each. Boxes that only touch hold nothing that crosses: all
// they share lies in one plane. Written without a branch, because none would be easy to foresee, and in a way
// that compilers do four at once.
static uint32_t hits(const Group* group, const Query* query) {
    const Box* box = &query->box;
    float gaps[FOUR];
    for (int k = 0; k < FOUR; k++) {
        float x = sn_maxf(group->min[0][k] - box->max[0], box->min[0] - group->max[0][k]);
        float y = sn_maxf(group->min[1][k] - box->max[1], box->min[1] - group->max[1][k]);
        float z = sn_maxf(group->min[2][k] - box->max[2], box->min[2] - group->max[2][k]);
        gaps[k] = sn_maxf(sn_maxf(x, y), z);
    }
    uint32_t hit = 0;
    for (int k = 0; k < FOUR; k++)
        hit |= (uint32_t)((gaps[k] < 0.0f) & ((group->active[k] | query->active) != 0)) << k;
    return hit;
}

// The triangles of a group against those of one behind it, or against each other.
static void meet(const Tree* tree, uint32_t index, uint32_t other, Found* found) {
    const Group *group = &tree->levels[0][index], *others = &tree->levels[0][other];
    for (uint32_t k = 0; k < FOUR; k++) {
        Query query = triangle_query(group, k);
        uint32_t hit = hits(others, &query);
        if (index == other) hit &= ~((2u << k) - 1u);
        for (uint32_t i = 0; hit != 0; i++, hit >>= 1) {
            if ((hit & 1u) == 0) continue;
            uint32_t x = triangle_at(tree, FOUR * index + k), y = triangle_at(tree, FOUR * other + i);
            snCrossing pair = {x < y ? x : y, x < y ? y : x}; // in this order, or rounding might differ
            if (pair_crosses(tree->job, pair.a, pair.b)) add_crossing(found, pair);
        }
    }
}

// The triangles of one group against all behind it: together, because they go much the same way.
static void search(const Tree* tree, uint32_t index, Found* found) {
    Query query = {group_box(&tree->levels[0][index]), any_active(&tree->levels[0][index])};
    struct {
        uint32_t level, index;
    } stack[3 * LEVELS + 1]; // three brothers wait on every level
    uint32_t depth = 0;
    stack[depth].level = tree->level_count - 1, stack[depth++].index = 0;
    while (depth > 0) {
        depth--;
        uint32_t level = stack[depth].level, at = stack[depth].index;
        if (level == 0) {
            meet(tree, index, at, found);
            continue;
        }
        uint32_t hit = hits(&tree->levels[level][at], &query);
        for (uint32_t i = 0; hit != 0; i++, hit >>= 1) {
            uint64_t end = ((uint64_t)FOUR * at + i + 1) << (2 * (level - 1)); // of the groups below
            if ((hit & 1u) == 0 || end <= index) continue;
            stack[depth].level = level - 1, stack[depth++].index = FOUR * at + i;
        }
    }
}

static void count_crossings(void* context, uint32_t begin, uint32_t end, uint32_t worker) {
    (void)worker;
    Tree* tree = context;
    for (uint32_t g = begin; g < end; g++) {
        Found found = {0};
        search(tree, g, &found);
        tree->counts[g] = (uint32_t)(found.count < UINT32_MAX ? found.count : UINT32_MAX);
    }
}

static void write_crossings(void* context, uint32_t begin, uint32_t end, uint32_t worker) {
    (void)worker;
    const Tree* tree = context;
    for (uint32_t g = begin; g < end; g++) {
        Found found = {tree->job->out_crossings + tree->starts[g], tree->counts[g], 0};
        if (tree->counts[g] > 0) search(tree, g, &found);
    }
}

// Writes what there is room for, sorted.
static void write_all(Tree* tree, uint64_t count) {
    snCrossingsJob* job = tree->job;
    if (count <= job->capacity) {
        sn_tasks_run(job->tasks, write_crossings, tree, tree->group_counts[0], GRAIN_GROUPS);
    } else {
        Found found = {job->out_crossings, job->capacity, 0};
        for (uint32_t g = 0; g < tree->group_counts[0]; g++)
            if (tree->counts[g] > 0) search(tree, g, &found);
    }
    sort_crossings(job->out_crossings, (uint32_t)(count < job->capacity ? count : job->capacity));
}

// Gives every group its place in the output, as far as there is room, and returns how many crossings there
// are.
static uint64_t place_rows(Tree* tree) {
    uint64_t sum = 0;
    for (uint32_t g = 0; g < tree->group_counts[0]; g++) {
        tree->starts[g] = (uint32_t)(sum < tree->job->capacity ? sum : tree->job->capacity);
        sum += tree->counts[g];
    }
    return sum;
}

static snResult check(const snCrossingsJob* job) {
    if (job == NULL || (job->point_count > 0 && job->points == NULL) ||
        (job->triangle_count > 0 && (job->triangles == NULL || job->scratch == NULL)) ||
        (job->capacity > 0 && job->out_crossings == NULL))
        return SN_RESULT_INVALID_ARGUMENT;
    for (uint32_t t = 0; t < job->triangle_count; t++) {
        const uint32_t* corners = job->triangles[t];
        if (corners[0] >= job->point_count || corners[1] >= job->point_count ||
            corners[2] >= job->point_count)
            return SN_RESULT_INVALID_ARGUMENT;
    }
    for (uint32_t p = 0; p < job->point_count; p++)
        if (!sn_vec3_finite(job->points[p])) return SN_RESULT_BAD_DATA;
    return SN_RESULT_OK;
}

snResult sn_crossings_run(snCrossingsJob* job) {
    snResult result = check(job);
    if (result != SN_RESULT_OK) return result;
    uint64_t count = 0;
    if (job->triangle_count > 0) {
        Tree tree = {.job = job, .bounds = sn_bounds_of(job->points, job->point_count)};
        place(&tree, job->scratch, job->triangle_count);
        build(&tree);
        sn_tasks_run(job->tasks, count_crossings, &tree, tree.group_counts[0], GRAIN_GROUPS);
        count = place_rows(&tree);
        if (count > 0 && job->capacity > 0) write_all(&tree, count);
    }
    job->out_count = (uint32_t)(count < UINT32_MAX ? count : UINT32_MAX);
    return SN_RESULT_OK;
}
