// Weights of points for motions as they are: per point a small quadratic program.
//
// With columns a_b(t) = M_b u - v, the squared distance over all frames is w^T Q w, Q = A^T A, because
// weights sum to one. So is the squared distance between the skin with resting helpers and the plain one:
// there a helper's column is that of its joint, and the plain skin a blend of those. It is kept small too, so
// that clips without keys of helpers show the plain skin. Candidates that come out negative leave, then those
// that are missed least, until few enough stay.
#include "bake/joint_bake.h"

#define CANDIDATES SNI_JOINT_CANDIDATES
// Helpers that bring the point nearest in a sample of the frames: with more the weights settle elsewhere,
// not better.
#define BEST 3
// Joints of the model at a point that are looked at.
#define MOST_OWNS 64
// What weights that are off the neighbours', and off the joint's own before, count as: shares of the size.
// Both only choose between what fits as well: judged by the errors.
#define SMOOTH 3e-4
#define KEEP 1e-3
typedef struct Scratch {
    uint32_t count;
    uint32_t list[CANDIDATES];
    uint32_t groups[CANDIDATES]; // which candidate is the joint's own bone
    float products[CANDIDATES * CANDIDATES];
    sniJointProgram program;
    uint32_t pool[SN_HELPERS_MAX];
    uint32_t owns[SN_HELPERS_MAX];
    float limits[SN_HELPERS_MAX];
    float gains[SN_HELPERS_MAX];
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

// What a point has of a joint and its helpers together.
static float weight_of_joint(const sniJointBaker* b, uint32_t i, uint32_t own) {
    float sum = 0.0f;
    for (uint32_t k = 0; k < b->def->influences; k++) {
        const sniJointShare* share = &b->rows[i][k];
        if (share->weight > 0.0f && b->bones[share->bone].own == own) sum += share->weight;
    }
    return sum;
}

// Helpers that bring the point nearer by what their joint has of it: that changes nothing when they rest.
static void add_best(const sniJointBaker* b, Scratch* s, uint32_t i) {
    const sniJointSkin* skin = &b->skins[b->points[i].skin];
    uint32_t count = 0;
    for (uint32_t h = 0; h < b->helper_count; h++) {
        if (skin->helpers[h] == SN_NONE) continue;
        s->pool[count] = skin->helpers[h];
        s->owns[count] = b->bones[skin->helpers[h]].own;
        s->limits[count] = weight_of_joint(b, i, s->owns[count]);
        if (s->limits[count] > 0.0f) count++;
    }
    sniJointGains gains = {.target = b->sample_targets + (size_t)i * SNI_JOINT_POINT,
                           .bones = b->sample_bones,
                           .rest = b->rests[i],
                           .row = b->rows[i],
                           .row_count = b->def->influences,
                           .count = count,
                           .helpers = s->pool,
                           .owns = s->owns,
                           .limits = s->limits,
                           .out = s->gains};
    b->kernels->gains(&gains);
    for (uint32_t k = 0; k < BEST && k < count; k++) {
        uint32_t best = 0;
        for (uint32_t h = 1; h < count; h++) best = s->gains[h] > s->gains[best] ? h : best;
        if (!(s->gains[best] > 0.0f)) break;
        add_candidate(b, s, s->pool[best]);
        s->gains[best] = 0.0f;
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
            p->matrix[r * CANDIDATES + c] = (double)s->products[r * CANDIDATES + c] +
                                            (double)b->holds[i] * off + (row == column ? keep : 0.0);
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

// Frames in which the point is far off count more, by the distance: what happens once in a long clip is lost
// in the mean of all frames else. The largest error falls by a third, the mean a little.
static void scale_frames(const sniJointBaker* b, uint32_t i, float* scales) {
    uint32_t blocks = b->blocks.block_count, frames = b->blocks.frame_count;
    double sum = 0.0, total = 0.0;
    for (uint32_t k = 0; k < blocks; k++)
        b->kernels->distances(b->blocks.targets + ((size_t)i * blocks + k) * SNI_JOINT_POINT,
                              b->blocks.bones + (size_t)k * b->bone_cap * SNI_JOINT_MATRIX, b->rows[i],
                              b->def->influences, b->rests[i], scales + (size_t)k * SNI_JOINT_LANES);
    for (uint32_t f = 0; f < frames; f++) sum += (double)scales[f];
    float mean = (float)(sum / (double)frames);
    for (uint32_t f = 0; f < frames; f++) {
        scales[f] = mean > 0.0f ? sn_clampf(sqrtf(scales[f] / mean), 0.1f, 30.0f) : 1.0f;
        total += (double)scales[f];
    }
    float over = (float)((double)frames / total);
    for (uint32_t f = 0; f < frames; f++) scales[f] = sqrtf(scales[f] * over);
}

// The most that the new weights of a point are off the plain skin in a fitted frame when helpers rest.
static float rest_distance(const sniJointBaker* b, uint32_t i) {
    static const float origin[SNI_JOINT_POINT] = {0};
    sniJointShare shares[MOST_OWNS + SNI_JOINT_INFLUENCES_MAX];
    uint32_t count = 0;
    for (uint32_t k = b->own_starts[i]; k < b->own_starts[i + 1] && count < MOST_OWNS; k++)
        shares[count++] = (sniJointShare){b->owns[k].bone, -b->owns[k].weight};
    for (uint32_t k = 0; k < b->def->influences; k++) {
        const sniJointShare* share = &b->next_rows[i][k];
        if (!(share->weight > 0.0f)) continue;
        uint32_t own = b->bones[share->bone].own, at = 0;
        while (at < count && shares[at].bone != own) at++;
        if (at == count) shares[count++] = (sniJointShare){own, 0.0f};
        shares[at].weight += share->weight;
    }
    float worst = 0.0f;
    for (uint32_t k = 0; k < b->blocks.block_count; k++) {
        float squares[SNI_JOINT_LANES];
        b->kernels->distances(origin, b->blocks.bones + (size_t)k * b->bone_cap * SNI_JOINT_MATRIX, shares,
                              count, b->rests[i], squares);
        for (uint32_t lane = 0; lane < SNI_JOINT_LANES; lane++) worst = sn_maxf(worst, squares[lane]);
    }
    return sqrtf(worst);
}

// Points that rest too far off are held harder from turn to turn, until they do not.
static void hold_point(const sniJointBaker* b, uint32_t i) {
    float times = rest_distance(b, i) / b->rest_tolerance;
    if (times > 1.0f) b->holds[i] = sn_minf(b->holds[i] * sn_minf(times * times, 4.0f), 1e4f);
}

// NOLINTNEXTLINE(readability-non-const-parameter): the kernel writes to the columns
static void weigh_point(const sniJointBaker* b, Scratch* s, float* columns, uint32_t i) {
    list_candidates(b, s, i);
    float* scales = columns + (size_t)CANDIDATES * b->blocks.block_count * SNI_JOINT_POINT;
    scale_frames(b, i, scales);
    sniJointSquare square = {.block_count = b->blocks.block_count,
                             .target =
                                 b->blocks.targets + (size_t)i * b->blocks.block_count * SNI_JOINT_POINT,
                             .bones = b->blocks.bones,
                             .bone_stride = (size_t)b->bone_cap * SNI_JOINT_MATRIX,
                             .count = s->count,
                             .list = s->list,
                             .rest = b->rests[i],
                             .scales = scales,
                             .columns = columns,
                             .out = s->products};
    b->kernels->square(&square);
    set_program(b, s, i);
    b->kernels->program(&s->program);
    write_row(b, s, i);
    hold_point(b, i);
}

static size_t columns_size(const sniJointBaker* b) {
    return ((size_t)CANDIDATES * SNI_JOINT_POINT + SNI_JOINT_LANES) * b->blocks.block_count * sizeof(float);
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
