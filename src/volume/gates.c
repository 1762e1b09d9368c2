// How far a joint reaches: to what its profile covers at rest, what hangs together with what it bends, and
// what is near it along the skeleton; smooth, whatever the weights are like.
#include "base/error.h"
#include "base/memory.h"
#include "volume/patches.h"
#include "volume/smooth.h"

// Beyond its reach at rest, this much further (of half its width) a profile fades out. Judged.
#define FADE 0.25f
// Bones further away along the skeleton than this, in radii of the limb, are none of the joint's business:
// so a belly leaves the tail alone, and a leg the jaw.
#define WAY 1.5f
// Of the mean weight in the bind pose, and in any case: with less than that, weights are topped up. Judged.
#define LEAST_OF_REST 0.1
#define LEAST_WEIGHT 1e-4

float sni_own_weight(const sniClosed* closed, uint32_t point, uint32_t joint) {
    float sum = 0.0f;
    for (uint32_t k = 0; k < closed->influences; k++) {
        size_t at = (size_t)point * closed->influences + k;
        if (closed->joints[at] == joint) sum += closed->weights[at];
    }
    return sum;
}

static float smooth_fall(float t) {
    return t <= 0.0f ? 1.0f : t >= 1.0f ? 0.0f : 1.0f - t * t * (3.0f - 2.0f * t);
}

// What only a pose brings near, a hand on a knee, is not reached.
float sni_reach_of(const snExactVolume* volume, uint32_t joint, snVec3 rest) {
    const sniVolumeFrame* frame = &volume->joints[joint];
    const sniProfile* profile = &volume->profiles[frame->profile];
    if (volume->support <= 0.0f) return 1.0f;
    if (!(frame->length > 0.0f)) return 0.0f;
    snVec3 p = sn_scale(sn_sub(rest, frame->place), 1.0f / frame->length);
    float x = sn_dot(p, frame->back), across = sqrtf(sn_maxf(sn_dot(p, p) - x * x, 0.0f));
    float half = 0.5f * (profile->reach_high - profile->reach_low);
    float along = sn_maxf(profile->reach_low - x, x - profile->reach_high);
    return smooth_fall(along / (FADE * half)) *
           smooth_fall((across - profile->reach) / (FADE * profile->reach));
}

// The way along the skeleton from a joint to the bone of every other: 0 for its own and its parent's. A bone
// above it is met at its lower end, one that branches off there where it begins.
void sni_fill_ways(const snExactVolumeDef* def, uint32_t joint, float* ways, uint32_t* ends) {
    const snVolumeJoint* joints = def->joints;
    for (uint32_t j = 0; j < def->joint_count; j++) ways[j] = -1.0f, ends[j] = j;
    float way = 0.0f;
    ways[joint] = 0.0f;
    for (uint32_t j = joint, up = joints[j].parent; up != SN_NONE; j = up, up = joints[j].parent) {
        ways[up] = way;
        ends[up] = j;
        way += sn_distance(joints[j].place, joints[up].place);
    }
    for (uint32_t i = 0; i < def->joint_count; i++) {
        uint32_t j = def->order[i], up = joints[j].parent;
        if (ways[j] >= 0.0f) continue;
        uint32_t from = up != SN_NONE ? ends[up] : joint;
        ways[j] = (up != SN_NONE ? ways[up] : 0.0f) + sn_distance(joints[from].place, joints[j].place);
    }
}

static float gate_of(const sniPatchBuild* b, uint32_t joint, uint32_t point) {
    const sniClosed* closed = b->volume->closed;
    float reach = sni_reach_of(b->volume, joint, closed->rest[point]), near = 0.0f, all = 0.0f;
    float furthest = WAY * b->volume->joints[joint].radius;
    if (!(reach > 0.0f) || b->volume->support <= 0.0f) return reach;
    for (uint32_t k = 0; k < closed->influences; k++) {
        size_t at = (size_t)point * closed->influences + k;
        float way = b->ways[closed->joints[at]], weight = sn_maxf(closed->weights[at], 0.0f);
        all += weight;
        near += weight * (furthest > 0.0f ? smooth_fall(way / furthest) : way <= 0.0f ? 1.0f : 0.0f);
    }
    return all > 0.0f ? sn_minf(reach * near / all, 1.0f) : 0.0f;
}

