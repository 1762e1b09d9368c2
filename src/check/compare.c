// What is worst: of one check, and of several side by side.
#include "sinew/check.h"

// In the place of a limit of 0.
#define LEAST_LIMIT 1e-12f

snVerdict sn_check_judge(const snCheck* check, snMeasure measure, float value) {
    if (value > check->limits.fail[measure]) return SN_VERDICT_FAIL;
    return value > check->limits.warn[measure] ? SN_VERDICT_WARN : SN_VERDICT_OK;
}

// In units of the limit, so that measures can be compared.
static float badness(const snCheck* check, snMeasure measure, float value) {
    return value / sn_maxf(check->limits.fail[measure], LEAST_LIMIT);
}

// --------------------------------------------------------------------------------------------------- joints

float sn_check_joint_worst(const snCheck* check, snMeasure measure, uint32_t joint) {
    const snCheckMeasure* m = &check->measures[measure];
    for (uint32_t i = 0; i < m->violation_count; i++)
        if (m->violations[i].joint == joint) return m->violations[i].value;
    return 0.0f;
}

static float joint_badness(const snCheck* check, uint32_t joint) {
    float most = 0.0f;
    for (int m = 0; m < SN_MEASURE_COUNT; m++) {
        float value = sn_check_joint_worst(check, (snMeasure)m, joint);
        most = sn_maxf(most, badness(check, (snMeasure)m, value));
    }
    return most;
}

// Those that are found are few, so that asking for their badness again costs less than keeping it.
uint32_t sn_check_worst_joints(const snCheck* check, uint32_t* out_joints, uint32_t capacity) {
    uint32_t count = 0;
    for (uint32_t j = 0; j < check->joint_count && capacity > 0; j++) {
        float bad = joint_badness(check, j);
        if (!(bad > 0.0f)) continue;
        uint32_t k = count;
        if (count == capacity) {
            if (bad <= joint_badness(check, out_joints[capacity - 1])) continue;
            k--;
        } else {
            count++;
        }
        for (; k > 0 && bad > joint_badness(check, out_joints[k - 1]); k--) out_joints[k] = out_joints[k - 1];
        out_joints[k] = j;
    }
    return count;
}

// -------------------------------------------------------------------------------------------------- moments

snResult sn_check_pose(const snCheck* check, const snViolation* violation, snCharacter* character) {
    if (check == NULL || violation == NULL || character == NULL) return SN_RESULT_INVALID_ARGUMENT;
    if (violation->frame == SN_NONE)
        return sn_character_pose_clip(character, SN_CLIP_REST, 0.0f, SN_WRAP_CLAMP);
    float start = sn_maxf(check->times[0], violation->time - 1.0f);
    sn_character_reset(character);
    snResult result = SN_RESULT_OK;
    uint32_t steps = (uint32_t)((violation->time - start) * check->fps + 0.5f);
    for (uint32_t i = 0; i <= steps && result == SN_RESULT_OK; i++)
        result = sn_character_pose_clip(character, check->clip,
                                        violation->time - (float)(steps - i) / check->fps, SN_WRAP_CLAMP);
    return result;
}

// --------------------------------------------------------------------------------------------- side by side

snVerdict sn_checks_verdict(const snCheck* const* checks, uint32_t count) {
    snVerdict best = SN_VERDICT_FAIL;
    for (uint32_t i = 0; i < count; i++)
        if (checks[i]->verdict < best) best = checks[i]->verdict;
    return best;
}

uint32_t sn_checks_worst(const snCheck* const* checks, uint32_t count, snMeasure measure) {
    uint32_t worst = 0;
    for (uint32_t i = 1; i < count; i++)
        if (checks[i]->measures[measure].worst.value > checks[worst]->measures[measure].worst.value)
            worst = i;
    return worst;
}

void sn_checks_order(const snCheck* const* checks, uint32_t count, snMeasure out_order[SN_MEASURE_COUNT]) {
    float bad[SN_MEASURE_COUNT] = {0.0f};
    for (int m = 0; m < SN_MEASURE_COUNT; m++) {
        const snCheck* worst = checks[sn_checks_worst(checks, count, (snMeasure)m)];
        float value = badness(worst, (snMeasure)m, worst->measures[m].worst.value);
        int k = m;
        for (; k > 0 && value > bad[k - 1]; k--) {
            bad[k] = bad[k - 1];
            out_order[k] = out_order[k - 1];
        }
        bad[k] = value;
        out_order[k] = (snMeasure)m;
    }
}
