// What each point may take of its move, so that no face turns over.
#include <string.h>

#include "volume/run.h"

// Rounds in which limits of single points reach those around them.
#define SPREAD 4u

static void limit_face(const sniShellRun* shell, const sniFaceBlock* block, uint32_t lane, float part) {
    for (int k = 0; k < 4; k++) {
        uint32_t point = block->at[k][lane];
        if (point >= shell->run->volume->closed->point_count) continue;
        float* limit = &shell->field.limits[shell->run->volume->places[point]];
        *limit = sn_minf(*limit, part);
    }
}

// The least of a point's faces.
static bool find_limits(const sniShellRun* shell) {
    const sniRun* run = shell->run;
    bool any = false;
    for (uint32_t i = 0; i < shell->tables->rings->inner; i++) shell->field.limits[i] = 1.0f;
    for (uint32_t b = 0; b < shell->tables->block_count; b++) {
        const sniFaceBlock* block = &shell->tables->blocks[b];
        float parts[SNI_FACE_LANES];
        if (run->kernels->guard(block, run->before, run->points, parts) >= 1.0f) continue;
        any = true;
        for (uint32_t lane = 0; lane < SNI_FACE_LANES; lane++)
            if (parts[lane] < 1.0f) limit_face(shell, block, lane, parts[lane]);
    }
    return any;
}

static uint32_t entry_at(const sniRingSet* set, size_t at) {
    return set->entries16 != NULL ? set->entries16[at] : set->entries32[at];
}

static void spread_to(const sniRings* rings, const float* before, uint32_t at, float* limits) {
    const sniRingBlock* block = &rings->set.blocks[at / SNI_RING_LANES];
    float sum = 0.0f, count = 0.0f;
    for (uint32_t r = 0; r < block->rows; r++) {
        uint32_t other =
            entry_at(&rings->set, ((size_t)block->first + r) * SNI_RING_LANES + at % SNI_RING_LANES);
        if (other < rings->inner) sum += before[other], count += 1.0f;
    }
    if (count > 0.0f) limits[at] = sn_minf(before[at], sum / count);
}

// Points beside a limited one give way, too, or the next face would turn over. The limits before the round
// are in `along`. Most points are far from limited ones.
void sni_run_spread(const sniShellRun* shell, uint32_t rounds) {
    const sniRings* rings = shell->tables->rings;
    float* limits = shell->field.limits;
    float* before = shell->field.along;
    uint32_t points = rings->set.block_count * SNI_RING_LANES;
    for (uint32_t round = 0; round < rounds; round++) {
        memcpy(before, limits, rings->inner * sizeof(float));
        for (uint32_t at = 0; at < points; at++) {
            if (before[at] == 1.0f) continue;
            const sniRingBlock* block = &rings->set.blocks[at / SNI_RING_LANES];
            spread_to(rings, before, at, limits);
            for (uint32_t r = 0; r < block->rows; r++) {
                uint32_t other =
                    entry_at(&rings->set, ((size_t)block->first + r) * SNI_RING_LANES + at % SNI_RING_LANES);
                if (other < points && before[other] == 1.0f && limits[other] == 1.0f)
                    spread_to(rings, before, other, limits);
            }
        }
    }
}

static void apply_limits(const sniShellRun* shell) {
    for (uint32_t i = 0; i < shell->tables->rings->inner; i++) {
        float part = shell->field.limits[i];
        for (int a = 0; a < 3; a++) shell->field.moves[a][i] *= part;
        shell->field.wide[i] *= part;
    }
}

bool sni_run_limit(const sniShellRun* shell) {
    if (!find_limits(shell)) return false;
    sni_run_spread(shell, SPREAD);
    apply_limits(shell);
    return true;
}