static void visit(sniPatchBuild* b, uint32_t point, uint32_t* tail) {
    if (point >= b->volume->closed->point_count || b->seen[point] != 0 || !(b->gates[point] > 0.0f)) return;
    b->seen[point] = 1;
    b->queue[(*tail)++] = point;
}

// Points within reach that hang together with what the joint bends (or, where it bends nothing, moves).
static uint32_t choose_points(sniPatchBuild* b, const sniPatch* patch) {
    const sniClosed* closed = b->volume->closed;
    const uint32_t* points = b->points + b->point_starts[patch->shell];
    uint32_t count = b->point_starts[patch->shell + 1] - b->point_starts[patch->shell], head = 0, tail = 0;
    bool bends = patch->hinge != NULL;
    for (uint32_t i = 0; i < count; i++) {
        b->gates[points[i]] = gate_of(b, patch->joint, points[i]);
        b->seen[points[i]] = 0;
    }
    for (uint32_t i = 0; i < count; i++) {
        bool seed =
            bends ? b->hold.classes[points[i]] == 2 : sni_own_weight(closed, points[i], patch->joint) > 0.5f;
        if (seed) visit(b, points[i], &tail);
    }
    // A joint that bends faces but shares no point with another: begin with what it moves.
    bool hard = bends && tail == 0;
    for (uint32_t i = 0; i < count && hard; i++) {
        if (b->hold.classes[points[i]] == 1) visit(b, points[i], &tail);
    }
    while (head < tail) {
        uint32_t p = b->queue[head++];
        for (uint32_t c = closed->corner_starts[p]; c < closed->corner_starts[p + 1]; c++) {
            const sniFace* face = &closed->faces[closed->corners[c] / 4];
            for (int i = 0; i < 4; i++) visit(b, face->at[i], &tail);
        }
    }
    return sni_choose_seen(b, patch->shell);
}

uint32_t sni_choose_seen(sniPatchBuild* b, uint32_t shell) {
    const sniRings* rings = b->volume->shells[shell].rings;
    uint32_t chosen = 0;
    for (uint32_t i = 0; i < rings->inner; i++) {
        bool real = rings->ids[i] != sni_no_point(b->volume->closed);
        if (real && b->seen[rings->ids[i]] != 0) b->chosen[chosen++] = i;
    }
    return chosen;
}

bool sni_spans_create(const sniPatchBuild* b, uint32_t chosen, sniSpan** out, uint32_t* out_spans,
                      uint32_t* out_count) {
    uint32_t spans = 0, last = SN_NONE;
    for (uint32_t i = 0; i < chosen; i++) {
        uint32_t lane = b->chosen[i] / SNI_FACE_LANES;
        spans += last == SN_NONE || lane > last + 1;
        last = lane;
    }
    *out = SNI_NEW_ARRAY(b->memory, sniSpan, spans);
    *out_spans = *out_count = 0;
    if (*out == NULL) return false;
    for (uint32_t i = 0; i < chosen; i++) {
        uint32_t begin = b->chosen[i] / SNI_FACE_LANES * SNI_FACE_LANES;
        sniSpan* span = *out_spans > 0 ? &(*out)[*out_spans - 1] : NULL;
        if (span == NULL || begin > span->end) {
            span = &(*out)[(*out_spans)++];
            *span = (sniSpan){begin, begin};
        }
        span->end = begin + SNI_FACE_LANES;
    }
    for (uint32_t s = 0; s < *out_spans; s++) *out_count += (*out)[s].end - (*out)[s].begin;
    return true;
}

static bool create_places(sniPatchBuild* b, uint32_t chosen, sniPatch* patch) {
    if (!sni_spans_create(b, chosen, &patch->spans, &patch->span_count, &patch->count)) return false;
    patch->gates = SNI_NEW_ARRAY(b->memory, float, patch->count);
    patch->sides = SNI_NEW_ARRAY(b->memory, float, patch->count);
    patch->coordinates = SNI_NEW_ARRAY(b->memory, float, 3 * (size_t)patch->count);
    return patch->gates != NULL && patch->sides != NULL && patch->coordinates != NULL;
}

