// Pairs of triangles that cross, found through a tree of boxes that is made anew for each call.
//
// The tree is complete and lies in one array, as in a heap: leaves of four triangles, sorted along a Morton
// curve. That is made in a tenth of the time of a better tree and searched in little more. Every triangle
// looks for those with higher numbers: first only counting, which gives each its place in the sorted output,
// then those that found any look again and write. So nothing is shared between tasks, and the result is the
// same for any number of them.
#include "shape/crossings.h"
#include "base/memory.h"
#include "sinew/shape.h"

enum {
    LEAF = 4,        // triangles
    GRAIN_LEAF = 64, // leaves that one task takes
    GRAIN = 2048,    // triangles that one task takes
    CODE_BITS = 10,  // of the Morton code, per axis
    DIGITS = 1 << CODE_BITS,
};

typedef struct Box {
    float min[3], max[3];
} Box;

typedef struct Node {
    Box box;
    uint32_t last;   // the highest triangle below
    uint32_t active; // is any triangle below?
} Node;

typedef struct Tree {
    snCrossingsJob* job;
    snBounds bounds;
    uint32_t leaf_count; // a power of two; those without triangles have empty boxes
    Node* nodes;         // 2 * leaf_count; the root is 1, the children of i are 2 i and 2 i + 1
    uint64_t* keys;      // code and number of each triangle, sorted
    uint64_t* spare;     // room to sort in
    Box* boxes;          // in the order of the keys
    uint32_t* counts;    // how many crossings each triangle is the lower number of
    uint32_t* starts;    // where they go in the output; the capacity where there is no room
} Tree;

// --------------------------------------------------------------------------------------------- memory

static uint32_t leaves_of(uint32_t triangle_count) {
    uint32_t wanted = triangle_count / LEAF + (triangle_count % LEAF != 0), leaves = 1;
    while (leaves < wanted) leaves *= 2;
    return leaves;
}

// Takes `count` items off the front of the memory; `at` only counts where there is none.
static void* take(void* memory, size_t* at, size_t count, size_t size) {
    void* taken = memory != NULL ? (char*)memory + *at : NULL;
    size_t bytes = 0;
    bool fits = sni_mul_size(count, size, &bytes) && bytes <= SIZE_MAX - 15 && *at <= SIZE_MAX - 15 - bytes;
    *at = fits ? *at + ((bytes + 15) & ~(size_t)15) : SIZE_MAX;
    return taken;
}

static size_t place(Tree* tree, void* scratch, uint32_t count) {
    size_t at = 0;
    tree->leaf_count = leaves_of(count);
    tree->nodes = take(scratch, &at, 2 * (size_t)tree->leaf_count, sizeof(Node));
    tree->keys = take(scratch, &at, count, sizeof(uint64_t));
    tree->spare = take(scratch, &at, count, sizeof(uint64_t));
    tree->boxes = take(scratch, &at, count, sizeof(Box));
    tree->counts = take(scratch, &at, count, sizeof(uint32_t));
    tree->starts = take(scratch, &at, count, sizeof(uint32_t));
    return at;
}

size_t sn_crossings_scratch_size(uint32_t triangle_count) {
    Tree tree = {0};
    return place(&tree, NULL, triangle_count);
}

// ----------------------------------------------------------------------------------------------- tree

