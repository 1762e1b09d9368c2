// Pairs of triangles that cross, found through a tree of boxes that is made anew for each call.
//
// Every triangle looks for those behind it on the tree's curve: first only counting, which gives each its
// place in the output, then those that found any look again and write, and what is written is sorted. So
// nothing is shared between tasks, and the result is the same for any number of them.
#include "shape/crossings.h"

#include "base/box_tree.h"
#include "base/progress.h"
#include "sinew/shape.h"

enum {
    FOUR = SNI_BOXES,
    GRAIN_GROUPS = 64,              // groups of triangles that one task takes
    TOLD_GROUPS = 32 * GRAIN_GROUPS // between two words with the listener
};

typedef struct Tree {
    snCrossingsJob* job;
    sniBoxTree boxes; // marks: active triangles
    uint32_t* counts; // crossings that each group of triangles finds
    uint32_t* starts; // where they go in the output
    uint32_t first;   // group from which tasks count
} Tree;

// ----------------------------------------------------------------------------------------------- tree

// Counts and starts stand before the boxes.
static size_t place(Tree* tree, void* scratch, uint32_t count) {
    size_t groups = (size_t)count / FOUR + (count % FOUR != 0);
    size_t front = (groups * 2 * sizeof(uint32_t) + 15) & ~(size_t)15;
    char* boxes = NULL;
    if (scratch != NULL) {
        tree->counts = scratch;
        tree->starts = (uint32_t*)scratch + groups;
        boxes = (char*)scratch + front;
    }
    size_t size = sni_box_tree_place(&tree->boxes, boxes, count);
    return size <= SIZE_MAX - front ? size + front : SIZE_MAX;
}

size_t sn_crossings_scratch_size(uint32_t triangle_count) {
    Tree tree = {0};
    return place(&tree, NULL, triangle_count);
}

static void triangle_box(const void* user, uint32_t triangle, sniBox* out) {
    const snCrossingsJob* job = user;
    const uint32_t* corners = job->triangles[triangle];
    snBounds b = {job->points[corners[0]], job->points[corners[0]]};
    b = sn_bounds_add(sn_bounds_add(b, job->points[corners[1]]), job->points[corners[2]]);
    *out = (sniBox){{b.min.x, b.min.y, b.min.z},
                    {b.max.x, b.max.y, b.max.z},
                    job->active == NULL || job->active[triangle] != 0};
}

static uint32_t triangle_at(const Tree* tree, uint32_t at) { return sni_box_tree_item(&tree->boxes, at); }

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

static sniBox box_of(const sniBoxGroup* group, uint32_t k) {
    return (sniBox){{group->min[0][k], group->min[1][k], group->min[2][k]},
                    {group->max[0][k], group->max[1][k], group->max[2][k]},
                    group->marks[k]};
}

// Which of the four may hold something, one bit each. Boxes that only touch hold nothing that crosses: all
// they share lies in one plane. Written without a branch, because none would be easy to foresee, and in a way
// that compilers do four at once.
static uint32_t hits(const sniBoxGroup* group, const sniBox* box) {
    float gaps[FOUR];
    for (int k = 0; k < FOUR; k++) {
        float x = sn_maxf(group->min[0][k] - box->max[0], box->min[0] - group->max[0][k]);
        float y = sn_maxf(group->min[1][k] - box->max[1], box->min[1] - group->max[1][k]);
        float z = sn_maxf(group->min[2][k] - box->max[2], box->min[2] - group->max[2][k]);
        gaps[k] = sn_maxf(sn_maxf(x, y), z);
    }
    uint32_t hit = 0;
    for (int k = 0; k < FOUR; k++)
        hit |= (uint32_t)((gaps[k] < 0.0f) & ((group->marks[k] | box->mark) != 0)) << k;
    return hit;
}

// The triangles of a group against those of one behind it, or against each other.
static void meet(const Tree* tree, uint32_t index, uint32_t other, Found* found) {
    const sniBoxGroup *group = &tree->boxes.levels[0][index], *others = &tree->boxes.levels[0][other];
    for (uint32_t k = 0; k < FOUR; k++) {
        sniBox box = box_of(group, k);
        uint32_t hit = hits(others, &box);
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
    sniBox box = sni_box_group_whole(&tree->boxes.levels[0][index]);
    struct {
        uint32_t level, index;
    } stack[3 * SNI_BOX_LEVELS + 1]; // three brothers wait on every level
    uint32_t depth = 0;
    stack[depth].level = tree->boxes.level_count - 1, stack[depth++].index = 0;
    while (depth > 0) {
        depth--;
        uint32_t level = stack[depth].level, at = stack[depth].index;
        if (level == 0) {
            meet(tree, index, at, found);
            continue;
        }
        uint32_t hit = hits(&tree->boxes.levels[level][at], &box);
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
    for (uint32_t g = tree->first + begin; g < tree->first + end; g++) {
        Found found = {0};
        search(tree, g, &found);
        tree->counts[g] = (uint32_t)(found.count < UINT32_MAX ? found.count : UINT32_MAX);
    }
}

static snResult count_all(Tree* tree) {
    const snCrossingsJob* job = tree->job;
    uint32_t groups = tree->boxes.group_counts[0], most = job->progress.run != NULL ? TOLD_GROUPS : groups;
    for (tree->first = 0; tree->first < groups; tree->first += most) {
        uint32_t left = groups - tree->first;
        SNI_TRY(sni_progress(&job->progress, "crossings", (float)tree->first / (float)groups, NULL));
        sn_tasks_run(job->tasks, count_crossings, tree, left < most ? left : most, GRAIN_GROUPS);
    }
    return SN_RESULT_OK;
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
        sn_tasks_run(job->tasks, write_crossings, tree, tree->boxes.group_counts[0], GRAIN_GROUPS);
    } else {
        Found found = {job->out_crossings, job->capacity, 0};
        for (uint32_t g = 0; g < tree->boxes.group_counts[0]; g++)
            if (tree->counts[g] > 0) search(tree, g, &found);
    }
    sort_crossings(job->out_crossings, (uint32_t)(count < job->capacity ? count : job->capacity));
}

// Gives every group its place in the output, as far as there is room, and returns how many crossings there
// are.
static uint64_t place_rows(Tree* tree) {
    uint64_t sum = 0;
    for (uint32_t g = 0; g < tree->boxes.group_counts[0]; g++) {
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
    SNI_TRY(check(job));
    uint64_t count = 0;
    if (job->triangle_count > 0) {
        Tree tree = {.job = job};
        place(&tree, job->scratch, job->triangle_count);
        sni_box_tree_build(&tree.boxes, sn_bounds_of(job->points, job->point_count), triangle_box, job,
                           job->tasks);
        SNI_TRY(count_all(&tree));
        count = place_rows(&tree);
        if (count > 0 && job->capacity > 0) write_all(&tree, count);
    }
    job->out_count = (uint32_t)(count < UINT32_MAX ? count : UINT32_MAX);
    return SN_RESULT_OK;
}
