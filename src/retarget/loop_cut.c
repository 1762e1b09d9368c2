// Where a nearly cyclic motion is cut: at the pair of frames that look most alike, both in pose and in where
// the pose is going.
#include "retarget/loop_cut.h"

// A loop is at least this part of the clip: the shortest cuts are always the most alike. Judged; in CMU
// 02_01 the cut that is found is as short as this allows.
#define SHORTEST_PART 0.4f
// The search compares every pair, so long clips are searched in steps.
#define MOST_CANDIDATES 600u

// Squared sines of half the angles between two poses, summed.
static float pose_difference(const sniCut* cut, uint32_t a, uint32_t b) {
    const snQuat* pa = cut->rotations + (size_t)a * cut->turning;
    const snQuat* pb = cut->rotations + (size_t)b * cut->turning;
    float sum = 0.0f;
    for (uint32_t k = 0; k < cut->turning; k++) {
        float dot = sn_quat_dot(pa[k], pb[k]);
        sum += sn_maxf(1.0f - dot * dot, 0.0f);
    }
    return sum;
}

// The frame after each end is compared too: a pose that goes the other way is no match.
static float cut_difference(const sniCut* cut, uint32_t a, uint32_t b) {
    float here = pose_difference(cut, a, b);
    return a > 0 ? here + pose_difference(cut, a - 1, b - 1) : here + pose_difference(cut, a + 1, b - 1);
}

void sni_cut_find(sniCut* cut) {
    uint32_t last = cut->frames - 1;
    uint32_t step = (last / MOST_CANDIDATES / cut->step + 1) * cut->step;
    uint32_t shortest = (uint32_t)(SHORTEST_PART * (float)last) / cut->step * cut->step;
    if (shortest < 2) shortest = 2 * cut->step;
    cut->start = 0;
    cut->end = last;
    if (last < 4) return;
    // The whole clip wins ties and near ties: it was cut by somebody who meant it.
    float best = 0.98f * (pose_difference(cut, 0, last) + pose_difference(cut, 1, last));
    for (uint32_t a = 0; a + shortest <= last; a += step) {
        for (uint32_t b = a + shortest; b <= last; b += step) {
            float difference = cut_difference(cut, a, b);
            if (!(difference < best)) continue;
            best = difference;
            cut->start = a;
            cut->end = b;
        }
    }
}

// A cycle leaves its pose and comes back to it: of all stretches the one whose ends differ least for how far
// the poses between them are from the first. That is fair to long and short ones, and nothing that stands
// still wins.
void sni_cut_find_cycle(sniCut* cut) {
    uint32_t last = cut->frames - 1;
    uint32_t step = (last / MOST_CANDIDATES / cut->step + 1) * cut->step;
    float best = INFINITY;
    cut->start = 0;
    cut->end = last;
    for (uint32_t a = 0; a + cut->least <= last; a += step) {
        float way = 0.0f;
        uint32_t seen = 0;
        for (uint32_t b = a + step; b <= last; b += step) {
            float here = cut_difference(cut, a, b);
            way += here;
            seen++;
            if (b - a < cut->least || !(way > 1e-3f * (float)seen)) continue;
            float rating = here * (float)seen / way;
            if (!(rating < best)) continue;
            best = rating;
            cut->start = a;
            cut->end = b;
        }
    }
}

static float angle_between(snQuat a, snQuat b) {
    float dot = sn_quat_dot(a, b);
    return 2.0f * sn_acos(sn_minf(dot < 0.0f ? -dot : dot, 1.0f));
}

float sni_cut_seam(const sniCut* cut) {
    const snQuat* a = cut->rotations + (size_t)cut->start * cut->turning;
    const snQuat* b = cut->rotations + (size_t)cut->end * cut->turning;
    float worst = 0.0f;
    for (uint32_t k = 0; k < cut->turning; k++) worst = sn_maxf(worst, angle_between(a[k], b[k]));
    return worst;
}

uint32_t sni_cut_blend_frames(const sniCut* cut, float seconds, float fps) {
    uint32_t keys = cut->end - cut->start;
    uint32_t wanted = (uint32_t)(sn_minf(seconds * fps, (float)keys) + 0.5f);
    uint32_t most = keys / 2;
    wanted = wanted < most ? wanted : most;
    return wanted > 0 ? wanted : 1;
}

float sni_cut_blend_part(uint32_t k, uint32_t period, uint32_t blend) {
    if (k + blend <= period) return 0.0f;
    float t = 1.0f - (float)(period - k) / (float)blend;
    return t * t * (3.0f - 2.0f * t);
}

snQuat sni_cut_close(snQuat start, snQuat end, float part, snQuat rotation) {
    snQuat jump = sn_quat_mul(start, sn_quat_conjugate(end));
    snQuat some = sn_quat_slerp(sn_quat_identity(), jump, part);
    return sn_quat_normalize(sn_quat_mul(some, rotation));
}