static Box empty_box(void) {
    return (Box){{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
}

static void join_box(Box* box, const Box* other) {
    for (int k = 0; k < 3; k++) {
        box->min[k] = sn_minf(box->min[k], other->min[k]);
        box->max[k] = sn_maxf(box->max[k], other->max[k]);
    }
}

// Boxes that only touch hold nothing that crosses: all they share lies in one plane.
static bool overlap(const Box* a, const Box* b) {
    // All six at once, because none of them is easy to foresee.
    return ((a->min[0] < b->max[0]) & (b->min[0] < a->max[0]) & (a->min[1] < b->max[1]) &
            (b->min[1] < a->max[1]) & (a->min[2] < b->max[2]) & (b->min[2] < a->max[2])) != 0;
}

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

// The places [first, end) of a leaf.
static uint32_t leaf_end(const Tree* tree, uint32_t leaf) {
    uint64_t end = (uint64_t)LEAF * leaf + LEAF, count = tree->job->triangle_count;
    return (uint32_t)(end < count ? end : count);
}

static void fill_leaves(void* context, uint32_t begin, uint32_t end, uint32_t worker) {
    (void)worker;
    Tree* tree = context;
    for (uint32_t leaf = begin; leaf < end; leaf++) {
        Node node = {empty_box(), 0, 0};
        for (uint64_t i = (uint64_t)LEAF * leaf; i < leaf_end(tree, leaf); i++) {
            uint32_t triangle = triangle_at(tree, (uint32_t)i);
            tree->boxes[i] = triangle_box(tree->job, triangle);
            join_box(&node.box, &tree->boxes[i]);
            if (triangle > node.last) node.last = triangle;
            if (is_active(tree->job, triangle)) node.active = 1;
        }
        tree->nodes[tree->leaf_count + leaf] = node;
    }
}

static void build(Tree* tree) {
    const snCrossingsJob* job = tree->job;
    sn_tasks_run(job->tasks, code_triangles, tree, job->triangle_count, GRAIN);
    sort_keys(tree);
    sn_tasks_run(job->tasks, fill_leaves, tree, tree->leaf_count, GRAIN_LEAF);
    for (uint32_t i = tree->leaf_count - 1; i > 0; i--) {
        const Node *left = &tree->nodes[2 * i], *right = &tree->nodes[2 * i + 1];
        Node node = *left;
        join_box(&node.box, &right->box);
        if (right->last > node.last) node.last = right->last;
        node.active |= right->active;
        tree->nodes[i] = node;
    }
}

// --------------------------------------------------------------------------------------------- search

// The lowest numbers found by one triangle, as a heap with the highest on top, in its part of the output.
typedef struct Row {
    snCrossing* items;
    uint32_t room;
    uint32_t count;
} Row;

static void sift(snCrossing* items, uint32_t root, uint32_t count) {
    for (uint64_t child = 2 * (uint64_t)root + 1; child < count; child = 2 * (uint64_t)root + 1) {
        if (child + 1 < count && items[child + 1].b > items[child].b) child++;
        if (items[root].b >= items[child].b) return;
        snCrossing swap = items[root];
        items[root] = items[child];
        items[child] = swap;
        root = (uint32_t)child;
    }
}

static void row_add(Row* row, snCrossing crossing) {
    if (row->count == row->room) {
        if (crossing.b >= row->items[0].b) return;
        row->items[0] = crossing;
        sift(row->items, 0, row->count);
        return;
    }
    uint32_t i = row->count++;
    for (; i > 0 && row->items[(i - 1) / 2].b < crossing.b; i = (i - 1) / 2)
        row->items[i] = row->items[(i - 1) / 2];
    row->items[i] = crossing;
}

static void row_sort(Row* row) {
    for (uint32_t end = row->count; end-- > 1;) {
        snCrossing swap = row->items[0];
        row->items[0] = row->items[end];
        row->items[end] = swap;
        sift(row->items, 0, end);
    }
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

// One triangle against those of a leaf. `row` NULL: only counts.
static void meet_leaf(Tree* tree, uint32_t place, uint32_t leaf, Row* row) {
    const snCrossingsJob* job = tree->job;
    uint32_t triangle = triangle_at(tree, place);
    bool any = is_active(job, triangle);
    for (uint32_t i = LEAF * leaf; i < leaf_end(tree, leaf); i++) {
        uint32_t other = triangle_at(tree, i);
        if (other <= triangle || !overlap(&tree->boxes[place], &tree->boxes[i])) continue;
        if ((!any && !is_active(job, other)) || !pair_crosses(job, triangle, other)) continue;
        if (row == NULL)
            tree->counts[triangle]++;
        else
            row_add(row, (snCrossing){triangle, other});
    }
}

// One triangle against all.
static void search(Tree* tree, uint32_t place, Row* row) {
    const Box* box = &tree->boxes[place];
    uint32_t triangle = triangle_at(tree, place);
    bool any = is_active(tree->job, triangle);
    uint32_t stack[64], depth = 0; // one brother for each of at most 31 levels
    stack[depth++] = 1;
    while (depth > 0) {
        uint32_t i = stack[--depth];
        const Node* node = &tree->nodes[i];
        if (node->last <= triangle || !overlap(&node->box, box) || !(any || node->active != 0)) continue;
        if (i >= tree->leaf_count) {
            meet_leaf(tree, place, i - tree->leaf_count, row);
            continue;
        }
        stack[depth++] = 2 * i;
        stack[depth++] = 2 * i + 1;
    }
}

static void count_crossings(void* context, uint32_t begin, uint32_t end, uint32_t worker) {
    (void)worker;
    Tree* tree = context;
    for (uint32_t i = begin; i < end; i++) {
        tree->counts[triangle_at(tree, i)] = 0;
        search(tree, i, NULL);
    }
}

static void write_crossings(void* context, uint32_t begin, uint32_t end, uint32_t worker) {
    (void)worker;
    Tree* tree = context;
    for (uint32_t i = begin; i < end; i++) {
        uint32_t triangle = triangle_at(tree, i), room = tree->job->capacity - tree->starts[triangle];
        if (tree->counts[triangle] == 0 || room == 0) continue;
        if (room > tree->counts[triangle]) room = tree->counts[triangle];
        Row row = {tree->job->out_crossings + tree->starts[triangle], room, 0};
        search(tree, i, &row);
        row_sort(&row);
    }
}

// Gives every triangle its place in the output and returns how many crossings there are.
static uint64_t place_rows(Tree* tree) {
    uint64_t sum = 0;
    for (uint32_t t = 0; t < tree->job->triangle_count; t++) {
        tree->starts[t] = (uint32_t)(sum < tree->job->capacity ? sum : tree->job->capacity);
        sum += tree->counts[t];
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
        sn_tasks_run(job->tasks, count_crossings, &tree, job->triangle_count, GRAIN_LEAF * LEAF);
        count = place_rows(&tree);
        if (count > 0 && job->capacity > 0)
            sn_tasks_run(job->tasks, write_crossings, &tree, job->triangle_count, GRAIN_LEAF * LEAF);
    }
    job->out_count = (uint32_t)(count < UINT32_MAX ? count : UINT32_MAX);
    return SN_RESULT_OK;
}
