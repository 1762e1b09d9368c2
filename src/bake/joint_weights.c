// Weights of points for motions as they are: per point a small quadratic program.
//
// With columns a_b(t) = M_b u - v, the squared distance over all frames is w^T Q w, Q = A^T A, because weights
// sum to one. Two terms keep it tame: weights are drawn to the mean of the neighbours', and those of a joint
// and its helpers together to what the joint had before (a clip in which helpers rest then shows the plain
// skin). Candidates that come out negative leave, then those that are missed least, until few enough stay.
#include "bake/joint_bake.h"

#define CANDIDATES 20
// Helpers that alone come nearest in a sample of the frames: more found nothing better.
#define BEST 8
// As shares of the size: what a weight off the neighbours' counts as, and off the joint's own before. Judged
// by the errors and by how far a skin with resting helpers is from the plain one.
#define SMOOTH 3e-4
#define KEEP 0.01

typedef struct Scratch {
    uint32_t count;
    uint32_t list[CANDIDATES];
    uint32_t groups[CANDIDATES]; // own bones
    float products[CANDIDATES * CANDIDATES];
    double inverse[CANDIDATES * CANDIDATES];
    double wish[CANDIDATES]; // linear term
    double weights[CANDIDATES];
    bool used[CANDIDATES];
    uint32_t pool[SN_HELPERS_MAX];
    float scores[SN_HELPERS_MAX];
} Scratch;

// ---------------------------------------------------------------------------------------------- candidates

static void add_candidate(const sniJointBaker* b, Scratch* s, uint32_t bone) {
    if (s->count == CANDIDATES) return;
    for (uint32_t i = 0; i < s->count; i++) {
        if (s->list[i] == bone) return;
    }
    s->groups[s->count] = b->bones[bone].own;
    s->list[s->count++] = bone;
}

static void add_row(const sniJointBaker* b, Scratch* s, const sniJointShare* row, float least) {
    for (uint32_t k = 0; k < b->def->influences; k++) {
        if (row[k].weight > least) add_candidate(b, s, row[k].bone);
    }
}

static void add_best(const sniJointBaker* b, Scratch* s, uint32_t i) {
    const sniJointSkin* skin = &b->skins[b->points[i].skin];
    uint32_t count = 0;
    for (uint32_t h = 0; h < b->helper_count; h++) {
        if (skin->helpers[h] != SN_NONE) s->pool[count++] = skin->helpers[h];
    }
    b->kernels->scores(b->sample_targets + (size_t)i * SNI_JOINT_POINT, b->sample_bones, s->pool, count,
                       b->rests[i], s->scores);
    for (uint32_t k = 0; k < BEST && k < count; k++) {
        uint32_t best = 0;
        for (uint32_t h = 1; h < count; h++) best = s->scores[h] < s->scores[best] ? h : best;
        add_candidate(b, s, s->pool[best]);
        s->scores[best] = INFINITY;
    }
}

// Own joints first, so that none of them is lost; then what is in use, what fits, and what neighbours have.
static void list_candidates(const sniJointBaker* b, Scratch* s, uint32_t i) {
    s->count = 0;
    for (uint32_t k = b->own_starts[i]; k < b->own_starts[i + 1] && s->count < SNI_JOINT_INFLUENCES_MAX; k++)
        add_candidate(b, s, b->owns[k].bone);
    add_row(b, s, b->rows[i], 0.0f);
    add_best(b, s, i);
    for (uint32_t k = b->neighbour_starts[i]; k < b->neighbour_starts[i + 1]; k++)
        add_row(b, s, b->rows[b->neighbours[k]], 0.02f);
}

// ------------------------------------------------------------------------------------------------- program

static double mean_of_neighbours(const sniJointBaker* b, uint32_t i, uint32_t bone) {
    uint32_t begin = b->neighbour_starts[i], end = b->neighbour_starts[i + 1];
    double sum = 0.0;
    for (uint32_t n = begin; n < end; n++) {
        const sniJointShare* row = b->rows[b->neighbours[n]];
        for (uint32_t k = 0; k < b->def->influences; k++)
            sum += row[k].bone == bone ? (double)row[k].weight : 0.0;
    }
    return end > begin ? sum / (double)(end - begin) : 0.0;
}