static void place_point(const sniPatchBuild* b, const sniPatch* patch, uint32_t point, uint32_t to) {
    const sniVolumeFrame* frame = &b->volume->joints[patch->joint];
    float unit = frame->length > 0.0f ? 1.0f / frame->length : 0.0f;
    snVec3 p = sn_scale(sn_sub(b->volume->closed->rest[point], frame->place), unit);
    patch->sides[to] = 1.0f - 2.0f * sn_clampf(b->hold.shares[point], 0.0f, 1.0f);
    patch->coordinates[to] = sn_dot(p, frame->back);
    patch->coordinates[patch->count + to] = sn_dot(p, frame->side);
    patch->coordinates[2 * (size_t)patch->count + to] = sn_dot(p, sn_cross(frame->back, frame->side));
}

snResult sni_patch_reach(sniPatchBuild* b, sniPatch* patch, snError* error) {
    const sniShellTables* shell = &b->volume->shells[patch->shell];
    sni_fill_ways(b->def, patch->joint, b->ways, b->ends);
    uint32_t chosen = choose_points(b, patch);
    if (chosen == 0) return SN_RESULT_OK;
    if (!create_places(b, chosen, patch)) return sni_fail_memory(error);
    float* values = SNI_NEW_ARRAY(b->memory, float, chosen);
    if (values == NULL) return sni_fail_memory(error);
    for (uint32_t i = 0; i < chosen; i++) values[i] = b->gates[shell->rings->ids[b->chosen[i]]];
    snResult result = SN_RESULT_OK;
    if (b->volume->support > 0.0f)
        result =
            sni_smooth_values(shell, b->chosen, chosen, SNI_SPREAD * b->volume->joints[patch->joint].radius,
                              b->locals, b->memory, values, error);
    uint32_t to = 0, next = 0;
    for (uint32_t s = 0; s < patch->span_count && result == SN_RESULT_OK; s++) {
        for (uint32_t i = patch->spans[s].begin; i < patch->spans[s].end; i++, to++) {
            uint32_t point = shell->rings->ids[i];
            if (point == sni_no_point(b->volume->closed)) continue;
            place_point(b, patch, point, to);
            if (next < chosen && b->chosen[next] == i) patch->gates[to] = values[next++];
            patch->gate_sum += (double)patch->gates[to];
            patch->reach += (double)patch->gates[to] * (double)shell->areas[i];
        }
    }
    sni_free(b->memory, values);
    return result;
}

void sni_top_up(const sniPatch* patch, double sum, float* weights) {
    double mean = patch->gate_sum > 0.0 ? sum / patch->gate_sum : 0.0;
    if (mean >= patch->least) return;
    float floor = (float)(patch->least - mean);
    for (uint32_t i = 0; i < patch->count; i++) weights[i] += floor * patch->gates[i];
}

snResult sni_patch_weigh(sniPatchBuild* b, sniPatch* patch, snError* error) {
    if (patch->span_count == 0) return SN_RESULT_OK;
    const sniProfile* profile = &b->volume->profiles[b->volume->joints[patch->joint].profile];
    const float* areas = b->volume->shells[patch->shell].areas;
    patch->weights = SNI_NEW_ARRAY(b->memory, float, patch->count);
    if (patch->weights == NULL) return sni_fail_memory(error);
    const float* const at[3] = {patch->coordinates, patch->coordinates + patch->count,
                                patch->coordinates + 2 * (size_t)patch->count};
    double sum = sni_volume_kernels_of(SN_CPU_AUTO)
                     ->profile(profile->folded, at, patch->gates, patch->count, patch->weights);
    if (patch->gate_sum > 0.0) patch->least = LEAST_OF_REST * sum / patch->gate_sum;
    if (patch->least < LEAST_WEIGHT) patch->least = LEAST_WEIGHT;
    sni_top_up(patch, sum, patch->weights);
    const float* weight = patch->weights;
    for (uint32_t s = 0; s < patch->span_count; s++) {
        for (uint32_t i = patch->spans[s].begin; i < patch->spans[s].end; i++, weight++) {
            patch->mass += (double)*weight * (double)areas[i];
            patch->largest = sn_maxf(patch->largest, *weight);
        }
    }
    bool grows = profile->def.folds_grow;
    if (b->def->rest_profiles || (profile->round && !grows)) return SN_RESULT_OK;
    sni_free(b->memory, patch->weights);
    patch->weights = NULL;
    return SN_RESULT_OK;
}
