// Weights of points for motions as they are: per point a small quadratic program.
//
// With columns a_b(t) = M_b u - v, the squared distance over all frames is w^T Q w, Q = A^T A, because
// weights sum to one. So is the squared distance between the skin with resting helpers and the plain one:
// there a helper's column is that of its joint, and the plain skin a blend of those. It is kept small too, so
// that clips without keys of helpers show the plain skin. Candidates that come out negative leave, then those
// that are missed least, until few enough stay.
#include "bake/joint_bake.h"

#define CANDIDATES SNI_JOINT_CANDIDATES
// Helpers that alone come nearest in a sample of the frames: more found nothing better.
#define BEST 6
// What weights that are off the neighbours', and off the joint's own before, count as: shares of the size.
// Both only choose between what fits as well: judged by the errors.
#define SMOOTH 3e-4
#define KEEP 1e-3
// How far the skin with resting helpers may be off the plain one, against how far the result may be off the
// frames. Halving it takes 4 % of the error away and doubles what clips that are not baked are off.
#define REST 0.5

typedef struct Scratch {
    uint32_t count;
    uint32_t list[CANDIDATES];
    uint32_t groups[CANDIDATES]; // which candidate is the joint's own bone
    float products[CANDIDATES * CANDIDATES];
    sniJointProgram program;
    uint32_t pool[SN_HELPERS_MAX];
    float scores[SN_HELPERS_MAX];
} Scratch;

// ---------------------------------------------------------------------------------------------- candidates

static uint32_t find_candidate(const Scratch* s, uint32_t bone) {
    uint32_t i = 0;
    while (i < s->count && s->list[i] != bone) i++;
    return i;
}

// A helper comes with its joint: how far the skin is off when it rests is told by that.
static void add_candidate(const sniJointBaker* b, Scratch* s, uint32_t bone) {
    uint32_t own = b->bones[bone].own;
    if (find_candidate(s, bone) < s->count) return;
    uint32_t at = find_candidate(s, own), more = own != bone && at == s->count ? 2 : 1;
    if (s->count + more > CANDIDATES) return;
    if (more == 2) s->groups[s->count] = s->count, s->list[s->count++] = own;
    s->groups[s->count] = own == bone ? s->count : at;
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

// What the skin with resting helpers is off the plain one, as products of columns less the plain skin's.
typedef struct Rest {
    double own[CANDIDATES];  // weights of the model
    double mean[CANDIDATES]; // products with the plain skin's column
    double all;              // of that with itself
} Rest;

static void set_rest(const sniJointBaker* b, const Scratch* s, uint32_t i, Rest* rest) {
    uint32_t n = s->count;
    rest->all = 0.0;
    for (uint32_t r = 0; r < n; r++) rest->own[r] = s->groups[r] == r ? own_weight(b, i, s->list[r]) : 0.0;
    for (uint32_t r = 0; r < n; r++) {
        rest->mean[r] = 0.0;
        for (uint32_t c = 0; c < n; c++)
            rest->mean[r] += rest->own[c] * (double)s->products[r * CANDIDATES + c];
        rest->all += rest->own[r] * rest->mean[r];
    }
}

static void set_program(const sniJointBaker* b, Scratch* s, uint32_t i) {
    double frames = (double)b->blocks.frame_count, size = (double)b->size;
    double smooth = SMOOTH * SMOOTH * size * size * frames, keep = KEEP * KEEP * size * size * frames;
    bool alone = b->neighbour_starts[i] == b->neighbour_starts[i + 1];
    if (alone) smooth *= 0.01; // still no weight is free
    Rest rest;
    set_rest(b, s, i, &rest);
    sniJointProgram* p = &s->program;
    memset(p->matrix, 0, sizeof p->matrix);
    p->count = s->count;
    p->limit = b->def->influences;
    for (uint32_t r = 0; r < s->count; r++) {
        uint32_t row = s->groups[r];
        for (uint32_t c = 0; c < s->count; c++) {
            uint32_t column = s->groups[c];
            double off = (double)s->products[row * CANDIDATES + column] - rest.mean[row] - rest.mean[column] +
                         rest.all;
            p->matrix[r * CANDIDATES + c] =
                (double)s->products[r * CANDIDATES + c] + REST * off + (row == column ? keep : 0.0);
        }
        p->matrix[r * CANDIDATES + r] += smooth;
        p->wishes[r] = smooth * (alone ? 0.0 : mean_of_neighbours(b, i, s->list[r])) + keep * rest.own[row];
    }
}

static void write_row(const sniJointBaker* b, Scratch* s, uint32_t i) {
    sniJointShare* row = b->next_rows[i];
    uint32_t n = s->count, k = 0;
    double error = 0.0;
    const double* weights = s->program.weights;
    for (uint32_t r = 0; r < n; r++) {
        if (weights[r] == 0.0) continue;
        for (uint32_t c = 0; c < n; c++)
            error += weights[r] * weights[c] * (double)s->products[r * CANDIDATES + c];
        row[k++] = (sniJointShare){s->list[r], (float)weights[r]};
    }
    for (; k < b->def->influences; k++) row[k] = (sniJointShare){0, 0.0f};
    b->errors[i] = error > 0.0 ? (float)(error / (double)b->blocks.frame_count) : 0.0f;
}

// NOLINTNEXTLINE(readability-non-const-parameter): the kernel writes to the columns
static void weigh_point(const sniJointBaker* b, Scratch* s, float* columns, uint32_t i) {
    list_candidates(b, s, i);
    sniJointSquare square = {.block_count = b->blocks.block_count,
                             .target =
                                 b->blocks.targets + (size_t)i * b->blocks.block_count * SNI_JOINT_POINT,
                             .bones = b->blocks.bones,
                             .bone_stride = (size_t)b->bone_cap * SNI_JOINT_MATRIX,
                             .count = s->count,
                             .list = s->list,
                             .rest = b->rests[i],
                             .columns = columns,
                             .out = s->products};
    b->kernels->square(&square);
    set_program(b, s, i);
    b->kernels->program(&s->program);
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