static double own_weight(const sniJointBaker* b, uint32_t i, uint32_t bone) {
    for (uint32_t k = b->own_starts[i]; k < b->own_starts[i + 1]; k++) {
        if (b->owns[k].bone == bone) return (double)b->owns[k].weight;
    }
    return 0.0;
}

// Gauss and Jordan in place, without pivots: the matrix is positive definite.
static void invert(double* a, uint32_t n) {
    for (uint32_t k = 0; k < n; k++) {
        double over = 1.0 / a[k * n + k];
        a[k * n + k] = 1.0;
        for (uint32_t j = 0; j < n; j++) a[k * n + j] *= over;
        for (uint32_t i = 0; i < n; i++) {
            double factor = a[i * n + k];
            if (i == k || factor == 0.0) continue;
            a[i * n + k] = 0.0;
            for (uint32_t j = 0; j < n; j++) a[i * n + j] -= factor * a[k * n + j];
        }
    }
}

static void set_program(const sniJointBaker* b, Scratch* s, uint32_t i) {
    uint32_t n = s->count;
    double frames = (double)b->blocks.frame_count, size = (double)b->size;
    double smooth = SMOOTH * SMOOTH * size * size * frames, keep = KEEP * KEEP * size * size * frames;
    bool alone = b->neighbour_starts[i] == b->neighbour_starts[i + 1];
    if (alone) smooth *= 0.01; // still no weight is free
    for (uint32_t r = 0; r < n; r++) {
        for (uint32_t c = 0; c < n; c++) {
            s->inverse[r * n + c] =
                (double)s->products[r * n + c] + (s->groups[r] == s->groups[c] ? keep : 0.0);
        }
        s->inverse[r * n + r] += smooth;
        s->wish[r] = smooth * (alone ? 0.0 : mean_of_neighbours(b, i, s->list[r])) +
                     keep * own_weight(b, i, s->groups[r]);
        s->used[r] = true;
    }
    invert(s->inverse, n);
}

// The best weights of those in use, that sum to one: w = P c - l P 1.
static void solve(Scratch* s) {
    uint32_t n = s->count;
    double free_sum = 0.0, ones_sum = 0.0, ones[CANDIDATES];
    for (uint32_t r = 0; r < n; r++) {
        double free_weight = 0.0, one = 0.0;
        for (uint32_t c = 0; c < n; c++) {
            if (!s->used[c]) continue;
            free_weight += s->inverse[r * n + c] * s->wish[c];
            one += s->inverse[r * n + c];
        }
        s->weights[r] = s->used[r] ? free_weight : 0.0;
        ones[r] = s->used[r] ? one : 0.0;
        free_sum += s->weights[r];
        ones_sum += ones[r];
    }
    double lambda = (free_sum - 1.0) / ones_sum;
    for (uint32_t r = 0; r < n; r++) s->weights[r] -= lambda * ones[r];
}

// The inverse without one row and column.
static void drop(Scratch* s, uint32_t k) {
    uint32_t n = s->count;
    double over = 1.0 / s->inverse[k * n + k];
    for (uint32_t r = 0; r < n; r++) {
        if (r == k || !s->used[r]) continue;
        double factor = s->inverse[r * n + k] * over;
        for (uint32_t c = 0; c < n; c++) s->inverse[r * n + c] -= factor * s->inverse[k * n + c];
    }
    s->used[k] = false;
}

// Who leaves next: the most negative, else who is missed least; SN_NONE: all can stay.
static uint32_t worst_of(const Scratch* s, uint32_t limit) {
    uint32_t n = s->count, count = 0, negative = SN_NONE, least = SN_NONE;
    double missed = INFINITY;
    for (uint32_t r = 0; r < n; r++) {
        if (!s->used[r]) continue;
        double w = s->weights[r], cost = w * w / s->inverse[r * n + r];
        count++;
        if (w < 0.0 && (negative == SN_NONE || w < s->weights[negative])) negative = r;
        if (cost < missed) missed = cost, least = r;
    }
    if (count <= 1) return SN_NONE;
    if (negative != SN_NONE) return negative;
    return count > limit ? least : SN_NONE;
}

static void write_row(const sniJointBaker* b, Scratch* s, uint32_t i) {
    sniJointShare* row = b->next_rows[i];
    uint32_t n = s->count, k = 0;
    double error = 0.0;
    for (uint32_t r = 0; r < n; r++) {
        if (!s->used[r]) continue;
        for (uint32_t c = 0; c < n; c++) {
            if (s->used[c])
                error += s->weights[r] * s->weights[c] * (double)s->products[r * n + c];
        }
        row[k++] = (sniJointShare){s->list[r], (float)s->weights[r]};
    }
    for (; k < b->def->influences; k++) row[k] = (sniJointShare){0, 0.0f};
    b->errors[i] = error > 0.0 ? (float)(error / (double)b->blocks.frame_count) : 0.0f;
}

static void weigh_point(const sniJointBaker* b, Scratch* s, float* columns, uint32_t i) {
    list_candidates(b, s, i);
    sniJointSquare square = {.block_count = b->blocks.block_count,
                             .target = b->blocks.targets + (size_t)i * b->blocks.block_count * SNI_JOINT_POINT,
                             .bones = b->blocks.bones,
                             .bone_stride = (size_t)b->bone_cap * SNI_JOINT_MATRIX,
                             .count = s->count,
                             .list = s->list,
                             .rest = b->rests[i],
                             .columns = columns,
                             .out = s->products};
    b->kernels->square(&square);
    set_program(b, s, i);
    solve(s);
    for (uint32_t k = worst_of(s, b->def->influences); k != SN_NONE; k = worst_of(s, b->def->influences)) {
        drop(s, k);
        solve(s);
    }
    write_row(b, s, i);
}

static size_t columns_size(const sniJointBaker* b) {
    return (size_t)CANDIDATES * b->blocks.block_count * SNI_JOINT_POINT * sizeof(float);
}

static void weigh_task(void* context, uint32_t begin, uint32_t end, uint32_t worker) {
    const sniJointBaker* b = context;
    uint8_t* memory = (uint8_t*)b->scratch + worker * b->scratch_size;
    for (uint32_t i = begin; i < end; i++)
        weigh_point(b, (Scratch*)(void*)(memory + columns_size(b)), (float*)(void*)memory, i);
}

// Points that are far off count more for the motions: the largest error falls by a third for a little more
// of the mean.
static void strengthen(sniJointBaker* b) {
    double sum = 0.0;
    for (uint32_t i = 0; i < b->point_count; i++) sum += sqrt((double)b->errors[i]);
    double mean = b->point_count > 0 ? sum / (double)b->point_count : 0.0;
    for (uint32_t i = 0; i < b->point_count; i++) {
        double share = mean > 0.0 ? sqrt(sqrt((double)b->errors[i]) / mean) : 1.0;
        b->strengths[i] = sn_clampf((float)share, 0.05f, 100.0f);
    }
}

snResult sni_joint_weigh(sniJointBaker* b) {
    uint32_t workers = b->def->tasks.enqueue != NULL ? b->def->tasks.workers : 1;
    if (b->scratch == NULL) {
        snResult result = SN_RESULT_OK;
        b->scratch_size = (columns_size(b) + sizeof(Scratch) + 63) / 64 * 64;
        b->scratch = sni_joint_new(b, "scratch", workers, b->scratch_size, &result);
        SNI_TRY(result);
    }
    sni_joint_run_tasks(b, weigh_task, b, b->point_count, 64);
    sniJointRow* rows = b->rows;
    b->rows = b->next_rows;
    b->next_rows = rows;
    strengthen(b);
    return SN_RESULT_OK;
}
